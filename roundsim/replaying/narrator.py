"""A deal described step by step, in the words of its game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ..base.text import WIDTH, with_options
from ..table.actions import Action
from ..table.deal import Ask, Deal
from ..table.events import EventLog, Moved, Party
from ..table.legal import count
from ..table.playthrough import Answer, Playthrough
from ..table.view import value_text

Say = Callable[[str], Any]
INDENT = 25  # columns before what nobody has said


class Narrator:
    """Describes a deal while it is played, with all cards open, or as one seat sees it.

    `who`: the strategies by seat; `faults`: by action, the words of a fault for which it was forfeited, "" if the seat
    continues to forfeit."""

    def __init__(
        self,
        deal: Deal,
        say: Say,
        seat: int | None = None,
        who: Sequence[str] = (),
        faults: Mapping[int, str] | None = None,
    ) -> None:
        self.deal, self.say, self.seat, self.faults = deal, say, seat, faults or {}
        self.hearing = EventLog(deal)
        self.lies: dict[str, str] = {}  # what lies open
        self.held: dict[int, set[str]] = {}
        say(f"{with_options(deal.title, deal.rules.changed())} · {deal.players} seats · dealer {deal.dealer}")
        if who:
            say(by_seat("seats", who))
        if deal.stacks is not None:
            say(by_seat("stacks", deal.stacks))

    def narrate(self, answer: Answer) -> bool:
        """Play and describe it with these answers. Returns whether it was played to its end."""

        playing = Playthrough(self.deal)
        while ask := playing.ask:
            self.before(ask)
            action = answer(ask)
            self.describe(ask, action)
            if action is None:
                return False
            playing.answer(action)
        self.happened()
        self.say(nets(self.deal))
        stacks = {"stacks": self.deal.stacks} if self.deal.stacks is not None else {}
        self.say("next     " + value_text({"dealer": self.deal.next_dealer(), **self.deal.pools, **stacks}))
        return True

    def before(self, ask: Ask) -> None:
        """Describe what has happened since the last time, and the hands that have got cards."""
        for seat, hand in enumerate(self.deal.hands):
            if self.seat in (None, seat):
                if not self.held.get(seat, set()) >= set(hand):
                    self.say(f"hand {seat}   {value_text(hand)}")
                self.held[seat] = set(hand)
        self.happened()

    def happened(self) -> None:
        """Describe in the words of the game why counters have moved, and what has changed on the table."""
        for heard in self.hearing.take():
            self.say(f"{'':>{INDENT}}{heard if isinstance(heard, str) else move_text(heard)}")
        self.changes()

    def changes(self) -> None:
        deal, first = self.deal, not self.lies
        now = {name: value_text(getattr(deal, name, None)) for name in deal.public}
        now |= {f"pool {name}" if name != "pool" else "pool": str(counters) for name, counters in deal.pools.items()}
        for name, value in now.items():
            if value != self.lies.get(name, "-") and not (first and value in ("0", "false", "-")):
                self.say(f"{'':>{INDENT}}{name}: {value}")
        self.lies = now

    def describe(self, ask: Ask, action: Action | None) -> None:
        """Describe an action in a sentence, as the watching seat sees it."""
        who, mine = f"seat {ask.seat}", self.seat in (None, ask.seat)
        if action is None:
            self.say(f"{'':>6}{who}  {ask.phase:<9} is asked: {legal_summary(ask.legal)}")
            return
        if self.seat is not None and self.deal.is_unnoticed(ask, action, self.seat):
            return
        at = len(self.deal.actions)
        fault = self.faults.get(at) if mine else None
        if fault:
            self.say(f"{'':>6}{who} is at fault: {fault}; the first legal action is played for it")
        sealed = self.seat is not None and self.deal.hides(ask, self.seat)
        seen = action if mine else self.deal.seen(ask, action)
        answer = f"{'' if fault is None else '! '}{seen}" if not sealed else "(sealed)"
        line = f"{at + 1:>4}  {who}  {ask.phase:<9} {answer:<15} "
        sentence = "" if sealed else self.deal.says(ask, seen)
        self.say(f"{line} {sentence}".rstrip() if len(line) + len(sentence) < WIDTH else line.rstrip())


def move_text(move: Moved) -> str:
    """Return a movement as text: 3 from seat 1 to the pool: each dealer pays into the kitty (p. 11)"""
    return f"{move.counters} from {party_text(move.payer)} to {party_text(move.payee)}: {move.why} ({move.cited})"


def party_text(one: Party) -> str:
    return f"seat {one}" if isinstance(one, int) else "the pool" if one == "pool" else one


def by_seat(what: str, values: Iterable[object]) -> str:
    return f"{what:<9}" + "   ".join(f"{seat} {thing}" for seat, thing in enumerate(values))


def nets(deal: Deal) -> str:
    return by_seat("net", [f"{net:+d}" for net in deal.net])


def legal_summary(legal: Sequence[Action]) -> str:
    """Return the legal actions, as far as a line holds them."""
    few = [str(legal[at]) for at in range(min(count(legal), 12))]
    return ", ".join(few) + (f" ... ({count(legal)} in all)" if count(legal) > len(few) else "")
