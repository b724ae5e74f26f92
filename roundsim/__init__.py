"""roundsim: a simulator and tournament runner for old round games with cards.

import roundsim
run = roundsim.play("nap", ["book", "random"], deals=2000)      # or roundsim.run("tournaments/parlour.toml")
print(run)                                                      # the standings
run.standings["games"][0]["rows"][0]["net_per_deal"]            # the same as data"""

from __future__ import annotations

from .base.version import __version__

TYPE_CHECKING = False  # `typing` takes longer to load than all else here
if TYPE_CHECKING:
    from typing import Any

    from .api import (
        Table,
        allow_format,
        allow_game,
        check_script,
        claims,
        deals,
        export,
        grow,
        merge,
        open_run,
        play,
        replay_deal,
        report,
        run,
        verify,
    )

__all__ = [
    "Table",
    "__version__",
    "allow_format",
    "allow_game",
    "check_script",
    "claims",
    "deals",
    "export",
    "grow",
    "merge",
    "open_run",
    "play",
    "replay_deal",
    "run",
]
__all__ += ["report", "verify"]


def __getattr__(name: str) -> Any:  # `roundsim --version` loads none of this
    if name in __all__:
        from . import api

        return getattr(api, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
