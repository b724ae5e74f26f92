"""The file of a shard: nothing in it changes unseen, nothing in it is believed, and shards of several pieces are like
any others."""

from __future__ import annotations

import json
import pickle
import resource
import shutil
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from hashlib import blake2b
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pytest
import zstandard
from conftest import Shell
from helpers.command import assert_same, contents, in_a_process, seldom, seldom_with, stamps
from helpers.shard_text import compact, index_of, parts_of, text_of, write_parts
from hypothesis import given
from hypothesis import strategies as st

from roundsim.api import open_run
from roundsim.base.errors import BugError, DisagreesError, LogError
from roundsim.processes.pool import each
from roundsim.replaying.logged import logged_blocks
from roundsim.replaying.verify import verify_run
from roundsim.running import Means, play_tournament
from roundsim.tournament.formats import round_robin
from roundsim.tournament.merge import whole
from roundsim.tournament.planning import file, parts
from roundsim.tournament.planning.key_lines import KeyLines
from roundsim.tournament.planning.parts import Part, Stretch
from roundsim.tournament.planning.plan import Schedule, Task, Tournament
from roundsim.tournament.results import entry_totals
from roundsim.tournament.results.entry_totals import PackedBlocks
from roundsim.tournament.results.packed_rows import PackedRows
from roundsim.tournament.results.totals import BlockRecord
from roundsim.tournament.storage import totals
from roundsim.tournament.storage.folder import RunFolder
from roundsim.workers import shard as playing
from roundsim.workers.worker import play_here

DEALS = 4  # of a block, and of a piece


def few_pieces(patch: pytest.MonkeyPatch) -> None:
    """Make pieces of one block; three shards of one piece, and then shards of four."""
    patch.setattr(round_robin, "SHARD_DEALS", DEALS)
    patch.setattr(parts, "SMALL_SHARDS", 3)
    patch.setattr(parts, "PIECES", 4)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    few_pieces(monkeypatch)


def tournament(blocks: int, strategies: Sequence[str] = ("random", "book")) -> Tournament:
    game = {"game": "nap", "players": 2, "deals": DEALS * blocks, "sitting": 2}
    top = {"name": "small", "seed": 7, "strategies": [*strategies]}
    return file.read_tournament({"tournament": top, "games": [game]}, KeyLines("small", ""), Path(), "small")


def play(path: Path, blocks: int, part: Part | None = None, strategies: Sequence[str] = ("random", "book")) -> Path:
    play_tournament(tournament(blocks, strategies).only(part), path, means=Means(1, play_here))
    return path


@pytest.fixture(scope="module")
def seven(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of seven blocks: three shards of one piece, and one of four."""
    with pytest.MonkeyPatch.context() as patch:
        few_pieces(patch)
        return play(tmp_path_factory.mktemp("seven") / "run", 7)


@pytest.fixture
def run(seven: Path, tmp_path: Path, small: None) -> Path:
    """The same in a folder of the test's own."""
    return Path(shutil.copytree(seven, tmp_path / "run"))


def shard_at(run: Path, first: int) -> Path:
    return run / "log" / "nap" / f"{first:07d}.zst"


def read(run: Path, first: int) -> Any:
    folder = RunFolder(run)
    schedule = Schedule(folder.tournament(), 0)
    return folder.read_shard(schedule, first)


@given(st.integers(1, 10**9), st.integers(1, 10**12), st.integers(1, 1000))
def test_a_shard_is_where_its_number_says(start: int, blocks: int, piece: int) -> None:
    """Consecutive shards have no gap between them; all but the last have one piece or ten; and a stretch that grows moves
    none."""
    stretch = Stretch(start, start + blocks, piece)
    for number in {0, 998, 999, 1000, 1001, len(stretch) // 2, len(stretch) - 1}:
        if 0 <= number < len(stretch):
            shard = stretch.shard(number)
            assert stretch.number(shard[0]) == stretch.number(shard[-1]) == number
            assert number == 0 or stretch.shard(number - 1).stop == shard.start
            full = piece if number < 1000 else 10 * piece
            assert len(shard) == full or number == len(stretch) - 1 and len(shard) < full
            assert Stretch(start, start + 2 * blocks, piece).shard(number).start == shard.start
    assert stretch.shard(len(stretch) - 1).stop == stretch.stop


def test_a_run_that_may_stop_begins_with_small_shards() -> None:
    climbing = Stretch(11, 11 + 50, 10, climbs=True)
    assert [len(climbing.shard(number)) for number in range(len(climbing))] == [1, 1, 2, 2, 4, 4, 8, 8, 10, 10]
    assert [climbing.number(11 + at) for at in (0, 1, 2, 5, 6, 29, 30, 39, 40, 49)] == [0, 1, 2, 3, 4, 7, 8, 8, 9, 9]
    assert len(Stretch(11, 11, 10, climbs=True)) == 0 and len(Stretch(1, 4, 1, climbs=True)) == 3


@given(st.integers(0, 30_000), st.integers(1, 9), st.integers(1, 7), st.integers(0, 6))
def test_the_blocks_of_a_part_are_counted(blocks: int, piece: int, step: int, first: int) -> None:
    own = slice(first, None, step)
    for stretch in Stretch(1, 1 + blocks, piece), Stretch(1, 1 + blocks, piece, climbs=True):
        assert stretch.block_count(own) == sum(len(stretch.shard(number)) for number in range(len(stretch))[own])


NUMBERS = st.integers(-(2**63), 2**63 - 1)
SEATS = [st.integers(0, 5)] * 3


@given(st.lists(st.tuples(*SEATS, st.integers(1, 99), *[NUMBERS] * 4, st.integers(0, 10**36)), min_size=1))
def test_rows_come_out_as_they_went_in(rows: list[tuple[int, ...]]) -> None:
    """Squares have more digits than a column has room for."""
    records = [
        BlockRecord(at, [a, b, c], deals, 9, [[v, w, x], [x, w, v]], [y], [], squares, [y, x])
        for at, (a, b, c, deals, v, w, x, y, squares) in enumerate(rows, 41)
    ]
    packed = PackedRows.of(records)
    assert [*packed] == records
    kept = [(row.block, row.deals, *row.seats, *chain(*row.values), *row.ahead, *row.extra) for row in records]
    assert [*zip(*packed.columns(), strict=True)] == kept
    packed.check(6)
    if any(max(row.seats) == 5 for row in records):
        with pytest.raises(ValueError, match="other entrants"):
            packed.check(5)


def test_rows_in_a_file_go_to_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry_totals, "MAX_BYTES_IN_MEMORY", 0)
    blocks = PackedBlocks()
    blocks.add(7, PackedRows.of([BlockRecord(7, [0, 1], 3, 9, [[2, -2]], [1], [2, -2], 8)]))
    assert blocks.file and pickle.loads(pickle.dumps(blocks)).same(blocks)


@pytest.mark.parametrize(("first", "step"), [(1, 29), (4, 29), *seldom_with((1, 1), (4, 1))])
def test_no_flipped_bit_passes(run: Path, first: int, step: int) -> None:
    """In the index or in the lines, of a shard of one piece and of one of four."""
    shard = shard_at(run, first)
    data = shard.read_bytes()
    for at in range(0, len(data), step):
        shard.write_bytes(data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :])
        with pytest.raises(LogError, match=f"{shard.name}: damaged: "):
            read(run, first)


CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda data: b"",
    "its first bytes": lambda data: data[:6],
    "its index alone": lambda data: data[: 8 + int.from_bytes(data[4:8], "little")],
    "half": lambda data: data[: len(data) // 2],
    "without its last byte": lambda data: data[:-1],
    "a byte more": lambda data: data + b"\0",
    "an empty frame more": lambda data: data + zstandard.compress(b""),
    "an index beyond its end": lambda data: data[:4] + b"\xff\xff\xff\x03" + data[8:],
    "an endless index": lambda data: data[:4] + b"\xff\xff\xff\xff" + data[8:],
    "no index": lambda data: data[8 + int.from_bytes(data[4:8], "little") :],
    "two indexes": lambda data: data[: 8 + int.from_bytes(data[4:8], "little")] + data,
}


def test_a_shard_of_other_bytes_is_refused(run: Path, shell: Shell) -> None:
    shard = shard_at(run, 4)
    data = shard.read_bytes()
    for name, change in CHANGES.items():
        shard.write_bytes(change(data))
        with pytest.raises(LogError, match=f"{shard.name}: damaged: "):
            read(run, 4)
            pytest.fail(f"{name} is accepted")
    for code, command in (65, "standings"), (65, "log"), (1, "verify"):
        done = shell(command, run)
        assert done.code == code and f"{shard.name}: damaged: " in done.err
    shard.write_bytes(data)
    one, other, *_ = read(run, 4).pieces  # they are equally long, in the file and unpacked
    frames = [data[piece.at : piece.at + piece.packed] for piece in (one, other)]
    shard.write_bytes(data[: one.at] + frames[1] + frames[0] + data[other.at + other.packed :])
    with pytest.raises(LogError, match="the lines of blocks 4 to 4 have changed since they were written"):
        read(run, 4)


def forge(shard: Path, change: Callable[[dict[str, Any], list[list[Any]]], object]) -> None:
    """Change the head and the rows of a shard; the hashes are right again."""
    text, rows, lines = parts_of(shard)
    head = json.loads(text)
    change(head, rows)
    write_parts(shard, compact(head), rows, lines)


SUMS: dict[str, Callable[[dict[str, Any], list[list[Any]]], object]] = {
    "deals": lambda head, rows: head["counts"].__setitem__(0, 5),
    "squares": lambda head, rows: head["counts"].__setitem__(2, 5),
    "a sum": lambda head, rows: head["sums"][0].__setitem__(3, head["sums"][0][3] + 1),
    "a sum of another": lambda head, rows: head["sums"].pop(),
    "few": lambda head, rows: head["sums"][0].__setitem__(-1, None if head["sums"][0][-1] else []),
    "best": lambda head, rows: head["best"][0].__setitem__(1, 99),
    "at fault": lambda head, rows: [head["at_fault"][0].__setitem__(2, 1), head["faults"].append([0, "late", 1])],
    "faults": lambda head, rows: head["faults"].append([0, "late", 1]),
    "a row": lambda head, rows: rows[0][4][0].reverse(),
    "seats": lambda head, rows: rows[0][1].reverse(),
}


def test_forged_heads_and_figures_are_found(run: Path) -> None:
    shard = shard_at(run, 1)
    data = shard.read_bytes()
    for name, change in SUMS.items():
        forge(shard, change)
        assert open_run(run).standings["games"], name
        with pytest.raises(DisagreesError, match=r"0000001\.zst: "):
            verify_run(RunFolder(run), 1)
            pytest.fail(f"{name} is accepted")
        shard.write_bytes(data)
    for name, change_head in HEADS.items():
        forge_head(shard, change_head)
        with pytest.raises(LogError, match=r"0000001\.zst: "):
            read(run, 1)
            pytest.fail(f"{name} is accepted")
        shard.write_bytes(data)


HUGE = 10**9
HEADS: dict[str, Callable[[dict[str, Any]], object]] = {
    "many blocks": lambda head: head.update(blocks=[1, 2]),
    "no blocks": lambda head: head.update(blocks=[1, 0]),
    "many places": lambda head: head.update(places=65_535),
    "places without end": lambda head: head.update(places=HUGE),
    "no places": lambda head: head.update(places=0),
    "a long frame": lambda head: head["pieces"][0].__setitem__(0, HUGE),
    "a short frame": lambda head: head["pieces"][0].__setitem__(0, 7),
    "a frame before the file": lambda head: head["pieces"][0].__setitem__(0, -7),
    "no pieces": lambda head: head["pieces"].clear(),
    "more pieces": lambda head: head["pieces"].append(head["pieces"][0]),
    "a sum without end": lambda head: head["sums"][0].__setitem__(3, 10**400),
    "a sum that is none": lambda head: head["sums"][0].__setitem__(3, 1.0),
    "sums of no blocks": lambda head: head["sums"][0].__setitem__(2, 0),
    "a weight of nothing": lambda head: head["sums"][0].__setitem__(6, 0),
    "a weight of more deals": lambda head: head["sums"][0].__setitem__(6, HUGE),
    "values of other blocks": lambda head: head["sums"][0].__setitem__(8, [[0, -1]]),
    "at fault without a fault": lambda head: head["at_fault"][0].__setitem__(2, 1),
    "at fault less than never": lambda head: head["at_fault"][0].__setitem__(2, -1),
    "another measure": lambda head: head["sums"][0].__setitem__(0, "luck"),
    "another entrant": lambda head: head["at_fault"][0].__setitem__(0, 7),
    "a key more": lambda head: head.update(more=1),
    "a key fewer": lambda head: head.pop("fault_reports"),
}


def forge_head(shard: Path, change: Callable[[dict[str, Any]], object]) -> None:
    data = shard.read_bytes()
    end = 8 + int.from_bytes(data[4:8], "little")
    text, rows, _ = parts_of(shard)
    head = json.loads(text)
    change(head)
    shard.write_bytes(
        index_of(compact(head).encode(), PackedRows.of([BlockRecord(*row) for row in rows]).data) + data[end:]
    )


@pytest.mark.parametrize("at", [1, 2], ids=["size", "lines"])
def test_a_piece_of_other_size_is_refused_by_all_that_read_its_lines(run: Path, at: int, shell: Shell) -> None:
    forge_head(shard_at(run, 1), lambda head: head["pieces"][0].__setitem__(at, HUGE))
    for code, command in (65, "log"), (1, "verify"):
        done = shell(command, run)
        assert done.code == code and "0000001.zst: damaged: " in done.err


@cache
def bomb(size: int) -> bytes:
    """Return a frame of as many zeros."""
    packer = zstandard.ZstdCompressor(level=1).compressobj(size)
    return b"".join(packer.compress(bytes(1 << 20)) for _ in range(size >> 20)) + packer.flush()


@pytest.mark.parametrize("where", ["head", "rows", "lines"])
def test_a_bomb_takes_no_memory(run: Path, where: str) -> None:
    """A part that would unpack to 400 MB is refused before it is unpacked."""
    shard, frame = shard_at(run, 1), bomb(400 << 20)
    head, rows, lines = parts_of(shard)
    packed = PackedRows.of([BlockRecord(*row) for row in rows]).data
    if where == "head":
        rest = len(frame).to_bytes(4, "little") + frame + packed
        size = (32 + len(rest)).to_bytes(4, "little")
        shard.write_bytes(index_of(b"", b"")[:4] + size + blake2b(rest, digest_size=32).digest() + rest)
    elif where == "rows":
        shard.write_bytes(index_of(head.encode(), frame) + zstandard.compress(lines))
    else:
        data = json.loads(head)
        data["pieces"][0][:2] = len(frame), 400 << 20
        data["pieces"][0][3] = blake2b(frame, digest_size=16).hexdigest()
        shard.write_bytes(index_of(compact(data).encode(), packed) + frame)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(LogError, match="damaged"):
        [*logged_blocks(RunFolder(run), RunFolder(run).tournament(), 0)]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000


def test_the_lines_of_all_pieces_are_those_of_shards_of_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lines_and_standings(run: Path) -> tuple[list[str], Any]:
        blocks = logged_blocks(RunFolder(run), tournament(12), 0)
        return [line for block in blocks for line in block.lines], open_run(run).standings

    monkeypatch.setattr(round_robin, "SHARD_DEALS", DEALS)
    one = lines_and_standings(play(tmp_path / "one", 12))
    few_pieces(monkeypatch)
    many = play(tmp_path / "many", 12)
    assert lines_and_standings(many) == one
    assert [len(each.pieces) for each in RunFolder(many).shards(Schedule(tournament(12), 0))] == [1, 1, 1, 4, 4, 1]


def breaking_after(most: int) -> Callable[..., Iterator[Task]]:
    """Return workers that are interrupted after a number of shards."""

    def play(tournament: Tournament, folder: str, tasks: Iterator[Task], jobs: int) -> Iterator[Any]:
        yield from islice(play_here(tournament, folder, tasks, jobs), most)
        raise KeyboardInterrupt

    return play


@pytest.mark.parametrize("most", [3, *seldom(1, 4)])
def test_a_run_is_broken_off_grows_and_is_merged_to_the_same_bytes(small: None, tmp_path: Path, most: int) -> None:
    """Twelve blocks are three shards of one piece, two of four, and one of one."""
    at_once = play(tmp_path / "at once", 12)
    with pytest.raises(KeyboardInterrupt):
        play_tournament(tournament(9), tmp_path / "run", means=Means(1, breaking_after(most)))
    before = stamps(tmp_path / "run" / "log")
    play(tmp_path / "run", 9)
    play(tmp_path / "run", 12)
    assert before.items() <= stamps(tmp_path / "run" / "log").items()
    assert_same(tmp_path / "run", at_once)
    parts = [play(tmp_path / str(number), 12, Part(number, 3)) for number in (1, 2, 3)]
    merged, workers = whole(parts)
    play_tournament(merged, tmp_path / "merged", means=Means(1, workers))
    assert_same(tmp_path / "merged", at_once)
    shutil.rmtree(parts[1])
    with pytest.raises(LogError, match=r"missing: part 2 of 3; .*--shard 2/3"):
        whole([parts[0], parts[2]])
    again = play(parts[1], 12, Part(2, 3))
    merged, workers = whole([parts[0], again, parts[2]])
    play_tournament(merged, tmp_path / "again", means=Means(1, workers))
    assert_same(tmp_path / "again", at_once)


def test_finished_pieces_are_kept(small: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that was interrupted in the third piece of a shard goes on there; it plays a damaged piece again."""
    whole_run, played = play(tmp_path / "whole", 7), list[int]()
    play_piece = playing.ShardPlayer.play_piece

    def breaking(player: Any, piece: Task, path: Path, before: Any) -> Any:
        played.append(piece.first)
        if len(played) == 6:
            raise KeyboardInterrupt
        return play_piece(player, piece, path, before)

    monkeypatch.setattr(playing.ShardPlayer, "play_piece", breaking)
    with pytest.raises(KeyboardInterrupt):
        play(tmp_path / "run", 7)
    log = tmp_path / "run" / "log" / "nap"
    assert sorted(path.name for path in log.glob(".*")) == [".0000004.piece", ".0000005.piece"]
    damaged = log / ".0000004.piece"
    damaged.write_bytes(damaged.read_bytes()[:-1])
    (log / "..0000004.piece.4194305").touch()  # of a worker that was killed while it wrote
    play(tmp_path / "run", 7)
    assert played == [1, 2, 3, 4, 5, 6, 4, 6, 7]
    assert_same(tmp_path / "run", whole_run)


IMAGINING = """
class Slow:
    imagines = True  # so that shards are small
    def act(self, view):
        return view.legal[0]
"""


@pytest.mark.usefixtures("met")
@pytest.mark.parametrize("cores", [1, *seldom(2)])
def test_batches_give_the_same_totals(tmp_path: Path, cores: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if other processes read them; and a damaged shard is named."""
    (tmp_path / "slow.py").write_text(IMAGINING)
    game = {"game": "nap", "players": 2, "deals": 160, "sitting": 20}
    top = {"name": "slow", "strategies": [str(tmp_path / "slow.py"), "random"]}
    data = {"tournament": top, "limits": {"isolate": "off"}, "games": [game]}
    slow, run = file.read_tournament(data, KeyLines("slow", ""), Path(), "slow"), RunFolder(tmp_path / "run")
    play_tournament(slow, run.path, means=Means(1, play_here))
    (whole_fold,), _ = totals.finished_totals(slow, run)
    monkeypatch.setattr(totals, "BATCH", 1)
    monkeypatch.setattr(totals, "cores", lambda: cores)
    (fold,), missing = totals.finished_totals(slow, run)
    assert missing == 0 and fold.tally == whole_fold.tally and fold.tally.deals == 160
    assert [*map(vars, fold.blocks)] == [*map(vars, whole_fold.blocks)]
    shard_at(run.path, 3).write_bytes(b"")
    with pytest.raises(LogError, match=r"0000003\.zst: damaged"):
        totals.finished_totals(slow, run)


def unsendable(item: int) -> Callable[[], int]:
    return lambda: item


@pytest.mark.soak
def test_a_result_that_cannot_be_sent_is_a_bug() -> None:
    """It is not made again here, which would hide that nothing is gained by the processes."""
    with pytest.raises(BugError, match="pickle"):
        list(each(unsendable, [1, 2], 2))


def test_an_older_run_is_refused_in_words(tmp_path: Path, shell: Shell) -> None:
    run = tmp_path / "old"
    run.mkdir()
    (run / "run.toml").write_text("schema = 5\n")
    done = shell("standings", run)
    assert done.code == 65
    assert "schema 5, expected 6): read it with that version, or play it again into another folder" in done.err


FAULTY = """
class Faulty:
    def act(self, view):
        return view.legal[0] if view.chance.random() > 0.2 else 1 / 0
"""


@pytest.mark.usefixtures("met")
def test_faults_count_by_piece(small: None, tmp_path: Path) -> None:
    """The totals of a shard of four pieces with faults are those of the pieces, and verify finds no fault with them."""
    (tmp_path / "faulty.py").write_text(FAULTY)
    run = play(tmp_path / "run", 9, strategies=(str(tmp_path / "faulty.py"), "random"))
    assert verify_run(RunFolder(run), 1)[:2] == (36, 0)
    assert read(run, 4).tally.faults
    assert text_of(shard_at(run, 1))


@pytest.mark.soak
def test_a_run_of_more_than_a_thousand_shards_is_merged_from_parts(tmp_path: Path) -> None:
    """1011 pieces of forty deals, two blocks of twenty in each: a thousand shards, one of ten pieces, and one of one."""
    (tmp_path / "slow.py").write_text(IMAGINING)
    words = "play", "snip-snap-snorum", "slow.py", "random", "--seats", "2", "--isolate", "off", "--deals", "40440"
    in_a_process(*words, "--out", "run", cwd=tmp_path)
    for part in "1/2", "2/2":
        in_a_process(*words, "--shard", part, "--out", f"part.{part[0]}of2", cwd=tmp_path)
    in_a_process("merge", "part.1of2", "part.2of2", "--out", "merged", cwd=tmp_path)
    assert_same(tmp_path / "run", tmp_path / "merged")
    found = [name for name in contents(tmp_path / "run") if name.endswith(".zst")]
    assert len(found) == 1002 and len([name for name in found if name.count("/") == 3]) == 2
    in_a_process("verify", "run", cwd=tmp_path)
