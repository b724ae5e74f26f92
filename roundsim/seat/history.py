"""The tally of a person over all their sittings in a folder of runs: `roundsim sit --history`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import hypot, isinf, log
from pathlib import Path

from ..base.errors import AbsentError, RoundsimError
from ..base.text import signed
from ..coaching.estimate import Gain, Mean, mean_and_error
from ..replaying.logged import LoggedBlock, logged_blocks
from ..reports.terminal import Cells, entry_title, text_table
from ..tournament.formats.sittings import Sittings
from ..tournament.growth import has_person
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


@dataclass
class History:
    """The sittings of a person, as they were played; `broken`: the reasons why runs could not be read."""

    sittings: list[PlayedSitting]
    broken: list[str]

    def lines(self) -> list[str]:
        """Return a table: for each game a row of all sittings, then one for each opponent."""
        rows, by_game = list[Cells](), defaultdict[str, list[PlayedSitting]](list)
        for sitting in self.sittings:
            by_game[sitting.game].append(sitting)
        for game, all_of_it in sorted(by_game.items()):
            rows.append(history_row(game, "all", all_of_it))
            for opponent in sorted({opponent for sitting in all_of_it for opponent in sitting.opponents}):
                rows.append(history_row("", opponent, [one for one in all_of_it if opponent in one.opponents]))
        return text_table(rows).splitlines()


def history_row(game: str, opponent: str, sittings: Sequence[PlayedSitting]) -> Cells:
    half, mean = len(sittings) // 2, net_per_deal(sittings)
    earlier, later = net_per_deal(sittings[:half]), net_per_deal(sittings[half:])
    trend = Mean(later.n, later.mean - earlier.mean, hypot(later.error, earlier.error))
    return [
        *(("game", game), ("against", opponent)),
        *(("sittings", str(len(sittings))), ("deals", str(sum(one.deals for one in sittings)))),
        *(("net/deal", signed(mean.mean)), ("± 95 %", error_or_dash(mean))),
        *(("trend", "-" if isinf(trend.error) else signed(trend.mean)), ("± 95 %", error_or_dash(trend))),
        ("practised", str(sum(one.practised for one in sittings))),
    ]


def error_or_dash(mean: Mean) -> str:
    return "-" if isinf(mean.error) else f"{mean.error:.3f}"


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
    if not has_person(tournament):
        return
    for number, entry in enumerate(tournament.entries):
        how = f", {entry.format.name}" * (not isinstance(entry.format, Sittings))
        for block in logged_blocks(folder, tournament, number):
            yield sitting_of(block, entry.labels[0], entry_title(entry) + how)


def sitting_of(block: LoggedBlock, person: str, game: str) -> PlayedSitting:
    sitting = PlayedSitting(game)
    for deal in block:
        if person in deal.seats:
            sitting.net += deal.net[deal.seats.index(person)]
            sitting.deals += deal.number != END
            sitting.practised += len(deal.practised)
            sitting.opponents |= {seat.partition("#")[0] for seat in deal.seats} - {person}
    return sitting
