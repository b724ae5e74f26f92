"""Tables drawn at random, and sittings of random players."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from ..base.errors import OptionError
from ..base.extras import without_extra
from ..base.values import Flag, OneOf, Whole
from ..refereeing.sitting import Sitting
from ..table.actions import Action
from ..table.chance import Source
from ..table.deal import Ask, Deal, State
from ..table.legal import count
from ..table.options import Option, Rules
from ..table.playthrough import run_deal

try:
    from hypothesis import HealthCheck, given, settings
    from hypothesis import strategies as st
except ImportError as error:
    raise without_extra("roundsim.testing", "hypothesis", error, "testing") from None

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
    numbers = sorted({n for n in numbers if n <= (kind.high or n) and (kind.but is None or kind.but(n))})
    return [False, *numbers] if kind.off else numbers


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


QUESTIONS = 5000  # more than any deal has
DEALS = 10  # of a sitting, at most
ENOUGH = 200  # questions: no further deal is played in the sitting

OnQuestion = Callable[[Deal, Ask], object]


class RandomPlayer:
    """Answers at random; how often it gives the first legal action or the last is drawn for the whole sitting."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.first, self.last = rng.choice([(0, 0), (0.1, 0.1), (0.5, 0), (0.9, 0), (0, 0.5)])

    def answer(self, legal: Sequence[Action]) -> Action:
        drawn = self.rng.random()
        if drawn < self.first:
            return legal[0]
        return legal[count(legal) - 1 if drawn < self.first + self.last else self.rng.randrange(count(legal))]


def no_look(deal: Deal, ask: Ask) -> None:
    """Do nothing."""


def every_seventh(look: OnQuestion) -> OnQuestion:
    """Look at every seventh question after the first ones of a deal: some deals have hundreds."""
    return lambda deal, ask: look(deal, ask) if len(deal.asked) < 20 or len(deal.asked) % 7 == 0 else None


def play_out(deal: Deal, answer: Callable[[Ask], Action], look: OnQuestion = no_look) -> Deal:
    """Play a deal to its end and return it; `look(deal, ask)` sees every question before it is answered by
    `answer(ask)`.

    Raises AssertionError if the deal does not end."""

    def looked_at(ask: Ask) -> Action:
        assert len(deal.asked) < QUESTIONS, f"{deal.id}: the deal does not end within {QUESTIONS} questions"
        look(deal, ask)
        return answer(ask)

    run_deal(deal, looked_at)
    return deal


def copy_of(state: State) -> State:
    return copy.deepcopy(state)


@dataclass(frozen=True)
class Played:
    """A deal that was played: the name of its chance, and the state before and after it."""

    name: str
    before: State
    deal: Deal
    after: State
    over: bool

    def again(self, rules: Rules) -> Deal:
        """Return the same deal before it was played."""
        game: type[Deal] = rules.played_by
        return game(rules, copy_of(self.before), Source(self.name))


def play_sitting(table: Table, seed: int, look: OnQuestion = no_look) -> tuple[list[Played], Played]:
    """Return a sitting of random players: its deals, at most ten, and its end. `look`: as with `play_out`.

    >>> from roundsim.games.nap import Nap
    >>> from roundsim.testing import Table, play_sitting
    >>> deals, end = play_sitting(Table(Nap, 4, {}), seed=1)
    >>> len(deals), sum(end.after.pools.values())
    (4, 0)"""
    rules, rng = table.rules, Random(seed)
    player, played = RandomPlayer(rng), list[Played]()
    deals = min(rules.sitting, DEALS)
    sitting = Sitting(table.game, rules, deals=deals)
    for number in range(deals):
        name = f"{seed}/{number}"
        deal = sitting.next_deal(Source(name))
        before = copy_of(sitting.state)  # which knows now how many deals are to come
        play_out(deal, lambda ask: player.answer(ask.legal), look)
        over = sitting.settle(deal)
        played.append(Played(name, before, deal, copy_of(sitting.state), over))
        if over or sum(len(before.deal.asked) for before in played) > ENOUGH:
            break
    before, name = copy_of(sitting.state), f"{seed}/end"
    end = sitting.end(Source(name))
    return played, Played(name, before, end, copy_of(sitting.state), True)
