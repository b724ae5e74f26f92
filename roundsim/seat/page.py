"""A person at a page: the browser gets what their seat may know, over a WebSocket, and sends what they type or click."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from ..coaching.hints import Hint, Hints
from ..replaying.deal_data import DealRecorder, Json, deal_heading
from ..replaying.logged import YOU
from ..reports.page.geometry import axis_of, interval, span_of
from ..reports.page.render import fig
from ..table.actions import Action
from ..table.deal import Ask, Deal, Quiet
from ..table.events import EventLog, Moved
from ..table.legal import after, count
from ..table.view import TableView
from .answers import Answers
from .person import Person, is_range, opens
from .practice import CHOICES, PRACTICE
from .server import SeatPage
from .stand_in import StandIn

LISTED = 200  # answers that are sent one by one


class SeenRecorder(DealRecorder):
    """Records a deal as one seat sees it: nothing else leaves this process."""

    def __init__(self, deal: Deal, seat: int, hearing: EventLog) -> None:
        super().__init__(deal, {}, hearing)
        self.seat, self.sent, self.answers = seat, 0, 0
        self.places = list[int]()  # of the steps, among all answers of the deal
        self.since, self.bare, self.heard = Json(), Json(), list[Moved | str]()  # the last step, and before it

    def lies(self) -> Json:
        lies, open_hands = super().lies(), "hands" in self.deal.public
        for name in self.deal.private:
            lies[name] = [value if seat == self.seat else None for seat, value in enumerate(lies[name])]
        hands = enumerate(lies["hands"])
        lies["hands"] = [hand if open_hands or seat == self.seat else covered(hand) for seat, hand in hands]
        return lies

    def enter(self, heard: Sequence[Moved | str]) -> None:
        """Record all that has happened since the last answer that the seat has noticed."""
        self.heard += heard
        self.state = self.since
        if self.steps:
            self.steps[-1] = {**self.bare}
        super().enter(self.heard)

    def is_sealed(self, at: int) -> bool:
        return self.deal.is_sealed(self.places[at], self.seat)

    def step(self, ask: Ask, action: Action) -> None:
        self.answers += 1
        if self.deal.is_unnoticed(ask, action, self.seat):
            return
        self.places.append(self.answers - 1)
        self.since, self.heard = self.state, []
        super().step(ask, action)
        if ask.seat != self.seat:
            step = self.steps[-1]
            hidden = self.deal.hides(ask, self.seat)
            seen = (
                {"a": "", "t": "has answered, unseen"}
                if hidden
                else {"a": step.get("o", step["a"]), "t": step.get("x", step["t"])}
            )
            self.steps[-1] = {"s": ask.seat, "p": ask.phase, **seen, "n": 2}  # how many were legal is hidden, too
        self.bare = self.steps[-1]

    def fresh(self) -> list[Json]:
        """Return the steps that were not sent yet."""
        fresh, self.sent = self.steps[self.sent :], len(self.steps)
        return fresh


def covered(hand: str) -> str:
    """Return as many cards as a hand has, face down."""
    return " ".join("?" for _ in hand.split())


class PagePerson(Person):
    """A person whose lines, table and questions go to a page, and whose answers come from there."""

    def __init__(
        self,
        answers: Answers,
        hint: Hints,
        page: SeatPage,
        stand_in: StandIn | None = None,
        name: str = YOU,
    ) -> None:
        super().__init__(answers, lambda line: page.send("line", line), page.typed, hint, stand_in, name)
        self.page = page

    def sits(self, deal: Deal, who: Sequence[str]) -> None:
        self.recorders: tuple[SeenRecorder, DealRecorder] | None = None  # as the seat sees the deal, and with all cards
        self.shows = self.waits = False
        super().sits(deal, who)

    def before(self, ask: Ask) -> None:
        """Send nothing before another seat's quiet question: the last step may go on after it."""
        self.waits = type(ask) is Quiet and ask.seat != self.seat
        super().before(ask)

    def heard(self, events: Sequence[Moved | str]) -> None:
        if not self.recorders:
            self.recorders = SeenRecorder(self.deal, self.seat, self.events), DealRecorder(self.deal, {}, self.events)
        for recorder in self.recorders:
            recorder.enter(events)
        self.send_steps()
        super().heard(events)

    def send_steps(self) -> None:
        """Send what is new at the table, unless the page has been shown this deal before."""
        if self.silent or self.waits or not self.recorders:
            return
        if not self.shows:
            self.shows = True
            self.page.begin(["deal", self.recorded(self.recorders[0]), self.seat, bool(self.final)])
            if self.answers.practises(self.place):
                self.page.send("line", PRACTICE)
        for step in self.recorders[0].fresh():
            self.page.send("step", step)

    def recorded(self, recorder: DealRecorder) -> Json:
        return {**deal_heading(self.deal, self.deal.id, self.place, self.who), **recorder.start}

    def after(self, ask: Ask, action: Action) -> None:
        self.waits = False
        for recorder in self.recorders or ():
            recorder.step(ask, action)
        super().after(ask, action)

    def closes(self, deal: Deal) -> None:
        super().closes(deal)
        if self.recorders and not self.silent:
            opened = (
                {**self.recorded(self.recorders[1]), "steps": self.recorders[1].steps, "net": list(deal.net)}
                if opens(deal)
                else None
            )
            self.page.send("over", list(deal.net), opened)

    def show(self, view: TableView) -> None:
        self.send_steps()
        self.page.send("ask", question(view))

    def show_hint(self, hint: Hint) -> None:
        if hint.rows and hint.rows[0].worth:
            self.page.send("hint", drawn(hint))
        else:
            super().show_hint(hint)

    def offer(self, choices: Sequence[str]) -> None:
        self.page.send("choices", [[choice, CHOICES[choice]] for choice in choices])

    def reply(self, text: str) -> None:
        self.page.send("said", text)

    def explain(self, texts: Sequence[str]) -> None:
        self.reply("\n\n".join(texts))

    def teach(self, text: str) -> None:
        self.page.send("lesson", text)

    def under(self, who: str, text: str) -> None:
        self.say(f"{who} {text}".strip())


def drawn(hint: Hint) -> Json:
    """Return a hint with its intervals as paths on one axis."""
    worths = [
        (row.worth.mean, row.worth.error if isfinite(row.worth.error) else None) for row in hint.rows if row.worth
    ]
    axis = axis_of([span_of(*worth) for worth in worths])
    rows = [
        {
            "answer": str(row.answer),
            "who": [*row.who],
            "said": fig(" · ".join(filter(None, [row.figure, row.verdict]))),
            **interval(axis, *worth)._asdict(),
        }
        for row, worth in zip(hint.rows, worths, strict=True)
    ]
    return {
        "head": hint.head,
        "grid": axis.grid,
        "zero": axis.zero,
        "ticks": [[at, fig(text)] for at, text in axis.ticks],
        "rows": rows,
    }


def question(view: TableView) -> Json:
    """Return a question: its answers; of more than can be listed the verbs; and the amounts from a number to another."""
    legal = view.legal
    verbs = {verb: after(legal, [verb])[0] for verb in after(legal)[0]}
    amounts = [[verb, int(words[0]), int(words[-1])] for verb, words in verbs.items() if is_range(words)]
    numbered, few = {verb for verb, *_ in amounts}, count(legal) <= LISTED
    answers = [str(action) for action in legal if action.verb not in numbered or not action.words] if few else []
    others = [] if few else [verb for verb in verbs if verb not in numbered]
    return {"phase": view.phase, "answers": answers, "verbs": others, "amounts": amounts}
