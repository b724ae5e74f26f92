"""How the help looks: each command with an example, and its options, those that are rarely asked for after the others."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import click

A_COUNT = re.compile(r"  \[1<=x<=10{12}\]|; 1<=x<=10{12}(?=\])")


class Rare(click.Option):
    """An option that is rarely asked for."""


class Command(click.Command):
    """A command with an example of its use."""

    def __init__(self, *given: Any, example: str = "", **named: Any) -> None:
        super().__init__(*given, **named)
        self.example = example

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        for title, rare in ("Options", False), ("Rarely", True):
            if records := [(written, help) for written, help, _ in self.records(context, rare)]:
                with formatter.section(title):
                    formatter.write_dl(records)

    def records(self, context: click.Context, rare: bool) -> Iterator[tuple[str, str, click.Option]]:
        """Yield the rare options or the others: how each is written, its help without the range of a count, itself."""
        for parameter in self.get_params(context):
            option = parameter if isinstance(parameter, click.Option) and isinstance(parameter, Rare) == rare else None
            if option and (record := option.get_help_record(context)):
                yield record[0], A_COUNT.sub("", record[1]), option

    def format_help_text(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_help_text(context, formatter)
        if self.example:
            with formatter.section("Example"):
                formatter.write(f"{'':{formatter.current_indent}}{self.example}\n")


command = partial(click.command, cls=Command)
rare_option = partial(click.option, cls=Rare)
