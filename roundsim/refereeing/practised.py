"""Deals that a person has practised: an answer was taken back, so they do not count, and the deal is dealt again."""

from __future__ import annotations

from ..table.chance import Source
from ..table.deal import Deal
from ..table.imagined import copied
from .names import dealt_again


def redealt(deal: Deal, times: int) -> Source:
    """Return the chance of a deal that has not started, after it was practised so many `times`, each with other cards."""
    return Source(dealt_again(deal.chance.name, times))


def practised_deal(deal: Deal, times: int) -> Deal:
    """Return the deal before its first question as it was after it was practised so many `times`; the deal that counts
    has not started."""
    return type(deal)(deal.rules, copied(deal.state, {}), redealt(deal, times))
