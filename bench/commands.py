"""Whole commands:  python bench/bench.py commands [WHAT ...]

WHAT is harness, isolated, verify, standings, scaling, parent, memory or startup; without any, all. Nap, four `random`,
unless a line says otherwise. Commands that are compared run in turns. Costs are CPU time of a command and its processes,
without start-up, unless a line says otherwise."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import NamedTuple

from conditions import conditions
from drawing import markdown
from shards import Shards

from roundsim.base.text import number
from roundsim.processes.memory import collect_seldom
from roundsim.processes.start import cores, cpu_seconds
from roundsim.sandbox.kinds import best
from roundsim.tournament.planning.plan import Task, Tournament
from roundsim.tournament.run import run_tournament
from roundsim.tournament.storage.folder import RunFolder

ROUNDSIM = sys.executable, "-m", "roundsim"
ROUNDS = 3
FEW = 16  # deals, of a run that measures start-up
Row = tuple[str, str]  # what was measured, and its figure


class Taken(NamedTuple):
    """CPU seconds of a command and its processes, its wall seconds, and the peak memory of its largest process, in MiB."""

    cpu: float
    wall: float
    memory: float


def spent_by(words: Sequence[str]) -> Taken:
    """Measure the cost of a program."""
    start = perf_counter()
    done = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert done.stderr
    errors = done.stderr.read()
    _, status, used = os.wait4(done.pid, 0)
    done.returncode = os.waitstatus_to_exitcode(status)
    if done.returncode:
        raise SystemExit(f"{' '.join(words)} ended with {done.returncode}: {errors}")
    return Taken(used.ru_utime + used.ru_stime, perf_counter() - start, used.ru_maxrss / 1024)


def play(folder: str, deals: int, jobs: int = 1, strategies: Sequence[str] = ("random",) * 4) -> Taken:
    """Measure the cost of playing deals of Nap into a new folder."""
    shutil.rmtree(folder, ignore_errors=True)
    options = "--seats", "4", "--deals", str(deals), "--jobs", str(jobs), "--seed", "1", "--out", folder
    return spent_by([*ROUNDSIM, "play", "nap", *strategies, *options])


def verify_run(folder: str, jobs: int = 1) -> Taken:
    """Measure the cost of verifying a run."""
    return spent_by([*ROUNDSIM, "verify", folder, "--jobs", str(jobs)])


def standings_of(folder: str) -> Taken:
    """Measure the cost of computing the standings of a run."""
    return spent_by([*ROUNDSIM, "standings", folder, "--format", "json"])


def each_deal(place: str, deals: int) -> float:
    """Return the CPU seconds of a deal, without start-up."""
    large, small = (play(f"{place}/{n}", n).cpu for n in (deals, FEW))
    return (large - small) / (deals - FEW)


def harness(place: str, deals: int = 40_000) -> Iterator[Row]:
    """Measure `roundsim play --jobs 1` against the harness that the other measures use."""
    collect_seldom()
    shards = Shards("nap", "random", deals)
    shards.play()  # warm up
    turns = []
    for _ in range(ROUNDS):
        spent = shards.play()
        turns.append((each_deal(place, deals), spent.cpu / spent.deals))
    users, ours = (median(column) for column in zip(*turns, strict=True))
    log = sum(file.stat().st_size for file in Path(place, str(deals), "log/nap").iterdir())
    yield "`roundsim play --jobs 1`", f"{1e6 * users:.1f} us a deal"
    yield "the harness of `worker`", f"{1e6 * ours:.1f} us a deal, {ours / users:.2f} times"
    yield "the log", f"{log / deals:.1f} bytes a deal"


def isolated(place: str, deals: int = 8000) -> Iterator[Row]:
    """Measure strategies in separate processes against play in process, both by the harness.

    The seconds of a guest are read while it lives: nobody waits for it, so a command does not know them."""
    if not best().name:
        yield "strategies in separate processes", "no sandbox works here"
        return
    for strategy in "random", "book":
        turns = []
        for _ in range(ROUNDS):
            on, off = (
                [Shards("nap", strategy, some, isolate=isolate) for some in (deals, deals // 4)]
                for isolate in ("on", "off")
            )
            alone, together = (difference(*each) for each in (on, off))
            turns.append(alone / together)
        yield f"four `{strategy}`, `--isolate on`", f"{median(turns):.1f} times the CPU of play in process"


def difference(large: Shards, small: Shards) -> float:
    """Return the CPU seconds, of this process and of guests, that many deals take more than few."""
    seconds = []
    for shards in large, small:
        with TemporaryDirectory() as folder:
            seconds.append(shards.play_into(folder, seconds_of_all))
    return seconds[0] - seconds[1]


def seconds_of_all() -> float:
    """Return the CPU seconds of this process and its descendants."""
    return process_time() + sum(map(cpu_seconds, descendants(os.getpid())))


def descendants(pid: int) -> Iterator[int]:
    for child in map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()):
        yield child
        yield from descendants(child)


def verify(place: str, deals: int = 40_000) -> Iterator[Row]:
    """Measure verifying against playing."""
    turns = []
    for _ in range(ROUNDS):
        played = each_deal(place, deals)
        large, small = (verify_run(f"{place}/{n}").cpu for n in (deals, FEW))
        turns.append(played * (deals - FEW) / (large - small))
    yield "`roundsim verify --jobs 1`", f"{median(turns):.2f} times as fast as playing"


def standings(place: str, deals: int = 96_000, entrants: int = 200) -> Iterator[Row]:
    """Measure the standings of many entrants, start-up included."""
    play(f"{place}/run", deals, cores(), ["random"] * entrants)
    spent = median(standings_of(f"{place}/run").cpu for _ in range(ROUNDS))
    what = f"`roundsim standings --format json`, {entrants} entrants, {number(deals)} deals"
    yield what, f"{spent:.1f} s of CPU, start-up included"


def scaling(place: str, deals: int = 200_000) -> Iterator[Row]:
    """Measure two processes against one, and against two runs at once, which is the machine's limit."""
    with ThreadPoolExecutor(2) as both:
        turns = []
        for _ in range(ROUNDS):
            one, two = (play(f"{place}/run", deals, jobs).wall for jobs in (1, 2))
            at_once = max(both.map(lambda name: play(f"{place}/{name}", deals).wall, ("left", "right")))
            turns.append((one / two, 2 * one / at_once))
    times, most = (median(column) for column in zip(*turns, strict=True))
    yield f"{number(deals)} deals on two processes, wall clock", f"{times:.2f} times as fast as on one"
    yield "two such runs at once, wall clock", f"{most:.2f} times as fast as one after the other"


class HandingOver:
    """Workers that copy shards from a finished run; `seconds`: the CPU time that this took."""

    def __init__(self, ready: RunFolder) -> None:
        self.ready, self.seconds = ready, 0.0

    def __call__(self, tournament: Tournament, folder: str, tasks: Iterator[Task], jobs: int) -> Iterator[Task]:
        run = RunFolder(folder)
        for task in tasks:
            start, entry = process_time(), tournament.entries[task.entry]
            shutil.copyfile(self.ready.shard(entry, task.first), run.shard_to_be(entry, task.first))
            self.seconds += process_time() - start
            yield task


def parent(place: str, deals: int = 100_000) -> Iterator[Row]:
    """Measure what the parent of a run spends on shards that others have played: it checks them and adds them up."""
    play(f"{place}/run", deals, cores())
    ready, turns = RunFolder(f"{place}/run"), []
    for turn in range(ROUNDS):
        workers, run, start = HandingOver(ready), RunFolder(f"{place}/{turn}"), process_time()
        run_tournament(ready.tournament(), run, workers, 1, lambda _: None, lambda _: None)
        turns.append(process_time() - start - workers.seconds)
    yield "the parent of a run", f"{1e6 * median(turns) / deals:.2f} ms of CPU for 1 000 deals"


def memory(place: str) -> Iterator[Row]:
    """Measure the peak memory of the parent and its workers, over runs of different lengths."""
    code = (
        "import resource as r, roundsim, sys\n"
        "roundsim.play('nap', ['random'] * 4, deals=int(sys.argv[1]), jobs=2, out=sys.argv[2])\n"
        "print(*[r.getrusage(each).ru_maxrss for each in (r.RUSAGE_SELF, r.RUSAGE_CHILDREN)])"
    )
    for deals in 20_000, 200_000:
        words = [sys.executable, "-c", code, str(deals), f"{place}/{deals}"]
        done = subprocess.run(words, check=True, capture_output=True, text=True)
        parent, child = (int(each) >> 10 for each in done.stdout.split())
        yield f"{number(deals)} deals, peak memory", f"parent {parent} MiB, a worker {child} MiB"


def startup(place: str) -> Iterator[Row]:
    """Measure `roundsim --version` against an empty Click program."""
    code = "import click; click.command()(click.version_option('1')(lambda: None))(['--version'])"
    ours = str(Path(sys.executable).with_name("roundsim")), "--version"
    turns = [(spent_by(ours).cpu, spent_by((sys.executable, "-c", code)).cpu) for _ in range(15)]
    took, empty = (1000 * median(column) for column in zip(*turns, strict=True))
    yield "`roundsim --version`", f"{took:.0f} ms of CPU, an empty Click program {empty:.0f} ms"


MEASURES: dict[str, Callable[[str], Iterator[Row]]] = {
    each.__name__: each for each in (harness, isolated, verify, standings, scaling, parent, memory, startup)
}


def commands(words: Sequence[str]) -> int:
    arguments = ArgumentParser(prog="bench.py commands", description=__doc__)
    arguments.add_argument("what", nargs="*", choices=[*MEASURES, []], metavar="WHAT", help="without any: all")
    rows = list[Row]()
    for what in arguments.parse_args(words).what or MEASURES:
        with TemporaryDirectory() as place:
            rows += MEASURES[what](place)
    print(markdown(("Nap, four `random`", "figure"), rows), end="\n\n")
    print(conditions(f"the medians of {ROUNDS} turns"))
    return 0
