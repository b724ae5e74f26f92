"""Settled claims as plain data: what `--format json` prints, and what is kept with roundsim."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from ..base.files import TEXT, read_regular_file
from ..base.finding import sha256 as sha256_of
from ..base.finding import stamp
from ..sources.homes import claims_folder
from ..tournament.storage.writing import write_aside
from .chapter import Claim
from .verdict import OPEN, PROGRAM, WRONG, together

KEPT = "kept.json"
SCHEMA = 1
EXPERTS = ("expert",)
Row = Mapping[str, Any]
KeptRows = Mapping[tuple[str, tuple[str, ...]], Row]  # by claim and players
NO_FIGURES: Mapping[str, Fraction] = {}


def verdict_row(
    claim: Claim,
    verdict: str,
    among: Sequence[str] = (),
    cases: Sequence[Row] = (),
    exact: Mapping[str, Fraction] = NO_FIGURES,
) -> Row:
    """Return a verdict as data. `among`: the strategies who played; `cases`: the verdicts at each table, among each of
    them; `exact`: the figures of the claim's function, by name."""
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
        "among": [*among],
        "verdict": verdict,
        "exact": {name: str(value) for name, value in exact.items()},
        "cases": [*cases],
    }


def definition(claim: Claim) -> str:
    """Return a digest of what a claim tests: a verdict is kept for this."""
    functions = claim.chapter.functions
    parts = [repr(claim), sha256_of(functions) if functions else ""]
    return sha256(repr(parts).encode()).hexdigest()[:16]


def kept_rows() -> KeptRows:
    """Return the verdicts that came with roundsim."""
    path = claims_folder() / KEPT
    return rows_at(path, *stamp(path)) if path.exists() else {}


@lru_cache(1)
def rows_at(path: Path, *_stamp: int) -> KeptRows:
    """Return the verdicts in a file, which is read once while it is the same."""
    rows = json.loads(read_regular_file(path, TEXT))["claims"]
    return {(row["id"], tuple(row["among"])): row for row in rows}


def keep(rows: Iterable[Row]) -> None:
    """Write these verdicts over those that are kept."""
    kept = {**kept_rows(), **{(row["id"], tuple(row["among"])): row for row in rows}}
    places = {key: key[0].rpartition("/") for key in kept}
    listed = [kept[key] for key in sorted(kept, key=lambda key: (places[key][0], int(places[key][2]), key[1]))]
    write_aside(claims_folder() / KEPT, rows_json(listed).encode())


def rows_json(rows: Sequence[Row]) -> str:
    """Return verdicts as JSON, a claim a line."""
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    return f'{{"schema": {SCHEMA}, "claims": [\n{lines}\n]}}\n'


def kept_row(claim: Claim, among: Sequence[str], kept: KeptRows) -> Row | None:
    """Return the kept verdict of a claim, None if there is none, or if the claim was another one then."""
    row = kept.get((claim.id, () if claim.exact or claim.untestable else tuple(among)))
    return row if row and row["definition"] == definition(claim) else None


def with_experts(row: Row, kept: KeptRows) -> Row:
    """Return a verdict with the kept one among experts, if they have decided the same claim."""
    experts = kept.get((row["id"], EXPERTS))
    if not experts or experts["definition"] != row["definition"] or experts["verdict"] == OPEN:
        return row
    cases = [*row["cases"], *experts["cases"]]
    return {**row, "among": [*row["among"], *EXPERTS], "verdict": verdict_of([row, experts]), "cases": cases}


def verdict_of(rows: Sequence[Row]) -> str:
    """Return the verdict of a claim from its rows: that of all their cases together."""
    return together([case["verdict"] for row in rows for case in row["cases"]]) if len(rows) > 1 else rows[0]["verdict"]


def verdict_among(row: Row, company: str) -> str:
    """Return the verdict of a claim among one company, "" if they have not played."""
    return together([case["verdict"] for case in row["cases"] if case["among"] == company] or [""])


def is_otherwise(row: Row) -> bool:
    """Return whether experts decide a claim differently from its book, or from the others who played."""
    verdicts = {company: verdict_among(row, company) for company in row["among"]}
    return EXPERTS[0] in verdicts and (verdicts[EXPERTS[0]] == WRONG or len({*verdicts.values()} - {OPEN, PROGRAM}) > 1)


def differs(row: Row, kept: Row) -> bool:
    """Return whether a verdict contradicts the kept one: an exact one is another, or intervals at the level of the
    verdicts have nothing in common."""
    if row["exact"] or kept["exact"]:
        return bool(row["verdict"] != kept["verdict"])
    return any(map(disjoint, row["cases"], kept["cases"]))


def disjoint(one: Row, other: Row) -> bool:
    lows, highs = [[case[end] for case in (one, other)] for end in ("low", "high")]
    return None not in [*lows, *highs] and bool(max(lows) > min(highs))


def located(row: Row, folder: Path) -> Row:
    """Return a verdict whose deals are named from here; `folder`: that of the runs."""
    cases = [{**case, "shows": case["shows"] and str(folder / case["shows"])} for case in row["cases"]]
    return {**row, "cases": cases}
