"""The decisions of a run that cost a strategy most, by a coach who would answer differently: `roundsim coach`.

The run is replayed, and the coach is asked at the strategy's seat from the start of each sitting. Where the two differ
both answers are played out in the same imagined deals."""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, cast

from ..base import importing
from ..base.errors import InputError, LogError, RoundsimError, StrategyError, UnplayedError
from ..base.text import so_many
from ..processes.memory import collect_seldom
from ..processes.pool import each
from ..processes.start import cores
from ..replaying.critic import Critic, critic_like, find_one
from ..replaying.example import asking
from ..replaying.log_driver import LogDriver
from ..replaying.logged import LoggedBlock, entries_called, logged_block, logged_blocks, unknown_strategy
from ..sources import plugins
from ..sources.homes import in_house
from ..sources.plugins import Strategy
from ..sources.strategy import table_like
from ..statistics.distributions import LEAST_BLOCKS
from ..table.actions import Action
from ..table.cards import Card
from ..table.chance import Chance
from ..table.citations import rules_of_game
from ..table.deal import Ask, Deal
from ..table.imagine import remember
from ..table.legal import count
from ..table.playthrough import Record, run_deal
from ..tournament.planning.plan import Entry, Tournament
from ..tournament.results.record import LogLine
from ..tournament.storage.folder import RunFolder
from .estimate import Estimate, Mean, mean_of

FEW = 10  # decisions that are shown; with fewer wanted the choice is as careful
FIRST = 6  # imagined deals for each decision
SECOND = 12, 18  # then for the best of them, twelve times as many as are wanted: 18 more
THIRD = 4, 72
FRESH = 1.8, 256  # these alone are printed, since the others chose the decision and flatter it
TRIED = 32  # imagined deals for each other answer
MOST_ANSWERS = 12  # of a question whose other answers are tried, too


@dataclass
class Decision:
    """A question at which the strategy and its coach answer differently.

    `step`: the number of the action in its deal, from 1. `costs`: for each imagined deal the net of the coach's answer
    less that of the strategy's; `earlier`: those of the deals that chose the decision. `known`: the seat knew where all
    cards are. `others`: by every other legal answer, if they are few, what it gains next to the coach's. `rule`: the
    place in the book of the rule that asks."""

    block: int
    place: str
    step: int
    seat: int
    phase: str
    mine: Action
    coach: Action
    forfeited: bool
    hand: Sequence[Card]
    says: tuple[str, str]
    costs: list[int] = field(default_factory=list)
    earlier: Sequence[int] = ()
    known: bool = False
    others: Mapping[str, Mean] = field(default_factory=dict)
    rule: str = ""

    @property
    def cost(self) -> Mean:
        return mean_of(self.costs)

    @property
    def certain(self) -> bool:
        return self.known and not self.cost.error

    @property
    def best(self) -> str:
        """The best of the other answers, if the interval of what it gains over the coach's is above 0."""
        better = {answer: gain for answer, gain in self.others.items() if gain.low > 0}
        return max(better, key=lambda answer: better[answer].mean, default="")


class BlockAnswers(NamedTuple):
    """The answers of the coach in a block: the deals, the questions, those that differ, and the coach's failures."""

    deals: int
    asked: int
    decisions: Sequence[Decision]
    failures: Sequence[str]


@dataclass(frozen=True)
class Lesson:
    """One game of a run, in which a coach looks at a strategy. It is sent to processes.

    `stream`: the name of the chance of its imagined deals, "" for the usual one."""

    folder: RunFolder
    tournament: Tournament
    number: int
    mine: str
    coach: Strategy
    guide: Strategy
    stream: str = ""

    @property
    def entry(self) -> Entry:
        return self.tournament.entries[self.number]

    def seat_guides(self) -> Callable[[], Callable[[Any], Any]]:
        return table_like(plugins.seated(self.guide, self.entry.deal))

    def estimate(self, deal: Deal, ask: Ask, answers: Sequence[str], place: str, first: int, deals: int) -> Estimate:
        view = deal.View(deal, ask.seat, ask.phase, ask.legal, Chance())
        name = f"{self.tournament.seed}/{self.entry.name}/{place}/{len(deal.actions)}/coach{self.stream}"
        found = Estimate(view, answers, self.seat_guides(), name, first)
        found.more(deals)
        return found

    def ask_block(self, block: LoggedBlock) -> BlockAnswers:
        """Return what the coach answers in a block, with the first estimates."""
        failures = list[str]()
        if not in_house(Path(self.coach.path)):
            importing.reload_next_time({self.coach.path})  # as whichever block a process does first
        with closing(critic_like(self.coach, self.entry.deal, False, failures.append)) as critic:
            driver = block.gone_through(partial(AskingCoach, self, block.number, critic))
        return BlockAnswers(driver.deals, driver.asked, driver.decisions, failures)

    def estimate_block(self, task: EstimateTask) -> Sequence[Decision]:
        """Return the decisions of a block with more estimates."""
        block = logged_block(self.folder, self.tournament, self.number, task.number)
        if block is None:
            raise LogError(f"block {task.number} of {self.entry.name} has been taken away")
        block.gone_through(partial(Estimating, self, task))
        return task.decisions


class EstimateTask(NamedTuple):
    """Decisions of a block, and the imagined deals to add to their estimates; with `closer` those in which the other
    answers are tried, to complete what is said of a decision."""

    number: int
    decisions: Sequence[Decision]
    first: int
    deals: int
    closer: bool


class AtQuestions(LogDriver):
    """A log replayed that stops at each question with a choice of one strategy."""

    def __init__(self, lesson: Lesson, *log: Any) -> None:
        super().__init__(*log)
        self.lesson, self.entrant = lesson, self.labels.index(lesson.mine)

    def go_through(self, place: str, deal: Deal, line: LogLine) -> None:
        if self.entrant not in self.who or not self.wants(place):
            super().go_through(place, deal, line)
            return
        seat, record = self.who.index(self.entrant), Record(deal, line.actions)
        remember(deal, range(deal.players))
        self.begin(deal, seat)

        def answer(ask: Ask) -> Action:
            action = record.answer(ask)
            if ask.seat == seat and count(ask.legal) > 1:
                self.meet(place, deal, ask, action, line)
            return action

        run_deal(deal, answer)
        record.end()
        self.settle(deal, seat)

    def wants(self, place: str) -> bool:
        """Return whether the questions of a deal matter."""
        return True

    def begin(self, deal: Deal, seat: int) -> None:
        """Prepare for a deal that is about to be replayed."""

    @abstractmethod
    def meet(self, place: str, deal: Deal, ask: Ask, action: Action, line: LogLine) -> None:
        """Do what is to be done at a question, which got this answer."""

    def settle(self, deal: Deal, seat: int) -> None:
        """Note that a deal is over."""


class AskingCoach(AtQuestions):
    """A log replayed in which a coach is asked: the `decisions` that differ, of the questions that it was `asked`."""

    def __init__(self, lesson: Lesson, block: int, critic: Critic, *log: Any) -> None:
        super().__init__(lesson, *log)
        self.block, self.critic, self.player = block, critic, ""
        self.deals, self.asked, self.decisions = 0, 0, list[Decision]()

    def sit(self, table: str, names: Any, entrants: Sequence[int], keys: Sequence[Any]) -> None:
        super().sit(table, names, entrants, keys)
        if not keys:
            self.leave()
        elif self.entrant in entrants and not self.player:  # who stays, from table to table
            self.player = names.player(self.name, keys[entrants.index(self.entrant)])

    def leave(self) -> None:
        super().leave()
        self.critic.leave()
        self.player = ""

    def begin(self, deal: Deal, seat: int) -> None:
        self.deals += 1
        self.critic.begin(deal, seat, self.name, self.player)

    def meet(self, place: str, deal: Deal, ask: Ask, action: Action, line: LogLine) -> None:
        self.asked += 1
        said = self.critic.action(deal, ask)
        if said is None or said == action:
            return
        at, says = len(deal.actions), (deal.says(ask, action), deal.says(ask, said))
        hand, forfeited = tuple(deal.hands[ask.seat]) if deal.hands else (), at in line.marks
        decision = Decision(self.block, place, at + 1, ask.seat, ask.phase, action, said, forfeited, hand, says)
        decision.costs = self.lesson.estimate(deal, ask, (action, said), place, 0, FIRST).costs(0, 1)
        self.decisions.append(decision)

    def settle(self, deal: Deal, seat: int) -> None:
        self.critic.settled(deal, seat)


class Estimating(AtQuestions):
    """A log replayed in which the estimates of some decisions go on."""

    def __init__(self, lesson: Lesson, task: EstimateTask, *log: Any) -> None:
        super().__init__(lesson, *log)
        self.task, self.story = task, cast(Any, None)
        self.open = {(each.place, each.step): each for each in task.decisions}
        self.places = {each.place for each in task.decisions}

    def wants(self, place: str) -> bool:
        return place in self.places

    def begin(self, deal: Deal, seat: int) -> None:
        story = self.story = deal.deal()
        cast(Any, deal).deal = lambda: story

    def meet(self, place: str, deal: Deal, ask: Ask, action: Action, line: LogLine) -> None:
        decision = self.open.get((place, len(deal.actions) + 1))
        if not decision:
            return
        _, _, first, deals, closer = self.task
        if not closer:
            few = min(deals, LEAST_BLOCKS)
            estimate = self.lesson.estimate(deal, ask, (decision.mine, decision.coach), place, first, few)
            if not estimate.known or estimate.cost(0, 1).error:  # else it is certain
                estimate.more(deals - few)
            decision.costs += estimate.costs(0, 1)
            return
        few = count(ask.legal) <= MOST_ANSWERS
        others = [each for each in ask.legal if each not in (decision.mine, decision.coach)] if few else []
        tried = self.lesson.estimate(deal, ask, [decision.coach, *others], place, first, deals)
        decision.others = {str(other): tried.cost(0, at) for at, other in enumerate(others, 1)}
        decision.known = tried.known
        code = asking(self.story)
        rules = (each for each in rules_of_game(type(deal)) if each.function and each.function.__code__ is code)
        decision.rule = next((each.cited for each in rules), "")


@dataclass(frozen=True)
class CoachReport:
    """The result of a coach in a game: of the questions `asked` those that `differ`; of these, how many make
    `no_difference` in any imagined deal, at how many the coach's answer is the `worse` one, and for how many too few deals
    could be imagined (`unknown`). `failures`: what the coach was at fault with. `shown`: the decisions that cost most
    for sure; if `mine_better`, those at which the coach's answer would have cost most."""

    entry: Entry
    mine: str
    coach: str
    guide: str
    mine_better: bool
    deals: int
    asked: int
    differ: int
    no_difference: int
    worse: int
    unknown: int
    failures: Sequence[str]
    shown: Sequence[Decision]


def lessons(
    folder: RunFolder, mine: str, by: str | None, guide: str, game: str | None, stream: str = ""
) -> Iterator[Lesson]:
    """Yield a lesson for each game in which a strategy plays. `by`: the coach; None: the game's `expert`, else its
    `book`.

    InputError, StrategyError, PluginError, LogError."""
    tournament = folder.tournament()
    numbers = entries_called(tournament, game)
    labels = dict.fromkeys(label for number in numbers for label in tournament.entries[number].labels)
    if mine not in labels:
        raise unknown_strategy(mine, labels)
    for number in numbers:
        entry = tournament.entries[number]
        if mine not in entry.labels:
            continue
        if not entry.format.whole_log:
            raise InputError(f"{entry.name}: a {entry.format.name} logs only what differs: coach a round-robin")
        if not entry.deal.imaginable:
            raise InputError(f"{entry.name}: nothing can be imagined at {entry.deal.title}: more is hidden than cards")
        cards = entry.deal.cards_at(entry.rules)
        if len({*cards}) < len(cards):
            raise InputError(f"{entry.name}: nothing can be imagined where a pack has a card twice")
        yield Lesson(folder, tournament, number, mine, coach_of(by, entry), guide_of(guide, entry), stream)


def coach_of(by: str | None, entry: Entry) -> Strategy:
    if by is None:
        try:
            return find_one("expert", entry.deal.id)
        except UnplayedError:
            by = "book"
    plugins.describe_ahead([by])
    return find_one(by, entry.deal.id)


def guide_of(guide: str, entry: Entry) -> Strategy:
    found = find_one(guide, entry.deal.id)
    if not in_house(Path(found.path)):
        raise StrategyError(f"{guide}: the guide answers thousands of questions in this process: name a house strategy")
    return found


def coach(
    lesson: Lesson,
    n: int = FEW,
    mine_better: bool = False,
    jobs: int | None = None,
    show: Callable[[int, int], object] = lambda done, total: None,
) -> CoachReport:
    """Return the `n` decisions that cost a strategy most. `show` takes the blocks read so far, and all. LogError.

    StrategyError, PluginError for the coach; InputError if nothing could be imagined."""
    entry, sign = lesson.entry, -1 if mine_better else 1
    jobs = min(jobs or cores(), entry.blocks)
    collect_seldom()
    heard = in_order(
        lesson.ask_block, logged_blocks(lesson.folder, lesson.tournament, lesson.number), jobs, show, entry
    )
    differing = [decision for each in heard for decision in each.decisions]
    known = [decision for decision in differing if len(decision.costs) > FIRST / 2]
    if differing and not known:
        raise InputError(f"{entry.name}: no deal could be imagined at any of {so_many(len(differing), 'decision')}")
    unlike = [decision for decision in known if any(decision.costs)]
    before = FIRST

    def gain(decision: Decision) -> float:
        return sign * decision.cost.mean

    def surely(decision: Decision) -> float:
        return gain(decision) - decision.cost.error

    def surely_in_all(decision: Decision) -> float:
        return surely(replace(decision, costs=[*decision.earlier, *decision.costs]))

    def best(decisions: Iterable[Decision], times: float) -> list[Decision]:
        return sorted(decisions, key=gain, reverse=True)[: int(times * max(n, FEW))]

    def further(decisions: Sequence[Decision], deals: int, closer: bool = False) -> list[Decision]:
        nonlocal before
        blocks = defaultdict[int, list[Decision]](list)
        for decision in decisions:
            blocks[decision.block].append(decision)
        tasks = [EstimateTask(number, blocks[number], before, deals, closer) for number in sorted(blocks)]
        before += deals
        made = in_order(lesson.estimate_block, tasks, min(jobs, len(tasks)))
        return [decision for each in made for decision in each]

    likely = best(unlike, SECOND[0])
    doubtful = [decision for decision in unlike if decision.cost.mean < 0 and decision not in likely]
    second = further([*likely, *doubtful], SECOND[1])
    worse = sum(decision.cost.high < 0 for decision in second)
    third = further(best(second, THIRD[0]), THIRD[1])
    finalists = [replace(decision, earlier=decision.costs, costs=[]) for decision in best(third, FRESH[0])]
    sure = [decision for decision in further(finalists, FRESH[1]) if surely(decision) > 0]
    chosen = sorted(sure, key=surely_in_all, reverse=True)[:n]
    shown = sorted(further(chosen, TRIED, closer=True), key=surely, reverse=True)
    return CoachReport(
        entry,
        *(lesson.mine, str(lesson.coach), str(lesson.guide), mine_better),
        *(sum(each.deals for each in heard), sum(each.asked for each in heard), len(differing)),
        len(known) - len(unlike),
        worse,
        len(differing) - len(known),
        [words for each in heard for words in each.failures],
        shown,
    )


def in_order(
    function: Callable[[Any], Any],
    tasks: Iterable[Any],
    jobs: int,
    show: Callable[[int, int], object] = lambda done, total: None,
    entry: Entry | None = None,
) -> list[Any]:
    """Return the results for the tasks, each of a block, in the order of their numbers, on several processes. Raises
    the first error."""
    made = list[tuple[int, Any]]()
    for result in each(partial(numbered, function), tasks, jobs):
        made.append(result)
        if entry:
            show(len(made), entry.blocks)
    results = [result for _, result in sorted(made, key=lambda pair: pair[0])]
    for result in results:
        if isinstance(result, RoundsimError):
            raise result
    return results


def numbered(function: Callable[[Any], Any], task: Any) -> tuple[int, Any]:
    """Return the number of a task's block, and the result, or the error."""
    try:
        return task.number, function(task)
    except RoundsimError as error:
        return task.number, error
