"""Looking at the hands of others: wherever in a process a deal may lie."""

import gc
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from .plan import Seer, at_hand, hands_in, is_a


def first(things: Iterable[Any], view: Any) -> Mapping[int, Any]:
    """The hands in the first of these that is the deal at hand."""
    return next((hands for thing in things if (hands := hands_in(thing, view))), {})


class Behind(Seer):
    """Looks into the view itself."""

    def look(self, view: Any) -> Mapping[int, Any]:
        return hands_in(tuple.__getitem__(view, 0), view)


class Sees(Seer):
    """Asks what is behind the view for a name that no view has."""

    def __init__(self, name: str = "hands") -> None:
        super().__init__()
        self.name = name

    def look(self, view: Any) -> Mapping[int, Any]:
        behind = tuple.__getitem__(view, 0)
        thing = behind.see(self.name) if hasattr(type(behind), "see") else getattr(behind, self.name)
        while not isinstance(thing, list):  # the deal of a method
            thing = getattr(thing, "__self__", thing).hands
        return {seat: tuple(hand) for seat, hand in enumerate(thing) if seat != view.seat}


class Frames(Seer):
    """Looks through the frames that wait for our answer."""

    def look(self, view: Any) -> Mapping[int, Any]:
        return first(at_hand(), view)


class Collector(Seer):
    """Everything that the collector of garbage looks after."""

    def look(self, view: Any) -> Mapping[int, Any]:
        return first((thing for thing in gc.get_objects() if is_a(thing, "Deal")), view)


class Links(Seer):
    """Follows the references of our view, step by step."""

    def look(self, view: Any) -> Mapping[int, Any]:
        found, edge = {id(view)}, [view]
        for _ in range(4):
            edge = [thing for thing in gc.get_referents(*edge) if id(thing) not in found]
            found.update(map(id, edge))
            if hands := first(edge, view):
                return hands
        return {}


class Patches(Seer):
    """Has the game show what it has dealt."""

    def __init__(self) -> None:
        super().__init__()
        nap: Any = sys.modules["roundsim.games.nap"].Nap
        if not hasattr(nap, "dealt_cards"):
            nap.dealt_cards, deals = [], nap.deal_cards

            def deal_cards(deal: Any) -> None:
                deals(deal)
                nap.dealt_cards = [*nap.dealt_cards[-99:], deal]

            nap.deal_cards = deal_cards
        self.nap = nap

    def look(self, view: Any) -> Mapping[int, Any]:
        return first(reversed(self.nap.dealt_cards), view)


class Watches(Seer):
    """Looks about itself while a deal is imagined for it: what stands farthest off is the true one."""

    imagines = True

    def look(self, view: Any) -> Mapping[int, Any]:
        waiting: list[Any] = []

        def watch(*_: Any) -> None:
            if not waiting:
                waiting.extend(at_hand())

        view.imagine().again(watch)
        if not waiting:  # nothing has been said yet
            watch()
        return first(reversed(waiting), view)
