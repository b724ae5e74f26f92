"""Writing strategies and games: a beginning, and trying what was written."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import click

from .completing import GAME_ID, STRATEGY
from .flags import COUNT, Within, game_option, isolate_option, key_value_option
from .helping import Command, CommandGroup, command, rare_option
from .playing import echo

TITLE = "Write"


@click.group(cls=CommandGroup)
def new() -> None:
    """Begin a strategy, a bot or a league."""


@new.command("strategy", cls=Command, example="roundsim new strategy mine --game nap")
@click.argument("name")
@click.option("--game", type=GAME_ID, default="nap", show_default=True, metavar="GAME", help="The game it plays.")
def new_strategy(name: str, game: str) -> None:
    """Write NAME.py, a strategy to begin with, and test_NAME.py, a test for it."""
    from ..base.finding import is_path
    from ..sources.new import strategy

    written, of_file = strategy(name, game), f" --game {shlex.quote(game)}" * is_path(game)
    for path in written:
        click.echo(f"wrote {path}")
    click.echo(f"next  roundsim check {shlex.quote(str(written[0]))}{of_file}")


@new.command("bot", cls=Command, example="roundsim new bot mine --language c")
@click.argument("name")
@click.option(
    "--language",
    type=click.Choice(["c", "javascript", "go", "shell", "python"]),
    required=True,
    help="The language it is written in.",
)
def new_bot(name: str, language: str) -> None:
    """Write a folder NAME with a bot in any language: a program to begin with, and its bot.toml."""
    from ..sources.new import bot, command_after

    for path in bot(name, language):
        click.echo(f"wrote {path}")
    click.echo(f"next  {command_after(name, language)}")


@new.command("league", cls=Command, example="roundsim new league my-league --game nap")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--game", type=GAME_ID, default="nap", show_default=True, metavar="GAME", help="The game it plays.")
def new_league(folder: Path, game: str) -> None:
    """Begin a league in DIR: its rules, a page for entrants, and workflows for GitHub and GitLab."""
    from ..league.new import scaffold

    for path in scaffold(folder, game):
        click.echo(f"wrote {path}")
    click.echo(f"next  put entries into {folder / 'entries'}, then roundsim league {shlex.quote(str(folder))}")


@command(example="roundsim check mine.py --against git:HEAD")
@click.argument("strategies", nargs=-1, required=True, type=STRATEGY)
@click.option(
    "--game",
    type=GAME_ID,
    metavar="GAME",
    help="Only this game, or the file of your own: old_maid.py. [default: all that they play]",
)
@key_value_option("An option of the game; may be repeated. Only games that have it are tested.")
@click.option(
    "--seats",
    type=COUNT,
    metavar="N",
    help="Players at the table, in games that allow this number. [default: as is usual in the game]",
)
@click.option("--deals", type=Within(1, 10**6), default=200, show_default=True, metavar="N", help="Deals of each game.")
@click.option(
    "--against",
    type=STRATEGY,
    metavar="STRATEGY",
    help="Ask another version the same questions, too; git:HEAD is the same file as it was committed.",
)
@rare_option(
    "--seconds",
    type=Within(0.01, 3600, float),
    default=1.0,
    show_default=True,
    metavar="S",
    help="The limit for one decision: CPU time, and also the time that it waits.",
)
@rare_option(
    "--memory",
    type=Within(128, 1 << 20),
    default=1024,
    show_default=True,
    metavar="MB",
    help="The memory limit of the process.",
)
@isolate_option
@rare_option(
    "--out",
    "scripts",
    type=click.Path(file_okay=False, path_type=Path),
    default="check-scripts",
    show_default=True,
    metavar="DIR",
    help="The folder for scripts of what fails or differs.",
)
def check(strategies: tuple[str, ...], seconds: float, memory: int, isolate: str | None, **tried: Any) -> int:
    """Check that STRATEGIES load, and play without a fault.

    It also checks that they play the same twice, and without what they may not see: hidden cards, clocks, files that they
    do not name."""
    from ..tournament.planning.plan import Limits
    from ..trial.check import check_all
    from ..trial.trial import TrialOptions

    limits = Limits(seconds, memory, isolate=isolate or "auto")
    return check_all(strategies, TrialOptions(limits=limits, **tried))


@command(example="roundsim settle tests/deals/nap")
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@game_option
def settle(paths: tuple[Path, ...]) -> int:
    """Play scripted deals and check their results.

    PATHS are files of scripts, or folders of them."""
    from ..replaying.settle import settle as settle_all

    outcome = settle_all(paths)
    for line in outcome.lines:
        click.echo(line)
    for line in outcome.foreign:
        echo(line)
    click.echo(f"{outcome.passed} passed, {outcome.failed} failed")
    return 65 if outcome.foreign else 1 if outcome.failed else 0
