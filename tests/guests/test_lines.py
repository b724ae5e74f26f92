"""Lines of the wire: encoded, decoded, and read by the types of a view."""

from __future__ import annotations

import json
import socket
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundsim import games
from roundsim.guests.encoding import encode_lines
from roundsim.guests.inside import lines
from roundsim.guests.inside.shim import Wire
from roundsim.guests.inside.views import guest_view, reader, show, table_type
from roundsim.table.actions import Action
from roundsim.table.cards import CARD, Card
from roundsim.table.chance import Chance
from roundsim.table.view import Said

TEXTS = st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from([*CARD.values(), Action("play As")])
SINGLE = st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | TEXTS
VALUES = st.recursive(
    SINGLE,
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(TEXTS, inner)
        | st.dictionaries(st.integers(0, 99), inner).map(MappingProxyType)
        | st.frozensets(st.integers(0, 99))
    ),
)


@pytest.mark.soak
@given(VALUES)
def test_the_engine_sends_plain_json(value: Any) -> None:
    def plain(thing: Any) -> Any:
        return dict(thing) if isinstance(thing, MappingProxyType) else sorted(thing)

    assert json.loads(encode_lines([value])) == json.loads(json.dumps(value, default=plain))


@given(st.lists(st.lists(st.none() | st.integers(-(2**63), 2**63 - 1) | st.text(), min_size=1), min_size=1))
def test_answers_of_a_guest_are_read_as_they_were_written(said: list[Any]) -> None:
    assert lines.decode(lines.encode_answers(said)) == said


def test_values_are_sent_and_read_by_their_types() -> None:
    card, cards = reader(Card), reader(tuple[Card, ...])
    assert card("As") is CARD["As"] and cards(["As", "Jo"]) == (CARD["As"], CARD["Jo"])
    assert type(reader(Action)("play As")) is Action
    assert reader(Card | None)(None) is None and reader(Card | None)("Kd") is CARD["Kd"]
    assert reader(tuple[tuple[int, tuple[Card, ...]], ...])([[1, ["Kd"]]]) == ((1, (CARD["Kd"],)),)
    assert reader(tuple[Said, ...])([[1, "call", "pass"]]) == (Said(1, "call", Action("pass")),)
    rules = games.find("spin").rules_for(4, {"stake": 3})
    sent = json.loads(encode_lines([(rules.options, Said(2, "play", Action("play As")))]))
    assert sent == [rules.options._asdict(), [2, "play", "play As"]]
    assert lines.decode(lines.encode_answers([[1, "\ud800"]]) + b'[2,"\\udfff"]\n') == [[1, "\ud800"], [2, "\udfff"]]
    for said in b"[1", b"[1,0]]", b"[1,0],", b"\xff", b"[" * 100_000, b"[1,\n2]", b"[01,0]":
        with pytest.raises(ValueError):
            lines.decode(b"[2,0]\n" + said + b"\n")


def test_a_view_asks_once_for_what_was_not_sent() -> None:
    asked = []

    def see(number: int, name: str) -> Any:
        asked.append((number, name))
        return ["Ks"]

    rules = games.find("nap").rules_for(4)
    made: Any = tuple.__new__
    table = table_type(rules, see)()
    table.number = 7
    view = made(guest_view(rules), (table, 2, "play", (), Chance()))
    show(view, {"hand": ["As"], "trumps": None})
    assert (view.hand, view.trumps, view.seat) == ((CARD["As"],), None, 2) and asked == []
    assert view.trick == view.trick == (CARD["Ks"],) and asked == [(7, "trick")]
    with pytest.raises(AttributeError, match="hand: nothing of it can be set"):
        view.hand = ()


def test_a_reply_may_come_after_other_lines() -> None:
    """The others are taken later, in their order, whether they came before it or after."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        wire = Wire(theirs)
        ours.sendall(b'["ask",1,1,"call",["pass"],{}]\n["ask",2,1,"call",["pass"],{}]\n["le')
        wire.wait()
        assert wire.lines.popleft() == ["ask", 1, 1, "call", ["pass"], {}]
        ours.sendall(b'ave",0,7]\n["seen",1,"trick",["Ks"]]\n["move",0,1,3]\n["le')
        assert wire.see(1, "trick") == ["Ks"] and ours.recv(100) == b'["see",1,"trick"]\n'
        ours.sendall(b'ave",0,1]\n')
        wire.read()
        after = [["leave", 0, 7], ["move", 0, 1, 3], ["leave", 0, 1]]
        assert [*wire.lines] == [["ask", 2, 1, "call", ["pass"], {}], *after]
