"""One rating for all who met: how likely each is to be ahead of an average entrant.

A deal is as many games as it has pairs (full rank-breaking: Azari Soufiani and others 2013), an equal one half a game to
each; i is ahead of j with a chance of 1 / (1 + exp(strength[j] - strength[i])) (Bradley and Terry 1952).  It tells who is
more often ahead, whatever the order of the deals, and not who wins more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from math import exp, sqrt
from typing import NamedTuple

from ..native import native
from .distributions import LEAST_BLOCKS, student
from .matrices import Matrix, add_square, inverse, sandwich, times, zeros
from .rows import Row

LONGEST = 0.75  # step of a strength: a shorter one makes what was won likelier each time, however far off it began
NEAR = 1e-6  # a step: the next would be about its square


class Rating(NamedTuple):
    """The chance to be ahead of an average entrant, and how far its 95 % interval reaches, which is that of the strength, to
    the farther side; None under ten blocks."""

    chance: float
    error: float | None


def rate(rows: Iterable[Row], n: int) -> list[Rating | None]:
    """The ratings of n entrants; None for who was never compared.  Errors from whole blocks (Liang and Zeger 1986)."""
    met, won, blocks = zeros(n), [0.5] * n, [0] * n  # half a game is won of an average player, of one that is drawn
    for row in rows:
        add_games(met, won, row)
        for i in row.entrants:
            blocks[i] += 1
    strength, bread = likeliest(met, won)
    meat, many = zeros(n), 0
    for row in rows:
        many += 1
        add_unexpected(meat, strength, row)
    covariance = sandwich(bread, meat)

    def rating(i: int) -> Rating:
        chance = above(strength[i])
        if blocks[i] < LEAST_BLOCKS:
            return Rating(chance, None)
        far = student(blocks[i] - 1) * sqrt(max(0.0, covariance[i][i]) * many / (many - 1))
        return Rating(chance, max(above(strength[i] + far) - chance, chance - above(strength[i] - far)))

    return [rating(i) if any(met[i]) else None for i in range(n)]


def likeliest(met: Matrix, won: Sequence[float]) -> tuple[list[float], Matrix]:
    """The strengths that make what was won likeliest, and the inverse of the information there, by Newton's method.

    Everybody has drawn a game with an average player, of strength 0: so it is finite even for who was always ahead."""
    strength, longest = [0.0] * len(won), 1.0
    while longest > NEAR:
        slope, information = slope_at(strength, met, won)
        bread = inverse(information)
        step = times(bread, slope)
        longest = max(map(abs, step))
        strength = [own + x * LONGEST / max(longest, LONGEST) for own, x in zip(strength, step, strict=True)]
    return strength, bread


@native
def slope_at(strength: Sequence[float], met: Matrix, won: Sequence[float]) -> tuple[list[float], Matrix]:
    """How much more than expected each has won, if these are the strengths, and the information there."""
    slope, information = list(won), zeros(len(won))
    for i, own in enumerate(strength):
        expected = above(own)
        slope[i] -= expected
        information[i][i] += expected * (1 - expected)
        for j, games in enumerate(met[i]):
            expected = above(own - strength[j])
            bend = games * expected * (1 - expected)
            slope[i] -= games * expected
            information[i][i] += bend
            information[i][j] -= bend
    return slope, information


@native
def add_games(met: Matrix, won: list[float], row: Row) -> None:
    """Add the games of a block."""
    for i, j, games, ahead in compared(row):
        met[i][j] += games
        met[j][i] += games
        won[i] += ahead
        won[j] += games - ahead


@native
def add_unexpected(meat: Matrix, strength: Sequence[float], row: Row) -> None:
    """Add what each has won in a block more than expected, two by two."""
    missed = dict.fromkeys(row.entrants, 0.0)
    for i, j, games, ahead in compared(row):
        more = ahead - games * above(strength[i] - strength[j])
        missed[i] += more
        missed[j] -= more
    add_square(meat, row.entrants, list(missed.values()))


def compared(row: Row) -> Iterator[tuple[int, int, int, float]]:
    """Of each two of a block: who they are, how often they were compared, and how often the first was ahead."""
    for (i, j), (games, ahead) in zip(combinations(row.entrants, 2), row.ahead, strict=True):
        yield i, j, games, ahead


def above(strength: float) -> float:
    return 1 / (1 + exp(-strength))
