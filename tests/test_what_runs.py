"""Which commands run a strategy: what SECURITY.md and docs/security.md list is tried, and every command is in a list."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

import click
import pytest
from helpers.command import PATIENCE, ROOT, command, environment

from roundsim import cli

MARK = "planted.py.ran"  # is there once the planted strategy has run
PLANTED = """
open(__file__ + ".ran", "a").close()

class Mine:
    games = ["nap"]
    def act(self, view):
        return view.legal[0]
"""
FILES = {
    "planted.py": PLANTED,
    "lg/entries/planted.py": PLANTED.replace("__file__", "__file__.partition('/lg/')[0] + '/planted.py'"),
    "lg/league.toml": '[round]\ndeals = 16\n[limits]\nisolate = "off"\n[[games]]\ngame = "nap"\nplayers = 3\n',
    "tournament.toml": '[tournament]\nstrategies = ["planted.py", "book"]\n[[games]]\ngame = "nap"\n',
    "gate.toml": '[tournament]\nstrategies = ["planted.py", "book"]\n[gate]\nmine = "Mine"\nbaseline = "book"\n'
    '[[games]]\ngame = "nap"\n',
    "claims.toml": 'book = "B"\nauthor = "A"\ngame = "nap"\n[[claim]]\nno = 1\nsays = "x"\n'
    'versus = { a = "planted", b = "book" }\ntrue_if = "a - b > 0"\n',
}
BEFORE = [
    "play nap planted.py book random --deals 6 --out run",
    "play nap planted.py random --deals 2000 --shard 1/2 --out run.1of2",
    "play nap planted.py random --deals 2000 --shard 2/2 --out run.2of2",
    "replay run:nap/1/1/1 --script deal.toml",
    "sit nap planted.py --out seat",
]


def tried(runs: Sequence[str] = (), others: Sequence[str] = ()) -> list[tuple[str, bool]]:
    """Command lines that run the planted strategy, and others that do not."""
    return [*((words, True) for words in runs), *((words, False) for words in others)]


TRIED = {  # by command what follows it
    "run": tried(["tournament.toml --deals 8"]),
    "play": tried(["nap planted.py book --deals 8"], ["nap book random --deals 8"]),
    "sit": tried(["nap planted.py", "seat planted.py"], ["nap book", "seat"]),
    "gate": tried(
        [
            "nap planted.py book --deals 1280",
            "gate.toml --deals 1280",
            "nap book random --among planted.py --deals 1280",
        ],
        ["nap book random --deals 1280"],
    ),
    "contest": tried(["planted.py book --game nap --deals 8 --isolate off"]),
    "league": tried(["lg"]),
    "check": tried(["planted.py --game nap --deals 4"]),
    "strategies": tried(["planted.py"], ["", "nap"]),
    "grow": tried(["run --deals 12 --strategy planted.py"], ["run --deals 12"]),
    "verify": tried(["run --strategies --strategy Mine=planted.py"], ["run", "run --strategies"]),
    "replay": tried(
        ["run:nap/1/1/1 --strategy planted.py", "deal.toml --strategy planted.py"],
        ["run:nap/1/1/1 --seat Mine", "deal.toml"],
    ),
    "coach": tried(["run --of Mine --by planted.py"], ["run --of Mine"]),
    "claims": tried(
        ["claims.toml --budget 40 --strategy planted=planted.py", "nap/5 --again --budget 40 --among planted.py"],
        ["claims.toml", "claims.toml --run run", "nap/5"],
    ),
    "merge": tried([], ["run.1of2 run.2of2"]),
    "runs": tried([], ["."]),
    "standings": tried([], ["run --cross"]),
    "deals": tried([], ["run --worst Mine", "run --why Mine"]),
    "diff": tried([], ["run run"]),
    "log": tried([], ["run --who"]),
    "report": tried([], ["run --verify", "run:nap/1/1/1", "run run"]),
    "export": tried([], ["run --to csv"]),
    "settle": tried([], ["deal.toml"]),
    "games": tried([], [""]),
    "rules": tried([], ["nap --example"]),
    "schema": tried([], ["tournament"]),
    "odds": tried([], ["--hold 'As Ad'"]),
    "new strategy": tried([], ["planted2"]),
    "new bot": tried([], ["planted2 --language c"]),
    "new league": tried([], ["planted2"]),
}
LACKS = "is not installed|not installed here|is not here|is installed: say where|which files does not name"
FLAG = re.compile(r"--(?:strategy|by|among)\b")
COMPLETED = (
    "play nap planted.py:",
    "run tournament",
    "grow run --strategy planted.py:",
    "deals run --worst ",
    "strategies ./",
)


def commands(group: click.Group = cli.cli, before: str = "") -> Iterator[tuple[str, click.Command]]:
    for name, each in group.commands.items():
        if isinstance(each, click.Group):
            yield from commands(each, f"{before}{name} ")
        else:
            yield f"{before}{name}", each


def in_code(document: str, begins: str) -> list[str]:
    """The code between these words of a document and the end of a sentence, or of a line of a table."""
    (found,) = re.findall(rf"{re.escape(begins)}(.*?)(?:\.\s| \|$)", text_of(document), re.DOTALL | re.M)
    return re.findall("`(.*?)`", found)


def text_of(document: str) -> str:
    return (ROOT / document).read_text("utf-8")


def test_every_command_is_in_a_list_of_what_runs_strategies() -> None:
    """In the one of SECURITY.md that agrees with what is tried here."""
    always, by_option, never = (in_code("SECURITY.md", f"| {row} | ") for row in ("always", "by option", "never"))
    named = dict[str, set[str]]()
    for words in by_option:
        name, flag = words.split()
        named.setdefault(name, set()).add(flag)
    assert sorted([*always, *named, *never]) == sorted(TRIED) == sorted(name for name, _ in commands())
    for name, given in TRIED.items():
        runs, others = ([words for words, runs in given if runs is wanted] for wanted in (True, False))
        assert bool(runs) == (name not in never) and bool(others) or name in always
        if name in named:
            flags = [{*FLAG.findall(words)} for words in runs]
            assert all(flags) and {*chain(*flags)} == named[name] and not FLAG.findall(" ".join(others))


def test_every_command_that_can_switch_the_sandbox_off_is_listed() -> None:
    having = [name for name, each in commands() if any(option.name == "isolate" for option in each.params)]
    assert sorted(in_code("docs/security.md", "These commands have the flag: ")) == sorted(having)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("desk")
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    for words in BEFORE:
        ended(words, folder)
    (folder / MARK).unlink()
    return folder


def ended(words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Call a command in a separate process without a sandbox, which would hide what runs. It does its work, or it refuses
    it because of the strategy."""
    line, where = command(*shlex.split(words)), {**environment(), "ROUNDSIM_SEAL": "none"}
    done = subprocess.run(line, cwd=folder, env=where, input="q\n", capture_output=True, text=True, timeout=PATIENCE)
    lacks = re.search(LACKS, done.stderr)
    assert done.returncode in (0, 1, 2, 3) or done.returncode == 64 and lacks, done
    return done


@pytest.mark.soak
@pytest.mark.parametrize(("words", "runs"), [(f"{key} {words}", runs) for key in TRIED for words, runs in TRIED[key]])
def test_a_strategy_runs_only_if_it_is_named(words: str, runs: bool, desk: Path, tmp_path: Path) -> None:
    folder = tmp_path / "desk"
    shutil.copytree(desk, folder)
    ended(words, folder)
    assert (folder / MARK).exists() == runs


@pytest.mark.soak
@pytest.mark.parametrize("words", COMPLETED)
def test_no_strategy_runs_where_its_name_is_completed(words: str, desk: Path) -> None:
    asked = {"_ROUNDSIM_COMPLETE": "fish_complete", "COMP_WORDS": f"roundsim {words}"}
    asked["COMP_CWORD"] = words.split(" ")[-1]
    done = subprocess.run(command(), cwd=desk, env={**environment(), **asked}, capture_output=True, text=True)
    assert done.stdout and not (desk / MARK).exists(), done
