"""A worker: a separate process that plays shards until it is asked to stop, or its parent ends."""

from __future__ import annotations

import os
import pickle
import signal
import time
from pathlib import Path
from traceback import format_exc
from typing import Any

from ..contract.sources import in_house
from ..errors import AbortError, BugError, FolderError, PluginError, ResourceError
from ..guests.guest import GuestLostError
from ..guests.pool import Guests
from ..processes.lines import error_to_json, send
from ..processes.memory import all_memory, lift, limit_memory
from ..processes.start import fall_silent, obey, wait_in_turn
from ..refereeing.board import AGAIN, DIED, LATE, QUESTION, SLOW, STATE, WHY
from ..refereeing.referee import Clock, collect_seldom
from ..sandbox.kinds import Sandbox
from ..tournament.planning.plan import Task, Tournament
from ..tournament.storage.folder import RunFolder
from .shard import Playing, StaleError, script_of_bug
from .stepped import Foresight, ForesightError
from .strategies import Listener

PAUSE = 1  # seconds before a shard is played again after a process was lacking


def worker_loop(pipe: Any, board: Any, tournament: Tournament, folder: str, seal: Sandbox) -> None:
    """Play the tasks that come through the pipe, and send the result of each."""
    settle_in(tournament.limits.memory)
    collect_seldom()
    cells = memoryview(board).cast("B").cast("q")

    def lost() -> None:
        cells[STATE] = LATE
        os._exit(75)

    fresh = True
    guests = Guests(seal, tournament.limits, [folder, *third_party_sources(tournament)])
    with Clock(tournament.limits.seconds, cells, lost) as clock:
        while True:
            try:
                task = pickle.loads(pipe.recv_bytes())
            except EOFError:
                return
            if task is None:
                return
            reply = task_result(tournament, task, clock, RunFolder(folder), fresh, guests)
            fresh = False
            with all_memory():
                send(pipe.fileno(), reply)


def third_party_sources(tournament: Tournament) -> set[str]:
    """Return the sources of third-party strategies, which a guest may read only if they are its own. A program on the
    PATH is not one."""
    every = {each for entry in tournament.entries for each in entry.strategies}
    own = {each.path for each in every if not each.command or os.path.isdir(each.path) or each.path in each.command}
    return {path for path in own if not in_house(Path(path))}


def task_result(
    tournament: Tournament, task: Task, clock: Clock, folder: RunFolder, fresh: bool, guests: Guests
) -> dict[str, Any]:
    """Return the result of a task: "done"; an error; or "stale", if it may depend on what was played here before, or on
    blocks that were reused."""
    try:
        path = folder.shard_to_be(tournament.entries[task.entry], task.first)
        shard = play_shard(tournament, task, clock, path, guests, fresh)
        shard.write(folder)
        return {"done": True}
    except StaleError:
        return {"stale": True}
    except (AbortError, FolderError, PluginError, ResourceError) as error:
        return error_to_json(error)
    except MemoryError:
        lift()
        return error_to_json(PluginError("no memory was left to load the strategies")) if fresh else {"stale": True}
    except BaseException:  # also TimeUp where no strategy runs: a silent end would count as a strategy's
        clock.board[QUESTION] = 0
        words = format_exc()
        return error_to_json(BugError(words, script_of_bug(tournament, task, clock, words, guests.seal)))


def play_shard(
    tournament: Tournament,
    task: Task,
    clock: Clock,
    path: Path,
    guests: Guests,
    fresh: bool,
    listener: Listener | None = None,
) -> Playing:
    """Return a shard when it is played: again from its start after a guest was lost, or an entrant barred."""
    foresight, short = Foresight(seatings=dict(enumerate(task.seatings, task.first))), False
    while True:
        shard = Playing(tournament, task, clock, path, guests=guests, foresight=foresight, listener=listener)
        try:
            shard.play(fresh)
            return shard
        except StaleError:
            with all_memory():
                shard.lines.forget()
            raise
        except GuestLostError as lost:
            foresight.lost(lost)
            clock.board[AGAIN], clock.board[WHY] = lost.entrant + 1, SLOW if lost.kind == "late" else DIED
        except ForesightError as otherwise:
            clock.board[AGAIN], clock.board[WHY] = otherwise.entrant + 1, otherwise.why
        except ResourceError:
            if short:
                raise
            short = True
            guests.close()  # they may be too many
            time.sleep(PAUSE)
        guests.end_all()


def settle_in(memory: int) -> None:
    """Prepare this process: leave interruptions to the parent, discard prints, end with the parent, limit memory, and
    take turns with guests."""
    obey()
    os.register_at_fork(after_in_child=lambda: os._exit(1))  # one worker is enough
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    fall_silent()
    limit_memory(memory << 20)
    wait_in_turn()
