"""Runs gone through again without their strategies: verified, told, or written as a script."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from . import report
from .actions import Action, count
from .errors import DisagreesError, IllegalError, LogError, did_you_mean
from .options import changed
from .referee import collect_seldom, replay
from .table import Ask, Deal, Said, in_words
from .tournament.folder import RunFolder
from .tournament.formats import play_block, seatings
from .tournament.plan import Entry, Tournament
from .tournament.run import fold
from .tournament.tally import Tally


class Record:
    """The driver of a table whose deals are read from a log.  `play_deal` is given each deal with its recorded actions."""

    def __init__(
        self,
        path: str,
        lines: Sequence[str],
        labels: Sequence[str],
        play_deal: Callable[[Any, str, Deal, list[str]], Any],
    ) -> None:
        self.path, self.lines, self.labels, self.at = path, lines, labels, 0
        self.play_deal = play_deal
        self.who: Sequence[int] = ()
        self.name = ""
        self.headers: dict[str, str] = {}
        self.marks: dict[int, str] = {}  # of the deal at hand: by action, the kind of a fault; "" where it goes on

    def sit(self, name: str, entrants: Sequence[int], keys: Sequence[Any]) -> None:
        self.who, self.name = entrants, name
        place, seats = name.split("/", 2)[2], " | ".join([self.labels[entrant] for entrant in entrants])
        if self.headers.get(place) != seats:
            self.headers[place] = seats
            self.agree(self.lines[self.at] if self.at < len(self.lines) else "", f"= {place} {seats}", 1)
            self.at += 1

    def play(self, address: str, deal: Deal, first: bool) -> None:
        head, actions = self.next_line(address)
        self.marks = self.take_marks(actions) if "!" in self.lines[self.at - 1] else {}
        try:
            self.play_deal(self, address, deal, actions)
        except IllegalError as error:
            raise DisagreesError(f"{self.path}:{self.at}: {address}: {error}") from None
        for at in self.marks:
            if deal.actions[at] != deal.asked[at].legal[0]:
                raise DisagreesError(
                    f"{self.path}:{self.at}: {address}: action {at + 1} is marked as forfeited,"
                    f" and is not the first legal one, {deal.asked[at].legal[0]}"
                )
        self.agree(head, f"{address} {deal.dealer} {' '.join(map(str, deal.net))}")

    def end(self, address: str, deal: Deal) -> None:
        head, _ = self.next_line(address)
        self.agree(head, f"{address} {deal.last_dealer} {' '.join(map(str, deal.net))}")

    def leave(self) -> None:
        self.headers.clear()

    def next_line(self, address: str) -> tuple[str, list[str]]:
        if self.at == len(self.lines):
            raise DisagreesError(f"{self.path}:{self.at + 1}: the log ends where deal {address} is to come")
        head, bar, actions = self.lines[self.at].partition(" |")
        self.at += 1
        if not bar or not head.startswith(f"{address} "):
            raise DisagreesError(f"{self.path}:{self.at}: expected deal {address}, found {head[:60]!r}")
        return head, actions[1:].split(", ") if actions.strip() else []

    def take_marks(self, actions: list[str]) -> dict[int, str]:
        """The marks of forfeited actions, taken off them."""
        marks = {}
        for at, action in enumerate(actions):
            if action.startswith("!"):
                marks[at], _, actions[at] = action[1:].partition(" ")
        return marks

    def agree(self, found: str, expected: str, ahead: int = 0) -> None:
        if found != expected:
            where = f"{self.path}:{self.at + ahead}"
            raise DisagreesError(f"{where}: expected  {expected}\n{' ' * len(where)}  found     {found}")


def check_deal(record: Record, address: str, deal: Deal, actions: list[str]) -> None:
    replay(deal, actions)


def shards(
    tournament: Tournament, folder: RunFolder
) -> Iterator[tuple[Entry, int, Sequence[tuple[int, ...]], list[str], Tally]]:
    """The finished shards of a run, in schedule order: entry, first block, who sits in each block, lines, tally."""
    for entry in tournament.entries:
        everyone = seatings(entry, tournament.seed)
        for first, last in entry.shards():
            who = [next(everyone) for _ in range(first, last + 1)]
            if there := folder.read_shard(entry, first):
                yield entry, first, who[: there[1].blocks], *there


def verify(folder: RunFolder, tell: Callable[[int], None] = lambda deals: None) -> tuple[int, int]:
    """Replay every deal through the rules and recompute every number.  DisagreesError names the first that does not.

    Returns the number of deals, and of shards that the run still lacks."""
    tournament, deals = folder.tournament(), 0
    collect_seldom()
    for entry, first, who, lines, tally in shards(tournament, folder):
        path, again = str(folder.shard(entry, first)), Tally()
        record = Record(path, lines, entry.labels, check_deal)
        for block, seating in enumerate(who, first):
            play_block(record, entry, tournament.seed, block, seating, again)
        if record.at != len(lines):
            raise DisagreesError(f"{path}:{record.at + 1}: nothing is to come after the last deal")
        again.faults, again.told = tally.faults, tally.told
        check_told(path, lines, tally, entry)
        if again.to_json() != tally.to_json():
            raise DisagreesError(f"{path}:{len(lines) + 1}: the tally at its end is not that of its deals")
        deals += again.deals
        tell(deals)
    folds, missing = fold(tournament, folder)
    if not missing:
        for name, data in report.results(tournament, folds).items():
            file = folder.path / name
            if not file.exists() or file.read_bytes() != data:
                raise DisagreesError(f"{file}: not what the log comes to")
    return deals, missing


def check_told(path: str, lines: list[str], tally: Tally, entry: Entry) -> None:
    """Every fault that is told of a question stands in the log as a mark at its action."""
    at = {line.split(" ", 1)[0]: number for number, line in enumerate(lines) if not line.startswith("= ")}
    for told in tally.told:
        address = told["deal"].removeprefix(f"{entry.name}/")
        if told["phase"] in entry.deal.phases and address in at:
            actions = lines[at[address]].partition(" | ")[2].split(", ")
            if told["action"] > len(actions) or not actions[told["action"] - 1].startswith(f"!{told['kind']} "):
                raise DisagreesError(f"{path}:{at[address] + 1}: the fault at action {told['action']} is not marked")


class FoundError(Exception):
    """The deal that was looked for has been told."""


class Visit(Record):
    """A log gone through to an address.  `told`: the faults of its shard, as they are told."""

    def __init__(
        self,
        path: str,
        lines: Sequence[str],
        labels: Sequence[str],
        told: Sequence[dict[str, Any]],
        play_deal: Callable[[Any, str, Deal, list[str]], Any],
        end_sitting: Callable[[Any, str, Deal], Any],
    ) -> None:
        super().__init__(path, lines, labels, play_deal)
        self.told, self.end_sitting = told, end_sitting

    def end(self, address: str, deal: Deal) -> None:
        super().end(address, deal)
        self.end_sitting(self, address, deal)


def visit(
    folder: RunFolder,
    address: str,
    play_deal: Callable[[Visit, str, Deal, list[str]], Any],
    tell_end: Callable[[Visit, Deal], Any],
) -> None:
    """Go through a run to one deal, 'nap/17/2/3': `play_deal` is given each deal of its sitting up to it, not yet played.

    A sitting is that of a round-robin; of a freeze-out it is the deal alone.  `tell_end` is given the end of the sitting,
    where that is the address: 'loto/1/1/end'.  LogError if there is no such deal, or end."""
    tournament = folder.tournament()
    parts = address.split("/")
    entry = next((each for each in tournament.entries if each.name == "/".join(parts[:-3])), None)
    numbers = parts[-3:-1] if parts[-1] == "end" else parts[-3:]
    if len(parts) < 4 or not all(part.isdecimal() for part in numbers) or entry is None:
        known = [each.name for each in tournament.entries]
        raise LogError(
            f"{address!r} is no deal of this run: ENTRY/BLOCK/SITTING/DEAL, as {known[0]}/1/1/1"
            f"{did_you_mean(parts[0], known) if parts[0] not in known else ''}"
        )
    block, deal_address, prefix = int(parts[-3]), "/".join(parts[-3:]), "/".join(parts[-3:-1]) + "/"

    def play(record: Visit, at: str, deal: Deal, actions: list[str]) -> None:
        if at == deal_address or entry.format == "round-robin" and at.startswith(prefix):
            play_deal(record, at, deal, actions)
            if at == deal_address:
                raise FoundError
        else:
            replay(deal, actions)

    def end(record: Visit, at: str, deal: Deal) -> None:
        if at == deal_address:
            tell_end(record, deal)
            raise FoundError

    for other, first, who, lines, tally in shards(tournament, folder):
        if other.name == entry.name and first <= block < first + len(who):
            here = (n for n, line in enumerate(lines) if line.startswith((f"= {block}/", f"{block}/")))
            path, lines = str(folder.shard(entry, first)), lines[next(here, len(lines)) :]
            record = Visit(path, lines, entry.labels, tally.told, play, end)
            with suppress(FoundError):
                play_block(record, entry, tournament.seed, block, who[block - first], Tally())
                break
            return
    raise LogError(f"{address}: there is no such deal in {folder.path}")


def tell(
    deal: Deal,
    play: Callable[[Ask], Action | None],
    seat: int | None = None,
    who: Sequence[str] = (),
    faults: Mapping[int, str] | None = None,
) -> Generator[str, None, bool]:
    """A deal told step by step in the words of the game, with all cards open or as one seat sees it.

    `play` answers each question; where it has no answer the story breaks off.  `faults`: by action, the words of a fault
    for which it was forfeited, "" if that goes on.  Returns whether it came to its end."""
    title, faults = report.with_options(deal.title, changed(type(deal), deal.rules)), faults or {}
    yield f"{title} · {deal.players} seats · dealer {deal.dealer}"
    if who:
        yield by_seat("seats", who)
    if deal.stacks is not None:
        yield by_seat("stacks", deal.stacks)
    story, answer, before, held = deal.deal(), None, dict[str, str](), dict[int, set[str]]()
    while True:
        try:
            ask = story.send(answer)
        except StopIteration:
            break
        yield from hands(deal, seat, held)
        before = yield from changes(deal, before)
        answer = play(ask)
        if answer is None:
            yield f"{'':>6}seat {ask.seat}  {ask.phase:<9} is asked: {some_of(ask.legal)}"
            return False
        fault = faults.get(len(deal.actions)) if seat in (None, ask.seat) else None
        if fault:
            yield f"{'':>6}seat {ask.seat} is at fault: {fault}; the first legal action is played for it"
        deal.asked.append(ask)
        deal.actions.append(answer)
        seen: Said | Any = answer if seat in (None, ask.seat) else list(deal.seen_by(seat))[-1].action
        yield f"{len(deal.actions):>4}  seat {ask.seat}  {ask.phase:<9} {'' if fault is None else '! '}{seen}"
    before = yield from changes(deal, before)
    yield nets(deal)
    yield "next     " + in_words(
        {"dealer": deal.next_dealer(), **deal.pools, **({"stacks": deal.stacks} if deal.stacks is not None else {})}
    )
    return True


def by_seat(what: str, each: Iterable[object]) -> str:
    return f"{what:<9}" + "   ".join(f"{seat} {thing}" for seat, thing in enumerate(each))


def nets(deal: Deal) -> str:
    return by_seat("net", [f"{net:+d}" for net in deal.net])


def hands(deal: Deal, seat: int | None, held: dict[int, set[str]]) -> Iterator[str]:
    """The hands that have got cards since the last time, as far as this seat sees them."""
    for at, hand in enumerate(deal.hands or ()):
        if seat in (None, at):
            if not held.get(at, set()) >= set(hand):
                yield f"hand {at}   {in_words(hand)}"
            held[at] = set(hand)


def changes(deal: Deal, before: dict[str, str]) -> Any:
    """What has changed of all that lies open, a line for each; returns how it stands."""
    now = {name: in_words(getattr(deal, name, None)) for name in deal.public}
    now |= {f"pool {name}" if name != "pool" else "pool": str(counters) for name, counters in deal.pools.items()}
    for name, value in now.items():
        if value != before.get(name, "-") and not (not before and value in ("0", "false", "-")):
            yield f"{'':>25}{name}: {value}"
    return now


def some_of(legal: Sequence[Action]) -> str:
    """The legal actions, as far as a line holds them."""
    few = [str(legal[at]) for at in range(min(count(legal), 12))]
    return ", ".join(few) + (f" ... ({count(legal)} in all)" if count(legal) > len(few) else "")
