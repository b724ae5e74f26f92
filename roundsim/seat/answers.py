"""The answers of a person so far, without those that they took back: `seat.jsonl` next to the run."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ..base.errors import LogError
from ..base.files import TEXT
from ..tournament.results.record import PRACTISED
from ..tournament.storage.shards import read_file
from ..tournament.storage.writing import write_aside

Question = tuple[str, int]  # the place of a deal, "17/1/3", and how many actions it had before
PLACE = re.compile(r"[0-9]{1,15}/[0-9]{1,15}/[0-9]{1,15}")


class Answers:
    """The answers of a person so far by question, kept in `seat.jsonl`, so that a sitting goes on where it was left.
    `last`: the deal that was left. FolderError; LogError for a file that is damaged.

    `taken_back`: the deals that do not count, because an answer was taken back before they were over.
    `practised`: by deal the log lines of those that were played in its place so. `counted`: by deal the answers that count
    while it is played once more after its end."""

    def __init__(self, folder: Path) -> None:
        self.path, self.known = folder / "seat.jsonl", dict[Question, str]()
        self.taken_back, self.practised = set[str](), defaultdict[str, list[str]](list)
        self.counted = dict[str, dict[Question, str]]()
        try:
            lines = read_file(self.path, TEXT).decode(errors="replace").splitlines()
        except FileNotFoundError:
            lines = []
        for number, line in enumerate(lines, 1):
            try:
                self.read(json.loads(line))
            except (ValueError, RecursionError):
                raise LogError(f"{self.path}, line {number}: no answer of a person: {line[:60]!r}") from None
        self.last = max(self.known, key=place_in_order, default=("", 0))[0]
        self.last = next(iter([*self.counted, *self.taken_back]), self.last)

    def read(self, entry: object) -> None:
        """Take in a line of the file. ValueError if it has something else."""
        match entry:
            case {"deal": str(deal), **rest} if PLACE.fullmatch(deal):
                match rest:
                    case {"after": int(after), "answer": str(answer), **more}:
                        kept = self.counted.setdefault(deal, {}) if more.get("counted") else self.known
                        kept[deal, after] = answer
                        return
                    case {"practised": str(text)} if text.startswith(f"{PRACTISED}{deal} "):
                        self.practised[deal].append(text)
                        return
                    case {"taken_back": True}:
                        self.taken_back.add(deal)
                        return
        raise ValueError

    def lines(self) -> Iterator[Mapping[str, object]]:
        for deal, texts in self.practised.items():
            yield from ({"deal": deal, "practised": text} for text in texts)
        yield from ({"deal": deal, "taken_back": True} for deal in sorted(self.taken_back))
        for kept in self.counted.values():
            yield from (
                {"deal": deal, "after": after, "answer": text, "counted": True} for (deal, after), text in kept.items()
            )
        yield from ({"deal": deal, "after": after, "answer": text} for (deal, after), text in self.known.items())

    def write(self) -> None:
        write_aside(self.path, "".join(f"{json.dumps(line)}\n" for line in self.lines()).encode())

    def add(self, question: Question, answer: str) -> None:
        """Write an answer before the table goes on. The later ones of its deal were given to another course of it."""
        self.cut(question)
        self.known[question] = str(answer)
        self.write()

    def cut(self, question: Question) -> None:
        """Forget the answers of a deal from a question on."""
        deal, after = question
        self.known = {known: text for known, text in self.known.items() if known[0] != deal or known[1] < after}

    def practises(self, deal: str) -> bool:
        """Return whether a deal as it is played now does not count."""
        return deal in self.taken_back or deal in self.counted

    def of(self, deal: str) -> dict[Question, str]:
        return {known: text for known, text in self.known.items() if known[0] == deal}

    def take_back(self, question: Question, over: bool) -> None:
        """Take back the answers of a deal from a question on: so it does not count if it is not `over`, else what counts is
        kept until `settle`."""
        deal = self.last = question[0]
        if not self.practises(deal):
            if over:
                self.counted[deal] = self.of(deal)
            else:
                self.taken_back.add(deal)
        self.cut(question)
        self.write()

    def settle(self, deal: str, line: str) -> bool:
        """Return whether a deal that is over was played for practice, and end that. `line`: of the log.

        The answers that count are back then; or the deal is to be dealt again, and the line is kept."""
        if not self.practises(deal):
            return False
        self.cut((deal, 0))
        if deal in self.taken_back:
            self.practised[deal].append(line)
            self.taken_back.remove(deal)
        else:
            self.known |= self.counted.pop(deal)
        self.last = ""
        self.write()
        return True


def place_in_order(question: Question) -> Any:
    place, after = question
    return [int(part) for part in place.split("/")], after
