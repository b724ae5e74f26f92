"""Texts on lines of 80 columns, or in Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import wrap

from ..base.text import WIDTH

LABEL = 14  # columns before the text of a line


def lines_of(facts: Sequence[tuple[str, str]]) -> list[str]:
    """Return the findings of the blocks, as lines below a table."""
    return [line for label, text in facts for line in broken(f" {label:<{LABEL - 1}}{text}", LABEL)]


def markdown_list(facts: Sequence[tuple[str, str]]) -> list[str]:
    """Return the same in markdown."""
    return [f"* {label}: {in_markdown(text)}" for label, text in facts]


def broken(text: str, indent: int, width: int = WIDTH) -> list[str]:
    """Break a text into lines, but not within a number, nor at a minus or a ±."""
    whole = re.sub(r"(?<=\d) (?=\d{3})| (?=[±-] )|(?<= [±-]) ", "\N{NO-BREAK SPACE}", text)
    lines = wrap(whole, width, subsequent_indent=" " * indent, break_on_hyphens=False)
    return [line.replace("\N{NO-BREAK SPACE}", " ") for line in lines]


def wrapped_texts(texts: Sequence[str], mark: str) -> list[str]:
    """Return texts on as many lines as they need; in markdown on one each."""
    return [*map(in_markdown, texts)] if mark else [line for text in texts for line in broken(text, 2)]


def in_markdown(text: str) -> str:
    """Escape a text so that Markdown takes no part of it for code, an element, or the end of a cell."""
    return re.sub(r"[\\`|<]", r"\\\g<0>", text)


def joined_heading(parts: Sequence[str]) -> str:
    """Return the parts of a heading, on as many lines as they need."""
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + len(part) + 3 <= WIDTH:
            lines[-1] += f" · {part}"
        else:
            lines.append(f"  {part}")
    return "\n".join(lines)
