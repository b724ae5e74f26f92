"""Sources, run folders and scripts are read only where they are regular files of limited size, within their folder."""

from __future__ import annotations

import ctypes
import json
import os
import resource
import shutil
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Timer

import pytest
import tomli_w
from conftest import Git, Outcome, Shell, Write
from helpers.command import PATIENCE, one_in, roundsim
from helpers.planned import planned

from roundsim.base import files
from roundsim.base.errors import PluginError
from roundsim.base.finding import sha256
from roundsim.bridges.dask_sources import pack_tournament
from roundsim.running import Run
from roundsim.sandbox.kinds import PICKED, Sandbox
from roundsim.sandbox.paths import visible_parts
from roundsim.tournament.storage import writer
from roundsim.tournament.storage.folder import RunFolder

pytestmark = pytest.mark.usefixtures("met")

FIRST = "def act(view):\n    return view.legal[0]\n"
SECRET = "PRIVATE-KEY-OF-THE-HOST"
BOT = 'name = "mine"\ncommand = "sh bot.sh"\nfiles = ["data"]\n'
SPACE = 1 << 29  # bytes of memory that a test may take besides what it has
OUT = "it is a link that leads out of its folder"
NOWHERE = "it is a link that leads nowhere"
Make = Callable[[Path], object]


@pytest.fixture(autouse=True)
def little_memory() -> Iterator[None]:
    """Reading without end raises a MemoryError before it takes all memory of the machine."""
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    before = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (taken + SPACE, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


FIFOS: list[tuple[Timer, list[bool]]] = []


@pytest.fixture(autouse=True)
def no_fifo_is_awaited() -> Iterator[None]:
    """A test that waits for a FIFO goes on after a while, and fails."""
    yield
    while FIFOS:
        timer, waited = FIFOS.pop()
        timer.cancel()
        assert not waited


def fifo(path: Path) -> None:
    def let_go() -> None:
        os.close(os.open(whole, os.O_WRONLY | os.O_NONBLOCK))  # OSError if nobody waits
        waited.append(True)

    os.mkfifo(path)
    whole, waited = path.absolute(), list[bool]()
    timer = Timer(PATIENCE / 10, let_go)
    timer.daemon = True
    timer.start()
    FIFOS.append((timer, waited))


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as there:
        before = os.getcwd()
        os.chdir(path.parent)  # the name of a socket is short
        there.bind(path.name)
        os.chdir(before)


def large(path: Path) -> None:
    """More than may be read of anything; it takes no room."""
    with path.open("wb") as file:
        file.truncate(files.DATA + 1)


def secret(path: Path) -> None:
    outside = Path("secret").absolute()
    outside.write_text(f"{SECRET} = [\n")
    path.symlink_to(outside)


ODD: dict[str, tuple[Make, str]] = {
    "a FIFO": (fifo, "it is a FIFO, not a regular file"),
    "a socket": (listening, "it is a socket, not a regular file"),
    "a loop": (lambda path: path.symlink_to(path.name), "Too many levels of symbolic links"),
    "a link to nothing": (lambda path: path.symlink_to("nothing"), "No such file or directory"),
    "too large": (large, "it is larger than"),
}
LINKS: dict[str, tuple[Make, str]] = {
    "a link to a device": (lambda path: path.symlink_to("/dev/zero"), OUT),
    "a link to a secret": (secret, OUT),
    "a link to the folder above": (lambda path: path.symlink_to(".."), OUT),
}
NAMED = LINKS | ODD | {what: (ODD[what][0], NOWHERE) for what in ("a loop", "a link to nothing")}


def refused(done: Outcome, *words: str) -> None:
    """Check that there is one message, which shows nothing of a secret."""
    code, out, err = done
    assert code == 66, done
    assert all(each in out + err for each in words), done
    assert SECRET not in out + err and err.count("roundsim:") <= 1


PLACES = {  # by the path of a file, the source that has it, and the refusal of that
    "pack/odd.py": ("./pack", "roundsim: pack/odd.py cannot be loaded: "),
    "files/data": ("./files", "files/__init__.py:1: files names 'data': "),
    "m/data": ("m/mine.py", "m/mine.py:1: files names 'data': "),
    "m/nets/data": ("m/netted.py", "m/netted.py:1: files names 'nets/data': "),
    "bot/data": ("./bot", "bot/bot.toml:3: files names 'data': "),
    "mine/bot.toml": ("./mine", "mine/bot.toml: "),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_file_that_is_not_regular_is_refused(place: str, shell: Shell, write: Write) -> None:
    """No module is a folder, and links to folders are left out of a folder of files."""
    for name in "files/__init__.py", "m/mine.py":
        write(name, f"files = ['data']\n{FIRST}")
    write("m/netted.py", f"files = ['nets']\n{FIRST}")
    write("bot/bot.toml", BOT)
    for name in "m/nets/x", "bot/bot.sh", "mine/bot.sh", "pack/folder.py/x":
        write(name)
    write("pack/__init__.py", FIRST)
    source, refusal = PLACES[place]
    for what, (make, words) in NAMED.items():
        make(Path(place))
        done = shell("play", "nap", source, "random", "--dry-run")
        if what == "a link to the folder above" and place in ("pack/odd.py", "m/nets/data"):
            assert done.code == 0, done
        else:
            refused(done, "larger than " if what == "too large" else refusal + words)
        Path(place).unlink()


@pytest.mark.parametrize("what", NAMED)
def test_a_bot_toml_that_is_named_may_be_a_link_to_a_file(what: str, shell: Shell, write: Write) -> None:
    make, words = NAMED[what]
    write("mine/bot.sh")
    make(Path("mine/bot.toml"))
    done = shell("play", "nap", "mine/bot.toml")
    if words == NOWHERE or what == "a link to the folder above":
        assert done.code == 64
    else:
        refused(done, f"mine/bot.toml{' cannot be read' * (what == 'too large')}: {words}")


@pytest.mark.parametrize("what", ODD)
def test_a_source_in_a_folder_must_be_a_regular_file(what: str, shell: Shell, write: Write) -> None:
    make, words = ODD[what]
    write("d/good.py", FIRST)
    make(Path("d/odd.py"))
    words = f"d/odd.py cannot be loaded: {words}"
    one_line = "" if what == "too large" else "\n"
    refused(shell("play", "nap", "./d", "random", "--dry-run"), f"roundsim: {words}{one_line}")
    listed = shell("strategies", "./d")
    refused(listed, words)
    assert "d/good.py" in listed.out
    refused(shell("check", "./d"), words)


@pytest.mark.parametrize("name", ["x.py", "x", "bot"])
def test_a_source_in_a_folder_that_lies_elsewhere_is_not_read(name: str, shell: Shell, write: Write) -> None:
    """A module, a package, a bot."""
    write("d/good.py", FIRST)
    write("elsewhere/x/__init__.py", f"{SECRET} = [\n")
    write("elsewhere/bot/bot.toml", SECRET)
    secret(Path("elsewhere/x.py"))
    Path("d", name).symlink_to(f"../elsewhere/{name}")
    inner = "bot/bot.toml" if name == "bot" else name
    for command in ["play", "nap"], ["strategies"], ["check"]:
        refused(shell(*command, "./d"), f"./d: {inner} is a link that leads out of it: name it by its own path")


def test_a_named_source_may_be_a_link_but_folders_and_circles_are_no_sources(shell: Shell, write: Write) -> None:
    # Its files are in the folder in which it really lies.
    write("there/mine.py", f"files = ['data']\n{FIRST}")
    write("there/data")
    write("field/other.py", FIRST)
    Path("link.py").symlink_to("there/mine.py")
    Path("linked").symlink_to("field")
    assert shell("play", "nap", "link.py", "random", "./linked", "--dry-run").code == 0
    write("d/good.py", FIRST)
    before = shell("strategies", "./d")
    Path("d/folder.py").mkdir()
    Path("d/d").symlink_to(".")
    assert shell("strategies", "./d") == before and before.code == 0


def unprivileged() -> None:
    """Root, too, is refused what the mode of a file forbids."""
    for capability in 1, 2:  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
        ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP; nobody else has it


@pytest.mark.soak
@pytest.mark.parametrize(
    ("closed", "named", "words"),
    [
        ("mine/sub", "./mine", "mine/sub cannot be loaded: Permission denied"),
        ("mine", "./mine", "mine cannot be loaded: Permission denied"),
        ("nets/sub", "mine.py", "mine.py:1: files names 'nets': nets/sub: Permission denied"),
    ],
)
def test_an_unreadable_folder_is_reported(closed: str, named: str, words: str, write: Write, tmp_path: Path) -> None:
    write("mine/__init__.py", FIRST)
    write("mine/sub/inner.py", "x = 1\n")
    write("nets/sub/net")
    write("mine.py", f"files = ['nets']\n{FIRST}")
    Path(tmp_path, closed).chmod(0)
    try:
        done = roundsim("strategies", named, cwd=tmp_path, code=66, before=unprivileged)
    finally:
        Path(tmp_path, closed).chmod(0o755)
    assert done.stderr == f"roundsim: {words}\n"


@pytest.mark.soak
def test_modules_may_be_links_within_their_package(shell: Shell, write: Write) -> None:
    path = write("mine/__init__.py", f"from . import other\n{FIRST}").parent
    write("mine/other.py", "x = 1\n")
    before = sha256(path)
    (path / "other.py").rename(path / "real")
    (path / "other.py").symlink_to("real")
    (path / "mine").symlink_to(".")
    assert sha256(path) == before
    assert shell("play", "nap", "./mine", "random", "--deals", "4", "--jobs", "1").code == 0


def test_an_init_that_lies_elsewhere_is_refused(shell: Shell, write: Write) -> None:
    write("mine/x")
    write("secret.py", f"{SECRET} = 1\n1 / 0\n")
    Path("mine/__init__.py").symlink_to("../secret.py")
    refused(shell("play", "nap", "./mine", "--dry-run"), f"mine/__init__.py cannot be loaded: {OUT}")


COMMANDS: dict[str, list[str]] = {
    "play": ["play", "nap", "d/mine.py", "random"],
    "check": ["check", "d/mine.py"],
    "strategies": ["strategies", "d/mine.py"],
    "run": ["run", "cup.toml"],
    "gate": ["gate", "nap", "new=d/mine.py", "old=book"],
    "grow": ["grow", "run", "--strategy", "d/mine.py"],
    "a game": ["rules", "d/mine.py:Mine"],
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_every_command_refuses_a_link_to_outside(command: list[str], shell: Shell, write: Write, parlour: Run) -> None:
    write("d/mine.py", f"files = ['data']\nprint(open('d/data').read())\n{FIRST}")
    write("cup.toml", '[[games]]\ngame = "nap"\nstrategies = ["d/mine.py", "random"]\n')
    shutil.copytree(parlour.folder, "run")
    secret(Path("d/data"))
    refused(shell(*command), f"d/mine.py:1: files names 'data': {OUT}")


def test_a_name_is_not_looked_for_outside(shell: Shell, write: Write) -> None:
    """No name is suggested from a folder that is not the strategy's."""
    write("d/mine.py", f"files = ['there/secrt']\n{FIRST}")
    write("elsewhere/secret")
    Path("d/there").symlink_to("../elsewhere")
    done = shell("play", "nap", "d/mine.py")
    refused(done, "no regular file next to the module")
    assert "did you mean" not in done.err


@pytest.mark.soak
def test_a_link_to_a_file_within_is_read_under_its_name(seal: Sandbox, tmp_path: Path, write: Write) -> None:
    """The file that it leads to counts."""
    read = "from pathlib import Path\nTEXT = (Path(__file__).parent / 'best' / 'net').read_text()\nassert TEXT == '7'"
    path = write("d/mine.py", f"files = ['best/net']\n{read}\n{FIRST}")
    write("d/nets/net-7", "7")
    Path(tmp_path, "d/best").symlink_to("nets")
    Path(tmp_path, "d/nets/net").symlink_to("net-7")
    before = sha256(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(PICKED, seal.name)
        roundsim("play", "nap", "d/mine.py", "random", "--deals", "4", "--jobs", "1", cwd=tmp_path)
    write("d/nets/net-7", "8")
    assert sha256(path) != before


def test_a_link_to_a_file_within_travels_as_a_file(shell: Shell, write: Write, tmp_path: Path) -> None:
    mine = write("d/mine.py", f"files = ['net']\n{FIRST}")
    Path(tmp_path, "d/net").symlink_to(write("d/net-7", "7").name)
    tournament = planned(tmp_path, str(mine), "random", deals=4)
    (source,) = pack_tournament(tournament).sources
    assert source.files["net"] == (False, b"7")
    Path(tmp_path, "d/net").unlink()
    secret(Path(tmp_path, "d/net"))
    with pytest.raises(PluginError, match=OUT):
        pack_tournament(tournament)


@pytest.mark.parametrize("command", ["sh bot.sh", "./bot.sh"])
def test_files_of_a_command_must_lie_in_the_folder_of_the_bot_toml(command: str, shell: Shell, write: Write) -> None:
    write("mine/bot.toml", BOT.replace("sh bot.sh", command))
    write("mine/data")
    secret(Path("mine/bot.sh"))
    Path("secret").chmod(0o755)
    refused(shell("play", "nap", "./mine"), f"mine/bot.toml:2: command: {command.split()[-1]}: {OUT}")


def test_a_file_of_a_command_that_is_too_large_is_refused(shell: Shell) -> None:
    large(Path("table"))
    done = shell("play", "nap", "cmd:cat table", "random")
    refused(done, "the files that it names are more than 10000, or larger than 4 GiB together")


@pytest.mark.soak
def test_a_program_of_the_path_plays(shell: Shell, seal: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """Links in its folder do not matter; `cat` gives no valid answer."""
    monkeypatch.setenv(PICKED, seal.name)
    done = shell("play", "nap", "cmd:cat", "random", "--deals", "2", "--jobs", "1")
    assert done.code == 2 and "cat: dead 3 times, first in nap/1/1/1: broke the protocol" in done.err


def test_visible_parts_of_a_folder_with_links_in_a_circle(tmp_path: Path) -> None:
    """As /usr/bin/X11, which leads to /usr/bin."""
    for name in ("usr/bin/cat", "usr/lib/x", "usr/bin/own/secret"):
        Path(tmp_path, name).parent.mkdir(parents=True, exist_ok=True)
        Path(tmp_path, name).write_text("")
    Path(tmp_path, "usr/bin/X11").symlink_to(".")
    Path(tmp_path, "usr/bin/up").symlink_to("..")
    Path(tmp_path, "usr/bin/loop").symlink_to("loop")
    kept = [str(each.relative_to(tmp_path)) for each in visible_parts(tmp_path, [tmp_path / "usr" / "bin" / "own"])]
    assert sorted(kept) == ["usr/bin/cat", "usr/bin/loop", "usr/lib"]


def test_a_module_a_package_and_the_number_of_files_have_limits(
    shell: Shell, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("mine.py", FIRST + "#" * (files.MODULE - len(FIRST)))
    assert shell("strategies", "mine.py").code == 0
    write("mine.py", FIRST + "#" * (files.MODULE - len(FIRST) + 1))
    refused(shell("strategies", "mine.py"), "mine.py cannot be loaded: it is larger than 1 MiB")
    path = write("mine/__init__.py", FIRST).parent
    for number in range(16):
        with (path / f"part{number}.py").open("wb") as file:
            file.truncate(files.MODULE)
    refused(shell("strategies", "./mine"), "mine cannot be loaded: its modules", "larger than 16 MiB together")
    monkeypatch.setattr(files, "MANY", 3)
    write("mine.py", f"files = ['nets']\n{FIRST}")
    for number in range(3):
        write(f"nets/{number}")
    assert shell("strategies", "mine.py").code == 0
    write("nets/3")
    refused(shell("strategies", "mine.py"), "the files that it names are more than 3")


def test_a_source_out_of_a_commit_has_a_size(git: Git, shell: Shell, write: Write) -> None:
    git("init", "-q")
    write("mine.py", FIRST + "#" * files.MODULE)
    write("good.py", FIRST)
    git("add", ".")
    git("commit", "-qm", "one")
    refused(shell("play", "nap", "git:HEAD:mine.py"), "git:HEAD:mine.py: more than 10000 files, or larger than 1 MiB")
    assert shell("play", "nap", "git:HEAD:good.py", "random", "--dry-run").code == 0


# Run folders, tournament files and scripts.

READ: dict[str, tuple[Make, str]] = {
    **{what: ODD[what] for what in ("a FIFO", "a loop", "a socket", "too large")},
    "a folder": (lambda path: path.mkdir(), "it is a folder, not a regular file"),
    "a device": (lambda path: path.symlink_to("/dev/zero"), "it is a device, not a regular file"),
}


@pytest.mark.parametrize("what", READ)
def test_tournament_files_and_scripts_must_be_regular_files(what: str, shell: Shell, tmp_path: Path) -> None:
    make, words = READ[what]
    make(Path("odd.toml"))
    for command, code in ("run", 64), ("settle", 65), ("replay", 65):
        done = shell(command, "odd.toml")
        assert done.code == code, done
        if what != "a folder" or command == "run":
            assert "odd.toml: " in done.err, done
            assert words in done.err or "no such file" in done.err.lower() or "Too many" in done.err


READERS = [
    ["verify", "run"],
    ["standings", "run"],
    ["report", "run", "--out", "page.html"],
    ["log", "run"],
    ["diff", "run", "run"],
    ["merge", "run", "--out", "merged"],
    ["grow", "run", "--deals", "180", "--dry-run"],
    ["play", "nap", "book", "random", "random", "--reuse", "run", "--dry-run"],
]


@pytest.mark.parametrize("what", one_in(6, [*READ]))
@pytest.mark.parametrize("name", one_in(2, ["run.toml", "timing.json", "standings.json", "faults.jsonl"]))
def test_files_of_a_run_must_be_regular_files(name: str, what: str, shell: Shell, parlour: Run) -> None:
    shutil.copytree(parlour.folder, "run")
    Path("run", name).unlink()
    READ[what][0](Path("run", name))
    for words in READERS:
        done = shell(*words)
        if name == "run.toml" and words[0] != "verify":
            assert done.code == 65 and f"run/{name}: damaged: " in done.err, done


@pytest.mark.soak
def test_timing_is_read_up_to_a_limit(shell: Shell, parlour: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(parlour.folder, "run")
    folder = RunFolder("run")
    assert folder.timing()
    for text in ("[1]", "[" * 100_000, "\0", json.dumps({"guests": 3 * files.TEXT * "x"})):
        Path("run/timing.json").write_text(text)
        assert folder.timing() == {}


def test_a_run_of_thousands_of_strategies_fits(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    each = {"name": "mine-0001", "parameters": {"risk": 0.5}, "sha256": 64 * "0", "imagines": False}
    assert len(tomli_w.dumps({"games": [{"strategies": 10_000 * [each]}]})) < files.TEXT / 4
    monkeypatch.setattr(writer, "TEXT", 100)
    done = shell("play", "nap", "book", "random", "--deals", "8", "--out", "run")
    assert done.code == 73 and "run/run.toml: so many strategies take more than" in done.err
    assert not Path("run/run.toml").exists()
