"""Names for authors of claims: a measure declares what it `gives`, and yields it for each deal.

docs/claims.md shows how to write a chapter of claims with them. They are promised: within a minor version names are added,
and none is removed."""

from .base.faces import lazy

__getattr__, __dir__, __all__ = lazy(__name__, __file__)
