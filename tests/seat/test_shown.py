"""The table in words: who has played what, nothing that is empty, and payments for one reason in one line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from conftest import GAMES
from helpers.command import one_in

from roundsim import games
from roundsim.coaching.hints import Hints
from roundsim.seat.answers import Answers
from roundsim.seat.person import Person
from roundsim.seat.shown import OnTable, movements, news
from roundsim.seat.sit import new_tournament, sit
from roundsim.table.events import Moved
from roundsim.table.kinds import Kind, kind_of
from roundsim.tournament.storage.folder import RunFolder

WHO = ["you", "book", "expert"]
SEAT, NUMBER = Kind("seat"), Kind("number")


@pytest.mark.parametrize(
    ("thing", "kind", "words"),
    [
        (2, SEAT, "expert"),
        (-1, SEAT, ""),
        (None, SEAT, ""),
        ((0, 2), Kind("list", (SEAT,)), "you, expert"),
        ((0, 1, 2), Kind("list", (SEAT,)), ""),  # all are still in
        ((0, 1, 2), Kind("each", (SEAT,)), ""),  # each pays for itself
        ((0, 2, 2), Kind("each", (SEAT,)), "you you, book expert, expert expert"),
        ((0, 3, 0), Kind("each", (NUMBER,)), "book 3"),
        ((5, 5, 5), Kind("each", (NUMBER,)), "5 each"),
        ((None, None, None), Kind("each", (NUMBER,)), ""),
        ((True, False, True), Kind("each", (Kind("flag"),)), "you, expert"),
        (((), (), ()), kind_of(tuple[tuple[int, ...], ...]), ""),
        (((0, "pass"), (2, "solo")), kind_of(tuple[tuple[int, str], ...]), "0 pass, 2 solo"),
        ("d", Kind("word"), "diamonds"),
        ({"pope": 6, "game": 0}, Kind("map", (Kind("word"), NUMBER)), "pope 6"),
    ],
)
def test_values_by_their_kinds(thing: Any, kind: Kind, words: str) -> None:
    assert OnTable(WHO, {}).text(thing, kind) == words


def test_only_what_is_new_is_said() -> None:
    first = {"call": "call 2", "turns": "0", "stopped": "yes", "last_taker": ""}
    assert news(first, {}) == "call 2 · stopped"
    assert news({**first, "turns": "1", "call": "", "last_taker": "book"}, first) == "turns: 1 · last taker: book"


@pytest.mark.parametrize(
    ("moved", "sentences"),
    [
        ([(1, "pope", 6, "w"), (1, "ace", 1, "w")], [(1, "pays 6 to pope and 1 to ace: w (p. 8)")]),
        ([(1, 0, 2, "w"), (2, 0, 2, "w")], [("", "book and expert pay 2 each to you: w (p. 8)")]),
        ([(0, "pool", 1, "w"), (1, "pool", 1, "w"), (2, "pool", 1, "w")], [("", "all pay 1 to pool: w (p. 8)")]),
        ([(0, 2, 4, "w"), (1, 2, 1, "w")], [("", "you pay 4 and book 1 to expert: w (p. 8)")]),
        ([("pool", 1, 7, "w"), ("pool", 1, 7, "w")], [("pool", "pays 2 times 7 to book: w (p. 8)")]),
        ([(0, 1, 2, "w"), (1, 2, 2, "w")], [(0, "pays 2 to book: w (p. 8)"), (1, "pays 2 to expert: w (p. 8)")]),
        ([(0, 1, 2, "w"), (0, 1, 2, "v")], [(0, "pays 2 to book: w (p. 8)"), (0, "pays 2 to book: v (p. 8)")]),
    ],
)
def test_payments_for_one_reason(moved: Sequence[tuple[Any, Any, int, str]], sentences: list[tuple[Any, str]]) -> None:
    moves = [Moved(*move, "p. 8") for move in moved]
    assert [*movements(moves, lambda party: WHO[party] if isinstance(party, int) else party, 3)] == sentences


@pytest.mark.parametrize("game", one_in(8, GAMES))
def test_the_table_shows_nothing_empty(game: str, tmp_path: Path) -> None:
    """No dash or bar stands for nothing, no seat is a number, and the cards of a trick have their players."""
    lines = list[str]()

    class First(Person):
        def asked(self, view: Any) -> Any:
            return view.legal[0]

    person = First(Answers(tmp_path), lines.append, lambda prompt: "", Hints(games.find(game)))
    sit(new_tournament(game, [], games.find(game).usual[0], 7, deals=1), RunFolder(tmp_path), person)
    said = re.sub(r"\n +", " ", "\n".join(line for line in lines if "or none: -" not in line))
    assert lines and not re.findall(r".*(?: - |\||: ·|: your cards|: -1\b|\btrue\b|\bfalse\b).*", said)
    tricks = re.findall(r"\btrick: (.*?) (?:·|your cards)", said)
    assert all(re.fullmatch(r"(?:(?:you|book(?:#\d)?) \w\w(?:, )?)+", trick) for trick in tricks)
    assert game != "nap" or tricks
