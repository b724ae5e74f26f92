"""A shadow leaves out only sittings that are the same, and plays again those that differ where it says."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from conftest import GAMES, Shell
from helpers.command import assert_same, deals_of, drawn, one_in, roundsim, seldom, seldom_with, shards
from helpers.run_files import standings_of
from helpers.shard_text import parts_of, text_of, write_parts, write_text

from roundsim import games
from roundsim.base.errors import AbortError
from roundsim.refereeing.referee import Clock
from roundsim.sources import plugins
from roundsim.tournament.formats import shadow
from roundsim.tournament.formats.shadow import NEW, NUMBERS, OLD, SCALE, Shadow
from roundsim.tournament.planning.plan import Entry, Limits, Schedule, Tournament
from roundsim.tournament.results.totals import ShardTotals
from roundsim.workers.shard import Playing

pytestmark = pytest.mark.usefixtures("here")

OPTIONS = {"loto": {"max_cards": 3}}  # else nobody is asked anything
PLAYERS = {"cassino": 4}  # two against two: both of a side change their strategy

STRATEGIES = """
import os, random

class Old:
    def act(self, view):
        return view.chance.choice(view.legal)

class New:  # differs at one question of about five
    def act(self, view):
        said = view.chance.choice(view.legal)
        return view.legal[-1] if (sum(map(ord, str(said))) + len(view.legal) + view.seat) % 5 == 0 else said

class Remembers:
    heard = deals = 0
    def begin(self, view):
        self.heard += random.randrange(3)
    def settled(self, view, net):
        self.heard += net + view.chance.below(2)
        self.deals += 1
    def act(self, view):
        return view.legal[(self.heard + random.randrange(5)) % len(view.legal)]

class Thinks(Remembers):  # differs in the third deal only, after what it remembers
    def act(self, view):
        said = super().act(view)
        return view.legal[0] if self.deals == 2 and self.heard % 2 else said

CALLS = [0]
class Counts:  # keeps something from one sitting to the next
    def act(self, view):
        CALLS[0] += 1
        said = view.chance.choice(view.legal)
        return view.legal[0] if CALLS[0] % 50 == 0 else said

class First:
    def act(self, view):
        return view.legal[0]

class Fails(First):
    def play(self, view):
        return view.legal[0] if len(view.hand) != 2 else 1 / 0

class Dies(Old):
    def play(self, view):
        return os._exit(3) if len(view.hand) == 3 and view.seat == 2 else self.act(view)

class Refuses(First):
    def __init__(self):
        raise ValueError("no")

class Imagines:
    imagines = True
    def act(self, view):
        view.imagine()
        return view.chance.choice(view.legal)

class ImaginesToo(Imagines):
    def act(self, view):
        return view.legal[-1] if view.chance.below(40) == 0 else super().act(view)
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("source") / "mine.py"
    path.write_text(STRATEGIES)
    return path


def tournament_of(
    source: Path, game: str, new: str, old: str, blocks: int, options: Any = None, sparing: bool = True, *others: str
) -> Tournament:
    players = PLAYERS.get(game, max(3, games.find(game).usual[0]))
    sitting = games.find(game).rules_for(players, options or {}).sitting
    format = Shadow(players, sitting, sparing=sparing, alone=not others)
    listed = tuple(plugins.find(f"{source}:{each}", game)[0] for each in (new, old, *others))
    entry = Entry(game, game, format, options or {}, listed, blocks)
    return Tournament("t", "shadow", 7, Limits(isolate="off"), (entry,))


def shards_played(tournament: Tournament) -> Iterator[tuple[ShardTotals, dict[str, list[str]]]]:
    """Yield the totals of each shard; the lines of its sittings, "17/1"; and the strategies at them, "17/1="."""
    schedule = Schedule(tournament, 0)
    for blocks in tournament.entries[0].shards():
        with Clock(100.0) as clock:
            shard = Playing(tournament, schedule.task(blocks[0]), clock)
            shard.play()
        sittings = dict[str, list[str]]()
        for line in b"".join(text for block in blocks for text in shard.lines.text(block)).decode().splitlines():
            if line.startswith("= "):
                _, table, seats = line.split(" ", 2)
                sittings[table], sittings[f"{table}="] = [], seats.split(" | ")
            elif not line.startswith("! "):
                sittings[line.partition(" ")[0].rpartition("/")[0]].append(line)
        yield shard.tally, sittings


def numbers(lines: list[str]) -> list[int]:
    """The net of each seat in a sitting."""
    rows = [list(map(int, line.partition(" |")[0].split(" ")[2:])) for line in lines]
    return [sum(column) for column in zip(*rows, strict=True)]


def actions(lines: list[str]) -> list[list[str]]:
    return [line.partition(" |")[2].split(",") for line in lines if "/end " not in line]


@pytest.fixture
def audited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every seat of every block is played again."""
    monkeypatch.setattr(shadow, "FIRST", 10**9)


@pytest.mark.parametrize("blocks", [12, pytest.param(drawn(40, 300), marks=pytest.mark.soak)])
@pytest.mark.parametrize("game", one_in(8, GAMES))
def test_where_answers_are_alike_the_sitting_is_the_same(game: str, blocks: int, source: Path, audited: None) -> None:
    """An alike seat that came out differently would end the shard; and the row says what the lines say."""
    alike, differs = 0, 0
    for tally, sittings in shards_played(tournament_of(source, game, "New", "Old", blocks, OPTIONS.get(game))):
        for row in tally.rows:
            players = len(row.seats) // 2
            base, (sums, changed), extra = sittings[f"{row.block}/1"], row.values, row.extra
            nets = [Fraction(number, SCALE) for number in sums]
            assert nets[:players] == numbers(base)
            for seat in range(players):
                if (replay := sittings.get(f"{row.block}/{seat + 2}")) is None:
                    continue  # its side is played again from another seat
                assert nets[players + seat] == numbers(replay)[seat]
                pairs = [*zip(actions(base), actions(replay), strict=False)]
                first = next((deal for deal, (one, two) in enumerate(pairs, 1) if one != two), 0)
                assert extra[NUMBERS * seat] == first and bool(first) == changed[players + seat]
                if first:
                    one, two = pairs[first - 1]
                    assert extra[NUMBERS * seat + 1] == next(
                        at for at, both in enumerate(zip(one, two, strict=False), 1) if len({*both}) == 2
                    )
                    differs += 1
                else:
                    assert [line.partition(" ")[2] for line in base] == [line.partition(" ")[2] for line in replay]
                    alike += 1
    assert differs > 0


def test_sittings_are_the_same_unless_memory_goes_from_one_to_the_next(source: Path) -> None:
    (_, one), (_, two) = (
        next(shards_played(tournament_of(source, "nap", new, "Remembers", 8))) for new in ("Thinks", "Fails")
    )
    assert [one[f"{block}/1"] for block in range(1, 9)] == [two[f"{block}/1"] for block in range(1, 9)]
    with pytest.raises(
        AbortError, match=r"nap/\d+/\d: Counts answers differently when it is asked again \((deal \d, action|no action)"
    ):
        [*shards_played(tournament_of(source, "nap", "Counts", "Old", 60))]


@pytest.mark.parametrize(("new", "old"), [("Thinks", "Remembers"), ("ImaginesToo", "Imagines")])
@pytest.mark.parametrize("game", ["nap", *seldom("loo", "brag", "speculation")])
def test_the_memory_is_the_same_in_replays(new: str, old: str, game: str, source: Path, audited: None) -> None:
    blocks = 25 if new == "Thinks" else 3
    found = [
        row.extra for tally, _ in shards_played(tournament_of(source, game, new, old, blocks)) for row in tally.rows
    ]
    firsts = {deal for extra in found for deal in extra[::NUMBERS]}
    assert firsts == {0, 3} if new == "Thinks" else firsts - {0}


def test_against_itself_nothing_differs_and_a_sitting_may_end_early(source: Path, audited: None) -> None:
    for tally, _ in shards_played(tournament_of(source, "nap", "Remembers", "Remembers", 12)):
        assert not any(any(row.extra) for row in tally.rows) and len(tally.rows) == 12
    # A game of whiskey poker for lives is over when somebody has none: courses have different numbers of deals.
    options = {"mode": "lives", "lives": 2}
    (tally, sittings), *_ = shards_played(tournament_of(source, "whiskey-poker", "New", "Old", 24, options))
    lengths = [[len(actions(sittings[f"{row.block}/{part}"])) for part in range(1, 6)] for row in tally.rows]
    assert [row.deals for row in tally.rows] == [*map(sum, lengths)]
    assert any(len({*each}) > 1 for each in lengths)


def test_only_sittings_with_other_answers_are_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shadow that has differed in one sitting is asked again in the next."""
    monkeypatch.setattr(shadow, "FIRST", 0)
    (tmp_path / "mine.py").write_text(
        """
class Old:
    def act(self, view):
        return view.legal[0]

class New(Old):
    def act(self, view):
        return view.legal[-1 if "As" in view.hand else 0]
"""
    )
    ((_, sittings),) = shards_played(tournament_of(tmp_path / "mine.py", "nap", "New", "Old", 24))
    again = [table for table in sittings if not table.endswith(("/1", "="))]
    assert 0 < len(again) < 24 * 4
    for table in again:
        assert actions(sittings[table]) != actions(sittings[f"{table.partition('/')[0]}/1"])


def test_without_sparing_every_sitting_is_played(source: Path) -> None:
    sparing, whole = (tournament_of(source, "nap", "New", "Old", 12, sparing=each) for each in (True, False))
    (one, some), (every, sittings) = (next(shards_played(each)) for each in (sparing, whole))
    assert len(sittings) == 2 * 12 * 5 > len(some)
    assert [row.values for row in one.rows] == [row.values for row in every.rows]
    counts = tournament_of(source, "nap", "Counts", "Old", 12, sparing=False)  # it would differ when asked again
    assert len(next(shards_played(counts))[1]) == 2 * 12 * 5


@pytest.mark.parametrize("game", ["nap", "cassino", *seldom("loo", "brag", "draw-poker", "pope-joan")])
def test_among_others_the_old_strategy_has_each_seat_once(game: str, source: Path) -> None:
    """The rows agree with the lines, whether or not everything is played again."""
    others = ("First", "Remembers")
    rows = []
    for sparing in (True, False):
        tournament = tournament_of(source, game, "New", "Old", 8, None, sparing, *others)
        players, labels = tournament.entries[0].rules.players, tournament.entries[0].labels
        (tally, sittings), differs = next(shards_played(tournament)), 0
        for row in tally.rows:
            won, seats_of_old = Counter[str](), list[int]()
            for part in range(1, players + 1):
                before, seats = sittings[f"{row.block}/{part}"], sittings[f"{row.block}/{part}="]
                replay = sittings.get(f"{row.block}/{players + part}", before)
                own = [seat for seat, label in enumerate(seats) if label == labels[OLD]]
                there = sittings.get(f"{row.block}/{players + part}=")
                assert there in (None, [labels[NEW] if seat in own else label for seat, label in enumerate(seats)])
                seats_of_old += own
                won.update(dict.fromkeys(labels, 0))
                for label, net in zip(seats, numbers(before), strict=True):
                    won[label] += net
                gains = sum(numbers(replay)[seat] - numbers(before)[seat] for seat in own)
                won[labels[NEW]] += sum(numbers(replay)[seat] for seat in own)
                *_, gained, _ = row.extra[NUMBERS * (part - 1) : NUMBERS * part]
                assert gained == gains
                differs += replay != before and gains != 0
            assert Counter(seats_of_old) == Counter([*range(players)] * (2 if game == "cassino" else 1))
            for entrant, label in enumerate(labels):
                assert won[label] == sum(
                    Fraction(net, SCALE) for who, net in zip(row.seats, row.values[0], strict=True) if who == entrant
                )
        assert differs > 0
        rows.append([(row.seats, row.values, row.extra) for row in tally.rows])
    assert rows[0] == rows[1]


@pytest.mark.parametrize("new", ["Fails", "Refuses"])
def test_faults_of_the_new_strategy_are_in_the_replays(new: str, source: Path) -> None:
    for tally, sittings in shards_played(tournament_of(source, "nap", new, "First", 12)):
        assert {entrant for entrant, _ in tally.faults} == {NEW}
        assert not any("!" in line for block in range(1, 13) for line in sittings[f"{block}/1"])


def test_where_the_old_is_at_fault_every_seat_is_played_again(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shadow, "FIRST", 0)  # no block is audited
    for tally, sittings in shards_played(tournament_of(source, "nap", "First", "Fails", 10)):
        faulty = [block for block in range(1, 11) if any("!" in line for line in sittings[f"{block}/1"])]
        assert faulty and all(f"{block}/{seat + 2}" in sittings for block in faulty for seat in range(4))
        assert {entrant for entrant, _ in tally.faults} == {OLD}


PLAY = "play", "nap", "new=book(bold=1)", "old=book", "--as", "shadow", "--deals", 240, "--out", "run"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, here: None) -> Path:
    folder = tmp_path_factory.mktemp("shadow")
    roundsim(*PLAY, cwd=folder)
    return folder / "run"


@pytest.mark.parametrize("at", [2, *seldom(0, 1)])
def test_a_first_difference_that_there_is_not_is_refused(at: int, run: Path, tmp_path: Path, shell: Shell) -> None:
    """The deal, the action and the phase of a replay are looked up."""
    copy = tmp_path / "copy"
    shutil.copytree(run, copy)
    shard = next((copy / "log").rglob("*.zst"))
    head, rows, lines = parts_of(shard)
    rows[0][-1][at] = -1 if at == 1 else 99
    write_parts(shard, head, rows, lines)
    for words in ("standings", copy), ("report", copy), ("log", copy):
        done = shell(*words)
        assert done.code == 65 and "that there is not" in done.err, words
    done = shell("verify", copy)
    assert done.code == 1 and str(shard) in done.err


def test_it_is_verified_and_replayed(run: Path, shell: Shell) -> None:
    (game,) = standings_of(run)["games"]
    assert shell("verify", run).out.startswith(f"{game['deals']} deals verified")
    origins, (new, old) = game["origins"], sorted(game["rows"], key=lambda row: row["strategy"])
    assert sum(each["difference"] for each in origins["phases"]) == pytest.approx(new["net_per_deal"], abs=1e-5)
    assert old["net_per_deal"] == 0 and [each["phase"] for each in origins["phases"]] == ["call"]
    most = origins["gained"][0]
    shown = shell("replay", f"{run}:{most['deal']}").out
    assert len(re.findall("here new answers differently: before it was", shown)) == 1
    net, before = (re.findall(rf"^{word} .*$", shown, re.M)[0] for word in ("net", "before"))
    seat = int(most["deal"].split("/")[2]) - 2
    gained = [int(re.findall(rf" {seat} ([+-]\d+)", line)[0]) for line in (net, before)]
    assert gained[0] - gained[1] == most["gained"]  # the whole sitting gains it in its last deal here
    step = int(re.findall(r"from action (\d+) on:", shown)[0])
    course = " ".join(shown[shown.index(" on: ") + 5 :].split()).split(", ")
    block, _, number = most["deal"].split("/")[1:]
    (line,) = [line for line in deals_of(run) if line.startswith(f"{block}/1/{number} ")]
    assert actions([line])[0][step - 1 :] == [f" {action}" for action in course]
    blind = shell("replay", f"{run}:{most['deal']}", "--seat", (seat + 1) % 4).out
    assert "here new answers differently\n" in blind and "from action" not in blind


@pytest.mark.parametrize("jobs", seldom(1, 2, 7))
def test_any_number_of_processes(run: Path, jobs: int, tmp_path: Path) -> None:
    roundsim(*PLAY, "--jobs", jobs, cwd=tmp_path, hash_seed=str(jobs))
    assert_same(run, tmp_path / "run")


@pytest.mark.usefixtures("guests_once")
@pytest.mark.parametrize(
    ("new", "old"),
    [("First", "book"), *seldom_with(("Thinks", "Remembers"), ("Fails", "First"), ("New", "Old"), ("book", "First"))],
)
def test_guests_play_the_same(new: str, old: str, tmp_path: Path, source: Path) -> None:
    """A shadow that is a guest is asked at the same time as a player that is one, or is not."""
    pair = [f"{name}={each if each == 'book' else f'{source}:{each}'}" for name, each in (("new", new), ("old", old))]
    for isolate in "auto", "off":
        words = "play", "nap", *pair, "--as", "shadow", "--deals", 80, "--isolate", isolate, "--out", isolate
        roundsim(*words, cwd=tmp_path, code=2 if new == "Fails" else 0)
    assert deals_of(tmp_path / "auto") == deals_of(tmp_path / "off")


@pytest.mark.soak
def test_guests_play_the_same_among_others(tmp_path: Path, source: Path) -> None:
    """Nobody is asked for the others a second time."""
    for isolate in "auto", "off":
        among = "--among", f"random,{source}:Remembers", "--deals", 1280, "--isolate", isolate, "--out", isolate
        roundsim("gate", "nap", f"new={source}:New", f"old={source}:Old", *among, cwd=tmp_path, code=3)
    assert deals_of(tmp_path / "auto") == deals_of(tmp_path / "off")


@pytest.mark.soak
@pytest.mark.parametrize("isolate", ["auto", "off"])
def test_a_new_strategy_whose_process_dies(isolate: str, tmp_path: Path, source: Path) -> None:
    """After three deaths it is not asked any more in the shard, neither as a shadow nor in replays."""
    words = "play", "nap", f"new={source}:Dies", f"old={source}:Old", "--as", "shadow", "--deals", 80, "--out", "run"
    roundsim(*words, "--isolate", isolate, "--jobs", 1, cwd=tmp_path, code=2)
    rows = standings_of(tmp_path / "run")["games"][0]["rows"]
    assert {row["strategy"]: row["faults"].get("dead", 0) > 0 for row in rows} == {"new": True, "old": False}
    assert roundsim("verify", "run", cwd=tmp_path).stdout


def test_forged_logs(run: Path, tmp_path: Path, shell: Shell) -> None:
    forgeries = {
        r"= 1/2 new \| old \| old \| old\n(1/2/.*\n)+": "",  # block 1 is audited
        r"(?<=\n)= 1/2 new \| old": "= 1/2 old | new",
        r"(?<=\n1/3/1 )(.*)\| (pass|call \d), (pass|call \d)": r"\1| \3, \2",
    }
    for number, (pattern, instead) in enumerate(forgeries.items()):
        copy = Path(shutil.copytree(run, tmp_path / str(number)))
        path = copy / next(iter(shards(copy)))
        text = text_of(path)
        forged = re.sub(pattern, instead, text, count=1)
        assert forged != text
        write_text(path, forged)
        assert shell("verify", copy).code == 1


def test_a_gate_is_a_shadow(shell: Shell) -> None:
    """It ends within a shard: the best and worst deals of its last one are read from the lines that are left."""
    done = shell("gate", "nap", "new=book", "old=random", "--deals", 400, "--out", "run")
    said = " ".join(done.out.split())
    assert done.code == 0 and re.search(
        r" where the first different answer is .*in play in [\d.]+ % of the sittings \([+-]", said
    )
    assert "most gained" in said
    data = standings_of(Path("run"))
    assert data["format"] == "shadow" and data["games"][0]["until"]["block"] < 100
    assert shell("verify", "run").code == 0


@pytest.mark.soak
def test_a_whole_gate_and_one_among_others(shell: Shell) -> None:
    whole = shell("gate", "nap", "new=book(bold=1)", "old=book", "--whole", "--deals", 320, "--out", "whole")
    assert whole.code == 3 and standings_of(Path("whole"))["games"][0]["deals"] == 5 * 320
    assert shell("report", "whole").code == 0 and shell("verify", "whole").code == 0
    page = Path("whole/report.html").read_text()
    assert "roundsim gate nap" in page and "--whole" in page and "--as shadow" not in page
    words = "gate", "nap", "new=book", "old=book(bold=9)", "--among", "random,book(bold=2)", "--deals", 1280
    done = shell(*words, "--out", "run", "--report")
    assert done.code == 3 and shell("verify", "run").code == 0
    (game,) = standings_of(Path("run"))["games"]
    net = {row["strategy"]: row["net_per_deal"] for row in game["rows"]}
    assert {*net} == {"new", "old", "random", "book(bold=2)"}
    parts = sum(each["difference"] for each in game["origins"]["phases"])
    assert parts == pytest.approx(net["new"] - net["old"], abs=1e-5)
    assert "--among &#39;random,book(bold=2)&#39;" in Path("run/report.html").read_text()
    most = game["origins"]["gained"][0]["deal"]
    assert "here new answers differently" in shell("replay", f"run:{most}").out


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("gate nap new=book old=random --half --dry-run", 0, "round-robin"),
        ("gate cassino new=book old=random --seats 2 --dry-run", 0, "round-robin"),
        ("gate nap book random --half --whole", 64, "--half plays every sitting"),
        ("gate nap book random --half --among random", 64, "--half plays every sitting of the two alone"),
        ("gate nap new=book old=random --among random,nobody", 64, "nobody"),
        ("play nap book random random --as shadow", 64, "a shadow is of two strategies"),
    ],
)
def test_flags_of_a_gate(words: str, code: int, said: str, shell: Shell) -> None:
    done = shell(*words.split())
    assert done.code == code and said in (done.err if code else done.out), done
