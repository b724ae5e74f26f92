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
        stands = "nothing" if view.call == "pass" else "nap" if view.call in NAPS else "less"
        made, best, worth = self.chances(view), "pass", PASS_WORTH[stands]
        for call in view.legal[1:]:
            called = (view.players - 1) * worth_of(view, call, made[call])
            if called > worth:
                best, worth = call, called
        return best

    def answer(self, view):
        """A challenge is taken if the hand makes the higher call often enough."""
        return "take" if worth_of(view, view.call, self.chances(view)["call nap"]) > -1 else "leave"

    def chances(self, view):
        """How often each call is made."""
        tricks, known, suits = tricks_of(view), Known(view, view.seat), best_suits(view.hand)[:2]
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
            unseen = unseen_by(view)
            made["call spare"] = sum(self.spare_made(view, known, unseen[:]) for _ in range(self.deals)) / self.deals
        return made

    def misery_made(self, view, known):
        """How often no trick is taken, the lowest card being led."""
        low, made, known.misery = min(view.hand, key=lambda card: card.rank), 0, True
        trumps = low.suit if view.options.misery_trumps else None
        for _ in range(self.deals):
            made += not known.play_out(raised(known.deal(view.chance), trumps), BIT[trumps][low], trumps, 1)
        known.misery = False
        return made / self.deals

    def spare_made(self, view, known, unseen):
        """Whether a nap is made in a deal, with a spare hand drawn from what is unseen."""
        tricks = tricks_of(view)
        both = [*view.hand, *[unseen.pop(view.chance.below(len(unseen))) for _ in range(tricks)]]
        trumps = best_suits(both)[0]
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
    """What a call made so often brings, in tricks from each of the others; a nap takes the pool."""
    options, tricks = view.options, tricks_of(view)
    if call == "call misery":
        wins = loses = options.misery_stake
    elif call in NAPS:
        rank = max(1, NAPS.index(call))
        wins, loses = tricks * (2 * rank if options.wellington == "full" else 2), tricks * rank
        wins += view.pools["pool"] / (options.stake * view.multiplier * (view.players - 1))
    else:
        wins = loses = int(call[5:])
    return made * wins - (1 - made) * loses


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
        self.sizes, self.lacks = [self.tricks_left] * self.players, [0] * self.players
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
        undertaken = tricks_of(view) if view.call in NAPS else 1 if self.misery or not plays else int(view.call[5:])
        self.needs = undertaken - view.won[senior]
        self.others = sorted([at for at in range(self.players) if at != self.me], key=lambda at: -self.lacks[at])

    def look_at(self, leader, trick):
        """Who could not follow, and who wins so far."""
        at, self.led = self.seats.index(leader), self.suits["shdc".index(trick[0].suit)]
        self.best = 0
        for card in trick:
            bit = self.bit[card]
            if not bit & self.led:
                self.lacks[at] |= self.led
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
                made = self.play_out(hands, bit, trumps, self.needs) >= self.needs
                done[at] += (made == (self.me == 0)) != self.misery
        return done

    def deal(self, chance):
        """The unseen cards dealt so that nobody has a suit which he lacks, if that can be."""
        left, hands = self.unseen[:], [self.hand] * self.players
        for at in self.others:
            size, lacks = self.sizes[at], self.lacks[at]
            fit = [card for card in left if not card & lacks] if lacks else left
            if len(fit) < size:
                fit = left
            hand, n, free = 0, chance.getrandbits(64), len(fit)
            for _ in range(size):
                n, place = divmod(n, free)
                free -= 1
                hand |= fit[place]
                fit[place] = fit[free]
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
