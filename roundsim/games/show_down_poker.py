"""Show-down poker: open hands, one draw and no betting (Foster, "The Poker Family")."""

from __future__ import annotations

from ..actions import Action
from ..cards import PACK
from ..mechanics.betting import divide
from ..mechanics.drawing import Drawing
from ..mechanics.hands import ranking_of, ranking_options
from ..options import Option, Rules, between
from ..table import Ask, Story


class ShowDownPoker(Drawing):
    """All play for an equal ante, face up: who draws last knows what he must beat."""

    id = "show-down-poker"
    title = "Show-down Poker"
    family = "poker"
    seats = (2, 7)
    usual = (4, 6)
    source = 'Foster, "The Poker Family"'
    course = """Each puts up an equal ante. Five cards each, all turned face up. From eldest to the dealer each puts out what
cards he likes and is dealt as many, face up. There is no betting: after the dealer's draw the best hand takes the pool.
A hand that is worse than another that has drawn is deadwood, and goes back into the pack if it runs out."""

    options = (
        Option("ante", 1, between(1, 1000), "stake of each seat", "ours"),
        *ranking_options(pack=None),
    )

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        rules.cards = PACK
        rules.ranking = ranking_of(rules)

    pool_names = ("pool",)
    phases = {"draw": "`discard 2c 5d`; `discard` to stand pat"}
    public = {
        "eldest": "the seat that is dealt to, and draws, first",
        "hands": "all hands, by seat; empty of a seat that is out",
        "still_in": "the seats whose hands are not deadwood, eldest first: they have yet to draw, or are not beaten",
        "drawn": Drawing.public["drawn"],
        "put_out": "the cards that each seat has put out",
        "dead": "discards and deadwood, which are shuffled with what is left of the pack when it runs out",
    }
    private = {}

    def deal(self) -> Story:
        self.take_places()
        for seat in self.dealt_in:
            self.put_up(seat, self.rules.ante)
        self.deal_five(self.dealt_in)
        for seat in self.dealt_in:
            yield from self.draw(seat)
            self.lay_aside_deadwood()
        for seat, share in divide(sum(self.stake), self.still_in):
            self.receive(seat, share)

    def lay_aside_deadwood(self) -> None:
        """Of the hands that have drawn all but the best are out."""
        hands, drawn = self.hands, [seat for seat in self.still_in if self.drawn[seat] is not None]
        keys = {seat: self.rules.ranking.key(hands[seat]) for seat in drawn}
        for seat in drawn:
            if keys[seat] < max(keys.values()):
                self.fold(seat)
                self.dead += hands[seat]
                hands[seat] = []

    def seen(self, ask: Ask, action: Action) -> Action:
        """Everything is open."""
        return action
