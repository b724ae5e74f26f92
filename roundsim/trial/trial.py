"""A trial: a strategy at each seat in turn, the others random, on deals that are the same each time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from .. import games
from ..base.errors import OptionError, did_you_mean
from ..refereeing.faults import Fault
from ..refereeing.names import Names
from ..refereeing.referee import Referee
from ..sources import plugins
from ..sources.homes import in_house
from ..sources.plugins import Strategy
from ..sources.strategy import Seated
from ..table.deal import Deal
from ..table.options import Rules
from ..tournament.formats.round_robin import RoundRobin
from ..tournament.planning.plan import Entry, Limits, Tournament
from ..tournament.results.totals import ShardTotals
from ..workers.cast import Cast
from ..workers.noting import Noting
from .clock import TrialClock
from .exchange import FailedError, bugs_with

PHASES_WITHOUT_DEAL = ("constructor", "begin", "__del__")  # no deal shows what fails there
STEP = 64  # deals, at most, that are played in guests, too
TriedStrategies = Sequence[tuple[Strategy, list[str]]]  # strategies of one source, each with its games


@dataclass(frozen=True)
class TrialOptions:
    """The options of a trial: one game, or all that the strategies play; those that accept these options and this
    number of seats. `against`: the strategies to compare with, if any."""

    game: str | None
    options: dict[str, Any]
    seats: int | None
    deals: int
    limits: Limits
    scripts: Path
    against: str | None = None

    def rules(self, game: type[Deal]) -> Rules:
        """Return the rules of the table at which a game is tried; OptionError if it does not accept them."""
        return game.rules_for(self.seats or max(game.seats[0], game.usual[0]), self.options)

    def games_of(self, strategies: Sequence[Strategy]) -> list[list[str]]:
        """Return for each strategy the games in which it is tried; OptionError if there is none for any."""
        playable = [[self.game] if self.game else list(strategy.games or games.names()) for strategy in strategies]
        asked = {name: games.named(name) for names in playable for name in names}
        refused: dict[str, OptionError] = {}
        for name, game in asked.items():
            try:
                self.rules(game)
            except OptionError as error:
                refused[name] = error
        if len(refused) < len(asked):
            return [[asked[name].id for name in names if name not in refused] for names in playable]
        known = {option.key for game in asked.values() for option in game.options}
        strays = [key for key in self.options if key not in known]
        problems = [f"no game that is played here has an option {key}{did_you_mean(key, known)}" for key in strays]
        raise OptionError(problems) if problems else next(iter(refused.values()))

    def sandboxes(self, paths: Iterable[Path]) -> bool:
        """Return whether these sources are tried in a sandbox, if one works: third-party ones, unless isolation is off;
        all, if that is on."""
        isolate = self.limits.isolate
        return isolate == "on" or isolate == "auto" and not all(map(in_house, paths))

    def fewer(self) -> TrialOptions:
        return replace(self, deals=min(STEP, self.deals))


def tournament_of(strategy: Strategy, game: type[Deal], how: TrialOptions) -> Tournament:
    """Return the tournament of a trial in a game: the strategy sits at each seat in turn, the others play at random."""
    rules = how.rules(game)
    format, others = RoundRobin(rules.players, rules.sitting), plugins.find("random") * (rules.players - 1)
    blocks = -(-how.deals // (rules.players * rules.sitting))
    entry = entry_of(game, format, how.options, (strategy, *others), blocks)
    return Tournament("check", format.name, 1, how.limits, (entry,))


def entry_of(
    game: type[Deal], format: RoundRobin, options: dict[str, Any], who: tuple[Strategy, ...], blocks: int = 1
) -> Entry:
    """Return the entry of a table that asks strategies, also in processes in which a third-party game must be found."""
    home = f"{game.origin.path}:{game.origin.attribute}" if game.origin else ""
    return Entry(game.id, game.id, format, options, who, blocks, home=home)


class Trial(Noting):
    """A strategy at each seat in turn, the others random; `fresh`: its module is loaded again for each sitting."""

    clock: TrialClock

    def __init__(
        self, strategy: Strategy, game: type[Deal], how: TrialOptions, clock: TrialClock, fresh: bool = False
    ) -> None:
        tournament = tournament_of(strategy, game, how)
        (entry,) = tournament.entries
        self.clock, self.fresh, self.number = clock, fresh, 0
        super().__init__(Cast(tournament, entry, clock.board, ShardTotals()), Referee(clock))

    def lines_of_all(self) -> list[str]:
        """Play all deals and return the lines of their log. FailedError at the first fault; BugError, with a script."""
        entry, format = self.entry, self.entry.format
        with self.clock, bugs_with(lambda: self.script("") if self.place else ""):
            for part, blocks in format.stages(range(1, entry.blocks + 1)):
                self.begin_stage()
                for block in blocks:
                    ledger = format.ledger(range(len(entry.strategies)))
                    format.play(self, entry, Names(1, entry.name, block), block, part, ledger)
        return self.lines

    def load_own(self) -> Seated:
        """Load the strategy for the next sitting."""
        if self.fresh:
            self.begin_stage()
        return self.seat_of(0, 0)

    def sit(self, *given: Any) -> None:
        self.load_own()
        super().sit(*given)

    def play(self, place: str, deal: Deal, first: bool) -> None:
        self.number += 1
        super().play(place, deal, first)

    def record_fault(self, fault: Fault) -> None:
        kind = " ".join([fault.kind, *fault.words.split()[: fault.kind == "exception"], *fault.where])
        lines = self.lines_of(fault)
        if fault.phase in PHASES_WITHOUT_DEAL:
            raise FailedError(kind, *lines)
        script = self.script(f"seat {fault.seat}, phase {fault.phase}: {fault.words}")
        raise FailedError(kind, *lines, deal=self.number, seat=fault.seat, script=script)

    def lines_of(self, fault: Fault) -> list[str]:
        return describe_fault(fault, f"deal {self.number}")


def trial_digest(lines: Sequence[str]) -> str:
    return sha256("".join(lines).encode()).hexdigest()


def describe_fault(fault: Fault, deal: str) -> list[str]:
    """Return where a fault was made, and its words; what was legal; where in the strategy it happened."""
    at = fault.phase if fault.phase in PHASES_WITHOUT_DEAL else f"{deal}, seat {fault.seat}, phase {fault.phase}"
    text = fault.words if fault.kind in ("exception", "illegal") else f"{fault.kind}: {fault.words}"
    legal = [row.strip() for row in fault.view if row.startswith("  legal ")]
    return [f"{at}: {text}", *legal, *fault.where]
