"""The choice of a game and of opponents by a person who names none."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from textwrap import shorten

from .. import games
from ..base.errors import PluginError, did_you_mean
from ..base.text import WIDTH
from ..sources import plugins
from ..table.deal import Deal
from .understand import place_typed

SITTINGS_FOLDER = "sit"  # of the runs of a person


def choose_game(say: Callable[[str], object], read: Callable[[str], str]) -> type[Deal]:
    """Return the game that a person chooses from a list: by its number, its name, or how that begins; the last one
    played by Enter. EOFError when they leave."""
    known, last = by_family(), last_played()
    listed = [game for game in known if game.id == last] + [game for game in known if game.id != last]
    say("The games by families, each with its number of players")
    for family, of_family in groupby(listed, key=lambda game: game.id == last or game.family):
        say(f"\n{'the last one that you played' if family is True else family}")
        for game in of_family:
            say(game_line(listed.index(game) + 1, game))
    say("")
    while True:
        typed = read("game> ").strip().lower()
        if typed == "q":
            raise EOFError
        if place := place_typed(typed, len(listed)):
            return listed[place - 1]
        names = [game.id for game in listed]
        if typed or last:
            fitting = [game for game in listed if game.id == (typed or last)]
            fitting = fitting or [game for game in listed if game.id.startswith(typed)]
            if len(fitting) == 1:
                return fitting[0]
            if fitting:
                say(f"which of {', '.join(game.id for game in fitting)}?")
                continue
        say(f"a number from 1 to {len(listed)}, or the name of a game{did_you_mean(typed, names)}; q leaves")


def choose_opponents(game: type[Deal], say: Callable[[str], object], read: Callable[[str], str]) -> list[str]:
    """Return the strategies that a person chooses for the other seats; none of them means the book. EOFError when they
    leave."""
    known = sorted(
        strategy.name
        for strategy in plugins.installed(game=game.id)
        if strategy.plays(game.id) and strategy.name != plugins.PERSON
    )
    most = game.seats[1] - 1
    say(f"\n{game.title} against {', '.join(dict.fromkeys(known))}; one for each seat, or Enter for the usual table")
    while True:
        names = read("opponents> ").split()
        if names == ["q"]:
            raise EOFError
        if strays := [name for name in names if name not in known]:
            say(f"no strategy {strays[0]!r}{did_you_mean(strays[0], known)}; q leaves")
        elif len(names) > most:
            say(f"{len(names)} opponents: at most {most} at {game.title}")
        else:
            return names


def by_family() -> list[type[Deal]]:
    """Return all games that can be loaded, by family and name."""
    return sorted(loaded(), key=lambda game: (game.family, game.id))


def loaded() -> Iterator[type[Deal]]:
    for name in games.names():
        try:
            yield games.find(name)
        except PluginError:  # `roundsim games` says why
            continue


def game_line(number: int, game: type[Deal]) -> str:
    """12  nap  2-6 players  Call how many tricks you will take"""
    players = "-".join(map(str, dict.fromkeys(game.seats)))
    about = " ".join((inspect.getdoc(game) or "").split("\n\n")[0].split())
    head = f"{number:>4}  {game.id:<16}  {players:<4}  "
    return head + shorten(about, WIDTH - len(head), placeholder=" ...")


def last_played() -> str | None:
    """Return the game of the run that a person has changed last, in the usual folder."""
    kept = [(answers.stat().st_mtime, answers.parent.name) for answers in Path(SITTINGS_FOLDER).glob("*/seat.jsonl")]
    played = [match[1] for _, name in sorted(kept, reverse=True) if (match := re.fullmatch(r"(.+)-\d+", name))]
    return next((name for name in played if name in games.names()), None)
