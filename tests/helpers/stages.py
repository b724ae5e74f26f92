"""Shards that are broken off while they are played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from roundsim.tournament.storage import unfinished
from roundsim.workers.shard import Playing


def break_off(shard: Playing) -> None:
    """A shard is taken up, one stage of it played and kept, and no more, as if Ctrl-C had come then."""
    keep = shard.lines.keep

    def kept(how_far: Callable[[], Mapping[str, Any]]) -> None:
        keep(how_far)
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(unfinished, "LONG", 0)
        patch.setattr(shard.lines, "keep", kept)
        shard.play()
