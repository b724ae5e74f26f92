"""Where shards lie: a thousand in the folder of their entry, each next thousand in one of its own, whatever comes later."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from errno import ENOSPC
from itertools import islice, product
from pathlib import Path
from typing import Any

import pytest
from conftest import Shell
from helpers.command import assert_same, seldom_with, stamps

from roundsim.api import open_run
from roundsim.base.errors import DisagreesError, FolderError
from roundsim.replaying.verify import verify_run
from roundsim.running import Means, play_tournament
from roundsim.tournament.formats import round_robin
from roundsim.tournament.merge import whole
from roundsim.tournament.planning import file
from roundsim.tournament.planning.key_lines import KeyLines
from roundsim.tournament.planning.parts import Part, which
from roundsim.tournament.planning.plan import Entry, ShardProgress, Task, Tournament
from roundsim.tournament.results import entry_totals
from roundsim.tournament.storage import layout
from roundsim.tournament.storage.folder import RunFolder
from roundsim.tournament.storage.layout import shard_path
from roundsim.tournament.storage.writer import RunWriter
from roundsim.workers.worker import play_here

TWO = 2  # deals of a block of two seats, and of a shard


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards of one block of two deals."""
    monkeypatch.setattr(round_robin, "SHARD_DEALS", TWO)


@pytest.fixture
def by_fours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Four shards in a folder, in place of a thousand."""
    monkeypatch.setattr(layout, "MANY", 4)


def tournament(blocks: int) -> Tournament:
    game = {"game": "nap", "players": 2, "deals": TWO * blocks, "sitting": 1}
    top = {"name": "tiny", "seed": 7, "strategies": ["random", "book"]}
    return file.read_tournament({"tournament": top, "games": [game]}, KeyLines("tiny", ""), Path(), "tiny")


class Here:
    """Workers in this process that play at most a number of shards, or those of given numbers, and are interrupted."""

    def __init__(self, most: int | None = None, only: Sequence[int] = ()) -> None:
        self.most, self.only, self.played = len(only) or most, only, 0

    def __call__(
        self, tournament: Tournament, folder: str, tasks: Iterator[Task], jobs: int
    ) -> Iterator[Task | Sequence[ShardProgress]]:
        if self.only:
            every = list(tasks)
            tasks = iter([every[number] for number in self.only])
        for task in islice(play_here(tournament, folder, tasks, 1), self.most):
            self.played += 1
            yield task
        if self.played == self.most:
            raise KeyboardInterrupt


def play(path: Path, blocks: int, most: int | None = None, part: Part | None = None) -> Path:
    play_tournament(tournament(blocks).only(part), path, means=Means(1, Here(most)))
    return path


def places(run: Path) -> list[str]:
    return sorted(str(path.relative_to(run / "log" / "nap")) for path in (run / "log").rglob("*") if path.is_file())


def test_a_thousand_in_the_folder_of_the_entry_and_each_next_in_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """From the thousand and first on a shard has ten pieces. The place depends on the number of the shard, not of its
    block."""
    for blocks, places in (
        (1, ["0000001", "0001000", "0001001/0001001", "0001001/0001011", "0001001/0010991", "0011001/0011001"]),
        (3, ["0000001", "0002998", "0003001/0003001", "0003001/0003031", "0003001/0032971", "0033001/0033001"]),
    ):
        monkeypatch.setattr(round_robin, "SHARD_DEALS", blocks * TWO)
        (entry,) = tournament(blocks * 12_000).entries
        assert entry.shard_count == 2100 and entry.block_count == blocks * 12_000
        assert [shard_path(entry, int(place[-7:])) for place in places] == [f"{place}.zst" for place in places]


def test_a_new_strategy_moves_no_shard(by_fours: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stretch of seven blocks, three in a shard, and another one: 1, 4, 7; 8, 11, 14."""
    monkeypatch.setattr(round_robin, "SHARD_DEALS", 3 * TWO)
    (before,) = tournament(7).entries
    after = Entry(
        *(before.name, before.game, before.format, before.options, (*before.strategies, before.strategies[0]), 16),
        joined=(0, 0, 7),
    )
    assert [shard_path(after, first) for first in (1, 4, 7, 8, 11, 14)] == [
        *("0000001.zst", "0000004.zst", "0000007.zst", "0000008.zst"),
        *("0000011/0000011.zst", "0000011/0000014.zst"),
    ]
    assert [shard_path(before, first) for first in (1, 4, 7)] == [shard_path(after, first) for first in (1, 4, 7)]


@pytest.mark.soak
@pytest.mark.parametrize("many, blocks", [(100, 1), *seldom_with((1000, 10))])
def test_many_shards_interrupted_and_taken_up(
    many: int, blocks: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first thousand shards have a block each, every later one ten."""
    assert layout.MANY == 1000
    monkeypatch.setattr(layout, "MANY", many)
    broken, after, every = tmp_path / "broken", f"{many + 1:07d}", many + 4 * blocks
    with pytest.raises(KeyboardInterrupt):
        play(broken, every, most=many + 2)
    assert places(broken)[-3:] == [f"{many:07d}.zst", f"{after}/{after}.zst", f"{after}/{many + 1 + blocks:07d}.zst"]
    before = stamps(broken / "log")
    play(broken, every)
    assert places(broken)[many:] == [f"{after}/{first:07d}.zst" for first in range(many + 1, every + 1, blocks)]
    assert before.items() <= stamps(broken / "log").items()  # nothing was played again
    assert verify_run(RunFolder(broken), 1)[:2] == (TWO * every, 0)
    assert_same(broken, play(tmp_path / "whole", every))


def test_runs_and_parts_keep_their_files_where_they_are(by_fours: None, tmp_path: Path) -> None:
    run = play(tmp_path / "run", 3)
    assert places(run) == ["0000001.zst", "0000002.zst", "0000003.zst"]
    play(run, 6)
    before = stamps(run / "log")
    play(run, 10)
    assert before.items() <= stamps(run / "log").items()
    assert places(run) == [
        *("0000001.zst", "0000002.zst", "0000003.zst", "0000004.zst"),
        *(f"0000005/{first:07d}.zst" for first in (5, 6, 7, 8)),
        *("0000009/0000009.zst", "0000009/0000010.zst"),
    ]
    assert verify_run(RunFolder(run))[:2] == (20, 0)
    assert_same(run, play(tmp_path / "at once", 10))
    parts = [play(tmp_path / str(number), 11, part=Part(number, 3)) for number in (1, 2, 3)]
    assert places(parts[1]) == ["0000002.zst", "0000005/0000005.zst", "0000005/0000008.zst", "0000009/0000011.zst"]
    merged, workers = whole(parts)
    play_tournament(merged, tmp_path / "merged", means=Means(1, workers))
    assert_same(tmp_path / "merged", play(tmp_path / "whole", 11))


@pytest.mark.soak
def test_shards_that_are_played_far_out_of_order_belong_to_the_run(tmp_path: Path, shell: Shell) -> None:
    """As on a cluster: gaps of more than a thousand, and the first of all is not there."""
    run, last = tmp_path / "run", 1000 + 2000 * 10
    with pytest.raises(KeyboardInterrupt):
        play_tournament(tournament(last), run, means=Means(1, Here(only=[2999, 1700, 200])))
    assert places(run) == ["0000201.zst", "0001001/0008001.zst", "0011001/0020991.zst"]
    assert verify_run(RunFolder(run), 1)[:2] == (21 * TWO, 2997)
    assert open_run(run).standings["games"][0]["deals"] == 21 * TWO
    assert "2 997 shards are not played yet" in shell("standings", run).err
    assert "2 997 shards are not played yet" in shell("verify", run).out
    assert f"{last}/1/1 " in shell("log", run).out
    assert shell("replay", f"{run}:nap/{last}/1/1").code == 0


@pytest.mark.soak
def test_a_run_that_stops_takes_away_what_was_played_far_ahead(tmp_path: Path) -> None:
    run = RunWriter(tmp_path / "run")
    with pytest.raises(KeyboardInterrupt):
        play_tournament(tournament(2500), run.path, means=Means(1, Here(only=[0, 1, 1100])))
    run.stop(run.tournament(), {0: 2})
    assert places(run.path) == ["0000001.zst", "0000002.zst"]


def test_each_shard_has_its_part_and_a_forged_number_costs_no_time(tmp_path: Path) -> None:
    for game, of, shard in product((0, 1, 5), (1, 3, 8), range(20)):
        having = [part for part in range(1, of + 1) if shard in range(20)[Part(part, of).own(game)]]
        assert having == [which(game, shard, of)]
    # Within a forged plan or beyond it: nothing is counted up to there.
    far = 10**12
    (entry,) = tournament(3).entries
    folder = RunFolder(tmp_path)
    folder.log(entry).mkdir(parents=True)
    begins = far - 9  # the last shard, of ten blocks
    within = shard_path(replace(entry, blocks=far), begins)
    for name in within, f"{far + 1}.zst", f"{'9' * 250}.zst":
        path = folder.log(entry) / name
        path.parent.mkdir(exist_ok=True)
        path.touch()
    assert folder.firsts(entry) == []
    assert folder.firsts(replace(entry, blocks=far)) == [begins]
    assert len(folder.foreign_files(replace(tournament(3), entries=(replace(entry, blocks=far),)))) == 2


FOREIGN = {
    "0000005.zst": "0000005.zst",  # it is in its folder, too
    "0000005/0000001.zst": "0000005/0000001.zst",
    "0000005/notes": "notes",
    "0000003/0000003.zst": "0000003",
    "0000009": "0000009",
    "5/0000005.zst": "log/nap/5",
}


def test_files_elsewhere_are_not_of_the_run(by_fours: None, tmp_path: Path) -> None:
    run = play(tmp_path / "run", 7)
    log = run / "log" / "nap"
    for made, name in FOREIGN.items():
        shutil.copytree(log, tmp_path / "right")
        (log / made).parent.mkdir(exist_ok=True)
        shutil.copy(log / "0000001.zst", log / made)
        with pytest.raises(DisagreesError, match=f"{name}: nothing of this run"):
            verify_run(RunFolder(run))
        shutil.rmtree(log)
        shutil.move(tmp_path / "right", log)


def test_unfinished_files_and_empty_folders_are_cleared_away(by_fours: None, tmp_path: Path) -> None:
    """An empty folder for later shards is not foreign."""
    run = tmp_path / "run"
    with pytest.raises(KeyboardInterrupt):
        play(run, 6, most=4)
    later = run / "log" / "nap" / "0000005"
    later.mkdir(exist_ok=True)
    assert verify_run(RunFolder(run))[:2] == (8, 2)
    for name in ".0000006.zst.77", ".0000006.part", ".0000006.lines":
        (later / name).write_bytes(b"half a")
    play(run, 6)
    assert sorted(path.name for path in later.iterdir()) == ["0000005.zst", "0000006.zst"]
    stopping = RunWriter(play(tmp_path / "other", 10))
    stopping.stop(stopping.tournament(), {0: 7})
    assert places(stopping.path)[-1] == "0000005/0000007.zst"
    assert not (stopping.path / "log" / "nap" / "0000009").exists()


def test_blocks_in_a_file_and_in_small_batches_are_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = play(tmp_path / "run", 30)
    held = open_run(run)
    with monkeypatch.context() as patch:
        patch.setattr(entry_totals, "MAX_BYTES_IN_MEMORY", 100)
        filed = open_run(run)
        (one,), (other,) = filed.folds[0].blocks, held.folds[0].blocks
        assert vars(one) == vars(other) and [*one.blocks] == [*range(1, 31)]
        assert filed.folds[0].blocks.same(held.folds[0].blocks) and filed.standings == held.standings
        play(run, 31)
        assert not filed.folds[0].blocks.same(open_run(run).folds[0].blocks)
    whole = open_run(run).standings
    monkeypatch.setattr(entry_totals, "AT_ONCE", 7)
    assert len([*open_run(run).folds[0].blocks]) > 1 and open_run(run).standings == whole


def test_no_room_for_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = play(tmp_path / "run", 3)

    class Full:
        def __init__(self, *given: Any) -> None: ...

        def close(self) -> None: ...

        def seek(self, *given: Any) -> None:
            raise OSError(ENOSPC, "No space left on device")

    monkeypatch.setattr(entry_totals, "MAX_BYTES_IN_MEMORY", 0)
    monkeypatch.setattr(entry_totals, "TemporaryFile", Full)
    with pytest.raises(FolderError, match="cannot write in .*: No space left on device"):
        open_run(run)
