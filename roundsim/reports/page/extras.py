"""The page's data about a run besides its standings: deals to open, and findings that only the log has."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ...tournament.commandline import PLACEHOLDER
from ...tournament.formats import Section
from .packing import ShownDeals


class Link(NamedTuple):
    """A deal of a strategy: its net, its address, its seat; whether it is in the file."""

    net: int
    address: str
    seat: int
    there: bool = True


class ReasonFigure(NamedTuple):
    """The counters a deal that a strategy has for a reason. `difference`: to the leader, in the blocks of both, with its
    `error`; None for the leader, and an error of None under ten blocks."""

    value: float
    difference: float | None = None
    error: float | None = None


class ReasonLine(NamedTuple):
    """A reason, with the figure of each strategy, the leader first; None for one that sat in no block with the leader."""

    reason: str
    figures: Sequence[ReasonFigure | None]


class GameReasons(NamedTuple):
    """For what the leader of a game and the strategies next to it have won and paid their counters, over its first
    deals: the reason in which they differ most comes first, last all together."""

    strategies: Sequence[str]
    deals: int
    all_deals: bool
    lines: Sequence[ReasonLine]


@dataclass
class EntryExtras:
    """The extra data of an entry.

    `spread`: by strategy, how many deals had each net. `links`: by strategy, its "best", "typical", "worst", "swing"
    and, if there is one, "fault" deal. `pairs`: by (one, other), the deal at a common table in which one did best
    compared with the other. `section`: the format's section. `deals`: in the order in which they are listed.
    `reasons`: None if the log does not have all deals, or the game gives no reasons."""

    spread: Mapping[str, Counter[int]] = field(default_factory=dict)
    links: Mapping[str, Mapping[str, Link]] = field(default_factory=dict)
    pairs: Mapping[tuple[str, str], Link] = field(default_factory=dict)
    section: Section | None = None
    deals: ShownDeals = field(default_factory=ShownDeals)
    reasons: GameReasons | None = None


class About(NamedTuple):
    """Facts about the run: its folder's name, the commands that repeat it, and how strategies were isolated.

    It also has whether the run has been verified, and what is missing ("3 shards are not played yet"), "" if nothing
    is; and the title of the page, "" for that of the tournament."""

    name: str
    again: str
    isolation: str
    verified: str
    lacking: str
    title: str = ""

    @property
    def hides_code(self) -> bool:
        """Whether FILE stands for code in the command."""
        return bool(re.search(rf"\b{PLACEHOLDER}\b", self.again))
