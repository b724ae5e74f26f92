"""Names, words and doc strings of third-party code that try to break out of the page: they stay text."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from helpers.browser import Window, a_window, module_browser
from helpers.command import TESTS, called, roundsim

from roundsim.games import at_path

pytestmark = pytest.mark.soak
browser = pytest.fixture(scope="module")(module_browser)

LINGER = (TESTS / "outside" / "linger_longer" / "linger_longer.py").read_text("utf-8")
MARKUP = '</script></style></title><img src=x onerror=hit()><b id=evil>&amp; "it\'s" --><!--'
NAME = "<img src=x onerror=hit()>&amp;\"'"  # of a folder: without slashes
WORDS = {  # of the game, in whose place markup stands
    '"Linger Longer"': "title",
    '"Traditional"': "source",
    '"the stake"': "why",
    '"seat {winner} draws a card"': "tells",
    '"how many cards are left to be drawn"': "help",
    '"the last card dealt, which the dealer holds: its suit is trumps"': "help of a card",
    '"cards dealt to each"': "option",
    '"`play As`: follow suit if you can"': "phase",
}
STRATEGY = f'''
class Mine:
    """{MARKUP.replace('"', "")}"""

    def __init__(self, word=""):
        self.word = word

    def act(self, view):
        if view.chance.random() < 0.4:
            return self.word + "\\u2028\\u2029</script>"
        if view.chance.random() < 0.2:
            raise ValueError(self.word)
        return view.chance.choice(view.legal)
'''
FOUND = """
() => ({
  images: document.images.length,
  evil: document.querySelectorAll('#evil, [onerror], [onclick], svg[onload]').length,
  scripts: document.scripts.length,
  hit: typeof window.hit,
})
"""


def evil(word: str) -> str:
    """Markup that is known again."""
    return f"{word} {MARKUP}"


def game_of_markup(folder: Path) -> str:
    """Linger Longer in other words; its path."""
    text = LINGER
    for said, word in WORDS.items():
        assert said in text
        text = text.replace(said, repr(evil(word)))
    pool = repr(evil("pool"))
    text = text.replace('pool_names = ("pool",)', f"pool_names = ({pool},)")
    text = text.replace("self.into_pool(seat, 1,", f"self.into_pool(seat, 1, pool={pool},")
    text = text.replace("self.take_pool(last,", f"self.take_pool(last, pool={pool},")
    path = folder / "linger.py"
    path.write_text(text, "utf-8")
    game = at_path(str(path))
    assert game.title == evil("title")
    return game.id


def texts(window: Window) -> str:
    scenes = window.through()
    return "\n".join(
        text for each in scenes for text in [*each.rest, *each.board, *(text for line in each.lines for text in line)]
    )


def test_markup_from_outside_stays_text(browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUNDSIM_SEAL", "none")
    (tmp_path / "mine.py").write_text(STRATEGY, "utf-8")
    file = {
        "tournament": {"name": NAME, "strategies": [f"mine.py:Mine(word={MARKUP!r})", "random", "random"]},
        "limits": {"placed_within": 1.0},  # its deals are linked, though each has a fault
        "games": [{"game": game_of_markup(tmp_path), "deals": 9, "name": NAME.replace("img", "image")}],
    }
    (tmp_path / "t.toml").write_text(tomli_w.dumps(file), "utf-8")
    done = called("run", "t.toml", "--game", "linger.py", "--jobs", 1, "--out", NAME, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    roundsim("report", NAME, "--game", "linger.py", cwd=tmp_path)
    page = tmp_path / NAME / "report.html"
    with a_window(browser, page) as window:
        window.page.wait_for_selector("#view .board")
        shown = window.page.locator("main").inner_text()
        heads = window.page.locator("h1").inner_text() + window.page.locator(".facts").inner_text()
        assert evil("title") in heads + shown
        assert "Mine(word=" in shown and "</script>" in shown
        links = window.page.evaluate("[...document.querySelectorAll('a[data-deal]')].map(link => link.dataset.deal)")
        found = ""
        for address in dict.fromkeys(links):
            click = "address => document.querySelector(`a[data-deal=${CSS.escape(address)}]`).click()"
            window.page.evaluate(click, address)
            window.opened(address).page.evaluate("document.querySelector('details.lies').open = true")
            window.page.wait_for_selector("details.lies dt code")
            found += texts(window)
        for word in "pool", "why", "tells", "help", "help of a card":
            assert evil(word)[1:] in found, word  # a sentence begins with a capital
        assert f'illegal "{MARKUP}' in found
        assert window.page.evaluate(FOUND) == {"images": 0, "evil": 0, "scripts": 3, "hit": "undefined"}


def test_no_name_ends_the_data_of_the_page(browser: Any, tmp_path: Path) -> None:
    """Strategies are named with what ends a script, a comment or a line of JavaScript."""
    names = [
        f"mine.py:Mine(word={word!r})" for word in ("</SCRIPT >", "<!--<script>", "\u2028\u2029", "\\u003c", "]]>")
    ]
    (tmp_path / "mine.py").write_text(
        'class Mine:\n    """Mine"""\n    def __init__(self, word=""): pass\n    def act(self, view): return view.legal[0]\n',
        "utf-8",
    )
    roundsim("play", "nap", *names, "--deals", 5, "--jobs", 1, "--out", "run", cwd=tmp_path)
    roundsim("report", "run", cwd=tmp_path)
    (game,) = json.loads((tmp_path / "run" / "standings.json").read_text("utf-8"))["games"]
    labels = [row["strategy"] for row in game["rows"]]
    with a_window(browser, tmp_path / "run" / "report.html") as window:
        window.page.wait_for_selector("#view .board")
        assert window.page.locator("table.std.main tbody th").all_text_contents() == labels
        seats = window.page.locator("#view .seat .nm b").all_text_contents()
        assert sorted(set(seats)) == sorted(labels)
        assert window.page.evaluate(FOUND)["scripts"] == 3


def test_letters_of_all_the_world_are_names(browser: Any, tmp_path: Path) -> None:
    """Long ones, too, for which a phone has no room in a line."""
    names = ["Ω", "İ", "имя-1", "名前", "a" * 40, "名" * 40]
    words = [f"{name}=random" for name in names]
    roundsim("play", "nap", *words, "--deals", 1, "--jobs", 1, "--out", "run", cwd=tmp_path)
    roundsim("report", "run", cwd=tmp_path)
    with a_window(browser, tmp_path / "run" / "report.html", width=390) as window:
        window.page.wait_for_selector("#view .board")
        assert sorted(window.page.locator("table.std.main tbody th").all_text_contents()) == sorted(names)
        assert window.page.evaluate("document.documentElement.scrollWidth") <= 390
