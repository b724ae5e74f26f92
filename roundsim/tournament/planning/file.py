"""Read a tournament file, and check all of it before anything is played."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from ... import games
from ...base.errors import OptionError, TournamentError, UnknownFormatError, UnknownGameError, did_you_mean
from ...base.files import TEXT
from ...base.files import read_regular_file as read_file
from ...base.finding import is_path
from ...base.toml import text_of, toml_of
from ...sources import plugins
from .. import formats
from ..formats import Format
from .entrants import specs_in
from .key_lines import KeyLines, shorten, shorten_value
from .keys import TABLES
from .plan import PLACED_WITHIN, Entry, Limits, Seed, Stopping, Tournament
from .reader import EntryReader, Reader, game_in, tables_in
from .stopping_rule import gate_rule, stoppable

ALL = "all"  # the games that are installed
FEW = 3  # games whose names a run has in its own
MANY = 5000  # mistakes after which no game is asked whether it refuses anything
Amount = tuple[str, int]  # how much is played: the key of a format, and its value


class GateSettings(NamedTuple):
    """The settings of a gate on a command line: see `gate_rule`. `others`: how many more strategies are listed."""

    margin: float
    worth: float | str | None
    over_all: bool
    others: int = 0


class GivenSettings(NamedTuple):
    """The settings of a command line.

    `amount` such as ("deals", 5000) replaces the file's; `until` replaces its stopping rule. With `fresh_cards` every
    sitting has its own cards. `gate`: it is a gate between the first two listed strategies, with these settings.
    `isolate` says who runs in the sandbox, instead of the file's limits."""

    seed: Seed | None = None
    amount: Amount | None = None
    until: str | None = None
    fresh_cards: bool = False
    gate: GateSettings | None = None
    isolate: str | None = None


def gate_data(
    listed: Iterable[str],
    strategies: Sequence[str],
    options: Mapping[str, object],
    seats: int | str | None = None,
    sitting: int | None = None,
    alone: bool = False,
    whole: bool = False,
) -> dict[str, Any]:
    """Return the data of a file that plays a gate: `strategies` are the one that is tested, its baseline, and others.

    `seats`: by default as is usual in each game. `alone`: every sitting of the two is played alone, as a round-robin;
    `whole`: nothing that is known without playing is left out. Unknown games are reported when the data is read."""
    switches = {**({"sparing": False} if whole else {}), **({"alone": False} if strategies[2:] else {})}
    tables = list[dict[str, object]]()
    for game in listed:
        tables.append({"game": game, "options": {**options}, **({"sitting": sitting} if sitting else {})})
        with suppress(UnknownGameError):
            tables[-1]["players"] = games.find(game).usual[0] if seats is None else seats
    nothing_saved = not switches and all(table.get("players") == 2 for table in tables)
    form = formats.USUAL if alone or nothing_saved else "shadow"
    named = {"tournament": {"format": form, "strategies": [*strategies]}}
    return {**named, "games": [{**table, **switches} for table in tables]}


def games_in(text: str, without: Sequence[str] = ()) -> tuple[list[str], str]:
    """Return the ids of the games that a command line names, and the name of a run of all games.

    The text is a list such as "nap,old_maid.py", or "all" for the installed games except those in `without`. The name
    is "" if the games are listed. TournamentError; UnknownGameError or PluginError for a file."""
    listed_ids = [part.strip() for part in text.split(",")]
    named = [games.named(word).id if ":" in word or is_path(word) else word for word in listed_ids]
    every = named == [ALL]
    listed = [*named, *(without if every else ())]
    problems = [f"{game} is named twice" for game, n in Counter(listed).items() if n > 1 and game]
    if ALL in named and not every:
        problems.append(f"all is every game, and is named alone, not {shorten(text)}")
    elif without and not every:
        problems.append(f"-{without[0]} leaves a game out of all, not of {shorten(text)}")
    if every:
        named = [game for game in sorted({*games.ours(), *games.installed()}) if game not in without]
        problems += ["every game is left out: nothing to play"] * (not named)
    if problems:
        raise TournamentError(problems)
    return named, f"all-but-{name_from_games(without)}" if without else ALL * every


def name_from_games(played: Sequence[str]) -> str:
    """Return a name such as "nap-loo-commerce", or "4-games" if there are more."""
    return "-".join(played) if len(played) <= FEW else f"{len(played)}-games"


def load_tournament(path: str | Path, given: GivenSettings | None = None) -> Tournament:
    """Return the tournament of a file, optionally with other settings. TournamentError, PluginError."""
    data, places = toml_data(path)
    name = os.fsencode(Path(path).stem).decode(errors="replace")
    return read_tournament(data, places, Path(path).parent, name, given)


def toml_data(path: str | Path) -> tuple[dict[str, Any], KeyLines]:
    """Return the data of a file that people write, and the lines of its keys. TournamentError."""
    try:
        text = text_of(read_file(path, TEXT)).replace("\r\n", "\n")
        return toml_of(text), KeyLines(str(path), text)
    except OSError as error:
        raise TournamentError([f"{path}: {error.strerror}"]) from None
    except ValueError as error:
        at = re.search(r" \(at line (\d+), column \d+\)", str(error))
        problem = str(error).replace(at[0], "") if at else str(error)
        raise TournamentError([f"{path}{f':{at[1]}' if at else ''}: no TOML: {shorten(problem)}"]) from None


def read_tournament(
    data: dict[str, Any], places: KeyLines, folder: Path, default_name: str = "", given: GivenSettings | None = None
) -> Tournament:
    """Return the tournament of a file's data, checked as a whole. Without a name it is named after its games."""
    given = given or GivenSettings()
    reader = Reader(places, folder)
    reader.keys(data, (*TABLES, "games"), "")
    top = table_at_key(reader, data, "tournament")
    name = value_in(reader, top, "tournament", "name") or default_name
    title = value_in(reader, top, "tournament", "title") or ""
    format = read_format(reader, top, given.amount)
    instead = settings_instead(reader, format, given)
    seed = value_in(reader, top if given.seed is None else {**top, "seed": given.seed}, "tournament", "seed")
    limits = read_limits(reader, data, given)
    listed = listed_games(reader, data)
    for game in dict.fromkeys(map(game_in, listed)):  # before any strategy, which may play another entry's game
        with suppress(UnknownGameError):
            games.find(game)
    lists = [table.get("strategies") for table in (top, *listed)]
    plugins.describe_ahead(dict.fromkeys(specs_in(lists)), folder, limits.memory, limits.seals)
    tables = [
        (at, {**table, **instead})
        for at, listed_table in enumerate(listed)
        for table in tables_in(reader, listed_table, at, format)
    ]
    stopping = read_stopping(reader, data, len(tables), given.until)
    entries: dict[str, Entry] = {}
    for number, table in tables:
        entry = read_entry(reader, table, number, format, top.get("strategies"))
        if entry and entry.name in entries:
            reader.wrong(f"two entries are called {entry.name!r}: give one a name of its own", "games", number, "name")
        elif entry:
            entries[entry.name] = entry
            if given.gate:
                stopping = gate_of_two(reader, entry, given.gate, len(tables), stopping)
            if stopping:
                with problems_at_key(reader, "gate" if "gate" in data else "tournament", "until"):
                    entries[entry.name] = stoppable(entry, stopping, usual=format.amount not in table)
    reader.refuse()
    every = tuple(entries.values())
    if stopping and stopping.over_all:
        fewest = min(entry.blocks for entry in every)
        shorter: dict[str, Any] = {"blocks": fewest, "cap": fewest, "asked": 0}
        every = tuple(entry if entry.blocks == fewest else replace(entry, **shorter) for entry in every)
    usual_name = name_from_games([*dict.fromkeys(entry.game for entry in every)])
    return Tournament(name or usual_name, format.name, seed, limits, every, stopping, title=title, file=places.path)


def settings_instead(reader: Reader, format: type[Format], given: GivenSettings) -> dict[str, Any]:
    """Return the keys of every game that a command line replaces."""
    instead: dict[str, Any] = dict([given.amount] if given.amount and given.amount[0] == format.amount else [])
    if given.fresh_cards and "duplicate" in format.entered_with():
        instead["duplicate"] = False
    elif given.fresh_cards:
        reader.wrong(f"--fresh-cards is not of format {format.name}: no two of its tables have the same cards", "")
    return instead


def read_limits(reader: Reader, data: dict[str, Any], given: GivenSettings) -> Limits:
    table = table_at_key(reader, data, "limits")
    limits = {key: value_in(reader, table, "limits", key) for key in TABLES["limits"]}
    if limits["placed_within"] is None:
        limits["placed_within"] = 0.0 if "gate" in data or given.gate else PLACED_WITHIN
    return Limits(**limits).isolating(given.isolate)


def listed_games(reader: Reader, data: dict[str, Any]) -> list[dict[str, Any]]:
    listed = data.get("games", [])
    if not isinstance(listed, list) or not all(isinstance(table, dict) for table in listed):
        reader.wrong("games must be written [[games]]", "games")
        return []
    if not listed:
        reader.wrong("no [[games]]: nothing to play", "")
    return listed


@contextmanager
def problems_at_key(reader: Reader, table: str, key: str) -> Iterator[None]:
    """Note errors within the block as problems at a key."""
    try:
        yield
    except OptionError as error:
        for problem in error.problems:
            reader.wrong(problem, table, key=key)


def read_stopping(reader: Reader, data: dict[str, Any], games: int, until: str | None) -> Stopping | None:
    """Return the stopping rule, if there is one. The level of a gate holds for all its games together."""
    top, gate = table_at_key(reader, data, "tournament"), table_at_key(reader, data, "gate")
    if gate:
        for key in "mine", "baseline":
            if not isinstance(gate.get(key), str):
                reader.wrong(f"{key} must name a strategy, not {shorten_value(gate.get(key))}", "gate", key=key)
                return None
        margin, worth = value_in(reader, gate, "gate", "margin"), value_in(reader, gate, "gate", "worth")
        if until or "until" in top:
            reader.wrong("a gate stops by a rule of its own: it goes without until", "gate")
        over_all = value_in(reader, gate, "gate", "over_all")
        with problems_at_key(reader, "gate", "over_all" if over_all else "worth"):
            return gate_rule(gate["mine"], gate["baseline"], margin, worth, max(1, games), over_all)
    rule = until or value_in(reader, top, "tournament", "until")
    return Stopping(rule) if rule else None


def gate_of_two(
    reader: Reader, entry: Entry, gate: GateSettings, games: int, before: Stopping | None
) -> Stopping | None:
    """Return a gate between the first two strategies of an entry, whose names must be those in the entries before it."""
    rule = None
    if len(entry.labels) == 2 + gate.others:
        mine, baseline = entry.labels[:2]
        try:
            rule = gate_rule(mine, baseline, gate.margin, gate.worth, games, gate.over_all)
        except OptionError as error:
            reader.wrong(str(error), "tournament")
            return None
    if rule is None or before and rule != before:
        many = f"two strategies{f' and {gate.others} more' * (gate.others > 0)}"
        problem = f"a gate is between {many}, and in {entry.name} these are {', '.join(entry.labels)}"
        reader.wrong(f"{problem}: name them, new=mine.py:Mine old=book", "tournament")
    return rule


def read_format(reader: Reader, top: dict[str, Any], amount: Amount | None) -> type[Format]:
    name = top.get("format", formats.USUAL)
    try:
        format = formats.find(name if isinstance(name, str) else "")
    except UnknownFormatError as error:
        known = formats.names()
        problem = f"format must be one of {', '.join(known)}, not {shorten_value(name)}{did_you_mean(name, known)}"
        reader.wrong(str(error) if isinstance(name, str) and is_path(name) else problem, "tournament", key="format")
        return formats.find(formats.USUAL)
    if amount and amount[0] != format.amount:
        reader.wrong(f"--{amount[0]} is not of format {name}, which takes {format.amount_key.flag}", "")
    return format


def table_at_key(reader: Reader, data: dict[str, Any], key: str) -> dict[str, Any]:
    """Return the table of a key, {} if it is not there. Its unknown keys are noted."""
    value = data.get(key, {})
    if not isinstance(value, dict):
        reader.wrong(f"{key} must be a table, [{key}]", key)
        return {}
    reader.keys(value, TABLES[key], key)
    return value


def value_in(reader: Reader, data: dict[str, Any], table: str, key: str) -> Any:
    """Return the value of a key of one of the tables."""
    known = TABLES[table][key]
    return reader.value(data, key, known.values, known.default, table)


def read_entry(reader: Reader, data: dict[str, Any], number: int, format: type[Format], listed: Any) -> Entry | None:
    """Read one [[games]] table; None if something in it is wrong."""
    try:
        entry = EntryReader(reader, data, number, format, listed)
        reader.passed_over = len(reader.problems) > MANY
        return None if reader.passed_over else format.read(entry)
    except UnknownGameError as error:
        missing = "no key game: which one is played?"
        reader.wrong(str(error) if "game" in data else missing, "games", number, "game")
        return None
