"""A contest in one command: the seed before the entries, bad entries left out with their reasons, and what is published."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Outcome, Shell, Write
from helpers.command import ROOT, TESTS, assert_same, begin, ended, one_in_with, shards, wait_for
from helpers.sealed import any_in_force

from roundsim.base import importing
from roundsim.sources.plugins import Strategy
from roundsim.trial.contest import distinct_names, reason_in
from roundsim.trial.scripts import CheckRow

SEED = "0123456789abcdef0123456789abcdef"
HASH = "6ed6653dba3d6aee8110c6e23de37f15c609b8a6e29aa164d1acace604e5cb7e"
FIRST = 'games = ["nap"]\n\ndef act(view):\n    return view.legal[0]\n'
HOUSE = "book", "random", "--game", "nap", "--deals", 16, "--isolate", "off", "--jobs", 1  # none of them is checked

pytestmark = pytest.mark.usefixtures("here")


@pytest.fixture(autouse=True)
def checked_in_few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("roundsim.cli.contest.CHECKED", 16)


def write_bad(write: Write) -> dict[str, str]:
    """Entries that do not load, each with a part of the reason."""
    write("entries/syntax.py", "def act(view:\n")
    write("entries/loo.py", FIRST.replace("nap", "loo"))
    write("entries/raises.py", "x = 1\nraise ValueError('x')\n")
    write("entries/nothing.py", "x = 3\n")
    write("entries/two.py", "class A:\n    games = ['nap']\n\nclass B:\n    games = ['nap']\n")
    write("entries/bot/bot.toml", "name = 3\n")
    write("entries/data/net.bin")
    write("entries/test_ann.py")
    write("entries/readme.txt")
    write("entries/_eve.py", FIRST)
    write("entries/.fay.py", FIRST)
    write("entries/_gil/__init__.py", FIRST)
    write("entries/HAL.PY", FIRST)
    write("entries/__init__.py", FIRST)
    write("entries/bot.toml", 'name = "ivy"\ncommand = "./ivy"\n')
    write("entries/.git/HEAD.py")
    write("entries/__pycache__/ann.py")
    write("elsewhere.py", FIRST)
    Path("entries/link.py").symlink_to("../elsewhere.py")
    begins, one = "does not begin with a dot or _", "it makes its folder one entry: name that NAME=FOLDER"
    return {
        ".fay.py": begins,
        "HAL.PY": "the name of a Python file ends in .py",
        "__init__.py": one,
        "_eve.py": begins,
        "_gil": begins,
        "bot": "entries/bot/bot.toml",
        "bot.toml": one,
        "data": "no strategy in it",
        "link.py": "a link that leads out of its folder",
        "loo.py": "does not play nap",
        "nothing.py": "no strategy in it",
        "raises.py": "entries/raises.py:2 in <module>",
        "syntax.py": "entries/syntax.py:1: def act(view:",
        "two.py": "2 strategies in it play nap, A, B",
    }


def test_entries_that_do_not_load_are_left_out_with_their_reason(shell: Shell, write: Write) -> None:
    reasons = write_bad(write)
    done = shell("contest", "entries/", *HOUSE, "--seed", SEED, "--out", "c")
    assert done.code == 0 and done.out.startswith(f"seed     sha256 {HASH}\n"), done
    assert max(map(len, done.out.partition("\nplayed")[0].splitlines())) <= 80
    record = tomllib.loads(Path("c/contest.toml").read_text())
    assert (record["seed"], record["seed_sha256"]) == (SEED, HASH)
    left_out = {each["file"]: each["reason"] for each in record["entries"] if "reason" in each}
    assert [*left_out] == [*reasons]
    for file, reason in reasons.items():
        assert reason in left_out[file] and f"\n  {file}: " in done.out
    page = Path("c/report.html").read_text()
    assert all(word in page for word in (HASH, SEED, *reasons, "entries/syntax.py:1"))
    assert shell("verify", "c").code == 0
    before = Path("c/contest.toml").read_bytes()
    again = shell("contest", "entries/", *HOUSE, "--out", "c", "--format", "json")
    data = json.loads(again.out)
    assert again.code == 0 and Path("c/contest.toml").read_bytes() == before
    assert (data["seed"], data["seed_sha256"]) == (SEED, HASH) and HASH in again.err
    assert [(each["rank"], each["name"], each["faults"]) for each in data["entries"]] == [
        (1, "book", []),
        (2, "random", []),
    ]
    assert {each["file"]: each["reason"] for each in data["left_out"]} == left_out
    assert [row["strategy"] for row in data["standings"]["games"][0]["rows"]] == ["book", "random"]


def test_entries_may_have_odd_paths_and_a_folder_is_one_by_its_name(shell: Shell, write: Write) -> None:
    write("entries (new): all/ann (1).py", FIRST)
    write("eve/__init__.py", "from .inner import act\n")
    write("eve/inner.py", FIRST)
    done = shell("contest", "entries (new): all", "eve=eve/", *HOUSE[2:], "--out", "c", "--format", "json")
    assert done.code == 0, done
    entries = {each["file"]: each["name"] for each in json.loads(done.out)["entries"]}
    assert entries == {"ann (1).py": "ann-1", "eve=eve": "eve"}


def test_the_entries_of_a_contest_are_closed(shell: Shell, write: Write) -> None:
    write("entries/a.py", "x = 1\n")
    assert shell("contest", "entries", *HOUSE, "--out", "c").code == 0
    write("entries/a.py", FIRST)
    changed = shell("contest", "entries", *HOUSE, "--out", "c")
    assert changed.code == 73 and "c holds a contest with other entries: a.py; --out DIR" in changed.err
    write("entries/a.py", "x = 1\n")
    write("entries/b.py", FIRST)
    more = shell("contest", "entries", *HOUSE, "--out", "c")
    assert more.code == 73 and "other entries: b.py" in more.err
    Path("entries/b.py").unlink()
    assert "nothing left to play" in shell("contest", "entries", *HOUSE, "--out", "c").out
    other = shell("contest", "entries", *HOUSE, "--out", "c", "--seed", SEED)
    assert other.code == 73 and "another seed" in other.err


def test_the_seed_is_drawn_before_there_are_entries(shell: Shell, write: Write) -> None:
    """The same command later holds the contest with the seed whose hash it printed at first."""
    write("entries/a.py", "x = 1\n")
    words = "contest", "entries", *HOUSE[1:]
    early = shell(*words)
    assert early.code == 64 and "a contest needs 2 entries, and 1 of 2 can play\n  a.py: no strategy in it" in early.err
    assert [path.name for path in Path("runs/contest-nap").iterdir()] == ["contest.toml"]
    late = shell("contest", "book", *words[1:])
    assert late.code == 0 and late.out.splitlines()[0] == early.out.splitlines()[0]
    assert shell("contest", *HOUSE, "--out", "other").out.splitlines()[0] != early.out.splitlines()[0]


def forge(key: str, value: str) -> Callable[[], object]:
    def change() -> None:
        path = Path("c/contest.toml")
        path.write_text(re.sub(rf"^{key} = .*$", f"{key} = {value}", path.read_text(), count=1, flags=re.M))

    return change


@pytest.mark.parametrize(
    ("change", "words", "code"),
    one_in_with(
        3,
        [
            (
                forge("seed_sha256", f'"{"0" * 64}"'),
                f"is not that of the seed of the run: the hash of {SEED} is {HASH}",
                0,
            ),
            (forge("seed", f'"{"1" * 32}"'), f"the run was played with {SEED}", 0),
            (forge("sha256", f'"{"0" * 64}"'), "no strategy book with this sha256 plays in the run", 0),
            (forge("name", '"zoe"'), "no strategy zoe with this sha256 plays in the run", 0),
            (forge("name", "3"), "an entry with values of other types", 65),
            (forge("seed", "3"), "seed and seed_sha256 must be", 65),
            (forge("seed", "'"), "c/contest.toml: damaged: ", 65),
            (forge("seed_sha256", "1\nmore = 2"), "damaged: ", 65),
            (lambda: Path("c/contest.toml").write_bytes(b"\xff"), "damaged: ", 65),
        ],
    ),
)
def test_a_forged_contest_does_not_verify(change: Callable[[], object], words: str, code: int, shell: Shell) -> None:
    """`verify` names what does not agree; a page is made of all that can be read."""
    assert shell("contest", *HOUSE, "--seed", SEED, "--out", "c").code == 0
    Path("c/report.html").unlink()
    change()
    done = shell("verify", "c")
    assert done.code == 1 and words in done.err, done
    assert shell("report", "c").code == code


@pytest.mark.parametrize(
    ("words", "said"),
    one_in_with(
        3,
        [
            (["nosuch.py", "--game", "nap"], "nosuch.py: there is no such file or folder"),
            (["bok", "--game", "nap"], "did you mean book?"),
            (["book", "random", "--game", "nop"], "did you mean nap?"),
            (["book", "random", "--game", "nap", "--seats", 9], "9 players: nap is for 2 to 6"),
            (["book", "random", "--game", "nap", "--option", "nup=1"], "nup"),
            (["book", "random", "--game", "nap", "--times", 3], "--times is not of a round-robin"),
            (["book", "random", "--game", "nap", "--as", "knockout"], "did you mean knock-out?"),
            (["book", "random", "--game", "nap", "--seed", 5], "--seed must be 32 digits 0-9a-f"),
            (["book", "random", "--game", "nap", "--deals", 9, "--times", 3], "--times"),
        ],
    ),
)
def test_bad_input_changes_nothing(words: list[Any], said: str, shell: Shell) -> None:
    done = shell("contest", *words, "--isolate", "off")
    assert done.code == 64 and said in done.err and not done.out, done
    assert not [*Path().iterdir()]


def test_a_folder_with_something_else_is_left_alone(shell: Shell, write: Write) -> None:
    write("c/letter.txt", "dear")
    done = shell("contest", *HOUSE, "--out", "c")
    assert done.code == 73 and "c is not empty and holds no run" in done.err
    assert shell("play", "nap", "random", "--deals", 8, "--jobs", 1, "--out", "run").code == 0
    assert shell("contest", *HOUSE, "--out", "run").code == 73 and not Path("run/contest.toml").exists()


def test_a_game_from_a_file(shell: Shell) -> None:
    """Also with a strategy that takes part twice, as in `play`."""
    game = TESTS / "outside" / "linger_longer" / "linger_longer.py"
    words = "contest", "random", "random", "--game", game, "--deals", 16, "--isolate", "off", "--jobs", 1
    done = shell(*words, "--format", "json")
    data = json.loads(done.out)
    assert done.code == 0 and [each["name"] for each in data["entries"]] == [
        row["strategy"] for row in data["standings"]["games"][0]["rows"]
    ]
    assert shell("verify", "runs/contest-linger-longer", "--game", game).code == 0


def entry(name: str) -> Strategy:
    return Strategy(name, (), f"/entries/{name}.py", "act", "")


def test_no_two_have_one_name() -> None:
    """The house keeps its names; a name that is cut has the number within its 40 characters."""
    own = ["ann", "book", "ann", "ann-2", "ann", "bot --depth 3", "x" * 40, "x" * 40]
    texts = [f"{at}.py" for at in range(len(own))]
    names = distinct_names([*texts, "book"], dict(enumerate(map(entry, [*own, "book"]))))
    right = ["ann", "book-2", "ann-2", "ann-2-2", "ann-3", "bot---depth-3", "x" * 40, "x" * 38 + "-2", "book"]
    assert [names[at] for at in range(9)] == right


def test_the_reason_is_what_has_failed() -> None:
    rows: list[CheckRow | str] = [
        "mine.py  mine  sha256 00000000  games: nap",
        CheckRow("import", "ok", ("3 ms",)),
        CheckRow(
            *("200 deals nap", "FAILED"),
            (
                "deal 1, seat 0, phase play: KeyError: 'x'",
                "legal            play 8h",
                "mine.py:5 in act",
                "again: roundsim",
            ),
        ),
        CheckRow("a check of a very long name", "FAILED", ("words",)),
        CheckRow("note", "note", ("FAILED  is what it prints",)),
    ]
    right = (
        "200 deals nap: deal 1, seat 0, phase play: KeyError: 'x'\nmine.py:5 in act\na check of a very long name: words"
    )
    assert reason_in(rows) == right


BAD = {
    "raises": f"{FIRST}    raise ValueError('no')\n".replace(
        "    return", "    if view.phase == 'call':\n        return"
    ),
    "illegal": 'games = ["nap"]\n\ndef act(view):\n    return "play Zz"\n',
    "syntax": "def act(view:\n",
    "nothing": "x = 3\n",
    "other": FIRST.replace("nap", "loo"),
    "quits": f"import os\n{FIRST.replace('return', 'os._exit(1); return')}",
}
# It passes a short check, and fails in more than one of a hundred deals.
SELDOM = """
    import zlib

    games = ["nap"]

    def act(view):
        number = zlib.crc32(repr((view.hand, view.phase)).encode())
        if number % 75 == {number} and view.phase == "play":
            return missing(view)
        return view.legal[0]

    def missing(view):
        return {{}}["x"]
    """


def write_mixed(write: Write, left: set[str]) -> set[str]:
    """Write entries of mixed quality; add the files of those that cannot play to `left`. Return the names of the others."""
    for name, text in BAD.items():
        write(f"entries/{name}.py", text)
    write("entries/loads.py", "while True:\n    pass\n")
    write("entries/thinks.py", FIRST.replace("return", "while True: pass\n    return"))
    left |= {f"{name}.py" for name in (*BAD, "loads", "thinks")}
    write("entries/seldom.py", SELDOM.format(number=3))
    twin = 'class Twin:\n    name = "good0"\n    games = ["nap"]\n    act = lambda self, view: view.legal[0]\n'
    write("entries/twin.py", twin)
    for number in range(2):
        write(f"entries/good{number}.py", FIRST.replace("[0]", f"[{number} % len(view.legal)]"))
    playing = {"seldom", "good0", "good0-2", "good1"}
    for language, program in ("c", "gcc"), ("js", "node"):
        if shutil.which(program):
            folder = Path(shutil.copytree(ROOT / "examples" / "bots" / language, Path("entries", language)))
            if program == "gcc":
                subprocess.run(["gcc", "-O2", "-o", folder / "bot", folder / "bot.c"], check=True)
            playing.add(f"even-{language}")
    return playing


@pytest.mark.soak
def test_a_contest_of_mixed_entries(shell: Shell, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    any_in_force()
    monkeypatch.setattr(importing, "LOAD_SECONDS", 2)
    left = set[str]()
    playing = write_mixed(write, left)
    words = "contest", "entries", "book", "--game", "nap", "--deals", 2000, "--seed", SEED, "--out", "c"
    done: Outcome = shell(*words)
    assert done.code == 0, done
    data = json.loads(shell(*words, "--format", "json").out)
    assert {each["file"] for each in data["left_out"]} == left
    ranks = {each["name"]: each["rank"] for each in data["entries"]}
    assert set(ranks) == {*playing, "book"}
    assert ranks["seldom"] is None and None not in [rank for name, rank in ranks.items() if name != "seldom"]
    (faults,) = [each["faults"] for each in data["entries"] if each["name"] == "seldom"]
    (fault,) = faults
    assert fault["kind"] == "exception" and fault["n"] > 1
    (first,) = fault["first"]
    assert (first["line"], first["words"]) == ("seldom.py:12 in missing", "KeyError: 'x'")
    reasons = {each["file"]: each["reason"] for each in data["left_out"]}
    for file, words_in in [
        ("raises.py", "raises.py:6 in act"),
        ("illegal.py", 'illegal "play Zz"'),
        ("syntax.py", "syntax.py:1"),
        ("nothing.py", "no strategy in it"),
        ("other.py", "does not play nap"),
        ("quits.py", "exited with code 1"),
        ("loads.py", "not loaded within 2 s"),
        ("thinks.py", "late"),
    ]:
        assert words_in in reasons[file], reasons[file]
    page = Path("c/report.html").read_text()
    assert all(file in page for file in left) and "seldom.py:12 in missing" in page
    assert shell("verify", "c").code == 0


@pytest.mark.soak
def test_an_interrupted_contest_goes_on(shell: Shell, write: Write) -> None:
    """The same command ends it with its seed, to the same bytes."""
    write("entries/good.py", FIRST)
    words = "contest", "entries", "book", "random", "--game", "nap", "--deals", 12000, "--isolate", "off", "--out"
    going = begin(*words, "c", cwd=Path())
    assert wait_for(lambda: shards(Path("c")))
    going.send_signal(signal.SIGINT)
    out, err = going.communicate()
    assert going.returncode == 130 and ended(going.pid), err
    done = shell(*words, "c")
    assert done.code == 0 and done.out.splitlines()[0] == out.splitlines()[0]
    seed = tomllib.loads(Path("c/contest.toml").read_text())["seed"]
    assert f"continue roundsim contest entries book random --game nap --seed {seed} --deals 12000 --isolate off" in err
    assert shell(*words, "other", "--seed", seed).code == 0
    for folder in "c", "other":
        Path(folder, "report.html").unlink()  # it has the name of its folder
    assert_same(Path("c"), Path("other"))
