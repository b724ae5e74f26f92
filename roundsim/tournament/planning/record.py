"""The keys of `run.toml`, each declared once: it is written, compared and checked by these tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ...base.errors import did_you_mean
from ...base.values import Either, Number, OneOf, Text, Values, Whole
from ..formats import Format

if TYPE_CHECKING:
    from ...sources.plugins import Strategy

SCHEMA = 6
SESSION = "session"  # the source of strategies that have no file
MOST_BLOCKS = 10**12


class PrintableText(Text):
    """Texts without control characters."""

    def read(self, value: Any) -> str:
        if not super().read(value).isprintable():
            raise ValueError
        return str(value)


NAME = PrintableText("a name for a folder, without slashes", r"[^/\\\x00-\x1f]*[^/\\\x00-\x1f.][^/\\\x00-\x1f]*")
SEED = Either(  # 128 bits as text are a seed that nobody finds by trying
    *(Whole(0, (1 << 63) - 1), Text(pattern="[0-9a-f]{32}")), words="a whole number below 2**63, or 32 digits 0-9a-f"
)
UNSHOWN = r"\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff"  # controls of terminals and of directions
TITLE = Text("a text of one line", rf"[^{UNSHOWN}]*[^ {UNSHOWN}][^{UNSHOWN}]*")
is_name, is_seed = NAME.fits, SEED.fits
CALLED = PrintableText(pattern=r"[^\W\d_].{0,999}")  # with parameters and, in a knock-out, the number of a repetition


class RecordKey(NamedTuple):
    """A key of a table in `run.toml`.

    `kind`: the type of its value, or several. `of`: returns its value; by default it is the attribute of that name.
    None is not recorded, which only an `optional` key may have. `values`: those that are allowed, by default all of its
    type. `as_asked`: it may differ between two records of the same run. `table`: the keys of its table."""

    kind: type | tuple[type, ...]
    of: Callable[[Any], Any] | None = None
    values: Values | None = None
    optional: bool = False
    as_asked: bool = False
    table: Mapping[str, RecordKey] | None = None


SOURCE_KEYS = {  # of a third-party game or format
    "module": RecordKey(str, lambda origin: f"{Path(origin.path).name}:{origin.attribute}"),
    "sha256": RecordKey(str),
}
LIMIT_KEYS = {
    "seconds": RecordKey(float),
    "memory": RecordKey(int),
    "bank": RecordKey(float),
    "on_fault": RecordKey(str),
    "faults_allowed": RecordKey(int, as_asked=True),
    "placed_within": RecordKey(float, values=Number(0, 1, ""), optional=True, as_asked=True),
    "isolate": RecordKey(  # a record must never turn the sandbox off
        str, lambda limits: "on" if limits.isolate == "on" else None, OneOf("on"), optional=True, as_asked=True
    ),
}
STOPPING_KEYS = {
    "until": RecordKey(str),
    "level": RecordKey(float),
    "version": RecordKey(int),
    "worth": RecordKey(float, optional=True),
    "worth_sd": RecordKey(float, optional=True),
    "level_worse": RecordKey(float, optional=True),
    "over_all": RecordKey(bool, lambda stopping: stopping.over_all or None, OneOf("true"), optional=True),
}
STRATEGY_KEYS = {
    "name": RecordKey(str, values=CALLED),
    "parameters": RecordKey(dict, lambda strategy: dict(strategy.parameters)),
    "sha256": RecordKey(str, values=Text(pattern="[0-9a-f]{64}")),
    "imagines": RecordKey(bool, lambda strategy: strategy.imagines or None, optional=True),
    "attribute": RecordKey(str, lambda strategy: strategy.attribute if strategy.named else None, optional=True),
    "source": RecordKey(str, lambda strategy: strategy.source or None, OneOf(SESSION), optional=True),
}
ENTRANT_KEYS = {**STRATEGY_KEYS, "joined": RecordKey(int, optional=True)}
FRAME_KEYS = {  # the settings that all entries share
    "format": RecordKey(str),
    "format_source": RecordKey(dict, lambda played: played.entries[0].format.origin, optional=True, table=SOURCE_KEYS),
    "seed": RecordKey((int, str)),
    "limits": RecordKey(dict, table=LIMIT_KEYS),
}
RUN_KEYS = {
    "schema": RecordKey(int, lambda played: SCHEMA, as_asked=True),
    "roundsim": RecordKey(str, as_asked=True),
    "name": RecordKey(str, as_asked=True),
    "title": RecordKey(str, lambda played: played.title or None, TITLE, optional=True, as_asked=True),
    **FRAME_KEYS,
    "stopping": RecordKey(dict, optional=True, table=STOPPING_KEYS),
    "part": RecordKey(str, lambda played: played.part and str(played.part), optional=True),
    "games": RecordKey(list),
}


def format_setting(name: str) -> Callable[[Any], Any]:
    return lambda entry: entry.format.settings.get(name)


_keys_of_games: dict[tuple[type[Format], bool], dict[str, RecordKey]] = {}  # they are asked for in each shard


def game_keys(format: type[Format], stops: bool = False) -> dict[str, RecordKey]:
    """Return the keys of a game that this class of format plays. `stops`: the run has a stopping rule."""
    if (format, stops) not in _keys_of_games:
        _keys_of_games[format, stops] = declared_game_keys(format, stops)
    return _keys_of_games[format, stops]


def declared_game_keys(format: type[Format], stops: bool) -> dict[str, RecordKey]:
    own = {
        name: RecordKey(key.kind, format_setting(name), optional=key.optional)
        for name, key in format.recorded().items()
    }
    return {
        "name": RecordKey(str, values=NAME),
        "game": RecordKey(str),
        "rules": RecordKey(int, lambda entry: entry.deal.version),
        "source": RecordKey(dict, lambda entry: entry.deal.origin, optional=True, table=SOURCE_KEYS),
        **own,
        "options": RecordKey(dict, lambda entry: dict(sorted(entry.options.items()))),
        "strategies": RecordKey(list, entrants_of),
        "blocks": RecordKey(int, values=Whole(0 if stops else 1, MOST_BLOCKS), as_asked=True),
        **({"cap": RecordKey(int, values=Whole(0, MOST_BLOCKS), as_asked=True)} if stops else {}),
    }


def entrants_of(entry: Any) -> list[dict[str, Any]]:
    pairs = zip(entry.strategies, entry.since, strict=True)
    return [recorded(ENTRANT_KEYS, strategy, joined=since or None) for strategy, since in pairs]


AS_ASKED = {
    name for keys in (RUN_KEYS, LIMIT_KEYS, game_keys(Format, stops=True)) for name, key in keys.items() if key.as_asked
}


def recorded(keys: Mapping[str, RecordKey], source: Any, identity: bool = False, **given: Any) -> dict[str, Any]:
    """Return the record of an object. `identity`: only the keys that never differ between records of the same run.

    `given`: values that the object does not have."""
    data = dict[str, Any]()
    for name, key in keys.items():
        if identity and key.as_asked:
            continue
        value = given[name] if name in given else key.of(source) if key.of else getattr(source, name)
        if value is not None:
            data[name] = recorded(key.table, value, identity) if key.table else value
    return data


def strategy_identity(strategy: Strategy) -> dict[str, Any]:
    return recorded(STRATEGY_KEYS, strategy)


def check_keys(data: Mapping[str, Any], keys: Mapping[str, RecordKey], where: str = "") -> None:
    """Raise ValueError if a value in a record is missing, of another type, not allowed, or unknown."""
    expected = {name: key for name, key in keys.items() if name in data or not key.optional}
    for name, key in expected.items():
        if name not in data:
            raise ValueError(f"{where}{name} is not there")
        if type(data[name]) not in (key.kind if isinstance(key.kind, tuple) else (key.kind,)):
            raise ValueError(f"{where}{name} = {repr(data[name])[:60]}")
    for name in data:
        if name not in keys:
            raise ValueError(f"{where}{name} is nothing that is read{did_you_mean(name, expected)}")
    for name, key in expected.items():
        if key.values and not key.values.fits(data[name]):
            raise not_allowed(data, name, where)
        if key.table:
            check_keys(data[name], key.table, f"{where}{name}.")


def not_allowed(data: Mapping[str, Any], name: str, where: str) -> ValueError:
    value = data[name]
    return ValueError(f"{where}{name} = {repr(value[:60]) if isinstance(value, str) else str(value)[:60]}")
