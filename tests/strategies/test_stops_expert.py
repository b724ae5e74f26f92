"""The experts at stops play deals out as the games do, with the book at every seat."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from helpers.command import one_in
from hypothesis import given
from hypothesis import strategies as st

from roundsim import games
from roundsim.games import pope_joan
from roundsim.mechanics.stops import RANK_ORDER
from roundsim.refereeing.sitting import Sitting
from roundsim.sources.plugins import find, load_strategy
from roundsim.strategy import mask
from roundsim.table.actions import Action
from roundsim.table.cards import CARD, SUITS, Card
from roundsim.table.chance import Chance, Source
from roundsim.table.deal import Deal
from roundsim.testing.tables import any_table


def classes(name: str) -> dict[str, Any]:
    """The house strategy of this name in each game."""
    return {game: load_strategy(find(name, game)[0]) for game in ("newmarket", "jig", "pope-joan", "spin")}


def worth(view: Any, hand: Any) -> dict[Card, int]:
    """The counters that cards win at Pope Joan. Between equal leads pairs make no difference when deals are played
    out."""
    names = {CARD["9d"]: "pope"} | {CARD[rank + view.trumps]: name for rank, name in pope_joan.HONOURS.items()}
    return {card: view.pools.get(names.get(card, ""), 0) for card in hand}


BOOKS, EXPERTS = classes("book"), classes("expert")
BOOKS["pope-joan"] = type("PopeJoan", (BOOKS["pope-joan"],), {"worth": staticmethod(worth)})


def in_order(card: Card) -> tuple[int, int]:
    return SUITS.index(card.suit), RANK_ORDER.index(card[0])


def view_or_nets(deal: Deal, at: int, said: Action | None = None) -> Any:
    """The view of the question `at` of the experts, played by books with sorted hands until then; or, if it is answered
    so, the net of each seat in the whole deal."""
    book, expert = BOOKS[deal.id], EXPERTS[deal.id]
    story, answer, asked = deal.deal(), None, 0
    try:
        while True:
            ask = story.send(answer)
            deal.asked.append(ask)
            answer = ask.legal[0]
            if len(ask.legal) > 1:
                deal.hands[ask.seat].sort(key=in_order) if deal.hands else None
                view = deal.View(deal, ask.seat, ask.phase, ask.legal, Chance("book"))
                answer = Action(getattr(book(), ask.phase)(view))
                if answer.cards and hasattr(expert, ask.phase):
                    if asked == at:
                        if said is None:
                            return view
                        answer = said
                    asked += 1
            deal.actions.append(answer)
    except StopIteration:
        return deal.net


@pytest.mark.parametrize("game", one_in(2, [*BOOKS]))
@given(data=st.data())
def test_a_deal_is_played_out_as_the_game_plays_it(game: str, data: st.DataObject) -> None:
    """In the true hands every answer brings the net that it brings at the table."""
    kind, number, seed = games.find(game), data.draw(st.integers(0, 12)), data.draw(st.integers(0, 9999))
    table = data.draw(any_table(kind))
    sitting = Sitting(kind, table.rules)
    for before in range(data.draw(st.integers(0, 2))):
        deal = sitting.next_deal(Source(f"{seed}/{before}"))
        view_or_nets(deal, -1)
        sitting.settle(deal)
    state = copy.deepcopy(sitting.state)

    def again() -> Deal:
        return Sitting(kind, table.rules, copy.deepcopy(state)).next_deal(Source(f"{seed}"))

    deal = again()
    view = view_or_nets(deal, number)
    if isinstance(view, list):
        return
    runs = EXPERTS[game]().runs(view)
    if runs is None or getattr(view.options, "look", False):  # a dealer who has looked at cards leads with them in mind
        return
    hands, so_far = [mask(hand) for hand in deal.hands], deal.net[view.seat]
    for action in view.legal:
        if action.cards:
            net = view_or_nets(again(), number, action)[view.seat] - so_far
            assert runs.play_out(hands, mask(action.cards)) == net, (view, action)
