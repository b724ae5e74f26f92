"""Output for continuous integration: GitHub's workflow commands and job summaries, and JUnit XML.

The texts of strategies are third-party input: no part of them may act as a command, a heading or an element."""

from __future__ import annotations

import os
import re
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from textwrap import indent
from typing import NamedTuple
from xml.etree import ElementTree as Xml

from ..base.errors import InputError
from ..base.text import WIDTH
from ..refereeing.faults import Fault
from ..sources.plugins import Strategy
from ..statistics.stopping import Decision
from ..tournament.judging.standings import Standings
from ..tournament.judging.stopping import verdict
from ..tournament.planning.plan import Entry, Tournament
from ..tournament.results.entry_totals import FaultCount
from .lines import in_markdown
from .stopping_rule import gate_lines, stopped, stopped_over_all
from .terminal import text_tables

UNBROKEN = 10**6  # characters of a line: GitHub breaks lines itself
MOST = 9  # annotations: GitHub shows ten errors of a step, and the gate's is one of them
PLACE = re.compile(r"^\s*(?:command line: )?([^:\x00-\x1f]+?\.(?:py|toml))\b(?::(\d+))?", re.MULTILINE)
FRAME = re.compile(r"(.+):(\d+) in ")
UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # in XML
COMMANDS = "::", "##["  # how they begin
LEVELS = {  # of the gate's annotation
    Decision.WORSE: "error",
    Decision.UNDECIDED: "warning",
    Decision.EQUAL: "notice",
    Decision.BETTER: "notice",
    Decision.VOID: "error",
}
TAGS = {  # in the case of the stopping rule, in JUnit
    Decision.WORSE: "failure",
    Decision.UNDECIDED: "skipped",
    Decision.EQUAL: "skipped",
    Decision.VOID: "failure",
}


class Note(NamedTuple):
    """An annotation: error, warning or notice; its text, its title, and the place it belongs to."""

    level: str
    words: str
    title: str
    place: dict[str, str]

    def __str__(self) -> str:
        """Return "::error file=mine.py,line=8,title=mine in nap/17/2/3::KeyError"."""
        properties = {**self.place, "title": self.title}
        listed = ",".join(f"{key}={github_escape(value, ':,')}" for key, value in properties.items())
        return f"::{self.level} {listed}::{github_escape(self.words)}"


@dataclass(frozen=True)
class Report:
    """The result of a run, in a folder; `is_gate`: whether the run is a gate."""

    standings: Standings
    folder: Path
    is_gate: bool

    @cached_property
    def at_fault(self) -> set[str]:
        """The strategies that made more faults than are allowed, in all games together."""
        counts = Counter[str]()
        for row in [row for rows in self.standings.games for row in rows]:
            counts[row.strategy] += row.faults
        return {who for who, n in counts.items() if n > self.standings.tournament.limits.faults_allowed}

    @cached_property
    def faults(self) -> list[tuple[Entry, Fault]]:
        """The faults that are recorded in full, in schedule order."""
        both = zip(self.standings.tournament.entries, self.standings.folds, strict=True)
        return [(entry, fault) for entry, fold in both for fault in fold.fault_reports()]

    @cached_property
    def counts(self) -> list[tuple[Entry, FaultCount]]:
        """Each kind of fault of each strategy once, in schedule order."""
        both = zip(self.standings.tournament.entries, self.standings.folds, strict=True)
        return [(entry, fault) for entry, fold in both for fault in fold.fault_counts()]

    def words_of(self, entry: Entry, fault: Fault) -> str:
        """Return a fault, where it happened, and the command that replays the deal."""
        again = f"roundsim replay {shlex.quote(f'{self.folder}:{fault.deal}')}{entry.flag}"
        return "\n".join([fault.words, *fault.where, again])

    def annotations(self, root: Path) -> Iterator[str]:
        """Yield commands for GitHub: the result of the gate, and each kind of fault once, at its first.

        File names are relative to `root`."""
        if self.is_gate:
            *figures, word = gate_lines(self.standings, UNBROKEN).splitlines()
            level = LEVELS[verdict(self.standings.outcomes)]
            yield str(Note(level, "\n".join(figures), f"gate: {word}", {}))
        notes = []
        for entry, fault in self.counts:
            who, strategy = entry.labels[fault.entrant], entry.strategies[fault.entrant]
            text = self.words_of(entry, fault.first) if fault.first else fault.kind
            at = place_of_fault(strategy, fault.first.where if fault.first else (), root)
            level = "error" if who in self.at_fault else "warning"
            notes.append(Note(level, text, f"{who}: {fault.words}", at))
        yield from the_first(sorted(notes, key=lambda note: note.level))  # errors first

    def summary(self) -> str:
        """Return Markdown: the verdict, the tables (not for a part), the faults."""
        part = self.standings.tournament.part
        figures = gate_lines(self.standings, WIDTH) if self.is_gate else "done\n"
        word = "a strategy misbehaved" if self.at_fault else figures.splitlines()[-1]
        parts = [f"# {in_markdown(self.standings.tournament.name)}{f', {part.words}' if part else ''}: {word}\n"]
        parts += [indent(figures, "    ")] * self.is_gate + ([] if part else [text_tables(self.standings, "github")])
        parts += ["## Faults\n"] * bool(self.faults)
        for entry, fault in self.faults:
            text = f"{entry.labels[fault.entrant]} in {fault.deal}\n{self.words_of(entry, fault)}"
            parts.append(indent("\n".join(text.splitlines()), "    ") + "\n")
        return "\n".join(parts)

    def junit(self) -> bytes:
        """Return a suite for each game, with a case for each strategy and for the stopping rule.

        A gate over all games has a suite of its own."""
        root, stopping = Xml.Element("testsuites"), self.standings.tournament.stopping
        for at, entry in enumerate(self.standings.tournament.entries):
            suite = Xml.SubElement(root, "testsuite", name=entry.name)
            for entrant, label in enumerate(entry.labels):
                case = Xml.SubElement(suite, "testcase", classname=entry.name, name=label)
                own = [fault for where, fault in self.counts if where is entry and fault.entrant == entrant]
                if own and label in self.at_fault:
                    message = "; ".join(fault.words for fault in own)
                    failure = Xml.SubElement(case, "failure", type=own[0].kind, message=message)
                    failure.text = "\n".join(self.words_of(entry, fault.first) for fault in own if fault.first)
            for outcome in [] if self.standings.pooled else self.standings.outcomes[at : at + 1]:
                assert stopping
                add_rule(suite, stopping.until, outcome.decision, stopped(entry, outcome))
        if pooled := self.standings.pooled:
            assert stopping
            suite = Xml.SubElement(root, "testsuite", name="over all games")
            add_rule(suite, stopping.until, pooled.decision, stopped_over_all(self.standings, pooled))
        return junit_xml(root)


def add_rule(suite: Xml.Element, rule: str, decision: Decision, figures: str) -> None:
    """Add the case of a stopping rule to a suite."""
    case = Xml.SubElement(suite, "testcase", classname=suite.get("name", ""), name=rule)
    if tag := TAGS.get(decision):
        Xml.SubElement(case, tag, message=figures)


def the_first(notes: Sequence[Note]) -> Iterator[str]:
    """Yield the annotations that are shown, and one for the rest."""
    yield from map(str, notes[:MOST])
    if rest := notes[MOST:]:
        headings = [f"{note.title}: {note.words}".splitlines()[0] for note in rest]
        yield str(Note("notice", "\n".join(headings), f"{len(rest)} more", {}))


def annotations_of(problems: Sequence[str], root: Path) -> Iterator[str]:
    """Yield commands for GitHub after a command failed: each problem at the last place that it names."""
    for_each = [
        [annotation_place(Path(file), line, root) for file, line in PLACE.findall(problem)] for problem in problems
    ]
    last = [max(reversed(places), key=len, default={}) for places in for_each]
    return the_first([Note("error", problem, "roundsim", at) for problem, at in zip(problems, last, strict=True)])


def junit_of(command: str, text: str) -> bytes:
    """Return a single case, for a command that failed."""
    root = Xml.Element("testsuites")
    case = Xml.SubElement(Xml.SubElement(root, "testsuite", name="roundsim"), "testcase", classname="roundsim")
    case.set("name", command)
    Xml.SubElement(case, "error", message=text.partition("\n")[0]).text = text
    return junit_xml(root)


def junit_xml(root: Xml.Element) -> bytes:
    """Return a file of suites, with their counts. Characters that XML cannot hold are escaped as in Python."""
    for suite in root:
        suite.set("tests", str(len(suite)))
        for kind, plural in ("failure", "failures"), ("error", "errors"), ("skipped", "skipped"):
            suite.set(plural, str(len(suite.findall(f"*/{kind}"))))
    Xml.indent(root)
    text = UNWRITABLE.sub(lambda match: match[0].encode("unicode_escape").decode(), Xml.tostring(root, "unicode"))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'.encode()


def place_of_fault(strategy: Strategy, where: Sequence[str], root: Path) -> dict[str, str]:
    """Return where a fault happened: the last line of its traceback in the strategy, else its file."""
    path = Path(strategy.path)
    home, file = (path, path / "__init__.py") if path.is_dir() else (path.parent, path)
    frames = [annotation_place(home / frame[1], frame[2], root) for frame in map(FRAME.match, reversed(where)) if frame]
    return next(filter(None, frames), annotation_place(file, "", root))


def annotation_place(file: Path, line: str, root: Path) -> dict[str, str]:
    """Return the properties of a place in a file below a folder; none for any other."""
    if not os.path.isfile(file) or not (whole := file.resolve()).is_relative_to(root):
        return {}
    return {"file": str(whole.relative_to(root)), **({"line": line} if line else {})}


def github_escape(text: str, more: str = "") -> str:
    """Escape a text for GitHub; `more`: other characters that have a meaning in its context."""
    return re.sub(f"[%\r\n{more}]", lambda match: f"%{ord(match[0]):02X}", text)


def check_names(tournament: Tournament) -> None:
    """Refuse names that GitHub would take for commands wherever they are printed. InputError."""
    for entry in tournament.entries:
        for name in tournament.name, entry.name, entry.deal.title, *entry.labels:
            if any(begin in name for begin in COMMANDS):
                raise InputError(f"{name!r} has {' or '.join(COMMANDS)} in it, which is a command to GitHub: rename it")
