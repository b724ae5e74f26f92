"""Nap by dealing the unseen cards and playing them out."""

from roundsim.cards import PACK, PACK_32

NAPS = ("call nap", "call spare", "call wellington", "call blucher")
# A hand is a number, one bit for each card: the plain cards by rank, and above them all the trumps.
TRUMPS = 1 << 64
BIT = {
    trumps: {
        card: (TRUMPS if card.suit == trumps else 1) << 4 * int(card.rank) + "shdc".index(card.suit) for card in PACK
    }
    for trumps in (None, *"shdc")
}
SUITS = {
    trumps: [sum(bit[card] for card in PACK if card.suit == suit) for suit in "shdc"] for trumps, bit in BIT.items()
}
HIGH_TRUMPS, HIGH_PLAIN = TRUMPS << 48, 1 << 56
SHOWN = (0, 0, 5, 7, 8)  # how strong who called one, two, three or more is taken to be


class Expert:
    """The house's strongest: it deals the unseen cards many times over, and plays each deal out.

    A call is worth what it wins and loses by the share of the deals in which it is made, the better of two suits being
    trumps; the call that is worth most is made, if it is worth more than to let the others play.  That card is played
    which makes the call in most deals, or beats it; in these nobody holds a suit that he could not follow, and the
    senior hand is worth his call.  The quick play of a deal is the book's: trumps from the top, win cheaply when last.
    It buys nothing, and puts out all but the best suit and the highest cards.

    `deals`: how many for a call, with each suit; `cards`: how many are played out, in all deals, for a card."""

    name = "expert"
    games = ["nap"]

    def __init__(self, deals: int = 30, cards: int = 1000) -> None:
        self.deals, self.cards = deals, cards

    def buy(self, view):
        return "stand"

    def discard(self, view):
        return put_out(view, 5)

    def spare(self, view):
        return put_out(view, view.options.cards)

    # The calls.

    def call(self, view):
        """The call that is worth most, if it is worth more than a pass."""
        if len(view.legal) == 1:
            return view.legal[0]
        made = self.chances(view)
        worth = {call: (view.players - 1) * worth_of(view, call, made[call]) for call in view.legal[1:]}
        best = max(worth, key=worth.get)
        return best if worth[best] > worth_of_pass(view) else "pass"

    def answer(self, view):
        """A challenge is taken if the hand makes the higher call often enough."""
        return "take" if worth_of(view, view.call, self.chances(view)["call nap"]) > -1 else "leave"

    def chances(self, view):
        """How often each call is made."""
        tricks, known, suits = tricks_of(view), Known(view, view.seat), best_suits(view.hand)[:2]
        won, lost, low = {trumps: [0] * (tricks + 1) for trumps in suits}, 0, min(view.hand, key=lambda card: card.rank)
        low_suit = low.suit if view.options.misery_trumps else None
        for _ in range(self.deals):
            hands = known.deal(view.chance)
            for trumps in suits:
                won[trumps][known.play_out(raised(hands, trumps), 0, trumps, tricks + 1)] += 1
            if "call misery" in view.legal:
                lost += not known.lose_all(raised(hands, low_suit), BIT[low_suit][low], low_suit)
        at_least = [max(sum(row[n:]) for row in won.values()) / self.deals for n in range(tricks + 1)]
        made = {f"call {n}": at_least[n] for n in range(1, tricks)} | dict.fromkeys(NAPS, at_least[tricks])
        made["call misery"] = lost / self.deals
        if "call spare" in view.legal:
            made["call spare"] = sum(self.made_with_spare_hand(view, tricks) for _ in range(self.deals)) / self.deals
        return made

    def made_with_spare_hand(self, view, tricks):
        """Whether a nap is made with a spare hand drawn from what is unseen."""
        unseen = unseen_by(view)
        both = [*view.hand, *[unseen.pop(view.chance.below(len(unseen))) for _ in range(tricks)]]
        trumps = best_suits(both)[0]
        known = Known(view, view.seat)
        known.hand, known.unseen = mask(best_of(both, tricks), known.bit), [known.bit[card] for card in unseen]
        return known.play_out(raised(known.deal(view.chance), trumps), 0, trumps, tricks) >= tricks

    # The play.

    def play(self, view):
        """The card that makes the call, or beats it, in most deals."""
        if len(view.legal) == 1:
            return view.legal[0]
        known = Known(view, view.senior)
        cards = known.worth_trying([action.card for action in view.legal])
        if known.first_lead and not known.misery:
            suits = best_suits(view.hand)[:2]
            cards = [card for card in cards if card.suit in suits]
        if len(cards) == 1:
            return cards[0].play
        done = known.tried(view.chance, cards, 1 + self.cards // (sum(known.sizes) * len(cards) + 30))
        return cards[done.index(max(done))].play


def tricks_of(view):
    return 9 if view.options.cards == 9 else 5


def worth_of(view, call, made):
    """What a call made so often brings, in tricks from each of the others."""
    options, tricks = view.options, tricks_of(view)
    if call == "call misery":
        wins = loses = options.misery_stake
    elif call in NAPS:
        rank = max(1, NAPS.index(call))
        wins, loses = tricks * (2 * rank if options.wellington == "full" else 2), tricks * rank
    else:
        wins = loses = int(call[5:])
    return made * wins - (1 - made) * loses


def worth_of_pass(view):
    """What others' calls cost, as measured; eldest may yet stand for one."""
    if view.call != "pass":
        return NAP_STANDS if view.call in NAPS else CALL_STANDS
    return ELDEST if view.seat == view.order[0] else NOTHING_STANDS


ELDEST, NOTHING_STANDS, CALL_STANDS, NAP_STANDS = 0.0, -1.0, -1.6, 0.3


def best_suits(cards):
    """The suits held, the best for trumps first: by length and high cards."""
    points = dict.fromkeys([card.suit for card in cards], 0.0)
    for card in cards:
        points[card.suit] += 4 + max(0, card.rank - 10)
    return sorted(points, key=points.get, reverse=True)


def best_of(cards, number):
    """The trumps and the highest cards."""
    trumps = best_suits(cards)[0]
    return sorted(cards, key=lambda card: (card.suit == trumps, card.rank))[-number:]


def put_out(view, keep):
    kept = best_of(view.hand, keep)
    return " ".join(["discard", *[card for card in view.hand if card not in kept]])


def unseen_by(view):
    """The cards that may be anywhere."""
    seen = {*view.hand, *view.put_out, *view.trick, *[card for _, trick in view.tricks for card in trick]}
    return [card for card in (PACK if view.options.pack == "52" else PACK_32) if card not in seen]


def mask(cards, bit):
    return sum([bit[card] for card in cards])


def raised(hands, trumps):
    """Hands dealt before trumps were known, now that they are."""
    if trumps is None:
        return hands[:]
    suit = SUITS[None]["shdc".index(trumps)]
    return [hand + (hand & suit) * (TRUMPS - 1) for hand in hands]


class Known:
    """The deal as a seat knows it; places are counted from the senior hand."""

    def __init__(self, view, senior):
        order, self.trumps = view.order, view.trumps
        start, self.players = order.index(senior), len(order)
        self.bit, self.suits = BIT[self.trumps], SUITS[self.trumps]
        self.seats = order[start:] + order[:start]
        self.me, plays = self.seats.index(view.seat), view.phase == "play"
        self.hand, self.unseen = mask(view.hand, self.bit), [self.bit[card] for card in unseen_by(view)]
        self.tricks_left = tricks_of(view) - len(view.tricks)
        self.sizes, self.lacks, self.shown = [self.tricks_left] * self.players, [0] * self.players, 0
        for leader, trick in view.tricks:
            self.look_at(leader, trick)
        self.led = self.best = self.taker = 0
        self.table, self.to_play = mask(view.trick, self.bit), self.players - len(view.trick)
        if view.trick:
            self.look_at(view.leader, view.trick)
            for at in range(len(view.trick)):
                self.sizes[(self.seats.index(view.leader) + at) % self.players] -= 1
        self.misery = plays and view.call == "call misery"
        self.first_lead = plays and not view.tricks and not view.trick
        self.lifts = self.first_lead and not (self.misery and not view.options.misery_trumps)
        undertaken = tricks_of(view) if view.call in NAPS else 0 if self.misery or not plays else int(view.call[5:])
        self.needs = undertaken - view.won[senior]
        self.wanted = SHOWN[min(undertaken, 4)] if self.me else 0
        self.others = sorted(
            [at for at in range(self.players) if at != self.me], key=lambda at: (at > 0, -self.lacks[at])
        )

    def look_at(self, leader, trick):
        """Who could not follow, what the senior hand has shown, and who wins so far."""
        at, self.led = self.seats.index(leader), self.suits["shdc".index(trick[0].suit)]
        self.best = 0
        for card in trick:
            bit = self.bit[card]
            if not bit & self.led:
                self.lacks[at] |= self.led
            if not at:
                self.shown |= bit
            if bit > self.best and (bit & self.led or bit >= TRUMPS):
                self.best, self.taker = bit, at
            at = (at + 1) % self.players

    def worth_trying(self, cards):
        """Of cards between which nothing is unseen only the lowest."""
        unseen, tried, below = sum(self.unseen) | self.table, [], {}
        for card in sorted(cards, key=lambda card: card.rank):
            bit, last = self.bit[card], below.get(card.suit)
            suit = self.suits["shdc".index(card.suit)]
            if last is None or unseen & suit & (bit - last):
                tried.append(card)
            below[card.suit] = bit
        return tried

    def tried(self, chance, cards, deals):
        """In how many deals each of these cards does what it should."""
        done = [0] * len(cards)
        for _ in range(deals):
            dealt = self.deal(chance)
            for at, card in enumerate(cards):
                trumps = card.suit if self.lifts else self.trumps
                hands, bit = raised(dealt, trumps) if self.lifts else dealt[:], BIT[trumps][card]
                if self.misery:
                    made = not self.lose_all(hands, bit, trumps)
                else:
                    made = self.play_out(hands, bit, trumps, self.needs) >= self.needs
                done[at] += made is (self.me == 0)
        return done

    def deal(self, chance):
        """The unseen cards dealt so that nobody has a suit which he lacks, and the senior hand is worth his call."""
        left, hands = self.unseen[:], [self.hand] * self.players
        for at in self.others:
            size, lacks = self.sizes[at], self.lacks[at]
            fit = left
            if lacks:
                fit = [card for card in left if not card & lacks]
                if len(fit) < size:
                    fit = left[:]
            for _ in range(1 if at else 6):
                hand, n, free = 0, chance.getrandbits(64), len(fit)
                for _ in range(size):
                    n, place = divmod(n, free)
                    free -= 1
                    card = fit[place]
                    hand |= card
                    fit[place], fit[free] = fit[free], card
                if at or not self.wanted or strength(hand | self.shown) >= self.wanted:
                    break
            hands[at] = hand
            if fit is left:
                del left[free:]
            else:
                left = [card for card in left if not card & hand]
        return hands

    def play_out(self, hands, card, trumps, needs):
        """The tricks that the senior hand takes, this card being played first; until it has enough or cannot."""
        players, suits, seat = self.players, SUITS[trumps], self.me
        led, best, taker, to_play, left, won = self.led, self.best, self.taker, self.to_play, self.tricks_left, 0
        while True:
            while to_play:
                to_play -= 1
                hand = hands[seat]
                if not led:
                    card = card or 1 << (hand.bit_length() if not seat else (hand % TRUMPS or hand).bit_length()) - 1
                    for led in suits:
                        if card & led:
                            break
                    best, taker = card, seat
                elif card:
                    if card > best and (card & led or card >= TRUMPS):
                        best, taker = card, seat
                else:
                    own = hand & led
                    able = own or hand & -TRUMPS
                    if able <= best or not to_play and seat and taker:
                        own = own or hand
                        card = own & -own
                    elif to_play:
                        card = 1 << able.bit_length() - 1
                        best, taker = card, seat
                    else:
                        least = best.bit_length()
                        able = able >> least << least
                        card = able & -able
                        best, taker = card, seat
                hands[seat] = hand - card
                card = 0
                seat += 1
                if seat == players:
                    seat = 0
            left -= 1
            if not taker:
                won += 1
            if won >= needs or not left or won + left < needs <= self.tricks_left:
                return won
            seat, led, to_play = taker, 0, players

    def lose_all(self, hands, card, trumps):
        """Whether the senior hand takes a trick in a misery, this card being played first."""
        seat, led, best, taker, to_play = self.me, self.led, self.best, self.taker, self.to_play
        while True:
            while to_play:
                to_play -= 1
                hand = hands[seat]
                own = hand & led or hand
                if not card:
                    low = own & -own
                    under = own & ((best if hand & led else max(best, TRUMPS)) - 1)
                    card = 1 << under.bit_length() - 1 if led and under and not (seat and taker) else low
                if not led:
                    led = next(suit for suit in SUITS[trumps] if card & suit)
                    best, taker = card, seat
                elif card > best and (card & led or card >= TRUMPS):
                    best, taker = card, seat
                hands[seat] = hand - card
                card, seat = 0, (seat + 1) % self.players
            if not taker or not any(hands):
                return not taker
            seat, led, to_play = taker, 0, self.players


def strength(hand):
    """Trumps twice, the high ones thrice, and the aces and kings of other suits."""
    plain, trumps = hand % TRUMPS, hand & -TRUMPS
    return 2 * trumps.bit_count() + (trumps // HIGH_TRUMPS).bit_count() + (plain // HIGH_PLAIN).bit_count()
