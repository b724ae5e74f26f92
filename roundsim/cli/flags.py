"""Flags that several commands share."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from functools import wraps
from itertools import pairwise
from math import inf, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..base.errors import InputError, did_you_mean
from ..base.text import number
from .completing import ENTRY, OPTION, RUN, SOURCE_FILE, Completed
from .helping import Command, rare_option
from .playing import reporting_to_ci

if TYPE_CHECKING:
    from ..base.catalog import Catalog


class Within(Completed):
    """A number within limits, which are named when it is not; whole, unless its kind is float."""

    name = "number"

    def __init__(self, low: float, high: float = inf, kind: type[int] | type[float] = int) -> None:
        super().__init__(lambda context, word: (), kind)
        self.low, self.high = low, high

    def convert(self, value: object, parameter: click.Parameter | None, context: click.Context | None) -> float:
        """Return the number. BadParameter."""
        try:
            amount: float = super().convert(value, parameter, context)
        except ValueError:
            amount = nan
        if not self.low <= amount <= self.high:
            whole, limits = "whole " * (self.kind is int), f"{self.low:g} or more"
            if isinstance(self.high, int):
                limits = f"from {self.low:g} to {number(self.high)}"
            self.fail(f"a {whole}number, {limits}, not {str(value)[:60]!r}", parameter, context)
        return amount


COUNT = Within(1, 10**12)
OUT = re.compile(r"-[^\W\d_][\w-]+")  # a game that is left out


class AllBut(Command):
    """A command to which `-loto` is a game that is left out of all, and no option."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """The games that are left out come to the command as `without`."""
        options = [parameter for parameter in self.get_params(context) if isinstance(parameter, click.Option)]
        valued = {flag for option in options if not option.is_flag for flag in option.opts}
        after = enumerate(pairwise(["", *args]))
        out = [at for at, (before, word) in after if OUT.fullmatch(word) and before not in valued]
        if out and not context.resilient_parsing:
            check_known([args[at] for at in out], [flag for option in options for flag in option.opts], context)
        rest = super().parse_args(context, [word for at, word in enumerate(args) if at not in out])
        context.params["without"] = [args[at][1:] for at in out]
        return rest


class FormatOption(click.Option):
    """The format that is played; `{}` in its help are the names of those that are known."""

    def get_help_record(self, context: click.Context) -> tuple[str, str] | None:
        from ..tournament.formats import names

        template = self.help
        try:
            self.help = str(template).format(", ".join(names()))
            return super().get_help_record(context)
        finally:
            self.help = template


def check_known(given: Iterable[str], flags: Iterable[str], context: click.Context) -> None:
    """UsageError where one is neither `-loto`, a game, nor an option."""
    from ..games import names

    games = [f"-{name}" for name in names()]
    for word in given:
        if word not in games:
            close = did_you_mean(word, [*games, *flags])
            raise click.UsageError(f"{word} is neither an option nor a game to leave out{close}", context)


def seats_option(context: click.Context, parameter: click.Parameter, value: str | None) -> Any:
    """Read the value as in a tournament file: 4, or "3-6"."""
    return None if value is None else toml_value(value)


def form_option(*forms: str) -> Callable[[Any], Any]:
    return click.option(
        "--format",
        "form",
        type=click.Choice(forms),
        default=forms[0],
        show_default=True,
        help="The form of the output.",
    )


def seed_of(context: click.Context, parameter: click.Parameter, value: str | None) -> int | str | None:
    if value is None:
        return None
    if value == "random":
        import secrets

        return secrets.token_hex(16)
    from ..tournament.planning.record import is_seed

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
    return click.option(
        "--option", "options", type=OPTION, multiple=True, callback=key_value, metavar="KEY=VALUE", help=help
    )


def toml_value(text: str) -> Any:
    """Read text as the right side of a TOML key; a bare word is a string."""
    from ..base.toml import toml_of

    try:
        return toml_of(f"value = {text}")["value"]
    except ValueError:
        return text


def allow_games(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> None:
    """Runs, scripts and tournament files may use the games of these files."""
    if values:
        from ..games import GAMES

        allow_files(context, GAMES, values, "old_maid.py or old_maid.py:OldMaid; --entry picks a game of a run")


def allow_formats(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> None:
    """Runs and tournament files may use the formats of these files."""
    if values:
        from ..tournament.formats import FORMATS

        allow_files(
            context, FORMATS, values, "swiss.py or swiss.py:Swiss; a run or a tournament file says its format itself"
        )


def allow_files(context: click.Context, catalog: Catalog[Any], files: tuple[str, ...], expected: str) -> None:
    context.meta[f"{catalog.kind}_files"] = files
    from ..base.finding import is_path, split_attribute

    for file in files:
        if not is_path(split_attribute(file)[0]):
            raise click.BadParameter(f"{file!r} is no file: {expected}")
        catalog.allow(file)


game_option = rare_option(
    "--game",
    "game_files",
    type=SOURCE_FILE,
    multiple=True,
    callback=allow_games,
    expose_value=False,
    metavar="PATH",
    help="Load this file for a game that is not installed; may be repeated.",
)
format_option = rare_option(
    "--as",
    "format_files",
    type=SOURCE_FILE,
    multiple=True,
    callback=allow_formats,
    expose_value=False,
    metavar="PATH",
    help="Load this file for a format that is not installed; may be repeated.",
)


def outside_options(command: Any) -> Any:
    """The flags of all commands that read runs."""
    return game_option(format_option(command))


entry_option = click.option("--entry", "game", type=ENTRY, metavar="ENTRY", help="Only this game of the run.")

jobs_option = rare_option(
    "--jobs",
    type=Within(1, 1000),
    metavar="N",
    help="Processes; any number gives the same results. [default: one for each core]",
)


def cluster_of(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    if value is None:
        return None
    from ..bridges.dask_client import address_of

    try:
        address_of(value)
    except InputError as error:
        raise click.BadParameter(str(error)) from None
    return value


workers_option = rare_option(
    "--workers",
    "cluster",
    callback=cluster_of,
    metavar="ADDRESS",
    help="Play on the workers of a Dask scheduler, dask://HOST:PORT.",
)

wait_option = rare_option(
    "--wait",
    type=Within(0, kind=float),
    metavar="SECONDS",
    help="With --workers: how long to wait while no worker can play, inf for ever. [default: 60]",
)


quiet_option = click.option("-q", "--quiet", is_flag=True, help="Print errors only; the exit code says the rest.")


times_option = click.option(
    "--times",
    type=COUNT,
    metavar="N",
    help="How many freeze-outs or evenings, in a format that counts these and not deals.",
)

rule_option = key_value_option("An option of the game (`roundsim rules GAME`); may be repeated.")

sitting_option = rare_option("--sitting", type=COUNT, metavar="N", help="Deals in a sitting. [default: the game's own]")


out_option = click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The run folder. [default: runs/NAME-xxxxxx]",
)


def part_of(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    if value is not None:
        from ..tournament.planning.parts import Part

        try:
            Part.parse(value)
        except InputError as error:
            raise click.BadParameter(str(error)) from None
    return value


shard_option = rare_option(
    "--shard", callback=part_of, metavar="K/N", help="Only the K-th of N parts, for `roundsim merge`."
)

reuse_option = rare_option(
    "--reuse",
    type=RUN,
    multiple=True,
    metavar="RUN",
    help="Take the blocks that are the same in RUN; may be repeated.",
)

until_option = click.option(
    "--until", metavar="RULE", help="Stop each game as soon as this is decided: 'mine - book > 0', separated, '±0.05'."
)


fresh_cards_option = rare_option("--fresh-cards", is_flag=True, help="Deal each sitting its own cards.")

isolate_option = rare_option(
    "--isolate",
    type=click.Choice(["auto", "on", "off"]),
    help="Sandbox third-party strategies (auto), all, or none. [default: as the file or the run says, else auto]",
)


def junit_file(context: click.Context, parameter: click.Parameter, value: Path | None) -> Path | None:
    """A file that can be written, once it is known what came out."""
    if value and (not value.name or value.exists() and not value.is_file()):
        raise click.BadParameter(f"{str(value)!r} is no file")
    if value and not (value.parent.is_dir() and os.access(value.parent, os.W_OK)):
        raise click.BadParameter(f"{str(value.parent)!r} is no folder that can be written in")
    return value


def run_options(command: Callable[..., int]) -> Any:
    """The flags that all share that play."""

    @wraps(command)
    def played(**given: Any) -> int:
        with reporting_to_ci(given["ci"], None if given["dry_run"] else given["junit"]):
            return command(**given)

    decorated: Any = played
    for option in reversed(
        [
            click.option(
                "--seed",
                callback=seed_of,
                metavar="N",
                help="The seed, or `random` to draw one. [default: 1, or the file's]",
            ),
            click.option("--deals", type=COUNT, metavar="N", help="Deals of each game, rounded up to whole blocks."),
            times_option,
            jobs_option,
            workers_option,
            wait_option,
            out_option,
            fresh_cards_option,
            isolate_option,
            game_option,
            click.option("--report", "page", is_flag=True, help="Also write the page: report.html in the run folder."),
            rare_option("--dry-run", is_flag=True, help="Only print what would be played."),
            rare_option(
                "--ci",
                type=click.Choice(["github"]),
                help="Annotate faults in the source, and write a job summary.",
            ),
            rare_option(
                "--junit",
                type=click.Path(dir_okay=False, path_type=Path),
                callback=junit_file,
                metavar="FILE",
                help="Also write the results as JUnit XML; an existing file is replaced.",
            ),
            form_option("table", "json", "csv", "md"),
            quiet_option,
        ]
    ):
        decorated = option(decorated)
    return decorated
