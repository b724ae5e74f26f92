"""What the page is given of a run besides its standings: deals to be opened, and what only the log tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...tournament.formats import Section


class Link(NamedTuple):
    """A deal as a strategy had it: its net, its address, its seat; whether it is in the file."""

    net: int
    address: str
    seat: int
    there: bool = True


@dataclass
class EntryExtras:
    """Of an entry.

    `spread`: by strategy, how many deals came to each net.  `links`: by strategy, its "best", "typical", "worst", "swing"
    and, where there is one, "fault" deal.  `pairs`: by (one, other), the deal at one table in which one fared best beside the
    other.  `section`: what the format shows.  `deals`: in the order in which they are listed, each as the player has it."""

    spread: Mapping[str, Counter[int]] = field(default_factory=dict)
    links: Mapping[str, Mapping[str, Link]] = field(default_factory=dict)
    pairs: Mapping[tuple[str, str], Link] = field(default_factory=dict)
    section: Section | None = None
    deals: Sequence[dict[str, Any]] = ()


class About(NamedTuple):
    """Of the run: its folder's name, the command that plays it again, how strategies were kept apart, whether the run has
    been verified, and what is lacking ("3 shards are not played yet"), "" if nothing is."""

    name: str
    again: str
    isolation: str
    verified: str
    lacking: str
