"""Flags that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ..tournament.file import Amount


def form_option(*forms: str) -> Callable[[Any], Any]:
    return click.option(
        "--format", "form", type=click.Choice(forms), default=forms[0], show_default=True, help="How to print it."
    )


def seed_of(context: click.Context, parameter: click.Parameter, value: str | None) -> int | str | None:
    if value is None:
        return None
    if value == "random":
        import secrets

        return secrets.token_hex(16)
    from ..tournament.plan import is_seed

    if is_seed(value):
        return value
    if value.isdecimal() and len(value) < 20 and is_seed(int(value)):
        return int(value)
    raise click.BadParameter(f"a whole number below 2**63, 32 digits 0-9a-f, or random; not {value[:60]!r}")


def key_value(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for value in values:
        key, equals, text = value.partition("=")
        if not equals or not key:
            raise click.BadParameter(f"write key=value, not {value!r}")
        if key in options:
            raise click.BadParameter(f"{key} is given twice")
        options[key] = toml_value(text)
    return options


def key_value_option(help: str) -> Callable[[Any], Any]:
    return click.option("--option", "options", multiple=True, callback=key_value, metavar="KEY=VALUE", help=help)


def toml_value(text: str) -> Any:
    """What a TOML file would have after the equals sign; a bare word is a text."""
    from ..tournament.runfile import toml_of

    try:
        return toml_of(f"value = {text}")["value"]
    except ValueError:
        return text


jobs_option = click.option(
    "--jobs", type=click.IntRange(1), metavar="N", help="Processes. [default: one for each core]"
)


def run_options(command: Any) -> Any:
    """The flags that `run` and `play` share."""
    for option in reversed(
        [
            click.option(
                "--seed",
                callback=seed_of,
                metavar="N",
                help="The seed, or `random` to draw one. [default: 1, or the file's]",
            ),
            click.option("--deals", type=click.IntRange(1), help="Deals of each game, rounded up to whole blocks."),
            click.option("--times", type=click.IntRange(1), help="How many freeze-outs, or evenings."),
            jobs_option,
            click.option(
                "--out",
                type=click.Path(file_okay=False, path_type=Path),
                metavar="DIR",
                help="The run folder. [default: runs/NAME-xxxxxx]",
            ),
            click.option("--dry-run", is_flag=True, help="Only say what would be played."),
            form_option("table", "json", "csv", "md"),
        ]
    ):
        command = option(command)
    return command


def amount_of(deals: int | None, times: int | None) -> Amount | None:
    """How much is to be played, if the command line says it."""
    if deals is not None and times is not None:
        raise click.UsageError("--deals or --times, as the format has it: give one")
    return ("deals", deals) if deals is not None else None if times is None else ("times", times)
