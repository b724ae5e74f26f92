"""The packages are found, not listed: a game, a format, a room or a strategy is a folder or a file, and nothing else."""

from setuptools import find_packages, setup

ours = find_packages(include=["roundsim", "roundsim.*"])
house = [f"roundsim_strategies.{each}" for each in find_packages("strategies")]
setup(packages=[*ours, "roundsim_strategies", *house, "roundsim_bots"])
