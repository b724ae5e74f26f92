"""A shard played by strategies: its lines for the log, and its tally."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from ..errors import AbortError, PluginError
from ..guests.guest import GuestKey
from ..guests.isolation import is_isolated
from ..guests.pool import Guests
from ..processes.memory import all_memory, allowed, lift
from ..refereeing.board import BARRED, BEFORE, BLOCKS, DEALS
from ..refereeing.names import Names
from ..refereeing.referee import Clock, FaultDetails, Referee
from ..sandbox.kinds import ANY_SANDBOX, Sandbox
from ..tournament.planning.plan import Keys, Task, Tournament
from ..tournament.results.record import STRIKES
from ..tournament.results.totals import (
    BlockResult,
    ShardTotals,
    check_number,
    fault_reports_from_json,
    faults_from_json,
)
from ..tournament.storage.folder import RunFolder
from ..tournament.storage.shards import enter, hash_of, shard_bytes
from ..tournament.storage.unfinished import Unfinished
from .lockstep import Lockstep
from .stepped import Foresight, ForesightError, SteppedStrategies, Strikes
from .strategies import Cast, Listener, Noting, Strategies

NAMED = 12  # strategies of a shard that are named: all are in the tournament file


class StaleError(Exception):
    """The result may depend on what this process played before, or on blocks that were not played at all."""


class Playing:
    """A shard while it is played, stage by stage. `stage`: how many have ended.

    `path`: its future file; intermediate results of long shards are saved next to it, and used by whoever plays the
    same shard."""

    def __init__(
        self,
        tournament: Tournament,
        task: Task,
        clock: Clock,
        path: Path | None = None,
        players: type[Strategies] = Strategies,
        guests: Guests | None = None,
        foresight: Foresight | None = None,
        listener: Listener | None = None,
    ) -> None:
        self.tournament, self.task, self.entry = tournament, task, tournament.entries[task.entry]
        blocks = range(task.first, task.last + 1)
        self.format, keys = self.entry.format, Keys(tournament, task.entry)
        self.ledgers = {
            block: self.format.ledger(seating) for block, seating in zip(blocks, task.seatings, strict=True)
        }
        self.keys = [keys(block, seating) for block, seating in zip(blocks, task.seatings, strict=True)]
        self.reused = set[int]()  # entrants of blocks that are reused
        for block, reused in task.reused.items():
            self.ledgers[block].so_far = reused.played
            self.reused.update(self.ledgers[block].seating)
        self.stages, self.stage, self.tally = list(self.left(blocks)), 0, ShardTotals()
        self.guests, self.foresight = guests, foresight or Foresight()
        self.strangers = guests.third_party(self.entry) if guests else frozenset[int]()
        self.struck = dict[GuestKey, FaultDetails]()
        without = self.foresight.without
        cast = Cast(tournament, self.entry, clock.board, self.tally, without, self.strangers, listener)
        self.table = players(cast, Referee(clock, task.entered))
        what = [*self.keys, *sorted((who, kind) for who, (kind, _, _) in without.items())]
        what += [reused.text for reused in task.reused.values()]
        self.lines = Unfinished(path, hash_of([str(each).encode() for each in what]), blocks)

    def left(self, blocks: range) -> Iterator[tuple[int, list[int]]]:
        """Yield the stages without the blocks that are reused."""
        for part, those in self.format.stages(blocks):
            if played := [block for block in those if block not in self.task.reused]:
                yield part, played

    def play(self, fresh: bool = True) -> None:
        """Play the missing stages.

        An error that ends a run, and a lack of memory, count only in a fresh process that plays the whole shard:
        elsewhere StaleError. AbortError, PluginError, FolderError."""
        self.take_up()
        counts = fresh and not self.task.reused and not self.stage
        try:
            self.play_stages(counts)
        except MemoryError:  # not a strategy's own: the memory was already full when it reached us
            lift()
            raise (self.full() if counts else StaleError) from None
        except (AbortError, PluginError):
            if counts:
                raise
            raise StaleError from None

    def play_stages(self, counts: bool) -> None:
        wants = self.wants_of_memory()
        while self.stage < len(self.stages):
            self.play_stage(*self.stages[self.stage])
            if not counts and self.wants_of_memory() > wants:
                raise StaleError
            self.stage += 1
            if self.stage < len(self.stages) and self.format.resumable:
                with all_memory():
                    self.lines.keep(self.how_far)
        for key, (block, ledger) in zip(self.keys, self.ledgers.items(), strict=True):
            enter(self.tally, block, key, ledger, self.lines.text(block))

    def wants_of_memory(self) -> int:
        """Return how often strategies that play in this process ran out of memory."""
        faults = self.tally.faults.items()
        return sum(n for (who, kind), n in faults if kind == "memory" and who not in self.strangers)

    def full(self) -> PluginError:
        """Return the error for a full memory. It is not known which strategy in this process fills it."""
        task, labels = self.task, [self.entry.labels[who] for who in sorted(self.task.entrants - self.strangers)]
        words = f"the memory allowed, {allowed(self.tournament.limits.memory << 20) >> 20} MB, is full"
        if labels:
            more = [f"{len(labels) - NAMED} more"] * (len(labels) > NAMED)
            words += f" of what strategies keep: in {self.entry.name}, blocks {task.first} to {task.last}, sat "
            words += ", ".join(labels[:NAMED] + more)
            words += ". With a sandbox, --isolate on plays each in a separate process and names the one at fault"
        return PluginError(f"{words}; memory in [limits] allows more")

    def play_stage(self, part: int, blocks: Sequence[int]) -> None:
        table, seed, name = self.table, self.tournament.seed, self.entry.name
        table.begin_stage()
        if self.strangers and self.guests:
            self.play_in_step(part, blocks, self.guests)
            return
        table.timing = blocks[0] == self.stages[0][1][0]  # its first sitting, or the first of its freeze-outs
        for block in blocks:
            table.pages = partial(self.lines.add, block)
            self.format.play(table, self.entry, Names(seed, name, block), block, part, self.ledgers[block])
            table.turn_page()
            table.board[BLOCKS] += part == self.format.parts
        self.tally.end_stage(self.format)
        if any(entrant in self.reused for entrant, _ in self.tally.faults):
            raise StaleError

    def play_in_step(self, part: int, blocks: Sequence[int], guests: Guests) -> None:
        """Play with third-party strategies in guests, many tables in step. GuestLostError, ForesightError."""
        guests.begin_stage()
        step = Lockstep(self.foresight.width, self.table.cast.times)
        strikes = Strikes(self.table.conduct, self.foresight.barred)

        def play(block: int) -> SteppedStrategies:
            table = SteppedStrategies(self.table, guests, step, self.foresight, strikes, part, block)
            names = Names(self.tournament.seed, self.entry.name, block)
            self.format.play(table, self.entry, names, block, part, self.ledgers[block])
            return table

        for table in step.play(partial(play, block) for block in blocks):
            self.enter_faults(table)
            self.lines.add(table.block, table.lines)
            self.table.board[BLOCKS] += part == self.format.parts
        self.tally.end_stage(self.format)
        if any(entrant in self.reused for entrant, _ in self.tally.faults):
            raise StaleError

    def enter_faults(self, table: SteppedStrategies) -> None:
        """Enter the faults of a table. ForesightError if an entrant is barred here and that was not foreseen, or the
        other way round."""
        made, conduct = dict[int, int](), self.table.conduct
        for fault, place, entrant in table.faults:
            made[entrant] = made.get(entrant, 0) + 1
            before = entrant in conduct.barred
            self.table.record_fault(fault, place, entrant)
            if fault.kind in STRIKES:
                self.struck[place, fault.seat, fault.phase, fault.at] = fault.kind, fault.words, fault.where
            now = table.part, table.block, made[entrant]
            if not before and entrant in conduct.barred and self.foresight.barred.get(entrant) != now:
                self.foresight.barred[entrant] = now
                self.foresight.entered.update(self.struck)
                raise ForesightError(entrant, BARRED)
        for entrant, at in [*self.foresight.barred.items()]:
            if at[:2] == (table.part, table.block) and entrant not in conduct.barred:
                del self.foresight.barred[entrant]
                raise ForesightError(entrant, BARRED)

    def how_far(self) -> dict[str, Any]:
        """Return everything that the later stages depend on."""
        conduct = self.table.conduct
        return {
            "stage": self.stage,
            "questions": self.table.referee.questions,
            "conduct": [[*key, n] for key, n in conduct.faults.items()],
            "barred": sorted(conduct.barred),
            "ended": [*self.foresight.ended.items()],
            "faults": [[*key, n] for key, n in self.tally.faults.items()],
            "told": [told.to_json() for told in self.tally.fault_reports],
            "played": [[block, self.ledgers[block].played()] for block in sorted(self.begun(self.stage))],
        }

    def begun(self, stages: int) -> set[int]:
        """Return the blocks that have played something in these first stages."""
        return {block for _, blocks in self.stages[:stages] for block in blocks}

    def take_up(self) -> None:
        """Continue from the last saved state; reused blocks are there from the start."""
        self.lines.take_up(self.restore)
        if not self.stage:
            with all_memory():
                for block, reused in self.task.reused.items():
                    self.lines.add(block, [reused.text])
        board, before = self.table.board, [ledger.so_far.deals for ledger in self.ledgers.values() if ledger.so_far]
        board[DEALS], board[BLOCKS] = sum(before), len(before) if self.format.parts == 1 else 0
        board[BEFORE] = board[DEALS if self.format.by_deals else BLOCKS]

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Restore a saved state. Raises one of several errors, before anything changes, if that is not possible."""
        entry, stage, questions = (
            self.entry,
            check_number(kept["stage"], range(1, len(self.stages))),
            check_number(kept["questions"]),
        )
        conduct, faults = (faults_from_json(entry, kept[what]) for what in ("conduct", "faults"))
        reports, barred = (
            fault_reports_from_json(entry, kept["told"]),
            {check_number(who, range(len(entry.strategies))) for who in kept["barred"]},
        )
        ended = {check_number(who, range(len(entry.strategies))): check_number(n) for who, n in kept["ended"]}
        played = {
            block: BlockResult.from_json(each, entry, len(self.ledgers[block].seating))
            for block, each in kept["played"]
        }
        if played.keys() != self.begun(stage):
            raise ValueError("of other blocks")
        for block, each in played.items():
            self.ledgers[block].so_far = each
        self.stage, self.table.referee.questions = stage, questions
        self.table.conduct.faults.update(conduct)
        self.table.conduct.barred = barred
        self.foresight.ended |= Counter(ended)
        self.tally.faults.update(faults)
        self.tally.fault_reports += reports

    def write(self, folder: RunFolder) -> None:
        """Write the shard to its file; FolderError."""
        with all_memory():  # what strategies hold on to is not to stop it
            lines = (text for block in self.ledgers for text in self.lines.text(block))
            folder.write_shard(self.entry, self.task.first, shard_bytes(lines, self.lines.size, self.tally))
            self.lines.forget()


def script_of_bug(tournament: Tournament, task: Task, clock: Clock, words: str, seal: Sandbox = ANY_SANDBOX) -> str:
    """Play a shard that a bug has ended once more, and return a script of the deal with the bug. Return "" if a
    strategy plays in a guest: third-party strategies are not asked here."""
    isolate, every = tournament.limits.isolate, tournament.entries[task.entry].strategies
    if any(is_isolated(each, isolate, seal) for each in every):
        return ""
    shard = Playing(tournament, task, clock, players=Noting)
    with suppress(Exception):  # the same bug again
        for part, blocks in shard.stages:
            shard.play_stage(part, blocks)
    assert isinstance(shard.table, Noting)
    return shard.table.script(words)
