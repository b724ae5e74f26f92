"""Deals looked for, and who said what; the figures are settled from the text of the log alone."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from conftest import GAMES, Shell, addresses
from helpers.command import called, one_in
from helpers.shard_text import text_of, write_text

import roundsim
from roundsim.base.errors import InputError
from roundsim.running import Run

pytestmark = pytest.mark.usefixtures("here")

FAULTY = """
class Faulty:
    games = ["nap"]

    def call(self, view):
        if view.chance.random() < 0.2:
            return "call 99"
        return view.legal[-1] if view.chance.random() < 0.3 else view.legal[0]

    def settled(self, view, net):
        if net == -3:
            raise KeyError
"""
KINDS = "illegal", "exception"


@pytest.fixture(scope="module")
def quartet(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Five entrants of Nap at tables of four; one of them makes faults."""
    folder = tmp_path_factory.mktemp("quartet")
    (folder / "faulty.py").write_text(FAULTY)
    entrants = [str(folder / "faulty.py"), "book", "book(bold=1)", "random", "random"]
    return roundsim.play("nap", entrants, seats=4, deals=240, jobs=1, out=folder / "run")


class Seat(NamedTuple):
    """A deal as a seat had it, from the text of the log."""

    deal: str
    dealer: int
    seat: int
    strategy: str
    net: int
    nets: list[int]
    actions: list[str]

    @property
    def calls(self) -> list[str]:
        """The call of this seat, if it has made one: once round from the dealer's left, until nap is called."""
        spoken = [each for each in self.actions if re.fullmatch(r"(!\w* )?(pass|call .*)", each)]
        return spoken[(self.seat - self.dealer - 1) % len(self.nets) :][:1]


@cache
def log_of(folder: Path) -> list[str]:
    """The lines of a log, as they are printed."""
    return called("log", folder, cwd=folder).stdout.splitlines()


def logged(run: Run) -> list[Seat]:
    """Every deal of the log as each seat had it."""
    return logged_in(run.folder.resolve())


@cache
def logged_in(folder: Path) -> list[Seat]:
    seats, found = dict[str, list[str]](), []
    for line in log_of(folder):
        if line.startswith("= "):
            _, table, names = line.split(" ", 2)
            seats[table] = names.split(" | ")
        elif not line.startswith("! ") and not line.endswith(" |"):
            head, _, said = line.partition(" | ")
            deal, dealer, *nets = head.split()
            net = [int(each) for each in nets]
            for seat, name in enumerate(seats[deal.rpartition("/")[0]]):
                found.append(Seat(deal, int(dealer), seat, name, net[seat], net, said.split(", ")))
    return found


def objects(shell: Shell, *words: object) -> list[dict[str, Any]]:
    done = shell(*words, "--format", "json")
    assert done.code == 0, done
    return [json.loads(line) for line in done.out.splitlines()]


def where(found: list[dict[str, Any]]) -> list[tuple[str, int, str, int]]:
    return [(each["deal"], each["seat"], each["strategy"], each["net"]) for each in found]


def expected(seats: list[Seat]) -> list[tuple[str, int, str, int]]:
    return [(each.deal, each.seat, each.strategy, each.net) for each in seats]


@pytest.mark.parametrize("name", one_in(2, ["Faulty", "book", "book(bold=1)", "random#2"]))
def test_the_worst_and_the_best_of_a_strategy(name: str, quartet: Run, shell: Shell) -> None:
    mine = [each for each in logged(quartet) if each.strategy == name]
    for order, sign in ("--worst", 1), ("--best", -1):
        ranked = expected(sorted(mine, key=lambda each: sign * each.net))
        assert where(objects(shell, "deals", quartet.folder, order, name)) == ranked[:5]
        assert where(objects(shell, "deals", quartet.folder, order, name, "-n", 40)) == ranked[:40]
    ranked = expected(sorted(logged(quartet), key=lambda each: each.net))
    assert where(objects(shell, "deals", quartet.folder, "--worst", "-n", 7)) == ranked[:7]


def test_the_typical_deals_are_those_of_the_median_net(quartet: Run, shell: Shell) -> None:
    mine = [each for each in logged(quartet) if each.strategy == "book"]
    nets = sorted(each.net for each in mine)
    middle = nets[(len(nets) - 1) // 2]
    alike = [each for each in mine if each.net == middle]
    found = objects(shell, "deals", quartet.folder, "--typical", "book", "-n", len(alike) + 3)
    assert where(found)[: len(alike)] == expected(alike)
    assert len(alike) > 5 and where(objects(shell, "deals", quartet.folder, "--typical", "book")) == expected(alike)[:5]
    next_off = min(abs(net - middle) for net in nets if net != middle)
    assert {abs(each["net"] - middle) for each in found[len(alike) :]} == {next_off}


Fits = Callable[[Seat, Seat], bool]


def widest(every: list[Seat], fits: Fits) -> list[int]:
    """How far two that fit were apart, at most, in each seat of each deal; the widest first."""
    same = defaultdict[tuple[str, str, int], list[Seat]](list)
    for one in every:
        _, block, _, deal = one.deal.split("/")
        same[block, deal, one.seat].append(one)
    apart = [
        max([abs(one.net - other.net) for one, other in combinations(seats, 2) if fits(one, other)] or [0])
        for seats in same.values()
    ]
    return sorted(filter(None, apart), reverse=True)


@pytest.mark.parametrize(
    ("words", "fits"),
    [
        ([], lambda *two: True),
        (["book"], lambda *two: "book" in [each.strategy for each in two]),
        (["book", "--who", "Faulty"], lambda *two: {each.strategy for each in two} == {"book", "Faulty"}),
        (
            ["--who", "random", "--who", "random#2"],
            lambda *two: {each.strategy for each in two} == {"random", "random#2"},
        ),
        (["--said", "call nap"], lambda *two: any("call nap" in each.calls for each in two)),
        (
            ["book", "--said", "call 3", "--phase", "call"],
            lambda *two: "book" in [each.strategy for each in two] and any("call 3" in each.calls for each in two),
        ),
    ],
    ids=["any", "one", "two", "two of one kind", "said", "said by one"],
)
def test_a_swing_is_between_two_in_the_same_seat(words: list[str], fits: Fits, quartet: Run, shell: Shell) -> None:
    every = logged(quartet)
    known = {(each.deal, each.seat): each for each in every}
    found = objects(shell, "deals", quartet.folder, "--swing", *words, "-n", 30)
    assert [each["other"]["net"] - each["net"] for each in found] == widest(every, fits)[:30] != []
    for each in found:
        one, other = (known[two["deal"], two["seat"]] for two in (each, each["other"]))
        assert where([each, each["other"]]) == expected([one, other]) and fits(one, other) and one.seat == other.seat
        (_, block, first, deal), (_, other_block, second, other_deal) = one.deal.split("/"), other.deal.split("/")
        assert (block, deal) == (other_block, other_deal) and first != second and one.strategy != other.strategy


def test_two_seats_of_one_strategy_are_not_compared(tmp_path: Path, shell: Shell) -> None:
    run = roundsim.play("nap", ["book", "random"], seats=4, deals=64, jobs=1, out=tmp_path / "run")
    every, found = logged(run), objects(shell, "deals", run.folder, "--swing", "-n", 999)
    apart = widest(every, lambda one, other: one.strategy != other.strategy)
    assert [each["other"]["net"] - each["net"] for each in found] == apart
    assert apart != widest(every, lambda one, other: True)


def test_a_seat_of_a_deal_is_in_one_swing(quartet: Run, shell: Shell) -> None:
    found = objects(shell, "deals", quartet.folder, "--swing", "-n", 10_000)
    places = [(*each["deal"].split("/")[1::2], each["seat"]) for each in found]
    assert len(places) == len({*places}) > 100


@pytest.mark.parametrize("name", one_in(2, ["Faulty", "book", "random"]))
@pytest.mark.parametrize("said", one_in(2, ["call nap", "call 3", "call", "pass"]))
def test_the_calls_of_a_seat(name: str, said: str, quartet: Run, shell: Shell) -> None:
    """The log does not say who spoke: in Nap it follows from the dealer."""
    every = logged(quartet)
    mine = [
        each
        for each in every
        if each.strategy == name and any(f"{call} ".startswith(f"{said} ") for call in each.calls)
    ]
    assert where(objects(shell, "deals", quartet.folder, "--who", name, "--said", said)) == expected(mine)
    ranked = sorted(mine, key=lambda each: each.net)
    found = objects(shell, "deals", quartet.folder, "--worst", name, "--said", said, "--phase", "call")
    assert where(found) == expected(ranked)[:5]
    assert not objects(shell, "deals", quartet.folder, "--who", name, "--said", said, "--phase", "play")


@pytest.mark.soak
def test_words_are_taken_whole(quartet: Run, shell: Shell) -> None:
    assert not objects(shell, "deals", quartet.folder, "--said", "call na")
    assert not objects(shell, "deals", quartet.folder, "--said", "cal")
    spaced, plain = (objects(shell, "deals", quartet.folder, "--said", said) for said in (" call  nap ", "call nap"))
    assert spaced == plain and plain


def test_a_phase_lists_the_seats_that_acted_in_it(quartet: Run, shell: Shell) -> None:
    asked = [each for each in logged(quartet) if each.calls and not each.calls[0].startswith("!")]
    assert where(objects(shell, "deals", quartet.folder, "--phase", "call")) == expected(asked)


def test_the_deals_in_which_a_seat_was_at_fault(quartet: Run, shell: Shell) -> None:
    """In a call, or after the deal: the two kinds of fault that this one makes."""
    every = logged(quartet)
    outside = {tuple(each.split()[1:3]) for each in log_of(quartet.folder.resolve()) if each[0] == "!"}
    calling = [each for each in every if each.calls and each.calls[0].startswith("!illegal ")]
    settling = [each for each in every if (each.deal, str(each.seat)) in outside]
    both = [each for each in every if each in calling or each in settling]
    assert calling and settling and len(settling) == len(outside) and {each.strategy for each in both} == {"Faulty"}
    for words, wanted in ([], both), (["--phase", "call"], calling), (["--phase", "settled"], settling):
        assert where(objects(shell, "deals", quartet.folder, "--fault", *words)) == expected(wanted)
    found = objects(shell, "deals", quartet.folder, "--fault", "--phase", "settled", "-n", 1)[0]["faults"]
    assert found == [{"seat": settling[0].seat, "strategy": "Faulty", "phase": "settled", "kind": "exception"}]
    table = shell("deals", quartet.folder, "--fault", "--phase", "settled", "-n", 1).out
    assert "  !exception settled, " in table


@pytest.mark.soak
def test_a_forfeited_answer_is_no_fault(quartet: Run, shell: Shell) -> None:
    """Nor has the seat said it."""
    marked = [each for each in logged(quartet) if each.strategy == "Faulty" and "! play" in str(each.actions)]
    for each in marked[:3]:
        said = next(action for action in each.actions if action.startswith("! play")).removeprefix("! ")
        for words in ["--fault"], ["--who", "Faulty"], []:
            assert each.deal not in {
                one["deal"] for one in objects(shell, "deals", quartet.folder, "--said", said, *words)
            }
    assert len(marked) > 3


def replayed(shell: Shell, run: Run, deal: str) -> list[tuple[int, str, str]]:
    """Seat, phase and action of a deal, from what replay prints."""
    printed = shell("replay", f"{run.folder}:{deal}").out
    found = re.findall(r"^ *\d+  seat (\d+)  (\S+) +(.*?)(?:  .*)?$", printed, re.M)
    return [(int(seat), phase, said.removeprefix("! ")) for seat, phase, said in found]


def as_text(deal: dict[str, Any]) -> str:
    """An object as a line of the log."""
    said = [
        f"!{each['why'] or ''} {each['action']}" if each["forfeited"] else each["action"] for each in deal["actions"]
    ]
    return f"{' '.join(map(str, [deal['deal'], deal['dealer'], *deal['net']]))} | {', '.join(said)}".rstrip()


@pytest.mark.parametrize("game", one_in(10, GAMES))
def test_the_log_says_who_acted(game: str, random_run: Callable[[str], Run], shell: Shell) -> None:
    run = random_run(game)
    plain, named = (shell("log", run.folder, *words).out.splitlines() for words in ([], ["--who"]))
    assert [re.sub(r"random(#\d+)?: ", "", line) for line in named] == [line.rstrip() for line in plain]
    found = {each["deal"]: each for each in objects(shell, "log", run.folder)}
    assert [as_text(each) for each in found.values()] == [line.rstrip() for line in plain if line[0] not in "=!"]
    for address in addresses(run)[:4]:
        deal = found[address]
        acted = [(each["seat"], each["phase"], each["action"]) for each in deal["actions"]]
        assert acted == replayed(shell, run, address)
        said = ", ".join(f"{deal['seats'][seat]}: {action}" for seat, _, action in acted)
        assert [line for line in named if line.startswith(f"{address} ")][0].partition(" | ")[2] == said


def test_marks_and_faults_are_reported_as_json(quartet: Run, shell: Shell) -> None:
    plain = log_of(quartet.folder.resolve())
    found = objects(shell, "log", quartet.folder)
    assert [as_text(each) for each in found] == [line for line in plain if line[0] not in "=!"]
    outside = [
        f"! {each['deal']} {fault['seat']} {fault['phase']} {fault['kind']}"
        for each in found
        for fault in each["faults"]
    ]
    assert sorted(outside) == sorted(line for line in plain if line.startswith("! "))
    assert {fault["strategy"] for each in found for fault in each["faults"]} == {"Faulty"}
    whose = {each["strategy"] for deal in found for each in deal["actions"] if each["forfeited"]}
    assert whose == {"Faulty"} and ", Faulty: !illegal pass" in shell("log", quartet.folder, "--who").out


@pytest.mark.parametrize("words", [["--worst", "Faulty"], ["--swing"], ["--fault"], ["--typical"], []], ids=" ".join)
def test_the_table_fits_and_says_how_to_replay_a_deal(words: list[str], quartet: Run, shell: Shell) -> None:
    done = shell("deals", quartet.folder, *words, "-n", 6)
    head, *rows, empty, again = done.out.splitlines()
    assert head.split() == ["deal", "strategy", "seat", "net", "actions"] and not empty and not done.err
    assert max(map(len, [head, *rows])) <= 80 and len(rows) == (12 if words == ["--swing"] else 6)
    found = [
        each for one in objects(shell, "deals", quartet.folder, *words, "-n", 6) for each in (one, one.get("other"))
    ]
    for row, each in zip(rows, filter(None, found), strict=True):
        deal, strategy, seat, net, *said = row.split(maxsplit=4)
        assert (deal, int(seat), strategy, int(net)) == where([each])[0]
        assert ", ".join(act["action"] for act in each["actions"]).startswith(
            re.sub(r"!\w* ", "", said[0].removesuffix(" ...")).removeprefix("settled, ")
        )
    assert again.startswith("again: roundsim replay ")
    words = shlex.split(again)[2:]
    assert words[1] == f"{quartet.folder}:{rows[0].split()[0]}" and words[2:] == ["--seat", rows[0].split()[2]]
    assert shell(*words).code == 0


def test_games_and_their_strategies(season: Run, shell: Shell) -> None:
    every = logged(season)
    pope = [each for each in every if each.deal.startswith("pope/")]
    assert where(objects(shell, "deals", season.folder, "--entry", "pope")) == expected(pope)
    assert where(objects(shell, "deals", season.folder)) == expected(every)
    third = sorted([each for each in pope if each.strategy == "random#2"], key=lambda each: -each.net)
    assert where(objects(shell, "deals", season.folder, "--best", "random#2", "-n", 9)) == expected(third)[:9]
    assert {each["deal"].split("/")[0] for each in objects(shell, "deals", season.folder, "--phase", "call")} == {"nap"}


def test_a_name_stands_for_it_with_all_parameters(tmp_path: Path, shell: Shell) -> None:
    entrants = ["book(bold=1)", "book(bold=-1)", "random"]
    run = roundsim.play("nap", entrants, deals=9, jobs=1, out=tmp_path / "run")
    found = objects(shell, "deals", run.folder, "--who", "book")
    assert {each["strategy"] for each in found} == {"book(bold=1)", "book(bold=-1)"}


def test_hand_by_hand_nobody_has_the_cards_of_another(shell: Shell) -> None:
    words = ["--as", "freeze-out", "--times", "2", "--option", "stakes=table", "--jobs", "1", "--out", "run"]
    assert shell("play", "draw-poker", "random", "random", "book", *words).code == 0
    run = roundsim.open_run("run")
    ranked = sorted([each for each in logged(run) if each.strategy == "book"], key=lambda each: each.net)
    assert where(objects(shell, "deals", "run", "--worst", "book")) == expected(ranked)[:5]
    done = shell("deals", "run", "--swing")
    assert done.code == 64 and "in freeze-out play no two strategies have the same cards" in done.err and not done.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["--worst", "bok"],
            "no strategy 'bok' in these games (did you mean book?): Faulty, book, book(bold=1), random",
        ),
        (["--who", ""], "no strategy ''"),
        (["--phase", "cal"], "no phase 'cal' in these games (did you mean call?)"),
        (["--phase", "begin"], "no phase 'begin'"),
        (["--said", " "], "nothing is named that was said"),
        (["--entry", "npa"], "no game 'npa' in this run (did you mean nap?): nap"),
        (["--worst", "--best", "book"], "--worst, --best: give one"),
        (["-n", "0"], "-n: a whole number, from 1 to"),
        (["--format", "csv"], "csv"),
    ],
)
def test_impossible_searches_are_64(words: list[str], said: str, quartet: Run, shell: Shell) -> None:
    done = shell("deals", quartet.folder, *words)
    assert done.code == 64 and said in " ".join(done.err.split()) and not done.out


def test_messages_about_empty_results_and_needless_options(quartet: Run, shell: Shell) -> None:
    done = shell("log", quartet.folder, "--who", "--format", "json")
    assert done.code == 64 and "json says who acted in any case" in done.err
    none = f"roundsim: no such deal in {quartet.folder}\n"
    assert shell("deals", quartet.folder, "--said", "call 9") == (0, "", none)


def test_a_run_that_is_not_finished(tmp_path: Path, shell: Shell) -> None:
    run = roundsim.play("nap,loo", ["random", "random"], deals=8, jobs=1, out=tmp_path / "run")
    (shard,) = (run.folder / "log" / "loo").iterdir()
    shard.unlink()
    left = sorted(logged(run), key=lambda each: each.net)
    assert left and where(objects(shell, "deals", run.folder, "--worst")) == expected(left)[:5]


def test_a_damaged_run_is_65(parlour: Run, tmp_path: Path, shell: Shell) -> None:
    shard = Path(shutil.copytree(parlour.folder, tmp_path / "run")) / "log" / "nap" / "0000001.zst"
    shard.write_bytes(shard.read_bytes()[:-9])
    for words in ["deals", "run"], ["log", "run", "--who"], ["log", "run", "--format", "json"]:
        done = shell(*words)
        assert done.code == 65 and "0000001.zst: damaged" in done.err and not done.out


@pytest.mark.parametrize(
    ("was", "now", "where_found", "said"),
    [
        (r"^1/1/1 \d ", "1/1/1 x ", "0000001.zst:2:", "no line of a log: '1/1/1 x "),
        (r"^1/1/1 (\d) ", r"1/1/1 \1 0 ", "0000001.zst:2:", "no line of a log"),
        (r"^= 1/1 .*$", "= 1/1 nobody", "0000001.zst:2:", "no line of a log"),
        (r"^(1/1/1 .*) \| [^,]*", r"\1 | call 99", "0000001.zst:2:", "1/1/1: action 1, seat"),
    ],
    ids=["dealer", "nets", "seats", "action"],
)
def test_a_line_that_is_none_is_65(
    was: str, now: str, where_found: str, said: str, parlour: Run, tmp_path: Path, shell: Shell
) -> None:
    """Though the hashes of the shard are right."""
    shard = Path(shutil.copytree(parlour.folder, tmp_path / "run")) / "log" / "nap" / "0000001.zst"
    text = text_of(shard)
    block = text[: text.index("= 2/1")]
    forged = re.sub(was, now, block, count=1, flags=re.M)
    assert forged != block
    write_text(shard, text.replace(block, forged))
    done = shell("deals", "run", "-n", 1)
    assert done.code == 65 and where_found in done.err and said in done.err


def test_from_python(quartet: Run, shell: Shell) -> None:
    every = logged(quartet)
    found = list(quartet.deals())
    assert [(each.address, each.seat, each.strategy, each.net) for each in found] == expected(every)
    worst = list(quartet.deals(who="book", said="call 3", order="worst", n=2))
    assert [each.to_json() for each in worst] == objects(
        shell, "deals", quartet.folder, "--worst", "book", "--said", "call 3", "-n", 2
    )
    assert "call 3" in [act.action for act in worst[0].actions]
    swing = next(quartet.deals(order="swing", who=["book", "Faulty"], n=1))
    assert swing.other and {swing.strategy, swing.other.strategy} == {"book", "Faulty"}


@pytest.mark.parametrize("address", ["nap/1/1/1", "nap/3/2/4"])
def test_a_deal_has_the_hands_as_they_were_dealt(address: str, quartet: Run, shell: Shell) -> None:
    printed = shell("replay", f"{quartet.folder}:{address}").out
    hands = {int(seat): hand.split() for seat, hand in re.findall(r"^hand (\d)   (.*)$", printed, re.M)}
    found = [each for each in quartet.deals() if each.address == address]
    for each in found:
        deal, dealt = each.replayed()
        assert {seat: [*hand] for seat, hand in dealt.items()} == hands
        assert deal.net == [one.net for one in found]
        assert [str(action) for action in deal.actions] == [said for _, _, said in replayed(shell, quartet, address)]


def test_where_cards_are_drawn_the_hands_are_those_before(random_run: Callable[[str], Run], shell: Shell) -> None:
    run = random_run("draw-poker")
    found = next(run.deals(said="discard", n=1))
    printed = shell("replay", f"{run.folder}:{found.address}").out
    first = re.search(rf"^hand {found.seat}   (.*)$", printed, re.M)
    assert first and found.replayed().hands[found.seat] == tuple(first[1].split())


@pytest.mark.parametrize("wrong", [{"order": "wurst"}, {"n": 0}, {"who": "bok"}, {"phase": "cal"}])
def test_impossible_searches_in_python_are_refused(wrong: dict[str, Any], quartet: Run) -> None:
    with pytest.raises(InputError):
        quartet.deals(**wrong)
