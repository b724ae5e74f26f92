"""`roundsim verify`: every deal of a run goes through the rules again, and every number is recomputed."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import DisagreesError, LogError
from ..refereeing.referee import collect_seldom
from ..reports.data import results
from ..tournament.folder import RunFolder
from ..tournament.formats import play_block
from ..tournament.plan import Entry
from ..tournament.record import Address, Line, Told
from ..tournament.tally import Fold, Tally
from .log import LogDriver, only_follow, shards


def verify(folder: RunFolder) -> tuple[int, int]:
    """Replay every deal through the rules and recompute every number.  DisagreesError names the first that does not.

    Returns the number of deals, and of shards that the run still lacks."""
    tournament, deals, missing = folder.tournament(), 0, 0
    folds = {entry.name: Fold() for entry in tournament.entries}
    collect_seldom()
    for shard in shards(tournament, folder):
        missing += not shard.whole
        if shard.lines is None or shard.tally is None:
            continue
        entry, again, path = shard.entry, Tally(), str(folder.shard(shard.entry, shard.first))
        driver = LogDriver(path, shard.lines, entry.labels, only_follow)
        for block, seating in enumerate(shard.seatings, shard.first):
            play_block(driver, entry, tournament.seed, block, seating, again)
        if driver.at != len(shard.lines):
            raise DisagreesError(f"{path}:{driver.at + 1}: nothing is to come after the last deal")
        again.faults, again.told = shard.tally.faults, shard.tally.told
        check_told(path, shard.lines, again.told, entry)
        if again.to_json() != shard.tally.to_json():
            raise DisagreesError(f"{path}:{len(shard.lines) + 1}: the tally at its end is not that of its deals")
        folds[entry.name].add(shard.number, again)
        deals += again.deals
    if not missing:
        for name, data in results(tournament, list(folds.values())).items():
            file = folder.path / name
            if not file.exists() or file.read_bytes() != data:
                raise DisagreesError(f"{file}: not what the log comes to")
    return deals, missing


def check_told(path: str, lines: Sequence[str], told: Sequence[Told], entry: Entry) -> None:
    """Every fault that is told of a question stands in the log as a mark at its action."""
    at = (
        {line.split(" ", 1)[0]: number for number, line in enumerate(lines) if not line.startswith("= ")}
        if told
        else {}
    )
    for each in told:
        try:
            place = Address.parse(each.deal).place
        except LogError as error:
            raise DisagreesError(f"{path}:{len(lines) + 1}: {error}") from None
        marked = each.phase not in entry.deal.phases or place not in at
        if not marked and Line.parse(lines[at[place]]).marks.get(each.action - 1) != each.kind:
            raise DisagreesError(f"{path}:{at[place] + 1}: the fault at action {each.action} is not marked")
