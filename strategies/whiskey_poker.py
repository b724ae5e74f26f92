"""Whiskey poker by thresholds of our own: neither Foster nor Hoyle advises on play."""

from collections.abc import Iterator, Sequence

from roundsim.games.whiskey_poker import WhiskeyPoker
from roundsim.strategy import Card, all_but, cards, ranking_of

value = ranking_of(None).key
NINES, TWO_PAIRS, KINGS_UP, THREES = map(  # the least of each
    value, map(cards, ("9s 9h 4s 3h 2s", "3s 3h 2s 2h 4s", "Ks Kh 2s 2h 3s", "2s 2h 2d 4s 3h"))
)


class Book:
    """Ours; the books are silent.

    The closed widow: knock with three of a kind, take it with less than a pair of nines unless four cards are of one
    suit or of an open straight.  The open widow: take what raises the class of the hand; else knock with two pairs,
    kings up; else the best possible, the lowest card laid down, but none that pairs the last card that the next player
    took.  After a knock the best that betters the hand.  With lives, and none having more, any two pairs knock: one
    need only beat the worst hand."""

    name = "book"
    games = ["whiskey-poker"]

    def widow(self, view: WhiskeyPoker.View) -> str:
        strength = value(view.hand)
        if "knock" in view.legal and strength >= (TWO_PAIRS if ahead(view) else THREES):
            return "knock"
        return "exchange" if strength < NINES and not promising(view.hand) else "pass"

    def draw(self, view: WhiskeyPoker.View) -> str:
        now, changes = value(view.hand), list(possible(view))
        best, _, action = max(changes)
        if view.knocker is not None:
            return action if best > now else "stand"
        if class_of(best) > class_of(now):
            return action
        if now >= (TWO_PAIRS if ahead(view) else KINGS_UP):
            return "knock"
        wanted = taken_last(view, (view.seat + 1) % view.players)
        return max(change for change in changes if change[1] not in (0, -wanted))[2]


def possible(view: WhiskeyPoker.View) -> Iterator[tuple[int, float, str]]:
    """Yield each possible hand, the rank laid down for it (less is better, and all five best), and the action."""
    table = view.table
    for laid in view.hand:
        kept = all_but(view.hand, [laid])
        for taken in table:
            yield value([taken, *kept]), -laid.rank, f"draw {taken} {laid}"
    if "exchange" in view.legal:
        yield value(view.table), 0, "exchange"


def ahead(view: WhiskeyPoker.View) -> bool:
    """Whether lives are played for, and nobody has more."""
    return bool(view.lives) and view.lives[view.seat] == max(view.lives)


def taken_last(view: WhiskeyPoker.View, seat: int) -> float:
    """The rank of the card that a seat took last; 0 if it has drawn none."""
    drawn = [entry.action.cards[0].rank for entry in view.history if entry.seat == seat and entry.action.verb == "draw"]
    return drawn[-1] if drawn else 0


def class_of(value: int) -> int:
    """The class of a hand; a royal flush is a straight flush."""
    return (value >> 28) // 10


def promising(hand: Sequence[Card]) -> bool:
    """Four cards of one suit, or of a straight that is open at both ends."""
    suits = [card.suit for card in hand]
    ranks = {card.rank for card in hand}
    open_four = any({low, low + 1, low + 2, low + 3} <= ranks for low in range(2, 11))
    return open_four or max(map(suits.count, suits)) >= 4
