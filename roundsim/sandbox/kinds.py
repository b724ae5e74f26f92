"""The kinds of sandbox between a guest and the machine, and which of them works here, found by trial."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..base.errors import InputError, SealError, did_you_mean, is_shortage
from ..processes.signals import children_reported
from . import bubblewrap, landlock, probe, seccomp
from .paths import system_paths

PICKED = "ROUNDSIM_SEAL"  # the variable by which one is picked
TRIED = 120  # seconds for a trial, on the busiest machine
SENTENCES = {
    "bubblewrap": "isolated (bubblewrap, seccomp, limits)",
    "landlock": "isolated (Landlock, seccomp, limits)",
    "": "not isolated",
}


@dataclass(frozen=True)
class Sandbox:
    """A kind of sandbox: `bubblewrap`, `landlock`, or none, ""."""

    name: str

    @property
    def sentence(self) -> str:
        """Its name in messages."""
        return SENTENCES[self.name]

    def words(self, command: Sequence[str], paths: Sequence[str], executed: str = "", folder: str = "") -> list[str]:
        """Return the command that starts another one in the sandbox; the latter closes the rest of it itself.

        `executed`: the program that its guests become, if they do; `folder`: the one in which they are, empty except for
        the paths."""
        if self.name != "bubblewrap":
            return [*command]
        return [*bubblewrap.words(bubblewrap.find_bwrap() or "bwrap", paths, executed, folder), *command]


NO_SANDBOX, ANY_SANDBOX = Sandbox(""), Sandbox("landlock")


def best() -> Sandbox:
    """Return the best sandbox that works on this machine, or the one that ROUNDSIM_SEAL picks. InputError."""
    picked, names = os.environ.get(PICKED, ""), [name for name in SENTENCES if name]
    if picked and picked not in (*names, "none"):
        known = [*names, "none"]
        raise InputError(f"{PICKED} = {picked!r}: there is {', '.join(known)}{did_you_mean(picked, known)}")
    tried = [picked] if picked else names
    return next((Sandbox(name) for name in tried if name != "none" and is_effective(name)), NO_SANDBOX)


def demanded() -> Sandbox:
    """Return the best sandbox. SealError if none works."""
    if not (seal := best()).name:
        raise SealError(
            "no sandbox works on this machine, and isolate = on requires one: bubblewrap, or Landlock and seccomp on Linux"
            " for x86-64 or arm64; docs/security.md says what each needs"
        )
    return seal


@cache
def is_effective(name: str) -> bool:
    """Return whether a process in such a sandbox was refused all that it tried: a file, to write, a socket, a process.
    SealError if the machine is too busy to find out: that is no reason to play without one."""
    if not seccomp.is_supported() or (name == "bubblewrap" and not bubblewrap.find_bwrap()):
        return False
    if name == "landlock" and not landlock.version():
        return False
    ours, paths = Path(__file__).parents[2], [*system_paths(), str(Path(__file__).parents[1])]
    command = [
        sys.executable,
        "-P",
        "-s",
        "-S",
        "-c",
        f"from {probe.__name__} import trial; trial({name!r}, *{paths!r})",
    ]
    try:
        with children_reported():
            done = subprocess.run(
                Sandbox(name).words(command, paths),
                env={"PYTHONPATH": str(ours)},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                timeout=TRIED,
            )
    except (OSError, subprocess.TimeoutExpired) as error:
        if isinstance(error, OSError) and not is_shortage(error):
            return False
        problem = error.strerror if isinstance(error, OSError) else f"its trial has not ended within {TRIED} s"
        raise SealError(
            f"this machine is too busy to find out whether the sandbox {name} works: {problem}; try again, or pick another"
            f" one with {PICKED}"
        ) from None
    return done.stdout.decode().strip() == probe.HELD
