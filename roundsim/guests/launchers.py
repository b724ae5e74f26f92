"""Guest launchers for strategies: one for each source, so that no guest reads another's files."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from ..base.catalog import Origin
from ..base.finding import files_of
from ..sandbox.kinds import Sandbox
from ..sandbox.launchers import SYSTEM, GuestLauncher
from ..sources.bots import as_it_lies, interpreter_line
from ..sources.plugins import Strategy

SHIM = "roundsim.guests.inside.shim"
MOST_SCRIPTS = 5  # each executed by the next, as the kernel allows
SHELLS = "sh", "ash", "bash", "busybox", "dash", "fish", "ksh", "zsh"


def launcher_for(
    seal: Sandbox,
    strategy: Strategy,
    origin: Origin | None = None,
    hidden: Iterable[str | Path] = (),
    start: Callable[..., GuestLauncher] = GuestLauncher,
) -> GuestLauncher:
    """Return the launcher for the guests of a strategy's source, as `start` makes it. They also read the source of a
    third-party game."""
    own = [strategy_files(strategy), named_by(Path(origin.path)) if origin else []]
    return start(seal, own, SHIM, hidden, programs(strategy.command), executed(strategy.command))


def strategy_files(strategy: Strategy) -> list[Path]:
    """Return all files of a strategy: its module or package, or a bot's files and what executes them; and its data."""
    if strategy.command:
        return [*as_it_lies(strategy.path, strategy.command).files, *homes(strategy.command[0])]
    return named_by(Path(strategy.path))


def named_by(path: Path) -> list[Path]:
    """Return a module or package, and the files that it names."""
    return [path, *files_of(path)]


def programs(command: Sequence[str]) -> list[str]:
    """Return where a bot's program is looked for by its name: `python3` is ours."""
    places = [os.path.dirname(sys.executable), *SYSTEM]
    return [*places, *(str(home) for word in command[:1] for home in homes(word)[:1])]


def executed(command: Sequence[str]) -> str:
    """Return the file of the program that a command becomes, links followed; "" if it is not known: a shell may become
    another one. A script becomes what its first line names: "#!/bin/sh", or "#!/usr/bin/env node"."""
    left, path = [*command], os.pathsep.join(programs(command))
    for _ in range(MOST_SCRIPTS):
        if left and os.path.basename(left[0]) == "env":
            left = [word for word in left[1:] if word[0] != "-" and "=" not in word]
        if not left or os.path.basename(left[0]) in SHELLS or not (program := shutil.which(left[0], path=path)):
            break
        if not (line := interpreter_line(program)):
            return os.path.realpath(program)
        left = os.fsdecode(line).split()
    return ""


def homes(word: str) -> list[Path]:
    """Return where a program that is not the system's lies, as it is called and as it is: an interpreter, with what it
    needs."""
    if "/" in word or not (program := shutil.which(word)) or os.path.dirname(program) in SYSTEM:
        return []
    real = Path(program).resolve()
    return [Path(program).parent, real.parents[real.parent.name == "bin"]]
