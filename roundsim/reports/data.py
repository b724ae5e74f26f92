"""The results of a run for programs, and the files of a finished run: json, csv, markdown, the list of faults."""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import exp
from typing import Any

from ..base.text import in_csv
from ..statistics.differences import Difference
from ..statistics.stopping import Decision
from ..tournament.commandline import PlayingCommand, recorded_commands
from ..tournament.formats import Measure
from ..tournament.growth import sources_by_entry
from ..tournament.judging.standings import Figure, Standings, StandingsRow
from ..tournament.judging.stopping import SCORE, Outcome
from ..tournament.judging.verdicts import Comparison, Verdicts
from ..tournament.planning.plan import Entry, Tournament
from ..tournament.planning.record import LIMITS, STOPPING, recorded
from ..tournament.planning.stopping_rule import Contrast, PooledContrast
from ..tournament.results.entry_totals import EntryTotals
from ..tournament.results.totals import ShardTotals
from ..tournament.run import Result
from ..tournament.storage.writing import has_bytes, write_aside
from .terminal import cross_text, ranks, text_tables

LeftOut = Callable[[], Mapping[str, str]]  # the machines that could not play, with the reasons
SCHEMA = 2  # schemas/standings.json describes it
DECIDED = {Decision.WORSE: False, Decision.BETTER: True}  # by any other nothing is decided
CONTRAST = ("difference", "low", "high", "changed", "gained", "lost", "largest_share", "effect", "e", "p_always")


def rounded(value: float | None) -> float | None:
    """Round to six digits: the last ones are not the same on every machine."""
    return None if value is None else float(f"{value:.6g}")


def as_data(reckoned: Standings) -> dict[str, Any]:
    """Return the standings for programs; their layout is numbered by `schema`."""
    listed, tournament = [], reckoned.tournament
    for at, (entry, fold, rows, verdicts) in enumerate(reckoned):
        listed.append(
            {
                "name": entry.name,
                "game": entry.game,
                "title": entry.deal.title,
                "options": dict(sorted(entry.options.items())),
                "players": entry.format.seats,
                "blocks": fold.tally.blocks,
                "deals": fold.tally.deals,
                "decisions": fold.tally.decisions,
                "rows": [
                    {
                        **rank_data(row),
                        **who(entry, row),
                        **figures_of(row, entry.format.measures),
                        **comparison_data(verdicts, entry.labels.index(row.strategy)),
                        "blocks": row.blocks,
                        "faults": fault_counts(entry, row.strategy, fold.tally),
                    }
                    for row in rows
                ],
                "until": next(map(stopping_data, reckoned.outcomes[at : at + 1]), None),
                "differences": list(differences(rows, verdicts)),
                "cycles": [[entry.labels[each] for each in cycle] for cycle in verdicts.cycles],
                "company": [
                    {
                        "strategy": entry.labels[each.entrant],
                        "beside": entry.labels[each.beside],
                        "difference": rounded(each.difference),
                        "p": rounded(each.p),
                    }
                    for each in verdicts.company
                ],
                "origins": origins_data(verdicts),
                "places": [
                    {"place": name, "net_per_deal": rounded(each.mean), "error": rounded(each.error)}
                    for name, each in verdicts.places
                ],
                "extremes": {
                    word: {"strategy": entry.labels[who], "net": net, "deal": deal}
                    for word, who, net, deal in verdicts.extremes
                },
            }
        )
    return {
        "schema": SCHEMA,
        "name": tournament.name,
        "format": tournament.format,
        "seed": tournament.seed,
        "limits": limits_data(reckoned),
        "stopping": recorded(STOPPING, tournament.stopping) if tournament.stopping else None,
        "games": listed,
        **({"over_all": stopping_data(reckoned.pooled)} if reckoned.pooled else {}),
        **overall_data(reckoned),
        "rounds": [
            {
                "name": entry.format.in_file(entry.name),
                "rows": [
                    {
                        **rank_data(row),
                        "strategy": row.strategy,
                        "round": number,
                        **figures_of(row, entry.format.measures[:1]),
                        "faults": row.faults,
                    }
                    for number, row in rows
                ],
            }
            for entry, rows in reckoned.over_rounds
        ]
        or None,
    }


def limits_data(reckoned: Standings) -> dict[str, Any]:
    """Return the limits. That of being placed is there if it has kept somebody from that."""
    limits = reckoned.tournament.limits
    anybody = any(row.out is not None for rows in reckoned.games for row in rows)
    return recorded(LIMITS, limits if anybody else replace(limits, placed_within=None))


def rank_data(row: StandingsRow) -> dict[str, Any]:
    """Return the rank of a row, and why it has none, if it is not placed."""
    return {"rank": row.rank, "tied": row.tied, **({} if row.out is None else {"out": "faults"})}


def overall_data(reckoned: Standings) -> dict[str, Any]:
    """Return the table over all games, and the differences there; None for each if there is no such table."""
    if len(reckoned.games) == 1 or reckoned.over_rounds:
        return {"all": None, "all_differences": None}
    verdicts, rows = reckoned.overall_verdicts, reckoned.overall
    pairs = combinations(range(len(rows)), 2)
    return {
        "all": [
            {
                **rank_data(row),
                "strategy": row.strategy,
                **figures_of(row, [SCORE]),
                "likely": likely and list(likely),
                "faults": row.faults,
            }
            for row, likely in zip(rows, verdicts.likely, strict=True)
        ],
        "all_differences": [data for pair in pairs if (data := difference_data(verdicts, verdicts.labels, *pair))],
    }


def figures_of(row: StandingsRow, measures: Sequence[Measure]) -> dict[str, float | None]:
    """Return a row's figures by their names in JSON."""
    data = {}
    for measure in measures:
        figure = row.figures[measure.key]
        data[measure.data] = rounded(figure.value)
        if measure.of_winners:
            low, high = figure.limits or (None, None)
            data |= {f"{measure.error_data}_low": rounded(low), f"{measure.error_data}_high": rounded(high)}
        elif measure.error_data:
            data[measure.error_data] = rounded(figure.error)
    return data


def comparison_data(verdicts: Verdicts, at: int) -> dict[str, Any]:
    """Return how an entrant compares with the others."""
    rating, likely = verdicts.ratings[at], verdicts.likely[at]
    worth = verdicts.placed(verdicts.worths.worth)[at] if verdicts.some else None
    return {
        "likely": likely and list(likely),
        "worth": rounded(worth),
        "ahead": rounded(rating and rating.chance),
        "ahead_error": rounded(rating and rating.error),
    }


def stopping_data(outcome: Outcome) -> dict[str, Any]:
    """Return the result of the stopping rule."""
    rule = outcome.rule
    return {
        "decided": DECIDED.get(outcome.decision),
        "verdict": outcome.decision.value,
        "block": outcome.block,
        **dict(zip(CONTRAST, contrast_figures(rule) if rule else [None] * len(CONTRAST), strict=True)),
    }


def contrast_figures(rule: Contrast | PooledContrast) -> list[float | None]:
    """Return the figures of a contrast. The evidence is cut off near the largest number that there is."""
    mixture, delta = rule.mixture, rule.delta
    low, high = mixture.interval() or (None, None)
    now, most = min(mixture.evidence(delta), 700.0), max(rule.evidence, 0.0)
    counts, share = [mixture.changed, mixture.gained, mixture.lost], mixture.largest_share(delta)
    return [
        *map(rounded, (mixture.mean, low, high)),
        *counts,
        *map(rounded, (share, mixture.effect, exp(now), exp(-most))),
    ]


def origins_data(verdicts: Verdicts) -> dict[str, Any] | None:
    """Return where the difference of two strategies comes from, if the format knows."""
    if not (origins := verdicts.origins):
        return None
    swings = {"gained": origins.gained, "lost": origins.lost}
    return {
        "phases": [
            {"phase": phase, "difference": rounded(each), "share": rounded(share)}
            for phase, each, share in origins.phases
        ],
        **{
            word: [{"deal": f"{verdicts.entry.name}/{each.place}", "gained": each.gained} for each in some]
            for word, some in swings.items()
        },
    }


def differences(rows: Sequence[StandingsRow], verdicts: Verdicts) -> Iterator[dict[str, Any]]:
    """Yield how far each is above each that ranks below it, if they can be compared."""
    labels = verdicts.entry.labels
    for one, other in combinations([labels.index(row.strategy) for row in rows], 2):
        if data := difference_data(verdicts, labels, one, other):
            yield {**data, "hangs_on": verdicts.hanging.get((min(one, other), max(one, other)))}


def difference_data(verdicts: Comparison, labels: Sequence[str], one: int, other: int) -> dict[str, Any] | None:
    """Return how far one is above another; None if they cannot be compared."""
    if not (found := verdicts.between(one, other)):
        return None
    apart = verdicts.are_apart(one, other)
    more = None if apart else verdicts.more_deals(one, other)
    return {
        "one": labels[one],
        "other": labels[other],
        "difference": rounded(found.value),
        "error": rounded(found.error),
        **(limits_at_any_look(found) if found.any_look else {}),
        "p": rounded(found.p),
        "p_holm": rounded(verdicts.adjusted[min(one, other), max(one, other)]),
        "apart": apart,
        "more": more and more[1],
        "looks_once": more is not None,
    }


def limits_at_any_look(found: Difference) -> dict[str, float | None]:
    low, high = found.limits or (None, None)
    return {"low": rounded(low), "high": rounded(high)}


def who(entry: Entry, row: StandingsRow) -> dict[str, Any]:
    at = entry.labels.index(row.strategy)
    strategy, since = entry.strategies[at], entry.since[at]
    return {
        "strategy": row.strategy,
        "name": strategy.name,
        "parameters": dict(strategy.parameters),
        "sha256": strategy.sha256,
        **({"joined": since} if since else {}),
    }


def fault_counts(entry: Entry, label: str, tally: ShardTotals) -> dict[str, int]:
    entrant = entry.labels.index(label)
    return {kind: n for (other, kind), n in sorted(tally.faults.items()) if other == entrant}


def as_csv(reckoned: Standings) -> str:
    """Return a line for each row of each game's table."""
    return in_csv(csv_rows(reckoned))


def csv_rows(reckoned: Standings) -> Iterator[Sequence[Any]]:
    errors = "won", "won_error", "won_low", "won_high", "ahead", "ahead_error"
    yield ["game", "rank", "likely", "strategy", "mean", "error", *errors, "blocks", "faults"]
    for entry, _, rows, verdicts in reckoned:
        for row in rows:
            at = entry.labels.index(row.strategy)
            rating, won = verdicts.ratings[at] or (None, None), row.figures.get("won", Figure(None))
            figures = [row.first.value, row.first.error, won.value, won.error, *(won.limits or (None, None)), *rating]
            start = [entry.name, row.rank, ranks(verdicts.likely[at]), row.strategy]
            yield [*start, *map(rounded, figures), row.blocks, row.faults]
    for row, likely in zip(reckoned.overall, reckoned.overall_verdicts.likely if reckoned.overall else [], strict=True):
        figures = [row.first.value, row.first.error, *[None] * len(errors)]
        yield ["(all)", row.rank, ranks(likely), row.strategy, *map(rounded, figures), "", row.faults]
    for entry, placed in reckoned.over_rounds:
        for _, row in placed:
            figures = [row.first.value, row.first.error, *[None] * len(errors)]
            yield [
                entry.format.in_file(entry.name),
                row.rank,
                "-",
                row.strategy,
                *map(rounded, figures),
                "",
                row.faults,
            ]


def cross_as_csv(reckoned: Standings) -> str:
    """Return a line for each two strategies that are compared."""
    limits = ["low", "high"] if reckoned.tournament.stopping else []
    head = ["game", "one", "other", "difference", "error", *limits, "p", "p_holm", "apart", "more", "hangs_on"]
    lines = [
        {"game": entry.name, **each} for entry, _, rows, verdicts in reckoned for each in differences(rows, verdicts)
    ]
    return in_csv([head, *[[line.get(key) for key in head] for line in lines]])


def in_format(reckoned: Standings, form: str, crossed: bool = False) -> str:
    """Return the standings as `table`, `json`, `csv` or `md`.

    `crossed`: the differences of all pairs, which JSON always has."""
    if form in ("table", "md"):
        return (cross_text if crossed else text_tables)(reckoned, tablefmt="plain" if form == "table" else "github")
    if form == "csv":
        return cross_as_csv(reckoned) if crossed else as_csv(reckoned)
    return json.dumps(as_data(reckoned), indent=1, ensure_ascii=False) + "\n"


def fault_rows(tournament: Tournament, folds: Sequence[EntryTotals]) -> Iterable[dict[str, Any]]:
    """Yield the faults that are recorded in full, in schedule order."""
    for entry, fold in zip(tournament.entries, folds, strict=True):
        for fault in fold.fault_reports():
            own = fault.to_json()
            yield {"strategy": entry.labels[own.pop("entrant")], **own, "again": fault.again}


def results(reckoned: Standings) -> dict[str, bytes]:
    """Return the files of a finished run by name; none for a part. The requested, unrounded amount is not in them."""
    tournament = reckoned.tournament
    if tournament.part:
        return {}
    tournament = replace(tournament, entries=tuple(replace(entry, asked=0) for entry in tournament.entries))
    reckoned = replace(reckoned, tournament=tournament)
    made = {f"standings.{form}": in_format(reckoned, form).encode() for form in ("json", "csv", "md")}
    lines = [json.dumps(fault, ensure_ascii=False) + "\n" for fault in fault_rows(tournament, reckoned.folds)]
    return {**made, "faults.jsonl": "".join(lines).encode()}


def write_results(result: Result, left_out: LeftOut = dict, command: PlayingCommand | None = None) -> None:
    """Write `standings.*`, `faults.jsonl` and `timing.json`; `left_out` returns the machines that could not play.
    `command` has played."""
    for name, data in results(result.reckoned).items():
        if not has_bytes(path := result.folder.path / name, data):
            write_aside(path, data)
    timing = before = result.folder.timing()
    if result.played or not before:
        timing = timing_data(result, left_out())
    if command:
        recorded = recorded_commands(result.folder)
        commands = command.repeating(result.tournament, recorded)
        kept = recorded if recorded and commands and not result.played else commands
        timing = {**timing, "commands": [each.data() for each in kept]}
    if timing != before:
        write_aside(result.folder.path / "timing.json", json.dumps(timing, indent=1).encode() + b"\n")


def timing_data(result: Result, left_out: Mapping[str, str]) -> dict[str, Any]:
    return {
        "seconds": round(result.seconds, 3),
        "processes": result.jobs,
        "played": result.played,
        "host": platform.node(),
        "system": platform.platform(),
        "python": platform.python_version(),
        **({"guests": result.guests} if result.guests else {}),
        **({"left_out": left_out} if left_out else {}),
        "sources": sources_by_entry(result.tournament),
    }
