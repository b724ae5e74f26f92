"""Colour in the text reports on a terminal: headings, verdicts, and faults. The text is the same without it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import TextIO

from click import style

from .terminal import LEFT_ALIGNED

HEADER = re.compile(rf" ?(?:{'|'.join(LEFT_ALIGNED)})  +\S")  # begins the first line of a table
FAULTS = "faults"  # the heading of a column
COUNT = re.compile(r"[1-9]\d*(?: \d{3})*")  # of faults
CELL = re.compile(r"\S+(?: \S+)*")
VERDICT = re.compile(
    r"(?P<before>^ *|: )(?:(?P<green>better|not worse by \S+)|(?P<red>worse by more than \S+|worse|void)"
    r"|(?P<yellow>undecided|no difference))$",
    re.M,
)


def has_colour(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Return whether text for people has colour on this stream: on a terminal that has it, unless `NO_COLOR` is set;
    elsewhere only if `FORCE_COLOR` is set, and not to 0."""
    if environment.get("NO_COLOR"):
        return False
    forced = environment.get("FORCE_COLOR")
    return forced != "0" if forced else stream.isatty() and environment.get("TERM") != "dumb"


def coloured(text: str) -> str:
    """Return a text report with colour."""
    parts = text.split("\n\n")
    for at, part in enumerate(parts):
        if HEADER.match(part):
            parts[at] = coloured_table(part)
            if at and not HEADER.match(parts[at - 1]):
                parts[at - 1] = bold(parts[at - 1])  # its title
    return VERDICT.sub(coloured_verdict, "\n\n".join(parts))


def coloured_table(text: str) -> str:
    """Return a table, and the notes below it, with a bold header and red faults."""
    header, *lines = text.split("\n")
    headings = CELL.findall(header)
    if FAULTS in headings:
        back = len(headings) - headings.index(FAULTS)
        lines = [red_count(line, back) if indent(line) == indent(header) else line for line in lines]
    return "\n".join([bold(header), *lines])


def red_count(row: str, back: int) -> str:
    """Return a row of a table with its faults in red, in the cell that is so many from the end: in a name a character
    may take two columns."""
    cells = [*CELL.finditer(row)]
    faults = cells[-back] if len(cells) >= back else None
    if not faults or not COUNT.fullmatch(faults[0]):
        return row
    return row[: faults.start()] + style(faults[0], fg="red") + row[faults.end() :]


def coloured_verdict(match: re.Match[str]) -> str:
    text = match[0].removeprefix(match["before"])
    return match["before"] + style(text, fg=match.lastgroup, bold=True)


def bold(text: str) -> str:
    return "\n".join(map(partial(style, bold=True), text.split("\n")))


def indent(line: str) -> int:
    return len(line) - len(line.lstrip())
