"""Stud poker: one card down, the others face up (Foster, "The Poker Family"; "Hoyle's Games Modernized", pp. 134-135)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ..actions import Amounts, say
from ..cards import PACK
from ..mechanics.betting import FOLD
from ..mechanics.hands import ranking_of, ranking_options
from ..options import FLAG, OneOf, Option, Rules
from ..table import Ask, Story
from .straight_poker import POOL_OPTIONS, StraightPoker

CHECK = say("check")

Showing = tuple[list[int], list[float]]


class StudPoker(StraightPoker):
    """Two cards and three more, with a round of betting on each; or straight poker on open cards."""

    id = "stud-poker"
    title = "Stud Poker"
    source = 'Foster, "The Poker Family"; "Hoyle\'s Games Modernized", pp. 134-135'
    course = """The holder of the buck antes for all, and hands it to his left. Two cards each, the first face down. The best
hand showing bets or gives up, and so do the others in turn until one bets; his bet must be called or raised by all others.
A third, fourth and fifth card are dealt face up, with a round of betting after each; then the down cards are shown, and the
best hand takes the pool. Who is not called takes it unseen. Who takes the pool deals next. Form `five`: all five cards are
dealt at once, and the betting is that of straight poker."""

    options = (
        Option(
            "form",
            "street",
            OneOf("street", "five"),
            "street: the cards are dealt one at a time; five: all at once",
            "Foster; Hoyle's Games pp. 134-135",
        ),
        Option("may_check", False, FLAG, "street: before a bet one may check, and keep his hand", "ours"),
        Option(
            "pass_excluded",
            False,
            FLAG,
            "five: who has passed is out as soon as another raises",
            "Hoyle's Games pp. 134-135",
        ),
        *POOL_OPTIONS,
        *ranking_options(straight_flush=False, joker_as=None, joker_tie=None, pack=None),
    )

    @classmethod
    def refusals(cls, rules: Rules) -> Iterator[str]:
        if rules.may_check and rules.form == "five":
            yield 'may_check = true with form = "five": there one may pass'
        if rules.pass_excluded and rules.form == "street":
            yield 'pass_excluded = true with form = "street": there is no passing'
        yield from super().refusals(rules)

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        rules.ranking = ranking_of(rules)
        rules.plain = (FOLD, CHECK) if rules.may_check else (FOLD,)

    phases = {
        "bet": "`fold` or `bet 5`, or `check` (may_check), `pass` (five); after a bet `fold`, `call` or `raise 5`"
    }
    public = {**StraightPoker.public, "up": "the cards that lie face up, by seat; the first of a hand lies face down"}

    def deal_cards(self) -> None:
        """The first card lies face down, every other face up."""
        self.pack = self.chance.pack(PACK)
        self.hands = self.deal_singly(5 if self.rules.form == "five" else 2, self.dealt_in)
        self.up = [hand[1:] for hand in self.hands]
        self.passed = []

    def betting(self) -> Story:
        """With two cards, and with each of the next three."""
        if self.rules.form == "five":
            yield from super().betting()
            return
        yield from self.one_round()
        for _ in range(3):
            if len(self.still_in) > 1:
                self.deal_one_more()
                yield from self.one_round()

    def deal_one_more(self) -> None:
        """A card face up to each seat that is in, from the dealer's left round."""
        for seat, card in zip(self.still_in, self.pack.draw(len(self.still_in)), strict=True):
            self.hands[seat].append(card)
            self.up[seat].append(card)

    def one_round(self) -> Story:
        """From the best hand showing on each bets or gives up, until one bets; the last one left is not asked."""
        self.better, self.raises = None, 0
        able = self.able_from(self.eldest)
        if len(able) < 2:
            return
        for seat in self.able_from(max(able, key=self.showing)):
            if not self.others_able(seat):
                return
            said = yield Ask(seat, "bet", Amounts(self.rules.plain, "bet", 1, self.most(seat)))
            if said is FOLD:
                self.fold(seat)
            elif said is not CHECK:
                self.speak(seat, said)
                yield from self.speaking(self.others_able(seat), "bet")
                return

    def showing(self, seat: int) -> Showing:
        """Fours, threes, two pairs, a pair or high cards; then by rank.  Straights and suits never count."""
        count = Counter(card.rank for card in self.up[seat])
        ranks = sorted(count, key=lambda rank: (count[rank], rank), reverse=True)
        return [count[rank] for rank in ranks], ranks
