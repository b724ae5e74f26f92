"""Ways to forge the lines of a shard: deals, seats, ends of sittings, faults, marks.

They are tried with new hashes; a few also with the old ones, which any reading notices."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

from helpers.forging import READING, RUNS, VERIFY, Forge, Forged, Shard, Ways

from roundsim.table.legal import count
from roundsim.tournament.results.record import KINDS, PHASES_OUTSIDE_DEALS, said

WAYS = Ways()
EVERY = ("deal", "seats", "outside", "end")
EVENING, POOLS = ("evening",), ("evening", "moving")  # the latter: those with ends of sittings, and with tricks
KIND = rf"!({'|'.join(KINDS)}) "
OLD_HASHES = ("removed", "with one number more", "with_other_nets")
Lines = Callable[[Forged, list[str], int], object]  # changes the lines of a shard about a place


def on_lines(*kinds: str, runs: tuple[str, ...] = RUNS, exact: bool = False) -> Callable[[Lines], Lines]:
    """Changes the lines of a shard about one of a kind.  `exact`: verify must name just that line."""

    def register(change: Lines) -> Lines:
        for kind in kinds:
            for rehashed in (False, True) if change.__name__ in OLD_HASHES else (True,):
                name = f"{kind} line {change.__name__.replace('_', ' ')}{', rehashed' * rehashed}"
                own = POOLS if kind == "end" else runs
                WAYS.put(name, forging(change, kind, exact, rehashed), VERIFY if rehashed else READING, own)
        return change

    return register


def forging(change: Lines, kind: str, exact: bool, rehashed: bool) -> Forge:
    def forge(run: Forged) -> str:
        shard, at = run.line(kind)
        change(run, shard.lines, at)
        shard.write(rehashed=rehashed)
        return f"{shard.name}:{at + 1}:" if exact and rehashed else f"{shard.name}:"

    return forge


def on_line(
    name: str, change: Callable[[Random, str], str], *kinds: str, runs: tuple[str, ...] = RUNS, exact: bool = False
) -> None:
    """Changes one line; into several, or none, where the new text has line feeds."""

    def in_lines(run: Forged, lines: list[str], at: int) -> None:
        lines[at : at + 1] = change(run.chance, lines[at] + "\n").split("\n")[:-1]

    in_lines.__name__ = name
    on_lines(*kinds, runs=runs, exact=exact)(in_lines)


def one(chance: Random, pattern: str, line: str, change: Callable[[str], str]) -> str:
    """One of the places in a line that fit a pattern is changed."""
    place = chance.choice([*re.finditer(pattern, line)])
    return line[: place.start()] + change(place[0]) + line[place.end() :]


OURS = ("", "# {}", "!", "! ", "=", "= ", "| |", "\ufeff", "1/1/1", "9" * 5000, "\0")
NUMBER = r"(?<=[ /])\d+(?=[/ ])|^\d+"
ENDS = (" ", "\r", "\u2028", " |", ", ", "x", "\0")
for name, change in {
    "removed": lambda chance, line: "",
    "doubled": lambda chance, line: line * 2,
    "cut in half": lambda chance, line: f"{line[: len(line) // 2]}\n",
    "emptied": lambda chance, line: "\n",
    "after one of our own": lambda chance, line: f"{chance.choice(OURS)}\n{line}",
    "with something at its end": lambda chance, line: f"{line[:-1]}{chance.choice(ENDS)}\n",
    "with one number more": lambda chance, line: one(chance, NUMBER, line, lambda n: f"{int(n) + 1}"),
    "with a zero before a number": lambda chance, line: one(chance, r"(?<![\w.])\d+(?=[/ ])", line, "0".__add__),
}.items():
    on_line(name, change, *EVERY)


@on_lines(*EVERY)
def exchanged_with_its_neighbour(run: Forged, lines: list[str], at: int) -> None:
    other = at + 1 if at + 1 < len(lines) else at - 1
    lines[at], lines[other] = lines[other], lines[at]


@on_lines(*EVERY)
def put_elsewhere(run: Forged, lines: list[str], at: int) -> None:
    line = lines.pop(at)
    lines.insert(run.chance.choice([to for to in range(len(lines) + 1) if to != at]), line)


@on_lines(*EVERY)
def replaced_by_another(run: Forged, lines: list[str], at: int) -> None:
    lines[at] = run.chance.choice([line for line in lines if line != lines[at]])


@on_lines("seats")
def and_its_sitting_exchanged_with_another(run: Forged, lines: list[str], at: int) -> None:
    starts = [n for n, line in enumerate(lines) if line.startswith("= ")]
    parts = [lines[start:end] for start, end in zip(starts, [*starts[1:], len(lines)], strict=True)]
    here, there = starts.index(at), run.chance.choice([n for n, start in enumerate(starts) if start != at])
    parts[here], parts[there] = parts[there], parts[here]
    lines[:] = [line for part in parts for line in part]


LAST_FIRST = re.compile(r"(\S+ \S+ )(.*) \| (.*)")
on_line("with the last for the first", lambda chance, line: LAST_FIRST.sub(r"\1\3 | \2", line), "seats", exact=True)
on_line("with an unknown name", lambda chance, line: f"{line.rpartition(' | ')[0]} | somebody\n", "seats", exact=True)
on_line("with actions", lambda chance, line: f"{line[:-1]} pass\n", "end", exact=True)


@on_lines("deal", "end", exact=True)
def with_other_nets(run: Forged, lines: list[str], at: int) -> None:
    """Two are changed, so that they still add up to 0, or one."""
    place, dealer, *nets = lines[at].partition(" |")[0].split(" ")
    more = run.chance.randrange(1, 10)
    seats, changes = run.chance.sample(range(len(nets)), 2), (more, -more * run.chance.randrange(2))
    for seat, change in zip(seats, changes, strict=True):
        nets[seat] = str(int(nets[seat]) + change)
    lines[at] = " ".join([place, dealer, *nets]) + lines[at][lines[at].index(" |") :]


@on_lines("deal", "end", exact=True)
def with_another_dealer(run: Forged, lines: list[str], at: int) -> None:
    place, dealer, rest = lines[at].split(" ", 2)
    lines[at] = f"{place} {run.chance.choice([each for each in range(4) if str(each) != dealer])} {rest}"


def on_action(name: str, fits: str, change: Callable[[Random, str], str], *kinds: str, exact: bool = True) -> None:
    """Changes an action of a deal."""

    def in_line(chance: Random, line: str) -> str:
        head, bar, rest = line[:-1].partition(" | ")
        actions = rest.split(", ")
        at = chance.choice([at for at, action in enumerate(actions) if re.match(fits, action)])
        actions[at] = change(chance, actions[at])
        return f"{head}{bar}{', '.join(actions)}\n"

    runs = {"discard": ("frozen",), "raise": ("frozen",), "barred": EVENING}
    for kind in kinds:
        on_line(name, in_line, kind, runs=runs.get(kind, RUNS), exact=exact)


NONE = ("pray", "play Zz", "nothing", "", "!", "bet 1e9", f"bet {'9' * 5000}", "call \u0663")
SPELT = ("{} ", " {}", "{}\t", "{} ?", "{}.", "the {}")
RAISES = ("raise 0", "raise  ", "raise +", "raise 1_")
MORE = (", pass\n", ", play As\n", ", \n")
on_action("with an action that is none", r"\w", lambda chance, action: chance.choice(NONE), "deal")
on_action("with an action respelt", r"\w", lambda chance, action: chance.choice(SPELT).format(action), "deal")
on_action("with capitals", r"[a-z]", lambda chance, action: action.upper(), "deal")
on_action("turned round", r"discard \w\w \w\w", lambda _, said: " ".join(["discard", *said.split()[:0:-1]]), "discard")
on_action("respelt", r"raise \d", lambda chance, action: action.replace("raise ", chance.choice(RAISES)), "raise")
on_line("without its last action", lambda _, line: re.sub(r"(, |(?<=\| ))[^,|]+\n", "\n", line), "deal", exact=True)
on_line("with more", lambda chance, line: line[:-1] + chance.choice(MORE), "deal", exact=True)


def other_cards(line: str, both: bool) -> str:
    """The second card that is played is the first once more, or they have changed places."""
    first, second = re.findall(r"play (\w\w)", line)[:2]
    other = {first: second, second: first} if both else {second: first}
    return re.sub(r"play (\w\w)", lambda card: f"play {other.get(card[1], card[1])}", line)


on_line("with a card twice", lambda chance, line: other_cards(line, False), "played", runs=POOLS, exact=True)
on_line("with two cards exchanged", lambda chance, line: other_cards(line, True), "played", runs=POOLS, exact=True)


def marked(action: str, mark: str) -> str:
    """With another mark than it has."""
    return f"!{mark} {re.sub('^!.*? ', '', action)}"


def unlike(chance: Random, action: str, *marks: str) -> str:
    """Another mark, one of these."""
    return marked(action, chance.choice([mark for mark in marks if not action.startswith(f"!{mark} ")]))


def bare(chance: Random, action: str) -> str:
    return marked(action, "")


def kind(chance: Random, action: str) -> str:
    return unlike(chance, action, *KINDS)


def word(chance: Random, action: str) -> str:
    return unlike(chance, action, "out", "barred", "lazy", "!", "Illegal", "shard")


def no_mark(chance: Random, action: str) -> str:
    return action.partition(" ")[2]


on_action("with a stray mark", r"\w", bare, "unmarked")
on_action("with a stray kind", r"\w", kind, "unmarked", exact=False)
on_action("with a stray word", r"\w", word, "unmarked")
on_action("without its kind", KIND, no_mark, "fault", exact=False)
on_action("with a bare mark", KIND, bare, "fault")
on_action("of another kind", KIND, kind, "fault", exact=False)
on_action("of no kind", KIND, word, "fault")
on_action("without a mark", "! ", no_mark, "bare")
on_action("with a kind", "! ", kind, "bare")
on_action("with a word", "! ", word, "bare")
on_action("without it", "!(out|barred) ", no_mark, "out", "barred")
on_action("with a bare mark", "!(out|barred) ", bare, "out", "barred")
on_action("with another word", "!(out|barred) ", word, "out", "barred")
on_action("with a kind", "!(out|barred) ", kind, "out", "barred", exact=False)
on_line("with its fault later", lambda chance, line: re.sub(r"!(\w+) (.*?)! ", r"\2!\1 ", line, count=1), "bare")


@on_lines("played", runs=POOLS, exact=True)
def with_a_mark_on_a_forced_action(run: Forged, lines: list[str], at: int) -> None:
    """Nobody is asked for the last card of a hand."""
    forced = [place for place, ask in enumerate(run.asks()) if count(ask.legal) == 1]
    head, bar, actions = lines[at].partition(" | ")
    lines[at] = head + bar + said(actions.split(", "), {run.chance.choice(forced): run.chance.choice(["", *KINDS])})


def on_fault(name: str, word: int, *values: str) -> None:
    """Changes a word of the line of a fault: "!", place, seat, phase, kind."""

    def in_line(chance: Random, line: str) -> str:
        words = line[:-1].split(" ")
        words[word] = chance.choice([value for value in values if value != words[word]])
        return " ".join(words) + "\n"

    on_line(name, in_line, "outside")


on_fault("of an innocent", 2, "-1", "0", "1", "2", "3", "99", "")
on_fault("of another phase", 3, *PHASES_OUTSIDE_DEALS, "play", "")
on_fault("of another kind", 4, *KINDS, "out", "")


@on_lines("deal")
def with_a_fault_made_up(run: Forged, lines: list[str], at: int) -> None:
    place, phase = lines[at].split(" ")[0], run.chance.choice(PHASES_OUTSIDE_DEALS)
    lines.insert(at + (phase == "settled"), f"! {place} {run.chance.randrange(3)} {phase} {run.chance.choice(KINDS)}")


def forget(run: Forged, *phases: str) -> str:
    """A fault outside the deals leaves the log, the tail, and the results."""
    shard = run.shard(lambda shard: shard.reported(*phases))
    fault = run.chance.choice(shard.reported(*phases))
    shard.lines.remove(f"! {fault['deal'].partition('/')[2]} {fault['seat']} {fault['phase']} {fault['kind']}")
    shard.forget(fault)
    return agreed(run, shard)


def agreed(run: Forged, shard: Shard) -> str:
    """The hashes and the results say what the shard says."""
    shard.write()
    run.rewrite_results()
    return f"{shard.name}:"


@WAYS.way(VERIFY)
def fault_that_left_only_its_consequences(run: Forged) -> str:
    """The sitting is still marked as forfeited."""
    return forget(run, "begin", "constructor")


@WAYS.way(VERIFY)
def memory_fault_that_left_only_its_consequences(run: Forged) -> str:
    """It is marked as if the strategy had been out before, and reported nowhere."""
    shard, at = run.line("memory")
    place = shard.lines[at].split(" ")[0]
    shard.lines[at] = shard.lines[at].replace("!memory ", "!out ").replace("! ", "!out ")
    for fault in shard.tail["fault_reports"][:]:
        if fault["deal"].endswith(f"/{place}") and fault["kind"] == "memory":
            shard.forget(fault)
    return agreed(run, shard)


@WAYS.way(VERIFY)
def fault_of_another_everywhere(run: Forged) -> str:
    """But in the log."""
    shard = run.shard(lambda shard: shard.tail["fault_reports"])
    fault = run.chance.choice(shard.tail["fault_reports"])
    shard.forget(fault)
    other = (fault["entrant"] + 1) % 5
    shard.count_fault(other, fault["kind"], 1)
    shard.tail["fault_reports"].append({**fault, "entrant": other})
    return agreed(run, shard)


@WAYS.way(VERIFY)
def faults_forgotten_everywhere(run: Forged) -> str:
    """But in the log."""
    for shard in run.shards():
        shard.tail["faults"] = shard.tail["fault_reports"] = []
        shard.tail["at_fault"] = [[who, deals, 0, 0, 0] for who, deals, *_ in shard.tail["at_fault"]]
        shard.write()
    run.deal = shard.deal_at(0)
    run.rewrite_results()
    return f"{shard.name}:"


@WAYS.way(VERIFY, RUNS[:2])  # the rows of a freeze-out have places
def net_that_is_the_same_everywhere(run: Forged) -> str:
    """In the log, the row and the results."""
    shard, at = run.line("deal")
    with_other_nets(run, shard.lines, at)
    block = int(shard.lines[at].split("/")[0])
    next(row for row in shard.rows if row[0] == block)[4][0][0] += 1
    return f"{agreed(run, shard)}{at + 1}:"
