"""The league in examples/league: two rounds of it, in the sandbox if there is one, and its site in a browser."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers.browser import a_window, lacking, module_browser
from helpers.command import ROOT, roundsim
from helpers.layout import ENDS, TABLES, axe_in, check
from helpers.schemas import Page
from helpers.sealed import any_in_force

pytestmark = pytest.mark.soak

NAMES = ["ann", "ben", "cleo", "dora", "eve", "even-c", "even-js", "gus", "hal"]
PAIRS = "blocks each two have sat in together", "differences, row less column"  # tables that scroll by themselves

browser = pytest.fixture(scope="module")(module_browser)


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example with small rounds, its bots built, after two rounds; ann has changed between them."""
    any_in_force()
    for program in "gcc", "node":
        if not shutil.which(program):
            lacking(program)
    folder = Path(shutil.copytree(ROOT / "examples" / "league", tmp_path_factory.mktemp("example") / "league"))
    for language in "c", "js":
        shutil.copytree(ROOT / "examples" / "bots" / language, folder / "entries" / f"even-{language}")
    bot = folder / "entries" / "even-c"
    subprocess.run(["gcc", "-O2", "-o", bot / "bot", bot / "bot.c"], check=True)
    rules = folder / "league.toml"
    text = rules.read_text().replace("deals = 2000", "deals = 400").replace("least = 40", "least = 10")
    rules.write_text(text.replace("[[games]]", "[limits]\nplaced_within = 0.1  # eve stays in\n\n[[games]]"))
    (folder / "salt").write_text("0 1 2 3\n")
    again = "league", ".", "--salt-from", "salt"
    roundsim(*again, cwd=folder)
    ann = folder / "entries" / "ann.py"
    ann.write_text(ann.read_text().replace("[0]", "[len(view.legal) // 2]"))
    roundsim(*again, cwd=folder)
    return folder


def test_it_is_played_and_verified(league: Path) -> None:
    history = json.loads((league / "site/history.json").read_text())
    for number, each in enumerate(history["rounds"], 1):
        assert each["number"] == number and [entry["name"] for entry in each["field"]] == NAMES
        ((name, reason),) = [(entry["name"], entry["reason"]) for entry in each["left_out"]]
        assert name == "fay" and "fay.py:7" in reason and "calls.json" in reason
    assert len(history["rounds"]) == 2 and "ann v2 takes part" in history["rounds"][1]["events"]
    assert {path.name for path in league.glob("versions/*/dora/*")} == {"__init__.py", "worth.py"}
    roundsim("verify", ".", cwd=league)
    done = roundsim("verify", ".", "--strategies", cwd=league)
    assert "2 rounds, " in done.stdout and "10 versions verified, and played again: the same" in done.stdout


def test_its_site_has_what_it_links_to(league: Path) -> None:
    site, data = league / "site", json.loads((league / "site/standings.json").read_text())
    assert Page("league-standings").wrong(data) == []
    (table,) = data["tables"]
    rows = {row["name"]: row for row in table["rows"]}
    assert rows.keys() | {*table["unplaced"]} == {*NAMES, "book", "random"} and rows["book"]["worth"] == 0
    assert rows["ann"]["version"] == 2 and rows["ann"]["author"] == rows["gus"]["author"] == "Ann Smith"
    assert sorted(path.stem for path in (site / "entries").iterdir()) == NAMES
    assert len([*(site / "rounds").iterdir()]) == 2


def pages(league: Path) -> Iterator[Path]:
    site = league / "site"
    yield from (site / "index.html", site / "entries/ann.html", site / "entries/eve.html", site / "verify.html")
    yield max((site / "rounds").iterdir())


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_every_page_fits_and_axe_finds_nothing_wrong(league: Path, browser: Any, width: int, scheme: str) -> None:
    """With scripts; without them it has the same contents and fits, too."""
    for page in pages(league):
        contents = set[str]()
        for scripts in True, False:
            how: dict[str, Any] = {
                "width": width,
                "color_scheme": scheme,
                "bypass_csp": True,
                "java_script_enabled": scripts,
            }
            with a_window(browser, page, **how) as window:
                cut = [each for each in window.page.evaluate(TABLES) if not any(words in each for words in PAIRS)]
                assert not cut and window.page.evaluate(ENDS) == [], page
                assert window.page.evaluate("document.documentElement.scrollWidth") == width, page
                if page.parent.name != "rounds":
                    contents.add(window.page.locator("main").inner_text())
                if scripts:
                    axe_in(window)
                    check(window)
        assert len(contents) < 2, page
