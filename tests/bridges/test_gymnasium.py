"""A seat at a table as an environment of Gymnasium: its own check passes, and the others play as strategies do."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import pytest

pytest.importorskip("gymnasium")

import numpy as np
from conftest import Shell, Write
from gymnasium.utils.env_checker import check_env
from helpers.deciding import ANY_TABLES, asking, check_tables, decisions

import roundsim
from roundsim.base.errors import IllegalError, InputError, PluginError, StrategyError
from roundsim.bridges.gymnasium import SeatEnv
from roundsim.bridges.gymnasium_vector import TableVectorEnv
from roundsim.testing import Table

pytestmark = pytest.mark.usefixtures("met")

EXCUSED = ("Not able to test alternative render modes",)  # it is not made by a name
FEW = "nap", "loto", "loo", "draw-poker"


def check_table(table: Table, seed: int) -> None:
    """Gymnasium's own check; a table at which no seat decides anything is refused."""
    try:
        made = SeatEnv(table.game, ["random"], table.players, table.given, 2)
    except InputError as error:
        assert "no seat has anything to decide in 50 sittings" in str(error) and not decisions(table)
        return
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check_env(made)
    strange = [str(each.message) for each in caught if not any(words in str(each.message) for words in EXCUSED)]
    assert not strange, strange


@pytest.mark.parametrize(("name", "examples"), ANY_TABLES)
def test_every_seat_passes_the_check_of_gymnasium(name: str, examples: int) -> None:
    check_tables(name, examples, check_table)


def play(made: SeatEnv, seed: int | None, rng: np.random.Generator) -> tuple[float, list[str], int]:
    """A sitting in which any word is said: the sum of the rewards, all actions of the last deal, and the seat."""
    seen, info = made.reset(seed=seed)
    total, over = 0.0, False
    while not over:
        assert not info["illegal"] and made.observation_space.contains(seen)
        seen, reward, over, truncated, info = made.step(rng.choice(np.flatnonzero(seen["action_mask"])))
        total += reward
        assert not truncated
    assert not seen["action_mask"].any()
    return total, [*map(str, made.table.deal.actions)], info["seat"]


@pytest.mark.parametrize("name", FEW)
def test_the_rewards_are_the_nets(name: str) -> None:
    made, rng = SeatEnv(name, ["random"], options=asking(name), deals=3), np.random.default_rng(1)
    for seed in (1, None, None, None, None):  # from seat to seat
        total, _, seat = play(made, seed, rng)
        assert total == made.table.nets[seat]


def test_the_seat_goes_round_and_with_a_seed_starts_afresh(write: Write) -> None:
    """The others pass: so every seat is asked in every sitting."""
    passing = f"{write('notes.py', NOTING)}:Notes"
    made, rng = SeatEnv("nap", [passing], 4, deals=1), np.random.default_rng(1)
    assert [play(made, seed, rng)[2] for seed in (3, None, None, None, None, 3)] == [0, 1, 2, 3, 0, 0]
    fixed = SeatEnv("nap", [passing], 4, deals=1, seat=2)
    assert [play(fixed, seed, rng)[2] for seed in (3, None, None)] == [2, 2, 2]


def test_the_cards_are_those_of_the_blocks_of_the_seed() -> None:
    made, table = SeatEnv("nap", ["random"], 4, deals=1, seat=0), roundsim.Table("nap", deals=1)
    for block, seed in enumerate((8, None, None), 1):
        made.reset(seed=seed)
        table.begin(8, block)
        assert made.table.deal.hands[0] == table.deal.hands[0]  # seat 0 is asked first: nothing is played


NOTING = """
class Notes:
    games = ["nap"]

    def __init__(self):
        self.heard = []

    def begin(self, view):
        self.heard.append(("begin", view.seat, len(view.hand), view.legal))

    def act(self, view):
        self.heard.append((view.phase, view.seat, len(view.hand)))
        return view.legal[0]

    def settled(self, view, net):
        self.heard.append(("settled", view.seat, net, len(view.history) > 0))


class Last(Notes):
    def act(self, view):
        return view.legal[-1]
"""


def objects_of(env: SeatEnv) -> dict[int, Any]:
    """The objects of `Notes` by seat."""
    methods: list[Any] = [player.settled for player in env.table.sitters]
    return {seat: method.__self__ for seat, method in enumerate(methods) if method}


def test_the_others_see_what_a_strategy_sees(write: Write) -> None:
    """The others pass, so that the eldest must call one trick."""
    made = SeatEnv("nap", [f"{write('notes.py', NOTING)}:Notes"], 4, deals=2, seat=3)
    seen, _ = made.reset(seed=1)
    heard = {seat: notes.heard for seat, notes in objects_of(made).items()}
    assert {*heard} == {0, 1, 2}
    for seat, lines in heard.items():
        assert lines[:2] == [("begin", seat, 0, ()), ("call", seat, 5)]
    nets, over = [0, 0, 0, 0], False
    while not over:
        seen, _, over, _, _ = made.step(np.flatnonzero(seen["action_mask"])[0])
    for seat, lines in heard.items():
        settled = [line for line in lines if line[0] == "settled"]
        assert [line[1] for line in settled] == [seat, seat] and all(line[3] for line in settled)
        assert len([line for line in lines if line[0] == "begin"]) == 1
        nets[seat] = sum(line[2] for line in settled)
    assert nets[:3] == [*made.table.nets[:3]]
    made.reset()
    assert all(len(notes.heard) < 5 for notes in objects_of(made).values())  # fresh objects


def test_the_others_sit_in_their_order_after_ones_own_seat(write: Write) -> None:
    path = write("notes.py", NOTING)
    made = SeatEnv("nap", [f"{path}:Last", f"{path}:Notes"], 4, deals=1, seat=1)
    made.reset(seed=1)
    there = {seat: type(notes).__name__ for seat, notes in objects_of(made).items()}
    assert there == {2: "Last", 3: "Notes", 0: "Last"}
    assert made.table.deal.actions[0] == "call nap"  # the last of what is legal


@pytest.mark.parametrize(
    ("game", "others", "players"),
    [("nap", "book", 2), ("nap", ["book", "random"], 3), ("spin", ["book"], 4), ("solo-whist", ["book", "random"], 4)],
)
def test_as_many_sit_as_play_seats(game: str, others: list[str], players: int, shell: Shell) -> None:
    words = others if isinstance(others, list) else [others]
    assert f"({players} seats x " in shell("play", game, "random", *words, "--dry-run").out
    assert SeatEnv(game, others).table.players == players


IMAGINING = """
class Mine:
    imagines = True

    def act(self, view):
        return view.imagine().view.legal[0]
"""


def test_a_strategy_that_imagines_may(write: Write) -> None:
    made = SeatEnv("nap", [str(write("mine.py", IMAGINING))], 4, deals=1)
    assert isinstance(play(made, 1, np.random.default_rng(1))[0], float)


def test_in_the_place_of_a_word_that_cannot_be_said_the_first_is_that_can() -> None:
    made = SeatEnv("nap", ["random"], 4, deals=1, seat=0)
    made.reset(seed=1)
    _, _, _, _, info = made.step(0)  # `done`
    assert info == {"seat": 0, "illegal": True}
    assert made.table.deal.actions[0] == "pass" and made.table.deal.asked[0].seat == 0


def test_a_view_is_rendered(capsys: pytest.CaptureFixture[str]) -> None:
    made = SeatEnv("nap", ["random"], 4, deals=1, seat=0, render_mode="ansi")
    made.reset(seed=1)
    assert "seat 0 of 4" in str(made.render()) and "nets:" not in str(made.render())
    made.step(made.spaces.tokens.of["call"])
    assert "said so far: call" in str(made.render())
    people = SeatEnv("nap", ["random"], 4, deals=1, seat=0, render_mode="human")
    people.reset(seed=1)
    assert people.render() is None and "seat 0 of 4" in capsys.readouterr().out
    assert SeatEnv("nap").render() is None


BOTH = SeatEnv, TableVectorEnv


@pytest.mark.parametrize(
    ("kinds", "game", "given", "words"),
    [
        (BOTH, "loto", {}, "Loto: no seat has anything to decide in 50 sittings"),
        (BOTH, "nap", {"players": 4, "seat": 4}, "seat = 4: the seats of this table are 0 to 3"),
        (BOTH, "nap", {"render_mode": "rgb"}, "no render_mode 'rgb'"),
        (BOTH, "nap", {"others": []}, r"others = \[\]: at this table sit 1 to 3 others"),
        (BOTH, "nap", {"others": ["random"] * 6}, "at this table sit 1 to 3 others"),
        (BOTH, "nap", {"others": ["boook"]}, "no strategy 'boook' .did you mean book"),
        ([TableVectorEnv], "nap", {"num_envs": 0}, "num_envs = 0: at least one table is played"),
        ([TableVectorEnv], "nap", {"learners": "al"}, "no learners = 'al' .did you mean all.*: expected is one or all"),
    ],
    ids=str,
)
def test_an_impossible_environment_is_refused(
    kinds: Sequence[type[SeatEnv | TableVectorEnv]], game: str, given: dict[str, Any], words: str
) -> None:
    for kind in kinds:
        with pytest.raises((InputError, StrategyError), match=words) as raised:
            kind(game, **given)
        assert raised.value.code == 64 and "\n" not in str(raised.value)


def test_files_of_several_strategies_and_bots_are_refused(write: Write) -> None:
    with pytest.raises(InputError, match="notes.py holds .*: name one of them"):
        SeatEnv("nap", [str(write("notes.py", NOTING))])
    bot = write("bot.sh", "#!/bin/sh\n")
    bot.chmod(0o755)
    with pytest.raises(PluginError, match="a bot plays in a separate process"):
        SeatEnv("nap", [f"cmd:{bot}"])


def test_before_a_reset_and_after_the_end_there_is_no_step() -> None:
    made = SeatEnv("nap", ["random"], 4, deals=1)
    with pytest.raises(IllegalError, match="Nap: no sitting goes on, `reset` begins one"):
        made.step(0)
    play(made, 1, np.random.default_rng(1))
    with pytest.raises(IllegalError, match="no sitting goes on"):
        made.step(0)
    with pytest.raises(InputError, match="reset takes no options .colour."):
        made.reset(options={"colour": "red"})
