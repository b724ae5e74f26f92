"""Completion in a real bash, as docs/shell.md sets it up; zsh and fish get a script of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from command import PATIENCE, environment, seldom_with

ASK = """
eval "$(_ROUNDSIM_COMPLETE=bash_source roundsim)"
COMP_WORDS=(roundsim "$@") COMP_CWORD=$# COMPREPLY=()
_roundsim_completion roundsim
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture
def shell_environment(tmp_path: Path) -> dict[str, str]:
    """The environment of a shell in which `roundsim` can be called."""
    program = tmp_path / "roundsim"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m roundsim "$@"\n')
    program.chmod(0o755)
    return {**environment(), "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["sta"], ["standings"]),
        *seldom_with((["new", ""], ["bot", "strategy"]), (["schema", "--g"], ["--game"])),
        (["standings", "run", "--format", "m"], ["md"]),
    ],
    ids=" ".join,
)
def test_bash(words: list[str], found: list[str], shell_environment: dict[str, str]) -> None:
    asked = ["bash", "-c", ASK, "bash", *words]
    done = subprocess.run(asked, env=shell_environment, capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout.split() == found, done.stderr


@pytest.mark.parametrize("name", ["zsh", "fish"])
def test_other_shells(name: str, shell_environment: dict[str, str]) -> None:
    asked = {**shell_environment, "_ROUNDSIM_COMPLETE": f"{name}_source"}
    done = subprocess.run(["roundsim"], env=asked, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0 and f"{name}_complete" in done.stdout
