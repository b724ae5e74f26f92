"""The lesson of a form of a game: what wins in it, and the steps that play it, each with the text of its docstring.

A paragraph holds in every form, or says in which: "With straddle: ...", "Without straddle: ...", "With variant = old or
pool: ...", "With 3 or 5 players: ...", "With variant = three and third_draw: ...". A value of the rules has braces:
`{limit}`; with what it counts it is written in letters: `{stake counter}`, "one counter"."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from types import FunctionType
from typing import cast

from ..base.errors import DeclarationError, OptionError, did_you_mean
from ..base.text import spelled
from .citations import CITATION, as_cited
from .deal import Deal
from .options import Rules, option_text

TERM = r"(?:\w+(?: = [\w, -]+?)?|[\d, or]+ players)"
CONDITION = re.compile(rf"(With|Without) ({TERM}(?: and {TERM})*): ")
PLAYERS = re.compile(r"([\d, or]+) players")
VALUE = re.compile(r"\{(\w+)(?: (\w+))?\}")


def form_of(game: type[Deal], players: int | None, given: Mapping[str, object]) -> Rules:
    """Return the rules of a form of a game. OptionError.

    `players`: None for the usual number that goes with the options, or else any."""
    if players is None:
        (low, high), (fewest, most) = game.seats, game.usual
        for players in [*range(fewest, most + 1), *range(low, high + 1)]:
            with suppress(OptionError):
                return game.rules_for(players, given)
        players = fewest
    return game.rules_for(players, given)


def course_of(rules: Rules) -> list[str]:
    """Return how a deal of these rules goes, a paragraph for each step. DeclarationError for a step or an option that
    there is not."""
    game = rules.played_by
    names = game.course.split()
    if not all(map(str.isidentifier, names)):
        return [*paragraphs(game.course, rules)]
    return [step for name in names if (step := taught(game, step_named(game, name), rules))]


def what_wins_in(rules: Rules) -> list[str]:
    """Return what wins in a deal of these rules, in paragraphs."""
    return [*paragraphs(rules.played_by.what_wins, rules)]


def step_named(game: type[Deal], name: str) -> FunctionType:
    """Return the function of a step. DeclarationError if there is none."""
    if not hasattr(game, name):
        raise DeclarationError(f"{game.__name__} has no step {name}{did_you_mean(name, dir(game))}")
    return cast(FunctionType, inspect.unwrap(getattr(game, name)))


def taught(game: type[Deal], step: FunctionType, rules: Rules) -> str:
    """Return what a step does at a table of these rules; "" if nothing."""
    text = inspect.getdoc(step) or ""
    return one_paragraph([as_cited(game, step, paragraph) for paragraph in paragraphs(text, rules)])


def one_paragraph(sentences: list[str]) -> str:
    """Return paragraphs as one, with a citation that several share after the last of them."""
    text = ""
    for sentence in sentences:
        before, now = CITATION.match(text), CITATION.match(sentence)
        shared = before and now and before[2] == now[2]
        text = f"{before[1]}. {sentence}" if before and shared else f"{text} {sentence}".strip()
    return text


def paragraphs(text: str, rules: Rules) -> Iterator[str]:
    """Yield the paragraphs that hold with these rules, each on one line, with the values of the rules."""
    for paragraph in text.split("\n\n"):
        line = " ".join(paragraph.split())
        if condition := CONDITION.match(line):
            if all(holds(term, rules) for term in condition[2].split(" and ")) != (condition[1] == "With"):
                continue
            line = line[condition.end() :]
        if line:
            yield with_values(line[0].upper() + line[1:], rules)


def with_values(sentence: str, rules: Rules) -> str:
    """Return a sentence with the values of the rules in place of the braces."""
    return VALUE.sub(lambda value: filled_in(getattr(rules, value[1]), value[2]), sentence)


def holds(term: str, rules: Rules) -> bool:
    """Return whether "straddle", "variant = old or pool" or "3 or 5 players" is so at a table of these rules."""
    if players := PLAYERS.fullmatch(term):
        return rules.players in map(int, re.findall(r"\d+", players[1]))
    key, _, values = (part.strip() for part in term.partition("="))
    if not hasattr(rules, key):
        known = [option.key for option in rules.declared]
        raise DeclarationError(f"{rules.of.__name__}: no option {key}{did_you_mean(key, known)}, in {term!r}")
    value = getattr(rules, key)
    if not values:
        return value not in (False, 0, "off", None)
    return option_text(value).strip('"') in re.split(r", | or ", values)


def filled_in(value: object, thing: str | None) -> str:
    """Return a value of the rules; with what it counts in letters."""
    if thing is None or not isinstance(value, int):
        return option_text(value).strip('"')
    return f"{spelled(value) if value else 'no'} {thing}{'s' * (value != 1)}"
