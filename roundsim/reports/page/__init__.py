"""The report: one HTML file of a run, with nothing in it that has to be fetched.

Its sections stand in files of their own here, each with a template of its name.  What a format has besides, the file of its
name adds under each of its games: `freeze-out` is freeze_out.py and templates/freeze_out.html.j2."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

from ...tournament.diff import Diff
from ...tournament.standings import Reckoned
from . import cross, deals, diff, overall, packing, settled, standings, verdict
from .game import Game, games_of
from .look import About, Look
from .render import render


class Section(NamedTuple):
    """What the file `name` adds to a game: its template is given `view`."""

    name: str
    view: Any


class Shown(NamedTuple):
    """A game's section."""

    game: Game
    standings: standings.Standings
    cross: cross.Cross | None
    places: tuple[Sequence[standings.Place], Any] | None
    worth: str
    settled: settled.Settled | None
    sections: Sequence[Section]


def page(reckoned: Reckoned, looks: Sequence[Look], about: About) -> str:
    """The page of a run, of which `looks` has one for each entry.  The same run gives the same text."""
    games = games_of(reckoned, looks)
    return render(
        "page.html.j2",
        deals=packing.packed(looks) if any(look.links for look in looks) else None,
        title=verdict.title(reckoned, games),
        subtitle=verdict.subtitle(reckoned, games),
        sentences=verdict.sentences(reckoned, games),
        facts=verdict.facts(reckoned, games, about),
        about=about,
        overall=overall.overall(reckoned, games),
        games=[shown(reckoned, at, game) for at, game in enumerate(games)],
        listed=deals.listed(games),
    )


def page_of_deal(deal: dict[str, Any], about: About) -> str:
    """The page of one deal, as the player has it."""
    seats = [(seat, label, net) for seat, (label, net) in enumerate(zip(deal["seats"], deal["net"], strict=True))]
    deals = packing.packed([Look(deals=[deal])])
    return render("deal.html.j2", deals=deals, deal=deal, seats=seats, about=about)


def page_of_diff(found: Diff) -> str:
    """The page of what differs between two runs."""
    return diff.compared([found])


def shown(reckoned: Reckoned, at: int, game: Game) -> Shown:
    return Shown(
        game,
        standings.standings(game),
        cross.cross(game),
        standings.places(game),
        standings.worth_told(game),
        settled.settled(game),
        [*sections(reckoned, at, game.look)],
    )


def sections(reckoned: Reckoned, at: int, look: Look) -> Iterator[Section]:
    """What the rule to stop by and the format of a game have to show."""
    for name in "until", reckoned.tournament.entries[at].format.name.replace("-", "_"):
        if find_spec(f"{__name__}.{name}") and (
            view := import_module(f"{__name__}.{name}").section(reckoned, at, look)
        ):
            yield Section(name, view)
