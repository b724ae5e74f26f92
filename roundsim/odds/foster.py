"""The odds that Foster prints ("The Poker Family", Probabilities and Variety), and the true ones.

Only his figures are written down here; the exact ones are counted when needed. For the draw he does not say what was
discarded; the cards put out here help no hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, floor
from typing import NamedTuple

from ..mechanics.hands import Ranking
from ..table.cards import PACK, RANKS, Card, cards
from .count import kinds, odds, rules_of

BEST = "fives"
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

    words: str
    printed: str
    least: str
    most: str = ""
    rank: str = "2"


class FosterDraw(NamedTuple):
    """A draw to `held` when `out` were discarded."""

    words: str
    held: str
    out: str
    events: tuple[DrawEvent, ...]


DRAWS = (
    FosterDraw(
        "three to a pair",
        "9s 9h",
        "Kc 7d 2s",
        (
            DrawEvent("any improvement", "2½", "two-pairs", BEST),
            DrawEvent("... of tens", "1 in 5", "two-pairs", BEST),
            DrawEvent("... of queens", "1 in 3½", "two-pairs", BEST),
            DrawEvent("threes", "8", "threes"),
            DrawEvent("two pairs", "8", "two-pairs"),
            DrawEvent("two pairs or threes", "8", "two-pairs", "threes"),
            DrawEvent("full hand", "61", "full"),
            DrawEvent("fours", "364", "fours"),
        ),
    ),
    FosterDraw(
        "two to a pair and an ace",
        "9s 9h Ac",
        "7d 2s",
        (
            DrawEvent("any improvement", "4", "two-pairs", BEST),
            DrawEvent("any improvement", "1 in 4", "two-pairs", BEST),
            DrawEvent("threes", "12", "threes"),
            DrawEvent("two pairs", "8", "two-pairs"),
            DrawEvent("... aces up", "8", "two-pairs", rank="A"),
        ),
    ),
    FosterDraw(
        "one to two pairs",
        "9s 9h 4c 4d",
        "As",
        (DrawEvent("full hand", "12", "full"), DrawEvent("full hand", "1 in 13", "full")),
    ),
    FosterDraw(
        "two to threes",
        "9s 9h 9c",
        "Kd 2s",
        (
            DrawEvent("any improvement", "8", "full", BEST),
            DrawEvent("full hand", "14½", "full"),
            DrawEvent("fours", "23", "fours"),
        ),
    ),
    FosterDraw(
        "one to threes and a card",
        "9s 9h 9c Kd",
        "2s",
        (
            DrawEvent("any improvement", "12", "full", BEST),
            DrawEvent("full hand", "16", "full"),
            DrawEvent("fours", "46", "fours"),
        ),
    ),
    FosterDraw(
        "one to a straight with a gap or one end", "9s 8h 6c 5d", "Kc", (DrawEvent("straight", "11", "straight"),)
    ),
    FosterDraw("one to a straight with both ends open", "9s 8h 7c 6d", "Kc", (DrawEvent("straight", "5", "straight"),)),
    FosterDraw(
        "one to four of a suit",
        "Ks Ts 7s 3s",
        "9h",
        (DrawEvent("flush", "4½", "flush"), DrawEvent("flush", "4", "flush")),
    ),
    FosterDraw("two to three of a suit", "Ks Ts 7s", "3d 9h", (DrawEvent("flush", "23", "flush"),)),
    FosterDraw("three to two of a suit", "Ks 7s", "Tc 3d 9h", (DrawEvent("flush", "95", "flush"),)),
    FosterDraw(
        "one to a straight flush, both ends open",
        "9s 8s 7s 6s",
        "Kh",
        (
            DrawEvent("straight or better", "3", "straight", BEST),
            DrawEvent("straight flush", "24", "straight-flush"),
            DrawEvent("pair or better", "", "pair", BEST),
        ),
    ),
    FosterDraw(
        "one to a straight flush, a gap or one end",
        "9s 8s 6s 5s",
        "Kh",
        (DrawEvent("straight or better", "4", "straight", BEST), DrawEvent("straight flush", "46", "straight-flush")),
    ),
    FosterDraw(
        "three to ace and king",
        "As Kh",
        "9c 6d 2s",
        (
            DrawEvent("pair of either", "3", "pair", rank="K"),
            DrawEvent("pair of either, or better", "", "pair", BEST, rank="K"),
        ),
    ),
    FosterDraw(
        "four to an ace",
        "As",
        "Jh 8c 6d 3h",
        (
            DrawEvent("pair of aces", "4", "pair", rank="A"),
            DrawEvent("pair of aces, or better", "", "pair", BEST, rank="A"),
            DrawEvent("aces up, or better", "12", "two-pairs", BEST, rank="A"),
        ),
    ),
    FosterDraw(
        "two to a straight, both ends open",
        "9s 8h 7c",
        "Kd 2s",
        (DrawEvent("straight", "24", "straight", BEST),),
    ),
    FosterDraw(
        "two to a straight flush, both ends open",
        "9s 8s 7s",
        "Kd 2h",
        (DrawEvent("straight or better", "12", "straight", BEST),),
    ),
)


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
        for words, printed, name in rows:
            yield words, PrintedOdds(printed, (dealt.counts | COURT)[name], dealt.draws)


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
