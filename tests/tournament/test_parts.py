"""A run played in parts and merged is the same bytes as one machine's; a merge without all its parts is refused in words."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from conftest import Shell
from helpers.command import (
    BAD,
    PATIENCE,
    ROOT,
    TESTS,
    assert_same,
    begin,
    contents,
    drawn,
    ended,
    roundsim,
    seldom_with,
    shards,
    small_files,
    stamps,
)

import roundsim as package
from roundsim.base.errors import InputError, LogError
from roundsim.tournament.planning.parts import Part
from roundsim.tournament.storage.folder import RunFolder
from roundsim.tournament.storage.layout import shard_path

pytestmark = pytest.mark.usefixtures("here")

SLOW = """
class Slow:
    games = ["*"]
    imagines = True  # so that shards are small
    def act(self, view):
        return view.chance.choice(view.legal)
"""
TWO_GAMES = """
[tournament]
name = "two games"
strategies = ["slow.py", "random", "random", "book", "random"]
[[games]]
game = "nap"
players = 4
deals = 208
[[games]]
name = "twenty-one"
game = "vingt-un"
players = 5
sitting = 5
deals = 200
"""
FREEZE_OUT = """
[tournament]
format = "freeze-out"
strategies = ["random", "book", "slow.py"]
[[games]]
game = "draw-poker"
times = 5
stack = 20
options = { stakes = "table" }
"""
EVENINGS = """
[tournament]
format = "progressive"
strategies = ["slow.py", "random", "random", "book", "random", "random", "random", "random"]
[[games]]
game = "draw-poker"
times = 5
options = { stakes = "table" }
"""
FAULTY = """
[tournament]
strategies = ["slow.py", "random", "bad.py:Sometimes(often=0.02)", "bad.py:Crash"]
[limits]
faults_allowed = 1
[[games]]
game = "nap"
deals = 400
"""
KINDS = {"two-games": TWO_GAMES, "freeze-out": FREEZE_OUT, "evenings": EVENINGS, "faulty": FAULTY}


def lay_out(folder: Path) -> Path:
    """The tournaments and their strategies."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "slow.py").write_text(SLOW)
    for strategies in BAD, TESTS / "strategies" / "habits.py":
        shutil.copy(strategies, folder)
    for kind, text in KINDS.items():
        (folder / f"{kind}.toml").write_text(text)
    return folder


def play_parts(cwd: Path, kind: str, of: int, *words: object, jobs: int = 1, code: int = 0) -> list[str]:
    """Play all parts, each into a folder that is named after it; the folders."""
    folders = [f"{kind}.{number}of{of}" for number in range(1, of + 1)]
    for number, folder in enumerate(folders, 1):
        more = ("--shard", f"{number}/{of}", "--jobs", jobs, "--out", folder, *words)
        roundsim("run", f"{kind}.toml", *more, cwd=cwd, code=code)
    return folders


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two games at one stretch, in `whole`, and in three parts.  Not to be changed: copy it."""
    cwd = lay_out(tmp_path_factory.mktemp("desk"))
    roundsim("run", "two-games.toml", "--jobs", 2, "--out", "whole", cwd=cwd)
    play_parts(cwd, "two-games", 3)
    return cwd


@pytest.fixture
def copy(desk: Path, tmp_path: Path) -> Path:
    return shutil.copytree(desk, tmp_path / "desk")


PARTS = [f"two-games.{number}of3" for number in (1, 2, 3)]


@pytest.mark.soak
def test_three_parts_of_two_games(desk: Path, copy: Path) -> None:
    before = {part: stamps(copy / part) for part in PARTS}
    done = roundsim("merge", *PARTS[::-1], "--out", "merged", cwd=copy)
    assert_same(desk / "whole", copy / "merged")
    assert before == {part: stamps(copy / part) for part in PARTS}
    table = roundsim("standings", "whole", cwd=desk).stdout
    assert done.stdout.startswith(table.rstrip("\n")) and "\nresults  merged/\n" in done.stdout
    assert done.stdout.splitlines()[-1] == f"repeat   roundsim merge {' '.join(PARTS[::-1])} --out merged"
    assert package.verify(copy / "merged") == 208 + 200


@pytest.mark.parametrize(
    ("kind", "of", "jobs", "code"),
    seldom_with(("freeze-out", 2, 1, 0), ("evenings", 2, 1, 0), ("faulty", 3, 2, 2), ("two-games", 4, 2, 0)),
)
def test_other_formats_and_faults(tmp_path: Path, kind: str, of: int, jobs: int, code: int) -> None:
    lay_out(tmp_path)
    roundsim("run", f"{kind}.toml", "--jobs", 2, "--out", "whole", cwd=tmp_path, code=code)
    parts = play_parts(tmp_path, kind, of, jobs=jobs, code=code)
    done = roundsim("merge", *parts, "--out", "merged", cwd=tmp_path, code=code)
    assert_same(tmp_path / "whole", tmp_path / "merged")
    assert ("all of them: merged/faults.jsonl" in done.stderr) == bool(code)


def test_the_parts_find_their_own_folders(tmp_path: Path, shell: Shell) -> None:
    """More parts than shards: some have none.  They are merged into the folder of the run."""
    lay_out(tmp_path)
    for number in range(1, 5):
        done = shell("run", "freeze-out.toml", "--times", 3, "--shard", f"{number}/4", "--jobs", 1)
        assert done.code == 0
    folders = sorted(path.name for path in Path("runs").iterdir())
    (name,) = {folder.rpartition(".")[0] for folder in folders}
    assert folders == [f"{name}.{number}of4" for number in range(1, 5)]
    assert re.fullmatch("freeze-out-[0-9a-f]{6}", name)
    assert "part 4 of 4: 0 of 3 shards, 0 deals\nnothing left to play\n" in done.out
    assert f"merge    roundsim merge runs/{name}.*of4\n" in done.out
    assert shell("merge", *[f"runs/{folder}" for folder in folders]).code == 0
    assert "nothing left to play" in shell("run", "freeze-out.toml", "--times", 3).out
    assert package.verify(Path("runs") / name)


@pytest.mark.soak
def test_parts_grow(desk: Path, tmp_path: Path) -> None:
    """Each keeps the shards that it has, also where its last one was short."""
    lay_out(tmp_path)
    file, parts = tmp_path / "two-games.toml", [f"two-games.{number}of2" for number in (1, 2)]
    for number, part in enumerate(parts, 1):
        package.run(file, deals=140, shard=f"{number}/2", jobs=1, out=tmp_path / part)
    before = {part: set(shards(tmp_path / part)) for part in parts}
    play_parts(tmp_path, "two-games", 2)
    assert all(before[part] < set(shards(tmp_path / part)) for part in parts)
    merged = package.merge([tmp_path / part for part in parts], out=tmp_path / "merged")
    assert_same(desk / "whole", tmp_path / "merged")
    assert merged.standings == package.open_run(desk / "whole").standings


@pytest.mark.soak
def test_parts_and_what_they_are_merged_into_are_joined_by_others(tmp_path: Path) -> None:
    """The newcomer joins all parts, or the merged run: it is the same run."""
    words = ("play", "nap", "random", "random", "random", "--deals", 1100)
    for number in 1, 2:
        roundsim(*words, "--shard", f"{number}/2", "--out", number, cwd=tmp_path)
    roundsim("merge", 1, 2, "--out", "merged", cwd=tmp_path)
    for folder in 1, 2, "merged":
        roundsim("grow", folder, "--strategy", "book", cwd=tmp_path)
    roundsim("merge", 1, 2, "--out", "grown", cwd=tmp_path)
    assert_same(tmp_path / "grown", tmp_path / "merged")
    assert package.verify(tmp_path / "grown") > 2000


def test_every_shard_is_dealt_to_one_part(desk: Path, tmp_path: Path) -> None:
    """However many there are; no part has more than one more than another."""
    for of in [1, 2, 3, 8, 1000]:
        for entry in range(5):
            for count in 0, 1, 5, 17, 2500:
                dealt = Counter[int]()
                for number in range(1, of + 1):
                    own = range(count)[Part(number, of).own(entry)]
                    dealt.update(own)
                    assert len(own) in (count // of, -(-count // of))
                assert dealt == Counter(range(count))
        firsts = [next(n for n in range(1, of + 1) if 0 in range(1)[Part(n, of).own(entry)]) for entry in range(5)]
        assert len(set(firsts)) == min(5, of)  # games of one shard each are not all the first part's
    # Five shards of 3 blocks, the last of one, and 4 of 2: the games begin with shard 1 and with shard 3.
    there = [set(shards(desk / part)) for part in PARTS]
    assert set.union(*there) == set(shards(desk / "whole")) and sum(map(len, there)) == 9
    assert sorted(there[0]) == [f"log/{name}.zst" for name in ("nap/0000001", "nap/0000010", "twenty-one/0000005")]
    assert [len(each) for each in there] == [3, 4, 2]
    # Shards of a thousand parts lie far apart: they are known all the same; those of other parts are not.
    large = package.open_run(desk / "whole").tournament.entries[0]  # of 3 blocks a shard
    last = replace(large, blocks=10**8, own=Part(1000, 1000).own(0))
    firsts = [2998, 32971, 32971 + 899 * 30000]  # the last shard of one piece; from 3001 on a shard has thirty blocks
    assert [blocks[0] for blocks in islice(last.shards(), 2)] == firsts[:2]
    for first in (1, *firsts, 3001):
        path = tmp_path / "log" / "nap" / shard_path(last, first)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert RunFolder(tmp_path).firsts(last) == firsts


def test_a_part_is_looked_at_as_a_run_that_is_not_finished(desk: Path) -> None:
    folder = desk / SECOND
    assert {path.name for path in folder.iterdir()} == {"run.toml", "log", "timing.json"}
    done = roundsim("standings", SECOND, cwd=desk)
    assert done.stderr == "roundsim: part 2 of 3\n" and "Nap" in done.stdout
    deals = roundsim("log", SECOND, cwd=desk).stdout
    whole = roundsim("log", "whole", cwd=desk).stdout
    assert "\nnap/4/1/1 " in deals and "\nnap/1/1/1 " not in deals and set(deals.splitlines()) < set(whole.splitlines())
    verified = roundsim("verify", SECOND, cwd=desk).stdout
    assert re.match(r"\d+ deals verified; part 2 of 3\n", verified)
    played = package.open_run(folder).standings["games"]
    assert verified.split(" deals")[0] == str(sum(game["deals"] for game in played))
    assert "nap/4/1/" in roundsim("deals", SECOND, "--entry", "nap", cwd=desk).stdout
    one, other = (roundsim("replay", f"{run}:nap/4/1/2", cwd=desk).stdout for run in (SECOND, "whole"))
    assert one == other
    assert "there is no such deal" in roundsim("replay", f"{SECOND}:nap/1/1/1", cwd=desk, code=65).stderr


def test_a_merge_that_was_broken_off_goes_on(desk: Path, copy: Path) -> None:
    """Some shards are there, of one half a file; the files there are not written again."""
    roundsim("merge", *PARTS, "--out", "merged", cwd=copy)
    for name in "log/nap/0000004.zst", "log/twenty-one/0000001.zst", "standings.json":
        (copy / "merged" / name).unlink()
    (copy / "merged" / "log" / "nap" / ".0000004.zst.77").write_bytes(b"half a")
    kept = shards(copy / "merged")
    roundsim("merge", *PARTS, "--out", "merged", cwd=copy)
    assert_same(desk / "whole", copy / "merged")
    assert kept.items() <= shards(copy / "merged").items()
    before = stamps(copy / "merged")
    assert "nothing left to merge\n" in roundsim("merge", *PARTS, "--out", "merged", cwd=copy).stdout
    assert stamps(copy / "merged") == before


def test_a_merged_run_has_the_version_that_started_its_parts(copy: Path) -> None:
    for part in PARTS:
        change_run(f'roundsim = "{package.__version__}"', 'roundsim = "0.0.9"')(copy / part)
    roundsim("merge", *PARTS, "--out", "merged", cwd=copy)
    assert 'roundsim = "0.0.9"\n' in (copy / "merged" / "run.toml").read_text()
    assert (copy / "merged" / "log/nap/0000001.zst").exists()


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(drawn(1, 6)))
def test_parts_and_merges_killed_over_and_over(tmp_path: Path, seed: int) -> None:
    """Each command is given until it ends by itself, and struck at random moments before."""
    lay_out(tmp_path)
    chance = Random(seed)
    roundsim("run", "faulty.toml", "--deals", 1500, "--jobs", 2, "--out", "whole", cwd=tmp_path, code=2)

    def strike(*words: object) -> None:
        process = begin(*words, cwd=tmp_path)
        try:
            process.communicate(timeout=chance.choice((0.3, 1.0, 2.0)) * chance.random())
        except subprocess.TimeoutExpired:  # still at it
            number = chance.choice((signal.SIGKILL, signal.SIGTERM, signal.SIGINT))
            chance.choice((os.killpg, os.kill))(process.pid, number)
            _, said = process.communicate(timeout=PATIENCE)
            # Python itself may be struck, before `main` of `__main__` starts
            ours = re.escape(str(ROOT / "roundsim"))
            assert not re.search(rf"{ours}/(?!__(init|main)__\.py)", said) and "bug" not in said, said
        assert ended(process.pid)

    def insist(*words: object) -> None:
        for _ in range(chance.randint(2, 6)):
            strike(*words)
        roundsim(*words, cwd=tmp_path, code=2)

    parts = [f"part-{number}" for number in (1, 2, 3)]
    for number, part in enumerate(parts, 1):
        jobs = chance.choice((1, 2))
        insist("run", "faulty.toml", "--deals", 1500, "--shard", f"{number}/3", "--jobs", jobs, "--out", part)
    insist("merge", *parts, "--out", "merged")
    assert_same(tmp_path / "whole", tmp_path / "merged")


def change_run(old: str, new: str) -> Callable[[Path], object]:
    def change(part: Path) -> None:
        path = part / "run.toml"
        assert old in path.read_text()
        path.write_text(path.read_text().replace(old, new, 1))

    return change


def flip_a_bit(part: Path) -> None:
    path = part / "log" / "nap" / "0000004.zst"
    data = path.read_bytes()
    path.write_bytes(data[:200] + bytes([data[200] ^ 1]) + data[201:])


def shard_of(part: str, first: int, to: int) -> Callable[[Path], object]:
    """A shard is another part's."""

    def change(here: Path) -> None:
        shutil.copy(here.parent / part / f"log/nap/{first:07d}.zst", here / f"log/nap/{to:07d}.zst")

    return change


SECOND = PARTS[1]
FORGED: dict[str, tuple[Callable[[Path], object], str]] = {
    "a missing shard": (
        lambda part: (part / "log/nap/0000004.zst").unlink(),
        f"{SECOND} is unfinished: it lacks 1 shard, from nap/4 on; the command that began it goes on",
    ),
    "a damaged shard": (flip_a_bit, f"{SECOND}/log/nap/0000004.zst: damaged: "),
    "no log": (lambda part: shutil.rmtree(part / "log"), f"{SECOND} is unfinished: it lacks 4 shards"),
    "another's shard for its own": (shard_of(PARTS[0], 1, 4), "where block 4 is to come it has one of another block"),
    "another's shard besides": (shard_of(PARTS[0], 1, 1), f"{SECOND}/log/nap/0000001.zst: nothing of part 2 of 3"),
    "a foreign file": (lambda part: (part / "log/notes.txt").write_text(""), "log/notes.txt: nothing of part 2 of 3"),
    "another part's name": (change_run('"2/3"', '"1/3"'), f"part 1 of 3 is given twice: {PARTS[0]} and {SECOND}"),
    "as many parts": (change_run('"2/3"', '"2/4"'), f"{SECOND} is part 2 of 4, {PARTS[0]} is part 1 of 3"),
    "no part": (change_run('part = "2/3"\n', ""), f"{SECOND} is a whole run, no part of one"),
    "nonsense": (change_run('"2/3"', '"4/3"'), f"{SECOND}/run.toml: damaged: "),
    "a number": (change_run('"2/3"', "2"), f"{SECOND}/run.toml: damaged: part = 2"),
    "another version": (change_run('roundsim = "', 'roundsim = "0'), "another run than two-games.1of3: roundsim is '0"),
    "another seed": (change_run("seed = 1", "seed = 2"), f"{SECOND} is of another run than {PARTS[0]}: seed is 2"),
    "more blocks": (change_run("blocks = 13", "blocks = 14"), "games[1].blocks is 14 there, 13 here"),
    "an option": (change_run("[games.options]", "[games.options]\nmisery = true"), "games[1].options.misery is True"),
    "no folder": (shutil.rmtree, f"{SECOND}/run.toml: No such file or directory: this is no run folder"),
}


@pytest.mark.parametrize("forgery", FORGED)
def test_a_forged_part_is_refused(copy: Path, forgery: str) -> None:
    """In words. Shards copied before a damaged one is read have no results, and the same command goes on with them."""
    forge, words = FORGED[forgery]
    forge(copy / SECOND)
    before = contents(copy)
    done = roundsim("merge", *PARTS, "--out", "merged", cwd=copy, code=65)
    assert words in done.stderr and len(done.stderr.splitlines()) == 1
    check_no_results(copy, before)


def check_no_results(copy: Path, before: Mapping[str, bytes]) -> None:
    there = contents(copy)
    assert {name: data for name, data in there.items() if not name.startswith("merged/")} == before
    assert not [name for name in there if name.startswith("merged/standings")]


def test_words_that_are_no_part_and_parts_that_are_missing_or_doubled(desk: Path) -> None:
    for folders, words in (
        (PARTS[:2], "missing: part 3 of 3"),
        (PARTS[2:], "missing: parts 1, 2 of 3"),
        ([*PARTS, SECOND], f"part 2 of 3 is given twice: {SECOND} and {SECOND}"),
        (["whole"], "whole is a whole run, no part of one"),
        ([*PARTS, "whole"], "whole is a whole run, no part of one"),
        (["."], "this is no run folder"),
    ):
        assert words in roundsim("merge", *folders, cwd=desk, code=65).stderr
    assert not (desk / "runs").exists()
    with pytest.raises(LogError, match="missing: parts 2, 3 of 3"):
        package.merge([desk / PARTS[0]])
    with pytest.raises(LogError, match="no parts"):
        package.merge([])
    with pytest.raises(TypeError):
        package.merge("1")
    for text in "9/8", "0/8", "x", "3", "3/", "/8", "-1/8", "3/0", "1/1001", "1/2/3", " 1/2", "1/٢", "":
        with pytest.raises(InputError, match="a part is written K/N, as 3/8: the K-th of N, of 1000 at most"):
            Part.parse(text)
    done = roundsim("run", "two-games.toml", "--shard=9/8", cwd=desk, code=64)
    assert "a part is written K/N, as 3/8: the K-th of N, of 1000 at most" in done.stderr
    with pytest.raises(InputError):
        package.run(desk / "two-games.toml", shard="3/2")


@pytest.mark.soak
def test_a_merge_where_it_cannot_be_written_and_onto_a_full_disk(copy: Path, shell: Shell, desk: Path) -> None:
    os.chdir(copy)
    assert shell("run", "two-games.toml", "--seed", 2, "--deals", 16, "--out", "other").code == 0
    assert shell("run", "two-games.toml", "--deals", 400, "--out", "longer").code == 0
    for out, words in (
        ("other", "other holds a different run: seed is 2 there, 1 here"),
        ("longer", "longer holds 25 blocks of nap, the parts 13"),
        (SECOND, f"{SECOND} holds a different run: part is '2/3' there, None here"),
        ("habits.py/below", "habits.py/below"),
        (".", "is not empty and holds no run"),
    ):
        before = contents(copy)
        done = shell("merge", *PARTS, "--out", out)
        assert done.code == 73 and words in done.err, done
        check_no_results(copy, before)
    merge = ("merge", *PARTS, "--out", "merged")
    full = roundsim(*merge, cwd=copy, code=73, before=small_files(1500))
    assert "cannot write merged/" in full.stderr and not (copy / "merged" / "standings.json").exists()
    roundsim(*merge, cwd=copy)
    assert_same(desk / "whole", copy / "merged")


def test_a_part_has_no_standings_and_may_be_unfinished(copy: Path) -> None:
    shutil.copy(copy / "whole" / "standings.json", copy / SECOND)
    done = roundsim("verify", SECOND, cwd=copy, code=1)
    assert f"{SECOND}: standings.json is there, and it is part 2 of 3" in done.stderr
    (copy / SECOND / "standings.json").unlink()
    (copy / SECOND / "log/nap/0000004.zst").unlink()
    verified = roundsim("verify", SECOND, cwd=copy).stdout
    assert re.match(r"\d+ deals verified; part 2 of 3; 1 shard is not played yet\n", verified)
    # The first part calls itself the second: it has not the shards of that.
    shutil.rmtree(copy / SECOND)
    shutil.copytree(copy / PARTS[0], copy / SECOND)
    change_run('"1/3"', '"2/3"')(copy / SECOND)
    done = roundsim("merge", *PARTS, cwd=copy, code=65)
    assert f"{SECOND} is unfinished: it lacks 4 shards" in done.stderr


def test_the_output_of_a_part_and_folders_of_its_own(copy: Path) -> None:
    words = ("run", "two-games.toml", "--shard", "2/3", "--out", SECOND)
    before = stamps(copy / SECOND)
    lines = roundsim(*words, cwd=copy).stdout.splitlines()
    deals = sum(game["deals"] for game in package.open_run(copy / SECOND).standings["games"])
    assert lines == [
        f"part 2 of 3: 4 of 9 shards, {deals} deals",
        "nothing left to play",
        f"folder   {SECOND}/",
        f"repeat   roundsim run two-games.toml --seed 1 --shard 2/3 --out {SECOND}",
        "merge    roundsim merge two-games.*of3",
    ]
    data = json.loads(roundsim(*words, "--format", "json", cwd=copy).stdout)
    counts = {"shards": 4, "of_shards": 9, "deals": deals, "faults": 0}
    assert data == {"part": "2/3", **counts, "folder": SECOND}
    assert stamps(copy / SECOND) == before
    dry = roundsim(*words, "--dry-run", cwd=copy).stdout
    assert "\n  part 2 of 3: 4 of 9 shards of these\n" in dry
    for form in "csv", "md":
        said = roundsim(*words, "--format", form, cwd=copy, code=64).stderr
        assert f"--format {form} is of standings, which a part has not" in said
    # A part is not played into the folder of another, or of the whole run, nor the whole into a part's.
    there = contents(copy)
    for folder, part, differs in (
        (SECOND, "--shard 3/3", "part is '2/3' there, '3/3' here"),
        (SECOND, "--shard 2/4", "part is '2/3' there, '2/4' here"),
        (SECOND, "", "part is '2/3' there, None here"),
        ("whole", "--shard 1/1", "part is None there, '1/1' here"),
    ):
        done = roundsim("run", "two-games.toml", *part.split(), "--out", folder, cwd=copy, code=73)
        assert f"{folder} holds a different run: {differs}" in done.stderr
    check_no_results(copy, there)


def test_runs_that_stop_by_earlier_deals_are_not_played_in_parts(tmp_path: Path, shell: Shell) -> None:
    lay_out(tmp_path)
    texts = {
        "until": TWO_GAMES.replace("[tournament]", '[tournament]\nuntil = "separated"').replace("= 20", "= 20000"),
        "gate": '[tournament]\nstrategies = ["random", "book"]\n[gate]\nmine = "book"\nbaseline = "random"\n'
        '[[games]]\ngame = "nap"\nplayers = 2\n',
    }
    for name, text in texts.items():
        Path(f"{name}.toml").write_text(text)
    for file in "until.toml", "gate.toml", "two-games.toml --deals 40000 --until separated":
        done = shell("run", *file.split(), "--shard", "3/8")
        assert done.code == 64 and "part 3 of 8: a run with a stopping rule is not played in parts" in done.err
    knock_out = "play", "nap", *["random"] * 8, "--as", "knock-out", "--seats", 2, "--deals", 400
    done = shell(*knock_out, "--shard", "1/2")
    assert done.code == 64 and "part 1 of 2: a knock-out is not played in parts" in done.err
    assert not Path("runs").exists()


def test_faults_of_a_part_are_reported_and_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In CI they are annotated and summed up; tables would hold only a part of the deals."""
    lay_out(tmp_path)
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    words = "run", "faulty.toml", "--shard", "1/9", "--out", "part"
    done = roundsim(*words, cwd=tmp_path, code=2)
    assert "again: roundsim replay part:nap/1/" in done.stderr and "faults.jsonl" not in done.stderr
    data = json.loads(roundsim(*words, "--format", "json", cwd=tmp_path, code=2).stdout)
    assert data["faults"] > 1 and data["shards"] == 1
    done = roundsim(*words, "--ci", "github", "--junit", "out.xml", cwd=tmp_path, code=2)
    assert "::error " in done.stderr and "merge    roundsim merge part FOLDER..." in done.stdout
    summary = (tmp_path / "summary.md").read_text()
    assert summary.startswith("# faulty, part 1 of 9: a strategy misbehaved\n\n## Faults") and "rank" not in summary
    assert "<failure" in (tmp_path / "out.xml").read_text()
