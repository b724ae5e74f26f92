"""Draw poker by the books: Foster, "The Poker Family" (Draw Poker, Jack Pots); Baxter-Wray, "Round Games with
Cards", 1891."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from roundsim.games.draw_poker import DrawPoker
from roundsim.strategy import RANKS, Card, all_but, by_rank, discard, has_raised, owed, pool, say

NOTHING, PAIR, TWO_PAIRS, THREES, STRAIGHT, FLUSH, FULL, FOURS = range(8)
TEN, QUEEN, KING, ACE = (RANKS[letter] for letter in "TQKA")
OF_SIZES = {(3, 2): FULL, (3, 1): THREES, (2, 2): TWO_PAIRS, (2, 1): PAIR}  # of the two largest groups
LINE = ["A", *RANKS]  # the ace is below the deuce, and above the king


class Ranks(NamedTuple):
    """The ranks of five cards: class, ranks of the groups, the largest first, whether they are a straight, and the letters of
    an open four."""

    kind: int
    ranks: tuple[float, ...]
    straight: bool
    four: Sequence[str]


@cache
def lines(pack: str) -> tuple[list[frozenset[str]], list[list[str]]]:
    """The letters of each straight, and of each open four, the lowest first."""
    line = [rank for rank in LINE if pack == "60" or rank not in "EW"]
    straights = [frozenset(line[at : at + 5]) for at in range(len(line) - 4)]
    return straights, [line[at : at + 4] for at in range(1, len(line) - 4)]


@cache
def ranks_of(letters: str, joker: int, pack: str) -> Ranks:
    """Return the ranks by the letters of the cards without the joker."""
    different, (straights, fours) = {*letters}, lines(pack)
    counts = sorted([(letters.count(letter), RANKS[letter]) for letter in different], reverse=True)
    sizes = [size for size, _ in counts]
    sizes[0] += joker
    straight = len(different) + joker == 5 and any(different <= ranks for ranks in straights)
    of_sizes = FOURS if sizes[0] >= 4 else OF_SIZES.get((sizes[0], sizes[1]), NOTHING)
    kind = max(of_sizes, STRAIGHT) if straight else of_sizes
    four = next((four for four in fours if different.issuperset(four)), []) if len(different) > 3 else []
    return Ranks(kind, tuple([rank for _, rank in counts]), straight, four)


class Hand:
    """Five cards as a player sees them: `value`, (class, rank of its best group), and the cards that may fill a hand."""

    def __init__(self, cards: Sequence[Card], pack: str = "52") -> None:
        natural = [card for card in cards if card != "Jo"]
        joker = len(cards) - len(natural)
        kind, self.ranks, straight, four = ranks_of("".join(sorted([card[0] for card in natural])), joker, pack)
        suits = [card.suit for card in natural]
        suit = max(suits, key=suits.count)
        one_suit = suits.count(suit) + joker
        if one_suit == 5:
            kind = FOURS if straight else max(kind, FLUSH)
        self.cards, self.value = cards, (kind, self.ranks[0])
        self.four_flush = [card for card in cards if card.suit == suit or card == "Jo"] if one_suit == 4 else []
        self.open_four = [next(card for card in natural if card[0] == letter) for letter in four]

    def of(self, *ranks: float) -> list[Card]:
        """The cards of these ranks, and the joker."""
        return [card for card in self.cards if card.rank in ranks or card == "Jo"]


class Book:
    """The advice of Foster ("The Poker Family") and Baxter-Wray ("Round Games with Cards", 1891, pp. 31-58).

    American, Foster: come in by the place, do all the betting on two pairs before the draw, keep company with threes,
    never straddle; after the draw raise or lay down, against the hand that the bettor's draw and raises tell.  English,
    Baxter-Wray: draw one to threes and call with them, wait with them when first, fold less to a raise, never bluff.

    Ours: coming in by Foster's pairs under the English rules as well; calling with two pairs when it costs a fifth of
    the pool and with kings when it costs a tenth, since who only raises or lays down is robbed by one who always
    raises; asking for a jack, if only two are in, rather than folding; the least blind; and the usual ante, in every
    jack pot."""

    name = "book"
    games = ["draw-poker"]

    # before the cards

    def blind(self, view: DrawPoker.View) -> str:
        """The least."""
        return say(view, ("blind", view.options.blind))

    def straddle(self, view: DrawPoker.View) -> str:
        """'Whoever straddles loses.'"""
        return "pass"

    def buck(self, view: DrawPoker.View) -> str:
        """The usual ante."""
        return say(view, ("name", view.options.jack_ante))

    def jack(self, view: DrawPoker.View) -> str:
        """No jack pot is passed."""
        return "ante"

    # coming in

    def open(self, view: DrawPoker.View) -> str:
        """Knaves only from the last three places; queens or better anywhere; as much as lies in the pool."""
        hand = self.hand(view)
        early = view.dealt_in.index(view.seat) < len(view.dealt_in) - 3
        if not self.has_openers(view, hand) or early and hand.value < (PAIR, QUEEN):
            return "pass"
        return say(view, ("open", pool(view)), "pass")

    def ante(self, view: DrawPoker.View) -> str:
        """In an unopened English jack pot with openers; else by the place, or as in a jack pot that has been opened."""
        hand = self.hand(view)
        if view.jack_pot and view.opener is None:
            return self.come_in(view, hand) if self.has_openers(view, hand) else say(view, "fold")
        if hand.value >= self.needed(view) or self.may_draw(view, hand):
            return self.come_in(view, hand)
        return say(view, "jack", "fold")

    def needed(self, view: DrawPoker.View) -> tuple[int, float]:
        """The hand to come in with."""
        if view.jack_pot:
            return PAIR, max(QUEEN, RANKS[view.opening_pair])
        if view.raises:
            return PAIR, KING
        seats = view.dealt_in
        after = (seats.index(view.last_say) - seats.index(view.seat)) % len(seats)
        if after == 0:
            return PAIR, 2
        if after == len(seats) - 1:
            return PAIR, QUEEN
        if after <= 2:
            return PAIR, 2 if len(view.came_in) <= 1 else 9
        return PAIR, TEN

    def may_draw(self, view: DrawPoker.View, hand: Hand) -> bool:
        """Four of a flush if it is cheap; from the last place, in company, four of an open straight as well."""
        if hand.four_flush and self.price(view) <= 0.2:
            return True
        last = view.seat == view.last_say and not view.raises and not view.jack_pot and len(view.came_in) >= 3
        return last and bool(hand.four_flush or hand.open_four)

    def come_in(self, view: DrawPoker.View, hand: Hand) -> str:
        """Two pairs are bet before the draw, threes want company; only two pairs or better raise back, and once."""
        limit, company = view.options.limit, len(view.came_in)
        first = not company and view.seat != view.last_say
        kind = hand.value[0]
        if has_raised(view, "ante") or hand.value < (PAIR, KING):
            raises = False
        elif view.raises or view.jack_pot:
            raises = kind == TWO_PAIRS or kind >= THREES and company <= 2
        elif kind >= THREES:
            raises = company <= 2
        elif kind == TWO_PAIRS:
            raises = not first and view.seat in (view.last_say, view.dealer)
        else:
            raises = view.seat == view.last_say and company < 5
        if raises:
            return say(view, ("raise", limit if kind >= TWO_PAIRS else limit / 10), "call", "show")
        return say(view, "call", "show")

    def withdraw(self, view: DrawPoker.View) -> str:
        """Without openers all is taken back."""
        return say(view, "take-back", "stay")

    def good(self, view: DrawPoker.View) -> str:
        """English: kings or better make good what others have raised."""
        hand = self.hand(view)
        if hand.value >= (PAIR, KING) or self.may_draw(view, hand):
            return say(view, "call", "show")
        return say(view, "fold")

    # the draw

    def draw(self, view: DrawPoker.View) -> str:
        return discard(all_but(view.hand, self.kept(view, self.hand(view))))

    def kept(self, view: DrawPoker.View, hand: Hand) -> Sequence[Card]:
        """Return the cards to keep: a pair and sometimes a high card, half the time all of two pairs, four of a flush."""
        kind, rank = hand.value
        english: bool = view.options.rules == "english"
        if kind in (STRAIGHT, FLUSH, FULL):
            return view.hand
        if kind == FOURS:
            return hand.of(rank) if len(hand.of(rank)) >= 4 else view.hand
        if kind == THREES:
            others = sorted(all_but(view.hand, hand.of(rank)), key=by_rank)
            return hand.of(rank) + others[-1:] * english
        if kind == TWO_PAIRS:
            return view.hand if view.chance.random() < 0.5 and not english else hand.of(*hand.ranks[:2])
        if kind == PAIR:
            if hand.four_flush and view.jack_pot and view.raises and len(view.still_in) >= 3:
                return hand.four_flush
            kicker = [card for card in view.hand if card.rank in (KING, ACE) and card not in hand.of(rank)]
            return hand.of(rank) + kicker[:1] * (not english and view.chance.random() < 0.25)
        return hand.four_flush or hand.open_four or hand.of(*[rank for rank in hand.ranks if rank >= KING] or [rank])

    # after the draw

    def bet(self, view: DrawPoker.View) -> str:
        english = view.options.rules == "english"
        if view.better is None:
            return self.before_a_bet_english(view) if english else self.before_a_bet(view)
        return self.facing_a_bet_english(view) if english else self.facing_a_bet(view, view.drawn[view.better])

    def before_a_bet(self, view: DrawPoker.View) -> str:
        """Two pairs or better bet their full value, less chips along; now and then a bluff on the last card."""
        bluff = view.drawn[view.seat] in (0, 1) and view.seat != view.eldest and view.chance.random() < 0.1
        full = self.hand(view).value >= (TWO_PAIRS, 0) or bluff
        return say(view, ("bet", view.options.limit if full else 1))

    def facing_a_bet(self, view: DrawPoker.View, drawn: int | None) -> str:
        """Raise, or lay down: against the hand that the bettor may be expected to have.  (Cheap calls: ours.)"""
        expected: tuple[int, float]
        if drawn == 0:
            expected = STRAIGHT, 0
        elif view.raises >= 2:
            expected = THREES, TEN
        elif drawn == 3 and not view.raises:
            expected = PAIR, ACE
        else:
            expected = TWO_PAIRS, ACE
        value, price = self.hand(view).value, self.price(view)
        if value >= expected:
            return say(view, ("raise", view.options.limit / 2), "call")
        if value >= (TWO_PAIRS, 0) and price <= 0.2 or value >= (PAIR, KING) and price <= 0.1:
            return say(view, "call")
        return say(view, "fold")

    def before_a_bet_english(self, view: DrawPoker.View) -> str:
        """Threes and a straight wait for another's bet; nothing is bet on nothing."""
        kind = self.hand(view).value[0]
        if kind in (NOTHING, THREES, STRAIGHT) and "stand" in view.legal:
            return "stand"
        if kind == NOTHING:
            return "fold"
        return say(view, ("bet", view.options.limit if kind >= THREES else 1))

    def facing_a_bet_english(self, view: DrawPoker.View) -> str:
        """Threes call any bet, fours raise it; two pairs or aces call where nobody has raised."""
        value, limit = self.hand(view).value, view.options.limit
        if value[0] >= FOURS:
            return say(view, ("raise", limit), "call", "show")
        if value[0] >= FLUSH and not view.raises:
            return say(view, ("raise", limit / 2), "call", "show")
        if value[0] >= THREES or value >= (PAIR, ACE) and not view.raises:
            return say(view, "call", "show")
        return say(view, "fold")

    # what it looks at

    def hand(self, view: DrawPoker.View) -> Hand:
        return Hand(view.hand, view.options.pack)

    def price(self, view: DrawPoker.View) -> float:
        """Return the cost of a call, as a share of the pool that may be won."""
        return owed(view) / max(1, pool(view))

    def has_openers(self, view: DrawPoker.View, hand: Hand) -> bool:
        return hand.value >= (PAIR, RANKS[view.opening_pair])
