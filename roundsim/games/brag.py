"""Brag: single-stake, three-stake and American (Foster, "The Poker Family", section Brag)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from roundsim.game import (
    ALONE,
    BEST,
    CALL,
    CARD,
    FOLD,
    FOLD_OR_BET,
    PACK,
    PLACE,
    STAND,
    Action,
    Ask,
    Betting,
    BettingRules,
    Card,
    Each,
    Seat,
    Story,
    UpTo,
    moves_counters,
    option,
    private,
    public,
    say,
    tells,
)

DRAW, ANTES = say("draw"), UpTo((), "ante")
BRAGGERS = (CARD["Ad"], CARD["Jc"], CARD["9d"])
PATTERN = {card: 4 ** PLACE[card[0]] for card in PACK}  # the sum of three tells the ranks, and the braggers
PATTERN |= {card: 4 ** (20 + at) + PATTERN[card] for at, card in enumerate(BRAGGERS)}
Key = tuple[int, float, int, list[float]]


class Brag(Betting):
    """Hold the best three cards, or bet until all others give up."""

    id = "brag"
    title = "Brag"
    family = "poker"
    seats = (2, 12)
    usual = (4, 8)
    source = 'Foster, "The Poker Family", section Brag'
    own_places = {"section Brag": "take_places gap most may_say may_answer speak speaking put_up fold lay_down"}
    pool_names = ("first", "second", "third")
    shows = ("face_up", "shown")
    tells_outcome = ("retired",)
    rules: BragRules
    known: ClassVar[dict[int, Key]] = {}

    def deal(self) -> Story:
        self.take_places()
        yield from self.dealers_ante()
        self.deal_cards()
        yield from self.answering()
        if self.still_in == [self.dealer] and not self.raises:
            self.ante_not_met()
        else:
            self.settle()

    def take_places(self) -> None:
        super().take_places()
        self.retired: list[int] = []
        self.compared: list[dict[int, Sequence[Card]]] = [{} for _ in range(self.players)]
        self.face_up: list[Card] = []
        self.totals: list[int] = []
        self.taken: dict[str, int] = {}

    def dealers_ante(self) -> Story:
        """Before any card is dealt, the dealer puts up an ante of 1 to {limit} counters (section Brag)."""
        self.level = (yield Ask(self.dealer, "ante", ANTES[self.rules.limit])).amount
        self.put_up(self.dealer, self.level, "the dealer's ante")
        self.better = self.dealer

    def deal_cards(self) -> None:
        """Each player gets three cards, one at a time (section Brag)."""
        self.pack = self.chance.pack(PACK)
        self.hands = self.deal_singly(3, self.dealt_in)

    def answering(self) -> Story:
        """The eldest hand, the player on the dealer's left, speaks first, and the dealer only after a raise (section
        Brag)."""
        return self.speaking(self.others_able(self.dealer), "bet")

    def ante_not_met(self) -> None:
        """If nobody meets the ante, the dealer takes it back and gets {white counter} from each other player (section
        Brag)."""
        self.receive(self.dealer, self.stake[self.dealer], "the ante goes back")
        for seat in self.dealt_in[:-1]:
            self.pay(seat, self.dealer, self.rules.white, "the ante is not met")

    def settle(self) -> None:
        """The player who is left alone, or has the best hand, takes all stakes (section Brag)."""
        self.receive(self.show(), sum(self.stake), BEST if len(self.still_in) > 1 else ALONE)

    def show(self) -> int:
        """A player who is left alone after a raise need not show. Otherwise all who are left show their hands, and the
        best wins (section Brag).

        With variant = three: It takes the second pool (section Brag)."""
        if len(self.still_in) > 1:
            self.lay_down()
        return self.best(self.still_in)

    def best(self, seats: Sequence[int]) -> int:
        """The seat with the best hand; of equal hands the first from eldest (section Brag; in every pool ours)."""
        return max(seats, key=lambda seat: self.worth(self.hands[seat]))

    def worth(self, hand: Sequence[Card]) -> Key:
        """How high a hand stands by its reading, the same for all hands of its ranks and braggers (section Brag)."""
        pattern = sum(map(PATTERN.__getitem__, hand))
        if pattern not in self.known:
            self.known[pattern] = self.reading(hand)
        return self.known[pattern]

    def reading(self, hand: Sequence[Card]) -> Key:
        """Class, rank, fewer braggers in use, the highest of these, or the odd cards (section Brag; ties ours).

        A bragger stands for any card, or for itself."""
        readings = []
        for rank in {card.rank for card in hand}:
            used = [card.rank for card in BRAGGERS if card in hand and card.rank != rank]
            others = sorted([card.rank for card in hand if card.rank != rank], reverse=True)
            readings.append((3 - len(others) + len(used), rank, -len(used), used[:1] or others))
        return max(readings)

    def name_of(self, hand: Sequence[Card]) -> str:
        return NAMES[self.reading(hand)[0]]

    @classmethod
    def bound(cls, rules: BragRules) -> int | None:
        """The stakes of the others after all raises; or what they pay when the ante is not met (section Brag)."""
        return (rules.players - 1) * max(rules.dearest, rules.white)

    def says(self, ask: Ask, action: Action) -> str:
        if ask.phase == "ante":
            return f"antes {action.amount}"
        return "draws a card" if action is DRAW else super().says(ask, action)

    def refusal(self, ask: Ask, action: Action) -> str:
        if ask.phase == "bet" and action.verb == "raise" and not self.may_raise():
            return f"no more raises: there have been {self.raises}"
        if action.verb == ask.legal[-1].verb and ask.legal[-1].amount and not action.amount:
            return f"at least 1: {action.verb} 1"
        return super().refusal(ask, action)

    what_wins = """A triplet, three cards of one rank, beats a pair, two cards of one rank, and a pair beats a high
card. Within each the higher rank wins: A K Q J T 9 8 7 6 5 4 3 2. Sequences and suits do not count (section Brag).

Without variant = american: The braggers, the ace of diamonds, the jack of clubs and the nine of diamonds, stand for any
card. If pairs or
triplets are equal, the one with fewer braggers wins, then the one with the higher odd card or bragger (section Brag). If
hands are still equal, the one nearest to the dealer's left wins (ours).

With variant = american: All jacks and nines are braggers, which stand for any card, and of equal pairs or triplets the
one with more braggers wins (section Brag). If hands are still equal, the one nearest to the dealer's left wins (ours).

With variant = three: The highest card face up takes the first pool, the best brag hand the second, and the hand that counts
nearest to 31 the third: an ace counts 11, a king, queen, jack or ten 10, other cards their number (section Brag)."""
    course = "dealers_ante deal_cards answering speaking most ante_not_met show settle"

    phases = {
        "ante": "single and american, to the dealer before the cards: `ante 1` up to the limit",
        "brag": "three, while nobody has bet: `fold`, or `bet 1` up to the limit",
        "bet": "`fold`, `call`, or `raise 1` up to the limit",
        "third": "three with third_draw: `stand`, or `draw` a card for one counter",
    }

    class View(Betting.View):
        """The names that everybody sees at Brag, and what the seat alone knows."""

        stake: Each[int] = public("what each seat has put up in the betting")
        better: Seat | None = public("the last seat to put up an ante, a bet or a raise, or to win a comparison")
        retired: tuple[Seat, ...] = public("american: the seats that have lost a comparison")
        face_up: Each[Card] = public("three: the card dealt face up to each seat")
        totals: Each[int] = public("three: what each hand counts for the third pool, once all are shown")
        taken: Mapping[str, Seat] = public("three: the seat that has taken each pool")
        compared: Mapping[Seat, tuple[Card, ...]] = private("american: the hands you have seen in comparisons, by seat")


class AmericanBrag(Brag):
    """Eight braggers, and a player who calls a raise compares hands with the raiser."""

    course = "dealers_ante deal_cards answering speaking most speak compare ante_not_met show settle"
    known: ClassVar[dict[int, Key]] = {}

    def speak(self, seat: int, action: Action) -> None:
        """A player who calls a raise compares hands with the raiser, unless they are the last two (section Brag)."""
        super().speak(seat, action)
        if action is CALL and self.raises and len(self.still_in) > 2:
            self.compare(seat)

    @tells(
        lambda deal, caller: (
            f"seat {deal.better} and seat {deal.retired[-1]} compare hands: seat {deal.retired[-1]} is out"
        )
    )
    def compare(self, caller: int) -> None:
        """The worse of the two hands is out, and what it put up stays. Nobody else sees either (section Brag)."""
        pair = [seat for seat in self.still_in if seat in (caller, self.better)]
        self.better = self.best(pair)
        for seat, other in pair, pair[::-1]:
            self.compared[seat][other] = self.hands[other]
            if seat != self.better:
                self.fold(seat)
                self.retired.append(seat)

    def reading(self, hand: Sequence[Card]) -> Key:
        """Class, rank, the more braggers, the odd cards; braggers alone are three aces (section Brag)."""
        plain = sorted([card.rank for card in hand if card[0] not in "J9"], reverse=True)
        readings = []
        for rank in set(plain) or {CARD["As"].rank}:
            others = [own for own in plain if own != rank]
            readings.append((3 - len(others), rank, 3 - len(plain), others))
        return max(readings)


class ThreeStakes(Brag):
    """Three pools: for the card that is dealt face up, for the bragging, and for thirty-one."""

    course = """pay_into_the_pools take deal_cards highest_face_up bragging speaking put_up show
show_all_hands nearest drawing settle_third"""

    def deal(self) -> Story:
        self.take_places()
        self.pay_into_the_pools()
        self.deal_cards()
        self.take("first", self.highest_face_up(), "the highest card face up")
        yield from self.bragging()
        self.take("second", self.show(), BEST if len(self.still_in) > 1 else ALONE)
        self.show_all_hands()
        if self.rules.third_draw:
            yield from self.drawing()
        else:
            self.take("third", self.nearest(), "nearest to thirty-one")

    def pay_into_the_pools(self) -> None:
        """Each player pays {stake counter} into each of three pools (section Brag)."""
        for pool in self.pool_names:
            for seat in self.dealt_in:
                self.into_pool(seat, self.rules.stake, pool, "a stake for each pool")

    def deal_cards(self) -> None:
        """Each player gets three cards, one at a time, the third face up (section Brag)."""
        super().deal_cards()
        self.face_up = [hand[2] for hand in self.hands]

    @classmethod
    def bound(cls, rules: BragRules) -> int | None:
        """All three pools; there is none where the third may stand, and grows (section Brag)."""
        return None if rules.third_draw else (rules.players - 1) * (3 * rules.stake + rules.dearest)

    def take(self, pool: str, seat: int, why: str) -> None:
        """Each pool goes to one player (section Brag)."""
        self.taken[pool] = seat
        self.take_pool(seat, pool, why)

    def highest_face_up(self) -> int:
        """The highest card face up takes the first pool. Among equal ranks a bragger wins, else the first player from
        the dealer's left (section Brag)."""
        return max(self.dealt_in, key=lambda seat: (self.face_up[seat].rank, self.face_up[seat] in BRAGGERS))

    def bragging(self) -> Story:
        """From the eldest hand, the player on the dealer's left, each player in turn folds or bets 1 to {limit} counters,
        until one bets (section Brag). If nobody does, the dealer wins (ours)."""
        for seat in self.dealt_in[:-1]:
            action = yield Ask(seat, "brag", FOLD_OR_BET[self.rules.limit])
            self.speak(seat, action)
            if action is not FOLD:
                yield from self.speaking(self.others_able(seat), "bet")
                return

    @moves_counters
    def put_up(self, seat: int, counters: int, why: str = "", payer: int | None = None) -> None:
        """A raise, too, is of 1 to {limit} counters. All bets go to the second pool (section Brag)."""
        super().put_up(seat, counters, payer=payer)
        self.pools["second"] += counters

    @tells(
        lambda deal: (
            "all hands are shown: " + ", ".join(f"seat {seat} counts {deal.totals[seat]}" for seat in deal.dealt_in)
        )
    )
    def show_all_hands(self) -> None:
        """For the third pool all hands are shown (section Brag)."""
        self.shown = [*self.hands]
        self.totals = [sum(map(pips, hand)) for hand in self.hands]

    def nearest(self) -> int:
        """Without third_draw: The hand that counts nearest to 31, above or below, takes it; of equal ones the elder
        (section Brag; above or below ours)."""
        return min(self.dealt_in, key=lambda seat: abs(self.totals[seat] - 31))

    def drawing(self) -> Story:
        """With third_draw: Each player in turn may draw cards, for one counter each, until they stand or count 31 or more
        (section Brag)."""
        for seat in self.dealt_in:
            yield from self.draw(seat)
        self.settle_third()

    @tells(lambda deal: None if "third" in deal.taken else "all are above thirty-one, and the third pool stands")
    def settle_third(self) -> None:
        """With third_draw: The hand nearest to 31, and not above it, takes the third pool; if all are above, the pool
        stands (section Brag; that ours)."""
        if left := [seat for seat in self.dealt_in if self.totals[seat] <= 31]:
            self.take("third", max(left, key=lambda seat: self.totals[seat]), "the nearest not above thirty-one")

    def draw(self, seat: int) -> Story:
        """A player draws cards for a counter each, until they stand or count more than 31 (section Brag)."""
        action = DRAW
        while action is DRAW and self.totals[seat] <= 31:
            may_draw = self.totals[seat] < 31 and len(self.pack)
            action = yield Ask(seat, "third", (STAND, DRAW) if may_draw else (STAND,))
            if action is DRAW:
                self.buy_a_card(seat)

    @tells(lambda deal, seat: f"seat {seat} gets {deal.hands[seat][-1]}, and counts {deal.totals[seat]}")
    def buy_a_card(self, seat: int) -> None:
        self.into_pool(seat, 1, "third", "a card is bought")
        self.hands[seat] += self.pack.draw(1)
        self.totals[seat] += pips(self.hands[seat][-1])


NAMES = {3: "a triplet", 2: "a pair", 1: "no pair"}


def pips(card: Card) -> int:
    """For thirty-one an ace counts eleven, a court card ten (section Brag)."""
    return 11 if card[0] == "A" else min(int(card.rank), 10)


class BragRules(BettingRules, of=Brag):
    """The options of Brag."""

    variant: Literal["single", "three", "american"] = option(
        "single", "which game is played: with a single stake, with three stakes, or the American one", "section Brag"
    )
    limit: int = option(10, "the largest ante, bet or raise", "Foster; the figure ours", high=1000)
    max_raises: int = option(12, "how many raises there may be in one betting", "ours", low=0, high=100)
    white: int = option(
        1,
        "what each player pays a dealer whose ante nobody meets",
        "Foster: one white counter",
        high=100,
        variant=("single", "american"),
    )
    stake: int = option(1, "what each seat pays into each pool", "section Brag", high=100, variant="three")
    third_draw: bool = option(False, "whether cards may be drawn for the third pool", "section Brag", variant="three")

    @property
    def played_by(self) -> type[Brag]:
        return {"single": Brag, "american": AmericanBrag, "three": ThreeStakes}[self.variant]

    @property
    def pool_names(self) -> tuple[str, ...]:
        """There are pools only with three stakes (section Brag)."""
        return Brag.pool_names if self.variant == "three" else ()
