"""Where the strategies of a run come from: the house, a source that the caller names, or elsewhere.

`run.toml` records the name, the parameters and the sha256 of a strategy, but not its place. A record claims to be of the
house if its name is that of a house strategy in this game, and was not given to it (`named`). `timing.json` may say that
it came from elsewhere: nobody gains by forging that, since a forger can give the name, too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from ..base.errors import StrategyError, did_you_mean, printable
from ..base.finding import sha256, sources_in
from ..base.version import __version__
from ..sources import bots, describing, homes, plugins
from ..sources.plugins import Strategy
from ..sources.specs import Spec, read_spec
from ..tournament.growth import is_person, of_session
from ..tournament.growth import recorded_sources as sources_recorded
from ..tournament.judging.diff import DIGITS
from ..tournament.planning.key_lines import shorten
from ..tournament.planning.plan import Entry, Limits, Tournament
from ..tournament.planning.record import strategy_identity
from ..tournament.storage.folder import RunFolder


class NamedSource:
    """A source that the caller names, `NAME=PATH` or `PATH`. It is hashed, and imported only if a run records its hash."""

    def __init__(self, text: str) -> None:
        """StrategyError, PluginError."""
        self.spec = read_spec(text)
        if self.spec.parameters:
            raise StrategyError(f"{text}: name it without parameters: run.toml has them")
        self.paths = {sha: path for path, sha in hashed(self.spec)}

    def meant(self, strategy: Strategy) -> bool:
        """Whether a strategy of the run may be in it, by its name."""
        return self.spec.name in ("", strategy.name)

    def has(self, strategy: Strategy) -> bool:
        return self.meant(strategy) and strategy.sha256 in self.paths

    def held(self, sha: str, limits: Limits) -> list[Strategy]:
        """The strategies of its source with this hash. PluginError."""
        if self.spec.place.startswith(bots.COMMAND):
            return plugins.strategies_named(self.spec) or []
        describing.ask([self.paths[sha]], limits.memory, sealed=limits.seals)
        return plugins.strategies_of(self.paths[sha], self.spec.attribute)


def hashed(spec: Spec) -> Iterator[tuple[Path, str]]:
    """The sources that a text names, each with its sha256; nothing of them is executed. StrategyError, PluginError."""
    if spec.place.startswith(bots.COMMAND):
        bot = bots.by_command(spec.place, Path())
        yield bot.path, bot.sha256
        return
    paths = plugins.spec_sources(spec, None)
    if not paths:
        raise StrategyError(f"{spec.what} is no source: name a file, --strategy {spec.name or 'NAME'}=PATH")
    for path in paths:
        yield path, bots.read_bot_file(path).sha256 if bots.is_bot(path) else sha256(path)


@dataclass(frozen=True)
class StrategyOrigin:
    """A strategy of an entry as the run records it.

    `own`: the house strategy that it claims to be; `given`: the source that the caller names for it; `hint`: where it was,
    as timing.json says."""

    entry: Entry
    strategy: Strategy
    own: Strategy | None
    given: NamedSource | None
    hint: str

    @cached_property
    def in_house(self) -> bool:
        """Whether it is a strategy of this roundsim."""
        return bool(self.own and self.own.sha256 == self.strategy.sha256)

    @property
    def words(self) -> str:
        if self.in_house:
            return "same as in this roundsim"
        if self.given:
            return f"same as {self.given.spec.what}"
        if is_person(self.strategy):
            return "a person"
        return "differs from this roundsim's" if self.own else "source not here"

    def wrong(self, versions: Sequence[str]) -> str:
        """Return what is impossible if these versions of roundsim played it; '' if nothing."""
        own, strategy = self.own, self.strategy
        if own and self.in_house:
            imagines = f"imagines must be {str(own.imagines).lower()}" if own.imagines != strategy.imagines else ""
            return plugins.check_parameters(own, dict(strategy.parameters)) or imagines
        if not own or self.given or __version__ not in versions:
            return ""
        return (
            f"sha256 {strategy.sha256[:DIGITS]}, and {own.name} of roundsim {__version__} has {own.sha256[:DIGITS]}; if it is"
            f" another {own.name}, name its source: --strategy {own.name}=PATH"
        )

    @property
    def absent(self) -> str:
        """How to name its source, if that is not here; '' if it is."""
        if self.in_house or self.given:
            return ""
        if is_person(self.strategy):
            return f"{self.strategy} is a person, and cannot be asked again: verify without --strategies"
        if self.strategy.source:
            return of_session(str(self.strategy), f"roundsim.verify(run, strategies=[{self.strategy.attribute}])")
        hint = f" (timing.json says that it was {printable(shorten(self.hint, 200))})" if self.hint else ""
        sha = self.strategy.sha256[:DIGITS]
        return f"{self.strategy} (sha256 {sha}) is not here{hint}: --strategy {self.strategy.name}=PATH"

    def found(self, limits: Limits) -> Strategy:
        """The strategy itself, to be played within these limits. StrategyError if it is not here; PluginError."""
        strategy = self.strategy
        held = [self.own] if self.own and self.in_house else []
        if self.given and not held:
            held = self.given.held(strategy.sha256, limits)
        for candidate in held:
            same = replace(candidate, name=strategy.name, parameters=strategy.parameters, named=strategy.named)
            called = strategy.named or candidate.name == strategy.name
            if called and candidate.plays(self.entry.game) and strategy_identity(same) == strategy_identity(strategy):
                return same
        raise StrategyError(
            f"{self.words.removeprefix('same as ')}: no strategy in it is {strategy} as the run records it"
        )


def origins_of(folder: RunFolder, tournament: Tournament, texts: Sequence[str] = ()) -> list[StrategyOrigin]:
    """Each strategy of each entry, once. `texts`: the sources that the caller names. StrategyError, PluginError."""
    given, recorded = [*map(NamedSource, texts)], sources_recorded(folder)
    check_given(given, tournament)
    origins = []
    for entry in tournament.entries:
        hints = recorded.get(entry.name, {})
        for strategy in dict.fromkeys(entry.strategies):
            own, hint = claimed(strategy, entry.game), hints.get(str(strategy), "")
            own = None if own and hint and own.sha256 != strategy.sha256 else own
            source = next((named for named in given if named.has(strategy)), None)
            origins.append(StrategyOrigin(entry, strategy, own, source, hint))
    return origins


def check_here(origins: Sequence[StrategyOrigin], limits: Limits) -> None:
    """StrategyError names the strategies of a run that are not here, and the flag for each."""
    if absent := dict.fromkeys(origin.absent for origin in origins if origin.absent):
        raise StrategyError("\n".join(absent))
    for origin in origins:
        origin.found(limits)


def claimed(strategy: Strategy, game: str) -> Strategy | None:
    """The house strategy that a record claims to be: by its name; where it was given that, by its source and class."""
    if strategy.named:
        paths = [path for path in sources_in(homes.house_folder()) if sha256(path) == strategy.sha256]
        held = [one for path in paths for one in plugins.strategies_of(path) if one.attribute == strategy.attribute]
    else:
        held = [one for one in plugins.of_house([strategy.name], game) if one.name == strategy.name]
    return next((candidate for candidate in held if candidate.plays(game)), None)


def check_given(given: Sequence[NamedSource], tournament: Tournament) -> None:
    """StrategyError for a source that is of no strategy of the run."""
    played = [strategy for entry in tournament.entries for strategy in entry.strategies]
    for source in given:
        meant = [strategy for strategy in played if source.meant(strategy)]
        if not meant:
            names = dict.fromkeys(strategy.name for strategy in played)
            raise StrategyError(
                f"no strategy {source.spec.name!r} in this run{did_you_mean(source.spec.name, names)}: {', '.join(names)}"
            )
        if not any(map(source.has, meant)):
            raise StrategyError(
                f"{source.spec.what} has sha256 {', '.join(sha[:DIGITS] for sha in source.paths)}; the run has"
                f" {', '.join(dict.fromkeys(f'{strategy.name} {strategy.sha256[:DIGITS]}' for strategy in meant))}"
            )
