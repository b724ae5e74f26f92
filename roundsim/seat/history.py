"""The tally of a person over all their sittings in a folder of runs: `roundsim sit --history`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import hypot, isinf, log
from pathlib import Path
from typing import NamedTuple

from ..base.errors import AbsentError, RoundsimError
from ..base.text import plain, signed
from ..coaching.estimate import Gain, Mean, mean_and_error
from ..replaying.logged import LoggedBlock, logged_blocks
from ..reports.explain import json_text
from ..reports.terminal import Cells, entry_title, text_table
from ..tournament.formats.sittings import Sittings
from ..tournament.growth import persons_in
from ..tournament.results.record import END
from ..tournament.storage.folder import RunFolder
from ..tournament.storage.runs import runs_in


@dataclass
class PlayedSitting:
    """A finished sitting of a person: its deals that count, what they won in it, those they `practised`, and the others."""

    game: str
    deals: int = 0
    net: int = 0
    practised: int = 0
    opponents: set[str] = field(default_factory=set)


class HistoryRow(NamedTuple):
    """The result of a person in a game, in the sittings `against` an opponent, None: in all. The trend is the net of a deal
    in the later half, less that in the earlier half. A figure of too few sittings is None."""

    game: str
    against: str | None
    sittings: int
    deals: int
    net_per_deal: float
    error: float | None
    trend: float | None
    trend_error: float | None
    practised: int

    def cells(self) -> Cells:
        return [
            *(("game", self.game if self.against is None else ""), ("against", self.against or "all")),
            *(("sittings", str(self.sittings)), ("deals", str(self.deals))),
            *(("net/deal", signed(self.net_per_deal)), ("± 95 %", plain(self.error))),
            *(("trend", signed(self.trend)), ("± 95 %", plain(self.trend_error))),
            ("practised", str(self.practised)),
        ]


@dataclass
class History:
    """The sittings of a person, as they were played; `broken`: the reasons why runs could not be read."""

    sittings: list[PlayedSitting]
    broken: list[str]

    def rows(self) -> Iterator[HistoryRow]:
        """Yield for each game a row of all sittings, then one for each opponent."""
        by_game = defaultdict[str, list[PlayedSitting]](list)
        for sitting in self.sittings:
            by_game[sitting.game].append(sitting)
        for game, all_of_it in sorted(by_game.items()):
            yield history_row(game, None, all_of_it)
            for opponent in sorted({opponent for sitting in all_of_it for opponent in sitting.opponents}):
                yield history_row(game, opponent, [one for one in all_of_it if opponent in one.opponents])


def history_in_format(history: History, form: str) -> str:
    """Return the rows of a history as a table, or as JSON."""
    if form == "json":
        return json_text([row._asdict() for row in history.rows()])
    return text_table([row.cells() for row in history.rows()]) + "\n"


def history_row(game: str, against: str | None, sittings: Sequence[PlayedSitting]) -> HistoryRow:
    half, mean = len(sittings) // 2, net_per_deal(sittings)
    earlier, later = net_per_deal(sittings[:half]), net_per_deal(sittings[half:])
    trend_error = finite_error(hypot(later.error, earlier.error))
    return HistoryRow(
        *(game, against, len(sittings), sum(one.deals for one in sittings), mean.mean, finite_error(mean.error)),
        None if trend_error is None else later.mean - earlier.mean,
        trend_error,
        sum(one.practised for one in sittings),
    )


def finite_error(error: float) -> float | None:
    return None if isinf(error) else error


def net_per_deal(sittings: Sequence[PlayedSitting]) -> Mean:
    """Return the mean net of a deal; its interval is that of the sittings, each weighed by its deals."""
    return mean_and_error([Gain(one.net / one.deals, log(one.deals)) for one in sittings if one.deals])


def history_of(folder: Path) -> History:
    """Return the finished sittings of a person in the runs of a folder, or in a run. AbsentError if there are none."""
    try:
        runs = sorted(runs_in(folder), key=numbered_run)
    except OSError as error:
        raise AbsentError(f"{folder}: {error.strerror}: roundsim sit GAME keeps what you play in sit/") from None
    all_of_them, broken = list[PlayedSitting](), list[str]()
    for run in runs:
        try:
            all_of_them += sittings_in(RunFolder(run))
        except RoundsimError as error:
            broken.append(str(error))
    if not all_of_them and not broken:
        raise AbsentError(f"{folder}: no sitting of yours is finished in it: roundsim sit GAME begins one")
    return History(all_of_them, broken)


def numbered_run(run: Path) -> list[tuple[str, int]]:
    """Return the order of a run among others: nap-2 is before nap-10."""
    return [(text, int(digits or 0)) for text, digits in re.findall(r"(\D*)(\d*)", run.name)]


def sittings_in(folder: RunFolder) -> Iterator[PlayedSitting]:
    """Yield the finished sittings of a person in a run, and whole games in other formats. LogError."""
    tournament = folder.tournament()
    for number, entry in enumerate(tournament.entries):
        if not (persons := persons_in(entry)):
            continue
        how = f", {entry.format.name}" * (not isinstance(entry.format, Sittings))
        for block in logged_blocks(folder, tournament, number):
            yield sitting_of(block, persons[0], entry_title(entry) + how)


def sitting_of(block: LoggedBlock, person: str, game: str) -> PlayedSitting:
    sitting = PlayedSitting(game)
    for deal in block:
        if person in deal.seats:
            sitting.net += deal.net[deal.seats.index(person)]
            sitting.deals += deal.number != END
            sitting.practised += len(deal.practised)
            sitting.opponents |= {seat.partition("#")[0] for seat in deal.seats} - {person}
    return sitting
