"""Modules that do their worst when they are imported: each is reported, and harms nothing else."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from time import sleep
from unittest.mock import Mock

import pytest
from conftest import Shell, Write
from helpers.command import PATIENCE, begin, environment, one_in
from helpers.sealed import HANDLES

from roundsim.base import finding, importing
from roundsim.base.errors import PluginError, SignalError
from roundsim.claiming import forced
from roundsim.sandbox.calls import CallLauncher
from roundsim.sandbox.kinds import Sandbox
from roundsim.sources import describing, homes, plugins
from roundsim.sources.describing import DescribedStrategy, strategy_from_json

FIRST = "def act(view):\n    return view.legal[0]\n"
CLASS = """
class Odd(type):
    {}

class Mine(metaclass=Odd):
    games = ["nap"]
"""
SAID = r"""
for pipe in range(3, 40):
    try:
        os.write(pipe, b'{}\n')
    except OSError:
        pass
"""
ENDS = {  # the text of a module, and how it is reported
    "import os\nos._exit(0)": "it ended the process with code 0 while it was imported",
    "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)": "SIGTERM ended the process while it was imported",
    "import signal\nsignal.raise_signal(signal.SIGKILL)": "SIGKILL ended the process while it was imported",
    "import sys\nsys.exit(0)": "SystemExit: 0",
    "kept = []\nwhile True:\n    kept.append(bytes(1 << 20))": "no memory was left of the 1024 MB allowed",
    "while True:\n    pass": "not loaded within 1 s",
    "while True:\n    try:\n        input = 1\n    except BaseException:\n        pass": "not loaded within 1 s",
    "import time\ntime.sleep(1000)": "not loaded within 1 s",
    "import os, signal, time\nsignal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))\n"
    "os.closerange(3, 100)\ntime.sleep(1000)": "it has meddled with the process",
    "import os"
    + SAID.replace("{}", '{"said": ["a", "b", true, [1], false, "", []]}'): "it has meddled with the process",
    "import os" + SAID.replace("{}", '{"end": true}'): "it has meddled with the process",
    "import os" + SAID.replace("{}", "no words of ours"): "it has meddled with the process",
    CLASS.format("def __getattr__(cls, name):\n        raise KeyError(name)"): "KeyError: 'name'",
    CLASS.format("name = property(lambda cls: 1 / 0)"): "ZeroDivisionError: division by zero",
    CLASS.format("games = property(lambda cls: 1 / 0)"): "ZeroDivisionError: division by zero",
    CLASS.format("__doc__ = property(lambda cls: exit())"): "SystemExit",
    "\0": "SyntaxError: source code",
}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Mock:
    """The calls that ask third-party modules for their strategies, each in a guest."""
    asked = Mock(side_effect=CallLauncher.call)
    monkeypatch.setattr(CallLauncher, "call", lambda *given, **more: asked(*given, **more))
    return asked


@pytest.mark.parametrize("text", one_in(8, [*ENDS]), ids=range(len(ENDS)))
def test_a_module_that_ends_is_reported(text: str, shell: Shell, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importing, "LOAD_SECONDS", 1)
    Path("mine.py").write_text(text)
    done = shell("play", "nap", "mine.py", "random")
    assert done.code == 66 and not done.out, done
    assert done.err.startswith(f"roundsim: mine.py cannot be loaded: {ENDS[text]}"), done.err


@pytest.mark.usefixtures("met")
def test_a_file_in_latin_1_is_reported_by_its_line(shell: Shell) -> None:
    Path("mine.py").write_bytes("\nwho = 'Hélène'\n".encode("latin-1"))
    done = shell("play", "nap", "mine.py", "random")
    assert done.code == 66 and "mine.py cannot be loaded: SyntaxError: " in done.err and "'utf-8' codec" in done.err


@pytest.mark.usefixtures("met")
def test_names_of_the_metaclass_do_not_matter(write: Write) -> None:
    """The class says where it comes from."""
    text = CLASS.format("__module__ = __name__ = property(lambda cls: 1 / 0)")
    assert [each.name for each in plugins.find(str(write("mine.py", text)))] == ["Mine"]


def test_a_module_learns_nothing_of_ours(shell: Shell, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no variable of the environment, and no pipe but the one on which it answers."""
    monkeypatch.setenv("SERVICE_TOKEN", "sesame")
    pipes = "import stat\nkinds = stat.S_IFIFO, stat.S_IFSOCK\n"
    pipes += "pipes = [each for each in handles if stat.S_IFMT(os.fstat(each).st_mode) in kinds]\n"
    write("mine.py", f"{HANDLES}{pipes}raise ValueError(f'{{os.environ.get(\"SERVICE_TOKEN\")}}, {{len(pipes)}}')\n")
    assert "cannot be loaded: ValueError: None, 1\n" in shell("strategies", "mine.py").err


@pytest.mark.soak
def test_every_command_reports_a_module_that_ends_its_process(shell: Shell, write: Write) -> None:
    """A module has the packages that are installed."""
    write("ends.py", "import os\nimport numpy\nos._exit(0)\n")
    write("season.toml", '[tournament]\nstrategies = ["ends.py", "random"]\n[[games]]\ngame = "nap"\n')
    words = "ends.py cannot be loaded: it ended the process with code 0 while it was imported"
    script = Path(__file__).parents[1] / "deals" / "nap" / "01-three-made.toml"
    commands = ["run", "season.toml"], ["strategies", "ends.py"], ["check", "ends.py"]
    for line in *commands, ["replay", script, "--strategy", "ends.py"]:
        done = shell(*line)
        assert done.code == 66 and words in done.err + done.out, done


@pytest.mark.soak
def test_a_folder_with_a_broken_script(shell: Shell, write: Write, asked: Mock) -> None:
    """The others are listed; it plays when all are whole."""
    for name in ("a", "b", "d"):
        write(f"field/{name}.py", FIRST)
    write("field/c.py", "import os\nos._exit(0)\n")
    listed = shell("strategies", "./field", "--format", "json")
    words = "field/c.py cannot be loaded: it ended the process with code 0 while it was imported"
    assert listed.code == 66 and [each["name"] for each in json.loads(listed.out)] == ["a", "b", "d"]
    assert listed.err == f"roundsim: {words}\n"
    assert asked.call_count == 4
    done = shell("play", "nap", "./field", "--dry-run")
    assert done.code == 66 and "field/c.py cannot be loaded" in done.err


def test_each_source_is_described_once_in_a_guest_of_its_own(shell: Shell, write: Write, asked: Mock) -> None:
    for name in ("a", "b", "c"):
        write(f"{name}.py", FIRST)
    games = "".join([f'[[games]]\ngame = "{game}"\ndeals = 4\n' for game in ("nap", "loo", "brag")])
    write("season.toml", f'[tournament]\nstrategies = ["a.py", "b.py", "book", "c.py"]\n{games}')
    assert shell("run", "season.toml", "--dry-run").code == 0 and asked.call_count == 3


@pytest.mark.soak
def test_the_output_of_a_module_goes_nowhere_and_its_threads_hold_nothing(tmp_path: Path, write: Write) -> None:
    write(
        "loud.py",
        "threads = True\n"
        "import os, sys, threading, time\nprint('loud')\nos.write(1, b'loud')\nos.write(2, b'loud')\nsys.stdout.close()\n"
        f"os.close(1)\nthreading.Thread(target=time.sleep, args=(10000,)).start()\n{FIRST}",
    )
    process = begin("strategies", "loud.py", cwd=tmp_path)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0 and out.count("loud") == 2 and not err, out + err


def test_no_third_party_package_is_imported_to_find_its_module(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write("lib/their_pack/__init__.py", "raise SystemExit(3)\n")
    write("lib/their_pack/good.py", FIRST)
    monkeypatch.syspath_prepend(str(write("lib/notes").parent))
    assert [each.name for each in plugins.find("their_pack.good:act")] == ["good"]


@pytest.mark.usefixtures("in_process")  # it writes
def test_a_third_party_module_is_not_imported_in_the_command(shell: Shell, write: Write) -> None:
    write("mine.py", f"import os\nprint(os.getpid(), file=open('pids', 'a'))\n{FIRST}")
    assert shell("play", "nap", "mine.py", "random", "--deals", 8, "--jobs", 1).code == 0
    pids = Path("pids").read_text().split()
    assert pids and str(os.getpid()) not in pids


@pytest.mark.soak
@pytest.mark.parametrize("where", ["workers.worker", "guests.inside.shim"])
def test_module_broken_where_it_plays(where: str, shell: Shell, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """The strategy is missing there.  A guest is at fault then; without a sandbox the run ends."""
    if where == "workers.worker":
        monkeypatch.setenv("ROUNDSIM_SEAL", "none")
    write("mine.py", f"import sys\n{FIRST}if 'roundsim.{where}' in sys.modules:\n    del act\n")
    done = shell("play", "nap", "mine.py", "random", "--deals", "8", "--jobs", "1")
    code = 66 if where == "workers.worker" else 2
    assert done.code == code and "mine.py cannot be loaded: there is no act in it this time" in done.err


def test_a_description_must_be_whole_and_its_help_cannot_move_the_cursor() -> None:
    good = ["act", "first", True, [], False, "", [], False]
    changes = (2, 1), (3, "nap"), (3, [5]), (5, None), (6, [["risk"]]), (1, "x" * 10_001), (3, ["nap"] * 10_001)
    for said in 5, {}, ["act"], good[:-1], *([*good[:at], value, *good[at + 1 :]] for at, value in changes):
        with pytest.raises(ValueError):
            strategy_from_json(said)
    strategy_from_json(good)
    found = strategy_from_json(["act", "first", True, None, False, f"one\ntwo\x1b[2J{'x' * 20_000}", None, True])
    assert found == DescribedStrategy("act", "first", True, None, False, found.help, None, True)
    assert found.help.startswith("one\ntwo\\u001b[2Jxxx") and len(found.help) == 10_000


def test_too_many_strategies_in_a_module_are_refused(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(describing, "MOST", 20)
    path = write("mine.py", "for at in range(30):\n    exec(f'def f{at}(view): pass')\n")
    with pytest.raises(PluginError, match="it has meddled with the process"):
        plugins.find(str(path))


WRITES = f"""
from pathlib import Path
Path("made").touch()
{FIRST}"""


@pytest.mark.soak
@pytest.mark.parametrize(
    "words",
    [
        "play nap mine.py random --deals 4 --jobs 1",
        "check mine.py --game nap --deals 4",
        "gate nap mine.py random --dry-run",
        "run mine.toml --jobs 1",
        "grow run --strategy mine.py --dry-run",
    ],
)
def test_isolate_off_seals_nothing(words: str, shell: Shell, write: Write, seal: Sandbox) -> None:
    """It applies to play, and to the import before it if the sources are not known to this process."""
    if "grow" in words:
        assert shell("play", "nap", "book", "random", "--deals", 4, "--jobs", 1, "--out", "run").code == 0
    write("mine.py", f"{WRITES}# {seal.name}, {words}\n")
    head = '[tournament]\nstrategies = ["mine.py", "random"]\n[limits]\nisolate = "off"\n'
    write("mine.toml", f'{head}[[games]]\ngame = "nap"\ndeals = 4\n')
    sealed = shell(*words.split(), "--isolate", "on")
    assert sealed.code == 66 and "it plays in a sandbox" in sealed.out + sealed.err, sealed
    assert not Path("made").exists()
    words += " --isolate off" * ("run mine.toml" not in words)
    unsealed = shell(*words.split())
    assert unsealed.code == 0 and Path("made").exists(), unsealed


def test_a_module_that_is_not_sealed_is_imported_in_a_separate_process(shell: Shell, write: Write) -> None:
    write("mine.py", f"import os\nos._exit(0)\n{FIRST}")
    done = shell("play", "nap", "mine.py", "random", "--deals", 4, "--isolate", "off")
    assert done.code == 66 and "it ended the process with code 0 while it was imported" in done.err, done


@pytest.mark.usefixtures("in_process", "once_here")
def test_a_parameter_in_a_run_folder_loads_nothing(shell: Shell, write: Write) -> None:
    """The record of a run may come from anybody, and name any file as the guide of the sampler."""
    write("mine.py", WRITES)
    entrants = "sampler(playouts=4, guide='random')", "book", "random"
    assert shell("play", "nap", *entrants, "--deals", 6, "--jobs", 1, "--out", "run").code == 0
    for shard in Path("run/log/nap").iterdir():
        shard.unlink()
    record = Path("run/run.toml")
    record.write_text(record.read_text().replace('"random"\nplayouts', '"./mine.py"\nplayouts'))
    assert "./mine.py" in record.read_text()
    done = shell("grow", "run", "--deals", 12, "--jobs", 1)
    assert done.code == 2 and "./mine.py: only installed strategies can be named here" in done.err
    assert shell("verify", "run", "--strategies", "--jobs", 1).code == 0
    assert not Path("made").exists()


@pytest.mark.parametrize("place", ["roundsim.claiming.forced", str(Path(forced.__file__))])
def test_a_part_of_roundsim_is_no_strategy(place: str, shell: Shell, write: Write) -> None:
    """One of them loads a file that a parameter names."""
    write("mine.py", f"{WRITES}def always(view): return True\n")
    given = f"like='book', functions='{Path('mine.py').resolve()}', where='always', phase='call', say='pass'"
    forced = f"{place}:Forced({given}, sha256='{finding.sha256(Path('mine.py'))}')"
    write("mine.toml", f'[tournament]\nstrategies = ["{forced}", "random"]\n[[games]]\ngame = "nap"\ndeals = 4\n')
    done = shell("run", "mine.toml", "--jobs", 1)
    assert done.code == 64 and f"{place}:Forced is a part of roundsim, and no strategy to be named" in done.err
    assert not Path("made").exists()


def test_every_source_of_the_house_is_found_by_name_and_game() -> None:
    found = 0
    for source in finding.sources_in(homes.house_folder()):
        for each in plugins.strategies_of(source):
            for game in each.games or ("nap", "brag"):
                assert homes.may_hold(source, [each.name], game), (each, game)
                found += 1
    assert found > 25


def test_little_of_the_house_is_loaded_for_a_name(tmp_path: Path) -> None:
    program = (
        "from roundsim.base import importing\nfrom roundsim.sources import plugins\n"
        "plugins.find('book', 'nap'), plugins.find('random', 'nap'), plugins.field_of('nap')\n"
        "print(sorted(path.name for path, _ in importing._loaded))\n"
    )
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, cwd=tmp_path, env=environment(), capture_output=True, text=True)
    assert done.stdout == "['nap.py', 'random.py']\n", done


def test_a_module_for_each_seat(write: Write) -> None:
    write("pack/inner.py", "seen = []\n")
    act = "def act(view):\n    inner.seen.append(view)\n    return inner.seen\n"
    write("pack/__init__.py", f"from . import inner\n\n{act}")
    (mine,) = plugins.find(str(write("pack/notes").parent))
    one, two = plugins.load_strategy(mine, 1), plugins.load_strategy(mine, 2)
    assert one("a") == ["a"] and two("b") == ["b"] and plugins.load_strategy(mine, 1)("c") == ["a", "c"]
    assert one.__module__ != two.__module__
    importing.reload_next_time([mine.path])
    assert plugins.load_strategy(mine, 1)("d") == ["d"] and plugins.load_strategy(mine, 2)("e") == ["e"]


def test_executed_again_but_compiled_once(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write("pack/inner.py", "x = 1\n")
    path = write("pack/__init__.py", f"from . import inner\n{FIRST}").parent
    compiled = Mock(side_effect=SourceFileLoader.get_code)
    monkeypatch.setattr(SourceFileLoader, "get_code", lambda *given: compiled(*given))
    first = importing.module_at(path, seat=1)
    importing.reload_next_time([str(path)])
    assert importing.module_at(path, seat=1) is not first and compiled.call_count == 2
    write("pack/inner.py", "x = 22\n")
    assert importing.module_at(path, seat=1).inner.x == 22 and compiled.call_count == 3


def test_a_signal_during_an_import_is_no_failure_of_the_module(write: Write) -> None:
    """It ends the command, with its own exit code."""
    path = write("mine.py", "from roundsim.base.errors import SignalError\nraise SignalError(15)\n")
    with pytest.raises(SignalError):
        importing.module_at(path)


@pytest.mark.parametrize("ticking", [0.0, 1000.0])
def test_a_clock_ticks_on_while_a_module_loads(ticking: float, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its handler and its timer are as before, and the module is late all the same."""
    monkeypatch.setattr(importing, "LOAD_SECONDS", 0.05)
    before = signal.signal(signal.SIGALRM, clock := Mock())
    signal.setitimer(signal.ITIMER_REAL, ticking, ticking)
    try:
        with pytest.raises(PluginError, match="not loaded within 0.05 s"):
            importing.module_at(write("endless.py", "while True:\n    pass\n"))
        assert signal.getsignal(signal.SIGALRM) is clock
        assert (signal.getitimer(signal.ITIMER_REAL)[1] == ticking) and not clock.called
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_sleep_counts_as_time_and_a_module_is_not_late_before_its_time() -> None:
    clock = importing.Awake()
    before = clock.look()
    sleep(0.05)
    assert clock.look() - before >= 0.04
    with importing.not_for_ever():
        assert importing.due and importing.due > importing.waking_clock.look()
    assert importing.due is None
