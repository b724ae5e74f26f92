"""Pages for the public, of runs and leagues with few entries and with many: in every width, light, dark and printed, no
text lies over another, nothing is cut, and the figures of the ranks come first."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from helpers.blocks import block_of, fold_of, strategies_of
from helpers.browser import a_window, module_browser
from helpers.command import roundsim
from helpers.layout import FAULTS
from helpers.pages import ABOUT, plain

from roundsim.reports.page import report_page
from roundsim.reports.page.extras import EntryExtras
from roundsim.tournament.formats.round_robin import RoundRobin
from roundsim.tournament.judging.standings import compute_standings
from roundsim.tournament.planning.plan import Entry, Limits, Tournament

browser = pytest.fixture(scope="module")(module_browser)
large = partial(pytest.param, marks=pytest.mark.soak)

A4 = 688  # pixels between the margins of the page
LAST = "the_last_of_them_has_a_long_name"
WIDTHS = 390, 1280, 1920
OPEN = "for (const each of document.querySelectorAll('details:not(.menu)')) each.open = true"
CELLS = "row => [...row.cells].filter(cell => cell.checkVisibility()).map(cell => cell.innerText.trim())"
ENTRY = "games = ['nap']\n\ndef act(view):\n    return view.legal[view.chance.randrange({}) % len(view.legal)]\n"


@pytest.fixture(scope="module", params=[4, 12, large(40), large(200)])
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a contest at tables of four. The last entrant loses 40 to 56 counters in each block of its own."""
    path = tmp_path_factory.mktemp("many") / "page.html"
    path.write_text(page_of(request.param), "utf-8")
    return path


def page_of(number: int) -> str:
    names = [f"entrant {at}" if at % 3 else f"entrant_with_a_long_name_{at}" for at in range(number - 1)] + [LAST]
    entry = Entry("nap", "nap", RoundRobin(4, 16), {}, strategies_of(names), 15 * number, cap=15 * number)
    chance, blocks = Random(number), list[Any]()
    for block in range(1, entry.blocks + 1):
        table = chance.sample(range(number), 4)
        nets = [chance.randrange(-8, 9) + (who % 7) for who in table[1:]]
        if number - 1 in table:
            table.remove(number - 1)
            table.append(number - 1)
            nets = [*[16 + chance.randrange(-8, 9) for _ in table[1:-1]], -56 + chance.randrange(16)]
        blocks.append(block_of(block, table, [-sum(nets), *nets]))
    tournament = Tournament("Spring contest", "round-robin", 1, Limits(), (entry,))
    return report_page(compute_standings(tournament, [fold_of(entry, blocks)]), [EntryExtras()], ABOUT)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_text_is_cut_or_lies_over_another(page: Path, browser: Any, width: int, scheme: str) -> None:
    """Without a script: as it opens, and with all that opens open."""
    with a_window(browser, page, width=width, color_scheme=scheme, java_script_enabled=False) as window:
        assert window.page.evaluate(FAULTS) == []
        window.page.evaluate(OPEN)
        assert window.page.evaluate(FAULTS) == []


def test_no_text_is_cut_on_paper(page: Path, browser: Any) -> None:
    with a_window(browser, page, width=A4) as window:
        window.page.emulate_media(media="print")
        assert window.page.evaluate(FAULTS) == []


@pytest.mark.parametrize("width", WIDTHS)
def test_rank_name_and_net_come_first_and_the_rest_opens(page: Path, browser: Any, width: int) -> None:
    """The last one, off the scale, shows its minus sign. All is there without a script."""
    with a_window(browser, page, width=width, java_script_enabled=False) as window:
        assert window.page.title() == "Spring contest · roundsim"
        rows = window.page.locator("table.std.main tbody tr")
        rank, name, interval, net, error = map(plain, rows.last.evaluate(CELLS))
        assert (rank, name, interval) == (str(rows.count()), LAST, "◀ off the scale")
        assert float(net) < -2 and net.startswith("-") and error
        assert rows.first.locator("svg.ivs path.w").count() == 1
        window.page.evaluate(OPEN)
        assert len(rows.last.evaluate(CELLS)) > 5


RULES = """
title = "Nap at the Feathers, winter 2026"
[round]
deals = {}
least = 10
[limits]
isolate = "off"
[[games]]
game = "nap"
players = 4
"""


@pytest.fixture(scope="module", params=[12, 200])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of a league after two rounds, with a broken entry besides the others."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "entries").mkdir()
    for at in range(request.param):
        name = f"entrant_{at}" if at % 3 else f"entrant_with_a_long_name_{at}"
        (folder / "entries" / f"{name}.py").write_text(ENTRY.format(at + 1), "utf-8")
    (folder / "entries" / "broken.py").write_text("def act(view:\n", "utf-8")
    (folder / "league.toml").write_text(RULES.format(40 * request.param), "utf-8")
    for _ in range(2):
        roundsim("league", folder, cwd=folder)
    return folder / "site"


@pytest.mark.soak
@pytest.mark.parametrize("width", [*WIDTHS, A4])
def test_the_site_of_a_league_is_not_cut_either(site: Path, browser: Any, width: int) -> None:
    rounds = sorted(site.glob("rounds/*.html"))
    of_entries = [site / "entries" / f"entrant_{name}.html" for name in ("1", "with_a_long_name_9")]
    for path in site / "index.html", *of_entries, site / "verify.html", *rounds:
        with a_window(browser, path, width=width) as window:
            window.page.emulate_media(media="print" if width == A4 else "screen")
            assert window.page.evaluate(FAULTS) == [], path
            window.page.evaluate(OPEN)
            assert window.page.evaluate(FAULTS) == [], path
            bar, theme = (window.page.locator(f"nav.bar {inner}").bounding_box() for inner in ("> div", "#theme"))
            assert width == A4 or bar["height"] < 60 and theme["x"] + theme["width"] < width, path
            number = f" · round {rounds.index(path) + 1}" if path in rounds else ""
            assert window.page.title().endswith(f"Nap at the Feathers, winter 2026{number} · roundsim")


@pytest.mark.soak
@pytest.mark.parametrize("format", ["round-robin", "freeze-out"])
@pytest.mark.parametrize("width", [*WIDTHS, A4])
def test_the_pages_of_several_games_and_of_freeze_outs_are_not_cut(
    format: str, width: int, runs: Path, browser: Any
) -> None:
    with a_window(browser, runs / format / "report.html", width=width) as window:
        window.page.emulate_media(media="print" if width == A4 else "screen")
        window.page.evaluate(OPEN)
        assert window.page.evaluate(FAULTS) == []


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three games of twelve strategies, and freeze-outs of as many."""
    folder = tmp_path_factory.mktemp("runs")
    who = ["book", "random", f"{LAST}=random", *[f"entrant-{at}=random" for at in range(9)]]
    given = "--jobs", 1, "--report", "--quiet", "--out"
    roundsim("play", "nap,loo,brag", *who, "--deals", 600, *given, "round-robin", cwd=folder)
    amount = "--as", "freeze-out", "--option", "stakes=table", "--times", 20
    roundsim("play", "straight-poker", *who, *amount, *given, "freeze-out", cwd=folder)
    return folder
