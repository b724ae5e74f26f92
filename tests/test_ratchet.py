"""The ratchet: what each figure counts, and that a limit may only fall."""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path

import names
import plain_english
import pytest
import ratchet
from helpers.command import ROOT

ODD = """
from typing import Any

def said(one, two, three, four, five, six, seven, eight, *, nine: Any) -> None:  # SILENT
    words_of = one
"""
TEST = '''
from tests.test_other import thing

def test_who_answers_late() -> None:
    """It was WORD."""
'''


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout in which each measure finds something."""
    files = {
        "roundsim/odd.py": ODD.replace("SILENT", "noqa"),
        "roundsim/long.py": "def long():\n" + "    pass\n" * 400,
        "strategies/other.py": "def long(): ...\n",
        "tests/test_one.py": TEST.replace("WORD", "told"),
        "docs/page.md": '```python\n"told"\n```\n',
        "data.json": "{\n}\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    subprocess.run(["git", "-C", str(tmp_path), "add", "."], check=True)
    for module in names, plain_english, ratchet:
        monkeypatch.setattr(module, "ROOT", tmp_path)
    ratchet.tracked.cache_clear()
    return tmp_path


def test_each_measure_counts_its_places(checkout: Path) -> None:
    found = {each.__name__: [place.partition(":")[0] for place in each()] for each in ratchet.MEASURES}
    ratchet.tracked.cache_clear()
    assert found == {
        "shared_names": ["long"],
        "long_files": ["roundsim/long.py"],
        "long_functions": ["roundsim/long.py"],
        "many_parameters": ["roundsim/odd.py"],
        "banned_words": ["roundsim/odd.py"] * 2,
        "any_types": ["roundsim/odd.py"],
        "ignores": ["roundsim/odd.py"],
        "test_names": ["tests/test_one.py"],
        "test_imports": ["tests/test_one.py"],
        "english_of_tests": ["tests/test_one.py"],
        "english_of_blocks": ["docs/page.md"],
        "lines_of_tests": ["tests/test_one.py"] * 5,
        "lines_of_json": ["data.json"] * 2,
    }


@pytest.mark.parametrize(
    "count, limits, caps, before, wrong",
    [
        (3, {"it": 3}, {}, {}, ""),
        (3, {"it": 3}, {}, {"it": 3}, ""),
        (4, {"it": 3}, {}, {}, "4, limit 3; see"),
        (2, {"it": 3}, {}, {}, "2, limit 3; lower it"),
        (3, {"it": 3}, {}, {"it": 2}, "has risen from 2 to 3"),
        (3, {}, {}, {}, "no limit"),
        (2, {}, {"it": 3}, {}, ""),
        (4, {}, {"it": 3}, {}, "4, limit 3; see"),
    ],
)
def test_a_limit_may_only_fall(
    count: int, limits: dict[str, int], caps: dict[str, int], before: dict[str, int], wrong: str
) -> None:
    judged = ratchet.judge({"it": count}, limits, caps, before)
    assert bool(judged) == bool(wrong)
    assert wrong in "".join(judged)


def test_limits_are_of_measures() -> None:
    data = tomllib.loads((ROOT / "tools" / "ratchet.toml").read_text("utf-8"))
    assert [*data["limits"], *data["caps"]] == [each.__name__ for each in ratchet.MEASURES]
