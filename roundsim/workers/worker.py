"""A worker: a separate process that plays shards until it is asked to stop, or its parent ends; or this process, where a
person is, and where starting others would take longer than the deals."""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from traceback import format_exc
from typing import Any

from ..base.errors import AbortError, BugError, FolderError, PluginError, ResourceError
from ..guests.isolation import seal_for
from ..guests.pool import Guests
from ..processes.lines import error_to_json, send
from ..processes.memory import all_memory, collect_seldom, lift, limit_memory
from ..processes.start import fall_silent, obey, wait_in_turn
from ..refereeing.board import LATE, QUESTION, STATE
from ..refereeing.referee import Clock
from ..sandbox.kinds import Sandbox
from ..sources.homes import in_house
from ..tournament.planning.plan import Task, Tournament
from ..tournament.storage.folder import RunFolder
from .cast import Listener
from .shard import ShardPlayer, StaleError, script_of_bug


def worker_loop(pipe: Any, board: Any, tournament: Tournament, folder: str, seal: Sandbox) -> None:
    """Play the tasks that come through the pipe, and send the result of each."""
    settle_in(tournament.limits.memory)
    collect_seldom()
    cells = memoryview(board).cast("B").cast("q")

    def lost() -> None:
        cells[STATE] = LATE
        os._exit(75)

    guests = Guests(seal, tournament.limits, [folder, *third_party_sources(tournament)])
    with Clock(tournament.limits.seconds, cells, lost) as clock:
        player = ShardPlayer(tournament, RunFolder(folder), clock, guests)
        while True:
            try:
                task = pickle.loads(pipe.recv_bytes())
            except EOFError:
                return
            if task is None:
                return
            reply = task_result(player, task)
            player.fresh = False
            with all_memory():
                send(pipe.fileno(), reply)


def third_party_sources(tournament: Tournament) -> set[str]:
    """Return the sources of third-party strategies, which a guest may read only if they are its own. A program on the
    PATH is not one."""
    every = {strategy for entry in tournament.entries for strategy in entry.strategies}
    own = {
        strategy.path
        for strategy in every
        if not strategy.command or os.path.isdir(strategy.path) or strategy.path in strategy.command
    }
    return {path for path in own if not in_house(Path(path))}


def task_result(player: ShardPlayer, task: Task) -> dict[str, Any]:
    """Return the result of a task: "done"; an error; or "stale", if it may depend on what was played here before, or on
    blocks that were reused."""
    try:
        player.play(task)
        return {"done": True}
    except StaleError:
        return {"stale": True}
    except (AbortError, FolderError, PluginError, ResourceError) as error:
        return error_to_json(error)
    except MemoryError:
        lift()
        none_left = PluginError("no memory was left to load the strategies")
        return error_to_json(none_left) if player.fresh else {"stale": True}
    except BaseException:  # also TimeUp where no strategy runs: a silent end would count as a strategy's
        player.clock.board[QUESTION] = 0
        message = format_exc()
        script = script_of_bug(player.tournament, task, player.clock, message, player.guests.seal)
        return error_to_json(BugError(message, script))


def settle_in(memory: int) -> None:
    """Prepare this process: leave interruptions to the parent, discard prints, end with the parent, limit memory, and
    take turns with guests."""
    obey()
    os.register_at_fork(after_in_child=lambda: os._exit(1))  # one worker is enough
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    fall_silent()
    limit_memory(memory << 20)
    wait_in_turn()


def play_here(
    tournament: Tournament, folder: str, tasks: Iterator[Task], jobs: int, listener: Listener | None = None
) -> Iterator[Task]:
    """Play tasks, and let somebody listen. Nobody's time is limited here; guests have limits of their own."""
    clock, hidden = Clock(tournament.limits.seconds), [folder, *third_party_sources(tournament)]
    with closing(Guests(seal_for(tournament), tournament.limits, hidden)) as guests:
        player = ShardPlayer(tournament, RunFolder(folder), clock, guests, listener, alone=True)
        for task in tasks:
            player.play(task)
            yield task
