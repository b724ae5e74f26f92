"""Brag: single-stake, three-stake and American (Foster, "The Poker Family")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..actions import STAND, Action, Amounts, say
from ..cards import CARD, PACK, Card
from ..mechanics.betting import CALL, FOLD, Betting
from ..options import FLAG, OneOf, Option, Rules, between
from ..table import Ask, State, Story

DRAW = say("draw")
BRAGGERS = (CARD["Ad"], CARD["Jc"], CARD["9d"])
Key = tuple[int, float, int, list[float]]


class Brag(Betting):
    """Three cards, and betting on triplets and pairs, which some cards, the braggers, help to make."""

    id = "brag"
    title = "Brag"
    family = "poker"
    seats = (2, 12)
    usual = (4, 8)
    source = 'Foster, "The Poker Family"'
    course = """The dealer puts up an ante; three cards each. From his left each folds, calls or raises; if all fold he
takes the ante back, and each pays him for it (option white). Of the hands left the best takes the pool: triplets
before pairs before high cards. The braggers, ace of diamonds, knave of clubs and nine of diamonds, stand for any card;
naturals are better.

American: all knaves and nines are braggers, the more the better, and who calls a raise privately compares hands with
the raiser, the worse being out, until two are left.

Three stakes: the last card is dealt face up, and the highest takes the first pool; the second is bragged for; the
third goes to the hand nearest to 31 in pips, ace eleven, court cards and tens ten, the others their number
(third_draw: not above it, and cards are bought to reach it)."""

    options = (
        Option(
            "variant",
            "single",
            OneOf("single", "three", "american"),
            "single stake, three stakes, or American",
            "Foster",
        ),
        Option("limit", 10, between(1, 1000), "largest ante, bet or raise", "Foster; the figure ours"),
        Option("max_raises", 12, between(0, 100), "raises in one betting", "ours"),
        Option(
            "white",
            1,
            between(1, 100),
            "single, american: what each pays a dealer whose ante nobody meets",
            "Foster: one white counter",
        ),
        Option("stake", 1, between(1, 100), "three: what each seat pays into each pool", "Foster"),
        Option("third_draw", False, FLAG, "three: cards may be drawn for the third pool", "Foster"),
    )

    @classmethod
    def refusals(cls, rules: Rules) -> Iterator[str]:
        three = rules.variant == "three"
        home = "single, american" if three else "three"
        for key in ("white",) if three else ("stake", "third_draw"):
            if key in rules.given:
                yield f'{key} with variant = "{rules.variant}": it belongs to {home}'

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        """Which variant, and what its hands are compared by."""
        rules.three, rules.american = rules.variant == "three", rules.variant == "american"
        rules.reading = american_reading if rules.american else best_reading

    pool_names = ("first", "second", "third")
    phases = {
        "ante": "single, american; the dealer before the cards: `ante 1` up to the limit",
        "brag": "three, while nobody has bet: `fold`, or `bet 1` up to the limit",
        "bet": "`fold`, `call`, `raise 1` up to the limit",
        "third": "three with third_draw: `stand`, or `draw` a card for 1 counter",
    }
    public = {
        **Betting.public,
        "stake": "what has been put up in the betting, by seat",
        "better": "the seat that stands: who has last put up an ante, bet or raise, or has come out of a comparison better",
        "retired": "american: the seats whose hands were the worse in a comparison",
        "face_up": "three: the card dealt face up to each seat",
        "totals": "three: the pips of each hand, once all are shown",
        "taken": "three: the seat that has taken each pool",
    }
    private = {"compared": "american: the hands you have seen in comparisons, by seat"}

    @classmethod
    def begin(cls, rules: Rules, dealer: int | None = None) -> State:
        """There are pools only with three stakes."""
        state = super().begin(rules, dealer)
        if not rules.three:
            state.pools.clear()
        return state

    def deal(self) -> Story:
        self.begin_the_deal()
        if self.rules.three:
            yield from self.three_stakes()
        else:
            yield from self.single_stake()

    def begin_the_deal(self) -> None:
        self.take_places()
        self.retired: list[int] = []
        self.compared: list[dict[int, Sequence[Card]]] = [{} for _ in range(self.players)]
        self.face_up: list[Card] = []
        self.totals: list[int] = []
        self.taken: dict[str, int] = {}

    def deal_cards(self) -> None:
        """Three rounds of one card, from eldest."""
        self.pack = self.chance.pack(PACK)
        self.hands = self.deal_singly(3, self.dealt_in)

    # Single stake, and American.

    def single_stake(self) -> Story:
        """The dealer is asked again only if he is raised."""
        self.speak(self.dealer, (yield Ask(self.dealer, "ante", Amounts((), "ante", 1, self.rules.limit))))
        self.deal_cards()
        yield from self.speaking(self.others_able(self.dealer), "bet")
        if self.still_in == [self.dealer] and not self.raises:
            self.ante_not_met()
        else:
            self.receive(self.show(), sum(self.stake))

    def ante_not_met(self) -> None:
        """The dealer takes his ante back, and is paid by every other seat."""
        self.receive(self.dealer, self.stake[self.dealer])
        for seat in self.dealt_in[:-1]:
            self.pay(seat, self.dealer, self.rules.white)

    def speak(self, seat: int, said: Action) -> None:
        """American: who calls a raise compares hands with the seat that stands, unless they are the last two."""
        super().speak(seat, said)
        if said is CALL and self.rules.american and self.raises and len(self.still_in) > 2:
            self.compare(seat)

    def compare(self, caller: int) -> None:
        """The worse hand is out, and what it put up stays; nobody else sees either."""
        pair = [seat for seat in self.still_in if seat in (caller, self.better)]
        self.better = self.best(pair)
        for seat, other in pair, pair[::-1]:
            self.compared[seat][other] = self.hands[other]
            if seat != self.better:
                self.fold(seat)
                self.retired.append(seat)

    def show(self) -> int:
        """Those who are left show their hands, and the best wins; one alone wins unseen."""
        if len(self.still_in) > 1:
            for seat in self.still_in:
                self.shown[seat] = self.hands[seat]
        return self.best(self.still_in)

    def best(self, seats: Sequence[int]) -> int:
        """The seat with the best hand; of equal hands the first from eldest."""
        return max(seats, key=lambda seat: self.rules.reading(self.hands[seat]))

    # Three stakes.

    def three_stakes(self) -> Story:
        """The third card is dealt face up."""
        for pool in self.pool_names:
            for seat in self.dealt_in:
                self.into_pool(seat, self.rules.stake, pool)
        self.deal_cards()
        self.face_up = [hand[2] for hand in self.hands]
        self.take("first", max(self.dealt_in, key=lambda seat: high_card(self.face_up[seat])))
        yield from self.bragging()
        self.take("second", self.show())
        yield from self.third_pool()

    def take(self, pool: str, seat: int) -> None:
        self.taken[pool] = seat
        self.take_pool(seat, pool)

    def bragging(self) -> Story:
        """Once round each bets or is out, until one has bet; if nobody has the dealer wins."""
        for seat in self.dealt_in[:-1]:
            said = yield Ask(seat, "brag", Amounts((FOLD,), "bet", 1, self.rules.limit))
            self.speak(seat, said)
            if said is not FOLD:
                yield from self.speaking(self.others_able(seat), "bet")
                return

    def put_up(self, seat: int, counters: int, payer: int | None = None) -> None:
        """With three stakes all bets go to the second pool."""
        super().put_up(seat, counters, payer)
        if self.rules.three:
            self.pools["second"] += counters

    def third_pool(self) -> Story:
        """All hands are shown; the nearest to 31 on either side wins, or who has drawn nearest without going above."""
        self.shown = self.hands
        self.totals = [sum(map(pips, hand)) for hand in self.hands]
        if not self.rules.third_draw:
            self.take("third", min(self.dealt_in, key=lambda seat: abs(self.totals[seat] - 31)))
            return
        for seat in self.dealt_in:
            yield from self.drawing(seat)
        if left := [seat for seat in self.dealt_in if self.totals[seat] <= 31]:
            self.take("third", max(left, key=lambda seat: self.totals[seat]))

    def drawing(self, seat: int) -> Story:
        """For a counter each as many cards as it likes, until it stands or is above 31."""
        said = DRAW
        while said is DRAW and self.totals[seat] <= 31:
            may_draw = self.totals[seat] < 31 and len(self.pack)
            said = yield Ask(seat, "third", (STAND, DRAW) if may_draw else (STAND,))
            if said is DRAW:
                self.into_pool(seat, 1, "third")
                self.hands[seat] += self.pack.draw(1)
                self.totals[seat] += pips(self.hands[seat][-1])

    def refusal(self, ask: Ask, said: Action) -> str:
        if ask.phase == "bet" and said.verb == "raise" and not self.may_raise():
            return f"no more raises: there have been {self.raises}"
        if isinstance(ask.legal, Amounts) and said.verb == ask.legal.verb and not said.amount:
            return f"at least 1: {ask.legal.verb} 1"
        return super().refusal(ask, said)


def best_reading(hand: Sequence[Card]) -> Key:
    """Class and rank, fewer braggers that are not themselves, the highest of these; in a natural hand the other cards."""
    readings = []
    for rank in {card.rank for card in hand}:
        used = [card.rank for card in BRAGGERS if card in hand and card.rank != rank]
        others = sorted([card.rank for card in hand if card.rank != rank], reverse=True)
        readings.append((3 - len(others) + len(used), rank, -len(used), used[:1] or others))
    return max(readings)


def american_reading(hand: Sequence[Card]) -> Key:
    """Class and rank, more braggers, the other cards; nothing but braggers are three aces."""
    plain = sorted([card.rank for card in hand if card[0] not in "J9"], reverse=True)
    readings = []
    for rank in set(plain) or {CARD["As"].rank}:
        others = [each for each in plain if each != rank]
        readings.append((3 - len(others), rank, 3 - len(plain), others))
    return max(readings)


def high_card(card: Card) -> tuple[float, bool]:
    """Of equal ranks a bragger is higher."""
    return card.rank, card in BRAGGERS


def pips(card: Card) -> int:
    """For thirty-one: an ace counts eleven, the court cards ten."""
    return 11 if card[0] == "A" else min(int(card.rank), 10)
