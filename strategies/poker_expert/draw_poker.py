"""Draw poker: coming in, drawing, and a last round of betting."""

from collections.abc import Sequence

from roundsim.games import draw_poker
from roundsim.strategy import SUITS, Action, Card, all_but, by_rank, discard

from .betting import Bettor
from .chances import ANY, become, drawn_to
from .hands import (
    ACE_HIGH,
    ACES,
    ACES_UP,
    DEUCES,
    FLUSH,
    FOUR_FLUSH,
    FOURS,
    FULL,
    KINGS,
    KNAVES,
    NEVER,
    NINES,
    NOTHING,
    OPEN_FOUR,
    QUEENS,
    SLIP,
    STRAIGHT,
    TENS,
    THREE_TENS,
    THREES,
    TWO_PAIRS,
    Row,
    always,
    mostly,
)
from .opponents import Mind, Minds, Reaction

SILENT = "blind", "buck", "jack", "withdraw"  # phases in which nothing is said of a hand


class DrawPoker(Bettor[draw_poker.DrawPoker.View]):
    """Draw poker: before the draw it compares what the pool will be worth, standing pat or drawing; after it, what each bet
    is worth.

    It never straddles. The book fears most a player who stands pat, so against the book it often stands pat on nothing.
    It does so less, the more the others turn out not to play by the book."""

    name = "expert"
    games = ["draw-poker"]

    def start(self, view: draw_poker.DrawPoker.View) -> None:
        """The table before anybody has spoken."""
        self.english, self.last_say, self.opener = view.options.rules == "english", view.last_say, view.opener
        self.jack_pot, self.opening = view.jack_pot, KNAVES + "JQKA".index(view.opening_pair)
        self.stake, self.level = [0] * view.players, 0
        if self.jack_pot:
            self.stake = [min([view.stake[seat] for seat in self.dealt_in])] * view.players
            self.level = max(self.stake) + 2 * view.options.blind * self.english
        else:
            self.stake[view.eldest] = self.level = view.options.blind

    def learn(self, seat: int, action: Action) -> None:
        """Nothing from what is said without cards, or of a false opening."""
        if self.phase not in SILENT:
            super().learn(seat, action)

    def new_phase(self, phase: str) -> None:
        super().new_phase(phase)
        if phase == "ante" and not self.jack_pot:
            self.level *= 2

    def carry_out(self, seat: int, action: Action) -> None:
        if action.verb == "blind":
            self.stake[seat] = self.level = action.amount
        elif action.verb == "straddle":
            self.level += self.options.blind if self.english else self.level
            self.stake[seat] = self.level
        else:
            super().carry_out(seat, action)

    def look(self, view: draw_poker.DrawPoker.View) -> None:
        super().look(view)
        seats, opener = self.dealt_in, view.opener
        first = seats.index(opener) if opener is not None and opener in seats and not self.english else 1
        order = [*seats[first:], *seats[:first]]
        self.before_me = order[: order.index(self.me)]
        self.rows = drawn_to(None, self.english)
        self.kept = self.keep(view.hand)

    def keep(self, hand: Sequence[Card]) -> Sequence[Card]:
        """The cards to draw to: what makes the class, or four of a flush or of an open straight."""
        if self.step >= DEUCES:
            return self.ranking.grouped(hand)
        suit = max(SUITS, key=[card.suit for card in hand].count)
        four = [card for card in hand if card.suit in (suit, "joker")]
        if len(four) == 4:
            self.step = FOUR_FLUSH
            return four
        ranked = sorted(hand, key=by_rank)
        for four in (ranked[:4], ranked[1:]):
            if four[3].rank - four[0].rank == 3 and four[3].rank < 14:
                self.step = OPEN_FOUR
                return four
        return hand

    # The phases.

    def blind(self, view: draw_poker.DrawPoker.View) -> str:
        return str(view.legal[0])

    def straddle(self, view: draw_poker.DrawPoker.View) -> str:
        return "pass"

    def buck(self, view: draw_poker.DrawPoker.View) -> str:
        return f"name {min(view.options.jack_ante, view.options.limit)}"

    def jack(self, view: draw_poker.DrawPoker.View) -> str:
        return "ante"

    def withdraw(self, view: draw_poker.DrawPoker.View) -> str:
        return str(view.legal[-1])

    def open(self, view: draw_poker.DrawPoker.View) -> str:
        return self.ante(view)

    def good(self, view: draw_poker.DrawPoker.View) -> str:
        return self.ante(view)

    def ante(self, view: draw_poker.DrawPoker.View) -> str:
        """Come in, or not; a jack pot is opened only with what opens it."""
        self.look(view)
        if view.jack_pot and view.opener is None and self.step < self.opening:
            return view.legal[0]
        return self.speak(view, self.come_in_worth)

    def draw(self, view: draw_poker.DrawPoker.View) -> str:
        """Stand pat, or draw to the best of the hand, as is worth more."""
        self.look(view)
        others = [
            (seat, {kind: self.drawing(kind, row, seat) for kind, row in mind.items()})
            for seat, mind in self.minds_of(self.others)
        ]
        if self.after_pat(others, self.pool) >= self.after_drawing(others, self.pool):
            return discard([])
        return discard(all_but(view.hand, self.kept))

    def bet(self, view: draw_poker.DrawPoker.View) -> str:
        self.look(view)
        self.step = max(self.step, NOTHING)
        return self.speak(view, self.bet_worth)

    def worth_of(self, plain: str) -> float:
        """Return the worth of an answer that is neither call nor raise: two pay back, a show is little, threes may wait."""
        if plain == "stand":
            return 0.3 * self.pool * (self.step >= THREES)
        return {"jack": self.stake[self.me], "show": 0.01}.get(plain, 0.0)

    def sizes(self, most: int) -> list[int]:
        """Before the draw only one, and with two pairs or better the limit."""
        if self.phase == "bet":
            return super().sizes(most)
        return [1, min(most, self.limit)] if self.step >= TWO_PAIRS else [1]

    # Before the draw.

    def come_in_worth(self, n: int) -> float:
        """Return the worth of the pool among those who stay, less the cost of seeing them."""
        cost = self.gap + n
        raises = self.raises + bool(n and self.phase != "open")
        met = self.meet(self.minds_of(self.others), n, raises, cost / max(1, self.pool + cost))
        staying, strong = Minds(), Mind()
        nobody, quiet, extra, mass, most = 1.0, 1.0, 0.0, 0.0, 0.0
        for seat, calls, rises, amount in met:
            mind, stays, raised = Mind(), 0.0, 0.0
            for kind, row in calls.items():
                if kind in rises:
                    rise = rises[kind]
                    row = [one + two for one, two in zip(row, rise, strict=True)]
                    strong[kind] = [one + two for one, two in zip(strong.get(kind, NEVER), rise, strict=True)]
                    raised += sum(rise)
                stays += sum(row)
                mind[kind] = self.drawing(kind, row, seat)
            staying.append((seat, mind))
            nobody *= max(0.0, 1 - stays)
            quiet *= max(0.0, 1 - raised)
            extra += stays * self.owes(seat, n)
            mass += raised
            most = max(most, amount)
        if nobody > 0.995:
            return float(self.pool)
        pool = self.pool + cost + extra / (1 - nobody)
        worth = nobody * self.pool + max(0.0, self.future(staying, pool) - nobody * pool) - (1 - nobody) * cost
        if quiet < 0.99:
            one = self.others[0]
            mind = {kind: self.drawing(kind, [weight / mass for weight in row], one) for kind, row in strong.items()}
            raised = max(0.0, self.future([(one, mind)], pool + 2 * most) - most) - cost
            worth = quiet * worth + (1 - quiet) * raised
        return worth

    def drawing(self, kind: str, row: Row, seat: int) -> Row:
        """Return the weights of these hands after the draw, if the seat has still to draw."""
        if self.drawn[seat] is not None:
            return row
        return [sum(row) * chance for chance in ANY] if kind == "chance" else become(row, self.rows)

    def future(self, others: Minds, pool: float) -> float:
        """Return the worth of the pool before the draw, if the others have come in with these hands."""
        return max(self.after_pat(others, pool), self.after_drawing(others, pool))

    def after_pat(self, others: Minds, pool: float) -> float:
        return self.later(max(self.step, NOTHING), others, pool, 0)

    def after_drawing(self, others: Minds, pool: float) -> float:
        number = 5 - len(self.kept)
        return sum([chance * self.later(step, others, pool, number) for step, chance in self.outcomes()])

    def outcomes(self) -> tuple[tuple[int, float], ...]:
        """Return the rough results of the draw as (step, chance); none if nothing is drawn."""
        if self.step == FOUR_FLUSH:
            return (FLUSH, 0.19), (KNAVES, 0.13), (ACE_HIGH, 0.68)
        if self.step == OPEN_FOUR:
            return (STRAIGHT, 0.17), (KNAVES, 0.13), (ACE_HIGH, 0.7)
        if DEUCES <= self.step < TWO_PAIRS:
            return (self.step, 0.71), (TWO_PAIRS + 1, 0.16), (THREE_TENS, 0.13)
        if TWO_PAIRS <= self.step < STRAIGHT:
            better = 0.085 if self.step < THREES else 0.104
            return (self.step, 1 - better), (FULL, better)
        return ()

    def later(self, step: int, others: Minds, pool: float, drawn: int) -> float:
        """Return the worth of a hand after the draw; earlier seats may have bet the limit on two pairs or more."""
        weak, strong = 1.0, Minds()
        for seat, mind in others:
            if seat in self.before_me:
                mass = sum([sum(row[TWO_PAIRS:]) for row in mind.values()])
                weak *= max(0.0, 1 - mass)
                scale = min(1.0, sum([sum(row) for row in mind.values()])) / mass if mass else 0.0
                mind = {
                    kind: [*NEVER[:TWO_PAIRS], *[weight * scale for weight in row[TWO_PAIRS:]]]
                    for kind, row in mind.items()
                }
            strong.append((seat, mind))
        worth = self.last_bet(step, others, pool, 0, drawn)
        if weak < 0.99:
            faced = self.last_bet(step, strong, pool + self.limit, self.limit, drawn)
            worth = weak * worth + (1 - weak) * faced
        return worth

    def last_bet(self, step: int, others: Minds, pool: float, gap: float, drawn: int) -> float:
        """Folding, showing the hands, or one bet: the limit on threes or better, else what makes a call dear."""
        most = self.limit if self.stacks is None else max(1, self.stacks[self.me] - self.gap - gap)
        n = most if step >= THREES else max(1, min(most, int((pool + gap) * 0.27 + 1)))
        price = n / (pool + gap + n)
        folded = below = 1.0
        stays = under = 0.0
        for _, mind in others:
            beaten = stayed = 0.0
            for kind, row in mind.items():
                stay, _, _ = self.after_the_draw(kind, gap > 0, drawn, price)
                kept = [weight * chance for weight, chance in zip(row, stay, strict=True)]
                stayed += sum(kept)
                under += sum(kept[:step]) + kept[step] / 2
                beaten += sum(row[step + 1 :]) + row[step] / 2
            folded *= max(0.0, 1 - stayed)
            below *= max(0.0, 1 - beaten)
            stays += stayed
        wins = under / stays if stays > 1e-9 else 0.5
        betting = folded * pool + (1 - folded) * (wins * (pool + gap + 2 * n) - gap - n)
        return max(0.0, betting, below * (pool + gap) - gap)

    # The actions of the others.

    def unbidden(self, kind: str, seat: int, verb: str, amount: int) -> Row:
        """How likely a kind speaks so where nobody has bet, by step: straddling, opening, and after the draw."""
        if self.phase == "straddle":
            share = {"book": SLIP, "chance": 0.5}.get(kind, 0.1)
            return always(share if verb == "straddle" else 1 - share)
        if self.phase == "open":
            early = kind == "book" and self.dealt_in.index(seat) < len(self.dealt_in) - 3
            opens = mostly((max(self.opening, QUEENS) if early else self.opening, 31))
            return opens if verb == "open" else [1 - chance for chance in opens]
        if kind == "chance":
            return always(1.0 if amount else 1 / (self.limit + 1))
        if verb == "stand":
            return mostly((0, DEUCES), (THREES, FLUSH))
        if verb == "fold":
            return mostly((0, DEUCES)) if self.english else always(SLIP)
        small = (DEUCES, THREES) if self.english else (0, TWO_PAIRS)
        return mostly(small) if amount == 1 else mostly((small[1], 31))

    def reaction(self, kind: str, seat: int, raises: int, better: int | None, price: float, again: bool) -> Reaction:
        """Return what a kind does when it is asked for more: which hands stay, which raise, and by how much."""
        if self.phase == "bet":
            return self.after_the_draw(kind, raises, 3 if better is None else self.drawn[better], price)
        if kind == "chance":
            return self.by_chance()
        if self.phase == "good":
            return mostly((0, 1 if price <= 0.2 else 0), (KINGS, 31)), NEVER, 0
        first = self.came_in if self.me in self.came_in else [*self.came_in, self.me]
        return self.before_the_draw(kind, seat, raises, first, price, again)

    def by_chance(self) -> Reaction:
        legal = self.limit + 2
        return always(1 - 1 / legal), always(1 - 2 / legal), self.limit / 2

    def before_the_draw(
        self, kind: str, seat: int, raises: int, company: list[int], price: float, again: bool
    ) -> Reaction:
        """The book's hands to come in with, by the place, and those on which it raises."""
        low, fours = self.needed(seat, raises, company), 1 if price <= 0.2 else 0
        last = seat == self.last_say and not raises and not self.jack_pot
        if kind != "book":
            tight = kind == "stranger" and (self.jack_pot or raises)
            low, fours = QUEENS if tight else NINES, 1 if price <= 0.3 else 0
        elif last and len(company) >= 3:
            fours = 2
        stay = mostly((0, fours), (low, 31))
        if again:
            return stay, NEVER, 0
        ranges = [(THREES, 31)] if len(company) <= 2 else []
        if raises or self.jack_pot or seat == self.dealt_in[-1] and company:
            ranges.append((TWO_PAIRS, THREES))
        elif last and len(company) < 5:
            ranges.append((KINGS, THREES))
        return stay, [min(pair) for pair in zip(stay, mostly(*ranges), strict=True)], self.limit

    def needed(self, seat: int, raises: int, company: list[int]) -> int:
        if self.jack_pot:
            return max(QUEENS, self.opening)
        if raises:
            return KINGS
        seats = self.dealt_in
        after = (seats.index(self.last_say) - seats.index(seat)) % len(seats)
        if after == 0:
            return DEUCES
        if after == len(seats) - 1:
            return QUEENS
        if after <= 2:
            return DEUCES if len(company) <= 1 else NINES
        return TENS

    def after_the_draw(self, kind: str, raises: int, drawn: int | None, price: float) -> Reaction:
        """Return the same after the draw. The book raises or folds by the bettor's draw, or calls if cheap."""
        if kind == "chance":
            return self.by_chance()
        if kind != "book":
            low = QUEENS if kind == "caller" else ACES if price <= 0.2 else TWO_PAIRS if price < 0.4 else TWO_PAIRS + 2
            return mostly((low, 31)), mostly((THREES, 31)), self.limit / 2
        if self.english:
            return mostly((THREES if raises else ACES, 31)), mostly((FOURS if raises else FLUSH, 31)), self.limit / 2
        high = ACES if drawn == 3 and not raises else ACES_UP
        if raises >= 2:
            high = THREE_TENS
        if drawn == 0:
            high = STRAIGHT
        low = KINGS if price <= 0.1 else TWO_PAIRS if price <= 0.2 else high
        return mostly((min(low, high), 31)), mostly((high, 31)), self.limit / 2
