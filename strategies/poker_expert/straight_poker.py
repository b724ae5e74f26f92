"""Straight poker: one round of betting, on the five cards that are dealt."""

from roundsim.games import straight_poker

from .betting import Bettor
from .hands import ACES, ACES_UP, KINGS, NEVER, QUEENS, SLIP, TENS, THREES, TWO_PAIRS, Row, always, mostly
from .opponents import Reaction


class StraightPoker(Bettor[straight_poker.StraightPoker.View]):
    """Straight poker: it computes the worth of some sizes of bet, by the players and hands that will call them."""

    name = "expert"
    games = ["straight-poker"]

    def start(self, view: straight_poker.StraightPoker.View) -> None:
        """The table before anybody has spoken."""
        self.stake, self.level = [0] * view.players, 0

    def bet(self, view: straight_poker.StraightPoker.View) -> str:
        self.look(view)
        return self.speak(view, self.bet_worth)

    def worth_of(self, plain: str) -> float:
        return 0.0

    def unbidden(self, kind: str, seat: int, verb: str, amount: int) -> Row:
        """How likely a kind passes or bets so, by step."""
        if kind == "chance":
            return always(1 / (self.limit + 1) if verb == "pass" else 1.0)
        at = self.dealt_in.index(seat)
        pairs = ACES if at < 2 and kind == "book" else TENS
        if kind != "book":
            # such a player may wait with a good hand, or bluff
            bets = [max(0.1, min(0.5, chance)) for chance in mostly((pairs, 31))]
            return [1 - chance for chance in bets] if verb == "pass" else bets
        if verb == "pass":
            return mostly((0, pairs))
        if amount == self.limit:
            return mostly((THREES, 31))
        if amount == self.limit // 2:
            return mostly((TWO_PAIRS, THREES))
        if amount == max(1, self.limit // 10):
            return mostly((pairs, TWO_PAIRS))
        return always(1.0 if at >= len(self.dealt_in) - 3 and amount == self.in_all() else SLIP)

    def reaction(self, kind: str, seat: int, raises: int, better: int | None, price: float, again: bool) -> Reaction:
        """Return what a kind does after a bet or raise: which hands stay, which raise, and by how much."""
        if kind == "chance":
            legal = self.limit + 2
            return always(1 - 1 / legal), always((legal - 2) / legal), self.limit / 2
        if kind != "book":
            low = QUEENS if price <= 0.3 or kind == "caller" else ACES if price <= 0.45 else TWO_PAIRS
            return mostly((low, 31)), mostly((THREES, 31)), self.limit / 2
        low = KINGS if price <= 0.5 else TWO_PAIRS
        high = ACES_UP if len(self.dealt_in) <= 5 else THREES
        return mostly((low, 31)), NEVER if again else mostly((high, 31)), self.limit
