"""Bouillotte, or Brelan: three cards and one turned up (Foster, "The Poker Family", section Bouillotte)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

from roundsim.game import (
    ALONE,
    CONTENT,
    FOLD,
    PASS,
    SUIT_NAMES,
    SUITS,
    TO_PAY,
    TO_THE_RIGHT,
    Action,
    Amounts,
    Ask,
    Card,
    Poker,
    Quiet,
    Seat,
    Story,
    UpTo,
    amounts,
    moves_counters,
    pack_of,
    public,
    say,
    tells,
)

if TYPE_CHECKING:
    from . import BouillotteRules

STRADDLE, SHOW, STIFLE = say("straddle"), say("show"), say("stifle")
PASS_OR_RAISE = UpTo((PASS,), "raise")
PACK_FOR = {2: pack_of("89KA"), 3: pack_of("89KA"), 4: pack_of("89QKA"), 5: pack_of("89JQKA")}  # by players
SHIFT = {suit: 8 * place for place, suit in enumerate(SUITS)}  # the pips of each suit have a byte of a sum
PIPS = {card: (11 if card[0] == "A" else min(int(card.rank), 10)) << SHIFT[card.suit] for card in PACK_FOR[5]}
FAVORI, SIMPLE, CARRE = 1, 2, 3
Best = dict[str, tuple[float, int]]  # suit -> the highest card of it that is in: its rank, and who holds it
SPARED = {CARRE: CARRE, SIMPLE: FAVORI, FAVORI: CARRE + 1}  # the least brelan that need not pay this one


class Bouillotte(Poker):
    """Hold three of a rank, or the best card of the strongest suit, or bet until all others give up."""

    id = "bouillotte"
    title = "Bouillotte"
    family = "poker"
    seats = (2, 5)
    usual = (4, 4)
    source = 'Foster, "The Poker Family", section Bouillotte'
    own_places = {
        "section Bouillotte": "take_places buy_a_stack in_the_game over gap speak speaking"
        " put_up fold lay_down able_from others_able pots"
    }
    rounds = TO_THE_RIGHT
    shows = ("shown", "retourne", "under_card")
    stacks: list[int]
    rules: BouillotteRules

    def deal(self) -> Story:
        self.take_places()
        yield from self.buying_caves()
        self.put_up_the_blind()
        yield from self.straddling()
        self.deal_cards()
        yield from self.opening()
        if self.better is None:
            self.void()
            return
        yield from self.speaking(self.others_able(self.opener), "bet")
        yield from self.giving_the_word()
        yield from self.settle()

    def take_places(self) -> None:
        super().take_places()
        self.age = self.dealer

    def buy_stacks(self, stacks: list[int]) -> None:
        """Each player begins with {cave counter} (section Bouillotte).

        With rebuy and new_cave = same: A player who has lost all buys as many again (section Bouillotte).

        Without rebuy: A player who has lost all is out, and the others play on with the pack for their number, until
        only one has counters (section Bouillotte)."""
        if self.rules.new_cave == "same":
            super().buy_stacks(stacks)

    def buying_caves(self) -> Story:
        """With new_cave = choice: Before the cards, a player who has lost all buys any number of counters, up to ten
        times as many as at the beginning (section Bouillotte; the bounds ours)."""
        for seat in self.dealt_in:
            if not self.stacks[seat]:
                self.buy_a_cave(seat, (yield Ask(seat, "cave", Amounts((), "buy", 1, 10 * self.rules.cave))).amount)

    @tells("seat {seat} buys a stake of {counters}")
    def buy_a_cave(self, seat: int, counters: int) -> None:
        """No part of any net (section Bouillotte)."""
        self.stacks[seat] = counters

    def put_up_the_blind(self) -> None:
        """The deal and the play go to the right. The dealer puts up a blind of {blind counter} (section Bouillotte)."""
        self.put_up(self.dealer, self.rules.blind, "the dealer's blind")
        self.level = self.rules.blind

    def straddling(self) -> Story:
        """With straddle: From the eldest hand, the player on the dealer's right, each in turn may straddle, which is to
        double the stake, until one passes. The last to do so, or else the dealer, is called the age (section
        Bouillotte).

        Without straddle: The dealer is called the age (section Bouillotte)."""
        for seat in self.dealt_in:
            double = 2 * self.level
            if not self.rules.straddle or self.stacks[seat] + self.stake[seat] < double:
                return
            if (yield Ask(seat, "straddle", (PASS, STRADDLE))) is PASS:
                return
            self.put_up(seat, double - self.stake[seat], "a straddle")
            self.level, self.age = double, seat

    @tells("the retourne is {deal.retourne}")
    def deal_cards(self) -> None:
        """Each player gets three cards, one at a time. The next card is turned up: the retourne (section
        Bouillotte)."""
        self.pack = self.chance.pack(PACK_FOR[len(self.dealt_in)])
        self.hands = self.deal_singly(3, self.dealt_in)
        (self.retourne,) = self.pack.draw(1)

    def opening(self) -> Story:
        """From the age's right each player in turn passes, and keeps the cards, until one opens the betting, for at
        least the stake of the age, or the age for more. Then all others answer, also those who have passed. There is no
        limit to bets and raises (section Bouillotte)."""
        for seat in self.able_from(self.next_to(self.age)):
            has = self.stacks[seat] + self.stake[seat]
            least = min(self.level + (seat == self.age), has)
            action = yield Ask(seat, "open", amounts((PASS,), "bet", least, has))
            if action is not PASS:
                self.put_up(seat, action.amount - self.stake[seat], "the betting is opened")
                self.level = max(self.level, action.amount)
                self.opener = self.better = seat
                return

    def void(self) -> None:
        """If nobody opens, all take back what they have put up, and the deal is over (section Bouillotte; the taking
        back ours).

        With void_fee: Each pays {void_fee counter} into the pool, which stays for the next deal (section
        Bouillotte)."""
        for seat in self.dealt_in:
            self.take_back(seat)
            self.pay_what_it_has(seat, self.rules.void_fee, why="nobody opens")

    @moves_counters
    def pay_what_it_has(self, payer: int, due: int, payee: int | None = None, why: str = "") -> None:
        counters = min(due, self.stacks[payer])
        self.receive(payer, -counters)
        if payee is None:
            self.pools["pool"] += counters
        else:
            self.receive(payee, counters)

    # The betting.

    def may_raise(self) -> bool:
        """As often as they like (section Bouillotte)."""
        return True

    def may_say(self, seat: int, raising: bool) -> Sequence[Action]:
        """It may raise by all that it has more than it lacks (section Bouillotte)."""
        lacking, has = self.level - self.stake[seat], self.stacks[seat]
        return TO_PAY[has - lacking] if lacking > 0 else CONTENT[has]

    def has_a_say(self, seat: int) -> bool:
        """Everybody, also against sights alone (section Bouillotte)."""
        return True

    def giving_the_word(self) -> Story:
        """Without 2 players: While three or more who have called have counters left, each of them in turn may raise
        once more, which the others must answer, or passes the word on. Each time the next player on the right begins
        (section Bouillotte)."""
        first = self.opener
        while len(able := self.able_from(first)) > 2:
            self.privilege = able[0]
            if not (yield from self.the_word(able)):
                return
            first = self.next_to(self.privilege)

    def the_word(self, able: Sequence[int]) -> Story:
        """When all of them have passed it on, the betting is over (section Bouillotte; until all have ours)."""
        # returns whether one has raised
        for seat in able:
            action = yield Ask(seat, "word", PASS_OR_RAISE[self.most(seat)])
            if action is not PASS:
                self.speak(seat, action)
                yield from self.speaking(self.others_able(seat), "bet")
                return True
        return False

    # The show.

    def settle(self) -> Story:
        """A player who is left alone takes the pool, and may show a brelan to be paid for it. Otherwise all who are
        left show their hands, and the best brelan, or else the best card of the suit that wins, takes the pool (section
        Bouillotte)."""
        self.brelans = {seat: brelan for seat in self.still_in if (brelan := self.brelan(seat))}
        called = len(self.still_in) > 1
        if called:
            self.show()
        winners = []
        for counters, seats in self.pots():
            winners.append(self.winner(seats))
            best = "the best brelan" if winners[-1] in self.brelans else "the best card of the suit that wins"
            self.receive(winners[-1], counters, ALONE if len(seats) == 1 else best)
        self.pools["pool"] = 0
        if self.brelans and not called:
            (winner,) = self.still_in
            if (yield Quiet(winner, "show", (STIFLE, SHOW))) is STIFLE:
                return
            self.show_hands(self.still_in)
        self.pay_for_brelans(winners[0])

    def brelan(self, seat: int) -> tuple[int, float] | None:
        """Three of a rank in hand, best if it is the retourne's; or two, if it is (section Bouillotte)."""
        first, second, third = self.hands[seat]
        rank, turned = first.rank, self.retourne.rank
        if rank == second.rank == third.rank:
            return (CARRE if rank == turned else SIMPLE), rank
        return (FAVORI, turned) if (rank, second.rank, third.rank).count(turned) == 2 else None

    def show(self) -> None:
        """If somebody shows a brelan carré, and somebody a simple brelan of a higher rank, the card below the retourne
        is turned up, too: if it is of that rank, it makes a better carré (section Bouillotte)."""
        self.lay_down()
        if (CARRE, self.retourne.rank) not in self.brelans.values():
            return
        higher = {seat: rank for seat, (_, rank) in self.brelans.items() if rank > self.retourne.rank}
        if higher:
            self.turn_under_card()
        for seat, rank in higher.items():
            if self.under_card.rank == rank:
                self.brelans[seat] = CARRE, rank

    @tells("the under-card is turned: {deal.under_card}")
    def turn_under_card(self) -> None:
        (self.under_card,) = self.pack.draw(1)

    def show_hands(self, seats: Sequence[int]) -> None:
        for seat in seats:
            self.shown[seat] = self.hands[seat]

    def winner(self, seats: Sequence[int]) -> int:
        """The best brelan, or the best card of the suit that wins, which cannot lose (section Bouillotte)."""
        if len(seats) == 1:
            return seats[0]
        if holders := [seat for seat in seats if seat in self.brelans]:
            return max(holders, key=self.brelans.__getitem__)
        if self.winning_suit is None:
            self.show_all_cards()
        best = self.best if len(seats) == len(self.still_in) else self.best_of_suits(seats)
        return best[self.winning_suit if self.winning_suit in best else self.suit_that_wins(best)][1]

    @tells(lambda deal: f"all cards are shown, and {SUIT_NAMES[deal.winning_suit]} win")
    def show_all_cards(self) -> None:
        self.show_hands(self.dealt_in)
        self.best = self.best_of_suits(self.still_in)
        self.winning_suit = self.suit_that_wins(self.best)

    def best_of_suits(self, seats: Sequence[int]) -> Best:
        """In each suit the highest card in these hands wins: its rank, and who holds it (section Bouillotte)."""
        best = Best()
        for seat in seats:
            for card in self.hands[seat]:
                rank, suit = card.rank, card.suit
                if suit not in best or (rank, seat) > best[suit]:
                    best[suit] = rank, seat
        return best

    def suit_that_wins(self, best: Best) -> str:
        """The suit that counts most in all hands and the retourne; if equal, the nearest holder's (section Bouillotte).

        The dealer comes first, then those to his right; one who is best in both has his higher card count (ours)."""
        counted = PIPS[self.retourne] + sum(map(PIPS.__getitem__, chain.from_iterable(self.hands)))
        counts = {suit: counted >> SHIFT[suit] & 255 for suit in best}
        most, order = max(counts.values()), self.round_from(self.dealer)
        places = {
            suit: (order.index(seat), -rank, SUITS.index(suit))
            for suit, (rank, seat) in best.items()
            if counts[suit] == most
        }
        return min(places, key=places.__getitem__)

    def pay_for_brelans(self, winner: int) -> None:
        """Then each other player pays for the brelans, the best first, as far as their counters go (section Bouillotte;
        the order ours)."""
        for seat in sorted(self.brelans, key=self.brelans.__getitem__, reverse=True):
            kind = self.brelans[seat][0]
            due = {CARRE: 4, SIMPLE: 1, FAVORI: 2 if seat == winner else 1}[kind]
            for payer in self.round_from(seat)[1:]:
                if payer in self.dealt_in and self.brelans.get(payer, (0, 0))[0] < SPARED[kind]:
                    self.pay_what_it_has(payer, due, seat, "a brelan is paid for")

    def next_dealer(self) -> int:
        """The deal passes over those who have just lost all they had (section Bouillotte), unless all have (ours)."""
        seats = self.round_from(self.next_to(self.dealer))
        return next(filter(self.stacks.__getitem__, seats), seats[0])

    def name_of(self, hand: Sequence[Card]) -> str:
        seat = next(seat for seat, own in enumerate(self.hands) if own is hand)
        return NAMES[self.brelans[seat][0]] if seat in self.brelans else ""

    def says(self, ask: Ask, action: Action) -> str:
        if action.verb == "bet":
            return f"opens for {action.amount}"
        return SAYS.get((ask.phase, action)) or super().says(ask, action)

    def refusal(self, ask: Ask, action: Action) -> str:
        gap, opens = self.gap(ask.seat), ask.phase == "open" and action.verb == "bet"
        if action == FOLD and not gap:
            return "nothing to pay"
        if opens and action.amount < ask.legal[1].amount:
            return f"below the ante: at least {ask.legal[1]}"
        if ask.phase == "cave":
            return f"from {ask.legal[0]} to {ask.legal[-1]}"
        if opens or action.verb == "raise" and gap + action.amount > self.stacks[ask.seat]:
            return f"not enough counters: at most {ask.legal[-1]}"
        return super().refusal(ask, action)

    winning_suit: str | None = None  # once all cards are shown

    what_wins = """A brelan wins. From best to least: a brelan carré, three cards of one rank with the fourth turned up
on the table; a simple brelan, three cards of one rank; a brelan favori, two cards of the rank that is turned up (section
Bouillotte).

With 2 or 3 players: Within a kind the higher rank wins: A K 9 8 (section Bouillotte).

With 4 players: Within a kind the higher rank wins: A K Q 9 8 (section Bouillotte).

With 5 players: Within a kind the higher rank wins: A K Q J 9 8 (section Bouillotte).

If there is no brelan, all players show their cards, also those who have folded. Each suit counts its cards and the one
turned up: an ace 11, a nine 9, an eight 8, others 10. The suit that counts most wins, if a player who is left holds a card
of it; otherwise the next. Its highest card takes the pool (section Bouillotte).

Brelans are also paid for by each other player: a carré with 4 counters, except by another carré; a simple brelan with
1, except by any brelan; a favori with 1, or with 2 if it wins (section Bouillotte)."""
    course = """buy_stacks buying_caves put_up_the_blind straddling deal_cards opening void speaking able_from
giving_the_word settle show pay_for_brelans"""

    played_with = "cards"
    phases = {
        "cave": "with new_cave, when you have lost all: `buy 100` counters",
        "straddle": "before the cards: `pass`, or `straddle` for twice the stake",
        "open": "before a bet: `pass`, or `bet 20` to make that your whole stake",
        "bet": "after a bet: `fold` if there is something to pay, `call`, or `raise 20` more",
        "word": "three or more have called and can bet: `pass` or `raise 20`",
        "show": "all others have folded, and you hold a brelan: `stifle` it, or `show` it and be paid",
    }

    class View(Poker.View):
        """The names that everybody sees at Bouillotte."""

        eldest: Seat = public("the seat on the dealer's right, which is dealt to first")
        level: int = public("the stake that all players who are in must meet; before a bet that of the age")
        better: Seat | None = public("the last seat to bet or raise; None before a bet")
        raises: int = public("how many raises there have been")
        age: Seat = public("the last seat to straddle, or the dealer; it speaks last before a bet")
        opener: Seat | None = public("the seat that has opened the betting; None before", None)
        privilege: Seat | None = public("the seat that had the word first, the last time it came up; None before", None)
        retourne: Card | None = public("the card turned up; None before the deal", None)
        under_card: Card | None = public(
            "the card under the retourne, if it was turned up because it could make a second brelan carré; else None",
            None,
        )


NAMES = {FAVORI: "a brelan favori", SIMPLE: "a simple brelan", CARRE: "a brelan carré"}
SAYS = {
    ("straddle", PASS): "does not straddle",
    ("word", PASS): "passes the word on",
    ("show", STIFLE): "stifles a brelan",
    ("show", SHOW): "shows a brelan",
}
