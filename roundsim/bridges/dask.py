"""Shards played by the workers of a Dask scheduler, instead of processes on this machine.

The result of a task depends only on the task, so its bytes are the same wherever and however often it is played."""

from __future__ import annotations

import logging
import pickle
import platform
import re
import socket
import time
import warnings
from collections.abc import Generator, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from math import ceil
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, Self

from .._version import __version__
from ..errors import BugError, ClusterError, InputError, PluginError, RoundsimError, SealError
from ..processes.lines import error_from_json
from ..tournament.planning.plan import Keys, ShardProgress, Task, Tournament
from ..tournament.storage.folder import RunFolder
from ..tournament.storage.shards import packed_again, read_shard
from .dask_machine import PACKER, TOPIC, BatchResult, Machine, check_machine, code, play_batch, shared_task
from .dask_sources import PackedTournament, as_sent, bytes_of, pack_tournament, sha256_of

FORM = re.compile(r"(?P<scheme>\w+)://(?P<host>\[[0-9a-fA-F:.]+\]|[\w.-]+):(?P<port>\d{1,5})", re.ASCII)
SCHEMES = {"dask": "tcp", "tcp": "tcp", "tls": "tls"}
PATIENCE = 10.0  # seconds for a scheduler to answer
GLANCE = 0.25  # seconds between two progress reports
LOOK = 2.0  # seconds between two looks at which workers exist
ALONE = 60.0  # seconds without a worker before giving up
LONG, SHORT = 40.0, 5.0  # seconds of play in a batch (starting one costs half a second), and near the end
MOST = 1000  # shards in a batch
AGAIN = 3  # how often a batch is tried again whose process has died
NAMED = 3  # machines that are named
KEPT = "; what is finished is kept, and the same command goes on"


def address_of(text: str) -> str:
    """Return an address in Dask's form. InputError."""
    found = FORM.fullmatch(text)
    if not found or not 0 < int(found["port"]) < 1 << 16:
        raise InputError(f"workers are named dask://HOST:PORT, as dask://127.0.0.1:8786; not {text[:80]!r}")
    if found["scheme"] not in SCHEMES:
        raise InputError(f"{found['scheme']}://: workers are named {', '.join(f'{each}://' for each in SCHEMES)}")
    return f"{SCHEMES[found['scheme']]}://{found['host']}:{found['port']}"


class Batch(NamedTuple):
    """Tasks of one entry that are sent together."""

    tasks: Sequence[Task]
    future: Any


class Pile:
    """The tasks that are not sent yet, taken in batches of a certain playing time.

    Batches are smaller near the end, so that all workers finish together. `left`: how many tasks there may be."""

    def __init__(self, tasks: Iterator[Task], left: int) -> None:
        self.tasks, self.left, self.held = tasks, left, list[Task]()
        self.seconds = dict[int, float]()  # of a shard, by entry

    def take(self) -> Task | None:
        return self.held.pop() if self.held else next(self.tasks, None)

    def batch(self, places: int) -> list[Task]:
        """Return the next tasks, all of one entry; none if nothing is left.

        `places`: how many batches are played at once."""
        batch: list[Task] = []
        while task := self.take():
            batch.append(task)
            if task.entry != batch[0].entry:
                self.held.append(batch.pop())
                break
            if len(batch) >= self.most(task.entry, places):
                break
        self.left -= len(batch)
        return batch

    def most(self, entry: int, places: int) -> int:
        """Return how many tasks to take: one until it is known how long that takes."""
        if not (seconds := self.seconds.get(entry)):
            return 1
        fair = max(ceil(self.left / (2 * places)), int(SHORT / seconds))
        return max(1, min(fair, int(LONG / seconds), MOST))

    def took(self, tasks: Sequence[Task], seconds: float) -> None:
        """Note how long a batch took."""
        self.seconds[tasks[0].entry] = max(seconds, 1e-3) / len(tasks)


class Cluster:
    """The workers of a Dask scheduler. Call `guests` before they play."""

    def __init__(self, address: str) -> None:
        self.address = address_of(address)
        self.watched = DaskErrors(self.address)
        self.client: Any = None
        self.ending = ExitStack()
        self.told = dict[str, list[ShardProgress]]()
        self.sentences: Sequence[str] = ()
        self.places, self.looked, self.seen = 0, 0.0, 0.0

    def __enter__(self) -> Self:
        """Connect. PluginError if Dask is not installed, ClusterError if its scheduler does not answer."""
        with ExitStack() as stack:
            self.client = connected(self.address, stack)
            self.client.subscribe_topic(TOPIC, self.receive)
            self.ending = stack.pop_all()
        return self

    def __exit__(self, *raised: object) -> None:
        self.ending.close()

    def receive(self, event: tuple[float, Mapping[str, Any]]) -> None:
        """Receive the progress of a batch from its machine."""
        with suppress(KeyError, TypeError):
            self.told[event[1]["batch"]] = [ShardProgress(*each) for each in event[1]["underway"]]

    def guests(self, tournament: Tournament) -> str:
        """Return how third-party strategies are isolated there, in words.

        ClusterError, PluginError, SealError name the machines that cannot play."""
        packed = pack_tournament(tournament)
        data = bytes_of(packed)
        with self.watched:
            check_versions(self.client.get_versions())
            said = self.client.run(check_machine, data, sha256_of(data), on_error="return")
        if not said:
            raise ClusterError(
                f"the Dask scheduler at {self.address} has no workers: `dask worker {self.address}` is one"
            )
        check_machines(said, packed)
        self.sentences = sorted({machine.guests for machine in said.values()})
        each = [(guests, [name for name in said if said[name].guests == guests]) for guests in self.sentences]
        return (
            self.sentences[0]
            if len(each) == 1
            else "; ".join(f"{guests} on {list_machines(who)}" for guests, who in each)
        )

    def slots(self) -> int:
        """Return how many batches are played at once. ClusterError if there was no worker for too long."""
        now = time.monotonic()
        if now - self.looked > LOOK:
            with self.watched:
                self.places, self.looked = sum(self.client.nthreads().values()), now
            self.seen = now if self.places or not self.seen else self.seen
            if now - self.seen > ALONE:
                raise ClusterError(f"the Dask scheduler at {self.address} has had no worker for {ALONE:g} s{KEPT}")
        return self.places

    def __call__(
        self, tournament: Tournament, folder: str, tasks: Iterator[Task], jobs: int
    ) -> Iterator[Task | Sequence[ShardProgress]]:
        """Play as `tournament.run` asks of its workers; `jobs` becomes their number."""
        run, ready, given = RunFolder(folder), SimpleQueue[str](), dict[str, Batch]()
        pile = Pile(tasks, sum(each.shard_count - len(run.firsts(each)) for each in tournament.entries))
        writer = Writer(tournament, run, pack_tournament(tournament))
        sender = Sender(self.client, writer.packed, self.sentences)
        try:
            while True:
                slots = self.slots()
                while len(given) < max(2 * slots, 1) and (batch := pile.batch(max(slots, 1))):
                    with self.watched:
                        key, future = sender.send(batch, ready)
                    given[key] = Batch(batch, future)
                if not given:
                    return
                with suppress(Empty):
                    key = ready.get(timeout=GLANCE)
                    done = given.pop(key)
                    with self.watched:
                        answer: BatchResult = done.future.result()
                    pile.took(done.tasks, answer.seconds)
                    yield from writer.written(done.tasks, answer)
                yield [row for key in given for row in self.told.get(key, ())]
        finally:
            with suppress(Exception):
                self.client.cancel([batch.future for batch in given.values()])
            sender.what = None


class Writer:
    """Writes the received shards into the folder of a run."""

    def __init__(self, tournament: Tournament, run: RunFolder, packed: PackedTournament) -> None:
        self.run, self.packed = run, packed
        self.keys = [Keys(tournament, number) for number in range(len(tournament.entries))]

    def written(self, tasks: Sequence[Task], answer: BatchResult) -> Generator[Task, None, None]:
        """Yield the tasks of a batch whose shards are written; raise the error of its machine, if there was one."""
        for at, (data, sha) in answer.shards.items():
            self.write(tasks[at], data, sha, answer)
            try:
                yield tasks[at]
            except GeneratorExit:  # the reader found it damaged, or was interrupted
                self.take_away(tasks[at])
                raise
        if answer.error:
            raise error_there(answer.machine, answer.error, self.packed)
        if len(answer.shards) < len(tasks):
            raise BugError(f"{answer.machine}: {len(tasks)} shards were asked for, {len(answer.shards)} came")

    def take_away(self, task: Task) -> None:
        """Remove the shard of a task, unless it is whole."""
        keys = self.keys[task.entry]
        try:
            read_shard(path := self.run.shard(keys.entry, task.first), task, keys)
        except RoundsimError:
            path.unlink(missing_ok=True)

    def write(self, task: Task, data: bytes, sha: str, answer: BatchResult) -> None:
        """Write a shard; pack it again if another packer than ours has packed it. ClusterError."""
        entry, machine = self.keys[task.entry].entry, answer.machine
        where = f"block {task.first} of {entry.name}"
        if answer.packer == PACKER and sha256_of(data) == sha:
            self.run.write_shard(entry, task.first, [data])
            return
        with TemporaryDirectory(prefix="roundsim-") as aside:
            path = Path(aside, "shard")
            try:
                path.write_bytes(as_sent(data, sha))
                shard = read_shard(path, task, self.keys[task.entry])
            except RoundsimError as error:
                words = str(error).replace(str(path), where)
                raise ClusterError(f"{machine} has sent something that is no shard of {where}: {words}{KEPT}") from None
            if not shard or not shard.whole or shard.version != __version__:
                raise ClusterError(f"{machine} has sent a part of the shard of {where}, or of another version{KEPT}")
            self.run.write_shard(entry, task.first, [*packed_again(shard, self.keys[task.entry])])


class Sender:
    """Sends batches. Their common data, the sources of strategies, is sent to each machine once."""

    def __init__(self, client: Any, packed: PackedTournament, sentences: Sequence[str]) -> None:
        self.client, self.data, self.sentences = client, bytes_of(packed), sentences
        self.sent, self.code = sha256_of(self.data), code()
        self.what: Any = None

    def send(self, tasks: Sequence[Task], ready: SimpleQueue[str]) -> tuple[str, Any]:
        """Send a batch; return its key, which is put into `ready` when there is a result, and its future."""
        order = pickle.dumps((tasks, self.sentences))
        sent = self.sent, sha256_of(order)
        key = f"roundsim-{sha256_of(''.join(sent).encode())}"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a warning that the data is large
            self.what = self.what or self.client.submit(shared_task, self.data, key=f"roundsim-of-{self.sent}")
            words = self.what, sent, order, key, self.code
            future = self.client.submit(play_batch, *words, key=key, retries=AGAIN)
        future.add_done_callback(lambda future: ready.put(key))
        return key, future


class DaskErrors:
    """Turns the exceptions of Dask into messages."""

    def __init__(self, address: str) -> None:
        self.address = address

    def __enter__(self) -> None:
        """Nothing to do."""

    def __exit__(self, kind: Any, error: BaseException | None, trace: object) -> None:
        if isinstance(error, CancelledError | OSError | TimeoutError):
            raise ClusterError(f"the Dask scheduler at {self.address} is lost{KEPT}") from None
        if isinstance(error, Exception) and not isinstance(error, RoundsimError):
            words = " ".join(str(error).split())[:300]
            raise ClusterError(
                f"the cluster at {self.address} could not play: {type(error).__name__}: {words}{KEPT}"
            ) from None


def connected(address: str, stack: ExitStack) -> Any:
    """Return a client of Dask, closed with the stack."""
    try:
        from distributed import Client
    except ImportError as error:
        raise PluginError(f"--workers dask:// needs distributed ({error}): pip install 'roundsim[dask]'") from None
    stack.enter_context(silence())
    host, _, port = address.partition("://")[2].rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), PATIENCE).close()
    except OSError as error:
        raise ClusterError(f"no Dask scheduler answers at {address}: {error.strerror or error}") from None
    client = Client.__new__(Client)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a warning about other versions: we compare them ourselves
            client.__init__(address, timeout=PATIENCE, set_as_default=False)
    except Exception as error:
        client.status = "closed"  # else it would try to disconnect from nobody
        if isinstance(error, TypeError) and address.startswith("tls"):
            words = "Dask's settings name no certificates (distributed.comm.tls: ca-file, client.cert, client.key)"
            raise InputError(f"{address}: {words}") from None
        raise ClusterError(f"what answers at {address} is no Dask scheduler, or one of another version") from None
    stack.callback(closed, client)
    return client


def closed(client: Any) -> None:
    with suppress(Exception):  # whatever has happened to the others
        client.close(timeout=PATIENCE)


@contextmanager
def silence() -> Iterator[None]:
    """Discard Dask's own log: we report what goes wrong."""
    loggers = [logging.getLogger(name) for name in logging.root.manager.loggerDict if name.startswith("distributed")]
    before = [each.level for each in loggers]
    for each in loggers:
        each.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for each, level in zip(loggers, before, strict=True):
            each.setLevel(level)


def list_machines(machines: Sequence[str]) -> str:
    """Return machines by their addresses, the first few of them."""
    more = [f"{len(machines) - NAMED} more"] * (len(machines) > NAMED)
    return ", ".join([*machines[:NAMED], *more])


def check_versions(versions: Mapping[str, Any]) -> None:
    """Raise ClusterError for machines with another Dask or Python than ours."""
    here = versions["client"]["packages"]
    others = {"its scheduler": versions["scheduler"], **versions["workers"]}
    for what, own in ("distributed", here["distributed"]), ("python", platform.python_version()):
        found = {
            who: package_version(said, what)
            for who, said in others.items()
            if who != "its scheduler" or what != "python"
        }
        for version in sorted({*found.values()} - {own}):
            who = list_machines([each for each, theirs in found.items() if theirs == version])
            raise ClusterError(f"{who}: {what.replace('p', 'P')} {version}, here it is {own}: all must have the same")


def package_version(said: Mapping[str, Any], what: str) -> str:
    """Return the version of a package, or of Python, from `get_versions`."""
    found = str(said["packages"].get(what))
    return ".".join(found.split(".")[:3]) if what == "python" else found


def check_machines(said: Mapping[str, Any], packed: PackedTournament) -> None:
    """Raise ClusterError, PluginError, SealError for the machines where the tournament cannot be played."""
    strange = {who: each for who, each in said.items() if not isinstance(each, Machine)}
    for who, error in strange.items():
        raise ClusterError(
            f"{who}: roundsim cannot be called there ({type(error).__name__}: {error}): is it installed?"
        )
    ours = code()
    if others := [who for who, each in said.items() if each.code != ours]:
        version = said[others[0]].version
        words = "its files are others" if version == __version__ else f"here it is {__version__}"
        raise ClusterError(f"{list_machines(others)}: roundsim {version}, and {words}: all must have the same")
    for who, each in said.items():
        if each.error:
            raise error_there(who, each.error, packed)


def error_there(machine: str, said: Mapping[str, Any], packed: PackedTournament) -> RoundsimError:
    """Return a machine's error, with the paths of this machine."""
    error = error_from_json({**said, "words": packed.localized(str(said.get("words")))})
    if isinstance(error, ClusterError | PluginError | SealError):
        return type(error)(f"{machine}: {error}")
    return error
