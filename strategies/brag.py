"""Brag by thresholds of our own, with Foster's bluff of 1719."""

from collections.abc import Sequence

from roundsim.games.brag import Brag
from roundsim.strategy import RANKS, Card, owed

HIGH, PAIR, TRIPLET = 1, 2, 3
SIX, TEN, QUEEN, ACE = (RANKS[letter] for letter in "6TQA")


class Book:
    """Thresholds of our own; Foster ("The Poker Family") has only a sentence of 1719: who raises
    boldly on a pair of fives, treys or deuces may out-brag a better hand.

    Ante one. Raise half the limit on queens or better, the limit on a triplet; with another pair call what costs no
    more than twice the limit, with an ace a mere ante; once in eight deals raise the limit on a pair below sixes if
    nobody has raised. American: raise on a bragger pair of aces or a triplet, and see a raise on no less than a bragger
    pair of tens. Three stakes: bet where one would raise; draw to 20 pips, or when beaten by one who stands.

    `bluff`: it bluffs once in this number of deals; 0 is never. `ante`: the dealer's."""

    name = "book"
    games = ["brag"]

    def __init__(self, bluff: int = 8, ante: int = 1) -> None:
        self.bluff, self.dealers_ante = bluff, ante

    def ante(self, view: Brag.View) -> str:
        return view.legal[min(max(self.dealers_ante, 1), len(view.legal)) - 1]

    def brag(self, view: Brag.View) -> str:
        """Bets half the limit, on what a raise would be made."""
        return f"bet {max(1, view.options.limit // 2)}" if self.raises_by(view) else "fold"

    def bet(self, view: Brag.View) -> str:
        more = self.raises_by(view)
        if more and view.legal[-1].verb == "raise":
            return f"raise {more}"
        return "call" if more or self.calls(view) else "fold"

    def raises_by(self, view: Brag.View) -> int:
        """Return the raise for this hand; 0 is no raise."""
        limit: int = view.options.limit
        size, rank, braggers = reading_of(view)
        if size == TRIPLET:
            return limit
        if size == HIGH:
            return 0
        if view.options.variant == "american":
            return max(1, limit // 2) if rank == ACE and braggers else 0
        if rank >= QUEEN:
            return max(1, limit // 2)
        bluffs = rank < SIX and not view.raises and self.bluff and not view.chance.below(self.bluff)
        return limit if bluffs else 0

    def calls(self, view: Brag.View) -> bool:
        """A mere ante with an ace; a pair, if it is not dear; american a raise with a bragger pair of tens or better."""
        size, rank, braggers = reading_of(view)
        if size == HIGH:
            return rank == ACE and not view.raises and view.options.variant != "three"
        if view.options.variant == "american" and view.raises and (rank, braggers) < (TEN, 1):
            return False
        return bool(owed(view) <= 2 * view.options.limit)

    def third(self, view: Brag.View) -> str:
        """Equal pips are taken by the first from eldest, so who stands on as many beats who comes after him."""
        mine = view.totals[view.seat]
        before = [view.totals[seat] for seat in view.dealt_in[: view.dealt_in.index(view.seat)]]
        beaten = any(mine <= total <= 31 for total in before)
        return "draw" if mine <= 20 or beaten else "stand"


def reading_of(view: Brag.View) -> tuple[int, float, int]:
    """Return the best that a hand makes: the number of cards of a rank, the rank, and how many of them are braggers."""
    american = view.options.variant == "american"
    braggers = [card for card in view.hand if (card[0] in "J9" if american else card in ("Ad", "Jc", "9d"))]
    ranks = {card.rank for card in view.hand if not (american and card in braggers)} or {ACE}
    return max(made(view.hand, rank, [card for card in braggers if american or card.rank != rank]) for rank in ranks)


def made(hand: Sequence[Card], rank: float, helping: Sequence[Card]) -> tuple[int, float, int]:
    natural = [card for card in hand if card.rank == rank and card not in helping]
    return len(natural) + len(helping), rank, len(helping)
