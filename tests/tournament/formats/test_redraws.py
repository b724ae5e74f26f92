"""Where few seats differ, a shadow plays other orders of the cards that were not yet dealt."""

from __future__ import annotations

import re
import shutil
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from operator import sub
from pathlib import Path
from statistics import mean, stdev

import pytest
from conftest import Shell
from helpers.command import assert_same, deals_of, roundsim, seldom, shards
from helpers.shard_text import parts_of, text_of, write_text

import roundsim as api
from roundsim import games
from roundsim.refereeing.redrawn import RedrawnSitting
from roundsim.refereeing.sitting import Sitting
from roundsim.table.chance import Chance, Source
from roundsim.table.deal import Deal
from roundsim.table.options import Rules
from roundsim.table.playthrough import Playthrough
from roundsim.tournament.formats.shadow import NUMBERS, SCALE

pytestmark = pytest.mark.usefixtures("here")

STRATEGIES = """
from collections import Counter

class Old:
    met = Counter()  # with a deal that comes again before its module is loaded again, it answers differently
    def act(self, view):
        said, question = view.chance.choice(view.legal), (view.seat, len(view.history), tuple(view.hand))
        self.met[question] += bool(view.hand)
        return said if self.met[question] < 4 else view.legal[0]

class New(Old):  # differs before the draw with the red aces
    phase = "ante"
    def act(self, view):
        said = super().act(view)
        return view.legal[-1] if view.phase == self.phase and {"Ah", "Ad"} <= {*view.hand} else said

class Late(New):  # after the draw
    phase = "bet"

class Often(Old):
    def act(self, view):
        said = super().act(view)
        return view.legal[-1] if view.phase == "ante" else said
"""

WORDS = "play", "draw-poker", "new=mine.py:New", "old=mine.py:Old", "--as", "shadow", "--seats", 4, "--deals", 2400
PLAY = *WORDS, "--isolate", "off"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, here: None) -> Path:
    """A folder with the strategies, and a run of two shards."""
    folder = tmp_path_factory.mktemp("redraws")
    (folder / "mine.py").write_text(STRATEGIES)
    roundsim(*PLAY, "--out", "run", cwd=folder)
    return folder


def sittings_of(run: Path) -> dict[int, dict[int, list[str]]]:
    """The lines of the deals of each block, by the number of the sitting."""
    sittings = defaultdict[int, dict[int, list[str]]](dict)
    for line in deals_of(run):
        block, sitting, _ = line.partition(" ")[0].split("/")
        sittings[int(block)].setdefault(int(sitting), []).append(line)
    return sittings


def nets(lines: Sequence[str]) -> list[int]:
    rows = [list(map(int, line.partition(" |")[0].split(" ")[2:])) for line in lines]
    return [sum(column) for column in zip(*rows, strict=True)]


def base_and_replay(sittings: Mapping[int, list[str]], seat: int) -> list[list[str]]:
    return [sittings[1], sittings.get(2 + seat, sittings[1])]


def orders_of(sittings: Mapping[int, list[str]], seat: int) -> list[tuple[list[str], list[str]]]:
    """The old sitting and the new in each other order that was played because of a seat: those after the fifth, of each
    seat in turn, first all in the first order."""
    firsts = range(6 + 2 * seat, 6 + 8 * 8, 8)
    return [(sittings[at], sittings[at + 1]) for at in firsts if at in sittings]


def hands_at_the_end(game: type[Deal], rules: Rules, order: int | None, seed: int) -> list[list[str]]:
    """The hands after the third deal of a sitting, with another order from its second action on."""
    sitting = Sitting(game, rules, deals=3) if order is None else RedrawnSitting(game, rules, 3, (3, 2), order)
    for number in 1, 2, 3:
        deal, chance = sitting.next_deal(Source(f"{seed}/{number}")), Chance(f"{seed}/{number}")
        playing = Playthrough(deal)
        while playing.ask:
            playing.answer(chance.choice(playing.ask.legal))
        sitting.settle(deal)
    return [sorted(map(str, hand)) for hand in deal.hands]


def test_a_gain_is_the_mean_over_nine_orders(folder: Path) -> None:
    played, redrawn = sittings_of(folder / "run"), 0
    for shard in shards(folder / "run"):
        _, rows, _ = parts_of(folder / "run" / shard)
        for block, _, _, _, (values, _), *_, extra in rows:
            sittings = played[block]
            before = nets(sittings[1])
            assert values[:4] == [SCALE * net for net in before]
            for seat in range(4):
                replay = nets(sittings.get(2 + seat, sittings[1]))
                gains = [replay[seat] - before[seat]]
                gains += [nets(new)[seat] - nets(old)[seat] for old, new in orders_of(sittings, seat)]
                assert len(gains) in (1, SCALE)
                mean = Fraction(sum(gains), len(gains))
                assert values[4 + seat] == SCALE * (before[seat] + mean)
                assert list(extra[NUMBERS * seat + 3 : NUMBERS * seat + 5]) == [gains[0], SCALE * mean]
                redrawn += len(gains) > 1
    assert redrawn > 10


@pytest.mark.soak
def test_seats_are_redrawn_where_few_of_the_other_blocks_differ(folder: Path) -> None:
    """The block itself does not count, and of a shard with one block there are no others."""
    played, differing = sittings_of(folder / "run"), 0
    for shard in shards(folder / "run"):
        _, rows, _ = parts_of(folder / "run" / shard)
        changed = {block: sum(extra[::NUMBERS][seat] > 0 for seat in range(4)) for block, *_, extra in rows}
        for block, *_, extra in rows:
            few = 10 * (sum(changed.values()) - changed[block]) < 4 * (len(rows) - 1)
            for seat in range(4):
                number, action, *_ = extra[NUMBERS * seat : NUMBERS * (seat + 1)]
                courses = [
                    each[number - 1].split(" | ")[1].split(", ") for each in base_and_replay(played[block], seat)
                ]
                draws = any("discard" in said for course in courses for said in course[action - 1 :])
                expected = few and number > 0 and draws
                assert bool(orders_of(played[block], seat)) == expected
                differing += expected
    assert differing > 10


@pytest.mark.soak
def test_only_what_is_not_yet_dealt_comes_in_another_order(folder: Path) -> None:
    seen = {deal.address: deal for deal in api.deals(folder / "run")}
    others = 0
    for shard in shards(folder / "run"):
        for block, *_, extra in parts_of(folder / "run" / shard)[1]:
            for seat, (number, action, *_) in enumerate(zip(*[iter(extra)] * NUMBERS, strict=True)):
                base = seen.get(f"draw-poker/{block}/1/{number}")
                for at in range(6 + 2 * seat, 6 + 64, 8):
                    if base and (old := seen.get(f"draw-poker/{block}/{at}/{number}")):
                        new = seen[f"draw-poker/{block}/{at + 1}/{number}"]
                        assert old.hands == new.hands == base.hands
                        assert old.actions[: action - 1] == new.actions[: action - 1] == base.actions[: action - 1]
                        assert old.actions[action - 1] == base.actions[action - 1] != new.actions[action - 1]
                        assert (
                            new.actions[action - 1]
                            == seen[f"draw-poker/{block}/{2 + seat}/{number}"].actions[action - 1]
                        )
                        others += old.over.hands != base.over.hands
    assert others > 50


@pytest.mark.parametrize("new", seldom("Late", "Often"))
def test_few_seats_or_many_or_no_card(new: str, folder: Path, tmp_path: Path) -> None:
    """No card is drawn any more, or many seats differ."""
    words = [f"new=mine.py:{new}" if word == WORDS[2] else word for word in PLAY]
    roundsim(*words, "--out", tmp_path / "run", cwd=folder)
    sittings = sittings_of(tmp_path / "run").values()
    assert max(map(max, sittings)) <= 5 and any(len(each) > 1 for each in sittings)


@pytest.mark.parametrize("game", ["brag", "vingt-un", *seldom("stud-poker", "ambigu", "cassino", "loo")])
def test_the_true_order_is_the_usual_sitting(game: str) -> None:
    """In order 0 the cards are counted. In another, those drawn before the action are the same."""
    found = games.find(game)
    rules = found.rules_for(found.usual[0])
    for seed in range(8):
        assert hands_at_the_end(found, rules, None, seed) == hands_at_the_end(found, rules, 0, seed)


@pytest.mark.soak
def test_the_mean_is_that_of_the_true_orders(folder: Path, tmp_path: Path) -> None:
    """Block by block the gain differs from that of the whole shadow, on average by nothing, and it varies less."""
    gains = list[dict[int, float]]()
    for name, sparing in ("spare", "true"), ("whole", "false"):
        (folder / f"{name}.toml").write_text(f"""
[tournament]
format = "shadow"
strategies = ["new=mine.py:New", "old=mine.py:Old"]
[[games]]
game = "draw-poker"
players = 4
deals = 6000
sparing = {sparing}
""")
        roundsim("run", f"{name}.toml", "--isolate", "off", "--out", tmp_path / name, cwd=folder)
        rows = [row for shard in shards(tmp_path / name) for row in parts_of(tmp_path / name / shard)[1]]
        gains.append({block: sum(nets[4:]) - sum(nets[:4]) for block, _, _, _, (nets, _), *_ in rows})
    spare, whole = ([found[block] for block in range(1, 1501)] for found in gains)
    apart = list(map(sub, spare, whole))
    assert abs(mean(apart)) < 4 * stdev(apart) / len(apart) ** 0.5
    assert stdev(spare) < 0.9 * stdev(whole)


@pytest.mark.soak
def test_forged_orders_are_found(folder: Path, tmp_path: Path, shell: Shell) -> None:
    """One that is missing, one too many, others in their seats, and half of one."""
    run = folder / "run"
    assert shell("verify", run, "--strategy", f"new={folder}/mine.py").code == 0
    name = next(name for name in shards(run) if "/6 old" in text_of(run / name))
    text = text_of(run / name)
    (order,) = re.findall(r"= (?:\d+)/6 old.*\n(?:\d+/6/.*\n)+= \d+/7 new.*\n(?:\d+/7/.*\n)+", text)[:1]
    for number, forged in enumerate(
        ("", order + order, order.replace("/7 new | old", "/7 old | new"), order[order.index("\n= ") + 1 :])
    ):
        copy = Path(shutil.copytree(run, tmp_path / str(number)))
        write_text(copy / name, text.replace(order, forged))
        assert shell("verify", copy).code == 1, number
        assert shell("deals", copy, "--worst", "new").code in (0, 65), number


@pytest.mark.soak
def test_an_order_is_replayed(folder: Path, shell: Shell) -> None:
    seen = {deal.address: deal for deal in api.deals(folder / "run")}
    address = next(address for address in seen if int(address.split("/")[2]) > 5)
    name, block, at, number = address.split("/")
    new = f"{name}/{block}/{int(at) + 1}/{number}"
    (before,) = re.findall(r"^before +(.*)$", shell("replay", f"{folder}/run:{new}").out, re.M)
    assert [*map(int, re.findall(r"[+-]\d+", before))] == [*seen[address].net]
    assert "before " not in shell("replay", f"{folder}/run:{address}").out


@pytest.mark.parametrize("jobs", seldom(1, 2, 7))
def test_any_number_of_processes(jobs: int, folder: Path, tmp_path: Path) -> None:
    roundsim(*PLAY, "--jobs", jobs, "--out", tmp_path / "run", cwd=folder, hash_seed=str(jobs))
    assert_same(folder / "run", tmp_path / "run")


@pytest.mark.soak
@pytest.mark.usefixtures("guests_once")
def test_guests_play_the_same(folder: Path, tmp_path: Path) -> None:
    roundsim(*WORDS, "--isolate", "auto", "--out", tmp_path / "run", cwd=folder)
    assert deals_of(tmp_path / "run") == deals_of(folder / "run")
