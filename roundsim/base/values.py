"""The values that a key of a file may have. One declaration reads a value, describes it in a message, and is its JSON
Schema."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from .text import in_toml


class Values(ABC):
    """The values that a key or an option may have; `str()` describes them, as in "must be a text"."""

    @abstractmethod
    def read(self, value: Any) -> Any:
        """Return the value as the program uses it. Raises ValueError if it is not one of these."""

    @abstractmethod
    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of the values. It may allow more, and never less."""

    def fits(self, value: Any) -> bool:
        """Return whether it is one of these values."""
        try:
            self.read(value)
        except ValueError:
            return False
        return True


@dataclass(frozen=True)
class Whole(Values):
    """Whole numbers from `low` to `high` (no upper end if None); with `but` only those that it allows, 'a power of
    two'; with `off` also false.

    `words`: how messages describe the values. `read` raises ValueError for any other value; `fits` says whether it
    would not.

    >>> from roundsim.game import Whole
    >>> values = Whole(1, 6)
    >>> values.read(6), values.fits(7), str(values)
    (6, False, 'a whole number from 1 to 6')
    >>> Whole(2, 6, off=True).read(False)
    False"""

    low: int
    high: int | None = None
    but: Callable[[int], bool] | None = None
    words: str = ""
    off: bool = False

    def __str__(self) -> str:
        end = f" to {self.high}" if self.high is not None else " up"
        return self.words or f"{'false or ' * self.off}a whole number from {self.low}{end}"

    def read(self, value: object) -> int:
        if value is False and self.off:
            return value
        if isinstance(value, bool) or not isinstance(value, int) or value < self.low:
            raise ValueError
        if self.high is not None and value > self.high or self.but and not self.but(value):
            raise ValueError
        return value

    def schema(self) -> dict[str, Any]:
        end = {} if self.high is None else {"maximum": self.high}
        numbers = {"type": "integer", "minimum": self.low, **end}
        return {"anyOf": [{"const": False}, numbers]} if self.off else numbers


@dataclass(frozen=True)
class Number(Values):
    """Numbers from `low` to `high`."""

    low: float
    high: float
    words: str

    def __str__(self) -> str:
        return self.words

    def read(self, value: Any) -> float:
        if type(value) not in (int, float) or not self.low <= value <= self.high:
            raise ValueError
        return float(value)

    def schema(self) -> dict[str, Any]:
        return {"type": "number", "minimum": self.low, "maximum": self.high}


class Flag(Values):
    """True or false."""

    def __str__(self) -> str:
        return "true or false"

    def read(self, value: object) -> bool:
        if not isinstance(value, bool):
            raise ValueError
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "boolean"}


class OneOf(Values):
    """One of a few words, numbers or flags; `pack = 32` and `pack = "32"` are the same.

    `words`: how messages describe the values. `read` raises ValueError for any other value.

    >>> from roundsim.game import OneOf
    >>> OneOf(32, 52).read("32"), OneOf(32, 52).fits(60)
    (32, False)"""

    def __init__(self, *choices: str | int, words: str = "") -> None:
        self.choices, self.words = choices, words

    def __str__(self) -> str:
        return self.words or "one of " + ", ".join(map(in_toml, self.choices))

    def read(self, value: object) -> str | int:
        for choice in self.choices:
            if in_toml(choice) == in_toml(value):
                return choice
        raise ValueError

    def schema(self) -> dict[str, Any]:
        texts = [*map(in_toml, self.choices)]
        numbers = [int(text) for text in texts if text.isdecimal() and str(int(text)) == text]
        flags = [text == "true" for text in texts if text in ("true", "false")]
        return {"enum": [*texts, *numbers, *flags]}


@dataclass(frozen=True)
class Text(Values):
    """Texts; with a `pattern` only those that match it as a whole."""

    words: str = "a text"
    pattern: str = ""

    def __str__(self) -> str:
        return self.words

    def read(self, value: object) -> str:
        if not isinstance(value, str) or self.pattern and not re.fullmatch(self.pattern, value):
            raise ValueError
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "string", **({"pattern": f"^(?:{self.pattern})$"} if self.pattern else {})}


@dataclass(frozen=True)
class Listed(Values):
    """Lists of `least` values or more of a kind."""

    each: Values
    words: str
    least: int = 0

    def __str__(self) -> str:
        return self.words

    def read(self, value: Any) -> list[Any]:
        if not isinstance(value, list) or len(value) < self.least:
            raise ValueError
        return [self.each.read(one) for one in value]

    def schema(self) -> dict[str, Any]:
        return {"type": "array", "items": self.each.schema(), **({"minItems": self.least} if self.least else {})}


class Table(Values):
    """Tables whose keys are checked elsewhere."""

    def __str__(self) -> str:
        return "a table"

    def read(self, value: object) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise ValueError
        return value

    def schema(self) -> dict[str, Any]:
        return {"type": "object"}


class Either(Values):
    """Values of the first of several kinds that fits."""

    def __init__(self, *kinds: Values, words: str) -> None:
        self.kinds, self.words = kinds, words

    def __str__(self) -> str:
        return self.words

    def read(self, value: Any) -> Any:
        for kind in self.kinds:
            if kind.fits(value):
                return kind.read(value)
        raise ValueError

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [kind.schema() for kind in self.kinds]}


def object_schema(keys: Mapping[str, Key]) -> dict[str, Any]:
    """Return the JSON Schema of a table that has these keys and no others."""
    properties = {name: key.schema() for name, key in keys.items()}
    return {"type": "object", "properties": properties, "additionalProperties": False}


class Key(NamedTuple):
    """A key of a file: its meaning, its values, and its default; None if that depends on others, or if there is none."""

    help: str
    values: Values
    default: Any = None

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of its value."""
        default = {} if self.default is None else {"default": self.default}
        return {"description": self.help, **self.values.schema(), **default}
