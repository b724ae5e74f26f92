"""A rule to stop by, from rows made by hand: its levels, shards with faults, and runs that stop too early or too late."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest
import tomli_w
from helpers.blocks import blocks_of_two, entry_of, in_shards, nap
from helpers.command import roundsim
from helpers.forging import Forged

from roundsim.base.errors import DisagreesError
from roundsim.replaying.verify import verify_run
from roundsim.statistics.rows import BlockRow
from roundsim.statistics.stopping import Decision
from roundsim.tournament.formats.freeze_out import FreezeOut
from roundsim.tournament.judging.stopping import RuleWatch
from roundsim.tournament.planning import plan
from roundsim.tournament.planning.parts import Stretch
from roundsim.tournament.planning.plan import Entry, Stopping
from roundsim.tournament.planning.stopping_rule import Separated, Width, stopping_rule
from roundsim.tournament.storage.folder import RunFolder

pytestmark = pytest.mark.usefixtures("here")

RULE = "book - random > 0"


def test_levels_and_limits_of_rules_and_shards_with_faults() -> None:
    """So at most one run of twenty has a pair that is significant by chance."""
    for entrants, pairs in [(2, 1), (3, 3), (4, 6), (20, 190)]:
        mixtures = Separated(entrants, 0.05).mixtures
        assert [mixture.alpha for mixture in mixtures.values()] == pytest.approx([0.05 / pairs] * pairs)
    width = Width(2, 0.5)
    for at in range(200):
        width.add(BlockRow(at + 1, 4, (0, 1), (1.0, -1.0), ()))
    assert width.decision() is Decision.UNDECIDED
    # If one of two is first in all of n freeze-outs, it wins at least 0.025 ** (1 / n) of them.
    for blocks, most in [(80, 0.0451), (100, 0.0363), (400, 0.0093)]:
        assert most == pytest.approx(1 - 0.025 ** (1 / blocks), abs=1e-3)
        for bound, decision in (most - 0.002, Decision.UNDECIDED), (most + 0.002, Decision.BETTER):
            rule, _ = stopping_rule(entry_of("ab", FreezeOut(100, 5, 10_000, 0), "draw-poker"), Stopping(f"±{bound}"))
            for at in range(blocks):
                rule.add(BlockRow(at + 1, 1, (0, 1), (-1.0, -2.0), ()))
            assert rule.decision() is decision
    # It is never cut: what is decided at block 80, the first at which anything may be, is decided at its end.
    entry = replace(nap("ab"), blocks=300, cap=300)
    assert [*entry.shards()][10] == range(63, 95)
    assert [decided_at(entry, faulty) for faulty in (0, 11, 12)] == [80, 94, 80]


def decided_at(entry: Entry, faulty: int) -> int:
    """The block at which it is decided that a is above b by 5 and more, with a fault in the shard of this number, 0: in
    none."""
    watch = RuleWatch(entry, Stopping("a - b > 0"))
    rows = blocks_of_two(12 + at % 3 for at in range(1, entry.blocks + 1))
    assert watch.follow(in_shards(entry, rows, {faulty: 1}))
    return watch.block


def with_rule(run: RunFolder, blocks: int) -> str:
    """The words of verify about the run when its plan is forged: a rule has stopped it there."""
    path = run.path / "run.toml"
    data = tomllib.loads(path.read_text())
    assert data["games"][0]["blocks"] == blocks
    data["stopping"] = {"until": RULE, "level": 0.05, "version": Stopping.version}
    data["games"][0]["cap"] = 250
    path.write_bytes(tomli_w.dumps(data).encode())
    Forged(run.path, None, None).rewrite_results()  # type: ignore[arg-type]
    try:
        verify_run(run, 1)
    except DisagreesError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("blocks", "words"),
    [
        pytest.param(63, "ends with block 63; its rule is not decided", marks=pytest.mark.soak),
        (79, "ends with block 79; its rule is not decided"),
        (80, ""),
        (81, "ends with block 81; its rule is decided at block 80"),
        pytest.param(96, "ends with block 96; its rule is decided at block 80", marks=pytest.mark.soak),
    ],
)
def test_a_run_that_stops_too_early_or_too_late_is_found(
    blocks: int, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has shards as if it might stop."""
    monkeypatch.setattr(plan, "Stretch", lambda start, stop, piece, climbs: Stretch(start, stop, piece, True))
    words_of_run = "play", "nap", "book", "random", "random", "random", "--deals", blocks * 16, "--jobs", 1
    roundsim(*words_of_run, "--out", "run", cwd=tmp_path)
    said = with_rule(RunFolder(tmp_path / "run"), blocks)
    assert words in said and bool(said) == bool(words)
