"""The list of the deals that can be opened, game by game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .extras import Link
from .game import GameResult
from .standings import LINK_KINDS


class DealList(NamedTuple):
    """The deals of a game: column headings, and a row for each strategy.

    `there`: how many of its deals are in the file."""

    title: str
    anchor: str
    words: Sequence[str]
    rows: Sequence[tuple[str, Mapping[str, Link]]]
    there: int


def deal_lists(games: Sequence[GameResult]) -> list[DealList]:
    return [table for game in games if (table := linked_deals(game)).rows]


def linked_deals(game: GameResult) -> DealList:
    links = game.look.links
    kinds = [word for word in LINK_KINDS if any(word in linked for linked in links.values())]
    rows = [(row.strategy, links[row.strategy]) for row in game.rows if links.get(row.strategy)]
    return DealList(game.title, game.anchor, kinds, rows, len(game.look.deals))
