"""Files of a run are written under another name, synced and renamed, so a file that exists is whole."""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path

from ...base.errors import FolderError, LogError
from .shards import read_file

FILES = stat.S_IFREG, stat.S_IFLNK, stat.S_IFDIR  # in whose place a file is written; over a folder that fails


def write_named(path: Path, data: bytes) -> None:
    """Write a file that the user has named: a new one, in the place of a file or of a link. Write to devices and pipes
    as they are. FolderError.

    Only links of the system are followed, as `/dev/stdout`: any other may have come with somebody's checkout."""
    folder = os.path.realpath(path.parent)
    followed = folder in ("/dev", "/dev/fd") or folder.startswith("/proc/")
    try:
        with suppress(FileNotFoundError):
            if stat.S_IFMT(os.stat(path, follow_symlinks=followed).st_mode) not in FILES:
                with open(path, "wb") as there:
                    there.write(data)
                return
    except OSError as error:
        raise FolderError(f"cannot write {path}: {error.strerror}") from None
    path = Path(os.path.realpath(path)) if followed else path
    clear_left(path.parent, [path.name])
    write_aside(path, data)


def write_aside(path: Path, data: bytes | Iterable[bytes], sync: bool = True) -> None:
    """Write a file such that it is either whole or absent, whatever happens. FolderError if it cannot be written.

    `sync`: also its folder, so that it is there after a power cut."""
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        aside.unlink(missing_ok=True)
        with open(aside, "xb") as file:  # a link that is there is not followed
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
        with suppress(OSError):
            aside.unlink()


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


def make_folders(*paths: Path) -> None:
    """Create folders, with those above them, such that they are there after a power cut. FolderError."""
    try:
        missing = {folder for path in paths for folder in (path, *path.parents) if not folder.exists()}
        for path in paths:
            path.mkdir(parents=True, exist_ok=True)
        for folder in {folder.parent for folder in missing}:
            with suppress(PermissionError):  # one may be allowed to write in a folder, and not to read it
                sync_folder(folder)
    except OSError as error:
        raise FolderError(f"cannot write {paths[0]}: {error.strerror}") from None


def sync_folder(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
