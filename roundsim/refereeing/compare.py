"""Compare files: hands of poker written down with the class of each and their order, checked by the ranking."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..base.errors import OptionError, ScriptError, did_you_mean
from ..base.text import in_toml
from ..mechanics.hands import ECCENTRIC, IN_FORCE, POSITION, Ranking, RankingAlone
from ..table.cards import Card
from .script import known_keys, read_cards, toml_table

TABLE_KEYS = ("options", "hands", "classes", "order")


def compare_tables(data: Mapping[str, Any], where: str) -> Iterator[tuple[str, str]]:
    """Yield each [[compare]] table by its name, "compare 2", and how it differs, "" if it does not. ScriptError."""
    known_keys(data, ("compare",), where)
    tables = data.get("compare")
    if not isinstance(tables, list) or not tables or not all(isinstance(entry, dict) for entry in tables):
        raise ScriptError(f"{where}: no [[compare]]")
    for number, entry in enumerate(tables, 1):
        yield f"compare {number}", "\n".join(_compare(entry, f"{where}: compare {number}"))


def _compare(entry: dict[str, Any], where: str) -> Iterator[str]:
    known_keys(entry, TABLE_KEYS, where)
    hands, ranking = _read_hands(entry, where)
    if "classes" not in entry and "order" not in entry:
        raise ScriptError(f"{where}: neither classes nor order: nothing is expected")
    if "classes" in entry:
        expected = _read_classes(entry["classes"], hands, where)
        classes = [ranking.class_of(hand) for hand in hands]
        if expected != classes:
            yield f"expected  classes = {in_toml(expected)}\nfound     classes = {in_toml(classes)}"
    if "order" in entry:
        order = _read_order(entry["order"], hands, where)
        keys = [ranking.key(hand) for hand in hands]
        best_first = [[at for at, key in enumerate(keys) if key == value] for value in sorted(set(keys), reverse=True)]
        if order != best_first:
            yield f"expected  order = {in_toml(order)}\nfound     order = {in_toml(best_first)}"


def _read_hands(entry: dict[str, Any], where: str) -> tuple[list[list[Card]], Ranking]:
    texts = entry.get("hands")
    if not isinstance(texts, list) or not texts:
        raise ScriptError(f"{where}: hands must be a list of texts, 'As Kd Qh Jc Ts'")
    hands = [read_cards(text, f"{where}: hands") for text in texts]
    ranking = _read_options(toml_table(entry, "options", where), any("Jo" in hand for hand in hands), where).ranking
    for text, hand in zip(texts, hands, strict=True):
        if len(set(hand)) != 5 or len(hand) != 5:
            raise ScriptError(f"{where}: hands: {text!r} are not five different cards")
        for card in hand:
            if card != "Jo" and card[0] not in ranking.ranks:
                raise ScriptError(f"{where}: hands: {card} is not in this pack")
    return hands, ranking


def _read_options(given: dict[str, Any], joker: bool, where: str) -> RankingAlone:
    known_keys(given, IN_FORCE, f"{where}: options")
    try:
        return RankingAlone({**given, "joker": joker})
    except OptionError as error:
        raise ScriptError("\n".join(f"{where}: options: {problem}" for problem in error.problems)) from None


def _read_classes(classes: Any, hands: list[list[Card]], where: str) -> list[str]:
    if not isinstance(classes, list) or len(classes) != len(hands):
        raise ScriptError(f"{where}: classes must be a list of as many names as there are hands, {len(hands)}")
    known = [*POSITION, *ECCENTRIC]
    for name in classes:
        if name not in known:
            raise ScriptError(f"{where}: classes: there is no class {name!r}{did_you_mean(name, known)}")
    return classes


def _read_order(order: Any, hands: list[list[Card]], where: str) -> list[list[int]]:
    # each group from its lowest index up
    if not isinstance(order, list) or not all(isinstance(group, list) and group for group in order):
        raise ScriptError(f"{where}: order must be a list of groups, [[1], [0, 2]]")
    indices = [at for group in order for at in group]
    if any(type(at) is not int for at in indices) or sorted(indices) != list(range(len(hands))):
        raise ScriptError(f"{where}: order must name each hand once, 0 to {len(hands) - 1}")
    return [sorted(group) for group in order]
