"""Seating of a round-robin: which entrants meet, and in which order they sit, block by block.

It starts again with each lap, in which all play equally often. So a block depends on its lap, and on nothing before
it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import factorial, gcd
from typing import TYPE_CHECKING, NamedTuple

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
    entrants, always, sides = stretch.entrants, stretch.always, entry.rules.sides
    others, free = entrants - len(always), seats - len(always)
    whole = others // gcd(others, free)
    lap, players = -(-LAP // whole) * whole, others * (free // others + 1)
    for block in range(first - (first - stretch.blocks.start) % lap, stretch.blocks.stop):
        name = Names(seed, entry.name, block).seats
        if (block - stretch.blocks.start) % lap == 0:
            everyone = [entrant for entrant in shuffled(range(entrants), f"{name}/lap") if entrant not in always]
            groups = (sharing if others <= free else meeting)(others, free)
            people = [*everyone * (players // others), *always]
            orders = Orders(people, seats, sides)
        group = [*next(groups), *range(players, players + len(always))]
        order = orders.best(group, name)
        if block >= first:
            yield tuple([people[number] for number in order])


class Orders:
    """The orders in which groups have sat: who sat to whose left, and who was whose partner.

    `people`: the entrant of each player. `periods`: after how many seats an order might repeat itself. With sides it
    may: if two of A and two of B never sit A B A B, A is never its own partner."""

    def __init__(self, people: Sequence[int], seats: int, sides: Sequence[int] | None) -> None:
        self.people, self.neighbours, self.partners = people, new_counts(len(people)), new_counts(len(people))
        self.periods = [] if sides else [period for period in range(len({*people}), seats) if seats % period == 0]
        pairs = combinations(range(len(sides or ())), 2)
        self.pairs = [(one, other) for one, other in pairs if sides and sides[one] == sides[other]]

    def best(self, group: Sequence[int], name: str) -> list[int]:
        """Return the one of some drawn orders that repeats least.

        Orders with as many different rotations as seats come first: A B A B has the same two twice."""
        drawn = [*drawn_orders(group, name, hash_number(name))]
        if self.periods:
            drawn = [order for order in drawn if not self.is_periodic(order)] or drawn
        best = min(drawn, key=self.repeated)
        for one, other in self.pairs:
            self.partners[best[one]][best[other]] += 1
            self.partners[best[other]][best[one]] += 1
        for one, other in zip(best, [*best[1:], best[0]], strict=True):
            self.neighbours[one][other] += 1
        return best

    def is_periodic(self, order: Sequence[int]) -> bool:
        """Whether some of its rotations seat the same entrants as others."""
        seated = [self.people[number] for number in order]
        return any(seated[period:] == seated[:-period] for period in self.periods)

    def repeated(self, order: Sequence[int]) -> tuple[int, int]:
        """Return how often its partners have been partners, and its neighbours neighbours on the same side."""
        partners = neighbours = 0
        for one, other in self.pairs:
            partners += self.partners[order[one]][order[other]]
        before = order[-1]
        for number in order:
            neighbours += self.neighbours[before][number]
            before = number
        return partners, neighbours


def new_counts(players: int) -> Counts:
    return [defaultdict(int) for _ in range(players)]


def drawn_orders(group: Sequence[int], name: str, bits: int) -> Iterator[list[int]]:
    """Yield some orders of a group, drawn from the bits of a name."""
    size, all_orders = len(group), factorial(len(group))
    for more in range(all_orders.bit_length() * DRAWN // 512):
        bits = bits << 512 | hash_number(f"{name}/{more}")
    for _ in range(DRAWN):
        bits, n = divmod(bits, all_orders)
        left, order = list(group), []
        for among in range(size, 1, -1):
            n, at = divmod(n, among)
            order.append(left.pop(at))
        yield order + left


def sharing(entrants: int, seats: int) -> Iterator[list[int]]:
    """Yield groups if there are fewer entrants than seats: over the blocks, each sits equally often.

    An entrant at several seats counts as several players: 1, 1 + entrants, and so on."""
    whole, turn = seats - seats % entrants, 0
    while True:
        yield [*range(whole), *[whole + (turn + at) % entrants for at in range(seats - whole)]]
        turn += seats - whole


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
        chosen, cost = choose(met, choice, seats - len(sure), start)
        for one, other in combinations(sure + chosen, 2):
            met[one][other] += 2
            met[other][one] += 2
        yield sure + chosen
        due = sure + choice if choice else list(range(entrants))
        if sure or not choice:
            start = meeting_counts(met, chosen if sure else ())
        else:
            start = [(old + new) // 2 for old, new in zip(start, cost, strict=True)]


def meeting_counts(met: Counts, group: Iterable[int]) -> list[int]:
    """Return how often each has met those of a group."""
    times = [0] * len(met)
    for one in group:
        for other, twice in met[one].items():
            times[other] += twice // 2
    return times


def choose(met: Counts, choice: list[int], many: int, start: Sequence[int]) -> tuple[list[int], list[int]]:
    """Take `many` out of the choice, each with the least cost; return them and the costs when they are taken.

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
    return chosen, cost
