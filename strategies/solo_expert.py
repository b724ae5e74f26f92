"""Solo Whist by counting the cards, dealing the unseen ones and playing them out."""

from collections.abc import Sequence
from itertools import compress

from roundsim.games.solo_whist import SoloWhist
from roundsim.strategy import (
    SUITS,
    TRUMPS,
    Card,
    Hands,
    best_suits,
    by_rank,
    cheapest,
    highest,
    of_suit,
    playable,
    ranks_of,
)

LOSING = ("misere", "open misere")
NEEDED = {"propose": 8, "accept": 8, "solo": 5, "abundance": 9, "abundance trumps": 9}
FEAR = 1.2  # what a pass costs, in stakes of a solo, as measured: the others call
# How far the trial of a call is trusted: real defenders are better than its quick play.
SURE = {"misere": 0.9, "open misere": 0.8, "abundance": 0.95}


class Expert:
    """Deals the unseen cards many times, and plays each deal out.

    A call is worth what it wins and loses on average in these deals. It makes the call that is worth most, if that is more
    than letting the others play. It plays the first six tricks by the book's rules. Then, and in a misere from the first
    card on, it plays the card that gains most in deals in which nobody holds a suit that they have shown not to hold. The
    quick play of a deal is simple: lead the highest card, play low in second hand, win cheaply when last, and leave a
    trick to a partner.

    `deals`: how many are dealt for a call; `cards`: about how many are played out, in all deals, for a card; `ruled`:
    how many tricks are played by rules."""

    name = "expert"
    games = ["solo-whist"]

    def __init__(self, deals: int = 36, cards: int = 2300, ruled: int = 6) -> None:
        self.deals, self.cards, self.ruled = deals, cards, ruled

    # The calls.

    def call(self, view: SoloWhist.View) -> str:
        """Return the call that is worth most, if it is worth more than a pass."""
        best, worth = "pass", float(-FEAR * view.options.solo_stake)
        if view.call == "pass":
            worth *= (3 - len(view.calls)) / 3  # the fewer are still to speak, the less is to be feared
        elif view.caller == view.seat:  # nobody has accepted: the hands are thrown in
            worth = 0
        for call in view.legal[1:]:
            called = self.worth(view, call) if may_try(view, call) else worth
            if called > worth:
                best, worth = call, called
        return best

    def worth(self, view: SoloWhist.View, call: str) -> float:
        """Return the mean gain of a call."""
        named = best_suits(view.hand)[0] if call in ("abundance", "declared") else view.turned.suit
        known, pays = Known(view, call, None if call in LOSING else named), payments(view, call)
        brought = sum(pays[known.made(known.deal(view.chance))] for _ in range(self.deals)) / self.deals
        sure = SURE.get(call, 1)
        return (3 if known.alone else 1) * (sure * brought + (1 - sure) * min(pays))

    def suit(self, view: SoloWhist.View) -> str:
        return f"trump {best_suits(view.hand)[0]}"

    # The play.

    def play(self, view: SoloWhist.View) -> str:
        """Return the card of the rules, or the card that gains most on average."""
        cards = playable(view)
        if view.call == "pass":  # a general misere: the lowest cards are kept for the last tricks
            return max(cards, key=by_rank).play if len(view.hand) > 2 else min(cards, key=by_rank).play
        known = Known(view, view.call, view.trumps)
        if not known.losing and len(view.tricks) < self.ruled:
            return (known.to_follow(view, cards) if view.trick else known.to_lead(view, cards)).play
        cards = known.worth_trying(cards)
        if len(cards) == 1:
            return cards[0].play
        pays, sums = payments(view, view.call), [0] * len(cards)
        for _ in range(1 + self.cards // (sum(known.sizes) * len(cards) + 30)):
            dealt = known.deal(view.chance)
            for at, card in enumerate(cards):
                sums[at] += pays[known.made(dealt[:], known.bit[card])]
        return cards[sums.index((max if known.calls[view.seat] else min)(sums))].play


def may_try(view: SoloWhist.View, call: str) -> bool:
    """Return whether a hand may suit a call; for no other it deals."""
    hand, turned = view.hand, view.turned.suit
    suits = [ranks_of(hand, suit) for suit in SUITS]
    if call in LOSING:  # by how much cards lie above the line 2, 4, 6, 8, 10, queen, ace of their suits
        return sum(max(0, rank - 2 * place) for suit in suits for place, rank in enumerate(suit, 1)) <= 16
    trumps = len(of_suit(hand, turned))
    if call in ("abundance", "declared"):
        return max(map(len, suits)) >= 5
    return trumps >= 5 or call != "abundance trumps" and sum(max(0, card.rank - 10) for card in hand) + 2 * trumps >= 15


def payments(view: SoloWhist.View, call: str) -> list[int]:
    """Return the payment of each adversary, by the tricks made."""
    options = view.options
    if call in LOSING:
        stake = options.misere_stake if call == "misere" else options.open_misere_stake
        return [stake] + [-stake] * 13
    if call == "declared":
        return [-options.declared_stake] * 13 + [options.declared_stake]
    stake = {
        "solo": options.solo_stake,
        "abundance": options.abundance_stake,
        "abundance trumps": options.abundance_trumps_stake,
    }.get(call, options.prop_stake)
    over = [tricks - NEEDED[call] for tricks in range(14)]
    if call in ("propose", "accept") and options.slam_double:
        over[13] *= 2
    return [n * options.undertrick - stake if n < 0 else n * options.overtrick + stake for n in over]


class Known(Hands):
    """The deal as a seat knows it, with this call and these trumps; `first` plays next."""

    def __init__(self, view: SoloWhist.View, call: str, trumps: str | None) -> None:
        super().__init__(view, range(4), trumps, 13)
        self.trumps, self.losing, self.first = trumps, call in LOSING, view.seat
        callers = view.caller, view.partner
        if view.phase != "play":  # any partner will do to try a proposal
            callers = view.seat, {"propose": (view.seat + 2) % 4, "accept": view.caller}.get(call)
            self.first = view.seat if call == "declared" else (view.dealer + 1) % 4
        self.calls, self.alone = [seat in callers for seat in range(4)], callers[1] is None
        self.ending = [(self.losing or call == "declared") and calls == self.losing for calls in self.calls]
        self.holds(view.dealer, [view.turned])
        if view.caller is not None:
            self.holds(view.caller, view.shown)

    # The rules of the book.

    def stands(self, card: Card) -> bool:
        """Return whether no card that others may hold is higher in its suit."""
        return self.hidden & self.suits[card.suit] < self.bit[card]

    def ruffed(self, suit: str) -> bool:
        """Return whether an adversary is known to be void of a suit and may have trumps."""
        void = self.suits[suit]
        foes = [seat for seat in range(4) if self.calls[seat] != self.calls[self.me]]
        return self.hidden >= TRUMPS and any(self.lacks[seat] & void and self.lacks[seat] < TRUMPS for seat in foes)

    def to_lead(self, view: SoloWhist.View, cards: Sequence[Card]) -> Card:
        """Trumps from the top for a caller with five; cards that stand; the partner's suit; the longest suit."""
        trumps, side = of_suit(cards, self.trumps), [card for card in cards if card.suit != self.trumps]
        own = sum(trick[(self.me - leader) % 4].suit == self.trumps for leader, trick in view.tricks) + len(trumps)
        if self.calls[self.me] and trumps and self.hidden >= TRUMPS and own >= 5:
            best = max(trumps, key=by_rank)
            if len(trumps) > 2 or self.stands(best):  # the last two are for trumping
                return best
        if not side:
            return max(cards, key=by_rank)
        suits = {suit: of_suit(side, suit) for suit in SUITS}
        standing = [card for card in side if self.stands(card) and not self.ruffed(card.suit)]
        if standing:
            return max(standing, key=lambda card: (len(suits[card.suit]), card.rank))
        wanted = {trick[0].suit for leader, trick in view.tricks if leader in view.partners}
        through = not self.calls[self.me] and view.caller == (self.me + 1) % 4

        def promise(suit: str) -> tuple[bool, bool, int, float]:
            longest = len(suits[suit]), max(map(by_rank, suits[suit]))
            return suit in wanted and not through, not self.ruffed(suit), *longest

        suit = max([suit for suit in "cdhs" if suits[suit]], key=promise)
        high = max(suits[suit], key=by_rank)
        touching = sum(card.rank >= high.rank - 1 for card in suits[suit]) > 1 and high.rank >= 11
        return high if touching or len(suits[suit]) == 2 and suit in wanted else min(suits[suit], key=by_rank)

    def to_follow(self, view: SoloWhist.View, cards: Sequence[Card]) -> Card:
        """Leave a partner's winner alone; else win, cheaply when last; second hand plays low unless its card stands."""
        best = next(card for card in view.trick if self.bit[card] == self.best)
        winning = [card for card in cards if self.bit[card] > self.best and card.suit in (best.suit, self.trumps)]
        after = [(self.me + n) % 4 for n in range(1, self.to_play)]
        foes, ours = [seat for seat in after if seat not in view.partners], self.taker in view.partners
        if winning and not (ours and (not foes or self.stands(best) or best.rank >= 12)):
            low = min(winning, key=self.bit.__getitem__)
            if not foes or low.suit == self.trumps != view.trick[0].suit:
                return low
            sure = [card for card in winning if self.stands(card)]
            if sure or not ours and self.to_play < 3:
                return min(sure, key=by_rank) if sure else max(winning, key=by_rank)
        return min(cards, key=lambda card: (card.suit == self.trumps, self.stands(card), card.rank))

    # The trial.

    def made(self, hands: list[int], card: int = 0) -> int:
        """Return the tricks that the callers make, this card being played first."""
        return sum(compress(self.play_out(hands, card), self.calls))

    def lead(self, seat: int, hand: int) -> int:
        """Lead the highest card, but trumps only as a lone caller; in a misere the lowest."""
        if self.losing:
            return hand & -hand
        return highest(hand if self.alone and self.calls[seat] else hand % TRUMPS or hand)

    def follow(self, seat: int, cards: int, led: int, best: int, taker: int, to_play: int) -> int:
        """Leave the trick to a partner who should have it; win, cheaply when last; second hand plays low unless its
        card stands."""
        ours, low = self.calls[taker] == self.calls[seat], cards & -cards
        if self.losing:
            return self.follow_in_a_misere(seat, cards, led, best, taker)
        able = cards if cards & led else cards & -TRUMPS
        if able <= best or ours and (not to_play or best >= TRUMPS or self.left(led) <= best):
            return low
        if not to_play or not able & led:
            return cheapest(able, best)
        high = highest(able)
        return low if to_play == 2 and self.left(led) > high else high

    def follow_in_a_misere(self, seat: int, cards: int, led: int, best: int, taker: int) -> int:
        """The caller plays the highest that does not win; so do the others while the caller has the trick."""
        if not cards & led:
            return highest(cards)
        under = cards & best - 1 if self.calls[seat] or self.calls[taker] else 0
        return highest(under) if under else cards & -cards

    def left(self, suit: int) -> int:
        """Return all cards of a suit that are still in a hand."""
        one, two, three, four = self.hands
        return (one | two | three | four) & suit

    def over(self, won: list[int], left: int) -> bool:
        """Return whether a misere has taken a trick, or a declared abundance lost one."""
        return any(compress(won, self.ending))
