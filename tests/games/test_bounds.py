"""Bounds of what a seat can win or lose in a deal. `PROPERTIES` test that no seat passes them."""

from __future__ import annotations

from typing import Any

import pytest
from helpers.command import seldom

from roundsim import games
from roundsim.bridges.toys import Kuhn
from roundsim.table.deal import Deal
from roundsim.testing import Table, for_any_sitting, play_sitting

BY_HAND: list[tuple[str, int, dict[str, Any], int | None]] = [
    ("brag", 4, {}, 3 * (10 + 12 * 10)),  # the ante and twelve raises of ten, from three
    ("brag", 4, {"limit": 1, "max_raises": 0, "white": 5}, 3 * 5),  # an ante that nobody meets
    ("brag", 3, {"variant": "three", "stake": 2, "max_raises": 1}, 2 * (3 * 2 + 20)),
    ("brag", 3, {"variant": "three", "third_draw": True}, None),  # the third pool may stand
    ("cassino", 2, {}, 11 + 24 + 1),  # without sweeps 11; 24 cards to play, and the last cards
    ("cassino", 3, {"value": 2}, 2 * 2 * (11 + 16 + 1)),
    ("cassino", 4, {}, 36),  # partners play 24 cards, and each is paid by one
    ("cassino", 2, {"pack": 32}, 10 + 14 + 1),  # no Little Cassino; 28 cards to play
    ("cassino", 4, {"partners": False, "score": "game", "stake": 5}, 15),
    ("commerce", 5, {"stake": 2}, 5 * (2 * 10 + 3 * 2 + 1)),
    ("commerce", 5, {"variant": "old", "stake": 2}, 8),
    ("commerce", 5, {"variant": "old", "stake": 2, "dealer_penalty": "all"}, 16),
    ("commerce", 5, {"variant": "pool"}, 5 * 6 + 2),
    ("commerce", 5, {"variant": "foster-widow", "whiskey": 3}, 12),
    ("flat-poker", 4, {}, 300),  # three blinds of 50, and three more to call
    ("flat-poker", 4, {"mode": "show"}, 150),
    ("jig", 4, {}, 39),
    ("jig", 5, {"card_price": 3, "pool": "each", "pool_stake": 2}, 41 * 3 + 4 * 2),  # the eldest has eleven cards
    ("loo", 5, {}, None),
    ("loto", 4, {"max_cards": 2}, 3 * 2 * 4 + 3),
    ("loto", 4, {"caller": "dealer", "ties": "eldest"}, 2 * 4),
    ("loto", 12, {"max_cards": 12, "ties": "eldest"}, 23 * 4),  # there are 24 cards
    ("loto", 4, {"method": 2}, None),
    ("my-bird-sings", 5, {}, None),
    ("my-bird-sings", 5, {"variant": "ship", "stake": 3}, 12),
    ("newmarket", 5, {}, None),
    ("show-down-poker", 4, {"ante": 5}, 15),
    ("snip-snap-snorum", 5, {}, 24),
    ("snip-snap-snorum", 5, {"variant": "unlimited"}, 78),
    ("snip-snap-snorum", 5, {"variant": "unlimited", "pack": 32}, 48),
    ("solo-whist", 4, {}, 108),  # a declared abundance, 36 from each
    ("solo-whist", 4, {"declared_stake": 1, "open_misere_stake": 1}, 3 * (18 + 9)),  # an abundance without a trick
    ("solo-whist", 4, {"all_pass": "general-misere", "general_stake": 50}, 150),
    ("speculation", 5, {"penalty": 2}, 5 + 8 * 2 + 31 * 100),  # 15 cards turned
    ("speculation", 5, {"spare_hand": True}, None),
    ("stud-poker", 5, {}, 5 + 4 * 4 * 13 * 50),
    ("stud-poker", 5, {"stakes": "table"}, None),
    ("thirty-one", 4, {}, 3 + 2),
    ("vingt-un", 4, {}, 3 * 2 * (20 + 30) * 4),
    ("vingt-un", 4, {"dealer_splits": False, "sell_deal": True}, 3 * 2 * 50 + 100),
    ("vingt-un", 4, {"pool_deal": 1}, None),
    ("whiskey-poker", 4, {"ante": 2}, 3 * 2 + 2),
    ("whiskey-poker", 4, {"mode": "lives", "whiskey": 2}, 6),
]


def test_bounds_by_hand() -> None:
    for name, players, given, bound in BY_HAND:
        rules = games.find(name).rules_for(players, given)
        assert rules.played_by.bound(rules) == bound, (name, given)


BOUNDED = sorted({name for name, *_, bound in BY_HAND if bound is not None})


@pytest.mark.parametrize("game", [games.find("nap"), *seldom(Kuhn, *map(games.find, BOUNDED))])
def test_random_players_come_near_the_bound(game: type[Deal]) -> None:
    """At some table: a tenth of it at least."""
    reached = list[float]()

    def check(table: Table, seed: int) -> None:
        bound = table.rules.played_by.bound(table.rules)
        if bound is not None:
            played, _ = play_sitting(table, seed)
            reached.append(max(abs(net) for each in played for net in each.deal.net) / bound)

    for_any_sitting(game, 60, check)
    assert 0.1 < max(reached) <= 1
