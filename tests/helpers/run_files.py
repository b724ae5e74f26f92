"""The files of a run folder as data: read, and changed by hand."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tomli_w


def run_data(run: Path) -> dict[str, Any]:
    """Return what run.toml says."""
    return tomllib.loads((run / "run.toml").read_text("utf-8"))


def write_run_data(run: Path, data: dict[str, Any]) -> None:
    """Write run.toml."""
    (run / "run.toml").write_bytes(tomli_w.dumps(data).encode())


def edit_run_file(run: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change run.toml."""
    data = run_data(run)
    change(data)
    write_run_data(run, data)


def standings_of(run: Path) -> dict[str, Any]:
    """Return what standings.json says."""
    found: dict[str, Any] = json.loads((run / "standings.json").read_text("utf-8"))
    return found


def all_bytes(folder: Path) -> dict[Path, bytes]:
    """Return every file of a folder: it changes if anything is written there."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
