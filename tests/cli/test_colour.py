"""Colour on a terminal: headings, verdicts and faults; nothing of it anywhere else."""

from __future__ import annotations

import io
import os
import pty
import re
import subprocess
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from conftest import Shell
from helpers.command import PATIENCE, command, environment, seldom

from roundsim.cli import main
from roundsim.reports.colour import coloured, has_colour
from roundsim.running import Run

ESCAPE = re.compile(r"\x1b\[[\d;]*m")
TABLE = """\
Nap · 4 seats · seed 3

 rank  strategy  net/deal  faults
 1     better      +1.449       0
 2     dead        -4.324      16
 -     mine        -1.449   1 005
Not placed: mine, faults in 20 of its deals (1 % is allowed); it has 16

 extremes     best +30 random nap/11/1/3
"""
IN_COLOUR = """\
<1>Nap · 4 seats · seed 3</>

<1> rank  strategy  net/deal  faults</>
 1     better      +1.449       0
 2     dead        -4.324      <31>16</>
 -     mine        -1.449   <31>1 005</>
Not placed: mine, faults in 20 of its deals (1 % is allowed); it has 16

 extremes     best +30 random nap/11/1/3
"""
RUNS = """\
run   entrants       deals  faults  state
nap   worse, random  1 600       4  better
"""
RUNS_IN_COLOUR = """\
<1>run   entrants       deals  faults  state</>
nap   worse, random  1 600       <31>4</>  better
"""
WIDE = """\
run   entrants        deals  faults  state
nap   賭博師, random  1 600       4  better
loo   book, random      160       0  finished
"""
WIDE_IN_COLOUR = """\
<1>run   entrants        deals  faults  state</>
nap   賭博師, random  1 600       <31>4</>  better
loo   book, random      160       0  finished
"""
GATE = """\
nap: mine - better  +3.905 counters a deal, after 320 deals: not worse by 0.5
loo: mine - better  -0.100 counters a deal,
    after 320 deals: undecided
    evidence     20 of 20 for better
worse by more than 0.5
"""
GATE_IN_COLOUR = """\
nap: mine - better  +3.905 counters a deal, after 320 deals: <32><1>not worse by 0.5</>
loo: mine - better  -0.100 counters a deal,
    after 320 deals: <33><1>undecided</>
    evidence     20 of 20 for better
<31><1>worse by more than 0.5</>
"""


def marked(text: str) -> str:
    return re.sub(r"\x1b\[(\d+)m", lambda found: "</>" if found[1] == "0" else f"<{found[1]}>", text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TABLE, IN_COLOUR),
        (RUNS, RUNS_IN_COLOUR),
        (WIDE, WIDE_IN_COLOUR),
        (GATE, GATE_IN_COLOUR),
        ("no run in here\n", "no run in here\n"),
    ],
    ids=["standings", "runs", "wide", "gate", "nothing"],
)
def test_headings_verdicts_and_faults_have_colour(text: str, expected: str) -> None:
    assert marked(coloured(text)) == expected and ESCAPE.sub("", coloured(text)) == text


class Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("terminal", "variables", "expected"),
    [
        (True, {}, True),
        (True, {"TERM": "xterm"}, True),
        (True, {"TERM": "dumb"}, False),
        (True, {"NO_COLOR": "1"}, False),
        (True, {"NO_COLOR": ""}, True),
        (True, {"FORCE_COLOR": "0"}, False),
        (False, {}, False),
        (False, {"FORCE_COLOR": "1"}, True),
        (False, {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_where_there_is_colour(terminal: bool, variables: dict[str, str], expected: bool) -> None:
    assert has_colour(Terminal(io.BytesIO()) if terminal else io.StringIO(), variables) is expected


def printed(*words: object, **variables: str) -> str:
    """The output of a command on a terminal."""
    ours, theirs = pty.openpty()
    surroundings = {name: value for name, value in environment().items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    with subprocess.Popen(command(*words), stdout=theirs, env={**surroundings, "TERM": "xterm", **variables}) as begun:
        os.close(theirs)
        text = b""
        try:
            while came := os.read(ours, 1 << 16):
                text += came
        except OSError:  # its end
            pass
        assert begun.wait(PATIENCE) == 0
    os.close(ours)
    return text.decode().replace("\r\n", "\n")


def printed_here(*words: object) -> str:
    """The same in this process."""
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(Terminal(io.BytesIO(), "utf-8")) as terminal:
        patch.setenv("TERM", "xterm")
        for name in "NO_COLOR", "FORCE_COLOR":
            patch.delenv(name, raising=False)
        with pytest.raises(SystemExit):
            main([*map(str, words)])
        terminal.seek(0)
        return terminal.read()


@pytest.mark.parametrize("show", [printed_here, *seldom(printed)])
def test_on_a_terminal(show: Callable[..., str], parlour: Run, shell: Shell) -> None:
    plain = shell("standings", parlour.folder).out
    text = show("standings", parlour.folder)
    assert ESCAPE.sub("", text) == plain and text == coloured(plain) != plain
    assert "\x1b[1m rank " in text


@pytest.mark.soak
def test_on_a_terminal_without_colour(parlour: Run, shell: Shell) -> None:
    for form in "json", "csv", "md":
        assert printed("standings", parlour.folder, "--format", form, FORCE_COLOR="1") == (
            shell("standings", parlour.folder, "--format", form).out
        )
    assert printed("standings", parlour.folder, NO_COLOR="1") == shell("standings", parlour.folder).out


@pytest.mark.parametrize(("columns", "most"), [(40, 80), (120, 120), (300, 140)])
def test_a_list_of_runs_is_as_wide_as_the_terminal(
    columns: int, most: int, parlour: Run, shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to 140 columns, and 80 at least; elsewhere always 80."""
    (tmp_path / ("r" * 200)).symlink_to(parlour.folder)
    monkeypatch.setenv("COLUMNS", str(columns))
    assert max(map(len, ESCAPE.sub("", printed_here("runs", tmp_path)).splitlines())) == most
    assert max(map(len, shell("runs", tmp_path).out.splitlines())) == 80
