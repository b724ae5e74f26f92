"""`roundsim runs`, and what other commands say of a folder of runs."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Outcome, Shell, Write
from helpers.run_files import edit_run_file

from roundsim.base.text import as_many_as_fit
from roundsim.reports.runs import runs_in_format
from roundsim.running import Run
from roundsim.tournament.storage.listing import ListedRun

NOW = 1_800_000_000  # seconds since 1970
HOUR = 3600
Place = Callable[[str, int], Path]


@pytest.fixture
def place(parlour: Run, tmp_path: Path) -> Place:
    """Puts the finished run of Nap into `runs`, last played on a given number of hours ago."""

    def put(name: str, hours: int) -> Path:
        run = tmp_path / "runs" / name
        shutil.copytree(parlour.folder, run)
        age(run, hours)
        return run

    return put


def age(run: Path, hours: int) -> None:
    for path in (run, *run.rglob("*")):
        os.utime(path, (NOW - hours * HOUR, NOW - hours * HOUR), follow_symlinks=False)


def change(run: Path, **game: Any) -> None:
    """Change keys of its only game in its record."""
    edit_run_file(run, lambda data: data["games"][0].update(game))


@pytest.fixture
def at(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Outcome]:
    """The command at a certain time."""
    monkeypatch.setattr("time.time", lambda: float(NOW))
    return lambda *words: shell("runs", *words)


def test_each_run_has_a_line_the_newest_first(place: Place, at: Callable[..., Outcome]) -> None:
    started, old, bad = place("started", 30), place("old", 100), place("bad", 5)
    place("new", 2)
    next((started / "log" / "nap").glob("*.zst")).unlink()
    (started / "standings.json").unlink()
    age(started, 30)
    (old / "run.toml").write_text("schema = 4\n")
    (bad / "run.toml").write_bytes(b"\xff")
    age(old, 100)
    age(bad, 5)
    assert at().out.splitlines() == [
        "run      games  entrants                  deals  faults   age  state",
        "new      nap    book, random, random#2       90       0   2 h  finished",
        "bad      broken: no TOML: 'utf-8' codec can't decode byte 0xff in position 0:...",
        "started  nap    book, random, random#2  0 of 90       0  30 h  unfinished",
        "old      broken: written by another version of roundsim (schema 4, expected 6...",
    ]


def test_as_json(place: Place, at: Callable[..., Outcome]) -> None:
    place("one", 24)
    (run,) = json.loads(at("--format", "json").out)
    assert run == {
        "run": "runs/one",
        "changed": "2027-01-14T08:00:00+00:00",
        "state": "finished",
        "games": ["nap"],
        "entrants": ["book", "random", "random#2"],
        "played": 90,
        "planned": 90,
        "amount": "deals",
        "faults": 0,
        "reason": None,
    }
    assert json.loads(at("runs/one", "--format", "json").out) == [run], "a run is listed alone"


def test_the_log_of_a_finished_run_is_not_read(place: Place, at: Callable[..., Outcome]) -> None:
    shard = next((place("one", 1) / "log" / "nap").glob("*.zst"))
    shard.write_bytes(b"damaged")
    assert at().out.endswith("finished\n")
    (shard.parents[2] / "standings.json").write_text("damaged")
    assert "broken: log/nap/0000001.zst: damaged: " in at().out


@pytest.mark.parametrize("state", ["finished", None])
def test_no_file_is_loaded_because_a_run_names_it(
    state: str | None, place: Place, write: Write, at: Callable[..., Outcome]
) -> None:
    write("old_maid.py", "open('loaded', 'w').close()\n")
    run = place("one", 1)
    change(run, game="old-maid", name="old-maid", source={"module": "old_maid.py:OldMaid", "sha256": "0" * 64})
    if not state:
        (run / "standings.json").unlink()
    (found,) = json.loads(at("--format", "json").out)
    assert (found["games"], found["entrants"]) == (["old-maid"], ["book", "random"])
    assert (found["state"], found["played"], found["faults"]) == (state, None, 0 if state else None)
    assert "old-maid  book, random      -" in at().out and not Path("loaded").exists()


@pytest.mark.parametrize(
    "damage",
    [
        lambda run: (run / "run.toml").write_text(""),
        lambda run: change(run, blocks="many"),
        lambda run: change(run, game="old-maid", source={}),
        lambda run: change(run, options={"stake": 0}),
        lambda run: ((run / "run.toml").unlink(), (run / "run.toml").mkdir()),
        lambda run: ((run / "run.toml").unlink(), (run / "run.toml").symlink_to("nowhere")),
        lambda run: os.truncate(run / "run.toml", 1 << 25),
    ],
)
def test_a_damaged_run_is_broken(damage: Callable[[Path], Any], place: Place, at: Callable[..., Outcome]) -> None:
    place("whole", 1)
    damage(place("damaged", 1))
    done = at()
    assert done.code == 0 and not done.err
    assert len(done.out.splitlines()) == 3 and done.out.count("broken: ") == 1
    assert max(map(len, done.out.splitlines())) <= 80


@pytest.mark.parametrize("results", ["[]", "{}", '{"games": [{"rows": [{"faults": {"late": "x"}}]}]}', "{" * 9999])
def test_damaged_results_are_computed_again(results: str, place: Place, at: Callable[..., Outcome]) -> None:
    (place("one", 2) / "standings.json").write_text(results)
    assert at().out.endswith("90       0  2 h  finished\n")


def test_no_runs(shell: Shell, tmp_path: Path) -> None:
    assert shell("runs") == (65, "", "roundsim: runs: No such file or directory: there are no runs\n")
    (tmp_path / "runs" / "other").mkdir(parents=True)
    assert shell("runs", "--format", "json") == (65, "", "roundsim: runs: there are no runs in it\n")


def test_long_lists_are_shortened() -> None:
    """No line is longer than 80 characters, and a name with a line break does not break its line."""
    games, entrants = tuple(f"game-{n}" for n in range(25)), ("Mine\nown", "book", "random", "expert")
    facts = ListedRun(
        Path("runs/whole-book-8c1f04"), NOW - 60, "unfinished", games, entrants, 1200, 120_000, "deals", 3
    )
    assert runs_in_format([facts], "table", NOW).splitlines() == [
        "run                games  entrants             deals  faults   age  state",
        "whole-book-8c1f04  25     4         1 200 of 120 000       3  60 s  unfinished",
    ]
    for width, text in (19, "nap, loo, newmarket"), (18, "nap and 2 more"), (14, "nap and 2 more"), (13, "3"), (0, "3"):
        assert as_many_as_fit(["nap", "loo", "newmarket"], width) == text


@pytest.mark.parametrize(
    "command", ["standings", "report", "replay", "verify", "deals", "log", "grow", "diff runs"], ids=str.split
)
def test_a_folder_of_runs_is_no_run(command: str, place: Place, shell: Shell) -> None:
    for hours, name in enumerate(["nap-8770ba", "loo-1c2d3e", "nap-loo-commerce-51435b", "whole-book-8c1f04"]):
        place(name, hours)
    runs = "it has the runs nap-8770ba, loo-1c2d3e and 2 more (roundsim runs runs)"
    assert shell(*command.split(), "runs") == (65, "", f"roundsim: runs: this is no run folder; {runs}\n")


def test_a_deal_of_a_folder_of_runs(place: Place, shell: Shell) -> None:
    place("one", 1)
    for command in "replay", "report":
        done = shell(command, "runs:nap/1/1/1")
        assert done.code == 65 and "runs: this is no run folder; it has the run one (roundsim runs runs)" in done.err


@pytest.mark.parametrize(("played", "text"), [(12, "12 of 40 times"), (40, "40 times"), (None, "-")])
def test_amounts_in_times_say_so(played: int | None, text: str) -> None:
    facts = ListedRun(Path("runs/evening"), NOW, "unfinished", ("nap",), ("book",), played, 40, "times", 0)
    assert f"  {text}  " in runs_in_format([facts], "table", NOW)
