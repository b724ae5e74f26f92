"""A run with a rule: its tables say what the rule allows, at whatever block it stops."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import sqrt
from random import Random

import pytest
from helpers.blocks import block_of, blocks_of_two, in_shards, nap, tally_of
from helpers.command import drawn, seldom

from roundsim.reports.data import in_format
from roundsim.statistics.stopping import Decision, Mixture
from roundsim.tournament.judging.standings import Standings, compute_standings
from roundsim.tournament.planning.plan import Entry, Limits, Stopping, Tournament
from roundsim.tournament.results.entry_totals import EntryTotals

SD = 1000  # counters a deal: the standard deviation of a block's difference
CAP = 600  # blocks


def standings_of(entry: Entry, folds: Sequence[EntryTotals], until: str) -> Standings:
    entries = [replace(entry, name=f"nap-{at}" if at else "nap", cap=entry.blocks) for at in range(len(folds))]
    stopping = Stopping(until)
    return compute_standings(Tournament("parlour", "round-robin", 7, Limits(), (*entries,), stopping=stopping), folds)


def with_rule(names: str, values: Sequence[Sequence[int]], until: str) -> Standings:
    """Blocks in which all sit in their order and win so many counters a deal."""
    rows = [block_of(at, range(len(names)), [4 * each for each in block]) for at, block in enumerate(values, 1)]
    entry = replace(nap(names, len(names)), blocks=len(rows), cap=len(rows))
    return standings_of(entry, [in_shards(entry, rows)], until)


def field(blocks: int, *means: float, seed: int = 1) -> list[list[int]]:
    chance = Random(seed)
    return [[round(chance.gauss(each, 10)) for each in means] for _ in range(blocks)]


def simulated_gate(truth: float, chance: Random) -> Standings:
    """A gate that is played shard by shard until its rule is decided, or to the cap."""
    entry, fold = replace(nap("ab"), blocks=CAP, cap=CAP), EntryTotals()
    for blocks in entry.shards():
        differences = [round(chance.gauss(truth, 1) * SD) for _ in blocks]
        rows = [block_of(at, (0, 1), (2 * each, -2 * each)) for at, each in zip(blocks, differences, strict=True)]
        fold.add(blocks[0], tally_of(entry, rows))
        standings = standings_of(entry, [fold], "a - b > 0")
        if standings.outcomes[0].decision is not Decision.UNDECIDED:
            break
    return standings


@pytest.mark.parametrize("truth", [0.0, 0.05, 0.1])
@pytest.mark.parametrize("gates", [3, *seldom(drawn(250, 2000))])
def test_table_and_gate_agree_and_the_limits_hold_the_truth(truth: float, gates: int) -> None:
    chance, held = Random(truth), 0
    for _ in range(gates):
        standings = simulated_gate(truth, chance)
        decision, verdicts = standings.outcomes[0].decision, standings.verdicts[0]
        if decision is Decision.EQUAL:  # no difference can be found any more
            decision = Decision.UNDECIDED
        found = verdicts.between(0, 1)
        assert found and found.limits
        low, high = found.limits
        held += low <= truth * SD <= high
        in_table = Decision.UNDECIDED
        if verdicts.are_apart(0, 1):
            in_table = Decision.BETTER if found.value > 0 else Decision.WORSE
        assert in_table is decision
        assert verdicts.likely[0] == {"better": (1, 1), "worse": (2, 2)}.get(decision.value, (1, 2))
        assert (low > 0 or high < 0) == (decision is not Decision.UNDECIDED)
    assert held / gates >= 0.95 - 3 * sqrt(0.95 * 0.05 / gates)


def test_the_pair_of_the_rule_is_at_its_level_and_the_others_share_it() -> None:
    values = field(300, 6, 0, 0)
    pairs = {each: Mixture(0.05 / 3) for each in combinations(range(3), 2)}
    pairs[0, 2] = Mixture(0.05)
    for block in values:
        for (one, other), mixture in pairs.items():
            mixture.add(block[one] - block[other])
    for until in "a - c > 0", "c - a < 0":
        standings = with_rule("abc", values, until)
        verdicts, last = standings.verdicts[0], standings.outcomes[0].block
        assert last < 300
        cut = with_rule("abc", values[:last], until).verdicts[0]
        assert verdicts.differences == cut.differences, "what was played after the decision does not count"
    undecided = with_rule("abc", values, "a - c > 5.9").verdicts[0]
    for pair, mixture in pairs.items():
        found, swapped = undecided.between(*pair), undecided.between(*pair[::-1])
        assert found and swapped and found.limits == pytest.approx(mixture.interval())
        assert swapped.limits == pytest.approx([-each for each in reversed(found.limits or ())])
        assert undecided.are_apart(*pair) == (mixture.decision() is not Decision.UNDECIDED)


def test_the_words_of_a_run_with_a_rule(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Mixture, "is_hopeless", lambda self, cap: False)
    values = field(300, 6, 0, 0)
    standings = with_rule("abc", values, "b - c > 0")
    table, crossed = in_format(standings, "md"), in_format(standings, "table", crossed=True)
    assert " ± if fixed |" in table and "± 95 %" not in table and "look once" not in table and "more deals" not in table
    (low, high) = standings.verdicts[0].differences[0, 1].limits or (0, 0)
    assert low > 0 and f"({low:+.3f} to {high:+.3f}, at any look)" in table
    assert "at any look): not significant" in table
    assert "The limits hold at any look." in crossed and f"({low:+.3f} to {high:+.3f})*" in crossed
    found = json.loads(in_format(standings, "json"))["games"][0]["differences"]
    assert [(each["error"], each["more"], each["looks_once"]) for each in found] == [(None, None, False)] * 3
    assert all((each["low"] > 0 or each["high"] < 0) == each["apart"] == (each["p_holm"] <= 0.05) for each in found)
    assert in_format(standings, "csv", crossed=True).startswith("game,one,other,difference,error,low,high,p,")
    # In the second, each block gains something, but 80² is most of the squares.
    for nets, words in [
        ([(1, -1)] * 60 + [(0, 0)] * 60, "1st - 2nd +1.000: not significant, fewer than 80 blocks differ"),
        ([(40, -40)] + [(1, -1), (2, -2)] * 50, "not significant, one block has over 20.0 % of the squares"),
    ]:
        standings = with_rule("ab", nets, "a - b > 0")
        assert words in in_format(standings, "md") and not standings.verdicts[0].apart
        (difference,) = json.loads(in_format(standings, "json"))["games"][0]["differences"]
        assert difference["p"] == 1.0 and not difference["apart"]


def test_cycles_and_comparisons_over_all_need_looks_of_their_own() -> None:
    """a beats b by 2 counters and more, b beats c, c beats a, in the blocks where they sit together."""
    rows = [block_of(at, pair, (4 + at % 4, -4 - at % 4)) for at, pair in enumerate([(0, 1), (1, 2), (2, 0)] * 100, 1)]
    for blocks, found in (300, [(0, 1, 2)]), (150, []):
        entry = replace(nap("abc"), blocks=blocks)
        standings = standings_of(entry, [in_shards(entry, rows[:blocks])], "±0.001")
        assert standings.verdicts[0].cycles == found
    rows = blocks_of_two(8 + at % 3 for at in range(1, 101))
    entry = replace(nap("ab"), blocks=100)
    standings = standings_of(entry, [in_shards(entry, rows)] * 2, "a - b > 0")
    assert "nobody is compared over all games" in in_format(standings, "table")
    assert standings.overall_verdicts.differences == {} and standings.overall_verdicts.likely == [(1, 2), (1, 2)]
    assert [each.likely for each in standings.verdicts] == [[(1, 1), (2, 2)]] * 2
