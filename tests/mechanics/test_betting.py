"""Betting, by the counter: all that was staked is divided, and no seat is paid beyond its own stake."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import pytest
from helpers.command import one_in_with
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from roundsim import games
from roundsim.games.ambigu import judge
from roundsim.games.draw_poker import DrawPoker
from roundsim.games.straight_poker import StraightPoker
from roundsim.mechanics.betting import Poker, divide, layers
from roundsim.table.chance import Source
from roundsim.table.deal import Ask, Deal
from roundsim.testing import Played, Table, play_sitting
from roundsim.testing.tables import as_many_as_go, some_options


@st.composite
def stakes(draw: Any) -> tuple[list[int], list[int]]:
    """The stakes of some seats, and the seats that are in, in any order."""
    few = draw(st.sampled_from([3, 40, 10**6]))  # often equal, or never
    staked = draw(st.lists(st.integers(0, few), min_size=2, max_size=8))
    order = draw(st.permutations(range(len(staked))))
    return staked, order[: draw(st.integers(1, len(staked)))]


def contested(staked: list[int], seats: list[int]) -> Counter[frozenset[int]]:
    """Counter by counter: the k-th of a seat is contested by those who are in with k or more; what is above all
    their stakes by those who have staked most."""
    found: Counter[frozenset[int]] = Counter()
    for own in staked:
        for nth in range(1, own + 1):
            level = min(nth, max(staked[seat] for seat in seats))
            found[frozenset(seat for seat in seats if staked[seat] >= level)] += 1
    return found


def small(staked: list[int]) -> list[int]:
    return [each % 50 for each in staked]


@given(stakes(), st.data())
def test_layers_are_those_counted_counter_by_counter(both: tuple[list[int], list[int]], data: Any) -> None:
    """Seats of a layer are in all layers before it; all who are in contest the first, in the order in which they came.
    Seats under other names, or in another order, have the same layers."""
    staked, seats = small(both[0]), both[1]
    found = layers(staked, seats)
    summed: Counter[frozenset[int]] = Counter()
    for counters, who in found:
        assert len({*who}) == len(who) and counters >= 0
        summed[frozenset(who)] += counters
    assert +summed == contested(staked, seats) and found[0][1] == seats
    for (_, more), (_, fewer) in zip(found, found[1:], strict=False):
        assert fewer == [seat for seat in more if seat in fewer] != more
    name = data.draw(st.permutations(range(len(staked))))
    renamed = [staked[name.index(seat)] for seat in range(len(staked))]
    expected = [(counters, [name[seat] for seat in who]) for counters, who in found]
    assert layers(renamed, [name[seat] for seat in seats]) == expected
    turned = layers(staked, data.draw(st.permutations(seats)))
    assert [(counters, {*who}) for counters, who in turned] == [(counters, {*who}) for counters, who in found]


@given(st.integers(0, 10**6), st.lists(st.integers(0, 20), min_size=1, max_size=12, unique=True))
def test_a_division_is_even_except_for_the_odd_counters(counters: int, seats: list[int]) -> None:
    """A part of them is dealt one by one in the same way."""
    shares = list(divide(counters, seats))
    assert [seat for seat, _ in shares] == seats and sum(share for _, share in shares) == counters
    most, *_, last = [*(share for _, share in shares), shares[-1][1]]
    assert most - last in (0, 1) and sorted((share for _, share in shares), reverse=True) == [s for _, s in shares]
    assert dict(divide(counters % 300, seats)) == dealt_one_by_one(counters % 300, seats)


def dealt_one_by_one(counters: int, seats: list[int]) -> dict[int, int]:
    dealt = dict.fromkeys(seats, 0)
    for nth in range(counters):
        dealt[seats[nth % len(seats)]] += 1
    return dealt


@dataclass(frozen=True)
class Show:
    staked: list[int]
    seats: list[int]
    keys: dict[int, int]
    pool: int

    def received(self, kind: str) -> list[int]:
        """The share of each seat in the division at open or table stakes."""
        deal = self.deal(StraightPoker, {"stakes": kind})
        winners = deal.take_pots(deal.pots(), self.keys)
        assert deal.pools == {"pool": 0} and deal.net == (deal.stacks or deal.net)
        assert all(self.keys[seat] == max(self.keys.values()) for seat in winners[0])
        net: list[int] = deal.net
        return net

    def deal(self, game: type[Poker], given: dict[str, Any]) -> Any:
        """A deal in which this has been staked, when it is shown."""
        rules = game.rules_for(len(self.staked), given)
        deal: Any = rules.played_by(rules, game.begin(rules), Source("show"))
        deal.stake, deal.still_in, deal.pools["pool"] = list(self.staked), list(self.seats), self.pool
        if deal.stacks is not None:
            deal.stacks[:] = [0] * deal.players
        return deal

    def renamed(self, name: list[int]) -> Show:
        """The same among seats of other names."""
        staked = [self.staked[name.index(seat)] for seat in range(len(name))]
        keys = {name[seat]: key for seat, key in self.keys.items()}
        return Show(staked, [name[seat] for seat in self.seats], keys, self.pool)

    def counted(self, kind: str) -> list[int]:
        """The same counter by counter."""
        pots = contested(self.staked, self.seats)
        if kind == "open":
            pots = Counter({frozenset(self.seats): sum(self.staked)})
        pots[frozenset(self.seats)] += self.pool
        received = [0] * len(self.staked)
        for who, counters in pots.items():
            best = max(self.keys[seat] for seat in who)
            winners = [seat for seat in self.seats if seat in who and self.keys[seat] == best]
            for seat, share in dealt_one_by_one(counters, winners).items():
                received[seat] += share
        return received

    def most(self, seat: int) -> int:
        """From each no more than its own stake; the pool; and what nobody who is in has matched, if none has more."""
        highest = max(self.staked[other] for other in self.seats)
        above = sum(max(0, each - highest) for each in self.staked) if self.staked[seat] == highest else 0
        return self.pool + above + sum(min(each, self.staked[seat]) for each in self.staked)


@st.composite
def shows(draw: Any) -> Show:
    """Stakes, some hands that are often alike, and what stood in the pool."""
    staked, seats = draw(stakes())
    return Show(small(staked), seats, {seat: draw(st.integers(0, 3)) for seat in seats}, draw(st.integers(0, 50)))


BOTH = pytest.mark.parametrize("kind", ["open", "table"])


@pytest.mark.soak
@BOTH
@given(show=shows(), data=st.data())
def test_a_show_is_paid_as_counted_counter_by_counter(kind: str, show: Show, data: Any) -> None:
    """Seats under other names have the same; in another order only the odd counters differ."""
    received = show.received(kind)
    assert received == show.counted(kind)
    assert sum(received) == sum(show.staked) + show.pool
    name = data.draw(st.permutations(range(len(show.staked))))
    renamed = show.renamed(name).received(kind)
    assert [renamed[name[seat]] for seat in range(len(name))] == received
    turned = Show(show.staked, data.draw(st.permutations(show.seats)), show.keys, show.pool).received(kind)
    assert sum(turned) == sum(received)
    for seat, share in enumerate(received):
        assert abs(share - turned[seat]) <= len({show.staked[each] for each in show.seats})


@pytest.mark.soak
@given(show=shows())
def test_a_sight_has_from_each_no_more_than_it_has_staked(show: Show) -> None:
    received = show.received("table")
    for seat in range(len(show.staked)):
        assert received[seat] <= (show.most(seat) if seat in show.seats else 0)
    for seat, other in combinations(show.seats, 2):  # of equal hands the greater stake has no less
        if show.keys[seat] == show.keys[other] and show.staked[seat] > show.staked[other]:
            assert received[seat] >= received[other] - len(show.seats)


@given(show=shows(), foul=st.sets(st.integers(0, 7)))
def test_a_foul_hand_has_nothing(show: Show, foul: set[int]) -> None:
    keys = {seat: key for seat, key in show.keys.items() if seat not in foul} or show.keys
    deal = show.deal(StraightPoker, {})
    (winners,) = deal.take_pots(deal.pots(), keys)
    assert {*winners} <= keys.keys() and sum(deal.net) == sum(show.staked) + show.pool
    assert not any(share for seat, share in enumerate(deal.net) if seat not in winners)


@pytest.mark.soak
@given(show=shows(), data=st.data())
def test_a_show_by_law_60_is_paid_as_counted_counter_by_counter(show: Show, data: Any) -> None:
    """Each counter goes to the best of those who claim it; an unclaimed one to the best who has met all, or the best."""
    staked, seats = show.staked, show.seats
    deal = show.deal(DrawPoker, {"rules": "english", "stakes": "law60", **({"pack": "60"} if len(staked) > 7 else {})})
    deal.level = max(staked[seat] for seat in seats) + data.draw(st.sampled_from([0, 0, 0, 1]))
    deal.blinds = [data.draw(st.integers(0, each)) for each in staked]
    deal.in_at_last_counter = {seat: data.draw(st.sets(st.sampled_from(range(len(staked))))) | {seat} for seat in seats}
    deal.law_60(show.keys)
    received, best = [0] * len(staked), max(show.keys.values())
    there = {(owner, nth) for owner, each in enumerate(staked) for nth in range(1, each + 1)}
    there |= {(-1, nth) for nth in range(show.pool)}
    for key in sorted({*show.keys.values()}, reverse=True):
        for seat in sorted(seats, key=lambda seat: staked[seat]):
            if show.keys[seat] == key:
                mine = {each for each in there if claims(deal, seat, *each)}
                there -= mine
                with_him = [each for each in seats if show.keys[each] == key and staked[each] >= staked[seat]]
                for each, share in dealt_one_by_one(len(mine), with_him).items():
                    received[each] += share
    for each, share in dealt_one_by_one(len(there), [seat for seat in seats if show.keys[seat] == best]).items():
        received[each] += share
    assert deal.net == deal.stacks == received and sum(received) == sum(staked) + show.pool


def claims(deal: Any, seat: int, owner: int, nth: int) -> bool:
    """Whether a seat claims the n-th counter of an owner's stake (-1: of the pool)."""
    staked = deal.stake[seat]
    if staked == deal.level or owner == -1:
        return True
    return nth <= staked and (owner in deal.in_at_last_counter[seat] or nth <= deal.blinds[owner])


STACKS: list[tuple[str, dict[str, Any]]] = [
    ("draw-poker", {"stakes": "table"}),
    *[("draw-poker", {"stakes": stakes, "rules": "english"}) for stakes in ("table", "law60")],
    *[("straight-poker", {"stakes": "table"}), ("stud-poker", {"stakes": "table"}), ("bouillotte", {})],
]
OPEN: list[tuple[str, dict[str, Any]]] = [
    *[("draw-poker", {"stakes": "open"}), ("draw-poker", {"stakes": "open", "rules": "english"})],
    *[("straight-poker", {"stakes": "open"}), ("stud-poker", {"stakes": "open"}), ("ambigu", {})],
    *[("brag", {"variant": variant}) for variant in ("single", "american", "three")],
]
IDS = [" ".join([game, *fixed.values()]) for game, fixed in STACKS + OPEN]


@st.composite
def vying_tables(draw: Any, game: type[Deal], fixed: dict[str, Any]) -> Table:
    """A table with these options, small stacks, few raises, and any others that go with them."""
    players, rng = draw(st.integers(*game.seats)), draw(st.randoms(use_true_random=True))
    low = {"stack": rng.randint(2, 40), "cave": rng.randint(10, 60), "max_raises": rng.randint(1, 5)}
    few = [(option.key, low[option.key]) for option in game.options if option.key in low and rng.random() < 0.9]
    few = [pair for pair in few if pair[0] != "stack" or fixed.get("stakes") != "open"]
    wanted = [*fixed.items(), *few, *some_options(game, rng, draw(st.integers(0, len(game.options))))]
    return as_many_as_go(game, players, wanted) or Table(game, game.usual[0], fixed)


@pytest.mark.parametrize(("name", "fixed"), one_in_with(2, STACKS + OPEN), ids=IDS)
@pytest.mark.parametrize("examples", [8, pytest.param(400, marks=pytest.mark.soak)])
def test_every_deal_is_settled_by_what_was_staked(name: str, fixed: dict[str, Any], examples: int) -> None:
    game, watch = games.find(name), Watch()

    @settings(max_examples=examples, suppress_health_check=list(HealthCheck))
    @given(table=vying_tables(game, fixed), seed=st.integers(0, 2**32))
    def run(table: Table, seed: int) -> None:
        for played in play_sitting(table, seed, watch.look)[0]:
            watch.settle(played)
        watch.first.clear()
        watch.last.clear()

    run()
    assert watch.settled > examples and watch.shown > examples / 8
    assert (name, fixed) in OPEN or watch.sights > examples / 8


class Watch:
    """Looks on at sittings, and holds every deal to account."""

    def __init__(self) -> None:
        self.first: dict[Deal, Any] = {}  # at the first question of a deal: all counters there are, and each one's own
        self.last: dict[Deal, Any] = {}  # at the last: net and stake by seat, and what else is to be won
        self.settled = self.shown = self.sights = 0

    def look(self, deal: Any, ask: Ask) -> None:
        """No counter is missing, nobody owes one, and nobody may bet or raise more than is allowed."""
        if ask.phase in ("show", "third", "cave"):  # what was staked has been paid out, or stacks are being bought
            return
        dead = sum(deal.pools.values()) - sum(deal.stake) * stakes_lie_in_the_pool(deal)
        own = [stack - net for stack, net in zip(deal.stacks or deal.net, deal.net, strict=True)]
        there = sum(deal.net) + sum(deal.stake) + dead, own
        assert self.first.setdefault(deal, there) == there  # what was bought was bought at the beginning
        assert min([*deal.stake, *deal.pools.values(), *(deal.stacks or ()), dead]) >= 0
        betting = [action for action in (*ask.legal[:4], ask.legal[-1]) if action.verb in ("bet", "open", "raise")]
        amounts = [action.amount for action in betting]
        if amounts:
            assert amounts[0] >= 1 and amounts[-1] <= self.most(deal, ask)
        self.last[deal] = list(deal.net), list(deal.stake), dead - deal.pools.get("kitty", 0)

    def most(self, deal: Any, ask: Ask) -> int:
        """The most that this seat may bet, or raise."""
        gap, limit, raises = max(0, deal.level - deal.stake[ask.seat]), 10**9, ask.legal[-1].verb == "raise"
        if deal.id == "bouillotte":  # without a limit; at first it is said what the stake shall be in all
            return int(deal.stacks[ask.seat] + (deal.stake[ask.seat] if ask.phase == "open" else -gap))
        once_round = deal.id == "draw-poker" and deal.rules.english and ask.phase == "ante"
        assert not raises or once_round or deal.raises < deal.rules.max_raises
        if getattr(deal.rules, "stakes", "open") != "table":
            limit = deal.rules.limit
        return int(limit if deal.stacks is None else min(limit, deal.stacks[ask.seat] - gap))

    def settle(self, played: Played) -> None:
        """The counters of each seat when all had been staked, and the stakes from which it is paid then."""
        deal: Any = played.deal
        if deal not in self.last:  # nobody was asked
            return
        self.settled += 1
        self.shown += len(deal.still_in) > 1
        net, staked, dead = self.last[deal]
        seats, stake = range(deal.players), deal.stake
        left = [net[seat] + staked[seat] - stake[seat] for seat in seats]
        got = [deal.net[seat] - left[seat] for seat in seats]
        own = self.first[deal][1]
        if played.after.stacks is not None:
            assert all(-deal.net[seat] <= own[seat] for seat in seats)
            kept_back = getattr(deal.rules, "reserve", 0)
            able = [seat for seat in deal.still_in if own[seat] + left[seat] > kept_back]
            self.sights += len(able) < len(deal.still_in) and len({stake[seat] for seat in deal.still_in}) > 1
        else:
            able = deal.still_in
        highest = max([stake[seat] for seat in deal.still_in], default=0)
        assert {stake[seat] for seat in able} <= {highest}, (stake, able)
        check_raises(deal)
        for seat in seats:
            if seat in deal.still_in:
                assert got[seat] <= self.may_have(deal, seat, dead), (seat, got, stake, dead)
            elif not has_a_claim_when_out(deal, played):
                assert got[seat] <= 0, (seat, got, stake)

    def may_have(self, deal: Any, seat: int, dead: int) -> int:
        """From each stake no more than its own; all that was dead; the part that nobody in has matched, if none in has
        more; and the price of hands."""
        stake: list[int] = deal.stake
        own, highest = stake[seat], max(stake[each] for each in deal.still_in)
        above = sum(max(0, each - highest) for each in stake) if own == highest else 0
        if getattr(deal.rules, "stakes", "") == "law60" and highest < deal.level:
            above = sum(stake)  # all in are showers, and what none claims is the best one's
        return dead + sum(min(each, own) for each in stake) + above + paid_besides(deal, seat)


def stakes_lie_in_the_pool(deal: Any) -> bool:
    return bool(deal.id == "ambigu" or deal.id == "brag" and deal.rules.variant == "three")


def paid_besides(deal: Any, seat: int) -> int:
    """At most, by the other seats: for a hand at Ambigu, or a first bet refused; for an ante that none meets at Brag, or
    into its third pool for cards; for a brelan."""
    others: int = deal.players - 1
    if deal.id == "ambigu":
        return max(others * judge(deal.hands[seat])[1], int(deal.rules.refusal))
    if deal.id == "brag":
        return int(deal.actions.count("draw") if deal.rules.variant == "three" else others * deal.rules.white)
    return 4 * others if seat in getattr(deal, "brelans", ()) else 0


def has_a_claim_when_out(deal: Any, played: Played) -> bool:
    """The first and the third pool of Brag are for all; the last with counters has the rest of a freeze-out."""
    return deal.id == "brag" and deal.rules.variant == "three" or played.over


def raises(deal: Deal, phase: str) -> int:
    return sum(said.verb == "raise" for ask, said in zip(deal.asked, deal.actions, strict=True) if ask.phase == phase)


def check_raises(deal: Any) -> None:
    """In all rounds of betting together.  English seats speak once before the draw; at Bouillotte they may as they like."""
    rounds = {"stud-poker": 4, "ambigu": 2}.get(deal.id, 1)
    for phase in {ask.phase for ask in deal.asked}:
        if deal.id != "bouillotte" and not (deal.id == "draw-poker" and deal.rules.english and phase == "ante"):
            assert raises(deal, phase) <= rounds * deal.rules.max_raises
