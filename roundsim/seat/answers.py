"""The answers of a person, kept in `seat.jsonl` next to the run, so that a sitting goes on where it was left."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from ..base.errors import LogError
from ..base.files import TEXT
from ..tournament.storage.shards import read_file
from ..tournament.storage.writing import write_aside

Question = tuple[str, int]  # the place of a deal, "17/1/3", and how many actions it had before
PLACE = re.compile(r"[0-9]{1,15}/[0-9]{1,15}/[0-9]{1,15}")


class Answers:
    """The answers so far by question; `last`: the deal that was left. LogError for a file that is damaged."""

    def __init__(self, folder: Path) -> None:
        self.path, self.known = folder / "seat.jsonl", dict[Question, str]()
        try:
            lines = read_file(self.path, TEXT).decode(errors="replace").splitlines()
        except FileNotFoundError:
            lines = []
        for number, line in enumerate(lines, 1):
            try:
                question, answer = from_line(line)
            except (ValueError, RecursionError):
                raise LogError(f"{self.path}, line {number}: no answer of a person: {line[:60]!r}") from None
            self.known[question] = answer
        self.last = max(self.known, key=place_in_order, default=("", 0))[0]

    def add(self, question: Question, answer: str) -> None:
        """Write an answer before the table goes on. The later ones of its deal were given to another course of it.
        FolderError."""
        deal, after = question
        self.known = {known: text for known, text in self.known.items() if known[0] != deal or known[1] < after}
        self.known[question] = str(answer)
        lines = [
            json.dumps({"deal": deal, "after": after, "answer": text}) for (deal, after), text in self.known.items()
        ]
        write_aside(self.path, "".join(f"{line}\n" for line in lines).encode())


def from_line(line: str) -> tuple[Question, str]:
    """Return a question and its answer. ValueError if a line has something else."""
    match json.loads(line):
        case {"deal": str(deal), "after": int(after), "answer": str(answer)} if PLACE.fullmatch(deal):
            return (deal, after), answer
    raise ValueError


def place_in_order(question: Question) -> Any:
    place, after = question
    return [int(part) for part in place.split("/")], after
