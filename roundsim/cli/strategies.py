"""Strategies: what there is, trying one, beginning one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .flags import form_option, key_value_option
from .playing import say

TITLE = "Strategies"


@click.command()
@click.argument("paths", nargs=-1)
@form_option("table", "json")
def strategies(paths: tuple[str, ...], form: str) -> int:
    """The strategies that are installed, or those in PATHS."""
    from ..errors import PluginError
    from ..reports import explain

    broken: list[str] = []
    click.echo(explain.strategies(paths, form, broken), nl=False)
    for words in broken:
        say(words)
    return PluginError.code if paths and broken else 0


@click.command()
@click.argument("strategies", nargs=-1, required=True)
@click.option("--game", help="Only this one; a path brings a game of your own. [default: all that they play]")
@key_value_option("An option of the game; may be repeated. Only games that have it are played.")
@click.option("--seats", type=click.IntRange(1), help="Players at the table. [default: the game's own]")
@click.option("--deals", type=click.IntRange(1), default=200, show_default=True, help="Deals of each game.")
@click.option(
    "--seconds",
    type=click.FloatRange(0.01, 3600),
    default=1.0,
    show_default=True,
    help="The limit for one decision, CPU time, and for waiting in it.",
)
@click.option(
    "--memory",
    type=click.IntRange(128, 1 << 20),
    default=1024,
    show_default=True,
    metavar="MB",
    help="The limit for the process.",
)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default="check-scripts",
    show_default=True,
    metavar="DIR",
    help="Where scripts of what fails are written.",
)
def check(
    strategies: tuple[str, ...],
    game: str | None,
    options: dict[str, Any],
    seats: int | None,
    deals: int,
    seconds: float,
    memory: int,
    out: Path,
) -> int:
    """Try whether STRATEGIES load and play without a fault.

    And the same twice, and without what they may not see: hidden cards, clocks, files that they do not name."""
    from ..tournament.plan import Limits
    from ..visits.check import How, check_all

    return check_all(strategies, How(game, options, seats, deals, Limits(seconds, memory), out))


@click.group()
def new() -> None:
    """Begin something: `roundsim new strategy mine --game nap`."""


@new.command("strategy")
@click.argument("name")
@click.option("--game", default="nap", show_default=True, help="The game it plays.")
def new_strategy(name: str, game: str) -> None:
    """Write NAME.py, a strategy to begin with, and test_NAME.py, a test for it."""
    from ..contract.new import strategy

    for path in strategy(name, game):
        click.echo(f"wrote {path}")
