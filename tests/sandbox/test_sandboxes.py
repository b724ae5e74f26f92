"""A trial finds which seal holds; the user may pick one."""

from __future__ import annotations

import platform
import stat
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from helpers.sealed import in_force

from roundsim.base.errors import InputError
from roundsim.sandbox import bubblewrap, kinds, landlock, privileges, probe, seccomp
from roundsim.sandbox.kinds import Sandbox, best, is_effective


@pytest.fixture(autouse=True)
def effective_again() -> Iterator[None]:
    is_effective.cache_clear()
    yield
    is_effective.cache_clear()


def test_the_best_is_bubblewrap_then_landlock_then_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROUNDSIM_SEAL", raising=False)
    there = {"bubblewrap", "landlock"}
    monkeypatch.setattr(kinds, "is_effective", lambda name: name in there)
    for lost, sentence in (
        ("", "isolated (bubblewrap, seccomp, limits)"),
        ("bubblewrap", "isolated (Landlock, seccomp, limits)"),
        ("landlock", "not isolated"),
    ):
        there.discard(lost)
        assert best().sentence == sentence


@pytest.mark.parametrize("name", ["bubblewrap", "landlock"])
def test_one_is_picked(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    in_force(name)
    monkeypatch.setenv("ROUNDSIM_SEAL", name)
    assert best() == Sandbox(name)


def test_none_is_picked_or_replaces_one_that_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUNDSIM_SEAL", "none")
    assert best() == Sandbox("")
    monkeypatch.setenv("ROUNDSIM_SEAL", "bubblewrap")
    monkeypatch.setattr(bubblewrap, "find_bwrap", lambda: None)
    assert best() == Sandbox("")


def test_an_unknown_one_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUNDSIM_SEAL", "landlok")
    with pytest.raises(InputError) as error:
        best()
    expected = "ROUNDSIM_SEAL = 'landlok': there is bubblewrap, landlock, none (did you mean landlock?)"
    assert str(error.value) == expected and error.value.code == 64


@pytest.mark.parametrize(
    "script", ["exit 1", "exit 0", 'while [ "$1" != -- ]; do shift; done; shift; echo no; exec "$@"']
)
def test_a_bubblewrap_that_fails_or_says_something_else_is_not_believed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str
) -> None:
    program = tmp_path / "bwrap"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setattr(bubblewrap, "find_bwrap", lambda: str(program))
    assert not is_effective("bubblewrap")


def test_a_seal_that_lets_a_file_be_read_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here all files of the system may be read."""
    in_force("landlock")
    is_effective.cache_clear()
    monkeypatch.setattr(kinds, "system_paths", lambda: ("/",))
    assert not is_effective("landlock")


def test_an_unknown_processor_and_an_old_kernel_have_no_seal(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(platform, "machine", lambda: "riscv64")
        assert not is_effective("bubblewrap") and not is_effective("landlock")
    is_effective.cache_clear()
    monkeypatch.setattr(landlock, "version", lambda: 0)
    assert not is_effective("landlock")


HEADERS = {0: "x86_64-linux-gnu/asm/unistd_64.h", 1: "asm-generic/unistd.h"}
NAMED = {
    **seccomp.CALLS,
    **seccomp.FREQUENT,
    **seccomp.CHECKED,
    **seccomp.HIDDEN,
    "execve": seccomp.EXECVE,
    "socketpair": seccomp.SOCKETPAIR,
}
ADVICES = "NORMAL DONTNEED FREE DONTFORK DOFORK HUGEPAGE NOHUGEPAGE DONTDUMP DODUMP WIPEONFORK KEEPONFORK"
CONTROLS = "PR_CAPBSET_DROP", "PR_CAP_AMBIENT", "PR_CAP_AMBIENT_CLEAR_ALL"
NUMBERS: dict[str, dict[str, int]] = {  # by header
    "asm-generic/mman-common.h": {f"MADV_{name}": n for name, n in zip(ADVICES.split(), seccomp.MADVISE, strict=True)},
    "linux/prctl.h": {name: getattr(privileges, name) for name in CONTROLS},
    "linux/capability.h": {
        **{f"CAP_{name}": getattr(privileges, name) for name in ("SETUID", "SETPCAP", "SYS_ADMIN")},
        "_LINUX_CAPABILITY_VERSION_3": privileges.VERSION,
    },
    "linux/futex.h": {"FUTEX_WAIT": 0, "FUTEX_WAIT_BITSET": 9, "FUTEX_CLOCK_REALTIME": seccomp.CLOCK_REALTIME},
}


def defined_in(header: str) -> dict[str, int]:
    """The numbers that a header of the kernel defines, by name; a skip where it is not installed."""
    path = Path("/usr/include", header)
    if not path.exists():
        pytest.skip(f"{path} is not here")
    found: dict[str, int] = {}
    for line in path.read_text().splitlines():
        match line.lstrip("# ").split():
            case ["define", name, number, *_]:
                with suppress(ValueError):
                    found[name] = found[number] if number in found else int(number, 0)
    return found


@pytest.mark.parametrize("place", [0, 1], ids=["x86-64", "arm64"])
def test_the_numbers_are_those_of_the_kernel(place: int) -> None:
    """As its own headers name them; arm64 has the generic ones.  Headers older than the table lack its newest calls."""
    given = {name: n for name, n in defined_in(HEADERS[place]).items() if name.startswith("__NR_")}
    ours = {f"__NR_{name}": numbers[place] for name, numbers in NAMED.items() if numbers[place] <= max(given.values())}
    assert ours == {name: given.get(name, seccomp.ABSENT) for name in ours} and len(ours) > 100


@pytest.mark.parametrize("header", NUMBERS)
def test_arguments_are_those_of_the_kernel(header: str) -> None:
    given, ours = defined_in(header), NUMBERS[header]
    assert ours == {name: given.get(name) for name in ours}


X86, ARM, I386 = 0xC000003E, 0xC00000B7, 0x40000003
X32 = 0x40000000  # from where the same calls have other numbers on x86-64
VERDICTS: list[tuple[int, int, tuple[int, ...], str]] = [  # the processor, the call, its arguments
    (X86, 0, (), "allow"),  # read
    (ARM, 63, (), "allow"),
    (X86, X32, (), "kill"),
    (X86, 41, (2, 1), "refuse"),  # socket
    (ARM, 198, (2, 1), "refuse"),
    (X86, 57, (), "refuse"),  # fork
    (X86, 56, (0x3D0F00,), "allow"),  # clone, as for a thread
    (ARM, 220, (0x3D0F00,), "allow"),
    (X86, 56, (0x1200011,), "refuse"),  # as for a process
    (X86, 56, (0x3D0F00 | 0x10000000,), "refuse"),  # a thread in a new namespace
    (X86, 45, (3, 8, 9, 0x40), "allow"),  # recvfrom: MSG_DONTWAIT
    (X86, 45, (3, 8, 9, 0x41), "refuse"),  # MSG_OOB
    (ARM, 206, (3, 8, 9, 0x4001), "refuse"),  # sendto
    (ARM, 206, (3, 8, 9, 0x4000), "allow"),
    (X86, 202, (8, 0x81, 1), "allow"),  # futex: wake a thread of its own
    (X86, 202, (8, 0x109, 1), "allow"),  # wait, as for a thread's end
    (X86, 202, (8, 0x01, 1), "refuse"),  # wake whoever waits at a page of a file
    (X86, 202, (8, 0x04, 1), "refuse"),
    (X86, 454, (8, 1, 1, 2), "absent"),  # futex_wake
    (X86, 28, (8, 4096, 4), "allow"),  # madvise: MADV_DONTNEED
    (X86, 28, (8, 4096, 3), "refuse"),  # MADV_WILLNEED
    (X86, 28, (8, 4096, 21), "refuse"),  # MADV_PAGEOUT
    (X86, 28, (8, 4096, 12), "refuse"),  # MADV_MERGEABLE
    (X86, 327, (3, 8, 1, 0, 0, 0), "allow"),  # preadv2
    (X86, 327, (3, 8, 1, 0, 0, 8), "refuse"),  # RWF_NOWAIT
    (ARM, 287, (3, 8, 1, 0, 0, 8), "refuse"),  # pwritev2
    (X86, 221, (3, 0, 0, 4), "refuse"),  # fadvise64
    (X86, 187, (3, 0, 4096), "refuse"),  # readahead
    (X86, 27, (8, 4096, 9), "refuse"),  # mincore
    (X86, 451, (3, 8, 9, 0), "refuse"),  # cachestat
    (X86, 99, (8,), "refuse"),  # sysinfo
    (X86, 121, (77,), "allow"),  # getpgid
    (X86, 121, (78,), "refuse"),
    (X86, 124, (78,), "refuse"),  # getsid
    (X86, 140, (0, 0), "allow"),  # getpriority
    (X86, 140, (0, 78), "refuse"),
    (X86, 140, (2, 0), "refuse"),  # of all processes of a user
    (X86, 204, (0, 8, 8), "allow"),  # sched_getaffinity
    (X86, 204, (78, 8, 8), "absent"),
    (X86, 62, (77, 34), "allow"),  # kill: signals of the C library
    (X86, 62, (77, 35), "refuse"),  # one that queues
    (X86, 222, (0, 8, 8), "refuse"),  # timer_create
    (X86, 435, (), "absent"),  # clone3
    (ARM, 435, (), "absent"),
    (X86, 437, (), "absent"),  # openat2
    (X86, 257, (0, 0, 0o101101), "allow"),  # openat: the mounts' and Landlock's
    (X86, 463, (), "absent"),  # newer than the table
    (X86, 62, (77, 9), "allow"),  # kill: itself
    (X86, 62, (78, 9), "refuse"),
    (X86, 62, (0xFFFFFFFF, 9), "refuse"),  # everybody
    (X86, 62, (0, 9), "refuse"),  # its group
    (X86, 302, (0, 7, 0, 5), "allow"),  # prlimit64: read its own
    (X86, 302, (0, 7, 1 << 40, 5), "refuse"),  # set it
    (X86, 302, (0, 7, 8, 5), "refuse"),
    (X86, 302, (1, 7, 0, 5), "refuse"),  # read another's
    (X86, 9, (0, 4096, 3, 0x22), "allow"),  # mmap: private memory
    (X86, 9, (0, 4096, 1, 0x01), "allow"),  # a file
    (X86, 9, (0, 4096, 3, 0x21), "refuse"),  # shared memory
    (X86, 9, (0, 4096, 3, 0x122), "refuse"),  # what grows downwards
    (X86, 16, (2, 0x5412), "refuse"),  # ioctl: TIOCSTI
    (X86, 16, (2, 0x5412 | 1 << 32), "refuse"),
    (X86, 16, (2, 0x5401 | 1 << 32), "allow"),  # the kernel does not look at the upper half
    (X86, 72, (2, 8, 1), "refuse"),  # F_SETOWN
    (X86, 72, (2, 1030, 1), "allow"),
    (X86, 228, (0xFFFFFFF6,), "refuse"),  # another's clock
    (X86, 228, (2,), "allow"),
    (X86, 55, (3, 1, 77), "refuse"),  # SO_PEERPIDFD
    (X86, 59, (), "refuse"),  # execve, of a module
    (X86, 53, (1, 1, 0), "refuse"),  # socketpair, of a module
]
PROGRAM_VERDICTS: list[tuple[int, int, tuple[int, ...], str]] = [  # of a program without threads
    *[(X86, 56, (0x3D0F00,), "refuse"), (ARM, 220, (0x3D0F00,), "refuse")],  # clone, as for a thread
    *[(X86, 59, (), "allow"), (ARM, 221, (), "allow")],  # execve
    *[
        (processor, number, arguments, verdict)
        for processor, number in ((X86, 53), (ARM, 199))  # socketpair
        for arguments, verdict in (
            ((1, 1, 0), "allow"),
            ((1, 0o2004001, 0), "allow"),  # SOCK_CLOEXEC, SOCK_NONBLOCK
            ((1, 2, 0), "refuse"),  # datagrams can be sent to anybody
            ((1, 5, 0), "refuse"),
            ((2, 1, 0), "refuse"),  # AF_INET
            ((1, 1, 6), "refuse"),
        )
    ],
]


def verdict_of(code: bytes, processor: int, number: int, arguments: tuple[int, ...]) -> str:
    given = struct.pack("<IIQ6Q", number, processor, 0, *(arguments + (0,) * 6)[:6])
    words = {0x7FFF0000: "allow", 0x80000000: "kill", 0x00050001: "refuse", 0x00050026: "absent"}
    return words[run(code, given)]


def test_verdicts_of_the_filter() -> None:
    filters = {
        processor: seccomp.filter_program(at, 77, False, threads=True) for at, processor in enumerate((X86, ARM))
    }
    for processor, number, arguments, verdict in VERDICTS:
        assert verdict_of(filters[processor], processor, number, arguments) == verdict, (number, arguments)
    for foreign in ARM, I386:
        assert verdict_of(filters[X86], foreign, 0, ()) == "kill"
    for at, processor in enumerate((X86, ARM)):
        code = seccomp.filter_program(at, 77, True)
        for each, number, arguments, verdict in PROGRAM_VERDICTS:
            assert each != processor or verdict_of(code, each, number, arguments) == verdict, (number, arguments)


def test_the_filter_refuses_the_files_that_an_older_landlock_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    for version, flags, verdict in (
        (3, 0o1001, "allow"),  # this version refuses it itself
        (2, 0o1000, "refuse"),  # O_RDONLY | O_TRUNC
        (2, 0o100000, "allow"),
        (0, 0o1, "refuse"),
        (0, 0o2, "refuse"),
        (0, 0o100, "refuse"),
        (0, 0o20200000, "refuse"),  # O_TMPFILE
        (0, 0o2100000, "allow"),  # O_CLOEXEC and others
    ):
        monkeypatch.setattr(landlock, "version", lambda version=version: version)
        code = seccomp.filter_program(0, 77, False, probe.left_to_filter("landlock"))
        assert verdict_of(code, X86, 257, (0, 0, flags)) == verdict, (version, flags)


def run(code: bytes, given: bytes) -> int:
    """Run a filter: it has only a few instructions of BPF."""
    at, held = 0, 0
    while True:
        step, if_so, if_not, value = struct.unpack_from("=HBBI", code, 8 * at)
        at += 1
        match step:
            case 0x20:
                held = struct.unpack_from("<I", given, value)[0]
            case 0x54:
                held &= value
            case 0x15:
                at += if_so if held == value else if_not
            case 0x35:
                at += if_so if held >= value else if_not
            case 0x06:
                return int(value)
            case _:
                raise AssertionError(f"a step of another kind: {step:#x}")
