"""The entries of a league: found in folders, opened and checked as `roundsim check` does."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from .. import games
from ..base import finding
from ..base.errors import PluginError, StrategyError
from ..base.files import real
from ..sources import bots, plugins
from ..sources.plugins import Strategy
from ..sources.specs import read_spec
from ..trial.check import check_source
from ..trial.scripts import CheckRow
from ..trial.trial import TrialOptions


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


def entries_in(folder: Path) -> list[Named]:
    """Return the entries in a folder, none if there is no folder. PluginError if it cannot be read."""
    return [*entries_named([str(folder)])] if folder.is_dir() else []


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


def check_place(text: str) -> None:
    """StrategyError if an entry cannot play where it is, whatever it contains."""
    path = Path(os.path.expanduser(text))
    if os.path.lexists(path):
        if readable(text) != text:
            raise StrategyError("rename it: the path of an entry is UTF-8")
        if not real(path).is_relative_to(real(path.parent)):
            raise StrategyError(f"{path.name} is a link that leads out of its folder")


def open_entry(text: str, game: str) -> Strategy:
    """Return the one strategy of an entry that plays the game. StrategyError, PluginError."""
    strategies = plugins.find(text, game)
    if len(strategies) > 1:
        among = ", ".join([strategy.attribute for strategy in strategies])
        raise StrategyError(
            f"{text}: {len(strategies)} strategies in it play {game}, {among}: an entry is one strategy"
        )
    return strategies[0]


def check_entry(strategy: Strategy, how: TrialOptions) -> str:
    """Check an entry as `roundsim check` does. Return why it does not pass, "" if it does."""
    rows = list[CheckRow | str]()
    problems = check_source([(strategy, [games.named(str(how.game)).id])], how, None, rows.append)
    return reason_in(rows) or "it does not pass roundsim check" if problems else ""


def reason_in(rows: Iterable[CheckRow | str]) -> str:
    """Return what has failed in a check: what was tried, the words, and the places in the entry."""
    reasons = list[str]()
    for row in rows:
        if isinstance(row, CheckRow) and row.verdict == "FAILED":
            lines = [line.strip() for text in row.lines for line in text.split("\n")] or [""]
            kept = [line for line in lines if not line.startswith(("legal ", "again: "))]
            reasons.append("\n".join([f"{row.what}: {kept[0]}" if row.what != "import" else kept[0], *kept[1:]]))
    return "\n".join(reasons)


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


def readable(text: str) -> str:
    """Return a text that may contain the name of a file, in UTF-8."""
    return os.fsencode(text).decode(errors="replace")


def entry_digest(text: str) -> str:
    """Return the sha256 of what an entry plays by; "" if it cannot be read, or is not one source."""
    with suppress(StrategyError, PluginError, ValueError):
        (source,) = plugins.spec_sources(read_spec(text), None)
        return bots.read_bot_file(source).sha256 if bots.is_bot(source) else finding.sha256(source)
    return ""
