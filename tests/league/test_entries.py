"""The entries of a league: named on a command line, or found in its folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from roundsim.base.errors import PluginError, StrategyError
from roundsim.league.entries import entries_named, reason_in
from roundsim.trial.scripts import CheckRow


def test_a_path_that_is_not_there_is_refused() -> None:
    with pytest.raises((PluginError, StrategyError), match="nowhere"):
        list(entries_named(["nowhere/mine.py"]))


def test_a_folder_that_cannot_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(path: Path) -> Any:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", fail)
    with pytest.raises(PluginError, match="Permission denied"):
        list(entries_named([str(tmp_path)]))


def test_the_reason_is_what_has_failed() -> None:
    rows: list[CheckRow | str] = [
        "mine.py  mine  sha256 00000000  games: nap",
        CheckRow("import", "ok", ("3 ms",)),
        CheckRow(
            *("200 deals nap", "FAILED"),
            (
                "deal 1, seat 0, phase play: KeyError: 'x'",
                "legal            play 8h",
                "mine.py:5 in act",
                "again: roundsim",
            ),
        ),
        CheckRow("a check of a very long name", "FAILED", ("words",)),
        CheckRow("note", "note", ("FAILED  is what it prints",)),
    ]
    right = (
        "200 deals nap: deal 1, seat 0, phase play: KeyError: 'x'\nmine.py:5 in act\na check of a very long name: words"
    )
    assert reason_in(rows) == right
