"""roundsim: a simulator and tournament runner for old round games with cards."""

__version__ = "0.1.0"
