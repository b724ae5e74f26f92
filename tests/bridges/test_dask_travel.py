"""The sources that travel to the machines of a cluster, the batches that they play, and the shards that come back."""

from __future__ import annotations

import hashlib
import inspect
import json
import os
import pickle
import shutil
import sys
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Git, Write
from helpers.command import TESTS, contents, one_in
from helpers.planned import planned
from helpers.shard_text import text_of, write_text

import roundsim
from roundsim import games
from roundsim.base.errors import ClusterError, PluginError
from roundsim.base.finding import sha256
from roundsim.bridges import dask_machine, dask_sources
from roundsim.bridges.dask import Writer
from roundsim.bridges.dask_machine import BatchResult, Order, run_child
from roundsim.bridges.dask_sources import PackedTournament, as_sent, bytes_of, pack_tournament, unpack_tournament
from roundsim.sources import plugins, session
from roundsim.tournament.planning.plan import Schedule, Task, Tournament
from roundsim.tournament.planning.record import strategy_identity
from roundsim.tournament.storage.folder import RunFolder
from roundsim.tournament.storage.writer import RunWriter

pytestmark = pytest.mark.usefixtures("here")

LINGER = TESTS / "outside" / "linger_longer" / "linger_longer.py"
FIRST = "class Mine:\n    def act(self, view):\n        return view.legal[0]\n"
FAILS = FIRST.replace("view.legal", "({} if view.chance.random() < 0.01 else view.legal)")


def tournament(*strategies: str, deals: int = 90, **entry: Any) -> Tournament:
    return planned(Path(), *strategies, deals=deals, **entry)


def arrived(packed: PackedTournament, folder: Path) -> Tournament:
    """The tournament on another machine: through bytes, into another folder."""
    folder.mkdir()
    return unpack_tournament(pickle.loads(bytes_of(packed)), folder)


def test_data_arrives_as_it_was_sent() -> None:
    assert as_sent(b"cards", hashlib.sha256(b"cards").hexdigest()) == b"cards"
    with pytest.raises(ClusterError, match="not what was sent"):
        as_sent(b"card", hashlib.sha256(b"cards").hexdigest())


def test_a_strategy_travels_with_the_files_that_it_names(write: Write, tmp_path: Path) -> None:
    mine = write("mine.py", 'files = ["tables"]\n' + FIRST)
    write("tables/one.csv", "1\n")
    write("tables/deep/two.csv", "2\n")
    write("other.py", "secret = 1\n")
    there = arrived(pack_tournament(tournament(str(mine), "book")), tmp_path / "there")
    here = tournament(str(mine), "book")
    one, other = there.entries[0].strategies
    assert Path(one.path).read_bytes() == mine.read_bytes() and Path(one.path).is_relative_to(tmp_path / "there")
    assert Path(one.path).with_name("tables").joinpath("deep", "two.csv").read_text() == "2\n"
    assert not [*(tmp_path / "there").rglob("other.py")]
    identities = [[*map(strategy_identity, each.entries[0].strategies)] for each in (there, here)]
    assert identities[0] == identities[1]
    assert other.path == here.entries[0].strategies[1].path  # the house's is there already
    assert plugins.load_strategy(one).__name__ == "Mine"


@pytest.mark.soak
def test_a_strategy_of_a_session_travels_as_it_is(tmp_path: Path) -> None:
    highest = -1

    def mine(view: Any) -> Any:
        return view.legal[highest]

    here = tournament(*session.texts_of([mine, "book"]))
    there = arrived(pack_tournament(here), tmp_path / "there")
    one, mine_here = there.entries[0].strategies[0], here.entries[0].strategies[0]
    assert Path(one.path).is_relative_to(tmp_path / "there")
    pickles = [Path(each.path).with_suffix(".pickle").read_bytes() for each in (one, mine_here)]
    assert pickles[0] == pickles[1]
    assert strategy_identity(one) == strategy_identity(mine_here)
    assert inspect.getclosurevars(plugins.load_strategy(one)).nonlocals == {"highest": -1}


def test_a_package_and_a_commit_travel(git: Git, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("pack/__init__.py", "from .inner import first\n\n\ndef act(view):\n    return first(view)\n")
    write("pack/inner.py", "def first(view):\n    return view.legal[0]\n")
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "one")
    write("pack/inner.py", "def first(view):\n    return view.legal[-1]\n")
    there = arrived(pack_tournament(tournament("new=./pack", "old=git:HEAD:pack")), tmp_path / "there")
    new, old = (Path(each.path, "inner.py").read_text() for each in there.entries[0].strategies)
    assert "[-1]" in new and "[0]" in old
    assert all(Path(each.path).is_relative_to(tmp_path / "there") for each in there.entries[0].strategies)


def test_seats_of_one_file_have_one_path_and_a_changed_file_does_not_travel(write: Write, tmp_path: Path) -> None:
    mine = write("mine.py", FIRST)
    here = tournament(str(mine), str(mine), f"other={mine}")
    assert len({each.path for each in arrived(pack_tournament(here), tmp_path / "there").entries[0].strategies}) == 1
    mine.write_text(FIRST.replace("[0]", "[-1]"))
    with pytest.raises(PluginError, match="has changed since the run began"):
        pack_tournament(here)


@pytest.mark.parametrize("name", ["mine.py", "policy.bin"])
def test_a_file_that_arrives_differently_is_seen(name: str, write: Write, tmp_path: Path) -> None:
    mine = write("mine.py", 'files = ["policy.bin"]\n' + FIRST)
    write("policy.bin", "0101")
    packed = pack_tournament(tournament(str(mine), "random"))
    packed.sources[0].files[name] = False, packed.sources[0].files[name][1] + b"\n"
    with pytest.raises(ClusterError, match=r"Mine has changed on the way"):
        arrived(packed, tmp_path / "there")


def test_a_game_from_outside_travels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = shutil.copy(LINGER, tmp_path)
    packed = pack_tournament(tournament("random", game=games.named(str(game)).id, deals=10))
    Path(game).unlink()
    monkeypatch.setattr(games.GAMES, "outside", {})  # as in another process
    (entry,) = arrived(packed, tmp_path / "there").entries
    assert entry.deal.id == "linger-longer" and entry.deal.origin
    assert Path(entry.deal.origin.path).is_relative_to(tmp_path / "there")
    assert entry.deal.origin.sha256 == sha256(LINGER)


def test_a_bot_travels_with_its_files_and_can_be_executed(write: Write, tmp_path: Path) -> None:
    write("bot/bot.toml", 'name = "stub"\ncommand = "./run --deep"\nfiles = ["data"]\n')
    write("bot/run", "#!/bin/sh\n").chmod(0o755)
    write("bot/data/table.csv", "7\n")
    here = tournament(str(tmp_path / "bot"), "random")
    stub = arrived(pack_tournament(here), tmp_path / "there").entries[0].strategies[0]
    assert strategy_identity(stub) == strategy_identity(here.entries[0].strategies[0])
    assert Path(stub.command[0]).is_relative_to(tmp_path / "there") and os.access(stub.command[0], os.X_OK)
    assert stub.command[1:] == ("--deep",) and Path(stub.path, "data", "table.csv").read_text() == "7\n"


def test_the_files_of_a_command_travel_and_keep_their_places(write: Write, tmp_path: Path) -> None:
    bot, table = write("bots/bot.py", "print()\n"), write("tables/one.csv", "1\n")
    here = tournament(f"cmd:python3 {bot} --table {table} x", "random")
    packed = pack_tournament(here)
    shutil.rmtree(tmp_path / "bots")
    shutil.rmtree(tmp_path / "tables")
    stub = arrived(packed, tmp_path / "there").entries[0].strategies[0]
    assert strategy_identity(stub) == strategy_identity(here.entries[0].strategies[0])
    program, file, flag, other, word = stub.command
    assert (program, flag, word) == ("python3", "--table", "x")
    assert Path(other).read_text() == "1\n" and Path(file).parents[1] == Path(other).parents[1]


def test_a_program_that_lies_there_as_it_does_here_is_taken_and_a_missing_one_named(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program, file = write("env/bin/interpreter", "#!/bin/sh\n"), write("bot.txt", "1\n")
    program.chmod(0o755)
    packed = pack_tournament(tournament(f"cmd:{program} {file}", "random"))
    assert arrived(packed, tmp_path / "alike").entries[0].strategies[0].command[0] == str(program)
    program.write_text("#!/bin/sh\n# another one\n")
    command = arrived(packed, tmp_path / "unlike").entries[0].strategies[0].command
    assert Path(command[0]).is_relative_to(tmp_path / "unlike") and Path(command[0]).read_text() == "#!/bin/sh\n"
    write("bin/cardsharp", "#!/bin/sh\n").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    packed = pack_tournament(tournament("cmd:cardsharp --fast", "random"))
    monkeypatch.setenv("PATH", str(tmp_path))
    words = "the bot cardsharp --fast cannot be started: .*no program 'cardsharp' on the PATH"
    with pytest.raises(PluginError, match=words):
        arrived(packed, tmp_path / "there")


def batch(here: Tournament) -> list[Task]:
    schedule = Schedule(here, 0)
    return [schedule.task(blocks[0]) for blocks in here.entries[0].shards()]


def heard(order: Order, folder: Path) -> list[dict[str, Any]]:
    said = list[dict[str, Any]]()
    folder.mkdir()
    assert run_child(order, str(folder), said.append, lambda: True)
    return said


@pytest.mark.soak
def test_a_batch_has_the_same_bytes_as_the_run(write: Write, tmp_path: Path) -> None:
    """One of its strategies fails now and then.  The tasks are given backwards."""
    mine = write("mine.py", FAILS)
    here = tournament(str(mine), "book", "random", deals=3000)
    run = roundsim.play("nap", [str(mine), "book", "random"], deals=3000, jobs=1, out=tmp_path / "run")
    looked = heard(Order(bytes_of(pack_tournament(here))), tmp_path / "look")
    assert [*looked[0]] == ["guests"] and looked[-1] == {"end": True}
    tasks = batch(here)[::-1]
    said = heard(Order(bytes_of(pack_tournament(here)), tasks, [looked[0]["guests"]]), tmp_path / "there")
    shards = {each["played"]: (tmp_path / "there" / each["file"]).read_bytes() for each in said if "played" in each}
    assert run.faults > 0 and len(tasks) > 1 and said[-1] == {"end": True}
    wanted = [RunFolder(run.folder).shard(here.entries[0], task.first).read_bytes() for task in tasks]
    assert [shards[at] for at in range(len(tasks))] == wanted


@pytest.mark.soak
def test_the_progress_of_a_batch_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It never falls, and is at most 3000 deals: 750 blocks of two seats by two deals."""
    monkeypatch.setattr(dask_machine, "GLANCE", 0)
    monkeypatch.chdir(tmp_path)
    here = tournament("book", "random", deals=3000)
    said = [each["underway"] for each in dask_machine.played_shards(here, batch(here)) if "underway" in each]
    far = [sum(row.units for row in rows) for rows in said]
    assert far and far == sorted(far) and 0 < far[-1] <= 3000


@pytest.mark.soak
def test_another_sandbox_and_a_source_that_a_machine_cannot_load_are_reported(write: Write, tmp_path: Path) -> None:
    """A module holds where it is found, and not where it plays: an installed module may be another one there."""
    here = tournament(str(write("mine.py", FIRST)), "random", deals=10)
    (refused,) = heard(Order(bytes_of(pack_tournament(here)), batch(here), ["behind glass"]), tmp_path / "other")
    assert refused["error"] == "ClusterError" and "'behind glass'" in refused["words"]
    raising = "import os\n\nif os.path.basename(os.getcwd()) == 'there':\n    raise LookupError\n"
    mine = write("mine.py", raising + FIRST)
    here = tournament(str(mine), "random", deals=10)
    here = replace(here, limits=replace(here.limits, isolate="off"))
    said = heard(Order(bytes_of(pack_tournament(here)), batch(here), ["not isolated"]), tmp_path / "there")
    assert said[-1]["error"] == "PluginError" and "source-1/mine.py cannot be loaded: LookupError" in said[-1]["words"]


def test_a_process_that_dies_is_reported_and_a_spare_one_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_machine, "COMMAND", "import sys; print('no room', file=sys.stderr); sys.exit(3)")
    with pytest.raises(dask_machine.BatchLostError, match="ended with code 3: no room"):
        run_child(Order(b""), str(tmp_path), print, lambda: True)
    monkeypatch.setattr(dask_machine, "COMMAND", "import time; time.sleep(100000)")
    assert not run_child(Order(b""), str(tmp_path), print, lambda: False)


@pytest.mark.soak
def test_a_machine_says_what_it_is_and_whether_it_can_play(write: Write) -> None:
    """As plain data: another version of roundsim must be able to read it."""
    distributed = pytest.importorskip("distributed")
    data = bytes_of(pack_tournament(tournament(str(write("mine.py", FIRST)), "random")))
    good = dask_machine.check_machine(data, dask_sources.sha256_of(data))
    assert json.loads(json.dumps(good)) == good and good["error"] == {} and good["code"] == dask_machine.code()
    assert good["roundsim"] == roundsim.__version__ and good["distributed"] == distributed.__version__
    assert good["Python"] == ".".join(map(str, sys.version_info[:2]))  # whatever its patch level is
    bad = dask_machine.check_machine(data, "0" * 64)
    assert bad["error"]["error"] == "ClusterError" and "not what was sent" in bad["error"]["words"]


def coming(data: bytes, here: Tournament, to: Path, sha: str = "", packer: str = "x") -> Generator[Task, None, None]:
    """Write these bytes as the first shard, as if a machine had sent them."""
    run = RunWriter(to)
    run.make_room(here)
    shards = {0: (data, sha or hashlib.sha256(data).hexdigest())}
    result = BatchResult("tcp://a:1", shards, 1.0, {}, packer)
    return Writer(here, run, pack_tournament(here)).written(batch(here)[:1], result)


def played_here(folder: Path) -> tuple[Tournament, Path]:
    """A tournament, and its only shard as this machine plays it."""
    here = tournament("book", "random", deals=10)
    run = roundsim.play("nap", ["book", "random"], deals=10, jobs=1, out=folder / "run")
    return here, RunFolder(run.folder).shard(here.entries[0], 1)


def test_a_shard_that_was_packed_differently_is_written_as_we_pack_it(tmp_path: Path) -> None:
    here, shard = played_here(tmp_path)
    ours = shard.read_bytes()
    write_text(shard, text_of(shard))
    other = shard.read_bytes()
    assert other != ours
    assert [*coming(other, here, tmp_path / "there")] == batch(here)
    assert contents(tmp_path / "there") == {"log/nap/0000001.zst": ours}


@pytest.mark.parametrize("how", one_in(4, ["cut", "lines", "version", "on the way"]))
def test_a_damaged_shard_is_not_written(how: str, tmp_path: Path) -> None:
    here, shard = played_here(tmp_path)
    ours = shard.read_bytes()
    write_text(shard, text_of(shard).replace(f'"{roundsim.__version__}"', '"0.0.9"' if how == "version" else '"0.1.0"'))
    data = {"cut": ours[:-9], "lines": ours[:-9] + bytes(9)}.get(how, shard.read_bytes())
    with pytest.raises(ClusterError, match=r"tcp://a:1 has sent .*block 1 of nap"):
        next(coming(data, here, tmp_path / "there", "0" * 64 if how == "on the way" else ""))
    assert not [*(tmp_path / "there").rglob("*.zst")]


@pytest.mark.parametrize("damaged", one_in(2, [False, True]))
def test_a_shard_packed_as_here_is_written_as_it_came_and_removed_if_damaged(damaged: bool, tmp_path: Path) -> None:
    """The reader of the shard finds the damage and asks for no more; the folder is then as it was before."""
    here, shard = played_here(tmp_path)
    ours = shard.read_bytes()
    data = ours[:-9] if damaged else ours
    shards = coming(data, here, tmp_path / "there", packer=dask_machine.PACKER)
    assert next(shards) == batch(here)[0] and contents(tmp_path / "there") == {"log/nap/0000001.zst": data}
    shards.close()
    assert contents(tmp_path / "there") == ({} if damaged else {"log/nap/0000001.zst": ours})
