"""The freeze-out in the order of its sheet (progressive-poker, section 2): the results of hands are scripted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from helpers.blocks import counters_in, strategies_of
from helpers.command import one_in
from helpers.planned import planned

from roundsim import games
from roundsim.base.errors import TournamentError
from roundsim.games.draw_poker import DrawPokerRules
from roundsim.refereeing.names import Names
from roundsim.table.deal import TO_THE_RIGHT, Deal, Story, carried
from roundsim.table.options import Rules, option
from roundsim.testing import play_out
from roundsim.tournament.format_parts import Driver
from roundsim.tournament.formats import play_block, share_scale
from roundsim.tournament.formats.freeze_out import FreezeOut, FreezeOutGame, doubled, sizes
from roundsim.tournament.judging.standings import standings
from roundsim.tournament.planning.plan import Entry
from roundsim.tournament.results.totals import ShardTotals
from roundsim.tournament.tables import stack_options

pytestmark = pytest.mark.usefixtures("here")


class Till(Deal):
    """A game of stacks and no cards."""

    id = "till"
    title = "Till"
    family = "none"
    seats = (2, 13)
    usual = (4, 5)
    source = "a test"
    pool_names = ("pool",)
    tune: int = carried(0, "a plain value")
    mark: int = carried(-1, "a seat", names="seat")
    first: int = carried(lambda rules, dealer: dealer, "a seat that there always is", names="seat")
    lives: list[int] = carried(lambda rules, dealer: [9] * rules.players, "by seat", names="each")
    payer: list[int] = carried(lambda rules, dealer: list(range(rules.players)), "by seat: seats", names="seats")

    def deal(self) -> Story:
        return
        yield


class TillRules(Rules, of=Till):
    stack: int = option(100, "counters", "", low=2, high=10**6, role="stack")
    blind: int = option(1, "blind", "", high=8, role="doubles")
    ante: int = option(3, "ante", "", low=0, high=10, role="doubles")
    limit: int = option(10, "limit", "", low=2, high=30, role="doubles")
    fee: int = option(5, "what is none of these", "", low=0, high=1000)

    def refusals(self) -> Iterator[str]:
        if 2 * self.blind > self.limit:
            yield f"blind = {self.blind} with limit = {self.limit}"

    @property
    def first_stacks(self) -> list[int]:
        return [self.stack] * self.players


class TillToTheRight(Till):
    id = "till to the right"
    rounds = TO_THE_RIGHT


class TillForThree(Till):
    id = "till for three"
    seats = (3, 6)


class TillEntry(Entry):
    deal = Till


class RightEntry(Entry):
    deal = TillToTheRight


class ThreeEntry(Entry):
    deal = TillForThree


def entry_of(
    players: int, most: int = 5, deals: int = 10_000, every: int = 0, kind: type[Entry] = TillEntry, **options: int
) -> Entry:
    strategies = strategies_of(f"s{at}" for at in range(players))
    return kind("till", "till", FreezeOut(100, most, deals, every), {"stack": 100, **options}, strategies, 1)


@dataclass
class Seen:
    """A table as a hand of it begins."""

    hand: int
    table: int
    players: tuple[int, ...]
    dealer: int  # a player
    stacks: tuple[int, ...]
    pool: int
    carry: dict[str, Any]
    options: Any
    chance: str


Change = Callable[[Deal, list[int]], None]


@dataclass
class Scripted(Driver):
    """The driver: in each hand so many counters go to or from each player; what does not come out even is the pool's.

    `change`: what else happens at (hand, table)."""

    hands: Sequence[str]  # as `0+3 1-2`
    change: dict[tuple[int, int], Change] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)
    left: int = 0

    def sit(self, table: str, names: Names, entrants: Sequence[int], keys: Sequence[Any]) -> None:
        self.table, self.who = table, list(entrants)
        assert list(keys) == self.who  # each player is one for the whole freeze-out

    def play(self, address: str, deal: Deal, first: bool) -> None:
        block, table, hand = map(int, address.split("/"))
        assert self.table == f"{block}/{table}"
        assert first or hand > 1
        assert deal.stacks is not None
        assert len(self.who) == deal.players == len(deal.stacks)
        carry = {name: list(value) if isinstance(value, list) else value for name, value in deal.carry().items()}
        there = tuple(self.who), self.who[deal.dealer], tuple(deal.stacks), deal.pools["pool"]
        self.seen.append(Seen(hand, table, *there, carry, deal.rules.options, deal.chance.name))
        nets = counters_in(self.hands[hand - 1]) if hand <= len(self.hands) else {}
        for seat, player in enumerate(self.who):
            deal.net[seat] += nets.get(player, 0)
            deal.stacks[seat] += nets.get(player, 0)
            assert deal.stacks[seat] >= 0, "the script takes more than there is"
        deal.pools["pool"] -= sum(deal.net)
        if (hand, table) in self.change:
            self.change[hand, table](deal, self.who)

    def end(self, address: str, deal: Deal) -> None:
        raise AssertionError("a freeze-out has no end of a sitting")

    def leave(self) -> None:
        self.left += 1

    def tables(self, hand: int) -> list[tuple[int, ...]]:
        return [seen.players for seen in self.of(hand)]

    def seats(self, hand: int) -> str:
        """With a star at each dealer."""
        tables = [[f"{who}*" if who == seen.dealer else f"{who}" for who in seen.players] for seen in self.of(hand)]
        return " | ".join(map(" ".join, tables))

    def of(self, hand: int) -> list[Seen]:
        return [seen for seen in self.seen if seen.hand == hand]

    def at(self, hand: int, table: int = 1) -> Seen:
        return next(seen for seen in self.seen if (seen.hand, seen.table) == (hand, table))


def play(
    entry: Entry, hands: Sequence[str], change: dict[tuple[int, int], Change] | None = None
) -> tuple[Scripted, dict[int, float], dict[int, float]]:
    """The driver, the place of each player, and his share of the win; the players are seated in order."""
    driver, tally, players = Scripted(hands, change or {}), ShardTotals(), len(entry.strategies)
    play_block(driver, entry, 7, 1, range(players), tally)
    assert driver.left == 1
    assert tally.deals == len(driver.seen)
    places = {who: tally.sums["place", who].x / 2 for who in range(players)}
    wins = {who: tally.sums["won", who].x / share_scale(players) for who in range(players)}
    assert sum(places.values()) == players * (players + 1) / 2
    assert sum(wins.values()) == pytest.approx(1)
    return driver, places, wins


SIZES = {(2, 13): [2], (6, 5): [3, 3], (9, 8): [5, 4], (11, 5): [4, 4, 3], (27, 13): [9] * 3, (8, 2): [2] * 4}


def test_tables_are_equal_and_all_play_one_deal_in_each_hand() -> None:
    for (players, most), expected in SIZES.items():
        assert sizes(players, most) == expected
        driver, _, _ = play(entry_of(players, most, deals=1), [])
        tables = driver.tables(1)
        assert [len(table) for table in tables] == expected
        assert [player for table in tables for player in table] == list(range(players))
        assert all(seen.stacks == (100,) * len(seen.players) for seen in driver.seen)
        assert all(seen.dealer == seen.players[-1] for seen in driver.seen)  # the first dealer is the last seat
    driver, _, _ = play(entry_of(7, 3, deals=3), [])
    assert [(seen.hand, seen.table) for seen in driver.seen] == [(h, t) for h in (1, 2, 3) for t in (1, 2, 3)]
    assert len({seen.chance for seen in driver.seen}) == 9
    assert all(seen.chance.startswith("7/till/1/") for seen in driver.seen)
    entry = replace(entry_of(3), format=FreezeOut(250, 5, 1, 0))
    assert play(entry, [])[0].at(1).stacks == (250, 250, 250)


FIVE = "0-100 1+30 2+30 3+40"
# Players and how many at a table, deals, hands; the players of each place from the first on, equal ones together; winners.
PLACES: list[tuple[Entry, list[str], str, str]] = [
    (entry_of(4), ["0-100 1+100", "1+50 2-50", "2-50 3+50", "1+150 3-150"], "1 3 2 0", "1"),
    (entry_of(3, 2), ["0+10 1-10", "0+90 1-90", "0-200 2+200"], "2 0 1", "2"),
    # 60, 140 and 60 before the deal that takes them: 2, and 3 and 4 shared.
    (entry_of(4), ["0-40 1+40 2-40 3+40", "0-60 1-140 2-60 3+260"], "3 1 0=2", "3"),
    # Two tables of three. 0 has 120 at one, 3 has 80 and 4 has 120 at the other when they are out together; 300, 220 and
    # 80 are left.
    (entry_of(6, 3, deals=2), ["0+20 1-20 3-20 4+20", "0-120 2+120 3-80 4-120 5+200"], "5 2 1 0=4 3", "5"),
    # A void deal takes everybody's last counters: who had more before it is better. 0 had 150.
    (entry_of(3), ["0+50 1-50", "0-150 1-50 2-100"], "0 2 1", "0"),
    (entry_of(3), ["0-100 1-100 2-100"], "0=1=2", "0=1=2"),
    (entry_of(3), ["0+200 1-100 2-100"], "0 1=2", "0"),
    # A game for three ends when two are left, who rank by counters.
    (entry_of(4, kind=ThreeEntry), ["0-100 1+100", "1-50 2-100 3+150"], "3 1 2 0", "3"),
    # Those left after the last deal rank by counters, equal ones tied, before those who are out.
    *[(entry_of(5, deals=deals), [FIVE, *[""] * (deals - 1)], "3 1=2 4 0", "3") for deals in (1, 2, 7)],
    # A pool left at the end is given after the ranking: both are left with 70, whatever lies in the pool.
    (entry_of(2, deals=1), ["0-30 1-30"], "0=1", "0=1"),
]


def test_places_and_wins_and_the_last_hands_of_freeze_outs() -> None:
    """It ends when one or none is left, or after its last hand."""
    for entry, hands, order, winners in PLACES:
        driver, places, wins = play(entry, hands)
        placed = [[int(who) for who in equal.split("=")] for equal in order.split()]
        before = [sum(map(len, placed[:at])) for at in range(len(placed))]
        assert places == {
            who: at + (len(equal) + 1) / 2 for at, equal in zip(before, placed, strict=True) for who in equal
        }
        first = [int(who) for who in winners.split("=")]
        assert wins == {who: pytest.approx((who in first) / len(first)) for who in places}, hands
        assert max(seen.hand for seen in driver.seen) == len(hands)
    driver, _, _ = play(entry_of(3, 2), ["0+10 1-10", "0+90 1-90", "0-200 2+200"])
    assert driver.at(3).stacks == (200, 100)
    # In the first 0 wins and 1 and 2 share 2 and 3; in the second all are out at once and share everything.
    entry, tally = entry_of(3), ShardTotals()
    for block, hands in enumerate([["0+200 1-100 2-100"], ["0-100 1-100 2-100"]], 1):
        play_block(Scripted(hands), entry, 7, block, (0, 1, 2), tally)
    assert (tally.blocks, tally.deals) == (2, 2)
    winner, others = [2, 2 + 4, 4 + 16, 6, 2, 2], [2, 5 + 4, 25 + 16, 9, 2, 2]
    assert [tally.sums["place", who].row() for who in range(3)] == [winner, others, others]
    assert {who: tally.sums["won", who].x for who in range(3)} == {0: 6 + 2, 1: 2, 2: 2}
    rows = standings(entry, tally)
    found = [(row.strategy, row.first.mean, row.rank_text()) for row in rows]
    assert found == [("s0", Fraction(3, 2), "1"), ("s1", Fraction(9, 4), "2="), ("s2", Fraction(9, 4), "2=")]
    assert [row.figures["won"].value for row in rows] == pytest.approx([2 / 3, 1 / 6, 1 / 6])


MOVES = """
the table with the fewest is broken up when its players have room: 6 at tables of 3
  # After the first hand five do not fit into one table, and 3 are not two more than 2. Then table 2, where 3 is
  # alone, goes to table 1.
    0+100 1-100 -> 0* 2 | 3* 4 5
    3+100 4-100 -> 0 2* | 3 5*
    3+100 5-100 -> 0* 2 3
fewest before highest number: 12 at tables of 4
  # At the first table only two are left of four: it is broken up, though its number is the lowest. Its players go
  # to the table then smallest, the lower of two: 1 to the old second, then 3 to the old third. 4 and 8 are out,
  # whose turn to deal it was.
    0-100 1+200 2-100 4-100 5+100 8-100 9+100 -> 5* 6 7 1 | 9* 10 11 3
of equal tables the one with the highest number is broken up: 9 at tables of 3
  # Three tables of two are left of three: six fit into two. 7 goes to the first, 8 to the second.
    0-100 1+100 3-100 4+100 6-100 7+100 -> 1* 2 7 | 4* 5 8
its players go in the order of their seats to the table then smallest: 11 at tables of 5
  # Eleven are 4, 4 and 3; ten fit into two. The last table goes: 8 to the first, which has three, 9 to the first of
  # two fours, 10 to the second.
    0-100 1+100 -> 1* 2 3 8 9 | 4* 5 6 7 10
two tables can be broken up at once: 9 at tables of 3
  # Three of nine are left, one at each table: one table will do. 7 goes to the first table, as its number is the
  # highest; then 3, alone, joins them.
    0-100 1-100 2+200 3+200 4-100 5-100 6-100 7+200 8-100 -> 2* 7 3
the last of all dealers moves from the largest to the smallest table: 10 at tables of 5
  # 5 and 6 are out at the second table: five against three. 4, the dealer of the last deal, moves, and sits last.
  # There the deal was to pass from 9 to 5: it passes to 7, the first after him who is there.
    5-100 6-100 7+200 -> 0* 1 2 3 | 7* 8 9 4
if the last dealer is out, the one before him moves: 10 at tables of 5
  # 4, who dealt, is out, and 5, 6, 7 at the second table: four against two. Next is 0, farthest off 3.
    0+100 4-100 5-100 6-100 7-100 8+300 -> 0* 1 2 | 8* 9 3
players move until no table has two more: 15 at tables of 5
  # Left are 5, 5 and 1, too many for two tables. 4 goes (the lower number of the largest), then 9: 4, 4 and 3.
    10-100 11-100 12-100 13-100 14+400 -> 0* 1 2 3 | 5* 6 7 8 | 14* 4 9
the last dealer is counted from the next dealer: 10 at tables of 5
  # After three deals the next dealer at the first table is 2: 1, who has dealt last, moves. 9, 5, 6 have dealt at
  # the second: 7 was next.
    -> 0* 1 2 3 4 | 5* 6 7 8 9
    -> 0 1* 2 3 4 | 5 6* 7 8 9
    5-100 6-100 7+200 -> 0 2* 3 4 | 7* 8 9 1
a next dealer who is out is followed by the first who is there: 5 at tables of 5
  # 0 was to deal, 0 and 1 are out: 2 deals, then 3, 4, 2.
    0-100 1-100 2+200 -> 2* 3 4
    -> 2 3* 4
    -> 2 3 4*
    -> 2* 3 4
the deal passes to the right: 5 at tables of 5, to the right
  # 4 deals first, then 3; 3 and 2 are out: 1. Then 0, 4, 1.
    1+200 2-100 3-100 -> 0 1* 4
    -> 0* 1 4
    -> 0 1 4*
    -> 0 1* 4
four against three do not move: 10 at tables of 5, to the right
  # 8 was next at the second table and is out: 7.
    3+100 4-100 5+200 8-100 9-100 -> 0 1 2 3* | 5 6 7*
to the right another is farthest off: 10 at tables of 5, to the right
  # 4, who dealt, is out: 3 is next, then 2, 1, 0: 0 moves. 8 was next at the other table and is out: 7, then 6, 5.
    3+100 4-100 5+300 7-100 8-100 9-100 -> 1 2 3* | 5 6* 0
    -> 1 2* 3 | 5* 6 0
a last dealer who is in moves to the right too: 10 at tables of 5, to the right
    5-100 6-100 7+200 -> 0 1 2 3* | 7 8* 9 4
a table with one player waits: 3 at tables of 2
  # Three at tables of two: the third waits until one is out, and then sits down with the other.
    0+10 1-10 -> 0* 1
    0+90 1-90 -> 0* 2
    0-200 2+200 ->
a table of two waits in a game for three: 5 at tables of 4, game for three
  # Five at most four: three and two. The two wait; with four left all sit at one table.
    -> 0* 1 2
    0-100 1+100 -> 1* 2 3 4
a player without counters is out: 4 at tables of 5
    0-100 1+100 -> 1* 2 3
    1+50 2-50 -> 1 2* 3
    2-50 3+50 -> 1 3*
    1+150 3-150 ->
"""
KINDS = {"": TillEntry, "to the right": RightEntry, "game for three": ThreeEntry}


def moves_in(text: str) -> Iterator[Any]:
    """Each case has a name, tables, a kind, a comment, and hands: their nets, and the seats after them."""
    for case in re.split(r"\n(?=\S)", text.strip()):
        head, _, rest = re.sub(r" +#.*\n", "", case).partition("\n")
        name, _, where = head.partition(": ")
        players, most = map(int, re.findall(r"\d+", where))
        kind = KINDS[where.partition(", ")[2]]
        hands = [line.split("->") for line in rest.splitlines()]
        nets, seats = ([side.strip() for side in sides] for sides in zip(*hands, strict=True))
        yield pytest.param(entry_of(players, most, len(hands) + 1, kind=kind), nets, seats, id=name)


@pytest.mark.parametrize(("entry", "hands", "seats"), [*moves_in(MOVES)])
def test_players_move_as_the_sheet_says(entry: Entry, hands: list[str], seats: list[str]) -> None:
    driver, _, _ = play(entry, hands)
    assert [driver.seats(hand) for hand in range(2, len(hands) + 2)] == seats


def test_carried_seats_go_with_their_players_or_fall_back() -> None:
    """0 and 2 of five are out: 1, 3 and 4 have seats 0, 1, 2.  Values that named 0 or 2 fall back to their start."""

    def change(deal: Any, who: list[int]) -> None:
        deal.tune, deal.mark, deal.first = 42, 3, 0
        deal.lives, deal.payer = [10, 11, 12, 13, 14], [1, 4, 2, 0, 3]

    driver, _, _ = play(entry_of(5, deals=2), ["0-100 1+200 2-100"], {(1, 1): change})
    assert driver.at(1).carry == {"tune": 0, "mark": -1, "first": 4, "lives": [9] * 5, "payer": [0, 1, 2, 3, 4]}
    assert driver.at(2).players == (1, 3, 4)
    assert driver.at(2).dealer == 1
    assert driver.at(2).carry == {
        "tune": 42,
        "mark": 1,  # 3 has it still
        "first": 0,  # 0 is out; its start is who deals first now, seat 0
        "lives": [11, 13, 14],
        "payer": [2, 1, 1],  # 4 pays for 1; 3, for whom 0 paid, for himself; 3 for 4
    }
    driver, _, _ = play(entry_of(6, 3, deals=4), ["0+100 1-100", "3+100 4-100", "3+100 5-100"])
    assert driver.at(4).stacks == (200, 100, 300)
    driver, _, _ = play(entry_of(10, 5, deals=2), ["5-100 6-100 7+200"])
    assert driver.at(2, 2).stacks == (300, 100, 100, 100)
    # The mark of the first table is 4's, who goes to the second, where 8 keeps it; and -1 stays what it is.

    def mark(player: int) -> Change:
        def change(deal: Any, who: list[int]) -> None:
            deal.mark = who.index(player)
            deal.payer = [who.index(player)] * len(who)

        return change

    hands = ["5-100 6-100 7+200"]
    driver, _, _ = play(entry_of(10, 5, deals=2), hands, {(1, 1): mark(4), (1, 2): mark(8)})
    assert driver.tables(2) == [(0, 1, 2, 3), (7, 8, 9, 4)]
    assert driver.at(2, 1).carry["mark"] == -1
    assert driver.at(2, 1).carry["payer"] == [0, 1, 2, 3]
    assert driver.at(2, 2).carry["mark"] == 1
    assert driver.at(2, 2).carry["payer"] == [1, 1, 1, 3]  # the newcomer pays for himself
    driver, _, _ = play(entry_of(10, 5, deals=2), hands, {(1, 1): mark(3), (1, 2): mark(5)})
    assert driver.at(2, 1).carry["mark"] == 3
    assert driver.at(2, 2).carry["mark"] == -1
    assert driver.at(2, 2).carry["payer"] == [0, 1, 2, 3]


def test_every_carried_list_has_as_many_values_as_there_are_seats() -> None:
    """Whatever goes on: 13 players, tables of four, all counters by chance."""
    for seed in range(20):
        rng = Random(seed)

        class Chancy(Scripted):
            def play(self, address: str, deal: Deal, first: bool, rng: Random = rng) -> None:
                super().play(address, deal, first)
                assert isinstance(deal, Till) and deal.stacks is not None
                for name, value in deal.carry().items():
                    assert not isinstance(value, list) or len(value) == deal.players, name
                assert all(0 <= seat < deal.players for seat in deal.payer)
                giver, taker = rng.sample(range(deal.players), 2)
                counters = rng.choice([deal.stacks[giver], rng.randint(0, deal.stacks[giver])])
                to_pool = rng.choice([0, 0, counters // 2])
                deal.stacks[giver] -= counters
                deal.stacks[taker] += counters - to_pool
                deal.net[giver] -= counters
                deal.net[taker] += counters - to_pool
                deal.pools["pool"] += to_pool
                deal.payer = [rng.randrange(deal.players) for _ in range(deal.players)]
                deal.mark = rng.randrange(-1, deal.players)

        tally = ShardTotals()
        driver = Chancy([])
        entry = entry_of(13, 4, deals=500)
        play_block(driver, entry, 7, 1, range(13), tally)
        assert sum(tally.sums["place", who].x for who in range(13)) == 13 * 14
        for seen in driver.seen:
            assert len(seen.players) <= 4 and all(seen.stacks)
        for hand in {seen.hand for seen in driver.seen}:
            there = [len(seen.players) for seen in driver.seen if seen.hand == hand]
            assert len(there) == 1 or max(there) - min(there) < 2


def test_pools_stay_with_their_tables_and_none_vanishes() -> None:
    driver, _, _ = play(entry_of(6, 3, deals=3), ["0-6 3-4", "0-1"])
    assert [driver.at(hand, table).pool for hand in (1, 2, 3) for table in (1, 2)] == [0, 0, 6, 4, 7, 4]
    # Three tables; the third, 7 8, has 5 in its pool and goes to the first and the second; 7 sits at the first.
    hands = ["0-100 1+97 3-100 4+98 6-100 7+95"]
    driver, _, _ = play(entry_of(9, 3, deals=2), hands)
    assert driver.tables(2) == [(1, 2, 7), (4, 5, 8)]
    assert [driver.at(2, table).pool for table in (1, 2)] == [3 + 5, 2]
    driver, _, _ = play(entry_of(10, 5, deals=2), ["0-4 5-100 6-100 7+193"])
    assert driver.tables(2) == [(0, 1, 2, 3), (7, 8, 9, 4)]
    assert [driver.at(2, table).pool for table in (1, 2)] == [4, 7]
    # A void deal takes the last counters of 3, 4 and 5, at the second table; the first plays on.
    driver, places, _ = play(entry_of(6, 3, deals=2), ["3-100 4-100 5-100"])
    assert [places[who] for who in (3, 4, 5)] == [5, 5, 5]
    assert driver.tables(2) == [(0, 1, 2)]
    assert sum(driver.at(2).stacks) + driver.at(2).pool == 600


def stakes(driver: Scripted) -> list[tuple[int, int, int, int]]:
    return [(seen.options.blind, seen.options.ante, seen.options.limit, seen.options.fee) for seen in driver.seen]


def test_blinds_double_up_to_their_upper_limits() -> None:
    """Every two: 1 2 4 8 8 of at most 8; 3 6 10 10 of at most 10; 10 20 30 30 of at most 30.  The fee is none of them."""
    driver, _, _ = play(entry_of(2, deals=10, every=2), [])
    levels = [(1, 3, 10, 5), (2, 6, 20, 5), (4, 10, 30, 5), (8, 10, 30, 5), (8, 10, 30, 5)]
    assert stakes(driver) == [level for level in levels for _ in range(2)]
    assert set(stakes(play(entry_of(2, deals=50), [])[0])) == {(1, 3, 10, 5)}
    driver, _, _ = play(entry_of(2, deals=3, every=1, blind=3, ante=0, limit=7), [])
    assert stakes(driver) == [(3, 0, 7, 5), (6, 0, 14, 5), (8, 0, 28, 5)]
    # The limit first: a blind of 2 would be refused with a limit of 2.
    driver, _, _ = play(entry_of(2, deals=3, every=1, blind=1, limit=2), [])
    assert [(blind, limit) for blind, _, limit, _ in stakes(driver)] == [(1, 2), (2, 4), (4, 8)]
    hands = ["", "0-100 1+100", ""]
    driver, _, _ = play(entry_of(6, 3, deals=3, every=1), hands)
    found = [(seen.hand, len(seen.players), seen.options.blind) for seen in driver.seen]
    assert found == [*[(1, 3, 1)] * 2, *[(2, 3, 2)] * 2, (3, 2, 4), (3, 3, 4)]


def test_blinds_at_their_upper_limits_cost_no_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    made = 0

    def counted(players: int, given: Mapping[str, Any] | None = None) -> Rules:
        nonlocal made
        made += 1
        return rules_for(players, given)

    rules_for = Till.rules_for
    monkeypatch.setattr(Till, "rules_for", counted)
    play(entry_of(2, deals=60, every=1), [])
    assert made < 1000


WITH_STACKS: dict[str, Any] = {
    **dict.fromkeys(("draw-poker", "straight-poker", "stud-poker"), {"stakes": "table"}),
    "bouillotte": {},
    "ambigu": {"stacks": 30},
}


def poker(players: int, game: str = "draw-poker", **keys: Any) -> Entry:
    table = stack_options(games.find(game), 30)
    options = WITH_STACKS[game] | table | keys.pop("options", {})
    strategies = strategies_of(f"s{at}" for at in range(players))
    format = FreezeOut(**{"stack": 30, "max_seats": 5, "max_deals": 3000, "blinds_double_every": 0, **keys})
    return Entry(game, game, format, options, strategies, 1)


class Chances(Scripted):
    """Random players at a real game."""

    def __init__(self, seed: int) -> None:
        super().__init__([])
        self.rng, self.pools = Random(seed), 0

    def play(self, address: str, deal: Deal, first: bool) -> None:
        assert deal.stacks is not None and all(deal.stacks)  # who is out is never dealt in
        before = list(deal.stacks)
        play_out(deal, lambda ask: self.rng.choice(ask.legal) if self.rng.random() < 0.4 else ask.legal[0])
        assert [now - old for now, old in zip(deal.stacks, before, strict=True)] == deal.net
        self.pools += deal.pools["pool"] > 0


@pytest.mark.parametrize(
    "keys",
    one_in(
        3,
        [
            {},
            {"max_seats": 3},
            {"max_seats": 2},
            {"blinds_double_every": 5},
            {"options": {"rules": "english", "stakes": "law60"}},
            {"options": {"buck": True, "kitty": True, "high_hand": "flush"}, "max_seats": 4},
            {"options": {"rules": "english"}, "max_seats": 3},
            {"max_deals": 20, "max_seats": 3},
            {"game": "straight-poker"},
            {"game": "straight-poker", "options": {"buck": False}, "max_seats": 3, "blinds_double_every": 5},
            {"game": "stud-poker"},
            {"game": "stud-poker", "options": {"form": "five"}, "max_seats": 2},
            {"game": "ambigu", "blinds_double_every": 9},
            {"game": "bouillotte"},
            {"game": "bouillotte", "max_seats": 3, "blinds_double_every": 5},
        ],
    ),
    ids=str,
)
def test_no_counter_is_lost_in_a_freeze_out(keys: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Stacks and pools together are what the players brought, after every hand."""
    players, hands, pools = 9, 0, 0
    settle = FreezeOutGame.settle_hand

    def settle_and_count(game: FreezeOutGame, before: dict[int, int]) -> None:
        nonlocal hands
        settle(game, before)
        standing = sum(sum(table.state.pools.values()) for table in game.tables)
        assert sum(game.stack.values()) + standing == 30 * players
        assert all(counters > 0 for counters in game.stack.values())
        assert sorted(player for table in game.tables for player in table.players) == sorted(game.stack)
        hands += 1

    monkeypatch.setattr(FreezeOutGame, "settle_hand", settle_and_count)
    for seed in range(4):
        entry, tally, driver = poker(players, **dict(keys)), ShardTotals(), Chances(seed)
        play_block(driver, entry, seed, 1, range(players), tally)
        assert sum(tally.sums["place", who].x for who in range(players)) == players * (players + 1)
        assert sum(tally.sums["won", who].x for who in range(players)) == share_scale(players)
        pools += driver.pools
    assert hands > 8 and (pools > 0 or keys == {"game": "stud-poker"})  # there a deal always has a winner


def test_stakes_of_games_with_stacks_double_together() -> None:
    """Limit, blind and jack ante of the american game; what only the english may not be given is left alone."""
    game = games.find("draw-poker")

    def bets(level: int, **given: Any) -> tuple[int, int, int]:
        rules = doubled(game, 4, {"stakes": "table", **given}, level)
        assert isinstance(rules, DrawPokerRules)
        return rules.blind, rules.limit, rules.jack_ante

    assert [bets(level) for level in (0, 1, 3)] == [(1, 50, 2), (2, 100, 4), (8, 400, 16)]
    assert bets(12) == bets(20) == (1000, 100_000, 1000)
    assert bets(2, rules="english") == (4, 48, 2)
    # The poker games that are played at table stakes, and Bouillotte with its caves.
    found = set()
    for name in games.names():
        game = games.find(name)
        keys = {option.key for option in game.options}
        given = {"stakes": "table"} if "stakes" in keys else stack_options(game, 30)
        if game.rules_for(game.usual[0], given).first_stacks:
            found.add(name)
    assert found == set(WITH_STACKS)


FEES = {  # by hand, from the sheets: what a table states in counters, without its stacks
    "draw-poker": {"blind": 1, "limit": 50, "jack_ante": 2, "fatten": 1},
    "straight-poker": {"ante": 1, "limit": 50},
    "stud-poker": {"ante": 1, "limit": 50},
    "bouillotte": {"blind": 5, "void_fee": 5},
    "ambigu": {"blind": 1, "ante": 2, "refusal": 2, "limit": 10},
}


@pytest.mark.parametrize("name", WITH_STACKS)
def test_every_fee_doubles_with_the_blinds(name: str) -> None:
    """Nothing that is stated in counters is left behind; stacks and numbers of raises stay."""
    game = games.find(name)
    for level in 0, 1, 3:
        rules, usual = doubled(game, 4, WITH_STACKS[name], level), game.rules_for(4, WITH_STACKS[name])
        numbers = {each.key for each in game.options if type(getattr(usual, each.key)) is int}
        now = {key: getattr(rules, key) for key in numbers if getattr(rules, key) != getattr(usual, key)}
        assert now == ({key: counters << level for key, counters in FEES[name].items()} if level else {})


class NobodyOpens(Scripted):
    """All pass, at a real game; `nets`: of seat 0, by deal."""

    def __init__(self) -> None:
        super().__init__([])
        self.nets: list[int] = []

    def play(self, address: str, deal: Deal, first: bool) -> None:
        play_out(deal, lambda ask: ask.legal[0])
        self.nets.append(deal.net[0])


def test_a_void_deal_costs_twice_as_much_after_the_blinds_have_doubled() -> None:
    """Nobody opens: each takes back what it has up, and pays 5, in the third and fourth hand 10."""
    driver = NobodyOpens()
    play_block(driver, poker(4, "bouillotte", blinds_double_every=2, max_deals=5), 1, 1, range(4), ShardTotals())
    assert driver.nets == [-5, -5, -10, -10]  # the thirty counters of each are gone
    # Nobody comes in; nobody opens the jack pot, whose ante of 2 is then 4. It is fattened by 1, then 4, and by 8.
    driver = NobodyOpens()
    entry = poker(4, "draw-poker", blinds_double_every=1, max_deals=4, options={"deal_off": False})
    play_block(driver, entry, 1, 1, range(4), ShardTotals())
    assert driver.nets == [0, -4, -4, -8]


def read(strategies: int = 8, **keys: Any) -> Entry:
    keys = {"game": "draw-poker", "options": {"stakes": "table"}, **keys}
    return planned(Path(), *["random"] * strategies, format="freeze-out", **keys).entries[0]


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"stack": 1}, "stack must be a whole number from 2 to 1000000"),
    ({"stack": 1_000_001}, "stack must be"),
    ({"max_seats": 1}, "max_seats must be a whole number from 2 to 13"),
    ({"max_seats": 9}, "max_seats = 9"),
    ({"max_deals": 0}, "max_deals must be"),
    ({"max_deals": 10**6 + 1}, "max_deals must be"),
    ({"blinds_double_every": -1}, "blinds_double_every must be"),
    ({"strategies": 1}, "a freeze-out needs 2 strategies"),
    ({"options": {"stakes": "table", "stack": 50}}, "stack is set by the format"),
    ({"options": {"stakes": "table", "freeze_out": True}}, "freeze_out is set by the format"),
    ({"options": {}}, "no stacks"),
    ({"deals": 100}, "deals belongs to format knock-out or round-robin"),
]


def test_entries_of_a_file() -> None:
    for keys, words in REFUSED:
        with pytest.raises(TournamentError, match=words):
            read(**keys)
    # Eight at draw poker need the pack of 60.
    with pytest.raises(TournamentError, match='8 players with pack = "52"'):
        read(max_seats=8)
    assert read(max_seats=8, options={"stakes": "table", "pack": "60"}).format.settings["max_seats"] == 8
    entry = read()
    assert entry.format == FreezeOut(stack=100, max_seats=5, max_deals=10_000, blinds_double_every=0)
    assert entry.options == {"stakes": "table", "stack": 100, "freeze_out": True}
