"""The worth of calling, betting and raising against opponents with uncertain hands."""

from collections.abc import Callable, Iterable

from .hands import NEVER
from .opponents import Mind, Minds, View, Watcher


class Bettor(Watcher[View]):
    """A player that gives the answer worth most counters against all hands that the others may hold; to fold is worth 0."""

    def worth_of(self, plain: str) -> float:
        """Return the worth of an answer that is neither call nor raise."""
        raise NotImplementedError

    def speak(self, view: View, worth: Callable[[int], float]) -> str:
        """The call or raise that is worth most, if it is worth more than the least that may be said."""
        legal, most = view.legal, view.legal[-1]
        answers: dict[str, float] = {}
        for plain in [action for action in legal[:4] if not action.amount]:
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
        return sorted({max(1, min(most, int(size))) for size in wanted})

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
        """Return the counters that a seat must pay if this one raises by n."""
        owes = max(0, self.level - self.stake[seat]) + n
        return owes if self.stacks is None else min(owes, self.stacks[seat])

    def bet_worth(self, n: int) -> float:
        """Return the worth of betting or raising n, or calling, in the last round of betting."""
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
        """Return the worth of being raised by `more` by hands of these weights: fold, call, or raise again."""
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
