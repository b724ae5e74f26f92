"""Loo: three-card, five-card and Irish (Baxter-Wray, "Round Games with Cards", 1891, pp. 16-30)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Literal

from roundsim.game import CARD, PACK, SUITS, Card, Rules, option

from .five_card import FiveCardLoo
from .game import TRUMP, Loo
from .three_card import ThreeCardLoo

__all__ = ["Loo", "LooRules"]


class LooRules(Rules, of=Loo):
    """The options of Loo, and how the cards rank at a table."""

    variant: Literal["three-card", "five-card", "irish"] = option(
        "three-card",
        "three cards and the miss; five cards, with Pam and exchange; Irish: three cards with exchange",
        "pp. 16, 27, 28",
    )
    pack: Literal["52", "32"] = option("52", "with 32 the cards run from seven to ace", "p. 28")
    deal_stake: int = option(
        lambda rules: 5 if rules.variant == "five-card" else 3,
        "what each dealer pays into the pool",
        "p. 18",
        usual="3; five-card 5",
    )
    loo: int = option(
        lambda rules: 10 if rules.variant == "five-card" else 6,
        "what a player who is looed pays, where that is fixed",
        "p. 18",
        usual="6; five-card 10",
        loo_mode="fixed",
    )
    single_loo: int = option(
        lambda rules: 5 if rules.variant == "five-card" else 3,
        "what a player pays who is looed in a single",
        "pp. 18, 23",
        usual="3; five-card 5",
    )
    loo_mode: Literal["fixed", "unlimited", "mixed"] = option(
        "fixed",
        "how much the loo is; unlimited: as much as the pool; mixed: as much as the pool, up to a limit",
        "pp. 22-23, 26",
    )
    loo_limit: int = option(30, "the highest loo of mixed loo", "p. 26", loo_mode="mixed")
    club_law: bool = option(False, "whether all must stand when clubs are trumps", "p. 26")
    last_round: Literal["plain", "all_stand"] = option(
        "plain",
        "how the last deal of a sitting is played; all_stand: all must stand, there is no miss, and nobody is looed",
        "p. 17",
    )
    lead_law: Literal["highest", "any-trump"] = option(
        "highest", "which of two or more trumps the first leader must lead", "pp. 20, 23"
    )
    miss_leads: bool = option(False, "whether the holder of the miss leads", "p. 20", variant="three-card")
    dealer_out: bool = option(False, "whether the dealer sits out the deal, but pays the stake", "p. 16")
    pam: Literal["clubs", "trumps", "none"] = option(
        lambda rules: "clubs" if rules.variant == "five-card" else "none",
        "which jack is the highest trump",
        "p. 27",
        usual="clubs in five-card, else none",
    )
    pam_civil: bool = option(
        True, "whether Pam must give way when the ace of trumps is led", "p. 28", variant=("five-card", "irish")
    )
    flush: bool = option(
        lambda rules: rules.variant == "five-card",
        "whether a hand of one suit takes the pool without play",
        "p. 27",
        usual="true in five-card, else false",
    )

    def refusals(self) -> Iterator[str]:
        playing = self.players - self.dealer_out
        if playing < 2:
            yield f"dealer_out = true with {self.players} players leaves fewer than two to play"
        if self.variant == "five-card" and self.players > 6:
            yield f'variant = "five-card" with {self.players} players: at most six'
        if self.pam != "none" and self.variant != "five-card":
            yield f'pam = "{self.pam}" with variant = "{self.variant}": Pam is of five-card loo'
        if self.flush and self.variant == "three-card":
            yield 'flush = true with variant = "three-card": flushes are of five-card and Irish loo'
        if self.tricks * (playing + self.played_by.has_miss) + 1 > len(self.all_cards):
            yield f'pack = "{self.pack}" with {self.players} players at {self.variant} loo: there are not so many cards'

    @property
    def played_by(self) -> type[Loo]:
        """Irish loo is virtually the same as the five-card variety (p. 28)."""
        return ThreeCardLoo if self.variant == "three-card" else FiveCardLoo

    @cached_property
    def tricks(self) -> int:
        """As many as cards: three, or five (pp. 17-18, 27)."""
        return 5 if self.variant == "five-card" else 3

    @cached_property
    def pam_of(self) -> dict[str, Card | None]:
        """For each suit of trumps, which card is Pam: the knave of clubs, or sometimes of trumps (p. 27)."""
        pams = {"none": None, "clubs": CARD["Jc"]}
        return {trumps: pams.get(self.pam, CARD["J" + trumps]) for trumps in SUITS}

    @cached_property
    def suits(self) -> dict[str, dict[Card, str]]:
        """For each suit of trumps, the suit that each card belongs to: Pam is a trump (p. 27)."""
        return {
            trumps: {card: trumps if card is pam else card.suit for card in PACK} for trumps, pam in self.pam_of.items()
        }

    @cached_property
    def powers(self) -> dict[str, dict[Card, float]]:
        """For each suit of trumps, how high the cards stand: Pam, the ace of trumps, and so on down (pp. 21, 27)."""
        return {
            trumps: {
                card: card.rank + TRUMP * ((suit == trumps) + (card is self.pam_of[trumps]))
                for card, suit in suits.items()
            }
            for trumps, suits in self.suits.items()
        }
