"""The whole worker, in every game:  python bench/bench.py worker [GAME ...] [--rounds 3] [--size 0.1]

Four seats play in one process: deal, chance, strategies, timed referee, log line, compression, writing. Each round runs
with the calibration loop on the same core; the table has the medians."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from calibration import Beside
from conditions import conditions
from drawing import markdown
from shards import Shards
from turns import parser, scaled

from roundsim import games
from roundsim.base.errors import StrategyError
from roundsim.base.text import so_many
from roundsim.processes.memory import collect_seldom

DEALS = {"random": 10_000, "book": 1_000}
HEADS = "us a deal", "decisions a deal", "decisions an iteration", "deals an iteration"
OF_BOOK = slice(0, 3, 2)  # the columns that `book` has


def worker(words: Sequence[str]) -> int:
    arguments = parser("worker", __doc__, rounds=3)
    arguments.add_argument("games", nargs="*", metavar="GAME", help="without any: all")
    given = arguments.parse_args(words)
    collect_seldom()  # as workers do
    rows = []
    for name in given.games or games.names():
        random, book = (figures(name, strategy, given.rounds, given.size) for strategy in DEALS)
        rows.append((name, *random, *book[OF_BOOK]))
    print(markdown(("game, `random`", *HEADS, *(f"`book`: {head}" for head in HEADS[OF_BOOK])), rows), end="\n\n")
    print(conditions(so_many(given.rounds, "round")))
    return 0


def figures(game: str, strategy: str, rounds: int, size: float) -> tuple[str, ...]:
    """Measure a game; return its figures in the order of `HEADS`. They are empty if it has no such strategy."""
    try:
        shards = Shards(game, strategy, scaled(DEALS[strategy], size))
    except StrategyError:
        return ("",) * len(HEADS)  # Loto and Newmarket have no book
    ticks, cpu = [], []
    for _ in range(rounds):
        with Beside() as beside:
            spent = shards.play()
        cpu.append(spent.cpu / spent.deals)
        ticks.append(beside.iteration / spent.cpu)
    tick = median(ticks)
    return (
        f"{1e6 * median(cpu):.1f}",
        f"{spent.decisions / spent.deals:.1f}",
        f"{spent.decisions * tick:.4f}",
        f"{spent.deals * tick:.5f}",
    )
