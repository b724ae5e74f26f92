"""Gates that end because there is no difference: exit code 4, or 0 with a margin."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Shell, Write
from helpers.run_files import standings_of

pytestmark = pytest.mark.usefixtures("here")

ALIKE = """
class First:
    games = ["nap"]
    def act(self, view): return view.legal[0]

class Second:
    games = ["nap"]
    def act(self, view): return str(view.legal[0])
"""


def test_the_same_source_is_not_played(shell: Shell, write: Write) -> None:
    write("mine.py", ALIKE)
    gate = "gate", "nap", "new=mine.py:First", "old=mine.py:First", "--out", "run"
    done = shell(*gate, "--junit", "junit.xml", "--ci", "github")
    assert done.code == 4
    assert done.out.startswith("new - old  the same source and parameters: nothing is played\nno difference\n")
    assert "::notice title=gate%3A no difference::" in done.err
    assert '<skipped message="the same source and parameters: nothing is played" />' in Path("junit.xml").read_text()
    assert not [*Path("run").rglob("*.zst")] and shell("verify", "run").out.startswith("0 deals verified")
    (game,) = standings_of(Path("run"))["games"]
    assert (game["until"]["verdict"], game["until"]["decided"], game["until"]["block"]) == ("no difference", None, 0)
    assert shell("report", "run").code == 0 and "no difference" in Path("run/report.html").read_text()
    again = shell(*gate)
    assert again.code == 4 and "nothing left to play" in again.out
    done = shell("gate", "nap", "new=random", "old=random", "--margin", 0.5, "--out", "margin")
    assert done.code == 0 and "\nnot worse by 0.5\n" in done.out


@pytest.mark.parametrize("old", ["random", "mine.py:Second", "book(bold=1)"])
def test_another_class_or_other_parameters_are_played(old: str, shell: Shell, write: Write) -> None:
    write("mine.py", ALIKE)
    new = "mine.py:First" if "mine" in old else "book"
    done = shell("gate", "nap", f"new={new}", f"old={old}", "--deals", 320, "--out", "run", "--isolate", "off")
    assert "same source" not in done.out and [*Path("run").rglob("*.zst")]


@pytest.mark.soak
def test_a_thousand_sittings_that_come_out_alike(shell: Shell, write: Write) -> None:
    """With half of the table a block is four sittings, so block 250 ends it; by the rule of three the bound is 3 in 250."""
    write("mine.py", ALIKE)
    words = "gate", "nap", "new=mine.py:First", "old=mine.py:Second", "--isolate", "off", "--half", "--out"
    done = shell(*words, "run")
    assert done.code == 4 and "\nno difference\n" in done.out
    assert "after 4 000 of 16 000 deals (block 250)" in " ".join(done.out.split())
    assert "in all of 250 blocks, different in fewer than 1 of 83 (95 %)" in done.out
    assert shell("verify", "run").out.startswith("4 000 deals verified")
    short = shell(*words, "short", "--deals", 249 * 16)
    assert short.code == 3 and "0 of 249 blocks differ, 80 must" in short.out
    assert shell(*words, "margin", "--margin", 0.01).code == 0


@pytest.mark.soak
@pytest.mark.parametrize(("worth", "least"), [("0.5", 0.5), (".4sd", 0.4)])
def test_a_difference_that_is_not_worth_it(worth: str, least: float, shell: Shell) -> None:
    words = "gate", "nap", "new=book(bold=1)", "old=book", "--worth", worth, "--out", "run"
    done = shell(*words)
    found = standings_of(Path("run"))["games"][0]["until"]
    said = " ".join(done.out.split())
    assert done.code == 4 and "\nno difference\n" in done.out
    assert f"less than {least}{' sd of a block' * worth.endswith('sd')}" in said
    largest = max(-found["low"], found["high"])
    assert f"a difference is at most {largest:.3f} counters a deal" in said
    assert largest < (least if worth == "0.5" else least * abs(found["difference"] / found["effect"]))
    assert found["changed"] == found["gained"] + found["lost"] < found["block"] < 1000
    assert shell("verify", "run").code == 0 and f"--worth {worth}" in said


@pytest.mark.soak
def test_a_gate_ends_when_no_difference_can_be_found_any_more(shell: Shell) -> None:
    """The bid of one who is bold does not matter at Nap for two: the limits close in on 0."""
    done = shell("gate", "nap", "new=book(bold=1)", "old=book", "--deals", 4000, "--out", "run")
    found = standings_of(Path("run"))["games"][0]["until"]
    assert done.code == 4 and found["block"] % 20 == 0 and found["block"] < 1000
    assert "one that large would not be found in the" in " ".join(done.out.split())
    assert shell("verify", "run").code == 0


def test_a_gate_takes_a_margin_or_a_worth(shell: Shell, write: Write) -> None:
    done = shell("gate", "nap", "book", "random", "--margin", 1, "--worth", 1)
    assert done.code == 64 and "give a margin or a worth" in done.err
    for worth in "0", "0sd", "-1", "inf", "two", "1 sd":
        done = shell("gate", "nap", "book", "random", "--worth", worth)
        assert done.code == 64 and f"{worth} is not a number above 0, or as in '0.2sd'" in done.err
    gate = '[gate]\nmine = "book"\nbaseline = "random"\nmargin = 1\nworth = 2\n'
    write("t.toml", f'[tournament]\nstrategies = ["book", "random"]\n{gate}[[games]]\ngame = "nap"\n')
    done = shell("gate", "t.toml")
    assert done.code == 64 and "t.toml:7: a gate with a margin passes without a difference" in done.err
