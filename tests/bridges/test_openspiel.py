"""Games in OpenSpiel, by its own tests and solvers; Kuhn poker as it has that itself."""

from __future__ import annotations

import pickle
import sys
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest
from conftest import GAMES
from helpers.command import seldom

from roundsim.base.errors import IllegalError, InputError, PluginError
from roundsim.bridges.openspiel_chance import NUMBER
from roundsim.bridges.vectors import Vectors
from roundsim.table.cards import CARD

FEW = ["brag", "nap", "vingt-un"]
PASS, BET = 1, 2  # tokens; 0 is `done`
QUEEN, KING = (NUMBER[CARD[text]] for text in ("Qs", "Ks"))
SPECIAL: dict[str, dict[str, Any]] = {"loto": {"options": "method:2"}, "loo": {"deals": 2}}
THIRDS = {"Js": 1 / 3, "Qs": 1 / 3, "Ks": 1 / 3}


@pytest.fixture(scope="module")
def spiel() -> Any:
    pytest.importorskip("pyspiel")
    import_module("roundsim.bridges.openspiel")
    return import_module("pyspiel")


@pytest.fixture
def kuhn(spiel: Any) -> Any:
    return spiel.load_game("python_roundsim(game=roundsim.bridges.toys:Kuhn)")


def table(spiel: Any, game: str, **more: Any) -> Any:
    """At which there is something to decide: Loto's second method, and of Loo more than a single."""
    return spiel.load_game("python_roundsim", {"game": game, **SPECIAL.get(game, {}), **more})


def walk(state: Any, rng: Random, moves: int = 1 << 30) -> Any:
    """Play so many moves at random, or to the end."""
    while moves and not state.is_terminal():
        moves -= 1
        drawn = [number for number, _ in state.chance_outcomes()] if state.is_chance_node() else None
        state.apply_action(rng.choice(drawn or state.legal_actions()))
    return state


@pytest.mark.parametrize("game", [*FEW, *seldom(*[game for game in GAMES if game not in FEW])])
def test_openspiel_finds_nothing_wrong(spiel: Any, game: str) -> None:
    spiel.random_sim_test(table(spiel, game), num_sims=2, serialize=True, verbose=False)
    spiel.random_sim_test(table(spiel, game, deals=3), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize(
    ("said", "nets"),
    [
        ([PASS, PASS], [1, -1]),
        ([PASS, BET, PASS], [-1, 1]),
        ([PASS, BET, BET], [2, -2]),
        ([BET, PASS], [1, -1]),
        ([BET, BET], [2, -2]),
    ],
)
def test_a_deal_of_kuhn_poker(kuhn: Any, said: list[int], nets: list[float]) -> None:
    """King against queen: who passes a bet loses his counter, else the king wins, two where there was a bet."""
    state = kuhn.new_initial_state()
    assert {state.action_to_string(-1, number): share for number, share in state.chance_outcomes()} == THIRDS
    state.apply_action(KING)
    assert [share for _, share in state.chance_outcomes()] == [1 / 2] * 2
    state.apply_action(QUEEN)
    for turn, action in enumerate(said):
        assert (state.current_player(), state.legal_actions(), state.returns()) == (turn % 2, [PASS, BET], [0, 0])
        state.apply_action(action)
    assert state.is_terminal() and state.returns() == nets and state.rewards() == nets
    assert state.history() == [KING, QUEEN, *said]


@pytest.mark.soak
def test_kuhn_poker_is_solved_as_openspiels_own(spiel: Any, kuhn: Any) -> None:
    own = spiel.load_game("kuhn_poker")
    assert kuhn.get_type().utility == own.get_type().utility == spiel.GameType.Utility.ZERO_SUM
    far = []
    for game in own, kuhn:
        solver = spiel.CFRSolver(game)
        for _ in range(300):
            solver.evaluate_and_update_policy()
        far.append(spiel.exploitability(game, solver.average_policy()))
    assert far[0] == pytest.approx(far[1], abs=1e-10)
    assert 0.001 < far[0] < 0.01


def test_kuhn_poker_has_twelve_distinct_states(spiel: Any, kuhn: Any) -> None:
    """Each seat has one of three cards, and hears nothing, `pass`, `bet`, or `pass` and `bet`."""
    known: dict[str, set[str]] = {}

    def visit(state: Any) -> None:
        if state.is_terminal():
            return
        if not state.is_chance_node():
            seat = state.current_player()
            known.setdefault(state.information_state_string(seat), set()).add(str(state).split(" / ")[0].split()[seat])
        outcomes = state.chance_outcomes() if state.is_chance_node() else [(each,) for each in state.legal_actions()]
        for action, *_ in outcomes:
            visit(state.child(action))

    visit(kuhn.new_initial_state())
    assert len(known) == 12 and all([len(own) == 1 for own in known.values()])


def test_states_are_resampled_for_the_seat_that_is_asked(kuhn: Any) -> None:
    # Seat 0 has the king: the other has the knave or the queen, as likely; nothing is known of it.
    state = kuhn.new_initial_state()
    for action in KING, QUEEN, PASS, BET:
        state.apply_action(action)
    rng, others = Random(1), []
    for _ in range(100):
        other = state.resample_from_infostate(0, rng.random)
        assert other.information_state_string(0) == state.information_state_string(0)
        assert other.history()[0] == KING and other.history()[2:] == [PASS, BET]
        others.append(other.history()[1])
    assert len({*others}) == 2 and 22 < others.count(QUEEN) < 78  # 5.6 standard deviations from 50
    state = walk(kuhn.new_initial_state(), Random(1), 2)
    words = "^a state can be resampled only for the seat that is asked: seat 0 is, seat 1 is not$"
    with pytest.raises(InputError, match=words):
        state.resample_from_infostate(1, Random(1).random)


@pytest.mark.parametrize("game", FEW)
def test_the_tensor_is_the_vector_of_the_view(spiel: Any, game: str) -> None:
    made, rng = table(spiel, game, deals=2), Random(3)
    state, asked = made.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            assert not any(state.observation_tensor(0))
        else:
            seat, line = state.current_player(), state.line
            vectors = Vectors(line.at.game, line.at.rules)
            assert made.observation_tensor_shape() == [vectors.size]
            assert state.observation_tensor(seat) == [*vectors.of(line.table.view(), line.spoken)]
            other = (seat + 1) % made.num_players()
            assert state.observation_tensor(other) == [*vectors.of(line.table.view(other))]
            asked += 1
        walk(state, rng, 1)
    assert asked


def test_the_tensor_of_an_information_state_has_the_actions_of_its_history(spiel: Any) -> None:
    # By hand: at Kuhn poker 3 rows of 2 seats and 3 tokens follow what is seen; without `history` there is none.
    kuhn = spiel.load_game("python_roundsim(game=roundsim.bridges.toys:Kuhn,history=3)")
    state = kuhn.new_initial_state()
    for action in KING, QUEEN, PASS, BET:
        state.apply_action(action)
    rows = state.information_state_tensor(0)[-15:]
    assert rows == [1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0]  # it passed, the other bet
    assert state.information_state_tensor(1)[-15:] == [0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0]
    assert state.information_state_tensor(0)[:-15] == state.observation_tensor(0)
    assert not table(spiel, "nap").get_type().provides_information_state_tensor
    spiel.random_sim_test(table(spiel, "nap", history=30), num_sims=1, serialize=False, verbose=False)
    state = walk(table(spiel, "nap", history=2).new_initial_state(), Random(1), 25)
    with pytest.raises(InputError, match=r"history = 2: a deal here has more actions, \d so far"):
        state.information_state_tensor(0)
    with pytest.raises(InputError, match="history = -1: expected is a number of actions, or 0"):
        table(spiel, "nap", history=-1)


@pytest.mark.parametrize("game", FEW)
def test_learners_of_openspiel_have_an_environment(spiel: Any, game: str) -> None:
    rl_environment = import_module("open_spiel.python.rl_environment")
    made, rng = table(spiel, game), Random(2)
    world = rl_environment.Environment(made)
    step = world.reset()
    while not step.last():
        seat = step.observations["current_player"]
        assert len(step.observations["info_state"][seat]) == made.observation_tensor_size()
        step = world.step([rng.choice(step.observations["legal_actions"][seat])])
    assert sum(step.rewards) == 0


def test_the_bounds_of_a_table(spiel: Any) -> None:
    """By hand: a nap of 5 tricks wins double, from each of three; Blucher, with full Wellington, six times as much."""
    assert (table(spiel, "nap").min_utility(), table(spiel, "nap").max_utility()) == (-30, 30)
    options = {"deals": 2, "options": "wellington:full;blucher:true;stake:2;double_header:true"}
    assert table(spiel, "nap", **options).max_utility() == 2 * 30 * 2 * 2 * 3
    assert table(spiel, "nap", options="kitty:dealer").max_utility() == 1e9  # it grows without end
    assert spiel.load_game("python_roundsim(game=roundsim.bridges.toys:Kuhn)").max_utility() == 2
    # Three others stake a counter at My Ship Sails; a pool that no bird takes grows without end.
    assert table(spiel, "my-bird-sings", players=4, options="variant:ship").max_utility() == 3
    assert table(spiel, "my-bird-sings", players=4).max_utility() == 1e9


@pytest.mark.parametrize("game", FEW)
def test_a_clone_and_a_pickle_go_on_alike(spiel: Any, game: str) -> None:
    for moves in range(0, 40, 3):
        state = walk(table(spiel, game, deals=2).new_initial_state(), Random(moves), moves)
        serialized = spiel.serialize_game_and_state(state.get_game(), state)
        copies = [state.clone(), spiel.deserialize_game_and_state(serialized)[1], pickle.loads(pickle.dumps(state))]
        assert [str(copy) for copy in copies] == [str(state)] * 3
        ends = [walk(each, Random(5)) for each in (*copies, state)]
        assert len({str(end) for end in ends}) == 1 and len({tuple(end.returns()) for end in ends}) == 1


def test_an_illegal_action_is_refused_and_changes_nothing(spiel: Any) -> None:
    state = table(spiel, "nap").new_initial_state()
    with pytest.raises(IllegalError, match="^120 cannot be drawn: expected is one of"):
        state.apply_action(120)
    assert state.history() == []
    while state.is_chance_node():
        walk(state, Random(1), 1)
    before = state.history()
    with pytest.raises(IllegalError, match="^Nap: token 0 "):
        state.apply_action(0)
    assert state.history() == before and state.legal_actions()


@pytest.mark.soak
def test_ismcts_plays(spiel: Any) -> None:
    ismcts, mcts = (import_module(f"open_spiel.python.algorithms.{name}") for name in ("ismcts", "mcts"))
    numpy = import_module("numpy")
    game, rng = table(spiel, "brag", players=2), numpy.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bot = ismcts.ISMCTSBot(game=game, evaluator=evaluator, uct_c=20, max_simulations=10, random_state=rng)
    state, steps = game.new_initial_state(), 0
    while not state.is_terminal():
        if state.is_chance_node():
            walk(state, Random(1), 1)
        else:
            steps += 1
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)
    assert steps and sum(state.returns()) == 0


def test_parameters_say_which_table_and_the_type_whether_its_nets_add_up(spiel: Any) -> None:
    game = spiel.load_game("python_roundsim(game=brag,players=2,options=limit:1;max_raises:2)")
    assert game.num_players() == 2 and game.get_parameters()["options"] == "limit:1;max_raises:2"
    assert spiel.load_game(str(game)).num_distinct_actions() == game.num_distinct_actions()
    assert spiel.load_game("python_roundsim").num_players() == 4  # Nap, as usual
    utility = spiel.GameType.Utility
    assert table(spiel, "loto").get_type().utility == utility.GENERAL_SUM and table(spiel, "loto").utility_sum() is None
    assert table(spiel, "nap").get_type().utility == utility.ZERO_SUM and table(spiel, "nap").utility_sum() == 0


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("game=loto", "Loto: nobody has anything to decide in 50 sittings of 1 deal$"),
        ("game=nap,options=miserx:true", r"nap has no option miserx \(did you mean misery\?\)"),
        ("game=nap,options=misery", "options: write option:value;option:value, not 'misery'"),
    ],
)
def test_a_wrong_table_is_refused_in_one_sentence(spiel: Any, given: str, words: str) -> None:
    with pytest.raises(InputError, match=f"^{words}") as error:
        spiel.load_game(f"python_roundsim({given})")
    assert error.value.code == 64 and "\n" not in str(error.value)


def test_without_openspiel_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "roundsim.bridges.openspiel", raising=False)
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(PluginError, match=r"^this needs open_spiel .*: .*pip install .*\[openspiel\]'$") as error:
        import_module("roundsim.bridges.openspiel")
    assert error.value.code == 66


def test_only_one_module_imports_openspiel() -> None:
    root = Path(__file__).parents[2] / "roundsim"
    users = [path.name for path in root.rglob("*.py") if "pyspiel" in path.read_text("utf-8")]
    assert users == ["openspiel.py"]
