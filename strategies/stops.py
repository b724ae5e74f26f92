"""House strategies for the games of stops: Pope Joan, Spin, Newmarket and Jig."""

from collections.abc import Collection, Mapping, Sequence

from roundsim.games import jig, newmarket, pope_joan, spin
from roundsim.strategy import CARD, NEXT, SUITS, Card, ace_low

POPE, EIGHT = CARD["9d"], CARD["8d"]
SPIN, DEUCE = CARD["Ad"], CARD["2d"]
NOT_IN_SPIN = {CARD["2h"], EIGHT}
SEVENS = {CARD["7" + suit] for suit in SUITS}
HONOURS = {"A": "ace", "K": "king", "Q": "queen", "J": "knave"}
PAIRS = (("matrimony", "QK"), ("intrigue", "QJ"))
Honour = tuple[Card, str, list[tuple[str, Card]]]  # its compartment; the pairs that it is of, with the other card
OF_TRUMPS: dict[str | None, list[Honour]] = {
    suit: [
        (CARD[rank + suit], name, [(pair, CARD[two.strip(rank) + suit]) for pair, two in PAIRS if rank in two])
        for rank, name in HONOURS.items()
    ]
    for suit in SUITS
}
FORERUNNER = {"A": "K", "K": "Q", "Q": "J", "J": "T"}


def card_to_lead(
    hand: Sequence[Card],
    gone: Collection[Card | None],
    worth: Mapping[Card, int],
    then: Sequence[Card] = (),
    keep: int = 0,
) -> Card:
    """Hoyle's Games Modernized, pp. 140-141: certain stops, as they keep the lead, those that win most first; then
    what the game adds; the lowest card of the longest sequence, or else of an alternate sequence (7 9 J); the lower of
    two close cards; an ace; the lowest card of the longest suit.  Among equals what brings in three counters or more
    goes first.

    `gone`: the cards that nobody can play; `keep`: a stop is kept when an own card lies so few steps below it."""
    stops = [card for card in hand if (after := NEXT[card]) is None or after in gone]
    to_a_stop = [run for run in own_runs(hand, gone, keep) if run[-1] in stops] if keep and stops else []
    kept = [run[-1] for run in to_a_stop]
    if free := [card for card in stops if card not in kept]:
        return max(free, key=worth.__getitem__)
    for card in then:
        if card in hand:
            return card
    if runs := to_a_stop or own_runs(hand, gone, 1) or own_runs(hand, gone, 2):
        return max(runs, key=lambda run: (len(run), worth_counting(sum([worth[card] for card in run]))))[0]
    if close := own_runs(hand, gone, 4):
        return max(close, key=lambda run: worth_counting(worth[run[0]]))[0]
    cards = [card for card in hand if card[0] == "A"] or hand
    length = lengths(hand)
    return max(cards, key=lambda card: (length[card.suit], -ace_low(card), worth_counting(worth[card])))


def is_stop(card: Card, gone: Collection[Card]) -> bool:
    """Whether nobody can follow: a king, or a card whose next nobody can play."""
    after = NEXT[card]
    return after is None or after in gone


def own_runs(hand: Sequence[Card], gone: Collection[Card | None], steps: int) -> list[list[Card]]:
    """From each card the own cards above it, each within so many steps of the one before and no stop between.

    Only those of two cards at least."""
    runs, held = [], {*hand}
    for card in hand:
        run, at, left = [card], NEXT[card], steps
        while left and at and at not in gone:
            if at in held:
                run.append(at)
                left = steps
            else:
                left -= 1
            at = NEXT[at]
        if len(run) > 1:
            runs.append(run)
    return runs


def lengths(hand: Sequence[Card]) -> dict[str, int]:
    return {suit: sum(card.suit == suit for card in hand) for suit in SUITS}


def worth_counting(counters: int) -> int:
    """Fewer than three counters make no difference."""
    return counters if counters >= 3 else 0


class PopeJoan:
    """Leads by "Hoyle's Games Modernized", pp. 140-141, in this order: certain stops, Pope, sequences and close cards, an
    ace, the lowest card of the longest suit.  Pope is always played in lieu.  Counters go on what is empty, the rest on
    Pope.

    Sequences that end in a king, and close cards whose higher one is a certain stop, have no place of their own: such
    stops have been led before.  `keep`: a stop is kept if an own card is at most this many steps below it, and is led up to
    from there.  0 is that order to the letter, and loses 0.72 a deal to 4."""

    name = "book"
    games = ["pope-joan"]

    def __init__(self, keep: int = 4) -> None:
        self.keep = keep

    def lead(self, view: pope_joan.PopeJoan.View) -> str:
        hand, gone = view.hand, {EIGHT, view.turn_up, *view.played, *view.missing, *view.looked_at}
        return card_to_lead(hand, gone, self.worth(view, hand), [POPE], self.keep).play

    def pope(self, view: pope_joan.PopeJoan.View) -> str:
        return POPE.play

    def dress(self, view: pope_joan.PopeJoan.View) -> str:
        return "place pope"

    def place(self, view: pope_joan.PopeJoan.View) -> str:
        counters = len(view.legal[0].words)
        empty = [name for name, on_it in view.pools.items() if not on_it][:counters]
        return " ".join(["place", *empty, *["pope"] * (counters - len(empty))])

    @staticmethod
    def worth(view: pope_joan.PopeJoan.View, hand: Sequence[Card]) -> dict[Card, int]:
        """The counters that each card wins when it is played."""
        worth = dict.fromkeys(hand, 0)
        if POPE in worth:
            worth[POPE] = view.pools["pope"]
        for card, name, pairs in OF_TRUMPS[view.trumps]:
            if card in worth:
                won = [pair for pair, other in pairs if view.played.get(other) == view.seat]
                worth[card] = view.pools.get(name, 0) + sum([view.pools[pair] for pair in won])
        return worth


class Spin:
    """Leads as at Pope Joan (Baxter-Wray, "Round Games with Cards", 1891, p. 88, sends there); the rest is ours.

    Whatever can be declared is declared. Spin is played with the first card that is no certain stop, once two runs
    have been led or somebody is down to five cards, and with any card when he or another is down to three; after half
    the cards it is led, if the deuce follows from the same hand and there is no certain stop to lead. `keep` as at
    Pope Joan: 0 is the letter, and makes a quarter of what 4 makes against random."""

    name = "book"
    games = ["spin"]

    def __init__(self, keep: int = 4) -> None:
        self.keep = keep

    def lead(self, view: spin.Spin.View) -> str:
        if declarations := [action for action in view.legal if action.verb == "declare"]:
            return declarations[0]
        hand, gone = view.hand, NOT_IN_SPIN | set(view.played)
        if not any(is_stop(card, gone) for card in hand) and SPIN in hand and DEUCE in hand and len(view.played) >= 25:
            return SPIN.play
        others = [card for card in hand if card is not SPIN] or hand
        return card_to_lead(others, gone, dict.fromkeys(hand, 0), keep=self.keep).play

    def follow(self, view: spin.Spin.View) -> str:
        alone, *with_spin = view.legal
        if not with_spin:
            return alone
        card, fewest = alone.card, min(view.cards_left)
        stop = is_stop(card, NOT_IN_SPIN | set(view.played))
        runs = sum(entry.phase == "lead" and entry.action.verb == "play" for entry in view.history)
        late = fewest <= 5 or runs >= 2
        return with_spin[0] if len(view.hand) == 2 or fewest <= 3 or late and not stop else alone


class Newmarket:
    """Leads as at Pope Joan (Baxter-Wray, "Round Games with Cards", 1891, p. 89).

    Counters go on what is bare, or where the fewest lie. Forerunners and other certain stops are not led at once,
    which loses to random: below a stop there are cards to be rid of on the way. `keep`: so many steps below a stop an
    own card is led instead; 0 leads stops at once, and `first=True` forerunners before all."""

    name = "book"
    games = ["newmarket"]

    def __init__(self, keep: int = 4, first: bool = False) -> None:
        self.keep, self.first = keep, first

    def place(self, view: newmarket.Newmarket.View) -> str:
        pools = view.pools
        return min(view.legal, key=lambda action: pools[action.card])

    def lead(self, view: newmarket.Newmarket.View) -> str:
        hand, pools = view.hand, view.pools
        worth = dict.fromkeys(hand, 0) | {CARD[FORERUNNER[card[0]] + card[1]]: n for card, n in pools.items()}
        richest = sorted((card for card in hand if worth[card]), key=worth.__getitem__, reverse=True)
        if self.first and richest:
            return richest[0].play
        return card_to_lead(hand, {*SEVENS, *pools, *view.played}, worth, keep=self.keep).play


class Jig:
    """Leads by Baxter-Wray, "Round Games with Cards", 1891, p. 96, and by ours where he is silent.

    It leads a card from which the run comes back, its last card being in the own hand; of them the one with most own
    cards in the run. If none comes back, from the longest suit the card whose run takes the fewest cards from the hand
    that is shortest."""

    name = "book"
    games = ["jig"]

    def lead(self, view: jig.Jig.View) -> str:
        hand = view.hand
        runs = [self.run(card, view.played) for card in sorted(hand, key=ace_low)]
        own = {run[0]: sum(card in hand for card in run) for run in runs}
        if back := [run for run in runs if run[-1] in hand]:
            return max(back, key=lambda run: (own[run[0]], -len(run)))[0].play
        length = lengths(hand)
        longest = [run for run in runs if length[run[0].suit] == max(length.values())]
        return min(longest, key=lambda run: len(run) - own[run[0]])[0].play

    @staticmethod
    def run(card: Card, played: Collection[Card]) -> list[Card]:
        """The cards that come down after this one, itself first: five, or up to a king or a card whose next is played."""
        run = [card]
        while len(run) < 5 and (after := NEXT[run[-1]]) and after not in played:
            run.append(after)
        return run
