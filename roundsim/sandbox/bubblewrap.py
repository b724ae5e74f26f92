"""bubblewrap: a program that starts another one in its own namespaces, with an empty root."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from . import privileges

PLACES = "/usr/local/bin:/usr/bin:/bin"  # where it is looked for, whatever PATH says
NAMESPACES = ("user", "pid", "net", "ipc", "uts", "cgroup-try")
DEVICES = "/dev/null", "/dev/urandom"
ITSELF = "/proc/self/exe"  # by which a program finds the libraries and files that lie around it


def find_bwrap() -> str | None:
    """Return the path of the program; None if there is none."""
    return shutil.which("bwrap", path=PLACES)


def words(program: str, paths: Iterable[str], executed: str = "", folder: str = "") -> list[str]:
    """Return the command to put before that of another program: it sees these paths, read-only, and nothing else.

    No network, no place to write, not even a name, and no /proc except a link to `executed`, the program that all of its
    children become. `folder`: an empty folder that is there, too. It is the first process in its namespace, so that all
    others end with it, and it ends with us."""
    paths = sorted(paths)  # what lies above comes first
    root = privileges.has(privileges.KILL, privileges.SETUID, privileges.SETPCAP, privileges.SYS_ADMIN)
    link = ["--symlink", executed, ITSELF] if executed else []
    command = [program, *(f"--unshare-{namespace}" for namespace in NAMESPACES[root:]), "--cap-drop", "ALL"]
    if root:  # it needs no user namespace; its guests become another user, who must find the paths
        for capability in "CAP_KILL", "CAP_SETUID", "CAP_SETPCAP":
            command += ["--cap-add", capability]
        made = {str(above) for path in (*paths, *DEVICES, *link[2:]) for above in Path(path).parents[:-1]}
        for path in sorted(made):
            command += ["--perms", "0755", "--dir", path]
    if folder:
        command += ["--dir", folder]
    command += ["--die-with-parent", "--as-pid-1", "--new-session"]
    for path in paths:
        command += ["--ro-bind-try", path, path]
    for device in DEVICES:
        command += ["--dev-bind", device, device]
    return [*command, *link, "--remount-ro", "/", "--chdir", "/", "--"]
