"""The command after `repeat`, and the one on the page, plays in an empty folder what the table shows."""

from __future__ import annotations

import json
import re
import shlex
from contextlib import chdir
from html import unescape
from pathlib import Path

import pytest
from conftest import Shell, Write
from helpers.command import BAD, TESTS, assert_same, one_in_with, seldom_with

import roundsim
from roundsim.replaying.report import render_run_page
from roundsim.tournament.commandline import read_command
from roundsim.tournament.storage.folder import RunFolder

pytestmark = pytest.mark.usefixtures("here")

TWO_TABLES = f"""
    [tournament]
    strategies = ["random", "{BAD}:Crash"]  # faults: each command ends with exit code 2
    [[games]]
    game = "nap"
    players = 4  # 16 deals in a block
    deals = 60
    [[games]]
    name = "three"
    game = "nap"
    players = 3
    sitting = 4  # 12 deals in a block
    deals = 130
    """
NO_AMOUNT_OF_ITS_OWN = TWO_TABLES.replace("deals = 60", "deals = 0")
KNOCK_OUTS = """
    [tournament]
    format = "freeze-out"
    strategies = ["random", "random"]
    [[games]]
    game = "draw-poker"
    stack = 5
    times = 2
    options = { stakes = "table" }
    [[games]]
    name = "long"
    game = "draw-poker"
    stack = 9
    times = 4
    options = { stakes = "table" }
    """


def grown(shell: Shell, words: list[str], amounts: list[str]) -> str:
    """The command that is printed when a run has been asked for in all these amounts."""
    for amount in amounts:
        done = shell(*words, *amount.split(), "--jobs", "1")
        assert done.code in (0, 2), done.err
    return str(done.out.splitlines()[-1])


def check_in_empty_folder(command: str, shell: Shell) -> None:
    """A shell that is given it makes the same run there, byte for byte."""
    (run,) = Path("runs").iterdir()
    Path("empty").mkdir()
    with chdir("empty"):
        for each in command.removeprefix("repeat   ").split("; "):  # whatever exit code the one before has
            shell(*each.split()[1:], "--jobs", "1")
    assert_same(run, "empty" / run)


@pytest.mark.parametrize(
    ("text", "amounts", "tail"),
    [
        (NO_AMOUNT_OF_ITS_OWN, ["--deals 30", "--deals 17"], " --deals 32"),
        (KNOCK_OUTS, ["--times 3", "", "--times 1"], "; {} --times 3"),
        *seldom_with(
            (TWO_TABLES, ["", "--deals 17"], ""),
            (TWO_TABLES, ["--deals 150", "", "--deals 17"], " --deals 156"),
            (TWO_TABLES, ["", "--deals 70"], "; {} --deals 70"),
            (TWO_TABLES, ["--deals 70", ""], "; {} --deals 80"),
        ),
    ],
)
def test_of_a_file(text: str, amounts: list[str], tail: str, shell: Shell, write: Write) -> None:
    words = ["run", str(write("cup.toml", text))]
    command, alone = grown(shell, words, amounts), f"roundsim {' '.join(words)} --seed 1"
    assert command == f"repeat   {alone}{tail.format(alone)}"
    check_in_empty_folder(command, shell)


def test_no_command_gives_what_a_file_asked_for_before(shell: Shell, write: Write) -> None:
    grown(shell, words := ["run", str(write("cup.toml", TWO_TABLES))], [""])
    write("cup.toml", TWO_TABLES.replace("deals = 130", "deals = 20"))
    assert grown(shell, words, [""]) == "repeat   no command: the file had other amounts when more was asked for"


FIRST = "games = ['nap']\ndef act(view):\n    return view.legal[0]\n"
BOT = """
import json, sys
print(json.loads(sys.stdin.readline()) and '{"roundsim":1}', flush=True)
for line in sys.stdin:
    word, number, *rest = json.loads(line)
    if word == "ask":
        print(json.dumps([number, 0]), flush=True)
"""
TOP = '[tournament]\nstrategies = ["book", "random"]\n[[games]]\ngame = "nap"\ndeals = 400\n'
FILES = {
    "mine.py": FIRST,
    "entries/ann.py": FIRST,
    "entries/ben.py": FIRST,
    "bot.py": BOT,
    "cup.toml": TOP.replace('"random"', '"mine.py"')
    + '[[games]]\ngame = "loo"\ndeals = 12\nstrategies = ["book", "random"]\n',
    "outside.toml": TOP.replace("book", "random").replace("nap", "linger-longer").replace("400", "8"),
    "gate.toml": TOP + '[gate]\nmine = "book"\nbaseline = "random"\n',
    **{name: (TESTS / "outside" / name[:-3] / name).read_text("utf-8") for name in ("linger_longer.py", "king.py")},
}

# Commands in one folder; RUN is the run of the first. The page has other words for what it must not name.
COMMANDS: list[tuple[str, dict[str, str]]] = [
    ("play nap book mine.py 'book(bold=1)' --option kitty=dealer --seats 3 --deals 60", {}),
    ("gate nap,loo book random --over-all --deals 400", {}),
    ("play linger_longer.py random random random --deals 9", {"linger_longer.py": "FILE"}),
    ("run outside.toml --game linger_longer.py", {"linger_longer.py": "FILE"}),
    ("play nap book 'first=cmd:python3 bot.py' --seats 2 --deals 8", {"'first=cmd:python3 bot.py'": "first=FILE"}),
    ("play nap book random random --as king.py --times 3", {"king.py": "FILE"}),
    ("play nap book mine.py --seats 2 --deals 8 --isolate off", {" --isolate off": ""}),
    ("run cup.toml; run cup.toml --deals 16", {}),
    ("run cup.toml --until separated --deals 2000 --seed 4", {}),
    ("play nap,pope-joan book random --deals 50 --seats 3-4 --fresh-cards", {}),
    ("play all -loto -pope-joan -cassino random --seats 4 --deals 1", {}),
    ("play draw-poker book random --as freeze-out --times 2 --option stakes=table --seats 2", {}),
    ("play brag book random book random book random book random --as progressive --times 1", {}),
    ("play thirty-one book random book random random --as knock-out --deals 40", {}),
    ("play nap book random random --focus book --seats 2 --deals 40 --shard 1/2", {}),
    ("gate nap new=book old=random --margin 0.5 --deals 2000 --sitting 2 --seed 9", {}),
    ("gate brag book random --among 'book,book(bluff=0.1)' --seats 4 --deals 1280", {}),
    ("gate nap book random --whole --deals 400 --seats 3 --option kitty=dealer", {}),
    ("gate gate.toml", {}),
    ("play nap book random --deals 8; grow RUN --strategy mine.py; grow RUN --strategy mine.py --deals 30", {}),
    ("run cup.toml; grow RUN --strategy mine.py --deals 440 --entry nap", {}),
    ("play nap book random --deals 8 --shard 1/1 --out part; merge part", {}),
]


def lay_out(folder: Path) -> Path:
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    return folder


def command_on_page(run: Path) -> str:
    found = re.search(r"<dt>Again</dt><dd class=\"cmd\"><code[^>]*>([^<]*)</code>", render_run_page(RunFolder(run))[0])
    return unescape(found[1]) if found else ""


@pytest.mark.parametrize(("commands", "hidden"), one_in_with(6, COMMANDS))
def test_terminal_and_page_print_the_command_that_works(
    commands: str, hidden: dict[str, str], shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with chdir(lay_out(tmp_path / "first")):
        for command in commands.split("; "):
            run = next(Path("runs").glob("*"), Path())
            done = shell(*shlex.split(command.replace("RUN", str(run))))
            assert done.code in (0, 1, 3, 4), done
        (repeat,) = re.findall(r"^repeat +(.*)$", done.out, re.MULTILINE)
        (run,) = Path("runs").iterdir()
        on_page = command_on_page(run)
    with chdir(lay_out(tmp_path / "second")):
        if "merge" in repeat:
            shell(*shlex.split(commands.partition("; ")[0]))
        for command in repeat.split("; "):
            again = shell(*shlex.split(command)[1:])
            assert again.code in (0, 1, 3, 4), again
    assert_same(tmp_path / "first" / run, tmp_path / "second" / run)
    for words, instead in hidden.items():
        repeat = repeat.replace(words, instead)
    assert on_page == repeat


@pytest.mark.parametrize(
    "record",
    [
        {"command": "play", "game": "nap", "strategies": ["--isolate", "off", "evil.py"]},
        {"command": "play", "game": "--version"},
        {"command": "play", "game": "nap", "strategies": "book"},
        {"command": "play", "game": "nap\n rm -rf ~"},
        {"command": "play", "game": "nap", "loaded": {}},
        {"command": "play", "game": "nap", "fresh_cards": "yes"},
        {"command": "sh", "game": "nap"},
        None,
    ],
)
def test_a_record_that_is_no_command_is_not_shown(record: object, shell: Shell) -> None:
    shell("play", "nap", "book", "random", "--deals", 8, "--out", "run")
    assert command_on_page(Path("run")).startswith("roundsim play nap book random")
    timing = json.loads(Path("run/timing.json").read_text("utf-8"))
    Path("run/timing.json").write_text(json.dumps({**timing, "commands": [record]}), "utf-8")
    assert read_command(record) is None and command_on_page(Path("run")) == ""


@pytest.mark.parametrize(
    ("record", "shown"),
    [
        ({"strategies": ["cmd:rm -rf ~", "a=cmd:sh x", "$(reboot)"]}, "play nap FILE a=FILE '$(reboot)'"),
        ({"game": "loo,../evil.py:Evil,nap", "strategies": ["book"]}, "play loo,FILE,nap book"),
        ({"strategies": ["/home/ann/mine.py:Mine(a=1)", "old=/x/y.py"]}, "play nap 'mine.py:Mine(a=1)' old=y.py"),
        ({"format": "./evil.py"}, "play nap --as FILE"),
        ({"game": "evil.py ,evil.py :X"}, "play FILE,FILE"),
        (
            {"strategies": ["/x/cmd:rm -rf ~", "/home/me(old)/m.py"], "options": {"p": "/a/b"}},
            "play nap FILE m.py --option p=b",
        ),
        ({"strategies": ["book", "/x/--game=evil.py"]}, ""),
        ({"game_files": ["evil.py"], "format_files": ["evil.py"], "isolate": "off"}, "play nap --game FILE --as FILE"),
        ({"out": "/home/ann/runs/x", "seed": 0}, "play nap --seed 0 --out x"),
    ],
)
def test_the_page_of_somebody_else_names_no_code_of_theirs(record: dict[str, object], shown: str) -> None:
    command = read_command({"command": "play", "game": "nap", **record})
    assert command and str(command.for_page()) == (f"roundsim {shown}" if shown else "None")


def test_python_keeps_the_command_unless_only_the_session_has_a_strategy(shell: Shell) -> None:
    run = roundsim.play("nap", ["book", "random"], seats=2, deals=8, out="python")
    assert command_on_page(run.folder) == "roundsim play nap book random --seats 2 --seed 1 --deals 8 --out python"
    run = roundsim.play("nap", {"mine": lambda view: view.legal[0], "book": "book"}, deals=8, out="session")
    assert command_on_page(run.folder) == ""
