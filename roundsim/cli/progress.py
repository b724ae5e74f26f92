"""How far a command is, on stderr."""

from __future__ import annotations

import math
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import click

from ..base.errors import clean
from ..base.streams import unchecked

if TYPE_CHECKING:
    from ..tournament.planning.plan import Tournament
    from ..tournament.run import Progress

SLOW = 1e-3  # seconds; slower decisions are reported with their strategy
FEW = 10  # deals, or a quarter of all: before that nobody knows how long the rest will take
UNKNOWN = "starting"  # in place of the time that is left
SEPARATOR = " · "


class ProgressLine:
    """How far a run is, on stderr: one line rewritten on a terminal, a plain line every 10 s otherwise."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament, self.terminal = tournament, sys.stderr.isatty()
        self.last, self.width = time.monotonic(), 0

    def mute(self) -> None:
        """Show nothing from now on."""
        self.last = math.inf

    def show(self, progress: Progress) -> None:
        now = time.monotonic()
        if now - self.last < (0.2 if self.terminal else 10):
            return
        self.last = now
        text = clean(self.text(progress, now))
        if self.terminal:
            columns = shutil.get_terminal_size().columns - 1
            while len(text) > columns and SEPARATOR in text:
                text = text.rpartition(SEPARATOR)[0]
            text = text[:columns]
            click.echo(f"\r{text:<{min(self.width, columns)}}", file=unchecked(sys.stderr), nl=False)
            self.width = len(text)
        else:
            click.echo(text, err=True)

    def text(self, progress: Progress, now: float) -> str:
        from ..base.text import duration, in_time, number, so_many
        from ..reports.stopping_rule import at_any_look, evidence_text
        from ..tournament.judging.standings import standings, unplaced
        from ..tournament.planning.stopping_rule import Contrast, PooledContrast

        rate = progress.done_now / max(now - progress.started, 1e-9)
        again = next((part.again for part in progress.underway if part.again), "")
        known = progress.done_now >= FEW or 4 * progress.done_now >= progress.total
        left = duration((progress.total - progress.done) / rate) + " left" if known and rate else UNKNOWN
        format = self.tournament.entries[0].format
        deals = sum(part.deals for part in progress.underway)
        parts = [
            f"{number(progress.done)} / {number(progress.total)} {format.unit}s",
            f"{number(int(rate)) if rate >= 10 else f'{rate:.1f}'}/s",
            f"played again: {again}" if again else left,
        ]
        current = next((at for at in reversed(range(len(progress.folds))) if progress.folds[at].tally.blocks), None)
        first = self.first_result(progress, now) if current is None and not again else ""
        if first:
            shown = parts[0] if format.by_deals else f"{so_many(deals, 'deal')} played"
            parts = [f"{shown}; {first}", *(parts[1:] if progress.done and left != UNKNOWN else [])]
        elif deals and not format.by_deals:
            over = parts[:1] if progress.done else [f"none of {number(progress.total)} {format.unit}s is over"]
            parts = [*over, f"{number(deals)} deals played in those that are not", *parts[1 if progress.done else 2 :]]
        slowest = max(progress.underway, key=lambda part: part.seconds, default=None)
        if slowest and slowest.seconds >= SLOW:
            parts.append(f"slowest: {slowest.slowest}, {in_time(slowest.seconds)} a decision")
        elif not deals and (asked := next((part.asked for part in progress.underway if part.asked), "")):
            parts.append(f"{asked} is thinking")
        if current is not None:
            entry, fold = progress.entries[current], progress.folds[current]
            rule = progress.watched[current].deciding if progress.watched else None
            if isinstance(rule, Contrast | PooledContrast) and (interval := at_any_look(rule.mixture)):
                names = f"{entry.labels[rule.one]} - {entry.labels[rule.other]} " if isinstance(rule, Contrast) else ""
                parts.append(f"{entry.name if names else 'all games'}: {names}{interval}")
                parts += [f"evidence {part}" for part in [evidence_text(rule)] if part]
            else:
                out = unplaced(entry, fold, self.tournament.limits)
                leader, measure = standings(entry, fold.tally, out)[0], entry.format.measures[0]
                error = "" if rule or leader.first.error is None else f" ± {leader.first.error:.3f}"
                parts.append(f"{entry.name}: {leader.strategy} {measure.text(leader.first.value)}{error}")
        return SEPARATOR.join(parts)

    def first_result(self, progress: Progress, now: float) -> str:
        """Return when the first result comes; "" if nobody knows, or if it is the last one."""
        from ..base.text import duration, number

        counted = self.tournament.entries[0].format.by_deals  # in deals, those that were played before
        parts = [part for part in progress.underway if part.of and (counted or not part.before)]
        nearest = max(parts, key=lambda part: part.deals / part.of, default=None)
        if not nearest or nearest.deals - nearest.before < FEW or self.tournament.shard_count < 2:
            return ""
        if nearest.deals >= nearest.of:
            return "first result soon"
        after = sum(part.deals for part in progress.underway) * nearest.of // nearest.deals
        step = 10 ** max(len(str(after)) - 2, 0)
        seconds = (nearest.of - nearest.deals) * (now - progress.started) / (nearest.deals - nearest.before)
        return f"first result after about {number(-(-after // step) * step)}, in {duration(seconds)}"

    def clear(self) -> None:
        if self.width:
            click.echo(f"\r{'':<{self.width}}\r", file=unchecked(sys.stderr), nl=False)


@contextmanager
def progress_bar(after: float = 1.0) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar on stderr if something takes longer than a second on a terminal.

    Yields a function that takes the amount done and the total."""
    start, bars = time.monotonic(), list[Any]()
    with ExitStack() as stack:

        def show(done: int, total: int) -> None:
            if not bars and sys.stderr.isatty() and time.monotonic() - start > after:
                bars.append(stack.enter_context(click.progressbar(length=total, file=unchecked(sys.stderr))))
            for bar in bars:
                bar.update(done - bar.pos)

        yield show
