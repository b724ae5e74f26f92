"""Every legal action can be said by tokens, in one way, and nothing else can."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

import pytest
from helpers.command import one_in
from helpers.deals import examples

import roundsim
from roundsim import games
from roundsim.base.errors import DeclarationError, IllegalError
from roundsim.bridges.tokens import DONE, Spoken, Tokens, number_steps
from roundsim.games.nap import Nap
from roundsim.table.actions import PASS, STAND, Action, say
from roundsim.table.cards import cards
from roundsim.table.deal import Ask, Deal
from roundsim.table.legal import Amounts, accept, count
from roundsim.table.selections import Arrangements, Subsets
from roundsim.testing import Table, for_any_sitting, play_sitting
from roundsim.testing.tables import every_seventh, usual_table

MANY = 3000  # actions of a question whose ways are not all gone
Said = tuple[int, ...]


def tokens_of(game: str, **options: object) -> Tokens:
    table = roundsim.Table(game, options=options)
    return Tokens(table.game, table.rules)


NAP, POKER, LOTO = tokens_of("nap"), tokens_of("draw-poker"), tokens_of("loto", method=2)


def spoken(tokens: Tokens, legal: Sequence[Action], said: Said) -> Spoken:
    action = Spoken(tokens, legal)
    for token in said:
        action.say(token)
    return action


def ways(tokens: Tokens, legal: Sequence[Action], said: Said = ()) -> Iterator[Spoken]:
    """Every way in which an action may be said, from these tokens on."""
    action = spoken(tokens, legal, said)
    if not action.open:
        yield action
    for token in action.open:
        yield from ways(tokens, legal, (*said, token))


def in_texts(tokens: Tokens, action: Spoken) -> str:
    return " ".join([tokens.texts[token] for token in action.said])


def by_action(tokens: Tokens, legal: Sequence[Action]) -> dict[str, str]:
    """The tokens of each action, as texts, those that say themselves too; no two ways lead to one action."""
    found = [*ways(tokens, legal)]
    assert len({each.action for each in found}) == len(found)
    return {each.action: in_texts(tokens, each) for each in found}


def opened(tokens: Tokens, legal: Sequence[Action], *texts: str) -> list[str]:
    """The tokens that may follow these words."""
    said = tuple([DONE if text == "done" else tokens.of[text] for text in texts])
    return [tokens.texts[token] for token in spoken(tokens, legal, said).open]


def check_question(tokens: Tokens, legal: Sequence[Action], rng: Random) -> None:
    if count(legal) <= MANY:
        assert sorted(by_action(tokens, legal)) == sorted(map(str, legal))
    for _ in range(5):
        action = Spoken(tokens, legal)
        while action.open:
            assert len(action.open) > 1 and len({*action.open}) == len(action.open)
            assert action.open[0] in range(len(tokens)) and max(action.open) < len(tokens)
            action.say(rng.choice(action.open))
        assert accept(legal, action.action) == action.action
        assert not action.sum and in_texts(tokens, action).split()[0] == action.words[0]


def check_sitting(table: Table, seed: int) -> None:
    tokens, met, rng = Tokens(table.game, table.rules), set[Sequence[Action]](), Random(seed)

    def look(deal: Deal, ask: Ask) -> None:
        if ask.legal not in met:
            met.add(ask.legal)
            check_question(tokens, ask.legal, rng)

    play_sitting(table, seed, every_seventh(look))


@examples(1)
@pytest.mark.parametrize("name", one_in(2, [*games.ours()]))
def test_tokens_say_exactly_the_legal_actions_at_any_table(name: str, examples: int) -> None:
    check_sitting(usual_table(games.find(name)), 1)
    for_any_sitting(games.find(name), examples, check_sitting)


def test_a_tuple_is_said_word_by_word_and_forced_words_say_themselves() -> None:
    calls = (PASS, say("call", 2), say("call", 3), say("call misery"))
    assert opened(NAP, calls) == ["pass", "call"]
    assert opened(NAP, calls, "call") == ["2", "3", "misery"]
    assert by_action(NAP, calls) == {call: call for call in ("pass", "call 2", "call 3", "call misery")}
    plays = tuple([card.play for card in cards("As Kd")])
    assert opened(NAP, plays) == ["As", "Kd"]  # `play` is said
    assert Spoken(NAP, plays[:1]).action == "play As"


def test_where_one_may_end_and_go_on_done_is_asked() -> None:
    legal = Subsets("discard", cards("As Kd 2c"), 0, 2, (STAND,))
    assert opened(POKER, legal) == ["stand", "discard"]
    assert opened(POKER, legal, "discard") == ["done", "As", "Kd", "2c"]
    assert opened(POKER, legal, "discard", "Kd") == ["done", "2c"]
    assert opened(POKER, legal, "discard", "As") == ["done", "Kd", "2c"]
    assert opened(POKER, legal, "discard", "Kd", "2c") == []  # no more than two
    said = by_action(POKER, legal)
    assert len(said) == 1 + 1 + 3 + 3
    assert said["discard"] == "discard done" and said["discard Kd"] == "discard Kd done"
    assert said["discard As 2c"] == "discard As 2c"


def test_of_many_numbers_the_largest_rung_is_said_then_the_rest() -> None:
    """By hand: the rungs are 0 to 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200 ..."""
    legal = Amounts((PASS,), "bet", 1, 199)
    tokens = by_action(POKER, legal)
    assert sorted(tokens) == sorted(map(str, legal))
    by_hand = {1: "1", 12: "12 done", 13: "12 1", 15: "15 done", 16: "15 1", 24: "20 4"}  # below 12 none is added
    by_hand |= {29: "25 4", 99: "80 15 4", 119: "100 15 4", 137: "120 15 2", 150: "150 done", 199: "150 40 9"}
    assert {n: tokens[f"bet {n}"].removeprefix("bet ") for n in by_hand} == by_hand
    assert opened(POKER, legal, "bet", "12") == ["done", "1", "2"]
    assert opened(POKER, legal, "bet", "100") == ["done", *map(str, range(1, 13)), "15"]
    assert opened(POKER, legal, "bet")[-3:] == ["100", "120", "150"]


def test_ladders_begin_and_end_where_the_numbers_do() -> None:
    said = by_action(POKER, Amounts((PASS,), "bet", 1, 24))
    assert said == {"pass": "pass", **{f"bet {n}": f"bet {n}" for n in range(1, 25)}}
    legal = Amounts((), "bet", 47, 63)
    assert opened(POKER, legal) == ["40", "50", "60"]  # `bet` is said
    assert opened(POKER, legal, "40") == ["7", "8", "9"]
    assert opened(POKER, legal, "60") == ["done", "1", "2", "3"]
    assert sorted(by_action(POKER, legal)) == sorted(map(str, legal))
    listed = (PASS, *[say("bid", n) for n in (0, 5, 13, 14, 26, 28)])
    ladder = {"bid 13": "bid 12 1", "bid 14": "bid 12 2", "bid 26": "bid 25 1", "bid 28": "bid 25 3"}
    expected = {"pass": "pass", "bid 0": "bid 0", "bid 5": "bid 5", **ladder}
    assert by_action(tokens_of("speculation"), listed) == expected


def say_number(tokens: Tokens, legal: Sequence[Action], number: int) -> Spoken:
    """By the largest rung each time, until nothing is left."""
    action, left = Spoken(tokens, legal), number
    while action.open:
        rungs = [each for each in action.open if each != DONE and int(tokens.texts[each]) <= left]
        action.say(max(rungs, key=lambda each: int(tokens.texts[each])) if left else DONE)
        left = number - sum(int(tokens.texts[each]) for each in action.said[1:] if each != DONE)
    return action


def test_from_one_to_a_hundred_thousand_there_are_51_first_rungs_and_8_tokens_up_to_the_top() -> None:
    tokens = tokens_of("flat-poker", limit=100_000)
    legal = Amounts((), "blind", 1, 100_000)
    assert len(Spoken(tokens, legal).open) == 51
    rng = Random(1)
    for number in [1, 99_999, 100_000, 79_999, *[rng.randint(1, 100_000) for _ in range(300)]]:
        action = say_number(tokens, legal, number)
        assert action.action == f"blind {number}" and len(action.said) <= 9  # with `blind`
        assert sum(int(tokens.texts[token]) for token in action.said[1:] if token != DONE) == number
    legal = Amounts((), "bet", 1, 10**6)
    assert POKER.rungs[-1] == 2000
    action = say_number(POKER, legal, 7003)
    assert in_texts(POKER, action) == "bet 2000 2000 2000 1000 3" and action.action == "bet 7003"


def test_loto_names_cards_by_single_numbers() -> None:
    legal = Arrangements("throw", [3, 12, 24], 1, 2, (say("keep"),))
    assert opened(LOTO, legal, "throw") == ["3", "12", "24"]
    assert opened(LOTO, legal, "throw", "12") == ["done", "3", "24"]
    assert by_action(LOTO, legal)["throw 12 3"] == "throw 12 3"
    assert by_action(LOTO, legal)["throw 24"] == "throw 24 done"


def test_an_illegal_token_is_refused_and_changes_nothing() -> None:
    action = Spoken(NAP, (PASS, say("call", 2), say("call", 3)))
    for token in (None, -1, 999, NAP.of["misery"], DONE, "call"):
        with pytest.raises(IllegalError, match=r"Nap: token .* cannot be said: expected is one of \d+ \(pass\)"):
            action.say(token)
    action.say(NAP.of["call"])
    words = rf"token {NAP.of['pass']} \(pass\) cannot be said after 'call': .*\(2\), .*\(3\)"
    with pytest.raises(IllegalError, match=words):
        action.say(NAP.of["pass"])
    action.say(NAP.of["3"])
    assert action.action == "call 3"
    with pytest.raises(IllegalError, match="after 'call 3', which is a whole action"):
        action.say(NAP.of["3"])


def test_words_and_numbers_that_a_game_has_not_declared_are_reported() -> None:
    class SaysTooLittle(Nap):
        phases = {**Nap.phases, "play": "a card"}

    table = roundsim.Table("nap")
    tokens = Tokens(SaysTooLittle, SaysTooLittle.rules_for(4))
    while table.ask and table.ask.phase != "play":
        table.say(table.ask.legal[0])
    assert table.ask
    with pytest.raises(DeclarationError, match="Nap: an action contains 'play', which no phase names"):
        Spoken(tokens, table.ask.legal)
    solo = tokens_of("solo-whist")
    with pytest.raises(DeclarationError, match="Solo Whist: an action contains '5', which no phase names"):
        Spoken(solo, (say("propose", 50), say("propose", 5)))


def test_tokens_of_a_table() -> None:
    assert NAP.texts[DONE] == "done" and len({*NAP.texts}) == len(NAP.texts) == len(NAP)
    assert {"pass", "call", "misery", "play", "As", "2c", "0", "24", "25", "100"} <= {*NAP.texts}
    assert [NAP.texts[NAP.of[word]] for word in ("call", "As", "3")] == ["call", "As", "3"]
    assert not {"done", "13.0", "120"} & NAP.of.keys()  # Nap's options are small
    assert tokens_of("nap").texts == NAP.texts
    assert len(tokens_of("solo-whist")) == 1 + 15 + 52  # done, the words of the calls and `play`, the pack: no numbers
    assert [number_steps(high) for high in (10, 11, 15)] == [[10], [10, 12], [10, 12, 15]]
    assert number_steps(81) == [10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100]
