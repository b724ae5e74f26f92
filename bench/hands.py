"""Evaluators of five cards:  python bench/bench.py hands

Each gets cards in its own form, made beforehand, one hand a call; ours gets the list of cards that a game has. They run in
turns, several times; the table has the medians. An evaluator that is not installed is left out and named."""

from __future__ import annotations

import random
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from conditions import conditions
from drawing import markdown

from roundsim.base.text import number
from roundsim.mechanics.hands import Ranking
from roundsim.odds.count import RANKINGS
from roundsim.table.cards import JOKER, PACK, PACK_60, Card

HANDS, TIMES = 50_000, 9
ECCENTRIC = dict.fromkeys(("blaze", "skip", "tiger", "round"), "true")


class Evaluator(NamedTuple):
    """An evaluator with the hands that it gets: each as one argument, or as five if `apart`."""

    name: str
    evaluate: Callable[..., object]
    hands: Sequence[Any]
    apart: bool = False

    def rate(self) -> float:
        """Return the hands that it evaluates in a CPU second."""
        evaluate, start = self.evaluate, process_time()
        if self.apart:
            for hand in self.hands:
                evaluate(*hand)
        else:
            for hand in self.hands:
                evaluate(hand)
        return len(self.hands) / (process_time() - start)


def ours(name: str, options: Mapping[str, str | bool], chance: random.Random, pack: Sequence[Card] = PACK) -> Evaluator:
    return Evaluator(f"ours, {name}", Ranking(**options).key, [chance.sample(pack, 5) for _ in range(HANDS)])


def treys(dealt: Sequence[Sequence[Card]]) -> Iterator[Evaluator]:
    import treys

    own = [[treys.Card.new(card) for card in hand] for hand in dealt]
    yield Evaluator("treys, `Evaluator()._five`", treys.Evaluator()._five, own)


def phevaluator(dealt: Sequence[Sequence[Card]]) -> Iterator[Evaluator]:
    import phevaluator
    from phevaluator.evaluator import evaluate_5cards

    ids = [[phevaluator.Card(str(card)).id_ for card in hand] for hand in dealt]
    for evaluate in evaluate_5cards, phevaluator.evaluate_cards:
        yield Evaluator(f"phevaluator, `{evaluate.__name__}`", evaluate, ids, apart=True)


def eval7(dealt: Sequence[Sequence[Card]]) -> Iterator[Evaluator]:
    import eval7

    own = {card: eval7.Card(card) for card in PACK}
    yield Evaluator("eval7, `evaluate`", eval7.evaluate, [[own[card] for card in hand] for hand in dealt])


def evaluators() -> tuple[list[Evaluator], list[str]]:
    """Return ours and the installed ones of others, and the versions of these."""
    chance, installed = random.Random(1891), list[str]()
    every = [ours("plain ranking", {}, chance)]
    for theirs in treys, phevaluator, eval7:
        name = theirs.__name__
        try:
            every += theirs(every[0].hands)
            installed.append(f"{name} {version(name)}")
        except ImportError:
            print(f"{name} is left out: pip install -e '.[bench]'")
    every += [
        ours("English ranking", RANKINGS["english"], chance),
        ours('`suits = "hearts-top"`', {"suits": "hearts-top"}, chance),
        ours("all eccentric hands", ECCENTRIC, chance),
        ours("pack of 60", {"pack": "60"}, chance, PACK_60),
        ours("pack of 53", {}, chance, (*PACK, JOKER)),
        ours("English ranking, pack of 53", RANKINGS["english"], chance, (*PACK, JOKER)),
    ]
    return every, installed


def hands(words: Sequence[str]) -> int:
    ArgumentParser(prog="bench.py hands", description=__doc__).parse_args(words)
    every, installed = evaluators()
    for each in every:  # fill tables, warm up memory
        each.rate()
    rates = [[each.rate() for each in every] for _ in range(TIMES)]
    medians = [median(rate) for rate in zip(*rates, strict=True)]
    rows = [
        (each.name, f"{rate / 1e6:.2f}", f"{rate / medians[0]:.2f}") for each, rate in zip(every, medians, strict=True)
    ]
    print(markdown(("evaluator", "million hands a CPU second", "against ours"), rows), end="\n\n")
    print(conditions(*installed, f"the median of {TIMES} times {number(HANDS)} hands"))
    return 0
