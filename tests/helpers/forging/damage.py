"""Damage by chance to any file of a run, with hashes that are right: whatever somebody may write who has roundsim."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import tomli_w
from helpers.command import PATIENCE, roundsim
from helpers.forging import FILES, Forged, Shard, play
from helpers.shard_text import index_of
from helpers.stages import break_off

from roundsim.base.errors import RoundsimError
from roundsim.refereeing.referee import Clock
from roundsim.replaying.report import write_report
from roundsim.tournament.planning.file import load_tournament
from roundsim.tournament.planning.plan import Schedule
from roundsim.tournament.storage.folder import RunFolder
from roundsim.tournament.storage.shards import index_in
from roundsim.tournament.storage.unfinished import hash_of
from roundsim.workers.shard import Playing

NUMBERS = (0, 1, -1, 2, 7, 99, 10**6, 2**31, 10**18, 2**62, 2**63 - 1, -(2**63))  # that fit into a row
TEXTS = ("", "x", "1/1/1", "nap/1/1/1", "\ud800", "play As")
ODD: tuple[Any, ...] = (*NUMBERS, *TEXTS, 10**30, 0.5, float("inf"), float("nan"), True, None, [], [[]], {})
BYTES = (b"", b"0", b"-1", b"99", b"!", b"! ", b"= ", b"|", b"\xff", b"\0", b"\xd9\xa1", b"9" * 5000)


def places(data: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each list or table within data with each of its keys."""
    for key in range(len(data)) if isinstance(data, list) else data if isinstance(data, dict) else ():
        yield data, key
        yield from places(data[key])


def change_data(chance: Random, data: Any) -> None:
    """Change a value somewhere in lists and tables, remove it, or put something before it."""
    if not (found := [*places(data)]):
        return
    table, key = chance.choice(found)
    value, way = table[key], chance.random()
    if way < 0.1:
        del table[key]
    elif way < 0.2 and isinstance(table, list):
        table.insert(key, chance.choice([value, *ODD]))
    elif way < 0.6 and type(value) is int:
        table[key] = value + chance.choice([1, -1, 10])
    elif way < 0.6 and isinstance(value, str):
        table[key] = change_bytes(chance, value.encode(errors="replace")).decode(errors="replace")
    else:
        table[key] = chance.choice(
            [*ODD, *map(table.__getitem__, table if isinstance(table, dict) else range(len(table)))]
        )


def change_bytes(chance: Random, data: bytes) -> bytes:
    """Change a byte, a word or a line, remove it, or put something before it."""
    separator = chance.choice([b"\n", b" ", b", ", b"/", b""])
    parts = data.split(separator) if separator else [data[at : at + 1] for at in range(len(data))]
    at = chance.randrange(len(parts)) if parts else 0
    return separator.join([*parts[:at], chance.choice([*BYTES, *parts[:20]]), *parts[at + chance.choice([0, 1, 1]) :]])


def change_rows(chance: Random, shard: Shard) -> None:
    """Change a number of the rows of a shard, in any field."""
    row = chance.choice(shard.rows)
    numbers = (
        [(table, key) for table, key in places(row[1:]) if type(table[key]) is int] if chance.random() < 0.8 else []
    )
    table, key = chance.choice(numbers) if numbers else (row, chance.choice([2, 3, 7]))  # deals, decisions, squares
    table[key] = chance.choice([*NUMBERS, table[key] + 1, max(0, table[key] - 1)])
    shard.write()


def change_packed(chance: Random, shard: Shard) -> None:
    """Change the bytes of the packed rows or the packed lines of a shard."""
    with shard.path.open("rb") as file:
        head, rows, _ = index_in(file)
        frames = file.read()
    if chance.random() < 0.5:
        rows = chance.choice([b"", b"xx", rows[:-1], rows + b"\0", rows * 2, change_bytes(chance, rows)])
    else:
        frames = change_bytes(chance, frames)
    shard.path.write_bytes(index_of(head, rows) + frames)


def change_head(chance: Random, shard: Shard) -> None:
    change_data(chance, shard.tail)
    shard.write()


def change_lines(chance: Random, shard: Shard) -> None:
    text = change_bytes(chance, "\n".join(shard.lines).encode())
    shard.lines = text.decode("latin-1" if chance.random() < 0.1 else "utf-8", errors="replace").split("\n")
    shard.write()


IN_SHARD: tuple[Callable[[Random, Shard], object], ...] = (change_rows, change_packed, change_head, change_lines)


def damage(run: Forged) -> str:
    """Change something in a file of a run, and return what and where."""
    chance, shards = run.chance, run.shards()
    if shards and chance.random() < 0.6:
        shard, change = run.shard(), chance.choice(IN_SHARD)
        with suppress(AssertionError):  # nothing has changed
            change(chance, shard)
        return f"{change.__name__} of {shard.name}"
    run.deal = shards[0].deal_at(0) if shards else "nap/1/1/1"
    path = chance.choice([path for path in sorted(run.run.rglob("*")) if path.is_file() and path.suffix != ".zst"])
    change_file(chance, path)
    if path.name == "run.toml" and chance.random() < 0.7:  # the keys and the results follow
        with suppress(RoundsimError, AssertionError, KeyError):
            run.rekey()
    return path.name


def change_file(chance: Random, path: Path) -> None:
    """Change the data or the bytes of a file."""
    before = path.read_bytes()
    with suppress(ValueError, TypeError, AttributeError):  # what is changed cannot be written as it should be
        if chance.random() < 0.3:
            raise ValueError
        if path.suffix == ".toml":
            change_data(chance, data := tomllib.loads(before.decode()))
            path.write_text(tomli_w.dumps(data))
        elif path.suffix == ".part":
            change_data(chance, data := json.loads(before.partition(b" ")[2]))
            body = json.dumps(data)
            path.write_text(f"{hash_of([body.encode()])} {body}")
        elif path.suffix in (".json", ".jsonl"):
            lines = [json.loads(line) for line in (before.splitlines() if path.suffix == ".jsonl" else [before])]
            change_data(chance, lines)
            path.write_text("\n".join(map(json.dumps, lines)))
        else:
            raise ValueError
        return
    path.write_bytes(change_bytes(chance, before))


PART = """
[tournament]
name = "part"
strategies = ["random", "book", "random"]
[[games]]
game = "nap"
deals = 4000
"""
BROKEN = PART.replace('"part"', '"broken"').replace("4000", "96")
HOMES = (*FILES, "part", "broken")


def play_home(folder: Path, name: str) -> None:
    """Play a run in a folder: one of those in FILES, one of two parts, or one whose shard is half played."""
    folder.mkdir(parents=True, exist_ok=True)
    if name in FILES:
        play(folder, name)
        write_report(RunFolder(folder / "run"))
    else:
        (folder / f"{name}.toml").write_text(PART if name == "part" else BROKEN)
        for number, out in enumerate(("run", "other") if name == "part" else ("run",), 1):
            more = ("--shard", f"{number}/2") if name == "part" else ()
            roundsim("run", f"{name}.toml", "--jobs", 1, "--out", out, *more, cwd=folder)
        if name == "broken":
            run = RunFolder(folder / "run")
            tournament = load_tournament(folder / "broken.toml")
            path = run.shard(tournament.entries[0], 1)
            path.unlink()
            with Clock(PATIENCE) as clock:
                break_off(Playing(tournament, Schedule(tournament, 0).task(1), clock, path))


def commands(name: str, deal: str) -> Iterator[tuple[object, ...]]:
    """Yield the commands that read a run; `honest` is a copy of it that is not damaged."""
    yield "verify", "run", "--jobs", 1
    yield "standings", "run", "--cross"
    yield "standings", "run", "--format", "json"
    yield "log", "run", "--who"
    yield "log", "run", "--format", "json"
    yield "deals", "run", "--worst"
    yield "deals", "run", "--swing"
    yield "deals", "run", "--fault"
    yield "deals", "run", "--why", "book"
    yield "replay", f"run:{deal}"
    yield "replay", f"run:{deal}", "--script", "-"
    yield "report", "run", "--out", "run.html"
    yield "report", f"run:{deal}", "--out", "deal.html"
    yield "report", "run", "honest", "--out", "diff.html"
    yield "diff", "run", "honest"
    yield "diff", "honest", "run"
    yield "export", "run", "--to", "csv", "--what", "decisions", "--force", "--jobs", 1
    if name == "broken":  # of a hundred deals; the coach plays longer runs for half a minute
        yield "coach", "run", "--of", "book", "--by", "random", "-n", 1, "--jobs", 1
    yield "runs", "."
    yield "grow", "run", "--strategy", "random", "--deals", 4000, "--dry-run"
    yield "merge", "run", *["other"] * (name == "part"), "--out", "merged"


def going_on(name: str) -> Iterator[tuple[object, ...]]:
    """Yield the commands that continue a run, or take blocks from it."""
    part = ("--shard", "1/2") if name == "part" else ()
    yield "run", f"{name}.toml", "--jobs", 1, "--out", "new", "--reuse", "run", *part
    yield "run", f"{name}.toml", "--jobs", 1, "--out", "run", *part
