"""Loto by the second method: ten knobs at a time (Baxter-Wray, "Round Games with Cards", 1891, pp. 110-112)."""

from __future__ import annotations

from collections.abc import Sequence

from roundsim.game import Action, Arrangements, Ask, Story, say, spelled, tells

from .cards import KNOBS
from .game import Loto

EARNS = (0, 1, 7, 28, 104, 255)  # by the numbers covered in a row
GAINS = {2: "ambo", 3: "terne", 4: "quaterne", 5: "quinterne"}  # 0 is none, 1 an abstract, which is frequent
KEEP = say("keep")


class SecondMethod(Loto):
    """Every row is paid for what is covered of it; the cards are kept from drawing to drawing."""

    course = """taking_cards buy changing draw_knobs pay_the_rows contribute_again put_knobs_away count_the_drawings
share_out"""

    def begins_anew(self) -> bool:
        """Cards once drawn are kept, and changed previous to each drawing (p. 110)."""
        return not any(self.held)

    def taking_cards(self) -> Story:
        """Before the first drawing each player, from the dealer's left, takes two, four or six cards, or one or two if more
        than twelve play, and keeps them (p. 110)."""
        self.count_the_drawings()
        yield from self.changing() if any(self.held) else super().taking_cards()

    @tells(lambda deal: "this drawing is final, and nobody pays again" if deal.final else None)
    def count_the_drawings(self) -> None:
        """A sitting ends with {final_drawings drawing} that nobody pays for again: then the pool pays as long as it has
        counters (p. 112)."""
        to_come = self.state.to_come
        self.last: bool = self.chance.key("last", to_come == 0)
        final = to_come is not None and to_come < self.rules.final_drawings
        self.final = self.chance.key("final", final) or self.last

    def changing(self) -> Story:
        """Before each later drawing each player in turn may buy cards, up to six in all, give some back but not all, change
        one for the top card of the stock, or keep theirs (p. 110; in turn ours)."""
        for seat in self.players_in:
            action = yield Ask(seat, "cards", self.may_change(seat))
            numbers = [int(word) for word in action.words]
            if action.verb == "buy":
                self.buy(seat, action.amount)
            elif action.verb == "throw":
                self.put_under_stock(seat, numbers)
            elif action.verb == "change":
                self.take_from_stock(seat, 1)
                self.put_under_stock(seat, numbers)

    def may_change(self, seat: int) -> Sequence[Action]:
        """Six cards at most (p. 110), and one at least must be kept (ours)."""
        cards = self.cards[seat]
        buys = [say("buy", k) for k in range(1, min(self.stock, 6 - len(cards)) + 1)]
        changes = [say("change", number) for number in cards if self.in_stock]
        return Arrangements("throw", cards, 1, len(cards) - 1, plain=(KEEP, *buys, *changes))

    def put_under_stock(self, seat: int, numbers: Sequence[int]) -> None:
        self.cards[seat] = [number for number in self.cards[seat] if number not in numbers]
        self.in_stock = [*self.in_stock, *numbers]
        self.held = [len(cards) for cards in self.cards]

    @tells(lambda deal: f"the knobs {' '.join(map(str, deal.knobs))} are drawn")
    def draw_knobs(self) -> None:
        """Ten knobs are drawn from a bag with the numbers from 1 to 90, and every player who has a number covers it
        (p. 111)."""
        held = self.numbers_held()
        self.knobs_away = [knob for knob in self.knobs_away if knob not in held]
        bag = [knob for knob in KNOBS if knob not in self.knobs_away]
        self.knobs = self.chance.shuffled(bag, "knobs")[:10]

    def numbers_held(self) -> set[int]:
        return {number for cards in self.cards for card in cards for row in self.rows[card] for number in row}

    def settle(self) -> None:
        """The rows are paid, and the knobs returned, previous to another drawing (p. 111)."""
        self.pay_the_rows()
        self.put_knobs_away()
        if self.last and self.rules.share_out:
            self.share_out()

    @tells(lambda deal: "; ".join([gains for seat in deal.players_in if (gains := deal.gains_text(seat))]) or None)
    def pay_the_rows(self) -> None:
        """From the dealer's left, the pool pays each player for the numbers covered in each row (pp. 111-112)."""
        drawn = {*self.knobs}
        for seat in self.players_in:
            rows = [row for card in self.cards[seat] for row in self.rows[card]]
            due = sum([EARNS[len(drawn.intersection(row))] for row in rows])
            while due > self.pools["pool"] and not self.final:
                self.contribute_again()
            self.into_pool(seat, -min(due, self.pools["pool"]), why="what the rows have gained")

    def gains_text(self, seat: int) -> str:
        covered = [len({*self.knobs}.intersection(row)) for card in self.cards[seat] for row in self.rows[card]]
        rows_by_gain = [(covered.count(n), GAINS[n]) for n in (5, 4, 3, 2) if n in covered]
        gains = ", ".join([f"{spelled(rows)} {gain}{'s' * (rows > 1)}" for rows, gain in rows_by_gain])
        return f"seat {seat} has {gains}" if gains else ""

    def contribute_again(self) -> None:
        """When the pool has too few counters, all pay {card_stake counter} for each of their cards again (p. 112)."""
        for seat in self.players_in:
            self.into_pool(
                seat, self.held[seat] * self.rules.card_stake, why="the pool is exhausted, and all pay again"
            )

    def put_knobs_away(self) -> None:
        """Then the knobs go back into the bag (p. 111).

        With put_away: Those with numbers that nobody holds are put away until somebody does (p. 111)."""
        if self.rules.put_away:
            held = self.numbers_held()
            self.knobs_away = sorted([*self.knobs_away, *[knob for knob in self.knobs if knob not in held]])
        self.away = len(self.knobs_away)

    def share_out(self) -> None:
        """With share_out: After the last drawing each card gets an equal share of the pool, and odd counters stay (ours)."""
        share = self.pools["pool"] // sum(self.held)
        for seat in self.players_in:
            self.into_pool(seat, -share * self.held[seat], why="the pool is shared by cards")

    def end(self) -> None:
        """The counters that are still left then belong to nobody (ours)."""

    def says(self, ask: Ask, action: Action) -> str:
        if action.verb == "throw":
            return f"throws up card{'s' * (len(action.words) > 1)} {', '.join(action.words)}"
        if action.verb == "change":
            return f"changes card {action.words[0]} for the top one of the stock"
        return "keeps his cards" if action is KEEP else super().says(ask, action)

    def why_refused(self, ask: Ask, action: Action) -> str:
        cards = self.cards[ask.seat]
        if ask.legal[0] is not KEEP:
            return super().why_refused(ask, action)
        if action.verb not in ("buy", "throw", "change"):
            return "not a legal action"
        if action.verb == "buy":
            return f"six cards at most, and {self.stock} are in the stock"
        if action.verb == "throw" and len(action.words) >= len(cards):
            return "one card at least must be kept"
        if action.verb == "change" and not self.in_stock:
            return "no card is in the stock"
        return "only cards that you hold, each once: " + " ".join(map(str, cards))
