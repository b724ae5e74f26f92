"""Guests play the same bytes as strategies in a worker do: a run sealed off against the same that is not."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from random import Random

import pytest
from helpers.command import BAD, TESTS, contents, drawn, roundsim, seldom_with
from helpers.run_files import standings_of
from helpers.shard_text import text_of

from roundsim import games
from roundsim.testing.tables import as_many_as_go, some_options, usual_table

pytestmark = pytest.mark.usefixtures("guests_alone")

ALL = {
    "mine.py": '''
"""Each way to be asked: a class with all its methods, one that imagines, a function."""

import random

games = ["*"]


class Full:
    def __init__(self, bias: int = 0) -> None:
        self.count = random.randrange(10) + bias

    def begin(self, view):
        self.count += len(str(view)) + len(view.options)

    def act(self, view):
        self.count += 1
        return view.legal[(self.count + random.randrange(5)) % min(len(view.legal), 50)]

    def settled(self, view, net):
        self.count += net

    def __del__(self):
        self.count = 0


class Imagines:
    imagines = True

    def act(self, view):
        deal = view.imagine()
        if deal is None:
            return view.legal[0]
        seen = sum(map(ord, str(deal.view)))
        net = deal.play(lambda other: other.legal[-1])
        return view.legal[(seen + net[view.seat]) % min(len(view.legal), 50)]


class Reads:
    """All that its view shows, and how it reads."""

    def act(self, view):
        shown = [name for name in dir(view) if name[0] != "_" and name not in ("imagine", "chance")]
        read = "".join(f"{name} {type(value)} {value!r}" for name in shown if not callable(value := getattr(view, name)))
        return view.legal[sum(map(ord, read + str(view))) % min(len(view.legal), 50)]


def act(view):
    return view.chance.choice(view.legal)
''',
    "packed/__init__.py": '''
"""A package with a module of its own, and data."""

from pathlib import Path

from .ways import first

games = ["*"]
files = ["weights"]
WEIGHT = int((Path(__file__).parent / "weights" / "one.txt").read_text())


class Packed:
    def act(self, view):
        return first(view, WEIGHT)
''',
    "packed/ways.py": "def first(view, weight):\n    return view.legal[weight % len(view.legal)]\n",
    "packed/weights/one.txt": "5\n",
}
EVERY_WAY = "mine.py:Full", "mine.py:Full(bias=3)", "mine.py:Imagines", "mine.py:Reads", "mine.py", "./packed"
GAMES = games.names()


@pytest.fixture
def room(tmp_path: Path) -> Path:
    for name, text in ALL.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.lstrip("\n"))
    for strategies in BAD, TESTS / "strategies" / "habits.py", TESTS / "strategies" / "rogue.py":
        shutil.copy(strategies, tmp_path)
    return tmp_path


def texts_of(folder: Path) -> dict[str, str]:
    """Return all files of a run as text, without the limits, which say how guests play."""
    texts = {}
    for name, data in contents(folder).items():
        if name == "standings.json":
            standings = json.loads(data)
            assert standings["limits"].pop("isolate", "off") in ("on", "off")
            texts[name] = json.dumps(standings, indent=1)
        elif name != "run.toml":
            texts[name] = text_of(folder / name) if name.endswith(".zst") else data.decode()
    return texts


def assert_alike(one: Path, other: Path) -> None:
    """By line where they differ."""
    ours, theirs = texts_of(one), texts_of(other)
    assert sorted(ours) == sorted(theirs) and any(name.startswith("log/") for name in ours)
    for name in sorted(ours):
        assert ours[name].splitlines() == theirs[name].splitlines(), name


def both(room: Path, *words: object, code: int = 0, isolate: str = "on", jobs: int = 1) -> Path:
    """The same command with guests and without; the folder of the first."""
    folders = [room / f"run-{how}" for how in (isolate, "off")]
    for how, out in zip((isolate, "off"), folders, strict=True):
        roundsim(*words, "--isolate", how, "--jobs", jobs, "--out", out, cwd=room, code=code)
    guests = [json.loads((out / "timing.json").read_text()).get("guests", "not isolated") for out in folders]
    assert guests[0].startswith("isolated") and guests[1] == "not isolated"
    assert_alike(*folders)
    return folders[0]


@pytest.mark.soak
def test_every_game(room: Path) -> None:
    """Two at a table, or as few as the game is for."""
    both(room, "play", ",".join(GAMES), "random", "mine.py:Full", "--deals", 2, jobs=2)


@pytest.mark.soak
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("strategies", [("book", "random"), EVERY_WAY], ids=["house", "every way"])
def test_a_game(room: Path, game: str, strategies: tuple[str, ...]) -> None:
    """At more tables than go in step, for a shard is longer; where one imagines deals, at fewer, as its shards are."""
    every = strategies == EVERY_WAY
    deals = 60 if every and game == "speculation" else 300  # its deals imagined have hundreds of questions
    both(room, "play", game, *strategies, "--deals", drawn(deals // 3 if every else deals, deals))


FORM = """
[[games]]
name = "{name}"
game = "{game}"
players = {players}
deals = 4
options = {options}
"""


@pytest.mark.soak
@pytest.mark.parametrize("game", ["ambigu", "loto", "nap", "snip-snap-snorum"])  # 25 would take half an hour
def test_forms_of_a_game(room: Path, game: str) -> None:
    """Tables with any options: numbers, words and flags, and lists in what follows from them."""
    found, chance = games.find(game), Random(f"{game} 0")
    text = '[tournament]\nstrategies = ["book", "mine.py:Reads", "mine.py:Full"]\n'
    for number in range(4):
        wanted = some_options(found, chance, chance.randint(0, len(found.options)))
        table = as_many_as_go(found, chance.randint(*found.seats), wanted) or usual_table(found)
        given = "{ " + ", ".join(f"{key} = {json.dumps(value)}" for key, value in table.given.items()) + " }"
        text += FORM.format(name=f"form {number}", game=game, players=table.players, options=given)
    (room / "same.toml").write_text(text)
    both(room, "run", "same.toml")


@pytest.mark.soak
def test_every_way_to_be_asked(room: Path) -> None:
    """A class with all its methods and a parameter, one that imagines, a function, a package with files; one that draws
    from the module `random`; one who is entered twice.  More blocks in a shard than tables go in step."""
    both(room, "play", "nap", *EVERY_WAY, "mine.py:Full", "habits.py:Shared", "--seats", 3, "--deals", 216)


FORMATS = {
    "freeze-out": ("draw-poker", "--times", 4, "--option", "stakes=table"),
    "progressive": ("brag", "--times", 2),
    "knock-out": ("nap", "--seats", 3, "--deals", 90),
    "round-robin": ("loo", "--seats", 3, "--sitting", 5, "--deals", 90),
}


@pytest.mark.soak
@pytest.mark.parametrize("format", FORMATS)
def test_a_format(room: Path, format: str) -> None:
    """With more players than sit at a table, on two processes; players go from table to table, and from seat to seat."""
    game, *words = FORMATS[format]
    times = drawn(5, 20)
    longer = [times * each if isinstance(each, int) and each > 9 else each for each in words]
    both(room, "play", game, *EVERY_WAY, "mine.py:Full", "book", "random", "--as", format, *longer, jobs=2)


@pytest.mark.parametrize(("jobs", "deals"), [(1, 48), *seldom_with((2, 1100), (1, 1100))])
def test_one_third_party_strategy_among_the_house(room: Path, jobs: int, deals: int) -> None:
    """It alone is asked in a separate process; in shards of usual length."""
    both(room, "play", "nap", "mine.py:Full", "book", "random", "--deals", deals, isolate="auto", jobs=jobs)


BANK = """
[tournament]
strategies = ["book", "random", "mine.py:Full"]
[limits]
bank = 30
[[games]]
game = "nap"
deals = 36
"""


@pytest.mark.soak
def test_a_bank_that_lasts(room: Path) -> None:
    (room / "same.toml").write_text(BANK)
    both(room, "run", "same.toml")


FAULTY = """
[tournament]
strategies = {strategies}
[limits]
seconds = 1.0
memory = 600
on_fault = "{on_fault}"
[[games]]
game = "nap"
players = {players}
sitting = 2
deals = {deals}
"""


def faulty(room: Path, *strategies: str, deals: int, players: int = 3, on_fault: str = "forfeit") -> list[str]:
    """Return the words of a tournament of such strategies."""
    settings = {"deals": deals, "players": players, "on_fault": on_fault, "strategies": json.dumps(strategies)}
    (room / "same.toml").write_text(FAULTY.format(**settings))
    return ["run", "same.toml"]


def bad(*names: str) -> list[str]:
    return [f"bad.py:{name}" for name in names]


REPORTED = [
    *("Crash", "Nonsense", "Endless", "Quit", "Interrupt", "Constructor", "Begin", "Settled", "Mock", "Shy"),
    *("Anonymous", "Mumble", "Addresses", "Lone", "Sometimes(often=0.2)"),
]
MEEK = ["Print", "Mutate", "Wander", "First", "Heavy"]


@pytest.mark.soak
@pytest.mark.usefixtures("processes")
def test_reported_faults(room: Path) -> None:
    """Each kind at one table with the others: the same words, places and views, and the others lose nothing."""
    out = both(room, *faulty(room, *bad(*REPORTED, *MEEK), "random", deals=20 * 9), code=2)
    faults = [json.loads(line) for line in (out / "faults.jsonl").read_text().splitlines()]
    assert {fault["kind"] for fault in faults} == {"exception", "illegal"}
    names = {fault["strategy"].partition("(")[0] for fault in faults}
    assert names == {name.partition("(")[0] for name in REPORTED}


@pytest.mark.soak
@pytest.mark.parametrize("name", ["Killed(often=0.2)", "Segfault(often=0.2)", "Exits", "Memory"])
def test_a_strategy_that_dies_or_fills_its_memory(room: Path, name: str) -> None:
    """The same bytes, also of those that sit with it, before and after it is barred."""
    both(room, *faulty(room, *bad(name), "mine.py:Full", "random", deals=36), code=2)


@pytest.mark.soak
@pytest.mark.parametrize("how", ["exception", "illegal", "memory", "dead"])
@pytest.mark.parametrize("where", ["settled", "__del__", "constructor", "begin", "act"])
def test_faults_anywhere(room: Path, where: str, how: str) -> None:
    """A strategy that fails now and then in each place, by chance that it draws for itself."""
    often, deals = 0.1, 90
    if where == "__del__":  # its draws when it is cleared away are nobody's chance
        often = 1
    if (where, how) == ("__del__", "dead"):  # each sitting ends in a death, and too many of them leave it out
        deals = 24
    rogue = f"rogue.py:Plain(where='{where}', how='{how}', often={often})"
    both(room, *faulty(room, rogue, "mine.py:Full", "random", deals=deals), code=2)


@pytest.mark.soak
@pytest.mark.parametrize("where", ["settled", "constructor", "begin", "act"])
def test_a_strategy_that_is_barred_in_the_middle_of_a_shard(room: Path, where: str) -> None:
    """After three faults of memory; its draws before are the same."""
    rogue = f"rogue.py:Plain(where='{where}', how='memory', often=0.1)"
    out = both(room, *faulty(room, rogue, "mine.py:Full", "random", deals=180), code=2)
    log = "".join(text_of(file) for file in (out / "log").rglob("*.zst"))
    assert log.count(" memory\n") + log.count("!memory ") == 3 and "!barred " in log


@pytest.mark.soak
def test_a_fault_ends_the_run(room: Path) -> None:
    """In words that are the same, too."""
    words = faulty(room, *bad("Sometimes(often=0.05)"), "random", "book", deals=900, on_fault="abort")
    said = list[str]()
    for how in "on", "off":
        done = roundsim(*words, "--isolate", how, "--jobs", 1, "--out", how, cwd=room, code=2)
        said.append(done.stderr.replace(f"{how}:", "run:").replace(f"{how}/", "run/"))
    assert said[0] == said[1] and "LookupError: now and then" in said[0]


@pytest.mark.soak
def test_a_strategy_that_hoards_is_named_only_as_a_guest(room: Path) -> None:
    """A guest has its own memory, and is named. In a worker all share one memory: the run ends in words that say how to
    find the strategy."""
    words = faulty(room, *bad("Hoard"), "random", deals=240, players=2)
    done = roundsim(*words, "--isolate", "off", "--jobs", 1, "--out", "off", cwd=room, code=66)
    assert " sat Hoard, random. With a sandbox, --isolate on " in done.stderr
    roundsim(*words, "--isolate", "on", "--jobs", 1, "--out", "on", cwd=room, code=2)
    (game,) = standings_of(room / "on")["games"]
    faults = {row["strategy"]: row["faults"] for row in game["rows"]}
    assert list(faults["Hoard"]) == ["memory"] and faults["random"] == {}
