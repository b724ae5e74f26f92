"""The seals of this machine, and guests in them, for tests that try what they refuse."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from roundsim.base.finding import sha256
from roundsim.guests.launchers import launcher_for
from roundsim.sandbox.kinds import Sandbox, best, is_effective
from roundsim.sandbox.launchers import GuestLauncher, GuestProcess
from roundsim.sources.plugins import Strategy

PATIENCE = 60  # seconds: nothing takes so long on the slowest machine unless it hangs
HANDLES = """  # of foreign code: the descriptors that lead anywhere
import os

def there(handle):
    try:
        return bool(os.fstat(handle))
    except OSError:
        return False

handles = [*filter(there, range(1024))]
"""


def in_force(name: str) -> Sandbox:
    """A seal of this name; a skip where this machine has none, which CI must have."""
    if not is_effective(name):
        (pytest.fail if os.environ.get("CI") else pytest.skip)(f"the seal {name} does not hold on this machine")
    return Sandbox(name)


def any_in_force() -> None:
    """A skip where no seal holds: there who fills the memory ends the run."""
    if not best().name:
        in_force("landlock")


def module_at(path: Path) -> Strategy:
    """A strategy that was found, without being executed for it."""
    return Strategy("mine", (), str(path), "Mine", sha256(path))


def program_at(path: Path) -> Strategy:
    """The same as a bot, `cmd:python mine.py`."""
    return Strategy("mine", (), str(path), "", "", command=(sys.executable, str(path)))


def asked_for(strategy: Strategy, **more: Any) -> dict[str, Any]:
    """The request for a guest of a strategy, as a worker makes it."""
    request = {
        "game": "nap",
        "players": 4,
        "given": {},
        "path": strategy.path,
        "attribute": strategy.attribute,
        "sha256": strategy.sha256,
        "draws": False,
        "imagines": False,
        "bank": 0,
        "seconds": 10.0,
        "memory": 512,
    }
    command = {"command": strategy.command, "folder": os.path.dirname(strategy.path)} if strategy.command else {}
    return {**request, **command, **more}


@contextmanager
def guest_of(seal: Sandbox, strategy: Strategy, **more: Any) -> Iterator[tuple[GuestLauncher, GuestProcess]]:
    """A guest that was greeted."""
    with launcher_for(seal, strategy) as launcher:
        begun = launcher.begin(asked_for(strategy, **more))
        begun.sock.settimeout(PATIENCE)
        begun.sock.sendall(b'{"roundsim":1,"game":"nap","players":4,"parameters":{}}\n')
        try:
            yield launcher, begun
        finally:
            begun.end()


def said_by(begun: GuestProcess) -> Any:
    """The first line that a guest says; None if it ends without a word."""
    with begun.sock.makefile("rb") as words:
        return json.loads(words.readline() or b"null")


def output(seal: Sandbox, code: str, folder: Path, executes: bool, **more: Any) -> Any:
    """The first thing that code passes to `tell` in a guest: as a strategy's module, or as a program."""
    wire = 1 if executes else 3
    path = folder / "mine.py"
    tell = f"def tell(thing): os.write({wire}, json.dumps(thing).encode() + b'\\n')"
    path.write_text(f"import json, os\n{tell}\n{code}\n", "utf-8")
    with guest_of(seal, (program_at if executes else module_at)(path), **more) as (_, begun):
        return said_by(begun)
