"""Compressed data of a run: packed in chunks, and unpacked within limits, whatever its author claims."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import IO, Any

import zstandard

MAX_SHARD_BYTES = 1 << 30  # bytes of a shard, and of a piece of it unpacked
MAX_DENSE_BYTES = 1 << 26  # a frame may unpack to this many bytes at any compression ratio
DENSEST = 1000  # bytes that one byte may unpack to in a larger frame; lines of deals reach twenty
CHUNK = 1 << 20  # bytes that are packed, copied and hashed at a time
STEP = 1 << 23  # bytes of a larger frame that are unpacked at a time


def unpacked(data: bytes, size: int | None = None) -> bytes:
    """Return the content of one frame, with `size` bytes if that is given. ValueError if it is damaged, or too large.

    No more memory is taken than the content has."""
    try:
        declared = zstandard.frame_content_size(data) if data else -1
        large = declared > MAX_DENSE_BYTES
        if (
            declared < 0
            or size not in (None, declared)
            or large
            and declared > min(MAX_SHARD_BYTES, DENSEST * len(data))
        ):
            raise ValueError("it does not say how long it is, or is too long")
        if not large:
            return zstandard.ZstdDecompressor().decompress(data, allow_extra_data=False)
        reader, held = zstandard.ZstdDecompressor().stream_reader(data, read_across_frames=True), bytearray()
        while len(held) <= declared and (more := reader.read(STEP)):
            held += more
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from None
    if len(held) != declared:
        raise ValueError("it is not as long as it says")
    return bytes(held)


def hash_of_packed(data: bytes = b"") -> Any:
    return blake2b(data, digest_size=16)


def in_equal_chunks(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the same bytes in chunks of equal length, so the packed result does not depend on how they arrive."""
    held = bytearray()
    for piece in pieces:
        held += piece
        while len(held) >= CHUNK:
            yield bytes(held[:CHUNK])
            del held[:CHUNK]
    yield bytes(held)


def chunks_of(file: IO[bytes], size: int) -> Iterator[bytes]:
    """Yield the next bytes of a file. ValueError if there are fewer."""
    while size:
        chunk = file.read(min(size, CHUNK))
        if not chunk:
            raise ValueError("it is cut off")
        size -= len(chunk)
        yield chunk
