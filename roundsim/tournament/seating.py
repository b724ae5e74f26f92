"""Seating of a round-robin: which entrants meet, and in which order they sit, block by block.

It starts again with each lap, in which all play equally often. So a block depends on its lap, and on nothing before
it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations, cycle, islice
from math import factorial, gcd
from typing import TYPE_CHECKING, NamedTuple

from ..native import native
from ..refereeing.names import Names
from ..table.chance import hash_number, shuffled

if TYPE_CHECKING:
    from .planning.plan import Entry

LAP = 2000  # blocks, rounded up to whole rounds of everybody
DRAWN = 12  # orders drawn, from which the best is taken
ENDLESS = 1 << 60  # blocks

Counts = list[defaultdict[int, int]]  # of each with each


class Stretch(NamedTuple):
    """Blocks in which the first `entrants` play; those of `always` sit in each, at one seat."""

    blocks: range
    entrants: int
    always: tuple[int, ...]


def seatings(
    entry: Entry, seed: int | str, seats: int, first: int = 1, focus: int | None = None
) -> Iterator[tuple[int, ...]]:
    """Yield the entrants of block `first` and of those after it, in seating order.

    `focus`: entrants that sit in all."""
    for stretch in stretches(entry, seats, () if focus is None else (focus,)):
        if first < stretch.blocks.stop:
            yield from in_stretch(entry, seed, seats, stretch, max(first, stretch.blocks.start))


def stretches(entry: Entry, seats: int, focus: tuple[int, ...]) -> Iterator[Stretch]:
    """Yield the stretches of an entry.

    Each newcomer in turn sits in every block until it has played as often as the others. Then all play equally often
    until the next one joins."""
    entrants, begin, end = len(entry.strategies), 1, entry.blocks + 1
    joined = [before for before in entry.joined if before]
    there = entrants - len(joined)
    for newcomer, before in enumerate(joined, there):
        start = min(max(begin, before + 1), end)
        yield Stretch(range(begin, start), newcomer, focus)
        level = start + blocks_behind(start - 1, newcomer - len(focus), seats - len(focus))
        begin = min(level, end)
        yield Stretch(range(start, begin), newcomer + 1, (*focus, newcomer))
    yield Stretch(range(begin, end), entrants, focus)


def blocks_for_all(entry: Entry, seats: int, focus: int | None = None) -> int:
    """Return the number of blocks when the last newcomer has had as many as each of the others before."""
    last, others = len(entry.strategies) - 1, len(entry.strategies) - 1
    before, always = entry.since[last], () if focus is None else (focus,)
    for stretch in stretches(replace(entry, blocks=ENDLESS), seats, always):
        if last in stretch.always and stretch.blocks:
            before = stretch.blocks.start - 1
    return before + -(-before * min(seats, others) // others)


def blocks_behind(blocks: int, entrants: int, seats: int) -> int:
    """Return how many blocks in a row a newcomer must play to catch up.

    It has missed `blocks` blocks, shared equally among `entrants` at `seats` places. The result is 0 if all sit in
    every block, because it then never catches up."""
    return -(-blocks * seats // (entrants - seats + 1)) if entrants >= seats > 0 else 0


def in_stretch(entry: Entry, seed: int | str, seats: int, stretch: Stretch, first: int) -> Iterator[tuple[int, ...]]:
    """Yield the blocks of a stretch from `first` on."""
    always, others, free = stretch.always, stretch.entrants - len(stretch.always), seats - len(stretch.always)
    whole = others // gcd(others, free)
    lap, players = -(-LAP // whole) * whole, others * (free // others + 1)
    in_all = [*range(players, players + len(always))]
    for begin in range(first - (first - stretch.blocks.start) % lap, stretch.blocks.stop, lap):
        drawn = shuffled(range(stretch.entrants), f"{Names(seed, entry.name, begin).seats}/lap")
        everyone = [entrant for entrant in drawn if entrant not in always]
        people = [*everyone * (players // others), *always]
        groups = (sharing if others <= free else meeting)(others, free)
        orders = Orders(people, seats, entry.rules.sides)
        for block in range(begin, min(begin + lap, stretch.blocks.stop)):
            order = orders.best(next(groups) + in_all, Names(seed, entry.name, block).seats)
            if block >= first:
                yield tuple([people[number] for number in order])


class Orders:
    """The orders in which groups have sat: who sat to whose left, and who was whose partner.

    `people`: the entrant of each player. `periods`: after how many seats an order might repeat itself. With sides it
    may: if two of A and two of B never sit A B A B, A is never its own partner."""

    def __init__(self, people: list[int], seats: int, sides: Sequence[int] | None) -> None:
        self.people, self.neighbours, self.partners = people, new_counts(len(people)), new_counts(len(people))
        self.periods = [] if sides else [period for period in range(len({*people}), seats) if seats % period == 0]
        self.more = factorial(seats).bit_length() * DRAWN // 512  # numbers of 512 bits, besides the first
        pairs = combinations(range(len(sides or ())), 2)
        self.pairs = [(one, other) for one, other in pairs if sides and sides[one] == sides[other]]

    def best(self, group: list[int], name: str) -> list[int]:
        """Return the one of some orders that repeats least, drawn from the bits of a name, and count it."""
        bits = hash_number(name)
        for more in range(self.more):
            bits = bits << 512 | hash_number(f"{name}/{more}")
        return best_order(group, bits, self.people, self.periods, self.pairs, self.neighbours, self.partners)


@native
def best_order(
    group: list[int],
    bits: int,
    people: list[int],
    periods: list[int],
    pairs: list[tuple[int, int]],
    neighbours: Counts,
    partners: Counts,
) -> list[int]:
    """Draw some orders of a group from bits; return the first of those that repeat least, and count it (see `Orders`).

    Orders with as many different rotations as seats come first: A B A B has the same two twice. Then come those whose
    partners have seldom been partners, and those whose neighbours have seldom been neighbours on the same side."""

    def repeated(order: list[int]) -> tuple[bool, int, int]:
        seated = [people[number] for number in order]
        itself = any(seated[period:] == seated[:-period] for period in periods)
        together = sum([partners[order[one]][order[other]] for one, other in pairs])
        return itself, together, sum([neighbours[order[at - 1]][number] for at, number in enumerate(order)])

    best = min(drawn_orders(group, bits), key=repeated)
    for one, other in pairs:
        partners[best[one]][best[other]] += 1
        partners[best[other]][best[one]] += 1
    for at, number in enumerate(best):
        neighbours[best[at - 1]][number] += 1
    return best


def new_counts(players: int) -> Counts:
    return [defaultdict(int) for _ in range(players)]


def drawn_orders(group: Sequence[int], bits: int) -> Iterator[list[int]]:
    """Yield some orders of a group, drawn from bits."""
    for _ in range(DRAWN):
        bits, number = divmod(bits, factorial(len(group)))
        left, order = [*group], list[int]()
        for among in range(len(left), 1, -1):
            number, at = divmod(number, among)
            order.append(left.pop(at))
        yield order + left


def sharing(entrants: int, seats: int) -> Iterator[list[int]]:
    """Yield groups if there are fewer entrants than seats: over the blocks, each sits equally often.

    An entrant at several seats counts as several players: 1, 1 + entrants, and so on."""
    whole = [*range(seats - seats % entrants)]
    more = cycle(range(len(whole), len(whole) + entrants))
    while True:
        yield whole + [*islice(more, seats - len(whole))]


def meeting(entrants: int, seats: int) -> Iterator[list[int]]:
    """Yield groups if there are more entrants than seats: those that played least play, and of these those that met
    least.

    Those that remain play next, and should have met little too. An entrant that has rarely met the players already gone
    has often met those that remain, so it is better to take it now. Past meetings with the gone weigh 1, meetings at
    this table weigh 2. So `met` counts in steps of two."""
    met, due, start = new_counts(entrants), list(range(entrants)), [0] * entrants
    while True:
        sure, choice = (
            ([], due) if len(due) >= seats else (due, [entrant for entrant in range(entrants) if entrant not in due])
        )
        if sure:
            start = meeting_counts(met, sure)
        chosen, start = choose(met, choice, seats - len(sure), start)
        for one, other in combinations(sure + chosen, 2):
            met[one][other] += 2
            met[other][one] += 2
        yield sure + chosen
        due = sure + choice if choice else list(range(entrants))
        if sure or not choice:
            start = meeting_counts(met, chosen if sure else ())


def meeting_counts(met: Counts, group: Iterable[int]) -> list[int]:
    """Return how often each has met those of a group."""
    times = [0] * len(met)
    for one in group:
        for other, twice in met[one].items():
            times[other] += twice // 2
    return times


@native
def choose(met: Counts, choice: list[int], many: int, start: list[int]) -> tuple[list[int], list[int]]:
    """Take `many` out of the choice, each with the least cost, which begins with `start`; return them, and what the
    others cost when they are gone.

    Towards the end of a round, swap members as long as that is better."""
    chosen, cost = list[int](), list(start)
    while len(chosen) < many:
        one = min(choice, key=cost.__getitem__)
        choice.remove(one)
        chosen.append(one)
        for person, twice in met[one].items():
            cost[person] += twice
    while 0 < len(choice) <= 2 * many:
        gain, one, other = min(
            [(cost[other] - met[one][other] - cost[one], one, other) for one in chosen for other in choice]
        )
        if gain >= 0:
            break
        chosen[chosen.index(one)], choice[choice.index(other)] = other, one
        for person, twice in met[one].items():
            cost[person] -= twice
        for person, twice in met[other].items():
            cost[person] += twice
    return chosen, [(old + new) // 2 for old, new in zip(start, cost, strict=True)]
