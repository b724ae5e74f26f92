"""Strategies that answer as another one does, usually the book, except where a table of corrections says otherwise.

`bench/train.py` makes the table: it tries every answer to a question on the same cards, and notes for each class of
questions whether another answer than the book's gains more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from ..sources.plugins import seated_named
from ..table.view import TableView

T = TypeVar("T")


class Correction(NamedTuple):
    """The answer to a class of questions instead of the guide's. `gain`: a deal, with the 95 % interval of `deals`
    trials."""

    instead: str
    answer: str
    gain: float
    error: float
    deals: int


Corrections = Mapping[int, Mapping[str, Correction]]  # by number of seats, by class


class Choices(NamedTuple):
    """The class of a question, in words, and the answers that are tried there, by their names in the table of
    corrections."""

    kind: str
    answers: Mapping[str, str]


class Guided(Generic[T]):
    """Answers as `guide` does, except where a table knows better.

    `table`: by the number of seats. `needs`: the options that it was made for, where they are not any. At other tables the
    guide answers everything, unless the strategy `searches` there: by methods that leave their phases to the guide while
    the table is trained, because they take long."""

    guide: ClassVar[str] = "book"
    needs: ClassVar[Mapping[str, object]] = {}
    searches: ClassVar[Sequence[str]] = ()
    table: Mapping[int, T] = {}

    @classmethod
    def table_at(cls, players: int, options: object) -> T | None:
        """Return the table for these seats and options, if there is one."""
        fits = all(getattr(options, key, None) == value for key, value in cls.needs.items())
        return cls.table.get(players) if fits else None

    @classmethod
    def guide_at(cls, players: int, options: object) -> str:
        """Return the guide's name if it answers everything at such a table, else ""."""
        return "" if cls.searches or cls.table_at(players, options) else cls.guide

    def begin(self, view: TableView) -> None:
        self.guided = seated_named(self.guide, view.game).sit_down(view)
        self.here = self.table_at(view.players, view.options)

    def act(self, view: Any) -> str:
        return str(self.guided(view))

    def settled(self, view: TableView, net: int) -> None:
        if self.guided.settled:
            self.guided.settled(view, net)


class Wary(Guided[Any]):
    """Leaves betting by chance to the guide: it answers while an opponent has mostly bet or raised, in this sitting, by
    other numbers than a tenth of the limit, half of it or all. `wary_from`: so many seats, at least."""

    wary_from: ClassVar[int] = 2

    def begin(self, view: TableView) -> None:
        super().begin(view)
        self.usual, self.unusual = Counter[int](), Counter[int]()  # bets by seat, in the deals before

    def act(self, view: TableView) -> str:
        if view.players >= self.wary_from and self.bets_by_chance(view):
            return str(self.guided(view))
        return super().act(view)

    def bets_by_chance(self, view: TableView) -> bool:
        """Return whether an opponent has mostly bet by unusual numbers."""
        usual, unusual = self.counted(view)
        return any(unusual[seat] > usual[seat] for seat in unusual if seat != view.seat)

    def settled(self, view: TableView, net: int) -> None:
        self.usual, self.unusual = self.counted(view)
        super().settled(view, net)

    def counted(self, view: TableView) -> tuple[Counter[int], Counter[int]]:
        """Return how often each seat has bet or raised in this sitting by a usual number, and otherwise."""
        limit, usual, unusual = view.options.limit, Counter(self.usual), Counter(self.unusual)
        numbers = max(1, limit // 10), limit // 2, limit
        for entry in view.history:
            if entry.action.verb in ("bet", "raise"):
                (usual if entry.action.amount in numbers else unusual)[entry.seat] += 1
        return usual, unusual


class Corrected(Guided[Mapping[str, Correction]]):
    """Answers as `guide` does, except where the table has a correction for the class of a question.

        class Expert(Corrected):
            name = "expert"
            games = ["loo"]
            pages = "pp. 19-23"
            table = corrections_in(Path(__file__).with_name("corrections.txt"))

            def choices(self, view):
                if view.phase == "declare":
                    return Choices(f"{len(trumps(view))} trumps", {answer: answer for answer in view.legal})

    `choices` names the class of a question and the answers to it; it returns None where the guide decides. The table
    holds corrections for some numbers of seats. `pages`: where the book gives the advice that is corrected. `shares_pool`:
    whether training counts a player's equal part of the pool that a deal leaves."""

    pages: ClassVar[str] = ""
    shares_pool: ClassVar[bool] = False

    def choices(self, view: Any) -> Choices | None:
        """Return the class of a question and the answers that are tried there; None where the guide decides."""
        return None

    def act(self, view: TableView) -> str:
        here = self.here or {}
        choices = self.choices(view) if here else None
        correction = here.get(choices.kind) if choices else None
        answer = choices.answers.get(correction.answer) if choices and correction else None
        return answer or super().act(view)


def corrections_in(path: Path) -> Corrections:
    """Return the corrections of a table, as `bench/train.py` writes it: by the number of seats, then by the class of
    question.

    Raises ValueError if a line is no correction, and names it; OSError if the file cannot be read."""
    tables: dict[int, dict[str, Correction]] = {}
    seats = 0
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            if line.startswith("# "):
                seats = int(line.split()[1])
                tables[seats] = {}
            elif line:
                kind, instead, answer, gain, deals = [part for part in line.split("  ") if part]
                mean, _, error = gain.split()
                deals, _ = deals.split()
                tables[seats][kind] = Correction(instead.strip(), answer.strip(), float(mean), float(error), int(deals))
        except (KeyError, ValueError):
            raise ValueError(f"{path}:{number}: not a correction: {line!r}") from None
    return tables
