"""Tables at the upper end of their options: a run of them survives, and its log is read again."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.command import one_in, seldom

import roundsim
from roundsim import games
from roundsim.base.errors import InputError
from roundsim.base.values import Whole
from roundsim.table.options import MAX_OPTION

pytestmark = pytest.mark.usefixtures("here")


LONG = "solo-whist"  # it has the most questions


@pytest.mark.parametrize("name", [*one_in(4, [name for name in games.ours() if name != LONG]), *seldom(LONG)])
def test_a_run_at_the_upper_end_is_verified(name: str, tmp_path: Path) -> None:
    """The upper end of each option without one of its own; an option that goes with another is not in use alone."""
    strategies = ["random"] * games.find(name).usual[0]
    for number, each in enumerate(games.find(name).options):
        if isinstance(each.values, Whole) and each.values.high == MAX_OPTION:
            out, options = tmp_path / str(number), {each.key: MAX_OPTION}
            try:
                run = roundsim.play(name, strategies, deals=1, options=options, isolate="off", jobs=1, out=out)
            except InputError as error:
                assert each.key in str(error)
            else:
                assert roundsim.verify(out) == run.standings["games"][0]["deals"] > 0


def test_more_is_refused() -> None:
    with pytest.raises(InputError, match="stake must be a whole number from 1 to 1000000, not 1000001"):
        roundsim.play("nap", ["random"] * 2, deals=1, options={"stake": MAX_OPTION + 1})


def test_the_longest_action_of_a_table_is_accepted(tmp_path: Path) -> None:
    """At Pope Joan each counter is named that is placed: 1405 characters for 280 of them."""
    options = {"winner": "game", "card_price": 100}
    table = ["book", *["random"] * 3]
    run = roundsim.play("pope-joan", table, deals=64, options=options, isolate="off", out=tmp_path / "run")
    assert run.faults == 0 and max(len(said.action) for deal in run.deals() for said in deal.actions) > 1000
