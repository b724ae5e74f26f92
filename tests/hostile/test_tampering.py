"""Strategies that change what is not theirs: opponents, cards, rules, counters, the record."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from helpers.command import one_in
from hostile.playing import OFF, meek, play

from roundsim.sandbox.kinds import Sandbox

TAMPERING = ("Builtins", "Chances", "Code", "Conducts", "Hands", "Loads", "Nets", "Past", "Ranks", "Stakes", "Tallies")
OTHERS = {"victim": "victim.py:Victim", "random": "random", "book": "book"}


@pytest.mark.soak
@pytest.mark.parametrize("attack", one_in(11, TAMPERING))
def test_what_is_changed_without_isolation(tmp_path: Path, attack: str) -> None:
    entrants = {"attack": f"./tampering:{attack}", **OTHERS}
    assert play(tmp_path, OFF, entrants).seen != meek(tmp_path, entrants).seen


def test_nobody_changes_anything(tmp_path: Path, seal: Sandbox) -> None:
    """Whatever they did, they did to copies of their own."""
    entrants = {**{attack: f"./tampering:{attack}" for attack in TAMPERING}, **OTHERS}
    table: dict[str, Any] = {"deals": 81, "players": 3, "sitting": 3}
    assert play(tmp_path, seal.name, entrants, **table).seen == meek(tmp_path, entrants, **table).seen
