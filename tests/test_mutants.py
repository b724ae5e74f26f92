"""The mutants: what a change is, and that a seed always draws the same ones."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import mutants
import pytest
from helpers.command import ROOT, environment

SOURCE = '''"""1 + 1 is no code."""
@decorated(1)
def shown(cards: list[int] = 5, *, named: Literal[1]) -> "2":
    if TYPE_CHECKING:
        return 1
    assert cards[0] == 1
    if not cards or cards[-1] < 7:
        raise ValueError(f"{cards[0]}", 3)
    held("é", help=4)
    while cards is not None:
        break
    return min(cards) - 1 if all(cards) else "no " + f"{cards[1]}"
'''
CHANGES = """3: 5 -> 6|3: 5 -> 4|7: not cards or cards[-1] < 7 -> not (not cards or cards[-1] < 7)|7: or -> and|
7: not -> nothing|7: < -> <=|7: -1 -> 0|7: 1 -> 2|7: 1 -> 0|7: 7 -> 8|7: 7 -> 6|8: raise ValueError(f"{cards[0]}", 3) -> pass|
9: held("é", help=4) -> pass|10: is not -> is|11: break -> continue|12: all(cards) -> not (all(cards))|12: all -> any|
12: - -> +|12: min -> max|12: 1 -> 2|12: 1 -> 0"""


def test_changes_of_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mutants, "ROOT", tmp_path)
    (tmp_path / "shown.py").write_text(SOURCE, "utf-8")
    changes = [str(each).removeprefix("shown.py:") for each in mutants.Module(tmp_path / "shown.py").mutants]
    assert sorted(changes) == sorted(CHANGES.replace("\n", "").split("|"))


def test_every_change_parses_and_is_of_its_line() -> None:
    path = ROOT / "roundsim" / "table" / "selections.py"
    source, before = path.read_bytes(), ast.dump(ast.parse(path.read_bytes()))
    for each in mutants.Module(path).mutants:
        changed = each.applied(source)
        assert ast.dump(ast.parse(changed)) != before, each
        assert source.splitlines()[: each.line - 1] == changed.splitlines()[: each.line - 1]
        assert source[each.start :].decode().startswith(each.old)


def test_a_seed_draws_the_same_under_any_hash_seed(tmp_path: Path) -> None:
    for room, lines in ("statistics", 40), ("reports", 60), ("games", 500):
        (tmp_path / "roundsim" / room).mkdir(parents=True)
        (tmp_path / "roundsim" / room / "counted.py").write_text("one = 1 + 1\n" * lines, "utf-8")
    code = (
        "import mutants, pathlib, sys; mutants.ROOT = pathlib.Path(sys.argv[1]); print(*mutants.draw(5, 60), sep='\\n')"
    )
    call, where = [sys.executable, "-c", code, str(tmp_path)], ROOT / "tools"
    one, two = [subprocess.check_output(call, cwd=where, env=environment(seed), text=True) for seed in ("1", "2")]
    rooms = [line.split("/")[1] for line in one.splitlines()]
    assert one == two and [*map(rooms.count, ("games", "statistics", "reports"))] == [30, 17, 13]  # 40 count double
