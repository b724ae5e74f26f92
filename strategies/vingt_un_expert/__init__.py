"""Vingt-un by the cards that are unseen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from roundsim.games.vingt_un import VingtUn
from roundsim.strategy import PACK, Card, unseen

from .counting import (
    ALL,
    EMPTY,
    HIGH,
    OVER,
    Box,
    Play,
    Unseen,
    against_banker,
    against_player,
    box_of,
    count,
    stands,
    with_card,
    worth_of,
)

UNLIKE = 0.02  # the weight of two cards that the book would have played differently
LOW = range(2, 10)


class Expert:
    """The best play by dynamic programming, for the cards that no hand since the last shuffle has shown.

    It takes the banker to double on an ace or a ten-card, and others to draw as the book does; an ace is behind the
    highest stake. It stakes the most on a first card that wins in the mean, else the least. As banker it doubles if that
    gains, and draws against the boxes that stand. Pools and bonuses do not count."""

    name = "expert"
    games = ["vingt-un"]

    def __init__(self) -> None:
        self.seen, self.gone = set[Card](), 0

    def sell(self, view: VingtUn.View) -> str:
        return "deal"

    def bid(self, view: VingtUn.View) -> str:
        return "pass"

    def stake(self, view: VingtUn.View) -> str:
        cards, options = self.unseen(view), view.options
        gains = worth_of_first(cards, worth_of(view.hand[0])) > 0
        return f"stake {options.max_stake if gains else options.min_stake}"

    def double(self, view: VingtUn.View) -> str:
        cards, card = self.unseen(view), worth_of(view.hand[0])
        worth = {stake: worth_to_banker(cards, card, behind(view, stake)) for stake in {*stakes_in(view)}}
        return "double" if sum([stake * worth[stake] for stake in stakes_in(view)]) > 0 else "pass"

    def split(self, view: VingtUn.View) -> str:
        cards, options = self.unseen(view), view.options
        card, pair = with_card(EMPTY, worth_of(view.hand[0])), box_of(view.hand)
        if view.seat == view.banker:
            ends = cards.ends(cards.boxes(ALL)[1])
            play = Play(cards, against_player(ends))
            return "split" if 2 * play.to_draw(card) > play.worth(pair) else "keep"
        play, stake = self.play(view, cards), view.stakes[view.seat][view.box]
        new = options.max_stake if play.to_draw(card) > 0 else options.min_stake
        return f"split {new}" if (stake + new) * play.to_draw(card) > stake * play.worth(pair) else "keep"

    def draw(self, view: VingtUn.View) -> str:
        cards, box = self.unseen(view), box_of(view.hand)
        play = Play(cards, worth_to_all(view, cards)) if view.seat == view.banker else self.play(view, cards)
        return "card" if "card" in view.legal and play.to_draw(box) > play.stand[count(box)] else "stand"

    def settled(self, view: VingtUn.View, net: int) -> None:
        self.seen |= {*PACK} - {*unseen(view)}

    def unseen(self, view: VingtUn.View) -> Unseen:
        """Return the cards that neither this hand nor an earlier one has shown since the last shuffle."""
        if view.number == 1 or view.gone != self.gone:
            self.seen, self.gone = set(), view.gone
        cards = [card for card in unseen(view) if card not in self.seen]
        return Unseen(map(worth_of, [*cards, *PACK * (view.options.packs - 1)]))

    def play(self, view: VingtUn.View, cards: Unseen) -> Play:
        """Return the best play against the banker, whose first card shows in whether the stakes are doubled."""
        return Play(cards, against_banker(cards.ends(cards.boxes(HIGH if view.double else LOW)[1])))


# A player.


def worth_of_first(cards: Unseen, first: int) -> float:
    """Return what a stake of one gains on a first card, the banker's double counted."""
    high = sum([cards.share[card] for card in HIGH])
    return 2 * high * worth_against(cards, first, HIGH) + (1 - high) * worth_against(cards, first, LOW)


def worth_against(cards: Unseen, first: int, firsts: Iterable[int]) -> float:
    """Return what a player gains with a first card, in stakes, if the banker's is one of these."""
    bankers, boxes = cards.boxes(firsts)
    natural, plain = second_card(cards, Play(cards, against_banker(cards.ends(boxes))), first)
    return (1 - bankers) * (2 * natural + plain) - 2 * bankers * (1 - natural)


def second_card(cards: Unseen, play: Play, first: int) -> tuple[float, float]:
    """Return the chance that a second card makes a natural, and what the other second cards are worth in the mean."""
    box = with_card(EMPTY, first)
    worth = {card: cards.share[card] * play.worth(with_card(box, card)) for card in ALL if {first, card} != {*HIGH}}
    return cards.share[11 - first] if first in HIGH else 0.0, sum(worth.values())


def is_natural(box: Box) -> bool:
    """Return whether two cards are a natural."""
    return box == (11, True)


# The banker.


def stakes_in(view: VingtUn.View) -> list[int]:
    """Return all stakes, once all are made."""
    return [stake for stakes in view.stakes for stake in stakes]


def behind(view: VingtUn.View, stake: int) -> Sequence[int]:
    """Return the first cards that are behind a stake."""
    return (1,) if stake >= view.options.max_stake else (9, 10) if stake > view.options.min_stake else range(2, 11)


def worth_to_banker(cards: Unseen, first: int, firsts: Sequence[int]) -> float:
    """Return what the banker gains of a stake with a first card, if the player's is one of these."""
    natural, boxes = cards.boxes(firsts)
    bankers, plain = second_card(cards, Play(cards, against_player(cards.ends(boxes))), first)
    return 2 * bankers * (1 - natural) + (1 - natural) * plain - 2 * natural * (1 - bankers)


def worth_to_all(view: VingtUn.View, cards: Unseen) -> list[float]:
    """Return what each count of the banker is worth against all boxes that stand."""
    worth = [0.0] * (OVER + 1)
    for seat, fates in enumerate(view.fate):
        for fate, stake, drawn in zip(fates, view.stakes[seat] or (), view.drawn[seat], strict=False):
            if fate == "stand":
                ends = ends_of(view, cards, stake, drawn)
                worth = [so_far + stake * more for so_far, more in zip(worth, against_player(ends), strict=True)]
    return worth


def ends_of(view: VingtUn.View, cards: Unseen, stake: int, drawn: Sequence[Card]) -> list[float]:
    """Return the chances of the count of a box that stands, after these draws."""
    ends, doubled = [0.0] * (OVER + 1), 1 + view.double
    for pair, chance in cards.pairs(behind(view, stake // doubled)).items():
        box = with_card(with_card(EMPTY, pair[0]), pair[1])
        if is_natural(box):
            continue
        like = True
        for card in map(worth_of, drawn):
            like = like and not stands(box)
            box = with_card(box, card)
        if box[0] <= 21:
            ends[count(box)] += chance * (1 if like and stands(box) else UNLIKE)
    total = sum(ends)
    return [chance / total for chance in ends] if total else cards.ends({EMPTY: 1.0})
