"""Strategies that change what is not theirs: opponents, cards, rules, counters, the record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hostile.playing import OFF, meek, play

from roundsim.sandbox.kinds import Sandbox

TAMPERING = ("Chances", "Code", "Hands", "Loads", "Nets", "Ranks", "Stakes", "Tallies")
OTHERS = {"victim": "victim.py:Victim", "random": "random", "book": "book"}


@pytest.mark.soak
@pytest.mark.parametrize("attack", TAMPERING)
def test_tampering_succeeds_without_isolation(tmp_path: Path, attack: str) -> None:
    entrants = {"attack": f"./tampering:{attack}", **OTHERS}
    assert play(tmp_path, OFF, entrants).seen != meek(tmp_path, entrants).seen


@pytest.mark.soak
def test_tampering_changes_nothing_under_a_seal(tmp_path: Path, seal: Sandbox) -> None:
    """Each attack reaches only copies of its own process."""
    entrants = {**{attack: f"./tampering:{attack}" for attack in TAMPERING}, **OTHERS}
    table: dict[str, Any] = {"deals": 81, "players": 3, "sitting": 3}
    assert play(tmp_path, seal.name, entrants, **table).seen == meek(tmp_path, entrants, **table).seen
