"""Flat poker: one bet against the whole field (Foster, "The Poker Family")."""

from __future__ import annotations

from typing import Literal

from ..mechanics.betting import BEST, CALL, EQUAL, FOLD, divide
from ..mechanics.drawing import Drawing
from ..mechanics.hands import RankingRules
from ..table.actions import PASS, Action, say
from ..table.deal import Ask, Story
from ..table.legal import amounts
from ..table.options import option
from ..table.view import Seat, public

BACK = say("back")


class FlatPoker(Drawing):
    """Players come in unseen, draw, and one of them may back his hand against all the others."""

    id = "flat-poker"
    title = "Flat Poker"
    family = "poker"
    seats = (2, 7)
    usual = (4, 6)
    source = 'Foster, "The Poker Family", section Flat Poker'
    course = """The eldest hand, the age, puts up any blind within the limit; those who will come in put up as much, before
anybody has seen a card. Five cards each to those in the pool; each puts out what cards he likes and is dealt as many.
Then each in turn may back his hand against the field: he bets as much as all the others have staked that it beats every
other. The field calls, together or any of them, sharing the bet; or he takes the pool unseen. If a hand of the field is
better than his, the whole field divides everything equally; otherwise he takes it. If nobody backs, the best hand takes
the pool."""
    pool_names = ("pool",)
    rules: FlatRules
    backer: int | None = None
    bet = 0

    def deal(self) -> Story:
        self.take_places()
        yield from self.coming_in()
        if self.still_in == [self.eldest]:
            self.take_back_the_blind()
            return
        self.deal_five(self.still_in)
        for seat in self.still_in:
            yield from self.draw(seat)
        if self.rules.mode == "field":
            yield from self.backing()
        self.settle()

    def take_places(self) -> None:
        super().take_places()
        self.blind = 0
        self.callers: list[int] = []

    def coming_in(self) -> Story:
        """Eldest stakes a blind; each other stakes as much, or is out (section Flat Poker)."""
        self.blind = (yield Ask(self.eldest, "blind", amounts((), "blind", 1, self.rules.limit))).amount
        self.put_up(self.eldest, self.blind, "the blind")
        for seat in self.dealt_in[1:]:
            if (yield Ask(seat, "come", (FOLD, CALL))) is CALL:
                self.put_up(seat, self.blind, "to come in")
            else:
                self.fold(seat)

    def take_back_the_blind(self) -> None:
        """Nobody else has come in, and there is no play (ours)."""
        self.receive(self.eldest, self.blind, "nobody has come in")

    def backing(self) -> Story:
        """The first who backs bets as much as the others have staked, and nobody raises him (section Flat Poker)."""
        for seat in self.still_in:
            if (yield Ask(seat, "back", (PASS, BACK))) is BACK:
                self.backer, self.bet = seat, self.blind * (len(self.still_in) - 1)
                self.put_up(seat, self.bet, "the bet against the field")
                yield from self.calling(self.others_able(seat))
                return

    def calling(self, field: list[int]) -> Story:
        """Any of the field may call, and those who do share the bet (section Flat Poker; the order ours)."""
        for seat in field:
            if (yield Ask(seat, "call", (PASS, CALL))) is CALL:
                self.callers.append(seat)
        if self.callers:
            for seat, share in divide(self.bet, [seat for seat in self.still_in if seat in self.callers]):
                self.put_up(seat, share, "a share of the call")

    def settle(self) -> None:
        """The winners divide all that is staked, the odd counters from eldest on (section Flat Poker; the odd ones ours)."""
        winners = self.winners()
        if self.backer is None:
            why = BEST if len(winners) == 1 else EQUAL
        elif self.backer in winners:
            why = "backed, and not beaten" if self.callers else "backed, and not called"
        else:
            why = "the field beats the backer"
        for seat, share in divide(sum(self.stake), winners):
            self.receive(seat, share, why)

    def winners(self) -> list[int]:
        """A backer who is not called, or not beaten; else the whole field; or the best hands (section Flat Poker)."""
        if self.backer is not None and not self.callers:
            return [self.backer]
        self.lay_down()
        keys = {seat: self.rules.ranking.key(self.hands[seat]) for seat in self.still_in}
        best = [seat for seat in keys if keys[seat] == max(keys.values())]
        if self.backer is None:
            return best
        return [self.backer] if self.backer in best else [seat for seat in keys if seat != self.backer]

    def says(self, ask: Ask, said: Action) -> str:
        if ask.phase == "blind":
            return f"puts up a blind of {said.amount}"
        if ask.phase == "come":
            return "comes in" if said == CALL else "stays out"
        if ask.phase == "call":
            return "calls for the field" if said == CALL else "leaves the call to others"
        return "backs the hand against the field" if said == BACK else super().says(ask, said)

    phases = {
        "blind": "before the cards, to eldest: `blind 5`",
        "come": "before the cards, to each other: `fold`, or `call` to stake as much",
        "draw": "`discard 2c 5d`; `discard` to stand pat",
        "back": "mode field: `pass`, or `back` to bet against the field as much as it has staked",
        "call": "after a `back`, to the field: `pass`, or `call` to share in the bet against it",
    }

    class View(Drawing.View):
        """What lies open at Flat Poker."""

        still_in: tuple[Seat, ...] = public("those of them that are in the pool")
        blind: int = public("what each seat in the pool has staked before the cards; 0 before it is named")
        backer: Seat | None = public("the seat that has backed its hand against the field; None before")
        bet: int = public("what it has bet, and the field must put up together to call; 0 before")
        callers: tuple[Seat, ...] = public("the seats that have called it, in this order")


class FlatRules(RankingRules, of=FlatPoker):
    """The options of Flat Poker."""

    mode: Literal["field", "show"] = option(
        "field",
        "field: one hand may be backed against the others; show: the hands are shown after the draw",
        'section Flat Poker: "two ways to play"',
    )
    limit: int = option(50, "the greatest blind", "section Flat Poker: two blues", high=100000)
