"""`python -m roundsim` is the command `roundsim`."""

from .cli import main

main()
