"""Sections of the report for our formats, besides the standings: one file for each format, with its name.

A third-party format brings its own section, see `tournament.formats.Section`."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from ....tournament.formats import Section
from ....tournament.planning.plan import Entry


def section_of(entry: Entry) -> Section | None:
    """Return the section of an entry's format: its own, or that of the nearest format it derives from; None if there is
    none."""
    for kind in map(vars, type(entry.format).__mro__):
        made = kind.get("section")
        if "name" in kind and find_spec(module := f"{__name__}.{kind['name'].replace('-', '_')}"):
            made = import_module(module).Section
        if made or "section" in kind:
            return made(entry) if made else None
    return None
