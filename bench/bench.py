"""Speed of roundsim relative to a calibration loop:  python bench/bench.py [WHAT] ...

WHAT is worker, command, scaling, verify, startup, memory or hands; without it all of them. Every figure is a ratio, or
is measured in the same run as what it is compared with. `bench.py count` counts instructions: see `count`. `bench.py
verdicts` tests the promises of the statistics: see `verdicts`. `bench.py peers` compares other simulators: see `peers`.
`bench.py curves` draws how cost grows: see `curves`."""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from calibration import Beside, iteration
from count import count
from curves import curves
from learners import learners
from parent import spent_by_parent
from peers import peers
from shards import Shards
from verdicts import verdicts

from roundsim import games
from roundsim.base.errors import StrategyError
from roundsim.mechanics.hands import Ranking
from roundsim.odds.count import RANKINGS
from roundsim.processes.memory import collect_seldom
from roundsim.table.cards import JOKER, PACK, PACK_60, Card
from roundsim.tournament.storage.folder import RunFolder

ROUNDSIM = [sys.executable, "-m", "roundsim"]


def worker(names: Sequence[str] = ()) -> None:
    """Measure the whole worker (deal, chance, four strategies, timed referee, log line, compression), in one
    process."""
    collect_seldom()  # as workers do
    print("whole worker                       us/deal  decisions/deal  decisions/iteration  deals/iteration")
    for name in names or games.names():
        for strategy, deals in ("random", 10_000), ("book", 1_000):
            try:
                shards = Shards(name, strategy, deals)
            except StrategyError:
                continue  # Loto and Newmarket have no book
            measured = []
            for _ in range(3):
                with Beside() as beside:
                    spent = shards.play()
                tick = beside.iteration / spent.cpu
                measured.append((spent.decisions * tick, spent.deals * tick, 1e6 * spent.cpu / spent.deals))
            rate, deal_rate, each = sorted(measured)[1]
            print(
                f"  {name:<16} {shards.players} {strategy:<6} {each:15.1f} {spent.decisions / spent.deals:15.1f}"
                f" {rate:20.4f} {deal_rate:16.5f}"
            )


def spent_by(words: Sequence[str], **environment: str) -> tuple[float, float]:
    """Return the CPU and wall seconds of a command and its children."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
    subprocess.run(words, check=True, capture_output=True, env={**os.environ, **environment})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, perf_counter() - start


def play(deals: int, jobs: int, out: str, strategies: Sequence[str] = ("random",) * 4) -> list[str]:
    return [*ROUNDSIM, "play", "nap", *strategies, "--deals", str(deals), "--jobs", str(jobs), "--out", str(out)]


def command(deals: int = 40_000) -> None:
    """Measure the CPU time of the whole command, without start-up."""
    with tempfile.TemporaryDirectory() as folder:
        tick = iteration()
        small = median(spent_by(play(16, 1, f"{folder}/small{n}"))[0] for n in range(3))
        large, _ = spent_by(play(deals, 1, f"{folder}/large"))
        tick = (tick + iteration()) / 2
        decisions = json.loads(Path(f"{folder}/large/standings.json").read_text())["games"][0]["decisions"]
        bytes_ = sum(file.stat().st_size for file in Path(f"{folder}/large/log/nap").iterdir())
    each = (large - small) / deals
    print(
        f"roundsim play nap, 4 random, --jobs 1: {1e6 * each:.1f} us a deal, {tick / each:.4f} deals and"
        f" {decisions / deals * tick / each:.4f} decisions per calibration iteration; start-up {small:.2f} s;"
        f" {bytes_ / deals:.1f} bytes a deal in the log"
    )


def scaling(deals: int = 200_000) -> None:
    """Measure two processes against one, in turns, and against two runs at once, which is the machine's limit.

    Also measure a short run, in which starting the processes must not cost much."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as both:

        def seconds(name: str, jobs: int) -> float:
            return spent_by(play(deals, jobs, f"{folder}/{name}"))[1]

        turns = []
        for n in range(3):
            one, two = seconds(f"one {n}", 1), seconds(f"two {n}", 2)
            at_once = max(both.map(lambda name: seconds(name, 1), (f"left {n}", f"right {n}")))
            turns.append((one, two, one / two, 2 * one / at_once))
        one, two, times, most = (median(column) for column in zip(*turns, strict=True))
        short = [median(spent_by(play(1000, jobs, f"{folder}/short{jobs}{n}"))[1] for n in range(3)) for jobs in (1, 2)]
    print(f"{deals} deals: {one:.1f} s on one process, {two:.1f} s on two: {times:.2f} times as fast")
    print(f"two runs on one process each, at once: {most:.2f} times as fast as one after the other")
    print(f"1000 deals: {short[0]:.2f} s on one process, {short[1]:.2f} s on two")


def parent(deals: int = 100_000) -> None:
    """Measure what the parent of a run spends on shards that others have played."""
    with tempfile.TemporaryDirectory() as folder:
        spent_by(play(deals, 2, f"{folder}/run"))
        turns = [spent_by_parent(RunFolder(f"{folder}/run")) for _ in range(5)]
    each = min(1e6 * seconds / there for there, seconds in turns)
    print(f"{deals} deals: {each:.3f} ms of CPU of the parent for 1 000")


def verify(deals: int = 40_000) -> None:
    """Measure verifying against playing, one process each, without start-up."""
    with tempfile.TemporaryDirectory() as folder:
        played = spent_by(play(deals, 1, f"{folder}/large"))[0] - spent_by(play(16, 1, f"{folder}/small"))[0]
        large, small = ([*ROUNDSIM, "verify", f"{folder}/{each}", "--jobs", "1"] for each in ("large", "small"))
        checked = spent_by(large)[0] - spent_by(small)[0]
    print(f"{deals} deals: played in {played:.2f} s, verified in {checked:.2f} s: {played / checked:.2f} times as fast")


def startup() -> None:
    """Measure `roundsim --version` against an empty Click program."""
    empty = [
        sys.executable,
        "-c",
        "import click; click.command()(click.version_option('1')(lambda: None))(['--version'])",
    ]
    ours = [str(Path(sys.executable).with_name("roundsim")), "--version"]
    times = [median(spent_by(words)[1] for _ in range(15)) for words in (empty, ours)]
    print(f"--version: {1000 * times[1]:.0f} ms, an empty Click program {1000 * times[0]:.0f} ms")


def memory() -> None:
    """Measure the peak memory of the parent, over runs of different lengths."""
    for deals in 20_000, 200_000:
        with tempfile.TemporaryDirectory() as folder:
            code = (
                "import resource as r, roundsim, sys\n"
                "roundsim.play('nap', ['random'] * 4, deals=int(sys.argv[1]), jobs=2, out=sys.argv[2])\n"
                "print(*[r.getrusage(each).ru_maxrss for each in (r.RUSAGE_SELF, r.RUSAGE_CHILDREN)])"
            )
            done = subprocess.run(
                [sys.executable, "-c", code, str(deals), f"{folder}/run"], check=True, capture_output=True, text=True
            )
            parent, child = map(int, done.stdout.split())
            print(f"{deals} deals: parent {parent >> 10} MiB, worker {child >> 10} MiB at most")


Rival = tuple[
    str, Callable[[Any, Sequence[Any]], float], Callable[..., object], Sequence[Any]
]  # name, loop, call, hands


def each_hand(evaluate: Callable[[Any], object], hands: Sequence[Any]) -> float:
    """Return hands per second, one a call."""
    start = perf_counter()
    for hand in hands:
        evaluate(hand)
    return len(hands) / (perf_counter() - start)


def each_hand_of_arguments(evaluate: Callable[..., object], hands: Sequence[Any]) -> float:
    """Return the same for an evaluator that takes five arguments."""
    start = perf_counter()
    for hand in hands:
        evaluate(*hand)
    return len(hands) / (perf_counter() - start)


def others(dealt: Sequence[Sequence[Card]]) -> Iterator[Rival]:
    """Yield the installed third-party evaluators, each with the dealt hands in its own cards: name, loop, call."""
    try:
        import treys

        yield "treys", each_hand, treys.Evaluator()._five, [[treys.Card.new(card) for card in hand] for hand in dealt]
    except ImportError:
        print("  treys is missing: pip install -e '.[bench]'")
    try:
        import phevaluator
        from phevaluator.evaluator import evaluate_5cards

        ids = [[phevaluator.Card(str(card)).id_ for card in hand] for hand in dealt]
        yield "phevaluator, evaluate_5cards", each_hand_of_arguments, evaluate_5cards, ids
        yield "phevaluator, evaluate_cards", each_hand_of_arguments, phevaluator.evaluate_cards, ids
    except ImportError:
        print("  phevaluator is missing: pip install -e '.[bench]'")
    try:
        import eval7

        own = {card: eval7.Card(card) for card in PACK}
        yield "eval7", each_hand, eval7.evaluate, [[own[card] for card in hand] for hand in dealt]
    except ImportError:
        print("  eval7 is missing: pip install -e '.[bench]'")


def hands(number: int = 50_000, times: int = 9) -> None:
    """Measure evaluators of five cards in turns, several times; ours with several rankings."""
    print(f"hands a second, one a call, the median of {times} times {number} hands    million      against plain")
    chance, eccentric = random.Random(1891), dict.fromkeys(("blaze", "skip", "tiger", "round"), "true")

    def ours(name: str, options: Mapping[str, str | bool], pack: Sequence[Card] = PACK) -> Rival:
        dealt = [chance.sample(pack, 5) for _ in range(number)]
        return name, each_hand, Ranking(**options).key, dealt

    plain = ours("ours, plain", {})
    rivals = [
        plain,
        *others(plain[-1]),
        ours("ours, english", RANKINGS["english"]),
        ours("ours, hearts-top", {"suits": "hearts-top"}),
        ours("ours, eccentric hands", eccentric),
        ours("ours, pack of 53", {}, (*PACK, JOKER)),
        ours("ours, english, pack of 53", RANKINGS["english"], (*PACK, JOKER)),
        ours("ours, pack of 60", {"pack": "60"}, PACK_60),
    ]
    for _, loop, evaluate, dealt in rivals:  # fill tables, warm up memory
        loop(evaluate, dealt)
    rates = [[loop(evaluate, dealt) for _, loop, evaluate, dealt in rivals] for _ in range(times)]
    medians = [median(rate) for rate in zip(*rates, strict=True)]
    for (name, *_), rate in zip(rivals, medians, strict=True):
        print(f"  {name:<66} {rate / 1e6:7.2f} {rate / medians[0]:14.2f}")


MEASURES: dict[str, Callable[[], None]] = {
    each.__name__: each for each in (worker, command, scaling, parent, verify, startup, memory, hands)
}

if __name__ == "__main__":
    programs = {"count": count, "verdicts": verdicts, "peers": peers, "curves": curves, "learners": learners}
    for name, program in programs.items():
        if sys.argv[1:2] == [name]:
            sys.exit(program(sys.argv[2:]))
    for word in sys.argv[1:] or MEASURES:
        MEASURES[word]()
