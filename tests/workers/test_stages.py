"""A shard played stage by stage: neither the memory of modules nor an interruption changes its bytes."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from conftest import Shell, Write
from helpers.command import ROOT, assert_same, begin, contents, roundsim, seldom, wait_for
from helpers.planned import planned
from helpers.stages import break_off

from roundsim.base.errors import FolderError
from roundsim.guests.pool import Guests
from roundsim.refereeing.board import BLOCKS, DEALS, NANOSECONDS, SLOWEST
from roundsim.refereeing.referee import Clock
from roundsim.sandbox.kinds import NO_SANDBOX
from roundsim.tournament.planning.plan import Schedule, Task, Tournament
from roundsim.tournament.storage import unfinished
from roundsim.tournament.storage.folder import RunFolder
from roundsim.tournament.storage.unfinished import hash_of
from roundsim.workers import strategies
from roundsim.workers.shard import Playing

REMEMBERING = """
    MET = set()

    class Remembering:
        '''Fails at a hand that its module has met.'''
        games = ["nap"]

        def call(self, view):
            deal = tuple(sorted(view.hand))
            assert deal not in MET, "met before"
            MET.add(deal)
            return view.legal[0]

        def act(self, view):
            return view.legal[-1]
    """
FAULTY = """
    class Faulty:
        '''Fails at every ninth decision of a sitting, and in some when it begins.'''

        def __init__(self):
            self.asked = 0

        def begin(self, view):
            if view.chance.below(5) == 0:
                raise ValueError("no")

        def act(self, view):
            self.asked += 1
            return "nothing" if self.asked % 9 == 0 else view.legal[-1]
    """
SLOW = """
    import os, time

    def act(view):
        time.sleep(float(os.environ["SLOW"]))
        return view.legal[-1]
    """
FORMATS: dict[str, dict[str, Any]] = {
    "round-robin": {"game": "nap", "deals": 48, "players": 3, "sitting": 4},
    "freeze-out": {"game": "draw-poker", "times": 3, "stack": 20, "options": {"stakes": "table"}},
    "progressive": {"game": "nap", "times": 3, "rounds": 12},
}

pytestmark = pytest.mark.usefixtures("met", "in_process")


@pytest.fixture
def clock() -> Iterator[Clock]:
    with Clock(60) as ticking:
        yield ticking


def tournament_of(folder: Path, format: str, *strategies: str, **entry: Any) -> Tournament:
    return planned(folder, *strategies, format=format, **{**FORMATS[format], **entry})


def task_of(tournament: Tournament) -> Task:
    return Schedule(tournament, 0).task(1)


def folder_of(path: Path) -> RunFolder:
    for entry in FORMATS.values():
        (path / "log" / entry["game"]).mkdir(parents=True, exist_ok=True)
    return RunFolder(path)


def played_whole(tournament: Tournament, clock: Clock, folder: RunFolder) -> dict[str, bytes]:
    """The files of a shard that is played without a break."""
    whole = Playing(tournament, task_of(tournament), clock)
    whole.play()
    whole.write(folder.shard(tournament.entries[0], 1))
    return contents(folder.path)


@pytest.fixture(params=FORMATS)
def faulty(request: pytest.FixtureRequest, write: Write, tmp_path: Path) -> Tournament:
    write("faulty.py", FAULTY)
    return tournament_of(tmp_path, request.param, "faulty.py", "random", "faulty.py", "book")


def stages_kept(tournament: Tournament, clock: Clock, folder: RunFolder, stages: int) -> None:
    """Play this number of stages of a shard, each as if by another process, and keep them."""
    for number in range(1, stages + 1):
        shard = Playing(tournament, task_of(tournament), clock, folder.shard(tournament.entries[0], 1))
        break_off(shard)
        assert shard.stage == number


def resumed(tournament: Tournament, clock: Clock, folder: RunFolder) -> dict[str, bytes]:
    last = Playing(tournament, task_of(tournament), clock, folder.shard(tournament.entries[0], 1))
    last.play()
    last.write(folder.shard(tournament.entries[0], 1))
    return contents(folder.path)


def test_a_shard_may_be_broken_off_after_any_stage(faulty: Tournament, clock: Clock, tmp_path: Path) -> None:
    """Faults and strikes go on as if it had been played without a break."""
    whole = played_whole(faulty, clock, folder_of(tmp_path / "whole"))
    for number in 1, 2:
        folder = folder_of(tmp_path / str(number))
        stages_kept(faulty, clock, folder, number)
        assert {path.suffix for path in (folder.path / "log").glob("*/.*")} == {".part", ".lines"}
        assert resumed(faulty, clock, folder) == whole
        assert not [*(folder.path / "log").glob("*/.*")]
        assert clock.board[DEALS] > 0 and clock.board[BLOCKS] == len(task_of(faulty).blocks)


def forged(part: Path, **changed: Any) -> None:
    """Change the record, and write its hash again."""
    body = json.dumps({**json.loads(part.read_text().partition(" ")[2]), **changed})
    part.write_text(f"{hash_of([body.encode()])} {body}")


def fewer_places(part: Path) -> None:
    played = json.loads(part.read_text().partition(" ")[2])["played"]
    for _, (_, _, values, best, *_) in played:
        del values[0][0], best[0]
    forged(part, played=played)


def linked(part: Path, lines: Path) -> None:
    lines.rename(lines.with_name("there"))
    lines.symlink_to("there")


def piped(part: Path, lines: Path) -> None:
    lines.unlink()
    os.mkfifo(lines)


DAMAGE: dict[str, Callable[[Path, Path], object]] = {
    "part cut": lambda part, lines: part.write_bytes(part.read_bytes()[:-7]),
    "part of nothing": lambda part, lines: part.write_bytes(b""),
    "part changed": lambda part, lines: part.write_bytes(part.read_bytes().replace(b'"stage": 2', b'"stage": 1')),
    "part of another run": lambda part, lines: forged(part, stage=99),
    "part with faults of nobody": lambda part, lines: forged(part, faults=[[0, "odd"]]),
    "part with faults of an unknown entrant": lambda part, lines: forged(part, faults=[[99, "late", 1]]),
    "part with faults of no kind": lambda part, lines: forged(part, conduct=[[0, "odd", 1]]),
    "part of other blocks": lambda part, lines: forged(part, played=[[4711, []]]),
    "part without blocks": lambda part, lines: forged(part, played=[]),
    "part with too few places": lambda part, lines: fewer_places(part),
    "lines cut": lambda part, lines: lines.write_bytes(lines.read_bytes()[:-7]),
    "lines changed": lambda part, lines: lines.write_bytes(lines.read_bytes()[:40] + b"?" + lines.read_bytes()[41:]),
    "lines gone": lambda part, lines: lines.unlink(),
    "lines a link": linked,
    "lines a pipe": piped,
}
ODD = [-1, 2**64, True, 1.0, "1", None, [[0, -1]]]


def test_a_damaged_record_is_played_again(write: Write, clock: Clock, tmp_path: Path) -> None:
    write("faulty.py", FAULTY)
    tournament = tournament_of(tmp_path, "round-robin", "faulty.py", "random", "book")
    whole, kept = played_whole(tournament, clock, folder_of(tmp_path / "whole")), folder_of(tmp_path / "kept")
    stages_kept(tournament, clock, kept, 2)
    for what, damage in DAMAGE.items():
        folder = RunFolder(tmp_path / what)
        shutil.copytree(kept.path, folder.path)
        log = folder.path / "log" / "nap"
        damage(log / ".0000001.part", log / ".0000001.lines")
        again = Playing(tournament, task_of(tournament), clock, folder.shard(tournament.entries[0], 1))
        again.take_up()
        assert again.stage == 0, what
    assert {name: data for name, data in resumed(tournament, clock, folder).items() if name[-1] == "t"} == whole


def test_no_more_is_unpacked_than_was_kept(
    write: Write, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often the record names the same lines."""
    write("faulty.py", FAULTY)
    tournament = tournament_of(tmp_path, "round-robin", "faulty.py", "random", "book")
    folder = folder_of(tmp_path / "run")
    stages_kept(tournament, clock, folder, 2)
    part = folder.path / "log" / "nap" / ".0000001.part"
    (block, pieces), *others = json.loads(part.read_text().partition(" ")[2])["pieces"]
    forged(part, pieces=[[block, 1000 * pieces], *others])
    reading, read_piece = Mock(return_value=None), unfinished.Unfinished.read
    monkeypatch.setattr(unfinished.Unfinished, "read", lambda own, piece: reading() or read_piece(own, piece))
    again = Playing(tournament, task_of(tournament), clock, folder.shard(tournament.entries[0], 1))
    again.take_up()
    assert again.stage == 0 and 0 < reading.call_count < 500


def places_in(thing: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The keys that lead to each value of JSON data; of a list to its first."""
    items = thing.items() if isinstance(thing, dict) else [*enumerate(thing)][:1] if isinstance(thing, list) else []
    for key, value in items:
        yield (*at, key)
        yield from places_in(value, (*at, key))


@pytest.mark.parametrize(
    "keys",
    [
        ("end",),
        *seldom(("size", "pieces", "stage", "questions", "played"), ("conduct", "barred", "faults", "fault_reports")),
    ],
)
def test_no_value_of_a_record_ends_in_a_bug(
    keys: tuple[str, ...], write: Write, clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The result is a shard: the same one, unless the changed value counts deals or faults."""
    monkeypatch.setattr(unfinished, "LONG", 0)
    write("faulty.py", FAULTY)
    tournament = tournament_of(tmp_path, "round-robin", "faulty.py", "random", "book")
    whole, folder = played_whole(tournament, clock, folder_of(tmp_path / "whole")), folder_of(tmp_path / "run")
    stages_kept(tournament, clock, folder, 1)
    log = folder.path / "log" / "nap"
    part, lines = log / ".0000001.part", log / ".0000001.lines"
    before = part.read_bytes(), lines.read_bytes()
    kept = {**json.loads(before[0].partition(b" ")[2]), "end": 0}
    for at in filter(lambda at: at[0] in keys, places_in(kept)):
        for value in ODD:
            changed = at_the_end = json.loads(json.dumps(kept))
            for key in at[:-1]:
                at_the_end = at_the_end[key]
            at_the_end[at[-1]] = value
            part.write_bytes(before[0])
            lines.write_bytes(before[1])
            forged(part, **changed)
            came = resumed(tournament, clock, folder)
            assert came == whole or at[0] in ("played", "conduct", "barred", "faults", "fault_reports"), (at, value)


@pytest.mark.soak
@pytest.mark.parametrize("name", [".0000001.part", ".0000001.lines"])
def test_a_folder_in_the_place_of_a_record_is_reported(name: str, shell: Shell, write: Write, tmp_path: Path) -> None:
    play = "play", "nap", "book", "random", "--deals", 8, "--jobs", 1, "--out", "run"
    stray = tmp_path / "run" / "log" / "nap" / name
    assert shell(*play).code == 0
    stray.mkdir()
    assert str(stray.relative_to(tmp_path)) in shell("verify", "run").err
    next(stray.parent.glob("*.zst")).unlink()
    done = shell(*play)
    assert done.code == 73 and re.fullmatch(f"roundsim: cannot write .*{name}: Is a directory\n", done.err), done


def test_a_record_of_another_shard_is_not_used(write: Write, clock: Clock, tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "run")
    stages_kept(tournament_of(tmp_path, "round-robin", "book", "random", "random"), clock, folder, 2)
    other = tournament_of(tmp_path, "round-robin", "book", "book", "random")
    assert resumed(other, clock, folder) == played_whole(other, clock, folder_of(tmp_path / "other"))


def test_a_long_sitting_is_not_held_in_memory(clock: Clock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its lines are written page by page, and its nets computed now and then: that changes no byte."""
    tournament = tournament_of(tmp_path, "round-robin", "book", "random", "random", deals=1, sitting=70)
    whole = played_whole(tournament, clock, folder_of(tmp_path / "whole"))
    monkeypatch.setattr(strategies, "PAGE", 8)
    monkeypatch.setattr(unfinished, "MUCH", 500)
    monkeypatch.setattr("roundsim.tournament.formats.round_robin.MANY", 9)
    held: list[int] = []
    put_away = unfinished.Unfinished.put_away

    def noted(self: unfinished.Unfinished) -> None:
        held.append(self.held)
        put_away(self)

    monkeypatch.setattr(unfinished.Unfinished, "put_away", noted)
    folder = folder_of(tmp_path / "run")
    assert resumed(tournament, clock, folder) == whole
    assert len(held) > 10 and max(held) < 2000


def test_a_full_disk_is_reported(clock: Clock, tmp_path: Path) -> None:
    tournament = tournament_of(tmp_path, "round-robin", "random", "random", "random")
    (tmp_path / "run").mkdir()
    with pytest.raises(FolderError, match="cannot write"):
        stages_kept(tournament, clock, RunFolder(tmp_path / "run"), 1)


def test_no_module_meets_a_deal_twice(write: Write, clock: Clock, tmp_path: Path) -> None:
    """Not even where all seats have the same strategy."""
    write("remembering.py", REMEMBERING)
    tournament = tournament_of(tmp_path, "round-robin", *["remembering.py"] * 3, deals=360)
    whole = Playing(tournament, task_of(tournament), clock)
    whole.play()
    assert not whole.tally.faults and sum(row.deals for row in whole.tally.rows) == 360


@pytest.mark.parametrize("format", FORMATS)
def test_each_seat_has_a_module_of_its_own(format: str, write: Write, clock: Clock, tmp_path: Path) -> None:
    write("faulty.py", FAULTY)
    tournament = tournament_of(tmp_path, format, *["faulty.py"] * 3)
    whole = Playing(tournament, task_of(tournament), clock)
    stages: list[set[int]] = []
    while whole.stage < len(whole.stages):
        whole.play_stage(*whole.stages[whole.stage])
        whole.stage += 1
        stages.append({id(seated.make) for seated in whole.table.cast.seated.values()})
        kept = [seated.make for seated in whole.table.cast.seated.values()]  # no id may be given again
        stages[-1] |= {id(kept) for kept in kept}
    assert [len(each) for each in stages] == [3, 3, 3]


HEARING = """
    class Hearing:
        heard = False

        def begin(self, view):
            self.heard = True

        def act(self, view):
            assert self.heard
            return view.legal[0]
    """


def test_begin_is_called_at_a_table_without_guests(write: Write, clock: Clock, tmp_path: Path) -> None:
    """Three strategies play in this process at one table, and a bot at others: the module is loaded at the first one."""
    write("hearing.py", HEARING)
    bot = f"{ROOT / 'examples/bots/py'}"
    tournament = tournament_of(tmp_path, "round-robin", bot, *["hearing.py"] * 3, deals=360)
    guests = Guests(NO_SANDBOX, tournament.limits)
    whole = Playing(tournament, task_of(tournament), clock, guests=guests)
    try:
        whole.play()
    finally:
        guests.close()
    assert {len(block.seats) for block in whole.tally.rows} == {3}
    assert any(0 not in block.seats for block in whole.tally.rows)
    assert not whole.tally.faults


def test_neighbours_do_not_share_the_module_random(write: Write, clock: Clock, tmp_path: Path) -> None:
    """The draws of one do not depend on those of another."""
    write(
        "drawing.py",
        """
        import random

        class Drawing:
            def __init__(self, times=1):
                self.times = times

            def act(self, view):
                for _ in range(self.times):
                    random.random()
                return view.legal[0]

        class Choosing:
            def act(self, view):
                return random.choice(view.legal)
        """,
    )
    logs = []
    for times in 0, 7:
        strategies = f"drawing.py:Drawing(times={times})", "drawing.py:Choosing", "drawing.py:Choosing"
        whole = Playing(one := tournament_of(tmp_path, "round-robin", *strategies), task_of(one), clock)
        whole.play()
        logs.append([line for block in whole.ledgers for line in b"".join(whole.lines.text(block)).splitlines()])
    assert [line for line in logs[0] if line[0] != ord("=")] == [line for line in logs[1] if line[0] != ord("=")]
    assert len({line.partition(b" |")[2] for line in logs[0]}) > 20


def test_chance_tells_neither_seed_nor_block(write: Write, clock: Clock, tmp_path: Path) -> None:
    write(
        "looking.py",
        """
        import random

        def act(view):
            for each in (view.chance, random._inst):
                kept = [getattr(each, name, None) for kind in type(each).__mro__ for name in getattr(kind, "__slots__", ())]
                assert not any("20061789" in str(thing) or "nap" in str(thing) for thing in [*kept, vars(type(each))])
            return view.chance.choice(view.legal)
        """,
    )
    tournament = tournament_of(tmp_path, "round-robin", *["looking.py"] * 3, seed=20061789)
    whole = Playing(tournament, task_of(tournament), clock)
    whole.play()
    assert not whole.tally.faults


def test_the_slowest_strategy_is_on_the_board(write: Write, clock: Clock, tmp_path: Path) -> None:
    spin = "end = time.process_time() + 0.002\n    while time.process_time() < end: pass"
    write("slow.py", f"import time\ndef act(view):\n    {spin}\n    return view.legal[0]\n")
    tournament = tournament_of(tmp_path, "round-robin", "random", "slow.py", "random", deals=1, sitting=1)
    Playing(tournament, task_of(tournament), clock).play()
    assert clock.board[SLOWEST] == 2 and clock.board[NANOSECONDS] > 2_000_000 and clock.board[DEALS] == 3


@pytest.mark.soak
def test_a_run_broken_off_in_a_shard_goes_on_within_it(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C comes in the middle of the only shard, and then the same command again."""
    write("slow.py", SLOW)
    monkeypatch.setenv("SLOW", "0.008")
    write("slow.toml", '[tournament]\nstrategies = ["slow.py", "random"]\n[[games]]\ngame = "nap"\ndeals = 300\n')
    run = begin("run", "slow.toml", "--jobs", 1, "--out", "broken", cwd=tmp_path)
    part = tmp_path / "broken" / "log" / "nap" / ".0000001.part"
    assert wait_for(lambda: part.exists() or run.poll() is not None) and run.poll() is None
    run.send_signal(signal.SIGINT)
    _, said = run.communicate()
    assert run.returncode == 130 and "what is finished is kept" in said
    assert part.exists() and not [*part.parent.glob("*.zst")]
    assert "verified" in roundsim("verify", "broken", cwd=tmp_path).stdout
    monkeypatch.setenv("SLOW", "0")
    roundsim("run", "slow.toml", "--jobs", 1, "--out", "broken", cwd=tmp_path)
    roundsim("run", "slow.toml", "--jobs", 2, "--out", "whole", cwd=tmp_path)
    assert_same(tmp_path / "broken", tmp_path / "whole")
    assert not part.exists()
