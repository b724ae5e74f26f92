"""The files that a guest may read, and the trial that shows whether a sandbox works."""

from __future__ import annotations

import _socket
import os
import sys
from collections.abc import Callable, Iterable

from . import landlock, privileges, seccomp

HELD = "sealed"  # said by a trial that was refused everything
FOREIGN = "/etc/passwd"  # everybody may read it


def rules_for(seal: str, paths: Iterable[str], listed: Iterable[str] = ()) -> int:
    """Return the descriptor of what a guest may read; -1 if the kernel has no Landlock, or there is no sandbox."""
    return landlock.ruleset(paths, listed) if seal and (seal == "landlock" or landlock.version()) else -1


def left_to_filter(seal: str) -> int:
    """Return the flags with which a file must not be opened and that only the filter refuses: older versions of
    Landlock let a process empty a file."""
    version = landlock.version()
    return 0 if seal == "bubblewrap" or version >= 3 else seccomp.EMPTIES if version else seccomp.WRITES


def trial(seal: str, *paths: str) -> None:
    """Run in a process that starts like a guest launcher: close the sandbox, try what it must refuse, and report
    whether it did."""
    if (rules := rules_for(seal, paths)) >= 0:
        landlock.restrict_self(rules)
    privileges.give_up(privileges.TASKS)
    seccomp.install_filter(executes=True, refused=left_to_filter(seal))
    if not any(map(is_permitted, (try_read, try_write, try_connect, try_fork))):
        print(HELD)
    sys.stdout.flush()
    os._exit(0)


def is_permitted(attempt: Callable[[], object]) -> bool:
    try:
        attempt()
    except OSError:
        return False
    return True


def try_read() -> None:
    os.close(os.open(FOREIGN, os.O_RDONLY))


def try_write() -> None:
    os.close(os.open("/tmp", os.O_WRONLY | os.O_TMPFILE))


def try_connect() -> None:
    _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM).close()


def try_fork() -> None:
    if not os.fork():
        os._exit(0)
