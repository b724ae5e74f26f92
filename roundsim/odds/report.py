"""Odds for people and programs: tables, json, csv, markdown."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from ..base.text import in_csv, number, so_many
from ..mechanics.hands import RankingAlone, RankingRules
from ..reports.explain import json_text
from ..reports.lines import joined_heading
from ..reports.terminal import indented, text_table
from . import foster as fosters_odds
from .count import Odds
from .foster import DrawEvent, FosterDraw, PrintedOdds

SCHEMA = 1
FIGURES = ("printed", "exact", "count", "verdict")
VERDICTS = "right: as precise as printed; near: within a tenth of the figure that follows."
HEAD = ("class", "hands", "share %", "odds against", "or better", "or better, odds")


def odds_in_format(odds: Odds, ranking: str, rules: RankingAlone, form: str) -> str:
    """Return the odds of a deal or a draw in a format."""
    if form == "json":
        return json_text(odds_data(odds, ranking, rules))
    rows = as_rows(odds)
    if form == "csv":
        return odds_csv(rows)
    cells = [
        [
            row["class"],
            number(row["hands"]),
            f"{100 * row['hands'] / odds.draws:.4f}",
            to_one(odds.against(row["hands"])),
            number(row["or_better"]),
            to_one(odds.against(row["or_better"])),
        ]
        for row in rows
        if row["hands"]
    ]
    return odds_page(form, odds_heading(odds, ranking, rules), HEAD, cells, draw_notes(odds))


def odds_heading(odds: Odds, ranking: str, rules: RankingAlone) -> list[str]:
    """Three cards drawn to 9s 9h from 47 · american ranking · 16 215 hands"""
    drawn = 5 - len(odds.held)
    cards = f"{('no', 'one', 'two', 'three', 'four', 'five')[drawn]} card{'s' * (drawn != 1)}".capitalize()
    what = f"{cards} drawn to {' '.join(odds.held)}" if odds.held else f"{cards} dealt"
    out = f" ({' '.join(odds.out)} {'is' if len(odds.out) == 1 else 'are'} out)" if odds.out else ""
    options = [f"{key} {str(value).lower()}" for key, value in changed_options(rules).items()]
    return [f"{what} from {odds.unseen}{out}", f"{ranking} ranking", so_many(odds.draws, "hand"), *options]


def changed_options(rules: RankingAlone) -> dict[str, Any]:
    """Return the options that are not Foster's, those of the pack last."""
    declared = (*RankingRules.declared, *rules.declared)
    return {
        option.key: getattr(rules, option.key) for option in declared if getattr(rules, option.key) != option.default
    }


def draw_notes(odds: Odds) -> list[str]:
    """Return notes for what the table of a draw does not show."""
    if not odds.held:
        return []
    improves = f"Better than {odds.made}: {number(odds.improved)} of {number(odds.draws)}"
    notes = [improves + (f", {to_one(odds.against(odds.improved))} against." if odds.improved else ".")]
    if not odds.out and len(odds.held) < 5:
        notes.append("Any card that is not held may come; --out names those that are put out or seen.")
    return notes


def as_rows(odds: Odds) -> list[dict[str, Any]]:
    """Return a row for every class of the ranking, also for those that cannot occur."""
    return [
        {
            "class": name,
            "hands": count,
            "odds": decimal(odds.against(count)),
            "or_better": odds.or_better(name),
            "or_better_odds": decimal(odds.against(odds.or_better(name))),
        }
        for name, count in odds.counts.items()
    ]


def odds_data(odds: Odds, ranking: str, rules: RankingAlone) -> dict[str, Any]:
    return {
        "schema": SCHEMA,
        "ranking": ranking,
        "options": changed_options(rules),
        "held": list(odds.held),
        "out": list(odds.out),
        "drawn": 5 - len(odds.held),
        "unseen": odds.unseen,
        "hands": odds.draws,
        "classes": as_rows(odds),
        "made": odds.made,
        "improved": odds.improved,
        "improved_odds": decimal(odds.against(odds.improved)),
    }


def book(form: str) -> str:
    """Return Foster's printed odds next to the true ones: of the deal, and of the draw."""
    deal, draws = list(fosters_odds.of_the_deal()), list(fosters_odds.of_the_draw())
    if form in ("json", "csv"):
        of_deal = [{"hand": hand, **figure_data(figure)} for hand, figure in deal]
        of_draw = [
            {"draw": draw.name, "held": draw.held, "out": draw.out, "event": event.name, **figure_data(figure)}
            for draw, figures in draws
            for event, figure in figures
        ]
        if form == "json":
            return json_text({"schema": SCHEMA, "deal": of_deal, "draw": of_draw})
        dealt = {"draw": "", "held": "", "out": ""}
        return odds_csv([{**dealt, "event": hand, **figure_data(figure)} for hand, figure in deal] + of_draw)
    cells = [[hand, *figure_cells(figure)] for hand, figure in deal]
    of_the_deal = odds_page(form, ["Foster's odds of the deal"], ["hand", *FIGURES], cells, [])
    return f"{of_the_deal}\n{book_of_draws(form, draws)}"


def book_of_draws(form: str, draws: list[tuple[FosterDraw, list[tuple[DrawEvent, PrintedOdds]]]]) -> str:
    """Return Foster's odds of the draw. Each draw is above its events, and in markdown before each of them."""
    title = ["Foster's odds of the draw"]
    rows = [[event.name, *figure_cells(figure)] for _, figures in draws for event, figure in figures]
    names = [f"{draw.name}: {draw.held}, out {draw.out}" for draw, _ in draws]
    if form == "md":
        headings = [name for name, (_, figures) in zip(names, draws, strict=True) for _ in figures]
        rows = [[name, *cells] for name, cells in zip(headings, rows, strict=True)]
        return odds_page(form, title, ["draw", "event", *FIGURES], rows, [VERDICTS])
    lines = iter(odds_page(form, title, ["event", *FIGURES], rows, [VERDICTS]).splitlines())
    grouped = [next(lines) for _ in range(3)]
    for name, (_, figures) in zip(names, draws, strict=True):
        grouped += ["", f" {name}", *[next(lines) for _ in figures]]
    return "\n".join([*grouped, *lines]) + "\n"


def figure_cells(figure: PrintedOdds) -> list[str]:
    half = "½" if figure.rounded.denominator == 2 else ""
    better = f": {number(int(figure.rounded))}{half}" if figure.verdict in ("near", "wrong") else ""
    exact = decimal_text(figure.exact)
    if figure.to > 1:
        exact += f" : {figure.to}"
    if figure.printed.startswith("1 in "):
        exact = f"1 in {exact}"
    printed = number(int(figure.printed)) if figure.printed.isdecimal() else figure.printed
    return [printed, exact, f"{number(figure.hits)} / {number(figure.of)}", figure.verdict + better]


def figure_data(figure: PrintedOdds) -> dict[str, Any]:
    return {
        "printed": figure.printed,
        "hands": figure.hits,
        "of": figure.of,
        "exact": decimal(figure.exact),
        "rounded": decimal(figure.rounded),
        "verdict": figure.verdict,
    }


def decimal(value: Fraction | None) -> float | None:
    return None if value is None else round(float(value), 9)


def decimal_text(value: Fraction) -> str:
    return f"{float(value):,.3f}".replace(",", " ")


def to_one(value: Fraction | None) -> str:
    return "-" if value is None else f"{decimal_text(value)} : 1"


def odds_page(
    form: str, title: Sequence[str], head: Sequence[str], rows: Sequence[Sequence[str]], notes: Sequence[str]
) -> str:
    """Return a heading, a table, and notes below it."""
    tablefmt = "plain" if form == "table" else "github"
    body = text_table([[*zip(head, row, strict=True)] for row in rows], tablefmt)
    top = joined_heading(title) if form == "table" else "## " + " · ".join(title)
    return "\n".join([top, "", indented(body, tablefmt), *[""] * bool(notes), *notes]) + "\n"


def odds_csv(rows: Sequence[dict[str, Any]]) -> str:
    return in_csv([rows[0], *[row.values() for row in rows]])
