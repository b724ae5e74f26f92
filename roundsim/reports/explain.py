"""Explanations: the games, a game's rules, the strategies."""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from textwrap import fill
from typing import Any

from .. import games as all_games
from ..base import finding
from ..base.errors import DeclarationError, InputError, OptionError, PluginError
from ..base.text import options_in_words
from ..sources import plugins
from ..sources.plugins import Strategy
from ..table.cards import SUIT_NAMES, Card
from ..table.citations import BookRule, at, book_of, in_order_of_the_book, is_at, places_in
from ..table.deal import Deal
from ..table.kinds import Kinds
from ..table.options import Option, Rules
from ..table.teaching import course_of, what_wins_in, with_values
from .reasons import reasons
from .strength import YARDSTICKS, gain, guide_at, measured, strength_of
from .terminal import text_table

OF_EVERY_VIEW = {
    "hand": "your cards",
    "legal": "the actions you may answer with, the one that commits to least first",
    "seat": "your seat, from 0",
    "phase": "what is asked",
    "game": "the id of the game",
    "players": "how many seats there are",
    "dealer": "the seat that deals",
    "pools": "the counters in each pool, by name",
    "stacks": "the counters before each seat; None in a game without stacks",
    "options": "the options of this table by their names: `view.options.stake`",
    "partners": "the other seats that win and lose with you, if there are any now",
    "history": "what was said and done in this deal, as this seat saw it: (seat, phase, action) each",
    "chance": "your own source of chance, a random.Random",
}


def games(form: str) -> str:
    """Return the games in a table, or as JSON."""
    known_games = []
    for name in all_games.names():
        try:
            known_games.append(all_games.find(name))
        except PluginError as error:
            print(f"roundsim: {error}", file=sys.stderr)
    if form == "json":
        return json_text(
            [
                {
                    "game": game.id,
                    "title": game.title,
                    "family": game.family,
                    "players": list(game.seats),
                    "usual": list(game.usual),
                    "source": game.source,
                }
                for game in known_games
            ]
        )
    return (
        text_table(
            [
                [
                    ("game", game.id),
                    ("players", range_text(game.seats)),
                    ("usual", range_text(game.usual)),
                    ("family", game.family),
                ]
                for game in known_games
            ]
        )
        + "\n"
    )


def range_text(pair: tuple[int, int]) -> str:
    return str(pair[0]) if pair[0] == pair[1] else f"{pair[0]}-{pair[1]}"


def rules(table: Rules, forms: Sequence[Rules], form: str, long: bool = False) -> str:
    """Return everything about a form of a game for players and authors of strategies; `long`: also every rule of the
    game with its place. `forms`: those that have an example."""
    data, every = rules_data(table, forms), in_order_of_the_book(table.of) if long else []
    if form == "json":
        return json_text({**data, **({"rules": [as_rule(table, rule) for rule in every]} if long else {})})
    more = ["", "The rules, in the order of the book", "", *rule_lines(table, every)] if long else []
    return "\n".join([*rules_lines(data), *more]) + "\n"


def rules_at(table: Rules, place: str, form: str) -> str:
    """Return the rules at a page, a law or a section. InputError if there is none, with the reason if it is known."""
    game: type[Deal] = table.of
    rules = at(game, place)
    if not rules:
        book, problem = book_of(game), f"{game.title}: no rule is cited from {place!r}"
        silent = [
            f"{where}: {why}"
            for where, why in game.silent.items()
            if any(is_at(other, place) for other in places_in(where, book))
        ]
        raise InputError("; ".join([problem, *(silent or [f"its source is {game.source}"])]))
    if form == "json":
        return json_text([as_rule(table, rule) for rule in rules])
    return "\n".join([game.title, "", *rule_lines(table, rules, code=True)]) + "\n"


def as_rule(table: Rules, rule: BookRule) -> dict[str, Any]:
    """Return a rule as JSON; `moves`: why counters move by it; `code`: file and line."""
    return {
        "rule": rule.name,
        "words": with_values(rule.words, table),
        "source": rule.cited,
        "moves": moves(table.of, rule),
        "code": code_of(rule),
    }


def rule_lines(table: Rules, rules: Sequence[BookRule], code: bool = False) -> Iterator[str]:
    """Yield each rule with its name in the code, its words and its page; why counters move by it.

    `code`: file and line."""
    for rule in rules:
        yield hanging_indent(f"  {rule.name}  ", f"{with_values(rule.words, table)} ({rule.cited})")
        if code:
            yield f"    {code_of(rule)}"
        if why := moves(table.of, rule):
            yield hanging_indent("    counters: ", "; ".join(why))


def code_of(rule: BookRule) -> str:
    """Return file and line of a rule."""
    file, _, line = rule.line.rpartition(":")
    return f"{finding.display_path(Path(file))}:{line}"


def moves(game: type[Deal], rule: BookRule) -> list[str]:
    return reasons(game, rule.function) if rule.function else []


def rules_data(table: Rules, forms: Sequence[Rules] = ()) -> dict[str, Any]:
    """Return everything about a form of a game as data; `forms`: those that have an example."""
    game: type[Deal] = table.of
    packs = packs_of(game, {key: getattr(table, key) for key in table.given})
    largest: Sequence[Card] = max(packs.values(), key=len)
    return {
        "game": game.id,
        "title": game.title,
        "about": inspect.getdoc(game) or "",
        "family": game.family,
        "players": list(game.seats),
        "usual": list(game.usual),
        "source": game.source,
        "cards": list(map(str, largest)),
        "packs": {str(players): len(pack) for players, pack in packs.items()},
        "form": table.changed(),
        "forms": [{"players": taught.players, "options": taught.changed()} for taught in forms],
        "what_wins": "\n".join(what_wins_in(table)),
        "course": "\n".join(course_of(table)),
        "phases": game.phases,
        "view": {**game.private, **game.public, **OF_EVERY_VIEW},
        "kinds": {name: kind_in_words(game.View.kinds, name) for name in game.View.kinds},
        "pools": list(game.pool_names),
        "carried": {name: carry.help for name, carry in game.carried.items()},
        "options": list(map(option_data, game.options)),
    }


def packs_of(game: type[Deal], given: Mapping[str, object]) -> dict[int, Sequence[Card]]:
    """Return the cards of the pack by the number of players, at tables with these options."""
    packs = dict[int, Sequence[Card]]()
    for players in range(game.seats[0], game.seats[1] + 1):
        with suppress(OptionError):  # so many may not play with these options
            packs[players] = game.cards_at(game.rules_for(players, given))
    return packs


def option_data(option: Option) -> dict[str, Any]:
    return {
        "key": option.key,
        "values": str(option.values),
        "default": option.default_text(),
        "help": option.help,
        "belongs": option.forms(),
        "source": option.page,
    }


def option_line(option: dict[str, Any]) -> str:
    """Return 'true or false; default false. With variant = pool: whether ... (p. 21)'."""
    form = f"With {option['belongs']}: " if option["belongs"] else ""
    return f"{option['values']}; default {option['default']}. {form}{option['help']} ({option['source']})"


def how_many(packs: Mapping[str, int]) -> str:
    """Return '52 cards', or where that depends on the players '16 cards for 2 or 3 players, 20 for 4, 24 for 5'."""
    by_size = {size: " or ".join([players for players in packs if packs[players] == size]) for size in packs.values()}
    (size, players), *others = by_size.items()
    if not others:
        return f"{size} cards"
    return ", ".join([f"{size} cards for {players} players", *[f"{size} for {who}" for size, who in others]])


def how_written(cards: Sequence[str], packs: Mapping[str, int]) -> str:
    """Return how a card of this pack and an answer are written."""
    answer = "An answer is a verb, and what it is about: " + ("`play As`." if cards else "`take 2`.")
    if not cards:
        return answer
    suits = ", ".join(f"{letter} {name}" for letter, name in SUIT_NAMES.items())
    ranks = {card[0] for card in cards}
    letters = " ".join(rank for rank in "AKQJT" if rank in ranks)
    example, ten = ("`Td` the ten", ", where T is the ten") if "T" in ranks else ("`9d` the nine", "")
    extra = {"E": "E is the eleven", "W": "W the twelve", "Jo": "`Jo` is the joker"}
    signs = [meaning for sign, meaning in extra.items() if any(card.startswith(sign) for card in cards)]
    more = f" {', '.join(signs)}." if signs else ""
    return (
        f"There are {how_many(packs)}. A card is its rank and its suit: `As` is the ace of spades, {example} of"
        f" diamonds. Ranks are {letters} and numbers{ten}; suits are {suits}.{more} {answer}"
    )


def kind_in_words(kinds: Kinds, name: str) -> str | None:
    """Return the kind of a name in a view; None if its type gives none."""
    try:
        return str(kinds[name])
    except DeclarationError:
        return None


def rules_lines(data: dict[str, Any]) -> Iterator[str]:
    yield f"{data['title']} ({data['game']})"
    yield ""
    yield wrapped_paragraph(data["about"])
    yield ""
    yield f"  family   {data['family']}"
    players, usual = range_text(tuple(data["players"])), range_text(tuple(data["usual"]))
    yield f"  players  {players}" + (f", usual {usual}" if usual != players else "")
    if data["form"]:
        yield hanging_indent("  form     ", options_in_words(data["form"]))
    if others := [
        options_in_words(taught["options"]) or f"{taught['players']} players" for taught in data["forms"][1:]
    ]:
        yield hanging_indent("  forms    ", f"{'; '.join(others)} (--option and --players teach them)")
    yield hanging_indent("  source   ", data["source"])
    yield "\nWhat wins"
    for part in data["what_wins"].splitlines():
        yield "\n" + wrapped_paragraph(part)
    yield "\nHow cards and answers are written\n"
    yield wrapped_paragraph(how_written(data["cards"], data["packs"]))
    yield "\nA deal\n"
    for number, step in enumerate(data["course"].splitlines(), 1):
        yield hanging_indent(f"  {number}. ".rjust(6), step)
    own = {name: help for name, help in data["view"].items() if name not in OF_EVERY_VIEW}
    for title, names in (
        ("Phases and their answers", data["phases"]),
        ("The view in this game", own),
        ("The view in every game", OF_EVERY_VIEW),
        ("Carried from deal to deal", data["carried"]),
    ):
        if names:
            yield f"\n{title}\n"
            width = max(map(len, names)) + 2
            for name, help in names.items():
                yield hanging_indent(f"  {name:<{width}}", help)
    if data["options"]:
        yield "\nOptions\n"
        width = max(len(option["key"]) for option in data["options"]) + 2
        for option in data["options"]:
            yield hanging_indent(f"  {option['key']:<{width}}", option_line(option))


def wrapped_paragraph(text: str) -> str:
    return hanging_indent("  ", text)


def hanging_indent(head: str, text: str) -> str:
    return fill(
        " ".join(text.split()),
        96,
        initial_indent=head,
        subsequent_indent=" " * len(head),
        break_long_words=False,
        break_on_hyphens=False,
    )


def strategies(paths: Sequence[str], form: str, broken: list[str]) -> str:
    """Return the strategies at these paths, or all installed ones; `broken` lists those that cannot be loaded. The id of a
    game instead of a path is all strategies that play it, with their strength."""
    if len(paths) == 1 and paths[0] in all_games.names():
        strategies = [strategy for strategy in plugins.installed(broken) if strategy.plays(paths[0])]
        return (
            json_text([*map(strategy_data, strategies)]) if form == "json" else strategies_of_game(paths[0], strategies)
        )
    plugins.describe_ahead(paths)
    strategies = [strategy for path in paths for strategy in plugins.find(path, broken=broken)]
    strategies = strategies if paths else plugins.installed(broken)
    if broken and not strategies:
        return ""
    if form == "json":
        return json_text([*map(strategy_data, strategies)])
    return (
        text_table(
            [
                [
                    ("strategy", strategy.name),
                    ("games", ", ".join(strategy.games) or "all"),
                    ("sha256", strategy.sha256[:8])
                    if paths
                    else ("over book", " / ".join(gain(strategy, game, "book") for game in strategy.games)),
                    ("path", finding.display_path(Path(strategy.path))),
                ]
                for strategy in strategies
            ]
        )
        + "\n"
    )


def strategy_data(strategy: Strategy) -> dict[str, Any]:
    """Return a strategy for JSON, with its strength in each game where it was measured."""
    return {
        "name": strategy.name,
        "games": list(strategy.games) or ["*"],
        "path": strategy.path,
        "sha256": strategy.sha256,
        "help": strategy.help,
        "strength": strength_of(strategy),
    }


def strategies_of_game(game: str, strategies: Sequence[Strategy]) -> str:
    """Return the strategies that play a game, with their strength against `random` and `book`."""
    deal = all_games.find(game)
    seats = measured()["games"].get(game, {}).get("seats", deal.usual[0])
    rows = [
        [
            ("strategy", strategy.name),
            *((f"over {other}", gain(strategy, game, other)) for other in YARDSTICKS),
            ("path", finding.display_path(Path(strategy.path))),
        ]
        for strategy in sorted(strategies, key=lambda strategy: strategy.name)
    ]
    heading = f"{deal.title}, {seats} seats: the gain of a deal, in its standard deviations (95 %)"
    return "\n".join([f"{heading}\n\n{text_table(rows)}", *guided_seats(deal, strategies), ""])


def guided_seats(deal: type[Deal], strategies: Sequence[Strategy]) -> Iterator[str]:
    """Yield a sentence for each strategy that answers as another one at some numbers of seats, with the usual options."""
    for strategy in strategies:
        low, high = deal.seats
        at = {seats: guide_at(strategy, partial(deal.rules_for, seats, None)) for seats in range(low, high + 1)}
        for guide in filter(None, dict.fromkeys(at.values())):
            own = ", ".join(str(seats) for seats, other in at.items() if other != guide)
            yield f"{strategy} has its own answers at {own} seats; at others it answers as {guide} does."


def json_text(data: Any) -> str:
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"
