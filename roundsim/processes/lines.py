"""The messages from processes that run strategies: lines of JSON, which are data and nothing else."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from typing import Any

from ..base import errors
from ..base.errors import BugError, RoundsimError

MOST = 1 << 22  # bytes of a line


def send(handle: int, message: dict[str, Any]) -> None:
    """Send a message; BrokenPipeError if nobody reads it."""
    line = json.dumps(message).encode() + b"\n"
    while line:
        line = line[os.write(handle, line) :]


class LineReader:
    """The lines that come through a pipe. Reading never waits for the rest of an incomplete line."""

    def __init__(self, handle: int) -> None:
        self.handle, self.kept, self.ended = handle, b"", False

    @property
    def ready(self) -> bool:
        """Whether a whole line has come already."""
        return b"\n" in self.kept

    def read(self) -> dict[str, Any] | None:
        """Return what there is to read, once there is something: the data of a whole line, {} as long as it has not
        ended. None at the end of the pipe, and for a line that is not ours."""
        came = b""
        with suppress(OSError):
            came = os.read(self.handle, 1 << 16)
        self.kept, self.ended = self.kept + came, not came
        return self.line()

    def line(self) -> dict[str, Any] | None:
        """Return the same for what has been read already."""
        line, whole, rest = self.kept.partition(b"\n")
        if not whole:
            return None if self.ended or len(self.kept) > MOST else {}
        self.kept = rest
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return None
        return message if isinstance(message, dict) and message else None


def error_to_json(error: RoundsimError) -> dict[str, Any]:
    """Return an error as data, to be raised on the other side."""
    script = error.script if isinstance(error, BugError) else ""
    return {"error": type(error).__name__, "words": str(error)[: MOST // 16], "script": script[: MOST // 16]}


def error_from_json(message: dict[str, Any]) -> RoundsimError:
    """Return the error that was sent; a BugError for one that is not ours."""
    name, text, script = (writable_text(message.get(key)) for key in ("error", "words", "script"))
    kind = getattr(errors, name, None)
    if not isinstance(kind, type) or not issubclass(kind, RoundsimError):
        return BugError(f"a worker said {name!r:.200}")
    return BugError(text, script) if kind is BugError else kind.__new__(kind, text)  # its words are made already


def writable_text(thing: object) -> str:
    """Return a text that can be written; "" for anything else."""
    return thing.encode(errors="replace").decode() if isinstance(thing, str) else ""
