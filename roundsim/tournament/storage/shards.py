"""A shard as a file: an index that says what it is, and then the lines of its blocks.

    skippable frame of zstandard: BLAKE2b of what follows | length of the head | head, as JSON | rows of the blocks
    a frame for each piece: its lines

A command that needs totals reads the index, and hashes the frames without unpacking them. It learns whether the blocks
are those of the schedule, and whether anything has changed since it was written. Whether it is true, `roundsim verify`
finds out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from tempfile import SpooledTemporaryFile, gettempdir
from typing import IO, Any, NamedTuple

import zstandard

from ...base import files
from ...base.errors import FolderError, LogError
from ...base.version import __version__
from ..planning.plan import Entry, Schedule, Seatings, Task
from ..results.packed_rows import Batch, PackedRows, RowShape, numbers_of
from ..results.packing import CHUNK, MAX_SHARD_BYTES, chunks_of, hash_of_packed, in_equal_chunks, unpacked
from ..results.record import Address, nets_of, seated_in
from ..results.totals import Extreme, ShardTotals, check_number, keep_extremes

MAGIC = (0x184D2A50).to_bytes(4, "little")  # of a skippable frame; then come the bytes of the rest
DIGEST = 32  # bytes
MAX_INDEX = 1 << 26  # bytes of an index
PLACES = range(1, 1 << 16)  # in a row
VERSION = re.compile(r"[\w.+-]{1,64}", re.ASCII)
HEAD = {"roundsim", "key", "blocks", "places", "pieces", *ShardTotals().to_json()}
LISTS = {*ShardTotals().to_json(), "blocks", "pieces"}
MUCH = 1 << 23  # bytes of packed lines that are held in memory


class Piece(NamedTuple):
    """A piece of a shard: its blocks, and its lines, packed into `packed` bytes from `at` on in the file.

    `size`: the bytes of its lines, `lines` their number; `above`: those of the pieces before it. `hash`: of the packed
    lines."""

    blocks: range
    at: int
    above: int
    packed: int
    size: int
    lines: int
    hash: str


@dataclass(frozen=True)
class Shard:
    """A shard whose index was read: its task, the blocks that it has, its totals and rows, the version that played
    it. `head`: the JSON of its index."""

    path: Path
    task: Task
    blocks: range
    version: str
    tally: ShardTotals
    rows: PackedRows
    pieces: Sequence[Piece]
    head: bytes

    @property
    def whole(self) -> bool:
        """Whether all its blocks are there."""
        return self.blocks == self.task.blocks

    @property
    def size(self) -> int:
        """The bytes of its file."""
        return self.pieces[-1].at + self.pieces[-1].packed

    def written_as(self, tally: ShardTotals, schedule: Schedule) -> bool:
        """Whether its index is exactly what is written of these totals."""
        rows, pieces = PackedRows.of(tally.rows), [piece[3:] for piece in self.pieces]
        same = (rows.first, rows.shape, numbers_of(tally.rows)) == (
            self.rows.first,
            self.rows.shape,
            self.rows.numbers(),
        )
        return same and self.head == head_bytes(rows, tally, schedule, self.version, pieces)

    def seatings(self, blocks: range) -> Seatings:
        """Return the entrants of some of its blocks, by the word of its rows."""
        seats = [*zip(*Batch(self.rows.shape, self.rows.columns()).seats, strict=True)]
        return seats[blocks.start - self.blocks.start : blocks.stop - self.blocks.start]

    def with_rows(self) -> ShardTotals:
        """Return its totals with its rows."""
        return replace(self.tally, rows=[*self.rows])

    @contextmanager
    def opened(self) -> Iterator[IO[bytes]]:
        """Open it again. LogError if it is not there any more."""
        try:
            with reading(self.path) as file:
                yield file
        except FileNotFoundError:
            raise LogError(f"{self.path} has been taken away") from None

    def text(self, piece: Piece) -> bytes:
        """Return the lines of a piece. LogError."""
        with self.opened() as file:
            file.seek(piece.at)
            data = file.read(piece.packed)
            if hash_of_packed(data).hexdigest() != piece.hash:
                raise ValueError("it has changed while it was read")
            text = unpacked(data, piece.size)
            if text.count(b"\n") != piece.lines or text[-1:] not in (b"\n", b""):
                raise ValueError("it has another number of lines than it says")
            return text

    def lines(self, piece: Piece) -> list[list[str]]:
        """Return the lines of each block of a piece. LogError."""
        text = self.text(piece)
        try:
            return [text[begin:end].decode().split("\n")[:-1] for begin, end in block_bounds(text, piece.blocks)]
        except UnicodeDecodeError as error:
            raise LogError(f"{self.path}: damaged: {error}") from None


def block_bounds(text: bytes, blocks: range) -> Iterator[tuple[int, int]]:
    """Yield where the lines of each block begin and end."""
    at = 0
    for block in blocks:
        begin, at = at, len(text)
        if block + 1 in blocks:
            at = text.find(b"\n= %d/" % (block + 1), max(begin - 1, 0)) + 1 or at
        yield begin, at


class ShardWriter:
    """A shard that is written: its lines, packed piece by piece, and then its index before them.

    `folder`: where long ones are kept meanwhile."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self.frames: IO[bytes] = SpooledTemporaryFile(MUCH, dir=str(folder) if folder else None)  # noqa: SIM115 - `file` closes it
        self.pieces: list[list[Any]] = []

    def add(self, lines: Iterable[bytes], size: int) -> None:
        """Add a piece with these lines, of `size` bytes. FolderError if it is too long to be read again."""
        if size > MAX_SHARD_BYTES:
            raise FolderError(f"a piece of a shard of {size} bytes is too long: let its sittings have fewer deals")
        chunker: Any = zstandard.ZstdCompressor(level=4, write_checksum=True).chunker(size, CHUNK)
        count, packed, digest = 0, 0, hash_of_packed()
        for chunk in in_equal_chunks(lines):
            count += chunk.count(b"\n")
            packed += self.put(chunker.compress(chunk), digest)
        packed += self.put(chunker.finish(), digest)
        self.pieces.append([packed, size, count, digest.hexdigest()])

    def copy(self, shard: Shard) -> None:
        """Add the pieces of another shard. LogError."""
        with shard.opened() as file:
            for piece in shard.pieces:
                digest = hash_of_packed()
                file.seek(piece.at)
                self.put(chunks_of(file, piece.packed), digest)
                if digest.hexdigest() != piece.hash:
                    raise ValueError("it has changed while it was read")
                self.pieces.append([piece.packed, piece.size, piece.lines, piece.hash])

    def put(self, chunks: Iterable[bytes], digest: Any) -> int:
        size = 0
        for chunk in chunks:
            digest.update(chunk)
            try:
                size += self.frames.write(chunk)
            except OSError as error:
                raise FolderError(f"cannot write in {self.folder or gettempdir()}: {error.strerror}") from None
        return size

    def file(self, tally: ShardTotals, schedule: Schedule, version: str = __version__) -> Iterator[bytes]:
        """Yield the file of the shard, chunk by chunk."""
        yield index_bytes(tally, schedule, version, self.pieces)
        self.frames.seek(0)
        yield from iter(lambda: self.frames.read(CHUNK), b"")
        self.frames.close()


def index_bytes(tally: ShardTotals, schedule: Schedule, version: str, pieces: Sequence[Sequence[Any]]) -> bytes:
    """Return the index of a shard. `pieces`: of each the packed bytes, the bytes, the lines, and the hash."""
    rows = PackedRows.of(tally.rows)
    packed = zstandard.compress(head_bytes(rows, tally, schedule, version, pieces))
    rest = number_bytes(len(packed)) + packed + rows.data
    return MAGIC + number_bytes(DIGEST + len(rest)) + blake2b(rest, digest_size=DIGEST).digest() + rest


def head_bytes(
    rows: PackedRows, tally: ShardTotals, schedule: Schedule, version: str, pieces: Sequence[Sequence[Any]]
) -> bytes:
    """Return the head of an index."""
    blocks = range(rows.first, rows.first + rows.count)
    head = {
        "roundsim": version,
        "key": schedule.shard_key(blocks),
        "blocks": [blocks[0], blocks[-1]],
        "places": rows.shape.places,
        "pieces": pieces,
        **tally.to_json(),
    }
    return json.dumps(head, separators=(",", ":")).encode()


def number_bytes(number: int) -> bytes:
    return number.to_bytes(4, "little")


def read_file(path: Path, most: int = MAX_SHARD_BYTES) -> bytes:
    """Return the bytes of a file of a run.

    LogError if it is a link, not a regular file, or larger than `most`; FileNotFoundError."""
    try:
        return files.read_regular_file(path, most, links=False)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise FileNotFoundError(*error.args) from None
    except OSError as error:
        raise LogError(f"{path}: damaged: {error.strerror}") from None


@contextmanager
def reading(path: Path) -> Iterator[IO[bytes]]:
    """Open a shard, and turn errors of its content into LogError. FileNotFoundError if it is not there."""
    try:
        with files.opened(path, MAX_SHARD_BYTES, links=False) as file:
            yield file
    except (FileNotFoundError, NotADirectoryError) as error:
        raise FileNotFoundError(*error.args) from None
    except OSError as error:
        raise LogError(f"{path}: damaged: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, LogError):
            raise
        problem = "too deep" if isinstance(error, RecursionError) else str(error)[:200]
        raise LogError(f"{path}: damaged: {problem}") from None


def read_shard(path: Path, task: Task, schedule: Schedule, bare: bool = False) -> Shard | None:
    """Read the index of the shard of a task, and check all its bytes; None if it is not there. `bare`: its file has the
    index alone.

    LogError if it is damaged, or another shard."""
    try:
        with reading(path) as file:
            return shard_in(file, path, task, schedule, bare)
    except FileNotFoundError:
        return None


def shard_in(file: IO[bytes], path: Path, task: Task, schedule: Schedule, bare: bool = False) -> Shard:
    """Read an open shard. ValueError and others if it is damaged; LogError if it is another one."""
    entry = schedule.entry
    text, rows, at = index_in(file)
    head = head_of_json(text)
    version, blocks = check_version(head.pop("roundsim")), blocks_of_json(head.pop("blocks"))
    if blocks.start != task.first or not blocks.stop <= task.blocks.stop or head["key"] != schedule.shard_key(blocks):
        problem = "of another block, or with another seed, limits, rules, options or strategies"
        raise LogError(
            f"{path}: where block {task.first} is to come it has one {problem} (version {version} played it)"
        )
    shape = row_shape(entry, check_number(head["places"], PLACES))
    packed = PackedRows(blocks.start, len(blocks), shape, rows)
    columns = packed.check(len(entry.strategies))
    entry.format.check_rows(entry, columns)
    if version != __version__:
        check_seats(path, packed, schedule, version)
    pieces = pieces_of_json(head["pieces"], [*entry.pieces(blocks)], at)
    if sum(columns.deals) > sum(piece.lines for piece in pieces):
        raise ValueError("rows of more deals than there are lines")
    for piece in pieces if not bare else ():
        digest = hash_of_packed()
        for chunk in chunks_of(file, piece.packed):
            digest.update(chunk)
        if digest.hexdigest() != piece.hash:
            first, last = piece.blocks[0], piece.blocks[-1]
            raise ValueError(f"the lines of blocks {first} to {last} have changed since they were written")
    if file.read(1):
        raise ValueError("it is longer than it says")
    return Shard(path, task, blocks, version, ShardTotals.from_json(head, len(blocks), entry), packed, pieces, text)


def row_shape(entry: Entry, places: int) -> RowShape:
    """Return the shape of the rows of an entry, for blocks with this number of places."""
    format = entry.format
    by_deals = (places * (places - 1) // 2, places) if format.by_deals else (0, 0)
    return RowShape(places, len(format.measures), *by_deals, format.extra_numbers(places))


def check_seats(path: Path, rows: PackedRows, schedule: Schedule, version: str) -> None:
    """LogError if another version of roundsim has seated the entrants otherwise."""
    for row, seating in zip(rows, schedule.seatings(range(rows.first, rows.first + rows.count)), strict=True):
        if tuple(row.seats) != seating:
            problem = f"block {row.block} has its entrants in other seats than this version of roundsim gives them"
            raise LogError(f"{path}: {problem} (version {version} played it): play the run again")


def index_in(file: IO[bytes]) -> tuple[bytes, bytes, int]:
    """Read the index of a shard: the text of its head, its packed rows, and where the frames begin. ValueError."""
    start = file.read(8)
    size = int.from_bytes(start[4:], "little")
    if start[:4] != MAGIC or not DIGEST + 4 < size <= MAX_INDEX:
        raise ValueError("it does not begin with the index of a shard")
    index = file.read(size)
    digest, rest = index[:DIGEST], index[DIGEST:]
    if len(index) < size or blake2b(rest, digest_size=DIGEST).digest() != digest:
        raise ValueError("its index has changed since it was written")
    end = 4 + int.from_bytes(rest[:4], "little")
    return unpacked(rest[4:end]), rest[end:], len(start) + size


def head_of_json(text: bytes) -> dict[str, Any]:
    head = json.loads(text)
    if type(head) is not dict or head.keys() != HEAD or {type(head[key]) for key in LISTS} != {list}:
        raise ValueError("its index has other keys, or values of other types")
    return head


def blocks_of_json(data: Any) -> range:
    first, last = data
    return range(check_number(first), check_number(last) + 1)


def pieces_of_json(data: Any, planned: Sequence[range], at: int) -> list[Piece]:
    """Return the pieces of a shard whose frames begin at a byte. ValueError if they are not as planned."""
    made, above = list[Piece](), 0
    for blocks, (packed, size, lines, digest) in zip(planned, data, strict=True):
        for number, most in (packed, MAX_SHARD_BYTES), (size, MAX_SHARD_BYTES), (lines, size):
            check_number(number, range(most + 1))
        made.append(Piece(blocks, at, above, packed, size, lines, digest))
        at, above = at + packed, above + lines
    return made


def check_version(version: Any) -> str:
    """Return a version of roundsim. ValueError for anything else."""
    if not isinstance(version, str) or not VERSION.fullmatch(version):
        raise ValueError(f"roundsim = {version!r:.60}")
    return version


def joined(pieces: Sequence[Shard], schedule: Schedule) -> Iterator[bytes]:
    """Yield the file of a shard of these pieces, each a shard of its own. LogError."""
    writer = ShardWriter(pieces[0].path.parent)
    for piece in pieces:
        writer.copy(piece)
    return writer.file(ShardTotals.of_pieces(piece.with_rows() for piece in pieces), schedule)


def packed_again(shard: Shard, schedule: Schedule) -> Iterator[bytes]:
    """Yield the file of a shard, packed by the packer that is here. LogError."""
    writer = ShardWriter()
    for piece in shard.pieces:
        writer.add([shard.text(piece)], piece.size)
    return writer.file(shard.with_rows(), schedule, shard.version)


def shard_until(shard: Shard, schedule: Schedule, last: int) -> Iterator[bytes]:
    """Yield the file of a shard without faults, as if block `last` were its last. LogError."""
    writer, tally = ShardWriter(), ShardTotals(rows=[row for row in shard.rows if row.block <= last])
    for piece in shard.pieces:
        if piece.blocks.start <= last:
            lines = [line for block in shard.lines(piece)[: last + 1 - piece.blocks.start] for line in block]
            note_extremes(tally, schedule.entry, lines)
            data = [f"{line}\n".encode() for line in lines]
            writer.add(data, sum(map(len, data)))
    tally.sum_up(schedule.entry)
    return writer.file(tally, schedule, shard.version)


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
