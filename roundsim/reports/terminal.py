"""Text reports of a run: a table for each game, and one for all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from ..base.errors import printable
from ..base.text import WIDTH, hundredths, number, ordinal, percent, plain, signed, so_many, with_options
from ..base.version import __version__
from ..statistics.differences import Difference
from ..statistics.distributions import FEW_BLOCKS, LEAST_BLOCKS
from ..statistics.rating import Rating
from ..statistics.stopping import EARLIEST, LARGEST_SHARE
from ..tournament.formats import Measure
from ..tournament.judging.diff import DIGITS
from ..tournament.judging.standings import Figure, Standings, StandingsRow, left_out
from ..tournament.judging.stopping import SCORE
from ..tournament.judging.verdicts import MAX_COMPARED, Comparison, Verdicts
from ..tournament.planning.key_lines import shorten
from ..tournament.planning.parts import Part
from ..tournament.planning.plan import Entry, Tournament
from ..tournament.results.entry_totals import EntryTotals
from ..tournament.results.totals import ShardTotals
from .lines import in_markdown, joined_heading, lines_of, markdown_list, text_width, wrapped_texts
from .stopping_rule import SHOWN, limits_text, origins_text, rule_text, with_limits
from .strength import guide_notes

Cells = list[tuple[str, str]]  # a row of a table: headings, which may occur twice, and cells
ERROR, IF_FIXED = "± 95 %", "± if fixed"  # headings of errors: the second if a rule may stop the run
LEFT_ALIGNED = (  # headings of columns that are aligned to the left
    *("rank", "likely", "strategy", "path", "class", "hand", "draw", "event", "verdict", "sha256", "source"),
    *("family", "games", "run", "entrants", "state", "for", "game", "against", "entry"),
)
LONGEST = 36  # of the words for a source


def missing_shards(n: int) -> str:
    return f"{so_many(n, 'shard')} {'is' if n == 1 else 'are'} not played yet"


def not_whole(part: Part | None, missing: int) -> str:
    """Return why a run is not complete: '3 shards are not played yet', 'part 3 of 8'; '' if it is."""
    return "; ".join([*([part.words] if part else []), *([missing_shards(missing)] if missing else [])])


def table_row(
    row: StandingsRow,
    measures: Sequence[Measure],
    likely: str | None = None,
    rating: Rating | None = None,
    rated: bool = False,
    error: str = ERROR,
) -> Cells:
    """Return a row of a table for people; with `likely`, the likely ranks; if `rated`, with a rating or dashes.

    `error`: the heading of errors."""
    cells = [("rank", row.rank_text()), *([] if likely is None else [("likely", likely)]), ("strategy", row.strategy)]
    for at, measure in enumerate(measures):
        figure = row.figures[measure.key]
        cells.append((measure.column, measure.text(figure.value)))
        if measure.error_shown:
            heading = error.removeprefix("± ") if measure.of_winners else error
            cells.append((heading, error_text(figure, measure)))
        if at == 0 and rated:
            cells += [("ahead", percent(rating and rating.chance)), (error, hundredths(rating and rating.error))]
    return [*cells, ("faults", str(row.faults))]


def error_heading(tournament: Tournament) -> str:
    """Return the heading of the errors of means; they are those of a fixed size."""
    return IF_FIXED if tournament.stopping else ERROR


def error_text(figure: Figure, measure: Measure) -> str:
    """Return 0.210; ~0.210 for one of few blocks; 8.1-17.4 for limits."""
    if figure.limits:
        return "-".join(map(hundredths, figure.limits))
    few = "~" * (figure.error is not None and figure.blocks < FEW_BLOCKS)
    return few + (measure.error_text or measure.text)(figure.error)


def ranks(likely: tuple[int, int] | None) -> str:
    """Return ranks such as "2-3"."""
    return "-" if likely is None else "-".join(map(str, dict.fromkeys(likely)))


def text_table(rows: Sequence[Cells], tablefmt: str = "plain") -> str:
    """Return a table with words to the left and figures to the right."""
    from tabulate import tabulate  # a tenth of what a command that prints no table would have to load

    head = [heading for heading, _ in rows[0]] if rows else []
    align = ["left" if heading in LEFT_ALIGNED else "right" for heading in head]
    cells = [[cell for _, cell in row] for row in rows]
    if tablefmt == "plain":  # tabulate would widen the columns for their headings
        return tabulate([head, *cells], tablefmt=tablefmt, colalign=align, disable_numparse=True)
    if tablefmt != "html":
        cells = [[in_markdown(cell) for cell in row] for row in cells]
    return tabulate(cells, head, tablefmt=tablefmt, colalign=align, disable_numparse=True)


def table_heading(tournament: Tournament, entry: Entry, tally: ShardTotals) -> list[str]:
    """Return Nap · 4 seats · 2 000 deals in 125 blocks of 16 (4 seats x 4 deals) · seed 1891."""
    return [entry_title(entry), *entry.format.heading(entry, tally), f"seed {tournament.seed}"]


def entry_title(entry: Entry) -> str:
    """Return the game, and what distinguishes this entry from others of it.

    That is its own name, else its options, if there is room."""
    name = entry.format.in_file(entry.name)
    if name not in (entry.game, f"{entry.game}.{entry.format.seats}"):
        return f"{entry.deal.title} ({name})"
    if not entry.options:
        return entry.deal.title
    own = entry.format.set_options(entry.deal)
    options = {key: value for key, value in entry.rules.changed().items() if key not in own}
    title = with_options(entry.deal.title, options)
    return title if len(title) <= WIDTH else entry.deal.title


def verified(
    tournament: Tournament,
    folds: Sequence[EntryTotals],
    versions: Sequence[str],
    said: Sequence[str],
    facts: Sequence[tuple[str, str]],
    origins: Sequence[tuple[str, str, str]],
) -> str:
    """Return what was verified: a line of confirmation, the run, and its strategies with sha256 and origin."""
    deals = [fold.tally.deals for fold in folds]
    foreign = "" if __version__ in versions else f"; this is {__version__}"
    games = [f"{entry.name} {number(count)}" for entry, count in zip(tournament.entries, deals, strict=True)]
    about = [
        ("run", f"{tournament.name} · {tournament.format} · seed {tournament.seed}"),
        ("played by", f"roundsim {' and '.join(versions)}{foreign}"),
        ("deals", ", ".join(games)),
        *facts,
    ]
    head = [f"{so_many(sum(deals), 'deal')} {'; '.join(filter(None, said))}", ""]
    lines = lines_of([(label, text) for label, text in about if text])
    rows = indented(text_table(list(source_cells(origins))), "plain")
    return "\n".join(map(printable, [*head, *lines, "", *rows.splitlines()]))


def source_cells(origins: Sequence[tuple[str, str, str]]) -> Iterator[Cells]:
    """Yield a row for each strategy, and a second one if it does not come from one place in all games."""
    shas: dict[tuple[str, str], dict[str, None]] = {}
    for name, sha, text in origins:
        shas.setdefault((name, text), {})[sha] = None
    for (name, text), n in shas.items():
        hashed = next(iter(n))[:DIGITS] if len(n) == 1 else so_many(len(n), "source")
        text = shorten(text, LONGEST)
        strategy = shorten(name, text_width() - len(hashed) - len(text) - 8)
        yield [("strategy", strategy), ("sha256", hashed), ("source", text)]


def table_notes(entry: Entry, tally: ShardTotals, rows: Sequence[StandingsRow]) -> list[str]:
    """Return notes for what the table does not show."""
    lines, played = [], [row.first for row in rows if row.first.mean is not None]
    if len(rows) == 1:
        lines.append("One strategy alone: there is nothing to compare.")
    elif len(rows) > MAX_COMPARED:
        lines.append(f"Over {MAX_COMPARED} strategies: means and their errors only.")
    if any(figure.error is None and figure.blocks < LEAST_BLOCKS for figure in played):
        lines.append(f"Under {LEAST_BLOCKS} blocks there is no error: play more {entry.format.unit}s.")
    elif any(figure.blocks < FEW_BLOCKS for figure in played):
        lines.append(f"~ sat in fewer than {FEW_BLOCKS} blocks: its error may be too small.")
    for label, since in zip(entry.labels, entry.since, strict=True):
        if since:
            lines.append(f"{label} joined after {so_many(since, 'block')}.")
    if 0 < tally.blocks == entry.blocks and len(played) < len(rows):
        lines.append("A strategy without figures has not played: there are fewer blocks than tables it could sit at.")
    return lines


def unplaced_note(tournament: Tournament, rows: Sequence[StandingsRow]) -> list[str]:
    """Return a note that names the strategies that are not placed, with the reason; none if all are placed."""
    limit, out = tournament.limits.placed_within, [row for row in rows if row.out is not None]
    if limit is None or not out:
        return []
    named = "; ".join(f"{row.strategy}, faults in {share_of_deals(row.out)} of its deals" for row in out if row.out)
    allowed = f"{100 * limit:g} % is allowed" if limit else "none is allowed"
    return [f"Not placed: {named} ({allowed})."]


def unplaced_in_one(rows: Sequence[StandingsRow], what: str) -> list[str]:
    """Return a note that names the strategies that are not placed over all games, or all rounds."""
    out = [row.strategy for row in rows if row.out is not None]
    return [f"Not placed, because of faults in a {what}: {', '.join(out)}."] * bool(out)


def share_of_deals(share: Fraction) -> str:
    """Return 12.5 %, at most 100 %; 0.02 % if it is small."""
    return f"{min(100.0, float(100 * share)):.3g} %"


def block_notes(rows: Sequence[StandingsRow], verdicts: Verdicts) -> Iterator[tuple[str, str]]:
    """Yield further findings of the blocks, each with a keyword."""
    labels = verdicts.entry.labels
    at = [labels.index(row.strategy) for row in rows if row.rank is not None]
    yield from difference_note(verdicts, labels, at)
    if pair := verdicts.orders_differ:
        yield (
            "ahead",
            "{1} is more often ahead than {0}, which wins more".format(*(labels[entrant] for entrant in pair)),
        )
    for cycle in verdicts.cycles[:SHOWN]:
        yield "cycle", " over ".join(labels[entrant] for entrant in (*cycle, cycle[0]))
    for effect in verdicts.company[:SHOWN]:
        more = f"{plain(abs(effect.difference))} {'more' if effect.difference > 0 else 'less'}"
        yield "company", f"{labels[effect.entrant]} has {more} where {labels[effect.beside]} sits too"
    if places := [(name, share) for name, share in verdicts.places if share.error is not None]:
        yield "places", ", ".join(f"{name} {within(share.mean, share.error, share.n)}" for name, share in places)
    yield from origins_text(verdicts)
    if extremes := verdicts.extremes:
        yield "extremes", ", ".join(f"{word} {net:+d} {labels[who]} {deal}" for word, who, net, deal in extremes)


def difference_note(verdicts: Comparison, labels: Sequence[str], at: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Yield the differences between the first few and the next, `at` in the order of their ranks, with their keyword.

    If any needs more deals, a note says that they are for one look."""
    neighbours = [*enumerate(pairwise(at), 1)][:SHOWN]
    lines = [text for rank, pair in neighbours if (text := difference(verdicts, *pair, rank))]
    unclear = [pair for _, pair in neighbours if not verdicts.are_apart(*pair) and verdicts.more_deals(*pair)]
    if lines:
        yield "differences", "; ".join(lines)
    if unclear:
        yield "look", look_once(verdicts, labels, *unclear[0])


def look_once(verdicts: Comparison, labels: Sequence[str], one: int, other: int) -> str:
    """Return how to go on where more deals are needed."""
    rule = f"; --until '{labels[one]} - {labels[other]} > 0' may be looked at at any time"
    return "once, when the deals that are needed are played" + rule * verdicts.may_stop


def difference(verdicts: Comparison, one: int, other: int, rank: int) -> str:
    """Return "1st - 2nd +0.278 ± 0.233" for two neighbours in rank; "" if they cannot be compared."""
    if not (difference := verdicts.between(one, other)):
        return ""
    sentence = f"{ordinal(rank)} - {ordinal(rank + 1)} {difference_text(difference)}"
    if verdicts.are_apart(one, other):
        return sentence
    sentence += f": not significant{why_open(difference)}"
    if more := verdicts.more_deals(one, other):
        sentence += f", needs {more[0]} {number(more[1])} more {verdicts.unit}s"
    return sentence


def difference_text(difference: Difference) -> str:
    """Return +0.278 ± 0.233, or +0.278 (+0.021 to +0.603, at any look)."""
    if not difference.any_look:
        return within(difference.value, difference.error, difference.blocks)
    return with_limits(difference.value, difference.limits)


def why_open(difference: Difference) -> str:
    """Return what prevents a decision at any look, apart from limits on both sides of 0; "" if nothing does."""
    if not difference.any_look:
        return ""
    if not difference.limits:
        return f", fewer than {EARLIEST} blocks differ"
    low, high = difference.limits
    return "" if low <= 0 <= high else f", one block has over {percent(LARGEST_SHARE)} of the squares"


def within(value: float, error: float | None, blocks: int) -> str:
    """Return +0.278 ± 0.233; ± ~0.233 for an error of few blocks."""
    return f"{signed(value)} ± {'~' * (error is not None and blocks < FEW_BLOCKS)}{plain(error)}"


def text_tables(standings: Standings, tablefmt: str = "plain") -> str:
    """Return one table for each game, and one for all."""
    mark, parts, tournament = "## " * (tablefmt != "plain"), list[str](), standings.tournament
    for at, (entry, fold, rows, verdicts) in enumerate(standings):
        head = table_heading(tournament, entry, fold.tally)
        cells = game_cells(entry, rows, verdicts, bool(mark), error_heading(tournament))
        body = indented(text_table(list(cells), tablefmt), tablefmt)
        title = mark + in_markdown(" · ".join(head)) if mark else joined_heading(head)
        lines = [*rule_text(standings, at), *block_notes(rows, verdicts)]
        more = markdown_list(lines) if mark else lines_of(lines)
        guides = [] if mark else guide_notes(entry)  # standings.md holds what the log alone gives
        noted = wrapped_texts([*unplaced_note(tournament, rows), *table_notes(entry, fold.tally, rows), *guides], mark)
        parts.append("\n".join([title, "", body, *[""] * bool(mark and noted), *noted, *[""] * bool(more), *more]))
    parts += [table_of_rounds(tournament, *each, mark, tablefmt) for each in standings.over_rounds]
    if len(tournament.entries) > 1 and not standings.over_rounds:
        parts.append(table_of_all(standings, mark, tablefmt))
    return "\n\n".join(parts) + "\n"


def game_cells(
    entry: Entry, rows: Sequence[StandingsRow], verdicts: Verdicts, whole: bool, error: str
) -> Iterator[Cells]:
    """Yield the rows of a game's table; with the ratings, if there are any and it is `whole`."""
    rated = whole and any(verdicts.ratings)
    for row in rows:
        at = entry.labels.index(row.strategy)
        likely = ranks(verdicts.likely[at]) if len(rows) > 1 else None
        yield table_row(row, entry.format.measures, likely, verdicts.ratings[at] if rated else None, rated, error)


def table_of_all(standings: Standings, mark: str, tablefmt: str) -> str:
    entries, rows = standings.tournament.entries, standings.overall
    format = entries[0].format
    title = (
        f"All games · score: {format.scored} in standard deviations of one {format.unit}, every game weighing the same"
    )
    verdicts = standings.overall_verdicts
    likely = map(ranks, verdicts.likely) if len(rows) > 1 else [None] * len(rows)
    error = error_heading(standings.tournament)
    cells = [table_row(row, [SCORE], share, error=error) for row, share in zip(rows, likely, strict=True)]
    body = indented(text_table(cells, tablefmt), tablefmt) if rows else "No strategy played every game."
    without = left_out(entries, rows)
    missing = [f"Not in it, because a game is missing: {', '.join(without)}."] * bool(rows and without)
    ruled = ["A rule may stop each game by itself: nobody is compared over all games."]
    ruled *= bool(standings.tournament.stopping and len(rows) > 1)
    noted = wrapped_texts([*unplaced_in_one(rows, "game"), *missing, *ruled], mark)
    lines = [*difference_note(verdicts, verdicts.labels, range(len(verdicts.labels)))]
    more = markdown_list(lines) if mark else lines_of(lines)
    title_lines = wrapped_texts([mark + title], mark)
    return "\n".join([*title_lines, "", body, *[""] * bool(mark), *noted, *[""] * bool(more), *more])


def table_of_rounds(
    tournament: Tournament, entry: Entry, rows: Sequence[tuple[int, StandingsRow]], mark: str, tablefmt: str
) -> str:
    """Return a table of how far each has come, and its figure there."""
    cells = [table_row(row, entry.format.measures[:1]) for _, row in rows]
    for cell, (count, _) in zip(cells, rows, strict=True):
        cell.insert(2, ("round", str(count)))
    title, size = entry_title(entry), [so_many(seats, "seat")] if (seats := entry.format.seats) else []
    head = [title, f"{entry.format.name} of {len(rows)}", *size, "how far each has come", f"seed {tournament.seed}"]
    title = mark + in_markdown(" · ".join(head)) if mark else joined_heading(head)
    lines = wrapped_texts(unplaced_in_one([row for _, row in rows], "round"), mark)
    return "\n".join([title, "", indented(text_table(cells, tablefmt), tablefmt), *[""] * bool(mark and lines), *lines])


def cross_text(standings: Standings, tablefmt: str = "plain") -> str:
    """Return the differences of all pairs in each game: how far the strategy of a line is above that of a column.

    A star marks a significant difference."""
    mark, parts = "## " * (tablefmt != "plain"), list[str]()
    for entry, fold, rows, verdicts in standings:
        at = [entry.labels.index(row.strategy) for row in rows]
        cells = [
            [
                ("strategy", row.strategy),
                *(
                    (ordinal(rank), "" if one == other else in_cross(verdicts, one, other))
                    for rank, other in enumerate(at, 1)
                ),
            ]
            for row, one in zip(rows, at, strict=True)
        ]
        head = table_heading(standings.tournament, entry, fold.tally)
        title = mark + in_markdown(" · ".join(head)) if mark else joined_heading(head)
        body = [indented(text_table(cells, tablefmt), tablefmt)] * verdicts.some
        any_look = ["The limits hold at any look."] * bool(verdicts.some and standings.tournament.stopping)
        notes = [*any_look, *unplaced_note(standings.tournament, rows), *table_notes(entry, fold.tally, rows)]
        lines = wrapped_texts(notes, mark)
        parts.append("\n".join([title, "", *body, *[""] * bool(mark and body and lines), *lines]))
    return "\n\n".join(parts) + "\n"


def in_cross(verdicts: Verdicts, one: int, other: int) -> str:
    difference = verdicts.between(one, other)
    if not difference:
        return "-"
    star = "*" if verdicts.are_apart(one, other) else " "
    if difference.any_look:
        return f"{signed(difference.value)} ({limits_text(difference.limits) if difference.limits else '-'}){star}"
    return f"{signed(difference.value)} ± {plain(difference.error)}{star}"


def indented(text: str, tablefmt: str) -> str:
    return text if tablefmt != "plain" else "\n".join(f" {line}".rstrip() for line in text.splitlines())
