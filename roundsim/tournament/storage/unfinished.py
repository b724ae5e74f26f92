"""A shard that is being played: the lines of its blocks, and a copy on disk if it takes long.

The copy is two files next to the shards, `.0000001.lines` and `.0000001.part`. They hold packed lines, one after the
other, and after how many of them each stage of the shard ended. The same command resumes it. It is removed when the
shard is done. Each piece of a shard that has several has its own copy, and is kept when it is done."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO

import zstandard
from zstandard import ZstdError

from ...base.errors import FolderError, LogError
from ...base.files import check_regular_file as check_file
from ...base.version import __version__
from ..results.packing import MAX_SHARD_BYTES
from ..results.totals import check_number
from .shards import read_file

PIECE = ".piece"  # a finished piece of a shard that has several, as a shard of its own
COPY = ".part", ".lines"
KEPT = *COPY, PIECE
DAMAGED = (
    *(OSError, ValueError, LookupError, TypeError, AttributeError),
    *(RecursionError, MemoryError, LogError, ZstdError),
)
LONG = 1.0  # seconds of play that are worth a file
MUCH = 1 << 23  # bytes of lines that are held in memory
LARGE = 1 << 26  # bytes of a `.part` that is read

BYTES = range(1 << 50)  # of a file

Place = tuple[int, int]  # of the file of lines: where it begins, and how long it is


def hash_of(pieces: Iterable[bytes]) -> str:
    whole = blake2b(digest_size=8)
    for piece in pieces:
        whole.update(piece)
    return whole.hexdigest()


class Unfinished:
    """The lines of a shard's blocks in order, in memory or packed in a file; and the progress of the shard, as JSON.

    `path`: of the shard, None to keep nothing. `task`: identifies the shard, so that no other is resumed."""

    def __init__(self, path: Path | None, task: str, blocks: Sequence[int]) -> None:
        self.path, self.task = path, f"{__version__} {task}"
        self.pieces: dict[int, list[bytes | Place]] = {block: [] for block in blocks}
        self.size = self.held = self.end = 0  # bytes: of all lines, of those in memory, of the file
        self.since = time.monotonic()
        self.file: BinaryIO | None = None

    def path_beside(self, suffix: str) -> Path:
        assert self.path
        return self.path.with_name(f".{self.path.stem}{suffix}")

    def add(self, block: int, lines: Iterable[str]) -> None:
        """Add lines of a block. FolderError."""
        text = "".join(lines).encode()
        self.pieces[block].append(text)
        self.size += len(text)
        self.held += len(text)
        if self.held > MUCH and self.path:
            with self.writing():
                self.put_away()

    def text(self, block: int) -> Iterator[bytes]:
        """Yield the lines of a block."""
        for piece in self.pieces[block]:
            yield piece if isinstance(piece, bytes) else self.read(piece)

    def is_whole(self, blocks: Iterable[int]) -> bool:
        """Whether the lines of these blocks have the total length that they must have."""
        left = self.size
        for block in blocks:
            for text in self.text(block):
                left -= len(text)
                if left < 0:
                    return False
        return not left

    def read(self, piece: Place) -> bytes:
        assert self.file
        self.file.seek(piece[0])
        data = self.file.read(piece[1])
        if zstandard.frame_content_size(data) > self.size:
            raise ValueError("it unpacks to more than was kept")
        return zstandard.decompress(data)

    def put_away(self) -> None:
        """Move the lines in memory to the file."""
        if not self.file:
            self.path_beside(".lines").unlink(missing_ok=True)
            self.file = self.path_beside(".lines").open("x+b")
        self.file.seek(self.end)
        for pieces in self.pieces.values():
            for at, piece in enumerate(pieces):
                if isinstance(piece, bytes):
                    data = zstandard.ZstdCompressor(write_checksum=True).compress(piece)
                    self.file.write(data)
                    pieces[at] = self.end, len(data)
                    self.end += len(data)
        self.file.flush()
        self.held = 0

    def keep(self, how_far: Callable[[], Mapping[str, Any]]) -> None:
        """Save what has been played, if that took long enough. FolderError."""
        if not self.path or time.monotonic() - self.since < LONG:
            return
        with self.writing():
            self.put_away()
            own = {"task": self.task, "size": self.size, "pieces": list(self.pieces.items())}
            body = json.dumps({**how_far(), **own})
            aside = self.path_beside(".part").with_suffix(f".{os.getpid()}")
            aside.unlink(missing_ok=True)
            with aside.open("x") as file:
                file.write(f"{hash_of([body.encode()])} {body}")
            os.replace(aside, self.path_beside(".part"))
        self.since = time.monotonic()

    @contextmanager
    def writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise FolderError(f"cannot write {error.filename or self.path_beside('.part')}: {error.strerror}") from None

    def take_up(self, restore: Callable[[Mapping[str, Any]], object]) -> None:
        """Resume with the lines saved last, and call `restore` with the progress of the shard.

        Begin from the start if nothing was saved, or if it is damaged or of another shard."""
        if not self.path:
            return
        pieces = self.pieces
        with suppress(*DAMAGED):
            sha256, _, body = read_file(self.path_beside(".part"), LARGE).partition(b" ")
            kept: dict[str, Any] = json.loads(body)
            if sha256.decode() == hash_of([body]) and kept["task"] == self.task:
                flags = os.O_RDWR | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
                self.file = os.fdopen(os.open(self.path_beside(".lines"), flags), "r+b")
                check_file(self.path_beside(".lines"), os.fstat(self.file.fileno()), MAX_SHARD_BYTES)
                rows = dict(kept["pieces"])
                self.pieces = {
                    block: [(check_number(at, BYTES), check_number(size, BYTES)) for at, size in rows[block]]
                    for block in pieces
                }
                self.size = check_number(kept["size"], BYTES)
                self.end = max([at + size for rows in self.pieces.values() for at, size in rows], default=0)
                if self.size <= MAX_SHARD_BYTES and self.is_whole(pieces):
                    restore(kept)
                    return
        self.pieces, self.size, self.end = pieces, 0, 0
        self.forget()

    def forget(self) -> None:
        """Remove the copy, because the shard is written or starts again. FolderError."""
        if self.file:
            self.file.close()
            self.file = None
        for suffix in COPY if self.path else ():
            with self.writing():
                self.path_beside(suffix).unlink(missing_ok=True)
