"""Practice: an answer that was taken back makes a deal that does not count, and whoever reads the run sees it."""

from __future__ import annotations

import json
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from conftest import Write
from helpers.command import command, environment, in_a_process, roundsim, seldom_with, wait_for
from helpers.seat import Scripted, book_of, logs_of, sits
from helpers.shard_text import text_of, write_text

from roundsim import games
from roundsim.base.errors import DisagreesError
from roundsim.coaching.estimate import Mean
from roundsim.coaching.mistakes import Mistake
from roundsim.replaying.verify import verify_run
from roundsim.seat.answers import Answers
from roundsim.seat.history import History, PlayedSitting, history_in_format
from roundsim.seat.sit import new_tournament, sit
from roundsim.tournament.storage.folder import RunFolder

ONE_UNDONE = "p\nundo\np\n1\n\np\n"  # in the first deal of seed 1891, then a call in the one that is dealt in its place
PRACTISED = "~ nap/1/1/1 3 -2 6 -2 -2 | pass, call 2, pass, pass, play 5c, "
MANY = "".join(f"{each}\n" for each in [*"p1"] * 100)


@pytest.fixture
def undone(tmp_path: Path) -> Path:
    """The folder of `run`, whose first deal was practised once."""
    sits(tmp_path, "nap", "expert", "--seed", 1891, "--deals", 4, "--out", "run", typed=ONE_UNDONE + MANY)
    return tmp_path


def test_a_deal_with_an_answer_taken_back_does_not_count(undone: Path) -> None:
    """It is in the log, and next to it the deal that was dealt in its place, with other cards."""
    log = roundsim("log", "run", cwd=undone).stdout.splitlines()
    assert log[1].startswith(PRACTISED) and log[2].startswith("nap/1/1/1 3 ")
    assert log[1].split(" | ")[1] != log[2].split(" | ")[1] and len(log) == 6
    assert "1 practised deal is left out" in roundsim("standings", "run", cwd=undone).stderr
    deals = roundsim("deals", "run", "--who", "you", cwd=undone).stdout
    assert deals.count("dealt again after 1 practised deal, not counted") == 1
    replay = roundsim("replay", "run:nap/1/1/1", cwd=undone).stdout
    assert replay.startswith("practised, does not count: nets -2 6 -2 -2 | pass, call 2, ")
    assert "4 deals verified" in roundsim("verify", "run", cwd=undone).stdout
    roundsim("report", "run", cwd=undone)
    roundsim("verify", "run", cwd=undone)


def test_the_words_of_practice(tmp_path: Path) -> None:
    said = sits(tmp_path, "nap", "expert", "--seed", 1891, typed="undo\np\nundo\np\n2\nb\n\nq\n").stdout
    assert "    you have not answered in this deal\n" in said
    assert said.count("deal 1 · book#2 deals · practice, which does not count\n") == 2  # the second time the book plays
    assert "    book for you  passes\n" in said and "net      book for you -2 · expert +6" in said
    assert said.count("    score ") == 0  # the deal that counts was not played
    assert said.rstrip().splitlines()[-4].startswith("call?")


FORGERIES: dict[str, Callable[[str], str]] = {
    "removed": lambda line: "",
    "doubled": lambda line: line * 2,
    "with another answer": lambda line: line.replace("| pass,", "| call 2,"),
    "with other nets": lambda line: line.replace("-2 6 -2 -2", "6 -2 -2 -2"),
    "with an action less": lambda line: line.rpartition(", ")[0] + "\n",
    "of another deal": lambda line: line.replace("~ 1/1/1", "~ 1/1/2"),
    "as one that counts": lambda line: line.removeprefix("~ "),
    "at fault": lambda line: line.replace("| pass,", "| !late pass,"),
}


@pytest.mark.parametrize("how", FORGERIES)
def test_a_forged_mark_is_refused(how: str, undone: Path) -> None:
    (shard,) = (undone / "run/log").rglob("*.zst")
    text = text_of(shard)
    line = next(line for line in text.splitlines(keepends=True) if line.startswith("~ "))
    forged = text.replace(line, FORGERIES[how](line))
    assert forged != text
    write_text(shard, forged)
    with pytest.raises(DisagreesError):
        verify_run(RunFolder(undone / "run"), 1)


def test_a_mark_at_the_end_of_a_sitting_is_refused(undone: Path) -> None:
    """There is no deal in whose place it was played."""
    (shard,) = (undone / "run/log").rglob("*.zst")
    *lines, head = text_of(shard).splitlines(keepends=True)
    write_text(shard, "".join([*lines, next(line for line in lines if line.startswith("~ ")), head]))
    with pytest.raises(DisagreesError):
        verify_run(RunFolder(undone / "run"), 1)


def test_only_a_person_practises(tmp_path: Path, write: Write) -> None:
    """Else whoever plays a run could deal until they like the cards."""
    text = '[tournament]\nformat = "sittings"\nseed = 7\nstrategies = ["you=book", "book"]\n'
    write("nap.toml", f'{text}[[games]]\ngame = "nap"\nplayers = 2\ndeals = 2\n')
    roundsim("run", "nap.toml", "--jobs", 1, "--out", "run", cwd=tmp_path)
    (shard,) = (tmp_path / "run/log").rglob("*.zst")
    seats, deal, *rest = text_of(shard).splitlines(keepends=True)
    write_text(shard, "".join([seats, f"~ {deal}", deal, *rest]))
    with pytest.raises(DisagreesError, match="nobody has practised here: no person sits alone at this table"):
        verify_run(RunFolder(tmp_path / "run"), 1)


class Practises(Scripted):
    """A person who does some of these things at the end of deals, one each time."""

    def __init__(self, folder: Path, game: str, after_deals: Sequence[str]) -> None:
        super().__init__(folder, game, book_of(game))
        self.after_deals = iter(after_deals)
        self.read = lambda prompt: next(self.after_deals, "")


EVENING = "nap", {"format": "progressive", "times": 1}
OTHER_FORMS = ("loo", {"deals": 8}), ("bouillotte", {"format": "freeze-out", "times": 1}), EVENING
FORMS: list[tuple[str, dict[str, Any]]] = [("nap", {"deals": 4}), *seldom_with(*OTHER_FORMS)]


@pytest.mark.parametrize(("game", "keys"), FORMS)
def test_practice_after_a_deal_leaves_the_run_as_it_is(game: str, keys: dict[str, Any], tmp_path: Path) -> None:
    """The first course of a deal counts, whatever is tried after it; a sitting goes on from it."""
    logs = []
    for words in [], ["again", "undo", "", "mistakes", "again", ""]:
        folder = tmp_path / str(len(words))
        person = Practises(folder, game, words)
        assert sit(new_tournament(game, [], games.find(game).usual[0], 7, **keys), RunFolder(folder), person)
        logs.append(logs_of(folder))
        assert any("practice, which does not count" in line for line in person.lines) == bool(words)
        assert not next(person.after_deals, "") and not person.answers.counted
    assert logs[0] == logs[1] != []
    verify_run(RunFolder(folder), 1)


@pytest.mark.parametrize(("game", "keys"), FORMS)
def test_practice_within_a_deal_leaves_no_trace_in_what_counts(game: str, keys: dict[str, Any], tmp_path: Path) -> None:
    """The pools, stacks and dealers of the deal that counts are those of before."""

    class Undoes(Practises):
        left = 2

        def asked(self, view: Any) -> Any:
            if self.left and self.answers.of(self.place):
                self.left -= 1
                self.take_back("again" if self.left else "undo", over=False)
            return super().asked(view)

    tournament = new_tournament(game, [], games.find(game).usual[0], 7, **keys)
    person = Undoes(tmp_path, game, [])
    assert sit(tournament, RunFolder(tmp_path), person) and not person.left
    assert sum(map(len, person.answers.practised.values())) == 1
    verify_run(RunFolder(tmp_path), 1)


@pytest.mark.soak
@pytest.mark.parametrize("before", ["p\nundo\n", "p\nundo\np\n", "p\n1\na\n", "p\n1\nu\n"])
def test_killed_in_the_middle_of_an_undone_deal(before: str, tmp_path: Path) -> None:
    """The same command goes on in it, and the run is that of a person who was never stopped."""
    words: list[object] = ["nap", "expert", "--seed", 1891, "--deals", 4, "--out"]
    sits(tmp_path, *words, "whole", typed=before + "".join(f"{each}\n" for each in ["p", "1", "", *MANY.split()]))
    kept = tmp_path / "killed/seat.jsonl"
    pipe = subprocess.PIPE
    given: dict[str, Any] = {"cwd": tmp_path, "env": environment(), "stdin": pipe, "stdout": pipe, "stderr": pipe}
    process = subprocess.Popen(command("sit", *words, "killed"), **given)
    assert process.stdin
    process.stdin.write(before.encode())
    process.stdin.flush()
    assert wait_for(partial(is_in_practice, kept, before.count("p\n")))
    process.send_signal(signal.SIGKILL)
    process.communicate()
    rest = ["1", ""] if before.endswith("p\n") or before.endswith("u\n") else ["p", "1", ""]
    said = sits(tmp_path, "killed", typed="".join(f"{each}\n" for each in [*rest, *MANY.split()])).stdout
    assert "practice, which does not count" in said
    in_a_process("verify", "killed", cwd=tmp_path)
    whole, killed = (roundsim("log", name, cwd=tmp_path).stdout for name in ("whole", "killed"))
    assert whole == killed


def is_in_practice(kept: Path, calls: int) -> bool:
    """Whether a deal is practised, and as far as the person has typed."""
    if not kept.exists():
        return False
    answers = Answers(kept.parent)
    return answers.practises("1/1/1") and (calls < 2 or bool(answers.of("1/1/1")))


@pytest.mark.parametrize(
    "line",
    [
        '{"deal": "1/1/1", "practised": "~ 1/1/1 3 -2 6 -2 -2 | pass"}',
        '{"deal": "1/1/1", "practised": "~ 1/1/1 nothing"}',
        '{"deal": "1/1/1", "practised": "1/1/1 3 0 0 0 0 | pass"}',
        '{"deal": "1/1/1", "taken_back": 1}',
    ],
)
def test_a_forged_file_of_answers(line: str, tmp_path: Path) -> None:
    """Its lines of practice are checked before cards are dealt that depend on them."""
    sits(tmp_path, "nap", "--seed", 1891, "--out", "run", typed="")
    (tmp_path / "run/seat.jsonl").write_text(f"{line}\n")
    assert "run/seat.jsonl" in sits(tmp_path, "run", typed=MANY, code=65).stderr


def test_the_costliest_answer(tmp_path: Path) -> None:
    """Nap with Qs 7h 4h 9d 6c loses 15 in any imagined deal, a call of one about 0.5. One goes there, and calls otherwise."""
    said = sits(tmp_path, "nap", "expert", "--seed", 1891, typed="call nap\n7h\nm\nt\np\n7h\n\nq\n").stdout
    (line,) = (line for line in said.splitlines() if "costliest answer:" in line)
    start, _, figures = line.partition(", +")
    assert start == "    your costliest answer: call nap; expert calls one"
    cost, _, rest = figures.partition(" ± ")
    error, _, page = rest.partition(" ")
    assert 13 < float(cost) < 16 and float(error) < 1.5 and page.startswith("(p")
    assert said.count("practice, which does not count") == 1 and "deal 2" in said


@pytest.mark.parametrize(
    ("cost", "text"),
    [
        (Mean(192, 3.14, 0.8), "pass; book calls two, +3.1 ± 0.8 (p. 9)"),
        (Mean(192, 0.3, 0.4), "pass; book calls two, +0.3 ± 0.4, not distinguished (p. 9)"),
        (Mean(192, -0.8, 0.5), "pass; book calls two, -0.8 ± 0.5, so yours is better (p. 9)"),
        (None, "not known: too few of 7 imagined deals fit: pass; book calls two (p. 9)"),
    ],
)
def test_the_words_for_what_an_answer_costs(cost: Mean | None, text: str) -> None:
    assert str(Mistake(3, "book", ("passes", "calls two"), cost, 7, "p. 9")) == text


def test_no_answer_that_the_coach_would_not_give(tmp_path: Path) -> None:
    """The book is the coach where there is no expert; it says what the person has said, who plays by it."""
    person = Practises(tmp_path, "nap", ["mistakes"])
    del person.hint.advisers["expert"]
    assert sit(new_tournament("nap", [], 4, 7, deals=1), RunFolder(tmp_path), person)
    assert any("the coach would have answered as you did" in line for line in person.lines)


def rows(nets: Iterator[int] | Sequence[int]) -> list[PlayedSitting]:
    return [PlayedSitting("Nap", 2, net, 0, {"book"}) for net in nets]


@pytest.mark.parametrize(
    ("nets", "figures"),
    [
        ([0, 4] * 4, ["8", "16", "+1.000", "-", "-", "-", "0"]),  # too few
        ([0, 4] * 5, ["10", "20", "+1.000", "0.754", "-", "-", "0"]),  # 2.262 * sqrt(10 / 9 / 10)
        ([0, 4] * 5 + [2, 6] * 5, ["20", "40", "+1.500", "0.537", "+1.000", "1.066", "0"]),  # 0.754 * sqrt(2)
    ],
)
def test_a_tally_with_intervals(nets: list[int], figures: list[str]) -> None:
    """A deal is worth half the net of its sitting of two, which is 0 or 2, then 1 or 3."""
    _, all_of_them, against_book = history_in_format(History(rows(nets), []), "table").splitlines()
    assert all_of_them.split() == ["Nap", "all", *figures] and against_book.split() == ["book", *figures]


def test_a_history(undone: Path) -> None:
    """All runs of a folder, without what was practised; one that is damaged is named."""
    sits(undone, "nap", "--seed", 3, "--deals", 4, "--out", "more/nap-1", typed=MANY)
    (undone / "run").rename(undone / "more/nap-2")
    (undone / "more/nap-3").mkdir()
    (undone / "more/nap-3/run.toml").write_text("x")
    done = roundsim("sit", "--history", "more", cwd=undone)
    head, every, book, expert = (line.split() for line in done.stdout.splitlines())
    assert head[:5] == ["game", "against", "sittings", "deals", "net/deal"]
    nets = [int(line.split()[2 + seat]) for line, seat in counted(undone / "more")]
    assert every[:5] == ["Nap", "all", "2", "8", f"{sum(nets) / 8:+.3f}"] and every[-1] == "1"
    assert book[:3] == ["book", "2", "8"] and expert[:3] == ["expert", "1", "4"] and expert[-1] == "1"
    assert "left out: " in done.stderr and "nap-3/run.toml" in done.stderr
    data = json.loads(roundsim("sit", "--history", "more", "--format", "json", cwd=undone).stdout)
    assert [(row["game"], row["against"]) for row in data] == [("Nap", None), ("Nap", "book"), ("Nap", "expert")]
    assert data[0]["net_per_deal"] == sum(nets) / 8 and (data[0]["deals"], data[0]["practised"]) == (8, 1)
    assert (data[0]["error"], data[0]["trend"], data[0]["trend_error"]) == (None, None, None)


def counted(folder: Path) -> Iterator[tuple[str, int]]:
    """The lines of the deals that count, and the seat of the person."""
    for run in "nap-1", "nap-2":
        seat = 0
        for line in roundsim("log", run, cwd=folder).stdout.splitlines():
            if line.startswith("= "):
                seat = line.split(" ", 2)[2].split(" | ").index("you")
            elif not line.startswith("~ "):
                yield line, seat


@pytest.mark.parametrize(
    ("words", "message", "code"),
    [
        (["--history", "nosuch"], "nosuch: No such file or directory: roundsim sit GAME keeps what you play", 65),
        (["--history", "."], "no sitting of yours is finished in it", 65),
        (["--history", "sit", "book"], "--history takes a folder of runs, and nothing else", 64),
        (["--history", "--page"], "--history takes a folder of runs, and nothing else", 64),
        (["nap", "--format", "json"], "--format is for --history", 64),
    ],
)
def test_a_history_that_cannot_be(words: Sequence[object], message: str, code: int, tmp_path: Path) -> None:
    assert message in roundsim("sit", *words, cwd=tmp_path, code=code).stderr
