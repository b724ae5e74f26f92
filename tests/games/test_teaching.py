"""The lessons of `roundsim rules GAME` for a newcomer."""

from __future__ import annotations

import json
import re
from pathlib import Path
from sys import setprofile
from types import CodeType, FrameType, GeneratorType
from typing import Any, cast

import pytest
from conftest import GAMES, Shell, Write
from helpers.command import ROOT, one_in

from roundsim import games
from roundsim.refereeing.script import Script, ScriptLines, load_script
from roundsim.replaying.example import examples_of, held_story, new_deal
from roundsim.table.actions import Action
from roundsim.table.citations import CITATION, rules_of_game
from roundsim.table.deal import Ask
from roundsim.table.playthrough import run_deal
from roundsim.table.teaching import course_of, step_named, taught, what_wins_in

FORMS = [(name, path) for name in GAMES for path in examples_of(games.find(name))]
MOVES = ("pay", "into_pool", "take_pool", "receive")


@pytest.mark.parametrize(("name", "path"), FORMS, ids=[path.stem for _, path in FORMS])
def test_each_step_of_a_form_has_its_page(name: str, path: Path) -> None:
    rules = load_script(path).rules
    assert len(course_of(rules)) >= 3
    for text in *course_of(rules), *what_wins_in(rules):
        assert CITATION.match(text) and not {*"{}"} & {*text} and not text.startswith(("With ", "Without ")), text


@pytest.mark.parametrize("name", GAMES)
def test_a_course_says_every_step_of_the_scripted_deals(name: str) -> None:
    """Whatever asks, or moves counters, is part of a step that the course of this form has."""
    left_out = set[str]()
    for path in [*examples_of(games.find(name)), *(ROOT / "tests" / "deals" / name).glob("*.toml")]:
        left_out |= {f"{path.stem}: {step}" for step in steps_left_out(load_script(path))}
    assert sorted(left_out) == []


def steps_left_out(script: Script) -> set[str]:
    """Return what asks or moves counters in the first deal, and is part of no step of the course."""
    deal, lines, left_out = new_deal(script), ScriptLines(script.lines(1)), set[str]()
    story, game = held_story(deal), type(deal)
    names = game.course.split() if "(" not in game.course else []
    steps = [step_named(game, name) for name in names]
    codes = {step.__code__ for step in steps if taught(game, step, script.rules)}

    def check(stack: list[CodeType]) -> None:
        if not codes & {*stack}:
            left_out.add(" in ".join(code.co_name for code in stack[:3]))

    def moving(frame: FrameType | None, event: str, argument: object) -> None:
        if event == "call" and frame and frame.f_code.co_name in MOVES:
            stack = list[CodeType]()
            while frame := frame.f_back:
                stack.append(frame.f_code)
            check(stack)

    def answer(ask: Ask) -> Action | None:
        stack, at = list[CodeType](), cast(Any, story)
        while isinstance(at, GeneratorType):
            stack, at = [at.gi_code, *stack], at.gi_yieldfrom
        check(stack)
        return lines.answer(ask)

    setprofile(moving)
    try:
        run_deal(deal, answer)
    finally:
        setprofile(None)
    return left_out


@pytest.mark.parametrize("name", one_in(3, GAMES))
def test_the_note_on_cards_names_those_of_the_pack(name: str, shell: Shell) -> None:
    """At the largest table that plays without options: its ranks, and no card that it has not."""
    words = " ".join(shell("rules", name).out.partition("are written")[2].partition("A deal")[0].split())
    game = games.find(name)
    pack = {*game.cards_at(game.rules_for(5 if name == "bouillotte" else game.usual[0]))}
    if not pack:
        assert "card" not in words and "Ranks" not in words
        return
    assert {*re.findall(r"`(?:play )?(\w[shdc])`", words)} <= pack
    named = re.findall(r"Ranks are ([A-Z ]+) and", words)[0].split()
    assert {card[0] for card in pack if not card[0].isdigit()} == {*named}
    assert (", where T is the ten" in words) == ("Ts" in pack)


def test_sentences_that_a_newcomer_needs(shell: Shell) -> None:
    """The number of cards; and three sentences without which a rule would be misread."""
    for name, words in (
        ("bouillotte", "There are 16 cards for 2 or 3 players, 20 for 4, 24 for 5."),
        ("draw-poker", "the eldest hand pays the antes of both in the jack pot (Foster law 21)."),
        ("pope-joan", "up to a stop: a king, the seven of diamonds, or a card whose next nobody holds"),
        ("nap", "There are 52 cards."),
    ):
        assert words in " ".join(shell("rules", name).out.split())


def test_the_form_that_is_asked_for_is_taught_with_its_values(shell: Shell) -> None:
    usual, american = (" ".join(shell("rules", "brag", *form).out.split()) for form in ([], AMERICAN))
    assert "compares hands with the raiser" in american and "compares hands with the raiser" not in usual
    assert "form variant = american, limit = 5" in american and "an ante of 1 to 5 counters" in american
    example = json.loads(shell("rules", "brag", *AMERICAN, "--example", "--format", "json").out)
    assert example["options"] == {"variant": "american"}
    for wrong, problem in (["--players", 13], "2 to 12"), (["--option", "varint=old"], "did you mean variant?"):
        done = shell("rules", "brag", *wrong)
        assert done.code == 64 and problem in done.err and not done.out


AMERICAN = ["--option", "variant=american", "--option", "limit=5"]


@pytest.mark.parametrize(
    ("member", "problem"),
    [
        ("what_wins = 'With varant = old: All (p. 9).'", "no option varant"),
        ("course = 'deal_cards plying'", "HeartNap has no step plying (did you mean playing?)"),
    ],
)
def test_an_option_and_a_step_that_there_is_not(member: str, problem: str, shell: Shell, write: Write) -> None:
    done = shell("rules", write("heart_nap.py", f"{HEART_NAP}    {member}\n"))
    assert done.code == 66 and problem in done.err and not done.out


def test_solo_whist_cites_the_page_of_each_rule(shell: Shell) -> None:
    cited = {rule.name: rule.cited for rule in rules_of_game(games.find("solo-whist"))}
    assert cited["deal_cards"] == "p. 143" and cited["playing"] == "pp. 143-144" and cited["calling"] == "p. 144"
    assert cited["raising"] == "pp. 144, 146" and cited["overtrick"] == "pp. 146-147"
    out = shell("rules", "solo-whist", "--page", "145").out
    assert "accepts a proposal or calls higher" in out and "Four rounds of three cards" not in out


@pytest.mark.parametrize("name", one_in(3, GAMES))
def test_the_example_is_a_scripted_deal_with_rules_and_pages(name: str, shell: Shell) -> None:
    game = games.find(name)
    path = examples_of(game)[0]
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
    rules = data["rules"].items()
    assert rules and all(rule in words and int(step) < len(data["steps"]) for step, rule in rules)
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
    done = shell("rules", "nap", "--page", "9", "--example")
    assert done.code == 64 and "give one of them" in done.err


HEART_NAP = "from roundsim.games.nap import Nap\n\n\nclass HeartNap(Nap):\n    id = 'heart-nap'\n"


def test_a_game_without_an_example_or_with_a_wrong_one(shell: Shell, write: Write) -> None:
    path = write("heart_nap.py", HEART_NAP)
    nap = examples_of(games.find("nap"))[0].read_text("utf-8")
    done = shell("rules", path, "--example")
    assert done.code == 64 and "there is no examples/heart-nap.toml" in done.err
    write("examples/heart-nap.toml", nap.replace('"nap"', '"heart-nap"'))
    assert "net      0 -3   1 +9" in shell("rules", path, "--example").out

    write("examples/heart-nap.toml", nap)
    done = shell("rules", path, "--example")
    assert done.code == 64 and "a deal of nap, expected one of heart-nap" in done.err
    write("examples/heart-nap.toml", nap.replace('"nap"', '"heart-nap"').replace('"2 play 4c"', '"2 play 5d"'))
    done = shell("rules", path, "--example")
    assert done.code == 64 and "its actions do not fit the deal" in done.err and not done.out
