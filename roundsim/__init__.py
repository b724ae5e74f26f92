"""roundsim: a simulator and tournament runner for old round games with cards.

import roundsim
run = roundsim.play("nap", ["book", "random"], deals=2000)      # or roundsim.run("tournaments/parlour.toml")
print(run)                                                      # the standings
run.standings["games"][0]["rows"][0]["net_per_deal"]            # the same as data

docs/python.md lists what else is promised."""

import sys

from .base import faces
from .base.version import __version__ as __version__

__getattr__, __dir__, __all__ = faces.lazy(__name__, __file__)  # `roundsim --version` loads none of this
sys.meta_path.insert(0, faces.Relocated)
