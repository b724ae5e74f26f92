"""Speculation: unseen cards are bought and sold (Baxter-Wray, "Round Games with Cards", 1891, pp. 77-79)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..actions import PASS, Action, Amounts, Lazy, say
from ..cards import PACK, PACK_32, Card, put
from ..errors import CardError
from ..options import FLAG, OneOf, Option, Rules, between
from ..table import Ask, Carry, Deal, Sealed, Story

TURN, KEEP = say("turn"), say("keep")
KNAVE, FIVE = 11, 5
FOR_SALE = {"turn-up": "turn-up", "hold": "trump", "turn": "card", "last": "card"}


class OneOrAll(Lazy):
    """`turn`; the next card at any price; all that are left in one lot at any price."""

    __slots__ = ("one", "all")
    one: Amounts
    all: Amounts

    def __init__(self, high: int) -> None:
        put(self, "one", Amounts((TURN,), "sell", 1, high))
        put(self, "all", Amounts((), "sell-all", 1, high))
        put(self, "size", self.one.size + self.all.size)

    def at(self, place: int) -> Action:
        return self.one.at(place) if place < self.one.size else self.all.at(place - self.one.size)

    def place(self, said: Action) -> int:
        return self.one.size + self.all.place(said) if said.verb == self.all.verb else self.one.place(said)


class Speculation(Deal):
    """Three cards each that nobody looks at; the highest trump takes the pool, and every card may be sold before."""

    id = "speculation"
    title = "Speculation"
    family = "auction"
    seats = (2, 10)
    usual = (5, 6)
    source = 'Baxter-Wray, "Round Games with Cards", 1891, pp. 77-79'
    course = """All pay into the pool, the dealer double. Three cards each, face down, at which nobody looks. The next card is
turned up for the dealer: its suit is trumps, and its owner the chief; on an ace, king, queen or knave he takes the pool
at once. Then one card after the other is turned, from the chief's left on, the chief's own last. A higher trump makes its
owner chief. Who shall turn a card may first sell it, unseen, and before each card the chief may sell the best trump: the
seller names his least price, all others bid secretly, and the highest buys. Who is chief at the end takes the pool."""

    options = (
        Option("pack", "52", OneOf("52", "32"), "with 32: seven to ace, for at most six players", "Baxter-Wray p. 77"),
        Option("ante", 1, between(1, 100), "from each into the pool; the dealer pays twice that", "Baxter-Wray p. 77"),
        Option(
            "court",
            "next",
            OneOf("next", "end", "play"),
            "ace to knave turned up wins at once, and the hands lie for the next deal (end: are thrown in; play: no win)",
            "Baxter-Wray pp. 78-79",
        ),
        Option("turnup_pool", False, FLAG, "the turn-up belongs to the pool", "Baxter-Wray p. 79"),
        Option("spare_hand", False, FLAG, "a spare hand for the pool, turned up last", "Baxter-Wray p. 79"),
        Option(
            "penalty",
            0,
            between(0, 100),
            "into the pool from the owner of each knave and five turned",
            "Baxter-Wray p. 79",
        ),
        Option("max_bid", 100, between(1, 10000), "highest price and bid", "ours"),
    )

    @classmethod
    def refusals(cls, rules: Rules) -> Iterator[str]:
        if rules.pack == "32" and rules.players > 6:
            yield f'pack = "32" with {rules.players} players: at most six'

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        """The pack, how many hands are dealt, and the prices that may be named."""
        rules.whole = PACK if rules.pack == "52" else PACK_32
        rules.hands = rules.players + rules.spare_hand
        rules.keep_or_sell = Amounts((KEEP,), "sell", 1, rules.max_bid)
        rules.turn_or_sell = Amounts((TURN,), "sell", 1, rules.max_bid)
        rules.one_or_all = OneOrAll(rules.max_bid)

    pool_names = ("pool",)
    carried = {
        "kept": Carry(False, "whether the unseen hands lie for the next deal, after a court card"),
        "hands_left": Carry((), "those hands, three cards each, seat by seat, the spare hand's last"),
        "stock_left": Carry((), "the stock that is left with them, top first"),
    }
    phases = {
        "turn-up": "to the dealer: `turn` the top card of the stock, or `sell 5`, the least price for it unseen",
        "hold": "to the chief before each card: `keep` the best trump, or `sell 5`, the least price for it",
        "turn": "to whose turn it is: `turn` your next card, or `sell 5`, the least price for it unseen",
        "last": "to the chief when only he has cards: the same, or `sell-all 5`, for all of them in one lot",
        "bid": "to all others, sealed: `pass`, or `bid 5`, not below the price",
    }
    public = {
        "turn_up": "the card turned up; None before",
        "trumps": "its suit, s h d c",
        "best": "the best trump",
        "chief": "the seat that owns it; None before, or while it is the pool's",
        "pointer": "the seat from which the next one with cards is sought, to the left",
        "turned": "the cards turned, by the seat in whose hand they lay",
        "unturned": "how many cards each seat has not turned",
        "stock": "how many cards are left in the stock",
        "gone": "the cards turned up in the deals before, while the hands lay",
        "spare": "the spare hand, once it is turned up",
        "for_sale": "what was last for sale: `turn-up`, `trump` (the best one), `card` (unseen) or `lot`; None: nothing yet",
        "seller": "who sold it",
        "price": "his least price",
        "bids": "the bids for it, by seat, once all are in; 0: passed",
    }

    kept: bool
    hands_left: Sequence[Card]
    stock_left: Sequence[Card]
    chief: Any
    turn_up: Any
    best: Any

    def deal(self) -> Story:
        self.pay_antes()
        if self.kept:
            self.take_up_the_kept()
        else:
            self.deal_cards()
        self.lay_the_table()
        yield from self.turning_up()
        if self.best.rank >= KNAVE and self.rules.court != "play":
            self.court_card()
            return
        while any(self.unturned):
            if self.chief is not None:
                yield from self.holding()
            yield from self.turning()
        self.settle()

    def pay_antes(self) -> None:
        """Each pays into the pool, the dealer twice."""
        for seat in range(self.players):
            self.into_pool(seat, self.rules.ante * (1 + (seat == self.dealer)))

    def take_up_the_kept(self) -> None:
        """The unseen hands lie where they were, and the rest of the pack is used on."""
        cards = (*self.hands_left, *self.stock_left)
        if len(self.hands_left) != 3 * self.rules.hands or not self.stock_left:
            raise CardError(f"kept, and there are not {self.rules.hands} hands of three left and a stock")
        if len({*cards}) < len(cards) or not {*cards} <= {*self.rules.whole}:
            raise CardError("the cards that are kept are not of one pack")
        self.unseen = [list(self.hands_left[at : at + 3]) for at in range(0, len(self.hands_left), 3)]
        self.pack = list(self.stock_left)
        self.gone = [card for card in self.rules.whole if card not in cards]

    def deal_cards(self) -> None:
        """Three cards to each, one at a time, from the dealer's left; the spare hand after the dealer in every round."""
        hands = self.rules.hands
        self.pack = self.chance.pack(self.rules.whole).draw(len(self.rules.whole))
        self.unseen = [[] for _ in range(hands)]
        for place, hand in enumerate((*self.round_from(self.eldest), self.players)[:hands]):
            self.unseen[hand] = self.pack[place : 3 * hands : hands]
        del self.pack[: 3 * hands]
        self.gone = []

    def lay_the_table(self) -> None:
        """Nobody looks at a card, and there is no chief before one is turned up."""
        self.stock, self.unturned = len(self.pack), [3] * self.players
        self.turned: list[list[Card]] = [[] for _ in range(self.players)]
        self.spare: list[Card] = []
        self.turn_up = self.trumps = self.best = self.chief = None
        self.pointer = self.eldest
        self.for_sale: str | None = None
        self.seller: int | None = None
        self.price: int | None = None
        self.bids: list[int] = []

    def turning_up(self) -> Story:
        """The dealer turns up the top of the stock for himself, its buyer or the pool: the best trump so far."""
        owner = None
        if not self.rules.turnup_pool:
            owner = yield from self.selling(self.dealer, "turn-up", self.rules.turn_or_sell)
        self.turn_up = self.pack.pop(0)
        self.stock, self.trumps = len(self.pack), self.turn_up.suit
        self.fine(self.turn_up, owner)
        self.best, self.chief = self.turn_up, owner
        if owner is not None:
            self.pointer = self.next_to(owner)

    def fine(self, card: Card, owner: int | None) -> None:
        """A knave or a five costs its owner a penalty, at once; the pool pays none."""
        if card.rank in (KNAVE, FIVE) and owner is not None:
            self.into_pool(owner, self.rules.penalty)

    def court_card(self) -> None:
        """The chief takes the pool at once; the hands lie for the next dealer, while there is a card to turn up."""
        if self.chief is not None:
            self.take_pool(self.chief)
        self.kept = self.rules.court == "next" and bool(self.pack)
        self.hands_left = tuple([card for hand in self.unseen for card in hand]) if self.kept else ()
        self.stock_left = tuple(self.pack) if self.kept else ()

    def holding(self) -> Story:
        """Before each card is turned the chief may sell the best trump; play goes on from the buyer's left."""
        buyer = yield from self.selling(self.chief, "hold", self.rules.keep_or_sell)
        if buyer != self.chief:
            self.chief, self.pointer = buyer, self.next_to(buyer)

    def turning(self) -> Story:
        """The next to the left with cards turns one, or sells it first; the chief when nobody else has any."""
        rules, chief = self.rules, self.chief
        others = [seat for seat in self.round_from(self.pointer) if self.unturned[seat] and seat != chief]
        if others:
            seat, cards = others[0], 1
            owner = yield from self.selling(seat, "turn", rules.turn_or_sell)
        else:
            seat, cards = chief, self.unturned[chief]
            owner = yield from self.selling(seat, "last", rules.one_or_all if cards > 1 else rules.turn_or_sell)
            if owner == seat or self.for_sale != "lot":
                cards = 1
        for _ in range(cards):
            self.turn(seat, owner)

    def turn(self, seat: int, owner: int) -> None:
        """A trump higher than the best makes its owner chief, and play goes on from his left; else from the seller's."""
        card = self.unseen[seat].pop(0)
        self.turned[seat].append(card)
        self.unturned[seat] -= 1
        self.fine(card, owner)
        self.pointer = self.next_to(seat)
        if self.beats(card):
            self.best, self.chief, self.pointer = card, owner, self.next_to(owner)

    def beats(self, card: Card) -> bool:
        return bool(card.suit == self.trumps and card.rank > self.best.rank)

    def selling(self, seat: int, phase: str, legal: Sequence[Action]) -> Story:
        """A sale, if the seat names a price: all others bid, sealed, and the highest buys, of equal ones the first from
        the seller's left. Returns who owns the card now."""
        said = yield Ask(seat, phase, legal)
        if not said.amount:
            return seat
        self.for_sale = "lot" if said.verb == "sell-all" else FOR_SALE[phase]
        self.seller, self.price, self.bids = seat, said.amount, []
        bids, others = [0] * self.players, self.round_from(seat)[1:]
        offers = Amounts((PASS,), "bid", said.amount, self.rules.max_bid)
        self.veil = len(self.actions)
        for other in others:
            bids[other] = (yield Sealed(other, "bid", offers)).amount
        self.veil, self.bids = None, bids
        buyer = max(others, key=bids.__getitem__)
        if not bids[buyer]:
            return seat
        self.pay(buyer, seat, bids[buyer])
        return buyer

    def settle(self) -> None:
        """The chief takes the pool, unless it is the pool's own or the spare hand has a higher trump: then it stays."""
        self.spare = [card for hand in self.unseen for card in hand]
        if self.chief is not None and not any(map(self.beats, self.spare)):
            self.take_pool(self.chief)
        self.kept, self.hands_left, self.stock_left = False, (), ()

    def refusal(self, ask: Ask, said: Action) -> str:
        phase, highest = ask.phase, self.rules.max_bid
        if phase == "bid" == said.verb:
            return f"bid: from {self.price} to {highest}"
        if said.verb == "sell" and phase != "bid":
            return f"{phase}: a price is from 1 to {highest}"
        if said.verb == "sell-all" and phase == "last" and self.unturned[ask.seat] > 1:
            return f"last: a price is from 1 to {highest}"
        if said.verb == "sell-all":
            return f"{phase}: only the chief sells all, when nobody else has cards and he has two or more"
        return f"{phase}: not a legal action"
