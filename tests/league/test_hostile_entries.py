"""Hostile entries of a league: each plays or is left out with a reason, and none changes anything outside its process."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from conftest import Shell, Write
from helpers.command import TESTS, begin, contents, drawn, ended
from helpers.sealed import any_in_force

from roundsim.league.rounds import rounds_of

pytestmark = pytest.mark.soak

RULES = """
    title = "Hostile"
    [round]
    deals = 60
    least = 10
    [limits]
    memory = 256
    [[games]]
    game = "nap"
    players = 4
    """
FIRST = 'games = ["nap"]\n\ndef act(view):\n    return view.legal[0]\n'
# Sleeps almost as long as it may, and never thinks.
DOZES = FIRST.replace("return", "time.sleep(1.5)\n    return").replace("games", "import time\n\ngames", 1)
EARLY = """
    import json, sys

    sys.stdin.readline()
    print('{"roundsim":1}', flush=True)
    for line in sys.stdin:
        word, number, *_ = json.loads(line)
        if number:
            print(f"[{number},0]\\n[{number + 1},0]" if word == "ask" else f"[{number}]", flush=True)
    """
ATTACKS = {"ends": "Exits Leaves Rots", "tampering": "Code Loads Nets Tallies", "world": "Forks Parent"}
WORLD = {"Writes": "league.toml", "Removes": "entries/ann.py", "Reads": "secret", "Looks": "."}


def write_attack(write: Write, room: str, attack: str, given: str = "") -> None:
    """Write an entry that is a package with one of the attacks on single runs."""
    folder = f"lg/entries/{attack.lower()}"
    write(f"{folder}/__init__.py", f"threads = True\n\nfrom . import {room}\n\n\nclass Entry({room}.{attack}):\n")
    with Path(folder, "__init__.py").open("a") as file:
        file.write(f"    def __init__(self):\n        super().__init__({given})\n")
    for file_name in "plan.py", f"{room}.py":
        shutil.copy(TESTS / "hostile" / "attacks" / file_name, folder)


def write_hostile(write: Write) -> None:
    """Write attacks on processes, views and the world; bots that say anything; and files that are none."""
    for room, attacks in ATTACKS.items():
        for attack in attacks.split():
            write_attack(write, room, attack)
    for attack, place in WORLD.items():
        write_attack(write, "world", attack, repr(str(Path("lg", place).absolute())))
    for seed in range(drawn(4, 80)):
        write(f"lg/entries/says{seed}/bot.toml", bot(f"says{seed}", "speaker.py", str(seed)))
        shutil.copy(TESTS / "helpers" / "speaker.py", f"lg/entries/says{seed}")
    write("lg/entries/early/bot.toml", bot("early", "early.py"))
    write("lg/entries/early/early.py", EARLY)
    write("lg/entries/leads-out/bot.toml", bot("leads-out", "../../league.toml"))
    write("lg/entries/dozes.py", DOZES)
    write("lg/entries/large.py", FIRST + "#" * (1 << 20))
    os.mkfifo("lg/entries/pipe.py")
    Path("lg/entries/device.py").symlink_to("/dev/zero")
    Path("lg/entries/round.py").symlink_to("round.py")


def bot(name: str, *words: str) -> str:
    return f'name = "{name}"\ngames = ["nap"]\ncommand = {["python3", "-S", *words]!r}\nfiles = ["{words[0]}"]\n'


def test_hostile_entries_play_or_are_left_out(shell: Shell, write: Write, tmp_path: Path) -> None:
    any_in_force()
    write("lg/league.toml", RULES)
    write("lg/entries/ann.py", FIRST)
    write("lg/secret", "nobody's business\n")
    write_hostile(write)
    names = {path.name.removesuffix(".py") for path in Path("lg/entries").iterdir()}
    before = contents(Path("lg"))
    going = begin("league", "lg", cwd=tmp_path)
    _, err = going.communicate()
    assert going.returncode == 0 and ended(going.pid) and "Traceback" not in err, err
    after = contents(Path("lg"))
    made = "rounds/", "versions/", "checks/", "site/", ".lock"
    assert {name: data for name, data in after.items() if not name.startswith(made)} == before
    (folder,) = rounds_of(Path("lg"))
    playing = {one.name for one in folder.record.field}
    reasons = {one.name.removesuffix(".py"): one.reason for one in folder.record.left_out}
    assert playing | reasons.keys() == names and "ann" in playing and not playing & reasons.keys()
    assert all(reasons.values()) and {"dozes", "early", "leads-out", "large", "pipe", "device", "round"} <= {*reasons}
    assert shell("verify", "lg").code == 0
