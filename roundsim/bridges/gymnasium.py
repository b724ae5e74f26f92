"""A seat at a table as an environment of Gymnasium. Strategies play the other seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from .. import games
from ..base.errors import IllegalError, InputError, did_you_mean
from ..base.extras import without_extra
from ..refereeing.table import Table
from ..table.deal import Deal
from ..table.view import TableView
from ..tournament.formats.round_robin import players_by_default
from .copies import ReplayedEnv, play_again, spoken_at
from .seats import OtherSeats, next_asked
from .tokens import Spoken
from .vectors import Vectors

try:
    import gymnasium
    import numpy as np
except ImportError as error:
    raise without_extra("this", "gymnasium", error, "gymnasium") from None

RENDER_MODES = "ansi", "human"


class Spaces:
    """The spaces of a table, `observation` and `action`, the same for every seat, and what is observed of it."""

    def __init__(self, table: Table) -> None:
        self.vectors = Vectors(table.game, table.rules)
        self.tokens, size = self.vectors.tokens, len(self.vectors.tokens)
        seen = gymnasium.spaces.Box(-1, 1, (self.vectors.size,), np.float32)
        mask = gymnasium.spaces.Box(0, 1, (size,), np.int8)
        self.observation = gymnasium.spaces.Dict({"observation": seen, "action_mask": mask})
        self.action = gymnasium.spaces.Discrete(size)

    def observed(self, view: TableView, spoken: Spoken | None) -> dict[str, Any]:
        """Return the observation of a seat. `spoken`: what it has said of its action; None if it is not asked."""
        mask = np.zeros(len(self.tokens), np.int8)
        if spoken is not None:
            mask[[*spoken.open]] = 1
        return {"observation": np.frombuffer(self.vectors.of(view, spoken), np.float32), "action_mask": mask}


def table_for(
    game: str | type[Deal],
    others: Sequence[str] | None,
    players: int | None,
    options: Mapping[str, Any] | None,
    deals: int | None,
    seat: int | None,
) -> OtherSeats:
    """Return a table with these strategies; with None it has learners alone. InputError for a seat that it has not."""
    kind = games.named(game) if isinstance(game, str) else game
    others = [others] if isinstance(others, str) else others
    seats = players_by_default(kind, 1 + len(others)) if players is None and others is not None else players
    table = OtherSeats(kind, seats, options, deals)
    if others is not None:
        table.seat_strategies(others)
    if seat is not None and seat not in range(table.players):
        raise InputError(f"seat = {seat}: the seats of this table are 0 to {table.players - 1}")
    return table


class SeatEnv(ReplayedEnv, gymnasium.Env):  # type: ignore[misc]  # Any to whom it is not installed
    """A seat at a table, in each sitting the next one: `SeatEnv("nap", others=["book", "random"])`.

    Sittings in which it has nothing to decide are skipped. `players`: by default as many as `roundsim play` seats, one
    seat for each strategy if the game allows it. `seat`: always this one. `others` play in this process,
    without a sandbox, so use only strategies that you trust. Each step says a word of an action. If the word is not
    allowed, the first that is allowed is said, and `info` has `illegal`.

    UnknownGameError, OptionError, StrategyError, PluginError; InputError for other problems, such as a table at which
    nobody is asked anything."""

    made_again = "table", "spaces", "observation_space", "action_space", "spoken", "given"
    metadata: ClassVar[dict[str, Any]] = {"render_modes": [*RENDER_MODES], "render_fps": 1}

    def __init__(
        self,
        game: str | type[Deal],
        others: Sequence[str] = ("random",),
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        deals: int | None = None,
        seat: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.table = table_for(game, others, players, options, deals, seat)
        self.render_mode, self.seat = mode_known(render_mode), seat
        self.spaces = Spaces(self.table)
        self.observation_space, self.action_space = self.spaces.observation, self.spaces.action
        self.named, self.episode, self.own, self.said = 1, 0, 0, list[int]()
        self.spoken: Spoken | None = None
        self._sit_down()  # to refuse a table at which nobody is asked
        self.named, self.spoken = -1, None

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a sitting: with a seed its first one and first seat, without a seed the next."""
        if options:
            names = ", ".join(map(str, options))
            raise InputError(f"reset takes no options ({names}): those of the table are given when it is made")
        super().reset(seed=seed)
        if seed is not None:
            self.named, self.episode = seed, 0
        elif self.named < 0:
            self.named, self.episode = int(self.np_random.integers(1 << 32)), 0
        self._sit_down()
        self.spoken, self.won = spoken_at(self.table, self.spaces.tokens), 0
        return self._seen(), self._info(False)

    def _sit_down(self) -> None:
        """Sit down to the next sitting in which this seat is asked something."""
        who = "no seat" if self.seat is None else f"seat {self.seat} never"
        self.episode = next_asked(self.table, self.episode, self._begin, who)
        self.said.clear()

    def _begin(self, episode: int) -> None:
        self.own = (episode - 1) % self.table.players if self.seat is None else self.seat
        self.table.sit_down(1 if self.named < 0 else self.named, episode, self.own)

    def step(self, action: int) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        """Say a token."""
        if (spoken := self.spoken) is None:
            raise IllegalError(f"{self.table.game.title}: no sitting goes on, `reset` begins one")
        illegal = action not in spoken.open
        self.said.append(spoken.open[0] if illegal else int(action))
        spoken.say(self.said[-1])
        if not spoken.open:
            self.table.answer(spoken.legal_action)
            self.spoken = spoken_at(self.table, self.spaces.tokens)
        before, self.won = self.won, self.table.nets[self.own]
        return self._seen(), float(self.won - before), self.table.over, False, self._info(illegal)

    def _tables(self) -> list[Table]:
        return [self.table]

    def _replay(self, tables: list[Any]) -> None:
        self.table = tables[0]
        self._begin(self.episode)
        spoken = play_again(self.table, self.spaces.tokens, self.said)
        self.spoken = spoken if self.named >= 0 else None

    def _seen(self) -> dict[str, Any]:
        return self.spaces.observed(self.table.view(self.own), self.spoken)

    def _info(self, illegal: bool) -> dict[str, Any]:
        return {"seat": self.own, "illegal": illegal}

    def action_masks(self) -> Any:
        """Return which tokens can be said, as sb3-contrib asks for it."""
        return self._seen()["action_mask"].astype(np.bool_)

    def render(self) -> str | None:
        """Return the view of the seat as text."""
        return rendered(self.render_mode, self.table, self.own, self.spoken)


def mode_known(render_mode: str | None) -> str | None:
    """Return a known render mode. InputError for any other."""
    if render_mode not in (None, *RENDER_MODES):
        close = did_you_mean(render_mode, RENDER_MODES)
        raise InputError(f"no render_mode {render_mode!r}{close}: expected is {', '.join(RENDER_MODES)} or None")
    return render_mode


def rendered(mode: str | None, table: Table, seat: int, spoken: Spoken | None) -> str | None:
    """Return a seat's view as text, with what it has said of its action, and in the end the nets; mode "human" prints
    it."""
    more = f"\n  said so far: {spoken.action}" if spoken and spoken.words else ""
    text = f"{table.view(seat)}{more}" + f"\n  nets: {' '.join(map(str, table.nets))}" * table.over
    if mode == "human":
        print(text)
    return text if mode == "ansi" else None


def register() -> None:
    """Register every game of ours: `gymnasium.make("roundsim/nap-v1")`."""
    for name in games.ours():
        gymnasium.register(
            f"roundsim/{name}-v1",
            entry_point=f"{__name__}:SeatEnv",
            vector_entry_point=f"{__name__}_vector:TableVectorEnv",
            kwargs={"game": name},
        )


register()
