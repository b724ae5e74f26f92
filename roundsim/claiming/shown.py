"""The deals that show what claims say, for the page: read from their runs, where these are there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..base.errors import LogError, RoundsimError
from ..replaying.logged import address_in
from ..replaying.selection import deals_data
from ..reports.page.extras import EntryExtras
from ..reports.page.packing import Room
from ..tournament.planning.plan import Tournament
from ..tournament.storage.folder import RunFolder
from .rows import Row


def shown_deals(rows: Sequence[Row], room: Room) -> list[EntryExtras]:
    """Return the deals that there is room for, run by run. Their addresses have the run in front: RUN:nap/1/1/1."""
    runs = defaultdict[str, dict[str, None]](dict)
    for shows in filter(None, (case["shows"] for row in rows for case in row["cases"])):
        run, _, address = shows.rpartition(":")
        runs[run][address] = None
    by_run = [[deal for deal in deals_of(run, [*addresses]) if room.takes(deal)] for run, addresses in runs.items()]
    return [EntryExtras(deals=deals) for deals in by_run if deals]


def deals_of(run: str, addresses: Sequence[str]) -> list[dict[str, Any]]:
    """Return those deals that are in a run, in the player's format; none if the run is not there."""
    folder = RunFolder(Path(run))
    try:
        tournament = folder.tournament()
        places = [place for address in addresses for place in place_in(tournament, address)]
        data = deals_data(folder, tournament, places)
    except RoundsimError:
        return []
    return [in_run(data[place], run) for place in places if place in data]


def in_run(deal: dict[str, Any], run: str) -> dict[str, Any]:
    """Return a deal with the run in its address, and in that of the deal that it plays again."""
    before = {"before": {**there, "addr": f"{run}:{there['addr']}"}} if (there := deal.get("before")) else {}
    return {**deal, "entry": run, "addr": f"{run}:{deal['addr']}", **before}


def place_in(tournament: Tournament, address: str) -> Iterator[str]:
    """Yield the address of a deal if it can be one of this run."""
    with suppress(LogError):
        yield str(address_in(tournament, address)[0])
