"""Many tables as one vector environment of Gymnasium, each with a learner among strategies, or with learners alone."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, Literal

from ..base.errors import IllegalError, InputError, did_you_mean
from ..base.extras import without_extra
from ..refereeing.table import Table
from ..table.deal import Deal
from .copies import ReplayedEnv, play_again
from .gymnasium import RENDER_MODES, Spaces, mode_known, rendered, table_for
from .seats import next_asked
from .tokens import Spoken
from .vectors import write_row

try:
    import gymnasium
    import numpy as np
except ImportError as error:
    raise without_extra("this", "gymnasium", error, "gymnasium") from None

WHO = "one", "all"
Arrays = dict[str, Any]


class TableVectorEnv(ReplayedEnv, gymnasium.vector.VectorEnv):  # type: ignore[misc]  # Any to whom it is not installed
    """Tables side by side: `TableVectorEnv("nap", 64, others=["book", "random"])`.

    Each table is what `SeatEnv` is, with the seed of the vector and the table's number added: so with `learners="one"`
    both play the same sittings. With `learners="all"` every seat of a table is asked in its turn, and there are no
    `others`. When a sitting is over the next one begins in the same step. `copy`: whether arrays are new ones after each
    step. The modules of strategies are shared by all tables.

    UnknownGameError, OptionError, StrategyError, PluginError; InputError for other problems, such as a table at which
    nobody is asked anything."""

    made_again = (
        *("tables", "spaces", "observation_space", "action_space", "single_observation_space", "single_action_space"),
        *("spoken", "rows", "given"),
    )

    def __init__(
        self,
        game: str | type[Deal],
        num_envs: int = 1,
        others: Sequence[str] = ("random",),
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        deals: int | None = None,
        seat: int | None = None,
        learners: Literal["one", "all"] = "one",
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        if num_envs < 1:
            raise InputError(f"num_envs = {num_envs}: at least one table is played")
        if learners not in WHO:
            raise InputError(f"no learners = {learners!r}{did_you_mean(learners, WHO)}: expected is one or all")
        first = table_for(game, others if learners == "one" else None, players, options, deals, seat)
        self.num_envs, self.seat, self.learners, self.copy = num_envs, seat, learners, copy
        self.render_mode, self.spaces = mode_known(render_mode), Spaces(first)
        self.metadata = {
            "render_modes": [*RENDER_MODES],
            "render_fps": 1,
            "autoreset_mode": gymnasium.vector.AutoresetMode.SAME_STEP,
        }
        self.single_observation_space, self.single_action_space = self.spaces.observation, self.spaces.action
        batched = gymnasium.vector.utils.batch_space
        self.observation_space = batched(self.single_observation_space, num_envs)
        self.action_space = batched(self.single_action_space, num_envs)
        self.tables = [first.another() for _ in range(num_envs)]
        self.spoken, self.playing = list[Spoken](), False
        self.rows: Any = None  # Rows, from the first step on
        self.seeds, self.episodes = [1] * num_envs, [0] * num_envs
        self.said = [list[int]() for _ in range(num_envs)]  # in the present sittings
        self.nets, self.seats = [self.tables[0].nets] * num_envs, [0] * num_envs
        self._sit_down(0)  # to refuse a table at which nobody is asked
        self.episodes[0] = 0

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Arrays, Arrays]:
        """Begin a sitting at every table: with a seed its first ones, and those of the seeds after it at the other tables;
        without a seed the next ones."""
        if options:
            names = ", ".join(map(str, options))
            raise InputError(f"reset takes no options ({names}): those of the tables are given when they are made")
        if seed is None and not self.playing:
            seed = [int(number) for number in self.np_random.integers(1 << 32, size=self.num_envs)]
        if seed is not None:
            self.seeds = [seed + table for table in range(self.num_envs)] if isinstance(seed, int) else [*seed]
            if len(self.seeds) != self.num_envs:
                raise InputError(f"{len(self.seeds)} seeds for {self.num_envs} tables")
            self.episodes = [0] * self.num_envs
        self.playing = True
        with no_collection():
            self.spoken = [self._sit_down(number) for number in range(self.num_envs)]
        self._new_arrays()
        self._look()
        return self.rows.seen, self._info()

    def _sit_down(self, number: int) -> Spoken:
        """Sit down to the next sitting in which a learner is asked something."""
        table, who = self.tables[number], "no seat" if self.seat is None else f"seat {self.seat} never"
        self.episodes[number] = next_asked(table, self.episodes[number], partial(self._begin, number), who)
        self.said[number].clear()
        self.nets[number] = (0,) * table.players  # deals before the first question count with the first step
        return self._asked(number)

    def _begin(self, number: int, block: int) -> None:
        """Begin a sitting of a table."""
        table, own = self.tables[number], self.seat
        if own is None and self.learners == "one":
            own = (block - 1) % table.players
        table.sit_down(self.seeds[number], block, own if self.learners == "one" else None)

    def _tables(self) -> list[Table]:
        return [*self.tables]

    def _courses(self) -> list[Any]:
        return super()._courses() if self.playing else []

    def _replay(self, tables: list[Any]) -> None:
        self.tables, self.spoken, self.rows = tables, [], None
        if not self.playing:
            return
        for number, tokens in enumerate(self.said):
            self._begin(number, self.episodes[number])
            spoken = play_again(tables[number], self.spaces.tokens, tokens)
            assert spoken  # the next sitting begins when one is over
            self.spoken.append(spoken)
        self._new_arrays()
        self._look()

    def _asked(self, number: int) -> Spoken:
        """Return an action to say for the learner that is asked."""
        view = self.tables[number].learner.view
        assert view
        self.seats[number] = view.seat
        return Spoken(self.spaces.tokens, view.legal)

    def step(self, actions: Any) -> tuple[Arrays, Any, Any, Any, Arrays]:
        """Say a token at every table."""
        self._check_playing()
        if len(tokens := np.asarray(actions).tolist()) != self.num_envs:
            raise InputError(f"{len(tokens)} actions for {self.num_envs} tables")
        self._new_arrays()
        with no_collection():
            over = [number for number, token in enumerate(tokens) if self._say(number, token)]
            final = self._final(over) if over else {}  # before the next sittings begin
            for number in over:
                self.spoken[number] = self._sit_down(number)
            self._look()
        return self.rows.seen, self.rewards, self.terminations, self.truncations, self._info() | final

    def _check_playing(self) -> None:
        if not self.playing:
            raise IllegalError(f"{self.tables[0].game.title}: no sitting goes on, `reset` begins one")

    def _say(self, number: int, token: int) -> bool:
        """Say a token at a table. Returns whether its sitting is over."""
        spoken, table = self.spoken[number], self.tables[number]
        if token not in spoken.open:
            self.illegal[number], token = True, spoken.open[0]
        spoken.say(token)
        self.said[number].append(token)
        if not spoken.open:
            table.answer(spoken.legal_action)
        if (nets := table.nets) is not (before := self.nets[number]):
            seat, self.nets[number] = self.seats[number], nets
            self.rewards[number] = nets[seat] - before[seat]
            if self.learners == "all":
                self.changes[number] = [now - then for now, then in zip(nets, before, strict=True)]
        if not spoken.open and not table.over:
            self.spoken[number] = self._asked(number)
        return table.over

    def action_masks(self) -> Any:
        """Return which tokens can be said at each table, as sb3-contrib asks for it."""
        self._check_playing()
        return self.rows.seen["action_mask"].astype(np.bool_)

    def render(self) -> tuple[str | None, ...]:
        """Return the view of each asked seat as text."""
        asked = zip(self.tables, self.seats, self.spoken, strict=True)
        return tuple([rendered(self.render_mode, table, seat, spoken) for table, seat, spoken in asked])

    # The arrays of a step.

    def _new_arrays(self) -> None:
        """Begin with zeros, in new arrays or in the same ones."""
        if self.copy or self.rows is None:
            self.rows = ObservationRows(self.spaces, self.num_envs)
            self.rewards = np.zeros(self.num_envs)
            self.changes = np.zeros((self.num_envs, self.tables[0].players))
            self.terminations, self.truncations, self.illegal = np.zeros((3, self.num_envs), np.bool_)
        else:
            for array in *self.rows.seen.values(), self.rewards, self.changes, self.terminations, self.illegal:
                array.fill(0)

    def _look(self) -> None:
        """Write what the asked seats see, and can say."""
        vectors, vector, mask, spoken = self.spaces.vectors, self.rows.vector, self.rows.mask, self.spoken
        for number, table in enumerate(self.tables):
            view: Any = table.learner.view
            write_row(vectors, view, spoken[number], vector, mask, number)

    def _info(self) -> Arrays:
        info = {"action_mask": self.rows.seen["action_mask"], "seat": np.array(self.seats), "illegal": self.illegal}
        return info | ({"rewards": self.changes} if self.learners == "all" else {})

    def _final(self, over: Sequence[int]) -> Arrays:
        """Return what was seen at the end of the sittings that are over, as Gymnasium names it."""
        rows = ObservationRows(self.spaces, self.num_envs)
        for number in over:
            self.terminations[number] = True
            self.spaces.vectors.write(
                rows.vector, number * self.spaces.vectors.size, self.tables[number].view(self.seats[number])
            )
        there = self.terminations.copy()
        seen = {key: value for name, array in rows.seen.items() for key, value in ((name, array), (f"_{name}", there))}
        info = {"seat": np.array(self.seats), "illegal": self.illegal.copy(), "_seat": there, "_illegal": there}
        return {"final_obs": seen, "_final_obs": there, "final_info": info, "_final_info": there}


class ObservationRows:
    """The arrays of many tables: vectors and masks, all 0, and both as flat buffers."""

    def __init__(self, spaces: Spaces, many: int) -> None:
        self.seen: Arrays = {
            "observation": np.zeros((many, spaces.vectors.size), np.float32),
            "action_mask": np.zeros((many, len(spaces.tokens)), np.int8),
        }
        self.vector = memoryview(self.seen["observation"]).cast("B").cast("f")
        self.mask = memoryview(self.seen["action_mask"]).cast("B").cast("b")


@contextmanager
def no_collection() -> Iterator[None]:
    """Collect no garbage meanwhile: a deal leaves no cycles, and looking for them takes a fifth of the time."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
