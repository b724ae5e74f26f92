"""What the claims about Cassino count, and the strategies that they compare with the book."""

from math import comb

from roundsim_strategies import cassino

from roundsim.claim import gives


class PairsFirst(cassino.Book):
    """Plays as the book, but combined cards count no more than a pair."""

    name = "pairs-first"

    def play(self, view):
        seen = {*view.hand, *view.board}.union(*view.piles)
        takings = [action for action in view.legal if action.verb == "take"]
        return max(takings, key=lambda action: self.worth(action, view.board, seen)) if takings else super().play(view)

    @staticmethod
    def worth(action, board, seen):
        played, *taken = action.cards
        combined = sum(card[0] != played[0] for card in taken)
        return cassino.taking(action, board, seen) - 10 * combined, -cassino.ace_low(played)


class MostCards(cassino.Book):
    """Takes the most cards, and lays as the book."""

    name = "most-cards"

    def play(self, view):
        takings = [action for action in view.legal if action.verb == "take"]
        return max(takings, key=lambda action: len(action.cards)) if takings else super().play(view)


class Waits(cassino.Book):
    """Lays a card where that is allowed and the best taking wins no point; else plays as the book."""

    name = "waits"

    def play(self, view):
        best, lays = super().play(view), [action for action in view.legal if action.verb == "lay"]
        if best.verb == "lay" or not lays or len(best.cards) > len(view.board) or any(map(cassino.prize, best.cards)):
            return best
        ranks = [card[0] for card in {*view.hand, *view.board}.union(*view.piles)]
        return max(lays, key=lambda action: cassino.laying(action.card, ranks))


def even_divisions():
    """In how many ways two sides can divide the spades, and all cards, evenly."""
    return {
        name: sum(comb(cards, mine) for mine in range(cards + 1) if mine == cards - mine)
        for name, cards in (("spades", 13), ("cards", 52))
    }


@gives("sweeps", "equal", "blank")
def scores(deal):
    """The sweeps of a deal, how often nobody has most cards alone, and how often nobody scores."""
    parts = deal.over.points_by_part()
    points = [*map(sum, zip(*parts.values(), strict=True))]
    yield "sweeps", sum(deal.over.sweeps)
    yield "equal", "most cards" not in parts
    yield "blank", not any(deal.over.scored(points))
