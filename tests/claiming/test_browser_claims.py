"""The page of verdicts in a browser: light and dark, wide and narrow; a claim's link plays its deal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from helpers.browser import a_window, module_browser
from helpers.claim_rows import CASE, ROW, exact_row
from helpers.command import roundsim
from helpers.layout import ENDS, TABLES, axe_in, check

from roundsim.claiming.page import write_page

pytestmark = pytest.mark.soak

LONG = "He that goes alone against the table, and has neither the ace nor a length in trumps, plays for the pool. " * 2
OPTIONS = "5 seats, limit=of-a-length-that-few-options-have, raises=10"
DEALS = "nap/1/1/1", "nap/2/1/1"


browser = pytest.fixture(scope="module")(module_browser)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs with deals of the same addresses, in a folder whose name a link must quote; every kind of claim."""
    folder = tmp_path_factory.mktemp("claims")
    runs = [f"{folder}/a & b/{name}" for name in ("one", "two+")]
    for seed, run in enumerate(runs):
        words = "play", "nap", "book", "random", "--deals", 60, "--jobs", 1, "--seed", seed, "--out", run
        roundsim(*words, cwd=folder)
    shown = [{**CASE, "shows": f"{run}:{deal}"} for run in runs for deal in DEALS]
    long = "book(bold=-1, and=more, than=fits, on=a-line)"
    absent = {**CASE, "among": long, "at": OPTIONS, "shows": "runs/no:nap/1/1/1"}
    rare = {**CASE, "verdict": "open", "value": None, "error": None, "low": None, "high": None}
    rows = [
        {**ROW, "verdict": "depends", "cases": [*shown, absent, rare]},
        exact_row(id="poker-odds/1", exact={"single": "1/6", "of three": "1/649740"}, printed={"single": "16 %"}),
        *[{**ROW, "id": f"nap/{no}", "says": LONG, "tests": LONG, "verdict": "no difference"} for no in range(6, 40)],
        exact_row(id="nap/99", verdict="untestable", tests=LONG),
    ]
    write_page(rows, folder / "page.html")
    write_page([], folder / "empty.html")
    return folder / "page.html"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_wrong_with_claims(width: int, scheme: str, page: Path, browser: Any) -> None:
    for path in page, page.with_name("empty.html"):
        with a_window(browser, path, width=width, color_scheme=scheme, bypass_csp=True) as window:
            axe_in(window)
            if path == page:
                window.page.wait_for_selector("#view .board")
            check(window)
            assert window.page.evaluate("document.documentElement.scrollWidth") <= width
            assert window.page.evaluate(TABLES) == []
            assert window.page.evaluate(ENDS) == []


def test_a_link_of_a_claim_plays_its_deal(page: Path, browser: Any) -> None:
    """Two runs have a deal of the same address: each link plays its own, and its address can be opened again."""
    with a_window(browser, page) as window:
        links = window.page.locator("#nap-5 a[data-deal]")
        assert links.count() == 4
        seen = []
        for number in 0, 2:
            address = links.nth(number).get_attribute("data-deal")
            assert address.endswith(f":{DEALS[0]}")
            links.nth(number).click()
            window.opened(address).press("ArrowRight", "ArrowRight")
            scene = window.scene()
            assert scene.at == 2
            assert scene.command == f"roundsim replay '{address}'"
            seen.append(scene.lines)
            fragment = window.page.evaluate("location.hash")
            with a_window(browser, page, fragment) as again:
                assert again.opened(address).scene() == scene
        assert seen[0] != seen[1]
        window.page.locator(".contents a.to").last.click()
        assert window.page.evaluate("location.hash") == "#poker-odds-1"
