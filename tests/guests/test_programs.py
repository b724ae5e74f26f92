"""Programs as bots: those with libraries around them, those of Java, and those that cannot be started."""

from __future__ import annotations

import os
import select
import shutil
import subprocess
from typing import Any

import pytest
from conftest import Outcome, Shell, Write
from helpers.command import PATIENCE, one_in

from roundsim.guests import guest
from roundsim.guests.guest import Guest
from roundsim.guests.launchers import executed
from roundsim.sandbox.kinds import Sandbox

BOT = """
    #include <stdio.h>
    #include <stdlib.h>
    #include <string.h>
    int version(void);
    char line[1 << 16];
    int main(void) {
        while (fgets(line, sizeof line, stdin)) {
            if (line[0] == '{')
                printf("{\\"roundsim\\":%d}\\n", version());
            if (!strncmp(line, "[\\"ask\\",", 7))
                printf("[%d,0]\\n", atoi(line + 7));
            fflush(stdout);
        }
    }
    """
JAVA = """
    import java.nio.file.*;
    import java.util.*;

    public class Bot {
        public static void main(String[] given) throws Exception {
            List<String> hello = Files.readAllLines(Path.of(given[0]));
            Scanner lines = new Scanner(System.in);
            while (lines.hasNextLine()) {
                String line = lines.nextLine();
                if (line.startsWith("{"))
                    System.out.println(hello.get(0));
                if (line.startsWith("[\\"ask\\","))
                    System.out.println("[" + line.split(",")[1] + ",0]");
            }
        }
    }
    """


def tried(shell: Shell, seal: Sandbox, monkeypatch: pytest.MonkeyPatch, bot: str) -> Outcome:
    monkeypatch.setenv("ROUNDSIM_SEAL", seal.name)
    return shell("check", bot, "--game", "nap", "--deals", 4, "--isolate", "on")


def test_a_program_finds_its_libraries(
    seal: Sandbox, shell: Shell, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not (compiler := shutil.which("cc")):
        pytest.skip("there is no compiler")
    source, library = write("bot.c", BOT), write("version.c", "int version(void) { return 1; }")
    folder = write("mine/bot.toml", 'name = "mine"\ncommand = "./bot"\nfiles = ["lib"]\n').parent
    (folder / "lib").mkdir()
    subprocess.run([compiler, "-shared", "-fPIC", library, "-o", folder / "lib/libversion.so"], check=True)
    linked = "-Lmine/lib", "-lversion", "-Wl,-rpath,$ORIGIN/lib"
    subprocess.run([compiler, source, "-o", folder / "bot", *linked], check=True)
    assert tried(shell, seal, monkeypatch, "./mine").code == 0


@pytest.mark.soak
def test_a_bot_in_java_plays(seal: Sandbox, shell: Shell, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    if not shutil.which("java"):
        pytest.skip("there is no Java")
    write("Bot.java", JAVA)
    write("hello.txt", '{"roundsim":1}\n')
    done = tried(shell, seal, monkeypatch, "cmd:java -Xmx512m -XX:CompressedClassSpaceSize=64m Bot.java hello.txt")
    assert done.code == 0, done


UNSTARTED = {
    "#!/bin/sh\r\n": "its first line has a Windows line end (CR LF)",
    "#!/usr/bin/env python3 -u\r\n": "sed -i 's/\\r$//' mine",
    "read -r hello\n": "its first line does not name an interpreter after #!",
    "#!/nowhere/sh\n": "the interpreter in its first line, or the loader of its libraries, is not there",
}


@pytest.mark.usefixtures("guests_once")
@pytest.mark.parametrize("begins", one_in(2, [*UNSTARTED]))
def test_a_script_that_cannot_be_started_is_reported_with_the_reason(begins: str, shell: Shell, write: Write) -> None:
    path = write("mine")
    path.write_bytes(f"{begins}read -r hello\n".encode())
    path.chmod(0o755)
    played = shell("play", "nap", "cmd:./mine", "random", "--deals", 8)
    assert played.code == (64 if "\r" in begins else 2) and UNSTARTED[begins] in played.err, played
    tried = shell("check", "cmd:./mine", "--game", "nap", "--deals", 4)
    assert tried.code == 2 and UNSTARTED[begins] in tried.out, tried


@pytest.mark.usefixtures("guests_once")
def test_the_reason_is_read_where_a_program_ended_early(
    shell: Shell, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    greet = Guest.hello

    def greet_late(guest: Guest, *more: Any) -> None:
        poll = select.poll()
        poll.register(guest.sock, select.POLLHUP)
        assert poll.poll(1000 * PATIENCE)
        greet(guest, *more)

    monkeypatch.setattr(Guest, "hello", greet_late)
    write("mine", "#!/nowhere/sh\n").chmod(0o755)
    assert UNSTARTED["#!/nowhere/sh\n"] in shell("play", "nap", "cmd:./mine", "random", "--deals", 8).err


def test_the_program_of_a_script_is_named_in_its_first_line(write: Write) -> None:
    def script(name: str, line: str) -> str:
        path = write(name, f"{line}\n")
        path.chmod(0o755)
        return str(path)

    inner = script("inner", "#!/usr/bin/env")
    for line, program in (
        ("#! /usr/bin/env -S A=1 cat -u", os.path.realpath("/bin/cat")),
        ("#!/bin/cat -u", os.path.realpath("/bin/cat")),
        (f"#!{inner}", ""),
        ("#!/usr/bin/env bash", ""),
        ("#!/nowhere", ""),
        ("#!", ""),
    ):
        assert executed([script("mine", line), "--depth", "3"]) == program, line
    assert executed(["env", "cat"]) == executed(["cat"]) == os.path.realpath("/bin/cat")
    assert executed(["env"]) == executed(["no-such-program"]) == executed([]) == ""


MISSPOKEN = {
    "'{\"roundsim\":1}\\n'.encode('utf-16')": "(in UTF-16: the wire is UTF-8)",
    "b'\\xef\\xbb\\xbf{\"roundsim\":1}\\n'": "it begins with a byte order mark",
    'b\'{"roundsim":1,"error":"\\xe9"}\\n\'': "(not in UTF-8)",
}


@pytest.mark.usefixtures("guests_once")
@pytest.mark.parametrize("hello", one_in(3, [*MISSPOKEN]))
def test_a_hello_in_another_encoding_is_named(hello: str, shell: Shell, write: Write) -> None:
    write("bot.py", f"import sys\nsys.stdout.buffer.write({hello})\nsys.stdout.flush()\nsys.stdin.read()\n")
    done = shell("play", "nap", "cmd:python3 bot.py", "random", "--deals", 8)
    assert done.code == 2 and MISSPOKEN[hello] in done.err, done


@pytest.mark.usefixtures("guests_once")
def test_a_bot_is_waited_for_once(shell: Shell, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many tables are in step."""
    monkeypatch.setattr(guest, "LOAD_SECONDS", 0)
    monkeypatch.setattr(guest, "SLACK", 0.1)
    started, hello = list[guest.Guest](), guest.Guest.hello

    def counted(one: guest.Guest, *given: Any) -> None:
        started.append(one)
        hello(one, *given)

    monkeypatch.setattr(guest.Guest, "hello", counted)
    write("bot.py", "import sys\nprint('{\"roundsim\":1}')\nsys.stdin.read()\n")
    done = shell("play", "nap", "cmd:python3 bot.py", "random", "--deals", 64)
    assert done.code == 2 and "is each line ended, and flushed (fflush, flush=True)?" in done.err, done
    assert len(started) == 1
