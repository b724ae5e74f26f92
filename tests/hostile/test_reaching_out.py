"""Strategies that reach out of their process: for files, the network, programs, other processes, the system."""

from __future__ import annotations

import os
import resource
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hostile.playing import OFF, Played, got_through, lay_out, meek, play

from roundsim.sandbox.kinds import Sandbox

MOMENTS = ("constructor", "begin", "question", "thread", "settled", "__del__")
TABLE: dict[str, Any] = {"deals": 144, "players": 2, "sitting": 2}
OTHERS = {"random": "random", "book": "book"}
SECRET = "nobody's business"


def attack(name: str, /, **words: object) -> str:
    return f"./world:{name}({', '.join(f'{key}={value!r}' for key, value in words.items())})"


def must_fail(room: Path, seal: str, entrants: dict[str, str], **more: Any) -> None:
    """Nothing differs from a run without attacks."""
    assert play(room, seal, entrants, **TABLE, **more).seen == meek(room, entrants, **TABLE, **more).seen


def must_succeed(room: Path, entrants: dict[str, str], **more: Any) -> Played:
    run = play(room, OFF, entrants, **TABLE, **more)
    assert run.code == 0, run.err
    return run


# Files


class Files:
    """Files that must stay, and places where none may appear."""

    def __init__(self, room: Path) -> None:
        self.folder, self.kept, self.gone = room / "folder", room / "folder/kept", room / "folder/gone"
        self.shared = Path("/dev/shm") / f"{room.parent.name}-{room.name}"  # the system's own memory of files
        self.secret, self.places = room / "secret", {when: room / f"written-{when}" for when in MOMENTS}
        self.folder.mkdir()
        for path in self.kept, self.gone, self.secret:
            path.write_text(SECRET)
        lay_out(room)

    @property
    def attacks(self) -> dict[str, str]:
        found = {
            f"writes-{when.strip('_')}": attack("Writes", place=str(place), when=when)
            for when, place in self.places.items()
        }
        found["writes-shared"] = attack("Writes", place=str(self.shared))
        found["overwrites"] = attack("Writes", place=str(self.kept))
        found["removes"] = attack("Removes", place=str(self.gone))
        found["reads"] = attack("Reads", place=str(self.secret))
        found["looks"] = attack("Looks", place=str(self.folder))
        found["passwords"] = attack("Reads", place="/etc/passwd")
        found["opponents"] = attack("Reads", place=str(self.secret.parent / "victim.py"))
        return found

    def touched(self) -> set[Path]:
        """The places that have changed."""
        made = {path for path in (*self.places.values(), self.shared) if path.exists()}
        return made | {path for path in (self.kept, self.gone) if not path.exists() or path.read_text() != SECRET}


@pytest.fixture
def files(tmp_path: Path) -> Iterator[Files]:
    found = Files(tmp_path)
    yield found
    found.shared.unlink(missing_ok=True)


@pytest.mark.soak
def test_files_are_reached_without_isolation(tmp_path: Path, files: Files) -> None:
    run = must_succeed(tmp_path, {**files.attacks, **OTHERS})
    assert files.touched() == {*files.places.values(), files.shared, files.kept, files.gone}
    assert got_through(run) >= {"reads", "looks", "passwords", "opponents"}


@pytest.mark.soak
def test_files_are_out_of_reach(tmp_path: Path, files: Files, seal: Sandbox) -> None:
    """They are neither read nor written nor named, and nobody sees which there are.  `tests/sandbox/` tries each call."""
    must_fail(tmp_path, seal.name, {**files.attacks, "victim": "victim.py:Victim", **OTHERS})
    assert not files.touched()


# Other processes

CHILD = """
import ctypes, os, time
ctypes.CDLL(None).prctl(0x59616D61, ctypes.c_ulong(-1), 0, 0, 0)  # PR_SET_PTRACER: any process
secret = ctypes.create_string_buffer({secret!r}.encode())
print(ctypes.addressof(secret), flush=True)
time.sleep(1000)
"""


class Bystander:
    """A process outside the run that keeps a secret."""

    def __init__(self) -> None:
        code = CHILD.format(secret=SECRET)
        self.process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        self.address, self.pid = int(self.process.stdout.readline()), self.process.pid

    def state(self) -> object:
        """Its exit code and its limit, which others may change."""
        return self.process.poll(), resource.prlimit(self.pid, resource.RLIMIT_NOFILE)

    def end(self) -> None:
        self.process.kill()
        self.process.communicate()


@pytest.fixture
def bystanders() -> Iterator[list[Bystander]]:
    there = [Bystander(), Bystander()]
    yield there
    for each in there:
        each.end()


PARENT = {f"ends-{when.strip('_')}": attack("Kills", when=when) for when in MOMENTS}


def on_processes(bystander: Bystander, doomed: Bystander) -> dict[str, str]:
    pid = bystander.pid
    found = {f"runs-{how}": attack("Runs", how=how) for how in ("subprocess", "spawn")}
    found |= {"runs-thread": attack("Runs", when="thread"), "forks": attack("Forks"), "parent": attack("Parent")}
    found |= {"kills": attack("Kills", pid=doomed.pid), "kills-begin": attack("Kills", pid=doomed.pid, when="begin")}
    found["limits"] = attack("Limits", pid=pid)
    found["peeks"] = attack("Peeks", pid=pid, address=bystander.address, secret=SECRET)
    found["environment"] = attack("Environment", name="HOSTILE_SECRET")
    return {**found, "raises": attack("Raises", size=1 << 33)}


@pytest.mark.soak
def test_processes_are_reached_without_isolation(tmp_path: Path, bystanders: list[Bystander]) -> None:
    one, doomed = bystanders
    entrants, before = on_processes(one, doomed), one.state()
    run = must_succeed(tmp_path, {**entrants, **OTHERS}, HOSTILE_SECRET=SECRET)
    assert got_through(run) >= {*entrants} - {"kills", "kills-begin"}  # one of them comes too late
    assert doomed.process.wait() == -9 and one.state() != before


@pytest.mark.soak
def test_processes_are_out_of_reach(tmp_path: Path, bystanders: list[Bystander], seal: Sandbox) -> None:
    """No attack starts, ends, limits or reads a process, not even its parent, or has more than it was given."""
    before = [each.state() for each in bystanders]
    must_fail(tmp_path, seal.name, {**on_processes(*bystanders), **PARENT, **OTHERS}, HOSTILE_SECRET=SECRET)
    assert [each.state() for each in bystanders] == before


@pytest.mark.soak
@pytest.mark.parametrize("when", PARENT)
def test_a_strategy_kills_its_parent_without_isolation(tmp_path: Path, when: str) -> None:
    run = play(tmp_path, OFF, {when: PARENT[when], "random": "random"}, deals=8, players=2)
    assert run.code == -9


# The network


class Listener(NamedTuple):
    """Sockets that wait for a connection."""

    tcp: socket.socket
    udp: socket.socket
    named: socket.socket
    abstract: socket.socket

    @property
    def attacks(self) -> dict[str, str]:
        tcp, abstract = self.tcp.getsockname()[1], self.abstract.getsockname()[1:].decode()
        found = {f"tcp-{when.strip('_')}": attack("Connects", to=tcp, when=when) for when in MOMENTS}
        found["named"] = attack("Connects", to=self.named.getsockname())
        found["abstract"] = attack("Connects", to=f"@{abstract}")
        return found | {"udp": attack("Sends", to=self.udp.getsockname()[1]), "listens": attack("Listens")}

    def spoken_to(self) -> list[bool]:
        found = []
        for each in self:
            each.setblocking(False)
            try:
                each.recv(1) if each is self.udp else each.accept()[0].close()
                found.append(True)
            except BlockingIOError:
                found.append(False)
        return found


@pytest.fixture
def listener(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Listener]:
    monkeypatch.chdir(tmp_path)
    tcp, udp = socket.create_server(("127.0.0.1", 0)), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.bind(("127.0.0.1", 0))
    named, abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
    named.bind("door")
    abstract.bind(f"\0roundsim-test-{os.getpid()}")
    for each in named, abstract:
        each.listen(100)
    with tcp, udp, named, abstract:
        yield Listener(tcp, udp, named, abstract)


@pytest.mark.soak
def test_the_network_is_reached_without_isolation(tmp_path: Path, listener: Listener) -> None:
    run = must_succeed(tmp_path, {**listener.attacks, **OTHERS})
    assert all(listener.spoken_to())
    assert got_through(run) >= {"named", "abstract", "udp", "listens", "tcp-question", "tcp-thread"}


@pytest.mark.soak
def test_the_network_is_out_of_reach(tmp_path: Path, listener: Listener, seal: Sandbox) -> None:
    must_fail(tmp_path, seal.name, {**listener.attacks, **OTHERS})
    assert not any(listener.spoken_to())


# Attacks when a module is imported

IMPORTED = {
    "write": "open({place!r}, 'w').write('written')",
    "program": "import subprocess; subprocess.run(['/bin/sh', '-c', 'echo written > {place}'])",
    "network": "import socket; here = socket.create_connection(('127.0.0.1', {port})); open({place!r}, 'w')",
    "parent": "import os, signal; os.kill(os.getppid(), signal.SIGKILL); open({place!r}, 'w')",
    "read": "open({secret!r}).read(); open({place!r}, 'w')",
}
MODULE = """
try:
    {code}
except Exception:
    pass


class Meek:
    games = ["nap"]

    def call(self, view):
        return view.legal[0]

    def play(self, view):
        return view.legal[0]
"""


def play_early(room: Path, how: str, what: str, listener: Listener) -> Played:
    """A run with a module that does this when it is imported."""
    secret, port = room / "secret", listener.tcp.getsockname()[1]
    secret.write_text(SECRET)
    code = IMPORTED[what].format(place=str(room / "place"), port=port, secret=str(secret))
    (room / "early.py").write_text(MODULE.format(code=code))
    return play(room, how, {"early": "early.py:Meek", "random": "random"}, players=2, deals=2)


@pytest.mark.soak
@pytest.mark.parametrize("what", IMPORTED)
def test_an_import_reaches_out_without_isolation(tmp_path: Path, listener: Listener, what: str) -> None:
    """The parent is the launcher that has started it."""
    run = play_early(tmp_path, OFF, what, listener)
    assert "it has meddled with the process" in run.err if what == "parent" else (tmp_path / "place").exists()


@pytest.mark.soak
@pytest.mark.parametrize("what", IMPORTED)
def test_an_import_reaches_nothing_under_a_seal(tmp_path: Path, listener: Listener, seal: Sandbox, what: str) -> None:
    """Neither in the process that lists the strategies of a module, nor in that in which it plays."""
    run = play_early(tmp_path, seal.name, what, listener)
    assert run.code == 0 and not run.faults["early"], run.err
    assert not (tmp_path / "place").exists() and not any(listener.spoken_to())
