"""The report page: one HTML file of a run that loads nothing from elsewhere.

Each section is a file here, with a template of the same name. Sections for single formats are in `formats`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from jinja2 import TemplateError
from markupsafe import Markup

from ...base.errors import PluginError, exception_words
from ...tournament.judging.diff import Diff
from ...tournament.judging.standings import Standings
from . import convergence, cross, deals, diff, overall, packing, reasons, stopping_rule, verdict
from .extras import About, EntryExtras
from .game import GameResult, games_of
from .render import render, render_part
from .standings import PlaceWorth, StandingsSection, place_worths, standings_section, worth_sentence


class GamePart(NamedTuple):
    """A game's section."""

    game: GameResult
    standings: StandingsSection
    cross: cross.Cross | None
    places: tuple[Sequence[PlaceWorth], Any] | None
    worth: str
    reasons: reasons.ReasonsSection | None
    convergence: convergence.Settled | None
    sections: Sequence[Markup]


def report_page(standings: Standings, looks: Sequence[EntryExtras], about: About) -> str:
    """Return the page of a run; `looks` has an item for each entry. The same run gives the same text."""
    games = games_of(standings, looks)
    return render(
        "page.html.j2",
        deals=packing.packed_deals([look.deals for look in looks]) if any(look.links for look in looks) else None,
        title=verdict.title(standings, games, about),
        owner=about.title or standings.tournament.title,
        subtitle=verdict.subtitle(standings, games),
        sentences=verdict.sentences(standings, games),
        facts=verdict.facts(standings, games, about),
        conditions=verdict.how_played(standings, about),
        about=about,
        overall=overall.overall_section(standings, games),
        games=[game_part(standings, at, game) for at, game in enumerate(games)],
        listed=deals.deal_lists(games),
    )


def page_of_deal(deal: dict[str, Any], about: About, others: Sequence[dict[str, Any]] = ()) -> str:
    """Return the page of one deal, in the player's format. The page can also open the `others`."""
    before = deal["before"]["net"] if "before" in deal else deal["net"]
    nets = zip(deal["seats"], deal["net"], before, strict=True)
    seats = [(seat, *row) for seat, row in enumerate(nets)]
    packed = packing.packed_deals([packing.ShownDeals([deal, *others])])
    return render("deal.html.j2", deals=packed, deal=deal, seats=seats, about=about)


def page_of_diff(difference: Diff) -> str:
    """Return the page of what differs between two runs."""
    return diff.diff_page([difference])


def game_part(standings: Standings, at: int, game: GameResult) -> GamePart:
    return GamePart(
        game,
        standings_section(game),
        cross.cross_table(game),
        place_worths(game),
        worth_sentence(game),
        reasons.reasons_section(game),
        convergence.settled(game),
        [*sections(standings, at, game.look)],
    )


def sections(standings: Standings, at: int, look: EntryExtras) -> Iterator[Markup]:
    """Yield the sections of a game's stopping rule and format. PluginError for a template that cannot be rendered."""
    if view := stopping_rule.stopping_section(standings, at):
        yield render_part('{% include "stopping_rule.html.j2" %}', view)
    if look.section and (view := look.section.view(standings, at)):
        try:
            yield render_part(look.section.template, view)
        except TemplateError as error:
            name = standings.tournament.entries[at].format.name
            raise PluginError(f"the section of {name} cannot be shown: {exception_words(error)}") from None
