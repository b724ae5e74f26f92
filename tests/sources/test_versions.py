"""Two versions of one strategy at one table: names that users give to strategies, and versions out of git."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import textwrap
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from conftest import SURROUNDINGS, Git, Shell, Write
from helpers.command import assert_same, contents, one_in_with

from roundsim.base.errors import StrategyError
from roundsim.sources import commits, plugins

pytestmark = pytest.mark.usefixtures("here")

FIRST = """
    class MyNap:
        "Plays the first that is legal."
        games = ["nap"]

        def __init__(self, bold=0):
            self.bold = bold

        def act(self, view):
            return view.legal[0]
    """
LAST = FIRST.replace("legal[0]", "legal[-1]")
CRASH = FIRST.replace("return view.legal[0]", "raise KeyError(self.bold)")
FEW = ("--deals", "12", "--jobs", "1")


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose first commit, `v1`, plays the first legal action, and the second one the last."""
    folder = tmp_path_factory.mktemp("repository")

    def git(*words: str) -> None:
        subprocess.run(["git", "-C", folder, *words], env={**os.environ, **SURROUNDINGS}, check=True)

    git("init", "-q", "-b", "main", "--template=")
    (folder / "games/nap").mkdir(parents=True)
    for name in "mine.py", "games/nap/mine.py":
        (folder / name).write_text(textwrap.dedent(FIRST))
    git("add", "mine.py", "games")
    git("commit", "-qm", "one")
    git("tag", "v1")
    (folder / "mine.py").write_text(textwrap.dedent(LAST))
    git("commit", "-qam", "two")
    return folder


@pytest.fixture
def history(repository: Path, git: Git, shell: Shell, tmp_path: Path) -> Git:
    """A copy of the repository in the test's folder."""
    shutil.copytree(repository, tmp_path, dirs_exist_ok=True)
    return git


def labels(out: str) -> set[str]:
    """The strategies of the standings."""
    header, *lines = out[out.index(" rank ") :].splitlines()
    return {line[header.index("strategy") :].split()[0] for line in lines if re.match(r" (\d|-  )", line)}


def test_a_tournament_file_names_them_in_tables(shell: Shell, write: Write) -> None:
    write("cup/mine.py", FIRST)
    write("cup/old/mine.py", LAST)
    file = write(
        "cup/cup.toml",
        """
        [tournament]
        strategies = ["new=mine.py", { name = "old", from = "old/mine.py(bold=1)" }]
        [[games]]
        game = "nap"
        deals = 12
        """,
    )
    done = shell("run", file, "--jobs", "1")
    assert done.code == 0 and labels(done.out) == {"new", "old"}


def test_the_refusal_of_two_of_one_name_says_how_to_name_them(shell: Shell, write: Write) -> None:
    write("new/mine.py", FIRST)
    write("old/mine.py", LAST)
    done = shell("play", "nap", "new/mine.py", "old/mine.py", *FEW)
    assert done.code == 64
    assert "two strategies are called MyNap: new/mine.py and old/mine.py; give them names," in done.err
    assert "new=new/mine.py old=old/mine.py" in done.err
    assert '{ name = "old", from = "old/mine.py" }' in done.err
    assert shell("play", "nap", "new=new/mine.py", "old=old/mine.py", *FEW).code == 0


def test_one_name_is_for_one_strategy_only(shell: Shell, write: Write) -> None:
    # The name of a house strategy is free where that does not play.
    write("one.py", FIRST)
    write("two.py", "class B:\n    games = ['nap']\nclass C(B):\n    pass\n")
    for one, other, words in (
        ("a=one.py", "a=two.py:B", "two strategies are called a: one.py and two.py:B;"),
        ("a=two.py:B", "a=two.py:C", "two strategies are called a: two.py:B and two.py:C;"),
        ("a=one.py(bold=1)", "a=one.py", "two strategies are called a: one.py:MyNap(bold=1) and one.py:MyNap;"),
        ("book=one.py", "book", "two strategies are called book: one.py and book;"),
    ):
        done = shell("play", "nap", one, other, "--dry-run")
        assert done.code == 64 and words in done.err
    assert "a, a#2" in shell("play", "nap", "a=one.py(bold=1)", "a=one.py(bold=1)", "--dry-run").out
    assert labels(shell("play", "nap", "book=one.py", "random", *FEW).out) == {"book", "random"}
    write("two.py", "class B:\n    games = ['nap']\nclass C:\n    games = ['nap']\n")
    done = shell("play", "nap", "new=two.py", "random", "--dry-run")
    assert done.code == 64 and "new=two.py: a name is for one of B, C: new=two.py:B" in done.err
    assert "C, random" in shell("play", "nap", "C=two.py:C", "random", "--dry-run").out


@pytest.mark.parametrize(
    ("before", "now", "words"),
    [
        ("a=two.py:B", "a=two.py:C", "attribute is 'B' there, 'C' here"),
        ("MyNap=one.py(bold=1)", "one.py(bold=1)", "attribute is 'MyNap' there, None here"),
    ],
)
def test_another_strategy_of_a_name_makes_a_run(before: str, now: str, words: str, shell: Shell, write: Write) -> None:
    write("one.py", FIRST)
    write("two.py", "class B:\n    games = ['nap']\nclass C(B):\n    pass\n")
    assert shell("play", "nap", before, "random", *FEW, "--out", "run").code == 0
    done = shell("play", "nap", now, "random", *FEW, "--out", "run")
    assert done.code == 73 and words in done.err


def test_a_name_is_a_letter_and_some_more_and_a_path_with_an_equals_sign_has_a_slash(write: Write) -> None:
    path = write("one.py", FIRST)
    for name in "", "2", "a b", "random#2", '"x"', "-x", "a" * 41, "x\n":
        with pytest.raises(StrategyError, match="cannot be the name of a strategy: a letter first"):
            plugins.find(f"{name}={path}", "nap")
    for name in "new", "v1.2", "a_b-c", "Éva", "a" * 40:
        (found,) = plugins.find(f"{name}={path}(bold=2)", "nap")
        assert str(found) == name and found.parameters == (("bold", 2),)
    path = write("a=b.py", FIRST)
    assert [str(each) for each in plugins.find("./a=b.py", "nap", path.parent)] == ["MyNap"]


def test_a_wrong_table_is_reported_with_its_line(shell: Shell, write: Write) -> None:
    write("one.py", FIRST)
    for table, words in (
        ('{ name = "old" }', "a strategy is a text, or a table { name = "),
        ('{ name = "old", from = 1 }', "a strategy is a text, or a table { name = "),
        ('{ name = "old", from = "one.py", bold = 1 }', "a strategy is a text, or a table { name = "),
        ('{ name = "a/b", from = "one.py" }', "'a/b' cannot be the name of a strategy"),
        ('{ name = "a=b", from = "one.py" }', "'a=b' cannot be the name of a strategy"),
        ('{ name = "old", from = "two.py" }', "two.py: there is no such file or folder"),
        ('{ name = "old", from = "git:HEAD" }', "'git:HEAD' is not git:REVISION:PATH"),
    ):
        file = write("cup.toml", f'[[games]]\ngame = "nap"\nstrategies = ["random", {table}]\n')
        done = shell("run", file)
        assert done.code == 64 and f"cup.toml:3: {words}" in done.err


@pytest.mark.soak
def test_a_version_out_of_git_plays_in_every_command(history: Git, shell: Shell, write: Write) -> None:
    """It plays under its name against one that is at fault."""
    write("mine.py", CRASH)
    play = "play", "nap", "new=mine.py", "old=git:HEAD~1:mine.py:MyNap(bold=1)", *FEW, "--out", "run"
    done = shell(*play)
    assert done.code == 2 and labels(done.out) == {"new", "old"}
    assert "faults: new: exception 12 times, first in nap/1/1/1: KeyError: 0" in done.err
    assert done.out.splitlines()[-1] == (
        "repeat   roundsim play nap new=mine.py 'old=git:HEAD~1:mine.py:MyNap(bold=1)' --seed 1 --deals 12 --out run"
    )
    assert labels(shell("standings", "run").out) == {"new", "old"} and shell("verify", "run").code == 0
    assert 'name = "old"' in Path("run/run.toml").read_text() and '"new"' in Path("run/faults.jsonl").read_text()
    for text, same in ("old=git:v1:mine.py(bold=1)", True), ("old=git:main:mine.py", False):
        again = shell("replay", "run:nap/1/1/1", "--strategy", text)
        assert again.code == 0 and ("old answers the same everywhere" in again.out) == same
    assert "nothing left to play" in shell(*play).out
    listed = shell("strategies", "old=git:HEAD~1:mine.py")
    assert listed.code == 0 and listed.out.splitlines()[1].startswith("old ")
    assert shell("check", "git:HEAD~1:mine.py", "--deals", "4").code == 0


@pytest.mark.soak
def test_a_run_is_the_same_wherever_its_version_came_from(
    history: Git, shell: Shell, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("old/mine.py", CRASH)
    history("add", "old")
    history("commit", "-qm", "three")
    words = "--deals", "24", "--jobs", "1"
    assert shell("play", "nap", "new=mine.py", "old=old/mine.py", *words, "--out", "copy").code == 2
    shutil.rmtree("old")
    assert shell("play", "nap", "new=mine.py", "old=git:main:old/mine.py", *FEW, "--out", "git").code == 2
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other place"))
    assert shell("play", "nap", "new=mine.py", "old=git:HEAD:old/mine.py", *words, "--out", "git").code == 2
    assert_same(Path("copy"), Path("git"))
    assert "mine.py:9 in act" in Path("git/faults.jsonl").read_text()
    assert not [name for name, data in contents(Path("git")).items() if os.fsencode(tmp_path) in data]


def test_a_tournament_file_takes_versions_from_the_repository_around_it(
    history: Git, shell: Shell, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = '{ name = "old", from = "git:v1:mine.py(bold=1)" }'
    file = write("cup.toml", f'[[games]]\ngame = "nap"\nstrategies = ["new=mine.py", {table}]\n')
    monkeypatch.chdir("/")
    assert labels(shell("run", file, *FEW, "--out", tmp_path / "run").out) == {"new", "old"}


def source_of(text: str) -> str:
    """The source of the strategy of Nap that a text names."""
    (strategy,) = plugins.find(text, "nap")
    path = Path(strategy.path)
    return (path / "__init__.py" if path.is_dir() else path).read_text()


def test_revisions_are_those_of_git_and_paths_of_the_current_folder_or_the_root(history: Git) -> None:
    for revision in "v1", "main~1", "HEAD^", "main@{1}", "HEAD^{/one}", history("rev-parse", "v1")[:12]:
        assert "legal[0]" in source_of(f"git:{revision}:mine.py")
    os.chdir("games/nap")
    assert "legal[0]" in source_of("git:HEAD:mine.py") and "legal[-1]" in source_of("git:HEAD:../../mine.py")
    assert "legal[0]" in source_of("git:HEAD:./mine.py") and "legal[0]" in source_of("git:HEAD:games/nap/mine.py")
    os.chdir("..")
    assert "legal[-1]" in source_of("git:HEAD:mine.py") and "legal[0]" in source_of("git:v1:mine.py")


def test_a_package_and_a_folder_of_files_come_out_of_git(history: Git, shell: Shell, write: Write) -> None:
    write("player/__init__.py", "from .inner.help import lowest as act\n")
    write("player/inner/__init__.py", "")
    write("player/inner/help.py", "def lowest(view):\n    return view.legal[0]\n")
    write("field/one.py", FIRST)
    write("field/two.py", "def act(view):\n    return view.legal[-1]\n")
    history("add", "player", "field")
    history("commit", "-qm", "three")
    shutil.rmtree("player")
    shutil.rmtree("field")
    assert labels(shell("play", "nap", "git:main:player", "random", *FEW).out) == {"player", "random"}
    assert labels(shell("play", "nap", "git:main:field/", "random", *FEW).out) == {"MyNap", "two", "random"}
    assert shell("play", "nap", "all=git:main:field", "random", "--dry-run").code == 64


def test_a_file_comes_with_the_modules_and_the_files_that_it_needs(history: Git, shell: Shell, write: Write) -> None:
    write(
        "reader.py",
        """
        import sys
        from pathlib import Path

        sys.path.insert(0, str(Path(__file__).parent))
        from lot_of_the_reader import of_the_lot

        files = ["at.txt", "weights", "./more//deep.txt", "lot_of_the_reader.py"]
        LOT = [int((Path(__file__).parent / name).read_text()) for name in ("at.txt", "weights/a/b.txt", "more/deep.txt")]

        def act(view):
            return view.legal[of_the_lot(LOT)]
        """,
    )
    write("lot_of_the_reader.py", "of_the_lot = sum\n")
    for name in "at.txt", "weights/a/b.txt", "more/deep.txt", "unnamed.txt":
        write(name, "0\n")
    history("add", ".")
    history("commit", "-qm", "reader")
    before = plugins.find("reader.py", "nap")[0]
    for name in "reader.py", "lot_of_the_reader.py", "at.txt", "weights/a/b.txt", "more/deep.txt":
        Path(name).unlink()
    assert labels(shell("play", "nap", "git:HEAD:reader.py", "random", *FEW).out) == {"reader", "random"}
    (after,) = plugins.find("git:HEAD:reader.py", "nap")
    assert after.sha256 == before.sha256
    there = {path.name for path in Path(after.path).parent.rglob("*") if path.is_file() and path.suffix != ".pyc"}
    assert there == {"reader.py", "lot_of_the_reader.py", "mine.py", "at.txt", "b.txt", "deep.txt"}


@pytest.mark.parametrize(
    ("text", "code", "words"),
    one_in_with(
        3,
        [
            ("git:HEAD~1", 64, "'git:HEAD~1' is not git:REVISION:PATH, as git:HEAD~1:mine.py"),
            ("git:", 64, "'git:' is not git:REVISION:PATH"),
            ("git::mine.py", 64, "'git::mine.py' is not git:REVISION:PATH"),
            ("git:HEAD:", 64, "'git:HEAD:' is not git:REVISION:PATH"),
            ("git:--help:mine.py", 64, "no revision begins with a dash"),
            ("git:HEAD\n:mine.py", 64, "is not git:REVISION:PATH"),
            ("git:HEAD~7:mine.py", 66, "git:HEAD~7:mine.py: no revision HEAD~7 in this repository"),
            ("git:mian:mine.py", 66, "no revision mian in this repository (did you mean main?)"),
            ("git:HEAD..main:mine.py", 66, "no revision HEAD..main in this repository"),
            ("git:HEAD^{tree}:mine.py", 66, "no revision HEAD^{tree} in this repository"),
            ("git:v1:mien.py", 66, "git:v1:mien.py: no file or folder mien.py in commit "),
            ("git:v1:mien.py", 66, "(did you mean mine.py?)"),
            ("git:v1:game/nap", 66, "(did you mean games/nap?)"),
            ("git:v1:../mine.py", 66, "no file or folder ../mine.py in commit"),
            ("git:v1:/etc/passwd", 66, "no file or folder /etc/passwd in commit"),
            ("git:v1:link.py", 66, "no file or folder link.py in commit"),
            ("git:v1:mine.py:Yours", 64, "git:v1:mine.py:Yours: no strategy in it is called Yours"),
            ("git:v1:mine.py(blod=1)", 64, "MyNap has no parameter blod (did you mean bold?)"),
            ("git:HEAD:broken.py", 66, "broken.py cannot be loaded: ZeroDivisionError"),
        ],
    ),
)
def test_a_version_that_is_not_there_is_reported(
    text: str, code: int, words: str, history: Git, shell: Shell, write: Write, tmp_path: Path
) -> None:
    write("broken.py", "1 / 0\n")
    (tmp_path / "link.py").symlink_to("mine.py")
    history("add", "broken.py", "link.py")
    history("commit", "-qm", "three")
    done = shell("play", "nap", text.replace("v1:link", "HEAD:link"), "random", "--dry-run")
    assert done.code == code and words in done.err and done.err.count("roundsim:") == 1


def test_a_missing_repository_commit_or_git_is_reported(
    history: Git, shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(words: str) -> None:
        done = shell("play", "nap", "git:HEAD:mine.py", "random")
        assert done.code == 66 and words in done.err

    with monkeypatch.context() as patch:
        patch.setenv("PATH", "/nowhere")
        refused("git:HEAD:mine.py: git cannot be called, is it installed?")
    shutil.rmtree(tmp_path / ".git")
    refused("git:HEAD:mine.py: git says: not a git repository")
    history("init", "-q")
    refused("no revision HEAD in this repository")


def test_the_environment_and_configuration_of_git_do_not_change_a_version(
    history: Git, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("other/mine.py", FIRST.replace("legal[0]", "legal[1]"))
    other = tmp_path / "other"
    history("init", "-q", "-b", "main", folder=other)
    history("add", "mine.py", folder=other)
    history("commit", "-qm", "other", folder=other)
    history("replace", "HEAD:mine.py", "v1:mine.py")
    hook = write("hook", "#!/bin/sh\ntouch was-called\n")
    hook.chmod(0o755)
    config = {"core.fsmonitor": hook, "core.pager": hook, "pager.ls-tree": hook, "alias.ls-tree": f"!{hook}"}
    for key, value in config.items():
        history("config", key, value)
    places = {"GIT_DIR": other / ".git", "GIT_WORK_TREE": other, "GIT_OBJECT_DIRECTORY": other / ".git/objects"}
    for key, value in {**places, "GIT_TRACE": 1}.items():
        monkeypatch.setenv(key, str(value))
    assert "legal[-1]" in source_of("git:main:mine.py") and not Path("was-called").exists()


def test_a_clone_fetches_nothing(history: Git, shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    history("config", "uploadpack.allowFilter", "true")
    history("clone", "-q", "--no-checkout", "--filter=blob:none", f"file://{tmp_path}", tmp_path / "clone")
    monkeypatch.chdir("clone")
    done = shell("play", "nap", "git:HEAD:mine.py", "random")
    assert done.code == 66 and done.err.startswith("roundsim: git:HEAD:mine.py: ") and done.err.count("\n") == 1


def test_a_damaged_version_is_taken_out_of_git_again(history: Git, cache: Path) -> None:
    """An undamaged one is used again."""
    (strategy,) = plugins.find("git:v1:mine.py", "nap")
    file = Path(strategy.path)
    before = file.stat()
    assert plugins.find("git:HEAD~1:mine.py", "nap") == [strategy]
    assert file.stat().st_mtime_ns == before.st_mtime_ns and len([*cache.iterdir()]) == 1
    good = file.read_text()

    def replace_by(what: str) -> None:
        file.unlink()
        if what == "folder":
            file.mkdir()
        elif what == "link":
            file.symlink_to("nowhere")

    damage: list[Callable[[], object]] = [
        lambda: file.write_text(good.replace("legal[0]", "legal[-1]")),
        lambda: file.write_bytes(b""),
        lambda: (file.parent / "more.py").write_text("1 / 0\n"),
        partial(shutil.rmtree, file.parent),
        *[partial(replace_by, what) for what in ("nothing", "folder", "link")],
    ]
    for do in damage:
        do()
        assert plugins.find("git:v1:mine.py", "nap") == [strategy] and "legal[0]" in source_of("git:v1:mine.py")
        assert [each.name for each in cache.iterdir()] == [file.parent.name]
        assert [each.name for each in file.parent.iterdir() if each.suffix] == ["mine.py"]


def test_an_interruption_leaves_no_half_version(history: Git, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*given: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", killed)
        patch.setattr(TemporaryDirectory, "cleanup", killed)
        with pytest.raises(KeyboardInterrupt):
            plugins.find("git:v1:mine.py", "nap")
    assert all(each.name.startswith(".") for each in cache.iterdir())
    assert "legal[0]" in source_of("git:v1:mine.py")


def test_another_process_may_keep_it_first(history: Git, monkeypatch: pytest.MonkeyPatch) -> None:
    plugins.find("git:v1:mine.py", "nap")
    rename, holds, looked = Path.rename, commits.has_files, []

    def not_yet(*given: Any) -> bool:
        looked.append(given)
        return len(looked) > 1 and holds(*given)

    def stays(path: Path, target: Path) -> None:
        if target.name == "old":
            raise FileNotFoundError
        rename(path, target)

    monkeypatch.setattr(commits, "has_files", not_yet)
    monkeypatch.setattr(Path, "rename", stays)
    assert "legal[0]" in source_of("git:v1:mine.py") and len(looked) == 2


def test_a_cache_must_be_a_folder_with_a_whole_path(
    history: Git, shell: Shell, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise it is the usual one."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(write("file", "")))
    done = shell("play", "nap", "git:v1:mine.py", "random")
    assert done.code == 73 and "git:v1:mine.py cannot be kept in " in done.err
    monkeypatch.setenv("XDG_CACHE_HOME", "cache")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (strategy,) = plugins.find("git:v1:mine.py", "nap")
    assert Path(strategy.path).is_relative_to(tmp_path / "home/.cache/roundsim/git")


def test_a_damaged_repository_is_reported(history: Git, shell: Shell, tmp_path: Path) -> None:
    id = history("rev-parse", "v1:mine.py")
    there = tmp_path / ".git/objects" / id[:2] / id[2:]
    there.chmod(0o644)
    other = history("rev-parse", "main:mine.py")
    shutil.copyfile(tmp_path / ".git/objects" / other[:2] / other[2:], there)
    done = shell("play", "nap", "git:v1:mine.py", "random")
    assert done.code == 66 and "git:v1:mine.py: " in done.err and "HEAD" not in done.err
    there.unlink()
    done = shell("play", "nap", "git:v1:mine.py", "random")
    assert done.code == 66 and f"{id} is missing or damaged in this repository" in done.err
