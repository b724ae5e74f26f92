"""My Bird Sings: one card handed on round the table (Baxter-Wray, "Round Games with Cards", 1891, pp. 101-102).

My Ship Sails is another game of it (Foster, "The Poker Family", section Commerce)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING

from roundsim.game import (
    PACK,
    PASS,
    SUITS,
    Action,
    AnyOrder,
    Ask,
    Bettering,
    Card,
    Each,
    Seat,
    Story,
    actions_for,
    ordinal,
    private,
    public,
    say,
    tells,
)

if TYPE_CHECKING:
    from . import MyBirdSingsRules

SING = (say("sing"),)
DRAW = tuple([say("draw", k) for k in range(1, 6)])
THROW, EXCHANGE, BARTER, GIVE = [
    {card: say(verb, card) for card in PACK} for verb in ("throw", "exchange", "barter", "give")
]


class MyBirdSings(Bettering):
    """Pass cards on until you hold four of one suit, or one of each suit, before anybody else does."""

    id = "my-bird-sings"
    title = "My Bird Sings"
    family = "commerce"
    seats = (2, 13)
    usual = (5, 8)
    source = 'Baxter-Wray, "Round Games with Cards", 1891, pp. 101-102; Foster, "The Poker Family", section Commerce'
    keys = ("backs",)
    shows = ("tricks", "laid_aside", "shown")
    unseen_verbs = ("throw", "exchange", "barter", "give")
    tells_outcome = ("stock", "put_aside")
    rules: MyBirdSingsRules
    sang: Sequence[int] = ()
    laid_aside: Sequence[Card] = ()
    put_aside = 0
    ended = False

    def deal(self) -> Story:
        self.pay_in()
        self.deal_cards(self.rules.cards)
        for seat in self.look_round():
            if not self.ended:
                yield from self.sing(seat)
        if not self.ended:
            yield from self.flying()

    def pay_in(self) -> None:
        """Each player pays {stake counter} into the pool, and the dealer twice that (Baxter-Wray p. 101)."""
        self.all_pay(self.rules.stake, "each pays in")
        self.into_pool(self.dealer, self.rules.stake, why="the dealer pays one more")

    def deal_cards(self, cards: int) -> None:
        """With variant = bird: Each player gets {cards card}, one at a time. The rest is the stock (Baxter-Wray
        pp. 101-102).

        With variant = ship: Each player gets three cards, one at a time (Foster, section Commerce)."""
        self.deal_hands(cards, self.rules.all_cards)
        self.tricks: list[tuple[tuple[Card, ...], ...]] = [()] * self.players
        self.received: list[tuple[Card, ...]] = [()] * self.players

    @property
    def stock(self) -> int:
        return len(self.pack)

    @property
    def round(self) -> int:
        return self.turns // self.players + 1

    @property
    def turn(self) -> int:
        return self.order[self.turns % self.players]

    def look_round(self) -> list[int]:
        """A hand may sing as soon as it is dealt (Baxter-Wray p. 101), that nearest to the dealer's left first (ours)."""
        return [seat for seat in self.order if self.rules.sings[suits_of(self.hands[seat])]]

    def birds_of(self, seat: int) -> list[tuple[Card, ...]]:
        """All choices of cards of one suit or, if those sing, of four different suits (Baxter-Wray pp. 101-102)."""
        hand = self.hands[seat]
        birds = places_that_sing(tuple(map(suit_of, hand)), self.rules.cards, self.rules.suits_that_sing)
        return [itemgetter(*places)(hand) for places in birds]

    def sing(self, seat: int) -> Story:
        """The first player whose hand sings takes the pool, and the deal is over (Baxter-Wray p. 101)."""
        yield Ask(seat, "sing", SING)
        self.sang = (seat,)
        self.take_pool(seat, why="the first bird to sing")
        self.ended = True

    def flying(self) -> Story:
        """A card goes round the table, first from the eldest hand, the player on the dealer's left, to the next on the
        left (Baxter-Wray p. 101).

        With method = throw: Each player throws one face down to the next, who sings with {cards card} of those they now
        have, or throws one on (Baxter-Wray pp. 101-102)."""
        hands, sings = self.hands, self.rules.sings
        thrown, giver, sang = self.rules.method == "throw", self.eldest, False
        for round in range(1, self.rules.max_rounds + 1):
            if round > 3 and not sang and self.stock:
                yield from self.renew(giver)
                if self.ended:
                    return
            for taker in (*self.order[1:], self.eldest):
                if thrown:
                    card = (yield Ask(giver, "throw", actions_for(hands[giver], (), THROW))).card
                else:
                    card = yield from self.drawn_from_the_backs(giver, taker)
                self.hand_over(card, giver, taker)
                self.turns += 1
                if sang := sings[suits_of(hands[taker])]:
                    yield from self.sing(taker)
                    if self.ended:
                        return
                giver = taker
        self.end_without_a_bird()

    @tells(lambda deal: f"the last round is over{'' if deal.sang else ', and no bird has sung'}")
    def end_without_a_bird(self) -> None:
        """After {max_rounds round} the deal is over (ours).

        Without whole_pack: The pool stays for the next deal (ours)."""
        self.ended = True

    def drawn_from_the_backs(self, giver: int, taker: int) -> Story:
        """With method = draw: Each player draws one unseen from the hand of the player before (Baxter-Wray p. 102), which
        is shuffled (ours), and sings with {cards card} of those they now have, or lets the next player draw (Baxter-Wray
        p. 102)."""
        hand = self.hands[giver]
        place = (yield Ask(taker, "draw", DRAW[: len(hand)])).amount
        return self.chance.shuffled(hand, f"backs {self.turns + 1}")[place - 1]

    def hand_over(self, card: Card, giver: int, taker: int) -> None:
        self.hands[giver].remove(card)
        self.hands[taker].append(card)
        self.received[taker] += (card,)

    def renew(self, eldest: int) -> Story:
        """From the fourth round on, the eldest hand may put a card away at the start of a round, and takes the first card
        of another suit from the stock (Baxter-Wray p. 102).

        If there is none, the card goes back (ours).

        With whole_pack: An eldest hand that has just sung may not (ours)."""
        hand = self.hands[eldest]
        out = (yield Ask(eldest, "renew", actions_for(hand, (PASS,), EXCHANGE))).card
        if not out:
            return
        hand.remove(out)
        while self.stock:
            (card,) = self.pack.draw(1)
            if card.suit != out.suit:
                hand.append(card)
                self.put_aside += 1
                break
            self.lay_aside(card)
        else:
            self.take_back(eldest, out)
        if self.rules.sings[suits_of(hand)]:
            yield from self.sing(eldest)

    @tells("{card} is of the same suit, and is laid aside")
    def lay_aside(self, card: Card) -> None:
        self.laid_aside = (*self.laid_aside, card)

    @tells("the stock has no other suit, and seat {seat} takes his card back")
    def take_back(self, seat: int, card: Card) -> None:
        self.hands[seat].append(card)

    def says(self, ask: Ask, action: Action) -> str:
        if action.verb == "draw":
            return f"draws the {ordinal(action.amount)} card of seat {self.turn}"
        if action.verb == "sing":
            return f"sings with {' '.join(action.cards or self.birds_of(ask.seat)[0])}"
        if action.verb in HANDED_ON:
            return HANDED_ON[action.verb].format(card=action.card or "a card", other=self.next_to(ask.seat))
        return super().says(ask, action)

    def refusal(self, ask: Ask, action: Action) -> str:
        named = action.cards
        if action.verb == "draw" and ask.phase == "draw":
            return f"no such card: there are {len(ask.legal)}"
        if action.verb in ("sing", ask.legal[-1].verb) and len(action.words) == len(named):
            for card in named:
                if card not in self.hands[ask.seat]:
                    return f"{card} is not in hand"
        if action.verb == "sing":
            return "does not sing" if named or ask.phase != "sing" else "several choices sing: name one"
        return "not legal: " + ", ".join(ask.legal[:6])

    def seen(self, ask: Ask, action: Action) -> Action:
        return say(action.verb) if action.cards and ask.phase != "sing" else action

    what_wins = """A hand sings with {cards card} of one suit. Ranks do not count (Baxter-Wray pp. 101-102).

With cards = 4 and flush_only = false: It also sings with four cards of four different suits (Baxter-Wray pp. 101-102).

Without whole_pack: The first to sing wins (Baxter-Wray p. 101).

With whole_pack: The player who sings most often wins (Baxter-Wray p. 102)."""
    course = "pay_in deal_cards look_round flying drawn_from_the_backs sing renew end_without_a_bird"

    played_with = "all_cards"
    phases = {
        "throw": "method throw: `throw As`, face down to the next seat",
        "draw": "method draw, to the next seat: `draw 2` takes the second card of the shuffled hand whose turn it is",
        "sing": "`sing`, which is forced; with whole_pack `sing As Kh 9d 2c`, if several choices sing",
        "renew": "to the eldest hand from the fourth round on: `pass`, or `exchange As` for another suit from the stock",
        "trade": "ship: `pass`, or `barter As` with the next seat",
        "answer": "ship, to the player who is offered a card unseen: `give As`",
        "sail": "ship: `sail` with a flush, which is forced",
    }

    class View(Bettering.View):
        """The names that everybody sees at My Bird Sings, and what the seat alone knows."""

        shown: Each[tuple[Card, ...]] = public("ship: the hands shown at the end, by seat; empty before")
        round: int = public("the number of the round, from 1; one begins each time it is the eldest hand's turn")
        turn: Seat = public("the seat whose turn it is: it throws, is drawn from, or may barter")
        sang: tuple[Seat, ...] = public("the seats whose hands have sung, in order; ship: the seat that has sailed")
        tricks: Each[tuple[tuple[Card, ...], ...]] = public(
            "whole_pack: the cards with which each seat has sung, by seat"
        )
        stock: int = public("how many cards are left in the stock")
        laid_aside: tuple[Card, ...] = public("the cards of the stock that were laid aside face up")
        put_aside: int = public("how many cards the eldest hand has put away face down")
        received: tuple[Card, ...] = private(
            "the cards that you have received from other players in this deal, in order"
        )


class OfTheWholePack(MyBirdSings):
    """A bird is a trick, for which new cards are dealt, until the pack is out."""

    course = """pay_in deal_cards look_round flying drawn_from_the_backs sing turn_over renew end_without_a_bird
most_tricks_win"""

    def deal(self) -> Story:
        yield from super().deal()
        self.most_tricks_win()

    def sing(self, seat: int) -> Story:
        """A player whose hand sings lays the cards that sing on the table as a trick (Baxter-Wray p. 102). The new cards
        may make another (ours)."""
        while not self.ended and (birds := self.birds_of(seat)):
            action = yield Ask(seat, "sing", AnyOrder([say("sing", *bird) for bird in birds]) if birds[1:] else SING)
            self.sang = (*self.sang, seat)
            self.turn_over(seat, action.cards or birds[0])

    @tells(
        lambda deal, seat, bird: "the stock has not so many cards, and it was the last trick" if deal.ended else None
    )
    def turn_over(self, seat: int, bird: tuple[Card, ...]) -> None:
        """They get as many new cards from the stock (Baxter-Wray p. 102). When it has too few the deal is over (ours)."""
        hand = self.hands[seat]
        for card in bird:
            hand.remove(card)
        self.tricks[seat] += (bird,)
        if self.stock < len(bird):
            self.ended = True
        else:
            hand += self.pack.draw(len(bird))

    def most_tricks_win(self) -> None:
        """The most tricks take the pool, and equal numbers share it (Baxter-Wray p. 102).

        Odd counters stay for the next deal, and so does the whole pool if there is no trick (ours)."""
        most = max(map(len, self.tricks))
        if most:
            self.divide_pool([seat for seat in self.order if len(self.tricks[seat]) == most], "the most tricks")


HANDED_ON = {
    "throw": "throws {card} to seat {other}",
    "exchange": "puts {card} aside for another suit",
    "barter": "offers {card} to seat {other}",
    "give": "gives {card} for it",
}

COUNT = {card: 16 ** SUITS.index(card.suit) for card in PACK}  # four bits for each suit


def suits_of(hand: Sequence[Card]) -> int:
    # how many cards of each suit a hand has, as one number
    return sum(map(COUNT.__getitem__, hand))


class Singing(dict[int, bool]):
    """Whether a hand makes a bird, by its `suits_of`: so many cards, of as many suits (Baxter-Wray pp. 101-102)."""

    def __init__(self, cards: int, kinds: tuple[int, ...]) -> None:
        self.cards, self.kinds = cards, kinds

    def __missing__(self, counts: int) -> bool:
        suits = tuple([suit for place, suit in enumerate(SUITS) for _ in range(counts >> 4 * place & 15)])
        self[counts] = bool(places_that_sing(suits, self.cards, self.kinds))
        return self[counts]


suit_of = attrgetter("suit")


@cache
def places_that_sing(suits: tuple[str, ...], cards: int, kinds: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Which places of a hand of these suits make a bird (Baxter-Wray pp. 101-102)."""
    choices = combinations(range(len(suits)), cards)
    return [places for places in choices if len({suits[place] for place in places}) in kinds]
