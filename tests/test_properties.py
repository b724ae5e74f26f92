"""What must be true of every game at every table, however it is played; games that come later are in it at once."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import helpers
import pytest
from helpers import Played, Table, examples, for_any_sitting, play_sitting

from roundsim import games
from roundsim.actions import Action, accept, count
from roundsim.cards import PACK, Card
from roundsim.chance import Chance, Source
from roundsim.games.loto import Loto
from roundsim.games.nap import Nap
from roundsim.options import Whole
from roundsim.referee import replay
from roundsim.table import Ask, Deal, public

EVERY_GAME = pytest.mark.parametrize("game", [games.find(name) for name in games.names()], ids=games.names())
WITH_CARDS = [name for name in games.names() if name not in helpers.NO_PACK]
EVERY_CARD_GAME = pytest.mark.parametrize("game", [games.find(name) for name in WITH_CARDS], ids=WITH_CARDS)
NOISE = [
    "",
    "pas",
    "play",
    "play Zz",
    "play As Kh",
    "raise -1",
    "raise 1.5",
    "bet 0",
    "bet 1000000000000000000000",
    "call",
    "call 0",
    "discard As As",
    "discard Zz",
    "buy",
    "stake 01",
    "bid ten",
    "place",
    "place nowhere",
    "PASS",
    "As",
    "\u00e9",
]


@EVERY_GAME
@examples(24)
def test_counters_are_conserved(game: type[Deal], examples: int) -> None:
    """Of each deal, and of the whole sitting with its end; pools and stacks never fall below nothing."""
    for_any_sitting(game, examples, lambda table, seed: check_counters(*play_sitting(table, seed, check_above_nothing)))


def check_above_nothing(deal: Deal, ask: Ask | None) -> None:
    assert min([0, *deal.pools.values(), *(deal.stacks or ())]) == 0, (deal.pools, deal.stacks)


def check_counters(deals: list[Played], end: Played) -> None:
    for played in [*deals, end]:
        assert sum(played.deal.net) == in_pools(played.before) - in_pools(played.after)
        check_above_nothing(played.deal, None)
    assert sum(sum(played.deal.net) for played in [*deals, end]) == in_pools(deals[0].before) - in_pools(end.after)
    for played in deals:
        check_stacks(played)


def in_pools(state: Any) -> int:
    return sum(state.pools.values())


def check_stacks(played: Played) -> None:
    """A stack changes by the net of the deal; only one that was at nothing is bought anew besides."""
    before, after = played.before.stacks, played.after.stacks
    assert (before is None) == (after is None)
    for was, net, now in zip(before or (), played.deal.net, after or (), strict=False):
        bought = now - was - net
        assert now >= 0 and (bought == 0 or bought > 0 == was), (before, played.deal.net, after)


@EVERY_GAME
@examples(24)
def test_every_card_is_in_one_place(game: type[Deal], examples: int) -> None:
    """No card is at once in two hands, or in a hand and in the stock, or in either after it was played."""
    for_any_sitting(game, examples, lambda table, seed: play_sitting(table, seed, check_places))


def check_places(deal: Deal, ask: Ask) -> None:
    hands = [card for hand in deal.hands or () for card in hand]
    played = [card for said in deal.actions if said.verb == "play" for card in said.cards]
    places = Counter([*hands, *helpers.undealt(deal), *played])
    assert all(type(card) is Card for card in places)
    assert max(places.values(), default=0) <= getattr(deal.rules, "packs", 1), places.most_common(3)
    if ask.legal[0].verb == "play":
        assert {card for said in ask.legal if said.verb == "play" for card in said.cards} <= {*deal.hands[ask.seat]}


@EVERY_GAME
@examples(8)
def test_what_is_legal_is_accepted_and_nothing_else(game: type[Deal], examples: int) -> None:
    """A lazy sequence agrees with itself; any other text is refused, and the game says why."""
    refused = Counter()

    def check(table: Table, seed: int) -> None:
        rng, heard = Random(seed), [*NOISE]

        def question(deal: Deal, ask: Ask) -> None:
            assert ask.phase in game.phases and ask.seat in range(table.players)
            places = some_places(count(ask.legal), rng)
            for place in places:
                check_accepted(ask.legal, place)
            listed = [str(said) for said in ask.legal] if count(ask.legal) <= 400 else None
            texts = [str(ask.legal[place]) for place in places]
            for text in [*rng.sample(heard, 3), *(changed(text, rng) for text in texts)]:
                if not may_be_legal(text, listed, ask):
                    check_refused(deal, ask, text)
                    refused[ask.phase] += 1
            heard.extend(texts[:1])

        play_sitting(table, seed, question)

    for_any_sitting(game, examples, check)
    assert sum(refused.values()) > 20 * examples


def some_places(size: int, rng: Random) -> list[int]:
    """A few places of a sequence, its first and last among them."""
    return sorted({0, size - 1, rng.randrange(size), rng.randrange(size)})


def check_accepted(legal: Any, place: int) -> None:
    said = legal[place]
    assert type(said) is Action and said in legal
    assert accept(legal, str.__str__(said)) == said
    assert legal.index(said) == place


def check_refused(deal: Deal, ask: Ask, text: str) -> None:
    with pytest.raises(ValueError):
        accept(ask.legal, text)
    assert text not in ask.legal
    why = deal.refusal(ask, Action(text))
    assert isinstance(why, str) and why.strip()


def changed(text: str, rng: Random) -> str:
    """The text of an action with something else in it."""
    verb, *words = text.split()
    number = [str(int(word) + rng.choice([-1, 1, 10**6])) if word.isdecimal() else word for word in words]
    other = [rng.choice(PACK) if len(word) == 2 else word for word in words]
    return " ".join(
        rng.choice(
            [
                [verb, *words, "x"],
                [verb, *words, *words[-1:]],
                [verb, *words[:-1]],
                [verb, *number],
                [verb, *other],
                [verb.upper(), *words],
                ["un" + verb, *words],
            ]
        )
    )


def may_be_legal(text: str, listed: list[str] | None, ask: Ask) -> bool:
    """Whether the list holds it, its words in any order; where there are too many, only a strange word tells."""
    verb, *words = text.split() or [""]
    if listed is None:
        return "x" not in words and verb in {said.verb for said in [*ask.legal[:9], ask.legal[count(ask.legal) - 1]]}
    return any(verb == other[0] and sorted(words) == sorted(other[1:]) for other in map(str.split, listed))


@EVERY_GAME
@examples(6)
def test_a_view_can_be_read_and_changes_nothing(game: type[Deal], examples: int) -> None:
    """Every name at every question, by the seat that is asked and by any other, in play and after the end."""

    def check(table: Table, seed: int) -> None:
        _, end = play_sitting(table, seed, helpers.every_seventh(check_readable))
        check_readable(end.deal, Ask(0, next(iter(game.phases)), ()))

    for_any_sitting(game, examples, check)


def check_readable(deal: Deal, ask: Ask) -> None:
    names = [*helpers.VIEW_NAMES, *deal.public, *deal.private]
    for seat in range(deal.players):
        view = deal.View(deal, seat, ask.phase, ask.legal, Chance())
        assert deal.title in str(view)
        for name in names:
            thing = getattr(view, name)
            assert name == "legal" or helpers.immutable(thing), f"{name} can be changed: {thing!r}"
        assert [*view.hand] == [*(deal.hands[seat] if deal.hands else ())]
    for name in set(names) - {"seat", "phase", "legal"}:
        with pytest.raises(AttributeError):
            setattr(view, name, None)


@EVERY_GAME
@examples(8)
def test_a_record_replays_to_the_same(game: type[Deal], examples: int) -> None:
    """From the state before the deal, the name of its chance and the text of its actions alone."""
    for_any_sitting(game, examples, lambda table, seed: check_replay(table, *play_sitting(table, seed)))


def check_replay(table: Table, deals: list[Played], end: Played) -> None:
    for played in deals:
        fresh = again(table, played)
        replay(fresh, ",".join(played.deal.actions).split(",") if played.deal.actions else [])
        check_same(fresh, played)
        assert fresh.over() == played.over
    fresh = again(table, end)
    fresh.end()
    check_same(fresh, end)


def again(table: Table, played: Played) -> Deal:
    return table.game(table.rules, helpers.copy_of(played.before), Source(played.name))


def check_same(fresh: Deal, played: Played) -> None:
    after = played.after
    assert [(ask.seat, ask.phase) for ask in fresh.asked] == [(ask.seat, ask.phase) for ask in played.deal.asked]
    assert fresh.net == played.deal.net
    assert (fresh.pools, fresh.stacks) == (after.pools, after.stacks)
    assert (fresh.dealer, fresh.next_dealer()) == (after.last_dealer, after.dealer)
    assert fresh.carry() == after.carry and plain(after.carry)


def plain(thing: Any) -> bool:
    """Data as a script can write it."""
    if isinstance(thing, dict):
        return all(type(key) is str and plain(value) for key, value in thing.items())
    return all(map(plain, thing)) if isinstance(thing, list | tuple) else isinstance(thing, str | bool | int)


@EVERY_CARD_GAME
@examples(8)
def test_no_view_shows_what_is_hidden(game: type[Deal], examples: int) -> None:
    hidden = Counter()

    def look(deal: Deal, ask: Ask) -> None:
        hidden[ask.phase] += helpers.check_hidden(deal, ask)

    for_any_sitting(game, examples, lambda table, seed: play_sitting(table, seed, helpers.every_seventh(look)))
    assert sum(hidden.values()) > 100 * examples


@EVERY_CARD_GAME
@examples(12)
def test_nobody_can_tell_that_unseen_cards_were_exchanged(game: type[Deal], examples: int) -> None:
    judged = Counter()

    def check(table: Table, seed: int) -> None:
        rng = Random(seed)
        for played in play_sitting(table, seed)[0]:
            judged[helpers.check_exchange(table.rules, played, rng)] += 1

    for_any_sitting(game, examples, check)
    assert judged[1] > examples and judged[1] > judged[0] / 4, judged


@examples(8)
def test_nobody_can_tell_what_comes_from_the_stock_and_the_bag_of_loto(examples: int) -> None:
    def check(table: Table, seed: int) -> None:
        for played in play_sitting(table, seed)[0]:
            helpers.check_orders(table.rules, played, Random(seed))

    for_any_sitting(Loto, examples, check)


@EVERY_GAME
def test_every_value_of_every_option_can_be_played(game: type[Deal]) -> None:
    asked = Counter()

    def look(deal: Deal, ask: Ask) -> None:
        check_above_nothing(deal, ask)
        check_places(deal, ask)
        asked[ask.phase] += 1

    for option in game.options:
        for value in helpers.values_of(option):
            for seed in range(1 if isinstance(option.values, Whole) else 3):
                table = helpers.table_with(game, option.key, value, Random(seed))
                if table is None:  # a range without an upper end, of which the game takes less
                    assert isinstance(option.values, Whole) and option.values.high is None and value > option.values.low
                    continue
                assert getattr(table.rules.options, option.key) == value
                deals, end = play_sitting(table, seed, look)
                check_counters(deals, end)
                check_replay(table, deals, end)
    for seed in range(400):  # until what is seldom asked has been asked, too
        if set(asked) == set(game.phases):
            break
        rng = Random(seed)
        wanted = helpers.some_options(game, rng, rng.randint(0, len(game.options)))
        play_sitting(helpers.as_many_as_go(game, game.usual[0], wanted) or Table(game, game.usual[0], {}), seed, look)
    assert set(asked) == set(game.phases)


# The checks themselves: each of these games shows too much, and is found out.


class ShowsTheSpareHand(Nap):
    class View(Nap.View):
        spare: tuple[Card, ...] = public("the spare hand, which nobody may see")


class ShowsWhatWasBought(Nap):
    def seen(self, ask: Ask, action: Action) -> Action:
        return action


class ShowsHowHighTheHandsAre(Nap):
    class View(Nap.View):
        pips: tuple[float, ...] = public("the ranks of each hand, added up")

    @property
    def pips(self) -> list[float]:
        return [sum(card.rank for card in hand) for hand in self.hands]


class ShowsTheTopOfTheStock(Nap):
    class View(Nap.View):
        next_is_red: bool = public("whether the top card of the stock is red")

    @property
    def next_is_red(self) -> bool:
        return any(card.suit in "hd" for card in self.pack.cards[:1])


class ShowsTheStockOfLoto(Loto):
    class View(Loto.View):
        lowest: tuple[int, ...] = public("the lowest number on the top card of the stock")

    @property
    def lowest(self) -> list[int]:
        return [min(map(min, self.rows[card])) for card in self.in_stock[:1]]


@pytest.mark.parametrize("method", [1, 2])
def test_what_can_be_told_from_the_stock_of_loto_is_found(method: int) -> None:
    table = Table(ShowsTheStockOfLoto, 4, {"method": method})
    with pytest.raises(AssertionError, match="shows what it must not"):
        for seed in range(10):
            for played in play_sitting(table, seed)[0]:
                helpers.check_orders(table.rules, played, Random(seed))


@pytest.mark.parametrize("leaky", [ShowsTheSpareHand, ShowsWhatWasBought])
def test_a_hidden_card_that_is_named_is_found(leaky: type[Deal]) -> None:
    table = Table(leaky, 4, {"spare_hand": True, "buying": True, "kitty": "dealer"})
    with pytest.raises(AssertionError, match="which it cannot know"):
        for seed in range(10):
            play_sitting(table, seed, helpers.check_hidden)


@pytest.mark.parametrize("leaky", [ShowsHowHighTheHandsAre, ShowsTheTopOfTheStock])
def test_what_can_be_told_from_a_hidden_card_is_found(leaky: type[Deal]) -> None:
    table, rng = Table(leaky, 4, {}), Random(1)
    with pytest.raises(AssertionError, match="which it has not seen"):
        for seed in range(50):
            for played in play_sitting(table, seed)[0]:
                helpers.check_exchange(table.rules, played, rng)
