"""The runs that claims ask: ordinary ones, which all claims with the same table, players and seed share."""

from __future__ import annotations

import inspect
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from traceback import format_exception
from typing import Any, NamedTuple

from ..base.errors import BugError, PluginError, RoundsimError
from ..base.finding import display_path
from ..base.importing import module_at, own_lines
from ..guests.isolation import how_guests_play
from ..processes.pool import each
from ..replaying.logged import LoggedBlock, logged_blocks
from ..replaying.played import deals_of_block
from ..reports.data import write_results
from ..tournament import formats
from ..tournament.formats.sittings import Sittings
from ..tournament.planning.file import GivenSettings, read_tournament
from ..tournament.planning.key_lines import KeyLines
from ..tournament.planning.plan import Seed, Tournament
from ..tournament.run import Progress, run_tournament
from ..tournament.storage.folder import RunFolder
from ..workers import local
from ..workers.worker import play_here
from .chapter import Call
from .measures import GENERAL
from .verdict import NONE, Sum

LONGEST = 50  # characters of a run's name
FORCED = re.compile(r"=roundsim\.claiming\..*?where='(\w+)'.*", re.DOTALL)  # a forced strategy, after its label
WHOLE = 40  # a block of another format, a freeze-out or an evening, counts for this many deals
IN_HERE = 300  # deals of a round that are counted in this process


class Asked(NamedTuple):
    """A run that a claim asks: its game, players, options, and strategies by seat; `format`: its name and keys."""

    game: str
    players: int
    options: tuple[tuple[str, Any], ...]
    strategies: tuple[str, ...]
    format: tuple[tuple[str, Any], ...] = ()

    @property
    def name(self) -> str:
        """The name of the run: loo-5-book, or with all options."""
        field = dict.fromkeys(FORCED.sub(r"-\1", text) for text in self.strategies)
        given = [f"{key}={value}" for key, value in (*self.options, *self.format)]
        name = re.sub(r"[^\w=.]+", "-", "-".join([self.game, str(self.players), *field, *given]))
        return name[:LONGEST].strip("-.")

    def tournament(self, seed: Seed, amount: int, isolate: str | None = None) -> Tournament:
        """Return the tournament with this many deals; of another format as many blocks as stand for them."""
        keys = dict(self.format)
        kind = formats.find(keys.pop("name", Sittings.name))
        size = {key: self.players for key, known in kind.entered_with().items() if known.flag == "--seats"}
        many = amount if kind is Sittings else max(1, amount // WHOLE)
        game = {"game": self.game, "options": dict(self.options), **size, **keys, kind.amount: many}
        data = {"tournament": {"format": kind.name, "strategies": [*self.strategies]}, "games": [game]}
        return read_tournament(data, KeyLines(self.name), Path(), self.name, GivenSettings(seed, isolate=isolate))


class MeasureCall(NamedTuple):
    """A measure as it is sent to processes: the file of the chapter's functions, the call, and the names of the
    condition. `forced`: the call also has the parameters of what is forced, if the measure takes them."""

    functions: Path | None
    call: Call
    names: tuple[str, ...]
    forced: bool = False


class Counted(NamedTuple):
    """The numbers that a measure yields in a block: by name the sums, and the first deal with a number other than 0, with
    the name of its run."""

    block: int
    sums: Mapping[str, Sum]
    shows: Mapping[str, str]


@lru_cache(64)
def function_of(measure: MeasureCall) -> Callable[..., Any]:
    """Return the function of a measure, with its parameters."""
    own = vars(module_at(measure.functions)) if measure.functions else {}
    parameters = dict(measure.call.parameters)
    if "where" in parameters:
        parameters["where"] = own[parameters["where"]]
    function = own.get(measure.call.name) or GENERAL[measure.call.name]
    takes = inspect.signature(function).parameters
    if "names" in takes:
        parameters["names"] = measure.names
    if measure.forced:
        parameters = {key: value for key, value in parameters.items() if key in takes}
    return partial(function, **parameters)


def count_blocks(measure: MeasureCall, blocks: Iterable[LoggedBlock], jobs: int) -> list[Counted]:
    """Return what a measure yields in some blocks, in their order. Raises LogError, or PluginError for the measure."""
    counted = list[Counted]()
    for result in each(partial(count_block, measure), blocks, jobs):
        if isinstance(result, RoundsimError):
            raise result
        counted.append(result)
    return sorted(counted, key=lambda one: one.block)


def failed(functions: Path | None, name: str, error: Exception) -> RoundsimError:
    """Return the error of a function of a chapter; BugError for one of ours."""
    if functions is None:
        return BugError("".join(format_exception(error)))
    return PluginError(f"{display_path(functions)}: {name} fails: {own_lines(error, functions)}")


def count_block(measure: MeasureCall, block: LoggedBlock) -> Counted | RoundsimError:
    """Return what a measure yields in a block, or the error."""
    sums, shows = defaultdict[str, Sum](lambda: NONE), dict[str, str]()
    try:
        function, deals = function_of(measure), deals_of_block(block)
        of_sitting = next(iter(inspect.signature(function).parameters), "") == "deals"
        looks = [(deals[0].address, deals)] if of_sitting else [(deal.address, deal) for deal in deals]
        for address, seen in looks:
            for name, number in function(seen):
                sums[name] = sums[name].plus(Sum(1, number, number * number))
                if number:
                    shows.setdefault(name, f"{block.folder.path.name}:{address}")
    except RoundsimError as error:
        return error
    except Exception as error:  # of the function that the user has named
        return failed(measure.functions, measure.call.name, error)
    return Counted(block.number, dict(sums), shows)


Watch = Callable[[Tournament], AbstractContextManager[Callable[[Progress], None]]]


class ClaimRuns:
    """The runs in a folder that claims ask, and what was counted in them.

    `watch`: a context while one is played, with a function that takes its progress; None if it is not shown. `isolate`:
    who plays in the sandbox; `guests`: how third-party strategies played, in words."""

    def __init__(
        self, folder: Path, seed: Seed, jobs: int, watch: Watch | None = None, isolate: str | None = None
    ) -> None:
        self.folder, self.seed, self.jobs, self.watch, self.isolate = folder, seed, jobs, watch, isolate
        self.guests = ""
        self.counted = defaultdict[tuple[Asked, MeasureCall], list[Counted]](list)

    def count(self, asked: Asked, measure: MeasureCall, amount: int) -> Sequence[Counted]:
        """Return what a measure yields in the blocks of this many deals, which are played where they are missing."""
        wanted = asked.tournament(self.seed, amount, self.isolate)
        folder = RunFolder(self.folder / wanted.folder_name())
        blocks, there = wanted.entries[0].blocks, self.counted[asked, measure]
        if len(there) < blocks:
            self.play(wanted, folder)
            tournament = folder.tournament()
            missing = islice(logged_blocks(folder, tournament, 0), len(there), blocks)
            there.extend(count_blocks(measure, missing, 1 if amount <= IN_HERE else self.jobs))
        return there[:blocks]

    def play(self, tournament: Tournament, folder: RunFolder) -> None:
        """Play what is missing of a run. Raises FolderError, and what its strategies raise."""
        guests, workers = how_guests_play(tournament), local.play_tasks if self.jobs > 1 else play_here
        with self.watch(tournament) if self.watch else nullcontext(lambda progress: None) as show:
            run_tournament(tournament, folder, workers, self.jobs, show, write_results, guests)
        self.guests = self.guests or guests
