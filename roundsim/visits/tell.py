"""A deal told step by step, in the words of its game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ..table.actions import Action
from ..table.deal import Ask, Deal, Sealed
from ..table.legal import count
from ..table.story import Answer, told
from ..table.view import in_words
from ..words import with_options

Say = Callable[[str], Any]


class Teller:
    """Says a deal with all cards open, or as one seat sees it, as it is told.

    `who`: the strategies by seat; `faults`: by action, the words of a fault for which it was forfeited, "" if that goes
    on."""

    def __init__(
        self,
        deal: Deal,
        say: Say,
        seat: int | None = None,
        who: Sequence[str] = (),
        faults: Mapping[int, str] | None = None,
    ) -> None:
        self.deal, self.say, self.seat, self.faults = deal, say, seat, faults or {}
        self.lies: dict[str, str] = {}  # what lies open
        self.held: dict[int, set[str]] = {}
        say(f"{with_options(deal.title, deal.rules.changed())} · {deal.players} seats · dealer {deal.dealer}")
        if who:
            say(by_seat("seats", who))
        if deal.stacks is not None:
            say(by_seat("stacks", deal.stacks))

    def tell(self, answer: Answer) -> bool:
        """Tell it, the questions answered so.  Returns whether it came to its end."""

        def answered(ask: Ask) -> Action | None:
            self.before(ask)
            action = answer(ask)
            self.after(ask, action)
            return action

        if not told(self.deal, answered):
            return False
        self.changes()
        self.say(nets(self.deal))
        stacks = {"stacks": self.deal.stacks} if self.deal.stacks is not None else {}
        self.say("next     " + in_words({"dealer": self.deal.next_dealer(), **self.deal.pools, **stacks}))
        return True

    def before(self, ask: Ask) -> None:
        """The hands that have got cards since the last time, and what has changed of all that lies open."""
        for seat, hand in enumerate(self.deal.hands):
            if self.seat in (None, seat):
                if not self.held.get(seat, set()) >= set(hand):
                    self.say(f"hand {seat}   {in_words(hand)}")
                self.held[seat] = set(hand)
        self.changes()

    def changes(self) -> None:
        deal, first = self.deal, not self.lies
        now = {name: in_words(getattr(deal, name, None)) for name in deal.public}
        now |= {f"pool {name}" if name != "pool" else "pool": str(counters) for name, counters in deal.pools.items()}
        for name, value in now.items():
            if value != self.lies.get(name, "-") and not (first and value in ("0", "false", "-")):
                self.say(f"{'':>25}{name}: {value}")
        self.lies = now

    def after(self, ask: Ask, action: Action | None) -> None:
        """What was said, as the seat that looks on saw it."""
        who, mine = f"seat {ask.seat}", self.seat in (None, ask.seat)
        if action is None:
            self.say(f"{'':>6}{who}  {ask.phase:<9} is asked: {some_of(ask.legal)}")
            return
        at = len(self.deal.actions)
        fault = self.faults.get(at) if mine else None
        if fault:
            self.say(f"{'':>6}{who} is at fault: {fault}; the first legal action is played for it")
        sealed = isinstance(ask, Sealed) and self.deal.veil is not None
        seen = action if mine else "(sealed)" if sealed else self.deal.seen(ask, action)
        self.say(f"{at + 1:>4}  {who}  {ask.phase:<9} {'' if fault is None else '! '}{seen}")


def by_seat(what: str, each: Iterable[object]) -> str:
    return f"{what:<9}" + "   ".join(f"{seat} {thing}" for seat, thing in enumerate(each))


def nets(deal: Deal) -> str:
    return by_seat("net", [f"{net:+d}" for net in deal.net])


def some_of(legal: Sequence[Action]) -> str:
    """The legal actions, as far as a line holds them."""
    few = [str(legal[at]) for at in range(min(count(legal), 12))]
    return ", ".join(few) + (f" ... ({count(legal)} in all)" if count(legal) > len(few) else "")
