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
from .errors import FolderError, Interrupted, RoundsimError, RulesError
from .playing import Request, dry_lines, play_out, progress_bar, say

if TYPE_CHECKING:
    from .tournament.file import Amount


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
        say(str(error) if error.code != RoundsimError.code else bug(str(error), isinstance(error, RulesError)))
        code = error.code
    except OSError as error:
        say(f"{error.filename or ''}: {error.strerror}".lstrip(": "))
        code = FolderError.code
    except Exception:
        from traceback import format_exc

        say(bug(format_exc()))
        code = RoundsimError.code
    sys.exit(code)


def bug(words: str, of_a_game: bool = False) -> str:
    """Whose bug it is: ours, unless the rules of a game are broken, or a game from outside stands in the traceback."""
    from .loading import loaded_in

    outside = "a game" if of_a_game or "RulesError:" in words else loaded_in(words)
    return f"this is a bug of {outside or 'roundsim'}:\n{words}"


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
            click.option("--times", type=click.IntRange(1), help="How many freeze-outs, or evenings."),
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


def amount_of(deals: int | None, times: int | None) -> Amount | None:
    """How much is to be played, if the command line says it."""
    if deals is not None and times is not None:
        raise click.UsageError("--deals is of a round-robin, --times is of freeze-outs and evenings: give one")
    return ("deals", deals) if deals is not None else None if times is None else ("times", times)


def played(request: Request, dry_run: bool) -> int:
    if dry_run:
        click.echo("\n".join(dry_lines(request)))
        return 0
    return play_out(request)


@cli.command()
@click.argument("file", type=click.Path(path_type=Path))
@run_options
def run(file: Path, seed: int | None, deals: int | None, times: int | None, dry_run: bool, **how: Any) -> int:
    """Play a tournament FILE, or go on where it was broken off.

    What is finished is kept; the same command plays what is missing."""
    from .tournament.file import load

    amount = amount_of(deals, times)
    tournament = load(file, seed, amount)
    return played(Request(tournament, f"roundsim run {shlex.quote(str(file))}", amount, **how), dry_run)


@cli.command()
@click.argument("game")
@click.argument("strategies", nargs=-1)
@click.option("--as", "format", help="round-robin, freeze-out or progressive. [default: with --times freeze-out]")
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
    format: str | None,
    options: dict[str, Any],
    seats: int | None,
    sitting: int | None,
    seed: int | None,
    deals: int | None,
    times: int | None,
    dry_run: bool,
    **how: Any,
) -> int:
    """Play GAME among STRATEGIES without a tournament file.

    Without strategies, among those of the house.

    A strategy is a name, a path or module:Name, with parameters in brackets: book, 'book(bold=1)', mine.py:Mine.
    One that is named twice enters twice. --times plays freeze-outs."""
    from . import plugins
    from .games import find
    from .tournament import formats
    from .tournament.file import Places, read
    from .words import in_toml

    asked, format = format, format or ("round-robin" if times is None else "freeze-out")
    if format not in formats.names():
        raise click.UsageError(f"--as must be one of {', '.join(formats.names())}, not {format!r}")
    flags = {"--seats": seats, "--sitting": sitting, "--deals": deals, "--times": times}
    given = {flag: value for flag, value in flags.items() if value is not None}
    keys = {known.flag: key for key, known in formats.find(format).entered_with().items() if known.flag}
    if strays := given.keys() - keys.keys():
        raise click.UsageError(f"{min(strays)} is not of a {format}, which takes {', '.join(keys)}")
    entry = {"game": game, "options": options, **{keys[flag]: value for flag, value in given.items()}}
    listed = list(strategies) or plugins.field_of(find(game).id)
    data = {"tournament": {"format": format, "strategies": listed}, "games": [entry]}
    tournament = read(data, Places("command line"), Path(), seed=seed)
    words = ["roundsim", "play", game, *strategies, *(["--as", asked] if asked else [])]
    words += [str(word) for flag in ("--seats", "--sitting") if flag in given for word in (flag, given[flag])]
    words += [word for key, value in options.items() for word in ("--option", f"{key}={in_toml(value)}")]
    return played(Request(tournament, shlex.join(words), amount_of(deals, times), **how), dry_run)


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
    from .tournament.folder import RunFolder
    from .tournament.record import in_entry
    from .visits.log import shards

    folder = RunFolder(run)
    tournament = folder.tournament()
    names = [each.name for each in tournament.entries]
    if entry is not None and entry not in names:
        raise click.UsageError(f"no game {entry!r} in this run{did_you_mean(entry, names)}: {', '.join(names)}")
    for shard in shards(tournament, folder):
        if entry in (None, shard.entry.name):
            click.echo("".join([f"{in_entry(shard.entry.name, line)}\n" for line in shard.lines or ()]), nl=False)


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
def replay(what: str, **wished: Any) -> None:
    """Tell a deal of a run, or of a script, step by step.

    RUN:ENTRY/BLOCK/SITTING/DEAL, as runs/parlour-8c1f04:nap/17/2/3, or a script file."""
    from .visits.retell import Wish, retell

    wish, of_a_run = Wish(**wished), ":" in what and not Path(what).exists()
    if wish.script and not of_a_run:
        raise click.UsageError("--script is for a deal of a run: this is a script already")
    if wish.deal and of_a_run:
        raise click.UsageError("--deal is for a script: the deal of a run stands in its address")
    if wish.debug and not wish.strategy:
        raise click.UsageError("--debug goes with --strategy")
    retell(what, click.echo, wish)


@cli.command()
@click.argument("run", type=click.Path(path_type=Path))
def verify(run: Path) -> int:
    """Replay every deal of a RUN and recompute every number.

    The first that disagrees is named."""
    from .report import missing_shards
    from .tournament.folder import RunFolder
    from .visits.verify import verify as verify_run
    from .words import so_many

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
@click.option("--page", metavar="PAGE", help="Only the rules at this page, 'law 33' or section of the book.")
@click.option("--long", is_flag=True, help="With every rule, in the order of the book.")
@form_option("text", "json")
def rules(game: str, page: str | None, long: bool, form: str) -> None:
    """The rules of GAME, its phases, views and options."""
    from . import explain
    from .games import find

    found = find(game)
    click.echo(explain.rules(found, form, long) if page is None else explain.rules_at(found, page, form), nl=False)


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

    And the same twice, and without what they may not see: hidden cards, clocks."""
    from .check import check_all

    return check_all(strategies, deals, seconds, game)


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
