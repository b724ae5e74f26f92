"""The site of a league: pages that need no server and no script, data, and a feed. All of it follows from the rounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import NamedTuple
from uuid import NAMESPACE_URL, UUID, uuid5

from ..base.errors import FolderError, printable
from ..base.text import number, plain, signed, so_many
from ..processes import pool
from ..processes.start import cores
from ..replaying.report import render_run_page
from ..reports.explain import json_text
from ..reports.page.curves import WIDE, AxisScale, Frame, Mark, apart, clipped, margin
from ..reports.page.geometry import Axis, Interval, axis_of, interval, off_scale, polyline, span_of
from ..reports.page.render import fig, render, templates
from ..reports.terminal import ranks
from ..tournament.storage.writing import make_folders, write_aside
from .report import anchor, history_data, league_data, moment_worths, moved, unplaced_text
from .results import OVER_ALL, League, LeagueMember, Line, StandingsTable
from .rounds import RoundFolder
from .standings import FaultLine, Version

HEIGHT, FOOT = 300.0, 26.0  # of the curves, in pixels
COSTLIEST = 5  # deals that the page of an entry lists
REPORTED = 20  # newest rounds that have a page of their own
LABELLED = 20  # members whose curves have a name


class SiteText(NamedTuple):
    """Texts of every page: the title of the league, its anchor, and the way to its first page."""

    title: str
    anchor: str
    home: str = ""


class SiteLine(NamedTuple):
    """A row of the standings as it is shown. `page`: of its entry, "" for a strategy of the house."""

    rank: str
    likely: str
    member: LeagueMember
    page: str
    worth: str
    error: str
    interval: Interval | None
    blocks: str
    moved: str


class Curve(NamedTuple):
    """The worth of a member after each round: a line, the height of its end, and its label there."""

    line: str
    end: float
    label: Mark
    number: int


class Chart(NamedTuple):
    frame: Frame
    curves: Sequence[Curve]
    text: str


class SiteTable(NamedTuple):
    """The standings of a game: rows, the members that are ahead at any look, and curves."""

    title: str
    unit: str
    lines: Sequence[SiteLine]
    axis: Axis
    off: bool
    sure: Sequence[str]
    chart: Chart | None
    notes: Sequence[str]


class VersionLine(NamedTuple):
    """A version of an entry: its number, its sha256, its rounds, and its worth in each table, by all rounds."""

    number: int
    sha256: str
    rounds: str
    worths: Sequence[tuple[str, str, str, int]]


def write_site(league: League) -> Path:
    """Write the site of a league into its folder, in the place of an older one, and return its first page.

    LogError if a round is damaged; FolderError."""
    site, pages = league.folder / "site", dict(pages_of(league))
    kept = {round_page(folder) for folder in league.finished[-REPORTED:]}
    try:
        missing = [folder for folder in league.finished[-REPORTED:] if not (site / round_page(folder)).exists()]
        rendered = partial(rendered_round, league.rules.title)
        pages |= pool.each(rendered, missing, min(cores(), len(missing)))
        make_folders(site / "entries", site / "rounds")
        for old in [path for path in site.rglob("*") if path.is_file()]:
            name = old.relative_to(site).as_posix()
            if name not in pages and name not in kept:
                old.unlink()
    except OSError as error:
        raise FolderError(f"cannot write {site}: {error.strerror}") from None
    for name, text in pages.items():
        write_aside(site / name, text.encode(), sync=False)
    return site / "index.html"


def round_page(folder: RoundFolder) -> str:
    return f"rounds/{folder.path.name}.html"


def rendered_round(title: str, folder: RoundFolder) -> tuple[str, str]:
    """Return the name and the text of the page of a round, with the title of the league. LogError."""
    heading = f"{title} · round {folder.record.number}"
    return round_page(folder), render_run_page(folder.run, name=f"rounds/{folder.path.name}/run", title=heading)[0]


def pages_of(league: League) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each page and file, but those of single rounds."""
    tables = [table_shown(league, table) for table in league.tables]
    about = SiteText(league.rules.title, anchor(league))
    left_out = league.finished[-1].record.left_out if league.finished else ()
    yield (
        "index.html",
        render(
            "league.html.j2",
            site=about,
            subtitle=" · ".join(subtitle_parts(league)),
            title=league.rules.title,
            tables=tables,
            left_out=left_out,
            events=[(league.finished[at].record, texts) for at, texts in reversed(league.events.items())],
            listed=[*listed_rounds(league)],
        ),
    )
    met = {table.title: meetings(table) for table in league.tables}
    for name in league.versions:
        yield f"entries/{name}.html", entry_page(league, name, about._replace(home="../"), met)
    last = league.finished[-1] if league.finished else None
    yield "verify.html", render("league_verify.html.j2", title="How to verify", last=last, site=about)
    yield "standings.json", json_text(league_data(league))
    yield "history.json", json_text(history_data(league))
    yield "feed.xml", feed(league)


def subtitle_parts(league: League) -> Iterator[str]:
    entries = [game.entry for game in league.games]
    yield ", ".join(f"{entry.deal.title}, {entry.format.table_size(entry.deal)} at the table" for entry in entries)
    yield f"{so_many(len(league.finished), 'round')} of {number(league.rules.deals)} deals"


def table_shown(league: League, table: StandingsTable) -> SiteTable:
    spans = [span_of(line.worth, line.error) for line in table.lines if line.worth is not None and line.rank]
    off = off_scale(spans)
    axis = axis_of([*spans[: len(spans) - off], (0.0, 0.0)])
    lines = [line_shown(league, line, axis) for line in table.lines]
    unit = "standard deviations of a deal" if table.title == OVER_ALL else "counters a deal"
    notes = [unplaced_text(table)] * bool(table.unplaced) + [table.drifts] * bool(table.drifts)
    behind = {one: [other.title for ahead, other in table.sure if ahead == one] for one, _ in table.sure}
    sure = [f"{one.title} is ahead of {', '.join(others)}" for one, others in behind.items()]
    return SiteTable(table.title, unit, lines, axis, off > 0, sure, chart_of(league, table, axis), notes)


def line_shown(league: League, line: Line, axis: Axis) -> SiteLine:
    member, ranked = line.member, line.rank is not None
    drawn = interval(axis, line.worth, line.error) if line.worth is not None else None
    blocks = number(line.blocks) if ranked else f"{line.blocks} of {league.rules.least}"
    page = "" if member.version is None else f"entries/{member.name}.html"
    return SiteLine(
        str(line.rank) if ranked else "new",
        fig(ranks(line.likely)),
        member,
        page,
        fig(signed(line.worth)),
        plain(line.error),
        drawn,
        blocks,
        moved(line),
    )


def meetings(table: StandingsTable) -> Counter[frozenset[int]]:
    """Return how many blocks each two players of a game have sat in together; nothing over all games."""
    together = Counter[frozenset[int]]()
    for blocks in table.game.tables() if table.game else ():
        for column, others in combinations(blocks.entrants, 2):
            together.update(map(frozenset[int], zip(column, others, strict=True)))
    return together


def chart_of(league: League, table: StandingsTable, axis: Axis) -> Chart | None:
    """Return the curves of the entries that take part now and are on the scale of the standings."""
    moments = [*moment_worths(league, table)]
    shown = [line.member for line in table.lines if line.worth is not None and axis.low <= line.worth <= axis.high]
    names = [member.name for member in shown if member.version is not None][:LABELLED]
    points = {
        name: [(moment.number, moment.worths[name]) for moment in moments if name in moment.worths] for name in names
    }
    if len(moments) < 2 or not points:
        return None
    worths = [worth for own in points.values() for _, worth in own]
    x = AxisScale(moments[0].number, moments[-1].number, 0.0, WIDE)
    y = AxisScale(min(axis.low, *worths), max(axis.high, *worths), HEIGHT - FOOT, 0.0)
    ends = {name: y(own[-1][1]) for name, own in points.items()}
    places = dict(zip(ends, apart([*ends.values()], 0.0, HEIGHT - FOOT), strict=True))
    across = [Mark(x(moment), number(moment)) for moment in (moments[0].number, moments[-1].number)]
    curves = [
        Curve(polyline([(x(at), y(worth)) for at, worth in own]), ends[name], Mark(places[name], clipped(name)), at_all)
        for at_all, (name, own) in enumerate(points.items())
    ]
    best = max(points, key=lambda name: points[name][-1][1])
    text = f"Worth after each round; {best} is highest at the end, {signed(points[best][-1][1])}."
    return Chart(Frame(HEIGHT, x, y, across, y.marks(5, True), 2, margin(names)), curves, text)


def listed_rounds(league: League) -> Iterator[tuple[RoundFolder, str]]:
    """Yield the rounds, the newest first, with the page of each, "" if it has none."""
    for back, folder in enumerate(reversed(league.finished)):
        yield folder, round_page(folder) if back < REPORTED else ""


def entry_page(league: League, name: str, about: SiteText, met: Mapping[str, Counter[frozenset[int]]]) -> str:
    """Return the page of an entry: its versions, how it stands against each other member, and how it is left out.
    `met`: by table, how many blocks two players have sat in together."""
    versions = [version_line(league, at, sha) for at, sha in enumerate(league.versions[name], 1)]
    against = [
        (table.title, [*rows_against(table, name, met[table.title])])
        for table in league.tables
        if any(one.name == name for one in table.members)
    ]
    faults, costly = [*faults_of(league, name)], costly_deals(league, name)
    effects = [company_text(*effect) for table in league.tables for effect in table.company if effect[0].name == name]
    out = [
        (folder.record.number, one.reason)
        for folder in league.finished
        for one in folder.record.left_out
        if one.name == name
    ]
    return render(
        "league_entry.html.j2",
        title=name,
        versions=versions,
        against=against,
        costly=costly,
        effects=effects,
        faults=faults,
        out=out[-REPORTED:],
        site=about,
    )


def costly_deals(league: League, name: str) -> list[tuple[int, str]]:
    """Return the net and the address of the costliest deals of the current version, of one a round."""
    player = Version("", league.versions[name][-1])
    deals = sorted(deal for game in league.games for deal in game.worst[player])[:COSTLIEST]
    return [(net, f"rounds/{league.finished[at].path.name}/run:{address}") for net, at, address in deals]


def company_text(one: LeagueMember, other: LeagueMember, size: float) -> str:
    more = f"{plain(abs(size))} {'more' if size > 0 else 'less'}"
    return f"{one.name} has {more} with {other.name} at the table than the worth of both predicts."


def faults_of(league: League, name: str) -> Iterator[tuple[str, int, FaultLine]]:
    """Yield the faults of an entry in its newest rounds: the folder of the round, the version, and each kind of fault."""
    for version, sha in enumerate(league.versions[name], 1):
        for game in league.games:
            for at, line in game.fault_lines[Version("", sha)]:
                if at >= len(league.finished) - REPORTED:
                    yield league.finished[at].path.name, version, line


def version_line(league: League, at: int, sha: str) -> VersionLine:
    player = Version("", sha)
    rounds = league.played.get(sha)
    worths = []
    for table in league.tables:
        if table.game and (number_there := table.game.number(player)) is not None:
            gap = table.gap_to_anchor(player)
            blocks = table.game.blocks[number_there]
            worths.append((table.title, fig(signed(gap and gap.value)), plain(gap and gap.error), blocks))
    span = "-".join(map(str, dict.fromkeys([rounds[0], rounds[-1]]))) if rounds else "-"
    return VersionLine(at, sha, fig(span), worths)


def rows_against(
    table: StandingsTable, name: str, met: Mapping[frozenset[int], int]
) -> Iterator[tuple[LeagueMember, str, str, str, str]]:
    """Yield how far a member is above each other one, whether that is significant over all pairs, and in how many blocks
    both sat."""
    mine = next(at for at, one in enumerate(table.members) if one.name == name)
    numbers = [table.game.number(one.player) if table.game else None for one in table.members]
    for at, other in enumerate(table.members):
        if at != mine and (gap := table.compared.between(mine, at)):
            apart_now = table.compared.are_apart(mine, at)
            verdict = ("ahead" if gap.value > 0 else "behind") if apart_now else "not significant"
            blocks = met[frozenset(who for who in (numbers[mine], numbers[at]) if who is not None)]
            yield other, fig(signed(gap.value)), plain(gap.error), verdict, number(blocks) if table.game else "-"


def feed(league: League) -> str:
    """Return an Atom feed with an item for each round, which its seed identifies."""
    items = [
        (folder.record, UUID(folder.record.seed), league.events.get(at, []))
        for at, folder in reversed([*enumerate(league.finished)])
    ]
    title = printable(league.rules.title)  # XML allows no control characters
    own = uuid5(items[-1][1] if items else NAMESPACE_URL, title)
    updated = max((record.drawn for record, _, _ in items), default="1970-01-01T00:00:00Z")
    feed_template = templates().get_template("league_feed.xml.j2")
    return feed_template.render(title=title, own=own, updated=updated, items=items)
