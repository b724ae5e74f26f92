"""A shard played by strategies: its lines for the log, and its tally."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from ..errors import AbortError, PluginError
from ..processes.memory import all_memory
from ..refereeing.board import BEFORE, BLOCKS, DEALS
from ..refereeing.referee import Clock, Referee
from ..tournament.folder import RunFolder
from ..tournament.formats import entered
from ..tournament.plan import Keys, Task, Tournament
from ..tournament.record import Names
from ..tournament.shards import hash_of, packed, row_of
from ..tournament.tally import Played, Tally, check, faults_of, told_of
from ..tournament.unfinished import Unfinished
from .strategies import HoardError, Noting, Strategies, Weighing


class StaleError(Exception):
    """What has happened may hang on what was played in this process before, or on blocks that were not played at all."""


class Playing:
    """A shard while it is played, stage by stage.  `stage`: how many have ended.

    `path`: where it is to be; what takes long is kept beside it, and taken up by whoever plays the same shard."""

    def __init__(
        self,
        tournament: Tournament,
        task: Task,
        clock: Clock,
        path: Path | None = None,
        players: type[Strategies] = Strategies,
    ) -> None:
        self.tournament, self.task, self.entry = tournament, task, tournament.entries[task.entry]
        blocks = range(task.first, task.last + 1)
        self.keys, self.format = Keys(tournament, task.entry), self.entry.format
        self.ledgers = {
            block: self.format.ledger(seating) for block, seating in zip(blocks, task.seatings, strict=True)
        }
        self.reused = set[int]()  # entrants of blocks that are reused
        for block, reused in task.reused.items():
            self.ledgers[block].before = reused.played
            self.reused.update(self.ledgers[block].seating)
        self.stages, self.stage, self.tally = list(self.left(blocks)), 0, Tally()
        players = Weighing if task.weighed else players
        self.table = players(tournament, self.entry, Referee(clock, task.entered), self.tally, task.without)
        what = [*[self.keys(block, ledger.seating) for block, ledger in self.ledgers.items()], *sorted(task.without)]
        what += [reused.text for reused in task.reused.values()]
        self.lines = Unfinished(path, hash_of([str(each).encode() for each in what]), blocks)

    def left(self, blocks: range) -> Iterator[tuple[int, list[int]]]:
        """The stages without the blocks that are reused."""
        for part, those in self.format.stages(blocks):
            if played := [block for block in those if block not in self.task.reused]:
                yield part, played

    def play(self, fresh: bool = True) -> bool:
        """Play what is missing; whether it is all.  One stage only of a task that is to be played `alone`.

        What tells of full memory, and what ends a run, counts in the first stage that a fresh process plays: StaleError
        elsewhere.  HoardError, AbortError, PluginError, FolderError."""
        self.take_up()
        while self.stage < len(self.stages):
            try:
                self.play_stage(*self.stages[self.stage], fresh)
            except (AbortError, PluginError, HoardError):
                if fresh:
                    raise
                raise StaleError from None
            self.stage, fresh = self.stage + 1, False
            if self.stage < len(self.stages):
                with all_memory():
                    self.lines.keep(self.how_far, at_once=self.task.alone)
                if self.task.alone:
                    return False
        for block, ledger in self.ledgers.items():
            played = entered(self.entry, ledger, self.tally)
            self.tally.rows.append(row_of(self.keys, block, ledger.seating, self.lines.text(block), played))
        return True

    def play_stage(self, part: int, blocks: Sequence[int], fresh: bool) -> None:
        table, seed, name = self.table, self.tournament.seed, self.entry.name
        full = sum(n for (_, kind), n in self.tally.faults.items() if kind == "memory")
        table.begin_stage()
        table.timing = blocks[0] == self.stages[0][1][0]  # its first sitting, or the first of its freeze-outs
        try:
            for block in blocks:
                table.pages = partial(self.lines.add, block)
                self.format.play(table, self.entry, Names(seed, name, block), block, part, self.ledgers[block])
                table.turn_page()
                table.board[BLOCKS] += part == self.format.parts
        except MemoryError:  # not a strategy's own: it was full when it came to us
            with all_memory():
                raise HoardError(table.heaviest()) from None
        self.tally.end_stage(self.format)
        if not fresh and full < sum(n for (_, kind), n in self.tally.faults.items() if kind == "memory"):
            raise StaleError
        if any(entrant in self.reused for entrant, _ in self.tally.faults):
            raise StaleError

    def how_far(self) -> dict[str, Any]:
        """All that the stages that are to come hang on."""
        conduct = self.table.conduct
        return {
            "stage": self.stage,
            "questions": self.table.referee.questions,
            "conduct": [[*key, n] for key, n in conduct.faults.items()],
            "barred": sorted(conduct.barred),
            "faults": [[*key, n] for key, n in self.tally.faults.items()],
            "told": [told.to_json() for told in self.tally.told],
            "played": [[block, self.ledgers[block].played()] for block in sorted(self.begun(self.stage))],
        }

    def begun(self, stages: int) -> set[int]:
        """The blocks of which there is something in so many stages."""
        return {block for _, blocks in self.stages[:stages] for block in blocks}

    def take_up(self) -> None:
        """Go on where it was kept last; what is reused is there from the first."""
        self.lines.take_up(self.restore)
        if not self.stage:
            with all_memory():
                for block, reused in self.task.reused.items():
                    self.lines.add(block, [reused.text])
        board, before = self.table.board, [ledger.before.deals for ledger in self.ledgers.values() if ledger.before]
        board[DEALS], board[BLOCKS] = sum(before), len(before) if self.format.parts == 1 else 0
        board[BEFORE] = board[DEALS if self.format.by_deals else BLOCKS]

    def restore(self, kept: Mapping[str, Any]) -> None:
        """Take over how far it was; one of several errors, before anything is, if that cannot be."""
        entry, stage, questions = self.entry, check(kept["stage"], range(1, len(self.stages))), check(kept["questions"])
        conduct, faults = (faults_of(entry, kept[what]) for what in ("conduct", "faults"))
        told, barred = (
            told_of(entry, kept["told"]),
            {check(who, range(len(entry.strategies))) for who in kept["barred"]},
        )
        played = {
            block: Played.from_json(each, entry, len(self.ledgers[block].seating)) for block, each in kept["played"]
        }
        if played.keys() != self.begun(stage):
            raise ValueError("of other blocks")
        for block, each in played.items():
            self.ledgers[block].before = each
        self.stage, self.table.referee.questions = stage, questions
        self.table.conduct.faults.update(conduct)
        self.table.conduct.barred.update(barred)
        self.tally.faults.update(faults)
        self.tally.told += told

    def write(self, folder: RunFolder) -> None:
        """Into its file; FolderError."""
        with all_memory():  # what strategies hold on to is not to stop it
            lines = (text for block in self.ledgers for text in self.lines.text(block))
            folder.write_shard(self.entry, self.task.first, packed(lines, self.lines.size, self.tally))
            self.lines.forget()


def script_of_bug(tournament: Tournament, task: Task, clock: Clock, words: str) -> str:
    """A shard that a bug has ended is played once more, for a script of the deal it happened in."""
    shard = Playing(tournament, replace(task, weighed=False), clock, players=Noting)
    with suppress(Exception):  # the same bug again
        for part, blocks in shard.stages:
            shard.play_stage(part, blocks, fresh=True)
    assert isinstance(shard.table, Noting)
    return shard.table.script(words)
