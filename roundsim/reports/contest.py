"""The results of a contest: its seed, its entries with their ranks and faults, and those that were left out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ..base.errors import printable
from ..tournament.judging.standings import Standings
from ..tournament.storage.contest import Contest
from .data import as_data
from .lines import broken
from .terminal import text_tables


def contest_data(contest: Contest, standings: Standings) -> dict[str, Any]:
    """Return the results of a contest, for a site and for the page. Ranks are None for entries that are not placed."""
    rows = [row for _, row in standings.over_rounds[0][1]] if standings.over_rounds else standings.games[0]
    ranks = {row.strategy: row.rank for row in rows}
    order = {row.strategy: at for at, row in enumerate(rows)}
    played = [each for each in contest.entries if not each.reason]
    return {
        "seed": contest.seed,
        "seed_sha256": contest.seed_sha256,
        "entries": [
            {
                "name": each.name,
                "file": each.file,
                "sha256": each.sha256,
                "rank": ranks.get(each.name),
                "faults": [*faults_of(each.name, standings)],
            }
            for each in sorted(played, key=lambda each: order.get(each.name, len(order)))
        ],
        "left_out": [{"file": each.file, "sha256": each.sha256, "reason": each.reason} for each in contest.left_out],
    }


def faults_of(label: str, standings: Standings) -> Iterator[dict[str, Any]]:
    """Yield each kind of fault of a strategy with its number, and the first at each line of its source among those
    that are reported in full."""
    for entry, fold, *_ in standings:
        for count in fold.fault_counts():
            if entry.labels[count.entrant] != label:
                continue
            reported = [each for each in fold.fault_reports() if (each.entrant, each.kind) == count[:2]]
            firsts = {each.where[-1:]: each for each in reversed([*filter(None, [count.first]), *reported])}
            first = [
                {"line": "".join(line), "words": each.words, "deal": each.deal}
                for line, each in sorted(
                    firsts.items(), key=lambda item: reported.index(item[1]) if item[1] in reported else -1
                )
            ]
            yield {"kind": count.kind, "n": count.n, "first": first}


def in_format(contest: Contest, standings: Standings, form: str) -> str:
    """Return the results of a contest as `table` or `json`."""
    if form == "json":
        data = {**contest_data(contest, standings), "standings": as_data(standings)}
        return json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    lines = [line for each in contest.left_out for line in broken(f"  {each.file}: {one_line(each.reason)}", 4)]
    return "\n".join([text_tables(standings), *["Left out:", *map(printable, lines), ""] * bool(lines)])


def one_line(reason: str) -> str:
    return "; ".join([line.strip() for line in reason.splitlines()])
