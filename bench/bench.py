"""The measures of roundsim:  python bench/bench.py [WHAT [OPTION ...]]

WHAT is worker, commands, hands, peers, learners, count, curves or verdicts; `bench.py WHAT --help` explains it and its
options. Without any: the first five."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from commands import commands
from count import count
from curves import curves
from hands import hands
from learners import learners
from peers import peers
from verdicts import verdicts
from worker import worker

SPEEDS: tuple[Callable[[Sequence[str]], int], ...] = worker, commands, hands, peers, learners
MEASURES = {each.__name__: each for each in (*SPEEDS, count, curves, verdicts)}


def main(words: Sequence[str]) -> int:
    """Run the measure that the first word names, with the others; without words, all speeds."""
    if not words:
        return max(speed([]) for speed in SPEEDS)
    if words[0] not in MEASURES:
        print(__doc__)
        return int(words[0] not in ("-h", "--help")) * 2
    return MEASURES[words[0]](words[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
