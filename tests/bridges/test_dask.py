"""Play on a cluster, as far as it needs none: addresses, what is refused, and how batches are cut.

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
from roundsim.bridges.dask import Cluster
from roundsim.bridges.dask_client import DaskErrors, address_of
from roundsim.bridges.dask_pile import Pile
from roundsim.errors import ClusterError, InputError, RoundsimError
from roundsim.tournament.planning.plan import ShardProgress, Task

NAMES = "nap", "loo"


@contextmanager
def answering(words: bytes) -> Iterator[str]:
    """The host and port of somebody who says this to whoever calls."""
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


@pytest.mark.parametrize(
    "text, found",
    [
        ("dask://127.0.0.1:8786", "tcp://127.0.0.1:8786"),
        ("tcp://cards.example:1", "tcp://cards.example:1"),
        ("tls://[::1]:65535", "tls://[::1]:65535"),
    ],
)
def test_an_address_is_that_of_a_scheduler(text: str, found: str) -> None:
    assert address_of(text) == found


@pytest.mark.parametrize(
    "text",
    ["", "8786", "127.0.0.1:8786", "dask://host", "dask://:8786", "dask://host:0", "dask://host:65536", "dask:/h:1"],
)
def test_wrong_addresses_are_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="dask://HOST:PORT"):
        address_of(text)
    done = called("play", "nap", "--workers", text, cwd=tmp_path)
    assert done.returncode == 64 and "dask://HOST:PORT" in done.stderr and not [*tmp_path.iterdir()]


def test_another_scheme_is_refused_with_those_that_are_known(tmp_path: Path) -> None:
    done = called("play", "nap", "--workers", "http://host:8786", cwd=tmp_path)
    assert done.returncode == 64 and "http://: workers are named dask://, tcp://, tls://" in done.stderr


def test_processes_of_this_machine_and_a_cluster_are_not_asked_for_at_once(tmp_path: Path) -> None:
    done = called("play", "nap", "--workers", "dask://localhost:1", "--jobs", 2, cwd=tmp_path)
    assert done.returncode == 64 and "give it or --workers" in done.stderr
    with pytest.raises(TypeError, match="give one"):
        roundsim.play("nap", ["random"], jobs=2, workers="dask://localhost:1", out=tmp_path / "run")


def test_waiting_is_for_a_cluster_and_takes_seconds(tmp_path: Path) -> None:
    done = called("play", "nap", "--wait", 3, cwd=tmp_path)
    assert done.returncode == 64 and "give --workers, too" in done.stderr
    for words in "-1", "soon", "nan":
        done = called("play", "nap", "random", "--workers", "dask://localhost:1", "--wait", words, cwd=tmp_path)
        assert done.returncode == 64 and "wait" in done.stderr and not [*tmp_path.iterdir()]
    with pytest.raises(TypeError, match="wait is for"):
        roundsim.play("nap", ["random"], wait=3, out=tmp_path / "run")


def test_a_dry_run_asks_nobody(tmp_path: Path) -> None:
    done = called("play", "nap", "random", "--workers", "dask://localhost:1", "--dry-run", cwd=tmp_path)
    assert done.returncode == 0 and "seed 1 · dask://localhost:1 · " in done.stdout


def test_without_dask_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    done = called("play", "nap", "random", "--workers", "dask://localhost:1", cwd=tmp_path)
    assert done.returncode == 66 and "pip install 'roundsim[dask]'" in done.stderr and not [*tmp_path.iterdir()]


def test_an_address_without_a_server_is_reported_and_writes_nothing(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        closed = f"127.0.0.1:{server.getsockname()[1]}"
    done = called("play", "nap", "random", "--workers", f"dask://{closed}", cwd=tmp_path)
    assert done.returncode == 69 and f"no Dask scheduler answers at tcp://{closed}: " in done.stderr
    assert not [*tmp_path.iterdir()]


def test_another_server_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    with answering(b"HTTP/1.0 400 Bad Request\r\n\r\n") as other:
        done = called("play", "nap", "random", "--workers", f"dask://{other}", cwd=tmp_path)
    assert done.returncode == 69 and f"what answers at tcp://{other} is no Dask scheduler" in done.stderr
    assert done.stderr.count("\n") == 1 and not [*tmp_path.iterdir()]


def test_tls_needs_certificates(tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    with answering(b"") as other:
        done = called("play", "nap", "random", "--workers", f"tls://{other}", cwd=tmp_path)
    assert done.returncode == 64 and "distributed.comm.tls" in done.stderr


@pytest.mark.parametrize("error", [OSError("closed"), TimeoutError(), ValueError("what is this\nin two lines")])
def test_an_error_of_dask_is_reported_in_one_line(error: Exception) -> None:
    with pytest.raises(ClusterError) as raised, DaskErrors("tcp://host:1"):
        raise error
    assert "tcp://host:1" in str(raised.value) and "what is finished is kept" in str(raised.value)
    assert "\n" not in str(raised.value) and "what is this" not in str(raised.value)


def test_how_far_a_batch_is_is_heard_and_nonsense_is_not() -> None:
    cluster, row = Cluster("dask://localhost:1"), ShardProgress(40, 10, 40, "mine", 0.5, "book")
    cluster.receive((0.0, {"batch": "one", "underway": [[*row]]}))
    for nonsense in {"batch": "one"}, {"batch": "one", "underway": [[1]]}, {"batch": "one", "underway": 3}:
        cluster.receive((1.0, nonsense))
    assert cluster.underway == {"one": [row]}


def tasks(*counts: int) -> Iterator[Task]:
    """So many tasks of each entry."""
    for entry, count in enumerate(counts):
        yield from (Task(entry, first, first) for first in range(1, count + 1))


def test_a_batch_is_one_shard_as_long_as_nobody_knows_how_long_it_takes() -> None:
    pile = Pile(tasks(5), 5, NAMES)
    assert [len(pile.batch(2)) for _ in range(6)] == [1, 1, 1, 1, 1, 0]


def test_batches_take_so_many_seconds_and_less_near_the_end() -> None:
    """Two places; a shard takes half a second: 80 of them are 40 s.  Near the end a quarter of what is left, and 10, which
    are 5 s, at the least."""
    pile = Pile(tasks(400), 400, NAMES)
    pile.took(pile.batch(2), 0.5)
    given = [len(batch) for batch in iter(lambda: pile.batch(2), [])]
    assert given[:2] == [80, 80]  # 399 and 319 were left: a quarter is 80 or more
    assert given[2:9] == [60, 45, 34, 25, 19, 14, 11]  # of 239, 179, 134, 100, 75, 56 and 42
    assert given[9:] == [10, 10, 10, 1]  # of 31, 21, 11 and 1


def test_a_batch_is_of_one_entry_and_nothing_is_lost_between_two() -> None:
    pile = Pile(tasks(3, 2), 5, NAMES)
    pile.seconds = {0: 0.01, 1: 0.01}
    assert [[(task.entry, task.first) for task in pile.batch(1)] for _ in range(3)] == [
        [(0, 1), (0, 2), (0, 3)],
        [(1, 1), (1, 2)],
        [],
    ]


def test_a_shard_that_takes_long_goes_alone() -> None:
    pile = Pile(tasks(9), 9, NAMES)
    pile.seconds = {0: 60.0}
    assert [len(pile.batch(1)) for _ in range(9)] == [1] * 9


def firsts(*batches: Sequence[Task]) -> list[list[int]]:
    return [[task.first for task in batch] for batch in batches]


def test_a_lost_batch_comes_again_in_halves_and_before_the_others() -> None:
    pile = Pile(tasks(9), 9, NAMES)
    pile.seconds = {0: 8.0}
    whole = pile.batch(1)
    assert firsts(whole) == [[1, 2, 3, 4, 5]] and pile.left == 4
    pile.put_back_lost(whole, "gone")
    assert pile.left == 9
    assert firsts(*(pile.batch(1) for _ in range(3))) == [[1, 2], [3, 4, 5], [6, 7]]


def test_a_batch_that_was_not_played_comes_again_as_it_was() -> None:
    pile = Pile(tasks(2), 2, NAMES)
    pile.seconds = {0: 1.0}
    pile.put_back(pile.batch(1))
    assert pile.more() and firsts(pile.batch(1)) == [[1, 2]] and not pile.more()
    assert pile.left == 0 and pile.batch(1) == []


def test_a_shard_that_is_lost_with_five_machines_is_named() -> None:
    pile = Pile(tasks(0, 1), 1, NAMES)
    for _ in range(4):
        pile.put_back_lost(pile.batch(1), "tcp://a:1 has gone")
    with pytest.raises(
        ClusterError, match=r"blocks 1 to 1 of loo were lost 5 times.*; last: tcp://a:1 has gone; what is"
    ):
        pile.put_back_lost(pile.batch(1), "tcp://a:1 has gone")


def test_the_losses_of_several_shards_together_are_not_counted() -> None:
    """Two shards are lost together again and again: each comes alone from then on, and only then it counts."""
    pile = Pile(tasks(2), 2, NAMES)
    pile.seconds = {0: 1.0}
    pile.put_back_lost(pile.batch(1), "gone", 7)
    pile.put_back_lost(pile.batch(1), "gone", 4)
    assert firsts(pile.batch(1), pile.batch(1)) == [[2], [1]]


def test_an_unreachable_cluster_has_an_exit_code_of_its_own() -> None:
    assert ClusterError("lost").code == 69 and isinstance(ClusterError("lost"), RoundsimError)
