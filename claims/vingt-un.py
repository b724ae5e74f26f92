"""What the claims about Vingt-un count."""

from collections import Counter, defaultdict
from fractions import Fraction
from functools import cache, partial
from math import comb, perm, prod
from operator import mul, sub
from typing import NamedTuple

from roundsim.claim import counters, gives

PACK = (4,) * 9 + (16,)  # how many cards count 1 to 10, an ace one
NONE, CARDS = (0,) * 10, range(1, 11)
ACE, EIGHT, NINE, TEN = 1, 8, 9, 10
HIGH = ACE, TEN  # the dealer doubles on them
DIVIDED = {ACE, EIGHT}  # pairs, by a player
NATURAL, OVER = 22, 0  # counts: above all others, and below
MOST = 12  # cards: more than any hand has


def natural(pack=PACK):
    """An ace and a ten-card, of all pairs of cards."""
    return Fraction(pack[0] * pack[9], comb(sum(pack), 2))


def pair():
    """Of the 51 other cards three have the rank of the first."""
    return Fraction(3, 51)


def over_by_count():
    """How often a hand drawn from the whole pack up to a count goes over twenty-one."""
    return {f"t{least}": goes_over(PACK, 0, least) for least in range(14, 19)}


@cache
def goes_over(pack, total, least):
    """The chance to go over from a total with aces at one: an ace counts ten more while that does not pass 21."""
    soft = total <= 11 and pack[0] < PACK[0]
    if total > 21 or total + 10 * soft >= least:
        return Fraction(total > 21)
    cards = sum(pack)
    return sum(
        Fraction(left, cards) * goes_over(plus(pack, at + 1, -1), total + at + 1, least)
        for at, left in enumerate(pack)
        if left
    )


@gives("dealer")
def of_each(deal):
    """What the dealer wins of each player."""
    yield "dealer", counters(deal, deal.dealer) / (deal.players - 1)


@gives("dealer")
def turn(deals):
    """What the dealer of a turn wins in all its hands; a sitting has whole turns."""
    won, seat = 0, deals[0].dealer
    for deal in deals:
        if deal.dealer != seat:
            yield "dealer", won
            won, seat = 0, deal.dealer
        won += counters(deal, seat)
    yield "dealer", won


@gives("over")
def decided(deal):
    """Whether a player's hand goes over, or stands against a dealer who does; each box of a divided pair for itself."""
    over = deal.over
    dealer_over = "over" in over.fate[over.banker]
    for seat in over.order[:-1]:
        for fate in over.fate[seat]:
            yield "over", fate == "over" or fate == "stand" and dealer_over


@gives("natural")
def ends(deal):
    """Whether a player has a natural, and the dealer none."""
    yield "natural", bool(deal.over.naturals) and deal.over.banker not in deal.over.naturals


@gives("variance")
def unevenness(deals):
    """The variance of the number of hands that each seat deals in a sitting."""
    dealt = Counter(deal.dealer for deal in deals)
    players = deals[0].players
    yield "variance", sum((dealt[seat] - len(deals) / players) ** 2 for seat in range(players)) / players


# All hands of one player and the dealer, who play by the book, from one pack.


class Box(NamedTuple):
    """Cards of a player, or of the dealer. `known`: how many of them count 1 to 10, with those that a divided pair left in
    other boxes; `low`: the count with aces at one; `first`: what the first card counts; `new`: whether it has come of a
    division."""

    known: tuple[int, ...]
    low: int
    first: int
    new: bool = False

    @property
    def soft(self):
        """Whether an ace counts eleven: other boxes of a divided pair have an ace only if this one has one."""
        return self.low <= 11 and self.known[0] > 0

    @property
    def count(self):
        count = self.low + 10 * self.soft
        return OVER if count > 21 else NATURAL if count == 21 and sum(self.known) == 2 else count

    @property
    def rest(self):
        return tuple(map(sub, PACK, self.known))

    def chance(self, more=0):
        """Return the chance of the known cards in one order, divided by the number of orders of so many more."""
        return Fraction(prod(map(perm, PACK, self.known)), perm(52, sum(self.known) + more))


def plus(cards, card, more=1):
    """Return cards with one more that counts so much."""
    return (*cards[: card - 1], cards[card - 1] + more, *cards[card:])


def with_next(known):
    """Yield each card that the pack still has, and the known cards with it."""
    for card in CARDS:
        if known[card - 1] < PACK[card - 1]:
            yield card, plus(known, card)


def dealt(firsts, divided):
    """Return the boxes that begin with such a first card, and in how many orders their cards come. `divided`: which pairs
    are."""
    return sum((opened(plus(NONE, first), first, False, divided) for first in firsts), Counter())


def opened(known, first, new, divided):
    """Return the boxes of two cards that come of a first card. A pair makes two boxes, the second at a new stake.

    Unseen cards that another box has drawn change no average, so that each is counted as if it drew first."""
    boxes = Counter()
    for card, cards in with_next(known):
        pairs, left = 0, 4 - known[card - 1]
        if card == first in divided and left > 0:
            pairs = Fraction(left, 12 + left) if card == TEN else 1  # a ten and a king are none
            for is_new in new, True:
                for box, orders in opened(cards, first, is_new, divided).items():
                    boxes[box] += pairs * orders
        boxes[Box(cards, first + card, first, new)] += 1 - pairs
    return +boxes


def stands(box):
    """Return whether the book draws no card: at 16, at 18 if an ace counts eleven.

    That the dealer goes one further against three boxes, if one of them has drawn no card, is left out."""
    return box.low >= 16 or box.soft and box.low >= 8


def until(ends, boxes):
    """Return the boxes that come to such an end, if they draw until then or until they stand."""
    ended = Counter()
    while boxes:
        ended.update({box: orders for box, orders in boxes.items() if ends(box)})
        boxes = drawn({box: orders for box, orders in boxes.items() if not ends(box) and not stands(box)})
    return ended


def drawn(boxes):
    """Return all boxes with one more card."""
    after = Counter()
    for (known, low, first, new), orders in boxes.items():
        for card, cards in with_next(known):
            after[Box(cards, low + card, first, new)] += orders
    return after


@cache
def dealers(left, draws):
    """Return the dealer's boxes by count and `new`: their cards, in two halves, and by first card, 0 for a low one, in how
    many orders of the `MOST` first cards of a pack of `left` they come.

    Boxes that are over are left out: all others are. `draws`: without it only naturals have a count."""
    table, boxes = defaultdict(lambda: defaultdict(Counter)), dealt(CARDS, {ACE})
    for box, orders in (until(stands, boxes) if draws else boxes).items():
        count = box.count if draws or box.count == NATURAL else OVER
        if not draws or count not in (OVER, NATURAL):
            cards, first = sum(box.known), box.first if box.first in HIGH else 0
            table[count, box.new][box.known][first] += orders * perm(left - cards, MOST - cards)
    for kind, boxes in table.items():
        halves = [(bytes(known[:5]), bytes(known[5:])) for known in boxes]  # bytes keep their hash
        table[kind] = halves, {first: [orders[first] for orders in boxes.values()] for first in (0, *HIGH)}
    return table


class Ways(dict):
    """The number of orders in which given cards come from a part of the pack."""

    def __init__(self, part):
        self.part = part

    def __missing__(self, cards):
        self[cards] = prod(map(perm, self.part, cards))
        return self[cards]


ways = cache(Ways)


@cache
def against(pack, draws):
    """Return how many boxes the dealer has, by first card, count and `new`, in all orders of `MOST` cards of this pack."""
    low, high, numbers = ways(pack[:5]), ways(pack[5:]), {**against(pack, False)} if draws else {}
    for (count, new), (halves, by_first) in dealers(sum(pack), draws).items():
        in_pack = [low[one] * high[other] for one, other in halves]
        for first, orders in by_first.items():
            numbers[first, count, new] = sum(map(mul, orders, in_pack))
            if draws:
                numbers[first, OVER, new] -= numbers[first, count, new]
    return numbers


@cache
def settled(pack, count, new):
    """Return what a box gets for each counter of its stake, by the dealer's first card and whether the dealer has a natural.

    `pack`: what is left of it; the figures are for all orders of its `MOST` first cards."""
    gets = Counter()
    for (first, other, other_new), number in against(pack, count != OVER).items():
        gets[first, other == NATURAL] += number * payment(count, new, other, other_new)
    return gets


def payment(count, new, other, other_new):
    """Return what a box gets from one of the dealer's. A natural is paid once, before pairs are divided."""
    if NATURAL in (count, other):
        return 0 if new or other_new else 2 * (count == NATURAL) - 2 * (other == NATURAL)
    if count == OVER:
        return -1
    if count > other:
        return 2 if count == 21 else 1
    return -2 if other == 21 > count else -1


def by_book(first):
    """Return the book's stake on a first card, and on a part of a pair of such."""
    return {ACE: 10, TEN: 5, NINE: 3}.get(first, 1)


def doubled(first, is_natural):
    """Return by how much the dealer multiplies the first stakes."""
    return 2 if first in HIGH else 1


def unless_natural(first, is_natural):
    """Return the same, but 0 if the dealer's natural ends the hand before anybody is asked."""
    return 0 if is_natural else doubled(first, is_natural)


def wins(boxes, times, stake=by_book):
    """Return what boxes win. `times`: by how much the dealer multiplies the first stakes, 0 if the hand does not count;
    `stake`: the first stake, by the first card."""
    total = Fraction()
    for box, orders in boxes.items():
        won = 0
        for dealer, gets in settled(box.rest, box.count, box.new).items():
            factor = times(*dealer)
            won += gets * (min(factor, 1) * by_book(box.first) if box.new else factor * stake(box.first))
        total += orders * box.chance(MOST) * won
    return total


def by_answer(boxes, ends):
    """Return what a box wins, of some, by what is done with it. `ends`: the boxes that come of them."""
    often = sum(orders * box.chance() * (1 - natural(box.rest)) for box, orders in boxes.items())
    return {say: wins(ended, unless_natural) / often for say, ended in ends.items()}


def by_dealing():
    """Return what the dealer wins."""
    return {"dealer": -wins(until(stands, dealt(CARDS, DIVIDED)), doubled)}


def by_stake(*firsts):
    """Return what a player wins on such a first card with a stake of ten, and of one."""
    boxes, often = until(stands, dealt(firsts, DIVIDED)), Fraction(sum(PACK[first - 1] for first in firsts), 52)
    return {f"stake_{stake}": wins(boxes, doubled, lambda _, stake=stake: stake) / often for stake in (10, 1)}


def by_doubling(card):
    """Return what the dealer wins on such a first card who doubles, and who does not."""
    boxes, often = until(stands, dealt(CARDS, DIVIDED)), Fraction(PACK[card - 1], 52)

    def won(times):
        return -wins(boxes, lambda first, is_natural: times * (first == card)) / often

    return {"double": won(2), "pass": won(1)}


def by_drawing(least, most):
    """Return what a box of such a count, with aces at one, wins if it stands, and if it draws and then plays by the book."""
    boxes = until(lambda box: least <= box.low <= most and not box.soft, dealt(CARDS, DIVIDED))
    return by_answer(boxes, {"stand": boxes, "card": until(stands, drawn(boxes))})


def by_dividing(*firsts):
    """Return what a player wins with such a pair who divides it, and those that come of it, and who keeps it."""
    pairs, parts = Counter(), Counter()
    for first in firsts:
        known = plus(NONE, first, 2)
        pairs[Box(known, 2 * first, first)] = 1
        for new in False, True:
            parts.update(opened(known, first, new, {first}))
    return by_answer(pairs, {f"split_{by_book(first)}": until(stands, parts), "keep": until(stands, pairs)})


stakes_on_an_ace, stakes_on_a_ten, stakes_on_a_nine = (partial(by_stake, card) for card in (ACE, TEN, NINE))
stakes_on_a_low_card = partial(by_stake, *range(2, NINE))
doubling_on_an_ace, doubling_on_a_ten = partial(by_doubling, ACE), partial(by_doubling, TEN)
drawing_from_twelve, drawing_with_thirteen, drawing_with_sixteen = (
    partial(by_drawing, *counts) for counts in ((12, 15), (13, 13), (16, 16))
)
dividing_aces, dividing_tens, dividing_eights = (partial(by_dividing, card) for card in (ACE, TEN, EIGHT))
dividing_low_pairs = partial(by_dividing, *range(2, EIGHT))
