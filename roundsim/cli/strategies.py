"""Strategies: what there is, trying one, beginning one."""

from __future__ import annotations

import click

from .flags import form_option

TITLE = "Strategies"


@click.command()
@click.argument("paths", nargs=-1)
@form_option("table", "json")
def strategies(paths: tuple[str, ...], form: str) -> None:
    """The strategies that are installed, or those in PATHS."""
    from ..reports import explain

    click.echo(explain.strategies(paths, form), nl=False)


@click.command()
@click.argument("strategies", nargs=-1, required=True)
@click.option("--game", help="Only this one; a path brings a game of your own. [default: all that they play]")
@click.option("--deals", type=click.IntRange(1), default=200, show_default=True, help="Deals of each game.")
@click.option(
    "--seconds",
    type=click.FloatRange(0.01, 3600),
    default=1.0,
    show_default=True,
    help="The limit for one decision, CPU time.",
)
def check(strategies: tuple[str, ...], game: str | None, deals: int, seconds: float) -> int:
    """Try whether STRATEGIES load and play without a fault.

    And the same twice, and without what they may not see: hidden cards, clocks, files that they do not name."""
    from ..visits.check import check_all

    return check_all(strategies, deals, seconds, game)


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
