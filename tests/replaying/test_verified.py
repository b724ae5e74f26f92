"""The report of `roundsim verify`: the run, the sources of its strategies, its page."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Sequence
from hashlib import sha1
from pathlib import Path
from random import Random
from typing import Any

import pytest
from conftest import Shell, Write
from helpers.command import one_in_with, seldom_with
from helpers.forging import Forged

import roundsim
from roundsim.base.finding import sha256

pytestmark = pytest.mark.usefixtures("here")

HOUSE = Path(__file__).parent.parent.parent / "strategies"
Data = dict[str, Any]
Play = Callable[..., Forged]
MINE = """
class Mine:
    def __init__(self, risk=0.5): ...
    def act(self, view):
        return view.legal[-1]
"""
CRASH = """
class Crash:
    def act(self, view):
        raise ValueError
"""


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of runs that were played for one test and are copied for others."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture
def play(shell: Shell, write: Write, kept: Path) -> Play:
    """Plays a small run into the folder `run`, among these strategies, and gives it to be forged."""
    write("mine.py", MINE)
    write("crash.py", CRASH)

    def run_among(*strategies: str, games: str = "nap", more: Sequence[object] = ()) -> Forged:
        words = "play", games, *strategies, "--deals", 32, "--seed", 7, "--jobs", 1, "--out", "run", *more
        folder = kept / sha1(repr(words).encode()).hexdigest()
        if not folder.exists() or Path("run").exists():
            done = shell(*words)
            assert done.code in (0, 2), done
            shutil.copytree("run", folder, dirs_exist_ok=True)
        else:
            shutil.copytree(folder, "run")
        return Forged(Path("run"), Random(1), lambda other: Path(other))

    return run_among


def of_each(run: Forged, change: Callable[[Data], object]) -> None:
    """Change the record of each strategy in run.toml, and what follows from it."""
    run.edit_run(lambda data: [change(each) for game in data["games"] for each in game["strategies"]])
    run.rekey()


def short(path: Path) -> str:
    return sha256(path)[:8]


def test_it_says_what_was_verified(play: Play, shell: Shell) -> None:
    play("book", "random", "mine.py:Mine(risk=0.8)", "wild=random", games="nap,loo", more=["--report"])
    done = shell("verify", "run")
    assert (done.code, done.err) == (0, "")
    assert done.out == (
        "64 deals verified\n"
        "\n"
        " run          nap-loo · round-robin · seed 7\n"
        f" played by    roundsim {roundsim.__version__}\n"
        " deals        nap 32, loo 32\n"
        " page         the page of this log\n"
        "\n"
        " strategy        sha256     source\n"
        " book            2 sources  same as in this roundsim\n"
        f" random          {short(HOUSE / 'random.py')}   same as in this roundsim\n"
        f" Mine(risk=0.8)  {short(Path('mine.py'))}   source not here\n"
        f" wild            {short(HOUSE / 'random.py')}   same as in this roundsim\n"
    )


def test_it_fits_the_terminal_whatever_names_there_are(play: Play, shell: Shell) -> None:
    play("book", f"mine.py:Mine(risk='{'x' * 90}')")
    far = Path("a" * 60, "mine.py")
    far.parent.mkdir()
    shutil.copy("mine.py", far)
    done = shell("verify", "run", "--strategy", far)
    assert done.code == 0 and max(map(len, done.out.splitlines())) <= 80
    assert "...xxx" in done.out and "same as aaa" in done.out and "aa/mine.py" in done.out


def test_a_source_that_is_named_is_compared_and_not_imported(play: Play, shell: Shell, write: Write) -> None:
    play("mine.py", "random")
    other = write("other.py", "open('imported', 'w')\n" + MINE)
    done = shell("verify", "run", "--strategy", "Mine=mine.py")
    assert done.code == 0 and "same as mine.py" in done.out
    for words in ["Mine=other.py"], ["other.py"], ["other.py", "--strategies"]:
        done = shell("verify", "run", "--strategy", *words)
        said = f"other.py has sha256 {short(other)}; the run has Mine {short(Path('mine.py'))}"
        assert done.code == 64 and said in done.err
    assert not Path("imported").exists()


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("Mone=mine.py", "no strategy 'Mone' in this run (did you mean Mine?): Mine, random"),
        ("Mine=nowhere.py", "nowhere.py: there is no such file"),
        ("Mine=mine.py:Mine(risk=1)", "name it without parameters: run.toml has them"),
        ("Mine=book", "book is no source: name a file, --strategy Mine=PATH"),
    ],
)
def test_a_source_that_is_none(words: str, error: str, play: Play, shell: Shell) -> None:
    play("mine.py", "random")
    done = shell("verify", "run", "--strategy", words)
    assert done.code == 64 and error in done.err


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sha256": "0" * 64}, "nap: book: sha256 00000000, and book of roundsim"),
        ({"parameters": {"bolt": 1}}, "nap: book(bolt=1): book has no parameter bolt (did you mean bold?)"),
        ({"imagines": True}, "nap: book: imagines must be false"),
    ],
)
def test_a_record_that_no_house_strategy_has(change: Data, words: str, play: Play, shell: Shell) -> None:
    run = play("book", "random")
    of_each(run, lambda each: each["name"] == "book" and each.update(change))
    done = shell("verify", "run")
    assert done.code == 1 and words in done.err


def of_version(run: Forged, version: str) -> None:
    run.edit_run(lambda data: data.update(roundsim=version))
    for shard in run.shards():
        shard.tail["roundsim"] = version
        shard.write()


def test_a_foreign_version_is_named_and_may_have_other_strategies(play: Play, shell: Shell) -> None:
    run = play("book", "random")
    of_version(run, "9.9")
    of_each(run, lambda each: each["name"] == "book" and each.update(sha256="0" * 64))
    done = shell("verify", "run")
    assert done.code == 0
    assert f"played by    roundsim 9.9; this is {roundsim.__version__}\n" in done.out
    assert " book      00000000  differs from this roundsim's\n" in done.out
    run.edit_run(lambda data: data.update(roundsim="9.8"))
    done = shell("verify", "run")
    assert done.code == 1 and "no shard was played by roundsim 9.8" in done.err


def test_an_own_strategy_called_book_is_no_forgery(play: Play, shell: Shell, write: Write) -> None:
    """timing.json says that it came from elsewhere; without that its source must be named."""
    write("forked.py", (HOUSE / "nap.py").read_text("utf-8") + "# forked\n")
    play("forked.py", "random")
    done = shell("verify", "run")
    assert done.code == 0 and "source not here" in done.out
    Path("run/timing.json").unlink()
    done = shell("verify", "run")
    assert done.code == 1 and "--strategy book=PATH" in done.err
    done = shell("verify", "run", "--strategy", "book=forked.py")
    assert done.code == 0 and "same as forked.py" in done.out


def test_a_name_that_was_given_claims_nothing(play: Play, shell: Shell) -> None:
    play("book=mine.py:Mine", "random")
    Path("run/timing.json").unlink()
    done = shell("verify", "run")
    assert done.code == 0 and "source not here" in done.out


def test_faults_in_a_run_that_the_first_one_ends(play: Play, shell: Shell) -> None:
    run = play("crash.py", "random")
    run.edit_run(lambda data: data["limits"].update(on_fault="abort"))
    run.rekey()
    done = shell("verify", "run")
    assert done.code == 1 and 'run.toml: on_fault is "abort", and nap/1/1/1 has a fault' in done.err


def page() -> Path:
    return Path("run/report.html")


def test_the_page_is_made_again(play: Play, shell: Shell) -> None:
    play("book", "random", more=["--report"])
    assert "page         the page of this log\n" in shell("verify", "run").out
    assert shell("report", "run", "--verify").code == 0
    assert "32 deals verified" in page().read_text("utf-8")
    assert "page         the page of this log\n" in shell("verify", "run").out
    shutil.move("run", "elsewhere")
    done = shell("verify", "elsewhere")
    assert done.code == 0 and "page         not compared: it was made when the folder had another name\n" in done.out


@pytest.mark.parametrize(
    ("was", "now"), one_in_with(2, [("32 deals", "33 deals"), ("</body>", "<p>Mine wins</p></body>")])
)
def test_a_page_that_says_something_else(was: str, now: str, play: Play, shell: Shell) -> None:
    play("book", "random", more=["--report"])
    text = page().read_text("utf-8")
    assert was in text
    page().write_text(text.replace(was, now), "utf-8")
    done = shell("verify", "run")
    assert done.code == 1 and "run/report.html: not the page of this log" in done.err
    assert shell("report", "run", "--verify").code == 0  # which takes its place
    assert shell("verify", "run").code == 0


def other_maker() -> None:
    page().write_text(page().read_text("utf-8").replace(", zlib ", ", zlib 9"), "utf-8")


def other_file() -> None:
    page().unlink()
    page().symlink_to("nowhere")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (other_maker, "it was not made by roundsim"),
        (other_file, "it is a link"),
        (lambda: Path("run/timing.json").unlink(), "timing.json is missing"),
    ],
)
def test_a_page_that_cannot_be_made_again(change: Callable[[], object], words: str, play: Play, shell: Shell) -> None:
    play("book", "random", more=["--report"])
    change()
    done = shell("verify", "run")
    assert done.code == 0 and "page         not compared: " in done.out and words in " ".join(done.out.split())


@pytest.mark.parametrize(
    ("maker", "words"),
    [
        ("roundsim 99.1, zlib 1", "roundsim 99.1 made it, and has not played this run"),
        *seldom_with(("something", "no page of roundsim")),
    ],
)
def test_a_page_that_a_version_has_made_that_has_not_played(maker: str, words: str, play: Play, shell: Shell) -> None:
    play("book", "random", more=["--report"])
    text = re.sub('(name="generator" content=")[^"]*', rf"\g<1>{maker}", page().read_text("utf-8"))
    page().write_text(text.replace("32 deals", "33 deals"), "utf-8")
    done = shell("verify", "run")
    assert done.code == 1 and f"run/report.html: {words}; roundsim report run makes one" in done.err
    shell("report", "run")
    assert shell("verify", "run").code == 0


def test_a_page_leaves_when_it_is_no_longer_true(play: Play, shell: Shell) -> None:
    play("book", "random", more=["--report"])
    play("book", "random", more=["--deals", 64])
    assert not page().exists() and shell("verify", "run").code == 0


def test_a_page_of_an_unfinished_run_may_be_of_other_shards(play: Play, shell: Shell) -> None:
    run = play("book", "random", games="nap,loo")
    run.shards()[0].path.unlink()
    for path in Path("run").glob("standings.*"):
        path.unlink()
    Path("run/faults.jsonl").unlink()
    shell("report", "run")
    assert "page         the page of this log\n" in shell("verify", "run").out
    run.shards()[0].path.unlink()
    done = shell("verify", "run")
    assert done.code == 0 and "it may have been made when other shards were there" in " ".join(done.out.split())
