"""Speculation: unseen cards are bought and sold (Baxter-Wray, "Round Games with Cards", 1891, pp. 77-79)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

from roundsim.game import (
    PASS,
    SUIT_NAMES,
    Action,
    Amounts,
    Ask,
    Card,
    Deal,
    Each,
    Either,
    OrderedPack,
    Rules,
    Sealed,
    Seat,
    Story,
    TableView,
    amounts,
    carried,
    option,
    public,
    say,
    tells,
)

TURN, KEEP = say("turn"), say("keep")
KNAVE, FIVE = 11, 5
FOR_SALE = {"turn-up": "turn-up", "hold": "trump", "turn": "card", "last": "card"}


class Speculation(Deal):
    """Own the highest trump when all cards are turned up; buy and sell cards before anybody sees them."""

    id = "speculation"
    title = "Speculation"
    family = "auction"
    seats = (2, 10)
    usual = (5, 6)
    source = 'Baxter-Wray, "Round Games with Cards", 1891, pp. 77-79'
    pool_names = ("pool",)
    shows = ("turn_up", "best", "turned", "gone", "spare")
    rules: SpeculationRules

    best: Card
    gone: Sequence[Card] = ()
    chief: int | None = None
    spare: Sequence[Card] = ()
    for_sale: str | None = None
    seller: int | None = None
    price: int | None = None
    bids: Sequence[int] = ()

    def deal(self) -> Story:
        self.pay_antes()
        if self.kept:
            self.take_up_the_kept()
        else:
            self.deal_cards()
        yield from self.turning_up()
        if self.best.rank >= KNAVE and self.rules.court != "play":
            self.court_card()
            return
        while any(self.unturned):
            yield from self.holding()
            yield from self.turning()
        self.settle()

    def pay_antes(self) -> None:
        """Each player pays {ante counter} into the pool, and the dealer twice that (p. 77)."""
        for seat in range(self.players):
            double = seat == self.dealer
            self.into_pool(seat, self.rules.ante * (1 + double), why="the dealer's double ante" if double else "ante")

    @tells("the hands lie where they were, and the rest of the pack is used on")
    def take_up_the_kept(self) -> None:
        """The hands lie where they were, and the rest of the pack is used on (p. 78)."""
        kept = (*self.hands_left, *self.stock_left)
        self.gone = [card for card in self.rules.all_cards if card not in kept]
        self.lay_the_table([list(self.hands_left[at : at + 3]) for at in range(0, len(self.hands_left), 3)])
        self.pack = OrderedPack(self.stock_left)

    def deal_cards(self) -> None:
        """Each player gets three cards face down, one at a time. Nobody may look at them (p. 77).

        With spare_hand: A spare hand gets three too (p. 79)."""
        self.pack = self.chance.pack(self.rules.all_cards)
        self.lay_the_table(self.deal_singly(3, (*self.round_from(self.eldest), self.players)[: self.rules.hands]))
        self.pack = OrderedPack(self.pack.draw(len(self.pack)))

    def lay_the_table(self, unseen: list[list[Card]]) -> None:
        """Nobody looks at a card (p. 77)."""
        self.unseen, self.unturned = unseen, [3] * self.players
        self.turned: list[list[Card]] = [[] for _ in range(self.players)]
        self.pointer = self.eldest

    def turning_up(self) -> Story:
        """The next card is turned up: its suit is trumps (p. 77).

        Without turnup_pool: It belongs to the dealer, or to the player who has bought it before it is seen. Its owner is
        the chief (pp. 77-78).

        With turnup_pool: It belongs to the pool, and nobody is the chief before it is beaten. The player on the dealer's left
        begins (p. 79)."""
        owner = None
        if not self.rules.turnup_pool:
            owner = yield from self.selling(self.dealer, "turn-up", self.rules.turn_or_sell)
            self.pointer = self.next_to(owner)
        self.turn_up_trumps(owner)

    @tells(lambda deal, owner: f"{deal.turn_up} is turned up: {SUIT_NAMES[deal.trumps]} are trumps{deal.chief_text()}")
    def turn_up_trumps(self, owner: int | None) -> None:
        """Its suit is trumps, and its owner the chief (p. 77)."""
        [self.turn_up] = self.pack.draw(1)
        self.trumps = self.turn_up.suit
        self.fine(self.turn_up, owner)
        self.best, self.chief = self.turn_up, owner

    @property
    def stock(self) -> int:
        return len(self.pack)

    def fine(self, card: Card, owner: int | None) -> None:
        """With penalty: The owner of a jack or a five that is turned up pays {penalty counter} into the pool at once; the
        pool pays nothing (p. 79; the latter ours)."""
        if card.rank in (KNAVE, FIVE) and owner is not None:
            self.into_pool(owner, self.rules.penalty, why="a knave turned" if card.rank == KNAVE else "a five turned")

    @tells(lambda deal: "the pool stays" if deal.chief is None else None)
    def court_card(self) -> None:
        """With court = next or end and turnup_pool = false: If it is an ace, a king, a queen or a jack, the chief takes the
        pool, and the deal is over (p. 78).

        With court = next or end and turnup_pool: If it is an ace, a king, a queen or a jack, the pool stays, and the deal
        is over (ours).

        With court = next: The hands stay as they are for the next deal, for which a new card is turned up (p. 78), as long
        as there is one (ours)."""
        if self.chief is not None:
            self.take_pool(self.chief, why="a court card wins at once")
        self.kept = self.rules.court == "next" and self.stock > 0
        self.hands_left = tuple([card for hand in self.unseen for card in hand]) if self.kept else ()
        self.stock_left = tuple(self.pack.cards) if self.kept else ()

    def holding(self) -> Story:
        """Before each card the chief may sell the best trump, and play goes on from the buyer's left (p. 79; before each
        card ours)."""
        if self.chief is not None:
            buyer = yield from self.selling(self.chief, "hold", self.rules.keep_or_sell)
            if buyer != self.chief:
                self.chief, self.pointer = buyer, self.next_to(buyer)

    def turning(self) -> Story:
        """Then the players turn up one card after the other, from the chief's left. The chief turns none as long as
        others have cards (p. 78). Before players turn a card, they may sell it unseen (p. 79)."""
        for seat in self.round_from(self.pointer):
            if self.unturned[seat] and seat != self.chief:
                self.turn(seat, (yield from self.selling(seat, "turn", self.rules.turn_or_sell)))
                return
        if self.chief is not None:
            yield from self.turning_the_last(self.chief)

    def turning_the_last(self, seat: int) -> Story:
        """At last the chief turns up the cards that are left, and may sell them unseen, one by one or all together (p. 78).
        A lot that is sold is turned up at once (ours)."""
        left = self.unturned[seat]
        owner = yield from self.selling(seat, "last", self.rules.one_or_all if left > 1 else self.rules.turn_or_sell)
        for _ in range(left if owner != seat and self.for_sale == "lot" else 1):
            self.turn(seat, owner)

    @tells(lambda deal, seat, owner: deal.turned_text(seat, owner))
    def turn(self, seat: int, owner: int) -> None:
        """A higher trump makes its owner the chief, and play goes on from the owner's left (p. 78); after any other card,
        from the left of the player who has turned it (p. 79)."""
        card = self.unseen[seat].pop(0)
        self.turned[seat].append(card)
        self.unturned[seat] -= 1
        self.fine(card, owner)
        self.pointer = self.next_to(seat)
        if self.beats(card):
            self.best, self.chief, self.pointer = card, owner, self.next_to(owner)

    def beats(self, card: Card) -> bool:
        """The ace is the highest of trumps, then king, queen, knave and so on down to the two (p. 77)."""
        return card.suit == self.trumps and card.rank > self.best.rank

    def selling(self, seat: int, phase: str, legal: Sequence[Action]) -> Story:
        """To sell, a player names the least price. All others bid or pass, without seeing each other's bids (ours). The
        highest bidder, of equal ones the first from the seller's left, pays the bid to the seller and owns the card;
        if nobody bids it is not sold (pp. 78-79; equal ones ours)."""  # returns who owns the card now
        action = yield Ask(seat, phase, legal)
        if not action.amount:
            return seat
        self.for_sale = "lot" if action.verb == "sell-all" else FOR_SALE[phase]
        self.seller, self.price, self.bids = seat, action.amount, ()
        bids, others = [0] * self.players, self.round_from(seat)[1:]
        offers = amounts((PASS,), "bid", action.amount, self.rules.max_bid)
        self.veil = len(self.actions)
        for other in others:
            bids[other] = (yield Sealed(other, "bid", offers)).amount
        self.veil, self.bids = None, bids
        return self.knock_down(seat, others, BOUGHT[self.for_sale])

    @tells(lambda deal, seat, others, why: None if any(deal.bids) else "nobody bids: it is not sold")
    def knock_down(self, seat: int, others: Sequence[int], why: str) -> int:
        """The highest bid buys, of equals the next to the seller's left (pp. 78-79; of equals ours)."""
        buyer = max(others, key=self.bids.__getitem__)
        if not self.bids[buyer]:
            return seat
        self.pay(buyer, seat, self.bids[buyer], why)
        return buyer

    @tells(lambda deal: deal.end_text())
    def settle(self) -> None:
        """When all cards are turned up, the chief takes the pool (p. 78).

        With turnup_pool: If there is no chief, the pool stays (p. 79).

        With spare_hand: The spare hand is turned up last, and if it has a higher trump, the pool stays (p. 79)."""
        self.spare = [card for hand in self.unseen for card in hand]
        if self.chief is not None and not any(map(self.beats, self.spare)):
            self.take_pool(self.chief, why="the highest trump takes the pool")
        self.kept, self.hands_left, self.stock_left = False, (), ()

    @classmethod
    def bound(cls, rules: SpeculationRules) -> int | None:
        """The pool with all penalties, and a sale of the turn-up and two before each card, at the highest bid (pp. 77-79);
        there is none where the pool may stay, and grows (p. 79)."""
        if rules.turnup_pool or rules.spare_hand:
            return None
        return rules.players * rules.ante + 8 * rules.penalty + (1 + 2 * 3 * rules.players) * rules.max_bid

    def says(self, ask: Ask, action: Action) -> str:
        if action is TURN:
            return "turns up the top card" if ask.phase == "turn-up" else "turns his next card"
        if action is KEEP:
            return f"keeps {self.best}"
        if action.verb == "bid" or action is PASS:
            return super().says(ask, action)
        if action.verb == "sell-all":
            return f"offers all his cards, unseen, for {action.amount} or more"
        if ask.phase == "hold":
            return f"offers {self.best} for {action.amount} or more"
        what = "the top card" if ask.phase == "turn-up" else "his next card"
        return f"offers {what}, unseen, for {action.amount} or more"

    def chief_text(self) -> str:
        return "; it is the pool's" if self.chief is None else f", and seat {self.chief} is chief"

    def turned_text(self, seat: int, owner: int) -> str:
        card = self.turned[seat][-1]
        event = f"{card} is turned" if owner == seat else f"{card} is turned for seat {owner}"
        return event + (f", the best trump: seat {owner} is chief" if self.best is card else "")

    def end_text(self) -> str | None:
        events = [f"the spare hand is {' '.join(self.spare)}"] if self.spare else []
        return "; ".join([*events, "the pool stays"] if self.pools["pool"] else events) or None

    def refusal(self, ask: Ask, action: Action) -> str:
        phase, highest = ask.phase, self.rules.max_bid
        if phase == "bid" == action.verb:
            return f"bid: from {self.price} to {highest}"
        if action.verb == "sell" and phase != "bid":
            return f"{phase}: a price is from 1 to {highest}"
        if action.verb == "sell-all" and phase == "last" and self.unturned[ask.seat] > 1:
            return f"last: a price is from 1 to {highest}"
        if action.verb == "sell-all":
            return f"{phase}: only the chief sells all, when nobody else has cards and he has two or more"
        return f"{phase}: not a legal action"

    kept: bool = carried(False, "whether the unseen hands stay for the next deal, after a court card")
    hands_left: Sequence[Card] = carried((), "the hands that stay, three cards each, seat by seat, the spare hand last")
    stock_left: Sequence[Card] = carried((), "the stock that is left with them, from the top")

    what_wins = """The highest trump wins: A K Q J T 9 8 7 6 5 4 3 2. Cards of other suits are worth nothing (p. 77)."""
    course = """pay_antes deal_cards turning_up fine court_card turning turn holding turning_the_last selling settle"""

    played_with = "all_cards"
    phases = {
        "turn-up": "to the dealer: `turn` the top card of the stock, or `sell 5` to offer it unseen for five or more",
        "hold": "to the chief before each card: `keep` the best trump, or `sell 5` to offer it for five or more",
        "turn": "to the player whose turn it is: `turn` your next card, or `sell 5` to offer it unseen for five or more",
        "last": "to the chief when nobody else has cards: the same, or `sell-all 5` to offer all of them in one lot",
        "bid": "to all others, unseen by each other: `pass`, or `bid 5`, not below the price",
    }

    class View(TableView):
        """The names that everybody sees at Speculation: all that anybody knows."""

        turn_up: Card | None = public("the card turned up for trumps; None before", None)
        trumps: str | None = public("the suit of trumps, s h d c; None before", None)
        best: Card | None = public("the best trump so far; None before", None)
        chief: Seat | None = public("the seat that owns the best trump; None before, or while it is the pool's")
        pointer: Seat = public("the seat from which on the next player with cards turns one")
        turned: Each[tuple[Card, ...]] = public("the cards turned up, by the seat that had them in hand")
        unturned: Each[int] = public("how many cards each seat has still to turn")
        stock: int = public("how many cards are left in the stock")
        gone: tuple[Card, ...] = public("the cards turned up in earlier deals with the same hands")
        spare: tuple[Card, ...] = public("the spare hand, once it is turned up")
        for_sale: str | None = public(
            "what was last for sale: `turn-up`, `trump` (the best one), `card` (unseen) or `lot`; None: nothing yet"
        )
        seller: Seat | None = public("the seat that offered it")
        price: int | None = public("the least price for it")
        bids: Each[int] = public("the bids for it, by seat, once all are in; 0: no bid")


BOUGHT = {
    "turn-up": "buys the turn-up",
    "trump": "buys the best trump",
    "card": "buys the card unseen",
    "lot": "buys all the cards unseen",
}


class SpeculationRules(Rules, of=Speculation):
    """The options of Speculation, and the prices that may be named."""

    pack: Literal["52", "32"] = option(
        "52", "with 32 the cards run from seven to ace, for at most six players", "p. 77"
    )
    ante: int = option(1, "what each player pays into the pool; the dealer pays twice that", "p. 77", high=100)
    court: Literal["next", "end", "play"] = option(
        "next",
        "whether an ace to jack turned up wins, and the hands stay for the next deal (end: they do not; play: no win)",
        "pp. 78-79",
    )
    turnup_pool: bool = option(False, "whether the card turned up belongs to the pool", "p. 79")
    spare_hand: bool = option(False, "whether there is a spare hand for the pool, turned up last", "p. 79")
    penalty: int = option(
        0, "what the owner of each jack or five turned up pays into the pool", "p. 79", low=0, high=100
    )
    max_bid: int = option(100, "the highest price and bid", "ours", high=10000)

    def refusals(self) -> Iterator[str]:
        if self.pack == "32" and self.players > 6:
            yield f'pack = "32" with {self.players} players: at most six'

    def script_refusals(self, carry: Mapping[str, Any], deals: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        hands, stock = carry["hands_left"], carry["stock_left"]
        if carry["kept"] and len(hands) != 3 * self.hands:
            yield f"carry.hands_left must be three cards for each of {self.hands} hands, not {len(hands)}"
        if carry["kept"] and not stock:
            yield "carry.stock_left must hold a card to turn up, with carry.kept"
        rest = Counter(self.all_cards)
        for name, cards in ("hands_left", hands), ("stock_left", stock):
            rest.subtract(cards)
            for card in -rest:
                yield f"carry.{name}: {card} is named more often than the pack has it"
            rest = +rest

    @cached_property
    def hands(self) -> int:
        """One for each player, and the spare hand (p. 79)."""
        return self.players + self.spare_hand

    @cached_property
    def keep_or_sell(self) -> Sequence[Action]:
        return amounts((KEEP,), "sell", 1, self.max_bid)

    @cached_property
    def turn_or_sell(self) -> Sequence[Action]:
        return amounts((TURN,), "sell", 1, self.max_bid)

    @cached_property
    def one_or_all(self) -> Sequence[Action]:
        return Either(Amounts((TURN,), "sell", 1, self.max_bid), Amounts((), "sell-all", 1, self.max_bid))
