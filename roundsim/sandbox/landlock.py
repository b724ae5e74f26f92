"""Landlock: a process denies itself all files except those beneath the paths it is given, with three system calls."""

from __future__ import annotations

import ctypes
import os
import stat
import struct
import sys
from collections.abc import Iterable
from functools import cache

CREATE, ADD, RESTRICT = 444, 445, 446  # the same numbers on all processors
CREATE_RULESET_VERSION, PATH_BENEATH = 1, 1
PR_SET_NO_NEW_PRIVS = 38
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
# Rights by the version that brought them: the first ones; refer, truncate, ioctl_dev.
FILES = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
NETWORK = {4: 0b11}  # to bind and to connect by TCP
SCOPES = {6: 0b11}  # abstract Unix sockets and signals stay within
NULL, RANDOM = "/dev/null", "/dev/urandom"


@cache
def version() -> int:
    """Return the version of the kernel's Landlock; 0 if it has none."""
    if sys.platform != "linux":
        return 0
    try:
        return call(CREATE, None, 0, CREATE_RULESET_VERSION)
    except OSError:
        return 0


def ruleset(paths: Iterable[str], listed: Iterable[str] = ()) -> int:
    """Return a descriptor of the rules: read and execute what is beneath these paths, list the folders `listed`, and
    write only to /dev/null."""
    handled = [sum(right for since, right in kind.items() if since <= version()) for kind in (FILES, NETWORK, SCOPES)]
    attributes = struct.pack("QQQ", *handled)[: 8 * (1 + (version() >= 4) + (version() >= 6))]
    rules = call(CREATE, attributes, len(attributes), 0)
    for path in paths:
        allow_beneath(rules, path, EXECUTE | READ_FILE | READ_DIR)
    for path in listed:
        allow_beneath(rules, path, READ_DIR)
    allow_beneath(rules, NULL, READ_FILE | WRITE_FILE)
    allow_beneath(rules, RANDOM, READ_FILE)
    return rules


def allow_beneath(rules: int, path: str, rights: int) -> None:
    """Allow these rights beneath a path; do nothing if it does not exist."""
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(handle).st_mode):
            rights &= ~READ_DIR
        call(ADD, rules, PATH_BENEATH, struct.pack("=Qi", rights, handle), 0)
    finally:
        os.close(handle)


def restrict_self(rules: int) -> None:
    """Allow this process only what the rules allow, from now on and for good."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_NO_NEW_PRIVS, *map(ctypes.c_ulong, (1, 0, 0, 0))):
        raise OSError(ctypes.get_errno(), "privileges were not given up")
    call(RESTRICT, rules, 0)


def call(number: int, *arguments: int | bytes | None) -> int:
    """Make a system call. OSError."""
    values = [ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments]
    if (result := int(ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(number), *values))) < 0:
        raise OSError(ctypes.get_errno(), f"Landlock: {os.strerror(ctypes.get_errno())}")
    return result
