"""`roundsim new`: write a strategy to start with, and a test for it; or a bot in any language."""

from __future__ import annotations

import keyword
import os
import re
import shlex
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from .. import games
from ..base.errors import FolderError, StrategyError
from ..table.deal import Deal
from . import bots
from .specs import check_name

STRATEGY = '''\
"""A strategy for {title}: `roundsim rules {game}` lists what is asked and what a view shows."""

{imports}


class {name}:
    """Says in a line how it plays."""

    games = ["{game}"]
{methods}'''

METHOD = """
    def {method}(self, view: {view}) -> str:
        # {help}
        return view.chance.choice(view.legal)
"""

TEST = '''\
"""Run with pytest: {name} plays legally, and the same each time."""

from pathlib import Path

import roundsim

HERE = Path(__file__).parent


def test_it_plays_without_faults(tmp_path: Path) -> None:
    run = roundsim.play({game}, [str(HERE / "{file}.py"), "random"], deals=200, jobs=1, out=tmp_path / "run")
    assert run.faults == 0
'''


class Language(NamedTuple):
    """A language of bots: the folder of its example, its program, and its build command."""

    folder: str
    program: str
    build: str = ""


LANGUAGES = {
    "c": Language("c", "bot.c", "cc -O2 -o bot bot.c"),
    "javascript": Language("js", "bot.js"),
    "go": Language("go", "main.go", "go build -o bot main.go"),
    "shell": Language("sh", "bot.sh"),
    "python": Language("py", "bot.py"),
}
EXAMPLES = "roundsim_bots"


def strategy(name: str, game: str) -> list[Path]:
    """Write NAME.py and test_NAME.py in the current folder. Existing files are kept: FolderError."""
    deal, path = games.named(game), Path(name if name.endswith(".py") else f"{name}.py")
    stem = path.stem
    taken = keyword.iskeyword(stem) or stem in sys.stdlib_module_names
    if taken or not stem.isidentifier():
        why = "Python has that name itself" if taken else "letters, digits and _ can, not a digit first"
        raise StrategyError(f"{stem!r} cannot be the name of a Python module: {why}")
    test = path.with_name(f"test_{path.name}")
    for each in path, test:
        if each.exists():
            raise FolderError(f"{each} is there already")
    text = TEST.format(name=class_name(stem), game=game_text(deal, path), file=stem)
    return write_all({path: strategy_text(stem, deal), test: text})


def write_all(texts: Mapping[Path, str]) -> list[Path]:
    """Write these files, all or none; FolderError."""
    written = list[Path]()
    for path, text in texts.items():
        try:
            with path.open("x", encoding="utf-8") as file:
                written.append(path)
                file.write(text)
        except OSError as error:
            for each in written:
                each.unlink()
            raise FolderError(f"cannot write {path}: {error.strerror}") from None
    return written


def game_text(deal: type[Deal], path: Path) -> str:
    """Return the game as the test of a strategy at this path names it: its id, or its path."""
    place = games.place_of(deal)
    return f'"{place}"' if place == deal.id else f'str(HERE / "{os.path.relpath(place, path.resolve().parent)}")'


def class_name(stem: str) -> str:
    return "".join(part.capitalize() for part in stem.split("_"))


def module_of(deal: type[Deal]) -> tuple[str, str]:
    """Return the package and the module from which a game can be imported."""
    if deal.id in games.ours():
        return "roundsim.games", deal.id.replace("-", "_")
    package, _, module = games.installed().get(deal.id, "").partition(":")[0].rpartition(".")
    return package, module


def strategy_text(stem: str, deal: type[Deal]) -> str:
    """Return a class with a method for each phase of the game, typed so that an editor completes the names of the
    view."""
    name, game, view = class_name(stem), deal.__name__, f"{deal.__name__}.View"
    package, module = module_of(deal)
    imports = f"from {f'{package}.{module}'.lstrip('.')} import {game}"
    if not module:  # known by its path alone, so nothing can be imported
        imports, view = "from roundsim.strategy import TableView", "TableView"
    elif name == game:  # the strategy's own name hides the game's
        imports, view = f"{imports} as Game", "Game.View"
    methods = "".join(
        METHOD.format(method=phase.replace("-", "_"), help=help, view=view) for phase, help in deal.phases.items()
    )
    return STRATEGY.format(title=deal.title, game=deal.id, name=name, imports=imports, methods=methods)


def bot(name: str, language: str) -> list[Path]:
    """Write a folder with a bot that plays every game, and its bot.toml. Existing files are kept: FolderError."""
    path, known = Path(name), LANGUAGES[language]
    called, example = check_name(path.name), examples() / known.folder
    if path.exists():
        raise FolderError(f"{path} is there already")
    about = re.sub("^name = .*", f'name = "{called}"', (example / bots.FILE).read_text("utf-8"), count=1)
    texts = {known.program: (example / known.program).read_text("utf-8"), bots.FILE: about}
    path.mkdir()
    try:
        return write_all({path / file: text for file, text in texts.items()})
    except FolderError:
        path.rmdir()
        raise


def command_after(name: str, language: str) -> str:
    """Return the next command: the build of the bot, if it needs one, and `roundsim check`."""
    path, build = Path(name), LANGUAGES[language].build
    check = f"roundsim check {shlex.quote(f'./{path}' if len(path.parts) == 1 else str(path))}"
    return f"(cd {shlex.quote(str(path))} && {build}) && {check}" if build else check


def examples() -> Path:
    """Return the folder of example bots: installed under a package name, in a checkout `examples/bots`."""
    spec = find_spec(EXAMPLES)
    if spec and spec.submodule_search_locations:
        return Path(list(spec.submodule_search_locations)[0])
    return Path(__file__).resolve().parents[2] / "examples" / "bots"
