"""Machines of a cluster that come and go, that are left out, and that are lost with what they play.

The cluster is a double with a clock of its own: nothing is sent, and nothing waits."""

from __future__ import annotations

import platform
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest

import roundsim
from roundsim.base import errors
from roundsim.bridges import dask_members
from roundsim.bridges.dask import Cluster, Distribution, Pile
from roundsim.bridges.dask_machine import BatchResult, check_machine, code, play_batch
from roundsim.bridges.dask_members import Members
from roundsim.bridges.dask_sources import PackedTournament, SourceFiles
from roundsim.processes.lines import error_to_json
from roundsim.tournament.planning.plan import Task

SOURCE = SourceFiles("source-1/mine.py", {}, "0" * 64, "strategies/mine.py")
PACKED = PackedTournament(cast(Any, None), [SOURCE])
A, B, C = "tcp://a:1", "tcp://b:1", "tcp://c:1"
NOBODY = "the Dask scheduler at tcp://s:1 has no machine that can play"
MINOR = ".".join(platform.python_version_tuple()[:2])
HERE = {"distributed": "2026.8.0", "Python": MINOR, "roundsim": roundsim.__version__, "code": code()}
GOOD = {**HERE, "guests": "", "error": {}}


def failing(error: errors.RoundsimError) -> dict[str, Any]:
    """The answer of a good machine that cannot play for this reason."""
    return {**GOOD, "error": error_to_json(error)}


@pytest.fixture(autouse=True)
def versions_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a good machine: no Dask needs to be installed."""
    monkeypatch.setattr(dask_members, "versions", lambda: {**HERE})


class Future:
    """A task in the cluster, which the test finishes."""

    def __init__(self, function: Callable[..., object], key: str, workers: list[str]) -> None:
        self.function, self.key, self.workers = function, key, workers
        self.status, self.answered, self.callbacks = "pending", cast(Any, None), list[Callable[[Any], object]]()

    def finish(self, answer: Any) -> None:
        self.status, self.answered = "error" if isinstance(answer, Exception) else "finished", answer
        for each in self.callbacks:
            each(self)

    def add_done_callback(self, function: Callable[[Any], object]) -> None:
        self.callbacks.append(function)

    def done(self) -> bool:
        return self.status != "pending"

    def result(self, timeout: float) -> Any:
        return self.answered

    def exception(self, timeout: float) -> Any:
        return self.answered

    def cancel(self) -> None:
        self.status = "cancelled"


class Dask:
    """A client whose cluster has these machines, with their threads, and what each says when it is checked."""

    def __init__(self, **said: dict[str, Any] | Exception) -> None:
        self.said = {f"tcp://{name}:1": answer for name, answer in said.items()}
        self.threads = dict.fromkeys(self.said, 1)
        self.submitted = list[Future]()
        self.now, self.asked, self.direct_to_workers = 0.0, 0, True

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def nthreads(self) -> dict[str, int]:
        return {**self.threads}

    def submit(self, function: Any, *words: Any, key: str, workers: Any = (), **how: Any) -> Future:
        self.submitted.append(Future(function, key, [*workers]))
        if function is check_machine:
            self.submitted[-1].finish(self.said[workers[0]])
        return self.submitted[-1]

    def rpc(self, address: str) -> Any:
        raise AssertionError

    def sync(self, function: Callable[[], object]) -> None:
        """No machine can be reached from here."""
        self.asked += 1
        raise TimeoutError

    def of(self, function: Any) -> list[Future]:
        return [each for each in self.submitted if each.function is function and each.status != "cancelled"]


@pytest.fixture
def cluster_of(monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Dask, Members, list[str]]]:
    def begin(wait: float = 60, **said: dict[str, Any] | Exception) -> tuple[Dask, Members, list[str]]:
        client, words = Dask(**said), list[str]()
        monkeypatch.setattr(dask_members, "time", SimpleNamespace(monotonic=lambda: client.now, sleep=client.sleep))
        members = Members(client, "tcp://s:1", wait, words.append)
        members.load(PACKED)
        return client, members, words

    return begin


def look(members: Members, times: int = 2) -> None:
    """One look starts a check, the next one judges it."""
    for _ in range(times):
        members.client.now += dask_members.LOOK + 1
        members.look()


@pytest.mark.parametrize(
    "said, words",
    [
        ({**GOOD, "Python": "3.2"}, f"Python 3.2, here it is {MINOR}"),
        ({**GOOD, "distributed": "2024.9.1"}, "distributed 2024.9.1, here it is 2026.8.0"),
        ({**GOOD, "roundsim": "0.0.9", "code": "other"}, f"roundsim 0.0.9, here it is {roundsim.__version__}"),
        ({**GOOD, "code": "other"}, f"roundsim {roundsim.__version__}, and its files are others"),
        (ModuleNotFoundError("No module named 'roundsim'"), "roundsim cannot be called there: is it installed?"),
        (failing(errors.PluginError(f"{SOURCE.path} cannot be loaded")), "strategies/mine.py cannot be loaded"),
        (failing(errors.SealError("no sandbox works")), "no sandbox works"),
    ],
)
def test_a_machine_that_cannot_play_is_left_out_and_the_others_play(said: Any, words: str, cluster_of: Any) -> None:
    client, members, printed = cluster_of(a=GOOD, b=said)
    look(members)
    assert [*members.good] == [A] and len(printed) == 1
    assert printed[0].startswith(f"{B} is left out: {words}") and str(members.left_out[B]) in printed[0]
    client.submitted.clear()
    look(members, 5)
    assert not client.submitted  # it is asked once


def test_the_reasons_of_machines_that_cannot_play_are_named(cluster_of: Any) -> None:
    for kind in errors.ClusterError, errors.PluginError, errors.SealError:
        answered = failing(kind("it cannot"))
        _, members, _ = cluster_of(wait=0, a=answered, b=answered)
        with pytest.raises(kind, match=f"^{A}, {B}: it cannot$"):
            look(members)
    other = {**GOOD, "Python": "3.2"}
    _, members, printed = cluster_of(a=other, b=other, c=other, d=other, e=other, f=GOOD)
    look(members)
    assert [words.partition(" ")[0] for words in printed] == [A, B, C, "more"] and len(members.left_out) == 5


def test_a_machine_that_comes_again_or_isolates_differently_is_checked(cluster_of: Any) -> None:
    client, members, _ = cluster_of(a=GOOD, b={**GOOD, "Python": "3.2"})
    look(members)
    del client.threads[B]
    look(members)
    client.threads[B], client.said[B] = 1, GOOD
    look(members)
    assert sorted(members.good) == [A, B] and not members.left_out
    client, members, printed = cluster_of(a={**GOOD, "guests": "behind glass"})
    members.check_scheduler = lambda: None
    members.begin()
    assert members.isolation() == "behind glass"
    client.threads[B], client.said[B] = 1, {**GOOD, "guests": "not isolated"}
    look(members)
    assert [*members.good] == [A]
    reason = "it plays third-party strategies differently: 'not isolated', not 'behind glass'"
    assert printed == [f"{B} is left out: {reason}"]


def test_a_cluster_without_machines_is_waited_for_and_asked_to_start_one(cluster_of: Any) -> None:
    client, members, printed = cluster_of(wait=60)
    look(members, 3)
    (waker,) = client.submitted
    assert waker.workers == [] and printed == [f"{NOBODY}: waiting 60 s for one"]
    client.threads[A], client.said[A] = 1, GOOD
    look(members)
    assert [*members.good] == [A] and members.waker is None
    client.threads.clear()
    look(members)
    assert not members.good and len(printed) == 2 and len(client.of(int)) == 2  # it is asked again
    client.now += 61
    with pytest.raises(errors.ClusterError, match=r"tcp://s:1 has no workers, and none has come in 60 s \(--wait\)"):
        members.look()
    # Waiting starts with the look that finds it empty: between two looks, shards may be read for minutes.
    client, members, _ = cluster_of(wait=60, a=GOOD)
    look(members)
    client.threads.clear()
    client.now += 1000
    members.look()
    client.now += 59
    members.look()
    client.now += 2
    with pytest.raises(errors.ClusterError, match="has no workers"):
        members.look()


def test_a_cluster_is_waited_for_not_at_all_or_for_ever(cluster_of: Any) -> None:
    _, members, printed = cluster_of(wait=0)
    with pytest.raises(errors.ClusterError, match="has no workers: `dask worker tcp://s:1` is one"):
        members.look()
    _, members, printed = cluster_of(wait=float("inf"))
    members.look()
    members.client.now = 1e9
    members.look()
    assert printed == [f"{NOBODY}: waiting for one"]


def test_where_one_machine_cannot_be_reached_in_time_the_others_are_not_asked(cluster_of: Any) -> None:
    client, members, _ = cluster_of(a=GOOD, b=GOOD, c=GOOD)
    look(members)
    assert client.asked == 1 and not any(each.direct for each in members.good.values())


class Written:
    packed = PACKED

    def written(self, tasks: Any, answer: BatchResult) -> list[Task]:
        return [tasks[at] for at in answer.shards]


@pytest.fixture
def playing_of(cluster_of: Any) -> Callable[..., tuple[Dask, Distribution]]:
    """Batches of two shards each, on machines with one thread."""

    def begin(**said: Any) -> tuple[Dask, Distribution]:
        client, members, _ = cluster_of(**said)
        cluster = Cluster("tcp://s:1", 0)
        cluster.client, cluster.members = client, members
        look(members)
        pile = Pile((Task(0, first, first) for first in range(1, 81)), 80, ["nap"])
        pile.seconds = {0: 20.0}
        return client, Distribution(cluster, pile, cast(Any, Written()))

    return begin


def under_way(playing: Distribution) -> list[tuple[str, list[int]]]:
    batches = playing.given.values()
    return [(batch.member.address, [task.first for task in batch.tasks]) for batch in batches]


def answer(error: errors.RoundsimError | None = None, shards: int = 0, lost: str = "") -> BatchResult:
    data = {at: (b"", "") for at in range(shards)}
    return BatchResult("tcp://elsewhere:1", data, 1.0, error_to_json(error) if error else {}, "", lost)


def receive(client: Dask, playing: Distribution, said: Any) -> list[int]:
    """The first batch under way has this result."""
    next(batch for batch in playing.given.values()).future.finish(said)
    return [task.first for task in playing.received(playing.ready.get_nowait())]


def test_each_machine_has_a_batch_to_play_and_one_that_waits_until_it_is_lost(playing_of: Any) -> None:
    client, playing = playing_of(a=GOOD, b=GOOD)
    playing.send()
    assert under_way(playing) == [(A, [1, 2]), (B, [3, 4]), (A, [5, 6]), (B, [7, 8])]
    assert {tuple(each.workers) for each in client.of(play_batch)} == {(A,), (B,)}
    # A lost batch comes again in halves, one that waited as it was.
    del client.threads[B]
    client.now += 9
    playing.take_back()
    assert under_way(playing) == [(A, [1, 2]), (A, [5, 6])]
    client.threads[C], client.said[C] = 3, GOOD
    look(playing.members)
    playing.send()
    assert under_way(playing)[2:5] == [(C, [3]), (C, [4]), (C, [7, 8])]


def test_a_machine_that_joins_later_plays_and_one_of_another_version_does_not(playing_of: Any) -> None:
    client, playing = playing_of(a=GOOD)
    client.threads |= {B: 1, C: 1}
    client.said |= {B: {**GOOD, "roundsim": "0.0.9"}, C: GOOD}
    look(playing.members)
    playing.send()
    assert {address for address, _ in under_way(playing)} == {A, C}


@pytest.mark.parametrize("kind", [errors.ClusterError, errors.FolderError, errors.ResourceError, errors.SealError])
def test_a_machine_that_fails_later_keeps_what_it_has_done(kind: type[errors.RoundsimError], playing_of: Any) -> None:
    client, playing = playing_of(a=GOOD, b=GOOD)
    playing.send()
    assert receive(client, playing, answer(kind("no room"), shards=1)) == [1]
    playing.take_back()
    playing.send()
    assert [*playing.members.left_out] == [A] and under_way(playing) == [(B, [3, 4]), (B, [7, 8])]
    assert [task.first for batch in playing.pile.again for task in batch] == [2, 5, 6]


def test_an_error_that_any_machine_would_have_ends_the_run(playing_of: Any) -> None:
    """So does a machine that sends less than was asked for, which is a bug."""
    for sent, kind, words in (
        (answer(errors.AbortError("a fault")), errors.AbortError, "a fault"),
        (answer(errors.PluginError(f"{SOURCE.path} is late")), errors.PluginError, f"{A}: strategies/mine.py is late"),
        (answer(shards=1), errors.BugError, "2 shards were asked for, 1 came"),
    ):
        client, playing = playing_of(a=GOOD)
        playing.send()
        with pytest.raises(kind) as raised:
            receive(client, playing, sent)
        assert words in str(raised.value)


def test_a_shard_that_kills_five_machines_is_named(playing_of: Any) -> None:
    client, playing = playing_of(a=GOOD)
    playing.pile.seconds = {}  # one shard in a batch
    words = "blocks 1 to 1 of nap were lost 5 times.*last: tcp://elsewhere:1: ended with code 9"
    with pytest.raises(errors.ClusterError, match=words):
        for _ in range(40):
            playing.send()
            tasks = next(iter(playing.given.values())).tasks
            dies = tasks[0].first == 1
            receive(client, playing, answer(lost="ended with code 9") if dies else answer(shards=len(tasks)))
    client, playing = playing_of(a=GOOD)
    playing.pile.seconds = {}
    playing.send()
    gave_up = type("GaveUpError", (RuntimeError,), {"allowed_failures": 4})  # as Dask raises it after five workers
    with pytest.raises(errors.ClusterError, match="blocks 1 to 1 of nap were lost 5 times") as raised:
        receive(client, playing, gave_up("in Dask's words"))
    assert "Dask" not in str(raised.value)
