"""Betting by a table: how often each answer is given in a situation, by the strength of the hand."""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from ..mechanics.betting import Betting
from ..table.chance import Chance
from .corrected import Guided

PLACES = 0.2, 0.35, 0.5, 0.62, 0.72, 0.8, 0.86, 0.91, 0.95, 0.98  # of a hand among all, finer at the top
CUTS = "strength, "
CELL = re.compile(r"([fcrpa]\d\d)+|[fcrpa-]")
PRICES = 0.2, 0.3, 0.4  # what a call costs, of the pool after it
COSTS = "cheap", "fair", "dear", "very dear"
OUT, CALL, LEAST, POOL, ALL = "fcrpa"  # answers: give up or pass, call, the least raise, one of the pool, all
PLAIN = {"call": CALL} | dict.fromkeys(("fold", "pass", "check"), OUT)  # a bet without counters is the least
MOST_RAISES = 4  # from then on only the largest is tried

Shares = Mapping[str, int]  # how often each answer is given, in percent


class SharesTable(NamedTuple):
    """The table for a number of seats: by stage the strengths between the columns, and by situation the shares in each
    column, if it has any."""

    cuts: dict[str, Sequence[float]]
    rows: dict[str, Sequence[Shares]]


class Vying(Guided[SharesTable]):
    """Bets by a table of shares, and else answers as `guide` does.

        class Expert(Vying):
            name = "expert"
            games = ["brag"]
            table = betting_table(Path(__file__).with_name("shares.txt"))

            def strength(self, view):
                return place_of(view.hand)

    `strength`: a greater number for a better hand, compared with other hands of the same `stage`. `situation`: the class of
    a question. `answers`: those that are tried, by their letters. `phases`: those in which the table answers. `places`: of
    a hand among all, the edges of the columns."""

    phases: ClassVar[Sequence[str]] = ("open", "bet")
    places: ClassVar[Sequence[float]] = PLACES

    def strength(self, view: Any) -> float:
        """Return how high the hand stands; all hands alike, unless a class says otherwise."""
        return 0

    def stage(self, view: Any) -> str:
        return view.phase if len(self.phases) > 2 else "all"

    def situation(self, view: Any) -> str:
        return situation(view)

    def answers(self, view: Betting.View) -> dict[str, str]:
        return answers(view)

    def act(self, view: Any) -> str:
        if self.here and view.phase in self.phases and (row := self.here.rows.get(self.situation(view))):
            shares = row[bisect(self.here.cuts.get(self.stage(view), ()), self.strength(view))]
            if answer := self.answers(view).get(answer_drawn(shares, view.chance)):
                return answer
        return super().act(view)


def situation(view: Betting.View) -> str:
    """Return the class of a question, from what everybody sees.

    Before a bet: how many have not spoken yet, whether a pool stands, and whether the stack is short. Afterwards: how many
    others have met the level, and how many have not; the price of a call; what is left after it; the raises so far."""
    me, others = view.seat, [seat for seat in view.still_in if seat != view.seat]
    stacks, pot = view.stacks, sum(view.stake) + sum(view.pools.values())
    if view.phase == "open":
        spoken = {entry.seat for entry in view.history if entry.phase == "open"}
        behind = min(sum(seat not in spoken for seat in others), 3)
        stands = ", pool" if any(view.pools.values()) else ""
        return f"open, {behind} behind{stands}{', short' if stacks and stacks[me] < 4 * pot else ''}"
    met = sum(view.stake[seat] >= view.level or stacks is not None and not stacks[seat] for seat in others)
    due = max(0, view.level - view.stake[me])
    due = due if stacks is None else min(due, stacks[me])
    cost = COSTS[bisect(PRICES, due / (pot + due))] if due else "free"
    left = ""
    if stacks is not None:
        after = stacks[me] - due
        left = ", all in" if after <= 0 else ", short" if after < pot + due else ", deep"
    raises = min(view.raises, MOST_RAISES if stacks is None else 2)
    return f"{view.phase}, {min(met, 3)} in {min(len(others) - met, 2)} behind, {cost}{left}, {raises} raises"


def answers(view: Betting.View) -> dict[str, str]:
    """Return the answers that the table knows, by their letters: those without counters, and up to three sizes of a bet
    or a raise. With stacks these are the least, one of the pool and all; else a tenth of the limit, half of it and all."""
    first, last = view.legal[:4], view.legal[-1]  # those without counters come first
    verb, most = last.verb, last.amount
    known = {PLAIN.get(action.verb, LEAST): str(action) for action in first if not action.amount}
    if not most:
        return known
    least = next(action.amount for action in first if action.amount)
    if view.stacks is None:
        sizes = {LEAST: max(least, most // 10), POOL: max(least, most // 2), ALL: most}
    else:
        sizes = {LEAST: least, POOL: sum(view.stake) + sum(view.pools.values()), ALL: most}
    if verb == "raise" and view.raises >= MOST_RAISES:
        sizes = {ALL: most}
    sized = {size: letter for letter, size in sizes.items() if least <= size <= most}
    return known | {letter: f"{verb} {size}" for size, letter in sized.items()}


def answer_drawn(shares: Shares, chance: Chance) -> str:
    """Return an answer by its share, "" for the guide's. A sure answer leaves the chance alone."""
    if len(shares) < 2:
        return next(iter(shares), "")
    at = chance.below(100)
    for answer, share in shares.items():
        at -= share
        if at < 0:
            return answer
    return next(iter(shares))


def betting_table(path: Path) -> dict[int, SharesTable]:
    """Return the tables of a file that `bench/vying.py` writes, by the number of seats.

    Raises ValueError if a line is none of a table, and names it; OSError if the file cannot be read."""
    tables: dict[int, SharesTable] = {}
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        try:
            if line.startswith("# "):
                here = tables[int(line.split()[1])] = SharesTable({}, {})
            elif line:
                name, cells = line.split(" | ")
                if name.startswith(CUTS):
                    here.cuts[name.removeprefix(CUTS).strip()] = [float(cut) for cut in cells.split()]
                else:
                    here.rows[name.strip()] = [shares_of(cell) for cell in cells.split()]
        except (ValueError, LookupError, UnboundLocalError):
            raise ValueError(f"{path}:{number}: no line of a table: {line!r}") from None
    return tables


def shares_of(cell: str) -> Shares:
    """Return the shares of a cell: "f81c19" or "c" alone; none for "-". ValueError for another text."""
    if not CELL.fullmatch(cell):
        raise ValueError(cell)
    if len(cell) == 1:
        return {} if cell == "-" else {cell: 100}
    return {cell[at]: int(cell[at + 1 : at + 3]) for at in range(0, len(cell), 3)}
