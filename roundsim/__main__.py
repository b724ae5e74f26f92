"""The console script `roundsim`, and `python -m roundsim`."""

import os
import sys


def main() -> None:
    """Run the command. While it is imported or exits, Ctrl-C ends the process silently."""
    import _signal as signal  # type: ignore[import-not-found]  # built in: importing `signal` could be interrupted

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # the parent process does not ignore it
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if not os.path.isfile(__file__):  # its processes and its sandbox read its files
        print(f"roundsim: {os.path.dirname(__file__)}: it cannot play from an archive: install it", file=sys.stderr)
        sys.exit(64)
    from .processes.signals import clear_inherited

    clear_inherited()
    from .cli import main as command

    command()


if __name__ == "__main__":
    if not os.path.isdir(os.path.join(sys.path[0], "roundsim")):
        del sys.path[0]  # a file of the current folder, a strategy called random.py, hides no module
    main()
