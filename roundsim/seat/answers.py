"""The answers of a person, kept in `seat.jsonl` next to the run, so that a sitting goes on where it was left."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path

Question = tuple[str, int]  # the place of a deal, "17/1/3", and how many actions it had before


class Answers:
    """The answers so far by question. A later line replaces an earlier one."""

    def __init__(self, folder: Path) -> None:
        self.path, self.known = folder / "seat.jsonl", dict[Question, str]()
        with suppress(OSError):
            for line in self.path.read_text(encoding="utf-8", errors="replace").splitlines():
                with suppress(ValueError, KeyError, TypeError):  # the last line may be cut off
                    each = json.loads(line)
                    self.known[str(each["deal"]), int(each["after"])] = str(each["answer"])
        self.last = max(self.known, key=place_in_order, default=("", 0))[0]  # the deal that was left

    def add(self, question: Question, answer: str) -> None:
        """Write an answer before the table goes on. The later ones of its deal were given to another course of it."""
        deal, after = question
        self.known = {each: said for each, said in self.known.items() if each[0] != deal or each[1] < after}
        self.known[question] = answer
        with self.path.open("a", encoding="utf-8") as file:
            file.write(f"\n{json.dumps({'deal': deal, 'after': after, 'answer': answer})}")
            file.flush()
            os.fsync(file.fileno())


def place_in_order(question: Question) -> tuple[list[int], int]:
    place, after = question
    return [int(part) for part in place.split("/") if part.isdecimal()], after
