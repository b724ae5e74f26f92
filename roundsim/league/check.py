"""A pull request judged: the entries that it changes are checked, and tested against what they replace."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ..base.errors import RoundsimError, printable
from ..base.text import WIDTH
from ..reports.stopping_rule import gate_lines
from ..running import Means, play_tournament
from ..tournament.commands import GateCommand
from ..tournament.planning.plan import Entry
from .entries import entries_in
from .field import Candidate, candidates, refuse_some
from .results import League

MOST = 60_000  # bytes of a comment
CODE = re.compile("`+")


class JudgedEntry(NamedTuple):
    """An entry of a pull request. `reason`: why it cannot play, "" if it can; `gates`: by game, its test against the
    version that it replaces, or else against the anchor; none for what is in the league already."""

    entry: Candidate
    reason: str
    gates: Sequence[tuple[str, str, str]] = ()


def judge_entries(
    league: League,
    folder: Path,
    jobs: int,
    author: str | None = None,
    tell: Callable[[int, int], object] = lambda done, total: None,
) -> list[JudgedEntry]:
    """Judge the entries in a folder that are not the same in the league. Nothing of the league changes but `checks/`.

    `author`: who asks for it, and may change no entry of anybody else. FolderError; SealError; PluginError if the folder
    cannot be read."""
    own = league.folder / "entries"
    replaces = folder.resolve() != own.resolve()
    listed = candidates(league.folder, entries_in(folder), league.rules.tables, jobs, tell)
    there = candidates(league.folder, entries_in(own), league.rules.tables, jobs, tell) if replaces else listed
    before = {candidate.name: candidate for candidate in there}
    refuse_some(listed, league.names, league.rules.an_author)
    judged = list[JudgedEntry]()
    for candidate in listed:
        old = before.get(candidate.name)
        if replaces and old and old.sha256 == candidate.sha256:
            continue
        owner = old.author if old and old.author and author else author
        reason = candidate.left_out if owner == author else f"{owner} has entered it, and {author} changes it"
        replaced = None if old and old.left_out else old
        gates = gates_of(league, candidate, replaced, jobs) if replaces and not reason else ()
        judged.append(JudgedEntry(candidate, reason, [*gates]))
    return judged


def gates_of(league: League, candidate: Candidate, old: Candidate | None, jobs: int) -> Iterator[tuple[str, str, str]]:
    """Yield for each game the name of what an entry is tested against, and the verdict in words."""
    for entry in league.rules.tables.entries:
        if not candidate.reasons.get(entry.game):
            yield (
                entry.name,
                f"{candidate.name} as before" if old else league.rules.house[0],
                gate_verdict(league, entry, candidate, old, jobs),
            )


def gate_verdict(league: League, entry: Entry, candidate: Candidate, old: Candidate | None, jobs: int) -> str:
    """Return the verdict of a gate between an entry and what it is tested against, among the strategies of the house."""
    with TemporaryDirectory(prefix="roundsim-") as place:
        command = GateCommand(
            game=entry.game,
            mine=f"new={candidate.text}",
            baseline=f"old={old.text}" if old else league.rules.house[0],
            among=league.rules.house,
            seats=entry.format.table_size(entry.deal),
            options=entry.options,
            isolate=league.rules.tables.limits.isolate,
            out=place,
        )
        try:
            result = play_tournament(command.tournament(), place, means=Means(jobs), command=command)
        except RoundsimError as error:
            if error.code == RoundsimError.code:
                raise
            return str(error)
        return gate_lines(result.standings, WIDTH)


def comment(judged: Sequence[JudgedEntry]) -> str:
    """Return the verdict on a pull request in Markdown; third-party text appears in blocks of code only."""
    lines = [f"### {len(judged)} changed {'entry' if len(judged) == 1 else 'entries'}", ""]
    for one in judged:
        sha = f" `{one.entry.sha256[:16]}`" if one.entry.sha256 else ""
        name = CODE.sub("'", printable(one.entry.name))
        lines += [f"`{name}`{sha}: {'cannot play' if one.reason else 'plays'}", ""]
        lines += [*fenced(one.reason)] if one.reason else []
        for game, against, text in one.gates:
            lines += [f"{game}, against {against}:", "", *fenced(text)]
    text = "\n".join(lines if judged else ["No entry is changed."]) + "\n"
    return text.encode()[:MOST].decode(errors="ignore")


def fenced(text: str) -> Iterator[str]:
    """Yield a block of code with words that may contain anything."""
    fence = "`" * max(3, 1 + max(map(len, CODE.findall(text)), default=0))
    yield from (f"{fence}text", printable(text.strip()), fence, "")
