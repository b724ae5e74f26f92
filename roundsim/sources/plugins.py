"""Finding strategies: by path, folder, `module:Name`, in a commit of git, or by the name of an installed one. They are
ordinary modules; or bots, by their command or `bot.toml`."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from .. import games
from ..base.errors import PluginError, StrategyError, UnplayedError, did_you_mean
from ..base.files import real
from ..base.finding import (
    SESSION,
    display_path,
    files_of,
    is_path,
    module_file,
    sha256,
    sources_in,
)
from ..base.importing import module_at
from ..table.deal import Deal
from . import bots
from .bots import Bot
from .describing import MEMORY, ask, check_games, strategies_in
from .homes import PACKAGE, entry_sources, house_folder, may_hold
from .specs import GIT, Spec, check_name, is_name, read_spec
from .strategy import Seated

PERSON = "roundsim.seat.you:You"  # whoever sits at the terminal
_ours = {(PERSON, "{}")}  # strategies of the package itself that may be named, with their parameters
FEW = 8  # games that are listed
GUIDE_SEAT = 200  # the seats of strategies that others ask are counted from here


@dataclass(frozen=True)
class Strategy:
    """A strategy as it was found: a class or function of a module, and the parameters it is entered with.

    `sha256` is that of its source and of the files this names; with name and parameters it is the strategy's identity.
    `imagines`: it plays imagined deals, and takes its time. `named`: its name was given to it, and replaces its
    parameters, too. `command`: the words that start a bot, in the folder of its path; `usual`: its default parameters.
    `source`: "session" if it has no file of its own (see `session`). `base`: others of its source derive from it, and
    it answers nothing: it plays only if it is named itself."""

    name: str
    games: tuple[str, ...]  # () is every game
    path: str
    attribute: str
    sha256: str
    parameters: tuple[tuple[str, Any], ...] = field(default=(), hash=False)
    imagines: bool = False
    named: bool = False
    help: str = field(default="", compare=False)
    takes: tuple[str, ...] | None = field(default=(), compare=False)  # the names of its parameters; None for any
    command: tuple[str, ...] = ()
    usual: tuple[tuple[str, Any], ...] = field(default=(), compare=False)
    source: str = ""
    base: bool = field(default=False, compare=False)

    def plays(self, game: str) -> bool:
        return not self.games or not {*self.games}.isdisjoint(games.parents_of(game))

    @property
    def settings(self) -> dict[str, Any]:
        """All its parameters, including the usual ones."""
        return {**dict(self.usual), **dict(self.parameters)}

    @property
    def brackets(self) -> str:
        """Its parameters as they are given, "" if there are none."""
        return f"({', '.join(f'{key}={value!r}' for key, value in self.parameters)})" if self.parameters else ""

    def __str__(self) -> str:
        return self.name if self.named else self.name + self.brackets


def find(
    text: str, game: str | None = None, folder: Path | None = None, broken: list[str] | None = None
) -> list[Strategy]:
    """Return the strategies that a text names, for a game: 'book', 'book(bold=1)', 'mine.py:Mine', './strategies',
    'pkg.mod:Name', 'git:HEAD~1:mine.py', 'cmd:./bot --depth 3'; with another name, 'old=mine.py'.

    Paths are relative to `folder`, by default the current one. A name is one strategy in each game. A file or a folder
    without `:Name` is all strategies in it that play the game. StrategyError, PluginError; with `broken`, problems of a
    source are added to it instead."""
    spec = read_spec(text, folder)
    strategies = strategies_named(spec, folder, broken)
    return [] if broken and strategies == [] else strategies_for(spec, strategies, game)


def find_installed(text: str, game: str | None) -> list[Strategy]:
    """Return the same for a text that only installed strategies may be in: those that a strategy names, or a file that
    may come from anybody. StrategyError."""
    spec = read_spec(text)
    if not is_name(spec):
        raise StrategyError(f"{spec.what}: only installed strategies can be named here")
    return strategies_for(spec, None, game)


def allow(text: str) -> None:
    """Let this text name a strategy of the package itself, as `module:Name` with parameters. It plays where the cards
    are, so nobody else may name it."""
    spec = read_spec(text)
    _ours.add((spec.what, repr(spec.parameters)))


def strategies_named(spec: Spec, folder: Path | None = None, broken: list[str] | None = None) -> list[Strategy] | None:
    """Return the strategies that a text names, whatever they play; None for a name, because each game has its own."""
    if spec.place.startswith(bots.COMMAND):
        return [bot_strategy(bots.by_command(spec.place, folder or Path()))]
    strategies = list[Strategy]()
    with collecting_problems(broken):
        sources = spec_sources(spec, folder)
        if not sources:
            return None
        ask(sources)
        for source in sources:
            with collecting_problems(broken):
                strategies += strategies_of(source, spec.attribute)
    return strategies


@contextmanager
def collecting_problems(broken: list[str] | None) -> Iterator[None]:
    """Add the problems of a source to `broken`, if that is given, instead of raising them."""
    try:
        yield
    except (StrategyError, PluginError) as error:
        if broken is None:
            raise
        broken.append(str(error))


def strategies_for(spec: Spec, strategies: list[Strategy] | None, game: str | None) -> list[Strategy]:
    """Return those of `strategies` that play a game, with the name and the parameters that the text gives them.
    StrategyError."""
    name, what, _, attribute, parameters = spec
    strategies = installed_named(what, game) if strategies is None else strategies
    strategies = [strategy for strategy in strategies if attribute or not strategy.base]
    mine = [strategy for strategy in strategies if game is None or strategy.plays(game)]
    if not mine and strategies:
        others = sorted({other for strategy in strategies for other in strategy.games})
        raise UnplayedError(f"{what} does not play {game}" + f"; it plays {', '.join(others)}" * (len(others) <= FEW))
    if not mine:
        raise StrategyError(
            f"{what}: no strategy in it{f' is called {attribute}' if attribute else ''}"
            " (a function `act(view)`, or a class with `games` or `act` that is not abstract)"
        )
    if name and len(mine) > 1 and game is not None:
        among = ", ".join(strategy.attribute for strategy in mine)
        raise StrategyError(f"{name}={what}: a name is for one of {among}: {name}={what}:{mine[0].attribute}")
    wrong = {strategy: check_parameters(strategy, parameters) for strategy in mine}
    if all(wrong.values()) or game is not None and any(wrong.values()):
        raise StrategyError(next(filter(None, wrong.values())))
    given = tuple(sorted(parameters.items()))
    for strategy in [] if name else [strategy for strategy in mine if not strategy.command and not wrong[strategy]]:
        check_name(strategy.name, display_path(Path(strategy.path)))
    return [
        replace(strategy, name=name or strategy.name, parameters=given, named=bool(name))
        for strategy in mine
        if not wrong[strategy]
    ]


def describe_ahead(texts: Iterable[str], folder: Path | None = None, memory: int = MEMORY, sealed: bool = True) -> None:
    """Describe all third-party sources in these texts at once, so that `find` need not do it one after the other.

    `sealed`: in a sandboxed process, as `find` does."""
    sources = [source for _, source, _ in entry_sources([])]
    for text in texts:
        with suppress(StrategyError, PluginError):  # `find` tells it
            sources += spec_sources(read_spec(text, folder), folder)
    ask(sources, memory, again=True, sealed=sealed)


def spec_sources(spec: Spec, folder: Path | None) -> list[Path]:
    """Return the sources that a text names; none for the name of an installed strategy, and for a command."""
    place = spec.place
    if place.startswith(bots.COMMAND):
        return []
    if place.startswith(GIT):
        from .commits import checkout

        path = checkout(place, folder or Path())
    elif not is_path(place) and place != bots.FILE:
        return refuse_ours(spec, [module_file(place)]) if spec.attribute else []
    else:
        path = (folder or Path()) / os.path.expanduser(place)
    if not os.path.exists(path):
        archives = [above for above in path.parents if above.suffix == ".zip" and os.path.isfile(above)]
        problem = f"unpack {display_path(archives[0])} first" if archives else "there is no such file or folder"
        raise StrategyError(f"{place}: {problem}")
    if bot := bots.file_in(path):
        return [bot]
    if path.suffix == ".toml":
        raise StrategyError(f"{place} is a tournament file: roundsim run {place}")
    if sources := [*[source for source in sources_in(path) if not bots.file_in(source)], *bots.bots_in(path)]:
        for source in sources if sources != [path] else ():
            if not real(source).is_relative_to(real(path)):
                inner = source.relative_to(path)
                raise PluginError(f"{place}: {inner} is a link that leads out of it: name it by its own path")
        return refuse_ours(spec, sources)
    raise StrategyError(
        f"{place}: no strategy in it (a Python file, whose name ends in .py, a {bots.FILE}, or a folder of them)"
    )


def refuse_ours(spec: Spec, sources: list[Path]) -> list[Path]:
    """Return the sources that a text names. StrategyError if one is a part of the package that nobody may name: such a
    strategy could be given any file to load by a parameter."""
    own = (spec.what, repr(spec.parameters)) in _ours
    if not own and any(real(source).is_relative_to(PACKAGE) for source in sources):
        raise StrategyError(f"{spec.what} is a part of roundsim, and no strategy to be named")
    return sources


def check_parameters(strategy: Strategy, parameters: dict[str, Any]) -> str:
    """Return what is wrong with parameters, which must be keywords that the strategy takes; '' if nothing is."""
    known = strategy.takes
    if known is None:
        return ""
    for key in parameters:
        if key not in known:
            taken = f"it takes {', '.join(known)}" if known else "it takes none"
            return f"{strategy.name} has no parameter {key}{did_you_mean(key, known)}: {taken}"
    return ""


def installed_named(name: str, game: str | None) -> list[Strategy]:
    """Return the installed strategy of this name in each game, or those in other games if it does not play this one.
    Two different ones of one name and game are refused."""
    strategies: list[Strategy] = []
    for wanted in dict.fromkeys((game, None)):
        strategies = [strategy for strategy in installed(names=[name], game=wanted) if strategy.name == name]
        if mine := [strategy for strategy in strategies if game is None or strategy.plays(game)]:
            return without_copies(mine, game)
    if not strategies:
        known = {strategy.name for strategy in installed()}
        raise StrategyError(
            f"no strategy {name!r}{did_you_mean(name, known)};"
            " `roundsim strategies` lists those installed, a path names any other"
        )
    return strategies


def without_copies(strategies: list[Strategy], game: str | None) -> list[Strategy]:
    """Return the same without copies: the same source may be found in two places, but not different ones of one
    name."""
    kept: list[Strategy] = []
    for strategy in strategies:
        alike = [other for other in kept if other.name == strategy.name]
        shared = [other for other in alike if game is not None or plays_alike(other, strategy)]
        if not shared:
            kept.append(strategy)
        elif shared[0].sha256 != strategy.sha256:
            raise StrategyError(
                f"two strategies are called {strategy.name}: {shared[0].path} and {strategy.path}; name one by its path"
            )
    return kept


def plays_alike(one: Strategy, other: Strategy) -> bool:
    """Return whether two strategies play a game that both name, or both every game."""
    return bool({*one.games} & {*other.games}) or one.games == other.games


def installed(broken: list[str] | None = None, names: Collection[str] = (), game: str | None = None) -> list[Strategy]:
    """Return all strategies that come with the house or are installed under the entry point `roundsim.strategies`.

    `names`, `game`: of the house at least those of these names in this game. An entry point that cannot be loaded is
    skipped, and added to `broken`."""
    broken = [] if broken is None else broken
    strategies = of_house(names, game)
    points = [*entry_sources(broken)]
    ask(source for _, source, _ in points)
    for point, source, attribute in points:
        try:
            strategies += [strategy for strategy in strategies_of(source, attribute) if attribute or not strategy.base]
        except (StrategyError, PluginError) as error:
            broken.append(f"entry point {point}: {error}")
    return strategies


def of_house(names: Collection[str] = (), game: str | None = None) -> list[Strategy]:
    """Return the strategies that come with the house: at least those of these names in this game."""
    return [
        strategy
        for source in sources_in(house_folder())
        if may_hold(source, names, game)
        for strategy in strategies_of(source)
    ]


def strategies_of_record(strategy: Strategy, game: str) -> list[Strategy]:
    """Return the installed strategies that a run's record may mean, with its name and parameters. Nothing else is
    imported."""
    names = [] if strategy.named else [strategy.name]
    return [
        replace(candidate, name=strategy.name, parameters=strategy.parameters, named=strategy.named)
        for candidate in installed(names=names, game=game)
        if candidate.sha256 == strategy.sha256 and strategy.attribute in ("", candidate.attribute)
    ]


def field_of(game: str) -> list[str]:
    """Return the players of a game if none are named: its book, the house's or that of a package, and random."""
    usual = "book", "random"
    known = dict.fromkeys(strategy.name for strategy in installed(names=usual, game=game) if strategy.plays(game))
    return [name for name in known if name in usual]


def spec(strategy: Strategy, whole: bool = False) -> str:
    """Return how a command line names a strategy, whatever else is in its file; `whole`: from anywhere."""
    path = Path(strategy.path)
    if strategy.command and not path.is_dir():
        return bots.COMMAND + shlex.join(strategy.command if whole else map(bots.near, strategy.command))
    where = "/" if strategy.command else f":{strategy.attribute}"
    return f"{path if whole else display_path(path)}{where}{strategy.brackets}"


def strategies_of(path: Path, attribute: str = "") -> list[Strategy]:
    """Return the strategies of one source: its classes that have `games` or `act`, and a function `act`; or the one
    named."""
    if bots.is_bot(path):
        bot = bot_strategy(bots.read_bot_file(path))
        return [bot] if attribute in ("", bot.name) else []
    sha, strategies = sha256(path), []
    for described in strategies_in(path, sha):
        key, name = described.attribute, described.name
        if key != (attribute or "act") and not (described.is_class and attribute in ("", name)):
            continue
        if not key.isidentifier():
            raise StrategyError(f"{display_path(path)}: {key!r:.80} is no name in Python")
        known = check_games(described.games, name, path)
        takes = None if described.takes is None else tuple(described.takes)
        source = path.suffix[1:] if path.suffix == SESSION else ""
        strategy = Strategy(
            name, known, str(real(path)), key, sha, (), described.imagines, False, described.help, takes
        )
        strategies.append(replace(strategy, source=source, base=described.base))
    return strategies


def bot_strategy(bot: Bot) -> Strategy:
    """Return a bot as a strategy, which takes the parameters in its bot.toml."""
    return Strategy(
        bot.name,
        bot.games,
        str(bot.path),
        "",
        bot.sha256,
        help=f"A bot: {shlex.join(map(bots.near, bot.command))}",
        takes=tuple([key for key, _ in bot.usual]),
        command=bot.command,
        usual=bot.usual,
    )


path_of = cache(Path)  # hashed once: a stage loads the same few again


def load_strategy(strategy: Strategy, seat: int = 0, checked: bool = False) -> Callable[..., Any]:
    """Return the class or function itself, from a module that each `seat` loads separately.

    PluginError if its source or a file of it is not the one it was found with, unless that was `checked` just now."""
    path = path_of(strategy.path)
    if strategy.command:
        if bots.as_it_lies(strategy.path, strategy.command).sha256 != strategy.sha256:
            raise PluginError(f"{display_path(path)} or a file that it plays by has changed since the run began")
        raise PluginError(f"{strategy} cannot be loaded: a bot plays in a separate process")
    if not checked and sha256(path) != strategy.sha256:
        what = "or a file that it names " if files_of(path) else ""
        raise PluginError(f"{display_path(path)} {what}has changed since the run began")
    thing: Callable[..., Any] | None = getattr(module_at(path, strategy.sha256, seat), strategy.attribute, None)
    if thing is None:
        raise PluginError(f"{display_path(path)} cannot be loaded: there is no {strategy.attribute} in it this time")
    return thing


def seated(strategy: Strategy, game: type[Deal], seat: int = GUIDE_SEAT) -> Seated:
    """Return a strategy as it plays a game, from a module of its own for each `seat`. PluginError: see
    `load_strategy`."""
    return Seated(load_strategy(strategy, seat), dict(strategy.parameters), game)


@cache
def seated_named(text: str, game: str, seat: int = 0) -> Seated:
    """Return the first strategy that a text of a program names, as it plays a game; it is found and loaded once in a
    process. StrategyError, PluginError."""
    return seated(find(text, game)[0], games.named(game), GUIDE_SEAT + seat)
