"""The console script `roundsim`, and `python -m roundsim`."""

import os
import sys


def main() -> None:
    """The command; outside of it, while it is loaded or ends, Ctrl-C ends the process without a word."""
    import _signal as signal  # type: ignore[import-not-found]  # there already: in `signal` Ctrl-C would still be told

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # our parent lets us hear of it
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from .cli import main as command

    command()


if __name__ == "__main__":
    if not os.path.isdir(os.path.join(sys.path[0], "roundsim")):
        del sys.path[0]  # a file of the current folder, a strategy called random.py, hides no module
    main()
