"""Nap by the book."""

from collections.abc import Iterator, Sequence

from roundsim.games.nap import Nap
from roundsim.strategy import (
    PACK,
    SUITS,
    Card,
    beats,
    by_rank,
    discard,
    highest_under,
    in_order,
    of_suit,
    playable,
    plays,
    ranks_of,
    say,
    winning,
)

HIGH = ("A", "K", "Q")


class Book:
    """Baxter-Wray's advice ("Round Games with Cards", 1891, pp. 3-15), and our reading of it.

    Nap is called on four or five of a suit with its ace or king, since who can make four gains ten by trying for
    five, and on three high cards well supported; three and two on their sure cards or near it; one and four never.
    Fewer players and the full pack leave more cards undealt: so it is bolder with three, more cautious with five or
    with 32 cards.  The senior hand leads trumps from the top, then aces.  The others beat his first lead with their
    best, win cheaply when last, and keep the suits that he has shown.

    `bold`: 1 calls three on a hand for two and nap on one for three if a jack or ten replaces the missing high card;
    -1 calls on the certain cards only (A K Q J T, A K Q, A K).

    The book does not say how to buy, to use the spare hand, to answer a challenge or to call with nine cards, nor how
    to beat a misery.  Here nothing is bought, the spare hand is taken for a nap that is not certain, Wellington and
    Bluecher are for the certain hand, and with nine cards the tricks that the top cards should make are called."""

    name = "book"
    games = ["nap"]

    def __init__(self, bold: int = 0) -> None:
        self.bold = bold

    def buy(self, view: Nap.View) -> str:
        return "stand"

    def discard(self, view: Nap.View) -> str:
        return discard(weakest(view.hand, view.options.cards - 5))

    def call(self, view: Nap.View) -> str:
        return say(view, *(self.nine_card_calls(view) if view.options.cards == 9 else self.calls(view)))

    def answer(self, view: Nap.View) -> str:
        return "take" if certain(view.hand) else "leave"

    def spare(self, view: Nap.View) -> str:
        return discard(weakest(view.hand, view.options.cards))

    def play(self, view: Nap.View) -> str:
        cards = playable(view)
        if view.call == "call misery":
            card = lose_all(view, cards) if view.seat == view.senior else give_a_trick(view, cards)
        elif view.trick:
            card = follow(view, cards)
        else:
            card = lead(view, cards)
        return card.play

    def temper(self, view: Nap.View) -> int:
        """Bold 1, cautious -1: our own, and one step for what lies undealt."""
        undealt: int = {2: 1, 3: 1, 5: -1}.get(len(view.order), 0) - (view.options.pack == "32")
        return max(-1, min(1, self.bold + undealt))

    def calls(self, view: Nap.View) -> list[str]:
        """Return the calls that the hand is worth, the best first."""
        hand, temper = view.hand, self.temper(view)
        if certain(hand):
            return ["call nap", "call wellington", "call blucher"]
        worth = worth_for_certain(hand) if temper < 0 else worth_of(hand)
        if temper > 0 and worth:
            worth = stepped_up(hand, worth)
        if worth:
            return {5: ["call spare", "call nap"], 3: ["call 3"], 2: ["call 2"]}[worth]
        misery = view.options.misery and view.options.pack == "52" and temper >= 0
        return ["call misery"] if misery and may_lose_all(hand) else []

    def nine_card_calls(self, view: Nap.View) -> list[str]:
        """Return the call for the tricks of the best suit: its length less the high cards out, and the aces outside."""
        tricks = max(top_tricks(suit, view.hand) for suit in SUITS) + self.temper(view)
        if tricks >= 9:
            return ["call nap", "call wellington", "call blucher"]
        return [f"call {tricks}"] if tricks > 1 else []


# The worth of a hand.


def divided(suit: str, hand: Sequence[Card]) -> tuple[list[str], list[Card]]:
    """The ranks held in a suit, and the cards outside it."""
    return [card[0] for card in of_suit(hand, suit)], [card for card in hand if card.suit != suit]


def certain(hand: Sequence[Card]) -> bool:
    """The nap that no lie of the cards can beat."""
    return one_suit(hand) and {"A", "K", "Q", "J", "T"} <= {card[0] for card in hand}


def suits_of_two(hand: Sequence[Card]) -> set[str]:
    """Return the suits with at least two cards in hand: no other is worth a call."""
    suits = [card.suit for card in hand]
    return {suit for suit in suits if suits.count(suit) > 1}


def worth_nap(own: Sequence[str], outside: Sequence[Card]) -> bool:
    """Four or five of a suit with ace or king; or A K Q with two high cards of a second suit, or with two aces."""
    if len(own) >= 4:
        return "A" in own or "K" in own
    return (
        {*HIGH} == {*own}
        and all(card[0] in HIGH for card in outside)
        and (one_suit(outside) or all(card[0] == "A" for card in outside))
    )


def worth_three(own: Sequence[str], outside: Sequence[Card]) -> bool:
    """A K Q; A J T; or three with ace or king and another jack or better, the other two being some help."""
    if {*HIGH} <= {*own} or {"A", "J", "T"} <= {*own}:
        return True
    return (
        len(own) == 3
        and ("A" in own or "K" in own)
        and sum(rank in "AKQJ" for rank in own) >= 2
        and (one_suit(outside) or any(card[0] in "AK" for card in outside))
    )


def worth_two(own: Sequence[str], outside: Sequence[Card]) -> bool:
    """A K; three headed by a high card; or the ace with another, and an ace outside."""
    if {"A", "K"} <= {*own} or len(own) >= 3 and any(rank in HIGH for rank in own):
        return True
    return "A" in own and len(own) == 2 and any(card[0] == "A" for card in outside)


def suit_worth(suit: str, hand: Sequence[Card]) -> int:
    """Tricks to call with this suit for trumps: 5, 3, 2 or 0."""
    held = divided(suit, hand)
    if len(held[0]) < 2:
        return 0
    return 5 if worth_nap(*held) else 3 if worth_three(*held) else 2 if worth_two(*held) else 0


def worth_of(hand: Sequence[Card]) -> int:
    return max([suit_worth(suit, hand) for suit in suits_of_two(hand)], default=0)


def worth_for_certain(hand: Sequence[Card]) -> int:
    """Three and two on the cards that must make them."""
    suits = [{*divided(suit, hand)[0]} for suit in suits_of_two(hand)]
    return 3 if any({*HIGH} <= own for own in suits) else 2 if any({"A", "K"} <= own for own in suits) else 0


def stepped_up(hand: Sequence[Card], worth: int) -> int:
    """The next higher call, if one jack or ten taken for a high card allows it."""
    above = {2: 3, 3: 5, 5: 5}[worth]
    return above if any(worth_of(better) >= above for better in improved(hand)) else worth


def improved(hand: Sequence[Card]) -> Iterator[list[Card]]:
    """Yield the hand with one jack or ten replaced by a missing high card of its suit."""
    for card in hand:
        if card[0] in "JT":
            for high in of_suit(PACK, card.suit):
                if high[0] in HIGH and high not in hand:
                    yield [high if held is card else held for held in hand]


def may_lose_all(hand: Sequence[Card]) -> bool:
    """Misery: low cards throughout, and a suit of one or two to lead."""
    suits = [ranks_of(hand, suit) for suit in SUITS]
    low = all(not own or own[0] <= 4 and own[-1] <= 10 and (len(own) == 1 or own[1] <= 7) for own in suits)
    return low and any(len(own) in (1, 2) for own in suits)


def top_tricks(suit: str, hand: Sequence[Card]) -> int:
    own, outside = divided(suit, hand)
    return len(own) - len({*HIGH} - {*own}) + sum(card[0] == "A" for card in outside)


def one_suit(cards: Sequence[Card]) -> bool:
    return len({card.suit for card in cards}) == 1


def best_suit(hand: Sequence[Card]) -> str:
    """The suit that satisfies the highest line of the book; of more than five cards, the suit that makes most."""
    judged = suit_worth if len(hand) == 5 else top_tricks

    def strength(suit: str) -> tuple[int, int]:
        own, _ = divided(suit, hand)
        return judged(suit, hand), len(own) + sum(rank in HIGH for rank in own)

    return max(SUITS, key=strength)


def weakest(hand: Sequence[Card], number: int) -> list[Card]:
    """The lowest cards, those of the best suit last."""
    return in_order(hand, best_suit(hand))[:number]


# The play.


def lead(view: Nap.View, cards: Sequence[Card]) -> Card:
    """The senior hand: trumps from the top, then the rest from the top.  The others: their highest card."""
    if view.seat != view.senior:
        return max(cards, key=lambda card: (card.rank, card.suit != view.trumps))
    trumps = view.trumps or best_suit(view.hand)
    return max(cards, key=lambda card: (card.suit == trumps, card.rank))


def follow(view: Nap.View, cards: Sequence[Card]) -> Card:
    """Win if possible, cheaply when last; a defender leaves a fellow's trick alone when last."""
    trumps, order, senior = view.trumps, view.order, view.senior
    (best, holder), last = winning(view, trumps, order), len(view.trick) == len(order) - 1
    able = [card for card in cards if beats(card, best, trumps)]
    defends = view.seat != senior
    if not able or last and defends and holder != senior:
        return throw_away(view, cards)
    first_lead = defends and not view.tricks
    if first_lead and not last and ace_and_small_one(view):
        return throw_away(view, cards)
    return in_order(able, trumps)[0 if last and not first_lead else -1]


def ace_and_small_one(view: Nap.View) -> bool:
    """Against a jack or lower the ace may wait for a second trick: a fellow who plays later may win this one."""
    own = ranks_of(view.hand, view.trumps)
    return view.trick[0].rank <= 11 and len(own) == 2 and own[0] < 10 and own[1] == 14


def throw_away(view: Nap.View, cards: Sequence[Card]) -> Card:
    """The lowest card; last the trumps, and for a defender what the senior hand has shown to hold."""
    if one_suit(cards):
        return min(cards, key=by_rank)
    keep = {view.trumps} if view.seat == view.senior else {view.trumps} | shown_suits(view)
    return min(cards, key=lambda card: (card.suit in keep, card.rank))


def shown_suits(view: Nap.View) -> set[str]:
    """Return the suits that the senior hand has played, except those that he could not follow."""
    senior, played, lacks = view.senior, set(), set()
    for seat, card, led in plays(view, view.order):
        if seat == senior:
            played.add(card.suit)
            if card.suit != led:
                lacks.add(led)
    return played - lacks


def lose_all(view: Nap.View, cards: Sequence[Card]) -> Card:
    """Misery: low cards are led, the first from a short suit; else the highest that does not take the trick."""
    if not view.trick:
        if not view.tricks:
            return min(cards, key=lambda card: (card.rank > 5, len(of_suit(view.hand, card.suit)), card.rank))
        return min(cards, key=by_rank)
    best, _ = winning(view, view.trumps, view.order)
    return highest_under(cards, best, view.trumps)


def give_a_trick(view: Nap.View, cards: Sequence[Card]) -> Card:
    """Against a misery: low before the senior hand has played; then the highest that leaves the trick his, if it is."""
    if view.senior in {seat for seat, card, _ in plays(view, view.order) if card in view.trick}:
        best, holder = winning(view, view.trumps, view.order)
        return highest_under(cards, best, view.trumps) if holder == view.senior else max(cards, key=by_rank)
    return in_order(cards, view.trumps)[0]
