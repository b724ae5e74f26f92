"""The worth of a place at the table, whoever sits there: in a block each entrant has each place equally often."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .moments import Moments


def worth_of_places(tables: Iterable[Sequence[Sequence[float]]]) -> list[Moments]:
    """Return the mean of each place over blocks, with its error.

    A table has a column for each place: its net per deal in each block."""
    places: list[Moments] = []
    for columns in tables:
        places = places or [Moments() for _ in columns]
        for moments, column in zip(places, columns, strict=True):
            moments.add_all(column)
    return places
