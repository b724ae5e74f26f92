"""The page of verdicts: one HTML file that loads nothing from elsewhere, made of the parts of `roundsim report`."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from shlex import quote
from typing import Any, NamedTuple

from ..base.errors import LogError, RoundsimError
from ..base.text import number, plain, so_many
from ..replaying.logged import address_in
from ..replaying.report import SIZE
from ..replaying.selection import deals_data
from ..reports.page import geometry
from ..reports.page.packing import Room, ShownDeals, packed_deals
from ..reports.page.render import fig, render
from ..tournament.storage.folder import RunFolder
from ..tournament.storage.writing import write_named
from .chapter import OURS, UNIT
from .report import ORDER, exact, open_reason, value_and_error
from .rows import Row, is_otherwise, verdict_among, verdict_of
from .settle import is_printed
from .verdict import ALIKE, DEPENDS, OPEN, PROGRAM, RIGHT, UNTESTABLE, WRONG, Condition

MARKS = {RIGHT: "✓", WRONG: "✗", ALIKE: "=", DEPENDS: "~", PROGRAM: "≡", OPEN: "?", UNTESTABLE: "–"}
MORE = 2  # digits of an exact number, beyond those of the printed one


class CaseLine(NamedTuple):
    """A claim at a table among a company. `reach`: the path of the limits by which it was judged; `deal`: the address of
    one that shows it, `there`: whether it is in the file; `replay`: the command that shows it; `notes`: further
    figures."""

    among: str
    at: str
    verdict: str
    interval: geometry.Interval | None
    reach: str
    value: str
    error: str
    deals: str
    deal: str
    there: bool
    replay: str
    notes: str


class ExactLine(NamedTuple):
    """An exact number next to the printed one. `verdict`: whether they agree, "" if none is printed."""

    name: str
    value: str
    printed: str
    verdict: str


class ClaimView(NamedTuple):
    """A claim: its rows for all companies together. `left`: what is drawn; `bound`: the path of what it is compared
    with."""

    number: str
    anchor: str
    says: str
    quoted: bool
    source: str
    verdict: str
    tests: str
    true_if: str
    left: str
    unit: str
    printed: str
    axis: geometry.Axis
    bound: str
    cases: Sequence[CaseLine]
    exact: Sequence[ExactLine]


class ChapterView(NamedTuple):
    name: str
    anchor: str
    lead: str
    claims: Sequence[ClaimView]


class OtherwiseLine(NamedTuple):
    """A claim that experts decide otherwise: by company the verdicts."""

    id: str
    anchor: str
    says: str
    verdicts: Mapping[str, str]


class TallyLine(NamedTuple):
    """How many claims there are of an author, or in a chapter, and by verdict."""

    name: str
    anchor: str
    claims: int
    counts: Mapping[str, int]


def write_page(rows: Sequence[Row], path: Path) -> None:
    """Write the page of some verdicts. Raises FolderError if it cannot be written."""
    write_named(path, claims_page(rows).encode())


def claims_page(rows: Sequence[Row]) -> str:
    """Return the page of some verdicts, with the deals that show them if their runs are there."""
    bare = len(page_with(rows, []).encode())
    return page_with(rows, shown_deals(rows, Room(SIZE - bare)))


def page_with(rows: Sequence[Row], shown: Sequence[ShownDeals]) -> str:
    """Return the page with these deals."""
    there = {address for deals in shown for address in deals}
    chapters = chapters_of(rows, there)
    verdicts = Counter(claim.verdict for chapter in chapters for claim in chapter.claims)
    counted = ", ".join(f"{number(verdicts[word])} {word}" for word in ORDER if verdicts[word])
    otherwise = [
        OtherwiseLine(
            row["id"], slug(row["id"]), row["says"], {name: verdict_among(row, name) for name in row["among"]}
        )
        for row in rows
        if is_otherwise(row)
    ]
    return render(
        "claims.html.j2",
        deals=packed_deals(shown) if any(shown) else None,
        title="Claims of the books",
        subtitle=f"{so_many(verdicts.total(), 'claim')}: {counted}" if rows else "no verdicts",
        marks=MARKS,
        words=[word for word in ORDER if verdicts[word]],
        tallies=tallies(rows, chapters),
        otherwise=otherwise,
        chapters=chapters,
    )


def chapters_of(rows: Sequence[Row], there: Collection[str]) -> list[ChapterView]:
    """Return the chapters in the order of the rows. A claim that has several rows is shown once, with all of them."""
    chapters = defaultdict[str, dict[str, list[Row]]](lambda: defaultdict(list))
    for row in rows:
        chapters[row["id"].rpartition("/")[0]][row["id"]].append(row)
    views = list[ChapterView]()
    for name, claims in chapters.items():
        authors = dict.fromkeys(listed[0]["author"] for listed in claims.values())
        lead = " · ".join([*filter(None, authors), so_many(len(claims), "claim")])
        views.append(
            ChapterView(name, f"chapter-{slug(name)}", lead, [claim_view(listed, there) for listed in claims.values()])
        )
    return views


def claim_view(rows: Sequence[Row], there: Collection[str]) -> ClaimView:
    """Return a claim; `rows`: one for each company."""
    row, bound = rows[0], None
    with suppress(ValueError):
        bound = Condition.parse(row["true_if"]).bound
    chapter, _, no = row["id"].rpartition("/")
    cases = [(one, case) for one in rows for case in one["cases"]]
    spans = [geometry.span_of(case["value"], case["error"]) for _, case in cases if case["value"] is not None]
    spans += [] if bound is None else [(bound, bound)]
    axis = geometry.axis_of(spans, sign=row["unit"] == UNIT)
    return ClaimView(
        number=no,
        anchor=f"{slug(chapter)}-{no}",
        says=row["says"],
        quoted=row["author"] != OURS,
        source=", ".join(filter(None, [row["author"], row["page"]])),
        verdict=verdict_of(rows),
        tests=row["tests"],
        true_if=row["true_if"],
        left=re.split("[<>=]", row["true_if"])[0].strip(),
        unit=row["unit"],
        printed=row["printed"] if isinstance(row["printed"], str) and not row["exact"] else "",
        axis=axis,
        bound="" if bound is None else f"M{geometry.short(axis.at(bound))} 0V30",
        cases=[case_line(one, case, axis, there) for one, case in cases],
        exact=[*exact_lines(row)],
    )


def case_line(row: Row, case: Row, axis: geometry.Axis, there: Collection[str]) -> CaseLine:
    value, _, error = value_and_error(row, case).partition(" ± ")
    return CaseLine(
        among=case["among"],
        at=case["at"],
        verdict=case["verdict"],
        interval=None if case["value"] is None else geometry.interval(axis, case["value"], case["error"]),
        reach=reach(axis, case),
        value=value,
        error=error,
        deals=number(case["deals"]),
        deal=case["shows"],
        there=case["shows"] in there,
        replay=f"roundsim replay {quote(case['shows'])}" if case["shows"] else "",
        notes="; ".join(case_notes(case)),
    )


def reach(axis: geometry.Axis, case: Row) -> str:
    """Return a line between the limits by which a case was judged, as far as the axis goes."""
    if case["low"] is None or case["high"] is None:
        return ""
    low, high = (min(100.0, max(0.0, axis.at(limit))) for limit in (case["low"], case["high"]))
    return f"M{geometry.short(low)} 15H{geometry.short(high)}" if low < high else ""


def case_notes(case: Row) -> Iterator[str]:
    """Yield the figures that are compared, and why a case is open."""
    if len(case["figures"]) > 1:
        yield ", ".join(f"{name} {fig(plain(value, 4))}" for name, value in case["figures"].items())
    if case["verdict"] == OPEN:
        yield fig(open_reason(case))


def exact_lines(row: Row) -> Iterator[ExactLine]:
    """Yield the exact numbers of a claim, each in the form of the printed one."""
    printed = {"": row["printed"]} if isinstance(row["printed"], str) else row["printed"]
    for name, text in row["exact"].items():
        value, there = Fraction(text), printed.get(name, "")
        if not there:
            yield ExactLine(name, exact(text), "", "")
        else:
            agrees = is_printed(value, there)
            yield ExactLine(name, like_printed(value, there), there, RIGHT if agrees else WRONG)


def like_printed(value: Fraction, printed: str) -> str:
    """Return a number in the form of a printed one, with more digits: 0.18107 % next to 0.181 %."""
    head, inverse, text = printed.rpartition("1 in ")
    digits = len(text.rstrip("% ").partition(".")[2]) + MORE
    if inverse and value:
        return f"{head}1 in {grouped(1 / value, digits)}"
    if text.endswith("%"):
        return f"{grouped(100 * value, digits)} %"
    return grouped(value, digits)


def grouped(value: Fraction, digits: int) -> str:
    """Return a number with its thousands apart; a whole one without a point."""
    return number(int(value)) if value.denominator == 1 else f"{float(value):,.{digits}f}".replace(",", " ")


def tallies(rows: Sequence[Row], chapters: Sequence[ChapterView]) -> list[tuple[str, list[TallyLine]]]:
    """Return how many claims have each verdict: by author, by chapter, and in all."""
    authors = {row["id"]: row["author"] for row in rows}
    by_author, by_chapter = defaultdict[str, Counter[str]](Counter), list[TallyLine]()
    for chapter in chapters:
        counts = Counter(claim.verdict for claim in chapter.claims)
        by_chapter.append(TallyLine(chapter.name, chapter.anchor, counts.total(), counts))
        for claim in chapter.claims:
            by_author[authors[f"{chapter.name}/{claim.number}"]][claim.verdict] += 1
    total = sum(by_author.values(), Counter[str]())
    return [
        ("by author", [TallyLine(name, "", counts.total(), counts) for name, counts in sorted(by_author.items())]),
        ("by chapter", by_chapter),
        ("", [TallyLine("in all", "", total.total(), total)]),
    ]


def slug(name: str) -> str:
    """Return a name as a part of an anchor."""
    return re.sub(r"[^\w.-]+", "-", name)


def shown_deals(rows: Sequence[Row], room: Room) -> list[ShownDeals]:
    """Return the deals that there is room for, run by run. Their addresses have the run in front: RUN:nap/1/1/1."""
    runs = defaultdict[str, dict[str, None]](dict)
    for shows in filter(None, (case["shows"] for row in rows for case in row["cases"])):
        run, _, address = shows.rpartition(":")
        runs[run][address] = None
    shown = list[ShownDeals]()
    for run, addresses in runs.items():
        deals = deals_of(run, [*addresses])
        shown.append(deals.only([address for address in deals if room.takes(run, address, deals.text(address))]))
    return shown


def deals_of(run: str, addresses: Sequence[str]) -> ShownDeals:
    """Return those deals that are in a run; none if the run is not there."""
    folder, places = RunFolder(Path(run)), list[str]()
    try:
        tournament = folder.tournament()
        for address in addresses:
            with suppress(LogError):  # it can be no deal of this run
                places.append(str(address_in(tournament, address)[0]))
        deals = deals_data(folder, tournament, places)
    except RoundsimError:
        return ShownDeals()
    return ShownDeals(in_run(deals[place], run) for place in places if place in deals)


def in_run(deal: dict[str, Any], run: str) -> dict[str, Any]:
    """Return a deal with the run in its address, and in that of the deal that it plays again."""
    before = {"before": {**there, "addr": f"{run}:{there['addr']}"}} if (there := deal.get("before")) else {}
    return {**deal, "entry": run, "addr": f"{run}:{deal['addr']}", **before}
