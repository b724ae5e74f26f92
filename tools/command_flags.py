"""Write the flags of the commands into docs/commands.md, from their help: `python tools/command_flags.py`.

The lines between `<!-- flags: roundsim play -->` and `<!-- end -->` are the options of that command.  Options that two or
more commands have with the same help are described once, between `<!-- flags: shared -->` and `<!-- end -->`; the commands
only name them."""

from __future__ import annotations

import re
import textwrap
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import click

from roundsim.cli import cli
from roundsim.cli.helping import Command

PAGE = Path(__file__).resolve().parent.parent / "docs" / "commands.md"
BLOCK = re.compile(r"(<!-- flags: ([^\n]+) -->\n).*?(<!-- end -->)", re.S)
WIDTH = 80
NO_BREAK = "\N{NO-BREAK SPACE}"
SHARED = "shared"
LINK = "[shared flags](#shared-flags)"


class Flag(NamedTuple):
    """An option of a command: its name, as it is written with its value, its help without and with the default."""

    name: str
    written: str
    help: str
    full: str


def leaves(command: click.Command, words: tuple[str, ...] = ()) -> Iterator[tuple[str, Command]]:
    """Yield the commands that do something, by their words."""
    if isinstance(command, click.Group):
        for name, each in command.commands.items():
            yield from leaves(each, (*words, name))
    else:
        assert isinstance(command, Command)
        yield " ".join(words), command


def flags_of(name: str, command: Command) -> list[Flag]:
    """Return the flags in the order of the help, without --help."""
    # With the group's settings: click keeps the help option that it makes here, and the command has no -h afterwards.
    context = click.Context(command, info_name=f"roundsim {name}", **cli.context_settings)
    return [
        Flag(option.opts[-1], written, str(option.help), " ".join(full.split()).replace("] [", "; "))
        for rare in (False, True)
        for written, full, option in command.records(context, rare)
        if option.opts[-1] != "--help"
    ]


def shared_flags(commands: dict[str, list[Flag]]) -> dict[str, Flag]:
    """Return by its name each flag that commands share, with the help that most of them have.  It is without its value and
    its default if the commands differ in them."""
    by_help = defaultdict[tuple[str, str], list[Flag]](list)
    for flag in chain.from_iterable(commands.values()):
        by_help[flag.name, flag.help].append(flag)
    shared: dict[str, list[Flag]] = {}
    for (name, _), same in by_help.items():
        if len(same) > max(1, len(shared.get(name, ()))):
            shared[name] = same
    return {name: common(same) for name, same in shared.items()}


def common(same: list[Flag]) -> Flag:
    """Return what flags of the same name and help have in common."""
    first = same[0]
    written = first.written if len({each.written for each in same}) == 1 else first.name
    return Flag(first.name, written, first.help, first.full if len({each.full for each in same}) == 1 else first.help)


def lines_of(flags: list[Flag], shared: dict[str, Flag]) -> Iterator[str]:
    """Yield the lines about the flags of a command: a point for each of its own, then the names of those that it shares."""
    own = [flag for flag in flags if flag.name not in shared or flag.help != shared[flag.name].help]
    for flag in own:
        yield from point(f"{code(flag.written)}: {flag.full}")
    names = [
        code(flag.name if flag.written == shared[flag.name].written else flag.written)
        for flag in flags
        if flag not in own
    ]
    if names:
        yield from point(f"{LINK}: {', '.join(names)}")


def code(written: str) -> str:
    """Return the flag as code, in which no line breaks."""
    return ", ".join(f"`{each.replace(' ', NO_BREAK)}`" for each in written.split(", "))


def point(text: str) -> list[str]:
    wrapper = textwrap.TextWrapper(WIDTH, "* ", "  ", break_long_words=False, break_on_hyphens=False)
    return [line.replace(NO_BREAK, " ") for line in wrapper.wrap(text)]


def page_with_flags(page: str) -> str:
    """Return the page with the flags that the commands have.  KeyError if a block is of no command."""
    commands = {name: flags_of(name, command) for name, command in leaves(cli)}
    shared = shared_flags(commands)

    def block(found: re.Match[str]) -> str:
        if found[2] == SHARED:
            lines = [line for flag in shared.values() for line in point(f"{code(flag.written)}: {flag.full}")]
        else:
            lines = [*lines_of(commands[found[2].removeprefix("roundsim ")], shared)]
        return found[1] + "".join(f"{line}\n" for line in lines) + found[3]

    return BLOCK.sub(block, page)


if __name__ == "__main__":
    PAGE.write_text(page_with_flags(PAGE.read_text("utf-8")), "utf-8")
