"""`check` reports the files that a strategy opens and does not name: also where no seal keeps it from them."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from conftest import Outcome, Shell, Write
from helpers.command import in_a_process

from roundsim.trial import watch

pytestmark = pytest.mark.usefixtures("met", "in_process")  # else most are refused: see test_check_sealed
OPENS = """
    import os
    from pathlib import Path

    HERE = Path(__file__).parent
    games = ["nap"]
    {top}

    class Mine:
        games = ["nap"]

        def __init__(self):
            {constructor}

        def act(self, view):
            {act}
            return view.legal[0]
    """


def opens(top: str = "", constructor: str = "pass", act: str = "pass") -> str:
    """A strategy with a line of its own where it is loaded (6), where it sits down (12), where it plays (15)."""
    return OPENS.format(top=top, constructor=constructor, act=act)


def check(shell: Shell, *words: object) -> Outcome:
    return shell("check", *words, "--game", "nap", "--deals", "4")


def opened(done: Outcome) -> list[str]:
    """Return the lines of `files`."""
    found = re.search(r"^  files +FAILED  (opens .*\n(?: {34}opens .*\n)*)", done.out, re.M)
    assert done.code == (2 if found else 0) and not done.err, done
    assert ("  files " in done.out) == bool(found), done
    return [line.strip() for line in found[1].splitlines()] if found else []


@pytest.mark.soak
@pytest.mark.parametrize(
    ("where", "source", "place"),
    [
        ("top", "(HERE / 'policy.bin').read_bytes()", 6),
        ("constructor", "(HERE / 'policy.bin').read_bytes()", 12),
        ("act", "open(HERE / 'policy.bin').close()", 15),
        ("act", "open(str(HERE / 'policy.bin').encode(), 'ab').close()", 15),
        ("act", "os.close(os.open(HERE / 'policy.bin', os.O_WRONLY))", 15),
        ("act", "open('../' + HERE.name + '/policy.bin').close()", 15),
    ],
)
def test_a_file_that_is_not_named(where: str, source: str, place: int, shell: Shell, write: Write) -> None:
    write("policy.bin", "one")
    write("mine.py", opens(**{where: source}))
    done = check(shell, "mine.py")
    assert opened(done) == [f"opens policy.bin at mine.py:{place}, which files does not name"]
    assert done.out.endswith("1 problem\n")


@pytest.mark.soak
def test_files_are_reported_once_for_each_strategy_unless_they_are_named(shell: Shell, write: Write) -> None:
    write("nets/a.bin", "one")
    write("policy.bin", "one")
    Path("link.bin").symlink_to("policy.bin")
    act = "open(HERE / 'policy.bin').close(); open(HERE / 'link.bin').close()"
    for names in "['policy.bin', 'nets/a.bin']", "['nets', 'policy.bin', 'link.bin']":
        write("mine.py", opens(f"files = {names}; open(HERE / 'nets' / 'a.bin').close()", act=act))
        assert opened(check(shell, "mine.py")) == []
    # The script of a fault is not reported.
    write("mine.py", opens("for n in (1, 2, 3, 4, 5, 6, 1): open(f'/tmp/{HERE.name}{n}.out', 'w').close()"))
    lines = opened(check(shell, "mine.py"))
    assert len(set(lines)) == 5 and all(re.match(r"opens /tmp/\S+\d.out at mine.py:6, which", line) for line in lines)
    write("mine.py", opens(act="1 / 0"))
    done = check(shell, "mine.py")
    assert done.code == 2 and Path("check-scripts/mine-1.toml").exists() and "files" not in done.out
    # A package may open its own modules.
    write("policy.bin", "one")
    write("field/one.py", opens("open(HERE.parent / 'policy.bin').close()"))
    write("field/two.py", opens())
    one, two = check(shell, "./field").out.split("field/two.py")
    assert "policy.bin at one.py:6, which files does not name" in one and "files" not in two
    write("pack/helper.py", "def weights(path):\n    return open(path).read()\n")
    write("pack/policy.bin", "one")
    write("pack/__init__.py", opens("from .helper import weights", act="weights(HERE / 'policy.bin')"))
    assert opened(check(shell, "./pack")) == ["opens policy.bin at helper.py:2, which files does not name"]


@pytest.mark.soak
def test_files_of_python_are_not_reported(shell: Shell, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor those of installed strategies, nor its own source."""
    write("site/theirs-1.0.dist-info/entry_points.txt", "[roundsim.strategies]\ntheirs = theirs:Mine\n")
    monkeypatch.syspath_prepend(str(write("site/theirs.py", opens("open(__file__).close()")).parent))
    write(
        "mine.py",
        """
        import sqlite3, this
        import hypothesis
        from roundsim.strategy import table_of
        from roundsim.games.nap import Nap

        games = ["nap"]
        open(__file__).close()
        open("/dev/null", "w").close()

        def act(view):
            import xml.dom.minidom
            return table_of("book" if view.seat else "Mine", view.game)()(view)
        """,
    )
    assert opened(check(shell, "mine.py")) == []


@pytest.mark.soak
def test_a_module_next_to_it_is_reported(tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where only its bytecode is opened, or written."""
    monkeypatch.delenv("PYTHONDONTWRITEBYTECODE", raising=False)
    write("helper.py", "X = 1\n")
    write("mine.py", opens("import sys; sys.path.insert(0, str(HERE)); import helper"))
    for _ in range(2):
        done = in_a_process("check", "mine.py", "--deals", 4, cwd=tmp_path, code=2)
        assert re.findall("opens .*", done.stdout) == ["opens helper.py at mine.py:6, which files does not name"]
        assert [*tmp_path.glob("__pycache__/helper.*.pyc")]


def test_a_file_that_does_not_exist_is_reported(shell: Shell, write: Write) -> None:
    top = "from contextlib import suppress; os.path.exists('other')"
    write("mine.py", opens(top, constructor="with suppress(OSError): open(HERE / 'none')"))
    assert opened(check(shell, "mine.py")) == ["opens none at mine.py:12, which files does not name"]


def test_an_environment_next_to_a_strategy_hides_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does a package hide its own files."""
    site = tmp_path / "lib" / "site-packages"
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(watch, "INSTALLED", (str(site),))
    for path in (tmp_path / "mine.py", site / "pack"):
        assert watch.is_installed(site / "numpy" / "data.bin", path)
        assert not watch.is_installed(path.parent / "pack" / "policy.bin", path)
    assert watch.is_installed(tmp_path / "share" / "data.bin", Path("/elsewhere/mine.py"))
