"""The refusals of a seal: foreign code tries each action, as a module of a strategy or as a separate program."""

from __future__ import annotations

import errno
import os
import platform
import sys
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from helpers.command import seldom
from helpers.sealed import HANDLES, guest_of, in_force, module_at, output, program_at, said_by

from roundsim.sandbox.kinds import NO_SANDBOX, Sandbox

REFUSALS = {errno.EPERM, errno.EACCES, errno.ENOENT, errno.EROFS, errno.ESRCH, errno.ENOSYS}
FILES = {
    "read a file of the system": "open('/etc/passwd').close()",
    "read another's strategy": "open(HERE + '/other.py').close()",
    "list the folder of its own": "os.listdir(HERE)",
    "list the root's processes": "os.listdir('/proc/1')",
    "look at itself": "open('/proc/self/maps').close()",
    "look at the machine": "os.listdir('/sys/kernel')",
    "write next to itself": "open(HERE + '/new', 'w').close()",
    "write an empty name": "os.close(os.open(HERE + '/name', os.O_CREAT))",
    "write to /tmp": "here = f'/tmp/roundsim-{WORKER}'; open(here, 'w').close(); os.unlink(here)",
    "write to shared memory": "here = f'/dev/shm/roundsim-{WORKER}'; open(here, 'w').close(); os.unlink(here)",
    "change its own strategy": "open(HERE + '/mine.py', 'r+').close()",
    "change another's strategy": "open(HERE + '/other.py', 'a').close()",
    "make a folder": "os.mkdir(HERE + '/folder')",
    "make a pipe with a name": "os.mkfifo(HERE + '/pipe')",
    "make a symbolic link": "os.symlink('/', HERE + '/symbolic')",
    "make a link": "os.link(HERE + '/other.py', HERE + '/hard')",
    "rename": "os.rename(HERE + '/other.py', HERE + '/renamed'); os.rename(HERE + '/renamed', HERE + '/other.py')",
    "change a mode": "os.chmod(HERE + '/other.py', 0o644)",
    "change an owner": "os.chown(HERE + '/other.py', -1, -1)",
    "change a time": "os.utime(HERE + '/other.py')",
    "set an attribute": "os.setxattr(HERE + '/other.py', 'user.x', b'')",
    "have a file in memory": "os.close(os.memfd_create('x'))",
    "truncate": "os.truncate(HERE + '/other.py', 0)",
    "remove": "os.unlink(HERE + '/other.py')",
}
SOCKETS = {
    "speak to the network": "socket.socket().close()",
    "speak to the new network": "socket.socket(socket.AF_INET6).close()",
    "speak by datagrams": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close()",
    "speak to the machine": "socket.socket(socket.AF_UNIX).close()",
    "speak by a name without a file": "socket.socket(socket.AF_UNIX).bind(b'\\0roundsim-%d' % WORKER)",
    "speak to the kernel": "socket.socket(socket.AF_NETLINK, socket.SOCK_RAW).close()",
    "speak to itself": "socket.socketpair()",
    "speak to itself by datagrams": "socket.socketpair(type=socket.SOCK_DGRAM)",
    "speak to itself in packets": "socket.socketpair(type=socket.SOCK_SEQPACKET)",
    "send a descriptor": "socket.send_fds(wire, [b' '], [0])",
}
PROCESSES = {
    "fork": "os.fork() or os._exit(0)",
    "begin a program": "subprocess.run(['/bin/true'])",
    "spawn a program": "os.waitpid(os.posix_spawn('/bin/true', ['true'], {}), 0)",
    "signal its parent": "os.kill(os.getppid(), 0)",
    "signal a group": "os.kill(0, 0)",
    "signal by a descriptor": "signal.pidfd_send_signal(os.pidfd_open(os.getppid()), 0)",
    "have a signal sent": "fcntl.fcntl(wire, fcntl.F_SETOWN, os.getppid())",
    "have a signal sent to itself": "fcntl.ioctl(wire, 0x8901, b'\\0\\0\\0\\0')",
    "know the time that its parent took": "time.clock_gettime((~os.getppid() << 3) | 2)",
    "limit its parent": "resource.prlimit(os.getppid(), resource.RLIMIT_NOFILE)",
    "limit itself again": "resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))",
    "give way": "os.nice(1)",
    "choose a processor": "os.sched_setaffinity(0, os.sched_getaffinity(0))",
    "choose a policy": "os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))",
    "part from its group": "os.setpgid(0, 0)",
    "be looked into": "call('prctl', 4, 1)",
    "outlive its parent": "call('prctl', 1, 0)",
    "read a process's memory": "peek(os.getpid())",
    "be traced": "call('ptrace', 0, 0, 0, 0)",
    "part from what is shared": "call('unshare', 0x200)",
    "be of another kind": "call('personality', 0xFFFFFFFF)",
    "watch files": "call('inotify_init1', 0)",
    "share memory": "call('shmget', 0, 4096, 0o1600)",
    "share memory without a file": "mmap.mmap(-1, 4096)",
    "share semaphores": "call('semget', 0, 1, 0o1600)",
    "send messages": "call('msgget', 0, 0o1600)",
    "type into a terminal": "call('ioctl', 0, 0x5412 | 1 << 32, b'x')",
    "raise a terminal's flag": "fcntl.ioctl(wire, 0x5452, b'\\0\\0\\0\\0')",
}
SHARED = {  # ways for one process to pass something to another
    "ask whether a page is in memory": "os.preadv(shared, [bytearray(1)], 0, os.RWF_NOWAIT)",
    "ask which pages are in memory": "call('mincore', mapped, 4096, ctypes.create_string_buffer(1))",
    "evict a file": "os.posix_fadvise(shared, 0, 0, os.POSIX_FADV_DONTNEED)",
    "have a file read": "os.posix_fadvise(shared, 0, 0, os.POSIX_FADV_WILLNEED)",
    "have a file read ahead": "call('readahead', shared, 0, 4096)",
    "have a mapping read": "call('madvise', mapped, 4096, 3)",
    "evict a mapping": "call('madvise', mapped, 4096, 21)",
    "send a file": "os.sendfile(os.pipe()[1], shared, 0, 1)",
    "lock a file": "fcntl.flock(shared, fcntl.LOCK_SH)",
    "know the machine's memory": "call('sysinfo', ctypes.create_string_buffer(512))",
    "know its parent's group": "os.getpgid(os.getppid())",
    "know its parent's session": "os.getsid(os.getppid())",
    "know its parent's priority": "os.getpriority(os.PRIO_PROCESS, os.getppid())",
    "know its user's priority": "os.getpriority(os.PRIO_USER, 0)",
    "know its parent's processors": "os.sched_getaffinity(os.getppid())",
    "know its parent's policy": "os.sched_getscheduler(os.getppid())",
    "know its parent's parameters": "os.sched_getparam(os.getppid())",
    "know its parent's capabilities": "call('capget', struct.pack('Ii', 0x20080522, os.getppid()), bytes(24))",
    "queue a signal": "signal.raise_signal(signal.SIGRTMAX - 1)",
    "have a timer": "call('timer_create', 0, None, ctypes.create_string_buffer(8))",
}
UNCERTAIN = {  # a system may refuse them without a seal; a sealed guest is refused each by number
    "trace its parent": (101, 117, "0x4206, os.getppid(), 0, 0"),
    "read the worker's memory": (310, 270, "WORKER, 0, 0, 0, 0, 0"),
    "write the worker's memory": (311, 271, "WORKER, 0, 0, 0, 0, 0"),
    "take another's descriptor": (438, 438, "3, 0, 0"),
    "clone a process": (56, 220, "17, 0, 0, 0, 0"),
    "clone into a namespace": (56, 220, "0x10010F00, 0, 0, 0, 0"),
    "have a namespace": (272, 97, "0x10000000"),
    "enter a namespace": (308, 268, "3, 0"),
    "mount": (165, 40, "0, 0, 0, 0, 0"),
    "change the root": (161, 51, "0"),
    "load a program into the kernel": (321, 280, "0, 0, 0"),
    "watch the processor": (298, 241, "0, 0, 0, 0, 0"),
    "ask by a ring": (425, 425, "1, 0"),
    "handle faults of pages": (323, 282, "0"),
    "keep keys": (250, 219, "0, 0, 0, 0, 0"),
    "add a key": (248, 217, "0, 0, 0, 0, 0"),
    "have secret memory": (447, 447, "0"),
    "ask asynchronously": (206, 0, "1, 0"),
    "watch the system": (300, 262, "0, 0"),
    "make a device": (259, 33, "-100, 0, 0o20000, 259"),
    "open by a handle": (304, 265, "0, 0, 0"),
    "splice": (275, 76, "0, 0, 1, 0, 1, 0"),
    "set the clock": (227, 112, "0, 0"),
    "be somebody else": (105, 146, "0"),
    "signal a thread": (200, 130, "1, 0"),
    "advise another": (440, 440, "3, 0, 0, 0, 0"),
    "speak out of band": (44, 206, "wire.fileno(), 0, 0, 1, 0, 0"),
    "hear out of band": (45, 207, "wire.fileno(), 0, 0, 1, 0, 0"),
    "wake others by a file": (202, 98, "mapped, 1, 1, 0, 0, 0"),
    "ask what is in memory": (451, 451, "shared, 0, 0, 0"),
    "execute by a descriptor": (322, 281, "0, 0, 0, 0, 0"),
    "set another filter": (317, 277, "0, 0, 0"),
}
PRELUDE = """
import ctypes, errno, fcntl, mmap, os, resource, signal, socket, struct, subprocess, threading, time
HERE, WORKER, attempts, numbers, wire = {given}
libc = ctypes.CDLL(None, use_errno=True)
wire = socket.socket(fileno=os.dup(wire))
signal.signal(signal.SIGRTMAX - 1, signal.SIG_IGN)
shared = os.open(os.__file__, os.O_RDONLY)
libc.mmap.restype = ctypes.c_void_p
mapped = libc.mmap(None, ctypes.c_long(4096), 1, 2, shared, ctypes.c_long(0))
def call(name, *words):
    if getattr(libc, name)(*[ctypes.c_long(each) if isinstance(each, int) else each for each in words]) == -1:
        raise OSError(ctypes.get_errno(), name)
def peek(pid):
    room = ctypes.create_string_buffer(8)
    area = (ctypes.c_void_p * 2)(ctypes.addressof(room), 8)
    call('process_vm_readv', pid, area, 1, area, 1, 0)
said = {{}}
for what, code in attempts.items():
    try:
        exec(code)
        said[what] = 0
    except OSError as error:
        said[what] = error.errno
    except ValueError:  # Python's word for a limit that may not be set
        said[what] = errno.EPERM
for what, (number, words) in numbers.items():
    said[what] = 0 if libc.syscall(number, *map(ctypes.c_long, eval(f"[{{words}}]"))) != -1 else ctypes.get_errno()
tell(said)
"""
SYSTEM_PYTHON = "/usr/bin/python3"
ATTEMPTS = FILES | SOCKETS | SHARED | PROCESSES


def tried(name: str, executes: bool, folder: Path, numbers: Mapping[str, tuple[int, str]]) -> dict[str, int]:
    """The result of each attempt: 0, or the number of the error."""
    (folder / "other.py").write_text("secret = 1\n")
    given = (str(folder), os.getpid(), ATTEMPTS, dict(numbers), 0 if executes else 3)
    seal = in_force(name) if name else NO_SANDBOX
    said: dict[str, int] = output(seal, PRELUDE.format(given=given), folder, executes)
    return said


@pytest.fixture(scope="module", params=["bubblewrap", "landlock"])
def sealed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[bool, dict[str, int]]:
    """The results of all attempts of a module and of a program in a seal."""
    place = ["x86_64", "aarch64"].index(platform.machine())
    numbers = {what: ((x86, arm)[place], words) for what, (x86, arm, words) in UNCERTAIN.items()}
    return {way: tried(request.param, way, tmp_path_factory.mktemp("sealed"), numbers) for way in (False, True)}


@pytest.mark.parametrize("executes", [False, True], ids=["module", "program"])
def test_a_sealed_guest_is_refused(sealed: Mapping[bool, dict[str, int]], executes: bool) -> None:
    found = sealed[executes]
    assert found.keys() == {*ATTEMPTS, *UNCERTAIN}
    assert {what for what in ATTEMPTS if found[what] not in REFUSALS} == ({"speak to itself"} if executes else set())
    assert {what for what in UNCERTAIN if found[what] != errno.EPERM} == set()


def test_without_a_seal_it_can_do_it(tmp_path: Path) -> None:
    """The control: without a seal this machine grants what is refused above."""
    said = tried("", False, tmp_path, {})
    assert said.pop("type into a terminal") == errno.ENOTTY  # it was heard, at something else
    if said["ask whether a page is in memory"] == errno.EAGAIN:  # the answer is no
        said.pop("ask whether a page is in memory")
    here = {what for what in ("speak to the new network", "set an attribute") if said[what] != errno.EPERM}
    assert {what for what, number in said.items() if number} <= here


@pytest.mark.parametrize("executes", [False, *seldom(True)], ids=["module", "program"])
def test_honest_code_works_under_a_seal(seal: Any, tmp_path: Path, executes: bool) -> None:
    code = """
import random, select, signal, threading, time, decimal, queue
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(3) as threads:
    squares = list(threads.map(lambda n: n * n, range(4)))
signal.signal(signal.SIGUSR1, lambda *given: heard.append("signal"))
heard = []
os.kill(os.getpid(), signal.SIGUSR1)
signal.raise_signal(signal.SIGUSR1)
reads, writes = os.pipe()
os.write(writes, b"x")
open(os.devnull, "w").write("into nothing")
time.sleep(0.001)
tell([squares, heard, select.select([reads], [], [], 1)[0] == [reads], len(os.urandom(4)), time.process_time() > 0,
      os.path.isdir(os.path.dirname(os.__file__))])
"""
    honest = [[0, 1, 4, 9], ["signal", "signal"], True, 4, True, True]
    assert output(seal, code, tmp_path, executes, threads=True) == honest


FACTS = """
import _thread, ctypes, json, sys, threading
libc = ctypes.CDLL(None, use_errno=True)
facts = {{"handles": handles, "environment": [each for each in os.environ if "SECRET" in each or each == "HOME"]}}
facts["clone3"] = [libc.syscall(435, 0, 0), ctypes.get_errno()]  # without it, flags of clone are visible to a filter
facts["own file"] = open(__file__).read(24)
names = "/proc", "/proc/self/exe", "/proc/self/maps", "/proc/self/task", "/proc/1", "/proc/2", "/proc/meminfo", "/proc/sys"
facts["proc"] = [[name for name in names if os.path.lexists(name)], os.path.realpath("/proc/self/exe")]
few = bytearray(200 << 20)
try:
    bytearray(512 << 20)
except MemoryError:
    facts["memory"] = len(few) >> 20
if not {executes}:
    facts["threads"] = []
    for start in threading.Thread(target=int).start, lambda: _thread.start_new_thread(int, ()):
        try:
            start()
        except RuntimeError as error:
            facts["threads"].append(str(error))
    try:
        os.execv("/bin/true", ["true"])
    except OSError as error:
        facts["exec"] = error.errno
os.write({wire}, json.dumps(facts).encode() + b"\\n")
sys.stdin.read()
os.read(3, 1)
"""


@pytest.mark.parametrize("executes", [False, True], ids=["module", "program"])
def test_a_sealed_guest_has_only_its_own_things(
    seal: Sandbox, tmp_path: Path, executes: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It inherits no variable or descriptor, has no capability, and is within its limits of memory and threads.

    In bubblewrap a program sees of /proc where it lies, because its libraries and files may lie around it (`$ORIGIN`)."""
    path = tmp_path / "mine.py"
    path.write_text(HANDLES + FACTS.format(executes=executes, wire=1 if executes else 3))
    monkeypatch.setenv("ROUNDSIM_SECRET", "seed")
    reads, writes = os.pipe()
    os.set_inheritable(writes, True)
    try:
        with guest_of(seal, (program_at if executes else module_at)(path)) as (_, guest):
            facts = said_by(guest)
            status = Path(f"/proc/{guest.pid}/status").read_text()
    finally:
        os.close(reads)
        os.close(writes)
    shown = [["/proc", "/proc/self/exe"], os.path.realpath(sys.executable)] if executes else [[], "/proc/self/exe"]
    expected: dict[str, Any] = {"handles": [0, 1, 2] if executes else [0, 1, 2, 3], "environment": [], "memory": 200}
    expected |= {"clone3": [-1, errno.ENOSYS], "own file": HANDLES[:24]}
    expected["proc"] = shown if seal.name == "bubblewrap" else facts["proc"]
    if not executes:
        expected |= {"threads": ["can't start new thread"] * 2, "exec": errno.EPERM}
    assert facts == expected
    left = dict(line.split(":\t") for line in status.splitlines() if line.startswith("Cap"))
    assert left == dict.fromkeys(("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"), f"{0:016x}")


@pytest.mark.soak
def test_a_module_needs_no_threads_to_compute(seal: Any, tmp_path: Path) -> None:
    code = "import numpy; tell([int(numpy.arange(10_000).reshape(100, 100).dot(numpy.ones(100)).sum())])"
    assert output(seal, code, tmp_path, False) == [49995000]


@pytest.mark.soak
def test_a_program_cannot_hide_what_memory_it_takes(seal: Any, tmp_path: Path) -> None:
    """Memory that is made read-only after writing has a limit of its own, a GB more."""
    code = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
taken, size = 0, 128 << 20
while taken < 64 and (place := libc.mmap(None, ctypes.c_long(size), 3, 0x4022, -1, ctypes.c_long(0))) != 2**64 - 1:
    libc.mprotect(ctypes.c_void_p(place), ctypes.c_long(size), 1)
    taken += 1
grows = libc.mmap(None, ctypes.c_long(size), 3, 0x122, -1, ctypes.c_long(0))
tell([taken, grows == 2**64 - 1])
"""
    taken, refused = output(seal, code, tmp_path, True)
    assert 4 <= taken < 12 and refused  # of 128 MB each: 512 MB and a GB


@pytest.mark.parametrize("executes", [False, *seldom(True)], ids=["module", "program"])
def test_threads_have_their_limit(seal: Sandbox, tmp_path_factory: pytest.TempPathFactory, executes: bool) -> None:
    """Landlock counts the threads of an ordinary user with all others of that user, and those of root only in a program that
    another user may read."""
    if executes and not os.path.exists(SYSTEM_PYTHON):
        pytest.skip(f"{SYSTEM_PYTHON} is not here")
    if seal.name == "landlock" and os.geteuid():
        pytest.skip("the limit depends on what else runs")
    code = """
import _thread, threading
threading.stack_size(1 << 16)
wait, started = _thread.allocate_lock(), 0
wait.acquire()
try:
    while started < 2000:
        _thread.start_new_thread(wait.acquire, ())
        started += 1
except RuntimeError:
    tell(started)
"""
    with TemporaryDirectory(dir="/tmp") as folder:
        os.chmod(folder, 0o755)
        more = {"command": [SYSTEM_PYTHON, f"{folder}/mine.py"]} if executes else {}
        assert 900 < output(seal, code, Path(folder), executes, memory=8192, threads=True, **more) <= 1024


@pytest.mark.soak
@pytest.mark.skipif(platform.machine() != "x86_64", reason="other processors have no second set of calls")
def test_the_second_set_of_calls_of_the_processor_ends_the_guest(seal: Any, tmp_path: Path) -> None:
    """x32: the same calls under numbers that begin elsewhere."""
    code = "import ctypes; ctypes.CDLL(None).syscall(ctypes.c_long(0x40000000 | 39)); tell('lives')"
    assert output(seal, code, tmp_path, False) is None
    assert output(NO_SANDBOX, code, tmp_path, False) == "lives"
