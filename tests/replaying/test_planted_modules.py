"""Nothing runs because a file says so: a module planted where a run or a script names it is never imported."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from conftest import Shell
from helpers.command import TESTS, called, one_in
from helpers.run_files import edit_run_file

from roundsim.base.finding import sha256

GAME = (TESTS / "outside" / "linger_longer" / "linger_longer.py").read_text("utf-8")
SCRIPT = (TESTS / "outside" / "linger_longer" / "deals" / "all-run-out.toml").read_text("utf-8")
ADDRESS = "linger-longer/1/1/1"
READERS = (
    ("standings", "run"),
    ("log", "run"),
    ("deals", "run", "--worst"),
    ("replay", f"run:{ADDRESS}"),
    ("replay", "run"),
    ("diff", "run", "run"),
    ("report", "run"),
    ("report", f"run:{ADDRESS}"),
    ("report", "run", "run"),
    ("export", "run", "--to", "csv"),
    ("verify", "run"),
    ("merge", "run", "run"),
    ("grow", "run", "--deals", 900),
    ("play", "nap", "random", "random", "--deals", 8, "--reuse", "run", "--out", "other"),
    ("run", "nap.toml", "--reuse", "run", "--out", "other"),
)
SCRIPT_READERS = ("settle", "deal.toml"), ("settle", "."), ("replay", "deal.toml")
PLACES = {
    "beside": "evil.py",
    "within": "run/evil.py",
    "above": "../evil.py",
    "far above": "../../evil.py",
    "absolute": "{tmp}/evil.py",
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory, here: None) -> Path:
    """A run of a game from a file."""
    folder = tmp_path_factory.mktemp("played")
    (folder / "linger_longer.py").write_text(GAME)
    done = called("play", "linger_longer.py", *["random"] * 3, "--deals", 9, "--out", "run", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "run"


@pytest.fixture
def desk(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to call roundsim from, deep in others, with the run in it."""
    desk = tmp_path / "deep" / "desk"
    shutil.copytree(played, desk / "run")
    head = '[tournament]\nstrategies = ["random", "random"]\n'
    (desk / "nap.toml").write_text(f'{head}[[games]]\ngame = "nap"\ndeals = 8\n')
    monkeypatch.chdir(desk)
    return desk


def plant(tmp: Path, place: Path) -> Path:
    """A game that notes that it was imported."""
    place.write_text(f"{GAME}\nopen({str(tmp / 'ran')!r}, 'w')\n")
    return place


def refused(shell: Shell, tmp: Path, *words: object, code: int) -> str:
    done = shell(*words)
    assert done.code == code, (words, done)
    assert not (tmp / "ran").exists(), words
    return " ".join(done.err.split())


@pytest.mark.parametrize("place", one_in(3, [*PLACES]))
def test_a_run_imports_no_module_that_it_names(shell: Shell, tmp_path: Path, desk: Path, place: str) -> None:
    """Wherever it lies, and though its sha256 is the recorded one."""
    named = PLACES[place].format(tmp=tmp_path)
    planted = plant(tmp_path, desk / named)
    source = {"module": f"{named}:LingerLonger", "sha256": sha256(planted)}
    edit_run_file(desk / "run", lambda data: data["games"][0].update(source=source))
    for words in READERS:
        told = refused(shell, tmp_path, *words, code=65)
        assert "linger-longer is a game from a file, evil.py with sha256 " in told, (words, told)
        assert told.endswith("name that file: --game evil.py"), told


@pytest.mark.parametrize("place", one_in(3, [*PLACES]))
def test_a_script_imports_no_module_that_it_names(shell: Shell, tmp_path: Path, desk: Path, place: str) -> None:
    named = PLACES[place].format(tmp=tmp_path)
    plant(tmp_path, desk / named)
    for game in f"./{named}", f"./{named}:LingerLonger", f"{tmp_path}/deep/desk/{named}":
        (desk / "deal.toml").write_text(SCRIPT.replace('"linger-longer"', json.dumps(game)))
        (desk / "nap.toml").write_text(f'[tournament]\nstrategies = ["random"]\n[[games]]\ngame = {json.dumps(game)}\n')
        for words in SCRIPT_READERS:
            assert "is a file: write the id of its game" in refused(shell, tmp_path, *words, code=65)
        for words in ("run", "nap.toml"), ("gate", "nap.toml"):
            assert "is a file: write the id of its game" in refused(shell, tmp_path, *words, code=64)


def test_a_named_file_is_hashed_before_it_is_imported(shell: Shell, tmp_path: Path, desk: Path) -> None:
    planted = plant(tmp_path, desk / "evil.py")
    for words in READERS:
        refused(shell, tmp_path, *words, "--game", "evil.py", code=65)
    source = {"module": "evil.py:LingerLonger", "sha256": sha256(planted)}
    edit_run_file(desk / "run", lambda data: data["games"][0].update(source=source))
    assert shell("log", "run", "--game", "evil.py").code == 65  # the shards are of another source
    assert (tmp_path / "ran").exists()


def test_a_run_without_the_source_of_its_game_is_damaged(shell: Shell, tmp_path: Path, desk: Path) -> None:
    plant(tmp_path, desk / "evil.py")
    edit_run_file(desk / "run", lambda data: data["games"][0].pop("source"))
    assert "is none of roundsim's, and has no source" in refused(
        shell, tmp_path, "log", "run", "--game", "evil.py", code=65
    )


@pytest.mark.parametrize("name", one_in(3, ["evil.py", "./evil.py:act", "{tmp}/deep/desk/evil.py", "evil:act"]))
@pytest.mark.parametrize("recorded", [True, False])
def test_growing_loads_no_strategy_that_the_folder_names(
    shell: Shell, tmp_path: Path, desk: Path, monkeypatch: pytest.MonkeyPatch, name: str, recorded: bool
) -> None:
    """Neither by the name of a strategy in run.toml, nor by its place in timing.json; no seal is needed for that."""
    monkeypatch.setenv("ROUNDSIM_SEAL", "none")
    monkeypatch.syspath_prepend(desk)
    (desk / "evil.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\ndef act(view): return view.legal[0]\n")
    (desk.parent / "linger_longer.py").write_text(GAME)
    named = name.format(tmp=tmp_path)
    own = {"name": named if recorded else "stranger", "sha256": sha256(desk / "evil.py")}
    edit_run_file(desk / "run", lambda data: data["games"][0]["strategies"][0].update(own))
    sources = {} if recorded else {"linger-longer": {"stranger": named}}
    (desk / "run" / "timing.json").write_text(json.dumps({"sources": sources}))
    damaged = recorded and not named[0].isalpha()  # no strategy can be called so
    grow = "grow", "run", "--deals", 900, "--game", "../linger_longer.py"
    refused(shell, tmp_path, *grow, code=65 if damaged else 64)
