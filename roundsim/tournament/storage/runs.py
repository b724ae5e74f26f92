"""Which folders are runs, and when they were last played on. Nothing in them is read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from ...base.text import as_many_as_fit


def runs_in(folder: Path) -> list[Path]:
    """Return the runs in a folder, or the folder itself if it is one; the newest first. OSError."""
    folders = [folder] if is_run(folder) else filter(is_run, folder.iterdir())
    return sorted(folders, key=lambda run: (-changed(run), run.name))


def is_run(folder: Path) -> bool:
    """Return whether a folder is a run: it has a `run.toml`, whatever that is."""
    return os.path.lexists(folder / "run.toml")


def changed(run: Path) -> float:
    """Return when a run was last played on, in seconds since 1970."""
    times = [0.0]
    for path in written(run):
        with suppress(OSError):
            times.append(os.lstat(path).st_mtime)
    return max(times)


def written(run: Path) -> Iterator[Path]:
    """Yield the files and folders that change while a run is played."""
    yield from (run / "run.toml", run / "timing.json")
    with suppress(OSError):
        yield from (run / "log").iterdir()


def hint(folder: Path) -> str:
    """Return which runs are in a folder that is none: 'it has the runs nap-8770ba, loo-1c2d3e and 4 more'; '' if there
    are none."""
    try:
        names = [run.name for run in runs_in(folder)]
    except OSError:
        return ""
    return f"it has the run{'s' * (len(names) > 1)} {as_many_as_fit(names, 40)}" if names else ""
