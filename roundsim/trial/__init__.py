"""Trying a strategy out before it plays: `check`, also against an older version."""
