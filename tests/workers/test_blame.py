"""Who is at fault where time passes: the strategy that takes it, and nobody else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from command import deals_of, roundsim
from conftest import Write

from roundsim.refereeing.board import CELLS, QUESTION
from roundsim.refereeing.referee import Clock, TimeUp
from roundsim.seals.kinds import NONE, Seal
from roundsim.tournament.file import read
from roundsim.tournament.folder import RunFolder
from roundsim.tournament.places import Places
from roundsim.tournament.plan import Schedule
from roundsim.workers import worker
from roundsim.workers.guests import Guests

FILE = """
[limits]
isolate = "on"
seconds = {seconds}

[[games]]
game = "nap"
players = {players}
deals = {deals}
strategies = {strategies}
"""
LOADS = """
    import time
    time.sleep({pause})

    def act(view):
        return view.legal[0]
    """


def played(room: Path, *strategies: str, seconds: float, deals: int, players: int = 2, code: int = 0) -> list[str]:
    """The deals of a sealed run on one process."""
    listed = "[" + ", ".join(f'"{each}"' for each in strategies) + "]"
    (room / "run.toml").write_text(FILE.format(seconds=seconds, players=players, deals=deals, strategies=listed))
    roundsim("run", "run.toml", "--jobs", 1, "--out", "run", cwd=room, code=code)
    return deals_of(room / "run")


@pytest.mark.usefixtures("met")
def test_who_is_slowly_loaded_makes_nobody_late(
    write: Write, tmp_path: Path, seal: Seal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it is loaded, other tables wait for their guests: these have answered at once."""
    monkeypatch.setenv("ROUNDSIM_SEAL", seal.name)
    logs = []
    for pause in 0, 0.3:
        folder = write(f"{pause}/slow.py", LOADS.format(pause=pause)).parent
        write(f"{pause}/quick.py", LOADS.format(pause=0))
        logs.append(played(folder, "quick.py", *["slow.py"] * 3, seconds=0.02, deals=48))
    assert logs[0] == logs[1]


def test_an_interruption_of_ours_is_a_bug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told with its traceback, and the board names no question for which somebody could be blamed."""

    def interrupted(*_: Any) -> None:
        raise TimeUp("no answer within the limit")

    data = {"tournament": {"strategies": ["random", "random"]}, "games": [{"game": "nap", "deals": 2}]}
    tournament = read(data, Places("here"), tmp_path, "here")
    monkeypatch.setattr(worker.Playing, "play", interrupted)
    clock = Clock(1, board := [7] * CELLS)
    task, guests = Schedule(tournament, 0).task(1), Guests(NONE, tournament.limits)
    said = worker.answer(tournament, task, clock, RunFolder(tmp_path), True, guests)
    assert said["error"] == "BugError" and "in interrupted" in said["words"]
    assert board[QUESTION] == 0
