"""The odds that Foster prints ("The Poker Family", Probabilities and Variety), and the true ones.

Only his figures are written down here; the exact ones are counted when needed. For the draw he does not say what was
discarded; the cards put out here help no hand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, floor
from typing import NamedTuple

from ..mechanics.hands import Ranking
from ..table.cards import PACK, RANKS, Card, cards
from .count import kinds, odds, rules_of

COURT = {"court": comb(12, 5)}  # five of the twelve court cards, whatever class they are of

DEAL: tuple[tuple[dict[str, str], tuple[tuple[str, str, str], ...]], ...] = (  # options: hand, his odds, class
    (
        {},
        (
            ("no pair", "even", "high"),
            ("pair", "34 : 25", "pair"),
            ("two pairs", "20", "two-pairs"),
            ("threes", "46", "threes"),
            ("threes", "1 in 45", "threes"),
            ("straight", "254", "straight"),
            ("flush", "508", "flush"),
            ("full hand", "693", "full"),
            ("fours", "4164", "fours"),
            ("straight flush, not royal", "72192", "straight-flush"),
            ("royal flush", "649739", "royal"),
            ("five court cards, of any class", "", "court"),
        ),
    ),
    (
        {"blaze": "foster", "skip": "foster", "tiger": "foster", "round": "foster"},
        (
            ("blaze, below threes", "3008", "blaze"),
            ("skip straight", "423", "skip"),
            ("tiger", "636", "tiger"),
            ("round-the-corner straight", "848", "round"),
        ),
    ),
    ({"blaze": "true"}, (("blaze, below fours", "3008", "blaze"),)),
)


class DrawEvent(NamedTuple):
    """A class that a draw may make, or the classes from `least` to `most`; of the least one only from `rank` up."""

    name: str
    printed: str
    least: str
    most: str = ""
    rank: str = "2"


class FosterDraw(NamedTuple):
    """A draw to `held` when `out` were discarded."""

    name: str
    held: str
    out: str
    events: tuple[DrawEvent, ...]


DRAWS_TABLE = """
three to a pair: 9s 9h | Kc 7d 2s
    any improvement              2½       two-pairs to fives
    ... of tens                  1 in 5   two-pairs to fives
    ... of queens                1 in 3½  two-pairs to fives
    threes                       8        threes
    two pairs                    8        two-pairs
    two pairs or threes          8        two-pairs to threes
    full hand                    61       full
    fours                        364      fours
two to a pair and an ace: 9s 9h Ac | 7d 2s
    any improvement              4        two-pairs to fives
    any improvement              1 in 4   two-pairs to fives
    threes                       12       threes
    two pairs                    8        two-pairs
    ... aces up                  8        two-pairs from A
one to two pairs: 9s 9h 4c 4d | As
    full hand                    12       full
    full hand                    1 in 13  full
two to threes: 9s 9h 9c | Kd 2s
    any improvement              8        full to fives
    full hand                    14½      full
    fours                        23       fours
one to threes and a card: 9s 9h 9c Kd | 2s
    any improvement              12       full to fives
    full hand                    16       full
    fours                        46       fours
one to a straight with a gap or one end: 9s 8h 6c 5d | Kc
    straight                     11       straight
one to a straight with both ends open: 9s 8h 7c 6d | Kc
    straight                     5        straight
one to four of a suit: Ks Ts 7s 3s | 9h
    flush                        4½       flush
    flush                        4        flush
two to three of a suit: Ks Ts 7s | 3d 9h
    flush                        23       flush
three to two of a suit: Ks 7s | Tc 3d 9h
    flush                        95       flush
one to a straight flush, both ends open: 9s 8s 7s 6s | Kh
    straight or better           3        straight to fives
    straight flush               24       straight-flush
    pair or better               -        pair to fives
one to a straight flush, a gap or one end: 9s 8s 6s 5s | Kh
    straight or better           4        straight to fives
    straight flush               46       straight-flush
three to ace and king: As Kh | 9c 6d 2s
    pair of either               3        pair from K
    pair of either, or better    -        pair to fives from K
four to an ace: As | Jh 8c 6d 3h
    pair of aces                 4        pair from A
    pair of aces, or better      -        pair to fives from A
    aces up, or better           12       two-pairs to fives from A
two to a straight, both ends open: 9s 8h 7c | Kd 2s
    straight                     24       straight to fives
two to a straight flush, both ends open: 9s 8s 7s | Kd 2h
    straight or better           12       straight to fives
"""  # what is drawn to: held | put out; then the events, with his odds and the classes, the least from a rank up


def read_draws(table: str) -> Iterator[FosterDraw]:
    """Yield the draws of a table."""
    for part in re.split(r"\n(?=\S)", table.strip("\n")):
        head, *lines = part.splitlines()
        name, held, out = re.split(r": | \| ", head)
        events = [re.split(r"\s{2,}", line.strip()) for line in lines]
        yield FosterDraw(name, held, out, tuple([draw_event(*event) for event in events]))


def draw_event(name: str, printed: str, classes: str) -> DrawEvent:
    between, _, rank = classes.partition(" from ")
    least, _, most = between.partition(" to ")
    return DrawEvent(name, printed.removeprefix("-"), least, most, rank or "2")


DRAWS = tuple(read_draws(DRAWS_TABLE))


@dataclass(frozen=True)
class PrintedOdds:
    """Odds as a book prints them: "2½" to 1, "34 : 25", "even", "1 in 45"; they are about `hits` out of `of`."""

    printed: str
    hits: int
    of: int

    @property
    def to(self) -> int:
        return int(self.printed.partition(" : ")[2] or 1)

    @property
    def value(self) -> Fraction:
        figure = self.printed.removeprefix("1 in ").partition(" : ")[0]
        return Fraction(1) if figure == "even" else int(figure.rstrip("½")) + Fraction(figure.endswith("½"), 2)

    @property
    def exact(self) -> Fraction:
        """The true figure, in the same form."""
        return Fraction(self.of if self.printed.startswith("1 in ") else (self.of - self.hits) * self.to, self.hits)

    @property
    def rounded(self) -> Fraction:
        """The true figure as precisely as this one is printed: to whole numbers, or to halves."""
        parts = 2 if self.printed.endswith("½") else 1
        return Fraction(floor(self.exact * parts + Fraction(1, 2)), parts)

    @property
    def verdict(self) -> str:
        """The word for it: exact; right, if correct as printed; near, if within a tenth of the true figure; else
        wrong."""
        if not self.printed:
            return ""
        if self.value in (self.exact, self.rounded):
            return "exact" if self.value == self.exact else "right"
        return "near" if abs(self.value - self.exact) <= self.exact / 10 else "wrong"


def of_the_deal() -> Iterator[tuple[str, PrintedOdds]]:
    """Yield the hands as they are dealt, in Foster's words, and the odds that he prints for them."""
    for options, rows in DEAL:
        dealt = odds(rules_of(given=options))
        for hand, printed, kind in rows:
            yield hand, PrintedOdds(printed, (dealt.counts | COURT)[kind], dealt.draws)


def of_the_draw() -> Iterator[tuple[FosterDraw, list[tuple[DrawEvent, PrintedOdds]]]]:
    """Yield the draws that Foster lists, with the hands that each may make and the odds that he prints for them."""
    ranking = rules_of().ranking
    for draw in DRAWS:
        held, out = cards(draw.held), cards(draw.out)
        drawn = list(kinds(held, [card for card in PACK if card not in held and card not in out]))
        of = sum(ways for _, ways in drawn)
        hits = [sum(ways for hand, ways in drawn if comes(event, hand, ranking)) for event in draw.events]
        yield draw, [(event, PrintedOdds(event.printed, hit, of)) for event, hit in zip(draw.events, hits, strict=True)]


def comes(event: DrawEvent, hand: Sequence[Card], ranking: Ranking) -> bool:
    position, least = ranking.position(hand), ranking.positions[event.least]
    if position == least:
        return max([card.rank for card in ranking.grouped(hand)]) >= RANKS[event.rank]
    return least < position <= ranking.positions[event.most or event.least]
