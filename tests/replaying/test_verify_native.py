"""`roundsim verify` replays any line the same natively and by the definition in Python."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, TypeVar, cast
from unittest.mock import patch

import pytest
from conftest import Write
from helpers.command import seldom
from helpers.forging import RUNS, Forged, lines, play
from hypothesis import given
from hypothesis import strategies as st

from roundsim import api, games
from roundsim.base.errors import DisagreesError, IllegalError, LogError
from roundsim.refereeing.sitting import Sitting
from roundsim.replaying import log_driver, plain_lines, shard_check
from roundsim.replaying.verify import verify_run
from roundsim.table import playthrough
from roundsim.table.actions import Action
from roundsim.table.chance import Source
from roundsim.table.deal import Deal
from roundsim.table.legal import count
from roundsim.tournament.results import record
from roundsim.tournament.storage.folder import RunFolder

pytestmark = pytest.mark.usefixtures("here")

GAMES = ("nap", "draw-poker", "stud-poker", "cassino", "pope-joan", "loto", "spoil-five")
PLACE = "17/2/3"
WAYS = {name: way for name, way in lines.WAYS.items() if name.endswith("rehashed") and not way.apart}
BITS = (" | ", " |", "|", ", ", ",", " ", "!", "! ", "-", "0", "7", "\n", "ä", "\u2028", "play As", "pass", "")
Replayer = TypeVar("Replayer", bound=Callable[..., Any])


@pytest.fixture(params=[*GAMES])
def game(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


def deal_of(name: str) -> Deal:
    """The first deal of a sitting, not yet played."""
    game = games.find(name)
    return Sitting(game, game.rules_for(game.usual[0]), deals=2).next_deal(Source("1/a deal"))


@cache
def line_of(name: str) -> str:
    """That deal with any legal actions, as it is written."""
    deal, chance = deal_of(name), Random(name)
    playthrough.run_deal(deal, lambda ask: ask.legal[chance.randrange(min(count(ask.legal), 1000))])
    return record.deal_line(PLACE, deal.dealer, deal.net, deal.actions, {}).rstrip()


def in_python(core: ModuleType, function: Replayer) -> Replayer:
    """A function that replays deals by the definition."""

    @wraps(function)
    def by_the_definition(*arguments: Any) -> Any:
        by_definition = core.definition("replay_deal")
        with (
            patch.object(log_driver, "replay_deal", by_definition),
            patch.object(plain_lines, "replay_deal", by_definition),
        ):
            return function(*arguments)

    return cast(Replayer, by_the_definition)


def read_in(
    replay_in: Callable[[bytes, int, str, Deal], int], name: str, text: str
) -> tuple[int, list[Action], list[int]]:
    """The length of the line, and the actions and nets of the deal; nothing if the line is another."""
    deal, above = deal_of(name), "= 17/2 a | b\n"
    try:
        end = replay_in(f"{above}{text}\n17/2/4 1".encode(), len(above), PLACE, deal)
    except (IllegalError, LogError, UnicodeDecodeError):
        end = 0
    return (end - len(above), deal.actions, deal.net) if end else (0, [], [])


def test_a_line_among_others_is_just_what_is_written(game: str, core: ModuleType) -> None:
    text = line_of(game)
    for replay_in in plain_lines.replay_line_at, in_python(core, plain_lines.replay_line_at):
        end, actions, net = read_in(replay_in, game, text)
        assert end == len(text) + 1 and text.endswith(f" {' '.join(map(str, net))} | {', '.join(actions)}")
        for other in (
            text.replace(" | ", " 0 | "),
            text + ", pass",
            text + " ",
            text.replace(", ", ", !out ", 1),
            "",
            "ä",
        ):
            assert read_in(replay_in, game, other) == (0, [], [])


@given(st.data())
def test_any_line_among_others(core: ModuleType, data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(GAMES))
    at, cut = data.draw(st.integers(0, len(line_of(name)))), data.draw(st.integers(0, 9))
    text = line_of(name)[:at] + data.draw(st.sampled_from(BITS)) + line_of(name)[at + cut :]
    found = read_in(plain_lines.replay_line_at, name, text)
    assert found == read_in(in_python(core, plain_lines.replay_line_at), name, text)
    assert (found[0] > 0) == (text.partition("\n")[0] == line_of(name))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The runs, each played once.  Not to be changed: copy them."""
    kept: dict[str, Path] = {}

    def run_of(name: str) -> Path:
        if name not in kept:
            kept[name] = play(tmp_path_factory.mktemp(name), name)
        return kept[name]

    return run_of


def differences(run: RunFolder) -> list[str]:
    try:
        verify_run(run, 1)
    except DisagreesError as error:
        return error.differences
    return []


def assert_alike(run: RunFolder, core: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The differences that verify finds, the same natively and by the definitions."""
    found = differences(run)
    with monkeypatch.context() as changed:
        changed.setattr(log_driver, "replay_deal", core.definition("replay_deal"))
        changed.setattr(plain_lines, "replay_deal", core.definition("replay_deal"))
        assert found == differences(run)
    return found


@pytest.mark.soak
@pytest.mark.parametrize("many", [4, *seldom(12)])
@pytest.mark.parametrize("base", RUNS)
def test_forged_lines(
    base: str,
    many: int,
    played: Callable[[str], Path],
    core: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Some of the ways in which lines are forged, each in words of its own."""
    fitting, differing = [name for name, way in sorted(WAYS.items()) if base in way.runs], set[str]()
    for name in Random(base).sample(fitting, many):
        folder = shutil.copytree(played(base), tmp_path / "run")
        place = WAYS[name].forge(Forged(folder, Random(name), played))
        found = assert_alike(RunFolder(folder), core, monkeypatch)
        assert any(place in words for words in found), name
        differing.update(found)
        shutil.rmtree(folder)
    assert len(differing) >= many


def test_an_honest_run(core: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Write) -> None:
    """Every game; nobody was at fault, and no line is looked at by itself."""
    monkeypatch.setattr(shard_check, "Checker", None)
    run = api.play("all", ["random", "random"], deals=1, jobs=1, out=tmp_path / "run")
    assert assert_alike(RunFolder(run.folder), core, monkeypatch) == []
