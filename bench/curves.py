"""How cost grows:  python bench/bench.py curves [deals|seats|entrants|processes ...] [--out FOLDER] [--size 0.05]

It writes a table and a picture of each, FOLDER/deals.svg and so on. Costs are CPU time in iterations of the calibration
loop, which runs at that very time on the same core. Everything has its turn in every round. `--size 0.05` plays a
twentieth."""

from __future__ import annotations

import os
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from calibration import Beside
from commands import play, standings_of, verify_run
from drawing import Chart, Line, Point, svg
from shards import Shards
from turns import parser, scaled

from roundsim import games
from roundsim.base.errors import did_you_mean
from roundsim.base.text import number
from roundsim.processes.memory import collect_seldom

FOLDER = Path(__file__).parent / "curves"
Samples = dict[tuple[str, float], list[float]]  # for each line and place, what each round measured


def lines(samples: Samples) -> list[Line]:
    """Return the rounds as points, in the order of the places."""
    points = defaultdict[str, list[Point]](list)
    for (name, x), rounds in sorted(samples.items(), key=lambda sample: sample[0][1]):
        points[name].append(Point(x, median(rounds), min(rounds), max(rounds)))
    return [Line(name, points[name]) for name in dict.fromkeys(name for name, _ in samples)]


def deals(size: float, rounds: int) -> Chart:
    """Measure from a thousand deals to a million, start-up included."""
    samples, memory = defaultdict[tuple[str, float], list[float]](list), defaultdict[int, float](float)
    for _ in range(rounds):
        for asked in (scaled(10**power, size) for power in (3, 4, 5, 6)):
            with tempfile.TemporaryDirectory() as folder:
                run = f"{folder}/run"
                for name in "played", "verified":
                    with Beside() as beside:
                        spent = play(run, asked) if name == "played" else verify_run(run)
                    samples[name, asked].append(spent.cpu / beside.iteration / asked)
                    memory[asked] = max(memory[asked], spent.memory)
    title, up = "Deals of Nap, 4 random, one process", "iterations a deal, start-up included"
    told = f"The largest process had at most {', '.join(f'{most:.0f}' for most in memory.values())} MiB."
    return Chart(title, "deals", up, lines(samples), log_x=True, log_y=True, note=told)


SEATED = {"nap": 8_000, "loo": 8_000, "pope-joan": 4_000, "draw-poker": 1_500}  # deals of each table


def seats(size: float, rounds: int) -> Chart:
    """Measure from two players to six, without start-up."""
    tables = {
        (games.find(name).title, players): Shards(name, "random", scaled(many, size), players=players)
        for name, many in SEATED.items()
        for players in range(2, 7)
    }
    samples = defaultdict[tuple[str, float], list[float]](list)
    collect_seldom()  # as workers do
    for shards in tables.values():
        shards.play()  # warm up
    for _ in range(rounds):
        for of, shards in tables.items():
            with Beside() as beside:
                spent = shards.play()
            samples[of].append(spent.cpu / beside.iteration / spent.deals)
    return Chart("Seats, all random, whole worker", "players", "iterations a deal", lines(samples), log_y=True)


def entrants(size: float, rounds: int) -> Chart:
    """Measure from 4 entrants to 200 with the same number of deals, and the standings computed once more."""
    samples, asked = defaultdict[tuple[str, float], list[float]](list), scaled(20_000, size)
    for _ in range(rounds):
        for many in 4, 10, 20, 50, 100, 200:
            with tempfile.TemporaryDirectory() as folder:
                run = f"{folder}/run"
                for name in "played", "standings":
                    with Beside() as beside:
                        spent = play(run, asked, 1, ["random"] * many) if name == "played" else standings_of(run)
                    samples[name, many].append(spent.cpu / beside.iteration / 1e6)
    title = f"Entrants, all random, {number(asked)} deals of Nap at tables of 4, one process"
    up = "million iterations, start-up included"
    return Chart(title, "entrants", up, lines(samples), log_x=True, log_y=True)


def processes(size: float, rounds: int) -> Chart:
    """Measure from one process to one for each core, in wall time, against one in the same round."""
    samples, asked = defaultdict[tuple[str, float], list[float]](list), scaled(100_000, size)
    cores = len(os.sched_getaffinity(0))
    for _ in range(rounds):
        alone: dict[str, float] = {}
        for jobs in range(1, cores + 1):
            with tempfile.TemporaryDirectory() as folder:
                run = f"{folder}/run"
                for name, spent in ("played", play(run, asked, jobs)), ("verified", verify_run(run, jobs)):
                    samples[name, jobs].append(alone.setdefault(name, spent.wall) / spent.wall)
    ideal = Line("in proportion", [Point(n, n, n, n) for n in range(1, cores + 1)], dashed=True)
    title = f"Processes, {number(asked)} deals of Nap, 4 random, {cores} cores"
    return Chart(title, "processes", "times as fast as one, by the clock on the wall", [*lines(samples), ideal])


CURVES: dict[str, Callable[[float, int], Chart]] = {each.__name__: each for each in (deals, seats, entrants, processes)}


def curves(words: Sequence[str]) -> int:
    options = parser("curves", __doc__, rounds=3)
    options.add_argument("what", nargs="*", metavar="WHAT", help=f"without any: {' '.join(CURVES)}")
    options.add_argument("--out", type=Path, default=FOLDER, metavar="FOLDER", help="of the pictures [bench/curves]")
    given = options.parse_args(words)
    if unknown := [what for what in given.what if what not in CURVES]:
        options.error(f"no curve {unknown[0]}{did_you_mean(unknown[0], CURVES)}: {', '.join(CURVES)}")
    given.out.mkdir(parents=True, exist_ok=True)
    for what in given.what or CURVES:
        chart = CURVES[what](given.size, given.rounds)
        picture = given.out / f"{what}.svg"
        picture.write_text(svg(chart), "utf-8")
        print(f"{chart.title}: {chart.up}; {picture}\n\n{chart.table()}\n{chart.note}", flush=True)
    return 0
