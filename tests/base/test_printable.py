"""Third-party texts on their way to a terminal or a CI log."""

from __future__ import annotations

import io
import json
import re
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path

import pytest
from conftest import Shell, Write
from helpers.command import ROOT, begin

from roundsim.base.errors import clean, exception_words, printable
from roundsim.base.streams import standard_streams, unchecked
from roundsim.sandbox import calls

CONTROLS = "\x1b]52;c;aGk=\x07\r\x00\x7f\x9b31m\u202e\u200b\u2028\ufeff\ud800\U000e0001"
COMMANDS = "::add-mask::x", " \t::error::x", "a ##[add-mask]x", "###[x"


def is_harmless(text: str) -> bool:
    """Whether nothing in it moves a cursor, hides, reorders, or commands."""
    return text.replace("\n", "").replace("\t", "").isprintable() and not re.search(r"(?m)^\s*::|##\[", text)


@pytest.mark.parametrize("text", [*re.sub("[ -~]", "", CONTROLS), CONTROLS, *COMMANDS, "\n".join(COMMANDS)], ids=ascii)
def test_control_characters_and_commands_are_escaped(text: str) -> None:
    assert not is_harmless(text) and is_harmless(clean(text))


def test_harmless_texts_are_unchanged_json_means_the_same_and_names_of_exceptions_are_printable() -> None:
    for text in "Nap · 4 seats\n\tmine(x='a::b') ± 0.3", "", "## heading", "a::b", "ünïcödé 中":
        assert clean(text) == printable(text) == text
    data = {"name": CONTROLS, "words": [*COMMANDS]}
    assert json.loads(clean(json.dumps(data, ensure_ascii=False))) == data
    odd = type(CONTROLS.translate({0: None, 0xD800: None}), (Exception,), {})
    assert exception_words(odd(CONTROLS)).isprintable()


def test_every_stream_is_harmless_whoever_writes_to_it() -> None:
    """Also one that a caller has put in the place of Python's; what it has no characters for is escaped."""
    for encoding, dot in ("utf-8", "·"), ("ascii", r"\xb7"):
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding, write_through=True) for _ in range(2))
        with redirect_stdout(out), redirect_stderr(err):
            with standard_streams():
                print(CONTROLS, "·")
                sys.stderr.writelines([CONTROLS, "::add-mask::x"])
                unchecked(sys.stderr).write("\r")
            assert sys.stdout is out and sys.stderr is err
        said, complained = (stream.buffer.getvalue().decode() for stream in (out, err))
        assert is_harmless(said) and said.endswith(f"{dot}\n")
        assert complained.endswith("\r") and is_harmless(complained[:-1])


LOUD = """
    import os
    import sys

    games = ["nap"]
    print("::add-mask::imported")

    def act(view):
        os.write(1, b"\\x1b]52;c;aGk=\\x07 ::stop-commands::x\\n::add-mask::x\\n \\xe2\\x80\\xae##[add-mask]x\\n")
        print("::error::x", file=sys.stderr)
        return view.legal[0]
"""


@pytest.mark.soak
def test_check_shows_what_a_strategy_prints_aside(shell: Shell, write: Write) -> None:
    """On each of its streams, and in a guest; our own rows are as they are."""
    write("loud.py", LOUD)
    done = shell("check", "loud.py", "--deals", "4")
    assert done.code == 0 and is_harmless(done.out) and is_harmless(done.err), done
    for said in r"\u001b]52;c;aGk=\u0007 ::stop-commands::x", r"\u003a:add-mask::x", r" \u202e\u0023#[add-mask]x":
        assert f"\n  | {said}\n" in done.out
    assert "\n  | \\u003a:error::x\n" in done.out and "\n  same twice              ok\n" in done.out
    assert {line[:4] for line in done.err.splitlines()} <= {"  | "}


@pytest.mark.soak
def test_check_shows_no_more_than_so_much(shell: Shell, write: Write) -> None:
    """The rows are all there."""
    write("floods.py", "games = ['nap']\nprint('x' * 9_000_000)\n\ndef act(view):\n    return view.legal[0]\n")
    done = shell("check", "floods.py", "--deals", "1", "--isolate", "off")
    assert len(done.out) < 2 * calls.SHOWN and re.search(r"^  \| \.\.\. and \d+ more bytes$", done.out, re.M)
    assert "\n  same twice              ok\n" in done.out and done.out.endswith("no problems\n")


@pytest.mark.soak
def test_a_strategy_that_prints_our_rows_is_set_apart(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("print('no problems', end='')\ngames = ['nap']\nraise SystemExit(0)\n")
    process = begin("check", "mine.py", cwd=tmp_path)
    out, _ = process.communicate()
    assert "no problems" not in out.splitlines() and out.endswith("1 problem\n") and process.returncode == 66


RAW = {  # who writes to a stream or a descriptor as it is, and what
    "cli/playing.py": "colours, annotations",
    "cli/progress.py": "a line that rewrites itself",
    "base/streams.py": "the streams themselves",
    "sandbox/launcher_main.py": "what a guest prints, already clean",
}


def test_no_module_writes_past_the_streams() -> None:
    past = re.compile(r"\bunchecked\(|\.std(out|err)\.buffer|__std(out|err)__|os\.write\([12],")
    files = {str(file.relative_to(ROOT / "roundsim")): file for file in (ROOT / "roundsim").rglob("*.py")}
    assert {name for name, file in files.items() if past.search(file.read_text("utf-8"))} == {*RAW}
