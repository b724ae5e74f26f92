"""What is written and read natively says the same as its definition in Python, whatever it is."""

from __future__ import annotations

import json
import socket
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundsim.guest.shim import Wire
from roundsim.guest.views import Shown, reads
from roundsim.table.actions import Action
from roundsim.table.cards import CARD
from roundsim.workers.guests import Question, take_answers
from roundsim.workers.sent import as_json_text

pytestmark = pytest.mark.usefixtures("core")
TEXTS = st.text() | st.sampled_from([*CARD.values(), Action("play As"), 'say "no"', "back\\slash", "päss", "\x7f"])
SINGLE = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
VALUES = st.recursive(
    SINGLE,
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(TEXTS, inner)
        | st.dictionaries(st.integers(), inner).map(MappingProxyType)
        | st.frozensets(st.integers())
    ),
)


@given(VALUES)
def test_what_is_sent(value: Any) -> None:
    def plain(thing: Any) -> Any:
        return dict(thing) if isinstance(thing, MappingProxyType) else sorted(thing)

    assert as_json_text(value) == json.dumps(value, default=plain, separators=(",", ":"))


def asked(*numbers: int) -> dict[int, Question]:
    return {number: Question(("1/1/1", 0, "call", number), None) for number in numbers}


def test_answers_are_taken() -> None:
    three = asked(1, 2, 3)
    one, two, _ = three.values()
    lines = b'[2,"call 3"]\n[1,0]'
    assert take_answers(three, lines) == len(lines)
    assert (one.said, two.said, [*three]) == (0, "call 3", [3])


@pytest.mark.parametrize(
    "line",
    [b"[1]", b'["see",1,"hand"]', b"[1,-1]", b"[1,00]", b"[01,0]", b"[1, 0]", b"[1,true]", b'[1,"a\\n"]', b'[1,"a"',
     b"[1,0]]",
     b'[1,"\xc3\xa4"]', b"[1,0],", b"", b"[1,1e3]", b"[1,1.5]", b"[9999999999999999999,0]", b'[1,null,["late","",""]]'],
)  # fmt: skip
def test_among_others_none_is_taken(line: bytes) -> None:
    """They are all read otherwise, which says what is wrong with them."""
    two = asked(1, 2)
    assert take_answers(two, b"[2,0]\n" + line) == 0 and [*two] == [1, 2]


def test_an_answer_that_was_not_asked_is_left() -> None:
    two = asked(1, 2)
    assert take_answers(two, b"[2,0]\n[2,0]\n[1,0]") == len(b"[2,0]\n") and [*two] == [1]


@given(VALUES)
def test_what_is_shown(value: Any) -> None:
    """As JSON has it, whatever stands beside it."""
    text = as_json_text({"one": 'a "]}', "thing": value, "other": [{"]": "{"}]})
    sent = json.loads(text)
    shown: Any = Shown
    table = shown(None, dict.fromkeys(sent, reads("same")), sent, None, 1)
    assert {name: table.look(name) for name in sent} == sent


def test_what_is_read_by_its_type() -> None:
    sent = {"hand": ["As", "Jo"], "call": "play As", "led": None, "tricks": [["Kd"], []]}
    card: Any = reads("card")
    rows = {"hand": reads("row", card), "call": reads("action"), "led": reads("wanting", card)}
    shown: Any = Shown
    table = shown(None, {**rows, "tricks": reads("row", reads("row", card))}, sent, None, 1)
    assert table.look("hand") == (CARD["As"], CARD["Jo"]) and table.look("hand")[0] is CARD["As"]
    assert table.look("call") == "play As" and type(table.look("call")) is Action
    assert table.look("led") is None and table.look("tricks") == ((CARD["Kd"],), ())
    for name, reader in rows.items():
        assert reader(sent[name]) == table.look(name)


def test_what_is_asked_for_stands_behind_other_lines() -> None:
    """They are heeded later, in their order, whether they came before it or after."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        wire = Wire(theirs)
        ours.sendall(b'["ask",1,1,"call",["pass"],{}]\n["ask",2,1,"call",["pass"],{}]\n["le')
        wire.wait()
        assert wire.next() == b'["ask",1,1,"call",["pass"],{}]'
        ours.sendall(b'ave",0,7]\n["seen",1,"trick",["Ks"]]\n["move",0,1,3]\n["le')
        assert wire.see(1, "trick") == ["Ks"] and ours.recv(100) == b'["see",1,"trick"]\n'
        assert wire.next() == b'["ask",2,1,"call",["pass"],{}]' and wire.next() == b'["leave",0,7]'
        ours.sendall(b'ave",0,1]\n')
        assert wire.next() == b'["move",0,1,3]' and wire.at == len(wire.come)
        wire.wait()
        assert wire.next() == b'["leave",0,1]' and wire.at == len(wire.come)
