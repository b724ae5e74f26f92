"""Stops: cards are played in sequence, ace low, king high, up to a card whose next nobody can play
(Baxter-Wray, "Round Games with Cards", 1891, pp. 80-89, 95-96; "Hoyle's Games Modernized", pp. 137-141)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..table.actions import Action, actions_for
from ..table.cards import CARD, SUITS, Card
from ..table.deal import Ask, Deal, Story, in_turn
from ..table.events import tells
from ..table.options import Rules
from ..table.view import Each, Seat, TableView, public

RANK_ORDER = "A23456789TJQK"
NEXT: dict[Card, Card | None] = {  # the next higher card of the suit; of a king none
    CARD[rank + suit]: CARD[after + suit] if after else None
    for suit in SUITS
    for rank, after in zip(RANK_ORDER, [*RANK_ORDER[1:], ""], strict=True)
}

PLAY = {card: card.play for card in NEXT}


class StopsRules(Rules):
    """The rules of a table of stops; each game declares the price by itself."""

    card_price: int


class Stops(Deal):
    """A game of stops: who holds the next card must play it, whoever played a stop leads again, the first out wins."""

    family = "stops"
    as_at = "pope joan"
    rules: StopsRules
    leader: int
    winner: int
    reached: Card  # how far the sequence has come

    def clear_the_table(self) -> None:
        self.hands = [[] for _ in range(self.players)]
        self.holder: dict[Card, int] = {}
        self.run: list[Card] = []
        self.stopped = True
        self.played: dict[Card, int] = {}

    def deal_out(self, cards: Sequence[Card]) -> None:
        """The cards are dealt one at a time until none is left; the first players may get one more than the others
        (Hoyle's Games p. 141)."""
        self.pack = self.chance.pack(cards)
        seats, drawn = self.round_from(self.eldest), self.pack.draw(len(cards))
        for seat, hand in enumerate(in_turn(drawn, seats, self.players, self.players)):
            self.take_up(seat, hand)

    def take_up(self, seat: int, hand: list[Card]) -> None:
        self.hands[seat] = hand
        self.holder.update(dict.fromkeys(hand, seat))

    def playing(self) -> Story:
        """The eldest hand, the player on the dealer's left, leads any card. Whoever plays the last card of a run leads
        again (Hoyle's Games pp. 138-140)."""
        self.leader = self.eldest
        while self.hands[self.leader]:
            self.leader = yield from self.one_run(self.leader)
            self.stopped = True

    def one_run(self, seat: int) -> Story:
        """A card is led, and the others follow, up to a stop (Hoyle's Games pp. 138-140).

        Returns who played the last card, as do the others who follow."""
        yield from self.leads(seat)
        return (yield from self.going_on(seat))

    def going_on(self, seat: int) -> Story:
        """The holder of the next card must play it, and so on (Hoyle's Games pp. 138-140)."""
        while self.hands[seat] and (due := self.due()) in self.holder:
            seat = self.holder[due]
            yield from self.follows(seat, due)
        return seat

    def leads(self, seat: int) -> Story:
        """Any card may be led (Hoyle's Games pp. 138-140)."""
        self.play_card(seat, (yield Ask(seat, "lead", self.may_lead(seat))).card)

    def follows(self, seat: int, card: Card) -> Story:
        """The holder of the next higher card of the suit must play it, and so on (Hoyle's Games pp. 138-140)."""
        yield Ask(seat, "lead", (card.play,))
        self.play_card(seat, card)

    def due(self) -> Card | None:
        """The card that must follow; None after a king, which is a stop in any case (Hoyle's Games pp. 138-140)."""
        return NEXT[self.reached]

    def may_lead(self, seat: int) -> tuple[Action, ...]:
        return actions_for(self.hands[seat], (), PLAY)

    @tells(lambda deal, seat, card: deal.why_a_stop(card) if deal.hands[seat] else deal.out_of_cards(seat))
    def play_card(self, seat: int, card: Card) -> None:
        """The first without cards is the winner (Hoyle's Games p. 140)."""
        self.hands[seat].remove(card)
        del self.holder[card]
        if self.stopped:
            self.run, self.stopped = [], False
        self.run.append(card)
        self.reached = card
        self.played[card] = seat
        if not self.hands[seat]:
            self.winner = seat

    def pay_for_the_cards_left(self) -> None:
        """Play ends as soon as one player has no cards. Each other player pays the winner {card_price counter} for
        every card they have left (Hoyle's Games p. 140)."""
        for seat in self.round_from(self.winner)[1:]:
            self.pay(seat, self.winner, self.price_of(seat), "cards left in hand")

    def price_of(self, seat: int) -> int:
        return len(self.hands[seat]) * self.rules.card_price

    @property
    def cards_left(self) -> list[int]:
        return [len(hand) for hand in self.hands]

    def why_a_stop(self, card: Card) -> str | None:
        due = self.due()
        if due in self.holder:
            return None
        if due is None:
            return f"{card} is a stop"
        return f"{card} is a stop: {due} {self.where_it_is(due)}"

    def where_it_is(self, card: Card) -> str:
        return "has been played" if card in self.played else "is in no hand"

    def out_of_cards(self, seat: int) -> str:
        return f"seat {seat} is out of cards"

    def says(self, ask: Ask, action: Action) -> str:
        if action.verb == "play":
            return f"{'leads' if self.stopped else 'follows with'} {' and '.join(action.cards)}"
        return super().says(ask, action)

    def refusal(self, ask: Ask, action: Action) -> str:
        return f"{ask.phase}: {self.why_refused(ask, action)}"

    def why_refused(self, ask: Ask, action: Action) -> str:
        if action.card and action == action.card.play:
            in_hand = action.card in self.hands[ask.seat]
            return f"{ask.legal[0].card} must be played" if in_hand else f"{action.card} is not in hand"
        return "not a legal action"

    class View(TableView):
        """The names that everybody sees in every game of stops."""

        leader: Seat | None = public(
            "the seat that led this run, or at a lead leads the next; None before the first lead", None
        )
        run: tuple[Card, ...] = public(
            "the cards of this run up to the stop, in the order of play; they lie there until the next lead"
        )
        stopped: bool = public("whether this run is over and a card is led next; true before the first lead")
        played: Mapping[Card, Seat] = public("the cards played in this deal, in order, and the seat that played each")
        cards_left: Each[int] = public("how many cards each seat holds")
        winner: Seat | None = public("the seat that was out of cards first; None before that", None)
