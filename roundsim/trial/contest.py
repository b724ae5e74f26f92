"""The entries of a contest: found in folders, opened and checked. Entries that do not load or do not pass are left out."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from .. import games
from ..base import finding
from ..base.errors import DeclarationError, FolderError, InputError, PluginError, StrategyError
from ..base.files import real
from ..processes import pool
from ..processes.descendants import none_left
from ..sources import bots, plugins
from ..sources.plugins import Strategy
from ..sources.specs import read_spec
from ..tournament.storage.contest import ANOTHER, Contest, ContestEntry, close_entries
from .check import check_source
from .scripts import CheckRow
from .trial import TrialOptions

LEAST = 2  # entrants


class Named(NamedTuple):
    """An entry as the command line names it. `stray`: why it cannot play where it is, "" if it can."""

    text: str
    stray: str = ""


def entries_named(texts: Iterable[str]) -> Iterator[Named]:
    """Yield the entries that a command line names: each Python file and each folder in a folder, and any other text as
    it is. PluginError for a folder that cannot be read, StrategyError for a path that is not there."""
    for text in texts:
        path = Path(os.path.expanduser(text))
        if not os.path.lexists(path):
            plugins.spec_sources(read_spec(text), None)
        if not path.is_dir():
            yield Named(text)
            continue
        try:
            inside = sorted(path.iterdir())
        except OSError as error:
            raise finding.unread(path, error) from None
        yield from [Named(os.path.join(text, inner.name), stray(inner)) for inner in inside if is_entry(inner)]


def is_entry(path: Path) -> bool:
    """Return whether a path in a folder of entries is one of them, or is meant to be."""
    name = path.name
    if path.is_dir():
        return name[0] != "." and name != "__pycache__"
    return name == bots.FILE or name.casefold().endswith(".py") and not name.startswith("test_")


def stray(path: Path) -> str:
    """Return why a path in a folder of entries cannot play there; "" if it can."""
    if path.name in ("__init__.py", bots.FILE):
        return "it makes its folder one entry: name that NAME=FOLDER, or give it a folder of its own"
    if path.name[0] in "._":
        return "rename it: the name of an entry does not begin with a dot or _"
    return "" if path.suffix == ".py" or path.is_dir() else "rename it: the name of a Python file ends in .py"


def take_entries(
    folder: Path,
    contest: Contest,
    named: Sequence[Named],
    how: TrialOptions,
    jobs: int,
    tell: Callable[[int, int], object],
) -> tuple[Contest, list[str]]:
    """Open and check the entries of a contest, and close it. Return it, and how a tournament names those that play.

    If they were closed before, they must be the same, and are not checked again. `tell` is called with the number of
    entries that are checked, and of all. InputError if fewer than two are left; FolderError."""
    texts = [entry.text for entry in named]
    if contest.entries:
        refuse_changed(folder, contest, texts)
    entries = contest.entries or checked_entries(named, how, jobs, tell)
    listed = [text_with_name(text, entry.name) for text, entry in zip(texts, entries, strict=True) if not entry.reason]
    if len(listed) < LEAST:
        reasons = [f"  {entry.file}: {entry.reason}" for entry in entries if entry.reason]
        problem = f"a contest needs {LEAST} entries, and {len(listed)} of {len(texts)} can play"
        raise InputError("\n".join([problem, *reasons]))
    return contest if contest.entries else close_entries(folder, contest, entries), listed


def refuse_changed(folder: Path, contest: Contest, texts: Sequence[str]) -> None:
    """Raise FolderError if entries are not those with which a contest was closed."""
    files, before = [*map(file_name, texts)], [entry.file for entry in contest.entries]
    pairs = zip(texts, contest.entries, strict=False)
    changed = sorted({*files} ^ {*before}) or [
        entry.file for text, entry in pairs if entry_digest(text) not in ("", entry.sha256)
    ]
    if changed or files != before:
        raise FolderError(f"{folder} holds a contest with other entries: {', '.join((changed or files)[:5])}{ANOTHER}")


def checked_entries(
    named: Sequence[Named], how: TrialOptions, jobs: int, tell: Callable[[int, int], object]
) -> list[ContestEntry]:
    """Return the entries, each with its name, or with the reason why it is left out."""
    texts = [entry.text for entry in named]
    strategies, reasons = dict[int, Strategy](), {at: entry.stray for at, entry in enumerate(named) if entry.stray}
    playing = {at: text for at, text in enumerate(texts) if at not in reasons}
    plugins.describe_ahead(playing.values(), memory=how.limits.memory, sealed=how.limits.seals)
    for at, text in playing.items():
        try:
            strategies[at] = open_entry(text, games.named(str(how.game)).id)
        except (StrategyError, PluginError) as error:
            if isinstance(error, DeclarationError):  # the game's
                raise
            reasons[at] = readable(str(error).removeprefix(f"{text}: "))
    tried = [(at, strategy) for at, strategy in strategies.items() if not is_known(texts[at])]
    with none_left(), TemporaryDirectory() as scripts:
        check = partial(check_entry, replace(how, scripts=Path(scripts)))
        for done, (at, reason) in enumerate(pool.each(check, tried, min(jobs, len(tried))), 1):
            reasons |= {at: reason} if reason else {}
            tell(done, len(tried))
    names = distinct_names(texts, {at: strategy for at, strategy in strategies.items() if at not in reasons})
    return [
        ContestEntry(
            file_name(text),
            strategies[at].sha256 if at in strategies else entry_digest(text),
            names.get(at, ""),
            reasons.get(at, ""),
        )
        for at, text in enumerate(texts)
    ]


def open_entry(text: str, game: str) -> Strategy:
    """Return the one strategy of an entry that plays the game. StrategyError, PluginError."""
    path = Path(os.path.expanduser(text))
    if os.path.lexists(path):
        if readable(text) != text:
            raise StrategyError("rename it: the path of an entry is UTF-8")
        if not real(path).is_relative_to(real(path.parent)):
            raise StrategyError(f"{text} is a link that leads out of its folder")
    strategies = plugins.find(text, game)
    if len(strategies) > 1:
        among = ", ".join([strategy.attribute for strategy in strategies])
        raise StrategyError(
            f"{text}: {len(strategies)} strategies in it play {game}, {among}: an entry is one strategy"
        )
    return strategies[0]


def check_entry(how: TrialOptions, item: tuple[int, Strategy]) -> tuple[int, str]:
    """Check an entry as `roundsim check` does. Return its number, and why it does not pass, "" if it does."""
    at, strategy = item
    rows = list[CheckRow | str]()
    problems = check_source([(strategy, [games.named(str(how.game)).id])], how, None, rows.append)
    return at, reason_in(rows) or "it does not pass roundsim check" if problems else ""


def reason_in(rows: Iterable[CheckRow | str]) -> str:
    """Return what has failed in a check: what was tried, the words, and the places in the entry."""
    reasons = list[str]()
    for row in rows:
        if isinstance(row, CheckRow) and row.verdict == "FAILED":
            lines = [line.strip() for text in row.lines for line in text.split("\n")] or [""]
            kept = [line for line in lines if not line.startswith(("legal ", "again: "))]
            reasons.append("\n".join([f"{row.what}: {kept[0]}" if row.what != "import" else kept[0], *kept[1:]]))
    return "\n".join(reasons)


def distinct_names(texts: Sequence[str], strategies: dict[int, Strategy]) -> dict[int, str]:
    """Return the names of the strategies in the standings: their own, from the second of a name on with a number."""
    names = dict[int, str]()
    for at, strategy in strategies.items():
        if is_known(texts[at]):
            again = texts[:at].count(texts[at])
            names[at] = f"{strategy}#{again + 1}" if again else str(strategy)  # as in the standings
    for at, strategy in strategies.items():
        if at not in names:
            own = name = re.sub(r"[^\w.-]+", "-", strategy.name)[:40]
            number = 1
            while name in names.values():
                number += 1
                name = f"{own[: 39 - len(str(number))]}-{number}"
            names[at] = name
    return names


def is_known(text: str) -> bool:
    """Return whether a text is the name of an installed strategy, which takes part unchecked."""
    with suppress(StrategyError, PluginError):
        spec = read_spec(text)
        return (
            not os.path.lexists(text)
            and not spec.place.startswith(bots.COMMAND)
            and not plugins.spec_sources(spec, None)
        )
    return False


def text_with_name(text: str, name: str) -> str:
    """Return a text that gives a strategy its name; one that is installed keeps its own."""
    return text if is_known(text) else f"{name}={text.removeprefix(f'{read_spec(text).name}=')}"


def file_name(text: str) -> str:
    return readable(os.path.basename(text.rstrip("/")))


def readable(text: str) -> str:
    """Return a text that may contain the name of a file, in UTF-8."""
    return os.fsencode(text).decode(errors="replace")


def entry_digest(text: str) -> str:
    """Return the sha256 of what an entry plays by; "" if it cannot be read, or is not one source."""
    with suppress(StrategyError, PluginError, ValueError):
        (source,) = plugins.spec_sources(read_spec(text), None)
        return bots.read_bot_file(source).sha256 if bots.is_bot(source) else finding.sha256(source)
    return ""
