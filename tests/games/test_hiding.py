"""The cards that each seat sees in every game, written by hand from the books, not from what games declare.

A seat may know the cards that it has held, those of actions that are open, and those that lie open.  Whatever else its view
names is a leak; and what the others do must be seen as the table says, no less."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from helpers.command import DEALS, one_in_with, seldom

from roundsim import games
from roundsim.refereeing import script
from roundsim.refereeing.sitting import Sitting
from roundsim.table.actions import Action, say
from roundsim.table.cards import PACK, Card
from roundsim.table.deal import Ask, Deal
from roundsim.table.legal import accept, count
from roundsim.table.playthrough import Playthrough
from roundsim.testing import Table, play_sitting
from roundsim.testing.views import cards_named, view_at, view_text

When = Callable[[Any, str], bool]  # of a deal and the phase, "" at its end


def always(deal: Any, phase: str) -> bool:
    return True


def at_the_end(deal: Any, phase: str) -> bool:
    return not phase


def from_phase(name: str) -> When:
    return lambda deal, phase: phase in ("", name)


def naturals_or_settled(deal: Any, phase: str) -> bool:
    """Naturals at once, the banker's cards when the others have drawn, the others' cards at the settlement."""
    shown = {seat for seat, boxes in enumerate(deal.shown) if boxes}
    return not phase or shown <= {*deal.naturals, deal.banker} and (deal.banker not in shown or phase == "draw")


def after_a_trick_of_an_open_misere(deal: Any, phase: str) -> bool:
    return deal.call == "open misere" and len(deal.tricks) > 0


def ace_is_kept_quiet(deal: Any, asked: Ask, action: Action) -> bool:
    """Robbing is optional, and the holder of the ace says nothing; a dealer who leaves an ace turned up is seen."""
    return deal.rules.robbing == "optional" and deal.turn_up.rank != 14 and (asked.phase, action) == ("rob", "no")


@dataclass(frozen=True)
class Seen:
    """`verbs`: what the others see of an action: "number" of cards, "verb" alone, "never"; of others all of it.

    `open`: names under which cards lie open, and when; `tables`: the options; `blind`: whether a seat has not yet looked at
    its own cards; `unnoticed`: whether an answer is never seen, although its verb may be."""

    verbs: Mapping[str, str] = field(default_factory=dict)
    open: Mapping[str, When] = field(default_factory=dict)
    tables: tuple[dict[str, Any], ...] = ({},)
    blind: Callable[[Any, str, int], bool] = lambda deal, phase, seat: False
    unnoticed: Callable[[Any, Ask, Action], bool] = lambda deal, asked, action: False


DISCARDS = {"discard": "number"}
AT_THE_SHOW = {"shown": at_the_end}
TABLE = {
    "ambigu": Seen(DISCARDS, AT_THE_SHOW),
    "bouillotte": Seen({"stifle": "never"}, {**AT_THE_SHOW, "retourne": always, "under_card": at_the_end}),
    "brag": Seen(
        open={"face_up": always, "shown": from_phase("third")},
        tables=({"variant": "american"}, {"variant": "single"}, {"variant": "three", "third_draw": True}),
    ),
    "cassino": Seen(open={"board": always}),
    "commerce": Seen(
        {"buy": "verb", "barter": "verb", "give": "verb"},
        {"table": always, "shown": from_phase("horse")},
        tuple({"variant": each} for each in ("modern", "old", "pool", "foster", "foster-widow")),
        blind=lambda deal, phase, seat: phase == "dealer" and seat == deal.dealer,
    ),
    "draw-poker": Seen(
        DISCARDS,
        {**AT_THE_SHOW, "openers_shown": always},
        ({}, {"rules": "english"}, {"jacks": True, "false_openers": "penalty"}),
    ),
    "flat-poker": Seen(DISCARDS, AT_THE_SHOW),
    "jig": Seen(),
    "loo": Seen(
        DISCARDS,
        {"turn_up": always, "pam": always},
        tuple({"variant": v} for v in ("three-card", "five-card", "irish")),
    ),
    "loto": Seen(),
    "my-bird-sings": Seen(
        {"throw": "verb", "exchange": "verb", "barter": "verb", "give": "verb"},
        {"tricks": always, "laid_aside": always, "shown": from_phase("sail")},
        ({}, {"method": "draw"}, {"whole_pack": True}, {"variant": "ship"}),
    ),
    "nap": Seen(
        {"buy": "number", "discard": "number"},
        tables=({"buying": True, "kitty": "dealer"}, {"cards": 7}, {"spare_hand": True}),
    ),
    "newmarket": Seen(open={"pools": always}),
    "pope-joan": Seen(
        {"pass": "never"},
        {"turn_up": always, "missing": always},
        ({"look": True}, {"look": True, "pope_lieu": True}, {"pope_lieu": True, "stops": "removed", "removed": 30}),
    ),
    "show-down-poker": Seen(open={"hands": always, "put_out": always, "dead": always}),
    "snip-snap-snorum": Seen(open={"turn_up": always}, tables=({}, {"variant": "whole"})),
    "solo-whist": Seen(open={"turned": always, "shown": after_a_trick_of_an_open_misere}),
    "speculation": Seen(
        {},
        {"turn_up": always, "best": always, "turned": always, "gone": always, "spare": at_the_end},
        ({"spare_hand": True}, {}),
        blind=lambda deal, phase, seat: True,
    ),
    "spin": Seen(open={"shown": always}),
    "spoil-five": Seen(
        {"rob": "verb"},
        {"turn_up": always, "turned": always},
        ({}, {"partners": True, "fiving": True}, {"robbing": "optional"}),
        unnoticed=ace_is_kept_quiet,
    ),
    "straight-poker": Seen(open=AT_THE_SHOW),
    "stud-poker": Seen(open={**AT_THE_SHOW, "up": always}, tables=({}, {"form": "five"})),
    "thirty-one": Seen(open={**AT_THE_SHOW, "table": always}),
    "vingt-un": Seen(
        {"keep": "never"},
        {"drawn": always, "shown": naturals_or_settled},
        ({"sell_deal": True}, {"dealer_splits": True}),
    ),
    "whiskey-poker": Seen(open={**AT_THE_SHOW, "table": from_phase("draw")}, tables=({}, {"knock_turns_widow": True})),
}
SEALED = "bid"  # in this phase nobody sees what the others answer, until all have


class Watch:
    """The cards of a deal that each seat may know, noted from question to question."""

    def __init__(self, row: Seen, deal: Any) -> None:
        self.row, self.deal, self.better, self.retired = row, deal, None, 0
        self.known = [set[Card]() for _ in range(deal.players)]

    def note(self, deal: Any, phase: str) -> None:
        said = [*zip(deal.asked, deal.actions, strict=True)]
        open_now = [name for name, when in self.row.open.items() if when(deal, phase)]
        for seat, known in enumerate(self.known):
            if not self.row.blind(deal, phase, seat):
                own = slice(seat, seat + 1)  # before the deal there are no hands
                known.update(cards_named([deal.hands[own], getattr(deal, "boxes", deal.hands)[own]]))
            known.update(cards_named([seen for asked, action in said if (seen := self.as_seen(asked, action, seat))]))
            known.update(cards_named([getattr(deal, name, None) for name in open_now]))
        self.note_compared(deal)
        if getattr(deal.rules, "look", False) and phase != "dress":
            played = cards_named(deal.actions)
            self.known[deal.dealer] |= {*PACK} - {*cards_named(deal.hands)} - {*played} - {deal.turn_up}

    def note_compared(self, deal: Any) -> None:
        """American Brag: the caller and the one that stood see each other's cards, and nobody else sees any."""
        retired = getattr(deal, "retired", ())
        if len(retired) > self.retired:
            pair = {deal.asked[-1].seat, self.better}
            for seat in pair:
                self.known[seat].update(*(deal.hands[each] for each in pair))
        self.retired, self.better = len(retired), getattr(deal, "better", None)

    def as_seen(self, asked: Ask, action: Action, seat: int) -> Action | None:
        """An action as a seat sees it, by the table; None if it does not see it at all."""
        how = "never" if self.row.unnoticed(self.deal, asked, action) else self.row.verbs.get(action.verb, "all")
        if asked.seat == seat or how == "all":
            return action
        if how == "number":
            return say(action.verb, sum(1 for _ in cards_named(action)))
        return say(action.verb) if how == "verb" else None

    def check(self, ask: Ask, *seats: int) -> None:
        """The views of seats, whether they are asked or look on, or (phase "") have heard the end."""
        self.note(self.deal, ask.phase)
        for seat in seats:
            self.check_seat(self.deal, ask, seat)

    def check_seat(self, deal: Any, ask: Ask, seat: int) -> None:
        view = Ask(seat, ask.phase, ask.legal if seat == ask.seat else ())
        said = [*zip(deal.asked, deal.actions, strict=True)]
        while said and ask.phase == said[-1][0].phase == SEALED and said[-1][0].seat != seat:
            said.pop()
        expected = [
            (each.seat, each.phase, seen) for each, action in said if (seen := self.as_seen(each, action, seat))
        ]
        assert [*map(tuple, view_at(deal, view).history)] == expected
        leaked = {*cards_named(view_text(deal, view))} - self.known[seat]
        assert not leaked, f"seat {seat} sees {leaked} in phase {ask.phase!r}\n{view_text(deal, view)}"


@pytest.mark.parametrize("seeds", [range(1), *seldom(range(1, 4))], ids=["one sitting", "three sittings"])
@pytest.mark.parametrize(
    ("name", "options"), one_in_with(3, [(name, each) for name, row in TABLE.items() for each in row.tables]), ids=str
)
def test_a_seat_sees_no_more_and_no_less_than_the_book_says(name: str, options: dict[str, Any], seeds: range) -> None:
    game, row = games.find(name), TABLE[name]
    table = Table(game, game.usual[0], options)
    for seed in seeds:
        watches: list[Watch] = []

        def look(deal: Deal, ask: Ask, watches: list[Watch] = watches) -> None:
            if not deal.actions:
                watches.append(Watch(row, deal))
            watches[-1].check(ask, ask.seat, (ask.seat + 1) % deal.players)

        play_sitting(table, seed, look)
        for watch in watches:
            watch.check(Ask(0, "", ()), *range(table.players))
            check_show(watch.deal)


def test_the_table_has_every_game() -> None:
    assert [*TABLE] == [*games.ours()]


ALL_SHOW = "commerce", "thirty-one", "whiskey-poker"


def check_show(deal: Any) -> None:
    """Where hands are shown at the end all that are in are; of those that exchange all, whatever came."""
    shown = getattr(deal, "shown", None)
    if deal.id in ALL_SHOW:
        assert shown and [*shown] == deal.hands
    elif hasattr(deal, "still_in") and shown and any(shown):
        assert [shown[seat] for seat in deal.still_in] == [deal.hands[seat] for seat in deal.still_in]


def views_of(name: str, actions: int | None = None, number: int = 1) -> list[Any]:
    """The views of all seats in a deal of a script, after a number of actions or at its end; those who are asked first."""
    loaded = script.load_script(DEALS / name)
    sitting = Sitting(loaded.game, loaded.rules, loaded.state)
    for before in range(1, number):
        loaded.play_deal(before, sitting)
    telling = Playthrough(sitting.next_deal(loaded.source(number)))
    for line in loaded.lines(number)[:actions]:
        _, said = line
        while telling.ask and count(telling.ask.legal) == 1 and line != (telling.ask.seat, telling.ask.legal[0]):
            telling.answer(telling.ask.legal[0])
        assert telling.ask
        telling.answer(accept(telling.ask.legal, said))
    return [view_at(telling.deal, Ask(seat, "", ())) for seat in range(loaded.rules.players)]


def said_in(view: Any) -> list[str]:
    return [f"{said.seat} {said.action}" for said in view.history]


def test_an_open_misere_is_shown_after_the_first_trick_and_partners_are_named() -> None:
    name, left = "solo-whist/16-open-misere-made.toml", "6s 9s 4h 7h Th 5d 8d Jd 3c 6c 9c 2s"
    assert [view.shown for view in views_of(name, 7)] == [()] * 4
    assert [{*view.shown} for view in views_of(name, 8)] == [{*left.split()}] * 4
    # Partners are the others of a side: seat 2 accepts what seat 0 has proposed.
    name = "solo-whist/01-proposal-accepted.toml"
    assert [view.partners for view in views_of(name, 4)] == [(2,), (3,), (0,), (1,)]


def test_the_others_see_no_brelan_stifled_and_of_two_pairs_the_one_that_opens() -> None:
    name = "bouillotte/nobody-has-called.toml"
    assert [said_in(view)[-1] for view in views_of(name, number=2)] == ["2 fold", "1 stifle", "2 fold", "2 fold"]
    assert {said_in(view)[-1] for view in views_of(name)} == {"2 show"}
    assert {view.shown for view in views_of(name)} == {((), (), ("9s", "9h", "9d"), ())}
    for view in views_of("draw-poker/two-pairs-open.toml"):
        assert {*view.openers_shown} == {"Ks", "Kh"}


@pytest.mark.parametrize(
    ("name", "actions", "who", "own", "others"),
    [
        ("pope-joan/pope-in-lieu-of-a-king.toml", 2, 1, "1 pass", "3 play 9h"),
        ("pope-joan/pope-in-lieu-of-a-king.toml", 4, 1, "1 play 9d", "1 play 9d"),
        ("spoil-five/08-optional-no.toml", 1, 0, "0 no", ""),
        ("spoil-five/39-take-and-spoilt-optional.toml", 2, 1, "1 no", "0 play 2s"),
        ("spoil-five/09-debarred.toml", 1, 0, "0 no", "0 no"),
        ("spoil-five/18-dealer-leaves-the-ace.toml", 1, 2, "2 no", "2 no"),
        ("spoil-five/38-holder-robs-last.toml", 3, 2, "2 rob Kh", "2 rob"),
        ("vingt-un/13-four-boxes.toml", 4, 0, "0 keep", "0 split 1"),
    ],
)
def test_whether_a_question_to_the_holder_of_a_card_is_noticed(
    name: str, actions: int, who: int, own: str, others: str
) -> None:
    for seat, view in enumerate(views_of(name, actions)):
        assert (said_in(view) or [""])[-1] == (own if seat == who else others)


def test_a_seat_that_declines_to_rob_is_named_only_where_the_table_learns_it() -> None:
    for name, declined in ("08-optional-no", None), ("09-debarred", 0), ("18-dealer-leaves-the-ace", 2):
        assert {view.declined for view in views_of(f"spoil-five/{name}.toml", 1)} == {declined}


def test_the_last_two_of_american_brag_show_and_others_compare_in_private() -> None:
    """Seats 0 and 1 compare, then 0 and 2; who has called last has his hand and seat 3's shown to all."""
    views = views_of("brag/american-comparisons.toml")
    kings, queens, aces, tens = (tuple(hand.split()) for hand in ("Ks Kh 3c", "Qs Qh 4c", "As Ah 5c", "Ts Th 6c"))
    assert [dict(view.compared) for view in views] == [{1: queens, 2: aces}, {0: kings}, {0: kings}, {}]
    assert {view.shown for view in views} == {((), (), aces, tens)}
