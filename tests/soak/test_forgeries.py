"""Whatever is forged or damaged in a finished run, `roundsim verify` finds it and names the place; and no command that
meets it hangs, shows a traceback of ours, or makes good what is forged.

What verify can not know, and nobody can who has only the folder: see "What nobody can see" at the end."""

from __future__ import annotations

import json
import os
import re
import resource
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
import zstandard
from command import PATIENCE, assert_same, command, contents, environment, stamps
from conftest import Outcome, Shell
from soak.forging import OTHERS, Forged, Shard, play, rle

from roundsim.table.actions import count
from roundsim.tournament.folder import RESULTS
from roundsim.tournament.record import BESIDE, KINDS, said

SEEDS = range(3)
RUNS = ("moving", "evening", "frozen")
MEMORY = 2 << 30  # bytes that a command may take


class Seen(NamedTuple):
    """What else a forgery shows in: the exit codes of `standings` and `log`, those of `replay`, and what comes of going on
    with the run."""

    reading: tuple[int, ...]
    replay: tuple[int, ...]
    going_on: str


READING = Seen((65,), (65,), "refused")  # whoever reads the place sees it
VERIFY = Seen((0, 65), (0, 65), "found")  # only who plays the deals again must see it; and still after going on
FOREIGN = Seen((0,), (0,), "found")  # nobody else reads it
RESULTS_ONLY = Seen((0,), (0,), "repaired")
MISSING = Seen((0,), (65,), "repaired")


class Way(NamedTuple):
    """A way to forge a run: it returns the words with which verify must name the place."""

    forge: Callable[[Forged], str]
    seen: Seen
    runs: tuple[str, ...]
    apart: bool  # in processes of its own, since it may hang or take all memory


WAYS: dict[str, Way] = {}
Forge = Callable[[Forged], str]


def add(name: str, forge: Forge, seen: Seen, runs: tuple[str, ...] = RUNS, apart: bool = False) -> None:
    name = name.replace("_", " ").strip()
    assert name not in WAYS
    WAYS[name] = Way(forge, seen, runs, apart)


def way(seen: Seen, runs: tuple[str, ...] = RUNS, apart: bool = False) -> Callable[[Forge], Forge]:
    """A way of its own."""

    def register(forge: Forge) -> Forge:
        add(forge.__name__, forge, seen, runs, apart)
        return forge

    return register


# Lines

Change = Callable[[Forged, list[str], int], object]


def on_line(*kinds: str, runs: tuple[str, ...] = RUNS, exact: bool = False) -> Callable[[Change], Change]:
    """Changes the lines of a shard where one of a kind stands: as it is, and with the hashes made anew.

    `exact`: verify must name just that line."""

    def register(change: Change) -> Change:
        for kind in kinds:
            for rehashed in False, True:
                name = f"{kind} line: {change.__name__}{' (rehashed)' * rehashed}"
                add(name, forge_line(change, kind, exact, rehashed), VERIFY if rehashed else READING, runs)
        return change

    return register


def forge_line(change: Change, kind: str, exact: bool, rehashed: bool) -> Forge:
    def forge(run: Forged) -> str:
        shard, at = run.line(kind)
        change(run, shard.lines, at)
        if rehashed:
            shard.rehash()
        shard.write()
        return f"{shard.name}:{at + 1}:" if exact else f"{shard.name}:"

    return forge


EVERY = ("deal", "seats", "beside")


def on_every_line(change: Change) -> None:
    on_line(*EVERY)(change)
    on_line("end", runs=("evening", "moving"))(change)


@on_every_line
def removed(run: Forged, lines: list[str], at: int) -> None:
    del lines[at]


@on_every_line
def doubled(run: Forged, lines: list[str], at: int) -> None:
    lines.insert(at, lines[at])


@on_every_line
def exchanged_with_its_neighbour(run: Forged, lines: list[str], at: int) -> None:
    other = at + 1 if at + 1 < len(lines) else at - 1
    lines[at], lines[other] = lines[other], lines[at]


@on_every_line
def put_elsewhere(run: Forged, lines: list[str], at: int) -> None:
    line = lines.pop(at)
    lines.insert(run.chance.choice([to for to in range(len(lines) + 1) if to != at]), line)


@on_every_line
def in_the_place_of_another(run: Forged, lines: list[str], at: int) -> None:
    lines[at] = run.chance.choice([line for line in lines if line != lines[at]])


@on_every_line
def cut_in_half(run: Forged, lines: list[str], at: int) -> None:
    lines[at] = lines[at][: len(lines[at]) // 2]


@on_every_line
def emptied(run: Forged, lines: list[str], at: int) -> None:
    lines[at] = ""


@on_every_line
def after_a_line_of_our_own(run: Forged, lines: list[str], at: int) -> None:
    lines.insert(at, run.chance.choice(["", "# {}", "!", "! ", "=", "= ", "| |", "\ufeff", "1/1/1", "9" * 5000, "\0"]))


@on_every_line
def with_something_at_its_end(run: Forged, lines: list[str], at: int) -> None:
    lines[at] += run.chance.choice([" ", "\r", "\u2028", " |", ", ", "x", "\0"])


@on_every_line
def with_another_place(run: Forged, lines: list[str], at: int) -> None:
    places = [*re.finditer(r"\d+", lines[at].split("/end")[0].partition(" |")[0])]
    place = run.chance.choice(places[: 2 if lines[at][0] != "!" else 3])
    lines[at] = f"{lines[at][: place.start()]}{int(place[0]) + 1}{lines[at][place.end() :]}"


@on_every_line
def with_a_nought_before_a_number(run: Forged, lines: list[str], at: int) -> None:
    place = run.chance.choice([*re.finditer(r"\d+", lines[at].partition(" | ")[0])])
    lines[at] = f"{lines[at][: place.start()]}0{lines[at][place.start() :]}"


@on_line("seats", exact=True)
def with_seats_exchanged(run: Forged, lines: list[str], at: int) -> None:
    *start, table, who = lines[at].split(" ", 2)
    names = who.split(" | ")
    lines[at] = f"{' '.join([*start, table])} {' | '.join([*names[1:], names[0]])}"


@on_line("seats", exact=True)
def with_a_stranger(run: Forged, lines: list[str], at: int) -> None:
    lines[at] = lines[at].rpartition(" | ")[0] + " | somebody"


@on_line("deal", exact=True)
def with_another_net(run: Forged, lines: list[str], at: int) -> None:
    head, bar, rest = lines[at].partition(" | ")
    place, dealer, *nets = head.split(" ")
    seats = run.chance.sample(range(len(nets)), 2)
    more = run.chance.randrange(1, 10)
    for seat, change in zip(seats, (more, -more * run.chance.randrange(2)), strict=True):
        nets[seat] = str(int(nets[seat]) + change)
    lines[at] = " ".join([place, dealer, *nets]) + bar + rest


@on_line("end", runs=("evening", "moving"), exact=True)
def with_another_end(run: Forged, lines: list[str], at: int) -> None:
    place, dealer, *nets, bar = lines[at].split(" ")
    lines[at] = " ".join([place, dealer, *nets[1:], str(int(nets[0]) + 1), bar])


@on_line("end", runs=("evening", "moving"), exact=True)
def with_actions(run: Forged, lines: list[str], at: int) -> None:
    lines[at] += " pass"


@on_line("deal", exact=True)
def with_another_dealer(run: Forged, lines: list[str], at: int) -> None:
    place, dealer, rest = lines[at].split(" ", 2)
    lines[at] = f"{place} {run.chance.choice([each for each in range(4) if str(each) != dealer])} {rest}"


def on_action(*kinds: str, fits: str, runs: tuple[str, ...] = RUNS, exact: bool = True) -> Callable[[Any], Any]:
    """Changes one action of a deal."""

    def register(change: Callable[[Forged, str], str]) -> object:
        def in_line(run: Forged, lines: list[str], at: int) -> None:
            head, bar, rest = lines[at].partition(" | ")
            actions = rest.split(", ")
            place = run.chance.choice([place for place, action in enumerate(actions) if re.match(fits, action)])
            actions[place] = change(run, actions[place])
            lines[at] = head + bar + ", ".join(actions)

        in_line.__name__ = change.__name__
        on_line(*kinds, runs=runs, exact=exact)(in_line)
        return change

    return register


@on_action("deal", fits=r"\w")
def with_an_action_that_is_none(run: Forged, action: str) -> str:
    return run.chance.choice(["pray", "play Zz", "nothing", "", "!", "bet 1e9", f"bet {'9' * 5000}", "call \u0663"])


@on_action("deal", fits=r"\w")
def with_an_action_spelt_otherwise(run: Forged, action: str) -> str:
    return run.chance.choice([action.upper(), f" {action}", f"{action} ", f"{action}\t", f"{action} ?"])


@on_action("discard", fits=r"discard \w\w \w\w", runs=("frozen",))
def with_cards_in_another_order(run: Forged, action: str) -> str:
    verb, *cards = action.split(" ")
    return " ".join([verb, *cards[::-1]])


@on_action("raise", fits=r"raise \d", runs=("frozen",))
def with_an_amount_spelt_otherwise(run: Forged, action: str) -> str:
    return action.replace("raise ", run.chance.choice(["raise 0", "raise  ", "raise +", "raise 1_"]))


@on_line("deal", exact=True)
def without_its_last_action(run: Forged, lines: list[str], at: int) -> None:
    lines[at] = re.sub(r"(, |(?<=\| ))[^,|]+$", "", lines[at])


@on_line("deal", exact=True)
def with_one_action_more(run: Forged, lines: list[str], at: int) -> None:
    lines[at] += run.chance.choice([", pass", ", play As", ", fold", ", "])


@on_line("played", runs=("evening", "moving"), exact=True)
def with_a_card_played_twice(run: Forged, lines: list[str], at: int) -> None:
    first, second = re.findall(r"play (\w\w)", lines[at])[:2]
    lines[at] = lines[at].replace(f"play {second}", f"play {first}", 1)


@on_line("played", runs=("evening", "moving"), exact=True)
def with_two_cards_exchanged(run: Forged, lines: list[str], at: int) -> None:
    first, second = re.findall(r"play (\w\w)", lines[at])[:2]
    other = {first: second, second: first}
    lines[at] = re.sub(r"play (\w\w)", lambda card: f"play {other.get(card[1], card[1])}", lines[at])


# Marks


@on_action("unmarked", fits=r"\w")
def with_a_stray_mark(run: Forged, action: str) -> str:
    return f"! {action}"


@on_action("unmarked", fits=r"\w", exact=False)
def with_a_stray_kind(run: Forged, action: str) -> str:
    return f"!{run.chance.choice(KINDS)} {action}"


@on_action("unmarked", fits=r"\w")
def with_a_stray_word(run: Forged, action: str) -> str:
    return f"!{run.chance.choice(['out', 'barred', 'lazy', '!', 'Illegal', 'shard'])} {action}"


@on_line("played", runs=("evening", "moving"), exact=True)
def with_a_mark_on_a_forced_action(run: Forged, lines: list[str], at: int) -> None:
    """Nobody is asked for the last card of a hand."""
    forced = [place for place, ask in enumerate(run.asks()) if count(ask.legal) == 1]
    head, bar, actions = lines[at].partition(" | ")
    marks = {run.chance.choice(forced): run.chance.choice(["", *KINDS])}
    lines[at] = head + bar + said(actions.split(", "), marks)


KIND = rf"!({'|'.join(KINDS)}) "


@on_action("fault", fits=KIND, exact=False)
def without_the_kind_of_its_fault(run: Forged, action: str) -> str:
    return action.partition(" ")[2]


@on_action("fault", fits=KIND)
def with_a_bare_mark_for_its_fault(run: Forged, action: str) -> str:
    return f"! {action.partition(' ')[2]}"


@on_action("fault", fits=KIND, exact=False)
def with_another_kind(run: Forged, action: str) -> str:
    kind, _, rest = action.partition(" ")
    return f"!{run.chance.choice([each for each in KINDS if each != kind[1:]])} {rest}"


@on_action("fault", fits=KIND)
def with_an_unknown_kind(run: Forged, action: str) -> str:
    return f"!{run.chance.choice(['lazy', 'out', 'barred', 'constructor'])} {action.partition(' ')[2]}"


@on_action("bare", fits="! ")
def without_a_bare_mark(run: Forged, action: str) -> str:
    return action.removeprefix("! ")


@on_action("bare", fits="! ")
def with_a_kind_for_a_bare_mark(run: Forged, action: str) -> str:
    return f"!{run.chance.choice(KINDS)} {action.removeprefix('! ')}"


@on_line("bare", exact=False)
def with_its_fault_later(run: Forged, lines: list[str], at: int) -> None:
    lines[at] = re.sub(r"!(\w+) (.*?)! ", r"\2!\1 ", lines[at], count=1)


for kind, runs in ("out", RUNS), ("barred", ("evening",)):

    @on_action(kind, fits=f"!{kind} ", runs=runs)
    def without_it(run: Forged, action: str) -> str:
        return action.partition(" ")[2]

    @on_action(kind, fits=f"!{kind} ", runs=runs)
    def with_the_other(run: Forged, action: str) -> str:
        mark, _, rest = action.partition(" ")
        return f"{'!out' if mark == '!barred' else run.chance.choice(['!barred', '!'])} {rest}"

    @on_action(kind, fits=f"!{kind} ", runs=runs, exact=False)
    def with_a_kind_for_it(run: Forged, action: str) -> str:
        return f"!{run.chance.choice(KINDS)} {action.partition(' ')[2]}"


# Faults beside the deals


def on_fault(change: Callable[[Forged, list[str]], object]) -> None:
    """Changes the words of a fault's line: "!", place, seat, phase, kind."""

    def in_line(run: Forged, lines: list[str], at: int) -> None:
        words = lines[at].split(" ")
        change(run, words)
        lines[at] = " ".join(words)

    in_line.__name__ = change.__name__
    on_line("beside")(in_line)


@on_fault
def of_an_innocent(run: Forged, words: list[str]) -> None:
    words[2] = str(run.chance.choice([seat for seat in (-1, 0, 1, 2, 3, 99) if str(seat) != words[2]]))


@on_fault
def of_another_phase(run: Forged, words: list[str]) -> None:
    words[3] = run.chance.choice([phase for phase in (*BESIDE, "play", "") if phase != words[3]])


@on_fault
def of_another_kind(run: Forged, words: list[str]) -> None:
    words[4] = run.chance.choice([kind for kind in (*KINDS, "out", "") if kind != words[4]])


@on_line("deal")
def with_a_fault_made_up(run: Forged, lines: list[str], at: int) -> None:
    place, phase = lines[at].split(" ")[0], run.chance.choice(BESIDE)
    made = f"! {place} {run.chance.randrange(3)} {phase} {run.chance.choice(KINDS)}"
    lines.insert(at + (phase == "settled"), made)


def forgotten(run: Forged, told: list[dict[str, Any]], shard: Shard, line: str) -> str:
    """A fault beside the deals leaves the log, the tail, and the results."""
    fault = run.chance.choice(told)
    place = fault["deal"].partition("/")[2]
    shard.lines.remove(line.format(place=place, **fault))
    shard.forget(fault)
    shard.rehash()
    shard.write()
    run.rewrite_results()
    return f"{shard.name}:"


@way(VERIFY)
def fault_that_left_only_its_consequences(run: Forged) -> str:
    """The sitting is still marked as forfeited."""
    shard = run.shard(lambda shard: shard.told("begin") + shard.told("constructor"))
    told = shard.told("begin") + shard.told("constructor")
    return forgotten(run, told, shard, "! {place} {seat} {phase} {kind}")


@way(VERIFY)
def memory_fault_that_left_only_its_consequences(run: Forged) -> str:
    """Its mark is one of who is out, and it is told nowhere."""
    shard, at = run.line("fault")
    while "!memory" not in shard.lines[at]:
        shard, at = run.line("fault")
    place = shard.lines[at].split(" ")[0]
    shard.lines[at] = shard.lines[at].replace("!memory ", "!out ").replace("! ", "!out ")
    for told in [each for each in shard.told() if each["deal"].endswith(f"/{place}") and each["kind"] == "memory"]:
        shard.forget(told)
    shard.rehash()
    shard.write()
    run.rewrite_results()
    return f"{shard.name}:"


@way(VERIFY)
def fault_of_another_everywhere(run: Forged) -> str:
    """But for the log: the tail, its counts, and the results agree."""
    shard = run.shard(Shard.told)
    told = run.chance.choice(shard.told())
    shard.forget(told)
    other = {**told, "entrant": (told["entrant"] + 1) % 5}
    shard.tail["told"].append(other)
    count_fault(shard.tail, other["entrant"], other["kind"], 1)
    shard.write()
    run.rewrite_results()
    return f"{shard.name}:"


def count_fault(tail: dict[str, Any], entrant: int, kind: str, more: int) -> None:
    counts = {(who, what): n for who, what, n in tail["faults"]}
    counts[entrant, kind] = counts.get((entrant, kind), 0) + more
    tail["faults"] = [[*key, n] for key, n in sorted(counts.items())]


@way(VERIFY)
def all_faults_forgotten(run: Forged) -> str:
    """In the tails and the results, and not in the log."""
    for shard in run.shards():
        shard.tail["faults"] = shard.tail["told"] = []
        shard.write()
    run.deal = shard.deal_at(0)
    run.rewrite_results()
    return f"{shard.name}:"


@way(VERIFY)
def net_that_is_the_same_everywhere(run: Forged) -> str:
    """In the log, the row and the results; the deal says otherwise."""
    shard, at = run.line("deal")
    with_another_net(run, shard.lines, at)
    shard.rehash()
    block = int(shard.lines[at].split("/")[0])
    next(row for row in shard.tail["blocks"] if row[0] == block)[6][0][0] += 1
    shard.write()
    run.rewrite_results()
    return f"{shard.name}:{at + 1}:"


# Blocks


@on_line("seats")
def with_two_sittings_exchanged(run: Forged, lines: list[str], at: int) -> None:
    starts = [n for n, line in enumerate(lines) if line.startswith("= ")] + [len(lines)]
    here = starts.index(at)
    there = run.chance.choice([n for n in range(len(starts) - 1) if n != here])
    one, other = sorted((here, there))
    parts = [lines[start:end] for start, end in zip([0, *starts], [*starts, len(lines)], strict=True)]
    parts[one + 1], parts[other + 1] = parts[other + 1], parts[one + 1]
    lines[:] = [line for part in parts for line in part]


def on_blocks(name: str, change: Callable[[list[list[Any]]], object]) -> None:
    """Changes the rows of a shard and, so that lines and rows agree, its lines with them."""

    def forge(run: Forged) -> str:
        shard = run.shard(lambda shard: len(shard.tail["blocks"]) > 2)
        both = [list(pair) for pair in zip(shard.tail["blocks"], shard.blocks(), strict=True)]
        change(both)
        shard.tail["blocks"], shard.lines = [row for row, _ in both], [line for _, lines in both for line in lines]
        shard.write()
        return f"{shard.name}:"

    add(name, forge, READING, ("evening",))


on_blocks("blocks exchanged", lambda both: both.insert(0, both.pop()))
on_blocks("first block removed", lambda both: both.pop(0))
on_blocks("block in the middle removed", lambda both: both.pop(1))
on_blocks("block doubled", lambda both: both.insert(1, both[1]))
on_blocks("one block more", lambda both: both.append(both[0]))
on_blocks("no blocks", lambda both: both.clear())


@way(Seen((0,), (0,), "repaired"), ("evening",))
def last_block_removed(run: Forged) -> str:
    """What is left is an honest shard of a shorter run."""
    shard = run.shard(lambda shard: len(shard.tail["blocks"]) > 2)
    for fault in [each for each in shard.told() if each["deal"].split("/")[1] == str(shard.tail["blocks"][-1][0])]:
        shard.forget(fault)
    gone = shard.blocks()[-1]
    del shard.lines[-len(gone) :], shard.tail["blocks"][-1]
    shard.write()
    return shard.name


# The tail


def on_tail(seen: Seen, runs: tuple[str, ...] = RUNS, rows: int = 1, exact: bool = True) -> Callable[[Any], Any]:
    """Changes the data of a tail, of so many rows at least; or returns its text.  `exact`: verify must name its line."""

    def register(change: Callable[[Forged, dict[str, Any]], str | None]) -> object:
        def forge(run: Forged) -> str:
            shard = run.shard(lambda shard: shard.told() and len(shard.tail["blocks"]) >= rows)
            shard.write(change(run, shard.tail))
            return f"{shard.name}:{len(shard.lines) + 1}:" if exact else f"{shard.name}:"

        add(f"tail: {change.__name__}", forge, seen, runs)
        return change

    return register


for text in (
    *("", "{}", "7", "null", "[]", '"text"', "NaN", "Infinity", "{", "\ufeff{}", "\\", "'blocks'"),
    *("[" * 100_000, '{"":' * 100_000, "9" * 5000, "-" * 100_000, "\0"),
):
    add(
        f"tail that is {text[:9]!r}" + f", {len(text)}" * (len(text) > 9),
        lambda run, text=text: retail(run, text),  # type: ignore[misc]
        READING,
    )


def retail(run: Forged, text: str) -> str:
    shard = run.shard()
    shard.write(text)
    return f"{shard.name}:{len(shard.lines) + 1}:"


@on_tail(READING)
def without_a_key(run: Forged, tail: dict[str, Any]) -> None:
    del tail[run.chance.choice([*tail])]


@on_tail(READING)
def with_an_unknown_key(run: Forged, tail: dict[str, Any]) -> None:
    tail["more"] = run.chance.choice([None, 0, [], {}])


@on_tail(READING)
def with_a_key_twice(run: Forged, tail: dict[str, Any]) -> str:
    key = run.chance.choice([*tail])
    return json.dumps(tail, separators=(",", ":")).replace("{", f'{{"{key}":[[0,"late",7]],', 1)


@on_tail(READING)
def with_a_key_of_another_type(run: Forged, tail: dict[str, Any]) -> None:
    tail[run.chance.choice([*tail])] = run.chance.choice([None, 7, 1.5, "text", {}, [7], [[]], [None], True])


@on_tail(READING)
def written_otherwise(run: Forged, tail: dict[str, Any]) -> str:
    separators, in_order = run.chance.choice([((", ", ": "), False), ((",", ":"), True)])
    return json.dumps(tail, separators=separators, sort_keys=in_order)


ROW = ("block", "key", "hash", "seats", "deals", "decisions", "values", "ahead")
WRONG: tuple[Any, ...] = (None, True, 1.0, "1", [1], {}, -1, 10**18 + 1, 10**400, 10**4200)  # for any number


def on_row(*fields: str, seen: Seen, runs: tuple[str, ...] = RUNS) -> Callable[[Any], Any]:
    """Changes a field of a block's row in the tail: the row, and the field's place."""

    def register(change: Callable[[Forged, list[Any], int], object]) -> object:
        for each in fields:

            def in_tail(run: Forged, tail: dict[str, Any], at: int = ROW.index(each)) -> None:
                change(run, run.chance.choice(tail["blocks"]), at)

            in_tail.__name__ = f"row's {each} {change.__name__}"
            on_tail(seen, runs, exact=each != "hash")(
                in_tail
            )  # what has changed, the hash or the lines, nobody can say
        return change

    return register


def numbers_below(thing: list[Any]) -> Iterator[tuple[list[Any], int]]:
    """Where numbers stand in lists of lists."""
    for at, each in enumerate(thing):
        if isinstance(each, list):
            yield from numbers_below(each)
        elif isinstance(each, int):
            yield thing, at


def one_number(run: Forged, row: list[Any], at: int) -> tuple[list[Any], int]:
    return run.chance.choice([*numbers_below(row[at])]) if isinstance(row[at], list) else (row, at)


@on_row("deals", "decisions", "values", seen=VERIFY)
@on_row("ahead", seen=VERIFY, runs=("evening",))
@on_row("block", "seats", seen=READING)
def is_one_more(run: Forged, row: list[Any], at: int) -> None:
    place, number = one_number(run, row, at)
    place[number] += 1


@on_row("deals", "decisions", "values", "block", "seats", seen=READING)
@on_row("ahead", seen=READING, runs=("evening",))
def has_no_number(run: Forged, row: list[Any], at: int) -> None:
    place, number = one_number(run, row, at)
    place[number] = run.chance.choice([each for each in WRONG if each != -1])


@on_row("deals", seen=READING)
def is_none_or_less(run: Forged, row: list[Any], at: int) -> None:
    row[at] = -run.chance.randrange(9)


@on_row("seats", seen=READING)
def has_entrant_99(run: Forged, row: list[Any], at: int) -> None:
    row[at][run.chance.randrange(len(row[at]))] = run.chance.choice([99, -1])


@on_row("key", "hash", seen=READING)
def has_another_digit(run: Forged, row: list[Any], at: int) -> None:
    digit = run.chance.randrange(len(row[at]))
    row[at] = (
        row[at][:digit] + run.chance.choice(sorted({*"0123456789abcdef"} - {row[at][digit]})) + row[at][digit + 1 :]
    )


@on_row("key", "hash", seen=READING)
def is_written_otherwise(run: Forged, row: list[Any], at: int) -> None:
    row[at] = run.chance.choice([f"{row[at]} ", row[at][:-1], "", f"0x{row[at]}", int(row[at], 16)])


@on_row(*ROW, seen=READING)
def is_not_there(run: Forged, row: list[Any], at: int) -> None:
    del row[at]


@on_row(*ROW, seen=READING)
def is_there_twice(run: Forged, row: list[Any], at: int) -> None:
    row.insert(at, row[at])


@on_row(*ROW, seen=READING)
def is_something_else(run: Forged, row: list[Any], at: int) -> None:
    others: tuple[Any, ...] = (None, 1.5, "text", {}, [None], [[[]]])
    row[at] = run.chance.choice([each for each in others if each != row[at]])


@on_row("seats", "values", seen=READING)
@on_row("ahead", seen=READING, runs=("evening",))
def has_a_number_more_or_less(run: Forged, row: list[Any], at: int) -> None:
    place, number = one_number(run, row, at)
    if run.chance.random() < 0.5:
        place.append(1)
    else:
        del place[number]


@on_row("values", seen=VERIFY)
def are_exchanged(run: Forged, row: list[Any], at: int) -> None:
    values = next(each for each in row[at] if len({*each}) > 1)
    low, high = values.index(min(values)), values.index(max(values))
    values[low], values[high] = values[high], values[low]


@on_tail(READING)
def with_no_deals_at_all(run: Forged, tail: dict[str, Any]) -> None:
    for row in tail["blocks"]:
        row[ROW.index("deals")] = 0


@on_tail(READING, runs=("evening",), rows=2)
def with_rows_exchanged(run: Forged, tail: dict[str, Any]) -> None:
    tail["blocks"].insert(0, tail["blocks"].pop())


@on_tail(VERIFY, runs=("evening",), rows=2)
def with_what_two_rows_came_to_exchanged(run: Forged, tail: dict[str, Any]) -> None:
    one = tail["blocks"][0]
    other = next(row for row in tail["blocks"] if row[4:] != one[4:])
    one[4:], other[4:] = other[4:], one[4:]


# Its best and worst deals


def on_extreme(seen: Seen) -> Callable[[Any], Any]:
    """Changes the row of an entrant in `best` or `worst`, of those it is one of: entrant, net, place."""

    def register(change: Callable[[Forged, list[list[Any]], int], object]) -> object:
        def in_tail(run: Forged, tail: dict[str, Any]) -> None:
            rows = tail[run.chance.choice(["best", "worst"])]
            change(run, rows, run.chance.randrange(len(rows)))

        in_tail.__name__ = f"best or worst {change.__name__}"
        on_tail(seen)(in_tail)
        return change

    return register


@on_extreme(VERIFY)
def net_is_one_more(run: Forged, rows: list[list[Any]], at: int) -> None:
    rows[at][1] += run.chance.choice([1, -1])


@on_extreme(VERIFY)
def is_in_another_deal(run: Forged, rows: list[list[Any]], at: int) -> None:
    block, sitting, deal = rows[at][2].split("/")
    rows[at][2] = run.chance.choice([f"{block}/{sitting}/{int(deal) + 1}", f"9{block}/{sitting}/{deal}"])


@on_extreme(READING)
def is_in_no_deal(run: Forged, rows: list[list[Any]], at: int) -> None:
    rows[at][2] = run.chance.choice(["1/1/end", "1/1", "x", "", "1/1/1/1", "01/1/1", 7, None, ["1/1/1"], "1/1/\u0661"])


@on_extreme(READING)
def is_of_one_more(run: Forged, rows: list[list[Any]], at: int) -> None:
    rows.append([run.chance.choice([99, -1, True, "0"]), *rows[at][1:]])


@on_extreme(READING)
def is_not_to_be_found(run: Forged, rows: list[list[Any]], at: int) -> None:
    del rows[at]


@on_extreme(READING)
def is_there_again(run: Forged, rows: list[list[Any]], at: int) -> None:
    rows.insert(at, [rows[at][0], rows[at][1] + 5, rows[at][2]])


@on_extreme(READING)
def net_is_no_number(run: Forged, rows: list[list[Any]], at: int) -> None:
    rows[at][1] = run.chance.choice([each for each in WRONG if each != -1])


@on_tail(VERIFY)
def with_best_and_worst_exchanged(run: Forged, tail: dict[str, Any]) -> None:
    tail["best"], tail["worst"] = tail["worst"], tail["best"]


@on_tail(VERIFY)
def without_the_best_and_worst_of_one(run: Forged, tail: dict[str, Any]) -> None:
    at = run.chance.randrange(len(tail["best"]))
    del tail["best"][at], tail["worst"][at]


# Its faults


@on_tail(VERIFY)
def with_a_fault_more(run: Forged, tail: dict[str, Any]) -> None:
    count_fault(tail, run.chance.choice(tail["faults"])[0], run.chance.choice(KINDS), 1)


@on_tail(VERIFY)
def with_a_fault_less(run: Forged, tail: dict[str, Any]) -> None:
    at = run.chance.randrange(len(tail["faults"]))
    tail["faults"][at][2] -= 1


@on_tail(VERIFY)
def with_the_faults_of_another(run: Forged, tail: dict[str, Any]) -> None:
    entrant, kind, n = run.chance.choice(tail["faults"])
    count_fault(tail, entrant, kind, -1)
    count_fault(tail, (entrant + 1) % 5, kind, 1)


@on_tail(VERIFY)
def without_faults(run: Forged, tail: dict[str, Any]) -> None:
    tail["faults"], tail["told"] = [], []


@on_tail(READING)
def with_faults_counted_twice(run: Forged, tail: dict[str, Any]) -> None:
    entrant, kind, n = run.chance.choice(tail["faults"])
    tail["faults"].insert(0, [entrant, kind, n + 7])


@on_tail(READING)
def with_a_fault_that_is_none(run: Forged, tail: dict[str, Any]) -> None:
    row, at = run.chance.choice(tail["faults"]), run.chance.randrange(3)
    row[at] = run.chance.choice([None, 1.5, True, "lazy", [], 99 if at == 0 else 10**30, "out", -(10**30)])


@on_tail(VERIFY)
def with_a_told_fault_missing(run: Forged, tail: dict[str, Any]) -> None:
    tail["told"].remove(run.chance.choice(tail["told"]))


@on_tail(VERIFY)
def with_a_told_fault_twice(run: Forged, tail: dict[str, Any]) -> None:
    tail["told"].insert(0, run.chance.choice(tail["told"]))


@on_tail(VERIFY, runs=("evening",))
def with_told_faults_in_another_order(run: Forged, tail: dict[str, Any]) -> None:
    tail["told"].insert(0, tail["told"].pop())


def told_with(key: str, *values: Any, seen: Seen) -> None:
    """Changes a key of a told fault."""

    def in_tail(run: Forged, tail: dict[str, Any]) -> None:
        told = run.chance.choice(tail["told"])
        told[key] = run.chance.choice([each for each in values if each != told.get(key)])

    in_tail.__name__ = f"fault told with another {key}{', which is none' * (seen is READING)}"
    on_tail(seen)(in_tail)


told_with("entrant", 0, 1, 2, 3, 4, seen=VERIFY)
told_with("entrant", 99, -1, None, True, "0", seen=READING)
told_with("deal", "nap/1/1/1", "loo/1/1/2", "draw-poker/1/1/7", "x/9/9/9", seen=VERIFY)
told_with("deal", "", "nap", "nap/1/1", 7, None, "a/b/1/1/1", "nap/01/1/1", seen=READING)
told_with("seat", 0, 1, 2, 99, -1, seen=VERIFY)
told_with("seat", None, 1.0, "1", True, seen=READING)
told_with("phase", *BESIDE, "play", "", "x" * 10_000, seen=VERIFY)
told_with("phase", None, 7, [], "\ud800", seen=READING)
told_with("action", 0, 1, 2, -5, 10**30, seen=VERIFY)
told_with("action", None, 1.0, "1", False, seen=READING)
told_with("kind", *KINDS, "lazy", "", seen=VERIFY)
told_with("kind", None, 7, "\ud800", seen=READING)
told_with("words", None, 7, ["text"], "\ud800", seen=READING)
told_with("where", None, 7, "text", [7], [None], ["\udfff"], seen=READING)
told_with("view", ["something else"], ["a", "b"], [""], seen=VERIFY)
told_with("view", None, 7, "text", [7], [[]], ["\ud800"], seen=READING)
told_with("more", 7, None, seen=READING)


# Shards as files


def on_file(change: Callable[[Forged, bytes], bytes | None]) -> None:
    """Changes the bytes of a shard."""
    add(f"shard {change.__name__}", lambda run: rewritten(run, change), READING)


def rewritten(run: Forged, change: Callable[[Forged, bytes], bytes | None]) -> str:
    shard = run.shard()
    shard.path.write_bytes(change(run, shard.path.read_bytes()) or b"")
    return f"{shard.name}:"


@on_file
def cut_off(run: Forged, data: bytes) -> bytes:
    return data[: run.chance.randrange(len(data))]


@on_file
def without_its_last_byte(run: Forged, data: bytes) -> bytes:
    return data[:-1]


@on_file
def without_a_byte(run: Forged, data: bytes) -> bytes:
    at = run.chance.randrange(len(data))
    return data[:at] + data[at + 1 :]


@on_file
def with_something_after_it(run: Forged, data: bytes) -> bytes:
    return data + run.chance.choice([b"\0", b"more", data, zstandard.compress(b""), zstandard.compress(b"# {}\n")])


@on_file
def with_something_before_it(run: Forged, data: bytes) -> bytes:
    return run.chance.choice([b"\0", zstandard.compress(b""), b"\x50\x2a\x4d\x18\x04\0\0\0skip"]) + data


@on_file
def with_a_flipped_bit(run: Forged, data: bytes) -> bytes:
    at = run.chance.randrange(20, len(data))
    return data[:at] + bytes([data[at] ^ 1 << run.chance.randrange(8)]) + data[at + 1 :]


@on_file
def that_is_empty(run: Forged, data: bytes) -> None:
    return None


@on_file
def that_unpacks_to_nothing(run: Forged, data: bytes) -> bytes:
    return zstandard.compress(b"")


@on_file
def that_is_not_packed(run: Forged, data: bytes) -> bytes:
    return zstandard.decompress(data)


@on_file
def that_is_no_text(run: Forged, data: bytes) -> bytes:
    text = zstandard.decompress(data)
    return zstandard.compress(
        text.replace(b"play" if b"play" in text else b"fold", run.chance.choice([b"\xff", b"\xc3"]))
    )


@on_file
def that_does_not_say_how_long_it_is(run: Forged, data: bytes) -> bytes:
    return zstandard.ZstdCompressor(write_content_size=False).compress(zstandard.decompress(data))


@on_file
def with_two_tails(run: Forged, data: bytes) -> bytes:
    text = zstandard.decompress(data)
    return zstandard.compress(text + text.splitlines(keepends=True)[-1])


@on_file
def without_a_tail(run: Forged, data: bytes) -> bytes:
    return zstandard.compress(b"".join(zstandard.decompress(data).splitlines(keepends=True)[:-1]))


@on_file
def with_its_tail_alone(run: Forged, data: bytes) -> bytes:
    return zstandard.compress(zstandard.decompress(data).splitlines(keepends=True)[-1])


BOMBS = {
    "says what it is": rle(1 << 35, 1 << 18),
    "says that it is little": rle(100, 1 << 15),
    "says that it is little, and is cut": rle(100, 1 << 18)[:-1],
    "says that it is less, and is cut": rle(1 << 29, 1 << 18)[:-1],
    "is as long as may be": rle(1 << 30, 1 << 13),
    "says that it is longer": rle(1 << 30, 1),
    "says nothing": zstandard.ZstdCompressor(write_content_size=False).compress(bytes(1 << 28)),
}
for words, bomb in BOMBS.items():
    add(
        f"bomb that {words}",
        lambda run, bomb=bomb: rewritten(run, lambda run, data: bomb),  # type: ignore[misc]
        READING,
        apart=True,
    )


def on_place(what: str) -> None:
    """Something else stands where a shard is to be."""

    def forge(run: Forged) -> str:
        shard = run.shard()
        run.put(shard.path, what)
        return f"{shard.name}:"

    add(f"shard that is a {what}", forge, READING, apart=True)


for each in "fifo", "folder", "link", "device", "nowhere":
    on_place(each)


@way(READING, apart=True)
def shard_of_a_terabyte(run: Forged) -> str:
    shard = run.shard()
    with open(shard.path, "r+b") as file:
        file.truncate(1 << 40)
    return f"{shard.name}:"


@way(Seen((0, 65), (65,), ""), ("moving", "frozen"), apart=True)
def shard_of_a_far_block(run: Forged) -> str:
    """To find out who sits there takes as long as to lay out all blocks before it."""
    shard = run.shard()
    run.edit_run(lambda data: game_of(run, data).update(blocks=10**12))
    shard.path.rename(shard.path.with_name(f"{10**11 + 1}.zst"))
    return "log/"


@way(READING)
def two_shards_exchanged(run: Forged) -> str:
    one, other, *_ = run.chance.sample([each for each in run.shards() if each.entry == run.shards()[0].entry], 2)
    one.path.write_bytes(zstandard.compress(other.before.encode()))
    other.path.write_bytes(zstandard.compress(one.before.encode()))
    run.deal = one.deal_at(0)
    return f"{run.chance.choice([one, other]).name}:"


@way(READING, ("evening",))
def shards_of_two_games_exchanged(run: Forged) -> str:
    one, other = (next(each for each in run.shards() if each.entry == entry) for entry in ("nap", "loo"))
    one.path.write_bytes(zstandard.compress(other.before.encode()))
    other.path.write_bytes(zstandard.compress(one.before.encode()))
    run.deal = one.deal_at(0)
    return f"{run.chance.choice([one, other]).name}:"


@way(READING)
def two_shards_that_say_the_same(run: Forged) -> str:
    shards = run.shards()
    one, other = run.chance.sample([each for each in shards if each.entry == shards[-1].entry], 2)
    shutil.copy(one.path, other.path)
    run.deal = other.deal_at(0)
    return f"{other.name}:"


def of_another(what: str) -> None:
    def forge(run: Forged) -> str:
        shard = run.shard()
        shutil.copy(run.other(what) / shard.path.relative_to(run.run), shard.path)
        return f"{shard.name}:"

    add(f"shard of a run with another {what}", forge, READING, ("moving",))


for each in OTHERS:
    of_another(each)


# What is missing, and what is too much


@way(MISSING)
def shard_missing(run: Forged) -> str:
    run.shard().path.unlink()
    return "standings.json"


@way(MISSING, ("moving", "frozen"))
def log_missing(run: Forged) -> str:
    run.shard()
    shutil.rmtree(run.run / "log")
    return "standings.json"


@way(Seen((0,), (65,), "found"))
def shard_under_another_name(run: Forged) -> str:
    path = run.shard().path
    path.rename(path.with_name(run.chance.choice(["0000000.zst", "9999999.zst", f"{path.stem}.ZST", path.stem])))
    return "log/"


@way(Seen((0,), (65,), "refused"))
def log_that_is_a_file(run: Forged) -> str:
    run.shard()
    shutil.rmtree(run.run / "log")
    (run.run / "log").write_text("")
    return "standings.json"


@way(Seen((0,), (65,), "refused"))
def game_that_is_a_file(run: Forged) -> str:
    folder = run.shard().path.parent
    shutil.rmtree(folder)
    folder.write_text("")
    return f"log/{folder.name}"


NAMES = ("1.zst", "\u0660" * 6 + "\u0661.zst", "0000009.zst", "0000001.zst.bak", "-000001.zst", "+000001.zst", "notes")
HIDDEN = (".0000001.zst", "0000001", "00000001.zst", "0000001.ZST", "1e6.zst", " 0000001.zst", "0000001\n.zst", ".zst")


def on_stranger(name: str, place: str, put: Callable[[Path], object]) -> None:
    def forge(run: Forged) -> str:
        shard = run.shard()
        path = run.run / "log" / name if place == "log" else shard.path.with_name(name)
        put(path)
        return path.name.split("\n")[0]

    add(f"stranger {put.__name__} {name!r} under {place}", forge, FOREIGN)


def file(path: Path) -> None:
    path.write_text("")


def copy(path: Path) -> None:
    shutil.copy(next(iter(path.parent.glob("0*.zst"))), path)


def folder(path: Path) -> None:
    path.mkdir()


def link(path: Path) -> None:
    path.symlink_to("/dev/zero")


for each in (*NAMES, *HIDDEN):
    on_stranger(each, "a game", copy)
for put in file, folder, link:
    for place in "log", "a game":
        on_stranger("stranger.zst", place, put)


# run.toml


def game_of(run: Forged, data: dict[str, Any]) -> dict[str, Any]:
    """The game of the deal at hand."""
    found: dict[str, Any] = next(each for each in data["games"] if each["name"] == run.deal.partition("/")[0])
    return found


def seated(run: Forged) -> int:
    """Somebody who sits in its block."""
    here = next(shard for shard in run.shards() if shard.deal_at(0) == run.deal)
    return int(here.tail["blocks"][0][3][0])


def on_run(
    seen: Seen, names: str = "run.toml", runs: tuple[str, ...] = RUNS
) -> Callable[[Callable[[Forged, Any], object]], None]:
    """Changes the data of run.toml."""

    def register(change: Callable[[Forged, dict[str, Any]], object]) -> None:
        def forge(run: Forged) -> str:
            run.shard()
            run.edit_run(lambda data: change(run, data))
            return names

        add(f"run.toml: {change.__name__}", forge, seen, runs)

    return register


def levels(data: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The tables of run.toml; what stands in options and parameters is their own affair."""
    game = data["games"][-1]
    return {"top": data, "limits": data["limits"], "game": game, "strategy": game["strategies"][-1]}


OTHER_VALUES: tuple[Any, ...] = (-1, 10**30, 1.5, float("nan"), "", "x", [], {}, [[]], True)


def of_each_key() -> None:
    """At every level: a key that nobody reads, and each key missing, or of another type."""
    keys = {
        "top": ("schema", "roundsim", "name", "format", "seed", "limits", "games"),
        "limits": ("seconds", "memory", "on_fault", "faults_allowed"),
        "game": ("name", "game", "rules", "options", "strategies", "blocks", "sitting", "players"),
        "strategy": ("name", "parameters", "sha256"),
    }
    for level, known in keys.items():

        def unread(run: Forged, data: dict[str, Any], level: str = level) -> None:
            levels(data)[level][run.chance.choice(["more", "seeds", "Seed", ""])] = run.chance.choice([1, "x", [], {}])

        unread.__name__ = f"unread key, {level}"
        on_run(READING)(unread)
        for key in known:
            runs = ("evening",) if key in ("sitting", "players") else RUNS

            def without(run: Forged, data: dict[str, Any], level: str = level, key: str = key) -> None:
                del levels(data)[level][key]

            def mistyped(run: Forged, data: dict[str, Any], level: str = level, key: str = key) -> None:
                table = levels(data)[level]
                table[key] = run.chance.choice([each for each in OTHER_VALUES if type(each) is not type(table[key])])

            without.__name__, mistyped.__name__ = f"without {level} {key}", f"{level} {key} of another type"
            on_run(READING, runs=runs)(without)
            on_run(READING, runs=runs)(mistyped)


of_each_key()
KEYED = "with other seats, seed, limits, rules, options or strategies"


@on_run(READING, names=KEYED)
def with_another_seed(run: Forged, data: dict[str, Any]) -> None:
    data["seed"] = run.chance.choice([data["seed"] + 1, -1, 0, 10**4000])


@on_run(READING, names=KEYED)
def with_another_limit(run: Forged, data: dict[str, Any]) -> None:
    key = run.chance.choice(["seconds", "memory"])
    data["limits"][key] *= 2


@on_run(READING, names=KEYED)
def that_aborts(run: Forged, data: dict[str, Any]) -> None:
    data["limits"]["on_fault"] = "abort"


@on_run(RESULTS_ONLY, names="standings.json")
def with_other_faults_allowed(run: Forged, data: dict[str, Any]) -> None:
    data["limits"]["faults_allowed"] = 99


@on_run(RESULTS_ONLY, names="standings.json")
def with_another_name(run: Forged, data: dict[str, Any]) -> None:
    data["name"] = "other"


@on_run(FOREIGN)
def of_another_version(run: Forged, data: dict[str, Any]) -> None:
    data["roundsim"] = run.chance.choice(["0.0.1", "", "x" * 10_000])


@way(FOREIGN)
def shards_of_another_version(run: Forged) -> str:
    for shard in run.shards():
        shard.tail["roundsim"] = "0.0.1"
        shard.write()
    run.shard()
    return "run.toml"


@on_run(READING)
def with_an_odd_name(run: Forged, data: dict[str, Any]) -> None:
    where = run.chance.choice([data, data["games"][0]])
    where["name"] = run.chance.choice(["..", ".", "", "a/b", "../../x", "/etc", "a\\b", "a\nb", "a\0b", "..."])


@on_run(Seen((0,), (65,), "refused"), names="nothing of this run")
def with_a_long_name(run: Forged, data: dict[str, Any]) -> None:
    data["games"][0]["name"] = "x" * 300


@on_run(READING)
def with_a_game_twice(run: Forged, data: dict[str, Any]) -> None:
    data["games"].append(data["games"][0])


@on_run(READING)
def with_no_games(run: Forged, data: dict[str, Any]) -> None:
    data["games"] = []


@on_run(READING)
def with_another_game(run: Forged, data: dict[str, Any]) -> None:
    data["games"][0]["game"] = run.chance.choice(["whist", "", "../nap", "nap.py", "x/y.py:Z", "__init__", "nap\n"])


@on_run(READING)
def with_a_game_from_outside(run: Forged, data: dict[str, Any]) -> None:
    source = run.chance.choice([{}, {"module": 7, "sha256": ""}, {"sha256": ""}, {"module": "x.py:X"}])
    data["games"][0].update(game="outside", source=source)


@on_run(READING)
def with_other_rules(run: Forged, data: dict[str, Any]) -> None:
    data["games"][0]["rules"] += run.chance.choice([1, -1, 10**30])


@on_run(READING)
def with_an_unknown_option(run: Forged, data: dict[str, Any]) -> None:
    data["games"][0]["options"][run.chance.choice(["more", ""])] = True


@on_run(READING, names=KEYED)
def with_another_option(run: Forged, data: dict[str, Any]) -> None:
    other = {"nap": {"misery": False}, "loo": {"deal_stake": 5}, "draw-poker": {"jack_ante": 1}}
    game = game_of(run, data)
    game["options"].update(other[game["game"]])


@on_run(READING, names=KEYED)
def with_an_option_more(run: Forged, data: dict[str, Any]) -> None:
    """One that is usual: it changes nothing, and is another run all the same."""
    more = {"nap": {"stake": 1}, "loo": {"club_law": False}, "draw-poker": {"straddle": True}}
    game = game_of(run, data)
    game["options"].update(more[game["game"]])


@on_run(READING, names=KEYED, runs=("evening",))
def with_an_option_less(run: Forged, data: dict[str, Any]) -> None:
    game_of(run, data)["options"].popitem()


@on_run(READING, runs=("evening",))
def with_an_option_of_another_type(run: Forged, data: dict[str, Any]) -> None:
    data["games"][0]["options"]["misery"] = run.chance.choice([1, "true", [], {}, 0.5])


@on_run(READING, names=KEYED)
def with_another_strategy(run: Forged, data: dict[str, Any]) -> None:
    strategy = game_of(run, data)["strategies"][seated(run)]
    key = run.chance.choice(["name", "sha256"])
    strategy[key] = run.chance.choice(["", "x", "\n", " | ", strategy[key] + " "])


@on_run(READING, names=KEYED)
def with_another_parameter(run: Forged, data: dict[str, Any]) -> None:
    strategy = game_of(run, data)["strategies"][seated(run)]
    strategy["parameters"]["more"] = run.chance.choice([0, "x", [], {"deep": [[[]]]}, float("nan"), 10**4000])


@on_run(READING)
def with_a_date(run: Forged, data: dict[str, Any]) -> None:
    where = run.chance.choice([data["games"][0]["options"], data["games"][0]["strategies"][0]["parameters"]])
    where["when"] = run.chance.choice([tomllib_date(), [tomllib_date()], {"deep": tomllib_date()}])


def tomllib_date() -> Any:
    import datetime

    return datetime.date(1891, 1, 1)


@on_run(READING, names=KEYED)
def with_two_strategies_exchanged(run: Forged, data: dict[str, Any]) -> None:
    strategies = game_of(run, data)["strategies"]
    strategies.insert(0, strategies.pop())


@on_run(READING, names="log/")
def with_a_strategy_more(run: Forged, data: dict[str, Any]) -> None:
    for game in data["games"]:
        game["strategies"].append(game["strategies"][0])


@on_run(READING)
def without_strategies(run: Forged, data: dict[str, Any]) -> None:
    data["games"][0]["strategies"] = []


@on_run(Seen((0, 65), (0, 65), "refused"), names="log/")
def with_one_that_imagines(run: Forged, data: dict[str, Any]) -> None:
    for strategy in [each for game in data["games"] for each in game["strategies"]]:
        strategy.pop("imagines", None)


@on_run(Seen((0, 65), (0, 65), "refused"), names="log/")
def with_other_settings(run: Forged, data: dict[str, Any]) -> None:
    settings = {"stack", "max_deals", "rounds", "stake", "players", "sitting"}
    for key in settings & data["games"][0].keys():
        data["games"][0][key] += 1


@on_run(READING)
def with_settings_out_of_bounds(run: Forged, data: dict[str, Any]) -> None:
    settings = {"stack", "max_seats", "max_deals", "rounds", "stake", "players", "sitting"}
    key = run.chance.choice(sorted(settings & data["games"][0].keys()))
    data["games"][0][key] = run.chance.choice([-1, 0, 10**22])


@on_run(READING)
def of_another_format(run: Forged, data: dict[str, Any]) -> None:
    others = [each for each in ("round-robin", "freeze-out", "progressive", "none", "") if each != data["format"]]
    data["format"] = run.chance.choice(others)


@on_run(Seen((0, 65), (0, 65), "repaired"), names="log/")
def with_fewer_blocks(run: Forged, data: dict[str, Any]) -> None:
    data["games"][-1]["blocks"] -= 1


@on_run(Seen((0,), (0,), ""), names="standings.json")
def with_more_blocks(run: Forged, data: dict[str, Any]) -> None:
    """It is then an unfinished longer run, and goes on as such; but for its results."""
    data["games"][-1]["blocks"] += run.chance.choice([100, 10**11])


@on_run(READING)
def with_blocks_out_of_bounds(run: Forged, data: dict[str, Any]) -> None:
    data["games"][-1]["blocks"] = run.chance.choice([10**22, 0, -1, 10**12 + 1])


RUN_TEXTS = {
    "empty": b"",
    "nonsense": b"nonsense",
    "no text": b"\xff\xfe",
    "deep": b"x = " + b"[" * 20_000,
    "deep tables": b"x = " + b"{x=" * 20_000,
    "deep keys": b".".join([b"x"] * 20_000) + b" = 1",
    "a huge number": b"schema = 2\nseed = " + b"9" * 5000,
    "half": b"",
    "nul": b"\0",
}
for words, data in RUN_TEXTS.items():

    def run_text(run: Forged, words: str = words, data: bytes = data) -> str:
        run.shard()
        path = run.run / "run.toml"
        before = path.read_bytes()
        path.write_bytes(before[: len(before) // 2] if words == "half" else data)
        return "run.toml"

    add(f"run.toml that is {words}", run_text, READING)


@way(READING)
def parameters_that_are_deep(run: Forged) -> str:
    run.shard()
    path = run.run / "run.toml"
    depth = run.chance.choice([90, 200, 400])
    path.write_text(path.read_text() + f"deep = {'[' * depth}{']' * depth}\n")
    return "run"


for each in "fifo", "folder", "link", "device":

    def run_place(run: Forged, what: str = each) -> str:
        run.shard()
        run.put(run.run / "run.toml", what)
        return "run.toml"

    add(f"run.toml that is a {each}", run_place, READING, apart=True)


# Results


def on_result(name: str, change: Callable[[Forged, bytes], bytes]) -> None:
    def forge(run: Forged) -> str:
        run.shard()
        path = run.run / name
        before = path.read_bytes()
        path.write_bytes(change(run, before))
        assert path.read_bytes() != before
        return name

    add(f"{name} {change.__name__}", forge, RESULTS_ONLY)


def with_another_number(run: Forged, data: bytes) -> bytes:
    at = run.chance.choice([at for at, byte in enumerate(data) if chr(byte).isdecimal()])
    other = run.chance.choice(sorted({*b"0123456789"} - {data[at]}))
    return data[:at] + bytes([other]) + data[at + 1 :]


def with_another_word(run: Forged, data: bytes) -> bytes:
    at = run.chance.choice([at for at, byte in enumerate(data) if chr(byte).isalpha()])
    return data[:at] + b"x" + data[at + 1 :] if data[at : at + 1] != b"x" else data[:at] + b"y" + data[at + 1 :]


def without_its_end(run: Forged, data: bytes) -> bytes:
    return data[: run.chance.randrange(len(data))]


def with_more(run: Forged, data: bytes) -> bytes:
    return data + run.chance.choice([b"\n", b" ", b"\0", b"\xff", data])


def with_two_lines_exchanged(run: Forged, data: bytes) -> bytes:
    lines = data.splitlines(keepends=True)
    at = next(at for at in range(len(lines) // 2, len(lines)) if lines[at] != lines[at - 1])
    lines[at - 1], lines[at] = lines[at], lines[at - 1]
    return b"".join(lines)


for name in RESULTS:
    for change in with_another_number, with_another_word, without_its_end, with_more, with_two_lines_exchanged:
        on_result(name, change)

    def removed_result(run: Forged, name: str = name) -> str:
        run.shard()
        (run.run / name).unlink()
        return name

    add(f"{name} missing", removed_result, RESULTS_ONLY)


for each in "fifo", "folder", "link", "device", "nowhere":

    def result_place(run: Forged, what: str = each) -> str:
        run.shard()
        name = run.chance.choice(RESULTS)
        run.put(run.run / name, what)
        return name

    add(f"results: one that is a {each}", result_place, Seen((0,), (0,), "found"), apart=True)


# The trial

QUICK = (
    "deal line: with another net (rehashed)",
    "deal line: removed",
    "beside line: of an innocent (rehashed)",
    "fault that left only its consequences",
    "tail: row's values is one more",
    "tail: fault told with another seat",
    "shard with a flipped bit",
    "two shards exchanged",
    "shard missing",
    "stranger copy '1.zst' under a game",
    "run.toml: with another seed",
    "standings.json with another number",
)


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Plays each run once, when it is first asked for.  Not to be changed: copy it."""
    kept: dict[tuple[str, ...], Path] = {}

    def run_of(name: str, what: str = "") -> Path:
        if (name, what) not in kept:
            kept[name, what] = play(tmp_path_factory.mktemp(name), name, OTHERS[what] if what else ("", ""))
        return kept[name, what]

    return run_of


def cases() -> list[Any]:
    """Each way with one of the seeds, and so in one of the runs; with all where FORGERIES is set, half an hour long."""
    found = []
    for number, name in enumerate(WAYS):
        quick = name in QUICK
        for seed in SEEDS if "FORGERIES" in os.environ else [0 if quick else number % len(SEEDS)]:
            found.append(pytest.param(name, seed, marks=() if quick else pytest.mark.soak, id=f"{name}-{seed}"))
    return found


def in_processes(*words: object) -> Outcome:
    """Calls the command line in the current folder, in a process that can neither hang nor take all memory."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    done = subprocess.run(
        command(*words), env=environment(), capture_output=True, text=True, timeout=PATIENCE, preexec_fn=limit
    )
    assert "Traceback" not in done.stdout + done.stderr, done.stderr
    return Outcome(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize(("name", "seed"), cases())
def test_a_forgery_is_found(shell: Shell, tmp_path: Path, played: Callable[..., Path], name: str, seed: int) -> None:
    way = WAYS[name]
    base = way.runs[seed % len(way.runs)]
    home = played(base)
    shutil.copytree(home.parent, tmp_path, dirs_exist_ok=True)
    run = Forged(tmp_path / "run", Random(f"{name}/{seed}"), lambda what: played(base, what))
    place = way.forge(run)
    call = in_processes if way.apart else shell
    must_find(call, place)
    for codes, *words in (
        (way.seen.reading, "standings", "run"),
        (way.seen.reading, "log", "run"),
        (way.seen.replay, "replay", f"run:{run.deal}"),
    ):
        done = call(*words)
        assert done.code in codes, (words, done)
    if way.seen.going_on:
        before = stamps(run.run)
        done = call("run", f"{base}.toml", "--jobs", 1, "--out", "run")
        if way.seen.going_on == "refused":
            assert done.code in (65, 73) and done.err, done
            assert stamps(run.run) == before
        elif way.seen.going_on == "repaired":
            assert done.code == 2, done
            assert_same(home, run.run)
        else:
            assert done.code in (0, 2, 65, 73), done
            if contents(run.run) != contents(home):
                must_find(call, place)


def must_find(call: Shell, place: str) -> None:
    done = call("verify", "run")
    assert done.code == 1 and place in done.err, (place, done)


def test_each_run_is_honest(shell: Shell, tmp_path: Path, played: Callable[..., Path]) -> None:
    """And has what is to be forged in it."""
    for base in ("moving",):
        assert shell("verify", played(base)).code == 0


# What nobody can see


def other_words(run: Forged) -> None:
    """What the exception of a strategy said, and where it was raised."""
    shard = run.shard(Shard.told)
    told = run.chance.choice(shard.told())
    told["words"], told["where"] = "something else", ["elsewhere.py:1 in act"]
    shard.write()
    run.rewrite_results()


def a_fault_without_consequences(run: Forged) -> None:
    """Forgotten everywhere: who writes his own run may leave out that he failed when a deal was over, or when the answer
    that he forfeited was the first legal one all the same."""
    shard = run.shard(lambda shard: shard.told("settled"))
    forgotten(run, shard.told("settled"), shard, "! {place} {seat} {phase} {kind}")


def a_remark(run: Forged) -> None:
    """In run.toml, of which the data are read."""
    with open(run.run / "run.toml", "a") as file:
        file.write("# a remark\n")


def the_time_it_took(run: Forged) -> None:
    (run.run / "timing.json").write_text("{}")


def another_file(run: Forged) -> None:
    """Beside the log: notes of one's own."""
    (run.run / "notes.txt").write_text("it was a long evening")


@pytest.mark.soak
@pytest.mark.parametrize("forge", [other_words, a_fault_without_consequences, a_remark, the_time_it_took, another_file])
def test_what_nobody_can_see(
    shell: Shell, tmp_path: Path, played: Callable[..., Path], forge: Callable[[Forged], object]
) -> None:
    shutil.copytree(played("moving").parent, tmp_path, dirs_exist_ok=True)
    forge(Forged(tmp_path / "run", Random(forge.__name__), played))
    assert shell("verify", "run").code == 0
