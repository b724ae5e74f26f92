"""Flat poker: one bet against the whole field (Foster, "The Poker Family")."""

from __future__ import annotations

from ..actions import PASS, Amounts, say
from ..cards import PACK
from ..mechanics.betting import CALL, FOLD, divide
from ..mechanics.drawing import Drawing
from ..mechanics.hands import ranking_of, ranking_options
from ..options import OneOf, Option, Rules, between
from ..table import Ask, Story

BACK = say("back")
NOT_HERE = ("level", "better", "raises")  # what is staked after the blind is one bet, and nobody raises it


class FlatPoker(Drawing):
    """Players come in unseen, draw, and one of them may back his hand against all the others."""

    id = "flat-poker"
    title = "Flat Poker"
    family = "poker"
    seats = (2, 7)
    usual = (4, 6)
    source = 'Foster, "The Poker Family"'
    course = """The eldest hand, the age, puts up any blind within the limit; those who will come in put up as much, before
anybody has seen a card. Five cards each to those in the pool; each puts out what cards he likes and is dealt as many.
Then each in turn may back his hand against the field: he bets as much as all the others have staked that it beats every
other. The field calls, together or any of them, sharing the bet; or he takes the pool unseen. If a hand of the field is
better than his, the whole field divides everything equally; otherwise he takes it. If nobody backs, the best hand takes
the pool."""

    options = (
        Option(
            "mode",
            "field",
            OneOf("field", "show"),
            "field: one hand may be backed against the others; show: the hands are shown after the draw",
            'Foster: "two ways to play"',
        ),
        Option("limit", 50, between(1, 100000), "the greatest blind", "Foster: two blues"),
        *ranking_options(pack=None),
    )

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        rules.cards = PACK
        rules.ranking = ranking_of(rules)

    pool_names = ("pool",)
    phases = {
        "blind": "before the cards, to eldest: `blind 5`",
        "come": "before the cards, to each other: `fold`, or `call` to stake as much",
        "draw": "`discard 2c 5d`; `discard` to stand pat",
        "back": "mode field: `pass`, or `back` to bet against the field as much as it has staked",
        "call": "after a `back`, to the field: `pass`, or `call` to share in the bet against it",
    }
    public = {
        **{name: help for name, help in Drawing.public.items() if name not in NOT_HERE},
        "still_in": "those of them that are in the pool",
        "blind": "what each seat in the pool has staked before the cards; 0 before it is named",
        "backer": "the seat that has backed its hand against the field; None before",
        "bet": "what it has bet, and the field must put up together to call; 0 before",
        "callers": "the seats that have called it, in this order",
    }

    def deal(self) -> Story:
        self.begin_the_deal()
        yield from self.coming_in()
        if self.still_in == [self.eldest]:
            self.receive(self.eldest, self.blind)
            return
        self.deal_five(self.still_in)
        for seat in self.still_in:
            yield from self.draw(seat)
        if self.rules.mode == "field":
            yield from self.backing()
        self.settle()

    def begin_the_deal(self) -> None:
        self.take_places()
        self.blind = self.bet = 0
        self.backer: int | None = None
        self.callers: list[int] = []

    def coming_in(self) -> Story:
        """Eldest names the blind and stakes it; each other from his left to the dealer stakes as much, or is out."""
        self.blind = (yield Ask(self.eldest, "blind", Amounts((), "blind", 1, self.rules.limit))).amount
        self.put_up(self.eldest, self.blind)
        for seat in self.dealt_in[1:]:
            if (yield Ask(seat, "come", (FOLD, CALL))) is CALL:
                self.put_up(seat, self.blind)
            else:
                self.fold(seat)

    def backing(self) -> Story:
        """From eldest round: the first who backs bets as much as the rest of the pool has staked, and nobody raises."""
        for seat in self.still_in:
            if (yield Ask(seat, "back", (PASS, BACK))) is BACK:
                self.backer, self.bet = seat, self.blind * (len(self.still_in) - 1)
                self.put_up(seat, self.bet)
                yield from self.calling(self.others_able(seat))
                return

    def calling(self, field: list[int]) -> Story:
        """From the backer's left; when all have spoken those who call share the bet, the odd counters from eldest on."""
        for seat in field:
            if (yield Ask(seat, "call", (PASS, CALL))) is CALL:
                self.callers.append(seat)
        if self.callers:
            for seat, share in divide(self.bet, [seat for seat in self.still_in if seat in self.callers]):
                self.put_up(seat, share)

    def settle(self) -> None:
        """The winners divide all that is staked, the odd counters from eldest on."""
        for seat, share in divide(sum(self.stake), self.winners()):
            self.receive(seat, share)

    def winners(self) -> list[int]:
        """A backer whom nobody calls, unseen.  Or the hands are shown: the backer, unless one of the field is better,
        or else the whole field; without a backer the best hands."""
        if self.backer is not None and not self.callers:
            return [self.backer]
        for seat in self.still_in:
            self.shown[seat] = self.hands[seat]
        keys = {seat: self.rules.ranking.key(self.hands[seat]) for seat in self.still_in}
        best = [seat for seat in keys if keys[seat] == max(keys.values())]
        if self.backer is None:
            return best
        return [self.backer] if self.backer in best else [seat for seat in keys if seat != self.backer]
