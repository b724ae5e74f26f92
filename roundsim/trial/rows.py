"""The rows that `check` prints."""

from __future__ import annotations

import sys
from collections.abc import Callable

from ..base.text import so_many

MAX_SAME_FAILURES = 3  # failures of one kind, after which the other games are not tried


def printed(text: str) -> None:
    print(text)
    sys.stdout.flush()


say: Callable[[str], object] = printed  # in a process in which a strategy is tried, its parent prints


def check_line(what: str, verdict: str, *words: str) -> None:
    """`  import              ok      3 ms`, further words below the first."""
    first = f"  {what:<22}  {verdict:<8}{words[0] if words else ''}".rstrip()
    say("\n".join([first, *[f"{'':<34}{more}" for more in words[1:]]]))


def not_tried(games: int) -> None:
    """Report that this many games are left, and would fail like those before them."""
    check_line(so_many(games, "more game"), "-", f"not tried, after {MAX_SAME_FAILURES} failures in the same way")
