"""Whatever is forged or damaged in a finished run, `roundsim verify` finds it and names the place; and no command that
meets it hangs, shows a traceback of ours, or makes good what is forged.

Forgeries that verify cannot find, as nobody can who has only the folder, are at the end."""

from __future__ import annotations

import resource
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from conftest import Outcome, Shell
from helpers.command import PATIENCE, WHOLE, assert_same, command, contents, drawn, environment, stamps
from helpers.forging import OTHERS, RUNS, Forged, files, lines, play, tails
from helpers.forging.damage import HOMES, commands, damage, going_on, play_home

SEEDS = range(3)  # each way in each of the runs, where they have what is to be forged
WAYS = {**lines.WAYS, **tails.WAYS, **files.WAYS}
QUICK = "deal line with other nets, rehashed", "rows that are no frame"
MEMORY = 2 << 30  # bytes that a command may take

Played = Callable[..., Path]


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Plays each run once, when it is first asked for.  Not to be changed: copy it."""
    kept: dict[tuple[str, ...], Path] = {}

    def run_of(name: str, other: str = "") -> Path:
        if (name, other) not in kept:
            kept[name, other] = play(tmp_path_factory.mktemp(name), name, OTHERS[other] if other else ("", ""))
        return kept[name, other]

    return run_of


def in_processes(*words: object) -> Outcome:
    """Calls the command line in the current folder, in a process that can neither hang nor take all memory."""
    done = subprocess.run(
        command(*words),
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
    )
    assert "Traceback" not in done.stdout + done.stderr, done.stderr
    return Outcome(done.returncode, done.stdout, done.stderr)


def cases() -> list[Any]:
    """Each way with one of the seeds, and so in one of the runs; with all in the whole soak, half an hour long."""
    found = []
    for number, name in enumerate(WAYS):
        quick = name in QUICK
        for seed in SEEDS if WHOLE else [0 if quick else number % len(SEEDS)]:
            found.append(pytest.param(name, seed, marks=() if quick else pytest.mark.soak, id=f"{name}-{seed}"))
    return found


@pytest.mark.parametrize(("name", "seed"), cases())
def test_a_forgery_is_found(shell: Shell, tmp_path: Path, played: Played, name: str, seed: int) -> None:
    way = WAYS[name]
    base = way.runs[seed % len(way.runs)]
    home = played(base)
    shutil.copytree(home.parent, tmp_path, dirs_exist_ok=True)
    run = Forged(tmp_path / "run", Random(f"{name}/{seed}"), lambda other: played(base, other))
    place = way.forge(run)
    call = in_processes if way.apart else shell
    must_find(call, place)
    for codes, *words in (
        (way.seen.reading, "standings", "run"),
        (way.seen.reading, "log", "run"),
        (way.seen.replay, "replay", f"run:{run.deal}"),
    ):
        done = call(*words)
        assert done.code in codes, (words, done)
    before = stamps(run.run)
    done = call("run", f"{base}.toml", "--jobs", 1, "--out", "run") if way.seen.going_on else Outcome(0, "", "")
    if way.seen.going_on == "refused":
        assert done.code in (65, 73) and done.err, done
        assert stamps(run.run) == before
    elif way.seen.going_on == "repaired":
        assert done.code == 2, done  # there are faults in it
        assert_same(home, run.run)
    elif way.seen.going_on == "found":
        assert done.code in (0, 2, 65, 73), done
        if contents(home) != contents(run.run):
            must_find(call, place)


def must_find(call: Shell, place: str) -> None:
    done = call("verify", "run")
    assert done.code == 1 and place in done.err, (place, done)


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Plays each run that is damaged once.  Not to be changed: copy it."""

    @cache
    def home_of(name: str) -> Path:
        play_home(folder := tmp_path_factory.mktemp(name) / "home", name)
        return folder

    return home_of


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(drawn(64, 1000)))
def test_damage_ends_no_command_as_a_bug(shell: Shell, tmp_path: Path, homes: Callable[[str], Path], seed: int) -> None:
    """Whatever the files of a run are changed into, with hashes that are right."""
    name = HOMES[seed // 8 % len(HOMES)]  # so that an eighth of the seeds has them all
    shutil.copytree(homes(name), tmp_path, dirs_exist_ok=True)
    shutil.copytree(tmp_path / "run", tmp_path / "honest")
    run = Forged(tmp_path / "run", Random(f"{name}/{seed}"), lambda other: tmp_path)
    what = damage(run)
    for words in commands(name, run.deal):
        assert shell(*words).code in (0, 1, 64, 65), (what, words)  # 64: deals or coach cannot be asked this
    for words in going_on(name) if run.chance.random() < 0.2 else ():  # they play, which takes long
        assert shell(*words).code in (0, 1, 2, 3, 64, 65, 73), (what, words)


def test_some_hundred_ways_are_known() -> None:
    assert len(WAYS) == len(lines.WAYS) + len(tails.WAYS) + len(files.WAYS) > 300
    assert {*QUICK} <= WAYS.keys()


def other_words(run: Forged) -> None:
    """The words of the exception of a strategy, and its place."""
    shard = run.shard(lambda shard: shard.tail["fault_reports"])
    run.chance.choice(shard.tail["fault_reports"]).update(words="something else", where=["elsewhere.py:1 in act"])
    lines.agreed(run, shard)


def a_fault_without_consequences(run: Forged) -> None:
    """Forgotten everywhere: the author of a run may leave out a failure after a deal; or one that forfeited the first
    legal action, which the strategy might have chosen."""
    lines.forget(run, "settled")


def the_version_of_a_shard(run: Forged) -> None:
    """Another version may have played one than has started the run."""
    shard = run.shard()
    shard.tail["roundsim"] = "0.0.1"
    shard.write()


def a_remark(run: Forged) -> None:
    """In run.toml, whose data are read, not its text."""
    with open(run.run / "run.toml", "a") as file:
        file.write("# a remark\n")


def the_time_it_took(run: Forged) -> None:
    """It may differ between machines."""
    (run.run / "timing.json").write_text("{}")


def another_file(run: Forged) -> None:
    """Notes next to the log."""
    (run.run / "notes.txt").touch()


UNSEEN = (other_words, a_fault_without_consequences, the_version_of_a_shard, a_remark, the_time_it_took, another_file)


@pytest.mark.soak
@pytest.mark.parametrize("base", RUNS)
@pytest.mark.parametrize("forge", UNSEEN)
def test_a_forgery_without_a_trace_passes(
    shell: Shell, tmp_path: Path, played: Played, base: str, forge: Callable[[Forged], object]
) -> None:
    shutil.copytree(played(base).parent, tmp_path, dirs_exist_ok=True)
    assert shell("verify", "run").code == 0
    forge(Forged(tmp_path / "run", Random(forge.__name__), played))
    assert shell("verify", "run").code == 0
