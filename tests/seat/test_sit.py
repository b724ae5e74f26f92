"""A person at a table: asked as a strategy would be, and nothing that was said is lost."""

from __future__ import annotations

import json
import os
import pty
import random
import re
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from conftest import GAMES, Write
from helpers.command import command, deals_of, drawn, environment, in_a_process, roundsim, seldom, seldom_with, wait_for
from helpers.deals import listen_to
from helpers.seat import Scripted, book_of, logs_of, sits

from roundsim import games
from roundsim.base.errors import LogError
from roundsim.base.importing import module_at
from roundsim.base.text import WIDTH
from roundsim.replaying.verify import verify_run
from roundsim.seat import person as people
from roundsim.seat.answers import Answers
from roundsim.seat.person import LeftError, Person
from roundsim.seat.sit import leaving, new_tournament, sit
from roundsim.seat.stand_in import stand_in
from roundsim.sources import plugins
from roundsim.table.view import TableView
from roundsim.tournament.run import Result
from roundsim.tournament.storage.folder import RunFolder


def test_a_question_a_hint_a_way_out_and_back(tmp_path: Path) -> None:
    """The first hand of seed 1891: the person passes, is asked for one of two cards at the end, and leaves."""
    said = sits(tmp_path, "nap", "expert", "--seed", 1891, typed="x\n?\nh\nr\nt\np\n2\n").stdout
    for words in (
        "Nap · you · expert · book · book#2 · seed 1891",
        "    your cards   Qs   7h 4h   6c   9d",
        "call?  pass  call 1  call 2  call 3  call 4  call nap",
        "    x is no answer here",
        "0 imagined deals, if all play like the book\n",
        "    call nap   -15.0 ± 0.0",
        "    call: `pass`, or a higher call:",
        "  legal            pass, call 1,",
        "    you     pass\n    expert  calls two\n    book    passes\n",
        "    expert  leads 5c\n            clubs are trumps\n",
        "play?  1 7h  2 4h",
        "    you     follow with 4h\n    expert  takes the trick\n",
        "            book, book#2 and you pay 2 each to expert: the call is made (p. 8)\n",
        "    the cards of all\n    you     Qs   7h 4h   6c   9d\n",
        "    book#2  Ts 2s   8h   9c   Qd\n    net      you -2 · expert +6 · book -2 · book#2 -2\n",
        "go on    roundsim sit sit/nap-1\n",
    ):
        assert words in said
    kept = [json.loads(line) for line in (tmp_path / "sit/nap-1/seat.jsonl").read_text().split("\n") if line]
    assert [each["answer"] for each in kept] == ["pass", "play 4h"]
    again = sits(tmp_path, "sit/nap-1", typed="q\n").stdout
    assert again.count("\n    you     pass\n") == 1 and again.count("call?") == 1 and "deal 2" in again
    assert "a person sits in it" in roundsim("grow", "sit/nap-1", "--deals", 40, cwd=tmp_path, code=64).stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nop"], "no game 'nop' (did you mean nap?)"),
        (["nap", "expertt"], "no strategy 'expertt' (did you mean expert?)"),
        (["nap", "--seats", 9], "9 players: nap is for 2 to 6"),
        (["nap", "--as", "freeze-out", "--deals", 3], "--deals is of sittings, not of a freeze-out"),
        (["nap", "--no-open"], "--no-open is for --page"),
        ([], "name a game, as in `roundsim sit nap`: `roundsim games` lists them"),
    ],
)
def test_impossible_tables_are_refused(words: Sequence[object], message: str, tmp_path: Path) -> None:
    assert message in roundsim("sit", *words, cwd=tmp_path, code=64).stderr
    assert not [*tmp_path.iterdir()]


def test_a_run_without_a_person(tmp_path: Path) -> None:
    """It cannot be continued by a person; and one with a person cannot be played without them."""
    roundsim("play", "nap", "book", "random", "--deals", 8, "--jobs", 1, "--out", "run", cwd=tmp_path)
    assert "nobody sits in it" in roundsim("sit", "run", cwd=tmp_path, code=64).stderr
    stderr = roundsim("sit", "run", "--as", "freeze-out", cwd=tmp_path, code=64).stderr
    assert "run goes on as it began: --as is for a new run" in stderr
    assert not people.present
    done = roundsim("play", "nap", plugins.PERSON, "book", "--deals", 4, "--jobs", 1, cwd=tmp_path, code=2)
    assert "nobody sits here: a person plays by roundsim sit" in done.stderr


def test_a_game_from_a_file(tmp_path: Path) -> None:
    """As `play` takes it; the line that goes on names the file, which is not loaded otherwise."""
    file = Path(__file__).parents[1] / "outside/linger_longer/linger_longer.py"
    said = sits(tmp_path, file, typed="1\nq\n").stdout
    assert f"the rules: roundsim rules {file}\n" in said and "Linger Longer · sitting 1, deal 1" in said
    assert said.endswith(f"go on    roundsim sit sit/linger-longer-1 --game {file}\n")
    assert "your cards" in sits(tmp_path, "sit/linger-longer-1", "--game", file, typed="q\n").stdout
    assert "no such file" in sits(tmp_path, "there.py", typed="", code=64).stderr


@pytest.mark.parametrize(
    ("name", "number", "who", "words"),
    [
        ("pope-joan/pope-in-lieu-of-a-king.toml", 1, 1, "do not play 9d in lieu"),
        ("spoil-five/39-take-and-spoilt-optional.toml", 1, 1, "do not rob"),
        ("bouillotte/nobody-has-called.toml", 2, 1, "stifle a brelan"),
        ("vingt-un/13-four-boxes.toml", 1, 0, "keep a pair together"),
    ],
)
def test_only_the_holder_of_a_card_hears_that_it_is_kept(
    name: str, number: int, who: int, words: str, tmp_path: Path
) -> None:
    heard = []
    for seat in 0, 1:
        person = Scripted(tmp_path, name.partition("/")[0], lambda view: view.legal[0])
        listen_to(person, seat, name, number)
        heard.append([line for line in person.lines if words in line or "unseen" in line])
    assert [len(lines) for lines in heard] == [seat == who for seat in (0, 1)]


def plays(folder: Path, game: str, person: Person, *others: str, **keys: Any) -> Result:
    tournament = new_tournament(game, others, games.find(game).usual[0], 7, **keys)
    result = sit(tournament, RunFolder(folder), person)
    assert result
    return result


@pytest.mark.parametrize(("game", "hints"), [("nap", 1), *seldom_with(*[(game, 3) for game in GAMES])])
def test_every_game(game: str, hints: int, tmp_path: Path) -> None:
    """Answers at random make a run that is verified; all fits the terminal; a hint leaves the course as it is."""
    logs = []
    for count in 0, hints:
        folder, draw = tmp_path / str(count), random.Random(1)
        person = Scripted(folder, game, lambda view, draw=draw: draw.choice(view.legal), count)  # type: ignore[misc]
        assert plays(folder, game, person, deals=2).faults == 0
        assert max(map(len, person.lines)) <= WIDTH
        logs.append(logs_of(folder))
    verify_run(RunFolder(tmp_path / "0"), 1)
    assert logs[0] == logs[1] != []


def test_a_person_plays_as_a_strategy_would(tmp_path: Path, write: Write) -> None:
    """The answers of the book make the log that the book makes under the person's name."""
    plays(tmp_path / "person", "loo", Scripted(tmp_path / "person", "loo", book_of("loo")), deals=20)
    text = '[tournament]\nformat = "sittings"\nseed = 7\nstrategies = ["you=book", "book", "book", "book", "book"]\n'
    write("loo.toml", f'{text}[[games]]\ngame = "loo"\nplayers = 5\ndeals = 20\n')
    roundsim("run", "loo.toml", "--jobs", 1, "--out", "book", cwd=tmp_path)
    assert deals_of(tmp_path / "person") == deals_of(tmp_path / "book") != []


@pytest.mark.parametrize(
    "game", ["nap", *seldom("loo", "draw-poker", "cassino", "vingt-un", "speculation", "pope-joan")]
)
def test_the_book_in_the_seat_of_a_person(game: str, tmp_path: Path) -> None:
    """It wins as much as a person who answers as it does, deal by deal; and leaves the log as it is."""
    logs = []
    for has_stand_in in False, True:
        folder = tmp_path / str(has_stand_in)
        person = Scripted(folder, game, book_of(game))
        tournament = new_tournament(game, [], games.find(game).usual[0], 7, deals=8)
        person.stand_in = stand_in(tournament) if has_stand_in else None
        assert sit(tournament, RunFolder(folder), person)
        logs.append(logs_of(folder))
    assert logs[0] == logs[1] != []
    own = [re.search(r"you ([-+]\d+)", line) for line in person.lines if line.startswith("    net ")]
    its = [re.search(r"book +([-+]\d+) in your seat", line) for line in person.lines if " in your seat " in line]
    assert [each and each[1] for each in its] == [each and each[1] for each in own] and len(its) >= 8


def test_the_book_plays_on_in_its_own_way(tmp_path: Path) -> None:
    """A person who always calls nap loses 15 a deal; the book in their seat wins what four books win among themselves."""
    person = Scripted(tmp_path, "nap", lambda view: view.legal[-1])
    tournament = new_tournament("nap", [], 4, 1891, deals=3, sitting=3)
    person.stand_in = stand_in(tournament)
    assert sit(tournament, RunFolder(tmp_path), person)
    its = [line for line in person.lines if " in your seat " in line]
    assert its == [f"    book     -2 in your seat with the same cards; {-2 * deals:+d} in all" for deals in (1, 2, 3)]
    assert person.won < -6


@pytest.mark.parametrize(("form", "game"), [("freeze-out", "bouillotte"), *seldom_with(("progressive", "nap"))])
def test_other_formats(form: str, game: str, tmp_path: Path) -> None:
    """The rest of a game without the person is played at once."""
    person = Scripted(tmp_path, game, lambda view: view.legal[-1])
    plays(tmp_path, game, person, format=form, times=1)
    verify_run(RunFolder(tmp_path), 1)
    assert any("net" in line for line in person.lines)


@pytest.mark.soak
def test_a_third_party_strategy_sits_there_too(tmp_path: Path, write: Write) -> None:
    """In its sandbox; after the way out it must be named again, because a run does not say what is to be loaded."""
    write("mine.py", "class Mine:\n    def act(self, view):\n        return view.legal[0]\n")
    sits(tmp_path, "nap", "mine.py", "--seed", 5, typed="p\n")
    assert "Mine as it has played" in sits(tmp_path, "sit/nap-1", typed="", code=64).stderr
    done = sits(tmp_path, "sit/nap-1", "mine.py", typed="".join(f"{each}\n" for each in [*"p1"] * 200)).stdout
    assert " in your seat " not in done  # a third-party strategy is not asked twice
    assert "16 deals in 4 sittings of 4" in done and done.endswith(
        "worst    roundsim deals sit/nap-1 --worst you -n 5\n"
    )
    assert "you by expert" in in_a_process("coach", "sit/nap-1", "--of", "you", cwd=tmp_path).stdout
    in_a_process("verify", "sit/nap-1", cwd=tmp_path)


def is_waiting(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].startswith("S")


def said_so_many(kept: Path, answers: int) -> bool:
    return kept.exists() and kept.read_text().count("answer") >= answers


@pytest.mark.soak
def test_killed_after_any_answer(tmp_path: Path) -> None:
    """kill -9 loses nothing that was said, and the run is that of one who was never killed."""
    typed = "".join(f"{each}\n" for each in [*"p1"] * 100)
    sits(tmp_path, "nap", "--seed", 11, "--deals", 4, "--out", "whole", typed=typed)
    kept = tmp_path / "killed/seat.jsonl"
    words: list[object] = ["nap", "--seed", 11, "--deals", 4, "--out", "killed"]
    for said in range(1, drawn(4, 12)):
        enough = partial(said_so_many, kept, said)
        pipe = subprocess.PIPE
        given: dict[str, Any] = {"cwd": tmp_path, "env": environment(), "stdin": pipe, "stdout": pipe, "stderr": pipe}
        process = subprocess.Popen(command("sit", *words), **given)
        assert process.stdin
        process.stdin.write(b"p\n1\n")
        process.stdin.flush()
        assert wait_for(enough)
        process.kill()
        process.communicate()
        words = ["killed"]
    sits(tmp_path, "killed", typed=typed)
    whole, killed = (roundsim("log", name, cwd=tmp_path).stdout for name in ("whole", "killed"))
    assert whole == killed


def test_the_way_out_is_open_while_a_strategy_is_loaded(tmp_path: Path, write: Write) -> None:
    """A signal that comes then is not an error of the module."""
    write("mine.py", "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)\n")
    with pytest.raises(LeftError), leaving():
        module_at(tmp_path / "mine.py")


@pytest.mark.soak
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 0), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_at_a_terminal(number: signal.Signals, code: int, tmp_path: Path) -> None:
    """Ctrl-C leaves, and is nobody's fault; other signals say so by the exit code."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        command("sit", "nap", "--seed", 1891), cwd=tmp_path, env=environment(), stdin=slave, stdout=slave, stderr=slave
    )
    os.close(slave)
    said = b""
    while b"> " not in said:
        said += os.read(master, 1000)
    assert wait_for(partial(is_waiting, process.pid))  # readline looks for signals before that, and then no more
    process.send_signal(number)
    assert process.wait() == code
    while not code and b"go on" not in said:
        said += os.read(master, 1000)
    os.close(master)
    assert b"fault" not in said and not (tmp_path / "sit/nap-1/faults.jsonl").exists()


def test_a_slip_of_ours_is_no_fault_of_theirs(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        plays(tmp_path, "nap", Scripted(tmp_path, "nap", lambda view: 1 // 0))


@pytest.mark.soak
def test_a_sitting_at_a_terminal(tmp_path: Path) -> None:
    """To its end, one line typed for each question."""
    master, slave = pty.openpty()
    words = "sit", "nap", "--seed", 1891, "--deals", 4, "--out", "run"
    process = subprocess.Popen(
        command(*words), cwd=tmp_path, env=environment(), stdin=slave, stdout=slave, stderr=slave
    )
    os.close(slave)
    said = b""
    with suppress(OSError):  # the terminal is closed at the end
        while piece := os.read(master, 1000):
            said += piece
            if said.endswith(b"> "):
                os.write(master, b"p\n" if said.rpartition(b"call?")[2].count(b"play?") == 0 else b"1\n")
    os.close(master)
    assert process.wait() == 0 and b"4 deals in 1 sitting of 4" in said
    verify_run(RunFolder(tmp_path / "run"), 1)


@pytest.mark.parametrize(
    "line",
    [
        "x",
        "[]",
        '{"deal": "1/1/1", "after": Infinity, "answer": "pass"}',
        '{"deal": "1/1/x", "after": 0, "answer": "pass"}',
        '{"deal": "1/1/1", "after": 0, "answer": 7}',
        "[" * 100_000,
    ],
)
def test_a_damaged_file_of_answers(line: str, tmp_path: Path) -> None:
    (tmp_path / "seat.jsonl").write_text(f'{{"deal": "1/1/1", "after": 0, "answer": "pass"}}\n{line}\n')
    with pytest.raises(LogError, match="seat.jsonl, line 2: no answer of a person: "):
        Answers(tmp_path)


def test_a_file_of_answers_that_leads_elsewhere(tmp_path: Path) -> None:
    """Through a third-party folder nobody reads or writes another file, or waits for a pipe."""
    other, own = tmp_path / "other", tmp_path / "seat.jsonl"
    other.write_text("mine\n")
    own.symlink_to(other)
    with pytest.raises(LogError):
        Answers(tmp_path)
    own.unlink()
    answers = Answers(tmp_path)
    own.symlink_to(other)
    answers.add(("1/1/1", 0), "pass")
    assert other.read_text() == "mine\n" and not own.is_symlink() and Answers(tmp_path).known == {("1/1/1", 0): "pass"}
    own.unlink()
    os.mkfifo(own)
    with pytest.raises(LogError):
        Answers(tmp_path)


def test_an_answer_that_is_no_longer_legal_is_asked_for_again(tmp_path: Path) -> None:
    """A forged answer is not played, and those after it are forgotten."""

    def leaves(view: TableView) -> Any:
        raise EOFError

    tournament = new_tournament("nap", [], 4, 7, deals=4)
    assert sit(tournament, RunFolder(tmp_path), Scripted(tmp_path, "nap", leaves)) is None
    lines = [{"deal": "1/1/1", "after": after, "answer": "call nine"} for after in range(4)]
    tmp_path.joinpath("seat.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    person = Scripted(tmp_path, "nap", lambda view: view.legal[0])
    assert plays(tmp_path, "nap", person, deals=4).faults == 0
    first = {after: said for (deal, after), said in person.answers.known.items() if deal == "1/1/1"}
    assert first[min(first)] == "pass" and "call nine" not in person.answers.known.values()
