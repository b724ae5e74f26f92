"""Answers compared in the same imagined deals."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import sqrt
from typing import TypeVar

T = TypeVar("T")


def best_answer(
    tried: Sequence[T], play_out: Callable[[Iterable[T]], Mapping[T, int] | None], playouts: int, sure: float
) -> T:
    """Return the answer with the best mean net; the first, unless another is better by `sure` standard errors.

    `play_out` tries answers in another deal, and returns the net of each, in counters; None ends the trial. `playouts`:
    how many there are, for all answers together. After every few deals the worse half of the answers is dropped. Raises
    ValueError if there is nothing to try.

    >>> from roundsim.strategy import best_answer
    >>> best_answer(["pass", "call 3"], lambda tried: {"pass": 0, "call 3": 3}, playouts=20, sure=2)
    'call 3'"""
    nets: dict[T, list[int]] = {answer: [] for answer in tried}
    for rounds in range((len(tried) - 1).bit_length(), 0, -1):
        deals = max(2, playouts // (rounds * len(nets)))
        playouts -= deals * len(nets)
        for _ in range(deals):
            brought = play_out(nets)
            if brought is None:
                return surely_best(nets, sure)
            for answer, net in brought.items():
                nets[answer].append(net)
        own, *others = nets.items()
        others.sort(key=lambda item: -sum(item[1]))
        nets = dict([own, *others[: max(1, len(others) // 2)]])
    return surely_best(nets, sure)


def surely_best(nets: Mapping[T, Sequence[int]], sure: float) -> T:
    """Return the answer with the best mean; the first, unless the gain over it is sure enough."""
    (best, own), *others = nets.items()
    least = 0.0
    for answer, row in others:
        gains = [one - other for one, other in zip(row, own, strict=True)]
        if len(gains) > 1:
            mean = sum(gains) / len(gains)
            spread = sqrt(sum([(gain - mean) ** 2 for gain in gains]) / (len(gains) - 1) / len(gains))
            if mean > max(least, sure * spread):
                best, least = answer, mean
    return best
