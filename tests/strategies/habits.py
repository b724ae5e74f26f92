"""Strategies whose answers depend on what must be the same everywhere: sets, the module `random`, a module's own state."""

import random
import time
from pathlib import Path
from random import randrange
from typing import Any

games = ["*"]
asked = 0
seen: set[str] = set()


class Sets:
    """Walks through a set of texts, whose order depends on the hash seed."""

    def act(self, view: Any) -> Any:
        return next(iter({str(view.legal[at]) for at in range(min(len(view.legal), 8))}))


class Shared:
    """Draws from the module `random`, by functions fetched early and late."""

    def act(self, view: Any) -> Any:
        few = [view.legal[at] for at in range(min(len(view.legal), 8))]
        random.shuffle(few)
        return few[randrange(len(few))] if random.random() < 0.9 else min(few, key=hash)


class Keeps:
    """Goes on counting in its module."""

    def act(self, view: Any) -> Any:
        global asked
        asked += 1
        seen.add(str(view.legal[0]))
        return view.legal[(asked * 7 + len(seen)) % min(len(view.legal), 8)]


class Careless:
    """Seeds the module `random` for everybody."""

    def act(self, view: Any) -> Any:
        random.seed(4)
        return view.chance.choice(view.legal)


class Waits:
    """Sits down to no game while a file `hold` next to it names a number of shards, and so many are finished."""

    def __init__(self) -> None:
        here = Path(__file__).parent
        while (hold := here / "hold").exists() and held(hold, here):
            time.sleep(0.01)

    def act(self, view: Any) -> Any:
        return view.legal[-1]


def held(hold: Path, here: Path) -> bool:
    try:
        return len([*here.glob("*/log/*/[0-9]*.zst")]) >= int(hold.read_text())
    except (FileNotFoundError, ValueError):  # it is just being written, or taken away
        return hold.exists()
