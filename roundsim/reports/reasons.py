"""The reasons for which rules move counters, read from their functions: `self.pay(other, senior, counters, "the call is
made")`."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from textwrap import dedent
from types import FunctionType
from typing import Any

from ..table.deal import Deal


def reasons(game: type[Deal], function: FunctionType) -> list[str]:
    """Return the reasons in a function of a game, without those that it takes as an argument."""
    calls = [node for node in ast.walk(ast.parse(dedent(inspect.getsource(function)))) if isinstance(node, ast.Call)]
    lines = [text for call in calls for text in texts(why_of(game, call))]
    return list(dict.fromkeys(lines))


def why_of(game: type[Deal], call: ast.Call) -> ast.expr | None:
    """Return the reason that a call gives, if the call moves counters."""
    move: Any = getattr(game, call.func.attr, None) if isinstance(call.func, ast.Attribute) else None
    if not hasattr(move, "moves_counters"):
        return None
    at = list(inspect.signature(move).parameters).index("why") - 1
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    return named.get("why") or (call.args[at] if len(call.args) > at else None)


def texts(node: ast.expr | None) -> Iterator[str]:
    """Yield the text, or both texts of a conditional expression."""
    if isinstance(node, ast.IfExp):
        yield from texts(node.body)
        yield from texts(node.orelse)
    elif isinstance(node, ast.Constant):
        yield str(node.value)
