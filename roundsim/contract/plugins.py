"""Finding strategies: by path, folder, `module:Name`, or by the name of an installed one.  They are ordinary modules."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from importlib.metadata import entry_points
from importlib.util import find_spec
from math import isfinite
from pathlib import Path
from typing import Any

from .. import games
from ..errors import PluginError, StrategyError, did_you_mean
from ..loading import files_of, is_path, module_at, module_file, sha256, shown, sources_in

GROUP = "roundsim.strategies"
HOUSE = "roundsim_strategies"
SPEC = re.compile(r"(?P<what>[^()]+?)\s*(?:\((?P<parameters>.*)\))?\s*", re.DOTALL)


@dataclass(frozen=True)
class Strategy:
    """A strategy as it was found: a class or function of a module, and the parameters it is entered with.

    `sha256` is that of its source and of the files this names; with name and parameters it is the strategy's identity.
    `imagines`: it plays deals out as they may be, and takes its time."""

    name: str
    games: tuple[str, ...]  # () is every game
    path: str
    attribute: str
    sha256: str
    parameters: tuple[tuple[str, Any], ...] = field(default=(), hash=False)
    imagines: bool = False
    help: str = field(default="", compare=False)

    def plays(self, game: str) -> bool:
        return not self.games or game in self.games

    def __str__(self) -> str:
        if not self.parameters:
            return self.name
        return f"{self.name}({', '.join(f'{key}={value!r}' for key, value in self.parameters)})"


def find(text: str, game: str | None = None, folder: Path | None = None) -> list[Strategy]:
    """The strategies that a text names, for a game: 'book', 'book(bold=1)', 'mine.py:Mine', './strategies', 'pkg.mod:Name'.

    Paths are taken from `folder`, default the current one.  A name stands for one strategy in each game; a file or a
    folder without `:Name` stands for all in it that play the game.  StrategyError, PluginError."""
    match = SPEC.fullmatch(text)
    if not match:
        raise StrategyError(f"{text!r} is not a strategy: a name, a path or module:Name, and parameters in brackets")
    what, parameters = match["what"], read_parameters(match["parameters"], text)
    place, _, attribute = what.partition(":")
    path = (folder or Path()) / Path(place).expanduser()
    if is_path(place):
        if not path.exists():
            raise StrategyError(f"{place}: there is no such file or folder")
        found = [each for source in sources_in(path) for each in strategies_of(source, attribute)]
    elif attribute:
        found = strategies_of(module_file(place), attribute)
    else:
        found = named(what, game)
    mine = [each for each in found if game is None or each.plays(game)]
    if not mine and found:
        raise StrategyError(
            f"{what} does not play {game}; it plays {', '.join(sorted({g for e in found for g in e.games}))}"
        )
    if not mine:
        raise StrategyError(
            f"{what}: no strategy in it{f' is called {attribute}' if attribute else ''}"
            " (a function `act(view)`, or a class with `games` or `act`)"
        )
    wrong = {each: check_parameters(each, parameters) for each in mine}
    if all(wrong.values()) or game is not None and any(wrong.values()):
        raise StrategyError(next(filter(None, wrong.values())))
    given = tuple(sorted(parameters.items()))
    return [replace(each, parameters=given) for each in mine if not wrong[each]]


def read_parameters(text: str | None, whole: str) -> dict[str, Any]:
    """The keywords in the brackets: plain Python values only."""
    if not text or not text.strip():
        return {}
    try:
        call = ast.parse(f"f({text})", mode="eval").body
        if not isinstance(call, ast.Call) or call.args or any(word.arg is None for word in call.keywords):
            raise ValueError
        return {str(word.arg): plain(ast.literal_eval(word.value)) for word in call.keywords}
    except (SyntaxError, ValueError):
        raise StrategyError(
            f"{whole!r}: parameters are written key=value, with texts, numbers, true or false, or lists of them"
        ) from None


def plain(value: Any) -> Any:
    """A value that a record of the run can hold; ValueError for others."""
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if not isinstance(value, str | bool | int | float) or isinstance(value, float) and not isfinite(value):
        raise ValueError
    return value


def check_parameters(strategy: Strategy, parameters: dict[str, Any]) -> str:
    """The parameters must be keywords of the strategy's constructor: what is wrong with them, '' if nothing is."""
    thing = load(strategy)
    takes = list(inspect.signature(thing).parameters.values()) if parameters and inspect.isclass(thing) else []
    if any(each.kind is each.VAR_KEYWORD for each in takes):
        return ""
    known = [each.name for each in takes if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)]
    for key in parameters:
        if key not in known:
            words = f"it takes {', '.join(known)}" if known else "it takes none"
            return f"{strategy.name} has no parameter {key}{did_you_mean(key, known)}: {words}"
    return ""


def named(name: str, game: str | None) -> list[Strategy]:
    """The installed strategy of this name in each game; two different ones of one name and game are refused."""
    everything = installed()
    found = [each for each in everything if each.name == name]
    if not found:
        known = {each.name for each in everything}
        raise StrategyError(
            f"no strategy {name!r}{did_you_mean(name, known)};"
            " `roundsim strategies` lists those installed, a path names any other"
        )
    mine = [each for each in found if game is None or each.plays(game)]
    return one_of_each_name(mine, game) if mine else found


def one_of_each_name(found: list[Strategy], game: str | None) -> list[Strategy]:
    """The same without copies: the same source may be found in two places, different ones of one name may not."""
    kept: list[Strategy] = []
    for each in found:
        shared = [
            k
            for k in kept
            if k.name == each.name and (game is not None or set(k.games) & set(each.games) or k.games == each.games)
        ]
        if not shared:
            kept.append(each)
        elif shared[0].sha256 != each.sha256:
            raise StrategyError(
                f"two strategies are called {each.name}: {shared[0].path} and {each.path}; name one by its path"
            )
    return kept


def installed(broken: list[str] | None = None) -> list[Strategy]:
    """All strategies that come with the house or are installed under the entry point `roundsim.strategies`.

    An entry point that cannot be loaded is passed over, and told in `broken`."""
    found = [each for source in sources_in(house()) for each in strategies_of(source)]
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        module, _, attribute = point.value.partition(":")
        try:
            found += [each for source in sources_in(module_file(module)) for each in strategies_of(source, attribute)]
        except (StrategyError, PluginError) as error:
            if broken is not None:
                broken.append(f"entry point {point.name}: {error}")
    return found


def field_of(game: str) -> list[str]:
    """Who plays a game where nobody is named: its book, the house's or that of a package, and random."""
    found = dict.fromkeys(each.name for each in installed() if each.plays(game))
    return [name for name in found if name in ("book", "random")]


def house() -> Path:
    """The folder of the house strategies: installed under a package name, in a checkout `strategies/`."""
    spec = find_spec(HOUSE)
    if spec and spec.submodule_search_locations:
        return Path(list(spec.submodule_search_locations)[0])
    return Path(__file__).parents[2] / "strategies"


def spec(strategy: Strategy) -> str:
    """How a strategy is named on a command line, whatever else is in its file."""
    return f"{shown(Path(strategy.path))}:{strategy.attribute}{str(strategy).removeprefix(strategy.name)}"


def strategies_of(path: Path, attribute: str = "") -> list[Strategy]:
    """The strategies of one source: its classes that have `games` or `act`, and a function `act`; or the one named."""
    sha, found = sha256(path), []
    module = module_at(path, sha)
    for key, thing in vars(module).items():
        own = str(getattr(thing, "__module__", "")).startswith(module.__name__)
        is_class = inspect.isclass(thing) and own and (hasattr(thing, "games") or hasattr(thing, "act"))
        is_function = inspect.isfunction(thing) and own and key == (attribute or "act")
        name = str(getattr(thing, "name", key) if is_class else path.stem if key == "act" else key)
        if key.startswith("_") or not (is_class or is_function) or attribute and attribute not in (key, name):
            continue
        if not name.isprintable():
            raise StrategyError(f"{shown(path)}: {name!r} cannot be the name of a strategy")
        plays = getattr(thing if is_class else module, "games", ())
        known = check_games(plays, name, path)
        imagines = bool(getattr(thing, "imagines", False))
        found.append(
            Strategy(name, known, str(path.resolve()), key, sha, imagines=imagines, help=inspect.getdoc(thing) or "")
        )
    return found


def check_games(plays: Any, name: str, path: Path) -> tuple[str, ...]:
    """The games a strategy says it plays; `["*"]`, or nothing said, is every game."""
    if not isinstance(plays, list | tuple | set) or not all(isinstance(game, str) for game in plays):
        raise StrategyError(f"{shown(path)}: games of {name} must be a list of game ids")
    if "*" in plays:
        return ()
    for game in plays:
        if game not in games.names():
            raise StrategyError(
                f"{shown(path)}: {name} plays {game!r}, which is no game{did_you_mean(game, games.names())}"
            )
    return tuple(plays)


def load(strategy: Strategy) -> Callable[..., Any]:
    """The class or function itself.  PluginError if its source or a file of it is not the one it was found with."""
    path = Path(strategy.path)
    if (sha := sha256(path)) != strategy.sha256:
        what = "or a file that it names " if files_of(path) else ""
        raise PluginError(f"{shown(path)} {what}has changed since the run began")
    thing: Callable[..., Any] = getattr(module_at(path, sha), strategy.attribute)
    return thing
