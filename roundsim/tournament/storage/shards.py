"""A shard as a file: the lines of its blocks, and a last line that says what they are.

It is text in a zstandard frame with a checksum. The reader learns whether its blocks are those of the schedule, and
whether its lines are those that were written. Whether they are true, `roundsim verify` finds out."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import zstandard

from ... import files
from ..._version import __version__
from ...errors import FolderError, LogError
from ..planning.plan import Entry, Keys, Task
from ..results.record import Address, nets_of, seated_in, tail
from ..results.totals import FIGURES, BlockLedger, BlockRecord, Extreme, ShardTotals, check_number, keep_extremes

MAX_SHARD_BYTES = 1 << 30  # bytes of a shard, also unpacked
MAX_DENSE_BYTES = 1 << 26  # a shard may unpack to this many bytes at any compression ratio
VERSION = re.compile(r"[\w.+-]{1,64}", re.ASCII)
PIECE, STEP = 1 << 20, 1 << 23  # bytes packed, and unpacked, at a time
DENSEST = 1000  # bytes that one byte of its file may unpack to; lines of deals reach twenty


class Shard(NamedTuple):
    """A shard that was read: its task, the lines of each block, its tally, and the version that played it.

    It also lists the blocks whose lines have changed since they were written."""

    task: Task
    blocks: list[list[str]]
    tally: ShardTotals
    version: str
    changed: list[int]

    @property
    def whole(self) -> bool:
        """Whether all its blocks are there."""
        return len(self.blocks) == self.task.last - self.task.first + 1

    @property
    def length(self) -> int:
        """The number of its lines, without the last."""
        return sum(map(len, self.blocks))


def enter(tally: ShardTotals, block: int, key: str, ledger: BlockLedger, lines: Iterable[bytes]) -> None:
    """Enter a played block with these lines into the tally, as recorded at the end of its shard; add its sums."""
    played, seats = ledger.played(), ledger.seating
    tally.extremes(seats, played)
    figures = {name: getattr(played, name) for name in FIGURES}
    tally.rows.append(BlockRecord(block, key, hash_of(lines), seats, **figures))


def hash_of(pieces: Iterable[bytes]) -> str:
    whole = blake2b(digest_size=8)
    for piece in pieces:
        whole.update(piece)
    return whole.hexdigest()


def shard_bytes(lines: Iterable[bytes], size: int, tally: ShardTotals) -> Iterator[bytes]:
    """Yield the file of a shard in pieces.

    `size`: bytes of its lines. FolderError if it is too long to be read again."""
    last = last_line(tally)
    size += len(last)
    if size > MAX_SHARD_BYTES:
        raise FolderError(f"a shard of {size} bytes is too long: let its sittings have fewer deals")
    chunker = zstandard.ZstdCompressor(level=4, write_checksum=True).chunker(size, PIECE)
    for piece in in_equal_pieces(chain(lines, [last])):
        yield from chunker.compress(piece)
    yield from chunker.finish()  # type: ignore[no-untyped-call]


def last_line(tally: ShardTotals, version: str = __version__) -> bytes:
    """Return the last line of a shard, with the version that played it."""
    return f"{tail({'roundsim': version, **tally.to_json()})}\n".encode()


def in_equal_pieces(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the same bytes in pieces of equal length, so the packed result does not depend on how they arrive."""
    held = bytearray()
    for piece in pieces:
        held += piece
        while len(held) >= PIECE:
            yield bytes(held[:PIECE])
            del held[:PIECE]
    yield bytes(held)


def read_file(path: Path, most: int = MAX_SHARD_BYTES) -> bytes:
    """Return the bytes of a file of a run.

    LogError if it is a link, not a regular file, or larger than `most`; FileNotFoundError."""
    try:
        return files.read_regular_file(path, most, links=False)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise FileNotFoundError(*error.args) from None
    except OSError as error:
        raise LogError(f"{path}: damaged: {error.strerror}") from None


def pieces_of(path: Path) -> Iterator[str]:
    """Yield the text of a shard in pieces of whole lines; nothing if there is none. LogError if it is damaged."""
    held = b""
    try:
        data = read_file(path)
        size = zstandard.frame_content_size(data)
        if not 0 <= size <= min(MAX_SHARD_BYTES, max(MAX_DENSE_BYTES, DENSEST * len(data))):
            raise LogError(f"{path}: damaged: it does not say how long it is, or is too long")
        if size <= MAX_DENSE_BYTES:
            yield zstandard.ZstdDecompressor().decompress(data, allow_extra_data=False).decode()
            return
        reader = zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True)
        while piece := reader.read(STEP):
            whole, newline, held = (held + piece).rpartition(b"\n")
            size -= len(piece)
            if size < 0 or len(held) > MAX_DENSE_BYTES:
                raise LogError(f"{path}: damaged: it is longer than it says, or has a line without end")
            yield (whole + newline).decode()
        if size:
            raise LogError(f"{path}: damaged: it is shorter than it says")
        yield held.decode()
    except FileNotFoundError:
        return
    except (zstandard.ZstdError, UnicodeDecodeError, OSError) as error:
        raise LogError(f"{path}: damaged: {error}") from None


def read_shard(path: Path, task: Task, keys: Keys, strict: bool = True, lines: bool = True) -> Shard | None:
    """Read the shard of a task; None if it is not there. LogError if it is damaged, or another shard.

    If not `strict`, blocks may have changed lines; they are listed. Without `lines`, little of the text is in memory at
    a time."""
    if lines and os.path.isfile(path) and os.path.getsize(path) > MAX_DENSE_BYTES // DENSEST:
        read_shard(
            path, task, keys, strict, lines=False
        )  # it may be this large, so it is checked before it is held in memory
    cutter = Cutter(task.first, lines)
    for piece in pieces_of(path):
        cutter.add(piece)
    if not cutter.some:
        return None
    last, where = cutter.last, f"{path}:{cutter.length + 1}"
    try:
        if not last.startswith("# "):
            raise ValueError("it is not there")
        data = json.loads(last[2:])
        version, tally = check_version(data.pop("roundsim")), ShardTotals.from_json(data, keys.entry)
        if tail({"roundsim": version, **tally.to_json()}) != last:
            raise ValueError("it has more than is read of it, or is written otherwise")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        words = "too deep" if isinstance(error, RecursionError) else str(error)[:200]
        raise LogError(f"{where}: the tail of the shard is damaged ({words})") from None
    for row, block, seating in zip(tally.rows, range(task.first, task.last + 1), task.seatings, strict=False):
        if row.block != block or row.key != keys(block, seating) or tuple(row.seats) != tuple(seating):
            if row.block == block and row.key == keys(block, row.seats) and sorted(row.seats) == sorted(seating):
                words = f"block {block} has its entrants in other seats than this version of roundsim gives them"
                raise LogError(f"{where}: {words} (version {version} played it): play the run again")
            words = "of another block, or with other seats, seed, limits, rules, options or strategies"
            raise LogError(f"{where}: where block {block} is to come it has one {words}")
    if not 0 < len(tally.rows) <= len(task.seatings):
        raise LogError(f"{where}: it has {len(tally.rows)} blocks, of {len(task.seatings)}")
    blocks, changed = cutter.blocks(tally.rows)
    if strict and changed:
        raise LogError(f"{path}: damaged: the lines of block {changed[0]} have changed since they were written")
    return Shard(task, blocks, tally, version, changed)


def check_version(said: Any) -> str:
    """Return a version of roundsim. ValueError for anything else."""
    if not isinstance(said, str) or not VERSION.fullmatch(said):
        raise ValueError(f"roundsim = {said!r:.60}")
    return said


def shard_until(shard: Shard, keys: Keys, last: int) -> tuple[list[bytes], ShardTotals]:
    """Return the lines and the tally of a shard without faults, as if block `last` were its last."""
    count = last - shard.task.first + 1
    lines, tally = (
        [line for block in shard.blocks[:count] for line in block],
        ShardTotals(rows=shard.tally.rows[:count]),
    )
    note_extremes(tally, keys.entry, lines)
    return [f"{line}\n".encode() for line in lines], tally


def note_extremes(tally: ShardTotals, entry: Entry, lines: Iterable[str]) -> None:
    """Enter the best and the worst deals in the lines of blocks without faults. ValueError if these are not deals."""
    entrants, sitting = {label: entrant for entrant, label in enumerate(entry.labels)}, list[int]()
    for line in lines:
        if line.startswith("= "):
            sitting = [entrants[label] for label in seated_in(line.split(" ", 2)[2], entrants)]
        elif Address.parse(f"{entry.name}/{(place := line.split(' ', 1)[0])}").deal is not None:
            nets = [
                (entrant, Extreme(check_number(net), place))
                for entrant, net in zip(sitting, nets_of(line), strict=True)
            ]
            keep_extremes(tally.best, 1, nets)
            keep_extremes(tally.worst, -1, nets)


class Cutter:
    """Cuts the text of a shard into its blocks while it is read: the text of each, if its lines are needed, and the
    hash.

    The last piece is cut only after its last line, which belongs to no block, has been looked at. `count`: lines cut so
    far."""

    def __init__(self, first: int, lines: bool) -> None:
        self.wanted, self.some, self.count, self.piece = lines, False, 0, ""
        self.next, self.texts, self.hashes = first, list[list[str]](), list[Any]()
        self.begin()

    def begin(self) -> None:
        """Begin a block."""
        self.next += 1
        self.texts.append([])
        self.hashes.append(blake2b(digest_size=8))

    def add(self, piece: str) -> None:
        """Add the next whole lines."""
        self.some = True
        if piece:
            self.cut(len(self.piece))
            self.piece = piece

    @property
    def start_of_last(self) -> int:
        return self.piece.rfind("\n", 0, -1) + 1

    @property
    def last(self) -> str:
        """The last line."""
        return self.piece[self.start_of_last :].removesuffix("\n")

    @property
    def length(self) -> int:
        """The number of lines before the last."""
        return self.count + self.piece.count("\n", 0, self.start_of_last)

    def cut(self, end: int) -> None:
        """Cut what has been held back, up to this position."""
        text, at = self.piece, 0
        while at < end:
            if text.startswith(f"= {self.next}/", at):
                self.begin()
            to = text.find(f"\n= {self.next}/", at, end) + 1 or end
            own = text[at:to]
            self.hashes[-1].update(own.encode())
            if self.wanted:
                self.texts[-1].append(own)
            self.count, at = self.count + text.count("\n", at, to), to

    def blocks(self, rows: Sequence[BlockRecord]) -> tuple[list[list[str]], list[int]]:
        """Return the lines of as many blocks as there are rows, and the blocks whose lines do not match their hash."""
        self.cut(self.start_of_last)
        made = [each.hexdigest() for each in self.hashes]
        for more in self.texts[len(rows) :]:  # after the last block there is something that looks like another
            self.texts[len(rows) - 1] += more
            made[len(rows) - 1] = ""
        texts = [*self.texts, *([] for _ in rows)][: len(rows)]
        changed = [row.block for row, hash in zip_longest(rows, made[: len(rows)]) if row.hash != hash]
        return ["".join(each).split("\n")[:-1] for each in texts], changed
