"""What `roundsim rules GAME` teaches a newcomer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import GAMES, Shell, Write

from roundsim import games
from roundsim.refereeing.script import load_script
from roundsim.replaying.example import path_of
from roundsim.table.citations import CITATION, rules_of_game


@pytest.mark.parametrize("name", GAMES)
def test_each_step_has_its_page(name: str) -> None:
    game = games.find(name)
    steps = [" ".join(step.split()) for step in game.course.split("\n\n")]
    assert len(steps) >= 3
    for text in (*steps, *(" ".join(each.split()) for each in game.what_wins.split("\n\n"))):
        assert CITATION.match(text), text


@pytest.mark.parametrize("name", GAMES)
def test_the_example_is_a_scripted_deal_with_rules_and_pages(name: str, shell: Shell) -> None:
    game = games.find(name)
    path = path_of(game)
    assert path is not None
    script = load_script(path)
    (played,) = script.play()
    assert script.game is game and len(script.deals) == 1
    assert path.read_text("utf-8").startswith("# ")
    out = shell("rules", name, "--example").out
    stated = [f"{rule.words} ({rule.cited})" for rule in rules_of_game(game)]
    words = " ".join(out.split())
    assert sum(rule in words for rule in stated) >= 1
    assert out.splitlines()[-2].startswith("net ")
    data = json.loads(shell("rules", name, "--example", "--format", "json").out)
    assert words.startswith(data["watch"])
    assert [each["a"] for each in data["steps"]] == list(map(str, played.actions))
    assert data["rules"] and all(
        rule in words and int(step) < len(data["steps"]) for step, rule in data["rules"].items()
    )
    assert "   ".join(f"{seat} {net:+d}" for seat, net in enumerate(data["net"])) in out


def test_the_example_of_nap(shell: Shell) -> None:
    out = shell("rules", "nap", "--example").out
    assert out.startswith("Nobody need trump")
    calling = out.index("Once round: pass, or call higher than the last")
    playing = out.index("The senior hand leads; the winner of each trick leads to the next (pp. 10-11)")
    assert calling < out.index("seat 0  call") < playing < out.index("seat 1  play")
    assert "net      0 -3   1 +9   2 -3   3 -3" in out


def test_a_page_shows_where_its_rules_are(shell: Shell) -> None:
    rule = json.loads(shell("rules", "nap", "--page", "9", "--format", "json").out)[0]
    file, _, line = rule["code"].rpartition(":")
    assert f"    {rule['code']}\n" in shell("rules", "nap", "--page", "9").out
    assert f"def {rule['rule']}(" in Path(file).read_text("utf-8").splitlines()[int(line) - 1]


def test_a_game_without_an_example(shell: Shell, write: Write) -> None:
    path = write("heart_nap.py", "from roundsim.games.nap import Nap\n\n\nclass HeartNap(Nap):\n    id = 'heart-nap'\n")
    done = shell("rules", path, "--example")
    assert done.code == 64 and "there is no examples/heart-nap.toml" in done.err
    write(
        "examples/heart-nap.toml",
        (path_of(games.find("nap")) or path).read_text("utf-8").replace('"nap"', '"heart-nap"'),
    )
    assert "net      0 -3   1 +9" in shell("rules", path, "--example").out


def test_an_example_that_does_not_fit(shell: Shell, write: Write) -> None:
    path = write("heart_nap.py", "from roundsim.games.nap import Nap\n\n\nclass HeartNap(Nap):\n    id = 'heart-nap'\n")
    nap = (path_of(games.find("nap")) or path).read_text("utf-8")
    write("examples/heart-nap.toml", nap)
    done = shell("rules", path, "--example")
    assert done.code == 64 and "a deal of nap, expected one of heart-nap" in done.err
    write("examples/heart-nap.toml", nap.replace('"nap"', '"heart-nap"').replace('"2 play 4c"', '"2 play 5d"'))
    done = shell("rules", path, "--example")
    assert done.code == 64 and "its actions do not fit the deal" in done.err and not done.out


def test_one_of_page_long_and_example(shell: Shell) -> None:
    done = shell("rules", "nap", "--page", "9", "--example")
    assert done.code == 64 and "give one of them" in done.err
