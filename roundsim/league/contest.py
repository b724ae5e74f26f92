"""`roundsim contest`: a league of one round, whose rules are those of a command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import tomli_w

from ..base.errors import FolderError
from ..table.deal import Deal
from ..tournament.planning.key_lines import KeyLines
from ..tournament.storage.writing import has_bytes, make_folders, write_aside
from .entries import Named, entries_named, is_known
from .rules import RULES, read_rules


def begin_contest(
    folder: Path,
    texts: Sequence[str],
    game: type[Deal],
    deals: int,
    isolate: str,
    settings: Mapping[str, object],
    title: str | None = None,
) -> list[Named]:
    """Write the rules of a contest into its folder, unless they are there, and return its entries.

    `texts`: entries, and names of strategies that take part unchecked; `settings`: keys of its [[games]] table;
    `title`: by default it is named after the game.
    TournamentError, OptionError: the rules; PluginError, StrategyError: an entry that is not there; FolderError if the
    folder holds anything else."""
    named = [*entries_named([text for text in texts if not is_known(text)])]
    house = list(dict.fromkeys([text for text in texts if is_known(text)]))
    table = {"game": game.id, "players": max(game.seats[0], game.usual[0]), **settings}
    rules = {
        "title": f"{game.title} contest" if title is None else title,
        **({"house": house} if house else {}),
        "round": {"deals": deals, "least": 10},
        "limits": {"isolate": isolate},
        "games": [table],
    }
    read_rules(rules, KeyLines("command line"), folder)
    path, text = folder / RULES, tomli_w.dumps(rules).encode()
    if path.exists() and not has_bytes(path, text):
        raise FolderError(f"{path} has other rules: --out DIR is for another contest")
    if not path.exists():
        try:
            if folder.exists() and any(inner.name != ".lock" for inner in folder.iterdir()):
                raise FolderError(f"{folder} is not empty and holds no contest")
            make_folders(folder)
        except OSError as error:
            raise FolderError(f"cannot write {folder}: {error.strerror}") from None
        write_aside(path, text)
    return named
