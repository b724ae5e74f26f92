"""Shards as text, and text as shards: what tests read of a shard, and what they forge."""

from __future__ import annotations

import json
from hashlib import blake2b
from pathlib import Path
from typing import Any

import zstandard

from roundsim.tournament.results.packed_rows import PackedRows, RowShape
from roundsim.tournament.results.packing import hash_of_packed
from roundsim.tournament.results.totals import BlockRecord
from roundsim.tournament.storage.shards import DIGEST, MAGIC, index_in

Rows = list[list[Any]]


def parts_of(shard: Path) -> tuple[str, Rows, bytes]:
    """The head of a shard's index, its rows, as `rows_in`, and its lines."""
    with shard.open("rb") as file:
        head, rows, _ = index_in(file)
        data = json.loads(head)
        lines = b"".join(zstandard.decompress(file.read(packed)) for packed, *_ in data["pieces"])
    return head.decode(), rows_in(data, rows), lines


def rows_in(head: Any, packed: bytes) -> Rows:
    """Rows: block, seats, deals, decisions, values, ahead, from the dealer, squares, extra."""
    first, last = head["blocks"]
    places, measures, count = head["places"], len({measure for measure, *_ in head["sums"]}), last + 1 - first
    more = len(zstandard.decompress(packed)) // 8 // count - 4 - places * (1 + measures)
    by_deals = places * (places - 1) // 2, places
    ahead, from_dealer = by_deals if more == sum(by_deals) else (0, 0)  # of a shadow there are 5 extra a place
    shape = RowShape(places, measures, ahead, from_dealer, more - ahead - from_dealer)
    return [list(row) for row in PackedRows(first, count, shape, packed)]


def text_of(shard: Path) -> str:
    """The lines of a shard, and then its head and its rows as a last line."""
    head, rows, lines = parts_of(shard)
    return f"{lines.decode()}# {compact({**json.loads(head), 'rows': rows})}\n"


def write_text(shard: Path, text: str) -> None:
    """Write a shard of one piece whose text has changed; the hashes are made again."""
    *lines, last = text.removesuffix("\n").split("\n")
    head = json.loads(last.removeprefix("# "))
    rows = head.pop("rows")
    write_parts(shard, compact(head), rows, "".join(f"{line}\n" for line in lines).encode())


def write_parts(shard: Path, head: str, rows: Rows, lines: bytes, rehashed: bool = True) -> None:
    """Write a shard of one piece of any head, rows and lines; what its head says of the packed lines is right, except
    for the hash if that is not made again."""
    there = json.loads(parts_of(shard)[0])["pieces"]
    frame = zstandard.compress(lines)
    digest = hash_of_packed(frame).hexdigest() if rehashed else there[0][3]
    here = [[len(frame), len(lines), lines.count(b"\n"), digest]]
    head = head.replace(f'"pieces":{compact(there)}', f'"pieces":{compact(here)}')
    packed = PackedRows.of([BlockRecord(*row) for row in rows]).data if rows else b""
    shard.write_bytes(index_of(head.encode(), packed) + frame)


def index_of(head: bytes, rows: bytes) -> bytes:
    """The index of a shard, whose hash is right."""
    packed = zstandard.compress(head)
    rest = len(packed).to_bytes(4, "little") + packed + rows
    digest = blake2b(rest, digest_size=DIGEST).digest()
    return MAGIC + (DIGEST + len(rest)).to_bytes(4, "little") + digest + rest


def compact(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"))
