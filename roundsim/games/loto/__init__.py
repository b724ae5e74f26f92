"""Loto: cards of numbers, and knobs drawn from a bag (Baxter-Wray, "Round Games with Cards", 1891, pp. 108-112)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

from roundsim.game import CardError, Rules, option

from .cards import KNOBS, card_set, rows_of
from .first_method import FirstMethod
from .game import Loto
from .second_method import SecondMethod

__all__ = ["Loto", "LotoRules"]


class LotoRules(Rules, of=Loto):
    """The options of Loto, how many cards may be taken, and what one costs."""

    method: Literal[1, 2] = option(
        1,
        "by the first method there are prizes for rows and the card; by the second every row is paid for",
        "pp. 109-112",
    )
    stake: int = option(4, "what a card costs", "p. 109", high=1000, method=1)
    prizes: Literal["card", "saved", "quarters"] = option(
        "quarters",
        "what wins; card: the first whole card takes the pool; saved: when it is whole, each player takes back a counter"
        " for each number covered, and the winner the rest; quarters: rows win as well",
        "pp. 109-110",
        method=1,
    )
    max_cards: int = option(
        1, "how many cards a player may take; with 1 there is nothing to decide", "p. 109", high=12, method=1
    )
    caller: Literal["machine", "dealer"] = option(
        "machine", "who calls the knobs; a dealer who does has no card and pays nothing", "p. 109", method=1
    )
    ties: Literal["split", "eldest"] = option(
        "split",
        "whether players who win a prize with the same knob share it, or the eldest of them takes it",
        "ours",
        method=1,
    )
    card_stake: int = option(60, "what a card costs", "p. 112", high=1000, method=2)
    put_away: bool = option(
        False, "whether knobs with numbers that nobody holds are put away once they are drawn", "p. 111", method=2
    )
    final_drawings: int = option(
        1, "how many drawings at the end are final: nobody pays again", "p. 112", high=100, method=2
    )
    share_out: bool = option(True, "whether the pool is shared at the end, by the number of cards", "ours", method=2)
    set_seed: int = option(1, "a number that names a set of cards; each number names another set", "ours", low=0)

    def refusals(self) -> Iterator[str]:
        if self.method == 1 and self.caller == "dealer" and self.players == 2:
            yield 'caller = "dealer" with 2 players leaves but one to play'

    def script_refusals(self, carry: Mapping[str, Any], deals: Sequence[Mapping[str, Any]]) -> Iterator[str]:
        yield from self.set_refused("carry.own_set", carry["own_set"])
        held = [number for cards in carry["cards"] for number in cards]
        in_stock, size = carry["in_stock"], len(carry["own_set"] or card_set(0))
        yield from strays("carry.cards", held, size)
        yield from strays("carry.in_stock", in_stock, size)
        yield from [f"carry.in_stock: {number} is held" for number in in_stock if number in held]
        yield from strays("carry.knobs_away", carry["knobs_away"], len(KNOBS))
        if carry["held"] != [len(cards) for cards in carry["cards"]]:
            yield f"carry.held must count the cards of each seat in carry.cards, not {carry['held']}"
        if carry["away"] != len(carry["knobs_away"]):
            yield f"carry.away must count the knobs of carry.knobs_away, not {carry['away']}"
        for number, entry in enumerate(deals, 1):
            yield from self.set_refused(f"deal {number}: cards", entry.get("cards", []))
            if "cards" in entry and self.method == 2 and (number > 1 or held):
                yield f"deal {number}: cards: by the second method they are kept from the first drawing on"

    def set_refused(self, place: str, cards: object) -> Iterator[str]:
        if not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
            yield f"{place} must be a list of texts, each a card"
            return
        for card in cards:
            try:
                rows_of(card)
            except CardError as error:
                yield f"{place}: {error}"
        if 0 < len(cards) < self.takes[0] * self.playing:
            yield f"{place}: {len(cards)} cards for {self.players} players"

    @property
    def playing(self) -> int:
        return self.players - (self.caller == "dealer")

    @property
    def played_by(self) -> type[Loto]:
        return FirstMethod if self.method == 1 else SecondMethod

    @cached_property
    def price(self) -> int:
        return self.stake if self.method == 1 else self.card_stake

    @cached_property
    def takes(self) -> tuple[int, ...]:
        """One or more (p. 109); by the second method two, four or six, but of more than twelve one or two (p. 110)."""
        if self.method == 1:
            return tuple(range(1, self.max_cards + 1))
        return (2, 4, 6) if self.players <= 12 else (1, 2)


def strays(place: str, numbers: Sequence[object], high: int) -> Iterator[str]:
    for at, number in enumerate(numbers):
        if type(number) is not int or not 1 <= number <= high:
            yield f"{place}: {number!r} is no whole number from 1 to {high}"
        elif number in numbers[:at]:
            yield f"{place}: {number} is named twice"
