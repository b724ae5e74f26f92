"""Spoil Five: three tricks of five take the pool, or the deal is spoilt (Baxter-Wray, "Round Games
with Cards", 1891, pp. 103-107).

The pages with the ranks of the cards and the stakes are damaged; these are reconstructed from the common rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..actions import NO, STAND, YES, Action, say
from ..cards import PACK, SUITS, Card, card, cards
from ..mechanics.tricks import Tricks
from ..options import FLAG, OneOf, Option, Rules, at_least
from ..table import Ask, Carry, Story

FIVE, TAKE, JINK = say("five"), say("take"), say("jink")
ROB = {card: say("rob", card) for card in PACK}
ROBBED = say("rob")  # as the others see it
ACE = {suit: card("A" + suit) for suit in SUITS}
ACE_OF_HEARTS = ACE["h"]

TRUMPS = {  # high to low; the ace of hearts is always a trump
    "s": cards("5s Js Ah As Ks Qs 2s 3s 4s 6s 7s 8s 9s Ts"),
    "h": cards("5h Jh Ah Kh Qh Th 9h 8h 7h 6h 4h 3h 2h"),
    "d": cards("5d Jd Ah Ad Kd Qd Td 9d 8d 7d 6d 4d 3d 2d"),
    "c": cards("5c Jc Ah Ac Kc Qc 2c 3c 4c 6c 7c 8c 9c Tc"),
}
PLAIN = {
    "s": cards("Ks Qs Js As 2s 3s 4s 5s 6s 7s 8s 9s Ts"),
    "h": cards("Kh Qh Jh Th 9h 8h 7h 6h 5h 4h 3h 2h"),
    "d": cards("Kd Qd Jd Td 9d 8d 7d 6d 5d 4d 3d 2d Ad"),
    "c": cards("Kc Qc Jc Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc"),
}
ORDINARY = {suit: [card(rank + suit) for rank in "AKQJT98765432"] for suit in SUITS}


class Following(NamedTuple):
    """What a card led asks of the others: who holds one of `binding` may play only `allowed`, who holds none anything."""

    binding: frozenset[Card]
    allowed: frozenset[Card]
    refusal: str


class SpoilFive(Tricks):
    """Each plays for the pool, which three tricks take; whoever cannot win it spoils the deal for the others."""

    id = "spoil-five"
    title = "Spoil Five"
    family = "tricks"
    seats = (2, 10)
    usual = (4, 5)
    source = (
        'Baxter-Wray, "Round Games with Cards", 1891, pp. 103-107; ranks, pool and stakes, on damaged pages,'
        " reconstructed from the common rules"
    )
    course = """All stake to the pool, the dealer one more. Five cards each, three and two; the next is turned up for trumps.
Highest are the five and the knave of trumps and the ace of hearts, which need not be played to a lower trump led. To a
plain card follow suit or trump. Who holds the ace of trumps robs: he takes the turn-up for a card of his hand. The
first to win three tricks takes the pool. If nobody does the deal is spoilt: the pool stays, and all pay a smaller stake."""

    options = (
        Option("stake", 2, at_least(1), "paid to the pool by each", "Baxter-Wray p. 103, reconstructed"),
        Option("spoil_stake", 1, at_least(1), "paid by each after a spoilt deal", "Baxter-Wray p. 104, reconstructed"),
        Option(
            "deal_stake",
            1,
            at_least(0),
            "paid by the dealer besides, in every deal",
            "Baxter-Wray p. 104, reconstructed",
        ),
        Option(
            "deal_order", "3-2", OneOf("3-2", "2-3"), "three cards and then two, or two and then three", "reconstructed"
        ),
        Option(
            "ranking",
            "spoil-five",
            OneOf("spoil-five", "ordinary"),
            "of the cards in a suit; ordinary: ace to two in every suit",
            "Baxter-Wray p. 106",
        ),
        Option(
            "robbing",
            "compulsory",
            OneOf("compulsory", "optional", "off"),
            "exchange of a card for the turn-up; compulsory: the holder of the ace who does not is debarred",
            "Baxter-Wray pp. 105-106",
        ),
        Option("tricks_to_win", 3, OneOf(2, 3), "tricks that take the pool", "Baxter-Wray p. 107"),
        Option("partners", False, FLAG, "the even seats play against the odd", "Baxter-Wray pp. 104, 107"),
        Option("fiving", False, FLAG, "the eldest hand may ask for another turn-up", "Baxter-Wray p. 107"),
        Option("jinking", False, FLAG, "who has won every trick may try for all five", "Baxter-Wray p. 107"),
        Option(
            "game",
            "pool",
            OneOf("pool", "25", "45"),
            "played for the pool by deals, or on points, five for a trick, until somebody has 25 or 45",
            "Baxter-Wray p. 107",
        ),
    )

    @classmethod
    def refusals(cls, rules: Rules) -> Iterator[str]:
        players, scored = rules.players, f'game = "{rules.game}"' if rules.game != "pool" else ""
        if rules.partners and (players < 4 or players % 2):
            yield f"partners = true with {players} players: an even number from four is needed"
        if rules.fiving and players > 2 and not rules.partners:
            yield f"fiving = true with {players} players and partners = false: it is for two, or for partners"
        if scored and rules.jinking:
            yield f"jinking = true with {scored}: three tricks do not win it"
        if scored and rules.tricks_to_win == 2:
            yield f"tricks_to_win = 2 with {scored}: tricks are played for points there"
        if scored and "spoil_stake" in rules.given:
            yield f"spoil_stake with {scored}: no deal is spoilt"
        if rules.jinking and rules.partners:
            yield "jinking = true with partners = true: it is for a seat alone"
        if rules.tricks_to_win == 2 and (players == 2 or rules.partners):
            two_sides = "partners = true" if rules.partners else "2 players"
            yield f"tricks_to_win = 2 with {two_sides}: three tricks always fall to one side"
        if rules.spoil_stake > rules.stake:
            yield f"spoil_stake = {rules.spoil_stake} with stake = {rules.stake}: it may not be more"

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        """For each suit of trumps: how high the cards stand in a trick, and what may be played to each card led."""
        special = rules.ranking == "spoil-five"
        trumps, plain = (TRUMPS, PLAIN) if special else (ORDINARY, ORDINARY)
        rules.heights = {
            suit: {led: heights(trumps[suit], plain[led] if led != suit else []) for led in SUITS} for suit in SUITS
        }
        rules.following = {
            suit: {led: following(led, suit, trumps[suit], plain[led.suit], special) for led in PACK} for suit in SUITS
        }
        sides = cls.sitting_sides(rules) or range(rules.players)
        rules.side = [{seat for seat, side in enumerate(sides) if side == own} for own in sides]

    @classmethod
    def sitting_sides(cls, rules: Rules) -> list[int] | None:
        return [seat % 2 for seat in range(rules.players)] if rules.partners else None

    @classmethod
    def sitting(cls, rules: Rules) -> int:
        """Each seat deals once, or twice where 45 must be reached."""
        return int(rules.players) * (2 if rules.game == "45" else 1)

    pool_names = ("pool",)
    carried = {
        "live": Carry(False, "whether the last deal was spoilt; or, with game 25 or 45, a game is in progress"),
        "scores": Carry(
            lambda rules, dealer: [0] * rules.players, "with game 25 or 45: the points of each seat", "each"
        ),
    }
    phases = {
        "five": "option fiving, to the eldest hand: `stand`, or `five` to ask for another turn-up",
        "answer": "after `five`, to the dealer: `yes` or `no`",
        "rob": "to the dealer if the ace is turned up, or to its holder: `no`, or `rob 2c` to put out that card",
        "play": "`play As`: to a plain card suit or trump; to a trump a trump, but for higher ones of the first three",
        "jink": "option jinking, to who has won every trick: `take` the pool, or `jink` to try for all five",
    }
    public = {
        "order": "the seats, eldest first, the dealer last",
        "turn_up": "the card turned up for trumps, also when it has been taken",
        "turned": "the cards turned up before it and put away",
        "trumps": "the suit of trumps, s h d c",
        "robber": "the seat that has taken the turn-up; None: nobody",
        "declined": "the seat that could have taken it and would not; None: nobody",
        "debarred": "the seat whose tricks do not count; None: nobody",
        **Tricks.public,
        "jinker": "the seat that tries for all five tricks; None: nobody",
        "live": carried["live"].help,
        "scores": carried["scores"].help,
    }
    private = {"put_out": "the card you have put out for the turn-up"}

    live: bool
    scores: list[int]
    turn_up: Card
    robber: int | None
    declined: int | None
    debarred: int | None
    jinker: int | None
    winner: int | None
    may_rob: int | None

    def deal(self) -> Story:
        self.pay_stakes()
        self.deal_cards()
        if self.rules.fiving:
            yield from self.asking_for_another_turn_up()
        if self.rules.robbing != "off":
            yield from self.looking_for_the_ace()
        yield from self.playing()
        self.settle()

    def pay_stakes(self) -> None:
        """All pay the stake, less after a spoilt deal, nothing while a game of 25 or 45 goes on; the dealer one more."""
        rules = self.rules
        after = rules.spoil_stake if rules.game == "pool" else 0
        for seat in range(self.players):
            self.into_pool(seat, after if self.live else rules.stake)
        self.into_pool(self.dealer, rules.deal_stake)

    def deal_cards(self) -> None:
        """Three each and then two, or two and then three; the next card is turned up."""
        self.sides = self.sitting_sides(self.rules)
        self.order = self.round_from(self.eldest)
        self.pack = self.chance.pack(PACK)
        first, n = 3 if self.rules.deal_order == "3-2" else 2, self.players
        one_round, another = self.pack.draw(first * n), self.pack.draw((5 - first) * n)
        self.hands: list[list[Card]] = [[] for _ in range(n)]
        for place, seat in enumerate(self.order):
            self.hands[seat] += one_round[place * first : (place + 1) * first]
            self.hands[seat] += another[place * (5 - first) : (place + 1) * (5 - first)]
        self.turned: list[Card] = []
        self.turn_up_the_next()
        self.robber = self.declined = self.debarred = self.may_rob = None
        self.put_out: list[list[Card]] = [[] for _ in range(n)]
        self.clear_the_table()
        self.leader = self.eldest
        self.jinker = self.winner = None

    def turn_up_the_next(self) -> None:
        self.turn_up = self.pack.draw(1)[0]
        self.trumps = self.turn_up.suit

    def asking_for_another_turn_up(self) -> Story:
        """Eldest may ask for it and the dealer agree: then cards are turned up until another suit appears."""
        if (yield Ask(self.eldest, "five", (STAND, FIVE))) is STAND:
            return
        if (yield Ask(self.dealer, "answer", (NO, YES))) is NO:
            return
        original = self.trumps
        while self.trumps == original and len(self.pack):
            self.turned.append(self.turn_up)
            self.turn_up_the_next()

    def looking_for_the_ace(self) -> Story:
        """The ace of trumps turned up is the dealer's to take; its holder is asked when his turn comes to play."""
        ace = ACE[self.trumps]
        if self.turn_up is ace:
            yield from self.robbing(self.dealer)
        else:
            self.may_rob = next((seat for seat in self.order if ace in self.hands[seat]), None)

    def robbing(self, seat: int) -> Story:
        """He takes the turn-up for a card put out unseen.  Who holds the ace and does not is debarred, if he must."""
        ace, hand = ACE[self.trumps], self.hands[seat]
        said = yield Ask(seat, "rob", (NO, *[ROB[card] for card in hand if card is not ace]))
        if said is NO:
            self.declined = seat
            if self.rules.robbing == "compulsory" and self.turn_up is not ace:
                self.debarred = seat
        else:
            hand.remove(said.card)
            hand.append(self.turn_up)
            self.put_out[seat].append(said.card)
            self.robber = seat

    def playing(self) -> Story:
        """Five tricks, unless the pool is won before or a jink is missed."""
        for _ in range(5):
            seat = yield from self.one_trick()
            if self.rules.game != "pool":
                self.score(seat)
            if self.jinker is not None:
                if seat != self.jinker:
                    return
            elif self.wins(seat):
                if not self.can_jink(seat) or (yield Ask(seat, "jink", (TAKE, JINK))) is TAKE:
                    self.winner = seat
                    return
                self.jinker = seat
        self.winner = self.jinker

    def one_trick(self) -> Story:
        """The eldest hand leads first, then the winner of each trick; the holder of the ace robs before he plays."""
        trick, hands, seats = self.trick, self.hands, self.round_from(self.leader)
        for seat in seats:
            if seat == self.may_rob:
                self.may_rob = None
                yield from self.robbing(seat)
            card = (yield Ask(seat, "play", self.may_play(hands[seat]))).card
            hands[seat].remove(card)
            trick.append(card)
        best = max(trick, key=self.rules.heights[self.trumps][trick[0].suit].__getitem__)
        winner = seats[trick.index(best)]
        self.gather(winner)
        return winner

    def may_play(self, hand: list[Card]) -> tuple[Action, ...]:
        """Playing any card; or what the card led allows, if the hand holds one that it binds."""
        if self.trick:
            binding, allowed, _ = self.rules.following[self.trumps][self.trick[0]]
            if not binding.isdisjoint(hand):
                return tuple([card.play for card in hand if card in allowed])
        return tuple([card.play for card in hand])

    def score(self, seat: int) -> None:
        """Game 25 or 45: a trick is five to its winner and his partners, nothing if he is debarred."""
        if seat != self.debarred:
            side = self.rules.side[seat]
            self.scores = [score + 5 if one in side else score for one, score in enumerate(self.scores)]

    def wins(self, seat: int) -> bool:
        """Whether the trick just won brings the pool to a seat, or to its side."""
        side, game = self.rules.side[seat], self.rules.game
        counted = sum(self.won[one] for one in side if one != self.debarred)
        if game == "pool":
            return bool(counted == self.rules.tricks_to_win)
        all_five = counted == 5 and self.debarred not in side
        return all_five or max(self.scores[one] for one in side) >= int(game)

    def can_jink(self, seat: int) -> bool:
        """Only who has won every trick can still win all five."""
        return self.rules.jinking and self.won[seat] == len(self.tricks)

    def settle(self) -> None:
        """The winner takes the pool, or his side shares it; for a jink each pays him the stake.  Or the deal is spoilt."""
        self.live = self.winner is None
        if self.winner is None:
            return
        side = [seat for seat in self.order if seat in self.rules.side[self.winner]]
        share, odd = divmod(self.pools["pool"], len(side))
        for place, seat in enumerate(side):
            self.into_pool(seat, -share - (place < odd))
        if self.jinker is not None:
            for other in range(self.players):
                self.pay(other, self.winner, self.rules.stake)
        self.scores = [0] * self.players

    def refusal(self, ask: Ask, said: Action) -> str:
        hand, card = self.hands[ask.seat], said.card
        if ask.phase == "play" and card and said == card.play:
            if card not in hand:
                return f"{card} is not in hand"
            return str(self.rules.following[self.trumps][self.trick[0]].refusal)
        if ask.phase == "rob" and card and said == say("rob", card):
            return (
                f"{card}, the ace of trumps, is not in hand to be put out" if card in hand else f"{card} is not in hand"
            )
        return "not a legal action"

    def seen(self, ask: Ask, action: Action) -> Action:
        return ROBBED if action.verb == "rob" else action


def heights(trumps: list[Card], suit_led: list[Card]) -> dict[Card, int]:
    """How high each card stands in a trick; 0: a plain card of another suit, which cannot win it."""
    low_to_high = [*trumps, *suit_led][::-1]
    return dict.fromkeys(PACK, 0) | {card: height for height, card in enumerate(low_to_high, 1)}


def following(led: Card, suit: str, trumps: list[Card], plain: list[Card], special: bool) -> Following:
    """To a plain card suit or trump.  To a trump trumps, but that the first three need not fall to a lower one."""
    if led not in trumps or special and led is ACE_OF_HEARTS and suit != "h":
        return Following(frozenset(plain), frozenset([*plain, *trumps]), "must follow suit or trump")
    privileged = trumps[: min(3, trumps.index(led))] if special else []
    return Following(frozenset(trumps) - {*privileged}, frozenset(trumps), "must follow with a trump")
