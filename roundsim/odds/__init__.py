"""Exact counts and odds of poker hands, and those that Foster printed."""

from ..base.faces import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
