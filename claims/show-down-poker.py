"""What the claims about Show-down Poker count."""

from fractions import Fraction
from itertools import chain, combinations

from roundsim.claim import gives
from roundsim.odds import kinds
from roundsim.strategy import PACK, SUITS, all_but, by_rank, cards, discard, of_suit, ranking_of

RANKING = ranking_of(None)
PAIR = 10  # the position of the class
MINE, ACES = cards("Kc Kd 9h 8s 7c"), cards("As Ah 5c 4d 2s")


def kings_against_aces():
    """How often two aces are beaten by draws to the kings alone, to the best part of the hand, to the next best."""
    least, left = RANKING.key(ACES), [card for card in PACK if card not in MINE and card not in ACES]
    wins = {}
    for kept in chain(*[combinations(MINE, k) for k in range(5)]):
        drawn = [(RANKING.key(hand) > least, many) for hand, many in kinds(kept, left)]
        wins[kept] = Fraction(sum(beats * many for beats, many in drawn), sum(many for _, many in drawn))
    best, *others = sorted(wins.values(), reverse=True)
    kings = wins[tuple(MINE[:2])]
    return {"kings": kings, "best": best, "next": others[0] if kings == best else best}


@gives("broken")
def breaks_a_pair(deal):
    """Whether the dealer, who holds one pair and does not have the best hand yet, puts a card of it away."""
    hand = deal.hands[deal.dealer]
    if RANKING.position(hand) == PAIR:
        for view, said in deal.walk():
            if view.seat == deal.dealer:
                yield "broken", bool({*RANKING.grouped(hand)} & {*said.cards})


def always(view):
    return True


def reckons(view):
    return ""  # no legal answer: the strategy's own stands


def looks_away(view):
    """Keep what makes the class, else four of a suit, else the highest card."""
    four = next((of_suit(view.hand, suit) for suit in SUITS if len(of_suit(view.hand, suit)) == 4), None)
    kept = RANKING.grouped(view.hand) or four or [max(view.hand, key=by_rank)]
    return discard(all_but(view.hand, kept))
