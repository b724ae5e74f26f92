"""A condition on the figures of a claim: `dealer - eldest < 0`."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from ..base.errors import did_you_mean

NUMBER = r"\d+(?:\.\d*)?|\.\d+"
NAME = r"[^\W\d]\w*(?:\.\w+)?"
TERM = re.compile(rf"\s*([+-])?\s*(?:({NUMBER})\s*\*\s*)?({NAME})")
END = re.compile(rf"\s*(>|<|=)\s*([+-]?\s*(?:{NUMBER}))\s*")
FORM = "write NAME - NAME > 0, with <, > or =, numbers as in 2*NAME, and a number on the right"


@dataclass(frozen=True)
class Condition:
    """`terms`: the factor of each name; `sign`: >, < or =; `bound`: the number on the right."""

    terms: tuple[tuple[str, float], ...]
    sign: str
    bound: float

    @classmethod
    def parse(cls, text: str) -> Condition:
        """Parse a condition. ValueError says what is wrong."""
        at, terms = 0, dict[str, float]()
        while term := TERM.match(text, at):
            sign, factor, name = term.groups()
            if terms and not sign:
                break
            terms[name] = terms.get(name, 0.0) + float(factor or 1) * (-1 if sign == "-" else 1)
            at = term.end()
        end = END.fullmatch(text, at)
        if not terms or not end:
            raise ValueError(f"{text!r} is no condition: {FORM}")
        return cls(tuple(terms.items()), end[1], float(end[2].replace(" ", "")))

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.terms]

    def unknown(self, known: Collection[str]) -> str:
        """Return a message about the first name that is not known; "" if all are."""
        for name in self.names:
            if name not in known:
                return f"no figure {name!r}{did_you_mean(name, known)}: there are {', '.join(known)}"
        return ""

    def value(self, figures: Mapping[str, Any]) -> float:
        """Return the value of the left side."""
        return float(sum(factor * figures[name] for name, factor in self.terms))

    def holds(self, figures: Mapping[str, Any]) -> bool:
        """Return whether exact figures fulfil it."""
        value = self.value(figures)
        return (
            value > self.bound if self.sign == ">" else value < self.bound if self.sign == "<" else value == self.bound
        )
