"""What blocks come to natively, beside the definitions in Python: the same to the last digits."""

from __future__ import annotations

from array import array
from copy import deepcopy
from itertools import combinations
from random import Random
from types import ModuleType
from typing import Any

import pytest

from roundsim.statistics import cycles, differences, distributions, matrices, rating
from roundsim.statistics.rows import Row
from roundsim.tournament import blocks
from roundsim.tournament.blocks import Layout

ADDED = "add_equations", "add_missed", "add_games", "add_unexpected", "add_together", "add_largest"


def rows(n: int, many: int, seats: int) -> list[Row]:
    """Blocks of any length, of seats that some of n entrants take in any order."""
    chance, found = Random(n), []
    for block in range(1, many + 1):
        who, deals = tuple(chance.sample(range(n), seats)), chance.randrange(1, 20)
        ahead = [(deals, chance.randrange(2 * deals + 1) / 2) for _ in combinations(who, 2)]
        found.append(Row(block, deals, who, [chance.gauss(0, 9) for _ in who], ahead))
    return found


def near(one: Any, other: Any) -> bool:
    """Sums of floats are not added alike in every Python."""
    if isinstance(one, dict):
        return [*one] == [*other] and all(near(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(near, one, other))
    return one is other or one == pytest.approx(other, rel=1e-9, abs=1e-12) and type(one) is type(other)


@pytest.mark.parametrize("name", ADDED)
@pytest.mark.parametrize(("n", "seats"), [(4, 4), (9, 3), (2, 2), (40, 33)])  # of 33 at a table Python adds up
def test_blocks_are_added_up_alike(name: str, n: int, seats: int, core: ModuleType) -> None:
    chance = Random(5)
    numbers, square = [chance.gauss(0, 1) for _ in range(n)], [[0.5] * n for _ in range(n)]
    start: tuple[Any, ...] = (square, numbers)
    start = {"add_together": ({},), "add_largest": ({}, {})}.get(name, start)
    kept = [deepcopy(start), deepcopy(start)]
    for row in rows(n, 30, seats):
        made = [way(*own, row) for way, own in zip((getattr(core, name), core.definition(name)), kept, strict=True)]
        assert near(*made)
    assert near(*kept) and kept[0] != start


@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_matrices_come_out_alike(n: int, core: ModuleType) -> None:
    chance = Random(n)
    root = [[chance.gauss(0, 1) for _ in range(n + 3)] for _ in range(n)]
    matrix = [[sum(x * y for x, y in zip(one, other, strict=True)) for other in root] for one in root]
    before = deepcopy(matrix)
    bread = matrices.inverse(matrix)
    assert near(bread, core.definition("inverse")(matrix)) and matrix == before
    assert near(matrices.sandwich(bread, matrix), core.definition("sandwich")(bread, matrix))
    met = [[float(chance.randrange(9)) * (i != j) for j in range(n)] for i in range(n)]
    strength, won = ([chance.gauss(0, 2) for _ in range(n)] for _ in range(2))
    assert near(rating.slope_at(strength, met, won), core.definition("slope_at")(strength, met, won))


def test_what_is_not_usual_is_left_to_the_definitions() -> None:
    with pytest.raises(ZeroDivisionError):
        matrices.inverse([[0.0]])
    assert matrices.inverse([[2]]) == [[0.5]] and matrices.inverse([]) == [] and matrices.sandwich([], []) == []
    found: dict[tuple[int, int], list[float]] = {}
    cycles.add_together(found, Row(1, 2, [3, 1], [1, 4], ()))  # lists and whole numbers
    assert found == {(1, 3): [1, 2, 4, 6, 36, 12]}
    with pytest.raises(IndexError):
        differences.add_missed([[0.0]], [0.0], Row(1, 1, (0, 1), [1.0, 2.0], ()))


@pytest.mark.parametrize(("x", "a", "b"), [(0.3, 2.0, 5.0), (0.001, 0.5, 800.0), (0.99, 6000.0, 0.5), (0.5, 1.0, 1.0)])
def test_the_fraction_goes_on_as_long(x: float, a: float, b: float, core: ModuleType) -> None:
    assert near(distributions.fraction(x, a, b), core.definition("fraction")(x, a, b))


def packed(layout: Layout, many: int, entrants: int) -> array[int]:
    chance, numbers = Random(many), array("q")
    for block in range(1, many + 1):
        deals, pairs = chance.randrange(1, 30), layout.seats * (layout.seats - 1) // 2
        numbers.extend([block, deals, *[chance.randrange(entrants) for _ in range(layout.seats)]])
        numbers.extend(chance.randrange(-999, 999) for _ in range(2 * layout.seats))
        numbers.extend(chance.randrange(2 * deals + 1) for _ in range(pairs))
        numbers.extend(chance.randrange(-99, 99) for _ in range(layout.seats))
    return numbers


@pytest.mark.parametrize("seats", [1, 2, 4, 7, 21])  # 21 are more than usual
@pytest.mark.parametrize("entrants", [1, 3, 50])
@pytest.mark.parametrize(("scale", "mean"), [(1, True), (-1, True), (12, False)])
@pytest.mark.parametrize("compared", [False, True])
def test_rows_are_the_same(seats: int, entrants: int, scale: int, mean: bool, compared: bool, core: ModuleType) -> None:
    size = 2 + 4 * seats + seats * (seats - 1) // 2
    layout = Layout(size, seats, 2 + 2 * seats, scale, True, mean)
    numbers = packed(layout, 20, entrants)
    made, defined = (way(numbers, layout, compared) for way in (blocks.rows_of, core.definition("rows_of")))
    assert made == defined and len(made) == 20 and {*map(type, made)} == {Row}
    assert [[*map(type, row)] for row in made] == [[*map(type, row)] for row in defined]


def test_a_row_by_hand() -> None:
    """Two blocks of three seats with 4 deals; in the second entrant 5 has the first seat and the last."""
    net = [1, 4, 3, 5, 7, 10, -2, -8, 7, 1, 2, 0, 0, 0]  # ahead: twice the deals of 0 before 1, 0 before 2, 1 before 2
    other = [2, 4, 5, 1, 5, 10, -2, -8, 7, 1, 2, 0, 0, 0]
    layout = Layout(14, 3, 5, 1, True, True)
    one, two = blocks.rows_of(array("q", [*net, *other]), layout, True)
    assert one == Row(1, 4, (3, 5, 7), [2.5, -0.5, -2.0], [(4, 3.5), (4, 0.5), (4, 1.0)])
    assert two == Row(2, 4, (5, 1), [(10 - 8) / 8, -0.5], [(8, 3.5 + 4 - 1.0)])
