"""Straight poker, or bluff (Foster, "The Poker Family"; "Hoyle's Games Modernized", p. 134)."""

from __future__ import annotations

from collections.abc import Iterator

from ..actions import PASS, Action, Amounts
from ..cards import JOKER, PACK, Card
from ..mechanics.betting import MAX_RAISES, STACK_OPTIONS, Poker, stack_refusals
from ..mechanics.hands import ranking_of, ranking_options
from ..options import FLAG, OneOf, Option, Rules, between
from ..table import Ask, Carry, Story

POOL_OPTIONS = (
    Option("ante", 1, between(1, 1000), "ante of each seat", "Foster; Hoyle's Games p. 134"),
    Option("limit", 50, between(1, 100000), "greatest bet or raise", "Foster"),
    Option(
        "buck",
        True,
        FLAG,
        "the holder of the buck antes for all; if false, each antes for himself",
        "Foster; Hoyle's Games p. 134: frequently",
    ),
    Option("stakes", "open", OneOf("open", "table"), "open: everybody can pay; table: stacks, and no limit", "Foster"),
    *STACK_OPTIONS,
    MAX_RAISES,
)


class StraightPoker(Poker):
    """Five cards, and a single round of betting on them as they were dealt."""

    id = "straight-poker"
    title = "Straight Poker"
    family = "poker"
    seats = (2, 8)
    usual = (5, 5)
    source = 'Foster, "The Poker Family"; "Hoyle\'s Games Modernized", p. 134'
    course = """The holder of the buck antes for all, and hands it to his left. Five cards each, and nothing is drawn. From
eldest on each bets, or passes and keeps his hand. A bet must be called or raised by all others in turn, those who have
passed too, or they are out. Who is not called takes the pool unseen; of hands that are called the best takes it. Who
takes the pool deals next. When all have passed the pool stands: a double header, with fresh antes in the next deal."""

    options = (
        *POOL_OPTIONS,
        Option(
            "pass_excluded",
            False,
            FLAG,
            "who has passed is out as soon as another raises",
            "Hoyle's Games p. 134, rule 5",
        ),
        Option("joker", False, FLAG, "pack of 53: mistigris", "Hoyle's Games p. 134: any version"),
        *ranking_options(straight_flush=False, pack=None),
    )

    @classmethod
    def refusals(cls, rules: Rules) -> Iterator[str]:
        yield from stack_refusals(rules)

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        rules.cards = (*PACK, JOKER) if rules.joker else PACK
        rules.ranking = ranking_of(rules)

    carried = {
        "buck": Carry(lambda rules, dealer: dealer, "the seat that antes next, if there is a buck", names="seat"),
    }
    phases = {"bet": "`pass` or `bet 5`; after a bet `fold`, `call` or `raise 5`"}
    public = {
        **Poker.public,
        "passed": "the seats that have passed, and have not come in since",
        "buck": carried["buck"].help,
    }

    buck: int
    winner: int | None = None

    def deal(self) -> Story:
        self.take_places()
        self.pay_antes()
        self.deal_cards()
        yield from self.betting()
        if self.still_in:
            self.settle()
        self.buck = self.in_the_game(self.buck)[0]

    def pay_antes(self) -> None:
        """The holder of the buck antes for all, and it goes to his left; or each antes.  Antes are nobody's stake."""
        ante = self.rules.ante
        if self.rules.buck:
            holder = self.in_the_game(self.buck)[0]
            self.ante(holder, ante * len(self.dealt_in))
            self.buck = self.in_the_game(self.next_to(holder))[0]
        else:
            for seat in self.dealt_in:
                self.ante(seat, ante)

    def ante(self, payer: int, counters: int) -> None:
        """Into the pool; who has less pays what he has."""
        if self.stacks is not None:
            counters = min(counters, self.stacks[payer])
            self.stacks[payer] -= counters
        self.into_pool(payer, counters)

    def deal_cards(self) -> None:
        """Five each, one at a time, from eldest round to the dealer."""
        self.pack = self.chance.pack(self.rules.cards)
        self.hands: list[list[Card]] = self.deal_singly(5, self.dealt_in)
        self.passed: list[int] = []

    def betting(self) -> Story:
        """Each in turn may bet, until one does; those who have passed may still come in.  All passing, the pool stands.

        With fewer than two that have counters there is no betting, and all hands are shown."""
        queue = self.able_from(self.eldest)
        if len(queue) < 2:
            return
        for seat in queue:
            said = yield Ask(seat, "bet", Amounts((PASS,), "bet", 1, self.most(seat)))
            if said is not PASS:
                self.speak(seat, said)
                yield from self.speaking(self.others_able(seat), "bet")
                return
            self.passed.append(seat)
        self.leave_standing()

    def speak(self, seat: int, said: Action) -> None:
        """With `pass_excluded` a raise leaves out all who have passed and not come in since."""
        super().speak(seat, said)
        if seat in self.passed:
            self.passed.remove(seat)
        if said.verb == "raise" and self.rules.pass_excluded:
            for other in self.passed:
                self.fold(other)
            self.passed = []

    def settle(self) -> None:
        """All hands in are shown, and the best takes the pool; the only one in takes it unseen.

        The greatest share, without what nobody has matched of a stake, takes the deal."""
        keys = dict.fromkeys(self.still_in, 0)
        if len(keys) > 1:
            for seat in self.still_in:
                self.shown[seat] = self.hands[seat]
                keys[seat] = self.rules.ranking.key(self.hands[seat])
        second, before = sorted(self.stake)[-2], list(self.net)
        self.take_pots(self.pots(), keys)
        share = {seat: self.net[seat] - before[seat] - max(0, self.stake[seat] - second) for seat in self.still_in}
        self.winner = max(self.still_in, key=lambda seat: share[seat])

    def next_dealer(self) -> int:
        """Who has taken the pool; eldest, if all have passed."""
        return self.in_the_game(self.eldest if self.winner is None else self.winner)[0]
