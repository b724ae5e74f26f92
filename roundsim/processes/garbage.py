"""Garbage collection in processes that play many deals."""

from __future__ import annotations

import gc


def collect_seldom() -> None:
    """Collect garbage rarely. A deal leaves no cycles; those of strategies are still cleared."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
