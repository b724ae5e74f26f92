"""Where the books err: the corrections of the house's experts, as `roundsim claims --errata` prints them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from textwrap import wrap

from ..base.errors import StrategyError
from ..base.text import WIDTH, number
from ..sources import plugins
from ..strategy.corrected import Corrected
from .chapter import Chapter
from .report import columns

EXPERT = "expert"
WIDTHS = 34, 14, 13, 15  # columns: where, the book, better, gain
MOST, FEW = 100, 5  # corrections of a table that are shown: of one chapter, of each of several


def errata(chapter: Chapter, most: int = MOST) -> Iterator[str]:
    """Yield the lines of a chapter, a table for each number of seats; none if no expert has corrections. `most`: the
    corrections of each that are shown.

    PluginError."""
    expert = None
    with suppress(StrategyError):
        (described,) = plugins.find(EXPERT, chapter.game.id)
        expert = plugins.load_strategy(described)
    if not (isinstance(expert, type) and issubclass(expert, Corrected)):
        return
    for seats, corrections in expert.table.items():
        if not corrections:
            continue
        heading = f"{chapter.game.title}, {seats} seats · {chapter.author} {expert.pages}"
        yield from ["", *wrap(heading, WIDTH), "", columns(["where", "the book", "better", "gain"], WIDTHS)]
        for kind, correction in [*corrections.items()][:most]:
            gain = f"{correction.gain:+.2f} ± {correction.error:.2f}"
            yield columns([kind, correction.instead.removeprefix("book: "), correction.answer, gain], WIDTHS)
        if (rest := len(corrections) - most) > 0:
            yield f"and {number(rest)} more, in the corrections of strategy {described.name}"
