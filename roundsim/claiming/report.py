"""Claims for people: a table of a chapter, a claim in full, the tally of all chapters, the errata of a book."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import zip_longest
from pathlib import Path
from textwrap import wrap

from ..base.errors import StrategyError
from ..base.text import WIDTH, number, plain, signed, so_many
from ..reports.lines import in_markdown
from ..sources import plugins
from ..statistics.stopping import EARLIEST
from ..strategy.corrected import Corrected
from .chapter import OURS, UNIT, Chapter
from .rows import Row
from .verdict import ALIKE, DEPENDS, OPEN, PROGRAM, RIGHT, UNTESTABLE, WRONG

WIDTHS = 4, 36, 13, 21  # columns: no, says, verdict, figure
ORDER = RIGHT, WRONG, ALIKE, DEPENDS, PROGRAM, OPEN, UNTESTABLE
EXPERT = "expert"
ERRATA_WIDTHS = 34, 14, 13, 15  # columns: where, the book, better, gain
MOST = 100  # corrections of a table that are shown
RARE = Fraction(1, 200)  # smaller shares are shown as 1 in 649 740


def heading(chapter: Chapter, among: Sequence[str]) -> str:
    """Return the lines above a chapter's table: Loo · Baxter-Wray, "Round Games with Cards", 1891 · among book"""
    title = " · ".join([chapter.game.title, chapter.book, *([f"among {', '.join(among)}"] if among else [])])
    return "\n".join([*wrap(title, WIDTH), "", line(["no", "says", "verdict", "figure"])])


def line(cells: Sequence[str]) -> str:
    """Return a row of the table of claims."""
    return columns([cells[0].rjust(WIDTHS[0]), *cells[1:]], WIDTHS)


def columns(cells: Sequence[str], widths: Sequence[int]) -> str:
    """Return a row of a table; long cells are broken into several lines."""
    broken = [wrap(cell, width) or [""] for cell, width in zip(cells, widths, strict=True)]
    rows = zip_longest(*broken, fillvalue="")
    padded = ["  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)) for row in rows]
    return "\n".join(text.rstrip() for text in padded)


def row_line(row: Row) -> str:
    """Return the line of a claim in its chapter's table."""
    return line([row["id"].rpartition("/")[2], row["says"], row["verdict"], figures(row)])


def figures(row: Row) -> str:
    """Return the figure of a claim: +7.440 ± 0.150; of several cases all of theirs."""
    if row["exact"]:
        return ", ".join(f"{name} {exact(value)}".strip() for name, value in row["exact"].items())
    cases = row["cases"]
    differ = [key for key in ("at", "among") if len({case[key] for case in cases}) > 1]
    return "; ".join(
        " ".join([value_and_error(row, case), *(f"{key} {case[key]}" for key in differ)]) for case in cases
    )


def value_and_error(row: Row, case: Row) -> str:
    """Return the value of a case with its error."""
    if case["value"] is None:
        return "never came up"
    value = signed(case["value"]) if row["unit"] == UNIT else plain(case["value"], 4)
    return value if case["error"] is None else f"{value} ± {plain(case['error'], 3 if row['unit'] == UNIT else 4)}"


def exact(text: str) -> str:
    """Return an exact number for people: 0.1236, 1 in 649 740, 4."""
    value = Fraction(text)
    if value.denominator == 1:
        return number(int(value))
    return f"1 in {number(round(1 / value))}" if 0 < value < RARE else f"{float(value):.4f}"


def in_full(row: Row) -> Iterator[str]:
    """Yield the lines of one claim, whose deals are named from here."""
    page = " ".join([row["author"], row["page"]]).strip()
    says = row["says"] if row["author"] == OURS else f'"{row["says"]}"'
    first, *others = wrap(says, WIDTH - len(page) - 2)
    yield f"{first:<{WIDTH - len(page)}}{page}"
    yield from others
    if row["tests"]:
        yield from wrap(row["tests"], WIDTH, initial_indent="  ", subsequent_indent="  ")
    if row["printed"]:
        printed = row["printed"]
        yield f"  printed       {printed if isinstance(printed, str) else ', '.join(map(' '.join, printed.items()))}"
    if row["true_if"]:
        yield f"  true if       {row['true_if']}"
    for name, value in row["exact"].items():
        yield f"  {name or 'exactly':<12}  {exact(value)}"
    for case in row["cases"]:
        yield f"  {case['at']}, among {case['among']}: {case['verdict']}"
        yield f"    {value_and_error(row, case)} {row['unit']}, in {so_many(case['deals'], 'deal')}"
        yield "    " + ", ".join(f"{name} {plain(value, 4)}" for name, value in case["figures"].items())
        if case["verdict"] == OPEN:
            yield f"    {open_reason(case)}"
        if case["shows"]:
            yield f"    a deal of it  roundsim replay {case['shows']}"
    yield f"  verdict       {row['verdict']}"
    if any(case["shows"] and not Path(case["shows"].rpartition(":")[0]).exists() for case in row["cases"]):
        yield f"  the verdict came with roundsim; roundsim claims {row['id']} --again plays the deals"


def open_reason(case: Row) -> str:
    """Return why a case is open, and how many deals would probably decide it if the value of these is the true one."""
    if case["low"] is not None and case["high"] is not None:
        more = f"some {number(case['needs'])} deals would" if case["needs"] else "more deals may"
        return f"surely between {plain(case['low'])} and {plain(case['high'])}; {more} decide it"
    if case["n"] < EARLIEST:
        return f"it came up {so_many(case['n'], 'time')}: too rarely to be decided"
    return "too few deals differ to decide it"


def tally(rows: Iterable[tuple[str, Row | None]]) -> Iterator[str]:
    """Yield a line for each chapter with its verdicts, and one for all. `rows`: the chapter and the row of each claim,
    None if it was not tested."""
    chapters = defaultdict[str, Counter[str]](Counter)
    for chapter, row in rows:
        chapters[chapter][row["verdict"] if row else "not tested"] += 1
    total = sum(chapters.values(), Counter[str]())
    used = [verdict for verdict in (*ORDER, "not tested") if total[verdict]]
    wide = max(map(len, ["chapter", *chapters]))
    yield "  ".join([f"{'chapter':<{wide}}", "claims", *used])
    for name, counts in [*chapters.items(), ("in all", total)]:
        cells = [f"{counts[verdict] or '-':>{len(verdict)}}" for verdict in used]
        yield "  ".join([f"{name:<{wide}}", f"{counts.total():>6}", *cells])


def chapters_in_markdown(rows: Sequence[Row]) -> str:
    """Return a table of Markdown for each chapter."""
    lines, chapter = list[str](), ""
    for row in rows:
        name, _, number = row["id"].rpartition("/")
        if name != chapter:
            lines += [
                "",
                f"## {name}",
                "",
                "| no | says | page | verdict | figure |",
                "| ---: | --- | --- | --- | --- |",
            ]
            chapter = name
        page = " ".join([row["author"], row["page"]]).strip()
        lines.append(f"| {' | '.join(map(in_markdown, [number, row['says'], page, row['verdict'], figures(row)]))} |")
    return "\n".join(lines[1:]) + "\n"


def errata(chapter: Chapter, most: int = MOST) -> Iterator[str]:
    """Yield the lines of a chapter, a table for each number of seats; none if no expert has corrections. `most`: the
    corrections of each that are shown.

    Raises PluginError if the expert cannot be loaded."""
    expert = None
    with suppress(StrategyError):
        (source,) = plugins.find(EXPERT, chapter.game.id)
        expert = plugins.load_strategy(source)
    if not (isinstance(expert, type) and issubclass(expert, Corrected)):
        return
    for seats, corrections in expert.table.items():
        if not corrections:
            continue
        heading = f"{chapter.game.title}, {seats} seats · {chapter.author} {expert.pages}"
        yield from ["", *wrap(heading, WIDTH), "", columns(["where", "the book", "better", "gain"], ERRATA_WIDTHS)]
        for kind, correction in [*corrections.items()][:most]:
            gain = f"{correction.gain:+.2f} ± {correction.error:.2f}"
            yield columns([kind, correction.instead.removeprefix("book: "), correction.answer, gain], ERRATA_WIDTHS)
        if (rest := len(corrections) - most) > 0:
            yield f"and {number(rest)} more, in the corrections of strategy {source.name}"
