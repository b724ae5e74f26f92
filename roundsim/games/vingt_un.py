"""Vingt-un: each plays against the banker for twenty-one (Baxter-Wray, "Round Games with Cards", 1891, pp. 59-69)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..actions import PASS, STAND, Action, Amounts, say
from ..cards import PACK, Card
from ..errors import CardError
from ..options import FLAG, OneOf, Option, Rules, between
from ..table import Ask, Carry, Deal, Said, Sealed, Story

DEAL, DOUBLE, KEEP, SPLIT, DRAW = map(say, ("deal", "double", "keep", "split", "card"))
PIPS = {card: 1 if card.rank == 14 else int(min(card.rank, 10)) for card in PACK}
BOXES = 4  # of one seat, divided pairs and all


def at_least(box: Sequence[Card]) -> int:
    """The count with every ace at one."""
    return sum(map(PIPS.__getitem__, box))


def count(box: Sequence[Card]) -> int:
    """The count: one ace at eleven, if it has one and that does not pass twenty-one."""
    total = at_least(box)
    return total + 10 if total <= 11 and any([card.rank == 14 for card in box]) else total


class VingtUn(Deal):
    """Each player stakes on his first card, draws towards twenty-one, and settles with the banker alone."""

    id = "vingt-un"
    title = "Vingt-un"
    family = "banker"
    seats = (2, 10)
    usual = (4, 7)
    source = 'Baxter-Wray, "Round Games with Cards", 1891, pp. 59-69'
    course = """One card each, face down. All but the banker stake on it, and he may double every stake; then a second
card. An ace and a ten-card are a natural and are paid double at once. Pairs may be divided. Then each in turn draws
cards, face up, until he stands or is over twenty-one and pays. The banker draws last, and pays every hand that is
nearer to twenty-one than his own; ties are his, and twenty-one is worth double. The pack is not reunited between
hands. The dealer keeps the deal until a player has a natural."""

    options = (
        Option("min_stake", 1, between(1, 1000), "lowest stake", "Baxter-Wray p. 61"),
        Option("max_stake", 10, between(1, 1000), "highest stake, before doubling", "Baxter-Wray p. 61"),
        Option("packs", 1, OneOf(1, 2), "packs shuffled together", "Baxter-Wray p. 68"),
        Option(
            "deal_ends",
            "natural",
            OneOf("natural", "hands", "pack"),
            "what ends a dealer's turn: a player's natural, a number of hands, or the pack gone through",
            "Baxter-Wray pp. 60, 65, 68",
        ),
        Option("hands", 4, between(1, 100), "deal_ends hands: how many hands a turn has", "Baxter-Wray p. 68"),
        Option("times", 2, between(1, 10), "deal_ends pack: how often it is gone through", "Baxter-Wray p. 68"),
        Option(
            "after_natural",
            "left",
            OneOf("left", "holder"),
            "who deals when a natural has ended the turn: the next on the left, or its holder",
            "Baxter-Wray p. 65",
        ),
        Option(
            "natural_bonus",
            "none",
            OneOf("none", "stake", "double"),
            "what a natural has from each other player, in its holder's first stakes",
            "Baxter-Wray p. 69",
        ),
        Option(
            "pool_deal", 0, between(0, 100), "from every seat into the pool at the start of a turn", "Baxter-Wray p. 68"
        ),
        Option(
            "pool_overdraw",
            0,
            between(0, 100),
            "from the banker into the pool, when he is over-drawn",
            "Baxter-Wray p. 68",
        ),
        Option(
            "pool_ties",
            "none",
            OneOf("none", "quarter", "third"),
            "the pool's part of the banker's ties",
            "Baxter-Wray p. 68",
        ),
        Option("dealer_splits", True, FLAG, "the banker may divide a pair too", "Baxter-Wray p. 65"),
        Option("sell_deal", False, FLAG, "the dealer may sell his turn", "Baxter-Wray p. 68"),
        Option("sell_max", 100, between(1, 10000), "highest price and bid", "ours"),
    )

    @classmethod
    def refusals(cls, rules: Rules) -> Iterator[str]:
        if rules.min_stake > rules.max_stake:
            yield f"min_stake = {rules.min_stake} with max_stake = {rules.max_stake}: the lowest is above the highest"
        if rules.after_natural == "holder" and rules.deal_ends != "natural":
            yield f'after_natural = "holder" with deal_ends = "{rules.deal_ends}": no natural ends the turn'

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        """The whole pack, and what is legal wherever a number is named."""
        rules.whole = PACK * rules.packs
        stakes = Amounts((), "stake", rules.min_stake, rules.max_stake)
        splits = Amounts((KEEP,), "split", rules.min_stake, rules.max_stake)
        few = stakes.size <= 100  # a tuple answers faster
        rules.legal_stakes, rules.legal_splits = (tuple(stakes), tuple(splits)) if few else (stakes, splits)
        rules.bonus = {"none": 0, "stake": 1, "double": 2}[rules.natural_bonus]
        rules.ties_part = {"none": 0, "quarter": 4, "third": 3}[rules.pool_ties]

    @classmethod
    def sitting(cls, rules: Rules) -> int:
        """About a turn for each seat."""
        return int((rules.hands if rules.deal_ends == "hands" else 6) * rules.players)

    pool_names = ("pool",)
    carried = {
        "buyer": Carry(-1, "the seat that bought this turn; -1: none", names="seat"),
        "hand": Carry(1, "the number of the next hand in the turn, from 1"),
        "gone": Carry(0, "how often the pack was gone through in this turn"),
        "left": Carry(0, "cards left in the pack; 0: it is reunited before the next hand"),
        "used": Carry((), "the used cards, which lie with the pone"),
        "pack_left": Carry((), "the cards left in the pack, top first"),
    }
    keys = ("reshuffle",)
    phases = {
        "sell": "option sell_deal, to the dealer before his first hand: `deal`, or `sell 5`, the least price",
        "bid": "option sell_deal, to all others, sealed: `pass`, or `bid 5`, not below the price",
        "stake": "to all but the banker, who have seen one card: `stake 3`",
        "double": "to the banker, who has seen one card: `pass`, or `double` every stake",
        "split": "to who holds a pair: `keep` it, or divide it with a new stake, `split 3`; the banker says `split`",
        "draw": "`stand`, or `card`: the next one, face up",
    }
    public = {
        "banker": "the seat against which all play: the dealer, or the buyer of his turn",
        "buyer": carried["buyer"].help,
        "price": "the least price for which the turn was offered in this hand; None if it was not",
        "bids": "the bids for it, by seat, once all are in; 0: passed",
        "number": "the number of this hand in the turn, from 1",
        "gone": carried["gone"].help,
        "left": "cards left in the pack",
        "order": "the seats as they are served, the banker last",
        "stakes": "the stakes as they lie, by seat, one for each box",
        "double": "whether the banker has doubled",
        "naturals": "the seats that have declared a natural",
        "box": "the box that is divided or drawn to now, from 0",
        "drawn": "the cards drawn face up, by seat, box by box",
        "fate": "`stand`, `over` or `natural`, empty while in play; by seat, box by box",
        "shown": "the boxes that were shown, by seat: naturals, the banker's before he draws, all at the settlement",
    }
    private = {"boxes": "your cards, box by box; `hand` is the box in question"}

    buyer: int
    hand: int
    gone: int
    left: int
    used: Sequence[Card]
    pack_left: Sequence[Card]
    successor: int | None = None  # who deals next, once the turn is over

    def deal(self) -> Story:
        self.lay_the_table()
        if self.hand == 1:
            if self.rules.sell_deal:
                yield from self.selling()
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
                if (yield from self.drawing()):
                    self.settle()
        self.end_hand()

    def lay_the_table(self) -> None:
        """The banker is the buyer of the turn, or the dealer; he is served last."""
        n = self.players
        self.boxes: list[list[list[Card]]] = [[[]] for _ in range(n)]
        self.hands = [boxes[0] for boxes in self.boxes]
        self.drawn: list[list[list[Card]]] = [[[]] for _ in range(n)]
        self.fate: list[list[str]] = [[""] for _ in range(n)]
        self.shown: list[list[tuple[Card, ...]]] = [[] for _ in range(n)]
        self.stakes: list[list[int]] = [[] for _ in range(n)]
        self.naturals: list[int] = []
        self.number, self.box, self.double = self.hand, 0, False
        self.price: int | None = None
        self.bids: list[int] = []
        self.seat_banker()

    def seat_banker(self) -> None:
        self.banker = self.dealer if self.buyer < 0 else self.buyer
        self.order = (*[seat for seat in self.round_from(self.eldest) if seat != self.banker], self.banker)

    def selling(self) -> Story:
        """The dealer may sell his turn to the highest bidder, of equal ones the first from his left."""
        said = yield Ask(self.dealer, "sell", Amounts((DEAL,), "sell", 1, self.rules.sell_max))
        if said is DEAL:
            return
        self.price = said.amount
        legal, bids = Amounts((PASS,), "bid", said.amount, self.rules.sell_max), [0] * self.players
        others = self.round_from(self.eldest)[:-1]
        self.veil = len(self.actions)
        for seat in others:
            bids[seat] = (yield Sealed(seat, "bid", legal)).amount
        self.veil, self.bids = None, bids
        if highest := max(bids):
            self.buyer = next(seat for seat in others if bids[seat] == highest)
            self.pay(self.buyer, self.dealer, highest)
            self.seat_banker()

    def pay_pool(self) -> None:
        """Every seat pays into the pool at the start of a turn."""
        for seat in range(self.players):
            self.into_pool(seat, self.rules.pool_deal)

    def take_up_the_pack(self) -> None:
        """The pack goes on where the last hand left it; reunited, or begun by a script, it is shuffled."""
        self.pone, order = list(self.used), list(self.pack_left)
        if not order:
            rest = list(self.rules.whole)
            for each in self.pone:
                if each not in rest:
                    raise CardError(f"{each} is among the used cards, and is not in the pack so often")
                rest.remove(each)
            order = self.chance.pack(rest).draw(len(rest))
            if self.left:
                self.pone += order[self.left :]
                del order[self.left :]
        self.pack = order[::-1]
        self.left = len(order)

    def next_card(self) -> Card:
        """The top card. The last one is not dealt: it and the used cards are shuffled into a new pack."""
        if len(self.pack) == 1:
            self.gone += 1
            gathered = self.pack + self.pone
            self.pack = self.chance.pack(gathered, f"pack {self.gone + 1}").draw(len(gathered))[::-1]
            self.pone = []
        top: Card = self.pack.pop()
        self.left = len(self.pack)
        return top

    def serve(self) -> None:
        """One card each, face down, the banker last."""
        for seat in self.order:
            self.hands[seat].append(self.next_card())

    def staking(self) -> Story:
        """Each player stakes, having seen his own card and the stakes before his."""
        for seat in self.order[:-1]:
            self.stakes[seat] = [(yield Ask(seat, "stake", self.rules.legal_stakes)).amount]

    def doubling(self) -> Story:
        """The banker may double every stake, having seen his card; nobody may refuse."""
        self.first_stakes = [sum(stakes) for stakes in self.stakes]
        if (yield Ask(self.banker, "double", (PASS, DOUBLE))) is DOUBLE:
            self.double = True
            self.stakes = [[2 * stake for stake in stakes] for stakes in self.stakes]

    def declare_naturals(self) -> None:
        """An ace and a ten-card as the first two cards are declared at once."""
        for seat in self.order:
            hand = self.hands[seat]
            if count(hand) == 21:
                self.naturals.append(seat)
                self.fate[seat] = ["natural"]
                self.shown[seat] = [tuple(hand)]

    def pay_banker(self) -> None:
        """The banker's natural: every player without one pays double, and the hand is over."""
        for seat in self.order[:-1]:
            if seat not in self.naturals:
                self.pay(seat, self.banker, 2 * self.stakes[seat][0])

    def pay_naturals(self) -> None:
        """A player's natural: double from the banker, the bonus from the players who have none, and the pool.

        The pool is not for the first hand of a turn, where that natural does not end the turn."""
        rules, naturals = self.rules, self.naturals
        for seat in naturals:
            self.pay(self.banker, seat, 2 * self.stakes[seat][0])
            for other in self.order[:-1]:
                if other not in naturals:
                    self.pay(other, seat, rules.bonus * self.first_stakes[seat])
            self.put_away(self.hands[seat])
        if naturals and (rules.deal_ends != "natural" or self.hand > 1):
            share = self.pools["pool"] // len(naturals)
            for seat in naturals:
                self.into_pool(seat, -share)

    def put_away(self, box: list[Card]) -> None:
        """A hand that is paid goes to the used cards at once."""
        self.pone += box
        box.clear()

    def dividing(self) -> Story:
        """Two cards of one rank may be divided; the banker divides last."""
        for seat in self.order:
            boxes, banks = self.boxes[seat], seat == self.banker
            if boxes[0] and not (banks and not self.rules.dealer_splits):
                legal = (KEEP, SPLIT) if banks else self.rules.legal_splits
                self.box = 0
                while self.box < len(boxes) < BOXES:  # every box before this one is kept, or is no pair
                    box = boxes[self.box]
                    if box[0].rank == box[1].rank:
                        self.hands[seat] = box
                        said = yield Ask(seat, "split", legal if self.can_be_had(2) else (KEEP,))
                        if said is not KEEP:
                            self.divide(seat, said.amount)
                            continue
                    self.box += 1

    def divide(self, seat: int, stake: int) -> None:
        """The second card begins a new box with a stake of its own, and each of the two gets a card, face down."""
        box = self.boxes[seat][self.box]
        new = [box.pop()]
        self.boxes[seat].append(new)
        self.drawn[seat].append([])
        self.fate[seat].append("")
        if seat != self.banker:
            self.stakes[seat].append(stake)
        box.append(self.next_card())
        new.append(self.next_card())

    def can_be_had(self, wanted: int) -> bool:
        """Whether so many cards can be dealt; the very last one is not."""
        return len(self.pack) + len(self.pone) > wanted

    def drawing(self) -> Story:
        """The players draw in turn; who is over-drawn pays each box of the banker at once. If one stands he draws."""
        stands = False
        for seat in self.order[:-1]:
            if seat not in self.naturals:
                for at, box in enumerate(self.boxes[seat]):
                    yield from self.draw_to(seat, at)
                    if self.fate[seat][at] == "over":
                        self.pay(seat, self.banker, self.stakes[seat][at] * len(self.boxes[self.banker]))
                        self.put_away(box)
                    else:
                        stands = True
        if stands:
            self.show(self.banker)
            for at in range(len(self.boxes[self.banker])):
                yield from self.draw_to(self.banker, at)
        return stands

    def draw_to(self, seat: int, at: int) -> Story:
        """Card by card, face up, until he stands or is over twenty-one with every ace at one."""
        box, drawn, fate = self.boxes[seat][at], self.drawn[seat][at], self.fate[seat]
        self.box, self.hands[seat] = at, box
        while not fate[at]:
            said = yield Ask(seat, "draw", (STAND, DRAW) if self.can_be_had(1) else (STAND,))
            if said is STAND:
                fate[at] = "stand"
            else:
                drawn.append(self.next_card())
                box.append(drawn[-1])
                if at_least(box) > 21:
                    fate[at] = "over"

    def show(self, seat: int) -> None:
        if seat not in self.naturals:
            self.shown[seat] = [tuple(box) for box in self.boxes[seat] if box]

    def settle(self) -> None:
        """Every standing box settles with each box of the banker; he wins ties, and twenty-one is worth double."""
        banker, ties = self.banker, 0
        against = [count(box) for box in self.boxes[banker]]
        self.show(banker)
        for seat in self.order[:-1]:
            self.show(seat)
            for box, stake, fate in zip(self.boxes[seat], self.stakes[seat], self.fate[seat], strict=True):
                if fate == "stand":
                    mine = count(box)
                    for his in against:
                        if his > 21 or mine > his:
                            self.pay(banker, seat, 2 * stake if mine == 21 else stake)
                        else:
                            self.pay(seat, banker, 2 * stake if mine < his == 21 else stake)
                            ties += stake if mine == his else 0
        self.into_pool(banker, self.rules.pool_overdraw * self.fate[banker].count("over"))
        if self.rules.ties_part:
            self.into_pool(banker, ties // self.rules.ties_part)

    def end_hand(self) -> None:
        """All cards are used. A pack with one left is gone through; it is reunited, as at the end of the turn."""
        for boxes in self.boxes:
            for box in boxes:
                self.pone += box
        if len(self.pack) == 1:
            self.gone += 1
            self.pack, self.pone = [], []
        if self.turn_is_over():
            holder = self.rules.after_natural == "holder"
            self.successor = self.naturals[0] if holder else self.next_to(self.dealer)
            self.buyer, self.hand, self.gone, self.pack, self.pone = -1, 1, 0, [], []
        else:
            self.hand += 1
        self.left, self.used, self.pack_left = len(self.pack), tuple(self.pone), tuple(self.pack[::-1])

    def turn_is_over(self) -> bool:
        """A player's natural, without one of the banker's and not in the first hand; or so many hands, or packs."""
        if self.rules.deal_ends == "natural":
            return self.hand > 1 and bool(self.naturals) and self.banker not in self.naturals
        if self.rules.deal_ends == "hands":
            return bool(self.hand >= self.rules.hands)
        return bool(self.gone >= self.rules.times)

    def next_dealer(self) -> int:
        return self.dealer if self.successor is None else self.successor

    def refusal(self, ask: Ask, said: Action) -> str:
        phase, rules = ask.phase, self.rules
        if said == DRAW and phase == "draw" or said.verb == "split" and phase == "split" and len(ask.legal) == 1:
            return f"{phase}: there are no cards left for it"
        if said.verb == "split" and phase == "split" and ask.seat == self.banker:
            return "split: the banker stakes nothing on a new box"
        if said.verb == phase and phase in ("stake", "split"):
            return f"{phase}: a stake is from {rules.min_stake} to {rules.max_stake}"
        if said.verb == phase and phase in ("sell", "bid"):
            return f"{phase}: from {self.price or 1} to {rules.sell_max}"
        return f"not a legal action in phase {phase}: {said}"

    def seen_by(self, seat: int) -> Iterator[Said]:
        """A pair that is kept is not spoken of."""
        return (said for said in super().seen_by(seat) if said.action != KEEP or said.seat == seat)
