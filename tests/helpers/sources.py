"""Source text of small strategies."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import indent


def strategy_classes(methods: Mapping[str, str], top: str = "", act: str = "") -> str:
    """Return a module of strategies of Nap, each with a method of its own, as `{"Name": "method: body"}`; each with an `act`
    of this body too, if it is given."""
    text = f"{top}\n\n"
    for name, method in methods.items():
        own, _, own_body = method.partition(": ")
        text += f"class {name}:\n    games = ['nap']\n\n"
        for word, body in (("act", act), (own, own_body)):
            taken = "self" if word in ("__init__", "__del__") else "self, view"
            text += f"    def {word}({taken}):\n{indent(body, ' ' * 8)}\n\n" if body else ""
    return text
