"""The view of a seat as numbers: each kind by hand; and they show nothing that the seat cannot know."""

from __future__ import annotations

from array import array
from math import log
from random import Random

import pytest
from helpers.deals import examples

import roundsim
from roundsim import games
from roundsim.base.errors import DeclarationError
from roundsim.bridges.tokens import Spoken
from roundsim.bridges.vectors import Vectors, log_scaled, vectors_at
from roundsim.games.nap import Nap
from roundsim.table.actions import say
from roundsim.table.cards import CARD, PACK, cards
from roundsim.table.deal import Deal, deal_of
from roundsim.table.kinds import Kind
from roundsim.table.view import TableView, public
from roundsim.testing import Table as Drawn
from roundsim.testing import for_any_sitting
from roundsim.testing.tables import usual_table

NUMBER, SEAT, CARD_KIND, WORD, FLAG = map(Kind, ("number", "seat", "card", "word", "flag"))
CARDS = Kind("list", (CARD_KIND,))
QUESTIONS = 60  # of a sitting that are looked at


def vectors_for(game: str | type[Deal] = "nap", **options: object) -> Vectors:
    table = roundsim.Table(game, options=options)
    return Vectors(table.game, table.rules)


TABLE = vectors_for()  # four at the table


def put(kind: Kind, thing: object, seat: int = 1) -> list[float]:
    """The numbers of a thing, rounded, as it is seen from a seat."""
    size, into, *_ = TABLE.coder(kind)
    vector = array("f", bytes(4 * size))
    into(vector, 0, thing, seat)
    return [round(number, 4) for number in vector]


def marks(numbers: list[float]) -> list[int]:
    assert {*numbers} <= {0, 1}
    return [place for place, number in enumerate(numbers) if number]


def size(number: int) -> float:
    """By hand: the natural logarithm of one more, by 14."""
    return round(log(1 + number) / 14, 4)


def test_numbers_flags_seats_and_cards() -> None:
    assert put(NUMBER, 0) == [1, 0] and put(NUMBER, 1) == [1, 0.0495] and put(NUMBER, -1) == [1, -0.0495]
    assert put(NUMBER, 1000) == [1, size(1000)] and size(1000) == 0.4935
    assert put(NUMBER, 10**9) == [1, 1] and put(NUMBER, -(10**9)) == [1, -1]
    assert [log_scaled(n) for n in (-5, 5)] == [-log_scaled(5), log_scaled(5)]
    assert (put(FLAG, True), put(FLAG, False)) == ([1], [-1])
    assert [marks(put(SEAT, seat, seat=1)) for seat in range(4)] == [[3], [0], [1], [2]]
    assert put(SEAT, -1) == [0, 0, 0, 0]
    assert marks(put(Kind("list", (SEAT,)), [1, 2], seat=1)[1:]) == [0, 1]
    assert len(put(CARD_KIND, CARD["As"])) == 52
    assert marks(put(CARD_KIND, CARD["As"])) == [PACK.index(CARD["As"])]
    assert marks(put(CARD_KIND, CARD["Jo"])) == []  # not in this pack
    held = put(CARDS, cards("2s As Kd"))
    assert held[0] == size(3) and marks(held[1:]) == sorted(PACK.index(card) for card in cards("2s As Kd"))


def test_words_by_their_places_strange_ones_share_a_few() -> None:
    names = [*TABLE.words]
    call = put(WORD, say("call", 3))
    assert [names[place] for place in marks([*map(bool, call[: len(names)])])] == ["call"]
    assert marks(call[len(names) : -1]) == [] and call[-1] == size(3)
    assert [names[place] for place in marks(put(WORD, "h")[: len(names)])] == ["h"]
    strange = put(WORD, "zugzwang")
    assert marks(strange[: len(names)]) == [] and len(marks(strange[len(names) :])) == 1
    assert len({tuple(put(WORD, word)) for word in ("over", "natural")}) == 2


def test_things_of_each_seat_and_lists() -> None:
    each = Kind("each", (NUMBER,))
    assert put(each, (5, 6, 7, None), seat=2) == [1, size(7), 0, 0, 1, size(5), 1, size(6)]
    assert put(each, ()) == [0] * 8
    assert put(Kind("map", (SEAT, NUMBER)), {3: 9}, seat=2) == [0, 0, 1, size(9), 0, 0, 0, 0]
    tricks = put(Kind("list", (Kind("tuple", (SEAT, CARDS)),)), [(0, cards("As Ks")), (3, cards("Qs"))], seat=0)
    assert tricks[0] == size(2) and marks(tricks[1:5]) == [0, 3] and tricks[5] == size(1)
    assert marks(tricks[6:]) == sorted(PACK.index(card) for card in cards("As Ks Qs"))
    played = put(Kind("map", (CARD_KIND, SEAT)), {CARD["As"]: 2}, seat=0)
    assert played[0] == size(1) and marks(played[1:]) == [PACK.index(CARD["As"]), 52 + 2]
    numbers = put(Kind("list", (NUMBER,)), [8, 7, 6, 5, 4])
    assert numbers == [size(5), 1, size(8), 1, size(7), 1, size(6), 1, size(5)]
    assert put(Kind("list", (NUMBER,)), [8]) == [size(1), 1, size(8), 0, 0, 0, 0, 0, 0]


def part(vectors: Vectors, vector: array[float], name: str) -> list[float]:
    place = vectors.places[name]
    return [round(number, 4) for number in vector[place.start : place.stop]]


def test_a_view_of_nap() -> None:
    table = roundsim.Table("nap", deals=1)
    table.begin(seed=7)
    view, vector = table.view(), TABLE.of(table.view(), Spoken(TABLE.tokens, table.view().legal))
    assert len(vector) == TABLE.size and view.seat == 0 and view.dealer == 3  # eldest is asked first
    assert part(TABLE, vector, "over") == [0] and part(TABLE, vector, "history") == [0]
    assert marks(part(TABLE, vector, "phase")) == [[*Nap.phases].index("call")]
    assert marks(part(TABLE, vector, "hand")[1:]) == sorted(PACK.index(card) for card in view.hand)
    assert marks(part(TABLE, vector, "dealer")) == [3]
    assert part(TABLE, vector, "senior") == [0, 0, 0, 0]  # nobody yet
    assert part(TABLE, vector, "said") == [0] * (len(TABLE.tokens) + 1)
    table.say("call 2")
    view, vector = table.view(), TABLE.of(table.view())
    assert view.seat == 1 and marks(part(TABLE, vector, "dealer")) == [2]
    assert marks(part(TABLE, vector, "senior")) == [3]  # the caller sits three places on
    assert part(TABLE, vector, "call")[-1] == size(2) and part(TABLE, vector, "history") == [size(1)]
    other = TABLE.of(table.view(3))  # a seat that is not asked
    assert marks(part(TABLE, other, "senior")) == [1]


def test_a_vector_has_the_words_so_far_and_the_end() -> None:
    table = roundsim.Table("flat-poker", options={"limit": 1000}, deals=1)
    vectors, view = Vectors(table.game, table.rules), table.view()
    while not any("discard" in each for each in view.legal[:1]):
        table.say(view.legal[-1] if view.phase == "blind" else view.legal[0])
        if table.over:
            break
        view = table.view()
    begun = Spoken(vectors.tokens, view.legal)
    first = begun.open[-1]
    before = part(vectors, vectors.of(view, begun), "said")
    begun.say(first)
    after = part(vectors, vectors.of(view, begun), "said")
    assert before[first] == 0 and after[first] == 1
    while not table.over:
        table.say(table.view().legal[0])
    assert part(vectors, vectors.of(table.view(0)), "over") == [1]
    assert marks(part(vectors, vectors.of(table.view(0)), "phase")) == []
    table = roundsim.Table("straight-poker", options={"limit": 1000}, deals=1)
    vectors, view = Vectors(table.game, table.rules), table.view()
    bet = Spoken(vectors.tokens, view.legal)
    for word in ("bet", "100"):
        bet.say(vectors.tokens.of[word])
    assert part(vectors, vectors.of(view, bet), "said")[-1] == size(100)


def test_a_strategy_has_the_vectors_of_its_table() -> None:
    table = roundsim.Table("nap", options={"misery": True})
    own = vectors_at(table.view())
    assert own is vectors_at(table.view(2)) and own.rules is table.rules
    assert own.of(table.view()) == Vectors(table.game, table.rules).of(table.view())


def test_a_name_without_a_kind_is_reported() -> None:
    class Odd(Nap):
        class View(Nap.View):
            stock: complex = public("what it is")  # type: ignore[assignment]

    with pytest.raises(DeclarationError, match="stock"):
        vectors_for(Odd)


def check_sitting(table: Drawn, seed: int, kind: type[Vectors] = Vectors) -> int:
    """All vectors have the same length and numbers from -1 to 1, and are the same in another deal that looks the same to
    the seat. Return how many such deals there were."""
    own, rng = roundsim.Table(table.game, table.players, table.given, deals=2, imagines=True), Random(seed)
    own.begin(seed)
    vectors, others = kind(own.game, own.rules), 0
    for _ in range(QUESTIONS):
        for seat in range(own.players):
            vector = vectors.of(own.view(seat))
            assert len(vector) == vectors.size and -1 <= min(vector) <= max(vector) <= 1 and any(vector)
        if own.over:
            break
        view = own.view()
        others += check_unseen(vectors, own, rng)
        own.say(rng.choice(view.legal) if rng.random() < 0.7 else view.legal[0])
    return others


def check_unseen(vectors: Vectors, own: roundsim.Table, rng: Random) -> int:
    """In an imagined deal the vector and the legal tokens are the same."""
    view = own.view()
    found = view.imagine() if own.game.imaginable else None
    if found is None:
        return 0
    there = found.view
    assert there is not None
    ours, theirs = Spoken(vectors.tokens, view.legal), Spoken(vectors.tokens, there.legal)
    while True:
        assert ours.open == theirs.open
        assert vectors.of(view, ours) == vectors.of(there, theirs), "the vector tells what the seat cannot know"
        if not ours.open:
            return 1
        token = rng.choice(ours.open)
        ours.say(token)
        theirs.say(token)


IMAGINED = [name for name in games.ours() if games.find(name).imaginable]


@pytest.mark.parametrize("name", ["nap", "draw-poker", "cassino", "loto"])
def test_a_vector_holds_nothing_hidden(name: str) -> None:
    found = check_sitting(usual_table(games.find(name)), 3)
    assert found or name == "loto"


@examples(1)
@pytest.mark.soak
@pytest.mark.parametrize("name", games.ours())
def test_a_vector_holds_nothing_hidden_at_any_table(name: str, examples: int) -> None:
    found = [check_sitting(usual_table(games.find(name)), seed) for seed in range(3)]
    assert any(found) == (name in IMAGINED)
    for_any_sitting(games.find(name), 5 * examples, lambda table, at: None if check_sitting(table, at) < 0 else None)


class Peeping(Vectors):
    """Looks behind the view, at the hand of the next seat."""

    def of(self, view: TableView, spoken: Spoken | None = None) -> array[float]:
        vector = super().of(view, spoken)
        hands = [hand for hand in deal_of(view).hands if hand != [*view.hand]]
        vector[0] = log_scaled(sum(card.rank for card in hands[0])) if hands else 0
        return vector


def test_a_vector_that_shows_hidden_cards_is_found() -> None:
    with pytest.raises(AssertionError, match="the vector tells what the seat cannot know"):
        check_sitting(usual_table(Nap), 3, Peeping)
