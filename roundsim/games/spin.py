"""Spin: stops, in which the ace of diamonds makes any card a stop (Baxter-Wray, "Round Games with Cards", 1891,
pp. 87-88)."""

from __future__ import annotations

from ..mechanics.stops import Stops, StopsRules
from ..table.actions import Action, say
from ..table.cards import CARD, Card, pack_of
from ..table.deal import Ask, Story, carried
from ..table.heard import tells
from ..table.options import option
from ..table.view import Each, Seat, public

PACK_50 = pack_of("23456789TJQKA", "2h", "8d")
SPIN = CARD["Ad"]
COURT = KING, QUEEN, KNAVE = CARD["Kd"], CARD["Qd"], CARD["Jd"]
PAIRS = {"matrimony": (KING, QUEEN), "intrigue": (QUEEN, KNAVE)}
WITH_SPIN = {card: say("play", card, SPIN) for card in PACK_50}


class Spin(Stops):
    """Spin may be played with any card that must follow, and stops the run; pairs of court diamonds are declared."""

    id = "spin"
    title = "Spin"
    seats = (3, 10)
    usual = (4, 6)
    source = 'Baxter-Wray, "Round Games with Cards", 1891, pp. 87-88'
    course = """The others pay for game, the dealer for matrimony and intrigue. The pack is dealt, without the deuce of
hearts and the eight of diamonds. The eldest hand leads any card, and whoever holds the next higher of the suit, ace low,
must play it, and so on to a stop: a king, the ace of hearts, the seven of diamonds, or a card whose next has been
played. Its player leads again. With a card that follows, the holder of Spin, the ace of diamonds, may play it, too: that
makes a stop, and all the others pay him. They also pay for a king. After a stop of his own a player who has, or has
himself played, king and queen of diamonds may declare matrimony, with queen and knave intrigue. The first to be out of
cards wins game, and counters for the cards left in the other hands."""
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
        """The others pay for game (p. 87), but for the last winner (p. 88); the dealer for the two pairs (p. 87)."""
        stake = self.rules.stake
        for seat in self.round_from(self.eldest):
            if seat != self.exempt and (seat != self.dealer or self.rules.dealer_game):
                self.into_pool(seat, stake, "game", "each pays for game")
        self.into_pool(self.dealer, 2 * stake, "matrimony", "the dealer pays for the pairs")
        self.into_pool(self.dealer, stake, "intrigue", "the dealer pays for the pairs")

    def playing(self) -> Story:
        """Who goes out with a stop takes at once what he could declare (ours)."""
        yield from super().playing()
        if self.due() not in self.holder:
            for declaration in self.may_declare(self.winner):
                yield Ask(self.winner, "lead", (declaration,))
                self.declare(self.winner, declaration.words[0])

    def leads(self, seat: int) -> Story:
        """Any card, before it what is to be declared; Spin led by itself is an ordinary one (p. 88)."""
        while not (said := (yield Ask(seat, "lead", self.may_lead(seat)))).card:
            self.declare(seat, said.words[0])
        self.play_card(seat, said.card)

    def may_lead(self, seat: int) -> tuple[Action, ...]:
        """A pair is declared after a stop of one's own, as every lead but the very first is (p. 88)."""
        return (*super().may_lead(seat), *(self.may_declare(seat) if self.played else ()))

    def may_declare(self, seat: int) -> list[Action]:
        """Both cards must be in his hand (p. 88), or have been played by himself (ours)."""
        own = {card for cards in (self.holder, self.played) for card in COURT if cards.get(card) == seat}
        return [say("declare", name) for name in self.to_declare if own.issuperset(PAIRS[name])]

    def declare(self, seat: int, pair: str) -> None:
        """The pair is shown and takes its pool; its cards need not be played (p. 88)."""
        self.to_declare.remove(pair)
        self.shown[seat] += [card for card in PAIRS[pair] if card not in self.shown[seat]]
        self.take_pool(seat, pair, "declared")

    def follows(self, seat: int, card: Card) -> Story:
        """There is no choice, but that Spin may be played with the card (p. 88)."""
        spin = [WITH_SPIN[card]] * (self.holder.get(SPIN) == seat)
        for each in (yield Ask(seat, "follow", (card.play, *spin))).cards:
            self.play_card(seat, each)

    def due(self) -> Card | None:
        """Nothing after Spin played with another card, which it makes a stop (p. 88)."""
        return None if self.run[-1] is SPIN and len(self.run) > 1 else super().due()

    def play_card(self, seat: int, card: Card) -> None:
        """Spin and the kings are paid for at once, by each of the others (p. 87)."""
        super().play_card(seat, card)
        if card is SPIN:
            self.others_pay(seat, self.rules.spin_stake, "Spin is played")
        elif card[0] == "K":
            self.others_pay(seat, self.rules.king_stake, "a king is played")

    def settle(self) -> None:
        """The winner takes game, is paid for the cards left, and pays nothing for game in the next deal (p. 88)."""
        self.take_pool(self.winner, "game", "the winner takes game")
        self.pay_for_the_cards_left()
        self.exempt = self.winner

    @tells(lambda deal, seat: f"seat {seat} holds {SPIN}, and pays double" if SPIN in deal.hands[seat] else None)
    def price_of(self, seat: int) -> int:
        """Twice for who still holds Spin (p. 88)."""
        return super().price_of(seat) * (1 + (SPIN in self.hands[seat]))

    def who_is_exempt(self) -> str | None:
        freed = self.exempt != -1 and (self.exempt != self.dealer or self.rules.dealer_game)
        return f"seat {self.exempt} won the last deal, and pays nothing for game" if freed else None

    def why_a_stop(self, card: Card) -> str | None:
        if card != self.actions[-1].cards[-1]:
            return None  # Spin comes with it
        return f"Spin makes {self.run[-2]} a stop" if card is SPIN and len(self.run) > 1 else super().why_a_stop(card)

    def why_refused(self, ask: Ask, said: Action) -> str:
        if said.verb == "declare" and said.words[:1] and said.words[0] in PAIRS:
            if not self.played or ask.phase == "follow":
                return "only after a stop of your own"
            return "not both cards are yours" if said.words[0] in self.to_declare else "it has been declared"
        if said in WITH_SPIN.values():
            if ask.phase == "lead":
                return "Spin is played by itself, or with a card that follows"
            return f"{ask.legal[0].card} must be played, alone or with {SPIN} from the same hand"
        return super().why_refused(ask, said)

    exempt: int = carried(-1, "the winner of the last deal, who pays nothing for game; -1: none", names="seat")

    played_with = PACK_50
    phases = {
        "lead": "`play As`: any card; after a stop of your own also `declare matrimony`, `declare intrigue`",
        "follow": "`play Ks`, which is forced; but whoever holds Spin may `play Ks Ad`",
    }

    class View(Stops.View):
        """What lies open at Spin."""

        shown: Each[tuple[Card, ...]] = public("the cards shown by declarations, by seat")
        exempt: Seat = public()


class SpinRules(StopsRules, of=Spin):
    """The options of Spin."""

    stake: int = option(1, "for game; the dealer's for intrigue, and half for matrimony", "p. 87", high=100)
    spin_stake: int = option(3, "paid by each when Spin is played", "p. 87", low=0, high=100)
    king_stake: int = option(1, "paid by each when a king is played", "p. 87", low=0, high=100)
    card_price: int = option(1, "counters for a card left in hand, two with Spin", "p. 88", high=100)
    dealer_game: bool = option(False, "the dealer pays for game, too", "p. 87")
