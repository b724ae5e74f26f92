"""Tables drawn at random: a game, a number of players, and options that go together."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ..base.errors import OptionError
from ..base.values import Flag, OneOf, Whole
from ..table.deal import Deal
from ..table.options import Option, Rules

LARGE = 2**20  # the end of a range that has none


@dataclass(frozen=True)
class Table:
    """A table of a game: the number of players, and the options that are given. Its `rules` raise OptionError if the
    game refuses them."""

    game: type[Deal]
    players: int
    given: dict[str, Any]

    @property
    def rules(self) -> Rules:
        return self.game.rules_for(self.players, self.given)


def usual_table(game: type[Deal]) -> Table:
    return Table(game, game.usual[0], {})


def option_values(option: Option) -> list[Any]:
    """Return values to try: words (some, if there are very many), both flags, the ends of a range and a few small
    numbers."""
    kind = option.values
    if isinstance(kind, OneOf):
        return list(kind.choices[:: 1 + len(kind.choices) // 20])
    if isinstance(kind, Flag):
        return [False, True]
    assert isinstance(kind, Whole), f"{option.key}: no values are known of {kind!r}"
    numbers = [*range(kind.low, kind.low + 9), 16, 64, kind.high or LARGE]
    return sorted({n for n in numbers if n <= (kind.high or n) and (kind.but is None or kind.but(n))})


def problems(game: type[Deal], players: int, given: Mapping[str, Any]) -> int:
    """Return how many things the game refuses in these options."""
    try:
        game.rules_for(players, given)
    except OptionError as error:
        return len(error.problems)
    return 0


def as_many_as_go(game: type[Deal], players: int, wanted: Sequence[tuple[str, Any]]) -> Table | None:
    """Return a table with those of the wanted options that do not contradict the ones before; each is tried twice."""
    given: dict[str, Any] = {}
    left = problems(game, players, given)
    for key, value in [*wanted, *wanted]:
        if key not in given:
            now = problems(game, players, {**given, key: value})
            if now <= left:
                given[key], left = value, now
    return None if left else Table(game, players, given)


def some_options(game: type[Deal], rng: Random, size: int) -> list[tuple[str, Any]]:
    """Return `size` options with values drawn for them, in any order."""
    return [(option.key, rng.choice(option_values(option))) for option in rng.sample(game.options, size)]


@st.composite
def any_table(draw: Any, game: type[Deal]) -> Table:
    """Draw any table of the game. Nothing is thrown away: an option that is refused with those before it is left
    out."""
    players = draw(st.sampled_from(range(game.seats[0], game.seats[1] + 1)))
    size, rng = draw(st.integers(0, len(game.options))), draw(st.randoms(use_true_random=True))
    wanted = some_options(game, rng, size)
    return as_many_as_go(game, players, wanted) or as_many_as_go(game, game.usual[0], wanted) or usual_table(game)


def table_with(game: type[Deal], key: str, value: Any, rng: Random) -> Table | None:
    """Return some table at which an option has this value, its other options drawn at random."""
    for _ in range(400):
        wanted = some_options(game, rng, rng.randrange(min(8, len(game.options))))
        wanted = [pair for pair in wanted if pair[0] != key]
        wanted.insert(rng.randint(0, len(wanted)), (key, value))
        table = as_many_as_go(game, rng.randint(*game.seats), wanted)
        if table and key in table.given:
            return table
    return None


def for_any_sitting(game: type[Deal], examples: int, check: Callable[[Table, int], object]) -> None:
    """Check this many tables of the game, each with its own chance: `check(table, seed)`.

    Raises what `check` raises, for the simplest table that fails."""

    @settings(
        max_examples=examples, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck)
    )
    @given(table=any_table(game), seed=st.integers(0, 2**32))
    def run(table: Table, seed: int) -> None:
        check(table, seed)

    run()
