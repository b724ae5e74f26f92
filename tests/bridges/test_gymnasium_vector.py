"""Many tables as one vector environment: it plays what `SeatEnv` and the bridge of PettingZoo play."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("gymnasium")

import gymnasium
import numpy as np
from conftest import Write
from gymnasium.utils.env_checker import check_env
from helpers.command import seldom
from helpers.deciding import asking

import roundsim
from roundsim import games
from roundsim.base.errors import IllegalError, InputError
from roundsim.bridges.gymnasium import SeatEnv
from roundsim.bridges.gymnasium_vector import TableVectorEnv

pytestmark = pytest.mark.usefixtures("met")
FEW = "nap", "brag", "vingt-un"
ALL = [*FEW, *seldom(*[game for game in games.ours() if game not in FEW])]


def any_token(mask: Any, rng: np.random.Generator) -> Any:
    return (rng.random(mask.shape) * mask).argmax(axis=-1)


@pytest.mark.parametrize("game", ALL)
def test_each_table_plays_what_a_seat_plays(game: str) -> None:
    made = TableVectorEnv(game, 3, ["random"], options=asking(game), deals=2)
    single = [SeatEnv(game, ["random"], options=asking(game), deals=2) for _ in range(3)]
    seen, info = made.reset(seed=8)
    began = [env.reset(seed=8 + number) for number, env in enumerate(single)]
    rng, ends = np.random.default_rng(1), 0
    for _ in range(60):
        for number, (env, (one, its_info)) in enumerate(zip(single, began, strict=True)):
            assert all(np.array_equal(seen[name][number], one[name]) for name in one)
            assert info["seat"][number] == its_info["seat"] == env.own
            assert np.array_equal(made.action_masks()[number], env.action_masks())
        tokens = any_token(seen["action_mask"], rng)
        before, (seen, rewards, over, truncated, info) = seen, made.step(tokens)
        assert before["observation"] is not seen["observation"] and not truncated.any()
        for number, env in enumerate(single):
            one, reward, its_end, _, its_info = env.step(tokens[number])
            assert (rewards[number], over[number]) == (reward, its_end)
            if its_end:
                ends += 1
                assert all(np.array_equal(info["final_obs"][name][number], one[name]) for name in one)
                assert info["final_info"]["seat"][number] == its_info["seat"]
                one, its_info = env.reset()
            began[number] = one, its_info
        assert [*info.get("_final_obs", over)] == [*over]
    assert ends


@pytest.mark.parametrize("game", ["nap", "pope-joan"])
def test_the_rewards_are_those_of_the_deals_in_which_the_learner_is_asked(game: str) -> None:
    """Played again at a table of our own: a sitting in which it is not asked adds nothing, whoever won there."""
    made = TableVectorEnv(game, 2, ["random"], 4, deals=1, seat=3)
    seen, _ = made.reset(seed=5)
    rng, won, passed_over = np.random.default_rng(3), [0.0, 0.0], 0
    for _ in range(150):
        playing, deals = [*made.episodes], [table.deal for table in made.tables]
        seen, rewards, over, _, _ = made.step(any_token(seen["action_mask"], rng))
        for number in range(2):
            won[number] += rewards[number]
            if over[number]:
                assert won[number] == net_again(game, 5 + number, playing[number], deals[number].actions)
                passed_over += made.episodes[number] - playing[number] - 1
                won[number] = 0.0
    assert passed_over


def net_again(game: str, seed: int, block: int, actions: list[Any]) -> int:
    """The net of seat 3 in the same deal, in which the others answer by their chance, and it as it did."""
    table, own = roundsim.Table(game, 4, deals=1), 3
    table.begin(seed, block)
    while not table.over:
        view, at = table.view(), len(table.deal.actions)
        table.say(actions[at] if view.seat == own else view.chance.choice(view.legal))
    assert table.deal.actions == actions
    return table.nets[own]


def test_without_copies_the_arrays_are_the_same() -> None:
    made, fresh = (TableVectorEnv("nap", 2, deals=1, copy=copy) for copy in (False, True))
    (seen, _), (other, _) = made.reset(seed=1), fresh.reset(seed=1)
    first = seen["observation"]
    for _ in range(30):
        token = [*map(int, seen["action_mask"].argmax(axis=1))]
        seen, other = made.step(token)[0], fresh.step(token)[0]
        assert seen["observation"] is first and np.array_equal(first, other["observation"])
        assert np.array_equal(seen["action_mask"], other["action_mask"])


def test_views_are_rendered_and_a_token_that_cannot_be_said_is_the_first_that_can() -> None:
    made = TableVectorEnv("nap", 2, deals=1, seat=0, render_mode="ansi")
    seen, _ = made.reset(seed=1)
    assert [str(text).partition(":")[0] for text in made.render()] == ["Nap", "Nap"]
    allowed = int(seen["action_mask"][1].argmax())
    _, _, _, _, info = made.step(np.array([0, allowed]))
    assert [*info["illegal"]] == [True, False]
    assert made.tables[0].deal.actions[0] == "pass"


def test_without_a_seed_the_next_sittings_follow() -> None:
    made = TableVectorEnv("nap", 2, deals=1)
    hands = []
    for seed in (4, None, [4, 5], None):
        made.reset(seed=seed)
        hands.append([table.deal.hands for table in made.tables])
    assert hands[:2] == hands[2:] and hands[0] != hands[1]
    one, other = TableVectorEnv("nap", 2), TableVectorEnv("nap", 2)
    assert not np.array_equal(one.reset()[0]["observation"], other.reset()[0]["observation"])


def test_every_game_has_an_id_by_which_seats_and_vectors_are_made() -> None:
    ids = [each for each in gymnasium.registry if each.startswith("roundsim/")]
    assert ids == [f"roundsim/{game}-v1" for game in games.ours()] and len(ids) == 25
    made = gymnasium.make("roundsim/nap-v1", others=["random"], deals=1)
    assert made.spec is not None and made.spec.id == "roundsim/nap-v1"
    check_env(made.unwrapped)
    for mode in "vector_entry_point", "sync":
        many = gymnasium.make_vec("roundsim/nap-v1", 3, mode, others=["random"], deals=1)
        seen, info = many.reset(seed=1)
        assert many.spec is not None and many.num_envs == 3 and seen in many.observation_space
        tokens = seen["action_mask"].argmax(axis=1)
        seen, rewards, *_ = many.step(tokens)
        assert seen["observation"].shape == (3, made.unwrapped.spaces.vectors.size) and rewards.shape == (3,)


def test_impossible_calls_are_refused() -> None:
    made = TableVectorEnv("nap", 2)
    with pytest.raises(IllegalError, match="Nap: no sitting goes on, `reset` begins one"):
        made.step([0, 0])
    with pytest.raises(IllegalError, match="no sitting goes on"):
        made.action_masks()
    with pytest.raises(InputError, match="reset takes no options .colour."):
        made.reset(options={"colour": "red"})
    with pytest.raises(InputError, match="3 seeds for 2 tables"):
        made.reset(seed=[1, 2, 3])
    made.reset(seed=1)
    with pytest.raises(InputError, match="1 actions for 2 tables"):
        made.step([0])


def test_exceptions_of_a_strategy_are_raised(write: Write) -> None:
    source = "class Mine:\n    def act(self, view):\n        {}\n"
    cases: list[tuple[str, type[Exception], str]] = [
        ("raise KeyError('mine')", KeyError, "mine"),
        ("return 'call 9'", IllegalError, "Nap, seat 1, phase call: illegal .call 9."),
    ]
    for number, (line, error, words) in enumerate(cases):
        other = str(write(f"mine{number}.py", source.format(line)))
        made = TableVectorEnv("nap", 1, [other], 4, deals=1, seat=0)
        with pytest.raises(error, match=words):
            [made.reset(seed=1), *[made.step([0]) for _ in range(20)]]
