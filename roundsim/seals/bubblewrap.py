"""bubblewrap: a program that begins another one in namespaces of its own, with an empty root."""

from __future__ import annotations

import shutil
from collections.abc import Iterable

PLACES = "/usr/local/bin:/usr/bin:/bin"  # where it is looked for, whatever PATH says
NAMESPACES = ("user", "pid", "net", "ipc", "uts", "cgroup-try")


def found() -> str | None:
    """The program."""
    return shutil.which("bwrap", path=PLACES)


def words(program: str, paths: Iterable[str]) -> list[str]:
    """The command before which the words of another one are set: it sees these paths, read-only, and nothing else.

    No network, no /proc, no place to write, not even a name; it is the first process of its world, so that all end with
    it, and it ends with us."""
    command = [program, *(f"--unshare-{each}" for each in NAMESPACES)]
    command += ["--cap-drop", "ALL", "--die-with-parent", "--as-pid-1", "--new-session"]
    for path in sorted(paths):  # what lies above comes first
        command += ["--ro-bind-try", path, path]
    for device in ("/dev/null", "/dev/urandom"):
        command += ["--dev-bind", device, device]
    return [*command, "--remount-ro", "/", "--chdir", "/", "--"]
