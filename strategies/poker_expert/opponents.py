"""The hands that the others may hold, learnt from their actions."""

from typing import Generic, TypeVar

from roundsim.games import draw_poker, straight_poker
from roundsim.strategy import Action, ranking_of

from .chances import ANY, DEALT, become, drawn_to
from .hands import Row, step_of

Mind = dict[str, Row]  # what one opponent may hold: a row for each kind of player
Minds = list[tuple[int, Mind]]  # by seats
Reaction = tuple[Row, Row, float]  # who stays, and who raises, by step; and by how much
View = TypeVar("View", bound=draw_poker.DrawPoker.View | straight_poker.StraightPoker.View)


class Watcher(Generic[View]):
    """A player that tracks the hands that each opponent may hold, in both games.

    An opponent is of one of four kinds: it plays by the `book`, by `chance`, knows the worth of a hand
    (`stranger`), or calls every bet (`caller`). Each kind has a row of weights by step. An action multiplies each weight
    by the chance that this kind acts so with such a hand; hands that are shown decide. The total weight of each kind is
    its prior in the next deal."""

    prior = {"book": 0.85, "chance": 0.05, "stranger": 0.05, "caller": 0.05}

    def begin(self, view: View) -> None:
        self.players, self.minds = view.players, list[Mind]()  # none between the deals
        self.belief = [self.prior] * view.players

    # Each game defines these.

    def start(self, view: View) -> None:
        """The table before anybody has spoken."""
        raise NotImplementedError

    def unbidden(self, kind: str, seat: int, verb: str, amount: int) -> Row:
        """How likely a kind speaks so where nobody has bet, by step."""
        raise NotImplementedError

    def reaction(self, kind: str, seat: int, raises: int, better: int | None, price: float, again: bool) -> Reaction:
        """Return what a kind does after a bet or raise: which hands stay, which raise, and by how much."""
        raise NotImplementedError

    # The actions so far.

    def look(self, view: View) -> None:
        """Read the actions since the last look, and the state of the table."""
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
        """Follow the actions since the last look."""
        history = view.history
        for seat, phase, action in history[self.read :]:
            if phase != self.phase:
                self.new_phase(phase)
            if seat != self.me:
                self.learn(seat, action)
            self.carry_out(seat, action)
        self.read = len(history)

    def carry_out(self, seat: int, action: Action) -> None:
        verb, amount = action.verb, action.amount
        if verb == "discard":
            self.drawn[seat] = amount if seat != self.me else len(action.cards)
        elif verb in ("call", "raise", "bet", "open"):
            self.stake[seat] = max(self.level, self.stake[seat]) + amount
            if amount:
                self.level, self.better = self.stake[seat], seat
            if verb == "raise":
                self.raises += 1
                self.have_raised.append(seat)
            if seat not in self.came_in:
                self.came_in.append(seat)

    def learn(self, seat: int, action: Action) -> None:
        """Weigh a seat's kinds and hands by what it does."""
        mind, amount = self.minds[seat], action.amount
        for kind, row in mind.items():
            if action.verb == "discard":
                if kind == "chance":
                    new = [sum(row) * (1, 5, 10, 10, 5, 1)[amount] / 32 * chance for chance in ANY]
                else:
                    new = become(row, drawn_to(amount, self.options.rules == "english"))
            else:
                scale = self.sizing(kind, seat, amount) if amount else 1
                likely = self.likely(kind, seat, action)
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

    def likely(self, kind: str, seat: int, action: Action) -> Row:
        """How likely a kind does this, by step."""
        if self.better is None and self.phase != "ante" and self.phase != "good":
            return self.unbidden(kind, seat, action.verb, action.amount)
        price = max(0, self.level - self.stake[seat]) / max(1, self.in_all())
        stay, rise, _ = self.reaction(kind, seat, self.raises, self.better, price, seat in self.have_raised)
        if action.verb == "fold":
            return [1 - chance for chance in stay]
        return rise if action.verb == "raise" else [max(0.001, one - two) for one, two in zip(stay, rise, strict=True)]

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
