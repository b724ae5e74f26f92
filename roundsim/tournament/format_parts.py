"""Parts of the interface of a format: the driver that plays its deals, its keys, and where differences come from."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, dataclass, field
from typing import Any, NamedTuple, Protocol

from ..base.errors import AbortError
from ..base.values import Flag, Text, Values, Whole
from ..refereeing.names import Names
from ..table.deal import Deal


class Difference(NamedTuple):
    """Where a shadow has answered differently: the number of the deal in its sitting, and of the action in the deal."""

    deal: int
    action: int


class Driver(Protocol):
    """Plays the deals of a block: a table of strategies, or a log.

    `compiled`: whether compiled deals may be played, because nobody listens to them and nothing is imagined of them."""

    compiled: bool = False

    def sit(self, table: str, names: Names, entrants: Sequence[int], keys: Sequence[Any]) -> None:
        """Seat these entrants at a table, "17/2". A player with a key seen before in this block stays."""

    def play(self, place: str, deal: Deal, first: bool) -> None:
        """Play a deal to its end."""

    def end(self, place: str, deal: Deal) -> None:
        """Note that the end of a sitting has moved counters."""

    def leave(self) -> None:
        """Have the players leave the table."""

    def shadow(self, entrants: Sequence[int | None]) -> None:
        """Also ask these entrants, by seat, at the table that has just sat down. Their answers are only compared.

        None: nobody is asked there. A log has nobody to ask at all."""
        return

    def differing(self) -> Mapping[int, Difference | None] | None:
        """Return where the shadows of the last table answered differently, by seat; None if a log does not say it.

        If somebody was at fault, every seat is in it, and for None: no answer says what else would have been."""
        return None

    def reaches(self, table: str, planned: bool) -> bool:
        """Return whether a table is played. A log may have it, whether or not that is `planned`."""
        return planned

    def refuse(self, words: str) -> None:
        """End the run, because a table was not played as it should have been."""
        raise AbortError(words)


@dataclass(frozen=True)
class Key:
    """A whole number, a text or a switch that a format is entered with.

    It is set in [[games]] and, if it has a `flag`, on the command line. `usual`: its default, a function of the game
    and the number of strategies if it depends on them; "" for a text, True or False for a switch."""

    help: str
    low: int
    high: int
    usual: int | str | Callable[[type[Deal], int], int]
    flag: str = ""

    @property
    def kind(self) -> type:
        return int if callable(self.usual) else type(self.usual)

    @property
    def values(self) -> Values:
        return Whole(self.low, self.high) if self.kind is int else Flag() if self.kind is bool else Text()

    @property
    def optional(self) -> bool:
        """Whether it is recorded only if it differs from its default, as texts and switches are."""
        return self.kind is not int

    def fits(self, value: Any) -> bool:
        """Whether a recorded value is valid: of its type, a number within its limits, anything else not the default."""
        return self.values.fits(value) and not (self.optional and value == self.usual)

    def default(self, game: type[Deal], strategies: int) -> Any:
        return self.usual(game, strategies) if callable(self.usual) else self.usual


def key(help: str, low: int, high: int, usual: int | Callable[[type[Deal], int], int] = 0, flag: str = "") -> Any:
    """Declare a field of a format: `stack: int = key("counters of each player", 2, 10**6, 100)`.

    A whole number from `low` to `high`; `usual`: its default, or a function of the game and the number of strategies;
    `flag`: of the command line, "--stack"."""
    return field(metadata={"key": Key(help, low, high, usual, flag)})


def text_key(help: str, flag: str = "") -> Any:
    """Declare a field of a format that is a text and need not be given; it is then "". `flag`: as with `key`."""
    return field(default="", kw_only=True, metadata={"key": Key(help, 0, 0, "", flag)})


def switch_key(help: str, flag: str = "") -> Any:
    """Declare a field of a format that is on unless a file or the command line turns it off. `flag`: as with `key`."""
    return field(default=True, kw_only=True, metadata={"key": Key(help, 0, 0, True, flag)})


class PhaseShare(NamedTuple):
    """A part of a difference: in what phase it begins, what it is worth, and in which share of sittings it is."""

    phase: str
    difference: float
    share: float


class Swing(NamedTuple):
    """A replay, by its block, sitting and first deal that differs, "17/3/2", and what it gained, in counters."""

    place: str
    gained: int


class Origins(NamedTuple):
    """Where a difference comes from: its parts by phase, and the replays that gained and that lost most."""

    phases: list[PhaseShare]
    gained: list[Swing]
    lost: list[Swing]


class Logged(Protocol):
    """A deal of the log: "nap/17/2/3", and "17/2/3" and "3" of that; by seat the entrants and the nets."""

    @property
    def address(self) -> str: ...
    @property
    def place(self) -> str: ...
    @property
    def number(self) -> str: ...
    @property
    def seats(self) -> Sequence[str]: ...
    @property
    def net(self) -> Sequence[int]: ...


def key_of(field: Field[Any]) -> Key:
    """Return what a field of a format declares."""
    declared: Key = field.metadata["key"]
    return declared
