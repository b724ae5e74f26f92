"""bubblewrap: a program that begins another one in namespaces of its own, with an empty root."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from . import privileges

PLACES = "/usr/local/bin:/usr/bin:/bin"  # where it is looked for, whatever PATH says
NAMESPACES = ("user", "pid", "net", "ipc", "uts", "cgroup-try")
DEVICES = "/dev/null", "/dev/urandom"


def find_bwrap() -> str | None:
    """The program."""
    return shutil.which("bwrap", path=PLACES)


def words(program: str, paths: Iterable[str]) -> list[str]:
    """The command before which the words of another one are set: it sees these paths, read-only, and nothing else.

    No network, no /proc, no place to write, not even a name; it is the first process of its world, so that all end with
    it, and it ends with us."""
    paths = sorted(paths)  # what lies above comes first
    root = privileges.has(privileges.KILL, privileges.SETUID, privileges.SETPCAP, privileges.SYS_ADMIN)
    command = [program, *(f"--unshare-{each}" for each in NAMESPACES[root:]), "--cap-drop", "ALL"]
    if root:  # it needs no user namespace; its guests become another user, who must find the paths
        for capability in "CAP_KILL", "CAP_SETUID", "CAP_SETPCAP":
            command += ["--cap-add", capability]
        for folder in sorted({str(each) for path in (*paths, *DEVICES) for each in Path(path).parents[:-1]}):
            command += ["--perms", "0755", "--dir", folder]
    command += ["--die-with-parent", "--as-pid-1", "--new-session"]
    for path in paths:
        command += ["--ro-bind-try", path, path]
    for device in DEVICES:
        command += ["--dev-bind", device, device]
    return [*command, "--remount-ro", "/", "--chdir", "/", "--"]
