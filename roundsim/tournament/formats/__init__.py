"""The formats, one file each (see `catalog`): how entrants meet, what a block plays, and what the standings rank by.

Nothing outside this folder asks which format a run has: all formats have the same interface. The driver decides where
answers come from, from strategies or from a log."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, fields
from functools import cache
from math import lcm
from operator import add, gt
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from ...base.catalog import Catalog, Origin
from ...base.errors import AbortError as AbortError
from ...base.errors import DeclarationError, PluginError, UnknownFormatError, did_you_mean
from ...base.finding import display_path
from ...base.text import so_many
from ...base.values import Flag as Flag
from ...base.values import Text as Text
from ...base.values import Values as Values
from ...base.values import Whole as Whole
from ...refereeing.names import Names
from ...table.chance import shuffled
from ...table.deal import Deal
from ..format_parts import Driver, Key, Logged, Origins, key_of
from ..results.totals import BlockLedger, BlockResult

if TYPE_CHECKING:
    from ..judging.standings import Standings
    from ..planning.plan import Entry
    from ..planning.reader import EntryReader
    from ..results.packed_rows import Batch
    from ..results.record import Address
    from ..results.totals import ShardTotals

USUAL = "round-robin"
SHARD_DEALS = 1000  # a shard holds whole blocks, with at least this many deals


@dataclass(frozen=True)
class Measure:
    """A figure of the standings: the mean over blocks of what a tally sums under `key`.

    `data`, `error_data`: its name in JSON, and that of its error ("": not given). `column`: its heading in a table.
    `error_shown`: whether a column with its error follows. `text` formats it. `parts`: the common denominator of the
    values of places. `gain`: the unit of a difference, such as "counters a deal". `bounds`: the least and the largest
    value that a block may have. `of_winners`: it is the share of blocks that were won, and has two limits instead of an
    error."""

    key: str
    data: str
    column: str
    text: Callable[[float | None], str]
    parts: Callable[[Entry], int] = lambda entry: 1
    error_data: str = ""
    error_shown: bool = False
    error_text: Callable[[float | None], str] | None = None
    less_is_better: bool = False
    gain: str = ""
    bounds: Callable[[Entry], tuple[float, float]] | None = None
    of_winners: bool = False
    mean_of_places: bool = False  # an entrant with several places gets their mean, not their sum

    def scale(self, entry: Entry) -> int:
        """Return by what a tally multiplies values, so that means of places are whole numbers; 0 if it sums them."""
        return share_scale(entry.format.table_size(entry.deal)) if self.mean_of_places else 0

    def denominator(self, entry: Entry) -> int:
        """Return the common denominator of the sums of a tally."""
        return self.parts(entry) * (self.scale(entry) or 1)


@cache
def share_scale(seats: int) -> int:
    """Return a number that every share of a deal or of a table's seats divides."""
    return lcm(*range(1, seats + 1))


class Section:
    """The section of the report that a format adds for an entry, besides its standings.

    It first gets the deals of each block, then returns its content. `template`: the text of a Jinja template. `deals`: the
    deals of the entry that are in the page, by address, in the form that docs/report.md describes."""

    template: ClassVar[str]
    with_ends: ClassVar[bool] = False  # whether it gets the ends of sittings, too
    deals: Mapping[str, Any] = {}

    def __init__(self, entry: Entry) -> None:
        self.entry = entry

    def block(self, deals: Sequence[Logged]) -> None:
        """Add the deals of a block, in the order of the log; the ends of sittings only `with_ends`."""

    def wanted(self, standings: Standings, at: int) -> Sequence[str]:
        """Return the places of deals that the page should have, "17/2/3", the most important first."""
        return ()

    def view(self, standings: Standings, at: int) -> Any:
        """Return the template's `view`; None shows nothing. `at`: the number of the entry. It is called twice."""
        raise NotImplementedError


@dataclass(frozen=True)
class Format:
    """The interface of every format. A format is a frozen dataclass whose fields are the keys it is entered with.

    Loading its file raises DeclarationError if it lacks a fact or a method."""

    name: ClassVar[str]
    unit: ClassVar[str]  # what progress counts: "deal", "freeze-out"
    amount: ClassVar[str]  # the key of how much is played; blocks are made from it
    amount_key: ClassVar[Key]
    measures: ClassVar[tuple[Measure, ...]]  # the first ranks; if equal, the next
    ranked_by: ClassVar[int] = 1  # how many of the measures rank
    scored: ClassVar[str]  # what is scored, in the heading of the table over all games
    shard_blocks: ClassVar[int] = 1  # in a shard, if no strategy imagines deals
    by_deals: ClassVar[bool] = False  # a block weighs as much as it has deals; else all weigh the same
    one_script: ClassVar[bool] = False  # a sitting's deals follow each other and are one script; else each is a script
    joined_by: ClassVar[bool] = False  # whether strategies may join a run; newcomers play in later blocks
    resumable: ClassVar[bool] = True  # whether a shard can go on after a stage elsewhere, and its blocks be reused
    whole_log: ClassVar[bool] = True  # whether the log has each entrant in all deals that it would have played
    in_every_block: ClassVar[int] = 0  # the number of entrants, the first ones, that all blocks have
    in_gate: ClassVar[tuple[str, ...] | None] = None  # the flags with which `roundsim gate` plays it, if it does
    open_ended: ClassVar[bool] = True  # whether a run may grow, stop before its last block, or be a part
    origin: ClassVar[Origin | None] = None  # of a third-party format
    section: ClassVar[type[Section] | None] = None  # what the report adds; for our formats it is in `reports`
    answers: ClassVar[tuple[str, ...]] = "read", "ledger", "play", "plan", "heading"  # methods that each must have

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Pickle a third-party format so that the other process loads its class from its file."""
        return (Sent.restored, (self.sent(),)) if self.origin else super().__reduce_ex__(protocol)

    def sent(self) -> Sent:
        """Return a third-party format in the form in which it is sent."""
        assert self.origin
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return Sent(place_of(type(self)), self.origin.sha256, values)

    @classmethod
    def entered_with(cls) -> dict[str, Key]:
        """Return the keys in [[games]]: how much to play, and its fields."""
        return {cls.amount: cls.amount_key, **cls.recorded()}

    @classmethod
    def recorded(cls) -> dict[str, Key]:
        """Return its fields, as `run.toml` has them in addition to how much."""
        return {field.name: key_of(field) for field in fields(cls)}

    @classmethod
    def read(cls, reader: EntryReader) -> Entry | None:
        """Read the entry of a [[games]] table; None if something in it is wrong, which the reader has noted."""
        raise NotImplementedError

    @property
    def settings(self) -> dict[str, Any]:
        """Its fields, as recorded in `run.toml`: texts and switches only if they differ from the default."""
        every = {field.name: (key_of(field), getattr(self, field.name)) for field in fields(self)}
        return {name: value for name, (known, value) in every.items() if not known.optional or known.fits(value)}

    @classmethod
    def from_settings(cls, data: Mapping[str, Any]) -> Format:
        """Create a format from recorded fields. Raises ValueError if a field is invalid, KeyError if one is missing;
        both name it."""
        given = {
            field.name: data[field.name] for field in fields(cls) if not key_of(field).optional or field.name in data
        }
        for name, known in cls.recorded().items():
            if name in given and not known.fits(given[name]):
                raise ValueError(f"{name} = {given[name]!r}")
        return cls(**given)

    def wrong_with(self, entry: Entry) -> str:
        """Return what is wrong with its texts, in words; "" if nothing is."""
        return ""

    def table_size(self, game: type[Deal]) -> int:
        """Return the players at a table; the smallest number, if tables have several sizes."""
        return max(2, game.seats[0])

    @property
    def seats(self) -> int | None:
        """The players at every table; None if tables have several sizes."""
        return None

    def set_options(self, game: type[Deal]) -> dict[str, Any]:
        """Return the options that the format sets itself."""
        return {}

    def tables_at_once(self, entry: Entry) -> int:
        """Return how many tables play the deals of a block side by side, at its beginning."""
        return 1

    def units(self, entry: Entry) -> int:
        """Return how much of the amount a block plays."""
        return 1

    def deals_in_block(self, entry: Entry) -> int:
        """Return about how many deals a block plays; 0 if nobody knows before."""
        return self.units(entry) if self.by_deals else 0

    def blocks_for(self, entry: Entry, amount: int) -> int:
        """Return how many blocks play this amount, in all rounds together."""
        return -(-amount // (self.last_round * self.units(entry)))

    def blocks_in_shard(self, entry: Entry, slower: int) -> int:
        """Return how many blocks a shard has; `slower` times fewer if a strategy imagines deals."""
        return max(1, self.shard_blocks // slower)

    def seatings(self, entry: Entry, seed: int | str, first: int = 1) -> Iterator[tuple[int, ...]]:
        """Yield the entrants of block `first` and of those after it, in seating order: by default all, shuffled."""
        for block in range(first, entry.blocks + 1):
            yield tuple(shuffled(range(len(entry.strategies)), Names(seed, entry.name, block).seats))

    def blocks_for_all(self, entry: Entry) -> int:
        """Return the number of blocks when the last newcomer has had as many as each of the others before."""
        raise NotImplementedError

    def extra_numbers(self, places: int) -> int:
        """Return how many more numbers the result of a block with this number of places has."""
        return 0

    def check_rows(self, entry: Entry, rows: Batch) -> None:
        """Raise ValueError for numbers in the rows of a log that no block has."""
        least = 2 * min(rows.deals)
        for ahead in rows.ahead if self.by_deals else ():
            if min(ahead) < 0 or max(ahead) > least and any(map(gt, ahead, map(add, rows.deals, rows.deals))):
                raise ValueError("rows of blocks in which somebody was ahead more often than there were deals")

    @property
    def cap(self) -> int:
        """The most blocks of a run that may stop before them."""
        return 1000

    @property
    def trials(self) -> int:
        """The number of times that a block tries each entrant."""
        return self.parts

    @property
    def parts(self) -> int:
        """The number of parts of a block. Other blocks may be played between them."""
        return 1

    @property
    def last_part(self) -> int:
        """The number of the last part. Those after `parts` are played only where they help."""
        return self.parts

    @property
    def same_cards(self) -> bool:
        """Whether a block has several sittings with the same cards."""
        return False

    def stages(self, blocks: range) -> Iterator[tuple[int, range]]:
        """Yield the stages of a shard, each a part and the blocks it belongs to.

        Modules of strategies are loaded again for each stage, so none meets a deal twice."""
        for block in blocks:
            yield 1, range(block, block + 1)

    def due(self, part: int, blocks: Sequence[int], ledgers: Mapping[int, Any]) -> Sequence[int]:
        """Return those blocks of a stage, of a shard with these ledgers, that have this part when it begins."""
        return blocks

    def ledger(self, seating: Sequence[int]) -> BlockLedger:
        """Return a ledger that notes the deals of a block."""
        raise NotImplementedError

    def play(self, driver: Driver, entry: Entry, names: Names, block: int, part: int, ledger: Any) -> None:
        """Play a part of a block, and enter it in the ledger."""
        raise NotImplementedError

    def plan(self, entry: Entry) -> str:
        """Return what will be played, in words."""
        raise NotImplementedError

    def heading(self, entry: Entry, tally: ShardTotals) -> list[str]:
        """Return what was played, in words: the parts of a table's heading."""
        raise NotImplementedError

    def origins(self, entry: Entry, blocks: Iterable[tuple[int, Sequence[int]]]) -> Origins | None:
        """Return where the difference of two strategies comes from, if the format knows.

        `blocks`: the number of each block, and its `extra_numbers`."""
        return None

    def original(self, address: Address) -> Address | None:
        """Return the deal that this one is a replay of, if it is one."""
        return None

    @property
    def last_round(self) -> int:
        """The number of entries for one in the file; each follows from the result of the one before it."""
        return 1

    @property
    def before(self) -> Format | None:
        """The format of the round before this one; None for the first."""
        return None

    def after(self, entry: Entry, tally: ShardTotals, out: Collection[int] = ()) -> Entry | None:
        """Return the round that follows from this one; None for the last, or if this one is not finished.

        `out`: the entrants that are not placed, because of their faults."""
        return None

    def in_file(self, name: str) -> str:
        """Return the name that an entry has in the tournament file."""
        return name


def play_block(
    driver: Driver, entry: Entry, seed: int | str, block: int, seating: Sequence[int], tally: ShardTotals
) -> BlockResult:
    """Play one block from its first deal to its last, and count it in the tally."""
    ledger: BlockLedger = entry.format.ledger(seating)
    for part in range(1, entry.format.last_part + 1):
        entry.format.play(driver, entry, Names(seed, entry.name, block), block, part, ledger)
    played = ledger.played()
    tally.count(entry, [(ledger.seating, played)])
    tally.extremes(ledger.seating, played)
    return played


def times_and_deals(tally: ShardTotals, unit: str) -> str:
    """Return how much was played, in words: the blocks, each called a `unit`, and the deals.

    >>> from roundsim.format import ShardTotals, times_and_deals
    >>> times_and_deals(ShardTotals(blocks=2, deals=4000), "evening")
    '2 evenings, 4 000 deals'"""
    return f"{so_many(tally.blocks, unit)}, {so_many(tally.deals, 'deal')}"


NAME = re.compile(r"[^\W_]+(-[^\W_]+)*")
FACTS = {"unit": str, "amount": str, "amount_key": Key, "scored": str, "measures": tuple}
AMOUNTS = "deals", "times"  # that a command line has flags for
TAKEN = "name", "game", "rules", "options", "strategies", "blocks", "cap", "source", *AMOUNTS  # other keys of an entry


def check_facts(format: type[Format], where: str) -> None:
    """Raise DeclarationError if a fact of a format is missing or of another type, or if a field is not a key."""
    called = f"{where}: {format.__name__}"
    if not isinstance(format.name, str) or not NAME.fullmatch(format.name):
        raise DeclarationError(f"{called} has the name {format.name!r}: it must be letters and digits, with hyphens")
    for name, kind in FACTS.items():
        if not isinstance(value := getattr(format, name, None), kind) or value == ():
            raise DeclarationError(f"{called} must say its {name}, a {kind.__name__}{suggestion(name, format)}")
    if format.amount not in AMOUNTS or format.amount_key.flag != f"--{format.amount}":
        declared = f"amount {format.amount!r} and the flag {format.amount_key.flag!r}"
        raise DeclarationError(f'{called} has the {declared}: write "deals" and "--deals", or "times" and "--times"')
    bases = [base.__name__ for base in format.__mro__ if "answers" in vars(base)]
    for name in [*format.answers, *["blocks_for_all"] * format.joined_by]:
        if getattr(format, name).__qualname__ in [f"{base}.{name}" for base in bases]:
            raise DeclarationError(f"{called} has no method {name}{suggestion(name, format)}")
    if any(isinstance(value, Field) for value in vars(format).values()):
        raise DeclarationError(f"{called} has keys and is no dataclass: write @dataclass(frozen=True) above it")
    for field in fields(format):
        if field.name in TAKEN:
            raise DeclarationError(f"{called}: no key of its own can be called {field.name}: every entry has that key")
        if not isinstance(field.metadata.get("key"), Key):
            raise DeclarationError(f"{called}: {field.name} is no key: declare it with key(), text_key(), switch_key()")


def suggestion(name: str, format: type[Format]) -> str:
    own = {key: value for key, value in vars(format).items() if key not in vars(Format) and key not in FACTS}
    return did_you_mean(name, [key for key, value in own.items() if name not in FACTS or not callable(value)])


FORMATS: Catalog[Format] = Catalog(
    *("format", Format, "name", __name__, __path__, check_facts, UnknownFormatError, "--as"),
    lambda: f"there are {', '.join(FORMATS.names())}",
)
ours, names, allow, allowed = FORMATS.ours, FORMATS.names, FORMATS.allow, FORMATS.allowed
find, named, by_source, place_of = FORMATS.find, FORMATS.named, FORMATS.by_source, FORMATS.place_of


def format_for_flags(flags: Collection[str]) -> str:
    """Return one of our formats that takes these flags of the command line: the usual one, if it does."""
    fitting = [name for name in ours() if {*flags} <= {key.flag for key in find(name).entered_with().values()}]
    return USUAL if USUAL in fitting or not fitting else fitting[0]


class Sent(NamedTuple):
    """A third-party format as sent to another process: its location there, the sha256 of its source, its fields."""

    place: str
    sha256: str
    values: Mapping[str, Any]

    def restored(self) -> Format:
        """Load the format. PluginError if its source has changed."""
        format = named(self.place)
        if not format.origin or format.origin.sha256 != self.sha256:
            raise PluginError(f"{display_path(Path(self.place.rpartition(':')[0]))} has changed since the run began")
        return format(**self.values)
