"""The worth of a place at the table, whoever sits there: in a block each entrant has each place equally often."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .moments import Moments


def worth_of_places(blocks: Iterable[Sequence[float]]) -> list[Moments]:
    """Return the mean of each place over blocks, with its error, from the net per deal of each place in each block."""
    places: list[Moments] = []
    for values in blocks:
        places = places or [Moments() for _ in values]
        for moments, value in zip(places, values, strict=True):
            moments.add(value)
    return places
