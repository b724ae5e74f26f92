"""A strategy as its writer brings it up: written, checked, put to a gate, let into a run, its worst deals looked at, changed,
and compared with what it was."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from conftest import Git, Shell, Write

TIMID = """
    class Mine:
        games = ["nap"]

        def call(self, view):
            return "pass"

        def play(self, view):
            return {choice}(view.legal, key=lambda action: action.card.rank)
    """


@pytest.mark.soak
def test_the_life_of_a_strategy(shell: Shell, write: Write, git: Git) -> None:
    # written: what `new` writes passes its own check
    assert shell("new", "strategy", "mine", "--game", "nap").code == 0
    assert shell("check", "mine.py").code == 0

    # one of one's own, which leads its lowest card, and is kept
    write("mine.py", TIMID.format(choice="min"))
    git("init", "-q")
    git("add", "mine.py")
    git("commit", "-qm", "Lead low")
    assert shell("check", "mine.py", "--deals", 48).code == 0

    # it never calls, plays low and loses to the book: no merge
    gate = shell("gate", "nap", "mine.py", "book", "--deals", 1600)
    assert gate.code == 1 and gate.out.split("\nresults")[0].splitlines()[-2:-1] != ["better"]
    assert "\nworse\n" in gate.out

    # a field is there already, and it joins: nobody's deals are played again
    field = shell("play", "nap", *["book", "random"] * 2, "--deals", 640, "--out", "field")
    shards = {path: path.read_bytes() for path in Path("field/log/nap").iterdir()}
    grown = shell("grow", "field", "--strategy", "mine.py")
    assert field.code == grown.code == 0 and "Mine joined after 40 blocks." in grown.out
    assert all(path.read_bytes() == data for path, data in shards.items())

    # its worst deal, step by step as it saw it
    worst = json.loads(shell("deals", "field", "--worst", "Mine", "-n", 1, "--format", "json").out)
    nets = [int(net) for net in re.findall(r"worst -(\d+) Mine", shell("standings", "field").out)]
    assert worst["strategy"] == "Mine" and worst["net"] < 0 and all(worst["net"] == -net for net in nets)
    printed = shell("replay", f"field:{worst['deal']}", "--seat", "Mine").out
    assert f"seat {worst['seat']}" in printed or "Mine" in printed

    # changed: it plays high now, and answers differently in play alone
    write("mine.py", TIMID.format(choice="max"))
    against = shell("check", "mine.py", "--against", "git:HEAD", "--deals", 48)
    assert against.code == 0
    differs = re.search(r"against git:HEAD +note +(\d+) of (\d+) answers differ", against.out)
    assert differs and 0 < int(differs[1]) < int(differs[2])
    assert against.out.count("phase play: ") >= 5 and "phase call: " not in against.out.split("against")[1]

    # better than the committed one; and by how much, on the same deals
    assert shell("gate", "nap", "new=mine.py", "old=git:HEAD:mine.py", "--deals", 1600).code in (0, 3)
    others = ("book", "random", "random", "--deals", 640)
    assert shell("play", "nap", "mine=git:HEAD:mine.py", *others, "--out", "old").code == 0
    assert shell("play", "nap", "mine=mine.py", *others, "--out", "new").code == 0
    found = json.loads(shell("diff", "old", "new", "--format", "json").out)
    assert found["games"][0]["blocks"] == 40
    assert [each["where"] for each in found["differs"]] == [["nap", "strategy mine", "sha256"]]

    # in a larger tournament only its own blocks are played again
    write(
        "season.toml",
        """
        [tournament]
        strategies = [{ name = "mine", from = "git:HEAD:mine.py" }, "book", "random", "random", "random", "random"]
        [[games]]
        game = "nap"
        players = 3
        deals = 540
        """,
    )
    assert shell("run", "season.toml", "--out", "season").code == 0
    write("season.toml", Path("season.toml").read_text().replace("git:HEAD:mine.py", "mine.py"))
    again = shell("run", "season.toml", "--reuse", "season", "--out", "again")
    assert again.code == 0 and "30 of 60 blocks of season" in again.out  # it sits in three of six
    assert shell("verify", "again").code == 0
