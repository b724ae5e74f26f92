"""What the claims about Bouillotte count."""

from fractions import Fraction
from itertools import combinations
from math import comb, perm, prod

from roundsim.claim import gives
from roundsim.strategy import SUITS, by_rank, of_suit

PIPS = {"A": 11, "K": 10, "Q": 10, "J": 10, "9": 9, "8": 8}
TABLES = {"three": (4, 3), "four": (5, 4), "five": (6, 5)}  # how many ranks are in the pack, and hands are dealt


def of_a_hand(ranks=5):
    """How often a hand has three of a rank, has them with the retourne, or is any brelan."""
    hands, rest = comb(4 * ranks, 3), 4 * ranks - 3
    simple = Fraction(4 * ranks, hands)
    pairs = ranks * comb(4, 2) * (4 * ranks - 4)  # either of the other two cards of the rank may be turned
    return {"simple": simple, "carre": simple / rest, "any": simple + Fraction(pairs * 2, hands * rest)}


def of_a_deal():
    """How often some hand of a deal has three of a rank; any: or two, with the third turned up."""
    found = {}
    for name, (ranks, hands) in TABLES.items():
        cards = 4 * ranks
        found[name] = some(hands, cards, lambda number, ranks=ranks: triplets(number, ranks))
        found[f"{name}_any"] = some(hands, cards - 1, lambda number, ranks=ranks: brelans(number, ranks))
    return found


def some(hands, cards, ways):
    """The chance that at least one hand is of a kind, by inclusion and exclusion; ways: to deal so many such hands."""
    dealt = [prod(comb(cards - 3 * at, 3) for at in range(number)) for number in range(hands + 1)]
    return sum(
        (-1) ** (number + 1) * comb(hands, number) * Fraction(ways(number), dealt[number])
        for number in range(1, hands + 1)
    )


def triplets(hands, ranks):
    """The ways to deal three of a rank to each hand: of different ranks, and of each three of four cards."""
    return perm(ranks, hands) * 4**hands


def brelans(hands, ranks):
    """The ways to deal a brelan to each hand, when a card is turned: at most one hand has those of its rank.

    That hand has all three of these, or two and an odd card; if this is of the rank of another hand, that has one way."""
    others, rest = ranks - 1, hands - 1
    odd_apart = perm(others - 1, rest) * 4**rest
    odd_of_another = rest * perm(others - 1, rest - 1) * 4 ** (rest - 1) if rest else 0
    return (
        triplets(hands, others) + hands * triplets(rest, others) + hands * 3 * 4 * others * (odd_apart + odd_of_another)
    )


@gives("shown")
def engaged(deal):
    """Whether a brelan is shown when three or four are left."""
    if deal.over.better is not None and len(deal.over.still_in) >= 3:
        yield "shown", bool(deal.over.brelans)


@gives("count_20", "count_21", "count_27", "count_31", "ace_alone")
def point(deal, engaged):
    """How often a hand without a brelan wins, among each so many of a deal that might be left.

    It loses to any brelan. It is known by its best suit without the retourne: the count, if two or three cards make it;
    or an ace alone."""
    over = deal.over
    brelans = {seat for seat in over.dealt_in if over.brelan(seat)}
    for seats in combinations(over.dealt_in, engaged):
        best = over.best_of_suits(seats)
        winner = best[over.suit_that_wins(best)][1] if brelans.isdisjoint(seats) else None
        for seat in {*seats} - brelans:
            if name := name_of(over.hands[seat]):
                yield name, seat == winner


def name_of(hand):
    """Return the name of a hand of which `point` speaks: an ace in no suit with another card, or 20 without an ace."""
    cards = best_suit(hand)
    if len(cards) == 1:
        return "ace_alone" if cards[0][0] == "A" else ""
    number = count_of(cards)
    return f"count_{number}" if number in (21, 27, 31) or number == 20 and max(cards, key=by_rank)[0] != "A" else ""


def best_suit(hand):
    """Return the cards of the suit that counts most in a hand."""
    return max((of_suit(hand, suit) for suit in SUITS), key=count_of)


def count_of(cards):
    return sum(PIPS[card[0]] for card in cards)


@gives("folded")
def folded_cards(deal):
    """Whether the highest card of the suit that wins, the retourne aside, is in a hand that was folded."""
    over = deal.over
    if over.winning_suit:
        held = {card: seat for seat in over.dealt_in for card in of_suit(over.hands[seat], over.winning_suit)}
        yield "folded", held[max(held, key=by_rank)] not in over.still_in


# Where an answer is forced.


def is_brelan(view):
    ranks = [card[0] for card in view.hand]
    return len({*ranks}) == 1 or ranks.count(view.retourne[0]) == 2


def unopened(view):
    """Nobody has straddled or opened, and the ante may be bet."""
    return "bet 5" in view.legal


def twenty_one(view):
    return unopened(view) and not is_brelan(view) and count_of(best_suit(view.hand)) == 21


def ace_alone(view):
    """The best suit is an ace alone, and not that of the retourne."""
    suits = {card.suit for card in view.hand}
    ace = any(card[0] == "A" and card.suit != view.retourne.suit for card in view.hand)
    return unopened(view) and not is_brelan(view) and len(suits) == 3 and ace


def three_to_the_king(view):
    """Three of a suit, the king the highest, when both bets may be made."""
    one_suit = len({card.suit for card in view.hand}) == 1
    return unopened(view) and "bet 50" in view.legal and one_suit and max(view.hand, key=by_rank)[0] == "K"


def brelan_in_the_first_place(view):
    """Nobody has spoken since the cards were dealt, and the hand is a brelan."""
    return unopened(view) and is_brelan(view) and all(said.phase != "open" for said in view.history)


def thirty_one_with_two_in(view):
    """Two or more others have bet or called, it costs something to come in, and the best suit counts 31 or more."""
    spoken = {said.seat for said in view.history if said.action.verb in ("bet", "call", "raise")}
    company = [seat for seat in view.still_in if seat != view.seat and seat in spoken]
    good = not is_brelan(view) and count_of(best_suit(view.hand)) >= 31
    return good and len(company) >= 2 and "fold" in view.legal
