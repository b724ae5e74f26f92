"""How a bot ends is in the faults of a run: its exit code, and that it has never answered; the same on any machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers.command import assert_same, roundsim

GREETS = "read -r hello; echo '{\"roundsim\":1}'; read -r sit; read -r ask\n"
BOTS = {"exits": "exit 7", "aborts": "kill -ABRT $$", "silent": "read -r more"}
RUN = """
[limits]
seconds = 0.05
faults_allowed = 999
[[games]]
game = "nap"
deals = 1100
strategies = ["cmd:sh exits.sh", "cmd:sh aborts.sh", "cmd:sh silent.sh", "random"]
"""
ENDED = "3 times it took so long that it had to be ended: it is not asked in this shard"
WORDS = {
    "exits": ("dead", "the process died: exited with code 7"),
    "aborts": ("dead", "the process died: killed by signal 6 (SIGABRT)"),
    "silent": ("late", f"no answer within the limit: it has answered nothing since its hello; {ENDED}"),
}


@pytest.mark.soak
def test_how_a_bot_ends_is_in_the_faults(tmp_path: Path) -> None:
    for name, does in BOTS.items():
        (tmp_path / f"{name}.sh").write_text(GREETS + does + "\n")
    (tmp_path / "run.toml").write_text(RUN)
    for jobs in 1, 2:
        roundsim("run", "run.toml", "--jobs", jobs, "--out", f"run{jobs}", cwd=tmp_path)
    assert_same(tmp_path / "run1", tmp_path / "run2")
    faults = map(json.loads, (tmp_path / "run1" / "faults.jsonl").read_text().splitlines())
    found = {(each["strategy"], each["kind"], each["words"]) for each in faults}
    assert found == {(name, *words) for name, words in WORDS.items()}
