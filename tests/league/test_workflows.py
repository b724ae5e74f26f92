"""The workflows of a new league: well formed, and their steps run as they stand, for pull requests and for rounds."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import SURROUNDINGS, Git, Shell, Write
from helpers.browser import lacking
from helpers.command import PATIENCE, ROOT

pytestmark = [pytest.mark.soak, pytest.mark.usefixtures("here")]

FIRST = 'games = ["nap"]\n\ndef act(view):\n    return view.legal[0]\n'
SMALL = '\n[limits]\nisolate = "off"\n\n[[games]]'


@pytest.fixture
def origin(shell: Shell, write: Write, git: Git, tmp_path: Path) -> Path:
    """A bare repository with a new league, in which a round is 60 deals, and one entry."""
    assert shell("new", "league", "lg", "--game", "nap").code == 0
    rules = tmp_path / "lg/league.toml"
    rules.write_text(rules.read_text().replace("deals = 2000", "deals = 60").replace("\n[[games]]", SMALL))
    write("lg/entries/ann.py", FIRST)
    write("temp/venv/bin/roundsim", f'#!/bin/sh\nexec {sys.executable} -m roundsim "$@"\n').chmod(0o755)
    git("init", "--quiet", "--initial-branch=main", "lg")
    commit(git, tmp_path / "lg")
    git("clone", "--quiet", "--bare", "lg", "origin.git")
    return tmp_path / "origin.git"


def commit(git: Git, folder: Path) -> None:
    git("add", ".", folder=folder)
    git("commit", "--quiet", "--message", "Change", folder=folder)


def steps(name: str, job: str) -> dict[str, str]:
    """The name and the text of each step of a job that runs something, but the installation."""
    path = ROOT / "roundsim" / "league" / "scaffold" / name
    data: dict[str, Any] = yaml.safe_load(path.read_text().replace("@ROUNDSIM@", '"roundsim"'))
    listed = data["jobs"][job]["steps"]
    return {step["name"]: step["run"] for step in listed if "run" in step and step["name"] != "Install"}


def run(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a step as GitHub does, with the roundsim of this environment as the installed one."""
    temp = folder.parent / "temp"
    given = {"RUNNER_TEMP": str(temp), "GITHUB_OUTPUT": str(temp / "output"), "AUTHOR": "ann", "PYTHONPATH": str(ROOT)}
    words = ["bash", "-euo", "pipefail", "-c", text]
    env = {**os.environ, **SURROUNDINGS, **given}
    return subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, timeout=PATIENCE)


def test_zizmor_finds_nothing_wrong_and_all_files_are_yaml(origin: Path) -> None:
    zizmor, league = Path(sys.executable).with_name("zizmor"), origin.parent / "lg"
    if not zizmor.exists():
        lacking("zizmor")
    for path in [*league.glob(".github/workflows/*.yml"), league / ".gitlab-ci.yml"]:
        assert isinstance(yaml.safe_load(path.read_text()), dict), path
    done = subprocess.run([zizmor, "--offline", league], capture_output=True, text=True)
    assert done.returncode == 0 and "No findings" in done.stdout, done


PULLED: list[tuple[dict[str, str], int, int, str]] = [
    ({"entries/ben.py": FIRST.replace("[0]", "[-1]"), "entries/ann.py": FIRST + "\n"}, 0, 0, "`ben`"),
    ({"entries/ben.py": "def act(view:\n"}, 0, 2, "ben.py:1"),
    ({"league.toml": "title = 'mine'\n"}, 1, 0, "M\tleague.toml"),
    ({"rounds/0001-abcdef/round.toml": "number = 1\n"}, 1, 0, "A\trounds/0001-abcdef/round.toml"),
    ({"versions/entries/x.py": FIRST, "entries/ben.py": FIRST}, 1, 0, "A\tversions/entries/x.py"),
]


@pytest.mark.parametrize(("files", "changed", "checked", "words"), PULLED)
def test_a_pull_request_is_checked(
    files: dict[str, str], changed: int, checked: int, words: str, origin: Path, write: Write, git: Git
) -> None:
    """The base has gone on since the request was sent."""
    here = origin.parent
    git("clone", "--quiet", origin, "work/theirs")
    theirs = here / "work/theirs"
    git("checkout", "--quiet", "-b", "request", folder=theirs)
    for name, text in files.items():
        write(f"work/theirs/{name}", text)
    commit(git, theirs)
    git("checkout", "--quiet", "main", folder=theirs)
    write("work/theirs/authors.toml", 'ann = "@ann"\n')
    commit(git, theirs)
    git("merge", "--quiet", "--no-ff", "request", folder=theirs)
    compare, check = steps("check.yml", "check").values()
    done = run(compare, here / "work")
    assert done.returncode == changed, done
    if changed:
        assert done.stdout.strip() == words
        return
    done = run(check, here / "work")
    comment = (here / "temp/comment.md").read_text()
    assert done.returncode == checked and words in comment and "`ann`: cannot" not in comment, (done, comment)


def test_a_round_is_played_verified_and_pushed(origin: Path, git: Git) -> None:
    """Twice, in fresh clones: the second job gets only rounds and versions of the first one."""
    here = origin.parent
    (play,) = steps("round.yml", "play").values()
    verify, keep = steps("round.yml", "publish").values()
    for number in 1, 2:
        for name in "play", "publish":
            git("clone", "--quiet", origin, name)
        done = run(play, here / "play")
        assert done.returncode == 0 and (here / "temp/output").read_text().split() == ["rounds=kept"] * number, done
        for name in "rounds", "versions":
            shutil.copytree(here / "play" / name, here / "publish" / name, dirs_exist_ok=True)
        for text in verify, keep:
            done = run(text, here / "publish")
            assert done.returncode == 0, done
        assert (here / "publish/site/index.html").is_file()
        files = git("ls-tree", "-r", "--name-only", "main", folder=origin).splitlines()
        assert sum(name.endswith("/round.toml") for name in files) == number
        assert not [name for name in files if name.startswith(("site/", "checks/")) or name.endswith(".lock")]
        for name in "play", "publish":
            shutil.rmtree(here / name)


def test_a_league_in_which_no_entry_can_play_yet_publishes_no_round(origin: Path, git: Git) -> None:
    git("clone", "--quiet", origin, "play")
    (origin.parent / "play/entries/ann.py").unlink()
    (play,) = steps("round.yml", "play").values()
    done = run(play, origin.parent / "play")
    assert done.returncode == 0 and not (origin.parent / "temp/output").exists(), done
