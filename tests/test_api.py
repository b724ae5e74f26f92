"""The functions behind the commands, called from Python."""

from __future__ import annotations

import json
import pickle
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from conftest import Shell, Write, addresses
from helpers.command import contents

import roundsim
from roundsim import api, running
from roundsim.base import errors
from roundsim.refereeing.referee import Clock
from roundsim.running import Means, Run, play_tournament
from roundsim.sandbox.kinds import Sandbox
from roundsim.tournament.planning.file import read_tournament
from roundsim.tournament.planning.key_lines import KeyLines
from roundsim.tournament.planning.plan import Task, Tournament
from roundsim.tournament.storage.folder import RunFolder
from roundsim.workers.shard import Playing

pytestmark = pytest.mark.usefixtures("here")


def test_all_names_of_the_library_exist() -> None:
    for name in roundsim.__all__:
        assert hasattr(roundsim, name), name
    assert {"play", "run", "open_run", "verify", "replay_deal", "check_script"} <= {*roundsim.__all__}


def test_play_takes_options_seats_and_seed(tmp_path: Path) -> None:
    run = roundsim.play(
        "nap", ["random"], seats=5, deals=25, options={"misery": True}, seed=7, jobs=1, out=tmp_path / "run"
    )
    assert run.standings["seed"] == 7 and run.standings["games"][0]["players"] == 5
    assert run.standings["games"][0]["options"] == {"misery": True}


def test_play_again_goes_on_with_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    runs = [roundsim.play("nap", ["random", "random"], deals=deals, jobs=1, out="run") for deals in (8, 16, 8)]
    assert [run.standings["games"][0]["deals"] for run in runs] == [8, 16, 16]
    run = roundsim.play("nap", ["random", "random"], deals=4, jobs=1)
    assert run.folder.parent == Path("runs") and run.folder.name.startswith("nap-")


def test_run_with_overrides(write: Write, tmp_path: Path) -> None:
    path = write("t.toml", '[tournament]\nstrategies = ["random", "random"]\n[[games]]\ngame = "nap"\n')
    run = roundsim.run(path, seed=9, deals=8, jobs=1, out=tmp_path / "run")
    assert run.standings["seed"] == 9 and run.standings["games"][0]["deals"] == 8
    game = '[[games]]\ngame = "draw-poker"\noptions = { stakes = "table" }\n'
    freeze_out = write("f.toml", f'[tournament]\nformat = "freeze-out"\nstrategies = ["random", "random"]\n{game}')
    assert roundsim.run(freeze_out, times=2, jobs=1, out=tmp_path / "f").standings["games"][0]["blocks"] == 2


def test_faults_are_counted(write: Write, tmp_path: Path) -> None:
    mine = write("mine.py", "def act(view):\n    return 'nothing'\n")
    made = roundsim.play("nap", [str(mine), "random"], deals=8, jobs=1, out=tmp_path / "run")
    assert made.faults == roundsim.open_run(tmp_path / "run").faults > 0


def test_errors(write: Write, tmp_path: Path, parlour: Run) -> None:
    with pytest.raises(errors.TournamentError) as error:
        roundsim.play("nap", ["randum"], options={"misry": True})
    assert len(error.value.problems) == 2
    with pytest.raises(errors.TournamentError):
        roundsim.play("napp", ["random"])
    with pytest.raises(errors.TournamentError):
        roundsim.run(tmp_path / "nothing.toml")
    with pytest.raises(errors.PluginError):
        roundsim.play("nap", [str(write("bad.py", "1 / 0\n"))])
    with pytest.raises(errors.FolderError):
        roundsim.play("nap", ["random"], deals=1, out=parlour.folder)
    for function in (roundsim.open_run, roundsim.verify):
        with pytest.raises(errors.LogError):
            function(tmp_path / "nothing")
    with pytest.raises(errors.LogError):
        roundsim.replay_deal(parlour.folder, "nap/99/1/1")


@pytest.mark.parametrize(
    "error",
    [
        errors.TournamentError(["one"]),
        errors.OptionError(["no"]),
        errors.BugError("words", "script"),
        errors.DisagreesError(["a"] * 30),
        errors.LogError("it"),
    ],
)
def test_errors_come_whole_through_a_pool(error: errors.RoundsimError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.code, vars(again)) == (type(error), str(error), error.code, vars(error))


def test_a_changed_file_and_an_unfinished_run(season: Run, tmp_path: Path) -> None:
    """`verify` names the file; the standings are those of the shards that are there."""
    run = shutil.copytree(season.folder, tmp_path / "run")
    (run / "standings.csv").write_text("game\n")
    with pytest.raises(errors.DisagreesError, match="standings.csv"):
        roundsim.verify(run)
    (shard,) = (run / "log" / "pope").iterdir()
    shard.unlink()
    assert [game["deals"] for game in roundsim.open_run(run).standings["games"]] == [60, 0]


def test_play_standings_verify_and_replay(parlour: Run, shell: Shell) -> None:
    assert parlour.faults == 0 and parlour.standings["games"][0]["deals"] == 90
    assert parlour.standings == json.loads((parlour.folder / "standings.json").read_text())
    assert str(parlour).startswith("Nap · 3 seats · 90 deals in 10 blocks of 9")
    assert shell("standings", parlour.folder).out == str(parlour)
    assert roundsim.open_run(parlour.folder).standings == parlour.standings
    assert str(roundsim.open_run(str(parlour.folder))) == str(parlour)
    assert roundsim.verify(parlour.folder) == 90
    address = addresses(parlour)[3]
    assert roundsim.replay_deal(parlour.folder, address) + "\n" == shell("replay", f"{parlour.folder}:{address}").out


def test_check_script(write: Write) -> None:
    good = 'game = "nap"\nplayers = 2\n[[deals]]\nactions = ["0 call 9"]\nerror = ""\n'
    write("deals/good.toml", good)
    write("deals/bad.toml", good.replace("call 9", "pass"))
    outcome = roundsim.check_script(write("deals/good.toml", good).parent)
    assert (outcome.passed, outcome.failed, outcome.foreign) == (1, 1, [])
    assert "bad.toml: deal 1" in outcome.lines[0]
    with pytest.raises(errors.ScriptError, match="foreign.toml: no TOML"):
        roundsim.check_script(write("deals/foreign.toml", "x").parent)


@pytest.mark.soak
def test_a_program_needs_no_main_guard(tmp_path: Path) -> None:
    play = "run = roundsim.play('nap', ['book', 'random'], deals=8, jobs=2)"
    program = f"import roundsim\n{play}\nprint(run.standings['games'][0]['deals'])\n"
    (tmp_path / "program.py").write_text(program)
    environment = {"PYTHONPATH": str(Path(roundsim.__file__).parent.parent), "PATH": ""}
    words = [sys.executable, "program.py"]
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "8\n", "")


def in_this_process(tournament: Tournament, folder: str, tasks: Iterator[Task], jobs: int) -> Iterator[Task]:
    """Plays all shards here, the last first: another kind of `Workers`."""
    with Clock(60) as clock:
        for task in reversed(list(tasks)):
            shard = Playing(tournament, task, clock)
            shard.play()
            shard.write(RunFolder(folder).shard_to_be(tournament.entries[task.entry], task.first))
            yield task


@pytest.mark.soak
def test_other_workers_play_the_same_bytes(tmp_path: Path) -> None:
    games = [{"game": "nap", "deals": 1500}, {"game": "jig", "deals": 100}]
    data = {"tournament": {"strategies": ["book", "random"]}, "games": games}
    tournament = read_tournament(data, KeyLines("here"), tmp_path, "line")
    ours = play_tournament(tournament, tmp_path / "ours", means=Means(2))
    theirs = play_tournament(tournament, tmp_path / "theirs", means=Means(workers=in_this_process))
    assert ours.played == theirs.played >= 1600
    assert contents(ours.folder.path) == contents(theirs.folder.path)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [({"seed": -1}, "seed must be"), ({"jobs": 0}, "jobs must be 1 or more"), ({"seats": 0}, "players must be")],
)
def test_python_refuses_the_same_as_the_command_line(wrong: dict[str, Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(errors.InputError, match=words):
        roundsim.play("nap", ["random", "random"], deals=4, out=tmp_path / "run", **wrong)
    assert not (tmp_path / "run").exists()


def test_a_frame_is_of_the_library_that_is_there(parlour: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    polars = ModuleType("polars")
    vars(polars)["DataFrame"] = lambda rows: ("frame", rows)
    monkeypatch.setitem(sys.modules, "polars", polars)
    monkeypatch.setattr(running, "find_spec", lambda name: name == "polars")
    assert parlour.frame() == ("frame", parlour.rows())
    assert parlour.frame("differences") == ("frame", parlour.differences())
    monkeypatch.setattr(running, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match="pandas or polars"):
        parlour.frame()


def test_isolation_changes_no_byte_of_the_log(tmp_path: Path, seal: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUNDSIM_SEAL", seal.name)
    for how in "on", "off":
        api.play("nap", ["random", "book"], deals=8, jobs=1, isolate=how, out=tmp_path / how)
    logs = [[file.read_bytes() for file in (tmp_path / how / "log").rglob("*.zst")] for how in ("on", "off")]
    assert logs[0] == logs[1] != []
    guests = [json.loads((tmp_path / how / "timing.json").read_text()).get("guests") for how in ("on", "off")]
    assert guests == [seal.sentence, None]
    with pytest.raises(errors.InputError, match="isolate must be auto or on or off, not 'yes'"):
        api.play("nap", ["random", "book"], deals=8, isolate="yes")


def test_a_run_and_its_gates_test_each_game_unless_asked(season: Run) -> None:
    assert [game["name"] for game in season.standings["games"]] == ["nap", "pope"]
    assert {row["strategy"] for row in season.standings["all"]} == {"book", "random"}
    assert season.gate("book", "random").over_all is None
    assert season.gate("book", "random", over_all=True).over_all is not None


def test_a_gate_from_python(tmp_path: Path) -> None:
    """The same strategy twice is the same; the arguments of the command that exclude each other are refused."""
    assert roundsim.gate("nap", "random", "random", seed=1, out=tmp_path / "same").word == "no difference"
    mine = roundsim.gate("jig", {"mine": lambda view: view.legal[0]}, "book", seed=1, deals=400, out=tmp_path / "worse")
    assert mine.word in ("worse", "undecided") and [*mine.games] == ["jig"]
    refused: list[dict[str, Any]] = [
        {"whole": True, "half": True},
        {"among": ["book"], "fresh_cards": True},
        {"among": "book"},
    ]
    for given in refused:
        with pytest.raises(TypeError, match="half and fresh_cards|among is a list"):
            roundsim.gate("nap", "random", "book", out=tmp_path / "none", **given)
    for margin, worth in (-1.0, None), (0.0, 0.0):
        with pytest.raises(roundsim.InputError, match="margin must be 0 or more, and worth a number"):
            roundsim.gate("nap", "random", "book", margin=margin, worth=worth, out=tmp_path / "none")
    assert not (tmp_path / "none").exists()
