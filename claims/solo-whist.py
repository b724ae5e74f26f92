"""What the claims about Solo Whist count."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from math import comb

from roundsim.claim import gives, subject
from roundsim.strategy import SUITS, ranks_of

RANKS = range(2, 15)
HANDS = comb(52, 13)


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


@gives("propose", "solo")
def by_call(deal):
    """What a proposal that is accepted brings its caller, and a solo."""
    if (call := deal.over.call) in ("propose", "solo"):
        yield call, deal.net[deal.over.holder]


@gives("propose", "solo", "thrown_in")
def calls(deal):
    """In what share of deals a proposal is played, a solo, and nothing."""
    for name, call in (("propose", "propose"), ("solo", "solo"), ("thrown_in", "pass")):
        yield name, deal.over.call == call


@gives("made")
def abundances(deal):
    """In how many deals an abundance is made."""
    yield "made", deal.over.call.startswith("abundance") and deal.net[deal.over.holder] > 0


@gives("few", "more")
def miseres(deal, where, phase):
    """How often a forced misere that is played is made: with at most four unsafe cards, and with more."""
    seat = subject(deal)
    if deal.over.call == "misere" and deal.over.holder == seat:
        yield "few" if unsafe(deal.hands[seat]) <= 4 else "more", deal.net[seat] > 0


@gives("over_called")
def proposals(deal):
    """How often another call is made over a proposal by another seat."""
    if "propose" in deal.actions:
        proposer = next(seat for seat, call in deal.over.calls if call == "propose")
        higher = [seat for seat, call in deal.over.calls if call not in ("pass", "accept")]
        yield "over_called", {*higher} != {proposer}


@gives("net")
def general_misere(deal):
    """What the strategy that is tested wins in a general misere."""
    if deal.over.call == "pass":
        yield "net", deal.net[subject(deal)]


# Hands.


def may_solo(view):
    """Whether a hand may propose, and has five of the turned suit with ace or king, and an ace outside."""
    own = ranks_of(view.hand, view.turned.suit)
    aces = sum(card.rank == 14 for card in view.hand)
    return "propose" in view.legal and len(own) >= 5 and own[-1] >= 13 and aces > (own[-1] == 14)


def six_trumps(view):
    """Whether a hand that may call a solo has six of the turned suit with ace and king."""
    own = ranks_of(view.hand, view.turned.suit)
    return "solo" in view.legal and len(own) >= 6 and own[-2:] == [13, 14]


def low_cards(view):
    """Whether a hand that may call a misere has at most four unsafe cards."""
    return "misere" in view.legal and unsafe(view.hand) <= 4


def lowish_cards(view):
    """Whether it has at most six."""
    return "misere" in view.legal and unsafe(view.hand) <= 6


def unsafe(hand):
    """How many cards lie above the line 2, 4, 6, 8, ten, queen, ace of their suits."""
    suits = [ranks_of(hand, suit) for suit in SUITS]
    return sum(rank > 2 * place for own in suits for place, rank in enumerate(own, 1))
