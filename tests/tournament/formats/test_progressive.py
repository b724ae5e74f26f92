"""Progressive play, sentence by sentence of its sheet (progressive-poker, section 1): the results of rounds are scripted,
and a second definition of the movement comes from the sheet alone."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest
from conftest import Shell
from helpers.blocks import counters_in, strategies_of
from helpers.command import TESTS, contents, one_in_with, roundsim
from helpers.planned import planned
from hypothesis import example, given, settings
from hypothesis import strategies as st

from roundsim import games
from roundsim.base.errors import TournamentError
from roundsim.base.text import so_many
from roundsim.refereeing.names import Names
from roundsim.table.deal import Deal, Story
from roundsim.table.options import Rules, option
from roundsim.testing import play_out
from roundsim.tournament.format_parts import Driver
from roundsim.tournament.formats import play_block, share_scale
from roundsim.tournament.formats.progressive import Progressive
from roundsim.tournament.judging.standings import standings
from roundsim.tournament.planning.plan import Entry
from roundsim.tournament.results.totals import ShardTotals

pytestmark = pytest.mark.usefixtures("here")

Nets = Mapping[int, int]  # by player
STAKE = 50


class Purse(Deal):
    """A game of no cards and no stacks."""

    id = "purse"
    title = "Purse"
    family = "none"
    seats = (2, 7)
    usual = (4, 7)
    source = "a test"
    pool_names = ("pool",)

    def deal(self) -> Story:
        return
        yield

    def next_dealer(self) -> int:
        """The dealer again, where the format does not see to it."""
        return self.dealer


class PurseRules(Rules, of=Purse):
    @property
    def minimum_stake(self) -> int:
        """Which says nothing where there are no stacks."""
        return 5


class Till(Purse):
    """The same with stacks."""

    id = "till"


class TillRules(Rules, of=Till):
    stack: int = option(100, "counters", "", low=1, high=10**6, role="stack")
    out: bool = option(False, "who has nothing left is out", "", role="freeze-out")
    buys: bool = option(True, "who has nothing left buys another stack", "", role="rebuy")
    least: int = option(1, "without so many nobody comes in", "")

    @property
    def first_stacks(self) -> list[int]:
        return [self.stack] * self.players

    @property
    def minimum_stake(self) -> int:
        return self.least


class PurseEntry(Entry):
    deal = Purse


class TillEntry(Entry):
    deal = Till


def entry_of(
    players: int, rounds: int = 2, stake: int = STAKE, kind: type[Entry] = PurseEntry, **options: int
) -> Entry:
    strategies = strategies_of(f"s{at}" for at in range(players))
    format, game = Progressive(stake=stake, rounds=rounds), Till if kind is TillEntry else Purse
    return kind("toy", game.id, format, {**format.set_options(game), **options}, strategies, 1)


@dataclass
class Seen:
    """A table as a round of it begins."""

    players: tuple[int, ...]
    dealer: int  # a seat
    stacks: tuple[int, ...] | None
    pool: int
    chance: str


@dataclass
class Round:
    """The results of a round: counters by player, the players in the call, and at which tables the pool gets how much."""

    nets: Nets = field(default_factory=dict)
    call: frozenset[int] = frozenset()
    pools: Mapping[int, int] = field(default_factory=dict)


@dataclass
class Scripted(Driver):
    """The driver: so many counters go to or from each player in each round."""

    rounds: Sequence[Round]
    seen: dict[tuple[int, int], Seen] = field(default_factory=dict)
    ended: dict[int, dict[int, int]] = field(default_factory=dict)
    left: int = 0

    def sit(self, table: str, names: Names, entrants: Sequence[int], keys: Sequence[Any]) -> None:
        self.table, self.who = table, list(entrants)
        assert list(keys) == self.who  # each player is one for the whole evening

    def play(self, place: str, deal: Deal, first: bool) -> None:
        block, table, number = map(int, place.split("/"))
        assert self.table == f"{block}/{table}" and first == (number == 1)
        stacks = None if deal.stacks is None else tuple(deal.stacks)
        assert len(self.who) == deal.players == len(stacks or self.who)
        self.seen[number, table] = Seen(tuple(self.who), deal.dealer, stacks, deal.pools["pool"], deal.chance.name)
        script = self.rounds[number - 1] if number <= len(self.rounds) else Round()
        for seat, player in enumerate(self.who):
            net = script.nets.get(player, 0)
            deal.net[seat] += net
            if deal.stacks is not None:
                deal.stacks[seat] += net
        deal.pools["pool"] += script.pools.get(table, 0)
        assert sum(deal.net) == -script.pools.get(table, 0), (number, table, deal.net)
        deal.in_the_call = [seat for seat, player in enumerate(self.who) if player in script.call]

    def end(self, place: str, deal: Deal) -> None:
        _, table, end = place.split("/")
        assert end == "end" and self.table == place.removesuffix("/end")
        self.ended[int(table)] = dict(zip(self.who, deal.net, strict=True))

    def leave(self) -> None:
        self.left += 1

    def tables(self, number: int) -> list[tuple[int, ...]]:
        return [seen.players for (at, _), seen in sorted(self.seen.items()) if at == number]

    def seats(self, number: int) -> str:
        return " | ".join(" ".join(map(str, table)) for table in self.tables(number))

    def stacks(self, number: int) -> dict[int, int]:
        """By player, in a game with stacks."""
        tables = [seen for (at, _), seen in self.seen.items() if at == number]
        return {who: stack for seen in tables for who, stack in zip(seen.players, seen.stacks or (), strict=False)}


Figures = dict[str, dict[int, float]]


def play(entry: Entry, rounds: Sequence[str], seed: int = 7, block: int = 1) -> tuple[Scripted, Figures]:
    """The driver, and the figures of each player by measure; the players are seated in order."""
    players = range(len(entry.strategies))
    driver, tally = Scripted([*map(round_of, rounds)]), ShardTotals()
    play_block(driver, entry, seed, block, players, tally)
    assert driver.left == 1 and tally.blocks == 1
    assert tally.deals == len(driver.seen)
    figures: Figures = {}
    for measure in entry.format.measures:
        sums = [tally.sums[measure.key, who] for who in players]
        assert all((each.n, each.w) == (1, 1) for each in sums)
        figures[measure.data] = {
            who: each.x / measure.denominator(entry) for who, each in zip(players, sums, strict=True)
        }
    return driver, figures


def fresh_in(figures: Figures) -> dict[int, float]:
    """The players who had fresh stakes, and how many."""
    return {who: n for who, n in figures["fresh_stakes"].items() if n}


def seats_after(players: int, rounds: Sequence[str]) -> list[str]:
    """The seats after each of these rounds."""
    driver, _ = play(entry_of(players, len(rounds) + 1), rounds)
    return [driver.seats(number) for number in range(2, len(rounds) + 2)]


def round_of(text: str) -> Round:
    """The results of a round in a line: `0+3 1-1 4-2 call 1 2 pools 1-3 2+3`."""
    nets, _, pools = text.partition(" pools ")
    nets, _, call = nets.partition(" call ")
    return Round(counters_in(nets), frozenset(map(int, call.split())), counters_in(pools))


SIZES = {8: [4, 4], 9: [4, 5], 11: [4, 7], 12: [4] * 3, 15: [4, 7, 4], 16: [4] * 4, 17: [4, 5, 4, 4], 20: [4, 6, 6, 4]}


def middle_of_the_sheet(middle: int) -> list[int]:
    """k = round-half-up(M / 6), raised until M <= 7k, lowered until M >= 4k."""
    k = (2 * middle + 6) // 12
    while middle > 7 * k:
        k += 1
    while middle < 4 * k:
        k -= 1
    return [middle // k + (at < middle % k) for at in range(k)] if k else []


def test_sizes_and_places_of_tables_and_one_shuffle_for_each_evening() -> None:
    for entrants in range(2, 61):
        sizes = [len(table) for table in play(entry_of(entrants, 1), [])[0].tables(1)]
        assert sizes == SIZES.get(entrants, sizes) and sum(sizes) == entrants
        if entrants <= 7:
            assert sizes == [entrants]
        elif entrants - 8 in (1, 2, 3):
            assert sizes == [4, entrants - 4]
        else:
            assert sizes == [4, *middle_of_the_sheet(entrants - 8), 4] and all(4 <= size <= 7 for size in sizes)
    driver, _ = play(entry_of(20, 3), [])
    assert [who for table in driver.tables(1) for who in table] == list(range(20))
    assert [driver.seen[1, table].dealer for table in (1, 2, 3, 4)] == [3, 5, 5, 3]
    chances = [seen.chance for seen in driver.seen.values()]
    assert len({*chances}) == 12 and all(name.startswith("7/toy/1/") for name in chances)
    entry = replace(entry_of(20), blocks=50)
    there = list(entry.format.seatings(entry, 7))
    assert all(sorted(seating) == list(range(20)) for seating in there) and len({*there}) == 50
    assert there == list(entry.format.seatings(entry, 7)) != list(entry.format.seatings(entry, 8))
    first = Counter(seating.index(0) for seating in there)
    assert len(first) > 10  # of 20 places, in 50 evenings


ALL_WIN = "0-2 1+9 2-3 3-4 4-1 5+15 6-2 7-3 8-4 9-5 10-1 11-2 12+3 16-1 17-2 19+3"
MOVES = f"""
the worked movement
  # Winners 1, 5, 12 and 19; 3 is the poorest of table 1. Each arrival has the seat that has become free.
    {ALL_WIN}
    -> 0 1 2 5 | 4 12 6 7 8 9 | 10 11 19 13 14 15 | 16 17 18 3
at two tables promotion and relegation are one exchange
    0+4 1-1 2-3 4-2 7+2 -> 0 1 7 3 | 4 5 6 2
the winner has the largest net, not the most counters
  # In the second round 5 wins 4 and has 34, 6 wins 3 and has 52.
    0+9 1-1 2-2 3-6 4+22 5-20 6-1 7-1 -> 0 1 2 4 | 3 5 6 7
    0+1 4-1 5+4 6+3 7-7 -> 0 1 5 4 | 3 2 6 7
without a positive net there is no winner
  # Table 2 has a void deal. Table 1 has lost 3 and gets the richest of table 2, 4; table 2 gets 9, who won.
    0+5 1-1 2-1 3-3 5-2 6-1 7-1 8-3 9+3 pools 2+4 -> 0 1 2 4 | 9 5 6 7 | 8 3 10 11
relegated is the one with fewest counters in all
  # 0 loses most in the second round; 2, who lost more before, still has fewer.
    0+10 1+1 2-11 4+1 5-1 call 2 3 -> 0 4 2 3 | 1 5 6 7
    0-8 3+8 -> 0 4 1 3 | 2 5 6 7
players in the call are immune
  # 3 is the poorest and was in the call; 2, the next, was too; 0 goes.
    {ALL_WIN} call 1 2 3
    -> 5 1 2 3 | 4 12 6 7 8 9 | 10 11 19 13 14 15 | 16 17 18 0
the winner is immune though he be the poorest
  # 2 lost 40 in the first round, in the call, and wins 3 from 0 in the second: he stays, and 0 goes.
    0+12 1+20 2-40 3+8 4+1 5-1 call 0 1 2 -> 0 1 2 4 | 3 5 6 7
    0-3 2+3 5+1 6-1 call 1 4 -> 5 1 2 4 | 3 0 6 7
the call at other tables counts for nothing
    {ALL_WIN} call 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19
    -> 0 1 2 5 | 4 12 6 7 8 9 | 10 11 19 13 14 15 | 16 17 18 3
without a winner at table 1 the poorest goes all the same
    0-1 1-2 2-1 3-1 4+1 5-1 pools 1+5 -> 0 4 2 3 | 1 5 6 7
when all are immune, tables are balanced
  # 5 comes up, and table 1 has one too many: the poorest of those who have not just come, 3, goes to table 2. There
  # 9 is the poorest and goes to table 3, 15 to table 4, which 19 has left. Arrivals from below sit first: 12 in the
  # seat of 5, and 3, from above, in that of 9.
    0-2 1+9 2-3 3-4 4-1 5+15 6-2 7-3 8-4 9-5 10-3 11-2 12+20 13-4 14-5 15-6 16-1 17-2 19+3 call 0 1 2 3
    -> 0 1 2 5 | 4 12 6 7 8 3 | 10 11 19 13 14 9 | 16 17 18 15
arrivals from below sit before those from above
  # The same, but the poorest of table 2 is 4, in seat 0: 12, from below, sits there, and 3 in the seat of 5.
    0-2 1+9 2-3 3-4 4-10 5+20 6-2 7-3 8-8 9+3 10-3 11-2 12+20 13-4 14-5 15-6 16-1 17-2 19+3 call 0 1 2 3
    -> 0 1 2 5 | 12 3 6 7 8 9 | 10 11 19 13 14 4 | 16 17 18 15
no winner at the booby table
  # Table 3 has lost 12 and gets the richest of table 4, 18, whose seat 3 has, who was sent there.
    0-2 1+9 2-3 3-4 4-1 5+15 6-2 7-3 8-4 9-5 10-1 11-2 12+3 16-2 17-2 19-1 pools 4+5
    -> 0 1 2 5 | 4 12 6 7 8 9 | 10 11 18 13 14 15 | 16 17 3 19
one who has just come does not go on
  # Nobody wins at tables 2 and 3 of three. 2, who leaves table 1 with the most counters but one, is richer than all
  # others; and yet 9, the richest of those who were at table 3 before, comes up to table 2.
    0+30 1+9 2+8 3-47 4-1 5-2 6-3 7-4 8-4 9-1 10-2 11-3 call 1 3 pools 2+10 3+10 -> 0 1 4 3 | 9 5 6 7 | 8 2 10 11
no winner anywhere
  # 3, the poorest, goes to the booby table; 5 comes up from table 2, and 10 from table 3.
    0-1 1-2 2-3 3-4 4-4 5-1 6-2 7-3 8-3 9-4 10-1 11-2 pools 1+10 2+10 3+10 -> 0 1 2 5 | 4 10 6 7 | 8 9 3 11
balancing asks for no immunity
  # All of table 1 are immune; 1, the winner there, has fewest and goes to table 2, as 5 has come up. He has lost 40
  # in the first round, in the call, when 0 went down.
    0+1 1-40 2+9 3+30 4+1 5-1 call 1 2 3 -> 4 1 2 3 | 0 5 6 7
    1+1 3-1 5+2 6-2 call 2 3 4 -> 4 5 2 3 | 0 1 6 7
the ruined are treated in the order of their places
  # 0 and 2 are ruined at table 1, both in the call; 3 goes down. 0 first: he changes with 6, the richest of table
  # 2. Then 2: now 0, with his 50, is the richest there, and changes with 2.
    0-50 1+103 2-50 3-3 4+9 5-4 6-1 7-4 call 0 2 -> 6 1 0 4 | 3 5 2 7
places come before numbers among the ruined
  # 10 and 5 are ruined at table 2. 10 changes with 11, the richest of table 3, and is the richest there when 5 comes.
    0+3 3-3 4+1 5-1 8-1 10+1 -> 0 1 2 4 | 10 5 6 7 | 8 9 3 11
    0+3 1-3 5-50 6+101 8-1 9+2 10-51 11-1 -> 0 6 2 4 | 11 10 9 7 | 8 1 3 5
the ruined of the middle change with the richest of the booby table too
  # 5 is ruined at table 2; at table 3, after 11 has left and 3 has come, 9 is the richest.
    0+3 3-3 4+50 5-50 8-2 9-1 10-3 11+6 -> 0 1 2 4 | 11 9 6 7 | 8 5 10 3
a player who has just been promoted may be ruined
  # 11 loses 170 in the first round, in which 10 goes up and 2 down, and is at -70 with a fresh stake. In the second
  # he wins 1 at table 3 and is promoted; at -69 he is ruined and changes with 9, who has most at table 3.
    0+6 1-1 2-3 3-2 4+5 5-5 8-1 9-1 10+172 11-170 -> 0 1 4 3 | 10 5 6 7 | 8 9 2 11
    0+3 3-3 5-2 8-1 10+2 11+1 -> 0 1 4 10 | 9 5 6 7 | 8 11 2 3
the winner of an old pool is the winner
  # 3 counters are in the pool of table 2 from the first round; in the second 6 takes them, and goes up.
    0+1 3-1 4-1 5-1 6-1 pools 2+3 -> 0 1 2 7 | 4 5 6 3
    0+1 1-1 6+3 pools 2-3 -> 0 6 2 7 | 4 5 1 3
"""


def moves_in(text: str) -> Iterator[Any]:
    """Each case has a name, a comment, and rounds: their results, and the seats after them."""
    for case in re.split(r"\n(?=\S)", text.strip()):
        name, _, rest = re.sub(r" *#.*\n", "", case).partition("\n")
        rounds = re.findall(r"(\S.*?)\s+-> (.*)", rest)
        yield pytest.param(*zip(*rounds, strict=True), id=name)


@pytest.mark.parametrize(("rounds", "seats"), [*moves_in(MOVES)])
def test_players_move_as_the_sheet_says(rounds: tuple[str, ...], seats: tuple[str, ...]) -> None:
    assert seats_after(len(seats[0].replace("|", "").split()), rounds) == [*seats]


def test_yellows_are_of_winners_at_table_1_alone_and_equal_nets_go_by_seats() -> None:
    """In the second round 5, who has come up, wins there.  A void deal gives none."""
    _, figures = play(entry_of(20, 4), [ALL_WIN, "0-3 5+3"])
    assert figures["yellows"] == {who: float(who in (1, 5)) for who in range(20)}
    _, figures = play(entry_of(20, 1), ["0-1 1-1 2-1 3-1 4-3 5+3 pools 1+4"])
    assert not any(figures["yellows"].values())
    rounds = ["0-3 1-3 2+6", "0+5 1-5", "2+1 4-1"]
    assert {*seats_after(5, rounds)} == {"0 1 2 3 4"}
    assert play(entry_of(5, 4), rounds)[1]["yellows"] == {0: 1, 1: 0, 2: 2, 3: 0, 4: 0}
    # At table 2 the first dealer is 7. After the first round 4, 5, 6 and 2 sit there, and 4 deals.
    for nets, wins in ("4+2 7+2 5-4", 4), ("5+2 6+2 4-4", 5), ("6+2 7+2 4-4", 6), ("4+2 5+2 6+2 7-6", 4):
        assert seats_after(8, [f"0+1 3-1 {nets}"])[0].startswith(f"0 1 2 {wins} |"), nets
    for nets, wins in ("4+2 2+2 5-4", 2), ("4+2 5+2 2-4", 5), ("2+2 5+2 4-4", 5), ("6+2 4+2 2-4", 6):
        seats = seats_after(8, ["0+4 1-1 2-3 4-2 7+2", f"0+1 3-1 {nets} call 1 7"])
        assert seats == ["0 1 7 3 | 4 5 6 2", seats[1]] and str(wins) in seats[1].partition("|")[0].split(), nets


DRAWS: dict[str, tuple[str, int, int, list[int]]] = {  # a round, a table and a seat of it, and who may sit there then
    "1, 2 and 3 have lost 2 each: one goes": ("0+6 1-2 2-2 3-2 4-1 5+1", 1, 1, [1, 2, 3]),
    "balancing up, 5 and 7 have as many": ("0+3 1-3 4-1 6-1 pools 2+2", 0, 1, [5, 7]),
    "balancing down, as all of table 1 are immune": ("0+4 1-2 3-2 4+1 5-1 call 0 1 2 3", 1, 0, [1, 3]),
    "2 is ruined, 5 and 7 are the richest of table 2": ("0+60 2-50 3-10 4+4 5-1 6-2 7-1 call 2", 0, 2, [5, 7]),
}


@pytest.mark.parametrize(("moved", "table", "seat", "equal"), DRAWS.values(), ids=DRAWS)
def test_ties_are_drawn(moved: str, table: int, seat: int, equal: list[int]) -> None:
    evenings, entry = 60, entry_of(8)
    found = Counter(play(entry, [moved], block=at)[0].tables(2)[table][seat] for at in range(evenings))
    assert sorted(found) == equal and all(0.6 < n * len(equal) / evenings < 1.4 for n in found.values()), found


def test_each_lot_of_an_evening_is_another_and_follows_from_the_seed() -> None:
    class Noted(Names):
        def drawn(self, what: str) -> str:
            lots.append(super().drawn(what))
            return lots[-1]

    lots: list[str] = []
    entry = entry_of(20, 30)
    entry.format.play(Scripted([]), entry, Noted(7, "toy", 1), 1, 1, entry.format.ledger(range(20)))
    assert len(lots) == len({*lots}) == 4 * 30  # one is relegated, and three come up
    rounds = [""] * 30  # everything is drawn

    def seats(seed: int = 7, block: int = 1, last: int = 31) -> list[str]:
        driver, _ = play(entry_of(20, last), rounds, seed, block)
        return [driver.seats(number) for number in range(1, 32)]

    assert seats() == seats() == seats(last=60)
    assert seats() != seats(seed=8) and seats() != seats(block=2)


def test_ruined_players_have_fresh_stakes_and_seats() -> None:
    """2 has lost all 50, in the call; 3 goes down, 4 comes up; then 2 changes with 6, who has most at table 2."""
    for kind in [PurseEntry, TillEntry]:
        driver, figures = play(entry_of(8, 2, kind=kind), ["0+55 2-50 3-5 4+9 5-4 6-1 7-4 call 2"])
        assert driver.seats(2) == "0 1 6 4 | 3 5 2 7"
        assert fresh_in(figures) == {2: 1} and figures["counters"][2] == 0
        stacks = [driver.seen[2, table].stacks for table in (1, 2)]
        assert stacks == ([(105, 50, 49, 59), (45, 46, 50, 46)] if kind is TillEntry else [None, None])
    for players, moved, seats, ruined in (
        (4, "0+50 2-50", "0 1 2 3", [2]),
        (8, "0+50 3-50 4+50 6-50", "0 1 2 4 | 3 5 6 7", [3, 6]),  # 3 has just been sent there
    ):
        driver, figures = play(entry_of(players), [moved])
        assert driver.seats(2) == seats and fresh_in(figures) == dict.fromkeys(ruined, 1)
    # 2 has lost 80 of 50: -30, and 20 with the fresh stake; in the end 20 - 50.
    _, figures = play(entry_of(8), ["0+85 2-80 3-5 4+9 5-4 6-1 7-4 call 2"])
    assert fresh_in(figures) == {2: 1} and figures["counters"][2] == -30
    assert not fresh_in(play(entry_of(8), ["0+49 2-49"])[1])
    # 11, who has just been promoted, is ruined again.
    rounds = ["0+6 1-1 2-3 3-2 4+5 5-5 8-1 9-1 10+172 11-170", "0+3 3-3 5-2 8-1 10+2 11+1"]
    _, figures = play(entry_of(12), rounds)
    assert fresh_in(figures) == {11: 2} and figures["counters"][11] == STAKE - 169
    # 5 counters are left of 50. With the fresh stake it is 55.
    for least, left in (1, 5), (5, 5), (6, 55):
        driver, figures = play(entry_of(5, kind=TillEntry, least=least), ["0+45 2-45"])
        assert figures["fresh_stakes"][2] == (left > 5) and driver.seen[2, 1].stacks == (95, 50, left, 50, 50)


def test_the_deal_goes_on_by_seats_and_pools_stay_with_their_tables() -> None:
    driver, _ = play(entry_of(20, 9), [ALL_WIN])
    for table, seats in enumerate((4, 6, 6, 4), 1):
        dealers = [driver.seen[number, table].dealer for number in range(1, 10)]
        assert dealers == [(seats - 1 + at) % seats for at in range(9)]
    moved = {driver.seen[number, 1].players[0] for number in range(1, 10)}
    assert len(moved) > 1  # others sit there now
    # Players who have paid into it go on to other tables.
    driver, _ = play(entry_of(20, 4), [f"{ALL_WIN} 4-3 17-5 pools 2+2 4+3", "4-1 pools 2+1"])
    pools = [[driver.seen[number, table].pool for table in (1, 2, 3, 4)] for number in (1, 2, 3, 4)]
    assert pools == [[0, 0, 0, 0], [0, 2, 0, 3], [0, 3, 0, 3], [0, 3, 0, 3]]
    # Five share seven: each gets one, and the two to the left of the last dealer, 1, another: 2 and 3. The pool stays
    # with its table: 7 has come up, and 1, who has gone there, has his share. Seat 3 has dealt last: the odd counter
    # is seat 0's.
    driver, figures = play(entry_of(5, 3), ["", "", "0-7 pools 1+7"])
    assert driver.ended == {1: {0: 1, 1: 1, 2: 2, 3: 2, 4: 1}}
    assert [*figures["counters"].values()] == [44, 51, 52, 52, 51]
    driver, figures = play(entry_of(8, 1), ["0+1 1-1 4-3 5-1 6-1 pools 2+5"])
    assert driver.ended == {2: {4: 2, 5: 1, 6: 1, 1: 1}}
    assert [*figures["counters"].values()] == [51, 50, 50, 50, 49, 50, 50, 50]


def ranks(players: int, rounds: Sequence[str]) -> tuple[list[str], dict[str, list[float]]]:
    entry, tally = entry_of(players, len(rounds)), ShardTotals()
    play_block(Scripted([*map(round_of, rounds)]), entry, 7, 1, range(players), tally)
    rows = {row.strategy: row.rank_text() for row in standings(entry, tally)}
    figures = {key: [*each.values()] for key, each in play(entry, rounds)[1].items()}
    return [rows[f"s{who}"] for who in range(players)], figures


def test_ranks_and_prizes_of_evenings() -> None:
    """Yellows: 1 has two; 0, 3 and 4 have one each, and of these 4 most counters and 3 fewest.  2 and 5 have none, and 5
    has more counters."""
    rounds = ["0-1 1+1", "1+1 2-1", "0-59 2-1 3+60", "2-10 3-60 4+70", "0+55 3-50 5-5"]
    placed, figures = ranks(6, rounds)
    assert placed == ["3", "1", "6", "4", "2", "5"] and figures == {
        "yellows": [1, 2, 0, 1, 1, 0],
        "counters": [45, 52, 38, 0, 120, 45],
        "fresh_stakes": [1, 0, 0, 1, 0, 0],
        "head": [0, 1, 0, 0, 0, 0],
        "most": [0, 0, 0, 0, 1, 0],
        "booby": [0, 0, 0, 1, 0, 0],
    }
    # 0 and 3 have a yellow and 50 counters each; 3 was ruined on the way.
    placed, figures = ranks(4, ["1+50 3-50", "1-50 3+50", "0+1 2-1", "0-1 1+1", "1-1 2+1"])
    assert figures["counters"] == [50] * 4 and figures["yellows"] == [1, 2, 1, 1]
    assert placed == ["2=", "1", "2=", "4"]
    assert figures["most"] == [0, 1, 0, 0]  # ties: more yellows
    assert figures["booby"] == [1 / 3, 0, 1 / 3, 1 / 3]  # ties: fewer yellows, then shared
    # 0 and 1 have a yellow each, 1 has more counters; 1 and 3 have a yellow and 50 counters each, 3 was ruined once.
    _, figures = ranks(4, ["0+1 2-1", "1+2 2-2"])
    assert figures["head"] == [0, 1, 0, 0]
    _, figures = ranks(4, ["1+50 3-50", "1-50 3+50"])
    assert figures["head"] == [0, 1, 0, 0] and figures["most"] == [0, 0.5, 0, 0.5]
    placed, figures = ranks(4, [""])
    assert placed == ["1="] * 4
    assert figures["head"] == figures["most"] == figures["booby"] == [0.25] * 4
    entry, tally = entry_of(4, 1), ShardTotals()
    for block, moved in enumerate(["0+1 1-1", ""], 1):
        play_block(Scripted([round_of(moved)]), entry, 7, block, range(4), tally)
    rows = {row.strategy: row for row in standings(entry, tally)}
    assert rows["s0"].figures["won"].value == (1 + 0.25) / 2
    assert rows["s0"].figures["yellows"].value == 0.5 and rows["s1"].figures["counters"].value == 49.5
    assert [row.rank for row in rows.values()] == [1, 2, 2, 4] and share_scale(4) == 12


# A second definition of the whole movement


Tables = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Room:
    """Seats and counters as the sheet has them, with every draw that there may be."""

    tables: Tables
    counters: Mapping[int, int]

    def winner(self, table: int, dealer: int, nets: Nets) -> int | None:
        who = self.tables[table]
        turn = [who[(dealer + 1 + at) % len(who)] for at in range(len(who))]
        best = max(nets.get(each, 0) for each in who)
        return next(each for each in turn if nets.get(each, 0) == best) if best > 0 else None

    def moved(self, dealers: Sequence[int], script: Round) -> Iterator[Tables]:
        """Every order of seats that items 3 to 7 allow."""
        last = len(self.tables) - 1
        if last == 0:
            yield self.tables
            return
        winners = [self.winner(at, dealers[at], script.nets) for at in range(last + 1)]
        goes = [
            (at, at - 1, who) for at, who in enumerate(winners) if at and who is not None
        ]  # from, to, player: promoted
        safe = {winners[0], *script.call}
        low = [who for who in self.tables[0] if who not in safe]
        fewest = min((self.counters[who] for who in low), default=0)
        sent_down: list[int | None] = [who for who in low if self.counters[who] == fewest]
        for sent in sent_down or [None]:
            first = goes + ([(0, last, sent)] if sent is not None else [])
            yield from self.balanced(first, len(first))

    def balanced(self, goes: list[tuple[int, int, int]], moves: int, at: int = 0) -> Iterator[Tables]:
        """Item 7, from table `at` on; the first `moves` are promotions and the relegation."""
        if at == len(self.tables) - 1:
            yield self.seated(goes)
            return
        surplus = sum(to == at for _, to, _ in goes) - sum(of == at for of, _, _ in goes)
        assert surplus in (-1, 0, 1)
        if not surplus:
            yield from self.balanced(goes, moves, at + 1)
            return
        source, target = (at, at + 1) if surplus > 0 else (at + 1, at)
        gone = {who for _, _, who in goes}
        there = [who for who in self.tables[source] if who not in gone]  # those who were there, and not just arrived
        wanted = (min if surplus > 0 else max)(self.counters[who] for who in there)
        for who in there:
            if self.counters[who] == wanted:
                yield from self.balanced([*goes, (source, target, who)], moves, at + 1)

    def seated(self, goes: list[tuple[int, int, int]]) -> Tables:
        tables = []
        for at, who in enumerate(self.tables):
            gone = {player for of, _, player in goes if of == at}
            come = [player for of, to, player in goes if to == at and of > at]
            come += [player for of, to, player in goes if to == at and of < at]
            assert len(gone) == len(come)
            tables.append(tuple([come.pop(0) if player in gone else player for player in who]))
        return tuple(tables)


def rescued(tables: Tables, counters: dict[int, int], ruined: Sequence[int], stake: int, then: Tables) -> bool:
    """Item 8: whether it allows this order of seats next; `counters` are those before any fresh stake. If many are
    tied, there are too many orders to list: a player who has gone up and is not ruined keeps the seat."""
    if not ruined:
        return tables == then
    who, *others = ruined
    now = {**counters, who: counters[who] + stake}
    if who in tables[-1]:
        return rescued(tables, now, others, stake, then)
    most = max(now[each] for each in tables[-1])
    seats = [pair for table, after in zip(tables, then, strict=True) for pair in zip(table, after, strict=True)]
    stays = dict(seats)[who]
    for richest in [each for each in tables[-1] if now[each] == most and (each == stays or each in others)]:
        swap = {who: richest, richest: who}
        changed = tuple([tuple([swap.get(each, each) for each in table]) for table in tables])
        if rescued(changed, now, others, stake, then):
            return True
    return False


def check_evening(
    seen: Callable[[int], Sequence[tuple[Any, ...]]],
    scripts: Sequence[Round],
    stake: int,
    least: int = 1,
    stacks: Callable[[int], Mapping[int, int]] = lambda number: {},
) -> tuple[dict[Any, int], dict[Any, int], dict[Any, int]]:
    """The tables of each round follow by the sheet from those before.  Returns totals, yellows, fresh stakes."""
    tables = tuple(map(tuple, seen(1)))
    players = [who for table in tables for who in table]
    counters = dict.fromkeys(players, stake)
    yellows, fresh = dict.fromkeys(players, 0), dict.fromkeys(players, 0)
    dealers = [len(table) - 1 for table in tables]
    for number, script in enumerate(scripts, 1):
        assert tuple(map(tuple, seen(number))) == tables and stacks(number) in ({}, counters)
        counters = {who: counters[who] + script.nets.get(who, 0) for who in players}
        room = Room(tables, counters)
        if (first := room.winner(0, dealers[0], script.nets)) is not None:
            yellows[first] += 1
        ruined = {who for who in players if counters[who] < least}
        if number < len(scripts):
            then = tuple(map(tuple, seen(number + 1)))
            assert any(
                rescued(moved, counters, [who for table in moved for who in table if who in ruined], stake, then)
                for moved in set(room.moved(dealers, script))
            ), f"after round {number}: {then} does not follow from {tables}"
            dealers, tables = [(dealer + 1) % len(table) for dealer, table in zip(dealers, tables, strict=True)], then
        for who in ruined:
            counters[who] += stake
            fresh[who] += 1
    return counters, yellows, fresh


@dataclass
class Chancy(Scripted):
    """Counters by chance: a winner at most tables, few different amounts, so that much is tied."""

    rng: Random = field(default_factory=Random)
    made: dict[int, Round] = field(default_factory=dict)
    amounts: Sequence[int] = (0, 1, 1, 2, 30)

    def play(self, place: str, deal: Deal, first: bool) -> None:
        number, table = int(place.split("/")[2]), int(place.split("/")[1])
        old = self.made.get(number, Round())
        nets, pot, standing = {}, 0, deal.pools["pool"]
        for seat, who in enumerate(self.who):
            most = 10**6 if deal.stacks is None else deal.stacks[seat]
            nets[who] = -min(self.rng.choice(self.amounts), most)
            pot -= nets[who]
        into = pot
        if self.rng.random() < 0.75:
            winners = self.rng.sample(self.who, self.rng.choice([1, 1, 2]))
            for who in winners:
                nets[who] += (pot + standing) // len(winners)
            into -= (pot + standing) // len(winners) * len(winners)
        call = frozenset(who for who in self.who if self.rng.random() < 0.4)
        self.made[number] = Round({**old.nets, **nets}, old.call | call, {**old.pools, table: into})
        self.rounds = [self.made.get(at, Round()) for at in range(1, number + 1)]
        super().play(place, deal, first)


@pytest.mark.soak
@settings(max_examples=120)
@given(st.integers(2, 40), st.integers(0, 10**6), st.booleans(), st.sampled_from([1, 1, 3, 10]))
@example(36, 266805, False, 10)  # many are ruined at once, and as many are the richest
def test_any_evening_goes_as_the_sheet_says(players: int, seed: int, stacks: bool, least: int) -> None:
    """Every movement is one that the sheet allows, the deal passes, and no counter is lost or made."""
    rounds, stake = 12, 20
    options = {"least": least} if stacks else {}
    entry = entry_of(players, rounds, stake, TillEntry if stacks else PurseEntry, **options)
    driver, tally = Chancy([], rng=Random(seed)), ShardTotals()
    play_block(driver, entry, 7, 1, range(players), tally)
    scripts = [driver.made[number] for number in range(1, rounds + 1)]
    counters, yellows, fresh = check_evening(driver.tables, scripts, stake, least if stacks else 1, driver.stacks)
    for (number, table), seen in driver.seen.items():
        assert seen.dealer == (number - 2) % len(seen.players)
        assert seen.pool == sum(scripts[at].pools.get(table, 0) for at in range(number - 1))
        assert (seen.stacks is not None) == stacks
    for table, shares in driver.ended.items():
        left, seats, last = sum(scripts[at].pools.get(table, 0) for at in range(rounds)), len(shares), rounds - 2
        turn = [(last + 1 + at) % seats for at in range(seats)]
        assert [*shares.values()] == [left // seats + (turn.index(seat) < left % seats) for seat in range(seats)]
    ended = {who: net for table in driver.ended.values() for who, net in table.items()}
    for who in range(players):
        final = counters[who] - stake * fresh[who] + ended.get(who, 0)
        assert tally.sums["yellows", who].x == yellows[who]
        assert tally.sums["fresh", who].x == fresh[who]
        assert tally.sums["counters", who].x == final
    left = sum(sum(script.pools.values()) for script in scripts) - sum(ended.values())
    assert sum(tally.sums["counters", who].x for who in range(players)) + left == stake * players


EVERY_GAME = [
    (name, options)
    for name in games.names()
    for options in ({}, {"stakes": "table"})
    if not options or any(option.key == "stakes" for option in games.find(name).options)
]


def read(game: str, entrants: int, **keys: Any) -> Entry:
    """An entry as its file gives it."""
    return planned(Path(), *["random"] * entrants, format="progressive", game=game, **keys).entries[0]


class Chances(Driver):
    """Random players at a real game; the counters that each has won, and those in the pools."""

    def __init__(self, seed: int) -> None:
        self.rng, self.pools = Random(seed), dict[str, int]()
        self.nets: Counter[int] = Counter()

    def sit(self, table: str, names: Names, entrants: Sequence[int], keys: Sequence[Any]) -> None:
        self.table, self.who = table, list(entrants)

    def play(self, place: str, deal: Deal, first: bool) -> None:
        assert sum(deal.pools.values()) == self.pools.get(self.table, 0)
        stacks = None if deal.stacks is None else list(deal.stacks)
        play_out(deal, lambda ask: self.rng.choice(ask.legal) if self.rng.random() < 0.5 else ask.legal[0])
        self.end(place, deal)
        if stacks is not None:  # nobody buys counters of the game's own
            assert deal.stacks == [stack + net for stack, net in zip(stacks, deal.net, strict=True)]

    def end(self, place: str, deal: Deal) -> None:
        for who, net in zip(self.who, deal.net, strict=True):
            self.nets[who] += net
        self.pools[self.table] = sum(deal.pools.values())

    def leave(self) -> None:
        """Nothing."""


@pytest.mark.parametrize(("game", "options"), one_in_with(5, [*EVERY_GAME]), ids=str)
def test_every_game_is_played(game: str, options: dict[str, Any]) -> None:
    """With the options that it has by itself, also where a sitting would be over; in the end all counters are there."""
    for seed in range(2):
        entry, driver, tally = read(game, 8, rounds=12, options=options), Chances(seed), ShardTotals()
        play_block(driver, entry, seed, 1, range(8), tally)
        assert tally.deals == 24 and not any(driver.pools.values())
        assert all(tally.sums["counters", who].x - STAKE == driver.nets[who] for who in range(8))
        assert sum(driver.nets.values()) == 0


def test_defaults_of_the_format_and_entries_that_are_refused() -> None:
    entry = read("draw-poker", 8)
    assert isinstance(entry.format, Progressive)
    assert (entry.format.stake, entry.format.rounds, entry.options) == (50, 100, {})
    entry = read("draw-poker", 8, stake=70, options={"stakes": "table"})
    assert entry.options == {"stakes": "table", "stack": 70, "freeze_out": True}
    for game, entrants, keys, words in REFUSED:
        with pytest.raises(TournamentError, match=words) as error:
            read(game, entrants, **keys)
        assert len(error.value.problems) == 1


REFUSED: list[tuple[str, int, dict[str, Any], str]] = [
    ("nap", 7, {}, "7 strategies sit at tables of 7, and nap is not for 7"),
    ("nap", 11, {}, "11 strategies sit at tables of 4, 7, and nap is not for 7"),
    ("nap", 15, {}, "15 strategies sit at tables of 4, 7, 4, and nap is not for 7"),
    ("solo-whist", 9, {}, "9 strategies sit at tables of 4, 5, and solo-whist is not for 5"),
    ("solo-whist", 3, {}, "progressive play needs 4 strategies at least"),
    ("nap", 1, {}, "progressive play needs 2 strategies at least"),
    ("nap", 10, {"options": {"pack": "32"}}, "5 to 6 players|32|pack"),
    ("draw-poker", 8, {"options": {"stakes": "table", "stack": 60}}, "stack is set by the format progressive"),
    ("draw-poker", 8, {"options": {"stakes": "table", "freeze_out": True}}, "freeze_out is set by the format"),
    ("draw-poker", 8, {"options": {"stack": 60}}, "stack"),
    ("bouillotte", 8, {"options": {"rebuy": True}}, "rebuy is set by the format progressive"),
    ("nap", 8, {"stake": 0}, "stake must be a whole number from 1 to 100000, not 0"),
    ("nap", 8, {"stake": 100_001}, "stake must be"),
    ("nap", 8, {"rounds": 0}, "rounds must be a whole number from 1 to 100000, not 0"),
    ("nap", 8, {"rounds": 100_001}, "rounds must be"),
    ("nap", 8, {"times": 0}, "times must be a whole number from 1"),
    ("nap", 8, {"deals": 9}, "deals belongs to format knock-out or round-robin"),
    ("nap", 8, {"max_seats": 5}, "max_seats belongs to format freeze-out"),
]


EVENINGS = """
[tournament]
name = "evenings"
format = "progressive"
seed = 5
strategies = [
    "random", "habits.py:Keeps", "book", "habits.py:Shared", "random", "random", "random", "random", "random", "random",
    "random", "random",
]
[[games]]
game = "nap"
rounds = 50
times = 10
[[games]]
game = "draw-poker"
rounds = 20
stake = 10
times = 4
options = { stakes = "table" }
"""


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run at one stretch in one process.  Not to be changed."""
    folder = lay_out(tmp_path_factory.mktemp("evenings"))
    roundsim("run", "evenings.toml", "--jobs", 1, "--out", "whole", cwd=folder)
    return folder / "whole"


def lay_out(folder: Path) -> Path:
    shutil.copy(TESTS / "strategies" / "habits.py", folder)
    (folder / "evenings.toml").write_text(EVENINGS)
    return folder


@pytest.mark.soak
def test_more_evenings_only_go_on_and_commands_describe_them(evenings: Path, tmp_path: Path, shell: Shell) -> None:
    """On two processes, with another hash seed."""
    lay_out(tmp_path)
    for times in 3, 10:
        words = "run", "evenings.toml", "--jobs", 2, "--times", times, "--out", "grown"
        roundsim(*words, cwd=tmp_path, hash_seed="3")
    grown = contents(tmp_path / "grown")
    few = {name: data for name, data in contents(evenings).items() if name.startswith("log/nap/")}
    assert len(few) == 2 and few.items() <= grown.items()
    verified = shell("verify", evenings)
    assert verified.code == 0
    assert verified.out.startswith(f"{so_many(10 * 50 * 3 + 4 * 20 * 3, 'deal')} verified\n")
    shown = shell("standings", evenings)
    assert shown.code == 0 and "progressive, 3 tables of 4, 4, 4 · stake 50, 50 rounds" in shown.out
    assert shown.out.splitlines()[3].split()[:4] == ["rank", "likely", "strategy", "yellows"]
    for form in "json", "csv", "md":
        assert shell("standings", evenings, "--format", form).out == (evenings / f"standings.{form}").read_text()
    lay_out(Path.cwd())
    dry = shell("run", "evenings.toml", "--dry-run")
    assert dry.code == 0 and "10 evenings of 50 rounds, 3 tables of 4, 4, 4" in dry.out
    played = shell("play", "nap", *["random"] * 8, "--as", "progressive", "--times", 1, "--jobs", 1, "--out", "here")
    assert played.code == 0 and "2 tables of 4, 4 · stake 50, 100 rounds\n  1 evening, 200 deals" in played.out
    assert shell("verify", "here").out.startswith("200 deals verified\n")


def lines_of(evenings: Path, shell: Shell, game: str) -> list[str]:
    done = shell("log", evenings, "--entry", game)
    assert done.code == 0
    return done.out.splitlines()


@pytest.mark.soak
def test_each_deal_of_the_log_can_be_replayed(evenings: Path, shell: Shell) -> None:
    """Its seats, nets and dealer are those of its line."""
    seats, rng = dict[str, list[str]](), Random(1)
    for line in lines_of(evenings, shell, "draw-poker"):
        words = line.split()
        if line.startswith("= "):
            seats[words[1]] = line.split(" ", 2)[2].split(" | ")
            continue
        place, dealer, *net = line.partition(" |")[0].split()
        if rng.random() < 0.03 and not place.endswith("/end"):
            said = shell("replay", f"{evenings}:{place}")
            assert said.code == 0 and f"dealer {dealer}" in said.out
            for seat, who in enumerate(seats[place.rpartition("/")[0]]):
                assert f"{seat} {who}" in said.out and f"{seat} {int(net[seat]):+d}" in said.out
            script = shell("replay", f"{evenings}:{place}", "--script", "deal.toml")
            assert script.code == 0 and shell("settle", "deal.toml").out == "1 passed, 0 failed\n"


def evenings_of(lines: Iterable[str]) -> Iterator[tuple[list[list[tuple[str, ...]]], list[Round]]]:
    """For each evening the tables of each round, and the results of the rounds; players by name."""
    seats: dict[str, tuple[str, ...]] = {}
    tables: dict[int, dict[int, list[tuple[str, ...]]]] = {}
    nets: dict[int, dict[int, dict[Any, int]]] = {}
    for line in lines:
        if line.startswith("= "):
            _, table, labels = line.split(" ", 2)
            seats[table] = tuple(labels.split(" | "))
            continue
        place, _, *net = line.partition(" |")[0].split()
        _, *address = place.split("/")
        who = seats[place.rpartition("/")[0]]
        assert address[-1] != "end"
        block, at, number = map(int, address)
        tables.setdefault(block, {}).setdefault(number, []).append(who)
        assert at == len(tables[block][number])
        nets.setdefault(block, {}).setdefault(number, {}).update(zip(who, map(int, net), strict=True))
    for block, of_rounds in tables.items():
        yield list(of_rounds.values()), [Round(each) for each in nets[block].values()]


def test_the_standings_are_those_of_the_log(evenings: Path, shell: Shell) -> None:
    """The movement and the figures of every evening of Nap follow from its log."""
    played = list(evenings_of(lines_of(evenings, shell, "nap")))
    data = json.loads((evenings / "standings.json").read_text())
    nap = data["games"][0]
    assert (data["format"], nap["players"], nap["blocks"], nap["deals"]) == ("progressive", None, 10, 1500)
    assert len(played) == 10 and all(len(scripts) == 50 for _, scripts in played)
    names = [row["strategy"] for row in nap["rows"]]
    sums: dict[str, Counter[str]] = {key: Counter() for key in KEYS}
    for tables, scripts in played:
        assert [len(table) for table in tables[0]] == [4, 4, 4]
        assert sorted(who for table in tables[0] for who in table) == sorted(names)
        counters, yellows, fresh = check_evening(dict(enumerate(tables, 1)).__getitem__, scripts, STAKE)
        final = {who: counters[who] - STAKE * fresh[who] for who in names}
        merits: dict[str, dict[str, tuple[int, ...]]] = {
            "head": {who: (yellows[who], final[who], -fresh[who]) for who in names},
            "most": {who: (final[who], yellows[who]) for who in names},
            "booby": {who: (-final[who], -yellows[who]) for who in names},
        }
        for prize, merit in merits.items():
            best = [who for who in names if merit[who] == max(merit.values())]
            sums[prize].update(dict.fromkeys(best, Fraction(1, len(best))))
        for key, figures in (("yellows", yellows), ("counters", final), ("fresh_stakes", fresh)):
            for who in names:
                sums[key][who] += figures[who]
    for row in nap["rows"]:
        for key in KEYS:
            assert row[key] == pytest.approx(float(Fraction(sums[key][row["strategy"]]) / 10), rel=5e-6), key
        for key in KEYS[:3]:
            assert row[f"{key}_error"] is None or row[f"{key}_error"] > 0
        for key in KEYS[3:]:
            assert 0 <= row[f"{key}_low"] <= row[key] <= row[f"{key}_high"] <= 1
    by_merit = [(-sums["yellows"][who], -sums["counters"][who], sums["fresh_stakes"][who]) for who in names]
    assert by_merit == sorted(by_merit)
    assert [row["rank"] for row in nap["rows"]] == [by_merit.index(merit) + 1 for merit in by_merit]


KEYS = "yellows", "counters", "fresh_stakes", "head", "most", "booby"
