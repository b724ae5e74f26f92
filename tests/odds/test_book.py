"""Foster's book of odds as pages print it."""

from __future__ import annotations

from roundsim.odds.report import book


def test_rows_in_markdown() -> None:
    """Twelve court cards make 792 hands of five. Each row of a draw names it, and the table in a terminal does not."""
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in book("md").splitlines()]
    assert ["five court cards, of any class", "", "3 280.515", "792 / 2 598 960", ""] in rows
    row = ["any improvement", "2½", "2.483", "4 656 / 16 215", "right"]
    assert ["three to a pair: 9s 9h, out Kc 7d 2s", *row] in rows and row not in rows
