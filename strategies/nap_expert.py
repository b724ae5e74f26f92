"""Nap by dealing the unseen cards and playing them out."""

from __future__ import annotations

from collections.abc import Iterable

from roundsim.games.nap import Nap
from roundsim.toolkit import (
    BIT,
    PACK,
    PACK_32,
    SUIT_BITS,
    TRUMPS,
    Card,
    Chance,
    Hands,
    all_but,
    best_suits,
    by_rank,
    discard,
    in_order,
    playable,
    unseen,
)

NAPS = ("call nap", "call spare", "call wellington", "call blucher")
EACH_SUIT = {trumps: [*suits.values()] for trumps, suits in SUIT_BITS.items()}
PASS_WORTH = {"nothing": -1.0, "nap": 0.3, "less": -1.6}  # by what stands, in tricks: what a pass brought, at a trial


class Expert:
    """The house's strongest: it deals the unseen cards many times over, and plays each deal out.

    A call is worth what it wins and loses by the share of the deals in which it is made, the better of two suits being
    trumps; the call that is worth most is made, if it is worth more than to let the others play.  That card is played
    which makes the call in most deals, or beats it; in these nobody holds a suit that he could not follow.  The quick
    play of a deal is the book's: trumps from the top, win cheaply when last, leave a fellow's trick alone.  It buys
    nothing, and puts out all but the best suit and the highest cards.

    `deals`: how many are dealt for a call; `cards`: about how many are played out, in all deals, for a card."""

    name = "expert"
    games = ["nap"]

    def __init__(self, deals: int = 30, cards: int = 1500) -> None:
        self.deals, self.cards = deals, cards

    def buy(self, view: Nap.View) -> str:
        return "stand"

    def discard(self, view: Nap.View) -> str:
        return discard(all_but(view.hand, best_of(view.hand, 5)))

    def spare(self, view: Nap.View) -> str:
        return discard(all_but(view.hand, best_of(view.hand, view.options.cards)))

    # The calls.

    def call(self, view: Nap.View) -> str:
        """The call that is worth most, if it is worth more than a pass."""
        if len(view.legal) == 1:
            return view.legal[0]
        stands = "nothing" if view.call == "pass" else "nap" if view.call in NAPS else "less"
        made, best, worth = self.chances(view), "pass", PASS_WORTH[stands]
        for call in view.legal[1:]:
            called = (view.players - 1) * worth_of(view, call, made[call])
            if called > worth:
                best, worth = call, called
        return best

    def answer(self, view: Nap.View) -> str:
        """A challenge is taken if the hand makes the higher call often enough."""
        return "take" if worth_of(view, view.call, self.chances(view)["call nap"]) > -1 else "leave"

    def chances(self, view: Nap.View) -> dict[str, float]:
        """How often each call is made."""
        tricks, known, suits = tricks_of(view), Known(view), best_suits(view.hand)[:2]
        won = {trumps: [0] * (tricks + 1) for trumps in suits}
        for _ in range(self.deals):
            hands = known.deal(view.chance)
            for trumps in suits:
                won[trumps][known.play_out(raised(hands, trumps), 0, trumps, tricks + 1)] += 1
        at_least = [max(sum(row[n:]) for row in won.values()) / self.deals for n in range(tricks + 1)]
        made = {f"call {n}": at_least[n] for n in range(1, tricks)} | dict.fromkeys(NAPS, at_least[tricks])
        if "call misery" in view.legal:
            made["call misery"] = self.misery_made(view, known)
        if "call spare" in view.legal:
            left = unseen(view, rest_of_pack(view))
            made["call spare"] = sum(self.spare_made(view, known, left[:]) for _ in range(self.deals)) / self.deals
        return made

    def misery_made(self, view: Nap.View, known: Known) -> float:
        """How often no trick is taken, the lowest card being led."""
        low, made, known.misery = min(view.hand, key=by_rank), 0, True
        trumps = low.suit if view.options.misery_trumps else None
        for _ in range(self.deals):
            made += not known.play_out(raised(known.deal(view.chance), trumps), BIT[trumps][low], trumps, 1)
        known.misery = False
        return made / self.deals

    def spare_made(self, view: Nap.View, known: Known, left: list[Card]) -> bool:
        """Whether a nap is made in a deal, with a spare hand drawn from what is unseen."""
        tricks = tricks_of(view)
        both = [*view.hand, *[left.pop(view.chance.below(len(left))) for _ in range(tricks)]]
        trumps = best_suits(both)[0]
        known.fixed[known.me] = known.mask(best_of(both, tricks))
        known.unseen = [known.bit[card] for card in left]
        return known.play_out(raised(known.deal(view.chance), trumps), 0, trumps, tricks) >= tricks

    # The play.

    def play(self, view: Nap.View) -> str:
        """The card that makes the call, or beats it, in most deals."""
        if len(view.legal) == 1:
            return view.legal[0]
        known = Known(view)
        cards = known.worth_trying(playable(view))
        if known.first_lead and not known.misery:
            suits = best_suits(view.hand)[:2]
            cards = [card for card in cards if card.suit in suits]
        if len(cards) == 1:
            return cards[0].play
        each = sum(known.sizes) + len(view.hand)
        done = known.tried(view.chance, cards, 1 + self.cards // (each * len(cards) + 30))
        return cards[done.index(max(done))].play


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
    """The trumps and the highest cards."""
    return in_order(cards, best_suits(cards)[0])[-number:]


def rest_of_pack(view: Nap.View) -> tuple[Card, ...]:
    return PACK if view.options.pack == "52" else PACK_32


def raised(hands: list[int], trumps: str | None) -> list[int]:
    """Hands dealt before trumps were known, now that they are."""
    if trumps is None:
        return hands[:]
    suit = SUIT_BITS[None][trumps]
    return [hand + (hand & suit) * (TRUMPS - 1) for hand in hands]


class Known(Hands):
    """The deal as a seat knows it; places are counted from the senior hand."""

    def __init__(self, view: Nap.View) -> None:
        self.trumps, plays = view.trumps, view.phase == "play"
        senior = view.senior if plays and view.senior is not None else view.seat
        start = view.order.index(senior)
        seats = view.order[start:] + view.order[:start]
        super().__init__(view, seats, self.trumps, tricks_of(view), rest_of_pack(view), view.put_out)
        self.misery = plays and view.call == "call misery"
        self.first_lead = plays and not view.tricks and not view.trick
        self.lifts = self.first_lead and not (self.misery and not view.options.misery_trumps)
        undertaken = tricks_of(view) if view.call in NAPS else 1 if self.misery or not plays else int(view.call[5:])
        self.needs = undertaken - view.won[senior]

    def tried(self, chance: Chance, cards: list[Card], deals: int) -> list[int]:
        """In how many deals each of these cards does what it should."""
        done = [0] * len(cards)
        for _ in range(deals):
            dealt = self.deal(chance)
            for at, card in enumerate(cards):
                trumps = card.suit if self.lifts else self.trumps
                hands, bit = raised(dealt, trumps) if self.lifts else dealt[:], BIT[trumps][card]
                made = self.play_out(hands, bit, trumps, self.needs) >= self.needs
                done[at] += (made == (self.me == 0)) != self.misery
        return done

    def play_out(self, hands: list[int], card: int, trumps: str | None, needs: int) -> int:
        """The tricks that the senior hand takes, this card being played first; until it has enough or cannot."""
        players, suits, seat = len(self.seats), EACH_SUIT[trumps], self.me
        led, best, taker, to_play, left, won = self.led, self.best, self.taker, self.to_play, self.tricks_left, 0
        while True:
            while to_play:
                to_play -= 1
                hand = hands[seat]
                if not led:
                    if not card:
                        high = hand if not seat else hand % TRUMPS or hand
                        card = hand & -hand if self.misery else 1 << high.bit_length() - 1
                    for led in suits:
                        if card & led:
                            break
                    best, taker = card, seat
                else:
                    if not card:
                        own = hand & led
                        able, own = own or hand & -TRUMPS, own or hand
                        if self.misery:  # the highest that does not win; the others' own trick: the lowest
                            under = own & ((best if own & led else max(best, TRUMPS)) - 1)
                            card = 1 << under.bit_length() - 1 if under and not (seat and taker) else own & -own
                        elif able <= best or not to_play and seat and taker:
                            card = own & -own
                        elif to_play:
                            card = 1 << able.bit_length() - 1
                        else:
                            able = able >> best.bit_length() << best.bit_length()
                            card = able & -able
                    if card > best and (card & led or card >= TRUMPS):
                        best, taker = card, seat
                hands[seat] = hand - card
                card = 0
                seat = (seat + 1) % players
            left -= 1
            if not taker:
                won += 1
            if won >= needs or not left or won + left < needs <= self.tricks_left:
                return won
            seat, led, to_play = taker, 0, players
