"""The command line: words in and out.  Everything it does can be called from Python.

A file for each group of commands, as the help shows them."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from threading import current_thread, main_thread
from types import FrameType, ModuleType

import click

from ..base import streams
from ..base.errors import RoundsimError, RulesError, SignalError
from ..base.version import __version__
from . import claims, know, league, look, play, sit, write
from .helping import CommandGroup, usage_text
from .playing import echo

INTERRUPTIONS = signal.SIGINT, signal.SIGTERM, signal.SIGHUP
GROUPS = (
    (sit, play, league),
    (look,),
    (write,),
    (know, claims),
)  # in the order of the help; the first has the title


def main(arguments: list[str] | None = None) -> None:
    """The console script: runs a command and exits with a documented code."""
    with streams.standard_streams():
        code = run_command(arguments)
    sys.exit(code)


def run_command(arguments: list[str] | None) -> int:
    """The exit code of a command; what has gone wrong is said."""
    try:
        with interruptible(), streams.check_written():
            return cli.main(arguments, prog_name="roundsim", standalone_mode=False) or 0
    except click.ClickException as error:
        if error.message.startswith("Usage:"):  # the help of a group without a command
            error.show()
        else:
            echo(usage_text(error))
        return 64
    except (click.Abort, KeyboardInterrupt):
        return 130
    except SignalError as stop:
        return stop.code
    except RoundsimError as error:
        echo(str(error) if error.code != RoundsimError.code else bug(str(error), isinstance(error, RulesError)))
        return error.code
    except Exception:
        from traceback import format_exc

        echo(bug(format_exc()))
        return RoundsimError.code


@contextmanager
def interruptible() -> Iterator[None]:
    """The first Ctrl-C, SIGTERM or SIGHUP ends a command in order; unless it is ignored, or our caller's to handle.

    After it a Ctrl-C ends the process.  The others are ignored, because `timeout` and shells send them twice."""
    here = current_thread() is main_thread()  # no other hears of signals
    ours = [number for number in INTERRUPTIONS if here and signal.getsignal(number) == signal.SIG_DFL]
    hook = sys.unraisablehook

    def interrupt(number: int, frame: FrameType | None) -> None:
        signal.signal(number, signal.SIG_DFL)
        while frame:
            if "importlib" in frame.f_code.co_filename:  # it may come out of there as another exception
                signal.raise_signal(number)
            frame = frame.f_back
        for other in ours:
            signal.signal(other, signal.SIG_DFL if other == signal.SIGINT else signal.SIG_IGN)
        raise SignalError(number)

    for number in ours:
        signal.signal(number, interrupt)
    if signal.SIGINT in ours:
        sys.unraisablehook = unraisable
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)
        sys.unraisablehook = hook


def unraisable(what: sys.UnraisableHookArgs) -> None:
    """An interruption where Python would print and forget it, as in a weak reference's callback, ends the process."""
    if isinstance(what.exc_value, KeyboardInterrupt | SignalError):
        number = getattr(what.exc_value, "number", signal.SIGINT)
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)
    sys.__unraisablehook__(what)


class GroupedCommands(CommandGroup):
    """The commands of the files of this folder, under their titles."""

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        for group in GROUPS:
            with formatter.section(group[0].TITLE):
                commands = (named for file in group for named in commands_of(file))
                formatter.write_dl([(name, command.get_short_help_str(70)) for name, command in commands])


def commands_of(file: ModuleType) -> list[tuple[str, click.Command]]:
    """The commands that a file declares, in its order; those of a group of its own are reached through it."""
    commands = [thing for thing in vars(file).values() if isinstance(thing, click.Command)]
    within = [inner for thing in commands if isinstance(thing, click.Group) for inner in thing.commands.values()]
    return [(str(thing.name), thing) for thing in commands if thing not in within]


CODES = (
    "Exit codes: 0 done, 1 differs or is worse, 2 a strategy misbehaved, 3 undecided, 4 no difference, 64 wrong input,"
    " 65 damaged input, 66 a module cannot be loaded, 69 no process or cluster is available, 70 a bug, 73 cannot write,"
    " 78 no sandbox, 129, 130 or 143 interrupted."
)


def show_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    """The version, and whether the native module plays."""
    if wanted and not context.resilient_parsing:
        from ..native import describe_build

        click.echo(f"roundsim {__version__} ({describe_build()})")
        context.exit()


@click.group(
    cls=GroupedCommands,
    epilog=CODES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=show_version,
    help="Show the version and exit.",
)
def cli() -> None:
    """Play old card games against programs, or let programs play each other.

    Begin with `roundsim sit nap`. Each command has --help, with an example."""


for file in chain.from_iterable(GROUPS):
    for name, command in commands_of(file):
        cli.add_command(command, name)


def bug(message: str, of_a_game: bool = False) -> str:
    """Return the message of a bug. It is ours, unless a game breaks its own rules or a third-party game is in the
    traceback."""
    from ..base.importing import loaded_in

    outside = "a game" if of_a_game or "RulesError:" in message else loaded_in(message)
    return f"this is a bug of {outside or 'roundsim'}:\n{message}"
