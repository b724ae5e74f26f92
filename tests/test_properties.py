"""What must be true of every game at every table, however it is played.  Games that are added later are in it at once."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import helpers
import pytest
from helpers import Played, Table
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from roundsim import games
from roundsim.actions import Action, accept, count
from roundsim.cards import PACK, Card
from roundsim.chance import Chance, Source
from roundsim.games.nap import Nap
from roundsim.referee import replay
from roundsim.table import Ask, Deal

EVERY_GAME = pytest.mark.parametrize("game", [games.find(name) for name in games.names()], ids=games.names())
NOISE = ["", "pas", "play", "play Zz", "play As Kh", "raise -1", "raise 1.5", "bet 0", "bet 1000000000000000000000", "call",
         "call 0", "discard As As", "discard Zz", "buy", "stake 01", "bid ten", "place", "place nowhere", "PASS", "As", "\u00e9"]


def examples(quick: int) -> Any:
    """So many examples, and ten times as many in the soak run."""
    return pytest.mark.parametrize("examples", [quick, pytest.param(10 * quick, marks=pytest.mark.soak)])


def for_any_sitting(game: type[Deal], examples: int, check: Callable[[Table, int], None]) -> None:
    """Check it for as many tables of the game, each with chance of its own."""
    @settings(max_examples=examples, deadline=None, derandomize=True, database=None,
              suppress_health_check=list(HealthCheck))
    @given(table=helpers.tables(game), seed=st.integers(0, 2**32))
    def run(table: Table, seed: int) -> None:
        check(table, seed)

    run()


@EVERY_GAME
@examples(40)
def test_counters_are_conserved(game: type[Deal], examples: int) -> None:
    """Of each deal and of the whole sitting with its end; pools and stacks are never below nothing."""
    def nothing_below(deal: Deal, ask: Ask) -> None:
        assert min([0, *deal.pools.values(), *(deal.stacks or ())]) == 0, (deal.pools, deal.stacks)

    def check(table: Table, seed: int) -> None:
        deals, end = helpers.play_sitting(table, seed, nothing_below)
        for played in [*deals, end]:
            assert sum(played.deal.net) == pool(played.before) - pool(played.after)
            nothing_below(played.deal, None)
        assert sum(sum(played.deal.net) for played in [*deals, end]) == pool(deals[0].before) - pool(end.after)
        for played in deals:
            check_stacks(played)

    def pool(state: Any) -> int:
        return sum(state.pools.values())

    for_any_sitting(game, examples, check)


def check_stacks(played: Played) -> None:
    """A stack changes by the net of the deal; only one that was at nothing is bought anew besides."""
    before, after = played.before.stacks, played.after.stacks
    assert (before is None) == (after is None)
    for was, net, now in zip(before or (), played.deal.net, after or (), strict=False):
        bought = now - was - net
        assert now >= 0 and (bought == 0 or bought > 0 == was), (before, played.deal.net, after)


@EVERY_GAME
@examples(25)
def test_every_card_is_in_one_place(game: type[Deal], examples: int) -> None:
    """No card is at once in two hands, or in a hand and in the stock, or in either after it was played."""
    def check(table: Table, seed: int) -> None:
        packs = getattr(table.rules, "packs", 1)

        def one_place(deal: Deal, ask: Ask) -> None:
            hands = [card for hand in deal.hands or () for card in hand]
            played = [said.card for said in deal.actions if said.verb == "play"]
            places = Counter([*hands, *helpers.undealt(deal), *played])
            assert all(type(card) is Card for card in places)
            assert max(places.values(), default=0) <= packs, places.most_common(3)
            if ask.legal[0].verb == "play":
                assert {said.card for said in ask.legal} <= {*deal.hands[ask.seat]}

        helpers.play_sitting(table, seed, one_place)

    for_any_sitting(game, examples, check)


@EVERY_GAME
@examples(25)
def test_what_is_legal_is_accepted_and_nothing_else(game: type[Deal], examples: int) -> None:
    """A lazy sequence agrees with itself; any other text is refused, and the game says why."""
    tried = Counter()

    def check(table: Table, seed: int) -> None:
        rng, heard = Random(seed), [*NOISE]

        def question(deal: Deal, ask: Ask) -> None:
            assert ask.phase in game.phases and ask.seat in range(table.players)
            few = rng.sample(range(count(ask.legal)), min(4, count(ask.legal))) if count(ask.legal) < 2**60 else [0, 2**60]
            for place in few:
                check_accepted(ask.legal, place)
            listed = [str(said) for said in ask.legal] if count(ask.legal) <= 400 else None
            texts = [str(ask.legal[place]) for place in few]
            for text in [*rng.sample(heard, 3), *(changed(text, rng) for text in texts)]:
                if may_be_legal(text, listed, ask):
                    continue
                tried[ask.phase] += 1
                with pytest.raises(ValueError):
                    accept(ask.legal, text)
                assert text not in ask.legal
                why = deal.refusal(ask, Action(text))
                assert isinstance(why, str) and why.strip()
            heard.extend(texts[:1])

        helpers.play_sitting(table, seed, question)

    for_any_sitting(game, examples, check)
    assert sum(tried.values()) > 20 * examples


def check_accepted(legal: Any, place: int) -> None:
    said = legal[place]
    assert type(said) is Action and said in legal
    assert accept(legal, str.__str__(said)) == said
    assert legal.index(said) == place


def changed(text: str, rng: Random) -> str:
    """The text of an action with something else in it."""
    verb, *words = text.split()
    number = [str(int(word) + rng.choice([-1, 1, 10**6])) if word.isdecimal() else word for word in words]
    other = [rng.choice(PACK) if len(word) == 2 else word for word in words]
    return " ".join(rng.choice([
        [verb, *words, "x"], [verb, *words, *words[-1:]], [verb, *words[:-1]], [verb, *number], [verb, *other],
        [verb.upper(), *words], ["un" + verb, *words],
    ]))


def may_be_legal(text: str, listed: list[str] | None, ask: Ask) -> bool:
    """Whether the list holds it, its words in whatever order; of an endless list only a strange word says no."""
    verb, *words = text.split() or [""]
    if listed is None:
        return verb in {ask.legal[0].verb, ask.legal[count(ask.legal) - 1].verb} and "x" not in words
    return any(verb == other[0] and sorted(words) == sorted(other[1:]) for other in map(str.split, listed))


@EVERY_GAME
@examples(12)
def test_a_view_can_be_read_and_changes_nothing(game: type[Deal], examples: int) -> None:
    """Every name at every question, by the seat that is asked and by any other, in play and after the end."""
    def readable(deal: Deal, ask: Ask) -> None:
        for seat in range(deal.players):
            view = deal.View(deal, seat, ask.phase, ask.legal, Chance())
            assert deal.title in str(view)
            for name in [*helpers.VIEW_NAMES, *game.public, *game.private]:
                thing = getattr(view, name)
                assert name == "legal" or helpers.immutable(thing), f"{name} can be changed: {thing!r}"
            if seat == ask.seat:
                assert set(view.hand) == set(deal.hands[seat] if deal.hands else ())
        for name in ["hand", "options", "pools", "stacks", "history", "dealer", *game.public, *game.private]:
            with pytest.raises(AttributeError):
                setattr(view, name, None)

    def check(table: Table, seed: int) -> None:
        _, end = helpers.play_sitting(table, seed, readable)
        readable(end.deal, Ask(0, next(iter(game.phases)), ()))

    for_any_sitting(game, examples, check)


@EVERY_GAME
@examples(25)
def test_a_record_replays_to_the_same(game: type[Deal], examples: int) -> None:
    """From the state before the deal, the name of its chance and the text of its actions alone."""
    def check(table: Table, seed: int) -> None:
        deals, end = helpers.play_sitting(table, seed)
        for played in deals:
            fresh = game(table.rules, helpers.copy_of(played.before), Source(played.name))
            replay(fresh, ",".join(played.deal.actions).split(",") if played.deal.actions else [])
            compare(fresh, played)
            assert fresh.over() == played.over
        fresh = game(table.rules, helpers.copy_of(end.before), Source(end.name))
        fresh.end()
        compare(fresh, end)

    def compare(fresh: Deal, played: Played) -> None:
        after = played.after
        assert [(ask.seat, ask.phase) for ask in fresh.asked] == [(ask.seat, ask.phase) for ask in played.deal.asked]
        assert fresh.net == played.deal.net
        assert (fresh.pools, fresh.stacks) == (after.pools, after.stacks)
        assert (fresh.dealer, fresh.next_dealer()) == (after.last_dealer, after.dealer)
        assert fresh.carry() == after.carry and plain(after.carry)

    for_any_sitting(game, examples, check)


def plain(thing: Any) -> bool:
    """Data as a script can write it."""
    if isinstance(thing, dict):
        return all(type(key) is str and plain(value) for key, value in thing.items())
    return all(map(plain, thing)) if isinstance(thing, list | tuple) else isinstance(thing, str | bool | int)


@EVERY_GAME
@examples(15)
def test_no_view_shows_what_is_hidden(game: type[Deal], examples: int) -> None:
    hidden = Counter()

    def look(deal: Deal, ask: Ask) -> None:
        hidden[ask.phase] += helpers.check_hidden(deal, ask)

    for_any_sitting(game, examples, lambda table, seed: helpers.play_sitting(table, seed, look))
    assert sum(hidden.values()) > 100 * examples


@EVERY_GAME
@examples(25)
def test_nobody_can_tell_that_unseen_cards_were_exchanged(game: type[Deal], examples: int) -> None:
    judged = Counter()

    def check(table: Table, seed: int) -> None:
        rng = Random(seed)
        for played in helpers.play_sitting(table, seed)[0]:
            judged[helpers.check_exchange(table.rules, played, rng)] += 1

    for_any_sitting(game, examples, check)
    assert judged[1] > examples and judged[1] > judged[0] / 4, judged


@EVERY_GAME
def test_every_value_of_every_option_can_be_played(game: type[Deal]) -> None:
    for option in game.options:
        for value in helpers.values_of(option):
            table = helpers.table_with(game, option.key, value)
            assert table, f"{option.key} = {value!r} goes with nothing"
            assert getattr(table.rules.options, option.key) == value
            deals, end = helpers.play_sitting(table, seed=1)
            assert sum(sum(played.deal.net) for played in [*deals, end]) == -sum(end.after.pools.values())


# The checks themselves: each of these games shows too much, and is found out.

class ShowsTheSpareHand(Nap):
    public = {**Nap.public, "spare": "the spare hand, which nobody may see"}


class ShowsWhatWasBought(Nap):
    def seen(self, ask: Ask, action: Action) -> Action:
        return action


class ShowsHowHighTheHandsAre(Nap):
    public = {**Nap.public, "pips": "the ranks of each hand, added up"}

    @property
    def pips(self) -> list[float]:
        return [sum(card.rank for card in hand) for hand in self.hands]


class ShowsTheStockInOrder(Nap):
    public = {**Nap.public, "next_is_red": "whether the top card of the stock is red"}

    @property
    def next_is_red(self) -> bool:
        return any(card.suit in "hd" for card in self.pack.cards[:1])


@pytest.mark.parametrize("leaky", [ShowsTheSpareHand, ShowsWhatWasBought])
def test_a_hidden_card_that_is_named_is_found(leaky: type[Deal]) -> None:
    table = Table(leaky, 4, {"spare_hand": True, "buying": True, "kitty": "dealer"})
    with pytest.raises(AssertionError, match="which it cannot know"):
        for seed in range(10):
            helpers.play_sitting(table, seed, lambda deal, ask: helpers.check_hidden(deal, ask) and None)


@pytest.mark.parametrize("leaky", [ShowsHowHighTheHandsAre, ShowsTheStockInOrder])
def test_what_can_be_told_from_a_hidden_card_is_found(leaky: type[Deal]) -> None:
    table, rng = Table(leaky, 4, {}), Random(1)
    with pytest.raises(AssertionError, match="which it has not seen"):
        for seed in range(10):
            for played in helpers.play_sitting(table, seed)[0]:
                helpers.check_exchange(table.rules, played, rng)
