"""What the claims about Loo count."""

from fractions import Fraction
from math import comb

from roundsim.claim import counters, gives
from roundsim.strategy import SUITS, of_suit

UNSEEN = 52 - 3 - 1  # cards that a seat does not see, with three in hand and one turned up


# Exact.


def won_singles():
    """The chance at five seats that a card beats the one that is turned up."""
    return {"won": 1 - unbeaten(5)}


def unbeaten_singles():
    """The chance that nobody is dealt a card that beats the one turned up, by the seats."""
    return {f"n{seats}": unbeaten(seats) for seats in range(2, 10)}


def unbeaten(seats):
    """The mean over the ranks that are turned up: none of the higher cards of the suit among those dealt."""
    return Fraction(sum(comb(51 - higher, seats) for higher in range(13)), 13 * comb(51, seats))


def trumps_dealt():
    """The chance of so many trumps among three cards, with one trump turned up."""
    names = "none", "one", "two", "three"
    return {name: Fraction(comb(12, held) * comb(39, 3 - held), comb(51, 3)) for held, name in enumerate(names)}


def ace_against_the_king():
    """The chance that one of four opponents holds the ace of trumps."""
    return Fraction(comb(UNSEEN - 1, 11), comb(UNSEEN, 12))


def trumps_in_the_miss():
    """The chance that the miss holds a trump, by those in one's own hand, or two; and of a hand of which nothing is
    known."""
    none, one = [Fraction(comb(UNSEEN - trumps, 3), comb(UNSEEN, 3)) for trumps in (12, 11)]
    single = Fraction(12 * comb(UNSEEN - 12, 2), comb(UNSEEN, 3))
    return {
        "holding_none": 1 - none,
        "holding_one": 1 - one,
        "two": 1 - none - single,
        "fresh": 1 - trumps_dealt()["none"],
    }


def flushes_dealt():
    """The chance of five cards of one suit, the knave of clubs being of any."""
    with_pam = comb(12, 4) + 3 * comb(13, 4)  # with four other clubs, or of another suit
    return Fraction(with_pam + comb(12, 5) + 3 * comb(13, 5), comb(52, 5))


# Hands.


def trumps(view):
    return sum(card.suit == view.trumps for card in view.hand)


def two_trumps(view):
    """Whether a seat that may throw up holds two trumps."""
    return trumps(view) == 2 and "fold" in view.legal


def two_trumps_first(view):
    """Whether the first seat holds two trumps."""
    return two_trumps(view) and view.seat == view.order[0]


def no_trump(view):
    """Whether a seat that may throw up holds no trump."""
    return not trumps(view) and "fold" in view.legal


def no_trump_in_a_rich_pool(view):
    """The same where a trick is worth a loo or more."""
    return no_trump(view) and view.played_for >= 3 * view.loo


def king_with_small_cards(view):
    """Whether a hand has the king of trumps, no other trump, and no side card above the knave."""
    side = [card for card in view.hand if card.suit != view.trumps]
    return f"K{view.trumps}" in view.hand and len(side) == 2 and all(card.rank <= 11 for card in side)


def may_take_the_miss(view):
    """Whether a hand without a trump may take the miss, or throw up."""
    return no_trump(view) and "miss" in view.legal


def two_of_five_folded(view):
    """Whether the miss is to be had, two have thrown up or more, and at most two stand."""
    return may_take_the_miss(view) and view.declared.count("fold") >= 2 and len(view.standing) <= 2


def three_stand(view):
    return may_take_the_miss(view) and len(view.standing) >= 3


def four_of_a_suit(view):
    """Whether a hand has four cards towards a flush, not in trumps, the fifth being neither trump nor Pam."""
    plain = [len(of_suit(view.hand, suit)) for suit in SUITS if suit != view.trumps]
    return view.pam not in view.hand and not trumps(view) and max(plain) == 4


# Measures.


@gives("safe")
def on_the_king(deal):
    """Whether who stands on the king of trumps with small cards is not looed."""
    for view, said in deal.walk():
        if view.phase == "declare" and said == "stand" and king_with_small_cards(view):
            yield "safe", all(move.payer != view.seat for move in deal.moves if move.why == "looed")


@gives("met")
def contingencies(deal):
    """How often at most one stands before the last hand, of the deals that are no singles."""
    if deal.actions:
        over = deal.over
        last = over.order[-1]
        yield "met", sum(seat != last for seat in over.standing) < 2


@gives("single")
def next_is_single(deal):
    """How often nobody is looed, of the deals that are no singles."""
    if deal.actions:
        yield "single", deal.over.single


@gives("looed")
def looed(deal):
    """How many are looed, of the deals that are no singles."""
    if deal.actions:
        yield "looed", looed_in(deal)


@gives("looed")
def looed_on_clubs(deal):
    """How many are looed when clubs are trumps."""
    if deal.actions and deal.over.trumps == "c":
        yield "looed", looed_in(deal)


def looed_in(deal):
    return sum(move.why == "looed" for move in deal.moves)


@gives("net")
def holding_the_miss(deal):
    """What who takes the miss for himself wins."""
    if "miss" in deal.actions:
        yield "net", counters(deal, deal.over.miss)
