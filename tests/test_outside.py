"""A game from outside, by the front door: Linger Longer of `tests/outside/`, installed as a package, and by its path."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from pathlib import Path

import pytest
from conftest import Write
from helpers.command import (
    PATIENCE,
    ROOT,
    TESTS,
    assert_same,
    command,
    environment,
    in_a_process,
    roundsim,
    seldom_with,
)

from roundsim import games
from roundsim.base import importing
from roundsim.base.errors import DeclarationError
from roundsim.testing import PROPERTIES

LINGER = TESTS / "outside" / "linger_longer"
GAME = (LINGER / "linger_longer.py").read_text("utf-8")
NOISE = shutil.ignore_patterns("__pycache__", "build", "*.egg-info", ".*", "runs")
BOTH = """
    [tournament]
    format = "round-robin"
    strategies = ["book", "random", "random"]
    [[games]]
    game = "nap"
    deals = 9
    [[games]]
    game = "linger-longer"
    deals = 18
    options = { cards = 5 }
    """


class Room:
    """An environment of Python, and a folder in which to call it."""

    def __init__(self, home: Path, folder: Path) -> None:
        self.python, self.folder = home / "bin" / "python", folder
        folder.mkdir()

    def call(self, *words: object, code: int = 0) -> str:
        env = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
        line = [str(self.python), *map(str, words)]
        done = subprocess.run(line, cwd=self.folder, env=env, capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == code, (words, done)
        return done.stdout + done.stderr

    def roundsim(self, *words: object, code: int = 0) -> str:
        return self.call("-m", "roundsim", *words, code=code)

    def write(self, name: str, text: str) -> None:
        (self.folder / name).write_text("\n".join(line.removeprefix("    ") for line in text.splitlines()), "utf-8")


@pytest.fixture(scope="session")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(shutil.copytree(LINGER, tmp_path_factory.mktemp("author") / "linger_longer", ignore=NOISE))


def install(package: Path, site: Path) -> None:
    """Lay a package out as an installer does; the long test has it done by pip, which needs a network."""
    said = tomllib.loads((package / "pyproject.toml").read_text("utf-8"))
    project, known = said["project"], site / "linger_longer-1.0.dist-info"
    known.mkdir()
    for module in said["tool"]["setuptools"]["py-modules"]:
        shutil.copy(package / f"{module}.py", site)
    (known / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    groups = [
        "\n".join([f"[{group}]", *(f"{name} = {value}" for name, value in points.items())])
        for group, points in project["entry-points"].items()
    ]
    (known / "entry_points.txt").write_text("\n\n".join(groups))


@pytest.fixture(scope="session")
def room(tmp_path_factory: pytest.TempPathFactory, package: Path) -> Room:
    """A fresh environment that sees what is installed in this one, with the package besides."""
    folder = tmp_path_factory.mktemp("outside")
    home = folder / "venv"
    venv.create(home, with_pip=False)
    room = Room(home, folder / "desk")
    site = Path(room.call("-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    (site / "around.pth").write_text(f"import site; site.addsitedir({sysconfig.get_path('purelib')!r})\n")
    install(package, site)
    return room


@pytest.mark.soak
def test_an_installed_game_by_the_front_door(room: Room, package: Path) -> None:
    front_door(room, package)


@pytest.mark.soak
def test_an_installed_game_in_an_environment_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All is installed without a compiler: roundsim from the checkout, what it needs from the network."""
    monkeypatch.setenv("CC", "/nowhere")
    for name in "roundsim", "strategies", "claims", "examples":
        shutil.copytree(ROOT / name, tmp_path / "checkout" / name, ignore=NOISE)
    for name in "pyproject.toml", "setup.py", "README.md", "LICENSE":
        shutil.copy(ROOT / name, tmp_path / "checkout")
    package = Path(shutil.copytree(LINGER, tmp_path / "author", ignore=NOISE))
    venv.create(tmp_path / "venv", with_pip=True)
    room = Room(tmp_path / "venv", tmp_path / "desk")
    room.call("-m", "pip", "install", "-q", f"{tmp_path / 'checkout'}[testing]", f"{package}[test]")
    room.call("-c", "from roundsim import native; assert native.CORE is None")
    front_door(room, package)
    shutil.copytree(package, tmp_path / "tested", ignore=NOISE)
    for each in "linger_longer.py", "linger_longer_book.py":  # those that are installed are tested
        (tmp_path / "tested" / each).unlink()
    room.call("-m", "pytest", "-q", "-p", "no:cacheprovider", tmp_path / "tested")


def front_door(room: Room, package: Path) -> None:
    listed = {each["game"]: each for each in json.loads(room.roundsim("games", "--format", "json"))}
    assert listed["linger-longer"]["source"] == "Traditional" and "nap" in listed
    assert "linger-longer" in room.roundsim("games")
    assert "one for each player" in room.roundsim("rules", "linger-longer")
    assert "\n  deal_cards  " in room.roundsim("rules", "linger-longer", "--long")
    assert "its source is Traditional" in room.roundsim("rules", "linger-longer", "--page", "3", code=64)
    assert "did you mean linger-longer?" in room.roundsim("rules", "linger-longr", code=64)
    strategies = room.roundsim("strategies").splitlines()
    assert any(line.split()[:2] == ["book", "linger-longer"] for line in strategies), strategies
    played = room.roundsim("play", "linger-longer", "--deals", 32, "--option", "cards=6")
    assert " book " in played and " random " in played and "runs/linger-longer-" in played
    room.write("both.toml", BOTH)
    room.roundsim("run", "both.toml", "--jobs", 1, "--out", "one")
    room.roundsim("run", "both.toml", "--jobs", 2, "--out", "two")
    assert_same(room.folder / "one", room.folder / "two")
    assert "27 deals verified" in room.roundsim("verify", "one")
    log = room.roundsim("log", "one", "--entry", "linger-longer").splitlines()
    assert len([line for line in log if line[0] != "="]) == 18
    assert "linger-longer/1/1/1" in log[1] and "play " in log[1]
    replayed = room.roundsim("replay", "one:linger-longer/1/2/1", "--seat", "book")
    assert "Linger Longer" in replayed and "turn_up" in replayed
    room.roundsim("replay", "one:linger-longer/1/2/1", "--script", "deal.toml")
    assert 'game = "linger-longer"' in (room.folder / "deal.toml").read_text()
    assert "4 passed, 0 failed" in room.roundsim("settle", "deal.toml", package / "deals")
    assert "no problems" in room.roundsim("check", "book", "--game", "linger-longer", "--deals", 24)
    table = json.loads(room.roundsim("standings", "one", "--format", "json"))
    assert [game["game"] for game in table["games"]] == ["nap", "linger-longer"]
    assert "wrote test_mine.py" in room.roundsim("new", "strategy", "mine", "--game", "linger-longer")
    assert "no problems" in room.roundsim("check", "mine.py", "--deals", 8)
    room.call("mine.py")  # what it imports is there


def test_the_page_has_the_game_as_it_stands() -> None:
    """`docs/games.md`, whose blocks are run by test_docs.py."""
    page = (ROOT / "docs" / "games.md").read_text("utf-8")
    assert GAME in page
    assert (LINGER / "deals" / "the-last-with-cards.toml").read_text("utf-8") in page


@pytest.fixture
def author(tmp_path: Path) -> Path:
    """The folder of an author of a game, next to another one to call roundsim from."""
    (tmp_path / "elsewhere").mkdir()
    return Path(shutil.copytree(LINGER, tmp_path / "games" / "linger", ignore=NOISE))


@pytest.mark.soak
def test_a_game_by_its_path_is_played_from_anywhere(author: Path) -> None:
    elsewhere = author.parent.parent / "elsewhere"
    game = "../games/linger/linger_longer.py:LingerLonger"
    done = in_a_process("play", game, *["random"] * 3, "--deals", 9, cwd=elsewhere)
    assert "Linger Longer" in done.stdout and "results  runs/linger-longer-" in done.stdout
    assert in_a_process("rules", author / "linger_longer.py", cwd=elsewhere).stdout.startswith("Linger Longer")
    assert "no game 'linger-longer'" in in_a_process("rules", "linger-longer", cwd=elsewhere, code=64).stderr
    gone = in_a_process("rules", "linger_longer.py", cwd=elsewhere, code=64)
    assert gone.stderr == "roundsim: linger_longer.py: there is no such file or package\n"
    gone = in_a_process("rules", author / "linger_longer.py:Linger", cwd=elsewhere, code=64)
    assert "no game Linger (did you mean LingerLonger?) in it" in gone.stderr


@pytest.mark.soak
def test_a_tournament_file_plays_a_game_of_a_file(author: Path, write: Write) -> None:
    """A strategy may play it that is entered for another game before; one process and two write the same bytes."""
    write("games/all.py", (author / "linger_longer_book.py").read_text() + "\n\nclass Nap:\n    games = ['nap']\n")
    write("games/both.toml", BOTH.replace('"book"', '"all.py"'))
    elsewhere = author.parent.parent / "elsewhere"
    run = ("run", "../games/both.toml", "--game", "../games/linger/linger_longer.py")
    for jobs in 1, 2:
        done = in_a_process(*run, "--jobs", jobs, "--out", f"run{jobs}", cwd=elsewhere)
        assert f"roundsim {' '.join(run)} --seed 1" in done.stdout
    assert_same(elsewhere / "run1", elsewhere / "run2")
    games = ["--game", author / "linger_longer.py"]
    assert len(in_a_process("log", "run1", *games, cwd=elsewhere).stdout.split("nap/")) > 9
    assert "nothing left to play" in in_a_process(*run, "--out", "run1", cwd=elsewhere).stdout


@pytest.mark.soak
def test_a_run_of_a_game_from_a_file_is_read_with_that_file(author: Path) -> None:
    elsewhere, run, named = author.parent.parent / "elsewhere", author / "run", ("--game", author / "linger_longer.py")
    in_a_process("play", "linger_longer.py", *["random"] * 3, "--deals", 9, "--out", run, cwd=author)
    assert in_a_process("verify", run, *named, cwd=elsewhere).stdout.startswith("9 deals verified")
    for name in "verify", "standings", "log":
        lost = in_a_process(name, run, cwd=author, code=65)
        assert "linger-longer is a game from a file, linger_longer.py with sha256 " in lost.stderr
        assert "name that file: --game linger_longer.py" in " ".join(lost.stderr.split())
    found = in_a_process("deals", run, "--worst", "-n", 1, *named, cwd=elsewhere).stdout
    again = found.rpartition("again: roundsim ")[2].split()
    assert again[-2] == "--game" and "Linger Longer" in in_a_process(*again, cwd=elsewhere).stdout
    in_a_process("replay", f"{run}:linger-longer/1/1/1", "--script", "deal.toml", *named, cwd=elsewhere)
    assert in_a_process("settle", "deal.toml", *named, cwd=elsewhere).stdout.startswith("1 passed")
    (author / "linger_longer.py").write_text(GAME + "\n# changed\n")
    for name in "verify", "log":
        assert "linger-longer is a game from a file" in in_a_process(name, run, *named, cwd=author, code=65).stderr
    other = in_a_process("play", "linger_longer.py", *["random"] * 3, "--deals", 9, "--out", run, cwd=author, code=73)
    assert "holds a different run: games[1].source.sha256" in other.stderr


@pytest.mark.soak
def test_deals_of_a_game_by_its_path_are_settled(author: Path, write: Write) -> None:
    deal, named = author / "deals" / "the-last-with-cards.toml", ("--game", "linger/linger_longer.py")
    desk = author.parent
    assert in_a_process("settle", deal.parent, *named, cwd=desk).stdout == "3 passed, 0 failed\n"
    assert "seat 2" in in_a_process("replay", deal, *named, cwd=desk).stdout
    assert "no game 'linger-longer'" in in_a_process("settle", deal, cwd=desk, code=65).stderr
    text = deal.read_text().replace('"linger-longer"', '"linger/linger_longer.py"')
    lost = in_a_process("settle", write("games/deal.toml", text), *named, cwd=desk, code=65)
    assert "'linger/linger_longer.py' is a file: write the id of its game" in lost.stderr
    assert "there is no such file" in in_a_process("settle", deal, "--game", "gone.py", cwd=desk, code=64).stderr
    assert "--entry picks a game" in in_a_process("log", "run", "--game", "nap", cwd=desk, code=64).stderr


@pytest.mark.soak
def test_strategies_for_a_game_by_its_path_are_checked(author: Path, write: Write) -> None:
    """A failing check writes a script that is replayed from anywhere."""
    game, elsewhere = "../games/linger/linger_longer.py", author.parent.parent / "elsewhere"
    done = in_a_process("check", author / "linger_longer_book.py", "--game", game, "--deals", 24, cwd=elsewhere)
    assert done.stdout.endswith("no problems\n")
    unknown = in_a_process("check", author / "linger_longer_book.py", cwd=elsewhere, code=2)
    assert "book plays 'linger-longer', which is no game" in unknown.stdout
    other = in_a_process("check", ROOT / "strategies" / "loo.py", "--game", "nap", cwd=elsewhere, code=2)
    assert "does not play nap" in other.stdout
    assert "no game" in in_a_process("check", "book", "--game", "napp", cwd=elsewhere, code=64).stderr
    nap = in_a_process("check", "book", "--game", "nap", "--deals", 8, cwd=elsewhere).stdout
    assert "8 deals nap" in nap and "loo" not in nap
    write("elsewhere/wrong.py", "class Wrong:\n    def play(self, view):\n        return view.trump\n    act = play\n")
    wrong = in_a_process("check", "wrong.py", "--game", game, "--deals", 24, cwd=elsewhere, code=2).stdout
    assert "AttributeError: 'View' object has no attribute 'trump' (did you mean turn_up?)" in wrong, wrong
    script = next(elsewhere.glob("check-scripts/wrong-*.toml"))
    (author.parent / "kept.toml").write_text(script.read_text())
    assert f"--strategy wrong.py:Wrong --game {game}" in " ".join(wrong.split())
    again = in_a_process("replay", author.parent / "kept.toml", "--seat", 0, "--game", "linger_longer.py", cwd=author)
    assert "Linger Longer" in again.stdout


@pytest.mark.soak
def test_a_strategy_is_begun_for_a_game_by_its_path(author: Path) -> None:
    in_a_process("new", "strategy", "mine", "--game", "linger_longer.py", cwd=author)
    in_a_process("check", "mine.py", "--game", "linger_longer.py", "--deals", 8, cwd=author)
    test = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_mine.py"]
    done = subprocess.run(test, cwd=author, env=environment(), capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        ("cards: int =", "cards: integer =", "cards is annotated as integer: name 'integer' is not defined"),
        ("cards: int =", "cards: str =", "cards must be annotated as int, bool or Literal[...], or be given `values`"),
        ("cards: int =", "players: int =", "players cannot be an option: every table's rules have that name already"),
        ('"ours", high', '"ours", crads=5, high', "cards belongs to crads, which is no option (did you mean cards?)"),
        ("lambda rules: rules.players", "18", "the default of an option: cards must be a whole number from 1 to 17"),
        ("turn_up: Card", "turnup: Card", "LingerLonger sets nothing called turnup (did you mean turn_up?)"),
        ('= ("turn_up",)', '= ("turnup",)', "LingerLonger shows turnup, which is no name of its View (did you mean "),
    ],
)
def test_a_slip_in_a_declaration_is_reported_with_its_line(write: Write, right: str, wrong: str, words: str) -> None:
    assert GAME.count(right) == 1
    path = write("mine.py", GAME.replace(right, wrong))
    error = roundsim("play", "mine.py", "random", cwd=path.parent, code=66).stderr
    place, _, message = error.removeprefix("roundsim: ").partition(": ")
    file, _, number = place.partition(":")
    assert file == "mine.py" and message.startswith(words) and len(error.splitlines()) == 1, error
    named = wrong if "shows" not in words else "class LingerLonger(Tricks)"
    where = next(at for at, line in enumerate(path.read_text().splitlines(), 1) if named in line)
    assert 0 <= where - int(number) <= 1, error  # an option may go on over several lines


@pytest.mark.soak
def test_an_error_while_a_game_is_loaded_is_reported(write: Write) -> None:
    folder = write("mine.py", GAME.replace("high=17", "high=1 / 0")).parent
    error = in_a_process("rules", "mine.py", cwd=folder, code=66).stderr
    assert error.startswith("roundsim: mine.py cannot be loaded: ZeroDivisionError: ")
    assert re.search(r"^  mine.py:\d+ in LingerLongerRules: .*1 / 0", error, re.M), error
    write("mine.py", "import roundsim\n")
    assert "mine.py: there is no game in it" in in_a_process("rules", "mine.py", cwd=folder, code=64).stderr
    write("mine.py", GAME.replace('id = "linger-longer"', 'id = "nap"'))
    assert "which another game has already" in in_a_process("rules", "mine.py", cwd=folder, code=66).stderr


@pytest.mark.soak
@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        *seldom_with(
            ("self.pack.draw(1)", "self.pack.draw(9)", "a game:"),
            ('self.into_pool(seat, 1, why="the stake")', "self.net[seat] -= 1", "a game:"),
        ),
        ("self.leader = seats[0]", "self.leader = seats[9]", "mine.py:"),
    ],
)
def test_a_bug_of_a_game_is_not_said_to_be_ours(write: Write, right: str, wrong: str, words: str) -> None:
    folder = write("mine.py", GAME.replace(right, wrong)).parent
    done = in_a_process("play", "mine.py", *["random"] * 3, "--jobs", 1, "--out", "run", cwd=folder, code=70)
    assert f"this is a bug of {words}" in done.stderr and "bug of roundsim" not in done.stderr, done.stderr
    assert "run/bug.toml" in done.stderr


TRICK = '(yield Ask(seat, "play", may_play(self.hands[seat], self.trick))).card'
HAND = "may_play(self.hands[seat], self.trick)"


@pytest.mark.soak
@pytest.mark.parametrize(
    ("right", "wrong", "words"),
    [
        (HAND, "[*self.hands[seat]]", "asks in phase 'play' with a list of legal actions: a tuple, or "),
        *seldom_with(
            (
                HAND,
                "tuple(map(str, self.hands[seat]))",
                "asks in phase 'play' with '[^']+', a str and no action: make it",
            ),
            (TRICK, '(yield "play")', "yields 'play': a question is Ask\\(seat, phase, legal\\)"),
        ),
    ],
)
def test_a_game_of_plain_texts_is_refused(right: str, wrong: str, words: str, write: Write) -> None:
    """At its first question, by whatever plays it."""
    path = write("mine.py", GAME.replace(right, wrong))
    script = write("mine.toml", 'game = "linger-longer"\n[[deals]]\nactions = []\n')
    folder, line = path.parent, next(at for at, line in enumerate(path.read_text().splitlines(), 1) if wrong in line)
    write("first.py", "def act(view):\n    return view.legal[0]\n")
    message = f"mine.py:{line}: LingerLonger {words}"
    play = in_a_process("play", "mine.py", *["random"] * 3, "--jobs", 1, "--out", "run", cwd=folder, code=66)
    assert re.match(f"roundsim: {message}", play.stderr) and len(play.stderr.splitlines()) == 1, play.stderr
    checked = in_a_process("check", "first.py", "--game", "mine.py", "--deals", 4, cwd=folder, code=66)
    assert re.match(f"roundsim: {message}", checked.stderr), checked
    settled = in_a_process("settle", script.name, "--game", "mine.py", cwd=folder, code=65)
    assert re.match(f"roundsim: mine.toml: {message}", settled.stderr), settled
    (game,) = games.games_of(vars(importing.module_at(path)))
    with pytest.raises(DeclarationError, match=message.partition(": ")[2]):
        PROPERTIES[0](game)


@pytest.mark.soak
def test_entry_points_that_lead_nowhere(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other games are listed all the same; a command that names that one says what is wrong."""
    write("old_maid.py", GAME)
    write("a-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: a\nVersion: 1.0\n")
    points = "[roundsim.games]\nold-maid = old_maid:LingerLonger\ngone = gone:Gone\n"
    folder = write("a-1.0.dist-info/entry_points.txt", points).parent.parent
    monkeypatch.setenv("PYTHONPATH", str(folder))
    listed = in_a_process("games", cwd=folder)
    assert "nap" in listed.stdout and "old-maid" not in listed.stdout
    errors = listed.stderr.splitlines()
    words = "the id of LingerLonger is 'linger-longer': give the entry point that name"
    assert f"roundsim: entry point old-maid of roundsim.games: {words}" in errors
    assert "roundsim: entry point gone of roundsim.games: there is no module gone" in errors and len(errors) == 2
    assert words in in_a_process("rules", "old-maid", cwd=folder, code=66).stderr


HEARTS = """
from roundsim.games.nap import Nap

class HeartNap(Nap):
    id = "heart-nap"
    title = "Heart Nap"

    def make_trumps(self, suit):
        self.trumps = "h"
"""
BIDS = HEARTS + '    phases = {**Nap.phases, "bid": "`bid N`"}\n'


@pytest.mark.soak
def test_a_variant_of_a_game_is_a_file(write: Write, tmp_path: Path) -> None:
    """The parent that the file imports is not meant, but its strategies play the variant, too."""
    write("heart_nap.py", HEARTS)
    play = "play", "heart_nap.py", "random", "book", "--deals", 40
    done = in_a_process(*play, "--out", "run", cwd=tmp_path)
    assert done.stdout.startswith("Heart Nap · 2 seats · 40 deals")
    in_a_process("verify", "run", "--game", "heart_nap.py", cwd=tmp_path)
    replayed = in_a_process("replay", "run:heart-nap/1/1/1", "--game", "heart_nap.py", cwd=tmp_path).stdout
    assert "trumps: h" in replayed
    env, line = environment() | {"ROUNDSIM_NATIVE": "off"}, command(*play, "--out", "plain")
    plain = subprocess.run(line, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert plain.returncode == 0, plain.stderr
    assert_same(tmp_path / "plain", tmp_path / "run")
    write("heart_nap.py", BIDS)  # other phases: the strategies of the parent do not know them
    done = in_a_process("play", "heart_nap.py", "random", "book", "--deals", 40, cwd=tmp_path, code=64)
    assert done.stderr == "roundsim: command line: book does not play heart-nap\n"
