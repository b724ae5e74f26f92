"""Fixtures of several folders: a shell to call commands in, runs that are played once; and the turns of the soak."""

from __future__ import annotations

import compileall
import functools
import gc
import os
import shutil
import signal
import subprocess
import sys
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from zlib import crc32

import pytest
from helpers.command import ROOT, WHOLE, seldom
from helpers.here import PROCESSES, AllHere, Here, met_here, played_by
from helpers.sealed import in_force

import roundsim
from roundsim import games, native
from roundsim.cli import main
from roundsim.processes.start import cores
from roundsim.running import Run
from roundsim.sandbox.kinds import Sandbox
from roundsim.tournament import formats
from roundsim.tournament.planning.plan import Schedule
from roundsim.tournament.storage.folder import RunFolder
from roundsim.tournament.storage.totals import finished_totals

GAMES = games.names()
if (
    signal.getsignal(signal.SIGINT) == signal.SIG_IGN
):  # as for whatever a shell began with &: children would ignore it, too
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:  # as under nohup
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_xdist_auto_num_workers() -> int:
    """While one waits for what hangs, another one plays."""
    return 1 + cores()


@contextmanager
def bytecode_kept() -> Iterator[None]:
    """Write bytecode even under PYTHONDONTWRITEBYTECODE: every process would rewrite the same `assert`s again."""
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, False
    try:
        yield
    finally:
        sys.dont_write_bytecode = before


def load_hypothesis(max_examples: int) -> None:
    """Draw the same examples every time, and none that depends on the clock."""
    with bytecode_kept():  # pytest rewrites Hypothesis too
        from hypothesis import HealthCheck, settings
    quiet = [HealthCheck.too_slow]
    settings.register_profile(
        "roundsim",
        max_examples=max_examples,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=quiet,
    )
    settings.load_profile("roundsim")


def pytest_configure(config: pytest.Config) -> None:
    """Compile once what hundreds of processes import, as an installer does."""
    load_hypothesis(max_examples=100 if config.option.markexpr == "soak" else 30)
    if not hasattr(config, "workerinput"):
        for folder in "roundsim", "strategies":
            compileall.compile_dir(Path(__file__).parent.parent / folder, quiet=2)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Nobody looks through thousands of tests for garbage."""
    gc.disable()
    try:
        with bytecode_kept():
            return (yield)
    finally:
        gc.freeze()
        gc.enable()
        gc.set_threshold(50_000, 20, 20)


@functools.cache
def soak_turn() -> int:
    """Return which eighth of the soak is drawn: SOAK_TURN, or one that depends on the commit; 0 where git knows none."""
    given = os.environ.get("SOAK_TURN")
    if given is None:
        git = ["git", "-C", str(ROOT), "rev-parse", "HEAD"]
        commit = subprocess.run(git, capture_output=True, text=True).stdout if shutil.which("git") else ""
        return int(commit or "0", 16) % 8
    if given not in [*"01234567"]:
        raise pytest.UsageError(f"SOAK_TURN must be a number from 0 to 7, not {given!r}")
    return int(given)


def is_drawn(config: pytest.Config) -> bool:
    """Return whether this run takes an eighth of the soak: not if WHOLE_SOAK is set, or a test is named."""
    return config.option.markexpr == "soak" and not WHOLE and not any("::" in word for word in config.args)


def pytest_sessionstart(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter and is_drawn(session.config):
        reporter.write_line(f"soak: an eighth of all tests; SOAK_TURN={soak_turn()} repeats it")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The soak takes an eighth of each test's parameters: those whose turn it is."""
    if not is_drawn(config):
        return
    seen = Counter[str]()
    drawn, left = list[pytest.Item](), list[pytest.Item]()
    for item in items:
        test = item.nodeid.partition("[")[0]
        turn = (crc32(test.encode()) + seen[test]) % 8
        seen[test] += item.get_closest_marker("soak") is not None
        (drawn if turn == soak_turn() else left).append(item)
    config.hook.pytest_deselected(items=left)
    items[:] = drawn


class Outcome(NamedTuple):
    """The exit code and the output of a command."""

    code: int
    out: str
    err: str


Shell = Callable[..., Outcome]
Write = Callable[..., Path]
Git = Callable[..., str]
SURROUNDINGS = {
    **{f"GIT_{who}_{what}": "nobody@nowhere" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    **{f"GIT_{who}_DATE": "2001-01-01T00:00:00Z" for who in ("AUTHOR", "COMMITTER")},
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


@pytest.fixture(scope="session")
def core() -> ModuleType:
    """The native module: a skip where it could not be built, which CI must be able to wherever there is a compiler."""
    if native.CORE is None:
        wanted = os.environ.get("CI") and os.environ.get(native.VARIABLE) != "off"
        there = wanted and (shutil.which("cc") or shutil.which("gcc"))
        (pytest.fail if there else pytest.skip)("there is no native module")
    return native.CORE


@pytest.fixture(autouse=True)
def files_of_games_and_formats_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test finds a game or a format that another one has named by its path."""
    for catalog in games.GAMES, formats.FORMATS:
        monkeypatch.setattr(catalog, "outside", {})
        monkeypatch.setattr(catalog, "files", {})


def instead(config: pytest.Config, *given: Any) -> AbstractContextManager[None]:
    """Return the context in which the quick tests play without worker processes; the soak plays with them."""
    return played_by(*given) if config.option.markexpr == "not soak" else nullcontext()


@pytest.fixture(scope="module")
def here(pytestconfig: pytest.Config) -> Iterator[None]:
    """Play the runs of this module in this process: its tests are not about processes."""
    with instead(pytestconfig, AllHere, met_here):
        yield


@pytest.fixture(scope="module")
def guests_alone(pytestconfig: pytest.Config) -> Iterator[None]:
    """The same, with third-party strategies as guests."""
    with instead(pytestconfig, Here, met_here):
        yield


@pytest.fixture
def once_here(pytestconfig: pytest.Config) -> Iterator[None]:
    """Play the runs of this test in this process."""
    with instead(pytestconfig, AllHere, met_here):
        yield


@pytest.fixture
def guests_once(pytestconfig: pytest.Config) -> Iterator[None]:
    """The same, with third-party strategies as guests."""
    with instead(pytestconfig, Here, met_here):
        yield


@pytest.fixture
def met(pytestconfig: pytest.Config) -> Iterator[None]:
    """Import third-party modules in this process to see what they define."""
    with instead(pytestconfig, PROCESSES[0], met_here):
        yield


@pytest.fixture
def processes(request: pytest.FixtureRequest) -> Iterator[None]:
    """Play with worker processes, even where the module does not."""
    if "met" in request.fixturenames:
        request.getfixturevalue("met")
    with played_by(*PROCESSES):
        yield


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Shell:
    """Calls the command line in a folder of the test's own.  None of our own tracebacks may ever be seen."""
    monkeypatch.chdir(tmp_path)

    def call(*words: object) -> Outcome:
        capfd.readouterr()
        with pytest.raises(SystemExit) as stop:
            main([str(word) for word in words])
        out, err = capfd.readouterr()
        assert "Traceback" not in out + err, out + err
        assert stop.value.code in (0, 1, 2, 3, 4, 64, 65, 66, 73), (words, err)
        return Outcome(stop.value.code, out, err)

    return call


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a file in the test's folder, its indentation taken off."""

    def write_file(name: str, text: str = "") -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip("\n"), "utf-8")
        return path

    return write_file


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where versions out of git are kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "roundsim" / "git"


@pytest.fixture
def git(tmp_path: Path, cache: Path) -> Git:
    """Calls git in the test's folder."""

    def call(*words: object, folder: Path = tmp_path) -> str:
        command = ["git", "-C", str(folder), *map(str, words)]
        env = {**os.environ, **SURROUNDINGS}
        return subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout.strip()

    return call


@pytest.fixture(scope="session")
def parlour(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A finished run of Nap: the house's strategy and a random one, twice."""
    folder = tmp_path_factory.mktemp("parlour") / "run"
    return roundsim.play("nap", ["book", "random", "random"], deals=90, jobs=1, out=folder)


@pytest.fixture(scope="session")
def season(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A finished run of two games, with a strategy that entered only one of them."""
    folder = tmp_path_factory.mktemp("season")
    (folder / "season.toml").write_text(
        '[tournament]\nstrategies = ["book", "random"]\n[[games]]\ngame = "nap"\ndeals = 60\n'
        '[[games]]\ngame = "pope-joan"\nname = "pope"\ndeals = 60\nstrategies = ["book", "random", "random"]\n'
    )
    return roundsim.run(folder / "season.toml", jobs=1, out=folder / "run")


@pytest.fixture(scope="session")
def random_run(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Run]:
    """A run of a block of each game among random players, played when it is first asked for."""
    kept: dict[str, Run] = {}

    def run_of(game: str) -> Run:
        if game not in kept:
            folder = tmp_path_factory.mktemp("random") / game
            kept[game] = roundsim.play(game, ["random"], deals=1, jobs=1, out=folder)
        return kept[game]

    return run_of


def addresses(run: Run) -> list[str]:
    """The addresses of all deals of a run, in schedule order."""
    folder, found = RunFolder(run.folder), []
    assert not finished_totals(run.tournament, folder)[1]
    for number, entry in enumerate(run.tournament.entries):
        for shard in folder.shards(Schedule(run.tournament, number)):
            lines = [line for piece in shard.pieces for block in shard.lines(piece) for line in block]
            found += [f"{entry.name}/{line.split(' ', 1)[0]}" for line in lines if line[0] not in "=!"]
    return [each for each in found if not each.endswith("/end")]


@pytest.fixture
def in_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Strategies play in the worker, as they do where no seal holds."""
    monkeypatch.setenv("ROUNDSIM_SEAL", "none")


@pytest.fixture(params=["bubblewrap", *seldom("landlock")])
def seal(request: pytest.FixtureRequest) -> Sandbox:
    """Each kind of sandbox of this machine. `tests/sandbox/` tries the refusals of both in the quick suite."""
    return in_force(request.param)
