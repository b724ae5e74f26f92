"""`check` of a bot: played through the wire; what is wrong with what it says is reported, with what was sent and expected."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import Outcome, Shell, Write
from helpers.command import one_in_with

from roundsim.guests import guest
from roundsim.sandbox.kinds import Sandbox

GREETS = """
    import json, sys

    sys.stdin.readline()
    print('{"roundsim":1}', flush=True)
    for line in sys.stdin:
        word, number, *rest = json.loads(line)
        if word == "ask":
            """


def tried(shell: Shell, write: Write, source: str, *words: str) -> Outcome:
    """A bot in Nap with this source, or that greets and then does this with each question."""
    write("bot.py", source if "\n" in source else GREETS + source)
    return shell("check", "cmd:python3 bot.py", "--game", "nap", "--deals", "4", "--seconds", "0.2", *words)


def rows(done: Outcome) -> list[str]:
    """The words of what failed."""
    found = re.search(r"^  4 deals nap +FAILED  (.*\n(?: {34}.*\n)*)", done.out, re.M)
    assert done.code == 2 and found, done
    return [row.strip() for row in found[1].splitlines()]


ASK = 'sent      ["ask",1,1,"call",["pass",'
ZERO = 'expected  [1,0], or the text of a legal action in place of 0: [1,"..."]'
AT = "deal 1, seat 0, phase call: "


def test_a_bot_that_plays(shell: Shell, write: Write) -> None:
    done = tried(shell, write, "print(f'[{number},0]', flush=True)", "--against", "book")
    assert done.code == 0 and not done.err and done.out.endswith("no problems\n")
    assert re.search(r"^bot\.py  bot  sha256 \w{8}  games: all$", done.out, re.M)
    for row in (
        "4 deals nap +ok",
        "same twice +ok",
        "against book +-  +not compared: a bot plays in a separate process",
    ):
        assert re.search(f"^  {row}$", done.out, re.M), row
    assert not Path("check-scripts").exists()


@pytest.mark.soak
def test_a_folder_with_a_bot(shell: Shell, write: Write) -> None:
    write("mine/play.py", GREETS + "print(f'[{number},0]', flush=True)")
    write("mine/bot.toml", 'name = "mine"\ngames = ["nap", "loo"]\ncommand = "python3 play.py"\n')
    done = shell("check", "./mine", "--deals", "4")
    assert done.code == 0 and "games: nap, loo" in done.out
    assert re.findall(r"^  4 deals (\w+) +ok$", done.out, re.M) == ["nap", "loo"]


@pytest.mark.parametrize(
    ("answer", "words", "came"),
    one_in_with(
        4,
        [
            ("print('pass', flush=True)", "broke the protocol: no JSON: b'pass'", "came      pass"),
            (
                "print([number + 5, 0], flush=True)",
                "broke the protocol: answer to 6, which was not asked",
                "came      [6, 0]",
            ),
            ("print({'n': number}, flush=True)", "broke the protocol: no JSON: b\"{'n': 1}\"", "came      {'n': 1}"),
            ("print([number, 0, 1], flush=True)", "broke the protocol: no answer: [1, 0, 1]", "came      [1, 0, 1]"),
        ],
    ),
)
def test_what_breaks_the_wire(answer: str, words: str, came: str, shell: Shell, write: Write) -> None:
    printed = rows(tried(shell, write, answer))
    assert printed[0] == f"{AT}{words}" and printed[1].startswith(ASK) and printed[2:4] == [came, ZERO]
    assert ("standard output is the wire: what else it prints goes to standard error" in printed) == (
        "no JSON" in words
    )


def test_one_that_asks_to_see_too_often(shell: Shell, write: Write) -> None:
    printed = rows(tried(shell, write, "print('\\n'.join([json.dumps(['see', number, 'hand'])] * 65), flush=True)"))
    assert printed[0] == f"{AT}broke the protocol: asks to see more than 64 names at a question"


@pytest.mark.soak
def test_what_it_prints_to_standard_error_is_shown(shell: Shell, write: Write) -> None:
    answer = "print(*range(99), 'thinking\\x1b[31m hard', 'x' * 300, sep='\\n', file=sys.stderr); sys.exit(3)"
    done = tried(shell, write, answer)
    printed = rows(done)
    assert (
        printed[0] == f"{AT}the process died: exited with code 3" and printed[1].startswith(ASK) and printed[2] == ZERO
    )
    assert printed[3:6] == ["printed   98", r"thinking\u001b[31m hard", "x" * 197 + "..."] and printed[6].startswith(
        "again: "
    )
    assert "thinking\\u001b[31m hard\n" in done.err


@pytest.mark.soak
@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("os.abort()", "the process died: killed by signal 6 (SIGABRT)"),
        ("sys.exit()", "the process died: exited with code 0"),
        ("os.close(0); os.close(1); time.sleep(60)", "the process died"),  # it lives, and is ended
        ("time.sleep(60)", "late: no answer within the limit: it has answered nothing since its hello"),
    ],
)
def test_how_it_ends(answer: str, words: str, shell: Shell, write: Write, seal: Sandbox) -> None:
    printed = rows(tried(shell, write, f"import os, time; {answer}"))
    assert printed[0] == AT + words and printed[2] == ZERO and not any(row.startswith("printed") for row in printed)


@pytest.mark.soak
def test_one_that_is_silent_after_an_answer(shell: Shell, write: Write) -> None:
    printed = rows(
        tried(shell, write, "print(f'[{number},0]', flush=True) if number < 3 else __import__('time').sleep(60)")
    )
    assert "late: no answer within the limit, and the interruption" in printed[0]


@pytest.mark.soak
def test_what_is_not_legal_is_reported_with_what_is(shell: Shell, write: Write) -> None:
    for answer, words in (
        ("'call 9'", 'illegal "call 9" (no such call: call 9)'),
        ("99", "answered with place 99, and"),
    ):
        printed = rows(tried(shell, write, f"print(json.dumps([number, {answer}]), flush=True)"))
        assert words in printed[0] and printed[1].startswith("legal            pass, call 1")


@pytest.mark.soak
def test_one_that_does_not_flush(shell: Shell, write: Write) -> None:
    printed = rows(tried(shell, write, "print([number, 0])"))
    assert printed[0].startswith(f"{AT}late: no answer within the limit") and ZERO in printed
    assert printed[-2] == "nothing more came: is each line ended, and flushed (fflush, flush=True)?"


HELLO = '{"roundsim":1}'


@pytest.mark.parametrize(
    ("source", "words"),
    one_in_with(
        7,
        [
            ("raise SystemExit(1)\n", "bot.py cannot be loaded: the process died: exited with code 1"),
            (
                "print('{\"roundsim\":0}', flush=True)\ninput()\ninput()\n",
                f"first line must be {HELLO}, not {{'roundsim': 0}}",
            ),
            ("print('ready', flush=True)\ninput()\ninput()\n", "no JSON: b'ready'"),
            ("print('[1,0]', flush=True)\ninput()\ninput()\n", f"first line must be {HELLO}, not [1, 0]"),
            ('print(\'{"roundsim":1,"wants":"hand"}\', flush=True)\ninput()\n', "must be a list of names, not 'hand'"),
            ("import time\ntime.sleep(90)\n", "cannot be loaded: it has said nothing since its start, within 1 s"),
            ("print('{', end='', flush=True)\ninput()\ninput()\n", "its first line has not ended within 1 s"),
        ],
    ),
    ids=["dies", "version", "words", "answers", "text", "silent", "no line end"],
)
def test_one_that_does_not_greet(
    source: str, words: str, shell: Shell, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guest, "LOAD_SECONDS", 1)
    monkeypatch.setattr(guest, "SLACK", 1)
    printed = rows(tried(shell, write, source))
    assert words in printed[0] and f"expected  {HELLO} as its first line" in printed
    assert ("nothing more came" in printed[-1]) == ("nothing since" in words)


@pytest.mark.soak
def test_one_that_plays_differently_the_second_time(shell: Shell, write: Write) -> None:
    done = tried(shell, write, "print([number, __import__('os').urandom(1)[0] % 2], flush=True)")
    assert done.code == 2 and "same twice              FAILED  the same deals were played differently" in done.out


@pytest.mark.soak
def test_a_bot_reaches_nothing(shell: Shell, write: Write, seal: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is never imported, and plays within the seal."""
    monkeypatch.setenv("ROUNDSIM_SEAL", seal.name)
    made = Path.cwd() / "made"
    for act in f"open({str(made)!r}, 'w')", "__import__('socket').socket()", "__import__('os').fork()":
        source = (
            GREETS.rpartition("        if word")[0]
            + f"        try: {act}\n        except OSError: sys.exit('refused')\n"
        )
        done = tried(shell, write, source)
        assert (
            rows(done)[0].endswith("the process died: exited with code 1")
            and "refused\n" in done.err
            and not made.exists()
        ), done


def test_it_is_sealed_unless_that_is_asked_for(shell: Shell, write: Write) -> None:
    made = Path.cwd() / "made"
    act = f"import pathlib; pathlib.Path({str(made)!r}).touch(); print([number, 0], flush=True)"
    assert tried(shell, write, act, "--isolate", "off").code == 0 and made.exists()
