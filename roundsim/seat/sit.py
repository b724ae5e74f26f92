"""An ordinary run in which a person plays, in this process."""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from .. import games
from ..base.errors import InputError, SignalError
from ..guests.isolation import how_guests_play
from ..replaying.logged import YOU
from ..reports.data import write_results
from ..sources import plugins
from ..tournament import formats
from ..tournament.formats.sittings import Sittings
from ..tournament.growth import found_again, has_person, persons_in
from ..tournament.planning.file import GivenSettings, read_tournament
from ..tournament.planning.key_lines import KeyLines
from ..tournament.planning.plan import Tournament
from ..tournament.run import Result, run_tournament
from ..tournament.storage.folder import RunFolder
from ..workers.worker import play_here
from .person import AtTable, LeftError, present
from .practice import TakenBackError

INTERRUPTIONS = signal.SIGINT, signal.SIGTERM, signal.SIGHUP


def new_tournament(
    game: str,
    others: Sequence[str],
    seats: int,
    seed: int | str,
    format: str = Sittings.name,
    isolate: str | None = None,
    persons: Sequence[str] = (),
    **keys: Any,
) -> Tournament:
    """Return the tournament of a person, or of several with these names, and these strategies; the book sits at the other
    seats. `keys`: of [[games]]. InputError, StrategyError, PluginError."""
    usual = "book" if "book" in plugins.field_of(games.find(game).id) else "random"
    if len(persons) == 1 or len({*persons}) < len(persons):
        raise InputError("--persons: two different names or more, as in tom,ann")
    if YOU in persons:
        raise InputError(f"--persons: {YOU!r} is what everybody is on their own page: give a name")
    field = [*([f"{name}={plugins.PERSON}" for name in persons] or [plugins.PERSON]), *others]
    field += [usual] * (seats - len(field))
    size = {key: len(field) for key, known in formats.find(format).entered_with().items() if known.flag == "--seats"}
    data = {
        "tournament": {"format": format, "strategies": field},
        "games": [{"game": game, **size, **keys}],
    }
    return read_tournament(data, KeyLines("command line"), Path(), game, GivenSettings(seed, isolate=isolate))


def resumed(folder: RunFolder, others: Sequence[str], isolate: str | None = None) -> Tournament:
    """Return the tournament of a run that a person has left. `others`: its strategies that are not installed.
    InputError if no person plays in it; StrategyError, PluginError, LogError."""
    tournament = folder.tournament()
    entry = tournament.entries[0]
    if not has_person(tournament):
        raise InputError(f"{folder.path}: nobody sits in it: roundsim sit GAME begins a run with you")
    limits = tournament.limits.isolating(isolate)
    plugins.describe_ahead(others, memory=limits.memory, sealed=limits.seals)
    persons = [plugins.PERSON, *[f"{name}={plugins.PERSON}" for name in persons_in(entry)]]
    given = [(strategy, text) for text in (*persons, *others) for strategy in plugins.find(text, entry.game)]
    entry = replace(entry, strategies=found_again(entry, given, {}, flag=""))
    return replace(tournament, limits=limits, entries=(entry,))


def sit(tournament: Tournament, folder: RunFolder, person: AtTable) -> Result | None:
    """Play what is missing of a run with a person. None if they leave: the same call goes on where they left.

    FolderError, and what the strategies raise."""
    present.append(person)
    workers = partial(play_here, listener=person)
    try:
        with leaving():
            guests = how_guests_play(tournament)
            while True:
                with suppress(TakenBackError):
                    return run_tournament(tournament, folder, workers, 1, lambda _: None, write_results, guests)
    except LeftError as left:
        if left.__cause__:
            raise left.__cause__ from None
        if left.number != signal.SIGINT:
            raise SignalError(left.number) from None
        return None
    finally:
        present.remove(person)


@contextmanager
def leaving() -> Iterator[None]:
    """Let Ctrl-C, SIGTERM and SIGHUP leave the table, whoever thinks: it is nobody's fault. The second one ends the
    process."""

    def leave(number: int, frame: object) -> None:
        signal.signal(number, signal.SIG_DFL)
        raise LeftError(number)

    ours = [number for number in INTERRUPTIONS if signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, leave) for number in ours}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
