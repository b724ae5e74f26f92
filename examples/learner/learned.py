"""Nap by the weights that train.py has learnt: they lie beside it in policy.npz."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from roundsim.bridges.tokens import Spoken
from roundsim.bridges.vectors import vectors_at
from roundsim.games.nap import Nap

files = ["policy.npz"]
weights = dict(np.load(Path(__file__).with_name("policy.npz")))


class Learned:
    """Says the word that its weights think best."""

    games = ["nap"]

    def act(self, view: Nap.View) -> str:
        vectors = vectors_at(view, layout=str(weights["layout"]))
        spoken = Spoken(vectors.tokens, view.legal)
        while spoken.open:
            seen = np.frombuffer(vectors.of(view, spoken), np.float32)
            scores = np.tanh(seen @ weights["into"] + weights["bias"]) @ weights["words"]
            spoken.say(max(spoken.open, key=scores.__getitem__))
        return spoken.action
