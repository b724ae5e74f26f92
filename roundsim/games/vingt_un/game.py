"""Vingt-un: each plays against the banker for twenty-one (Baxter-Wray, "Round Games with Cards", 1891, pp. 59-69)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from roundsim.game import (
    PACK,
    PASS,
    STAND,
    Action,
    Ask,
    Card,
    Each,
    Quiet,
    Seat,
    Story,
    TableView,
    private,
    public,
    say,
    tells,
)

from .turn import DEAL, Turn

DOUBLE, KEEP, SPLIT, DRAW = map(say, ("double", "keep", "split", "card"))
BOXES = 4  # of one seat, divided pairs and all

if TYPE_CHECKING:
    from . import VingtUnRules


class VingtUn(Turn):
    """Draw cards to come nearer to twenty-one than the banker, but not above it."""

    id = "vingt-un"
    title = "Vingt-un"
    family = "banker"
    seats = (2, 10)
    usual = (4, 7)
    source = 'Baxter-Wray, "Round Games with Cards", 1891, pp. 59-69'
    pool_names = ("pool",)
    keys = ("reshuffle",)
    shows = ("drawn", "shown")
    tells_rank = True  # of naturals and pairs
    rules: VingtUnRules

    box = 0
    double = False

    def deal(self) -> Story:
        self.lay_the_table()
        if self.number == 1:
            if self.rules.sell_deal:
                yield from self.selling()
            if self.rules.pool_deal:
                self.pay_pool()
        self.take_up_the_pack()
        self.serve()
        yield from self.staking()
        yield from self.doubling()
        self.serve()
        self.declare_naturals()
        if self.banker in self.naturals:
            self.pay_banker()
        else:
            self.pay_naturals()
            if len(self.naturals) < self.players - 1:
                yield from self.dividing()
                yield from self.drawing()
        self.end_hand()

    def lay_the_table(self) -> None:
        n = self.players
        self.number = self.hand
        self.boxes: list[list[list[Card]]] = [[[]] for _ in range(n)]
        self.hands = [boxes[0] for boxes in self.boxes]
        self.drawn: list[list[list[Card]]] = [[[]] for _ in range(n)]
        self.fate: list[list[str]] = [[""] for _ in range(n)]
        self.shown: list[list[tuple[Card, ...]]] = [[] for _ in range(n)]
        self.stakes: list[list[int]] = [[] for _ in range(n)]
        self.naturals: list[int] = []
        self.away: list[list[Card]] = []
        self.seat_the_banker()

    def serve(self) -> None:
        """Each player gets one card face down, the banker last, and after the stakes another one (p. 62)."""
        for seat in self.order:
            self.hands[seat].append(self.next_card())

    def staking(self) -> Story:
        """Each player except the banker looks at the first card and stakes {min_stake} to {max_stake} counters
        (pp. 61-62)."""
        for seat in self.order[:-1]:
            self.stakes[seat] = [(yield Ask(seat, "stake", self.rules.stakes)).amount]

    def doubling(self) -> Story:
        """The banker looks at the first card too, and may double all stakes (pp. 61-62)."""
        self.first_stakes = [sum(stakes) for stakes in self.stakes]
        if (yield Ask(self.banker, "double", (PASS, DOUBLE))) is DOUBLE:
            self.double = True
            self.stakes = [[2 * stake for stake in stakes] for stakes in self.stakes]

    def declare_naturals(self) -> None:
        """An ace and a ten-card as the first two cards (p. 60) are declared at once (pp. 62-63)."""
        for seat in self.order:
            if count(self.hands[seat]) == 21:
                self.declare(seat)

    @tells(
        lambda deal, seat: (
            f"{'the banker, ' * (seat == deal.banker)}seat {seat}{',' * (seat == deal.banker)} has a natural"
        )
    )
    def declare(self, seat: int) -> None:
        self.naturals.append(seat)
        self.fate[seat] = ["natural"]
        self.shown[seat] = [tuple(self.hands[seat])]

    def pay_banker(self) -> None:
        """If the banker then has a natural, all players without one pay double, and the hand is over (pp. 62-63)."""
        for seat in self.order[:-1]:
            if seat not in self.naturals:
                self.pay(seat, self.banker, 2 * self.stakes[seat][0], "the banker has a natural")

    def pay_naturals(self) -> None:
        """Otherwise the banker pays every natural double (p. 63)."""
        for seat in self.naturals:
            self.pay(self.banker, seat, 2 * self.stakes[seat][0], "a natural is paid double")
            self.pay_bonus(seat)
            self.put_away(self.hands[seat])
        if self.naturals:
            self.share_pool()

    def pay_bonus(self, holder: int) -> None:
        """With natural_bonus = stake: A natural also gets its holder's first stake from each other player without one
        (p. 69).

        With natural_bonus = double: A natural also gets twice its holder's first stake from each other player without one
        (p. 69)."""
        for other in self.order[:-1]:
            if other not in self.naturals:
                self.pay(other, holder, self.rules.bonus * self.first_stakes[holder], "the bonus of a natural")

    def share_pool(self) -> None:
        """With pooled: Players with naturals share the pool, and odd counters stay in it (pp. 66, 69; the latter ours).

        With pooled and deal_ends = natural: In the first hand of a turn it stays (ours)."""
        if self.rules.deal_ends != "natural" or self.number > 1:
            share = self.pools["pool"] // len(self.naturals)
            for seat in self.naturals:
                self.into_pool(seat, -share, why="a natural has the pool")

    def dividing(self) -> Story:
        """Each in turn may divide a pair of his first two cards (pp. 64-65), before any draws, the banker last (ours)."""
        for seat in self.order:
            if seat not in self.naturals and (seat != self.banker or self.rules.dealer_splits):
                yield from self.dividing_of(seat)

    def dividing_of(self, seat: int) -> Story:
        """Players with two cards of one rank may divide them: they put a new stake on the second card, get another card to
        each, and play them as two hands. They may divide such a hand again, up to four hands (pp. 64-65).

        With dealer_splits: The banker may divide too, without a stake, and then each hand plays against all of the
        banker's (p. 65; all ours)."""
        boxes, self.box = self.boxes[seat], 0
        legal = (KEEP, SPLIT) if seat == self.banker else self.rules.splits
        while self.box < len(boxes) < BOXES:  # every box before this one is kept, or is no pair
            box = boxes[self.box]
            if box[0].rank == box[1].rank:
                self.hands[seat] = box
                action = yield Quiet(seat, "split", legal if self.can_be_had(2) else (KEEP,))
                if action is not KEEP:
                    self.divide(seat, action.amount)
                    continue
            self.box += 1

    def divide(self, seat: int, stake: int) -> None:
        """The second card begins a new box with a stake of its own, and each of the two gets a card (p. 65)."""
        box = self.boxes[seat][self.box]
        new = [box.pop()]
        self.boxes[seat].append(new)
        self.drawn[seat].append([])
        self.fate[seat].append("")
        if seat != self.banker:
            self.stakes[seat].append(stake)
        box.append(self.next_card())
        new.append(self.next_card())

    def drawing(self) -> Story:
        """A player who counts more pays the stake to the banker at once. If any player stands, the banker shows both cards
        and draws in the same way (pp. 63-64)."""
        for seat in self.order[:-1]:
            if seat not in self.naturals:
                yield from self.drawing_of(seat)
        if any("stand" in fates for fates in self.fate):
            self.turn_up()
            yield from self.drawing_of(self.banker)
            self.settle()

    def drawing_of(self, seat: int) -> Story:
        """Box after box (p. 67); who is over-drawn pays, each of the banker's boxes (ours), at once (p. 63)."""
        for at, box in enumerate(self.boxes[seat]):
            yield from self.drawing_to(seat, at)
            if self.fate[seat][at] == "over" and seat != self.banker:
                self.pay(seat, self.banker, self.stakes[seat][at] * len(self.boxes[self.banker]), "over-drawn")
                self.put_away(box)

    def drawing_to(self, seat: int, at: int) -> Story:
        """Each player in turn draws cards face up, one by one, until they stand or count more than twenty-one (pp. 63,
        67)."""
        box, drawn, fate = self.boxes[seat][at], self.drawn[seat][at], self.fate[seat]
        self.box, self.hands[seat] = at, box
        while not fate[at]:
            action = yield Ask(seat, "draw", (STAND, DRAW) if self.can_be_had(1) else (STAND,))
            if action is STAND:
                fate[at] = "stand"
            else:
                self.draw(seat, box, drawn)
                if at_least(box) > 21:
                    fate[at] = "over"

    @tells(lambda deal, seat, box, drawn: f"seat {seat} gets {box[-1]}{', and is over-drawn' * (at_least(box) > 21)}")
    def draw(self, seat: int, box: list[Card], drawn: list[Card]) -> None:
        drawn.append(self.next_card())
        box.append(drawn[-1])

    @tells("the banker, seat {deal.banker}, turns up his cards")
    def turn_up(self) -> None:
        self.show_banker()

    def show_banker(self) -> None:
        self.shown[self.banker] = [*map(tuple, self.boxes[self.banker])]

    def settle(self) -> None:
        """With pool_overdraw: A banker who counts more than twenty-one pays {pool_overdraw counter} into the pool (p. 68).

        With pool_ties = quarter: The banker pays a quarter of what the ties have won into the pool (p. 68).

        With pool_ties = third: The banker pays a third of what the ties have won into the pool (p. 68)."""
        ties = 0
        against = [count(box) for box in self.boxes[self.banker]]
        self.show_banker()
        for seat in self.order[:-1]:
            for box, stake, fate in zip(self.boxes[seat], self.stakes[seat], self.fate[seat], strict=True):
                if fate == "stand":
                    self.shown[seat].append(tuple(box))
                    mine = count(box)
                    ties += stake * against.count(mine)
                    for his in against:
                        self.compare(seat, stake, mine, his)
        overdrawn = self.fate[self.banker].count("over")
        self.into_pool(self.banker, self.rules.pool_overdraw * overdrawn, why="the banker is over-drawn")
        if self.rules.ties_part:
            self.into_pool(self.banker, ties // self.rules.ties_part, why="the pool's part of the ties")

    def compare(self, seat: int, stake: int, mine: int, his: int) -> None:
        """The hand nearer to twenty-one wins the stake, or double if it is twenty-one; ties are the banker's. A banker who
        counts more than twenty-one pays every hand that stands (pp. 61, 64)."""
        if his > 21 or mine > his:
            if mine == 21:
                self.pay(self.banker, seat, 2 * stake, "twenty-one is worth double")
            else:
                self.pay(self.banker, seat, stake, "the banker is over-drawn" if his > 21 else "nearer to twenty-one")
        elif mine == his:
            self.pay(seat, self.banker, stake, "ties are the banker's")
        elif his == 21:
            self.pay(seat, self.banker, 2 * stake, "the banker has twenty-one, worth double")
        else:
            self.pay(seat, self.banker, stake, "the banker is nearer to twenty-one")

    @classmethod
    def bound(cls, rules: VingtUnRules) -> int | None:
        """Every stake, the first of four boxes doubled (pp. 61, 65), is won or lost twice (p. 64) to each of the banker's
        boxes, after the turn was sold; there is none with a pool, which grows (p. 68)."""
        if rules.pooled:
            return None
        staked = rules.max_stake * (2 + BOXES - 1)
        against = BOXES if rules.dealer_splits else 1
        return (rules.players - 1) * 2 * staked * against + (rules.sell_max if rules.sell_deal else 0)

    def says(self, ask: Ask, action: Action) -> str:
        if action.verb == "sell":
            return f"offers his turn for {action.amount}"
        if action.verb == "split":
            return f"divides a pair{f', and stakes {action.amount} on the new box' * (action.amount > 0)}"
        return SAYS.get((ask.phase, action)) or super().says(ask, action)

    def refusal(self, ask: Ask, action: Action) -> str:
        phase, rules = ask.phase, self.rules
        if action == DRAW and phase == "draw" or action.verb == "split" and phase == "split" and len(ask.legal) == 1:
            return f"{phase}: there are no cards left for it"
        if action.verb == "split" and phase == "split" and ask.seat == self.banker:
            return "split: the banker stakes nothing on a new box"
        if action.verb == phase and phase in ("stake", "split"):
            return f"{phase}: a stake is from {rules.min_stake} to {rules.max_stake}"
        if action.verb == phase and phase in ("sell", "bid"):
            return f"{phase}: from {self.price or 1} to {rules.sell_max}"
        return f"not a legal action in phase {phase}: {action}"

    what_wins = """An ace counts 1 or 11, a king, queen, jack or ten 10, other cards their number (p. 59). The hand that
counts more wins, up to twenty-one; above it a hand loses. Ties are won by the banker, and a hand of exactly twenty-one
is worth double (pp. 61, 64).

An ace and a ten-card as the first two cards are a natural, which is paid double at once (pp. 60, 62-63)."""
    course = """turn_is_over selling pay_pool next_card serve staking doubling pay_banker pay_naturals pay_bonus share_pool
dividing_of drawing_to drawing compare settle"""

    played_with = "whole_pack"
    phases = {
        "sell": "option sell_deal, to the dealer before the first hand: `deal`, or `sell 5` to name the least price",
        "bid": "option sell_deal, to all others, unseen by each other: `pass`, or `bid 5`, not below the price",
        "stake": "to all but the banker, after one card: `stake 3`",
        "double": "to the banker, after one card: `pass`, or `double` every stake",
        "split": "to a player with a pair: `keep` it, or divide it with a new stake, `split 3`; the banker says `split`",
        "draw": "`stand`, or `card` for one more, face up",
    }

    class View(TableView):
        """The names that everybody sees at Vingt-un, and the seat's own boxes."""

        banker: Seat = public("the seat against which all play: the dealer, or the buyer of the dealer's turn")
        buyer: Seat = public()
        price: int | None = public(
            "the least price for which the turn was offered in this hand; None if it was not offered"
        )
        bids: Each[int] = public("the bids for the turn, by seat, once all are in; 0: no bid")
        number: int = public("the number of this hand in the turn, from 1")
        gone: int = public()
        left: int = public("how many cards are left in the pack")
        order: tuple[Seat, ...] = public("the seats in the order in which they get cards, the banker last")
        stakes: Each[tuple[int, ...]] = public(
            "the stakes of each seat, one for each box, which is a hand or a part of a divided pair"
        )
        double: bool = public("whether the banker has doubled the stakes")
        naturals: tuple[Seat, ...] = public("the seats that have a natural")
        box: int = public("the number of the box that is divided or drawn to now, from 0")
        drawn: Each[tuple[tuple[Card, ...], ...]] = public("the cards drawn face up, by seat, box by box")
        fate: Each[tuple[str, ...]] = public("`stand`, `over` or `natural`, or empty during play; by seat, box by box")
        shown: Each[tuple[tuple[Card, ...], ...]] = public(
            "the boxes that were shown, by seat: naturals, the banker's before the draw, all others at the end"
        )
        boxes: tuple[tuple[Card, ...], ...] = private(
            "your cards, box by box, those of a paid box until they are shuffled; `hand` is the box in question"
        )


SAYS = {
    ("sell", DEAL): "keeps his turn",
    ("double", PASS): "does not double",
    ("double", DOUBLE): "doubles every stake",
    ("split", KEEP): "keeps a pair together",
    ("draw", DRAW): "draws a card",
}
PIPS = {card: 1 if card.rank == 14 else int(min(card.rank, 10)) for card in PACK}


def at_least(box: Sequence[Card]) -> int:
    """The count with every ace at one (p. 59)."""
    return sum(map(PIPS.__getitem__, box))


def count(box: Sequence[Card]) -> int:
    """Pips, ten for a court card; one ace at eleven, if there is one and that does not pass twenty-one (p. 59)."""
    total = at_least(box)
    return total + 10 if total <= 11 and any([card.rank == 14 for card in box]) else total
