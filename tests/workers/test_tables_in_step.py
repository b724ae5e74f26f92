"""A table in play: it is given up in the middle, and a deal that is over is no more in play."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from greenlet import getcurrent

from roundsim.base.errors import GivenUpError
from roundsim.workers import noting, strategies
from roundsim.workers.lockstep import RunningTable


def test_a_table_that_is_given_up_ends() -> None:
    here = getcurrent()
    table = RunningTable(lambda: here.switch(iter([None])))
    table.go_on()
    assert table.step
    table.give_up()
    assert not table.step
    with pytest.raises(GivenUpError):
        table.result()


def test_no_deal_is_at_hand_after_a_deal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strategies.Strategies, "play", lambda *_: None)
    for name in ("state_keys", "script_deal", "Recording"):
        monkeypatch.setattr(noting, name, lambda *_: {})
    table = object.__new__(noting.Noting)
    deal: Any = SimpleNamespace(chance=None)
    table.play("1/1", deal, True)
    assert table.deals == [{}] and table.at_hand() == []
