"""The page of a run in a browser: it fetches nothing, and its deals are opened, stepped and looked at by links and keys."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from helpers.browser import Window, a_window, figure, module_browser
from helpers.command import roundsim

from roundsim.running import Run

pytestmark = pytest.mark.soak
browser = pytest.fixture(scope="module")(module_browser)

FORBIDDEN = """
async expected => {
  const refused = [];
  document.addEventListener('securitypolicyviolation', event => refused.push(event.effectiveDirective));
  const add = (tag, properties) => document.body.append(Object.assign(document.createElement(tag), properties));
  add('script', {textContent: 'window.ran = 1'});
  add('script', {src: 'data:text/javascript,window.ran=1'});
  add('img', {src: 'https://roundsim.invalid/pixel.png'});
  add('link', {rel: 'stylesheet', href: 'https://roundsim.invalid/style.css'});
  add('iframe', {src: 'data:text/html,framed'});
  add('object', {data: 'https://roundsim.invalid/object'});
  add('base', {href: 'https://roundsim.invalid/'});
  const button = document.createElement('button'), form = document.createElement('form');
  button.setAttribute('onclick', 'window.ran = 1');
  button.setAttribute('style', 'color: red');
  form.action = 'https://roundsim.invalid/';
  document.body.append(button, form);
  button.click();
  form.submit();
  await fetch('https://roundsim.invalid/data').catch(() => 0);
  try { new WebSocket('wss://roundsim.invalid/'); } catch { /* refused at once */ }
  setTimeout('window.ran = 1');
  for (let n = 0; new Set(refused).size < expected && n < 600; n++) await new Promise(resolve => setTimeout(resolve, 50));
  return {refused: [...new Set(refused)].sort(), ran: window.ran ?? null, base: document.baseURI};
}
"""
REFUSED = """
base-uri connect-src form-action frame-src img-src object-src script-src script-src-attr script-src-elem style-src-attr
style-src-elem
"""


@pytest.fixture(scope="module")
def page(parlour: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    roundsim("report", parlour.folder, "--out", "page.html", cwd=folder)
    return folder / "page.html"


@pytest.fixture(scope="module")
def opened(page: Path, browser: Any) -> Iterator[Window]:
    with a_window(browser, page) as window:
        yield window


@pytest.fixture
def window(opened: Window, page: Path) -> Iterator[Window]:
    """The same one for all, with the page opened again."""
    opened.page.goto("about:blank")
    opened.visit(page).page.wait_for_selector("#view .board")
    yield opened
    assert not opened.heard, opened.heard


def links_in(window: Window) -> Any:
    """Return the links in the standings, in the columns that open."""
    window.page.evaluate("document.querySelector('details.columns').open = true")
    return window.page.locator("table.std.main a[data-deal]")


def first_link(window: Window) -> Any:
    return links_in(window).first


def opened_first(window: Window) -> str:
    link = first_link(window)
    address: str = link.get_attribute("data-deal")
    link.click()
    window.opened(address)
    return address


def test_the_policy_forbids_whatever_is_not_in_the_file(page: Path, browser: Any) -> None:
    """Every attempt is refused, and no request leaves the browser."""
    with closing(browser.new_context()) as context:
        window = Window(context.new_page()).visit(page)
        sent: list[Any] = []
        window.page.on("request", lambda request: sent.append(request))
        tried = window.page.evaluate(FORBIDDEN, len(REFUSED.split()))
        assert tried["refused"] == sorted(REFUSED.split())
        assert tried["ran"] is None and tried["base"] == page.resolve().as_uri()
        assert {each.failure for each in sent if each.url.startswith(("http", "ws"))} <= {"csp"}


def test_the_first_deal_lies_on_the_table_and_all_is_quiet(window: Window) -> None:
    """When the window closes, the fixture checks that there was no message and no request."""
    assert window.scene().at == 0 and window.page.url.endswith("page.html")
    assert window.page.evaluate("document.activeElement === document.body")


def test_a_link_opens_a_deal_at_its_step_from_its_seat(page: Path, browser: Any) -> None:
    """A step or a seat that does not exist is replaced by the nearest step, or by none."""
    with a_window(browser, page) as window:
        address = first_link(window).get_attribute("data-deal")
    with a_window(browser, page, f"#deal={address}&step=3&seat=1") as window:
        scene = window.opened(address).scene()
        assert scene.at == 3 and scene.now.startswith(f"step 3 of {scene.steps}")
        assert window.page.input_value(".seatpick select") == "1"
        assert window.page.get_attribute("text=all open", "aria-pressed") == "false"
        assert "a card face down" in scene.seats[0] and "a card face down" not in scene.seats[1]
        scene = window.deal(address, "&step=9999&seat=77").scene()
        assert scene.at == scene.steps
        assert window.deal(address, "&step=-3&seat=x").scene().at == 0


@pytest.mark.parametrize("address", ["nap/99/1/1", "%3Cimg%20src=x%20onerror=hit()%3E", "<b>x</b>", "__proto__", ""])
def test_a_deal_that_is_not_in_the_file_is_said_not_to_be(address: str, page: Path, browser: Any) -> None:
    with a_window(browser, page, f"#deal={address}") as window:
        text = window.page.text_content("#view [role=status]")
        assert "is not in this file" in text and "roundsim replay" in text
        assert not window.page.locator("#view b, img").count()


def test_back_and_forward_go_from_deal_to_deal(window: Window) -> None:
    links = links_in(window)
    one, other = (each.get_attribute("data-deal") for each in (links.nth(0), links.nth(2)))
    assert one != other
    links.nth(0).click()
    window.opened(one).press("ArrowRight", "ArrowRight")
    links.nth(2).click()
    window.opened(other)
    window.page.go_back()
    assert window.opened(one).scene().at == 2
    window.page.go_forward()
    assert window.opened(other).scene().at == 0


def test_the_address_is_a_link_to_the_step(window: Window, page: Path, browser: Any) -> None:
    address = opened_first(window)
    window.press("ArrowRight", "ArrowRight", "2")
    there = window.page.url.partition("#")[2]
    assert there == f"deal={address}&step=2&seat=2"
    with a_window(browser, page, f"#{there}") as another:
        assert another.opened(address).scene() == window.scene()


def test_keys_step_and_turn_the_table(window: Window) -> None:
    address = opened_first(window)
    steps = window.scene().steps
    keys = "ArrowRight", "End", "ArrowRight", "ArrowLeft", "Home", "ArrowLeft"
    assert [window.press(key).scene().at for key in keys] == [1, steps, steps, steps - 1, 0, 0]
    assert window.press("ArrowRight").scene().at == 1
    assert window.press("2").scene().command.endswith(f":{address} --seat 2")
    assert window.press("7").scene().command.endswith("--seat 2")  # there is no such seat
    hidden = "a card face down" in window.scene().board
    assert hidden and "a card face down" not in window.press("o").scene().board
    assert window.scene().command.endswith(f":{address}")
    assert "a card face down" in window.press("o").scene().board
    legal = window.page.locator("#view .legal")
    assert legal.is_visible() and not window.press("l").page.locator("#view .legal").is_visible()
    assert window.press("l").page.locator("#view .legal").is_visible()


def test_keys_go_from_deal_to_deal_in_the_order_of_the_file(window: Window) -> None:
    """At either end they do nothing; the browser's own way back works."""
    data = json.loads(window.page.locator("#deals-data").text_content() or "")
    addrs = [addr for group in data["groups"] for addr in group["addrs"]]
    window.deal(addrs[0]).page.locator("#view").focus()
    window.press("b", "ArrowRight")
    assert window.scene().at == 1 and f"deal={addrs[0]}" in window.page.url
    for addr in addrs[1:4]:
        assert window.press("n").opened(addr).scene().at == 0 and f"deal={addr}&step=0" in window.page.url
    assert window.press("b").opened(addrs[2]).press("n").opened(addrs[3])
    window.page.go_back()
    window.opened(addrs[2]).deal(addrs[-1]).press("n", "ArrowRight")
    assert window.scene().at == 1 and f"deal={addrs[-1]}" in window.page.url


def test_p_plays_on_until_it_is_pressed_again(window: Window) -> None:
    opened_first(window)
    play = window.page.get_by_role("button", name="pause", exact=True)
    window.press("p")
    play.wait_for()
    window.page.wait_for_function("() => +document.querySelector('#view input[type=range]').value >= 2")
    window.press("p")
    at = window.scene().at
    window.page.get_by_role("button", name="play", exact=True).wait_for()
    assert at >= 2 and window.press("ArrowLeft").scene().at == at - 1


def test_the_slider_goes_where_it_is_drawn(window: Window) -> None:
    opened_first(window)
    slider = window.page.get_by_role("slider", name="step")
    slider.focus()
    window.press("ArrowRight", "ArrowRight", "ArrowLeft")
    assert window.scene().at == 1 and slider.get_attribute("aria-valuetext") == f"step 1 of {window.scene().steps}"
    window.press("End")
    assert window.scene().at == window.scene().steps
    slider.fill("3")
    assert window.scene().at == 3 and "step=3" in window.page.url


def test_keys_go_on_after_a_button_and_other_keys_are_left_to_the_browser(window: Window) -> None:
    opened_first(window)
    steps = window.scene().steps
    assert window.press("Control+ArrowRight", "Alt+o").scene().at == 0
    window.page.get_by_role("button", name="next step").focus()
    assert window.press(*["Enter"] * steps).scene().at == steps
    assert window.press("ArrowLeft").scene().at == steps - 1
    window.page.locator("#theme").focus()
    assert window.press("ArrowRight", "Home", "2").scene().at == steps - 1


def test_the_focus_skips_the_bar_and_goes_through_the_view_in_the_order_of_the_eye(window: Window) -> None:
    window.press("Tab")
    assert window.page.evaluate("document.activeElement.className") == "skip"
    window.press("Enter")
    assert window.page.evaluate("document.activeElement.id") == "main"
    opened_first(window)
    assert window.page.evaluate("document.activeElement.tagName") == "H3"
    window.press("ArrowRight")
    names = []
    name = "(e => e.getAttribute('aria-label') || e.labels?.[0]?.textContent || e.textContent)(document.activeElement)"
    for _ in range(13):
        names.append(window.press("Tab").page.evaluate(name))
    assert names[0].startswith("from ")
    assert names[1:9] == ["all open", "first step", "step back", "play", "next step", "last step", "legal", "step"]
    assert re.match(r"1\w", names[9]) and names[10:12] == ["copy", "copy link"]
    assert names[12].endswith("by its public names")


def test_a_screen_reader_hears_the_step(window: Window) -> None:
    opened_first(window)
    live = window.page.locator("#view [aria-live=polite]")
    window.press("ArrowRight")
    assert live.count() == 1 and live.text_content() == window.scene().now
    assert window.scene().now.startswith("step 1 of")


@pytest.mark.parametrize("seat", [None, 1])
def test_the_command_replays_the_deal(seat: int | None, window: Window, parlour: Run, tmp_path: Path) -> None:
    """The words are a command that works next to the run."""
    address = opened_first(window)
    if seat is not None:
        window.press(str(seat))
    words = window.scene().command.split()
    assert words[:2] == ["roundsim", "replay"] and words[2] == f"{parlour.folder.name}:{address}"
    replayed = roundsim(*words[1:], cwd=parlour.folder.parent).stdout
    steps = re.findall(r"^ *\d+  seat (\d)  \S+ +(?:\S+ ?)+?  +(.*)$", replayed, re.M)
    scene = window.scene()
    assert len(steps) == scene.steps
    names = {f"{at}": label for at, label in enumerate(re.findall(r"\d (\S+)", replayed.splitlines()[1]))}
    assert all(names[who] in scene.words(at) for at, (who, _) in enumerate(steps, 1))


def test_the_page_of_a_deal_opens_it(parlour: Run, browser: Any, tmp_path: Path) -> None:
    deal = json.loads(roundsim("log", parlour.folder, "--format", "json", cwd=tmp_path).stdout.splitlines()[4])
    address = deal["deal"]
    said = roundsim("report", f"{parlour.folder}:{address}", cwd=tmp_path).stdout
    path = tmp_path / f"{address.replace('/', '-')}.html"
    assert said == f"wrote {path.name}\n"
    with a_window(browser, path) as window:
        assert window.opened(address).through()[-1].nets == deal["net"]
        rows = [each.split() for each in window.page.locator("table.nets tbody tr").all_inner_texts()]
        assert [figure(row[-1]) for row in rows] == deal["net"]
        assert [row[-2] for row in rows] == deal["seats"]


def test_the_button_turns_the_page_dark_and_back(window: Window) -> None:
    colour = "getComputedStyle(document.body).backgroundColor"
    light = window.page.evaluate(colour)
    window.page.click("#theme")
    dark = window.page.evaluate(colour)
    window.page.click("#theme")
    assert window.page.evaluate(colour) == light != dark


def test_without_scripts_all_but_the_table_is_there(page: Path, browser: Any) -> None:
    with a_window(browser, page, java_script_enabled=False) as window:
        body = window.page.locator("body").inner_text()
        assert "The table view needs JavaScript" in body and "Differences between pairs" in body
        assert window.page.locator("table.std.main tbody tr").count() == 3
        assert not window.page.locator("button:visible").count()
