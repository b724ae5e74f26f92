"""The next round of a league: planned, recorded, and played to its end."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import groupby
from statistics import median

from ..base.version import __version__
from ..running import Means, play_tournament
from ..tournament.planning.plan import Tournament
from ..tournament.run import Progress
from .field import Candidate, keep_version, refuse_some
from .results import League
from .rounds import Data, LeftOutEntry, RoundFolder, RoundRecord, game_table, newest, rounds_of, table_key
from .standings import LeagueGame, Version

FOCUS = 3  # versions that play more in a round
TOO_MANY = "too many faults in each of its rounds; a new version may play"
SELDOM = 10  # calls; one of them plays if nothing changes


def next_round(league: League, listed: Sequence[Candidate]) -> RoundRecord:
    """Return the next round as it is fixed before the draw, with the versions of its entries kept in `versions/`.

    FolderError; PluginError for an entry that is changed at this moment."""
    rules = league.rules
    refuse_some(listed, league.names, rules.an_author)
    for candidate in listed:
        if not candidate.left_out and any(game.is_out(Version("", candidate.sha256)) for game in league.games):
            candidate.reason = TOO_MANY
    playing = {candidate.name: candidate for candidate in listed if not candidate.left_out}
    left_out = [LeftOutEntry(one.name, one.sha256, one.left_out) for one in listed if one.left_out]
    sources = {entry.sha256: entry.source for folder in league.rounds for entry in folder.record.field}
    field = tuple([keep_version(league.folder, candidate, sources) for candidate in playing.values()])
    focus = fewest(league, playing.values())
    games = [table for game in league.games for table in round_tables(league, game, playing, focus)]
    versions = {entry.game: entry.deal.version for entry in rules.tables.entries}
    number = max((folder.record.number for folder in league.rounds), default=0) + 1
    frame = number, newest(league.rounds), __version__, versions, rules.limits
    return RoundRecord(*frame, tuple(games), field, tuple(sorted(left_out)), focus)


def fewest(league: League, playing: Collection[Candidate]) -> tuple[str, ...]:
    """Return the names of at most three versions with the fewest blocks, below the median of all, or below what a rank
    takes: counts alone, never results."""
    if not league.finished:
        return ()
    blocks = dict[str, int]()
    for candidate in playing:
        games = [game for game in league.games if not candidate.reasons.get(game.entry.game)]
        blocks[candidate.name] = min(game.blocks[game.number(Version("", candidate.sha256))] for game in games)
    enough = max(league.rules.least, median(blocks.values())) if blocks else 0
    behind = [name for name in blocks if blocks[name] < enough]
    return tuple(sorted(behind, key=lambda name: (blocks[name], name))[:FOCUS])


def round_tables(
    league: League, game: LeagueGame, playing: Mapping[str, Candidate], focus: Sequence[str]
) -> Iterator[Data]:
    """Yield the [[games]] tables of a game: one for all, and one for each that plays more.

    Entries of one author never sit at one table: there are as many tables as an author has entries."""
    able = [candidate for candidate in playing.values() if not candidate.reasons.get(game.entry.game, "")]
    more = [name for name in focus if any(candidate.name == name for candidate in able)]
    deals, own = league.rules.deals, game_table(game.entry)
    heats = [*heats_of(able)]
    share = deals // 2 if more else deals
    for number, heat in enumerate(heats, 1):
        name = own["name"] if len(heats) == 1 else f"{own['name']} {number}"
        yield {**own, "name": name, "deals": max(1, share // len(heats)), "strategies": [*league.rules.house, *heat]}
    for name in more:
        with_it = next(heat for heat in heats if name in heat)
        strategies = [*league.rules.house, *with_it]
        table = {**own, "name": f"{own['name']} new {name}", "deals": max(1, share // len(more))}
        yield {**table, "focus": name, "strategies": strategies}


def heats_of(able: Sequence[Candidate]) -> Iterator[list[str]]:
    """Yield the names of those that may sit together: one of each author; who has fewer entries plays in more heats."""
    by_author = [
        [candidate.name for candidate in own] for _, own in groupby(sorted(able, key=author_of), key=author_of)
    ]
    for number in range(max(map(len, by_author), default=1)):
        yield sorted(own[number % len(own)] for own in by_author)


def author_of(candidate: Candidate) -> str:
    return candidate.author or f"\0{candidate.name}"  # an author of its own


def is_idle(league: League, listed: Sequence[Candidate]) -> bool:
    """Whether no entry and no rule has changed in the newest rounds, as many as the rules say."""
    rules, last = league.rules, rounds_of(league.folder, league.rules.idle)
    entries = {(candidate.name, candidate.sha256) for candidate in listed}
    keys = {table_key(game_table(entry), entry.deal.version) for entry in rules.tables.entries}

    def same(record: RoundRecord) -> bool:
        there = {entry[:2] for entry in (*record.field, *record.left_out)}
        played = {table_key(game, record.rules[game["game"]]) for game in record.games}
        alike = record.roundsim == __version__ and record.limits == rules.limits
        return alike and there == entries and played == keys

    return len(last) == rules.idle and all(same(folder.record) for folder in last)


def is_due() -> bool:
    """Whether an idle league plays all the same: one call in ten, drawn, because a league keeps no count of calls."""
    return secrets.randbelow(SELDOM) == 0


class TimeUpError(Exception):
    """The time for a call is over; what is finished is kept."""


def play_round(tournament: Tournament, folder: RoundFolder, jobs: int | None, tell: Callable[[Progress], None]) -> None:
    """Play the tournament of a round, or what is missing of it. `tell` is called a few times a second, and may raise.

    LogError, PluginError, FolderError; SealError if the sandbox does not work here."""
    play_tournament(tournament, folder.run.path, tell, Means(jobs))
