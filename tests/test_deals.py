"""Scripted deals settle to what the rule sheets say; what to expect was worked out by hand."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from roundsim import script

FOLDER = Path(__file__).parent / "deals"
SCRIPTS = sorted(path for path in FOLDER.rglob("*.toml") if "game" in tomllib.loads(path.read_text("utf-8")))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: str(path.relative_to(FOLDER)))
def test_scripted_deal(path: Path) -> None:
    loaded = script.load(path)
    assert len(list(loaded.play())) == len(loaded.deals)
