"""The rows that `check` reports: headings, and what was tried with its verdict."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import NamedTuple

from ..base.text import so_many

MAX_SAME_FAILURES = 3  # failures of one kind, after which the other games are not tried


class CheckRow(NamedTuple):
    """A thing that was tried, its verdict, "ok", "FAILED", "note" or "-", and more about it, a line each."""

    what: str
    verdict: str
    lines: tuple[str, ...] = ()

    def __str__(self) -> str:
        """`  import              ok      3 ms`, further lines below the first."""
        first = f"  {self.what:<22}  {self.verdict:<8}{self.lines[0] if self.lines else ''}".rstrip()
        return "\n".join([first, *[f"{'':<34}{more}" for more in self.lines[1:]]])


RowSink = Callable[[CheckRow | str], object]  # called with each row; a text is a heading


def print_row(row: CheckRow | str) -> None:
    """Print a row at once."""
    print(row)
    sys.stdout.flush()


def not_tried(games: int) -> CheckRow:
    """Return the row for games that are left, and would fail like those before them."""
    return CheckRow(
        so_many(games, "more game"), "-", (f"not tried, after {MAX_SAME_FAILURES} failures in the same way",)
    )


def import_failed(what: str, error: Exception | str, report: RowSink) -> int:
    """Report a failed import. Returns the number of problems, 1."""
    report(what)
    report(CheckRow("import", "FAILED", tuple(str(error).splitlines())))
    return 1
