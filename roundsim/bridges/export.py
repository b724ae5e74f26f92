"""`roundsim export`: a run as a table for other tools, as Parquet, Arrow or csv.

Each shard is its own row group or record batch, so only the rows of one shard are in memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import FolderError, InputError, PluginError, did_you_mean
from ..files import TEXT
from ..replaying.logged import entries_called
from ..tournament.storage.folder import RunFolder
from ..tournament.storage.shards import read_file
from ..tournament.storage.writing import clear_left, write_aside
from ..words import in_csv
from .rows import COLUMNS, ExportRow, batches, column_words


class Exported(NamedTuple):
    """The file that was written, its number of rows, and how many shards the run still lacks."""

    path: Path
    rows: int
    missing: int


class Sheet(NamedTuple):
    """A table to write: its columns with their kinds, and the words of those that have few.

    It also has the text of `run.toml`, and the rows of shard after shard."""

    columns: dict[str, str]
    words: dict[str, list[str]]
    about: bytes
    batches: Iterator[list[ExportRow]]


def export_run(
    folder: RunFolder,
    to: str,
    what: str = "deals",
    out: Path = Path(),
    game: str | None = None,
    force: bool = False,
    tell: Callable[[int, int], object] = lambda done, total: None,
) -> Exported:
    """Write a table of a run, or of one game of it, as `what`.`to` into a folder.

    `tell` is given how many shards are done, and their total. InputError; LogError if it is not a run, PluginError
    without pyarrow, FolderError if the file exists already."""
    check_choice(to, FORMS, "format")
    check_choice(what, COLUMNS, "table")
    tournament = folder.tournament()
    numbers = entries_called(tournament, game)
    entries, pieces = [tournament.entries[number] for number in numbers], FORMS[to]
    due = sum(entry.shard_count for entry in entries) + (tournament.shards_to_come if game is None else 0)
    total, done, rows, whole = sum(len(folder.firsts(entry)) for entry in entries), 0, 0, 0

    def counted(shard: tuple[list[ExportRow], bool]) -> list[ExportRow]:
        nonlocal done, rows, whole
        done, rows, whole = done + 1, rows + len(shard[0]), whole + shard[1]
        tell(done, total)
        return shard[0]

    shards, about = batches(folder, tournament, numbers, what), read_file(folder.path / "run.toml", TEXT)
    data = pieces(Sheet(COLUMNS[what], column_words(entries), about, map(counted, shards)))
    path = out / f"{what}.{to}"
    make_room(path, force)
    clear_left(out, [f"{what}.{to}" for what in COLUMNS for to in FORMS])
    write_aside(path, data)
    return Exported(path, rows, due - whole)


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


# The bytes of a file, piece by piece, in each format.


def write_csv(table: Sheet) -> Iterator[bytes]:
    """Yield the names of the columns, then a line for each row; a missing value is empty."""
    yield in_lines([tuple(table.columns)])
    yield from map(in_lines, table.batches)


def in_lines(rows: Iterable[ExportRow]) -> bytes:
    return in_csv(rows).encode()


def write_parquet(table: Sheet) -> Iterator[bytes]:
    """Yield a row group for each shard; PluginError without pyarrow."""
    pyarrow, parquet = imported("pyarrow"), imported("pyarrow.parquet")
    open_file = partial(parquet.ParquetWriter, compression="zstd")
    return arrow_table(table, open_file, action=pyarrow.dictionary(pyarrow.int32(), pyarrow.string()))


def write_arrow(table: Sheet) -> Iterator[bytes]:
    """Yield a record batch for each shard, uncompressed, so that the file can be mapped; PluginError without pyarrow.

    Its dictionaries must be complete with the first batch. Actions are not known then, so they are texts."""
    pyarrow = imported("pyarrow")
    return arrow_table(table, pyarrow.ipc.new_file, action=pyarrow.string())


def imported(module: str) -> Any:
    """Return a module of pyarrow."""
    try:
        return import_module(module)
    except ImportError as error:
        raise PluginError(f"this needs pyarrow ({error}): pip install 'roundsim[export]'; csv needs nothing") from None


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


def arrow_table(table: Sheet, open_file: Callable[[Pieces, Any], Any], action: Any) -> Iterator[bytes]:
    """Yield the bytes that pyarrow makes of a table. `action`: the type of an action."""
    pyarrow, sink = imported("pyarrow"), Pieces()
    schema = schema_of(table, action)
    words = [
        pyarrow.array(table.words[name], pyarrow.string()) if name in table.words else None for name in schema.names
    ]

    def record(rows: list[ExportRow]) -> Any:  # a function, so no rows are held while the next ones are made
        columns = zip(schema.types, zip(*rows, strict=True), words, strict=True)
        return pyarrow.record_batch([column(*each) for each in columns], schema=schema)

    with open_file(sink, schema) as file:
        for batch in map(record, filter(None, table.batches)):
            file.write_batch(batch)
            yield sink.taken()
    yield sink.taken()


def schema_of(table: Sheet, action: Any) -> Any:
    """Return its columns and their types, with the text of `run.toml` under that name."""
    pyarrow = imported("pyarrow")
    text, number, long = pyarrow.string(), pyarrow.int32(), pyarrow.int64()
    types = {"number": number, "long": long, "word": pyarrow.dictionary(number, text), "action": action, "text": text}
    fields = [(name, types[kind]) for name, kind in table.columns.items()]
    return pyarrow.schema(fields, metadata={"run.toml": table.about})


def column(kind: Any, values: Sequence[Any], words: Any) -> Any:
    """Return a column of a batch.

    Its dictionary is the words it may contain or, if they are not known, those it contains."""
    pyarrow = imported("pyarrow")
    if not pyarrow.types.is_dictionary(kind):
        return pyarrow.array(values, kind)
    texts = pyarrow.array(values, kind.value_type)
    if words is None:
        return texts.dictionary_encode()
    return pyarrow.DictionaryArray.from_arrays(imported("pyarrow.compute").index_in(texts, words), words)


FORMS: dict[str, Callable[[Sheet], Iterator[bytes]]] = {
    "parquet": write_parquet,
    "arrow": write_arrow,
    "csv": write_csv,
}
