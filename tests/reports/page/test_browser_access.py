"""The page for everybody: roles, names and contrast by axe-core, light and dark, wide, narrow and on paper."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from helpers.browser import Window, a_window, module_browser
from helpers.command import roundsim
from helpers.layout import axe_in, check

pytestmark = pytest.mark.soak

FAMILIES = (  # a game of each way to lie on a table
    "nap", "draw-poker", "commerce", "vingt-un", "newmarket", "pope-joan", "cassino", "loto", "speculation",
    "snip-snap-snorum", "my-bird-sings", "brag",
)  # fmt: skip
NARROW, WIDE = 390, 1280
PAPER = 720  # as wide as a sheet between its margins


browser = pytest.fixture(scope="module")(module_browser)


@pytest.fixture(scope="module", params=FAMILIES)
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return page_of(tmp_path_factory.mktemp("access"), "play", request.param, "book", "random", "random", "--deals", 9)


def page_of(folder: Path, *words: object) -> Path:
    roundsim(*words, "--jobs", 1, "--out", "run", cwd=folder)
    roundsim("report", "run", cwd=folder)
    return folder / "run" / "report.html"


def open_everything(window: Window) -> None:
    window.page.evaluate("for (const each of document.querySelectorAll('details:not(.menu)')) each.open = true")


@pytest.mark.parametrize(("width", "scheme"), [(WIDE, "light"), (NARROW, "dark"), (WIDE, "dark"), (NARROW, "light")])
def test_axe_finds_nothing_wrong(width: int, scheme: str, page: Path, browser: Any) -> None:
    """With a deal on the table: before its first step, in its midst from a seat, and at its end; all details open."""
    with a_window(browser, page, width=width, color_scheme=scheme, bypass_csp=True) as window:
        axe_in(window)
        window.page.wait_for_selector("#view .board")
        check(window)
        open_everything(window)
        window.page.evaluate("document.querySelector('#view h3').focus()")
        window.press("1", "ArrowRight", "ArrowRight", "ArrowRight")
        check(window)
        window.press("End")
        check(window)


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_paper_has_ink_enough(scheme: str, page: Path, browser: Any) -> None:
    """Whatever the screen was."""
    with a_window(browser, page, width=PAPER, color_scheme=scheme, bypass_csp=True) as window:
        axe_in(window)
        window.page.wait_for_selector("#view .board")
        window.page.emulate_media(media="print", color_scheme=scheme)
        check(window)


def test_a_phone_scrolls_up_and_down_alone(page: Path, browser: Any) -> None:
    """At every step of the deal; what is wider scrolls by itself."""
    with a_window(browser, page, width=NARROW) as window:
        window.page.wait_for_selector("#view .board")
        open_everything(window)
        window.page.evaluate("document.querySelector('#view h3').focus()")
        for key in ["o", *["ArrowRight"] * window.scene().steps]:
            window.press(key)
            wide = window.page.evaluate("[document.documentElement.scrollWidth, document.body.scrollWidth]")
            assert max(wide) <= NARROW, (window.page.url, wide)


def test_targets_are_large_enough(page: Path, browser: Any) -> None:
    """For a finger, on a phone; in a row with others they may be a little smaller."""
    with a_window(browser, page, width=NARROW, has_touch=True) as window:
        window.page.wait_for_selector("#view .board")
        alone = "#view .ctl button, #view .seatpick select, #view .seatpick button"
        for least, targets in (40, alone), (24, "button, summary"):
            for target in window.page.locator(targets).all():
                box = target.bounding_box()
                assert not box or not box["width"] or min(box["height"], box["width"]) >= least, (
                    target.text_content(),
                    box,
                )


SEATS = {"whiskey-poker": 8, "commerce": 12, "loto": 24}


@pytest.mark.parametrize("game", SEATS)
def test_many_round_a_table_find_room(game: str, browser: Any, tmp_path: Path) -> None:
    words = "play", game, *["random"] * SEATS[game], "--seats", SEATS[game], "--deals", 1
    with a_window(browser, page_of(tmp_path, *words), width=NARROW, bypass_csp=True) as window:
        axe_in(window)
        window.page.wait_for_selector("#view .board")
        assert len(window.scene().seats) == SEATS[game]
        check(window)
        assert window.page.evaluate("document.documentElement.scrollWidth") <= NARROW


FORMATS = {
    "freeze-out": "play straight-poker book random random --option stakes=table --times 12",
    "until": "gate nap book random",
    "many": "play nap " + " ".join(f"n{at}=random" for at in range(14)) + " --seats 4 --deals 400",
    "games": "play all random book --deals 1 --seats 4",
}


@pytest.fixture(scope="module", params=FORMATS)
def page_of_a_format(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return page_of(tmp_path_factory.mktemp("formats"), *FORMATS[request.param].split())


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [WIDE, NARROW, PAPER])
def test_axe_finds_nothing_wrong_with_any_format(width: int, scheme: str, page_of_a_format: Path, browser: Any) -> None:
    with a_window(browser, page_of_a_format, width=width, color_scheme=scheme, bypass_csp=True) as window:
        axe_in(window)
        window.page.wait_for_selector("#view .board")
        if width == PAPER:
            window.page.emulate_media(media="print", color_scheme=scheme)
        else:
            open_everything(window)
            assert window.page.evaluate("document.documentElement.scrollWidth") <= width
        check(window)


@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_axe_finds_nothing_wrong_with_what_differs(width: int, browser: Any, tmp_path: Path) -> None:
    for name, bold in ("one", "book"), ("other", "book(bold=1)"):
        words = "play", "nap", f"mine={bold}", "random", "random", "--deals", 200, "--jobs", 1, "--out", name
        roundsim(*words, cwd=tmp_path)
    roundsim("report", "one", "other", cwd=tmp_path)
    for scheme in "light", "dark":
        with a_window(browser, tmp_path / "diff.html", width=width, color_scheme=scheme, bypass_csp=True) as window:
            axe_in(window)
            check(window)
            assert window.page.evaluate("document.documentElement.scrollWidth") <= width
