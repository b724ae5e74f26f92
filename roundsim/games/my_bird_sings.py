"""My Bird Sings: one card handed on round the table (Baxter-Wray, "Round Games with Cards", 1891, pp. 101-102).

My Ship Sails is another game of it (Foster, "The Poker Family")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from ..actions import PASS, Action, AnyOrder, say
from ..cards import PACK, PACK_32, Card
from ..mechanics.exchange import Exchange, best_suit
from ..options import FLAG, OneOf, Option, Rules, between
from ..table import Ask, Story

SING, SAIL = say("sing"), say("sail")
DRAW = tuple([say("draw", k) for k in range(1, 6)])
THROW, EXCHANGE, BARTER, GIVE = [
    {card: say(verb, card) for card in PACK} for verb in ("throw", "exchange", "barter", "give")
]
BIRD_ONLY = ("method", "cards", "flush_only", "whole_pack", "max_rounds")


class MyBirdSings(Exchange):
    """Each hands a card on to the next, until somebody holds four of one suit or of four suits."""

    id = "my-bird-sings"
    title = "My Bird Sings"
    family = "commerce"
    seats = (2, 13)
    usual = (5, 8)
    source = 'Baxter-Wray, "Round Games with Cards", 1891, pp. 101-102; Foster, "The Poker Family"'
    course = """Each pays one counter into the pool, the dealer two. Four cards each; the rest is the stock. The first
whose bird sings takes the pool: who holds four cards of one suit, or of four different suits. It may sing as it is
dealt, the one nearest to eldest first. Otherwise eldest throws out a card, face down, to the next on the left, who now
has five; he sings, or throws one to the next, and so on round and round; or each draws one from the backs of his
neighbour's hand. From the fourth round on eldest, before he throws, may put a card aside for the first of another suit
in the stock. If no bird has sung after the last round the pool stays.

My Ship Sails: three cards each; in two rounds each may barter a card with the next on the left, both unseen. The first
flush ends it. The highest flush takes the pool, or else the highest two cards of one suit."""

    options = (
        Option(
            "variant", "bird", OneOf("bird", "ship"), "My Bird Sings, or My Ship Sails", "Baxter-Wray p. 101; Foster"
        ),
        Option(
            "pack", "52", OneOf("52", "32"), "with 32: seven to ace, for at most eight players", "Baxter-Wray p. 101"
        ),
        Option(
            "stake", 1, between(1, 100), "what each pays; in the bird the dealer twice", "Baxter-Wray p. 101; Foster"
        ),
        Option(
            "method",
            "throw",
            OneOf("throw", "draw"),
            "a card is thrown to the next, or he draws one, unseen, from the backs of the hand",
            "Baxter-Wray p. 102",
        ),
        Option("cards", 4, OneOf(4, 3), "of a hand, and of a bird; three must be of one suit", "Baxter-Wray p. 102"),
        Option("flush_only", False, FLAG, "four suits do not sing", "Baxter-Wray p. 102"),
        Option(
            "whole_pack",
            False,
            FLAG,
            "a bird is a trick, new cards are dealt for it; most tricks win",
            "Baxter-Wray p. 102",
        ),
        Option("max_rounds", 20, between(3, 200), "the deal ends after so many rounds", "ours"),
        Option("ship_rounds", 2, between(1, 10), "ship: rounds of exchange", "Foster"),
    )

    @classmethod
    def refusals(cls, rules: Rules) -> Iterator[str]:
        players, given, ship = rules.players, rules.given, rules.variant == "ship"
        for key in BIRD_ONLY if ship else ("ship_rounds",):
            if key in given:
                yield f'{key} with variant = "{rules.variant}": it belongs to {"bird" if ship else "ship"}'
        if ship and rules.pack == "32":
            yield 'pack = "32" with variant = "ship": Foster has the whole pack'
        if ship and players > 12:
            yield f'variant = "ship" with {players} players: at most twelve'
        if rules.cards == 3 and "flush_only" in given and not rules.flush_only:
            yield "flush_only = false with cards = 3: three cards sing only if they are of one suit"
        if rules.pack == "32" and players > 8:
            yield f'pack = "32" with {players} players: at most eight'

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        rules.suits_that_sing = (1,) if rules.flush_only else (1, 4)

    keys = ("backs",)
    phases = {
        "throw": "method throw: `throw As`, face down to the next seat",
        "draw": "method draw, to the next seat: `draw 2`, the second of the backs of the hand in turn, which lie shuffled",
        "sing": "`sing`, forced; whole_pack: `sing As Kh 9d 2c`, where there are several choices",
        "renew": "to eldest from the fourth round on: `pass`, or `exchange As` for the first other suit in the stock",
        "trade": "ship: `pass`, or `barter As` with the next seat",
        "answer": "ship, to whom a card is bartered unseen: `give As`",
        "sail": "ship: `sail` with a flush, forced",
    }
    public = {
        "order": Exchange.public["order"],
        "round": "the round that is played, from 1; one begins each time the turn is with eldest",
        "turn": "the seat in turn: it throws, is drawn from, or may barter",
        "sang": "the seats whose birds have sung, the first first; ship: the seat that has sailed",
        "tricks": "the birds of each seat that lie on the table (whole_pack)",
        "stock": "how many cards are left in the stock",
        "laid_aside": "cards of the stock laid aside face up",
        "put_aside": "how many cards eldest has put aside face down",
        "shown": "ship: the hands at the show, by seat; empty before",
    }
    private = {"received": "the cards that you have had from your neighbours in this deal, the last last"}

    def deal(self) -> Story:
        ship = self.rules.variant == "ship"
        self.pay_in(0 if ship else self.rules.stake)
        self.deal_cards(3 if ship else self.rules.cards)
        if ship:
            yield from self.bartering()
            self.show(ship_value)
            self.take_pool(self.best()[0])
            return
        yield from self.flying()
        if self.rules.whole_pack:
            self.most_tricks_win()

    def pay_in(self, dealers: int) -> None:
        """Each pays the stake; so much more is the dealer's."""
        for seat in range(self.players):
            self.into_pool(seat, self.rules.stake)
        self.into_pool(self.dealer, dealers)

    def deal_cards(self, cards: int) -> None:
        """One at a time, eldest first; the rest is the stock."""
        self.deal_hands(cards, table=False, pack=PACK if self.rules.pack == "52" else PACK_32)
        self.sang: list[int] = []
        self.tricks: list[list[tuple[Card, ...]]] = [[] for _ in range(self.players)]
        self.laid_aside: list[Card] = []
        self.put_aside = 0
        self.received: list[list[Card]] = [[] for _ in range(self.players)]
        self.ended = False

    @property
    def stock(self) -> int:
        return len(self.pack)

    @property
    def round(self) -> int:
        return self.turns // self.players + 1

    @property
    def turn(self) -> int:
        return self.order[self.turns % self.players]

    # the bird

    def flying(self) -> Story:
        """The dealt hands are looked at, eldest first; then a card goes round and round, until the deal is over."""
        for seat in self.order:
            yield from self.look_at(seat)
            if self.ended:
                return
        sang = False
        while not self.ended and self.round <= self.rules.max_rounds:
            giver = self.turn
            if giver == self.order[0] and self.round > 3 and not sang and self.stock:
                yield from self.renew(giver)
                if self.ended:
                    return
            taker = self.next_to(giver)
            yield from self.hand_on(giver, taker)
            self.turns += 1
            sang = yield from self.look_at(taker)

    def look_at(self, seat: int) -> Story:
        """A bird must sing, and takes the pool; of the whole pack it is a trick. Returns whether it has sung."""
        sang = False
        while not self.ended and (birds := self.birds_in(self.hands[seat])):
            choose = self.rules.whole_pack and len(birds) > 1
            said = yield Ask(seat, "sing", AnyOrder([say("sing", *bird) for bird in birds]) if choose else (SING,))
            self.sang.append(seat)
            sang = True
            if self.rules.whole_pack:
                self.turn_over(seat, said.cards or birds[0])
            else:
                self.take_pool(seat)
                self.ended = True
        return sang

    def birds_in(self, hand: list[Card]) -> list[tuple[Card, ...]]:
        """All choices of cards that sing."""
        if len({card.suit for card in hand}) == 3:  # neither of one suit, nor of four
            return []
        suits = self.rules.suits_that_sing
        return [bird for bird in combinations(hand, self.rules.cards) if len({card.suit for card in bird}) in suits]

    def turn_over(self, seat: int, bird: tuple[Card, ...]) -> None:
        """A trick, for which as many new cards are given; when there are not so many the deal is over."""
        hand = self.hands[seat]
        for card in bird:
            hand.remove(card)
        self.tricks[seat].append(bird)
        if self.stock < len(bird):
            self.ended = True
        else:
            hand += self.pack.draw(len(bird))

    def hand_on(self, giver: int, taker: int) -> Story:
        """A card thrown face down, or one drawn from the backs, which are shuffled so that their place tells nothing."""
        hand = self.hands[giver]
        if self.rules.method == "throw":
            card = (yield Ask(giver, "throw", tuple([THROW[card] for card in hand]))).card
        else:
            place = (yield Ask(taker, "draw", DRAW[: len(hand)])).amount
            card = self.chance.shuffled(hand, f"backs {self.turns + 1}")[place - 1]
        self.hand_over(card, giver, taker)

    def hand_over(self, card: Card, giver: int, taker: int) -> None:
        self.hands[giver].remove(card)
        self.hands[taker].append(card)
        self.received[taker].append(card)

    def renew(self, eldest: int) -> Story:
        """He may put a card aside for the first of another suit in the stock; if there is none he takes it back."""
        hand = self.hands[eldest]
        out = (yield Ask(eldest, "renew", (PASS, *[EXCHANGE[card] for card in hand]))).card
        if not out:
            return
        hand.remove(out)
        while self.stock:
            (card,) = self.pack.draw(1)
            if card.suit != out.suit:
                hand.append(card)
                self.put_aside += 1
                break
            self.laid_aside.append(card)
        else:
            hand.append(out)
        yield from self.look_at(eldest)

    def most_tricks_win(self) -> None:
        """Equal numbers share the pool, and an odd remainder stays; without a trick all of it stays."""
        most = max(map(len, self.tricks))
        if most:
            self.divide_pool([seat for seat in self.order if len(self.tricks[seat]) == most])

    # the ship

    def bartering(self) -> Story:
        """Each in turn may barter a card with the next, who must give one for it; the first flush ends it."""
        yield from self.look_for_a_sail()
        while not self.sang and self.round <= self.rules.ship_rounds:
            seat, other = self.turn, self.next_to(self.turn)
            offered = (yield Ask(seat, "trade", (PASS, *[BARTER[card] for card in self.hands[seat]]))).card
            if offered:
                given = (yield Ask(other, "answer", tuple([GIVE[card] for card in self.hands[other]]))).card
                self.hand_over(offered, seat, other)
                self.hand_over(given, other, seat)
                yield from self.look_for_a_sail()
            self.turns += 1

    def look_for_a_sail(self) -> Story:
        """The first flush, from eldest on, sails."""
        for seat in self.order:
            if len({card.suit for card in self.hands[seat]}) == 1:
                yield Ask(seat, "sail", (SAIL,))
                self.sang.append(seat)
                return

    # words

    def refusal(self, ask: Ask, said: Action) -> str:
        named = said.cards
        if said.verb == "draw" and ask.phase == "draw":
            return f"no such card: there are {len(ask.legal)}"
        if said.verb in ("sing", ask.legal[-1].verb) and len(said.words) == len(named):
            for card in named:
                if card not in self.hands[ask.seat]:
                    return f"{card} is not in hand"
        if said.verb == "sing":
            return "does not sing" if named or ask.phase != "sing" else "several choices sing: name one"
        return "not legal: " + ", ".join(ask.legal[:6])

    def seen(self, ask: Ask, action: Action) -> Action:
        """Nobody sees what is thrown, put aside, offered or given."""
        return say(action.verb) if action.cards and ask.phase != "sing" else action


def ship_value(hand: Sequence[Card]) -> tuple[bool, int]:
    """A flush, by its pips; or else the pips of two cards of one suit."""
    total, cards = best_suit(hand, 2)
    return cards == 3, total
