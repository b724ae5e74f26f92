"""A shard played by strategies: its lines for the log, and its tally."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from ..base.errors import AbortError, FolderError, LogError, PluginError, ResourceError
from ..base.version import __version__
from ..guests.isolation import is_isolated
from ..guests.losses import GuestLostError, NotLoadedError
from ..guests.pool import Guests
from ..guests.question import GuestKey
from ..processes.memory import all_memory, allowed, lift
from ..refereeing.board import AGAIN, BEFORE, BLOCKS, DEALS, EXCLUDED, MOST_PIECES, QUESTIONS, WHY
from ..refereeing.faults import FaultDetails
from ..refereeing.names import Names
from ..refereeing.referee import Clock, Referee
from ..sandbox.kinds import ANY_SANDBOX, Sandbox
from ..tournament.formats import SHARD_DEALS
from ..tournament.planning.plan import Reused, Schedule, Task, Tournament
from ..tournament.results.record import STRIKES
from ..tournament.results.totals import (
    BlockResult,
    ShardTotals,
    check_number,
    fault_reports_from_json,
    faults_from_json,
)
from ..tournament.storage.folder import RunFolder
from ..tournament.storage.shards import Shard, ShardWriter, joined, read_shard
from ..tournament.storage.unfinished import PIECE, Unfinished, hash_of
from ..tournament.storage.writing import write_aside
from .cast import Cast, Listener
from .lockstep import Lockstep
from .noting import Noting
from .stepped import Foresight, ForesightError, SteppedStrategies, Strikes
from .strategies import Strategies

PAUSE = 1  # seconds before a piece is played again after a process was lacking
NAMED = 12  # strategies of a shard that are named: all are in the tournament file


class StaleError(Exception):
    """The result may depend on what this process played before, or on blocks that were not played at all."""


class PlayedBefore(NamedTuple):
    """The deals and blocks of a shard played before a piece. `before`: the units of it that an earlier worker played."""

    deals: int = 0
    blocks: int = 0
    before: int = 0


NOTHING = PlayedBefore()


class Playing:
    """A piece of a shard while it is played, stage by stage. `stage`: how many have ended.

    `path`: its file, if it were a shard; intermediate results of long pieces are next to it, for whoever plays the same.
    `schedule`: that of its entry, if there is one already. `played`: of the shard, before it."""

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
        schedule: Schedule | None = None,
        played: PlayedBefore = NOTHING,
    ) -> None:
        self.tournament, self.task, self.entry = tournament, task, tournament.entries[task.entry]
        self.schedule, self.format = schedule or Schedule(tournament, task.entry), self.entry.format
        self.entrants, self.played = set().union(*task.seats), played
        self.ledgers = {
            block: self.format.ledger(seating) for block, seating in zip(task.blocks, task.seats, strict=True)
        }
        self.reused = set[int]()  # entrants of blocks that are reused
        for block, reused in self.reused_here.items():
            self.ledgers[block].so_far = reused.played
            self.reused.update(self.ledgers[block].seating)
        self.stages, self.stage, self.tally = list(self.left(task.blocks)), 0, ShardTotals()
        self.guests, self.foresight = guests, foresight or Foresight()
        self.strangers = guests.third_party(self.entry) if guests else frozenset[int]()
        self.struck = dict[GuestKey, FaultDetails]()
        without = self.foresight.without
        cast = Cast(tournament, self.entry, clock.board, self.tally, without, self.strangers, listener)
        self.table = players(cast, Referee(clock, task.entered))
        assert task.piece < MOST_PIECES
        self.table.referee.questions = task.piece * QUESTIONS
        what = [self.schedule.shard_key(task.blocks), *sorted((who, kind) for who, (kind, _, _) in without.items())]
        what += [reused.text for reused in self.reused_here.values()]
        self.lines = Unfinished(path, hash_of([str(each).encode() for each in what]), task.blocks)

    @property
    def reused_here(self) -> dict[int, Reused]:
        """The blocks of the piece that are reused."""
        return {block: each for block, each in self.task.reused.items() if block in self.ledgers}

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
        except NotLoadedError:
            raise
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
        for block, ledger in self.ledgers.items():
            self.tally.enter(block, ledger)
        self.tally.sum_up(self.entry)

    def wants_of_memory(self) -> int:
        """Return how often strategies that play in this process ran out of memory."""
        faults = self.tally.faults.items()
        return sum(n for (who, kind), n in faults if kind == "memory" and who not in self.strangers)

    def full(self) -> PluginError:
        """Return the error for a full memory. It is not known which strategy in this process fills it."""
        task, labels = self.task, [self.entry.labels[who] for who in sorted(self.entrants - self.strangers)]
        words = f"the memory allowed, {allowed(self.tournament.limits.memory << 20) >> 20} MB, is full"
        if labels:
            more = [f"{len(labels) - NAMED} more"] * (len(labels) > NAMED)
            words += f" of what strategies keep: in {self.entry.name}, blocks {task.first} to {task.last}, sat "
            words += ", ".join(labels[:NAMED] + more)
            words += ". With a sandbox, --isolate on plays each in a separate process and names the one at fault"
        return PluginError(f"{words}; memory in [limits] allows more")

    def play_stage(self, part: int, blocks: Sequence[int]) -> None:
        table, seed, name = self.table, self.tournament.seed, self.entry.name
        if not (blocks := self.format.due(part, blocks, self.ledgers)):
            return
        table.begin_stage()
        if self.strangers and self.guests:
            return self.play_in_step(part, blocks, self.guests)
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
        for fault in table.faults:
            entrant = fault.entrant
            made[entrant] = made.get(entrant, 0) + 1
            before = entrant in conduct.barred
            self.table.record_fault(fault)
            if fault.kind in STRIKES:
                question = fault.place, fault.seat, fault.phase, fault.action - 1
                self.struck[question] = fault.kind, fault.words, "\n".join(fault.where)
            now = table.part, table.block, made[entrant]
            if not before and entrant in conduct.barred and self.foresight.barred.get(entrant) != now:
                self.foresight.barred[entrant] = now
                self.foresight.entered.update(self.struck)
                raise ForesightError(entrant, EXCLUDED)
        for entrant, at in [*self.foresight.barred.items()]:
            if at[:2] == (table.part, table.block) and entrant not in conduct.barred:
                del self.foresight.barred[entrant]
                raise ForesightError(entrant, EXCLUDED)

    def how_far(self) -> dict[str, Any]:
        """Return everything that the later stages depend on."""
        conduct = self.table.conduct
        return {
            "stage": self.stage,
            "questions": self.table.referee.questions,
            "conduct": [[*key, n] for key, n in conduct.faults.items()],
            "barred": sorted(conduct.barred),
            **{name: [*count.items()] for name, count in self.foresight.counts().items()},
            "faults": [[*key, n] for key, n in self.tally.faults.items()],
            "fault_reports": [report.to_json() for report in self.tally.fault_reports],
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
                for block, reused in self.reused_here.items():
                    self.lines.add(block, [reused.text])
        board, before = self.table.board, [ledger.so_far.deals for ledger in self.ledgers.values() if ledger.so_far]
        deals, blocks = sum(before), len(before) if self.format.parts == 1 else 0
        board[DEALS], board[BLOCKS] = self.played.deals + deals, self.played.blocks + blocks
        board[BEFORE] = self.played.before + (deals if self.format.by_deals else blocks)
        self.taken_up = board[DEALS]

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Restore a saved state. Raises one of several errors, before anything changes, if that is not possible."""
        entry, stage, questions = (
            self.entry,
            check_number(kept["stage"], range(1, len(self.stages))),
            check_number(kept["questions"]),
        )
        conduct, faults = (faults_from_json(entry, kept[what]) for what in ("conduct", "faults"))
        reports, barred = (
            fault_reports_from_json(entry, kept["fault_reports"]),
            {check_number(who, range(len(entry.strategies))) for who in kept["barred"]},
        )
        counts = {
            name: {check_number(who, range(len(entry.strategies))): check_number(n) for who, n in kept[name]}
            for name in self.foresight.counts()
        }
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
        for name, count in self.foresight.counts().items():
            count |= Counter(counts[name])
        self.tally.faults.update(faults)
        self.tally.fault_reports += reports

    def write(self, path: Path) -> None:
        """Write the piece as a shard of its own; FolderError."""
        with all_memory():  # what strategies hold on to is not to stop it
            writer = ShardWriter(path.parent)
            writer.add((text for block in self.ledgers for text in self.lines.text(block)), self.lines.size)
            write_aside(path, writer.file(self.tally, self.schedule), sync=False)
            self.lines.forget()


@dataclass
class ShardPlayer:
    """Plays the shards of a tournament into its folder, in this process.

    `fresh`: whether it has played nothing yet; if it is `alone`, each piece counts as the first."""

    tournament: Tournament
    folder: RunFolder
    clock: Clock
    guests: Guests
    listener: Listener | None = None
    alone: bool = False
    fresh: bool = True

    def __post_init__(self) -> None:
        self.schedules = [Schedule(self.tournament, number) for number in range(len(self.tournament.entries))]

    def play(self, task: Task) -> None:
        """Play a shard, piece by piece, and write it. If it has several, those that are finished are kept next to it.

        StaleError, and what ends a run."""
        schedule = self.schedules[task.entry]
        path, pieces = self.folder.shard_to_be(schedule.entry, task.first), task.pieces(schedule.entry)
        if len(pieces) == 1:
            self.play_piece(pieces[0], path, NOTHING).write(path)
            return
        kept, played = list[Shard](), NOTHING
        for piece in pieces:
            where = path.with_name(f"{piece.first:07d}.zst")
            kept_at = where.with_name(f".{where.stem}{PIECE}")
            shard = self.kept_piece(kept_at, piece)
            more = shard.tally if shard else ShardTotals()
            before = played.before + (more.deals if schedule.entry.format.by_deals else more.blocks)
            if not shard:
                self.play_piece(piece, where, played).write(kept_at)
                shard = self.kept_piece(kept_at, piece)
                if not shard:
                    raise FolderError(f"{kept_at} has been taken away")
            kept.append(shard)
            played = PlayedBefore(played.deals + shard.tally.deals, played.blocks + shard.tally.blocks, before)
        with all_memory():
            self.folder.write_shard(schedule.entry, task.first, joined(kept, schedule))
            for shard in kept:
                shard.path.unlink(missing_ok=True)

    def kept_piece(self, path: Path, piece: Task) -> Shard | None:
        """Return a finished piece; None if it is not there, damaged, or of another version."""
        with suppress(LogError):
            shard = read_shard(path, piece, self.schedules[piece.entry])
            return shard if shard and shard.whole and shard.version == __version__ else None
        return None

    def play_piece(self, piece: Task, path: Path, played: PlayedBefore) -> Playing:
        """Return a piece when it is played: again from its start after a guest was lost, or an entrant barred."""
        schedule, fresh, short = self.schedules[piece.entry], self.fresh, False
        seatings, entry = dict(zip(piece.blocks, piece.seats, strict=True)), schedule.entry
        deals = entry.format.units(entry) * len(piece.blocks) if entry.format.by_deals else SHARD_DEALS
        foresight, board = Foresight.of(seatings, deals, self.tournament.limits), self.clock.board
        self.guests.idle_time = foresight.idle
        while True:
            shard = Playing(
                *(self.tournament, piece, self.clock, path),
                guests=self.guests,
                foresight=foresight,
                listener=self.listener,
                schedule=schedule,
                played=played,
            )
            try:
                shard.play(fresh)
                self.fresh = self.alone
                return shard
            except StaleError:
                with all_memory():
                    shard.lines.forget()
                raise
            except ResourceError:
                if short:
                    raise
                short = True
                self.guests.close()  # they may be too many
                time.sleep(PAUSE)
            except (GuestLostError, NotLoadedError, ForesightError) as ended:
                board[AGAIN], board[WHY] = ended.entrant + 1, foresight.learn(ended)
                foresight.begin_again(ended.entrant, ended.words, board[DEALS] - shard.taken_up)
            self.guests.end_all()


def script_of_bug(tournament: Tournament, task: Task, clock: Clock, message: str, seal: Sandbox = ANY_SANDBOX) -> str:
    """Play a shard that a bug has ended once more, and return a script of the deal with the bug. Return "" if a
    strategy plays in a guest: third-party strategies are not asked here."""
    isolate, every = tournament.limits.isolate, tournament.entries[task.entry].strategies
    if any(is_isolated(strategy, isolate, seal) for strategy in every):
        return ""
    table: Strategies | None = None
    with suppress(Exception):  # the same bug again
        for piece in task.pieces(tournament.entries[task.entry]):
            shard = Playing(tournament, piece, clock, players=Noting)
            table = shard.table
            for part, blocks in shard.stages:
                shard.play_stage(part, blocks)
    assert isinstance(table, Noting)
    return table.script(message) if table.place else ""  # a format may fail before a deal
