"""The files of exported runs: how they are written, what goes wrong, and the page that asks them questions."""

from __future__ import annotations

import fcntl
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Shell
from helpers.command import ROOT, contents, environment, one_in
from helpers.documents import blocks
from helpers.shard_text import text_of

import roundsim
from roundsim.base.errors import FolderError, InputError, PluginError
from roundsim.base.extras import install_command
from roundsim.bridges import export, rows
from roundsim.bridges.export import FORMS
from roundsim.cli import look
from roundsim.replaying.logged import LoggedBlock
from roundsim.running import Run
from roundsim.tournament.storage.folder import RunFolder

pytestmark = pytest.mark.usefixtures("here")

PAGE = ROOT / "docs" / "export.md"


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A run of several shards with few rows each."""
    run = roundsim.play("jig", ["random"] * 3, deals=2100, jobs=1, out=tmp_path_factory.mktemp("long") / "run")
    assert len(RunFolder(run.folder).firsts(run.tournament.entries[0])) > 2
    return run


@pytest.mark.parametrize("what", one_in(2, [*rows.COLUMNS]))
def test_groups_have_equal_size(what: str, long: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last has what is left; the rows are the same as in one group."""
    parquet, ipc = pytest.importorskip("pyarrow.parquet"), pytest.importorskip("pyarrow.ipc")
    whole = parquet.ParquetFile(roundsim.export(long.folder, "parquet", what, out=tmp_path, jobs=1))
    count = whole.metadata.num_rows
    assert whole.metadata.num_row_groups == 1 and export.GROUP == 250_000
    monkeypatch.setattr(export, "GROUP", 4000)
    expected = [4000] * (count // 4000) + [count % 4000]
    made = parquet.ParquetFile(roundsim.export(long.folder, "parquet", what, out=tmp_path / "small", jobs=1))
    assert [made.metadata.row_group(at).num_rows for at in range(made.num_row_groups)] == expected
    batches = ipc.open_file(roundsim.export(long.folder, "arrow", what, out=tmp_path, jobs=1))
    assert [batches.get_batch(at).num_rows for at in range(batches.num_record_batches)] == expected
    assert made.read().to_pylist() == batches.read_all().to_pylist() == whole.read().to_pylist()


@pytest.mark.soak
@pytest.mark.parametrize("to", [*FORMS])
def test_bytes_do_not_depend_on_processes(to: str, long: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "GROUP", 2500)
    whole = roundsim.export(long.folder, to, "decisions", out=tmp_path / "whole", jobs=1).read_bytes()
    monkeypatch.setattr(export, "RANGE", 1)
    for jobs in 1, 2, 3:
        done = export.export_run(RunFolder(long.folder), to, "decisions", tmp_path / f"{jobs}", jobs=jobs)
        assert done.path.read_bytes() == whole and done.missing == 0


@pytest.mark.soak
def test_damage_ends_all_processes(long: Run, shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "RANGE", 1)
    run = shutil.copytree(long.folder, tmp_path / "run")
    last = max((run / "log" / "jig").iterdir())
    last.write_bytes(last.read_bytes()[:-9])
    done = shell("export", run, "--to", "csv", "--out", "out", "--jobs", 3)
    assert done.code == 65 and last.name in done.err and not [*(tmp_path / "out").iterdir()]


class Counted(tuple[Any, ...]):
    """A row that counts how many of its kind exist, and the most that ever existed together."""

    there = most = 0

    def __init__(self, values: object) -> None:
        Counted.there += 1
        Counted.most = max(Counted.most, Counted.there)

    def __del__(self) -> None:
        Counted.there -= 1


@pytest.mark.parametrize("to", one_in(3, [*FORMS]))
def test_no_more_than_a_shard_is_held(to: str, long: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if to != "csv":
        pytest.importorskip("pyarrow")
    monkeypatch.setitem(rows.ROWS, "deals", lambda block: map(Counted, rows.deal_rows(block)))
    monkeypatch.setattr(Counted, "most", 0)
    roundsim.export(long.folder, to, out=tmp_path)
    shards = [3 * len(re.findall(r"^\d", text_of(shard), re.M)) for shard in (long.folder / "log" / "jig").iterdir()]
    assert Counted.there == 0 and max(shards) <= Counted.most <= max(shards) + 3 < sum(shards) / 2


def test_existing_files_are_kept(parlour: Run, shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "deals.csv").write_text("mine")
    done = shell("export", parlour.folder, "--to", "csv")
    assert done.code == 73 and done.err == "roundsim: deals.csv is there already; --force replaces it\n"
    assert (tmp_path / "deals.csv").read_text() == "mine"
    assert shell("export", parlour.folder, "--to", "csv", "--force").code == 0
    assert (tmp_path / "deals.csv").read_text().startswith("entry,game,options,block")
    (tmp_path / "folder" / "deals.csv").mkdir(parents=True)
    done = shell("export", parlour.folder, "--to", "csv", "--out", "folder", "--force")
    assert done.code == 73 and done.err == "roundsim: folder/deals.csv is there already\n"
    assert shell("export", parlour.folder, "--to", "csv", "--out", "deals.csv").code == 64
    with pytest.raises(FolderError):
        roundsim.export(parlour.folder, "csv", out=tmp_path / "deals.csv" / "below")


def test_the_command_leaves_the_run_as_it_was(parlour: Run, shell: Shell, tmp_path: Path) -> None:
    done = shell("export", parlour.folder, "--to", "csv")
    assert (done.code, done.out, done.err) == (0, "wrote deals.csv  270 rows\n", "")
    assert shell("export", parlour.folder, "--to", "csv", "--what", "decisions", "--out", "a/b").code == 0
    assert [each.name for each in (tmp_path / "a" / "b").iterdir()] == ["decisions.csv"]
    to, what = (each for each in look.export.params if each.name in ("to", "what"))
    assert [*getattr(to.type, "choices", ())] == [*FORMS] and [*getattr(what.type, "choices", ())] == [*rows.COLUMNS]
    # Even if the file is written into its folder.
    run = shutil.copytree(parlour.folder, tmp_path / "run")
    before = contents(run)
    assert shell("export", run, "--to", "csv", "--out", run).code == 0
    assert shell("verify", run).out.startswith("90 deals verified\n")
    assert {name: data for name, data in contents(run).items() if name != "deals.csv"} == before


def test_no_half_file_is_left(long: Run, shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SIGTERM comes when the first shard is written, or a shard is damaged; what was there before is still there."""
    run, table = shutil.copytree(long.folder, tmp_path / "run"), tmp_path / "out" / "deals.csv"
    table.parent.mkdir()
    table.write_text("old")
    written = list[int]()
    monkeypatch.setattr(export, "RANGE", 1)

    def struck(block: LoggedBlock) -> Iterator[rows.ExportRow]:
        if block.above == 0:
            written.append(sum(each.stat().st_size for each in table.parent.glob(".deals.csv.*")))
        if len(written) == 3:
            os.kill(os.getpid(), signal.SIGTERM)
        return rows.deal_rows(block)

    with monkeypatch.context() as patch, pytest.raises(AssertionError, match="143"):  # no code that `shell` knows
        patch.setitem(rows.ROWS, "deals", struck)
        shell("export", run, "--to", "csv", "--out", "out", "--force", "--jobs", 1)
    assert written[-1] > 1000
    last = max((run / "log" / "jig").iterdir())
    last.write_bytes(last.read_bytes()[:-9])
    done = shell("export", run, "--to", "csv", "--out", "out", "--force")
    assert done.code == 65 and last.name in done.err
    assert [(each.name, each.read_text()) for each in table.parent.iterdir()] == [("deals.csv", "old")]


KILLED = """
import os, signal
from roundsim.bridges import export
from roundsim.cli import main

class Heading(tuple):
    def __iter__(self):
        os.kill(os.getpid(), signal.SIGKILL)

export.COLUMNS = {"decisions": Heading()}
main()
"""


@pytest.mark.soak
def test_the_next_export_removes_files_of_a_killed_one(parlour: Run, shell: Shell, tmp_path: Path) -> None:
    words = "export", str(parlour.folder), "--to", "csv", "--what"
    killed = subprocess.run([sys.executable, "-c", KILLED, *words, "decisions"], cwd=tmp_path, env=environment())
    assert killed.returncode == -signal.SIGKILL and re.fullmatch(r"\.decisions\.csv\.\d+", os.listdir(tmp_path)[0])
    (tmp_path / ".mine.csv.1").touch()
    with (tmp_path / ".deals.arrow.1").open("w") as written:
        fcntl.flock(written, fcntl.LOCK_EX)  # another process writes it
        assert shell(*words, "deals").code == 0
    assert sorted(os.listdir(tmp_path)) == [".deals.arrow.1", ".mine.csv.1", "deals.csv"]


def test_an_unfinished_run_is_reported(long: Run, shell: Shell, tmp_path: Path) -> None:
    run = shutil.copytree(long.folder, tmp_path / "run")
    max((run / "log" / "jig").iterdir()).unlink()
    done = shell("export", run, "--to", "csv")
    assert (done.code, done.err) == (0, "roundsim: unfinished: 1 shard is not played yet\n")
    there = sum(len(re.findall(r"^\d", text_of(each), re.M)) for each in (run / "log" / "jig").iterdir())
    assert len((tmp_path / "deals.csv").read_text().splitlines()) == 1 + 3 * there
    shutil.rmtree(run / "log")
    assert shell("export", run, "--to", "csv", "--force").out == "wrote deals.csv  0 rows\n"
    pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    assert parquet.read_table(roundsim.export(run, "parquet", "decisions")).num_rows == 0


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["run", "--to", "parket"], 64, "'parket' is not one of 'parquet', 'arrow', 'csv'"),
        (["run"], 64, "--to is missing: parquet"),
        (["run", "--to", "csv", "--what", "hands"], 64, "'hands' is not one of 'deals', 'decisions'"),
        (["run", "--to", "csv", "--entry", "nup"], 64, "no game 'nup' in this run (did you mean nap?): nap"),
        (["empty", "--to", "csv"], 65, "empty/run.toml"),
        (["nothing", "--to", "csv"], 65, "nothing/run.toml"),
    ],
)
def test_wrong_words(words: list[str], code: int, said: str, parlour: Run, shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "run").symlink_to(parlour.folder)
    (tmp_path / "empty").mkdir()
    done = shell("export", *words, "--out", "out")
    assert done.code == code and said in done.err and not (tmp_path / "out").exists()


def test_a_folder_that_is_called_like_a_file_is_refused(parlour: Run, shell: Shell) -> None:
    done = shell("export", parlour.folder, "--to", "csv", "--out", "new/xx.csv")
    problem = "new/xx.csv would be a folder: name one to write deals.csv into, as new/xx"
    assert (done.code, done.err, Path("new").exists()) == (64, f"roundsim: {problem}\n", False)
    Path("xx.csv").mkdir()
    assert shell("export", parlour.folder, "--to", "csv", "--out", "xx.csv").code == 0
    assert Path("xx.csv/deals.csv").is_file()


def test_wrong_names_from_python(parlour: Run, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no format 'parket' \(did you mean parquet\?\): parquet, arrow, csv"):
        roundsim.export(parlour.folder, "parket", out=tmp_path)
    with pytest.raises(InputError, match=r"no table 'deal' \(did you mean deals\?\): deals, decisions"):
        roundsim.export(parlour.folder, "csv", "deal", out=tmp_path)


@pytest.mark.parametrize("to", ["parquet", "arrow"])
def test_without_pyarrow(to: str, parlour: Run, shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = shell("export", parlour.folder, "--to", to, "--out", "out")
    assert done.code == PluginError.code == 66 and len(done.err.splitlines()) == 1
    assert "needs pyarrow" in done.err and install_command("export") in done.err
    assert not (tmp_path / "out").exists()
    assert shell("export", parlour.folder, "--to", "csv", "--out", "out").code == 0


def test_the_page_names_every_column() -> None:
    tables = PAGE.read_text("utf-8").partition("# Three questions")[0].split("`--what decisions`")
    for text, columns in zip(tables, rows.COLUMNS.values(), strict=True):
        cells = [line.split(" | ")[0] for line in text.splitlines() if line.startswith("| `")]
        assert re.findall(r"`(\w+)`", "".join(cells)) == [*columns]


@pytest.mark.soak
def test_the_page_answers_what_it_says(shell: Shell, capfd: pytest.CaptureFixture[str]) -> None:
    """Its blocks in their order, each number below them as it is printed."""
    for name in "pyarrow", "pandas", "polars":
        pytest.importorskip(name)
    printed, answers = "", 0
    for block in blocks(PAGE):
        if block.language == "sh":
            for line in block.text.splitlines():
                assert shell(*shlex.split(line)[1:], "--jobs", 1).code == 0
        elif block.language == "python":
            capfd.readouterr()
            exec(block.text, {})
            printed = capfd.readouterr().out
        else:
            numbers = [[float(each) for each in re.findall(r"-?\d+\.\d+", text)] for text in (block.text, printed)]
            assert numbers[0] == numbers[1] != [], f"{block}\n{printed}"
            answers += 1
    assert answers == 3
