"""The parts of playing on a cluster that need none: addresses, refusals, and how batches are cut.

`test_dask_members.py` has machines that come and go, `test_dask_cluster.py` a real scheduler."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from helpers.command import called

import roundsim
from roundsim.base.errors import ClusterError, InputError
from roundsim.bridges.dask import Cluster, Pile
from roundsim.bridges.dask_client import DaskErrors, address_of
from roundsim.tournament.planning.plan import ShardProgress, Task

NAMES = "nap", "loo"
WRONG = ["", "8786", "host:8786", "dask://host", "dask://:1", "dask://host:0", "dask://host:65536", "dask:/h:1"]


@contextmanager
def answering(words: bytes) -> Iterator[str]:
    """The host and port of a server that sends these bytes to every caller."""
    with closing(socket.create_server(("127.0.0.1", 0))) as server:

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    connection.sendall(words)

        threading.Thread(target=serve, daemon=True).start()
        yield f"127.0.0.1:{server.getsockname()[1]}"


def test_an_address_is_that_of_a_scheduler() -> None:
    assert address_of("dask://127.0.0.1:8786") == "tcp://127.0.0.1:8786"
    for address in "tcp://cards.example:1", "tls://[::1]:65535":
        assert address_of(address) == address


HERE = "--workers", "dask://localhost:1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        *((["--workers", address], "dask://HOST:PORT") for address in WRONG),
        (["--workers", "http://host:8786"], "http://: workers are named dask://, tcp://, tls://"),
        ([*HERE, "--jobs", "2"], "give it or --workers"),
        (["--wait", "3"], "give --workers, too"),
        *(([*HERE, "--wait", seconds], "wait") for seconds in ("-1", "soon", "nan")),
    ],
)
def test_wrong_words_are_refused(words: list[str], message: str, tmp_path: Path) -> None:
    done = called("play", "nap", "random", *words, cwd=tmp_path)
    assert done.returncode == 64 and message in done.stderr and not [*tmp_path.iterdir()]


def test_wrong_arguments_are_refused(tmp_path: Path) -> None:
    for address in WRONG:
        with pytest.raises(InputError, match="dask://HOST:PORT"):
            address_of(address)
    with pytest.raises(TypeError, match="give one"):
        roundsim.play("nap", ["random"], jobs=2, workers="dask://localhost:1", out=tmp_path / "run")
    with pytest.raises(TypeError, match="wait is for"):
        roundsim.play("nap", ["random"], wait=3, out=tmp_path / "run")


def test_only_a_dry_run_does_without_dask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = called("play", "nap", "random", *HERE, "--dry-run", cwd=tmp_path)
    assert done.returncode == 0 and "seed 1 · dask://localhost:1 · " in done.stdout
    done = called("play", "nap", "random", *HERE, cwd=tmp_path)
    assert done.returncode == 66 and "[dask]'" in done.stderr and not [*tmp_path.iterdir()]


def test_an_address_without_a_scheduler_is_reported(tmp_path: Path) -> None:
    """In one test, as the import of Dask takes long."""
    pytest.importorskip("distributed")
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        closed = f"127.0.0.1:{server.getsockname()[1]}"
    done = called("play", "nap", "random", "--workers", f"dask://{closed}", cwd=tmp_path)
    assert done.returncode == 69 and f"no Dask scheduler answers at tcp://{closed}: " in done.stderr
    with answering(b"HTTP/1.0 400 Bad Request\r\n\r\n") as other:
        done = called("play", "nap", "random", "--workers", f"dask://{other}", cwd=tmp_path)
    assert done.returncode == 69 and f"what answers at tcp://{other} is no Dask scheduler" in done.stderr
    assert done.stderr.count("\n") == 1
    with answering(b"") as other:
        done = called("play", "nap", "random", "--workers", f"tls://{other}", cwd=tmp_path)
    assert done.returncode == 64 and "distributed.comm.tls" in done.stderr and not [*tmp_path.iterdir()]


@pytest.mark.parametrize("error", [OSError("closed"), TimeoutError(), ValueError("what is this\nin two lines")])
def test_an_error_of_dask_is_reported_in_one_line(error: Exception) -> None:
    with pytest.raises(ClusterError) as raised, DaskErrors("tcp://host:1"):
        raise error
    assert "tcp://host:1" in str(raised.value) and "what is finished is kept" in str(raised.value)
    assert "\n" not in str(raised.value) and "what is this" not in str(raised.value)


def test_progress_of_a_batch_is_noted_and_nonsense_is_not() -> None:
    cluster, row = Cluster("dask://localhost:1"), ShardProgress(40, 10, 40, "mine", 0.5, "book")
    cluster.receive((0.0, {"batch": "one", "underway": [[*row]]}))
    for nonsense in {"batch": "one"}, {"batch": "one", "underway": [[1]]}, {"batch": "one", "underway": 3}:
        cluster.receive((1.0, nonsense))
    assert cluster.underway == {"one": [row]}


def tasks(*counts: int) -> Iterator[Task]:
    for entry, count in enumerate(counts):
        yield from (Task(entry, first, first) for first in range(1, count + 1))


def test_batches_take_40_seconds_and_less_near_the_end() -> None:
    """Two places; a shard takes half a second: 80 of them are 40 s. Near the end a batch has a quarter of the rest, and
    at least 10 shards, which are 5 s."""
    pile = Pile(tasks(400), 400, NAMES)
    pile.took(pile.batch(2), 0.5)
    given = [len(batch) for batch in iter(lambda: pile.batch(2), [])]
    assert given[:2] == [80, 80]  # 399 and 319 were left: a quarter is 80 or more
    assert given[2:9] == [60, 45, 34, 25, 19, 14, 11]  # of 239, 179, 134, 100, 75, 56 and 42
    assert given[9:] == [10, 10, 10, 1]  # of 31, 21, 11 and 1


def test_a_batch_is_of_one_entry_and_one_shard_if_that_takes_long_or_an_unknown_time() -> None:
    for seconds in {}, {0: 60.0}:
        pile = Pile(tasks(5), 5, NAMES)
        pile.seconds = seconds
        assert [len(pile.batch(2)) for _ in range(6)] == [1, 1, 1, 1, 1, 0]
    pile = Pile(tasks(3, 2), 5, NAMES)
    pile.seconds = {0: 0.01, 1: 0.01}
    batches = [[(task.entry, task.first) for task in pile.batch(1)] for _ in range(3)]
    assert batches == [[(0, 1), (0, 2), (0, 3)], [(1, 1), (1, 2)], []]


def firsts(*batches: Sequence[Task]) -> list[list[int]]:
    return [[task.first for task in batch] for batch in batches]


def test_a_lost_batch_comes_again_in_halves_and_one_that_was_not_played_as_it_was() -> None:
    pile = Pile(tasks(9), 9, NAMES)
    pile.seconds = {0: 8.0}
    whole = pile.batch(1)
    assert firsts(whole) == [[1, 2, 3, 4, 5]] and pile.left == 4
    pile.put_back_lost(whole, "gone")
    assert pile.left == 9
    assert firsts(*(pile.batch(1) for _ in range(3))) == [[1, 2], [3, 4, 5], [6, 7]]
    pile = Pile(tasks(2), 2, NAMES)
    pile.seconds = {0: 1.0}
    pile.put_back(pile.batch(1))
    assert pile.more() and firsts(pile.batch(1)) == [[1, 2]] and not pile.more()
    assert pile.left == 0 and pile.batch(1) == []


def test_a_shard_that_is_lost_alone_with_five_machines_is_named() -> None:
    pile = Pile(tasks(0, 1), 1, NAMES)
    for _ in range(4):
        pile.put_back_lost(pile.batch(1), "tcp://a:1 has gone")
    words = r"blocks 1 to 1 of loo were lost 5 times.*; last: tcp://a:1 has gone; what is"
    with pytest.raises(ClusterError, match=words):
        pile.put_back_lost(pile.batch(1), "tcp://a:1 has gone")
    # Two shards that are lost together come alone from then on, and only those losses count.
    pile = Pile(tasks(2), 2, NAMES)
    pile.seconds = {0: 1.0}
    pile.put_back_lost(pile.batch(1), "gone", 7)
    pile.put_back_lost(pile.batch(1), "gone", 4)
    assert firsts(pile.batch(1), pile.batch(1)) == [[2], [1]]
