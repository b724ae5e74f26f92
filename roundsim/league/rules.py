"""`league.toml`: the rules of a league, read and checked as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..base.errors import InputError
from ..base.finding import display_path
from ..tournament.planning.file import read_tournament, toml_data
from ..tournament.planning.keys import LEAGUE, LEAGUE_GAME, ROUND
from ..tournament.planning.plan import Tournament
from ..tournament.planning.reader import Reader
from ..trial.contest import is_known

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
    data, places = toml_data(path)
    reader = Reader(places, folder)
    reader.keys(data, (*LEAGUE, "round", "limits", "games"), "")
    top = {key: reader.value(data, key, known.values, known.default, "") for key, known in LEAGUE.items()}
    own = round_values(reader, data.get("round", {}))
    listed = data.get("games")
    for number, table in enumerate(listed if isinstance(listed, list) else ()):
        reader.keys(table if isinstance(table, dict) else (), LEAGUE_GAME, "games", number)
    for text in top["house"]:
        if not is_known(text):
            reader.wrong(f"house has names of installed strategies only, and {text!r} is none", "", key="house")
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
