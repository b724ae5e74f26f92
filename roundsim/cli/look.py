"""Commands that read, show and verify what was played."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from . import league
from .completing import ADDRESS, ENTRANT, RUN, RUN_OR_DEAL, STRATEGY
from .flags import COUNT, entry_option, form_option, isolate_option, jobs_option, outside_options
from .helping import command
from .playing import echo, print_report
from .progress import ProgressLine, progress_bar

TITLE = "Look"
ANYBODY = "*"  # in the place of a strategy's name


def order_option(flag: str, help: str) -> Callable[[Any], Any]:
    """A flag that may be followed by a strategy's name."""
    return click.option(flag, type=ENTRANT, is_flag=False, flag_value=ANYBODY, metavar="[NAME]", help=help)


def in_json(data: dict[str, Any]) -> str:
    from json import dumps

    return dumps(data, ensure_ascii=False)


@command(example="roundsim runs")
@click.argument("folder", default="runs", type=click.Path(path_type=Path))
@form_option("table", "json")
@outside_options
def runs(folder: Path, form: str) -> None:
    """The runs in FOLDER, the newest first. [default: runs]"""
    from time import time

    from ..reports.runs import runs_in_format
    from ..tournament.storage.listing import list_runs

    print_report(runs_in_format(list_runs(folder), form, time()), form)


@command(example="roundsim standings runs/parlour-8c1f04 --cross")
@click.argument("run", type=RUN)
@click.option("--cross", is_flag=True, help="The differences of all pairs, in place of the tables.")
@form_option("table", "json", "csv", "md")
@outside_options
def standings(run: Path, cross: bool, form: str) -> None:
    """The standings of a RUN, finished or not."""
    from ..replaying.logged import practice_note
    from ..reports.data import in_format
    from ..reports.terminal import not_whole
    from ..tournament.judging.standings import compute_standings
    from ..tournament.storage.folder import RunFolder
    from ..tournament.storage.totals import finished_totals

    folder = RunFolder(run)
    tournament = folder.tournament()
    folds, missing = finished_totals(tournament, folder)
    print_report(in_format(compute_standings(tournament, folds), form, cross), form)
    lacking = not_whole(tournament.part, missing)
    for note in filter(None, [f"unfinished: {lacking}" if missing else lacking, practice_note(folder, tournament)]):
        echo(note)


@command(example="roundsim deals runs/parlour-8c1f04 --worst Mine --said 'call nap'")
@click.argument("run", type=RUN)
@order_option("--worst", help="The lowest nets first; with a NAME those of that strategy.")
@order_option("--best", help="The highest nets first.")
@order_option("--typical", help="The nets nearest to the median of all that match.")
@order_option("--swing", help="The largest differences between two strategies in one seat with the same cards.")
@click.option(
    "--who", type=ENTRANT, multiple=True, metavar="NAME", help="Only the seats of this strategy; may be repeated."
)
@click.option("--phase", metavar="PHASE", help="Only where the seat acted in this phase of the game.")
@click.option(
    "--said", metavar="ACTION", help="Only where it gave this action: 'call nap', or its first words, 'call'."
)
@click.option("--fault", is_flag=True, help="Only where the seat was at fault.")
@click.option("--why", type=ENTRANT, metavar="NAME", help="Print instead what this strategy won and paid counters for.")
@click.option(
    "--against", type=ENTRANT, metavar="NAME", help="With --why: next to this one. [default: the best of the others]"
)
@entry_option
@click.option("-n", type=COUNT, metavar="N", help="At most this many. [default: 5 with an order, else all]")
@form_option("table", "json")
@outside_options
def deals(run: Path, form: str, who: tuple[str, ...], why: str | None, against: str | None, **wished: Any) -> None:
    """Find deals of a RUN: the worst, or those with an action.

    Prints one line per deal and seat, with the actions of that seat and the command that replays it. All conditions on
    actions must hold for one action. --why prints sums over all deals instead."""
    from ..base.streams import lost
    from ..replaying.deals import ORDERS, Search
    from ..tournament.storage.folder import RunFolder

    if why is not None:
        if strays := [f"--{name}" for name, value in wished.items() if value and name != "game"] + ["--who"] * bool(
            who
        ):
            raise click.UsageError(f"--why is over all deals: give it or {strays[0]}")
        say_why(run, why, against, wished["game"], form)
        return
    if against is not None:
        raise click.UsageError("--against is for --why")
    orders = {order: name for order in ORDERS if (name := wished.pop(order)) is not None}
    if len(orders) > 1:
        raise click.UsageError(f"{', '.join(f'--{order}' for order in orders)}: give one")
    who += tuple(name for name in orders.values() if name != ANYBODY)
    search, first = Search(RunFolder(run), who, order=next(iter(orders), None), **wished), None
    for deal in search:
        if form == "json":
            click.echo(in_json(deal.to_json()))
        else:
            click.echo("\n".join([*([] if first else [search.heading()]), *search.rows(deal)]))
        first = first or deal
        if 1 in lost:
            return
    if not first:
        echo(f"no such deal in {run}")
    elif form == "table":
        click.echo(f"\nagain: {first.again}")


def say_why(run: Path, mine: str, against: str | None, game: str | None, form: str) -> None:
    """Print for what a strategy has won and paid its counters, a table for each game."""
    from ..replaying.reasons import reason_tables, reasons_text
    from ..tournament.storage.folder import RunFolder

    with progress_bar() as show:
        tables = [*reason_tables(RunFolder(run), mine, against, game, show)]
    for at, table in enumerate(tables):
        click.echo(in_json(table.to_json()) if form == "json" else "\n" * bool(at) + reasons_text(table))


@command(example="roundsim coach runs/parlour-8c1f04 --of Mine --by expert")
@click.argument("run", type=RUN)
@click.option(
    "--of", "mine", type=ENTRANT, required=True, metavar="NAME", help="The strategy, by its name in the standings."
)
@click.option(
    "--by", type=STRATEGY, metavar="STRATEGY", help="The coach. [default: expert, or book in games without one]"
)
@click.option(
    "--guide",
    type=STRATEGY,
    default="book",
    show_default=True,
    metavar="STRATEGY",
    help="The house strategy that plays on at all seats.",
)
@click.option("--mine-better", is_flag=True, help="Where the coach's answer is the worse one; costs are negative.")
@entry_option
@click.option("-n", type=COUNT, metavar="N", default=10, show_default=True, help="At most this many.")
@jobs_option
@form_option("table", "json")
@outside_options
def coach(
    run: Path, mine: str, by: str | None, guide: str, game: str | None, form: str, jobs: int | None, **wished: Any
) -> None:
    """Find the decisions of a RUN that cost a strategy most.

    A coach is asked the same questions. Where it answers differently, both answers are played out in imagined deals, by
    the guide at all seats. Costs are in counters."""
    from ..coaching.coach import coach as find_costs
    from ..coaching.coach import lessons
    from ..coaching.report import coach_text, to_json
    from ..tournament.storage.folder import RunFolder

    folder = RunFolder(run)
    with progress_bar() as show:
        costs = [
            find_costs(lesson, jobs=jobs, show=show, **wished) for lesson in lessons(folder, mine, by, guide, game)
        ]
    for at, report in enumerate(costs):
        click.echo(in_json(to_json(report, folder)) if form == "json" else "\n" * bool(at) + coach_text(report, folder))


@command(example="roundsim replay runs/parlour-8c1f04:nap/17/2/3 --seat Mine")
@click.argument("what", type=ADDRESS)
@click.option("--seat", type=ENTRANT, metavar="SEAT", help="Only what this seat sees; its number or its strategy.")
@click.option("--deal", type=COUNT, metavar="N", help="Only this deal of a script. [default: all]")
@click.option(
    "--script",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write it as a script instead, for `settle`; - is standard output.",
)
@click.option(
    "--strategy",
    type=STRATEGY,
    metavar="STRATEGY",
    help="Ask this strategy again at its seat, and show where it answers differently.",
)
@click.option(
    "--debug",
    is_flag=True,
    help="With --strategy: open the debugger where it fails; the strategy is not in the sandbox.",
)
@outside_options
def replay(what: str, **wished: Any) -> None:
    """Show a deal of a run, or of a script, step by step.

    RUN:ENTRY/BLOCK/SITTING/DEAL, as runs/parlour-8c1f04:nap/17/2/3, or a script file."""
    from ..replaying.replay import Wish, replay_run_or_script

    wish, of_a_run = Wish(**wished), ":" in what and not Path(what).exists()
    if wish.script and not of_a_run:
        raise click.UsageError("--script is for a deal of a run: this is a script already")
    if wish.deal and of_a_run:
        raise click.UsageError("--deal is for a script: the address of a run names its deal")
    if wish.script and (wish.seat or wish.strategy):
        raise click.UsageError("--script writes the deal as it was: it goes without --seat and --strategy")
    if wish.debug and not wish.strategy:
        raise click.UsageError("--debug goes with --strategy")
    replay_run_or_script(what, click.echo, wish)


@command(example="roundsim diff runs/parlour-8c1f04 runs/parlour-52ab90")
@click.argument("there", metavar="RUN", type=RUN)
@click.argument("here", metavar="RUN", type=RUN)
@form_option("table", "json", "csv", "md")
@outside_options
def diff(there: Path, here: Path, form: str) -> None:
    """Show what differs between two RUNs, and by how much on common deals.

    A difference is the second run's figure less the first's."""
    from ..reports.diff import diff_in_format
    from ..reports.terminal import missing_shards
    from ..tournament.judging.diff import diff as diff_runs
    from ..tournament.storage.folder import RunFolder

    difference = diff_runs(RunFolder(there), RunFolder(here))
    print_report(diff_in_format(difference, form), form)
    for side in difference.there, difference.here:
        if side.missing:
            echo(f"{side.path} is unfinished: {missing_shards(side.missing)}")


@command(example="roundsim log runs/parlour-8c1f04 --who")
@click.argument("run", type=RUN)
@entry_option
@click.option("--who", is_flag=True, help="With the strategy before each action, 'Mine: call nap'.")
@form_option("text", "json")
@outside_options
def log(run: Path, game: str | None, who: bool, form: str) -> None:
    """Print the deals of a RUN as text, one line each.

    A line has the deal's address, its dealer, the nets by seat, and the actions. A line with = names the strategies in
    seats 0, 1, 2 ... of a table, until the next one for it. A line with ! is a fault outside the deals: seat, phase,
    kind; an action with ! was played for a seat at fault. A line with ~ is a deal that a person practised: it does not
    count, and was dealt again."""
    from ..base.streams import lost
    from ..replaying.logged import entries_called, logged_blocks
    from ..tournament.storage.folder import RunFolder

    if who and form == "json":
        raise click.UsageError("--who is for text: json says who acted in any case")
    folder = RunFolder(run)
    tournament = folder.tournament()
    for number in entries_called(tournament, game):
        for block in logged_blocks(folder, tournament, number):
            lines = [in_json(deal.to_json()) for deal in block] if form == "json" else block.text_lines(who)
            click.echo("".join([f"{line}\n" for line in lines]), nl=False)
            if 1 in lost:  # nobody reads on: this may be gigabytes
                return


@command(example="roundsim report runs/parlour-8c1f04 --verify")
@click.argument("runs", nargs=-1, required=True, type=RUN_OR_DEAL, metavar="RUN...")
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The file. [default: report.html in the RUN; nap-17-2-3.html of a deal, diff.html of two runs]",
)
@click.option(
    "--verify",
    is_flag=True,
    help="First verify the run, and say so on the page; after a difference no page is written.",
)
@outside_options
def report(runs: tuple[str, ...], out: Path | None, verify: bool) -> None:
    """Write a page to look at in a browser, with deals to play through.

    RUN... is a run; or a deal of one, RUN:ENTRY/BLOCK/SITTING/DEAL; or two runs, whose differences the page shows."""
    from ..replaying.report import deal_page, report_of_diff, write_report
    from ..replaying.verify import verified_text_of
    from ..tournament.storage.folder import RunFolder
    from ..tournament.storage.writing import write_named

    (folder, colon, address), lacking = runs[0].rpartition(":"), ""
    if len(runs) > 2:
        raise click.UsageError("a page is of one run, or of two that are compared")
    if verify and (len(runs) > 1 or colon and not Path(runs[0]).exists()):
        raise click.UsageError("--verify goes with one RUN")
    if len(runs) == 2:
        path = out or Path("diff.html")
        write_named(path, report_of_diff(*map(RunFolder, runs)).encode())
    elif colon and not Path(runs[0]).exists():
        path = out or Path(f"{address.replace('/', '-')}.html")
        write_named(path, deal_page(RunFolder(folder), address).encode())
    else:
        run = RunFolder(runs[0])
        with progress_bar() as tell:
            path, lacking = write_report(run, out, verified_text_of(run, tell) if verify else "")
    click.echo(f"wrote {path}")
    if lacking:
        echo(f"unfinished: {lacking}")


@command(example="roundsim export runs/parlour-8c1f04 --to parquet --what decisions")
@click.argument("run", type=RUN)
@click.option("--to", type=click.Choice(["parquet", "arrow", "csv"]), required=True, help="The format of the file.")
@click.option(
    "--what",
    type=click.Choice(["deals", "decisions"]),
    default="deals",
    show_default=True,
    help="A row for each seat of a deal, or for each action.",
)
@entry_option
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=".",
    metavar="DIR",
    help="The folder for deals.parquet, decisions.csv or the like. [default: the current folder]",
)
@click.option("--force", is_flag=True, help="Replace an existing file.")
@jobs_option
@outside_options
def export(run: Path, to: str, what: str, game: str | None, out: Path, force: bool, jobs: int | None) -> None:
    """Write the deals or the decisions of a RUN as a table.

    The file is for pandas, polars and others. Parquet and Arrow need pyarrow, from the extra `export`."""
    from ..base.text import so_many
    from ..bridges.export import export_run as export_run
    from ..reports.terminal import not_whole
    from ..tournament.storage.folder import RunFolder

    folder = RunFolder(run)
    with progress_bar() as tell:
        done = export_run(folder, to, what, out, game, force, tell, jobs)
    click.echo(f"wrote {done.path}  {so_many(done.rows, 'row')}")
    if lacking := not_whole(folder.tournament().part, done.missing):
        echo(f"unfinished: {lacking}" if done.missing else lacking)


@command(example="roundsim verify runs/parlour-8c1f04 --strategies --strategy Mine=mine.py")
@click.argument("run", type=RUN)
@click.option(
    "--strategies", "again", is_flag=True, help="Also play it again with its strategies, and compare the logs."
)
@click.option(
    "--strategy",
    "sources",
    type=STRATEGY,
    multiple=True,
    metavar="NAME=PATH",
    help="Where the source of a strategy is that is not a house strategy; may be repeated.",
)
@jobs_option
@isolate_option
@outside_options
def verify(run: Path, again: bool, sources: tuple[str, ...], jobs: int | None, isolate: str | None) -> int:
    """Replay all deals of a RUN or a league, and recompute all numbers.

    It says what was verified, and whether the strategies are those of this roundsim. It names up to twenty differences.
    In a league it also verifies every seed, the chain of rounds and the kept versions; --strategies asks these."""
    from ..replaying.verify import verify_run as verify_run
    from ..reports.terminal import not_whole, verified
    from ..tournament.storage.folder import RunFolder

    if isolate and not again:
        raise click.UsageError("--isolate goes with --strategies")
    if (run / league.RULES).exists():
        return league.verify_rounds(run, again, sources, jobs, isolate)
    folder = RunFolder(run)
    with progress_bar() as tell:
        checked = verify_run(folder, jobs, tell, sources, here=again, isolate=isolate)
    guests = ""
    if again:
        from ..replaying.rerun import rerun

        line = ProgressLine(checked.tournament)
        try:
            guests = rerun(folder, checked, jobs, isolate, line.show)
        finally:
            line.clear()
    facts = [("guests", guests), ("page", checked.page)]
    origins = [(str(origin.strategy), origin.strategy.sha256, origin.words) for origin in checked.origins]
    verdict = "verified, and played again: the same" if again else "verified"
    lacking = not_whole(checked.tournament.part, checked.missing)
    click.echo(verified(checked.tournament, checked.folds, checked.versions, [verdict, lacking], facts, origins))
    return 0
