"""Show-down poker: open hands, one draw and no betting (Foster, "The Poker Family")."""

from __future__ import annotations

from roundsim.game import (
    BEST,
    EQUAL,
    RANK_OF_HANDS,
    Card,
    Drawing,
    Each,
    RankingRules,
    Seat,
    Story,
    TableView,
    divide,
    option,
    public,
    tells,
)


def how_it_stands(deal: ShowDownPoker) -> str:
    seat = [seat for seat in deal.dealt_in if deal.drawn[seat] is not None][-1]
    name = deal.hands[seat] and deal.name_of(deal.hands[seat])
    return f"seat {seat} has {name}, the best so far" if name else f"seat {seat} is beaten"


class ShowDownPoker(Drawing):
    """Have the best five cards on the table when everybody has changed cards once."""

    id = "show-down-poker"
    title = "Show-down Poker"
    family = "poker"
    seats = (2, 7)
    usual = (4, 6)
    source = 'Foster, "The Poker Family", section Show-down Poker'
    own_places = {"section Show-down Poker": "take_places deal_five draw gather"}
    pool_names = ("pool",)
    shows = ("dead", "hands", "put_out")
    unseen_verbs = ()  # all is open
    rules: ShowDownRules

    def deal(self) -> Story:
        self.take_places()
        self.pay_antes()
        self.deal_five(self.dealt_in)
        for seat in self.dealt_in:
            yield from self.draw(seat)
            self.lay_aside_deadwood()
        self.settle()

    def pay_antes(self) -> None:
        """Each player pays {ante counter} into the pool (ours)."""
        for seat in self.dealt_in:
            self.put_up(seat, self.rules.ante, "ante")

    @tells(how_it_stands)
    def lay_aside_deadwood(self) -> None:
        """All cards lie face up, so that later players know which hand they must beat. A hand is out when it is worse
        than another that has also been drawn to (section Show-down Poker)."""
        hands, ranking, drawn = self.hands, self.rules.ranking, self.drawn
        keys = {seat: ranking.key(hands[seat]) for seat in self.still_in if drawn[seat] is not None}
        best = max(keys.values())
        for seat, key in keys.items():
            if key < best:
                self.fold(seat)
                self.dead += hands[seat]
                hands[seat] = []

    def settle(self) -> None:
        """After the dealer's draw the best hand takes the pool, and equal hands divide it. There is no betting (section
        Show-down Poker)."""
        self.in_the_call = self.dealt_in
        for seat, share in divide(sum(self.stake), self.still_in):
            self.receive(seat, share, BEST if len(self.still_in) == 1 else EQUAL)

    @classmethod
    def bound(cls, rules: ShowDownRules) -> int:
        """The antes of the others (section Show-down Poker)."""
        return (rules.players - 1) * rules.ante

    what_wins = RANK_OF_HANDS
    course = "take_places pay_antes deal_five draw lay_aside_deadwood gather settle"

    phases = {"draw": "`discard 2c 5d` to change those cards; `discard` to keep all"}

    class View(TableView):
        """Everything is open at Show-down Poker."""

        eldest: Seat = public("the seat that is dealt to, and draws, first")
        hands: Each[tuple[Card, ...]] = public("all hands, by seat; empty for a seat that is out")
        still_in: tuple[Seat, ...] = public(
            "the seats whose hands have not been drawn to or are not beaten, eldest first"
        )
        drawn: Each[int | None] = public("how many cards each seat has drawn; None before its draw")
        put_out: Each[tuple[Card, ...]] = public("the cards that each seat has put away")
        dead: tuple[Card, ...] = public(
            "the cards put away and those of beaten hands, which are dealt again if the pack runs out"
        )


class ShowDownRules(RankingRules, of=ShowDownPoker):
    """The options of Show-down Poker."""

    ante: int = option(1, "what each seat pays into the pool", "ours", high=1000)
