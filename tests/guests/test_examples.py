"""The bots of examples/bots against a small engine: they answer legally, at once, and the same to the same questions."""

from __future__ import annotations

import json
import select
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from helpers.command import PATIENCE, ROOT

from roundsim.contract import bots
from roundsim.contract.new import LANGUAGES

EXAMPLES = ROOT / "examples" / "bots"
EXCHANGE = [json.loads(line) for line in (Path(__file__).parent / "exchange.jsonl").read_text("utf-8").splitlines()]
LINES = [said["line"] for said in EXCHANGE if said["from"] == "engine"]
HELLO = LINES[0]
LEGAL = [line[4] for line in LINES if isinstance(line, list) and line[0] == "ask"]
HUGE = {"kind": "arrangements", "first": "none", "count": 10**24, "plain": ["none"], "verb": "order", "named": ["As"]}
HANDS = [["As"], ["Kd", "5c"], ["2c", "3c", "4c"]]


class Engine:
    """What a bot has at the other end of its pipes: a line is written, and an answer must come before the next."""

    def __init__(self, bot: bots.Bot) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(bot.command, cwd=bot.path, stdin=pipe, stdout=pipe, bufsize=0)
        self.number = 0
        self.put(HELLO)
        self.hello = self.hear()

    def put(self, line: Any) -> None:
        assert self.process.stdin
        self.process.stdin.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")

    def hear(self) -> Any:
        """The next line of the bot, which must come although nothing more is written to it."""
        out, line = self.process.stdout, b""
        assert out
        while not line.endswith(b"\n"):
            assert select.select([out], [], [], PATIENCE)[0], "nothing was said, or not flushed"
            came = out.read(1 << 16)
            assert came, f"it has ended after {line!r}"
            line += came
        assert line.count(b"\n") == 1, line
        return json.loads(line)

    def sit(self, sitting: int, hash: str = "0f" * 64) -> None:
        self.put(["sit", 0, sitting, 1, "9e1c0f5ab2347d68", hash, None])

    def ask(self, sitting: int, legal: Any, hand: list[str]) -> int:
        """The place that the bot answers with."""
        self.number += 3
        shown = {"hand": hand} if self.hello.get("wants") == ["hand"] else {}
        self.put(["ask", self.number, sitting, "call", legal, shown])
        number, place = self.hear()
        assert number == self.number and type(place) is int
        assert 0 <= place < (len(legal) if isinstance(legal, list) else legal["count"])
        return place

    def end(self) -> None:
        """Without any more input it ends by itself."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.close()
        assert self.process.wait(PATIENCE) == 0 and not self.process.stdout.read()


def built(language: str, folder: Path) -> bots.Bot:
    """A bot of the examples in a folder of its own; a skip where its language is not here."""
    known = LANGUAGES[language]
    about = (EXAMPLES / known.folder / bots.FILE).read_text("utf-8")
    command = next(line.split('"')[1] for line in about.splitlines() if line.startswith("command"))
    program = (known.build or command).split()[0]
    if not shutil.which(program):
        pytest.skip(f"no {program} on this machine")
    ours = folder / known.folder
    ours.mkdir()
    for name in known.program, bots.FILE:
        shutil.copyfile(EXAMPLES / known.folder / name, ours / name)
    if known.build:
        subprocess.run(known.build.split(), cwd=ours, check=True)
    return bots.read_bot_file(ours / bots.FILE)


@pytest.fixture(scope="module")
def bot_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], bots.Bot]:
    """The bot of a language, built when it is first asked for."""
    folder, known = tmp_path_factory.mktemp("bots"), dict[str, bots.Bot]()

    def bot(language: str) -> bots.Bot:
        if language not in known:
            known[language] = built(language, folder)
        return known[language]

    return bot


@pytest.fixture
def engine_of(bot_of: Callable[[str], bots.Bot]) -> Iterator[Callable[[str], Engine]]:
    """Begins a bot, and ends what is left of it."""
    begun = list[Engine]()

    def engine(language: str) -> Engine:
        begun.append(Engine(bot_of(language)))
        return begun[-1]

    yield engine
    for each in begun:
        each.process.kill()
        each.process.wait()


def played(engine: Engine, sitting: int = 5, hash: str = "0f" * 64) -> list[int]:
    """The places of its answers in a sitting: to each kind of question, with each of some hands."""
    engine.sit(sitting, hash)
    places = [engine.ask(sitting, legal, hand) for legal in [*LEGAL, HUGE] for hand in HANDS]
    engine.put(["leave", 0, sitting])
    return places


EVERY = pytest.mark.parametrize("language", LANGUAGES)


@EVERY
def test_it_answers_every_kind_of_question_and_ends_with_its_input(
    language: str, engine_of: Callable[[str], Engine]
) -> None:
    engine = engine_of(language)
    assert engine.hello["roundsim"] == 1 and {*engine.hello} <= {"roundsim", "name", "wants"}
    played(engine)
    engine.end()


@EVERY
def test_it_plays_the_same_whatever_else_it_was_asked(language: str, engine_of: Callable[[str], Engine]) -> None:
    """Numbers and sittings are others, and another sitting goes on beside it."""
    alone, beside = engine_of(language), engine_of(language)
    beside.sit(3, "a5" * 64)
    beside.ask(3, ["pass", "call 2"], [])
    assert played(alone) == played(beside, 12)
    beside.ask(3, ["pass", "call 2"], [])


@pytest.mark.parametrize("language", ["go", "python"])
def test_its_chance_is_that_of_its_seat(language: str, engine_of: Callable[[str], Engine]) -> None:
    engine = engine_of(language)
    assert played(engine, 5) != played(engine, 6, "a5" * 64)


def test_c_and_javascript_answer_alike(engine_of: Callable[[str], Engine]) -> None:
    assert played(engine_of("c")) == played(engine_of("javascript"))


def test_the_shell_takes_the_first(engine_of: Callable[[str], Engine]) -> None:
    assert {*played(engine_of("shell"))} == {0}


@pytest.mark.parametrize("language", ["c", "javascript", "go", "python"])
def test_no_answer_is_much_likelier_than_another(language: str, engine_of: Callable[[str], Engine]) -> None:
    """Of 300 questions a third each, give or take five standard deviations of eight."""
    engine = engine_of(language)
    engine.sit(5)
    legal = ["pass", "call 3", "call nap"]
    places = Counter(engine.ask(5, legal, [f"{n}", *HANDS[n % 3]]) for n in range(300))
    assert all(60 <= places[place] <= 140 for place in range(3)), places


@EVERY
def test_it_is_short_and_named_in_the_table(language: str) -> None:
    known = LANGUAGES[language]
    text = (EXAMPLES / known.folder / known.program).read_text("utf-8")
    assert len(text.splitlines()) <= 40 and max(map(len, text.expandtabs(4).splitlines())) <= 120
    row = next(line for line in (EXAMPLES / "README.md").read_text().splitlines() if f"`{known.folder}/`" in line)
    assert known.build in row


def test_every_example_is_one_that_can_be_begun_with() -> None:
    folders = {path.parent.name for path in EXAMPLES.glob("*/bot.toml")}
    assert folders == {known.folder for known in LANGUAGES.values()}
