"""Learn to play Nap against three of the house's `book`: `python train.py [DEALS [SEED]]` writes policy.npz beside it.

What each word comes to is estimated by one hidden layer, from the nets of the deals in which it was said: numpy alone.
Without a number 100 000 deals are played, a minute of CPU time; the same number and seed give the same weights."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from roundsim.bridges.gymnasium import SeatEnv

HIDDEN, BATCH, RATE, COUNTERS, PRINTED = 64, 64, 0.003, 10, 5000
CURIOUS = 0.3, 0.05  # how often any word is said, to see what it comes to: at first, and in the end
Weights = dict[str, Any]
Step = tuple[Any, int]  # what was seen, and the token that was said


def fresh(seen: int, words: int, rng: np.random.Generator) -> Weights:
    """Weights that know nothing yet: into the hidden layer, and from it to each word."""

    def layer(rows: int, columns: int, scale: float) -> Any:
        return (rng.standard_normal((rows, columns)) * scale / rows**0.5).astype(np.float32)

    return {"into": layer(seen, HIDDEN, 1.0), "bias": np.zeros(HIDDEN, np.float32), "words": layer(HIDDEN, words, 0.1)}


def choose(weights: Weights, vector: Any, mask: Any, curious: float, rng: np.random.Generator) -> int:
    """The word that promises most; now and then any that can be said."""
    here = np.flatnonzero(mask)
    if rng.random() < curious:
        return int(rng.choice(here))
    worth = np.tanh(vector @ weights["into"] + weights["bias"]) @ weights["words"]
    return int(here[worth[here].argmax()])


def play(env: SeatEnv, weights: Weights, curious: float, rng: np.random.Generator) -> tuple[list[Step], float]:
    """Play one deal: its steps, and the net in counters."""
    steps, net, over = list[Step](), 0.0, False
    seen, _ = env.reset()
    while not over:
        vector = seen["observation"]
        token = choose(weights, vector, seen["action_mask"], curious, rng)
        steps.append((vector, token))
        seen, reward, over, _, _ = env.step(token)
        net += reward
    return steps, net


def slope(weights: Weights, steps: list[Step], nets: Any) -> Weights:
    """How the weights are to be changed, for what was said to promise what it came to."""
    vectors, said, n = np.stack([vector for vector, _ in steps]), np.array([token for _, token in steps]), len(steps)
    hidden = np.tanh(vectors @ weights["into"] + weights["bias"])
    up, each = np.zeros((n, weights["words"].shape[1]), np.float32), np.arange(n)
    up[each, said] = nets - (hidden @ weights["words"])[each, said]
    back = (up @ weights["words"].T) * (1 - hidden**2)
    return {"into": vectors.T @ back / n, "bias": back.mean(axis=0), "words": hidden.T @ up / n}


class Adam:
    """Steps of about the same size for every weight."""

    def __init__(self, weights: Weights) -> None:
        self.weights, self.times = weights, 0
        self.mean = {name: np.zeros_like(each) for name, each in weights.items()}
        self.square = {name: np.zeros_like(each) for name, each in weights.items()}

    def climb(self, up: Weights, rate: float) -> None:
        self.times += 1
        for name, each in up.items():
            self.mean[name] += 0.1 * (each - self.mean[name])
            self.square[name] += 0.001 * (each**2 - self.square[name])
            mean, square = self.mean[name] / (1 - 0.9**self.times), self.square[name] / (1 - 0.999**self.times)
            self.weights[name] += (rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)


def train(deals: int, seed: int) -> Weights:
    """Train, and print the net from time to time. Each deal is an episode. The weights have the layout of their vectors."""
    env, rng, won = SeatEnv("nap", others=["book"], players=4, deals=1), np.random.default_rng(seed), list[float]()
    env.reset(seed=seed)
    weights = fresh(env.observation_space["observation"].shape[0], int(env.action_space.n), rng)
    adam = Adam(weights)
    while (done := len(won) / deals) < 1:
        steps, nets = list[Step](), list[float]()
        for _ in range(BATCH):
            played, net = play(env, weights, CURIOUS[0] + (CURIOUS[1] - CURIOUS[0]) * done, rng)
            steps += played
            nets += [net / COUNTERS] * len(played)
            won.append(net)
        adam.climb(slope(weights, steps, np.array(nets, np.float32)), RATE * (1 - done))
        if len(won) // PRINTED > (len(won) - BATCH) // PRINTED:
            print(f"{len(won):7} deals {np.mean(won[-PRINTED:]):+6.2f} a deal", flush=True)
    return {**weights, "layout": env.spaces.vectors.layout}


if __name__ == "__main__":
    given = [*map(int, sys.argv[1:])]
    learned = train(given[0] if given else 100_000, given[1] if given[1:] else 1)
    np.savez(Path(__file__).with_name("policy.npz"), **learned)
