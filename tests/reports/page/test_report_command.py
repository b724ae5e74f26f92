"""`roundsim report` by its command: what it writes, the same bytes for the same run, how much, and what it refuses."""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from conftest import Shell, Write, addresses
from helpers.command import PATIENCE, drawn, small_files
from helpers.command import roundsim as command
from helpers.shard_text import text_of, write_text

import roundsim
from roundsim import games
from roundsim.running import Run

pytestmark = pytest.mark.usefixtures("here")

SIZE = 2_000_000  # bytes, at most
DATA = re.compile(r'<script type="application/json" id="deals-data">(.*?)</script>', re.S)


def data_in(page: Path) -> dict[str, Any]:
    found = DATA.search(page.read_text("utf-8"))
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def unpacked(page: Path) -> dict[str, dict[str, Any]]:
    """The deals of a page by their addresses, by another reader than the page's own."""
    groups = data_in(page)["groups"]
    deals = [json.loads(zlib.decompress(base64.b64decode(group["data"]), -15)) for group in groups]
    assert [[deal["addr"] for deal in each] for each in deals] == [group["addrs"] for group in groups]
    return {deal["addr"]: deal for each in deals for deal in each}


@pytest.fixture
def run(parlour: Run, tmp_path: Path) -> Path:
    return Path(shutil.copytree(parlour.folder, tmp_path / "run"))


@pytest.fixture(scope="module")
def page(parlour: Run, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return roundsim.report(parlour.folder, out=tmp_path_factory.mktemp("page") / "report.html")


def test_the_page_has_the_title_of_the_file_and_the_run_keeps_it(shell: Shell, write: Write) -> None:
    games = '[tournament]\nstrategies = ["book", "random"]\n[[games]]\ngame = "nap"\ndeals = 16\n'
    write("t.toml", games)
    assert shell("run", "t.toml", "--out", "r", "--report").code == 0
    before = Path("r/run.toml").read_text()
    assert "<h1>t<" in Path("r/report.html").read_text() and "title" not in before
    write("t.toml", games.replace("]", ']\ntitle = "At the Feathers & Co"', 1))
    done = shell("run", "t.toml", "--out", "r", "--report")
    assert "nothing left to play" in done.out, done
    shown, page = "At the Feathers &amp; Co", Path("r/report.html").read_text()
    assert f"<title>{shown} · roundsim<" in page and f"<h1>{shown}<" in page and f'<b class="own">{shown}</b>' in page
    after = Path("r/run.toml").read_text()
    assert after.replace('title = "At the Feathers & Co"\n', "") == before != after
    assert "the page of this log" in shell("verify", "r").out
    write("r/run.toml", after.replace(" & Co", "\\n"))
    assert shell("report", "r").err == f"roundsim: {Path('r') / 'run.toml'}: damaged: title = 'At the Feathers\\n'\n"


def test_a_run_has_its_page_in_its_folder(run: Path, shell: Shell) -> None:
    (run / ".report.html.1").touch()  # left by a process that was killed
    assert shell("report", "run") == (0, f"wrote {Path('run') / 'report.html'}\n", "")
    assert not (run / ".report.html.1").exists()
    assert shell("report", "run", "--out", "there.html").out == "wrote there.html\n"
    text = (run / "report.html").read_text("utf-8")
    assert text == Path("there.html").read_text("utf-8") and "deals verified" not in text
    assert shell("report", "run", "--verify").code == 0
    assert "90 deals verified" in (run / "report.html").read_text("utf-8")


def test_deals_of_the_page_are_those_of_the_log_with_the_best_and_the_worst_of_each(
    page: Path, parlour: Run, shell: Shell
) -> None:
    lines = shell("log", parlour.folder, "--format", "json").out.splitlines()
    logged = {deal["deal"]: deal for deal in map(json.loads, lines)}
    deals = unpacked(page)
    assert deals
    for address, deal in deals.items():
        there = logged[address]
        assert deal["net"] == there["net"] and deal["seats"] == there["seats"] and deal["dealer"] == there["dealer"]
        actions = [(each["seat"], each["action"]) for each in there["actions"]]
        assert [(step["s"], step["a"]) for step in deal["steps"]] == actions
        came = list(deal["start"]["net"])
        for payer, payee, counters, why, _ in [move for step in deal["steps"] for move in step.get("m", [])]:
            assert why and counters > 0
            for party, sign in (payer, -1), (payee, 1):
                if isinstance(party, int):
                    came[party] += sign * counters
        assert came == there["net"], address
    seated = [each for deal in unpacked(page).values() for each in zip(deal["seats"], deal["net"], strict=True)]
    for row in parlour.standings["games"][0]["rows"]:
        nets = [net for name, net in seated if name == row["strategy"]]
        for word, extreme in {"best": max, "worst": min}.items():
            words = "deals", parlour.folder, f"--{word}", row["strategy"], "-n", 1, "--format", "json"
            assert extreme(nets) == json.loads(shell(*words).out)["net"]


def test_two_runs_are_compared(run: Path, shell: Shell) -> None:
    shell("play", "nap", "book(bold=1)", "random", "random", "--deals", "90", "--jobs", "1", "--out", "other")
    done = shell("report", "run", "other")
    assert (done.code, done.out) == (0, "wrote diff.html\n")
    text = Path("diff.html").read_text("utf-8").replace("\N{MINUS SIGN}", "-")
    assert "<script>" in text and "http" not in text.replace("http-equiv", "")
    for line in shell("diff", "run", "other", "--format", "csv").out.splitlines()[1:3]:
        assert line.split(",")[1] in text


def test_an_unfinished_run_says_what_it_lacks(run: Path, shell: Shell) -> None:
    first = sorted((run / "log").rglob("*.zst"))[0]
    first.unlink()
    done = shell("report", "run")
    assert done.code == 0 and done.err == "roundsim: unfinished: 1 shard is not played yet\n"
    assert re.search(r"1 shard is\s+not played yet", (run / "report.html").read_text("utf-8"))


def test_a_link_is_replaced_and_a_pipe_is_written_to(run: Path, shell: Shell) -> None:
    """A pipe stays what it is. A link is replaced, because a checkout may have brought it."""
    shell("report", "run", "--out", "page.html")
    page = Path("page.html").read_bytes()
    os.mkfifo("pipe")
    with ThreadPoolExecutor(1) as reader:
        read = reader.submit(Path("pipe").read_bytes)
        assert shell("report", "run", "--out", "pipe").code == 0
        assert read.result(PATIENCE) == page and Path("pipe").is_fifo()
    Path("real.html").touch()
    for name, to in ("link.html", "real.html"), ("lost.html", "nowhere"):
        Path(name).symlink_to(to)
        assert shell("report", "run", "--out", name).code == 0
        assert not Path(name).is_symlink() and Path(name).read_bytes() == page
    assert not Path("real.html").read_bytes() and not Path("nowhere").exists()
    assert shell("report", "run", "--out", "/dev/stdout").code == 0


@pytest.mark.soak
def test_the_same_run_gives_the_same_bytes(run: Path, tmp_path: Path) -> None:
    """Twice, under another hash seed, and from another place."""
    pages = []
    for hash_seed, name in ("0", "one"), ("0", "two"), ("4711", "three"):
        command("report", "run", "--out", f"{name}.html", cwd=tmp_path, hash_seed=hash_seed)
        pages.append((tmp_path / f"{name}.html").read_bytes())
    assert len({*pages}) == 1
    assert str(tmp_path).encode() not in pages[0]


def test_the_option_writes_what_the_command_writes(shell: Shell) -> None:
    words = "play", "loo", "book", "random", "random", "--deals", 18, "--jobs", 1
    assert "run/report.html" in shell(*words, "--out", "run", "--report").out
    written = Path("run/report.html").read_bytes()
    shell("report", "run")
    assert Path("run/report.html").read_bytes() == written


@pytest.mark.soak
def test_the_whole_book_with_eight_strategies_is_below_two_megabytes(tmp_path: Path) -> None:
    """With the best and the worst deal of each in every game, and the same bytes under another hash seed."""
    strategies = [f"s{at}={name}" for at, name in enumerate(["book"] * 4 + ["random"] * 4)]
    entries = "".join(f'[[games]]\ngame = "{game}"\nplayers = 4\ndeals = {drawn(40, 200)}\n' for game in games.ours())
    (tmp_path / "t.toml").write_text(f'[tournament]\nname = "book"\nstrategies = {strategies}\n{entries}', "utf-8")
    command("run", "t.toml", "--out", "run", cwd=tmp_path)
    for hash_seed in "12":
        command("report", "run", "--out", f"{hash_seed}.html", cwd=tmp_path, hash_seed=hash_seed)
    page = tmp_path / "1.html"
    assert page.read_bytes() == (tmp_path / "2.html").read_bytes() and page.stat().st_size < SIZE
    assert {group["entry"] for group in data_in(page)["groups"]} == {*games.ours()}
    there, data = unpacked(page), json.loads((tmp_path / "run" / "standings.json").read_text("utf-8"))
    for game in data["games"]:
        assert game["extremes"]["best"]["deal"] in there and game["extremes"]["worst"]["deal"] in there


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["nowhere"], 65, "nowhere/run.toml: No such file or directory: this is no run folder"),
        (["run:nap/99/1/1"], 65, "nap/99/1/1: there is no such deal in run"),
        (["run:nop/1/1/1"], 65, "as nap/1/1/1 (did you mean nap?)"),
        (["run:nap/1/1"], 65, "'nap/1/1' is no deal of this run: ENTRY/BLOCK/SITTING/DEAL, as nap/1/1/1"),
        (["run:nap/1/1/-1"], 65, "is no deal of this run"),
        (["run", "nowhere"], 65, "nowhere/run.toml: No such file"),
        (["run", "run", "run"], 64, "a page is of one run, or of two that are compared"),
        (["run:nap/1/1/1", "--verify"], 64, "--verify goes with one RUN"),
        (["run", "run", "--verify"], 64, "--verify goes with one RUN"),
        ([], 64, "RUN... is missing"),
        (["run", "--out", "nowhere/page.html"], 73, "cannot write nowhere/page.html: No such file or directory"),
        (["run", "--out", "run"], 64, "'run' is a directory"),
    ],
)
def test_impossible_reports_are_refused(words: list[str], code: int, message: str, run: Path, shell: Shell) -> None:
    done = shell("report", *words)
    assert done.code == code and message in done.err, done.err
    assert not (run / "report.html").exists() and not [*Path().glob("*.html")]


def test_a_damaged_log_or_one_that_breaks_the_rules_is_65(run: Path, shell: Shell) -> None:
    (first,) = (run / "log").rglob("*.zst")
    text, whole = text_of(first), first.read_bytes()
    for data in b"", b"garbage", whole[:200]:
        first.write_bytes(data)
        done = shell("report", "run")
        assert done.code == 65 and str(first.relative_to(run)) in done.err and not (run / "report.html").exists()
    first.write_bytes(whole)
    write_text(first, re.sub(r"play (\w\w)\b", "play Jo", text))
    assert first.read_bytes() != whole
    done = shell("report", "run")
    assert done.code == 65 and not (run / "report.html").exists(), done


@pytest.mark.soak
def test_no_room_is_73_and_leaves_the_page_that_was_there(run: Path, tmp_path: Path) -> None:
    (run / "report.html").write_text("before", "utf-8")
    done = command("report", "run", cwd=tmp_path, code=73, before=small_files(20_000))
    assert "cannot write run/report.html: File too large" in done.stderr and "Traceback" not in done.stderr
    assert (run / "report.html").read_text("utf-8") == "before"
    assert not [each for each in run.iterdir() if each.name.startswith(".report")]


def test_every_deal_of_a_run_has_a_page(run: Path, shell: Shell, parlour: Run) -> None:
    for address in addresses(parlour)[::30]:
        done = shell("report", f"run:{address}", "--out", "deal.html")
        assert done.code == 0 and [*unpacked(Path("deal.html"))] == [address]
