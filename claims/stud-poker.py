"""What the claims about Stud Poker count."""

from roundsim.claim import gives
from roundsim.strategy import unseen

TWO_PAIRS = 20  # the position of the class


@gives("above", "best")
def best_card_up(deal):
    """How often the best first card face up has the best of all hands; `above`: how much more often than by chance."""
    keys = [deal.rules.ranking.key(hand) for hand in deal.hands]
    best = keys[first_seat(deal)]
    share = (best == max(keys)) / keys.count(best)
    yield "best", share
    yield "above", share - 1 / deal.players


def first_seat(deal):
    """The best card face up; of equal ones the first from the dealer's left (Foster, section Stud Poker)."""
    return max(deal.over.dealt_in, key=lambda seat: deal.hands[seat][1].rank)


@gives("two_pairs")
def winning_hand(deal):
    """Whether the best hand that is shown is two pairs or better."""
    if shown := [hand for hand in deal.over.shown if hand]:
        yield "two_pairs", max(map(deal.rules.ranking.position, shown)) >= TWO_PAIRS


@gives("first", "other")
def equal_cards_up(deal):
    """What the one wins who speaks first, and what others win who show a card of the same rank, without the antes."""
    first = first_seat(deal)
    others = [seat for seat in deal.over.dealt_in if seat != first and rank_up(deal, seat) == rank_up(deal, first)]
    if others:
        yield "first", without_antes(deal, first)
        for seat in others:
            yield "other", without_antes(deal, seat)


def rank_up(deal, seat):
    return deal.hands[seat][1].rank


def without_antes(deal, seat):
    return deal.net[seat] + sum(move.counters for move in deal.moves if move.payer == seat and "ante" in move.why)


def first_to_speak(view):
    """On two cards, with the best card face up."""
    first = max(view.dealt_in, key=lambda seat: view.up[seat][0].rank)
    return len(view.hand) == 2 and view.better is None and view.seat == first


def as_the_book(view):
    return ""  # no legal answer: the strategy's own stands


@gives("best")
def knows(deal):
    """Whether one who is asked in the last round cannot be beaten, whatever lies face down."""
    key = deal.rules.ranking.key
    for view, _ in deal.walk():
        if len(view.hand) == 5:
            mine, others = key(view.hand), [view.up[seat] for seat in view.still_in if seat != view.seat]
            yield "best", all(key((*up, card)) <= mine for up in others for card in unseen(view))
