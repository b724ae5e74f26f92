"""A game of a run in the form that the sections of the page use, and its title there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from ...base.text import so_many
from ...tournament.formats import Measure
from ...tournament.judging.standings import Standings, StandingsRow
from ...tournament.judging.stopping import Outcome
from ...tournament.judging.verdicts import Verdicts
from ...tournament.planning.plan import Entry, Tournament
from ...tournament.results.entry_totals import EntryTotals
from ..terminal import entry_title, error_heading, table_heading
from .extras import EntryExtras

OWN = {"main", "overall", "deals", "view", "deals-data", "theme"}  # the page's own ids


@dataclass(frozen=True)
class GameResult:
    """An entry with all that is known of it. `anchor`: the id of its section."""

    tournament: Tournament
    entry: Entry
    fold: EntryTotals
    rows: Sequence[StandingsRow]
    verdicts: Verdicts
    look: EntryExtras
    outcome: Outcome | None
    title: str
    anchor: str

    @property
    def measure(self) -> Measure:
        """The measure that ranks."""
        return self.entry.format.measures[0]

    @property
    def replayed(self) -> bool:
        """Whether sittings of the one strategy are replayed with the other in its place: one difference is all there is."""
        return self.verdicts.origins is not None

    @property
    def rated(self) -> bool:
        return self.verdicts.some and not self.replayed

    @property
    def sign(self) -> bool:
        """Whether its figures are written with a sign."""
        return self.measure.text(1.0).startswith("+")

    @property
    def error(self) -> str:
        """The heading of the errors of means."""
        return error_heading(self.tournament)

    @property
    def lead(self) -> str:
        """The heading: 4 seats · 2 000 deals in 125 blocks of 16 (4 seats x 4 deals)."""
        return " · ".join(table_heading(self.tournament, self.entry, self.fold.tally)[1:-1])

    @cached_property
    def order(self) -> list[int]:
        """The entrants that are placed, by their numbers in the entry, best first."""
        labels = self.entry.labels
        return [labels.index(row.strategy) for row in self.rows if row.rank is not None]

    def label(self, entrant: int) -> str:
        return self.entry.labels[entrant]

    @property
    def column(self) -> str:
        """The unit of its figures: counters a deal, mean place."""
        return self.measure.gain if self.sign else self.measure.column


def games_of(standings: Standings, looks: Sequence[EntryExtras]) -> list[GameResult]:
    tournament, entries = standings.tournament, standings.tournament.entries
    outcomes: list[Outcome | None] = [*standings.outcomes] or [None] * len(entries)
    given = zip(standings, looks, outcomes, titles_of(tournament), strict=True)
    return [
        GameResult(tournament, *played, look, outcome, title, anchor_of(played[0], number))
        for number, (played, look, outcome, title) in enumerate(given, 1)
    ]


def titles_of(tournament: Tournament) -> list[str]:
    """Return what distinguishes each from the others: its game, else its number of seats, else the entry's own name;
    its round."""
    entries, titles = tournament.entries, list[str]()
    for numbers, title in zip(
        tournament.series, distinct_titles([entries[rounds[0]] for rounds in tournament.series]), strict=True
    ):
        rounds = entries[numbers[0]].format.last_round > 1
        titles += [f"{title} · round {number}" if rounds else title for number, _ in enumerate(numbers, 1)]
    return titles


def distinct_titles(entries: Sequence[Entry]) -> list[str]:
    every = [
        [entry_title(entry), *([so_many(seats, "seat")] if (seats := entry.format.seats) else [])] for entry in entries
    ]
    short, longer = Counter(titles[0] for titles in every), Counter(map(tuple, every))
    titles = []
    for words, entry in zip(every, entries, strict=True):
        if short[words[0]] == 1:
            titles.append(words[0])
        else:
            titles.append(" · ".join(words) if longer[tuple(words)] == 1 else f"{words[0]} · {entry.name}")
    return titles


def anchor_of(entry: Entry, number: int) -> str:
    """Return its name, if that can be an id."""
    plain = re.fullmatch(r"[A-Za-z][\w.-]*", entry.name, re.ASCII) and entry.name not in OWN
    return entry.name if plain else f"game-{number}"
