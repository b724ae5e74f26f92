"""Searches among the deals of a run: the worst of a strategy, those with a certain action, those in which two
strategies with the same cards differ most.

The log has the nets, but only the rules know who acted in which phase. The search replays no more blocks than it
must."""

from __future__ import annotations

import shlex
from bisect import insort
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice
from statistics import median_low
from textwrap import shorten
from typing import Any, NamedTuple

from ..base.errors import InputError, did_you_mean
from ..base.text import columns_of, padded, so_many
from ..reports.lines import text_width
from ..table.cards import Card
from ..table.deal import Deal
from ..tournament.planning.plan import Entry
from ..tournament.results.record import END, KINDS, PHASES_OUTSIDE_DEALS
from ..tournament.storage.folder import RunFolder
from .logged import Act, LoggedBlock, LoggedDeal, entries_called, logged_blocks, unknown_strategy
from .played import played_deal

FEW = 5  # deals of an order
MOST = 10**12  # deals that may be asked for
LEAST = 24  # columns for what was said, however long the names are
ORDERS = "worst", "best", "typical", "swing"
KEYS: dict[str, Callable[[FoundDeal], int]] = {
    "worst": lambda candidate: candidate.net,
    "best": lambda candidate: -candidate.net,
    "swing": lambda candidate: -candidate.apart,
}


class FoundDeal(NamedTuple):
    """A deal from the side of one seat. `other`, in a search for swings: the deal of the strategy that won more with
    the same cards."""

    deal: LoggedDeal
    seat: int
    other: FoundDeal | None = None

    @property
    def address(self) -> str:
        return self.deal.address

    @property
    def strategy(self) -> str:
        return self.deal.seats[self.seat]

    @property
    def net(self) -> int:
        return self.deal.net[self.seat]

    @property
    def apart(self) -> int:
        """The counters by which its net is lower than the other's."""
        return self.other.net - self.net if self.other else 0

    @property
    def both(self) -> list[FoundDeal]:
        """It, with the other, if there is one."""
        return [self, *([self.other] if self.other else [])]

    @property
    def actions(self) -> list[Act]:
        """The actions of this seat, including those that were played for it."""
        return [act for act in self.deal.acts if act.seat == self.seat]

    @property
    def faults(self) -> list[Act]:
        """The faults of this seat outside the questions."""
        return [act for act in self.deal.outside if act.seat == self.seat]

    @property
    def again(self) -> str:
        """The command that replays it."""
        address, flag = shlex.quote(f"{self.deal.block.folder.path}:{self.address}"), self.deal.block.entry.flag
        return f"roundsim replay {address} --seat {self.seat}{flag}"

    def replayed(self) -> Replayed:
        """Replay the deal by the rules. LogError if they do not agree."""
        played = played_deal(self.deal.block, self.deal.place)
        return Replayed(played.over, {seat: tuple(hand) for seat, hand in enumerate(played.hands) if hand})

    def to_json(self) -> dict[str, Any]:
        head = {"deal": self.address, "seat": self.seat, "strategy": self.strategy, "net": self.net}
        other = {"other": self.other.to_json()} if self.other else {}
        return {**head, **self.deal.acts_of([self.seat]), "again": self.again, **other}


class Replayed(NamedTuple):
    """A deal replayed to its end, and by seat the hands as they were dealt: the first cards that each had."""

    deal: Deal
    hands: dict[int, tuple[Card, ...]]


@dataclass(eq=False)
class Search:
    """A search for deals, each from the side of a seat: of `who`, in a `game`; in which the seat itself has acted in a
    `phase`, has `said` something, or, with `fault`, was at fault there; the first `n` of an order. InputError,
    LogError.

    `worst`, `best`, `typical` (nearest to the median net) or `swing`; without an order as they were played."""

    folder: RunFolder
    who: Collection[str] = ()
    game: str | None = None
    phase: str | None = None
    said: str | None = None
    fault: bool = False
    order: str | None = None
    n: int | None = None

    def __post_init__(self) -> None:
        self.tournament = self.folder.tournament()
        self.numbers = entries_called(self.tournament, self.game)
        self.said = self.said if self.said is None else " ".join(self.said.split())
        self.check()
        self.mine = [self.labels_of(self.tournament.entries[number]) for number in self.numbers]

    @property
    def entries(self) -> list[Entry]:
        return [self.tournament.entries[number] for number in self.numbers]

    def check(self) -> None:
        """Check the search. InputError for anything that no deal of these games can have."""
        labels = dict.fromkeys(label for entry in self.entries for label in entry.labels)
        for name in self.who:
            if not any(labels_named(name, entry.labels) for entry in self.entries):
                raise unknown_strategy(name, labels)
        phases = dict.fromkeys([phase for entry in self.entries for phase in entry.deal.phases])
        known = [*phases, *(PHASES_OUTSIDE_DEALS if self.fault else ())]
        if self.phase is not None and self.phase not in known:
            raise InputError(
                f"no phase {self.phase!r} in these games{did_you_mean(self.phase, known)}: {', '.join(known)}"
            )
        if self.said == "":
            raise InputError("nothing is named that was said: an action, or its first words, as 'call nap'")
        if self.order is not None and self.order not in ORDERS:
            raise InputError(f"no order {self.order!r}{did_you_mean(self.order, ORDERS)}: {', '.join(ORDERS)}")
        if self.n is not None and not 1 <= self.n <= MOST:
            raise InputError(f"n must be a whole number from 1 to {MOST}, not {self.n}")
        if self.order == "swing" and not any(entry.format.same_cards for entry in self.entries):
            fresh = " with fresh cards" * any("duplicate" in entry.format.settings for entry in self.entries)
            raise InputError(f"swing: in {self.tournament.format} play{fresh} no two strategies have the same cards")

    def labels_of(self, entry: Entry) -> set[str]:
        """Return the labels in an entry that the search is for."""
        return (
            {label for name in self.who for label in labels_named(name, entry.labels)} if self.who else {*entry.labels}
        )

    def __iter__(self) -> Iterator[FoundDeal]:
        if self.order is None:
            return islice(self.fitting(), self.n)
        key, n = KEYS.get(self.order), self.n or FEW
        return iter(self.first(key, n) if key else self.typical(n))

    def fitting(self) -> Iterator[FoundDeal]:
        """Yield all that fit, as they were played."""
        return (candidate for one in self.candidates() for candidate in one if self.fits(candidate))

    def candidates(self) -> Iterator[Iterable[FoundDeal]]:
        """Yield the candidates by the nets alone, for each seat of a deal: its own deal, or the swings there."""
        for number, mine in zip(self.numbers, self.mine, strict=True):
            entry = self.tournament.entries[number]
            there = mine and self.phase in (None, *entry.deal.phases, *PHASES_OUTSIDE_DEALS)
            there = there and (self.order != "swing" or entry.format.same_cards)
            for block in logged_blocks(self.folder, self.tournament, number) if there else ():
                if self.order == "swing":
                    yield from self.swings(block, mine)
                else:
                    yield from ([candidate] for candidate in deals_by_seat(block) if candidate.strategy in mine)

    def swings(self, block: LoggedBlock, mine: Collection[str]) -> Iterator[Iterable[FoundDeal]]:
        """Yield for each seat of a deal of the block its swings, the widest first. One of the two strategies must be
        named; if several are, both."""
        least, same = min(len({*self.who}), 2), defaultdict[tuple[str, int], list[FoundDeal]](list)
        for candidate in deals_by_seat(block):
            same[candidate.deal.number, candidate.seat].append(candidate)
        for founds in same.values():
            pairs = [
                (worse, better)
                for worse, better in combinations(sorted(founds, key=KEYS["worst"]), 2)
                if worse.net < better.net
                and worse.strategy != better.strategy
                and (worse.strategy in mine) + (better.strategy in mine) >= least
            ]
            pairs.sort(key=lambda pair: pair[0].net - pair[1].net)
            yield (worse._replace(other=better) for worse, better in pairs)

    def first(self, key: Callable[[FoundDeal], int], n: int) -> list[FoundDeal]:
        """Return the first by a key. Checks whether a deal fits only if it would be among them."""
        best: list[FoundDeal] = []
        for one in self.candidates():
            for candidate in one:
                if len(best) == n and key(candidate) >= key(best[-1]):
                    break
                if self.fits(candidate):
                    insort(best, candidate, key=key)
                    del best[n:]
                    break
        return best

    def typical(self, n: int) -> list[FoundDeal]:
        """Return those nearest to the median of all that fit; of each net the first are kept."""
        nets, kept = Counter[int](), defaultdict[int, list[FoundDeal]](list)
        for candidate in self.fitting():
            nets[candidate.net] += 1
            if nets[candidate.net] <= n:
                kept[candidate.net].append(candidate)
        middle = median_low(nets.elements()) if nets else 0
        return [candidate for net in sorted(kept, key=lambda net: abs(net - middle)) for candidate in kept[net]][:n]

    def fits(self, candidate: FoundDeal) -> bool:
        """Return whether it has the action that is searched for; of two deals, whether one of them has."""
        everything = self.phase is None and self.said is None and not self.fault
        return everything or any(map(self.has, candidate.both))

    def has(self, candidate: FoundDeal) -> bool:
        text = candidate.deal.text
        if (self.said or "") not in text or self.fault and "!" not in text and not candidate.faults:
            return False  # so much is seen without the rules
        return any(map(self.wanted, candidate.faults)) or any(map(self.wanted, candidate.actions))

    def wanted(self, act: Act) -> bool:
        """Return whether an action is one of those searched for."""
        return (
            (act.mark in KINDS if self.fault else act.mark is None)
            and self.phase in (None, act.phase)
            and (self.said is None or f"{act.action} ".startswith(f"{self.said} "))
        )

    @cached_property
    def widths(self) -> tuple[int, int]:
        """The column widths of addresses, as long as most are, and of strategies."""
        addresses = [len(f"{entry.name}/{entry.blocks}/1/100") for entry in self.entries]
        shown = [entry.labels for entry in self.entries] if self.order == "swing" else self.mine
        return max(addresses), max(map(columns_of, set().union(*shown, ["strategy"])))

    def heading(self) -> str:
        return self.row("deal", "strategy", "seat", "net", "actions")

    def rows(self, candidate: FoundDeal) -> Iterator[str]:
        """Yield a line of a table; for a swing two."""
        for one in candidate.both:
            actions = ", ".join(map(str, [*one.faults, *one.actions]))
            yield self.row(one.address, one.strategy, str(one.seat), f"{one.net:+d}", actions)
            if n := len(one.deal.practised):
                yield f"{'':{self.widths[0]}}  dealt again after {so_many(n, 'practised deal')}, not counted"

    def row(self, address: str, strategy: str, seat: str, net: str, actions: str) -> str:
        wide, name = self.widths
        start = f"{address:<{wide}}  {padded(strategy, name)}  {seat:>4}  {net:>5}  "
        return (start + shorten(actions, max(text_width() - columns_of(start), LEAST), placeholder=" ...")).rstrip()


def labels_named(name: str, labels: Collection[str]) -> list[str]:
    """Return the labels that a name stands for: its own; otherwise, for a name without parameters, those of that name
    with any."""
    return [name] if name in labels else [label for label in labels if label.partition("(")[0] == name]


def deals_by_seat(block: LoggedBlock) -> Iterator[FoundDeal]:
    """Yield the deals of a block from the side of each seat."""
    return (FoundDeal(deal, seat) for deal in block if deal.number != END for seat in range(len(deal.seats)))
