"""A worker that is lost while it plays."""

from __future__ import annotations

import pytest
from conftest import Shell, Write


@pytest.mark.usefixtures("in_process")
def test_the_deals_of_a_lost_worker_are_played_again(shell: Shell, write: Write) -> None:
    write("mine.py", "import os\n\n\ndef act(view):\n    os._exit(3)\n")
    done = shell("play", "nap", "mine.py", "random", "--deals", 4, "--jobs", 1, "--out", "run")
    assert done.code == 2 and "dead" in done.err
    assert shell("verify", "run").code == 0
