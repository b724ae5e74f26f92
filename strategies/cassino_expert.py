"""Cassino by trial: it imagines the other hands, and plays the round out; the last round of two it searches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import erf, sqrt
from typing import NamedTuple

from roundsim.games.cassino import ABOVE, ALL_BITS, BIT, VALUE, Cassino, groups_on, until_none_is_left
from roundsim.strategy import CARD, PACK, Action, Card, Chance, TableView, table_of

CARD_OF = {bit: card for card, bit in BIT.items()}
VALUE_OF = {BIT[card]: VALUE[card] for card in PACK}
OF_VALUE = {value: sum([BIT[card] for card in PACK if VALUE[card] == value]) for value in VALUE_OF.values()}
SPADES = sum([BIT[card] for card in PACK if card.suit == "s"])
ACES, GREAT, LITTLE = OF_VALUE[1], BIT[CARD["Td"]], BIT[CARD["2s"]]
PRIZES = ACES | GREAT | LITTLE
SPREAD = {
    ALL_BITS: 3.0,
    SPADES: 2.0,
}  # variance of a lead at the end, for each card not yet taken; fitted to the book's deals


class Expert:
    """Plays the card that brings most on average, if after it all players in turn take what is worth most at once.

    The trial ends with the round. Its end is worth the points taken, the chances of most cards and most spades, and a
    little for the player who is next to take from the board. Nobody is imagined with a card that could have taken when
    they laid another. In the last round of two players the other hand is known, and the play is perfect. With the pack of
    32, without `must_take`, and where the two lowest pay together, the book plays.

    `cards`: about how many are played out for a decision, in all hands."""

    name = "expert"
    games = ["cassino"]

    def __init__(self, cards: int = 300) -> None:
        self.cards = cards

    def begin(self, view: TableView) -> None:
        self.book = table_of("book", view.game)()

    def play(self, view: Cassino.View) -> str:
        options = view.options
        if options.pack != 52 or options.netting == "two-lowest" or not options.must_take:
            return self.book(view)
        known, sums = Known(view), dict.fromkeys(view.legal, 0.0)
        certain = view.players == 2 and not view.stock
        for _ in range(1 if certain else 1 + self.cards // (sum(known.sizes) * len(sums))):
            hands = known.deal(view.chance)
            for action in sums:
                sums[action] += known.after(action, hands, certain)
        return max(sums, key=sums.__getitem__)


class Won(NamedTuple):
    """The cards that we have taken and those of the others, the sweeps, and the side of the last taker."""

    mine: int
    theirs: int
    sweeps: int
    last: int


class Known:
    """The deal as a seat knows it. Cards are bits; places are counted from that seat."""

    def __init__(self, view: Cassino.View) -> None:
        me, players = view.order.index(view.seat), view.players
        seats = [view.order[(me + place) % players] for place in range(players)]
        self.ours = [seat == view.seat or seat in view.partners for seat in seats]
        self.against = 1 if view.partners else players - 1  # how many sides: each pays us what we score
        self.sizes = [len(view.hand) - (me + place >= players) for place in range(players)]
        self.hand, self.board, self.stock = mask(view.hand), mask(view.board), view.stock
        self.mine = self.theirs = self.sweeps = self.last = 0
        for seat, ours in zip(seats, self.ours, strict=True):
            if ours:
                self.mine |= mask(view.piles[seat])
            else:
                self.theirs |= mask(view.piles[seat])
            point = self.against if ours else -1
            self.sweeps += point * view.sweeps[seat]
            if seat == view.last_taker:
                self.last = point
        seen = self.hand | self.board | self.mine | self.theirs
        self.unseen = [bit for bit in BIT.values() if not bit & seen]
        self.lacks = [0] * players
        self.look_back(view, seats)

    def look_back(self, view: Cassino.View, seats: list[int]) -> None:
        """Note the cards that each place lacks: in this round it laid another while they could take."""
        board, played = self.board, 4 * view.players - sum(self.sizes)
        for entry in reversed(view.history[len(view.history) - played :]):
            action = entry.action
            if action.verb == "lay":
                board ^= BIT[action.cards[0]]
                able = [cards for value, cards in OF_VALUE.items() if takings(board, value)]
                self.lacks[seats.index(entry.seat)] |= sum(able)
            else:
                board |= mask(action.cards[1:])

    def deal(self, chance: Chance) -> list[int]:
        """Return all hands by place; those that lack most are dealt first."""
        hands, left = [self.hand] * len(self.sizes), self.unseen
        for place in sorted(range(1, len(hands)), key=lambda place: -self.lacks[place].bit_count()):
            fit = [card for card in left if not card & self.lacks[place]]
            size = self.sizes[place]
            hands[place] = hand = sum(chance.sample(fit if len(fit) >= size else left, size))
            left = [card for card in left if not card & hand]
        return hands

    def after(self, action: Action, hands: list[int], search: bool) -> float:
        """Return the value of an action, with these hands. `search`: try all later plays, not only the first of each."""
        card, taken = BIT[action.cards[0]], mask(action.cards[1:])
        hands, board = [*hands[1:], hands[0] ^ card], self.board ^ (taken or card)
        mine, sweeps, last = self.mine, self.sweeps, self.last
        if taken:
            mine, sweeps, last = mine | taken | card, sweeps + self.against * (not board), self.against
        return self.play_on(1, hands, board, Won(mine, self.theirs, sweeps, last), search, -1e9, 1e9)

    def play_on(
        self, place: int, hands: list[int], board: int, won: Won, search: bool, low: float, high: float
    ) -> float:
        """Return the value of a position to us (alpha-beta). The first of `hands` is that of the next to play."""
        ours, (hand, *others) = self.ours[place], hands
        if not hand:
            return self.worth(ours, board, won)
        tried, place = plays(hand, board), (place + 1) % len(self.ours)
        for card, taken in tried if search else tried[:1]:
            rest = [*others, hand ^ card]
            if not taken:
                value = self.play_on(place, rest, board | card, won, search, low, high)
            else:
                after = self.with_taken(won, ours, taken | card, board == taken)
                value = self.play_on(place, rest, board ^ taken, after, search, low, high)
            if ours:
                low = max(low, value)
            else:
                high = min(high, value)
            if low >= high:
                break
        return low if ours else high

    def with_taken(self, won: Won, ours: bool, cards: int, swept: bool) -> Won:
        """Return what has been won after we take cards, or one of the others does."""
        if ours:
            return Won(won.mine | cards, won.theirs, won.sweeps + self.against * swept, self.against)
        return Won(won.mine, won.theirs | cards, won.sweeps - swept, -1)

    def worth(self, ours: bool, board: int, won: Won) -> float:
        """Return the points that we expect from a position, less those of the others. `ours`: whether we are next."""
        mine, theirs, sweeps, last = won
        hidden = ALL_BITS ^ (mine | theirs)
        to_come = 0.0
        if not self.stock:
            hidden = 0
            if board:
                sweeps += last
                if last > 0:
                    mine |= board
                elif last:
                    theirs |= board
        else:
            to_come = board_worth(board) if ours else -board_worth(board)
        against = self.against
        value = against * prizes(mine & PRIZES) - prizes(theirs & PRIZES) + sweeps + to_come
        for cards, points in (ALL_BITS, 3), (SPADES, 1):
            ahead = against * (mine & cards).bit_count() - (theirs & cards).bit_count()
            value += points * (against + 1) / 2 * lead(ahead, (hidden & cards).bit_count(), SPREAD[cards])
        return value


def mask(cards: Iterable[Card]) -> int:
    """Return cards as bits."""
    return sum([BIT[card] for card in cards])


def single_cards(cards: int) -> Iterator[int]:
    """Yield each of these cards."""
    while cards:
        card = cards & -cards
        yield card
        cards ^= card


@lru_cache(64)
def prizes(cards: int) -> int:
    """Return the points for aces and Cassinos."""
    return (cards & ACES).bit_count() + 2 * (cards & GREAT > 0) + (cards & LITTLE > 0)


@lru_cache(1 << 12)
def board_worth(board: int) -> float:
    """Return how much better it is to be the next to play at a board; fitted to the book's deals."""
    return 0.16 * board.bit_count() + 1.1 * (board & ACES).bit_count() + 0.6 * (board & LITTLE > 0)


@lru_cache(1 << 12)
def lead(ahead: int, hidden: int, spread: float) -> float:
    """Return the chance to end with more cards than the others less the chance to end with fewer."""
    return erf(ahead / sqrt(2 * spread * hidden)) if hidden else (ahead > 0) - (ahead < 0)


# The rules, on bits.


@lru_cache(1 << 15)
def plays(hand: int, board: int) -> list[tuple[int, int]]:
    """Return the legal plays: the card played, and the cards that it takes, 0 if it is laid. The one that is worth
    most at once comes first."""
    takes = [(card, taken) for card in single_cards(hand) for taken in takings(board, VALUE_OF[card])]
    if takes:
        return sorted(takes, key=lambda move: gain_of(move[0] | move[1]) + 4 * (move[1] == board), reverse=True)
    return sorted(
        [(card, 0) for card in single_cards(hand)],
        key=lambda move: VALUE_OF[move[0]] - 4 * gain_of(move[0]),
        reverse=True,
    )


def gain_of(cards: int) -> int:
    """Return about four times what cards bring."""
    return 4 * prizes(cards & PRIZES) + cards.bit_count() + (cards & SPADES).bit_count()


@lru_cache(1 << 15)
def takings(board: int, value: int) -> set[int]:
    """Return all that a card of this value may take."""
    groups = groups_by_value(board).get(value)
    return until_none_is_left(groups) if groups else set()


@lru_cache(1 << 13)
def groups_by_value(board: int) -> dict[int, list[int]]:
    """Return the groups of the board by the value of a card that takes them."""
    groups = defaultdict[int, list[int]](list)
    for group in groups_on(tuple([CARD_OF[bit] for bit in single_cards(board)])):
        groups[group >> ABOVE].append(group & ALL_BITS)
    return groups
