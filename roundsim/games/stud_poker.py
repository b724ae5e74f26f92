"""Stud poker: one card down, the others face up (Foster, "The Poker Family"; "Hoyle's Games Modernized", pp. 134-135)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from operator import attrgetter
from typing import Literal

from roundsim.game import FOLD, FOLD_OR_BET, HANDS, WITHIN, Ask, Card, Each, Story, UpTo, option, public, say, tells

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
        """From the best hand showing, each player bets or folds, until one bets (Foster, section Stud Poker).

        The last one left is not asked (ours)."""
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
        """Fours, threes, two pairs, a pair or high cards; then by rank; straights and suits never count (ours)."""
        up = self.up[seat]
        marks = sum(map(mark_of, up))
        if marks not in SHOWINGS:
            SHOWINGS[marks] = showing_of([card.rank for card in up])
        return SHOWINGS[marks]

    what_wins = f"""The hands, from best to least: {HANDS} (Foster, section Rank of the Hands). A sequence of one suit
is only a flush, so four of a kind is the best hand (Foster, section Stud Poker).

{WITHIN} (Foster, section Rank of the Hands)."""
    course = """One player holds the buck, a marker; in the first deal it is the dealer. The holder pays one counter
into the pool for each player, and hands the buck to the left (Foster, section Straight Poker).

Each player gets two cards, the first face down, the second face up (Foster, section Stud Poker).

The player with the best cards face up bets up to 50 counters or folds, and then each other player in turn, until one
bets (Foster, section Stud Poker). For this only pairs, threes, fours and high cards count, and of equal cards those
nearest to the dealer's left (ours).

After a bet all others in turn call it, which is to pay as much, raise it or fold. After a raise all others must answer
again (Foster, section Stud Poker).

A third, a fourth and a fifth card are dealt face up to all who are left. After each there is another round of betting
(Foster, section Stud Poker).

A player who is left alone takes the pool and need not show. Otherwise all who are left turn up the card that lies face
down, and the best hand takes the pool. The winner deals next (Foster, sections Stud Poker, Straight Poker)."""

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
