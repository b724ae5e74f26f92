"""The strategies that a tournament's list names: texts, and tables that give a name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from ...base.errors import StrategyError
from ...base.values import Key, Text, Values, object_schema
from ...sources import plugins
from ...sources.bots import STRATEGY_NAME
from ...sources.plugins import Strategy
from ...sources.specs import check_name, read_spec
from .key_lines import shorten_value


class Strategies(Values):
    """Lists of strategies; `strategy_spec` checks each of them."""

    def __str__(self) -> str:
        return 'a list of texts, ["book", "random", "mine.py:Mine(risk=0.8)"]'

    def read(self, value: Any) -> list[str | dict[str, Any]]:
        if not isinstance(value, list) or not value or not all(isinstance(item, str | dict) for item in value):
            raise ValueError
        return value

    def schema(self) -> dict[str, Any]:
        named = {"name": Key("Its name.", Text(pattern=STRATEGY_NAME.pattern)), "from": Key("The strategy.", Text())}
        table = {**object_schema(named), "required": [*named]}
        return {"type": "array", "minItems": 1, "items": {"anyOf": [Text().schema(), table]}}


STRATEGIES = Strategies()


def strategy_spec(listed: Any) -> str:
    """A strategy of a list as a command line names it.  StrategyError."""
    match listed:
        case str():
            return listed
        case {"name": str(name), "from": str(source)} if len(listed) == 2:
            return f"{check_name(name)}={source}"
    raise StrategyError(
        f'a strategy is a text, or a table {{ name = "old", from = "old/mine.py" }}, not {shorten_value(listed)}'
    )


def specs_in(lists: Iterable[Any]) -> Iterator[str]:
    """The strategies of all these lists that are named as they may be."""
    for listed in lists:
        for item in listed if isinstance(listed, list) else ():
            with suppress(StrategyError):
                yield strategy_spec(item)


class Twins:
    """The strategies of a list by their names and labels, and how each was named."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder, self.known = folder, dict[tuple[str, str], tuple[Strategy, str]]()

    def add(self, strategy: Strategy, text: str) -> None:
        """StrategyError where another one has its name."""
        what = read_spec(text, self.folder).what
        for key in ("name", strategy.name), ("label", str(strategy)):
            check_twins(*self.known.setdefault(key, (strategy, what)), strategy, what)


def check_twins(one: Strategy, first: str, other: Strategy, second: str) -> None:
    """Two strategies of one name must be the same, and may differ only in parameters that they are called by, too."""
    same = one.sha256 == other.sha256 and one.attribute == other.attribute
    if same and (one.parameters == other.parameters or str(one) != str(other)):
        return
    if first == second:
        first, second = plugins.spec(one), plugins.spec(other)
    raise StrategyError(
        f"two strategies are called {one.name}: {first} and {second}; give them names, new={first} old={second},"
        f' or in a file {{ name = "old", from = "{second}" }}'
    )
