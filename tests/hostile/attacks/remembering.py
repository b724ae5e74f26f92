"""Carrying what was seen at one seat to another: all sittings of a block are played on the same cards."""

import builtins
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from .plan import Seer


class Shelf:
    """Where something is kept: in a file, or (no place) where modules come and go and it stays."""

    def __init__(self, name: str, place: str) -> None:
        self.name, self.file = f"shelf_of_{name}", Path(place) if place else None

    def read(self) -> Any:
        if not self.file:
            return getattr(builtins, self.name, {})
        with suppress(OSError):
            return json.loads(self.file.read_text())
        return {}

    def write(self, kept: dict[str, Any]) -> None:
        if not self.file:
            setattr(builtins, self.name, kept)
            return
        with suppress(OSError):
            self.file.write_text(json.dumps(kept))


class Remembers(Seer):
    """Which hand it had at which seat, in the sittings before: in this one it is another's."""

    sittings, rotation = 0, ""

    def __init__(self, place: str = "") -> None:
        super().__init__()
        self.shelf, mine = Shelf(f"memory{bool(place)}", place), type(self)
        if not mine.rotation:  # the module is executed again for each
            kept = self.shelf.read()
            mine.rotation = str(kept.get("rotations", 0) + 1)
            self.shelf.write({**kept, "rotations": int(mine.rotation)})
        mine.sittings += 1
        self.sitting, self.deals = mine.sittings, 0

    def settled(self, view: Any, net: int) -> None:
        super().settled(view, net)
        self.deals += 1

    def look(self, view: Any) -> Mapping[int, Any]:
        kept, here = self.shelf.read(), f"{self.sitting}/{self.deals}"
        before = {seat: hand for rotation, seat, hand in kept.get(here, ()) if rotation != self.rotation}
        self.shelf.write({**kept, here: [*kept.get(here, ()), (self.rotation, view.seat, [*map(str, view.hand)])]})
        return before


class Colludes(Seer):
    """Two who know each other lay their hands open to each other."""

    def __init__(self, place: str = "", me: str = "one") -> None:
        super().__init__()
        self.shelf, self.me = Shelf(f"table{bool(place)}", place), me

    def call(self, view: Any) -> Any:
        self.tell(view)
        return super().call(view)

    def play(self, view: Any) -> Any:
        if not self.seen:
            self.tell(view)
            self.seen = self.look(view)
        return super().play(view)

    def tell(self, view: Any) -> None:
        self.shelf.write({**self.shelf.read(), self.me: (view.seat, [*map(str, view.hand)])})

    def look(self, view: Any) -> Mapping[int, Any]:
        return {seat: hand for who, (seat, hand) in self.shelf.read().items() if who != self.me}
