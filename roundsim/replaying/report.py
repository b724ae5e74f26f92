"""`roundsim report`: the page of a run, of one of its deals, or of what differs between two runs."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Collection, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from markupsafe import escape

from ..base.errors import LogError
from ..base.version import __version__
from ..reports.page import page_of_deal, page_of_diff, report_page
from ..reports.page.extras import About
from ..reports.page.packing import Room, ShownDeals
from ..reports.page.render import MADE_BY
from ..reports.terminal import not_whole
from ..tournament.commands import recorded_commands
from ..tournament.judging.diff import diff
from ..tournament.judging.standings import compute_standings
from ..tournament.planning.plan import Tournament
from ..tournament.storage.folder import RunFolder
from ..tournament.storage.layout import PAGE
from ..tournament.storage.shards import read_file
from ..tournament.storage.totals import finished_totals
from ..tournament.storage.writing import write_named
from .logged import address_in
from .selection import Choice, deals_data

SIZE = 1_900_000  # bytes of the file, which deals may fill
BATCH = 2000  # deals to record first, and more than there seems to be room for then

MAKER = re.compile('<meta name="generator" content="roundsim ([^",]+), zlib [^"]*">')


class WrittenPage(NamedTuple):
    """A page that was written, and what the run lacks: "3 shards are not played yet"."""

    path: Path
    lacking: str


def write_report(folder: RunFolder, path: Path | None = None, verified: str = "") -> WrittenPage:
    """Write the page of a run, into its folder if no other file is named. LogError, FolderError."""
    text, about = render_run_page(folder, verified)
    path = path or folder.path / PAGE
    write_named(path, text.encode())
    return WrittenPage(path, about.lacking)


def render_run_page(folder: RunFolder, verified: str = "", name: str = "", title: str = "") -> tuple[str, About]:
    """Return the page, and what it says of the run. `verified`: the result of `verify`, in words; `name`: the name of
    the folder, if the page should use another; `title`: that of the page, if it is not the tournament's. LogError if the
    log is not one."""
    tournament = folder.tournament()
    folds, missing = finished_totals(tournament, folder)
    standings = compute_standings(tournament, folds)
    about = about_of(folder, tournament, verified, not_whole(tournament.part, missing), name)._replace(title=title)
    choices = [Choice(folder, standings, number) for number in range(len(folds))]
    bare = len(report_page(standings, [choice.look(ShownDeals()) for choice in choices], about).encode())
    deals = chosen_deals(folder, tournament, choices, Room(SIZE - bare))
    return report_page(standings, [choice.look(deals) for choice in choices], about), about


class PageComparison(NamedTuple):
    """The page of a run compared with one that is made now: `words` for people, and whether they say that it is
    `wrong`."""

    words: str
    wrong: bool = False


def compare_page(folder: RunFolder, verified: str, missing: int, versions: Collection[str]) -> PageComparison:
    """Compare the existing page with one that is made now; `verified`: what it may say of that; `versions`: those of
    roundsim that played the run.

    The page also depends on the version that made it, on the folder's name and on timing.json, and later deals change
    it. If that may be why it differs, it cannot be compared. A page of a version that has not played is wrong."""
    path = folder.path / PAGE
    try:
        there = read_file(path).decode("utf-8", "replace")
    except (LogError, FileNotFoundError) as error:
        return PageComparison(f"not compared: {error}")
    again = f"roundsim report {shlex.quote(str(folder.path))} makes one"
    maker = MAKER.search(there)
    if not maker or maker[1] not in (__version__, *versions):
        made = f"roundsim {maker[1][:60]} made it, and has not played this run" if maker else "no page of roundsim"
        return PageComparison(f"{path}: {made}; {again}", True)
    if escape(MADE_BY) not in there:
        return PageComparison(f"not compared: it was not made by {MADE_BY}")
    if not (folder.path / "timing.json").exists():
        return PageComparison("not compared: timing.json is missing, which it also shows")
    names = run_name(folder), folder.tournament().folder_name()
    name = next((name for name in names if f"roundsim replay {escape(name)}:DEAL" in there), "")
    if not name:
        return PageComparison("not compared: it was made when the folder had another name")
    if render_run_page(folder, verified if escape(verified) in there else "", name)[0] == there:
        return PageComparison("the page of this log")
    if missing:
        return PageComparison("not compared: it may have been made when other shards were there")
    return PageComparison(f"{path}: not the page of this log; {again}", True)


def deal_page(folder: RunFolder, address: str) -> str:
    """Return the page of one deal, "nap/17/2/3". LogError if there is no such deal."""
    tournament = folder.tournament()
    at, number = address_in(tournament, address)
    original = tournament.entries[number].format.original(at)
    data = deals_data(folder, tournament, [str(each) for each in (at, original) if each])
    if str(at) not in data:
        raise LogError(f"{address}: there is no such deal in {folder.path}")
    others = [data[other] for other in data if other != str(at)]
    return page_of_deal(data[str(at)], about_of(folder, tournament), others)


def report_of_diff(one: RunFolder, other: RunFolder) -> str:
    """Return the page of what differs between two runs. LogError if they have no deals in common."""
    return page_of_diff(diff(one, other))


def chosen_deals(folder: RunFolder, tournament: Tournament, choices: Sequence[Choice], room: Room) -> ShownDeals:
    """Return the deals that there is room for: the most important of each game first."""
    listed = [choice.wanted for choice in choices]
    wanted = [address for some in zip_longest(*listed) for address in some if address]
    deals, at, many, whole = ShownDeals(), 0, BATCH, room.left
    while batch := wanted[at : at + many]:
        found = deals_data(folder, tournament, batch, again=True)
        for address in filter(found.__contains__, batch):
            if not room.takes(address.partition("/")[0], address, found.text(address)):
                return deals
            deals.packed[address] = found.packed[address]
        at += many
        many = BATCH + at * room.left // max(whole - room.left, 1)
    return deals


def about_of(folder: RunFolder, tournament: Tournament, verified: str = "", lacking: str = "", name: str = "") -> About:
    name = name or run_name(folder)
    verified = verified or f"the deals in this file; all of them by roundsim verify {name}"
    return About(name, repeat_text(folder), guests_of(folder), verified, lacking)


def run_name(folder: RunFolder) -> str:
    return os.path.basename(os.path.abspath(folder.path))


def repeat_text(folder: RunFolder) -> str:
    """Return the commands that repeat a run, as its folder keeps them, which anybody can write; "" if it does not."""
    commands = [command.for_page() for command in recorded_commands(folder)]
    return "; ".join(map(str, commands)) if all(commands) else ""


def guests_of(folder: RunFolder) -> str:
    """Return how third-party strategies were isolated, as recorded in the run, not verified; "" if none played."""
    guests = folder.timing().get("guests", "")
    return f"{guests}, by the run's own word" if guests else ""
