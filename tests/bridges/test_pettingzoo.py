"""A table as an environment of PettingZoo: its own tests pass, and what is won is what the rules say."""

from __future__ import annotations

import subprocess
import sys
import warnings
from importlib import import_module
from typing import Any

import pytest

pytest.importorskip("pettingzoo")

import numpy as np
from helpers.command import seldom
from helpers.deals import examples
from helpers.deciding import ANY_TABLES, asking, check_tables, decisions
from pettingzoo.test import api_test, render_test, seed_test

import roundsim
from roundsim import games
from roundsim.base.errors import IllegalError, InputError, OptionError, PluginError, UnknownGameError
from roundsim.bridges.gymnasium_vector import TableVectorEnv
from roundsim.bridges.pettingzoo import TableEnv, env, parallel_env, raw_env
from roundsim.testing import Table

# PettingZoo's own games have such observations, too.
EXCUSED = "not a NumPy array", "probably should be gymnasium.spaces.box"
FEW = "nap", "loto", "loo", "draw-poker"


def check_table(table: Table, seed: int) -> None:
    """PettingZoo's own tests of a table; one at which nobody decides anything is refused."""
    try:
        env(table.game, table.players, table.given, 2)
    except InputError as error:
        assert "nobody has anything to decide in 50 sittings" in str(error) and not decisions(table)
        return

    def made(**how: Any) -> Any:
        return env(table.game, table.players, table.given, 2, **how)

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(made(), num_cycles=60)
        seed_test(made, num_cycles=20)
        render_test(made)
    strange = [str(each.message) for each in caught if not any(words in str(each.message) for words in EXCUSED)]
    assert not strange, strange


@pytest.mark.parametrize(("name", "examples"), ANY_TABLES)
def test_every_table_passes_the_tests_of_pettingzoo(name: str, examples: int) -> None:
    check_tables(name, examples, check_table)


def by_chance(table: Any, seed: int) -> tuple[list[tuple[str, str]], dict[str, float]]:
    """A sitting of random tokens: the actions with their agents, and the sum of the rewards of each agent."""
    rng, rewards, said = np.random.default_rng(seed), dict.fromkeys(table.possible_agents, 0.0), list[tuple[str, str]]()
    for agent in table.agent_iter():
        seen, reward, over, truncated, _ = table.last()
        rewards[agent] += reward
        assert not truncated
        if over:
            table.step(None)
            continue
        assert seen["action_mask"].sum() > 1  # else there is nothing to decide
        before = table.unwrapped.spoken
        table.step(rng.choice(np.flatnonzero(seen["action_mask"])))
        if not before.open:
            said.append((agent, before.action))
    return said, rewards


@examples(3)
@pytest.mark.parametrize("name", FEW)
def test_the_rewards_are_the_nets_of_the_same_sitting(name: str, examples: int) -> None:
    made = env(name, options=asking(name), deals=3)
    for seed in range(examples):
        made.reset(seed=seed)
        said, rewards = by_chance(made, seed)
        table = roundsim.Table(name, options=asking(name), deals=3)
        block = 1
        table.begin(seed, block)
        while table.over:  # nobody was asked: it is passed over
            block += 1
            table.begin(seed, block)
        for agent, action in said:
            assert table.ask and agent == f"seat_{table.ask.seat}"
            table.say(action)
        assert table.over and [*rewards.values()] == [*table.nets]


def test_a_seed_begins_its_first_sitting_and_the_next_follow() -> None:
    one, other = env("nap"), env("nap")  # without a seed they have different cards
    one.reset()
    other.reset()
    assert one.unwrapped.table.deal.hands != other.unwrapped.table.deal.hands
    made = env("nap", deals=1)
    table = made.unwrapped.table
    hands = []
    for seed in (5, None, None, 5, None):
        made.reset(seed=seed)
        hands.append(table.deal.hands)
    own = roundsim.Table("nap", deals=1)
    for block, hand in enumerate(hands[:3], 1):
        own.begin(5, block)
        assert own.deal.hands == hand
    assert hands[3:] == hands[:2]


def test_only_the_seat_that_is_asked_has_actions_and_others_are_refused() -> None:
    made = env("nap", deals=1)
    made.reset(seed=1)
    assert made.agent_selection == "seat_0"  # the dealer sits last
    seen = {agent: made.observe(agent) for agent in made.agents}
    texts = made.unwrapped.spaces.tokens.texts
    assert {texts[token] for token in np.flatnonzero(seen["seat_0"]["action_mask"])} == {"pass", "call"}
    for agent in ("seat_1", "seat_2", "seat_3"):
        assert not seen[agent]["action_mask"].any() and seen[agent]["observation"].any()
        assert not np.array_equal(seen[agent]["observation"], seen["seat_0"]["observation"])
    assert all(made.observation_space(agent).contains(each) for agent, each in seen.items())
    # A word that cannot be said is refused, and changes nothing.
    before = seen["seat_0"]["observation"].copy()
    for token in (0, made.unwrapped.spaces.tokens.of["misery"], 10_000, -1, None):
        words = r"Nap: token .* cannot be said: expected is one of \d+ \(pass\)"
        with pytest.raises(IllegalError, match=words) as raised:
            made.step(token)
        assert raised.value.code == 65
    assert np.array_equal(before, made.observe("seat_0")["observation"]) and made.agent_selection == "seat_0"


def test_a_seat_says_all_words_of_its_action() -> None:
    made = env("nap", deals=1, render_mode="ansi")
    made.reset(seed=1)
    of = made.unwrapped.spaces.tokens.of
    made.step(of["call"])
    assert made.agent_selection == "seat_0" and not any(made.rewards.values())
    assert "said so far: call" in made.render() and "phase call" in made.render()
    made.step(of["2"])
    assert made.agent_selection == "seat_1" and made.unwrapped.table.deal.actions == ["call 2"]


def test_a_table_without_wrappers() -> None:
    made = raw_env("nap", players=3, deals=1)
    assert type(made) is TableEnv and made.table.players == 3
    api_test(made, num_cycles=20)


@pytest.mark.parametrize("game", FEW)
def test_a_step_of_a_parallel_table_says_what_the_asked_agent_says(game: str) -> None:
    many, one = parallel_env(game, options=asking(game), deals=2), raw_env(game, options=asking(game), deals=2)
    seen, _ = many.reset(seed=2)
    one.reset(seed=2)
    won, turn = dict.fromkeys(many.possible_agents, 0.0), 0
    while many.agents:
        agent = one.agent_selection
        assert [each for each in seen if seen[each]["action_mask"].any()] == [agent]
        allowed = np.flatnonzero(seen[agent]["action_mask"])
        token, turn = int(allowed[turn % len(allowed)]), turn + 1
        seen, rewards, over, _, _ = many.step({each: token if each == agent else 0 for each in many.agents})
        one.step(token)
        assert rewards == one.rewards and over == one.terminations
        won = {each: won[each] + rewards[each] for each in won}
    assert [*won.values()] == [*one.table.nets]


def test_an_illegal_word_may_end_the_sitting() -> None:
    made = env("nap", deals=1, illegal="end")
    made.reset(seed=1)
    made.step(0)
    assert all(made.terminations.values()) and made.rewards == {"seat_0": -1, "seat_1": 0, "seat_2": 0, "seat_3": 0}
    allowed = env("nap", deals=1, illegal="end")
    allowed.reset(seed=1)
    allowed.step(allowed.unwrapped.spaces.tokens.of["pass"])
    assert allowed.agent_selection == "seat_1" and not any(allowed.terminations.values())


@pytest.mark.parametrize("game", [*FEW, *seldom(*[game for game in games.ours() if game not in FEW])])
def test_a_vector_in_which_all_learn_plays_what_these_tables_play(game: str) -> None:
    made = TableVectorEnv(game, 2, options=asking(game), deals=3, learners="all")
    tables = [TableEnv(game, options=asking(game), deals=3) for _ in range(2)]
    seen, info = made.reset(seed=3)
    for number, table in enumerate(tables):
        table.reset(seed=3 + number)
    rng = np.random.default_rng(1)
    for _ in range(80):
        for number, table in enumerate(tables):
            assert table.agent_selection == f"seat_{info['seat'][number]}"
            one = table.observe(table.agent_selection)
            assert all(np.array_equal(seen[name][number], one[name]) for name in one)
        tokens, asked = (rng.random(seen["action_mask"].shape) * seen["action_mask"]).argmax(axis=1), info["seat"]
        seen, rewards, over, _, info = made.step(tokens)
        for number, table in enumerate(tables):
            table.step(tokens[number])
            assert [*info["rewards"][number]] == [*table.rewards.values()]
            assert rewards[number] == info["rewards"][number][asked[number]]
            assert over[number] == all(table.terminations.values())
            if over[number]:
                table.reset()


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"game": "loto"}, InputError, "Loto: nobody has anything to decide in 50 sittings"),
        ({"game": "loto", "options": {"caller": "dealer"}}, InputError, "Loto with caller = dealer: nobody has"),
        ({"game": "napp"}, UnknownGameError, "no game 'napp' .did you mean nap"),
        ({"game": "nap", "players": 9}, OptionError, "9 players: nap is for 2 to 6"),
        ({"game": "nap", "options": {"miserie": True}}, OptionError, "nap has no option miserie .did you mean misery"),
        ({"game": "nap", "deals": 0}, InputError, "deals = 0: at least one is played"),
        ({"game": "nap", "illegal": "stop"}, InputError, "no illegal = 'stop': expected is raise or end"),
        ({"game": "nap", "render_mode": "humane"}, InputError, "no render_mode 'humane' .did you mean human"),
    ],
    ids=str,
)
def test_an_impossible_environment_is_refused(given: dict[str, Any], error: type[InputError], words: str) -> None:
    with pytest.raises(error, match=words) as raised:
        env(**given)
    assert raised.value.code == 64 and "\n" not in str(raised.value)


@pytest.mark.parametrize("name", ["pettingzoo", "gymnasium"])
def test_a_missing_extra_is_reported(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, f"roundsim.bridges.{name}", raising=False)
    with pytest.raises(PluginError, match=rf"this needs {name} .*: .*pip install .*\[{name}\]'") as raised:
        import_module(f"roundsim.bridges.{name}")
    assert raised.value.code == 66


def test_words_and_vectors_need_nothing() -> None:
    absent = "import sys; sys.modules.update(dict.fromkeys(['numpy', 'gymnasium', 'pettingzoo']));"
    made = "from roundsim.bridges.vectors import Vectors; import roundsim; t = roundsim.Table('nap');"
    shown = "print(len(Vectors(t.game, t.rules).of(t.view())) > 100)"
    done = subprocess.run([sys.executable, "-c", absent + made + shown], capture_output=True, text=True, timeout=120)
    assert done.stdout == "True\n", done.stderr
