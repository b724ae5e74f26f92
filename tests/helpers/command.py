"""The command line in real processes, and what a run leaves behind."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from helpers.shard_text import text_of

from roundsim.cli import main

ROOT = Path(__file__).parent.parent.parent
TESTS = ROOT / "tests"
DEALS = TESTS / "deals"
BAD = TESTS / "strategies" / "bad.py"
WHOLE = "WHOLE_SOAK" in os.environ  # the soak leaves nothing out; else it takes some of its longest tests only
PATIENCE = 900  # seconds: nothing takes so long on the slowest machine unless it hangs; no test's outcome depends on it


def seldom(*given: object) -> list[Any]:
    """Parameters with which a test is long: the soak has them."""
    return [pytest.param(each, marks=pytest.mark.soak) for each in given]


def seldom_with(*given: Sequence[object]) -> list[Any]:
    """The same, several at once."""
    return [pytest.param(*each, marks=pytest.mark.soak) for each in given]


def one_in(n: int, given: Sequence[object]) -> list[Any]:
    """Every n-th of some parameters; the soak has the others."""
    return [each if not at % n else seldom(each)[0] for at, each in enumerate(given)]


def one_in_with(n: int, given: Sequence[Sequence[object]]) -> list[Any]:
    """The same, several at once."""
    return [each if not at % n else seldom_with(each)[0] for at, each in enumerate(given)]


def drawn(some: int, whole: int) -> int:
    """The number of seeds, deals or examples in the soak, and in the whole soak (CONTRIBUTING.md)."""
    return whole if WHOLE else some


def environment(hash_seed: str = "0") -> dict[str, str]:
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "PYTHONHASHSEED": hash_seed}


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "roundsim", *map(str, words)]


def roundsim(
    *words: object, cwd: Path, code: int = 0, hash_seed: str | None = None, before: Callable[[], Any] | None = None
) -> subprocess.CompletedProcess[str]:
    """Call roundsim and expect an exit code: in this process, but with a hash seed of its own or something done before."""
    if hash_seed is None and before is None:
        done = called(*words, cwd=cwd)
    else:
        done = subprocess.run(
            command(*words),
            cwd=cwd,
            env=environment(hash_seed or "0"),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            preexec_fn=before,
        )
    assert done.returncode == code, f"exit code {done.returncode}, not {code}: {words}\n{done.stdout}\n{done.stderr}"
    return done


def in_a_process(*words: object, cwd: Path, code: int = 0) -> subprocess.CompletedProcess[str]:
    """The same in a separate process, where nothing has been found or loaded yet."""
    return roundsim(*words, cwd=cwd, code=code, hash_seed="0")


def called(*words: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    """The command line in this process."""
    out, err = TextIOWrapper(BytesIO(), "utf-8"), TextIOWrapper(BytesIO(), "utf-8")
    with chdir(cwd), redirect_stdout(out), redirect_stderr(err), pytest.raises(SystemExit) as stop:
        main([str(word) for word in words])
    said = []
    for stream in out, err:
        stream.seek(0)
        said.append(stream.read())
    return subprocess.CompletedProcess([*map(str, words)], int(stop.value.code or 0), *said)


def begin(*words: object, cwd: Path) -> subprocess.Popen[str]:
    """Call roundsim in a session of its own, and go on."""
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command(*words), cwd=cwd, env=environment(), stdout=pipe, stderr=pipe, text=True, start_new_session=True
    )


def wait_for(condition: Callable[[], Any]) -> bool:
    end = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def living(session: int) -> list[str]:
    """The processes of a session that have not ended."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = stat.read_text().rpartition(") ")
        except OSError:
            continue
        state, _, _, of = rest.split()[:4]
        if int(of) == session and state not in "ZX":
            found.append(name)
    return found


def ended(session: int) -> bool:
    """Whether nothing of a session is left, after a while."""
    return wait_for(lambda: not living(session))


def small_files(most: int) -> Callable[[], None]:
    """No file may grow beyond this: what a full disk does, for one process and its children."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a run that must be the same everywhere."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "timing.json"]
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def stamps(folder: Path) -> dict[str, tuple[int, int]]:
    """Inode and time of each file: they change where a file is written again.  A file may go while we look."""
    found = {}
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):
            if path.name[0] != "." and path.is_file():
                found[str(path.relative_to(folder))] = path.stat().st_ino, path.stat().st_mtime_ns
    return found


def shards(folder: Path) -> dict[str, tuple[int, int]]:
    return {name: stamp for name, stamp in stamps(folder).items() if name.endswith(".zst")}


def assert_same(one: Path, other: Path) -> None:
    """The bytes of two runs, compared by file, and by line where a shard differs."""
    ours, theirs = contents(one), contents(other)
    assert sorted(ours) == sorted(theirs)
    for name, data in ours.items():
        if name.endswith(".zst"):
            assert text_of(one / name).splitlines() == text_of(other / name).splitlines(), name
        assert data == theirs[name], name


def deals_of(folder: Path) -> list[str]:
    """The lines of a log that are deals."""
    files = sorted((folder / "log").rglob("*.zst"))
    return [line for file in files for line in text_of(file).splitlines() if line[0] not in "=!#"]
