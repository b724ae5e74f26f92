"""The playouts of the experts of trick games keep the rules: the game itself gives the same tricks for the same cards."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from helpers.command import seldom
from hypothesis import given
from hypothesis import strategies as st

from roundsim import games
from roundsim.refereeing.sitting import Sitting
from roundsim.sources.plugins import find, load_strategy
from roundsim.strategy import Hands
from roundsim.table.chance import Chance, Source
from roundsim.table.legal import accept
from roundsim.table.playthrough import Playthrough

OPTIONS = {"spoil-five": {"robbing": "off"}}  # a playout robs nobody


def known_at(view: Any) -> Hands | None:
    """The hands that the expert plays out at a question; None where it plays out nothing, or nothing yet."""
    game = view.game
    if game != "spoil-five" and view.call == "pass" or game == "nap" and not view.trick and not view.tricks:
        return None  # before the first lead Nap has no trumps
    known: Any = sys.modules[load_strategy(find("expert", game)[0]).__module__].Known
    found: Hands = known(view, view.call, view.trumps) if game == "solo-whist" else known(view)
    return found


class Watched(list[int]):
    """Hands that note the place and the card whenever one is played."""

    def __init__(self, hands: list[int]) -> None:
        super().__init__(hands)
        self.played: list[tuple[int, int]] = []

    def __setitem__(self, place: Any, hand: Any) -> None:
        self.played.append((place, self[place] - hand))
        super().__setitem__(place, hand)


def played_by_chance(deal: Any, chance: Chance, plays: int) -> Playthrough:
    """Play a deal up to this question of a card."""
    telling = Playthrough(deal)
    while telling.ask and (plays or telling.ask.phase != "play"):
        plays -= telling.ask.phase == "play"
        telling.answer(chance.choice(telling.ask.legal))
    return telling


@pytest.mark.parametrize("game", ["nap", *seldom("solo-whist", "spoil-five")])
@given(seed=st.integers(0, 10**9), at=st.integers(0, 20), seats=st.integers(2, 6))
def test_a_playout_of_the_true_deal_is_a_deal_of_the_game(game: str, seed: int, at: int, seats: int) -> None:
    kind, chance = games.find(game), Chance(f"play/{seed}")
    rules = kind.rules_for(min(max(seats, kind.seats[0]), kind.seats[1]), OPTIONS.get(game))
    deal: Any = Sitting(kind, rules).next_deal(Source(str(seed)))
    telling = played_by_chance(deal, chance, at)
    if (ask := telling.ask) is None:
        return
    known = known_at(deal.View(deal, ask.seat, ask.phase, ask.legal, chance))
    if known is None:
        return
    hands = Watched([known.mask(deal.hands[seat]) for seat in known.seats])
    won = known.play_out(hands)
    card_of = {bit: card for card, bit in known.bit.items()}
    for place, bit in hands.played:
        assert telling.ask and known.seats[place] == telling.ask.seat
        telling.answer(accept(telling.ask.legal, card_of[bit].play))
    assert telling.ask is None
    assert won == [deal.won[seat] for seat in known.seats]
