"""A run as a table: the tests derive its rows from the text of the log, from `replay` and from Nap's rules."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from conftest import GAMES, Shell
from helpers.command import one_in
from helpers.shard_text import text_of

import roundsim
from roundsim.base.errors import LogError
from roundsim.bridges import rows
from roundsim.replaying.logged import LoggedBlock, logged_blocks
from roundsim.running import Run
from roundsim.tournament.storage.folder import RunFolder

pytestmark = pytest.mark.usefixtures("here")

WILD = """
class Faulty:
    games = ["nap"]

    def call(self, view):
        return "call 99" if view.chance.random() < 0.2 else view.legal[0]

    def settled(self, view, net):
        if view.chance.random() < 0.2:
            raise KeyError


class Absent:
    def begin(self, view):
        raise KeyError

    def act(self, view):
        return view.legal[0]
"""
Rows = list[dict[str, str]]


@pytest.fixture(scope="module")
def wild(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Nap, three at the table: one makes faults at calls and after deals, one is out in each sitting from its first."""
    folder = tmp_path_factory.mktemp("wild")
    (folder / "wild.py").write_text(WILD)
    strategies = [f"{folder}/wild.py:Faulty", f"{folder}/wild.py:Absent", "book"]
    return roundsim.play("nap", strategies, deals=90, jobs=1, out=folder / "run")


def read(run: Run, what: str, to: Path, **more: Any) -> Rows:
    path = roundsim.export(run.folder, "csv", what, out=to, **{"jobs": 1, "force": True, **more})
    with open(path, newline="", encoding="utf-8") as file:
        return [*csv.DictReader(file)]


def logged(run: Run, shell: Shell) -> Iterator[tuple[str, list[str], list[str]]]:
    """Each line that is a deal or the end of a sitting, with the strategies by seat and the nets."""
    seats = dict[str, list[str]]()
    for line in shell("log", run.folder).out.splitlines():
        if line.startswith("= "):
            _, table, names = line.split(" ", 2)
            seats[table] = names.split(" | ")
        elif not line.startswith("! "):
            _, _, *net = line.partition(" |")[0].split(" ")
            yield line, seats[line.partition(" ")[0].rpartition("/")[0]], net


def address(row: dict[str, str]) -> str:
    return "/".join(row[name] for name in ("entry", "block", "sitting", "deal"))


def test_a_deal_by_hand(tmp_path: Path) -> None:
    """Two blocks between two strategies that always give the first legal answer: one passes, the other must call."""
    (tmp_path / "first.py").write_text("def act(view):\n    return view.legal[0]\n")
    run = roundsim.play("nap", [f"{tmp_path}/first.py"] * 2, deals=8, jobs=1, out=tmp_path / "run")
    lines = text_of(run.folder / "log" / "nap" / "0000001.zst").splitlines()
    first = next(line for line in lines if line.startswith("2/1/2 "))
    assert "= 2/1 first | first#2" in lines or "= 2/1 first#2 | first" in lines
    seated = next(line for line in lines if line.startswith("= 2/1 ")).removeprefix("= 2/1 ").split(" | ")
    dealer, *net = first.partition(" |")[0].split(" ")[1:]
    deals = [row for row in read(run, "deals", tmp_path) if address(row) == "nap/2/1/2"]
    head = {"entry": "nap", "game": "nap", "options": "", "block": "2", "sitting": "1", "deal": "2", "players": "2"}
    assert len(deals) == 2
    for seat, row in enumerate(deals):
        place, said = "dealer" if str(seat) == dealer else "eldest", "" if seat else first.partition(" | ")[2]
        own = {"seat": str(seat), "place": place, "strategy": seated[seat], "dealer": dealer, "net": net[seat]}
        assert row == {**head, **own, "fault": "", "actions": said}
    decisions = [row for row in read(run, "decisions", tmp_path) if address(row) == "nap/2/1/2"]
    actions = first.partition(" | ")[2].split(", ")
    assert [row["action"] for row in decisions] == actions
    assert [row["n"] for row in decisions] == [str(n) for n in range(1, len(actions) + 1)]
    assert [row["seat"] for row in decisions[:2]] == [str(1 - int(dealer)), dealer]  # eldest calls first
    assert [row["place"] for row in decisions[:2]] == ["eldest", "dealer"]
    assert {(row["players"], row["options"]) for row in decisions} == {("2", "")}
    assert {(row["seat"], row["net"]) for row in decisions} == {*zip("01", net, strict=True)}


def test_deals_are_those_of_the_log(season: Run, wild: Run, shell: Shell, tmp_path: Path) -> None:
    for run in season, wild:
        expected = list[tuple[str, ...]]()
        for line, seats, nets in logged(run, shell):
            place, dealer = line.split(" ")[:2]
            entry, block, sitting, deal = place.split("/")
            game, said = {"pope": "pope-joan"}.get(entry, entry), line.partition(" | ")[2]
            start = entry, game, block, sitting, deal.replace("end", "0"), str(len(seats))
            for seat, (who, net) in enumerate(zip(seats, nets, strict=True)):
                expected.append((*start, str(seat), who, dealer, net, "" if seat else said))
        found, others = read(run, "deals", tmp_path, jobs=2), ("fault", "options", "place")
        assert [tuple(value for name, value in row.items() if name not in others) for row in found] == expected


def test_a_place_is_counted_from_the_left_of_the_dealer(season: Run, parlour: Run, tmp_path: Path) -> None:
    """Three at the table; the end of a sitting has no dealer, and so no places."""
    three = {"00": "dealer", "10": "eldest", "20": "2nd", "01": "2nd", "11": "dealer", "21": "eldest"}  # seat, dealer
    three |= {"02": "eldest", "12": "2nd", "22": "dealer"}
    two = {"00": "dealer", "10": "eldest", "01": "eldest", "11": "dealer"}
    for run in season, parlour:
        for row in read(run, "deals", tmp_path):
            places = {"2": two, "3": three}[row["players"]]
            assert row["place"] == ("" if row["deal"] == "0" else places[row["seat"] + row["dealer"]])


def test_options_are_those_of_the_title(tmp_path: Path) -> None:
    options = {"misery": True, "kitty": "dealer", "stake": 1}  # the stake is as usual
    run = roundsim.play("nap", ["random"] * 3, options=options, deals=1, jobs=1, out=tmp_path / "run")
    for what in rows.COLUMNS:
        assert {row["options"] for row in read(run, what, tmp_path)} == {"misery = true, kitty = dealer"}
    assert "Nap (misery = true, kitty = dealer)" in str(run)


def test_the_end_of_a_sitting_is_deal_0(season: Run, shell: Shell, tmp_path: Path) -> None:
    ends = [row for row in read(season, "deals", tmp_path) if row["deal"] == "0"]
    lines = [line for line, _, _ in logged(season, shell) if line.endswith(" |")]
    assert len(ends) == 3 * len(lines) > 0 and {row["entry"] for row in ends} == {"pope"}
    assert not any(row["actions"] or row["fault"] for row in ends)
    assert any(int(row["net"]) for row in ends)
    assert not [row for row in read(season, "decisions", tmp_path) if row["deal"] == "0"]


def test_nets_add_up_to_the_standings(season: Run, tmp_path: Path) -> None:
    """In Pope Joan with what the ends of sittings bring."""
    nets, played = Counter[tuple[str, str]](), defaultdict[tuple[str, str], set[str]](set)
    for row in read(season, "deals", tmp_path):
        who = row["entry"], row["strategy"]
        nets[who] += int(row["net"])
        if row["deal"] != "0":
            played[who].add(address(row))
    there = json.loads((season.folder / "standings.json").read_text())["games"]
    for game in there:
        for row in game["rows"]:
            who = game["name"], row["strategy"]
            assert float(Fraction(nets[who], len(played[who]))) == pytest.approx(row["net_per_deal"], rel=1e-5)
    assert len(nets) == sum(len(game["rows"]) for game in there) == 5


def test_only_one_game(season: Run, shell: Shell, tmp_path: Path) -> None:
    assert shell("export", season.folder, "--to", "csv", "--entry", "nap", "--out", "nap").err == ""
    assert {row["entry"] for row in read(season, "deals", tmp_path, game="pope")} == {"pope"}
    assert {row["entry"] for row in read(season, "deals", tmp_path)} == {"nap", "pope"}


def calls_of(line: str, seats: list[str]) -> dict[str, str]:
    """The calls of a deal of Nap by strategy: they go once round from the dealer's left, until nap is called."""
    dealer, said = int(line.split(" ")[1]), line.partition(" | ")[2].split(", ")
    calls = [each for each in said if re.fullmatch(r"(!\w* )?(pass|call .*)", each)]
    return {seats[(dealer + 1 + at) % len(seats)]: call for at, call in enumerate(calls)}


def test_the_first_fault_of_a_deal(wild: Run, shell: Shell, tmp_path: Path) -> None:
    """By Nap's order of calls; Absent is out after a fault before the first deal, and is asked nothing more."""
    after = {*re.findall(r"^! (\S+) (\d) settled exception$", shell("log", wild.folder).out, re.M)}
    found = {(address(row), row["strategy"]): row["fault"] for row in read(wild, "deals", tmp_path)}
    seen = Counter[str]()
    for line, seats, _ in logged(wild, shell):
        place = line.partition(" ")[0]
        called, settled = calls_of(line, seats).get("Faulty", ""), (place, str(seats.index("Faulty"))) in after
        faulty = "illegal" if "!illegal" in called else "exception" if settled else ""
        absent = "exception" if place.endswith("/1") else "out" if "!out" in line else ""
        assert [found[place, who] for who in ("Faulty", "Absent", "book")] == [faulty, absent, ""], line
        seen[f"{'illegal' in called} {settled}"] += 1
    assert min(seen[each] for each in ("True True", "True False", "False True", "False False")) > 0


def test_an_action_played_for_a_seat_says_why(wild: Run, shell: Shell, tmp_path: Path) -> None:
    """As many as have a mark in the log; where one goes on, the reason is that of the first."""
    decisions = defaultdict[str, Rows](list)
    for row in read(wild, "decisions", tmp_path):
        decisions[address(row)].append(row)
    went_on = 0
    for line, _, _ in logged(wild, shell):
        said = line.partition(" | ")[2].split(", ")
        deal = decisions[line.partition(" ")[0]]
        for row, each in zip(deal, said, strict=True):
            why = {"Faulty": "illegal", "Absent": "out", "book": "none"}[row["strategy"]]
            assert row["action"] == re.sub(r"^!\w* ", "", each)
            assert row["fault"] == (why if each.startswith("!") else ""), line
            went_on += each.startswith("! ")
    assert went_on > 10


def test_decisions_are_those_of_replay(wild: Run, parlour: Run, shell: Shell, tmp_path: Path) -> None:
    """The seats, the phases and the hands, which are those dealt without the cards played. Nap's rules give the number
    of legal cards in a trick: a player who can must follow suit."""
    for run in wild, parlour:
        there = defaultdict[str, Rows](list)
        for row in read(run, "decisions", tmp_path):
            there[address(row)].append(row)
        for place in [*there][::7]:
            replayed = shell("replay", f"{run.folder}:{place}").out
            acts = re.findall(r"^ *(\d+)  seat (\d)  (\w+) +(?:! )?(.*?)(?:  .*)?$", replayed, re.M)
            assert acts == [(row["n"], row["seat"], row["phase"], row["action"]) for row in there[place]]
            hands = {seat: cards.split() for seat, cards in re.findall(r"^hand (\d) +(.*)$", replayed, re.M)}
            trick = list[str]()
            for row in there[place]:
                hand = hands[row["seat"]]
                assert row["hand"].split() == hand
                if row["phase"] == "play":
                    card = row["action"].removeprefix("play ")
                    follow = [each for each in hand if trick and each[1] == trick[0][1]]
                    assert int(row["legal"]) == len(follow or hand)
                    hands[row["seat"]] = [each for each in hand if each != card]
                    trick = [] if len(trick) == len(run.tournament.entries[0].labels) - 1 else [*trick, card]


def test_how_many_are_legal_is_cut(parlour: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert rows.MOST == 2**31 - 1
    whole = [int(row["legal"]) for row in read(parlour, "decisions", tmp_path)]
    monkeypatch.setattr(rows, "MOST", 100)
    assert [int(row["legal"]) for row in read(parlour, "decisions", tmp_path)] == whole
    monkeypatch.setattr(rows, "MOST", 3)
    cut = [int(row["legal"]) for row in read(parlour, "decisions", tmp_path, game="nap")]
    assert cut == [min(each, 3) for each in whole] != whole


@pytest.mark.parametrize("game", one_in(6, GAMES))
def test_every_game_has_its_tables(game: str, random_run: Callable[[str], Run], shell: Shell, tmp_path: Path) -> None:
    """Each row of a decision has the players, the place and the net of its seat in its deal."""
    run = random_run(game)
    deals, decisions = read(run, "deals", tmp_path), read(run, "decisions", tmp_path)
    assert len(deals) == sum(len(nets) for _, _, nets in logged(run, shell))
    said = [each for line, _, _ in logged(run, shell) for each in line.partition(" | ")[2].split(", ") if each]
    assert [row["action"] for row in decisions] == said
    same = "options", "players", "place", "strategy", "net"
    seats = {(address(row), row["seat"]): [row[name] for name in same] for row in deals}
    assert all([row[name] for name in same] == seats[address(row), row["seat"]] for row in decisions)


def test_numbers_that_no_run_reaches_and_faults_of_no_kind_are_refused(parlour: Run) -> None:
    # Deals are exported from the text alone, which the rules have not seen.
    entry, folder = parlour.tournament.entries[0], RunFolder(parlour.folder)
    seats = "= 1/1 book | random | random#2"

    def rows_of(line: str) -> list[rows.ExportRow]:
        return [*rows.deal_rows(LoggedBlock(folder, entry, 1, 1, (0, 1, 2), Path("log.zst"), 0, [seats, line]))]

    assert len(rows_of("1/1/1 0 -3 6 -3 | pass")) == 3
    for line in (
        "2/1/1 0 -3 6 -3 | pass",
        "1/99999999999/1 0 -3 6 -3 | pass",
        "1/1/99999999999 0 -3 6 -3 | pass",
        "1/1/1 99999999999 -3 6 -3 | pass",
        "1/1/1 0 -3 10000000000000000000 -3 | pass",
    ):
        with pytest.raises(LogError, match="log.zst"):
            rows_of(line)
    block = next(logged_blocks(RunFolder(parlour.folder), parlour.tournament, 0))
    lines = [re.sub(r" \| pass,", " | !dull pass,", line) for line in block.lines]
    assert lines != block.lines
    forged = LoggedBlock(block.folder, block.entry, block.seed, 1, block.seating, block.file, 0, lines)
    for rows_in in rows.ROWS.values():
        with pytest.raises(LogError, match="no fault is called 'dull'"):
            [*rows_in(forged)]


@pytest.mark.parametrize("what", one_in(2, [*rows.COLUMNS]))
def test_all_formats_have_the_same_rows(what: str, season: Run, wild: Run, tmp_path: Path) -> None:
    parquet, ipc = pytest.importorskip("pyarrow.parquet"), pytest.importorskip("pyarrow.ipc")
    for run in season, wild:
        expected = read(run, what, tmp_path)
        for to, reader in ("parquet", parquet.read_table), ("arrow", lambda path: ipc.open_file(path).read_all()):
            table = reader(roundsim.export(run.folder, to, what, out=tmp_path, force=True, jobs=1))
            found = [{key: "" if each is None else str(each) for key, each in row.items()} for row in table.to_pylist()]
            assert found == expected
            assert table.schema.metadata == {b"run.toml": (run.folder / "run.toml").read_bytes(), b"schema": b"1"}
            kinds = {name: str(kind) for name, kind in zip(table.schema.names, table.schema.types, strict=True)}
            assert kinds.get("net", "int64") == kinds["block"] == "int64" and kinds["seat"] == "int32"
            assert "dictionary" in kinds["strategy"] and "dictionary" in kinds["fault"]
