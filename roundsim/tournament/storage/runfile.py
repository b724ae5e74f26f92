"""`run.toml`: everything needed to play a run again, and what its shards must match."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ... import games
from ...base.catalog import Catalog, T
from ...base.errors import AbsentError, InputError, LogError, OptionError, did_you_mean
from ...base.files import TEXT
from ...base.toml import toml_of
from ...sources.plugins import Strategy
from .. import formats
from ..formats import Format
from ..planning.parts import Part
from ..planning.plan import ON_FAULT, Entry, Limits, Stopping, Tournament, entry_identity, is_name, is_seed
from ..planning.stopping_rule import stopping_rule
from .runs import hint
from .shards import check_version, read_file

SCHEMA = 6
TOP = {"schema": int, "roundsim": str, "name": str, "format": str, "limits": dict, "games": list}
LIMITS = {key: type(value) for key, value in Limits(placed_within=None).recorded().items()}
LIMITS_AT_TIMES = {"isolate": str, "placed_within": float}
GAME = {"name": str, "game": str, "rules": int, "options": dict, "strategies": list, "blocks": int}
STOPPING = {"until": str, "level": float, "version": int}
STOPPING_AT_TIMES = {"worth": float, "level_worse": float, "over_all": bool}
STRATEGY = {"name": str, "parameters": dict, "sha256": str}
SESSION = "session"  # the source of strategies that have no file
SOURCE = {"module": str, "sha256": str}
AT_TIMES = {"imagines": bool, "attribute": str, "joined": int, "source": str}
CALLED = re.compile(r"[^\W\d_].{0,999}")  # with parameters and, in a knock-out, the number of a repeated strategy
HASH = re.compile("[0-9a-f]{64}")
# Keys that may differ between two records of the same run.
AS_ASKED = ("schema", "roundsim", "name", "blocks", "cap", "faults_allowed", "placed_within", "isolate")
MOST_BLOCKS = 10**12


def data_of(tournament: Tournament, version: str) -> dict[str, Any]:
    """Return the content of `run.toml`: everything needed to run it again."""
    return {
        "schema": SCHEMA,
        "roundsim": version,
        "name": tournament.name,
        "format": tournament.format,
        **tournament.format_source,
        "seed": tournament.seed,
        **({"part": str(tournament.part)} if tournament.part else {}),
        "limits": tournament.limits.recorded(),
        **({"stopping": tournament.stopping.recorded()} if tournament.stopping else {}),
        "games": [
            {**entry_data(entry), **({"cap": entry.cap} if tournament.stopping else {})} for entry in tournament.entries
        ],
    }


def entry_data(entry: Entry) -> dict[str, Any]:
    """Return the part of `run.toml` about an entry that plays all its blocks."""
    return {**entry_identity(entry), "blocks": entry.blocks}


def file_data(data: dict[str, Any], path: Path) -> dict[str, Any]:
    """Return checked data without later rounds, so only what a tournament file can contain."""
    format = format_of(data, path)
    return {**data, "games": [each for each in data["games"] if not format.from_settings(each).before]}


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
        if found := hint(path.parent):
            listing = shlex.join(["roundsim", "runs", str(path.parent)])
            raise AbsentError(f"{path.parent}: this is no run folder; {found} ({listing})") from None
        raise AbsentError(f"{path}: {error.strerror}: this is no run folder") from None
    try:
        data = toml_of(written.decode())
    except ValueError as error:
        raise LogError(f"{path}: no TOML: {str(error)[:200]}") from None
    if data.get("schema") != SCHEMA:
        words = f"schema {str(data.get('schema'))[:20]}, expected {SCHEMA}"
        what_to_do = "read it with that version, or play it again into another folder"
        raise LogError(f"{path}: written by another version of roundsim ({words}): {what_to_do}")
    return data


def check_run_data(data: dict[str, Any], path: Path) -> None:
    """Check the data of a run. AbsentError if its format is not installed.

    Any of several errors if a key is missing, of another type, or unknown."""
    json.dumps(data)  # we never write dates
    stops = "stopping" in data
    kinds = {**TOP, "seed": str if isinstance(data.get("seed"), str) else int, **({"stopping": dict} if stops else {})}
    kinds |= {key: kind for key, kind in {"part": str, "format_source": dict}.items() if key in data}
    check_kinds(data, kinds, "")
    more_limits = {key: kind for key, kind in LIMITS_AT_TIMES.items() if key in data["limits"]}
    check_kinds(data["limits"], {**LIMITS, **more_limits}, "limits.")
    if not 0 <= data["limits"].get("placed_within", 0) <= 1:
        raise ValueError(f"limits.placed_within = {data['limits']['placed_within']}")
    if data["limits"].get("isolate", "on") != "on":  # a record must never turn the sandbox off
        raise ValueError(f"limits.isolate = {data['limits']['isolate'][:60]!r}")
    if stops:
        if (version := data["stopping"].get("version", 1)) != Stopping.version:
            words = (
                f"its rule {data['stopping'].get('until')!r:.60} has version {version!r:.20}, not {Stopping.version}"
            )
            raise LogError(f"{path}: stopped by another version of roundsim ({words}): play it again")
        more_stopping = {key: kind for key, kind in STOPPING_AT_TIMES.items() if key in data["stopping"]}
        check_kinds(data["stopping"], {**STOPPING, **more_stopping}, "stopping.")
        if not data["stopping"].get("over_all", True):
            raise ValueError("stopping.over_all = False")
    check_version(data["roundsim"])
    if "format_source" in data:
        check_kinds(data["format_source"], SOURCE, "format_source.")
    elif data["format"] not in formats.ours():
        raise ValueError(f"format = {data['format'][:60]!r} is none of roundsim's, and has no source")
    format = format_of(data, path)
    settings, names = format.recorded(), set[str]()
    last: tuple[Format | None, str] = None, ""
    for number, each in enumerate(data["games"], 1):
        where = f"games[{number}]."
        more: dict[str, type] = {**({"cap": int} if stops else {}), **({"source": dict} if "source" in each else {})}
        own = {key: known.kind for key, known in settings.items() if not known.optional or key in each}
        check_kinds(each, {**GAME, **own, **more}, where)
        if not is_name(each["name"]) or each["name"] in names:
            raise ValueError(f"{where}name = {each['name'][:60]!r}")
        names.add(each["name"])
        if "source" in each:
            check_kinds(each["source"], SOURCE, f"{where}source.")
        elif each["game"] not in games.ours():
            raise ValueError(f"{where}game = {each['game'][:60]!r} is none of roundsim's, and has no source")
        if not (not stops) <= each["blocks"] <= MOST_BLOCKS:
            raise ValueError(f"{where}blocks = {str(each['blocks'])[:60]}")
        if stops and not each["blocks"] <= each["cap"] <= MOST_BLOCKS:
            raise ValueError(f"{where}cap = {str(each['cap'])[:60]}")
        if not each["strategies"]:
            raise ValueError(f"{where}strategies = []")
        for seat, strategy in enumerate(each["strategies"], 1):
            more = {key: kind for key, kind in AT_TIMES.items() if key in strategy}
            check_kinds(strategy, {**STRATEGY, **more}, f"{where}strategies[{seat}].")
            check_texts(strategy, f"{where}strategies[{seat}].")
        joined = [strategy.get("joined", 0) for strategy in each["strategies"]]
        if (
            any(joined)
            and (joined[0] or joined != sorted(joined) or not format.joined_by)
            or joined[-1] > each["blocks"]
        ):
            raise ValueError(f"{where}joined = {str(joined)[:60]}")
        made = format.from_settings(each)
        if made.before and (made.before, made.in_file(each["name"])) != last:
            raise ValueError(f"{where}name = {each['name'][:60]!r}: a round that follows from none")
        last = made, made.in_file(each["name"])
    if not data["games"] or data["limits"]["on_fault"] not in ON_FAULT or not is_name(data["name"]):
        raise ValueError("no games, an unknown on_fault, or a name that is none")
    if not is_seed(data["seed"]):
        raise ValueError(f"seed = {str(data['seed'])[:60]!r}")


def check_texts(strategy: Mapping[str, Any], where: str) -> None:
    """Raise ValueError if a text cannot be in the record of a strategy."""
    for key, fits in (("name", CALLED), ("sha256", HASH)):
        if not fits.fullmatch(strategy[key]) or not strategy[key].isprintable():
            raise ValueError(f"{where}{key} = {strategy[key][:60]!r}")
    if strategy.get("source", SESSION) != SESSION or "source" in strategy and not strategy.get("attribute"):
        raise ValueError(f"{where}source = {strategy['source'][:60]!r}")
    for word in (*strategy["parameters"], *([strategy["attribute"]] if strategy.get("attribute") else [])):
        if not word.isidentifier():
            raise ValueError(f"{where}{word[:60]!r} is no name in Python")


def check_kinds(data: Mapping[str, Any], kinds: Mapping[str, type], where: str) -> None:
    """Raise ValueError if a value is missing, of another type, or unknown."""
    for key, kind in kinds.items():
        if key not in data:
            raise ValueError(f"{where}{key} is not there")
        if type(data[key]) is not kind:
            raise ValueError(f"{where}{key} = {repr(data[key])[:60]}")
    for key in data:
        if key not in kinds:
            raise ValueError(f"{where}{key} is nothing that is read{did_you_mean(key, kinds)}")


def damaged(path: Path, error: Exception) -> LogError:
    words = str(error) if type(error) in (ValueError, InputError) else f"{type(error).__name__}: {str(error)[:200]}"
    return LogError(f"{path}: damaged: {words}")


def tournament(path: Path, data: dict[str, Any]) -> Tournament:
    """Return the tournament of checked data, as recorded: strategies by name, not loaded. LogError."""
    try:
        format = format_of(data, path)
        entries = tuple(recorded_entry(each, format, path) for each in data["games"])
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
        return Tournament(data["name"], data["format"], data["seed"], limits, entries, stopping).only(part)
    except LogError:
        raise
    except OptionError as error:
        raise LogError(f"{path}: its options are refused by this version of roundsim: {error}") from None
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise damaged(path, error) from None


def recorded_entry(data: dict[str, Any], kind: type[Format], path: Path) -> Entry:
    """Return an entry as recorded in `run.toml`. Any of several errors if it is damaged."""
    strategies = tuple(
        Strategy(
            each["name"],
            (),
            "",
            each.get("attribute", ""),
            each["sha256"],
            tuple(sorted(each["parameters"].items())),
            bool(each.get("imagines")),
            "attribute" in each,
            source=each.get("source", ""),
        )
        for each in data["strategies"]
    )
    format = kind.from_settings(data)
    home = home_of(data, path) if "source" in data else ""
    entry = Entry(
        data["name"],
        data["game"],
        format,
        data["options"],
        strategies,
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


def joined_of(strategies: Sequence[Mapping[str, Any]]) -> tuple[int, ...]:
    """Return the number of blocks when each strategy joined; () if all were there from the start."""
    joined = tuple(each.get("joined", 0) for each in strategies)
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
    if found := catalog.by_source(name, attribute, sha):
        return found
    file, now = Path(module).name, catalog.sha_of(name, Path(module).name)
    words = f"{path}: {name} is a {catalog.kind} from a file, {file} with sha256 {sha[:8]}...; "
    if now:
        raise AbsentError(f"{words}what is here under that name has another source, with sha256 {now[:8]}...")
    raise AbsentError(f"{words}it is loaded only if you name that file: {catalog.flag} {shlex.quote(file)}")


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
    return next((words for part in parts if (words := first_difference(*part))), "")
