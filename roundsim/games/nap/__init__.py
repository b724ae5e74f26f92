"""Nap, or Napoleon: one against the rest (Baxter-Wray, "Round Games with Cards", 1891, pp. 3-15).

game.py plays it; here are its options, and the calls of a table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Literal

from roundsim.game import PASS, ROUNDS, Action, Ask, Rules, Whole, option

from .game import BLUCHER, CALL, MISERY, NAP, WELLINGTON, WITH_SPARE, Nap

__all__ = ["Nap", "NapRules"]


class NapRules(Rules, of=Nap):
    """The options of Nap, and the calls of a table."""

    stake: int = option(1, "value of one trick, in counters", "p. 8")
    pack: Literal["52", "32"] = option(
        "52", "with 32 the cards run from seven to ace, for at most four players", "p. 14"
    )
    cards: Literal[5, 6, 7, 9] = option(5, "cards dealt to each: six-, seven- or nine-card nap", "p. 15")
    dealer_out: Literal["auto", "yes", "no"] = option(
        "auto", "whether the dealer sits out the deal; auto: when six play", "p. 3"
    )
    misery: bool = option(
        False, "whether players may call misery, to win no trick; it ranks between two and three", "p. 12"
    )
    misery_trumps: bool = option(True, "whether a misery has trumps", "p. 12", misery=True)
    misery_stake: int = option(3, "what a misery wins or loses, in tricks", "p. 12", misery=True)
    kitty: Literal["off", "dealer", "round"] = option(
        "off", "a pool that each dealer pays into, or all players once a round", "p. 11"
    )
    kitty_stake: int = option(1, "one payment into the kitty", "p. 11", kitty=("dealer", "round"))
    kitty_end: Literal["divide", "draw"] = option(
        "divide", "whether all share the kitty at the end of the sitting, or the lowest card drawn takes it", "p. 12"
    )
    buying: bool = option(False, "whether players may buy cards from the stock; the price goes to the kitty", "p. 12")
    spare_hand: bool = option(False, "whether there is a spare hand, for a nap called with twice the cards", "p. 13")
    double_header: bool = option(False, "whether the next deal is worth double when all pass", "p. 13")
    double_header_cap: int = option(
        2,
        "the highest multiplier of a double header",
        "ours",
        values=Whole(2, but=lambda n: n & (n - 1) == 0, words="2, 4, 8 or a higher power of two"),
        double_header=True,
    )
    min_call: int = option(
        lambda rules: 3 if rules.double_header else 1,
        "the lowest number that may be called",
        "p. 13",
        usual="3 with double_header, else 1",
    )
    wellington: Literal["off", "full", "modified"] = option(
        "off",
        "the call above nap; full: it wins and loses twice as much; modified: it only loses twice as much",
        "p. 13",
    )
    blucher: bool = option(
        False,
        "the call above Wellington, for three times what nap wins and loses; modified: for what it loses only",
        "p. 14",
    )
    nap_alter: bool = option(False, "whether the player who called nap may take over a higher call", "p. 14")

    def refusals(self) -> Iterator[str]:
        active = self.players - self.dealer_stands_out
        if self.players == 6 and self.dealer_out == "no":
            yield 'dealer_out = "no" with 6 players: the dealer stands out when six play'
        if active < 2:
            yield f'dealer_out = "yes" with {self.players} players leaves fewer than two to play'
        if self.buying and self.kitty == "off":
            yield 'buying = true with kitty = "off": the price has nowhere to go'
        if self.spare_hand and self.cards in (6, 7):
            yield f"spare_hand = true with cards = {self.cards}: there only five cards are kept before the calls"
        if self.blucher and self.wellington == "off":
            yield 'blucher = true with wellington = "off": it is called over Wellington'
        if self.nap_alter and self.wellington == "off":
            yield 'nap_alter = true with wellington = "off": there is no higher call to take'
        if self.min_call > 1 and not self.double_header:
            yield f"min_call = {self.min_call} with double_header = false: if all pass, one trick is stood for"
        if self.min_call >= self.tricks:
            yield f"min_call = {self.min_call} with cards = {self.cards}: the highest number called is {self.tricks - 1}"
        if self.pack == "32" and self.players > 4:
            yield f'pack = "32" with {self.players} players: at most four'
        if self.cards * (active + self.spare_hand) > len(self.all_cards):
            spare = " and spare_hand" if self.spare_hand else ""
            yield f'cards = {self.cards} for {active} hands{spare} with pack = "{self.pack}": there are not so many'

    @cached_property
    def dealer_stands_out(self) -> bool:
        """With six players the dealer stands out of the play, and sometimes with fewer (p. 3)."""
        return self.dealer_out == "yes" or self.dealer_out == "auto" and self.players == 6

    @cached_property
    def turns(self) -> list[list[tuple[int, ...]]]:
        """By the dealer, who may stand out, and by the first seat: the seats that play, once round from it (p. 3)."""
        out = range(self.players) if self.dealer_stands_out else [-1] * self.players
        rounds = ROUNDS[self.players]
        return [[tuple([seat for seat in seats if seat != dealer]) for seats in rounds] for dealer in out]

    @cached_property
    def tricks(self) -> int:
        """Five, six- and seven-card nap too; nine in nine-card nap (p. 15)."""
        return 9 if self.cards == 9 else 5

    @cached_property
    def worth(self) -> dict[Action, tuple[int, int, int]]:
        """The tricks that each call undertakes, wins and loses: a nap wins double (pp. 4, 8, 12-14)."""
        tricks, full = self.tricks, self.wellington == "full"
        return {CALL[n]: (n, n, n) for n in range(1, tricks)} | {
            MISERY: (0, self.misery_stake, self.misery_stake),
            NAP: (tricks, 2 * tricks, tricks),
            WITH_SPARE: (tricks, 2 * tricks, tricks),
            WELLINGTON: (tricks, (4 if full else 2) * tricks, 2 * tricks),
            BLUCHER: (tricks, (6 if full else 2) * tricks, 3 * tricks),
        }

    @cached_property
    def higher(self) -> dict[Action, tuple[Action, ...]]:
        """The calls that may be made over each call: a misery stands between two and three (pp. 10, 12-14)."""
        low = [CALL[1], CALL[2], *[MISERY] * self.misery, *[CALL[n] for n in range(3, self.tricks)]]
        naps = [NAP, *[WITH_SPARE] * self.spare_hand]
        offered = [call for call in low if call is MISERY or call.amount >= self.min_call]
        above = {PASS: low, **{call: low[at:] for at, call in enumerate(low, 1)}}
        higher = {call: (PASS, *[other for other in offered if other in over], *naps) for call, over in above.items()}
        higher |= dict.fromkeys(naps, (PASS, *[WELLINGTON] * (self.wellington != "off")))
        return higher | {WELLINGTON: (PASS, *[BLUCHER] * self.blucher), BLUCHER: (PASS,)}

    @cached_property
    def offered(self) -> set[Action]:
        return {call for calls in self.higher.values() for call in calls} - {PASS}

    @cached_property
    def questions(self) -> dict[Action, list[Ask]]:
        """The questions for each seat over each call, the same in every deal (pp. 9-10)."""
        return {call: [Ask(seat, "call", legal) for seat in range(self.players)] for call, legal in self.higher.items()}
