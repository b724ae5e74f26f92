"""Scripted deals: a deal or a sitting written as a TOML file, played, and checked against the expected result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from .. import games
from ..base import files
from ..base.errors import CardError, OptionError, RoundsimError, RulesError, ScriptError, UnknownGameError, did_you_mean
from ..base.text import in_toml
from ..base.toml import text_of, toml_of
from ..table.actions import Action
from ..table.cards import Card, cards
from ..table.chance import Pack, Source
from ..table.deal import Ask, Deal, State
from ..table.legal import accept, count
from ..table.options import Rules
from ..table.playthrough import Playthrough
from .sitting import Sitting

T = TypeVar("T")
TOP_KEYS = ("game", "players", "dealer", "options", "stacks", "pool", "carry", "deals")
DEAL_KEYS = ("pack", "actions", "error", "expect")
EXPECT_KEYS = ("net", "pool", "carry", "error")
KINDS = {str: "a text", list: "a list of texts", bool: "true or false"}  # of a key of a deal


class DiffersError(RoundsimError):
    """A scripted deal with another result than the script expects. `deal`: as far as it was played; `again`: before it
    was."""

    code = 1
    again: Deal

    def __init__(self, message: str, deal: Deal) -> None:
        super().__init__(message)
        self.deal = deal


class ScriptPack(Pack):
    """A pack in the order of a script: the cards it names, then those it does not, always in the same order."""

    __slots__ = ("left", "named", "where")

    def __init__(self, cards: Iterable[Card], named: list[Card], where: str) -> None:
        self.left, self.named, self.where = list(cards), named, where

    @property
    def cards(self) -> list[Card]:
        return self.left

    def __len__(self) -> int:
        return len(self.left)

    def draw(self, n: int) -> list[Card]:
        drawn = list[Card]()
        if n > len(self.left):
            raise RulesError(f"{self.where}: {n} cards are drawn of {len(self.left)} that are left")
        for _ in range(n):
            card = self.named.pop(0) if self.named else self.left[0]
            if card not in self.left:
                raise ScriptError(f"{self.where}: {card} is named, and is not among the cards that are left")
            self.left.remove(card)
            drawn.append(card)
        return drawn


class ScriptSource(Source):
    """The chance of a scripted deal: the keys of its entry in the file."""

    __slots__ = ("entry", "where", "named", "again", "whole")

    def __init__(self, entry: Mapping[str, Any], where: str) -> None:
        super().__init__("script")
        self.entry, self.where = entry, where
        self.named = read_cards(entry.get("pack", ""), f"{where}: pack")
        self.again = [read_cards(text, f"{where}: reshuffle") for text in entry.get("reshuffle", [])]
        self.whole: Counter[Card] | None = None

    def key(self, name: str, usual: Any = None) -> Any:
        return self.entry.get(name, usual)

    def shuffled(self, things: Iterable[T], what: str) -> list[T]:
        """Return first the things that the script names under this key; for "backs 2" the second in a list of texts."""
        key, _, number = what.partition(" ")
        given, left = self.entry.get(key, [] if number else ""), {str(thing): thing for thing in things}
        texts = given if number else [given]
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise ScriptError(f"{self.where}: {key} must be a {'list of texts' if number else 'text'}, not {given!r}")
        words = texts[int(number or 1) - 1].split() if len(texts) >= int(number or 1) else []
        for word in words:
            if word not in left or words.count(word) > 1:
                raise ScriptError(f"{self.where}: {key}: {word} is {'named twice' if word in left else 'not there'}")
        return [left.pop(word) for word in words] + list(left.values())

    def pack(self, cards: Iterable[Card], what: str = "pack") -> Pack:
        """Return the script's pack; for a second shuffle the next of `reshuffle`, or the cards with which `pack` goes
        on."""
        if what != "pack" and "reshuffle" in self.entry:
            return ScriptPack(cards, self.again.pop(0) if self.again else [], f"{self.where}: reshuffle")
        if self.whole is None:
            self.whole = Counter(cards)
        return ScriptPack(cards, self.named, f"{self.where}: pack")

    def check_rest(self, twice: bool) -> None:
        """Check that cards that are named and were never reached are in the pack, named as often as it has them."""
        pack = Counter(read_cards(self.entry.get("pack", ""), self.where))
        for card, times in pack.items():
            held = 1 if self.whole is None else self.whole[card]
            if not held:
                raise ScriptError(f"{self.where}: pack: {card} is not in this pack")
            if times > held and not twice:
                raise ScriptError(f"{self.where}: pack: {card} is named twice")


def read_cards(text: Any, where: str) -> list[Card]:
    if not isinstance(text, str):
        raise ScriptError(f"{where}: cards are written as text, 'As Kd 2c', not {text!r}")
    try:
        return cards(text)
    except CardError as error:
        raise ScriptError(f"{where}: {error}") from None


@dataclass
class Script:
    """A sitting as a file gives it: its game, rules, state before the first deal, and its deals."""

    path: str
    game: type[Deal]
    rules: Rules
    state: State
    deals: list[dict[str, Any]]

    def lines(self, number: int) -> list[tuple[int, str]]:
        """Return the written actions of a deal, counted from 1: (seat, action) each."""
        lines: list[tuple[int, str]] = []
        if not isinstance(self.deals[number - 1].get("actions", []), list):
            raise ScriptError(f"{self.path}: deal {number}: actions must be a list of texts")
        for at, text in enumerate(self.deals[number - 1].get("actions", []), 1):
            seat, _, action = str(text).partition(" ")
            if not seat.isdecimal() or int(seat) >= self.rules.players or not action.strip():
                raise ScriptError(
                    f"{self.path}: deal {number}: action {at}: {text!r} is not a seat"
                    f" (0 to {self.rules.players - 1}) and an action"
                )
            lines.append((int(seat), " ".join(action.split())))
        return lines

    def play(self) -> Iterator[Deal]:
        """Yield the deals, each played and checked. DiffersError if one has another result than expected."""
        sitting = Sitting(self.game, self.rules, self.state)
        for number in range(1, len(self.deals) + 1):
            again = self.rules.played_by(self.rules, deepcopy(sitting.state), self.source(number))
            try:
                deal, refused = self.play_deal(number, sitting)
            except DiffersError as differs:
                differs.again = again
                raise
            yield deal
            if refused:
                return

    def source(self, number: int) -> ScriptSource:
        return ScriptSource(self.deals[number - 1], f"{self.path}: deal {number}")

    def play_deal(self, number: int, sitting: Sitting) -> tuple[Deal, bool]:
        """Play and check a deal. Returns it, and whether it ended with a refusal that was expected."""
        entry, source = self.deals[number - 1], self.source(number)
        lines, expect = self.lines(number), entry.get("expect", {})
        deal, refused = sitting.next_deal(source), False
        if self.game.end_key and entry.get(self.game.end_key):
            deal.end()
        else:
            refused = play_script_lines(deal, lines, entry.get("error", expect.get("error")))
        source.check_rest(self.game.reshuffles)
        if not refused:
            sitting.settle(deal)
            if differences := list(result_differences(deal, sitting.state, expect)):
                raise DiffersError("\n".join(differences), deal)
        return deal, refused


class ScriptLines:
    """The written lines of a deal as answers. A line answers a question if it is of that seat and legal there; forced
    actions may be omitted."""

    def __init__(self, lines: Sequence[tuple[int, str]]) -> None:
        self.lines, self.at = lines, 0

    @property
    def next(self) -> tuple[int | None, str]:
        """The next line: its seat, None if there is none, and the action."""
        return self.lines[self.at] if self.at < len(self.lines) else (None, "")

    @property
    def last(self) -> bool:
        return self.at == len(self.lines) - 1

    def answer(self, ask: Ask) -> Action | None:
        """Return the answer; None if the next line does not fit, and there is a choice."""
        seat, text = self.next
        with suppress(ValueError):
            if seat == ask.seat:
                action = accept(ask.legal, text)
                self.at += 1
                return action
        return ask.legal[0] if count(ask.legal) == 1 else None


def play_script_lines(deal: Deal, lines: Sequence[tuple[int, str]], error: str | None = None) -> bool:
    """Play a deal by the written lines. Returns True if the last line was refused, as expected in these words."""
    written, playing = ScriptLines(lines), Playthrough(deal)
    while ask := playing.ask:
        seat, text = written.next
        if error is not None and written.last and seat == ask.seat:
            check_refusal(deal, ask, text, error)
            return True
        action = written.answer(ask)
        if action is None and seat == ask.seat:
            why = deal.refusal(ask, Action(text))
            raise DiffersError(f"expected  {seat} {text}\nfound     refused: {why} (phase {ask.phase})", deal)
        if action is None:
            expected = "no more questions" if seat is None else f"{seat} {text}"
            asked = f"seat {ask.seat} is asked (phase {ask.phase})"
            raise DiffersError(f"expected  {expected}\nfound     {asked}", deal)
        playing.answer(action)
    seat, text = written.next
    if seat is not None:
        to_be = " to be refused" if error is not None else ""
        raise DiffersError(f"expected  {seat} {text}{to_be}\nfound     the deal is over", deal)
    return False


def check_refusal(deal: Deal, ask: Ask, action: str, error: str) -> None:
    """Check that the last line of a script with `error` is refused in these words. Raises DiffersError."""
    try:
        accept(ask.legal, action)
    except ValueError:
        why = deal.refusal(ask, Action(action))
        if error in why:
            return
        raise DiffersError(f"expected  {ask.seat} {action} refused: {error}\nfound     refused: {why}", deal) from None
    raise DiffersError(f"expected  {ask.seat} {action} refused: {error}\nfound     legal (phase {ask.phase})", deal)


def result_differences(deal: Deal, state: State, expect: Mapping[str, Any]) -> Iterator[str]:
    """Yield each difference from the expectation, with the expected and the found value; only what it names is
    compared."""
    carry = {"dealer": state.dealer, "stacks": state.stacks, **state.carry}
    pairs: list[tuple[str, Any, Any]] = [("net", expect["net"], deal.net)] if "net" in expect else []
    pairs += [(f"pool.{name}", value, state.pools.get(name)) for name, value in expect.get("pool", {}).items()]
    pairs += [(f"carry.{name}", value, carry.get(name)) for name, value in expect.get("carry", {}).items()]
    for name, expected, value in pairs:
        if expected != value:
            yield f"expected  {name} = {in_toml(expected)}\nfound     {name} = {in_toml(value)}"


def load_script(path: str | Path) -> Script:
    """Return the script of a file; ScriptError says what is wrong with it and where."""
    return read_script(load_toml(path), str(path))


def load_toml(path: str | Path) -> dict[str, Any]:
    """Return the data of a script file. ScriptError."""
    try:
        return toml_of(text_of(files.read_regular_file(path, files.TEXT)))
    except ValueError as error:
        raise ScriptError(f"{path}: no TOML: {str(error)[:200]}") from None
    except OSError as error:
        raise ScriptError(f"{path}: {error.strerror}") from None


def read_script(data: dict[str, Any], path: str) -> Script:
    """Return the script of a file's data, checked as far as possible without playing it."""
    if "game" not in data:
        raise ScriptError(f"{path}: no key `game`: this is no scripted deal")
    try:
        game = games.find(str(data["game"]))
        players = data.get("players", game.usual[0])
        if type(players) is not int:
            raise ScriptError(f"{path}: players must be a whole number")
        rules = game.rules_for(players, toml_table(data, "options", path))
    except UnknownGameError as error:
        raise ScriptError(f"{path}: {error}") from None
    except OptionError as error:
        raise ScriptError("\n".join(f"{path}: {problem}" for problem in error.problems)) from None
    known_keys(data, TOP_KEYS, path)
    carry = dict(toml_table(data, "carry", path))
    dealer = data.get("dealer", carry.pop("dealer", None))
    if dealer is not None and not (type(dealer) is int and 0 <= dealer < players):
        raise ScriptError(f"{path}: dealer must be a seat, 0 to {players - 1}, not {dealer!r}")
    state = game.begin(rules, dealer)
    stacks = data.get("stacks", carry.pop("stacks", None))
    if stacks is not None:
        if state.stacks is None or not same_kind(stacks, state.stacks) or min(stacks) < 0:
            raise ScriptError(f"{path}: stacks must be {players} numbers, in a game played with stacks")
        state.stacks = list(stacks)
    known_keys(toml_table(data, "pool", path), state.pools, f"{path}: pool")
    known_keys(carry, state.carry, f"{path}: carry")
    state.pools.update(data.get("pool", {}))
    for name, counters in state.pools.items():
        if not same_kind(counters, 0) or counters < 0:
            raise ScriptError(f"{path}: pool.{name} must be a number of counters, not {counters!r}")
    for name, value in carry.items():
        if not same_kind(value, start := state.carry[name]):
            raise ScriptError(f"{path}: carry.{name} must be as {in_toml(start)}, not {in_toml(value)}")
        if game.carried[name].names == "seat" and value != start and not 0 <= value < players:
            raise ScriptError(f"{path}: carry.{name} must be a seat, 0 to {players - 1}, not {value}")
        if isinstance(start, tuple):
            text = value if isinstance(value, str) else " ".join(map(str, value))
            carry[name] = tuple(read_cards(text, f"{path}: carry.{name}"))
    state.carry.update(carry)
    deals = data.get("deals")
    if not isinstance(deals, list) or not deals or not all(isinstance(entry, dict) for entry in deals):
        raise ScriptError(f"{path}: no [[deals]]")
    for number, entry in enumerate(deals, 1):
        where = f"{path}: deal {number}"
        known_keys(entry, (*DEAL_KEYS, *game.keys, game.end_key or ""), where)
        known_keys(toml_table(entry, "expect", where), EXPECT_KEYS, f"{where}: expect")
        for name, known in ("pool", state.pools), ("carry", ("dealer", "stacks", *state.carry)):
            known_keys(toml_table(entry.get("expect", {}), name, f"{where}: expect"), known, f"{where}: expect.{name}")
        for key, kind in ("error", str), ("reshuffle", list), ("last", bool), ("final", bool):
            if not isinstance(entry.get(key, kind()), kind):
                raise ScriptError(f"{where}: {key} must be {KINDS[kind]}, not {entry[key]!r}")
    if problems := list(rules.script_refusals(state.carry, deals)):
        raise ScriptError("\n".join(f"{path}: {problem}" for problem in problems))
    script = Script(path, game, rules, state, deals)
    for number in range(1, len(deals) + 1):
        script.lines(number)
        script.source(number)
    return script


def same_kind(value: Any, start: Any) -> bool:
    """Return whether a value may replace another in a script. Carried cards may be a text or a list of them."""
    if isinstance(start, list):
        return isinstance(value, list) and (not start or len(value) == len(start) and all(map(same_kind, value, start)))
    return isinstance(value, str | list) if isinstance(start, tuple) else type(value) is type(start)


def toml_table(data: Mapping[str, Any], key: str, where: str) -> dict[str, Any]:
    value = data.get(key, {})
    if not isinstance(value, dict):
        raise ScriptError(f"{where}: {key} must be a table, not {value!r}")
    return value


def known_keys(data: Iterable[str], known: Iterable[str], where: str) -> None:
    known = list(known)
    for key in data:
        if key not in known:
            raise ScriptError(f"{where}: unknown key {key}{did_you_mean(key, known)}")
