"""Strategies that exist only in a session: their digests, how they are sent, and how they play."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from conftest import Shell
from helpers.command import PATIENCE, ROOT, environment, seldom

from roundsim.base import finding
from roundsim.base.errors import StrategyError
from roundsim.sources import session

Script = Callable[..., str]
STRATEGY = """
import math
from dataclasses import dataclass
RISK = 2
TABLE = {"a": [1, 2]}

@dataclass
class Rule:
    limit: int = 3

RULE = Rule()

def helper(view):
    return view.legal[RISK:]

def made(limit):
    class Mine(Base):
        '''How it plays.'''
        games = ["nap"]

        def act(self, view, how=1):
            '''Answers.'''
            if len(view.legal) > limit:  # many
                return helper(view)[0]
            return view.legal[math.floor(how) - 1]

        def call(self, view):
            return view.legal[TABLE["a"][0] % RULE.limit]
    return Mine

class Base:
    def settled(self, view, net):
        self.last = net

Mine = made(3)
"""
SAME = {
    "lower": ("import math", "\n\n\nimport math"),
    "comment": ("  # many", "  # more than the limit"),
    "docstring of the class": ("How it plays.", "Plays differently."),
    "docstring of a method": ("Answers.", "Says."),
    "no docstring": ("            '''Answers.'''\n", ""),
    "brackets": ("len(view.legal) > limit:", "(len(view.legal) > limit):"),
    "quotes": ('["nap"]', "['nap']"),
    "blank lines": ("        def call", "\n\n        def call"),
    "another global": ("RISK = 2", "RISK = 2\nUNREAD = object()"),
    "order of methods": (
        '        games = ["nap"]\n',
        "        def settled_too(self): ...\n        del settled_too\n        games = ['nap']\n",
    ),
    "a docstring more": ("    return view.legal[RISK:]", "    'Helps.'\n    return view.legal[RISK:]"),
}
OTHER = {
    "constant": ("floor(how) - 1", "floor(how) - 2"),
    "default": ("how=1", "how=2"),
    "closure": ("made(3)", "made(4)"),
    "global": ("RISK = 2", "RISK = 3"),
    "inside a global": ("[1, 2]", "[1, 3]"),
    "helper": ("view.legal[RISK:]", "view.legal[RISK + 1:]"),
    "base": ("self.last = net", "self.last = -net"),
    "no base": ("class Mine(Base)", "class Mine"),
    "attribute": ('["nap"]', '["nap", "loo"]'),
    "field": ("limit: int = 3", "limit: int = 4"),
    "operator": ("> limit", ">= limit"),
    "another type": ("RISK = 2", "RISK = 2.0"),
}
GOLDEN = r"""
import functools, re, random, enum, json
from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple
class Colour(enum.Enum):
    RED = 1
    BLUE = 2
    @property
    def other(self):
        return Colour(3 - self.value)
class Level(enum.IntFlag):
    A = 1
    B = 2
class Point(NamedTuple):
    x: int
    y: int = 2
    def sum(self):
        return self.x + self.y
@dataclass(frozen=True, order=True)
class Rule:
    limit: int = 3
    names: list = field(default_factory=list)
    def over(self, n):
        return n > self.limit
@dataclass(slots=True)
class Slots:
    a: int = 1
PATTERN = re.compile("a|b", re.I)
COUNTS = Counter("abca")
RULE, POINT = Rule(4), Point(1)
SL = Slots(3)
RNG = random.Random(3)
@functools.cache
def helper(n):
    return n + 1
class Mine:
    games = ["nap"]
    __slots__ = ("k",)
    def act(self, view):
        words = [f"{each!r:>{RULE.limit}} {'x' if each else str()}" for each in view.legal if PATTERN.match(str(each))]
        text = f"a" 'b' f'{view=} {len("q" "r")} {{' '{x}' + u'é\n' + str(1e400) + str(-1j)
        with_ = {k: v for k, v in COUNTS.items() if k in {"a", "b"}}
        match view.legal:
            case [one, *_] if POINT.sum() > 2:
                return one
        try:
            return (lambda v: v[helper(0)])(view.legal) or RNG.random() or Colour.RED.other or Level.A | Level.B or SL
        except* ValueError:
            pass
    @staticmethod
    def s(x: int, /, y=2, *, z=json.dumps) -> "int": return x
    @functools.cached_property
    def c(self): return __class__
"""
GOLDEN_SHA = "0c073e772f712fc867fa834ca6aeaca1277ced004c4446c7bec297f34dec2c1f"
DIGEST = "from roundsim.sources.identity import Identity\nprint(Identity(Mine, 'Mine').sha256)\n"


def in_session(folder: Path, text: str, **around: str) -> subprocess.CompletedProcess[str]:
    (folder / "session.py").write_text(text)
    words, env = [sys.executable, str(folder / "session.py")], {**environment(), **around}
    return subprocess.run(words, cwd=folder, env=env, capture_output=True, text=True, timeout=PATIENCE)


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """Run a script in which `roundsim` is imported and `play` shortened, and return its output."""

    def run(text: str, code: int = 0, **around: str) -> str:
        head = "import roundsim, sys\nfrom functools import partial\nplay = partial(roundsim.play, 'nap', deals=16)\n"
        done = in_session(tmp_path, head + textwrap.dedent(text), **around)
        assert done.returncode == code, done.stdout + done.stderr
        return done.stdout + done.stderr

    return run


def test_only_an_edit_that_may_change_the_play_changes_the_digest(tmp_path: Path) -> None:
    every = {"": STRATEGY}
    for name, (before, after) in (SAME | OTHER).items():
        assert STRATEGY.count(before) == 1, name
        every[name] = STRATEGY.replace(before, after)
    lines = ["import linecache", f"every = {every!r}", "from roundsim.sources.identity import Identity"]
    lines += ["for name, text in every.items():", "    file = f'<cell {name}>'"]
    lines += ["    linecache.cache[file] = (len(text), None, text.splitlines(True), file)"]
    lines += ["    exec(compile(text, file, 'exec'), globals())"]
    lines += ["    print(name, Identity(Mine, 'Mine').sha256, sep='=')"]
    done = in_session(tmp_path, "\n".join(lines))
    assert not done.returncode, done.stderr
    digests = dict(line.split("=") for line in done.stdout.splitlines())
    assert {name for name in every if digests[name] == digests[""]} == {"", *SAME}


def test_the_digest_is_the_same_under_another_seed_of_hashes(tmp_path: Path) -> None:
    text = STRATEGY.replace("import math", "import math\nWORDS = {'a', 'b', 'c', 'd'}")
    text = text.replace("% RULE.limit", "% RULE.limit + ('z' in WORDS)")
    one, other = (in_session(tmp_path, text + DIGEST, PYTHONHASHSEED=seed).stdout for seed in ("1", "2"))
    assert one == other and re.fullmatch("[0-9a-f]{64}\n", one)


def test_the_digest_is_the_same_on_every_python(tmp_path: Path) -> None:
    """3.11.7, 3.12.1 and 3.13.0 have this one; each of them parses f-strings differently."""
    assert in_session(tmp_path, GOLDEN + DIGEST).stdout.strip() == GOLDEN_SHA


NO_DIGEST = {
    "open(__file__)": "mine: LOG has no digest: TypeError: cannot pickle",
    "__import__('threading').Lock()": "mine: LOG has no digest: TypeError: cannot pickle",
    "{'of': [open(__file__)]}": "mine: LOG.'of' has no digest",
}


@pytest.mark.soak
def test_values_have_a_digest_or_are_refused_by_name(script: Script) -> None:
    """Lambdas on one line are distinguished, and sets are packed in the same order under each seed of hashes."""
    text = f"""
        from hashlib import sha256
        from roundsim.sources.identity import Identity
        from roundsim.sources.session import pickled
        words = {{str(each) for each in range(100)}}
        print(sha256(pickled([words, {{frozenset(words), 3}}], "mine")).hexdigest())
        pair = [lambda view: view.legal[0], lambda view: view.legal[-1], (lambda: lambda view: view.legal[0])()]
        print(*[Identity(each, "x").sha256 for each in pair])
        def mine(view): return LOG
        for LOG in {", ".join(NO_DIGEST)}:
            try: play([mine])
            except roundsim.api.InputError as error: print(error.code, error)
    """
    said, other = (script(text, PYTHONHASHSEED=seed).splitlines() for seed in ("1", "2"))
    assert said[:2] == other[:2]
    first, second, third = said[1].split()
    assert first == third != second
    for line, words in zip(said[2:], NO_DIGEST.values(), strict=True):
        assert line.startswith("64 ") and words in line and "keep it in a file, and name that in files" in line


def test_an_object_that_cannot_be_packed_is_refused_with_the_words_of_pickle() -> None:
    words = r"mine cannot be sent .* cannot pickle 'generator' object; keep it in a file"
    with pytest.raises(StrategyError, match=words):
        session.packed((each for each in "a"), "mine")


NO_STRATEGY = {
    "[lambda view: 1]": 'a lambda has no name: give it one, {"mine": lambda view: ...}',
    "[3]": "3 is no strategy: it is a text, a class or a function",
    "[first, other]": "two strategies are called first: give them names",
    "{'a b': first}": "'a b' cannot be the name of a strategy",
    "[first, 'book', book]": "two strategies are called book: book and book of this session",
    "[Nothing]": "Nothing of this session: no strategy in it is called Nothing",
    "{'a': 'no-such'}": "no strategy 'no-such'",
}


PLAYED = """
    import random
    from random import choice
    class Mine:
        games = ["nap"]
        def __init__(self):
            super().__init__()
            self.asked = 0
        def act(self, view):
            self.asked += 1
            return helper(view) if self.asked % 2 else view.legal[0]
    class Child(Mine):
        def act(self, view):
            return super().act(view)
    def helper(view): return view.legal[-1]
    WORDS = {"pass", "call 3", "call 4"}
    def words(view): return next((each for each in WORDS if each in map(str, view.legal)), view.legal[0])
    def draws(view): return choice(view.legal)
    def fails(view): raise KeyError(3)
    def made(n): return lambda view: view.legal[-n]
    every = {"Mine": Mine, "child": Child, "words": words, "draws": draws, "fails": fails, "made": made(1)}
    print("cloudpickle" in sys.modules)
"""


SHAPES = """
    import abc, copy, enum, functools, pickle
    from dataclasses import dataclass, field
    from typing import Generic, NamedTuple, Protocol, TypedDict, TypeVar

    T = TypeVar("T")

    class Mood(enum.Enum):
        CALM = 0
        QUIET = 0
        LOUD = 1, "loud"

        def __init__(self, number, words="calm"):
            self.words = words

        def next(self):
            return Mood.LOUD

    class Marks(enum.Flag):
        ONE = 1
        TWO = 2
        BOTH = ONE | TWO

    class Level(enum.IntEnum):
        LOW = 0

    class Pair(NamedTuple):
        one: int
        two: int = 0

        def sum(self):
            return self.one + self.two

    @dataclass
    class Card:
        mood: Mood = Mood.CALM
        marks: list = field(default_factory=list)

    class Options(TypedDict):
        at: int

    class Box(Generic[T]):
        def __init__(self, kept: T):
            self.kept = kept

    class Table(Box[int]):
        class Row:
            at = 0

        @functools.cached_property
        def first(self):
            return self.kept

    class Abstract(abc.ABC):
        kind = 0

        @abc.abstractmethod
        def pick(self, view): ...

        def act(self, view):
            assert isinstance(self, Abstract)
            return self.pick(view)

    class Picks(Abstract):
        def pick(self, view):
            return view.legal[super().kind]

    class Form(Protocol):
        def act(self, view): ...

    class Formed(Form):
        def act(self, view):
            return view.legal[0]

    def called_again():
        def first(view, depth=2):
            return first(view, depth - 1) if depth else view.legal[0]
        return first

    def in_turns():
        def even(n): return odd(n - 1) if n else 0
        def odd(n): return even(n - 1) if n else 1
        return lambda view, at=even(2): view.legal[even(2)]

    def is_even(n): return is_odd(n - 1) if n else True
    def is_odd(n): return is_even(n - 1) if n else False
    def mutual(view): return view.legal[is_odd(4)]

    def counted():
        n = 0
        def count():
            nonlocal n
            n += 1
            return n
        def act(view):
            before = n
            assert count() == before + 1 == n
            return view.legal[0]
        return act

    asked = 0
    def count():
        global asked
        asked += 1
    def rebinds(view):
        before = asked
        count()
        assert asked == before + 1
        return view.legal[0]

    @functools.cache
    def depth(n): return depth(n - 1) if n else 0

    def moods(view):
        assert Mood.QUIET is Mood.CALM is Mood(0) and [*Mood] == [Mood.CALM, Mood.LOUD] and Mood.CALM.next() is Mood.LOUD
        assert (Mood.CALM.words, Mood.LOUD.words) == ("calm", "loud") and Marks.ONE | Marks.TWO is Marks.BOTH
        return view.legal[Level.LOW]

    def values(view):
        card, table = Card(), Table(0)
        assert card == Card(Mood.CALM) and card.marks is not Card().marks
        return view.legal[Pair(0).sum() + Options(at=0)["at"] + table.first + Table.Row.at + depth(2)]

    def pickles(view):
        for thing in Mood.LOUD, Card(), Pair(1), Table.Row(), Table(0), Marks.BOTH, moods:
            assert type(pickle.loads(pickle.dumps(thing))) is type(copy.deepcopy(thing)) is type(thing)
        assert pickle.loads(pickle.dumps(Mood.LOUD)) is Mood.LOUD
        return view.legal[0]

    every = {"again": called_again(), "turns": in_turns(), "mutual": mutual, "counted": counted(), "rebinds": rebinds}
    every |= {"moods": moods, "values": values, "pickles": pickles, "Picks": Picks, "Formed": Formed}
"""


def test_strategies_of_a_session_play_and_others_are_refused(script: Script) -> None:
    """A closure that calls itself and an enum of the session are sent."""
    refuse = f"""
        print(play({{name: every[name] for name in ("again", "moods")}}, jobs=1, isolate="off").faults)
        def first(view): return view.legal[0]
        one = first
        def first(view): return view.legal[-1]
        other, first = first, one
        def book(view): return view.legal[0]
        class Nothing: pass
        for strategies in {", ".join(NO_STRATEGY)}:
            try: play(strategies, isolate="off")
            except roundsim.api.InputError as error: print(error)
    """
    faults, *said = script(textwrap.dedent(SHAPES) + textwrap.dedent(refuse)).splitlines()
    assert faults == "0"
    for line, words in zip(said, NO_STRATEGY.values(), strict=True):
        assert words in line and "/roundsim-session" not in line


@pytest.mark.soak
@pytest.mark.parametrize("isolate", ["auto", "off"])
def test_functions_and_classes_of_every_shape_play(isolate: str, script: Script) -> None:
    assert script(textwrap.dedent(SHAPES) + f"print(play(every, isolate='{isolate}').faults)\n") == "0\n"


@pytest.mark.soak
def test_copies_in_one_process_share_no_class(script: Script) -> None:
    """Each seat has its own, so that an object of it has met only this seat."""
    said = script("""
        class Alone:
            seats = []
            def begin(self, view):
                self.seats.append(view.seat)
                assert len({*self.seats}) == 1, self.seats
            def act(self, view):
                return view.legal[0]
        print(play([Alone, Alone], jobs=1, isolate="off", seats=4).faults)
    """)
    assert said == "0\n"


@pytest.mark.soak
def test_cloudpickle_is_needed_only_for_strategies_of_a_session(script: Script, tmp_path: Path) -> None:
    """A class of a module is named by its file."""
    (tmp_path / "mine.py").write_text("class Mine:\n    games = ['nap']\n")
    said = script("""
        from mine import Mine
        play([Mine, "random", "book"], out="run")
        print("cloudpickle" in sys.modules, 'source = ' in open("run/run.toml").read())
        sys.modules["cloudpickle"] = None
        def mine(view): return view.legal[0]
        try: play([mine, "random"])
        except roundsim.api.InputError as error: print(error.code, error)
    """)
    words = "mine has no file of its own, and cloudpickle is not installed: pip install cloudpickle; or keep it in a"
    assert said == f"False False\n64 {words} file: mine.py\n"


CALLS = [(1, "auto", "one", "1"), (3, "auto", "three", "2"), (2, "off", "open", "3")]  # jobs, isolate, out, seed


def logs(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.suffix in (".zst", ".csv", ".txt")}


@pytest.mark.soak
@pytest.mark.parametrize("calls", [CALLS[::2], *seldom(CALLS)], ids=len)
def test_the_log_is_always_the_same(calls: Sequence[tuple[int, str, str, str]], script: Script, tmp_path: Path) -> None:
    call = "run = play(every, jobs={}, isolate='{}', out='{}')\nprint(run.folder)\n"
    for jobs, isolate, out, seed in calls:
        text = textwrap.dedent(PLAYED) + call.format(jobs, isolate, out)
        assert script(text, PYTHONHASHSEED=seed).split() == ["False", out]
    one, *others = [logs(tmp_path / out) for _, _, out, _ in calls]
    assert all(other == one for other in others)
    assert {"Mine.txt", "made.txt"} < one.keys() and b"self.asked += 1" in one["Mine.txt"]
    faults = (tmp_path / "one" / "faults.jsonl").read_text()
    assert '"words": "KeyError: 3", "where": ["session.py:22 in fails"]' in faults
    record = (tmp_path / "one" / "run.toml").read_text()
    assert record.count('source = "session"') == 6 and 'attribute = "Mine"' in record
    assert not [each for each in os.listdir(tmp_path) if each.startswith("roundsim-session")]


FIRST_ENTERED = """
import os, signal, sys
from roundsim.sources import session
def first(view): return view.legal[0]
session.texts_of([first])
print(session.folder().name, flush=True)
"""


@pytest.mark.soak
def test_the_folder_of_a_killed_session_goes_with_the_next_one(tmp_path: Path) -> None:
    """A session that is still open keeps its own."""
    around = {"TMPDIR": str(tmp_path)}
    killed = in_session(tmp_path, FIRST_ENTERED + "os.kill(os.getpid(), signal.SIGKILL)", **around)
    left = Path(killed.stdout.strip())
    assert killed.returncode == -9 and left.parent == tmp_path and any(left.rglob("first.pickle"))
    living = tmp_path / "living.py"
    living.write_text(FIRST_ENTERED + "sys.stdin.read()")
    pipe, env = subprocess.PIPE, {**environment(), **around}
    with subprocess.Popen([sys.executable, str(living)], env=env, stdin=pipe, stdout=pipe, text=True) as other:
        assert other.stdin and other.stdout
        kept = Path(other.stdout.readline().strip())
        assert not left.exists()
        assert in_session(tmp_path, FIRST_ENTERED, **around).returncode == 0
        assert any(kept.rglob("first.pickle"))
        other.stdin.close()
    assert not [*tmp_path.glob("roundsim-session-*")]


FIRST = "\ndef first(view): return view.legal[0]\n"


@pytest.mark.soak
def test_a_run_grows_with_the_same_strategy_from_elsewhere(script: Script, shell: Shell, tmp_path: Path) -> None:
    script(f"{FIRST}run = play([first, 'random'], out='run')")
    script(f"\n\n{FIRST}run = play([first, 'random'], out='run')\nroundsim.grow('run', [first], deals=32)")
    grow = "try: roundsim.grow('run', deals=64)\nexcept roundsim.api.InputError as error: print(error)\n"
    assert "is it to grow" not in script(grow)
    assert shell("verify", "run").code == 0
    for words in (["grow", "run", "--deals", "64"], ["verify", "run", "--strategies"]):
        done = shell(*words)
        assert done.code == 64 and "first lived in a session" in done.err, done.err
    (tmp_path / "run/strategies/first.txt").write_text("raise SystemExit(3)")
    assert script(f"{FIRST}print(roundsim.verify('run', strategies=[first]))") == "32\n"
    said = script(f"{FIRST.replace('0', '-1')}play([first, 'random'], out='run', deals=32)", code=1)
    assert "run holds a different run: games[1].strategies[1].sha256" in said


REFUSED = r"(PermissionError|FileNotFoundError|OSError): [^\"]*'secret'"
BOMB = """class Bomb:
            def __reduce__(self): return open, ({path!r}, "{mode}")"""


@pytest.mark.soak
@pytest.mark.parametrize("isolate", ["auto", "on"])
def test_a_pickle_that_opens_a_file_outside_fails_if_it_is_sealed(isolate: str, script: Script, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    bomb = f"""
        {BOMB.format(path=str(tmp_path / "secret"), mode="w")}
        bomb = Bomb()
        def mine(view): return bomb
        try: play([mine, "random"], isolate="{isolate}")
        except roundsim.base.errors.RoundsimError as error: print(type(error).__name__, error)
    """
    said = script(bomb)
    assert re.match(f"PluginError mine of this session cannot be loaded: {REFUSED}", said)
    assert (tmp_path / "secret").read_text() == "secret"


@pytest.mark.soak
def test_a_pickle_that_is_read_at_a_question_is_a_fault_there(script: Script, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    said = script(f"""
        {BOMB.format(path=str(tmp_path / "secret"), mode="r")}
        import pickle
        data = pickle.dumps(Bomb())
        def mine(view): return pickle.loads(data)
        run = play([mine, "random"], out="run")
        print(run.faults, open("run/faults.jsonl").readline())
    """)
    assert not said.startswith("0 ") and re.search(REFUSED, said) and "in mine" in said


def test_only_the_module_of_a_session_unpickles_and_only_sessions_load_cloudpickle() -> None:
    """The engine uses `pickle` only between its own processes, and on a cluster."""
    sources = {path.relative_to(ROOT): path.read_text() for path in (ROOT / "roundsim").rglob("*.py")}
    unpickles = re.compile(r"pickle\.loads?\(|Pickler\.loads|Unpickler")
    loads = {str(path) for path, text in sources.items() if unpickles.search(text)}
    assert "roundsim/sources/packing.py" in loads
    loads.discard("roundsim/sandbox/called.py")  # in a guest, what the engine has sent
    assert not [path for path in loads if "/guests/" in path or "/sandbox/" in path or "lines" in path]
    names = {str(path) for path, text in sources.items() if re.search(r"(from|import) cloudpickle\b", text)}
    assert names == {"roundsim/sources/packing.py"}


def test_a_file_that_ends_like_those_of_sessions_is_none_of_them(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "mine.session").write_text(f"# roundsim session {'0' * 64}\ndef act(view): return view.legal[0]\n")
    done = shell("play", "nap", "./mine.session", "random", "--deals", "16")
    assert done.code == 64 and "no strategy in it" in done.err
    assert tmp_path / "mine.session" not in finding.sealed


@pytest.mark.soak
def test_a_repl_plays(tmp_path: Path) -> None:
    """Its lines are typed at a terminal."""
    ours, theirs = pty.openpty()
    around = {**environment(), "PYTHON_BASIC_REPL": "1", "TERM": "dumb"}
    words = [sys.executable, "-i", "-q"]
    process = subprocess.Popen(words, cwd=tmp_path, env=around, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    lines = [
        "import roundsim",
        "def mine(view): return view.legal[0]",
        "",
        "run = roundsim.play('nap', {'mine': mine, 'last': lambda view: view.legal[-1]}, deals=16)",
        "print('DE' + 'ALS', run.standings['games'][0]['deals'], run.faults)",
        "exit()",
    ]
    os.write(ours, "".join(f"{line}\n" for line in lines).encode())
    said, end = b"", time.monotonic() + PATIENCE
    try:
        while select.select([ours], [], [], max(0, end - time.monotonic()))[0]:
            said += os.read(ours, 1 << 16)
    except OSError:  # it has ended
        pass
    process.wait(PATIENCE)
    assert b"DEALS 16 0" in said, said.decode()


@pytest.mark.soak
def test_the_source_text_is_written_into_the_run_alone_and_cleaned(script: Script, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    text = "def mine(view):\n    return view.legal[len('\x1b')]\nplay([mine, 'random'], out='run')\n"
    script(text)
    kept = tmp_path / "run" / "strategies"
    assert kept.joinpath("mine.txt").read_text() == "def mine(view):\n    return view.legal[len('\\u001b')]\n"
    kept.joinpath("mine.txt").unlink()
    kept.rmdir()
    kept.symlink_to(tmp_path / "elsewhere")
    assert "FolderError: cannot write run/strategies: it is no folder" in script(text, code=1)
    assert not [*(tmp_path / "elsewhere").iterdir()]
