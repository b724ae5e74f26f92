"""Where the shards of a run lie, and which other files are ours."""

from __future__ import annotations

from pathlib import Path

from ..planning.plan import Entry
from .unfinished import KEPT, PIECE

RESULTS = ("standings.json", "standings.csv", "standings.md", "faults.jsonl")
PAGE = "report.html"
CONTEST = "contest.toml"
FILES = ("run.toml", "timing.json", PAGE, CONTEST, *RESULTS)
MANY = 1000  # shards of an entry in one folder
DIGITS = 20  # no block number has more


def shard_path(entry: Entry, first: int) -> str:
    """Path of the shard that begins with this block, in the folder of its entry.

    The first thousand shards are in that folder itself, each next thousand in a folder named after its first shard. The
    path depends on nothing that grows."""
    within = thousand(entry, first)
    return f"{within:07d}/{first:07d}.zst" if within else f"{first:07d}.zst"


def thousand(entry: Entry, first: int) -> int:
    """Return the first block of the thousand shards around this one; 0 for the first thousand, or if there is none."""
    number = entry.number(first)
    return entry.first_block(number - number % MANY) if number >= MANY else 0


def is_thousand(entry: Entry, name: str) -> bool:
    """Whether a folder with some thousand shards of an entry has this name."""
    if not name.isascii() or not name.isdecimal() or len(name) > DIGITS:
        return False
    first = int(name)
    return name == f"{first:07d}" and 0 < first == thousand(entry, first)


def stem_of(name: str) -> str:
    """Return 0063064 for 0063001/0063064.zst; "" if the ending is another."""
    name = name.rpartition("/")[2]
    return name.removesuffix(".zst") if name.endswith(".zst") else ""


def is_aside(path: Path) -> bool:
    """Whether this is a temporary file of ours."""
    name, _, pid = path.name[1:].rpartition(".")
    shard = name.removesuffix(".zst").removeprefix(".").removesuffix(PIECE)
    ours = name in FILES or shard.isdecimal()
    return path.name[0] == "." and pid.isdecimal() and ours and not is_folder(path)


def is_kept(path: Path) -> bool:
    """Whether this is a file kept of an unfinished shard (see `unfinished`)."""
    return path.name[0] == "." and path.suffix in KEPT and path.stem[1:].isdecimal() and not is_folder(path)


def is_folder(path: Path) -> bool:
    """Whether this is a folder, and not a link to one."""
    return path.is_dir() and not path.is_symlink()
