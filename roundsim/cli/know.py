"""Commands that show games and their rules, strategies, odds, and the schemas of files."""

from __future__ import annotations

from typing import Any

import click

from .completing import GAME_ID, STRATEGY
from .flags import Within, form_option, key_value_option, outside_options
from .helping import command
from .playing import echo
from .progress import progress_bar

TITLE = "Look up"


@command(example="roundsim games")
@form_option("table", "json")
def games(form: str) -> None:
    """The games that can be played."""
    from ..reports import explain

    click.echo(explain.games(form), nl=False)


@command(example="roundsim rules loo --page 21")
@click.argument("game", type=GAME_ID)
@click.option(
    "--page",
    metavar="PAGE",
    help="Only the rules at this page, 'law 33' or section, with the file and line of each.",
)
@click.option("--long", is_flag=True, help="Also every rule, in the order of the book, and why it moves counters.")
@click.option("--example", is_flag=True, help="One deal, explained step by step.")
@key_value_option("An option that makes the form; may be repeated.")
@click.option("--players", type=Within(1, 100), metavar="N", help="The number of players. [default: a usual number]")
@form_option("text", "json")
def rules(
    game: str, page: str | None, long: bool, example: bool, options: dict[str, object], players: int | None, form: str
) -> None:
    """The rules of GAME, its phases, views and options.

    A game has several forms: `--option` says which one is taught."""
    from ..games import named
    from ..replaying.example import example_rules, explained, explained_data
    from ..reports import explain
    from ..table.teaching import form_of

    if (page is not None) + long + example > 1:
        raise click.UsageError("--page shows one place, --long all rules, --example one deal: give one of them")
    table = form_of(named(game), players, options)
    if page is not None:
        text = explain.rules_at(table, page, form)
    elif example:
        text = explain.json_text(explained_data(table)) if form == "json" else "\n".join(explained(table)) + "\n"
    else:
        text = explain.rules(table, example_rules(table.of), form, long)
    click.echo(text, nl=False)


@command(example="roundsim strategies nap")
@click.argument("paths", nargs=-1, type=STRATEGY)
@form_option("table", "json")
def strategies(paths: tuple[str, ...], form: str) -> int:
    """The strategies that are installed, or those in PATHS.

    The name of a game shows how strong those are that play it."""
    from ..base.errors import PluginError
    from ..reports import explain

    broken: list[str] = []
    click.echo(explain.strategies(paths, form, broken), nl=False)
    for line in broken:
        echo(line)
    return PluginError.code if paths and broken else 0


@command(example="roundsim schema tournament")
@click.argument("name")
@outside_options
def schema(name: str) -> None:
    """The JSON Schema of a file or a protocol.

    NAME is bot, league, league-standings, standings, tournament or wire."""
    from ..reports import explain, schemas

    click.echo(explain.json_text(schemas.schema(name)), nl=False)


@command(example="roundsim odds --hold '9s 9h' --out 'Kc 7d 2s'")
@click.option("--hold", default="", metavar="CARDS", help="Cards that are held: 'As Ad'. [default: none, the deal]")
@click.option("--draw", type=Within(0, 5), metavar="N", help="Cards drawn. [default: up to five with those held]")
@click.option(
    "--out", default="", metavar="CARDS", help="Cards that cannot come: discarded, or seen elsewhere. [default: none]"
)
@click.option("--ranking", metavar="NAME", help="american or foster; english; straight or stud. [default: american]")
@click.option(
    "--pack",
    type=click.Choice(["52", "53", "60"]),
    help="53: with the joker; 60: with elevens and twelves. [default: 52]",
)
@key_value_option("An option of the ranking; may be repeated.")
@click.option("--book", is_flag=True, help="Foster's printed odds next to the exact ones, and why they differ.")
@form_option("table", "json", "csv", "md")
def odds(
    hold: str,
    draw: int | None,
    out: str,
    ranking: str | None,
    pack: str | None,
    options: dict[str, Any],
    book: bool,
    form: str,
) -> None:
    """How many poker hands of each class there are, and the odds of a draw.

    The counts are exact: of hands that are dealt, or of cards that are drawn to those that are held.

    \b
      roundsim odds --ranking english --pack 53
      roundsim odds --hold '9s 9h' --out 'Kc 7d 2s'
      roundsim odds --option blaze=foster --option skip=wray

    american is Foster's ranking, english Baxter-Wray's, straight or stud has no straight flushes. The options ace to
    pack in `roundsim rules draw-poker` change it."""
    from ..odds import report as odds_report
    from ..odds.count import PACK_OPTIONS, rules_of
    from ..odds.count import odds as reckon

    if book:
        if hold or draw is not None or out or ranking or pack or options:
            raise click.UsageError("--book is of Foster's own hands and ranking: it goes with --format only")
        click.echo(odds_report.book(form), nl=False)
        return
    if pack and (twice := [key for key in PACK_OPTIONS[pack] if key in options]):
        raise click.UsageError(f"--pack {pack} with --option {twice[0]}: the pack is named once")
    rules = rules_of(ranking or "american", {**options, **PACK_OPTIONS.get(pack or "", {})})
    with progress_bar() as watch:
        chances = reckon(rules, hold, out, draw, watch)
    click.echo(odds_report.odds_in_format(chances, ranking or "american", rules, form), nl=False)
