"""Playing tournaments."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from .completing import ENTRY, GAME_ID, RUN, STRATEGY
from .flags import (
    COUNT,
    AllBut,
    FormatOption,
    Within,
    form_option,
    format_option,
    isolate_option,
    jobs_option,
    out_option,
    outside_options,
    quiet_option,
    reuse_option,
    rule_option,
    run_options,
    seats_option,
    shard_option,
    sitting_option,
    until_option,
    wait_option,
    workers_option,
)
from .helping import command, rare_option
from .playing import Request, dry_lines, run_and_report

if TYPE_CHECKING:
    from ..tournament.commandline import PlayingCommand

C = TypeVar("C", bound="PlayingCommand")
Values = dict[str, Any]  # of the parameters of a command

OF_TABLES = {"mine", "without", "options", "seats", "sitting", "margin", "worth", "half", "whole", "among", "over_all"}


def as_worth(context: click.Context, parameter: click.Parameter, text: str | None) -> float | str | None:
    """Return a least difference that matters, as a gate takes it."""
    from ..tournament.planning.stopping_rule import WORTH

    worth: float | str | None = text
    with suppress(ValueError):
        worth = text and float(text)
    if worth is not None and not WORTH.fits(worth):
        raise click.BadParameter(f"{text} is not {WORTH}.")
    return worth


def refuse_games(games: str, strategies: Iterable[str]) -> None:
    """Raise UsageError for a game where a strategy belongs, unless a strategy has its name."""
    from ..games import names
    from ..sources import plugins
    from ..tournament.planning.file import ALL

    named = [strategy for strategy in strategies if strategy in names()]
    known = {strategy.name for strategy in plugins.installed(names=named)} if named else set()
    if strays := [strategy for strategy in named if strategy not in known]:
        listed = dict.fromkeys([*games.split(","), *strays])
        hint = f": separate games by commas, {','.join(listed)}" if len(listed) > 1 and ALL not in listed else ""
        raise click.UsageError(f"{strays[0]} is a game, not a strategy{hint}")


def taken(kind: type[C], values: Values) -> tuple[C, Values]:
    """Return the command that was given these values, and those that are not its own."""
    meta = click.get_current_context().meta
    files = {name: meta[name] for name in ("game_files", "format_files") if name in meta}
    own = {key.name for key in fields(kind)} & values.keys()
    given = {name: as_recorded(values[name]) for name in own if values[name] is not None}
    return kind(**files, **given), {name: value for name, value in values.items() if name not in own}


def as_recorded(value: object) -> Any:
    """Return the value of a parameter as a run folder can keep it: paths are texts."""
    if isinstance(value, list | tuple):
        return tuple(map(as_recorded, value))
    return str(value) if isinstance(value, Path) else value


def play_command(playing: PlayingCommand, dry_run: bool, **how: Any) -> int:
    from ..tournament.planning.stopping_rule import is_gate

    request = Request(playing, **how)
    if request.cluster and request.jobs:
        raise click.UsageError("--jobs are processes of this machine: give it or --workers")
    if request.wait is not None and not request.cluster:
        raise click.UsageError("--wait is for workers of a cluster: give --workers, too")
    if playing.shard and request.page:
        raise click.UsageError("--report is of standings, which a part has not: merge the parts, then roundsim report")
    if playing.shard and request.form in ("csv", "md"):
        raise click.UsageError(f"--format {request.form} is of standings, which a part has not: table or json")
    if dry_run and request.quiet:
        raise click.UsageError("--dry-run only prints, and --quiet prints nothing: give one of them")
    if request.gate and not is_gate(request.tournament.stopping):
        raise click.UsageError(f"{playing.words()[2]} has no [gate]")
    if dry_run:
        click.echo("\n".join(dry_lines(request)))
        return 0
    return run_and_report(request)


@command(example="roundsim run tournaments/parlour.toml --deals 4000")
@click.argument("file", type=click.Path(path_type=Path))
@until_option
@reuse_option
@shard_option
@format_option
@run_options
def run(**values: Any) -> int:
    """Play a tournament FILE, or continue an interrupted run.

    Finished deals are kept; the same command plays the missing ones."""
    from ..tournament.commands import RunCommand

    playing, how = taken(RunCommand, values)
    if Path(playing.file, "run.toml").exists():
        there = shlex.quote(playing.file)
        more = f"repeat the command that began it to finish it, or play more: roundsim grow {there}"
        raise click.UsageError(f"{playing.file} is the folder of a run: {more}")
    return play_command(playing, **how)


@command(cls=AllBut, example="roundsim play nap mine.py book random --deals 4000")
@click.argument("game", type=GAME_ID)
@click.argument("strategies", nargs=-1, type=STRATEGY)
@click.option(
    "--as",
    "format",
    cls=FormatOption,
    metavar="FORMAT",
    help="{}; or the file of your own. [default: round-robin, or one that takes the given flags]",
)
@click.option(
    "--seats",
    callback=seats_option,
    metavar="N",
    help="Players at the table; 3-6 plays a game for each size; in a freeze-out the most. [default: one for each strategy,"
    " if the game allows it]",
)
@rule_option
@sitting_option
@rare_option("--focus", metavar="NAME", help="This strategy sits in every block, and the others share the other seats.")
@until_option
@reuse_option
@shard_option
@run_options
def play(**values: Any) -> int:
    """Play GAME among STRATEGIES without a tournament file.

    Without strategies, the house strategies play. Separate several games by commas: nap,loo. `all` means all games, and
    `all -loto -nap` all except these. Each strategy plays every game; a tournament file can list strategies per game.

    A strategy is a name, a path, module:Name or git:REVISION:PATH, with parameters in brackets: book, 'book(bold=1)',
    mine.py:Mine. NAME= before it names it: new=mine.py old=git:HEAD~1:mine.py. One that is named twice enters twice.
    --times is for formats that count whole events and not deals, as freeze-outs."""
    from ..tournament.commands import PlayCommand

    playing, how = taken(PlayCommand, values)
    refuse_games(playing.game, playing.strategies)
    return play_command(playing, **how)


@command(cls=AllBut, example="roundsim gate nap new=mine.py old=git:HEAD:mine.py")
@click.argument("game", type=GAME_ID)
@click.argument("mine", required=False, type=STRATEGY)
@click.argument("baseline", required=False, type=STRATEGY)
@rare_option(
    "--margin",
    type=Within(0, kind=float),
    default=0.0,
    metavar="M",
    help="Exit code 0 also if MINE is worse by less than M counters a deal.",
)
@click.option(
    "--worth",
    callback=as_worth,
    metavar="M",
    help="Also end when the difference is surely less than M counters a deal, or 0.2sd: standard deviations of a block.",
)
@rare_option("--whole", is_flag=True, help="Play every sitting again, whether or not MINE answers differently.")
@rare_option("--half", is_flag=True, help="Half of the table plays MINE, and not one seat among BASELINE.")
@rare_option(
    "--among",
    type=STRATEGY,
    metavar="STRATEGY",
    multiple=True,
    help="The others at the table, in place of BASELINE: book,random; may be repeated.",
)
@rare_option("--over-all", is_flag=True, help="Make one test, of the score over all games, which ends all of them.")
@click.option(
    "--seats",
    callback=seats_option,
    metavar="N",
    help="Players at the table; 3-6 plays a game for each size. [default: as is usual in the game]",
)
@rule_option
@sitting_option
@format_option
@rare_option(
    "--continue",
    "trusted",
    is_flag=True,
    help="Also continue a run folder that git tracks or, with --ci, any existing one.",
)
@run_options
def gate(**values: Any) -> int:
    """Test whether strategy MINE is better than BASELINE at GAME.

    Separate several games by commas; `all` means all games. A tournament file with a [gate] replaces GAME and both
    strategies. MINE takes the place of BASELINE at one seat after the other, until the result is clear, in at most
    --deals deals of BASELINE. [default: 2000 sittings] The others play BASELINE, or the strategies of --among.

    Exit codes: 0 better, 1 worse, 3 undecided, 4 no difference; 2 if a strategy
    misbehaved."""
    from ..tournament.commands import GateCommand

    playing, how = taken(GateCommand, values)
    alone = "--half" if playing.half else "--fresh-cards" if playing.fresh_cards else ""
    if alone and (playing.whole or playing.among):
        own = "--whole" if playing.whole else "--among"
        raise click.UsageError(f"{alone} plays every sitting of the two alone: give it or {own}")
    refuse_games(playing.game, filter(None, (playing.mine, playing.baseline)))
    is_of_file = None in (playing.mine, playing.baseline)
    if is_of_file and (not playing.game.endswith(".toml") or playing.given().keys() & OF_TABLES):
        raise click.UsageError("gate GAME MINE BASELINE, or a tournament file with a [gate] alone")
    return play_command(playing, **how)


@command(example="roundsim grow runs/parlour-8c1f04 --strategy mine.py")
@click.argument("run", type=RUN)
@click.option(
    "--strategy",
    "strategies",
    type=STRATEGY,
    multiple=True,
    metavar="STRATEGY",
    help="Joins the run; may be repeated, then one joins after the other.",
)
@click.option(
    "--deals",
    type=COUNT,
    metavar="N",
    help="Deals of each game, including those already played. [default: until the last to join has played as often as the"
    " others]",
)
@click.option("--times", type=COUNT, metavar="N", help="The same for freeze-outs or evenings.")
@click.option(
    "--entry", "entries", type=ENTRY, multiple=True, metavar="ENTRY", help="Only this game of the run; may be repeated."
)
@outside_options
@jobs_option
@workers_option
@wait_option
@isolate_option
@rare_option("--dry-run", is_flag=True, help="Only print what would be played.")
@form_option("table", "json", "csv", "md")
@quiet_option
def grow(**values: Any) -> int:
    """Let a strategy join a RUN, or play more of it.

    Only missing deals are played; finished ones stay as they are. A strategy that joins sits in every block until it has
    played as often as the others."""
    from ..tournament.commands import GrowCommand

    playing, how = taken(GrowCommand, values)
    return play_command(playing, **how)


@command(example="roundsim merge runs/parlour-8c1f04.*of3")
@click.argument("folders", metavar="FOLDER...", nargs=-1, required=True, type=RUN)
@out_option
@outside_options
@form_option("table", "json", "csv", "md")
@quiet_option
def merge(**values: Any) -> int:
    """Join the parts of a run that were played with --shard.

    FOLDER... are the parts, which stay as they are. The result is the same as if one machine had played all."""
    from ..tournament.commands import MergeCommand

    playing, how = taken(MergeCommand, values)
    return run_and_report(Request(playing, workers=playing.merged[1], **how))
