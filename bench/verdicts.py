"""Tests of what verdicts promise:  python bench/bench.py verdicts [FIELD ...] [--size 0.05]

Blocks of a field are really played. Tournaments are then drawn from them, with replacement and a named seed, so the
truth is known: it is the result of all these blocks. `--size 0.05` draws a twentieth of them. The exit code is 1 if a
promise is broken; chance alone does that less than once in 10 000 times."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations
from math import inf, sqrt
from random import Random
from statistics import NormalDist, fmean, pstdev, quantiles

from pools import Field, Line, Pool, about_0, beyond, value_of

from roundsim.statistics.company import company
from roundsim.statistics.cycles import cycles
from roundsim.statistics.differences import fit
from roundsim.statistics.groups import first_level, holm
from roundsim.statistics.planning import more_blocks
from roundsim.statistics.rows import BlockRow, tables_of
from roundsim.statistics.stopping import Decision, Mixture
from roundsim.tournament.judging.standings import standings
from roundsim.tournament.judging.verdicts import Verdicts
from roundsim.tournament.planning.plan import Stopping
from roundsim.tournament.planning.stopping_rule import Width, mean_half_width, stopping_rule
from roundsim.tournament.results.totals import BlockRecord

COVERED = 10, 20, 63  # blocks of the tournaments whose intervals are tested
LONGEST = 1200  # blocks that a rule looks at
# blocks that make a difference significant four times in five, and those after which they are predicted
NEED, PREDICTED_AFTER = 125, 63
NORMAL = NormalDist().inv_cdf


# Intervals.


def coverage(pool: Pool) -> Iterator[Line]:
    """Test how often each printed interval contains the truth, over all entrants for which it is printed."""
    truth = {of: value for of, value, _, _ in printed(pool, pool.blocks)}
    for blocks, least in zip(COVERED, pool.field.covers, strict=True):
        times, chance, held = pool.times(8000), pool.chance(f"coverage {blocks}"), Counter[Hashable]()
        for _ in range(times):
            for of, _, low, high in printed(pool, chance.choices(pool.blocks, k=blocks)):
                held[of] += low <= truth[of] <= high
        for what in dict.fromkeys([what for what, _ in truth]):
            counts = [held[of] for of in truth if of[0] == what]
            yield pool.shares(f"± of {what}", blocks, times, counts, least)


def printed(pool: Pool, blocks: Iterable[BlockRecord]) -> Iterator[tuple[tuple[str, Hashable], float, float, float]]:
    """Yield every figure with an interval in the tables of a tournament: what it is of, itself, its two limits."""
    fold = pool.fold(blocks)
    verdicts = Verdicts(pool.entry, fold, pool.field.title)
    for row in standings(pool.entry, fold.tally):
        for measure in pool.entry.format.measures:
            figure, of = row.figures[measure.key], (measure.column, row.strategy)
            value = figure.value or 0.0
            yield of, value, *(figure.limits or around(value, figure.error))
    for pair, each in verdicts.pairs.items():
        yield ("difference", pair), each.value, *around(each.value, each.error)
    for who, rating in enumerate(verdicts.ratings):
        assert rating
        yield ("ahead", who), rating.chance, *around(rating.chance, rating.error)
    for name, moments in verdicts.places:
        yield ("places", name), moments.mean, *around(moments.mean, moments.error)


def around(value: float, error: float | None) -> tuple[float, float]:
    """Return the limits of an interval. If none is printed, because all blocks are alike, it promises nothing."""
    return (-inf, inf) if error is None else (value - error, value + error)


def width(pool: Pool) -> Iterator[Line]:
    """Test how often means contain the truth if play stops as soon as no interval is wider: here, after about 150
    blocks."""
    entrants = range(len(pool.entry.strategies))
    values = [[value_of(row, who) for row in pool.rows] for who in entrants]
    most = 1.96 * max(map(pstdev, values)) / sqrt(150)
    times, chance, held, ended = pool.times(8000), pool.chance("width"), Counter[int](), list[int]()
    for _ in range(times):
        rule, _ = stopping_rule(pool.entry, Stopping(f"±{most:.6f}"))
        assert isinstance(rule, Width)
        while rule.decision() is Decision.UNDECIDED:
            rule.add(chance.choice(pool.rows))
        ended.append(int(rule.sums[0][0]))
        for who, sums in zip(entrants, rule.sums, strict=True):
            held[who] += abs(sums[1] / sums[4] - fmean(values[who])) <= mean_half_width(sums)
    counts = [held[who] for who in entrants]
    yield pool.shares("± when `--until ±W` stops", round(fmean(ended)), times, counts, pool.field.covers[-1])


# Stopping rules.


def stopping(pool: Pool) -> Iterator[Line]:
    yield from decided(pool, "a difference", pool.differences)


def stopping_of_net(pool: Pool) -> Iterator[Line]:
    """Test the rule on numbers with even longer tails. It waits longer, while one block has a fifth of the squares."""
    yield from decided(pool, "a net", about_0([value_of(row, pool.field.pair[0]) for row in pool.rows]), (220, 300))


def stopping_of_shadow(pool: Pool) -> Iterator[Line]:
    """Test the rule where most sittings do not change; the gains are scaled so that they make up for the losses."""
    one, other = pool.field.pair
    numbers = [value_of(row, one) - value_of(row, other) for row in pool.rows]
    scale = -sum(each for each in numbers if each < 0) / sum(each for each in numbers if each > 0)
    yield from decided(pool, "a shadow", [each * scale if each > 0 else each for each in numbers], ends=None)


def decided(
    pool: Pool, what: str, numbers: Sequence[float], ends: tuple[float, float] | None = (220, 250)
) -> Iterator[Line]:
    """Test the rule on numbers around 0 after every block: what it decides if the truth is 0, and if it is 0.2 sd more.

    `ends`: after how many blocks it is promised to decide then, on average."""
    times, chance = pool.times(16000), pool.chance(f"stopping {what}")
    wrong = sum(verdict(numbers, 0.0, chance)[0] is not Decision.UNDECIDED for _ in range(times))
    yield pool.shares(f"{what}: decided, and is 0", LONGEST, times, [wrong], most=0.05)
    shift, times = 0.2 * pstdev(numbers), pool.times(16000)
    found = [verdict(numbers, -shift, chance) for _ in range(times)]
    if ends:
        yield pool.mean(f"{what}: ends, at 0.2 sd, after blocks", LONGEST, [looked for _, looked, _ in found], *ends)
    right = sum(decision is Decision.BETTER for decision, _, _ in found)
    yield pool.shares(f"{what}: right, at 0.2 sd", LONGEST, times, [right], 0.99)
    held = sum(low <= 0 <= high for _, _, (low, high) in found)
    yield pool.shares(f"{what}: limits at the end hold it", LONGEST, times, [held], 0.95)


def verdict(numbers: Sequence[float], delta: float, chance: Random) -> tuple[Decision, int, tuple[float, float]]:
    """Return the decision on their mean against delta, after how many numbers, and the limits at that time."""
    mixture, drawn, looked, found = Mixture(), chance.choices(numbers, k=LONGEST), 0, Decision.UNDECIDED
    while looked < LONGEST and found is Decision.UNDECIDED:
        mixture.add(drawn[looked])
        looked, found = looked + 1, mixture.decision(delta)
    limits = mixture.interval()
    assert limits
    return found, looked, limits


def separated(pool: Pool) -> Iterator[Line]:
    """Test how often `--until separated` stops if all are equal."""
    times, wrong, many = pool.times(1000), 0, len(pool.entry.strategies)
    for rows, _ in pool.copies(many, LONGEST, times, "separated"):
        rule, _ = stopping_rule(pool.entry, Stopping("separated"))
        for row in rows:
            rule.add(row)
            if rule.decision() is not Decision.UNDECIDED:
                wrong += 1
                break
    yield pool.shares("copies separated", LONGEST, times, [wrong], most=0.05)


# Predictions.


def planning(pool: Pool) -> Iterator[Line]:
    """Test two entrants whose difference `NEED` blocks make significant four times in five.

    Do they do so, and how many blocks does the prediction say?"""
    chance, significant, times = pool.chance("planning"), 0, pool.times(24000)
    passed = NORMAL(0.975) + NORMAL(0.8)
    shift = passed * pstdev(pool.differences) / sqrt(NEED)
    pairs = [BlockRow(0, 1, (0, 1), (x + shift, 0.0), ()) for x in pool.differences]
    ratios = []
    for _ in range(times):
        enough = fit(tables_of(chance.choices(pairs, k=NEED)), 2).between(0, 1)
        early = fit(tables_of(chance.choices(pairs, k=PREDICTED_AFTER)), 2).between(0, 1)
        assert enough and early
        significant += enough.p <= 0.05
        _, more = more_blocks(early, first_level(1)) or ("", 0)
        ratios.append((PREDICTED_AFTER + more) / NEED)
    yield pool.shares("significant with enough blocks", NEED, times, [significant], 0.77, 0.85)
    low, _, high = quantiles(ratios, n=4)
    below, above = sum(x < 0.5 for x in ratios) / times, sum(x > 2.2 for x in ratios) / times
    surprising = max(beyond(share, min(share, 0.25), times) for share in (below, above))
    found = f"{low:.2f}-{high:.2f}"
    what = "blocks said to be needed / true: middle half"
    yield Line(pool.field.title, what, PREDICTED_AFTER, times, found, "0.50-2.20", surprising)


# Many equal entrants, and effects planted among them.


def false_pairs(pool: Pool) -> Iterator[Line]:
    """Test twenty copies: how often any difference is significant (Holm)."""
    blocks, times = 100, pool.times(12000)
    wrong = sum(bool(significant_pairs(rows, 20)) for rows, _ in pool.copies(20, blocks, times, "false pairs"))
    yield pool.shares("20 copies: any pair significant", blocks, times, [wrong], most=0.05)


def halves(pool: Pool) -> Iterator[Line]:
    """Test ten copies, and ten that are a block's spread better.

    How often is any difference between equals significant, and for how many of the real pairs?"""
    blocks, times, wrong, found = 400, pool.times(3000), 0, list[float]()
    better = range(10)
    for rows, _ in pool.copies(20, blocks, times, "halves"):
        pairs = significant_pairs([raised(row, better, pool.spread) for row in rows], 20)
        real = sum((one in better) != (other in better) for one, other in pairs)
        wrong += len(pairs) > real
        found.append(real / 100)
    yield pool.shares("10 copies, 10 better by 1 sd: any equal pair significant", blocks, times, [wrong], most=0.05)
    yield pool.mean(
        "10 copies, 10 better by 1 sd: share of real pairs found", blocks, found, pool.field.found, 1, digits=2
    )


def significant_pairs(rows: Sequence[BlockRow], many: int) -> set[tuple[int, int]]:
    return holm({pair: each.p for pair, each in fit(tables_of(rows), many).pairs().items()})


def raised(row: BlockRow, better: Container[int], size: float) -> BlockRow:
    """Return the block as if some entrants were better by this size."""
    values = [value + size * (who in better) for who, value in zip(row.entrants, row.values, strict=True)]
    return row._replace(values=values)


def cycle(pool: Pool) -> Iterator[Line]:
    """Test seven entrants: how often a planted cycle of three is found, and any cycle if each is better than the
    next."""
    blocks, times, found, wrong = 800, pool.times(1000), 0, 0
    for rows, chance in pool.copies(7, blocks, times, "cycle"):
        a, b, c = chance.sample(range(7), 3)
        reported = cycles(tables_of(given(row, [(a, b), (b, c), (c, a)], pool.spread / 2) for row in rows), 7)
        found += [{*each} for each in reported] == [{a, b, c}]
        wrong += bool(cycles(tables_of(given(row, combinations(range(7), 2), pool.spread / 2) for row in rows), 7))
    yield pool.shares("7, a cycle of 3 planted: found, and no other", blocks, times, [found], 0.8)
    yield pool.shares("7, each better than the next: any cycle found", blocks, times, [wrong], most=0.05)


def gift(pool: Pool) -> Iterator[Line]:
    """Test seven entrants; one gets half a block's spread from another wherever both sit.

    How often is that found, and how often are others named? Each of the two really does better or worse with a third at
    the table, because the other is then there less often."""
    times = pool.times(200)  # the permutations take long
    for blocks in 700, 1500:
        counts = Counter[str]()
        for rows, chance in pool.copies(7, blocks, times, "gift"):
            taker, giver = chance.sample(range(7), 2)
            planted = tables_of(given(row, [(taker, giver)], pool.spread / 2) for row in rows)
            drawn, tables = partial(own_chance, chance), tables_of(rows)
            accused = {each[:2]: each.difference for each in company(planted, fit(planted, 7), drawn)}
            counts["found"] += accused.get((taker, giver), 0.0) > 0
            concerned = [len({taker, giver} & {*pair}) for pair in accused]
            counts["others"] += 0 in concerned
            counts["one"] += 1 in concerned
            counts["innocent"] += bool(company(tables, fit(tables, 7), drawn))
        yield pool.shares("7, a gift of 0.5 sd: found", blocks, times, [counts["found"]], 0.8)
        yield pool.shares("7, a gift of 0.5 sd: two others accused", blocks, times, [counts["others"]], most=0.05)
        yield pool.shares("7, a gift of 0.5 sd: one of the two paired with a third", blocks, times, [counts["one"]])
        yield pool.shares("7, no gift: anybody accused", blocks, times, [counts["innocent"]], most=0.05)


def own_chance(chance: Random, entrant: int, beside: int) -> Callable[[], float]:
    return chance.random


def given(row: BlockRow, pairs: Iterable[tuple[int, int]], size: float) -> BlockRow:
    """Return the block as if the second of each pair had given this much to the first."""
    values = dict(zip(row.entrants, row.values, strict=True))
    for taker, giver in pairs:
        if taker in values and giver in values:
            values[taker] += size
            values[giver] -= size
    return row._replace(values=list(values.values()))


COMMON = coverage, width, stopping, planning
ALIKE = false_pairs, halves, separated, cycle, gift
THREE_RANDOM, THREE_BOOKS = "book random random random", "book book book random"
FIELDS = {
    "loo": Field("Loo, book + 3 random", "loo", THREE_RANDOM, COMMON, (0.937, 0.938, 0.946)),
    "draw-poker": Field("Draw poker, book + 3 random", "draw-poker", THREE_RANDOM, COMMON, (0.944, 0.933, 0.942)),
    "thirty-one": Field("Thirty-one, book + 3 random", "thirty-one", THREE_RANDOM, COMMON, (0.922, 0.921, 0.940)),
    "straight-poker": Field(
        "Straight poker, 3 book + random", "straight-poker", THREE_BOOKS, COMMON, (0.852, 0.891, 0.935)
    ),
    "one-deal": Field(
        *("Draw poker, 3 book + random, `sitting = 1`", "draw-poker", THREE_BOOKS, (*COMMON, stopping_of_net)),
        (0.862, 0.893, 0.934),
        more={"sitting": 1},
    ),
    "freeze-out": Field(
        *("freeze-out of 8, Draw poker, 3 book", "draw-poker", "book book book" + 5 * " random", (coverage,)),
        (0.927, 0.927, 0.927),
        format="freeze-out",
        more={"stack": 50, "max_seats": 5, "blinds_double_every": 50, "options": {"stakes": "table"}},
    ),
    "nap-shadow": Field(
        *("Nap, shadow of book(bold=1)", "nap", "book(bold=1) book", (stopping_of_shadow,)),
        pair=(0, 1),
        format="shadow",
    ),
    "loo-shadow": Field(
        *("Loo, shadow of book(cautious=1)", "loo", "book(cautious=1) book", (stopping_of_shadow,)),
        pair=(0, 1),
        format="shadow",
    ),
    "loo-copies": Field("Loo, random alone", "loo", 4 * "random ", ALIKE, found=0.87),
    "draw-poker-copies": Field("Draw poker, book alone", "draw-poker", 4 * "book ", ALIKE, found=0.80),
}


def tried(name: str, size: float) -> list[Line]:
    """Run all trials of a field."""
    pool = Pool(FIELDS[name], size)
    return [line for trial in FIELDS[name].trials for line in trial(pool)]


def table(lines: Iterable[Line]) -> str:
    """Return a table in Markdown; tournaments of several lengths share a row."""
    rows: dict[tuple[str, str], list[Line]] = {}
    for line in lines:
        rows.setdefault((line.field, line.what), []).append(line)
    text = ["| field | what | blocks | tournaments | found | promised |", "| --- | --- | --- | --- | --- | --- |"]
    for of, same in rows.items():
        columns = [[str(line.blocks), f"{line.times:,}".replace(",", " "), line.found, line.promised] for line in same]
        joined = [" / ".join(column if len({*column}) > 1 else column[:1]) for column in zip(*columns, strict=True)]
        broken = " **BROKEN**" * (not all(line.holds for line in same))
        text.append(f"| {' | '.join([*of, *joined])}{broken} |")
    return "\n".join(text)


def verdicts(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="bench.py verdicts", description=__doc__)
    parser.add_argument("fields", nargs="*", metavar="FIELD", help=f"all: {' '.join(FIELDS)}")
    parser.add_argument("--size", type=float, default=1.0, help="of how many tournaments (1 is all)")
    asked = parser.parse_args(words)
    lines = [line for name in asked.fields or FIELDS for line in tried(name, asked.size)]
    print(table(lines))
    return int(not all(line.holds for line in lines))
