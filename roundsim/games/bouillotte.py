"""Bouillotte, or Brelan: three cards and one turned up (Foster, "The Poker Family")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..actions import PASS, Action, Amounts, say
from ..cards import SUITS, Card, pack_of
from ..mechanics.betting import FOLD, Poker
from ..options import FLAG, Option, Rules, between
from ..table import TO_THE_RIGHT, Ask, Sealed, Story

STRADDLE, SHOW, STIFLE = say("straddle"), say("show"), say("stifle")
PACKS = {4: pack_of("89QKA"), 5: pack_of("89JQKA")}
PACK_16 = pack_of("89KA")  # for three, or two
PIPS = {"A": 11, "K": 10, "Q": 10, "J": 10, "9": 9, "8": 8}
FAVORI, SIMPLE, CARRE = 1, 2, 3
SPARED = {CARRE: CARRE, SIMPLE: FAVORI, FAVORI: CARRE + 1}  # the least brelan that need not pay this one


class Bouillotte(Poker):
    """Three cards each and one turned up: brelans, or the suit that counts most, bet upon without a limit."""

    id = "bouillotte"
    title = "Bouillotte"
    family = "poker"
    seats = (2, 5)
    usual = (4, 4)
    source = 'Foster, "The Poker Family"'
    course = """Dealt and played to the right. The dealer puts up a blind; those after him may straddle it, and the
last to do so is the age. Three cards each, and the next is turned up: the retourne. From the age's right each may open
the betting or pass; when nobody opens all pay into the pool. A bet is called, raised, or met with all that one has: a
sight. When three or more have called and still have counters, each has the word: he may raise once more. Of hands that
are called the best brelan wins: brelan carré, three of a rank with the fourth turned up; simple brelan, three of a
rank; brelan favori, two of the retourne's rank. Without a brelan all cards are shown, ace eleven, court cards ten,
nine and eight as they are: who has the highest card of the suit that counts most wins. Besides, every seat pays 4 for
a carré unless it has one, 1 for a simple brelan unless it has a brelan, and for a favori in any case 1, or 2 if it
wins."""
    rounds = TO_THE_RIGHT

    options = (
        Option("cave", 100, between(10, 100000), "the stake each begins with, and buys", "Foster"),
        Option("blind", 5, between(1, 1000), "the dealer's blind", "Foster"),
        Option("straddle", True, FLAG, "the blind may be straddled", "Foster"),
        Option("void_fee", 5, between(0, 1000), "what each pays into the pool when nobody opens", "Foster"),
        Option("rebuy", True, FLAG, "who has lost his stake buys another; if not he is out for good", "Foster"),
    )

    @classmethod
    def refusals(cls, rules: Rules) -> Iterator[str]:
        if rules.blind > rules.cave:
            yield f"blind = {rules.blind} with cave = {rules.cave}: the stake bought must hold a blind"

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        """The same in the words of the poker games."""
        rules.stakes, rules.stack, rules.freeze_out = "table", rules.cave, not rules.rebuy

    phases = {
        "straddle": "before the cards: `pass`, or `straddle` for twice the ante",
        "open": "before a bet: `pass`, or `bet 20`, what your stake shall be in all",
        "bet": "after a bet: `fold` (not offered when nothing is to pay), `call`, `raise 20` over it",
        "word": "three or more have called and can bet: `pass`, `raise 20`",
        "show": "all others have folded, and you hold a brelan: `stifle` it, or `show` it and be paid",
    }
    public = {
        **Poker.public,
        "eldest": "the seat on the dealer's right, which is dealt to first",
        "level": "the stake that is asked of all who are in; before a bet the ante",
        "better": "the seat that was the last to bet or raise; None before a bet",
        "raises": "raises so far",
        "age": "the seat with the last straddle, or the dealer; it speaks last before a bet",
        "opener": "the seat that has opened the betting; None before",
        "privilege": "the seat that was the first to have the word when last it came up; None before",
        "retourne": "the card turned up; None before the deal",
        "under_card": "the card under it, turned at the show when it may make a second brelan carré; else None",
    }

    stacks: list[int]
    opener: Any
    privilege: Any
    retourne: Any
    under_card: Any

    def deal(self) -> Story:
        self.take_places()
        yield from self.straddling()
        self.deal_cards()
        yield from self.opening()
        if self.opener is None:
            self.void()
            return
        yield from self.speaking(self.others_able(self.opener), "bet")
        yield from self.giving_the_word()
        yield from self.settle()

    def take_places(self) -> None:
        """Who has lost his stake buys another, or is out for good."""
        super().take_places()
        self.hands: list[list[Card]] = [[] for _ in range(self.players)]
        self.age = self.dealer
        self.opener = self.privilege = self.retourne = self.under_card = None

    def straddling(self) -> Story:
        """From eldest round to the dealer, who may buy back, each may double the stake, until one does not or cannot."""
        self.put_up(self.dealer, self.rules.blind)
        self.level = self.rules.blind
        for seat in self.dealt_in:
            double = 2 * self.level
            if not self.rules.straddle or self.stacks[seat] + self.stake[seat] < double:
                return
            if (yield Ask(seat, "straddle", (PASS, STRADDLE))) is PASS:
                return
            self.put_up(seat, double - self.stake[seat])
            self.level, self.age = double, seat

    def deal_cards(self) -> None:
        """Three each, one at a time, from eldest round to the dealer; the next card is turned."""
        self.pack = self.chance.pack(PACKS.get(len(self.dealt_in), PACK_16))
        self.hands = self.deal_singly(3, self.dealt_in)
        (self.retourne,) = self.pack.draw(1)

    def opening(self) -> Story:
        """From the age's right, the age last: it must bet more than the ante, and who has less than that all he has."""
        for seat in self.able_from(self.next_to(self.age)):
            has = self.stacks[seat] + self.stake[seat]
            least = min(self.level + (seat == self.age), has)
            said = yield Ask(seat, "open", Amounts((PASS,), "bet", least, has))
            if said is not PASS:
                self.put_up(seat, said.amount - self.stake[seat])
                self.level = max(self.level, said.amount)
                self.opener = self.better = seat
                return

    def void(self) -> None:
        """Nobody opens: all take back what they have up, and pay into the pool."""
        for seat in self.dealt_in:
            self.take_back(seat)
            fee = min(self.rules.void_fee, self.stacks[seat])
            self.receive(seat, -fee)
            self.pools["pool"] += fee

    # The betting.

    def may_raise(self) -> bool:
        """As often as they like, and all that they have."""
        return True

    def has_a_say(self, seat: int) -> bool:
        """Everybody, also against sights alone."""
        return True

    def giving_the_word(self) -> Story:
        """While three or more who have called can still bet; each time it begins one seat further on."""
        first = self.opener
        while len(able := self.able_from(first)) > 2:
            self.privilege = able[0]
            if not (yield from self.the_word(able)):
                return
            first = self.next_to(self.privilege)

    def the_word(self, able: Sequence[int]) -> Story:
        """Each in turn may raise, whom the others must meet, or pass it on.  Returns whether one has raised."""
        for seat in able:
            said = yield Ask(seat, "word", Amounts((PASS,), "raise", 1, self.most(seat)))
            if said is not PASS:
                self.speak(seat, said)
                yield from self.speaking(self.others_able(seat), "bet")
                return True
        return False

    # The show.

    def settle(self) -> Story:
        """Each layer is won; then brelans are paid for.  Who was not called may keep his to himself."""
        self.brelans = {seat: brelan for seat in self.still_in if (brelan := self.brelan(seat))}
        called = len(self.still_in) > 1
        if called:
            self.show()
        winners = []
        for counters, seats in self.pots():
            winners.append(self.winner(seats))
            self.receive(winners[-1], counters)
        self.pools["pool"] = 0
        if self.brelans and not called:
            (winner,) = self.still_in
            self.veil = len(self.actions)  # nobody is told of a brelan that is stifled
            if (yield Sealed(winner, "show", (STIFLE, SHOW))) is STIFLE:
                return
            self.veil = None
            self.show_hands(self.still_in)
        self.pay_for_brelans(winners[0])

    def brelan(self, seat: int) -> tuple[int, float] | None:
        """Its class and rank: three of a rank in hand, best if that is the retourne's; or two, if it is."""
        ranks = [card.rank for card in self.hands[seat]]
        turned: float = self.retourne.rank
        if ranks.count(ranks[0]) == 3:
            return (CARRE if ranks[0] == turned else SIMPLE), ranks[0]
        return (FAVORI, turned) if ranks.count(turned) == 2 else None

    def show(self) -> None:
        """All hands in are shown.  A simple brelan that is higher than a brelan carré may be made one by the under-card."""
        self.show_hands(self.still_in)
        if (CARRE, self.retourne.rank) not in self.brelans.values():
            return
        higher = {seat: rank for seat, (_, rank) in self.brelans.items() if rank > self.retourne.rank}
        if higher:
            (self.under_card,) = self.pack.draw(1)
        for seat, rank in higher.items():
            if self.under_card.rank == rank:
                self.brelans[seat] = CARRE, rank

    def show_hands(self, seats: Sequence[int]) -> None:
        for seat in seats:
            self.shown[seat] = self.hands[seat]

    def winner(self, seats: Sequence[int]) -> int:
        """Of those who contest a layer: the best brelan, or the best card of the suit that wins, which cannot lose."""
        if len(seats) == 1:
            return seats[0]
        if holders := [seat for seat in seats if seat in self.brelans]:
            return max(holders, key=self.brelans.__getitem__)
        self.show_hands(self.dealt_in)
        suit = self.suit_that_wins(self.still_in)
        best = self.best_of_suits(seats)
        return best[suit if suit in best else self.suit_that_wins(seats)][1]

    def best_of_suits(self, seats: Sequence[int]) -> dict[str, tuple[float, int]]:
        """The highest card of each suit in these hands: its rank, and who holds it."""
        held = sorted((card.rank, seat, card.suit) for seat in seats for card in self.hands[seat])
        return {suit: (rank, seat) for rank, seat, suit in held}

    def suit_that_wins(self, seats: Sequence[int]) -> str:
        """The suit they hold that counts most in all hands and the retourne; if equal, whose best is nearest the dealer.

        The dealer comes first, then those to his right; one who is best in both has his higher card count."""
        order, best, total = self.round_from(self.dealer), self.best_of_suits(seats), dict.fromkeys(SUITS, 0)
        for hand in [*self.hands, [self.retourne]]:
            for card in hand:
                total[card.suit] += PIPS[card[0]]

        def place(suit: str) -> tuple[float, ...]:
            rank, seat = best[suit]
            return -total[suit], order.index(seat), -rank, SUITS.index(suit)

        return min(best, key=place)

    def pay_for_brelans(self, winner: int) -> None:
        """The best is paid first, by all who must, from its right on: each what is due, or what he has."""
        for seat in sorted(self.brelans, key=self.brelans.__getitem__, reverse=True):
            kind = self.brelans[seat][0]
            due = {CARRE: 4, SIMPLE: 1, FAVORI: 2 if seat == winner else 1}[kind]
            for payer in self.round_from(seat)[1:]:
                if payer in self.dealt_in and self.brelans.get(payer, (0, 0))[0] < SPARED[kind]:
                    counters = min(due, self.stacks[payer])
                    self.receive(payer, -counters)
                    self.receive(seat, counters)

    def next_dealer(self) -> int:
        """The deal passes over those who have just lost all they had, unless all have."""
        seats = self.round_from(self.next_to(self.dealer))
        return next((seat for seat in seats if self.stacks[seat]), seats[0])

    def refusal(self, ask: Ask, said: Action) -> str:
        gap, opens = self.gap(ask.seat), ask.phase == "open" and said.verb == "bet"
        if said == FOLD and not gap:
            return "nothing to pay"
        if opens and said.amount < ask.legal[1].amount:
            return f"below the ante: at least {ask.legal[1]}"
        if opens or said.verb == "raise" and gap + said.amount > self.stacks[ask.seat]:
            return f"not enough counters: at most {ask.legal[-1]}"
        return super().refusal(ask, said)
