"""Draw poker: the American game (Foster, "The Poker Family") and the English one (Baxter-Wray, "Round Games with
Cards", 1891, pp. 31-58). game.py has the rules that both share; american.py, english.py and law_60.py have their
own."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Literal

from roundsim.game import PackRules, StackRules, option, otherwise

from .american import American
from .english import English
from .game import DrawPoker
from .law_60 import Law60

__all__ = ["DrawPoker", "DrawPokerRules"]


class DrawPokerRules(StackRules, PackRules, of=DrawPoker):
    """The options of Draw Poker, and which rule set they belong to."""

    rules: Literal["american", "english"] = option(
        "american", "the rules of Foster, or of Baxter-Wray", "Foster; Baxter-Wray"
    )
    blind: int = option(
        1,
        "what the eldest hand stakes before the cards, at most half the limit",
        "Baxter-Wray p. 41, law 19; Foster",
        high=1000,
        role="doubles",
    )
    limit: int = option(
        lambda rules: 12 if rules.english else 50,
        "the greatest bet or raise",
        "Baxter-Wray p. 44; Foster: 50 blinds",
        low=2,
        high=100000,
        usual="50 (english: 12)",
        role="doubles",
    )
    straddle: bool = option(True, "whether players may straddle the blind", "Baxter-Wray p. 32; Foster")
    straddle_cap: Literal["quarter", "half"] = option(
        "quarter",
        "how large a share of the limit a straddle may be",
        "Foster law 17; half: his example",
        rules="american",
    )
    jacks: bool = option(
        True, "whether a deal in which nobody comes in leads to a jack pot", "Baxter-Wray p. 40; Foster law 21"
    )
    blind_up_to: Literal[1, "half"] = option(
        1,
        "how much the eldest hand may stake as its blind; 1: as agreed; half: from that up to half the limit",
        "Foster, section Draw Poker",
        rules="american",
    )
    only_two_in: Literal[True, "older", False] = option(
        lambda rules: rules.jacks and not rules.english,
        "whether the eldest hand against one other may ask for a jack pot instead; older: when only the dealer has come"
        " in against the blind, the cards are dealt again for a jack pot",
        "Foster law 21; older: Foster, section Jack Pots",
        usual="true with jacks",
        rules="american",
    )
    jack_ante: int = option(
        2,
        "what each seat pays in a new jack pot",
        "Foster, section Jack Pots",
        high=1000,
        role="doubles",
        rules="american",
    )
    fatten: int = option(
        1,
        "what each seat pays when a jack pot is dealt again",
        "Foster law 40",
        low=0,
        high=1000,
        role="doubles",
        rules="american",
    )
    deal_off: bool = option(
        lambda rules: rules.jacks and not rules.english,
        "whether the same dealer deals until a jack pot is opened",
        "Foster laws 12, 40",
        usual="true with jacks",
        rules="american",
    )
    progressive: bool = option(
        False,
        "whether the pair that opens goes J Q K A K Q while a jack pot is not opened",
        "Foster, section Jack Pots",
        rules="american",
    )
    bobtail: bool = option(
        False, "whether four cards of a flush or a straight open as well", "Foster, section Jack Pots", rules="american"
    )
    buck: bool = option(
        False,
        "whether the winner of the pool takes the buck, and deals a jack pot with it",
        "Foster, section Jack Pots",
        rules="american",
    )
    buck_ante: Literal["fixed", "holder"] = option(
        "fixed",
        "whether the holder of the buck names the ante of the jack pot, up to the limit",
        "Foster, section The Buck",
        rules="american",
        buck=True,
    )
    pass_jack: bool = option(
        False,
        "whether players may pass a new jack pot, to pay nothing and be out until it is won",
        "Foster law 37",
        rules="american",
    )
    high_hand: Literal["none", "flush", "full", "fours", "round"] = option(
        "none",
        "which hand, when shown, leads to a jack pot (round: fours, to one for every seat)",
        "Foster, section Jack Pots",
        rules="american",
    )
    false_openers: Literal["illegal", "penalty"] = option(
        "illegal",
        "whether opening a jack pot without a hand that may open is illegal, or punished",
        "Baxter-Wray law 33; Foster laws 39, 44",
    )
    false_opening: Literal["stay", "withdraw", "make_good"] = option(
        "stay",
        "when a false opener folds before the draw: the others stay and play on; or those without openers may withdraw"
        " their stakes, and another may open; or he makes good what all have paid, and the cards are dealt afresh",
        "Foster, section Jack Pots, law 39",
        rules="american",
        false_openers="penalty",
    )
    after_draw: Literal["jack", "whole"] = option(
        "jack",
        "what a false opener found out after the draw pays: all antes of another jack pot, or the whole pool of one",
        "Foster law 44; whole: Foster, section Jack Pots",
        rules="american",
        false_openers="penalty",
    )
    barred: int = option(
        0,
        "from how many jack pots a false opener found out after the draw is barred, and yet pays the antes of each",
        "Foster, section Jack Pots",
        low=0,
        high=100,
        rules="american",
        false_openers="penalty",
    )
    kitty: bool = option(
        False,
        "whether a kitty takes counters from jack pots, and from pools where threes are shown",
        "Foster, section Draw Poker; Baxter-Wray p. 42",
    )
    stakes: Literal["open", "table", "law60"] = option(
        "open",
        "open: everybody can pay; table: stacks, and no limit; law60 (english): stacks, and a player who cannot meet"
        " a raise may have a show for all they have",
        "Foster, section Table Stakes; Baxter-Wray law 60",
    )
    ace: Literal["high-low", "low"] = otherwise(
        lambda rules: "low" if rules.english else "high-low", usual="high-low (english: low)"
    )
    suits: Literal["none", "hearts", "hearts-top"] = otherwise(
        lambda rules: "hearts" if rules.english else "none", usual="none (english: hearts)"
    )
    two_pair_odd: bool = otherwise(lambda rules: not rules.english, usual="true (english: false)")
    joker_as: Literal["any", "missing"] = otherwise(
        lambda rules: "missing" if rules.english else "any", usual="any (english: missing)"
    )
    joker_tie: Literal["hand", "card", "natural", "none"] = otherwise(
        lambda rules: "card" if rules.english else "hand", usual="hand (english: card)"
    )

    def refusals(self) -> Iterator[str]:
        if self.stakes == "law60" and not self.english:
            yield 'stakes = "law60" with rules = "american": it belongs to english'
        if self.kitty and self.stakes == "law60":
            yield 'kitty = true with stakes = "law60": a show claims its share of every stake whole'
        if 2 * self.blind > self.limit:
            yield f"blind = {self.blind} with limit = {self.limit}: it may be half the limit at most"
        if not self.jacks:
            for key in ("only_two_in", "buck", "pass_jack", "progressive", "bobtail", "deal_off"):
                if value := getattr(self, key):
                    yield f"{key} = {str(value).lower()} with jacks = false: it belongs to jack pots"
            if self.high_hand != "none":
                yield f'high_hand = "{self.high_hand}" with jacks = false: it leads to jack pots'
            if self.false_openers == "penalty":
                yield 'false_openers = "penalty" with jacks = false: it is for opening a jack pot'
        if self.false_openers == "penalty" and self.stakes != "open":
            yield f'false_openers = "penalty" with stakes = "{self.stakes}": a stack may not hold the penalty'
        if self.players > 7 and self.pack != "60":
            yield f'{self.players} players with pack = "52": eight need a pack of 60'
        yield from super().refusals()

    @property
    def played_by(self) -> type[DrawPoker]:
        return Law60 if self.stakes == "law60" else English if self.english else American

    @cached_property
    def english(self) -> bool:
        return self.rules == "english"

    @cached_property
    def straddle_limit(self) -> int:
        """A quarter of the limit (Foster law 17), or half of it (Baxter-Wray law 22)."""
        return self.limit // (2 if self.english or self.straddle_cap == "half" else 4)

    @cached_property
    def opening_pairs(self) -> str:
        """The pairs that open, by rounds of a jack pot (Foster, section Jack Pots; Baxter-Wray p. 40, laws 30-32)."""
        return "JQK" if self.english else "JQKAKQ" if self.progressive else "J"

    @cached_property
    def makes_good(self) -> bool:
        """A false opener may have to pay what all have paid into the pool (Foster, section Jack Pots)."""
        return self.false_opening == "make_good" or self.after_draw == "whole"

    @property
    def minimum_stake(self) -> int:
        """A player who cannot pay the blind is ruined (ours)."""
        return self.blind
