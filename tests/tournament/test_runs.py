"""A run folder is the same bytes whatever happened on the way: processes, hash seeds, interruptions, growth."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from random import Random

import pytest
from conftest import Shell
from helpers.command import (
    PATIENCE,
    TESTS,
    assert_same,
    begin,
    contents,
    deals_of,
    drawn,
    living,
    one_in,
    one_in_with,
    roundsim,
    seldom,
    seldom_with,
    shards,
    small_files,
    stamps,
    wait_for,
)
from helpers.shard_text import text_of, write_text

from roundsim import api, running
from roundsim.base.errors import DisagreesError, FolderError
from roundsim.replaying.verify import verify_run
from roundsim.tournament.planning.file import load_tournament
from roundsim.tournament.run import Progress
from roundsim.tournament.storage.folder import RunFolder
from roundsim.tournament.storage.writer import RunWriter

pytestmark = pytest.mark.usefixtures("here")
IN_WORKERS = pytest.mark.usefixtures("in_process")  # without guests, whose start takes long

HABITS = TESTS / "strategies" / "habits.py"
SMALL = """
class Small:
    games = ["*"]
    imagines = True  # which makes shards small
    def act(self, view):
        return view.legal[-1]
"""
PARLOUR = """
[tournament]
name = "parlour"
strategies = ["random", "book", "habits.py:Sets", "habits.py:Shared", "habits.py:Keeps", "habits.py:Careless", "small.py"]
[[games]]
game = "nap"
players = 4
deals = 96
options = { kitty = "dealer", misery = true }
[[games]]
name = "twenty-one"
game = "vingt-un"
players = 5
sitting = 5
deals = 100
strategies = ["random", "habits.py:Keeps", "habits.py:Shared", "habits.py:Sets", "small.py"]
"""
LONG = """
[tournament]
seed = 7
strategies = ["random", "habits.py:Keeps", "habits.py:Shared", "habits.py:Waits"]
[limits]
seconds = 300
isolate = "off"  # so that strategies see `hold`
[[games]]
game = "nap"
deals = 5040
"""
FREEZE_OUT = """
[tournament]
format = "freeze-out"
strategies = ["random", "book", "random", "habits.py:Keeps", "habits.py:Shared", "random"]
[[games]]
game = "draw-poker"
times = 15
stack = 20
max_seats = 4
options = { stakes = "table" }
"""


def lay_out(folder: Path, text: str, name: str = "tournament.toml") -> Path:
    """A tournament file and its strategies."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(HABITS, folder)
    (folder / "small.py").write_text(SMALL)
    (folder / name).write_text(text)
    return folder


@pytest.fixture(scope="module")
def parlour(tmp_path_factory: pytest.TempPathFactory, here: None) -> Path:
    """A run at one stretch in one process.  Not to be changed: copy it."""
    folder = lay_out(tmp_path_factory.mktemp("parlour"), PARLOUR)
    roundsim("run", "tournament.toml", "--jobs", 1, "--out", "whole", cwd=folder)
    return folder / "whole"


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The long run without an interruption."""
    folder = lay_out(tmp_path_factory.mktemp("unbroken"), LONG)
    roundsim("run", "tournament.toml", "--jobs", 2, "--out", "whole", cwd=folder)
    return folder / "whole"


@pytest.fixture
def copy(parlour: Path, tmp_path: Path) -> Path:
    lay_out(tmp_path, PARLOUR)
    return Path(shutil.copytree(parlour, tmp_path / "copy"))


@pytest.mark.soak
@pytest.mark.parametrize(("jobs", "hash_seed"), [(1, "1"), (2, "random")])
def test_processes_and_hash_seeds_change_nothing(parlour: Path, tmp_path: Path, jobs: int, hash_seed: str) -> None:
    lay_out(tmp_path / "elsewhere", PARLOUR)
    file = Path("elsewhere") / "tournament.toml"
    roundsim("run", file, "--jobs", jobs, "--out", "there", cwd=tmp_path, hash_seed=hash_seed)
    assert_same(parlour, tmp_path / "there")


def test_a_finished_run_is_whole(parlour: Path) -> None:
    results = {"faults.jsonl", "standings.json", "standings.csv", "standings.md"}
    assert {path.name for path in parlour.iterdir()} == {"run.toml", "log", "timing.json", *results}
    standings = json.loads((parlour / "standings.json").read_text())
    assert [game["deals"] for game in standings["games"]] == [96, 100]
    done = roundsim("verify", parlour, cwd=parlour)
    assert done.stdout.startswith("196 deals verified\n")


def test_verify_passes_and_nothing_changes_whatever_was_asked(tmp_path: Path) -> None:
    """Deals rounded up to whole blocks, options in any order: the folder says the same when it is read again."""
    lay_out(tmp_path, "")
    asked: list[list[object]] = [["--deals", 101], ["--option", "misery=true", "--option", "kitty=dealer"]]
    for number, words in enumerate(asked):
        roundsim("play", "nap", "random", "book", "--deals", 100, *words, "--out", number, cwd=tmp_path)
        assert api.verify(tmp_path / str(number))
    # The folder does not hold how many were asked for last.
    for deals in (50, 49):
        roundsim("play", "nap", *["random"] * 4, "--deals", deals, "--out", deals, cwd=tmp_path)
    before = stamps(tmp_path / "50")
    roundsim("play", "nap", *["random"] * 4, "--deals", 49, "--out", 50, cwd=tmp_path)
    assert stamps(tmp_path / "50") == before
    assert_same(tmp_path / "50", tmp_path / "49")


@pytest.mark.soak
@IN_WORKERS
def test_strategies_with_any_parameters(tmp_path: Path, shell: Shell) -> None:
    """A run can record, continue and verify them; or they are refused as a mistake of the user."""
    act = "    def act(self, view): return view.legal[0]\n"
    (tmp_path / "any.py").write_text(f"class Any:\n    def __init__(self, x=0): pass\n{act}")
    for number, value in enumerate(("'two words'", "-1.5", "[1, 2]", "(1, 2)", "None", "True", "1e400", "{1}", "b'a'")):
        play = ("play", "nap", f"any.py:Any(x={value})", "random", "--deals", 8, "--out", number)
        done = shell(*play)
        assert done.code in (0, 64)
        if not done.code:
            assert shell(*play).out.count("nothing left to play") == 1
            assert api.verify(tmp_path / str(number))


def test_the_seed_changes_everything(parlour: Path, copy: Path) -> None:
    cwd = copy.parent
    roundsim("run", "tournament.toml", "--seed", 2, "--out", "other", cwd=cwd)
    one, other = ([line for line in deals_of(run) if "/end " not in line] for run in (parlour, cwd / "other"))
    same = sum(mine == yours for mine, yours in zip(one, other, strict=True))
    assert same < len(one) / 20  # a passed-out deal looks like another
    changed = contents(cwd / "other")
    assert all(changed[name] != data for name, data in contents(parlour).items() if name != "faults.jsonl")


@pytest.mark.soak
def test_an_entry_keeps_its_chance_among_others(parlour: Path, copy: Path) -> None:
    """Neither the order of the entries nor what else is played is in any name of chance."""
    top, nap, twenty_one = PARLOUR.split("[[games]]")
    third = '\ngame = "draw-poker"\nplayers = 4\ndeals = 100\n'
    cwd = copy.parent
    for name, parts in ("turned", (third, twenty_one, nap)), ("alone", (nap,)):
        lay_out(cwd, "[[games]]".join((top, *parts)), f"{name}.toml")
        roundsim("run", f"{name}.toml", "--out", name, cwd=cwd)
        logs = {file: data for file, data in contents(cwd / name).items() if file.startswith("log/")}
        mine = {file: data for file, data in contents(parlour).items() if file in logs}
        assert len(mine) == (2 if name == "alone" else 4)
        assert all(logs[file] == data for file, data in mine.items())


@pytest.mark.soak
def test_a_log_takes_25_bytes_a_deal(tmp_path: Path) -> None:
    roundsim("play", "nap", *["random"] * 4, "--deals", 6000, "--out", "long", cwd=tmp_path)
    size = sum(path.stat().st_size for path in (tmp_path / "long" / "log").rglob("*.zst"))
    assert len(deals_of(tmp_path / "long")) == 6000
    assert size <= 25 * 6000


ENDS: dict[str, tuple[Callable[[int, int], None], int, int]] = {
    "ctrl-c": (os.killpg, signal.SIGINT, 130),
    "int": (os.kill, signal.SIGINT, 130),
    "hang-up": (os.killpg, signal.SIGHUP, 129),
    "term": (os.kill, signal.SIGTERM, 143),
    "term-all": (os.killpg, signal.SIGTERM, 143),
    "kill": (os.kill, signal.SIGKILL, -9),
    "kill-all": (os.killpg, signal.SIGKILL, -9),
}


@contextmanager
def held(cwd: Path, finished: int) -> Iterator[None]:
    """A run that is started meanwhile in a folder below waits when this many shards are finished (`habits.py:Waits`)."""
    hold = cwd / "hold"
    hold.write_text(str(finished))
    try:
        yield
    finally:
        hold.unlink()


def break_off(cwd: Path, end: str, moment: int | float, *words: object) -> str:
    """Start a run and end it: when it has finished this many shards (a whole number), or this many seconds after the start
    of its first worker, wherever it is then.  Returns its messages.  No worker of it may live on."""
    out = cwd / "broken"
    kept = shards(out) if out.exists() else {}
    with ExitStack() as stack:
        if isinstance(moment, int):
            stack.enter_context(held(cwd, len(kept) + moment))
        process = begin("run", "tournament.toml", "--jobs", 2, "--out", "broken", *words, cwd=cwd)
        assert wait_for(lambda: len(living(process.pid)) > 1 or process.poll() is not None)
        if isinstance(moment, int):
            assert wait_for(lambda: len(shards(out)) >= len(kept) + moment or process.poll() is not None)
            assert process.poll() is None
        else:
            time.sleep(moment)
        strike, number, code = ENDS[end]
        if process.poll() is None:
            strike(process.pid, number)
        _, said = process.communicate(timeout=PATIENCE)
    assert wait_for(lambda: not living(process.pid)), f"still there: {living(process.pid)}"
    assert process.returncode in (code, 128 - code, 0), said  # by the signal itself while Python is still starting
    if process.returncode > 0 and said.strip():  # else its strategies were still being met
        assert "interrupted; what is finished is kept in broken" in said
    assert "Traceback" not in said and "bug" not in said, said
    now = shards(out)
    assert kept.items() <= now.items()
    return said


def break_and_continue(tmp_path: Path, unbroken: Path, ends: list[tuple[str, int | float]]) -> None:
    lay_out(tmp_path, LONG)
    for end, moment in ends:
        break_off(tmp_path, end, moment)
    kept = shards(tmp_path / "broken")
    roundsim("run", "tournament.toml", "--jobs", 2, "--out", "broken", cwd=tmp_path)
    assert kept.items() <= shards(tmp_path / "broken").items()
    assert_same(unbroken, tmp_path / "broken")
    assert api.verify(tmp_path / "broken")


@pytest.mark.soak
@pytest.mark.parametrize("end", ["ctrl-c", "hang-up", "term", "kill", "kill-all"])
def test_a_broken_run_goes_on(tmp_path: Path, unbroken: Path, end: str) -> None:
    """Broken off at some moment after its second shard, and again at any."""
    break_and_continue(tmp_path, unbroken, [(end, 2), (end, Random(end).uniform(0, 0.4))])


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(drawn(3, 12)))
def test_a_run_broken_many_times_goes_on(tmp_path: Path, unbroken: Path, seed: int) -> None:
    chance = Random(seed)
    ends = [(chance.choice(list(ENDS)), chance.choice((0.1, 0.5, 1.0)) * chance.random()) for _ in range(8)]
    break_and_continue(tmp_path, unbroken, ends)


@pytest.mark.soak
@pytest.mark.parametrize(
    ("end", "moments"), [("ctrl-c", (0.0, 0.06)), ("ctrl-c", (0.03, 0.1)), ("term-all", (0.0, 0.03, 0.06, 0.1))]
)
def test_workers_that_are_just_starting_keep_silent(tmp_path: Path, end: str, moments: tuple[float, ...]) -> None:
    """A Ctrl-C reaches the whole group, also those which do not yet leave it to their parent."""
    lay_out(tmp_path, LONG)
    for moment in moments:
        break_off(tmp_path, end, moment)


@pytest.mark.soak
def test_a_broken_run_can_be_looked_at_and_continued_by_the_printed_command(tmp_path: Path, unbroken: Path) -> None:
    lay_out(tmp_path, LONG)
    said = break_off(tmp_path, "term", 1)
    assert not (tmp_path / "broken" / "standings.json").exists()
    assert "not played yet" in roundsim("verify", "broken", cwd=tmp_path).stdout
    assert "unfinished" in roundsim("standings", "broken", cwd=tmp_path).stderr
    line = next(line for line in said.splitlines() if line.startswith("continue roundsim "))
    roundsim(*shlex.split(line)[2:], cwd=tmp_path)
    assert_same(unbroken, tmp_path / "broken")


@pytest.mark.soak
def test_files_of_interrupted_writes_are_cleared_away(parlour: Path, copy: Path) -> None:
    """Also of the very first one."""
    first = copy.parent / "first"
    first.mkdir()
    (first / ".lock").touch()
    left = [".run.toml.1", ".standings.json.4242", "log/nap/.0000001.zst.77", "log/twenty-one/.0000003.zst.123456"]
    for name in (*(copy / each for each in left), first / ".run.toml.1234"):
        name.write_bytes(b"half a")
    (copy / "log" / "nap" / "0000004.zst").unlink()
    (copy / "standings.csv").unlink()
    for run in copy, first:
        roundsim("run", "tournament.toml", "--out", run, cwd=copy.parent)
        assert_same(parlour, run)


@pytest.mark.soak
@IN_WORKERS
def test_a_file_of_the_users_own_is_never_deleted(copy: Path) -> None:
    own = [".notes.2024", ".notes.md.7", "0000001.zst.77", "log/nap/.mine.5", "log/.nap.3"]
    for name in own:
        (copy / name).write_text("mine")
    (copy / "log" / "nap" / "0000004.zst").unlink()
    roundsim("run", "tournament.toml", "--out", "copy", cwd=copy.parent)
    assert all((copy / name).read_text() == "mine" for name in own)
    (said,) = [line for line in refused(copy).splitlines() if ".mine.5" in line]
    assert said.endswith("nothing of this run")


@pytest.mark.soak
def test_a_shard_that_is_taken_away_while_a_run_goes_on_is_missed(tmp_path: Path) -> None:
    lay_out(tmp_path, PARLOUR)
    tournament = load_tournament(tmp_path / "tournament.toml")

    def take_away(progress: Progress) -> None:
        if progress.done == progress.total:
            (tmp_path / "out" / "log" / "nap" / "0000001.zst").unlink(missing_ok=True)

    with pytest.raises(FolderError, match=r"0000001\.zst has been taken away"):
        running.play_tournament(tournament, tmp_path / "out", take_away, running.Means(1))
    assert not (tmp_path / "out" / "standings.json").exists()
    assert running.play_tournament(tournament, tmp_path / "out", means=running.Means(1)).played
    assert api.verify(tmp_path / "out")


def swap(one: Path, other: Path) -> None:
    kept = one.read_bytes()
    one.write_bytes(other.read_bytes())
    other.write_bytes(kept)


def of_another(file: str, *words: object) -> Callable[[Path], object]:
    """A shard of another run takes the place of one."""

    def exchange(copy: Path) -> None:
        lay_out(copy.parent, f"{PARLOUR}\n[limits]\nseconds = 2\n", "limited.toml")
        roundsim("run", file, *words, "--out", "other", cwd=copy.parent)
        shutil.copy(copy.parent / "other/log/nap/0000004.zst", copy / "log/nap/0000004.zst")

    return exchange


EXCHANGES: dict[str, Callable[[Path], object]] = {
    "two of a game": lambda copy: swap(copy / "log/nap/0000001.zst", copy / "log/nap/0000004.zst"),
    "two games": lambda copy: swap(copy / "log/nap/0000001.zst", copy / "log/twenty-one/0000001.zst"),
    "one twice": lambda copy: shutil.copyfile(copy / "log/nap/0000001.zst", copy / "log/nap/0000004.zst"),
    "another seed": of_another("tournament.toml", "--seed", 9),
    "another limit": of_another("limited.toml"),
}


@pytest.mark.parametrize("exchange", one_in(6, [*EXCHANGES]))
@IN_WORKERS
def test_no_shard_passes_for_another(copy: Path, exchange: str, shell: Shell) -> None:
    EXCHANGES[exchange](copy)
    readers = [(65, each) for each in ("standings copy", "log copy", "run tournament.toml --out copy")]
    for code, words in *readers, (1, "verify copy"):
        done = shell(*words.split())
        assert done.code == code and ".zst:" in done.err
        assert "it has one of another block" in done.err or "the tail of the shard is damaged" in done.err


@IN_WORKERS
@pytest.mark.parametrize(
    ("text", "flag", "steps"),
    seldom_with(
        (PARLOUR, "--deals", [(60, 1), (180, 2)]),
        (PARLOUR, "--deals", [(40, 4), (200, 1), (360, 2), (520, 4)]),
        (FREEZE_OUT, "--times", [(3, 1), (8, 2), (15, 1)]),
    ),
)
def test_a_run_grows(tmp_path: Path, text: str, flag: str, steps: list[tuple[int, int]]) -> None:
    lay_out(tmp_path, text)
    roundsim("run", "tournament.toml", flag, steps[-1][0], "--out", "whole", cwd=tmp_path)
    for length, jobs in steps:
        roundsim("run", "tournament.toml", flag, length, "--jobs", jobs, "--out", "grown", cwd=tmp_path)
    assert api.verify(tmp_path / "grown")
    assert_same(tmp_path / "whole", tmp_path / "grown")


@pytest.mark.soak
def test_a_run_broken_while_it_grows(tmp_path: Path, unbroken: Path) -> None:
    """Also if the next command asks for no more than there was before."""
    lay_out(tmp_path, LONG)
    roundsim("run", "tournament.toml", "--deals", 2016, "--out", "broken", cwd=tmp_path)
    break_off(tmp_path, "kill-all", 1)
    roundsim("run", "tournament.toml", "--deals", 2016, "--out", "broken", cwd=tmp_path)
    assert_same(unbroken, tmp_path / "broken")


@pytest.mark.parametrize("words", one_in(4, [(), ("--deals", 96), ("--deals", 50), ("--deals", 3)]))
def test_deals_that_are_there_already_are_not_played_again(copy: Path, words: tuple[object, ...]) -> None:
    """The same, or fewer deals: nothing changes, and the command says so."""
    before = stamps(copy)
    done = roundsim("run", "tournament.toml", *words, "--out", copy, cwd=copy.parent)
    assert stamps(copy) == before
    assert "nothing left to play" in done.stdout


@pytest.mark.soak
@IN_WORKERS
def test_the_default_folder_is_found_again(tmp_path: Path, shell: Shell) -> None:
    """By the same command and a larger one; a changed strategy, seed or option has another."""
    lay_out(tmp_path, PARLOUR)
    few = ("run", "tournament.toml", "--deals")

    def folders() -> set[str]:
        return {path.name for path in (tmp_path / "runs").iterdir()}

    assert shell(*few, 10).code == 0
    (first,) = folders()
    assert re.fullmatch("parlour-[0-9a-f]{6}", first)
    done = shell(*few, 10)
    assert "nothing left to play" in done.out
    assert shell(*few, 30).code == 0
    assert folders() == {first}
    assert shell(*few, 10, "--seed", 2).code == 0
    assert len(folders()) == 2
    lay_out(tmp_path, PARLOUR.replace("misery = true", "misery = false"))
    assert shell(*few, 10).code == 0
    assert len(folders()) == 3
    lay_out(tmp_path, PARLOUR)
    with open(tmp_path / "habits.py", "a") as file:
        file.write("# changed\n")
    assert shell(*few, 10).code == 0
    assert len(folders()) == 4
    lay_out(tmp_path, PARLOUR)
    assert "nothing left to play" in shell(*few, 10).out
    assert len(folders()) == 4


@pytest.mark.soak
def test_two_runs_in_one_folder(tmp_path: Path) -> None:
    lay_out(tmp_path, LONG)
    with held(tmp_path, 1):
        first = begin("run", "tournament.toml", "--deals", 2016, "--jobs", 1, "--out", "one", cwd=tmp_path)
        assert wait_for(lambda: shards(tmp_path / "one"))
        done = roundsim("run", "tournament.toml", "--out", "one", cwd=tmp_path, code=73)
        assert "one is in use by another run" in done.stderr
    first.communicate(timeout=PATIENCE)
    assert first.returncode == 0
    assert api.verify(tmp_path / "one") == 2016


@pytest.mark.parametrize(
    ("old", "new", "words"),
    one_in_with(
        7,
        [
            ('name = "parlour"', "seed = 5", "seed is 1 there, 5 here"),
            ("misery = true", "misery = false", "games[1].options.misery is True there, False here"),
            ("players = 4", "players = 3", "games[1].players is 4 there, 3 here"),
            ('["random", "book", ', '["random", "book(bold=1)", ', "games[1].strategies[2].parameters"),
            ('name = "twenty-one"', 'name = "pontoon"', "games[2].name is 'twenty-one' there, 'pontoon' here"),
            ("[[games]]\nname", "[limits]\nseconds = 2\n[[games]]\nname", "limits.seconds is 1.0 there, 2.0 here"),
            ('"random", "habits.py:Keeps", ', '"random", ', "games[2].strategies"),
        ],
    ),
)
def test_a_folder_of_another_run_is_refused(copy: Path, old: str, new: str, words: str, shell: Shell) -> None:
    before = stamps(copy)
    assert PARLOUR.replace(old, new, 1) != PARLOUR
    lay_out(copy.parent, PARLOUR.replace(old, new, 1))
    done = shell("run", "tournament.toml", "--out", "copy")
    assert done.code == 73 and "copy holds a different run: " in done.err and words in done.err
    assert len(done.err) < 400
    assert stamps(copy) == before


def test_a_changed_strategy_is_named(copy: Path) -> None:
    with open(copy.parent / "habits.py", "a") as file:
        file.write("# changed\n")
    done = roundsim("run", "tournament.toml", "--out", "copy", cwd=copy.parent, code=73)
    assert re.search(r"copy holds a different run: .*sha256 is", done.stderr)


def test_a_run_whose_files_were_deleted_is_played_again(tmp_path: Path) -> None:
    """The folders of its log may be left.  Folders of somebody else are in the way, and so is a single file."""
    play, run = ("play", "nap", "book", "random", "--deals", 8, "--out", "run"), tmp_path / "run"
    roundsim(*play, cwd=tmp_path)
    whole = contents(run)
    for path in [path for path in run.rglob("*") if path.is_file()]:
        path.unlink()
    assert sorted(run.rglob("*")) == [run / "log", run / "log" / "nap"]
    for stray in run / "log" / "nap" / "mine.txt", run / "photos" / "mine.txt":
        stray.parent.mkdir(exist_ok=True)
        stray.touch()
        assert "is not empty and holds no run" in roundsim(*play, cwd=tmp_path, code=73).stderr
        stray.unlink()
    assert "is not empty and holds no run" in roundsim(*play, cwd=tmp_path, code=73).stderr
    stray.parent.rmdir()
    roundsim(*play, cwd=tmp_path)
    assert contents(run) == whole


@pytest.mark.soak
@pytest.mark.parametrize("most", [100, 9000])
def test_a_full_disk(tmp_path: Path, most: int) -> None:
    """In the first file, or in a shard: what is there is whole, and the run goes on when there is room again."""
    words = "play", "nap", "random", "book", "random", "--deals", 1100, "--out"
    roundsim(*words, "whole", cwd=tmp_path)
    done = roundsim(*words, "full", cwd=tmp_path, code=73, before=small_files(most))
    assert "cannot write" in done.stderr and "File too large" in done.stderr and "Traceback" not in done.stderr
    there = {name: data for name, data in contents(tmp_path / "full").items() if not name.endswith((".lines", ".part"))}
    assert there.items() <= contents(tmp_path / "whole").items()  # a long shard may be kept aside, as far as it was
    roundsim(*words, "full", cwd=tmp_path)
    assert_same(tmp_path / "whole", tmp_path / "full")


def test_the_folders_of_a_new_run_outlast_a_power_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each folder that is created is on the disk when the command ends, because the folder above it is synced."""
    synced, sync = set[int](), os.fsync

    def fsync(handle: int) -> None:
        synced.add(os.fstat(handle).st_ino)
        sync(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    api.play("nap", ["random", "random"], deals=4, jobs=1, out=tmp_path / "deep" / "run")
    folders = [tmp_path, *(tmp_path / each for each in ("deep", "deep/run", "deep/run/log", "deep/run/log/nap"))]
    assert [each for each in folders if each.stat().st_ino not in synced] == []


@pytest.mark.soak
def test_results_that_cannot_be_written(tmp_path: Path) -> None:
    """The shards have found room, the standings have not."""
    play = ("play", "nap", *["random"] * 30, "--seats", 2, "--deals", 2, "--out", "full")
    done = roundsim(*play, cwd=tmp_path, code=73, before=small_files(5000))
    assert "standings.json" in done.stderr
    assert len(shards(tmp_path / "full")) == 1 and not (tmp_path / "full" / "standings.json").exists()
    roundsim(*play, cwd=tmp_path)
    assert api.verify(tmp_path / "full")


def change_line(shard: Path, number: int, change: Callable[[str], str]) -> str:
    """Change a line (from 1; -1 is the tally) of a shard; where it is."""
    lines = text_of(shard).splitlines()
    at = number - 1 if number > 0 else number
    before, lines[at] = lines[at], change(lines[at])
    assert lines[at] != before
    write_text(shard, "\n".join(lines) + "\n")
    return f"{shard.name}:{at % len(lines) + 1}:"


def first_line(shard: Path, fits: Callable[[str], object]) -> int:
    return next(at for at, line in enumerate(text_of(shard).splitlines(), 1) if at > 20 and fits(line))


def refused(run: Path) -> str:
    """The words of `roundsim verify` about a run."""
    with pytest.raises(DisagreesError) as stop:
        verify_run(RunFolder(run), jobs=1)
    assert len(str(stop.value)) < 5000
    return str(stop.value)


def other_card(line: str) -> str:
    """The second card that is played is the first once more."""
    first, second = re.findall(r"play (\w\w)", line)[:2]
    return line.replace(f"play {second}", f"play {first}", 1)


def other_net(line: str) -> str:
    head, bar, rest = line.partition(" | ")
    address, dealer, *net = head.split()
    return " ".join([address, dealer, str(int(net[0]) + 1), str(int(net[1]) - 1), *net[2:]]) + bar + rest


TAMPERINGS: dict[str, Callable[[str], str]] = {
    "net": other_net,
    "dealer": lambda line: re.sub(r"^(\S+) (\d)", lambda m: f"{m[1]} {(int(m[2]) + 1) % 4}", line),
    "address": lambda line: re.sub(r"/(\d+) ", lambda m: f"/{int(m[1]) + 1} ", line, count=1),
    "nonsense": lambda line: line.replace("play", "pray", 1),
    "cut": lambda line: line.rpartition(", ")[0],
    "more": lambda line: f"{line}, play As",
    "empty": lambda line: "",
}


def change_deal(change: Callable[[str], str], shard: Path) -> str:
    played = first_line(shard, lambda line: len(re.findall("play", line)) > 8 and "/end" not in line)
    return change_line(shard, played, change)


def change_order(shard: Path) -> str:
    lines = text_of(shard).splitlines()
    at = first_line(shard, lambda line: "/1/2 " in line)
    lines[at], lines[at - 1] = lines[at - 1], lines[at]
    write_text(shard, "\n".join(lines) + "\n")
    return f"{shard.name}:{at}:"


def drop_line(fits: Callable[[str], object] | None, shard: Path) -> str:
    """The first line that fits, or the last one before the tally."""
    lines = text_of(shard).splitlines()
    at = first_line(shard, fits) if fits else len(lines) - 1
    del lines[at - 1]
    write_text(shard, "\n".join(lines) + "\n")
    return f"{shard.name}:{at}:"


DAMAGES: dict[str, Callable[[Path], str]] = {
    "card": partial(change_deal, other_card),
    "order": change_order,
    "no seats": partial(drop_line, lambda line: line[0] == "="),
}
RARE_DAMAGES: dict[str, Callable[[Path], str]] = {
    **{name: partial(change_deal, change) for name, change in TAMPERINGS.items()},
    "no deal": partial(drop_line, lambda line: "/1/2 " in line),
    "no last line": partial(drop_line, None),
}


@pytest.mark.parametrize("damage", [*DAMAGES, *seldom(*RARE_DAMAGES)])
def test_verify_finds_damage_in_a_shard(copy: Path, damage: str) -> None:
    where = {**DAMAGES, **RARE_DAMAGES}[damage](copy / "log" / "nap" / "0000004.zst")
    assert where in refused(copy)


@pytest.mark.soak
def test_verify_recomputes_the_tally(copy: Path) -> None:
    shard = copy / "log" / "nap" / "0000004.zst"
    for old, new, said in (
        (r"(\],)(\d+,\d+,\[\[)", r"\g<1>1\2", "damaged: rows of more deals than there are lines"),
        (r"(\],\d+,)(\d+,\[\[)", r"\g<1>1\2", "block "),
        (r"(\],\d+,\d+,\[\[-?\d+)", r"\g<1>7", "block "),
    ):
        kept = shard.read_bytes()
        change_line(shard, -1, partial(re.compile(old).sub, new, count=1))
        assert f"{shard.name}: {said}" in refused(copy)
        shard.write_bytes(kept)
    change_line(shard, -1, lambda line: line.replace('"worst":', '"wurst":'))
    assert f"{shard.name}:" in refused(copy)


@pytest.mark.parametrize("name", ["standings.json", *seldom("standings.csv", "standings.md", "faults.jsonl")])
def test_verify_recomputes_the_results(copy: Path, name: str) -> None:
    path = copy / name
    path.write_text(path.read_text().replace("0.", "0.1", 1) + "\n")
    assert name in refused(copy)
    path.unlink()
    assert name in refused(copy)


@pytest.mark.parametrize(
    "change", [lambda text: text[:200], lambda text: text.replace('game = "nap"', 'game = "whist"')]
)
def test_a_damaged_run_file(copy: Path, change: Callable[[str], str], shell: Shell) -> None:
    path = copy / "run.toml"
    path.write_text(change(path.read_text()))
    for code, *words in (1, "verify", "copy"), (65, "standings", "copy"), (65, "replay", "copy:nap/1/1/1"):
        done = shell(*words)
        assert done.code == code and "run.toml" in done.err


def test_folders_that_cannot_hold_a_run_or_hold_none(shell: Shell, tmp_path: Path) -> None:
    for words in ("verify", "."), ("standings", "none"), ("log", "."), ("replay", ".:nap/1/1/1"):
        said = shell(*words)
        assert said.code == 65 and "no run folder" in said.err
    lay_out(tmp_path, PARLOUR)
    done = roundsim("run", "tournament.toml", "--out", ".", cwd=tmp_path, code=73)
    assert "is not empty and holds no run" in done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"tournament.toml", "habits.py", "small.py"}
    (tmp_path / "closed").mkdir(mode=0o500)
    for place in ["/proc/none", "habits.py/below"] + (["closed/run"] if os.geteuid() else []):
        done = roundsim("run", "tournament.toml", "--out", place, cwd=tmp_path, code=73)
        assert place in done.stderr and "Traceback" not in done.stderr


def test_an_interruption_while_the_lock_is_cleared_away_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RunWriter, "clear_asides", lambda folder: signal.raise_signal(signal.SIGINT))
    with pytest.raises(KeyboardInterrupt), RunWriter(tmp_path).locked():
        assert (tmp_path / ".lock").exists()
    assert not (tmp_path / ".lock").exists()


@pytest.mark.parametrize("link", ["log", "log/nap"])
def test_a_link_in_a_run_is_not_followed(tmp_path: Path, shell: Shell, link: str) -> None:
    """A folder of somebody else's may lead anywhere."""
    shell("play", "nap", "book", "random", "--deals", 8, "--out", "run")
    elsewhere = tmp_path / "elsewhere"
    (tmp_path / "run" / link).rename(elsewhere)
    (tmp_path / "run" / link).symlink_to(elsewhere)
    before = contents(elsewhere)
    done = shell("grow", "run", "--deals", 2000)
    assert done.code == 73 and f"run/{link} is a link" in done.err
    assert contents(elsewhere) == before
