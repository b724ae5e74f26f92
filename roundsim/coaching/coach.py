"""The decisions of a run that cost a strategy most, by a coach who would answer differently: `roundsim coach`.

The run is replayed, and the coach is asked at the strategy's seat from the start of each sitting. Where the two differ
both answers are played out in the same imagined deals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from math import isinf
from pathlib import Path
from typing import Any, NamedTuple

from ..base import importing
from ..base.errors import InputError, RoundsimError, StrategyError, UnplayedError
from ..base.text import so_many
from ..processes.memory import collect_seldom
from ..processes.pool import Item, Made, ProcessPool
from ..processes.start import cores
from ..refereeing.names import Names
from ..replaying.critic import Critic, critic_like, find_one
from ..replaying.example import held_story, rule_asking, rules_by_code
from ..replaying.log_driver import LogDriver
from ..replaying.logged import LoggedBlock, entries_called, logged_blocks, unknown_strategy
from ..sources import plugins
from ..sources.homes import in_house
from ..sources.plugins import Strategy
from ..sources.strategy import table_like
from ..statistics.distributions import LEAST_BLOCKS
from ..table.actions import Action
from ..table.chance import Chance
from ..table.deal import Ask, Deal, Story
from ..table.imagine import remember
from ..table.legal import count
from ..tournament.planning.plan import Entry, Tournament
from ..tournament.storage.folder import RunFolder
from .estimate import CoachDecision, Estimate
from .hearing import Ears, group_for, models_of
from .report import CoachReport

FEW = 10  # decisions that are shown; with fewer wanted the choice is as careful
FIRST = 2000  # imagined deals for all decisions together, but at least 2 and at most 6 for each
TRIED = 32  # imagined deals for each other answer
MOST_ANSWERS = 12  # of a question whose other answers are tried, too


class Stage(NamedTuple):
    """After the first imagined deals: how many `deals` more the best decisions get, `times` as many as are wanted."""

    times: float
    deals: int


SECOND, THIRD, FOURTH = Stage(20, 4), Stage(12, 12), Stage(5, 40)
FRESH = Stage(2, 192)  # these alone are printed, since the others chose the decision and flatter it


class BlockAnswers(NamedTuple):
    """The answers of the coach in a block: the deals, the questions, those that differ, and the coach's failures."""

    deals: int
    asked: int
    decisions: Sequence[CoachDecision]
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

    def ask_block(self, block: LoggedBlock) -> BlockAnswers:
        """Return what the coach answers in a block."""
        failures = list[str]()
        if not in_house(Path(self.coach.path)):
            importing.reload_next_time({self.coach.path})  # as whichever block a process does first
        with closing(critic_like(self.coach, self.entry.deal, False, failures.append)) as critic:
            driver = AskingCoach(self.mine, block, critic)
            block.drive(driver)
        return BlockAnswers(driver.deals, driver.asked, driver.decisions, failures)

    def estimate_block(self, task: EstimateTask) -> Sequence[CoachDecision]:
        """Return the decisions of a block with more estimates."""
        task.block.replay(BlockEstimates(self, task).visit)
        return task.decisions


def place_of_rule(deal: Deal, story: Story) -> str:
    """Return the place in the book of the rule that asks; "" if none is cited."""
    rule = rule_asking(rules_by_code(type(deal)), story)
    return rule.cited if rule else ""


class EstimateTask(NamedTuple):
    """Decisions of a block, and the imagined deals to add to their estimates; with `closer` those in which the other
    answers are tried, to complete what is said of a decision."""

    block: LoggedBlock
    decisions: Sequence[CoachDecision]
    first: int
    deals: int
    closer: bool


class BlockEstimates:
    """Makes the estimates of a task. `models`: by entrant, see `hearing.models_of`."""

    def __init__(self, lesson: Lesson, task: EstimateTask) -> None:
        self.lesson, self.task, deal = lesson, task, lesson.entry.deal
        self.decisions = {(decision.place, decision.step): decision for decision in task.decisions}
        self.places = {decision.place for decision in task.decisions}
        self.guide = table_like(plugins.seated(lesson.guide, deal))
        self.models = models_of(dict(enumerate(lesson.entry.strategies)), deal)

    def visit(self, driver: LogDriver) -> None:
        if driver.place not in self.places:
            driver.replay()
            return
        deal = driver.deal
        remember(deal, range(deal.players))
        story = held_story(deal)
        for step, (ask, _) in enumerate(driver.walk(), 1):
            if decision := self.decisions.get((driver.place, step)):
                if self.task.closer:
                    self.try_others(driver, ask, decision)
                    decision.rule = place_of_rule(deal, story)
                else:
                    self.estimate_more(driver, ask, decision)

    def estimate(self, driver: LogDriver, ask: Ask, answers: Sequence[str], group: int, deals: int) -> Estimate:
        deal, place, lesson = driver.deal, driver.place, self.lesson
        view = deal.View(deal, ask.seat, ask.phase, ask.legal, Chance())
        name = f"{lesson.tournament.seed}/{lesson.entry.name}/{place}/{len(deal.actions)}/coach{lesson.stream}"
        models = {seat: self.models[entrant] for seat, entrant in enumerate(driver.who) if entrant in self.models}
        estimate = Estimate(view, answers, self.guide, name, self.task.first, Ears(self.guide, models, group))
        estimate.more(deals)
        return estimate

    def estimate_more(self, driver: LogDriver, ask: Ask, decision: CoachDecision) -> None:
        few = min(self.task.deals, LEAST_BLOCKS)
        estimate = self.estimate(driver, ask, (decision.mine, decision.coach), decision.group, few)
        if not estimate.known or estimate.cost(0, 1).error:  # else it is certain
            estimate.more(self.task.deals - few)
        decision.costs += estimate.costs(0, 1)

    def try_others(self, driver: LogDriver, ask: Ask, decision: CoachDecision) -> None:
        """Compare the other legal answers, if they are few, with the coach's."""
        few = count(ask.legal) <= MOST_ANSWERS
        others = [answer for answer in ask.legal if answer not in (decision.mine, decision.coach)] if few else []
        tried = self.estimate(driver, ask, [decision.coach, *others], decision.group, self.task.deals)
        decision.others = {str(other): tried.cost(0, at) for at, other in enumerate(others, 1)}
        decision.known = tried.known


class AskingCoach(LogDriver):
    """A log replayed in which a coach is asked: the `decisions` that differ, of the questions that it was `asked`."""

    def __init__(self, mine: str, block: LoggedBlock, critic: Critic) -> None:
        super().__init__(*block.log)
        self.entrant, self.block = self.labels.index(mine), block.number
        self.critic, self.player = critic, ""
        self.deals, self.asked, self.decisions = 0, 0, list[CoachDecision]()

    def sit(self, table: str, names: Names, entrants: Sequence[int], keys: Sequence[Any]) -> None:
        super().sit(table, names, entrants, keys)
        if not keys:
            self.leave()
        elif self.entrant in entrants and not self.player:  # who stays, from table to table
            self.player = names.player(self.name, keys[entrants.index(self.entrant)])

    def leave(self) -> None:
        super().leave()
        self.critic.leave()
        self.player = ""

    def go_through(self) -> None:
        if self.entrant not in self.who:
            self.replay()
            return
        seat = self.who.index(self.entrant)
        self.critic.watch(self.deal)
        self.deals += 1
        self.critic.begin(self.deal, seat, self.name, self.player)
        for ask, action in self.walk():
            if ask.seat == seat and count(ask.legal) > 1:
                self.ask(ask, action)
        self.critic.settled(self.deal, seat)

    def ask(self, ask: Ask, mine: Action) -> None:
        """Ask the coach, and note how its answer differs."""
        self.asked += 1
        answer, deal = self.critic.action(self.deal, ask), self.deal
        if answer is None or answer == mine:
            return
        at, says = len(deal.actions), (deal.says(ask, mine), deal.says(ask, answer))
        hand, forfeited = tuple(deal.hands[ask.seat]) if deal.hands else (), at in self.line.marks
        self.decisions.append(
            CoachDecision(
                *(self.block, self.place, at + 1, ask.seat, ask.phase, mine, answer, forfeited, hand, says),
                level=getattr(deal, "level", 0),
                among=[label for seat, label in enumerate(self.seated) if seat != ask.seat],
            )
        )


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
            problem = (
                f"a {entry.format.name} keeps only the deals that differ: `roundsim play {entry.game} ... --out r`, then "
                f"`roundsim coach r --of {mine}`"
            )
            raise InputError(f"{entry.name}: {problem}, or a gate that was played with --half")
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
    strategy = find_one(guide, entry.deal.id)
    if not in_house(Path(strategy.path)):
        raise StrategyError(f"{guide}: the guide answers thousands of questions in this process: name a house strategy")
    return strategy


@dataclass
class Estimates:
    """The estimates of decisions in the `blocks` of a lesson, on the processes of a pool: of what the coach's answers gain,
    or with a `sign` of -1 lose. `imagined`: the deals that were imagined so far."""

    lesson: Lesson
    blocks: Sequence[LoggedBlock]
    pool: ProcessPool
    sign: int
    imagined: int = 0

    def more(self, decisions: Sequence[CoachDecision], deals: int, closer: bool = False) -> list[CoachDecision]:
        """Return decisions with this many more imagined deals, in the order of their blocks."""
        chosen = defaultdict[int, list[CoachDecision]](list)
        for decision in decisions:
            chosen[decision.block].append(decision)
        blocks = [block for block in self.blocks if block.number in chosen]
        tasks = [EstimateTask(block, chosen[block.number], self.imagined, deals, closer) for block in blocks]
        self.imagined += deals
        return [*chain(*results_in_order(self.pool, self.lesson.estimate_block, tasks))]

    def best(self, decisions: Sequence[CoachDecision], n: float) -> list[CoachDecision]:
        return sorted(decisions, key=self.gain, reverse=True)[: int(n)]

    def best_or_worse(self, decisions: Sequence[CoachDecision], n: float) -> list[CoachDecision]:
        """Return the best decisions, and all others in which the coach's answer may be the worse one."""
        best = self.best(decisions, n)
        chosen = set(map(id, best))
        return best + [decision for decision in decisions if decision.cost.mean < 0 and id(decision) not in chosen]

    def gain(self, decision: CoachDecision) -> float:
        return self.sign * decision.cost.mean

    def surely(self, decision: CoachDecision) -> float:
        """Return the lower end of the interval of the gain."""
        return self.gain(decision) - decision.cost.error

    def surely_in_all(self, decision: CoachDecision) -> float:
        """Return the same over the deals that chose the decision, too."""
        return self.surely(replace(decision, costs=[*decision.earlier, *decision.costs]))


def coach(
    lesson: Lesson,
    n: int = FEW,
    mine_better: bool = False,
    jobs: int | None = None,
    show: Callable[[int, int], object] = lambda done, total: None,
) -> CoachReport:
    """Return the `n` decisions that cost a strategy most. `show` takes the blocks read so far, and all. LogError.

    StrategyError, PluginError for the coach; InputError if nothing could be imagined."""
    entry = lesson.entry
    collect_seldom()
    with ProcessPool(min(jobs or cores(), entry.blocks)) as pool:
        blocks = [*logged_blocks(lesson.folder, lesson.tournament, lesson.number)]
        answers = results_in_order(pool, lesson.ask_block, blocks, lambda done: show(done, entry.blocks))
        estimates = Estimates(lesson, blocks, pool, -1 if mine_better else 1)
        costly = costly_decisions(estimates, [decision for block in answers for decision in block.decisions], n)
    return CoachReport(
        entry=entry,
        mine=lesson.mine,
        coach=str(lesson.coach),
        guide=str(lesson.guide),
        mine_better=mine_better,
        deals=sum(block.deals for block in answers),
        asked=sum(block.asked for block in answers),
        failures=[failure for block in answers for failure in block.failures],
        **costly._asdict(),
    )


class CostlyDecisions(NamedTuple):
    """The decisions that are shown, and the counts of all that differ: see `CoachReport`."""

    differ: int
    no_difference: int
    worse: int
    unknown: int
    shown: Sequence[CoachDecision]


def costly_decisions(estimates: Estimates, differing: Sequence[CoachDecision], n: int) -> CostlyDecisions:
    """Return the `n` decisions that cost most. InputError if nothing could be imagined."""
    deals, wanted = max(2, min(6, FIRST // max(1, len(differing)))), max(n, FEW)
    known = [decision for decision in estimates.more(differing, deals) if len(decision.costs) > deals / 2]
    if differing and not known:
        name = estimates.lesson.entry.name
        raise InputError(f"{name}: no deal could be imagined at any of {so_many(len(differing), 'decision')}")
    unlike = [decision for decision in known if any(cost.number for cost in decision.costs)]
    second = estimates.more(estimates.best_or_worse(unlike, SECOND.times * wanted), SECOND.deals)
    third = estimates.more(estimates.best_or_worse(second, THIRD.times * wanted), THIRD.deals)
    worse = sum(decision.cost.high < 0 for decision in third)
    for decision in third:
        decision.group = group_for([gain.weight for gain in decision.costs])
    fourth = estimates.more(estimates.best(third, FOURTH.times * wanted), FOURTH.deals)
    finalists = estimates.best(fourth, FRESH.times * wanted)
    fresh = estimates.more([replace(one, earlier=one.costs, costs=[]) for one in finalists], FRESH.deals)
    sure = [decision for decision in fresh if estimates.surely(decision) > 0]
    chosen = estimates.more(sorted(sure, key=estimates.surely_in_all, reverse=True)[:n], TRIED, closer=True)
    return CostlyDecisions(
        differ=len(differing),
        no_difference=len(known) - len(unlike),
        worse=worse,
        unknown=len(differing) - len(known) + sum(isinf(decision.cost.error) for decision in fresh),
        shown=sorted(chosen, key=estimates.surely, reverse=True),
    )


def results_in_order(
    pool: ProcessPool,
    function: Callable[[Item], Made],
    items: Iterable[Item],
    show: Callable[[int], object] = lambda done: None,
) -> list[Made]:
    """Return the results for the items, in their order. Raises the first error."""
    results = list[Made]()
    for result in pool.in_order(partial(result_or_error, function), items):
        if isinstance(result, RoundsimError):
            raise result
        results.append(result)
        show(len(results))
    return results


def result_or_error(function: Callable[[Item], Made], item: Item) -> Made | RoundsimError:
    try:
        return function(item)
    except RoundsimError as error:
        return error
