"""A run that grows: who joins it, what is played then, and that nothing of what was there is touched."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tomli_w
from conftest import Shell, Write
from helpers.command import assert_same, begin, roundsim, seldom, shards, wait_for
from helpers.shard_text import text_of

import roundsim as library

pytestmark = pytest.mark.usefixtures("here")

FIVE = ("book", "random", "book(bold=1)", "random", "book(bold=-1)")
MINE = """
    class Mine:
        games = ["nap"]

        def act(self, view):
            return view.legal[0]
    """


def played(*words: object, cwd: Path, deals: int = 400) -> Path:
    """400 deals of Nap among five at four seats are 25 blocks of 16, in each of which four of the five sit: 20 each."""
    roundsim("play", "nap", *(words or FIVE), "--seats", 4, "--deals", deals, "--jobs", 2, "--out", "run", cwd=cwd)
    return cwd / "run"


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run, and beside it a strategy that is not yet in it."""
    folder = tmp_path_factory.mktemp("there")
    (folder / "mine.py").write_text("def act(view):\n    return view.legal[0]\n")
    return played(cwd=folder)


@pytest.fixture
def run(there: Path, tmp_path: Path) -> Path:
    """The same in a folder of the test's own."""
    shutil.copytree(there.parent, tmp_path, dirs_exist_ok=True)
    return tmp_path / there.name


def edit(run: Path, change: Callable[[dict[str, Any]], object]) -> None:
    path = run / "run.toml"
    data = tomllib.loads(path.read_text())
    change(data)
    path.write_bytes(tomli_w.dumps(data).encode())


def rows(run: Path) -> dict[str, dict[str, Any]]:
    return {row["strategy"]: row for row in library.open_run(run).rows()}


def joined(run: Path) -> list[int]:
    return [each.get("joined", 0) for each in tomllib.loads((run / "run.toml").read_text())["games"][0]["strategies"]]


# Who joins


def test_who_joins_has_as_many_blocks_as_the_others_had(run: Path) -> None:
    before = shards(run)
    told = roundsim("grow", run, "--strategy", "mine.py", cwd=run.parent).stdout
    assert "mine joined after 25 blocks" in told.replace("Mine", "mine") or "joined after 25 blocks" in told
    assert joined(run) == [0, 0, 0, 0, 0, 25]
    after = shards(run)
    assert before.items() <= after.items() and set(after) - set(before) == {"log/nap/0000026.zst"}
    found = rows(run)
    assert found["mine"]["blocks"] == 20
    assert sum(row["blocks"] for row in found.values()) == 4 * 45
    assert {row["blocks"] for name, row in found.items() if name != "mine"} == {32}  # 20, and three of five in 20 more
    roundsim("verify", run, cwd=run.parent)


@pytest.mark.soak
def test_the_same_command_again_has_nothing_to_play(run: Path) -> None:
    grow = ("grow", run, "--strategy", "mine.py")
    roundsim(*grow, cwd=run.parent)
    before = shards(run)
    assert "nothing left to play" in roundsim(*grow, cwd=run.parent).stdout
    assert shards(run) == before and len(joined(run)) == 6


@pytest.mark.parametrize("jobs", seldom(1, 2))
def test_a_run_grows_to_the_same_bytes_everywhere(run: Path, jobs: int, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(run, other)
    roundsim("grow", run, "--strategy", "mine.py", "--deals", 2400, "--jobs", 3 - jobs, cwd=run.parent)
    roundsim(*("grow", other, "--strategy", "mine.py", "--deals", 1200, "--jobs", jobs), cwd=run.parent, hash_seed="17")
    roundsim("grow", other, "--strategy", "mine.py", "--deals", 2400, "--jobs", jobs, cwd=run.parent)
    assert_same(run, other)
    assert [path.stem for path in sorted((run / "log/nap").iterdir())] == ["0000001", "0000026", "0000089"]


@pytest.mark.parametrize("kill", seldom(signal.SIGINT, signal.SIGKILL, signal.SIGTERM))
def test_a_run_that_is_broken_off_while_it_grows_goes_on(run: Path, tmp_path: Path, kill: int) -> None:
    other, grow = tmp_path / "other", ("--strategy", "mine.py", "--deals", 5600)
    shutil.copytree(run, other)
    roundsim("grow", run, *grow, cwd=run.parent)
    process = begin("grow", other, *grow, cwd=run.parent)
    assert wait_for(lambda: len(shards(other)) > 1)
    process.send_signal(kill)
    process.communicate()
    assert 1 < len(shards(other)) < len(shards(run))
    roundsim("grow", other, *grow, cwd=run.parent)
    assert_same(run, other)


@pytest.mark.soak
def test_one_after_the_other_joins(run: Path, tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("def act(view):\n    return view.legal[-1]\n")
    roundsim("grow", run, "--strategy", "mine.py", cwd=tmp_path)
    roundsim("grow", run, "--strategy", "mine.py", "--strategy", "last=other.py", "--deals", 1600, cwd=tmp_path)
    assert joined(run) == [0, 0, 0, 0, 0, 25, 45]
    found = rows(run)
    # Five had 25 x 4 / 5 = 20 blocks each.  Mine is level with them after 50 more, in block 75; then the last one sits in the
    # 25 blocks that are left, with three of six others: 12 1/2 each
    assert found["mine"]["blocks"] in (62, 63) and found["last"]["blocks"] == 25
    roundsim("verify", run, cwd=tmp_path)


@pytest.mark.soak
def test_two_may_join_at_once(run: Path, tmp_path: Path) -> None:
    (tmp_path / "other.py").write_text("def act(view):\n    return view.legal[-1]\n")
    roundsim("grow", run, "--strategy", "mine.py", "--strategy", "last=other.py", "--deals", 3200, cwd=tmp_path)
    assert joined(run) == [0, 0, 0, 0, 0, 25, 25]
    # the first is level after 50 blocks, the last after 75 x 4 / 3 = 100 more; then 25 x 4 / 7 = 14 2/7 each, beside 100
    assert {row["blocks"] for row in rows(run).values()} == {114, 115}


def test_deals_of_a_grown_run_are_found_and_shown(run: Path) -> None:
    roundsim("grow", run, "--strategy", "mine.py", cwd=run.parent)
    told = roundsim("deals", run, "--worst", "mine", "-n", 1, "--format", "json", cwd=run.parent).stdout
    address = json.loads(told)["deal"] if "deal" in json.loads(told) else json.loads(told)["address"]
    assert int(address.split("/")[1]) > 25
    assert "mine" in roundsim("replay", f"{run}:{address}", cwd=run.parent).stdout


@pytest.mark.soak
def test_who_imagines_leaves_the_shards_that_are_there_alone(run: Path) -> None:
    roundsim("grow", run, "--strategy", "sampler(playouts=2)", "--deals", 448, cwd=run.parent)
    assert [path.stem for path in sorted((run / "log/nap").iterdir())] == ["0000001", "0000026"]
    roundsim("verify", run, cwd=run.parent)


# More of the same


@pytest.mark.soak
@pytest.mark.parametrize(
    ("words", "few", "many"),
    [
        (("nap", *FIVE, "--seats", 4), ("--deals", 300), ("--deals", 1300)),
        pytest.param(
            *(
                ("bouillotte", "book", "random", "book", "random", "--as", "freeze-out"),
                ("--times", 7),
                ("--times", 25),
            ),
            marks=pytest.mark.soak,
        ),
        pytest.param(
            *(("brag", "book", "random", "book", "random", "--as", "progressive"), ("--times", 3), ("--times", 8)),
            marks=pytest.mark.soak,
        ),
    ],
    ids=["round-robin", "freeze-out", "progressive"],
)
def test_more_of_it_is_the_run_that_had_it_from_the_first(
    words: tuple[Any, ...], few: tuple[Any, ...], many: tuple[Any, ...], tmp_path: Path
) -> None:
    roundsim("play", *words, *few, "--out", "one", cwd=tmp_path)
    roundsim("play", *words, *many, "--out", "other", cwd=tmp_path)
    roundsim("grow", "one", *many, cwd=tmp_path)
    assert_same(tmp_path / "one", tmp_path / "other")
    fewer = roundsim("grow", "one", *few, cwd=tmp_path)
    assert "nothing left to play" in fewer.stdout
    assert_same(tmp_path / "one", tmp_path / "other")


# Where strategies come from


@pytest.mark.soak
def test_strategies_are_loaded_only_if_they_are_installed_or_named(tmp_path: Path, write: Write) -> None:
    """The message has the flags that load them, and nothing else does."""
    write("mine.py", MINE)
    write("other.py", MINE.replace("Mine", "Other").replace("[0]", "[-1]"))
    played("mine.py", "random", "odd=other.py:Other", "random", cwd=tmp_path)
    (tmp_path / "elsewhere").mkdir()
    refused = roundsim("grow", "../run", "--deals", 500, cwd=tmp_path / "elsewhere", code=64).stderr
    assert "Mine as it has played (sha256 " in refused and " and 1 more: not installed here, so name it: " in refused
    flags = shlex.split(refused.rpartition("name it: ")[2])
    assert flags == ["--strategy", f"{tmp_path}/mine.py:Mine", "--strategy", f"odd={tmp_path}/other.py:Other"]
    roundsim("grow", "../run", "--deals", 500, *flags, cwd=tmp_path / "elsewhere")
    roundsim("grow", "run", "--strategy", "book", *flags, cwd=tmp_path)
    roundsim("verify", "run", cwd=tmp_path)


def test_a_strategy_that_has_changed_is_reported_and_may_be_named(tmp_path: Path, write: Write, shell: Shell) -> None:
    write("mine.py", MINE)
    run = played("mine.py", "random", "random", "random", cwd=tmp_path)
    shutil.copy(tmp_path / "mine.py", tmp_path / "kept.py")
    write("mine.py", MINE.replace("[0]", "[-1]"))
    before = (run / "run.toml").read_bytes()
    told = shell("grow", "run", "--strategy", "new=mine.py")
    assert told.code == 64 and "mine.py has changed since Mine played (sha256 " in told.err
    assert "): name the old one too, --strategy git:REV:mine.py:Mine, where REV is a commit that has it" in told.err
    assert (run / "run.toml").read_bytes() == before
    assert shell("grow", "run", "--strategy", "new=mine.py", "--strategy", "kept.py").code == 0
    assert joined(run) == [0, 0, 0, 0, 25]


def test_a_strategy_that_has_changed_is_taken_from_a_commit(tmp_path: Path, write: Write, shell: Shell) -> None:
    write("mine.py", MINE)
    for words in (
        ("init", "-q"),
        ("add", "mine.py"),
        ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"),
    ):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    played("mine.py", "random", "random", "random", cwd=tmp_path)
    write("mine.py", MINE.replace("[0]", "[-1]"))
    told = shell("grow", "run", "--strategy", "new=mine.py")
    old = told.err.partition("--strategy ")[2].partition(",")[0].replace("REV", "HEAD")
    assert shell("grow", "run", "--strategy", "new=mine.py", "--strategy", old).code == 0
    assert [*rows(tmp_path / "run")][-1:] and "new" in rows(tmp_path / "run")


# What cannot be


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "nothing to grow by: give --strategy or --deals"),
        (("--times", 5), "--times is not of a round-robin, which takes --deals"),
        (("--deals", 5, "--times", 5), "give --deals or --times"),
        (("--strategy", "nobody"), "no strategy 'nobody'"),
        (("--strategy", "mine.py", "--entry", "nao"), "no game 'nao' (did you mean nap?): nap"),
        (("--strategy", "random=mine.py"), "two strategies are called random"),
    ],
)
def test_what_is_asked_must_make_sense(run: Path, shell: Shell, words: tuple[Any, ...], said: str) -> None:
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    told = shell("grow", run, *words)
    assert told.code == 64 and said in told.err, told.err
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before


@pytest.mark.soak
def test_a_run_that_stops_by_a_rule_does_not_grow(shell: Shell) -> None:
    shell("play", "nap", "book", "random", "--until", "book - random > 0", "--out", "run")
    told = shell("grow", "run", "--deals", 100_000)
    assert told.code == 64 and "stops by a rule, book - random > 0, and does not grow" in told.err


def test_nobody_joins_a_freeze_out(shell: Shell) -> None:
    shell("play", "bouillotte", *["book", "random"] * 2, "--as", "freeze-out", "--times", 2, "--out", "run")
    told = shell("grow", "run", "--strategy", "book")
    assert told.code == 64 and "nobody can join a freeze-out" in told.err


def test_there_must_be_a_run(shell: Shell) -> None:
    told = shell("grow", "nowhere", "--deals", 5)
    assert told.code == 65 and "this is no run folder" in told.err


def test_the_command_that_began_it_says_that_it_has_grown(run: Path, shell: Shell) -> None:
    roundsim("grow", run, "--strategy", "mine.py", cwd=run.parent)
    told = shell("play", "nap", *FIVE, "--seats", 4, "--deals", 400, "--out", run)
    assert told.code == 73 and "6 there, 5 here" in told.err and f"roundsim grow {run} goes on with it" in told.err


@pytest.mark.parametrize("since", [24, *seldom(26, 0), -1, *seldom(10**9, True), "25"])
def test_when_somebody_joined_is_not_to_be_forged(run: Path, shell: Shell, since: Any) -> None:
    roundsim("grow", run, "--strategy", "mine.py", cwd=run.parent)

    def forge(data: dict[str, Any]) -> None:
        data["games"][0]["strategies"][5]["joined"] = since

    edit(run, forge)
    assert shell("verify", run).code in (1, 65)


def test_who_joined_first_stands_first(run: Path, shell: Shell) -> None:
    roundsim("grow", run, "--strategy", "mine.py", cwd=run.parent)
    edit(run, lambda data: data["games"][0]["strategies"].reverse())
    told = shell("standings", run)
    assert told.code == 65 and "games[1].joined = [25, 0, 0, 0, 0, 0]" in told.err


@pytest.mark.soak
def test_where_strategies_were_is_not_to_be_forged(tmp_path: Path, write: Write, shell: Shell) -> None:
    """A file that is not the one that has played is not even looked into."""
    write("mine.py", MINE)
    run = played("mine.py", "random", cwd=tmp_path)
    write("evil.py", f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    timing = json.loads((run / "timing.json").read_text())
    forged: tuple[object, ...] = (
        {"nap": {"Mine": f"{tmp_path}/evil.py:Mine"}},
        {"nap": {"Mine": 7}},
        {"nap": []},
        [],
        "x",
    )
    for sources in forged:
        (run / "timing.json").write_text(json.dumps({**timing, "sources": sources}))
        assert shell("grow", "run", "--deals", 1000).code == 64
    (run / "timing.json").write_text("{")
    assert shell("grow", "run", "--deals", 1000).code == 64
    assert not (tmp_path / "ran").exists()
    assert shell("grow", "run", "--deals", 1000, "--strategy", "mine.py").code == 0


# In focus


def test_who_is_in_focus_sits_in_every_block(tmp_path: Path) -> None:
    roundsim(
        "play", "nap", *FIVE, "--focus", "book(bold=1)", "--seats", 3, "--deals", 360, "--out", "run", cwd=tmp_path
    )
    found = rows(tmp_path / "run")  # 40 blocks of 9; the other four share two seats
    assert {name: row["blocks"] for name, row in found.items()} == {
        "book(bold=1)": 40,
        **dict.fromkeys(["book", "random", "random#2", "book(bold=-1)"], 20),
    }
    tables = [
        line[2:].split(" ", 1) for line in text_of(tmp_path / "run/log/nap/0000001.zst").splitlines() if line[0] == "="
    ]
    seats = [names.split(" | ").index("book(bold=1)") for _, names in tables]
    assert {seats.count(seat) for seat in range(3)} == {40}
    roundsim("verify", "run", cwd=tmp_path)
    told = roundsim("standings", "run", cwd=tmp_path).stdout
    assert "3 seats, book(bold=1) in every block" in told


@pytest.mark.soak
def test_a_run_in_focus_grows(tmp_path: Path) -> None:
    words = ("play", "nap", *FIVE, "--focus", "random", "--seats", 4, "--deals", 400, "--out", "run")
    roundsim(*words, cwd=tmp_path)
    roundsim("grow", "run", "--strategy", "new=book", cwd=tmp_path)
    found = rows(tmp_path / "run")
    assert found["random"]["blocks"] == 45 and found["new"]["blocks"] == 20
    roundsim("verify", "run", cwd=tmp_path)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("book", "random", "--focus", "boko"), "no boko in nap (did you mean book?): book, random"),
        (("book", "--focus", "book"), "there is nobody else to sit with it"),
        (("book", "random", "--focus", "book", "--as", "freeze-out"), "--focus is not of a freeze-out"),
    ],
)
def test_somebody_must_be_in_focus(shell: Shell, words: tuple[str, ...], said: str) -> None:
    told = shell("play", "nap", *words)
    assert told.code == 64 and said in told.err, told.err
    assert not Path("runs").exists()


def test_focus_stands_in_a_file(write: Write, shell: Shell) -> None:
    write(
        "a.toml",
        """
        [tournament]
        strategies = ["book", "random", "random", "random", "random"]
        [[games]]
        game = "nap"
        players = 4
        focus = "book"
        """,
    )
    assert "book in every block" in shell("run", "a.toml", "--dry-run").out
    write("a.toml", Path("a.toml").read_text().replace('"book"\n', "3\n"))
    told = shell("run", "a.toml")
    assert told.code == 64 and "a.toml:6: focus must be a text, not 3" in told.err


# What is not the same run, though all that is asked for is in it


def test_a_run_that_has_grown_is_not_one_that_had_all_from_the_first(run: Path, shell: Shell) -> None:
    roundsim("grow", run, "--strategy", "mine.py", cwd=run.parent)
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    told = shell("play", "nap", *FIVE, "mine.py", "--seats", 4, "--deals", 400, "--out", run)
    assert told.code == 73 and "strategies[6].joined is 25 there, None here" in told.err
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before


def test_a_run_in_focus_is_not_one_without(shell: Shell) -> None:
    words = ("play", "nap", "book", "random", "random", "--seats", 2, "--deals", 20, "--out", "run")
    assert shell(*words, "--focus", "book").code == 0
    before = {path: path.read_bytes() for path in Path("run").rglob("*") if path.is_file()}
    assert shell(*words).code == 73
    assert {path: path.read_bytes() for path in Path("run").rglob("*") if path.is_file()} == before


@pytest.mark.soak
def test_the_last_of_several_who_join_has_as_many_blocks_as_the_others_had(run: Path) -> None:
    """25 blocks of 4 among 5 are 20 each; the first is level after 50 more, in block 75, with 50; so the last has 50."""
    roundsim("grow", run, "--strategy", "mine.py", "--strategy", "last=mine.py", "--dry-run", cwd=run.parent)
    roundsim("grow", run, "--strategy", "mine.py", "--strategy", "last=mine.py", cwd=run.parent)
    assert (
        rows(run)["last"]["blocks"] == 50 and tomllib.loads((run / "run.toml").read_text())["games"][0]["blocks"] == 125
    )


@pytest.mark.parametrize("source", ["\0.py", "\ud800.py", "/", "/dev/zero", "low((", "fifo.py", ""])
def test_a_source_that_is_none_is_passed_over(there: Path, tmp_path: Path, shell: Shell, source: str) -> None:
    shutil.copytree(there, tmp_path / "run")
    os.mkfifo(tmp_path / "fifo.py")
    edit(tmp_path / "run", lambda data: data["games"][0]["strategies"][0].update(name="stranger"))
    timing = {"sources": {"nap": {"stranger": source}}}
    (tmp_path / "run" / "timing.json").write_text(json.dumps(timing))
    told = shell("grow", "run", "--deals", 4100, "--dry-run")
    assert told.code == 64 and "stranger as it has played (sha256 " in told.err, told.err
