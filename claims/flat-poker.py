"""What the claims about Flat Poker count."""

from roundsim.claim import gives
from roundsim.strategy import cards, ranking_of

RANKING = ranking_of(None)
PAIR, TWO_PAIRS = 10, 20  # positions of classes
LEAST = {  # the least hand of a kind, and the least that is above it
    "tens": ("Th Td 4s 3h 2c", "Jh Jd 4s 3h 2c"),
    "aces": ("Ah Ad 4s 3h 2c", "3h 3d 2s 2h 4c"),
    "two_pairs": ("3h 3d 2s 2h 4c", "2h 2d 2s 4h 3c"),
    "queens_up": ("Qh Qd 2s 2h 3c", "2h 2d 2s 4h 3c"),
}
KEYS = {name: [RANKING.key(cards(hand)) for hand in hands] for name, hands in LEAST.items()}


def always(view):
    return True


def nothing(view):
    return RANKING.position(view.hand) < PAIR


def two_pairs_or_better(view):
    return RANKING.position(view.hand) >= TWO_PAIRS


@gives(*KEYS)
def beats_all(deal):
    """How often hands are not beaten at the show, where all are in."""
    shown = [hand for hand in deal.over.shown if hand]
    if len(shown) == deal.players:
        keys = [*map(RANKING.key, shown)]
        for name, (least, above) in KEYS.items():
            for key in keys:
                if least <= key < above:
                    yield name, key == max(keys)


@gives("above", "uncalled")
def uncalled(deal):
    """How often nobody calls a hand that is backed; `above`: less what a bluff needs, (k - 1) in (2 k - 1)."""
    if deal.over.backer is not None:
        in_the_pool = len(deal.over.still_in)
        yield "uncalled", not deal.over.callers
        yield "above", (not deal.over.callers) - (in_the_pool - 1) / (2 * in_the_pool - 1)
