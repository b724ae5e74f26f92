"""Runs that are played in this process, for tests whose result does not depend on the player.

A test of a game, a format, a folder or a report has the same result whoever plays, and so takes a tenth of the time.
Processes play in `workers/`, `guests/`, `hostile/`, `sandbox/`, wherever a test asks for them, and in the soak, which does
not use this module."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from ctypes import c_longlong
from functools import partial
from multiprocessing import Pipe
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from helpers.command import PATIENCE

from roundsim.base.errors import PluginError
from roundsim.guests.pool import Guests
from roundsim.processes import lines
from roundsim.refereeing.board import CELLS
from roundsim.refereeing.referee import Clock
from roundsim.sandbox.kinds import NO_SANDBOX, Sandbox
from roundsim.sources import describing
from roundsim.tournament.planning.plan import Task, Tournament
from roundsim.tournament.storage.folder import RunFolder
from roundsim.workers import local, spares
from roundsim.workers.shard import ShardPlayer
from roundsim.workers.spares import WorkerProcess
from roundsim.workers.worker import task_result, third_party_sources

PROCESSES = WorkerProcess, describing.answers_of


class Here(WorkerProcess):
    """A worker in this process: it plays a task at once.  Guests are in separate processes."""

    def __init__(self) -> None:
        self.board = (c_longlong * CELLS)()
        self.pipe, self.other = Pipe()
        self.process: Any = SimpleNamespace(sentinel=self.other, is_alive=lambda: True)
        self.guests: Guests | None = None

    def send(self, thing: Any) -> None:
        sent = pickle.loads(pickle.dumps(thing))  # as it comes out of a pipe
        if self.guests:
            self.play(sent, self.guests)
        else:
            self.settle_in(*sent)

    def settle_in(self, tournament: Tournament, folder: str, seal: Sandbox) -> None:
        self.guests = Guests(seal, tournament.limits, [folder, *third_party_sources(tournament)])
        self.player = partial(ShardPlayer, tournament, RunFolder(folder), guests=self.guests)
        self.fresh = True

    def play(self, task: Task, guests: Guests) -> None:
        with Clock(PATIENCE, memoryview(self.board).cast("B").cast("q")) as clock:  # guests have clocks of their own
            said = task_result(self.player(clock, fresh=self.fresh), task)
        self.fresh = False
        lines.send(self.other.fileno(), said)

    def end(self) -> None:
        if self.guests:
            self.guests.close()
        self.pipe.close()
        self.other.close()


class AllHere(Here):
    """Third-party strategies play here, too."""

    def settle_in(self, tournament: Tournament, folder: str, seal: Sandbox) -> None:
        super().settle_in(tournament, folder, NO_SANDBOX)


def met_here(paths: Sequence[Path], memory: int, sealed: bool) -> list[describing.SourceAnswer]:
    """The strategies of third-party files, imported in this process."""
    return [held_here(path) for path in paths]


def held_here(path: Path) -> describing.SourceAnswer:
    """The same of one."""
    try:
        return [*describing.strategies_in_module(path)]
    except PluginError as error:
        return error


@contextmanager
def played_by(
    worker: type[WorkerProcess], met: Callable[[Sequence[Path], int, bool], list[describing.SourceAnswer]]
) -> Iterator[None]:
    """Such workers play meanwhile, and third-party files are read so."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spares, "WorkerProcess", worker)
        patch.setattr(local, "WorkerProcess", worker)
        patch.setattr(describing, "answers_of", met)
        patch.setattr(sys, "dont_write_bytecode", True)  # as where third-party strategies are shut in
        yield
