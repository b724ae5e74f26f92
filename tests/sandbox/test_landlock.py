"""The rules of Landlock without any other seal: to read is not to write, to list is not to read."""

from __future__ import annotations

import errno
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.command import environment

from roundsim.sandbox import landlock

TRIES = {
    "read": "open(READ + '/file').close()",
    "list what it reads": "os.listdir(READ)",
    "list": "os.listdir(LISTED)",
    "change what it reads": "open(READ + '/file', 'r+').close()",
    "add to what it reads": "open(READ + '/file', 'a').close()",
    "read what it lists": "open(LISTED + '/file').close()",
    "change what it lists": "open(LISTED + '/file', 'r+').close()",
    "list elsewhere": "os.listdir(ELSEWHERE)",
    "read elsewhere": "open(ELSEWHERE + '/file').close()",
    "write into nothing": "open('/dev/null', 'w').close()",
    "change chance": "open('/dev/urandom', 'w').close()",
}
SINCE = {  # refusals of later versions of Landlock: the first of them, the error, the action
    "cut what it reads": (3, errno.EACCES, "os.truncate(READ + '/file', 0)"),
    "listen": (4, errno.EACCES, "socket.socket().bind(('127.0.0.1', 0))"),
    "connect": (4, errno.EACCES, "socket.socket().connect(('127.0.0.1', 1))"),
    "speak by a name without a file": (6, errno.EPERM, "socket.socket(socket.AF_UNIX).connect(NAME)"),
    "signal its parent": (6, errno.EPERM, "os.kill(os.getppid(), 0)"),
}
CODE = """
import json, os, socket, sys
from roundsim.sandbox import landlock
READ, LISTED, ELSEWHERE, NAME, tries = json.loads(sys.argv[1])
landlock.restrict_self(landlock.ruleset([READ], [LISTED]))
said = {}
for what, code in tries.items():
    try:
        exec(code)
        said[what] = 0
    except OSError as error:
        said[what] = error.errno
print(json.dumps(said))
"""
ALLOWED = {"read", "list what it reads", "list", "write into nothing"}


@pytest.mark.skipif(not landlock.version(), reason="the kernel has no Landlock")
def test_the_rules_allow_only_what_they_name(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("read", "listed", "elsewhere")]
    for folder in folders:
        folder.mkdir()
        (folder / "file").touch()
    later = {what: (how, code) for what, (since, how, code) in SINCE.items() if since <= landlock.version()}
    name = f"\0roundsim-{os.getpid()}"
    tries = TRIES | {what: code for what, (_, code) in later.items()}
    with socket.socket(socket.AF_UNIX) as listens:
        listens.bind(name)
        listens.listen()
        words = [sys.executable, "-c", CODE, json.dumps([*map(str, folders), name, tries])]
        done = subprocess.run(words, env=environment(), capture_output=True, check=True, text=True)
    expected = {what: 0 if what in ALLOWED else errno.EACCES for what in TRIES}
    assert json.loads(done.stdout) == expected | {what: how for what, (how, _) in later.items()}
