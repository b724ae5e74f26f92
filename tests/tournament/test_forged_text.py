"""A run folder whose texts are all forged: none reaches a terminal, a sheet or a page as more than text."""

from __future__ import annotations

import csv
import json
import re
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from conftest import Outcome, Shell
from helpers.command import BAD, drawn
from helpers.run_files import run_data, write_run_data
from helpers.shard_text import text_of, write_text

import roundsim
from roundsim.base.errors import clean

ESCAPES = "\x1b]52;c;aGk=\x07\r\x9b31m\u202e\u200b\x00\n::add-mask::x\n##[add-mask]x"
MARKS = "=cmd|'/C calc'!A0`<script>alert(1)</script>"
FORGED = {"escapes": ESCAPES, "marks": MARKS}
COMMANDS = {
    "verify": ("verify", "run"),
    **{f"standings {form}": ("standings", "run", "--format", form) for form in ("table", "json", "csv", "md")},
    "log": ("log", "run", "--who"),
    "log json": ("log", "run", "--format", "json"),
    "deals": ("deals", "run", "--fault"),
    "replay": ("replay", "run:nap/1/1/1"),
    "report": ("report", "run", "--out", "page.html"),
    "diff": ("diff", "run", "other"),
    "merge": ("merge", "run", "other", "--out", "whole"),
    "grow": ("grow", "run", "--deals", 4, "--jobs", 1),
    "export": ("export", "run", "--to", "csv", "--out", "tables", "--force"),
}
FILES = "run.toml", "standings.json", "timing.json", "faults.jsonl"

pytestmark = pytest.mark.usefixtures("here")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, here: None) -> Path:
    """A run with faults, parameters and options."""
    room = tmp_path_factory.mktemp("forged")
    shutil.copy(BAD, room)
    crash = {"name": "crash", "from": f"{room}/bad.py:Crash"}
    top = {"name": "evening", "strategies": ["book(bold=1)", crash, f"{room}/bad.py:Begin", "random"]}
    game = {"game": "nap", "deals": 4, "options": {"kitty": "dealer"}}
    (room / "t.toml").write_text(tomli_w.dumps({"tournament": top, "games": [game]}))
    roundsim.run(room / "t.toml", jobs=1, out=room / "run")
    shutil.copytree(room / "run", room / "other")
    return room


@pytest.fixture
def room(whole: Path, tmp_path: Path) -> Path:
    for folder in "run", "other":
        shutil.copytree(whole / folder, tmp_path / folder)
    return tmp_path


def texts(thing: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The places of all texts in it, and of all keys, which have None behind them."""
    if isinstance(thing, str):
        yield path
    for key, value in thing.items() if isinstance(thing, dict) else enumerate(thing) if isinstance(thing, list) else ():
        if isinstance(key, str):
            yield (*path, key, None)
        yield from texts(value, (*path, key))


def with_text(thing: Any, path: tuple[Any, ...], text: str) -> Any:
    """The same with this text at a place."""
    key, *rest = path if path else (None,)
    if key is None:
        return text
    if rest == [None]:
        return {text if each == key else each: value for each, value in thing.items()}
    items = thing.items() if isinstance(thing, dict) else enumerate(thing)
    changed = {each: with_text(value, tuple(rest), text) if each == key else value for each, value in items}
    return changed if isinstance(thing, dict) else [*changed.values()]


def forgeries(run: Path, text: str) -> Iterator[tuple[str, Path, bytes]]:
    """Each text of each file of a run, forged: where, in which file, and what is in that then."""
    for name in FILES:
        path = run / name
        lines = [path.read_text()] if path.suffix != ".jsonl" else path.read_text().splitlines()
        parse, dump = (tomllib.loads, tomli_w.dumps) if path.suffix == ".toml" else (json.loads, json.dumps)
        data = [parse(line) for line in lines]
        for place in texts(data[0]):
            forged = [with_text(data[0], place, text), *data[1:]]
            yield f"{name} {place}", path, "\n".join(map(dump, forged)).encode()
    for path in sorted((run / "log").rglob("*.zst")):
        *body, last = text_of(path).splitlines()
        tail = json.loads(last[2:])
        for place in texts({name: each for name, each in tail.items() if name != "rows"}):
            forged_tail = f"# {json.dumps(with_text(tail, place, text))}"
            yield f"tail {place}", path, "\n".join([*body, forged_tail, ""]).encode()
        for at, line in enumerate(body[:4]):
            words = line.split(" ")
            for word in range(len(words)):
                forged_line = " ".join([*words[:word], text.replace("\n", " "), *words[word + 1 :]])
                forged_body = [*body[:at], forged_line, *body[at + 1 :]]
                yield f"line {at} word {word}", path, "\n".join([*forged_body, last, ""]).encode()


def must_be_text(done: Outcome, where: str) -> None:
    """Nothing that it says is more than that, and no bug of ours is seen (`Shell` refuses tracebacks and 70)."""
    for said in done.out, done.err:
        assert said == clean(said), (where, said)


def must_hold_text(room: Path, where: str) -> None:
    """The files that were written for people and for sheets."""
    for path in [*room.glob("*.html"), *room.glob("tables/*.csv"), *room.glob("run/*.csv"), *room.glob("run/*.md")]:
        text = path.read_text("utf-8")
        assert text == clean(text) or path.suffix == ".html", (where, path)
        assert "<script>alert" not in text or "\\<script>alert" in text, (where, path)
        if path.suffix == ".csv":
            cells = [cell for row in csv.reader(text.splitlines()) for cell in row]
            assert not [cell for cell in cells if cell[:1] in ("=", "+", "@")], where


def all_texts(room: Path, shell: Shell, text: str, names: tuple[str, ...], some: int) -> None:
    """Give one command after the other those of run.toml, which every command reads first, and some of the others."""
    found = 0
    for number, (where, path, data) in enumerate(forgeries(room / "run", text)):
        before = path.read_bytes()
        if path.suffix == ".zst":
            write_text(path, data.decode())
        else:
            path.write_bytes(data)
        if path.name == "run.toml" or not number % some:
            name = names[number % len(names)]
            must_be_text(shell(*COMMANDS[name]), f"{name}: {where}")
            must_hold_text(room, where)
            found += 1
        path.write_bytes(before)
        shutil.rmtree(room / "whole", ignore_errors=True)
    assert found > 50


@pytest.mark.soak
@pytest.mark.parametrize("kind", FORGED)
@pytest.mark.parametrize("name", COMMANDS)
def test_every_text_in_every_command(kind: str, name: str, room: Path, shell: Shell) -> None:
    all_texts(room, shell, FORGED[kind], (name,), drawn(10, 1))


def test_odd_names_in_a_run_are_damage(room: Path, shell: Shell) -> None:
    for name in "=cmd|x", "-x", "@x", "a\nb", "a\u202eb":
        data = run_data(room / "run")
        data["games"][0]["strategies"][-1]["name"] = name
        write_run_data(room / "run", data)
        done = shell("standings", "run")
        assert done.code == 65 and "run.toml: damaged: games[1].strategies[4].name = " in done.err, done


def test_markdown_and_sheets_of_odd_parameters(shell: Shell, tmp_path: Path) -> None:
    """A cell begins with a name, and the parameters in brackets after it end no cell and begin nothing."""
    mine = "class Mine:\n    def __init__(self, x=''): pass\n    def act(self, view):\n        return view.legal[0]\n"
    (tmp_path / "mine.py").write_text(mine)
    odd = "=1`|<b>\\\u202e"
    given = f"mine.py:Mine(x={odd!r})"
    assert shell("play", "nap", given, "random", "--deals", 4, "--jobs", 1, "--out", "run").code == 0
    label = f"Mine(x={odd!r})"
    assert label in [row[3] for row in csv.reader((tmp_path / "run/standings.csv").read_text().splitlines())]
    escaped = label.replace("\\", "\\\\").replace("`", "\\`").replace("|", "\\|").replace("<", "\\<")
    assert f"| {escaped} |" in re.sub(" +", " ", (tmp_path / "run/standings.md").read_text())
