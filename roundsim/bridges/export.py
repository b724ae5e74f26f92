"""`roundsim export`: a run as a table for other tools, as Parquet, Arrow or csv.

Several processes make the rows, each of a range of shards; this one joins them in order, in groups of equal size. So the
file has the same bytes on any number of processes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from ..base.errors import FolderError, InputError, LogError, did_you_mean
from ..base.extras import without_extra
from ..base.files import TEXT
from ..base.text import in_csv
from ..processes.pool import run_in_order
from ..processes.start import cores
from ..replaying.logged import entries_called
from ..tournament.planning.plan import Schedule, Tournament
from ..tournament.storage.folder import RunFolder
from ..tournament.storage.shards import read_file
from ..tournament.storage.writing import clear_left, write_aside
from .rows import COLUMNS, ExportRow, batches, column_dictionaries

SCHEMA = 1  # raised if a column changes or goes
GROUP = 250_000  # rows of a row group, or of a record batch
RANGE = 16  # shards that a process reads in a row
Range = tuple[int, list[int]]  # the number of an entry, and the first blocks of shards of it


class Exported(NamedTuple):
    """The file that was written, its number of rows, and how many shards the run still lacks."""

    path: Path
    rows: int
    missing: int


class Sheet(NamedTuple):
    """A table to write: its columns with their kinds, the words of those that have few, and the text of `run.toml`."""

    columns: dict[str, str]
    words: dict[str, list[str]]
    about: bytes


class ExportPart(NamedTuple):
    """The rows of a piece of a shard, packed for the process that writes the file, and their number.

    `whole`: with the last piece of a shard, whether that is whole, else None."""

    packed: bytes
    rows: int
    whole: bool | None


class Form(NamedTuple):
    """A format: how any process packs rows, and how one makes a file of what is packed, piece by piece."""

    pack: Callable[[Sheet, list[ExportRow]], bytes]
    join: Callable[[Sheet, Iterable[bytes]], Iterator[bytes]]


def export_run(
    folder: RunFolder,
    to: str,
    what: str = "deals",
    out: Path = Path(),
    game: str | None = None,
    force: bool = False,
    tell: Callable[[int, int], object] = lambda done, total: None,
    jobs: int | None = None,
) -> Exported:
    """Write a table of a run, or of one game of it, as `what`.`to` into a folder, on `jobs` processes.

    `tell` is given how many shards are done, and their total. InputError; LogError if it is not a run, PluginError
    without pyarrow, FolderError if the file exists already."""
    check_choice(to, FORMS, "format")
    check_choice(what, COLUMNS, "table")
    if out.suffix[1:] in FORMS and not out.is_dir():
        raise InputError(f"{out} would be a folder: name one to write {what}.{to} into, as {out.with_suffix('')}")
    tournament = folder.tournament()
    numbers = entries_called(tournament, game)
    entries = [tournament.entries[number] for number in numbers]
    due = sum(entry.shard_count for entry in entries) + (tournament.shards_to_come if game is None else 0)
    sheet = Sheet(COLUMNS[what], column_dictionaries(entries), read_file(folder.path / "run.toml", TEXT))
    ranges = [shards for number in numbers for shards in ranges_of(folder, tournament, number)]
    progress = ExportProgress(tell, sum(len(firsts) for _, firsts in ranges))
    make = partial(make_parts, tournament, folder.path, what, to, sheet)
    made = run_in_order(make, ranges, min(jobs or cores(), max(1, len(ranges))))
    parts = chain.from_iterable(map(unless_damaged, made))
    data, path = FORMS[to].join(sheet, map(progress.count, parts)), out / f"{what}.{to}"
    make_room(path, force)
    clear_left(out, [f"{what}.{to}" for what in COLUMNS for to in FORMS])
    write_aside(path, data)
    return Exported(path, progress.rows, due - progress.whole)


@dataclass
class ExportProgress:
    """How much is written: shards, how many of them are whole, and rows."""

    tell: Callable[[int, int], object]
    total: int
    shards: int = 0
    whole: int = 0
    rows: int = 0

    def count(self, part: ExportPart) -> bytes:
        self.shards, self.whole = self.shards + (part.whole is not None), self.whole + bool(part.whole)
        self.rows += part.rows
        self.tell(self.shards, self.total)
        return part.packed


def ranges_of(folder: RunFolder, tournament: Tournament, number: int) -> Iterator[Range]:
    """Yield the shards of an entry that are there, in ranges for one process each."""
    firsts = folder.firsts(tournament.entries[number])
    for at in range(0, len(firsts), RANGE):
        yield number, firsts[at : at + RANGE]


def make_parts(
    tournament: Tournament, path: Path, what: str, to: str, sheet: Sheet, shards: Range
) -> list[ExportPart] | LogError:
    """Return the parts of a range of shards. An error is returned: raised in another process it would be a bug."""

    def part(piece: tuple[list[ExportRow], bool | None]) -> ExportPart:
        rows, whole = piece
        return ExportPart(FORMS[to].pack(sheet, rows), len(rows), whole)

    number, firsts = shards
    try:  # `map`, so no rows are held while the next ones are made
        return [*map(part, batches(RunFolder(path), Schedule(tournament, number), firsts, what))]
    except LogError as error:
        return error


def unless_damaged(parts: list[ExportPart] | LogError) -> list[ExportPart]:
    if isinstance(parts, LogError):
        raise parts
    return parts


def check_choice(name: str, names: Collection[str], thing: str) -> None:
    """Raise InputError for a name that is none of these."""
    if name not in names:
        raise InputError(f"no {thing} {name!r}{did_you_mean(name, names)}: {', '.join(names)}")


def make_room(path: Path, force: bool) -> None:
    """Create the folder of a file. FolderError if the file exists, unless it is to be replaced."""
    if path.exists() and not (force and path.is_file()):
        raise FolderError(f"{path} is there already" + "; --force replaces it" * path.is_file())
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FolderError(f"cannot write {path}: {error.strerror}") from None


def imported(module: str) -> Any:
    """Return a module of pyarrow."""
    try:
        return import_module(module)
    except ImportError as error:
        raise without_extra("this, unlike csv,", "pyarrow", error, "export") from None


# csv: lines.


def pack_csv(sheet: Sheet, rows: Iterable[ExportRow]) -> bytes:
    """Return a line for each row; a missing value is empty."""
    return in_csv(rows).encode()


def join_csv(sheet: Sheet, parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the names of the columns, then the lines."""
    yield pack_csv(sheet, [tuple(sheet.columns)])
    yield from parts


# Parquet and Arrow: record batches, packed as streams of Arrow.


def pack_batch(sheet: Sheet, rows: list[ExportRow]) -> bytes:
    """Return the rows as a stream of one batch. Its actions are texts."""
    pyarrow, schema = imported("pyarrow"), schema_of(sheet)
    dictionaries = [
        pyarrow.array(sheet.words[name], pyarrow.string()) if name in sheet.words else None for name in schema.names
    ]
    values = zip(*rows, strict=True) if rows else ([] for _ in schema)
    columns = [column(*parts) for parts in zip(schema.types, values, dictionaries, strict=True)]
    packed, options = pyarrow.BufferOutputStream(), pyarrow.ipc.IpcWriteOptions(compression="zstd")
    with pyarrow.ipc.new_stream(packed, schema, options=options) as stream:
        stream.write_batch(pyarrow.record_batch(columns, schema=schema))
    return bytes(packed.getvalue())


def schema_of(sheet: Sheet) -> Any:
    """Return its columns and their types, with the text of `run.toml` under that name, and the number of the schema."""
    pyarrow = imported("pyarrow")
    text, number, long = pyarrow.string(), pyarrow.int32(), pyarrow.int64()
    types = {"number": number, "long": long, "word": pyarrow.dictionary(number, text), "action": text, "text": text}
    fields = [(name, types[kind]) for name, kind in sheet.columns.items()]
    return pyarrow.schema(fields, metadata={"run.toml": sheet.about, "schema": str(SCHEMA)})


def column(kind: Any, values: Sequence[Any], dictionary: Any) -> Any:
    """Return a column of a batch. `words`: the dictionary of a column that has one."""
    pyarrow = imported("pyarrow")
    if dictionary is None:
        return pyarrow.array(values, kind)
    texts = pyarrow.array(values, kind.value_type)
    return pyarrow.DictionaryArray.from_arrays(imported("pyarrow.compute").index_in(texts, dictionary), dictionary)


def join_parquet(sheet: Sheet, parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the file, a row group for each GROUP of rows. Each has a dictionary of its actions. PluginError."""
    parquet, schema = imported("pyarrow.parquet"), schema_of(sheet)
    for at, kind in enumerate(sheet.columns.values()):
        if kind == "action":
            dictionary = schema.field("strategy").type
            schema = schema.set(at, schema.field(at).with_type(dictionary))
    return written_by_pyarrow(parts, schema, partial(parquet.ParquetWriter, compression="zstd"))


def join_arrow(sheet: Sheet, parts: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the file, a record batch for each GROUP of rows, uncompressed, so that it can be mapped. PluginError.

    Its dictionaries must be complete with the first batch, and actions are not known then, so they stay texts."""
    return written_by_pyarrow(parts, schema_of(sheet), imported("pyarrow").ipc.new_file)


class Pieces:
    """A file for pyarrow to write to; its bytes are taken as they come."""

    closed = False

    def __init__(self) -> None:
        self.held: list[bytes] = []

    def write(self, data: Any) -> int:
        self.held.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Do nothing: no bytes are held back."""

    def taken(self) -> bytes:
        data = b"".join(self.held)
        self.held.clear()
        return data


def written_by_pyarrow(parts: Iterable[bytes], schema: Any, open_file: Callable[[Pieces, Any], Any]) -> Iterator[bytes]:
    """Yield the bytes that pyarrow writes for packed batches."""
    sink = Pieces()
    with open_file(sink, schema) as file:
        for batch in in_groups(parts, schema):
            file.write_batch(batch)
            yield sink.taken()
    yield sink.taken()


def in_groups(parts: Iterable[bytes], schema: Any) -> Iterator[Any]:
    """Yield batches of GROUP rows, the last one of what is left."""
    pyarrow = imported("pyarrow")
    held: list[Any] = []
    for part in parts:
        held += pyarrow.ipc.open_stream(part)
        while sum(batch.num_rows for batch in held) >= GROUP:
            table = pyarrow.Table.from_batches(held)
            yield as_batch(table.slice(0, GROUP), schema)
            held = table.slice(GROUP).to_batches()
    if any(batch.num_rows for batch in held):
        yield as_batch(pyarrow.Table.from_batches(held), schema)


def as_batch(table: Any, schema: Any) -> Any:
    """Return a table as one batch; the actions in a dictionary, if the schema has them so."""
    for at, (kind, wanted) in enumerate(zip(table.schema.types, schema.types, strict=True)):
        if kind != wanted:
            table = table.set_column(at, schema.field(at), table.column(at).combine_chunks().dictionary_encode())
    (batch,) = table.combine_chunks().to_batches()
    return batch.replace_schema_metadata(schema.metadata)


FORMS = {
    "parquet": Form(pack_batch, join_parquet),
    "arrow": Form(pack_batch, join_arrow),
    "csv": Form(pack_csv, join_csv),
}
