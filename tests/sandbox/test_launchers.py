"""The launcher: how guests are started, seen from outside, and ended, with a seal and without."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from helpers.command import one_in, seldom
from helpers.sealed import HANDLES, PATIENCE, asked_for, guest_of, in_force, module_at, said_by

from roundsim.base.catalog import Origin
from roundsim.base.errors import BugError, PluginError
from roundsim.guests.launchers import launcher_for
from roundsim.sandbox import launchers, paths
from roundsim.sandbox.kinds import NO_SANDBOX, Sandbox
from roundsim.sandbox.launchers import GuestLauncher, GuestProcess
from roundsim.sources.plugins import Strategy

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the system does not show it")
DEAF = """
    import os, signal, time
    for each in {*range(1, 32)} - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(each, signal.SIG_IGN)
    os.write(3, b"%d\\n" % os.getpid())
    while True:
        time.sleep(60)
"""


@pytest.fixture(params=["bubblewrap", *seldom("landlock", "")], ids=["bubblewrap", "landlock", "none"])
def any_seal(request: pytest.FixtureRequest) -> Sandbox:
    return in_force(request.param) if request.param else NO_SANDBOX


def written(folder: Path, code: str, name: str = "mine.py") -> Strategy:
    path = folder / name
    path.write_text(textwrap.dedent(code), "utf-8")
    return module_at(path)


def greeted(launcher: GuestLauncher, strategy: Strategy) -> GuestProcess:
    """Another guest of a launcher."""
    guest = launcher.begin(asked_for(strategy))
    guest.sock.settimeout(PATIENCE)
    guest.sock.sendall(b'{"roundsim":1,"parameters":{}}\n')
    return guest


def gone(pid: int) -> bool:
    """Whether a process ends while we wait."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text():
                return True
        except OSError:
            return True
        time.sleep(0.01)
    return False


@pytest.mark.soak
@LINUX
def test_the_time_of_a_guest_is_read_from_outside(any_seal: Sandbox, tmp_path: Path) -> None:
    code = """
        import os, threading, time
        def work():
            while time.process_time() < 0.3:
                pass
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
        os.write(3, b"0\\n")
        time.sleep(60)
    """
    with guest_of(any_seal, written(tmp_path, code), threads=True) as (_, guest):
        said_by(guest)
        assert 0.3 <= guest.cpu() < 3
    assert gone(guest.pid) and guest.cpu() < 3


def test_a_guest_is_known_by_its_number_and_killed(any_seal: Sandbox, tmp_path: Path) -> None:
    """It hears no signal, and in bubblewrap it has another number inside.  A second one ends with its launcher."""
    strategy = written(tmp_path, DEAF)
    with guest_of(any_seal, strategy) as (launcher, guest):
        inner = said_by(guest)
        if sys.platform == "linux":
            status = Path(f"/proc/{guest.pid}/status").read_text()
            numbers = next(line.split()[1:] for line in status.splitlines() if line.startswith("NSpid"))
            assert numbers == [str(guest.pid), str(inner)][: len(numbers)]
            assert len(numbers) == 2 if any_seal.name == "bubblewrap" else guest.pid == inner
        guest.kill()
        assert guest.sock.recv(1) == b"" and gone(guest.pid)
        second = greeted(launcher, strategy)
        said_by(second)
        launcher.end()
        assert gone(second.pid) and launcher.process.returncode == 0
        second.end()


def test_a_guest_that_has_ended_is_seen_by_its_descriptor(any_seal: Sandbox, tmp_path: Path) -> None:
    with guest_of(any_seal, written(tmp_path, "import os; os._exit(3)")) as (_, guest):
        assert guest.sock.recv(1) == b""
        assert guest.pidfd < 0 or select.select([guest.pidfd], [], [], PATIENCE)[0]
        guest.kill()  # there is nobody any more, and that is no error


@pytest.mark.parametrize("killed", one_in(2, ["worker", "launcher"]))
@LINUX
def test_no_guest_outlives_a_worker_or_launcher_that_is_killed(any_seal: Sandbox, tmp_path: Path, killed: str) -> None:
    strategy = written(tmp_path, DEAF)
    worker = f"""
        import sys, time
        sys.path[:0] = {[str(Path(__file__).parent.parent)]!r}
        from helpers.sealed import *
        with guest_of(Sandbox({any_seal.name!r}), module_at(Path({strategy.path!r}))) as (launcher, guest):
            said_by(guest)
            print(guest.pid, launcher.process.pid, flush=True)
            time.sleep(600)
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(worker)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        guest, launcher = map(int, process.stdout.readline().split())
        if killed == "launcher":
            os.kill(launcher, signal.SIGKILL)
            assert gone(guest)
        process.kill()
    assert gone(guest) and gone(launcher)


@LINUX
def test_guests_that_have_ended_leave_nothing(tmp_path: Path) -> None:
    strategy = written(tmp_path, "import os; os._exit(0)")
    with launcher_for(NO_SANDBOX, strategy) as launcher:
        ended = [greeted(launcher, strategy) for _ in range(3)]
        for guest in ended:
            assert guest.sock.recv(1) == b""
            assert select.select([guest.pidfd], [], [], PATIENCE)[0]
        last = launcher.begin(asked_for(strategy))
        children = Path(f"/proc/{launcher.process.pid}/task/{launcher.process.pid}/children").read_text().split()
        assert children == [str(last.pid)]
        for guest in [*ended, last]:
            guest.end()


def test_guests_of_one_launcher_know_nothing_of_one_another(any_seal: Sandbox, tmp_path: Path) -> None:
    """They share neither memory nor descriptors.  A guest that cannot be started is reported, and the launcher goes on."""
    code = """
import builtins
builtins.seen = getattr(builtins, "seen", 0) + 1
os.write(3, b"[%d,%d]\\n" % (builtins.seen, len(handles)))
"""
    strategy = written(tmp_path, HANDLES + code)
    with guest_of(any_seal, strategy) as (launcher, first):
        assert said_by(first) == [1, 4]
        with pytest.raises(PluginError, match="a guest was not started: .*old-maid"):
            launcher.begin(asked_for(strategy, game="old-maid"))
        second = greeted(launcher, strategy)
        assert said_by(second) == [1, 4]
        second.end()


@pytest.mark.soak
def test_the_output_of_a_guest_is_shown_on_request(
    any_seal: Sandbox, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """All of it is shown before the launcher ends; descriptors 0 and 1 of the guest lead nowhere."""
    code = """
        import os, sys
        os.write(1, b"into nothing")
        os.write(2, b"to be seen\\n" * 1000)
        os.write(3, b"%d\\n" % len(sys.stdin.read()))
    """
    for shown in True, False:
        with guest_of(any_seal, written(tmp_path, code), shown=shown) as (_, guest):
            assert said_by(guest) == 0
        assert capfd.readouterr().err == "  | to be seen\n" * 1000 * shown


def test_a_bot_speaks_on_its_standard_streams(any_seal: Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "bot.sh"
    path.write_text('#!/bin/sh\nread -r hello\npwd >&2\necho "[$#,$hello]" 2>/dev/null\n')
    path.chmod(0o755)
    bot = Strategy("bot", (), str(path), "", "", command=(str(path), "--depth", "3"))
    with guest_of(any_seal, bot) as (_, guest):
        assert said_by(guest) == [2, {"roundsim": 1, "game": "nap", "players": 4, "parameters": {}}]


def test_a_bot_is_in_its_folder_and_finds_our_python(any_seal: Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text("import os, sys; print([os.getcwd() == sys.argv[1], sys.version_info[0]].__str__().lower())")
    bot = Strategy("bot", (), str(path), "", "", command=("python3", str(path), str(tmp_path)))
    with guest_of(any_seal, bot) as (_, guest):
        assert said_by(guest) == [True, sys.version_info[0]]


def test_a_bot_that_cannot_be_executed_is_reported(any_seal: Sandbox, tmp_path: Path) -> None:
    path = tmp_path / "bot"
    path.write_text("no program")
    bot = Strategy("bot", (), str(path), "", "", command=("python3", str(path)))
    with launcher_for(any_seal, bot) as launcher:
        for word in "no-such-program", "./bot":
            with pytest.raises(PluginError, match=f"{word} is no program that can be executed"):
                launcher.begin(asked_for(bot, command=(word,), folder=str(tmp_path)))


def test_a_launcher_that_is_lost_is_a_bug(tmp_path: Path) -> None:
    strategy = written(tmp_path, "")
    with launcher_for(NO_SANDBOX, strategy) as launcher:
        launcher.process.kill()
        with pytest.raises(BugError, match="a guest was not started: its launcher is lost"):
            launcher.begin(asked_for(strategy))


def test_data_and_a_game_from_outside_are_read_and_hidden_files_are_not(
    seal: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even where the folder is one in which modules are looked for."""
    for name in ("own/data/policy.txt", "game/game.py", "other/other.py", "run/run.toml"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    launchers.surroundings.cache_clear()
    code = f"""
        import json, os
        files = ["data"]
        def readable(name):
            try:
                return open({str(tmp_path)!r} + name).close() is None
            except OSError:
                return False
        names = ["/own/mine.py", "/own/data/policy.txt", "/game/game.py", "/other/other.py", "/run/run.toml"]
        os.write(3, json.dumps([readable(name) for name in names]).encode() + b"\\n")
    """
    strategy = written(tmp_path / "own", code)
    origin = Origin(str(tmp_path / "game" / "game.py"), "Game", "")
    with launcher_for(seal, strategy, origin, [tmp_path / "run"]) as launcher:
        guest = greeted(launcher, strategy)
        assert said_by(guest) == [True, True, True, False, False]
        guest.end()
    launchers.surroundings.cache_clear()


def test_only_hidden_parts_are_taken_from_a_folder_of_the_system(tmp_path: Path) -> None:
    """In a container, runs may lie in /usr/src/app."""
    for name in ("bin", "src/app/strategies", "src/app/runs", "src/other"):
        (tmp_path / name).mkdir(parents=True)
    kept = paths.visible_parts(tmp_path, [tmp_path / "src" / "app"])
    assert {str(each.relative_to(tmp_path)) for each in kept} == {"bin", "src/other"}
