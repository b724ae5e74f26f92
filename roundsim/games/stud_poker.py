"""Stud poker: one card down, the others face up (Foster, "The Poker Family"; "Hoyle's Games Modernized", pp. 134-135)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from operator import attrgetter
from typing import Literal

from ..mechanics.betting import FOLD, FOLD_OR_BET
from ..table.actions import say
from ..table.cards import Card
from ..table.deal import Ask, Story
from ..table.heard import tells
from ..table.legal import UpTo
from ..table.options import option
from ..table.view import Each, public
from .straight_poker import StraightPoker, StraightRules

CHECK = say("check")

Showing = tuple[list[int], list[float]]


def faces(deal: StudPoker, cards: int = 0) -> str:
    newest = max(1, cards - 1)
    return "face up: " + ", ".join([f"seat {seat} {' '.join(deal.up[seat][-newest:])}" for seat in deal.still_in])


class StudPoker(StraightPoker):
    """Two cards and three more, with a round of betting on each; or straight poker on open cards."""

    id = "stud-poker"
    title = "Stud Poker"
    source = 'Foster, "The Poker Family", section Stud Poker; "Hoyle\'s Games Modernized", pp. 134-135'
    course = """The holder of the buck antes for all, and hands it to his left. Two cards each, the first face down. The best
hand showing bets or gives up, and so do the others in turn until one bets; his bet must be called or raised by all others.
A third, fourth and fifth card are dealt face up, with a round of betting after each; then the down cards are shown, and the
best hand takes the pool. Who is not called takes it unseen. Who takes the pool deals next. Form `five`: all five cards are
dealt at once, and the betting is that of straight poker."""
    shows = ("shown", "up")
    rules: StudRules

    def deal(self) -> Story:
        self.take_places()
        self.pay_antes()
        self.deal_cards()
        yield from self.one_round()
        for _ in range(3):
            if len(self.still_in) > 1:
                self.deal_one_more()
                yield from self.one_round()
        self.settle()
        self.pass_the_buck_on()

    @tells(faces)
    def deal_cards(self, cards: int = 2) -> None:
        """The first card lies face down, every other face up (Foster, section Stud Poker)."""
        self.pack = self.chance.pack(self.rules.cards)
        self.hands = self.deal_singly(cards, self.dealt_in)
        self.up = [hand[1:] for hand in self.hands]
        self.passed = []

    @tells(faces)
    def deal_one_more(self) -> None:
        """A card face up to each seat that is in, from the dealer's left round (Foster, section Stud Poker)."""
        for seat, card in zip(self.still_in, self.pack.draw(len(self.still_in)), strict=True):
            self.hands[seat].append(card)
            self.up[seat].append(card)

    def one_round(self) -> Story:
        """From the best hand showing on each bets or gives up, until one bets (Foster, section Stud Poker).

        The last one left is not asked (ours)."""
        self.better, self.raises = None, 0
        able = self.able_from(self.eldest)
        if len(able) < 2:
            return
        for seat in self.able_from(max(able, key=self.showing)):
            if not self.others_able(seat):
                return
            said = yield Ask(seat, "bet", self.rules.first_answers[self.most(seat)])
            if said is FOLD:
                self.fold(seat)
            elif said is not CHECK:
                self.speak(seat, said)
                yield from self.speaking(self.others_able(seat), "bet")
                return

    def showing(self, seat: int) -> Showing:
        """Fours, threes, two pairs, a pair or high cards; then by rank; straights and suits never count (ours)."""
        up = self.up[seat]
        marks = sum(map(mark_of, up))
        if marks not in SHOWINGS:
            SHOWINGS[marks] = showing_of([card.rank for card in up])
        return SHOWINGS[marks]

    phases = {
        "bet": "`fold` or `bet 5`, or `check` (may_check), `pass` (five); after a bet `fold`, `call` or `raise 5`"
    }

    class View(StraightPoker.View):
        """What lies open at Stud Poker."""

        up: Each[tuple[Card, ...]] = public("the cards that lie face up, by seat; the first of a hand lies face down")


mark_of = attrgetter("mark")
SHOWINGS: dict[int, Showing] = {}  # by the marks of the cards, which say what their ranks are


def showing_of(ranks: Sequence[float]) -> Showing:
    count = Counter(ranks)
    largest_first = sorted(count, key=lambda rank: (count[rank], rank), reverse=True)
    return [count[rank] for rank in largest_first], largest_first


class OpenStraightPoker(StudPoker):
    """Form five: straight poker with all cards but the first face up."""

    def deal(self) -> Story:
        """All five are dealt at once, and bet upon once (Foster, section Stud Poker; Hoyle's Games pp. 134-135)."""
        self.take_places()
        self.pay_antes()
        self.deal_cards(5)
        yield from self.betting()
        if self.still_in:
            self.settle()
        self.pass_the_buck_on()


class StudRules(StraightRules, of=StudPoker, without=("joker", "joker_as", "joker_tie")):
    """The options of Stud Poker."""

    form: Literal["street", "five"] = option(
        "street",
        "street: the cards are dealt one at a time; five: all at once",
        "Foster, section Stud Poker; Hoyle's Games pp. 134-135",
    )
    may_check: bool = option(False, "before a bet one may check, and keep his hand", "ours", form="street")
    pass_excluded: bool = option(
        False, "who has passed is out as soon as another raises", "Hoyle's Games pp. 134-135", form="five"
    )
    joker = False

    @property
    def played_by(self) -> type[StudPoker]:
        return OpenStraightPoker if self.form == "five" else StudPoker

    @cached_property
    def first_answers(self) -> UpTo:
        """Who does not bet gives up (Foster, section Stud Poker; to check is ours)."""
        return UpTo((FOLD, CHECK), "bet") if self.may_check else FOLD_OR_BET
