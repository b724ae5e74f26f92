"""Jack pots of the American game (Foster, "The Poker Family", section Jack Pots)."""

from __future__ import annotations

from collections.abc import Sequence

from roundsim.game import JOKER, PASS, SUITS, Amounts, Ask, Card, Story, UpTo, say

from .game import DrawPoker

ANTE = say("ante")
PASS_OR_OPEN = UpTo((PASS,), "open")


class JackPots(DrawPoker):
    """Each jack pot has its own ante, may follow upon another, and is paid for by the player who asks for it."""

    same_dealer = False  # until the jack pot is opened, or when the cards are dealt again
    names_the_ante = False

    def begin_the_deal(self) -> None:
        """With buck: The buck, a marker, lies in the pool, and the winner takes it. A dealer who holds it deals a jack
        pot, and puts it back (Foster, section Jack Pots)."""
        if self.buck == self.dealer:
            self.buck, self.jacks = -1, self.jacks or 1
            self.names_the_ante = self.rules.buck_ante == "holder"
        super().begin_the_deal()

    # The antes.

    def paying_antes(self) -> Story:
        """With buck_ante = holder: The holder of the buck names the ante of that jack pot, up to {limit} (Foster,
        section The Buck)."""
        self.fresh = not self.round and not self.dealt_afresh
        self.ante = self.rules.jack_ante if self.fresh else self.rules.fatten
        self.leave_out(self.barred)
        if self.fresh and self.names_the_ante:
            self.ante = (yield Ask(self.dealer, "buck", Amounts((), "name", 1, self.rules.limit))).amount
        if self.fresh and self.rules.pass_jack:
            yield from self.passing()
        self.leave_out(self.passed_jack)
        self.pay_antes()

    def passing(self) -> Story:
        """With pass_jack: Players may pass a new jack pot: they pay no ante and get no cards until it is won (Foster
        law 37)."""
        passed = [False] * self.players
        for seat in self.dealt_in:
            passed[seat] = (yield Ask(seat, "jack", (PASS, ANTE))) is PASS
        if len(self.dealt_in) - sum(passed) > 1:
            self.passed_jack = passed

    def leave_out(self, by_seat: Sequence[int]) -> None:
        """Those barred, or who have passed; but two at least must play, or else all do (ours)."""
        out = [seat for seat, is_out in enumerate(by_seat) if is_out]
        left = [seat for seat in self.dealt_in if seat not in out]
        if len(left) > 1:
            self.dealt_in, self.still_in = left, list(left)
            self.eldest = self.last_say = left[0]

    def pay_antes(self) -> None:
        """With jacks: In a jack pot there is no blind: each player pays {jack_ante counter} (Foster, section Jack Pots,
        laws 21, 40)."""
        # a payer pays his own first, then those on his left; nobody pays for cards dealt afresh
        fresh, in_game = self.fresh, self.in_the_game(self.next_to(self.dealer))
        why = "ante for the jack pot" if fresh else "the jack pot is fattened"
        barred = [seat for seat, jacks in enumerate(self.barred) if jacks and fresh]
        due = [seat for seat in in_game if seat in self.dealt_in or seat in barred]
        for payer in in_game if not self.dealt_afresh else ():
            for seat in self.round_from(payer):
                if seat in due and payer == (self.pays_for(seat) if fresh else seat):
                    self.put_up(seat, self.ante, why if payer == seat else "ante for another", payer)
        if fresh:
            self.payer = list(range(self.players))
        self.level, self.antes, self.dealt_afresh = max(self.stake), list(self.stake), False

    def pays_for(self, seat: int) -> int:
        """The payer of a seat's ante: the seat itself when he is frozen out (ours)."""
        payer = self.payer[seat]
        return payer if payer in self.in_the_game(payer) else seat

    # Opening.

    def opening_in_turn(self) -> Story:
        """With jacks: To open the betting a player needs a pair of jacks or a better hand. Then the others come in,
        also those who have passed (Foster, section Jack Pots).

        With progressive: Each time that the jack pot is dealt again, another pair is needed: queens, kings, aces,
        kings, queens, then jacks (Foster, section Jack Pots).

        With bobtail: Four cards of a flush or of a straight open, too (Foster, section Jack Pots)."""
        for seat in list(self.still_in):
            most = self.most(seat) if self.may_open(seat) else 0
            action = yield Ask(seat, "open", PASS_OR_OPEN[most])
            if action is not PASS:
                self.opens(seat)
                self.speak(seat, action)
                yield from self.speaking(self.others_able(seat), "ante")
                yield from self.treating_a_false_opening()
                return

    def treating_a_false_opening(self) -> Story:
        raise NotImplementedError

    def openers(self, seat: int) -> Sequence[Card]:
        """Or the four cards of a bobtail, where that opens (Foster, section Jack Pots)."""
        made = super().openers(seat)
        return self.bobtail(self.dealt[seat]) if self.rules.bobtail and not made else made

    def bobtail(self, hand: Sequence[Card]) -> Sequence[Card]:
        """Four cards of one suit, or four ranks out of some straight (Foster, section Jack Pots; the joker ours)."""
        for suit in SUITS:
            four = [card for card in hand if card.suit == suit or card is JOKER]
            if len(four) == 4:
                return four
        for ranks in self.rules.ranking.straights:
            by_rank = {card.rank: card for card in hand if card is JOKER or card[0] in ranks}
            if len(by_rank) == 4:
                return list(by_rank.values())
        return ()

    def unopened(self) -> None:
        """With jacks: If nobody opens, the pool stays, and the jack pot is dealt again (Foster law 40).

        With jacks and fatten: For this each player adds {fatten counter} (Foster law 40).

        With deal_off: The same dealer deals (Foster laws 12, 40)."""
        super().unopened()
        self.same_dealer = self.rules.deal_off

    def leave_standing(self) -> None:
        """It is remembered what each has paid (Foster, section Jack Pots)."""
        super().leave_standing()
        self.paid = [paid - net for paid, net in zip(self.paid, self.net, strict=False)]

    # When it is over.

    def pay_out(self, keys: dict[int, int]) -> list[int]:
        """Nothing stands any more of what was paid (Foster, section Jack Pots)."""
        winners = super().pay_out(keys)
        self.paid = [0 for _ in self.paid]
        if self.jack_pot:
            self.end_the_jack()
        return winners

    def end_the_jack(self) -> None:
        """A player who passed it plays again (Foster law 37), one who is barred has one less to miss (Foster, section
        Jack Pots)."""
        self.passed_jack = [False for _ in self.passed_jack]
        self.barred = [max(0, jacks - 1) for jacks in self.barred]

    def next_dealer(self) -> int:
        """The next on the left; with deal_off the same until the jack pot is opened (Foster laws 12, 40)."""
        return self.in_the_game(self.dealer)[0] if self.same_dealer else super().next_dealer()
