"""King of the hill without `MatchFormat`: two players; the winner of a match stays, and the next challenger sits down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from roundsim.format import (
    Driver,
    Entry,
    EntryReader,
    Event,
    Format,
    Key,
    Logged,
    Measure,
    Names,
    Section,
    ShardTotals,
    Sitting,
    Source,
    Standings,
    key,
    plain,
    so_many,
    times_and_deals,
)


class LastKings(Section):
    """How often each was king at the end."""

    template = """<h3>King at the end</h3>
<table class="std"><thead><tr><th class="l">strategy</th><th>hills</th></tr></thead><tbody>
{% for name, hills in view %}<tr><th scope="row">{{ name }}</th><td>{{ hills }}</td></tr>
{% endfor %}</tbody></table>"""

    def __init__(self, entry: Entry) -> None:
        super().__init__(entry)
        self.hills = Counter[str]()

    def block(self, deals: Sequence[Logged]) -> None:
        king, challenger = deals[-1].seats
        match = [deal for deal in deals if deal.seats == deals[-1].seats]
        ahead = sum(deal.net[0] - deal.net[1] for deal in match)
        self.hills[king if ahead >= 0 else challenger] += 1

    def view(self, standings: Standings, at: int) -> list[tuple[str, int]]:
        return self.hills.most_common()


@dataclass(frozen=True)
class King(Format):
    """A block: the first player is king, and everyone else challenges once, in the order in which they are drawn."""

    match: int = key("deals in a match", 1, 1000, 4)

    name = "king-of-the-hill"
    unit = "hill"
    amount = "times"
    amount_key = Key("how many hills", 1, 10**9, 40, "--times")
    measures = (Measure("won", "won", "matches won", plain, error_data="error", error_shown=True, gain="matches"),)
    scored = "matches won on a hill"
    section = LastKings

    @classmethod
    def read(cls, reader: EntryReader) -> Entry | None:
        if len(reader.strategies) < 2:
            reader.wrong("a hill needs two strategies at least", "strategies")
        return reader.entry(cls(**reader.fields()), reader.options_for([2], {}))

    def plan(self, entry: Entry) -> str:
        return f"{so_many(entry.blocks, 'hill')} of {len(entry.strategies)}, {so_many(self.match, 'deal')} in a match"

    def heading(self, entry: Entry, tally: ShardTotals) -> list[str]:
        return [f"king of the hill, {len(entry.strategies)} players", times_and_deals(tally, "hill")]

    def ledger(self, seating: Sequence[int]) -> Event:
        return Event(seating)

    def play(self, driver: Driver, entry: Entry, names: Names, block: int, part: int, ledger: Event) -> None:
        king, *challengers = ledger.seating
        won = dict.fromkeys(ledger.seating, 0)
        for table, challenger in enumerate(challengers, 1):
            players, sitting, ahead = [king, challenger], Sitting(entry.deal, entry.rules, deals=self.match), 0
            driver.sit(f"{block}/{table}", names, players, players)
            for number in range(1, self.match + 1):
                place, deal = f"{block}/{table}/{number}", sitting.next_deal(Source(names.hand(number, table)))
                driver.play(place, deal, number == 1)
                ledger.enter(place, players, deal)
                ahead += deal.net[0] - deal.net[1]
                if sitting.settle(deal):
                    break
            king = king if ahead >= 0 else challenger
            won[king] += 1
        driver.leave()
        ledger.values = [[won[player] for player in ledger.seating]]
