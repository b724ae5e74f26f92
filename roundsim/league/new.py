"""`roundsim new league`: a league to begin with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from .. import games
from ..base.errors import FolderError
from ..base.version import __version__
from ..tournament.storage.writing import make_folders, write_aside

PLACES = {
    "league.toml": "league.toml",
    "entries.md": "entries/README.md",
    "gitignore": ".gitignore",
    "check.yml": ".github/workflows/check.yml",
    "comment.yml": ".github/workflows/comment.yml",
    "round.yml": ".github/workflows/round.yml",
    "gitlab-ci.yml": ".gitlab-ci.yml",
}


def scaffold(folder: Path, game: str) -> Iterator[Path]:
    """Write the files of a new league, and yield each. UnknownGameError; FolderError if one is there."""
    deal = games.find(game)
    filled = {
        "@TITLE@": f"{deal.title} league",
        "@GAME@": deal.id,
        "@PLAYERS@": str(deal.usual[0]),
        "@ROUNDSIM@": json.dumps(f"roundsim=={__version__}"),
    }
    paths = {name: folder / place for name, place in PLACES.items()}
    if there := [path for path in paths.values() if path.exists()]:
        raise FolderError(f"{there[0]} is there already")
    for name, path in paths.items():
        text = (files(__package__) / "scaffold" / name).read_text("utf-8")
        for key, value in filled.items():
            text = text.replace(key, value)
        make_folders(path.parent)
        write_aside(path, text.encode())
        yield path
