"""Deals as they may be: they fit all that the seat has seen, and nothing that is hidden from it gets into them."""

from __future__ import annotations

import gc
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from math import sqrt
from operator import itemgetter
from pathlib import Path
from random import Random
from types import FunctionType, ModuleType
from typing import Any

import pytest
from conftest import Shell, Write
from helpers.command import assert_same, deals_of, one_in, seldom_with

from roundsim import games
from roundsim.games.draw_poker import DrawPoker
from roundsim.games.vingt_un import VingtUn
from roundsim.refereeing.sitting import Sitting
from roundsim.table.actions import Action
from roundsim.table.cards import CARD, PACK, Card
from roundsim.table.chance import Chance, Source
from roundsim.table.deal import Ask, Deal, State
from roundsim.table.imagine import Memory
from roundsim.table.imagined import ImaginedRecord, ImaginedSource, record_behind, replayed_behind
from roundsim.table.legal import count
from roundsim.table.view import Imagined
from roundsim.testing import Table
from roundsim.testing.exchange import by_chance, check_fits, check_sent, everything_in, imagine_at, sitting_questions
from roundsim.testing.views import cards_named, view_at

pytestmark = pytest.mark.usefixtures("here")

GAMES = [name for name in games.names() if games.find(name).imaginable]
EVERY_GAME = pytest.mark.parametrize("name", one_in(3, GAMES))
Question = tuple[Deal, Ask, Imagined]


def some(game: type[Deal], seed: int, asked: int, **given: Any) -> Iterator[Question]:
    """Some questions out of deals at the usual table, with the deals imagined at them."""
    table, rng, number = Table(game, game.usual[0], given), Random(seed), 0
    while asked:
        number += 1
        for deal, ask in sitting_questions(table, f"{seed}/{number}"):
            if asked and rng.random() < 0.1:
                found = imagine_at(deal, ask, number)
                if found is not None:
                    asked -= 1
                    yield deal, ask, found


# That an imagined deal fits, and that nothing hidden gets into it, is tested with `PROPERTIES`.


@EVERY_GAME
def test_an_imagined_deal_is_played_on(name: str) -> None:
    """It is there again at its question; what is forced is said; what is not legal is refused; its counters settle."""
    for deal, ask, found in some(games.find(name), 5, 8):
        assert isinstance(deal.chance, Memory)
        before, counters = everything_in(found), sum(deal.chance.before.pools.values())
        other = found.again()
        for illegal in ("", "nonsense", f"{ask.legal[0]} x"):
            with pytest.raises(ValueError):
                other.answer(illegal)
        assert everything_in(other) == before
        other.answer(str(ask.legal[-1]))
        assert other.view is None or count(other.view.legal) > 1
        nets = [each.play(by_chance(Random(1))) for each in (found.again(), found.again())]
        assert nets[0] == nets[1] and everything_in(found) == before == everything_in(found.again())
        net = found.play(by_chance(Random(2)))
        assert net == found.net and found.view is None
        assert sum(net) + sum(replayed_behind(found).deal.pools.values()) == counters
        with pytest.raises(ValueError, match="the deal is over"):
            found.answer(str(ask.legal[0]))
        assert everything_in(found.again()) == before


@EVERY_GAME
def test_earlier_questions_are_shown(name: str) -> None:
    """Every question with a choice, as the seat that was asked would have seen it; one's own answers as they were."""
    for deal, ask, found in some(games.find(name), 7, 6):
        shown: list[tuple[int, str, str]] = []

        def watch(view: Any, said: Action, shown: Any = shown) -> None:
            assert said in view.legal
            shown.append((view.seat, view.phase, str(said)))

        found.again(watch)
        imagined, true = (list(zip(of.asked, of.actions, strict=True)) for of in (replayed_behind(found).deal, deal))
        assert shown == [(each.seat, each.phase, said) for each, said in imagined if count(each.legal) > 1]
        mine, own = ([(at.phase, said) for at, said in of if at.seat == ask.seat] for of in (true, imagined))
        assert mine == own


# An imagined deal has a record in imagined cards, which can be sent; `PROPERTIES` test that it goes on alike there.


def reached_from(thing: object) -> Iterator[object]:
    """All objects that can be reached from it, without code and types."""
    left, known = [thing], {id(thing): thing}
    while left:
        yield (each := left.pop())
        for next_one in gc.get_referents(each):
            if id(next_one) not in known and not isinstance(next_one, type | FunctionType | ModuleType):
                known[id(next_one)] = next_one
                left.append(next_one)


@EVERY_GAME
def test_no_part_of_the_true_deal_can_be_reached(name: str) -> None:
    """Neither itself nor any of its lists, nor the true place of a card."""
    for deal, _, found in some(games.find(name), 9, 4):
        memory = deal.chance
        assert isinstance(memory, Memory)
        drawn = [each for pack in memory.packs.values() for each in (pack, pack.inner, pack.drawn)]
        true = [deal, deal.state, deal.actions, deal.asked, *deal.hands, memory, memory.before, *drawn]
        hidden = {id(each) for each in [*true, memory.orders, *memory.orders.values(), memory.given]}
        for imagined_deal in (found, found.again()):
            there = [*reached_from(imagined_deal)]
            assert hidden.isdisjoint(map(id, there))
            assert [each for each in there if isinstance(each, Deal)] == [replayed_behind(imagined_deal).deal]
            assert [each.places for each in there if isinstance(each, ImaginedSource)] == [{}]


@pytest.mark.parametrize(
    ("game", "given"),
    [
        ("vingt-un", {"deal_ends": "pack"}),
        *seldom_with(("my-bird-sings", {"method": "draw"}), ("draw-poker", {"jacks": False})),
    ],
)
def test_a_sent_record_has_every_shuffle(game: str, given: dict[str, Any]) -> None:
    """Backs in turn, and packs that are shuffled again, before the question and after it."""
    for _, _, found in some(games.find(game), 4, 15, **given):
        check_sent(games.find(game), found)


def test_the_record_that_is_sent() -> None:
    """Nap, at the first question: 20 cards have been dealt one at a time, and nothing has been said."""
    deal, ask = next(sitting_questions(Table(games.find("nap"), 4, {"stake": 2}), 1))
    found = imagine_at(deal, ask, "mine")
    assert found is not None
    sent = json.loads(json.dumps(record_behind(found).to_json()))
    drawn = sent["drawn"].pop("pack")
    assert drawn[::4] == [*deal.hands[0]] and len({*drawn}) == 20
    assert sent == {
        "players": 4,
        "options": {"stake": 2},
        "before": {
            **{"dealer": 3, "last_dealer": 3, "pools": {"pool": 0}, "stacks": None, "to_come": 1},
            "carry": {"multiplier": 1, "original_dealer": 3},
        },
        **{"drawn": {}, "orders": {}, "given": {}, "actions": []},
        "name": f"{Chance('mine').getrandbits(64):x}",
    }


def test_a_sent_record_is_read_as_it_was() -> None:
    """Cards are cards, keys that are numbers numbers, and a thing that is shuffled no list."""
    deal, ask = next(sitting_questions(Table(games.find("nap"), 4, {}), 1))
    found = imagine_at(deal, ask, 1)
    assert found is not None
    before = State(2, {"pool": 7}, [5, 0, 3, 9], {"laid": [CARD["As"], None], "sold": {3: {"by": CARD["2c"]}}})
    before.last_dealer = 1
    record = replace(
        record_behind(found), before=before, orders={"knobs": [(1, "a"), CARD["Kd"]]}, given={"last": True}
    )
    read = ImaginedRecord.from_json(games.find("nap"), json.loads(json.dumps(record.to_json())))
    assert (read.orders, read.given) == ({"knobs": [(1, "a"), "Kd"]}, {"last": True})
    assert [getattr(read.before, name) for name in State.__slots__] == [
        *(2, 1, {"pool": 7}, [5, 0, 3, 9]),
        {"laid": ["As", None], "sold": {3: {"by": "2c"}}},
        None,
    ]
    assert {type(read.before.carry["laid"][0]), type(read.before.carry["sold"][3]["by"])} == {Card}


def test_the_rest_of_a_pack_depends_on_the_name_alone() -> None:
    """Not on the order in which the cards were gathered."""
    orders = [
        ImaginedSource(name, {"pack": [CARD["As"]]}, {}, {}, {}).pack(cards).draw(52)
        for name, cards in [("one", PACK), ("one", PACK[::-1]), ("other", PACK)]
    ]
    assert orders[0] == orders[1] != orders[2] and [order[0] for order in orders] == ["As"] * 3


def excess(pairs: Counter[tuple[bool, bool]]) -> float:
    """The counts are by (true, imagined): how much more often something is imagined where it is true."""
    where = {true: pairs[true, True] + pairs[true, False] for true in (True, False)}
    assert min(where.values()) > 40, pairs
    return pairs[True, True] / where[True] - pairs[False, True] / where[False]


def test_a_pair_that_is_kept_is_imagined_no_more_often_than_another() -> None:
    """The others do not see that the holder of a pair at Vingt-Un was asked whether he divides it."""
    table, pairs = Table(games.find("vingt-un"), 7, {}), Counter[tuple[bool, bool]]()
    for number in range(300):
        for deal, ask in sitting_questions(table, number, deals=1, answer=itemgetter(0)):
            assert isinstance(deal, VingtUn)
            if ask.phase == "draw" and not deal.naturals:
                found = imagine_at(deal, ask, number)
                for seat in {*range(7)} - {ask.seat} if found else ():
                    assert found
                    true, other = [
                        one.rank == two.rank for one, two in (deal.hands[seat], replayed_behind(found).deal.hands[seat])
                    ]
                    pairs[true, other] += 1
                break
    assert abs(excess(pairs)) < 0.08, pairs


@pytest.mark.soak
@pytest.mark.parametrize(
    ("game", "given", "many"),
    [("speculation", {"max_bid": 5}, 20), ("vingt-un", {"sell_deal": True, "sell_max": 5}, 80)],
)
def test_a_sealed_bid_is_imagined_by_chance(game: str, given: dict[str, Any], many: int) -> None:
    """While others have bid unseen, mostly as much as they could, all bids are imagined alike."""
    table, hits, due, spread = Table(games.find(game), 5, given), 0, 0.0, 0.0
    for number in range(many):
        for deal, ask in sitting_questions(table, number, deals=1, answer=bids_high(Random(number))):
            sealed = [at for at in range(len(deal.asked)) if deal.is_sealed(at, ask.seat)]
            found = imagine_at(deal, ask, f"{number}/{len(deal.asked)}") if sealed else None
            for at in sealed if found else ():
                assert found
                share = 1 / count(deal.asked[at].legal)
                hits += replayed_behind(found).deal.actions[at] == deal.actions[at]
                due, spread = due + share, spread + share * (1 - share)
    assert spread > 30 and abs(hits - due) < 4 * sqrt(spread), (hits, due)


def test_a_refusal_that_nobody_noticed_is_imagined_in_other_hands() -> None:
    """Whoever the seat imagines to hold Pope has declined to play it, and it sees as little of that."""
    table, elsewhere = Table(games.find("pope-joan"), 4, {"pope_lieu": True}), list[bool]()
    for seed in range(3):
        for deal, ask in sitting_questions(table, seed, deals=1):
            said = zip(deal.asked, deal.actions, strict=True)
            if any([deal.is_unnoticed(asked, action, ask.seat) for asked, action in said]):
                found = imagine_at(deal, ask, len(deal.actions))
                assert found
                check_fits(deal, ask, found)
                elsewhere.append(holders_of_pope(replayed_behind(found).deal) != holders_of_pope(deal))
    assert any(elsewhere) and not all(elsewhere)


def holders_of_pope(deal: Deal) -> set[int]:
    return {asked.seat for asked in deal.asked if asked.phase == "pope"}


def bids_high(rng: Random) -> Callable[[Sequence[Action]], Action]:
    """Sells at any price."""

    def answer(legal: Sequence[Action]) -> Action:
        if legal[-1].verb == "bid" and rng.random() < 0.8:
            return legal[-1]
        return legal[rng.randrange(1, count(legal)) if legal[-1].verb == "sell" else rng.randrange(count(legal))]

    return answer


@pytest.mark.soak
def test_a_card_handed_on_unseen_is_lost_sight_of() -> None:
    """My Bird Sings: whether the next seat still holds the card that was thrown to it a round ago."""
    table, pairs = Table(games.find("my-bird-sings"), 4, {"flush_only": True}), Counter[tuple[bool, bool]]()
    for number in range(150):
        for deal, ask in sitting_questions(table, number, deals=1):
            if len(deal.asked) > 8:
                break
            before = [*deal.asked[-4:-3]]
            if ask.phase == "throw" and [(each.phase, each.seat) for each in before] == [("throw", ask.seat)]:
                thrown, taker = deal.actions[-4].card, deal.next_to(ask.seat)
                found = imagine_at(deal, ask, f"{number}/{len(deal.asked)}")
                if found and thrown not in deal.hands[ask.seat]:
                    pairs[thrown in deal.hands[taker], thrown in replayed_behind(found).deal.hands[taker]] += 1
    assert abs(excess(pairs)) < 0.25, pairs


def test_a_card_that_goes_back_into_the_pack_is_lost_sight_of() -> None:
    """Draw poker: whether another has drawn what this seat has put out."""
    table, pairs = Table(games.find("draw-poker"), 7, {"jacks": False}), Counter[tuple[bool, bool]]()
    for number in range(150):
        answer = in_and_draws(Random(number))
        for deal, ask in sitting_questions(table, number, deals=1, answer=answer):
            assert isinstance(deal, DrawPoker)
            if ask.phase == "bet" and deal.shuffles > 1:
                found = imagine_at(deal, ask, number)
                for card in deal.put_out[ask.seat] if found else ():
                    assert found
                    true, other = [card in cards_named(each.hands) for each in (deal, replayed_behind(found).deal)]
                    pairs[true, other] += 1
                break
    assert abs(excess(pairs)) < 0.25, pairs


def in_and_draws(rng: Random) -> Callable[[Sequence[Action]], Action]:
    """Comes in, and puts out three cards or more."""

    def answer(legal: Sequence[Action]) -> Action:
        return legal[rng.randrange(16, 32) if legal[0].verb == "discard" else min(1, count(legal) - 1)]

    return answer


@pytest.mark.soak
def test_a_card_may_lie_anywhere() -> None:
    """Nap, before anybody has spoken: each card as often in each place, as many cards as there are in it."""
    table, many = Table(games.find("nap"), 4, {}), 1500
    deal, ask = next(sitting_questions(table, 1))
    lies: Counter[tuple[Card, int]] = Counter()
    for number in range(many):
        found = imagine_at(deal, ask, number)
        assert found is not None
        lies.update((card, seat) for seat, hand in enumerate(replayed_behind(found).deal.hands) for card in hand)
    unseen = {*PACK} - {*deal.hands[ask.seat]}
    assert len(unseen) == 47 and all(lies[card, ask.seat] == many for card in deal.hands[ask.seat])
    due, others = many * 5 / 47, {*range(4)} - {ask.seat}
    chi_square = sum((lies[card, seat] - due) ** 2 / due for card in unseen for seat in others)
    assert 80 < chi_square < 200, chi_square  # of about 135 degrees of freedom


@pytest.mark.parametrize("game", ["nap", "loto"])
def test_64_bits_are_drawn_from_the_chance_of_the_seat(game: str) -> None:
    """Whether a deal is found or not; so it does not matter where the deals are imagined."""
    for deal, ask in sitting_questions(Table(games.find(game), 4, {}), 1, deals=1):
        own, other = Chance("own"), Chance("own")
        for legal in ask.legal, ():
            found = deal.View(deal, ask.seat, ask.phase, legal, own).imagine()
            assert (found is not None) == (game == "nap" and legal != ())
            other.getrandbits(64)
        assert own.getrandbits(512) == other.getrandbits(512)


def test_a_strategy_that_does_not_say_that_it_imagines_cannot() -> None:
    deal = Sitting(games.find("nap"), games.find("nap").rules_for(4, {})).next_deal(Source("1"))
    with pytest.raises(ValueError, match="a strategy that imagines deals says so: `imagines = True` in its class"):
        view_at(deal, next(deal.deal())).imagine()


@pytest.mark.parametrize(("game", "given"), [("loto", {"method": 2}), ("vingt-un", {"packs": 2})])
def test_some_games_cannot_be_imagined(game: str, given: dict[str, Any]) -> None:
    """Loto hides no cards of the pack; and two packs have equal cards."""
    found = [imagine_at(deal, ask, 1) for deal, ask in sitting_questions(Table(games.find(game), 4, given), 1)]
    assert found and not any(found)


IMAGINES = """
    class Imagines:
        games = ["nap", "vingt-un", "loto"]
        imagines = True

        def act(self, view):
            imagined = view.imagine()
            assert imagined is None or imagined.view.hand == view.hand
            if imagined is not None and imagined.play(lambda view: view.legal[0])[view.seat] > 0:
                return view.legal[0]
            return view.legal[-1]
    """
WRAP = """
    from roundsim.sources.plugins import find, load_strategy
    from roundsim.sources.strategy import Seated
    from roundsim.games import find as game_of

    BOOK = load_strategy(find("book", "nap")[0])

    class Wrap:
        imagines = {imagines}

        def __init__(self):
            self.book = Seated(BOOK, {{}}, game_of("nap")).fresh()[0]

        def act(self, view):
            if self.imagines:
                view.imagine().again().play(lambda view: view.legal[0])
            return self.book[view.phase](view)
    """


def test_a_strategy_that_imagines_plays_without_faults(shell: Shell, write: Write) -> None:
    write("mine.py", IMAGINES)
    for game in ("vingt-un", "loto"):
        done = shell("play", game, "mine.py", "random", "--deals", "4", "--jobs", "1", "--out", game)
        assert done.code == 0, done
    write("other.py", IMAGINES.replace("imagines = True", "imagines = False").replace("Imagines", "Other"))
    done = shell("play", "nap", "other.py", "mine.py", "--deals", "4", "--jobs", "1", "--out", "both")
    said = Path("both/faults.jsonl").read_text()
    assert done.code == 2 and "ValueError: a strategy that imagines deals says so" in said
    reports = [json.loads(line) for line in said.splitlines()]
    assert {each["words"].partition(":")[0] for each in reports} == {"ValueError"}
    assert len({each["strategy"] for each in reports}) == 1


@pytest.mark.soak
def test_imagining_changes_nothing_of_a_run(shell: Shell, write: Write) -> None:
    """A strategy imagines and then answers as before: the log is the same; and `check` finds no problem in it."""
    for name in (True, False):
        path = write(f"{name}/wrap.py", WRAP.format(imagines=name))
        done = shell("play", "nap", path, "random", "book", "--deals", "30", "--jobs", "1", "--out", f"{name}/run")
        assert done.code == 0, done
        assert shell("check", path, "--game", "nap", "--deals", "12").out.endswith("no problems\n")
    assert deals_of(Path("True/run")) == deals_of(Path("False/run")) and len(deals_of(Path("True/run"))) == 36


@pytest.mark.soak
def test_a_run_with_the_sampler_is_the_same_bytes(shell: Shell) -> None:
    """Played again, and on two processes; and it is verified."""
    play = ("play", "nap", "sampler(playouts=4)", *["book"] * 3, "--deals", "16")
    for out, jobs in ("one", 1), ("again", 1), ("two", 2):
        done = shell(*play, "--jobs", jobs, "--out", out)
        assert done.code == 0, done
    assert_same(Path("one"), Path("again"))
    assert_same(Path("one"), Path("two"))
    assert shell("verify", "one").code == 0
