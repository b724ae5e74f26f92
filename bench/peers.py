"""Comparison with other simulators:  python bench/bench.py peers [--rounds 7] [--size 0.1]

Every contender has its turn in every round, with the same number of deals each time, and with the calibration loop
running at that very time on the same core. Four bots, or the number that a game of theirs seats, choose evenly among
the legal actions. Each is called with what it may see and what it may do. A peer that is not installed is left out and
named."""

from __future__ import annotations

import gc
import textwrap
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from operator import truediv
from random import Random
from statistics import median
from time import process_time
from typing import Any, NamedTuple

from calibration import Beside
from conditions import conditions
from drawing import markdown
from shards import Shards, Spent
from turns import parser, scaled

from roundsim import games
from roundsim.base.text import WIDTH, number, so_many
from roundsim.processes.memory import collect_seldom

Draw = Callable[[], float]
SEED, SEATS = 1891, 4
TRICKS, POKER, MOVES = "tricks", "betting", "simultaneous moves"


class Contender(NamedTuple):
    """A contender: whose it is, its name, its table, and how its deals are played."""

    of: str
    name: str
    table: str
    play: Callable[[], Spent]


class Measured(NamedTuple):
    """The measurement of a contender: the deals of a turn, their decisions, and in each round its decisions an
    iteration."""

    contender: Contender
    deals: int
    decisions: int
    rates: Sequence[float]


def timed(deal: Callable[[Draw], int], deals: int, players: int = SEATS) -> Callable[[], Spent]:
    """Return a function that plays some deals, with the same chance for the bots each time.

    `deal` plays one deal and returns how many decisions it had."""

    def play() -> Spent:
        draw, start = Random(SEED).random, process_time()
        decisions = sum(deal(draw) for _ in range(deals))
        return Spent(players, deals, decisions, process_time() - start)

    return play


# Ours: whole workers. The first of a table is what the others are compared with.

OURS = (
    (TRICKS, "nap", "random", 20_000),
    (TRICKS, "nap", "book", 2_000),
    (TRICKS, "loo", "random", 20_000),
    (TRICKS, "solo-whist", "random", 12_000),
    (TRICKS, "spoil-five", "random", 10_000),
    (POKER, "draw-poker", "random", 4_000),
)


def ours(size: float) -> Iterator[Contender]:
    for table, name, strategy, deals in OURS:
        shards = Shards(name, strategy, scaled(deals, size))
        yield Contender("roundsim", f"{games.find(name).title}, {shards.players} {strategy}", table, shards.play)


# OpenSpiel. A bot is a Python object that gets its view as text, or only the legal actions.

SPIEL = "euchre", "oh_hell(players=4)", "spades", "hearts"
CHANCE, TERMINAL = -1, -4  # the current player at a node of chance and at the end


class Even:
    """A bot that chooses evenly."""

    def __init__(self, draw: Draw) -> None:
        self.draw = draw

    def step(self, seen: str, legal: Sequence[int]) -> int:
        return legal[int(self.draw() * len(legal))]


def spiel_deal(game: Any, view: Callable[[Any], str] | None, draw: Draw) -> int:
    """Play a deal by OpenSpiel, in the quickest way there is from Python.

    In these games outcomes of a chance node are equally likely, so its actions are enough to draw one."""
    state, bots, decisions = game.new_initial_state(), [Even(draw) for _ in range(SEATS)], 0
    while (seat := state.current_player()) != TERMINAL:
        legal = state.legal_actions()
        if seat == CHANCE:
            state.apply_action(legal[int(draw() * len(legal))])
        else:
            state.apply_action(bots[seat].step(view(state) if view else "", legal))
            decisions += 1
    return decisions


def openspiel(size: float) -> Iterator[Contender]:
    import pyspiel

    for words in SPIEL:
        name = words.partition("(")[0]
        if name not in pyspiel.registered_names():
            print(f"OpenSpiel {version('open_spiel')} has no {name}")
            continue
        game = pyspiel.load_game(words)
        has_text = game.get_type().provides_information_state_string
        view = pyspiel.State.information_state_string if has_text else pyspiel.State.observation_string
        for seen, way in (view, "its text"), (None, "legal only"):
            play = timed(partial(spiel_deal, game, seen), scaled(4_000, size))
            yield Contender("OpenSpiel", f"OpenSpiel {name}, {way}", TRICKS, play)


# PokerKit. A bot sees nothing and gets only the legal actions: PokerKit has no view of one seat.


def pokerkit_deal(game: Any, stack: int, draw: Draw) -> int:
    """Play a deal by PokerKit, which automates all that is no decision; each card is discarded or not by chance."""
    state, decisions, any_amount = game((stack,) * SEATS, SEATS), 0, game.betting_structure == "No-limit"
    while state.status:
        if state.actor_index is None:
            state.stand_pat_or_discard(
                [card for card in state.hole_cards[state.stand_patter_or_discarder_index] if draw() < 0.5]
            )
        else:
            least = state.min_completion_betting_or_raising_to_amount
            legal = [state.check_or_call]
            if state.checking_or_calling_amount:
                legal.append(state.fold)
            if least is not None:
                legal.append(state.complete_bet_or_raise_to)
            said = legal[int(draw() * len(legal))]
            if any_amount and said == state.complete_bet_or_raise_to:
                most = state.max_completion_betting_or_raising_to_amount
                said(least + int(draw() * (most - least + 1)))
            else:
                said()
        decisions += 1
    return decisions


def pokerkit(size: float) -> Iterator[Contender]:
    import pokerkit as kit

    own = {"deck": kit.Deck.STANDARD, "hand_types": (kit.StandardHighHand,), "hole_dealing_count": 5}
    five_card = type("FiveCardDraw", (kit.games.FixedLimitPokerMixin, kit.SingleDraw), own)
    every = tuple(kit.Automation)
    for name, game in (
        ("five-card draw", five_card(every, True, 1, {}, 2)),  # with a limit
        ("2-7 single draw", kit.NoLimitDeuceToSevenLowballSingleDraw(every, True, 1, {}, 2)),
        ("2-7 triple draw", kit.FixedLimitDeuceToSevenLowballTripleDraw(every, True, 0, (1, 2), 2, 4)),
    ):
        play = timed(partial(pokerkit_deal, game, 200), scaled(400, size))
        yield Contender("PokerKit", f"PokerKit {name}", POKER, play)


# RLCard. A bot gets its state, which contains the legal actions.


class EvenAgent:
    """An agent of RLCard that chooses evenly, without numpy, which RLCard's own uses."""

    use_raw = False

    def __init__(self, draw: Draw) -> None:
        self.draw = draw

    def step(self, state: Mapping[str, Iterable[int]]) -> int:
        legal = [*state["legal_actions"]]
        return legal[int(self.draw() * len(legal))]


def rlcard_deal(table: Any, agent: Any, draw: Draw) -> int:
    """Play a deal of Leduc by RLCard's steps, with the agent at both seats; one that draws by itself, or by `draw`."""
    agent, decisions, (state, _) = agent or EvenAgent(draw), 0, table.reset()
    while not table.is_over():
        state, _ = table.step(agent.step(state), agent.use_raw)
        decisions += 1
    table.get_payoffs()
    return decisions


def rlcard(size: float) -> Iterator[Contender]:
    import rlcard as rl
    from rlcard.agents import RandomAgent

    table = rl.make("leduc-holdem", config={"seed": SEED})
    for way, agent in ("its bots", RandomAgent(table.num_actions)), ("our bots", None):
        play = timed(partial(rlcard_deal, table, agent), scaled(5_000, size), table.num_players)
        yield Contender("RLCard", f"RLCard Leduc, {way}", POKER, play)


# Axelrod. A bot sees its opponent, and there are always the same two moves. A deal is a match.

TURNS = 200


def axelrod_match(match: Any, draw: Draw) -> int:
    """Play a match of Axelrod's, in which each of both players moves once a turn; ours draw by `draw`."""
    for player in match.players:
        player.draw = draw
    return 2 * len(match.play())


def axelrod(size: float) -> Iterator[Contender]:
    import axelrod as ax

    def strategy(self: Any, opponent: Any) -> Any:
        return ax.Action.C if self.draw() < 0.5 else ax.Action.D

    own = {"name": "Even", "classifier": ax.Random.classifier, "strategy": strategy}
    even = type("EvenPlayer", (ax.Player,), own)  # without numpy, which Axelrod's own uses
    for way, player in ("its bots", ax.Random), ("our bots", even):
        match = ax.Match((player(), player()), turns=TURNS, seed=SEED)
        play = timed(partial(axelrod_match, match), scaled(400, size), len(match.players))
        yield Contender("Axelrod", f"Axelrod {TURNS} turns, {way}", MOVES, play)


PEERS: dict[str, tuple[str, Callable[[float], Iterator[Contender]]]] = {  # by name: package, contenders
    "OpenSpiel": ("open_spiel", openspiel),
    "PokerKit": ("pokerkit", pokerkit),
    "RLCard": ("rlcard", rlcard),
    "Axelrod": ("axelrod", axelrod),
}


def contenders(size: float) -> Iterator[Contender]:
    """Yield ours and those of the installed peers; print how to install the others."""
    yield from ours(size)
    for peer, (package, theirs) in PEERS.items():
        try:
            yield from [*theirs(size)]
        except ImportError as error:
            print(f"{peer} is left out: {error}; pip install {package}, or all of them: pip install -e '.[bench]'")


def in_turns(all: Sequence[Contender], rounds: int) -> list[Measured]:
    """Measure the contenders in turns, several times, after a warm-up."""
    warm = [each.play() for each in all]
    gc.collect()
    collect_seldom()  # as workers do; and no contender pays for what the others have loaded
    rates: list[list[float]] = [[] for _ in all]
    for _ in range(rounds):
        for each, so_far in zip(all, rates, strict=True):
            with Beside() as beside:
                spent = each.play()
            so_far.append(spent.decisions * beside.iteration / spent.cpu)
    return [
        Measured(each, spent.deals, spent.decisions, so_far)
        for each, spent, so_far in zip(all, warm, rates, strict=True)
    ]


def table(title: str, measured: Sequence[Measured]) -> str:
    """Return the decisions of each, how far its rounds differ, and how many times as many the first makes."""
    first, *_ = measured
    rows = [
        (
            each.contender.name,
            f"{each.decisions / each.deals:.1f}",
            rate(middle := median(each.rates)),
            f"± {50 * (max(each.rates) - min(each.rates)) / middle:.0f} %",
            "" if each is first else f"{median(map(truediv, first.rates, each.rates)):.2f}",
        )
        for each in measured
    ]
    return markdown((title, "a deal", "an iteration", "spread", "ours to it"), rows)


def rate(value: float) -> str:
    """Return a rate: 0.0384, 0.00133."""
    return f"{value:.{4 if value >= 0.01 else 5}f}"


COUNTED = """\
Decisions a deal; decisions an iteration of the calibration loop, which runs at the same time on the same core: the median
of the rounds, and half of what lies between the least and the most; how many times as many the first line makes. A decision
is an answer of a seat, forced ones included; dealing and other chance is no decision, but takes its time. Ours are whole
workers, with view, clock, log and compression; at the peers nothing is timed or kept. All bots but the book choose evenly;
OpenSpiel's are given the view of their seat as text or legal actions only, PokerKit's legal actions only, RLCard's its
state, Axelrod's the opponent. A deal of Axelrod's is a match, whose moves need no rules; it has its own table."""


def described(measured: Sequence[Measured], rounds: int) -> str:
    """Return what the figures are, and what they depend on."""
    deals = dict[str, list[int]]()
    for each in measured:
        deals.setdefault(each.contender.of, []).append(each.deals)
    packages = [f"{peer} {version(package)}" for peer, (package, _) in PEERS.items() if peer in deals]
    turns = [f"{of} {' to '.join(map(number, sorted({min(n), max(n)})))}" for of, n in deals.items()]
    there = conditions(", ".join(packages), so_many(rounds, "round"), f"deals a turn: {', '.join(turns)}")
    return f"{textwrap.fill(COUNTED, WIDTH)}\n\n{there}"


def peers(words: Sequence[str]) -> int:
    given = parser("peers", __doc__, rounds=7).parse_args(words)
    warnings.simplefilter("ignore")  # PokerKit warns whenever it shuffles discards
    all = [*contenders(given.size)]
    measured = in_turns(all, given.rounds)
    for title, compared in (TRICKS, []), (POKER, []), (MOVES, measured[:1]):
        rows = [*compared, *(each for each in measured if each.contender.table == title)]
        print(table(title, rows), end="\n\n")
    print(described(measured, given.rounds))
    return 0
