"""The figures of the page, read in a browser: those of `standings.json`, in the digits of the terminal."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import tomli_w
from helpers.browser import Window, a_window, module_browser
from helpers.command import roundsim

pytestmark = pytest.mark.soak
browser = pytest.fixture(scope="module")(module_browser)

NAP, POPE = {"game": "nap", "deals": 400}, {"game": "pope-joan", "name": "pope", "deals": 300}
BRAG = {"game": "brag", "players": 3, "deals": 500, "strategies": ["book", "book(bluff=2)", *["random"] * 4]}
FILES: dict[str, dict[str, Any]] = {
    "evening": {
        "tournament": {"format": "progressive", "strategies": [*["book"] * 3, *["expert"] * 2, *["random"] * 3]},
        "games": [{"game": "nap", "times": 12, "stake": 50, "rounds": 10}],
    },
    "knock-out": {"tournament": {"format": "knock-out"}, "games": [BRAG]},
    "season": {
        "tournament": {"strategies": ["book", "random", "random"]},
        "games": [NAP, {**POPE, "strategies": ["book", "book", "random"]}, {"game": "vingt-un", "deals": 300}],
    },
}
COMMANDS = {
    "round-robin": "play nap book random expert --deals 500",
    "two": "play loo book random --deals 400",
    "freeze-out": "play straight-poker book random random --option stakes=table --times 15",
    "gate": "gate nap new=book random",
    "until": "play nap book random random --deals 2000 --until 'book - random > 0'",
    **{name: f"run {name}.toml" for name in FILES},
}
FIRST = ("net_per_deal", "error"), ("mean_place", "error"), ("yellows", "yellows_error")
COUNTED = {"counters", "fresh_stakes"}
OTHERS = {"won", "ahead", "head", "most", "booby", *COUNTED}  # shares, except these
SPACES = str.maketrans({"\N{NARROW NO-BREAK SPACE}": " ", "\N{THIN SPACE}": " ", "\N{NO-BREAK SPACE}": " "})
TABLES = """
selector => [...document.querySelectorAll(selector)].map(table => [...table.tBodies].flatMap(body => [...body.rows]).map(
  row => [...row.cells].map(cell => [cell.className, cell.innerText.trim()])))
"""


class Shown(NamedTuple):
    """A run, what programs read of it, and its page."""

    folder: Path
    data: Any
    window: Window

    def tables(self, selector: str) -> list[list[list[tuple[str, str]]]]:
        found: list[list[list[tuple[str, str]]]] = self.window.page.evaluate(TABLES, selector)
        return found


@pytest.fixture(scope="module", params=COMMANDS)
def shown(request: pytest.FixtureRequest, browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    folder = tmp_path_factory.mktemp("figures")
    for name, data in FILES.items():
        file = {**data, "tournament": {"name": name, **data["tournament"]}}
        (folder / f"{name}.toml").write_text(tomli_w.dumps(file), "utf-8")
    roundsim(*shlex.split(COMMANDS[request.param]), "--jobs", 1, "--out", "run", cwd=folder)
    roundsim("report", "run", cwd=folder)
    standings = json.loads((folder / "run" / "standings.json").read_text("utf-8"))
    with a_window(browser, folder / "run" / "report.html") as window:
        window.page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
        yield Shown(folder / "run", standings, window)


def plain(text: str) -> str:
    """Return a text of the terminal: ASCII, no sign before an error."""
    return text.translate(SPACES).replace("−", "-").replace("–", "-").removeprefix("±").strip()


def in_markdown(folder: Path) -> list[list[dict[str, list[str]]]]:
    """The tables of the terminal, a row as its cells under each heading."""
    tables: list[list[dict[str, list[str]]]] = []
    heads: list[str] = []
    for line in roundsim("standings", folder, "--format", "md", cwd=folder).stdout.splitlines():
        cells = [cell.strip().replace("\\\\|", "|") for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            heads = []
        elif not heads:
            heads = cells
            tables.append([])
        elif not cells[0].startswith("-"):
            row: dict[str, list[str]] = {}
            for head, cell in zip(heads, cells, strict=True):
                row.setdefault(head, []).append(cell)
            tables[-1].append(row)
    return tables


def figures_of(row: dict[str, list[str]], game: Any) -> list[str]:
    """The figures of a row of the terminal, without `ahead` and its error for a shadow."""
    if game["origins"]:
        (error,) = row.keys() & {"± 95 %", "± if fixed"}
        row = {**row, "ahead": [], error: row[error][:1]}
    return sorted(cell for head, cells in row.items() if head not in ("rank", "likely", "strategy") for cell in cells)


def rounds_to(text: str, value: float | None, scale: float = 1.0) -> bool:
    """Whether a cell of the page is this number of the JSON, which has six digits."""
    text = plain(text).removeprefix("~").removesuffix("%").replace(" ", "")
    if value is None:
        return text == "-"
    least = 10.0 ** -len(text.partition(".")[2])
    return abs(float(text) - value * scale) <= least / 2 + abs(value * scale) * 1e-5


def test_the_tables_say_what_the_terminal_says(shown: Shown) -> None:
    """Cell by cell, in the same order of rows."""
    there = [table for table in in_markdown(shown.folder) if "likely" in table[0] and "score" not in table[0]]
    tables = shown.tables("table.std.main:not(.short)")
    assert len(tables) == len(there) == len(shown.data["games"])
    for table, rows, game in zip(tables, there, shown.data["games"], strict=True):
        assert len(table) == len(rows)
        for cells, row in zip(table, rows, strict=True):
            texts = [plain(text) for kind, text in cells if not {"iv", "dl"} & {*kind.split()}]
            assert texts[:3] == [*row["rank"], *row["strategy"], *row["likely"]]
            assert sorted(texts[3:]) == figures_of(row, game)


def test_the_tables_say_what_the_json_says(shown: Shown) -> None:
    for table, game in zip(shown.tables("table.std.main:not(.short)"), shown.data["games"], strict=True):
        for cells, row in zip(table, game["rows"], strict=True):
            named = {kind: text for kind, text in cells}
            texts = [text for kind, text in cells if not {"iv", "dl"} & {*kind.split()}]
            low, high = row["likely"]
            assert plain(texts[2]) == (f"{low}-{high}" if low < high else f"{low}")
            first, error = next((key, key_of_error) for key, key_of_error in FIRST if key in row)
            assert rounds_to(named["net"], row[first]) and rounds_to(named["pm"], row[error]), (cells, row)
            for key in (OTHERS - {"ahead"} if game["origins"] else OTHERS) & row.keys():
                scale = 1 if key in COUNTED else 100
                assert any(rounds_to(text, row[key], scale) for text in texts[3:] if ("%" in text) == (scale > 1)), key
            assert plain(texts[-1]) == str(sum(row["faults"].values()))


def interval_of(each: dict[str, Any], sign: int = 1) -> list[float | None]:
    """The error of a difference; its two limits, if a rule may stop the run."""
    if each.get("low") is None:
        return [each["error"]]
    low, high = each["low"], each["high"]
    return [low, high] if sign > 0 else [-high, -low]


def test_every_pair_is_in_the_table_and_in_words(shown: Shown) -> None:
    """Row less column with its error, and again in words. Colours show which differences are significant.

    A shadow has one difference, and its own section for it."""
    crossed, games = shown.tables("table.cross"), [game for game in shown.data["games"] if not game["origins"]]
    for table, game in zip(crossed, (game for game in games if game["differences"]), strict=True):
        names = [re.sub(r"^\d+", "", row[0][1]).strip() for row in table]
        for each in game["differences"]:
            one, other = names.index(each["one"]), names.index(each["other"])
            for row, column, sign in (one, other, 1), (other, one, -1):
                kind, text = table[row][column + 1]
                value, _, error = plain(text).partition("\n")
                texts, figures = [value, *error.split(" to ")], [sign * each["difference"], *interval_of(each, sign)]
                assert all(map(rounds_to, texts, figures)) and len(texts) == len(figures), (text, each)
                assert (kind != "eq") == each["apart"]
    sentences = shown.window.page.locator(".pairs li").all_inner_texts()
    assert len(sentences) == sum(len(game["differences"]) for game in games)
    for line, each in zip(sentences, (each for game in games for each in game["differences"]), strict=True):
        named, _, words = plain(line).partition(": ")
        expected = [each["difference"], *(number for number in interval_of(each) if number is not None)]
        numbers = re.findall(r"[+-]?\d[\d .]*\d", words)[: len(expected)]
        assert named == f"{each['one']} less {each['other']}"
        assert all(map(rounds_to, numbers, expected)) and len(numbers) == len(expected)
        assert ("not significant" in words) == (not each["apart"])


def test_the_places_are_those_of_the_json(shown: Shown) -> None:
    tables = shown.tables("table.std.places")
    for table, game in zip(tables, (game for game in shown.data["games"] if game["places"]), strict=True):
        for cells, place in zip(table, game["places"], strict=True):
            assert cells[0][1] == place["place"]
            assert rounds_to(cells[2][1], place["net_per_deal"]) and rounds_to(cells[3][1], place["error"])


def test_all_games_together_are_those_of_the_json(shown: Shown) -> None:
    tables = shown.tables("table.std.main.short")
    assert len(tables) == bool(shown.data["all"])
    for table in tables:
        for cells, row in zip(table, shown.data["all"], strict=True):
            named = {kind: text for kind, text in cells}
            assert cells[1][1] == row["strategy"]
            assert rounds_to(named["net"], row["score"]) and rounds_to(named["pm"], row["error"])


def test_a_figure_that_opens_a_deal_is_the_net_of_that_deal(shown: Shown) -> None:
    """By the log, for the strategy of the row."""
    lines = roundsim("log", shown.folder, "--format", "json", cwd=shown.folder).stdout.splitlines()
    deals = {deal["deal"]: deal for deal in map(json.loads, lines)}
    links = shown.window.page.evaluate(
        """() => [...document.querySelectorAll('table.std.main td.dl a[data-deal]')].map(link => [link.dataset.deal,
             +link.hash.match(/seat=(\\d+)/)[1], link.textContent, link.closest('tr').querySelector('th').textContent])"""
    )
    assert links
    for address, seat, text, strategy in links:
        assert deals[address]["net"][seat] == int(plain(text)) and deals[address]["seats"][seat] == strategy


def test_the_verdict_claims_no_more_than_the_intervals(shown: Shown) -> None:
    """An entrant that "is ahead of" another differs significantly in the JSON, by "at least" the end of the interval."""
    text = plain(shown.window.page.locator("main").inner_text().split("Standings")[0])
    for game in shown.data["games"] if len(shown.data["games"]) == 1 else []:
        apart = {(each["one"], each["other"]): each for each in game["differences"] if each["apart"]}
        for one, others, least in re.findall(r"^(\S+) is ahead of (.+?) by at least ([\d.]+) ", text, re.M):
            for other in re.split(r",? and |, ", others):
                assert (one, other) in apart, (one, other)
                found = apart[one, other]
                low = found["low"] if "low" in found else found["difference"] - found["error"]
                assert float(least) <= low + 0.005
