"""A run that grows: strategies join it, more is played, and nothing that was there is touched."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest
from conftest import Git, Shell, Write
from helpers.command import assert_same, begin, roundsim, seldom, shards, wait_for
from helpers.run_files import all_bytes, edit_run_file, run_data, write_run_data
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


def play_nap(*words: object, cwd: Path, deals: int = 400) -> Path:
    """Play Nap. 400 deals among five at four seats are 25 blocks of 16; four of the five sit in each: 20 each."""
    roundsim("play", "nap", *(words or FIVE), "--seats", 4, "--deals", deals, "--jobs", 2, "--out", "run", cwd=cwd)
    return cwd / "run"


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run, and a strategy next to it that is not yet in it."""
    folder = tmp_path_factory.mktemp("there")
    (folder / "mine.py").write_text("def act(view):\n    return view.legal[0]\n")
    return play_nap(cwd=folder)


@pytest.fixture
def run(there: Path, tmp_path: Path) -> Path:
    """The same in a folder of the test's own."""
    shutil.copytree(there.parent, tmp_path, dirs_exist_ok=True)
    return tmp_path / there.name


@pytest.fixture(scope="module")
def larger(there: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run, after mine.py has joined."""
    folder = tmp_path_factory.mktemp("larger")
    shutil.copytree(there.parent, folder, dirs_exist_ok=True)
    roundsim("grow", "run", "--strategy", "mine.py", cwd=folder)
    return folder / "run"


@pytest.fixture
def grown(larger: Path, tmp_path: Path) -> Path:
    """The same in a folder of the test's own."""
    shutil.copytree(larger.parent, tmp_path, dirs_exist_ok=True)
    return tmp_path / "run"


def rows(run: Path) -> dict[str, dict[str, Any]]:
    return {row["strategy"]: row for row in library.open_run(run).rows()}


def joined(run: Path) -> list[int]:
    return [each.get("joined", 0) for each in run_data(run)["games"][0]["strategies"]]


def test_a_new_strategy_has_as_many_blocks_as_the_others_had(run: Path) -> None:
    before, grow = shards(run), ("grow", run, "--strategy", "mine.py")
    assert "joined after 25 blocks" in roundsim(*grow, cwd=run.parent).stdout
    assert joined(run) == [0, 0, 0, 0, 0, 25]
    after = shards(run)
    assert before.items() <= after.items() and set(after) - set(before) == {"log/nap/0000026.zst"}
    found = rows(run)
    assert found["mine"]["blocks"] == 20
    assert sum(row["blocks"] for row in found.values()) == 4 * 45
    assert {row["blocks"] for name, row in found.items() if name != "mine"} == {32}  # 20, and three of five in 20 more
    roundsim("verify", run, cwd=run.parent)
    assert "nothing left to play" in roundsim(*grow, cwd=run.parent).stdout
    assert shards(run) == after and len(joined(run)) == 6
    shown = json.loads(roundsim("deals", run, "--worst", "mine", "-n", 1, "--format", "json", cwd=run.parent).stdout)
    assert int(shown["deal"].split("/")[1]) > 25
    assert "mine" in roundsim("replay", f"{run}:{shown['deal']}", cwd=run.parent).stdout


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
    """25 blocks of 4 among 5 are 20 each; the first is level after 50 more, in block 75, with 50; so the last has 50."""
    (tmp_path / "other.py").write_text("def act(view):\n    return view.legal[-1]\n")
    grow = "grow", run, "--strategy", "mine.py", "--strategy", "last=other.py"
    roundsim(*grow, cwd=tmp_path)
    assert rows(run)["last"]["blocks"] == 50 and run_data(run)["games"][0]["blocks"] == 125
    roundsim(*grow, "--deals", 3200, cwd=tmp_path)
    assert joined(run) == [0, 0, 0, 0, 0, 25, 25]
    # the last is level after 75 x 4 / 3 = 100 more; then 25 x 4 / 7 = 14 2/7 each, besides 100
    assert {row["blocks"] for row in rows(run).values()} == {114, 115}


@pytest.mark.soak
def test_a_strategy_that_imagines_moves_no_shard(run: Path) -> None:
    roundsim("grow", run, "--strategy", "sampler(playouts=2)", "--deals", 448, cwd=run.parent)
    assert [path.stem for path in sorted((run / "log/nap").iterdir())] == ["0000001", "0000026"]
    roundsim("verify", run, cwd=run.parent)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("words", "flag", "few", "many"),
    [
        (("nap", *FIVE, "--seats", 4), "--deals", 300, 1300),
        (("bouillotte", *["book", "random"] * 2, "--as", "freeze-out"), "--times", 7, 25),
        (("brag", *["book", "random"] * 2, "--as", "progressive"), "--times", 3, 8),
    ],
    ids=["round-robin", "freeze-out", "progressive"],
)
def test_more_is_the_run_that_had_it_from_the_first(
    words: tuple[Any, ...], flag: str, few: int, many: int, tmp_path: Path
) -> None:
    roundsim("play", *words, flag, few, "--out", "one", cwd=tmp_path)
    roundsim("play", *words, flag, many, "--out", "other", cwd=tmp_path)
    roundsim("grow", "one", flag, many, cwd=tmp_path)
    assert_same(tmp_path / "one", tmp_path / "other")
    assert "nothing left to play" in roundsim("grow", "one", flag, few, cwd=tmp_path).stdout
    assert_same(tmp_path / "one", tmp_path / "other")


@pytest.mark.soak
def test_strategies_are_loaded_only_if_they_are_installed_or_named(tmp_path: Path, write: Write) -> None:
    """The message has the flags that load them, and nothing else does."""
    write("mine.py", MINE)
    write("other.py", MINE.replace("Mine", "Other").replace("[0]", "[-1]"))
    play_nap("mine.py", "random", "odd=other.py:Other", "random", cwd=tmp_path)
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
    run = play_nap("mine.py", "random", "random", "random", cwd=tmp_path)
    shutil.copy(tmp_path / "mine.py", tmp_path / "kept.py")
    write("mine.py", MINE.replace("[0]", "[-1]"))
    before = (run / "run.toml").read_bytes()
    done = shell("grow", "run", "--strategy", "new=mine.py")
    assert done.code == 64 and "mine.py has changed since Mine played (sha256 " in done.err
    assert "): name the old one too, --strategy git:REV:mine.py:Mine, where REV is a commit that has it" in done.err
    assert (run / "run.toml").read_bytes() == before
    assert shell("grow", "run", "--strategy", "new=mine.py", "--strategy", "kept.py").code == 0
    assert joined(run) == [0, 0, 0, 0, 25]


@pytest.mark.soak
def test_a_changed_strategy_is_taken_from_a_commit(tmp_path: Path, write: Write, shell: Shell, git: Git) -> None:
    write("mine.py", MINE)
    git("init", "-q")
    git("add", "mine.py")
    git("commit", "-qm", "a")
    play_nap("mine.py", "random", "random", "random", cwd=tmp_path)
    write("mine.py", MINE.replace("[0]", "[-1]"))
    refused = shell("grow", "run", "--strategy", "new=mine.py")
    old = refused.err.partition("--strategy ")[2].partition(",")[0].replace("REV", "HEAD")
    assert shell("grow", "run", "--strategy", "new=mine.py", "--strategy", old).code == 0
    assert "new" in rows(tmp_path / "run")


def test_wrong_flags_are_refused(run: Path, shell: Shell) -> None:
    before = all_bytes(run)
    for words, said in {
        "": "nothing to grow by: give --strategy or --deals",
        "--times 5": "--times is not of a round-robin, which takes --deals",
        "--deals 5 --times 5": "give --deals or --times",
        "--strategy nobody": "no strategy 'nobody'",
        "--strategy mine.py --entry nao": "no game 'nao' (did you mean nap?): nap",
        "--strategy random=mine.py": "two strategies are called random",
    }.items():
        done = shell("grow", run, *words.split())
        assert done.code == 64 and said in done.err, done.err
    assert all_bytes(run) == before
    done = shell("grow", "nowhere", "--deals", 5)
    assert done.code == 65 and "this is no run folder" in done.err


@pytest.mark.soak
def test_a_run_that_stops_by_a_rule_does_not_grow(shell: Shell) -> None:
    shell("play", "nap", "book", "random", "--until", "book - random > 0", "--out", "run")
    done = shell("grow", "run", "--deals", 100_000)
    assert done.code == 64 and "stops by a rule, book - random > 0, and does not grow" in done.err


def test_a_grown_run_is_another_and_a_forged_order_of_joining_is_found(grown: Path, shell: Shell) -> None:
    before = all_bytes(grown)
    play = "play", "nap", "--seats", 4, "--deals", 400, "--out", grown, *FIVE
    done = shell(*play)
    assert done.code == 73 and "6 there, 5 here" in done.err and f"roundsim grow {grown} goes on with it" in done.err
    done = shell(*play, "mine.py")
    assert done.code == 73 and "strategies[6].joined is 25 there, None here" in done.err
    assert all_bytes(grown) == before
    for since in 24, 26, 0, -1, 10**9, True, "25":
        data = run_data(grown)
        data["games"][0]["strategies"][5]["joined"] = since
        write_run_data(grown, data)
        assert shell("verify", grown).code in (1, 65), since
    data["games"][0]["strategies"][5]["joined"] = 25
    data["games"][0]["strategies"].reverse()
    write_run_data(grown, data)
    done = shell("standings", grown)
    assert done.code == 65 and "games[1].joined = [25, 0, 0, 0, 0, 0]" in done.err


@pytest.mark.soak
def test_forged_sources_are_not_loaded(tmp_path: Path, write: Write, shell: Shell) -> None:
    """A file that is not the one that has played is not even looked into."""
    write("mine.py", MINE)
    run = play_nap("mine.py", "random", cwd=tmp_path)
    write("evil.py", f"open({str(tmp_path / 'ran')!r}, 'w')\n")
    timing = json.loads((run / "timing.json").read_text())
    evil = {"nap": {"Mine": f"{tmp_path}/evil.py:Mine"}}
    sources: list[object] = [evil, {"nap": {"Mine": 7}}, {"nap": []}, [], "x"]
    forged = [json.dumps({**timing, "sources": each}) for each in sources]
    for text in *forged, "{":
        (run / "timing.json").write_text(text)
        assert shell("grow", "run", "--deals", 1000).code == 64
    assert not (tmp_path / "ran").exists()
    assert shell("grow", "run", "--deals", 1000, "--strategy", "mine.py").code == 0


def test_the_strategy_in_focus_sits_in_every_block(tmp_path: Path) -> None:
    words = "--focus", "book(bold=1)", "--seats", 3, "--deals", 360, "--out", "run"
    roundsim("play", "nap", *FIVE, *words, cwd=tmp_path)
    found = rows(tmp_path / "run")  # 40 blocks of 9; the other four share two seats
    others = dict.fromkeys(["book", "random", "random#2", "book(bold=-1)"], 20)
    assert {name: row["blocks"] for name, row in found.items()} == {"book(bold=1)": 40, **others}
    lines = text_of(tmp_path / "run/log/nap/0000001.zst").splitlines()
    tables = [line[2:].split(" ", 1)[1].split(" | ") for line in lines if line[0] == "="]
    seats = [names.index("book(bold=1)") for names in tables]
    assert {seats.count(seat) for seat in range(3)} == {40}
    roundsim("verify", "run", cwd=tmp_path)
    assert "3 seats, book(bold=1) in every block" in roundsim("standings", "run", cwd=tmp_path).stdout


@pytest.mark.soak
def test_a_run_in_focus_grows(tmp_path: Path) -> None:
    words = ("play", "nap", *FIVE, "--focus", "random", "--seats", 4, "--deals", 400, "--out", "run")
    roundsim(*words, cwd=tmp_path)
    roundsim("grow", "run", "--strategy", "new=book", cwd=tmp_path)
    found = rows(tmp_path / "run")
    assert found["random"]["blocks"] == 45 and found["new"]["blocks"] == 20
    roundsim("verify", "run", cwd=tmp_path)


def test_the_focus_is_checked_in_flags_and_files(shell: Shell, write: Write) -> None:
    for words, said in (
        ("book random --focus boko", "no boko in nap (did you mean book?): book, random"),
        ("book --focus book", "there is nobody else to sit with it"),
        ("book random --focus book --as freeze-out", "--focus is not of a freeze-out"),
    ):
        done = shell("play", "nap", *words.split())
        assert done.code == 64 and said in done.err, done.err
    assert not Path("runs").exists()
    head = f"[tournament]\nstrategies = {['book', *['random'] * 4]}\n"
    write("a.toml", f'{head}[[games]]\ngame = "nap"\nplayers = 4\nfocus = "book"\n')
    assert "book in every block" in shell("run", "a.toml", "--dry-run").out
    write("a.toml", Path("a.toml").read_text().replace('"book"\n', "3\n"))
    done = shell("run", "a.toml")
    assert done.code == 64 and "a.toml:6: focus must be a text, not 3" in done.err


def test_a_run_in_focus_is_not_one_without_and_nobody_joins_a_freeze_out(shell: Shell) -> None:
    words = ("play", "nap", "book", "random", "random", "--seats", 2, "--deals", 20, "--out", "run")
    assert shell(*words, "--focus", "book").code == 0
    before = all_bytes(Path("run"))
    assert shell(*words).code == 73
    assert all_bytes(Path("run")) == before
    shell("play", "bouillotte", *["book", "random"] * 2, "--as", "freeze-out", "--times", 2, "--out", "other")
    done = shell("grow", "other", "--strategy", "book")
    assert done.code == 64 and "nobody can join a freeze-out" in done.err


def test_impossible_sources_are_ignored(run: Path, tmp_path: Path, shell: Shell) -> None:
    os.mkfifo(tmp_path / "fifo.py")
    edit_run_file(run, lambda data: data["games"][0]["strategies"][0].update(name="unknown"))
    for source in "\0.py", "\ud800.py", "/", "/dev/zero", "low((", "fifo.py", "":
        (run / "timing.json").write_text(json.dumps({"sources": {"nap": {"unknown": source}}}))
        done = shell("grow", "run", "--deals", 4100, "--dry-run")
        assert done.code == 64 and "unknown as it has played (sha256 " in done.err, done.err
