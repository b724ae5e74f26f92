"""Two runs on the same chance, compared entrant by entrant and block by block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from .differences import ROUNDING, Difference
from .distributions import LEAST_BLOCKS
from .moments import Moments
from .rows import BlockRow

BlockRows = Iterable[tuple[BlockRow, BlockRow]]


class Paired(NamedTuple):
    """An entrant's mean `there` and `here`, over the common `blocks`; in `changed` of them the results differ.

    `difference`: how far the second is above the first, None if fewer than ten changed. `times`: runs without common
    deals would need this many times the deals for the same precision; None if chance plays no part."""

    blocks: int
    changed: int
    there: float
    here: float
    difference: Difference | None = None
    times: float | None = None


def paired(rows: BlockRows) -> dict[int, Paired]:
    """Return the comparison of each entrant in the first rows.

    The second rows have the same places, whoever sits there."""
    sums: dict[int, list[float]] = {}
    changed = Counter[int]()
    for who, *both in paired_by_entrant(rows):
        own = sums.setdefault(who, [0.0] * 4)
        for at, more in enumerate(part for weight, x in both for part in (weight, weight * x)):
            own[at] += more
        changed[who] += both[0] != both[1]
    means = {who: (first / weight, second / other) for who, (weight, first, other, second) in sums.items()}
    missed = {who: (Moments(), Moments(), Moments()) for who in sums}
    for who, *both in paired_by_entrant(rows):
        there, here = (
            w * (x - mean) / whole for (w, x), mean, whole in zip(both, means[who], sums[who][::2], strict=True)
        )
        for moments, value in zip(missed[who], (there, here, here - there), strict=True):
            moments.add(value)
    return {who: paired_means(changed[who], *means[who], *missed[who]) for who in sums}


def paired_by_entrant(rows: BlockRows) -> Iterator[tuple[int, tuple[int, float], tuple[int, float]]]:
    """Yield the entrants of each block, with the weight and the value that each had there and here."""
    for there, here in rows:
        for who, x, y in zip(there.entrants, there.values, here.values, strict=True):
            yield who, (there.weight, x), (here.weight, y)


def paired_means(changed: int, there: float, here: float, first: Moments, second: Moments, both: Moments) -> Paired:
    """Compare two means by how much each block moved the one, the other, and their difference.

    The difference is that of two ratios (Cochran 1977); if all blocks weigh the same, it is the paired t."""
    if changed < LEAST_BLOCKS:
        return Paired(both.n, changed, there, here)
    one, other, standard = (moments.n * moments.standard for moments in (first, second, both))
    unpaired = one**2 + other**2
    difference = Difference.of(here - there, standard, both.n - 1, ROUNDING * (abs(there) + abs(here) + unpaired**0.5))
    return Paired(both.n, changed, there, here, difference, unpaired / standard**2 if difference.standard else None)
