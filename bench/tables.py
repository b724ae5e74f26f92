"""Tables of experts in parts, one for each number of seats, and the command of a trainer that makes them."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable, Iterable, Sequence
from inspect import getfile
from pathlib import Path
from typing import Any, TypeVar

from roundsim import games
from roundsim.base.errors import InputError, RoundsimError
from roundsim.sources import plugins
from roundsim.strategy.corrected import Guided
from roundsim.table.deal import Deal

P = TypeVar("P", bound=Any)  # a plan: a named tuple of the arguments that make a part, the number of seats first


def line_of(plan: P, without: str = "") -> str:
    """Return the arguments of a plan, as the first line of a part has them."""
    return " ".join(f"--{name} {value}" for name, value in plan._asdict().items() if name != without)


def parts_of(path: Path, usual: P) -> dict[P, str]:
    """Return the parts of a table, by what their first lines say. `usual`: a plan of the same kind."""
    parts = dict[P, str]()
    for text in filter(str.strip, f"\n{path.read_text('utf-8')}".split("\n# ") if path.exists() else ()):
        words = text.splitlines()[0].partition(": ")[2].split()
        names = [name.removeprefix("--") for name in words[::2]]
        values = {name: type(getattr(usual, name))(word) for name, word in zip(names, words[1::2], strict=True)}
        parts[usual._replace(**values)] = f"# {text.rstrip()}\n"
    return parts


def expert_named(text: str, kind: type[Guided[Any]], method: str) -> tuple[Any, type[Deal]]:
    """Return the class that a text names, a game or a file with its name, and its game. InputError if it does not extend
    `kind`, or has no such method."""
    known = text in games.names()
    strategy = plugins.find("expert", text)[0] if known else plugins.find(text)[0]
    expert = plugins.load_strategy(strategy)
    extends = isinstance(expert, type) and issubclass(expert, kind)
    if not extends or getattr(expert, method) is getattr(kind, method):
        raise InputError(f"{text}: {strategy.name} must be a class that extends {kind.__name__} and has `{method}`")
    if not strategy.games:
        raise InputError(f"{text}: {strategy.name} must name its game, games = ['nap']")
    return expert, games.named(text if known else strategy.games[0])


def make_table(
    doc: str,
    usual: P,
    helps: Sequence[str],
    file: str,
    kind: tuple[type[Guided[Any]], str],
    make: Callable[[Any, type[Deal], Sequence[P], int], Iterable[str]],
) -> None:
    """Run the command of a trainer.

    `doc`: its module's. `helps`: about the arguments of a plan. `file`: the table's name. `kind`: the class that an expert
    extends, and the method that it must have. `make`: makes the parts of some plans, with a number of processes."""
    what, *details = doc.split("\n\n")
    parser = ArgumentParser(description=what, epilog=" ".join(details))
    parser.add_argument("expert", help=f"a game, whose expert is trained, or a file, mine.py:Mine, with `{kind[1]}`")
    for (name, value), words in zip(usual._asdict().items(), helps, strict=True):
        parser.add_argument(f"--{name}", type=type(value), metavar="N", help=f"{words} [{value}]" if value else words)
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes [2]")
    parser.add_argument("--out", type=Path, metavar="FILE", help=f"the table [{file} next to the class]")
    given = parser.parse_args()
    chosen = {name: value for name in usual._fields if (value := getattr(given, name)) is not None}
    if chosen and "seats" not in chosen:
        parser.error(f"--{next(iter(chosen))} goes with --seats")
    try:
        expert, game = expert_named(given.expert, *kind)
    except RoundsimError as error:
        parser.error(str(error))
    path = given.out or Path(getfile(expert)).with_name(file)
    parts = parts_of(path, usual)
    wanted = [usual._replace(**chosen)] if chosen else [*parts]
    if not wanted:
        parser.error(f"{path} has no part to make again: give --seats")
    for plan, text in zip(wanted, make(expert, game, wanted, given.jobs), strict=True):
        parts = {old: kept for old, kept in parts.items() if old.seats != plan.seats} | {plan: text}
        print(text)
    path.write_text("\n".join(parts[plan] for plan in sorted(parts)), "utf-8")
