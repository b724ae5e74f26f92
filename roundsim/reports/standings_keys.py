"""The keys of `standings.json` below a game: it is written, and its JSON Schema is made, by these tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import exp
from typing import Any, NamedTuple

from ..sources.plugins import Strategy
from ..statistics.differences import Difference
from ..statistics.stopping import Decision
from ..tournament.formats import Measure
from ..tournament.judging.standings import Figure, StandingsRow
from ..tournament.judging.stopping import Outcome
from ..tournament.judging.verdicts import Comparison, Verdicts
from ..tournament.planning.plan import Entry
from ..tournament.results.entry_totals import EntryTotals
from .json_tables import (
    AMOUNT,
    COUNT,
    FLAG,
    FROM_1,
    INTEGER,
    NUMBER,
    OBJECT,
    OMITTED,
    SHARE,
    TEXT,
    TWO_RANKS,
    StandingsKey,
    or_null,
)

DECIDED = {Decision.WORSE: False, Decision.BETTER: True}  # by any other nothing is decided


def of_rule(figure: Callable[[Any], Any]) -> Callable[[Outcome], Any]:
    """Return what reads a figure of a contrast; None for a rule that tests no difference."""
    return lambda outcome: outcome.rule and figure(outcome.rule)


def limit(at: int) -> Callable[[Any], Any]:
    return lambda rule: (rule.mixture.interval() or (None, None))[at]


def ranks_of(likely: tuple[int, int] | None) -> list[int] | None:
    return likely and [*likely]


def figure_keys(measures: Sequence[Measure]) -> dict[str, StandingsKey]:
    """Return the keys of a row's figures."""
    keys = dict[str, StandingsKey]()
    for measure in measures:
        key, error = StandingsKey("", NUMBER), measure.error_data
        keys[measure.data] = key._replace(of=figure(measure, lambda figure: figure.value))
        if measure.of_winners:
            keys[f"{error}_low"] = key._replace(of=figure(measure, lambda figure: (figure.limits or (None,))[0]))
            keys[f"{error}_high"] = key._replace(of=figure(measure, lambda figure: (figure.limits or (None,))[-1]))
        elif error:
            keys[error] = key._replace(of=figure(measure, lambda figure: figure.error))
    return keys


def figure(measure: Measure, value: Callable[[Figure], float | None]) -> Callable[..., float | None]:
    return lambda *sources: value(sources[-1].figures[measure.key])


@dataclass
class GameStandings:
    """The standings of one game."""

    entry: Entry
    fold: EntryTotals
    rows: list[StandingsRow]
    verdicts: Verdicts
    outcome: Outcome | None = None

    @cached_property
    def numbers(self) -> dict[str, int]:
        return {label: number for number, label in enumerate(self.entry.labels)}

    def number(self, row: StandingsRow) -> int:
        return self.numbers[row.strategy]

    def strategy(self, row: StandingsRow) -> Strategy:
        return self.entry.strategies[self.number(row)]

    def worth(self, row: StandingsRow) -> float | None:
        verdicts = self.verdicts
        return verdicts.placed(verdicts.worths.worth)[self.number(row)] if verdicts.some else None

    def rating(self, row: StandingsRow) -> tuple[float | None, float | None]:
        return self.verdicts.ratings[self.number(row)] or (None, None)

    def faults(self, row: StandingsRow) -> dict[str, int]:
        """Return the faults of an entrant by kind."""
        number = self.number(row)
        return {kind: n for (entrant, kind), n in sorted(self.fold.tally.faults.items()) if entrant == number}

    def pairs(self) -> list[tuple[ComparedPair]]:
        """Return each entrant with each that ranks below it, if they can be compared."""
        return compared(self.verdicts, self.entry.labels, map(self.number, self.rows))

    def extreme(self, name: str) -> Any:
        """Return the best or the worst deal; OMITTED if nothing was played."""
        for word, who, net, deal in self.verdicts.extremes:
            if word == name:
                return (ExtremeDeal(self.entry.labels[who], net, deal),)
        return OMITTED


class ExtremeDeal(NamedTuple):
    strategy: str
    net: int
    deal: str


@dataclass
class ComparedPair:
    """Two entrants, `difference` apart."""

    verdicts: Comparison
    labels: Sequence[str]
    one: int
    other: int
    gap: Difference

    @property
    def key(self) -> tuple[int, int]:
        return min(self.one, self.other), max(self.one, self.other)

    @property
    def apart(self) -> bool:
        return self.key in self.verdicts.apart

    @cached_property
    def more(self) -> tuple[str, int] | None:
        return None if self.apart else self.verdicts.more_deals(self.one, self.other)

    def limit(self, at: int) -> Any:
        """Return a limit of the difference that is valid at any look; OMITTED if no rule may stop the run."""
        return (self.gap.limits or (None, None))[at] if self.gap.any_look else OMITTED


def compared(verdicts: Comparison, labels: Sequence[str], entrants: Iterable[int]) -> list[tuple[ComparedPair]]:
    """Return all pairs that can be compared."""
    pairs = [(one, other, verdicts.between(one, other)) for one, other in combinations(entrants, 2)]
    return [(ComparedPair(verdicts, labels, one, other, gap),) for one, other, gap in pairs if gap]


OUTCOME = {
    "decided": StandingsKey(
        "true: yes; false: no; null: undecided, void, or no difference.",
        or_null(FLAG),
        lambda outcome: DECIDED.get(outcome.decision),
    ),
    "verdict": StandingsKey(
        "The same in a word; void: one of the two that are compared is not placed, because of its faults.",
        {"enum": ["better", "worse", "no difference", "undecided", "void"]},
        lambda outcome: outcome.decision.value,
    ),
    "block": StandingsKey("The block of the last look.", COUNT),
    "difference": StandingsKey(
        "The mean difference that the rule tests; null if it tests none.",
        or_null(NUMBER),
        of_rule(lambda rule: rule.mixture.mean),
    ),
    "low": StandingsKey(
        "The lower 95 % limit of difference, right at every look at once.", or_null(NUMBER), of_rule(limit(0))
    ),
    "high": StandingsKey("The upper 95 % limit of difference.", or_null(NUMBER), of_rule(limit(1))),
    "changed": StandingsKey(
        "How many blocks have a difference; none is decided before 80. null if it tests none.",
        or_null(COUNT),
        of_rule(lambda rule: rule.mixture.changed),
    ),
    "gained": StandingsKey(
        "How many blocks are above 0. null if it tests no difference.",
        or_null(COUNT),
        of_rule(lambda rule: rule.mixture.gained),
    ),
    "lost": StandingsKey(
        "How many blocks are below 0. null if it tests no difference.",
        or_null(COUNT),
        of_rule(lambda rule: rule.mixture.lost),
    ),
    "largest_share": StandingsKey(
        "The share of one block in the squares of all; nothing is decided above 0.2. null if it tests no difference.",
        or_null(NUMBER),
        of_rule(lambda rule: rule.mixture.largest_share(rule.delta)),
    ),
    "effect": StandingsKey(
        "The difference in standard deviations of a block; null also if no two blocks differ.",
        or_null(NUMBER),
        of_rule(lambda rule: rule.mixture.effect),
    ),
    "e": StandingsKey(
        "The evidence against the number that the rule names, at the last look; 1 divided by the level decides. "
        "null if it tests no difference.",
        or_null(NUMBER),
        of_rule(lambda rule: exp(min(rule.mixture.evidence(rule.delta), 700.0))),
    ),
    "p_always": StandingsKey(
        "1 divided by the most evidence at any look, at most 1: a p-value that is valid at any look. null if it "
        "tests no difference.",
        or_null(NUMBER),
        of_rule(lambda rule: exp(-max(rule.evidence, 0.0))),
    ),
}

DIFFERENCE = {
    "one": StandingsKey("The strategy with the higher rank.", TEXT, lambda pair: pair.labels[pair.one]),
    "other": StandingsKey("The strategy with the lower rank.", TEXT, lambda pair: pair.labels[pair.other]),
    "difference": StandingsKey(
        "How far one is above the other at one table, by the first measure; more is better.",
        NUMBER,
        lambda pair: pair.gap.value,
    ),
    "error": StandingsKey(
        "Half the width of its interval, at the level at which it is tested over all pairs (Holm): it is "
        "significant if the interval does not reach 0. null: all blocks are alike, or a rule may stop the run.",
        or_null(AMOUNT),
        lambda pair: pair.gap.error,
    ),
    "low": StandingsKey(
        "If a rule may stop the run, the lower limit of the difference, valid at any look. null: under 80 blocks "
        "have changed.",
        or_null(NUMBER),
        lambda pair: pair.limit(0),
        optional=True,
    ),
    "high": StandingsKey("The upper limit.", or_null(NUMBER), lambda pair: pair.limit(1), optional=True),
    "p": StandingsKey(
        "How often chance alone makes a difference this large, of this pair alone; 1 if all blocks are alike. If "
        "a rule may stop the run, it is valid at any look, and is 1 while one block is too large a share.",
        SHARE,
        lambda pair: pair.gap.p,
    ),
    "p_holm": StandingsKey(
        "The same, adjusted for all pairs (Holm; if a rule may stop the run, Bonferroni): at most 0.05 if the "
        "difference is significant.",
        SHARE,
        lambda pair: pair.verdicts.adjusted[pair.key],
    ),
    "apart": StandingsKey(
        "Whether the difference is significant over all pairs: at most 5 of 100 runs report any false one (Holm). "
        "If a rule may stop the run, by its limits at any look.",
        FLAG,
    ),
    "more": StandingsKey(
        "How many more deals (freeze-outs, evenings) would make it significant in 4 of 5 runs; a lower bound if "
        "the difference is under its standard error. null: it is significant, a rule may stop the run, or the "
        "number is unknown.",
        or_null(FROM_1),
        lambda pair: pair.more and pair.more[1],
    ),
    "looks_once": StandingsKey(
        "Whether `more` is given: it holds if the run is looked at once, when that many more are played.",
        FLAG,
        lambda pair: pair.more is not None,
    ),
    "hangs_on": StandingsKey(
        "The block without which the difference, over the blocks where the two sat together, has the other sign. "
        "null: there is none.",
        or_null(FROM_1),
        lambda pair: pair.verdicts.hanging.get(pair.key),
    ),
}

OVER_ALL = {  # of the same keys in the table over all games
    "difference": "How far one is above the other: the mean over all games, in standard deviations of one deal.",
    "error": (
        "Half the width of its interval, at the level at which it is tested over all pairs (Holm): it is "
        "significant if the interval does not reach 0. null: all blocks are alike."
    ),
    "p": "How often chance alone makes a difference this large, of this pair alone; 1 if all blocks are alike.",
    "p_holm": "The same, adjusted for all pairs (Holm): at most 0.05 if the difference is significant.",
    "apart": "Whether the difference is significant over all pairs (Holm): at most 5 of 100 runs report any false one.",
    "more": (
        "How many more deals (freeze-outs, evenings) of all games together would make it significant in 4 of 5 "
        "runs; a lower bound if the difference is under its standard error. null: it is significant, or the "
        "number is unknown."
    ),
}

ALL_DIFFERENCES = {
    name: key._replace(help=OVER_ALL.get(name, key.help))
    for name, key in DIFFERENCE.items()
    if name != "hangs_on" and not key.optional
}

COMPANY = {
    "strategy": StandingsKey(
        "The strategy that has more or less.", TEXT, lambda game, company: game.entry.labels[company.entrant]
    ),
    "beside": StandingsKey(
        "The other strategy at the table.", TEXT, lambda game, company: game.entry.labels[company.beside]
    ),
    "difference": StandingsKey("How much more than without the other.", NUMBER),
    "p": StandingsKey(
        "How often chance alone makes a difference this large, by drawing which blocks are those with the other.", SHARE
    ),
}

PHASE = {
    "phase": StandingsKey("The phase in which replays begin to differ.", TEXT),
    "difference": StandingsKey("The sum of these replays, in counters a deal.", NUMBER),
    "share": StandingsKey("The share of the sittings of a seat that begin to differ there.", SHARE),
}

SWING = {
    "deal": StandingsKey("The first deal that differs.", TEXT, lambda game, swing: f"{game.entry.name}/{swing.place}"),
    "gained": StandingsKey("The gain of the replay, in counters.", INTEGER),
}

PLACE = {
    "place": StandingsKey("dealer, eldest, 2nd, 3rd ... from the dealer on.", TEXT, lambda name, worth: name),
    "net_per_deal": StandingsKey("Mean net in counters a deal.", NUMBER, lambda name, worth: worth.mean),
    "error": StandingsKey(
        "Half the width of its 95 % interval; null under 10 blocks, or if all are alike.", or_null(AMOUNT)
    ),
}

EXTREME = {
    "strategy": StandingsKey("The strategy that had it.", TEXT),
    "net": StandingsKey("Its net in counters.", INTEGER),
    "deal": StandingsKey("Its address, as for `roundsim replay`.", TEXT),
}


def ranked(rank: str, strategy: str) -> dict[str, StandingsKey]:
    """Return the keys with which a row begins; the meaning of two of them depends on the table."""
    return {
        "rank": StandingsKey(rank, or_null(FROM_1)),
        "tied": StandingsKey("Whether another one has the same rank.", FLAG),
        "out": StandingsKey(
            "It is not placed, because it was at fault in too many deals; missing if it is placed.",
            {"const": "faults"},
            lambda *sources: OMITTED if sources[-1].out is None else "faults",
            optional=True,
        ),
        "strategy": StandingsKey(strategy, TEXT),
    }


ENTRANT = {
    **ranked(
        "By the mean of the first measure, 1 the best; equal means share a rank. null: it has not played, or it is not "
        "placed.",
        "Its label in this table. A strategy that enters several times is book, book#2 and so on.",
    ),
    "name": StandingsKey("The name of its strategy.", TEXT, lambda game, row: game.strategy(row).name),
    "parameters": StandingsKey(
        "Its parameters, as in book(bold=1).", OBJECT, lambda game, row: dict(game.strategy(row).parameters)
    ),
    "sha256": StandingsKey(
        "The hash of its source and of the files that the source names.",
        TEXT,
        lambda game, row: game.strategy(row).sha256,
    ),
    "joined": StandingsKey(
        "After how many blocks it joined, if not at the start.",
        FROM_1,
        lambda game, row: game.entry.since[game.number(row)] or OMITTED,
        optional=True,
    ),
}

COMPARED = {
    "likely": StandingsKey(
        "The best and the worst likely rank, right for all entrants together in 95 of 100 runs; null if nobody is "
        "compared, or if it has not played.",
        TWO_RANKS,
        lambda game, row: ranks_of(game.verdicts.likely[game.number(row)]),
    ),
    "worth": StandingsKey(
        "Its worth at one table, by the first measure, whoever sat there; the sum over all is 0. More is better.",
        or_null(NUMBER),
        lambda game, row: game.worth(row),
    ),
    "ahead": StandingsKey(
        "The chance to be ahead of an average entrant in a deal, or in a block if blocks have a winner (Bradley "
        "and Terry).",
        or_null(SHARE),
        lambda game, row: game.rating(row)[0],
    ),
    "ahead_error": StandingsKey(
        "Half the width of the 95 % interval of ahead; null under 10 blocks, or if all are alike.",
        or_null(AMOUNT),
        lambda game, row: game.rating(row)[1],
    ),
    "blocks": StandingsKey("The blocks in which it sat.", COUNT),
    "faults": StandingsKey(
        "Its faults by kind, without kinds that did not occur.",
        {"type": "object", "additionalProperties": FROM_1},
        lambda game, row: game.faults(row),
    ),
}
