"""Spoil Five: three tricks of five take the pool, or the deal is spoilt (Baxter-Wray, "Round Games
with Cards", 1891, pp. 103-107).

The pages with the ranks of the cards and the stakes are damaged; these are reconstructed from the common rules.

game.py plays it; here is how the cards rank and follow, and the options."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Literal, NamedTuple

from roundsim.game import PACK, SUITS, Card, Rules, card, cards, option

from .game import ACE_OF_HEARTS, SpoilFive

__all__ = ["SpoilFive", "SpoilFiveRules"]

TRUMPS = {  # high to low (p. 103); the ace of hearts is always a trump
    "s": cards("5s Js Ah As Ks Qs 2s 3s 4s 6s 7s 8s 9s Ts"),
    "h": cards("5h Jh Ah Kh Qh Th 9h 8h 7h 6h 4h 3h 2h"),
    "d": cards("5d Jd Ah Ad Kd Qd Td 9d 8d 7d 6d 4d 3d 2d"),
    "c": cards("5c Jc Ah Ac Kc Qc 2c 3c 4c 6c 7c 8c 9c Tc"),
}
PLAIN = {
    "s": cards("Ks Qs Js As 2s 3s 4s 5s 6s 7s 8s 9s Ts"),
    "h": cards("Kh Qh Jh Th 9h 8h 7h 6h 5h 4h 3h 2h"),
    "d": cards("Kd Qd Jd Td 9d 8d 7d 6d 5d 4d 3d 2d Ad"),
    "c": cards("Kc Qc Jc Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc"),
}
ORDINARY = {suit: [card(rank + suit) for rank in "AKQJT98765432"] for suit in SUITS}


class Following(NamedTuple):
    """The demand of a card led: a player who holds one of `binding` may play only `allowed`, any other player
    anything."""

    binding: frozenset[Card]
    allowed: frozenset[Card]
    refusal: str


def heights(trumps: list[Card], suit_led: list[Card]) -> dict[Card, int]:
    """How high each card stands in a trick; 0: a plain card of another suit, which cannot win it (p. 105)."""
    low_to_high = [*trumps, *suit_led][::-1]
    return dict.fromkeys(PACK, 0) | {card: height for height, card in enumerate(low_to_high, 1)}


def following(led: Card, suit: str, trumps: list[Card], plain: list[Card], special: bool) -> Following:
    """To a plain card suit or trump; to a trump trumps, but the first three not to a lower one (pp. 105-106)."""
    if led not in trumps or special and led is ACE_OF_HEARTS and suit != "h":
        return Following(frozenset(plain), frozenset([*plain, *trumps]), "must follow suit or trump")
    privileged = trumps[: min(3, trumps.index(led))] if special else []
    return Following(frozenset(trumps) - {*privileged}, frozenset(trumps), "must follow with a trump")


class SpoilFiveRules(Rules, of=SpoilFive):
    """The options of Spoil Five, and how the cards rank and follow at a table."""

    stake: int = option(2, "what each player pays into the pool", "p. 103, reconstructed")
    spoil_stake: int = option(1, "what each player pays after a spoilt deal", "pp. 103-104, reconstructed", game="pool")
    deal_stake: int = option(1, "what the dealer pays in addition, in every deal", "pp. 103-104, reconstructed", low=0)
    deal_order: Literal["3-2", "2-3"] = option(
        "3-2", "whether three cards and then two are dealt, or two and then three", "p. 104, reconstructed"
    )
    ranking: Literal["spoil-five", "ordinary"] = option(
        "spoil-five", "how the cards rank; ordinary: from ace to two in every suit", "p. 106"
    )
    robbing: Literal["compulsory", "optional", "off"] = option(
        "compulsory",
        "exchange of a card for the turned-up card; compulsory: a holder of the ace who declines is debarred",
        "pp. 105-106",
    )
    tricks_to_win: Literal[2, 3] = option(3, "how many tricks take the pool", "p. 107")
    partners: bool = option(False, "whether the even seats play against the odd", "pp. 104, 107")
    fiving: bool = option(False, "whether the eldest hand may ask for another turned-up card", "p. 107")
    jinking: bool = option(False, "whether a player who has won every trick may try for all five", "p. 107")
    game: Literal["pool", "25", "45"] = option(
        "pool",
        "the pool is played for deal by deal, or on points, five for a trick, until somebody has 25 or 45",
        "p. 107",
    )

    def refusals(self) -> Iterator[str]:
        players, scored = self.players, f'game = "{self.game}"' if self.game != "pool" else ""
        if self.partners and (players < 4 or players % 2):
            yield f"partners = true with {players} players: an even number from four is needed"
        if self.fiving and players > 2 and not self.partners:
            yield f"fiving = true with {players} players and partners = false: it is for two, or for partners"
        if scored and self.jinking:
            yield f"jinking = true with {scored}: three tricks do not win it"
        if scored and self.tricks_to_win == 2:
            yield f"tricks_to_win = 2 with {scored}: tricks are played for points there"
        if self.jinking and self.partners:
            yield "jinking = true with partners = true: it is for a seat alone"
        if self.tricks_to_win == 2 and (players == 2 or self.partners):
            two_sides = "partners = true" if self.partners else "2 players"
            yield f"tricks_to_win = 2 with {two_sides}: three tricks always fall to one side"
        if self.spoil_stake > self.stake:
            yield f"spoil_stake = {self.spoil_stake} with stake = {self.stake}: it may not be more"

    @property
    def sitting(self) -> int:
        """Each seat deals once, or twice where 45 must be reached (ours)."""
        return self.players * (2 if self.game == "45" else 1)

    @property
    def sides(self) -> list[int] | None:
        """Partners sit at alternate seats (pp. 104, 107; the seats ours)."""
        return [seat % 2 for seat in range(self.players)] if self.partners else None

    @cached_property
    def side(self) -> list[set[int]]:
        """By seat, all that win and lose with it (p. 104)."""
        sides = self.sides or range(self.players)
        return [{seat for seat, side in enumerate(sides) if side == own} for own in sides]

    @cached_property
    def ranks(self) -> tuple[dict[str, list[Card]], dict[str, list[Card]]]:
        """The order of each suit as trumps, and plain: the game's own (p. 103), or the ordinary sequence (p. 106)."""
        return (TRUMPS, PLAIN) if self.ranking == "spoil-five" else (ORDINARY, ORDINARY)

    @cached_property
    def heights(self) -> dict[str, dict[str, dict[Card, int]]]:
        """For each suit of trumps, and each suit led, how high the cards stand in a trick (pp. 103, 105)."""
        trumps, plain = self.ranks
        return {
            suit: {led: heights(trumps[suit], plain[led] if led != suit else []) for led in SUITS} for suit in SUITS
        }

    @cached_property
    def following(self) -> dict[str, dict[Card, Following]]:
        """For each suit of trumps, and each card led, what may be played to it (pp. 104-106)."""
        (trumps, plain), special = self.ranks, self.ranking == "spoil-five"
        return {
            suit: {led: following(led, suit, trumps[suit], plain[led.suit], special) for led in PACK} for suit in SUITS
        }
