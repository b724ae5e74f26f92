"""A lesson: the example goes on as it is written, whatever a person answers, and each question is explained."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from conftest import GAMES
from helpers.command import roundsim
from helpers.seat import sits

from roundsim import games
from roundsim.coaching.estimate import Mean
from roundsim.coaching.hints import Hint, HintRow, Hints
from roundsim.replaying.example import explained_data
from roundsim.seat.answers import Answers
from roundsim.seat.lesson import ExampleLesson, compared_answers
from roundsim.seat.person import Person
from roundsim.table.actions import Action
from roundsim.table.legal import count
from roundsim.table.teaching import form_of
from roundsim.table.view import TableView

PASS, CALL = Action("pass"), Action("call 2")


class Pupil(Person):
    """A person who gives the last answer each time; `lines`: what they have read, `asked_for`: their questions."""

    def __init__(self, folder: Path, game: str) -> None:
        self.lines, self.asked_for = list[str](), list[TableView]()
        super().__init__(Answers(folder), self.lines.append, lambda prompt: "", Hints(games.find(game)))

    def asked(self, view: TableView) -> Action:
        self.asked_for.append(view)
        return view.legal[count(view.legal) - 1]


def nothing_known(view: TableView, names: Sequence[str] = (), also: Sequence[Action] = ()) -> Hint:
    return Hint("Nothing is known.", [])


@pytest.mark.parametrize("game", GAMES)
def test_every_example_is_a_lesson(game: str, tmp_path: Path) -> None:
    """The net is that of the example; each question has its phase, and at least one a rule with its place."""
    table = form_of(games.find(game), None, {})
    lesson, pupil = ExampleLesson(table), Pupil(tmp_path, game)
    unknown: Any = nothing_known
    assert lesson.teach(pupil, unknown)
    data, said = explained_data(table), " ".join(" ".join(pupil.lines).split())
    nets = " · ".join(f"{who} {net:+d}" for who, net in zip(lesson.who, data["net"], strict=True))
    assert f"net {nets}" in said
    assert pupil.lines[-1] == "    Enter go on"  # there is no answer to take back, and no book at the seat
    choices = [step["s"] for step in data["steps"] if step["n"] > 1]
    assert len(pupil.asked_for) == choices.count(lesson.seat) == max(map(choices.count, range(len(lesson.who))))
    for view in pupil.asked_for:
        assert f"{view.phase}: {' '.join(pupil.deal.phases[view.phase].split())}" in said
    assert game == "loto" or " ".join(data["watch"].split()) in said and pupil.asked_for
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize(
    ("of_book", "answer", "goes_on", "sentence"),
    [
        (PASS, PASS, PASS, "You answer pass, as the book and the example do."),
        (PASS, PASS, CALL, "You answer pass, as the book does. The example goes on with call 2."),
        (CALL, PASS, PASS, "You answer pass, as the example does; the book answers call 2."),
        (CALL, PASS, CALL, "You answer pass; the book answers call 2. The example goes on with call 2."),
        (None, PASS, CALL, "You answer pass. The example goes on with call 2."),
    ],
)
def test_the_answers_of_a_person_the_book_and_the_example(
    of_book: Action | None, answer: Action, goes_on: Action, sentence: str
) -> None:
    rows = [HintRow(each, ["book"] if each == of_book else []) for each in (PASS, CALL)]
    assert compared_answers(Hint("", rows), answer, goes_on) == sentence


def test_the_cost_of_a_worse_answer() -> None:
    rows = [HintRow(CALL, ["book"]), HintRow(PASS, [], cost=Mean(40, 1.25, 0.5))]
    said = compared_answers(Hint("", rows), PASS, CALL)
    assert "; the book answers call 2. In imagined deals yours wins 1.2 counters less than the best. The" in said
    rows[1] = HintRow(PASS, [], cost=Mean(40, 1.25, 2.0))  # not sure
    assert "imagined" not in compared_answers(Hint("", rows), PASS, CALL)


def test_no_answer_of_a_lesson_can_be_undone(tmp_path: Path) -> None:
    said = sits(tmp_path, "nap", "--lesson", typed="undo\nh\npass\nagain\nq\n").stdout
    assert said.count("    nothing is taken back in a lesson\n") == 2
    assert "t the table   r the rules of this answer   h help" in said and "undo" not in said


@pytest.mark.soak
def test_a_lesson_at_nap(tmp_path: Path) -> None:
    """The first seat passes, as the example does, and then would follow with the king."""
    said = sits(tmp_path, "nap", "--lesson", typed="?\npass\nks\nq\n").stdout
    for text in (
        "Nap · a lesson · the rules: roundsim rules nap",
        "    Nobody need trump, and the highest trump takes the trick:",
        "    call: `pass`, or a higher call:",
        "    senior hand, plays against all the others (pp. 9-10, 14).",
        "    You answer pass, as the book and the example do.",
        "    The senior hand leads; the winner of each trick leads to the next (pp.\n    10-11).",
        "    the rule: pp. 10-11\n",
        "    You answer play Ks; the book answers play 3s.",
        "    you     follow with 3s",
        "You have left.\nplay     roundsim sit nap\n",
    ):
        assert text in said, said
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("words", [["expert"], ["--seed", 3], ["--deals", 4], ["--out", "there"]])
def test_a_lesson_is_the_example_as_it_is(words: Sequence[Any], tmp_path: Path) -> None:
    stderr = roundsim("sit", "nap", "--lesson", *words, cwd=tmp_path, code=64).stderr
    assert "--lesson plays the example of nap as it is" in stderr


def test_a_lesson_of_another_form(tmp_path: Path) -> None:
    taught = sits(tmp_path, "brag", "--lesson", "--option", "variant=american", typed="q\n").stdout
    assert "Seat 1 calls the raise and compares hands with the raiser" in taught
