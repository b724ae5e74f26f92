"""Nap: corrections of the book's calls, else calls and play by dealing the unseen cards and playing them out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from roundsim.games.nap import Nap
from roundsim.strategy import (
    BITS,
    PACK,
    PACK_32,
    SUIT_BITS,
    SUITS,
    TRUMPS,
    Card,
    Choices,
    Corrected,
    Hands,
    all_but,
    best_suits,
    by_rank,
    cheapest,
    corrections_in,
    discard,
    highest,
    in_order,
    playable,
    unseen,
)

files = ["corrections.txt"]
HIGH = {"A": 0.85, "K": 0.55, "Q": 0.35, "J": 0.25, "T": 0.15}  # of a trump, beyond .85 for each, in tricks
OUTSIDE = {"A": 0.7, "K": 0.35, "Q": 0.15}
PASS_WORTH = {"nothing": -1.0, "nap": 0.3, "less": -1.6}  # by what stands, in tricks: what a pass brought, at a trial
NAPS = ("call nap", "call spare", "call wellington", "call blucher")


class Expert(Corrected):
    """The book's calls, except where trying all calls on the same cards has shown that another gains more; and the card
    that makes the call, or beats it, in most of many deals of the unseen cards.

    It calls by the tricks that its cards promise with the best suit for trumps, and by what has been called. With options
    or a number of players for which there is no table, it deals for its calls too: a call is worth what it wins and loses
    by the share of the deals in which it is made, and must be worth more than letting the others play. In these deals
    nobody holds a suit that they have shown not to hold. They are played out quickly, as the book plays: lead trumps from
    the top, win cheaply when last, leave a trick to a partner.

    `cards`: about how many are played out, in all deals, for a card; `deals`: how many are dealt for a call."""

    name = "expert"
    games = ["nap"]
    pages = "pp. 3-15"
    searches = ("discard", "spare", "call", "answer", "play")
    table = corrections_in(Path(__file__).with_name("corrections.txt"))

    def __init__(self, cards: int = 2000, deals: int = 30) -> None:
        self.cards, self.deals = cards, deals

    def choices(self, view: Nap.View) -> Choices | None:
        options = view.options
        if view.phase != "call" or options.cards == 9 or options.pack == "32" or options.misery or options.spare_hand:
            return None
        quarters = round(4 * max([promise(view.hand, suit) for suit in SUITS]))
        stands = str(view.call).removeprefix("call ")
        return Choices(f"{quarters / 4:.2f} tricks, {stands} stands", {action: action for action in view.legal})

    def discard(self, view: Nap.View) -> str:
        return discard(all_but(view.hand, best_of(view.hand, 5)))

    def spare(self, view: Nap.View) -> str:
        return discard(all_but(view.hand, best_of(view.hand, view.options.cards)))

    # The calls that are not in a table.

    def call(self, view: Nap.View) -> str:
        """Return the call that is worth most, if it is worth more than a pass."""
        if self.here and self.choices(view):
            return self.act(view)
        stands = "nothing" if view.call == "pass" else "nap" if view.call in NAPS else "less"
        made, best, worth = self.chances(view), "pass", PASS_WORTH[stands]
        for call in view.legal[1:]:
            called = (view.players - 1) * worth_of(view, call, made[call])
            if called > worth:
                best, worth = call, called
        return best

    def answer(self, view: Nap.View) -> str:
        """Take a challenge if the hand makes the higher call often enough."""
        return "take" if worth_of(view, view.call, self.chances(view)["call nap"]) > -1 else "leave"

    def chances(self, view: Nap.View) -> dict[str, float]:
        """Return how often each call is made."""
        known, suits = Calling(view), best_suits(view.hand)[:2]
        won = {suit: [0] * (known.tricks + 1) for suit in suits}
        for _ in range(self.deals):
            hands = known.deal(view.chance)
            for suit in suits:
                won[suit][known.won_with(hands, suit)] += 1
        at_least = [max(sum(row[n:]) for row in won.values()) / self.deals for n in range(known.tricks + 1)]
        made = {f"call {n}": at_least[n] for n in range(1, known.tricks)} | dict.fromkeys(NAPS, at_least[known.tricks])
        if "call misery" in view.legal:
            made["call misery"] = sum(known.makes_misery(view) for _ in range(self.deals)) / self.deals
        if "call spare" in view.legal:
            made["call spare"] = sum(known.makes_spare(view) for _ in range(self.deals)) / self.deals
        return made

    # The play.

    def play(self, view: Nap.View) -> str:
        """Return the card that makes the call, or beats it, in most deals."""
        if len(view.legal) == 1:
            return view.legal[0]
        known = Known(view)
        cards = known.worth_trying(playable(view))
        if known.first_lead and not known.misery:
            suits = best_suits(view.hand)[:2]
            cards = [card for card in cards if card.suit in suits]
        if len(cards) == 1:
            return cards[0].play
        playout = sum(known.sizes) + len(view.hand)  # cards
        done = [0] * len(cards)
        for _ in range(1 + self.cards // (playout * len(cards) + 30)):
            dealt = known.deal(view.chance)
            for at, card in enumerate(cards):
                done[at] += known.succeeds(dealt, card)
        return cards[done.index(max(done))].play


class Deals(Hands):
    """The deal as a seat knows it; places are counted from the senior hand. `needs`: the tricks that it must have."""

    def __init__(self, view: Nap.View, senior: int | None) -> None:
        options, self.trumps = view.options, view.trumps
        start = view.order.index(senior)
        seats = view.order[start:] + view.order[:start]
        self.pack = PACK if options.pack == "52" else PACK_32
        self.tricks = self.needs = tricks_of(view)
        self.misery = False
        super().__init__(view, seats, self.trumps, self.tricks, self.pack, view.put_out)

    def lead(self, seat: int, hand: int) -> int:
        """Lead the highest card; the others keep their trumps."""
        if self.misery:
            return hand & -hand
        return highest(hand if not seat else hand % TRUMPS or hand)

    def follow(self, seat: int, cards: int, led: int, best: int, taker: int, to_play: int) -> int:
        """Win with the highest card, last with the cheapest; a partner keeps a trick. In a misery the senior hand plays the
        highest that does not win."""
        if self.misery:
            under = cards & ((best if cards & led else max(best, TRUMPS)) - 1)
            return highest(under) if under and not (seat and taker) else cards & -cards
        able = cards if cards & led else cards & -TRUMPS
        if able <= best or not to_play and seat and taker:
            return cards & -cards
        return highest(able) if to_play else cheapest(able, best)

    def over(self, won: list[int], left: int) -> bool:
        """Return whether the senior hand has enough tricks, or cannot have them."""
        return won[0] >= self.needs or won[0] + left < self.needs


class Known(Deals):
    """The same during the play."""

    def __init__(self, view: Nap.View) -> None:
        super().__init__(view, view.senior)
        self.misery = view.call == "call misery"
        self.first_lead = not view.tricks and not view.trick
        self.lifts = self.first_lead and not (self.misery and not view.options.misery_trumps)
        if view.call not in NAPS:
            self.needs = 1 if self.misery else int(view.call[5:])

    def succeeds(self, dealt: list[int], card: Card) -> bool:
        """Return whether this card makes the call in a deal, or for the others beats it; the first card makes trumps."""
        hands = dealt[:]
        if self.lifts:
            self.bit, _, self.follows = BITS[card.suit]
            hands = raised(hands, card.suit)
        made = (self.play_out(hands, self.bit[card])[0] >= self.needs) != self.misery
        return made == (self.me == 0)


class Calling(Deals):
    """The same before a call: the caller would be senior. All tricks are played."""

    def __init__(self, view: Nap.View) -> None:
        super().__init__(view, view.seat)

    def over(self, won: list[int], left: int) -> bool:
        """Return whether a misery is lost."""
        return self.misery and won[0] > 0

    def won_with(self, dealt: list[int], suit: str | None, led: int = 0) -> int:
        """Return the tricks that the caller wins with these trumps."""
        self.bit, _, self.follows = BITS[suit]
        return self.play_out(raised(dealt, suit), led)[0]

    def makes_misery(self, view: Nap.View) -> bool:
        """Return whether no trick is taken in a deal, the lowest card being led."""
        low = min(view.hand, key=by_rank)
        trumps = low.suit if view.options.misery_trumps else None
        self.misery = True
        made = not self.won_with(self.deal(view.chance), trumps, BITS[trumps].bit[low])
        self.misery = False
        return made

    def makes_spare(self, view: Nap.View) -> bool:
        """Return whether a nap is made in a deal, with a spare hand drawn from the unseen cards."""
        left = unseen(view, self.pack)
        both = [*view.hand, *[left.pop(view.chance.below(len(left))) for _ in range(self.tricks)]]
        bit = BITS[None].bit
        self.fixed[self.me] = sum([bit[card] for card in best_of(both, self.tricks)])
        self.unseen = [bit[card] for card in left]
        return self.won_with(self.deal(view.chance), best_suits(both)[0]) >= self.tricks


def tricks_of(view: Nap.View) -> int:
    return 9 if view.options.cards == 9 else 5


def worth_of(view: Nap.View, call: str, made: float) -> float:
    """Return the gain of a call that is made with this chance, in tricks from each of the others; a nap takes the pool."""
    options, tricks = view.options, tricks_of(view)
    if call == "call misery":
        wins = loses = options.misery_stake
    elif call in NAPS:
        rank = max(1, NAPS.index(call))
        wins, loses = tricks * (2 * rank if options.wellington == "full" else 2), tricks * rank
        wins += view.pools["pool"] / (options.stake * view.multiplier * (view.players - 1))
    else:
        wins = loses = int(call[5:])
    return float(made * wins - (1 - made) * loses)


def best_of(cards: Iterable[Card], number: int) -> list[Card]:
    """Return the trumps and the highest cards."""
    return in_order(cards, best_suits(cards)[0])[-number:]


def promise(hand: Iterable[Card], suit: str) -> float:
    """Return the tricks that a hand makes with these trumps, by a count of its cards."""
    trumps = [card[0] for card in hand if card.suit == suit]
    outside = [card[0] for card in hand if card.suit != suit]
    worth = [0.85 + HIGH.get(rank, 0) for rank in trumps] + [OUTSIDE.get(rank, 0) for rank in outside]
    return sum(worth) - 1


def raised(hands: list[int], trumps: str | None) -> list[int]:
    """Return hands that were dealt before trumps were known, now that they are."""
    if trumps is None:
        return hands[:]
    suit = SUIT_BITS[None][trumps]
    return [hand + (hand & suit) * (TRUMPS - 1) for hand in hands]
