"""A deal told step by step, in the words of its game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ..table.actions import Action
from ..table.deal import Ask, Deal, Sealed
from ..table.heard import Hearing, Moved, Party
from ..table.legal import count
from ..table.story import Answer, told
from ..table.view import in_words
from ..words import WIDTH, with_options

Say = Callable[[str], Any]
ASIDE = 25  # columns before what nobody has said


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
        self.hearing = Hearing(deal)
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
            self.said(ask, action)
            return action

        if not told(self.deal, answered):
            return False
        self.happened()
        self.say(nets(self.deal))
        stacks = {"stacks": self.deal.stacks} if self.deal.stacks is not None else {}
        self.say("next     " + in_words({"dealer": self.deal.next_dealer(), **self.deal.pools, **stacks}))
        return True

    def before(self, ask: Ask) -> None:
        """What has happened since the last time, and the hands that have got cards."""
        for seat, hand in enumerate(self.deal.hands):
            if self.seat in (None, seat):
                if not self.held.get(seat, set()) >= set(hand):
                    self.say(f"hand {seat}   {in_words(hand)}")
                self.held[seat] = set(hand)
        self.happened()

    def happened(self) -> None:
        """In the words of the game, why counters have moved, and what has changed of all that lies open."""
        for heard in self.hearing.take():
            self.say(f"{'':>{ASIDE}}{heard if isinstance(heard, str) else moved(heard)}")
        self.changes()

    def changes(self) -> None:
        deal, first = self.deal, not self.lies
        now = {name: in_words(getattr(deal, name, None)) for name in deal.public}
        now |= {f"pool {name}" if name != "pool" else "pool": str(counters) for name, counters in deal.pools.items()}
        for name, value in now.items():
            if value != self.lies.get(name, "-") and not (first and value in ("0", "false", "-")):
                self.say(f"{'':>{ASIDE}}{name}: {value}")
        self.lies = now

    def said(self, ask: Ask, action: Action | None) -> None:
        """What is said, and what that is in a sentence, as the seat that looks on sees it."""
        who, mine = f"seat {ask.seat}", self.seat in (None, ask.seat)
        if action is None:
            self.say(f"{'':>6}{who}  {ask.phase:<9} is asked: {some_of(ask.legal)}")
            return
        at = len(self.deal.actions)
        fault = self.faults.get(at) if mine else None
        if fault:
            self.say(f"{'':>6}{who} is at fault: {fault}; the first legal action is played for it")
        sealed = not mine and isinstance(ask, Sealed) and self.deal.veil is not None
        seen = action if mine else self.deal.seen(ask, action)
        said = f"{'' if fault is None else '! '}{seen}" if not sealed else "(sealed)"
        line = f"{at + 1:>4}  {who}  {ask.phase:<9} {said:<15} "
        words = "" if sealed else self.deal.says(ask, seen)
        self.say(f"{line} {words}".rstrip() if len(line) + len(words) < WIDTH else line.rstrip())


def moved(move: Moved) -> str:
    """3 from seat 1 to the pool: each dealer pays into the kitty (p. 11)"""
    return f"{move.counters} from {party(move.payer)} to {party(move.payee)}: {move.why} ({move.cited})"


def party(one: Party) -> str:
    return f"seat {one}" if isinstance(one, int) else "the pool" if one == "pool" else one


def by_seat(what: str, each: Iterable[object]) -> str:
    return f"{what:<9}" + "   ".join(f"{seat} {thing}" for seat, thing in enumerate(each))


def nets(deal: Deal) -> str:
    return by_seat("net", [f"{net:+d}" for net in deal.net])


def some_of(legal: Sequence[Action]) -> str:
    """The legal actions, as far as a line holds them."""
    few = [str(legal[at]) for at in range(min(count(legal), 12))]
    return ", ".join(few) + (f" ... ({count(legal)} in all)" if count(legal) > len(few) else "")
