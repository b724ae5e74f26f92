"""The place of a rule in its book: `(pp. 21, 25)`, `(Foster law 40; Baxter-Wray p. 40)`, `(section Brag)`, `(ours)`.

A rule is an option, or a function of a game whose docstring's first paragraph ends in such a citation."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, NamedTuple

from .deal import Deal

KINDS = {"p": "page", "l": "law", "s": "section"}
LISTED = re.compile(r"\b(pp?\.|laws?|sections?)\s+(.+?)(?=[,;]?\s+(?:pp?\.|laws?|sections?)\s|$)")
CITATION = re.compile(r"^(.*?)\s*\(([^()]*)\)\.?$", re.DOTALL)


class CitedPlace(NamedTuple):
    """A page or law, by its number, or a section, by its name, in the book with this first word of its citation."""

    book: str
    kind: str
    what: str


@dataclass(frozen=True)
class BookRule:
    """A rule in a sentence: the `name` of the function or option that states it, its citation, its places in the books,
    the line of code, and the function, if it is one."""

    name: str
    words: str
    cited: str
    places: tuple[CitedPlace, ...]
    line: str = field(compare=False)
    function: Any = field(default=None, compare=False)


def places_in(text: str, book: str = "") -> Iterator[CitedPlace]:
    """Yield every page, law and section that a citation names; `book` if it names none."""
    for part in text.split(";"):
        first = LISTED.search(part)
        if not first:
            continue
        named = re.match(r"\W*([A-Z][\w'-]+)", part[: first.start()])
        book = named[1] if named else book
        for kind, listed in LISTED.findall(part):
            for name in (name.strip(" .\"'") for name in listed.split(",")):
                span = re.match(r"(\d+)(?:-(\d+))?$", name)
                if span and kind[0] != "s":
                    for number in range(int(span[1]), int(span[2] or span[1]) + 1):
                        yield CitedPlace(book, KINDS[kind[0]], str(number))
                elif kind[0] == "s" and name:
                    yield CitedPlace(book, "section", name)


def book_of(game: type[Deal]) -> str:
    """Return the only book of a game's source; "" if there are several."""
    books = {place.book for place in places_in(game.source)}
    return books.pop() if len(books) == 1 else ""


def cited_in(function: Callable[..., Any]) -> tuple[str, str] | None:
    """Return the words of a rule and its citation; None for a function without a docstring, "" as the citation if that
    is missing."""
    text = inspect.getdoc(function)
    if not text:
        return None
    match = CITATION.match(text.split("\n\n")[0])
    return (" ".join(match[1].split()), " ".join(match[2].split())) if match else (text, "")


def cited_by_game(game: type[Deal], function: FunctionType) -> str:
    """Return the place of the rule that a function states, as this game cites it; "" if none is cited.

    A shared step may cite only pages of another game. Then it is the place that the game names, or "as at draw
    poker"."""
    return place_in_game(game, function, (cited_in(function) or ("", ""))[1])


def place_in_game(game: type[Deal], function: FunctionType, cited: str) -> str:
    """Return the place that a citation in a function's docstring has in this game."""
    places = {*places_in(cited, book_of(game))}
    if not (game.as_at and places and hasattr(game, function.__name__)) or places & {*places_in(game.source)}:
        return cited
    own = (place for place, steps in game.own_places.items() if function.__name__ in steps.split())
    return next(own, f"as at {game.as_at}")


def as_cited(game: type[Deal], function: FunctionType, paragraph: str) -> str:
    """Return a paragraph of a function's docstring, with the place that it has in this game."""
    match = CITATION.match(paragraph)
    return f"{match[1]} ({place_in_game(game, function, match[2])})." if match else paragraph


def book_rule(function: FunctionType, game: type[Deal], book: str) -> BookRule | None:
    """Return the rule that a function states, if it cites its place. `book`: as `book_of` returns it."""
    sentence, cited, code = cited_in(function), cited_by_game(game, function), function.__code__
    if sentence is None or not cited:
        return None
    words = sentence[0]
    within = re.findall(r"\(([^()]*)\)", words)  # a part of a sentence may have its own place
    places = tuple(place for text in (*within, cited) for place in places_in(text, book))
    return BookRule(function.__name__, words, cited, places, f"{code.co_filename}:{code.co_firstlineno}", function)


def rules_of_game(game: type[Deal]) -> list[BookRule]:
    """Return the rules of a game, in the order of the deal, then its options."""
    book, by_line = book_of(game), dict[str, BookRule]()
    for owner in owners(game):
        for thing in vars(owner).values():
            function = inspect.unwrap(getattr(thing, "fget", None) or getattr(thing, "func", thing))
            if isinstance(function, FunctionType) and (rule := book_rule(function, game, book)):
                by_line.setdefault(rule.line, rule)
    rules = list(by_line.values())
    for option in game.options:
        rules.append(BookRule(option.key, option.help, option.page, tuple(places_in(option.page, book)), option.place))
    return rules


def owners(game: type[Deal]) -> Iterator[Any]:
    """Yield everything that states rules of a game: its class and those of its forms, its modules, its parents, its
    `Rules`."""
    parents = [parent for parent in game.__mro__ if issubclass(parent, Deal) and parent is not Deal]
    rules = [parent for parent in game.rules_type.__mro__ if parent.__module__ != "roundsim.table.options"]
    classes = [game, *forms_of(game), *parents[1:], *rules]
    yield from classes
    modules = dict.fromkeys(owner.__module__ for owner in classes)
    package = f"{game.__module__.removesuffix('.game')}."
    modules |= dict.fromkeys(name for name in list(sys.modules) if name.startswith(package))
    for name in modules:
        yield _Own(sys.modules[name])


class _Own:
    """The functions that a module defines itself."""

    def __init__(self, module: Any) -> None:
        own = {
            name: thing for name, thing in vars(module).items() if getattr(thing, "__module__", "") == module.__name__
        }
        vars(self).update({name: thing for name, thing in own.items() if not isinstance(thing, type)})


def forms_of(game: type[Deal]) -> list[type[Deal]]:
    """Return the classes that play the forms of a game."""
    home = game.__module__.partition(".")[0]
    own = [form for form in game.__subclasses__() if "id" not in vars(form) and form.__module__.startswith(home)]
    return [kind for form in own for kind in (form, *forms_of(form))]


def is_at(place: CitedPlace, text: str) -> bool:
    """Return whether a text means this page ("21", "pp. 10-11"), law ("law 33") or section ("Jack Pots"), of any
    book."""
    wanted = text.strip()
    named = [
        *places_in(f"p. {wanted}" if re.fullmatch(r"[\d, -]+", wanted) else wanted.lower().replace("page ", "p. "))
    ]
    if any(place.kind != "section" for place in named):
        return any((place.kind, place.what) == (each.kind, each.what) for each in named)
    return place.kind == "section" and place.what.lower() == wanted.lower().removeprefix("section ")


def at(game: type[Deal], text: str) -> list[BookRule]:
    """Return the rules at a page, a law or a section, of any of the game's books."""
    return [rule for rule in rules_of_game(game) if any(is_at(place, text) for place in rule.places)]


def in_order_of_the_book(game: type[Deal]) -> list[BookRule]:
    """Return the rules by their first place: book after book as the source names them, pages, laws, then sections; last
    those that are ours."""
    books = list(dict.fromkeys(place.book for place in places_in(game.source)))

    def order(rule: BookRule) -> tuple[int, int, int, str]:
        if not rule.places:
            return len(books) + 1, 0, 0, ""
        book, kind, what = rule.places[0]
        number, name = (int(what), "") if what.isdecimal() else (0, what)
        return books.index(book) if book in books else len(books), list(KINDS.values()).index(kind), number, name

    return sorted(rules_of_game(game), key=order)
