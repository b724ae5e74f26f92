"""The record of a tournament whose format is from a file that is not here."""

from __future__ import annotations

from pathlib import Path

import pytest

from roundsim.base.errors import AbsentError
from roundsim.tournament.storage.runfile import tournament


def test_a_format_that_is_not_here_is_named() -> None:
    data = {"format": "mine", "format_source": {"module": "mine.py:Mine", "sha256": "0" * 64}}
    with pytest.raises(AbsentError, match="tournament.toml: mine is a format from a file, mine.py"):
        tournament(Path("tournament.toml"), data)
