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
deals = {deals}
strategies = [{bots}, "random"]
"""
ENDED = "3 times it took so long that it had to be ended: it is not asked in this shard"
WORDS = {
    "exits": ("dead", "the process died: exited with code 7"),
    "aborts": ("dead", "the process died: killed by signal 6 (SIGABRT)"),
    "silent": ("late", f"no answer within the limit: it has answered nothing since its hello; {ENDED}"),
}


def faults(room: Path, deals: int, *jobs: int) -> set[tuple[str, str, str]]:
    """The faults of the bots, each kind and its words once, of runs that must be the same."""
    for name, does in BOTS.items():
        (room / f"{name}.sh").write_text(GREETS + does + "\n")
    bots = ", ".join(f'"cmd:sh {name}.sh"' for name in BOTS)
    (room / "run.toml").write_text(RUN.format(deals=deals, bots=bots))
    for number in jobs:
        roundsim("run", "run.toml", "--jobs", number, "--out", f"run{number}", cwd=room)
        assert_same(room / f"run{jobs[0]}", room / f"run{number}")
    made = map(json.loads, (room / f"run{jobs[0]}" / "faults.jsonl").read_text().splitlines())
    return {(each["strategy"], each["kind"], each["words"]) for each in made}


@pytest.mark.soak
def test_how_a_bot_ends_is_in_the_faults(tmp_path: Path) -> None:
    assert faults(tmp_path, 1100, 1, 2) == {(name, *words) for name, words in WORDS.items()}
