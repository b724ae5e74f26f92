"""Settled claims as plain data: what `--format json` prints, and what is kept with roundsim."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import Any

from ..base.files import TEXT, read_regular_file
from ..base.finding import sha256 as sha256_of
from ..base.finding import stamp
from ..reports.views import rounded
from ..tournament.storage.writing import write_aside
from .chapter import Claim, house
from .settle import CaseResult, Settled
from .verdict import OPEN, WRONG, together

KEPT = "kept.json"
SCHEMA = 1
EXPERTS = ("expert",)
Row = Mapping[str, Any]


def as_row(settled: Settled, among: Sequence[str]) -> Row:
    """Return a settled claim as data. `among`: the strategies who played."""
    claim = settled.claim
    return {
        "id": claim.id,
        "definition": definition(claim),
        "says": claim.says,
        "author": claim.author,
        "page": claim.page,
        "tests": claim.tests or claim.untestable,
        "true_if": claim.true_if,
        "printed": claim.printed,
        "unit": claim.unit,
        "among": [] if claim.exact or claim.untestable else [*among],
        "verdict": settled.verdict,
        "exact": {name: str(value) for name, value in settled.exact.items()},
        "cases": [case_data(claim, case) for case in settled.cases],
    }


def case_data(claim: Claim, case: CaseResult) -> dict[str, Any]:
    judged = case.judged
    return {
        "at": str(case.seating),
        "among": case.among,
        "verdict": judged.verdict,
        "value": rounded(judged.value),
        "error": finite(judged.error),
        "low": finite(judged.low),
        "high": finite(judged.high),
        "figures": {name: rounded(value) for name, value in judged.figures.items()},
        "n": judged.n,
        "deals": case.deals,
        "needs": deals_needed(claim, case),
        "shows": case.shows,
    }


def deals_needed(claim: Claim, case: CaseResult) -> int | None:
    """Return how many deals would probably decide an open case, if the value that was found is the true one."""
    judged = case.judged
    if judged.verdict != OPEN or judged.value is None or not isfinite(judged.high - judged.low) or not claim.condition:
        return None
    distance = abs(judged.value - claim.condition.bound)
    half = (judged.high - judged.low) / 2
    return int(float(f"{case.deals * (half / distance) ** 2:.2g}")) if 0 < distance < half else None


def finite(number: float) -> float | None:
    return rounded(number) if isfinite(number) else None


def definition(claim: Claim) -> str:
    """Return a digest of what a claim tests: a verdict is kept for this."""
    functions = claim.chapter.functions
    parts = [repr(claim), sha256_of(functions) if functions else ""]
    return sha256(repr(parts).encode()).hexdigest()[:16]


def kept_rows() -> dict[tuple[str, tuple[str, ...]], Row]:
    """Return the verdicts that came with roundsim, by claim and players."""
    path = house() / KEPT
    return rows_at(path, *stamp(path)) if path.exists() else {}


@lru_cache(1)
def rows_at(path: Path, *_stamp: int) -> dict[tuple[str, tuple[str, ...]], Row]:
    """Return the verdicts in a file, which is read once while it is the same."""
    rows = json.loads(read_regular_file(path, TEXT))["claims"]
    return {(row["id"], tuple(row["among"])): row for row in rows}


def keep(rows: Iterable[Row]) -> None:
    """Write these verdicts over those that are kept."""
    kept = kept_rows() | {(row["id"], tuple(row["among"])): row for row in rows}
    listed = [row for _, row in sorted(kept.items(), key=lambda item: order(item[0]))]
    write_aside(house() / KEPT, rows_json(listed).encode())


def rows_json(rows: Sequence[Row]) -> str:
    """Return verdicts as JSON, a claim a line."""
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return f'{{"schema": {SCHEMA}, "claims": [\n{lines}\n]}}\n'


def order(key: tuple[str, tuple[str, ...]]) -> tuple[str, int, tuple[str, ...]]:
    """Sort claims by chapter and number."""
    chapter, _, number = key[0].rpartition("/")
    return chapter, int(number), key[1]


def kept_row(claim: Claim, among: Sequence[str], kept: Mapping[tuple[str, tuple[str, ...]], Row]) -> Row | None:
    """Return the kept verdict of a claim, None if there is none, or if the claim was another one then."""
    row = kept.get((claim.id, () if claim.exact or claim.untestable else tuple(among)))
    return row if row and row["definition"] == definition(claim) else None


def with_experts(row: Row, kept: Mapping[tuple[str, tuple[str, ...]], Row]) -> Row:
    """Return a verdict with the kept one among experts, if they have decided the same claim."""
    experts = kept.get((row["id"], EXPERTS))
    if not experts or experts["definition"] != row["definition"] or is_open(experts):
        return row
    verdict = together([row["verdict"], experts["verdict"]])
    return {**row, "among": [*row["among"], *EXPERTS], "verdict": verdict, "cases": [*row["cases"], *experts["cases"]]}


def verdict_among(row: Row, company: str) -> str:
    """Return the verdict of a claim among one company, "" if they have not played."""
    return together([case["verdict"] for case in row["cases"] if case["among"] == company] or [""])


def is_otherwise(row: Row) -> bool:
    """Return whether experts decide a claim differently from its book, or from the others who played."""
    verdicts = {company: verdict_among(row, company) for company in row["among"]}
    return EXPERTS[0] in verdicts and (verdicts[EXPERTS[0]] == WRONG or len({*verdicts.values()} - {OPEN}) > 1)


def differs(row: Row, kept: Row) -> bool:
    """Return whether a verdict contradicts the kept one: an exact one is another, or intervals at the level of the
    verdicts have nothing in common."""
    if row["exact"] or kept["exact"]:
        return bool(row["verdict"] != kept["verdict"])
    return any(map(apart, row["cases"], kept["cases"]))


def apart(one: Row, other: Row) -> bool:
    ends = [(each["low"], each["high"]) for each in (one, other)]
    if any(None in each for each in ends):
        return False
    return bool(max(low for low, _ in ends) > min(high for _, high in ends))


def located(row: Row, folder: Path) -> Row:
    """Return a verdict whose deals are named from here; `folder`: that of the runs."""
    cases = [{**case, "shows": case["shows"] and str(folder / case["shows"])} for case in row["cases"]]
    return {**row, "cases": cases}


def is_open(row: Row) -> bool:
    return bool(row["verdict"] == OPEN)
