"""The ways in which a guest is lost, and the words for them."""

from __future__ import annotations

import os
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path
from traceback import extract_tb

from ..base.errors import PluginError, scrubbed
from ..refereeing.referee import QUOTE
from .question import GuestKey

PACKAGE = Path(__file__).parents[1]
SOURCE_MARK = "\0"  # stands for a guest's source in messages


class BrokenError(Exception):
    """A guest has broken the wire; its text says how."""


class UnaskedError(BrokenError):
    """A guest has answered what it was not asked, or has answered already."""

    def __init__(self, number: int) -> None:
        super().__init__(f"answer to {number}, which was not asked")
        self.number = number


class GuestLostError(Exception):
    """A guest is lost: its entrant, the kind (dead, late, or a breach of the wire), the question, if it is known, and
    where our code failed, if it did."""

    def __init__(self, entrant: int, kind: str, words: str, key: GuestKey | None, where: str = "") -> None:
        super().__init__(entrant, kind, words, key)
        self.entrant, self.kind, self.words, self.key, self.where = entrant, kind, words, key, where


class NotLoadedError(PluginError):
    """A guest does not begin to play: its entrant, and a message, in which SOURCE_MARK stands for `what`, its source.

    `words`, `where`: the same for a fault, without the folder of the source."""

    def __init__(self, entrant: int, what: str, text: str) -> None:
        super().__init__(text.replace(SOURCE_MARK, what))
        words, _, where = text.replace(SOURCE_MARK, os.path.basename(what)).partition("\n")
        self.entrant, self.words, self.where = entrant, scrubbed(words[:QUOTE]), traceback_text(where)


def mistaken_encoding(lines: bytes) -> str:
    """Return ' (in UTF-16: the wire is UTF-8)' for lines in another encoding, or with a byte order mark; "" for others."""
    if lines.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) or b"\0" in lines:
        return " (in UTF-16: the wire is UTF-8)"
    if lines.startswith(BOM_UTF8):
        return " (it begins with a byte order mark: the wire is UTF-8 without one)"
    try:
        lines.decode()
    except UnicodeDecodeError:
        return " (not in UTF-8)"
    return ""


def traceback_text(where: str) -> str:
    """Return the lines of a traceback, as a guest reports them."""
    return "\n".join([scrubbed(line[:200]) for line in where[:10_000].splitlines()[:11]])


def own_frames(error: BaseException) -> str:
    """Return the innermost lines of ours in a traceback: 'guests/guest.py:231 in show'."""
    frames = [frame for frame in extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(PACKAGE)]
    return "\n".join(
        f"{Path(frame.filename).relative_to(PACKAGE)}:{frame.lineno} in {frame.name}" for frame in frames[-10:]
    )
