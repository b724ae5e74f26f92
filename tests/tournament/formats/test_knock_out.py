"""Knock-outs: how many go on is settled by hand, who goes on is summed up again from the lines of the log."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from conftest import Shell
from helpers.command import assert_same, begin, roundsim, seldom, shards, stamps, wait_for
from helpers.deals import BOAST
from helpers.run_files import edit_run_file, run_data, standings_of
from helpers.schemas import Page
from helpers.shard_text import text_of

from roundsim import games
from roundsim.running import Means, play_tournament
from roundsim.tournament.formats.knock_out import KnockOut
from roundsim.tournament.planning import file
from roundsim.tournament.planning.plan import ShardProgress, Task, Tournament
from roundsim.workers import local

pytestmark = pytest.mark.usefixtures("here")

STEADY = """
class Steady:
    games = ["boast"]
    imagines = True  # so its shards are short
    def __init__(self, claim=0):
        self.said = f"claim {claim}"
    def act(self, view):
        return self.said
"""
CLAIMS = [3, 8, 1, 9, 4, 6, 2, 7, 5]  # of nine, at tables of two: 9, 5, 3 and 2 of them
BETTER = [[3, 8, 1, 9, 4, 6, 2, 7, 5], [8, 9, 6, 7, 5], [8, 9, 7], [8, 9]]  # round by round, in file order
DEALS = 576  # four rounds of 36 blocks of four deals: each pair of nine once, of three twelve times


def write_field(folder: Path, claims: Sequence[int] = CLAIMS, deals: int = DEALS, more: str = "") -> None:
    (folder / "boast.py").write_text(BOAST + STEADY)
    games.allow(str(folder / "boast.py"))
    listed = [f"boast.py:Steady(claim={claim})" for claim in claims]
    (folder / "t.toml").write_text(
        f'[tournament]\nformat = "knock-out"\nstrategies = {listed}\n'
        f'[[games]]\ngame = "boast"\nplayers = 2\nsitting = 2\ndeals = {deals}\n{more}'
    )


def left(folder: Path) -> dict[str, list[str]]:
    """Return the strategies of each round."""
    return {game["name"]: [each["name"] for each in game["strategies"]] for game in run_data(folder)["games"]}


def claims_left(folder: Path) -> dict[str, list[int]]:
    games = run_data(folder)["games"]
    return {game["name"]: [each["parameters"]["claim"] for each in game["strategies"]] for game in games}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole")
    write_field(folder)
    roundsim("run", "t.toml", "--jobs", 1, "--out", "run", cwd=folder)
    return folder / "run"


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    write_field(tmp_path)
    shutil.copytree(whole, tmp_path / "run")
    return tmp_path / "run"


def test_half_of_the_entrants_go_on_in_each_round() -> None:
    for seats, sizes in [
        (2, ["5 3 2", "6 3 2", "9 5 3 2", "16 8 4 2", "33 17 9 5 3 2"]),
        (3, ["5 3", "6 3", "9 5 3", "16 8 4 3", "33 17 9 5 3"]),
        (4, ["5 4", "6 4", "9 5 4", "16 8 4", "33 17 9 5 4"]),
    ]:
        for rounds in sizes:
            first, *_ = numbers = [*map(int, rounds.split())]
            assert KnockOut(seats, 1, entrants=first, round=1).sizes == numbers


def test_the_higher_claims_go_on_and_tables_name_each_round(whole: Path) -> None:
    names = "boast.1", "boast.2", "boast.3", "boast.4"
    assert claims_left(whole) == dict(zip(names, BETTER, strict=True))
    assert {game["blocks"] for game in run_data(whole)["games"]} == {36}
    assert sorted(path.name for path in (whole / "log").iterdir()) == [*names]
    data = standings_of(whole)
    assert data["all"] is None and [game["name"] for game in data["games"]] == [*names]
    assert Page("standings").wrong(data) == []
    (over,) = data["rounds"]
    rows = [(row["rank"], int(row["strategy"][-2]), row["round"]) for row in over["rows"]]
    # in the final of two 9 has one more than 8; of three 7 has one less than 8 and two less than 9
    assert over["name"] == "boast" and [row["net_per_deal"] for row in over["rows"][:3]] == [1.0, -1.0, -1.5]
    assert rows[:5] == [(1, 9, 4), (2, 8, 4), (3, 7, 3), (4, 6, 2), (5, 5, 2)]
    assert rows[5:] == [(6, 4, 1), (7, 3, 1), (8, 2, 1), (9, 1, 1)]
    assert not any(row["tied"] or row["faults"] for row in over["rows"])
    standings = "standings", whole, "--game", "boast.py"
    out = roundsim(*standings, cwd=whole.parent).stdout
    heads = [line for line in out.splitlines() if line.startswith("Boast")]
    assert heads == [
        "Boast · knock-out of 9 · round 1 of 4 · 2 seats",
        "Boast · knock-out of 9 · round 2 of 4 · 5 left · 2 seats",
        "Boast · knock-out of 9 · round 3 of 4 · 3 left · 2 seats",
        "Boast · knock-out of 9 · round 4 of 4 · 2 left · 2 seats",
        "Boast · knock-out of 9 · 2 seats · how far each has come · seed 1",
    ]
    last = out.split("how far each has come · seed 1\n\n")[1].splitlines()
    assert last[0].split() == ["rank", "strategy", "round", "net/deal", "±", "95", "%", "faults"]
    assert last[1].split() == ["1", "Steady(claim=9)", "4", "+1.000", "-", "0"]
    assert len(last) == 10 and max(map(len, out.splitlines())) <= 80
    for form in "csv", "md", "json":
        assert (whole / f"standings.{form}").read_text() == roundsim(
            *standings, "--format", form, cwd=whole.parent
        ).stdout
    lines = (whole / "standings.csv").read_text().splitlines()
    assert [line for line in lines if line.startswith("boast,")][0].startswith("boast,1,-,Steady(claim=9),1.0,,")


def test_the_first_of_equal_ones_goes_on(tmp_path: Path, shell: Shell) -> None:
    """Copies are called in every round as they are in the first; those who go out together are equal."""
    write_field(tmp_path, [4] * 5, 180)
    assert shell("run", "t.toml", "--jobs", 1, "--out", "run").code == 0
    copies = ["Steady(claim=4)", *[f"Steady(claim=4)#{n}" for n in range(2, 6)]]
    labels = [[row["strategy"] for row in game["rows"]] for game in standings_of(tmp_path / "run")["games"]]
    assert labels == [copies, copies[:3], copies[:2]]
    (over,) = standings_of(tmp_path / "run")["rounds"]
    assert [row["strategy"] for row in over["rows"]] == copies
    rows = [(row["rank"], row["tied"], row["round"]) for row in over["rows"]]
    assert rows == [(1, True, 3), (1, True, 3), (3, False, 2), (4, True, 1), (4, True, 1)]
    assert shell("verify", "run").code == 0


def summed(folder: Path, name: str) -> dict[str, Fraction]:
    """Return the net a deal of each strategy in a round, from the lines of its log; the end of a sitting is no deal."""
    net, deals = defaultdict[str, int](int), defaultdict[str, int](int)
    for shard in sorted((folder / "log" / name).glob("*.zst")):
        for line in text_of(shard).splitlines():
            if line.startswith("= "):
                seats = line.split(" ", 2)[2].split(" | ")
            elif line[0] not in "!#":
                place, _, *counters = line.partition(" |")[0].split()
                for who, n in zip(seats, counters, strict=True):
                    net[who] += int(n)
                    deals[who] += not place.endswith("/end")
    return {who: Fraction(net[who], deals[who]) for who in net}


@pytest.mark.soak
@pytest.mark.parametrize(
    ("seats", "sizes"), [(2, [6, 3, 2]), (4, [5, 4]), (4, [9, 5, 4]), (3, [16, 8, 4, 3]), (4, [33, 17, 9, 5, 4])]
)
def test_the_next_round_follows_from_the_log(seats: int, sizes: list[int], tmp_path: Path, shell: Shell) -> None:
    entrants = sizes[0]
    field = ["book", *["random"] * (entrants - 1)]
    words = "play", "thirty-one", *field, "--as", "knock-out", "--seats", seats, "--deals", 800, "--jobs", 1
    assert shell(*words, "--out", "run").code == 0
    rounds = list(left(tmp_path / "run").items())
    labels = ["book", "random", *[f"random#{n}" for n in range(2, entrants)]]
    assert rounds[0] == ("thirty-one.1", labels) and [len(there) for _, there in rounds] == sizes
    for (name, there), (_, further) in zip(rounds, rounds[1:], strict=False):
        net = summed(tmp_path / "run", name)
        best = sorted(there, key=lambda who: (-net[who], labels.index(who)))[: len(further)]
        assert further == [who for who in labels if who in best]
    last = summed(tmp_path / "run", rounds[-1][0])
    (over,) = standings_of(tmp_path / "run")["rounds"]
    assert len(over["rows"]) == entrants and {row["strategy"] for row in over["rows"][: sizes[-1]]} == {*last}
    assert over["rows"][0]["net_per_deal"] == pytest.approx(float(max(last.values())), rel=1e-5)
    assert shell("verify", "run").code == 0


@pytest.mark.soak
def test_processes_and_hash_seeds_change_nothing(whole: Path, tmp_path: Path) -> None:
    write_field(tmp_path)
    roundsim("run", "t.toml", "--game", "boast.py", "--jobs", 2, "--out", "run", cwd=tmp_path, hash_seed="7")
    assert_same(whole, tmp_path / "run")


def stopping_after(n: int) -> Callable[..., Iterator[Task | Sequence[ShardProgress]]]:
    """Return workers that are interrupted when n shards are written."""
    done = 0

    def play(tournament: Tournament, folder: str, tasks: Iterator[Task], jobs: int) -> Iterator[Any]:
        nonlocal done
        for task in local.play_tasks(tournament, folder, tasks, jobs):
            done += isinstance(task, Task)
            if done == n:
                raise KeyboardInterrupt
            yield task

    return play


@pytest.mark.parametrize("after", [4, *seldom(1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)])
def test_an_interrupted_run_goes_on(after: int, whole: Path, tmp_path: Path, shell: Shell) -> None:
    """There are four shards in each round: also where the last one of a round has just been written."""
    assert len(shards(whole)) == 16
    write_field(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        play_tournament(file.load_tournament("t.toml"), "run", means=Means(1, stopping_after(after)))
    before = shards(tmp_path / "run")
    assert len(before) == after
    looked = shell("standings", "run", "--format", "json")
    assert looked.code == 0 and f"unfinished: {16 - after} shard" in looked.err
    assert len(json.loads(looked.out)["rounds"][0]["rows"]) == 9
    assert shell("verify", "run").code == 0
    assert shell("run", "t.toml", "--jobs", 1, "--out", "run").code == 0
    assert before.items() <= shards(tmp_path / "run").items()
    assert_same(whole, tmp_path / "run")


@pytest.mark.soak
def test_a_killed_run_goes_on(whole: Path, tmp_path: Path) -> None:
    write_field(tmp_path)
    process = begin("run", "t.toml", "--jobs", 2, "--out", "run", cwd=tmp_path)
    assert wait_for(lambda: process.poll() is not None or any((tmp_path / "run" / "log").glob("boast.2/0*.zst")))
    with suppress(ProcessLookupError):  # it may be over by now
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    roundsim("run", "t.toml", "--jobs", 2, "--out", "run", cwd=tmp_path)
    assert_same(whole, tmp_path / "run")


def test_only_missing_shards_are_played(whole: Path, copy: Path, shell: Shell) -> None:
    """Rounds after a missing shard stay: the same ones go on."""
    before = stamps(copy)
    done = shell("run", "t.toml", "--out", "run")
    assert done.code == 0 and "nothing left to play" in done.out and stamps(copy) == before
    (copy / "log" / "boast.2" / "0000001.zst").unlink()
    assert "unfinished: 1 shard is" in shell("standings", "run").err
    assert shell("run", "t.toml", "--out", "run").code == 0
    assert_same(whole, copy)


@pytest.mark.soak
def test_forged_rounds_are_reported(whole: Path, copy: Path, shell: Shell) -> None:
    """A strategy that has gone out plays in place of one that went on; or the last round is not there."""

    def swap(data: dict[str, Any]) -> None:
        first, second = data["games"][:2]
        second["strategies"][0] = first["strategies"][0]

    right = (copy / "run.toml").read_bytes()
    edit_run_file(copy, swap)
    before = stamps(copy)
    words = "does not follow from the round before: boast.2.strategies[1].parameters.claim is 3 there, 8 here"
    for code, *command in (1, "verify", "run"), (65, "run", "t.toml", "--out", "run"):
        done = shell(*command)
        assert done.code == code and words in done.err
    assert stamps(copy) == before
    (copy / "run.toml").write_bytes(right)
    edit_run_file(copy, lambda data: data["games"].pop())
    done = shell("verify", "run")
    assert done.code == 1 and "boast.4: nothing of this run" in done.err and "4 shards of the log are not" in done.err
    assert "unfinished: 4 shards" in shell("standings", "run").err
    assert shell("run", "t.toml", "--out", "run").code == 0
    assert_same(whole, copy)


@pytest.mark.soak
def test_wrong_players_of_a_round_are_reported(tmp_path: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """All that follows was played by the wrong ones, and agrees with itself."""
    write_field(tmp_path, [5, 1, 4, 2, 3], 600)
    after = KnockOut.after

    def worst(self: KnockOut, entry: Any, tally: Any, out: Any) -> Any:
        """Let the last go on, in place of the first three."""
        found = after(self, entry, tally, out)
        if found and self.round == 1:
            object.__setattr__(found, "strategies", entry.strategies[2:])
        return found

    with monkeypatch.context() as patch:
        patch.setattr(KnockOut, "after", worst)
        assert shell("run", "t.toml", "--jobs", 1, "--out", "run").code == 0
    assert claims_left(tmp_path / "run")["boast.2"] == [4, 2, 3]
    before = stamps(tmp_path / "run")
    for code, *command in (1, "verify", "run"), (65, "run", "t.toml", "--out", "run"):
        done = shell(*command)
        (found,) = [line for line in done.err.splitlines() if "boast" in line]
        assert done.code == code and "the round before: boast.2.strategies[1]" in found
    assert stamps(tmp_path / "run") == before


def test_a_round_of_other_rules_is_reported(tmp_path: Path, shell: Shell) -> None:
    """Also if the option that is added says what is usual."""
    play = "play", "nap", *["random"] * 3, "--as", "knock-out", "--seats", 2, "--deals", 60, "--out", "run"
    assert shell(*play).code == 0
    edit_run_file(tmp_path / "run", lambda data: data["games"][1]["options"].update(stake=1))
    before = stamps(tmp_path / "run")
    for code, *words in (1, "verify", "run"), (65, *play):
        done = shell(*words)
        assert done.code == code and "nap.2.options.stake is 1 there, None here" in done.err
    assert stamps(tmp_path / "run") == before


WRONG_ROUNDS: list[tuple[Callable[[Any], object], str]] = [
    (lambda data: data["games"][1].update(round=3), "a round that follows from none"),
    (lambda data: data["games"][1].update(name="other"), "a round that follows from none"),
    (lambda data: data["games"].pop(0), "a round that follows from none"),
    (lambda data: data["games"].append({**data["games"][-1], "name": "boast.5", "round": 5}), "round = 5, of 9"),
    (lambda data: data["games"][0].update(entrants=2), "entrants = 2"),
    (lambda data: data["games"][0].update(focus="Steady(claim=9)"), "focus is nothing that is read"),
    (lambda data: data["games"][0].pop("round"), "round is not there"),
]


GATE = '[gate]\nmine = "Steady(claim=1)"\nbaseline = "Steady(claim=2)"\n'


@pytest.mark.parametrize(
    ("claims", "more", "top", "words", "command"),
    [
        ([1, 2], "", "", "2 strategies at a table of 2: there is nothing to knock out: play a round-robin", "run"),
        ([1], "", "", "there is nothing to knock out", "run"),
        ([1, 2, 3], "", 'until = "separated"\n', "a knock-out does not stop early", "run"),
        ([1, 2, 3], 'focus = "Steady(claim=1)"\n', "", "focus belongs to format round-robin", "run"),
        ([1, 2, 3], GATE, "", "a knock-out does not stop early", "gate"),
        ([1, 2, 3], GATE, "", "a knock-out does not stop early", "run"),
        (CLAIMS, "", "", "a knock-out is not played in parts", "run --shard 1/2"),
        (CLAIMS, "", "", "deals = 64 is too few for all 9 to play: 80 are needed at least", "run --deals 64"),
    ],
)
def test_a_knock_out_refuses(
    claims: list[int], more: str, top: str, words: str, command: str, tmp_path: Path, shell: Shell
) -> None:
    """Nine at tables of two need five blocks in each of four rounds, of two sittings of two deals."""
    write_field(tmp_path, claims, more=more)
    text = (tmp_path / "t.toml").read_text()
    (tmp_path / "t.toml").write_text(text.replace("[tournament]\n", f"[tournament]\n{top}"))
    done = shell(*command.split(), "t.toml")
    assert done.code == 64 and words in done.err, done.err
    assert not (tmp_path / "runs").exists()


def test_the_size_of_a_knock_out_and_its_folder(tmp_path: Path, shell: Shell) -> None:
    write_field(tmp_path, deals=65)
    for deals, words in (
        (DEALS, "144 deals in 36 blocks"),
        (320, "80 deals in 20 blocks"),
        (None, "20 deals in 5 blocks"),
    ):
        done = shell("run", "t.toml", *(["--deals", deals] if deals else []), "--dry-run")
        assert f"  boast: boast, knock-out of 9, 5, 3, 2: in each of 4 rounds {words}" in done.out
    done = shell("play", "nap", *["random"] * 4, "--as", "knock-out", "--seats", 5)
    assert done.code == 64 and "4 strategies at a table of 5: there is nothing to knock out" in done.err
    write_field(tmp_path, [1, 2, 3], 24)
    for deals in 24, 48, 48:
        assert shell("run", "t.toml", "--deals", deals).code == 0
    assert len(list((tmp_path / "runs").iterdir())) == 2


def test_it_does_not_grow_and_impossible_rounds_are_refused(copy: Path, shell: Shell) -> None:
    before = stamps(copy)
    for flags in ("--deals", 2 * DEALS), ("--strategy", "boast.py:Steady(claim=10)"):
        done = shell("grow", "run", *flags)
        assert done.code == 64 and "a knock-out does not grow" in done.err
    done = shell("run", "t.toml", "--deals", 2 * DEALS, "--out", "run")
    assert done.code == 73 and "games[1].blocks is 36 there, 72 here" in done.err
    assert stamps(copy) == before
    right = (copy / "run.toml").read_bytes()
    for change, words in WRONG_ROUNDS:
        edit_run_file(copy, change)
        for code, *command in (1, "verify", "run"), (65, "standings", "run"), (65, "run", "t.toml", "--out", "run"):
            done = shell(*command)
            assert done.code == code and words in done.err, done.err
        (copy / "run.toml").write_bytes(right)


@pytest.mark.soak
def test_differences_from_another_run(copy: Path, tmp_path: Path, shell: Shell) -> None:
    """10 goes on in place of 1, and 5 does not: in the second round no strategy has the place that it had, and those of
    another name are not the same."""
    write_field(tmp_path, [10 if claim == 1 else claim for claim in CLAIMS])
    assert shell("run", "t.toml", "--jobs", 1, "--out", "other").code == 0
    assert claims_left(tmp_path / "other")["boast.2"] == [8, 10, 9, 6, 7]
    done = shell("diff", "run", "other")
    assert done.code == 0
    heads = [line.split(" · ")[:3] for line in done.out.splitlines() if line.startswith("Boast")]
    assert heads[:2] == [["Boast", "boast.1", "36 common blocks"], ["Boast", "boast.2", "0 common blocks"]]
    assert " differs      boast.2: strategy - there, Steady(claim=10) here" in done.out.splitlines()
    assert ["Steady(claim=1)", "Steady(claim=10)"] in [line.split()[:3:2] for line in done.out.splitlines()]


@pytest.mark.soak
def test_two_games_have_their_own_rounds(tmp_path: Path, shell: Shell) -> None:
    """One after the other in the tables; the second one has fewer."""
    write_field(tmp_path, [1, 2, 3, 4, 5], 240, '[[games]]\nname = "four"\ngame = "boast"\nplayers = 4\ndeals = 240\n')
    assert shell("run", "t.toml", "--jobs", 2, "--out", "run").code == 0
    assert claims_left(tmp_path / "run") == {
        "boast.1": [1, 2, 3, 4, 5],
        "boast.2": [3, 4, 5],
        "boast.3": [4, 5],
        "four.1": [1, 2, 3, 4, 5],
        "four.2": [2, 3, 4, 5],
    }
    assert [game["name"] for game in standings_of(tmp_path / "run")["rounds"]] == ["boast", "four"]
    assert shell("verify", "run").code == 0
    assert shell("log", "run", "--entry", "four.2").out.startswith("= four.2/1/1 Steady(claim=")
    assert "Steady(claim=5)" in shell("replay", "run:four.2/1/1/1").out
