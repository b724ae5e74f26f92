"""What was played: read, told, verified."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .flags import form_option, jobs_option
from .playing import progress_bar, say

TITLE = "Look at a run"


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@form_option("table", "json", "csv", "md")
def standings(run: Path, form: str) -> None:
    """The standings of a RUN, finished or not."""
    from ..reports.data import in_format
    from ..reports.terminal import missing_shards
    from ..tournament.folder import RunFolder
    from ..tournament.run import fold
    from ..tournament.standings import reckon

    folder = RunFolder(run)
    tournament = folder.tournament()
    folds, missing = fold(tournament, folder)
    click.echo(in_format(reckon(tournament, folds), form), nl=False)
    if missing:
        say(f"unfinished: {missing_shards(missing)}")


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--game", "entry", help="Only this entry of the tournament.")
def log(run: Path, entry: str | None) -> None:
    """The deals of a RUN as text, a line each.

    A line has the deal's address, its dealer, the nets by seat, and the actions.

    A line that begins with = says who sits in the seats 0, 1, 2 ... from there on, one with ! tells a fault beside the
    deals: seat, phase, kind. An action with ! was played for a strategy at fault."""
    from ..errors import did_you_mean
    from ..streams import lost
    from ..tournament.folder import RunFolder
    from ..tournament.plan import Schedule
    from ..tournament.record import in_entry

    folder = RunFolder(run)
    tournament = folder.tournament()
    names = [each.name for each in tournament.entries]
    if entry is not None and entry not in names:
        raise click.UsageError(f"no game {entry!r} in this run{did_you_mean(entry, names)}: {', '.join(names)}")
    for number, name in enumerate(names):
        for shard in folder.shards(Schedule(tournament, number)) if entry in (None, name) else ():
            click.echo("".join([f"{in_entry(name, line)}\n" for block in shard.blocks for line in block]), nl=False)
            if 1 in lost:  # nobody reads on: this may be gigabytes
                return


@click.command()
@click.argument("what")
@click.option("--seat", help="Only what this seat sees: its number, or the name of the strategy there.")
@click.option("--deal", type=click.IntRange(1), help="Of a script: only this deal. [default: all]")
@click.option(
    "--script",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write it as a script instead; - for standard output.",
)
@click.option("--strategy", help="Ask this strategy again at its seat, and say where it answers differently.")
@click.option("--debug", is_flag=True, help="With --strategy: in the debugger where it fails.")
def replay(what: str, **wished: Any) -> None:
    """Tell a deal of a run, or of a script, step by step.

    RUN:ENTRY/BLOCK/SITTING/DEAL, as runs/parlour-8c1f04:nap/17/2/3, or a script file."""
    from ..visits.retell import Wish, retell

    wish, of_a_run = Wish(**wished), ":" in what and not Path(what).exists()
    if wish.script and not of_a_run:
        raise click.UsageError("--script is for a deal of a run: this is a script already")
    if wish.deal and of_a_run:
        raise click.UsageError("--deal is for a script: the deal of a run stands in its address")
    if wish.script and (wish.seat or wish.strategy):
        raise click.UsageError("--script writes the deal as it was: it goes without --seat and --strategy")
    if wish.debug and not wish.strategy:
        raise click.UsageError("--debug goes with --strategy")
    retell(what, click.echo, wish)


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@jobs_option
def verify(run: Path, jobs: int | None) -> int:
    """Replay every deal of a RUN and recompute every number.

    What disagrees is named, up to twenty differences."""
    from ..reports.terminal import missing_shards
    from ..tournament.folder import RunFolder
    from ..visits.verify import verify as verify_run
    from ..words import so_many

    with progress_bar() as tell:
        deals, missing = verify_run(RunFolder(run), jobs, tell)
    click.echo(f"{so_many(deals, 'deal')} verified" + (f"; {missing_shards(missing)}" if missing else ""))
    return 0
