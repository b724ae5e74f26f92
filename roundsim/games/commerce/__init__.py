"""Commerce: trading for a better hand of three (Baxter-Wray, "Round Games with Cards", 1891, pp. 70-76;
Foster, "The Poker Family", section Commerce).

game.py has what its forms have in common, wray.py and foster.py what each book tells, a class a form."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Literal

from ...mechanics.exchange import LivesRules
from ...table.cards import PACK, PACK_32, Card
from ...table.options import option
from .foster import Foster, FosterWidow
from .game import Commerce
from .wray import Modern, Old, Pool

__all__ = ["Commerce", "CommerceRules"]

FORMS = {"modern": Modern, "old": Old, "pool": Pool, "foster": Foster, "foster-widow": FosterWidow}
PARTS = {"none": 1, "third": 3, "half": 2}  # of the entry is the price of a horse


class CommerceRules(LivesRules, of=Commerce):
    """The options of Commerce, and which form they belong to."""

    variant: Literal["modern", "old", "pool", "foster", "foster-widow"] = option(
        "modern", "the form of the game", "Baxter-Wray pp. 70-75; Foster"
    )
    pack: Literal["52", "32"] = option("52", "with 32: seven to ace, for at most seven players", "Baxter-Wray p. 70")
    stake: int = option(
        1, "the one stake of the game", "Baxter-Wray p. 72", high=100, variant=("modern", "old", "foster")
    )
    combos: Literal["full", "no-pair", "no-flush-pair"] = option(
        "full",
        "limited commerce: pairs, or flushes as well, count as point",
        "Baxter-Wray p. 75",
        variant=("modern", "old", "pool"),
    )
    dealer_penalty: Literal["none", "better", "all"] = option(
        "none",
        "a dealer beaten with more than a point pays each better hand, or all",
        "Baxter-Wray p. 76",
        variant=("modern", "old"),
    )
    extended: bool = option(
        False, "who stands only leaves the trading, which ends when all have", "Baxter-Wray p. 76", variant="modern"
    )
    continuous: bool = option(
        False, "the dealer deals until a flush or better is shown", "Baxter-Wray p. 76", variant="modern"
    )
    entry: int = option(
        6, "what each pays in for a game", "Baxter-Wray p. 75; the figure ours", high=1000, variant="pool"
    )
    prize: int = option(
        1, "what the best hand takes", "Baxter-Wray p. 75; the figure ours", low=0, high=100, variant="pool"
    )
    horse: Literal["none", "third", "half"] = option(
        "third", "the first out may buy a life for this part of the entry", "Baxter-Wray p. 75", variant="pool"
    )
    lives: int = option(3, "lives of each", "Baxter-Wray p. 75; Foster", high=20, variant=("pool", "foster-widow"))
    extra: bool = option(False, "flush and pair rank above the point", "Foster", variant=("foster", "foster-widow"))
    game: Literal["whiskey", "freeze"] = option(
        "whiskey",
        "until one has lost his lives, and pays for the whiskey; or until one has all",
        "Foster",
        variant="foster-widow",
    )
    whiskey: int = option(
        1, "game whiskey: what he pays to each", "Foster; the figure ours", high=100, variant="foster-widow"
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
    def all_cards(self) -> tuple[Card, ...]:
        return PACK if self.pack == "52" else PACK_32

    @cached_property
    def price_of_a_horse(self) -> int:
        """One third or one half of what each has paid in (Baxter-Wray p. 75)."""
        return self.entry // PARTS[self.horse]
