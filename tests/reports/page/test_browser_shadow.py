"""The page of a shadow in a browser: from the tables to a replay, from there to the deal that it plays again."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from helpers.browser import a_window, module_browser
from helpers.command import roundsim

pytestmark = pytest.mark.soak
browser = pytest.fixture(scope="module")(module_browser)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shadow")
    words = "play", "nap", "new=book(bold=1)", "old=book", "--as", "shadow", "--deals", 480, "--out", "run", "--report"
    roundsim(*words, cwd=folder)
    return folder / "run"


@pytest.mark.parametrize("width", [1280, 390])
def test_from_a_table_to_a_replay_and_to_the_deal_itself(browser: Any, run: Path, width: int) -> None:
    (game,) = json.loads((run / "standings.json").read_text("utf-8"))["games"]
    swings = game["origins"]["gained"]
    with a_window(browser, run / "report.html", width=width) as window:
        page = window.page
        page.wait_for_selector("#view .board")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        links = page.locator(".swings table").first.locator("a[data-deal]")
        assert links.evaluate_all("links => links.map(link => link.dataset.deal)") == [each["deal"] for each in swings]
        address = swings[0]["deal"]
        links.first.click()
        window.opened(address)
        scenes = [page.locator("#view .now").inner_text()]
        while "answers differently" not in scenes[-1]:
            step = window.walk("ArrowRight")[0]
            scenes.append(step.now)
            assert step.at < step.steps
        assert "Here new answers differently: before it was call" in scenes[-1]
        assert "new calls" in scenes[-1]
        words = page.locator("#view .log li").nth(len(scenes) - 2).inner_text().splitlines()
        assert words[-2].endswith("(differently)") and re.fullmatch("before: old (calls|passes).*", words[-1])
        seat = int(address.split("/")[2]) - 2
        (other,) = window.walk(str((seat + 1) % 4))  # who does not see the cards does not hear of the other call
        assert "Here new answers differently. " in other.now
        entry, block, _, number = address.split("/")
        link = page.locator("#view .before a")
        assert link.inner_text() == f"{entry}/{block}/1/{number}"
        link.click()
        window.opened(f"{entry}/{block}/1/{number}")
        scene = window.scene()
        assert scene.at == len(scenes) - 1
        assert "old calls" in scene.now or "old passes" in scene.now
        assert page.locator("#view .before").is_hidden()
