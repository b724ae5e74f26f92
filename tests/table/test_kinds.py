"""Of what kind is all that views show: by hand where it is a seat, and by what is shown in play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, Literal, NamedTuple, NewType

import pytest
from helpers.deals import examples

from roundsim import games
from roundsim.errors import DeclarationError
from roundsim.games.nap import Nap
from roundsim.guests.inside.views import guest_view as guest_view_of
from roundsim.reports import explain
from roundsim.table.actions import PASS, Action
from roundsim.table.cards import CARD, Card
from roundsim.table.deal import Ask, Deal
from roundsim.table.kinds import Each, Kind, Kinds, Seat, annotation_type, kind_of
from roundsim.table.view import Said, TableView, ViewType, public
from roundsim.testing import Table, for_any_sitting, play_sitting
from roundsim.testing.sittings import every_seventh
from roundsim.testing.tables import as_many_as_go, some_options, usual_table
from roundsim.testing.views import view_at

EVERY_VIEW = {
    "hand": "cards",
    "seat": "seat",
    "phase": "word",
    "game": "word",
    "players": "number",
    "dealer": "seat",
    "pools": "map of word to number",
    "stacks": "each number",
    "partners": "seats",
    "history": "list of (seat, word, word)",
}

# What holds seats, by what each name's help says.  `-`: of each of these it is one seat; `*`: some seats.
STAKING = "-eldest *dealt_in *still_in"
BETTING = f"{STAKING} -better"
TRICKS = "-leader tricks"
STOPS = "-leader -winner played"
EXCHANGE = "*order -knocker"
WITH_SEATS = {
    "ambigu": BETTING,
    "bouillotte": f"{BETTING} -age -opener -privilege",
    "brag": f"{BETTING} *retired taken compared",
    "cassino": "*order -last_taker",
    "commerce": f"{EXCHANGE} *trading *stood",
    "draw-poker": f"{BETTING} -last_say *came_in -opener payer -buck",
    "flat-poker": f"{STAKING} -backer *callers",
    "jig": STOPS,
    "loo": f"{TRICKS} *winners *order *standing -miss -defender",
    "loto": "",
    "my-bird-sings": "*order -turn *sang",
    "nap": f"{TRICKS} *order -senior -original_dealer",
    "newmarket": STOPS,
    "pope-joan": STOPS,
    "show-down-poker": "-eldest *still_in",
    "snip-snap-snorum": "played -first_out",
    "solo-whist": f"{TRICKS} calls -caller -partner",
    "speculation": "-chief -pointer -seller",
    "spin": f"{STOPS} -exempt",
    "spoil-five": f"{TRICKS} *order -robber -declined -debarred -jinker",
    "straight-poker": f"{BETTING} *passed -buck",
    "stud-poker": f"{BETTING} *passed -buck",
    "thirty-one": EXCHANGE,
    "vingt-un": "-banker -buyer *order *naturals",
    "whiskey-poker": EXCHANGE,
}
OTHERWISE = {
    "tricks": "list of (seat, cards)",
    "played": "map of card to seat",
    "taken": "map of word to seat",
    "compared": "map of seat to cards",
    "payer": "each seat",
    "calls": "list of (seat, word)",
}

# What has an entry for each seat.
BY_SEAT = {
    "ambigu": "stake shown drawn",
    "bouillotte": "stake shown",
    "brag": "stake shown face_up totals",
    "cassino": "piles sweeps score",
    "commerce": "shown lives",
    "draw-poker": "stake shown payer drawn",
    "flat-poker": "stake shown drawn",
    "jig": "cards_left",
    "loo": "won declared",
    "loto": "cards held",
    "my-bird-sings": "shown tricks",
    "nap": "won bought",
    "newmarket": "cards_left",
    "pope-joan": "cards_left",
    "show-down-poker": "hands drawn put_out",
    "snip-snap-snorum": "cards_left lives",
    "solo-whist": "won",
    "speculation": "turned unturned bids",
    "spin": "cards_left shown",
    "spoil-five": "won scores",
    "straight-poker": "stake shown",
    "stud-poker": "stake shown up",
    "thirty-one": "shown",
    "vingt-un": "bids stakes drawn fate shown",
    "whiskey-poker": "shown lives",
}


def told(view: Any) -> dict[str, str]:
    """The kinds of a view's own names, as text."""
    return {name: str(kind) for name, kind in view.kinds.items() if name not in EVERY_VIEW}


def by_hand(names: str) -> dict[str, str]:
    plain = {"-": "seat", "*": "seats"}
    return {name.lstrip("-*"): plain[name[0]] if name[0] in plain else OTHERWISE[name] for name in names.split()}


@pytest.mark.parametrize("name", games.ours())
def test_what_is_a_seat_is_declared_as_one_and_nothing_else_is(name: str) -> None:
    kinds = told(games.find(name).View)
    assert {key: kind for key, kind in kinds.items() if "seat" in kind} == by_hand(WITH_SEATS[name])


@pytest.mark.parametrize("name", games.ours())
def test_what_has_an_entry_for_each_seat_is_declared_so_and_nothing_else_is(name: str) -> None:
    kinds = told(games.find(name).View)
    assert {key for key, kind in kinds.items() if kind.startswith("each ")} == {*BY_SEAT[name].split()}


@pytest.mark.parametrize("name", games.ours())
def test_names_of_every_view(name: str) -> None:
    deal = games.find(name)
    kinds = {key: str(kind) for key, kind in deal.View.kinds.items()}
    assert {key: kinds[key] for key in EVERY_VIEW} == EVERY_VIEW
    assert kinds.keys() == {*EVERY_VIEW, *deal.public, *deal.private}


@pytest.mark.parametrize("name", games.ours())
def test_what_is_carried_moves_with_the_players_as_its_kind_says(name: str) -> None:
    deal = games.find(name)
    for key, carry in deal.carried.items():
        if key in deal.public:
            kind = str(deal.View.kinds[key])
            moves = "seats" if kind == "each seat" else kind.split()[0] if "seat" in kind or "each" in kind else ""
            assert carry.names == moves, key


def test_the_rest_of_some_games() -> None:
    """By their helps: what is no seat, and has no entry for each."""
    assert told(Nap.View) | told(games.find("vingt-un").View) | told(games.find("loto").View) == {
        **{"trick": "cards", "call": "word", "trumps": "word", "spare_in_use": "flag", "multiplier": "number"},
        **{"put_out": "cards", "leader": "seat", "tricks": "list of (seat, cards)", "won": "each number"},
        **{"senior": "seat", "original_dealer": "seat", "bought": "each number"},
        **{"banker": "seat", "buyer": "seat", "price": "number", "bids": "each number", "number": "number"},
        **{"gone": "number", "left": "number", "order": "seats", "stakes": "each numbers", "double": "flag"},
        **{"naturals": "seats", "box": "number", "drawn": "each list of cards", "fate": "each words"},
        **{"shown": "each list of cards", "boxes": "list of cards"},
        **{"set": "map of number to word", "cards": "each numbers", "held": "each number", "stock": "number"},
        **{"knobs_away": "numbers", "knobs": "numbers", "final": "flag"},
    }
    assert told(games.find("loo").View)["declared"] == "each word"
    assert told(games.find("brag").View)["face_up"] == "each card"
    assert told(games.find("solo-whist").View)["turned"] == "card"


# In play.


FITS: dict[str, Callable[[Any], bool]] = {
    "card": lambda value: type(value) is Card,
    "number": lambda value: type(value) is int,
    "flag": lambda value: type(value) is bool,
    "word": lambda value: isinstance(value, str) and not isinstance(value, Card),
}


def wrong(kind: Kind, value: Any, players: int, nobody: bool = False) -> list[Any]:
    """What of a value is not of its kind at a table of so many; `nobody`: -1 may stand for a seat."""
    what, of = kind.what, kind.of
    if value is None:
        return []
    if what == "seat":
        return [] if type(value) is int and (0 <= value < players or nobody and value == -1) else [value]
    if not of:
        return [] if FITS[what](value) else [value]
    if what == "map":
        return wrong_in_map(kind, value, players)
    if not isinstance(value, tuple) or (what == "each" and len(value) not in (0, players)):
        return [value]
    if what != "tuple":
        return [each for thing in value for each in wrong(of[0], thing, players)]
    if len(value) != len(of):
        return [value]
    return [each for inner, thing in zip(of, value, strict=True) for each in wrong(inner, thing, players)]


def wrong_in_map(kind: Kind, value: Any, players: int) -> list[Any]:
    """The same of a mapping; what is named by words may have cards for its names, as the pools of Newmarket."""
    if not isinstance(value, Mapping):
        return [value]
    of_key, of_value = kind.of
    keys = [key for key in value if of_key != Kind("word") or type(key) is not Card]
    found = [each for key in keys for each in wrong(of_key, key, players)]
    return found + [each for thing in value.values() for each in wrong(of_value, thing, players)]


def check_sitting(table: Table, seed: int) -> set[str]:
    """All that is shown to the seat that is asked, and to all at the end, is of its kind.  Returns what was shown at all."""
    kinds: dict[type, dict[str, Kind]] = {}
    met = set[str]()

    def look(deal: Deal, ask: Ask) -> None:
        view = view_at(deal, ask)
        if type(view) not in kinds:
            kinds[type(view)] = {**type(view).kinds}
        for name, kind in kinds[type(view)].items():
            value = getattr(view, name)
            found = wrong(kind, value, table.players, nobody="-1" in deal.public.get(name, ""))
            assert not found, f"{deal.id}: {name} is no {kind} for {table.players} players: {value!r}, in it {found}"
            if value not in (None, (), -1):
                met.add(name)

    for played in play_sitting(table, seed, every_seventh(look))[0]:
        for seat in range(table.players):
            look(played.deal, Ask(seat, "settled", ()))
    return met


@examples(1)
@pytest.mark.parametrize("name", games.ours())
def test_what_is_shown_is_of_its_kind(name: str, examples: int) -> None:
    deal, met = games.find(name), set[str]()
    for_any_sitting(deal, examples, lambda table, seed: met.update(check_sitting(table, seed)))
    assert met >= {"seat", "phase", "dealer", "pools", "history"} and len(met) > len(deal.View.kinds) // 2


def with_others(title: str, annotations: Mapping[str, str]) -> type[Deal]:
    """Nap whose view says of some names that they are something else; of "" it says nothing."""
    said = {name: text for name, text in annotations.items() if text}
    own = {**{name: public("a name", None) for name in annotations}, "__annotations__": said, "__module__": __name__}
    return type(title, (Nap,), {"View": ViewType("View", (Nap.View,), own), "winner": None})


def some_tables(game: type[Deal]) -> Iterator[Table]:
    """The usual one, and others with their options drawn at random."""
    yield usual_table(game)
    for seed in range(100):
        wanted = some_options(game, rng := Random(seed), rng.randrange(6))
        yield as_many_as_go(game, rng.randint(*game.seats), wanted) or usual_table(game)


@pytest.mark.parametrize(
    ("name", "annotation"),
    [
        ("order", "Each[int]"),
        ("won", "tuple[Seat, ...]"),
        ("stock", "Seat"),
        ("call", "Card"),
        ("trick", "tuple[Seat, ...]"),
        ("multiplier", "bool"),
        ("spare_in_use", "int"),
        ("senior", "str | None"),
        ("trumps", "Card | None"),
        ("tricks", "tuple[tuple[tuple[Card, ...], Seat], ...]"),
        ("tricks", "Each[tuple[Card, ...]]"),
        ("put_out", "Mapping[Card, Seat]"),
    ],
)
def test_another_kind_is_found_out(name: str, annotation: str) -> None:
    """Two tricks won are no seat of a table of two, whoever passes for good is in no order: at one of some tables."""
    with pytest.raises(AssertionError, match=f"nap: {name} is no "):
        for seed, table in enumerate(some_tables(with_others("Swapped", {name: annotation}))):
            check_sitting(table, seed)


@pytest.mark.parametrize(
    ("kind", "value", "found"),
    [
        (Kind("seat"), 4, [4]),
        (Kind("seat"), -1, [-1]),
        (Kind("seat"), True, [True]),
        (Kind("seat"), None, []),
        (Kind("card"), "As", ["As"]),
        (Kind("card"), CARD["As"], []),
        (Kind("number"), True, [True]),
        (Kind("flag"), 1, [1]),
        (Kind("word"), PASS, []),
        (Kind("word"), 1, [1]),
        (Kind("word"), CARD["As"], [CARD["As"]]),
        (Kind("each", (Kind("number"),)), (1, 2, 3), [(1, 2, 3)]),
        (Kind("each", (Kind("number"),)), (1, None, 3, 4), []),
        (Kind("each", (Kind("number"),)), (), []),
        (Kind("list", (Kind("seat"),)), (0, 4), [4]),
        (Kind("list", (Kind("seat"),)), 0, [0]),
        (Kind("map", (Kind("card"), Kind("seat"))), {CARD["As"]: 9}, [9]),
        (Kind("map", (Kind("card"), Kind("seat"))), {"As": 3}, ["As"]),
        (Kind("map", (Kind("word"), Kind("number"))), {CARD["As"]: 3, "game": True}, [True]),
        (Kind("map", (Kind("word"), Kind("number"))), {1: 2}, [1]),
        (Kind("map", (Kind("word"), Kind("number"))), (("game", 1),), [(("game", 1),)]),
        (Kind("tuple", (Kind("seat"), Kind("word"))), (0,), [(0,)]),
        (Kind("tuple", (Kind("seat"), Kind("word"))), (7, "call"), [7]),
    ],
)
def test_what_is_found_wrong_at_a_table_of_four(kind: Kind, value: Any, found: list[Any]) -> None:
    assert wrong(kind, value, 4) == found


# By the types.


class Lead(NamedTuple):
    seat: Seat
    card: Card | None


Counters = NewType("Counters", int)


@pytest.mark.parametrize(
    ("annotation", "kind"),
    [
        ("Card", "card"),
        ("Card | None", "card"),
        ("Seat | None", "seat"),
        ("int", "number"),
        ("float", "number"),
        ("bool", "flag"),
        ("str | None", "word"),
        ("Action | str", "word"),
        ("Literal['old', 'new']", "word"),
        ("Literal[1, 2, None]", "number"),
        ("Counters", "number"),
        ("tuple[Card, ...]", "cards"),
        ("list[bool]", "flags"),
        ("frozenset[Seat]", "seats"),
        ("tuple[int | None, ...]", "numbers"),
        ("tuple[tuple[Card, ...], ...]", "list of cards"),
        ("Each[int]", "each number"),
        ("Each[int | None] | None", "each number"),
        ("Each[Seat]", "each seat"),
        ("Each[tuple[Card, ...]]", "each cards"),
        ("tuple[Each[int], ...]", "list of each number"),
        ("tuple[Seat, tuple[Card, ...]]", "(seat, cards)"),
        ("tuple[Lead, ...]", "list of (seat, card)"),
        ("tuple[Said, ...]", "list of (seat, word, word)"),
        ("Mapping[Card, Seat]", "map of card to seat"),
        ("dict[str, tuple[Seat, ...]]", "map of word to seats"),
    ],
)
def test_a_type_tells_its_kind(annotation: str, kind: str) -> None:
    assert str(kind_of(annotation_type(annotation, {**globals(), "Literal": Literal}))) == kind


def test_to_all_others_seats_are_numbers_and_lists_by_seat_are_lists() -> None:
    assert Seat is int and Each[int] == tuple[int, ...]
    assert kind_of(Seat) == Kind("number")


STRANGE = {
    "order": "Any",
    "call": "int | str",
    "stock": "Card | None | Nothing",
    "won": "tuple",
    "bought": "Mapping[Seat, Any]",
    "trick": "type[Card]",
    "senior": "None",
}
Strange = with_others("Strange", {**STRANGE, "winner": "", "leader": ""})


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("call", r"int \| str, tells no kind \(it may be number or word\)"),
        ("stock", r"Card \| None \| Nothing, tells no kind \(name 'Nothing' is not defined\)"),
        ("won", r"tuple, tells no kind \(tuple is of no kind\)"),
        ("bought", r"Mapping\[Seat, Any\], tells no kind \(Any is of no kind\)"),
        ("trick", r"type\[Card\], tells no kind \(type is of no kind\)"),
        ("senior", r"None, tells no kind \(None is of no kind\)"),
        ("winner", r"Any, tells no kind \(Any is of no kind\)"),
    ],
)
def test_what_tells_no_kind_is_refused_when_it_is_asked_for(name: str, why: str) -> None:
    assert name in Strange.View.kinds
    with pytest.raises(DeclarationError, match=rf":\d+: the type of {name}, {why}: expected is one of Card"):
        Strange.View.kinds[name]
    kinds = explain.rules_data(Strange)["kinds"]
    assert kinds[name] is None and kinds["multiplier"] == "number"


def test_what_is_declared_without_a_type_is_of_the_kind_that_it_had() -> None:
    assert Strange.View.kinds["leader"] == Strange.View.kinds["order"].of[0] == Kind("seat")


def test_a_name_that_no_view_has() -> None:
    kinds = Nap.View.kinds
    assert "trumph" not in kinds and "legal" not in kinds and len([*kinds]) == len(kinds)
    with pytest.raises(KeyError, match=r"trumph: no name with a kind \(did you mean trumps\?\)"):
        kinds["trumph"]


def test_types_that_are_no_text_are_refused_where_seats_could_not_be_named() -> None:
    class Evaluated:
        __annotations__ = {"leader": int, "trump": Card}

    assert Kinds([Evaluated], ["trump"], {}).names == ["trump"]
    with pytest.raises(
        DeclarationError, match="Seat and Each cannot be seen without `from __future__ import annotations`"
    ):
        Kinds([Evaluated], ["leader"], {})["leader"]
    assert kind_of(annotation_type(Card, {})) == Kind("card")


@pytest.mark.parametrize("name", ["nap", "loo", "brag"])
def test_a_guest_is_sent_the_same(name: str) -> None:
    game = games.find(name)
    made = guest_view_of(game.rules_for(game.usual[0]))
    assert {**made.kinds} == {**game.View.kinds}


def test_programs_are_reported() -> None:
    assert explain.rules_data(Nap)["kinds"] == {name: str(kind) for name, kind in Nap.View.kinds.items()}


def test_an_action_is_a_word_and_a_plain_view_has_its_names() -> None:
    assert kind_of(Action) == Kind("word") and kind_of(Said).of[0] == Kind("seat")
    assert {name: str(kind) for name, kind in TableView.kinds.items()} == EVERY_VIEW
