"""The trainer of betting tables, at a game whose answer is known; and the tables of the house."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import vying
from conftest import Write
from helpers.command import ROOT, seldom
from helpers.experts import BLUFF, expert_in, expert_of, trained
from tables import parts_of
from vying import Plan, Trainer

from roundsim.refereeing.table import Table
from roundsim.sources.strategy import Seated
from roundsim.strategy import cards, discard
from roundsim.strategy.vying import Vying, answer_drawn, answers, betting_table, shares_of, situation
from roundsim.table.chance import Chance

EXPERT = """
    from pathlib import Path
    from roundsim.strategy import Vying, betting_table

    def passes(view):
        return view.legal[0]

    files = ["shares.txt"]

    class Expert(Vying):
        name, games, guide = "expert", ["bluff"], "bluff_expert.py:passes"
        phases = ("bet", "call")
        table = betting_table(Path(__file__).with_name("shares.txt"))
        def strength(self, view):
            return bool(view.hand) and view.hand[0].suit in "hd"
        def situation(self, view):
            return "asked first" if view.hand else "facing a bet"
    """
HOUSE = sorted(ROOT.glob("strategies/*/shares.txt"))
FEW = {  # the digest of all parts of a table, trained for 200 deals
    "bouillotte_expert": "120c29e97558cc76",
    "brag_expert": "06fcc188fca5c17b",
    "flat_poker_expert": "435a3fe8ea54f23e",
    "stud_poker_expert": "2f6f0c4d2101c4e1",
}


@pytest.fixture
def bluff(met: None, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[type[Vying], Any]:
    monkeypatch.chdir(tmp_path)
    write("bluff.py", BLUFF)
    write("bluff_expert.py", EXPERT)
    write("shares.txt", "")
    return expert_in("bluff")


@pytest.mark.parametrize("tried", [1.0, *seldom(0.5)])
def test_shares_reach_the_equilibrium(bluff: tuple[type[Vying], Any], tried: float) -> None:
    """By hand: a bet is called with p, a black card bets with q. The caller loses 1 by a fold; q / (1 + q) of the bets are
    black, so that q = 1/3 makes calls cost as much. A black card loses 1 by a pass, and by a bet 2p - (1 - p): p = 2/3."""
    Path("shares.txt").write_text(Trainer(*bluff, Plan(2, 6000, book=0.0, tried=tried)).train(), "utf-8")
    rows = {name: [*filter(None, cells)] for name, cells in betting_table(Path("shares.txt"))[2].rows.items()}
    (black, red), (facing,) = rows["asked first"], rows["facing a bet"]
    assert red == {"r": 100} and 28 < black["r"] < 39 and 61 < facing["c"] < 72


def test_a_table_is_made_again_as_its_first_lines_say(bluff: tuple[type[Vying], Any], capfd: Any) -> None:
    """The number of processes changes nothing."""
    words = vying, "shares.txt", "bluff_expert.py:Expert"
    first = trained(*words, "--seats", 2, "--deals", 900, "--seed", 3, "--jobs", 1)
    assert first.startswith("# 2 seats: --seats 2 --deals 900 --seed 3 --book 0.4 --random 0.0\n")
    assert trained(*words, "--jobs", 2) == first
    with pytest.raises(SystemExit):
        trained(vying, "shares.txt", "nap")
    assert "must be a class that extends Vying and has `strength`" in capfd.readouterr().err


def test_shares_are_drawn() -> None:
    """A sure answer draws nothing, and an empty cell is the guide's."""
    drawn = Counter(answer_drawn(shares_of("f60c40"), chance) for chance in [Chance("vying")] for _ in range(4000))
    assert {answer: round(count / 400) for answer, count in drawn.items()} == {"f": 6, "c": 4}
    assert (answer_drawn(shares_of("a"), Chance()), answer_drawn(shares_of("-"), Chance())) == ("a", "")


@pytest.mark.parametrize("line", ["nonsense", "bet | x1y2", "bet | c1"])
def test_a_damaged_table_is_refused_with_its_line(tmp_path: Path, line: str) -> None:
    (path := tmp_path / "shares.txt").write_text(f"# 2 seats: --seats 2\n{line}\n", "utf-8")
    with pytest.raises(ValueError, match=r"shares\.txt:2: no line of a table"):
        betting_table(path)


def test_situations_and_sizes() -> None:
    """By hand at Brag: an ante of 4, eldest calls, the next raises 10; the third owes 14 of a pool of 4 + 4 + 14."""
    table = Table("brag")
    for answer in ("ante 4", "call", "raise 10"):
        table.say(answer)
    view: Any = table.view()
    assert situation(view) == "bet, 1 in 2 behind, dear, 1 raises"
    assert answers(view) == {"f": "fold", "c": "call", "r": "raise 1", "p": "raise 5", "a": "raise 10"}
    table = Table("bouillotte")
    while table.view().phase != "open":
        table.say(table.view().legal[0])
    view = table.view()
    pool = sum(view.stake)
    assert situation(view) == "open, 3 behind" and answers(view)["p"] == f"bet {pool}"


def test_situations_at_flat_poker() -> None:
    """By hand: one of four stays out; the others draw 3, 1 and no card. The first passes, and the second backs."""
    (expert, _), table, found = expert_of(ROOT / "strategies/flat_poker_expert/shares.txt"), Table("flat-poker"), []
    for answer in ("blind 50", "fold", "call", "call", 3, 1, 0, "pass", "back", "pass"):
        view: Any = table.view()
        found += [expert().situation(view)] if view.phase != "draw" else []
        table.say(discard(view.hand[:answer]) if isinstance(answer, int) else answer)
    assert found[:4] == ["blind", "come, dear, 1 in 2 behind", "come, dear, 1 in 1 behind", "come, dear, 2 in 0 behind"]
    assert found[4:6] == ["back, 0 passed 2 behind, few drawn", "back, 1 passed 1 behind, few drawn"]
    assert found[6] == "call, 3 in 1 behind, few drawn"


def test_strengths_at_stud_poker() -> None:
    """By hand, against a queen and a nine: a knave is behind, an ace above, a pair of aces even above a pair of queens."""
    standing = import_module("roundsim_strategies.stud_poker_expert").standing
    hands = ["Js 3h", "As 3h", "9h 9s", "As Ah", "As 2s 3s 4s", "As Ah 2d 2h"]
    found = [standing(tuple(cards(hand)), (tuple(cards("Qd")), tuple(cards("9d")))) for hand in hands]
    assert [int(each / 10) for each in found] == [0, 1, 1, 2, 1, 2] and found[5] > found[3]


@pytest.mark.parametrize(("bet", "raised", "asks"), [(5, 25, 3), (7, 25, 2), (7, 13, 0)])
def test_bets_by_chance_at_stud_poker_are_left_to_the_book(bet: int, raised: int, asks: int) -> None:
    """By hand: the first speaker bets, and raises after a raise. The expert does not ask its table while most numbers are
    neither a tenth of the limit, half of it nor all, in the next deal neither."""
    expert, game = expert_of(ROOT / "strategies/stud_poker_expert/shares.txt")
    asked, table = list[Any](), Table(game)
    watched = Seated(type("Watched", (expert,), {"situation": lambda self, view: asked.append(view)}), {}, game)
    table.say(f"bet {bet}")
    (me := watched.sit_down(view := table.view()))(view)
    for answer in "raise 5", "call", "call", "call", f"raise {raised}":
        table.say(answer)
    me(view := table.view(view.seat))
    assert me.settled
    me.settled(view, 0)
    dealt = table.deal
    while table.deal is dealt:
        table.say("fold")
    while table.view().seat != view.seat:
        table.say("call" if "call" in table.view().legal else "bet 5")
    me(table.view())
    assert len(asked) == asks


@pytest.mark.parametrize("path", seldom(*HOUSE), ids=lambda path: path.parent.name)
def test_a_betting_table_of_the_house(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its parts begin with the command that makes them. A training for few deals has the digest that it had when the table
    was made; a change of the book or of the classes needs a new table."""
    monkeypatch.setattr(vying, "FEW", 1)
    (expert, game), parts = expert_of(path), parts_of(path, Plan(0))
    assert [plan.seats for plan in parts] == [*betting_table(path)] and path.stat().st_size < 40_000 * len(parts)
    texts = [Trainer(expert, game, plan._replace(deals=200)).train() for plan in parts]
    assert sha256("".join(texts).encode()).hexdigest()[:16] == FEW[path.parent.name]
