"""What the claims about Solo Whist count."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from math import comb

from roundsim.claiming import gives, subject
from roundsim.toolkit import SUITS, ranks_of

RANKS = range(2, 15)
HANDS = comb(52, 13)
LOSING = "misere", "open misere"


# Exact.


def trumps_held():
    """The mean number of trumps of the dealer, who has the one turned up, and of another seat."""
    dealer = sum((1 + held) * ways(held, 12) for held in range(13)) / comb(51, 12)
    other = sum(held * ways(held, 13) for held in range(13)) / comb(51, 13)
    return {"dealer": dealer, "other": other}


def ways(trumps, cards):
    """So many of the twelve other trumps among so many of the 51 other cards."""
    return Fraction(comb(12, trumps) * comb(39, cards - trumps))


def longest_suits():
    """The chance that the longest suit of a hand has six cards or more, seven, nine."""
    longest = Counter()
    for lengths in product(range(14), repeat=3):
        if sum(lengths) <= 13:
            all_four = *lengths, 13 - sum(lengths)
            longest[max(all_four)] += product_of(comb(13, length) for length in all_four)
    return {
        name: Fraction(sum(hands for length, hands in longest.items() if length >= least), HANDS)
        for name, least in (("six", 6), ("seven", 7), ("nine", 9))
    }


def product_of(numbers):
    result = 1
    for number in numbers:
        result *= number
    return result


def safe_hands():
    """The share of hands whose j-th lowest card of each suit is at most the (2j - 1)-th of its thirteen."""
    by_cards = [sum(map(is_safe, combinations(RANKS, cards))) for cards in range(14)]
    hands = {0: 1}
    for _ in SUITS:
        longer = Counter()
        for cards, found in hands.items():
            for more in range(14 - cards):
                longer[cards + more] += found * by_cards[more]
        hands = longer
    return Fraction(hands[13], HANDS)


def is_safe(ranks):
    """Whether these cards of a suit need not take a trick that others lead, low to high: 2, 4, 6, 8, ten, queen, ace."""
    return all(rank <= 2 * place for place, rank in enumerate(ranks, 1))


def nothing_above_nine():
    """The share of hands without a ten or higher card."""
    return Fraction(comb(4 * 8, 13), HANDS)


# Measures.


@gives("propose", "solo", "misere", "abundance", "open", "declared")
def by_call(deal):
    """What a call brings its caller, by the call that stands at last."""
    if (call := call_of(deal)) != "pass":
        yield call.split()[0], deal.net[deal.over.holder]


@gives("propose", "solo", "misere", "abundance", "open", "declared", "thrown_in")
def calls(deal):
    """In what share of deals each call is played, and none."""
    names = "propose", "solo", "misere", "abundance", "open", "declared"
    first, *_ = call_of(deal).split()
    for name in names:
        yield name, name == first
    yield "thrown_in", first == "pass"


def call_of(deal):
    return deal.over.call


@gives("made")
def abundances(deal):
    """In how many deals an abundance is made."""
    yield "made", call_of(deal).startswith("abundance") and deal.net[deal.over.holder] > 0


@gives("few", "more", "made")
def miseres(deal):
    """How often a misere is made: with at most one unsafe card, and with more; or all."""
    if call_of(deal) in LOSING:
        holder = deal.over.holder
        suits = [ranks_of(deal.hands[holder], suit) for suit in SUITS]
        unsafe = sum(rank > 2 * place for own in suits for place, rank in enumerate(own, 1))
        yield "few" if unsafe < 2 else "more", deal.net[holder] > 0
        yield "made", deal.net[holder] > 0


@gives("over_called")
def proposals(deal):
    """How often a proposal is over-called."""
    if "propose" in deal.actions:
        yield "over_called", call_of(deal) not in ("propose", "pass")


@gives("net")
def general_misere(deal):
    """What the strategy that is tested wins in a general misere."""
    if call_of(deal) == "pass":
        yield "net", deal.net[subject(deal)]


# Hands.


def may_solo(view):
    """Whether a hand may propose, and has five of the turned suit with ace or king, and an ace outside."""
    own = ranks_of(view.hand, view.turned.suit)
    aces = sum(card.rank == 14 for card in view.hand)
    return "propose" in view.legal and len(own) >= 5 and own[-1] >= 13 and aces > (own[-1] == 14)
