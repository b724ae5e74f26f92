"""Commerce: trading for a better hand of three (Baxter-Wray, "Round Games with Cards", 1891, pp. 70-76;
Foster, "The Poker Family", section Commerce).

game.py has what its forms have in common, wray.py and foster.py what each book tells, a class a form."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Literal

from roundsim.game import LivesRules, option

from .foster import Foster, FosterWidow
from .game import Commerce
from .wray import Modern, Old, PoolForm

__all__ = ["Commerce", "CommerceRules"]

FORMS = {"modern": Modern, "old": Old, "pool": PoolForm, "foster": Foster, "foster-widow": FosterWidow}
PARTS = {"none": 1, "third": 3, "half": 2}  # of the entry is the price of a horse


class CommerceRules(LivesRules, of=Commerce):
    """The options of Commerce, and which form they belong to."""

    variant: Literal["modern", "old", "pool", "foster", "foster-widow"] = option(
        "modern", "which form of the game is played", "Baxter-Wray pp. 70-75; Foster"
    )
    pack: Literal["52", "32"] = option(
        "52", "with 32 the cards run from seven to ace, for at most seven players", "Baxter-Wray p. 70"
    )
    stake: int = option(
        1,
        "what is paid into the pool, for a card, and by a player who is beaten",
        "Baxter-Wray p. 72",
        high=100,
        variant=("modern", "old", "foster"),
    )
    combos: Literal["full", "no-pair", "no-flush-pair"] = option(
        "full",
        "which hands count: in limited commerce pairs, or flushes as well, are only points",
        "Baxter-Wray p. 75",
        variant=("modern", "old", "pool"),
    )
    dealer_penalty: Literal["none", "better", "all"] = option(
        "none",
        "whether a dealer who is beaten with more than a point pays each better hand, or all",
        "Baxter-Wray p. 76",
        variant=("modern", "old"),
    )
    extended: bool = option(
        False,
        "whether players who stand only leave the trading, which ends when all have stood",
        "Baxter-Wray p. 76",
        variant="modern",
    )
    continuous: bool = option(
        False, "whether the same dealer deals until a flush or better is shown", "Baxter-Wray p. 76", variant="modern"
    )
    entry: int = option(
        6,
        "what each player pays into the pool for a game",
        "Baxter-Wray p. 75; the figure ours",
        high=1000,
        variant="pool",
    )
    prize: int = option(
        1,
        "what the best hand takes out of the pool",
        "Baxter-Wray p. 75; the figure ours",
        low=0,
        high=100,
        variant="pool",
    )
    horse: Literal["none", "third", "half"] = option(
        "third", "for which part of the entry the first player out may buy a life", "Baxter-Wray p. 75", variant="pool"
    )
    lives: int = option(
        3, "how many lives each player has", "Baxter-Wray p. 75; Foster", high=20, variant=("pool", "foster-widow")
    )
    extra: bool = option(
        False, "whether flushes and pairs rank above the point", "Foster", variant=("foster", "foster-widow")
    )
    game: Literal["whiskey", "freeze"] = option(
        "whiskey",
        "whether a game ends when one player has no lives and pays for the whiskey, or when one has all lives",
        "Foster",
        variant="foster-widow",
    )
    whiskey: int = option(
        1,
        "game whiskey: what the loser pays to each other player",
        "Foster; the figure ours",
        high=100,
        variant="foster-widow",
    )

    def refusals(self) -> Iterator[str]:
        if "whiskey" in self.given and self.game == "freeze":
            yield 'whiskey with game = "freeze": who has no lives left pays nothing, and is out'
        if self.pack == "32" and self.variant in ("foster", "foster-widow"):
            yield f'pack = "32" with variant = "{self.variant}": Foster has the whole pack'
        if self.pack == "32" and self.players > 7:
            yield f'pack = "32" with {self.players} players: at most seven'
        if self.variant == "pool" and self.entry % PARTS[self.horse]:
            yield f'entry = {self.entry} with horse = "{self.horse}": it cannot be divided by {PARTS[self.horse]}'

    @property
    def played_by(self) -> type[Commerce]:
        return FORMS[self.variant]

    @property
    def sitting(self) -> int:
        """Each deals once; with lives as many deals as lives, or until the game is over (Baxter-Wray p. 72; ours)."""
        return self.players * (self.lives if self.with_lives else 1)

    @cached_property
    def with_lives(self) -> bool:
        """In pool commerce (Baxter-Wray p. 75), and in Foster's with a widow (Foster, section Commerce)."""
        return self.variant in ("pool", "foster-widow")

    @cached_property
    def price_of_a_horse(self) -> int:
        """One third or one half of what each has paid in (Baxter-Wray p. 75)."""
        return self.entry // PARTS[self.horse]
