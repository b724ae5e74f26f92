"""The example learns, and its weights play as a strategy."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("gymnasium")

from helpers.command import ROOT, environment

import roundsim
from roundsim.contract import plugins

pytestmark = pytest.mark.soak


@pytest.fixture(scope="module")
def learner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, with weights of a few thousand deals."""
    folder = shutil.copytree(
        ROOT / "examples" / "learner",
        tmp_path_factory.mktemp("example") / "learner",
        ignore=shutil.ignore_patterns("*.npz", "__pycache__"),
    )
    train(folder, 4000)
    return folder


def train(folder: Path, deals: int) -> str:
    words = [sys.executable, str(folder / "train.py"), str(deals), "1"]
    done = subprocess.run(words, env=environment(), capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_learned_weights_play_and_win(learner: Path, tmp_path: Path) -> None:
    """By symmetry it would win nothing if it played as the others do; it is some 3 counters a deal, +- 0.2."""
    run = roundsim.play("nap", [str(learner / "learned.py"), *["random"] * 3], deals=2000, jobs=1, out=tmp_path / "run")
    assert not run.faults
    best = run.standings["games"][0]["rows"][0]
    assert best["strategy"] == "Learned" and best["net_per_deal"] > 2


def test_other_weights_are_another_strategy(learner: Path) -> None:
    text = str(learner / "learned.py")
    (before,) = plugins.find(text, "nap")
    weights = (learner / "policy.npz").read_bytes()
    train(learner, 4000)
    assert plugins.find(text, "nap") == [before]  # the same deals, the same weights
    assert weights == (learner / "policy.npz").read_bytes()
    train(learner, 64)
    (after,) = plugins.find(text, "nap")
    assert after.sha256 != before.sha256
