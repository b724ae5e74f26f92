"""Keys of a scripted deal."""

from __future__ import annotations

from typing import Any

import pytest

from roundsim.base.errors import ScriptError
from roundsim.refereeing.script import read_script

PACK = "2s As Qs Ks 6c Js 3s 5c 8d Ts Qd 7d Jh Ah 9h Th 9c 2d 4c Kc"
SCRIPT: dict[str, Any] = {"game": "nap", "players": 4, "deals": [{"pack": PACK, "actions": ["0 pass"]}]}


def test_a_script_has_the_players_that_it_names() -> None:
    assert read_script(SCRIPT, "one.toml").rules.players == 4


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ({"players": "4"}, "players must be a whole number"),
        ({"dealer": 4}, "dealer must be a seat, 0 to 3, not 4"),
        ({"pool": {"pool": -1}}, "pool.pool must be a number of counters, not -1"),
        ({"deals": []}, r"no \[\[deals\]\]"),
        ({"deals": [{"error": 1}]}, "deal 1: error must be a text"),
    ],
)
def test_a_key_with_another_value_is_reported(keys: dict[str, Any], words: str) -> None:
    with pytest.raises(ScriptError, match=f"one.toml: {words}"):
        read_script({**SCRIPT, **keys}, "one.toml")
