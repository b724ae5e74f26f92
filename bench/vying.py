"""Make the betting table of an expert:  python bench/vying.py GAME|FILE [--seats N] [--deals N] [--seed S] ...

Monte Carlo CFR by external sampling (Lanctot et al. 2009). Each deal, from each seat, all own answers are tried on the same
cards, and one of each opponent is drawn. An opponent is drawn for each deal: the player itself, with the share `--book` the
guide, or with the share `--random` one who answers at random. So little can be won from the table, and it wins from the book.
Where a seat is asked often, `--tried 0.3` tries all answers to 0.3 of its questions; the others are answered by the table.

The deals are the product's own: where a seat tries an answer the deal is dealt again, and what was said is repeated. Without
`--seats` each part of the table is made again as its first line says. The table depends on the arguments alone."""

from __future__ import annotations

from bisect import bisect
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import fsum
from operator import mul
from typing import Any, NamedTuple

from multiprocess import get_context
from tables import line_of, make_table

from roundsim.refereeing.referee import Answer
from roundsim.refereeing.sitting import Sitting
from roundsim.sources import plugins
from roundsim.sources.strategy import table_like
from roundsim.strategy.vying import CUTS, Vying
from roundsim.table.actions import Action
from roundsim.table.chance import Chance, Source
from roundsim.table.deal import Ask, Deal
from roundsim.table.imagined import copied
from roundsim.table.legal import accept, count
from roundsim.table.playthrough import Playthrough

DEEPEST = 3  # questions of a seat, one after the other, whose answers are all tried; later ones are drawn
FEW = 100  # questions of a class, at least; else the guide answers it
SAMPLE = 4000  # hands that settle the columns
RARE = 5  # percent: an answer with a smaller share is left out
SURE = 96  # percent: an answer with so large a share stands alone

Key = tuple[str, int]  # a situation and a column
Question = tuple[Key, Mapping[str, str]]  # its class, and the answers to it


class Plan(NamedTuple):
    """The arguments that make a part of a table: its first line."""

    seats: int
    deals: int = 40_000
    seed: int = 1
    book: float = 0.4
    random: float = 0.0
    tried: float = 1.0

    @property
    def line(self) -> str:
        return line_of(self, "tried" if self.tried == 1 else "")


class Opponent(NamedTuple):
    """The player at a seat in a deal. `by_table`: the table, as it is now; `answer`: to all else."""

    by_table: bool
    answer: Answer


class Trainer:
    """Trains a table. `regrets`, `shares`: by class the sums of the regrets of each answer, and of their shares."""

    def __init__(self, expert: type[Vying], game: type[Deal], plan: Plan) -> None:
        self.expert, self.game, self.plan = expert(), game, plan
        self.rules: Any = game.rules_for(plan.seats, None)
        self.guide, self.random = (table_like(plugins.seated_named(name, game.id)) for name in (expert.guide, "random"))
        self.chance = Chance(f"{plan.seed}/{game.id}/vying")
        self.regrets: dict[Key, dict[str, float]] = {}
        self.shares: dict[Key, dict[str, float]] = {}
        self.visits = Counter[Key]()
        self.weight = 0
        self.cuts = dict[str, list[float]]()

    def settle_columns(self) -> None:
        """Deal hands, and cut the columns of each stage at the same places among them; none, if all are alike."""
        found: dict[str, dict[tuple[int, int], float]] = defaultdict(dict)
        for number in range(SAMPLE):
            source = Source(f"{self.plan.seed}/{self.game.id}/hands/{number}")
            deal = Sitting(self.game, self.rules, deals=1).next_deal(source)
            playing, table = Playthrough(deal), self.guide()
            while (ask := playing.ask) is not None:
                view = self.view(deal, ask)
                if ask.phase in self.expert.phases:
                    found[self.expert.stage(view)].setdefault((number, ask.seat), self.expert.strength(view))
                playing.answer(ask.legal[0] if count(ask.legal) == 1 else accept(ask.legal, table(view)))
        for stage, by_hand in sorted(found.items()):
            strengths = sorted(by_hand.values())
            if strengths[0] < strengths[-1]:
                cuts = [strengths[int(place * len(strengths))] for place in self.expert.places]
                self.cuts[stage] = [float(f"{cut:.6g}") for cut in cuts]

    def train(self) -> str:
        """Return a part of the table."""
        self.settle_columns()
        sitting, done = Sitting(self.game, self.rules, deals=self.rules.sitting), 0
        for number in range(1, self.plan.deals + 1):
            self.weight = number
            name = f"{self.plan.seed}/{self.game.id}/vying/{number}"
            deal = sitting.next_deal(Source(name))
            before, made = copied(deal.state, {}), type(deal)

            def again(made: type[Deal] = made, before: Any = before, name: str = name) -> Playthrough:
                return Playthrough(made(self.rules, copied(before, {}), Source(name)))

            company = [self.opponent() for _ in range(self.plan.seats)]
            for seat in range(self.plan.seats):
                self.walk(again(), again, seat, company)
            playing = Playthrough(deal)
            while (ask := playing.ask) is not None:
                playing.answer(self.said(deal, ask, company, keeping=False))
            done += 1
            if sitting.settle(deal) or done == self.rules.sitting:
                sitting, done = Sitting(self.game, self.rules, deals=self.rules.sitting), 0
        return self.text()

    def opponent(self) -> Opponent:
        """Draw who sits at a seat: the guide, one who answers at random, or the table, and the guide for the rest."""
        at = self.chance.random()
        table = at >= self.plan.book + self.plan.random
        return Opponent(table, (self.guide if table or at < self.plan.book else self.random)())

    def walk(
        self,
        playing: Playthrough,
        again: Callable[[], Playthrough],
        me: int,
        company: Sequence[Opponent],
        depth: int = 0,
    ) -> float:
        """Return what a seat gains from here on, and note its regrets. `depth`: its questions whose answers are all tried
        already."""
        deal = playing.deal
        while (ask := playing.ask) is not None:
            if ask.seat == me and depth < DEEPEST and (found := self.question(deal, ask)):
                if self.plan.tried == 1 or self.chance.random() < self.plan.tried:
                    return self.try_out(playing, again, found, me, company, depth + 1)
                playing.answer(self.drawn(ask, found))
            else:
                playing.answer(self.said(deal, ask, company, keeping=ask.seat != me))
        return deal.net[me] + sum(deal.pools.values()) / self.plan.seats

    def try_out(
        self,
        playing: Playthrough,
        again: Callable[[], Playthrough],
        found: Question,
        me: int,
        company: Sequence[Opponent],
        depth: int,
    ) -> float:
        """Return what a seat gains on average from a question on, all answers to it tried."""
        key, tried = found
        said, shares, values = [*playing.deal.actions], self.now(key, tried), list[float]()
        for left, answer in zip(range(len(tried))[::-1], tried.values(), strict=True):
            fork = playing
            if left:
                fork = again()
                for action in said:
                    fork.answer(action)
            assert fork.ask
            fork.answer(accept(fork.ask.legal, answer))
            values.append(self.walk(fork, again, me, company, depth))
        mean = fsum(map(mul, shares, values))
        regrets = self.regrets.setdefault(key, defaultdict(float))
        for letter, value in zip(tried, values, strict=True):
            regrets[letter] += self.weight * (value - mean)
        self.visits[key] += 1
        return mean

    def question(self, deal: Deal, ask: Ask) -> Question | None:
        """Return the class of a question and the answers to it; None if the table does not answer it."""
        if ask.phase not in self.expert.phases or count(ask.legal) == 1:
            return None
        view = self.view(deal, ask)
        tried = self.expert.answers(view)
        if len(tried) < 2:
            return None
        column = bisect(self.cuts.get(self.expert.stage(view), ()), self.expert.strength(view))
        return (self.expert.situation(view), column), tried

    def view(self, deal: Deal, ask: Ask) -> Any:
        return deal.View(deal, ask.seat, ask.phase, ask.legal, self.chance)

    def now(self, key: Key, tried: Mapping[str, str]) -> list[float]:
        """Return how often each answer is given now: by its regret, if it is positive."""
        regrets = self.regrets.get(key, {})
        positive = [max(0.0, regrets.get(letter, 0.0)) for letter in tried]
        whole = fsum(positive)
        return [each / whole for each in positive] if whole else [1 / len(positive)] * len(positive)

    def said(self, deal: Deal, ask: Ask, company: Sequence[Opponent], keeping: bool) -> Action:
        """Return the answer of whoever sits at a seat. `keeping`: note the shares of a table."""
        who = company[ask.seat]
        if not who.by_table or not (found := self.question(deal, ask)):
            return ask.legal[0] if count(ask.legal) == 1 else accept(ask.legal, who.answer(self.view(deal, ask)))
        if keeping:
            key, tried = found
            kept = self.shares.setdefault(key, defaultdict(float))
            for letter, share in zip(tried, self.now(key, tried), strict=True):
                kept[letter] += self.weight * share
        return self.drawn(ask, found)

    def drawn(self, ask: Ask, found: Question) -> Action:
        """Draw an answer by the shares of now."""
        key, tried = found
        return accept(ask.legal, self.chance.choices([*tried.values()], self.now(key, tried))[0])

    def text(self) -> str:
        """Return a part of the table, in columns."""
        columns = range(len(self.expert.places) + 1)
        rows = {f"{CUTS}{stage}": [f"{cut:g}" for cut in cuts] for stage, cuts in self.cuts.items()}
        for name in sorted({name for name, _ in self.shares}):
            if any(self.has((name, at)) for at in columns):
                rows[name] = [f"{self.cell((name, at)):>6}" for at in columns]
        widest = max(map(len, rows))
        lines = [f"{name:<{widest}} | {' '.join(cells)}" for name, cells in rows.items()]
        return "\n".join([f"# {self.plan.seats} seats: {self.plan.line}", *lines, ""])

    def has(self, key: Key) -> bool:
        return self.visits[key] >= FEW and key in self.shares

    def cell(self, key: Key) -> str:
        """Return how often each answer is given: "f81c19", "c"; "-" for the guide's."""
        if not self.has(key):
            return "-"
        whole = fsum(self.shares[key].values())
        percents = {letter: 100 * share / whole for letter, share in self.shares[key].items()}
        kept = {letter: percent for letter, percent in percents.items() if percent >= RARE}
        scale = 100 / fsum(kept.values())
        first, *others = sorted([(-round(percent * scale), letter) for letter, percent in kept.items()])
        if -first[0] >= SURE:
            return first[1]
        return "".join(f"{letter}{min(99, -percent):02}" for percent, letter in [first, *others])


def part_of(expert: type[Vying], game: type[Deal], plan: Plan) -> str:
    return Trainer(expert, game, plan).train()


def make_parts(expert: type[Vying], game: type[Deal], plans: Sequence[Plan], jobs: int) -> Sequence[str]:
    with get_context("fork").Pool(jobs) as pool:
        return list[str](pool.map(partial(part_of, expert, game), plans, 1))


def main() -> None:
    helps = (
        "players; else the parts of the table are made again",
        "to play",
        "of the chance",
        "of the opponents, the share of the guide",
        "of the opponents, the share that answers at random",
        "of a seat's questions, the share whose answers are all tried",
    )
    make_table(__doc__ or "", Plan(0), helps, "shares.txt", (Vying, "strength"), make_parts)


if __name__ == "__main__":
    main()
