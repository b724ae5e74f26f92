"""The table in words: values by their kinds, nothing that is empty, and what is paid there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from ..base.errors import DeclarationError
from ..base.text import so_many
from ..table.cards import SUIT_NAMES, Card
from ..table.events import Moved, Party
from ..table.imagined import cards_in
from ..table.kinds import Kind
from ..table.view import TableView, value_text

UNSAID = {
    "tricks",
    "order",
    "original_dealer",
    "played",
    "dealt",
}  # shown by `t` alone: long, the same, or shown before
BY_PLAYERS = {"trick", "run"}  # cards that are shown with those who have played them
AT_FIRST = {"0", "1", "pass"}  # not worth a word when the first question of a deal is asked
POOLS = Kind("map", (Kind("word"), Kind("number")))


class OnTable(NamedTuple):
    """The names of the seats, and the seats that have played cards in this deal."""

    who: Sequence[str]
    players: Mapping[Card, int]

    def values(self, view: TableView) -> dict[str, str]:
        """Return all that a view shows, by name, in words; "" for what is empty, or is nothing but the hand."""
        names = [name for name in (*type(view).public, *type(view).private) if name not in UNSAID]
        values = {name: self.named_value(view, name) for name in names}
        return {**values, "pools": self.text(dict(view.pools), POOLS).removeprefix("pool ")}

    def named_value(self, view: TableView, name: str) -> str:
        thing = getattr(view, name)
        if name in BY_PLAYERS and thing and all(card in self.players for card in thing):
            cards = groupby(thing, key=lambda card: self.who[self.players[card]])
            return ", ".join(f"{who} {' '.join(played)}" for who, played in cards)
        if name in type(view).private and sorted(cards_in(thing)) == sorted(view.hand):
            return ""
        try:
            return self.text(thing, type(view).kinds[name])
        except DeclarationError:  # a game of others, which does not say the kind
            return value_text(thing).removeprefix("-")

    def text(self, thing: Any, kind: Kind) -> str:
        if thing is None or thing == "":
            return ""
        match kind.what:
            case "seat":
                return self.who[thing] if thing in range(len(self.who)) else ""
            case "flag":
                return "yes" if thing else ""
            case "word":
                return SUIT_NAMES.get(thing, str(thing))
            case "each":
                return self.by_seat(thing, kind.of[0])
            case "map":
                key, value = kind.of
                items = [(self.text(name, key), self.text(held, value)) for name, held in thing.items()]
                return ", ".join(f"{name} {held}" for name, held in items if held not in ("", "0"))
            case "list":
                if kind.of[0].what == "seat" and len(thing) == len(self.who):
                    return ""  # all of them: nothing has happened
                return (", " if kind.of[0].what in ("seat", "tuple") else " ").join(self.texts_of_list(thing, kind))
            case "tuple":
                parts = [self.text(part, of) for part, of in zip(thing, kind.of, strict=False)]
                return " ".join(filter(None, parts))
        return str(thing)

    def texts_of_list(self, things: Iterable[object], kind: Kind) -> list[str]:
        return [*filter(None, [self.text(thing, kind.of[0]) for thing in things])]

    def by_seat(self, things: Sequence[object], kind: Kind) -> str:
        """Return a thing for each seat, without those that have none: "you 2, book 1", "10 each"."""
        if kind.what == "seat" and [*things] == [*range(len(self.who))]:
            return ""  # each for itself
        texts = [self.text(thing, kind) for thing in things]
        if len({*texts}) == 1 and kind.what == "number" and len(texts) > 1:
            return "" if texts[0] in ("", "0") else f"{texts[0]} each"
        seated = zip(self.who, texts, strict=False)
        return ", ".join(
            who if kind.what == "flag" else f"{who} {text}" for who, text in seated if text not in ("", "0")
        )


def news(now: Mapping[str, str], before: Mapping[str, str]) -> str:
    """Return what has changed on the table as one text: "trick: book Qd, book#2 3d · call 2 · stopped"."""
    new = {name: text for name, text in now.items() if text and text != before.get(name)}
    new_texts = {name.replace("_", " "): text for name, text in new.items() if before or text not in AT_FIRST}
    parts = [
        label if text == "yes" else text if text.startswith(f"{label} ") else f"{label}: {text}"
        for label, text in new_texts.items()
    ]
    return " · ".join(parts)


def movements(moves: Sequence[Moved], named: Callable[[Party], str], seats: int) -> Iterator[tuple[Party, str]]:
    """Yield movements as sentences, each with its payer; those for one reason as one sentence, if they have one payer,
    or one payee. "" for several payers, who are named in the sentence. `seats`: how many there are at the table."""
    for (why, cited), same in groupby(moves, key=lambda move: (move.why, move.cited)):
        of_reason = [*same]
        payers, payees = (dict.fromkeys(move[side] for move in of_reason) for side in (0, 1))
        parted = [[move] for move in of_reason] if len(payers) > 1 < len(payees) else [of_reason]
        reason = f": {why} ({cited})".removesuffix(" ()")
        for part in parted:
            if len({move.payer for move in part}) == 1:
                paid = [f"{so_often(counters)} to {named(payee)}" for payee, counters in by_payee(part)]
                yield part[0].payer, f"pays {in_a_row(paid)}{reason}"
            else:
                yield "", f"{payers_text(part, named, seats)} to {named(part[0].payee)}{reason}"


def by_payee(moves: Sequence[Moved]) -> Iterator[tuple[Party, list[int]]]:
    for payee in dict.fromkeys(move.payee for move in moves):
        yield payee, [move.counters for move in moves if move.payee == payee]


def so_often(counters: Sequence[int]) -> str:
    """6, 3 times 7, 2 and 3"""
    if len({*counters}) == 1 and len(counters) > 1:
        return f"{so_many(len(counters), 'time')} {counters[0]}"
    return in_a_row([*map(str, counters)])


def payers_text(moves: Sequence[Moved], named: Callable[[Party], str], seats: int) -> str:
    """you, book and book#2 pay 1 each; all pay 1; book pays 2 and you 3"""
    names, counters = [named(move.payer) for move in moves], [move.counters for move in moves]
    if len({*counters}) == 1 and len({*names}) == len(names):
        return f"all pay {counters[0]}" if len(names) == seats else f"{in_a_row(names)} pay {counters[0]} each"
    verb = "pay" if names[0] == "you" else "pays"
    first, *rest = [f"{name} {paid}" for name, paid in zip(names, counters, strict=True)]
    return in_a_row([first.replace(f"{names[0]} ", f"{names[0]} {verb} "), *rest])


def in_a_row(names: Sequence[str]) -> str:
    """you, book and book#2"""
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
