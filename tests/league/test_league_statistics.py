"""The standings of leagues whose truth is known: how often they show what is false, and how often their limits hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb, sqrt
from pathlib import Path
from random import Random
from statistics import fmean
from types import SimpleNamespace
from typing import NamedTuple, cast

import pytest
from helpers.command import drawn

from roundsim.league.field import Candidate
from roundsim.league.play import fewest
from roundsim.league.results import League
from roundsim.league.rules import read_rules
from roundsim.league.standings import (
    Compared,
    Faults,
    LeagueGame,
    Looks,
    RoundPart,
    Version,
    compared_versions,
    fitted_worths,
)
from roundsim.statistics.rows import BlockRow, tables_of
from roundsim.tournament.planning.key_lines import KeyLines

LEAGUES = drawn(60, 200)
ENTRIES, SEATS, BLOCKS = 12, 4, 120
FITTED, LOOKED_AT = 12, 25  # rounds: after the first ones the standings are judged, after each one the sentences
STEP = 0.3  # worths are whole multiples of it, so that many are equal; the standard deviation of a value is 1
FREEDOM = 5  # of Student's t, which has the tails of a value
RULES = read_rules({"games": [{"game": "nap", "players": SEATS}]}, KeyLines("rules"), Path())

pytestmark = pytest.mark.soak


class TrueLeague:
    """A league in which the worth of each version is known. `game` has a player for each version, as in the product,
    `mixed` one for each name; `current`: the sha256 of the version of each name."""

    def __init__(self, seed: int) -> None:
        self.chance, (entry,) = Random(seed), RULES.tables.entries
        self.game, self.mixed, self.looks = LeagueGame(entry), LeagueGame(entry), Looks()
        self.worth, self.current = dict[str, float](), dict[str, str]()
        for number in range(ENTRIES):
            self.enter(f"entry{number:02}", self.drawn_worth())

    def drawn_worth(self) -> float:
        return STEP * round(self.chance.gauss(0, 1))

    def enter(self, name: str, worth: float) -> None:
        self.current[name] = f"{len(self.worth):064x}"
        self.worth[self.current[name]] = worth

    def play(self, at: int) -> None:
        """Play a round. Before each but the first an entry has a new version, which in half of the cases is no better."""
        if at:
            name = self.chance.choice([*self.current])
            same = self.chance.random() < 0.5
            self.enter(name, self.worth[self.current[name]] if same else self.drawn_worth())
        names = [*self.current]
        rows = [
            BlockRow(block, 1, [names.index(name) for name in table], [self.value(name) for name in table], ())
            for block, table in enumerate(self.drawn_tables(self.behind() if at else ()), 1)
        ]
        tables = tables_of(rows)
        for game, players in (self.game, self.current.values()), (self.mixed, names):
            part = RoundPart("", [Version("", who) for who in players], tables, [Faults(False, True)] * ENTRIES,
                             [[]] * ENTRIES, [None] * ENTRIES, BLOCKS, 1.0)  # fmt: skip
            game.add(at, part)
        self.looks.add(self.game.rounds[at])

    def behind(self) -> Sequence[str]:
        """The names of those that play more in the next round, as in the product."""
        entries = [Candidate(name, name, sha256) for name, sha256 in self.current.items()]
        self.game.__dict__.pop("blocks", None)  # as of the round before
        return fewest(cast(League, SimpleNamespace(finished=[True], games=[self.game], rules=RULES)), entries)

    def drawn_tables(self, focus: Sequence[str]) -> Iterator[list[str]]:
        """Yield who sits together in each block: half of them are for those in focus, if there are any."""
        for name in focus:
            others = [other for other in self.current if other != name]
            for _ in range(BLOCKS // 2 // len(focus)):
                yield [name, *self.chance.sample(others, SEATS - 1)]
        for _ in range((BLOCKS // 2 if focus else BLOCKS) * SEATS // ENTRIES):
            everybody = self.chance.sample([*self.current], ENTRIES)
            yield from (everybody[at : at + SEATS] for at in range(0, ENTRIES, SEATS))

    def value(self, name: str) -> float:
        square = self.chance.gammavariate(FREEDOM / 2, 2) / FREEDOM
        noise = self.chance.gauss(0, 1) / sqrt(square) * sqrt((FREEDOM - 2) / FREEDOM)
        return self.worth[self.current[name]] + noise

    @property
    def truth(self) -> list[float]:
        """The worths of the members, in the order of their names."""
        return [self.worth[sha256] for sha256 in self.current.values()]

    def compared(self, game: LeagueGame, players: Sequence[str]) -> Compared:
        numbers = [game.numbers[Version("", player)] for player in players]
        return compared_versions(fitted_worths(game), numbers, RULES.least)

    def sentences(self) -> list[tuple[int, int]]:
        """The pairs whose first is ahead by the limits that hold at any look, as places among the members."""
        numbers = [self.game.numbers[Version("", sha256)] for sha256 in self.current.values()]
        return [(numbers.index(one), numbers.index(other)) for one, other in self.looks.sure(numbers)]


class Trial(NamedTuple):
    """The outcome of a league: whether any false pair, also with versions mixed, and after any round any false
    sentence; the shares of the intervals that held, and of the real pairs that were found, by the standings and by the
    sentences of the last round."""

    false: bool
    false_mixed: bool
    false_sentence: bool
    cover: float
    found: float
    found_by_sentences: float


def trial(seed: int) -> Trial:
    league, false_sentence = TrueLeague(seed), False
    for at in range(LOOKED_AT):
        league.play(at)
        truth = league.truth
        false_sentence |= is_false(league.sentences(), truth)
        if at == FITTED - 1:
            compared = league.compared(league.game, [*league.current.values()])
            false, found = is_false(compared.above, truth), share_found(compared.above, truth)
            false_mixed = is_false(league.compared(league.mixed, [*league.current]).above, truth)
            cover = fmean(
                abs(gap.value - (truth[one] - truth[other])) <= (gap.error or 0)
                for (one, other), gap in compared.pairs.items()
            )
    return Trial(false, false_mixed, false_sentence, cover, found, share_found(league.sentences(), truth))


def is_false(above: Sequence[tuple[int, int]], truth: Sequence[float]) -> bool:
    """Whether anybody is above another one that is as good or better."""
    return any(truth[one] <= truth[other] for one, other in above)


def share_found(above: Sequence[tuple[int, int]], truth: Sequence[float]) -> float:
    real = sum(one != other for one, other in combinations(truth, 2))
    return sum(truth[one] > truth[other] for one, other in above) / real


def most(share: float) -> int:
    """In how many of the leagues something is seen at most, except in one trial of 1 000, if its share is this large."""
    tail, count = 1.0, -1
    while tail > 0.001:
        count += 1
        tail -= comb(LEAGUES, count) * share**count * (1 - share) ** (LEAGUES - count)
    return count


@pytest.fixture(scope="module")
def trials() -> list[Trial]:
    return [trial(seed) for seed in range(LEAGUES)]


def test_any_false_pair_in_one_of_twenty_leagues_at_most(trials: list[Trial]) -> None:
    assert sum(one.false for one in trials) <= most(0.05)
    assert fmean(one.found for one in trials) > 0.5, "or nothing would be false because nothing is found"


def test_intervals_hold_in_ninety_five_of_a_hundred_looks(trials: list[Trial]) -> None:
    assert 0.93 <= fmean(one.cover for one in trials) <= 0.97


def test_any_false_sentence_in_all_rounds_in_one_of_twenty_leagues_at_most(trials: list[Trial]) -> None:
    assert sum(one.false_sentence for one in trials) <= most(0.05)
    assert fmean(one.found_by_sentences for one in trials) > 0.03, "or nothing would be false because nothing is said"


def test_versions_mixed_by_name_do_not_pass(trials: list[Trial]) -> None:
    assert sum(one.false_mixed for one in trials) > max(most(0.05), LEAGUES // 2)
