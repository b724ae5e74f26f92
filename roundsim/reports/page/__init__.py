"""The report: one HTML file of a run, with nothing in it that has to be fetched.

Its sections are files here, each with a template of its name.  What a format shows besides is in `formats`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from jinja2 import TemplateError
from markupsafe import Markup

from ...errors import PluginError, exception_words
from ...tournament.diff import Diff
from ...tournament.standings import Reckoned
from . import cross, deals, diff, overall, packing, settled, standings, until, verdict
from .game import Game, games_of
from .look import About, Look
from .render import part, render


class Shown(NamedTuple):
    """A game's section."""

    game: Game
    standings: standings.Standings
    cross: cross.Cross | None
    places: tuple[Sequence[standings.Place], Any] | None
    worth: str
    settled: settled.Settled | None
    sections: Sequence[Markup]


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


def sections(reckoned: Reckoned, at: int, look: Look) -> Iterator[Markup]:
    """What the rule to stop by and the format of a game have to show.  PluginError for a template that cannot be shown."""
    if view := until.section(reckoned, at):
        yield part('{% include "until.html.j2" %}', view)
    if look.section and (view := look.section.view(reckoned, at)):
        try:
            yield part(look.section.template, view)
        except TemplateError as error:
            name = reckoned.tournament.entries[at].format.name
            raise PluginError(f"the section of {name} cannot be shown: {exception_words(error)}") from None
