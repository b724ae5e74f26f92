"""The page of a run, read; and pages of runs whose nets are given."""

from __future__ import annotations

from collections.abc import Sequence
from html.parser import HTMLParser

from helpers.blocks import DEALS as DEALS
from helpers.blocks import block_of, fold_of, strategies_of

from roundsim.reports.page import report_page
from roundsim.reports.page.extras import About, EntryExtras
from roundsim.tournament.formats import Format
from roundsim.tournament.formats.round_robin import RoundRobin
from roundsim.tournament.judging.standings import compute_standings
from roundsim.tournament.planning.plan import Entry, Limits, Stopping, Tournament

ABOUT = About("parlour-8c1f04", "roundsim play nap a b", "", "", "")
EVIL = "</script><img src=x onerror=\"alert('1')\">&amp;<!--"


class Read(HTMLParser):
    """A page of HTML: tags with their attributes, texts, rows of tables."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.raw: dict[str, list[str]] = {"style": [], "script": []}
        self.words: list[str] = []
        self.rows: dict[str, list[list[str]]] = {}  # by section and class of the table
        self.section, self.table, self.inside = "", "", ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.tags.append((tag, given))
        if tag == "section":
            self.section = given.get("id") or ""
        elif tag == "table":
            self.table = f"{self.section}/{(given.get('class') or '').split(' ')[0]}"
            self.rows.setdefault(self.table, [])
        elif tag == "tr" and self.table:
            self.rows[self.table].append([])
        elif tag in ("td", "th") and self.table:
            self.rows[self.table][-1].append("")
        elif tag in self.raw:
            self.inside = tag
            self.raw[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == "table":
            self.table = ""
        elif tag == self.inside:
            self.inside = ""

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.raw[self.inside][-1] += data
            return
        self.words.append(data)
        if self.table and self.rows[self.table] and self.rows[self.table][-1]:
            self.rows[self.table][-1][-1] += data

    @property
    def text(self) -> str:
        return plain(" ".join("".join(self.words).split()))

    def body(self, table: str) -> list[list[str]]:
        """The rows of a table, without its head."""
        return [[plain(cell.strip()) for cell in row] for row in self.rows[table][1:]]


def plain(text: str) -> str:
    """Return a text with the signs of the terminal."""
    for ours, theirs in ("\u2212", "-"), ("\u2013", "-"), ("\u202f", " "), ("\u00a0", " "):
        text = text.replace(ours, theirs)
    return text


def entry_of(names: Sequence[str], format: Format, game: str = "nap", name: str = "", blocks: int = 100) -> Entry:
    return Entry(name or game, game, format, {}, strategies_of(names), blocks, cap=400)


def by_hand(
    names: Sequence[str],
    nets: Sequence[Sequence[int]],
    looks: Sequence[EntryExtras] = (EntryExtras(),),
    stopping: Stopping | None = None,
) -> Read:
    """The page of a game of Nap with these nets by seat in each block, all entrants in order at one table."""
    entry = entry_of(names, RoundRobin(len(names), DEALS // len(names)), blocks=len(nets))
    rows = [block_of(number, range(len(names)), each) for number, each in enumerate(nets, 1)]
    tournament = Tournament("nap", "round-robin", 1, Limits(), (entry,), stopping)
    return Read(report_page(compute_standings(tournament, [fold_of(entry, rows)]), looks, ABOUT))
