"""The filter of system calls: a program for the kernel (BPF), an allow-list, for x86-64 and arm64.

A guest may think, read what it was given, and speak through the descriptors it has: everything else is refused (EPERM).
A call that is always allowed is a line in `CALLS`; one that depends on its arguments has tests in `tests_for`."""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from collections.abc import Iterable
from functools import cache

PLACES = {"x86_64": 0, "aarch64": 1}  # the column of a processor in these tables
ARCHITECTURES = (0xC000003E, 0xC00000B7)  # AUDIT_ARCH_X86_64, AUDIT_ARCH_AARCH64
X32 = 0x40000000  # begins the numbers of x86-64's other face, which has no business here
NEWEST = 462  # greater numbers were not yet given: "no such call", as an older kernel says, so that programs do without

ABSENT = -1
CALLS = {  # by name: the number on x86-64, on arm64; the most frequent first, older kernels go through them in order
    "read": (0, 63), "write": (1, 64),
    # time
    "clock_nanosleep": (230, 115), "nanosleep": (35, 101), "gettimeofday": (96, 169), "time": (201, ABSENT),
    "times": (100, 153), "getitimer": (36, 102), "setitimer": (38, 103), "alarm": (37, ABSENT),
    "timerfd_create": (283, 85), "timerfd_settime": (286, 86), "timerfd_gettime": (287, 87),
    # memory
    "brk": (12, 214), "munmap": (11, 215), "mremap": (25, 216), "mprotect": (10, 226), "msync": (26, 227),
    "membarrier": (324, 283), "mseal": (462, 462),
    "pkey_mprotect": (329, 288), "pkey_alloc": (330, 289), "pkey_free": (331, 290),
    # files: which of them, and that they are only read, is the mounts' and Landlock's
    "close": (3, 57), "close_range": (436, 436),
    "stat": (4, ABSENT), "fstat": (5, 80), "lstat": (6, ABSENT), "newfstatat": (262, 79), "statx": (332, 291),
    "statfs": (137, 43), "fstatfs": (138, 44), "access": (21, ABSENT), "faccessat": (269, 48),
    "faccessat2": (439, 439), "readlink": (89, ABSENT), "readlinkat": (267, 78), "getdents": (78, ABSENT),
    "getdents64": (217, 61), "getcwd": (79, 17), "chdir": (80, 49), "fchdir": (81, 50), "umask": (95, 166),
    # descriptors
    "lseek": (8, 62), "pread64": (17, 67), "pwrite64": (18, 68), "readv": (19, 65), "writev": (20, 66),
    "preadv": (295, 69), "pwritev": (296, 70), "dup": (32, 23), "dup2": (33, ABSENT), "dup3": (292, 24),
    "pipe": (22, ABSENT), "pipe2": (293, 59), "poll": (7, ABSENT), "ppoll": (271, 73),
    "select": (23, ABSENT), "pselect6": (270, 72), "epoll_create": (213, ABSENT), "epoll_create1": (291, 20),
    "epoll_ctl": (233, 21), "epoll_wait": (232, ABSENT), "epoll_pwait": (281, 22), "epoll_pwait2": (441, 441),
    "eventfd": (284, ABSENT), "eventfd2": (290, 19), "signalfd": (282, ABSENT), "signalfd4": (289, 74),
    "getsockname": (51, 204), "getpeername": (52, 205), "shutdown": (48, 210),
    # its own threads and signals
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137), "rt_sigsuspend": (130, 133), "sigaltstack": (131, 132), "pause": (34, ABSENT),
    "restart_syscall": (219, 128), "set_tid_address": (218, 96), "set_robust_list": (273, 99), "rseq": (334, 293),
    "arch_prctl": (158, ABSENT), "sched_yield": (24, 124),
    "sched_get_priority_max": (146, 125), "sched_get_priority_min": (147, 126), "getcpu": (309, 168),
    "wait4": (61, 260), "waitid": (247, 95), "exit": (60, 93), "exit_group": (231, 94),
    # who and where it is
    "getpid": (39, 172), "gettid": (186, 178), "getppid": (110, 173), "getpgrp": (111, ABSENT), "getuid": (102, 174),
    "geteuid": (107, 175), "getgid": (104, 176), "getegid": (108, 177),
    "getresuid": (118, 148), "getresgid": (120, 150), "getgroups": (115, 158),
    "getrusage": (98, 165), "getrlimit": (97, 163), "uname": (63, 160), "getrandom": (318, 278),
}  # fmt: skip
FREQUENT = {"recvfrom": (45, 207), "sendto": (44, 206), "futex": (202, 98)}  # of those whose arguments are looked at
CHECKED = {  # the others
    "open": (2, ABSENT), "openat": (257, 56), "mmap": (9, 222), "clone": (56, 220), "fcntl": (72, 25),
    "ioctl": (16, 29), "prctl": (157, 167),
    "prlimit64": (302, 261), "kill": (62, 129), "tgkill": (234, 131), "getsockopt": (55, 209),
    "clock_gettime": (228, 113), "clock_getres": (229, 114), "madvise": (28, 233),
    "preadv2": (327, 286), "pwritev2": (328, 287), "getpgid": (121, 155), "getsid": (124, 156), "getpriority": (140, 141),
    "sched_getaffinity": (204, 123), "sched_getparam": (143, 121), "sched_getscheduler": (145, 120),
}  # fmt: skip
EXECVE, SOCKETPAIR = (59, 221), (53, 199)  # of programs alone
HIDDEN = {  # reported as absent, as a filter cannot see their arguments: programs take older calls in their place
    "clone3": (435, 435), "openat2": (437, 437), "futex_waitv": (449, 449), "futex_wake": (454, 454),
    "futex_wait": (455, 455), "futex_requeue": (456, 456),
}  # fmt: skip

EMPTIES = 0o1000  # O_TRUNC
WRITES = 0o3 | 0o100 | EMPTIES | 0o20000000  # O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_TMPFILE
MAPPING = 0x01 | 0x20 | 0x100  # MAP_SHARED, MAP_ANONYMOUS, MAP_GROWSDOWN: see tests_for
CLONE_THREAD, CLONE_NEW = 0x00010000, 0x7E020080  # the latter: any new namespace
# F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_QUERY, F_DUPFD_CLOEXEC, F_GETPIPE_SZ
FCNTL = (0, 1, 2, 3, 4, 1027, 1030, 1032)
IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX
PRCTL = (15, 16, 23, 39, 0x53564D41)  # PR_SET_NAME, PR_GET_NAME, PR_CAPBSET_READ, PR_GET_NO_NEW_PRIVS, PR_SET_VMA
# MADV_NORMAL, DONTNEED, FREE, DONTFORK, DOFORK, HUGEPAGE, NOHUGEPAGE, DONTDUMP, DODUMP, WIPEONFORK, KEEPONFORK: about
# a process's own memory. The others read files in, evict them, or share pages with other processes.
MADVISE = (0, 4, 8, 10, 11, 14, 15, 16, 17, 18, 19)
# FUTEX_WAIT and FUTEX_WAIT_BITSET, by which threads are joined; any with FUTEX_PRIVATE_FLAG, which wakes no other process.
FUTEX, CLOCK_REALTIME = (0, 9, *range(128, 142)), 256
SIGNALS = range(35)  # and none that queue: all processes of a user have one queue
MESSAGES = 0x02 | 0x40 | 0x100 | 0x4000  # MSG_PEEK, MSG_DONTWAIT, MSG_WAITALL, MSG_NOSIGNAL
AF_UNIX, SOCK_STREAM, SOCK_FLAGS = 1, 1, 0o2004000  # SOCK_CLOEXEC, SOCK_NONBLOCK
SOL_SOCKET, OF_SOCKETS = 1, (3, 4, 30, 38, 39)  # SO_TYPE, SO_ERROR, SO_ACCEPTCONN, SO_PROTOCOL, SO_DOMAIN
OF_OTHERS = 0x80000000  # the sign of a clock's number: it is that of some process or thread

LOAD, JUMP_EQUAL, JUMP_LEAST, AND, RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
ALLOW, KILL, REFUSE, NO_SUCH_CALL = 0x7FFF0000, 0x80000000, 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16  # their places in the data that a filter examines

PR_SET_SECCOMP, PR_SET_NO_NEW_PRIVS, SECCOMP_MODE_FILTER = 22, 38, 2


def is_supported() -> bool:
    """Return whether there is a filter for this processor."""
    return sys.platform == "linux" and platform.machine() in PLACES and struct.calcsize("P") == 8


def install_filter(executes: bool, refused: int = 0, threads: bool = False) -> None:
    """Install the filter in this process, for good. `executes`: it may become another program; `threads`: it may start
    threads; `refused`: the flags with which no file is opened, if neither mounts nor Landlock prevent that. OSError."""
    code = filter_program(PLACES[platform.machine()], os.getpid(), executes, refused, threads)
    kept = ctypes.create_string_buffer(code, len(code))
    whole = struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(kept))
    prctl, zero = ctypes.CDLL(None, use_errno=True).prctl, ctypes.c_ulong(0)
    prctl(PR_SET_NO_NEW_PRIVS, ctypes.c_ulong(1), zero, zero, zero)  # else the next one is refused
    if prctl(PR_SET_SECCOMP, ctypes.c_ulong(SECCOMP_MODE_FILTER), whole, zero, zero):
        raise OSError(ctypes.get_errno(), "the filter of system calls was not taken")


def filter_program(place: int, pid: int, executes: bool, refused: int = 0, threads: bool = False) -> bytes:
    """Return the filter for a processor and a process."""
    return b"".join([beginning(place), argument_checks(place, pid, refused, threads), ending(place, executes)])


@cache
def beginning(place: int) -> bytes:
    """Return the start of the filter: another processor's calls end the process; then come the most frequent calls, and
    those that are always allowed."""
    lines = [step(LOAD, ARCHITECTURE), step(JUMP_EQUAL, ARCHITECTURES[place], 1, 0), step(RETURN, KILL)]
    lines += [step(LOAD, NUMBER), step(JUMP_LEAST, X32, 0, 1), step(RETURN, KILL)]
    message, futex = allow_values(3, [0], ~MESSAGES & 0xFFFFFFFF), allow_values(1, FUTEX, ~CLOCK_REALTIME & 0xFFFFFFFF)
    frequent, allow = {"recvfrom": message, "sendto": message, "futex": futex}, step(RETURN, ALLOW)
    lines += [on_call(FREQUENT[name][place], tests + allow) for name, tests in frequent.items()]
    return b"".join(lines + [on_call(numbers[place], allow) for numbers in CALLS.values()])


def argument_checks(place: int, pid: int, refused: int, threads: bool) -> bytes:
    """Return the checks of calls that depend on their arguments."""
    allow = step(RETURN, ALLOW)
    tests = tests_for(pid, refused, threads)
    return b"".join([on_call(CHECKED[name][place], tested + allow) for name, tested in tests.items()])


@cache
def ending(place: int, executes: bool) -> bytes:
    """Return the end of the filter: some calls are reported as absent; all others are refused.

    A program may have pairs of connected stream sockets, which lead to nobody: Java reads no file without one."""
    pair = allow_values(0, [AF_UNIX]) + allow_values(1, [SOCK_STREAM], ~SOCK_FLAGS & 0xFFFFFFFF) + allow_values(2, [0])
    of_programs = (EXECVE, b""), (SOCKETPAIR, pair)
    lines = [on_call(call[place], tests + step(RETURN, ALLOW)) for call, tests in of_programs * executes]
    lines += [on_call(call[place], step(RETURN, NO_SUCH_CALL)) for call in HIDDEN.values()]
    lines += [step(JUMP_LEAST, NEWEST + 1, 0, 1)]
    return b"".join([*lines, step(RETURN, NO_SUCH_CALL), step(RETURN, REFUSE)])


def tests_for(pid: int, refused: int = 0, threads: bool = False) -> dict[str, bytes]:
    """Return the conditions on the arguments of each call.

    A mapping that is shared, or grows downwards, does not count as memory, so the former has no file and the latter
    does not exist. Threads, where they are allowed, but no processes; signals to itself alone; limits are read and not
    set. Nothing is revealed of other processes: not their clocks, groups or priorities. No process gets signals about a
    descriptor (F_SETOWN). No call asks whether a page of a file is in memory (RWF_NOWAIT), or moves it."""
    own, itself, plain = allow_values(0, [pid]), allow_values(0, [0, pid]), allow_values(5, [0])
    scheduled = allow_values(
        0, [0, pid], otherwise=NO_SUCH_CALL
    )  # the C library asks its threads for it, and does without
    clock = allow_values(0, [0], OF_OTHERS)
    return {
        "clock_gettime": clock,
        "clock_getres": clock,
        "open": allow_values(1, [0], refused),
        "openat": allow_values(2, [0], refused),
        "mmap": allow_values(3, [0, 0x01, 0x20], MAPPING),
        "clone": allow_values(0, [CLONE_THREAD] * threads, CLONE_THREAD | CLONE_NEW),
        "fcntl": allow_values(1, FCNTL),
        "ioctl": allow_values(1, IOCTL),
        "prctl": allow_values(0, PRCTL),
        "prlimit64": itself + allow_values(2, [0]) + allow_values(2, [0], upper=True),
        "kill": own + allow_values(1, SIGNALS),
        "tgkill": own + allow_values(2, SIGNALS),
        "getsockopt": allow_values(1, [SOL_SOCKET]) + allow_values(2, OF_SOCKETS),
        "madvise": allow_values(2, MADVISE),
        "preadv2": plain,
        "pwritev2": plain,
        "getpgid": itself,
        "getsid": itself,
        "getpriority": allow_values(0, [0]) + allow_values(1, [0, pid]),
        "sched_getaffinity": scheduled,
        "sched_getparam": scheduled,
        "sched_getscheduler": scheduled,
    }


def allow_values(
    argument: int, values: Iterable[int], mask: int = 0xFFFFFFFF, upper: bool = False, otherwise: int = REFUSE
) -> bytes:
    """Go on if these bits of an argument are one of the values, else refuse. Looks at its lower half, as the kernel does
    with what is an `int`; or at its upper one."""
    wanted = [*values]
    jumps = [step(JUMP_EQUAL, value, len(wanted) - place, 0) for place, value in enumerate(wanted)]
    half = step(LOAD, ARGUMENTS + 8 * argument + 4 * upper) + step(AND, mask)
    return b"".join([half, *jumps, step(RETURN, otherwise)])


def on_call(number: int, then: bytes) -> bytes:
    """Return the step for the call of this number; nothing if the processor has no such call. Otherwise the number
    stays loaded."""
    return b"" if number == ABSENT else step(JUMP_EQUAL, number, 0, len(then) // 8) + then


def step(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    return struct.pack("HBBI", code, if_so, if_not, value)
