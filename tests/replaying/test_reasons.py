"""For what a strategy has won and paid its counters."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from conftest import GAMES, Shell
from helpers.command import DEALS, deals_of, one_in
from helpers.shard_text import text_of

from roundsim.refereeing import script
from roundsim.table.events import EventLog, Moved
from roundsim.table.playthrough import run_deal

pytestmark = pytest.mark.usefixtures("here")


def reasons(shell: Shell, *words: object) -> list[Any]:
    done = shell("deals", *words, "--format", "json")
    assert done.code == 0, done
    return [json.loads(line) for line in done.out.splitlines()]


@pytest.mark.parametrize("game", one_in(8, GAMES))
def test_the_reasons_add_up_to_the_nets_in_the_log(game: str, shell: Shell) -> None:
    shell("play", game, "book", "random", "--deals", 24, "--out", "run")
    won, deals = Counter[str](), Counter[str]()
    seats: list[str] = []
    for file in sorted(Path("run/log").rglob("*.zst")):
        for line in text_of(file).splitlines():
            if line.startswith("= "):
                seats = line.split(" ", 2)[2].split(" | ")
            elif line[0] not in "!#":
                head = line.partition(" |")[0].split(" ")
                for label, net in zip(seats, head[2:], strict=True):
                    won[label] += int(net)
                    deals[label] += "/end" not in head[0]
    (table,) = reasons(shell, "run", "--why", "random")
    assert (table["strategy"], table["against"]) == ("random", "book") and len(deals_of(Path("run"))) >= table["deals"]
    for key, label in ("strategy", "random"), ("against", "book"):
        assert table["in_all"][key] == pytest.approx(won[label] / deals[label], abs=1e-5)
        assert sum(each[key] for each in table["reasons"]) == pytest.approx(table["in_all"][key], abs=1e-4)
    costs = [each["difference"] for each in table["reasons"]]
    assert costs == sorted(costs)


def test_the_difference_is_that_of_the_standings(shell: Shell) -> None:
    """Where two sit in every block; with their p the errors agree too."""
    shell("play", "nap", "book", "random", "--deals", 320, "--out", "run")
    (found,) = json.loads(Path("run/standings.json").read_text())["games"][0]["differences"]
    (table,) = reasons(shell, "run", "--why", "book")
    assert (found["one"], found["other"], table["against"]) == ("book", "random", "random")
    for key in "difference", "error":
        assert table["in_all"][key] == pytest.approx(found[key], abs=2e-6)


def test_the_points_of_cassino_are_paid_part_by_part() -> None:
    """The sheet of the deal: 0 has two aces and most cards; 1 both Cassinos, two aces, most spades and a sweep."""
    scripted = script.load_script(DEALS / "cassino/a-hundred-counters-a-point.toml")
    deal = scripted.rules.played_by(scripted.rules, scripted.state, scripted.source(1))
    written, heard = script.ScriptLines(scripted.lines(1)), EventLog(deal)
    assert run_deal(deal, written.answer)
    assert {each for each in heard.take() if isinstance(each, Moved)} == {
        Moved(1, 0, 300, "most cards", "ours"),
        Moved(0, 1, 200, "Great Cassino", "ours"),
        Moved(0, 1, 100, "Little Cassino", "ours"),
        Moved(0, 1, 100, "most spades", "ours"),
        Moved(0, 1, 100, "sweeps", "ours"),
    }


def test_next_to_the_best_of_the_others_in_words(shell: Shell) -> None:
    shell("play", "nap", "book", "random", "random", "--seats", 4, "--deals", 320, "--out", "run")
    printed = shell("deals", "run", "--why", "random").out
    assert printed.startswith("Nap · 320 deals · 20 blocks · counters a deal\n\n")
    assert max(map(len, printed.splitlines())) <= 80
    head, *rows = printed.split("\n\n")[1].splitlines()
    assert head.split() == ["for", "random", "book", "difference", "±", "95", "%"]
    assert [row[:18].strip() for row in rows] == ["the call is lost", "the call is made", "in all"]
    (table,) = reasons(shell, "run", "--why", "random", "--against", "random#2")
    assert table["against"] == "random#2"


def test_impossible_comparisons_are_refused(shell: Shell) -> None:
    shell("play", "nap", "book", "random", "--deals", 16, "--out", "run")
    shell("play", "nap", "book", "random", "--as", "shadow", "--deals", 16, "--out", "shadow")
    shell("play", "nap", "book", "--seats", 2, "--deals", 16, "--out", "alone")
    for words, code, said in (
        (("alone", "--why", "book"), 64, "book plays in no game with another strategy"),
        (("run", "--why", "bok"), 64, "did you mean book?"),
        (("run", "--why", "book", "--against", "book"), 64, "book is compared with itself"),
        (("run", "--against", "book"), 64, "--against is for --why"),
        (("run", "--why", "book", "--phase", "call"), 64, "--why is over all deals: give it or --phase"),
        (("run", "--why", "book", "--worst"), 64, "--why is over all deals: give it or --worst"),
        (("shadow", "--why", "book"), 64, "a shadow logs only what differs"),
    ):
        done = shell("deals", *words)
        assert done.code == code and said in done.err, done


def test_deals_that_were_compared_are_counted(shell: Shell) -> None:
    shell("play", "nap", "book", "random", "--deals", 32, "--out", "run")
    (table,) = reasons(shell, "run", "--why", "book")
    assert table["deals"] == 32
