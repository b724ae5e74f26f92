"""The answers of a person so far, without those that they took back: `seat.jsonl` next to the run."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

from ..base.errors import LogError
from ..base.files import TEXT
from ..base.text import so_many
from ..tournament.results.record import PRACTISED
from ..tournament.storage.shards import read_file
from ..tournament.storage.writing import write_aside

QuestionPlace = tuple[str, int]  # the place of a deal, "17/1/3", and how many actions it had before
PLACE = re.compile(r"[0-9]{1,15}/[0-9]{1,15}/[0-9]{1,15}")


class Answers:
    """The answers of a person so far by question, kept in `seat.jsonl`, so that a sitting goes on where it was left.
    `last`: the deal that was left. FolderError; LogError for a file that is damaged.

    `taken_back`: the deals that do not count, because an answer was taken back before they were over.
    `practised`: by deal the log lines of those that were played in its place so. `counted`: by deal the answers that count
    while it is played once more after its end. `by_book`: who was away when the book answered for them."""

    def __init__(self, folder: Path) -> None:
        self.path, self.known = folder / "seat.jsonl", dict[QuestionPlace, str]()
        self.taken_back, self.practised = set[str](), defaultdict[str, list[str]](list)
        self.counted, self.by_book = dict[str, dict[QuestionPlace, str]](), dict[QuestionPlace, str]()
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
                        if isinstance(away := more.get("by_book_for"), str):
                            self.by_book[deal, after] = away
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
        for (deal, after), text in self.known.items():
            away = {"by_book_for": self.by_book[deal, after]} if (deal, after) in self.by_book else {}
            yield {"deal": deal, "after": after, "answer": text, **away}

    def write(self) -> None:
        write_aside(self.path, "".join(f"{json.dumps(line)}\n" for line in self.lines()).encode())

    def add(self, question: QuestionPlace, answer: str, away: str = "") -> None:
        """Write an answer before the table goes on. The later ones of its deal were given to another course of it. `away`:
        the person for whom the book answers."""
        self.cut(question)
        self.known[question] = str(answer)
        self.by_book |= {question: away} if away else {}
        self.write()

    def cut(self, question: QuestionPlace) -> None:
        """Forget the answers of a deal from a question on."""
        deal, after = question
        self.known = {known: text for known, text in self.known.items() if known[0] != deal or known[1] < after}
        self.by_book = {known: away for known, away in self.by_book.items() if known in self.known}

    def away_notes(self, persons: Collection[str]) -> list[str]:
        """Return for which of these persons the book has answered, in words."""
        times = Counter(self.by_book.values())
        return [f"the book answered {so_many(times[name], 'question')} for {name}" for name in persons if times[name]]

    def practises(self, deal: str) -> bool:
        """Return whether a deal as it is played now does not count."""
        return deal in self.taken_back or deal in self.counted

    def of(self, deal: str) -> dict[QuestionPlace, str]:
        return {known: text for known, text in self.known.items() if known[0] == deal}

    def take_back(self, question: QuestionPlace, over: bool) -> None:
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


def place_in_order(question: QuestionPlace) -> Any:
    place, after = question
    return [int(part) for part in place.split("/")], after
