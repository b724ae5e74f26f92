"""The standard streams of a command: none is ever closed, and a reader that leaves ends nothing."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO, cast

from .errors import FolderError, clean

GONE = "the current folder is not there any more: change to another one"
lost: dict[int, OSError] = {}  # the descriptors that cannot be written any more, and why


class Output(io.FileIO):
    """Standard output or error. Once it cannot be written any more, all further output is discarded."""

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            lost[self.fileno()] = error
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self.fileno())
            os.close(nowhere)
            return len(data)


class Clean:
    """A text stream of a command. It cleans everything that is written, including text of third-party files and
    strategies.

    `unchecked`: the stream itself, for control sequences and workflow commands of our own."""

    def __init__(self, unchecked: TextIO) -> None:
        self.unchecked = unchecked

    def write(self, text: str) -> int:
        try:
            self.unchecked.write(clean(text))
        except UnicodeEncodeError as error:  # a stream of our caller's
            self.unchecked.write(clean(text).encode(error.encoding, "backslashreplace").decode(error.encoding))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        self.write("".join(lines))

    @property
    def encoding(self) -> str:
        """UTF-8: with any other, Click would write past us to the buffer of the stream."""
        return "utf-8"

    def __getattr__(self, name: str) -> Any:
        return getattr(self.unchecked, name)


def unchecked(stream: TextIO) -> TextIO:
    """Return the stream on which our own text is not cleaned."""
    return cast(TextIO, getattr(stream, "unchecked", stream))


@contextmanager
def standard_streams() -> Iterator[None]:
    """Open closed streams on nothing, so that no file gets their descriptors; the others outlast their readers, and
    what is written to them is cleaned. A stream that a calling program has put in their place is used as it is."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)
    before = sys.stdin, sys.stdout, sys.stderr
    lost.clear()
    sys.stdin = sys.stdin or io.TextIOWrapper(io.FileIO(0, closefd=False), "utf-8")
    out = output(1, sys.stdout) if sys.stdout is sys.__stdout__ else sys.stdout
    err = output(2, sys.stderr) if sys.stderr is sys.__stderr__ else sys.stderr
    sys.stdout, sys.stderr = cast(TextIO, Clean(out)), cast(TextIO, Clean(err))
    try:
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = before


def output(number: int, stream: TextIO | None) -> TextIO:
    """Return a stream to replace one of Python's own, which is None if its descriptor was closed. It writes any text: a
    file's name need not be UTF-8."""
    encoding, errors = (stream.encoding, stream.errors) if stream else ("utf-8", "strict")
    buffer = io.BufferedWriter(Output(number, "w", closefd=False))
    return io.TextIOWrapper(buffer, encoding, "backslashreplace" if errors == "strict" else errors, line_buffering=True)


@contextmanager
def check_written() -> Iterator[None]:
    """Raise FolderError for writes that the system has refused, at the end also if standard output is incomplete,
    unless its reader has left."""
    try:
        yield
        sys.stdout.flush()
        sys.stderr.flush()
        if 1 in lost and not isinstance(lost[1], ConnectionError):
            raise OSError(lost[1].errno, lost[1].strerror, "standard output")
    except OSError as error:
        gone = isinstance(error, FileNotFoundError) and not error.filename
        raise FolderError(GONE if gone else f"{error.filename or ''}: {error.strerror}".lstrip(": ")) from None
