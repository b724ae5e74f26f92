"""Instructions a deal, under callgrind, here and at another commit:  python bench/bench.py count [GAME ...] [--against
REV]

It counts the native code if that is built. The deals are the same every time, after as many to warm up. Repeats agree
to 1 in 500 or better, so one in a hundred is visible on any machine. The exit code is 1 if more than 1.03 times as many
are counted as at REV."""

from __future__ import annotations

import argparse
import io
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

HERE = Path(__file__).parent.parent
GAMES = ("nap", "draw-poker", "pope-joan", "cassino")
STRATEGIES = ("random", "book")
ALARM = 1.03


def count(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="bench.py count", description=__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"without any: {' '.join(GAMES)}")
    parser.add_argument("--against", metavar="REV", help="a commit to compare with")
    given = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        trees = [HERE]
        if given.against:
            there = Path(folder) / "there"
            archive = subprocess.run(["git", "-C", HERE, "archive", given.against], check=True, stdout=subprocess.PIPE)
            with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as tar:
                tar.extractall(there, filter="data")
            if not (there / "bench/shards.py").exists():
                print(f"{given.against} does not count itself yet")
                return 0
            trees.append(there)
        whats = list(product(given.games or GAMES, STRATEGIES))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            counts = [pool.map(lambda what, tree=tree: counted(tree, *what), whats) for tree in trees]
            return table(whats, [[*each] for each in counts])


def counted(tree: Path, game: str, strategy: str) -> float:
    """Return instructions a deal in this source tree."""
    with tempfile.TemporaryDirectory() as folder:
        for package, source in ("roundsim", "roundsim"), ("roundsim_strategies", "strategies"):
            (Path(folder) / package).symlink_to(tree / source)
        under = [
            "setarch",
            "-R",
            "valgrind",
            "--tool=callgrind",
            "--instr-atstart=no",
            f"--callgrind-out-file={folder}/out",
        ]
        done = subprocess.run(
            [*under, sys.executable, tree / "bench/shards.py", game, strategy],
            env={**os.environ, "PYTHONPATH": folder, "PYTHONHASHSEED": "0", "ROUNDSIM_NATIVE": "off"},
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise SystemExit(f"{game}, {strategy}: {done.stderr}")
        summary = re.search(r"^summary: (\d+)$", (Path(folder) / "out").read_text(), re.M)
        assert summary
        return int(summary[1]) / int(done.stdout)


def table(whats: Sequence[tuple[str, str]], counts: Sequence[Sequence[float]]) -> int:
    """Print the counts; return 1 if something has become slower."""
    slower = 0
    for what, here, *there in zip(whats, *counts, strict=True):
        ratios = [here / each for each in there]
        slower += max(ratios, default=0) > ALARM
        told = [f"{ratio:8.4f} times as many{'  TOO MANY' * (ratio > ALARM)}" for ratio in ratios]
        print(f"  {what[0]:<16} {what[1]:<8} {here:14,.0f} instructions a deal", *told)
    return int(slower > 0)
