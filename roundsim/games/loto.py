"""Loto: cards of numbers, and knobs drawn from a bag (Baxter-Wray, "Round Games with Cards", 1891, pp. 108-112)."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache

from ..actions import Action, Arrangements, say
from ..errors import CardError
from ..options import FLAG, OneOf, Option, Rules, at_least, between
from ..table import Ask, Carry, Deal, Story

KNOBS = tuple(range(1, 91))
EARNS = (0, 1, 7, 28, 104, 255)  # by the numbers covered in a row: abstract, ambo, terne, quaterne, quinterne
KEEP = say("keep")

Rows = tuple[tuple[int, ...], ...]


@cache
def card_set(seed: int) -> tuple[str, ...]:
    """A set of 24 cards, four strips of six; in each strip every number stands once."""
    rng, cards = random.Random(seed), []
    for _ in range(4):
        in_column, extra = [[1] * 9 for _ in range(6)], [0] * 6
        columns = [list(range(10 * column or 1, 91 if column == 8 else 10 * column + 10)) for column in range(9)]
        for column, numbers in enumerate(columns):
            order = list(range(6))
            rng.shuffle(order)
            order.sort(key=lambda card: extra[card])
            for card in order[: len(numbers) - 6]:
                in_column[card][column] += 1
                extra[card] += 1
        for numbers in columns:
            rng.shuffle(numbers)
        for card in range(6):
            rows: list[list[int]] = [[], [], []]
            order = list(range(9))
            rng.shuffle(order)
            for column in order:
                by_length = [0, 1, 2]
                rng.shuffle(by_length)
                by_length.sort(key=lambda row: len(rows[row]))
                for row in sorted(by_length[: in_column[card][column]]):
                    rows[row].append(columns[column].pop())
            cards.append(" / ".join(" ".join(map(str, sorted(row))) for row in rows))
    return tuple(cards)


@cache
def rows_of(card: str) -> Rows:
    """The three rows of a card, five numbers each; CardError."""
    try:
        rows = tuple([tuple([int(number) for number in row.split()]) for row in card.split("/")])
    except ValueError:
        rows = ()
    numbers = [number for row in rows for number in row]
    if [len(row) for row in rows] != [5, 5, 5] or not {*numbers} <= {*KNOBS} or len({*numbers}) < 15:
        raise CardError(f"no card of loto: {card!r} (three rows of five numbers from 1 to 90, '1 10 20 30 40 / ...')")
    return rows


class Loto(Deal):
    """Whose numbers are drawn covers them on his cards; rows and whole cards win the pool, or rows earn by the ten."""

    id = "loto"
    title = "Loto"
    family = "drawing"
    seats = (2, 24)
    usual = (4, 12)
    source = 'Baxter-Wray, "Round Games with Cards", 1891, pp. 108-112'
    course = """There are 24 cards, each with three rows of five numbers, and 90 knobs in a bag.

First method: each takes cards and pays a stake for each; knobs are drawn one by one and covered on the cards. The
first row that is whole wins a quarter of the pool, the first two rows on one card another, the first whole card the
rest. There is nothing to decide, unless more than one card may be taken (max_cards).

Second method: ten knobs are drawn at a time, and every row is paid out of the pool for the numbers covered in it:
abstract 1, ambo 7, terne 28, quaterne 104, quinterne 255. When the pool cannot pay, all pay for their cards again, but
not in the final drawings.

The cards are kept from drawing to drawing, and may be changed, bought and thrown up."""

    options = (
        Option(
            "method",
            1,
            OneOf(1, 2),
            "by the first, prizes for rows and the card; by the second every row is paid for, abstract to quinterne",
            "Baxter-Wray pp. 109-112",
        ),
        Option("stake", 4, between(1, 1000), "method 1: paid for a card", "Baxter-Wray p. 109"),
        Option(
            "max_cards",
            1,
            between(1, 12),
            "method 1: cards that a seat may take; with 1 nothing is to be decided",
            "Baxter-Wray p. 109",
        ),
        Option(
            "caller",
            "machine",
            OneOf("machine", "dealer"),
            "method 1: who calls the knobs; the dealer then has no card, and stakes nothing",
            "Baxter-Wray p. 109",
        ),
        Option(
            "ties",
            "split",
            OneOf("split", "eldest"),
            "method 1: a prize won by two on one knob is shared, or goes to that nearest to eldest",
            "ours",
        ),
        Option("card_stake", 60, between(1, 1000), "method 2: paid for a card", "Baxter-Wray p. 112"),
        Option(
            "put_away",
            False,
            FLAG,
            "method 2: knobs whose numbers are on no card that is held are put away once they are drawn",
            "Baxter-Wray p. 111",
        ),
        Option(
            "final_drawings",
            1,
            between(1, 100),
            "method 2: last ones, in which nobody pays again",
            "Baxter-Wray p. 112",
        ),
        Option("share_out", True, FLAG, "method 2: at the end the pool is shared by cards", "ours"),
        Option("set_seed", 1, at_least(0), "a number that names a set of cards: another one, another set", "ours"),
    )

    @classmethod
    def refusals(cls, rules: Rules) -> Iterator[str]:
        if rules.method == 1 and rules.caller == "dealer" and rules.players == 2:
            yield 'caller = "dealer" with 2 players leaves but one to play'

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        """How many cards may be taken, and what one costs."""
        rules.price = rules.stake if rules.method == 1 else rules.card_stake
        rules.takes = (2, 4, 6) if rules.players <= 12 else (1, 2)
        if rules.method == 1:
            rules.takes = range(1, rules.max_cards + 1)

    pool_names = ("pool",)
    imaginable = False  # the order of the stock is hidden, and is not of cards
    keys = ("cards", "stock", "knobs", "final", "last")
    carried = {
        "held": Carry(lambda rules, dealer: [0] * rules.players, "how many cards each seat holds", names="each"),
        "cards": Carry(
            lambda rules, dealer: [[] for _ in range(rules.players)],
            "the numbers of the cards that each seat holds",
            names="each",
        ),
        "in_stock": Carry([], "the numbers of the cards in the stock, from the top"),
        "away": Carry(0, "how many knobs are put away"),
        "knobs_away": Carry([], "which knobs are put away"),
        "own_set": Carry([], "a set of cards given by a script; empty in play"),
    }
    phases = {
        "cards": "`take 2` cards, paid for; method 2, later drawings: `keep`, `buy 2`, `throw 3 7` under the stock,"
        " `change 3` for the top card of the stock",
    }
    public = {
        "set": "every card by its number: its rows, as '3 26 32 56 80 / 14 49 66 75 88 / 19 29 38 68 78'",
        "cards": "the numbers of the cards that each seat holds",
        "held": carried["held"].help,
        "stock": "how many cards are in the stock",
        "knobs_away": "the knobs that are put away",
        "knobs": "the knobs drawn in this deal, in order",
        "final": "whether nobody pays again in this drawing",
    }

    held: list[int]
    cards: list[list[int]]
    in_stock: list[int]
    away: int
    knobs_away: list[int]
    own_set: list[str]

    def deal(self) -> Story:
        self.lay_out_the_set()
        if self.rules.method == 1:
            yield from self.taking(self.players_in)
            self.draw_for_the_prizes()
            return
        self.count_the_drawings()
        if any(self.held):
            yield from self.changing()
        else:
            yield from self.taking(self.players_in)
        self.return_knobs()
        self.draw_ten()
        self.pay_the_rows()
        self.put_knobs_away()
        if self.last and self.rules.share_out:
            self.share_out()

    def lay_out_the_set(self) -> None:
        """The cards of the set are shuffled for every game; by the second method once for the sitting."""
        given = self.chance.key("cards")
        if given is not None:
            self.own_set = list(given)
        self.set = dict(enumerate(self.own_set or card_set(self.rules.set_seed), 1))
        self.rows = {number: rows_of(card) for number, card in self.set.items()}
        seats = self.round_from(self.eldest)
        self.players_in = seats[:-1] if self.rules.method == 1 and self.rules.caller == "dealer" else seats
        if len(self.set) < self.rules.takes[0] * len(self.players_in):
            raise CardError(f"{len(self.set)} cards for {self.players} players")
        if self.rules.method == 1 or not any(self.held):
            self.in_stock = list(self.set) if self.own_set else self.chance.shuffled(self.set, "stock")
            self.cards, self.held = [[] for _ in range(self.players)], [0] * self.players
        self.knobs: list[int] = []
        self.final = self.last = False

    def taking(self, seats: Sequence[int]) -> Story:
        """Each takes cards from the top of the stock, leaving the least that may be taken for each after him."""
        takes = self.rules.takes
        for later, seat in zip(range(len(seats) - 1, -1, -1), seats, strict=True):
            most = self.stock - takes[0] * later
            taken = (yield Ask(seat, "cards", tuple([say("take", k) for k in takes if k <= most]))).amount
            self.buy(seat, taken)

    def buy(self, seat: int, taken: int) -> None:
        self.into_pool(seat, taken * self.rules.price)
        self.take_from_stock(seat, taken)

    def take_from_stock(self, seat: int, taken: int) -> None:
        self.cards[seat] = [*self.cards[seat], *self.in_stock[:taken]]
        self.in_stock = self.in_stock[taken:]
        self.held = [len(cards) for cards in self.cards]

    def put_under_stock(self, seat: int, numbers: Sequence[int]) -> None:
        self.cards[seat] = [number for number in self.cards[seat] if number not in numbers]
        self.in_stock = [*self.in_stock, *numbers]
        self.held = [len(cards) for cards in self.cards]

    @property
    def stock(self) -> int:
        return len(self.in_stock)

    # First method: three prizes.

    def draw_for_the_prizes(self) -> None:
        """Knobs until a card is whole: a quarter of the pool for the first row, one for two rows, what is left for it."""
        order = self.chance.shuffled(KNOBS, "knobs")
        at = {knob: drawn for drawn, knob in enumerate(order)}
        whole = {seat: self.when_whole(seat, at) for seat in self.players_in}
        quarter = self.pools["pool"] // 4
        for prize in range(3):
            first = min(times[prize] for times in whole.values())
            winners = [seat for seat in self.players_in if whole[seat][prize] == first]
            self.award(quarter if prize < 2 else self.pools["pool"], winners)
        self.knobs = order[: first + 1]

    def when_whole(self, seat: int, at: dict[int, int]) -> list[int]:
        """With which knob the seat has one, two and three whole rows on one of its cards."""
        by_card = [sorted([max([at[n] for n in row]) for row in self.rows[card]]) for card in self.cards[seat]]
        return [min(times) for times in zip(*by_card, strict=True)]

    def award(self, counters: int, winners: Sequence[int]) -> None:
        """To one; or several who win it at the same time share it, or the eldest takes all.  What is over stays."""
        winners = winners if self.rules.ties == "split" else winners[:1]
        for seat in winners:
            self.into_pool(seat, -(counters // len(winners)))

    # Second method: abstract to quinterne.

    def count_the_drawings(self) -> None:
        """Whether this is the last drawing of the sitting, or one of the last, which are final."""
        to_come = self.state.to_come
        self.last = bool(self.chance.key("last", to_come == 0))
        final = to_come is not None and to_come < self.rules.final_drawings
        self.final = bool(self.chance.key("final", final)) or self.last

    def changing(self) -> Story:
        """In a later drawing each may keep his cards, buy more, throw some up, or change one."""
        for seat in self.players_in:
            said = yield Ask(seat, "cards", self.may_change(seat))
            numbers = [int(word) for word in said.words]
            if said.verb == "buy":
                self.buy(seat, said.amount)
            elif said.verb == "throw":
                self.put_under_stock(seat, numbers)
            elif said.verb == "change":
                self.take_from_stock(seat, 1)
                self.put_under_stock(seat, numbers)

    def may_change(self, seat: int) -> Sequence[Action]:
        """Six cards at most, and one at least must be kept."""
        cards = self.cards[seat]
        buys = [say("buy", k) for k in range(1, min(self.stock, 6 - len(cards)) + 1)]
        changes = [say("change", number) for number in cards if self.in_stock]
        return Arrangements("throw", cards, 1, len(cards) - 1, plain=(KEEP, *buys, *changes))

    def numbers_held(self) -> set[int]:
        return {number for cards in self.cards for card in cards for row in self.rows[card] for number in row}

    def return_knobs(self) -> None:
        """What was put away and stands on a card that is now held goes back into the bag."""
        held = self.numbers_held()
        self.knobs_away = [knob for knob in self.knobs_away if knob not in held]

    def draw_ten(self) -> None:
        """Ten knobs, none of them twice."""
        bag = [knob for knob in KNOBS if knob not in self.knobs_away]
        self.knobs = self.chance.shuffled(bag, "knobs")[:10]

    def pay_the_rows(self) -> None:
        """Each his total, from the eldest on; while the pool does not hold it all pay for their cards once more.

        In a final drawing nobody pays again: who comes when the pool is short gets what there is."""
        drawn = {*self.knobs}
        for seat in self.players_in:
            rows = [row for card in self.cards[seat] for row in self.rows[card]]
            due = sum([EARNS[len(drawn.intersection(row))] for row in rows])
            while due > self.pools["pool"] and not self.final:
                for each in self.players_in:
                    self.into_pool(each, self.held[each] * self.rules.card_stake)
            self.into_pool(seat, -min(due, self.pools["pool"]))

    def put_knobs_away(self) -> None:
        """All go back into the bag; or those that stand on no card that is held are put away."""
        if self.rules.put_away:
            held = self.numbers_held()
            self.knobs_away = sorted([*self.knobs_away, *[knob for knob in self.knobs if knob not in held]])
        self.away = len(self.knobs_away)

    def share_out(self) -> None:
        """The same for every card that is held; the rest stays."""
        each = self.pools["pool"] // sum(self.held)
        for seat in self.players_in:
            self.into_pool(seat, -each * self.held[seat])

    def end(self) -> None:
        """By the second method what is left after the last drawing belongs to nobody."""
        if self.rules.method == 1:
            super().end()

    def refusal(self, ask: Ask, said: Action) -> str:
        return f"cards: {self.why_refused(ask, said)}"

    def why_refused(self, ask: Ask, said: Action) -> str:
        cards, first = self.cards[ask.seat], ask.legal[0]
        if said.verb == "take" == first.verb:
            return "you may " + ", ".join(ask.legal)
        if first is not KEEP or said.verb not in ("buy", "throw", "change"):
            return "not a legal action"
        if said.verb == "buy":
            return f"six cards at most, and {self.stock} are in the stock"
        if said.verb == "throw" and len(said.words) >= len(cards):
            return "one card at least must be kept"
        if said.verb == "change" and not self.in_stock:
            return "no card is in the stock"
        return "only cards that you hold, each once: " + " ".join(map(str, cards))
