"""The games, a file or a package each.  A game's id is its file's name with hyphens: `draw-poker` is draw_poker.

A game from outside has the same rank.  A package installs it under the entry point `roundsim.games`; a file of one's own
is named on the command line, `old_maid.py:OldMaid`.  Nothing that a file says makes us import another file: what reads
files asks for games by their ids alone (`find`), or by the hash of their source (`by_source`)."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from ..errors import DeclarationError, PluginError, StrategyError, UnknownGameError, did_you_mean
from ..files import real
from ..loading import is_path, module_at, module_file, sha256, shown, sources_in
from ..table.deal import Deal, Origin

GROUP = "roundsim.games"
_outside: dict[str, type[Deal]] = {}  # by id: those loaded from files
_allowed: dict[str, tuple[Path, str]] = {}  # files that the user has named, as written: the path, the class or ""


@cache
def ours() -> tuple[str, ...]:
    """The ids of the games that come with roundsim."""
    return tuple(sorted(module.name.replace("_", "-") for module in iter_modules(__path__)))


@cache
def installed() -> dict[str, str]:
    """Games of other packages: by id, the module and class, "old_maid:OldMaid"."""
    from importlib.metadata import entry_points  # half of what a guest would have to load

    return {point.name: point.value for point in entry_points(group=GROUP)}


def names() -> list[str]:
    """The ids of all games that are known."""
    return sorted({*ours(), *installed(), *_outside})


def allow(text: str) -> None:
    """Let runs, scripts and tournament files use the game of a file, `old_maid.py` or `old_maid.py:OldMaid`.

    It is loaded when one of them needs it.  UnknownGameError if there is no such file or package."""
    path, attribute = source_at(text)
    _allowed[text] = path.resolve(), attribute


def allowed() -> list[str]:
    """The files that the user has named."""
    return [*_allowed]


def find(name: str) -> type[Deal]:
    """The game of this id: ours, an installed one, or one of a file that the user has named.

    UnknownGameError if there is none, PluginError if it cannot be loaded."""
    if name not in _outside and name not in ours() and name not in installed():
        for path, attribute in _allowed.values():
            at_path(f"{path}:{attribute}")
    if name in _outside:
        return _outside[name]
    return _ours(name) if name in ours() or name not in installed() else _installed(name)


def named(text: str) -> type[Deal]:
    """The game that a user names, by its id or its file.  UnknownGameError, PluginError."""
    return at_path(text) if is_path(text.partition(":")[0]) else find(text)


def by_source(name: str, attribute: str, sha: str) -> type[Deal] | None:
    """The game of this id whose source has this sha256, as a class of that name; None if no such game may be loaded.

    No other source is imported for it.  PluginError if it cannot be loaded."""
    if name in installed():
        return find(name) if sha256(_installed_at(name)) == sha else None
    known = _outside.get(name)
    if known and known.origin and known.origin[1:] == (attribute, sha):
        return known
    for path, _ in _allowed.values():
        if sha256(path) == sha and (game := at_path(f"{path}:{attribute}")).id == name:
            return game
    return None


@cache
def _ours(name: str) -> type[Deal]:
    if name not in ours():
        if is_path(name.partition(":")[0]):
            raise UnknownGameError(f"{name!r} is a file: write the id of its game, and name the file with --game PATH")
        raise UnknownGameError(f"no game {name!r}{did_you_mean(name, names())}; `roundsim games` lists them")
    module = import_module(f"{__name__}.{name.replace('-', '_')}")
    return next(game for game in games_of(vars(module)) if game.id == name)


@cache
def _installed(name: str) -> type[Deal]:
    where = f"entry point {name} of {GROUP}"
    try:
        game = _the_one(_installed_at(name), installed()[name].partition(":")[2], where)
    except UnknownGameError as error:  # nobody has asked for what is wrong here
        raise PluginError(str(error)) from None
    if game.id != name:
        raise DeclarationError(f"{where}: the id of {game.__name__} is {game.id!r}: give the entry point that name")
    return game


def _installed_at(name: str) -> Path:
    """The source of an installed game.  PluginError if there is none."""
    module = installed()[name].partition(":")[0]
    try:
        return module_file(module)
    except StrategyError:
        raise PluginError(f"entry point {name} of {GROUP}: there is no module {module}") from None


def parents_of(name: str) -> tuple[str, ...]:
    """The id of a game, and of those that it varies without another phase: their strategies play it, too."""
    if name in ours():
        return (name,)
    game = find(name)
    kin = [each for each in game.__mro__ if issubclass(each, Deal) and "id" in vars(each)]
    return tuple([each.id for each in kin if each.phases == game.phases])


def place_of(game: type[Deal]) -> str:
    """How a program of the user's own names a game: its id, or its file and class if it is not installed."""
    origin = game.origin
    return f"{origin.path}:{origin.attribute}" if origin and game.id not in installed() else game.id


def source_at(text: str) -> tuple[Path, str]:
    """The file or package, and the class, "" if none is named, of `old_maid.py:OldMaid`.  UnknownGameError, PluginError."""
    place, _, attribute = text.partition(":")
    path = Path(place).expanduser()
    if not path.exists() or next(sources_in(path), None) != path:
        raise UnknownGameError(f"{place}: there is no such file or package")
    try:
        str(path.resolve()).encode()
    except UnicodeEncodeError:
        raise PluginError(f"{shown(path)}: the path of a game is recorded in runs: it must be UTF-8") from None
    return path, attribute


def at_path(text: str) -> type[Deal]:
    """The game of a file or package, `old_maid.py:OldMaid`; the class may be left out where there is but one.

    It is imported: only for what the user has named.  UnknownGameError, PluginError."""
    path, attribute = source_at(text)
    game = _the_one(path, attribute, shown(path))
    if game.id in installed() and is_copy(game, find(game.id)):  # its author has installed it
        return find(game.id)
    if game.id in ours() or game.id in installed():
        raise DeclarationError(f"{shown(path)}: {game.__name__} has the id {game.id!r}, which another game has already")
    _outside[game.id] = game
    return game


def is_copy(game: type[Deal], other: type[Deal]) -> bool:
    """Whether two games from outside have the same source."""
    return game.origin is not None and other.origin is not None and game.origin[1:] == other.origin[1:]


def _the_one(path: Path, attribute: str, where: str) -> type[Deal]:
    """The game of a source: the one named, or the only one; it is noted whence it comes."""
    module = module_at(path)
    found = {game.__name__: game for game in games_of(vars(module))}
    if not attribute:  # those that it imports are others' games
        own = {name: game for name, game in found.items() if f"{game.__module__}.".startswith(f"{module.__name__}.")}
        found = own or found
    if attribute and attribute not in found:
        raise UnknownGameError(f"{where}: no game {attribute}{did_you_mean(attribute, found)} in it")
    if not attribute and len(found) != 1:
        listed = f"the games {', '.join(found)}: name one, {where}:{next(iter(found))}" if found else "no game"
        raise UnknownGameError(f"{where}: there is {listed} in it: a class of deals with an `id`")
    game = found[attribute or next(iter(found))]
    check_facts(game, where)
    game.origin = Origin(str(real(path)), game.__name__, sha256(path))
    return game


def check_facts(game: type[Deal], where: str) -> None:
    """DeclarationError where a fact of a game is lacking, or of another kind."""
    facts = {"id": str, "title": str, "family": str, "seats": tuple, "usual": tuple, "source": str, "phases": dict}
    for name, kind in {**facts, "pool_names": tuple, "keys": tuple}.items():
        if not isinstance(getattr(game, name, None), kind):
            close = did_you_mean(name, [each for each in vars(game) if each not in facts and each[0] != "_"])
            raise DeclarationError(f"{where}: {game.__name__} must say its {name}, a {kind.__name__}{close}")
    if game.deal is Deal.deal:
        close = did_you_mean("deal", vars(game))
        raise DeclarationError(f"{where}: {game.__name__} has no `deal()`, which tells the deal{close}")


def games_of(names: dict[str, object]) -> list[type[Deal]]:
    """The games among the names of a module: classes of deals with an id of their own."""
    return [
        thing for thing in names.values() if isinstance(thing, type) and issubclass(thing, Deal) and "id" in vars(thing)
    ]
