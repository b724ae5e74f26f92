"""A person at a table, by the command or by a function that answers for them."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from helpers.command import roundsim

from roundsim import games
from roundsim.coaching.hints import Hints
from roundsim.seat.answers import Answers
from roundsim.seat.person import Person
from roundsim.sources import plugins
from roundsim.sources.strategy import Seated
from roundsim.table.view import TableView


def sits(folder: Path, *words: object, typed: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """`roundsim sit` with an input of what is typed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", StringIO(typed))
        return roundsim("sit", *words, cwd=folder, code=code)


class Scripted(Person):
    """A person who answers by a function of the view, after some hints; `lines`: what they have read."""

    def __init__(self, folder: Path, game: str, answers: Callable[[TableView], Any], hints: int = 0) -> None:
        self.lines, self.said, self.hints_left = list[str](), answers, hints
        super().__init__(Answers(folder), self.read_line, lambda prompt: "", Hints(games.find(game)))

    def read_line(self, words: str) -> None:
        self.lines += words.splitlines()

    def asked(self, view: TableView) -> Any:
        if self.hints_left:
            self.hints_left -= 1
            self.read_line("\n".join(self.hint(view, self.who).lines))
        return self.said(view)


def logs_of(folder: Path) -> list[bytes]:
    """The files of a run's log."""
    return [path.read_bytes() for path in sorted((folder / "log").rglob("*.zst"))]


def book_of(game: str) -> Callable[[TableView], Any]:
    """The answers of a game's book that has taken its seat."""
    (book,) = plugins.find("book", game)
    answers, _ = Seated(plugins.load_strategy(book), {}, games.find(game)).fresh()
    return lambda view: answers[view.phase](view)
