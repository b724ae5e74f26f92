"""Streams that are closed, full, or read by nobody; and Ctrl-C where no command handles it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import Write
from helpers.command import (
    DEALS,
    PATIENCE,
    ROOT,
    WHOLE,
    assert_same,
    begin,
    command,
    ended,
    environment,
    living,
    one_in,
    roundsim,
    seldom,
    seldom_with,
    small_files,
)

from roundsim.cli import main
from roundsim.running import Run
from roundsim.sandbox.launcher_main import GUEST_SOCKET

FAULTY = "def act(view):\n    return 'nothing'\n"
CLOSED = ["<&- >&- 2>&-", ">&-", "<&-"]
UNREAD = [">&0 2>&0 <&-", ">&0", "2>&0"]  # standard input is a pipe whose reader has left, `through_shell`
FULL = ["2>/dev/full"] * Path("/dev/full").exists()


class Case(NamedTuple):
    """A command, its exit code, and what it is when its output cannot be written."""

    words: tuple[object, ...]
    code: int
    full: int = 73


QUICK = {  # tried with each way of redirecting
    "rules": Case(("rules", "nap"), 0),
    "nonsense": Case(("play", "nap", "--deals", "many"), 64, 64),
}
CASES = QUICK | {
    "help": Case(("--help",), 0),
    "version": Case(("--version",), 0),
    "run": Case(("run", "short.toml", "--jobs", 1), 0),
    "play": Case(("play", "nap", "faulty.py", "random", "--deals", 8, "--jobs", 1), 2),
    "standings": Case(("standings", "run"), 0),
    "log": Case(("log", "run"), 0),
    "deals": Case(("deals", "run", "--worst", "book"), 0),
    "replay": Case(("replay", "run:nap/1/1/1"), 0),
    "verify": Case(("verify", "run"), 0),
    "verify wrong": Case(("verify", "wrong"), 1, 1),
    "check": Case(("check", "faulty.py", "--game", "nap", "--deals", 4), 2),
    "settle": Case(("settle", "wrong.toml"), 1),
}
OTHERS = [name for name in CASES if name not in QUICK]  # tried with two of them
TRIED = [(name, how) for name in QUICK for how in ("2>&-", *CLOSED, *UNREAD, "<&- 2>&-", *FULL)]
TRIED += [(name, how) for name in OTHERS for how in (CLOSED[0], UNREAD[0])]
PARLOUR = ("play", "nap", "book", "random", "random", "--deals", 90, "--jobs", 1, "--out", "run")


@pytest.fixture(scope="module")
def room(parlour: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the commands are given."""
    folder = tmp_path_factory.mktemp("streams")
    for name in ("run", "wrong"):
        shutil.copytree(parlour.folder, folder / name)
    standings = folder / "wrong" / "standings.json"
    standings.write_text(standings.read_text().replace("book", "boot", 1))
    (folder / "faulty.py").write_text(FAULTY)
    head = '[tournament]\nstrategies = ["book", "random"]\n'
    (folder / "short.toml").write_text(f'{head}[[games]]\ngame = "nap"\ndeals = 8\n')
    script = (DEALS / "jig" / "jig-brought-back.toml").read_text()
    (folder / "wrong.toml").write_text(re.sub(r"^net = .*", "net = [9, -9, 0, 0]", script, flags=re.M))
    return folder


def through_shell(
    redirected: str, *words: object, cwd: Path, program: Sequence[str] = command()
) -> subprocess.CompletedProcess[str]:
    """Call roundsim through a shell."""
    reader, writer = os.pipe()
    os.close(reader)
    try:
        return subprocess.run(
            ["sh", "-c", f'"$@" {redirected}', "sh", *program, *map(str, words)],
            cwd=cwd,
            env=environment(),
            stdin=writer,
            capture_output=True,
            text=True,
            errors="replace",  # a caller may set another encoding
            timeout=PATIENCE,
        )
    finally:
        os.close(writer)


@pytest.mark.parametrize("tried", one_in(len(TRIED), TRIED), ids=" ".join)
def test_the_exit_code_is_what_it_would_be(tried: tuple[str, str], room: Path) -> None:
    name, redirected = tried
    done = through_shell(redirected, *CASES[name].words, cwd=room)
    assert done.returncode == CASES[name].code
    assert "Traceback" not in done.stdout + done.stderr
    if name in QUICK and ">&-" not in redirected.replace("2>&-", "") and ">&0" not in redirected.replace("2>&0", ""):
        assert done.stdout == roundsim(*CASES[name].words, cwd=room, code=CASES[name].code).stdout


@pytest.mark.skipif(not FULL, reason="there is no /dev/full here")
@pytest.mark.parametrize("name", one_in(len(CASES), [*CASES]))
def test_a_full_disk_is_reported(name: str, room: Path) -> None:
    done = through_shell(">/dev/full", *CASES[name].words, cwd=room)
    assert done.returncode == CASES[name].full
    assert ("roundsim: standard output: No space left on device\n" in done.stderr) == (done.returncode == 73)
    assert "Traceback" not in done.stderr and "Exception ignored" not in done.stderr


TOO_LARGE = {
    "new strategy mine --game nap": "cannot write mine.py",
    "new bot mine --language c": "cannot write mine/bot.c",
    "check faulty.py --game nap --deals 4 --out scripts": "cannot write scripts/faulty-nap-1.toml",
    "replay run:nap/1/1/1 --script deal.toml": "cannot write deal.toml",
    "play nap book random --deals 8 --jobs 1 --out one": "shared memory in /dev/shm or TMPDIR",
}
LARGER = {"export run --to csv": "cannot write deals.csv", "report run --out page.html": "cannot write page.html"}


@pytest.mark.soak
@pytest.mark.parametrize("words, named", [*TOO_LARGE.items(), *seldom_with(*LARGER.items())])
def test_a_file_that_grows_too_large_is_named(words: str, named: str, room: Path) -> None:
    """Nothing of it is left.  A run writes run.toml before it makes what workers share."""
    before = {path for path in room.rglob("*") if path.is_file()}
    done = roundsim(*words.split(), cwd=room, code=73, before=small_files(2000 if "--out one" in words else 300))
    assert done.stderr == f"roundsim: {named}: File too large\n"
    left = {path for path in room.rglob("*") if path.is_file()} - before
    assert left <= {room / "one" / "run.toml", room / "one" / ".lock"}


@pytest.mark.soak
@pytest.mark.parametrize("redirected", [CLOSED[0], *seldom("2>&1 | true", "| head -1")])
def test_a_run_is_played_to_its_end(redirected: str, parlour: Run, tmp_path: Path) -> None:
    """Nothing that is said gets into a file of the run either, which may have had the number of a closed stream."""
    through_shell(redirected, *PARLOUR, cwd=tmp_path)
    assert_same(parlour.folder, tmp_path / "run")


@pytest.mark.soak
@pytest.mark.skipif(sys.platform == "darwin", reason="file names are UTF-8 here")
@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_names_that_are_not_utf_8(encoding: str, room: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is shown, whatever the encoding of the streams, and no file is lost over one."""
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    odd = os.fsdecode(b"y\xff")
    shutil.copy(room / "short.toml", tmp_path / f"{odd}.toml")
    game = shutil.copy(ROOT / "tests/outside/linger_longer/linger_longer.py", tmp_path / f"{odd}.py")
    done = through_shell("", "run", f"{odd}.toml", "--jobs", 1, "--out", odd, "--report", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, ""), done
    assert r"results  y\udcff/" in done.stdout and r"report   y\udcff/report.html" in done.stdout
    assert r"y\udcff" in (tmp_path / odd / "report.html").read_text("utf-8")
    assert through_shell("", "verify", odd, cwd=tmp_path).returncode == 0
    done = through_shell("", "play", game, "random", "random", cwd=tmp_path)
    assert done.returncode == 66 and "the path of a game is recorded in runs" in done.stderr, done


MINUTES = """
import itertools, types
from roundsim.cli import main, progress
progress.time = types.SimpleNamespace(monotonic=itertools.count(0, 60).__next__)
main()
"""


@pytest.mark.soak
@pytest.mark.parametrize("redirected", ["", UNREAD[0]])
def test_progress_that_nobody_reads(redirected: str, parlour: Run, tmp_path: Path) -> None:
    """Every look at the clock is a minute later, so that there is progress to tell."""
    done = through_shell(redirected, *PARLOUR, cwd=tmp_path, program=[sys.executable, "-c", MINUTES])
    assert done.returncode == 0 and ("/s · " in done.stderr) == (not redirected), done.stderr
    assert_same(parlour.folder, tmp_path / "run")


@pytest.mark.soak
@pytest.mark.parametrize("word", ["log", "deals"])
def test_a_list_of_deals_stops_when_nobody_reads_on(word: str, season: Run, tmp_path: Path) -> None:
    """Seen by a second shard that it would complain of."""
    shutil.copytree(season.folder, tmp_path / "run")
    for shard in (tmp_path / "run" / "log").glob("*pope*/**/*.zst"):
        shard.write_bytes(b"nothing")
    assert [through_shell(how, word, "run", cwd=tmp_path).returncode for how in (">&0", ">&-")] == [0, 65]


def test_the_streams_are_given_back(capsys: pytest.CaptureFixture[str]) -> None:
    before = sys.stdin, sys.stdout, sys.stderr
    with pytest.raises(SystemExit) as stop:
        main(["rules", "napp"])
    assert stop.value.code == 64 and before == (sys.stdin, sys.stdout, sys.stderr)
    assert "did you mean nap?" in capsys.readouterr().err


ENDS = {
    "half": "os.write(pipe, b'{\"result\": ')\n    os._exit(3)",
    "endless": "os.write(pipe, b'x' * (1 << 23))",
    "left behind": "not os.fork() and (os.closerange(0, pipe), os.closerange(pipe + 1, 99), signal.pause())\n    os._exit(3)",
}


@pytest.mark.soak
@pytest.mark.usefixtures("in_process")  # sealed off it may not fork
@pytest.mark.parametrize("end", one_in(3, [*ENDS]))
def test_check_of_a_strategy_that_meddles_with_its_pipe(end: str, tmp_path: Path, write: Write) -> None:
    act = f"def act(view):\n    pipe = {GUEST_SOCKET}\n    {ENDS[end]}\n    return view.legal[0]\n"
    write("meddles.py", f"import os\nimport signal\n\n{act}")
    process = begin("check", "meddles.py", "--game", "nap", "--deals", 4, cwd=tmp_path)
    try:
        out, err = process.communicate(timeout=PATIENCE)
    finally:
        if living(process.pid):
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 2 and "Traceback" not in err, out + err
    assert ("the process died: exited with code 3\n" in out) == (end != "endless"), out


AT = """
import atexit, os, signal, sys

def interrupt():
    os.kill(os.getpid(), signal.SIGINT)

at, do = os.environ.pop("AT", ""), interrupt
if os.environ.pop("TELL", ""):
    do = lambda: os.write(1, b"loading\\n")
if at == "exit":
    atexit.register(do)
sys.addaudithook(lambda event, given: event == "import" and given[0] == at and do())
"""


def console_script() -> list[str]:
    """The program that pip makes of what pyproject.toml declares."""
    entry = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]["roundsim"]
    module, _, name = entry.partition(":")
    return [sys.executable, "-c", f"import sys\nfrom {module} import {name}\nsys.exit({name}())"]


LATE = "roundsim.reports.explain", "exit"
ENTRANCES = {"module": command(), "script": console_script()}


@pytest.fixture
def hooked(tmp_path: Path) -> dict[str, str]:
    """An environment in which something happens when a module, named AT, is imported."""
    (tmp_path / "sitecustomize.py").write_text(AT)
    plain = environment()
    return {**plain, "PYTHONPATH": f"{tmp_path}{os.pathsep}{plain['PYTHONPATH']}"}


@pytest.mark.parametrize("entrance", ["script", *seldom("module")])
@pytest.mark.parametrize("at", one_in(3, ["roundsim.cli", "click", "roundsim.cli.write", *LATE]))
def test_ctrl_c_says_nothing(entrance: str, at: str, hooked: dict[str, str]) -> None:
    words = [*ENTRANCES[entrance], "rules", "nap"]
    done = subprocess.run(words, env={**hooked, "AT": at}, capture_output=True, text=True)
    assert done.returncode in (130, -signal.SIGINT) and not done.stderr.strip(), done.stderr


@pytest.mark.parametrize("entrance", ["module", *seldom("script")])
@pytest.mark.parametrize("at", one_in(3, ["click", *LATE]))
def test_ctrl_c_that_our_parent_ignores_is_ignored(entrance: str, at: str, hooked: dict[str, str]) -> None:
    ignoring = ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *ENTRANCES[entrance], "rules", "nap"]
    done = subprocess.run(ignoring, env={**hooked, "AT": at}, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("Nap") and not done.stderr


CTRL_C = """import os, signal, sys, weakref
def ctrl_c(*_):
    if sys.argv[0] != "-c":  # not in the guest that describes it first
        os.kill(os.getpid(), signal.SIGINT)
"""
LOST = {
    "turned into another": "class Name:\n    __set_name__ = ctrl_c\nclass Mine:\n    act = Name()\n",
    "ignored": "class Mine:\n    def act(self, view):\n        weakref.ref(Mine(), ctrl_c)\n",
}


@pytest.mark.soak
@pytest.mark.usefixtures("in_process")  # in a guest it would interrupt that alone
@pytest.mark.parametrize("lost", LOST)
def test_ctrl_c_where_python_would_lose_it(lost: str, parlour: Run, write: Write) -> None:
    mine = write("mine.py", CTRL_C + LOST[lost])
    again = command("replay", f"{parlour.folder}:nap/1/1/1", "--seat", 0, "--strategy", mine)
    done = subprocess.run(again, env=environment(), capture_output=True, text=True)
    assert done.returncode in (130, -signal.SIGINT) and not done.stderr.strip(), done.stderr


TWICE = """
import os, signal, time
from roundsim.cli import look, main
from roundsim.tournament.storage.folder import RunFolder

class Run(RunFolder):
    def tournament(self):
        try:
            os.kill(os.getpid(), signal.SIGHUP)
            time.sleep(30)
        finally:
            os.kill(os.getpid(), signal.SIGHUP)
            os.write(1, b"in order\\n")

from roundsim.tournament.storage import folder
folder.RunFolder = Run
main()
"""


@pytest.mark.soak
@pytest.mark.parametrize("word", one_in(3, ["verify", "report", "standings"]))
def test_a_closed_terminal_ends_a_command_in_order(word: str, room: Path) -> None:
    """Shells say it twice."""
    done = through_shell("", word, "run", cwd=room, program=[sys.executable, "-c", TWICE])
    assert (done.returncode, done.stdout, done.stderr) == (129, "in order\n", "")


@pytest.mark.soak
def test_nohup(room: Path) -> None:
    """A signal that our parent ignores is ignored: the run is played to its end."""
    twice = TWICE.replace("time.sleep(30)", "return super().tournament()")
    ignoring = ["sh", "-c", 'trap "" HUP; exec "$@"', "sh", sys.executable, "-c", twice]
    done = through_shell("", "verify", "run", cwd=room, program=ignoring)
    assert done.returncode == 0 and "90 deals verified\n" in done.stdout and not done.stderr, done


@pytest.mark.soak
def test_ctrl_c_ends_check_and_what_it_tries(tmp_path: Path) -> None:
    process = begin("check", "book", cwd=tmp_path)
    assert process.stdout and process.stdout.readline()
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode in (130, -signal.SIGINT) and not err.strip(), err
    assert ended(process.pid)


@contextmanager
def loading(words: list[str], hooked: dict[str, str], cwd: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that is about to load `roundsim.cli`."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        words,
        cwd=cwd,
        env={**hooked, "AT": "roundsim.cli", "TELL": "1"},
        stdout=pipe,
        stderr=pipe,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout and process.stdout.readline() == "loading\n"
        yield process


MOMENTS = [moment / 50 for moment in range(0, 26, 1 if WHOLE else 3)]


@pytest.mark.soak
@pytest.mark.parametrize("entrance", ENTRANCES)
@pytest.mark.parametrize(
    "words",
    [("rules", "nap"), ("play", "nap", "book", "--deals", "8"), ("check", "book", "--game", "nap", "--deals", "8")],
    ids=" ".join,
)
def test_ctrl_c_at_any_moment(entrance: str, words: tuple[str, ...], hooked: dict[str, str], tmp_path: Path) -> None:
    for moment in MOMENTS:
        folder = tmp_path / str(moment)
        folder.mkdir()
        with loading([*ENTRANCES[entrance], *words], hooked, folder) as process:
            try:
                process.wait(moment)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGINT)
            _, err = process.communicate(timeout=PATIENCE)
        assert process.returncode in (0, 130, -signal.SIGINT) and "Traceback" not in err, (moment, err)
        assert ended(process.pid), moment
