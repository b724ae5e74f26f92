"""Toy games, for solvers and for learners under test: `roundsim.bridges.toys:Kuhn`. They are in no list of games."""

from __future__ import annotations

from roundsim.game import Ask, Deal, Rules, Story, cards, say

PASS, BET = say("pass"), say("bet")
OVER = [PASS, PASS], [BET, PASS], [BET, BET]  # the last two answers


class Kuhn(Deal):
    """Kuhn poker: each of two antes a counter and gets one of three cards; one bet of a counter may be made."""

    id = "kuhn"
    title = "Kuhn Poker"
    family = "bettors"
    seats = usual = (2, 2)
    source = 'Kuhn, "A Simplified Two-Person Poker", 1950'
    played_with = tuple(cards("Js Qs Ks"))
    phases = {"bet": "`pass`, or `bet` a counter; to a bet, `bet` to call it"}

    def deal(self) -> Story:
        self.pack = self.chance.pack(self.played_with)
        self.hands = self.deal_singly(1, (0, 1))
        while self.actions[-2:] not in OVER:
            yield Ask(len(self.actions) % 2, "bet", (PASS, BET))
        higher = max((0, 1), key=lambda seat: self.hands[seat][0].rank)
        called = self.actions[-1] is self.actions[-2]
        winner = higher if called else len(self.actions) % 2
        self.pay(1 - winner, winner, 2 if self.actions[-2:] == [BET, BET] else 1)

    @classmethod
    def bound(cls, rules: Rules) -> int:
        return 2
