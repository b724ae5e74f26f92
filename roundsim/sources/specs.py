"""Texts that name strategies, `new=mine.py:Mine(risk=0.8)`, taken apart into their parts."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from ..base.errors import StrategyError
from ..base.finding import is_path, path_in
from ..base.text import so_many
from . import bots
from .bots import STRATEGY_NAME, recordable

NAMED = re.compile(r"(?:(?P<name>[^=:/()]*)=)?+(?P<what>.*)", re.DOTALL)
GIT = "git:"  # begins the text that names a source in a commit
PLACE = re.compile(r"cmd:.*|git:[^:()]*(?::(?:.*?\.py(?=\s*[:(]|\s*$)|[^:()]*))?|[^:()]+", re.DOTALL)
PLACED = re.compile(r"(?::(?P<attribute>[^()]*?))?\s*(?:\((?P<parameters>.*)\))?\s*", re.DOTALL)  # what follows a place


class Spec(NamedTuple):
    """The parts of a text that names strategies: `place:attribute`; the name to give them, "" for their own; the
    parameters in brackets."""

    name: str
    what: str
    place: str
    attribute: str
    parameters: dict[str, Any]


def read_spec(text: str, folder: Path | None = None) -> Spec:
    """Parse a text that names strategies; a path in it that exists, from this folder, may have colons and brackets.
    StrategyError."""
    name, what = NAMED.fullmatch(text).groups()  # type: ignore[union-attr]  # it matches any text
    match = PLACE.match(what)
    place = match[0].rstrip() if match else ""
    if not place.startswith((bots.COMMAND, GIT)):
        place = path_in(what, folder or Path()) or place
    more = PLACED.fullmatch(what, len(place))
    if not more and what.endswith(".py"):
        raise StrategyError(f"{what}: there is no such file or folder")
    if not place or not more:
        raise StrategyError(
            f"{text!r} is not a strategy: a name, a path, module:Name or git:REVISION:PATH, with parameters in brackets,"
            " or cmd:COMMAND, and NAME= before it to call it so"
        )
    attribute, parameters = more.groups()
    return Spec(
        "" if name is None else check_name(name),
        what[: more.end("attribute") if attribute is not None else len(place)],
        place,
        attribute or "",
        read_parameters(parameters, text),
    )


def check_name(name: str, path: str = "") -> str:
    """Check a name for a strategy and return it; `path`: of the file that contains it. StrategyError."""
    if not STRATEGY_NAME.fullmatch(name):
        where = f"{path}: " if path else ""
        raise StrategyError(
            f"{where}{name[:80]!r} cannot be the name of a strategy: a letter first, then letters, digits, '.', '_' and '-',"
            " 40 in all"
        )
    return name


def is_name(spec: Spec) -> bool:
    """Return whether a text names an installed strategy, and no place where another one is."""
    elsewhere = spec.place.startswith((bots.COMMAND, GIT)) or is_path(spec.place) or spec.place == bots.FILE
    return not elsewhere and not spec.attribute


def read_parameters(text: str | None, whole: str) -> dict[str, Any]:
    """Return the keywords in the brackets: plain Python values only."""
    if not text or not text.strip():
        return {}
    try:
        call = ast.parse(f"f({text})", mode="eval").body
        if not isinstance(call, ast.Call) or call.args or any(word.arg is None for word in call.keywords):
            raise ValueError
        given = [(str(word.arg), recordable(ast.literal_eval(word.value))) for word in call.keywords]
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise StrategyError(
            f"{whole[:80]!r}: parameters are written key=value, with texts, numbers, true or false, or lists of them"
        ) from None
    for key, times in Counter(key for key, _ in given).items():
        if times > 1:
            raise StrategyError(f"{whole[:80]!r}: {key} is given {so_many(times, 'time')}")
    return dict(given)
