"""Thirty-one: Foster's one hint, that an early knock denies the others their draws, with thresholds of our own."""

THIRTY_ONE, TRIPLET, TOTAL = 2, 1, 0


class Book:
    """Foster hints that one may knock without drawing; the figures are ours.

    Thirty-one or three of a kind knock at once, and so does in the first turn a count of 25 (up to three players), 27
    (four or five) or 29.  Else the draw that betters the hand most; if none does, 24 knock; with less the draw that
    loses least, the lowest card put out, unless every draw loses.  After a knock the draw that betters the hand most."""

    name = "book"
    games = ["thirty-one"]

    def draw(self, view):
        triplets = view.options.triplets
        now = value(view.hand, triplets)
        best, laid, action = max(possible(view, triplets))
        if view.knocker is not None:
            return action if best > now else "stand"
        if now[0] != TOTAL or view.turns < view.players and now[1] >= enough(view.players):
            return "knock"
        if best > now:
            return action
        if now[1] >= 24:
            return "knock"
        return action if best[:2] == now[:2] else "pass"


def enough(players):
    """The count to knock with in the first turn."""
    return 25 if players <= 3 else 27 if players <= 5 else 29


def possible(view, triplets):
    """What can be had: the hand, the rank laid down for it (less is better), and the action."""
    for action in view.legal:
        if action.verb == "draw":
            taken, laid = action.cards
            yield value([taken if card == laid else card for card in view.hand], triplets), -laid.rank, action


def value(hand, triplets):
    """The class of three cards, and what it is compared by; the greater is the better hand."""
    if triplets and hand[0].rank == hand[1].rank == hand[2].rank:
        return TRIPLET, hand[0].rank
    counts = {}
    for card in hand:
        total, cards = counts.get(card.suit, (0, 0))
        counts[card.suit] = total + (11 if card.rank == 14 else min(card.rank, 10)), cards + 1
    total, cards = max(counts.values())
    return (THIRTY_ONE,) if total == 31 else (TOTAL, total, cards)
