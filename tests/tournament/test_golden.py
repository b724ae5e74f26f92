"""Bytes that change only on purpose: a whole run, and the keys of blocks."""

from __future__ import annotations

import re
import shutil
from hashlib import sha256
from pathlib import Path

import pytest
from helpers.command import contents, roundsim
from helpers.reusing import play_reusing, tournament_of
from helpers.shard_text import text_of, write_text

from roundsim import __version__
from roundsim.base.errors import LogError
from roundsim.tournament.planning.plan import Schedule
from roundsim.tournament.results.totals import Extreme
from roundsim.tournament.storage.writer import RunWriter

pytestmark = pytest.mark.usefixtures("here")

GOLDEN = """
[tournament]
name = "golden"
seed = 27
strategies = ["book", "random", "random"]
[[games]]
game = "nap"
players = 3
deals = 90
[[games]]
game = "draw-poker"
players = 3
deals = 36
options = { jacks = true }
[[games]]
game = "commerce"
players = 4
deals = 48
"""
KEY = r"\b([0-9a-f]{64}|[0-9a-f]{24})\b"  # of a source, or of a block
HASHES = {
    "faults.jsonl": "e3b0c44298fc1c14",
    "log/commerce/0000001.zst": "5a065f499512f3ea",
    "log/draw-poker/0000001.zst": "ea5f87042d5ac507",
    "log/nap/0000001.zst": "48688b89937940d7",
    "run.toml": "235447fca896f638",
    "standings.csv": "09a88448b8eaf3cd",
    "standings.json": "dcb5f4dafd22eb2b",
    "standings.md": "54f4cef42743c5ec",
}


def test_a_run(tmp_path: Path) -> None:
    """A changed byte of a log, or of a result, is a change of every run: mention it in CHANGELOG.md, and write the new one
    down.  The release that played it does not count, nor do the sources of the strategies and how a shard is packed."""
    (tmp_path / "golden.toml").write_text(GOLDEN)
    roundsim("run", "golden.toml", "--jobs", 1, "--out", "run", cwd=tmp_path)
    found = {}
    for name, data in contents(tmp_path / "run").items():
        text = text_of(tmp_path / "run" / name) if name.endswith(".zst") else data.decode()
        text = re.sub(r'"pieces":.*?]],', "", text)
        text = re.sub(KEY, "KEY", text.replace(f'"{__version__}"', "VERSION"))
        found[name] = sha256(text.encode()).hexdigest()[:16]
    assert found == HASHES


def test_the_key_of_a_block_and_the_order_of_deals() -> None:
    key = Schedule(tournament_of(["random", "book"]), 0).key
    assert key(1, (0, 1)) != key(1, (1, 0)) and key(1, (0, 1)) != key(2, (0, 1)) != key(2, (1, 0))
    for first, second in ("9/1/1", "10/1/1"), ("1/9/1", "1/10/1"), ("1/1/9", "1/1/10"), ("2/9/9", "10/1/1"):
        assert Extreme(1, first).before(Extreme(1, second)) and not Extreme(1, second).before(Extreme(1, first))


def test_a_run_seated_by_another_version_is_refused(tmp_path: Path) -> None:
    """It seats two at four seats as 0 1 0 1 in every block."""
    tournament = tournament_of(["random", "book"], players=4, deals=64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("roundsim.tournament.seating.Orders.best", lambda orders, group, name: [0, 1, 2, 3])
        play_reusing(tournament, tmp_path / "old")
    shard = tmp_path / "old" / "log" / "nap" / "0000001.zst"
    words = "has its entrants in other seats than this version of roundsim gives them"
    write_text(shard, text_of(shard).replace(f'"{__version__}"', '"0.0.1"'))
    said = f"{re.escape(str(shard))}: block 1 {words} .version 0.0.1 played it.: play the run again"
    with pytest.raises(LogError, match=said):
        play_reusing(tournament, tmp_path / "old")
    with pytest.raises(LogError, match=said):
        play_reusing(tournament, tmp_path / "new", tmp_path / "old")


def test_a_run_keeps_its_version_and_takes_no_block_of_another(tmp_path: Path) -> None:
    tournament, run = tournament_of(["random", "book"], deals=64), RunWriter(tmp_path / "run")
    play_reusing(tournament, run.path)
    run.open(tournament, "99.0.0")
    assert run.read_run()["roundsim"] == __version__
    shutil.rmtree(run.path / "log")
    run.open(tournament, "99.0.0")
    assert run.read_run()["roundsim"] == "99.0.0"
    tournament = tournament_of(["random", "book"], deals=64)
    play_reusing(tournament, tmp_path / "old")
    (shard,) = (tmp_path / "old" / "log").rglob("*.zst")
    assert play_reusing(tournament, tmp_path / "same", tmp_path / "old") == (16, 16)
    text = text_of(shard)
    assert f'"{__version__}"' in text
    write_text(shard, text.replace(f'"{__version__}"', '"0.0.1"'))
    assert play_reusing(tournament, tmp_path / "new", tmp_path / "old") == (0, 16)
