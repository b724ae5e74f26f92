"""Flat poker: one bet against the whole field (Foster, "The Poker Family")."""

from __future__ import annotations

from typing import Literal

from roundsim.game import (
    BEST,
    CALL,
    EQUAL,
    FOLD,
    PASS,
    RANK_OF_HANDS,
    Action,
    Ask,
    Drawing,
    RankingRules,
    Seat,
    Story,
    amounts,
    divide,
    option,
    public,
    say,
)

BACK = say("back")


class FlatPoker(Drawing):
    """Hold the best five cards after changing some of them, or bet yours against all others together."""

    id = "flat-poker"
    title = "Flat Poker"
    family = "poker"
    seats = (2, 7)
    usual = (4, 6)
    source = 'Foster, "The Poker Family", section Flat Poker'
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
        """Before any card is dealt, the eldest hand, the player on the dealer's left, names a blind of 1 to {limit}
        counters and pays it. Each other player in turn pays as much, or folds and gets no cards (section Flat
        Poker)."""
        self.blind = (yield Ask(self.eldest, "blind", amounts((), "blind", 1, self.rules.limit))).amount
        self.put_up(self.eldest, self.blind, "the blind")
        for seat in self.dealt_in[1:]:
            if (yield Ask(seat, "come", (FOLD, CALL))) is CALL:
                self.put_up(seat, self.blind, "to come in")
            else:
                self.fold(seat)

    def take_back_the_blind(self) -> None:
        """If nobody else comes in, the eldest hand takes the blind back (ours)."""
        self.receive(self.eldest, self.blind, "nobody has come in")

    def backing(self) -> Story:
        """With mode = field: Each player in turn may back their hand against the field, which is all others together:
        they add as much as the field has paid. Only the first to do so backs a hand, and nobody can raise it (section
        Flat Poker)."""
        for seat in self.still_in:
            if (yield Ask(seat, "back", (PASS, BACK))) is BACK:
                self.backer, self.bet = seat, self.blind * (len(self.still_in) - 1)
                self.put_up(seat, self.bet, "the bet against the field")
                yield from self.calling(self.others_able(seat))
                return

    def calling(self, field: list[int]) -> Story:
        """With mode = field: The players of the field call or pass in turn. Those who call pay the amount of the bet
        together, in equal shares (section Flat Poker; the order ours)."""
        for seat in field:
            if (yield Ask(seat, "call", (PASS, CALL))) is CALL:
                self.callers.append(seat)
        if self.callers:
            for seat, share in divide(self.bet, [seat for seat in self.still_in if seat in self.callers]):
                self.put_up(seat, share, "a share of the call")

    def settle(self) -> None:
        """The winners divide all that is staked, and the first from the dealer's left get the odd counters (section
        Flat Poker; the odd ones ours)."""
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
        """With mode = field: A backer whom nobody calls wins, and need not show. If anybody calls, all hands are shown.
        Then the backer wins unless one of the field is better, and if so the whole field, also those who did not call.
        If nobody backs a hand, all are shown, and the best wins (section Flat Poker).

        With mode = show: All hands are shown, and the best wins (section Flat Poker)."""
        if self.backer is not None and not self.callers:
            return [self.backer]
        self.lay_down()
        keys = {seat: self.rules.ranking.key(self.hands[seat]) for seat in self.still_in}
        best = [seat for seat in keys if keys[seat] == max(keys.values())]
        if self.backer is None:
            return best
        return [self.backer] if self.backer in best else [seat for seat in keys if seat != self.backer]

    @classmethod
    def bound(cls, rules: FlatRules) -> int:
        """The blinds of the others and, where a hand is backed, as much again from those who call (section Flat
        Poker)."""
        return (rules.players - 1) * rules.limit * (2 if rules.mode == "field" else 1)

    def says(self, ask: Ask, action: Action) -> str:
        if ask.phase == "blind":
            return f"puts up a blind of {action.amount}"
        if ask.phase == "come":
            return "comes in" if action == CALL else "stays out"
        if ask.phase == "call":
            return "calls for the field" if action == CALL else "leaves the call to others"
        return "backs the hand against the field" if action == BACK else super().says(ask, action)

    what_wins = f"""{RANK_OF_HANDS}

With mode = field: A hand that is bet against all others wins unless one of them is better: an equal hand does not beat it
(section Flat Poker)."""
    course = "coming_in take_back_the_blind deal_five draw gather backing calling winners settle"

    phases = {
        "blind": "before the cards, to the eldest hand: `blind 5`",
        "come": "before the cards, to each other seat: `fold`, or `call` to pay as much",
        "draw": "`discard 2c 5d` to change those cards; `discard` to keep all",
        "back": "mode field: `pass`, or `back` to bet as much as the others have paid against all of them",
        "call": "after a `back`, to the field: `pass`, or `call` to share in the bet against the backer",
    }

    class View(Drawing.View):
        """The names that everybody sees at Flat Poker."""

        still_in: tuple[Seat, ...] = public("the seats that are in")
        blind: int = public("what each seat that is in has paid before the cards; 0 before it is named")
        backer: Seat | None = public("the seat that has backed its hand against the field; None before")
        bet: int = public("what the backer has bet, and the field must pay together to call; 0 before")
        callers: tuple[Seat, ...] = public("the seats that have called the bet, in order")


class FlatRules(RankingRules, of=FlatPoker):
    """The options of Flat Poker."""

    mode: Literal["field", "show"] = option(
        "field",
        "whether one hand may be backed against the others (field), or all are shown after the draw (show)",
        'section Flat Poker: "two ways to play"',
    )
    limit: int = option(50, "the greatest blind", "section Flat Poker: two blues", high=100000)
