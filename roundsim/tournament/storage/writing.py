"""Files of a run are written under another name, synced and renamed, so a file that exists is whole."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path

from ...errors import FolderError, LogError
from .shards import read_file


def write_named(path: Path, data: bytes) -> None:
    """Write a file that the user has named. Follow links, and write to devices and pipes as they are. FolderError."""
    path = Path(os.path.realpath(path)) if path.is_symlink() else path
    if path.is_file() or not path.exists():
        clear_left(path.parent, [path.name])
        write_aside(path, data)
        return
    try:
        with open(path, "wb") as there:
            there.write(data)
    except OSError as error:
        raise FolderError(f"cannot write {path}: {error.strerror}") from None


def write_aside(path: Path, data: bytes | Iterable[bytes], sync: bool = True) -> None:
    """Write a file such that it is either whole or absent, whatever happens. FolderError if it cannot be written.

    `sync`: also its folder, so that it is there after a power cut."""
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(aside, "wb") as file:
            with suppress(OSError):  # some file systems have no locks
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            file.writelines([data] if isinstance(data, bytes) else data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(aside, path)
        if sync:
            sync_folder(path.parent)
    except OSError as error:
        raise FolderError(f"cannot write {path}: {error.strerror}") from None
    finally:
        aside.unlink(missing_ok=True)


def clear_left(folder: Path, names: Collection[str]) -> None:
    """Remove what killed commands have left of files of these names.

    A file that is being written is locked, and stays."""
    for aside in folder.glob(".*.*"):
        name, _, pid = aside.name[1:].rpartition(".")
        if name in names and pid.isdecimal():
            with suppress(OSError):
                handle = os.open(aside, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
                with open(handle, "rb") as file:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    aside.unlink()


def has_bytes(path: Path, data: bytes) -> bool:
    """Whether this is a file with exactly these bytes."""
    try:
        return read_file(path, len(data)) == data
    except (FileNotFoundError, LogError):
        return False


def sync_folder(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
