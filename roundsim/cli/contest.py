"""The command that holds a contest."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .completing import GAME_ID, STRATEGY
from .flags import (
    COUNT,
    FormatOption,
    form_option,
    fresh_cards_option,
    jobs_option,
    rule_option,
    seed_of,
    sitting_option,
    times_option,
)
from .helping import command, rare_option
from .play import taken
from .playing import Request, run_and_report
from .progress import progress_bar

if TYPE_CHECKING:
    from ..tournament.judging.standings import Standings
    from ..tournament.run import Result
    from ..tournament.storage.contest import Contest

CHECKED = 200  # deals in which each entry of a contest is checked, as by `check`


@dataclass
class ContestRequest(Request):
    """A contest: its entries are shown with the standings, and bad ones are no failure."""

    contest: Contest | None = None

    def results(self, standings: Standings) -> str:
        from ..reports.contest import contest_in_format

        assert self.contest
        return contest_in_format(self.contest, standings, self.form)

    def exit_code(self, result: Result) -> int:
        return 0


@command(example="roundsim contest entries/ book --game nap --deals 4000")
@click.argument("entries", nargs=-1, required=True, type=STRATEGY)
@click.option(
    "--game", required=True, type=GAME_ID, metavar="GAME", help="The game, or the file of your own: old_maid.py."
)
@click.option(
    "--as",
    "format",
    cls=FormatOption,
    metavar="FORMAT",
    help="{}; or the file of your own. [default: round-robin]",
)
@click.option("--seats", type=COUNT, metavar="N", help="Players at the table. [default: as is usual in the game]")
@rule_option
@sitting_option
@click.option("--seed", callback=seed_of, metavar="HEX", help="A seed of 32 digits, drawn before. [default: draw one]")
@click.option("--deals", type=COUNT, metavar="N", help="Deals of each game, rounded up to whole blocks.")
@times_option
@jobs_option
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder of the contest. [default: runs/contest-GAME]",
)
@fresh_cards_option
@rare_option(
    "--isolate",
    type=click.Choice(["on", "auto", "off"]),
    default="on",
    show_default=True,
    help="Without a sandbox on this machine, on plays nothing and auto plays without one; off never uses it.",
)
@form_option("table", "json")
def contest(jobs: int | None, form: str, **values: Any) -> int:
    """Hold a contest of ENTRIES that others have written.

    ENTRIES are folders, in which each Python file and each folder is an entry, and single strategies: ann.py, and
    ann=ann/ for a folder that is one entry. A name such as book takes part unchecked. The seed is drawn before any
    entry is opened, and its hash is printed first. Entries that do not load or do not pass `check` are left out, with
    the reason. The others play, and a page shows the results. The same command continues a contest that was
    interrupted."""
    from ..processes.start import cores
    from ..sandbox.kinds import demanded
    from ..tournament.commands import ContestCommand
    from ..tournament.planning.plan import Limits
    from ..tournament.storage.contest import draw_seed
    from ..trial.contest import entries_named, is_known, take_entries
    from ..trial.trial import TrialOptions

    playing, _ = taken(ContestCommand, values)
    if isinstance(playing.seed, int):
        raise click.UsageError("--seed must be 32 digits 0-9a-f: a number could be guessed from its hash")
    limits = Limits(isolate=str(playing.isolate))
    how = TrialOptions(playing.game, dict(playing.options), playing.players, CHECKED, limits, Path())
    entries = [*entries_named(playing.entries)]
    likely = [entry.text if is_known(entry.text) else "random" for entry in entries]
    likely += ["random"] * (playing.players + 1 - len(entries))
    folder = playing.folder(replace(playing, playing=likely).tournament())  # mistakes show before the draw
    if playing.isolate == "on":
        demanded()
    drawn = draw_seed(folder, playing.seed)
    click.echo(f"seed     sha256 {drawn.seed_sha256}", err=form == "json")
    with progress_bar() as show:
        drawn, entered = take_entries(folder, drawn, entries, how, jobs or cores(), show)
    playing = replace(playing, playing=entered, seed=drawn.seed)
    return run_and_report(ContestRequest(playing, jobs, form, page=True, contest=drawn))
