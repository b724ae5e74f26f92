"""The rows that `check` prints."""

from __future__ import annotations

import sys

from ..words import so_many

ALIKE = 3  # failures in the same way: then the other games are not tried


def line(what: str, verdict: str, *words: str) -> None:
    """`  import              ok      3 ms`, further words below the first."""
    print(f"  {what:<22}  {verdict:<8}{words[0] if words else ''}".rstrip())
    for more in words[1:]:
        print(f"{'':<34}{more}")
    sys.stdout.flush()


def not_tried(games: int) -> None:
    """So many are left, and would fail as those before them."""
    line(so_many(games, "more game"), "-", f"not tried, after {ALIKE} failures in the same way")
