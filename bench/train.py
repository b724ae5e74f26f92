"""Make the table of an expert:  python bench/train.py GAME|FILE [--seats N] [--deals N] [--seed S] ...

It plays deals among the book, takes one question of each by chance, and tries every answer to it on the same cards. A class
of questions gets a correction where an answer gains more than the book's by more than `--sure` standard errors, in
`--least` trials. Deals of a second round are played at tables where half of the seats, and whoever is asked, have the
corrections of the first.

Without `--seats` each part of the table is made again as its first line says. The table depends on the arguments alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from math import sqrt
from typing import Any, NamedTuple

from multiprocess import get_context
from tables import line_of, make_table

from roundsim.refereeing.referee import Player
from roundsim.refereeing.sitting import Sitting
from roundsim.sources import plugins
from roundsim.sources.strategy import Seated
from roundsim.strategy.corrected import Choices, Corrected, Correction
from roundsim.table.chance import Chance, Source
from roundsim.table.deal import Ask, Deal
from roundsim.table.imagined import copied
from roundsim.table.legal import accept, count
from roundsim.table.options import Rules
from roundsim.table.playthrough import Playthrough

NORMAL = 1.96  # standard errors to each side of a 95 % interval


class Plan(NamedTuple):
    """The arguments that make a part of a table: its first line."""

    seats: int
    deals: int = 20_000
    seed: int = 1
    sure: float = 1.25
    rounds: int = 2
    least: int = 8

    @property
    def line(self) -> str:
        return line_of(self, "least" if self.least == self._field_defaults["least"] else "")


class Gains(NamedTuple):
    """The gains of an answer over the book's: the number of trials, their sum, and the sum of their squares."""

    n: int = 0
    total: int = 0
    squares: int = 0

    def add(self, other: Gains) -> Gains:
        return Gains(*[one + more for one, more in zip(self, other, strict=True)])

    @property
    def mean(self) -> float:
        return self.total / self.n

    @property
    def standard(self) -> float:
        return sqrt(max(0.0, self.squares - self.total**2 / self.n) / (self.n - 1) / self.n) if self.n > 1 else 0.0


class Trials:
    """All trials: by class the gains of each answer, and how often the book gave which. They can be added in any order."""

    def __init__(self) -> None:
        self.gains: dict[tuple[str, str], Gains] = defaultdict(Gains)
        self.book: dict[str, Counter[str]] = defaultdict(Counter)

    def add(self, other: Trials) -> None:
        for key, gains in other.gains.items():
            self.gains[key] = self.gains[key].add(gains)
        for kind, answers in other.book.items():
            self.book[kind].update(answers)

    def corrections(self, sure: float, least: int) -> dict[str, Correction]:
        """Return the best answer of each class where one gains enough standard errors over the book's in enough trials;
        the greatest gains first."""
        best: dict[str, tuple[float, str]] = {}
        for (kind, answer), gains in sorted(self.gains.items()):
            if gains.n >= least and gains.mean > max(sure * gains.standard, best.get(kind, (0.0, ""))[0]):
                best[kind] = gains.mean, answer
        by_gain = sorted(best, key=lambda kind: (-self.gains[kind, best[kind][1]].total, kind))
        return {kind: self.correction(kind, best[kind][1]) for kind in by_gain}

    def correction(self, kind: str, answer: str) -> Correction:
        gains, book = self.gains[kind, answer], self.book[kind]
        instead = min(book, key=lambda name: (name == answer, -book[name], name))
        return Correction(f"book: {instead}", answer, gains.mean, NORMAL * gains.standard, gains.n)


class Question(NamedTuple):
    """A question of a deal that can be tried: how many actions are before it, its choices, and the book's answer."""

    at: int
    seat: int
    choices: Choices
    book: str


class Trainer:
    """Tries answers to the questions of an expert's game. `expert`: a class with `choices`, without its own table."""

    def __init__(self, expert: type[Corrected], game: type[Deal], plan: Plan) -> None:
        self.expert, self.game, self.plan = expert, game, plan
        self.rules: Rules = game.rules_for(plan.seats, None)
        self.book = plugins.seated(plugins.find(expert.guide, game.id)[0], game)

    def train(self, jobs: int) -> dict[str, Correction]:
        trials, found = Trials(), dict[str, Correction]()
        sittings, rounds = -(-self.plan.deals // self.rules.sitting), self.plan.rounds
        with get_context("fork").Pool(jobs) as pool:
            for part in range(rounds):
                numbers = range(sittings * part // rounds, sittings * (part + 1) // rounds)
                for each in pool.imap_unordered(partial(self.sitting, found), numbers, 8):
                    trials.add(each)
                found = trials.corrections(self.plan.sure, self.plan.least)
        return found

    def sitting(self, found: Mapping[str, Correction], number: int) -> Trials:
        """Return the trials in the deals of a sitting."""
        trials, name = Trials(), f"{self.plan.seed}/{self.game.id}/train/{number}"
        sitting, trained = Sitting(self.game, self.rules, deals=self.rules.sitting), self.seated(found)
        for at in range(self.rules.sitting):
            dealt = f"{name}/{at}"
            chance, source = Chance(f"{dealt}/which"), Source(dealt)
            deal = sitting.next_deal(source)
            again = partial(self.fresh, deal, copied(deal.state, {}), dealt)
            who = [trained if found and chance.below(2) else self.book for _ in range(self.rules.players)]
            questions = list(self.play(deal, Answers(who, dealt), chance))
            if questions:
                self.try_out(trials, questions[chance.below(len(questions))], deal, again, who, trained)
            if sitting.settle(deal):
                break
        return trials

    def seated(self, found: Mapping[str, Correction]) -> Seated:
        """Return the expert with these corrections. The guide searches nothing, and is quick."""
        quick = dict.fromkeys(self.expert.searches, Corrected.act)
        table = {"table": {self.rules.players: found}}
        return Seated(type(self.expert.__name__, (self.expert,), table | quick), {}, self.game)

    def fresh(self, deal: Deal, before: Any, name: str) -> Playthrough:
        """Return the same deal before its first question."""
        return Playthrough(type(deal)(self.rules, copied(before, {}), Source(name)))

    def play(self, deal: Deal, answers: Answers, chance: Chance) -> Iterator[Question]:
        """Play a deal. Yields its questions with a choice."""
        asker, telling = self.expert(), Playthrough(deal)
        while (ask := telling.ask) is not None:
            if count(ask.legal) > 1:
                view = answers.view(deal, ask)
                choices = asker.choices(view)
                if choices and len(choices.answers) > 1:
                    book = str(self.book.sit_down(view)(view))
                    yield Question(len(deal.actions), ask.seat, choices, book)
            telling.answer(answers(deal, ask))

    def try_out(
        self,
        trials: Trials,
        question: Question,
        deal: Deal,
        again: Callable[[], Playthrough],
        who: Sequence[Seated],
        trained: Seated,
    ) -> None:
        """Try every answer to a question on the same cards."""
        seats = [trained if seat == question.seat else each for seat, each in enumerate(who)]
        names = {answer: name for name, answer in question.choices.answers.items()}
        nets = dict[str, int]()
        for answer in dict.fromkeys([question.book, *names]):
            telling = again()
            for said in deal.actions[: question.at]:
                telling.answer(said)
            assert telling.ask
            telling.answer(accept(telling.ask.legal, answer))
            answers = Answers(seats, f"{telling.deal.chance.name}/trial")
            while (ask := telling.ask) is not None:
                telling.answer(answers(telling.deal, ask))
            left = sum(telling.deal.pools.values()) if self.expert.shares_pool else 0
            nets[answer] = telling.deal.net[question.seat] + left // self.rules.players
        kind, book = question.choices.kind, nets[question.book]
        trials.book[kind][names.get(question.book, question.book.split()[0])] += 1
        for answer, name in names.items():
            gain = nets[answer] - book
            trials.gains[kind, name] = trials.gains[kind, name].add(Gains(1, gain, gain * gain))


class Answers:
    """The answers of fresh players, a strategy for each seat, to the questions of a deal."""

    def __init__(self, who: Sequence[Seated], name: str) -> None:
        self.who, self.players = who, dict[int, Player]()
        self.chances = [Chance(f"{name}/{seat}") for seat in range(len(who))]

    def view(self, deal: Deal, ask: Ask) -> Any:
        return deal.View(deal, ask.seat, ask.phase, ask.legal, self.chances[ask.seat])

    def __call__(self, deal: Deal, ask: Ask) -> Any:
        if count(ask.legal) == 1:
            return ask.legal[0]
        view = self.view(deal, ask)
        if ask.seat not in self.players:
            self.players[ask.seat] = self.who[ask.seat].sit_down(view)
        return accept(ask.legal, self.players[ask.seat](view))


def text_of(plan: Plan, found: Mapping[str, Correction]) -> str:
    """Return a part of a table, in columns."""
    rows = [
        (kind, each.instead, each.answer, f"{each.gain:+.3f} ± {each.error:.3f}", f"{each.deals} deals")
        for kind, each in found.items()
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    return "\n".join([f"# {plan.seats} seats, {len(found)} corrections: {plan.line}", *lines, ""])


def make_parts(expert: type[Corrected], game: type[Deal], plans: Sequence[Plan], jobs: int) -> Iterator[str]:
    for plan in plans:
        yield text_of(plan, Trainer(expert, game, plan).train(jobs))


def main() -> None:
    helps = (
        "players; else the parts of the table are made again",
        "to play",
        "of the chance",
        "standard errors",
        "of training",
        "trials of an answer before it may be a correction",
    )
    make_table(__doc__ or "", Plan(0), helps, "corrections.txt", (Corrected, "choices"), make_parts)


if __name__ == "__main__":
    main()
