"""House strategies for Snip-Snap-Snorum."""

from collections import Counter


class Book:
    """Plays the rank of which the fewest cards are unseen, which is almost safe when two have been played (Baxter-Wray
    1891, p. 92); of equal ones a rank of which he holds a pair, then the lowest."""

    name = "book"
    games = ["snip-snap-snorum"]

    def play(self, view):
        held = Counter(card.rank for card in view.hand)
        seen = held + Counter(card.rank for card in [*view.played, *[view.turn_up] * bool(view.turn_up)])
        return max(view.legal, key=lambda action: self.safety(action.card.rank, seen, held))

    @staticmethod
    def safety(rank, seen, held):
        return seen[rank], held[rank] > 1, -rank

    def pair(self, view):
        return view.legal[0]
