"""The pages of the documentation: their code blocks, and the commands that they describe."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import NamedTuple

from command_flags import leaves
from helpers.command import ROOT

from roundsim.cli import cli

PAGES = [*sorted(ROOT.glob("*.md")), *sorted(ROOT.glob("docs/*.md"))]
LEAVES = dict(leaves(cli))


class Block(NamedTuple):
    """A code block of a page: its language, its text, and the line where it begins."""

    page: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page: Path) -> list[Block]:
    found, begun = [], None
    for number, line in enumerate(page.read_text("utf-8").splitlines(), 1):
        if line.lstrip().startswith("```"):
            if begun is None:
                begun = Block(page, number, line.strip().removeprefix("```"), "")
            else:
                found.append(begun)
                begun = None
        elif begun is not None:
            begun = begun._replace(text=f"{begun.text}{line}\n")
    assert begun is None, f"{begun} has no end"
    return [block._replace(text=textwrap.dedent(block.text)) for block in found]
