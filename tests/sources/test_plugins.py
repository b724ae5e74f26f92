"""Strategies as plugins: by path, folder, module and installed name; their parameters, identity and failures."""

from __future__ import annotations

import hashlib
import os
import re
import sys
from pathlib import Path
from textwrap import dedent
from unittest.mock import Mock

import pytest
from conftest import Shell, Write
from helpers.command import one_in, one_in_with

from roundsim.base import importing
from roundsim.base.errors import PluginError, StrategyError
from roundsim.base.finding import sha256, threads_in
from roundsim.sources import homes, plugins

pytestmark = pytest.mark.usefixtures("here")

FIRST = "def act(view):\n    return view.legal[0]\n"
MINE = """
    class Mine:
        "Calls what it likes."
        games = ["nap"]

        def __init__(self, risk=0.5, name_of_the_dog=None):
            self.risk = risk

        def call(self, view):
            return "pass"

        def play(self, view):
            return max(view.legal, key=lambda action: action.card.rank)
    """


def names(text: str, game: str | None = "nap", folder: Path | None = None) -> list[str]:
    return [str(each) for each in plugins.find(text, game, folder)]


def plays(shell: Shell, *strategies: object) -> None:
    """These strategies play Nap without faults."""
    done = shell("play", "nap", *strategies, "--deals", "8", "--jobs", "1")
    assert done.code == 0, done


def test_a_function_and_a_class_with_a_method_for_each_phase_play(shell: Shell, write: Write) -> None:
    write("first.py", FIRST)
    write("mine.py", MINE)
    assert names("first.py") == names("first.py:act") == names("./first.py") == ["first"]
    assert names("mine.py") == names("mine.py:Mine") == ["Mine"]
    plays(shell, "first.py", "mine.py", "mine.py:Mine(risk=0.8)", "random")


def test_a_file_holds_its_own_classes_and_act(write: Write) -> None:
    path = write(
        "many.py",
        """
        import functools, math
        from random import Random as Imported
        from roundsim.strategy import Card

        join, sin, nothing = ', '.join, math.sin, None
        partial = functools.partial(print)

        class Base:
            pass

        class One:
            games = ["nap"]

        class Two:
            name = "deux"
            def act(self, view): ...

        class _Hidden:
            games = ["nap"]

        def helper(view): ...
        def act(view): ...
        """,
    )
    assert names(str(path)) == ["One", "deux", "many"]
    assert names(f"{path}:Two") == names(f"{path}:deux") == ["deux"]
    assert names(f"{path}:helper") == ["helper"]
    with pytest.raises(StrategyError, match="no strategy in it is called Base"):
        names(f"{path}:Base")


def test_a_folder_holds_its_files_that_play_the_game(shell: Shell, write: Write) -> None:
    write("field/one.py", FIRST)
    write("field/two.py", FIRST)
    write("field/three.py", 'games = ["pope-joan"]\n' + FIRST)
    for name in "test_one.py", "_other.py", ".hidden.py":
        write(f"field/{name}", "1 / 0\n")
    write("field/notes.txt", "")
    plays(shell, "./field", "random")
    assert names("./field") == names("field/") == ["one", "two"]
    assert names("field/", "pope-joan") == ["one", "three", "two"]
    write("field/__init__.py", '"""Only words."""\n')  # without code it makes no package
    plays(shell, "./field")


def package(write: Write) -> Path:
    write(
        "pack/__init__.py", 'from .deep.brain import choose\n\n\nclass Pack:\n    games = ["nap"]\n    act = choose\n'
    )
    write("pack/deep/__init__.py")
    write(
        "pack/deep/brain.py", "from ..words import FIRST\n\n\ndef choose(self, view):\n    return view.legal[FIRST]\n"
    )
    return write("pack/words.py", "FIRST = 0\n").parent


def test_a_folder_with_init_is_one_strategy_of_several_files(shell: Shell, write: Write) -> None:
    pack = package(write)
    plays(shell, "./pack", "./pack:Pack", "random")
    before = plugins.find("./pack")[0].sha256
    for name in "words.py", "deep/brain.py", "__init__.py", "deep/__init__.py":
        text = (pack / name).read_text()
        (pack / name).write_text(text + "# changed\n")
        assert plugins.find("./pack")[0].sha256 != before, name
        (pack / name).write_text(text)
    assert plugins.find("./pack")[0].sha256 == before
    (pack / "words.py").rename(pack / "word.py")
    assert sha256(pack) != before
    (pack / "word.py").rename(pack / "words.py")
    Path("field").mkdir()
    pack.rename("field/pack")
    assert names("./field") == ["Pack"]


def test_a_module_may_be_called_as_one_of_the_library(shell: Shell, write: Write) -> None:
    for name in ("random", "json", "time"):
        write(f"{name}.py", f"import random\nassert random.Random\n{FIRST}")
    plays(shell, "random.py", "json.py", "time.py")
    assert sys.modules["random"].__file__ != str(Path("random.py").resolve())


def test_a_strategy_is_named_by_its_module(shell: Shell, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write("lib/their_players/__init__.py")
    write("lib/their_players/good.py", MINE)
    monkeypatch.syspath_prepend(str(Path("lib").resolve()))
    plays(shell, "their_players.good:Mine", "their_players.good:Mine(risk=1)", "random")
    with pytest.raises(StrategyError, match="called Yours"):
        names("their_players.good:Yours")
    with pytest.raises(StrategyError, match="their_players.bad"):
        names("their_players.bad:Mine")


def test_modules_without_a_strategy_are_refused() -> None:
    for text in "os:path", "sys:path", "json:tool", "no_such_thing:X", ".x:Y", "a..b:C", ":", "x:":
        with pytest.raises(StrategyError):
            names(text)


def install(write: Write, monkeypatch: pytest.MonkeyPatch, points: str, name: str = "their_players") -> Path:
    write(f"site/{name}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    folder = write(f"site/{name}-1.0.dist-info/entry_points.txt", f"[roundsim.strategies]\n{points}\n").parent.parent
    monkeypatch.syspath_prepend(str(folder))
    return folder


def test_an_installed_strategy_is_found_by_name(shell: Shell, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write("site/their_nap.py", MINE)
    install(write, monkeypatch, "nap = their_nap:Mine")
    plays(shell, "Mine", "Mine(risk=0.1)", "book")
    listed = shell("strategies").out
    assert re.search(r"^Mine +nap .*their_nap.py$", listed, re.M)
    with pytest.raises(StrategyError, match=r"did you mean Mine\?"):
        names("Mines")
    with pytest.raises(StrategyError, match="Mine does not play pope-joan; it plays nap"):
        names("Mine", "pope-joan")


def test_a_strategy_may_have_the_name_of_a_game(shell: Shell, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write("site/loo.py", FIRST)
    install(write, monkeypatch, "loo = loo")
    plays(shell, "loo", "book")
    expected = "spin is a game, not a strategy: separate games by commas, nap,spin"
    assert expected in " ".join(shell("play", "nap", "spin", "book").err.split())


def test_a_strategy_installed_meanwhile_is_found(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a notebook."""
    site = write("site/first.py", FIRST).parent
    write("site/second.py", FIRST)
    install(write, monkeypatch, "one = first")
    assert names("first") == ["first"]
    write("site/more-1.dist-info/entry_points.txt", "[roundsim.strategies]\ntwo = second\n")
    os.utime(site, ns=(0, site.stat().st_mtime_ns + 10**9))  # however coarse the file system's clock is
    assert names("second") == ["second"]


def test_an_installed_package_stands_for_all_in_it(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write("site/their_games/__init__.py", '"""Their players."""\n')
    write("site/their_games/alpha.py", FIRST)
    write("site/their_games/beta.py", FIRST)
    install(write, monkeypatch, "all = their_games", "their_games")
    assert names("alpha") == ["alpha"] and names("beta") == ["beta"]


def test_two_of_one_name_are_refused_with_both_paths(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two with the same source are one."""
    house = homes.house_folder() / "nap.py"
    theirs = write("site/their_book.py", 'class Book:\n    name = "book"\n    games = ["nap"]\n')
    install(write, monkeypatch, "book = their_book", "their_book")
    with pytest.raises(StrategyError) as error:
        names("book", "nap")
    assert str(theirs) in str(error.value) and str(house) in str(error.value)
    assert names("book", "pope-joan") == ["book"]
    assert names(str(theirs)) == ["book"]
    theirs.write_text(house.read_text())
    assert names("book") == ["book"]


def test_two_files_of_one_name_in_a_game_are_refused(shell: Shell, write: Write) -> None:
    write("one/mine.py", FIRST)
    write("two/mine.py", FIRST + "# another\n")
    done = shell("play", "nap", "one/mine.py", "two/mine.py", "--dry-run")
    assert done.code == 64 and "two strategies are called mine: one/mine.py and two/mine.py" in done.err
    Path("two/mine.py").write_text(FIRST)
    done = shell("play", "nap", "one/mine.py", "two/mine.py", "--dry-run")
    assert done.code == 0 and "mine, mine#2" in done.out


def test_a_broken_installed_plugin_does_not_hinder_others(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write("site/their_nap.py", MINE)
    install(write, monkeypatch, "gone = no_such_module_at_all\nnobody = their_nap:Nobody")
    assert names("book") == ["book"]


BASED = """
    import abc
    import typing

    FIRST = lambda self, view: view.legal[0]

    class Abstract(abc.ABC):
        games = ["nap"]
        @abc.abstractmethod
        def act(self, view): ...

    class OfAbstract(Abstract):
        act = FIRST

    class Form(typing.Protocol):
        def act(self, view): ...

    class OfForm(Form):
        act = FIRST

    class Raises:
        games = ["nap"]
        def act(self, view):
            raise NotImplementedError("a strategy has its own")

    class OfRaises(Raises):
        act = FIRST

    class Answerless:
        games = ["nap"]
        class Settings: ...
        def __init__(self, risk=0.5): ...
        def begin(self, view): ...
        def settled(self, view, net): ...
        def worth(self, view, card): ...
        def _best(self, view): ...

    class Between(Answerless): ...

    class OfAnswerless(Between):
        play = FIRST

    class Whole:
        act = FIRST

    class OfWhole(Whole): ...

    class AtRandom:
        games = ["nap"]

    class Partial:
        games = ["nap"]
        call = staticmethod(lambda view: view.legal[0])

    class OfPartial(Partial):
        play = FIRST
    """


def test_base_classes_that_answer_nothing_play_only_if_they_are_named(shell: Shell, write: Write) -> None:
    write("based.py", BASED)
    strategies = ["OfAbstract", "OfForm", "OfRaises", "OfAnswerless", "Whole", "OfWhole", "AtRandom"]
    strategies += ["Partial", "OfPartial"]
    assert names("based.py") == strategies
    assert [line.split()[0] for line in shell("strategies", "based.py").out.splitlines()[1:]] == strategies
    for base in "Raises", "Answerless", "Between":
        assert names(f"based.py:{base}") == [base]
    for abstract in "Abstract", "Form":
        with pytest.raises(StrategyError, match=f"is called {abstract} .*that is not abstract"):
            names(f"based.py:{abstract}")


@pytest.mark.parametrize("folder", ["", "new (1): all"])
@pytest.mark.parametrize("file", ["mine (1).py", "at 9:30.py", "mine(least=1).py", "pack (2)/__init__.py"])
def test_a_path_may_have_brackets_and_colons(folder: str, file: str, write: Write) -> None:
    path = write(os.path.join(folder, file), MINE)
    source = path.parent if path.name == "__init__.py" else path
    for text in str(source), f"./{source.name}":
        assert names(text, folder=source.parent) == names(f"{text}:Mine", folder=source.parent) == ["Mine"]
        assert names(f"old={text}:Mine(risk=1)", folder=source.parent) == ["old"]
        assert names(f"{text}:Mine(risk=0.5)", folder=source.parent) == ["Mine(risk=0.5)"]
    (mine,) = plugins.find(f"{source}:Mine(risk=1)", "nap")
    assert mine == plugins.find(plugins.spec(mine, whole=True), "nap")[0]


def test_a_file_with_brackets_plays(shell: Shell, write: Write) -> None:
    """On a command line, in a tournament file of another folder, and where a run is verified."""
    write("new/mine (1).py", FIRST)
    write(
        "new/all.toml",
        """
        [tournament]
        strategies = ["mine (1).py", { name = "old", from = "mine (1).py:act" }]

        [[games]]
        game = "nap"
        deals = 8
        """,
    )
    plays(shell, "new/mine (1).py", "old=new/mine (1).py:act")
    assert shell("run", "new/all.toml", "--out", "all", "-q").code == 0
    done = shell("verify", "all", "--strategies", "--strategy", "new/mine (1).py")
    assert done.code == 0 and "mine-1" in done.out, done
    done = shell("play", "nap", "mine (1).py", "random")
    assert done.code == 64 and "mine (1).py: there is no such file or folder" in done.err


def test_a_game_in_a_file_with_a_colon_is_played(shell: Shell, write: Write) -> None:
    write("at 9:30.py", 'from roundsim.games.nap import Nap\nclass Late(Nap):\n    id = "late"\n    name = "Late"\n')
    for number, game in enumerate(["at 9:30.py", "./at 9:30.py:Late"]):
        done = shell("play", game, "random", "random", "--deals", "8", "--jobs", "1", "--out", str(number), "-q")
        assert done.code == 0 and shell("verify", str(number), "--game", game).code == 0, done


def test_parameters_are_checked(write: Write) -> None:
    path = write("mine.py", f"{dedent(MINE)}\n{FIRST}")
    for text, words in (
        ("(riks=1)", r"Mine has no parameter riks \(did you mean risk\?\): it takes risk, name_of_the_dog"),
        ("(zzz=1)", "Mine has no parameter zzz: it takes"),
        ("(1)", "parameters are written key=value"),
        ("(risk)", "parameters are written key=value"),
        ("(risk=)", "parameters are written key=value"),
        ("(risk=f())", "parameters are written key=value"),
        ("(risk=1, **{})", "parameters are written key=value"),
        ("(risk=1, risk=1)", "risk is given 2 times"),
        ("(risk=1", "is not a strategy"),
        ("(risk=1)x", "is not a strategy"),
    ):
        with pytest.raises(StrategyError, match=words):
            names(f"{path}:Mine{text}")
    with pytest.raises(StrategyError, match="mine has no parameter x: it takes none"):
        names(f"{path}:act(x=1)")


@pytest.mark.parametrize(
    "value",
    one_in(4, ["1", "-1", "0.5", "True", "'é\\n'", "'a b'", "[1, 2]", "(1, 2)", "{'a': 1}", "None", "1e999", "10**9"]),
)
def test_any_plain_value_may_be_a_parameter_or_is_refused_in_words(value: str, shell: Shell, write: Write) -> None:
    write("mine.py", MINE)
    words = ["play", "nap", f"mine.py:Mine(risk={value})", "random", "--deals", "4", "--jobs", "1", "--out", "run"]
    done = shell(*words)
    assert done.code in (0, 64), done
    if done.code == 0:
        again = shell(*words)
        assert again.code == 0 and "nothing left to play" in again.out
        assert shell("standings", "run").code == shell("verify", "run").code == 0


def test_values_that_no_file_can_hold_are_refused_in_words(shell: Shell, write: Write) -> None:
    write("mine.py", MINE)
    for value in "{1}", "1j", "b'x'", "...", "[None]", "[1j]":
        done = shell("play", "nap", f"mine.py:Mine(risk={value})", "random", "--dry-run")
        assert done.code == 64 and "risk" in done.err


def test_parameters_are_part_of_the_identity_and_choose_those_who_take_them(write: Write) -> None:
    path = f"{write('mine.py', MINE)}:Mine"
    plain, risky, same = (plugins.find(f"{path}{tail}")[0] for tail in ("", "(risk=1)", "( risk = 1 )"))
    assert plain != risky == same and str(risky) == "Mine(risk=1)"
    both = plugins.find(f"{path}(risk=1, name_of_the_dog='Rex')")[0]
    assert both == plugins.find(f"{path}(name_of_the_dog='Rex', risk=1)")[0]
    assert set(names("book(bold=1)", None)) == {"book(bold=1)"}


@pytest.mark.parametrize("name", one_in(3, ["a | b", "a\\nb", "a/b, c", "", "a(b)", 5]))
def test_a_log_holds_any_name_or_it_is_refused(name: object, shell: Shell, write: Write) -> None:
    shown = f'"{name}"' if isinstance(name, str) else name
    write("mine.py", f'class Mine:\n    name = {shown}\n    games = ["nap"]\n')
    done = shell("play", "nap", "mine.py", "random", "--deals", "4", "--jobs", "1", "--out", "run")
    assert done.code in (0, 64)
    if done.code == 0:
        assert shell("verify", "run").code == 0
        assert all(re.match(r"(= )?nap/", line) for line in shell("log", "run").out.splitlines())


def weighing(write: Write, names: str = '["policy.bin"]', weights: str = "one") -> Path:
    """A strategy that reads its weights when it is loaded."""
    write("policy.bin", weights)
    read = "from pathlib import Path\nWEIGHTS = (Path(__file__).parent / 'policy.bin').read_text()"
    return write("mine.py", f"files = {names}\n{read}\n{FIRST}")


def test_without_files_the_identity_is_that_of_the_source(write: Write) -> None:
    """As it was before there were any: runs of then go on."""
    assert sha256(write("first.py", FIRST)) == "f75f60c7a87044a17d78d937eefcc5d14599178049bbad63d37e6e70c821a1f1"
    assert sha256(package(write)) == "d3383c297bcbc714913c7a55a34925d2b119a7f8cbb5ad99148eaab032f24a3c"


@pytest.mark.parametrize("source", ["mine.py", "mine/__init__.py"])
@pytest.mark.parametrize("names", ["['a.bin', 'nets/deep/b.bin']", "('nets', 'a.bin', 'nets/deep')"])
def test_files_are_part_of_the_identity(source: str, names: str, write: Write) -> None:
    module = write(source, f"{FIRST}files = {names}\n")
    folder, path = module.parent, module if source == "mine.py" else module.parent
    files = [folder / "a.bin", folder / "nets" / "deep" / "b.bin"]
    for file in files:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("one")
    (folder / "unnamed.bin").write_text("of no account")
    seen = {sha256(path)}
    for file in files:
        file.write_text("another")
        seen.add(sha256(path))
        file.write_text("one")
    module.write_text(module.read_text() + "# changed\n")
    seen.add(sha256(path))
    module.write_text(module.read_text().removesuffix("# changed\n"))
    (folder / "unnamed.bin").write_text("changed")
    assert len(seen) == 4 and sha256(path) in seen


def test_a_folder_among_files_is_all_that_is_in_it_but_bytecode(write: Write) -> None:
    path = write("mine.py", f"files = ['nets']\n{FIRST}")
    write("nets/a.bin", "one")
    first = sha256(path)
    write("nets/__pycache__/helper.cpython-311.pyc", "one")
    assert sha256(path) == first
    write("nets/deep/b.bin", "one")
    second = sha256(path)
    (path.parent / "nets" / "a.bin").rename(path.parent / "nets" / "c.bin")
    assert len({first, second, sha256(path)}) == 3


def test_the_same_files_elsewhere_make_the_same_strategy(write: Write) -> None:
    for place in ("one", "two"):
        write(f"{place}/policy.bin", "one")
        write(f"{place}/mine.py", f"files = ['./policy.bin']\n{FIRST}")
    one, two = (plugins.find(str(write(f"{place}/notes").parent / "mine.py"))[0] for place in ("one", "two"))
    assert one.sha256 == two.sha256


def test_files_of_a_linked_module_are_next_to_the_module_itself(shell: Shell, write: Write) -> None:
    weighing(write).rename(write("deep/notes").parent / "mine.py")
    Path("policy.bin").rename("deep/policy.bin")
    Path("link.py").symlink_to("deep/mine.py")
    plays(shell, "link.py", "random")


def test_files_may_be_written_as_python_has_it(write: Write) -> None:
    """A local name of a function is not `files`."""
    lines = "files: list[str] = ['policy.bin']", "files = []\nfiles += ['policy.bin']", "files = ('policy.bin',)"
    for at, line in enumerate(lines):
        weights, path = write("policy.bin", "one"), write(f"mine{at}.py", f"{line}\n{FIRST}")
        before = sha256(path)
        weights.write_text("another")
        assert sha256(path) != before
    assert names(str(write("mine.py", "def act(view):\n    files = view.legal\n    return files[0]\n"))) == ["mine"]


@pytest.mark.parametrize("source", ["mine.py", "mine/__init__.py"])
def test_wrong_files_are_reported_before_anything_is_executed(source: str, shell: Shell, write: Write) -> None:
    folder = write(source).parent
    for name in ("nets/a.bin", "policy.bin"):
        write(f"{folder}/{name}")
    for value, words in (
        ("'policy.bin'", "must be a list of file names, written out"),
        ("[name for name in ()]", "must be a list of file names, written out"),
        ("['policy.bin', 1]", "must be a list of file names, written out"),
        ("{[]: 1}", "must be a list of file names, written out"),
        ("['/etc/hosts']", "names '/etc/hosts': it must lie in the folder of the module"),
        ("['nets/../policy.bin']", "names 'nets/../policy.bin': it must lie in the folder of the module"),
        ("['.']", "names '.': it must lie in the folder of the module"),
        ("['']", "names '': it must lie in the folder of the module"),
        ("['polcy.bin']", "names 'polcy.bin': no regular file next to the module (did you mean policy.bin?)"),
        ("['net/a.bin']", "names 'net/a.bin': no regular file next to the module (did you mean nets/a.bin?)"),
        ("['a\\0b']", "names 'a\\x00b': no regular file next to the module"),
        ("['\\ud800']", "names '\\ud800': no regular file next to the module"),
        (f"['{300 * 'x'}']", f"names '{300 * 'x'}': no regular file next to the module"),
    ):
        write(source, f"# ours\nfiles = {value}\n1 / 0\n")
        done = shell("play", "nap", f"./{source.removesuffix('/__init__.py')}")
        assert done.code == 66 and done.err.startswith(f"roundsim: {source}:2: files {words}"), done
        assert done.err.count("\n") == 1


@pytest.mark.parametrize("source", ["mine.py", "mine/__init__.py"])
def test_threads_are_read_without_executing_anything(source: str, write: Write) -> None:
    for line, threads in (
        ("threads = True", True),
        ("threads: bool = True", True),
        ("if True:\n    threads = True", False),
        ("threads = True\n0 = 1", False),
        ("", False),
    ):
        module = write(source, f"{line}\n1 / 0\n")
        assert threads_in(module.parent if "/" in source else module) is threads


@pytest.mark.parametrize("command", ["check", "play nap"])
def test_wrong_threads_are_reported_before_anything_is_executed(command: str, shell: Shell, write: Write) -> None:
    for value in "False", "1", "'yes'", "bool(1)", "[Thread()]":
        write("mine.py", f"# ours\nthreads = {value}\n1 / 0\n")
        done = shell(*command.split(), "mine.py")
        said = done.out + done.err
        assert done.code == 66 and said.count("mine.py:2") == 1, done
        assert "mine.py:2: threads must be True, written out: threads = True\n" in said


def test_a_file_is_not_read_for_each_shard(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    path, digest = weighing(write), Mock(side_effect=hashlib.file_digest)
    monkeypatch.setattr(hashlib, "file_digest", digest)
    first = sha256(path)
    assert sha256(path) == first and digest.call_count == 1
    write("policy.bin", "another")
    assert sha256(path) != first and digest.call_count == 2


def test_other_weights_make_another_run(shell: Shell, write: Write) -> None:
    weighing(write)
    words = ["play", "nap", "mine.py", "random", "--deals", "8", "--jobs", "1"]
    assert shell(*words).code == 0
    (first,) = Path("runs").iterdir()
    assert "nothing left to play" in shell(*words).out
    write("policy.bin", "another")
    refused = shell(*words, "--out", first)
    assert refused.code == 73
    assert f"{first} holds a different run: games[1].strategies[1].sha256 is" in refused.err
    assert shell(*words).code == 0
    assert len([*Path("runs").iterdir()]) == 2


@pytest.mark.usefixtures("in_process")  # it writes
def test_weights_that_change_in_the_middle_of_a_run_end_it(shell: Shell, write: Write) -> None:
    """Here by the strategy itself, in its first shard."""
    write("policy.bin", "one")
    write(
        "learns.py",
        """
        from pathlib import Path
        files = ["policy.bin"]
        class Learns:
            games = ["nap"]
            imagines = True
            def act(self, view):
                with open(Path(__file__).parent / "policy.bin", "a") as file:
                    file.write("learnt")
                return view.legal[0]
        """,
    )
    done = shell("play", "nap", "learns.py", "random", "--deals", "400", "--jobs", "1")
    assert done.code == 66 and "learns.py or a file that it names has changed since the run began" in done.err


def test_a_strategy_whose_source_or_weights_change_is_loaded_again(write: Write) -> None:
    path = weighing(write)
    for change in lambda: write("policy.bin", "another"), lambda: path.write_text(path.read_text() + "# changed\n"):
        before = plugins.find(str(path))[0]
        change()
        with pytest.raises(PluginError, match="mine.py or a file that it names has changed since the run began"):
            plugins.load_strategy(before)
        assert plugins.load_strategy(plugins.find(str(path))[0]).__globals__["WEIGHTS"] == "another"
    path.write_text("class Two:\n    games = ['nap']\n")
    assert names(str(path)) == ["Two"]


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize(
    ("text", "words"),
    one_in_with(
        8,
        [
            ("import not_there\n", "ModuleNotFoundError: No module named 'not_there'\n  mine.py:1 in <module>"),
            ("def act(view:\n    pass\n", "SyntaxError: '(' was never closed"),
            ("x = 1\n  y = 2\n", "IndentationError: unexpected indent"),
            ("def f():\n    1 / 0\n\nf()\n", "ZeroDivisionError: division by zero\n  mine.py:4 in <module>: f()\n"),
            ("import sys\nsys.exit(3)\n", "SystemExit: 3"),
            ("raise KeyError('x')\n", "KeyError: 'x'"),
            ("class E(Exception):\n    def __str__(self):\n        raise ValueError\nraise E\n", "E"),
            ("def f():\n    f()\nf()\n", "RecursionError"),
            ("\0\n", "SyntaxError: source code"),
        ],
    ),
    ids=range(9),
)
def test_a_module_that_cannot_be_loaded_is_reported(text: str, words: str, shell: Shell, write: Write) -> None:
    write("mine.py", text)
    done = shell("play", "nap", "mine.py")
    assert done.code == 66 and done.err.startswith("roundsim: mine.py cannot be loaded: ") and words in done.err
    frames = [line for line in done.err.splitlines()[1:] if line.startswith("  ")]
    assert all(line.startswith("  mine.py:") and ":None" not in line for line in frames), frames
    assert len(frames) < 20


def test_a_package_that_cannot_be_loaded_is_reported(shell: Shell, write: Write) -> None:
    pack = package(write)
    (pack / "words.py").write_text("FIRST = 1 / 0\n")
    done = shell("play", "nap", "./pack")
    assert done.code == 66 and "pack/words.py:1 in <module>: FIRST = 1 / 0" in done.err
    (pack / "__init__.py").write_text("def act(view:\n")
    done = shell("play", "nap", "./pack")
    assert done.code == 66 and "SyntaxError" in done.err and "pack/__init__.py:1" in done.err
    assert shell("strategies", "./").code == 66


def test_games_must_be_a_list_of_games_and_none_or_a_star_is_every_game(shell: Shell, write: Write) -> None:
    for games in '"nap"', "5", "None", "[1]", '["nap", "poker"]', '["napp"]':
        write("mine.py", f"class Mine:\n    games = {games}\n")
        done = shell("play", "nap", "mine.py", "random", "--dry-run")
        assert done.code in (64, 66) and "mine.py" in done.err and "Mine" in done.err
    assert "did you mean nap?" in done.err
    path = write("mine.py", "class Star:\n    games = ['*']\nclass Act:\n    def act(self, view): ...\n")
    for game in ("nap", "pope-joan", "draw-poker"):
        assert names(str(path), game) == ["Star", "Act"]


@pytest.mark.soak
def test_a_module_that_is_never_loaded(shell: Shell, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "LOAD_SECONDS", 1)
    write("endless.py", "while True:\n    pass\n")
    done = shell("play", "nap", "endless.py", "random")
    assert done.code == 66 and "endless.py cannot be loaded: not loaded within 1 s" in done.err
