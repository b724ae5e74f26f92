"""The command line: words in and out.  Everything it does can be called from Python."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import __version__

if TYPE_CHECKING:
    from .tournament.plan import Tournament
    from .tournament.run import Progress, Result

CODES = {
    "SettleError": 1,
    "DisagreesError": 1,
    "StrategyFault": 2,
    "TournamentError": 64,
    "UnknownGameError": 64,
    "OptionError": 64,
    "OddsError": 64,
    "StrategyError": 64,
    "UsageError": 64,
    "ScriptError": 65,
    "LogError": 65,
    "PluginError": 66,
    "FolderError": 73,
}
WORK_CODES = {"abort": 2, "plugin": 66, "bug": 70, "unwritable": 73}


class Interrupted(BaseException):
    """A signal that ends the command: 2 (Ctrl-C) or 15."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


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
        code = 128 + stop.number
    except BrokenPipeError:  # the reader has had enough: roundsim log RUN | head
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except Exception as error:
        code = code_of(error)
    sys.exit(code)


def code_of(error: Exception) -> int:
    """Say what is wrong in its own words; the exit code that belongs to it."""
    name = type(error).__name__
    if name in CODES:
        say(str(error))
        return CODES[name]
    if name == "WorkError":
        kind = error.kind  # type: ignore[attr-defined]
        say(str(error))
        return WORK_CODES[kind]
    if isinstance(error, OSError):
        say(f"{error.filename or ''}: {error.strerror}".lstrip(": "))
        return 73
    from traceback import format_exc

    click.echo(f"roundsim: this is a bug of roundsim:\n{format_exc()}", err=True)
    return 70


def say(words: str) -> None:
    click.echo(
        "\n".join(
            f"roundsim: {line}" if at == 0 else f"          {line}" if not line.startswith(" ") else line
            for at, line in enumerate(words.splitlines())
        ),
        err=True,
    )


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
    """Play a tournament FILE; the same command goes on where it was interrupted, and plays what is missing."""
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
@click.option(
    "--option",
    "options",
    multiple=True,
    callback=key_value,
    metavar="KEY=VALUE",
    help="An option of the game; may be repeated.",
)
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
    """Play GAME among STRATEGIES without a file; without strategies, among those of the house.

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


def play_out(
    tournament: Tournament,
    out: Path | None,
    jobs: int | None,
    dry_run: bool,
    form: str,
    again: str,
    deals: int | None,
    times: int | None,
) -> int:
    """Play a tournament and print what it came to."""
    from . import report
    from .tournament.run import cores
    from .tournament.run import run as play_tournament
    from .workers.local import WorkError

    folder = out or Path("runs") / tournament.folder_name()
    again += (
        f" --seed {tournament.seed}" + (f" --deals {deals}" if deals else "") + (f" --times {times}" if times else "")
    )
    again += f" --out {shlex.quote(str(out))}" if out else ""
    if dry_run:
        click.echo("\n".join(dry_lines(tournament, folder, jobs or cores())))
        return 0
    line = ProgressLine(tournament)
    try:
        with signals():
            result = play_tournament(tournament, folder, jobs, line.show)
    except (Interrupted, KeyboardInterrupt) as stop:
        line.clear()
        click.echo(f"roundsim: interrupted; what is finished is kept in {folder}\ncontinue {again}", err=True)
        raise Interrupted(getattr(stop, "number", signal.SIGINT)) from None
    except WorkError as error:
        line.clear()
        if error.script:
            path = folder / "bug.toml"
            path.write_text(error.script, "utf-8")
            say(f"a deal that shows this bug: {path}")
        raise
    line.clear()
    done = (
        f"{result.seconds:.1f} s on {result.jobs} process{'es' * (result.jobs != 1)}"
        if result.played
        else "nothing left to play"
    )
    if form == "table":
        click.echo(report.tables(result.tournament, result.folds, tail=done))
        click.echo(f"results  {folder}/\nrepeat   {again}")
    else:
        click.echo(report.in_format(result.tournament, result.folds, form), nl=False)
    return tell_faults(result, folder)


def tell_faults(result: Result, folder: Path) -> int:
    """The first fault in words; the exit code."""
    from . import report

    first = next(iter(report.faults(result.tournament, result.folds)), None)
    if first:
        where = f" ({first['where'][-1]})" if first["where"] else ""
        say(
            f"faults: {first['strategy']} in {first['deal']}: {first['words']}{where}\n"
            f"again: roundsim replay {folder}:{first['deal']}\nall of them: {folder}/faults.jsonl"
        )
    if result.faults > result.tournament.limits.faults_allowed:
        return 2
    return 0


def dry_lines(tournament: Tournament, folder: Path, jobs: int) -> Iterator[str]:
    from .script import in_toml

    yield f"{tournament.name} · {tournament.format} · seed {tournament.seed} · {jobs} process{'es' * (jobs != 1)} · {folder}/"
    for entry in tournament.entries:
        what = (
            f"{entry.blocks} freeze-outs of {len(entry.strategies)} at tables of up to {entry.max_seats}, stack {entry.stack}"
            if entry.format == "freeze-out"
            else f"{entry.blocks * entry.block_deals} deals in {entry.blocks} blocks of {entry.block_deals}"
            f" ({entry.players} seats x {entry.sitting} deals)"
        )
        yield f"  {entry.name}: {entry.game}, {what}"
        if entry.options:
            yield f"    options     {', '.join(f'{key} = {in_toml(value)}' for key, value in entry.options.items())}"
        yield f"    strategies  {', '.join(entry.labels)}"


@contextmanager
def signals() -> Iterator[None]:
    """SIGTERM ends a command as Ctrl-C does."""

    def stop(number: int, frame: object) -> None:
        raise Interrupted(number)

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class ProgressLine:
    """How far a run is, on stderr: one line rewritten on a terminal, a plain line every 10 s otherwise."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament, self.terminal = tournament, sys.stderr.isatty()
        self.last, self.width = time.monotonic(), 0

    def show(self, progress: Progress) -> None:
        now = time.monotonic()
        if now - self.last < (0.2 if self.terminal else 10):
            return
        self.last = now
        text = self.text(progress, now)
        if self.terminal:
            click.echo(f"\r{text:<{self.width}}", err=True, nl=False)
            self.width = len(text)
        else:
            click.echo(text, err=True)

    def text(self, progress: Progress, now: float) -> str:
        from .report import number
        from .standings import standings

        rate = progress.played / max(now - progress.started, 1e-9)
        unit = "freeze-outs" if self.tournament.format == "freeze-out" else "deals"
        left = f"{(progress.total - progress.done) / rate:.0f} s left" if rate else "starting"
        parts = [f"{number(progress.done)} / {number(progress.total)} {unit}", f"{number(int(rate))}/s", left]
        current = next((at for at in reversed(range(len(progress.folds))) if progress.folds[at].tally.blocks), None)
        if current is not None:
            leader = standings(self.tournament.entries[current], progress.folds[current].tally)[0]
            error = "" if leader.error is None else f" ± {leader.error:.3f}"
            parts.append(f"{self.tournament.entries[current].name}: {leader.strategy} {leader.mean:+.3f}{error}")
        return " · ".join(parts)

    def clear(self) -> None:
        if self.width:
            click.echo(f"\r{'':<{self.width}}\r", err=True, nl=False)


@cli.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
def settle(paths: tuple[Path, ...]) -> int:
    """Play scripted deals, and check what they settle to: files, or folders of them."""
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
        say(f"unfinished: {missing} shards are not played yet")


@cli.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--game", "entry", help="Only this entry of the tournament.")
def log(run: Path, entry: str | None) -> None:
    """The lines of a RUN as text: a deal's address, dealer, nets by seat, actions.

    A line that begins with = says who sits in the seats 0, 1, 2 ... from there on. An action with ! was played for a
    strategy at fault."""
    from .options import did_you_mean
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
    """Tell a deal step by step: RUN:ENTRY/BLOCK/SITTING/DEAL (as runs/parlour-8c1f04:nap/17/2/3), or a script file."""
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
    """Replay every deal of a RUN through the rules, recompute every number, and name the first that disagrees."""
    from .replay import verify as verify_run
    from .report import number
    from .tournament.folder import RunFolder

    deals, missing = verify_run(RunFolder(run))
    click.echo(f"{number(deals)} deals verified" + (f"; {missing} shards are not played yet" if missing else ""))
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
    """What GAME is: sources, the course of a deal, phases and actions, what a view shows, every option."""
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
@click.option(
    "--option",
    "options",
    multiple=True,
    callback=key_value,
    metavar="KEY=VALUE",
    help="An option of the ranking; may be repeated.",
)
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
    """How many poker hands of each class are dealt, or drawn to cards that are held: exact counts, and odds.

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


@contextmanager
def progress_bar(after: float = 1.0) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr for what takes longer than a second on a terminal; it is told how much of how much is done."""
    begun, bars = time.monotonic(), list[Any]()
    with ExitStack() as stack:

        def show(done: int, total: int) -> None:
            if not bars and sys.stderr.isatty() and time.monotonic() - begun > after:
                bars.append(stack.enter_context(click.progressbar(length=total, file=sys.stderr)))
            for bar in bars:
                bar.update(done - bar.pos)

        yield show


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
    """Try STRATEGIES: do they load, play without faults, play the same twice, keep from hidden cards and clocks?"""
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
