"""What the claims about Nap count."""

from fractions import Fraction
from itertools import combinations
from math import comb

from roundsim.claim import counters, gives
from roundsim.games.nap import Nap
from roundsim.strategy import SUITS, ranks_of

FULL, SHORT = range(2, 15), range(7, 15)  # the ranks of a suit with 52 cards, and with 32
HANDS = comb(52, 5)


# Sure tricks.


def safe_naps():
    """The share of hands that win all five tricks against every lie of the other cards."""
    return {"share": share_safe(FULL)}


def safe_naps_by_pack():
    """The same with 52 cards and with 32."""
    return {"n52": share_safe(FULL), "n32": share_safe(SHORT)}


def share_safe(ranks):
    """The share of hands of five that win all tricks against an opponent with as many trumps as he can hold."""
    safe = 0
    for trumps in range(1, 6):
        left = len(ranks) - trumps  # the others' trumps, which must all be drawn before a plain card is led
        if trumps < 5 and left > trumps:
            continue
        held = sum(drawn_from_the_top(own, ranks) for own in combinations(ranks, trumps))
        safe += len(SUITS) * held * tops(5 - trumps)
    return Fraction(safe, comb(4 * len(ranks), 5))


def drawn_from_the_top(own, ranks):
    """Whether trumps led from the top win, while an opponent with all or five of the others throws his lowest."""
    others = set(ranks) - {*own}
    leads = sorted(own, reverse=True)
    return all(number >= len(others) or card > max(others) for number, card in enumerate(leads))


def tops(cards):
    """In how many ways plain cards are the highest of their suits: so many of each of three suits."""
    return comb(cards + 2, 2)


def other_sure_threes():
    """The share of hands, at least, that are sure of three tricks without A K Q of a suit: by four or five trumps."""
    other = [len(own) for number in (4, 5) for own in combinations(FULL, number) if is_other_three(own)]
    return {"other": Fraction(sum(len(SUITS) * comb(39, 5 - number) for number in other), HANDS)}


def is_other_three(own):
    return sure_tricks(own) >= 3 and not {12, 13, 14} <= {*own}


def sure_tricks(own):
    """How many of these trumps, at least, win whatever happens: each other trump beats but one of them, a lower one."""
    others = sorted({*FULL} - {*own}, reverse=True)
    beaten = 0
    for card in sorted(own, reverse=True):
        beaten += others[beaten] > card
    return len(own) - beaten


def top_cards():
    """How often a hand holds A K Q of a suit, and A K: two suits at most, which must not be counted twice."""
    kings = len(SUITS) * comb(50, 3) - comb(4, 2) * comb(48, 1)
    return {"akq": Fraction(len(SUITS) * comb(49, 2), HANDS), "ak": Fraction(kings, HANDS)}


# Ace, knave and ten.


def guarded():
    """The chance that one of so many opponents holds the king or the queen guarded, against A J T."""
    return {name: share_guarded(FULL, number) for number, name in enumerate(("one", "two", "three", "four"), 1)}


def guarded_by_pack():
    """The same for three opponents, with 52 cards and with 32."""
    return {"full": share_guarded(FULL, 3), "short": share_guarded(SHORT, 3)}


def share_guarded(ranks, opponents):
    """The chance that somebody holds one of two trumps with another: by the places of the two among the unseen cards."""
    unseen, low = 4 * len(ranks) - 5, len(ranks) - 5  # low: the other trumps that are out
    held, stock = 5 * opponents, unseen - 5 * opponents
    free = stock * (stock - 1) * comb(unseen - 2, low)  # both in the stock
    free += 2 * held * stock * comb(unseen - 6, low)  # one of them alone in a hand
    free += held * (held - 5) * comb(unseen - 10, low)  # each alone in another hand
    return 1 - Fraction(free, unseen * (unseen - 1) * comb(unseen - 2, low))


@gives("made")
def three_on_ace_jack_ten(deal):
    """How often a call of three is made on A J T of a suit without its king and queen."""
    if "call 3" in deal.actions:
        over = deal.over
        if over.call == "call 3" and ace_jack_ten(deal.hands[over.senior]):
            yield "made", deal.net[over.senior] > 0


def ace_jack_ten(hand):
    """Whether a hand has A J T of a suit, and neither its king nor its queen."""
    suits = [{*ranks_of(hand, suit)} for suit in SUITS]
    return any({10, 11, 14} <= own and own.isdisjoint((12, 13)) for own in suits)


def three_with_honours(view):
    """Whether a hand that may call three has three of a suit with ace or king, and another of A K Q J in it."""
    suits = [ranks_of(view.hand, suit) for suit in SUITS]
    return "call 3" in view.legal and any(len(own) >= 3 and own[-1] >= 13 and own[-2] >= 11 for own in suits)


# Calls.


def break_even():
    """The chance of five tricks from which nap is worth more than four: four being certain, and nap or nothing."""
    worth = Nap.rules_for(4, {}).worth
    _, nap_wins, nap_loses = worth["call nap"]
    _, four_wins, four_loses = worth["call 4"]
    nap, four = nap_wins + nap_loses, four_wins + four_loses  # what a chance of 1 adds
    # p * nap - nap_loses = q * four - four_loses, where q is the chance of four: 1, or p
    return {
        "sure_four": Fraction(four - four_loses + nap_loses, nap),
        "all_or_nothing": Fraction(nap_loses - four_loses, nap - four),
    }


def four_with_the_ace_or_king(view):
    """Whether a hand that may call four has four or five of a suit with the ace or king: one to call nap on."""
    suits = [ranks_of(view.hand, suit) for suit in SUITS]
    return "call 4" in view.legal and any(len(own) >= 4 and own[-1] >= 13 for own in suits)


@gives("good", "bad")
def quiet(deal):
    """What the other players win a deal: with A K of a suit, a certain two, and without it."""
    for seat in range(deal.players):
        if deal.entrants[seat]:
            good = any({13, 14} <= {*ranks_of(deal.hands[seat], suit)} for suit in SUITS)
            yield "good" if good else "bad", counters(deal, seat)


@gives("made")
def all_tricks(deal):
    """In how many deals a nap is called and made."""
    yield "made", "call nap" in deal.actions and deal.over.call == "call nap" and deal.net[deal.over.senior] > 0


def best_call():
    """What the best hand may win of each other player: for who calls first, and for who calls over a nap."""
    rules = Nap.rules_for(4, {"wellington": "full"})
    most = {
        stands: max(rules.worth[call][1] for call in higher[1:])
        for stands, higher in rules.higher.items()
        if higher[1:]
    }
    return {"first": most["pass"], "over": most["call nap"]}
