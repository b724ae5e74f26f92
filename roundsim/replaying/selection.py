"""The parts of a run's log that the page shows: the distribution of nets, the deals worth a look, and those deals step
by step."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from functools import cached_property
from itertools import combinations
from statistics import median_low
from typing import Any

from ..reports.page.cross import CROSSED
from ..reports.page.extras import EntryExtras, Link
from ..reports.page.formats import section_of
from ..reports.page.packing import ShownDeals
from ..tournament.judging.standings import Standings
from ..tournament.planning.plan import Tournament
from ..tournament.results.record import END, Address
from ..tournament.storage.folder import RunFolder
from .deal_data import deal_data
from .log_driver import EnoughError, LogDriver
from .logged import LoggedBlock, LoggedDeal, logged_blocks, original_of
from .reasons import FirstReasons
from .replay import faults_by_action

Pair = tuple[str, str]
SHOWN = 6  # strategies whose reasons are on the page
READ, READ_IN_ALL = 2000, 10_000  # deals that are replayed for reasons, in a game and in all games


class Choice:
    """One pass through the log of an entry: its distributions, and the deals to choose from."""

    def __init__(self, folder: RunFolder, computed: Standings, number: int) -> None:
        tournament, faults = computed.tournament, computed.folds[number].fault_reports()
        self.entry = tournament.entries[number]
        self.spread: dict[str, Counter[int]] = {label: Counter() for label in self.entry.labels}
        self.first: dict[str, dict[int, Link]] = {label: {} for label in self.entry.labels}  # by net
        self.swings: dict[str, tuple[int, Link]] = {}  # by how much
        self.pairs: dict[Pair, tuple[int, Link]] = {}
        self.section = section_of(self.entry)
        self.swinging = self.entry.format.same_cards and not computed.verdicts[number].origins
        self.faults = {(fault.deal, fault.seat) for fault in faults}
        self.faulty: dict[str, Link] = {}
        placed = [
            row.strategy for row in computed.games[number] if row.rank is not None and row.first.value is not None
        ]
        self.compared = {
            row.strategy for row in [row for row in computed.games[number] if row.rank is not None][:CROSSED]
        }
        most = min(READ, READ_IN_ALL // len(tournament.entries))
        self.reasons = FirstReasons(self.entry, placed[:SHOWN], most)
        for block in logged_blocks(folder, tournament, number):
            self.block([*block])
            self.reasons.add(block)
        self.of_section = self.section.wanted(computed, number) if self.section else ()

    def block(self, deals: Sequence[LoggedDeal]) -> None:
        """Add the deals of a block, and the ends of its sittings."""
        played = [deal for deal in deals if deal.number != END]
        for deal in played:
            self.deal(deal)
        if self.swinging:
            self.swing(played)
        if self.section:
            self.section.block(deals if self.section.with_ends else played)

    def deal(self, deal: LoggedDeal) -> None:
        address, compared = deal.address, list[int]()
        for seat, (label, net) in enumerate(zip(deal.seats, deal.net, strict=True)):
            self.spread[label][net] += 1
            if (address, seat) in self.faults:
                self.faulty.setdefault(label, Link(net, address, seat))
            if net not in (first := self.first[label]):
                first[net] = Link(net, address, seat)
            if label in self.compared:
                compared.append(seat)
        for one, other in combinations(compared, 2):
            for seat, opponent in (one, other), (other, one):
                self.add_margin(deal, seat, opponent)

    def add_margin(self, deal: LoggedDeal, seat: int, other: int) -> None:
        """Note the deal in which one strategy won most compared with another at the table."""
        pair, apart = (deal.seats[seat], deal.seats[other]), deal.net[seat] - deal.net[other]
        if pair[0] != pair[1] and (pair not in self.pairs or apart > self.pairs[pair][0]):
            self.pairs[pair] = apart, Link(deal.net[seat], deal.address, seat)

    def swing(self, deals: Sequence[LoggedDeal]) -> None:
        """Note the deals in which two strategies with the same cards differ most in net, each from the worse one's
        side."""
        same = defaultdict[str, list[LoggedDeal]](list)
        for deal in deals:
            same[deal.number].append(deal)
        for again in same.values():
            for seat in range(min(len(deal.net) for deal in again)):
                best = dict[str, int]()  # by strategy
                for deal in again:
                    label, net = deal.seats[seat], deal.net[seat]
                    best[label] = max(net, best.get(label, net))
                *_, second, most = [0, *sorted(best.values())]
                for deal in again if len(best) > 1 else ():
                    label, net = deal.seats[seat], deal.net[seat]
                    apart = (second if best[label] == most else most) - net
                    if apart > self.swings.get(label, (0,))[0]:
                        self.swings[label] = apart, Link(net, deal.address, seat)

    def links(self) -> dict[str, dict[str, Link]]:
        """Return for each strategy its best, typical and worst deal, the first of equal ones, its widest swing and
        first fault."""
        links: dict[str, dict[str, Link]] = {}
        for label, first in self.first.items():
            nets = self.spread[label]
            if nets:
                middle = median_low(nets.elements())
                links[label] = {"best": first[max(nets)], "typical": first[middle], "worst": first[min(nets)]}
            if label in self.swings:
                links[label]["swing"] = self.swings[label][1]
            if label in self.faulty:
                links[label]["fault"] = self.faulty[label]
        return links

    @cached_property
    def wanted(self) -> list[str]:
        """Return the addresses of its deals, the most important first; at the end the deals that replays play again."""
        links, kinds = self.links(), ("best", "worst", "typical", "fault", "swing")
        order = [kinds[:2], *[[word] for word in kinds[2:]]]
        listed = [by_kind[word] for some in order for by_kind in links.values() for word in some if word in by_kind]
        pairs = [link for _, link in self.pairs.values()]
        own = [f"{self.entry.name}/{place}" for place in self.of_section]
        wanted = [Address.parse(text) for text in [*own, *(link.address for link in [*listed, *pairs])]]
        originals = filter(None, map(self.entry.format.original, wanted))
        return [*dict.fromkeys(map(str, [*wanted, *originals]))]

    def look(self, deals: ShownDeals) -> EntryExtras:
        """Return its data with those deals that are in the file."""

        def there(link: Link) -> Link:
            return link._replace(there=link.address in deals)

        links = {label: {word: there(link) for word, link in named.items()} for label, named in self.links().items()}
        pairs = {pair: there(link) for pair, (_, link) in self.pairs.items()}
        wanted = deals.only(filter(deals.__contains__, self.wanted))
        if self.section:
            self.section.deals = wanted
        reasons = self.reasons.result()
        return EntryExtras(self.spread, links, pairs, self.section, wanted, reasons)


def deals_data(
    folder: RunFolder, tournament: Tournament, addresses: Collection[str], again: bool = False
) -> ShownDeals:
    """Return deals of a run for the page; `again` as in `logged_blocks`. LogError if the rules do not agree."""
    names = [entry.name for entry in tournament.entries]
    wanted = defaultdict[int, dict[int, set[str]]](lambda: defaultdict(set))  # by entry and block
    for address in map(Address.parse, addresses):
        wanted[names.index(address.entry)][address.block].add(str(address))
    return ShownDeals(
        deal
        for number, blocks in sorted(wanted.items())
        for block in logged_blocks(folder, tournament, number, {*blocks}, again)
        for deal in block_deals_data(block, blocks[block.number])
    )


def block_deals_data(block: LoggedBlock, addresses: Collection[str]) -> list[dict[str, Any]]:
    """Return those deals of a block, in the player's format."""
    entry, made = block.entry, list[dict[str, Any]]()

    def visit(driver: LogDriver) -> None:
        at = Address.parse(f"{entry.name}/{driver.place}")
        if str(at) not in addresses:
            driver.replay()
            return
        faults = faults_by_action(driver.line, block.faults, at)
        actions = driver.line.actions
        original = original_of(entry.format, driver.lines, at, actions)
        made.append(deal_data(driver.deal, actions, entry.name, str(at), driver.seated, faults, original))
        if len(made) == len(addresses):
            raise EnoughError

    block.replay(visit)
    return made
