"""Play on a cluster: a real scheduler and two workers, each a separate process. The run always has the bytes of one
machine, even if they are lost."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from helpers.command import (
    BAD,
    PATIENCE,
    ROOT,
    TESTS,
    assert_same,
    begin,
    drawn,
    environment,
    in_a_process,
    roundsim,
    shards,
    wait_for,
)

from roundsim import __version__ as version
from roundsim import api
from roundsim.base.errors import ClusterError
from roundsim.bridges import dask_members
from roundsim.bridges.dask_client import connected

pytestmark = pytest.mark.soak

LINGER = TESTS / "outside" / "linger_longer" / "linger_longer.py"
BOT = TESTS.parent / "examples" / "bots" / "py"
BADLY = ["bad.py:Sometimes(often=0.001)", "bad.py:Killed(often=0.0004)"]
FAULTY = {
    "tournament": {"seed": 3, "strategies": ["random", "habits.py:Keeps", "habits.py:Shared", *BADLY]},
    "limits": {"seconds": 300},
    "games": [{"game": "nap", "players": 4, "deals": 6000}, {"game": "nap", "name": "two", "players": 3, "deals": 300}],
}
LONG = ["play", "nap", "mine.py", "book", "random", "--deals", drawn(12000, 20000)]
HOUSE = ["play", "nap", "book", "random", "--deals", 20000]
MINE = """
class Mine:
    def act(self, view):
        sum(range(2000))
        return view.legal[0]
"""


@pytest.fixture(scope="module", autouse=True)
def distributed() -> None:
    """A skip where it is not installed.  It is imported late: importing it takes longer than collecting all tests."""
    pytest.importorskip("distributed")


class Cluster:
    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder, self.stack, self.workers = folder, stack, list[subprocess.Popen[bytes]]()
        self.port = free_port()
        self.begin_scheduler()

    @property
    def address(self) -> str:
        return f"dask://127.0.0.1:{self.port}"

    def begin_scheduler(self) -> None:
        words = ["--host", "127.0.0.1", "--port", self.port, "--no-dashboard", "--no-show"]
        self.scheduler = self.process("dask_scheduler", *words)
        assert wait_for(self.answers)

    def answers(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False

    def begin_worker(self, modules: Path | None = None) -> subprocess.Popen[bytes]:
        """One with a thread; `modules`: where it finds roundsim, if not where we do."""
        place = self.folder / f"worker-{len(self.workers)}"
        words = [f"tcp://127.0.0.1:{self.port}", "--nthreads", 1, "--no-dashboard", "--no-nanny"]
        self.workers.append(self.process("dask_worker", *words, "--local-directory", place, modules=modules))
        return self.workers[-1]

    def process(self, module: str, *words: object, modules: Path | None = None) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-P", "-m", f"distributed.cli.{module}", *map(str, words)]
        env = environment() | ({"PYTHONPATH": str(modules)} if modules else {})
        quiet: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        process = subprocess.Popen(command, cwd=self.folder, env=env, **quiet)
        self.stack.callback(process.wait)
        self.stack.callback(process.kill)
        return process

    def there(self, count: int) -> None:
        """Wait until this number of workers has joined."""
        from distributed import Client

        with Client(f"tcp://127.0.0.1:{self.port}", set_as_default=False) as client:
            client.wait_for_workers(count, timeout=PATIENCE)


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        return int(server.getsockname()[1])


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with ExitStack() as stack:
        found = Cluster(tmp_path_factory.mktemp("cluster"), stack)
        for _ in range(2):
            found.begin_worker()
        found.there(2)
        yield found


def lay_out(folder: Path) -> Path:
    for strategies in BAD, TESTS / "strategies" / "habits.py", LINGER:
        shutil.copy(strategies, folder)
    (folder / "faulty.toml").write_text(tomli_w.dumps(FAULTY))
    (folder / "mine.py").write_text(MINE)
    shutil.copytree(BOT, folder / "bot")
    return folder


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = lay_out(tmp_path_factory.mktemp("alone"))
    for isolate in "auto", "off":
        roundsim("run", "faulty.toml", "--out", isolate, "--isolate", isolate, cwd=folder, code=2)
        kinds = [json.loads(line)["kind"] for line in (folder / isolate / "faults.jsonl").read_text().splitlines()]
        assert kinds.count("exception") > 3 and kinds.count("dead") > 1
    return folder


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of one machine that is long enough for something to happen."""
    folder = lay_out(tmp_path_factory.mktemp("long"))
    roundsim(*LONG, "--out", "long", cwd=folder)
    return folder / "long"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("house")
    roundsim(*HOUSE, "--out", "house", cwd=folder)
    return folder / "house"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return lay_out(tmp_path)


def children_of(pid: int) -> list[int]:
    """All descendants of a process."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            if int(stat.read_text().rpartition(") ")[2].split()[1]) == pid:
                found += [int(stat.parent.name), *children_of(int(stat.parent.name))]
    return found


def gone(pids: list[int]) -> bool:
    for pid in pids:
        with suppress(OSError):
            if Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()[0] not in "ZX":
                return False
    return True


@pytest.mark.parametrize("isolate", ["auto", "off"])
def test_a_run_has_the_bytes_of_one_machine(isolate: str, cluster: Cluster, alone: Path, folder: Path) -> None:
    words = ["run", "faulty.toml", "--out", "there", "--isolate", isolate, "--workers", cluster.address]
    done = roundsim(*words, cwd=folder, code=2)
    assert_same(folder / "there", alone / isolate)
    assert f"on 2 processes of {cluster.address}" in done.stdout
    assert cluster.address.encode() not in (folder / "there" / "run.toml").read_bytes()
    roundsim("verify", "there", cwd=folder)


@pytest.mark.parametrize(
    "words",
    [
        ["play", "linger_longer.py", "random", "random", "--deals", 400],
        ["play", "nap", "./bot", "book", "cmd:python3 bot/bot.py", "--deals", 400],
        ["play", "draw-poker", "book", "random", "--times", 20, "--option", "stakes=table"],
        ["play", "nap,loo", "book", "random", "sampler", "--deals", 60],
        ["play", "nap", "book", "random", "expert", "mine.py", "--as", "knock-out", "--deals", 90],
        ["gate", "nap", "expert", "random", "--deals", drawn(6000, 20000)],
    ],
    ids=lambda words: words[1],
)
def test_every_kind_of_run_has_the_bytes_of_one_machine(words: list[object], cluster: Cluster, folder: Path) -> None:
    roundsim(*words, "--out", "here", cwd=folder)
    roundsim(*words, "--out", "there", "--workers", cluster.address, cwd=folder)
    assert_same(folder / "there", folder / "here")


def test_a_run_grows_is_reused_and_parted_there_too(cluster: Cluster, folder: Path) -> None:
    at = ["--workers", cluster.address]
    roundsim("play", "nap", "book", "random", "--deals", 2000, "--out", "here", cwd=folder)
    roundsim("grow", "here", "--strategy", "mine.py", cwd=folder)
    roundsim("play", "nap", "book", "random", "--deals", 2000, "--out", "there", *at, cwd=folder)
    roundsim("grow", "there", "--strategy", "mine.py", *at, cwd=folder)
    assert_same(folder / "there", folder / "here")
    three = ["play", "nap", "book", "random", "mine.py", "--deals", 2000]
    roundsim(*three, "--out", "three", cwd=folder)
    again = roundsim("play", "nap", "book", "random", "mine.py", "--deals", 3000, "--reuse", "three", *at, cwd=folder)
    assert "reused   " in again.stdout
    for part in "1/2", "2/2":
        roundsim(*three, "--shard", part, "--out", f"part.{part[0]}of2", *at, cwd=folder)
    roundsim("merge", "part.1of2", "part.2of2", "--out", "merged", cwd=folder)
    assert_same(folder / "merged", folder / "three")


def test_a_worker_that_is_killed_leaves_nothing_and_costs_nothing(cluster: Cluster, long: Path, folder: Path) -> None:
    victim = cluster.workers[0]
    run = begin(*LONG, "--out", "there", "--workers", cluster.address, cwd=folder)
    left: list[int] = []

    def plays() -> bool:
        left[:] = children_of(victim.pid)  # once: they may be gone by the next look
        return bool(shards(folder / "there")) and len(left) > 1

    assert wait_for(lambda: plays() or run.poll() is not None)
    victim.kill()
    out, err = run.communicate(timeout=PATIENCE)
    assert run.returncode == 0, err
    assert left and wait_for(lambda: gone(left))
    assert_same(folder / "there", long)


def test_a_run_whose_scheduler_is_lost_goes_on_at_another(cluster: Cluster, long: Path, folder: Path) -> None:
    words = [*LONG, "--out", "there", "--workers"]
    run = begin(*words, cluster.address, cwd=folder)
    assert wait_for(lambda: len(shards(folder / "there")) > 1 or run.poll() is not None)
    cluster.scheduler.kill()
    _, err = run.communicate(timeout=PATIENCE)
    kept = shards(folder / "there")
    assert run.returncode == 69 and "is lost; what is finished is kept, and the same command goes on" in err, err
    assert 1 < len(kept) < len(shards(long)) and "Traceback" not in err
    with ExitStack() as stack:
        other = Cluster(cluster.folder, stack)
        other.begin_worker()
        other.there(1)
        roundsim(*words, other.address, cwd=folder)
    assert_same(folder / "there", long)
    assert {name: stamp for name, stamp in shards(folder / "there").items() if name in kept} == kept


@pytest.mark.parametrize("number, code", [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_leaves_no_work(number: int, code: int, cluster: Cluster, long: Path, folder: Path) -> None:
    run = begin(*LONG, "--out", "there", "--workers", cluster.address, cwd=folder)
    assert wait_for(lambda: shards(folder / "there") or run.poll() is not None)
    os.kill(run.pid, number)
    _, err = run.communicate(timeout=PATIENCE)
    assert run.returncode == code and f"--workers {cluster.address}" in err and "Traceback" not in err, err
    assert wait_for(lambda: not any(children_of(each.pid) for each in cluster.workers))
    roundsim(*LONG, "--out", "there", cwd=folder)  # at home
    assert_same(folder / "there", long)


def test_a_source_that_has_changed_is_refused(cluster: Cluster, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_members, "sha256_of", lambda data: "0" * 64)
    with pytest.raises(ClusterError, match=r"tcp://127.0.0.1:\d+: what arrived is not what was sent"), pytest.warns():
        api.play("nap", ["book", "random"], deals=40, workers=cluster.address, wait=0, out=folder / "there")
    assert not (folder / "there").exists()


def another_version(folder: Path) -> Path:
    """Modules of roundsim that say they are older."""
    shutil.copytree(ROOT / "roundsim", folder / "roundsim", ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "roundsim" / "base" / "version.py").write_text('__version__ = "0.0.9"\n')
    return folder


def test_a_machine_of_another_version_is_left_out(cluster: Cluster, house: Path, folder: Path, tmp_path: Path) -> None:
    """The others play. When they have gone, the run ends, and goes on at home."""
    cluster.begin_worker(another_version(tmp_path / "modules"))
    cluster.there(3)
    reason = f"roundsim 0.0.9, here it is {version}: all must have the same"
    done = roundsim(*HOUSE, "--out", "there", "--workers", cluster.address, cwd=folder)
    (words,) = [line for line in done.stderr.splitlines() if "left out" in line]
    address = words.split()[1]
    assert words == f"roundsim: {address} is left out: {reason}"
    assert json.loads((folder / "there" / "timing.json").read_text())["left_out"] == {address: reason}
    assert_same(folder / "there", house)
    run = begin(*HOUSE, "--out", "lost", "--workers", cluster.address, "--wait", 0, cwd=folder)
    assert wait_for(lambda: shards(folder / "lost") or run.poll() is not None)
    for worker in cluster.workers[:2]:
        worker.kill()
    _, err = run.communicate(timeout=PATIENCE)
    assert run.returncode == 69 and err.splitlines()[-1] == f"roundsim: {address}: {reason}", err
    roundsim(*HOUSE, "--out", "lost", cwd=folder)
    assert_same(folder / "lost", house)


def test_workers_that_are_still_coming_are_waited_for(house: Path, folder: Path) -> None:
    with ExitStack() as stack:
        cluster = Cluster(folder, stack)
        words = ["play", "nap", "book", "random", "--out", "nobody", "--workers", cluster.address, "--wait", 0]
        done = roundsim(*words, cwd=folder, code=69)
        assert "has no workers: `dask worker tcp://127.0.0.1:" in done.stderr and not (folder / "nobody").exists()
        run = begin(*HOUSE, "--out", "there", "--workers", cluster.address, "--wait", "inf", cwd=folder)
        assert run.stderr and "has no machine that can play: waiting for one" in run.stderr.readline()
        first = cluster.begin_worker()
        assert wait_for(lambda: shards(folder / "there") or run.poll() is not None)
        first.kill()
        first.wait()
        cluster.begin_worker()
        _, err = run.communicate(timeout=PATIENCE)
        assert run.returncode == 0, err
    assert_same(folder / "there", house)


def test_a_batch_that_is_lost_with_its_machines_is_named(folder: Path) -> None:
    """Each machine is killed as soon as it plays; the run has one shard."""
    with ExitStack() as stack:
        cluster = Cluster(folder, stack)
        words = ["play", "nap", "book", "random", "--deals", 40, "--out", "there", "--workers", cluster.address]
        run = begin(*words, "--wait", "inf", cwd=folder)
        killed = 0
        while run.poll() is None and killed < 9:
            worker = cluster.begin_worker()
            assert wait_for(partial(plays, worker.pid, run))
            killed += run.poll() is None
            worker.kill()
            worker.wait()
        _, err = run.communicate(timeout=PATIENCE)
    assert run.returncode == 69 and "blocks 1 to 10 of nap were lost 5 times" in err, err
    assert killed == 5 and "what is finished is kept" in err and "KilledWorker" not in err and "Traceback" not in err


def plays(pid: int, run: subprocess.Popen[str]) -> bool:
    """Whether a machine plays, that is, its batch has the process of a worker; or the run has ended."""
    return any(map(children_of, children_of(pid))) or run.poll() is not None


def test_results_come_from_the_machines_and_a_cluster_shrinks_to_nothing(folder: Path) -> None:
    """An adaptive one, in this process: its scheduler would say if it passed on a result."""
    from distributed import LocalCluster

    quiet: dict[str, Any] = {"dashboard_address": None, "silence_logs": 50, "protocol": "tcp", "host": "127.0.0.1"}
    with LocalCluster(n_workers=0, threads_per_worker=1, processes=False, **quiet) as local:
        local.adapt(minimum=0, maximum=2, interval="50ms")
        passed_on, gather = list[object](), local.scheduler.handlers["gather"]

        async def passing_on(**words: Any) -> Any:
            passed_on.append(words)
            return await gather(**words)

        local.scheduler.handlers["gather"] = passing_on
        address = local.scheduler_address.replace("tcp", "dask")
        words = "play", "nap", "book", "random", "--deals", 4000
        done = roundsim(*words, "--out", "there", "--workers", address, cwd=folder)
        assert "no machine that can play: waiting 60 s for one" in done.stderr
        assert wait_for(lambda: not local.scheduler.workers)
        assert not passed_on
    roundsim(*words, "--out", "here", cwd=folder)
    assert_same(folder / "there", folder / "here")


def test_errors_left_behind_by_dask_are_not_reported(cluster: Cluster, caplog: pytest.LogCaptureFixture) -> None:
    """An error in a task that nobody awaits, noticed when the client is closed."""
    with ExitStack() as stack:
        client = connected(cluster.address.replace("dask", "tcp"), stack)
        loop = client.loop.asyncio_loop
        task = asyncio.run_coroutine_threadsafe(left_behind(), loop).result(PATIENCE)
        assert wait_for(task.done)
    del task
    gc.collect()
    assert not caplog.records


async def left_behind() -> asyncio.Task[None]:
    async def fails() -> None:
        raise ValueError

    return asyncio.ensure_future(fails())


def test_a_cluster_of_dask_jobqueue_starts_from_nothing(folder: Path) -> None:
    """Its workers are jobs, as in the queue of Slurm or PBS, started on this machine."""
    reason = "dask-jobqueue is not installed: pip install dask-jobqueue"
    jobqueue = pytest.importorskip("dask_jobqueue.local", reason=reason)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment().items():
            patch.setenv(name, value)
        job = {"cores": 1, "processes": 1, "memory": "1GB", "nanny": False, "local_directory": str(folder)}
        scheduler = {"dashboard_address": None, "host": "127.0.0.1"}
        with jobqueue.LocalCluster(**job, log_directory=str(folder / "jobs"), scheduler_options=scheduler) as jobs:
            jobs.adapt(minimum=0, maximum=2)
            words = ["play", "nap", "book", "random", "--deals", 4000, "--out", "there", "--wait", "inf", "--workers"]
            done = in_a_process(*words, jobs.scheduler_address, cwd=folder)
            assert "waiting for one" in done.stderr
            assert wait_for(lambda: not jobs.scheduler.workers)
    roundsim("play", "nap", "book", "random", "--deals", 4000, "--out", "here", cwd=folder)
    assert_same(folder / "there", folder / "here")


def test_the_sandbox_is_reported_and_demanded_on_the_workers(cluster: Cluster, folder: Path) -> None:
    """Workers without a sandbox are refused by name if isolation is demanded; else the run says that there was none."""
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROUNDSIM_SEAL", "none")
        bare = Cluster(cluster.folder, stack)
        bare.begin_worker()
        bare.there(1)
        patch.delenv("ROUNDSIM_SEAL")
        words = ["play", "nap", "mine.py", "book", "--deals", 40, "--workers", bare.address, "--out"]
        refused = roundsim(*words, "there", "--isolate", "on", "--wait", 0, cwd=folder, code=78)
        assert "tcp://127.0.0.1:" in refused.stderr and "no sandbox works" in refused.stderr
        assert "guests   not isolated\n" in roundsim(*words, "there", cwd=folder).stdout
