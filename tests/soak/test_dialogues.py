"""Guests that say almost anything: a run ends, and nobody else is at fault."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest
from helpers.command import PATIENCE, TESTS, command, drawn, environment

from roundsim import api

HOSTILE = 8  # guests in a run
NEIGHBOURS = ("book", "random", "calm.py")
FILE = """
[limits]
seconds = 0.05
[tournament]
strategies = {strategies}
[[games]]
game = "nap"
deals = 96
"""


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(drawn(8, 250)))
def test_guests_may_say_anything(tmp_path: Path, seal: object, seed: int) -> None:
    """Four bots, and four modules that write past their shims."""
    shutil.copy(TESTS / "helpers" / "speaker.py", tmp_path)
    (tmp_path / "calm.py").write_text("def act(view):\n    return view.legal[0]\n")
    seeds = [HOSTILE * seed + at for at in range(HOSTILE)]
    hostile = [
        f"cmd:python3 -S speaker.py {each}" if each % 2 else f"speaker.py:Meddling(seed={each})" for each in seeds
    ]
    strategies = [f"h{at}={place}" for at, place in enumerate(hostile)] + [*NEIGHBOURS]
    Random(seed).shuffle(strategies)
    (tmp_path / "all.toml").write_text(FILE.format(strategies=json.dumps(strategies)))
    done = subprocess.run(
        [*command("run", "all.toml", "--jobs", 1, "--out", "run")],
        cwd=tmp_path,
        env={**environment(), "ROUNDSIM_SEAL": str(getattr(seal, "name", ""))},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode in (0, 2), done.stderr
    assert "Traceback" not in done.stderr
    rows = json.loads((tmp_path / "run" / "standings.json").read_text())["games"][0]["rows"]
    assert not [row["strategy"] for row in rows if row["faults"] and row["strategy"][0] != "h"]
    assert api.verify(tmp_path / "run")
