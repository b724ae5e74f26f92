"""One deal of a game, explained step by step: `roundsim rules GAME --example`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from itertools import takewhile
from pathlib import Path
from textwrap import wrap
from types import CodeType, GeneratorType
from typing import Any

from ..base.errors import InputError
from ..base.text import WIDTH
from ..refereeing.script import Script, ScriptLines, load_script
from ..table.actions import Action
from ..table.citations import BookRule, rules_of_game
from ..table.deal import Ask, Deal, Story
from ..table.options import Rules
from ..table.teaching import taught
from .deal_data import deal_data
from .narrator import Narrator, Say

FOLDER = "examples"  # next to the games, a scripted deal each


def explained(table: Rules) -> Iterator[str]:
    """Yield the lines of the example of a form: what to watch for, then each step, each rule where it first applies.

    Raises InputError if there is no example."""
    script, remark = example_of(table)
    lines = [*wrap(remark, WIDTH), ""]

    def cite(rule: str, step: int) -> None:
        lines.extend(["", *wrap(rule, WIDTH, break_on_hyphens=False), ""])

    play_example(script, lines.append, cite)
    yield from lines


def explained_data(table: Rules) -> dict[str, Any]:
    """Return the example of a form as data: `watch`, what to watch for; `options`, those that make the form; `rules`, by
    the number of the step where each first applies, from 0; and the deal with the keys of docs/report.md.

    Raises InputError if there is no example."""
    script, remark = example_of(table)
    rules: dict[int, str] = {}
    actions = play_example(script, lambda line: None, lambda rule, step: rules.update({step: rule})).actions
    seats = [f"seat {seat}" for seat in range(script.rules.players)]
    deal = deal_data(new_deal(script), actions, table.of.id, "1", seats, {})
    return {"watch": remark, "options": script.rules.changed(), "rules": rules, **deal}


def example_of(table: Rules) -> tuple[Script, str]:
    """Return the scripted deal of the form that is nearest to a table's, and the comment that says what to watch for."""
    game: type[Deal] = table.of
    paths = examples_of(game)
    if not paths:
        raise InputError(f"{game.title}: there is no {FOLDER}/{game.id}.toml next to the game")
    scripts = {path: load_script(path) for path in paths}
    for path, script in scripts.items():
        if script.game is not game:
            raise InputError(f"{path}: a deal of {script.game.id}, expected one of {game.id}")
    path = min(scripts, key=lambda path: how_far(scripts[path].rules, table))
    return scripts[path], remark_of(path)


def how_far(rules: Rules, table: Rules) -> tuple[bool, int, bool]:
    """Return how far the form of an example is from another one: another class plays it, so many options differ, or it
    has another number of players."""
    differ = sum(getattr(rules, option.key) != getattr(table, option.key) for option in table.declared)
    return rules.played_by is not table.played_by, differ, rules.players != table.players


def examples_of(game: type[Deal]) -> list[Path]:
    """Return the scripted deals in `examples/`, next to the file or the package of the game: one for each form, the usual
    one first."""
    file = Path(inspect.getfile(game))
    for folder in file.parent, file.parent.parent:
        if (path := folder / FOLDER / f"{game.id}.toml").is_file():
            return [path, *sorted((folder / FOLDER).glob(f"{game.id}.*.toml"))]
    return []


def example_rules(game: type[Deal]) -> list[Rules]:
    """Return the rules of the forms that have an example. ScriptError."""
    return [load_script(path).rules for path in examples_of(game)]


def remark_of(path: Path) -> str:
    """The comment that the file begins with."""
    comment = takewhile(lambda line: line.startswith("#"), path.read_text("utf-8").splitlines())
    return " ".join(line.removeprefix("#").strip() for line in comment)


def new_deal(script: Script) -> Deal:
    """The first deal of a script, not yet played."""
    deal: Deal = script.rules.played_by(script.rules, deepcopy(script.state), script.source(1))
    return deal


def play_example(script: Script, say: Say, cite: Callable[[str, int], None]) -> Deal:
    """Play and describe the first deal of a script; `cite` gets each rule before the first question that it asks, and
    the number of the step."""
    (deal, rule_of_question), written, known = deal_with_rules(script), ScriptLines(script.lines(1)), set[str]()

    def answer(ask: Ask) -> Action | None:
        rule = rule_of_question()
        if rule and rule.line not in known:
            known.add(rule.line)
            cite(taught(type(deal), rule.function, script.rules), len(deal.actions))
        return written.answer(ask)

    if not Narrator(deal, say).narrate(answer):
        raise example_error(script)
    return deal


def example_error(script: Script) -> InputError:
    return InputError(f"{script.path}: its actions do not fit the deal; `roundsim settle` shows where")


def deal_with_rules(script: Script) -> tuple[Deal, Callable[[], BookRule | None]]:
    """The first deal of a script, not yet played; and what returns the rule that asks the question where it stands."""
    deal = new_deal(script)
    story, rules = held_story(deal), rules_by_code(script.game)
    return deal, lambda: rule_asking(rules, story)


def held_story(deal: Deal) -> Story:
    """Return the story of a deal that has not started: whoever plays the deal goes on with it."""
    story = deal.deal()
    vars(deal)["deal"] = lambda: story
    return story


def rules_by_code(game: type[Deal]) -> dict[CodeType, BookRule]:
    """Return the rules of a game that its functions state, by their code."""
    return {rule.function.__code__: rule for rule in rules_of_game(game) if rule.function}


def rule_asking(rules: Mapping[CodeType, BookRule], story: Any) -> BookRule | None:
    """Return which of these rules asks the question at which a story stands; None if none of them does."""
    while isinstance(story.gi_yieldfrom, GeneratorType):
        story = story.gi_yieldfrom
    return rules.get(story.gi_code)
