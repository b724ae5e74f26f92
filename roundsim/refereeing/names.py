"""The names of chance."""

from __future__ import annotations

from copy import copy


def dealt_again(name: str, times: int) -> str:
    """Return the name of the cards of a deal after it was practised so many `times`."""
    return f"{name}/again {times}" if times else name


class Names:
    """The names of chance of a block. Everything random in it is the hash of one of these, or of one with a word added
    (see docs/run-folder.md); neither the number of deals nor of processes is in any.

    >>> from roundsim.format import Names
    >>> Names(1891, "nap", 17).deal(3)
    '1891/nap/17/3'"""

    __slots__ = ("block", "own", "seat")

    def __init__(self, seed: int | str, entry: str, block: int) -> None:
        self.block, self.own, self.seat = f"{seed}/{entry}/{block}", "", ""

    def of_sitting(self, number: int) -> Names:
        """The names of a sitting with its own cards: those of its deals and its end belong to it alone."""
        names = copy(self)
        names.own = f"/sitting {number}"
        return names

    def by_seat(self) -> Names:
        """The names where a strategy's own chance is the same in all sittings of the block: that of its seat."""
        names = copy(self)
        names.seat = f"{self.block}/seat"
        return names

    @property
    def seats(self) -> str:
        """The name of the draw of neighbours."""
        return f"{self.block}/seats"

    def deal(self, number: int) -> str:
        """The name of the cards of a deal: the same in all sittings of a block, unless each has its own."""
        return f"{self.block}/{number}{self.own}"

    def sitting(self, number: int) -> str:
        """The name of a strategy's own chance in a sitting, or at a table: '/' and its seat are added."""
        return self.seat or f"{self.block}/{number}"

    @property
    def end(self) -> str:
        """The name of the draw at the end of a sitting."""
        return f"{self.block}/end{self.own}"

    def hand(self, number: int, table: int) -> str:
        """The name of the cards of a deal where tables play in step."""
        return f"{self.block}/{number}/table {table}"

    def last(self, table: int) -> str:
        """The name of the draw at the end, if there are several tables."""
        return f"{self.end}/table {table}"

    def player(self, sitting: str, player: int) -> str:
        """The name of a strategy's own chance, if it goes from table to table: the sitting is that of its first
        deal."""
        return f"{sitting}/player {player}"

    def module(self, player: str) -> str:
        """The name of the chance that a player draws from Python's module `random`; `player` is the name of its own
        chance."""
        return f"{player}/random"

    def drawn(self, what: str) -> str:
        """The name of any other draw by lot: "3 ruin 5", in round 3 for player 5."""
        return f"{self.block}/lot {what}"
