"""`roundsim verify`: every deal of a run goes through the rules again, and every number is recomputed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, pairwise
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from ..base.errors import AbsentError, DisagreesError, LogError
from ..base.text import so_many
from ..processes.pool import each
from ..processes.start import cores
from ..reports.data import results
from ..tournament.judging.standings import compute_standings, unplaced
from ..tournament.judging.stopping import all_ended, watches
from ..tournament.planning.plan import Schedule, Tournament
from ..tournament.results.entry_totals import EntryTotals
from ..tournament.storage.contest import contest_wrong
from ..tournament.storage.folder import RunFolder
from ..tournament.storage.layout import PAGE, RESULTS
from ..tournament.storage.runfile import entry_data, first_difference
from ..tournament.storage.writing import has_bytes
from .origins import StrategyOrigin, check_here, origins_of
from .shard_check import Checked, ShardChecker

SHARDS = 8  # for each process at least, or it is not worth its start


class Verified(NamedTuple):
    """A run in which nothing disagrees: the number of deals, and of missing shards; the totals of each entry, the
    versions of roundsim that played it, the origins of its strategies; and about its page, in words, "" without one."""

    deals: int
    missing: int
    tournament: Tournament
    folds: Sequence[EntryTotals]
    versions: Sequence[str]
    origins: Sequence[StrategyOrigin]
    page: str


def verify_run(
    folder: RunFolder,
    jobs: int | None = None,
    tell: Callable[[int, int], object] = lambda done, total: None,
    sources: Sequence[str] = (),
    here: bool = False,
    isolate: str | None = None,
    page: bool = True,
) -> Verified:
    """Replay every deal through the rules and recompute every number. DisagreesError names what does not agree;
    AbsentError if there is no run, or its game is missing.

    `tell` is called with the number of shards that are done, and of all. `sources`: where strategies of the run are, as
    the caller names them (see `origins`): StrategyError for one that is not of the run. `here`: also StrategyError for
    a strategy of the run that is not here; `isolate`: "off" imports them without a sandbox. `page`: the page of the run
    is examined."""
    try:
        tournament, begun_by = folder.tournament(), folder.read_run()["roundsim"]
    except AbsentError:
        raise
    except LogError as error:
        raise DisagreesError([str(error)]) from None
    origins = origins_of(folder, tournament, sources)
    if here:
        check_here(origins, tournament.limits.isolating(isolate))
    findings, there = Findings(tournament), [folder.firsts(entry) for entry in tournament.entries]
    schedules = [Schedule(tournament, number) for number in range(len(there))]
    tasks = (schedule.task(first) for schedule, firsts in zip(schedules, there, strict=True) for first in firsts)
    total = sum(map(len, there))
    jobs = min(jobs or cores(), max(1, total // SHARDS))
    for done, checked in enumerate(each(ShardChecker(tournament, folder.path), tasks, jobs), 1):
        findings.add(checked)
        tell(done, total)
    run, versions = folder.path / "run.toml", sorted(findings.versions) or [begun_by]
    differences = [difference for _, difference in sorted(findings.wrong, key=itemgetter(0))]
    differences += [f"{path}: nothing of this run" for path in folder.foreign_files(tournament)]
    differences += rounds_wrong(run, tournament, findings.folds)
    differences += aborted_wrong(run, tournament, findings.folds)
    differences += contest_wrong(folder.path, tournament)
    if begun_by not in versions:
        differences.append(f"{run}: no shard was played by roundsim {begun_by}")
    for origin in origins:
        if why := origin.wrong(versions):
            differences.append(f"{run}: {origin.entry.name}: {origin.strategy}: {why}")
    if not findings.damaged:
        differences += results_wrong(folder, tournament, findings.folds, findings.missing)
    deals = sum(fold.tally.deals for fold in findings.folds)
    about_page, wrong = (
        page_compared(folder, deals, findings.missing, versions) if page and not findings.wrong else ("", False)
    )
    if wrong:
        differences.append(about_page)
    if differences:
        raise DisagreesError(differences)
    return Verified(deals, findings.missing, tournament, findings.folds, versions, origins, about_page)


def verified_text(deals: int) -> str:
    """Return what a page says of a run that was verified."""
    return f"{so_many(deals, 'deal')} verified: each follows the rules, and every number was recomputed"


def verified_text_of(folder: RunFolder, tell: Callable[[int, int], object] = lambda done, total: None) -> str:
    """Verify a run and return what a page says of it; an existing page does not count. DisagreesError."""
    return verified_text(verify_run(folder, tell=tell, page=False).deals)


def page_compared(folder: RunFolder, deals: int, missing: int, versions: Sequence[str]) -> tuple[str, bool]:
    """Compare the page of a run with one made now: the result in words, and whether the page is wrong."""
    if not os.path.lexists(folder.path / PAGE):
        return "", False
    from .report import compare_page  # slow to load, and few runs have a page

    return compare_page(folder, verified_text(deals), missing, versions)


class Findings:
    """The findings in the shards of a run: `wrong`, by entry and first block, how many are `missing`, how many
    `damaged`, the `versions` that played them, and the totals of each entry."""

    def __init__(self, tournament: Tournament) -> None:
        self.folds = [EntryTotals() for _ in tournament.entries]
        self.missing = tournament.shard_count + tournament.shards_to_come
        self.damaged = 0
        self.wrong: list[tuple[tuple[int, int], str]] = []
        self.versions: set[str] = set()

    def add(self, checked: Checked) -> None:
        task, shard = checked.task, checked.shard
        self.wrong += [((task.entry, task.first), difference) for difference in checked.wrong]
        self.missing -= not shard or shard.whole
        self.damaged += not shard
        if shard:
            self.versions.add(shard.version)
            self.folds[task.entry].add(task.first, shard.tally, shard.rows)


def rounds_wrong(path: Path, tournament: Tournament, folds: Sequence[EntryTotals]) -> Iterator[str]:
    """Yield each round whose entrants are not those that went on from the round before."""
    for before, after in chain.from_iterable(map(pairwise, tournament.series)):
        entry, there = tournament.entries[before], tournament.entries[after]
        out = unplaced(entry, folds[before], tournament.limits)
        if (made := entry.format.after(entry, folds[before].tally, out)) and made != there:
            difference = first_difference(entry_data(made), entry_data(there), there.name)
            yield f"{path}: does not follow from the round before: {difference}"


def aborted_wrong(path: Path, tournament: Tournament, folds: Sequence[EntryTotals]) -> Iterator[str]:
    """Yield the first fault of each entry in a run that its first fault should have ended."""
    for fold in folds if tournament.limits.on_fault == "abort" else ():
        for fault in fold.fault_reports()[:1]:
            yield f'{path}: on_fault is "abort", and {fault.deal} has a fault: the first one ends such a run'


def results_wrong(
    folder: RunFolder, tournament: Tournament, folds: Sequence[EntryTotals], missing: int
) -> Iterator[str]:
    """Yield the differences between the files of a finished run and its log."""
    reason = f"it is {tournament.part.words}" if tournament.part else ""
    if missing:
        reason = f"{so_many(missing, 'shard')} of the log {'is' if missing == 1 else 'are'} not"
    if reason:
        there = [name for name in RESULTS if (folder.path / name).exists()]
        if there:
            yield f"{folder.path}: {', '.join(there)} {'is' if len(there) == 1 else 'are'} there, and {reason}"
        return
    if watched := watches(tournament):
        all_ended(watched, folds)
    for watch in watched:
        if watch.block < watch.entry.blocks or watch.entry.blocks < watch.entry.cap and not watch.ended:
            at = f"is decided at block {watch.block}" if watch.ended else "is not decided"
            yield f"{folder.path / 'run.toml'}: {watch.entry.name} ends with block {watch.entry.blocks}; its rule {at}"
    for name, data in results(compute_standings(tournament, folds)).items():
        if not has_bytes(folder.path / name, data):
            yield f"{folder.path / name}: differs from what the log gives"
