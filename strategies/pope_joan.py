"""House strategies for Pope Joan."""

from roundsim.cards import CARD, SUITS

ORDER = "A23456789TJQK"
POPE, EIGHT = CARD["9d"], CARD["8d"]
NEXT = {CARD[rank + suit]: CARD[after + suit] for suit in SUITS for rank, after in zip(ORDER, ORDER[1:], strict=False)}
HONOURS = {"A": "ace", "K": "king", "Q": "queen", "J": "knave"}
PAIRS = (("matrimony", "QK"), ("intrigue", "QJ"))


class Book:
    """Leads by Hoyle's Games Modernized, pp. 140-141, in the order of sheet section 8: certain stops, as they keep the
    lead, those that win most first; Pope; the lowest card of the longest sequence, or else of an alternate sequence
    (7 9 J); the lower of two close cards; an ace; the lowest card of the longest suit.  Among equals what brings in
    three counters or more goes first.  Pope is always played in lieu.  Counters go on what is empty, the rest on Pope.

    The sheet's third place is for sequences that end in a king, its fifth for close cards of which the higher is a
    certain stop; but such stops have been led before.  `keep`: a stop is kept when an own card lies so few steps
    below it, and is led up to from there.  0 is the sheet's order to the letter; 4 plays better."""

    name = "book"
    games = ["pope-joan"]

    def __init__(self, keep: int = 0) -> None:
        self.keep = keep

    def lead(self, view):
        hand, worth = view.hand, {card: self.worth(view, card) for card in view.hand}
        gone = {EIGHT, view.turn_up, *view.played, *view.missing, *view.looked_at}
        stops = [card for card in hand if card not in NEXT or NEXT[card] in gone]
        to_a_stop = [run for run in self.runs(hand, gone, self.keep) if run[-1] in stops]
        kept = [run[-1] for run in to_a_stop]
        free = [card for card in stops if card not in kept]
        if free:
            return max(free, key=worth.__getitem__).play
        if POPE in hand:
            return POPE.play
        for runs in to_a_stop, self.runs(hand, gone, 1), self.runs(hand, gone, 2):
            if runs:
                return max(runs, key=lambda run: (len(run), self.counts(sum(worth[card] for card in run))))[0].play
        if close := self.runs(hand, gone, 4):
            return max(close, key=lambda run: self.counts(worth[run[0]]))[0].play
        cards = [card for card in hand if card[0] == "A"] or hand
        length = {suit: sum(card.suit == suit for card in hand) for suit in SUITS}
        return max(cards, key=lambda card: (length[card.suit], -ORDER.index(card[0]), self.counts(worth[card]))).play

    def pope(self, view):
        return POPE.play

    def dress(self, view):
        return "place pope"

    def place(self, view):
        counters = len(view.legal[0].words)
        empty = [name for name, on_it in view.pools.items() if not on_it][:counters]
        return " ".join(["place", *empty, *["pope"] * (counters - len(empty))])

    @staticmethod
    def worth(view, card):
        """The counters that this card wins when it is played."""
        pools, rank = view.pools, card[0]
        if card == POPE:
            return pools["pope"]
        if card.suit != view.trumps or rank not in HONOURS:
            return 0
        mine = {one[0] for one, seat in view.played.items() if seat == view.seat and one.suit == view.trumps} | {rank}
        won = [name for name, pair in PAIRS if rank in pair and mine >= set(pair)]
        return pools.get(HONOURS[rank], 0) + sum(pools[name] for name in won)

    @staticmethod
    def counts(counters):
        """Fewer than three counters make no difference."""
        return counters if counters >= 3 else 0

    @staticmethod
    def runs(hand, gone, steps):
        """From each card the own cards above it, each within so many steps of the one before and no stop between.

        Only those of two cards at least."""
        runs = []
        for card in hand:
            run, at, left = [card], card, steps
            while left and at in NEXT and NEXT[at] not in gone:
                at, left = NEXT[at], left - 1
                if at in hand:
                    run.append(at)
                    left = steps
            if len(run) > 1:
                runs.append(run)
        return runs
