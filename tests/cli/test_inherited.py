"""Commands and calls of the library inherit signals and folders from the program that starts them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Shell, Write
from helpers.command import PATIENCE, assert_same, command, environment, one_in, roundsim
from helpers.sealed import in_force

from roundsim.cli import interruptible
from roundsim.running import Run


def ignore_children() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)


def block_all() -> None:
    signal.pthread_sigmask(signal.SIG_SETMASK, signal.valid_signals())


def python(program: str, cwd: Path, before: Callable[[], object]) -> str:
    """Return what a program prints."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        cwd=cwd,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        preexec_fn=before,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("before", one_in(2, [ignore_children, block_all]))
def test_a_command_begins_with_signals_of_its_own(before: Callable[[], None], tmp_path: Path) -> None:
    program = """
        import atexit, signal, sys
        from roundsim.__main__ import main
        atexit.register(lambda: print(signal.getsignal(signal.SIGCHLD).name, signal.pthread_sigmask(0, ())))
        sys.argv[1:] = ["--version"]
        main()
    """
    assert python(program, tmp_path, before).endswith("SIG_DFL set()\n")


LIBRARY = """
    import os, signal, sys, threading
    from roundsim.sandbox.calls import GuestEndedError, launcher_of_calls
    from roundsim.sandbox.kinds import NO_SANDBOX, is_effective

    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    found = []

    def use():
        found.append(is_effective("bubblewrap"))
        is_effective.cache_clear()
        try:
            with launcher_of_calls(NO_SANDBOX, []) as launcher:
                list(launcher.call(os._exit, 3, memory=1024))
        except GuestEndedError as lost:
            found.append(lost.code)

    if __name__ == "__main__":
        use()
        thread = threading.Thread(target=use)
        thread.start()
        thread.join()
        assert found == [True, 3] * 2, found
        assert not os.fork() and os._exit(0) or True
        ignored = int(open("/proc/self/status").read().split("SigIgn:")[1].split()[0], 16)
        print(ignored >> signal.SIGCHLD - 1 & 1)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="there is no sandbox")
def test_a_program_that_ignores_its_children_may_call_the_library(tmp_path: Path) -> None:
    """From any of its threads, and it ignores them afterwards as before."""
    in_force("bubblewrap")
    assert python(LIBRARY, tmp_path, os.getpid) == "1\n"


def test_in_a_folder_that_is_gone_absolute_paths_are_read(
    parlour: Run, tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert "90 deals verified" in shell("verify", parlour.folder, "--jobs", 1).out
    done = shell("play", "nap", "random", "random", "--deals", 4, "--out", tmp_path / "run")
    assert (done.code, done.err) == (73, "roundsim: the current folder is not there any more: change to another one\n")


@pytest.mark.soak
def test_processes_share_memory_where_that_of_the_system_is_read_only(tmp_path: Path) -> None:
    done = mounted("--ro-bind", "/dev/shm", "/dev/shm", cwd=tmp_path)
    assert done.returncode == 0, done.stderr


@pytest.mark.soak
def test_a_system_without_proc_is_named(tmp_path: Path) -> None:
    done = mounted("--tmpfs", "/proc", cwd=tmp_path)
    assert done.returncode == 69 and done.stderr.startswith("roundsim: /proc cannot be read (No such"), done.stderr


def mounted(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A run where something else is mounted."""
    in_force("bubblewrap")
    played = command("play", "nap", "random", "random", "--deals", 4, "--jobs", 1)
    line = ["bwrap", "--dev-bind", "/", "/", *words, "--chdir", str(cwd), *played]
    return subprocess.run(line, env=environment(), capture_output=True, text=True, timeout=PATIENCE)


@pytest.mark.soak
@pytest.mark.parametrize("before", [ignore_children, block_all])
def test_a_run_is_the_same_whatever_its_parent_does_with_signals(
    before: Callable[[], None], tmp_path: Path, write: Write
) -> None:
    """A strategy that loops is ended by SIGALRM, and one in a sandbox by its process."""
    write("loops.py", "def act(view):\n    while True:\n        pass\n")
    write(
        "few.toml",
        """
        [tournament]
        strategies = ["loops.py", "random"]
        [limits]
        seconds = 0.1
        [[games]]
        game = "nap"
        deals = 4
        """,
    )
    for isolate in "off", "auto":
        for how in None, before:
            out = tmp_path / f"{isolate}-{how is None}"
            roundsim("run", "few.toml", "--isolate", isolate, "--out", out, cwd=tmp_path, code=2, before=how)
        assert_same(tmp_path / f"{isolate}-True", tmp_path / f"{isolate}-False")


def test_a_command_handles_a_signal_only_if_its_default_is_in_force() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with interruptible():
            assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
            assert signal.getsignal(signal.SIGTERM) != signal.SIG_DFL
    finally:
        signal.signal(signal.SIGHUP, before)
