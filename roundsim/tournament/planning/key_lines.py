"""Places and values in a TOML file, for messages: the lines of its keys, and shortened values."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from functools import cache, cached_property
from itertools import pairwise
from typing import Any

HEADER = re.compile(r"\s*\[+\s*([\w.\-\" ]+?)\s*\]+")
KEY = re.compile(r"\s*\"?([\w\-]+)\"?\s*[=.]")
WORD = re.compile(r"[^\s\"'=,:()\[\]{}]+")


class KeyLines:
    """Line numbers of the keys of a TOML file.

    `line('games', 1, 'options')` is the line of the second game's options."""

    def __init__(self, path: str, text: str = "", numbered: str = "games") -> None:
        """`numbered`: the name of the tables that a file has several of."""
        self.path, self.lines, self.numbered = path, text.splitlines(), numbered
        self.index = cache(self.index_of)

    def place(self, line: int) -> str:
        """Return 'FILE:12', or the file alone if the line is unknown."""
        return f"{self.path}:{line}" if line else self.path

    def line(self, table: str, number: int = 0, key: str = "", inner: str = "") -> int:
        """Return the line of a key or of a word in its value; else of the table; 0 if unknown."""
        keys, words = self.index(table, number)
        if not table:  # a table, or a key above all tables
            return keys.get(key) or next((span.start + 1 for _, span in self.tables.get((key, 0), ())), 0)
        if at := keys.get(key, 0):
            places = words[WORD.findall(inner)[-1]] if WORD.search(inner) else []
            return next(iter(places[bisect_left(places, at) :]), at)
        return next((span.start + 1 for _, span in self.tables.get((table, number), ())), 0)

    @cached_property
    def tables(self) -> dict[tuple[str, int], list[tuple[str, range]]]:
        """Return the lines of each table, and of the tables in it, under their headers."""
        found = [(at, HEADER.match(line)) for at, line in enumerate(self.lines)]
        headers = [(0, ""), *[(at, header[1]) for at, header in found if header], (len(self.lines), "")]
        tables, number = defaultdict[tuple[str, int], list[tuple[str, range]]](list), -1
        for (start, header), (end, _) in pairwise(headers):
            root = header.partition(".")[0]
            number += header == self.numbered
            tables[root, number if root == self.numbered else 0].append((header, range(start, end)))
        return tables

    def index_of(self, table: str, number: int) -> tuple[dict[str, int], dict[str, list[int]]]:
        """Return the line of each key of a table, and the lines of each word in it."""
        keys, words = dict[str, int](), defaultdict[str, list[int]](list)
        for header, span in self.tables.get((table, number), ()):
            if header != table:
                keys.setdefault(header.removeprefix(f"{table}."), span.start + 1)
            for at in span:
                if header == table and (key := KEY.match(self.lines[at])):
                    keys.setdefault(key[1], at + 1)
                for word in WORD.findall(self.lines[at]):
                    words[word].append(at + 1)
        return keys, words


def shorten_value(value: Any) -> str:
    """Return a value as Python writes it, shortened in the middle."""
    try:
        return shorten(repr(value), 80)
    except ValueError:
        return "a number of thousands of digits"


def shorten(text: str, most: int = 400) -> str:
    """Return a text, shortened in the middle."""
    return text if len(text) <= most else f"{text[: most // 2]}...{text[-most // 2 :]}"
