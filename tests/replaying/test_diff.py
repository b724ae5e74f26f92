"""Two runs compared: what differs, and by how much on common deals, against what scipy makes of the lines of their logs."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy
import pytest
from conftest import Shell, Write
from helpers.command import one_in, one_in_with
from scipy import stats

import roundsim
from roundsim.base.errors import LogError
from roundsim.running import Run
from roundsim.statistics.paired import paired
from roundsim.statistics.rows import BlockRow

pytestmark = pytest.mark.usefixtures("here")

Nets = dict[str, dict[int, float]]
HOUSE = ["random", "random", "random"]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("diff")


@pytest.fixture(scope="module")
def book(home: Path) -> Run:
    """50 blocks of 16 deals."""
    return roundsim.play("nap", ["book", *HOUSE], deals=800, seed=4, jobs=1, out=home / "book")


@pytest.fixture(scope="module")
def bold(home: Path) -> Run:
    return roundsim.play("nap", ["book(bold=1)", *HOUSE], deals=800, seed=4, jobs=1, out=home / "bold")


@pytest.fixture(scope="module")
def misery(home: Path) -> Run:
    options = {"misery": True}
    return roundsim.play("nap", ["book", *HOUSE], options=options, deals=800, seed=4, jobs=1, out=home / "misery")


def compared(shell: Shell, one: object, other: object) -> Any:
    done = shell("diff", one, other, "--format", "json")
    assert done.code == 0 and not done.err, done
    return json.loads(done.out)


def nets_of(run: Run, shell: Shell) -> Nets:
    """The mean net a deal of each label in each block, from the text of the log."""
    won: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for line in shell("log", run.folder).out.splitlines():
        if line.startswith("= "):
            seats = line.split(" ", 2)[2].split(" | ")
        else:
            place, _, *nets = line.partition(" |")[0].split(" ")
            for label, net in zip(seats, nets, strict=True):
                won[label][int(place.split("/")[1])].append(int(net))
    return {label: {at: float(numpy.mean(nets)) for at, nets in blocks.items()} for label, blocks in won.items()}


@pytest.mark.parametrize("changed", one_in(2, ["bold", "misery"]))
def test_the_figures_are_those_of_a_paired_t_from_the_logs(
    changed: str, book: Run, shell: Shell, request: pytest.FixtureRequest
) -> None:
    run = request.getfixturevalue(changed)
    there, here = nets_of(book, shell), nets_of(run, shell)
    (game,) = compared(shell, book.folder, run.folder)["games"]
    assert (game["name"], game["measure"], game["blocks"], len(game["rows"])) == ("nap", "net_per_deal", 50, 4)
    for row in game["rows"]:
        one, other = [*there[row["strategy"]].values()], [*here[row["became"]].values()]
        oracle = stats.ttest_rel(other, one)
        interval = oracle.confidence_interval()
        assert row["there"] == pytest.approx(numpy.mean(one), rel=1e-5)
        assert row["here"] == pytest.approx(numpy.mean(other), rel=1e-5)
        assert row["difference"] == pytest.approx((interval.high + interval.low) / 2, rel=1e-5)
        assert row["error"] == pytest.approx((interval.high - interval.low) / 2, rel=1e-5)
        assert row["p"] == pytest.approx(oracle.pvalue, rel=1e-5)
        unpaired = numpy.var(one) + numpy.var(other)
        assert row["times"] == pytest.approx(unpaired / numpy.var(numpy.subtract(other, one)), rel=1e-5)
        assert row["blocks"] == 50 and row["changed"] == numpy.count_nonzero(numpy.subtract(other, one))


def test_significance_is_over_the_whole_table(book: Run, bold: Run, misery: Run, shell: Shell) -> None:
    """One p that would do alone, .046, does not among four."""
    for run in bold, misery:
        left = rows = compared(shell, book.folder, run.folder)["games"][0]["rows"]
        for row in sorted(rows, key=lambda row: float(row["p"])):
            assert row["apart"] is (row["p"] <= 0.05 / len(left))
            left = [each for each in left if each is not row] if row["apart"] else left
    assert min(row["p"] for row in compared(shell, book.folder, bold.folder)["games"][0]["rows"]) < 0.05


def test_a_table_says_what_differs_and_by_how_much(book: Run, bold: Run, shell: Shell) -> None:
    lines = shell("diff", book.folder, bold.folder).out.splitlines()
    assert lines[2] == " differs      nap: strategy book: parameters: bold - there, 1 here"
    assert lines[4] == "Nap · 50 common blocks · seed 4"
    assert lines[6].split() == ["strategy", "there", "here", "difference", "±", "95", "%", "times", "changed"]
    rows = compared(shell, book.folder, bold.folder)["games"][0]["rows"]
    assert [line.split("  ")[0] for line in lines[7:11]] == [
        " book -> book(bold=1)",
        " random",
        " random#2",
        " random#3",
    ]
    for line, row in zip(lines[7:11], rows, strict=True):
        figures = [f"{row[key]:+.3f}" for key in ("there", "here", "difference")]
        error = f"{'~' * (row['changed'] < 40)}{row['error']:.3f}"
        assert line[21:].split() == [*figures, error, f"{row['times']:.1f}", str(row["changed"]), "of", "50"]
    assert max(map(len, lines)) <= 80


def test_a_significant_change_has_a_star(book: Run, shell: Shell, home: Path) -> None:
    """A book in whose seat another at random sat has lost four counters a deal."""
    run = roundsim.play("nap", ["random", *HOUSE], deals=800, seed=4, jobs=1, out=home / "random")
    rows = compared(shell, book.folder, run.folder)["games"][0]["rows"]
    assert rows[0]["apart"] and rows[0]["difference"] < -3
    lines = [line for line in shell("diff", book.folder, run.folder).out.splitlines() if " random  " in line]
    assert re.match(rf" book -> random +\S+ +\S+ +{rows[0]['difference']:+.3f}\* ", lines[0])
    assert lines[1].startswith(" random ")  # which is called random#2 there, and has not changed


def test_the_other_forms(book: Run, bold: Run, shell: Shell) -> None:
    (game,) = compared(shell, book.folder, bold.folder)["games"]
    found = [*csv.DictReader(shell("diff", book.folder, bold.folder, "--format", "csv").out.splitlines())]
    assert found == [{"game": "nap"} | {key: str(value) for key, value in row.items()} for row in game["rows"]]
    printed = shell("diff", book.folder, bold.folder, "--format", "md").out
    assert "* differs: nap: strategy book: parameters: bold - there, 1 here\n" in printed
    assert "\n## Nap · 50 common blocks · seed 4\n\n| strategy " in printed


def test_from_python(book: Run, bold: Run, shell: Shell) -> None:
    assert book.diff(bold) == compared(shell, book.folder, bold.folder)


def test_a_changed_source_is_reported_by_its_hash(write: Write, shell: Shell) -> None:
    for number, action in enumerate(("view.legal[0]", "view.legal[-1]")):
        write("mine.py", f"def act(view):\n    return {action}\n")
        done = shell("play", "nap", "mine.py", "random", "--deals", 40, "--jobs", 1, "--out", f"run{number}")
        assert done.code == 0
    there, here = (re.findall('^sha256 = "(.*)"', Path(f"run{at}/run.toml").read_text(), re.M)[0] for at in (0, 1))
    assert f" nap: strategy mine: sha256 {there[:8]} there, {here[:8]} here\n" in shell("diff", "run0", "run1").out
    assert compared(shell, "run0", "run1")["differs"] == [
        {"where": ["nap", "strategy mine", "sha256"], "there": there, "here": here}
    ]


def test_limits_and_versions_are_reported(book: Run, shell: Shell) -> None:
    shutil.copytree(book.folder, "other")
    path = Path("other/run.toml")
    text = path.read_text().replace("faults_allowed = 0", "faults_allowed = 7")  # which is in no key of a block
    path.write_text(re.sub('^roundsim = ".*"', 'roundsim = "0.0.9"', text, flags=re.M))
    said = shell("diff", book.folder, "other").out
    assert f" roundsim {roundsim.__version__} there, 0.0.9 here\n" in said
    assert " limits: faults_allowed 0 there, 7 here\n" in said and not compared(shell, book.folder, "other")["same"]


def test_the_same_run(book: Run, shell: Shell) -> None:
    shutil.copytree(book.folder, "copy")
    for other in book.folder, "copy":
        assert shell("diff", book.folder, other).out.endswith(" differs      nothing: the same run\n")
        assert compared(shell, book.folder, other)["same"] is True


def test_a_run_that_has_grown_is_compared_on_what_both_have(book: Run, shell: Shell, tmp_path: Path) -> None:
    roundsim.play("nap", ["book", *HOUSE], deals=160, seed=4, jobs=1, out=tmp_path / "short")
    found = compared(shell, "short", book.folder)
    assert found["differs"] == [{"where": ["nap", "blocks"], "there": 10, "here": 50}] and not found["same"]
    for row in found["games"][0]["rows"]:
        assert row["there"] == row["here"] and (row["blocks"], row["changed"]) == (10, 0)
        assert row["error"] is row["p"] is row["times"] is None and not row["apart"]


def test_under_ten_blocks_there_is_no_error(book: Run, shell: Shell, tmp_path: Path) -> None:
    roundsim.play("nap", ["random", *HOUSE], deals=144, seed=4, jobs=1, out=tmp_path / "nine")
    said = shell("diff", book.folder, "nine").out
    assert re.search(r"book -> random .*  -  +-  +9 of 9\n", said)
    assert "\nIf under 10 blocks changed, there is no error: play more deals.\n" in said
    roundsim.play("nap", ["random", *HOUSE], deals=160, seed=4, jobs=1, out=tmp_path / "nine")
    said = shell("diff", book.folder, "nine").out
    assert re.search(r"book -> random .*  ~\d\.\d+  +\S+ +10 of 10\n", said)
    assert "\n~ if under 40 blocks changed, errors may be too small: play more deals.\n" in said


@pytest.mark.soak
def test_an_unfinished_run_is_compared_as_far_as_it_goes(shell: Shell, tmp_path: Path) -> None:
    for name, mine in ("one", "book"), ("other", "random"):
        roundsim.play("nap", [mine, "random"], deals=2004, jobs=1, out=tmp_path / name)
    last = sorted((tmp_path / "other/log/nap").iterdir())[-1]
    last.unlink()
    done = shell("diff", "one", "other")
    assert done.code == 0 and done.err == "roundsim: other is unfinished: 1 shard is not played yet\n"
    assert f"· {int(last.stem) - 1} common blocks ·" in done.out


@pytest.mark.parametrize(
    ("strategies", "more", "words"),
    one_in_with(
        3,
        [
            (["book", *HOUSE], {"seed": 5}, "seed 4 there, 5 here"),
            (["book", "random"], {"seed": 4}, "nap: players 4 there, 2 here; nap: sitting 4 there, 2 here"),
            (["book", *HOUSE, "random"], {"seed": 4, "seats": 5}, "nap: strategy - there, random#4 here"),
        ],
    ),
)
def test_runs_without_common_deals_are_65(
    strategies: Sequence[str], more: dict[str, Any], words: str, book: Run, shell: Shell, tmp_path: Path
) -> None:
    other = roundsim.play("nap", strategies, deals=800, jobs=1, out=tmp_path / "other", **more)
    done = shell("diff", book.folder, "other")
    assert done.code == 65 and not done.out
    assert f"{book.folder} and other have no deals in common: " in done.err and words in done.err
    with pytest.raises(LogError, match=re.escape(words)):
        book.diff(other)


def test_another_game_is_65_and_so_is_no_run(book: Run, shell: Shell, tmp_path: Path) -> None:
    roundsim.play("loo", ["book", *HOUSE], deals=8, seed=4, jobs=1, out=tmp_path / "loo")
    assert "game nap there, - here; game - there, loo here" in shell("diff", book.folder, "loo").err
    for words in (book.folder, "nothing"), ("nothing", book.folder):
        done = shell("diff", *words)
        assert done.code == 65 and "nothing/run.toml" in done.err and not done.out


def test_a_game_of_one_run_only_is_named(season: Run, shell: Shell, tmp_path: Path) -> None:
    roundsim.play("nap", ["random", "random"], deals=60, jobs=1, out=tmp_path / "nap")
    found = compared(shell, season.folder, "nap")
    assert {"where": ["game"], "there": "pope", "here": None} in found["differs"]
    assert [game["name"] for game in found["games"]] == ["nap"]
    assert " game pope there, - here\n" in shell("diff", season.folder, "nap").out


def test_a_game_without_common_blocks_is_said_to_have_none(season: Run, shell: Shell, write: Write) -> None:
    write(
        "t.toml",
        '[tournament]\nstrategies = ["book", "random"]\n[[games]]\ngame = "nap"\ndeals = 60\nsitting = 3\n'
        '[[games]]\ngame = "pope-joan"\nname = "pope"\ndeals = 60\nstrategies = ["random", "random", "random"]\n',
    )
    roundsim.run("t.toml", jobs=1, out="run")
    nap, pope = compared(shell, season.folder, "run")["games"]
    assert (nap["blocks"], nap["rows"]) == (0, []) and pope["blocks"] > 0
    words = "\nNap · 0 common blocks · seed 1\n\nNo common blocks: game, seed, format, "
    assert words in shell("diff", season.folder, "run").out


def test_lists_of_other_lengths_are_paired_by_label_where_the_same_sat(shell: Shell, tmp_path: Path) -> None:
    """Three that meet two by two, and the first two of them with another option."""
    field = ["random", "book", "book(bold=1)"]
    one = roundsim.play("nap", field, seats=2, deals=480, jobs=1, out=tmp_path / "one")
    misery = {"misery": True}
    other = roundsim.play("nap", field[:2], seats=2, deals=480, options=misery, jobs=1, out=tmp_path / "other")
    sat = [{line for line in shell("log", run.folder).out.splitlines() if line[0] == "="} for run in (one, other)]
    common = {int(line.split("/")[1]) for line in sat[0] & sat[1]}
    found = compared(shell, "one", "other")
    (game,) = found["games"]
    assert {"where": ["nap", "strategy"], "there": "book(bold=1)", "here": None} in found["differs"]
    assert game["blocks"] == len(common) > 10 and [row["strategy"] for row in game["rows"]] == ["random", "book"]
    there, here = nets_of(one, shell), nets_of(other, shell)
    for row in game["rows"]:
        nets = [[nets[row["strategy"]][block] for block in common] for nets in (there, here)]
        assert row["became"] == row["strategy"] and row["blocks"] == len(common)
        assert row["error"] is not None and row["p"] == pytest.approx(stats.ttest_rel(*nets).pvalue, rel=1e-5)


@pytest.mark.soak
def test_freeze_outs_are_paired_and_a_better_place_is_more(shell: Shell, write: Write) -> None:
    """Nobody at random comes before a book; where he sat there is now one like himself."""
    for name, mine in ("one", "book"), ("other", "random"):
        write(
            "f.toml",
            f'[tournament]\nformat = "freeze-out"\nstrategies = ["{mine}", "random", "random"]\n[[games]]\n'
            'game = "draw-poker"\ntimes = 40\nstack = 10\nmax_deals = 20\noptions = { stakes = "table" }\n',
        )
        roundsim.run("f.toml", jobs=1, out=name)
    (game,) = compared(shell, "one", "other")["games"]
    standings = [roundsim.open_run(name).standings["games"][0]["rows"] for name in ("one", "other")]
    places = [{row["strategy"]: row["mean_place"] for row in rows} for rows in standings]
    assert (game["measure"], game["blocks"]) == ("mean_place", 40)
    (line,) = re.findall(r"book -> random +(\S+) +(\S+) ", shell("diff", "one", "other").out)
    assert line == (f"{places[0]['book']:.2f}", f"{places[1]['random']:.2f}")
    for row in game["rows"]:
        assert (row["there"], row["here"]) == (places[0][row["strategy"]], places[1][row["became"]])
        assert row["difference"] == pytest.approx(row["there"] - row["here"], abs=1e-5)


def test_blocks_of_unequal_weight() -> None:
    """The error is that of a jackknife in small steps: what a little more of one block does to the difference."""
    draw = numpy.random.default_rng(1)
    weights, values = draw.integers(1, 9, (2, 60)), draw.normal(size=(2, 60))
    values[1] += values[0]
    both = [
        [BlockRow(at, int(w), (7,), (x,), ()) for at, (w, x) in enumerate(zip(*each, strict=True))]
        for each in zip(weights, values, strict=True)
    ]
    found = paired([*zip(*both, strict=True)])[7]

    def moved(block: int) -> float:
        own = weights * (1 + 1e-6 * (numpy.arange(60) == block))
        means = (own * values).sum(1) / own.sum(1)
        return float(means[1] - means[0] - found.here + found.there) / 1e-6

    standard = (60 / 59 * sum(moved(block) ** 2 for block in range(60))) ** 0.5
    assert found.difference and found.difference.standard == pytest.approx(standard, rel=1e-4)
    assert found.difference.error == pytest.approx(stats.t.ppf(0.975, 59) * standard, rel=1e-4)
