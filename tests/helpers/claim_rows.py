"""Verdicts about claims as data, made by hand."""

from __future__ import annotations

from typing import Any

CASE: dict[str, Any] = {
    "at": "4 seats",
    "among": "book",
    "verdict": "right",
    "value": -1.0,
    "error": 0.5,
    "low": -1.75,
    "high": -0.25,
    "figures": {"dealer": -0.25, "eldest": 0.75},
    "n": 500,
    "deals": 2000,
    "needs": None,
    "shows": "",
}
ROW: dict[str, Any] = {
    "id": "nap/5",
    "definition": "",
    "says": "The deal is a disadvantage.",
    "author": "Baxter-Wray",
    "page": "p. 8",
    "tests": "",
    "true_if": "dealer - eldest < 0",
    "printed": "",
    "unit": "counters a deal",
    "among": ["book"],
    "verdict": "right",
    "exact": {},
    "cases": [CASE],
}


def exact_row(**changes: Any) -> dict[str, Any]:
    return {**ROW, "true_if": "", "cases": [], "among": [], **changes}
