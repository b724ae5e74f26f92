"""The examples learn, and what they learned plays as a strategy."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("gymnasium")

from helpers.command import ROOT, environment, in_a_process

import roundsim
from roundsim.sources import plugins

pytestmark = pytest.mark.soak


@pytest.fixture(scope="module")
def learner(tmp_path_factory: pytest.TempPathFactory) -> Path:
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


def test_a_policy_learned_by_ppo_beats_random(tmp_path: Path) -> None:
    """A pass at each question wins some 3.8 counters a deal of three `random`, and `random` itself 0."""
    pytest.importorskip("torch", reason="the example learns with torch: pip install -e '.[docs-torch]'")
    shutil.copy(ROOT / "examples" / "ppo" / "ppo.py", tmp_path)
    words = [sys.executable, "ppo.py", "100000", "1"]
    trained = subprocess.run(words, cwd=tmp_path, env=environment(), capture_output=True)
    assert trained.returncode == 0, trained.stderr
    in_a_process("gate", "nap", "mine=ppo.py", "random", "--deals", 4000, "--jobs", 1, cwd=tmp_path)
