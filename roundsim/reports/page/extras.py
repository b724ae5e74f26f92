"""The page's data about a run besides its standings: deals to open, and findings that only the log has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ...tournament.formats import Section


class Link(NamedTuple):
    """A deal of a strategy: its net, its address, its seat; whether it is in the file."""

    net: int
    address: str
    seat: int
    there: bool = True


@dataclass
class EntryExtras:
    """The extra data of an entry.

    `spread`: by strategy, how many deals had each net. `links`: by strategy, its "best", "typical", "worst", "swing"
    and, if there is one, "fault" deal. `pairs`: by (one, other), the deal at a common table in which one did best
    compared with the other. `section`: the format's section. `deals`: in the order in which they are listed, each in
    the player's format."""

    spread: Mapping[str, Counter[int]] = field(default_factory=dict)
    links: Mapping[str, Mapping[str, Link]] = field(default_factory=dict)
    pairs: Mapping[tuple[str, str], Link] = field(default_factory=dict)
    section: Section | None = None
    deals: Sequence[dict[str, Any]] = ()


class About(NamedTuple):
    """Facts about the run: its folder's name, the command that plays it again, and how strategies were isolated.

    It also has whether the run has been verified, and what is missing ("3 shards are not played yet"), "" if nothing
    is. `contest`: if it is one (see `reports.contest`)."""

    name: str
    again: str
    isolation: str
    verified: str
    lacking: str
    contest: Mapping[str, Any] | None = None
