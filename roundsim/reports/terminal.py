"""Text reports of a run: a table for each game, and one for all."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import exp, log
from textwrap import wrap

from tabulate import tabulate

from .._version import __version__
from ..errors import printable
from ..statistics.differences import Difference, Limits
from ..statistics.distributions import FEW_BLOCKS, LEAST_BLOCKS
from ..statistics.planning import two_digits
from ..statistics.rating import Rating
from ..statistics.stopping import EARLIEST, LARGEST_SHARE, Decision, Mixture
from ..tournament.formats import Measure
from ..tournament.judging.diff import DIGITS
from ..tournament.judging.standings import Figure, Standings, StandingsRow, left_out
from ..tournament.judging.stopping import SCORE, Outcome, verdict
from ..tournament.judging.verdicts import MAX_COMPARED, Comparison, Verdicts
from ..tournament.planning.key_lines import shorten
from ..tournament.planning.parts import Part
from ..tournament.planning.plan import Entry, Tournament
from ..tournament.planning.stopping_rule import Contrast, PooledContrast
from ..tournament.results.entry_totals import EntryTotals
from ..tournament.results.totals import ShardTotals
from ..words import WIDTH, hundredths, number, ordinal, percent, plain, signed, so_many, with_options

Cells = list[tuple[str, str]]  # a row of a table: headings, which may occur twice, and cells
SHOWN = 3  # differences between neighbours; the others are in `standings --cross`
ERROR, IF_FIXED = "± 95 %", "± if fixed"  # headings of errors: the second if a rule may stop the run
LABEL = 14  # columns before the text of a line
WORDS = (  # headings of columns that are aligned to the left
    *("rank", "likely", "strategy", "path", "class", "hand", "draw", "event", "verdict", "sha256", "source"),
    *("family", "games"),
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
    head = [heading for heading, _ in rows[0]] if rows else []
    align = ["left" if heading in WORDS else "right" for heading in head]
    cells = [[cell for _, cell in row] for row in rows]
    if tablefmt == "plain":  # tabulate would widen the columns for their headings
        return tabulate([head, *cells], tablefmt=tablefmt, colalign=align, disable_numparse=True)
    if tablefmt != "html":
        cells = [[in_markdown(cell) for cell in row] for row in cells]
    return tabulate(cells, head, tablefmt=tablefmt, colalign=align, disable_numparse=True)


def in_markdown(text: str) -> str:
    """Escape a text so that Markdown takes no part of it for code, an element, or the end of a cell."""
    return re.sub(r"[\\`|<]", r"\\\g<0>", text)


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
    lines = lines_of([(label, words) for label, words in about if words])
    rows = indented(text_table(list(source_cells(origins))), "plain")
    return "\n".join(map(printable, [*head, *lines, "", *rows.splitlines()]))


def source_cells(origins: Sequence[tuple[str, str, str]]) -> Iterator[Cells]:
    """Yield a row for each strategy, and a second one if it does not come from one place in all games."""
    shas: dict[tuple[str, str], dict[str, None]] = {}
    for name, sha, words in origins:
        shas.setdefault((name, words), {})[sha] = None
    for (name, words), each in shas.items():
        hashed = next(iter(each))[:DIGITS] if len(each) == 1 else so_many(len(each), "source")
        words = shorten(words, LONGEST)
        strategy = shorten(name, WIDTH - len(hashed) - len(words) - 8)
        yield [("strategy", strategy), ("sha256", hashed), ("source", words)]


def joined_heading(parts: Sequence[str]) -> str:
    """Return the parts of a heading, on as many lines as they need."""
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + len(part) + 3 <= WIDTH:
            lines[-1] += f" · {part}"
        else:
            lines.append(f"  {part}")
    return "\n".join(lines)


def table_notes(entry: Entry, tally: ShardTotals, rows: Sequence[StandingsRow]) -> list[str]:
    """Return notes for what the table does not show."""
    said, played = [], [row.first for row in rows if row.first.mean is not None]
    if len(rows) == 1:
        said.append("One strategy alone: there is nothing to compare.")
    elif len(rows) > MAX_COMPARED:
        said.append(f"Over {MAX_COMPARED} strategies: means and their errors only.")
    if any(figure.error is None and figure.blocks < LEAST_BLOCKS for figure in played):
        said.append(f"Under {LEAST_BLOCKS} blocks there is no error: play more {entry.format.unit}s.")
    elif any(figure.blocks < FEW_BLOCKS for figure in played):
        said.append(f"~ under {FEW_BLOCKS} blocks errors may be too small: play more {entry.format.unit}s.")
    for label, since in zip(entry.labels, entry.since, strict=True):
        if since:
            said.append(f"{label} joined after {so_many(since, 'block')}.")
    if 0 < tally.blocks == entry.blocks and len(played) < len(rows):
        said.append("A strategy without figures has not played: there are fewer blocks than tables it could sit at.")
    return said


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
        yield "ahead", "{1} is more often ahead than {0}, which wins more".format(*(labels[each] for each in pair))
    for cycle in verdicts.cycles[:SHOWN]:
        yield "cycle", " over ".join(labels[each] for each in (*cycle, cycle[0]))
    for each in verdicts.company[:SHOWN]:
        more = f"{plain(abs(each.difference))} {'more' if each.difference > 0 else 'less'}"
        yield "company", f"{labels[each.entrant]} has {more} where {labels[each.beside]} sits too"
    if places := [(name, each) for name, each in verdicts.places if each.error is not None]:
        yield "places", ", ".join(f"{name} {within(each.mean, each.error, each.n)}" for name, each in places)
    yield from origins_text(verdicts)
    if extremes := verdicts.extremes:
        yield "extremes", ", ".join(f"{word} {net:+d} {labels[who]} {deal}" for word, who, net, deal in extremes)


def origins_text(verdicts: Verdicts) -> Iterator[tuple[str, str]]:
    """Yield where a difference comes from, if the format knows: phases, and the deals that gained and lost most."""
    if origins := verdicts.origins:
        name = verdicts.entry.name
        if origins.phases:
            said = [f"{phase} {signed(each)} in {percent(share)}" for phase, each, share in origins.phases]
            yield "where", ", ".join(said)
        for word, swings in ("most gained", origins.gained), ("most lost", origins.lost):
            if swings:
                yield word, ", ".join(f"{each.gained:+d} {name}/{each.place}" for each in swings[:SHOWN])


def difference_note(verdicts: Comparison, labels: Sequence[str], at: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Yield the differences between the first few and the next, `at` in the order of their ranks, with their keyword.

    If any needs more deals, a hint says that they are for one look."""
    neighbours = [*enumerate(pairwise(at), 1)][:SHOWN]
    said = [words for rank, pair in neighbours if (words := difference(verdicts, *pair, rank))]
    unclear = [pair for _, pair in neighbours if not verdicts.are_apart(*pair) and verdicts.more_deals(*pair)]
    if unclear:
        said[-1] += f"; {look_once(verdicts, labels, *unclear[0])}"
    if said:
        yield "differences", "; ".join(said)


def look_once(verdicts: Comparison, labels: Sequence[str], one: int, other: int) -> str:
    """Return how to go on where more deals are needed."""
    rule = f", or --until '{labels[one]} - {labels[other]} > 0', which may be looked at at any time"
    return "look once then" + rule * verdicts.may_stop


def difference(verdicts: Comparison, one: int, other: int, rank: int) -> str:
    """Return "1st - 2nd +0.278 ± 0.233" for two neighbours in rank; "" if they cannot be compared."""
    if not (found := verdicts.between(one, other)):
        return ""
    words = f"{ordinal(rank)} - {ordinal(rank + 1)} {difference_text(found)}"
    if verdicts.are_apart(one, other):
        return words
    words += f": not significant{why_open(found)}"
    if more := verdicts.more_deals(one, other):
        words += f", needs {more[0]} {number(more[1])} more {verdicts.unit}s"
    return words


def difference_text(found: Difference) -> str:
    """Return +0.278 ± 0.233, or +0.278 (+0.021 to +0.603, at any look)."""
    if not found.any_look:
        return within(found.value, found.error, found.blocks)
    return with_limits(found.value, found.limits)


def at_any_look(mixture: Mixture, unit: str = "") -> str:
    """Return the mean of a mixture, such as +0.312 counters a deal (+0.021 to +0.603, at any look); "" if it is empty."""
    return "" if mixture.mean is None else with_limits(mixture.mean, mixture.interval(), unit)


def with_limits(value: float, limits: Limits | None, unit: str = "") -> str:
    """Return +0.312 counters a deal (+0.021 to +0.603, at any look)."""
    both = f"({limits_text(limits)}, at any look)" if limits else ""
    return " ".join(filter(None, [signed(value), unit, both]))


def limits_text(limits: Limits) -> str:
    """Return +0.021 to +0.603."""
    return " to ".join(map(signed, limits))


def why_open(found: Difference) -> str:
    """Return what prevents a decision at any look, apart from limits on both sides of 0; "" if nothing does."""
    if not found.any_look:
        return ""
    if not found.limits:
        return f", fewer than {EARLIEST} blocks differ"
    low, high = found.limits
    return "" if low <= 0 <= high else f", one block has over {percent(LARGEST_SHARE)} of the squares"


def within(value: float, error: float | None, blocks: int) -> str:
    """Return +0.278 ± 0.233; ± ~0.233 for an error of few blocks."""
    return f"{signed(value)} ± {'~' * (error is not None and blocks < FEW_BLOCKS)}{plain(error)}"


def lines_of(said: Sequence[tuple[str, str]]) -> list[str]:
    """Return the findings of the blocks, as lines below a table."""
    return [line for label, words in said for line in broken(f" {label:<{LABEL - 1}}{words}", LABEL)]


def markdown_list(said: Sequence[tuple[str, str]]) -> list[str]:
    """Return the same in markdown."""
    return [f"* {label}: {in_markdown(words)}" for label, words in said]


def broken(text: str, indent: int) -> list[str]:
    """Break a text into lines, but not within a number, nor at a minus or a ±."""
    whole = re.sub(r"(?<=\d) (?=\d{3})| (?=[±-] )|(?<= [±-]) ", "\N{NO-BREAK SPACE}", text)
    lines = wrap(whole, WIDTH, subsequent_indent=" " * indent, break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def wrapped_texts(texts: Sequence[str], mark: str) -> list[str]:
    """Return texts on as many lines as they need; in markdown on one each."""
    return [*map(in_markdown, texts)] if mark else [line for text in texts for line in broken(text, 2)]


def stopped(entry: Entry, outcome: Outcome) -> str:
    """Return +0.312 counters a deal (+0.021 to +0.603, at any look), after 1 408 of 20 000 deals (block 88)."""
    if outcome.rule and outcome.rule.same:
        return f"the same source and parameters{'' if outcome.block else ': nothing is played'}"
    units = entry.format.units(entry)
    block = f" (block {number(outcome.block)})" if entry.format.by_deals else ""
    most = so_many(entry.cap * units, entry.format.unit)
    return f"{gain_text(outcome)}after {number(outcome.block * units)} of {most}{block}"


def stopped_over_all(reckoned: Standings, outcome: Outcome) -> str:
    """Return +0.112 in score (+0.021 to +0.203, at any look), after 214 of 2 000 blocks of each game."""
    if outcome.rule and outcome.rule.same:
        return "the same source and parameters: nothing is played"
    most = so_many(min(entry.cap for entry in reckoned.tournament.entries), "block")
    return f"{gain_text(outcome)}after {number(outcome.block)} of {most} of each game"


def gain_text(outcome: Outcome) -> str:
    """Return +0.312 counters a deal (+0.021 to +0.603, at any look), with a comma; "" if there is none."""
    found = at_any_look(outcome.rule.mixture, outcome.measure.gain) if outcome.rule else ""
    return f"{found}, " if found else ""


def contrast_text(outcome: Outcome) -> Iterator[tuple[str, str]]:
    """Yield what a contrast of two strategies says about single blocks, and why it is undecided, if it is."""
    rule = outcome.rule
    if rule is None or not rule.mixture.blocks:
        return
    mixture, blocks = rule.mixture, rule.mixture.blocks
    shares = (blocks - mixture.changed, "alike"), (mixture.gained, "gained"), (mixture.lost, "lost")
    yield "blocks", ", ".join(f"{percent(n / blocks)} {word}" for n, word in shares)
    if evidence := evidence_text(rule):
        yield "evidence", evidence
    if rule.are_alike:
        bound = number(blocks // 3)
        yield "alike", f"in all of {so_many(blocks, 'block')}: otherwise in fewer than 1 of {bound} (95 %)"
    elif outcome.decision is Decision.UNDECIDED:
        yield from (("undecided", reason) for reason in lacking(rule))


def evidence_text(rule: Contrast | PooledContrast) -> str:
    """Return 12 of 20 for better; "" if there is none."""
    found, enough = rule.mixture.evidence(rule.delta), 1 / rule.mixture.alpha_against(rule.delta)
    if found <= 0:
        return ""
    side = Decision.BETTER if (rule.mixture.mean or 0.0) > rule.delta else Decision.WORSE
    return f"{number(round(exp(min(found, log(enough)))))} of {number(round(enough))} for {side.value}"


def lacking(rule: Contrast | PooledContrast) -> Iterator[str]:
    """Yield the reason why a contrast is undecided."""
    mixture, share = rule.mixture, rule.mixture.largest_share(rule.delta)
    if mixture.changed < EARLIEST:
        more = (EARLIEST - mixture.changed) * mixture.blocks / (mixture.changed or 1)
        words = f": about {so_many(two_digits(more), 'more block')}" if mixture.changed else ""
        yield f"{number(mixture.changed)} of {so_many(mixture.blocks, 'block')} differ, {EARLIEST} must{words}"
    elif share > LARGEST_SHARE:
        yield f"one block has {percent(share)} of the squares, {percent(LARGEST_SHARE)} is allowed"
    elif limits := mixture.interval():
        yield f"between {worse_or_better(limits[0])} and {worse_or_better(limits[1])}"


def worse_or_better(difference: float) -> str:
    """Return 0.009 worse, 0.104 better."""
    return f"{plain(abs(difference))} {'worse' if difference < 0 else 'better'}"


def rule_text(reckoned: Standings, at: int) -> Iterator[tuple[str, str]]:
    """Yield the result of the stopping rule in a game, if there is one."""
    for outcome in reckoned.outcomes[at : at + 1]:
        entry, stopping = reckoned.tournament.entries[at], reckoned.tournament.stopping
        assert stopping
        answer = {
            Decision.WORSE: "no",
            Decision.UNDECIDED: "not yet" if outcome.block < entry.cap else "undecided",
            Decision.EQUAL: "no difference",
            Decision.BETTER: "yes",
            Decision.VOID: "void",
        }[outcome.decision]
        over_all = "over all games " * stopping.over_all
        yield "until", f"{stopping.until}: {over_all}{answer}, {stopped(entry, outcome)}"
        yield from contrast_text(outcome)


def gate_lines(reckoned: Standings) -> str:
    """Return the result of a gate: a line over all games, if it is one; a line for each game; and a word for all."""
    stopping = reckoned.tournament.stopping
    assert stopping
    who, _, margin = stopping.until.rpartition(" > ")
    several, lines = len(reckoned.outcomes) > 1, list[str]()
    if pooled := reckoned.pooled:
        lines += broken(f"over all games: {who}  {stopped_over_all(reckoned, pooled)}", 4)
        lines += labelled(contrast_text(pooled))
    both = zip(reckoned.tournament.entries, reckoned.outcomes, reckoned.verdicts, strict=True)
    for entry, outcome, verdicts in both:
        word = f": {word_of(outcome.decision, margin)}" if several and not pooled else ""
        lines += broken(f"{f'{entry.name}: ' * several}{who}  {stopped(entry, outcome)}{word}", 4)
        lines += labelled([*contrast_text(outcome), *origins_text(verdicts)])
    return "\n".join([*lines, word_of(verdict(reckoned.outcomes), margin, stopping.worth)]) + "\n"


def labelled(said: Iterable[tuple[str, str]]) -> list[str]:
    """Return lines of labels and words, below the line of a gate."""
    return [line for label, words in said for line in broken(f"    {label:<{LABEL - 1}}{words}", LABEL + 3)]


def word_of(decision: Decision, margin: str, worth: float | None = None) -> str:
    """Return the decision in words; with a margin "not worse by 0.5" or "worse by more than 0.5"."""
    if decision is Decision.EQUAL and worth:
        return f"no difference worth {worth:g}"
    if decision not in (Decision.WORSE, Decision.BETTER) or margin == "0":
        return decision.value
    words = "not worse by" if decision is Decision.BETTER else "worse by more than"
    return f"{words} {margin.removeprefix('-')}"


def text_tables(reckoned: Standings, tablefmt: str = "plain") -> str:
    """Return one table for each game, and one for all."""
    mark, parts, tournament = "## " * (tablefmt != "plain"), list[str](), reckoned.tournament
    for at, (entry, fold, rows, verdicts) in enumerate(reckoned):
        head = table_heading(tournament, entry, fold.tally)
        cells = game_cells(entry, rows, verdicts, bool(mark), error_heading(tournament))
        body = indented(text_table(list(cells), tablefmt), tablefmt)
        title = mark + in_markdown(" · ".join(head)) if mark else joined_heading(head)
        said = [*rule_text(reckoned, at), *block_notes(rows, verdicts)]
        more = markdown_list(said) if mark else lines_of(said)
        noted = wrapped_texts([*unplaced_note(tournament, rows), *table_notes(entry, fold.tally, rows)], mark)
        parts.append("\n".join([title, "", body, *[""] * bool(mark and noted), *noted, *[""] * bool(more), *more]))
    parts += [table_of_rounds(tournament, *each, mark, tablefmt) for each in reckoned.over_rounds]
    if len(tournament.entries) > 1 and not reckoned.over_rounds:
        parts.append(table_of_all(reckoned, mark, tablefmt))
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


def table_of_all(reckoned: Standings, mark: str, tablefmt: str) -> str:
    entries, rows = reckoned.tournament.entries, reckoned.overall
    format = entries[0].format
    title = (
        f"All games · score: {format.scored} in standard deviations of one {format.unit}, every game weighing the same"
    )
    verdicts = reckoned.overall_verdicts
    likely = map(ranks, verdicts.likely) if len(rows) > 1 else [None] * len(rows)
    error = error_heading(reckoned.tournament)
    cells = [table_row(row, [SCORE], each, error=error) for row, each in zip(rows, likely, strict=True)]
    body = indented(text_table(cells, tablefmt), tablefmt) if rows else "No strategy played every game."
    without = left_out(entries, rows)
    missing = [f"Not in it, because a game is missing: {', '.join(without)}."] * bool(rows and without)
    ruled = ["A rule may stop each game by itself: nobody is compared over all games."]
    ruled *= bool(reckoned.tournament.stopping and len(rows) > 1)
    noted = wrapped_texts([*unplaced_in_one(rows, "game"), *missing, *ruled], mark)
    said = [*difference_note(verdicts, verdicts.labels, range(len(verdicts.labels)))]
    more = markdown_list(said) if mark else lines_of(said)
    title_lines = wrapped_texts([mark + title], mark)
    return "\n".join([*title_lines, "", body, *[""] * bool(mark), *noted, *[""] * bool(more), *more])


def table_of_rounds(
    tournament: Tournament, entry: Entry, rows: Sequence[tuple[int, StandingsRow]], mark: str, tablefmt: str
) -> str:
    """Return a table of how far each has come, and its figure there."""
    cells = [table_row(row, entry.format.measures[:1]) for _, row in rows]
    for each, (count, _) in zip(cells, rows, strict=True):
        each.insert(2, ("round", str(count)))
    title, size = entry_title(entry), [so_many(seats, "seat")] if (seats := entry.format.seats) else []
    head = [title, f"{entry.format.name} of {len(rows)}", *size, "how far each has come", f"seed {tournament.seed}"]
    title = mark + in_markdown(" · ".join(head)) if mark else joined_heading(head)
    said = wrapped_texts(unplaced_in_one([row for _, row in rows], "round"), mark)
    return "\n".join([title, "", indented(text_table(cells, tablefmt), tablefmt), *[""] * bool(mark and said), *said])


def cross_text(reckoned: Standings, tablefmt: str = "plain") -> str:
    """Return the differences of all pairs in each game: how far the strategy of a line is above that of a column.

    A star marks a significant difference."""
    mark, parts = "## " * (tablefmt != "plain"), list[str]()
    for entry, fold, rows, verdicts in reckoned:
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
        head = table_heading(reckoned.tournament, entry, fold.tally)
        title = mark + in_markdown(" · ".join(head)) if mark else joined_heading(head)
        body = [indented(text_table(cells, tablefmt), tablefmt)] * verdicts.some
        any_look = ["The limits hold at any look."] * bool(verdicts.some and reckoned.tournament.stopping)
        notes = [*any_look, *unplaced_note(reckoned.tournament, rows), *table_notes(entry, fold.tally, rows)]
        said = wrapped_texts(notes, mark)
        parts.append("\n".join([title, "", *body, *[""] * bool(mark and body and said), *said]))
    return "\n\n".join(parts) + "\n"


def in_cross(verdicts: Verdicts, one: int, other: int) -> str:
    found = verdicts.between(one, other)
    if not found:
        return "-"
    star = "*" if verdicts.are_apart(one, other) else " "
    if found.any_look:
        return f"{signed(found.value)} ({limits_text(found.limits) if found.limits else '-'}){star}"
    return f"{signed(found.value)} ± {plain(found.error)}{star}"


def indented(text: str, tablefmt: str) -> str:
    return text if tablefmt != "plain" else "\n".join(f" {line}".rstrip() for line in text.splitlines())
