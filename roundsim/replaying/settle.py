"""Scripted deals played from files and folders: for authors of rules, and for tests of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from ..errors import PluginError, ScriptError
from ..refereeing.compare import compare_tables
from ..refereeing.script import DiffersError, Script, load_toml, read_script
from .narrator import Narrator


@dataclass
class SettleResult:
    """The result of settling: `lines` show each difference, `foreign` lists each file that is not a scripted deal."""

    passed: int = 0
    failed: int = 0
    lines: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)


def settle(paths: Iterable[Path]) -> SettleResult:
    """Play the scripted deals of these files and folders, each to its end."""
    paths, outcome = list(paths), SettleResult()
    outcome.foreign += [f"{path}: there is no scripted deal in it" for path in paths if not any(files([path]))]
    for path in files(paths):
        try:
            data = load_toml(path)
            differences = list(
                compare_tables(data, str(path)) if "compare" in data else differences_of(read_script(data, str(path)))
            )
        except ScriptError as error:
            outcome.foreign.append(str(error))
            continue
        except PluginError as error:  # the game that it names
            outcome.foreign.append(f"{path}: {error}")
            continue
        if differences:
            outcome.failed += 1
            outcome.lines += [f"{path}: {differences[0]}", *differences[1:], ""]
        else:
            outcome.passed += 1
    return outcome


def files(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the files as named; of a folder all that end in .toml, in the order of their names."""
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob("*.toml"))
        else:
            yield path


def differences_of(script: Script) -> Iterator[str]:
    """Yield the differences, and the deal step by step up to there."""
    number = 1
    try:
        for _ in script.play():
            number += 1
    except DiffersError as differs:
        yield f"deal {number}"
        yield "\n".join(f"  {line}" for line in str(differs).splitlines())
        actions, lines = iter(differs.deal.actions), list[str]()
        Narrator(differs.again, lines.append).narrate(lambda ask: next(actions, None))
        yield from (f"    {line}" for line in lines)
