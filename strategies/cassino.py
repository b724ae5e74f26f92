"""Cassino: the points first, then the number of cards."""

from collections.abc import Collection, Sequence

from roundsim.games.cassino import Cassino
from roundsim.strategy import CARD, PACK, Action, Card, ace_low

PRIZE = {card: 100 if card == "2s" or card[0] == "A" else 20 * (card.suit == "s") for card in PACK} | {CARD["Td"]: 200}


class Book:
    """Every action is scored, after Baxter-Wray, "Round Games with Cards", 1891, pp. 99-100; the figures are ours.

    A taking: 200 for Great Cassino, 100 for Little Cassino and each ace, 20 for any other spade, the card played among
    them; 100 for a sweep; 10 for each card and 5 more if it is combined, because a card that pairs may well stay there
    longer; but 50 for pairing a ten or a two while the Cassino of that rank has not been seen, so that nobody takes them
    with it. If takings are equal, it plays the lowest card.

    If it can take nothing, it keeps the Cassinos and aces, and lays a card of the rank that it has seen most; among
    those a court card, or the highest, with which the board is least likely to add up to ten or less."""

    name = "book"
    games = ["cassino"]

    def play(self, view: Cassino.View) -> str:
        seen = {*view.hand, *view.board}.union(*view.piles)
        takings = [action for action in view.legal if action.verb == "take"]
        if takings:
            return max(takings, key=lambda action: (taking(action, view.board, seen), -ace_low(action.card)))
        ranks = [card[0] for card in seen]
        return max(view.legal, key=lambda action: laying(action.card, ranks))


def taking(action: Action, board: Collection[Card], seen: Collection[Card]) -> int:
    """Return the score of a taking."""
    played, *taken = action.cards
    paired = [card[0] for card in taken].count(played[0])
    worth = sum([PRIZE[card] for card in action.cards]) + 100 * (len(taken) == len(board))
    worth += 10 * len(taken) + 5 * (len(taken) - paired)
    return worth + 50 * (paired > 0 and {"T": "Td", "2": "2s"}.get(played[0], played) not in seen)


def laying(card: Card, ranks: Sequence[str]) -> tuple[bool, int, int]:
    """Return how good a card is to lay: no prize; then the least likely to be paired; then a court card, or the highest."""
    return PRIZE[card] < 100, ranks.count(card[0]), ace_low(card)
