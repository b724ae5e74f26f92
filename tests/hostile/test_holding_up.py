"""Strategies that use up time or memory, or end: it costs them the deal, and nobody else anything."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from helpers.command import drawn
from hostile.playing import OFF, got_through, must_stand, play

from roundsim.sandbox.kinds import Sandbox

CLOCKS = ("Unarm", "Deafen", "Distract", "Rewind", "Blunt")
LIMIT = 0.05  # seconds
TABLE: dict[str, Any] = {"deals": 2, "players": 2, "sitting": 1, "seconds": LIMIT}


@pytest.mark.soak
@pytest.mark.parametrize("clock", CLOCKS)
def test_an_attack_on_the_clock_succeeds_without_isolation(tmp_path: Path, clock: str) -> None:
    """It thinks ten times as long as is allowed, and the answer counts."""
    entrants = {"slow": f"./clocks:{clock}(seconds={10 * LIMIT})", "random": "random"}
    run = play(tmp_path, OFF, entrants, **TABLE)
    assert run.code == 0 and "slow" in got_through(run)


@pytest.mark.soak
@pytest.mark.parametrize("clock", CLOCKS)
def test_the_clock_is_out_of_reach(tmp_path: Path, seal: Sandbox, clock: str) -> None:
    entrants = {"slow": f"./clocks:{clock}(seconds=60)", "random": "random"}
    run = play(tmp_path, seal.name, entrants, **TABLE)
    must_stand(run, "slow")
    assert run.faults["slow"] == {"late": 1} and got_through(run) <= {"random"}


@pytest.mark.soak
def test_a_thread_that_thinks_on_costs_its_own_time(tmp_path: Path, seal: Sandbox) -> None:
    entrants = {"ponders": "./clocks:Ponders(seconds=60)", "random": "random", "book": "book"}
    must_stand(play(tmp_path, seal.name, entrants, deals=12, players=3), "ponders")


ENDS = {
    "Exits": {"dead"},
    "Leaves": {"dead"},
    "Rots": {"dead"},
    "Freezes": {"dead", "late"},
    "Hangs": {"late"},
    "Hoards": {"memory", "dead"},
    "Crowd": {"exception", "memory", "dead"},
    "Chatter": set[str](),
    "Balloon": {"illegal", "dead"},
    "Shouts": {"exception"},
}
QUICK = ("Exits", "Chatter")


@pytest.mark.soak
@pytest.mark.parametrize("ends", [QUICK, *[(each,) for each in ENDS if each not in QUICK]], ids=" ".join)
def test_a_strategy_that_ends_or_fills_everything_costs_only_itself(
    tmp_path: Path, seal: Sandbox, ends: Sequence[str]
) -> None:
    """It does so at every question."""
    entrants = {**{end: f"./ends:{end}" for end in ends}, "random": "random", "book": "book"}
    deals = 2 * len(entrants) if ends == QUICK else drawn(3, 6)
    run = play(tmp_path, seal.name, entrants, deals=deals, players=2, sitting=1, seconds=0.2, memory=400)
    must_stand(run, *ends)
    for end in ends:
        assert {*run.faults[end]} <= ENDS[end]
        assert run.faults[end] or end in ("Chatter", "Freezes", "Leaves")  # the latter two may go unnoticed
