"""A worker: a process of its own that plays shards until it is told to stop, or its parent is gone."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from traceback import format_exc
from typing import Any

from ..errors import AbortError, BugError, FolderError, PluginError
from ..refereeing.referee import Clock, collect_seldom
from ..tournament.folder import RunFolder
from ..tournament.plan import Task, Tournament
from ..tournament.shards import packed
from .memory import all_memory, keep_within
from .shard import HoardError, play_shard, script_of_bug
from .wire import send, told

INTERRUPTIONS = {signal.SIGINT, signal.SIGTERM}
LATE = 1  # board[1]: a strategy has swallowed the interruption


def work(pipe: Any, board: Any, tournament: Tournament, folder: str) -> None:
    """Play the tasks that come through the pipe, and say what came of each."""
    settle_in(tournament.limits.memory)
    collect_seldom()
    cells = memoryview(board).cast("B").cast("q")

    def lost() -> None:
        cells[1] = LATE
        os._exit(75)

    fresh = True
    with Clock(tournament.limits.seconds, cells, lost) as clock:
        while True:
            try:
                task = pipe.recv()
            except EOFError:
                return
            if task is None:
                return
            reply = answer(tournament, task, clock, RunFolder(folder), fresh)
            fresh = False
            with all_memory():
                send(pipe.fileno(), reply)


def answer(tournament: Tournament, task: Task, clock: Clock, folder: RunFolder, fresh: bool) -> dict[str, Any]:
    """What came of a task: "done", "stale", an error, or which entrant is the "hoard".

    A want of memory counts in a fresh process only, and so does a plugin that cannot be loaded, and what ends the run: they
    do not hang on what was played here before."""
    stale = {"stale": True}
    try:
        lines, tally = play_shard(tournament, task, clock)
        if not fresh and any(kind == "memory" for _, kind in tally.faults):
            return stale
        with all_memory():  # what strategies hold on to is not to stop the writing
            folder.write_shard(tournament.entries[task.entry], task.first, packed(lines, tally))
            return {"done": True}
    except FolderError as error:
        return told(error)
    except (AbortError, PluginError) as error:
        return told(error) if fresh else stale
    except HoardError as error:
        return {"hoard": error.entrant} if fresh else stale
    except MemoryError:
        return told(PluginError("no memory was left to load the strategies")) if fresh else stale
    except Exception:
        words = format_exc()
        return told(BugError(words, script_of_bug(tournament, task, clock, words)))


def settle_in(memory: int) -> None:
    """Leave interruptions to the parent, let prints go nowhere, end with the parent, keep within the memory allowed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, INTERRUPTIONS)
    os.register_at_fork(after_in_child=lambda: os._exit(1))  # one worker is enough
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in 0, 1, 2:
        os.dup2(nowhere, stream)
    end_with_parent()
    keep_within(memory << 20)


def end_with_parent() -> None:
    """Also when a strategy is stuck in C."""
    if sys.platform == "linux":
        set_signal_of_parents_death = 1  # PR_SET_PDEATHSIG
        ctypes.CDLL(None).prctl(set_signal_of_parents_death, signal.SIGKILL)
