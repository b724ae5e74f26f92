"""Files that others may have written: read if they are regular, up to a limit, and without waiting."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path

MODULE = 1 << 20  # bytes of a module: Python takes up to 1 GB of memory and 4 s to parse so much
MODULES = 1 << 24  # bytes of all modules of a package
DATA = 1 << 32  # bytes of all files that a strategy names
MANY = 10_000  # modules of a package, and files that a strategy names
COMMIT = 1 << 28  # bytes that are taken from a commit, and held in memory
TEXT = 1 << 24  # bytes of a TOML or JSON file: run.toml with some 80 000 strategies, which takes 4 s to parse
KINDS = {
    stat.S_IFLNK: "a link",
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


class UnfitError(OSError):
    """A file that is not read; `strerror` says why."""

    def __init__(self, path: str | Path, problem: str) -> None:
        super().__init__(errno.EINVAL, problem, str(path))


@contextmanager
def opened(path: str | Path, most: int, links: bool = True) -> Iterator[BufferedReader]:
    """Open a regular file of at most `most` bytes for reading.

    `links`: whether the path itself may be a link. UnfitError for anything else, which is not opened; OSError."""
    check_regular_file(path, os.stat(path, follow_symlinks=links), most)
    more = os.O_NONBLOCK | os.O_CLOEXEC | (0 if links else os.O_NOFOLLOW)
    with open(path, "rb", opener=lambda name, flags: os.open(name, flags | more)) as file:
        check_regular_file(path, os.fstat(file.fileno()), most)  # it may be another one now
        yield file


def check_regular_file(path: str | Path, status: os.stat_result, most: int) -> None:
    """UnfitError if this is no regular file of at most `most` bytes."""
    if problem := irregular(status.st_mode):
        raise UnfitError(path, problem)
    if status.st_size > most:
        raise UnfitError(path, f"it is larger than {as_size(most)}")


def irregular(mode: int) -> str:
    """'it is a FIFO, not a regular file'; "" for a regular file."""
    kind = KINDS.get(stat.S_IFMT(mode), "something else")
    return "" if stat.S_ISREG(mode) else f"it is {kind}, not a regular file"


def read_regular_file(path: str | Path, most: int, links: bool = True) -> bytes:
    """The bytes of a regular file of at most `most` bytes; see `opened`."""
    with opened(path, most, links) as file:
        length = os.fstat(file.fileno()).st_size
        data = file.read(length + 1)
    if len(data) > length:
        raise UnfitError(path, "it grows while it is read")
    return data


def real(path: str | Path) -> Path:
    """The path without links; a link that leads round in a circle stays as it is."""
    return Path(os.path.realpath(path))


def irregularity(path: Path, home: Path) -> str:
    """Why a path is no regular file within a folder, all links followed; "" if it is one. `home`: the folder's real path."""
    if not real(path).is_relative_to(home):
        return "it is a link that leads out of its folder"
    try:
        return irregular(os.stat(path).st_mode)
    except OSError as error:
        return "it is a link that leads nowhere" if os.path.islink(path) else str(error.strerror)


def below(folder: Path) -> Iterator[Path]:
    """Everything below a folder except folders, in no order; links are not followed. OSError if one cannot be read."""
    left = [folder]
    while left:
        with os.scandir(left.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    left.append(Path(entry.path))
                else:
                    yield Path(entry.path)


def check_totals(files: Iterable[Path], most: int, path: Path, what: str) -> None:
    """UnfitError at `path` if these files are more than MANY, or have more than `most` bytes together."""
    total = 0
    for number, file in enumerate(files, 1):
        total += os.stat(file).st_size
        if number > MANY or total > most:
            raise UnfitError(path, f"{what} are more than {MANY}, or larger than {as_size(most)} together")


def as_size(n: int) -> str:
    """64 KiB, 16 MiB, 4 GiB"""
    power = max(n.bit_length() - 1, 0) // 10
    return f"{n >> 10 * power} {('bytes', 'KiB', 'MiB', 'GiB')[power]}"
