"""Games in OpenSpiel, by its own tests and solvers; Kuhn poker as it has that itself."""

from __future__ import annotations

import pickle
import sys
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import pytest
from conftest import GAMES, Write

from roundsim.bridges.openspiel_chance import NUMBER
from roundsim.errors import IllegalError, InputError, PluginError
from roundsim.table.cards import CARD

FEW = ["brag", "nap", "vingt-un"]
KUHN = '''
"""Kuhn poker: a card each of three, a counter each before it, and one bet of a counter."""
from roundsim.table.actions import say
from roundsim.table.cards import cards
from roundsim.table.deal import Ask, Deal


class Kuhn(Deal):
    id, title, family, source = "kuhn", "Kuhn Poker", "bettors", "Kuhn 1950"
    seats = usual = (2, 2)
    played_with = tuple(cards("Js Qs Ks"))
    phases = {"bet": "`pass`, or `bet` or call"}

    def deal(self):
        self.pack, said = self.chance.pack(self.played_with), []
        self.hands = self.deal_singly(1, (0, 1))
        while said[-2:] not in (["pass", "pass"], ["bet", "pass"], ["bet", "bet"]):
            said.append((yield Ask(len(said) % 2, "bet", (say("pass"), say("bet")))))
        better = max(0, 1, key=lambda seat: self.hands[seat][0].rank)
        winner = better if said[-1] == said[-2] else len(said) % 2
        self.pay(1 - winner, winner, 1 + (said[-2:] == ["bet", "bet"]))
'''
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
def kuhn(spiel: Any, write: Write) -> Any:
    return spiel.load_game("python_roundsim", {"game": str(write("kuhn.py", KUHN))})


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


@pytest.mark.parametrize(
    "game", [*FEW, *[pytest.param(game, marks=pytest.mark.soak) for game in GAMES if game not in FEW]]
)
def test_openspiel_finds_nothing_wrong(spiel: Any, game: str) -> None:
    spiel.random_sim_test(table(spiel, game), num_sims=2, serialize=True, verbose=False)
    spiel.random_sim_test(table(spiel, game, deals=3), num_sims=1, serialize=True, verbose=False)


# Kuhn poker, by hand.


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
        for action, *_ in (
            state.chance_outcomes() if state.is_chance_node() else [(each,) for each in state.legal_actions()]
        ):
            visit(state.child(action))

    visit(kuhn.new_initial_state())
    assert len(known) == 12 and all([len(own) == 1 for own in known.values()])


def test_the_other_hand_is_any_of_the_other_two(kuhn: Any) -> None:
    """Seat 0 has the king: the other has the knave or the queen, as likely; of what it has nothing is told."""
    state = kuhn.new_initial_state()
    for action in KING, QUEEN, PASS, BET:
        state.apply_action(action)
    rng, others = Random(1), []
    for _ in range(200):
        other = state.resample_from_infostate(0, rng.random)
        assert other.information_state_string(0) == state.information_state_string(0)
        assert other.history()[0] == KING and other.history()[2:] == [PASS, BET]
        others.append(other.history()[1])
    assert len({*others}) == 2 and 60 < others.count(QUEEN) < 140  # 5.7 standard deviations from 100


def test_search_for_a_seat_that_is_not_asked_is_refused(kuhn: Any) -> None:
    state = walk(kuhn.new_initial_state(), Random(1), 2)
    with pytest.raises(
        InputError, match="^a state can be resampled only for the seat that is asked: seat 0 is, seat 1 is not$"
    ):
        state.resample_from_infostate(1, Random(1).random)


# States.


@pytest.mark.parametrize("game", FEW)
def test_a_clone_and_a_pickle_go_on_alike(spiel: Any, game: str) -> None:
    for moves in range(0, 40, 3):
        state = walk(table(spiel, game, deals=2).new_initial_state(), Random(moves), moves)
        copies = [
            state.clone(),
            spiel.deserialize_game_and_state(spiel.serialize_game_and_state(state.get_game(), state))[1],
        ]
        copies.append(pickle.loads(pickle.dumps(state)))
        assert [str(copy) for copy in copies] == [str(state)] * 3
        ends = [walk(each, Random(5)) for each in (*copies, state)]
        assert len({str(end) for end in ends}) == 1 and len({tuple(end.returns()) for end in ends}) == 1


def test_what_cannot_be_said_or_drawn_is_refused_and_nothing_has_happened(spiel: Any) -> None:
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
    """Search finds something to say at every question of a deal, on deals that the seat cannot tell from this one."""
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


# Tables.


def test_parameters_say_which_table(spiel: Any) -> None:
    game = spiel.load_game("python_roundsim(game=brag,players=2,options=limit:1;max_raises:2)")
    assert game.num_players() == 2 and game.get_parameters()["options"] == "limit:1;max_raises:2"
    assert spiel.load_game(str(game)).num_distinct_actions() == game.num_distinct_actions()
    assert spiel.load_game("python_roundsim").num_players() == 4  # Nap, as usual


def test_whose_nets_do_not_add_up_says_so(spiel: Any) -> None:
    utility = spiel.GameType.Utility
    assert table(spiel, "loto").get_type().utility == utility.GENERAL_SUM and table(spiel, "loto").utility_sum() is None
    assert table(spiel, "nap").get_type().utility == utility.ZERO_SUM and table(spiel, "nap").utility_sum() == 0


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ("game=nep", r"no game 'nep' \(did you mean nap\?\)"),
        ("game=loto", "Loto: nobody has anything to decide in 50 sittings of 1 deal$"),
        ("game=nap,deals=0", "deals = 0: at least one is played"),
        ("game=nap,options=miserx:true", r"nap has no option miserx \(did you mean misery\?\)"),
        ("game=nap,options=misery", "options: write option:value;option:value, not 'misery'"),
    ],
)
def test_what_is_no_table_is_one_sentence(spiel: Any, given: str, words: str) -> None:
    with pytest.raises(InputError, match=f"^{words}") as error:
        spiel.load_game(f"python_roundsim({given})")
    assert error.value.code == 64 and "\n" not in str(error.value)


def test_without_openspiel_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "roundsim.bridges.openspiel", raising=False)
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(PluginError, match=r"^this needs open_spiel .*: pip install 'roundsim\[openspiel\]'$") as error:
        import_module("roundsim.bridges.openspiel")
    assert error.value.code == 66


def test_nothing_else_imports_openspiel() -> None:
    root = Path(__file__).parents[2] / "roundsim"
    users = [path.name for path in root.rglob("*.py") if "pyspiel" in path.read_text("utf-8")]
    assert users == ["openspiel.py"]
