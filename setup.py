"""The packages are found, not listed: a game, a format, a room or a strategy is a folder or a file, and nothing else.

The native module is optional: without a C compiler everything is played by its definitions in Python."""

from hashlib import sha256
from pathlib import Path

from setuptools import Extension, find_packages, setup

ours = find_packages(include=["roundsim", "roundsim.*"])
house = [f"roundsim_strategies.{each}" for each in find_packages("strategies")]
sources = sorted(Path("roundsim/native").glob("*.c"))  # core.c includes the others
digest = sha256(b"".join(each.read_bytes() for each in sources)).hexdigest()
twins = [each for each in sorted(Path("roundsim").rglob("*.py")) if b"@native\n" in each.read_bytes()]
definitions = [f"{each.relative_to('roundsim').as_posix()}={sha256(each.read_bytes()).hexdigest()}" for each in twins]
core = Extension(
    "roundsim.native._core",
    ["roundsim/native/core.c"],
    depends=[str(each) for each in (*sources, *twins)],
    define_macros=[("SOURCE", f'"{digest}"'), ("DEFINITIONS", f'"{" ".join(definitions)}"')],
    extra_compile_args=["-ffp-contract=off"],  # floats are added and multiplied as Python does
    optional=True,
)
setup(packages=[*ours, "roundsim_strategies", *house, "roundsim_bots", "roundsim_claims"], ext_modules=[core])
