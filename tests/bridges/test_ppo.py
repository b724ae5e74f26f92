"""The example in one file learns with torch, and comes back as a sealed strategy that a gate lets pass."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("gymnasium")
pytest.importorskip("torch", reason="the example learns with torch: pip install -e '.[docs-torch]'")

from helpers.command import ROOT, command, environment


@pytest.mark.soak
def test_a_policy_learned_by_ppo_beats_random(tmp_path: Path) -> None:
    """A pass at each question wins some 3.8 counters a deal of three `random`, and `random` itself 0."""
    shutil.copy(ROOT / "examples" / "ppo" / "ppo.py", tmp_path)
    trained = subprocess.run(
        [sys.executable, "ppo.py", "100000", "1"], cwd=tmp_path, env=environment(), capture_output=True
    )
    assert trained.returncode == 0, trained.stderr
    gate = command("gate", "nap", "mine=ppo.py", "random", "--deals", 4000, "--jobs", 1)
    done = subprocess.run(gate, cwd=tmp_path, env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
