"""The formats, a file each (see `catalog`): how entrants meet, what a block plays, and what the standings rank by.

Nothing outside this folder asks which format a run has: each answers the same questions.  Who plays, asked or read from a
log, is up to the driver."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, field, fields
from functools import cache
from math import lcm
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol

from ...catalog import Catalog, Origin
from ...errors import DeclarationError, PluginError, UnknownFormatError, did_you_mean
from ...loading import display_path
from ...refereeing.names import Names
from ...table.chance import shuffled
from ...table.deal import Deal
from ...words import so_many
from ..tally import BlockLedger, BlockResult

if TYPE_CHECKING:
    from ..plan import Entry
    from ..reader import EntryReader
    from ..standings import Standings
    from ..tally import ShardTotals

USUAL = "round-robin"
SHARD_DEALS = 1000  # a shard holds whole blocks of so many deals at least


class Driver(Protocol):
    """Plays the deals of a block: a table of strategies, or a log."""

    def sit(self, table: str, names: Names, entrants: Sequence[int], keys: Sequence[Any]) -> None:
        """These entrants take the seats of a table, "17/2".  A player with a key seen before in this block stays."""

    def play(self, place: str, deal: Deal, first: bool) -> None:
        """Play a deal to its end."""

    def end(self, place: str, deal: Deal) -> None:
        """The end of a sitting has moved counters."""

    def leave(self) -> None:
        """The players leave the table."""


@dataclass(frozen=True)
class Key:
    """A whole number, a text or a switch that a format is entered with, in [[games]] and, where it has a `flag`, on the
    command line.

    `usual`: its default, a function of the game and the number of strategies where it depends on them; "" of a text, True or
    False of a switch."""

    help: str
    low: int
    high: int
    usual: int | str | Callable[[type[Deal], int], int]
    flag: str = ""

    @property
    def kind(self) -> type:
        return int if callable(self.usual) else type(self.usual)

    @property
    def optional(self) -> bool:
        """Whether it is recorded only where it differs from its default, as texts and switches are."""
        return self.kind is not int

    def fits(self, value: Any) -> bool:
        """Whether it is as it is recorded: of its kind, a number within its limits, anything else not the default."""
        if self.optional:
            return type(value) is self.kind and value != self.usual
        return type(value) is int and self.low <= value <= self.high

    def default(self, game: type[Deal], strategies: int) -> Any:
        return self.usual(game, strategies) if callable(self.usual) else self.usual


def key(help: str, low: int, high: int, usual: int | Callable[[type[Deal], int], int] = 0, flag: str = "") -> Any:
    """Declare what a format is entered with: `stack: int = key("counters of each player", 2, 10**6, 100)`."""
    return field(metadata={"key": Key(help, low, high, usual, flag)})


def text_key(help: str, flag: str = "") -> Any:
    """A text that need not be given."""
    return field(default="", kw_only=True, metadata={"key": Key(help, 0, 0, "", flag)})


def switch_key(help: str, flag: str = "") -> Any:
    """A switch that is on unless a file or the command line turns it off."""
    return field(default=True, kw_only=True, metadata={"key": Key(help, 0, 0, True, flag)})


@dataclass(frozen=True)
class Measure:
    """A figure of the standings: the mean over blocks of what a tally sums under `key`.

    `data`, `error_data`: its names in JSON, and that of its error ("": not given).  `column`: its heading in a table;
    `error_shown`: whether a column with its error follows.  `text` writes it.  `parts`: in how many parts of one the
    sums are.  `gain`: what one is ahead by, "counters a deal".  `of_winners`: it is the share of blocks that were won, and
    has two limits in place of an error."""

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
    of_winners: bool = False
    mean_of_places: bool = False  # of an entrant who has several places, not their sum


@cache
def share_scale(seats: int) -> int:
    """A number that every share of a deal or of a table's seats divides."""
    return lcm(*range(1, seats + 1))


class Logged(Protocol):
    """A deal as the log has it: "nap/17/2/3", and "17/2/3", "3" of that; by seat who sat there, and the nets."""

    @property
    def address(self) -> str: ...
    @property
    def place(self) -> str: ...
    @property
    def number(self) -> str: ...
    @property
    def seats(self) -> Sequence[str]: ...
    @property
    def net(self) -> Sequence[int]: ...


class Section:
    """What the report shows of an entry besides its standings.

    It is given the deals of each block, then asked for what it shows.  `template`: the text of a Jinja template."""

    template: ClassVar[str]

    def __init__(self, entry: Entry) -> None:
        self.entry = entry

    def block(self, deals: Sequence[Logged]) -> None:
        """The deals of a block, in the order of the log, without the ends of sittings."""

    def view(self, reckoned: Standings, at: int) -> Any:
        """What the template is given as `view`; None shows nothing.  `at`: the number of the entry.  It is asked twice."""
        raise NotImplementedError


@dataclass(frozen=True)
class Format:
    """What every format says of itself.  One is a frozen dataclass whose fields are the keys that it is entered with."""

    name: ClassVar[str]
    unit: ClassVar[str]  # what progress counts: "deal", "freeze-out"
    amount: ClassVar[str]  # the key of how much is played, of which blocks are made
    amount_key: ClassVar[Key]
    measures: ClassVar[tuple[Measure, ...]]  # the first ranks; equal there, the next
    ranked_by: ClassVar[int] = 1  # so many of the measures
    scored: ClassVar[str]  # what is scored, in the heading of the table over all games
    shard_blocks: ClassVar[int] = 1  # in a shard, if nobody imagines deals
    by_deals: ClassVar[bool] = False  # a block weighs as many as it has deals; else all weigh the same
    one_script: ClassVar[bool] = False  # a sitting's deals follow each other and are one script; else each is its own
    joined_by: ClassVar[bool] = False  # whether strategies may join a run: one that comes later plays in later blocks
    open_ended: ClassVar[bool] = True  # whether a run may come to have more blocks, stop before its last, or be a part
    origin: ClassVar[Origin | None] = None  # of a format from outside
    section: ClassVar[type[Section] | None] = None  # what the report shows besides; those of ours are in `reports`

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Another process loads the class of a format from outside by its file."""
        return (Sent.restored, (self.sent(),)) if self.origin else super().__reduce_ex__(protocol)

    def sent(self) -> Sent:
        """One from outside as it is sent."""
        assert self.origin
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return Sent(place_of(type(self)), self.origin.sha256, values)

    @classmethod
    def entered_with(cls) -> dict[str, Key]:
        """What it is entered with in [[games]]: how much, and its fields."""
        return {cls.amount: cls.amount_key, **cls.recorded()}

    @classmethod
    def recorded(cls) -> dict[str, Key]:
        """Its fields, as `run.toml` has them beside how much."""
        return {each.name: key_of(each) for each in fields(cls)}

    @classmethod
    def read(cls, reader: EntryReader) -> Entry | None:
        """The entry of a [[games]] table; None where something in it is wrong, which the reader has noted."""
        raise NotImplementedError

    @property
    def settings(self) -> dict[str, Any]:
        """Its fields, as `run.toml` has them: texts and switches only where they differ from the default."""
        every = {each.name: (key_of(each), getattr(self, each.name)) for each in fields(self)}
        return {name: value for name, (known, value) in every.items() if not known.optional or known.fits(value)}

    @classmethod
    def from_settings(cls, data: Mapping[str, Any]) -> Format:
        """ValueError names the field that is not as it must be, KeyError one that is lacking."""
        given = {each.name: data[each.name] for each in fields(cls) if not key_of(each).optional or each.name in data}
        for name, known in cls.recorded().items():
            if name in given and not known.fits(given[name]):
                raise ValueError(f"{name} = {given[name]!r}")
        return cls(**given)

    def wrong_with(self, entry: Entry) -> str:
        """What is wrong with its texts, in words; "" if nothing is."""
        return ""

    def table_size(self, game: type[Deal]) -> int:
        """Players at a table; the fewest, where tables are of several sizes."""
        return max(2, game.seats[0])

    @property
    def seats(self) -> int | None:
        """Players at every table; None where tables are of several sizes."""
        return None

    def set_options(self, game: type[Deal]) -> dict[str, Any]:
        """The options that the format sets itself."""
        return {}

    def units(self, entry: Entry) -> int:
        """How much of the amount a block plays."""
        return 1

    def blocks_for(self, entry: Entry, amount: int) -> int:
        """How many blocks play this amount, of all rounds together."""
        return -(-amount // (self.last_round * self.units(entry)))

    def blocks_in_shard(self, entry: Entry, slower: int) -> int:
        """How many blocks are played at a stretch; so many times fewer where somebody imagines deals."""
        return max(1, self.shard_blocks // slower)

    def seatings(self, entry: Entry, seed: int | str, first: int = 1) -> Iterator[tuple[int, ...]]:
        """Who plays in block `first` and those after it, in the order in which they sit: all entrants, as they are drawn."""
        for block in range(first, entry.blocks + 1):
            yield tuple(shuffled(range(len(entry.strategies)), Names(seed, entry.name, block).seats))

    def blocks_for_all(self, entry: Entry) -> int:
        """How many blocks there are when the last who has joined has had as many as each of the others before."""
        raise NotImplementedError

    @property
    def parts(self) -> int:
        """In so many parts a block is played, between which others may be."""
        return 1

    @property
    def same_cards(self) -> bool:
        """Whether a block has several sittings with the same cards."""
        return False

    def stages(self, blocks: range) -> Iterator[tuple[int, range]]:
        """A shard as it is played: a part and the blocks of which it is, stage by stage.

        With a stage begins anew what the modules of strategies remember: in none is a deal played twice."""
        for block in blocks:
            yield 1, range(block, block + 1)

    def ledger(self, seating: Sequence[int]) -> Any:
        """What notes the deals of a block, a `tally.Ledger`."""
        raise NotImplementedError

    def play(self, driver: Driver, entry: Entry, names: Names, block: int, part: int, ledger: Any) -> None:
        """A part of a block; it is entered in the ledger."""
        raise NotImplementedError

    def plan(self, entry: Entry) -> str:
        """What is to be played, in words."""
        raise NotImplementedError

    def heading(self, entry: Entry, tally: ShardTotals) -> list[str]:
        """What was played, in words: the parts of a table's heading."""
        raise NotImplementedError

    @property
    def last_round(self) -> int:
        """How many entries come of one in the file, each from what the one before it came to."""
        return 1

    @property
    def before(self) -> Format | None:
        """What the round before this one was played as; None of the first."""
        return None

    def after(self, entry: Entry, tally: ShardTotals) -> Entry | None:
        """The round that comes of this one; None of the last, and as long as not all is played."""
        return None

    def in_file(self, name: str) -> str:
        """What an entry of this name is called in the tournament file."""
        return name


def key_of(each: Field[Any]) -> Key:
    found: Key = each.metadata["key"]
    return found


def play_block(
    driver: Driver, entry: Entry, seed: int | str, block: int, seating: Sequence[int], tally: ShardTotals
) -> BlockResult:
    """One block from its first deal to its last; it is counted in the tally."""
    ledger: BlockLedger = entry.format.ledger(seating)
    for part in range(1, entry.format.parts + 1):
        entry.format.play(driver, entry, Names(seed, entry.name, block), block, part, ledger)
    played = ledger.played()
    tally.count(entry, [(ledger.seating, played)])
    tally.extremes(ledger.seating, played)
    return played


def times_and_deals(tally: ShardTotals, unit: str) -> str:
    return f"{so_many(tally.blocks, unit)}, {so_many(tally.deals, 'deal')}"


NAME = re.compile(r"[^\W_]+(-[^\W_]+)*")
FACTS = {"unit": str, "amount": str, "amount_key": Key, "measures": tuple, "scored": str}
ANSWERS = "read", "ledger", "play", "plan", "heading"  # what each format answers by itself
AMOUNTS = "deals", "times"  # that a command line has flags for
TAKEN = "name", "game", "rules", "options", "strategies", "blocks", "cap", "source", *AMOUNTS  # other keys of an entry


def check_facts(format: type[Format], where: str) -> None:
    """DeclarationError where a fact of a format is lacking, or of another kind; or a field is no key."""
    called = f"{where}: {format.__name__}"
    if not isinstance(format.name, str) or not NAME.fullmatch(format.name):
        raise DeclarationError(f"{called} has the name {format.name!r}: it must be letters and digits, with hyphens")
    for name, kind in FACTS.items():
        if not isinstance(value := getattr(format, name, None), kind) or value == ():
            raise DeclarationError(f"{called} must say its {name}, a {kind.__name__}{suggestion(name, format)}")
    if format.amount not in AMOUNTS or format.amount_key.flag != f"--{format.amount}":
        said = f"amount {format.amount!r} and the flag {format.amount_key.flag!r}"
        raise DeclarationError(f'{called} has the {said}: write "deals" and "--deals", or "times" and "--times"')
    for name in [*ANSWERS, *["blocks_for_all"] * format.joined_by]:
        if getattr(format, name).__qualname__ == f"Format.{name}":
            raise DeclarationError(f"{called} has no method {name}{suggestion(name, format)}")
    if any(isinstance(each, Field) for each in vars(format).values()):
        raise DeclarationError(f"{called} has keys and is no dataclass: write @dataclass(frozen=True) above it")
    for each in fields(format):
        if each.name in TAKEN:
            raise DeclarationError(f"{called}: no key of its own can be called {each.name}: every entry has that key")
        if not isinstance(each.metadata.get("key"), Key):
            raise DeclarationError(
                f"{called}: {each.name} is no key: declare it with key(), text_key() or switch_key()"
            )


def suggestion(name: str, format: type[Format]) -> str:
    return did_you_mean(name, [each for each in vars(format) if each not in vars(Format) and each not in FACTS])


FORMATS: Catalog[Format] = Catalog(
    *("format", Format, "name", __name__, __path__, check_facts, UnknownFormatError, "--as"),
    lambda: f"there are {', '.join(FORMATS.names())}",
)
ours, names, allow, allowed = FORMATS.ours, FORMATS.names, FORMATS.allow, FORMATS.allowed
find, named, by_source, place_of = FORMATS.find, FORMATS.named, FORMATS.by_source, FORMATS.place_of


def format_for_flags(flags: Collection[str]) -> str:
    """The name of a format of ours that takes these flags of the command line: the usual one, if it does."""
    fitting = [name for name in ours() if {*flags} <= {key.flag for key in find(name).entered_with().values()}]
    return USUAL if USUAL in fitting or not fitting else fitting[0]


class Sent(NamedTuple):
    """A format from outside on its way to another process: where it is found there, the sha256 of its source, its fields."""

    place: str
    sha256: str
    values: Mapping[str, Any]

    def restored(self) -> Format:
        """PluginError where the source is another one."""
        format = named(self.place)
        if not format.origin or format.origin.sha256 != self.sha256:
            raise PluginError(f"{display_path(Path(self.place.rpartition(':')[0]))} has changed since the run began")
        return format(**self.values)
