"""A deal played question by question, whoever answers: a script, a record, or an imagined deal.

Only the referee has its own loop, because that is the hot one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..base.errors import IllegalError
from ..native import native
from .actions import Action
from .deal import Ask, Deal
from .legal import accept

Answer = Callable[[Ask], Action | None]


class Playthrough:
    """A deal as it is played: `ask` is the open question, None when the deal is over.

    `deal.asked` and `deal.actions` hold the questions and answers so far."""

    __slots__ = ("deal", "ask", "_send")

    def __init__(self, deal: Deal) -> None:
        story = deal.deal()
        self.deal, self._send = deal, story.send
        self.ask: Ask | None = next(story, None)

    def answer(self, action: Action) -> None:
        """Go on with one of the legal actions."""
        assert self.ask is not None
        self.deal.asked.append(self.ask)
        self.deal.actions.append(action)
        try:
            self.ask = self._send(action)
        except StopIteration:
            self.ask = None


def run_deal(deal: Deal, answer: Answer) -> bool:
    """Play a deal. `answer` returns a legal action for each question, or None to break off.

    Returns whether the deal was played to its end."""
    telling = Playthrough(deal)
    while (ask := telling.ask) is not None:
        action = answer(ask)
        if action is None:
            return False
        telling.answer(action)
    return True


class Record:
    """Answers from a record of actions, each checked against the rules; IllegalError says which is not legal, and
    why."""

    def __init__(self, deal: Deal, actions: Sequence[str]) -> None:
        self.deal, self.written = deal, iter(actions)

    def answer(self, ask: Ask) -> Action:
        return recorded_action(self.deal, ask, next(self.written, None))

    def end(self) -> None:
        """End the deal."""
        if (more := next(self.written, None)) is not None:
            recorded_action(self.deal, None, more)


def recorded_action(deal: Deal, ask: Ask | None, text: str | None) -> Action:
    """Return the legal action that is written for a question, None after the last. IllegalError says which is not
    legal, and why."""
    if ask is None:
        raise IllegalError(f"the deal is over, and the record goes on with {text!r}")
    if text is None:
        raise IllegalError(f"the record ends where seat {ask.seat} is asked (phase {ask.phase})")
    try:
        return accept(ask.legal, text)
    except ValueError:
        where = f"action {len(deal.actions) + 1}, seat {ask.seat}: {text!r} (phase {ask.phase})"
        raise IllegalError(f"{where}: {deal.refusal(ask, Action(text))}") from None


@native
def replay_deal(deal: Deal, actions: Sequence[str]) -> Deal:
    """Replay a deal from its record. IllegalError says which action is not legal, and why."""
    record = Record(deal, actions)
    run_deal(deal, record.answer)
    record.end()
    return deal
