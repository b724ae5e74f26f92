"""The names that strategies may import; the house strategies import nothing else of ours."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from conftest import Write

from roundsim import games, strategy
from roundsim.base.errors import StrategyError
from roundsim.base.importing import reload_next_time
from roundsim.refereeing.sitting import Sitting
from roundsim.refereeing.table import Table
from roundsim.sources.plugins import GUIDE_SEAT, find, load_strategy
from roundsim.strategy import BIT, SUIT_BITS, TRUMPS, Hands
from roundsim.table.cards import CARD, PACK, PACK_32, SUITS, Card, cards
from roundsim.table.chance import Chance, Source
from roundsim.table.deal import Deal
from roundsim.table.view import TableView


def question(game: str, phase: str, number: int = 1, **options: object) -> tuple[Deal, Any]:
    """The deal and the view of the `number`-th question of this phase; everybody plays by chance until then."""
    rules, chance = games.find(game).rules_for(4, options), Chance(f"{game}/1")
    for place in range(1000):
        deal = Sitting(games.find(game), rules).next_deal(Source(f"1/{place}"))
        story, said, asked = deal.deal(), None, 0
        try:
            while True:
                ask = story.send(said)
                asked += ask.phase == phase and len(ask.legal) > 1
                if asked == number:
                    return deal, deal.View(deal, ask.seat, ask.phase, ask.legal, chance)
                said = chance.choice(ask.legal)
                deal.asked.append(ask)
                deal.actions.append(said)
        except StopIteration:
            pass
    raise AssertionError(f"{game} never asks {phase}")


def view_of(legal: str = "", hand: str = "", **shown: object) -> Any:
    """A stand-in for a view, with these legal actions (separated by commas), this hand, and other attributes."""
    actions = tuple(map(strategy.Action, legal.split(", ")))
    return SimpleNamespace(legal=actions, hand=tuple(cards(hand)), **shown)


def trick_view(seat: int, leader: int, trick: str, *tricks: tuple[int, str], hand: str = "", players: int = 4) -> Any:
    over = tuple((first, tuple(cards(text))) for first, text in tricks)
    return view_of(
        hand=hand, seat=seat, leader=leader, trick=tuple(cards(trick)), tricks=over, players=players, won=[0] * players
    )


RAISES = "fold, call, raise 2, raise 3, raise 4"
SAID: list[tuple[str, list[Any], str]] = [  # legal actions, those that are wanted, and the one that is said
    ("pass, call 2, call 3", ["call 5", "call 3", "call 2"], "call 3"),
    ("pass, call 2", ["call 5"], "pass"),
    ("pass", [], "pass"),
    (RAISES, [("raise", 3.9), "call"], "raise 3"),
    (RAISES, [("raise", 99), "call"], "raise 4"),
    (RAISES, [("raise", 0), "call"], "raise 2"),
    ("fold, call", [("raise", 3), "call"], "call"),
    ("pass, bet 1, bet 2", [("raise", 3), ("bet", 2)], "bet 2"),
]


def test_answers_are_legal() -> None:
    for legal, wanted, said in SAID:
        assert strategy.say(view_of(legal), *wanted) == said
    assert strategy.playable(view_of("play As, play 2c")) == ["As", "2c"]
    assert strategy.discard(cards("2c 5d")) == "discard 2c 5d" and strategy.discard([]) == "discard"
    assert strategy.discard(strategy.all_but(cards("2c 5d Ah"), cards("5d"))) == "discard 2c Ah"


def test_points_ranks_and_groups_of_cards() -> None:
    assert [strategy.ace_low(card) for card in cards("As 2s Ts Ks")] == [1, 2, 10, 13]
    assert [strategy.pips(card) for card in cards("As 2s Ts Ks")] == [11, 2, 10, 10]
    assert max(cards("2s As 9s"), key=strategy.by_rank) == "As"
    hand = cards("Kh 2s 9h As")
    assert strategy.of_suit(hand, "h") == ["Kh", "9h"] and strategy.of_suit(hand, None) == []
    assert strategy.ranks_of(hand, "h") == [9, 13] and strategy.ranks_of(hand, "d") == []
    assert strategy.in_order(hand, "s") == ["9h", "Kh", "2s", "As"]
    assert strategy.in_order(hand, None) == ["2s", "9h", "Kh", "As"]
    assert strategy.best_suits(cards("2c 3c 4c Ah Kh Ks")) == ["h", "c", "s"]  # 4 + 4 + 4, 8 + 7, 4 + 3
    assert strategy.groups(cards("9s 9h Ks Kh 4d")) == [(2, 13), (2, 9), (1, 4)]
    assert strategy.groups(cards("2s 2h 2d As Ah")) == [(3, 2), (2, 14)]
    assert strategy.groups(cards("Jo 3s")) == [(1, 15), (1, 3)] and strategy.groups([]) == []


def test_unseen_is_all_that_the_view_does_not_show() -> None:
    deal, view = question("nap", "play", number=7, cards=6)
    unseen = strategy.unseen(view)
    shown = {*view.hand, *view.put_out, *view.trick, *[card for _, trick in view.tricks for card in trick]}
    assert {*unseen}.isdisjoint(shown) and {*unseen, *shown} == {*PACK} and view.tricks
    assert unseen == [card for card in PACK if card in unseen]
    assert strategy.unseen(view, PACK_32) == [card for card in unseen if card in PACK_32]


def test_draws_of_a_card_from_the_pool() -> None:
    view = view_of("pass, draw Ah 2c, draw Ah 9s, knock", hand="2c 9s Kd")
    draws = [("draw Ah 2c", ["Ah", "9s", "Kd"], "2c"), ("draw Ah 9s", ["2c", "Ah", "Kd"], "9s")]
    assert list(strategy.draws(view)) == draws


def test_a_card_beats_others_and_is_played_under_them() -> None:
    assert strategy.beats(CARD["9h"], CARD["8h"], None) and not strategy.beats(CARD["8h"], CARD["9h"], "h")
    assert strategy.beats(CARD["2s"], CARD["Ah"], "s") and not strategy.beats(CARD["As"], CARD["2h"], "h")
    hand = cards("2h 8h Kh 3s")
    assert strategy.highest_under(hand, CARD["9h"], None) == "8h"
    assert strategy.highest_under(cards("Kh Qh"), CARD["9h"], None) == "Qh"
    with pytest.raises(ValueError):
        strategy.highest_under([], CARD["9h"], None)


def test_plays_voids_and_the_winning_card() -> None:
    view = trick_view(1, 3, "Ks 2s", (0, "Ah 3h 4d 5h"))
    first, second = [(0, "Ah", "h"), (1, "3h", "h"), (2, "4d", "h"), (3, "5h", "h")], [(3, "Ks", "s"), (0, "2s", "s")]
    assert list(strategy.plays(view)) == first + second
    assert strategy.voids(view, 2) == {"h"} and strategy.voids(view, 3) == strategy.voids(view, None) == set()
    view = trick_view(2, 5, "Ks", (4, "Ah 3h 4d"), players=6)
    order = (2, 4, 5)
    plays = [(seat, card) for seat, card, _ in strategy.plays(view, order)]
    assert plays == [(4, "Ah"), (5, "3h"), (2, "4d"), (5, "Ks")]
    assert strategy.voids(view, 2, order) == {"h"} and strategy.winning(view, None, order) == ("Ks", 5)
    view = trick_view(2, 3, "Ts Ks 2h")
    assert strategy.winning(view, None) == ("Ks", 0) and strategy.winning(view, "h") == ("2h", 1)
    with pytest.raises(IndexError):
        strategy.winning(trick_view(2, 2, ""), None)


def test_the_cost_of_a_call_and_a_seat_that_has_raised() -> None:
    view = view_of(seat=1, level=12, stake=(12, 5), stacks=(0, 4), pools={"pool": 3})
    assert (strategy.owed(view), strategy.to_call(view), strategy.pool(view)) == (7, 4, 20)
    assert strategy.stack_of(view, 0) == 0
    view.stacks = None
    assert strategy.to_call(view) == 7 and strategy.stack_of(view, 0) == 10**9
    said = [strategy.Said(0, "bet", strategy.Action("raise 4")), strategy.Said(1, "ante", strategy.Action("raise 2"))]
    view = view_of(seat=1, history=said)
    assert strategy.has_raised(view) and strategy.has_raised(view, "ante") and not strategy.has_raised(view, "bet")
    view.seat = 2
    assert not strategy.has_raised(view)


def test_sized_answers_are_legal() -> None:
    deal, view = question("stud-poker", "bet")
    found = strategy.sized(view, {"least": 0, "all": 10**6})
    least = min(action.amount for action in view.legal if action.amount)
    assert {*found.values()} <= {*map(str, view.legal)} and found["fold"] == "fold"
    assert found["bet all"] == view.legal[-1] and int(found["bet least"].split()[1]) == least


def test_tables_of_installed_strategies_and_their_parameters() -> None:
    deal, view = question("nap", "call")
    answer = strategy.table_of("book", "nap")()
    assert answer(view) == strategy.table_of("book", "nap")()(view) in view.legal
    assert strategy.table_of("expert", "snip-snap-snorum")()(question("snip-snap-snorum", "play")[1])  # by chance
    deal, view = question("draw-poker", "ante")
    assert strategy.table_of("expert", "draw-poker")()(view) in view.legal  # it begins
    with pytest.raises(StrategyError):
        strategy.table_of("nobody", "nap")
    deal, view = question("nap", "call")
    assert strategy.table_of("book(bold=1)", "nap")()(view) in view.legal
    sampler = load_strategy(find("sampler", "nap")[0])(guide="book(bold=1)", answers=1)
    sampler.begin(view)
    assert sampler.act(view) == strategy.table_of("book(bold=1)", "nap")()(view)
    for game, text in ("nap", "book(nice=1)"), ("snip-snap-snorum", "expert(nice=1)"), ("loo", "book(bold=1)"):
        with pytest.raises(StrategyError, match="has no parameter"):
            strategy.table_of(text, game)


def test_a_table_only_of_installed_strategies(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """A house strategy plays where the cards are, and its parameters may come from a run folder of somebody else."""
    file = write("mine.py", "open('ran', 'w')\nclass Mine:\n    def act(self, view): return view.legal[0]\n")
    write("bot.toml", 'name = "bot"\ncommand = ["python", "mine.py"]\n')
    monkeypatch.syspath_prepend(str(file.parent))
    paths = "./mine.py", "mine.py:Mine", "x=mine.py", "mine:Mine", "git:HEAD:mine.py", "cmd:python mine.py", "bot.toml"
    for place in paths:
        with pytest.raises(StrategyError, match="only installed strategies can be named here"):
            strategy.table_of(place, "nap")
    assert not (file.parent / "ran").exists()


def test_bits_of_cards_are_in_the_order_of_ranks() -> None:
    for trumps in (None, *SUITS):
        bit = BIT[trumps]
        assert len({*bit.values()}) == 52 and sum(SUIT_BITS[trumps].values()) == sum(bit.values())
        assert all((bit[card] >= TRUMPS) == (card.suit == trumps) for card in PACK)
        assert all(bit[a] < bit[b] for a in PACK for b in PACK if a.rank < b.rank and a.suit == b.suit)


def dealt(hands: Hands, seed: str = "x") -> list[set[Card]]:
    """By place, the cards of a deal."""
    return [{card for card, bit in hands.bit.items() if hand & bit} for hand in hands.deal(Chance(seed))]


def test_hands_are_dealt_as_what_is_known_of_them_allows() -> None:
    view = trick_view(2, 3, "9s Js 2d", (0, "Ah 3h 4d 5h"), hand="Qs 2h 3d")
    hands = Hands(view, range(4), "d", 4)
    assert (hands.me, hands.tricks_left, hands.to_play) == (2, 3, 1)
    assert hands.led == hands.suits["s"] and hands.best == hands.bit[CARD["2d"]] and hands.taker == 1
    assert hands.lacks == [0, hands.suits["s"], hands.suits["h"], 0] and hands.sizes == [2, 2, 0, 2]
    assert hands.mask(cards("9s Js 2d")) == hands.table and hands.others[0] == 1
    assert len(hands.unseen) == 52 - 4 - 3 - 3 and sum(hands.unseen) == hands.hidden
    hands.holds(3, cards("Kc Ah"))  # the ace is played
    assert hands.sizes == [2, 2, 0, 1] and hands.hidden == sum(hands.unseen) + hands.bit[CARD["Kc"]]
    for seed in range(50):
        first, void, mine, holder = each = dealt(hands, str(seed))
        assert mine == {*view.hand} and "Kc" in holder and [*map(len, each)] == [2, 2, 3, 2]
        assert not any(card.suit == "s" for card in void) and len(first | void | mine | holder) == 9


def test_hands_of_smaller_packs_and_equal_cards() -> None:
    view = trick_view(1, 1, "", hand="As Ks 7h 8h 9h", players=2)
    hands = Hands(view, (1, 0), None, 5, PACK_32, cards("7c 8c"))
    assert hands.me == 0 and len(hands.unseen) == 32 - 5 - 2 and hands.led == hands.best == 0
    assert not dealt(hands)[1] & {*cards("7c 8c"), *view.hand}
    view = trick_view(0, 0, "", (0, "Ah Ks"), hand="Kh", players=2)
    hands = Hands(view, range(2), None, 2, cards("Ah Ks Kh Qh"))
    assert dealt(hands) == [{"Kh"}, {"Qh"}]
    view = trick_view(0, 0, "", hand="As Ks Js 9h", players=2)
    hands = Hands(view, range(2), None, 4)
    assert hands.worth_trying(view.hand) == ["9h", "Js", "Ks"]
    hands = Hands(view, range(2), None, 4, seen=cards("Qs"))
    assert hands.worth_trying(view.hand) == ["9h", "Js"]


def test_the_views_of_the_games_are_types() -> None:
    for name in games.names():
        assert issubclass(games.find(name).View, TableView)


def test_a_table_plays_by_modules_that_were_loaded_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stage forgets what a module remembers: so does a table that plays by it."""
    (book,) = find("book", "nap")
    before = load_strategy(book, GUIDE_SEAT)
    strategy.table_of("book", "nap")
    reload_next_time([book.path])
    view = Table("nap", 4).view()
    monkeypatch.setattr(before, "call", lambda self, view: "nonsense")
    assert strategy.table_of("book", "nap")()(view) in view.legal
