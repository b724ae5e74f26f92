"""Every legal action can be said word by word, in one way, in words that its game has declared; and nothing else can."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random

import pytest
from helpers.command import one_in
from helpers.deals import examples
from hypothesis import given, settings
from hypothesis import strategies as st

from roundsim import games
from roundsim.base.errors import DeclarationError
from roundsim.base.values import Whole
from roundsim.games.nap import Nap, NapRules
from roundsim.games.solo_whist import SoloWhist
from roundsim.table.actions import PASS, STAND, Action, say
from roundsim.table.cards import PACK, PACK_32, PACK_60, cards
from roundsim.table.completion import After, Numbers, Words
from roundsim.table.deal import Ask, Deal
from roundsim.table.legal import Amounts, AnyOrder, Either, Lazy, accept, after, count
from roundsim.table.selections import Arrangements, Discards, Multisets, Subsets
from roundsim.testing import Table, for_any_sitting, play_sitting
from roundsim.testing.tables import as_many_as_go, option_values, some_options, table_with, usual_table

MANY = 20_000  # actions of a question whose tree is not walked whole
NAMES = ("pope", "ace", "matrimony", "game")
KEEP, TURN = say("keep"), say("turn")
THREE = cards("As Kd 2c")
Said = tuple[str, ...]


def ways(legal: Sequence[Action], said: Said = ()) -> Iterator[Said]:
    """Every way in which an action may be said, from these words on."""
    words, ends = after(legal, said)
    assert words or ends, f"after {said} nothing can be said, and it may not end"
    if ends:
        yield said
    for word in words:
        yield from ways(legal, (*said, word))


def in_words(action: Action) -> Said:
    return tuple(action.split())


def check_whole(legal: Sequence[Action]) -> set[str]:
    """The leaves of the tree of words are exactly the legal actions, each once.  Returns all words of it."""
    said = sorted(ways(legal))
    assert said == sorted(map(in_words, legal))
    return {word for way in said for word in way}


def check_some(legal: Sequence[Action], rng: Random) -> set[str]:
    """Whatever is said by chance is legal, and some legal actions can be said.  Returns all words that were said."""
    heard = [said_by_chance(legal, rng) for _ in range(20)]
    for said in heard:
        assert accept(legal, " ".join(said)) == " ".join(said)
    for _ in range(20):
        heard.append(said := in_words(legal[rng.randrange(count(legal))]))
        for n, word in enumerate(said):
            assert word in after(legal, said[:n])[0], f"{word} cannot be said after {said[:n]}"
        assert after(legal, said)[1], f"it may not end after {said}"
    return {word for said in heard for word in said}


def said_by_chance(legal: Sequence[Action], rng: Random) -> Said:
    said: Said = ()
    while True:
        words, ends = after(legal, said)
        if ends and (not words or rng.random() < 0.3):
            return said
        said = (*said, words[rng.randrange(len(words))])


def check_refused(legal: Sequence[Action], *ways: str) -> None:
    for way in ways:
        with pytest.raises(ValueError, match="no legal action begins with"):
            after(legal, way.split())


def some_tables(game: type[Deal]) -> Iterator[Table]:
    """The usual one, and one for each value of each option that has but a few."""
    yield usual_table(game)
    for option in game.options:
        for seed, value in enumerate([] if isinstance(option.values, Whole) else option_values(option)):
            table = table_with(game, option.key, value, Random(seed))
            assert table is not None, f"no table takes {option.key} = {value}"
            yield table


def check_sitting(table: Table, seed: int) -> set[str]:
    """At each of its questions: what can be said, and in what words.  Returns the phases in which it was asked."""
    words, pack, rng = table.game.words(table.rules), table.game.cards_at(table.rules), Random(seed)
    known, met, asked = {*words.names, *words.cards}, set[Sequence[Action]](), set[str]()

    def look(deal: Deal, ask: Ask) -> None:
        assert {*deal.pack.cards, *(card for hand in deal.hands for card in hand)} <= {*pack}
        asked.add(ask.phase)
        if ask.legal in met:
            return
        met.add(ask.legal)
        heard = check_whole(ask.legal) if count(ask.legal) <= MANY else check_some(ask.legal, rng)
        strange = {word for word in heard - known if not (words.numbers and word.isdecimal())}
        assert not strange, f"{deal.id} ({ask.phase}) has not declared {strange}"
        check_refused(ask.legal, "nonsense", f"{ask.legal[0]} nonsense")

    play_sitting(table, seed, look)
    return asked


@pytest.mark.soak
@pytest.mark.parametrize("name", games.ours())
def test_exactly_the_legal_actions_can_be_said_at_every_table(name: str) -> None:
    """And in every phase: what is seldom asked is looked for."""
    game, asked = games.find(name), set[str]()
    for at, table in enumerate(some_tables(game)):
        for seed in range(3):
            asked |= check_sitting(table, 1000 * at + seed)
    for seed in range(400):
        if asked == {*game.phases}:
            return
        wanted = some_options(game, rng := Random(seed), len(game.options))
        asked |= check_sitting(as_many_as_go(game, rng.randint(*game.seats), wanted) or usual_table(game), seed)
    raise AssertionError(f"never asked: {game.phases.keys() - asked}")


@examples(2)
@pytest.mark.parametrize("name", one_in(2, [*games.ours()]))
def test_exactly_the_legal_actions_can_be_said_at_any_table(name: str, examples: int) -> None:
    """Its options drawn at random, stakes and limits among them."""
    assert any([check_sitting(table, seed) for seed, table in enumerate([*some_tables(games.find(name))][::12])])
    for_any_sitting(games.find(name), examples, check_sitting)


def test_a_word_that_no_phase_names_is_found() -> None:
    class SaysTooLittle(Nap):
        phases = {**Nap.phases, "play": "a card"}

    with pytest.raises(AssertionError, match="has not declared {'play'}"):
        check_sitting(usual_table(SaysTooLittle), 1)


def test_a_card_that_is_not_of_its_pack_is_found() -> None:
    class WithFewerCards(SoloWhist):
        played_with = PACK_32

    with pytest.raises(AssertionError):
        check_sitting(usual_table(WithFewerCards), 1)


def test_listed_actions_and_amounts() -> None:
    legal = (PASS, say("abundance"), say("abundance trumps"), say("open misere"), say("open"), say("misere"))
    assert after(legal) == (("pass", "abundance", "open", "misere"), False)
    assert after(legal, ["abundance"]) == (("trumps",), True)
    assert after(legal, ["misere"]) == after(legal, ["open", "misere"]) == ((), True)
    check_refused(legal, "trumps", "misere trumps", "abundance misere", "pass pass", "open misere trumps")
    assert after(()) == ((), False)
    bets = Amounts((PASS,), "bet", 2, 4)
    assert bets.after() == after(bets) == (("pass", "bet"), False)
    assert after(bets, ["bet"]) == (Numbers(2, 4), False)
    assert after(bets, ["bet", "3"]) == after(bets, ["pass"]) == ((), True)
    check_refused(bets, "bet 1", "bet 5", "bet 03", "bet 3 3", "bet x", "bet \u0663", "bet -3", "raise", "pass 3")
    assert after(Amounts((PASS,), "bet", 3, 2)) == (("pass",), False)
    check_refused(Amounts((PASS,), "bet", 3, 2), "bet", "bet 3")


def test_numbers_are_as_a_list_of_them_and_are_not_made_before_they_are_looked_at() -> None:
    few = Numbers(9, 12)
    assert [*few] == ["9", "10", "11", "12"] and len(few) == 4 and few[-1] == "12" and few[1:3] == ["10", "11"]
    assert few and not Numbers(1, 0) and [*Numbers(1, 0)] == []
    assert [word for word in ("8", "9", "12", "13", "09", "9.0", "", 9) if word in few] == ["9", "12"]
    many = Numbers(1, 10**30)
    assert many and many[10**30 - 1] == str(10**30) in many and str(10**30 + 1) not in many
    assert "9" * 5000 not in many


def test_choices_of_cards_are_said_in_the_order_of_the_hand() -> None:
    """A choice does not start with a card after which there are too few."""
    legal: Lazy = Subsets("discard", THREE, 0, 2, (STAND,))
    assert after(legal) == (("stand", "discard"), False)
    assert after(legal, ["discard"]) == (("As", "Kd", "2c"), True)
    assert after(legal, ["discard", "Kd"]) == (("2c",), True)
    assert after(legal, ["discard", "As", "2c"]) == after(legal, ["discard", "2c"]) == ((), True)
    check_refused(legal, "discard Kd As", "discard As As", "discard 3c", "discard As Kd 2c", "stand As", "buy")
    legal = Discards("discard", THREE, 2, 2)
    assert after(legal, ["discard"]) == (("As", "Kd"), False)
    assert after(legal, ["discard", "As"]) == (("Kd", "2c"), False)
    check_refused(legal, "discard 2c", "discard 2c As")


def test_arrangements_are_said_in_any_order() -> None:
    """A player with one card at loto cannot throw it up: a verb without a complete action is not offered."""
    legal: Lazy = Arrangements("throw", [3, 7, 12], 1, 2, (KEEP,))
    assert after(legal) == (("keep", "throw"), False)
    assert after(legal, ["throw"]) == (["3", "7", "12"], False)
    assert after(legal, ["throw", "7"]) == (["3", "12"], True)
    assert after(legal, ["throw", "7", "3"]) == ((), True)
    check_refused(legal, "throw 7 7", "throw 5", "throw 3 7 12", "throw 12 12 12", "keep 3")
    legal = Arrangements("throw", [7], 1, 0, (KEEP, say("buy", 1)))
    assert after(legal) == (("keep", "buy"), False)
    check_refused(legal, "throw", "throw 7")
    assert after(Subsets("discard", THREE, 4, 5)) == after(Multisets("place", NAMES, 1, NAMES[:2], 2)) == ((), False)
    legal = AnyOrder([say("lay 2d"), say("take 9s 4h 5c"), say("take 9s 9h 4h 5c")], fixed=1)
    assert after(legal) == (("lay", "take"), False)  # these are said as they are listed
    assert after(legal, ["take", "9s"]) == (("4h", "9h"), False)
    assert after(legal, ["take", "9s", "4h"]) == (("5c",), False)
    check_refused(legal, "take 9s 5c", "take 4h", "lay 9s", "lay 2d 2d")


def test_repeated_names_are_said_in_their_order() -> None:
    """Three counters, and pope and ace are bare: one on each, and one anywhere."""
    legal = Multisets("place", NAMES, 3, NAMES[:2], 2)
    assert after(legal) == (("place",), False)
    assert after(legal, ["place"]) == (["pope"], False)
    assert after(legal, ["place", "pope"]) == (["pope", "ace"], False)
    assert after(legal, ["place", "pope", "pope"]) == (["ace"], False)
    assert after(legal, ["place", "pope", "ace"]) == (["ace", "matrimony", "game"], False)
    assert after(legal, ["place", "pope", "ace", "game"]) == ((), True)
    check_refused(legal, "place ace", "place pope game", "place pope pope game", "place king")
    check_refused(legal, "place pope ace pope", "place pope ace ace ace")


def test_either_of_two() -> None:
    legal = Either(Amounts((TURN,), "sell", 1, 200), Amounts((), "sell-all", 1, 100))
    assert after(legal) == (("turn", "sell", "sell-all"), False)
    assert after(legal, ["sell"]) == (Numbers(1, 200), False)
    assert after(legal, ["sell-all"]) == (Numbers(1, 100), False)
    assert after(legal, ["sell-all", "100"]) == after(legal, ["turn"]) == ((), True)
    check_refused(legal, "sell-all 101", "turn 1", "keep")
    assert [*legal[:2], *legal[200:202], legal[-1]] == ["turn", "sell 1", "sell 200", "sell-all 1", "sell-all 100"]


numbers = st.integers(0, 5)
plain = st.sampled_from([(), (PASS,), (PASS, say("buy", 1), say("buy", 2))])
hands = st.integers(0, 6).map(lambda size: PACK[:size])
KINDS = [
    st.builds(Amounts, plain, st.just("bet"), numbers, numbers),
    st.builds(Subsets, st.just("discard"), hands, numbers, numbers, plain),
    st.builds(Discards, st.just("discard"), hands, numbers, numbers, plain),
    st.builds(Arrangements, st.just("throw"), hands, numbers, numbers, plain),
    st.builds(lambda k, bare, cover: Multisets("place", NAMES, k, NAMES[:bare], cover), numbers, numbers, numbers),
    st.builds(lambda n: AnyOrder([say("sing", *PACK[place : place + 3]) for place in range(n)]), st.integers(1, 5)),
]


@pytest.mark.soak
@settings(max_examples=400)
@given(st.one_of(*KINDS, st.builds(Either, KINDS[0], KINDS[1].filter(lambda lazy: not lazy.plain))))
def test_any_lazy_actions(legal: Lazy) -> None:
    if legal.size:
        check_whole(legal)
        check_whole(tuple(legal))
        check_some(legal, Random(1))
    else:
        assert legal.after() == ((), False)


LARGE = [
    Amounts((PASS,), "bet", 1, 10**15),
    Subsets("discard", PACK, 3, 40),
    Arrangements("throw", range(30), 1, 30, (PASS,)),
    Multisets("place", NAMES, 90, NAMES[:2], 2),
]


def test_a_tree_too_large_to_walk() -> None:
    for legal in LARGE:
        check_some(legal, Random(1))


Then = Callable[[Subsets, Sequence[str]], After]


def forgets_the_last(legal: Subsets, said: Sequence[str]) -> After:
    words, ends = Subsets.then(legal, said)
    return words[:-1], ends or len(words) == 1


def says_in_every_order(legal: Subsets, said: Sequence[str]) -> After:
    left = [card for card in legal.hand if card not in said] if len(said) < legal.high else []
    return left, len(said) >= legal.low


def says_twice(legal: Subsets, said: Sequence[str]) -> After:
    words, ends = Subsets.then(legal, said)
    return [*words, *words[:1]], ends


BROKEN: list[Then] = [
    *(forgets_the_last, says_in_every_order, says_twice),
    lambda legal, said: (Subsets.then(legal, said)[0], False),
    lambda legal, said: (Subsets.then(legal, said)[0], True),
]


def test_a_kind_that_says_something_else_is_found() -> None:
    check_whole(Subsets("discard", PACK[:4], 1, 3))
    for then in BROKEN:
        with pytest.raises((AssertionError, ValueError)):
            check_whole(type("Broken", (Subsets,), {"then": then})("discard", PACK[:4], 1, 3))


def test_discards_of_other_cards_are_other_actions() -> None:
    assert Discards("discard", THREE, 0, 2) == Discards("discard", THREE, 0, 2) != Discards("discard", THREE, 0, 3)
    assert Discards("discard", THREE, 0, 2) != Discards("discard", THREE[:2], 0, 2)


def words_of(name: str, **options: object) -> Words:
    game = games.find(name)
    return game.words(game.rules_for(game.usual[0], options))


def test_the_words_of_some_games() -> None:
    """The phases give verbs and names; a card in them means the pack, a pool the pools."""
    calls = ("pass", "call", "misery", "nap", "spare", "wellington", "blucher")
    assert words_of("nap") == (("stand", "buy", "discard", *calls, "take", "leave", "play"), PACK, True)
    assert words_of("nap", pack="32").cards == PACK_32
    board = ("pope", "matrimony", "intrigue", "ace", "king", "queen", "knave", "game")
    assert words_of("pope-joan").names == ("place", *board, "play", "pass")
    assert {*PACK} - {*words_of("pope-joan").cards} == {"8d"} and not words_of("pope-joan").numbers
    assert words_of("newmarket").names == ("place", "play")
    assert {*PACK} - {*words_of("newmarket").cards} == {"7s", "7h", "7d", "7c"}
    assert words_of("draw-poker", pack="60").cards == PACK_60
    assert words_of("draw-poker", joker=True).cards == (*PACK, "Jo")
    assert words_of("stud-poker") == (("fold", "bet", "check", "pass", "call", "raise"), (), True)
    assert words_of("loto", method=2) == (("take", "keep", "buy", "throw", "change"), (), True)


def test_a_pack_that_the_rules_have_not() -> None:
    class Misspelt(Nap):
        played_with = "al_cards"

    class MisspeltRules(NapRules, of=Misspelt):
        pass

    with pytest.raises(DeclarationError, match=r"al_cards, which its rules have not \(did you mean all_cards\?\)"):
        Misspelt.words(MisspeltRules(4))
