"""Several persons at one table, each at a page of their own; the book answers for those who are away."""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from ..coaching.hints import Hints
from ..table.actions import Action
from ..table.deal import Deal
from ..table.view import TableView
from .answers import Answers, QuestionPlace
from .page import PagePerson
from .person import LeftError
from .practice import MARGIN
from .server import SeatPage

THINKING = 180  # seconds that a question waits for a person who sits with others
LOOK = 0.05  # seconds that all pages together are looked at, after a deal


class Persons:
    """The persons at a table. `wait`: seconds that a question waits for somebody before they are away."""

    def __init__(self, wait: float = THINKING) -> None:
        self.all, self.wait = list[Companion](), wait

    @property
    def here(self) -> list[Companion]:
        """Those who sit at the table that is heard."""
        return [person for person in self.all if person.here]

    def practised(self, place: str, deal: Deal) -> Sequence[str]:
        return ()

    def begins(self, place: str, deal: Deal, who: Sequence[str]) -> None:
        for person in self.all:
            person.begins(place, deal, who)

    def ends(self, place: str, deal: Deal) -> None:
        for person in self.here:
            person.ends(place, deal)
        self.look_at_deal()

    def look_at_deal(self) -> None:
        """Let everybody look at a deal that is over, until all go on. LeftError if all are away then."""
        looking, until = [person for person in self.here if not (person.silent or person.away)], monotonic() + self.wait
        while looking and monotonic() < until:
            for person in [*looking]:
                if (typed := person.page.line_within(LOOK / len(looking))) is not None:
                    if person.goes_on(typed.strip()):
                        looking.remove(person)
                    else:
                        person.offer(person.choices())
        for person in looking:
            person.leaves()

    def answer(self, view: TableView) -> str:
        return next(person for person in self.here if person.seat == view.seat).answer(view)


def persons_at(
    names: Sequence[str], answers: Answers, hints: Hints, pages: Sequence[SeatPage], wait: float = THINKING
) -> Persons:
    """Return persons with these names, each at a page."""
    at_table = Persons(wait)
    for name, page in zip(names, pages, strict=True):
        Companion(name, answers, hints, page, at_table)
    return at_table


class Companion(PagePerson):
    """A person at a page who sits with others. When they leave, the book answers for them until their page is heard of."""

    final = "nothing is taken back where several persons play"

    def __init__(self, name: str, answers: Answers, hint: Hints, page: SeatPage, persons: Persons) -> None:
        super().__init__(answers, hint, page, name=name)
        self.read, self.persons = self.typed_in_time, persons
        self.left_at: float | None = None
        self.until = 0.0  # when the question has waited long enough
        self.by_book = False  # whether the book has given the last answer
        persons.all.append(self)

    @property
    def away(self) -> bool:
        return self.left_at is not None and self.page.came <= self.left_at

    @property
    def others(self) -> list[Companion]:
        return [person for person in self.persons.here if person is not self]

    def typed_in_time(self, prompt: str) -> str:
        """Return what comes from the page next. EOFError if a question has waited too long, whatever was typed meanwhile."""
        left = self.until - monotonic()
        if left <= 0 or (typed := self.page.line_within(left)) is None:
            raise EOFError
        return typed

    def show(self, view: TableView) -> None:
        """Show a question, unless they are away; the others see who is asked if they may know it."""
        if self.away:
            self.send_steps()
            self.page.send("away")
            return
        if self.left_at is not None:
            self.comes_back()
        super().show(view)
        for other in self.others:
            if not (other.silent or other.waits):
                other.page.send("waits", self.name)

    def asked(self, view: TableView) -> Action:
        """Return what the person answers, or the book for them while they are away. LeftError if all are."""
        self.by_book = self.away
        if not self.by_book:
            self.until = monotonic() + self.persons.wait
            try:
                return super().asked(view)
            except EOFError:
                self.leaves()
        self.by_book = True
        return self.hint.answer_of(self.hint.usual, view)

    def keep(self, question: QuestionPlace, action: Action) -> None:
        self.answers.add(question, action, self.name if self.by_book else "")

    def pause(self) -> None:
        """Offer the choices after a deal; the persons wait for each other."""
        if not self.away:
            self.offer(self.choices())

    def leaves(self) -> None:
        """Let the book answer from now on. LeftError if nobody is left."""
        self.left_at = monotonic()
        if all(person.away for person in self.persons.here):
            raise LeftError
        self.page.send("away")
        self.say_to_others("is away: the book answers")

    def comes_back(self) -> None:
        """Ask the person again; what they typed while they were away is no answer."""
        self.left_at = None
        while self.page.line_within(0) is not None:
            pass
        self.say_to_others("is back")

    def say_to_others(self, sentence: str) -> None:
        for other in self.others:
            other.say(f"{MARGIN}{self.name} {sentence}")
