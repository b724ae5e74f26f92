"""The clock of an answer, the number of the question that it looks at, and the bank of a sitting."""

from __future__ import annotations

import signal
from collections import defaultdict
from typing import Any

import pytest

from roundsim import games
from roundsim.refereeing import wrappers
from roundsim.refereeing.board import CELLS, QUESTION
from roundsim.refereeing.referee import Clock, Player, Referee, TimeUp
from roundsim.refereeing.sitting import Sitting
from roundsim.table.chance import Chance, Source


def test_time_is_up_at_a_question_only_and_once() -> None:
    """Without any limit it is up at the second look; an interruption that the strategy swallows loses the process."""
    board, lost = [0] * CELLS, list[bool]()
    with Clock(0.0, board, lambda: lost.append(True)) as clock:
        for question in 0, 0, 7, 8:  # a new question begins a new time
            board[QUESTION] = question
            signal.raise_signal(signal.SIGALRM)
        assert not clock.is_up()
        with pytest.raises(TimeUp):
            signal.raise_signal(signal.SIGALRM)
        assert clock.is_up() and not lost
        with pytest.raises(TimeUp):
            signal.raise_signal(signal.SIGALRM)
        assert lost
        board[QUESTION] = 9
        assert not clock.is_up()


def test_the_board_has_the_number_of_the_question() -> None:
    seen = list[int]()

    def first(view: Any) -> Any:
        seen.append(referee.board[QUESTION])
        return view.legal[0]

    game = games.named("nap")
    players = [Player(defaultdict(lambda: first), Chance(str(seat))) for seat in range(3)]
    referee = Referee(Clock(1))
    referee.play(Sitting(game, game.rules_for(3, None), deals=1).next_deal(Source("seed")), players)
    assert seen == [*range(1, referee.questions + 1)] and len(seen) > 3 and referee.board[QUESTION] == 0


def test_a_bank_that_is_used_up_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first answer takes one of 2 seconds, the second the other; the third is not asked for."""
    now, limits = iter([0.0, 1.0, 1.0, 2.0, 2.0, 2.0]), list[float]()
    monkeypatch.setattr(wrappers, "process_time", lambda: next(now))
    clock = Clock(5)
    answer = wrappers.banked(2.0, clock)(lambda _: limits.append(clock.limit))
    answer(None)
    for _ in range(2):
        with pytest.raises(TimeUp, match="its bank for the sitting is used up"):
            answer(None)
    assert limits == [2.0, 1.0] and clock.limit == 5
