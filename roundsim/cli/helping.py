"""How the help looks: each command with an example, and its options, those that are rarely asked for after the others."""

from __future__ import annotations

from functools import partial
from typing import Any

import click


class Rare(click.Option):
    """An option that is rarely asked for."""


class Command(click.Command):
    """A command with an example of its use."""

    def __init__(self, *given: Any, example: str = "", **named: Any) -> None:
        super().__init__(*given, **named)
        self.example = example

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        options = [each for each in self.get_params(context) if isinstance(each, click.Option)]
        for title, rare in ("Options", False), ("Rarely", True):
            records = [each.get_help_record(context) for each in options if isinstance(each, Rare) == rare]
            if shown := [record for record in records if record]:
                with formatter.section(title):
                    formatter.write_dl(shown)

    def format_help_text(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_help_text(context, formatter)
        if self.example:
            with formatter.section("Example"):
                formatter.write(f"{'':{formatter.current_indent}}{self.example}\n")


command = partial(click.command, cls=Command)
rare_option = partial(click.option, cls=Rare)
