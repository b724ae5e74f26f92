"""How the help looks: each command with an example, and its options, those that are rarely asked for after the others."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import click

from ..base.errors import did_you_mean


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
        """Yield the rare options or the others: how each is written, its help, itself."""
        for parameter in self.get_params(context):
            option = parameter if isinstance(parameter, click.Option) and isinstance(parameter, Rare) == rare else None
            if option and (record := option.get_help_record(context)):
                yield *record, option

    def format_help_text(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_help_text(context, formatter)
        if self.example:
            with formatter.section("Example"):
                formatter.write(f"{'':{formatter.current_indent}}{self.example}\n")


class CommandGroup(click.Group):
    """A group of commands."""

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is called. UsageError, with the name that is nearest."""
        called = args[0]
        if not (context.resilient_parsing or called.startswith("-") or self.get_command(context, called)):
            context.fail(f"no command {called!r}{did_you_mean(called, self.list_commands(context))}")
        return super().resolve_command(context, args)


def usage_text(error: click.ClickException) -> str:
    """Return the message of a wrong command line as those of all other errors are: what is wrong, where, and where to
    read what is right."""
    text = error.message.removesuffix(".")
    parameter = error.param if isinstance(error, click.BadParameter) else None
    if parameter:
        name = parameter.human_readable_name if isinstance(parameter, click.Argument) else parameter.opts[-1]
        if not isinstance(error, click.MissingParameter):
            return f"{name}: {text}"
        text = f"{name} is missing"
        if isinstance(parameter.type, click.Choice):
            text += f": {', '.join(map(str, parameter.type.choices))}"
    elif isinstance(error, click.NoSuchOption):
        text = f"no option {error.option_name}{did_you_mean(error.option_name, error.possibilities or ())}"
    elif text.startswith(("Got ", "Option ")):  # click's own
        text = text[0].lower() + text[1:]
    context = getattr(error, "ctx", None) or click.get_current_context(silent=True)
    return f"{text}; see {context.command_path} --help" if context else text


command = partial(click.command, cls=Command)
rare_option = partial(click.option, cls=Rare)
