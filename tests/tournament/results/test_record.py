"""The record of a run, to text and back; other texts are refused; and the names of chance, as the page on the run folder
lists them, with their digits."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from helpers.blocks import strategies_of
from helpers.command import ROOT, TESTS, one_in_with
from hypothesis import example, given
from hypothesis import strategies as st

from roundsim import games
from roundsim.base.errors import LogError
from roundsim.games.nap import Nap
from roundsim.refereeing.faults import Fault
from roundsim.refereeing.names import Names, dealt_again
from roundsim.refereeing.redrawn import RedrawnSource
from roundsim.refereeing.referee import Clock
from roundsim.sources.plugins import find
from roundsim.table import chance
from roundsim.table.cards import PACK, PACK_60, Card
from roundsim.table.chance import Chance, Pack, Source, shuffled
from roundsim.table.deal import Deal
from roundsim.tournament import formats
from roundsim.tournament.formats.round_robin import RoundRobin
from roundsim.tournament.judging.verdicts import Verdicts
from roundsim.tournament.planning.file import GivenSettings, read_tournament
from roundsim.tournament.planning.key_lines import KeyLines
from roundsim.tournament.planning.plan import Entry, Task, Tournament
from roundsim.tournament.planning.record import is_name
from roundsim.tournament.results import record
from roundsim.tournament.results.entry_totals import EntryTotals
from roundsim.tournament.results.record import Address, LogLine
from roundsim.workers.shard import Playing

pytestmark = pytest.mark.usefixtures("here")

PAGE = ROOT / "docs" / "run-folder.md"
FAR = 10**18

entries = st.text(min_size=1, max_size=30).filter(is_name)
counted = st.integers(1, FAR)
addresses = st.builds(Address, entries, counted, counted, st.none() | counted)
words = st.text("abcdefghijklmnopqrstuvwxyz0123456789AKQJTshdc-", min_size=1, max_size=8)
actions = st.lists(st.lists(words, min_size=1, max_size=4).map(" ".join), max_size=12)
kinds = st.sampled_from(["", "illegal", "exception", "late", "memory", "dead", "barred"])
nets = st.lists(st.integers(-(10**9), 10**9), min_size=2, max_size=24)
labels = st.lists(
    st.text(st.characters(blacklist_categories=["C", "Z"]), min_size=1, max_size=20).filter(lambda text: text != "|"),
    min_size=2,
    max_size=13,
)


@pytest.mark.soak
@given(addresses)
def test_an_address_to_text_and_back(address: Address) -> None:
    assert Address.parse(str(address)) == address
    assert str(address) == f"{address.entry}/{address.place}"
    assert address.place.startswith(f"{address.table}/")
    assert address.place.endswith("/end") == (address.deal is None)


@given(st.text() | addresses.map(str) | st.tuples(entries, st.text(), st.text(), st.text()).map("/".join))
def test_any_text_is_an_address_or_is_refused(text: str) -> None:
    try:
        address = Address.parse(text)
    except LogError as error:
        assert repr(text) in str(error) and "ENTRY/BLOCK/SITTING/DEAL" in str(error)
    else:
        assert str(address) == text


@given(addresses, st.integers(0, 23), nets, actions, st.data())
def test_a_deal_to_text_and_back(
    address: Address, dealer: int, net: Sequence[int], said: Sequence[str], data: st.DataObject
) -> None:
    """Or the end of a sitting."""
    marks = data.draw(st.dictionaries(st.integers(0, len(said) - 1), kinds)) if said else {}
    text, end, more = record.deal_line(address.place, dealer, net, said, marks).partition("\n")
    line = LogLine.parse(text)
    assert end and not more
    assert (line.place, line.actions, line.marks) == (address.place, [*said], marks)
    assert line.head == record.head(address.place, dealer, net)
    place, found, *counters = line.head.split(" ")
    assert (place, int(found), [*map(int, counters)]) == (address.place, dealer, net)
    assert len(text.splitlines()) == 1 and text[0] not in "=!"
    whole = record.in_entry(address.entry, text)
    assert whole.startswith(f"{address} ") and whole.endswith(text)
    assert LogLine.parse(record.end_line(address.place, dealer, net)) == LogLine(line.head, [], {})


def test_lines_and_addresses_as_the_page_shows_them() -> None:
    line = LogLine.parse("17/2/2 0 5 5 -15 5 | call nap, !illegal play 7c, ! play 6c, play As")
    assert line.head == "17/2/2 0 5 5 -15 5" and line.place == "17/2/2"
    assert line.actions == ["call nap", "play 7c", "play 6c", "play As"]
    assert line.marks == {1: "illegal", 2: ""}
    assert LogLine.parse("17/2/end 0 1 1 0 0 |") == LogLine("17/2/end 0 1 1 0 0", [], {})
    made = record.deal_line("17/2/1", 3, [-3, 9, -3, -3], ["pass", "call 3"], {})
    assert made == "17/2/1 3 -3 9 -3 -3 | pass, call 3\n"
    assert record.seats_line("17/2", ["book", "random"]) == "= 17/2 book | random"
    for shown in re.findall(r"^(17/2/\S+ .*\|(?: [^ ]+)*)", PAGE.read_text(), re.M):
        assert LogLine.parse(shown).place.startswith("17/2/")
    for text in (
        *("", "nap", "nap/17/2", "/17/2/3", "nap/17/2/3/4", "nap/0/2/3", "nap/17/02/3", "nap/17/2/-3", "nap/17/2/+3"),
        *("nap/17/2/3 ", "nap/17/2/\u0663", "nap/17/2/\uff13", "nap/17/2/\u00b3", "nap/17/end/3", "nap/17/2/End"),
        *("nap/17/2/", f"nap/17/2/{'9' * 5000}"),
    ):
        with pytest.raises(LogError, match="is no deal: ENTRY/BLOCK/SITTING/DEAL") as error:
            Address.parse(text)
        assert error.value.code == 65


@given(st.text())
@example("17/2/3 1 0 0")
@example("17/2/3 1 0 0 |pass")
@example("= 17/2 book")
@example("# {}")
def test_any_text_is_a_deal_or_is_refused(text: str) -> None:
    try:
        line = LogLine.parse(text)
    except LogError as error:
        assert str(error).startswith("no deal: ") and len(str(error)) < 1000
        assert repr(text[:60]) in str(error)
    else:
        assert text.partition(" |")[2][:1] in ("", " ") and " |" in text
        assert line.place in text and text.startswith(line.head)


@given(addresses, labels)
def test_seats_to_text_and_back(address: Address, who: Sequence[str]) -> None:
    text = record.seats_line(address.table, who)
    assert text[:2] == "= " and len(text.splitlines()) == 1
    equals, table, seated = text.split(" ", 2)
    assert (equals, table, seated.split(" | ")) == ("=", address.table, [*who])
    whole = record.in_entry(address.entry, text)
    assert whole == f"= {address.entry}/{text[2:]}"


printable = st.text(st.characters(exclude_categories=("C", "Z"), include_characters=" "))
faults = st.builds(
    Fault,
    st.integers(0, 40),
    addresses.map(str),
    st.integers(0, 23),
    words,
    st.integers(1, 5000),
    kinds,
    printable,
    st.lists(printable, max_size=4).map(tuple),
    st.lists(printable, max_size=4).map(tuple),
)


@given(faults, st.data())
def test_a_fault_to_text_and_back(fault: Fault, data: st.DataObject) -> None:
    """And it is refused with a key too few or too many."""
    whole = json.loads(json.dumps(fault.to_json()))
    assert Fault.from_json(whole) == fault
    assert shlex.split(fault.again) == ["roundsim", "replay", f".:{fault.deal}"]
    key = data.draw(st.sampled_from([*whole]))
    with pytest.raises((KeyError, TypeError), match=key):
        Fault.from_json({other: value for other, value in whole.items() if other != key})
    with pytest.raises(TypeError):
        Fault.from_json({**whole, "strange": 1})


class Row(NamedTuple):
    """A row of the table of the page."""

    what: str
    name: str
    digits: str


def rows() -> list[Row]:
    section = PAGE.read_text("utf-8").split("## Names of chance", 1)[1].split("\n## ", 1)[0]
    found = [
        [cell.strip() for cell in line.strip("|").split(" | ")] for line in section.splitlines() if line[:1] == "|"
    ]
    assert found[0] == ["what is drawn", "its name", "BLAKE2b-512"]
    return [Row(what, name.strip("`"), digits.strip("`")) for what, name, digits in found[2:]]


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names that are hashed, in order."""
    names: list[str] = []

    def note(data: bytes) -> Any:
        names.append(data.decode())
        return blake2b(data)

    monkeypatch.setattr(chance, "blake2b", note)
    return names


BLOCK = Names(1891, "nap", 17)
OWN = BLOCK.of_sitting(2)
FORTY = range(40)  # 40! is less than 2**512; 120! is not


def begun(name: str, seat: int | None) -> Chance:
    own = Chance()
    if seat is None:
        own.begin(name, 0)
    else:
        own.take_seat(name, seat, chance.hash_number(name))
    return own


def empty_deal(source: Source) -> Deal:
    return Nap(Nap.rules_for(4), Nap.begin(Nap.rules_for(4)), source)


TWO = Entry("nap", "nap", RoundRobin(2, 2), {}, strategies_of(["book", "random"]), 1)
MAKING: dict[str, Callable[[], object]] = {  # what hashes each, of the examples of the page
    "1891/nap/17/seats": lambda: shuffled(FORTY, BLOCK.seats),
    "1891/nap/17/seats/0": lambda: shuffled(FORTY, f"{BLOCK.seats}/0"),
    "1891/nap/17/seats/lap": lambda: shuffled(FORTY, f"{BLOCK.seats}/lap"),
    "1891/nap/17/3": lambda: chance.hash_number(BLOCK.deal(3)),
    "1891/nap/17/3/again 1/pack": lambda: Source(dealt_again(BLOCK.deal(3), 1)).pack(PACK),
    "1891/nap/17/3/pack": lambda: Source(BLOCK.deal(3)).pack(PACK),
    "1891/nap/17/3/pack/more": lambda: Source(BLOCK.deal(3)).pack(PACK * 2),
    "1891/nap/17/3/pack/order 4": lambda: RedrawnSource(BLOCK.deal(3), 0, 4).new_deal(empty_deal).chance.pack(PACK),
    "1891/nap/17/3/pack 2": lambda: Source(BLOCK.deal(3)).pack(PACK, "pack 2"),
    "1891/nap/17/3/kitty 1": lambda: Source(BLOCK.deal(3)).pack(PACK, "kitty 1"),
    "1891/nap/17/3/stock": lambda: Source(BLOCK.deal(3)).shuffled(FORTY, "stock"),
    "1891/nap/17/3/stock/0": lambda: Source(BLOCK.deal(3)).shuffled(range(120), "stock"),
    "1891/nap/17/2": lambda: chance.hash_number(BLOCK.sitting(2)),
    "1891/nap/17/2/1": lambda: begun(BLOCK.sitting(2), 1),
    "1891/nap/17/2/1/random": lambda: Chance(BLOCK.module(f"{BLOCK.sitting(2)}/1")),
    "1891/nap/17/seat": lambda: chance.hash_number(BLOCK.by_seat().sitting(2)),
    "1891/nap/17/seat/1": lambda: begun(BLOCK.by_seat().sitting(2), 1),
    "1891/nap/17/end": lambda: chance.hash_number(BLOCK.end),
    "1891/nap/17/end/pack": lambda: Source(BLOCK.end).pack(PACK),
    "1891/nap/17/3/sitting 2": lambda: chance.hash_number(OWN.deal(3)),
    "1891/nap/17/3/sitting 2/pack": lambda: Source(OWN.deal(3)).pack(PACK),
    "1891/nap/17/end/sitting 2": lambda: chance.hash_number(OWN.end),
    "1891/nap/17/end/sitting 2/pack": lambda: Source(OWN.end).pack(PACK),
    "1891/nap/17/3/table 2": lambda: chance.hash_number(BLOCK.hand(3, 2)),
    "1891/nap/17/3/table 2/pack": lambda: Source(BLOCK.hand(3, 2)).pack(PACK_60),
    "1891/nap/17/end/table 2": lambda: chance.hash_number(BLOCK.last(2)),
    "1891/nap/17/end/table 2/pack": lambda: Source(BLOCK.last(2)).pack(PACK),
    "1891/nap/17/2/player 5": lambda: begun(BLOCK.player(BLOCK.sitting(2), 5), None),
    "1891/nap/17/2/player 5/random": lambda: Chance(BLOCK.module(BLOCK.player(BLOCK.sitting(2), 5))),
    "1891/nap/17/lot 3 relegation": lambda: shuffled(FORTY, BLOCK.drawn("3 relegation")),
    "1891/nap/company/book/random": lambda: Verdicts(TWO, EntryTotals(), 1891).company_chance(0, 1),
}


def test_each_name_is_hashed_where_the_page_says(hashed: list[str]) -> None:
    """Natively chance is hashed when that is wanted: then its result shows it."""
    for row in rows():
        hashed.clear()
        made = MAKING[row.name]()
        if isinstance(made, Pack):
            made.draw(1)
        assert row.name in hashed or isinstance(made, Chance) and bytes(made.hash).hex().startswith(row.digits), (
            row.name
        )


def test_names_of_the_table_are_all_and_their_digits_right() -> None:
    """Each that `Names` can give, and those that `Source` and `Chance` add."""
    assert [row.name for row in rows()] == [*MAKING]
    own = {name for name in vars(Names) if not name.startswith("_") and name not in ("block", "own", "seat")}
    lists = ["seats", "deal", "sitting", "of_sitting", "by_seat", "end"], ["hand", "last", "player", "module", "drawn"]
    assert own == {*lists[0], *lists[1]}
    for row in rows():
        assert row.digits == blake2b(row.name.encode()).hexdigest()[:16], row.name
        assert chance.hash_number(row.name).to_bytes(64, "little").hex()[:16] == row.digits, row.name


def digits_of(name: str) -> int:
    return int.from_bytes(blake2b(name.encode()).digest(), "little")


@pytest.mark.parametrize("cards", [PACK[:32], PACK, PACK_60, PACK * 2], ids=len)
def test_a_pack_is_drawn_from_its_number_as_the_page_says(cards: Sequence[Card]) -> None:
    name, left, order = "1891/nap/17/3/pack", list(cards), []
    n = digits_of(name) if len(cards) <= 60 else digits_of(name) << 512 | digits_of(f"{name}/more")
    while left:
        n, at = divmod(n, len(left))
        order.append(left[at])
        left[at] = left[-1]
        left.pop()
    assert Source(BLOCK.deal(3)).pack(cards).draw(len(cards)) == order


def test_things_and_strategies_draw_as_the_page_says() -> None:
    for things in [4, 40, 120]:
        name, left, order = "1891/nap/17/seats", list(range(things)), []
        n = digits_of(name)
        for more in range(things * things.bit_length() // 512):
            n = n << 512 | digits_of(f"{name}/{more}")
        while left:
            n, at = divmod(n, len(left))
            order.append(left.pop(at))
        assert shuffled(range(things), BLOCK.seats) == order
    for seat in [0, 1, 5]:
        own, of_sitting = Chance(), digits_of("1891/nap/17/2")
        own.take_seat(BLOCK.sitting(2), seat, of_sitting)
        assert own.below(1000) == ((of_sitting >> 64 * seat) % 2**64 + 2**64) % 1000
        name = f"1891/nap/17/2/{seat}"
        for _ in range(3):
            number = digits_of(name)
            for at in range(7, -1, -1):
                assert own.getrandbits(64) == number >> 64 * at & 2**64 - 1
            name = number.to_bytes(64, "little").hex()


def shapes() -> Iterator[re.Pattern[str]]:
    """The names of the table as patterns, for whatever numbers and words; and the chain of a strategy's chance."""
    for row in rows():
        shape = re.sub(r"\d+", r"\\d+", re.escape(row.name).replace(r"\ ", " "))
        shape = shape.replace("lot \\d+ relegation", r"lot \d+ (?:relegation|up from \d+|down from \d+|ruin \d+)")
        yield re.compile(shape.replace("stock", "(?:stock|knobs|backs \\d+)").replace("nap", "(?:[a-z-]+)"))
    yield re.compile("[0-9a-f]{128}")


SHAPES = [*shapes()]


def tournament_of(format: str, game: str, players: int, **keys: Any) -> Tournament:
    field = ["random", *[str(TESTS / "strategies" / "habits.py") + ":Shared"] * (players - 1)]
    data = {"tournament": {"format": format, "strategies": field}, "games": [{"game": game, **keys}]}
    return read_tournament(data, KeyLines("test"), Path(), "test", GivenSettings(1891))


@pytest.mark.parametrize(
    ("format", "game", "players", "keys"),
    one_in_with(
        3,
        [
            *[("round-robin", game, max(4, games.find(game).seats[0]), {"deals": 40}) for game in games.names()],
            ("round-robin", "nap", 4, {"deals": 40, "options": {"kitty": "dealer"}}),
            ("round-robin", "spoil-five", 4, {"deals": 40, "options": {"partners": True}}),
            ("freeze-out", "draw-poker", 7, {"times": 1, "max_seats": 4, "options": {"stakes": "table"}}),
            ("progressive", "nap", 12, {"times": 2, "rounds": 20, "stake": 5, "options": {"kitty": "dealer"}}),
            ("progressive", "draw-poker", 9, {"times": 2, "rounds": 20, "stake": 5}),
            ("progressive", "pope-joan", 9, {"times": 2, "rounds": 20, "stake": 5}),
        ],
    ),
    ids=str,
)
def test_all_hashed_names_known(format: str, game: str, players: int, keys: dict[str, Any], hashed: list[str]) -> None:
    """Every name of chance in whole blocks has the shape of one in the table."""
    tournament = tournament_of(format, game, players, **keys)
    (entry,) = tournament.entries
    who = tuple(entry.format.seatings(entry, tournament.seed))
    with Clock(60) as clock:
        shard = Playing(tournament, Task(0, 1, len(who), seats=who), clock)
        shard.play()
    assert shard.lines.size and len(hashed) > 20
    strange = [name for name in hashed if not any(shape.fullmatch(name) for shape in SHAPES)]
    assert not strange, strange[:5]
    assert format in formats.names() and find("random")
