"""Solo Whist by the book."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from roundsim.games.solo_whist import SoloWhist
from roundsim.strategy import (
    PACK,
    SUITS,
    Card,
    beats,
    by_rank,
    highest_under,
    of_suit,
    playable,
    plays,
    ranks_of,
    say,
    voids,
    winning,
)

Suits = Mapping[str, list[float]]  # the ranks that a hand holds of each suit, low to high

Hand = tuple[Card, ...]

SUIT, WHOLE = {suit: of_suit(PACK, suit) for suit in SUITS}, frozenset(PACK)
LOSING = ("misere", "open misere")


class Book:
    """Thresholds and maxims of common practice: the advice of "Hoyle's Games Modernized" is on a page that is lost.

    A hand's tricks are counted: aces, guarded kings and queens, high trumps, every trump beyond the third, and with
    three trumps the short suits.  On that count it proposes, accepts, calls solo or abundance; a misere is called when
    at most two cards lie above the line 2, 4, 6, 8, 10, queen, ace of their suits.  Over-called it raises only with a
    hand for the higher call.  With five trumps a caller leads them from the top; partners return each other's suit and
    leave each other's winners alone; a defender leads through the caller, his longest suit.  Against a misere the
    caller's shortest suit is led low, and the highest cards are thrown that he need not fear.  The caller of a misere
    plays the highest card that loses, and throws the most dangerous.

    `bold`: so many tenths of a trick less are asked for every call that wins tricks.

    Our own: a count cannot come to the 12.5 asked for `declared`, which is called on seven solid trumps and sure cards
    outside; in a general misere the high cards are played first and the lowest kept for the last tricks."""

    name = "book"
    games = ["solo-whist"]

    def __init__(self, bold: int = 0) -> None:
        self.bold = bold

    def call(self, view: SoloWhist.View) -> str:
        return say(view, *self.calls(view))

    def suit(self, view: SoloWhist.View) -> str:
        return f"trump {best_suit(in_suits(view.hand))}"

    def play(self, view: SoloWhist.View) -> str:
        cards, call = playable(view), view.call
        if call == "pass":
            card = keep_the_lowest(view, cards)
        elif call not in LOSING:
            card = follow(view, cards) if view.trick else lead(view, cards)
        elif view.seat == view.caller:
            card = lose(view, cards) if view.trick else safest_lead(view, cards)
        else:
            card = give(view, cards) if view.trick else lead_to_give(view, cards)
        return card.play

    def calls(self, view: SoloWhist.View) -> Iterator[str]:
        """Yield the calls that the hand is worth, the highest first."""
        hand, turned = in_suits(view.hand), view.turned.suit
        eldest, own = view.seat == (view.dealer + 1) % 4, [call for seat, call in view.calls if seat == view.seat]
        worth, trumps, longest = count(hand, turned) + self.bold / 10, len(hand[turned]), max(map(len, hand.values()))
        if longest >= 7 and any(solid(hand, suit) for suit in SUITS):
            yield "declared"
        if may_show_misere(hand):
            yield "open misere"
        over_abundance = view.call == "abundance"
        if trumps >= 6 and worth >= (8.2 if over_abundance else 8.5):
            yield "abundance trumps"
        if longest >= 6 and len(hand[best := best_suit(hand)]) >= 6 and count(hand, best) + self.bold / 10 >= 8.5:
            yield "abundance"
        if may_lose_all(hand, eldest):
            yield "misere"
        if trumps >= 4 and worth >= (4.3 if own and view.call == "propose" else 4.5 if eldest else 4.8):
            yield "solo"
        if trumps >= 3 and worth >= (4.2 if view.seat == view.dealer else 3.8):
            yield "propose"
        if trumps >= 1 and worth >= (3.0 if own else 3.5):
            yield "accept"


# The worth of a hand.


def in_suits(hand: Sequence[Card]) -> Suits:
    return {suit: ranks_of(hand, suit) for suit in SUITS}


def count(hand: Suits, trumps: str) -> float:
    """The tricks that a hand should make with these trumps."""
    own = hand[trumps]
    tricks = (14 in own) + (13 in own) + 0.7 * (12 in own and len(own) > 1) + 0.8 * max(0, len(own) - 3)
    for suit, side in hand.items():
        if suit != trumps:
            tricks += 14 in side
            if 13 in side:
                tricks += 0.7 if len(side) > 1 else 0.3
            if 12 in side and len(side) > 2:
                tricks += 0.4
            if len(own) >= 3:
                tricks += {0: 0.5, 1: 0.3}.get(len(side), 0)
    return tricks


def best_suit(hand: Suits) -> str:
    """The suit that makes most tricks as trumps; of equals the longer."""
    return max(SUITS, key=lambda suit: (count(hand, suit), len(hand[suit])))


def solid(hand: Suits, trumps: str) -> bool:
    """Seven trumps or more with ace, king and queen, and outside only cards that stand from the top."""
    own = hand[trumps]
    if len(own) < 7 or own[-3:] != [12, 13, 14]:
        return False
    return all(side == [*range(15 - len(side), 15)] for suit, side in hand.items() if suit != trumps)


def unsafe(hand: Suits) -> list[float]:
    """The cards above the line 2, 4, 6, 8, 10, queen, ace of their suits: by how many steps each."""
    places = [(rank, 2 * place) for own in hand.values() for place, rank in enumerate(own, 1)]
    return [rank - line for rank, line in places if rank > line]


def may_show_misere(hand: Suits) -> bool:
    return unsafe(hand) in ([], [1])


def may_lose_all(hand: Suits, leads: bool) -> bool:
    """At most two unsafe cards, none in a suit without a four or lower; and a low card to lead."""
    lowest = [own[0] for own in hand.values() if own]
    return max(lowest) <= 4 and len(unsafe(hand)) <= 2 and (not leads or min(lowest) <= 3)


# Facts that the play has shown.


def out(view: SoloWhist.View, suit: str) -> list[float]:
    """The ranks of a suit that others may still hold."""
    unseen = unseen_cards(view.hand, view.shown, view.trick, view.tricks)
    return [card.rank for card in SUIT[suit] if card in unseen]


@lru_cache(1)
def unseen_cards(hand: Hand, shown: Hand, trick: Hand, tricks: Sequence[tuple[int, Hand]]) -> frozenset[Card]:
    """The cards that others may still hold; a decision asks often."""
    return WHOLE.difference(hand, shown, trick, *[played for _, played in tricks])


def began_with(view: SoloWhist.View, suit: str) -> int:
    """How many of a suit this seat was dealt."""
    seat = view.seat
    return len(of_suit([*view.hand, *[trick[(seat - leader) % 4] for leader, trick in view.tricks]], suit))


def standing_cards(view: SoloWhist.View, cards: Sequence[Card]) -> list[Card]:
    """Those of the cards for which no card that others may hold is higher in its suit."""
    tops = {suit: max(out(view, suit), default=0) for suit in {card.suit for card in cards}}
    return [card for card in cards if card.rank >= tops[card.suit]]


# Winning tricks.


def lead(view: SoloWhist.View, cards: Sequence[Card]) -> Card:
    """Trumps from the top for a caller with five; cards that stand; the partner's suit; the longest suit."""
    trumps = of_suit(cards, view.trumps)
    side = [card for card in cards if card.suit != view.trumps]
    calls = view.seat in (view.caller, view.partner)
    if calls and trumps and out(view, trumps[0].suit) and began_with(view, trumps[0].suit) >= 5:
        highest = max(trumps, key=by_rank)
        if len(trumps) > 2 or standing_cards(view, [highest]):  # the last two are for trumping
            return highest
    if not side:
        return max(cards, key=by_rank)
    lost = ruffed(view)
    sure = standing_cards(view, [card for card in side if card.suit not in lost])
    if sure:
        return max(sure, key=lambda card: (len(ranks_of(cards, card.suit)), card.rank))
    wanted = partners_suits(view)
    through = not calls and view.caller == (view.seat + 1) % 4
    suits = {card.suit for card in side}

    def promise(suit: str) -> tuple[bool, bool, int, float]:
        own = ranks_of(cards, suit)
        return suit in wanted and not through, suit not in lost, len(own), own[-1]

    suit = max(sorted(suits), key=promise)
    own = [card for card in side if card.suit == suit]
    high = max(own, key=by_rank)
    touching = sum(card.rank >= high.rank - 1 for card in own) > 1 and high.rank >= 11
    return high if touching or len(own) == 2 and suit in wanted else min(own, key=by_rank)


def ruffed(view: SoloWhist.View) -> set[str]:
    """The suits that an adversary who may have trumps is known not to hold."""
    trumps = view.trumps
    if trumps is None or not out(view, trumps):
        return set()
    own = {view.seat, *view.partners}
    others = [voids(view, seat) for seat in range(4) if seat not in own]
    return set[str]().union(*[lacking for lacking in others if trumps not in lacking])


def partners_suits(view: SoloWhist.View) -> set[str]:
    """Suits that a partner has led, but trumps."""
    partners = view.partners
    return {trick[0].suit for leader, trick in view.tricks if leader in partners} - {view.trumps}


def follow(view: SoloWhist.View, cards: Sequence[Card]) -> Card:
    """Leave a partner's winner alone; else win, cheaply when last; second hand plays low unless its card stands."""
    trumps, trick = view.trumps, view.trick
    best, holder = winning(view, trumps)
    able = [card for card in cards if beats(card, best, trumps)]
    if not able:
        return throw_away(view, cards)
    partners, after = view.partners, [(view.seat + n) % 4 for n in range(1, 4 - len(trick))]
    adversaries = [seat for seat in after if seat not in partners]
    if holder in partners and (not adversaries or standing_cards(view, [best]) or best.rank >= 12):
        return throw_away(view, cards)
    cheapest = min(able, key=lambda card: (card.suit == trumps, card.rank))
    if not adversaries:
        return cheapest
    if cheapest.suit == trumps != trick[0].suit:
        return cheapest
    sure = standing_cards(view, able)
    if sure:
        return min(sure, key=by_rank)
    if holder in partners or len(trick) == 1:
        return throw_away(view, cards)
    return max(able, key=by_rank)


def throw_away(view: SoloWhist.View, cards: Sequence[Card]) -> Card:
    """The lowest card, trumps and cards that stand last."""
    if cards[0].suit == view.trick[0].suit:
        return min(cards, key=by_rank)
    trumps, sure = view.trumps, standing_cards(view, cards)
    return min(cards, key=lambda card: (card.suit == trumps, card in sure, card.rank))


# Losing tricks.


def danger(view: SoloWhist.View, card: Card) -> tuple[int, float]:
    """How many of the unseen cards of its suit lie below a card: they may make it win; and how few above."""
    others = out(view, card.suit)
    below = sum(rank < card.rank for rank in others)
    return (below, card.rank) if others else (-1, card.rank)


def safest_lead(view: SoloWhist.View, cards: Sequence[Card]) -> Card:
    """Return the card with the fewest below it that others may hold; a suit that they do not have cannot be lost."""
    return min(cards, key=lambda card: (not out(view, card.suit), *danger(view, card)))


def lose(view: SoloWhist.View, cards: Sequence[Card]) -> Card:
    """The highest card that loses; if all would win the lowest; of another suit the most dangerous."""
    if cards[0].suit != view.trick[0].suit:
        return max(cards, key=lambda card: threat(view, card))
    return lose_this_trick(view, cards)


def threat(view: SoloWhist.View, card: Card) -> tuple[int, float]:
    """How badly a misere wants to be rid of a card: for what others hold below it, against one's own low cards."""
    below = sum(rank < card.rank for rank in out(view, card.suit))
    return below - sum(own < card.rank for own in ranks_of(view.hand, card.suit)), card.rank


def lose_this_trick(view: SoloWhist.View, cards: Sequence[Card]) -> Card:
    """The highest card that does not win it; if all do, the lowest."""
    best, _ = winning(view, None)
    return highest_under(cards, best, None)


def lead_to_give(view: SoloWhist.View, cards: Sequence[Card]) -> Card:
    """Return the lead against a misere: the lowest card of a suit that the caller must follow and has fewest cards of."""
    shown = view.shown

    def order(card: Card) -> tuple[float, ...]:
        own = ranks_of(shown, card.suit)
        if shown:  # his cards lie open: the lowest card that is below one he must play
            return not own, not (own and own[0] > card.rank), card.rank
        thrown = sum(seat == view.caller and other.suit == card.suit for seat, other, _ in plays(view))
        return card.suit in voids(view, view.caller), card.rank > 6, -thrown, card.rank

    return min(cards, key=order)


def give(view: SoloWhist.View, cards: Sequence[Card]) -> Card:
    """Against a misere: low while the caller is to play; then his trick is left to him, or the highest card thrown."""
    led, lacking = view.trick[0].suit, voids(view, view.caller)
    if cards[0].suit != led:
        return max(cards, key=lambda card: (card.suit not in lacking, card.rank))
    _, holder = winning(view, None)
    played = {seat for seat, card, _ in plays(view) if card in view.trick}
    if holder != view.caller and (view.caller in played or led in lacking):
        return max(cards, key=by_rank)
    return lose_this_trick(view, cards)


def keep_the_lowest(view: SoloWhist.View, cards: Sequence[Card]) -> Card:
    """A general misere: high cards are got rid of; towards the end no trick is wanted, so as not to lead the last."""
    if len(view.hand) > 2:
        return max(cards, key=by_rank)
    if not view.trick:
        return min(cards, key=lambda card: (not out(view, card.suit), card.rank))
    if cards[0].suit != view.trick[0].suit:
        return max(cards, key=by_rank)
    return lose_this_trick(view, cards)
