"""Which seal holds is found by doing it, and may be picked."""

from __future__ import annotations

import platform
import stat
import struct
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from helpers.sealed import in_force

from roundsim.errors import InputError
from roundsim.sandbox import bubblewrap, kinds, landlock, privileges, probe, seccomp
from roundsim.sandbox.kinds import Sandbox, best, is_effective


@pytest.fixture(autouse=True)
def found_anew() -> Iterator[None]:
    is_effective.cache_clear()
    yield
    is_effective.cache_clear()


def test_the_best_is_bubblewrap_then_landlock_then_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ROUNDSIM_SEAL", raising=False)
    there = {"bubblewrap", "landlock"}
    monkeypatch.setattr(kinds, "is_effective", lambda name: name in there)
    said = []
    for lost in "", "bubblewrap", "landlock":
        there.discard(lost)
        said.append(best().sentence)
    assert said == [
        "isolated (bubblewrap, seccomp, limits)",
        "isolated (Landlock, seccomp, limits)",
        "not isolated",
    ]


@pytest.mark.parametrize("name", ["bubblewrap", "landlock"])
def test_one_is_picked(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    in_force(name)
    monkeypatch.setenv("ROUNDSIM_SEAL", name)
    assert best() == Sandbox(name)


def test_none_is_picked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUNDSIM_SEAL", "none")
    assert best() == Sandbox("")


def test_one_that_is_picked_and_does_not_hold_gives_way_to_none(monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_a_seal_through_which_a_file_is_read_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """The trial sees it: all of the root is among what may be read."""
    in_force("landlock")
    is_effective.cache_clear()
    monkeypatch.setattr(kinds, "system_paths", lambda: ("/",))
    assert not is_effective("landlock")


@pytest.mark.parametrize("name", ["bubblewrap", "landlock"])
def test_an_unknown_processor_has_no_seal(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert not is_effective(name)


def test_a_kernel_without_landlock_has_that_seal_not(monkeypatch: pytest.MonkeyPatch) -> None:
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
ADVICES = (
    "NORMAL",
    "DONTNEED",
    "FREE",
    "DONTFORK",
    "DOFORK",
    "HUGEPAGE",
    "NOHUGEPAGE",
    "DONTDUMP",
    "DODUMP",
    *("WIPEONFORK", "KEEPONFORK"),
)
NUMBERS: dict[str, dict[str, int]] = {  # by header
    "asm-generic/mman-common.h": {f"MADV_{name}": n for name, n in zip(ADVICES, seccomp.MADVISE, strict=True)},
    "linux/prctl.h": {
        name: getattr(privileges, name) for name in ("PR_CAPBSET_DROP", "PR_CAP_AMBIENT", "PR_CAP_AMBIENT_CLEAR_ALL")
    },
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


@pytest.mark.parametrize(
    "place, machine, number, arguments, verdict",
    [
        (0, 0xC000003E, 0, (), "allow"),  # read
        (1, 0xC00000B7, 63, (), "allow"),
        (0, 0xC00000B7, 0, (), "kill"),  # arm64's face on x86-64
        (0, 0x40000003, 3, (), "kill"),  # i386's
        (0, 0xC000003E, 0x40000000, (), "kill"),  # x32's
        (0, 0xC000003E, 41, (2, 1), "refuse"),  # socket
        (1, 0xC00000B7, 198, (2, 1), "refuse"),
        (0, 0xC000003E, 57, (), "refuse"),  # fork
        (0, 0xC000003E, 56, (0x3D0F00,), "allow"),  # clone, as for a thread
        (1, 0xC00000B7, 220, (0x3D0F00,), "allow"),
        (0, 0xC000003E, 56, (0x1200011,), "refuse"),  # as for a process
        (0, 0xC000003E, 56, (0x3D0F00 | 0x10000000,), "refuse"),  # a thread in a new namespace
        (0, 0xC000003E, 45, (3, 8, 9, 0x40), "allow"),  # recvfrom: MSG_DONTWAIT
        (0, 0xC000003E, 45, (3, 8, 9, 0x41), "refuse"),  # MSG_OOB
        (1, 0xC00000B7, 206, (3, 8, 9, 0x4001), "refuse"),  # sendto
        (1, 0xC00000B7, 206, (3, 8, 9, 0x4000), "allow"),
        (0, 0xC000003E, 202, (8, 0x81, 1), "allow"),  # futex: wake a thread of its own
        (0, 0xC000003E, 202, (8, 0x109, 1), "allow"),  # wait, as for a thread's end
        (0, 0xC000003E, 202, (8, 0x01, 1), "refuse"),  # wake whoever waits at a page of a file
        (0, 0xC000003E, 202, (8, 0x04, 1), "refuse"),
        (0, 0xC000003E, 454, (8, 1, 1, 2), "absent"),  # futex_wake
        (0, 0xC000003E, 28, (8, 4096, 4), "allow"),  # madvise: MADV_DONTNEED
        (0, 0xC000003E, 28, (8, 4096, 3), "refuse"),  # MADV_WILLNEED
        (0, 0xC000003E, 28, (8, 4096, 21), "refuse"),  # MADV_PAGEOUT
        (0, 0xC000003E, 28, (8, 4096, 12), "refuse"),  # MADV_MERGEABLE
        (0, 0xC000003E, 327, (3, 8, 1, 0, 0, 0), "allow"),  # preadv2
        (0, 0xC000003E, 327, (3, 8, 1, 0, 0, 8), "refuse"),  # RWF_NOWAIT
        (1, 0xC00000B7, 287, (3, 8, 1, 0, 0, 8), "refuse"),  # pwritev2
        (0, 0xC000003E, 221, (3, 0, 0, 4), "refuse"),  # fadvise64
        (0, 0xC000003E, 187, (3, 0, 4096), "refuse"),  # readahead
        (0, 0xC000003E, 27, (8, 4096, 9), "refuse"),  # mincore
        (0, 0xC000003E, 451, (3, 8, 9, 0), "refuse"),  # cachestat
        (0, 0xC000003E, 99, (8,), "refuse"),  # sysinfo
        (0, 0xC000003E, 121, (77,), "allow"),  # getpgid
        (0, 0xC000003E, 121, (78,), "refuse"),
        (0, 0xC000003E, 124, (78,), "refuse"),  # getsid
        (0, 0xC000003E, 140, (0, 0), "allow"),  # getpriority
        (0, 0xC000003E, 140, (0, 78), "refuse"),
        (0, 0xC000003E, 140, (2, 0), "refuse"),  # of all processes of a user
        (0, 0xC000003E, 204, (0, 8, 8), "allow"),  # sched_getaffinity
        (0, 0xC000003E, 204, (78, 8, 8), "absent"),
        (0, 0xC000003E, 62, (77, 34), "allow"),  # kill: signals of the C library
        (0, 0xC000003E, 62, (77, 35), "refuse"),  # one that queues
        (0, 0xC000003E, 222, (0, 8, 8), "refuse"),  # timer_create
        (0, 0xC000003E, 435, (), "absent"),  # clone3
        (1, 0xC00000B7, 435, (), "absent"),
        (0, 0xC000003E, 437, (), "absent"),  # openat2
        (0, 0xC000003E, 257, (0, 0, 0o101101), "allow"),  # openat: the mounts' and Landlock's
        (0, 0xC000003E, 463, (), "absent"),  # newer than the table
        (0, 0xC000003E, 62, (77, 9), "allow"),  # kill: itself
        (0, 0xC000003E, 62, (78, 9), "refuse"),
        (0, 0xC000003E, 62, (0xFFFFFFFF, 9), "refuse"),  # everybody
        (0, 0xC000003E, 62, (0, 9), "refuse"),  # its group
        (0, 0xC000003E, 302, (0, 7, 0, 5), "allow"),  # prlimit64: read its own
        (0, 0xC000003E, 302, (0, 7, 1 << 40, 5), "refuse"),  # set it
        (0, 0xC000003E, 302, (0, 7, 8, 5), "refuse"),
        (0, 0xC000003E, 302, (1, 7, 0, 5), "refuse"),  # read another's
        (0, 0xC000003E, 9, (0, 4096, 3, 0x22), "allow"),  # mmap: private memory
        (0, 0xC000003E, 9, (0, 4096, 1, 0x01), "allow"),  # a file
        (0, 0xC000003E, 9, (0, 4096, 3, 0x21), "refuse"),  # shared memory
        (0, 0xC000003E, 9, (0, 4096, 3, 0x122), "refuse"),  # what grows downwards
        (0, 0xC000003E, 16, (2, 0x5412), "refuse"),  # ioctl: TIOCSTI
        (0, 0xC000003E, 16, (2, 0x5412 | 1 << 32), "refuse"),
        (0, 0xC000003E, 16, (2, 0x5401 | 1 << 32), "allow"),  # the kernel does not look at the upper half
        (0, 0xC000003E, 72, (2, 8, 1), "refuse"),  # F_SETOWN
        (0, 0xC000003E, 72, (2, 1030, 1), "allow"),
        (0, 0xC000003E, 228, (0xFFFFFFF6,), "refuse"),  # another's clock
        (0, 0xC000003E, 228, (2,), "allow"),
        (0, 0xC000003E, 55, (3, 1, 77), "refuse"),  # SO_PEERPIDFD
        (0, 0xC000003E, 59, (), "refuse"),  # execve, of a module
        (0, 0xC000003E, 53, (1, 1, 0), "refuse"),  # socketpair, of a module
    ],
)
def test_a_verdict_of_the_filter(
    place: int, machine: int, number: int, arguments: tuple[int, ...], verdict: str
) -> None:
    code = seccomp.filter_program(place, 77, False, threads=True)
    given = struct.pack("<IIQ6Q", number, machine, 0, *(arguments + (0,) * 6)[:6])
    words = {0x7FFF0000: "allow", 0x80000000: "kill", 0x00050001: "refuse", 0x00050026: "absent"}
    assert words[run(code, given)] == verdict


def test_without_threads_none_is_begun() -> None:
    for place, machine, number in ((0, 0xC000003E, 56), (1, 0xC00000B7, 220)):
        given = struct.pack("<IIQ6Q", number, machine, 0, 0x3D0F00, *[0] * 5)
        assert run(seccomp.filter_program(place, 77, True), given) == 0x00050001


@pytest.mark.parametrize(
    ("arguments", "allowed"),
    [
        ((1, 1, 0), True),
        ((1, 0o2004001, 0), True),  # SOCK_CLOEXEC, SOCK_NONBLOCK
        ((1, 2, 0), False),  # datagrams can be sent to anybody
        ((1, 5, 0), False),
        ((2, 1, 0), False),  # AF_INET
        ((1, 1, 6), False),
    ],
)
def test_the_pair_of_sockets_of_a_program_leads_to_nobody(arguments: tuple[int, ...], allowed: bool) -> None:
    for place, machine, number in ((0, 0xC000003E, 53), (1, 0xC00000B7, 199)):
        given = struct.pack("<IIQ6Q", number, machine, 0, *arguments, *[0] * 3)
        assert run(seccomp.filter_program(place, 77, True), given) == (0x7FFF0000 if allowed else 0x00050001)


def test_a_program_may_be_executed() -> None:
    for place, machine, number in ((0, 0xC000003E, 59), (1, 0xC00000B7, 221)):
        given = struct.pack("<IIQ6Q", number, machine, 0, *[0] * 6)
        assert run(seccomp.filter_program(place, 77, True), given) == 0x7FFF0000


@pytest.mark.parametrize(
    "landlock_is, flags, verdict",
    [
        (3, 0o1001, 0x7FFF0000),  # it sees to it itself
        (2, 0o1000, 0x00050001),  # O_RDONLY | O_TRUNC, which it lets by
        (2, 0o100000, 0x7FFF0000),
        (0, 0o1, 0x00050001),
        (0, 0o2, 0x00050001),
        (0, 0o100, 0x00050001),
        (0, 0o20200000, 0x00050001),  # O_TMPFILE
        (0, 0o2100000, 0x7FFF0000),  # O_CLOEXEC and others
    ],
)
def test_what_an_older_landlock_lets_by_the_filter_refuses(
    landlock_is: int, flags: int, verdict: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(landlock, "version", lambda: landlock_is)
    given = struct.pack("<IIQ6Q", 257, 0xC000003E, 0, 0, 0, flags, 0, 0, 0)
    assert run(seccomp.filter_program(0, 77, False, probe.left_to_filter("landlock")), given) == verdict


def run(code: bytes, given: bytes) -> int:
    """What a filter comes to: the few steps of BPF that ours has."""
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
