"""Nap by PPO, in one file: `python ppo.py [STEPS [SEED]]` writes policy.npz next to it. The same file is a
strategy that plays with it.

Training needs torch, the strategy only numpy. The form is that of CleanRL's ppo.py: rollouts of many tables, generalized
advantages, clipped updates; tokens that cannot be said are masked."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from roundsim.bridges.tokens import Spoken
from roundsim.bridges.vectors import vectors_at
from roundsim.games.nap import Nap

POLICY = Path(__file__).with_name("policy.npz")
TABLES, ROLLOUT, EPOCHS, PARTS, HIDDEN = 256, 32, 4, 4, 128
RATE, GAMMA, LAMBDA, CLIP, ENTROPY, COUNTERS = 1e-3, 1.0, 0.95, 0.2, 0.01, 10
files = ["policy.npz"]


class Learned:
    """Says the token that its weights prefer."""

    games = ["nap"]

    def __init__(self) -> None:
        self.weights = dict(np.load(POLICY))

    def act(self, view: Nap.View) -> str:
        weights = self.weights
        vectors = vectors_at(view, layout=str(weights["layout"]))
        spoken = Spoken(vectors.tokens, view.legal)
        while spoken.open:
            hidden = np.frombuffer(vectors.of(view, spoken), np.float32)
            for layer in "0", "2":
                hidden = np.tanh(weights[f"{layer}.weight"] @ hidden + weights[f"{layer}.bias"])
            scores = weights["4.weight"] @ hidden + weights["4.bias"]
            spoken.say(max(spoken.open, key=scores.__getitem__))
        return spoken.action


def train(steps: int, seed: int) -> None:
    """Learn against three `random`, and write the weights."""
    import torch
    from torch import nn

    from roundsim.bridges.gymnasium_vector import TableVectorEnv

    torch.manual_seed(seed)
    torch.set_num_threads(1)
    env = TableVectorEnv("nap", TABLES, others=["random"], players=4, deals=1)
    size, tokens = env.spaces.vectors.size, len(env.spaces.tokens)

    def layers(out: int, last: float) -> nn.Sequential:
        made = nn.Sequential(
            *(nn.Linear(size, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, HIDDEN), nn.Tanh(), nn.Linear(HIDDEN, out))
        )
        for each, gain in (made[0], 2**0.5), (made[2], 2**0.5), (made[4], last):
            nn.init.orthogonal_(each.weight, gain)
            nn.init.zeros_(each.bias)
        return made

    actor, critic = layers(tokens, 0.01), layers(1, 1.0)
    optimizer = torch.optim.Adam([*actor.parameters(), *critic.parameters()], lr=RATE, eps=1e-5)

    def choices(seen: torch.Tensor, mask: torch.Tensor) -> torch.distributions.Categorical:
        return torch.distributions.Categorical(logits=actor(seen).masked_fill(~mask, -1e8), validate_args=False)

    shape = ROLLOUT, TABLES
    seen, masks = torch.zeros(*shape, size), torch.zeros(*shape, tokens, dtype=torch.bool)
    said, logs, values = torch.zeros(shape, dtype=torch.long), torch.zeros(shape), torch.zeros(shape)
    rewards, over = torch.zeros(shape), torch.zeros(shape)
    now, _ = env.reset(seed=seed)
    rounds, nets = steps // (ROLLOUT * TABLES), list[float]()
    for round_ in range(rounds):
        optimizer.param_groups[0]["lr"] = RATE * (1 - round_ / rounds)
        with torch.no_grad():
            for at in range(ROLLOUT):
                seen[at], masks[at] = torch.from_numpy(now["observation"]), torch.from_numpy(now["action_mask"]) > 0
                chosen = choices(seen[at], masks[at])
                said[at] = chosen.sample()
                logs[at], values[at] = chosen.log_prob(said[at]), critic(seen[at])[:, 0]
                now, won, ended, _, _ = env.step(said[at].numpy())
                rewards[at], over[at] = torch.from_numpy(won) / COUNTERS, torch.from_numpy(ended)
                nets += won[ended].tolist()
            ahead, advantage = critic(torch.from_numpy(now["observation"]))[:, 0], torch.zeros(TABLES)
            advantages = torch.zeros(shape)
            for at in reversed(range(ROLLOUT)):
                going = 1 - over[at]
                error = rewards[at] + GAMMA * ahead * going - values[at]
                advantages[at] = advantage = error + GAMMA * LAMBDA * going * advantage
                ahead = values[at]
        flat: list[Any] = [each.flatten(0, 1) for each in (seen, masks, said, logs, advantages, advantages + values)]
        for _ in range(EPOCHS):
            for part in torch.randperm(ROLLOUT * TABLES).chunk(PARTS):
                vectors, mask, token, before, gain, worth = (each[part] for each in flat)
                chosen = choices(vectors, mask)
                ratio = (chosen.log_prob(token) - before).exp()
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                policy_loss = -torch.min(gain * ratio, gain * ratio.clamp(1 - CLIP, 1 + CLIP)).mean()
                value_loss = (critic(vectors)[:, 0] - worth).square().mean()
                optimizer.zero_grad()
                (policy_loss + 0.5 * value_loss - ENTROPY * chosen.entropy().mean()).backward()
                nn.utils.clip_grad_norm_([*actor.parameters(), *critic.parameters()], 0.5)
                optimizer.step()
        print(f"{(round_ + 1) * ROLLOUT * TABLES:8} steps {np.mean(nets[-5000:]):+6.2f} a deal", flush=True)
    learned = {name: weight.numpy() for name, weight in actor.state_dict().items()}
    np.savez(POLICY, layout=env.spaces.vectors.layout, **learned)


if __name__ == "__main__":
    given = [*map(int, sys.argv[1:])]
    train(given[0] if given else 120_000, given[1] if given[1:] else 1)
