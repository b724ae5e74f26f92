"""`league.toml`: the rules of a league, read and checked as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..base.errors import InputError
from ..base.finding import display_path, is_path
from ..tournament.planning.file import read_tournament, toml_data
from ..tournament.planning.key_lines import KeyLines
from ..tournament.planning.keys import LEAGUE, LEAGUE_GAME, ROUND
from ..tournament.planning.plan import Tournament
from ..tournament.planning.reader import Reader
from .entries import is_known

RULES = "league.toml"


@dataclass(frozen=True)
class LeagueRules:
    """The rules of a league. `tables`: what the house would play in a round, an entry for each game and table size;
    `limits`: as a tournament file has them."""

    title: str
    house: Sequence[str]
    memory: int
    an_author: int
    deals: int
    least: int
    idle: int
    limits: Mapping[str, object]
    tables: Tournament


def league_rules(folder: Path) -> LeagueRules:
    """Read the rules of a league. TournamentError lists each mistake with its line; InputError if there is no league."""
    path = folder / RULES
    if not path.exists():
        begin = f"roundsim new league {display_path(folder)} --game nap begins one"
        raise InputError(f"{display_path(folder)} holds no league, no {RULES}: {begin}")
    return read_rules(*toml_data(path), folder)


def read_rules(data: dict[str, Any], places: KeyLines, folder: Path) -> LeagueRules:
    """Return the rules of a league from the data of its file. TournamentError lists each mistake."""
    reader = Reader(places, folder)
    reader.keys(data, (*LEAGUE, "round", "limits", "games"), "")
    top = {key: reader.value(data, key, known.values, known.default, "") for key, known in LEAGUE.items()}
    own = round_values(reader, data.get("round", {}))
    listed = data.get("games")
    for number, table in enumerate(listed if isinstance(listed, list) else ()):
        reader.keys(table if isinstance(table, dict) else (), LEAGUE_GAME, "games", number)
        if isinstance(table, dict) and is_path(str(table.get("game"))):
            reader.wrong(
                "game must be the id of a game; --game FILE on the command line loads one", "games", number, "game"
            )
    for text in top["house"]:
        if not is_known(text) or top["house"].count(text) > 1:
            reader.wrong(f"house must be names of installed strategies, each once, not {text!r}", "", key="house")
    reader.refuse()
    limits = data.get("limits", {})
    limits = {"isolate": "on", **limits} if isinstance(limits, dict) else limits
    house = top["house"] if len(top["house"]) > 1 else [*top["house"], "random"]
    games = [{"deals": own["deals"], **table} for table in listed] if isinstance(listed, list) else listed
    whole = {"tournament": {"strategies": house}, "limits": limits, **({} if games is None else {"games": games})}
    tables = read_tournament(whole, places, folder, "league")
    return LeagueRules(**top, deals=own["deals"], least=own["least"], idle=own["idle"], limits=limits, tables=tables)


def round_values(reader: Reader, data: object) -> dict[str, int]:
    """Return the values of [round]."""
    if not isinstance(data, dict):
        reader.wrong("round must be a table, [round]", "round")
        data = {}
    reader.keys(data, ROUND, "round")
    return {key: reader.value(data, key, known.values, known.default, "round") for key, known in ROUND.items()}
