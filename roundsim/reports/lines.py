"""Texts on lines as wide as the terminal, or in Markdown."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Sequence
from textwrap import wrap

from ..base.text import WIDTH, columns_of

WIDEST = 140  # columns that are used of a terminal
LABEL = 14  # columns before the text of a line
JOINER = "\N{WORD JOINER}"  # has no width: for the second column of a character


def text_width() -> int:
    """Return the columns of the terminal, from 80 to 140; 80 if the output goes elsewhere, so that it is always the same."""
    columns = shutil.get_terminal_size((WIDTH, 24)).columns if sys.stdout.isatty() else WIDTH
    return min(WIDEST, max(WIDTH, columns))


def lines_of(facts: Sequence[tuple[str, str]]) -> list[str]:
    """Return the findings of the blocks, as lines below a table."""
    return [line for label, text in facts for line in broken(f" {label:<{LABEL - 1}}{text}", LABEL)]


def markdown_list(facts: Sequence[tuple[str, str]]) -> list[str]:
    """Return the same in markdown."""
    return [f"* {label}: {in_markdown(text)}" for label, text in facts]


def broken(text: str, indent: int, width: int | None = None) -> list[str]:
    """Break a text into lines of `width`, or that of the terminal, but not within a number, nor at a minus or a ±."""
    whole = re.sub(r"(?<=\d) (?=\d{3})| (?=[±-] )|(?<= [±-]) ", "\N{NO-BREAK SPACE}", text)
    if columns_of(whole) != len(whole):
        whole = "".join([letter + JOINER * (columns_of(letter) - 1) for letter in whole])
    lines = wrap(whole, width or text_width(), subsequent_indent=" " * indent, break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}", " ").replace(JOINER, "") for line in lines]


def wrapped_texts(texts: Sequence[str], mark: str) -> list[str]:
    """Return texts on as many lines as they need; in markdown on one each."""
    return [*map(in_markdown, texts)] if mark else [line for text in texts for line in broken(text, 2)]


def in_markdown(text: str) -> str:
    """Escape a text so that Markdown takes no part of it for code, an element, or the end of a cell."""
    return re.sub(r"[\\`|<]", r"\\\g<0>", text)


def joined_heading(parts: Sequence[str]) -> str:
    """Return the parts of a heading, on as many lines as they need."""
    lines, width = [parts[0]], text_width()
    for part in parts[1:]:
        if columns_of(f"{lines[-1]} · {part}") <= width:
            lines[-1] += f" · {part}"
        else:
            lines.append(f"  {part}")
    return "\n".join(lines)
