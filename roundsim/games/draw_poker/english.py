"""The English game (Baxter-Wray, "Round Games with Cards", 1891, pp. 31-58)."""

from __future__ import annotations

from roundsim.game import CALL, FOLD, FOLD_OR_BET, STAND, Action, Ask, Story, UpTo, tells

from .game import DrawPoker

STAND_TOO = UpTo((FOLD, STAND), "bet")


class English(DrawPoker):
    """Before the draw each player speaks only once, and makes good what others have raised when it is his turn to draw."""

    course = """buy_stacks making_the_blind straddling deal_five coming_in all_say most able_from nobody_comes_in pay_antes
opening_in_turn unopened punish drawing draw betting speaking settle opener_wins but_the_kitty leave_the_rest_to_the_last"""

    # An ordinary deal.

    def next_straddle(self) -> int:
        """A blind more than the last (Baxter-Wray pp. 32, 44, law 21)."""
        return self.level + self.rules.blind

    def all_say(self, queue: list[int]) -> Story:
        """Each player speaks only once before the draw, and is not asked again after a raise (Baxter-Wray pp. 33-34,
        laws 25-27)."""
        for seat in queue:
            unopened = self.jack_pot and self.opener is None
            if len(self.still_in) == 1 and not unopened:
                return
            may_come_in = not unopened or self.may_open(seat)
            action = yield Ask(seat, "ante", self.may_say(seat, raising=True) if may_come_in else (FOLD,))
            if unopened and action is not FOLD:
                self.opens(seat)
            self.speak(seat, action)

    @tells(lambda deal: "nobody has come in: the next deal is a jack pot" if deal.rules.jacks else None)
    def nobody_comes_in(self) -> None:
        """With jacks: If nobody comes in, all that is staked stays in the pool, and the next deal is a jack pot
        (Baxter-Wray p. 40, law 29).

        Without jacks: If nobody comes in, the last blind stake takes the pool (ours)."""
        if self.rules.jacks:
            self.leave_standing()
            self.jacks = 1

    # A jack pot.

    def pay_antes(self) -> None:
        """With jacks: In a jack pot there is no blind: each player pays {blind counter}, also when it is dealt again
        (Baxter-Wray p. 40, laws 30-31)."""
        for seat in self.dealt_in:
            self.put_up(seat, self.rules.blind, "ante for the jack pot")
        self.level = max(self.stake)

    def opening_in_turn(self) -> Story:
        """With jacks: The first to come in opens it, for twice the blind more, and needs a pair of jacks or a better
        hand; when it is dealt again a pair of queens, then of kings, then of jacks (Baxter-Wray laws 30-32; the stake
        ours)."""
        self.level += 2 * self.rules.blind
        yield from self.all_say(self.able_from(self.next_to(self.eldest)))

    # The draw, and the betting after it.

    def draw(self, seat: int, comes_back: bool = True) -> Story:
        """Before they draw, players pay what others have raised since they came in, or fold (Baxter-Wray pp. 35-36, law
        36)."""
        if self.gap(seat) and seat in self.able_from(seat):
            self.speak(seat, (yield Ask(seat, "good", self.may_say(seat, raising=False))))
        if seat in self.still_in and len(self.still_in) > 1:
            yield from super().draw(seat, comes_back)

    def runs_out(self, due: int) -> bool:
        """The last card is dealt, too (Baxter-Wray law 41)."""
        return not self.pack

    def betting(self) -> Story:
        """In a second round of betting the player on the left of the eldest hand speaks first. Each folds, bets, or
        once stands, which is to wait, until one bets; then the others answer (Baxter-Wray p. 37, laws 52-54)."""
        self.better, self.raises = None, 0
        queue, stood = self.able_from(self.next_to(self.eldest)), set[int]()
        while len(queue) > 1:
            seat = queue.pop(0)
            may_say = FOLD_OR_BET if seat in stood else STAND_TOO
            action = yield Ask(seat, "bet", may_say[self.most(seat)])
            if action is STAND:
                stood.add(seat)
                queue.append(seat)
                continue
            self.speak(seat, action)
            if action is not FOLD:
                yield from self.speaking(self.others_able(seat), "bet")
                return

    # The show.

    def opener_wins(self, opener: int) -> None:
        """With jacks: An opener who wins shows the five cards that were dealt (Baxter-Wray p. 40, law 33)."""
        self.show_openers(opener, self.dealt[opener])

    def punish(self, false: int, keys: dict[int, int]) -> None:
        """With false_openers = penalty: Anybody may open, but a player who has opened without such a hand, and would
        take the pool, pays twice the blind into it instead, and nobody wins (Baxter-Wray p. 40, law 33)."""
        # if he only ties for it the others divide
        best = [seat for seat in keys if keys[seat] == max(keys.values())]
        if best == [false]:
            self.opener_wins(false)
            self.leave_standing()
            self.round += 1
        else:
            if false in best:
                del keys[false]
            self.pay_out(keys)
        if false in best:
            self.into_pool(false, 2 * self.rules.blind, why="opened without openers")
            self.jacks = 1

    def says(self, ask: Ask, action: Action) -> str:
        text = super().says(ask, action)
        if ask.phase == "good":
            return {CALL: "makes good what others have raised", FOLD: "retires"}.get(action, text)
        if ask.phase == "ante" and self.jack_pot and self.opener is None:
            return text.replace("comes in", "opens")
        return text
