"""The site that `nox -s site` has built, in a browser: every page opens, every link has a target, and search finds pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from html.parser import HTMLParser
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from helpers.browser import Window, a_browser
from helpers.command import ROOT

from roundsim import games
from roundsim.claiming.rows import kept_rows

SITE = ROOT / "build" / "site"
PAGES = sorted(SITE.rglob("*.html"))
NOT_OURS = "genindex.html", "py-modindex.html", "search.html"  # of Sphinx itself
pytestmark = [pytest.mark.soak, pytest.mark.skipif(not PAGES, reason="the site is not built: nox -s site")]


class Links(HTMLParser):
    """The links of a page, and the anchors that links may lead to."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.links, self.anchors = list[str](), set[str]()
        self.feed(page.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            elif name == "id" and value:
                self.anchors.add(value)


READ = {page.as_uri(): Links(page) for page in PAGES}


def has_target(link: str, uri: str) -> bool:
    """Return whether a link of a page leads to a file of the site, and to an anchor in it; or to another site."""
    target, _, anchor = urljoin(uri, link).partition("#")
    if not target.startswith("file:"):
        return target.startswith("https://")
    return Path(unquote(urlsplit(target).path)).is_file() and (
        not anchor or target not in READ or unquote(anchor) in READ[target].anchors
    )


def test_no_link_is_broken() -> None:
    assert not [(uri, link) for uri, page in READ.items() for link in page.links if not has_target(link, uri)]


def test_every_page_is_linked() -> None:
    """Also the pages that are not in the menu."""
    linked = {
        target
        for uri, page in READ.items()
        for target in (urljoin(uri, link).partition("#")[0] for link in page.links)
        if target != uri
    }
    assert not [page for page in PAGES if page.name not in NOT_OURS and page.as_uri() not in linked]


def test_every_game_has_its_page() -> None:
    assert {page.stem for page in PAGES if page.parent.name == "games"} == {*games.ours()}


def test_every_chapter_with_a_kept_verdict_is_on_the_page_of_claims() -> None:
    page = SITE / "reference" / "claims.html"
    chapters = {chapter for chapter, _, _ in (each.rpartition("/") for each, _ in kept_rows())}
    assert chapters <= READ[page.as_uri()].anchors
    assert chapters or "There are no verdicts yet" in page.read_text("utf-8")


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, form: str, *of: object) -> None:
        """Print nothing."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of the site on a local server: the search fetches the pages that it finds."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=SITE)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with a_browser() as found:
        yield found


@pytest.fixture
def window(browser: Any, address: str) -> Iterator[Window]:
    """A window without errors, which fetches from the site only."""
    context = browser.new_context()
    window = Window(context.new_page())
    yield window
    context.close()
    assert not window.heard, window.heard
    assert not [url for url in window.asked if not url.startswith((address, "data:"))]


def test_every_page_opens(window: Window, address: str) -> None:
    for page in PAGES:
        window.page.goto(address + page.relative_to(SITE).as_posix())
        assert window.page.locator("h1").first.is_visible() or page.name in NOT_OURS, page
        broken = window.page.evaluate(
            "[...document.images].filter(image => !image.naturalWidth).map(image => image.src)"
        )
        assert not broken, f"{page}: {broken}"


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("misere abundance", "Solo Whist"),
        ("misery", "Nap"),
        ("contest", "Hold a contest or a league"),
        ("install", "Install"),
        ("timeout", "Glossary"),
    ],
)
def test_search_finds_the_page(words: str, found: str, window: Window, address: str) -> None:
    window.page.goto(address)
    window.page.locator(".sidebar-search").fill(words)
    window.page.keyboard.press("Enter")
    window.page.locator("#search-results li a", has_text=found).first.wait_for()
    window.page.wait_for_load_state("networkidle")


def test_the_menu_has_at_most_15_lines(window: Window, address: str) -> None:
    """Before a reader opens a part of it."""
    window.page.goto(address)
    lines = [
        each for each in window.page.locator(".sidebar-tree .caption, .sidebar-tree li").all() if each.is_visible()
    ]
    assert 10 <= len(lines) <= 15


@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_the_table_on_the_front_page_plays_a_deal(width: int, window: Window, address: str) -> None:
    """Without a server that knows the deal, and without a bar to scroll by at any of its steps."""
    window.page.set_viewport_size({"width": width, "height": 900})
    window.page.goto(address)
    table = window.page.frame_locator("iframe.table")
    table.get_by_role("button", name="pause").wait_for()  # it started by itself
    table.get_by_role("button", name="first step").click()
    for step in range(1, 21):
        table.get_by_role("button", name="next step").click()
        assert f"step {step} of 20" in table.locator(".now").inner_text()
        assert table.locator("html").evaluate("page => page.scrollHeight <= page.clientHeight"), step


def test_the_table_waits_for_those_who_want_nothing_to_move(window: Window, address: str) -> None:
    window.page.emulate_media(reduced_motion="reduce")
    window.page.goto(address)
    window.page.frame_locator("iframe.table").get_by_role("button", name="play").wait_for()


def test_the_table_is_as_dark_as_the_page(window: Window, address: str) -> None:
    window.page.goto(address)
    table = window.page.frame_locator("iframe.table").locator("body")
    colours = set()
    for theme in "light", "dark":
        window.page.evaluate("theme => { document.body.dataset.theme = theme }", theme)
        window.page.wait_for_timeout(100)
        colours.add(table.evaluate("body => getComputedStyle(body).backgroundColor"))
    assert colours == {"rgb(252, 251, 247)", "rgb(22, 21, 18)"}


# For programs.


def test_every_page_is_there_as_markdown_and_listed() -> None:
    pages = {
        page.relative_to(SITE).with_suffix(".md").as_posix()
        for page in PAGES
        if page.name not in (*NOT_OURS, "deal.html")
    }
    listed = (SITE / "llms.txt").read_text("utf-8")
    assert {*re.findall(r"^- \[.+?\]\((.+?)\): \S", listed, re.M)} | {"index.md"} == pages
    assert listed.startswith("# roundsim\n\n> Play 25 old card games")
    for page in pages:
        text = (SITE / page).read_text("utf-8")
        assert text.startswith("# ") and not re.search(r"toctree|<!-- menu|<iframe|eval-rst", text), page
    assert "### `roundsim.play(" in (SITE / "reference" / "python.md").read_text("utf-8")
