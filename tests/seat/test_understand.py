"""Understanding what a person types: the text of each answer, its place in the list, and short forms."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from conftest import GAMES
from helpers.command import one_in
from hypothesis import given
from hypothesis import strategies as st

import roundsim
from roundsim.base.text import WIDTH, second_person
from roundsim.seat.person import choices_text
from roundsim.seat.understand import UnclearError, numbered_answers, understand
from roundsim.table.actions import Action
from roundsim.table.cards import CARD
from roundsim.table.legal import Amounts, count
from roundsim.table.selections import Subsets

NAP = tuple(map(Action, ["pass", "call 1", "call 2", "call nap"]))
CARDS = tuple(map(Action, ["play Ac", "play Td", "play Ah"]))
BETS = Amounts((Action("fold"), Action("call")), "raise", 1, 50)
HAND = [CARD[text] for text in ("Kd", "7c", "7h", "2s", "9d")]
DRAW = Subsets("discard", HAND, 0, 3)
HEARTS = tuple(map(Action, ["play 8h", "play Kh", "play 2h", "play 3h"]))
BIDS = tuple(map(Action, ["pass", *(f"bid {counters}" for counters in range(3, 30))]))
ODD = tuple(map(Action, ["stand", "trade Ac with 2d", "trade Ac with 3d"]))


@pytest.mark.parametrize(
    ("typed", "legal", "meant"),
    [
        ("pass", NAP, "pass"),
        ("p", NAP, "pass"),
        ("2", NAP, "call 2"),  # amounts are not numbered
        ("c2", NAP, "call 2"),
        ("cal 2", NAP, "call 2"),
        ("nap", NAP, "call nap"),
        ("1", CARDS, "play Ac"),
        ("3", CARDS, "play Ah"),
        ("8", HEARTS, "play 8h"),  # a card, not a place
        ("1", HEARTS, "play 8h"),
        ("4", HEARTS, "play 3h"),
        ("kh", HEARTS, "play Kh"),
        ("ac", CARDS, "play Ac"),
        ("10d", CARDS, "play Td"),
        ("t", CARDS, "play Td"),
        ("play td", CARDS, "play Td"),
        ("r5", BETS, "raise 5"),
        ("7", BETS, "raise 7"),
        ("CALL", BETS, "call"),
        ("-", DRAW, "discard"),
        ("2", ODD, "trade Ac with 2d"),
        ("t ac w 3d", ODD, "trade Ac with 3d"),
        ("9D, kd", DRAW, "discard Kd 9d"),  # cards in any order and case
        ("d 7c", DRAW, "discard 7c"),
    ],
)
def test_short_forms(typed: str, legal: tuple[Action, ...], meant: str) -> None:
    assert understand(typed, legal) == meant


@pytest.mark.parametrize(
    ("typed", "legal", "words"),
    [
        ("", NAP, "nothing was said"),
        ("c", NAP, "which of call 1, call 2, call nap?"),
        ("a", CARDS, "which of play Ac, play Ah?"),
        ("4", CARDS, "4 is no answer here; there are 3"),
        ("2", HEARTS, "2 is play 2h, and the 2nd answer is play Kh: name the card"),
        ("8", (*HEARTS, Action("play 8s")), "which of play 8h, play 8s?"),
        ("1", BIDS, "1 is no answer here"),
        ("cal 7", NAP, "cal 7 is no answer here"),
        ("raise 51", BETS, "raise 51 is no answer here"),
        ("plai ac", CARDS, "plai Ac is no answer here (did you mean play Ac?)"),
        ("t", ODD, "which of trade Ac with 2d, trade Ac with 3d?"),
        ("2d 7c", DRAW, "2d 7c is no answer here"),
    ],
)
def test_unclear_words_are_refused(typed: str, legal: tuple[Action, ...], words: str) -> None:
    with pytest.raises(UnclearError) as error:
        understand(typed, legal)
    assert str(error.value).startswith(words)


@pytest.mark.parametrize("game", one_in(8, GAMES))
@given(block=st.integers(1, 10**6), junk=st.text(max_size=12))
def test_each_answer_of_each_game(game: str, block: int, junk: str) -> None:
    """By its text, in small letters, and by its place; the list fits the terminal, and junk is refused or understood."""
    table = roundsim.Table(game, deals=1)
    table.begin(1, block)
    for _ in range(40):
        if table.ask is None:
            break
        legal = table.ask.legal
        said = table.view().chance.choice(legal)
        assert understand(str(said), legal) == said
        assert understand(f" {str(said).replace(' ', '  ')} ", legal) == said
        hand, answers = table.view().hand, [*map(str, numbered_answers(legal, table.view().hand))]
        for at, answer in enumerate(answers, 1):
            if not any(re.fullmatch(rf"\w+ {at}[shdc]", each) for each in answers):  # else the card is meant, or both
                assert understand(str(at), legal, hand) == answer
        assert max(map(len, choices_text(legal, hand).splitlines())) <= WIDTH
        with suppress(UnclearError):
            assert understand(junk, legal) in legal
        table.say(said)
        assert count(legal) > 1


def test_answers_stand_as_the_hand_is_held() -> None:
    """By suit, the highest first; other answers stay where they are."""
    hand = tuple(CARD[text] for text in ("8h", "Js", "Tc", "Kh", "5h"))
    legal = tuple(map(Action, ["play 8h", "play Js", "play Tc", "play Kh", "play 5h"]))
    assert choices_text(legal, hand) == "    1 Js  2 Kh  3 8h  4 5h  5 Tc"
    trade = tuple(map(Action, ["stand", "buy 8h", "barter 8h", "buy Js", "barter Js"]))
    assert numbered_answers(trade, hand) == ["stand", "buy Js", "buy 8h", "barter Js", "barter 8h"]
    draw = Subsets("discard", hand, 0, 3)
    assert choices_text(draw, hand) == "    discard ..., such as `discard Kh 5h Tc` or none: -"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("passes", "pass"),
        ("plays his last card", "play your last card"),
        ("takes the trick", "take the trick"),
        ("carries on", "carry on"),
        ("is in", "are in"),
        ("has a pair", "have a pair"),
        ("goes out", "go out"),
        ("does not play", "do not play"),
        ("raises 5", "raise 5"),
        ("comes in and raises 5", "come in and raise 5"),
        ("robs Kh, and puts out a card", "rob Kh, and put out a card"),
        ("has kings and queens", "have kings and queens"),
    ],
)
def test_the_words_for_you(words: str, said: str) -> None:
    assert second_person(words) == said
