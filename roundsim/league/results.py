"""The results of a league: its members, their standings, and the events of each round."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random
from typing import NamedTuple

from ..base.text import signed
from ..statistics.company import company
from ..statistics.differences import Difference, Worths
from ..tournament.judging.verdicts import Pair
from .rounds import RoundFolder, is_finished, rounds_of
from .rules import league_rules
from .standings import (
    Compared,
    LeagueGame,
    Looks,
    Moment,
    Version,
    compared_only,
    compared_over_all,
    compared_versions,
    fitted_worths,
    league_games,
    moments_of,
)

OVER_ALL = "all games"


class LeagueMember(NamedTuple):
    """A member of the league: its name, the number of its version from 1 on, None for a strategy of the house; the player;
    its author, "" if nobody says."""

    name: str
    version: int | None
    player: Version
    author: str = ""

    @property
    def title(self) -> str:
        return self.name if self.version is None else f"{self.name} v{self.version}"


class Line(NamedTuple):
    """A line of the standings. `worth`: counters a deal above the anchor at one table, with its `error`, None for the
    anchor, or if it has too few blocks; `moved`: places up since the round before."""

    member: LeagueMember
    rank: int | None
    likely: Pair | None
    worth: float | None
    error: float | None
    blocks: int
    moved: int = 0


@dataclass(frozen=True)
class StandingsTable:
    """The standings of a game, or over all games. `sure`: the pairs whose first is ahead at any look;
    `unplaced`: those with too many faults in all their rounds; `company`: by how much more than its worth predicts a member
    makes when another one sits there, where that is significant."""

    title: str
    lines: Sequence[Line]
    compared: Compared
    members: Sequence[LeagueMember]
    sure: Sequence[tuple[LeagueMember, LeagueMember]] = ()
    game: LeagueGame | None = None
    fit: Worths | None = None
    moments: Sequence[Moment] = ()
    turns: Sequence[LeagueEvent] = ()
    unplaced: Sequence[LeagueMember] = ()
    company: Sequence[tuple[LeagueMember, LeagueMember, float]] = ()
    drifts: str = ""

    def gap_to_anchor(self, player: Version) -> Difference | None:
        """Return how far a player, of whatever version, is above the anchor."""
        if not self.game or not self.fit or not self.members:
            return None
        one, other = self.game.number(player), self.game.number(self.members[0].player)
        return None if one is None or other is None else self.fit.between(one, other)

    @property
    def lines_by_name(self) -> dict[str, Line]:
        return {line.member.name: line for line in self.lines}


class LeagueEvent(NamedTuple):
    """An event in words, and the place of its round."""

    at: int
    text: str


class League:
    """A league on disk: its rules, its rounds, and the results that follow from them."""

    def __init__(self, folder: Path) -> None:
        """TournamentError, InputError: the rules. LogError whenever a round is damaged."""
        self.folder, self.rules = folder, league_rules(folder)

    @cached_property
    def rounds(self) -> Sequence[RoundFolder]:
        return rounds_of(self.folder)

    @cached_property
    def finished(self) -> Sequence[RoundFolder]:
        return [folder for folder in self.rounds if is_finished(folder.path)]

    @cached_property
    def games(self) -> Sequence[LeagueGame]:
        return league_games(self.rules, self.finished)

    @cached_property
    def versions(self) -> dict[str, list[str]]:
        """The sha256 of each version of each name, in the order of their rounds."""
        versions = dict[str, list[str]]()
        for folder in self.rounds:
            for entry in folder.record.field:
                own = versions.setdefault(entry.name, [])
                if entry.sha256 not in own:
                    own.append(entry.sha256)
        return versions

    @cached_property
    def names(self) -> dict[str, str]:
        """By the sha256 of each version the last name that it has played under."""
        return {entry.sha256: entry.name for folder in self.rounds for entry in folder.record.field}

    @cached_property
    def played(self) -> dict[str, list[int]]:
        """By the sha256 of each version the numbers of the finished rounds in which it took part."""
        played = defaultdict[str, list[int]](list)
        for folder in self.finished:
            for sha in {entry.sha256 for entry in folder.record.field}:
                played[sha].append(folder.record.number)
        return dict(played)

    def members(self, folder: RoundFolder) -> list[LeagueMember]:
        """Return who takes part in a round: the house first, in its order, and the entries."""
        house = dict.fromkeys(name for game in folder.record.games for name in game["strategies"])
        entered = [
            LeagueMember(
                entry.name, self.versions[entry.name].index(entry.sha256) + 1, Version("", entry.sha256), entry.author
            )
            for entry in folder.record.field
        ]
        names = {one.name for one in entered}
        return [*[LeagueMember(name, None, Version(name, "")) for name in house if name not in names], *entered]

    @cached_property
    def current(self) -> list[LeagueMember]:
        """The members in the last round that is finished."""
        return self.members(self.finished[-1]) if self.finished else []

    @cached_property
    def tables(self) -> Sequence[StandingsTable]:
        """The standings over all games, if there are several, and those of each."""
        games = [self.table_of(game) for game in self.games if game.rounds]
        if len(games) < 2:
            return games
        members = [member for member in self.current if all(member in game.members for game in games)]
        places = [[game.members.index(member) for member in members] for game in games]
        parts = [compared_only(game.compared, own) for game, own in zip(games, places, strict=True)]
        units = [game.spread for game in self.games if game.rounds]
        over_all = compared_over_all(parts, units)
        blocks = [min(game.lines_by_name[member.name].blocks for game in games) for member in members]
        return [StandingsTable(OVER_ALL, table_lines(members, over_all, blocks, {}), over_all, members), *games]

    def table_of(self, game: LeagueGame) -> StandingsTable:
        memory = self.rules.memory
        numbers = {member: number for member in self.current if (number := game.number(member.player)) is not None}
        unplaced = [member for member in numbers if game.is_unplaced(member.player)]
        members = [member for member in numbers if member not in unplaced]
        moments, equations = moments_of(game)
        ever = fitted_worths(game, equations=equations)
        fit = fitted_worths(game, memory) if memory else ever
        players = [numbers[member] for member in members]
        among = compared_versions(fit, players, self.rules.least)
        looks = Looks()
        turns = [*self.turns(game, looks)]
        both = sorted(looks.sure(players))
        sure = [(members[players.index(one)], members[players.index(other)]) for one, other in both]
        drifts = drifted(members, players, fit, ever) if memory else ""
        named = dict(zip(players, members, strict=True))
        effects = company(game.tables(memory), fit, lambda i, j: Random(f"{game.entry.name}/{i}/{j}").random)
        pairs = [(named.get(one), named.get(other), size) for one, other, size, _ in effects]
        with_others = [(one, other, size) for one, other, size in pairs if one and other]
        before = ranks_at(moments[-2], players, self.rules.least) if len(moments) > 1 else {}
        listed = table_lines(members, among, [fit.blocks[who] for who in players], before)
        return StandingsTable(
            game.entry.name, listed, among, members, sure, game, fit, moments, turns, unplaced, with_others, drifts
        )

    @cached_property
    def events(self) -> dict[int, list[str]]:
        """The events of each round that has any, by its place, the oldest first: members that come and go, and those that
        get ahead of others."""
        events = defaultdict[int, list[str]](list)
        for at, text in self.comings():
            events[at].append(text)
        for table in self.tables:
            named = f"{table.title}: " * (len(self.games) > 1)
            for at, text in table.turns:
                events[at].append(named + text)
        return dict(sorted(events.items()))

    def comings(self) -> Iterator[LeagueEvent]:
        before = dict[str, LeagueMember]()
        for at, folder in enumerate(self.finished):
            now = {member.name: member for member in self.members(folder) if member.version is not None}
            left_out = {one.name: one.reason for one in folder.record.left_out}
            for name, member in now.items():
                if name not in before or before[name].player != member.player:
                    yield LeagueEvent(at, f"{member.title} takes part")
            for name in sorted(before.keys() - now.keys()):
                why = f": {left_out[name]}" if name in left_out else ""
                yield LeagueEvent(at, f"{name} no longer takes part{why}")
            before = now

    def turns(self, game: LeagueGame, looks: Looks) -> Iterator[LeagueEvent]:
        """Yield when a member is ahead of another one for the first time, and each new leader, at any look."""
        known, leader = set[Pair](), -1
        for at, tables in game.rounds.items():
            looks.add(tables)
            there = self.members(self.finished[at])
            named = {number: one for one in there if (number := game.number(one.player)) is not None}
            sure = looks.sure([*named])
            for one, other in sorted(sure - known):
                yield LeagueEvent(at, f"{named[one].title} is ahead of {named[other].title}")
            known |= sure
            behind = Counter(one for one, _ in sure)
            above_all = [one for one in named if behind[one] == len(named) - 1]
            if above_all and above_all[0] != leader:
                leader = above_all[0]
                yield LeagueEvent(at, f"{named[leader].title} leads: it is ahead of each of the others")


def table_lines(
    members: Sequence[LeagueMember], among: Compared, blocks: Sequence[int], before: Mapping[int, int]
) -> list[Line]:
    """Return the lines of a table, the best first, those that are not ranked yet last. The first of the members is the
    anchor. `before`: the ranks that they had."""
    order = sorted(range(len(members)), key=lambda at: (not among.ranked[at], -among.worths[at]))
    lines = list[Line]()
    for rank, at in enumerate(order, 1):
        gap = among.gap(at, 0) if at else None
        worth = among.worths[at] - among.worths[0] if gap or not at else None
        ranked = among.ranked[at]
        moved = before[at] - rank if ranked and at in before else 0
        error = gap.error if gap else None
        lines.append(Line(members[at], rank if ranked else None, among.likely[at], worth, error, blocks[at], moved))
    return lines


def drifted(members: Sequence[LeagueMember], players: Sequence[int], lately: Worths, ever: Worths) -> str:
    """Say who is worth something else in the rounds that count than in all, by more than both errors."""
    names = list[str]()
    for member, who in zip(members[1:], players[1:], strict=True):
        both = [fit.between(who, players[0]) for fit in (lately, ever)]
        (one, a), (other, b) = [(gap.value, gap.error) if gap else (0.0, None) for gap in both]
        if a is not None and b is not None and abs(one - other) > a + b:
            names.append(f"{member.title} ({signed(one)} lately, {signed(other)} over all rounds)")
    return f"Worth something else lately: {', '.join(names)}." if names else ""


def ranks_at(moment: Moment, players: Sequence[int], least: int) -> dict[int, int]:
    """Return the ranks after an earlier round of those of some players that were ranked then, by their places."""
    there = [at for at, who in enumerate(players) if moment.blocks.get(who, 0) >= least]
    order = sorted(there, key=lambda at: -moment.worths[players[at]])
    return {at: rank for rank, at in enumerate(order, 1)}
