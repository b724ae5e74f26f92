"""Instructions a deal, under callgrind:  python bench/bench.py count [GAME ...] [--against REV | --without]

It counts deals in plain Python, with `random`, and with the native module, with `random` and with `book`; the module is
built for this, from the same sources. The deals are the same every time, after as many to warm up. Repeats agree to 1 in
500 or better, so one in a hundred is visible on any machine. With `--against` it counts the sources of a commit, too, and
the exit code is 1 if here are more than 1.03 times as many. With `--without` it counts what each definition in C saves."""

from __future__ import annotations

import argparse
import compileall
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path
from textwrap import shorten
from typing import NamedTuple

from conditions import conditions
from drawing import markdown

HERE = Path(__file__).parent.parent
GAMES = "nap", "draw-poker", "pope-joan", "cassino"
NATIVE, PLAIN = "native", "plain Python"
WAYS = (PLAIN, "random"), (NATIVE, "random"), (NATIVE, "book")
ALARM = 1.03
DEFINITIONS = {  # in C: the deals that need them most; learners and `verify` have more
    ("Ask", "questions"): ["nap random"],
    ("frozen", "sight"): ["nap book"],
    ("play_actions",): ["nap random"],
    ("sums",): ["nap random"],
    ("sit_again",): ["nap random"],
    ("deal_line",): ["nap random"],
    ("Chance.choice",): ["nap random"],
    ("in_turn",): ["nap random"],
    ("take_out",): ["nap random"],
    ("actions_for",): ["pope-joan random"],
    ("exchanges",): ["whiskey-poker random", "thirty-one random"],
    ("full_takings",): ["cassino random", "cassino book"],
}
WITHOUT = """\
import runpy, sys, roundsim.native as native
_, shards, names, *sys.argv[1:] = sys.argv
for name in names.split():
    delattr(native.CORE, name)
sys.path.insert(0, shards.rpartition("/")[0])
runpy.run_path(shards, run_name="__main__")
"""


class Deals(NamedTuple):
    """Deals to be counted: of a game, by four strategies, natively or not; `without` some definitions in C."""

    way: str
    game: str
    strategy: str
    without: str = ""


class Tree:
    """Packages as they are imported while they are counted: a copy of these sources with its own native module.

    `problem`: why it has none, if so."""

    def __init__(self, source: Path, place: Path) -> None:
        self.shards, self.place = place / "bench/shards.py", place
        for package, folder in ("roundsim", "roundsim"), ("roundsim_strategies", "strategies"), ("bench", "bench"):
            shutil.copytree(source / folder, place / package, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
        build = [sys.executable, "setup.py", "-q", "build_ext", "--build-lib", str(place)]
        build += ["--build-temp", str(place / "build")]
        done = subprocess.run(build, cwd=source, capture_output=True, text=True)
        compileall.compile_dir(place, quiet=1)  # or the first counts differ
        built = [*(place / "roundsim/native").glob("_core*")]
        self.problem = "" if built else (done.stderr.strip() or "no C compiler").splitlines()[-1]

    def count(self, deals: Deals) -> float:
        """Return the instructions of a deal."""
        with tempfile.TemporaryDirectory() as folder:
            callgrind = "valgrind", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={folder}/out"
            words = [
                *("setarch", "-R", *callgrind, sys.executable, "-P", "-c", WITHOUT, str(self.shards)),
                deals.without,
            ]
            environment = {**os.environ, "PYTHONPATH": str(self.place), "PYTHONHASHSEED": "0"}
            environment["ROUNDSIM_NATIVE"] = "off" if deals.way == PLAIN else ""
            done = subprocess.run([*words, deals.game, deals.strategy], env=environment, capture_output=True, text=True)
            if done.returncode:
                raise SystemExit(f"{' '.join(deals)}: {done.stderr}")
            totals = re.search(r"^totals: (\d+)", (Path(folder) / "out").read_text(), re.M)
            assert totals
            return int(totals[1]) / int(done.stdout)


def count(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="bench.py count", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"without any: {' '.join(GAMES)}")
    either = parser.add_mutually_exclusive_group()
    either.add_argument("--against", metavar="REV", help="a commit to compare with")
    either.add_argument("--without", action="store_true", help="each definition in C in turn")
    given = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        trees = [Tree(HERE, Path(folder, "here"))]
        if given.against:
            if not (source := sources_of(given.against, Path(folder, "sources"))):
                print(f"{given.against} does not count itself yet")
                return 0
            trees.append(Tree(source, Path(folder, "then")))
        for problem in {tree.problem for tree in trees} - {""}:
            print(f"the native module is left out, because it cannot be built: {shorten(problem, 100)}")
        native = not any(tree.problem for tree in trees)
        if given.without:
            return int(not native) or print_savings(trees[0])
        every = [
            Deals(way, game, strategy)
            for game, (way, strategy) in product(given.games or GAMES, WAYS)
            if native or way == PLAIN
        ]
        return print_counts(every, in_parallel(trees, every))


def sources_of(revision: str, folder: Path) -> Path | None:
    """Extract the sources of a commit into a new folder, and return it; None if that commit has no `shards.py`."""
    archive = subprocess.run(["git", "-C", HERE, "archive", revision], check=True, stdout=subprocess.PIPE)
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as tar:
        tar.extractall(folder, filter="data")
    return folder if (folder / "bench/shards.py").exists() else None


def in_parallel(trees: Sequence[Tree], every: Sequence[Deals]) -> list[list[float]]:
    """Return the counts of each tree, counted on all cores."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        counts = [pool.map(tree.count, every) for tree in trees]
        return [[*each] for each in counts]


def print_counts(every: Sequence[Deals], counts: Sequence[Sequence[float]]) -> int:
    """Print the counts of each tree; return 1 if something has become slower."""
    slower, rows = False, []
    for deals, here, *there in zip(every, *counts, strict=True):
        ratios = [here / each for each in there]
        slower |= max(ratios, default=0) > ALARM
        compared = [f"{ratio:.4f}{' TOO MANY' * (ratio > ALARM)}" for ratio in ratios]
        rows.append((f"{deals.game}, `{deals.strategy}`", deals.way, f"{here:,.0f}", *compared))
    heads = "deals of", "played by", "instructions a deal", *["times as many as before"] * (len(counts) - 1)
    print(markdown(heads, rows), end="\n\n")
    print(conditions())
    return int(slower)


def print_savings(tree: Tree) -> int:
    """Print how many more instructions a deal has without each definition in C."""
    cases = [(names, Deals(NATIVE, *of.split())) for names, games in DEFINITIONS.items() for of in games]
    wholes = [*dict.fromkeys(deals for _, deals in cases)]
    changed = [deals._replace(without=" ".join(names)) for names, deals in cases]
    (counts,) = in_parallel([tree], [*wholes, *changed])
    by_deals = dict(zip([*wholes, *changed], counts, strict=True))
    rows = [
        (
            ", ".join(f"`{name}`" for name in names),
            f"{deals.game}, `{deals.strategy}`",
            f"{by_deals[less] / by_deals[deals]:.2f}",
        )
        for (names, deals), less in zip(cases, changed, strict=True)
    ]
    print(markdown(("without", "deals of", "times as many instructions"), rows), end="\n\n")
    print(conditions())
    return 0
