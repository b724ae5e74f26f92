"""Advice hears what the others have said: it is true in the deals as they were dealt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import exp, inf, log
from pathlib import Path
from statistics import mean, stdev

import pytest
from helpers.command import called, roundsim, seldom_with

from roundsim.coaching.coach import Lesson, coach, lessons
from roundsim.coaching.estimate import CoachDecision, Gain, mean_and_error, remembered
from roundsim.coaching.hearing import Ears, effective
from roundsim.coaching.hints import Hints
from roundsim.games import find
from roundsim.refereeing.table import Table
from roundsim.replaying.log_driver import LogDriver
from roundsim.replaying.logged import logged_blocks
from roundsim.sources import plugins
from roundsim.sources.strategy import table_like
from roundsim.table.chance import WORD_MASK, Chance, hash_number
from roundsim.table.imagine import Memory, remember
from roundsim.table.imagined import ImaginedRecord, copied, record_behind, replayed_behind
from roundsim.tournament.storage.folder import RunFolder

pytestmark = pytest.mark.usefixtures("here")

BRAG = """
WILD = {"Ad", "Jc", "9d"}

class Pairs:  # calls pairs, raises with good ones and folds the rest
    games = ["brag"]
    def ante(self, view):
        return view.legal[0]
    def bet(self, view):
        natural = [card.rank for card in view.hand if card not in WILD]
        best = max(natural, key=natural.count, default=14)
        same = natural.count(best) + 3 - len(natural)
        raises = [said for said in view.legal if said.verb == "raise"]
        if raises and (same == 3 or same == 2 and (best > 11 or best > 4 and view.level <= 12)):
            return raises[-1]
        return "call" if same > 1 and (view.level <= 25 or best > 9) and "call" in view.legal else "fold"
"""
SLOPPY = """
class Pairs:  # one answer in five is another
    def act(self, view):
        return view.legal[0] if view.chance.below(3) else view.chance.choice(view.legal)
"""


def true_gains(lesson: Lesson, shown: list[CoachDecision], times: int = 6) -> Iterator[float]:
    """Yield the gains of the coach's answers in the deals as they were dealt, with other chance from there on."""
    wanted = {(decision.place, decision.step): decision for decision in shown}
    guide, gains = table_like(plugins.seated(lesson.guide, lesson.entry.deal)), list[float]()

    def visit(driver: LogDriver) -> None:
        if driver.place not in {place for place, _ in wanted}:
            driver.replay()
            return
        deal = driver.deal
        remember(deal, range(deal.players))
        memory = deal.chance
        assert isinstance(memory, Memory)
        for step, (ask, _) in enumerate(driver.walk(), 1):
            if decision := wanted.get((driver.place, step)):
                drawn = {what: [*pack.drawn] for what, pack in memory.packs.items()}
                nets = []
                for number in range(times):
                    record = ImaginedRecord(
                        *(deal.rules, copied(memory.before, {}), drawn, dict(memory.orders), dict(memory.given)),
                        *(tuple(deal.actions), f"true {number}"),
                    )
                    for sign, answer in (1, decision.coach), (-1, decision.mine):
                        tried = record.replay()
                        tried.answer(answer)
                        nets.append(sign * tried.play(guide())[ask.seat])
                gains.append(sum(nets) / times)

    for block in logged_blocks(lesson.folder, lesson.tournament, lesson.number):
        if block.number in {decision.block for decision in shown}:
            block.replay(visit)
    yield from gains


@pytest.mark.parametrize(
    ("game", "source", "deals"),
    [
        ("brag", BRAG, 600),
        *seldom_with(
            *[(game, SLOPPY, 800) for game in ("draw-poker", "straight-poker", "bouillotte", "stud-poker", "ambigu")],
            ("nap", SLOPPY, 400),
        ),
    ],
)
def test_the_top_lines_are_true(game: str, source: str, deals: int, tmp_path: Path) -> None:
    """Their mean is above 0, and what they say within its error. Without ears it is -30 of a said +37 at Brag."""
    (tmp_path / "mine.py").write_text(source)
    field = ["mine=mine.py:Pairs", *["book"] * (find(game).usual[0] - 1)]
    roundsim("play", game, *field, "--deals", deals, "--isolate", "off", "--out", "run", cwd=tmp_path)
    (lesson,) = lessons(RunFolder(tmp_path / "run"), "mine", None, "book", None)
    shown = [*coach(lesson, n=20, jobs=1).shown]
    gains = [*true_gains(lesson, shown)]
    said = mean(decision.cost.mean for decision in shown)
    error = stdev(gains) / len(gains) ** 0.5
    assert len(gains) > 5 and mean(gains) > 0
    assert abs(mean(gains) - said) < 4 * error + 0.1 * said


ADVISED = """
from roundsim.sources.plugins import seated_named

class Advised:  # answers as the coach where most of its lines do: in a phase, with a verb for a verb
    games, rules = [{game!r}], {rules!r}
    def __init__(self):
        self.mine, self.coach = Pairs(), None
    def act(self, view):
        mine = str((getattr(self.mine, view.phase, None) or self.mine.act)(view))
        self.coach = self.coach or seated_named({coach!r}, {game!r}).sit_down(view)
        other = str(self.coach(view))
        return other if (view.phase, mine.split()[0], other.split()[0]) in self.rules else mine
"""


@pytest.mark.parametrize(
    ("game", "source"),
    [
        ("brag", BRAG),
        *seldom_with(
            *[(game, SLOPPY) for game in ("draw-poker", "straight-poker", "bouillotte", "stud-poker", "ambigu")],
            *[(game, SLOPPY) for game in ("nap", "pope-joan", "spoil-five", "thirty-one", "jig", "commerce")],
        ),
    ],
)
def test_following_the_coach_does_not_lose(game: str, source: str, tmp_path: Path) -> None:
    """The rule is mechanical: the verbs of two or more of the ten lines. At Brag it gains 0.7 counters a deal."""
    (tmp_path / "mine.py").write_text(source)
    field = ["mine=mine.py:Pairs", *["book"] * (find(game).usual[0] - 1)]
    roundsim("play", game, *field, "--deals", 1000, "--isolate", "off", "--out", "run", cwd=tmp_path)
    (lesson,) = lessons(RunFolder(tmp_path / "run"), "mine", None, "book", None)
    verbs = Counter((one.phase, one.mine.verb, one.coach.verb) for one in coach(lesson, jobs=1).shown)
    rules = {rule for rule, lines in verbs.items() if lines > 1}
    advised = ADVISED.format(game=game, rules=rules, coach=lesson.coach.name)
    (tmp_path / "mine.py").write_text(source + advised)
    words = (
        "gate",
        game,
        "new=mine.py:Advised",
        "old=mine.py:Pairs",
        "--deals",
        4000,
        "--isolate",
        "off",
        "--out",
        "gate",
    )
    done = called(*words, cwd=tmp_path)
    assert done.returncode in ((0,) if game == "brag" else (0, 3, 4)), done.stdout


def test_a_raiser_is_taken_to_hold_what_raises() -> None:
    """At Brag the book raises with pairs: imagined hands that have one weigh more."""
    table = Table("brag", imagines=True)
    table.begin(3)
    while not table.view().legal[-1].startswith("raise"):
        table.say(table.view().legal[0])
    assert table.ask
    raiser = table.ask.seat
    table.say(table.view().legal[-1])
    view, ears = table.view(), Ears(Hints(table.game).guide)
    question = remembered(view)
    assert question
    weights = dict[bool, list[float]]({True: [], False: []})
    for number in range(300):
        imagined = question.imagine(hash_number(f"{number}") & WORD_MASK)
        assert imagined
        hand, heard = replayed_behind(imagined).deal.hands[raiser], ears.weigh(imagined, view.seat)
        weights[len({card[0] for card in hand}) < 3].append(exp(heard.weight))
        assert heard.statements >= 1
    assert mean(weights[True]) > 2 * mean(weights[False])


def test_without_statements_nothing_changes() -> None:
    """Then an imagined deal is the same as without ears, alone, and of weight 0."""
    table = Table("nap", imagines=True)
    view, ears = table.view(), Ears(Hints(table.game).guide)
    question = remembered(view)
    assert question
    for number in range(5):
        drawn = ears.draw(question, f"name/{number}", view.seat)
        alone = question.imagine(hash_number(f"name/{number}") & WORD_MASK)
        assert drawn and alone and (drawn.weight, drawn.statements) == (0.0, 0)
        assert record_behind(drawn.imagined).drawn == record_behind(alone).drawn


def test_means_of_weighted_gains() -> None:
    """Weights of 1 and 3: (0 + 3 x 4) / 4 = 3, and (20 x 1 + 20 x 3)² / (20 x 1 + 20 x 9) = 32 deals in effect."""
    gains = [Gain(0), Gain(4, log(3))] * 20
    assert effective([gain.weight for gain in gains]) == pytest.approx(32)
    found = mean_and_error(gains)
    assert found.n == 40 and found.mean == pytest.approx(3)
    # squares (20 x 9 + 20 x 9 x 1) / 80² x 32 / 31; Student's t for 31 degrees of freedom is 2.0395
    assert found.error == pytest.approx(2.0395 * (360 / 6400 * 32 / 31) ** 0.5, abs=1e-4)
    assert mean_and_error([Gain(1), *[Gain(0, -20.0)] * 50]).error == inf, "one deal outweighs all"
    alike = [Gain(0, -1.0), *[Gain(5)] * 15, Gain(5, 0.5)]
    assert mean_and_error(alike).error >= 3 / effective([gain.weight for gain in alike]) * 5, "the worst case is added"


def test_a_hint_is_silent_where_too_few_deals_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table("brag", imagines=True)
    table.begin(3)
    while not table.view().legal[-1].startswith("raise"):
        table.say(table.view().legal[0])
    table.say(table.view().legal[-1])
    hints = Hints(table.game)
    assert all(row.worth and row.worth.error < inf for row in hints(table.view()).rows)
    chance = Chance("weights")
    weigh = Ears.weigh
    monkeypatch.setattr(
        Ears, "weigh", lambda ears, *given: weigh(ears, *given)._replace(weight=-chance.below(10**6), statements=1)
    )
    hint = hints(table.view())
    assert (
        hint.head.startswith("Not known: too few of ")
        and "what was said" in hint.head
        and not any(row.worth or row.verdict for row in hint.rows)
    )
