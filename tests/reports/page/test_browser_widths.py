"""The page in a browser, on a screen, a phone and paper: no table and no end of an axis is cut."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from helpers.browser import a_window, module_browser
from helpers.layout import ENDS, TABLES

import roundsim

pytestmark = pytest.mark.soak

A4 = 688  # pixels between the margins of the page
SLOPPY = """
class Sloppy:
    def act(self, view):
        if view.chance.random() < 0.004:
            raise ValueError("now and then")
        return view.legal[0]
"""
COLOURS = """
table => {
  const colour = found => found && getComputedStyle(found).color;
  return {
    value: colour(table.querySelector('td b')),
    soft: colour(table.querySelector('td:not(.up, .down) small')),
    sure: colour(table.querySelector('td:is(.up, .down) small')),
  };
}
"""


browser = pytest.fixture(scope="module")(module_browser)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Faults in two games, and at a table with large figures, thousands of counters a deal."""
    folder = tmp_path_factory.mktemp("widths")
    (folder / "sloppy.py").write_text(SLOPPY, "utf-8")
    who, large = ["book", "random", f"{folder}/sloppy.py"], {"stake": 1000}
    roundsim.play("nap,loo", who, deals=300, isolate="off", jobs=1, out=folder / "faults")
    roundsim.play("nap", who[:2], deals=200, options=large, jobs=1, out=folder / "large")
    many = ["book", "expert", "sampler", "random", "also=random", "third=random", "fourth=random"]
    roundsim.play("nap", many, deals=300, options=large, jobs=1, out=folder / "many")
    for name in "faults", "large", "many":
        roundsim.report(folder / name)
    return folder


@pytest.mark.parametrize("run", ["faults", "large"])
@pytest.mark.parametrize("width", [1280, 390])
def test_no_table_and_no_axis_is_cut_on_a_screen(browser: Any, page: Path, run: str, width: int) -> None:
    with a_window(browser, page / run / "report.html", width=width) as window:
        window.page.evaluate("for (const each of document.querySelectorAll('details:not(.menu)')) each.open = true")
        assert window.page.evaluate(TABLES) == []
        assert window.page.evaluate(ENDS) == []


@pytest.mark.parametrize("width", [1280, 390, 320])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_reasons_of_six_strategies_are_not_cut(browser: Any, page: Path, width: int, scheme: str) -> None:
    """On a phone each figure has its name before it, in place of the headings."""
    with a_window(browser, page / "many" / "report.html", width=width) as window:
        window.page.emulate_media(color_scheme=scheme)
        assert not [each for each in window.page.evaluate(TABLES) if each.startswith("many reasons")]
        assert window.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        table = window.page.locator("table.reasons")
        assert table.locator("tbody tr").first.locator("td").count() == 6
        assert table.locator("thead").evaluate("head => head.getBoundingClientRect().height > 2") == (width > 832)
        colours = table.evaluate(COLOURS)
        assert len({colours["value"], colours["soft"], colours["sure"]}) == 3, colours


@pytest.mark.parametrize("run", ["faults", "large"])
def test_no_table_is_cut_on_paper(browser: Any, page: Path, run: str) -> None:
    with a_window(browser, page / run / "report.html", width=A4) as window:
        window.page.emulate_media(media="print")
        assert window.page.evaluate(TABLES) == []
