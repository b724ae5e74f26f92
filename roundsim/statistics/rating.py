"""One rating for all who met: how likely each is to be ahead of an average entrant.

A deal is as many games as it has pairs (full rank-breaking: Azari Soufiani and others 2013), an equal one half a game
to each. The chance that i is ahead of j is 1 / (1 + exp(strength[j] - strength[i])) (Bradley and Terry 1952). It says
who is ahead more often, whatever the order of the deals, and not who wins more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, combinations, repeat
from math import exp, hypot, sqrt
from operator import add, mul, sub
from typing import NamedTuple

from .distributions import LEAST_BLOCKS, student
from .matrices import Matrix, cholesky_root, dot, sandwich_root, solved, zeros
from .rows import BlockTable, Tables, add_products

LONGEST = 0.75  # step of a strength: a shorter one increases the likelihood each time, however far away it started
NEAR = 1e-6  # a step: the next would be about its square


class Rating(NamedTuple):
    """The chance to be ahead of an average entrant, and its error; None under ten blocks.

    The error is the distance to the farther end of its 95 % interval, which is computed from that of the strength."""

    chance: float
    error: float | None


def rate(tables: Tables, n: int) -> list[Rating | None]:
    """Return the ratings of n entrants; None for one that was never compared.

    Errors are from whole blocks (Liang and Zeger 1986)."""
    met, blocks = zeros(n), Counter[int]()
    won = [0.5] * n  # half a game is won of an average player, of one that is drawn
    for table in tables:
        add_games(met, won, table)
        blocks.update(chain(*table.entrants))
    strength, bread = likeliest(met, won)
    standards = strength_errors(tables, strength, bread) if max(blocks.values(), default=0) >= LEAST_BLOCKS else []

    def rating(i: int) -> Rating:
        chance = above(strength[i])
        if blocks[i] < LEAST_BLOCKS:
            return Rating(chance, None)
        far = student(blocks[i] - 1) * standards[i]
        return Rating(chance, max(above(strength[i] + far) - chance, chance - above(strength[i] - far)))

    return [rating(i) if any(met[i]) else None for i in range(n)]


def strength_errors(tables: Tables, strength: Sequence[float], bread: Matrix) -> list[float]:
    """Return the standard error of each strength, from the residuals of whole blocks."""
    meat, blocks = zeros(len(strength)), 0
    for table in tables:
        add_products(meat, table, unexpected(table, strength))
        blocks += len(table.blocks)
    return [hypot(*row) * sqrt(blocks / (blocks - 1)) for row in sandwich_root(bread, meat)]


def likeliest(met: Matrix, won: Sequence[float]) -> tuple[list[float], Matrix]:
    """Return the strengths with the largest likelihood, and the root of the information there, by Newton's method.

    Everybody has drawn a game with an average player, of strength 0, so the result is finite even for one that was
    always ahead."""
    strength, longest = [0.0] * len(won), 1.0
    while longest > NEAR:
        slope, information = slope_at(strength, met, won)
        bread = cholesky_root(information)
        (step,) = solved(bread, [slope])
        longest = max(map(abs, step))
        strength = [own + x * LONGEST / max(longest, LONGEST) for own, x in zip(strength, step, strict=True)]
    return strength, bread


def slope_at(strength: Sequence[float], met: Matrix, won: Sequence[float]) -> tuple[list[float], Matrix]:
    """Return how much more than expected each has won with these strengths, and the information there."""
    slope, information, odds = list(won), [], list(map(exp, strength))
    for i, own in enumerate(odds):
        expected = [own / (own + other) for other in odds]
        bends = [games * chance * (1 - chance) for games, chance in zip(met[i], expected, strict=True)]
        drawn = own / (own + 1)  # against the average player
        slope[i] -= drawn + dot(met[i], expected)
        information.append([-bend for bend in bends])
        information[i][i] += drawn * (1 - drawn) + sum(bends)
    return slope, information


def add_games(met: Matrix, won: list[float], table: BlockTable) -> None:
    """Add the games of some blocks."""
    for (mine, others), (games, ahead) in zip(combinations(table.entrants, 2), table.ahead, strict=True):
        for run in table.runs:
            i, j, many, first = mine[run.start], others[run.start], sum(games[run]), sum(ahead[run])
            met[i][j] += many
            met[j][i] += many
            won[i] += first
            won[j] += many - first


def unexpected(table: BlockTable, strength: Sequence[float]) -> list[list[float]]:
    """Return how much more than expected each has won in each block."""
    missed = [[0.0] * len(table.blocks) for _ in table.entrants]
    for (one, other), (games, ahead) in zip(combinations(range(len(missed)), 2), table.ahead, strict=True):
        more = list[float]()
        for run in table.runs:
            chance = above(strength[table.entrants[one][run.start]] - strength[table.entrants[other][run.start]])
            more += map(sub, ahead[run], map(mul, games[run], repeat(chance)))
        missed[one], missed[other] = list(map(add, missed[one], more)), list(map(sub, missed[other], more))
    return missed


def above(strength: float) -> float:
    return 1 / (1 + exp(-strength))
