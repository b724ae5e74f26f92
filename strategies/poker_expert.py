"""Draw poker and straight poker by weighing what each opponent may hold, and what he does with it."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Generic, TypeVar

from roundsim.games import draw_poker, straight_poker
from roundsim.toolkit import SUITS, Action, Card, Ranking, all_but, by_rank, discard, ranking_of

Row = list[float]  # a weight for each step
Mind = dict[str, Row]  # what one opponent may hold: a row for each kind that he may be of
Minds = list[tuple[int, Mind]]  # by seats
Reaction = tuple[Row, Row, float]  # who stays, and who raises, by step; and by how much
View = TypeVar("View", bound=draw_poker.DrawPoker.View | straight_poker.StraightPoker.View)

# Hands in steps, from the least: 0 four of a flush, 1 four of an open straight, 2 knave high or less, then Q K A high,
# each pair, four steps of two pairs and four of threes, straight, flush, full, fours.  By (position, rank), from 2 on:
STEPS: list[tuple[int, float]] = [
    *[(0, rank) for rank in (0, 12, 13, 14)],
    *[(10, rank) for rank in range(2, 15)],
    *[(20, rank) for rank in (2, 9, 12, 14)],
    *[(30, rank) for rank in (2, 6, 10, 13)],
    *[(position, 0) for position in (40, 50, 60, 70)],
]
FOUR_FLUSH, OPEN_FOUR, NOTHING, ACE_HIGH, DEUCES = 0, 1, 2, 5, 6
NINES, TENS, KNAVES, QUEENS, KINGS, ACES = 13, 14, 15, 16, 17, 18
TWO_PAIRS, ACES_UP, THREES, THREE_TENS, STRAIGHT, FLUSH, FULL, FOURS = 19, 22, 23, 25, 27, 28, 29, 30
ALL = range(31)
# What each step has of its class, by step.
LOW = [(2, 0.193), (3, 0.163), (4, 0.258), (5, 0.386)]
PAIRS = [(step, 1 / 13) for step in range(DEUCES, TWO_PAIRS)]
TWO = [(19, 21 / 78), (20, 24 / 78), (21, 21 / 78), (22, 12 / 78)]
TRIPS = [(23, 4 / 13), (24, 4 / 13), (25, 3 / 13), (26, 2 / 13)]


def spread(*parts: tuple[float, int | list[tuple[int, float]]]) -> Row:
    """A row of chances by step, from (chance, step or [(step, share)])."""
    row = [0.0] * len(ALL)
    for chance, steps in parts:
        for step, share in [(steps, 1)] if isinstance(steps, int) else steps:
            row[step] += chance * share
    return row


PAT = ((0.00393, STRAIGHT), (0.00197, FLUSH), (0.00144, FULL), (0.00026, FOURS))
DEALT = spread((0.03, 0), (0.025, 1), (0.4461, LOW), (0.42257, PAIRS), (0.04754, TWO), (0.02113, TRIPS), *PAT)
ANY = spread((0.50118, LOW), (0.42257, PAIRS), (0.04754, TWO), (0.02113, TRIPS), *PAT)  # after any draw


@cache
def after(step: int, drawn: int) -> Row:
    """What a hand becomes by drawing so many cards to what is worth keeping."""
    if step == FOUR_FLUSH and drawn:
        return spread((0.1915, FLUSH), (0.2553, PAIRS), (0.5532, LOW))
    if step == OPEN_FOUR and drawn:
        return spread((0.1702, STRAIGHT), (0.2553, PAIRS), (0.5745, LOW))
    if step < DEUCES:
        if not drawn:
            return spread((1.0, max(step, NOTHING)))
        high = 0.18 if step >= ACE_HIGH - 1 else 0
        return spread((high, ACES + step - ACE_HIGH), (1 - high, [(each, ANY[each]) for each in ALL]))
    if not drawn or drawn > 3 or step >= STRAIGHT and step != FOURS:
        return spread((1.0, step))
    if step < TWO_PAIRS:
        better = max(TWO_PAIRS, min(ACES_UP, bisect_right(STEPS, (20, step - 4)) + 1))
        up = [(better, 0.6), (min(ACES_UP, better + 1), 0.4)]
        trips = bisect_right(STEPS, (30, step - 4)) + 1
        if drawn == 3:
            return spread((0.7132, step), (0.1599, up), (0.1143, trips), (0.0102, FULL), (0.0024, FOURS))
        return spread((0.7410, step), (0.1721, ACES_UP), (0.0777, trips), (0.0083, FULL), (0.0009, FOURS))
    if step < THREES:
        return spread((0.9149, step), (0.0851, FULL)) if drawn == 1 else spread((1.0, step))
    if step < STRAIGHT:
        full, fours = (0.0611, 0.0425) if drawn == 2 else (0.0638, 0.0213)
        return spread((1 - full - fours, step), (full, FULL), (fours, FOURS))
    return spread((1.0, step))


@cache
def draws(step: int, english: bool) -> dict[int, float]:
    """How often the book draws so many cards to a hand, by their number."""
    if step <= OPEN_FOUR:
        return {1: 1}
    if step < DEUCES:
        return {4: 0.8, 3: 0.2} if step >= ACE_HIGH - 1 else {4: 1}
    if step < TWO_PAIRS:
        return {3: 1} if english else {3: 0.8, 2: 0.2}
    if step < THREES:
        return {1: 1} if english else {0: 0.5, 1: 0.5}
    if step < STRAIGHT:
        return {1 if english else 2: 1}
    return {1: 1} if step == FOURS else {0: 1}


SLIP = 0.003  # how often a player does what his kind does not


@cache
def drawn_to(number: int | None, english: bool) -> list[list[tuple[int, float]]]:
    """By step: the chances of what it becomes, times that of drawing just so many; number None: of all draws."""
    rows = []
    for step in ALL:
        row = [0.0] * len(ALL)
        for each in range(6) if number is None else [number]:
            share = draws(step, english).get(each, 0) * (1 - SLIP) + SLIP / 6
            row = [old + share * new for old, new in zip(row, after(step, each), strict=True)]
        rows.append([(to, chance) for to, chance in enumerate(row) if chance])
    return rows


def become(weights: Row, rows: list[list[tuple[int, float]]]) -> Row:
    """What these hands are after the draw."""
    new = [0.0] * len(ALL)
    for weight, row in zip(weights, rows, strict=True):
        if weight:
            for to, chance in row:
                new[to] += weight * chance
    return new


@cache
def mostly(*ranges: tuple[int, int]) -> Row:
    """By step: the chance of doing what is done with the steps in these ranges, but for slips."""
    return [1 - SLIP if any(low <= step < high for low, high in ranges) else SLIP for step in ALL]


@cache
def always(chance: float) -> Row:
    """The same chance with whatever hand."""
    return [chance] * len(ALL)


NEVER = always(0.0)


def step_of(hand: Sequence[Card], ranking: Ranking) -> int:
    """The step of five cards."""
    ranks = [card.rank for card in hand if card != "Jo"]
    rank = max(ranks, key=lambda each: (ranks.count(each), each))
    return bisect_right(STEPS, (ranking.position(hand), rank)) + 1


class Poker(Generic[View]):
    """What both games share: what the others may hold, and what calling and raising is worth against them.

    An opponent is of one of four kinds: he plays by the book, or by chance, or is a stranger who knows what a hand is
    worth, or a caller whom no bet frightens.  For each kind there is a row of weights by step; whatever he does
    multiplies it by how likely that kind does so with such a hand, and hands that are shown decide.  How much each kind
    then weighs passes on to the next deal."""

    prior = {"book": 0.85, "chance": 0.05, "stranger": 0.05, "caller": 0.05}

    def begin(self, view: View) -> None:
        self.players, self.minds = view.players, list[Mind]()  # none between the deals
        self.belief = [self.prior] * view.players

    # What each of the games says for itself.

    def start(self, view: View) -> None:
        """The table before anybody has spoken."""
        raise NotImplementedError

    def worth_of(self, plain: str) -> float:
        """Of what is neither call nor raise."""
        raise NotImplementedError

    def unbidden(self, kind: str, seat: int, verb: str, amount: int) -> Row:
        """How likely a kind speaks so where nobody has bet, by step."""
        raise NotImplementedError

    def reaction(self, kind: str, seat: int, raises: int, better: int | None, price: float, again: bool) -> Reaction:
        """What a kind does when a bet or raise is before it: who stays, who raises, and by how much."""
        raise NotImplementedError

    # What has been said.

    def look(self, view: View) -> None:
        """Take in what has been said since the last look, and how things stand."""
        if view.players != self.players:  # in a freeze-out the table has changed
            self.begin(view)
        self.limit: int = view.options.limit
        self.me, self.options = view.seat, view.options
        if not self.minds:
            self.ranking = ranking_of(view.options)
            self.minds = [
                {kind: [share * chance for chance in DEALT] for kind, share in belief.items()} for belief in self.belief
            ]
            self.drawn: list[int | None] = [None] * view.players
            self.read, self.came_in, self.dealt_in = 0, list[int](), view.dealt_in
            self.standing: int = view.pools["pool"]
            self.new_phase("")
            self.start(view)
        self.follow(view)
        if view.phase != self.phase:
            self.new_phase(view.phase)
        self.stake, self.level, self.stacks, self.standing = [*view.stake], view.level, view.stacks, view.pools["pool"]
        self.others = [seat for seat in view.still_in if seat != self.me]
        self.pool, self.gap = self.in_all(), max(0, self.level - self.stake[self.me])
        self.step = step_of(view.hand, self.ranking)

    def new_phase(self, phase: str) -> None:
        self.better: int | None = None
        self.phase, self.raises, self.have_raised = phase, 0, list[int]()

    def in_all(self) -> int:
        return sum(self.stake) + self.standing

    def follow(self, view: View) -> None:
        """What was said and done since the last look."""
        history = view.history
        for seat, phase, said in history[self.read :]:
            if phase != self.phase:
                self.new_phase(phase)
            if seat != self.me:
                self.learn(seat, said)
            self.carry_out(seat, said)
        self.read = len(history)

    def carry_out(self, seat: int, said: Action) -> None:
        verb, amount = said.verb, said.amount
        if verb == "discard":
            self.drawn[seat] = amount if seat != self.me else len(said.cards)
        elif verb in ("call", "raise", "bet", "open"):
            self.stake[seat] = max(self.level, self.stake[seat]) + amount
            if amount:
                self.level, self.better = self.stake[seat], seat
            if verb == "raise":
                self.raises += 1
                self.have_raised.append(seat)
            if seat not in self.came_in:
                self.came_in.append(seat)

    def learn(self, seat: int, said: Action) -> None:
        """Weigh a seat's kinds and hands by what it does."""
        mind, amount = self.minds[seat], said.amount
        for kind, row in mind.items():
            if said.verb == "discard":
                if kind == "chance":
                    new = [sum(row) * (1, 5, 10, 10, 5, 1)[amount] / 32 * chance for chance in ANY]
                else:
                    new = become(row, drawn_to(amount, self.options.rules == "english"))
            else:
                scale = self.sizing(kind, seat, amount) if amount else 1
                likely = self.likely(kind, seat, said)
                new = [scale * weight * chance for weight, chance in zip(row, likely, strict=True)]
            mind[kind] = new
        total = sum([sum(row) for row in mind.values()])
        if total > 0:
            for kind, row in mind.items():
                mind[kind] = [weight / total for weight in row]

    def sizing(self, kind: str, seat: int, amount: int) -> float:
        """How likely a kind that bets or raises does so by this amount, roughly."""
        pool = self.in_all() + max(0, self.level - self.stake[seat])
        usual = amount in (1, self.limit, self.limit // 2, max(1, self.limit // 10), self.in_all())
        if kind == "book":
            return 0.3 if usual else 0.003
        if kind == "chance":
            return 1 / self.limit
        return 0.15 if usual or amount in (int(pool * 0.27 + 1), pool // 2, pool + 1) else 1 / self.limit

    def likely(self, kind: str, seat: int, said: Action) -> Row:
        """How likely a kind does this, by step."""
        if self.better is None and self.phase != "ante" and self.phase != "good":
            return self.unbidden(kind, seat, said.verb, said.amount)
        price = max(0, self.level - self.stake[seat]) / max(1, self.in_all())
        stay, rise, _ = self.reaction(kind, seat, self.raises, self.better, price, seat in self.have_raised)
        if said.verb == "fold":
            return [1 - chance for chance in stay]
        return rise if said.verb == "raise" else [max(0.001, one - two) for one, two in zip(stay, rise, strict=True)]

    def settled(self, view: View, net: int) -> None:
        """The deal is over: what is left of each kind, a little of it forgotten."""
        if self.minds and view.players == self.players:
            self.follow(view)
            for seat, mind in enumerate(self.minds):
                step = step_of(view.shown[seat], self.ranking) if view.shown[seat] else None
                near = slice(step and max(0, step - 1), step and step + 2)
                weights = {kind: sum(row[near]) for kind, row in mind.items()}
                total = sum(weights.values())
                if seat != self.me and total > 0:
                    self.belief[seat] = {
                        kind: 0.95 * weight / total + 0.05 * self.prior[kind] for kind, weight in weights.items()
                    }
        self.minds = []

    # What an action is worth, in counters; to fold is worth nothing.

    def speak(self, view: View, worth: Callable[[int], float]) -> str:
        """The call or raise that is worth most, if it is worth more than the least that may be said."""
        legal, most = view.legal, view.legal[-1]
        answers: dict[str, float] = {}
        for plain in [each for each in legal[:4] if not each.amount]:
            answers[plain] = worth(0) if plain == "call" else self.worth_of(plain)
        if most.amount:
            for n in self.sizes(most.amount):
                answers[f"{most.verb} {n}"] = worth(n)
        return max(answers, key=answers.__getitem__)

    def sizes(self, most: int) -> list[int]:
        """The bets or raises that are tried: one, what makes a call dear, the pool, half the limit, and the limit."""
        pool = self.pool + self.gap
        wanted = [pool * 0.27 + 1, pool + 1, self.limit / 2, self.limit]
        wanted.append(most if self.stacks else wanted[0] if self.gap else 1)
        return sorted({max(1, min(most, int(each))) for each in wanted})

    def minds_of(self, seats: Iterable[int]) -> Minds:
        return [(seat, self.minds[seat]) for seat in seats]

    def meet(
        self, others: Minds, n: int, raises: int, price: float, again: bool = False
    ) -> list[tuple[int, Mind, Mind, float]]:
        """(seat, by kind who calls, by kind who raises, by how much) for each of the others, if I raise by n, or call."""
        met, better = [], self.me if n else self.better
        for seat, mind in others:
            calls, rises, most = mind, Mind(), 0.0
            able = self.stacks is None or self.stacks[seat] > 0
            if able and (n or self.stake[seat] < self.level):
                calls = {}
                for kind, row in mind.items():
                    if sum(row) < 0.004:
                        continue
                    once = again or seat in self.have_raised
                    stay, rise, amount = self.reaction(kind, seat, raises, better, price, once)
                    if raises >= self.options.max_raises:
                        rise = NEVER
                    calls[kind] = [weight * (one - two) for weight, one, two in zip(row, stay, rise, strict=True)]
                    rises[kind] = [weight * chance for weight, chance in zip(row, rise, strict=True)]
                    most = max(most, amount)
            met.append((seat, calls, rises, most))
        return met

    def owes(self, seat: int, n: int) -> int:
        """What a seat must pay when I raise by n."""
        owes = max(0, self.level - self.stake[seat]) + n
        return owes if self.stacks is None else min(owes, self.stacks[seat])

    def bet_worth(self, n: int) -> float:
        """Of betting or raising n, or calling: in the last round of betting."""
        return self.raise_worth(self.minds_of(self.others), self.pool, self.gap, n, self.raises)

    def raise_worth(self, others: Minds, pool: float, gap: float, n: int, raises: int, depth: int = 0) -> float:
        """The same against these minds: all fold, or some call, or some raise."""
        cost, step = gap + n, self.step
        raises += bool(n and (depth or self.better is not None))
        nobody = unraised = won = 1.0
        extra, strong, mass, most = 0.0, Mind(), 0.0, 0.0
        for seat, calls, rises, more in self.meet(others, n, raises, n / max(1, pool + cost), depth > 0):
            called = sum([sum(row) for row in calls.values()])
            beaten = sum([sum(row[:step]) + row[step] / 2 for row in calls.values()])
            raised = 0.0
            for kind, row in rises.items():
                raised += sum(row)
                strong[kind] = (
                    [one + two for one, two in zip(strong[kind], row, strict=True)] if kind in strong else row
                )
            folded = max(0.0, 1 - called - raised)
            nobody *= folded
            unraised *= folded + called
            won *= folded + beaten
            extra += (called + raised) * self.owes(seat, n)
            mass += raised
            most = max(most, more)
        shown = pool + cost + (extra / (1 - nobody) if nobody < 0.999 else 0)
        worth = nobody * pool + (won - nobody) * shown - (unraised - nobody) * cost
        if mass > 1e-6:
            worth += (1 - unraised) * (self.answer_worth(strong, mass, shown, most, raises + 1, depth) - cost)
        return worth

    def answer_worth(self, strong: Mind, mass: float, pool: float, more: float, raises: int, depth: int) -> float:
        """Of being raised by `more`, by hands of these weights: to fold, call, or raise again."""
        if self.stacks is not None:
            more = min(more, max(0, self.stacks[self.me] - self.gap))
        wins = sum([sum(row[: self.step]) + row[self.step] / 2 for row in strong.values()]) / mass
        worth = max(0.0, wins * (pool + 2 * more) - more)
        if wins > 0.5 and depth < 6 and raises < self.options.max_raises and self.stacks is None:
            one = self.others[0]
            mind = {kind: [weight / mass for weight in row] for kind, row in strong.items()}
            level, self.level = self.level, self.stake[one]
            worth = max(worth, self.raise_worth([(one, mind)], pool + more, more, self.limit, raises, depth + 1))
            self.level = level
        return worth


class StraightPoker(Poker[straight_poker.StraightPoker.View]):
    """Straight poker: what a bet is worth, by who will call it and with what, is reckoned for some sizes of bet."""

    name = "expert"
    games = ["straight-poker"]

    def start(self, view: straight_poker.StraightPoker.View) -> None:
        """The table before anybody has spoken."""
        self.stake, self.level = [0] * view.players, 0

    def bet(self, view: straight_poker.StraightPoker.View) -> str:
        self.look(view)
        return self.speak(view, self.bet_worth)

    def worth_of(self, plain: str) -> float:
        return 0.0

    def unbidden(self, kind: str, seat: int, verb: str, amount: int) -> Row:
        """How likely a kind passes or bets so, by step."""
        if kind == "chance":
            return always(1 / (self.limit + 1) if verb == "pass" else 1.0)
        at = self.dealt_in.index(seat)
        pairs = ACES if at < 2 and kind == "book" else TENS
        if kind != "book":
            # he may lie in wait, or bluff
            bets = [max(0.1, min(0.5, chance)) for chance in mostly((pairs, 31))]
            return [1 - chance for chance in bets] if verb == "pass" else bets
        if verb == "pass":
            return mostly((0, pairs))
        if amount == self.limit:
            return mostly((THREES, 31))
        if amount == self.limit // 2:
            return mostly((TWO_PAIRS, THREES))
        if amount == max(1, self.limit // 10):
            return mostly((pairs, TWO_PAIRS))
        return always(1.0 if at >= len(self.dealt_in) - 3 and amount == self.in_all() else SLIP)

    def reaction(self, kind: str, seat: int, raises: int, better: int | None, price: float, again: bool) -> Reaction:
        """What a kind does when a bet or raise is before it: who stays, who raises, and by how much."""
        if kind == "chance":
            legal = self.limit + 2
            return always(1 - 1 / legal), always((legal - 2) / legal), self.limit / 2
        if kind != "book":
            low = QUEENS if price <= 0.3 or kind == "caller" else ACES if price <= 0.45 else TWO_PAIRS
            return mostly((low, 31)), mostly((THREES, 31)), self.limit / 2
        low = KINGS if price <= 0.5 else TWO_PAIRS
        high = ACES_UP if len(self.dealt_in) <= 5 else THREES
        return mostly((low, 31)), NEVER if again else mostly((high, 31)), self.limit


class DrawPoker(Poker[draw_poker.DrawPoker.View]):
    """Draw poker: before the draw what the pool will be worth, standing pat or drawing; after it what a bet is worth.

    It never straddles.  Against the book, which fears nobody so much as one who stands pat, it often does so on nothing;
    against those who are not of the book it does so less and less, as far as they are found out."""

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

    def new_phase(self, phase: str) -> None:
        super().new_phase(phase)
        if phase == "ante" and not self.jack_pot:
            self.level *= 2

    def carry_out(self, seat: int, said: Action) -> None:
        if said.verb == "straddle":
            self.level += self.options.blind if self.english else self.level
            self.stake[seat] = self.level
        else:
            super().carry_out(seat, said)

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

    def straddle(self, view: draw_poker.DrawPoker.View) -> str:
        return "pass"

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
        """Of what is neither call nor raise: two pay back, a show is better than nothing, and threes may wait."""
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
        """What the pool will be worth among those who stay, less what it costs to see them."""
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
        """What these hands are after the draw, if the seat has still to draw."""
        if self.drawn[seat] is not None:
            return row
        return [sum(row) * chance for chance in ANY] if kind == "chance" else become(row, self.rows)

    def future(self, others: Minds, pool: float) -> float:
        """What the pool is worth before the draw, of which the others have come in with these hands."""
        return max(self.after_pat(others, pool), self.after_drawing(others, pool))

    def after_pat(self, others: Minds, pool: float) -> float:
        return self.later(max(self.step, NOTHING), others, pool, 0)

    def after_drawing(self, others: Minds, pool: float) -> float:
        number = 5 - len(self.kept)
        return sum([chance * self.later(step, others, pool, number) for step, chance in self.outcomes()])

    def outcomes(self) -> tuple[tuple[int, float], ...]:
        """(step, chance) of what comes of the draw, roughly; none where nothing is drawn."""
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
        """What a hand is worth after the draw; those who speak before me may have bet the limit on two pairs or more."""
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

    # What the others do.

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
        """What a kind does when it is asked for more: who stays, who raises, and by how much."""
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
        """The book raises or lays down, by what the bettor has drawn, but for cheap calls; in England it calls more."""
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
