"""The experts of the house: each is stronger than the book of its game, and hard to exploit."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import train
from conftest import Write
from helpers.command import WHOLE, roundsim
from helpers.experts import expert_of, tables

from roundsim import games
from roundsim.sources import plugins

pytestmark = pytest.mark.soak
EXPERTS = [(game, each) for each in plugins.installed() if each.name == "expert" for game in each.games]
UNMEASURED = {"nap_expert"}  # a challenger at Nap takes hours
HARD = [path for path in tables() if path.parent.name not in UNMEASURED]
TODAY = HARD if WHOLE else [HARD[date.today().toordinal() % len(HARD)]]
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


class Gain(NamedTuple):
    """The gain of a deal, in counters, with half the width of its 95 % interval."""

    mean: float
    error: float


def gain(game: str, new: str, old: str, seats: int, cwd: Path, deals: int = 4000) -> Gain:
    """Return the gain of a strategy in the place of another one, who also sits at all other seats."""
    words = "play", game, f"new={new}", f"old={old}", "--as", "shadow", "--seats", seats, "--deals", deals
    done = roundsim(*words, "--seed", 77_001, "--out", cwd / f"from-{old}", "--format", "json", cwd=cwd)
    (each,) = json.loads(done.stdout)["games"][0]["differences"]
    return Gain(each["difference"] if each["one"] == "new" else -each["difference"], each["error"])


@pytest.mark.parametrize("game", [game for game, _ in EXPERTS])
def test_an_expert_beats_the_book(game: str, tmp_path: Path) -> None:
    """A gate passes on cards that no table was trained on, and nobody is at fault."""
    roundsim("gate", game, "expert", "book", "--seed", 77_002, cwd=tmp_path, code=0)


@pytest.mark.parametrize("path", TODAY, ids=lambda path: path.parent.name)
def test_an_expert_is_hard_to_exploit(path: Path, write: Write, tmp_path: Path) -> None:
    """A challenger trained against the expert wins at most a third of what one trained against the book wins."""
    _, game = expert_of(path)
    plan = train.Plan(next(iter(train.parts_of(path))).seats, rounds=1)

    def won_from(against: str) -> Gain:
        table, file = f"{against}.txt", f"from_{against}.py"
        write(table)
        write(file, CHALLENGER.format(package=path.parent.name, against=against, table=table))
        (found,) = plugins.find(f"{tmp_path / file}:Challenger")
        challenger: Any = plugins.load_strategy(found)
        write(table, train.text_of(plan, train.Trainer(challenger, game, plan).train(2)))
        return gain(game.id, str(tmp_path / file), against, plan.seats, tmp_path)

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
