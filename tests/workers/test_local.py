"""Workers that are lost, for whatever reason, and what comes through their pipes."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import signal
import struct
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from io import FileIO
from itertools import count, islice, repeat
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any, cast

import pytest
from helpers.command import (
    PATIENCE,
    TESTS,
    assert_same,
    begin,
    command,
    deals_of,
    environment,
    living,
    one_in,
    roundsim,
    seldom,
    shards,
    wait_for,
)

from roundsim import errors, library
from roundsim.errors import BugError, RoundsimError
from roundsim.processes.lines import MOST, LineReader, error_from_json, error_to_json, send
from roundsim.refereeing.board import ASKED, CELLS, LATE, LOADING, STATE
from roundsim.tournament.planning.plan import Task
from roundsim.workers import local
from roundsim.workers.local import after_loss, after_word

pytestmark = pytest.mark.usefixtures("in_process")

UNEASY = """
import os
import sys
import time
from pathlib import Path

games = ["nap"]
HERE = Path(__file__).parent
answers = 0


def wait():
    "Where there is a file `hold`, tell who we are, and do not go on before what we have told is taken away."
    if (HERE / "hold").exists():
        (HERE / ".asked").write_text(str(os.getpid()))
        (HERE / ".asked").rename(HERE / "asked")
        while (HERE / "asked").exists():
            time.sleep(0.001)


def die(words):
    with open(HERE / "deaths", "a") as file:
        print(words, file=file)
    os._exit(1)


if "roundsim.workers.worker" in sys.modules and (HERE / "at the door").exists():
    wait()


class First:
    def __init__(self, text=""):
        pass

    def act(self, view):
        return view.legal[0]


class Waits(First):
    "At its first question in a rotation of a shard."

    def act(self, view):
        global answers
        answers += 1
        if answers == 1:
            wait()
        return view.legal[-1]


class Dies(First):
    "Always at the same questions."

    def play(self, view):
        number = view.chance.random()
        if number < 0.003:
            die(number)
        return view.legal[0]


class Restless(First):
    "Five times, each time an answer later."

    def act(self, view):
        global answers
        answers += 1
        before = (HERE / "deaths").read_text().count("x") if (HERE / "deaths").exists() else 0
        if before < answers and before < 5:
            die("x")
        return view.legal[0]


class Says(First):
    "Whatever stands in the file `line`, through all doors there are; and waits for what comes of it."

    def call(self, view):
        line = (HERE / "line").read_bytes().replace(b"ANY", b"%d" % int.from_bytes(os.urandom(4), "big"))
        for handle in os.listdir("/proc/self/fd"):
            try:
                if int(handle) > 2:
                    os.write(int(handle), line)
            except OSError:
                pass
        while line.endswith(b"\\n"):
            time.sleep(1)
        return view.legal[0]


class Never(First):
    "Comes to no end of its line."

    def call(self, view):
        doors = [int(each) for each in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{each}")]
        pipes = [each for each in doors if os.readlink(f"/proc/self/fd/{each}").startswith("socket:")]
        while True:
            for pipe in pipes:
                os.write(pipe, b"x" * 4096)
"""


@pytest.fixture
def room(tmp_path: Path) -> Path:
    (tmp_path / "uneasy.py").write_text(UNEASY)
    return tmp_path


def words(strategy: str, deals: int, out: str, jobs: int = 1) -> tuple[object, ...]:
    play = "play", "nap", f"uneasy.py:{strategy}", "random", "--seats", 2, "--sitting", 1
    return (*play, "--deals", deals, "--jobs", jobs, "--out", out)


def ended(process: subprocess.Popen[str]) -> tuple[int, str]:
    """The exit code of a run, and what it said; none of ours must be left, nor any traceback."""
    try:
        _, said = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    assert wait_for(lambda: not living(process.pid)), f"still there: {living(process.pid)}"
    assert "Traceback" not in said, said
    return process.returncode, said


def faults_in(run: Path) -> dict[str, int]:
    (game,) = json.loads((run / "standings.json").read_text())["games"]
    return dict(sum((Counter(row["faults"]) for row in game["rows"]), Counter[str]()))


def asked(run: subprocess.Popen[str], cwd: Path) -> int:
    """The worker that waits, once there is one."""
    assert wait_for(lambda: (cwd / "asked").exists() or run.poll() is not None)
    worker = int((cwd / "asked").read_text())
    assert f"PPid:\t{run.pid}\n" in Path(f"/proc/{worker}/status").read_text()
    return worker


# Killed from outside


@pytest.mark.soak
@pytest.mark.parametrize(
    "kills",
    [
        (signal.SIGKILL, signal.SIGTERM),
        *seldom((signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV, signal.SIGUSR1, signal.SIGKILL)),
    ],
    ids=len,
)
def test_a_worker_killed_while_a_strategy_is_asked(room: Path, kills: tuple[int, ...]) -> None:
    """In each shard once: nobody is blamed, and nothing is lost."""
    roundsim(*words("Waits", 1000 * len(kills), "whole"), cwd=room)
    (room / "hold").touch()
    process = begin(*words("Waits", 1000 * len(kills), "killed"), cwd=room)
    for kill in kills:
        for number in kill, 0, 0:  # it waits there again, and in the second rotation, which has a module of its own
            os.kill(asked(process, room), number)
            (room / "asked").unlink()
    assert ended(process)[0] == 0
    assert faults_in(room / "killed") == {}
    assert_same(room / "whole", room / "killed")


@pytest.mark.soak
def test_a_worker_killed_while_a_module_is_loaded(room: Path) -> None:
    """Once is nothing; with the second time the module is blamed; the same command goes on with it."""
    roundsim(*words("First", 2000, "whole"), cwd=room)
    (room / "hold").touch()
    (room / "at the door").touch()
    process = begin(*words("First", 2000, "killed"), cwd=room)
    for number in signal.SIGKILL, 0, 0, signal.SIGKILL:  # the second rotation has a module of its own
        os.kill(asked(process, room), number)
        (room / "asked").unlink()
    last = asked(process, room)
    (room / "hold").unlink()
    os.kill(last, signal.SIGKILL)
    code, said = ended(process)
    assert code == 66 and "uneasy.py cannot be loaded in a worker: the process died" in said
    assert len(shards(room / "killed")) == 1
    roundsim(*words("First", 2000, "killed"), cwd=room)
    assert_same(room / "whole", room / "killed")


@pytest.mark.soak
def test_a_module_that_closes_the_pipe_of_its_worker(room: Path) -> None:
    """The worker still lives, but it did not take too long: it counts as dead."""
    closing = 'if "roundsim.workers.worker" in sys.modules:\n    os.closerange(3, 100)\n    time.sleep(1000)\n'
    (room / "uneasy.py").write_text(UNEASY + closing)
    done = roundsim(*words("First", 2000, "run"), cwd=room, code=66)
    assert "uneasy.py cannot be loaded in a worker: the process died" in done.stderr


@pytest.mark.soak
def test_workers_that_die_before_they_read_a_word(room: Path) -> None:
    """More than a pipe holds is to be told to them."""
    code = (
        "import multiprocessing, roundsim; from roundsim.contract import plugins; plugins.find('uneasy.py:First'); "
        f"multiprocessing.set_executable({shutil.which('false')!r}); "
        "roundsim.play('nap', ['uneasy.py:First(text=%r)' % ('x' * 300_000), 'random'], deals=2, jobs=1, out='run')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=room, env=environment(), capture_output=True, text=True, timeout=PATIENCE
    )
    assert "BugError: a worker died 5 times in the same shard, last while nobody was asked" in done.stderr


ASKS_OTHERS = """
import multiprocessing

with open("names", "a") as names:
    print(multiprocessing.current_process().name, file=names)

def act(view):
    asking = multiprocessing.get_context("spawn").Process(target=print, args=(len(view.legal),))
    asking.start()
    asking.join()
    return view.legal[-asking.exitcode]
"""


@pytest.mark.soak
def test_who_is_not_alone_with_his_processes(tmp_path: Path) -> None:
    """We may be called in a pool's process, of which Python says that it may have no children; it imports no strategies.  And
    these may begin others."""
    (tmp_path / "mine.py").write_text(ASKS_OTHERS)
    code = (
        "import multiprocessing, roundsim; pool = multiprocessing.get_context('spawn').Pool(1); "
        "run = pool.apply(roundsim.play, ('nap', ['mine.py', 'random']), dict(deals=2, jobs=2, out='run')); "
        "print(run.faults, pool.apply(eval, ['__import__(\"multiprocessing\").current_process().daemon']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment(), capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.stdout == "0 True\n", done.stderr
    assert {*(tmp_path / "names").read_text().split()} == {"roundsim"}


# Dead by itself


@pytest.mark.soak
def test_a_strategy_that_dies_at_the_same_questions(room: Path) -> None:
    """It is believed when it dies there again, and then it is dead there once."""
    for jobs in 1, 2:
        roundsim(*words("Dies", 1010, f"by {jobs}", jobs), cwd=room, code=2)
        deaths = Counter((room / "deaths").read_text().split())
        assert set(deaths.values()) == {2} and len(deaths) > 1
        assert faults_in(room / f"by {jobs}") == {"dead": len(deaths)}
        assert sum(line.count("!dead ") for line in deals_of(room / f"by {jobs}")) == len(deaths)
        (room / "deaths").unlink()
    assert_same(room / "by 1", room / "by 2")


@pytest.mark.soak
def test_a_strategy_that_dies_ever_at_another_question(room: Path) -> None:
    """It is believed at the fifth death."""
    roundsim(*words("Restless", 200, "run"), cwd=room, code=2)
    assert (room / "deaths").read_text().count("x") == 5
    assert faults_in(room / "run") == {"dead": 1}
    assert library.verify(room / "run")


# What it is started with


@pytest.fixture(scope="module")
def sets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with a strategy whose answers hang on the hash seed of its process."""
    folder = tmp_path_factory.mktemp("sets")
    shutil.copy(TESTS / "strategies" / "habits.py", folder)
    roundsim("play", "nap", "habits.py:Sets", "random", "--deals", 200, "--out", "plain", cwd=folder, hash_seed="1")
    return folder


@pytest.mark.soak
@pytest.mark.parametrize("flag", ["-I", "-E"])
def test_an_interpreter_that_heeds_nothing_around_it(sets: Path, flag: str) -> None:
    play = command("play", "nap", "habits.py:Sets", "random", "--deals", 200, "--out", f"with {flag}")
    play.insert(1, flag)
    subprocess.run(play, cwd=sets, env=environment("random"), check=True, capture_output=True, timeout=PATIENCE)
    assert_same(sets / "plain", sets / f"with {flag}")


# What a hostile strategy says for its worker


class Trap:
    """Who unpickles it makes a folder."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, ("sprung",)


TRAP = pickle.dumps(Trap())
SAID = {
    "half a line": (b'{"do', 70),
    "brackets": (b"[" * 50_000 + b"\n", 2),
    "pickles": (struct.pack("!i", len(TRAP)) + TRAP + TRAP + b"\n", 2),
    "done": (b'{"done": true}\n', 73),
    "stale": (b'{"stale": true}\n', 2),
    "another word": (b'{"stage": ANY}\n', 2),
    "error": (b'{"error": "BugError", "words": "x", "script": "\\ud800"}\n', 70),
}


@pytest.mark.soak
@pytest.mark.parametrize("what", one_in(4, [*SAID, "no end"]))
def test_what_a_strategy_says_for_its_worker(room: Path, what: str) -> None:
    """Nothing hangs, nothing is executed here, and what is told of a run is what is in its folder."""
    line, expected = SAID.get(what, (b"", 2))
    (room / "line").write_bytes(line)
    code, said = ended(begin(*words("Says" if line else "Never", 2, "run"), cwd=room))
    assert code == expected, said
    assert not (room / "sprung").exists()
    if code == 2:
        assert library.verify(room / "run")


def lost_at(*board: int) -> Any:
    """A worker that has died with this on its board."""
    return SimpleNamespace(
        board=[*board, *[0] * (CELLS - len(board))],
        given=1,
        process=SimpleNamespace(exitcode=1, is_alive=lambda: False),
    )


SHARD = Task(0, 1, 2)


@pytest.mark.parametrize("said", [0, LATE])
@pytest.mark.parametrize("questions", [repeat(7), count(1), count(9000, -1)], ids=["same", "rising", "falling"])
def test_a_board_that_lies(questions: Iterator[int], said: int) -> None:
    """Whatever is written on it, a shard is not played again for ever."""
    task, lost = SHARD, list[int]()
    with pytest.raises(BugError, match="a worker died 5 times"):
        for question in islice(questions, 1000):
            task = after_loss(lost_at(question, said), task, False, lost, 3)


def test_only_what_was_played_after_something_is_stale() -> None:
    """A fresh worker that says so is not believed: it would be played again for ever."""
    entered, entry = replace(SHARD, entered={7: "late"}), SimpleNamespace(pieces=lambda blocks: [blocks])
    for given, again in (2, entered), (3, entered), (1, None):
        worker = lost_at(0, 0)
        worker.given = given
        assert after_word(worker, entered, {"stale": True}, cast(Any, entry), 0) == again
        assert after_word(worker, entered, {"stage": 1}, cast(Any, entry), 0) is None


# The wire

Wire = tuple[FileIO, FileIO]


@pytest.fixture
def wire() -> Iterator[Wire]:
    """Our end of a pipe, and a worker's."""
    ours, theirs = os.pipe()
    with open(ours, "rb", 0) as reader, open(theirs, "wb", 0) as writer:
        yield reader, writer


def test_halves_of_lines(wire: Wire) -> None:
    ours, theirs = wire
    heard = LineReader(ours.fileno())
    for data, said in (
        (b'{"do', {}),
        (b'ne": true', {}),
        (b'}\n{"st', {"done": True}),
        (b'ale": true}\n', {"stale": True}),
        (b'{"error": 1}\n{"error": 2}\n', {"error": 1}),
        (b'{"er', {"error": 2}),
    ):
        theirs.write(data)
        assert heard.read() == said
    theirs.close()
    assert heard.read() is None


def test_a_wire_that_is_closed() -> None:
    assert LineReader(-1).read() is None


JUNK = [b"\n", b"nonsense\n", b"\xff\n", b"{}\n", b"[1]\n", b"7\n", b"null\n", b'"done"\n', b'{"done": true\n',
        b"[" * 60_000 + b"\n", b'{"hoard": %s}\n' % (b"9" * 5000)]  # fmt: skip


@pytest.mark.parametrize("line", JUNK, ids=range(len(JUNK)))
def test_lines_that_are_none_of_ours(wire: Wire, line: bytes) -> None:
    ours, theirs = wire
    theirs.write(line)
    assert LineReader(ours.fileno()).read() is None


def test_a_line_may_be_long_but_not_for_ever(wire: Wire) -> None:
    ours, theirs = wire
    heard, long = LineReader(ours.fileno()), {"words": "x" * (MOST - 100)}
    sender = Thread(target=send, args=(theirs.fileno(), long))
    sender.start()
    while not (said := heard.read()):
        assert said == {}
    sender.join(PATIENCE)
    assert said == long
    for _ in range(MOST >> 12):
        theirs.write(b"x" * (1 << 12))
        assert heard.read() == {}
    theirs.write(b"x")
    assert heard.read() is None


def test_nobody_listens(wire: Wire) -> None:
    ours, theirs = wire
    ours.close()
    with pytest.raises(BrokenPipeError):
        send(theirs.fileno(), {"done": True})


ERRORS = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, RoundsimError)]


@pytest.mark.parametrize("kind", ERRORS)
def test_an_error_of_ours_comes_as_it_was(kind: type[RoundsimError]) -> None:
    many = kind.__name__ in ("TournamentError", "OptionError", "DisagreesError")
    error = kind(["one thing", "another"]) if many else kind("one thing, another")
    there = error_from_json(json.loads(json.dumps(error_to_json(error))))
    assert (type(there), str(there), there.code) == (kind, str(error), error.code)


def test_a_script_comes_with_a_bug() -> None:
    there = error_from_json(error_to_json(BugError("it broke", "deal = 1\n")))
    assert isinstance(there, BugError) and (str(there), there.script) == ("it broke", "deal = 1\n")


NONE_OF_OURS = ["SignalError", "re", "did_you_mean", "__name__", "nobody", "", "\ud800", None, 7, ["BugError"]]


@pytest.mark.parametrize("name", NONE_OF_OURS, ids=ascii)
def test_names_that_are_no_errors(name: object) -> None:
    error = error_from_json({"error": name, "words": "x"})
    assert type(error) is BugError and "a worker said " in str(error)


def test_words_that_are_none() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    for thing in None, 7, deep:
        error = error_from_json({"error": "BugError", "words": thing, "script": thing})
        assert isinstance(error, BugError) and (str(error), error.script) == ("", "")
    error = error_from_json({"error": "BugError", "words": "\ud800", "script": "\ud800"})
    assert isinstance(error, BugError) and str(error).encode() and error.script.encode()


@pytest.mark.parametrize(("seconds", "stuck"), [(29, False), (34, False), (36, True)])
def test_a_module_has_half_a_minute_in_a_worker_too(seconds: int, stuck: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """In C, where no clock of its own ends it; however short the limit for an answer is."""
    watch = SimpleNamespace(cpu=lambda: 0.0, wall=lambda: seconds)
    monkeypatch.setattr(local, "Stopwatch", lambda pid: watch)
    board = [0] * CELLS
    board[STATE], board[ASKED] = LOADING, 1
    worker: Any = SimpleNamespace(board=board, process=SimpleNamespace(pid=0), question=0)
    assert not local.Worker.stuck(worker, 0.1)
    assert local.Worker.stuck(worker, 0.1) is stuck
