"""Stud poker: one card down, the others face up (Foster, "The Poker Family"; "Hoyle's Games Modernized", pp. 134-135)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from operator import attrgetter
from typing import Literal

from roundsim.game import FOLD, FOLD_OR_BET, RANK_OF_HANDS, Ask, Card, Each, Story, UpTo, option, public, say, tells

from .straight_poker import StraightPoker, StraightRules

CHECK = say("check")

Showing = tuple[list[int], list[float]]


def faces(deal: StudPoker, cards: int = 0) -> str:
    newest = max(1, cards - 1)
    return "face up: " + ", ".join([f"seat {seat} {' '.join(deal.up[seat][-newest:])}" for seat in deal.still_in])


class StudPoker(StraightPoker):
    """Hold the best five cards, four of them open to all, or bet until all others give up."""

    id = "stud-poker"
    title = "Stud Poker"
    source = 'Foster, "The Poker Family", section Stud Poker; "Hoyle\'s Games Modernized", pp. 134-135'
    own_places = {"as at straight poker": "pay_antes settle"}
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
        """With form = street: Each player gets two cards, the first face down, the second face up (Foster, section Stud
        Poker).

        With form = five: Each player gets five cards, the first face down, the others face up (Foster, section Stud
        Poker)."""
        self.pack = self.chance.pack(self.rules.cards)
        self.hands = self.deal_singly(cards, self.dealt_in)
        self.up = [hand[1:] for hand in self.hands]
        self.passed = []

    @tells(faces)
    def deal_one_more(self) -> None:
        """A third, a fourth and a fifth card are dealt face up to all who are left. After each there is another round
        of betting (Foster, section Stud Poker)."""
        for seat, card in zip(self.still_in, self.pack.draw(len(self.still_in)), strict=True):
            self.hands[seat].append(card)
            self.up[seat].append(card)

    def one_round(self) -> Story:
        """The player with the best cards face up bets or folds, and then each other player in turn, until one bets
        (Foster, section Stud Poker).

        With may_check: Before a bet a player may also check, and keep the hand (ours).

        With stakes = table: While fewer than two have counters, there is no betting (ours)."""
        self.better, self.raises = None, 0
        able = self.able_from(self.eldest)
        if len(able) < 2:
            return
        for seat in self.able_from(max(able, key=self.showing)):
            if not self.others_able(seat):
                return
            action = yield Ask(seat, "bet", self.rules.first_answers[self.most(seat)])
            if action is FOLD:
                self.fold(seat)
            elif action is not CHECK:
                self.speak(seat, action)
                yield from self.speaking(self.others_able(seat), "bet")
                return

    @classmethod
    def bound(cls, rules: StudRules) -> int | None:
        """The antes, and the stakes of the others after four rounds of betting; none at table stakes, which have no limit,
        nor where all may pass, and the pool grows (Foster, sections Stud Poker, Table Stakes)."""
        if rules.stakes == "table" or rules.form == "five":
            return None
        return rules.players * rules.ante + (rules.players - 1) * 4 * rules.dearest

    def showing(self, seat: int) -> Showing:
        """For this only pairs, threes, fours and high cards count, and of equal cards those nearest to the dealer's
        left (ours)."""
        up = self.up[seat]
        marks = sum(map(mark_of, up))
        if marks not in SHOWINGS:
            SHOWINGS[marks] = showing_of([card.rank for card in up])
        return SHOWINGS[marks]

    what_wins = RANK_OF_HANDS
    course = """buy_stacks pay_antes deal_cards one_round showing speaking most able_from deal_one_more settle take_pots
next_dealer"""

    phases = {
        "bet": "`fold` or `bet 5`, or `check` with may_check, `pass` with form five; after a bet `fold`, `call` or `raise 5`"
    }

    class View(StraightPoker.View):
        """The names that everybody sees at Stud Poker."""

        up: Each[tuple[Card, ...]] = public("the cards that lie face up, by seat")


mark_of = attrgetter("mark")
SHOWINGS: dict[int, Showing] = {}  # by the marks of the cards, which say what their ranks are


def showing_of(ranks: Sequence[float]) -> Showing:
    count = Counter(ranks)
    largest_first = sorted(count, key=lambda rank: (count[rank], rank), reverse=True)
    return [count[rank] for rank in largest_first], largest_first


class OpenStraightPoker(StudPoker):
    """Form five: straight poker with all cards face up except the first."""

    course = StraightPoker.course

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
        "whether the cards are dealt one at a time with betting in between (street), or all at once (five)",
        "Foster, section Stud Poker; Hoyle's Games pp. 134-135",
    )
    may_check: bool = option(False, "whether players may check before a bet, and keep the hand", "ours", form="street")
    pass_excluded: bool = option(
        False,
        "whether players who have passed are out as soon as another raises",
        "Hoyle's Games pp. 134-135",
        form="five",
    )
    joker = False

    @property
    def played_by(self) -> type[StudPoker]:
        return OpenStraightPoker if self.form == "five" else StudPoker

    @cached_property
    def first_answers(self) -> UpTo:
        """A player who does not bet gives up (Foster, section Stud Poker; to check is ours)."""
        return UpTo((FOLD, CHECK), "bet") if self.may_check else FOLD_OR_BET
