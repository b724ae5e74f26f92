"""Growth of a run: more of it is played, or strategies join it. The blocks already played stay as they are."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from ..base.errors import InputError, StrategyError, did_you_mean
from ..base.finding import display_path
from ..sources import homes, plugins
from ..sources.plugins import Strategy
from .planning.entrants import Twins
from .planning.file import Amount
from .planning.plan import Entry, Tournament
from .planning.record import strategy_identity
from .storage.folder import RunFolder

Sources = Mapping[str, str]  # of strategies, by their labels, as given on a command line
GivenStrategies = Sequence[tuple[Strategy, str]]


def grown_tournament(
    folder: RunFolder,
    texts: Sequence[str] = (),
    amount: Amount | None = None,
    only: Sequence[str] = (),
    isolate: str | None = None,
) -> Tournament:
    """Return the tournament of a run that these strategies join, or that is played to this amount.

    `only` restricts it to these entries; `isolate` says who runs in the sandbox, instead of the run's own setting.

    A strategy that is in the run already does not join again. Without an amount, play continues until the newcomers
    have as many blocks as the others had. InputError, StrategyError, PluginError; LogError if there is no run."""
    tournament, sources = folder.tournament(), recorded_sources(folder)
    check_growth(tournament, folder.path, texts, amount, only)
    limits = tournament.limits.isolating(isolate)
    plugins.describe_ahead(texts, memory=limits.memory, sealed=limits.seals)
    entries = []
    for entry in tournament.entries:
        grows = not only or entry.name in only
        given = [(strategy, text) for text in texts if grows for strategy in plugins.find(text, entry.game)]
        playing = replace(entry, strategies=found_again(entry, given, sources.get(entry.name, {})))
        entries.append(longer(entry_with(playing, given), amount if grows else None))
    return replace(tournament, limits=limits, entries=tuple(entries))


def check_growth(
    tournament: Tournament, run: Path, texts: Sequence[str], amount: Amount | None, only: Sequence[str]
) -> None:
    """Raise InputError with the reason if a run cannot grow like this."""
    names, format = [entry.name for entry in tournament.entries], tournament.entries[0].format
    for name in only:
        if name not in names:
            raise InputError(f"{run}: no game {name!r}{did_you_mean(name, names)}: {', '.join(names)}")
    if not texts and not amount:
        raise InputError(f"nothing to grow by: give --strategy or {format.amount_key.flag}")
    if amount and amount[0] != format.amount:
        raise InputError(f"--{amount[0]} is not of a {format.name}, which takes {format.amount_key.flag}")
    if amount and not (known := format.amount_key).fits(amount[1]):
        raise InputError(f"{amount[0]} must be {known.values}, not {amount[1]}")
    if has_person(tournament):
        raise InputError(f"{run}: a person sits in it: roundsim sit {shlex.quote(str(run))} goes on with it")
    if tournament.stopping:
        raise InputError(f"{run} stops by a rule, {tournament.stopping.until}, and does not grow: play another")
    if not format.open_ended:
        raise InputError(f"{run}: a {format.name} does not grow, because it is decided who goes on: play another")
    if texts and not format.joined_by:
        raise InputError(f"{run}: nobody can join a {format.name}: all its players are in it from the first")


def has_person(tournament: Tournament) -> bool:
    """Return whether somebody plays in person, by `roundsim sit`."""
    return any(persons_in(entry) for entry in tournament.entries)


def persons_in(entry: Entry) -> list[str]:
    """Return the labels of those who play in person."""
    return [label for label, strategy in zip(entry.labels, entry.strategies, strict=True) if is_person(strategy)]


def is_person(strategy: Strategy) -> bool:
    """Return whether a strategy is a person of `roundsim sit`, whatever they are called."""
    (person,) = plugins.find(plugins.PERSON)
    return strategy_identity(replace(strategy, name=person.name, named=False)) == strategy_identity(person)


def entry_with(entry: Entry, given: GivenStrategies) -> Entry:
    """Return the entry with those of the given strategies that are new. StrategyError for two of one name."""
    twins, there = Twins(), [strategy_identity(strategy) for strategy in entry.strategies]
    for each in entry.strategies:
        twins.add(each, plugins.spec(each))
    new = list[Strategy]()
    for strategy, text in given:
        if strategy_identity(strategy) not in there:
            there.append(strategy_identity(strategy))
            twins.add(strategy, text)
            new.append(strategy)
    if not new:
        return entry
    since = (*entry.since, *[entry.blocks] * len(new))
    return replace(entry, strategies=(*entry.strategies, *new), joined=since)


def longer(entry: Entry, amount: Amount | None) -> Entry:
    """Return the entry with this amount; without one, with enough blocks that newcomers have as many as the others
    had."""
    wanted = entry.blocks
    if amount:
        wanted = entry.format.blocks_for(entry, amount[1])
    elif entry.since[-1] == entry.blocks:
        wanted = entry.format.blocks_for_all(entry)
    return replace(entry, blocks=max(entry.blocks, wanted))


def found_again(
    entry: Entry, given: GivenStrategies, sources: Sources, flag: str = "--strategy "
) -> tuple[Strategy, ...]:
    """Return the strategies of a record as they can be loaded: the same ones, installed or among the given.

    The recorded location is shown, but nothing there is loaded. StrategyError."""
    held, lacking = [], []
    for label, strategy in zip(entry.labels, entry.strategies, strict=True):
        own, candidates = strategy_identity(strategy), [candidate for candidate, _ in given]
        candidates += plugins.strategies_of_record(strategy, entry.game)
        if same := next((candidate for candidate in candidates if strategy_identity(candidate) == own), None):
            held.append(same)
        else:
            lacking.append((label, strategy))
    if lacking:
        label, first = lacking[0]
        if first.source:
            raise StrategyError(of_session(label, f"roundsim.grow(run, [{first.attribute}])"))
        for played, each in lacking:
            if now := changed_since(each, sources.get(played, ""), [one for one, _ in given]):
                place = display_path(Path(now.path))
                reason = f"{place} has changed since {played} played (sha256 {each.sha256[:8]})"
                old = shlex.quote(f"{f'{each.name}=' * each.named}git:REV:{place}:{now.attribute}{each.brackets}")
                raise StrategyError(f"{reason}: name the old one too, {flag}{old}, where REV is a commit that has it")
        more = f" and {len(lacking) - 1} more" * (len(lacking) > 1)
        places = [sources.get(label) or f"{strategy.name}=" * strategy.named + "PATH" for label, strategy in lacking]
        flags = " ".join(f"{flag}{shlex.quote(place)}" for place in dict.fromkeys(places))
        reason = f"{label} as it has played (sha256 {first.sha256[:8]}){more}"
        raise StrategyError(f"{reason}: not installed here, so name it: {flags}")
    return tuple(held)


def changed_since(strategy: Strategy, place: str, given: Iterable[Strategy]) -> Strategy | None:
    """Return the strategy among the given that is now where one of a record was, `place`."""
    for candidate in given:
        there = replace(candidate, name=strategy.name, named=strategy.named, parameters=strategy.parameters)
        if candidate.sha256 != strategy.sha256 and not candidate.command and source_of(there) == place:
            return there
    return None


def of_session(label: str, call: str) -> str:
    """Return the hint for a strategy that has no file and that is needed."""
    return f"{label} lived in a session, of a notebook or a script: {call} there"


def recorded_sources(folder: RunFolder) -> dict[str, Sources]:
    """Return where the strategies of each entry were, as far as the run records it."""
    sources = folder.timing().get("sources")
    return {
        name: {label: text for label, text in source.items() if isinstance(text, str)}
        for name, source in (sources.items() if isinstance(sources, dict) else ())
        if isinstance(source, dict)
    }


def source_of(strategy: Strategy) -> str:
    """Return the location of a strategy as a command line names it."""
    return f"{f'{strategy.name}=' * strategy.named}{plugins.spec(strategy, whole=True)}"


def sources_by_entry(tournament: Tournament) -> dict[str, dict[str, str]]:
    """Return the locations of strategies that cannot be found by name alone, by entry. A merged run has none."""
    home = str(homes.house_folder())
    return {
        entry.name: {
            label: source_of(strategy)
            for label, strategy in zip(entry.labels, entry.strategies, strict=True)
            if strategy.path and not strategy.source and (strategy.named or not strategy.path.startswith(home))
        }
        for entry in tournament.entries
    }
