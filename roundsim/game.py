"""Names for authors of games: deals, questions, cards, options, and the families of games.

docs/games.md shows how to write a game with them. They are promised: within a minor version names are added, and none is
removed."""

from .base.faces import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
