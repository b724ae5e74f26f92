"""The schemas of tournament files and of bot.toml agree with the readers: on our files, and on changed ones."""

from __future__ import annotations

import json
import re
import tomllib
from copy import deepcopy
from typing import Any

import pytest
import tomli_w
from conftest import Shell, Write
from helpers.command import ROOT, one_in
from helpers.schemas import Page
from hypothesis import assume, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from roundsim import games
from roundsim.base.errors import PluginError, TournamentError
from roundsim.base.values import Whole
from roundsim.reports import schemas
from roundsim.sources.bots import read_bot_file
from roundsim.testing import Table
from roundsim.testing.tables import any_table
from roundsim.tournament.formats import find
from roundsim.tournament.planning.file import read_tournament
from roundsim.tournament.planning.key_lines import KeyLines
from roundsim.tournament.planning.keys import GAME, TABLES

TOURNAMENT, BOT = Page("tournament"), Page("bot")
JUDGE = TOURNAMENT.judge()
SHOWN = re.findall(r"^```toml\n(.*?)^```", (ROOT / "docs" / "tournament-file.md").read_text("utf-8"), re.M | re.S)
# Messages of the reader about one key; all others are about keys that contradict each other, or about texts.
ALONE = re.compile(
    r" must (be|name) |^t(:\d)?: (unknown key|no game|no key|no strategies|no \[\[games|-?\d+ players?: )"
    r"| is a file: | has no option | belongs to format "
)
TEXTS = ("until", "focus")  # the reader reads them with the names of the strategies


@pytest.mark.parametrize("name", schemas.names())
def test_each_is_a_schema_and_says_which(name: str) -> None:
    schema = schemas.schema(name)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert re.fullmatch(rf"https://.+/\d+\.\d+\.\d+[^/]*/{name}\.schema\.json", schema["$id"])


def test_our_files_are_valid() -> None:
    files, bots = sorted(ROOT.glob("tournaments/*.toml")), sorted(ROOT.glob("examples/**/bot.toml"))
    shown = [text for text in SHOWN if "[tournament]" in text]
    assert len(files) > 3 and len(shown) > 3 and len(bots) > 3
    for text in [*(path.read_text("utf-8") for path in files), *shown]:
        assert TOURNAMENT.wrong(tomllib.loads(text)) == [], text
    for path in bots:
        assert BOT.wrong(tomllib.loads(path.read_text("utf-8"))) == [], path


def problems(data: dict[str, Any]) -> list[str]:
    try:
        read_tournament(deepcopy(data), KeyLines("t"), ROOT)
    except TournamentError as error:
        return error.problems
    return []


def choice(value: Any) -> Any:
    """Return a text of digits as a number."""
    return int(value) if isinstance(value, str) and value.isdecimal() else value


def agrees(data: dict[str, Any]) -> bool:
    """Whether both accept it; they must agree."""
    said, fits = problems(data), bool(JUDGE.is_valid(data))
    assert fits == (not any(map(ALONE.search, said))), (said, TOURNAMENT.wrong(data))
    return fits


def example(format: str, entrants: int, **game: Any) -> dict[str, Any]:
    return {"tournament": {"format": format, "strategies": ["random"] * entrants}, "limits": {}, "games": [game]}


VALID = {
    "round-robin": example("round-robin", 3, game="nap", options={}),
    "freeze-out": example("freeze-out", 3, game="draw-poker", options={"stakes": "table"}),
    "progressive": example("progressive", 3, game="nap", options={}),
    "knock-out": example("knock-out", 7, game="nap", options={}),
}
GATED = {**example("round-robin", 2, game="nap"), "gate": {"mine": "random", "baseline": "random#2"}}
KEYS = sorted(set().union(GAME, *TABLES.values(), *(find(name).entered_with() for name in VALID)))
STRANGE: list[object] = ["", "a/b", "..", "on", "abort", "3-6", "6-3", "nap", "freeze-out", "0123456789abcdef" * 2]
STRANGE += [[], [1], True, 0.5, -0.5, ["random", 1], ["random"], [{"name": "r", "from": "random"}], [{"name": "r"}]]
STRANGE += [{}, {"x": 1}, 10**12 + 1, 1 << 63]
ANY = st.one_of(st.sampled_from(STRANGE), st.integers(-2, 200), st.booleans())


@pytest.mark.parametrize("format", one_in(4, [*VALID]))
@given(place=st.sampled_from(["", "tournament", "limits", "games"]), key=st.sampled_from(KEYS), value=ANY)
def test_any_key_with_any_value_anywhere(format: str, place: str, key: str, value: Any) -> None:
    """A key that is of another table or format, too."""
    data = deepcopy(VALID[format])
    table = data["games"][0] if place == "games" else data[place] if place else data
    assume(not (key in TEXTS and isinstance(value, str)) and not (place == "" and key in data))
    table[key] = value
    agrees(data)


@given(format=st.sampled_from([*VALID]), data=st.data())
def test_a_key_that_is_misspelt_or_left_out(format: str, data: st.DataObject) -> None:
    file = deepcopy(VALID[format] if format != "round-robin" else GATED)
    places: list[dict[str, Any]] = [file, file["tournament"], file.get("gate", {}), *file["games"]]
    table = data.draw(st.sampled_from([place for place in places if place]))
    key = data.draw(st.sampled_from(sorted(table)))
    value = table.pop(key)
    if data.draw(st.booleans()):
        table[f"{key}s"] = value
        assert not agrees(file)
    else:
        agrees(file)


@pytest.mark.soak
@given(st.sampled_from(games.ours()).flatmap(lambda game: any_table(games.find(game))))
def test_options_that_the_game_takes(table: Table) -> None:
    """Those of any table; a choice of "32" may be given as 32, too."""
    options = dict(table.given)
    for each in options, {key: choice(value) for key, value in options.items()}:
        assert agrees(example("round-robin", 2, game=table.game.id, players=table.players, options=each))


@given(st.sampled_from(games.ours()), st.data())
def test_an_option_with_any_value(game: str, data: st.DataObject) -> None:
    options = [each for each in games.find(game).options if not (isinstance(each.values, Whole) and each.values.but)]
    option = data.draw(st.sampled_from(options))
    high = getattr(option.values, "high", None)
    value = data.draw(ANY if high is None else ANY | st.sampled_from([high, high + 1]))
    agrees(example("round-robin", 2, game=game, options={option.key: value}))
    assert not agrees(example("round-robin", 2, game=game, options={f"{option.key}_": value}))


def test_the_examples_and_tables_of_each_size_are_valid() -> None:
    assert [agrees(data) for data in [*VALID.values(), GATED]] == [True] * 5
    fits = {"3-6": True, 6: True, 7: False, "36": False}
    for players, right in fits.items():
        data = example("round-robin", 2, game="nap", players=players)
        assert JUDGE.is_valid(data) == right == (not problems(data)), players


BOT_FILE = {"name": "mine", "command": "true", "games": ["nap"], "parameters": {"depth": 2, "deep": [[0.5, "x"], True]}}
VALUES = ["", "mine", "9", "a b", ["true"], ["*"], ["loo"], ["napp"], [], [1], 1, True, {}, {"a b": 1}, {"x": {"y": 1}}]


@given(key=st.sampled_from([*BOT_FILE, "files", "comand"]), value=st.sampled_from(VALUES))
def test_a_bot_with_any_value(key: str, value: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The reader alone checks the files that the words of a command or `files` name."""
    data = {**BOT_FILE, key: value}
    path = tmp_path_factory.mktemp("bot") / "bot.toml"
    path.write_bytes(tomli_w.dumps(data).encode())
    message = ""
    try:
        read_bot_file(path)
    except PluginError as error:
        message = str(error)
    assert BOT.judge().is_valid(data) == (re.search(r"unknown key| must be | is no game", message) is None), message


def test_a_bot_without_what_it_needs() -> None:
    for key in "name", "command":
        assert BOT.wrong({name: value for name, value in BOT_FILE.items() if name != key})


def test_the_command(shell: Shell, write: Write) -> None:
    done = shell("schema", "tournament")
    assert done.code == 0 and json.loads(done.out) == TOURNAMENT.schema
    done, words = shell("schema", "tournamnt"), "(did you mean tournament?): bot, league, league-standings, "
    assert done.code == 64 and f"no schema 'tournamnt' {words}" in done.err
