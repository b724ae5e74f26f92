"""`python -m roundsim` is the command `roundsim`."""

import sys
from pathlib import Path

if not (Path(sys.path[0]) / "roundsim").is_dir():
    del sys.path[0]  # a file of the current folder, a strategy called random.py, hides no module

from .cli import main  # noqa: E402

main()
