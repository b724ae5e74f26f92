"""Solo Whist by counting the cards, dealing the unseen ones and playing them out."""

from roundsim.cards import PACK

LOSING = ("misere", "open misere")
NEEDED = {"propose": 8, "accept": 8, "solo": 5, "abundance": 9, "abundance trumps": 9}
FEAR = 1.2  # what a pass costs, in stakes of a solo, at a trial: the others call
# How far the trial of a call is trusted: real defenders are cleverer than its quick play.
SURE = {"misere": 0.9, "open misere": 0.8, "abundance": 0.95}
# A hand is a number, one bit for each card: the plain cards by rank, and above them all the trumps.
TRUMPS = 1 << 64
BIT = {
    trumps: {card: (TRUMPS if card.suit == trumps else 1) << 4 * card.rank + "shdc".index(card.suit) for card in PACK}
    for trumps in (None, *"shdc")
}
SUITS = {
    trumps: {suit: sum(bit[card] for card in PACK if card.suit == suit) for suit in "shdc"}
    for trumps, bit in BIT.items()
}


class Expert:
    """The house's strongest: it deals the unseen cards many times over, and plays each deal out.

    A call is worth what it wins and loses on average in these deals; the call that is worth most is made, if it is
    worth more than to let the others play.  The first six tricks are played by the book's rules; then, and in a misere
    from the first card on, that card is played which brings most in deals in which nobody holds a suit that he could
    not follow.  The quick play of a deal is simple: the highest cards are led, second hand plays low, tricks are won
    cheaply when last, and a partner's trick is left to him.

    `deals`: how many are dealt for a call; `cards`: about how many are played out, in all deals, for a card; `ruled`:
    how many tricks are played by rules."""

    name = "expert"
    games = ["solo-whist"]

    def __init__(self, deals: int = 36, cards: int = 2300, ruled: int = 6) -> None:
        self.deals, self.cards, self.ruled = deals, cards, ruled

    # The calls.

    def call(self, view):
        """The call that is worth most, if it is worth more than a pass."""
        best, worth = "pass", -FEAR * view.options.solo_stake
        if view.call == "pass":
            worth *= (3 - len(view.calls)) / 3  # the fewer are still to speak, the less is to be feared
        elif view.caller == view.seat:  # nobody has accepted: the hands are thrown in
            worth = 0
        for call in view.legal[1:]:
            called = self.worth(view, call) if may_try(view, call) else worth
            if called > worth:
                best, worth = call, called
        return best

    def worth(self, view, call):
        """What a call brings on average."""
        named = best_suit(view.hand) if call in ("abundance", "declared") else view.turned.suit
        known, pays = Known(view, call, None if call in LOSING else named), payments(view.options, call)
        brought = sum(pays[known.play_out(known.deal(view.chance), 0)] for _ in range(self.deals)) / self.deals
        sure = SURE.get(call, 1)
        return (3 if known.alone else 1) * (sure * brought + (1 - sure) * min(pays))

    def suit(self, view):
        return f"trump {best_suit(view.hand)}"

    # The play.

    def play(self, view):
        """The card of the rules, or that which brings most on average."""
        cards = [action.card for action in view.legal]
        if view.call == "pass":  # a general misere: the lowest cards are kept for the last tricks
            return (max if len(view.hand) > 2 else min)(cards, key=by_rank).play
        known = Known(view, view.call, view.trumps)
        if not known.losing and len(view.tricks) < self.ruled:
            return (known.follow(view, cards) if view.trick else known.lead(view, cards)).play
        cards = known.worth_trying(cards)
        if len(cards) == 1:
            return cards[0].play
        pays, sums = payments(view.options, view.call), [0] * len(cards)
        for _ in range(1 + self.cards // (sum(known.sizes) * len(cards) + 30)):
            dealt = known.deal(view.chance)
            for at, card in enumerate(cards):
                sums[at] += pays[known.play_out(dealt[:], known.bit[card])]
        return cards[sums.index((max if known.calls[view.seat] else min)(sums))].play


def by_rank(card):
    return card.rank


def best_suit(hand):
    """The best suit for trumps, by length and high cards."""
    points = dict.fromkeys([card.suit for card in hand], 0)
    for card in hand:
        points[card.suit] += 4 + max(0, card.rank - 10)
    return max(points, key=points.get)


def may_try(view, call):
    """Whether a hand is at all fit for a call, so that it is worth dealing for."""
    hand, turned = view.hand, view.turned.suit
    suits = [sorted(card.rank for card in hand if card.suit == suit) for suit in "shdc"]
    if call in LOSING:  # by how much cards lie above the line 2, 4, 6, 8, 10, queen, ace of their suits
        return sum(max(0, rank - 2 * place) for suit in suits for place, rank in enumerate(suit, 1)) <= 16
    trumps = sum(card.suit == turned for card in hand)
    if call in ("abundance", "declared"):
        return max(map(len, suits)) >= 5
    return trumps >= 5 or call != "abundance trumps" and sum(max(0, card.rank - 10) for card in hand) + 2 * trumps >= 15


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


class Known:
    """The deal as a seat knows it, with this call and these trumps."""

    def __init__(self, view, call, trumps):
        self.me, self.trumps, self.losing = view.seat, trumps, call in LOSING
        self.bit, self.suits = BIT[trumps], SUITS[trumps]
        if view.phase == "play":
            callers, self.leader = (view.caller, view.partner), view.leader
        else:  # any partner will do to try a proposal
            callers = (view.seat, {"propose": (view.seat + 2) % 4, "accept": view.caller}.get(call))
            self.leader = view.seat if call == "declared" else (view.dealer + 1) % 4
        self.calls, self.alone = [seat in callers for seat in range(4)], callers[1] is None
        self.won = sum(view.won[seat] for seat in range(4) if self.calls[seat])
        self.tricks_left = 13 - len(view.tricks)
        self.sizes, self.lacks, self.fixed = [self.tricks_left] * 4, [0] * 4, [0] * 4
        self.best, self.taker, seen = 0, self.leader, {*view.hand}
        for leader, trick in view.tricks:
            self.look_at(leader, trick)
            seen.update(trick)
        self.led, self.table, self.to_play = 0, sum(self.bit[card] for card in view.trick), 4 - len(view.trick)
        if view.trick:
            self.look_at(view.leader, view.trick)
            seen.update(view.trick)
            for at in range(len(view.trick)):
                self.sizes[(view.leader + at) % 4] -= 1
        sure = [(view.dealer, view.turned), *[(view.caller, card) for card in view.shown]]
        for seat, card in [*[(self.me, card) for card in view.hand], *[each for each in sure if each[1] not in seen]]:
            if not self.fixed[seat] & self.bit[card]:
                self.fixed[seat] |= self.bit[card]
                self.sizes[seat] -= 1
                seen.add(card)
        self.unseen = [self.bit[card] for card in PACK if card not in seen]
        self.others = sorted([at for at in range(4) if at != self.me], key=lambda at: -self.lacks[at])
        self.hidden = sum(self.unseen) + sum(self.fixed[at] for at in self.others)

    def look_at(self, at, trick):
        """Who could not follow, and who wins so far."""
        self.led, self.best = self.suits[trick[0].suit], 0
        for card in trick:
            bit = self.bit[card]
            if not bit & self.led:
                self.lacks[at] |= self.led
            if bit > self.best and (bit & self.led or bit >= TRUMPS):
                self.best, self.taker = bit, at
            at = (at + 1) % 4

    # The rules of the book.

    def stands(self, card):
        """Whether no card that others may hold is higher in its suit."""
        return self.hidden & self.suits[card.suit] < self.bit[card]

    def ruffed(self, view, suit):
        """Whether an adversary is known to be void of a suit and may have trumps."""
        void, ruffs = self.suits[suit], self.suits[self.trumps]
        foes = [seat for seat in range(4) if self.calls[seat] != self.calls[self.me]]
        return self.hidden & ruffs and any(self.lacks[seat] & void and not self.lacks[seat] & ruffs for seat in foes)

    def lead(self, view, cards):
        """Trumps from the top for a caller with five; cards that stand; the partner's suit; the longest suit."""
        trumps, side = [], []
        for card in cards:
            (trumps if card.suit == self.trumps else side).append(card)
        own = sum(trick[(self.me - leader) % 4].suit == self.trumps for leader, trick in view.tricks) + len(trumps)
        if self.calls[self.me] and trumps and self.hidden & self.suits[self.trumps] and own >= 5:
            highest = max(trumps, key=by_rank)
            if len(trumps) > 2 or self.stands(highest):  # the last two are for trumping
                return highest
        if not side:
            return max(cards, key=by_rank)
        suits = {suit: [card for card in side if card.suit == suit] for suit in "shdc"}
        standing = [card for card in side if self.stands(card) and not self.ruffed(view, card.suit)]
        if standing:
            return max(standing, key=lambda card: (len(suits[card.suit]), card.rank))
        wanted = {trick[0].suit for leader, trick in view.tricks if leader in view.partners}
        through = not self.calls[self.me] and self.me == (view.caller - 1) % 4

        def promise(suit):
            longest = len(suits[suit]), max(map(by_rank, suits[suit]))
            return suit in wanted and not through, not self.ruffed(view, suit), *longest

        suit = max([suit for suit in "cdhs" if suits[suit]], key=promise)
        high = max(suits[suit], key=by_rank)
        touching = sum(card.rank >= high.rank - 1 for card in suits[suit]) > 1 and high.rank >= 11
        return high if touching or len(suits[suit]) == 2 and suit in wanted else min(suits[suit], key=by_rank)

    def follow(self, view, cards):
        """Leave a partner's winner alone; else win, cheaply when last; second hand plays low unless its card stands."""
        best = next(card for card in view.trick if self.bit[card] == self.best)
        winning = [card for card in cards if self.bit[card] > self.best and card.suit in (best.suit, self.trumps)]
        after = [(self.me + n) % 4 for n in range(1, self.to_play)]
        foes, ours = [seat for seat in after if seat not in view.partners], self.taker in view.partners
        if winning and not (ours and (not foes or self.stands(best) or best.rank >= 12)):
            cheapest = min(winning, key=lambda card: self.bit[card])
            if not foes or cheapest.suit == self.trumps != view.trick[0].suit:
                return cheapest
            sure = [card for card in winning if self.stands(card)]
            if sure or not ours and self.to_play < 3:
                return min(sure, key=by_rank) if sure else max(winning, key=by_rank)
        return min(cards, key=lambda card: (card.suit == self.trumps, self.stands(card), card.rank))

    # The trial.

    def worth_trying(self, cards):
        """Of cards between which nothing is unseen only the lowest."""
        unseen, tried, below = self.hidden | self.table, [], {}
        for card in sorted(cards, key=by_rank):
            bit, last = self.bit[card], below.get(card.suit)
            suit = self.suits[card.suit]
            if last is None or unseen & suit & (bit - last):
                tried.append(card)
            below[card.suit] = bit
        return tried

    def deal(self, chance):
        """The unseen cards dealt so that nobody has a suit which he lacks, if that can be."""
        left, hands = self.unseen[:], self.fixed[:]
        for at in self.others:
            size, lacks = self.sizes[at], self.lacks[at]
            fit = [card for card in left if not card & lacks] if lacks else left
            if len(fit) < size:
                fit = left
            hand, n, free = 0, chance.getrandbits(128), len(fit)
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
        """The tricks that the callers take, this card being played first; a misere is over with the first."""
        calls, suits, led, best, taker = self.calls, self.suits.values(), self.led, self.best, self.taker
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
                            if (
                                able <= best
                                or calls[taker] == calls[seat]
                                and (not to_play or rest & led <= best or best >= TRUMPS)
                            ):
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
