"""Tricks: what lies on the table, following suit, and who takes the trick."""

from __future__ import annotations

from collections.abc import Sequence

from ..table.actions import Action, play_actions
from ..table.cards import Card
from ..table.deal import Ask, Deal
from ..table.events import tells
from ..table.view import Each, Seat, TableView, public


class Tricks(Deal):
    """A deal that is played in tricks: it keeps the `leader`, the `trick` on the table, the `tricks` that are over and
    how many each seat has `won`. `gather` ends a trick."""

    leader: int
    trick: list[Card]
    tricks: list[tuple[int, list[Card]]]
    won: list[int]

    def clear_the_table(self) -> None:
        self.trick, self.tricks, self.won = [], [], [0] * self.players

    @tells("seat {winner} takes the trick")
    def gather(self, winner: int) -> None:
        """The winner of a trick leads to the next (Baxter-Wray pp. 11, 21, 105; Hoyle's Games pp. 142-146)."""
        self.won[winner] += 1
        self.tricks.append((self.leader, self.trick))
        self.leader, self.trick = winner, []

    def says(self, ask: Ask, action: Action) -> str:
        if ask.phase == "play" and action == action.card.play:
            return f"{self.how_played(action.card)} {action.card}"
        return super().says(ask, action)

    def how_played(self, card: Card) -> str:
        if not self.trick:
            return "leads"
        suit = self.suit_in_play(card)
        if suit == self.suit_in_play(self.trick[0]):
            return "follows with"
        return "trumps with" if suit == getattr(self, "trumps", None) else "throws"

    def suit_in_play(self, card: Card) -> str:
        return card.suit

    def refusal(self, ask: Ask, action: Action) -> str:
        if ask.phase == "play" and action.card and action == action.card.play:
            return "must follow suit" if action.card in self.hands[ask.seat] else f"{action.card} is not in hand"
        return super().refusal(ask, action)

    class View(TableView):
        """The cards on the table in every game of tricks."""

        leader: Seat | None = public("the seat that led, or leads, the trick on the table", None)
        trick: tuple[Card, ...] = public("the cards on the table, in the order of play")
        tricks: tuple[tuple[Seat, tuple[Card, ...]], ...] = public("the tricks that are over: (leader, cards) each")
        won: Each[int] = public("tricks won, by seat")


def may_play(hand: Sequence[Card], trick: Sequence[Card]) -> tuple[Action, ...]:
    """A player who has a card of the suit led must play one, else any card (Baxter-Wray p. 10; Hoyle's Games pp.
    142-146).

    Returns the actions, in the order of the hand. `trick`: the cards on the table, empty at a lead.

    >>> from roundsim.game import cards, may_play
    >>> may_play(cards("9h As 2h"), cards("Kh")), may_play(cards("9h As"), cards("Kd"))
    (('play 9h', 'play 2h'), ('play 9h', 'play As'))"""
    return trick and play_actions(hand, trick[0].suit) or play_actions(hand)


def taker(trick: Sequence[Card], trumps: str | None) -> int:
    """The highest trump, or else the highest card of the suit led (Baxter-Wray pp. 10, 11; Hoyle's Games pp. 142-146).

    Returns its place in the trick. Raises IndexError if the trick is empty.

    >>> from roundsim.game import cards, taker
    >>> taker(cards("9h Ah 2s"), trumps="s"), taker(cards("9h Ah 2s"), trumps=None)
    (2, 1)"""
    best = trick[0]
    suit = best.suit
    for card in trick:
        if card.suit == suit:
            if card.rank > best.rank:
                best = card
        elif card.suit == trumps:
            best, suit = card, trumps
    return trick.index(best)
