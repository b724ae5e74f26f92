"""Rounds in which everything has its turn: their number and their length, from the command line."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T", int, float)


def above_0(kind: Callable[[str], T]) -> Callable[[str], T]:
    """Return a parser for numbers of this type above 0."""

    def read(given: str) -> T:
        try:
            value = kind(given)
        except ValueError:
            value = kind("0")
        if not 0 < value < 10**6:
            raise ArgumentTypeError(f"{given}: a number above 0 was expected")
        return value

    return read


def parser(name: str, help: str | None, rounds: int) -> ArgumentParser:
    """Return the argument parser of a program that has `--rounds` and `--size`."""
    parser = ArgumentParser(prog=f"bench.py {name}", description=help)
    parser.add_argument("--rounds", type=above_0(int), default=rounds, metavar="N", help=f"turns of each [{rounds}]")
    parser.add_argument("--size", type=above_0(float), default=1.0, metavar="X", help="so many times the deals [1]")
    return parser


def scaled(deals: float, size: float) -> int:
    return max(1, round(deals * size))
