"""Weights carry the layout of the vectors with which they were trained: it changes only on purpose."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Shell, Write

import roundsim
from roundsim import games
from roundsim.base.errors import InputError
from roundsim.bridges import vectors
from roundsim.bridges.vectors import Vectors, vectors_at

pytestmark = pytest.mark.usefixtures("here")

GOLDEN = Path(__file__).with_name("layouts.txt")


def layouts() -> str:
    """The layout of the usual table of each game."""
    tables = [roundsim.Table(name) for name in games.ours()]
    return "".join(f"{Vectors(table.game, table.rules).layout}\n" for table in tables)


def test_the_layouts_are_as_they_were() -> None:
    """If you changed one on purpose, raise `LAYOUT` or the game's version, and run this file: it writes them again."""
    assert layouts() == GOLDEN.read_text()


def test_another_table_has_another_layout_and_its_weights_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    view = roundsim.Table("nap").view()
    own = vectors_at(view).layout
    assert vectors_at(view, own) is vectors_at(view)
    with pytest.raises(InputError, match=r"^trained with layout 0 of nap/1 for 4 \(0\), here it is layout 1 of nap/"):
        vectors_at(view, "layout 0 of nap/1 for 4 (0)")

    def layout(players: int = 4, **options: object) -> str:
        table = roundsim.Table("nap", players, options)
        return Vectors(table.game, table.rules).layout

    usual = layout()
    assert layout() == usual == layout(stake=5)  # the places are the same
    assert len({usual, layout(pack="32"), layout(5), layout(5, stake=100)}) == 4  # whose numbers have more steps
    monkeypatch.setattr(vectors, "LAYOUT", 2)
    assert layout().startswith("layout 2 of nap/") and usual.startswith("layout 1 of nap/")


OLD = """
from roundsim.bridges.vectors import vectors_at

def act(view):
    return view.legal[vectors_at(view, layout="layout 0 of nap/1 for 4 (0)").size]
"""


def test_a_strategy_with_old_weights_says_so(shell: Shell, write: Write) -> None:
    done = shell("play", "nap", str(write("old.py", OLD)), "random", "--deals", "4")
    assert "trained with layout 0 of nap/1 for 4 (0), here it is layout 1 of nap/1" in done.out + done.err


if __name__ == "__main__":
    GOLDEN.write_text(layouts())
