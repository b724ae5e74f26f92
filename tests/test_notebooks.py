"""A notebook, executed as Jupyter executes it: docs/notebooks.md, and what goes wrong in one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from helpers.command import PATIENCE, ROOT

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

pytestmark = pytest.mark.soak

FAILING = """\
import random
from dataclasses import dataclass

@dataclass
class Rule:
    at: int = 0

rule = Rule()

class Base:
    def act(self, view):
        return view.legal[rule.at]

class Mine(Base):
    games = ["nap"]

def fails(view):
    return helper(view)
"""
HELPER = """\
def helper(view):
    # the next line
    raise ValueError("<b>")
"""
PLAY = "run = roundsim.play('nap', [Mine, fails, 'random'], deals=48, out='run')\nrun.report()"


def executed(folder: Path, *cells: str) -> list[list[Any]]:
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(each) for each in cells])
    kernel = {"name": "python3", "display_name": "Python", "language": "python"}
    book.metadata["kernelspec"] = kernel
    client = nbclient.NotebookClient(book, timeout=PATIENCE, resources={"metadata": {"path": str(folder)}})
    client.execute()
    return [cell.outputs for cell in book.cells]


def shown(outputs: list[Any], kind: str = "text/html") -> str:
    return "".join(each.data.get(kind, "") for each in outputs if "data" in each)


def test_the_page_on_notebooks_is_a_notebook(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "notebooks.md").read_text("utf-8")
    named, *_, last = executed(tmp_path, *re.findall(r"```python\n(.*?)```", text, re.S))
    assert "<table>" in shown(named) and "careful" in shown(named)
    assert re.search("<td>book *</td>", shown(last)) and "<run nap in runs/" in shown(last, "text/plain")


def test_classes_of_several_cells_play_and_errors_name_their_cell(tmp_path: Path) -> None:
    cells = "import roundsim", FAILING, HELPER, PLAY
    *_, page = executed(tmp_path, *cells)
    faults = (tmp_path / "run" / "faults.jsonl").read_text()
    assert '"where": ["Cell In[2]:18 in fails", "Cell In[3]:3 in helper"]' in faults
    assert '<iframe srcdoc="' in shown(page) and "<b>" not in shown(page) and "<!doctype" not in shown(page).lower()
    source = (tmp_path / "run" / "strategies" / "Mine.txt").read_text()
    assert "return view.legal[rule.at]" in source
    log = {path: path.read_bytes() for path in (tmp_path / "run" / "log").rglob("*.zst")}
    *_, again = executed(tmp_path, "import roundsim", HELPER, "# moved", f"\n\n{FAILING}", f"{PLAY}; run")
    assert "<td" in shown(again) and log == {path: path.read_bytes() for path in log}
    assert len([*(tmp_path / "run" / "log").rglob("*.zst")]) == len(log)


def test_progress_is_shown_in_place(tmp_path: Path) -> None:
    """With no pause between two looks, whatever the machine."""
    begun = "import roundsim.reports.notebook as shown\nshown.PAUSE = -1\nseen = []"
    play = "roundsim.play('nap', ['book', 'random'], deals=4096, jobs=1)"
    watch = (
        "class Seen(shown.ProgressCell):\n    def __call__(self, progress):\n        super().__call__(progress)\n"
        "        seen.append(self.handle.display_id)\nimport roundsim.api\nroundsim.api.ProgressCell = Seen"
    )
    *_, outputs, ids = executed(tmp_path, "import roundsim", begun, watch, play, "print(len(set(seen)))")
    assert "".join(each.text for each in ids) == "1\n"
    assert [each.output_type for each in outputs] == ["display_data", "execute_result"]
    assert "<progress" not in shown(outputs) and "<table>" in shown(outputs)
