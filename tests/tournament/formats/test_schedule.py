"""The seats and the chance of each block, and the results of blocks of a game whose counters are given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, islice, permutations
from math import comb, sqrt
from typing import Any

import pytest
from helpers.blocks import strategies_of
from helpers.command import seldom
from helpers.given import BLOCKS, Given, GivenEntry, given_entry, seatings

from roundsim.refereeing.names import Names
from roundsim.table import chance
from roundsim.table.cards import PACK
from roundsim.table.chance import Source
from roundsim.table.deal import Deal
from roundsim.tournament.format_parts import Driver
from roundsim.tournament.formats import play_block, share_scale
from roundsim.tournament.formats.freeze_out import FreezeOut
from roundsim.tournament.formats.round_robin import RoundRobin
from roundsim.tournament.judging.standings import standings
from roundsim.tournament.planning.plan import Entry
from roundsim.tournament.results.totals import BlockResult, Extreme, ShardTotals, keep_extremes
from roundsim.tournament.seating import seatings as seatings_from

Sizes = Sequence[tuple[int, int]]

SIZES = [(entrants, seats) for entrants in range(2, 15) for seats in range(2, 8)]
MORE = [(entrants, seats) for entrants, seats in SIZES if entrants > seats]


def freeze_out_of(entrants: int, blocks: int) -> GivenEntry:
    return replace(given_entry(entrants, 5, blocks), format=FreezeOut(100, 5, 10_000, 0))


def with_partners(entrants: int) -> Entry:
    return Entry("spoil-five", "spoil-five", RoundRobin(4, 4), {"partners": True}, strategies_of("r" * entrants), 90)


Play = Callable[[str, Deal, Sequence[int]], None]


class Notes(Driver):
    """A driver that notes what it is given; `play` makes the counters of a deal."""

    def __init__(self, play: Play = lambda address, deal, who: None) -> None:
        self.make, self.left = play, 0
        self.sat: list[tuple[str, tuple[int, ...]]] = []
        self.played: list[tuple[str, str, int, tuple[int, ...]]] = []
        self.ended: list[tuple[str, str, tuple[int, ...]]] = []

    def sit(self, table: str, names: Names, entrants: Sequence[int], keys: Sequence[Any]) -> None:
        assert not keys
        self.sat.append((names.sitting(int(table.split("/")[1])), tuple(entrants)))

    def play(self, address: str, deal: Deal, first: bool) -> None:
        assert first == (address.split("/")[2] == "1")
        self.played.append((address, deal.chance.name, deal.dealer, self.sat[-1][1]))
        self.make(address, deal, self.sat[-1][1])

    def end(self, address: str, deal: Deal) -> None:
        self.ended.append((address, deal.chance.name, tuple(deal.net)))

    def leave(self) -> None:
        self.left += 1


def played(
    entry: Entry, seating: Sequence[int], play: Play, seed: int = 7, block: int = 1
) -> tuple[Notes, ShardTotals]:
    notes, tally = Notes(play), ShardTotals()
    play_block(notes, entry, seed, block, seating, tally)
    return notes, tally


def even(address: str, deal: Deal, who: Sequence[int]) -> None:
    """Nobody wins anything."""


@cache
def groups(entrants: int, seats: int, blocks: int = BLOCKS) -> list[tuple[int, ...]]:
    return list(seatings(given_entry(entrants, seats, blocks), 7))


def unevenness(found: Sequence[tuple[int, ...]], entrants: int) -> tuple[int, int]:
    """The most by which the deals of two entrants, and the meetings of two pairs, differ after any number of blocks."""
    times, met = [0] * entrants, Counter(dict.fromkeys(combinations(range(entrants), 2), 0))
    uneven = meetings = 0
    for group in found:
        for entrant in group:
            times[entrant] += 1
        met.update(combinations(sorted({*group}), 2))
        uneven, meetings = max(uneven, max(times) - min(times)), max(meetings, max(met.values()) - min(met.values()))
    return uneven, meetings


# A perfect schedule would keep all of these at 1 (0 after whole rounds).  MEETINGS is what this one keeps to.
MEETINGS = 4
OTHERWISE = {
    **{(12, 6): 6, (10, 5): 7, (14, 7): 7},  # two whole tables of everybody: one group decides the other
    **{(6, 2): 2, (10, 2): 2},
}


@pytest.mark.parametrize("sizes", [[*MORE[::4], (10, 2), (10, 5)], *seldom(MORE)], ids=["some", "all"])
def test_all_have_played_and_met_about_as_often_after_any_number_of_blocks(sizes: Sizes) -> None:
    for entrants, seats in sizes:
        found = groups(entrants, seats)
        assert all(len(group) == len(set(group)) == seats for group in found)
        uneven, meetings = unevenness(found, entrants)
        assert uneven <= 1 and meetings <= OTHERWISE.get((entrants, seats), MEETINGS), (entrants, seats)


def joined_by(entrants: int, seats: int, *before: int, blocks: int) -> GivenEntry:
    """Some from the first block, and more who join after these numbers of blocks."""
    entry = given_entry(entrants + len(before), seats, blocks)
    return replace(entry, joined=(*[0] * entrants, *before))


def met_and_played(found: Sequence[tuple[int, ...]]) -> tuple[Counter[tuple[int, int]], Counter[int]]:
    every = [sorted({*group}) for group in found]
    met = Counter(pair for group in every for pair in combinations(group, 2))
    return met, Counter(entrant for group in every for entrant in group)


def test_newcomers_sit_in_every_block_until_all_are_level() -> None:
    for entrants, seats, before, more, uneven in [
        (7, 4, 120, 120, 4),  # 120 x 4 seats are 480 by 7: 68 4/7 each; after t more 68 4/7 + 3t/7 = t
        (12, 4, 240, 107, 4),  # 80 each; 80 + 3t/12 = t
        (4, 4, 40, 160, 2),  # 40 each; 40 + 3t/4 = t
        (5, 2, 100, 50, 3),  # 40 each; 40 + t/5 = t
    ]:
        there = list(seatings(joined_by(entrants, seats, before, blocks=before + more + 60), 7))
        assert there[:before] == groups(entrants, seats, before)
        assert all(entrants in group for group in there[before : before + more])
        met, times = met_and_played(there[: before + more])
        assert max(times.values()) - min(times.values()) <= 2  # before and after each is level within one
        assert max(met.values()) - min(met.values()) <= uneven and len(met) == comb(entrants + 1, 2)
        _, after = met_and_played(there[before + more :])
        assert max(after.values()) - min(after.values()) <= 1 and len(after) == entrants + 1
    # The second one begins when the first one is level: 6 x 2 / 3 = 4 each, after 6 more; then 12 x 2 / 3 = 8 more.
    there = list(seatings(joined_by(3, 2, 6, 7, blocks=40), 7))
    first, second = ([block for block, group in enumerate(there, 1) if who in group] for who in (3, 4))
    assert first[:6] == [7, 8, 9, 10, 11, 12] and second[:8] == [13, 14, 15, 16, 17, 18, 19, 20]
    assert {*met_and_played(there[:20])[1].values()} == {8}
    # Where all sit in every block there is no catching up.
    there = list(seatings(joined_by(3, 5, 20, blocks=60), 7))
    assert {frozenset(group) for group in there[20:]} == {frozenset(range(4))}
    assert {*Counter(entrant for group in there[20:] for entrant in group).values()} == {50}
    # A block after a newcomer is found by itself.
    entry = joined_by(7, 4, 120, blocks=320)
    there = list(seatings(entry, 7))
    for at in 1, 119, 120, 121, 170, 239, 240, 241, 300:
        assert list(entry.format.seatings(entry, 7, at)) == there[at - 1 :], at


def test_without_the_one_in_focus_the_others_are_a_round_robin_at_one_seat_fewer() -> None:
    for entrants, seats in (2, 2), (5, 4), (9, 3), (3, 5), (12, 4):
        entry = given_entry(entrants, seats)
        there = list(seatings(replace(entry, format=RoundRobin(seats, 3, focus="s1")), 7))
        assert all(group.count(1) == 1 for group in there)
        met, times = met_and_played(there)
        others = [times[each] for each in range(entrants) if each != 1]
        assert max(others) - min(others) <= 1
        pairs = [met[pair] for pair in combinations(range(entrants), 2) if 1 not in pair]
        assert not pairs or max(pairs) - min(pairs) <= MEETINGS
        assert len({group.index(1) for group in there}) == seats  # seats are drawn, too


def lefts(entry: Entry) -> Counter[tuple[int, int]]:
    """How often each has been on each other's left."""
    times = Counter(dict.fromkeys(permutations(range(len(entry.strategies)), 2), 0))
    for seating in seatings(entry, 7):
        times.update(zip(seating, [*seating[1:], seating[0]], strict=True))
    return times


def test_neighbours_and_orders_are_even() -> None:
    """Orders drawn independently would be within three deviations of n/(seats - 1), of the n blocks that a pair plays
    together: so far apart are the least and the most of these 6 to 132."""
    for entrants, seats, most in (3, 3, 2), (4, 4, 2), (5, 5, 4), (7, 7, 6), (5, 4, 4), (7, 4, 4), (12, 4, 4):
        times = lefts(given_entry(entrants, seats))
        together = BLOCKS * comb(seats, 2) / comb(entrants, 2)
        share = 1 / (seats - 1)
        drawn = 4 * sqrt(together * share * (1 - share))
        assert sum(times.values()) == BLOCKS * seats
        assert max(times.values()) - min(times.values()) <= most < drawn, (entrants, seats)


def test_partners_change_evenly() -> None:
    """Four at two sides: each pair are partners in a third of the blocks; of more, as evenly as may be."""
    for entrants in 4, 6:
        sides = [side for seating in seatings(with_partners(entrants), 1) for side in (seating[0::2], seating[1::2])]
        partners = Counter(tuple(sorted(side)) for side in sides)
        times = [partners[pair] for pair in combinations(range(entrants), 2)]
        assert sum(times) == 180 and max(times) - min(times) <= 2, partners


def test_an_order_is_kept_where_all_that_are_drawn_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr("roundsim.tournament.seating.DRAWN", 1)
        found = [*seatings(given_entry(2, 4), 7)]
    assert {"".join(map(str, order)) for order in found} == {"0011", "0101", "0110", "1001", "1010", "1100"}
    assert groups(1, 4, 2) == [(0, 0, 0, 0)] * 2
    names: list[str] = []

    def number(name: str) -> int:
        names.append(name)
        return chance.hash_number(name)

    monkeypatch.setattr("roundsim.tournament.seating.hash_number", number)
    (far,) = islice(seatings_from(given_entry(60, 4, 10**9), 7, 4, first=10**8), 1)
    assert len(set(far)) == 4 and 0 < len(names) <= 2100


@pytest.mark.parametrize(("entrants", "seats", "lap"), [(4, 4, 8), (3, 5, 9), (7, 4, 14), (9, 6, 9), (10, 2, 10)])
def test_each_lap_is_found_by_itself(monkeypatch: pytest.MonkeyPatch, entrants: int, seats: int, lap: int) -> None:
    """All have played as often after a lap, so over any number of them."""
    monkeypatch.setattr("roundsim.tournament.seating.LAP", 8)
    entry = given_entry(entrants, seats, 45)
    there = list(seatings(entry, 7))
    assert unevenness(there, entrants)[0] <= 1
    for first in (1, 2, lap, lap + 1, lap + 2, 33, 45, 46):
        assert list(seatings_from(entry, 7, seats, first)) == there[first - 1 :]
    assert there[:lap] != there[lap : 2 * lap]


def test_seats_depend_on_seed_and_name_alone() -> None:
    entry = given_entry(4, 4, 50)
    there = list(seatings(entry, 7))
    assert there != list(seatings(entry, 8))
    assert there != list(seatings(replace(entry, name="other"), 7))
    assert there == list(seatings(replace(entry, format=RoundRobin(4, 9), asked=3), 7))
    for entrants, seats in (2, 2), (3, 5), (4, 4), (6, 4), (9, 3), (14, 7):
        assert groups(entrants, seats, 9) == groups(entrants, seats, 90)[:9]
        freeze_out = freeze_out_of(entrants, 90)
        assert list(seatings(replace(freeze_out, blocks=9), 7)) == list(seatings(freeze_out, 7))[:9]
    # The last of many players are shuffled too.
    for entrants in 2, 9, 60, 90:
        there = list(seatings(freeze_out_of(entrants, 20), 7))
        assert all(sorted(seating) == list(range(entrants)) for seating in there) and len(set(there)) > 1
    for entrants in 110, 150:
        (seating,) = seatings(freeze_out_of(entrants, 1), 7)
        assert [*seating[-10:]] != sorted(seating[-10:])


@pytest.mark.parametrize("sizes", [SIZES[::5], *seldom(SIZES)], ids=["some", "all"])
def test_in_a_block_everybody_has_every_seat_once_on_the_same_chance(sizes: Sizes) -> None:
    for entrants, seats in sizes:
        entry = given_entry(entrants, seats, 2)
        for block, seating in enumerate(seatings(entry, 7), 1):
            notes, tally = played(entry, seating, even, block=block)
            assert len(notes.sat) == notes.left == seats
            for place in range(seats):
                assert Counter(who[place] for _, who in notes.sat) == Counter(seating)
            neighbours = {(who[at], who[(at + 1) % seats]) for _, who in notes.sat for at in range(seats)}
            assert neighbours == {(seating[at], seating[(at + 1) % seats]) for at in range(seats)}
            numbers = [(sitting, deal) for sitting in range(1, seats + 1) for deal in (1, 2, 3)]
            assert [address for address, *_ in notes.played] == [f"{block}/{at}/{deal}" for at, deal in numbers]
            deals = [(name, dealer) for _, name, dealer, _ in notes.played]
            assert deals == deals[:3] * seats and len({name for name, _ in deals}) == 3
            assert [dealer for _, dealer in deals[:3]] == [(seats - 1 + at) % seats for at in range(3)]
            assert (tally.blocks, tally.deals) == (1, 3 * seats)


def names_of(entry: Entry, seed: int = 7, block: int = 3) -> list[str]:
    seating = next(islice(seatings(entry, seed), block - 1, None))
    notes, _ = played(entry, seating, even, seed, block)
    return [name for name, _ in notes.sat] + [name for _, name, _, _ in notes.played]


def test_names_of_chance_and_what_is_drawn_from_them() -> None:
    """They hold no number of deals or blocks, nor of those asked for.  A longer sitting only goes on."""
    names = names_of(given_entry(3, 3, name="jack pots"), seed=1891, block=17)
    assert all(name.startswith("1891/jack pots/17/") for name in names)
    few, many = given_entry(3, 3, 5, 4), replace(given_entry(3, 3, 5000, 4), asked=99)
    assert names_of(few) == names_of(many)
    assert set(names_of(few)) < set(names_of(replace(few, format=RoundRobin(3, 9))))
    entry = given_entry(4, 4)
    assert len({name for name, _ in played(entry, (0, 1, 2, 3), even)[0].sat}) == 4
    for other in names_of(entry, block=4), names_of(entry, seed=8), names_of(replace(entry, name="other")):
        assert not {*names_of(entry)} & {*other}
    drawn = [Source(f"7/given/3/{deal}").pack(PACK[:30]).draw(30) for deal in (1, 1, 2)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_a_block_is_the_same_whatever_was_played_before() -> None:
    """Its deals' shuffles, its counters; alone or after another."""

    def by_cards(address: str, deal: Deal, who: Sequence[int]) -> None:
        top = deal.chance.shuffled(range(50), "numbers")
        deal.pay(0, 1, top[0])
        deal.pay(1, 2, top[1] - top[2])

    entry = given_entry(5, 3)
    there = list(islice(seatings(entry, 7), 4))
    alone = played(entry, there[3], by_cards, block=4)[1]
    after, notes = ShardTotals(), Notes(by_cards)
    for block, seating in enumerate(there, 1):
        if block == 4:
            before = {key: sums.row() for key, sums in after.sums.items()}
        play_block(notes, entry, 7, block, seating, after)
    for key, sums in alone.sums.items():
        assert sums.row() == [
            new - old for new, old in zip(after.sums[key].row(), before.get(key, [0] * 6), strict=True)
        ]


def test_the_heading_says_what_was_asked_unless_the_run_has_grown() -> None:
    """The run has eight blocks of nine deals."""
    for asked, words in [(70, "70 asked for; "), (72, "72 asked for; "), (9, ""), (0, "")]:
        entry, tally = replace(given_entry(3, 3, blocks=8), asked=asked), ShardTotals(blocks=8, deals=60)
        said = "60 deals in 8 blocks of at most 9 ({}sittings may end early)"
        assert entry.format.heading(entry, tally)[1] == said.format(words)
        tally.deals = 72
        assert entry.format.heading(entry, tally)[1].startswith(
            "72 deals" + (" (70 rounded up)" if asked == 70 else " in")
        )


def by_table(nets: Sequence[Sequence[int]]) -> Play:
    """The counters of each seat in the first deal, the second and so on, in every sitting."""

    def play(address: str, deal: Deal, who: Sequence[int]) -> None:
        deal.net[:] = nets[int(address.split("/")[2]) - 1]
        deal.pools["pool"] -= sum(deal.net)

    return play


def by_entrant(nets: Sequence[int], last: str = "") -> Play:
    """The counters of each entrant in every deal.  A sitting is over with the deal `last`."""

    def play(address: str, deal: Deal, who: Sequence[int]) -> None:
        assert isinstance(deal, Given)
        deal.net[:] = [nets[entrant] for entrant in who]
        deal.pools["pool"] -= sum(deal.net)
        deal.last = address == last

    return play


def figures(tally: ShardTotals, seats: int) -> dict[int, tuple[float, float, int]]:
    """By entrant: counters a deal, share won, deals."""
    scale = share_scale(seats)
    return {
        who: (
            tally.sums["net", who].x / scale / tally.sums["net", who].w,
            tally.sums["won", who].x / scale / tally.sums["won", who].w,
            tally.sums["net", who].w,
        )
        for who in sorted({who for _, who in tally.sums})
    }


def test_counters_of_a_block_go_to_their_entrants() -> None:
    """Each has every seat once: 5, -2 and -3 in one deal, 1, 1 and -2 in the other come to 0 for all. Won: 1 of the
    first deals, and of the second two halves: 2 of 6."""
    tally = played(given_entry(3, 3, sitting=2), (2, 0, 1), by_table([(5, -2, -3), (1, 1, -2)]))[1]
    third: Any = pytest.approx(1 / 3)
    assert figures(tally, 3) == {who: (0.0, third, 6) for who in range(3)}
    # Entrant 1 wins two from each of the others in every deal of four seats, wherever he sits: 6 a deal.
    tally = played(given_entry(4, 4), (3, 1, 0, 2), by_entrant([-2, 6, -2, -2]))[1]
    assert figures(tally, 4) == {1: (6.0, 1.0, 12), **{who: (-2.0, 0.0, 12) for who in (0, 2, 3)}}
    # At four seats: alone; two; all; three: of four deals in four sittings, every entrant has each seat of each. In
    # the deal of seat 0 one of four, and so in all the others: a quarter. Entrants at two seats have the half.
    nets = [(3, -1, -1, -1), (2, 2, -2, -2), (0, 0, 0, 0), (1, 1, 1, -3)]
    tally = played(given_entry(4, 4, sitting=4), (0, 1, 2, 3), by_table(nets))[1]
    assert figures(tally, 4) == {who: (0.0, 0.25, 16) for who in range(4)}
    tally = played(given_entry(3, 4, sitting=4), (0, 1, 2, 0), by_table(nets))[1]
    assert [figures(tally, 4)[who][1] for who in range(3)] == [0.5, 0.25, 0.25]
    # All pay into the pool: the largest net is still the largest. Seats 1 and 2 of three share it.
    tally = played(given_entry(3, 3, sitting=1), (0, 1, 2), by_entrant([-3, -1, -1]))[1]
    assert [figures(tally, 3)[who][1] for who in range(3)] == [0.0, 0.5, 0.5]


def test_a_block_counts_who_was_ahead_and_its_best_and_worst_deals() -> None:
    """The places of the seating have 5 1 -3 -2 -2 1, -2 1 5 1 -3 -2 and -3 -2 -2 1 5 1 in the six deals. The first is
    ahead of the second in three and equal in one, of the third in two and one, the second of the third in three and
    one. Squared: 25 + 1 + 9 + 4 + 4 + 1. Seat 2 deals first, then seat 0: -3, 5, -2 and 1, 1, -2 from the dealer."""
    entry, notes, tally = given_entry(3, 3, sitting=2), Notes(by_table([(5, -2, -3), (1, 1, -2)])), ShardTotals()
    row = play_block(notes, entry, 7, 1, (2, 0, 1), tally)
    assert (row.deals, [*row.ahead]) == (6, [2 * 3 + 1, 2 * 2 + 1, 2 * 3 + 1])
    assert row.squares == 3 * 44 and [*row.from_dealer] == [-6, 18, -12]
    assert tally.best == {2: (5, "1/1/1"), 0: (5, "1/2/1"), 1: (5, "1/3/1")}
    assert tally.worst == {2: (-3, "1/2/1"), 0: (-3, "1/3/1"), 1: (-3, "1/1/1")}
    for order in (("2/1/1", "10/1/1"), ("10/1/1", "2/1/1")):
        tally = ShardTotals()
        for place in order:
            keep_extremes(tally.best, 1, [(0, Extreme(4, place))])
            keep_extremes(tally.worst, -1, [(0, Extreme(-4, place))])
        assert (tally.best, tally.worst) == ({0: (4, "2/1/1")}, {0: (-4, "2/1/1")})
    tally = ShardTotals()
    tally.extremes((0, 1), BlockResult(0, 0, ([0, 0], [0, 0]), [None, None], [None, None]))
    assert not tally.best and not tally.worst, "nobody plays"


def test_an_entrant_at_several_seats_has_their_mean() -> None:
    """Entrant 0 has three of five seats and loses 1, 2 and 3 there to 1, who wins 4 at one seat and 2 at the other. So
    0 has -2 and 1 has 3 a deal; the best of each deal is 1's."""
    seating = (0, 1, 0, 1, 0)
    nets = (-1, 4, -2, 2, -3)

    def play(address: str, deal: Deal, who: Sequence[int]) -> None:
        shift = int(address.split("/")[1]) - 1
        deal.net[:] = [*nets[shift:], *nets[:shift]]  # the same people, whatever seats they have

    tally = played(given_entry(2, 5, sitting=1), seating, play)[1]
    assert figures(tally, 5) == {0: (-2.0, 0.0, 5), 1: (3.0, 1.0, 5)}


def test_sittings_end_early_by_their_own_rule_and_have_their_end() -> None:
    """The second of three sittings of up to three deals is over with deal `first`; the others go on to their end."""
    for first, deals in [(1, 7), (2, 8), (3, 9)]:
        notes, tally = played(given_entry(3, 3), (0, 1, 2), by_entrant([2, -1, -1], f"1/2/{first}"))
        assert tally.deals == len(notes.played) == deals
        assert [figures(tally, 3)[who] for who in range(3)] == [
            (2.0, 1.0, deals),
            (-1.0, 0.0, deals),
            (-1.0, 0.0, deals),
        ]
        row = standings(given_entry(3, 3), tally)[0]
        assert (row.strategy, row.first.mean, row.units, row.blocks) == ("s0", Fraction(2), deals, 1)
        assert notes.sat[2][1] == (2, 0, 1)

    def play(address: str, deal: Deal, who: Sequence[int]) -> None:
        deal.into_pool(0, 1)
        assert isinstance(deal, Given)
        deal.last = address.startswith("1/2/")

    notes, tally = played(given_entry(2, 2), (0, 1), play)
    # three counters, the last dealer seat 1: two to seat 0; one counter, the last dealer seat 1 again: to seat 0
    assert [net for _, _, net in notes.ended] == [(2, 1), (1, 0)]
    assert tally.deals == 4
    assert sum(tally.sums["net", who].x for who in (0, 1)) == 0


def test_the_pool_is_shared_at_the_end_among_those_who_sit_there() -> None:
    """Three deals at four seats, each pays one of 12; then 2 more from seat 0: 14 are 3 each, two get one more. The
    first dealer is seat 3, so the last one is seat 1: seats 2 and 3 get four. Twelve deals, and the ends are none."""
    nets = [(-1, -1, -1, -1), (-1, -1, -1, -1), (-3, -1, -1, -1)]
    notes, tally = played(given_entry(4, 4), (0, 1, 2, 3), by_table(nets))
    assert notes.ended == [(f"1/{sitting}/end", "7/given/1/end", (3, 3, 4, 4)) for sitting in (1, 2, 3, 4)]
    assert tally.deals == 12
    assert figures(tally, 4) == {who: (0.0, 0.25, 12) for who in range(4)}
    # One deal, two seats, the last dealer seat 1: of three counters seat 0 gets two. Entrant 0 has paid all three. He
    # has -3 + 2 at seat 0 and -3 + 1 at seat 1: -1.5 a deal; the other 1 and 2: 1.5.

    def play(address: str, deal: Deal, who: Sequence[int]) -> None:
        deal.into_pool(who.index(0), 3)

    notes, tally = played(given_entry(2, 2, sitting=1), (0, 1), play)
    assert [net for _, _, net in notes.ended] == [(2, 1), (2, 1)]
    assert figures(tally, 2) == {0: (-1.5, 0.0, 2), 1: (1.5, 1.0, 2)}


def test_deals_after_an_early_end_have_their_own_chance_and_every_sitting_starts_afresh() -> None:
    """Neither pools nor the turn to deal pass from one sitting to the next.  An empty pool has no end."""
    pools: list[int] = []

    def play(address: str, deal: Deal, who: Sequence[int]) -> None:
        pools.append(deal.pools["pool"])
        deal.into_pool(1, 4)

    notes, _ = played(given_entry(3, 3), (0, 1, 2), play)
    assert pools == [0, 4, 8] * 3
    assert [dealer for _, _, dealer, _ in notes.played] == [2, 0, 1] * 3
    assert played(given_entry(3, 3), (0, 1, 2), by_table([(1, 0, -1)] * 3))[0].ended == []
    # The deals of the other sittings are named as if nothing had ended.
    entry = given_entry(2, 2)
    cut, whole = (played(entry, (0, 1), by_entrant([0, 0], last))[0] for last in ("1/1/1", ""))
    assert cut.played == [whole.played[0], *whole.played[3:]]


def test_shards_are_whole_blocks_and_small_where_somebody_imagines() -> None:
    for seats, sitting, blocks, ends in [
        (4, 4, 200, [63, 126, 189, 200]),  # 16 deals a block: 63 blocks are 1008
        (2, 1, 1000, [500, 1000]),
        (5, 500, 3, [1, 2, 3]),  # a block alone is more than enough
        (3, 7, 10, [10]),
    ]:
        entry = given_entry(seats, seats, blocks, sitting)
        expected = [range(first, end + 1) for first, end in zip([1, *[end + 1 for end in ends]], ends, strict=False)]
        assert [*entry.shards()] == expected
        longer = [*replace(entry, blocks=blocks + 1000).shards()]
        assert [each[0] for each in longer[: len(ends)]] == [each[0] for each in expected]
    # 16 deals a block: 63 blocks in a shard; what was there stays, whoever comes and however long he takes.
    entry = replace(given_entry(7, 4, 300, 4), joined=(0, 0, 0, 0, 0, 70, 70))
    ends = [1, 64, 71, 134, 197, 260, 301]
    assert [*entry.shards()] == [range(one, other) for one, other in zip(ends, ends[1:], strict=False)]
    assert entry.shard_count == 6 and entry.shard(70) == range(64, 71) and entry.shard(71) == range(71, 134)
    assert entry.shard(0) is None and entry.shard(301) is None
    slow = replace(entry, strategies=(*entry.strategies[:6], replace(entry.strategies[6], imagines=True)))
    assert [*slow.shards()][:4] == [range(1, 64), range(64, 71), range(71, 74), range(74, 77)]
    # A strategy that imagines deals: 40 deals, so that all cores have some soon, and little is lost.
    entry = given_entry(4, 4, 200, 4)
    slow = replace(entry, strategies=(replace(entry.strategies[0], imagines=True), *entry.strategies[1:]))
    assert [*slow.shards()][:3] == [range(1, 4), range(4, 7), range(7, 10)]
