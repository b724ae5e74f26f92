"""The pictures of the docs, made again: seeded runs are played, and their reports are opened in a browser.

    python docs/pictures.py                all of them, into docs/pictures/
    python docs/pictures.py nap loto       only the tables of these games
    python docs/pictures.py standings      only the head of a page

It needs playwright (`pip install -e '.[dev]'`) and a Chromium, which is $ROUNDSIM_BROWSER or is looked for on the PATH.  Then
look at them."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import Browser, FloatRect, Page, ViewportSize, sync_playwright

import roundsim
from roundsim.replaying.logged import logged_blocks
from roundsim.replaying.report import deal_page, render_run_page
from roundsim.replaying.selection import deals_data
from roundsim.tournament.results.record import END
from roundsim.tournament.storage.folder import RunFolder

PICTURES = Path(__file__).parent / "pictures"
PROGRAMS = "chromium", "chromium-browser", "google-chrome"
SEED = 1891
STANDINGS = "standings"
WIDE: ViewportSize = {"width": 1280, "height": 900}
TALL: ViewportSize = {"width": 1280, "height": 1600}  # every table is wholly to be seen
MARGIN = 14  # round a table
PHONE: ViewportSize = {"width": 390, "height": 844}
TO_THE_TOP = """() => {
  const top = document.querySelector('#view').getBoundingClientRect().top;
  scrollBy(0, top - document.querySelector('nav').offsetHeight);
}"""
Json = dict[str, Any]


@dataclass
class Scene:
    """The step at which a game's table is drawn: the first whose text matches `step`, in a deal that matches `besides`.

    Steps before the share `after` of the deal are skipped."""

    seats: int
    step: str
    besides: str = ""
    after: float = 0.3
    options: Json = field(default_factory=dict)
    strategies: Sequence[str] = ("book", "book", "book", "book", "random")
    deals: int = 100  # that are searched


EXPERTS = "expert", "book", "book", "book", "random"
BOLDER = "book", "book", "random", "random", "random"
SCENES = {
    "ambigu": Scene(4, "the hands are shown"),
    "bouillotte": Scene(4, "all cards are shown"),
    "brag": Scene(5, "the hands are shown: .*, .*, .*", besides="triplet"),
    "cassino": Scene(4, "sweeps the board", after=0.4),
    "commerce": Scene(5, "a card is bought", after=0.4),
    "draw-poker": Scene(5, "the hands are shown: .*flush", strategies=EXPERTS),
    "flat-poker": Scene(5, "the bet against the field"),
    "jig": Scene(5, "is Jig", after=0.5),
    "loo": Scene(5, "trumps with", besides="(?:(?:follows|trumps) with .*){5}", after=0.5, strategies=BOLDER),
    "loto": Scene(5, "terno|ambo", options={"method": 2}),
    "my-bird-sings": Scene(5, "the first bird to sing", besides="puts .* aside"),
    "nap": Scene(4, "trumps with", after=0.5, strategies=EXPERTS[1:]),
    "newmarket": Scene(5, "won by the forerunner", after=0.5),
    "pope-joan": Scene(5, "both cards from one hand", after=0.4),
    "show-down-poker": Scene(4, "the best so far", after=0.5),
    "snip-snap-snorum": Scene(5, "his card is paired", after=0.5),
    "solo-whist": Scene(4, "trumps with", besides="undertake eight tricks", after=0.4, strategies=EXPERTS[:4]),
    "speculation": Scene(5, "buys the best trump"),
    "spin": Scene(5, "Spin is played"),
    "spoil-five": Scene(5, "trumps with", after=0.5),
    "straight-poker": Scene(5, "and the raise", after=0.6, strategies=EXPERTS),
    "stud-poker": Scene(5, "face up: .*, .*", after=0.6),
    "thirty-one": Scene(5, "takes .* for", besides="thirty-one", after=0.5),
    "vingt-un": Scene(5, "the banker is over-drawn"),
    "whiskey-poker": Scene(5, "takes the widow whole"),
}

BESIDES = {"deal": ("pope-joan", WIDE, True), "phone": ("nap", PHONE, False)}  # the game, the size, whether dark


def main(names: Sequence[str]) -> None:
    """Draw the pictures of these names, or all."""
    with TemporaryDirectory() as desk, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for game in names or SCENES:
            if game != STANDINGS:
                pictures_of_table(browser, Path(desk), game)
        if not names or STANDINGS in names:
            picture_of_standings(browser, Path(desk))
        browser.close()


def chromium() -> str:
    found = os.environ.get("ROUNDSIM_BROWSER") or next(filter(None, map(shutil.which, PROGRAMS)), None)
    return found or sys.exit(
        f"no browser: none of {', '.join(PROGRAMS)} is on the PATH; $ROUNDSIM_BROWSER may name one"
    )


def picture_of_standings(browser: Browser, desk: Path) -> None:
    """Draw the head of a page, down to the sections of the game that open."""
    strategies = ["expert", "book(bold=1)", "book", "random"]
    run = roundsim.play("nap", strategies, deals=2000, seed=SEED, out=desk / STANDINGS)
    with opened(browser, desk, render_run_page(RunFolder(run.folder))[0], size=TALL) as page:
        box = box_of(page, "#nap")
        clip: FloatRect = {"x": 0, "y": 0, "width": WIDE["width"], "height": box["y"] + box["height"] + MARGIN}
        page.screenshot(path=PICTURES / f"{STANDINGS}.png", clip=clip)


def pictures_of_table(browser: Browser, desk: Path, game: str) -> None:
    """Draw the table of a game at the step of its scene, and further pictures of it."""
    scene = SCENES[game]
    folder = RunFolder(play(scene, game, desk / game).folder)
    address, step = found(folder, scene)
    text, place = deal_page(folder, address), f"#deal={address}&step={step}"
    with opened(browser, desk, text, place, TALL) as page:
        page.screenshot(path=PICTURES / f"{game}.png", clip=board_of(page))
    for name, (of, size, dark) in BESIDES.items():
        if of == game:
            with opened(browser, desk, text, place, size, dark) as page:
                page.screenshot(path=PICTURES / f"{name}.png")
    print(f"{game}: {address}, step {step}")


def board_of(page: Page) -> FloatRect:
    """Return the area of the table with a margin."""
    box = box_of(page, ".boardbox")
    width, height = box["width"] + 2 * MARGIN, box["height"] + 2 * MARGIN
    return {"x": box["x"] - MARGIN, "y": box["y"] - MARGIN, "width": width, "height": height}


def box_of(page: Page, what: str) -> FloatRect:
    box = page.locator(what).bounding_box()
    return box or sys.exit(f"there is no {what} on the page")


def play(scene: Scene, game: str, out: Path) -> roundsim.Run:
    strategies = [*scene.strategies]
    return roundsim.play(
        game, strategies, seats=scene.seats, options=scene.options, deals=scene.deals, seed=SEED, out=out
    )


def found(folder: RunFolder, scene: Scene) -> tuple[str, int]:
    """Return the address of the first deal that has the scene, and the number of its step."""
    tournament = folder.tournament()
    addresses = [deal.address for block in logged_blocks(folder, tournament, 0) for deal in block if deal.number != END]
    for address, deal in deals_data(folder, tournament, addresses).items():
        told = ["; ".join(words_of(step)) for step in deal["steps"]]
        for at in range(ceil(scene.after * len(told)), len(told)) if re.search(scene.besides, "; ".join(told)) else ():
            if re.search(scene.step, told[at]):
                return address, at + 1
    sys.exit(f"{scene} is not found in {len(addresses)} deals")


def words_of(step: Json) -> Iterator[str]:
    """Yield all texts of a step."""
    yield step["t"]
    yield from step.get("e", ())
    yield from (why for *_, why, _ in step.get("m", ()))


@contextmanager
def opened(
    browser: Browser, desk: Path, text: str, place: str = "", size: ViewportSize = WIDE, dark: bool = False
) -> Iterator[Page]:
    """Open a page of the report in a browser; if a place is given, scroll its table to the top."""
    path = desk / "page.html"
    path.write_text(text, "utf-8")
    page = browser.new_page(viewport=size, color_scheme="dark" if dark else "light")
    page.goto(f"{path.as_uri()}{place}")
    if place:
        page.wait_for_selector(".board")
        page.evaluate(TO_THE_TOP)
    yield page
    page.close()


if __name__ == "__main__":
    main(sys.argv[1:])
