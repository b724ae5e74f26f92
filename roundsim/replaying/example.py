"""One deal of a game, explained step by step: `roundsim rules GAME --example`."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from textwrap import wrap
from types import CodeType, GeneratorType
from typing import Any

from ..errors import InputError
from ..refereeing.script import Script, ScriptLines, load_script
from ..table.actions import Action
from ..table.citations import BookRule, rules_of_game
from ..table.deal import Ask, Deal
from ..words import WIDTH
from .narrator import Narrator

FOLDER = "examples"  # next to the games, a scripted deal each


def explained(game: type[Deal]) -> Iterator[str]:
    """Yield the lines of the example: what to watch for, then each step, each rule where it first applies.

    Raises InputError if there is no example."""
    path = path_of(game)
    if path is None:
        raise InputError(f"{game.title}: there is no {FOLDER}/{game.id}.toml next to the game")
    script = load_script(path)
    if script.game is not game:
        raise InputError(f"{path}: a deal of {script.game.id}, expected one of {game.id}")
    yield from wrap(remark_of(path), WIDTH)
    yield ""
    lines = list[str]()
    explain(script, lines)
    yield from lines


def path_of(game: type[Deal]) -> Path | None:
    """The scripted deal in `examples/`, next to the file or the package of the game."""
    file = Path(inspect.getfile(game))
    candidates = (folder / FOLDER / f"{game.id}.toml" for folder in (file.parent, file.parent.parent))
    return next((path for path in candidates if path.is_file()), None)


def remark_of(path: Path) -> str:
    """The comment that the file begins with."""
    comment = takewhile(lambda line: line.startswith("#"), path.read_text("utf-8").splitlines())
    return " ".join(line.removeprefix("#").strip() for line in comment)


def explain(script: Script, lines: list[str]) -> None:
    """Play the first deal of a script, with each rule before the first question that it asks."""
    deal = script.rules.played_by(script.rules, script.state, script.source(1))
    story, written = deal.deal(), ScriptLines(script.lines(1))
    deal.deal = lambda: story
    rules = {rule.function.__code__: rule for rule in rules_of_game(script.game) if rule.function}
    seen = set[BookRule]()
    narrator = Narrator(deal, lines.append)

    def answer(ask: Ask) -> Action | None:
        rule = rules.get(asking(story))
        if rule and rule not in seen:
            seen.add(rule)
            lines.extend(["", *wrap(f"{rule.words} ({rule.cited})", WIDTH, break_on_hyphens=False), ""])
        return written.answer(ask)

    if not narrator.narrate(answer):
        raise InputError(f"{script.path}: its actions do not fit the deal; `roundsim settle` shows where")


def asking(story: Any) -> CodeType:
    """The code of the step that the deal is at; `story` is the generator of the deal."""
    while isinstance(story.gi_yieldfrom, GeneratorType):
        story = story.gi_yieldfrom
    code: CodeType = story.gi_code
    return code
