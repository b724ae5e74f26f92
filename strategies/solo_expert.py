"""Solo Whist by dealing the unseen cards and playing them out."""

from roundsim.cards import PACK

LOSING = ("misere", "open misere")
# A hand is a number, one bit for each card: the plain cards by rank, and above them all the trumps.
TRUMPS = 1 << 64
BIT = {
    trumps: {card: (TRUMPS if card.suit == trumps else 1) << 4 * card.rank + "shdc".index(card.suit) for card in PACK}
    for trumps in (None, *"shdc")
}
SUITS = {
    trumps: [sum(bit[card] for card in PACK if card.suit == suit) for suit in "shdc"] for trumps, bit in BIT.items()
}
NEEDED = {"propose": 8, "accept": 8, "solo": 5, "abundance": 9, "abundance trumps": 9}
PASS_WORTH = {"pass": 0.0, "propose": -2.0, "solo": -4.0}


class Expert:
    """The house's strongest: it deals the unseen cards many times over, and plays each deal out.

    `deals`: how many are dealt for a call; `cards`: about how many are played out, in all deals, for a card."""

    name = "expert"
    games = ["solo-whist"]

    def __init__(self, deals: int = 40, cards: int = 1200, margin: float = 0.0) -> None:
        self.deals, self.cards, self.margin = deals, cards, margin

    # The calls.

    def call(self, view):
        """The call that is worth most, if it is worth more than a pass."""
        best, worth = "pass", PASS_WORTH.get(view.call, -6.0) + self.margin
        for call, called in self.worths(view):
            if called > worth:
                best, worth = call, called
        return best

    def worths(self, view):
        """What each legal call is worth on average."""
        legal, hand, me = view.legal[1:], view.hand, view.seat
        turned, best = view.turned.suit, best_suit(hand)
        strength = sum(max(0, card.rank - 10) for card in hand) + 2 * sum(card.suit == turned for card in hand)
        dealt = {}
        for call in legal:
            lone = call not in ("propose", "accept")
            if call in LOSING:
                if sum(unsafe(hand)) > 16:
                    continue
                trumps = None
            else:
                trumps = best if call in ("abundance", "declared") else turned
                if lone and (call not in ("solo",) and sum(card.suit == trumps for card in hand) < 5):
                    continue
                if strength < 12:
                    continue
            worth = payments(view.options, call)
            key = trumps, lone
            if key not in dealt:
                known = Known(view, trumps, call)
                dealt[key] = known.outcomes(view.chance, self.deals)
            if call == "declared" and trumps in dealt:
                pass
            rows = dealt[key]
            yield call, (3 if lone else 1) * sum(worth[t] for t in rows) / len(rows)

    def suit(self, view):
        return f"trump {best_suit(view.hand)}"

    # The play.

    def play(self, view):
        """The card that brings most on average."""
        if view.call == "pass":
            return keep_the_lowest(view).play
        known = Known(view, view.trumps, view.call)
        cards = known.worth_trying([action.card for action in view.legal])
        if len(cards) == 1:
            return cards[0].play
        worth = payments(view.options, view.call)
        sums = [0] * len(cards)
        for _ in range(1 + self.cards // (sum(known.sizes) * len(cards) + 30)):
            dealt = known.deal(view.chance)
            for at, card in enumerate(cards):
                sums[at] += worth[known.play_out(dealt[:], known.bit[card])]
        pick = max if known.calls[view.seat] else min
        return cards[sums.index(pick(sums))].play


def best_suit(hand):
    """The best suit for trumps, by length and high cards."""
    points = dict.fromkeys([card.suit for card in hand], 0)
    for card in hand:
        points[card.suit] += 4 + max(0, card.rank - 10)
    return max(points, key=points.get)


def unsafe(hand):
    """By how many steps cards lie above the line 2, 4, 6, 8, 10, queen, ace of their suits."""
    suits = [sorted(card.rank for card in hand if card.suit == suit) for suit in "shdc"]
    return [max(0, rank - 2 * place) for suit in suits for place, rank in enumerate(suit, 1)]


def payments(options, call):
    """What each adversary pays, by the tricks made."""
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


def keep_the_lowest(view):
    """A general misere: high cards are got rid of, and the lowest kept for the last trick."""
    cards = [action.card for action in view.legal]
    return (max if len(view.hand) > 2 else min)(cards, key=lambda card: card.rank)


class Known:
    """The deal as a seat knows it."""

    def __init__(self, view, trumps, call):
        self.me, self.trumps, self.losing = view.seat, trumps, call in LOSING
        self.bit, self.suits = BIT[trumps], SUITS[trumps]
        plays = view.phase == "play"
        eldest = (view.dealer + 1) % 4
        if plays:
            callers = {view.caller, view.partner}
            leader = view.leader
        else:
            callers = {view.seat, view.caller if call == "accept" else (view.seat + 2) % 4 if call == "propose" else None}
            leader = view.seat if call == "declared" else eldest
        self.caller = view.caller if plays else view.seat if call != "accept" else view.caller
        self.calls = [seat in callers for seat in range(4)]
        self.alone = len(callers - {None}) == 1
        self.sizes, self.lacks, self.fixed = [13 - len(view.tricks)] * 4, [0] * 4, [0] * 4
        self.led = self.best = 0
        self.taker = self.leader = leader
        seen = {*view.hand}
        for first, trick in view.tricks:
            self.look_at(first, trick)
            seen.update(trick)
        self.won = sum(view.won[seat] for seat in range(4) if self.calls[seat])
        self.led = self.best = 0
        self.table, self.to_play = 0, 4 - len(view.trick)
        if view.trick:
            self.look_at(view.leader, view.trick)
            seen.update(view.trick)
            for at in range(len(view.trick)):
                self.sizes[(view.leader + at) % 4] -= 1
            self.table = sum(self.bit[card] for card in view.trick)
        self.tricks_left = 13 - len(view.tricks)
        known = {self.me: view.hand}
        if view.dealer != self.me and view.turned not in seen:
            known[view.dealer] = [view.turned]
        if view.shown and view.caller != self.me:
            known[view.caller] = [card for card in view.shown if card not in seen]
        for seat, cards in known.items():
            self.fixed[seat] = sum(self.bit[card] for card in cards)
            self.sizes[seat] -= len(cards)
            seen.update(cards)
        self.unseen = [self.bit[card] for card in PACK if card not in seen]
        self.others = sorted([at for at in range(4) if at != self.me], key=lambda at: -self.lacks[at])

    def look_at(self, at, trick):
        """Who could not follow, and who wins so far."""
        self.led, self.best = self.suits["shdc".index(trick[0].suit)], 0
        for card in trick:
            bit = self.bit[card]
            if not bit & self.led:
                self.lacks[at] |= self.led
            if bit > self.best and (bit & self.led or bit >= TRUMPS):
                self.best, self.taker = bit, at
            at = (at + 1) % 4

    def worth_trying(self, cards):
        """Of cards between which nothing is unseen only the lowest."""
        unseen, tried, below = sum(self.unseen) | self.table, [], {}
        for at in self.others:
            unseen |= self.fixed[at]
        for card in sorted(cards, key=lambda card: card.rank):
            bit, last = self.bit[card], below.get(card.suit)
            suit = self.suits["shdc".index(card.suit)]
            if last is None or unseen & suit & (bit - last):
                tried.append(card)
            below[card.suit] = bit
        return tried

    def outcomes(self, chance, deals):
        return [self.play_out(self.deal(chance), 0) for _ in range(deals)]

    def deal(self, chance):
        """The unseen cards dealt so that nobody has a suit which he lacks, if that can be."""
        left, hands = self.unseen[:], self.fixed[:]
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
            hands[at] |= hand
            if fit is left:
                del left[free:]
            else:
                left = [card for card in left if not card & hand]
        return hands

    def play_out(self, hands, card):
        """The tricks that the callers take, this card being played first."""
        calls, suits, led, best, taker = self.calls, self.suits, self.led, self.best, self.taker
        to_play, left, won, losing, alone = self.to_play, self.tricks_left, self.won, self.losing, self.alone
        seat = (self.leader + 4 - to_play) % 4
        rest = hands[0] | hands[1] | hands[2] | hands[3]
        while True:
            while to_play:
                to_play -= 1
                hand = hands[seat]
                if not led:
                    if not card:
                        if losing:
                            card = hand & -hand
                        else:
                            high = hand if alone and calls[seat] else hand % TRUMPS or hand
                            card = 1 << high.bit_length() - 1
                    for led in suits:
                        if card & led:
                            break
                    best, taker = card, seat
                else:
                    if not card:
                        own = hand & led
                        if losing:
                            if not own:
                                card = 1 << hand.bit_length() - 1
                            elif calls[seat] or calls[taker]:
                                under = own & (best - 1)
                                card = 1 << under.bit_length() - 1 if under else own & -own
                            else:
                                card = own & -own
                        else:
                            able, own = own or hand & -TRUMPS, own or hand
                            if able <= best or calls[taker] == calls[seat] and (not to_play or rest & led <= best or best >= TRUMPS):
                                card = own & -own
                            elif not to_play or not able & led:
                                able = able >> best.bit_length() << best.bit_length()
                                card = able & -able
                            else:
                                card = 1 << able.bit_length() - 1
                                if to_play == 2 and rest & led > card:
                                    card = own & -own
                    if card > best and (card & led or card >= TRUMPS):
                        best, taker = card, seat
                hands[seat] = hand - card
                rest -= card
                card = 0
                seat = (seat + 1) % 4
            left -= 1
            won += calls[taker]
            if not left or losing and won:
                return won
            seat, led, to_play = taker, 0, 4
