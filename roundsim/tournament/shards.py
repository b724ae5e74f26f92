"""A shard as a file: the lines of its blocks, and a tail that says what they are.

It is text in a zstandard frame with a checksum.  Whoever reads one learns whether its blocks are those of the schedule, and
whether its lines are those that were written; whether they are true `roundsim verify` finds out."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from stat import S_ISREG
from typing import NamedTuple

import zstandard

from .._version import __version__
from ..errors import FolderError, LogError
from .plan import Keys, Task
from .record import tail
from .tally import Block, Played, Tally

MOST = 1 << 30  # bytes of a shard, also unpacked
FEW = 1 << 26  # of which a shard may be packed ever so densely
DENSEST = 1000  # bytes that one of its file may unpack to: lines of deals come to twenty


class Shard(NamedTuple):
    """A shard as it was read: its task, the lines of each of its blocks, its tally, the version that played it; and the
    blocks whose lines have changed since they were written."""

    task: Task
    blocks: list[list[str]]
    tally: Tally
    version: str
    changed: list[int]

    @property
    def whole(self) -> bool:
        """Whether all its blocks are there."""
        return len(self.blocks) == self.task.last - self.task.first + 1

    @property
    def length(self) -> int:
        """The number of its lines, but for the tail."""
        return sum(map(len, self.blocks))


def row_of(keys: Keys, block: int, seating: Sequence[int], lines: Iterable[str], played: Played) -> Block:
    """The row of a block that was played into these lines."""
    what = keys(block, seating), hash_of("".join(lines))
    return Block(block, *what, seating, played.deals, played.decisions, played.values, played.ahead)


def hash_of(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()


def packed(lines: Iterable[str], tally: Tally) -> bytes:
    """The file of a shard.  FolderError if it is too long to be read again."""
    text = "".join([*lines, f"{tail({'roundsim': __version__, **tally.to_json()})}\n"]).encode()
    if len(text) > MOST:
        raise FolderError(f"a shard of {len(text)} bytes is too long: let its sittings have fewer deals")
    return zstandard.ZstdCompressor(level=4, write_checksum=True).compress(text)


def read_file(path: Path) -> bytes:
    """The bytes of a regular file.  LogError for whatever else there is, FileNotFoundError if there is nothing."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise FileNotFoundError(*error.args) from None
    except OSError as error:
        words = "it is a link" if path.is_symlink() else error.strerror
        raise LogError(f"{path}: damaged: {words}") from None
    try:
        found = os.fstat(handle)
        if not S_ISREG(found.st_mode):
            raise LogError(f"{path}: damaged: it is no file")
        if found.st_size > MOST:
            raise LogError(f"{path}: damaged: it has {found.st_size} bytes")
        with open(handle, "rb", closefd=False) as file:
            return file.read()
    finally:
        os.close(handle)


def unpacked(path: Path) -> str | None:
    """The text of a shard; None if there is none.  LogError if it is damaged."""
    try:
        data = read_file(path)
        if not 0 <= zstandard.frame_content_size(data) <= min(MOST, max(FEW, DENSEST * len(data))):
            raise LogError(f"{path}: damaged: it does not say how long it is, or is too long")
        return zstandard.ZstdDecompressor().decompress(data, allow_extra_data=False).decode()
    except FileNotFoundError:
        return None
    except (zstandard.ZstdError, UnicodeDecodeError, OSError) as error:
        raise LogError(f"{path}: damaged: {error}") from None


def read(path: Path, task: Task, keys: Keys, strict: bool = True) -> Shard | None:
    """The shard of a task; None if it is not there.  LogError if it is damaged, or another one.

    Not `strict`: it may have blocks whose lines have changed, which are named."""
    text = unpacked(path)
    if text is None:
        return None
    body, _, last = text.removesuffix("\n").rpartition("\n")
    where = f"{path}:{body.count(chr(10)) + 1 + bool(body)}"
    try:
        if not last.startswith("# "):
            raise ValueError("it is not there")
        data = json.loads(last[2:])
        version, tally = str(data.pop("roundsim")), Tally.from_json(data, keys.entry)
        if tail({"roundsim": version, **tally.to_json()}) != last:
            raise ValueError("it has more than is read of it, or is written otherwise")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        words = "too deep" if isinstance(error, RecursionError) else str(error)[:200]
        raise LogError(f"{where}: the tail of the shard is damaged ({words})") from None
    for row, block, seating in zip(tally.rows, range(task.first, task.last + 1), task.seatings, strict=False):
        if row.block != block or row.key != keys(block, seating) or tuple(row.seats) != tuple(seating):
            words = "of another block, or with other seats, seed, limits, rules, options or strategies"
            raise LogError(f"{where}: where block {block} is to come it has one {words}")
    if not 0 < len(tally.rows) <= len(task.seatings):
        raise LogError(f"{where}: it has {len(tally.rows)} blocks, of {len(task.seatings)}")
    blocks, changed = cut(f"{body}\n" if body else "", tally.rows)
    if strict and changed:
        raise LogError(f"{path}: damaged: the lines of block {changed[0]} have changed since they were written")
    return Shard(task, blocks, tally, version, changed)


def cut(text: str, rows: Sequence[Block]) -> tuple[list[list[str]], list[int]]:
    """The lines of each block, and the blocks whose lines are not those that were hashed."""
    blocks, changed, at = [], [], 0
    for row in rows:
        end = text.find(f"\n= {row.block + 1}/", at) + 1 if row is not rows[-1] else len(text)
        if not end:  # the next block does not begin as one
            end = len(text)
        own, at = text[at:end], end
        blocks.append(own.split("\n")[:-1])
        if hash_of(own) != row.hash:
            changed.append(row.block)
    return blocks, changed
