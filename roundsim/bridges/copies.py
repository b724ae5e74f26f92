"""Environments that are copied and pickled by playing their sittings again, answer by answer: a deal cannot be copied."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any, ClassVar, Self

from ..base.errors import InputError
from ..refereeing.table import Table
from .tokens import Spoken, Tokens


class ReplayedEnv(ABC):
    """An environment that can be copied, with `copy.deepcopy`, and pickled.

    A copy has its own tables, with the sittings played again: InputError if strategies then answer differently, because
    they keep something that is not made by their answers, for example in their module."""

    given: tuple[tuple[Any, ...], Mapping[str, Any]]  # the arguments it was made with
    made_again: ClassVar[tuple[str, ...]] = ()  # attributes that a copy makes itself

    def __new__(cls, *arguments: Any, **named: Any) -> Self:
        made = super().__new__(cls)
        made.given = arguments, named
        return made

    @abstractmethod
    def _tables(self) -> list[Table]:
        """Return the tables."""

    @abstractmethod
    def _replay(self, tables: list[Table]) -> None:
        """Play the present sittings again, at these tables, which become its own."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        other = object.__new__(type(self))
        vars(other).update(vars(self))
        other._become(self._position(), [table.another() for table in self._tables()])
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        return made_again, (type(self), self.given, self._position())

    def _position(self) -> tuple[dict[str, Any], list[Any]]:
        """Return what a copy takes over, and the courses of the deals, to compare with."""
        return {name: thing for name, thing in vars(self).items() if name not in self.made_again}, self._courses()

    def _courses(self) -> list[Any]:
        return [(table.nets, [*map(str, table.deal.actions)]) for table in self._tables()]

    def _become(self, position: tuple[dict[str, Any], list[Any]], tables: list[Table]) -> None:
        kept, courses = position
        vars(self).update(deepcopy(kept))
        self._replay(tables)
        if self._courses() != courses:
            raise InputError(
                f"{tables[0].game.title}: this sitting cannot be copied: played again, the strategies answer differently,"
                " because they keep something besides their answers"
            )


def made_again(kind: type[ReplayedEnv], given: tuple[tuple[Any, ...], Mapping[str, Any]], position: Any) -> ReplayedEnv:
    """Return an environment that was pickled."""
    arguments, named = given
    made = kind(*arguments, **named)
    made._become(position, made._tables())
    return made


def play_again(table: Table, tokens: Tokens, spoken_before: Iterable[int]) -> Spoken | None:
    """Say these tokens at a table. Return the action that is not complete yet; None if the sitting is over."""
    spoken = spoken_at(table, tokens)
    for token in spoken_before:
        assert spoken
        spoken.say(token)
        if not spoken.open:
            table.say(spoken.legal_action)
            spoken = spoken_at(table, tokens)
    return spoken


def spoken_at(table: Table, tokens: Tokens) -> Spoken | None:
    """Return an action for the asked seat to say; None when the sitting is over."""
    return Spoken(tokens, ask.legal) if (ask := table.ask) else None
