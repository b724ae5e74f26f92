"""Vingt-un: the cards of a box that is over-drawn, and the sentences about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from helpers.command import DEALS

from roundsim.games.vingt_un import VingtUn
from roundsim.refereeing import script
from roundsim.refereeing.sitting import Sitting
from roundsim.table.actions import Action
from roundsim.table.cards import cards
from roundsim.table.deal import Ask
from roundsim.table.events import EventLog
from roundsim.table.legal import accept
from roundsim.table.playthrough import run_deal
from roundsim.testing.views import cards_named, view_at, view_text


def followed(name: str, actions: str, look: Callable[[VingtUn, Ask], object]) -> tuple[VingtUn, Sitting]:
    """A deal of a script, whose questions are all looked at."""
    loaded = script.load_script(DEALS / "vingt-un" / f"{name}.toml")
    sitting, said = Sitting(loaded.game, loaded.rules, loaded.state), iter(actions.split(", "))
    deal = sitting.next_deal(loaded.source(1))
    assert isinstance(deal, VingtUn)

    def answer(ask: Ask) -> Action:
        look(deal, ask)
        return accept(ask.legal, next(said))

    assert run_deal(deal, answer)
    return deal, sitting


def test_an_overdrawn_box_lies_where_it_is_until_the_deals_end() -> None:
    """Tc, 6c and Kc are 26."""
    deal, sitting = followed("17-nobody-stands", "stake 4, pass, split, card", lambda deal, ask: None)
    assert deal.fate[0] == ["over"] and deal.hands[0] == deal.boxes[0][0] == cards("Tc 6c Kc")
    assert deal.drawn[0] == [cards("Kc")] and deal.shown[0] == []
    assert deal.net == [-8, 8]
    sitting.settle(deal)
    assert Counter(sitting.state.carry["used"]) == Counter(cards("Tc 3s 6c 3d 4s 5s Kc"))


def test_an_overdrawn_box_is_seen_by_its_owner_and_what_was_drawn_by_all_until_it_is_shuffled() -> None:
    """Seat 0 has Th 6s and draws 7h, 23; then the pack is gone through, and seat 2 gets 7h again."""
    boxes, seen = [], []

    def look(deal: VingtUn, ask: Ask) -> None:
        boxes.append(deal.hands[0][:])
        if ask.seat == 1 and ask.phase == "draw":
            view = view_at(deal, ask)
            assert isinstance(view, VingtUn.View)
            seen.append(({*cards_named(view_text(deal, ask))} & {*cards("Th 6s 7h")}, view.drawn[0]))

    deal, _ = followed("01-last-card-in-mid-draw", "stake 4, stake 3, pass, card, card, card, stand, card", look)
    assert boxes[3:] == [cards("Th 6s"), *[cards("Th 6s 7h")] * 2, [], []]
    assert seen == [({*cards("7h")}, (tuple(cards("7h")),))] * 3
    assert deal.hands[2] == cards("8c Td 7h") and deal.drawn[0] == [cards("7h")]


def test_the_sentences_about_a_deal() -> None:
    heard = []

    def look(deal: VingtUn, ask: Ask) -> None:
        hearing = getattr(deal, "hearing", None) or EventLog(deal)
        heard.extend([each if isinstance(each, str) else " ".join(map(str, each[:4])) for each in hearing.take()])

    deal, _ = followed("01-last-card-in-mid-draw", "stake 4, stake 3, pass, card, card, card, stand, card", look)
    look(deal, deal.asked[-1])
    assert heard == [
        "seat 0 gets 7h, and is over-drawn",
        "0 2 4 over-drawn",
        "seat 1 gets 4d",
        "the pack is gone through, and the used cards are shuffled",
        "seat 1 gets 2c",
        "the banker, seat 2, turns up his cards",
        "seat 2 gets 7h, and is over-drawn",
        "2 1 3 the banker is over-drawn",
    ]


def test_the_bankers_cards_lie_open_while_he_draws() -> None:
    seen = []

    def look(deal: VingtUn, ask: Ask) -> None:
        if ask.seat == deal.banker and any("stand" in fates for fates in deal.fate):
            seen.append(deal.shown[deal.banker])

    actions = "stake 2, stake 3, double, split, stand, card, stand, card, card"
    followed("03-dealer-divides", actions, look)
    assert seen == [[("Ad", "Kc"), ("As", "5c")]] * 3
