"""Playing tournaments."""

from __future__ import annotations

import shlex
from functools import cache, partial
from pathlib import Path
from typing import Any

import click

from .flags import amount_of, key_value_option, run_options
from .playing import Request, dry_lines, play_out

TITLE = "Play"


def played(request: Request, dry_run: bool) -> int:
    if dry_run:
        click.echo("\n".join(dry_lines(request)))
        return 0
    return play_out(request)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@run_options
def run(file: Path, seed: int | str | None, deals: int | None, times: int | None, dry_run: bool, **how: Any) -> int:
    """Play a tournament FILE, or go on where it was broken off.

    What is finished is kept; the same command plays what is missing."""
    from ..tournament.file import load

    words = ["roundsim", "run", str(file)]
    return played(Request(cache(partial(load, file, seed)), shlex.join(words), amount_of(deals, times), **how), dry_run)


@click.command()
@click.argument("game")
@click.argument("strategies", nargs=-1)
@click.option(
    "--as", "format", metavar="FORMAT", help="round-robin, freeze-out or progressive. [default: by the flags]"
)
@click.option(
    "--seats",
    type=click.IntRange(1),
    help="Players at the table, of a freeze-out at most. [default: one for each strategy, if the game allows it]",
)
@key_value_option("An option of the game; may be repeated.")
@click.option("--sitting", type=click.IntRange(1), help="Deals in a sitting. [default: the game's own]")
@run_options
def play(
    game: str,
    strategies: tuple[str, ...],
    format: str | None,
    options: dict[str, Any],
    seats: int | None,
    sitting: int | None,
    seed: int | str | None,
    deals: int | None,
    times: int | None,
    dry_run: bool,
    **how: Any,
) -> int:
    """Play GAME among STRATEGIES without a tournament file.

    Without strategies, among those of the house.

    A strategy is a name, a path or module:Name, with parameters in brackets: book, 'book(bold=1)', mine.py:Mine.
    One that is named twice enters twice. --times plays freeze-outs, or evenings with --as progressive."""
    from ..contract import plugins
    from ..errors import did_you_mean
    from ..games import find
    from ..tournament import formats
    from ..tournament.file import Places, read
    from ..words import in_toml

    flags = {"--seats": seats, "--sitting": sitting, "--deals": deals, "--times": times}
    given = {flag: value for flag, value in flags.items() if value is not None}
    asked, format = format, format or formats.taking(given)
    if format not in formats.names():
        known = formats.names()
        raise click.UsageError(f"--as must be one of {', '.join(known)}, not {format!r}{did_you_mean(format, known)}")
    keys = {known.flag: key for key, known in formats.find(format).entered_with().items() if known.flag}
    if strays := given.keys() - keys.keys():
        raise click.UsageError(f"{min(strays)} is not of a {format}, which takes {', '.join(keys)}")
    own = [flag for flag in ("--seats", "--sitting") if flag in given]
    entry = {"game": game, "options": options, **{keys[flag]: given[flag] for flag in own}}
    listed = list(strategies) or plugins.field_of(find(game).id)
    data = {"tournament": {"format": format, "strategies": listed}, "games": [entry]}
    load = cache(partial(read, data, Places("command line"), Path(), "", seed))
    words = ["roundsim", "play", game, *strategies, *(["--as", asked] if asked else [])]
    words += [str(word) for flag in own for word in (flag, given[flag])]
    words += [word for key, value in options.items() for word in ("--option", f"{key}={in_toml(value)}")]
    return played(Request(load, shlex.join(words), amount_of(deals, times), **how), dry_run)
