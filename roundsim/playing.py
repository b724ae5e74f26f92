"""A tournament played before somebody's eyes: how far it is, what it came to, and how it is broken off."""

from __future__ import annotations

import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .errors import BugError, Interrupted, RoundsimError

if TYPE_CHECKING:
    from .tournament.plan import Tournament
    from .tournament.run import Progress, Result


def say(words: str) -> None:
    click.echo(
        "\n".join(
            f"roundsim: {line}" if at == 0 else f"          {line}" if not line.startswith(" ") else line
            for at, line in enumerate(words.splitlines())
        ),
        err=True,
    )


def play_out(
    tournament: Tournament,
    out: Path | None,
    jobs: int | None,
    dry_run: bool,
    form: str,
    again: str,
    deals: int | None,
    times: int | None,
) -> int:
    """Play a tournament and print what it came to."""
    from . import report
    from .tournament.run import cores
    from .tournament.run import run as play_tournament

    folder = out or Path("runs") / tournament.folder_name()
    again += (
        f" --seed {tournament.seed}" + (f" --deals {deals}" if deals else "") + (f" --times {times}" if times else "")
    )
    again += f" --out {shlex.quote(str(out))}" if out else ""
    if dry_run:
        click.echo("\n".join(dry_lines(tournament, folder, jobs or cores())))
        return 0
    line = ProgressLine(tournament)
    try:
        with signals():
            result = play_tournament(tournament, folder, jobs, line.show)
    except (Interrupted, KeyboardInterrupt) as stop:
        line.clear()
        click.echo(f"roundsim: interrupted; what is finished is kept in {folder}\ncontinue {again}", err=True)
        raise Interrupted(getattr(stop, "number", signal.SIGINT)) from None
    except RoundsimError as error:
        line.clear()
        if isinstance(error, BugError) and error.script:
            path = folder / "bug.toml"
            path.write_text(error.script, "utf-8")
            say(f"a deal that shows this bug: {path}")
        raise
    line.clear()
    done = (
        f"played   {result.seconds:.1f} s on {result.jobs} process{'es' * (result.jobs != 1)}"
        if result.played
        else "nothing left to play"
    )
    if form == "table":
        click.echo(report.tables(result.tournament, result.folds))
        click.echo(f"{done}\nresults  {folder}/\nrepeat   {again}")
    else:
        click.echo(report.in_format(result.tournament, result.folds, form), nl=False)
    return tell_faults(result, folder)


def tell_faults(result: Result, folder: Path) -> int:
    """The first fault in words; the exit code."""
    from . import report

    first = next(iter(report.faults(result.tournament, result.folds)), None)
    if first:
        where = f" ({first['where'][-1]})" if first["where"] else ""
        say(
            f"faults: {first['strategy']} in {first['deal']}: {first['words']}{where}\n"
            f"again: roundsim replay {folder}:{first['deal']}\nall of them: {folder}/faults.jsonl"
        )
    if result.faults > result.tournament.limits.faults_allowed:
        return 2
    return 0


def dry_lines(tournament: Tournament, folder: Path, jobs: int) -> Iterator[str]:
    from .report import so_many
    from .script import in_toml

    yield f"{tournament.name} · {tournament.format} · seed {tournament.seed} · {jobs} process{'es' * (jobs != 1)} · {folder}/"
    for entry in tournament.entries:
        what = (
            f"{so_many(entry.blocks, 'freeze-out')} of {len(entry.strategies)} at tables of up to {entry.max_seats},"
            f" stack {entry.stack}"
            if entry.format == "freeze-out"
            else f"{so_many(entry.blocks * entry.block_deals, 'deal')} in {so_many(entry.blocks, 'block')}"
            f" of {entry.block_deals} ({so_many(entry.players, 'seat')} x {so_many(entry.sitting, 'deal')})"
        )
        yield f"  {entry.name}: {entry.game}, {what}"
        if entry.options:
            yield f"    options     {', '.join(f'{key} = {in_toml(value)}' for key, value in entry.options.items())}"
        yield f"    strategies  {', '.join(entry.labels)}"


@contextmanager
def signals() -> Iterator[None]:
    """SIGTERM ends a command as Ctrl-C does."""

    def stop(number: int, frame: object) -> None:
        raise Interrupted(number)

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class ProgressLine:
    """How far a run is, on stderr: one line rewritten on a terminal, a plain line every 10 s otherwise."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament, self.terminal = tournament, sys.stderr.isatty()
        self.last, self.width = time.monotonic(), 0

    def show(self, progress: Progress) -> None:
        now = time.monotonic()
        if now - self.last < (0.2 if self.terminal else 10):
            return
        self.last = now
        text = self.text(progress, now)
        if self.terminal:
            click.echo(f"\r{text:<{self.width}}", err=True, nl=False)
            self.width = len(text)
        else:
            click.echo(text, err=True)

    def text(self, progress: Progress, now: float) -> str:
        from .report import number
        from .standings import standings

        rate = progress.played / max(now - progress.started, 1e-9)
        unit = "freeze-outs" if self.tournament.format == "freeze-out" else "deals"
        left = f"{(progress.total - progress.done) / rate:.0f} s left" if rate else "starting"
        parts = [f"{number(progress.done)} / {number(progress.total)} {unit}", f"{number(int(rate))}/s", left]
        current = next((at for at in reversed(range(len(progress.folds))) if progress.folds[at].tally.blocks), None)
        if current is not None:
            leader = standings(self.tournament.entries[current], progress.folds[current].tally)[0]
            error = "" if leader.error is None else f" ± {leader.error:.3f}"
            parts.append(f"{self.tournament.entries[current].name}: {leader.strategy} {leader.mean:+.3f}{error}")
        return " · ".join(parts)

    def clear(self) -> None:
        if self.width:
            click.echo(f"\r{'':<{self.width}}\r", err=True, nl=False)


@contextmanager
def progress_bar(after: float = 1.0) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr for what takes longer than a second on a terminal; it is told how much of how much is done."""
    begun, bars = time.monotonic(), list[Any]()
    with ExitStack() as stack:

        def show(done: int, total: int) -> None:
            if not bars and sys.stderr.isatty() and time.monotonic() - begun > after:
                bars.append(stack.enter_context(click.progressbar(length=total, file=sys.stderr)))
            for bar in bars:
                bar.update(done - bar.pos)

        yield show
