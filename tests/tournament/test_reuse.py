"""Blocks that an earlier run has are not played again, and nothing of it can be seen in the bytes."""

from __future__ import annotations

import json
import shutil
import signal
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import Shell
from helpers.command import (
    TESTS,
    assert_same,
    begin,
    contents,
    living,
    one_in,
    one_in_with,
    roundsim,
    seldom,
    seldom_with,
    shards,
    wait_for,
)
from helpers.reusing import play_reusing, shards_here, tournament_of
from helpers.shard_text import text_of, write_text
from helpers.stages import break_off

from roundsim.api import play
from roundsim.base.errors import LogError, PluginError
from roundsim.refereeing.referee import Clock
from roundsim.running import Means, play_tournament
from roundsim.tournament.planning.plan import Schedule, Tournament
from roundsim.tournament.reuse import Reuse
from roundsim.tournament.storage.folder import RunFolder
from roundsim.workers.local import after_loss, after_word
from roundsim.workers.shard import Playing, StaleError

pytestmark = pytest.mark.usefixtures("here")


@pytest.fixture(scope="module", autouse=True)
def in_process() -> Iterator[None]:
    """Strategies play in the worker: they count, in a file, what they are asked."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ROUNDSIM_SEAL", "none")
        yield


STRATEGY = """
    from pathlib import Path

    class {name}:
        '''Notes each sitting for which it is made.'''
        games = ["nap", "draw-poker"]
        imagines = {imagines}
        def __init__(self):
            with Path(__file__).with_name("sittings").open("a") as file:
                file.write("{name} ")
        def call(self, view):
            return {call}
        def act(self, view):
            return view.legal[{way} % len(view.legal)]
    """
TOUCHY = """
    import os

    class F:
        games = ["nap"]
        def call(self, view):
            return view.legal[0]
        def play(self, view):
            {first}
            return view.legal[0]
    """
FAILS = """
        def begin(self, view):
            raise LookupError("never")
    """
SEVEN = tuple("ABCDEFG")
DEALS = 84 * 16  # blocks of four seats and four deals: a shard of 63 and one of 21


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(textwrap.dedent(text))
    return path


def strategy(path: Path, way: int, call: str = "view.legal[0]", imagines: bool = False, more: str = "") -> Path:
    text = STRATEGY.format(name=path.stem, way=way, call=call, imagines=imagines)
    return write(path, text.rstrip(" ") + more)


@pytest.fixture(scope="module")
def seven(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Seven strategies, each in a file of its own."""
    folder = tmp_path_factory.mktemp("seven")
    return [strategy(folder / f"{name}.py", way) for way, name in enumerate(SEVEN)]


@pytest.fixture(scope="module")
def changed(seven: list[Path]) -> list[Path]:
    """The same, except the last of them."""
    return [*seven[:-1], strategy(seven[0].parent / "changed" / "G.py", 9)]


@pytest.fixture(scope="module")
def old(seven: list[Path]) -> Path:
    play_nap(seven, seven[0].parent / "old")
    return seven[0].parent / "old"


@pytest.fixture(scope="module")
def fresh(changed: list[Path]) -> Path:
    play_nap(changed, changed[0].parent / "fresh")
    return changed[0].parent / "fresh"


def play_nap(who: Sequence[object], out: Path, *reuse: Path, deals: int = DEALS, jobs: int = 2, code: int = 0) -> str:
    """Four at a table of Nap; the report of what was reused."""
    flags = [word for run in reuse for word in ("--reuse", run)]
    words = "play", "nap", *who, "--seats", 4, "--deals", deals, "--jobs", jobs, "--out", out, *flags
    return reused(roundsim(*words, cwd=out.parent, code=code).stdout)


def reused(said: str) -> str:
    lines = said.partition("reused   ")[2].partition("\nresults  ")[0]
    return " ".join(lines.split())


def sat(run: Path) -> dict[int, set[str]]:
    """The strategies in each block, as the log says."""
    lines = [line for file in sorted((run / "log").rglob("*.zst")) for line in text_of(file).splitlines()]
    headers = [line.split(" ", 2)[1:] for line in lines if line.startswith("= ")]
    return {int(table.split("/")[0]): set(names.split(" | ")) for table, names in headers}


def without(run: Path, *names: str) -> int:
    """In how many blocks of a run none of these sat."""
    return sum(1 for there in sat(run).values() if there.isdisjoint(names))


def check_reused(
    tournament: Tournament, folder: Path, runs: Sequence[Path], taken: int | None, blocks: int, name: str = "run"
) -> None:
    """A run that reuses blocks of others is the same bytes as a fresh one; it takes this number of blocks."""
    if not (folder / "fresh").exists():
        play_reusing(tournament, folder / "fresh")
    found = play_reusing(tournament, folder / name, *runs)
    assert found == (found[0] if taken is None else taken, blocks)
    assert_same(folder / "fresh", folder / name)


@pytest.mark.soak
@pytest.mark.parametrize("jobs", [1, *seldom(2)])
def test_blocks_of_a_changed_strategy(changed: list[Path], old: Path, fresh: Path, tmp_path: Path, jobs: int) -> None:
    """Each of seven sits in four blocks of seven at four seats: in 48 of 84, with four players in four sittings."""
    sittings = [each.with_name("sittings") for each in changed]
    for each in sittings:
        each.unlink(missing_ok=True)
    assert play_nap(changed, tmp_path / "run", old, jobs=jobs) == f"36 of 84 blocks of {old}"
    assert sum(len(each.read_text().split()) for each in {*sittings}) == 48 * 16
    assert_same(fresh, tmp_path / "run")


@pytest.mark.soak
def test_several_runs_and_parts(changed: list[Path], old: Path, fresh: Path, tmp_path: Path) -> None:
    """Two have changed, one after the other: in 12 of 84 blocks neither sits (3/7 * 2/6)."""
    both = tournament_of([strategy(tmp_path / "A.py", 9), *changed[1:]], players=4, deals=DEALS)
    check_reused(both, tmp_path, [old, fresh], 36, 84)
    check_reused(both, tmp_path, [fresh], 36, 84, "one")
    check_reused(both, tmp_path, [old], 12, 84, "first")
    # A part reuses what a whole run has, and the other way round.
    words = "play", "nap", *changed, "--seats", 4, "--deals", DEALS, "--jobs", 1
    for number in 1, 2:
        roundsim(*words, "--shard", f"{number}/2", "--out", f"p{number}", "--reuse", old, cwd=tmp_path)
    roundsim("merge", "p1", "p2", "--out", "merged", cwd=tmp_path)
    assert_same(fresh, tmp_path / "merged")
    whole = tournament_of(changed, players=4, deals=DEALS)
    assert play_reusing(whole, tmp_path / "again", tmp_path / "p1", tmp_path / "p2") == (84, 84)
    assert_same(fresh, tmp_path / "again")


@pytest.mark.soak
def test_only_deals_beyond_those_of_the_same_run_are_played(seven: list[Path], old: Path, tmp_path: Path) -> None:
    few, more = (tournament_of(seven, players=4, deals=deals) for deals in (DEALS, 1984))
    sittings = seven[0].with_name("sittings")
    sittings.unlink()
    assert play_reusing(few, tmp_path / "same", old) == (84, 84) and not sittings.exists()
    assert_same(old, tmp_path / "same")
    check_reused(more, tmp_path, [old], 84, 124)
    assert play_reusing(more, tmp_path / "run", old) == (0, 0)


@pytest.mark.soak
def test_shards_of_other_lengths(seven: list[Path], old: Path, tmp_path: Path) -> None:
    """Where somebody imagines deals they have 3 blocks in place of 63."""
    slow = tournament_of([*seven[:-1], strategy(tmp_path / "G.py", 9, imagines=True)], players=4, deals=320)
    play_reusing(slow, tmp_path / "fresh")
    taken = without(tmp_path / "fresh", "G")
    assert len(shards(tmp_path / "fresh")) == 7
    check_reused(slow, tmp_path, [old], taken, 20)
    check_reused(tournament_of(seven, players=4, deals=320), tmp_path / "quick", [tmp_path / "run"], taken, 20)


@pytest.mark.parametrize(
    ("before", "after", "kept"),
    [
        ("XXABCDE", "FXABCDE", 12),
        *seldom_with(
            ("X", "XX", 0),
            ("XX", "X", 0),
            ("FXABCDE", "XXABCDE", 12),
            ("AXXXBCD", "AXFXBCD", 12),
            ("XAXBCDE", "XXABCDE", None),
        ),
    ],
    ids=["the first of twins goes", "more to a seat", "fewer to a seat", "it comes", "of three", "in another order"],
)
def test_twins(seven: list[Path], before: str, after: str, kept: int | None, tmp_path: Path) -> None:
    """The second of them there may be the first here; and the log names them."""
    files = {**dict(zip(SEVEN, seven, strict=True)), "X": "random"}
    one, other = (tournament_of([files[each] for each in who], players=4, deals=448) for who in (before, after))
    play_reusing(one, tmp_path / "old")
    check_reused(other, tmp_path, [tmp_path / "old"], kept, 28)


EVENTS: dict[str, dict[str, Any]] = {
    "freeze-out": {"game": "draw-poker", "stack": 20, "options": {"stakes": "table"}},
    "progressive": {"game": "nap", "rounds": 4},
}


@pytest.mark.parametrize("format", one_in(2, [*EVENTS]))
def test_where_all_sit_together(format: str, seven: list[Path], changed: list[Path], tmp_path: Path) -> None:
    """More of the same is played besides; with one changed all is."""
    few, more = (tournament_of(seven[-4:], format, times=times, **EVENTS[format]) for times in (4, 6))
    other = tournament_of(changed[-4:], format, times=6, **EVENTS[format])
    play_reusing(few, tmp_path / "old")
    check_reused(more, tmp_path, [tmp_path / "old"], 4, 6)
    check_reused(other, tmp_path / "other", [tmp_path / "run"], 0, 6)


@pytest.mark.soak
def test_a_knock_out(seven: list[Path], changed: list[Path], tmp_path: Path) -> None:
    """Its rounds come one after the other; whoever is left in them, the folder is that of a fresh run."""
    one, other = (tournament_of(who, "knock-out", players=4, deals=800) for who in (seven, changed))
    play_reusing(one, tmp_path / "old")
    taken, blocks = play_reusing(one, tmp_path / "same", tmp_path / "old")
    assert taken == blocks > 0
    assert_same(tmp_path / "old", tmp_path / "same")
    taken, blocks = play_reusing(other, tmp_path / "again", tmp_path / "old")
    assert 0 < taken < blocks
    check_reused(other, tmp_path, [tmp_path / "old"], taken, blocks)


@pytest.mark.soak
def test_no_block_with_a_fault_is_taken(seven: list[Path], changed: list[Path], tmp_path: Path) -> None:
    """Neither of F, who fails at each call, nor of G, who has changed; of the others all."""
    there = [*seven[:5], strategy(tmp_path / "F.py", 5, call="'nothing'")]
    one, other = (tournament_of([*there, each[-1]], players=4, deals=DEALS) for each in (seven, changed))
    play_reusing(one, tmp_path / "old")
    play_reusing(other, tmp_path / "fresh")
    clean = without(tmp_path / "fresh", "F", "G")
    assert clean
    check_reused(other, tmp_path, [tmp_path / "old"], clean, 84)


@pytest.mark.soak
def test_a_strategy_that_fails_with_the_changed_one_plays_the_whole_shard(seven: list[Path], tmp_path: Path) -> None:
    """F has failed nowhere before; it does where G calls a nap, and sat without him in other blocks of the shard."""
    touchy = write(tmp_path / "F.py", TOUCHY.format(first="assert view.call != 'call nap'"))
    bold = [*seven[:5], touchy, strategy(tmp_path / "G.py", 6, call="view.legal[-1]")]
    play_nap([*seven[:5], touchy, seven[-1]], tmp_path / "old", deals=480)
    play_nap(bold, tmp_path / "fresh", deals=480, code=2)
    said = play_nap(bold, tmp_path / "run", tmp_path / "old", deals=480, code=2)
    assert said.startswith("0 of 30 blocks of ")
    assert_same(tmp_path / "fresh", tmp_path / "run")


@pytest.mark.soak
@pytest.mark.parametrize("fails", [{"call": "'nothing'"}, {"more": FAILS}], ids=["asked", "outside the deals"])
def test_a_failure_disturbs_no_other(seven: list[Path], old: Path, tmp_path: Path, fails: dict[str, Any]) -> None:
    """The changed one sits in no block that is reused."""
    who = tournament_of([*seven[:-1], strategy(tmp_path / "G.py", 6, **fails)], players=4, deals=DEALS)
    check_reused(who, tmp_path, [old], 36, 84)


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["Exits", "Hang"])
def test_where_one_dies_or_is_late(seven: list[Path], changed: list[Path], tmp_path: Path, kind: str) -> None:
    """Its strikes bar it in the midst of the shard, at questions that are numbered there: all of it is played."""
    shutil.copy(TESTS / "strategies" / "bad.py", tmp_path)
    for name, who in ("before", seven), ("after", changed):
        listed = json.dumps([*map(str, who), f"bad.py:{kind}"])
        game = 'game = "nap"\nplayers = 4\ndeals = 160'
        text = f"[tournament]\nstrategies = {listed}\n[limits]\nseconds = 0.2\n[[games]]\n{game}\n"
        write(tmp_path / f"{name}.toml", text)
    roundsim("run", "before.toml", "--out", "old", cwd=tmp_path, code=2)
    roundsim("run", "after.toml", "--out", "fresh", cwd=tmp_path, code=2)
    roundsim("run", "after.toml", "--out", "run", "--reuse", "old", cwd=tmp_path, code=2)
    assert_same(tmp_path / "fresh", tmp_path / "run")


@pytest.mark.soak
def test_others_are_reused_from_the_shard_in_which_one_died(seven: list[Path], tmp_path: Path) -> None:
    dies = write(tmp_path / "F.py", TOUCHY.format(first="os._exit(1)"))
    play_nap([*seven[:5], dies, seven[6]], tmp_path / "old", deals=160, code=2)
    play_nap(seven, tmp_path / "fresh", deals=160)
    said = play_nap(seven, tmp_path / "run", tmp_path / "old", deals=160)
    assert said == f"{without(tmp_path / 'fresh', 'F')} of 10 blocks of {tmp_path / 'old'}"
    assert_same(tmp_path / "fresh", tmp_path / "run")


@pytest.mark.soak
def test_a_killed_worker_starts_over(
    seven: list[Path], changed: list[Path], old: Path, fresh: Path, tmp_path: Path
) -> None:
    """The strategy that was asked then is not to blame: its question in the whole shard is not known."""
    wanted = tournament_of(changed, players=4, deals=DEALS)
    with Clock(60) as clock:
        task = replace(Schedule(wanted, 0).task(1), entered={})
        partly, lost = Reuse([old]).looking(wanted)(task), list[int]()
    assert len(partly.reused) == 27 and not task.reused
    worker: Any = SimpleNamespace(board=clock.board, process=None, given=1)
    assert after_loss(worker, partly, False, lost, 4) == task and not lost
    assert after_word(worker, partly, {"stale": True}, wanted.entries[0], 0) == task


def test_want_of_memory_counts_with_all_blocks(changed: list[Path], old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fresh process that has played some of them only cannot tell."""
    wanted = tournament_of(changed, players=4, deals=DEALS)
    whole = Schedule(wanted, 0).task(1)
    partly = Reuse([old]).looking(wanted)(whole)

    def full(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(Playing, "play_stage", full)
    with Clock(60) as clock:
        for task, error in (partly, StaleError), (whole, PluginError):
            with pytest.raises(error):
                Playing(wanted, task, clock).play()


@pytest.mark.soak
def test_a_run_with_a_finished_shard_goes_on(changed: list[Path], old: Path, fresh: Path, tmp_path: Path) -> None:
    words = "play", "nap", *changed, "--seats", 4, "--deals", DEALS, "--jobs", 1, "--out", "run", "--reuse", old
    shutil.copytree(fresh, tmp_path / "run")
    (tmp_path / "run" / "log" / "nap" / "0000064.zst").unlink()
    assert reused(roundsim(*words, cwd=tmp_path).stdout)[0] != "0"
    assert_same(fresh, tmp_path / "run")


@pytest.mark.soak
def test_the_command_to_continue_has_the_runs(old: Path, tmp_path: Path) -> None:
    write(tmp_path / "slow.py", "import time\ndef act(view):\n    time.sleep(0.01)\n    return view.legal[0]\n")
    words = "play", "nap", "slow.py", "random", "--deals", 4000, "--out", "run", "--reuse", old
    process = begin(*words, cwd=tmp_path)
    assert wait_for(lambda: len(living(process.pid)) > 1 and (tmp_path / "run" / "run.toml").exists())
    process.send_signal(signal.SIGINT)
    assert process.communicate()[1].rstrip().endswith(f"--out run --reuse {old}")


@pytest.mark.parametrize(("format", "few", "many"), [("round-robin", 80, 160), ("freeze-out", 2, 5)])
def test_broken_shards_keep_reused_blocks(seven: list[Path], tmp_path: Path, format: str, few: int, many: int) -> None:
    """A stage by each process, as it were; and what was kept is taken up with the same blocks only."""
    if format == "round-robin":
        one, wanted = (tournament_of(seven, players=4, deals=deals) for deals in (few, many))
    else:
        one, wanted = (tournament_of(seven[-4:], format, times=times, **EVENTS[format]) for times in (few, many))
    entry, folder, some = wanted.entries[0], RunFolder(tmp_path / "run"), few // 16 or few
    play_reusing(one, tmp_path / "old")
    play_reusing(wanted, tmp_path / "fresh")
    path = folder.shard(entry, 1)
    path.parent.mkdir(parents=True)
    task = Reuse([tmp_path / "old"]).looking(wanted)(Schedule(wanted, 0).task(1))
    assert [*task.reused] == [*range(1, some + 1)]
    with Clock(60) as clock:
        for stage in 1, 2:
            shard = Playing(wanted, task, clock, path)
            break_off(shard)
            assert shard.stage == stage
        last = Playing(wanted, task, clock, path)
        last.take_up()
        assert last.stage == 2
        last = Playing(wanted, task, clock, path)
        last.play()
        last.write(path)
        assert path.read_bytes() == RunFolder(tmp_path / "fresh").shard(entry, 1).read_bytes()
        break_off(Playing(wanted, task, clock, path))
        other = Playing(wanted, replace(task, reused={}), clock, path)
        other.take_up()
        assert other.stage == 0


@pytest.mark.soak
def test_until_it_is_decided(tmp_path: Path) -> None:
    """The rule looks at the blocks as they come, and the last shard is cut."""
    table = ["book", "random", "random", "random"]
    stopping = tournament_of(table, players=4, deals=4000, until="book - random > 0")
    play_reusing(tournament_of(table, players=4, deals=1280), tmp_path / "old")
    check_reused(stopping, tmp_path, [tmp_path / "old"], 80, 94)


OTHERS: dict[str, tuple[dict[str, Any], str]] = {
    "seed": ({"seed": 2}, "seed 1 there, 2 here"),
    "option": ({"options": {"stake": 2}}, "nap: options: stake - there, 2 here"),
    "length": ({"sitting": 8}, "nap: sitting 4 there, 8 here"),
    "game": ({"game": "loo"}, "game nap there, - here"),
}


@pytest.mark.parametrize(("entry", "why"), OTHERS.values(), ids=OTHERS)
def test_no_block_in_common(entry: dict[str, Any], why: str, seven: list[Path], old: Path, tmp_path: Path) -> None:
    other = tournament_of(["book"] * 7, **{"players": 4, "deals": 64, **entry})
    reuse = Reuse([old])
    play_tournament(other, tmp_path / "run", means=Means(1, shards_here, reuse))
    assert reuse.describe(other) == [f"0 of {reuse.blocks} blocks of {old}", why] and reuse.blocks


def test_runs_that_cannot_be_reused(shell: Shell, tmp_path: Path) -> None:
    words = "play", "nap", "book", "random", "--out", "run", "--jobs", 1
    for more in (), ("--dry-run",):
        done = shell(*words, "--reuse", "nowhere", *more)
        assert done.code == 65 and "nowhere/run.toml: No such file or directory: this is no run folder" in done.err
        assert not (tmp_path / "run").exists()
    shell(*words, "--deals", 16)
    before = contents(tmp_path / "run")
    done = shell(*words, "--deals", 32, "--reuse", tmp_path / "run")
    assert done.code == 64 and "is the run to be played" in done.err
    assert contents(tmp_path / "run") == before
    with pytest.raises(LogError, match="this is no run folder"):
        play("nap", ["book", "random"], out=tmp_path / "more", reuse=["nowhere"])


def test_the_command_says_what_it_reuses(shell: Shell, old: Path) -> None:
    """Before it is played, and after; the command that plays it again needs no other run."""
    words = "play", "nap", "book", "random", "--deals", 160, "--jobs", 1, "--out", "run", "--reuse", old
    assert f"  with what there is in {old}\n" in shell(*words, "--dry-run").out
    said = shell(*words).out
    assert f"\nreused   0 of 40 blocks of {old}\n         nap: players 4 there, 2 here\nresults " in said
    assert said.rpartition("repeat ")[2].split()[-2:] == ["--out", "run"]
    assert "reused" not in shell(*words).out  # there is nothing left to play


def test_a_run_that_is_not_finished(changed: list[Path], fresh: Path, tmp_path: Path) -> None:
    """And from Python."""
    shutil.copytree(fresh, tmp_path / "old")
    (tmp_path / "old" / "log" / "nap" / "0000064.zst").unlink()
    reuse = [tmp_path / "old"]
    run = play("nap", [*map(str, changed)], seats=4, deals=DEALS, jobs=1, out=tmp_path / "run", reuse=reuse)
    assert_same(fresh, run.folder)
    whole = tournament_of(changed, players=4, deals=DEALS)
    assert play_reusing(whole, tmp_path / "again", *reuse) == (63, 84)


def test_a_damaged_shard(changed: list[Path], old: Path, fresh: Path, tmp_path: Path) -> None:
    """Nothing of it is believed; what is finished stays, and without it all is played."""
    shutil.copytree(old, tmp_path / "old")
    shard = tmp_path / "old" / "log" / "nap" / "0000064.zst"
    shard.write_bytes(shard.read_bytes()[:-9] + bytes(9))
    words = "play", "nap", *changed, "--seats", 4, "--deals", DEALS, "--jobs", 1, "--out", "run"
    said = roundsim(*words, "--reuse", "old", cwd=tmp_path, code=65)
    assert "old/log/nap/0000064.zst: damaged: the lines of blocks 64 to 84 have changed since" in said.stderr
    assert not (tmp_path / "run" / "standings.json").exists()
    play_reusing(tournament_of(changed, players=4, deals=DEALS), tmp_path / "run")
    assert_same(fresh, tmp_path / "run")


def test_no_block_passes_for_another(changed: list[Path], old: Path, fresh: Path, tmp_path: Path) -> None:
    """A shard with the key of the one to be played, but not the one that it must have in its own run."""
    shutil.copytree(old, tmp_path / "old")
    name = Path("log") / "nap" / "0000001.zst"
    one, other = (json.loads(text_of(each / name).splitlines()[-1][2:])["key"] for each in (old, fresh))
    write_text(tmp_path / "old" / name, text_of(old / name).replace(one, other))
    words = "play", "nap", *changed, "--seats", 4, "--deals", DEALS, "--jobs", 1, "--out", "run", "--reuse", "old"
    said = roundsim(*words, cwd=tmp_path, code=65)
    assert one != other and "where block 1 is to come it has one of another block" in said.stderr


NONE = "are not those of a sitting"
Forge = Callable[[list[str], list[int]], object]  # of the lines of a block and its nets by place
FORGED: dict[str, tuple[Forge, str]] = {
    "a net that is none": (lambda lines, nets: swap(lines, " | ", "x | "), NONE),
    "one beyond all bounds": (lambda lines, nets: swap(lines, " | ", f"{10**19} | "), NONE),
    "no deal": (lambda lines, nets: swap(lines, "/1/1 ", "/0/x "), NONE),
    "one seat fewer": (lambda lines, nets: lines.insert(0, lines.pop(0).rpartition(" | ")[0]), NONE),
    "other figures": (lambda lines, nets: nets.reverse(), ""),
}


def swap(lines: list[str], old: str, new: str) -> None:
    """In the first deal."""
    assert old in lines[1]
    lines[1] = lines[1].replace(old, new, 1)


@pytest.mark.parametrize(("forge", "words"), one_in_with(3, [*FORGED.values()]), ids=FORGED)
def test_a_forged_block(forge: Forge, words: str, changed: list[Path], old: Path, tmp_path: Path, shell: Shell) -> None:
    """With a hash that is right: unreadable lines are refused, and `verify` finds readable ones that are wrong."""
    shutil.copytree(old, tmp_path / "old")
    shard = tmp_path / "old" / "log" / "nap" / "0000001.zst"
    *lines, last = text_of(shard).splitlines()
    block = next(block for block, names in sat(old).items() if "G" not in names and block > 1)
    begun, end = (next(at for at, line in enumerate(lines) if line.startswith(f"= {n}/")) for n in (block, block + 1))
    own, tail = lines[begun:end], json.loads(last[2:])
    forge(own, tail["rows"][block - 1][4][0])
    data = json.dumps(tail, separators=(",", ":"))
    write_text(shard, "\n".join([*lines[:begun], *own, *lines[end:], f"# {data}", ""]))
    table = "play", "nap", *changed, "--seats", 4, "--deals", DEALS, "--jobs", 1, "--out", "run"
    done = shell(*table, "--reuse", "old")
    assert done.code == (65 if words else 0) and words in done.err
    assert words or shell("verify", "run").code == 1
