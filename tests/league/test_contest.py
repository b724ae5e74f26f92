"""A contest in one command, a league of one round: bad entries left out with their reasons, and what is published."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import Outcome, Shell, Write
from helpers.command import ROOT, TESTS, assert_same, begin, ended, one_in_with, shards, wait_for
from helpers.sealed import any_in_force

from roundsim.base import importing
from roundsim.league.rounds import rounds_of

FIRST = 'games = ["nap"]\n\ndef act(view):\n    return view.legal[0]\n'
CONTEST = "contest", "entries/", "--game", "nap", "--deals", 16, "--isolate", "off", "--jobs", 1, "--out", "c"

pytestmark = pytest.mark.usefixtures("here")


@pytest.fixture(autouse=True)
def checked_in_few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("roundsim.league.field.CHECKED", 16)


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
        "bot": "bot/bot.toml",
        "bot.toml": one,
        "data": "no strategy in it",
        "link.py": "a link that leads out of its folder",
        "loo.py": "does not play Nap",
        "nothing.py": "no strategy in it",
        "raises.py": "raises.py:2 in <module>",
        "syntax.py": "syntax.py:1: def act(view:",
        "two.py": "2 strategies in it play nap, A, B",
    }


def test_entries_that_do_not_load_are_left_out_with_their_reason(shell: Shell, write: Write) -> None:
    reasons = write_bad(write)
    write("entries/ann.py", FIRST)
    done = shell(*CONTEST, "book")
    assert done.code == 0 and "1 of 15 entries" in done.out, done
    (folder,) = rounds_of(Path("c"))
    left_out = "\n".join([f"{one.name}: {one.reason}" for one in folder.record.left_out])
    page = Path("c/site/index.html").read_text()
    for file, reason in reasons.items():
        assert reason in left_out and file.removesuffix(".py") in left_out and reason.split(" ")[0] in page, file
    assert shell("verify", "c").code == 0
    again = shell(*CONTEST, "book", "--format", "json")
    assert again.code == 0 and "nothing left to play" in again.err
    (table,) = json.loads(again.out)["tables"]
    assert {row["name"] for row in table["rows"]} == {"ann", "book"} and json.loads(again.out)["anchor"] == "book"


def test_entries_may_have_odd_paths_and_a_folder_is_one_by_its_name(shell: Shell, write: Write) -> None:
    write("entries (new): all/ann.py", FIRST)
    write("eve/__init__.py", "from .inner import act\n")
    write("eve/inner.py", FIRST)
    done = shell("contest", "entries (new): all", "eve=eve/", "ann.py:X", *CONTEST[2:])
    assert done.code == 64 and "ann.py" in done.err
    done = shell("contest", "entries (new): all", "eve=eve/", *CONTEST[2:])
    assert done.code == 0 and [one.name for one in rounds_of(Path("c"))[0].record.field] == ["ann", "eve"], done
    assert shell("verify", "c", "--strategies", "--isolate", "off").code == 0


def test_the_entries_of_a_contest_are_closed(shell: Shell, write: Write) -> None:
    write("entries/a.py", FIRST)
    assert shell(*CONTEST).code == 0
    write("entries/a.py", FIRST + "\n")
    changed = shell(*CONTEST)
    assert changed.code == 73 and "c holds a contest with other entries: a; --out DIR" in changed.err
    write("entries/a.py", FIRST)
    write("entries/b.py", FIRST)
    assert "other entries: b" in shell(*CONTEST).err
    Path("entries/b.py").unlink()
    assert "nothing left to play" in shell(*CONTEST).out
    assert "has other rules" in shell(*CONTEST, "--seats", 3).err and len(rounds_of(Path("c"))) == 1


def test_the_pages_of_a_contest_have_its_own_title(shell: Shell, write: Write) -> None:
    write("entries/a.py", FIRST)
    own = "Nap at the <Feathers>, winter 2026"
    assert shell(*CONTEST, "--title", own).out.count(f"\n{own} · 1 round · ") == 1
    shown = own.replace("<", "&lt;").replace(">", "&gt;")
    page = Path("c/site/index.html").read_text()
    assert f"<title>{shown} · roundsim<" in page and f"<h1>{shown}<" in page and f'index.html">{shown}<' in page
    (round_page,) = Path("c/site/rounds").glob("*.html")
    text = round_page.read_text()
    assert f"<title>{shown} · round 1 · " in text and f"<h1>{shown} · round 1<" in text
    assert f'<b class="own">{shown} · round 1</b>' in text
    for no_title in " ", "\x9b31m", "a\u202eb":  # a terminal would obey it
        assert "title must be a text of one line" in shell(*CONTEST, "--title", no_title, "--out", "other").err


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
        ],
    ),
)
def test_bad_input_changes_nothing(words: list[Any], said: str, shell: Shell) -> None:
    done = shell("contest", *words, "--isolate", "off")
    assert done.code == 64 and said in done.err and not done.out, done
    assert not [*Path().iterdir()]


def test_a_folder_with_something_else_is_left_alone(shell: Shell, write: Write) -> None:
    write("entries/a.py", FIRST)
    write("c/letter.txt", "dear")
    done = shell(*CONTEST)
    assert done.code == 73 and "c is not empty and holds no contest" in done.err and len([*Path("c").iterdir()]) == 1


def test_a_game_from_a_file(shell: Shell, write: Write) -> None:
    game = TESTS / "outside" / "linger_longer" / "linger_longer.py"
    write("entries/a.py", "def act(view):\n    return view.legal[0]\n")
    words = "contest", "entries", "random", "--game", game, "--deals", 16, "--isolate", "off", "--jobs", 1
    assert shell(*words).code == 0
    assert shell("verify", "runs/contest-linger-longer", "--game", game).code == 0


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
    left |= {*BAD, "loads", "thinks"}
    write("entries/seldom.py", SELDOM.format(number=3))
    twin = 'class Twin:\n    name = "good0"\n    games = ["nap"]\n    act = lambda self, view: view.legal[0]\n'
    write("entries/twin.py", twin)
    for number in range(2):
        write(f"entries/good{number}.py", FIRST.replace("[0]", f"[{number} % len(view.legal)]"))
    playing = {"seldom", "good0", "good1", "twin"}
    for language, program in ("c", "gcc"), ("js", "node"):
        if shutil.which(program):
            folder = Path(shutil.copytree(ROOT / "examples" / "bots" / language, Path("entries", language)))
            if program == "gcc":
                subprocess.run(["gcc", "-O2", "-o", folder / "bot", folder / "bot.c"], check=True)
            playing.add(language)
    return playing


@pytest.mark.soak
def test_a_contest_of_mixed_entries(shell: Shell, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    any_in_force()
    monkeypatch.setattr(importing, "LOAD_SECONDS", 2)
    left = set[str]()
    playing = write_mixed(write, left)
    write("salt", "1 2 3")
    given = "contest", "entries", "book", "--game", "nap", "--deals", 2000, "--salt-from", "salt", "--out", "c"
    done: Outcome = shell(*given)
    assert done.code == 0 and "Not placed, because of faults: seldom v1." in done.out, done
    (folder,) = rounds_of(Path("c"))
    assert {one.name for one in folder.record.field} == playing
    reasons = {one.name: one.reason for one in folder.record.left_out}
    assert reasons.keys() == left
    for name, words in [
        ("raises", "raises.py:6 in act"),
        ("illegal", 'illegal "play Zz"'),
        ("syntax", "syntax.py:1"),
        ("nothing", "no strategy in it"),
        ("other", "does not play Nap"),
        ("quits", "exited with code 1"),
        ("loads", "not loaded within 2 s"),
        ("thinks", "late"),
    ]:
        assert words in reasons[name], reasons[name]
    (table,) = json.loads(Path("c/site/standings.json").read_text())["tables"]
    assert {row["name"] for row in table["rows"]} == {*playing, "book"} - {"seldom"} and table["unplaced"] == ["seldom"]
    page = Path("c/site/entries/seldom.html").read_text()
    assert "seldom.py:12 in missing" in page and "KeyError: &#39;x&#39;" in page and "exception" in page
    assert shell("verify", "c").code == 0


@pytest.mark.soak
def test_an_interrupted_contest_goes_on(shell: Shell, write: Write) -> None:
    """The same command ends it with its seed, to the same bytes."""
    write("entries/good.py", FIRST)
    Path("salt").write_text("1 2 3")
    words = "contest", "entries", "--game", "nap", "--deals", 12000, "--isolate", "off", "--salt-from", "salt", "--out"
    going = begin(*words, "c", cwd=Path())
    assert wait_for(lambda: [log for log in Path("c").glob("rounds/*/run") if shards(log)])
    going.send_signal(signal.SIGINT)
    _, err = going.communicate()
    assert going.returncode == 130 and ended(going.pid) and "the same command goes on" in err, err
    assert shell(*words, "c").code == shell(*words, "other").code == 0
    assert_same(next(Path("c").glob("rounds/*/run/log")), next(Path("other").glob("rounds/*/run/log")))
