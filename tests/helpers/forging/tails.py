"""Ways to forge the tail of a shard: the rows of its blocks, best and worst deals, faults; and the blocks with it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from helpers.forging import READING, RUNS, VERIFY, Forged, Seen, Shard, Ways, always
from helpers.shard_text import compact, index_of

from roundsim.tournament.formats.shadow import NUMBERS
from roundsim.tournament.results.record import KINDS, PHASES_OUTSIDE_DEALS
from roundsim.tournament.results.totals import BlockRecord
from roundsim.tournament.storage.shards import index_in

WAYS = Ways()
EVENING = ("evening",)
Tail = dict[str, Any]
BY_DEAL = ("ahead", "from_dealer", "squares")
ROW = ("block", "seats", "deals", "decisions", "values", *BY_DEAL)
HUGE = 10**18 + 1, -(10**18) - 1, 10**400, 10**4200  # a run can hold none of them
NO_NUMBER: tuple[Any, ...] = (None, True, 1.0, "1", [1], {}, *HUGE)


def on_tail(name: str, change: Callable[[Random, Tail], object], seen: Seen, runs: tuple[str, ...] = RUNS) -> None:
    """Changes the data of a tail with faults, or (a text is returned) writes it so."""

    def forge(run: Forged) -> str:
        shard = run.shard(lambda shard: shard.tail["fault_reports"])
        text = change(run.chance, shard.tail)
        shard.write(text if isinstance(text, str) else None)
        return f"{shard.name}:"

    WAYS.put(f"tail {name}", forge, seen, runs)


def other(chance: Random, values: Any, old: Any) -> Any:
    """Another value than it was."""
    return chance.choice([value for value in values if compact(value) != compact(old)])


def set_to(chance: Random, place: Any, at: Any, *values: Any) -> None:
    place[at] = other(chance, values, place[at])


TEXTS = ("", "{}", "7", "null", "[]", '"text"', "NaN", "Infinity", "{", "\ufeff{}", "\\", "'blocks'", "\0")
LONG = {"brackets": "[" * 100_000, "braces": '{"":' * 100_000, "digits": "9" * 5000, "signs": "-" * 100_000}
for name, text in {**dict(zip(map(repr, TEXTS), TEXTS, strict=True)), **LONG}.items():
    on_tail(f"that is {name}", always(text), READING)

ANYTHING: tuple[Any, ...] = (None, 7, 1.5, "text", {}, [7], [[]], [None], True)
on_tail("without a key", lambda chance, tail: tail.pop(chance.choice([*tail])), READING)
on_tail("with an unknown key", lambda chance, tail: tail.update(more=chance.choice(ANYTHING)), READING)
on_tail("with a key retyped", lambda chance, tail: set_to(chance, tail, chance.choice([*tail]), *ANYTHING), READING)


def key_twice(chance: Random, tail: Tail) -> str:
    return compact(tail).replace("{", f'{{"{chance.choice([*tail])}":[],', 1)


def blanks(chance: Random, tail: Tail) -> str:
    return json.dumps(tail).replace(json.dumps(tail["pieces"]), compact(tail["pieces"]))


on_tail("with a key twice", key_twice, VERIFY)
on_tail("with blanks", blanks, VERIFY)
on_tail("in another order", lambda chance, tail: compact(dict(sorted(tail.items()))), VERIFY)


def on_row(name: str, change: Callable[[Random, list[Any], int], object], seen: Seen, *fields: str) -> None:
    """Changes a field of a row: the row, and the field's place."""
    for field in fields:

        def forge(run: Forged, at: int = ROW.index(field)) -> str:
            shard = run.shard(lambda shard: shard.tail["fault_reports"])
            change(run.chance, run.chance.choice(shard.rows), at)
            shard.write()
            return f"{shard.name}:"

        WAYS.put(f"row's {field} {name}", forge, seen, EVENING if field in BY_DEAL else RUNS)


def on_rows(name: str, change: Callable[[list[Any]], object], seen: Seen) -> None:
    def forge(run: Forged) -> str:
        shard = run.shard(lambda shard: len(shard.rows) > 1)
        change(shard.rows)
        shard.write()
        return f"{shard.name}:"

    WAYS.put(f"tail {name}", forge, seen, EVENING)


def numbers_in(thing: list[Any]) -> Iterator[tuple[list[Any], int]]:
    """The places of numbers in lists of lists."""
    for at, each in enumerate(thing):
        if isinstance(each, list):
            yield from numbers_in(each)
        else:
            yield thing, at


def number(chance: Random, row: list[Any], at: int) -> tuple[list[Any], int]:
    """A number of a field."""
    return chance.choice([*numbers_in(row[at])]) if isinstance(row[at], list) else (row, at)


def one_more(chance: Random, row: list[Any], at: int) -> None:
    place, n = number(chance, row, at)
    place[n] += 1


def numbers_more_or_less(chance: Random, row: list[Any], at: int) -> None:
    place, n = number(chance, row, at)
    place.insert(n, 1) if chance.random() < 0.5 else place.pop(n)


def exchanged(chance: Random, row: list[Any], at: int) -> None:
    values = next(each for each in row[at] if len({*each}) > 1)
    low, high = values.index(min(values)), values.index(max(values))
    values[low], values[high] = values[high], values[low]


on_row("one more", one_more, VERIFY, "decisions", "values", "deals", *BY_DEAL)
on_row("that is nothing", lambda chance, row, at: set_to(chance, row, at, 0, -1, -9), READING, "deals")
on_row("of entrant 99", lambda chance, row, at: set_to(chance, row[at], 0, 99, -1), READING, "seats")
on_row("exchanged", exchanged, VERIFY, "values")
on_row("reversed", lambda chance, row, at: row[at].reverse(), VERIFY, "seats")


def on_index(run: str, field: str, step: int, at: int, *values: int) -> None:
    """Changes a number that is used as an index: every `step`-th of a field, from `at` on."""

    def forge(run: Forged) -> str:
        shard = run.shard()
        numbers = run.chance.choice(shard.rows)[BlockRecord._fields.index(field)]
        numbers = numbers[0] if field == "values" else numbers
        set_to(run.chance, numbers, run.chance.randrange(at, len(numbers), step), *values)
        shard.write()
        return f"{shard.name}:"

    WAYS.put(f"row's {field} {at} of {step} that there is not in {run}", forge, READING, (run,))


for place, values in enumerate([(-1, 2**40), (-1, -(2**63)), (-1, 99)]):  # the deal, the action, the phase
    on_index("shadow", "extra", NUMBERS, place, *values)
on_index("frozen", "values", 1, 0, -1, 1, 99, 2**62)  # twice a place
on_index("evening", "ahead", 1, 0, -1, 10**6)
on_row("more than its lines", lambda chance, row, at: set_to(chance, row, at, 10**6, 10**18), READING, "deals")


@WAYS.way(READING)
def rows_that_are_no_frame(run: Forged) -> str:
    shard = run.shard()
    with shard.path.open("rb") as file:
        head, rows, _ = index_in(file)
        frames = file.read()
    bad = run.chance.choice([b"", b"xx", b"\x28\xb5\x2f\xfd", rows[:-1], rows + b"\0"])
    shard.path.write_bytes(index_of(head, bad) + frames)
    return f"{shard.name}:"


def no_deals(rows: list[Any]) -> None:
    for row in rows:
        row[ROW.index("deals")] = 0


def exchange_results(rows: list[Any]) -> None:
    one = rows[0]
    there = next(row for row in rows if row[2:] != one[2:])
    one[2:], there[2:] = there[2:], one[2:]


on_rows("without deals", no_deals, READING)
on_rows("without a row", list.pop, READING)
on_rows("with a row twice", lambda rows: rows.append(rows[0]), READING)
on_rows("with rows exchanged", lambda rows: rows.insert(0, rows.pop()), VERIFY)
on_rows("with the results of two rows exchanged", exchange_results, VERIFY)


def on_blocks(name: str, change: Callable[[list[tuple[Any, list[str]]]], object], seen: Seen = READING) -> None:
    def forge(run: Forged) -> str:
        shard = run.shard(lambda shard: len(shard.rows) > 2)
        both = [*zip(shard.rows, shard.blocks(), strict=True)]
        change(both)
        shard.rows, shard.lines = [row for row, _ in both], [line for _, lines in both for line in lines]
        shard.write()
        return f"{shard.name}:"

    WAYS.put(name, forge, seen, EVENING)


on_blocks("blocks exchanged", lambda both: both.insert(0, both.pop()), VERIFY)
on_blocks("first block removed", lambda both: both.pop(0))
on_blocks("block in the middle removed", lambda both: both.pop(1))
on_blocks("block doubled", lambda both: both.insert(1, both[1]))
on_blocks("block too many", lambda both: both.append(both[0]))
on_blocks("no blocks", lambda both: both.clear())


@WAYS.way(READING, EVENING)
def last_block_removed(run: Forged) -> str:
    """The key is of all blocks."""
    shard = run.shard(lambda shard: len(shard.rows) > 2)
    del shard.lines[-len(shard.blocks()[-1]) :], shard.rows[-1]
    shard.tail["blocks"][1] -= 1
    shard.write()
    return f"{shard.name}:"


def on_extreme(name: str, change: Callable[[Random, list[list[Any]], int], object], seen: Seen) -> None:
    """Changes the row of an entrant, of those in `best` or `worst`: entrant, net, place."""

    def in_tail(chance: Random, tail: Tail) -> None:
        rows = tail[chance.choice(["best", "worst"])]
        change(chance, rows, chance.randrange(len(rows)))

    on_tail(f"best or worst {name}", in_tail, seen)


def in_both(tail: Tail, change: Callable[[list[Any]], object]) -> None:
    change(tail["best"])
    change(tail["worst"])


NO_PLACE = ("1/1/end", "1/1", "x", "", "1/1/1/1", "01/1/1", 7, None, ["1/1/1"], "1/1/\u0661")
on_extreme("one more", lambda chance, rows, at: set_to(chance, rows[at], 1, rows[at][1] + 1, rows[at][1] - 1), VERIFY)
on_extreme("in another deal", lambda chance, rows, at: set_to(chance, rows[at], 2, "9/9/9", f"{rows[at][2]}9"), VERIFY)
on_extreme("in no deal", lambda chance, rows, at: set_to(chance, rows[at], 2, *NO_PLACE), READING)
on_extreme("that is none", lambda chance, rows, at: set_to(chance, rows[at], 1, *NO_NUMBER), READING)
on_extreme("of nobody", lambda chance, rows, at: rows.append([chance.choice([99, -1, True]), 7, "1/1/1"]), READING)
on_extreme("missing", lambda chance, rows, at: rows.pop(at), READING)
on_extreme("twice", lambda chance, rows, at: rows.insert(at, [rows[at][0], 7, "1/1/1"]), VERIFY)
on_tail("without best and worst of one", lambda chance, tail: in_both(tail, list.pop), VERIFY)
on_tail("with best for worst", lambda chance, tail: tail.update(best=tail["worst"], worst=tail["best"]), VERIFY)


def on_faults(name: str, change: Callable[[Random, Shard, list[Any]], object]) -> None:
    """Changes how many faults of a kind an entrant made."""

    def forge(run: Forged) -> str:
        shard = run.shard(lambda shard: shard.tail["faults"])
        change(run.chance, shard, run.chance.choice(shard.tail["faults"]))
        shard.write()
        return f"{shard.name}:"

    WAYS.put(f"tail with {name}", forge, VERIFY)


def another_entrant(chance: Random, shard: Shard, row: list[Any]) -> None:
    entrant, kind, _ = row
    shard.count_fault(entrant, kind, -1)
    shard.count_fault((entrant + 1) % 5, kind, 1)


def another_kind(chance: Random, shard: Shard, row: list[Any]) -> None:
    entrant, kind, n = row
    shard.count_fault(entrant, kind, -n)
    shard.count_fault(entrant, other(chance, KINDS, kind), n)


on_faults("a fault more", lambda chance, shard, row: shard.count_fault(row[0], chance.choice(KINDS), 1))
on_faults("a fault less", lambda chance, shard, row: shard.count_fault(row[0], row[1], -1))
on_faults("the fault of another", another_entrant)
on_faults("faults of another kind", another_kind)
on_faults("faults, and none of them", lambda chance, shard, row: shard.tail["faults"].insert(0, [0, "dead", 0]))
on_tail("without faults", lambda chance, tail: tail.update(faults=[], fault_reports=[]), VERIFY)
on_tail("with a count twice", lambda _, tail: tail["faults"].insert(0, [*tail["faults"][0][:2], 7]), READING)


def no_fault(chance: Random, tail: Tail) -> None:
    row, at = chance.choice(tail["faults"]), chance.randrange(3)
    set_to(chance, row, at, *NO_NUMBER, "lazy", "out", *[99] * (at == 0))


on_tail("with a fault that is none", no_fault, READING)


def on_reports(name: str, change: Callable[[Random, list[Any]], object], runs: tuple[str, ...] = RUNS) -> None:
    on_tail(f"with {name}", lambda chance, tail: change(chance, tail["fault_reports"]), VERIFY, runs)


on_reports("a report missing", lambda chance, reports: reports.remove(chance.choice(reports)))
on_reports("a report twice", lambda chance, reports: reports.insert(0, chance.choice(reports)))
on_reports("reports turned round", lambda chance, reports: reports.reverse(), EVENING)


def on_report(key: str, seen: Seen, *values: Any) -> None:
    """Changes a key of the report of a fault."""

    def in_tail(chance: Random, tail: Tail) -> None:
        report = chance.choice(tail["fault_reports"])
        report[key] = other(chance, values, report.get(key))

    on_tail(f"with a report of {'another' if seen is VERIFY else 'no'} {key}", in_tail, seen)


HALF = "\ud800"  # of a character
on_report("entrant", VERIFY, 0, 1, 2, 3, 4)
on_report("entrant", READING, 99, -1, None, True, "0")
on_report("deal", VERIFY, "nap/1/1/1", "loo/1/1/2", "draw-poker/1/1/7", "x/9/9/9", "nap/1/1/end")
on_report("deal", READING, "", "nap", "nap/1/1", 7, None, "a/b/1/1/1", "nap/01/1/1")
on_report("seat", VERIFY, 0, 1, 2, 99, -1)
on_report("seat", READING, None, 1.0, "1", True)
on_report("phase", VERIFY, *PHASES_OUTSIDE_DEALS, "play", "", "x" * 10_000)
on_report("phase", READING, None, 7, [], HALF)
on_report("action", VERIFY, 0, 1, 2, -5, 10**30)
on_report("action", READING, None, 1.0, "1", False)
on_report("kind", VERIFY, *KINDS, "lazy", "")
on_report("kind", READING, None, 7, HALF)
on_report("words", READING, None, 7, ["text"], HALF)
on_report("where", READING, None, 7, "text", [7], [None], [HALF])
on_report("view", VERIFY, ["something else"], ["a", "b"], [""])
on_report("view", READING, None, 7, "text", [7], [[]], [HALF])
on_report("sense", READING, 7, None)
