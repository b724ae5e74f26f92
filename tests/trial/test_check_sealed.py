"""`check` imports third-party code in a sandbox: it reads its own files, writes nothing and reaches nobody, and this is
reported."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from conftest import Outcome, Shell, Write
from helpers.command import one_in, roundsim, seldom
from helpers.sealed import HANDLES, in_force

HINT = "it plays in a sandbox: it reads its own file and those that it names, files = [...], and writes nothing"
REFUSED = r"(PermissionError|FileNotFoundError|OSError): \[Errno (1|2|13|30)\] "
LOSSES = """
    import os, socket, subprocess
    from pathlib import Path

    HERE = Path(__file__).parent
    games = ["nap"]
    {top}

    def act(view):
        {act}
        return view.legal[0]
    """


@pytest.fixture(autouse=True, params=["bubblewrap", *seldom("landlock")])
def sandbox(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUNDSIM_SEAL", in_force(request.param).name)


def tried(shell: Shell, write: Write, *words: str, top: str = "", act: str = "pass") -> Outcome:
    write("mine.py", LOSSES.format(top=top, act=act))
    return shell("check", "mine.py", "--deals", "4", *words)


REACHING = {
    "writes": "(HERE / 'made').touch()",
    "reads": "(HERE / 'secret').read_text()",
    "lists": "[*HERE.iterdir()]",
    "removes": "(HERE / 'secret').unlink()",
    "connects": "socket.create_connection(('127.0.0.1', 9))",
    "resolves": "socket.socket(socket.AF_INET, socket.SOCK_DGRAM)",
    "executes": "subprocess.run(['true'])",
    "forks": "os.fork()",
    "kills": "os.kill(os.getppid(), 0)",
}


@pytest.mark.usefixtures("met")
@pytest.mark.parametrize("what", one_in(9, [*REACHING]))
def test_access_to_anything_else_is_refused_and_reported(what: str, shell: Shell, write: Write) -> None:
    write("secret", "one")
    done = tried(shell, write, act=REACHING[what])
    assert done.code == 2 and not done.err, done
    assert re.search(f"4 deals nap             FAILED  deal 1, seat 0, phase call: {REFUSED}", done.out), done
    assert HINT in done.out
    assert {path.name for path in Path().iterdir()} == {"mine.py", "secret", "check-scripts"}


@pytest.mark.parametrize("what", one_in(2, ["writes", "connects"]))
def test_access_during_the_import_is_refused(what: str, shell: Shell, write: Write) -> None:
    done = tried(shell, write, top=REACHING[what])
    assert done.code == 66 and re.search(REFUSED, done.out) and HINT in done.out, done
    assert {path.name for path in Path().iterdir()} == {"mine.py"}


BEGINS = "import threading; threading.Thread(target=int).start()"
NO_THREADS = "it plays in a sandbox: it starts threads only if threads = True is next to files in its module"


@pytest.mark.soak
@pytest.mark.parametrize("where", ["top", "act"])
def test_one_that_starts_threads_is_shown_how_it_may(where: str, shell: Shell, write: Write) -> None:
    done = tried(shell, write, **{where: BEGINS})
    assert done.code == (66 if where == "top" else 2) and "RuntimeError: can't start new thread" in done.out, done
    assert NO_THREADS in done.out and HINT not in done.out
    allowed = tried(shell, write, top=f"{BEGINS * (where == 'top')}\n    threads = True", act=BEGINS)
    assert allowed.code == 0, allowed


CAREFUL = """def reach(attempt):
        try: attempt()
        except Exception: pass
    reach(lambda: (HERE / 'made').touch())"""


@pytest.mark.soak
def test_those_that_hide_or_are_compared_are_in_the_sandbox_too(shell: Shell, write: Write) -> None:
    """It hides that it was refused; that it opens files is reported all the same."""
    done = tried(shell, write, top=CAREFUL, act="reach(lambda: (HERE / 'more').write_text(''))")
    assert done.code == 2 and not {"made", "more"} & {path.name for path in Path().iterdir()}
    assert "  files                   FAILED  opens " in done.out and "2 problems" not in done.out, done
    write("old.py", LOSSES.format(top="", act=REACHING["writes"]))
    done = tried(shell, write, "--against", "old.py")
    words = rf"old\.py failed \d+ times?: deal 1, seat 0, phase \S+: {REFUSED}"
    assert done.code == 0 and re.search(words, done.out) and not Path("made").exists(), done


@pytest.mark.soak
@pytest.mark.usefixtures("met")
def test_it_has_no_secrets_and_reads_its_own_files(shell: Shell, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SERVICE_TOKEN", "sesame")
    write("nets/policy.bin", "one")
    reads = "assert (HERE / 'nets' / 'policy.bin').read_text() == 'one'"
    done = tried(shell, write, top="files = ['nets']", act=f"{reads}; print('knows', os.environ.get('SERVICE_TOKEN'))")
    assert done.code == 0 and done.out.endswith("no problems\n") and "knows None" in done.out, done
    assert os.environ["SERVICE_TOKEN"] == "sesame"


@pytest.mark.soak
def test_it_has_no_pipe_but_those_that_are_its_own(shell: Shell, write: Write) -> None:
    """One for its reports, and one on which Python says where it was when it died."""
    kinds = "(stat.S_IFIFO, stat.S_IFSOCK)"
    act = f"print('pipes', sum(stat.S_IFMT(os.fstat(each).st_mode) in {kinds} for each in handles if each > 2))"
    top = f"import stat\n{HANDLES}".replace("\n", "\n    ")
    done = tried(shell, write, top=top, act=act)
    assert done.code == 0 and {*re.findall(r"pipes (\d+)", done.out)} == {"2"}, done


@pytest.mark.soak
def test_the_sandbox_may_be_off(shell: Shell, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = tried(shell, write, "--isolate", "off", act=REACHING["writes"])
    assert not re.search(REFUSED, done.out) and Path("made").exists()
    words = "check", "book", "--game", "nap", "--deals", 4, "--isolate", "on"
    roundsim(*words, cwd=tmp_path)
    monkeypatch.setenv("ROUNDSIM_SEAL", "none")
    assert "no sandbox works" in roundsim(*words, cwd=tmp_path, code=78).stderr


SAID = [
    {"strategy": 0, "game": 7, "what": "", "problems": 0, "kinds": {}},
    {"strategy": 0, "game": 0, "what": "", "problems": "none", "kinds": {}},
    [0, "nap", 1, False, "no TOML at all ="],
    [0, "../nap", 1, False, "a = 1"],
    [0, "nap", -1, False, "a = 1"],
    "a word",
]
SAYS = """def say(handle, words):
        try: os.write(handle, words)
        except OSError: pass"""


@pytest.mark.usefixtures("met")
@pytest.mark.parametrize("said", one_in(6, SAID))
def test_a_strategy_that_speaks_for_its_process_is_not_believed(said: object, shell: Shell, write: Write) -> None:
    """It writes into every pipe a line that could be ours."""
    act = f"import json; [say(n, json.dumps({{'said': {said!r}}}).encode() + b'\\n') for n in range(3, 1024)]"
    done = tried(shell, write, top=SAYS, act=act)
    assert done.code == 2 and "FAILED  it has meddled with the process in which it was tried" in done.out, done
    assert {path.name for path in Path().iterdir()} == {"mine.py"}


@pytest.mark.soak
@pytest.mark.usefixtures("met")
def test_it_must_play_alike_in_another_process(shell: Shell, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second one plays by the folder in which it is: a guest's is the root."""
    done = tried(shell, write, act="return view.chance.choice(view.legal)")
    assert done.code == 0 and "  act in step, nap        ok\n" in done.out, done
    done = tried(shell, write, act="return view.legal[-(os.getcwd() == '/')]")
    words = "FAILED  in a separate process, as in a run, it plays differently"
    assert done.code == 2 and f"  act in step, nap        {words}\n" in done.out, done
    monkeypatch.setenv("ROUNDSIM_SEAL", "none")
    done = tried(shell, write)
    assert done.code == 0 and "  act in step, nap        -       not tried: no sandbox works here\n" in done.out
    assert "in step" not in shell("check", "book", "--game", "nap", "--deals", "4").out
    assert "in step" not in tried(shell, write, "--isolate", "off").out
