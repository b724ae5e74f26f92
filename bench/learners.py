"""Steps of learners a CPU second:  python bench/bench.py learners [GAME ...] [--rounds 3] [--size 0.5]

Every contender has its turn in every round; the best is shown. A step is a token that a learner says, chosen evenly among
those that can be said, which is part of the measured time. With games, 64 tables of each are measured, among `random`, with
Nap and OpenSpiel's own euchre. Others' environments play games of theirs; what is not installed is left out and named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from time import process_time
from typing import Any

from conditions import conditions
from drawing import markdown
from turns import parser

from roundsim import games
from roundsim.base.text import number, so_many

Steps = Callable[[], int]  # plays a while, and returns how many steps that were
TABLES = 64, 1024
LOTO = {"method": 2}  # of its first method nothing is decided
NAP = {"players": 4, "deals": 1}
EUCHRE = "OpenSpiel's own euchre"


def learners(words: Sequence[str]) -> int:
    arguments = parser("learners", __doc__, rounds=3)
    arguments.add_argument("games", nargs="*", metavar="GAME", help="measure 64 tables of it; `all`: of every game")
    given = arguments.parse_args(words)
    named = [*games.ours()] if given.games == ["all"] else given.games
    contenders = dict([*of_games(named), *others([EUCHRE])] if named else [*everyone(), *others(PEERS)])
    best = dict.fromkeys(contenders, 0.0)
    for _ in range(given.rounds):
        for name, steps in contenders.items():
            best[name] = max(best[name], rate(steps, given.size))
    print(table(best), end="\n\n")
    print(conditions(f"the best of {so_many(given.rounds, 'round')}"))
    return 0


def table(best: Mapping[str, float]) -> str:
    """Return the steps a CPU second of each, the most first, and as multiples of those of OpenSpiel's own euchre."""
    euchre = best.get(EUCHRE)
    rows = [
        (name, number(round(steps)), f"{steps / euchre:.2f}" if euchre else "")
        for name, steps in sorted(best.items(), key=lambda item: -item[1])
    ]
    return markdown(("learners", "steps a CPU second", "against OpenSpiel's euchre"), rows)


def rate(steps: Steps, seconds: float) -> float:
    """Return the steps a CPU second."""
    done, start = 0, process_time()
    while (spent := process_time() - start) < seconds:
        done += steps()
    return done / spent


def everyone() -> Iterator[tuple[str, Steps]]:
    for tables in TABLES:
        yield f"Nap, {tables} tables, all learn", vector(tables, "nap", learners="all", **NAP)
        for other in "random", "book":
            yield f"Nap, {tables} tables, one among `{other}`", vector(tables, "nap", others=[other], **NAP)
    yield "Nap, one table, all learn, as of PettingZoo", pettingzoo_steps(bridge("pettingzoo").env("nap", **NAP))


def others(names: Iterable[str]) -> Iterator[tuple[str, Steps]]:
    """Yield the environments of others; print which cannot be made."""
    for name in names:
        try:
            yield name, PEERS[name]()
        except Exception as problem:  # whatever another library raises where a part of it is missing
            print(f"left out: {name} ({str(problem).splitlines()[0]})")


def of_games(named: Sequence[str]) -> Iterator[tuple[str, Steps]]:
    for game in dict.fromkeys(["nap", *named]):
        yield (
            f"{game}, 64 tables",
            vector(64, game, players=games.find(game).usual[0], options=LOTO if game == "loto" else {}),
        )


def bridge(name: str) -> Any:
    return import_module(f"roundsim.bridges.{name}")


def vector(tables: int, game: str, **table: Any) -> Steps:
    made = bridge("gymnasium_vector").TableVectorEnv(game, tables, **table)
    np = import_module("numpy")
    rng, seen = np.random.default_rng(1), made.reset(seed=1)[0]

    def steps() -> int:
        nonlocal seen
        mask = seen["action_mask"]
        seen = made.step((rng.random(mask.shape, dtype=np.float32) * mask).argmax(axis=1))[0]
        return tables

    return steps


def pettingzoo_steps(table: Any) -> Steps:
    """A sitting, in which all agents say any action; each looks before it does."""
    np = import_module("numpy")
    rng = np.random.default_rng(1)

    def steps() -> int:
        done = 0
        table.reset(seed=int(rng.integers(1 << 30)))
        for _ in table.agent_iter():
            seen, _, over, truncated, info = table.last()
            mask = seen.get("action_mask", info.get("action_mask")) if isinstance(seen, dict) else info["action_mask"]
            table.step(None if over or truncated else int(rng.choice(np.flatnonzero(mask))))
            done += not over
        return done

    return steps


def pettingzoo_own(game: str) -> Steps:
    return pettingzoo_steps(import_module(f"pettingzoo.classic.{game}").env())


def openspiel(game: str) -> Steps:
    """An episode of its environment for learners, with tensors."""
    world, np = import_module("open_spiel.python.rl_environment").Environment(game), import_module("numpy")
    rng = np.random.default_rng(1)

    def steps() -> int:
        done, step = 0, world.reset()
        while not step.last():
            step = world.step(
                [int(rng.choice(step.observations["legal_actions"][step.observations["current_player"]]))]
            )
            done += 1
        return done

    return steps


def openspiel_nap() -> Steps:
    bridge("openspiel")
    return openspiel("python_roundsim(game=nap)")


def pgx(game: str, tables: int) -> Steps:
    """Tables side by side, compiled by jax; a table that is over begins again."""
    jax, pgx = import_module("jax"), import_module("pgx")
    world, reset = pgx.make(game), import_module("pgx.experimental.wrappers").auto_reset

    def one(state: Any, key: Any) -> Any:
        choose, again = jax.random.split(key)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        return reset(world.step, world.init)(state, jax.random.categorical(choose, logits), again)

    many, key = jax.jit(jax.vmap(one)), jax.random.PRNGKey(1)
    state = jax.jit(jax.vmap(world.init))(jax.random.split(key, tables))

    def steps() -> int:
        nonlocal state, key
        key, now = jax.random.split(key)
        state = many(state, jax.random.split(now, tables))
        state.observation.block_until_ready()
        return tables

    steps()  # compiles
    return steps


PEERS: dict[str, Callable[[], Steps]] = {
    "Nap, one table, all learn, as of OpenSpiel": openspiel_nap,
    **{f"PettingZoo's own {game}": partial(pettingzoo_own, game) for game in ("leduc_holdem_v4", "tictactoe_v3")},
    EUCHRE: partial(openspiel, "euchre"),
    **{f"OpenSpiel's own {game}": partial(openspiel, game) for game in ("leduc_poker", "hearts")},
    **{f"pgx leduc_holdem, {tables} tables": partial(pgx, "leduc_holdem", tables) for tables in TABLES},
}
