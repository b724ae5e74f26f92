"""Names for authors of formats: how strategies meet, what counts, and what the report shows.

docs/formats.md shows how to write a format with them; begin with `MatchFormat`. They are promised: within a minor version
names are added, and none is removed."""

from .base.faces import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
