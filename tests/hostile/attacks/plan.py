"""How an attack goes: at what moment it is tried, and how it shows that it has got through."""

import gc
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from threading import Thread
from types import FrameType
from typing import Any

ENOUGH = 6  # cards of others that were known before they were played: nobody guesses so many


class Meek:
    """The play of an attack that has failed: it passes, and plays the first card that it may."""

    games = ["nap"]

    def __init__(self, **_: Any) -> None:
        pass

    def call(self, view: Any) -> Any:
        return view.legal[0]

    def play(self, view: Any) -> Any:
        return view.legal[0]


class Attack(Meek):
    """Something that is tried; from then on it calls.

    `when`: in the "constructor", in "begin", at a "question", in another "thread" at a question, in "settled", in
    "__del__"."""

    won = False

    def __init__(self, when: str = "question") -> None:
        self.when = when
        self.try_at("constructor")

    def begin(self, view: Any) -> None:
        self.try_at("begin")

    def settled(self, view: Any, net: int) -> None:
        self.try_at("settled")

    def __del__(self) -> None:
        self.try_at("__del__")

    def call(self, view: Any) -> Any:
        self.try_at("question")
        if self.when == "thread":
            thread = Thread(target=self.try_at, args=("thread",))
            thread.start()
            thread.join()
        return view.legal[1 if type(self).won else 0]

    def try_at(self, moment: str) -> None:
        if moment == self.when and not type(self).won:
            with suppress(Exception):
                type(self).won = bool(self.attempt())

    def attempt(self) -> object:
        """Whether it has got through."""
        raise NotImplementedError


class Seer(Meek):
    """Something that names others' cards; when their play has confirmed it, it calls.  A wrong guess counts against it."""

    borne_out = 0

    def __init__(self, **_: Any) -> None:
        self.seen: Mapping[int, Any] = {}

    def look(self, view: Any) -> Mapping[int, Any]:
        """The cards of other seats, of those whose cards are known."""
        raise NotImplementedError

    def call(self, view: Any) -> Any:
        with suppress(Exception):
            self.seen = self.look(view)
        return view.legal[1 if type(self).borne_out >= ENOUGH else 0]

    def settled(self, view: Any, net: int) -> None:
        played = [said for said in view.history if said.phase == "play" and said.seat != view.seat]
        known = [said for said in played if said.seat in self.seen]
        right = all(said.action.card in self.seen[said.seat] for said in known)
        type(self).borne_out = max(0, type(self).borne_out + (len(known) if right else -len(known)))
        self.seen = {}


def frames() -> Iterator[Any]:
    """Those that wait for us, the nearest first."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        yield frame
        frame = frame.f_back


def is_a(thing: object, kind: str) -> bool:
    """Whether its class, or one that this is made of, is called so."""
    return any(each.__name__ == kind for each in type(thing).__mro__)


def at_hand() -> Iterator[Any]:
    """The local variables of the frames that wait for our answer, the nearest first."""
    return (thing for frame in frames() for thing in [*frame.f_locals.values()])


def all_of(kind: str) -> list[Any]:
    """All things of this kind in the process; what has been frozen the collector does not list."""
    return [thing for thing in [*at_hand(), *gc.get_objects()] if is_a(thing, kind)]


def hands_in(thing: Any, view: Any) -> dict[int, Any]:
    """The hands of others, if this is a deal in which our own hand is ours."""
    hands = getattr(thing, "hands", None)
    if not isinstance(hands, list) or len(hands) != view.players or {*hands[view.seat]} != {*view.hand}:
        return {}
    return {seat: tuple(hand) for seat, hand in enumerate(hands) if seat != view.seat}
