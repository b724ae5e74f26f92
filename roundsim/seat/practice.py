"""Practice: a person takes an answer back, looks at a deal that is over, and plays it once more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from textwrap import wrap

from ..base.errors import GivenUpError
from ..base.text import WIDTH
from ..coaching.hints import Hints
from ..coaching.mistakes import Mistake, costliest
from ..replaying.logged import YOU
from ..table.chance import Source
from ..table.deal import Deal, State
from ..table.imagined import copied
from ..table.playthrough import replay_deal
from ..tournament.results.record import practised_line
from .answers import Answers
from .stand_in import StandIn

MARGIN, GLUE = "    ", "\0"  # GLUE holds the words of an answer together
CHOICES = {  # after a deal
    "": "go on",
    "mistakes": "my costliest answer",
    "try": "go there and try",
    "undo": "my last answer again",
    "again": "same cards again",
    "book": "the book in my seat",
}
BY_LETTER = {choice[0]: choice for choice in CHOICES if choice}
PRACTICE = "practice, which does not count"
NONE_DIFFERS = "the coach would have answered as you did"


class TakenBackError(GivenUpError):
    """The person has taken answers back, or has done so before and the deal is over: the sitting is played again up to
    there, from the answers that are kept."""


class Practising:
    """The part of a person that looks back. `beginning`: of the deal, its state and the name of its chance. `final`: why
    nothing is taken back at this table, "" if it can be. `mistake`: the costliest of the deal, once it was asked for."""

    answers: Answers
    read: Callable[[str], str]
    say: Callable[[str], None]
    reply: Callable[[str], None]
    sits: Callable[[Deal, Sequence[str]], None]
    closes: Callable[[Deal], None]
    hint: Hints
    stand_in: StandIn | None
    place: str
    deal: Deal
    who: Sequence[str]
    seat: int
    beginning: tuple[State, str]
    typed_ahead: str | None = None
    final = ""
    mistake: Mistake | None = None

    def next_line(self) -> str:
        """Return what the person types, or has typed ahead. EOFError when they leave."""
        typed, self.typed_ahead = self.typed_ahead, None
        return self.read("> ").strip() if typed is None else typed

    def take_back(self, what: str, over: bool) -> None:
        """Go back to the last own answer, or to the beginning of the deal. TakenBackError."""
        own = [after for _, after in self.answers.of(self.place)]
        if self.final or not own:
            self.reply(f"{MARGIN}{self.final or 'you have not answered in this deal'}")
            return
        self.go_back(min(own) if what == "again" else max(own), over)

    def go_back(self, after: int, over: bool) -> None:
        """Go back to the question with this number of actions before it. TakenBackError."""
        self.answers.take_back((self.place, after), over)
        raise TakenBackError

    def pause(self) -> None:
        """After a deal let the person look at it, and try it again. TakenBackError if the sitting does not just go on."""
        while True:
            self.offer(self.choices())
            try:
                typed = self.next_line()
            except EOFError:  # they leave at the next question, if there is one
                typed = ""
            if self.goes_on(typed):
                break
        line = practised_line(self.place, self.deal.dealer, self.deal.net, self.deal.actions)
        if self.answers.settle(self.place, line):
            raise TakenBackError

    def goes_on(self, typed: str) -> bool:
        """Do what the person chooses after a deal, and return whether the sitting goes on. TakenBackError."""
        choice, choices = BY_LETTER.get(typed, typed), self.choices()
        if choice in (*CHOICES, "?", "r", "h") and choice not in choices:
            self.reply(f"{MARGIN}the deal is over")
            return False
        match choice:
            case "mistakes":
                self.mistake = self.mistake or costliest(self.hint, self.begun, self.deal.actions, self.seat, self.who)
                text = f"your costliest answer: {self.mistake}" if self.mistake else NONE_DIFFERS
                self.reply("\n".join(wrap(text, WIDTH, initial_indent=MARGIN, subsequent_indent=MARGIN)))
            case "try" if self.mistake:
                self.go_back(self.mistake.after, over=True)
            case "undo" | "again" as what:
                self.take_back(what, over=True)
            case "book" if self.stand_in:
                self.watch(self.stand_in.begun(), self.stand_in.actions)
            case _:
                self.typed_ahead = typed or None
                return True
        return False

    def choices(self) -> list[str]:
        """Return what is offered after a deal."""
        answered, goes_back = bool(self.answers.of(self.place)), not self.final
        can = {
            "mistakes": answered,
            "try": goes_back and self.mistake,
            "undo": goes_back and answered,
            "again": goes_back and answered,
            "book": self.stand_in,
        }
        return [choice for choice in CHOICES if can.get(choice, True)]

    def offer(self, choices: Sequence[str]) -> None:
        """Say what the person can do after a deal."""
        texts = [f"{choice[:1] or 'Enter'} {CHOICES[choice]}".replace(" ", GLUE) for choice in choices]
        for line in wrap("   ".join(texts), WIDTH - len(MARGIN)):
            self.say(MARGIN + line.replace(GLUE, " "))

    def begun(self) -> Deal:
        """Return the deal before its first question."""
        state, name = self.beginning
        return type(self.deal)(self.deal.rules, copied(state, {}), Source(name))

    def watch(self, deal: Deal, actions: Sequence[str]) -> None:
        """Show a deal as the book has played it in this seat."""
        twin = copy(self)
        twin.sits(deal, ["book for you" if who == YOU else who for who in self.who])
        replay_deal(deal, actions)
        twin.closes(deal)
