"""A table as an environment of PettingZoo (AEC): the asked agent says an action, a word at each step."""

from __future__ import annotations

from collections.abc import Mapping
from secrets import randbits
from typing import Any, Literal

from ..base.errors import InputError, did_you_mean
from ..base.extras import without_extra
from ..refereeing.table import Table
from ..table.deal import Deal

try:
    from pettingzoo import AECEnv
    from pettingzoo.utils import OrderEnforcingWrapper, TerminateIllegalWrapper
    from pettingzoo.utils.conversions import turn_based_aec_to_parallel
except ImportError as error:
    raise without_extra("this", "pettingzoo", error, "pettingzoo") from None

from .copies import ReplayedEnv, play_again, spoken_at
from .gymnasium import RENDER_MODES, Spaces, mode_known, rendered
from .seats import next_asked
from .tokens import Spoken


def env(
    game: str | type[Deal],
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    deals: int | None = None,
    render_mode: str | None = None,
    illegal: Literal["raise", "end"] = "raise",
) -> Any:
    """Return a table that reports methods called in a wrong order: `env("nap", players=4)`.

    `illegal`: whether a word that cannot be said is an IllegalError, or ends the sitting with a reward of -1 for the
    agent. InputError for anything else."""
    if illegal not in ILLEGAL:
        raise InputError(f"no illegal = {illegal!r}{did_you_mean(illegal, ILLEGAL)}: expected is raise or end")
    table: Any = TableEnv(game, players, options, deals, render_mode)
    return OrderEnforcingWrapper(TerminateIllegalWrapper(table, -1) if illegal == "end" else table)


def parallel_env(
    game: str | type[Deal],
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    deals: int | None = None,
    render_mode: str | None = None,
) -> Any:
    """Return a table as a `ParallelEnv`: each step takes a token from every agent, and says that of the asked one.

    The others' masks are all 0, and their tokens count for nothing."""
    return turn_based_aec_to_parallel(TableEnv(game, players, options, deals, render_mode))


ILLEGAL = "raise", "end"


class TableEnv(ReplayedEnv, AECEnv):  # type: ignore[misc]  # Any to whom it is not installed
    """A table. Each seat is an agent, `seat_0` and so on, and each sitting an episode.

    Each step says a word of the action of `agent_selection`; rewards are the change of the nets. IllegalError, and no
    change, for a word that cannot be said.

    UnknownGameError, OptionError; InputError for other problems, such as a table at which nobody is asked anything."""

    made_again = "table", "spaces", "spoken", "given"

    def __init__(
        self,
        game: str | type[Deal],
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        deals: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.table = Table(game, players, options, deals)
        self.render_mode, self.spaces = mode_known(render_mode), Spaces(self.table)
        self.metadata = {
            "name": f"roundsim_{self.table.game.id}",
            "render_modes": [*RENDER_MODES],
            "render_fps": 1,
            "is_parallelizable": False,
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(self.table.players)]
        self.seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents = list[str]()
        self.named, self.block, self.said = 1, 0, list[int]()
        self.spoken: Spoken | None = None
        self._sit_down()  # to refuse a table at which nobody is asked
        self.named = -1

    def observation_space(self, agent: str) -> Any:
        """Return the observation space, the same for every seat."""
        return self.spaces.observation

    def action_space(self, agent: str) -> Any:
        """Return the action space, the same for every seat."""
        return self.spaces.action

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a sitting: with a seed its first one, without a seed the next.

        `options` have no effect; `api_test` requires that any are accepted."""
        if seed is not None:
            self.named, self.block = seed, 0
        elif self.named < 0:
            self.named, self.block = randbits(32), 0
        self._sit_down()
        self.agents = [*self.possible_agents]
        self.nets = (0,) * len(self.agents)  # deals before the first question count with the first step
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._ask()

    def _sit_down(self) -> None:
        """Sit down to the next sitting in which somebody is asked something."""
        self.block = next_asked(self.table, self.block, self._begin)
        self.said.clear()

    def _begin(self, block: int) -> None:
        self.table.begin(1 if self.named < 0 else self.named, block)

    def _tables(self) -> list[Table]:
        return [self.table]

    def _replay(self, tables: list[Table]) -> None:
        self.table = tables[0]
        self._begin(self.block)
        spoken = play_again(self.table, self.spaces.tokens, self.said)
        self.spoken = spoken if self.named >= 0 else None

    def _ask(self) -> None:
        """Ask the next agent for an action."""
        self.spoken = spoken_at(self.table, self.spaces.tokens)
        if ask := self.table.ask:
            self.agent_selection = self.possible_agents[ask.seat]

    def _reward(self) -> None:
        """Set the rewards to the change of the nets since the last step."""
        won = zip(self.agents, self.nets, self.table.nets, strict=True)
        self.rewards = {agent: float(now - before) for agent, before, now in won}
        self.nets = self.table.nets
        self._accumulate_rewards()

    def step(self, action: int | None) -> None:
        """Say a token; None from an agent whose sitting is over."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        assert self.spoken is not None  # until the sitting is over
        self.spoken.say(action)
        self.said.append(int(action or 0))
        self._cumulative_rewards[agent] = 0.0
        if not self.spoken.open:
            self.table.say(self.spoken.legal_action)
            self._ask()
        self._reward()
        self.terminations = dict.fromkeys(self.agents, self.table.over)

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the observation of a seat, whether it is asked or not."""
        spoken = self.spoken if agent == self.agent_selection else None
        return self.spaces.observed(self.table.view(self.seats[agent]), spoken)

    def render(self) -> str | None:
        """Return the view of the asked seat, as text."""
        return rendered(self.render_mode, self.table, self.seats[self.agent_selection], self.spoken)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


raw_env = TableEnv  # a table without wrappers
