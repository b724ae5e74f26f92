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
    played = [entry for entry in contest.entries if not entry.reason]
    return {
        "seed": contest.seed,
        "seed_sha256": contest.seed_sha256,
        "entries": [
            {
                "name": entry.name,
                "file": entry.file,
                "sha256": entry.sha256,
                "rank": ranks.get(entry.name),
                "faults": [*faults_of(entry.name, standings)],
            }
            for entry in sorted(played, key=lambda entry: order.get(entry.name, len(order)))
        ],
        "left_out": [
            {"file": entry.file, "sha256": entry.sha256, "reason": entry.reason} for entry in contest.left_out
        ],
    }


def faults_of(label: str, standings: Standings) -> Iterator[dict[str, Any]]:
    """Yield each kind of fault of a strategy with its number, and the first at each line of its source among those
    that are reported in full."""
    for entry, fold, *_ in standings:
        for count in fold.fault_counts():
            if entry.labels[count.entrant] != label:
                continue
            reported = [fault for fault in fold.fault_reports() if (fault.entrant, fault.kind) == count[:2]]
            firsts = {fault.where[-1:]: fault for fault in reversed([*filter(None, [count.first]), *reported])}
            first = [
                {"line": "".join(line), "words": fault.words, "deal": fault.deal}
                for line, fault in sorted(
                    firsts.items(), key=lambda item: reported.index(item[1]) if item[1] in reported else -1
                )
            ]
            yield {"kind": count.kind, "n": count.n, "first": first}


def contest_in_format(contest: Contest, standings: Standings, form: str) -> str:
    """Return the results of a contest as `table` or `json`."""
    if form == "json":
        data = {**contest_data(contest, standings), "standings": as_data(standings)}
        return json.dumps(data, indent=1, ensure_ascii=False) + "\n"
    lines = [line for entry in contest.left_out for line in broken(f"  {entry.file}: {one_line(entry.reason)}", 4)]
    return "\n".join([text_tables(standings), *["Left out:", *map(printable, lines), ""] * bool(lines)])


def one_line(reason: str) -> str:
    return "; ".join([line.strip() for line in reason.splitlines()])
