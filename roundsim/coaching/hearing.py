"""How likely the others would have said what they said, in an imagined deal: the weight of the deal.

An imagined deal fits what a seat has seen, but it does not say why the others bid. So it is replayed, and at each of their
statements a model answers for them: a bid, a bet, an exchange; no card that is played openly. A seat is one of several
kinds of player for the whole deal, so one that says what no model would is soon taken to play at random."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from math import exp, log, sqrt
from pathlib import Path
from typing import NamedTuple

from ..base.errors import RoundsimError
from ..refereeing.referee import Answer
from ..sources import plugins
from ..sources.homes import in_house
from ..sources.plugins import Strategy
from ..sources.strategy import table_like
from ..table.actions import Action
from ..table.chance import WORD_MASK, Chance, hash_number
from ..table.deal import Ask, Deal
from ..table.imagine import SeenQuestion
from ..table.imagined import ImaginedRecord, record_behind, replayed_behind
from ..table.legal import accept, count
from ..table.playthrough import Playthrough
from ..table.view import Imagined

MODEL = 0.85  # how probable it is that a seat plays as its model, and not at random
NEAR, NOISE = 0.05, 0.03  # of a model: another answer with the same verb; an answer at random
TOSSES = 4  # times that a model is asked, if it draws by lot
LISTED = 200  # legal answers, at most, whose verbs are counted
LAID_AWAY = 1 / 6  # the chance of an answer if only the number of its cards is seen
GROUP = 6  # deals that are imagined for each that is played out, at most

Table = Callable[[], Answer]


class Weighed(NamedTuple):
    """An imagined deal, and the logarithm of its weight. `statements`: how many were heard."""

    imagined: Imagined
    weight: float
    statements: int


class Ears:
    """Hears what the others have said. `models`: by seat a table at which everybody plays like whoever is taken to sit
    there; `usual`: that for all other seats. `group`: see `group_for`."""

    def __init__(self, usual: Table, models: Mapping[int, Table] | None = None, group: int = GROUP) -> None:
        self.usual, self.models, self.group = usual, models or {}, group

    def weigh(self, imagined: Imagined, seat: int) -> Weighed:
        """Weigh an imagined deal for a seat. Cards that others laid away unseen are chosen by their models."""
        record = record_behind(imagined)
        if not any(is_statement(record.rules.played_by, action) for action in record.actions):
            return Weighed(imagined, 0.0, 0)
        with suppress(RoundsimError, ValueError):  # else what they would have laid away leads elsewhere
            return self.heard_in(imagined, record, seat, True)
        return self.heard_in(imagined, record, seat, False)

    def heard_in(self, imagined: Imagined, record: ImaginedRecord, seat: int, choosing: bool) -> Weighed:
        hearing = Hearing(self, record, seat)
        actions = [*hearing.actions(choosing)]
        if choosing and actions != [*record.actions]:
            other = replace(record, actions=tuple(actions)).replay()
            now, before = replayed_behind(other).view, replayed_behind(imagined).view
            if now and before and now.seat == seat and str(now) == str(before):  # the seat sees no difference
                imagined = other
        return Weighed(imagined, hearing.weight, hearing.statements)

    def draw(self, question: SeenQuestion, name: str, seat: int) -> Weighed | None:
        """Return one of a group of imagined deals, drawn by their weights, with their mean weight; None if none is found.

        It is one deal alone where nobody has said anything."""
        group = list[Weighed]()
        for number in range(self.group):
            own = f"{name}/{number}" if number else name
            if not (imagined := question.imagine(hash_number(own) & WORD_MASK)):
                continue
            group.append(self.weigh(imagined, seat))
            if not group[-1].statements:
                break
        if not group:
            return None
        most = max(member.weight for member in group)
        weights = [exp(member.weight - most) for member in group]
        (chosen,) = Chance(f"{name}/pick").choices(group, weights) if len(group) > 1 else group
        return chosen._replace(weight=most + log(sum(weights) / len(weights)))


def models_of(strategies: Mapping[int, Strategy], deal: type[Deal]) -> dict[int, Table]:
    """Return a table for each quick strategy of the house among these: the others are heard as the guide."""
    return {
        key: table_like(plugins.seated(strategy, deal))
        for key, strategy in strategies.items()
        if in_house(Path(strategy.path)) and not strategy.imagines
    }


class Hearing:
    """An imagined deal replayed up to its last statement.

    `likelihoods`: by seat the logarithm of how likely its statements are if it plays as its model, and at random."""

    def __init__(self, ears: Ears, record: ImaginedRecord, seat: int) -> None:
        self.ears, self.record, self.seat, self.statements = ears, record, seat, 0
        self.tables = dict[Table, Answer]()
        self.chance, self.playing = Chance(f"{record.name}/ears"), Playthrough(record.begun())
        self.likelihoods = defaultdict[int, list[float]](lambda: [0.0, 0.0])

    @property
    def weight(self) -> float:
        both = self.likelihoods.values()
        return sum(log_of_sum(log(MODEL) + model, log(1 - MODEL) + chance) for model, chance in both)

    def actions(self, choosing: bool) -> Iterable[str]:
        """Yield the actions of the record, after each statement was heard; `choosing`: cards that were laid away unseen are
        chosen by the model of the seat. ValueError if the record goes on differently."""
        record, deal = self.record, self.playing.deal
        statements = [at for at, action in enumerate(record.actions) if is_statement(deal, action)]
        last = statements[-1] if statements else -1
        for action in record.actions[: last + 1]:
            ask = self.playing.ask
            if ask is None:
                raise ValueError(action)
            own = accept(ask.legal, action)
            if ask.seat != self.seat and count(ask.legal) > 1 and is_statement(deal, own):
                own = self.hear(ask, own, choosing)
            self.playing.answer(own)
            yield own
        yield from record.actions[last + 1 :]

    def hear(self, ask: Ask, given: Action, choosing: bool) -> Action:
        """Hear a statement, and return it; for cards that were laid away unseen those that the model chooses."""
        deal, table = self.playing.deal, self.ears.models.get(ask.seat, self.ears.usual)
        if table not in self.tables:
            self.tables[table] = table()
        hidden, seen = is_hidden(deal, ask, given, self.seat), deal.seen(ask, given)
        view = deal.View(deal, ask.seat, ask.phase, ask.legal, self.chance)
        answers = list[Action]()
        for _ in range(TOSSES):
            before = self.chance.pool, self.chance.hash, len(self.chance.words)
            answers.append(accept(ask.legal, self.tables[table](view)))
            if before == (self.chance.pool, self.chance.hash, len(self.chance.words)):  # no lot was drawn
                break
        fitting = [answer for answer in answers if hidden or deal.seen(ask, answer) == seen]
        if not hidden:
            at_random, same_verb = chances_at_random(ask, given) if seen == given else (LAID_AWAY, LAID_AWAY)
            near = sum(answer.verb == given.verb for answer in answers) * same_verb
            model = ((1 - NEAR - NOISE) * len(fitting) + NEAR * near) / len(answers) + NOISE * at_random
            row = self.likelihoods[ask.seat]
            row[0], row[1] = row[0] + log(model), row[1] + log(at_random)
            self.statements += 1
        return fitting[0] if choosing and fitting and (hidden or seen != given) else given


def is_statement(deal: type[Deal] | Deal, action: str) -> bool:
    """Return whether an action is a statement, or is laid away unseen: not a card that everybody sees."""
    own = action if isinstance(action, Action) else Action(action)
    return not own.cards or own.verb in deal.unseen_verbs


def is_hidden(deal: Deal, ask: Ask, given: Action, seat: int) -> bool:
    """Return whether an answer is not in any view of a seat yet."""
    deal.asked.append(ask)
    deal.actions.append(given)
    hidden = deal.is_sealed(len(deal.actions) - 1, seat)
    deal.asked.pop()
    deal.actions.pop()
    return hidden


def chances_at_random(ask: Ask, given: Action) -> tuple[float, float]:
    """Return how likely an answer is to one who draws a verb and then an answer, and among the answers of its verb."""
    many = count(ask.legal)
    if type(ask.legal) is not tuple or many > LISTED:
        return 1 / (3 * many), 1 / many
    verbs = [answer.verb for answer in ask.legal]
    alike = verbs.count(given.verb)
    return 1 / (len({*verbs}) * alike), 1 / alike


def log_of_sum(one: float, other: float) -> float:
    """Return the logarithm of the sum of two numbers, given by theirs."""
    most = max(one, other)
    return most + log(exp(one - most) + exp(other - most))


def group_for(weights: Sequence[float]) -> int:
    """Return how many deals to imagine for each that is played out, by the weights of some: more where few fit what was
    said."""
    return min(GROUP, round(sqrt(len(weights) / effective(weights))))


def effective(weights: Sequence[float]) -> float:
    """Return how many equally likely deals weigh as much as these, whose weights are given by their logarithms (Kish
    1965)."""
    most = max(weights, default=0.0)
    shares = [exp(weight - most) for weight in weights]
    return sum(shares) ** 2 / sum(share * share for share in shares) if shares else 0.0
