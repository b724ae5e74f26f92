"""What the claims about Straight Poker count."""

from fractions import Fraction

from roundsim.claim import gives, subject
from roundsim.odds import kinds
from roundsim.strategy import PACK, cards, groups, ranking_of

TENS, SEVENS, DEUCES, TWO_PAIRS, THREES = "tens", "sevens", "deuces", "two_pairs", "threes"
LEAST_TENS, LEAST_KNAVES = cards("Th Td 4s 3h 2c"), cards("Jh Jd 4s 3h 2c")


def name_of(hand):
    """The class of a hand as the claims name it; of a pair its rank."""
    sizes, ranks = zip(*groups(hand), strict=True)
    if sizes == (2, 1, 1, 1):
        return {2: DEUCES, 7: SEVENS, 10: TENS}.get(ranks[0], "")
    return {(2, 2, 1): TWO_PAIRS, (3, 1, 1): THREES}.get(sizes, "")


@gives(DEUCES, SEVENS, TENS, TWO_PAIRS, THREES)
def best_hand(deal):
    """How often each hand is the best of all that are dealt, a tie counting by its share."""
    keys = [deal.rules.ranking.key(hand) for hand in deal.hands]
    for hand, key in zip(deal.hands, keys, strict=True):
        if name := name_of(hand):
            yield name, (key == max(keys)) / keys.count(key)


@gives(TWO_PAIRS, THREES)
def stakers_win(deal):
    """How often each hand that has staked takes the pool: the holder of the buck may win no more than his own antes."""
    if deal.over.winner is not None:
        for seat, (hand, staked) in enumerate(zip(deal.hands, deal.over.stake, strict=True)):
            if staked and (name := name_of(hand)):
                yield name, seat == deal.over.winner


@gives("above", "below", TENS)
def best_of_all(deal):
    """Whether the best hand that is dealt is above a pair of tens, or below; `tens`: at least that."""
    yield from around_tens(deal.rules.ranking, deal.hands)


@gives("above", "below", TENS)
def best_shown(deal):
    """The same for the best hand that is shown."""
    if shown := [hand for hand in deal.over.shown if hand]:
        yield from around_tens(deal.rules.ranking, shown)


def around_tens(ranking, hands):
    best = max(map(ranking.key, hands))
    yield "above", best >= ranking.key(LEAST_KNAVES)
    yield "below", best < ranking.key(LEAST_TENS)
    yield TENS, best >= ranking.key(LEAST_TENS)


def tens_or_better():
    """The share of all hands of five that are a pair of tens or better."""
    ranking = ranking_of(None)
    least, hands = ranking.key(LEAST_TENS), list(kinds([], PACK))
    better = sum(ways for hand, ways in hands if ranking.key(hand) >= least)
    return Fraction(better, sum(ways for _, ways in hands))


@gives("dealer")
def winner_again(deals):
    """How often the dealer, who has won the last pool, wins the next."""
    for last, deal in zip(deals, deals[1:], strict=False):
        if last.over.winner is not None and deal.over.winner is not None:
            yield "dealer", deal.over.winner == deal.dealer


@gives("same")
def antes_of_a_round(deals):
    """Whether a player has paid as much as with an ante for each deal."""
    for seat in range(deals[0].players):
        paid = sum(move.counters for deal in deals for move in deal.moves if move.payer == seat and "ante" in move.why)
        yield "same", paid == len(deals) * deals[0].rules.ante


@gives("square")
def variance(deal):
    """The square of what the strategy that is tested wins: the mean of its net is about 0."""
    yield "square", deal.net[subject(deal)] ** 2


def small_pair(view):
    """A pair below tens, and nobody has bet."""
    return view.better is None and [size for size, rank in groups(view.hand) if rank < 10][:1] == [2]


def small_pair_at_double(view):
    return view.pools["pool"] == 2 * view.players and small_pair(view)


def small_pair_at_triple(view):
    return view.pools["pool"] >= 3 * view.players and small_pair(view)
