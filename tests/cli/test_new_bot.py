"""`roundsim new bot`: a folder with a bot of each language, which can be built and found as the command says."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from click import Choice
from conftest import Shell, Write
from helpers.command import ROOT

from roundsim.cli.write import new_bot
from roundsim.sources import new, plugins
from roundsim.sources.new import LANGUAGES

NEXT = {
    "c": "(cd mine && cc -O2 -o bot bot.c) && ",
    "javascript": "",
    "go": "(cd mine && go build -o bot main.go) && ",
    "shell": "",
    "python": "",
}
PROGRAMS = {"c": "bot.c", "javascript": "bot.js", "go": "main.go", "shell": "bot.sh", "python": "bot.py"}
NEEDED = {"c": "cc", "javascript": "node", "go": "go", "shell": "sh", "python": "python3"}


@pytest.mark.parametrize("language", NEXT)
def test_it_says_what_it_writes_and_what_to_call_next(language: str, shell: Shell) -> None:
    done = shell("new", "bot", "mine", "--language", language)
    assert done.code == 0 and done.out == (
        f"wrote mine/{PROGRAMS[language]}\nwrote mine/bot.toml\nnext  {NEXT[language]}roundsim check ./mine\n"
    )
    assert {path.name for path in Path("mine").iterdir()} == {PROGRAMS[language], "bot.toml"}


@pytest.mark.parametrize("language", NEXT)
def test_a_written_bot_is_found_by_its_name_once_it_is_built(language: str, shell: Shell) -> None:
    if not shutil.which(NEEDED[language]):
        pytest.skip(f"no {NEEDED[language]} on this machine")
    said = shell("new", "bot", "mine-1", "--language", language).out
    build, _, check = said.splitlines()[-1].removeprefix("next  ").rpartition("roundsim check ")
    subprocess.run(f"{build} true", shell=True, check=True)
    for game in "nap", "draw-poker":
        (strategy,) = plugins.find(check, game)
        assert strategy.name == "mine-1" and strategy.command


def test_the_languages_of_the_command_are_those_that_there_are() -> None:
    (kind,) = [each.type for each in new_bot.params if each.name == "language"]
    assert isinstance(kind, Choice) and [*kind.choices] == [*LANGUAGES]


def test_existing_files_are_kept(shell: Shell, write: Write) -> None:
    write("mine/bot.sh", "mine\n")
    write("yours", "mine\n")
    for name in "mine", "yours":
        done = shell("new", "bot", name, "--language", "shell")
        assert done.code == 73 and f"{name} is there already" in done.err
    assert [path.name for path in Path("mine").iterdir()] == ["bot.sh"]
    assert shell("new", "bot", "nowhere/mine", "--language", "shell").code == 73 and not Path("nowhere").exists()


def test_elsewhere(shell: Shell, write: Write) -> None:
    write("our bots/notes")
    done = shell("new", "bot", "our bots/mine", "--language", "c")
    assert done.out.splitlines()[-1] == (
        "next  (cd 'our bots/mine' && cc -O2 -o bot bot.c) && roundsim check 'our bots/mine'"
    )


@pytest.mark.parametrize("name", ["", "1x", "a b", "..", "a=b", "é/..", "\0", "x" * 41])
def test_names_that_no_bot_can_have(name: str, shell: Shell) -> None:
    done = shell("new", "bot", name, "--language", "shell")
    assert done.code == 64 and "cannot be the name of a strategy" in done.err and not [*Path().iterdir()]


@pytest.mark.parametrize("words", [["--language", "cobol"], []])
def test_a_language_is_needed(words: list[str], shell: Shell) -> None:
    done = shell("new", "bot", "mine", *words)
    assert done.code == 64 and all(name in done.err for name in ("--language", *LANGUAGES)) and not [*Path().iterdir()]


def test_they_are_found_in_a_checkout_and_where_installed(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sorted(path.name for path in new.examples().iterdir() if path.is_dir()) == ["c", "go", "js", "py", "sh"]
    installed = write(f"site/{new.EXAMPLES}/sh/bot.sh").parent.parent
    monkeypatch.syspath_prepend(str(installed.parent))
    assert new.examples() == installed and (ROOT / "examples" / "bots" / "sh" / "bot.sh").is_file()
