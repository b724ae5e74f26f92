"""The version, which nothing else says."""

__version__ = "0.1.0"
