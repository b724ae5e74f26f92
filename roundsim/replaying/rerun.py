"""A run played again by its strategies: their answers now are compared with the log."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import zip_longest
from operator import itemgetter
from pathlib import Path
from tempfile import TemporaryDirectory

from ..base.errors import AbortError, DisagreesError, FolderError
from ..guests.isolation import how_guests_play
from ..processes.start import cores
from ..tournament.planning.plan import Schedule, Task, Tournament
from ..tournament.results.entry_totals import EntryTotals
from ..tournament.run import Progress
from ..tournament.storage.folder import RunFolder
from ..tournament.storage.writer import RunWriter
from ..workers import local
from .logged import Act, LoggedDeal, blocks_of
from .origins import StrategyOrigin
from .verify import Verified

MOMENT = ("dead", "late", "memory")  # faults that depend on the machine, and on how busy it is
MAX_DIFFERENCES = 20  # differences


def rerun(
    folder: RunFolder,
    verified: Verified,
    jobs: int | None = None,
    isolate: str | None = None,
    tell: Callable[[Progress], object] = lambda progress: None,
) -> str:
    """Play the shards of a verified run again, in a temporary folder, and compare them with those that it has.

    Returns how guests were sandboxed, in words. DisagreesError names the first deals that differ, at most twenty;
    StrategyError if a strategy is not here; PluginError, FolderError, SealError."""
    tournament = loaded_tournament(verified.tournament, verified.origins, isolate)
    guests, entries = how_guests_play(tournament), tournament.entries
    schedules = [Schedule(tournament, number) for number in range(len(entries))]
    shards = (shard for schedule in schedules for shard in folder.shards(schedule))
    tasks = (
        replace(shard.task, last=shard.blocks[-1], seats=shard.seatings(shard.blocks))  # with those blocks that it has
        for shard in shards
    )
    units = [entry.format.units(entry) for entry in entries]
    total = sum(per_block * fold.tally.blocks for per_block, fold in zip(units, verified.folds, strict=True))
    progress = Progress(total, entries=entries, folds=[EntryTotals() for _ in entries])
    wrong = list[tuple[int, int, str]]()
    with TemporaryDirectory(prefix="roundsim-") as place, ExitStack() as stack:
        again = RunWriter(Path(place).resolve())
        again.make_room(tournament)
        playing = local.play_tasks(tournament, str(again.path), tasks, jobs or cores())
        stack.callback(getattr(playing, "close", lambda: None))
        try:
            for task in playing:
                if not isinstance(task, Task):
                    progress.underway = task
                    tell(progress)
                    continue
                differences = shard_difference(task, schedules[task.entry], folder, again)
                wrong += [(task.entry, task.first, difference) for difference in differences]
                progress.whole += units[task.entry] * len(task.blocks)
                progress.played = progress.whole
                if len(wrong) >= MAX_DIFFERENCES:
                    break
        except AbortError as error:
            wrong.append((len(entries), 0, f"played again, a fault ends it: {error}"))
    if wrong:
        wrong.sort(key=itemgetter(0, 1))
        raise DisagreesError([difference for *_, difference in wrong][:MAX_DIFFERENCES])
    return guests


def loaded_tournament(
    tournament: Tournament, origins: Sequence[StrategyOrigin], isolate: str | None = None
) -> Tournament:
    """Return the tournament of a run with the strategies themselves. StrategyError for one that is not here;
    PluginError."""
    limits = tournament.limits.isolating(isolate)
    strategies = {(origin.entry.name, origin.strategy): origin.found(limits) for origin in origins}
    entries = [
        replace(entry, strategies=tuple([strategies[entry.name, strategy] for strategy in entry.strategies]))
        for entry in tournament.entries
    ]
    return replace(tournament, entries=tuple(entries), limits=limits)


def shard_difference(task: Task, schedule: Schedule, folder: RunFolder, again: RunWriter) -> Iterator[str]:
    """Yield where a shard that has been played again differs. The new shard is removed."""
    entry = schedule.entry
    one, other = (run.read_shard(schedule, task.first) for run in (folder, again))
    if not one or not other:
        raise FolderError(f"{(again if one else folder).shard(entry, task.first)} has been taken away")
    for pieces in zip(one.pieces, other.pieces, strict=True):
        sides = [*zip((folder, again), (one, other), pieces, strict=True)]
        if one.text(pieces[0]) != other.text(pieces[1]):
            both = [
                {deal.place: deal for block in blocks_of(run, schedule, shard, piece) for deal in block}
                for run, shard, piece in sides
            ]
            yield from deals_differing(entry.name, *both)
    for fault, now in zip(one.tally.fault_reports, other.tally.fault_reports, strict=False):
        if replace(fault, words="", where=()) == replace(now, words="", where=()) and fault.words != now.words:
            yield f"{fault.deal}: the words of a fault are {fault.words!r:.200} in the log, {now.words!r:.200} again"
    again.take_away(entry, task.first)


def deals_differing(name: str, there: dict[str, LoggedDeal], here: dict[str, LoggedDeal]) -> Iterator[str]:
    """Yield the deals of an entry that are not the same, each with its first difference."""
    for place in dict.fromkeys([*there, *here]):
        one, other = there.get(place), here.get(place)
        if not one or not other:
            yield f"{name}/{place}: {'not played again' if one else 'played again, and not in the log'}"
        elif (one.text, one.outside) != (other.text, other.outside):
            yield f"{name}/{place}: {what_differs(one, other)}"


def what_differs(one: LoggedDeal, other: LoggedDeal) -> str:
    """Return the first difference of two deals: "Mine: pass in the log, call 3 played again"."""
    acts = zip_longest([*one.acts, *one.outside], [*other.acts, *other.outside])
    act, now = next(((act, now) for act, now in acts if act != now), (None, None))
    first = act or now
    if not first:
        return f"{one.text[:60]!r} in the log, {other.text[:60]!r} played again"
    moment = any(one_act and one_act.mark in MOMENT for one_act in (act, now))
    difference = f"{one.seats[first.seat]}: {act_text(act)} in the log, {act_text(now)} played again"
    return difference + " (it depends on the machine, and on the moment)" * moment


def act_text(act: Act | None) -> str:
    return str(act) if act else "nothing"
