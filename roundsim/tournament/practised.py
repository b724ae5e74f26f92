"""Deals that a person has practised: an answer was taken back, so they do not count, and the deal is dealt again."""

from __future__ import annotations

from ..refereeing.names import dealt_again
from ..table.chance import Source
from ..table.deal import Deal
from ..table.imagined import copied
from ..table.playthrough import replay_deal
from .results.record import LogLine, practised_line


def redealt(deal: Deal, times: int) -> Source:
    """Return the chance of a deal that has not started, after it was practised this number of `times`, each with other
    cards."""
    return Source(dealt_again(deal.chance.name, times))


def replayed_line(place: str, deal: Deal, times: int, text: str) -> str:
    """Return the line of the deal that was practised after this number of `times` in the place of one that has not
    started, as its replay from the actions in a text gives it. IllegalError; LogError if the text is no such line."""
    again = type(deal)(deal.rules, copied(deal.state, {}), redealt(deal, times))
    replay_deal(again, LogLine.parse(text).actions)
    return practised_line(place, again.dealer, again.net, again.actions)
