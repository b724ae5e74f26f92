"""Changing what is not one's own: the cards, the counters, the rules, the record, the opponents.

These play meekly; what they change is seen in the run."""

import random
import sys
from collections.abc import Iterator
from contextlib import suppress
from itertools import product
from typing import Any

from .plan import Meek, all_of, at_hand, is_a

OWN = __name__.rpartition(".")[0]


def last(seq: Any) -> Any:
    return seq[-1]


class Tamper(Meek):
    """`change` is tried at every call."""

    def call(self, view: Any) -> Any:
        with suppress(Exception):
            self.change(view)
        return super().call(view)

    def change(self, view: Any) -> None:
        raise NotImplementedError


def deals() -> Iterator[Any]:
    """Those that wait for our answer."""
    return (thing for thing in at_hand() if is_a(thing, "Deal"))


class Chances(Tamper):
    """The opponents draw what we like."""

    def change(self, view: Any) -> None:
        for player in all_of("Player"):
            if player.chance is not view.chance:
                player.chance.begin("spoilt")


class Code(Tamper):
    """The opponents play what we like."""

    def change(self, view: Any) -> None:
        for name, module in [*sys.modules.items()]:
            if name.startswith(("roundsim_plugin", "roundsim_strategies", "strategies")) and not name.startswith(OWN):
                own = [each for each in vars(module).values() if isinstance(each, type) and each.__module__ == name]
                for thing, way in product(own, ("act", "call", "play")):
                    if hasattr(thing, way):
                        setattr(thing, way, lambda _, view: view.legal[0])


class Loads(Tamper):
    """The module `random` gives the opponents what we like."""

    def change(self, view: Any) -> None:
        vars(random).update(choice=last, shuffle=last)


class Nets(Tamper):
    """The counters of a deal are paid to us."""

    def change(self, view: Any) -> None:
        next(deals()).pay((view.seat + 1) % view.players, view.seat, 10)


class Hands(Tamper):
    """We have our neighbour's cards, and he ours."""

    def change(self, view: Any) -> None:
        hands, other = next(deals()).hands, (view.seat + 1) % view.players
        hands[view.seat][:], hands[other][:] = [*hands[other]], [*hands[view.seat]]


class Stakes(Tamper):
    """A trick is worth more."""

    def change(self, view: Any) -> None:
        object.__setattr__(next(deals()).rules, "stake", 9)


class Ranks(Tamper):
    """The last card takes the trick."""

    def change(self, view: Any) -> None:
        vars(sys.modules["roundsim.games.nap.game"])["taker"] = lambda trick, trumps: len(trick) - 1


class Tallies(Tamper):
    """Another one has made mistakes."""

    def change(self, view: Any) -> None:
        for tally in all_of("ShardTotals"):
            tally.faults[1, "illegal"] = 9
