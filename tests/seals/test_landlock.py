"""What the rules of Landlock alone let through, no other seal helping: to read is not to write, to list is not to read."""

from __future__ import annotations

import errno
import json
import subprocess
import sys
from pathlib import Path

import pytest
from command import environment

from roundsim.seals import landlock

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
CODE = """
import json, os, sys
from roundsim.seals import landlock
READ, LISTED, ELSEWHERE, tries = json.loads(sys.argv[1])
landlock.close(landlock.ruleset([READ], [LISTED]))
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
def test_what_the_rules_let_through(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("read", "listed", "elsewhere")]
    for folder in folders:
        folder.mkdir()
        (folder / "file").touch()
    words = json.dumps([*map(str, folders), TRIES])
    done = subprocess.run(
        [sys.executable, "-c", CODE, words], env=environment(), capture_output=True, check=True, text=True
    )
    assert json.loads(done.stdout) == {what: 0 if what in ALLOWED else errno.EACCES for what in TRIES}
