"""My Bird Sings by thresholds of our own: the books have no advice on it."""

from collections.abc import Sequence

from roundsim.games.my_bird_sings import MyBirdSings
from roundsim.strategy import Card, by_rank, pips


class Book:
    """Ours: the books have no hints.

    Throwing: with three cards of one suit it aims at the flush, and throws from outside that suit; otherwise at four
    suits, and throws from the suit held most often.  Among equals it throws what the next seat has thrown away before,
    but not the suit that he threw last, if there is a choice: of two players each knows what the other has thrown,
    more than two know nothing of the next.  A renewal is free, and exchanges the card that would be thrown.  The backs
    are drawn from at random.  At sea it barters and gives the card outside its best two of a suit, of three suits the
    lowest, and passes only in the last round, with two that count 21.

    Where only flushes sing it always aims at one; `letter`: 1 aims at four suits there too, as elsewhere."""

    name = "book"
    games = ["my-bird-sings"]

    def __init__(self, letter: int = 0) -> None:
        self.letter = letter

    def throw(self, view: MyBirdSings.View) -> str:
        return f"throw {self.useless(view)}"

    def renew(self, view: MyBirdSings.View) -> str:
        return f"exchange {self.useless(view)}"

    def trade(self, view: MyBirdSings.View) -> str:
        total, out = best_two(view.hand)
        content = total >= 21 and view.round == view.options.ship_rounds
        return "pass" if content else f"barter {out}"

    def answer(self, view: MyBirdSings.View) -> str:
        return f"give {best_two(view.hand)[1]}"

    def useless(self, view: MyBirdSings.View) -> Card:
        """The card that helps least towards the bird that is aimed at."""
        held = [card.suit for card in view.hand]
        best = max(held, key=held.count)
        only_flushes = view.options.flush_only or view.options.cards == 3
        if held.count(best) >= 3 or only_flushes and not self.letter:
            others = [suit for suit in held if suit != best]
            suits = {suit for suit in others if others.count(suit) == min(map(others.count, others))}
        else:
            suits = {suit for suit in held if held.count(suit) == held.count(best)}
        suits = self.for_the_next(view, suits)
        return next(card for card in view.hand if card.suit in suits)

    def for_the_next(self, view: MyBirdSings.View, suits: set[str]) -> set[str]:
        """Return the better suits to throw against one other: not the one that he threw last, rather those before."""
        if view.players > 2 or view.options.method == "draw" or not view.received:
            return suits
        *before, last = [card.suit for card in view.received]
        suits = suits - {last} or suits
        return suits & set(before) or suits


def best_two(hand: Sequence[Card]) -> tuple[int, Card]:
    """Return the points of the best two cards of one suit, and the third card; with three suits, 0 and the lowest card."""
    odd = [card for card in hand if [other.suit for other in hand].count(card.suit) == 1]
    out = odd[0] if len(odd) == 1 else min(hand, key=by_rank)
    return (sum(pips(card) for card in hand if card != out) if len(odd) == 1 else 0), out
