"""`run.toml`: everything needed to play a run again, and what its shards must match."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ... import games
from ...base.catalog import Catalog, T
from ...base.errors import AbsentError, InputError, LogError, OptionError
from ...base.files import TEXT
from ...base.toml import toml_of
from ...sources.plugins import Strategy
from .. import formats
from ..formats import Format
from ..planning.parts import Part
from ..planning.plan import ON_FAULT, Entry, Limits, Stopping, Tournament
from ..planning.record import (
    AS_ASKED,
    ENTRANT_KEYS,
    MOST_BLOCKS,
    RUN_KEYS,
    SCHEMA,
    STRATEGY_KEYS,
    RecordKey,
    check_keys,
    game_keys,
    is_name,
    is_seed,
    not_allowed,
    recorded,
)
from ..planning.stopping_rule import stopping_rule
from .runs import hint
from .shards import check_version, read_file


def data_of(tournament: Tournament, version: str) -> dict[str, Any]:
    """Return the content of `run.toml`: everything needed to run it again."""
    games = [recorded(game_keys(type(entry.format), bool(tournament.stopping)), entry) for entry in tournament.entries]
    return recorded(RUN_KEYS, tournament, roundsim=version, games=games)


def entry_data(entry: Entry) -> dict[str, Any]:
    """Return the part of `run.toml` about an entry that plays all its blocks."""
    return recorded(game_keys(type(entry.format)), entry)


def file_data(data: dict[str, Any], path: Path) -> dict[str, Any]:
    """Return checked data without later rounds, so only what a tournament file can contain."""
    format = format_of(data, path)
    return {**data, "games": [game for game in data["games"] if not format.from_settings(game).before]}


def read_run_file(path: Path) -> dict[str, Any]:
    """Read a `run.toml`, and check its keys and their types. LogError."""
    data = read_unchecked(path)
    try:
        check_run_data(data, path)
    except LogError:
        raise
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise damaged(path, error) from None
    return data


def read_unchecked(path: Path) -> dict[str, Any]:
    """Read a `run.toml` of this layout. LogError."""
    try:
        written = read_file(path, TEXT)
    except FileNotFoundError as error:
        if advice := hint(path.parent):
            listing = shlex.join(["roundsim", "runs", str(path.parent)])
            raise AbsentError(f"{path.parent}: this is no run folder; {advice} ({listing})") from None
        raise AbsentError(f"{path}: {error.strerror}: this is no run folder") from None
    try:
        data = toml_of(written.decode())
    except ValueError as error:
        raise LogError(f"{path}: no TOML: {str(error)[:200]}") from None
    if data.get("schema") != SCHEMA:
        versions = f"schema {str(data.get('schema'))[:20]}, expected {SCHEMA}"
        what_to_do = "read it with that version, or play it again into another folder"
        raise LogError(f"{path}: written by another version of roundsim ({versions}): {what_to_do}")
    return data


def check_run_data(data: dict[str, Any], path: Path) -> None:
    """Check the data of a run. AbsentError if its format is not installed.

    Any of several errors if a key is missing, of another type, or unknown."""
    json.dumps(data)  # we never write dates
    if isinstance(stopping := data.get("stopping"), dict) and stopping.get("version", 1) != Stopping.version:
        rule = f"its rule {stopping.get('until')!r:.60} has version {stopping.get('version', 1)!r:.20}"
        raise LogError(
            f"{path}: stopped by another version of roundsim ({rule}, not {Stopping.version}): play it again"
        )
    check_keys(data, RUN_KEYS)
    check_version(data["roundsim"])
    if "format_source" not in data and data["format"] not in formats.ours():
        raise ValueError(f"format = {data['format'][:60]!r} is none of roundsim's, and has no source")
    format = format_of(data, path)
    keys = game_keys(format, stops="stopping" in data)
    names = set[str]()
    last: tuple[Format | None, str] = None, ""
    for number, game in enumerate(data["games"], 1):
        where = f"games[{number}]."
        check_game(game, format, keys, where)
        made = format.from_settings(game)
        if game["name"] in names:
            raise not_allowed(game, "name", where)
        if made.before and (made.before, made.in_file(game["name"])) != last:
            raise ValueError(f"{where}name = {game['name'][:60]!r}: a round that follows from none")
        names.add(game["name"])
        last = made, made.in_file(game["name"])
    if not data["games"] or data["limits"]["on_fault"] not in ON_FAULT or not is_name(data["name"]):
        raise ValueError("no games, an unknown on_fault, or a name that is none")
    if not is_seed(data["seed"]):
        raise ValueError(f"seed = {str(data['seed'])[:60]!r}")


def check_game(game: Mapping[str, Any], format: type[Format], keys: Mapping[str, RecordKey], where: str) -> None:
    """Check one of the games of a run. Any of several errors, as in `check_run_data`."""
    check_keys(game, keys, where)
    if "source" not in game and game["game"] not in games.ours():
        raise ValueError(f"{where}game = {game['game'][:60]!r} is none of roundsim's, and has no source")
    if game["blocks"] > game.get("cap", MOST_BLOCKS):
        raise not_allowed(game, "cap", where)
    if not game["strategies"]:
        raise ValueError(f"{where}strategies = []")
    for seat, strategy in enumerate(game["strategies"], 1):
        check_entrant(strategy, f"{where}strategies[{seat}].")
    joined = [strategy.get("joined", 0) for strategy in game["strategies"]]
    late = any(joined) and (joined[0] or joined != sorted(joined) or not format.joined_by)
    if late or joined[-1] > game["blocks"]:
        raise ValueError(f"{where}joined = {str(joined)[:60]}")


def check_entrant(strategy: Mapping[str, Any], where: str) -> None:
    """Raise ValueError if this cannot be the record of a strategy."""
    check_keys(strategy, ENTRANT_KEYS, where)
    if "source" in strategy and not strategy.get("attribute"):
        raise not_allowed(strategy, "source", where)
    for name in (*strategy["parameters"], *filter(None, [strategy.get("attribute")])):
        if not name.isidentifier():
            raise ValueError(f"{where}{name[:60]!r} is no name in Python")


def damaged(path: Path, error: Exception) -> LogError:
    problem = str(error) if type(error) in (ValueError, InputError) else f"{type(error).__name__}: {str(error)[:200]}"
    return LogError(f"{path}: damaged: {problem}")


def tournament(path: Path, data: dict[str, Any]) -> Tournament:
    """Return the tournament of checked data, as recorded: strategies by name, not loaded. LogError."""
    try:
        format = format_of(data, path)
        entries = tuple(recorded_entry(game, format, path) for game in data["games"])
        stopping = Stopping(**data["stopping"]) if "stopping" in data else None
        if stopping and not 0 < stopping.level < 1:
            raise ValueError(f"stopping.level = {stopping.level}")
        if stopping and stopping.level_worse is not None and not 0 < stopping.level_worse < stopping.level:
            raise ValueError(f"stopping.level_worse = {stopping.level_worse}")
        if stopping:
            for entry in entries:
                stopping_rule(entry, stopping)  # OptionError if it is no rule
        part = Part.parse(data["part"]) if "part" in data else None
        limits = Limits(**{"placed_within": None, **data["limits"]})
        about = data["name"], data["format"], data["seed"], limits, entries, stopping
        return Tournament(*about, title=data.get("title", "")).only(part)
    except LogError:
        raise
    except OptionError as error:
        raise LogError(f"{path}: its options are refused by this version of roundsim: {error}") from None
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise damaged(path, error) from None


def recorded_entry(data: dict[str, Any], kind: type[Format], path: Path) -> Entry:
    """Return an entry as recorded in `run.toml`. Any of several errors if it is damaged."""
    format = kind.from_settings(data)
    home = home_of(data, path) if "source" in data else ""
    entry = Entry(
        data["name"],
        data["game"],
        format,
        data["options"],
        tuple(map(recorded_strategy, data["strategies"])),
        data["blocks"],
        cap=data.get("cap", 0),
        joined=joined_of(data["strategies"]),
        home=home,
    )
    if data["rules"] != entry.deal.version:
        played, now = data["rules"], entry.deal.version
        raise LogError(f"{path}: {entry.name} was played by version {played} of the rules, this roundsim has {now}")
    assert entry.rules  # the game must accept the options
    if problem := format.wrong_with(entry):
        raise ValueError(problem)
    return entry


def recorded_strategy(data: Mapping[str, Any]) -> Strategy:
    known = {"attribute": "", **{key: data[key] for key in STRATEGY_KEYS if key in data}}
    known["parameters"] = tuple(sorted(data["parameters"].items()))
    return Strategy(games=(), path="", named="attribute" in data, **known)


def joined_of(strategies: Sequence[Mapping[str, Any]]) -> tuple[int, ...]:
    """Return the number of blocks when each strategy joined; () if all were there from the start."""
    joined = tuple(strategy.get("joined", 0) for strategy in strategies)
    return joined if any(joined) else ()


def home_of(data: dict[str, Any], path: Path) -> str:
    """Return path:Class of the source of a third-party game; "" if the game is installed.

    Only a source with the recorded sha256 is imported, and only if it is installed or the user has named it.
    AbsentError for any other."""
    game = from_outside(games.GAMES, data["game"], data["source"], path)
    return "" if data["game"] in games.installed() else games.place_of(game)


def format_of(data: Mapping[str, Any], path: Path) -> type[Format]:
    """Return the format of a run. AbsentError if it is a third-party format whose source is not available."""
    source = data.get("format_source")
    return from_outside(formats.FORMATS, data["format"], source, path) if source else formats.find(data["format"])


def from_outside(catalog: Catalog[T], name: str, source: Mapping[str, str], path: Path) -> type[T]:
    """Return the game or the format with the recorded source. AbsentError if that is not available."""
    (module, _, attribute), sha = source["module"].rpartition(":"), source["sha256"]
    if known := catalog.by_source(name, attribute, sha):
        return known
    file, now = Path(module).name, catalog.sha_of(name, Path(module).name)
    problem = f"{path}: {name} is a {catalog.kind} from a file, {file} with sha256 {sha[:8]}...; "
    if now:
        raise AbsentError(f"{problem}what is here under that name has another source, with sha256 {now[:8]}...")
    raise AbsentError(f"{problem}it is loaded only if you name that file: {catalog.flag} {shlex.quote(file)}")


def first_difference(wanted: Any, found: Any, where: str = "") -> str:
    """Say where two records differ; '' if all that is wanted is found, and nothing more that makes it another run."""
    if isinstance(wanted, dict) and isinstance(found, dict):
        whole = ".options" in where or ".parameters" in where
        keys = [*wanted, *[key for key in found if key not in wanted and (whole or key not in AS_ASKED)]]
        parts = [(wanted.get(key), found.get(key), f"{where}.{key}" if where else key) for key in keys]
    elif isinstance(wanted, list) and isinstance(found, list) and len(wanted) == len(found):
        parts = [(*pair, f"{where}[{at}]") for at, pair in enumerate(zip(wanted, found, strict=True), 1)]
    elif isinstance(wanted, list) and isinstance(found, list):
        return f"{where}: {len(found)} there, {len(wanted)} here"
    else:
        same = wanted == found and type(wanted) is type(found)  # 1 is neither 1.0 nor true
        return "" if same else f"{where} is {found!r} there, {wanted!r} here"
    return next((difference for part in parts if (difference := first_difference(*part))), "")
