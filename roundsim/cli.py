"""The command line: words in and out.  Everything it does can be called from Python."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import __version__
from .errors import FolderError, Interrupted, RoundsimError
from .playing import play_out, progress_bar, say

if TYPE_CHECKING:
    from .tournament.plan import Tournament


def main(arguments: list[str] | None = None) -> None:
    """The console script: runs a command and exits with a documented code."""
    try:
        code = cli.main(arguments, prog_name="roundsim", standalone_mode=False) or 0
        sys.stdout.flush()
    except click.exceptions.Exit as stop:
        code = stop.exit_code
    except click.ClickException as error:
        error.show()
        code = 64
    except (click.Abort, KeyboardInterrupt):
        code = 130
    except Interrupted as stop:
        code = stop.code
    except (
        BrokenPipeError,
        SystemExit,
    ):  # the reader has had enough, roundsim log RUN | head; click answers by an exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except RoundsimError as error:
        say(str(error) if error.code != RoundsimError.code else f"this is a bug of roundsim:\n{error}")
        code = error.code
    except OSError as error:
        say(f"{error.filename or ''}: {error.strerror}".lstrip(": "))
        code = FolderError.code
    except Exception:
        from traceback import format_exc

        say(f"this is a bug of roundsim:\n{format_exc()}")
        code = RoundsimError.code
    sys.exit(code)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="roundsim")
def cli() -> None:
    """Old round games with cards, played by programs: deals, tournaments, honest standings.

    Exit codes: 0 done and clean; 1 settle or verify found a difference; 2 a strategy misbehaved; 64 wrong command line
    or tournament file; 65 damaged or foreign input; 66 a strategy cannot be loaded; 70 a bug of roundsim; 73 cannot
    write, or the folder is in use or holds another run; 130, 143 interrupted."""


def form_option(*forms: str) -> Callable[[Any], Any]:
    return click.option(
        "--format", "form", type=click.Choice(forms), default=forms[0], show_default=True, help="How to print it."
    )


def seed_of(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    if value is None or value == "random":
        if value:
            import secrets

            return secrets.randbelow(10**9)
        return None
    if not value.isdecimal() or int(value) >= 1 << 63:
        raise click.BadParameter(f"a whole number below 2**63, or random; not {value!r}")
    return int(value)


def key_value(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for value in values:
        key, equals, text = value.partition("=")
        if not equals or not key:
            raise click.BadParameter(f"write key=value, not {value!r}")
        options[key] = toml_value(text)
    return options


def key_value_option(help: str) -> Callable[[Any], Any]:
    return click.option("--option", "options", multiple=True, callback=key_value, metavar="KEY=VALUE", help=help)


def toml_value(text: str) -> Any:
    """What a TOML file would have after the equals sign; a bare word is a text."""
    import tomllib

    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def run_options(command: Any) -> Any:
    """The flags that `run` and `play` share."""
    for option in reversed(
        [
            click.option(
                "--seed",
                callback=seed_of,
                metavar="N",
                help="The seed, or `random` to draw one. [default: 1, or the file's]",
            ),
            click.option("--deals", type=click.IntRange(1), help="Deals of each game, rounded up to whole blocks."),
            click.option("--times", type=click.IntRange(1), help="How many freeze-outs."),
            click.option("--jobs", type=click.IntRange(1), metavar="N", help="Processes. [default: one for each core]"),
            click.option(
                "--out",
                type=click.Path(file_okay=False, path_type=Path),
                metavar="DIR",
                help="The run folder. [default: runs/NAME-xxxxxx]",
            ),
            click.option("--dry-run", is_flag=True, help="Only say what would be played."),
            form_option("table", "json", "csv", "md"),
        ]
    ):
        command = option(command)
    return command


@cli.command()
@click.argument("file", type=click.Path(path_type=Path))
@run_options
def run(
    file: Path,
    seed: int | None,
    deals: int | None,
    times: int | None,
    jobs: int | None,
    out: Path | None,
    dry_run: bool,
    form: str,
) -> int:
    """Play a tournament FILE, or go on where it was broken off.

    What is finished is kept; the same command plays what is missing."""
    from .tournament.file import load

    tournament = load(file, seed=seed, deals=deals, times=times)
    check_unit(tournament, deals, times)
    return play_out(tournament, out, jobs, dry_run, form, f"roundsim run {shlex.quote(str(file))}", deals, times)


@cli.command()
@click.argument("game")
@click.argument("strategies", nargs=-1)
@click.option(
    "--seats",
    type=click.IntRange(1),
    help="Players at the table. [default: one for each strategy, if the game allows it]",
)
@key_value_option("An option of the game; may be repeated.")
@click.option("--sitting", type=click.IntRange(1), help="Deals in a sitting. [default: the game's own]")
@run_options
def play(
    game: str,
    strategies: tuple[str, ...],
    seats: int | None,
    options: dict[str, Any],
    sitting: int | None,
    seed: int | None,
    deals: int | None,
    times: int | None,
    jobs: int | None,
    out: Path | None,
    dry_run: bool,
    form: str,
) -> int:
    """Play GAME among STRATEGIES without a tournament file.

    Without strategies, among those of the house.

    A strategy is a name, a path or module:Name, with parameters in brackets: book, 'book(bold=1)', mine.py:Mine.
    One that is named twice enters twice. --times plays freeze-outs."""
    from . import plugins
    from .games import find
    from .script import in_toml
    from .tournament.file import Places, read

    listed = list(strategies) or plugins.field_of(find(game).id)
    entry: dict[str, Any] = {"game": game, "options": options}
    if times is None:
        entry |= {key: value for key, value in (("players", seats), ("sitting", sitting)) if value is not None}
    elif sitting is not None or deals is not None:
        raise click.UsageError("--sitting and --deals are of a round-robin, --times is of freeze-outs")
    elif seats is not None:
        entry["max_seats"] = seats
    data = {
        "tournament": {"format": "round-robin" if times is None else "freeze-out", "strategies": listed},
        "games": [entry],
    }
    tournament = read(data, Places("command line"), Path(), game, seed=seed, deals=deals, times=times)
    words = [
        "roundsim",
        "play",
        game,
        *strategies,
        *(["--seats", seats] if seats else []),
        *(["--sitting", sitting] if sitting else []),
    ]
    words += [word for key, value in options.items() for word in ("--option", f"{key}={in_toml(value)}")]
    return play_out(tournament, out, jobs, dry_run, form, shlex.join(map(str, words)), deals, times)


def check_unit(tournament: Tournament, deals: int | None, times: int | None) -> None:
    if deals is not None and tournament.format == "freeze-out":
        raise click.UsageError("--deals is of a round-robin; this file plays freeze-outs: --times")
    if times is not None and tournament.format == "round-robin":
        raise click.UsageError("--times is of freeze-outs; this file plays a round-robin: --deals")


@cli.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
def settle(paths: tuple[Path, ...]) -> int:
    """Play scripted deals and check what they come to.

    Files are named, or folders of them."""
    from .settle import settle as settle_all

    outcome = settle_all(paths)
    for line in outcome.lines:
        click.echo(line)
    for line in outcome.foreign:
        say(line)
    click.echo(f"{outcome.passed} passed, {outcome.failed} failed")
    return 65 if outcome.foreign else 1 if outcome.failed else 0


@cli.command()
@click.argument("run", type=click.Path(path_type=Path))
@form_option("table", "json", "csv", "md")
def standings(run: Path, form: str) -> None:
    """The standings of a RUN, finished or not."""
    from . import report
    from .tournament.folder import RunFolder
    from .tournament.run import fold

    folder = RunFolder(run)
    tournament = folder.tournament()
    folds, missing = fold(tournament, folder)
    click.echo(report.in_format(tournament, folds, form), nl=False)
    if missing:
        say(f"unfinished: {report.missing_shards(missing)}")


@cli.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--game", "entry", help="Only this entry of the tournament.")
def log(run: Path, entry: str | None) -> None:
    """The deals of a RUN as text, a line each.

    A line has the deal's address, its dealer, the nets by seat, and the actions.

    A line that begins with = says who sits in the seats 0, 1, 2 ... from there on. An action with ! was played for a
    strategy at fault."""
    from .errors import did_you_mean
    from .replay import shards
    from .tournament.folder import RunFolder

    folder = RunFolder(run)
    tournament = folder.tournament()
    names = [each.name for each in tournament.entries]
    if entry is not None and entry not in names:
        raise click.UsageError(f"no game {entry!r} in this run{did_you_mean(entry, names)}: {', '.join(names)}")
    for each, _, _, lines, _ in shards(tournament, folder):
        if entry in (None, each.name):
            click.echo(
                "".join(
                    f"= {each.name}/{line[2:]}\n" if line.startswith("= ") else f"{each.name}/{line}\n"
                    for line in lines
                ),
                nl=False,
            )


@cli.command()
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
def replay(
    what: str, seat: str | None, deal: int | None, script: Path | None, strategy: str | None, debug: bool
) -> int:
    """Tell a deal of a run, or of a script, step by step.

    RUN:ENTRY/BLOCK/SITTING/DEAL, as runs/parlour-8c1f04:nap/17/2/3, or a script file."""
    from .retell import retell

    of_a_run = ":" in what and not Path(what).exists()
    if script and not of_a_run:
        raise click.UsageError("--script is for a deal of a run: this is a script already")
    if deal and of_a_run:
        raise click.UsageError("--deal is for a script: the deal of a run stands in its address")
    if debug and not strategy:
        raise click.UsageError("--debug goes with --strategy")
    return retell(what, click.echo, seat, deal, script, strategy, debug)


@cli.command()
@click.argument("run", type=click.Path(path_type=Path))
def verify(run: Path) -> int:
    """Replay every deal of a RUN and recompute every number.

    The first that disagrees is named."""
    from .replay import verify as verify_run
    from .report import missing_shards, so_many
    from .tournament.folder import RunFolder

    deals, missing = verify_run(RunFolder(run))
    click.echo(f"{so_many(deals, 'deal')} verified" + (f"; {missing_shards(missing)}" if missing else ""))
    return 0


@cli.command()
@form_option("table", "json")
def games(form: str) -> None:
    """The games that can be played."""
    from . import explain

    click.echo(explain.games(form), nl=False)


@cli.command()
@click.argument("game")
@form_option("text", "json")
def rules(game: str, form: str) -> None:
    """The rules of GAME, its phases, views and options."""
    from . import explain
    from .games import find

    click.echo(explain.rules(find(game), form), nl=False)


@cli.command()
@click.option("--hold", default="", metavar="CARDS", help="Cards that are held: 'As Ad'. [default: none, the deal]")
@click.option(
    "--draw", type=click.IntRange(0, 5), metavar="N", help="Cards drawn. [default: up to five with those held]"
)
@click.option(
    "--out", default="", metavar="CARDS", help="Cards that cannot come: put out, or seen elsewhere. [default: none]"
)
@click.option("--ranking", metavar="NAME", help="american or foster; english; straight or stud. [default: american]")
@click.option(
    "--pack",
    type=click.Choice(["52", "53", "60"]),
    help="53: with the joker; 60: with elevens and twelves. [default: 52]",
)
@key_value_option("An option of the ranking; may be repeated.")
@click.option("--book", is_flag=True, help="Foster's printed odds of the deal and the draw beside the exact ones.")
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
    """How many poker hands of each class there are, and odds.

    Exact counts, of hands that are dealt or of cards drawn to those that are held.

    \b
      roundsim odds --ranking english --pack 53
      roundsim odds --hold '9s 9h' --out 'Kc 7d 2s'
      roundsim odds --option blaze=foster --option skip=wray

    american is Foster's ranking, english Baxter-Wray's, straight or stud has no straight flushes. The options ace to
    pack in `roundsim rules draw-poker` change it."""
    from . import odds_report
    from .odds import PACKS, rules_of
    from .odds import odds as reckon

    if book:
        if hold or draw is not None or out or ranking or pack or options:
            raise click.UsageError("--book is of Foster's own hands and ranking: it goes with --format only")
        click.echo(odds_report.book(form), nl=False)
        return
    if pack and (twice := [key for key in PACKS[pack] if key in options]):
        raise click.UsageError(f"--pack {pack} with --option {twice[0]}: the pack is named once")
    rules = rules_of(ranking or "american", {**options, **PACKS.get(pack or "", {})})
    with progress_bar() as watch:
        found = reckon(rules, hold, out, draw, watch)
    click.echo(odds_report.in_format(found, ranking or "american", rules, form), nl=False)


@cli.command()
@click.argument("paths", nargs=-1)
@form_option("table", "json")
def strategies(paths: tuple[str, ...], form: str) -> None:
    """The strategies that are installed, or those in PATHS."""
    from . import explain

    click.echo(explain.strategies(paths, form), nl=False)


@cli.command()
@click.argument("strategies", nargs=-1, required=True)
@click.option("--deals", type=click.IntRange(1), default=200, show_default=True, help="Deals of each game.")
@click.option(
    "--seconds",
    type=click.FloatRange(0.01, 3600),
    default=1.0,
    show_default=True,
    help="The limit for one decision, CPU time.",
)
def check(strategies: tuple[str, ...], deals: int, seconds: float) -> int:
    """Try whether STRATEGIES load and play without a fault.

    And the same twice, and without what they may not see: hidden cards, clocks."""
    from .check import check_all

    return check_all(strategies, deals, seconds)


@cli.group()
def new() -> None:
    """Begin something: `roundsim new strategy mine --game nap`."""


@new.command("strategy")
@click.argument("name")
@click.option("--game", default="nap", show_default=True, help="The game it plays.")
def new_strategy(name: str, game: str) -> None:
    """Write NAME.py, a strategy to begin with, and test_NAME.py, a test for it."""
    from .new import strategy

    for path in strategy(name, game):
        click.echo(f"wrote {path}")
