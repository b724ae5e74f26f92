"""Play a batch of shards on a machine of a cluster, in a separate process, by `workers/local`.

A Dask worker plays in threads, but our processes must be started from a main thread."""

from __future__ import annotations

import os
import pickle
import platform
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from traceback import format_exc
from typing import IO, Any, NamedTuple

import zstandard

from ..base.errors import BugError, ClusterError, FolderError, RoundsimError
from ..base.version import __version__
from ..guests.isolation import how_guests_play
from ..processes.lines import LineReader, error_to_json, send
from ..processes.signals import clear_inherited
from ..processes.start import end_with_parent
from ..sources.homes import house_folder
from ..tournament.planning.plan import ShardProgress, Task, Tournament
from ..tournament.storage.shards import read_file
from ..tournament.storage.writer import RunWriter
from ..workers import local
from .dask_sources import PackedTournament, as_sent, sha256_of, unpack_tournament

TOPIC = "roundsim"  # for the progress reports of a batch
GLANCE = 1.0  # seconds between two progress reports
PACKER = f"{zstandard.__version__} {zstandard.ZSTD_VERSION} {zstandard.backend}"
COMMAND = f"from {__name__} import run_order; run_order()"


class Order(NamedTuple):
    """The order to a process in its folder: check whether a tournament can be played there, or play these tasks of it.

    The tasks are for a machine whose guests run in one of the ways that were reported."""

    packed: bytes
    tasks: Sequence[Task] = ()
    guests: Sequence[str] = ()


class BatchResult(NamedTuple):
    """The result of a batch: the shards as files, by the index of their tasks, with their sha256, and what packed them.

    It also has the seconds it took, and its error, as `wire.error_to_json` encodes it. `lost`: how the process that
    played it died, in words."""

    machine: str
    shards: dict[int, tuple[bytes, str]]
    seconds: float
    error: dict[str, Any]
    packer: str
    lost: str = ""


class BatchLostError(Exception):
    """A process has ended before its report was complete."""


def code() -> str:
    """Return the sha256 of all our modules, and of those of the house strategies."""
    roots = Path(__file__).resolve().parents[1], house_folder()
    sources = [(root, file) for root in roots for kind in ("py", "pyi") for file in sorted(root.rglob(f"*.{kind}"))]
    files = [(file.relative_to(root).as_posix(), file) for root, file in sources]
    return sha256_of(b"".join(f"{name} {sha256_of(file.read_bytes())}\n".encode() for name, file in files))


def versions() -> dict[str, str]:
    """Return what must be the same on all machines."""
    from distributed import __version__ as dask

    python = ".".join(platform.python_version_tuple()[:2])
    return {"distributed": str(dask), "Python": python, "roundsim": __version__, "code": code()}


def shared_task(data: bytes) -> bytes:
    """Return what all batches need, as a task: a worker that has lost it gets it again."""
    return data


def check_machine(packed: bytes, sent: str) -> dict[str, Any]:
    """Check whether a tournament can be played on this machine; return how the machine describes itself.

    `guests`: how third-party strategies are isolated there. Plain data, because another version may read it."""
    answer = dict[str, Any]()
    try:
        with TemporaryDirectory(prefix="roundsim-", ignore_cleanup_errors=True) as folder:
            run_child(Order(as_sent(packed, sent)), folder, answer.update, lambda: True)
    except (BatchLostError, OSError, RoundsimError) as error:
        answer = error_to_json(as_roundsim_error(error))
    return {**versions(), "guests": answer.get("guests", ""), "error": answer if "error" in answer else {}}


def as_roundsim_error(error: Exception) -> RoundsimError:
    """Return an error on a machine as one of ours."""
    if isinstance(error, OSError):
        return FolderError(f"a file there cannot be written or read: {error}")
    return error if isinstance(error, RoundsimError) else ClusterError(str(error))


def play_batch(packed: bytes, sent: tuple[str, str], order: bytes, our_code: str) -> BatchResult:
    """Play the tasks of an order, in a thread of a Dask worker. `sent`: the sha256 of both."""
    from distributed import Reschedule, get_worker

    worker = get_worker()
    key, shards, answer, lost = worker.get_current_task(), dict[int, tuple[bytes, str]](), dict[str, Any](), ""

    def wanted() -> bool:
        task = worker.state.tasks.get(key)
        ends = worker.status.name in ("closing", "closed", "failed")
        return not ends and task is not None and task.state != "cancelled"

    start = time.monotonic()
    try:
        if code() != our_code:
            raise ClusterError(f"it has another roundsim ({__version__}): every machine must have the same")
        what = Order(as_sent(packed, sent[0]), *pickle.loads(as_sent(order, sent[1])))
        with TemporaryDirectory(prefix="roundsim-", dir=worker.local_directory, ignore_cleanup_errors=True) as folder:

            def hear(line: dict[str, Any]) -> None:
                if "played" in line:
                    data = read_file(Path(folder, line["file"]))
                    shards[line["played"]] = data, sha256_of(data)
                elif "underway" in line:
                    worker.log_event(TOPIC, {"batch": key, **line})
                else:
                    answer.update(line)

            if not run_child(what, folder, hear, wanted):
                raise Reschedule
    except BatchLostError as error:
        lost = str(error)
    except (OSError, RoundsimError) as error:
        answer = error_to_json(as_roundsim_error(error))
    seconds = time.monotonic() - start
    return BatchResult(worker.address, shards, seconds, answer if "error" in answer else {}, PACKER, lost)


def run_child(order: Order, folder: str, hear: Callable[[dict[str, Any]], object], wanted: Callable[[], bool]) -> bool:
    """Run the order in a separate process, and pass on its lines until it is done.

    Return False if the result is no longer needed."""
    command = [sys.executable, "-P", "-c", COMMAND]
    with TemporaryFile() as complaints:
        pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": complaints}
        with subprocess.Popen(command, **pipes, cwd=folder, start_new_session=True) as process:
            assert process.stdin and process.stdout
            try:
                process.stdin.write(pickle.dumps(order))
                process.stdin.close()
                heard = LineReader(process.stdout.fileno())
                while line := next_line(heard, wanted):
                    hear(line)
                    if "error" in line or "end" in line:
                        return True
                if line is not None:
                    return False
            except BrokenPipeError:
                pass
            finally:
                process.kill()
        raise BatchLostError(f"the process that plays has ended with code {process.returncode}{last_of(complaints)}")


def next_line(heard: LineReader, wanted: Callable[[], bool]) -> dict[str, Any] | None:
    """Return the next line; {} if the result is no longer needed, None at the end."""
    while wanted():
        if heard.ready or select.select([heard.handle], [], [], GLANCE)[0]:
            line = heard.line() if heard.ready else heard.read()
            if line != {}:
                return line
    return {}


def last_of(complaints: IO[bytes]) -> str:
    """Return the last line that a process has left, if there is one."""
    complaints.seek(0)
    lines = complaints.read().decode(errors="replace").split("\n")
    return "".join(f": {line[:300]}" for line in [line for line in lines if line.strip()][-1:])


# From here on: in that process.


def run_order() -> None:
    """Run the order on standard input, and report on it in lines on standard output."""
    clear_inherited()
    end_with_parent()
    handle = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    last: dict[str, Any] = {"end": True}
    try:
        order: Order = pickle.load(sys.stdin.buffer)
        packed: PackedTournament = pickle.loads(order.packed)
        for line in done(order, unpack_tournament(packed, Path().resolve())):
            send(handle, line)
    except RoundsimError as error:
        last = error_to_json(error)
    except Exception:
        last = error_to_json(BugError(format_exc()))
    send(handle, last)


def done(order: Order, tournament: Tournament) -> Iterator[dict[str, Any]]:
    """Yield how guests run on this machine, or what is played, as it happens. SealError, ClusterError."""
    guests = how_guests_play(tournament)
    if not order.tasks:
        yield {"guests": guests}
        return
    if guests not in order.guests:
        known = " or ".join(map(repr, order.guests))
        raise ClusterError(f"it joined later and plays third-party strategies differently: {guests!r}, not {known}")
    yield from played_shards(tournament, order.tasks)


def played_shards(tournament: Tournament, tasks: Sequence[Task]) -> Iterator[dict[str, Any]]:
    """Yield each task with the file of its shard, once it is written; now and then the progress of all."""
    folder, places = RunWriter(Path("run").resolve()), {(task.entry, task.first): at for at, task in enumerate(tasks)}
    folder.make_room(tournament)
    units, before, last = 0, 0, time.monotonic()
    for event in local.play_tasks(tournament, str(folder.path), iter(tasks), 1):
        if isinstance(event, Task):
            entry = tournament.entries[event.entry]
            path = folder.shard(entry, event.first)
            yield {"played": places[event.entry, event.first], "file": str(path.relative_to(Path().resolve()))}
            per_block = entry.format.units(entry)
            units, before = units + len(event.blocks) * per_block, before + len(event.reused) * per_block
        elif time.monotonic() - last > GLANCE:
            last = time.monotonic()
            yield {"underway": [ShardProgress(units, before, 0, "", 0.0, ""), *event]}
