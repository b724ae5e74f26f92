"""The trainer of corrections, at a game whose gains are known; and the tables of the house."""

from __future__ import annotations

import sys
from datetime import date
from hashlib import sha256
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import pytest
import train
from conftest import Write
from helpers.command import one_in
from helpers.experts import expert_in, expert_of, tables, trained
from tables import parts_of
from train import Gains, Plan, Trainer, Trials

from roundsim.refereeing.table import Table
from roundsim.sources.strategy import Seated
from roundsim.strategy.corrected import Corrected, Correction, corrections_in

IMPORTS = """
    from roundsim.game import PACK, Ask, Deal, say
    """
RED = f"""{IMPORTS}
    class Red(Deal):
        '''Bet on the colour of your card.'''

        id, title, family, source = "red", "Red", "tricks", "Ours"
        seats = usual = (2, 2)
        phases = {{"bet": "bet or pass"}}

        def deal(self):
            '''A red card wins two counters for a bet, a black one loses three.'''
            self.hands = [[card] for card in self.chance.pack(PACK).draw(2)]
            for seat in range(2):
                if (yield Ask(seat, "bet", (say("pass"), say("bet")))) == "bet":
                    red = self.hands[seat][0].suit in "hd"
                    self.pay(1 - seat if red else seat, seat if red else 1 - seat, 2 if red else 3)
    """
EXPERT = """
    from roundsim.strategy import Choices, Corrected

    def passes(view):
        return view.legal[0]

    class Expert(Corrected):
        name, games, guide = "expert", ["GAME"], "GAME_expert.py:passes"

        def choices(self, view):
            kind = ("a red card" if view.hand[0].suit in "hd" else "a black card") if view.hand else "facing a bet"
            return Choices(kind, {answer: answer for answer in view.legal})
    """


@pytest.fixture
def red(met: None, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[type[Corrected], Any]:
    monkeypatch.chdir(tmp_path)
    write("red.py", RED)
    write("red_expert.py", EXPERT.replace("GAME", "red"))
    return expert_in("red")


def test_the_better_answer_is_found(red: tuple[type[Corrected], Any]) -> None:
    found = Trainer(*red, Plan(2, 200)).train(1)
    assert [*found] == ["a red card"]
    instead, answer, gain, error, deals = found["a red card"]
    assert (instead, answer, gain, error) == ("book: pass", "bet", 2.0, 0.0) and 70 < deals < 130


def test_an_expert_answers_by_its_table(red: tuple[type[Corrected], Any]) -> None:
    expert, game = red
    bet = Correction("book: pass", "bet", 2.0, 0.0, 100)
    for table, reds in ({2: {"a red card": bet}}, "bet"), ({3: {"a red card": bet}}, "pass"), ({2: {}}, "pass"):
        answers = Seated(type("Corrected", (expert,), {"table": table}), {}, game)
        player = answers.sit_down(Table(game).view())
        for block in range(1, 9):
            sitting = Table(game)
            sitting.begin(1, block)
            view = sitting.view()
            assert player(view) == (reds if view.hand[0].suit in "hd" else "pass")


def test_a_correction_must_be_sure() -> None:
    """By hand: the mean must be above 1.25 standard errors, of at least eight trials; the best of these is taken."""
    trials = Trials()
    given = {
        ("doubtful", "bet"): [9, -8, 9, -8, 9, -8, 9, -8],
        ("few", "bet"): [5] * 7,
        ("sure", "bet"): [1, 2, 1, 2, 1, 2, 1, 2],
        ("sure", "call"): [2, 3, 2, 3, 2, 3, 2, 3],
        ("worse", "bet"): [-1] * 9,
    }
    for (kind, answer), gains in given.items():
        trials.book[kind]["pass"] += len(gains)
        for gain in gains:
            trials.gains[kind, answer] = trials.gains[kind, answer].add(Gains(1, gain, gain * gain))
    (found,) = trials.corrections(1.25, 8).items()
    standard = stdev(given["sure", "call"]) / 8**0.5
    assert found[0] == "sure" and found[1][:3] == ("book: pass", "call", 2.5)
    assert found[1].error == pytest.approx(1.96 * standard) and found[1].deals == 8
    assert not trials.corrections(1.25, 9)
    assert trials.gains["doubtful", "bet"].mean == fmean(given["doubtful", "bet"]) == 0.5


def test_a_table_is_made_again_as_its_first_lines_say(red: tuple[type[Corrected], Any], capfd: Any) -> None:
    """The number of processes changes nothing; the parts for other numbers of seats stay."""
    words = "red_expert.py:Expert", "--seats", 2, "--deals", 60, "--seed", 3, "--least", 9
    first = trained(train, "corrections.txt", *words, "--jobs", 1)
    lines = first.splitlines()
    assert lines[0] == "# 2 seats, 1 corrections: --seats 2 --deals 60 --seed 3 --sure 1.25 --rounds 2 --least 9"
    assert lines[1].startswith("a red card  book: pass  bet  +2.000 ± 0.000  ") and len(lines) == 2
    assert corrections_in(Path("corrections.txt"))[2]["a red card"][:4] == ("book: pass", "bet", 2.0, 0.0)
    assert trained(train, "corrections.txt", "red_expert.py:Expert", "--jobs", 2) == first
    other = "# 3 seats, 0 corrections: --seats 3 --deals 7 --seed 1 --sure 1.25 --rounds 2\n"
    Path("corrections.txt").write_text(f"{first}\n{other}", "utf-8")
    assert trained(train, "corrections.txt", *words) == f"{first}\n{other}"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("red_expert.py:Expert", "--deals", "9"), "--deals goes with --seats"),
        (("red_expert.py:Expert",), "has no part to make again: give --seats"),
        (("red_expert.py:passes", "--seats", "2"), "must be a class that extends Corrected"),
        (("red_expert.py:Expart", "--seats", "2"), "Expart"),
        (("spoil-five", "--seats", "4"), "must be a class that extends Corrected"),
    ],
)
def test_a_command_that_trains_nothing_says_why(
    words: tuple[str, ...], said: str, red: tuple[type[Corrected], Any], monkeypatch: pytest.MonkeyPatch, capfd: Any
) -> None:
    monkeypatch.setattr(sys, "argv", ["train.py", *words])
    with pytest.raises(SystemExit):
        train.main()
    assert said in capfd.readouterr().err and not Path("corrections.txt").exists()


@pytest.mark.parametrize("line", ["nonsense", "a  book: b  c  +1  9 deals", "a  book: b  c  +1.0 ± 0.1  many deals"])
def test_a_damaged_table_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    path = tmp_path / "corrections.txt"
    path.write_text(f"# 2 seats\n{line}\n", "utf-8")
    with pytest.raises(ValueError, match=r"corrections\.txt:2: not a correction"):
        corrections_in(path)


TRAINED = {  # by table the digest of a training for 200 deals
    "ambigu_expert, 4 seats": "a3dd123fc55eeb19",
    "commerce_expert, 3 seats": "771a4d13dc27295f",
    "commerce_expert, 4 seats": "4711095ee23d74cb",
    "commerce_expert, 5 seats": "9519bcc8e10c6dbb",
    "commerce_expert, 6 seats": "c4ac1dd68de97b7a",
    "commerce_expert, 7 seats": "adb63e986d1a362b",
    "commerce_expert, 8 seats": "101087c33e520fc3",
    "loo_expert, 3 seats": "aedd0f9bb1f3d1b3",
    "loo_expert, 4 seats": "c0ebe4f320e941e1",
    "loo_expert, 5 seats": "3e1a7763dd229f06",
    "loo_expert, 6 seats": "e0e5399df9ac79c8",
    "loo_expert, 7 seats": "b263736e77d04100",
    "loo_expert, 8 seats": "33931db44d977702",
    "nap_expert, 3 seats": "4ccc23c680facd03",
    "nap_expert, 4 seats": "a4068f43d731d4b4",
    "nap_expert, 5 seats": "2a2758fd5ec60dd7",
    "thirty_one_expert, 4 seats": "cc38e727f19e6bd1",
    "whiskey_poker_expert, 4 seats": "0ff1bd079d2f2763",
}


@pytest.mark.parametrize("path", one_in(len(tables()), tables()), ids=lambda path: path.parent.name)
def test_a_table_of_the_house(path: Path) -> None:
    """Its parts begin with the command that makes them. Training for few deals, with corrections after a single trial, has
    the digest that it had when the table was made; a change of the book or of the classes needs a new table."""
    parts = parts_of(path, Plan(0))
    expert, game = expert_of(path)
    assert "".join(parts.values()).split() == path.read_text("utf-8").split()
    assert [plan.seats for plan in parts] == [*expert.table] and expert.pages
    for plan, text in parts.items():
        few = plan._replace(deals=200)
        found = Trainer(expert, game, few._replace(least=1)).train(2)
        text_of_few = train.text_of(few, found)
        assert (
            found
            and sha256(text_of_few.encode()).hexdigest()[:16] == TRAINED[f"{path.parent.name}, {plan.seats} seats"]
        )
        assert len(text.splitlines()) == len(expert.table[plan.seats]) + 1


@pytest.mark.soak
def test_a_table_is_trained_in_full() -> None:
    """A different table every day."""
    each = [(path, plan, text) for path in tables() for plan, text in parts_of(path, Plan(0)).items()]
    path, plan, text = each[date.today().toordinal() % len(each)]
    assert train.text_of(plan, Trainer(*expert_of(path), plan).train(2)) == text
