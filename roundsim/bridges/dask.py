"""Shards played by the workers of a Dask scheduler, instead of processes on this machine.

The result of a task depends only on the task, so its bytes are the same wherever and however often it is played."""

from __future__ import annotations

import pickle
import warnings
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from math import ceil
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, Self

from ..base.errors import BugError, ClusterError, InputError, PluginError, RoundsimError
from ..base.version import __version__
from ..tournament.planning.plan import Schedule, ShardProgress, Task, Tournament
from ..tournament.storage.folder import RunFolder
from ..tournament.storage.shards import packed_again, read_shard
from .dask_client import PATIENCE, RESUME, DaskErrors, address_of, connected
from .dask_machine import PACKER, TOPIC, BatchResult, play_batch
from .dask_members import WAIT, Member, Members, error_there, is_of_machine
from .dask_sources import PackedTournament, as_sent, pack_tournament, sha256_of

GLANCE = 0.25  # seconds between two progress reports
LONG, SHORT = 40.0, 5.0  # seconds of play in a batch (starting one costs half a second), and near the end
MOST = 1000  # shards in a batch
LOSSES = 5  # of one shard alone, each with its machine or the process that played it
AHEAD = 2  # batches for each thread: one that is played, one that waits


def warn(message: str) -> None:
    warnings.warn(message, RuntimeWarning, stacklevel=4)


class SentBatch(NamedTuple):
    """Tasks of one entry that were sent together to a machine."""

    tasks: Sequence[Task]
    member: Member
    future: Any


class Cluster:
    """The workers of a Dask scheduler. Call `guests` before they play.

    `wait`: seconds to wait for a machine that can play, at first and whenever there is none, 60 by default. `say` is
    called with what a user should know meanwhile."""

    def __init__(self, address: str, wait: float | None = None, say: Callable[[str], None] = warn) -> None:
        self.address = address_of(address)
        self.wait, self.say = WAIT if wait is None else wait, say
        if not self.wait >= 0:
            raise InputError(f"wait is in seconds, 0 or more, or inf; not {wait}")
        self.watched = DaskErrors(self.address)
        self.client: Any = None
        self.members: Members
        self.ending = ExitStack()
        self.underway = dict[str, list[ShardProgress]]()

    def __enter__(self) -> Self:
        """Connect. PluginError if Dask is not installed, ClusterError if its scheduler does not answer."""
        with ExitStack() as stack:
            self.client = connected(self.address, stack)
            self.client.subscribe_topic(TOPIC, self.receive)
            self.members = Members(self.client, self.address, self.wait, self.say)
            self.ending = stack.pop_all()
        return self

    def __exit__(self, *raised: object) -> None:
        self.ending.close()

    def receive(self, event: tuple[float, Mapping[str, Any]]) -> None:
        """Receive the progress of a batch from its machine."""
        with suppress(KeyError, TypeError):
            self.underway[event[1]["batch"]] = [ShardProgress(*row) for row in event[1]["underway"]]

    def guests(self, tournament: Tournament) -> str:
        """Wait for machines that can play; return how they isolate third-party strategies, in words.

        ClusterError, PluginError, SealError: no machine can play."""
        packed = pack_tournament(tournament)
        with self.watched:
            self.members.load(packed)
            self.members.begin()
        return self.members.isolation()

    def slots(self) -> int:
        """Return how many batches are played at once."""
        return self.members.slots()

    def left_out(self) -> dict[str, str]:
        """Return the machines that were left out, with the reasons."""
        return {address: str(error) for address, error in sorted(self.members.left_out.items())}

    def __call__(
        self, tournament: Tournament, folder: str, tasks: Iterator[Task], jobs: int
    ) -> Iterator[Task | Sequence[ShardProgress]]:
        """Play as `tournament.run` asks of its workers; `jobs` becomes their number."""
        run, packed = RunFolder(folder), pack_tournament(tournament)
        left = sum(entry.shard_count - len(run.firsts(entry)) for entry in tournament.entries)
        pile = Pile(tasks, left, [entry.name for entry in tournament.entries])
        playing = Distribution(self, pile, Writer(tournament, run, packed))
        self.members.load(packed)
        try:
            while playing.given or pile.more():
                playing.take_back()
                playing.send()
                with suppress(Empty):
                    yield from playing.received(playing.ready.get(timeout=GLANCE))
                yield [row for key in playing.given for row in self.underway.get(key, ())]
        finally:
            with suppress(Exception):
                self.client.cancel([batch.future for batch in playing.given.values()])


class Distribution:
    """The batches under way, by the keys of their tasks in Dask. `ready`: those with a result."""

    def __init__(self, cluster: Cluster, pile: Pile, writer: Writer) -> None:
        self.cluster, self.members, self.pile, self.writer = cluster, cluster.members, pile, writer
        self.given, self.ready = dict[str, SentBatch](), SimpleQueue[str]()

    def take_back(self) -> None:
        """Take back the batches of machines that have gone. Those that were played there may be why."""
        with self.cluster.watched:
            self.members.look()
        played = Counter[Member]()
        for key, batch in [*self.given.items()]:
            if self.members.good.get(batch.member.address) != batch.member:
                self.drop(key)
                played[batch.member] += 1
                if played[batch.member] > batch.member.threads or batch.member.address in self.members.refused:
                    self.pile.put_back(batch.tasks)
                else:
                    self.pile.put_back_lost(batch.tasks, f"{batch.member.address} has gone")

    def drop(self, key: str) -> SentBatch:
        """Forget a batch, also in the cluster."""
        self.cluster.underway.pop(key, None)
        batch = self.given.pop(key)
        with suppress(Exception):
            batch.future.cancel()
        return batch

    def send(self) -> None:
        """Send batches to the machines that have the fewest for each thread, until all have enough."""
        load = Counter(batch.member.address for batch in self.given.values())
        good, slots = [*self.members.good.values()], self.members.slots()
        while good:
            member = min(good, key=lambda one: load[one.address] / one.threads)
            if load[member.address] >= AHEAD * member.threads or not (tasks := self.pile.batch(slots)):
                return
            load[member.address] += 1
            with self.cluster.watched:
                self.submit(tasks, member)

    def submit(self, tasks: Sequence[Task], member: Member) -> None:
        """Send a batch to a machine; its key is put into `ready` when there is a result."""
        members, order = self.members, pickle.dumps((tasks, sorted(self.members.accepted)))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a warning that the data is large
            arguments = members.source(member.address), (members.sha, sha256_of(order)), order, members.here["code"]
            future = members.only(member.address, "roundsim", play_batch, *arguments)
        self.given[future.key] = SentBatch(tasks, member, future)
        future.add_done_callback(lambda future: self.ready.put(future.key))

    def received(self, key: str) -> Generator[Task, None, None]:
        """Write the shards of a batch that has a result, and yield their tasks."""
        if key not in self.given:
            return
        with self.cluster.watched:
            answer = self.answer(self.given[key])
        if answer is None:
            return
        batch = self.drop(key)
        if isinstance(answer, Killed):
            self.pile.put_back_lost(batch.tasks, f"{batch.member.address} has gone", answer.times)
            return
        yield from self.writer.written(batch.tasks, answer)
        rest = [task for at, task in enumerate(batch.tasks) if at not in answer.shards]
        if answer.lost:
            self.pile.put_back_lost(rest, f"{answer.machine}: {answer.lost}")
        elif answer.error:
            error = error_there(answer.error, self.writer.packed)
            if isinstance(error, PluginError):  # perhaps of a module that is installed there
                raise type(error)(f"{batch.member.address}: {error}")
            if not is_of_machine(error):
                raise error
            self.members.leave_out(batch.member.address, error)
            self.pile.put_back(rest)
        elif rest:
            many = f"{len(batch.tasks)} shards were asked for, {len(answer.shards)} came"
            raise BugError(f"{answer.machine}: {many}")
        else:
            self.pile.took(batch.tasks, answer.seconds)

    def answer(self, batch: SentBatch) -> BatchResult | Killed | None:
        """Return the result of a batch; None if it has gone with its machine."""
        if batch.future.status == "error":
            self.members.forget([batch.member.address])  # until it is checked again
            return Killed(getattr(batch.future.exception(timeout=PATIENCE), "allowed_failures", 0) + 1)
        self.cluster.client.direct_to_workers = batch.member.direct
        patience = PATIENCE
        while True:
            try:
                answer: BatchResult = batch.future.result(timeout=patience)
                return answer
            except TimeoutError:
                patience *= 2  # a large result, and a slow network
                self.members.look(at_once=True)
                if batch.member.address not in self.members.good:
                    return None


class Pile:
    """The tasks that are not sent yet, taken in batches of a certain playing time.

    Batches are smaller near the end, so that all workers finish together. `left`: how many tasks there may be; `names`
    are those of the entries."""

    def __init__(self, tasks: Iterator[Task], left: int, names: Sequence[str]) -> None:
        self.tasks, self.left, self.names, self.held = tasks, left, names, list[Task]()
        self.again, self.losses = deque[Sequence[Task]](), Counter[tuple[int, int]]()
        self.seconds = dict[int, float]()  # of a shard, by entry

    def take(self) -> Task | None:
        return self.held.pop() if self.held else next(self.tasks, None)

    def more(self) -> bool:
        """Return whether anything is left."""
        if not self.again and not self.held and (task := self.take()):
            self.held.append(task)
        return bool(self.again or self.held)

    def batch(self, places: int) -> Sequence[Task]:
        """Return the next tasks, all of one entry; none if nothing is left.

        `places`: how many batches are played at once."""
        if self.again:
            self.left -= len(self.again[0])
            return self.again.popleft()
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

    def put_back(self, tasks: Sequence[Task]) -> None:
        """Put back a batch that was not played."""
        if tasks:
            self.left += len(tasks)
            self.again.append(tasks)

    def put_back_lost(self, tasks: Sequence[Task], how: str, times: int = 1) -> None:
        """Put back a batch that was lost, in halves. `how` it was lost, and how many times.

        ClusterError: it is one shard, which was lost too often."""
        if len(tasks) == 1:
            task = tasks[0]
            self.losses[task.entry, task.first] += times
            if (count := self.losses[task.entry, task.first]) >= LOSSES:
                shard = f"blocks {task.first} to {task.last} of {self.names[task.entry]}"
                raise ClusterError(
                    f"{shard} were lost {count} times, each time with what played them; last: {how}{RESUME}"
                )
        half = len(tasks) // 2
        self.put_back(tasks[:half])
        self.put_back(tasks[half:])


class Killed(NamedTuple):
    """A batch without a result: so many times its machine has ended."""

    times: int


class Writer:
    """Writes the received shards into the folder of a run."""

    def __init__(self, tournament: Tournament, run: RunFolder, packed: PackedTournament) -> None:
        self.run, self.packed = run, packed
        self.schedules = [Schedule(tournament, number) for number in range(len(tournament.entries))]

    def written(self, tasks: Sequence[Task], answer: BatchResult) -> Generator[Task, None, None]:
        """Write the shards of a batch; yield each task when that is done."""
        for at, (data, sha) in answer.shards.items():
            self.write(tasks[at], data, sha, answer)
            try:
                yield tasks[at]
            except GeneratorExit:  # the reader found it damaged, or was interrupted
                self.take_away(tasks[at])
                raise

    def take_away(self, task: Task) -> None:
        """Remove the shard of a task, unless it is whole."""
        schedule = self.schedules[task.entry]
        try:
            read_shard(path := self.run.shard(schedule.entry, task.first), task, schedule)
        except RoundsimError:
            path.unlink(missing_ok=True)

    def write(self, task: Task, data: bytes, sha: str, answer: BatchResult) -> None:
        """Write a shard; pack it again if another packer than ours has packed it. ClusterError."""
        entry, machine = self.schedules[task.entry].entry, answer.machine
        where = f"block {task.first} of {entry.name}"
        if answer.packer == PACKER and sha256_of(data) == sha:
            self.run.write_shard(entry, task.first, [data])
            return
        with TemporaryDirectory(prefix="roundsim-") as aside:
            path = Path(aside, "shard")
            try:
                path.write_bytes(as_sent(data, sha))
                shard = read_shard(path, task, self.schedules[task.entry])
            except RoundsimError as error:
                message = str(error).replace(str(path), where)
                raise ClusterError(
                    f"{machine} has sent something that is no shard of {where}: {message}{RESUME}"
                ) from None
            if not shard or not shard.whole or shard.version != __version__:
                raise ClusterError(f"{machine} has sent a part of the shard of {where}, or of another version{RESUME}")
            self.run.write_shard(entry, task.first, [*packed_again(shard, self.schedules[task.entry])])
