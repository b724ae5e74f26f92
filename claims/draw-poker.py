"""What the claims about Draw Poker count."""

from collections import Counter
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, product
from math import comb
from random import Random

from roundsim.claim import gives
from roundsim.odds import kinds
from roundsim.strategy import PACK, RANKS, SUITS, all_but, all_draws, cards, discard, groups, ranking_of, ways

RANKING = ranking_of(None)
PAIR, TWO_PAIRS, THREES, STRAIGHT = 10, 20, 30, 40  # positions of classes
KNAVES, TENS, EIGHTS = (RANKING.key(cards(f"{rank}h {rank}d 4s 3h 2c")) for rank in "JT8")
NINES, KINGS, ACES_UP = (RANKING.key(cards(hand)) for hand in ("9h 9d 4s 3h 2c", "Kh Kd 4s 3h 2c", "Ah Ad 2s 2h 3c"))
DRAWS = 20  # of a pair of tens against each hand that may open


# What is held.


def always(view):
    return True


def before_a_raise(view):
    """Coming in to an ordinary deal, not on the age."""
    return not view.jack_pot and not view.raises and view.seat != view.last_say


def key_of(view):
    return RANKING.key(view.hand)


def tens(view):
    """Where the book comes in with them, which is not in the first place."""
    return before_a_raise(view) and view.seat != view.dealt_in[1] and TENS <= key_of(view) < KNAVES


def eights(view):
    return not view.jack_pot and not view.raises and EIGHTS <= key_of(view) < NINES


def eights_or_less(view):
    return before_a_raise(view) and PAIR << 28 < key_of(view) < NINES


def tens_behind_opener(view):
    return view.jack_pot and TENS <= key_of(view) < KNAVES


def less_than_threes(view):
    return key_of(view) >> 28 < THREES


def two_pairs(view):
    return key_of(view) >> 28 == TWO_PAIRS


def threes(view):
    return key_of(view) >> 28 == THREES


def facing_a_bet(view):
    return view.better is not None


def others_have_drawn(view):
    return any(view.drawn[seat] is not None for seat in view.still_in)


# What is said.


def as_the_book(view):
    return ""  # no legal answer: the strategy's own stands


def stand_pat(view):
    return discard([])


def draw_two(view):
    return discard(all_but(view.hand, RANKING.grouped(view.hand)))


def draw_one(view):
    """All but the lowest card that is in no group."""
    odd = all_but(view.hand, RANKING.grouped(view.hand))
    return discard([min(odd, key=lambda card: card.rank)])


def draw_three(view):
    """All but the higher pair."""
    pair = groups(view.hand)[0][1]
    return discard([card for card in view.hand if card.rank != pair])


def good_caller(view):
    return "call" if key_of(view) >= TENS else "fold"


def raise_or_fold(view):
    """A raise of half the limit where one is still allowed."""
    if key_of(view) < ACES_UP:
        return "fold"
    wanted = f"raise {view.options.limit // 2}"
    return wanted if wanted in view.legal else "call"


def looks(view):
    """Two pairs or better where another has drawn one card or none, else kings or better."""
    least = TWO_PAIRS << 28 if any(view.drawn[seat] in (0, 1) for seat in view.still_in) else KINGS
    return "call" if key_of(view) >= least else "fold"


def looks_away(view):
    return "call" if key_of(view) >= KINGS else "fold"


# What is counted in deals.


@gives("above", "below")
def go_in_hands(deal):
    """Whether a hand that comes in to an ordinary deal is above a pair of tens, or below."""
    if not deal.over.jack_pot:
        for seat in deal.over.came_in:
            key = RANKING.key(deal.hands[seat])
            yield "above", key >= KNAVES
            yield "below", key < TENS


@gives("eights")
def best_hand(deal):
    """How often a pair of eights is the best hand that is dealt."""
    keys = [RANKING.key(hand) for hand in deal.hands]
    for key in keys:
        if EIGHTS <= key < NINES:
            yield "eights", (key == max(keys)) / keys.count(key)


@gives("wins")
def tens_against_openers(deal):
    """How often a pair of tens that draws three beats another hand of the deal that may open, over some draws."""
    keys = [RANKING.key(hand) for hand in deal.hands]
    for mine, other in product(deal.hands, deal.hands):
        if TENS <= keys[deal.hands.index(mine)] < KNAVES <= keys[deal.hands.index(other)]:
            left = [card for card in PACK if card not in mine and card not in other]
            lots = Random(f"{deal.address} {' '.join(mine)}")
            pair, kept = kept_of(mine), kept_of(other)
            for _ in range(DRAWS):
                drawn = lots.sample(left, 10)
                ours, theirs = (*pair, *drawn[:3]), (*kept, *drawn[5 : 10 - len(kept)])
                yield "wins", RANKING.key(ours) > RANKING.key(theirs)


def kept_of(hand):
    """What the book keeps: of a pair three cards are drawn, of two pairs one, of threes two, of fours one."""
    return RANKING.grouped(hand)


@gives("nobody")
def nobody_opens(deal):
    yield "nobody", max(map(RANKING.key, deal.hands)) < KNAVES


@gives("times", "pool")
def jack_pots(deals):
    """How often a jack pot is dealt until it is opened, and what lies in the pool then."""
    for deal in deals:
        if deal.over.jack_pot and deal.over.opener is not None:
            at = deals.index(deal)
            unopened = 0
            while at > 0 and deals[at - 1].over.jack_pot and deals[at - 1].over.opener is None:
                at, unopened = at - 1, unopened + 1
            yield "times", unopened + 1
            yield "pool", deal.before.pools["pool"] + sum(move.counters for move in deal.moves if is_ante(move))


@gives("counters")
def must_pay(deal):
    """The blind and the antes of a deal, by the seats at the table."""
    yield "counters", sum(move.counters for move in deal.moves if is_ante(move) or "blind" in move.why) / deal.players


def is_ante(move):
    return "ante" in move.why or "fattened" in move.why


# What is counted among all hands.


@cache
def dealt():
    """How many hands of each class are dealt."""
    found = Counter()
    for hand, many in kinds([], PACK):
        found[RANKING.position(hand)] += many
    return found


def share(positions):
    return Fraction(sum(dealt()[position] for position in positions), comb(52, 5))


def openers():
    """The share of all hands that are a pair of knaves or better."""
    better = sum(many for hand, many in kinds([], PACK) if RANKING.key(hand) >= KNAVES)
    return Fraction(better, comb(52, 5))


def threes_dealt():
    return share([THREES])


def two_pairs_among_five():
    return 5 * share([TWO_PAIRS])


def pairs_among_seven():
    """A pair or better; the mean of a sum is the sum of the means."""
    return 7 * share([position for position in dealt() if position >= PAIR])


def eights_against_one():
    """How often a pair of eights is the better of two hands: over all its odd cards, all hands of the others.

    Of equal hands either counts half. Hands are counted by ranks first; then flushes are added, which are worse than a
    pair by their ranks alone."""
    table, lost, ranks = all_draws(RANKING), Fraction(), [rank for rank in RANKS if rank not in "8EW"]
    keys, numbers = table.to(())
    patterns = 0
    for odd in combinations(ranks, 3):
        hand = cards(" ".join(["8h 8d", *[rank + suit for rank, suit in zip(odd, "shd", strict=True)]]))
        of_each, mine = ways(all_but(PACK, hand)), -RANKING.key(hand)
        better = sum(of_each[number] for key, number in zip(keys, numbers, strict=True) if key < mine)
        equal = sum(of_each[number] for key, number in zip(keys, numbers, strict=True) if key == mine)
        lost += 64 * (better + Fraction(equal, 2))  # whatever the suits of the odd cards
        for suits in product(SUITS, repeat=3):
            gone = {suit: {"8"} if suit in "hd" else set() for suit in SUITS}
            for rank, suit in zip(odd, suits, strict=True):
                gone[suit].add(rank)
            lost += sum(flushes(frozenset(gone[suit])) for suit in SUITS)
            patterns += 1
    return {"best": 1 - lost / patterns / comb(47, 5)}


@cache
def flushes(gone):
    """How many flushes there are in a suit without these ranks; a straight flush is a straight by its ranks."""
    straights = sum(not gone & set(ranks) for ranks in RANKING.straights)
    return comb(13 - len(gone), 5) - straights


# What is counted among all draws.


@cache
def drawn(held, out):
    """All hands that a draw makes, one of each kind, and how many there are of it."""
    kept, away = cards(held), cards(out)
    return [*kinds(kept, [card for card in PACK if card not in kept and card not in away])]


def chance(held, out, least, most="", rank="2"):
    """The share of draws that make a class, or one from `least` to `most`; of the least one only from `rank` up."""
    low, high = RANKING.positions[least], RANKING.positions[most or least]
    hits = of = 0
    for hand, many in drawn(held, out):
        position = RANKING.position(hand)
        enough = position > low or max(card.rank for card in RANKING.grouped(hand) or hand) >= RANKS[rank]
        hits += many * (low <= position <= high and enough)
        of += many
    return Fraction(hits, of)


def against(held, out, **events):
    """The odds against each event: 2.5 of 2½ to 1."""
    return {name: 1 / chance(held, out, *event) - 1 for name, event in events.items()}


BETTER, FULL, FOURS = ("two-pairs", "fives"), ("full",), ("fours",)
FLUSH, STRAIGHT_UP = ("flush",), ("straight", "fives")
EXACTLY_THREES = ("threes",)

three_to_a_pair = partial(
    *(against, "9s 9h", "Kc 7d 2s"),
    improved=BETTER,
    threes=EXACTLY_THREES,
    two_pairs=("two-pairs",),
    full=FULL,
    fours=FOURS,
)
two_to_a_pair_and_ace = partial(
    against, "9s 9h Ac", "7d 2s", improved=BETTER, threes=EXACTLY_THREES, two_pairs=("two-pairs",)
)
one_to_two_pairs = partial(against, "9s 9h 4c 4d", "As", full=FULL)
two_to_threes = partial(against, "9s 9h 9c", "Kd 2s", improved=("full", "fives"), full=FULL, fours=FOURS)
one_to_threes = partial(against, "9s 9h 9c Kd", "2s", improved=("full", "fives"), full=FULL, fours=FOURS)
one_to_a_gap = partial(against, "9s 8h 6c 5d", "Kc", straight=("straight",))
one_to_an_open_four = partial(against, "9s 8h 7c 6d", "Kc", straight=("straight",))
one_to_four_of_a_suit = partial(against, "Ks Ts 7s 3s", "9h", flush=FLUSH)
two_to_three_of_a_suit = partial(against, "Ks Ts 7s", "3d 9h", flush=FLUSH)
three_to_two_of_a_suit = partial(against, "Ks 7s", "Tc 3d 9h", flush=FLUSH)
one_to_an_open_straight_flush = partial(
    against, "9s 8s 7s 6s", "Kh", straight=STRAIGHT_UP, straight_flush=("straight-flush",)
)
one_to_a_straight_flush = partial(
    against, "9s 8s 6s 5s", "Kh", straight=STRAIGHT_UP, straight_flush=("straight-flush",)
)
three_to_ace_and_king = partial(against, "As Kh", "9c 6d 2s", pair=("pair", "pair", "K"))
four_to_an_ace = partial(against, "As", "Jh 8c 6d 3h", pair=("pair", "pair", "A"), aces_up=("two-pairs", "fives", "A"))
two_to_a_straight = partial(against, "9s 8h 7c", "Kd 2s", straight=STRAIGHT_UP)
two_to_a_straight_flush = partial(against, "9s 8s 7s", "Kd 2h", straight=STRAIGHT_UP)


def threes_improved():
    """With one card to threes and a king, and with two."""
    improved = "full", "fives"
    return {"one": chance("9s 9h 9c Kd", "2s", *improved), "two": chance("9s 9h 9c", "Kd 2s", *improved)}


def two_pairs_improved():
    """Full hands from one card; threes or better, two pairs or better from three cards to the higher pair."""
    higher = "8s 8h", "4c 4d As"
    return {
        "full": chance("8s 8h 4c 4d", "As", "full"),
        "threes": chance(*higher, "threes", "fives"),
        "two_pairs": chance(*higher, *BETTER),
    }


def once_in():
    """How many draws there are to one that improves."""
    return {
        "tens": 1 / chance("Ts Th", "Kc 7d 2s", *BETTER),
        "queens": 1 / chance("Qs Qh", "Kc 7d 2s", *BETTER),
        "eights_up": 1 / chance("8s 8h 4c 4d", "As", "full", "fives"),
    }
