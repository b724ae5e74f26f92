"""Names in Japanese, whose characters take two columns each: tables stay aligned, with colour and without."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from unicodedata import east_asian_width

import pytest
from conftest import Shell, Write
from helpers.seat import sits

from roundsim.base.text import columns_of
from roundsim.reports.lines import broken
from roundsim.seat.practice import MARGIN

pytestmark = pytest.mark.usefixtures("here")

NAMES = "名人", "初心者の長い名前"
STRATEGIES = """
    class 名人:
        games = ["nap"]
        def act(self, view):
            return "fly"

    class 初心者の長い名前:
        games = ["nap"]
        def act(self, view):
            return view.legal[0]
    """


def columns(text: str) -> int:
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def column_of(line: str, cell: str) -> int:
    assert line.count(cell) == 1, line
    return columns(line[: line.index(cell)])


@pytest.fixture
def run(shell: Shell, write: Write) -> Path:
    write("m.py", STRATEGIES)
    who = [f"m.py:{name}" for name in NAMES]
    shell("play", "nap", *who, "book", "random", "--deals", 80, "--isolate", "off", "--jobs", 1, "--out", "runs/r")
    return Path("runs/r")


def test_the_standings_are_aligned_and_their_colour_fits(
    run: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = shell("standings", run).out
    head, *rows = plain.split("\n\n")[1].splitlines()[:5]
    assert {columns(row) for row in rows} == {columns(head)}
    assert all(columns(line) <= 80 for line in plain.splitlines())
    monkeypatch.setenv("FORCE_COLOR", "1")
    (bad,) = [line for line in shell("standings", run).out.splitlines() if line.startswith(" -")]
    assert "名人" in bad and re.search(r" \x1b\[31m[0-9]+\x1b\[0m$", bad)


def test_deals_and_runs_are_aligned(run: Path, shell: Shell) -> None:
    head, *lines = shell("deals", run, "--worst", NAMES[1], "-n", 2).out.splitlines()
    assert {column_of(line, "pass, ") for line in lines[:2]} == {column_of(head, "actions")}
    shutil.copytree(run, "runs/対局記録")
    damaged = Path(shutil.copytree(run, "runs/壊れた対局"))
    (damaged / "run.toml").write_text("x")
    head, *lines = shell("runs", "runs").out.splitlines()
    starts = {column_of(line, "broken" if line.startswith("壊") else "nap") for line in lines}
    assert starts == {column_of(head, "games")} and len(lines) == 3


def test_the_table_of_a_person_is_aligned(run: Path) -> None:
    words = "nap", *[f"m.py:{name}" for name in NAMES], "book", "--deals", 1, "--seed", 3, "--isolate", "off"
    out = sits(Path(), *words, typed="pass\nq\n").stdout
    said = [line for line in out.splitlines() if line.endswith((" pass", " passes"))]
    assert len(said) > 1 and {column_of(line, "pass") for line in said} == {len(MARGIN) + columns(NAMES[1]) + 2}, out


def test_lines_break_where_their_columns_end() -> None:
    text = "1st - 2nd +0.070 ± 0.237: 名人 は " + "初心者 " * 20
    lines = broken(text, 4, 40)
    assert max(map(columns, lines)) in range(35, 41) and "".join("".join(lines).split()) == "".join(text.split())
    assert columns_of("名人 ab\x1b") == 6 and columns_of("名人 ab") == 7
