"""The packages are found, not listed: a game, a format or a room is a folder or a file, and nothing else."""

from setuptools import find_packages, setup

setup(packages=[*find_packages(include=["roundsim", "roundsim.*"]), "roundsim_strategies"])
