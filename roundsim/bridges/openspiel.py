"""Every game in OpenSpiel, once this is imported: `pyspiel.load_game("python_roundsim(game=nap,players=4)")`.

Chance is explicit; an action is said word by word, see `words`; the returns are nets, in counters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from ..base.errors import InputError
from ..base.extras import without_extra
from ..table.view import TableView
from .openspiel_chance import CARDS, MAX_LOT
from .openspiel_line import LineOfPlay, Setting, setting

try:
    import numpy as np
    import pyspiel
except ImportError as missing:
    raise without_extra("this", "open_spiel", missing, "openspiel") from None

NAME = "python_roundsim"
UNBOUNDED = 1e9  # stands for no bound, where the rules give none on what can be won
LONG = 1_000_000  # nor on how long a deal may take
PARAMETERS = {"game": "nap", "players": 0, "options": "", "deals": 1, "history": 0}


def type_of(adds_up: bool, fewest: int = 1, most: int = 24, recalls: bool = True) -> Any:
    """Return OpenSpiel's game type of a table; `adds_up`: whether the game is zero-sum; `recalls`: whether it has tensors
    of information states."""
    kinds, utility = pyspiel.GameType, pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=NAME,
        long_name="roundsim",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION,
        utility=utility.ZERO_SUM if adds_up else utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=fewest,
        provides_information_state_string=True,
        provides_information_state_tensor=recalls,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=PARAMETERS,
    )


class RoundsimGame(pyspiel.Game):  # type: ignore[misc]
    """A table. `options`: "limit:1;max_raises:2". `players` 0: the usual number. `history`: how many actions of a deal the
    tensor of an information state has room for; 0: there is no such tensor.

    InputError for an invalid table, and for one at which nobody is ever asked."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**PARAMETERS, **(params or {})}
        at = setting(given["game"], given["players"], given["options"], given["deals"])
        self.at, adds_up, players, self.history = at, at.adds_up(), at.rules.players, int(given["history"])
        if self.history < 0:
            raise InputError(f"history = {self.history}: expected is a number of actions, or 0")
        bound = at.rules.played_by.bound(at.rules)
        most = UNBOUNDED if bound is None else float(bound * at.deals)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(at.tokens),
            max_chance_outcomes=max(MAX_LOT, len(CARDS)),
            num_players=players,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0 if adds_up else None,
            max_game_length=LONG,
        )
        super().__init__(type_of(adds_up, *at.game.seats, recalls=self.history > 0), info, params or {})

    def new_initial_state(self) -> RoundsimState:
        return RoundsimState(self, LineOfPlay(self.at))

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        recalls = bool(iig_obs_type and iig_obs_type.perfect_recall)
        return Observer(self.at, recalls, self.history if recalls else 0)


class RoundsimState(pyspiel.State):  # type: ignore[misc]
    """A sitting up to what is drawn and said so far."""

    def __init__(self, game: RoundsimGame, line: LineOfPlay) -> None:
        super().__init__(game)
        self.line = line

    def current_player(self) -> int:
        line = self.line
        if line.draw:
            return int(pyspiel.PlayerId.CHANCE)
        ask = line.table.ask
        return ask.seat if ask else int(pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.line.spoken.open)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        draw = self.line.draw
        return draw.outcomes() if draw else []

    def _apply_action(self, action: int) -> None:
        if self.line.draw:
            self.line.take(action)
        else:
            self.line.say(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return self.line.at.tokens.texts[action]
        things = self.line.draw.lot.things if self.line.draw else CARDS
        return str(things[action]) if action < len(things) else str(action)

    def is_terminal(self) -> bool:
        return not self.line.draw and self.line.table.over

    def returns(self) -> list[float]:
        players = self.line.at.rules.players
        return [*map(float, self.line.table.nets)] if self.is_terminal() else [0.0] * players

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> RoundsimState:
        """Return a state that the asked player cannot distinguish from this one.

        InputError if the player is not asked."""
        if player != (asked := self.current_player()):
            who = f"seat {asked} is" if asked >= 0 else "nobody is"
            raise InputError(f"a state can be resampled only for the seat that is asked: {who}, seat {player} is not")
        line, state = self.line.otherwise(lambda: int(sampler() * 2**53)), self.get_game().new_initial_state()
        outcomes, tokens = iter(line.outcomes), iter(line.tokens)
        for _ in range(len(line.outcomes) + len(line.tokens)):  # one by one, for its history
            state.apply_action(next(outcomes if state.is_chance_node() else tokens))
        return cast(RoundsimState, state)

    def __str__(self) -> str:
        line = self.line
        texts = [*[action for action, _ in line.actions], *[line.at.tokens.texts[token] for token in line.said]]
        return f"{' '.join(map(str, line.outcomes))} / {', '.join(texts)}"


class Observer:
    """The knowledge of a player or, without perfect recall, its present view, as a text and as a tensor.

    The tensor is the vector of the view, which is all 0 while cards are drawn; with perfect recall also a row for each
    action of the deal as the player saw it: its seat, from one's own on, and its words."""

    def __init__(self, at: Setting, recalls: bool, history: int) -> None:
        self.recalls, self.players, vectors = recalls, at.rules.players, at.vectors
        self.vectors, self.tokens, self.many = vectors, len(at.tokens), history
        self.row = self.players + self.tokens
        self.tensor = np.zeros(vectors.size + history * self.row, np.float32)
        self.dict = {"observation": self.tensor[: vectors.size]}
        if history:
            self.dict["history"] = self.tensor[vectors.size :].reshape(history, self.row)

    def set_from(self, state: RoundsimState, player: int) -> None:
        """Fill the tensor. InputError if a deal has more actions than it has room for."""
        self.tensor.fill(0)
        line = state.line
        if line.draw:
            return
        view = line.table.view(player)
        spoken = line.spoken if view.legal != () else None
        vector: Any = self.tensor
        self.vectors.write(vector, 0, view, spoken)
        if self.many:
            self._set_history(view)

    def _set_history(self, view: TableView) -> None:
        if len(view.history) > self.many:
            raise InputError(f"history = {self.many}: a deal here has more actions, {len(view.history)} so far")
        for row, (seat, _, action) in zip(self.dict["history"], view.history, strict=False):
            row[(seat - view.seat) % self.players] = 1
            for word in action.split():
                if token := self.vectors.tokens.of.get(word):
                    row[self.players + token] = 1

    def string_from(self, state: RoundsimState, player: int) -> str:
        return state.line.seen(player) if self.recalls else state.line.observed(player)


pyspiel.register_game(type_of(adds_up=False), RoundsimGame)
