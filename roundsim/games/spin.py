"""Spin: stops, in which the ace of diamonds makes any card a stop (Baxter-Wray, "Round Games with Cards", 1891,
pp. 87-88)."""

from __future__ import annotations

from roundsim.game import (
    CARD,
    Action,
    Ask,
    Card,
    Each,
    Seat,
    Stops,
    StopsRules,
    Story,
    carried,
    option,
    pack_of,
    public,
    say,
    tells,
)

PACK_50 = pack_of("23456789TJQKA", "2h", "8d")
SPIN = CARD["Ad"]
COURT = KING, QUEEN, KNAVE = CARD["Kd"], CARD["Qd"], CARD["Jd"]
PAIRS = {"matrimony": (KING, QUEEN), "intrigue": (QUEEN, KNAVE)}
WITH_SPIN = {card: say("play", card, SPIN) for card in PACK_50}


class Spin(Stops):
    """Get rid of your cards before anybody else does, and be paid for kings, court diamonds and Spin."""

    id = "spin"
    title = "Spin"
    seats = (3, 10)
    usual = (4, 6)
    source = 'Baxter-Wray, "Round Games with Cards", 1891, pp. 87-88'
    own_places = {
        "p. 87": "deal_out",
        "p. 88": "playing one_run going_on leads follows due play_card pay_for_the_cards_left",
    }
    pool_names = ("matrimony", "intrigue", "game")
    shows = ("shown",)
    rules: SpinRules

    def deal(self) -> Story:
        self.clear_the_table()
        self.pay_the_pools()
        self.deal_out(PACK_50)
        yield from self.playing()
        self.settle()

    def clear_the_table(self) -> None:
        super().clear_the_table()
        self.to_declare = list(PAIRS)
        self.shown: list[list[Card]] = [[] for _ in range(self.players)]

    @tells(lambda deal: deal.who_is_exempt())
    def pay_the_pools(self) -> None:
        """Without dealer_game: Each player but the dealer pays {stake counter} into the pool game, except the winner of
        the last deal (pp. 87-88).

        With dealer_game: Each player pays {stake counter} into the pool game, except the winner of the last deal (pp.
        87-88).

        The dealer pays {stake counter} into intrigue, and twice as many into matrimony (p. 87)."""
        stake = self.rules.stake
        for seat in self.round_from(self.eldest):
            if seat != self.exempt and (seat != self.dealer or self.rules.dealer_game):
                self.into_pool(seat, stake, "game", "each pays for game")
        self.into_pool(self.dealer, 2 * stake, "matrimony", "the dealer pays for the pairs")
        self.into_pool(self.dealer, stake, "intrigue", "the dealer pays for the pairs")

    def playing(self) -> Story:
        """The eldest hand, the player on the dealer's left, leads any card. Whoever plays a stop leads again (p. 88).

        A player who goes out with a stop takes at once what they could declare (ours)."""
        yield from super().playing()
        if self.due() not in self.holder:
            for declaration in self.may_declare(self.winner):
                yield Ask(self.winner, "lead", (declaration,))
                self.declare(self.winner, declaration.words[0])

    def leads(self, seat: int) -> Story:
        """Any card may be led, and a pair be declared before; Spin led by itself is an ordinary card (p. 88)."""
        while not (action := (yield Ask(seat, "lead", self.may_lead(seat)))).card:
            self.declare(seat, action.words[0])
        self.play_card(seat, action.card)

    def may_lead(self, seat: int) -> tuple[Action, ...]:
        """A pair is declared after a stop of one's own, as every lead but the very first is (p. 88)."""
        return (*super().may_lead(seat), *(self.may_declare(seat) if self.played else ()))

    def may_declare(self, seat: int) -> list[Action]:
        """Both cards must be in his hand (p. 88), or have been played by himself (ours)."""
        own = {card for cards in (self.holder, self.played) for card in COURT if cards.get(card) == seat}
        return [say("declare", name) for name in self.to_declare if own.issuperset(PAIRS[name])]

    def declare(self, seat: int, pair: str) -> None:
        """At a lead after a stop of their own, players who have both cards of matrimony or intrigue may declare it and
        take its pool (p. 88). Cards they have played themselves count (ours). Counters in a pool stay until somebody
        declares it (p. 88)."""
        self.to_declare.remove(pair)
        self.shown[seat] += [card for card in PAIRS[pair] if card not in self.shown[seat]]
        self.take_pool(seat, pair, "declared")

    def follows(self, seat: int, card: Card) -> Story:
        """The holder of the next higher card of the suit must play it, and so on. A player who holds Spin may play it
        together with this card (p. 88)."""
        spin = [WITH_SPIN[card]] * (self.holder.get(SPIN) == seat)
        for other in (yield Ask(seat, "follow", (card.play, *spin))).cards:
            self.play_card(seat, other)

    def due(self) -> Card | None:
        """A stop is a king, the ace of hearts, the seven of diamonds, a card whose next has been played, or a card that
        Spin is played with (p. 88)."""
        return None if self.run[-1] is SPIN and len(self.run) > 1 else super().due()

    def play_card(self, seat: int, card: Card) -> None:
        """Spin and the kings are paid for at once, when they are led, too (p. 87).

        With spin_stake: Each other player pays {spin_stake counter} for Spin (p. 87).

        With king_stake: Each other player pays {king_stake counter} for a king (p. 87)."""
        super().play_card(seat, card)
        if card is SPIN:
            self.others_pay(seat, self.rules.spin_stake, "Spin is played")
        elif card[0] == "K":
            self.others_pay(seat, self.rules.king_stake, "a king is played")

    def settle(self) -> None:
        """The winner takes the pool game, and pays nothing into it in the next deal (p. 88)."""
        self.take_pool(self.winner, "game", "the winner takes game")
        self.pay_for_the_cards_left()
        self.exempt = self.winner

    @tells(lambda deal, seat: f"seat {seat} holds {SPIN}, and pays double" if SPIN in deal.hands[seat] else None)
    def price_of(self, seat: int) -> int:
        """A player who still holds Spin pays twice as much (p. 88)."""
        return super().price_of(seat) * (1 + (SPIN in self.hands[seat]))

    def who_is_exempt(self) -> str | None:
        freed = self.exempt != -1 and (self.exempt != self.dealer or self.rules.dealer_game)
        return f"seat {self.exempt} won the last deal, and pays nothing for game" if freed else None

    def why_a_stop(self, card: Card) -> str | None:
        if card != self.actions[-1].cards[-1]:
            return None  # Spin comes with it
        return f"Spin makes {self.run[-2]} a stop" if card is SPIN and len(self.run) > 1 else super().why_a_stop(card)

    def why_refused(self, ask: Ask, action: Action) -> str:
        if action.verb == "declare" and action.words[:1] and action.words[0] in PAIRS:
            if not self.played or ask.phase == "follow":
                return "only after a stop of your own"
            return "not both cards are yours" if action.words[0] in self.to_declare else "it has been declared"
        if action in WITH_SPIN.values():
            if ask.phase == "lead":
                return "Spin is played by itself, or with a card that follows"
            return f"{ask.legal[0].card} must be played, alone or with {SPIN} from the same hand"
        return super().why_refused(ask, action)

    exempt: int = carried(-1, "the winner of the last deal, who pays nothing for game; -1: none", names="seat")

    what_wins = """In each suit the cards follow from low to high: A 2 3 4 5 6 7 8 9 T J Q K, without the two of hearts
and the eight of diamonds. The first player without cards wins (pp. 87-88).

Spin is the ace of diamonds. The king and the queen of diamonds together are matrimony, the queen and the jack intrigue
(pp. 87-88)."""
    course = "pay_the_pools deal_out playing follows due play_card declare pay_for_the_cards_left price_of settle"

    played_with = PACK_50
    phases = {
        "lead": "`play As`: any card; after a stop of your own also `declare matrimony` or `declare intrigue`",
        "follow": "`play Ks`, which is forced; if you hold Spin also `play Ks Ad`",
    }

    class View(Stops.View):
        """The names that everybody sees at Spin."""

        shown: Each[tuple[Card, ...]] = public("the cards that each seat has shown by declaring")
        exempt: Seat = public()


class SpinRules(StopsRules, of=Spin):
    """The options of Spin."""

    stake: int = option(
        1, "what each player pays into game, the dealer into intrigue, and twice that into matrimony", "p. 87", high=100
    )
    spin_stake: int = option(3, "what each player pays when Spin is played", "p. 87", low=0, high=100)
    king_stake: int = option(1, "what each player pays when a king is played", "p. 87", low=0, high=100)
    card_price: int = option(1, "what each player pays for a card left in the hand, twice with Spin", "p. 88", high=100)
    dealer_game: bool = option(False, "whether the dealer pays into game as well", "p. 87")
