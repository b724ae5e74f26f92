"""Loo: three-card, five-card and Irish (Baxter-Wray, "Round Games with Cards", 1891, pp. 16-30)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..actions import STAND, Action, Subsets, say
from ..cards import CARD, PACK, PACK_32, SUITS, Card
from ..mechanics.tricks import Tricks
from ..options import FLAG, OneOf, Option, Rules, at_least
from ..table import Ask, Carry, Story, number_only

FOLD, MISS, DEFEND = say("fold"), say("miss"), say("defend")
TRUMP = 20  # is added to the rank of a trump, and twice to Pam's


class Loo(Tricks):
    """Tricks for shares of a pool: who stands and takes none is looed, and pays for the next."""

    id = "loo"
    title = "Loo"
    family = "tricks"
    seats = (2, 12)
    usual = (5, 5)
    source = 'Baxter-Wray, "Round Games with Cards", 1891, pp. 16-30'
    course = """The dealer pays into the pool. In a single one card is turned, and one dealt to each: the highest above it
of its suit takes the pool, and the others are looed. Otherwise three cards each (five-card loo: five) and a trump is
turned; each in turn stands, throws up, or takes the spare hand, the miss (five-card, Irish: exchanges cards).
Who can must head the trick. Each trick takes its share of the pool; who stood and has none is looed, which makes the
next pool. After a deal in which nobody was looed comes a single."""

    options = (
        Option("variant", "three-card", OneOf("three-card", "five-card", "irish"), "three cards with the miss; "
               "five with Pam and exchange; Irish: three with exchange", "Baxter-Wray pp. 16, 27, 28"),
        Option("pack", "52", OneOf("52", "32"), "with 32: seven to ace", "Baxter-Wray p. 28"),
        Option("deal_stake", lambda rules: 5 if rules.variant == "five-card" else 3, at_least(1),
               "paid into the pool by each dealer", "Baxter-Wray p. 18", usual="3; five-card 5"),
        Option("loo", lambda rules: 10 if rules.variant == "five-card" else 6, at_least(1),
               "the loo, where it is fixed", "Baxter-Wray p. 18", usual="6; five-card 10"),
        Option("single_loo", lambda rules: 5 if rules.variant == "five-card" else 3, at_least(1),
               "the loo of a single", "Baxter-Wray pp. 18, 23", usual="3; five-card 5"),
        Option("loo_mode", "fixed", OneOf("fixed", "unlimited", "mixed"),
               "the loo is fixed; unlimited: as much as the pool; mixed: as the pool, up to a limit",
               "Baxter-Wray pp. 22, 26"),
        Option("loo_limit", 30, at_least(1), "the limit of mixed loo", "Baxter-Wray p. 26"),
        Option("club_law", False, FLAG, "when clubs are trumps all must stand", "Baxter-Wray p. 26"),
        Option("lead_law", "highest", OneOf("highest", "any-trump"),
               "what who leads first must lead of two trumps or more", "Baxter-Wray pp. 20, 23"),
        Option("miss_leads", False, FLAG, "who holds the miss leads", "Baxter-Wray p. 20"),
        Option("dealer_out", False, FLAG, "the dealer stands out, and pays his stake", "Baxter-Wray p. 16"),
        Option("pam", lambda rules: "clubs" if rules.variant == "five-card" else "none",
               OneOf("clubs", "trumps", "none"), "the knave that is the highest trump", "Baxter-Wray p. 27",
               usual="clubs in five-card, else none"),
        Option("pam_civil", True, FLAG, "Pam does not take the ace of trumps when that is led", "Baxter-Wray p. 28"),
        Option("flush", lambda rules: rules.variant == "five-card", FLAG, "a hand of one suit takes the pool unplayed",
               "Baxter-Wray p. 27", usual="true in five-card, else false"),
    )  # fmt: skip

    @classmethod
    def refusals(cls, rules: Rules) -> Iterator[str]:
        players, variant, given = rules.players, rules.variant, rules.given
        playing = players - rules.dealer_out
        if playing < 2:
            yield f"dealer_out = true with {players} players leaves fewer than two to play"
        if variant == "five-card" and players > 6:
            yield f'variant = "five-card" with {players} players: at most six'
        if rules.pam != "none" and variant != "five-card":
            yield f'pam = "{rules.pam}" with variant = "{variant}": Pam is of five-card loo'
        if rules.flush and variant == "three-card":
            yield 'flush = true with variant = "three-card": flushes are of five-card and Irish loo'
        if "pam_civil" in given and variant == "three-card":
            yield 'pam_civil with variant = "three-card": there is no Pam'
        if rules.miss_leads and variant != "three-card":
            yield f'miss_leads = true with variant = "{variant}": there is no miss'
        if "loo_limit" in given and rules.loo_mode != "mixed":
            yield f'loo_limit with loo_mode = "{rules.loo_mode}": it is for mixed loo'
        if "loo" in given and rules.loo_mode != "fixed":
            yield f'loo with loo_mode = "{rules.loo_mode}": it is for fixed loo'
        if cls._tricks(rules) * (playing + (variant == "three-card")) + 1 > int(rules.pack):
            yield f'pack = "{rules.pack}" with {players} players at {variant} loo: there are not so many cards'

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        """For each suit of trumps: which card is Pam, the suit that each card belongs to, and its power in a trick."""
        rules.tricks = cls._tricks(rules)
        rules.has_miss = rules.variant == "three-card"
        rules.cards = PACK if rules.pack == "52" else PACK_32
        pams = {"none": None, "clubs": CARD["Jc"]}
        rules.pam_of = {trumps: pams.get(rules.pam, CARD[f"J{trumps}"]) for trumps in SUITS}
        rules.suits = {
            trumps: {card: trumps if card is pam else card.suit for card in PACK}
            for trumps, pam in rules.pam_of.items()
        }
        rules.powers = {
            trumps: {card: card.rank + TRUMP * ((suit == trumps) + (card is pam)) for card, suit in suits.items()}
            for (trumps, suits), pam in zip(rules.suits.items(), rules.pam_of.values(), strict=True)
        }

    @staticmethod
    def _tricks(rules: Rules) -> int:
        return 5 if rules.variant == "five-card" else 3

    pool_names = ("pool",)
    carried = {"single": Carry(True, "whether the next deal is a single: nobody was looed in the last")}
    phases = {
        "declare": "`fold`, `stand`, or `miss` to take the spare hand; to the last hand against one `defend`, to play "
        "the miss for the pool; five-card and Irish: `discard 2c 5d` stands with as many from the stock",
        "play": "`play As`: the suit led must be followed, and the trick headed, with a trump too, by who can",
    }
    public = {
        "order": "the seats that have cards, eldest first, the last hand last",
        "played_for": "the pool that is played for, the dealer's stake in it",
        "loo": "what who is looed in this deal will pay",
        "turn_up": "the card turned up",
        "faced": "in a single, in which nobody is asked, the cards dealt face up, in that order",
        "trumps": "its suit, s h d c",
        "pam": "the card that is Pam in this deal, if there is one",
        "declared": "what each has said, by seat, `discard 2` for an exchange; None before, and where nobody was asked",
        "standing": "the seats that stand, in their order",
        "miss": "the seat that holds the miss; None while nobody does",
        "defender": "the seat that plays the miss for the pool, if one does",
        "stock": "how many cards are left in the stock",
        **Tricks.public,
        "winners": "who took each of them",
    }
    private = {"thrown_up": "the cards you have thrown up, or put out for others"}

    single: bool
    turn_up: Card
    faced: list[Card]
    standing: list[int]
    miss: Any
    defender: Any
    best: Card
    winners: list[int]

    def deal(self) -> Story:
        self.pay_stake()
        if self.single:
            self.play_single()
            return
        self.deal_cards()
        if self.rules.has_miss and self.must_stand():
            self.standing = [*self.order]
        else:
            yield from self.declaring()
        if flushes := self.flushes():
            self.pay_flush(flushes)
        elif len(self.standing) == 1:
            self.take_unplayed(self.standing[0])
        else:
            yield from self.playing()
            self.settle()

    def pay_stake(self) -> None:
        """The dealer pays his stake; with dealer_out he has no other part in the deal."""
        self.into_pool(self.dealer, self.rules.deal_stake)
        seats = self.round_from(self.eldest)
        self.order = seats[:-1] if self.rules.dealer_out else seats
        self.played_for = self.pools["pool"]

    def play_single(self) -> None:
        """A card is turned, and one dealt to each: the highest above it of its suit takes all, the others are looed."""
        self.pack = self.chance.pack(self.rules.cards)
        self.turn_up, *self.faced = self.pack.draw(1 + len(self.order))
        up = self.turn_up
        higher = [card for card in self.faced if card.suit == up.suit and card.rank > up.rank]
        best = max(higher, key=lambda card: card.rank, default=None)
        for seat, card in zip(self.order, self.faced, strict=True):
            if card is best:
                self.into_pool(seat, -self.played_for)
            else:
                self.into_pool(seat, self.rules.single_loo)
        self.single = False

    def deal_cards(self) -> None:
        """One at a time, the miss after the last seat in every round; the next card is turned up for trumps."""
        rules = self.rules
        self.pack = self.chance.pack(rules.cards)
        hands = len(self.order) + rules.has_miss
        drawn = self.pack.draw(rules.tricks * hands + 1)
        self.turn_up = drawn.pop()
        self.hands: list[list[Card]] = [[] for _ in range(self.players)]
        for place, seat in enumerate(self.order):
            self.hands[seat] = drawn[place::hands]
        self.spare = drawn[hands - 1 :: hands] if rules.has_miss else []
        self.stock = len(self.pack)
        self.trumps = self.turn_up.suit
        self.pam: Card | None = rules.pam_of[self.trumps]
        self.suit: dict[Card, str] = rules.suits[self.trumps]
        self.power: dict[Card, float] = rules.powers[self.trumps]
        limit = {"fixed": rules.loo, "unlimited": self.played_for, "mixed": min(self.played_for, rules.loo_limit)}
        self.loo: int = limit[rules.loo_mode]
        self.declared: list[Action | None] = [None] * self.players
        self.faced, self.standing = [], []
        self.thrown_up: list[Sequence[Card]] = [()] * self.players
        self.miss, self.defender = None, None
        self.clear_the_table()
        self.winners = []

    # Declaring.

    def declaring(self) -> Story:
        """Once round, each declares; if all the others have thrown up the last hand stands, and is not asked."""
        *others, last = self.order
        for seat in others:
            self.declare(seat, (yield Ask(seat, "declare", self.may_declare(seat))))
        if self.standing:
            self.declare(last, (yield Ask(last, "declare", self.last_may_declare(last))))
        else:
            self.standing.append(last)

    def may_declare(self, seat: int) -> Sequence[Action]:
        """Throw up or stand; take the miss while it is there; exchange as many cards as the stock holds."""
        if self.rules.has_miss:
            return (FOLD, STAND, MISS) if self.miss is None else (FOLD, STAND)
        plain = (STAND,) if self.must_stand() else (FOLD, STAND)
        return Subsets("discard", self.hands[seat], 1, self.stock, plain) if self.stock else plain

    def last_may_declare(self, seat: int) -> Sequence[Action]:
        """Against one who plays his own cards, the last hand must stand, take the miss, or defend the pool with it."""
        against_one = self.rules.has_miss and self.miss is None and len(self.standing) == 1
        return (DEFEND, STAND, MISS) if against_one else self.may_declare(seat)

    def must_stand(self) -> bool:
        """The club law."""
        return bool(self.rules.club_law and self.trumps == "c")

    def declare(self, seat: int, said: Action) -> None:
        """Cards thrown up are not shown; those put out are made up from the top of the stock."""
        hand = self.hands[seat]
        self.declared[seat] = number_only(said)
        if said is FOLD:
            self.thrown_up[seat], self.hands[seat] = hand, []
            return
        self.standing.append(seat)
        if said is MISS or said is DEFEND:
            self.thrown_up[seat], self.hands[seat] = hand, self.spare
            self.miss, self.defender = seat, seat if said is DEFEND else None
        elif said is not STAND:
            for card in said.cards:
                hand.remove(card)
            self.thrown_up[seat] = said.cards
            hand += self.pack.draw(len(said.cards))
            self.stock = len(self.pack)

    # What is not played.

    def flushes(self) -> list[int]:
        """The seats that stand with a hand of one suit, Pam of any: best in trumps, then with Pam, then the elder."""
        if not self.rules.flush:
            return []
        held = {}
        for seat in self.standing:
            hand = self.hands[seat]
            suits = {card.suit for card in hand if card is not self.pam}
            if len(suits) == 1:
                held[seat] = (self.trumps in suits, self.pam in hand)
        return sorted(held, key=held.__getitem__, reverse=True)

    def pay_flush(self, flushes: list[int]) -> None:
        """The best takes the pool, and a loo from each other seat, but for those that stand with a flush."""
        best = flushes[0]
        for seat in self.order:
            if seat not in flushes:
                self.pay(seat, best, self.loo)
        self.take_unplayed(best)

    def take_unplayed(self, seat: int) -> None:
        """Nobody is looed, and the next deal is a single."""
        self.take_pool(seat)
        self.single = True

    # The play.

    def playing(self) -> Story:
        """The first seat that stands leads, or the miss; the winner of each trick leads to the next."""
        self.leader = self.standing[0]
        if self.rules.miss_leads and self.miss is not None:
            self.leader = self.miss
        for _ in range(self.rules.tricks):
            winner = yield from self.one_trick()
            self.winners.append(winner)
            self.gather(winner)

    def one_trick(self) -> Story:
        """The highest trump takes it, or else the highest card of the suit led."""
        trick, at = self.trick, self.standing.index(self.leader)
        seats = self.standing[at:] + self.standing[:at]
        for seat in seats:
            hand = self.hands[seat]
            cards = self.may_follow(hand) if trick else self.may_lead(hand)
            card = (yield Ask(seat, "play", tuple([card.play for card in cards]))).card
            hand.remove(card)
            trick.append(card)
            if len(trick) == 1 or self.heads(card):
                self.best = card
        return seats[trick.index(self.best)]

    def heads(self, card: Card) -> bool:
        """Whether this card beats the best on the table."""
        suit = self.suit[card]
        return self.power[card] > self.power[self.best] and (suit == self.trumps or suit == self.suit[self.best])

    def may_lead(self, hand: list[Card]) -> list[Card]:
        """First the ace of trumps, or else one of two trumps or more; to the second trick the highest trump; then any."""
        first, second = not self.tricks, len(self.tricks) == 1
        if first and self.best_trump_but_pam() in hand:
            return [self.best_trump_but_pam()]
        trumps = [card for card in hand if self.suit[card] == self.trumps]
        if first and len(trumps) > 1 and self.rules.lead_law == "any-trump":
            return trumps
        if first and len(trumps) > 1 or second and trumps:
            return [max(trumps, key=self.power.__getitem__)]
        return hand

    def best_trump_but_pam(self) -> Card:
        """The ace of trumps; the king, if the ace is turned up."""
        ace = CARD["A" + self.trumps]
        return CARD["K" + self.trumps] if self.turn_up is ace else ace

    def may_follow(self, hand: list[Card]) -> list[Card]:
        """Who can follows suit, and heads the trick; who has none of the suit trumps it, if that heads it."""
        suit, trumps = self.suit, self.trumps
        led = suit[self.trick[0]]
        following = [card for card in hand if suit[card] == led]
        if not following:
            return [card for card in hand if suit[card] == trumps and self.heads(card)] or hand
        if self.pam in following and self.pam_is_civil(following):
            return [card for card in following if card is not self.pam]
        return [card for card in following if self.heads(card)] or following

    def pam_is_civil(self, following: list[Card]) -> bool:
        """When the ace of trumps is led Pam gives way, if there is another trump in the hand."""
        return bool(self.rules.pam_civil and self.trick[0] == "A" + self.trumps and len(following) > 1)

    def settle(self) -> None:
        """Each trick takes its share, a defender's stay in the pool; who stood for himself and won none is looed."""
        tricks = self.rules.tricks
        for number, winner in enumerate(self.winners, 1):
            if winner != self.defender:
                self.into_pool(winner, -((self.played_for + tricks - number) // tricks))
        looed = [seat for seat in self.standing if seat not in self.winners and seat != self.defender]
        for seat in looed:
            self.into_pool(seat, self.loo)
        self.single = not looed

    # Words.

    def refusal(self, ask: Ask, said: Action) -> str:
        hand = self.hands[ask.seat]
        if ask.phase == "declare":
            return self.declaration_refused(ask.seat, said)
        if said.card is None or said != said.card.play:
            return "not a legal action"
        if said.card not in hand:
            return f"{said.card} is not in hand"
        return self.card_refused(hand, said.card) if self.trick else self.lead_refused(hand)

    def declaration_refused(self, seat: int, said: Action) -> str:
        if self.rules.has_miss:
            if said == MISS:
                return "the miss is already taken"
            if said == FOLD:
                return "the last hand must stand, take the miss or defend"
            if said == DEFEND:
                return "only the last hand against one player"
        elif said == FOLD:
            return "club law: all must stand"
        elif said.verb == "discard" and said.words:
            if len(set(said.cards)) < len(said.words) or not set(said.cards) <= set(self.hands[seat]):
                return "not in hand"
            return f"not enough cards left: {self.stock} in the stock"
        return "not a legal action"

    def lead_refused(self, hand: list[Card]) -> str:
        """Only the first and the second lead are bound, to one card or to trumps."""
        legal, trumps = self.may_lead(hand), [card for card in hand if self.suit[card] == self.trumps]
        if not self.tricks and self.best_trump_but_pam() in hand:
            return f"must lead the {'ace' if legal[0].rank == 14 else 'king'} of trumps"
        return "must lead a trump" if legal == trumps else "must lead the highest trump"

    def card_refused(self, hand: list[Card], card: Card) -> str:
        led = self.suit[self.trick[0]]
        if self.suit[card] != led and any(self.suit[own] == led for own in hand):
            return "must follow suit"
        return "Pam must be civil" if self.heads(card) else "must head the trick"

    def seen(self, ask: Ask, action: Action) -> Action:
        return action if ask.phase == "play" else number_only(action)
