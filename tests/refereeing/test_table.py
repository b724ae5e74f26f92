"""A table at which a program deals: the same sittings as a run has, and nothing happens that is not legal."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.command import roundsim as roundsim_called

import roundsim
from roundsim import games
from roundsim.base.errors import IllegalError, InputError, OptionError, UnknownGameError
from roundsim.table.legal import count

pytestmark = pytest.mark.usefixtures("here")


def tell(table: roundsim.Table, line: str) -> None:
    """Say the actions of a line of a log, without the forced ones: the deal ends with the same nets."""
    head, _, said = line.partition(" | ")
    deal, actions = table.deal, said.split(", ")
    while not table.over and table.deal is deal:
        table.say(actions[len(deal.actions)])
    assert deal.actions == actions and [deal.dealer, *deal.net] == [*map(int, head.split()[1:])]


@pytest.mark.parametrize("name", ["nap", "draw-poker", "pope-joan", "vingt-un"])
def test_its_sittings_are_those_of_a_run(name: str, tmp_path: Path) -> None:
    """With the same actions it has the same cards, nets, and end of the sitting."""
    players, out = games.find(name).usual[0], tmp_path / "run"
    roundsim.play(name, ["random"] * players, deals=9 * players, seed=7, out=out)
    lines = roundsim_called("log", out, cwd=tmp_path).stdout.splitlines()
    blocks = {int(line.split("/")[1]) for line in lines if line.startswith(name)}
    assert blocks
    for block in blocks:
        table = roundsim.Table(name)
        table.begin(seed=7, block=block)
        mine = [line for line in lines if line.startswith(f"{name}/{block}/1/")]
        for line in mine:
            if "/end " not in line:
                tell(table, line)
        nets = [[*map(int, line.partition(" |")[0].split()[2:])] for line in mine]
        assert table.over and [*table.nets] == [*map(sum, zip(*nets, strict=True))]


def test_the_seed_tells_the_cards() -> None:
    table = roundsim.Table("nap")
    first = table.view().hand
    table.begin(seed=2)
    other = table.view().hand
    table.begin()
    assert table.view().hand == first != other


@pytest.mark.parametrize("name", games.ours())
def test_everybody_is_asked_in_turn_until_it_is_over(name: str) -> None:
    """Whoever has a choice; the counters of all that is won and lost are conserved."""
    table = roundsim.Table(name, imagines=True)
    for seed in range(3):
        table.begin(seed=seed)
        while not table.over:
            ask, view = table.ask, table.view()
            assert (
                ask and count(ask.legal) > 1 and (view.seat, view.phase, view.legal) == (ask.seat, ask.phase, ask.legal)
            )
            other = table.view((ask.seat + 1) % table.players)
            assert other.seat != ask.seat and other.legal == ()
            table.say(str(view.chance.choice(view.legal)))
        assert table.ask is None and table.view().phase == "over" and 1 <= table.dealt <= table.deals
        if name != "loto":  # there counters may be left to nobody
            assert sum(table.nets) == 0


def test_an_illegal_action_changes_nothing() -> None:
    """It is refused in the words of the game, as for a strategy."""
    table = roundsim.Table("nap")
    before = table.ask, table.view().hand, table.nets
    for said, why in (
        ("call 9", "no such call"),
        ("call", 'an answer here is|"call"'),
        (3, "not its place|not the card|no action"),
    ):
        with pytest.raises(IllegalError, match=why):
            table.say(said)  # type: ignore[arg-type]
    assert (table.ask, table.view().hand, table.nets) == before


def test_when_it_is_over_nothing_is_said() -> None:
    table = roundsim.Table("loto", options={"method": 1})
    assert table.over and table.ask is None and any(table.nets)
    with pytest.raises(IllegalError, match="the sitting is over"):
        table.say("pass")


def test_a_table_that_cannot_be() -> None:
    with pytest.raises(UnknownGameError, match="did you mean nap"):
        roundsim.Table("napp")
    with pytest.raises(OptionError, match="miserly"):
        roundsim.Table("nap", options={"miserly": True})
    with pytest.raises(OptionError):
        roundsim.Table("nap", players=0)
    with pytest.raises(InputError, match="deals = 0"):
        roundsim.Table("nap", deals=0)
    with pytest.raises(IndexError):
        roundsim.Table("nap").view(4)
