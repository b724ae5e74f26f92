"""Chance is drawn evenly, from names alone, and the same everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from typing import Any

import pytest
from helpers.command import ROOT, seldom, seldom_with

from roundsim.table.cards import PACK, PACK_60, Card
from roundsim.table.chance import Chance, Pack, Shuffle, Source, shuffled
from roundsim.table.legal import Amounts
from roundsim.table.selections import Multisets

pytestmark = pytest.mark.usefixtures("met")


def chance(name: str) -> Chance:
    drawn = Chance()
    drawn.seed(name)
    return drawn


def check_even(counts: Counter[Any], kinds: int) -> None:
    """As many of each kind as chance allows: no more than five standard deviations off."""
    mean = sum(counts.values()) / kinds
    assert len(counts) == kinds
    assert max(abs(n - mean) for n in counts.values()) < 5 * mean**0.5, counts


def test_a_pack_is_shuffled_evenly() -> None:
    places, pairs = Counter[tuple[int, Card]](), Counter[tuple[str, str, str]]()
    for n in range(4000):
        top = Source(f"even/{n}").pack(PACK).draw(52)
        assert sorted(top) == sorted(PACK)
        places.update((place, card) for place, card in enumerate(top) if place in (0, 20, 51))
        pairs[top[0].suit, top[1].suit, top[51].suit] += 1
    for place in 0, 20, 51:
        check_even(Counter({key: n for key, n in places.items() if key[0] == place}), 52)
    assert len(pairs) == 64 and min(pairs.values()) > 20


def test_a_pack_dealt_in_parts_is_the_same_pack() -> None:
    at_once, in_parts = Pack(Shuffle(PACK_60, "name")), Pack(Shuffle(PACK_60, "name"))
    dealt = in_parts.draw(7) + in_parts.draw(0) + in_parts.draw(20)
    assert len(in_parts) == 33 and not {*dealt} & {*in_parts.cards}
    assert dealt + in_parts.draw(33) == at_once.draw(60) and len(in_parts) == 0


def test_every_name_has_an_order_of_its_own() -> None:
    source = Source("1891/nap/17/3")
    packs = source.pack(PACK), source.pack(PACK, "pack 2"), Source("1891/nap/17/4").pack(PACK)
    orders = [pack.draw(52) for pack in packs]
    assert len({tuple(order) for order in orders}) == 3
    assert source.pack(PACK).draw(52) == orders[0] and source.key("final") is None


def test_shuffled() -> None:
    orders = Counter(tuple(shuffled("abcd", f"order {n}")) for n in range(6000))
    check_even(orders, 24)
    assert shuffled("abcd", "x") == shuffled("abcd", "x") and shuffled([], "x") == []


def test_strategies_draw_evenly() -> None:
    drawn = chance("even")
    check_even(Counter(drawn.below(7) for _ in range(7000)), 7)
    check_even(Counter(drawn.choice("abcdefghijk") for _ in range(11000)), 11)
    check_even(Counter(int(drawn.random() * 10) for _ in range(10000)), 10)
    check_even(Counter(drawn.randrange(3, 8) for _ in range(5000)), 5)
    check_even(Counter(drawn.getrandbits(300) >> 297 for _ in range(4000)), 8)
    check_even(Counter(drawn.below(2**300) >> 297 for _ in range(4000)), 8)
    assert sorted(drawn.sample(range(100), 100)) == [*range(100)]
    numbers = [drawn.random() for _ in range(1000)]
    assert min(numbers) >= 0 and max(numbers) < 1 and len({*numbers}) == 1000
    with pytest.raises(IndexError):
        drawn.choice([])


def test_a_seat_has_its_own_chance_and_the_same_again() -> None:
    def numbers(name: str) -> list[int]:
        drawn = chance(name)
        return [drawn.below(1000) for _ in range(500)]

    assert numbers("1/nap/1/1/0") == numbers("1/nap/1/1/0")
    alike = sum(a == b for a, b in zip(numbers("1/nap/1/1/0"), numbers("1/nap/1/1/1"), strict=True))
    assert alike < 10


HUGE = [Amounts((), "bet", 1, 8 * sys.maxsize), *seldom(Multisets("place", "abcdefgh", 2500, "ab", 2))]


@pytest.mark.parametrize("legal", HUGE, ids=["amounts", "multisets"])
def test_a_choice_among_more_than_len_can_say(legal: Amounts | Multisets) -> None:
    assert legal.size > sys.maxsize
    drawn = chance("many")
    check_even(Counter(4 * legal.place(drawn.choice(legal)) // legal.size for _ in range(200)), 4)


PLAYED = """
import sys
from roundsim import games
from roundsim.table.chance import Chance, Source
from roundsim.refereeing.sitting import Sitting

drawn = Chance()
drawn.seed("1/nap/1/1/0")
print([drawn.below(52), drawn.random(), drawn.choice("shdc"), drawn.getrandbits(300)])
for name in games.names():
    game = games.find(name)
    sitting = Sitting(game, game.rules_for(game.usual[0]))
    for number in range(int(sys.argv[1])):
        deal = sitting.next_deal(Source(f"{name}/{number}"))
        story, said = deal.deal(), None
        try:
            while True:
                ask = story.send(said)
                said = drawn.choice(ask.legal)
                view = deal.View(deal, ask.seat, ask.phase, ask.legal, drawn)
                print(view, said, view.history)
        except StopIteration:
            sitting.settle(deal)
        print(name, deal.net, deal.pools)
"""


@pytest.mark.parametrize(("other", "deals"), [("4711", 1), *seldom_with(("1", 5))])
def test_no_hash_seed_matters(other: str, deals: int) -> None:
    """Whole deals, and all that is seen of them, under two seeds of Python's own hash."""

    def played(seed: str) -> str:
        path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
        return subprocess.run(
            [sys.executable, "-c", PLAYED, str(deals)],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
        ).stdout

    first = played("0")
    assert len(first) > 10**4
    assert played(other) == first


def test_the_same_in_every_version() -> None:
    """Logs and scripts rest on these: they must never change."""
    assert " ".join(Source("1891/nap/17/3").pack(PACK).draw(10)) == "2s 7d Ah 8c 7c 9c Ac Tc 3d 5s"
    drawn = chance("1891/nap/17/3/0")
    assert [drawn.below(100) for _ in range(8)] == [82, 84, 5, 41, 2, 77, 80, 97]
    assert "".join(shuffled("abcdefgh", "1891")) == "cbhegdfa"


def test_a_number_above_a_million_takes_whole_words_and_leaves_the_pool() -> None:
    small, large = chance("one"), chance("one")
    assert small.below(1 << 20) < 1 << 20 and large.below((1 << 20) + 1) <= 1 << 20
    assert (len(small.words), small.pool > 0, len(large.words), large.pool) == (7, True, 6, 0)


def test_a_pool_of_less_than_36_bits_is_filled_again() -> None:
    drawn = chance("one")
    drawn.pool = (1 << 36) + 1
    assert (drawn.below(2), drawn.pool, drawn.words) == (1, 1 << 35, [])
    drawn.below(2)
    assert len(drawn.words) == 7 and drawn.pool >= 1 << 63
