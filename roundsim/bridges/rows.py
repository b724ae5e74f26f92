"""The rows of a run: one for each deal and seat, or one for each action.

Deals come from the text of the log; who made a fault, and what there was to decide, come from replaying with the
rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..base.errors import IllegalError, LogError
from ..base.text import options_in_words, place_name
from ..replaying.log_driver import LogDriver
from ..replaying.logged import LoggedBlock, LoggedDeal, blocks_of
from ..table.legal import count
from ..tournament.planning.plan import Entry, Schedule
from ..tournament.results.record import BARRED, KINDS, OUT, Address
from ..tournament.results.totals import MAX_FIGURE as MOST_NET
from ..tournament.storage.folder import RunFolder

ExportRow = tuple[Any, ...]
MOST = (1 << 31) - 1  # in a column of 32 bits
WHY = (*KINDS, OUT, BARRED)  # why an action is played for a seat
BEFORE = ("constructor", "shard", "begin")  # faults that come before the questions of a deal

# The columns of each table. A "number" has 32 bits, a "long" 64; a "word" is one of those in the run's record, an
# "action" one of those in its log; a "text" is anything.

COLUMNS = {
    "deals": {
        "entry": "word",
        "game": "word",
        "options": "word",
        "block": "long",
        "sitting": "number",
        "deal": "number",
        "players": "number",
        "seat": "number",
        "place": "word",
        "strategy": "word",
        "dealer": "number",
        "net": "long",
        "fault": "word",
        "actions": "text",
    },
    "decisions": {
        "entry": "word",
        "options": "word",
        "block": "long",
        "sitting": "number",
        "deal": "number",
        "players": "number",
        "n": "number",
        "seat": "number",
        "place": "word",
        "strategy": "word",
        "phase": "word",
        "action": "action",
        "legal": "number",
        "fault": "word",
        "hand": "text",
        "net": "long",
    },
}


def column_dictionaries(entries: Iterable[Entry]) -> dict[str, list[str]]:
    """Return the words that each column may contain."""
    there = [*entries]
    most = max(entry.deal.seats[1] for entry in there)
    return {
        "entry": [entry.name for entry in there],
        "game": [*dict.fromkeys(entry.game for entry in there)],
        "options": [*dict.fromkeys(filter(None, map(options_text, there)))],
        "place": [place_name(place, most) for place in range(1, most + 1)],
        "strategy": [*dict.fromkeys(label for entry in there for label in entry.labels)],
        "phase": [*dict.fromkeys(phase for entry in there for phase in entry.deal.phases)],
        "fault": [*WHY],
    }


def options_text(entry: Entry) -> str | None:
    """Return the options of a table that are not as usual, as its title has them; None without any."""
    return options_in_words(entry.rules.changed()) or None


def place_at(seat: int, dealer: int, players: int) -> str:
    """Return the place of a seat, counted from the dealer's left."""
    return place_name((seat - dealer - 1) % players + 1, players)


def batches(
    folder: RunFolder, schedule: Schedule, firsts: Iterable[int], what: str
) -> Iterator[tuple[list[ExportRow], bool | None]]:
    """Yield the rows of each piece of some shards, by their first blocks; with the last piece of a shard, whether that is
    whole, else None. LogError."""
    rows_of = ROWS[what]
    for shard in filter(None, (folder.read_shard(schedule, first) for first in firsts)):
        for piece in shard.pieces:
            rows = list[ExportRow]()
            for block in blocks_of(folder, schedule, shard, piece):
                rows += rows_of(block)
            yield rows, shard.whole if piece is shard.pieces[-1] else None


def deal_rows(block: LoggedBlock) -> Iterator[ExportRow]:
    """Yield a row for each seat of each deal, and of each end of a sitting, which is deal 0 and has no places."""
    entry = block.entry.name, block.entry.game, options_text(block.entry)
    for deal in block:
        _, number, sitting, hand = check_address(deal)
        faults = first_faults(deal) if deal.outside or "!" in deal.text else {}
        actions: str | None = deal.text.partition(" | ")[2]
        address, players = (*entry, number, sitting, hand or 0), len(deal.seats)
        for seat, (strategy, net) in enumerate(zip(deal.seats, deal.net, strict=True)):
            place = place_at(seat, deal.dealer, players) if hand else None
            yield (*address, players, seat, place, strategy, deal.dealer, net, faults.get(seat), actions or None)
            actions = None


def check_address(deal: LoggedDeal) -> Address:
    """Return its address. LogError for numbers that no run reaches, because a column has no room for them."""
    at = Address.parse(deal.address)
    small = max(at.sitting, at.deal or 0, abs(deal.dealer)) <= MOST and max(map(abs, deal.net)) <= MOST_NET
    if at.block != deal.block.number or not small:
        raise LogError(f"{deal.block.file}: no deal of block {deal.block.number}: {deal.text[:60]!r}")
    return at


def first_faults(deal: LoggedDeal) -> dict[int, str]:
    """Return for each seat its first fault, or why it was not asked."""
    acts = [act for act in deal.acts if act.mark] if "!" in deal.text else []
    before = [act for act in deal.outside if act.phase in BEFORE]
    after = [act for act in deal.outside if act.phase not in BEFORE]
    faults = dict[int, str]()
    for act in (*before, *acts, *after):
        if act.mark not in WHY:
            raise LogError(f"{deal.block.file}: {deal.place}: no fault is called {act.mark!r}")
        faults.setdefault(act.seat, act.mark)
    return faults


def decision_rows(block: LoggedBlock) -> list[ExportRow]:
    """Return a row for each action of a block, by the rules. LogError if they do not agree with its log."""
    entry, rows = (block.entry.name, options_text(block.entry)), list[ExportRow]()

    def visit(driver: LogDriver) -> None:
        deal, marks, seated, whys = driver.deal, driver.line.marks, driver.seated, dict[int, str]()
        address, begun = (*entry, *map(int, driver.place.split("/")), deal.players), list[ExportRow]()
        places = [place_at(seat, deal.dealer, deal.players) for seat in range(deal.players)]
        for at, (ask, action) in enumerate(driver.walk()):
            seat, why = ask.seat, None
            if at in marks:  # the first of a seat has the reason, and it continues
                why = whys.setdefault(seat, marks[at])
                if why not in WHY:
                    raise IllegalError(f"action {at + 1}: no fault is called {why!r}")
            hand = " ".join(deal.hands[seat]) if deal.hands else ""
            asked = at + 1, seat, places[seat], seated[seat], ask.phase, str(action), min(count(ask.legal), MOST)
            begun.append((*address, *asked, why, hand or None))
        rows.extend([(*row, deal.net[ask.seat]) for row, ask in zip(begun, deal.asked, strict=True)])

    block.replay(visit)
    return rows


ROWS: dict[str, Callable[[LoggedBlock], Iterable[ExportRow]]] = {"deals": deal_rows, "decisions": decision_rows}
