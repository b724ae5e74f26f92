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

from roundsim.sources import bots
from roundsim.sources.new import LANGUAGES

EXAMPLES = ROOT / "examples" / "bots"
EXCHANGE = [json.loads(line) for line in (Path(__file__).parent / "exchange.jsonl").read_text("utf-8").splitlines()]
LINES = [said["line"] for said in EXCHANGE if said["from"] == "engine"]
HELLO = LINES[0]
LEGAL = [line[4] for line in LINES if isinstance(line, list) and line[0] == "ask"]
HUGE = {"kind": "arrangements", "first": "none", "count": 10**24, "plain": ["none"], "verb": "order", "named": ["As"]}
HANDS = [["As"], ["Kd", "5c"], ["2c", "3c", "4c"]]


class Engine:
    """The other end of a bot's pipes: it writes a line, and an answer must come before the next."""

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
        """Return the next line of the bot, which must come although nothing more is written to it."""
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
        """Return the place that the bot answers with."""
        self.number += 3
        shown = {"hand": hand} if self.hello.get("wants") == ["hand"] else {}
        self.put(["ask", self.number, sitting, "call", legal, shown])
        number, place = self.hear()
        assert number == self.number and type(place) is int
        assert 0 <= place < (len(legal) if isinstance(legal, list) else legal["count"])
        return place

    def answers(self, sitting: int = 5, hash: str = "0f" * 64) -> list[int]:
        """Return the places of its answers in a sitting: to each kind of question, with each of some hands."""
        self.sit(sitting, hash)
        places = [self.ask(sitting, legal, hand) for legal in [*LEGAL, HUGE] for hand in HANDS]
        self.put(["leave", 0, sitting])
        return places

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
def engine_of(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Engine]]:
    """Builds the bot of a language when it is first asked for; starts it; and ends it after the tests."""
    folder, known, started = tmp_path_factory.mktemp("bots"), dict[str, bots.Bot](), list[Engine]()

    def engine(language: str) -> Engine:
        if language not in known:
            known[language] = built(language, folder)
        started.append(Engine(known[language]))
        return started[-1]

    yield engine
    for each in started:
        each.process.kill()
        each.process.wait()


@pytest.fixture(scope="module")
def answers_of(engine_of: Callable[[str], Engine]) -> Callable[[str], list[int]]:
    """Returns the answers of the bot of a language in a sitting; then it must end by itself."""
    known = dict[str, list[int]]()

    def answers(language: str) -> list[int]:
        if language not in known:
            engine = engine_of(language)
            assert engine.hello["roundsim"] == 1 and {*engine.hello} <= {"roundsim", "name", "wants"}
            known[language] = engine.answers()
            engine.end()
        return known[language]

    return answers


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_plays_the_same_whatever_else_it_was_asked(
    language: str, engine_of: Callable[[str], Engine], answers_of: Callable[[str], list[int]]
) -> None:
    """Numbers and sittings are others, and it plays another sitting at the same time; the chance is that of the seat. Each
    place has a third of 300 answers, give or take five standard deviations of eight."""
    alone, engine = answers_of(language), engine_of(language)
    engine.sit(3, "a5" * 64)
    engine.ask(3, ["pass", "call 2"], [])
    assert engine.answers(12) == alone
    engine.ask(3, ["pass", "call 2"], [])
    if language == "shell":
        assert {*alone} == {0}
        return
    if language in ("go", "python"):
        assert engine.answers(6, "a5" * 64) != alone
    engine.sit(5)
    legal = ["pass", "call 3", "call nap"]
    places = Counter(engine.ask(5, legal, [f"{n}", *HANDS[n % 3]]) for n in range(300))
    assert all(60 <= places[place] <= 140 for place in range(3)), places


def test_each_is_short_and_c_and_javascript_answer_alike(answers_of: Callable[[str], list[int]]) -> None:
    table = (EXAMPLES / "README.md").read_text().splitlines()
    for known in LANGUAGES.values():
        text = (EXAMPLES / known.folder / known.program).read_text("utf-8")
        assert len(text.splitlines()) <= 40 and max(map(len, text.expandtabs(4).splitlines())) <= 120
        assert known.build in next(line for line in table if f"`{known.folder}/`" in line)
    folders = {path.parent.name for path in EXAMPLES.glob("*/bot.toml")}
    assert folders == {known.folder for known in LANGUAGES.values()}
    assert answers_of("c") == answers_of("javascript")
