"""How far a run is: it moves with the deals, whatever the strategies, and says who takes long."""

from __future__ import annotations

import math
import re
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Write
from helpers.blocks import block_of, nap, tally_of
from helpers.command import one_in_with
from helpers.planned import planned
from helpers.sealed import any_in_force

from roundsim.cli.progress import ProgressLine
from roundsim.refereeing.board import CELLS, NANOSECONDS, SLOWEST
from roundsim.running import Means, play_tournament
from roundsim.tournament.judging.stopping import watches
from roundsim.tournament.planning.plan import Limits, ShardProgress, Stopping, Tournament
from roundsim.tournament.results.entry_totals import EntryTotals
from roundsim.tournament.run import Progress
from roundsim.workers.times import Times

SLOW = """
    import time

    class Slow:
        def act(self, view):
            end = time.process_time() + 0.02
            while time.process_time() < end:
                pass
            return view.legal[0]
    """


def test_the_slowest_goes_by_cpu_time() -> None:
    """The first entrant sleeps, the second computes for a tenth of that time."""
    board = [0] * CELLS
    times = Times(board)

    def compute(view: object) -> None:
        end = time.process_time() + 0.02
        while time.process_time() < end:
            pass

    times.of(0)(lambda view: time.sleep(0.2))(None)
    times.of(1)(compute)(None)
    assert board[SLOWEST] == 2 and board[NANOSECONDS] >= 20e6


def tournament_of(folder: Path, format: str, **entry: Any) -> Tournament:
    return planned(folder, *["slow.py"] * 3, format=format, **entry)


def seen_of(tournament: Tournament, out: Path) -> list[tuple[int, int, str]]:
    """At each glance how much was done, how much of it in whole shards, and the line."""
    line, seen = ProgressLine(tournament), list[tuple[int, int, str]]()

    def tell(progress: Progress) -> None:
        seen.append((progress.done, progress.whole, line.text(progress, time.monotonic())))

    play_tournament(tournament, out, tell, Means(1))
    return seen


@pytest.mark.soak
@pytest.mark.usefixtures("in_process")  # it writes
def test_deals_are_reported_before_their_shard_is_whole(write: Write, tmp_path: Path) -> None:
    write("slow.py", SLOW)
    seen = seen_of(tournament_of(tmp_path, "round-robin", game="nap", deals=27), tmp_path / "run")
    done = [done for done, whole, _ in seen if not whole]
    assert len({*done}) > 3 and done == sorted(done) and max(done) <= 27
    assert all(" / 27 deals · " in text for _, _, text in seen)
    slowest_of = [re.search(r"slowest: Slow, ([\d.]+) ms a decision", text) for _, _, text in seen]
    assert any(float(slowest[1]) >= 20 for slowest in slowest_of if slowest)
    assert seen[-1][:2] == (27, 27)


@pytest.mark.soak
def test_the_first_result_of_slow_strategies_comes_about_when_the_line_says(tmp_path: Path) -> None:
    """A strategy that imagines deals has shards of 40 deals, in whole blocks of 9."""
    seen = seen_of(planned(tmp_path, "sampler", "book", "book", deals=90), tmp_path / "run")
    before = [text for _, whole, text in seen if not whole]
    about = [int(found[1]) for text in before if (found := re.search("; first result after about (.+?), in ", text))]
    assert about and {*about} == {45} == {next(whole for _, whole, _ in seen if whole)}


@pytest.mark.soak
def test_deals_are_reported_before_a_freeze_out_is_over(write: Write, tmp_path: Path) -> None:
    write("slow.py", SLOW)
    entry = {"game": "draw-poker", "times": 2, "stack": 40, "max_deals": 25, "options": {"stakes": "table"}}
    seen = seen_of(tournament_of(tmp_path, "freeze-out", **entry), tmp_path / "run")
    assert {done for done, whole, _ in seen if not whole} >= {0, 1}
    assert any(
        re.match(r"1 / 2 freeze-outs · [\d ]+ deals played in those that are not · ", text) for _, _, text in seen
    )


@pytest.mark.parametrize(
    ("underway", "words"),
    one_in_with(
        2,
        [
            (ShardProgress(0, 0, 0, "", 0.0, "Slow"), "0 / 90 deals · 0.0/s · starting · Slow is thinking"),
            (
                ShardProgress(30, 0, 30, "Slow", 0.0214, ""),
                "30 / 90 deals · 3.0/s · 20 s left · slowest: Slow, 21.4 ms a decision",
            ),
            (ShardProgress(30, 20, 30, "Slow", 0.0004, ""), "30 / 90 deals · 1.0/s · 60 s left"),
            (ShardProgress(9, 0, 9, "Slow", 0.0004, ""), "9 / 90 deals · 0.9/s · starting"),
            (
                ShardProgress(30, 0, 30, "Slow", 0.0004, "", "Slow took too long"),
                "30 / 90 deals · 3.0/s · played again: Slow took too long",
            ),
        ],
    ),
)
def test_the_line(underway: ShardProgress, words: str, write: Write, tmp_path: Path) -> None:
    write("slow.py", SLOW)
    tournament = tournament_of(tmp_path, "round-robin", game="nap", deals=90)
    progress = Progress(90, underway=[underway], started=100.0)
    assert ProgressLine(tournament).text(progress, 110.0) == words


def test_before_the_first_freeze_out_is_over_the_line_has_its_deals(write: Write, tmp_path: Path) -> None:
    write("slow.py", SLOW)
    entry = {"game": "draw-poker", "times": 2, "stack": 40, "options": {"stakes": "table"}}
    tournament = tournament_of(tmp_path, "freeze-out", **entry)
    progress = Progress(2, underway=[ShardProgress(0, 0, 4491, "Slow", 0.0004, "")], started=100.0)
    words = "none of 2 freeze-outs is over · 4 491 deals played in those that are not · starting"
    assert ProgressLine(tournament).text(progress, 110.0) == words


@pytest.mark.parametrize(
    ("format", "entry", "underway", "words"),
    [
        (
            "round-robin",
            {"deals": 4500},
            [ShardProgress(30, 0, 30, "Slow", 0.0, "", of=90), ShardProgress(15, 0, 15, "Slow", 0.0, "", of=90)],
            "45 / 4 500 deals; first result after about 140, in 20 s · 4.5/s · 16 min left",
        ),
        (
            "round-robin",
            {"deals": 4500},
            [ShardProgress(3000, 2000, 3000, "Slow", 0.0, "", of=4000)],
            "3 000 / 4 500 deals; first result after about 4 000, in 10 s · 100/s · 15 s left",
        ),
        (
            "shadow",
            {"deals": 4500, "strategies": ["new=slow.py", "old=slow.py"]},
            [ShardProgress(0, 0, 4491, "Slow", 0.0, "", of=4780)],
            "4 491 deals played; first result after about 4 800, in 1 s",
        ),
        (
            "shadow",
            {"deals": 4500, "strategies": ["new=slow.py", "old=slow.py"]},
            [ShardProgress(0, 0, 5000, "Slow", 0.0, "", of=4780)],
            "5 000 deals played; first result soon",
        ),
    ],
)
def test_before_the_first_result_the_line_says_when_it_comes(
    format: str, entry: dict[str, Any], underway: list[ShardProgress], words: str, write: Write, tmp_path: Path
) -> None:
    write("slow.py", SLOW)
    tournament = tournament_of(tmp_path, format, game="nap", **entry)
    progress = Progress(4500, underway=underway, started=100.0)
    assert ProgressLine(tournament).text(progress, 110.0) == words


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("a - b > 0", "nap: a - b +5.000 (+4.616 to +5.384, at any look) · evidence 20 of 20 for better"),
        ("b - a > -9", "nap: b - a -5.000 (-5.384 to -4.616, at any look) · evidence 20 of 20 for better"),
        ("separated", "nap: a +2.500"),
    ],
)
def test_the_line_of_a_run_with_a_rule(rule: str, words: str) -> None:
    """A difference of 4 and 6 in turn. At 4.616, of 80 blocks: S is 30.7, V is 91.8, r is 91.8 / 80 x 300 / 8.78."""
    entry, fold = replace(nap("ab"), blocks=80), EntryTotals()
    (blocks,) = entry.shards()
    rows = [block_of(at, (0, 1), (8, -8) if at % 2 else (12, -12)) for at in blocks]
    fold.add(blocks[0], tally_of(entry, rows))
    tournament = Tournament("parlour", "round-robin", 7, Limits(), (entry,), Stopping(rule))
    progress = Progress(320, 320, 320, started=100.0, entries=[entry], folds=[fold], watched=[*watches(tournament)])
    for watch in progress.watched:
        watch.follow(fold)
    assert ProgressLine(tournament).text(progress, 110.0).endswith(f" left · {words}")


@pytest.mark.parametrize(
    ("columns", "words"),
    one_in_with(3, [(80, "30 / 90 deals · 3.0/s · 20 s left"), (24, "30 / 90 deals · 3.0/s"), (9, "30 / 90 ")]),
)
def test_the_line_fits_the_terminal(
    columns: int,
    words: str,
    write: Write,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    write("slow.py", SLOW)
    monkeypatch.setenv("COLUMNS", str(columns))
    line = ProgressLine(tournament_of(tmp_path, "round-robin", game="nap", deals=90))
    line.terminal, line.last = True, -math.inf
    line.show(Progress(90, underway=[ShardProgress(30, 0, 30, "", 0.0, "")], started=time.monotonic() - 10))
    assert capsys.readouterr().err == f"\r{words}"


@pytest.mark.soak
def test_the_strategy_that_causes_deals_to_be_played_again_is_named(write: Write, tmp_path: Path) -> None:
    any_in_force()
    write("slow.py", "import os, signal\n\ndef act(view):\n    os.kill(os.getpid(), signal.SIGSTOP)\n")
    tournament = tournament_of(tmp_path, "round-robin", game="nap", deals=12)
    seen = seen_of(replace(tournament, limits=Limits(seconds=0.05, isolate="on")), tmp_path / "run")
    assert any("played again: slow took too long" in text for _, _, text in seen)
