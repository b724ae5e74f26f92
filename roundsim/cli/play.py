"""Playing tournaments."""

from __future__ import annotations

import shlex
from functools import cache, partial
from pathlib import Path
from typing import Any

import click

from .flags import amount_of, key_value_option, run_options, sitting_option, until_option
from .playing import Request, dry_lines, play_out

TITLE = "Play"


def played(request: Request, dry_run: bool) -> int:
    if dry_run:
        click.echo("\n".join(dry_lines(request)))
        return 0
    return play_out(request)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@until_option
@run_options
def run(
    file: Path,
    seed: int | str | None,
    deals: int | None,
    times: int | None,
    until: str | None,
    dry_run: bool,
    **how: Any,
) -> int:
    """Play a tournament FILE, or go on where it was broken off.

    What is finished is kept; the same command plays what is missing."""
    from ..tournament.file import load

    words = ["roundsim", "run", str(file), *(["--until", until] if until else [])]
    load_so = cache(partial(load, file, seed, until=until))
    return played(Request(load_so, shlex.join(words), amount_of(deals, times), **how), dry_run)


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
@sitting_option
@until_option
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
    until: str | None,
    dry_run: bool,
    **how: Any,
) -> int:
    """Play GAME among STRATEGIES without a tournament file.

    Without strategies, among those of the house.

    A strategy is a name, a path, module:Name or git:REVISION:PATH, with parameters in brackets: book, 'book(bold=1)',
    mine.py:Mine. NAME= before it names it: new=mine.py old=git:HEAD~1:mine.py. One that is named twice enters twice.
    --times plays freeze-outs, or evenings with --as progressive."""
    from ..contract import plugins
    from ..errors import did_you_mean
    from ..games import find
    from ..tournament import formats
    from ..tournament.file import read
    from ..tournament.places import Places
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
    load = cache(partial(read, data, Places("command line"), Path(), "", seed, until=until))
    words = ["roundsim", "play", game, *strategies, *(["--as", asked] if asked else [])]
    words += [str(word) for flag in own for word in (flag, given[flag])]
    words += [word for key, value in options.items() for word in ("--option", f"{key}={in_toml(value)}")]
    words += ["--until", until] if until else []
    return played(Request(load, shlex.join(words), amount_of(deals, times), **how), dry_run)


@click.command()
@click.argument("what", metavar="GAME")
@click.argument("mine", required=False)
@click.argument("baseline", required=False)
@click.option("--margin", type=click.FloatRange(0), default=0.0, help="Pass what is not worse by so much, too.")
@click.option("--seats", type=click.IntRange(2), help="Players at the table. [default: as is usual in the game]")
@key_value_option("An option of the game; may be repeated.")
@sitting_option
@run_options
def gate(
    what: str,
    mine: str | None,
    baseline: str | None,
    margin: float,
    seats: int | None,
    options: dict[str, Any],
    sitting: int | None,
    seed: int | str | None,
    deals: int | None,
    times: int | None,
    dry_run: bool,
    **how: Any,
) -> int:
    """Whether strategy MINE is better than BASELINE at GAME.

    Several games have commas between them; a tournament file with a [gate], in place of GAME, has all in it. Both play at one
    table until it is told, for --deals at the most. [default: 1000 blocks]

    Exit codes: 0 better, 1 worse, 3 undecided; 2 if a strategy misbehaved."""
    from ..games import find
    from ..tournament.file import load, read
    from ..tournament.places import Places
    from ..tournament.stopping import is_gate
    from ..words import in_toml

    if mine is None or baseline is None:
        strays = mine or options or seats or sitting or margin
        if strays or not what.endswith(".toml"):
            raise click.UsageError("gate GAME MINE BASELINE, or a tournament file with a [gate] alone")
        loading, words = partial(load, what, seed), ["roundsim", "gate", what]
    else:
        table = {"options": options, **({"sitting": sitting} if sitting else {})}
        games = [{"game": game, "players": seats or find(game).usual[0], **table} for game in what.split(",")]
        data = {"tournament": {"strategies": [mine, baseline]}, "games": games}
        loading = partial(read, data, Places("command line"), Path(), "", seed, margin=margin)
        words = ["roundsim", "gate", what, mine, baseline, *(["--margin", f"{margin:g}"] if margin else [])]
        for flag, value in ("--seats", seats), ("--sitting", sitting):
            words += [flag, str(value)] if value else []
        words += [word for key, value in options.items() for word in ("--option", f"{key}={in_toml(value)}")]
    request = Request(cache(loading), shlex.join(words), amount_of(deals, times), gate=True, **how)
    if not is_gate(request.tournament.stopping):
        raise click.UsageError(f"{what} has no [gate]")
    return played(request, dry_run)
