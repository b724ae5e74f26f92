"""Scripted deals played from files and folders: for authors of rules, and for tests of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..base.errors import PluginError, ScriptError
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
            parts = settle_parts(load_toml(path), str(path))
            differences = [f"{name}\n{difference}" for name, difference in parts if difference]
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


def settle_parts(data: dict[str, Any], path: str) -> Iterator[tuple[str, str]]:
    """Yield each deal or comparison of a file by its name, "deal 2", and how it differs, "" if it does not.

    No deal is played after one that differs. ScriptError; PluginError if the game cannot be loaded."""
    return compare_tables(data, path) if "compare" in data else settle_deals(read_script(data, path))


def settle_deals(script: Script) -> Iterator[tuple[str, str]]:
    """Yield each deal, and the difference with the deal step by step up to there."""
    number = 1
    try:
        for _ in script.play():
            yield f"deal {number}", ""
            number += 1
    except DiffersError as differs:
        actions, lines = iter(differs.deal.actions), list[str]()
        Narrator(differs.again, lines.append).narrate(lambda ask: next(actions, None))
        shown = [*str(differs).splitlines(), *(f"  {line}" for line in lines)]
        yield f"deal {number}", "\n".join(f"  {line}" for line in shown)
