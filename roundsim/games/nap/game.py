"""Nap, or Napoleon: one against the rest (Baxter-Wray, "Round Games with Cards", 1891, pp. 3-15)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roundsim.game import (
    PASS,
    STAND,
    SUIT_NAMES,
    Action,
    Ask,
    Card,
    Each,
    Seat,
    Story,
    Subsets,
    Tricks,
    carried,
    may_play,
    private,
    public,
    say,
    spelled,
    taker,
    tells,
)

if TYPE_CHECKING:
    from . import NapRules

CALL = {n: say("call", n) for n in range(1, 9)}
MISERY, NAP, WITH_SPARE = say("call misery"), say("call nap"), say("call spare")
WELLINGTON, BLUCHER = say("call wellington"), say("call blucher")
TAKE, LEAVE = say("take"), say("leave")


class Nap(Tricks):
    """Call how many tricks you will take, and take them against all the others together."""

    id = "nap"
    title = "Nap"
    family = "tricks"
    seats = (2, 6)
    usual = (4, 4)
    source = 'Baxter-Wray, "Round Games with Cards", 1891, pp. 3-15'
    silent = {"pp. 5-7": "how to judge a hand: the strategy `book`"}
    pool_names = ("pool",)
    unseen_verbs = ("buy", "discard")
    rules: NapRules

    def deal(self) -> Story:
        self.pay_kitty()
        self.deal_cards()
        if self.rules.buying:
            yield from self.buying()
        if self.rules.cards in (6, 7):
            yield from self.discarding()
        yield from self.calling()
        if self.call is PASS:
            self.double_header()
            return
        if self.spare_in_use:
            yield from self.taking_up_the_spare_hand()
        yield from self.playing()
        self.settle()

    def pay_kitty(self) -> None:
        """With kitty = dealer: Each dealer pays {kitty_stake counter} into the kitty (p. 11).

        With kitty = round: Whenever the first dealer of the sitting deals, each player pays {kitty_stake counter} into
        the kitty (p. 11)."""
        kitty = self.rules.kitty
        if kitty == "dealer":
            self.into_pool(self.dealer, self.rules.kitty_stake, why="each dealer pays into the kitty")
        elif kitty == "round" and self.dealer == self.original_dealer:
            for seat in range(self.players):
                self.into_pool(seat, self.rules.kitty_stake, why="once a round all pay into the kitty")

    def deal_cards(self) -> None:
        """Each player gets {cards card}, one at a time (p. 9).

        With dealer_stands_out: The dealer gets none, but pays and is paid as the others are (p. 3).

        With spare_hand: As many are dealt to a spare hand, which nobody sees (p. 13)."""
        rules, players = self.rules, self.players
        self.order = order = rules.turns[self.dealer][self.eldest]
        self.pack = pack = self.chance.pack(rules.all_cards)
        self.hands = self.deal_singly(rules.cards, (*order, players) if rules.spare_hand else order)
        if rules.spare_hand:
            self.spare = self.hands.pop()
        self.stock = len(pack)
        self.value, self.call = rules.stake * self.multiplier, PASS
        self.trumps: str | None = None
        self.clear_the_table()
        self.bought, self.spare_in_use = [0] * players, False
        self.put_out: list[tuple[Card, ...]] = [()] * players

    def buying(self) -> Story:
        """With buying: From the dealer's left, each player may change cards with the stock, and pays the value of a
        trick, {stake counter}, for each into the kitty (p. 12)."""
        for seat in self.order:
            hand = self.hands[seat]
            legal = Subsets("buy", hand, 1, self.stock, plain=(STAND,)) if self.stock else (STAND,)
            action = yield Ask(seat, "buy", legal)
            self.lay_out(seat, action.cards)
            hand += self.pack.draw(len(action.cards))
            self.stock = len(self.pack)
            self.bought[seat] = len(action.cards)
            self.into_pool(seat, self.value * len(action.cards), why="cards are bought")

    def discarding(self) -> Story:
        """With cards = 6 or 7: Each player puts away cards until five are left, before any call (p. 15)."""
        for seat in self.order:
            excess = self.rules.cards - 5
            self.lay_out(seat, (yield Ask(seat, "discard", Subsets("discard", self.hands[seat], excess, excess))).cards)

    def lay_out(self, seat: int, cards: tuple[Card, ...]) -> None:
        for card in cards:
            self.hands[seat].remove(card)
        self.put_out[seat] += cards

    def calling(self) -> Story:
        """Once round: pass, or call higher than the last player how many tricks you will take. A call of all {tricks
        trick} is a nap. The highest caller, the senior hand, plays against all the others (pp. 9-10, 14).

        Without double_header: If all pass, the eldest hand, the player on the dealer's left, must play for one trick
        (p. 10).

        With double_header: The lowest call is {min_call trick} (p. 13).

        With misery: A misery, to win no trick, is higher than a call of two and lower than three (p. 12).

        With spare_hand: A player may call a nap with the spare hand (p. 13).

        With wellington = full or modified: Wellington, for all tricks too, may be called over a nap (p. 13).

        With blucher: Blucher may be called over Wellington (p. 14).

        With nap_alter: A player whose nap is over-called may take over the higher call (p. 14)."""
        nap_caller, has_left, questions = None, False, self.rules.questions
        for seat in self.order:
            action = yield questions[self.call][seat]
            if action is PASS:
                continue
            self.call, self.senior = action, seat
            if action is NAP or action is WITH_SPARE:
                nap_caller, self.spare_in_use = seat, action is WITH_SPARE
            elif nap_caller is not None:
                takes = False
                if self.rules.nap_alter and not has_left:
                    takes = (yield Ask(nap_caller, "answer", (LEAVE, TAKE))) is TAKE
                    has_left = not takes
                self.senior = nap_caller if takes else seat
        self.spare_in_use = self.spare_in_use and self.senior == nap_caller
        if self.call is PASS and not self.rules.double_header:
            self.call, self.senior = CALL[1], self.order[0]

    def taking_up_the_spare_hand(self) -> Story:
        """With spare_hand: The player who called a nap with the spare hand adds it to their own, and puts away as many
        cards as they took up (p. 13)."""
        hand = self.hands[self.senior]
        hand += self.spare
        cards = self.rules.cards
        self.lay_out(self.senior, (yield Ask(self.senior, "spare", Subsets("discard", hand, cards, cards))).cards)

    def playing(self) -> Story:
        """The senior hand leads; the winner of each trick leads to the next (pp. 10-11).

        Players must follow suit if they can, and may otherwise play any card (p. 10)."""
        self.leader, self.undertaken = self.senior, self.rules.worth[self.call][0]
        turns, hands = self.rules.turns[self.dealer], self.hands
        while not self.decided():
            seats, trick = turns[self.leader], self.trick
            for seat in seats:
                card = (yield Ask(seat, "play", may_play(hands[seat], trick))).card
                hands[seat].remove(card)
                trick.append(card)
                if self.trumps is None:
                    self.make_trumps(card.suit)
            self.gather(seats[taker(trick, self.trumps)])

    @tells(lambda deal, suit: f"{SUIT_NAMES[suit]} are trumps" if deal.trumps else None)
    def make_trumps(self, suit: str) -> None:
        """The suit of the very first card is trumps, which beats every other suit (p. 10).

        Without misery_trumps: A misery has no trumps (p. 12)."""
        if self.call is not MISERY or self.rules.misery_trumps:
            self.trumps = suit

    def decided(self) -> bool:
        """Play stops as soon as the call is made, or can no longer be made (p. 11)."""
        missing, left = self.undertaken - self.won[self.senior], len(self.hands[self.senior])
        return not 0 < missing <= left if self.undertaken else missing < 0 or not left

    def settle(self) -> None:
        """The senior hand wins {stake counter} for each trick called from every other player, or pays as much to each.
        A nap wins double (p. 8).

        With misery: A misery is worth {misery_stake trick} (p. 12).

        With wellington = full: Wellington wins and loses twice as much as a nap (p. 13).

        With wellington = modified: Wellington wins as much as a nap, and loses twice as much (p. 13).

        With blucher and wellington = full: Blucher wins and loses three times as much as a nap (p. 14).

        With blucher and wellington = modified: Blucher wins as much as a nap, and loses three times as much (p. 14)."""
        undertaken, wins, loses = self.rules.worth[self.call]
        made = self.won[self.senior] == undertaken
        counters = (wins if made else -loses) * self.value
        self.others_pay(self.senior, counters, "the call is made" if made else "the call is lost")
        if undertaken == self.rules.tricks and self.rules.kitty != "off":
            self.settle_the_kitty(made)
        if made:
            self.multiplier = 1

    def settle_the_kitty(self, made: bool) -> None:
        """With kitty = dealer or round: A player who makes a nap, or a higher call, takes the kitty (p. 11).

        With kitty = dealer or round and spare_hand: One who fails with the spare hand pays the value of two tricks into
        it (p. 13)."""
        if made:
            self.take_pool(self.senior, why="a nap made takes the kitty")
        elif self.spare_in_use:
            self.into_pool(self.senior, 2 * self.value, why="a nap lost with the spare hand")

    @tells("all have passed: a double header, worth {deal.multiplier} times as much")
    def double_header(self) -> None:
        """With double_header: If all pass, nobody plays, and the stakes are doubled until a call is made, to at most
        {double_header_cap} times their value (p. 13; the limit ours)."""
        self.multiplier = min(2 * self.multiplier, self.rules.double_header_cap)

    def end(self) -> None:
        """The kitty is divided; or one card each is dealt, and the lowest takes it, ties drawing again (p. 12)."""
        if self.rules.kitty_end == "divide" or not self.pools["pool"]:
            return super().end()
        seats, draws = list(self.round_from(self.next_to(self.last_dealer))), 0
        while len(seats) > 1:
            draws += 1
            drawn = self.chance.pack(self.rules.all_cards, f"kitty {draws}").draw(len(seats))
            lowest = min(card.rank for card in drawn)
            seats = [seat for seat, card in zip(seats, drawn, strict=True) if card.rank == lowest]
        self.take_pool(seats[0], why="the lowest card drawn takes the kitty")

    @classmethod
    def bound(cls, rules: NapRules) -> int | None:
        """The dearest call, from or to every other player; there is none with a kitty, which grows (pp. 8, 11)."""
        if rules.kitty != "off":
            return None
        dearest = max([max(rules.worth[call][1:]) for call in rules.offered])
        return dearest * rules.stake * (rules.double_header_cap if rules.double_header else 1) * (rules.players - 1)

    def says(self, ask: Ask, action: Action) -> str:
        if ask.phase == "call" and action.amount:
            return f"calls {spelled(action.amount)}"
        if ask.phase == "answer":
            return "takes the higher call for his own" if action is TAKE else "leaves the higher call"
        return super().says(ask, action)

    def refusal(self, ask: Ask, action: Action) -> str:
        if ask.phase == "call":
            return self.call_refused(action)
        if ask.phase in ("buy", "discard", "spare") and action.verb == ("buy" if ask.phase == "buy" else "discard"):
            cards, hand = action.cards, self.hands[ask.seat]
            if len(set(cards)) < len(action.words) or not set(cards) <= set(hand):
                return "not in hand"
            if action.verb == "discard":
                return f"discard exactly {self.rules.cards - 5 if ask.phase == 'discard' else self.rules.cards} cards"
            if len(cards) > self.stock:
                return f"not enough cards left: {self.stock} in the stock"
        return super().refusal(ask, action)

    def call_refused(self, action: Action) -> str:
        rules = self.rules
        if action.verb != "call":
            return "not a legal action"
        if action not in rules.worth:
            return f"no such call: {action}"
        if action in CALL.values() and action.amount < rules.min_call:
            return f"below the lowest call: {rules.min_call}"
        if action not in rules.offered:
            return f"{action} is not in play"
        if action == WELLINGTON and self.call not in (WELLINGTON, BLUCHER):
            return "only over nap"
        if action == BLUCHER and self.call is not BLUCHER:
            return "only over wellington"
        return f"too low: {self.call} stands"

    multiplier: int = carried(1, "what the stake is multiplied by after a double header")
    original_dealer: int = carried(lambda rules, dealer: dealer, "the dealer of the sitting's first deal", names="seat")

    what_wins = """The highest trump takes the trick; without a trump the highest card of the suit led takes it (pp.
10-11).

With pack = 52: The ace is high, the two low (p. 10).

With pack = 32: The ace is high, the seven low (pp. 10, 14)."""
    course = """pay_kitty deal_cards buying discarding calling taking_up_the_spare_hand playing make_trumps decided
settle settle_the_kitty double_header"""

    played_with = "all_cards"
    phases = {
        "buy": "option buying: `stand`, or `buy 2c 5d` to change those cards with the stock, at one trick's value each",
        "discard": "option cards 6 or 7: `discard 2c` puts away cards until five are left, before any call",
        "call": "`pass`, or a higher call: `call 1` ... `call misery`, `call nap`, `call spare`, `call wellington`,"
        " `call blucher`",
        "answer": "option nap_alter, to the player who called nap: `take` the higher call, or `leave` it to the other",
        "spare": "after `call spare`, to the senior hand: `discard` half of the doubled hand",
        "play": "`play As`: follow suit if you can",
    }

    class View(Tricks.View):
        """The names that everybody sees at Nap, and what the seat alone knows."""

        order: tuple[Seat, ...] = public("the seats that have cards, eldest first, the dealer last")
        call: Action = public("the highest call so far; `pass` before any call")
        senior: Seat | None = public("the seat that made the highest call; None before any call", None)
        trumps: str | None = public(
            "the suit of trumps, s h d c; None before the first card and in a misery without trumps"
        )
        bought: Each[int] = public("how many cards each seat has bought")
        stock: int = public("how many cards are left in the stock")
        spare_in_use: bool = public("whether the senior hand plays with the spare hand")
        multiplier: int = public()
        original_dealer: Seat = public()
        put_out: tuple[Card, ...] = private("the cards you have put away or changed for others")
