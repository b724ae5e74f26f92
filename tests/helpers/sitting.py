"""`roundsim sit` with an input of what is typed."""

from __future__ import annotations

import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from helpers.command import roundsim


def sits(folder: Path, *words: object, typed: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    """Sit down in this process; the input is no terminal."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", StringIO(typed))
        return roundsim("sit", *words, cwd=folder, code=code)
