"""Rows and tokens are the same bit by bit, whether they are written natively or by the definitions in Python."""

from __future__ import annotations

from array import array
from random import Random
from types import ModuleType
from typing import Any

import pytest
from helpers.command import seldom
from helpers.deciding import asking

import roundsim
from roundsim import games
from roundsim.bridges import tokens, vectors
from roundsim.bridges.tokens import Spoken, Tokens
from roundsim.bridges.vectors import Vectors
from roundsim.table.actions import Action, say
from roundsim.testing import Table, for_any_sitting

FEW = "nap", "solo-whist", "speculation", "vingt-un"  # of the last three a view hides partners, or answers
ALL = [*FEW, *seldom(*[game for game in games.ours() if game not in FEW])]


def same_rows(core: ModuleType, table: roundsim.Table, known: Vectors, rng: Random) -> int:
    """Play a sitting, and compare every row: of each seat, at each word."""
    rows = 0
    while not table.over:
        spoken = Spoken(known.tokens, table.view().legal)
        while spoken.open:
            for seat in range(table.players):
                assert row(vectors.write_row, table, known, spoken, seat) == row(
                    core.definition("write_row"), table, known, spoken, seat, core.definition("write_view")
                )
                rows += 1
            spoken.say(rng.choice(spoken.open))
        table.say(spoken.action)
    return rows


def row(write: Any, table: roundsim.Table, known: Vectors, spoken: Spoken, seat: int, view: Any = None) -> bytes:
    """The bytes of the second of two rows; the first stays empty."""
    size, tokens = known.size, len(known.tokens)
    into, masks = array("f", bytes(8 * size)), bytearray(2 * tokens)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vectors, "write_view", view or vectors.write_view)
        write(known, table.view(seat), spoken, into, masks, 1)
    assert not any(into[:size]) and not any(masks[:tokens])
    return into.tobytes() + masks


@pytest.mark.parametrize("game", ALL)
def test_rows_are_the_same(game: str, core: ModuleType) -> None:
    table = roundsim.Table(game, options=asking(game), deals=2)
    known, rng, rows, block = Vectors(table.game, table.rules), Random(7), 0, 0
    while rows < 400:
        block += 1
        table.begin(1, block)
        rows += same_rows(core, table, known, rng)


@pytest.mark.soak
@pytest.mark.parametrize("game", games.ours())
def test_rows_of_any_table_are_the_same(game: str, core: ModuleType) -> None:
    def check(table: Table, seed: int) -> None:
        own = roundsim.Table(table.game, table.players, table.given, deals=2)
        same_rows(core, own, Vectors(own.game, own.rules), Random(seed))

    for_any_sitting(games.find(game), 10, check)


def test_a_row_lies_within_its_arrays(core: ModuleType) -> None:
    table = roundsim.Table("nap")
    known, view = Vectors(table.game, table.rules), table.view()
    spoken, into = Spoken(known.tokens, view.legal), array("f", bytes(4 * known.size))
    masks = bytearray(len(known.tokens))
    for wrong in (into, masks, 1), (into, masks, -1), (into, masks[:5], 0), (array("d", into), masks, 0):
        with pytest.raises(ValueError, match="a row lies within its array"):
            vectors.write_row(known, view, spoken, *wrong)
    with pytest.raises((BufferError, TypeError)):
        vectors.write_row(known, view, spoken, bytes(into), masks, 0)


@pytest.mark.parametrize(
    "listed", ["pass,call 2,call 3", "play As,play Kd", "discard,discard 2c,discard 2c 5d", "take,leave"]
)
def test_tokens_of_listed_actions(listed: str, core: ModuleType) -> None:
    """Natively, by the definition, and as words of a lazy sequence would be said."""
    table = roundsim.Table("nap")
    known, legal = Tokens(table.game, table.rules), tuple(map(Action, listed.split(",")))
    reached = []

    def follow(said: list[int]) -> None:
        ours, theirs = [*said], [*said]
        found = tokens.listed_open(known.paths, legal, ours)
        assert found == core.definition("listed_open")(known.paths, legal, theirs) and ours == theirs
        if isinstance(found, Action):
            assert any(found is action for action in legal)
            reached.append(str(found))
        for token in found if isinstance(found, tuple) else ():
            if token:
                follow([*ours, token])
            else:
                reached.append(" ".join([known.texts[each] for each in ours]))

    follow([])
    assert sorted(reached) == sorted(map(str, legal))


def test_an_action_without_a_path_is_said_by_rungs() -> None:
    table = roundsim.Table("draw-poker")
    known = Tokens(table.game, table.rules)
    assert known.paths[say("bet 25")] is None and known.paths[say("zugzwang")] is None
    assert known.paths[say("bet 24")] == (known.of["bet"], known.of["24"])
    assert tokens.listed_open(known.paths, (say("pass"), say("bet 25")), []) is None
