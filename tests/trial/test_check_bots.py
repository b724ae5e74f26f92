"""`check` of a bot: played through the wire; what is wrong with what it says is reported, with what was sent and expected."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import Outcome, Shell, Write
from helpers.command import one_in, one_in_with

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
    """Return the words of the failure."""
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
    words = "not compared: a bot plays in a separate process"
    for row in "4 deals nap +ok", "same twice +ok", f"against book +-  +{words}":
        assert re.search(f"^  {row}$", done.out, re.M), row
    assert not Path("check-scripts").exists()


@pytest.mark.soak
def test_a_folder_with_a_bot(shell: Shell, write: Write) -> None:
    write("mine/play.py", GREETS + "print(f'[{number},0]', flush=True)")
    write("mine/bot.toml", 'name = "mine"\ngames = ["nap", "loo"]\ncommand = "python3 play.py"\n')
    done = shell("check", "./mine", "--deals", "4")
    assert done.code == 0 and "games: nap, loo" in done.out
    assert re.findall(r"^  4 deals (\w+) +ok$", done.out, re.M) == ["nap", "loo"]


BREAKING = [
    ("print('pass', flush=True)", "no JSON: b'pass'", "pass"),
    ("print([number + 5, 0], flush=True)", "answer to 6, which was not asked", "[6, 0]"),
    ("print({'n': number}, flush=True)", "no JSON: b\"{'n': 1}\"", "{'n': 1}"),
    ("print([number, 0, 1], flush=True)", "no answer: [1, 0, 1]", "[1, 0, 1]"),
]


@pytest.mark.parametrize(("answer", "words", "came"), one_in_with(4, BREAKING))
def test_answers_that_break_the_wire(answer: str, words: str, came: str, shell: Shell, write: Write) -> None:
    printed = rows(tried(shell, write, answer))
    assert printed[0] == f"{AT}broke the protocol: {words}" and printed[1].startswith(ASK)
    assert printed[2:4] == [f"came      {came}", ZERO]
    hint = "standard output is the wire: what else it prints goes to standard error"
    assert (hint in printed) == ("no JSON" in words)


@pytest.mark.soak
def test_answers_too_many_unlike_or_never_are_reported(shell: Shell, write: Write) -> None:
    printed = rows(tried(shell, write, "print('\\n'.join([json.dumps(['see', number, 'hand'])] * 65), flush=True)"))
    assert printed[0] == f"{AT}broke the protocol: asks to see more than 64 names at a question"
    answer = "print(f'[{number},0]', flush=True) if number < 3 else __import__('time').sleep(60)"
    assert "late: no answer within the limit, and the interruption" in rows(tried(shell, write, answer))[0]
    for answer, words in ("'call 9'", 'illegal "call 9" (no such call: call 9)'), ("99", "answered with place 99, and"):
        printed = rows(tried(shell, write, f"print(json.dumps([number, {answer}]), flush=True)"))
        assert words in printed[0] and printed[1].startswith("legal            pass, call 1")
    printed = rows(tried(shell, write, "print([number, 0])"))
    assert printed[0].startswith(f"{AT}late: no answer within the limit") and ZERO in printed
    assert printed[-2] == "nothing more came: is each line ended, and flushed (fflush, flush=True)?"
    done = tried(shell, write, "print([number, __import__('os').urandom(1)[0] % 2], flush=True)")
    assert done.code == 2 and "same twice              FAILED  the same deals were played differently" in done.out
    answer = "print(*range(99), 'thinking\\x1b[31m hard', 'x' * 300, sep='\\n', file=sys.stderr); sys.exit(3)"
    done = tried(shell, write, answer)
    first, ask, zero, *printed = rows(done)
    assert first == f"{AT}the process died: exited with code 3" and ask.startswith(ASK) and zero == ZERO
    assert printed[:3] == ["printed   98", r"thinking\u001b[31m hard", "x" * 197 + "..."]
    assert printed[3].startswith("again: ") and "thinking\\u001b[31m hard\n" in done.err


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


HELLO = '{"roundsim":1}'
FIRST_LINE = f"first line must be {HELLO}, not"
WAITS = "\ninput()\ninput()\n"
GREETINGS = {
    "dies": ("raise SystemExit(1)\n", "bot.py cannot be loaded: the process died: exited with code 1"),
    "version": ("print('{\"roundsim\":0}', flush=True)" + WAITS, f"{FIRST_LINE} {{'roundsim': 0}}"),
    "words": ("print('ready', flush=True)" + WAITS, "no JSON: b'ready'"),
    "answers": ("print('[1,0]', flush=True)" + WAITS, f"{FIRST_LINE} [1, 0]"),
    "text": ('print(\'{"roundsim":1,"wants":"hand"}\', flush=True)' + WAITS, "must be a list of names, not 'hand'"),
    "silent": ("import time\ntime.sleep(90)\n", "cannot be loaded: it has said nothing since its start, within 1 s"),
    "no line end": ("print('{', end='', flush=True)" + WAITS, "its first line has not ended within 1 s"),
}


@pytest.mark.parametrize("case", one_in(7, [*GREETINGS]))
def test_one_that_does_not_greet(case: str, shell: Shell, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guest, "LOAD_SECONDS", 1)
    monkeypatch.setattr(guest, "SLACK", 1)
    source, words = GREETINGS[case]
    printed = rows(tried(shell, write, source))
    assert words in printed[0] and f"expected  {HELLO} as its first line" in printed
    assert ("nothing more came" in printed[-1]) == ("nothing since" in words)


@pytest.mark.soak
def test_a_bot_reaches_nothing(shell: Shell, write: Write, seal: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is never imported, and plays within the seal."""
    monkeypatch.setenv("ROUNDSIM_SEAL", seal.name)
    made, before = Path.cwd() / "made", GREETS.rpartition("        if word")[0]
    for act in f"open({str(made)!r}, 'w')", "__import__('socket').socket()", "__import__('os').fork()":
        done = tried(shell, write, f"{before}        try: {act}\n        except OSError: sys.exit('refused')\n")
        assert rows(done)[0].endswith("the process died: exited with code 1"), done
        assert "refused\n" in done.err and not made.exists(), done


@pytest.mark.soak
def test_it_is_sealed_unless_that_is_asked_for(shell: Shell, write: Write) -> None:
    made = Path.cwd() / "made"
    act = f"import pathlib; pathlib.Path({str(made)!r}).touch(); print([number, 0], flush=True)"
    assert tried(shell, write, act, "--isolate", "off").code == 0 and made.exists()
