"""`check --against`: two versions get the same questions; different answers are reported, and failures of the other one."""

from __future__ import annotations

import os
import re
import shutil
import textwrap
from pathlib import Path

import pytest
from conftest import Git, Outcome, Shell, Write
from helpers.command import BAD, ROOT, roundsim, seldom_with
from helpers.sources import strategy_classes

pytestmark = pytest.mark.usefixtures("met")

SAYS = """
    class Mine:
        games = ["nap"]

        def __init__(self):
            self.asked = 0

        def begin(self, view):
            self.say(view)

        def act(self, view):
            self.asked += 1
            self.say(view, self.asked, view.chance.random(), view.legal[WHICH])
            return view.legal[WHICH]

        def settled(self, view, net):
            self.say(view, net)

        def say(self, view, *more):
            print("WHO", str(view).replace("\\n", "|"), *more, sep=";")
    """
FIRST = """
    class Mine:
        games = ["nap"]

        def __init__(self, which=0):
            self.which = which

        def act(self, view):
            return view.legal[self.which]
    """
LAST = FIRST.replace("[self.which]", "[-1 - self.which]")


def keep(git: Git) -> None:
    """Commit all that is there."""
    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-qm", "kept")


def against(done: Outcome, text: str = "git:HEAD", code: int = 0) -> list[str]:
    """Return the verdict, the words of its line, and the lines below it."""
    assert done.code == code and not done.err, done
    found = re.search(rf"^  against {re.escape(text)} +(ok|note|-) +(.*\n(?: {{34}}.*\n)*)", f"{done.out}\n", re.M)
    assert found, done.out
    return [found[1], *[line.strip() for line in found[2].splitlines()]]


@pytest.mark.parametrize(
    ("game", "name", "deals"),
    [
        ("nap", "book", 12),
        *seldom_with(("vingt-un", "book", 40), ("commerce", "book", 20), ("loo", "random", 40)),
        *seldom_with(("snip-snap-snorum", "random", 20), ("draw-poker", "random", 20)),
        *seldom_with(("cassino", "sampler", 4), ("spoil-five", "sampler", 4), ("nap", "expert", 40)),
        *seldom_with(("draw-poker", "expert", 40), ("nap", "sampler(playouts=4)", 4)),
    ],
)
def test_an_unchanged_strategy_gives_the_same_answers(game: str, name: str, deals: int, shell: Shell) -> None:
    done = shell("check", name, "--game", game, "--deals", deals, "--against", name)
    verdict, words = against(done, name)
    assert verdict == "ok" and re.fullmatch(r"the same answers in [1-9]\d* decisions", words)
    assert done.out.endswith("no problems\n") and not list(Path().iterdir())


@pytest.mark.soak
def test_an_unchanged_file_and_its_parameters(git: Git, shell: Shell, tmp_path: Path, write: Write) -> None:
    for name in "random", "nap":
        shutil.copy(ROOT / "strategies" / f"{name}.py", tmp_path)
    keep(git)
    for name in "random.py", "nap.py":
        done = shell("check", name, "--game", "nap", "--deals", "12", "--against", "git:HEAD")
        assert against(done)[0] == "ok"
    # The other one has those of the one on trial, unless it has its own.
    write("mine.py", FIRST)
    keep(git)
    words = "check", "mine.py(which=-1)", "--deals", "12", "--against"
    assert against(shell(*words, "git:HEAD"))[0] == "ok"
    assert against(shell(*words, "mine.py"), "mine.py")[0] == "note"
    done = shell(*words, "git:HEAD(which=0)")
    again = against(done, "git:HEAD(which=0)")[-1]
    assert again.endswith("--strategy 'git:HEAD:mine.py:Mine(which=0)'")


IMPORTS_ITS_NEIGHBOUR = """
    import sys
    sys.path.insert(0, __file__.rpartition("/")[0])
    import helping_to_draw
    files = ["helping_to_draw.py"]
    """
DRAWS = {
    "its own chance": ("", "view.chance.choice(view.legal)"),
    "random": ("import random", "random.choice(view.legal)"),
    "random, in a module": (IMPORTS_ITS_NEIGHBOUR, "helping_to_draw.chosen(view.legal)"),
    "what it remembers": ("met = []", "view.legal[met.append(1) or len(met) * 7 % 3 % len(view.legal)]"),
}


@pytest.mark.soak
@pytest.mark.parametrize("source", DRAWS)
def test_both_draw_the_same(source: str, shell: Shell, write: Write) -> None:
    """Each draws and remembers for itself, also where both are in one file."""
    top, said = DRAWS[source]
    write("helping_to_draw.py", "import random\n\ndef chosen(legal):\n    return random.choice(legal)\n")
    write("mine.py", f"{textwrap.dedent(top)}\ngames = ['nap']\n\ndef act(view):\n    return {said}\n")
    shutil.copy("mine.py", "same.py")
    for text in "same.py", "mine.py":
        words = "check", "mine.py", "--deals", "24", "--isolate", "off"  # a module next to it is imported
        assert against(shell(*words, "--against", text), text)[0] == "ok", text


@pytest.mark.soak
def test_the_other_one_is_asked_what_this_one_is_asked(shell: Shell, write: Write) -> None:
    """With the same view and chance, and in the same surroundings; the texts that they print prove the count."""
    write("new.py", SAYS.replace("WHO", "new").replace("WHICH", "0"))
    write("old.py", SAYS.replace("WHO", "old").replace("WHICH", "-(len(view.hand) % 2)"))
    done = shell("check", "new.py", "--deals", "12", "--against", "old.py", "--isolate", "off")
    lines = [line.removeprefix("  | ") for line in done.out.partition("  speed")[2].splitlines()]
    said = [line.split(";") for line in lines if line[3] == ";"]
    new, old = said[::2], said[1::2]
    assert {line[0] for line in new} == {"new"} and {line[0] for line in old} == {"old"}
    asked = differ = 0
    for (_, *one), (_, *two) in zip(new, old, strict=True):
        if len(one) == 4:  # a question: the view, its number, what was drawn, what was answered
            asked, differ = asked + 1, differ + (one.pop() != two.pop())
        assert one == two
    verdict, words, *places = against(done, "old.py")
    assert verdict == "note" and words == f"{differ} of {asked} answers differ ({100 * differ / asked:.1f} %)"
    assert 0 < differ < asked and len(places) == 6


@pytest.mark.soak
def test_the_first_places_and_the_first_of_them_again(git: Git, shell: Shell, write: Write) -> None:
    write("mine.py", FIRST)
    keep(git)
    write("mine.py", LAST)
    done = shell("check", "mine.py", "--deals", "40", "--against", "git:HEAD")
    verdict, words, *places, again = against(done)
    assert verdict == "note" and done.out.endswith("no problems\n") and len(places) == 5
    first = re.fullmatch(r"deal 1, seat (\d), phase call: (.*), was pass", places[0])
    command = re.fullmatch(r"again: roundsim (replay (\S+) --seat (\d) --strategy (\S+))", again)
    assert first and command and command[3] == first[1] and command[4] == "git:HEAD:mine.py:Mine"
    assert shell("settle", command[2]).code == 0
    shown = shell(*command[1].split())
    there = rf" Mine answers here: 'pass'\n +\d+  seat {first[1]}  call +{first[2]}  "
    assert shown.code == 0 and re.search(there, shown.out), shown
    assert f": seat {first[1]}, phase call: {first[2]}, was pass\n" in Path(command[2]).read_text()


@pytest.mark.soak
def test_the_same_bytes_everywhere(write: Write, tmp_path: Path) -> None:
    write("new.py", FIRST)
    write("old.py", LAST)
    words = "check", "new.py", "--deals", "4", "--against", "old.py"
    done = [roundsim(*words, cwd=tmp_path, hash_seed=seed).stdout.partition("  against")[2] for seed in "12"]
    assert done[0] == done[1] and "answers differ" in done[0]


@pytest.mark.soak
def test_each_answers_for_its_own_draws_and_clock(shell: Shell, write: Write) -> None:
    """Only drawing makes a difference."""
    draws = "games = ['nap']\n\ndef act(view):\n    {}return view.chance.choice(view.legal)\n"
    write("mine.py", draws.format(""))
    write("old.py", draws.format("view.chance.choice(view.legal); "))
    assert against(shell("check", "mine.py", "--deals", "24", "--against", "old.py"), "old.py")[0] == "note"
    write("mine.py", FIRST)
    imagines = FIRST.replace("games =", "imagines = True\n        games =")
    write("old.py", imagines.replace("return", "return view.imagine() and"))
    done = shell("check", "mine.py", "--deals", "4", "--against", "old.py")
    assert against(done, "old.py")[0] == "ok" and len(against(done, "old.py")) == 2
    reads = LAST.replace("Mine", "Reads").replace("return", "time.time()\n            return")
    write("two.py", f"import time\n{FIRST}{reads}".replace("\n    ", "\n"))
    done = shell("check", "two.py:Mine", "--deals", "12", "--against", "two.py:Reads")
    assert against(done, "two.py:Reads")[0] == "note" and "clock" not in done.out


@pytest.mark.soak
def test_game_after_game_with_the_namesake_or_the_only_one(shell: Shell, write: Write) -> None:
    write("mine.py", FIRST.replace('["nap"]', '["nap", "loo", "cassino"]'))
    write("old.py", LAST.replace('["nap"]', '["cassino", "nap"]'))
    done = shell("check", "mine.py", "--deals", "12", "--against", "old.py")
    parts = re.split("\n  (?=loo\n|cassino\n)", done.out)
    nap, loo, cassino = [against(done._replace(out=part), "old.py") for part in parts]
    assert nap[0] == cassino[0] == "note" and loo == ["-", "not compared: no Mine in old.py, and none plays loo"]
    assert {path.name for path in Path("check-scripts").iterdir()} == {"mine-nap-1.toml", "mine-cassino-1.toml"}
    two = FIRST + LAST.replace("Mine", "Other")
    write("mine.py", two)
    write("old/mine.py", two)
    write("old/more.py", FIRST)
    words = "check", "mine.py:Other", "--deals", "4", "--against"
    for text, verdict in ("old/mine.py", "ok"), ("./old", "ok"), ("old/more.py", "note"), ("mine.py:Mine", "note"):
        assert against(shell(*words, text), text)[0] == verdict, text
    write("old/mine.py", two.replace("Other", "Another"))
    said = "not compared: no Other in old/mine.py, and it may be any of Mine, Another"
    assert against(shell(*words, "old/mine.py"), "old/mine.py") == ["-", said]


LATE = r"deal \d+, seat \d, phase play: late: no answer within the limit"
FAILING = {
    "Raises": ("call: raise KeyError('x')", r"deal 1, seat \d, phase call: KeyError: 'x'"),
    "Illegal": ("call: return 'nonsense'", r'deal 1, seat \d, phase call: illegal "nonsense" .*'),
    "Constructor": ("__init__: print('sits down')\nraise ValueError('no')", r"constructor: ValueError: no"),
    "Begin": ("begin: print('sits down')\nraise ValueError('not now')", r"begin: ValueError: not now"),
    "Late": ("play: while len(view.hand) == 4: pass\nreturn view.legal[0]", LATE),
    "Waits": ("play: time.sleep(60 * (len(view.hand) == 4)); return view.legal[0]", f"{LATE}, in which it only waited"),
    "Ends": ("__del__: raise ValueError('not at the end')", r"__del__: ValueError: not at the end"),
}


@pytest.mark.soak
@pytest.mark.parametrize("name", FAILING)
def test_a_failure_of_the_other_one(name: str, shell: Shell, write: Write) -> None:
    """It is reported, counts as different, and ends nothing; after ten late answers it is not asked any more."""
    write("mine.py", FIRST)
    methods = {each: method for each, (method, _) in FAILING.items()}
    write("old.py", strategy_classes(methods, "import time", act="return view.legal[0]"))
    text = f"old.py:{name}"
    done = shell("check", "mine.py", "--deals", "40", "--seconds", "0.1", "--against", text)
    verdict, head, failed, *_ = against(done, text)
    assert verdict == "note" and done.out.endswith("no problems\n")
    report = re.fullmatch(rf"{text} failed (\d+) times: {FAILING[name][1]}", failed)
    assert report, failed
    times = int(report[1])
    if name == "Ends":
        assert head.startswith("the same answers in ")
        return
    differ, asked = map(int, re.findall(r"\d+", head)[:2])
    if name in ("Constructor", "Begin"):
        assert 0 < differ == asked and times == done.out.count("sits down\n")
    elif name in ("Late", "Waits"):
        assert times == 10 < differ < asked
    else:
        assert 0 < times == differ < asked


@pytest.mark.soak
@pytest.mark.parametrize(
    ("act", "words"),
    [
        ("os._exit(3)", "the process died: exited with code 3"),
        ("os.kill(os.getpid(), 9)", "the process died: killed by signal 9 .SIGKILL."),
        ("sum(range(1 << 60))", "late: no answer within the limit, .* was of no use"),
    ],
)
def test_a_process_that_the_other_one_ends(act: str, words: str, shell: Shell, write: Write) -> None:
    """This is no problem of the one on trial, whose other games go on."""
    write("mine.py", FIRST.replace('["nap"]', '["nap", "loo"]'))
    write("old.py", f"import os\n\ndef act(view):\n    return view.game == 'loo' and view.legal[0] or {act}\n")
    done = shell("check", "mine.py", "--deals", "12", "--seconds", "0.2", "--against", "old.py")
    nap, loo = done.out.split("\n  loo\n")
    verdict, said, *_ = against(done._replace(out=nap), "old.py")
    assert verdict == "-" and re.fullmatch(f"not compared: {words}", said)
    assert against(done._replace(out=loo), "old.py")[0] == "ok" and loo.endswith("no problems\n")


@pytest.mark.soak
def test_a_failure_of_one_does_not_count_for_the_other(shell: Shell, write: Write) -> None:
    write("mine.py", FIRST)
    write("old.py", "kept = []\n\ndef act(view):\n    kept.append(bytearray(1 << 26))\n    return view.legal[0]\n")
    words = "check", "mine.py", "--deals", "40", "--seconds", "60", "--memory", "512", "--against", "old.py"
    done = shell(*words)
    assert done.code == 0 and done.out.endswith("no problems\n")
    assert "memory: MemoryError" in " ".join(against(done, "old.py"))
    write("mine.py", FIRST)
    for name in "Crash", "Settled":
        done = shell("check", f"{BAD}:{name}", "--game", "nap", "--deals", "12", "--against", "mine.py")
        assert against(done, "mine.py", 2) == ["-", "not compared"], name
    unsteady = "def act(view):\n    return view.legal[-(os.urandom(1)[0] % 2)]\n"
    write("unsteady.py", f"import os\n\ngames = ['nap']\n\n{unsteady}")
    done = shell("check", "unsteady.py", "--deals", "40", "--against", "mine.py")
    assert against(done, "mine.py", 2) == ["-", "not compared"] and done.out.endswith("1 problem\n")


@pytest.fixture
def history(git: Git, write: Write) -> Git:
    """A repository with a file at its root, another one of the same name below, and one that is not in it."""
    git("init", "-q", "-b", "main")
    write("mine.py", FIRST)
    write("games/mine.py", LAST)
    write("broken.py", "1 / 0\n")
    git("add", ".")
    git("commit", "-qm", "one")
    write("broken.py", FIRST)
    write("games/new.py", FIRST)
    write("new.py", LAST)
    git("add", "new.py")
    git("commit", "-qm", "two")
    return git


@pytest.mark.soak
def test_a_revision_alone_is_the_file_itself(history: Git, shell: Shell, tmp_path: Path) -> None:
    """Each of several strategies is compared with its own file, in any folder; also a strategy out of git."""
    words = "--deals", "4", "--against", "git:HEAD"
    done = shell("check", "mine.py", "new=games/mine.py:Mine", "games/", *words)
    assert done.code == 0, done
    assert done.out.count("the same answers in ") == 3 and done.out.count("answers differ") == 1, done
    os.chdir("games")
    done = shell("check", "mine.py", "../mine.py", tmp_path / "mine.py", "git:HEAD~1:mine.py", *words)
    assert done.code == 0 and done.out.count("the same answers in ") == 4, done
    os.chdir("/")
    assert against(shell("check", tmp_path / "games/mine.py", *words))[0] == "ok"


REVISION = "git:HEAD is a revision, and"
BOOK = "roundsim_strategies.nap:Book"
NONE = "no file or folder"
REFUSED = [
    ("book", "git:HEAD", 64, f"{REVISION} book no file: name the other one whole, as git:HEAD:old/mine.py"),
    (BOOK, "git:HEAD", 64, f"{REVISION} {BOOK} no file"),
    ("nothing.py", "git:HEAD", 64, "nothing.py: there is no such file or folder"),
    ("mine.py", "git:", 64, "'git::mine.py' is not git:REVISION:PATH"),
    ("mine.py", "git:--help", 64, "no revision begins with a dash"),
    ("mine.py", "git:HEAD:", 64, "'git:HEAD:' is not git:REVISION:PATH"),
    ("mine.py", "git:mian", 66, "git:mian:mine.py: no revision mian in this repository (did you mean main?)"),
    ("new.py", "git:HEAD~1", 66, f"git:HEAD~1:new.py: {NONE} new.py in commit "),
    ("games/new.py", "git:HEAD", 66, f"git:HEAD:games/new.py: {NONE} games/new.py in commit "),
    ("broken.py", "git:HEAD", 66, "broken.py cannot be loaded: ZeroDivisionError"),
    ("mine.py:Mine(which=1)", "git:HEAD(bold=1)", 64, "Mine has no parameter bold"),
    ("mine.py", "bok", 64, "no strategy 'bok' (did you mean book?)"),
    ("mine.py", "there.py", 64, "there.py: there is no such file or folder"),
    ("mine.py", "a(b", 64, "'a(b' is not a strategy"),
]


def test_wrong_names_are_refused(history: Git, shell: Shell) -> None:
    for strategy, text, code, words in REFUSED:
        done = shell("check", strategy, "--deals", "4", "--against", text)
        assert done.code == code and words in done.err and done.err.count("roundsim:") == 1 and not done.out, done
    os.chdir("games")  # a file of the same name at the root is not meant
    done = shell("check", "new.py", "--deals", "4", "--against", "git:HEAD")
    assert done.code == 66 and "no file or folder games/new.py in commit" in done.err, done


def test_without_a_repository(shell: Shell, write: Write) -> None:
    write("mine.py", FIRST)
    done = shell("check", "mine.py", "--against", "git:HEAD")
    assert done.code == 66 and "git:HEAD: git says: not a git repository" in done.err and not done.out


@pytest.mark.soak
@pytest.mark.usefixtures("processes")
def test_another_one_that_ends_its_process_when_it_is_imported(shell: Shell, write: Write) -> None:
    write("mine.py", FIRST)
    write("exits.py", "import os\n\nos._exit(3)\n")
    done = shell("check", "mine.py", "--against", "exits.py")
    assert done.code == 66 and "it ended the process with code 3 while it was imported" in done.err and not done.out


def test_the_other_one_begins_though_this_one_does_not(shell: Shell, write: Write) -> None:
    write("mine.py", FIRST)
    begins = "\n    def begin(self, view):\n        self.which = 0\n"
    write("old.py", textwrap.dedent(FIRST).replace("self.which = which", "pass") + begins)
    done = shell("check", "mine.py", "--game", "nap", "--deals", 1, "--against", "old.py", "--isolate", "off")
    assert against(done, "old.py")[0] == "ok"
