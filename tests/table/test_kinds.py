"""The kind of each value that views show: by hand where it is a seat, and by what is shown in play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, Literal, NamedTuple, NewType

import pytest
from helpers.deals import examples

from roundsim import games
from roundsim.base.errors import DeclarationError
from roundsim.games.nap import Nap
from roundsim.guests.inside.views import guest_view as guest_view_of
from roundsim.reports import explain
from roundsim.table.actions import PASS, Action
from roundsim.table.cards import CARD, Card
from roundsim.table.deal import Ask, Deal
from roundsim.table.kinds import Each, Kind, Kinds, Seat, annotation_type, kind_of
from roundsim.table.view import Said, TableView, ViewType, public
from roundsim.testing import Table, for_any_sitting, play_sitting
from roundsim.testing.tables import as_many_as_go, every_seventh, some_options, usual_table
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

STAKING = "-eldest *dealt_in *still_in"
BETTING = f"{STAKING} -better"
TRICKS = "-leader tricks"
STOPS = "-leader -winner played"
EXCHANGE = "*order -knocker"
BY_HAND = {  # names that hold seats, by the help of each (`-`: one seat; `*`: some seats); names that have an entry for each
    "ambigu": (BETTING, "stake shown drawn"),
    "bouillotte": (f"{BETTING} -age -opener -privilege", "stake shown"),
    "brag": (f"{BETTING} *retired taken compared", "stake shown face_up totals"),
    "cassino": ("*order -last_taker", "piles sweeps score"),
    "commerce": (f"{EXCHANGE} *trading *stood", "shown lives"),
    "draw-poker": (
        f"{BETTING} -last_say *came_in -opener payer -buck",
        "stake shown payer drawn passed_jack barred paid",
    ),
    "flat-poker": (f"{STAKING} -backer *callers", "stake shown drawn"),
    "jig": (STOPS, "cards_left"),
    "loo": (f"{TRICKS} *winners *order *standing -miss -defender", "won declared"),
    "loto": ("", "cards held"),
    "my-bird-sings": ("*order -turn *sang", "shown tricks"),
    "nap": (f"{TRICKS} *order -senior -original_dealer", "won bought"),
    "newmarket": (STOPS, "cards_left"),
    "pope-joan": (STOPS, "cards_left"),
    "show-down-poker": ("-eldest *still_in", "hands drawn put_out"),
    "snip-snap-snorum": ("played -first_out", "cards_left lives"),
    "solo-whist": (f"{TRICKS} calls -caller -partner", "won"),
    "speculation": ("-chief -pointer -seller", "turned unturned bids"),
    "spin": (f"{STOPS} -exempt", "cards_left shown"),
    "spoil-five": (f"{TRICKS} *order -robber -declined -debarred -jinker", "won scores"),
    "straight-poker": (f"{BETTING} *passed -buck", "stake shown"),
    "stud-poker": (f"{BETTING} *passed -buck", "stake shown up"),
    "thirty-one": (EXCHANGE, "shown"),
    "vingt-un": ("-banker -buyer *order *naturals", "bids stakes drawn fate shown"),
    "whiskey-poker": (EXCHANGE, "shown lives"),
}
OTHERWISE = {
    "tricks": "list of (seat, cards)",
    "played": "map of card to seat",
    "taken": "map of word to seat",
    "compared": "map of seat to cards",
    "payer": "each seat",
    "calls": "list of (seat, word)",
}


def own_kinds(view: Any) -> dict[str, str]:
    """The kinds of a view's own names, as text."""
    return {name: str(kind) for name, kind in view.kinds.items() if name not in EVERY_VIEW}


def seats_in(names: str) -> dict[str, str]:
    plain = {"-": "seat", "*": "seats"}
    return {name.lstrip("-*"): plain[name[0]] if name[0] in plain else OTHERWISE[name] for name in names.split()}


@pytest.mark.parametrize("name", games.ours())
def test_seats_are_declared_as_seats_and_nothing_else_is(name: str) -> None:
    """And lists by seat as such; a value that is carried moves with the players as its kind says."""
    deal, (seats, by_seat) = games.find(name), BY_HAND[name]
    kinds = own_kinds(deal.View)
    assert {key: kind for key, kind in kinds.items() if "seat" in kind} == seats_in(seats)
    assert {key for key, kind in kinds.items() if kind.startswith("each ")} == {*by_seat.split()}
    every = {key: str(kind) for key, kind in deal.View.kinds.items()}
    assert {key: every[key] for key in EVERY_VIEW} == EVERY_VIEW
    assert every.keys() == {*EVERY_VIEW, *deal.public, *deal.private}
    for key, carry in deal.carried.items():
        if key in deal.public:
            kind = every[key]
            moves = "seats" if kind == "each seat" else kind.split()[0] if "seat" in kind or "each" in kind else ""
            assert carry.names == moves, key


def test_the_rest_of_some_games() -> None:
    """By their helps: values that are no seat, and have no entry for each."""
    assert own_kinds(Nap.View) | own_kinds(games.find("vingt-un").View) | own_kinds(games.find("loto").View) == {
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
    assert own_kinds(games.find("loo").View)["declared"] == "each word"
    assert own_kinds(games.find("brag").View)["face_up"] == "each card"
    assert own_kinds(games.find("solo-whist").View)["turned"] == "card"


FITS: dict[str, Callable[[Any], bool]] = {
    "card": lambda value: type(value) is Card,
    "number": lambda value: type(value) is int,
    "flag": lambda value: type(value) is bool,
    "word": lambda value: isinstance(value, str) and not isinstance(value, Card),
}


def wrong(kind: Kind, value: Any, players: int, nobody: bool = False) -> list[Any]:
    """The parts of a value that are not of its kind at this table; `nobody`: -1 may stand for a seat."""
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
def test_every_value_shown_is_of_its_kind(name: str, examples: int) -> None:
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


SEAT, CARDS, NUMBER, WORD = Kind("seat"), Kind("card"), Kind("number"), Kind("word")
OF_KIND: list[tuple[Kind, list[Any]]] = [
    (SEAT, [None, 3]),
    (CARDS, [CARD["As"]]),
    (WORD, [PASS]),
    (Kind("each", (NUMBER,)), [(1, None, 3, 4), ()]),
    (Kind("map", (CARDS, SEAT)), [{CARD["As"]: 0}]),
]
NOT_OF_KIND: list[Any] = [
    *[(SEAT, value, [value]) for value in (4, -1, True)],
    *[(CARDS, "As", ["As"]), (NUMBER, True, [True]), (Kind("flag"), 1, [1])],
    *[(WORD, value, [value]) for value in (1, CARD["As"])],
    (Kind("each", (NUMBER,)), (1, 2, 3), [(1, 2, 3)]),
    *[(Kind("list", (SEAT,)), (0, 4), [4]), (Kind("list", (SEAT,)), 0, [0])],
    *[(Kind("map", (CARDS, SEAT)), {CARD["As"]: 9}, [9]), (Kind("map", (CARDS, SEAT)), {"As": 3}, ["As"])],
    (Kind("map", (WORD, NUMBER)), {CARD["As"]: 3, "game": True}, [True]),
    (Kind("map", (WORD, NUMBER)), {1: 2}, [1]),
    (Kind("map", (WORD, NUMBER)), (("game", 1),), [(("game", 1),)]),
    *[(Kind("tuple", (SEAT, WORD)), (0,), [(0,)]), (Kind("tuple", (SEAT, WORD)), (7, "call"), [7])],
]


def test_values_of_another_kind_are_found_at_a_table_of_four() -> None:
    assert [wrong(kind, value, 4) for kind, values in OF_KIND for value in values if wrong(kind, value, 4)] == []
    for kind, value, found in NOT_OF_KIND:
        assert wrong(kind, value, 4) == found


class Lead(NamedTuple):
    seat: Seat
    card: Card | None


Counters = NewType("Counters", int)


KIND_OF_TYPE = {
    **{
        "Card": "card",
        "Card | None": "card",
        "Seat | None": "seat",
        "int": "number",
        "float": "number",
        "bool": "flag",
    },
    **{"str | None": "word", "Action | str": "word", "Literal['old', 'new']": "word"},
    **{"Literal[1, 2, None]": "number", "Counters": "number"},
    **{"tuple[Card, ...]": "cards", "list[bool]": "flags", "frozenset[Seat]": "seats"},
    **{"tuple[int | None, ...]": "numbers", "tuple[tuple[Card, ...], ...]": "list of cards"},
    **{"Each[int]": "each number", "Each[int | None] | None": "each number", "Each[Seat]": "each seat"},
    **{"Each[tuple[Card, ...]]": "each cards", "tuple[Each[int], ...]": "list of each number"},
    **{"tuple[Seat, tuple[Card, ...]]": "(seat, cards)", "tuple[Lead, ...]": "list of (seat, card)"},
    "tuple[Said, ...]": "list of (seat, word, word)",
    **{"Mapping[Card, Seat]": "map of card to seat", "dict[str, tuple[Seat, ...]]": "map of word to seats"},
}


def test_a_type_has_its_kind() -> None:
    names = {**globals(), "Literal": Literal}
    assert {text: str(kind_of(annotation_type(text, names))) for text in KIND_OF_TYPE} == KIND_OF_TYPE


def test_to_all_others_seats_are_numbers_and_lists_by_seat_are_lists() -> None:
    assert Seat is int and Each[int] == tuple[int, ...]
    assert kind_of(Seat) == Kind("number")


UNKNOWN = {  # types without a kind, and the reason
    "call": ("int | str", r"int \| str, tells no kind \(it may be number or word\)"),
    "stock": ("Card | None | Nothing", r"Card \| None \| Nothing, tells no kind \(name 'Nothing' is not defined\)"),
    "won": ("tuple", r"tuple, tells no kind \(tuple is of no kind\)"),
    "bought": ("Mapping[Seat, Any]", r"Mapping\[Seat, Any\], tells no kind \(Any is of no kind\)"),
    "trick": ("type[Card]", r"type\[Card\], tells no kind \(type is of no kind\)"),
    "senior": ("None", r"None, tells no kind \(None is of no kind\)"),
    "winner": ("", r"Any, tells no kind \(Any is of no kind\)"),
}
Strange = with_others("Strange", {**{name: text for name, (text, _) in UNKNOWN.items()}, "order": "Any", "leader": ""})


def test_a_type_without_a_kind_is_refused_when_its_kind_is_needed() -> None:
    kinds = explain.rules_data(Strange.rules_for(Strange.usual[0]))["kinds"]
    for name, (_, why) in UNKNOWN.items():
        assert name in Strange.View.kinds and kinds[name] is None
        with pytest.raises(DeclarationError, match=rf":\d+: the type of {name}, {why}: expected is one of Card"):
            Strange.View.kinds[name]
    assert kinds["multiplier"] == "number"
    own = Strange.View.kinds  # a name without a type has the kind that it had
    assert own["leader"] == own["order"].of[0] == Kind("seat")


def test_a_name_that_no_view_has() -> None:
    kinds = Nap.View.kinds
    assert "trumph" not in kinds and "legal" not in kinds and len([*kinds]) == len(kinds)
    with pytest.raises(KeyError, match=r"trumph: no name with a kind \(did you mean trumps\?\)"):
        kinds["trumph"]


def test_types_that_are_no_text_are_refused_where_seats_could_not_be_named() -> None:
    class Evaluated:
        __annotations__ = {"leader": int, "trump": Card}

    assert Kinds([Evaluated], ["trump"], {}).names == ["trump"]
    with pytest.raises(DeclarationError, match="cannot be seen without `from __future__ import annotations`"):
        Kinds([Evaluated], ["leader"], {})["leader"]
    assert kind_of(annotation_type(Card, {})) == Kind("card")


@pytest.mark.parametrize("name", ["nap", "loo", "brag"])
def test_a_guest_is_sent_the_same(name: str) -> None:
    game = games.find(name)
    made = guest_view_of(game.rules_for(game.usual[0]))
    assert {**made.kinds} == {**game.View.kinds}


def test_programs_get_the_kinds_as_text() -> None:
    assert explain.rules_data(Nap.rules_for(4))["kinds"] == {name: str(kind) for name, kind in Nap.View.kinds.items()}
    assert kind_of(Action) == Kind("word") and kind_of(Said).of[0] == Kind("seat")
    assert {name: str(kind) for name, kind in TableView.kinds.items()} == EVERY_VIEW
