"""The experts of the house: each is stronger than the book of its game, and hard to exploit."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import pytest
import train
from conftest import Write
from helpers.command import ROOT, WHOLE, called, roundsim
from helpers.experts import expert_of, tables

from roundsim import games
from roundsim.sources import plugins
from roundsim.strategy import betting_table, corrections_in

pytestmark = pytest.mark.soak
EXPERTS = [(game, each) for each in plugins.installed() if each.name == "expert" for game in each.games]
UNMEASURED = {"nap_expert"}  # a challenger at Nap takes hours
BETTING = sorted(ROOT.glob("strategies/*/shares.txt"))
TABLES = [(path, seats) for path in BETTING for seats in betting_table(path)]
CORRECTED = [(path, seats) for path in tables() for seats in corrections_in(path)]
GIVING = {("bouillotte_expert", 3), ("flat_poker_expert", 5)}  # more than a third, docs/experts.md
HARD = [
    pytest.param(*each, marks=[pytest.mark.xfail(strict=True)] * ((each[0].parent.name, each[1]) in GIVING))
    for each in [*TABLES, *CORRECTED]
    if each[0].parent.name not in UNMEASURED
]
T = TypeVar("T")
CHALLENGER = """
    from pathlib import Path
    from roundsim.strategy import corrections_in
    from roundsim_strategies.{package} import Expert

    files = ["{table}"]

    class Challenger(Expert):
        bets_points = True  # Ambigu's own table has no such bets
        guide = "{against}"
        table = corrections_in(Path(__file__).with_name("{table}"))
    """
CLASSES = """
    from bisect import bisect
    from pathlib import Path
    from roundsim.strategy import Choices, Corrected, corrections_in, sized
    from roundsim_strategies.{package} import Expert

    files = ["{table}"]
    tables = Expert()

    class Challenger(Corrected):  # other classes than the table's: fewer hands, and neither prices nor places
        name, games, shares_pool = "challenger", Expert.games, True
        guide = "{against}"
        table = corrections_in(Path(__file__).with_name("{table}"))

        def choices(self, view):
            if view.phase not in Expert.phases:
                return None
            hand = bisect(Expert.table[view.players].cuts.get(tables.stage(view), ())[::2], tables.strength(view))
            owes, raises = max(view.stake) - view.stake[view.seat], min(getattr(view, "raises", 0), 3)
            kind = f"{{view.phase}}, {{len(view.hand)}} cards, {{hand}}, {{len(view.still_in)}} in, {{raises}} raises"
            return Choices(f"{{kind}}, {{owes // 10}}", sized(view, {{"least": 0, "some": 10, "all": 10**9}}))
    """
EXPLOITERS = """
    from bisect import bisect
    from roundsim_strategies.{package} import Expert

    class Page(Expert):  # all in on the best tenth or half, else out; or calls everything
        def __init__(self, place=1.0):
            self.place = place
        def act(self, view):
            if view.phase not in self.phases:
                return str(self.guided(view))
            if not self.place and "call" in view.legal:
                return "call"
            column = bisect(self.here.cuts.get(self.stage(view), ()), self.strength(view))
            here = [0, *self.places][column] if view.hand else 1
            return view.legal[-1 if here >= self.place > 0 else 0]
    """


def by_turns(each: Sequence[T]) -> Sequence[T]:
    """Return a different one every day; the whole soak has all."""
    return each if WHOLE else [each[date.today().toordinal() % len(each)]]


class Gain(NamedTuple):
    """The gain of a deal, in counters, with half the width of its 95 % interval."""

    mean: float
    error: float


def gain(game: str, new: str, old: str, seats: int, cwd: Path, deals: int = 4000) -> Gain:
    """Return the gain of a strategy in the place of another one, who also sits at all other seats."""
    words = "play", game, f"new={new}", f"old={old}", "--as", "shadow", "--seats", seats, "--deals", deals
    done = roundsim(
        *words, "--seed", 77_001, "--out", cwd / f"gain-{len([*cwd.glob('gain-*')])}", "--format", "json", cwd=cwd
    )
    (each,) = json.loads(done.stdout)["games"][0]["differences"]
    return Gain(each["difference"] if each["one"] == "new" else -each["difference"], each["error"])


def gate_in_mixed_company(game: str, seats: int, cwd: Path) -> int:
    """Return the exit code of a gate of the expert against the book, the others being one of each and `random`."""
    company = [word for each in ("expert", "book", "random")[: seats - 1] for word in ("--among", each)]
    words = "gate", game, "expert", "book", "--seats", seats, "--seed", 77_003, "--out", "mixed"
    return called(*words, *company, cwd=cwd).returncode


def name_of(each: object) -> str:
    """Return the name of a parameter: a table's expert, or a number of seats."""
    return each.parent.name if isinstance(each, Path) else str(each)


@pytest.mark.parametrize("game", [game for game, _ in EXPERTS])
def test_an_expert_beats_the_book(game: str, tmp_path: Path) -> None:
    """A gate passes on cards that no table was trained on, and nobody is at fault."""
    roundsim("gate", game, "expert", "book", "--seed", 77_002, cwd=tmp_path, code=0)


@pytest.mark.parametrize(("path", "seats"), by_turns(CORRECTED), ids=name_of)
def test_a_table_of_corrections_beats_the_book(path: Path, seats: int, tmp_path: Path) -> None:
    (strategy,) = plugins.find(str(path.parent))
    words = "gate", strategy.games[0], "expert", "book", "--seats", seats, "--seed", 77_004
    roundsim(*words, cwd=tmp_path, code=0)


@pytest.mark.parametrize("game", by_turns(sorted(game for game, _ in EXPERTS)))
def test_an_expert_does_not_lose_in_mixed_company(game: str, tmp_path: Path) -> None:
    """The gate does not find it worse than the book among an expert, a book and one who answers at random."""
    assert gate_in_mixed_company(game, games.named(game).usual[0], tmp_path) in (0, 3, 4)


@pytest.mark.parametrize(("path", "seats"), TABLES, ids=name_of)
def test_a_betting_table_holds_its_own(path: Path, seats: int, write: Write, tmp_path: Path) -> None:
    """It beats the book among books, does not lose in mixed company, and gives little to three players of a page."""
    (strategy,) = plugins.find(str(path.parent))
    game = strategy.games[0]
    roundsim("gate", game, "expert", "book", "--seats", seats, "--seed", 77_003, cwd=tmp_path, code=0)
    assert gate_in_mixed_company(game, seats, tmp_path) in (0, 3, 4)
    write("page.py", EXPLOITERS.format(package=path.parent.name))
    for place in (0.91, 0.5, 0):
        won = gain(game, f"page.py:Page(place={place})", "expert", seats, tmp_path)
        assert won.mean - won.error < 0.3, (place, won)


@pytest.mark.parametrize(("path", "seats"), by_turns(HARD), ids=name_of)
def test_an_expert_is_hard_to_exploit(path: Path, seats: int, write: Write, tmp_path: Path) -> None:
    """A challenger trained against the expert wins at most a third of what one trained against the book wins."""
    (_, game), source = expert_of(path), CLASSES if path in BETTING else CHALLENGER
    plan = train.Plan(seats, rounds=1)

    def won_from(against: str) -> Gain:
        table, file = f"{against}.txt", f"from_{against}.py"
        write(table)
        write(file, source.format(package=path.parent.name, against=against, table=table))
        (found,) = plugins.find(f"{tmp_path / file}:Challenger")
        challenger: Any = plugins.load_strategy(found)
        write(table, train.text_of(plan, train.Trainer(challenger, game, plan).train(2)))
        return gain(game.id, str(tmp_path / file), against, seats, tmp_path)

    book, expert = won_from("book"), won_from("expert")
    assert book.mean > book.error
    assert expert.mean - expert.error < book.mean / 3


def test_every_game_with_skill_has_an_expert() -> None:
    """Nothing is decided at Loto; at the others `random` and `book` are less than a tenth of a deviation apart. Nobody
    stronger than the book has been found at Speculation and show-down poker: docs/experts.md says why."""
    assert {*games.ours()} - {game for game, _ in EXPERTS} == {
        *("loto", "my-bird-sings", "snip-snap-snorum"),
        *("show-down-poker", "speculation"),
    }
