"""Workers that are lost, for whatever reason, and the messages through their pipes."""

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
    roundsim,
    shards,
    wait_for,
)

from roundsim import api
from roundsim.base import errors
from roundsim.base.errors import BugError, RoundsimError
from roundsim.processes import lines
from roundsim.processes.lines import LineReader, error_from_json, error_to_json, send
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
    "Where there is a file `hold`, write the own number into a file, and wait until that is gone."
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
    "The contents of the file `line`, through all open descriptors; then it waits."

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
def test_a_worker_killed_while_a_strategy_is_asked_costs_nothing(room: Path) -> None:
    """It is killed once in each shard: nobody is blamed, and no deal is lost."""
    kills = signal.SIGKILL, signal.SIGTERM
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
def test_a_module_whose_worker_is_killed_twice_is_blamed(room: Path) -> None:
    """The same command goes on with it."""
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
def test_a_module_that_closes_the_pipe_of_its_worker_is_blamed(room: Path) -> None:
    """The worker still lives, but it did not take too long: it counts as dead."""
    closing = 'if "roundsim.workers.worker" in sys.modules:\n    os.closerange(3, 100)\n    time.sleep(1000)\n'
    (room / "uneasy.py").write_text(UNEASY + closing)
    done = roundsim(*words("First", 2000, "run"), cwd=room, code=66)
    assert "uneasy.py cannot be loaded in a worker: the process died" in done.stderr


def output_of(folder: Path, code: str) -> subprocess.CompletedProcess[str]:
    """The output of a program in a separate process."""
    words = [sys.executable, "-c", code]
    return subprocess.run(words, cwd=folder, env=environment(), capture_output=True, text=True, timeout=PATIENCE)


@pytest.mark.soak
def test_workers_that_die_before_they_read_a_word_are_a_bug(room: Path) -> None:
    """They are sent more than a pipe holds."""
    code = (
        "import multiprocessing, roundsim; from roundsim.sources import plugins; plugins.find('uneasy.py:First'); "
        f"multiprocessing.set_executable({shutil.which('false')!r}); "
        "roundsim.play('nap', ['uneasy.py:First(text=%r)' % ('x' * 300_000), 'random'], deals=2, jobs=1, out='run')"
    )
    words = "BugError: a worker died 5 times in the same shard, last while nobody was asked"
    assert words in output_of(room, code).stderr


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
def test_a_process_of_a_pool_plays_and_strategies_start_others(tmp_path: Path) -> None:
    """Python says that a process of a pool may have no children; it imports no strategies."""
    (tmp_path / "mine.py").write_text(ASKS_OTHERS)
    code = (
        "import multiprocessing, roundsim; pool = multiprocessing.get_context('spawn').Pool(1); "
        "run = pool.apply(roundsim.play, ('nap', ['mine.py', 'random']), dict(deals=2, jobs=2, out='run')); "
        "print(run.faults, pool.apply(eval, ['__import__(\"multiprocessing\").current_process().daemon']))"
    )
    done = output_of(tmp_path, code)
    assert done.stdout == "0 True\n", done.stderr
    assert {*(tmp_path / "names").read_text().split()} == {"roundsim"}


# Strategies that die


@pytest.mark.soak
def test_a_strategy_that_dies_at_the_same_questions_is_dead_there_once(room: Path) -> None:
    """It is believed when it dies there again."""
    for jobs in 1, 2:
        roundsim(*words("Dies", 1010, f"by {jobs}", jobs), cwd=room, code=2)
        deaths = Counter((room / "deaths").read_text().split())
        assert set(deaths.values()) == {2} and len(deaths) > 1
        assert faults_in(room / f"by {jobs}") == {"dead": len(deaths)}
        assert sum(line.count("!dead ") for line in deals_of(room / f"by {jobs}")) == len(deaths)
        (room / "deaths").unlink()
    assert_same(room / "by 1", room / "by 2")


@pytest.mark.soak
def test_a_strategy_that_dies_at_other_questions_is_believed_at_the_fifth_death(room: Path) -> None:
    roundsim(*words("Restless", 200, "run"), cwd=room, code=2)
    assert (room / "deaths").read_text().count("x") == 5
    assert faults_in(room / "run") == {"dead": 1}
    assert api.verify(room / "run")


@pytest.mark.soak
def test_an_interpreter_that_ignores_its_environment_plays_the_same(tmp_path: Path) -> None:
    """The answers of this strategy depend on the hash seed of its process."""
    shutil.copy(TESTS / "strategies" / "habits.py", tmp_path)
    play = "play", "nap", "habits.py:Sets", "random", "--deals", 200, "--out"
    roundsim(*play, "plain", cwd=tmp_path, hash_seed="1")
    for flag in "-I", "-E":
        words = command(*play, f"with {flag}")
        words.insert(1, flag)
        env = environment("random")
        subprocess.run(words, cwd=tmp_path, env=env, check=True, capture_output=True, timeout=PATIENCE)
        assert_same(tmp_path / "plain", tmp_path / f"with {flag}")


# Messages that a hostile strategy forges for its worker


class Trap:
    """Unpickling it makes a folder."""

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, ("sprung",)


TRAP = pickle.dumps(Trap())
SAID = {
    "half a line": (b'{"do', None),  # where its process is lost depends on the moment: 2, 66 or 70
    "brackets": (b"[" * 50_000 + b"\n", 2),
    "pickles": (struct.pack("!i", len(TRAP)) + TRAP + TRAP + b"\n", 2),
    "done": (b'{"done": true}\n', 73),
    "stale": (b'{"stale": true}\n', 2),
    "another word": (b'{"stage": ANY}\n', 2),
    "error": (b'{"error": "BugError", "words": "x", "script": "\\ud800"}\n', 70),
}


@pytest.mark.soak
@pytest.mark.parametrize("what", SAID)
def test_a_message_forged_for_a_worker_changes_nothing(room: Path, what: str) -> None:
    """The run ends, nothing is executed here, and a run that is reported verifies."""
    line, expected = SAID[what]
    (room / "line").write_bytes(line)
    code, said = ended(begin(*words("Says", 2, "run"), cwd=room))
    assert code in ((2, 66, 70) if expected is None else (expected,)), said
    assert not (room / "sprung").exists()
    if code == 2:
        assert api.verify(room / "run")


def lost_at(*board: int) -> Any:
    """A worker that has died with this on its board."""
    return SimpleNamespace(
        board=[*board, *[0] * (CELLS - len(board))],
        given=1,
        process=SimpleNamespace(exitcode=1, is_alive=lambda: False),
    )


SHARD = Task(0, 1, 2)


@pytest.mark.parametrize("said", [0, LATE])
def test_a_shard_is_not_played_again_forever_if_its_board_lies(said: int) -> None:
    for questions in repeat(7), count(1), count(9000, -1):
        task, lost = SHARD, list[int]()
        with pytest.raises(BugError, match="a worker died 5 times"):
            for question in islice(questions, 1000):
                task = after_loss(lost_at(question, said), task, False, lost, 3)


def test_only_a_shard_played_after_another_is_stale() -> None:
    """A fresh worker that says so is not believed, or its shard would be played again forever."""
    entered, entry = replace(SHARD, entered={7: "late"}), SimpleNamespace(pieces=lambda blocks: [blocks])
    for given, again in (2, entered), (3, entered), (1, None):
        worker = lost_at(0, 0)
        worker.given = given
        assert after_word(worker, entered, {"stale": True}, cast(Any, entry), 0) == again
        assert after_word(worker, entered, {"stage": 1}, cast(Any, entry), 0) is None


# The pipe of a worker

Wire = tuple[FileIO, FileIO]


@pytest.fixture
def wire() -> Iterator[Wire]:
    """Our end of a pipe, and a worker's."""
    ours, theirs = os.pipe()
    with open(ours, "rb", 0) as reader, open(theirs, "wb", 0) as writer:
        yield reader, writer


def test_halves_of_lines_are_put_together(wire: Wire) -> None:
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
    assert LineReader(-1).read() is None


JUNK = [b"\n", b"nonsense\n", b"\xff\n", b"{}\n", b"[1]\n", b"7\n", b"null\n", b'"done"\n', b'{"done": true\n',
        b"[" * 60_000 + b"\n", b'{"hoard": %s}\n' % (b"9" * 5000)]  # fmt: skip


def test_lines_that_no_worker_writes_are_refused(wire: Wire) -> None:
    ours, theirs = wire
    for line in JUNK:
        theirs.write(line)
        assert LineReader(ours.fileno()).read() is None


def test_a_line_may_be_long_but_not_endless(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    most = 1 << 18
    monkeypatch.setattr(lines, "MOST", most)
    ours, theirs = wire
    heard, long = LineReader(ours.fileno()), {"words": "x" * (most - 100)}
    sender = Thread(target=send, args=(theirs.fileno(), long))
    sender.start()
    while not (said := heard.read()):
        assert said == {}
    sender.join(PATIENCE)
    assert said == long
    for _ in range(most >> 12):
        theirs.write(b"x" * (1 << 12))
        assert heard.read() == {}
    theirs.write(b"x")
    assert heard.read() is None


def test_a_pipe_without_a_reader_is_broken(wire: Wire) -> None:
    ours, theirs = wire
    ours.close()
    with pytest.raises(BrokenPipeError):
        send(theirs.fileno(), {"done": True})


ERRORS = [each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, RoundsimError)]


def test_an_error_of_ours_comes_through_unchanged() -> None:
    """A bug comes with its script."""
    for kind in ERRORS:
        many = kind.__name__ in ("TournamentError", "OptionError", "DisagreesError")
        error = kind(["one thing", "another"]) if many else kind("one thing, another")
        there = error_from_json(json.loads(json.dumps(error_to_json(error))))
        assert (type(there), str(there), there.code) == (kind, str(error), error.code)
    there = error_from_json(error_to_json(BugError("it broke", "deal = 1\n")))
    assert isinstance(there, BugError) and (str(there), there.script) == ("it broke", "deal = 1\n")


def test_names_that_are_no_errors_are_a_bug() -> None:
    for name in "SignalError", "re", "did_you_mean", "__name__", "nobody", "", "\ud800", None, 7, ["BugError"]:
        error = error_from_json({"error": name, "words": "x"})
        assert type(error) is BugError and "a worker said " in str(error)


def test_words_that_are_no_text_are_left_out() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    for thing in None, 7, deep:
        error = error_from_json({"error": "BugError", "words": thing, "script": thing})
        assert isinstance(error, BugError) and (str(error), error.script) == ("", "")
    error = error_from_json({"error": "BugError", "words": "\ud800", "script": "\ud800"})
    assert isinstance(error, BugError) and str(error).encode() and error.script.encode()


def test_a_module_has_half_a_minute_in_a_worker_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """In C, where no clock of its own ends it; however short the limit for an answer is."""
    for seconds, stuck in (29, False), (34, False), (36, True):
        watch = SimpleNamespace(cpu=lambda: 0.0, wall=lambda seconds=seconds: seconds)
        monkeypatch.setattr(local, "Stopwatch", lambda pid, watch=watch: watch)
        board = [0] * CELLS
        board[STATE], board[ASKED] = LOADING, 1
        worker: Any = SimpleNamespace(board=board, process=SimpleNamespace(pid=0), question=0)
        assert not local.Worker.stuck(worker, 0.1)
        assert local.Worker.stuck(worker, 0.1) is stuck
