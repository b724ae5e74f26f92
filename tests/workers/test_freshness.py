"""Nothing that a strategy keeps lasts longer than it may, wherever it keeps it.

A strategy counts its questions in some place, and answers by the count. The questions are counted again from the log of
the run: for each object, each module, or the whole process."""

from __future__ import annotations

import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from conftest import Write
from helpers.command import PATIENCE, command, environment, one_in_with
from helpers.here import Here, met_here, played_by
from helpers.sealed import any_in_force

import roundsim
from roundsim.replaying.log_driver import LogDriver
from roundsim.replaying.logged import LoggedBlock, logged_blocks
from roundsim.table.legal import count
from roundsim.tournament.storage.folder import RunFolder
from roundsim.workers import shard
from roundsim.workers.lockstep import Lockstep

SOURCE = """
from functools import partial
from itertools import count

N, KEPT = -1, []

def answer(view, n): return view.legal[n % len(view.legal)]

def counter():
    n = -1
    def tick(): nonlocal n; n += 1; return n
    return tick

RUNNING, TICK = (n for n in count()), counter()

def act(view):
    act.n = n = getattr(act, "n", -1) + 1
    return answer(view, n)

def method(n):
    def act(self, view): type(self).act = method(n + 1); return answer(view, n)
    return act

def not_a_method(n, view): Callable.act = partial(not_a_method, n + 1); return answer(view, n)
"""
CLASS = """
class {}:
    {}
    def act(self, view, kept=[-1]):
        global N
        {}
        return answer(view, n)
"""
SCOPES = OBJECT, MODULE, SITTINGS, PROCESS = "object", "module", "sittings of a module", "process"
PLACES: dict[str, tuple[str, ...]] = {  # what is counted there, how, and what else is in the class
    "Attribute": (OBJECT, "n = self.n = getattr(self, 'n', -1) + 1"),
    "Slot": (OBJECT, "n = self.n = getattr(self, 'n', -1) + 1", "__slots__ = 'n'"),
    "Generator": (OBJECT, "self.own = getattr(self, 'own', None) or (n for n in count()); n = next(self.own)"),
    "Cell": (OBJECT, "self.own = getattr(self, 'own', None) or counter(); n = self.own()"),
    "Constructed": (OBJECT, "n = self.n = self.n + 1", "def __init__(self): self.n = -1"),
    "StateOfChance": (OBJECT, "n = view.chance.gauss_next or 0; view.chance.gauss_next = n + 1"),
    "OfClass": (MODULE, "n = type(self).n = getattr(type(self), 'n', -1) + 1"),
    "Global": (MODULE, "N += 1; n = N"),
    "OfModule": (MODULE, "n = next(RUNNING)"),
    "Outer": (MODULE, "n = TICK()"),
    "Default": (MODULE, "n = kept[0] = kept[0] + 1"),
    "OfMethod": (MODULE, "own = type(self).act; n = own.n = getattr(own, 'n', -1) + 1"),
    "act": (MODULE, ""),
    "Listed": (SITTINGS, "KEPT.extend([self] * (self not in KEPT)); n = len(KEPT) - 1"),
    "Method": (SITTINGS, "n = 0; type(self).act = method(1)"),
    "Callable": (SITTINGS, "n = 0; Callable.act = partial(not_a_method, 1)"),
    "Constructor": (SITTINGS, "n = self.n; type(self).__init__ = lambda self: setattr(self, 'n', n + 1)", "n = 0"),
    "File": (PROCESS, "file = open(__file__ + '.count', 'a'); n = file.tell(); file.write('x'); file.close()"),
    "OfChance": (OBJECT, "n = view.chance.n = getattr(view.chance, 'n', -1) + 1"),
    "KeptChance": (MODULE, "KEPT.append(view.chance); n = len(KEPT) - 1; KEPT[0].gauss_next = 9"),
}
FORMATS = {  # the game, the number of entrants, the other keys
    "round-robin": ("nap", 4, "players = 5\ndeals = 40\nsitting = 2"),
    "round-robin of draw poker": ("draw-poker", 4, "players = 5\ndeals = 40\nsitting = 2"),
    "sittings": ("nap", 3, "players = 3\ndeals = 12\nsitting = 3"),
    "knock-out": ("nap", 5, "players = 4\ndeals = 64\nsitting = 2"),
    "shadow": ("nap", 2, "players = 4\ndeals = 9\nsitting = 3\nsparing = false"),
    "progressive": ("nap", 8, "times = 3\nrounds = 8"),
    "freeze-out": ("draw-poker", 5, "times = 3\nstack = 20\nmax_seats = 3\nmax_deals = 12\noptions.stakes = 'table'"),
}
FOR_A_BLOCK = "progressive", "freeze-out"  # an object plays for a block
WAYS = {  # what is played so, and how seldom in the quick tests; guests write no file, and in step share a module
    "worker": (SCOPES, 1),
    "plain Python": (SCOPES, 40),
    "guests": ([OBJECT, MODULE, SITTINGS], 30),
    "guests in step": ([OBJECT], 20),
}


def cases() -> Iterator[Any]:
    """Each format with each place, as many places at a time as it has entrants."""
    for way, (scopes, n) in WAYS.items():
        places, every = [place for place in PLACES if PLACES[place][0] in scopes], list[Any]()
        for format, (_, size, _) in FORMATS.items():
            every += [(way, format, (places * 2)[at : at + size]) for at in range(0, len(places), size)]
        yield from one_in_with(n, every)
    yield "worker", "round-robin", ["KeptChance", *["StateOfChance"] * 3]


def questions_of(folder: Path) -> Iterator[tuple[Any, ...]]:
    """The questions with several answers in the order of play: the place, the module, the object, the answers, which."""
    tournament = RunFolder(folder).tournament()
    for at, entry in enumerate(tournament.entries):
        asked = {block.number: asked_in(block) for block in logged_blocks(RunFolder(folder), tournament, at)}
        for part, those in entry.format.stages(range(1, entry.blocks + 1)):
            for place, copy, own, *said in [each for block in those for each in asked[block][part]]:
                module = entry.name, part, those, *copy
                yield place, module, (*module, *own), *said


def asked_in(block: LoggedBlock) -> dict[int, list[tuple[Any, ...]]]:
    """Those of a block by its parts, from the log."""
    asked, format = defaultdict[int, list[tuple[Any, ...]]](list), block.entry.format

    def visit(driver: LogDriver) -> None:
        part = int(driver.table.partition("/")[2]) if format.parts > 1 else 1
        for ask, action in driver.walk():
            if count(ask.legal) > 1:
                entrant, place = driver.who[ask.seat], driver.seated[ask.seat].partition("#")[0]
                copy = entrant, driver.who[: ask.seat].count(entrant)
                own = (block.number,) if format.name in FOR_A_BLOCK else (driver.table, ask.seat)
                asked[part].append((place, copy, own, ask.legal, action))

    block.replay(visit)
    return asked


def check(folder: Path) -> None:
    """Every answer of a run is the one of the right count."""
    counts, sat = Counter[Any](), defaultdict[Any, dict[Any, int]](dict)
    for place, module, own, legal, action in questions_of(folder):
        scope = PLACES[place][0]
        key = {OBJECT: own, MODULE: module, PROCESS: ()}.get(scope)
        expected = sat[module].setdefault(own, len(sat[module])) if scope == SITTINGS else counts[key]
        counts[key] += 1
        assert action == legal[expected % len(legal)], (place, own, expected)
    assert counts.total() > 50


@pytest.mark.parametrize(("way", "format", "places"), [*cases()])
def test_kept_state_ends_with_its_object_or_module(
    way: str, format: str, places: Sequence[str], write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    classes = [CLASS.format(name, "".join(more), how) for name, (_, how, *more) in PLACES.items() if how]
    write("mine.py", SOURCE + "".join(classes))
    (game, _, keys), isolate, folder = FORMATS[format], "on" if "guests" in way else "off", tmp_path / "run"
    head = f'[tournament]\nformat = "{format.partition(" ")[0]}"\nseed = 1\nstrategies = '
    strategies = [f"{place}=mine.py:{place}" for place in places]
    path = write("mine.toml", f'{head}{strategies}\n[[games]]\ngame = "{game}"\n{keys}\n')
    if isolate == "on":
        any_in_force()
    if way == "guests":  # one table after the other
        monkeypatch.setattr(shard, "Lockstep", lambda width, times: Lockstep(1, times))
    if way == "plain Python":
        words = command("run", path, "--isolate", isolate, "--jobs", 1, "--out", folder)
        env = environment() | {"ROUNDSIM_NATIVE": "off"}
        subprocess.run(words, env=env, check=True, capture_output=True, timeout=PATIENCE)
    else:
        with played_by(Here, met_here):  # the worker is in this process, where a test can change it
            roundsim.run(path, isolate=isolate, jobs=1, out=folder)
    assert not roundsim.open_run(folder).faults
    check(folder)
