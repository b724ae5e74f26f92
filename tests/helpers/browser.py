"""The page in a real browser: what it draws is read back as text, and nothing may be fetched or go wrong unheard."""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest

PROGRAMS = "chromium", "chromium-browser", "google-chrome"
PATIENCE = 30_000  # milliseconds: nothing takes so long unless it hangs
RANKS = {
    "A": "ace",
    "K": "king",
    "Q": "queen",
    "J": "knave",
    "W": "twelve",
    "E": "eleven",
    "T": "ten",
    **dict(zip("98765432", ["nine", "eight", "seven", "six", "five", "four", "three", "two"], strict=True)),
}
SUITS = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
CARDS = {f"{name} of {suits}": f"{rank}{suit}" for rank, name in RANKS.items() for suit, suits in SUITS.items()}
CARDS["the joker"] = "Jo"
NAMED = re.compile(rf"\b(?:{'|'.join(CARDS)})\b")
CODE = re.compile(r"\b(?:[AKQJWET2-9][shdc]|Jo)\b")
READ = """
() => {
  const attributes = ['aria-label', 'aria-valuetext', 'title', 'alt', 'value', 'data-deal', 'placeholder'];
  const read = element => {
    if (!element) return [];
    const found = [], walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = element; node; node = walker.nextNode()) {
      if (node.nodeType === Node.TEXT_NODE) { if (node.data.trim()) found.push(node.data); }
      else for (const name of attributes) if (node.getAttribute(name)) found.push(node.getAttribute(name));
    }
    return found;
  };
  const view = document.querySelector('#view'), log = view.querySelector('.log');
  const seats = [...view.querySelectorAll('.board .seat')].sort((one, other) => number(one) - number(other));
  function number(seat) { return parseInt(seat.getAttribute('aria-label').slice(5), 10); }
  const rest = [...view.querySelectorAll('.vhead, .ctlbox, .boardbox, .under, .lies, .cmd')].flatMap(read);
  return {
    at: +view.querySelector('input[type=range]').value,
    steps: +view.querySelector('input[type=range]').max,
    now: view.querySelector('.now').textContent,
    rest,
    board: read(view.querySelector('.board')),
    seats: seats.map(read),
    lines: [...log.querySelectorAll('li')].map(line => read(line)),
    nets: seats.map(seat => seat.getAttribute('aria-label').match(/, net (.*)$/)[1]),
    marked: !!view.querySelector('.board .tag.fault'),
    command: view.querySelector('.cmd span').textContent,
  };
}
"""
WALK = f"""
keys => {{
  const view = document.querySelector('#view'), read = {READ.strip()};
  return keys.map(key => {{ view.dispatchEvent(new KeyboardEvent('keydown', {{key, bubbles: true}})); return read(); }});
}}
"""


class Scene(NamedTuple):
    """A step of a deal as it stands on the page: every text of it, seen or only heard, and every label and title."""

    at: int
    steps: int
    now: str
    rest: list[str]
    board: list[str]
    seats: list[list[str]]
    lines: list[list[str]]
    nets: list[int]
    marked: bool
    command: str

    def words(self, step: int) -> str:
        """How the deal in words has a step, from 1 on."""
        return " ".join("".join(self.lines[step - 1]).split())


class Window:
    """A page that is open; all that it complains of, and whatever it asks for."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.heard: list[str] = []
        self.asked: list[str] = []
        page.on("console", lambda said: self.heard.append(f"{said.type}: {said.text}"))
        page.on("pageerror", lambda error: self.heard.append(f"error: {error}"))
        page.on("dialog", self.dialog)
        page.on("request", lambda request: self.asked.append(request.url))
        page.set_default_timeout(PATIENCE)

    def dialog(self, dialog: Any) -> None:
        self.heard.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def visit(self, path: Path, fragment: str = "") -> Window:
        self.page.goto(path.resolve().as_uri() + fragment)
        return self

    def opened(self, address: str) -> Window:
        """Waits for a deal to be on the table."""
        self.page.wait_for_function("addr => document.querySelector('#view .addr')?.textContent === addr", arg=address)
        return self

    def deal(self, address: str, fragment: str = "") -> Window:
        """A deal of the page, by the link to it."""
        self.page.evaluate("hash => { location.hash = hash; }", f"#deal={address}{fragment}")
        return self.opened(address)

    def press(self, *keys: str) -> Window:
        """Real keys, wherever the focus is."""
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def scene(self) -> Scene:
        return scene_of(self.page.evaluate(READ))

    def walk(self, *keys: str) -> list[Scene]:
        """The steps after each of these keys, which the view is sent."""
        return [scene_of(each) for each in self.page.evaluate(WALK, list(keys))]

    def through(self) -> list[Scene]:
        """All steps of the deal, from before the first."""
        (first,) = self.walk("Home")
        return [first, *self.walk(*["ArrowRight"] * first.steps)]


def scene_of(read: dict[str, Any]) -> Scene:
    return Scene(**{**read, "nets": [figure(text) for text in read["nets"]]})


def figure(text: str) -> int:
    """A figure of the page: "−1 200"."""
    return int(re.sub(r"\s", "", text).replace("−", "-"))


def cards_in(texts: list[str]) -> Counter[str]:
    """The cards that are called by their names in texts, or are there as codes."""
    return Counter(
        card for text in texts for card in [*(CARDS[name] for name in NAMED.findall(text)), *CODE.findall(text)]
    )


def lacking(what: str) -> None:
    """A skip, for want of something that CI must have."""
    (pytest.fail if os.environ.get("CI") else pytest.skip)(f"{what} is not on this machine")


def program() -> str:
    """Where the browser is, if Playwright is there, too."""
    if not find_spec("playwright"):
        lacking("playwright")
    found = os.environ.get("ROUNDSIM_BROWSER") or next(filter(None, map(shutil.which, PROGRAMS)), "")
    if not found:
        lacking(f"a browser, {' or '.join(PROGRAMS)}")
    return found


@contextmanager
def a_browser() -> Iterator[Any]:
    """The browser, for as many windows as are wanted."""
    path = program()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


def module_browser() -> Iterator[Any]:
    """A fixture for one module: `browser = pytest.fixture(scope="module")(module_browser)`."""
    with a_browser() as browser:
        yield browser


@contextmanager
def a_window(browser: Any, path: Path, fragment: str = "", **how: Any) -> Iterator[Window]:
    """A window with a page of ours, in which nothing may go wrong and for which nothing may be fetched.  `how`: of the
    context, as `width=390` or `color_scheme="dark"`."""
    width = how.pop("width", 1280)
    context = browser.new_context(viewport={"width": width, "height": 900}, **how)
    try:
        window = Window(context.new_page()).visit(path, fragment)
        yield window
        assert not window.heard, window.heard
        own = path.resolve().as_uri()
        assert {url.partition("#")[0] for url in window.asked} == {own}, window.asked
    finally:
        context.close()
