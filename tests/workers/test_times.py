"""The board of a worker while a strategy answers."""

from __future__ import annotations

from typing import Any

from roundsim.refereeing.board import ASKED, SLOWEST
from roundsim.workers.times import Times


def test_the_board_shows_who_answers() -> None:
    board, seen = [0] * 32, list[int]()

    def answer(view: Any) -> str:
        seen.append(board[ASKED])
        return "pass"

    times = Times(board)
    assert times.of(2)(answer)(None) == "pass"
    assert (seen, board[ASKED], board[SLOWEST]) == ([3], 0, 3)
