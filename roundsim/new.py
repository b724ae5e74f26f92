"""`roundsim new strategy`: a file to begin with, and a test for it."""

from __future__ import annotations

import keyword
import sys
from pathlib import Path

from . import games
from .errors import FolderError, StrategyError
from .table import Deal

STRATEGY = '''\
"""A strategy for {title}: `roundsim rules {game}` lists what is asked and what a view shows."""


class {name}:
    """Says in a line how it plays."""

    games = ["{game}"]
{methods}'''

METHOD = """
    def {method}(self, view):
        # {help}
        return view.chance.choice(view.legal)
"""

TEST = '''\
"""Run with pytest: {name} plays legally, and the same each time."""
from pathlib import Path

import roundsim

HERE = Path(__file__).parent


def test_it_plays_without_faults(tmp_path):
    run = roundsim.play("{game}", [str(HERE / "{file}.py"), "random"], deals=200, jobs=1, out=tmp_path / "run")
    assert run.faults == 0
'''


def strategy(name: str, game: str) -> list[Path]:
    """Write NAME.py and test_NAME.py in the current folder; what is there already is kept: FolderError."""
    deal, path = games.find(game), Path(name if name.endswith(".py") else f"{name}.py")
    stem = path.stem
    taken = keyword.iskeyword(stem) or stem in sys.stdlib_module_names
    if taken or not stem.isidentifier():
        why = "Python has that name itself" if taken else "letters, digits and _ can, not a digit first"
        raise StrategyError(f"{stem!r} cannot be the name of a Python module: {why}")
    test = path.with_name(f"test_{path.name}")
    for each in path, test:
        if each.exists():
            raise FolderError(f"{each} is there already")
    path.write_text(strategy_text(stem, deal), "utf-8")
    test.write_text(TEST.format(name=class_name(stem), game=deal.id, file=stem), "utf-8")
    return [path, test]


def class_name(stem: str) -> str:
    return "".join(part.capitalize() for part in stem.split("_"))


def strategy_text(stem: str, deal: type[Deal]) -> str:
    methods = "".join(METHOD.format(method=phase.replace("-", "_"), help=help) for phase, help in deal.phases.items())
    return STRATEGY.format(title=deal.title, game=deal.id, name=class_name(stem), methods=methods)
