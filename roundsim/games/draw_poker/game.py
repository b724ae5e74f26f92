"""Draw poker: the rules that both rule sets share; american.py and english.py have the rules of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from roundsim.game import (
    FOLD,
    JOKER,
    PASS,
    RANK_OF_HANDS,
    RANKS,
    WITH_A_JOKER,
    Action,
    Amounts,
    Ask,
    Card,
    Drawing,
    Each,
    Poker,
    Seat,
    Story,
    carried,
    frozen_out,
    moves_counters,
    private,
    public,
    say,
    tells,
)

if TYPE_CHECKING:
    from . import DrawPokerRules

STRADDLE = say("straddle")
OPENING = {"J": "knaves", "Q": "queens", "K": "kings", "A": "aces"}


class DrawPoker(Drawing, Poker):
    """Hold the best five cards after changing some of them, or bet until all others give up."""

    id = "draw-poker"
    title = "Draw Poker"
    family = "poker"
    seats = (2, 8)
    usual = (5, 5)
    as_at = ""
    source = (
        'Foster, "The Poker Family", sections Draw Poker, Jack Pots, The Buck, Table Stakes, Freeze Out;'
        ' Baxter-Wray, "Round Games with Cards", 1891, pp. 31-47, laws 1-81'
    )
    silent = {
        "Baxter-Wray p. 39": "the value of the hands, by example",
        "Baxter-Wray p. 43": "technical terms",
        "Baxter-Wray pp. 45-47": "advice: the strategy `book`",
        "Baxter-Wray laws 1-6": "the pack, the cut, the shuffle",
        "Baxter-Wray laws 8-17": "misdeals, exposed cards: not modelled",
        "Baxter-Wray law 18": "the deal passes to the left, as in every game",
        "Baxter-Wray laws 28, 77-81": "manners and disputes: not modelled",
        "Baxter-Wray laws 40, 42-51": "cards wrongly given, and questions about them: not modelled",
        "Baxter-Wray laws 55-57, 62-64": "bets out of turn, borrowing, foul hands: not modelled",
        "Baxter-Wray law 65": "that the best hand wins",
    }
    pool_names = ("pool", "kitty")
    shows = ("openers_shown", "shown")
    rules: DrawPokerRules
    opener: int | None = None
    false_opener: int | None = None
    openers_shown: Sequence[Card] = ()

    def deal(self) -> Story:
        self.begin_the_deal()
        if self.jack_pot:
            yield from self.paying_antes()
            self.deal_cards()
            yield from self.opening()
        else:
            yield from self.making_the_blind()
            yield from self.straddling()
            self.deal_cards()
            yield from self.coming_in()
        if self.still_in:
            yield from self.drawing()
            yield from self.betting()
            self.settle()
        self.leave_the_game()

    @tells(lambda deal: f"a jack pot: {OPENING[deal.opening_pair]} or better open it" if deal.jack_pot else None)
    def begin_the_deal(self) -> None:
        """A jack pot is dealt when one is due (Foster, section Jack Pots; Baxter-Wray p. 40, law 29)."""
        self.take_places()
        self.jack_pot = self.jacks > 0
        pairs = self.rules.opening_pairs
        self.opening_pair = pairs[self.round % len(pairs)]
        self.last_say = self.eldest
        self.came_in: list[int] = []

    # An ordinary deal: blind, straddles, coming in.

    def making_the_blind(self) -> Story:
        """Without blind_up_to = half: Before any card is dealt, the eldest hand, the player on the dealer's left, puts
        up a blind of {blind counter} (Foster, section Draw Poker; Baxter-Wray p. 32, law 20).

        With blind_up_to = half: Before any card is dealt, the eldest hand, the player on the dealer's left, puts up a
        blind of {blind counter} or more, up to half of {limit} (Foster, section Draw Poker)."""
        blind = self.rules.blind
        if self.rules.blind_up_to == "half":
            has = self.rules.limit if self.stacks is None else self.stacks[self.eldest]
            legal = Amounts((), "blind", min(blind, has), min(self.rules.limit // 2, has))
            blind = (yield Ask(self.eldest, "blind", legal)).amount
        self.put_up(self.eldest, blind, "the blind")
        self.level = max(blind, self.rules.blind)

    def straddling(self) -> Story:
        """With straddle: From the left of the eldest hand each player in turn may straddle, until one passes (Foster
        law 17; Baxter-Wray p. 32, laws 21-22).

        With straddle and rules = american: To straddle is to put up twice as much as the last, up to {straddle_limit}
        counters (Foster law 17).

        With straddle and rules = english: To straddle is to put up {blind counter} more than the last, up to
        {straddle_limit} counters (Baxter-Wray p. 32, laws 21-22)."""
        for seat in self.dealt_in[1:]:
            straddle = self.next_straddle()
            short = self.stacks is not None and self.stacks[seat] < straddle
            if not self.rules.straddle or straddle > self.rules.straddle_limit or short:
                return
            if (yield Ask(seat, "straddle", (PASS, STRADDLE))) is PASS:
                return
            self.put_up(seat, straddle, "a straddle")
            self.level, self.last_say = straddle, seat

    def next_straddle(self) -> int:
        raise NotImplementedError

    def deal_cards(self) -> None:
        """Five each, which an opener may have to show (Foster, section Jack Pots; Baxter-Wray p. 33, laws 7, 33)."""
        self.deal_five(self.dealt_in)
        self.dealt = [tuple(hand) for hand in self.hands]

    def coming_in(self) -> Story:
        """From the left of the last blind stake each player comes in for twice as much, raises that, or folds and is
        out. The one who put it up is last (Foster, section Draw Poker; Baxter-Wray pp. 33-34, laws 23-26)."""
        self.level *= 2
        yield from self.all_say(self.able_from(self.next_to(self.last_say)))
        if self.still_in == [self.last_say] and not self.came_in:
            self.nobody_comes_in()

    def all_say(self, queue: list[int]) -> Story:
        raise NotImplementedError

    def speak(self, seat: int, action: Action) -> None:
        """A player who does not fold has come in (Foster, section Draw Poker; Baxter-Wray p. 33)."""
        super().speak(seat, action)
        if action is not FOLD and seat not in self.came_in:
            self.came_in.append(seat)

    def nobody_comes_in(self) -> None:
        raise NotImplementedError

    # A jack pot: antes, opening.

    def paying_antes(self) -> Story:
        self.pay_antes()
        yield from ()

    def pay_antes(self) -> None:
        raise NotImplementedError

    def opening(self) -> Story:
        """It is opened, or stands; where too few can bet all draw (Foster, section Jack Pots; too few ours)."""
        if len(self.able_from(self.eldest)) > 1:
            yield from self.opening_in_turn()
            if self.opener is None:
                self.unopened()

    def opening_in_turn(self) -> Story:
        raise NotImplementedError

    def may_open(self, seat: int) -> bool:
        """Only with openers, unless false openers are punished (Foster law 39; Baxter-Wray laws 30, 33)."""
        return self.rules.false_openers == "penalty" or len(self.openers(seat)) > 0

    def openers(self, seat: int) -> Sequence[Card]:
        """The openers are the pair, or a better hand, in the cards dealt (Foster, section Jack Pots; Baxter-Wray p. 40,
        laws 30-32)."""
        hand, ranking = self.dealt[seat], self.rules.ranking
        position, made = ranking.position(hand), ranking.grouped(hand)
        if position in (10, 20):
            pair = max(card.rank for card in made if card is not JOKER)
            if pair >= RANKS[self.opening_pair]:
                return [card for card in made if card is JOKER or card.rank == pair]
        return made if position > 10 else ()

    def opens(self, seat: int) -> None:
        self.opener = seat
        if not self.openers(seat):
            self.false_opener = seat

    @tells("the jack pot is dealt again")
    def unopened(self) -> None:
        """With jacks: If nobody opens, the pool stays, and the jack pot is dealt again (Foster law 40; Baxter-Wray p.
        40, law 31)."""
        self.leave_standing()
        self.round += 1

    # The draw, and the betting after it.

    def drawing(self) -> Story:
        """Those who are in put away any of their cards, in turn, and get as many from the pack. Everybody sees how many
        (Foster, section Draw Poker; Baxter-Wray pp. 34-35, laws 34-39)."""
        # when the pack runs out, discards come back, except those of a jack pot's opener
        for seat in list(self.still_in):
            if len(self.still_in) > 1:
                yield from self.draw(seat, comes_back=seat != self.opener)

    def betting(self) -> Story:
        raise NotImplementedError

    def fold(self, seat: int) -> None:
        """A player who has not drawn throws his cards to the dead ones (Foster, section Draw Poker; Baxter-Wray law
        27)."""
        super().fold(seat)
        if self.drawn[seat] is None:
            self.dead += self.hands[seat]
            self.hands[seat] = []

    # The show.

    def settle(self) -> None:
        """A player who is left alone takes the pool and need not show. Otherwise all who are left show their hands, and
        the best takes the pool; equal hands divide it (Foster, section Draw Poker; Baxter-Wray p. 37, laws 58-59)."""
        keys = dict.fromkeys(self.still_in, 0)
        if self.called():
            self.lay_down()
            keys = {seat: self.rules.ranking.key(self.hands[seat]) for seat in keys}
        if self.false_opener is None:
            self.pay_out(keys)
        else:
            self.punish(self.false_opener, keys)

    def called(self) -> bool:
        return len(self.still_in) > 1

    def pay_out(self, keys: dict[int, int]) -> list[int]:
        """The pool is paid, and a jack pot that was due is over (Foster, section Jack Pots; Baxter-Wray p. 40).

        Returns who has won the pool, or the first layer of it."""
        winners = self.take_the_pool(keys)
        if self.opener is not None and self.opener in winners:
            self.opener_wins(self.opener)
        if self.jack_pot:
            self.jacks, self.round = self.jacks - 1, 0
        return winners

    def take_the_pool(self, keys: dict[int, int]) -> list[int]:
        """The best hand has it, or each layer of it (Foster, section Table Stakes; Baxter-Wray p. 37, law 76)."""
        pots = self.pots()
        return self.take_pots(self.but_the_kitty(pots, keys) if self.rules.kitty else pots, keys)[0]

    def but_the_kitty(self, pots: list[tuple[int, list[int]]], keys: dict[int, int]) -> list[tuple[int, list[int]]]:
        """With kitty: Before the pool is paid, the kitty takes one counter of it if three of a kind or better is shown,
        and five of a jack pot (Foster, section Draw Poker; Baxter-Wray p. 42)."""
        (counters, seats), *rest = pots
        kitty = min(counters, (self.best_shown(keys) >= 30) + 5 * self.jack_pot)
        if kitty:
            self.into_kitty(kitty, "for the kitty")
        return [(counters - kitty, seats), *rest]

    @moves_counters
    def into_kitty(self, counters: int, why: str = "") -> None:
        self.pools["kitty"] += counters

    def best_shown(self, keys: dict[int, int]) -> int:
        return max(self.rules.ranking.position(self.hands[seat]) for seat in keys) if self.called() else 0

    def opener_wins(self, opener: int) -> None:
        raise NotImplementedError

    @tells(lambda deal, seat, cards: f"seat {seat}, who opened, shows {' '.join(cards)}" if cards else None)
    def show_openers(self, seat: int, cards: Sequence[Card]) -> None:
        """The opener shows these cards (Foster, section Jack Pots; Baxter-Wray p. 40, law 33)."""
        self.openers_shown = cards

    def punish(self, false: int, keys: dict[int, int]) -> None:
        raise NotImplementedError

    @tells(frozen_out)
    def leave_the_game(self) -> None:
        """In a freeze-out the last one left has what stands (Foster, section Freeze Out; what stands ours)."""
        self.leave_the_rest_to_the_last()

    def says(self, ask: Ask, action: Action) -> str:
        text = super().says(ask, action)
        if action == STRADDLE:
            return f"straddles for {self.next_straddle()}"
        if action.verb == "open":
            return f"opens for {action.amount}"
        if ask.phase == "ante" and ask.seat not in self.came_in:
            return f"comes in and {text}" if action.verb == "raise" else text.replace("calls", "comes in")
        return text

    # The names that strategies use.

    jacks: int = carried(0, "how many jack pots are due")
    round: int = carried(0, "how often the next jack pot has been dealt without being opened")
    payer: list[int] = carried(
        lambda rules, dealer: list(range(rules.players)),
        "by seat, the seat that pays its ante in the next new jack pot",
        names="seats",
    )
    passed_jack: list[bool] = carried(
        lambda rules, dealer: [False] * rules.players * rules.pass_jack,
        "by seat, whether it has passed the jack pot due; with pass_jack",
        names="each",
    )
    barred: list[int] = carried(
        lambda rules, dealer: [0] * rules.players * (rules.barred > 0),
        "by seat, from how many jack pots it is barred; with barred",
        names="each",
    )
    paid: list[int] = carried(
        lambda rules, dealer: [0] * rules.players * rules.makes_good,
        "by seat, what it has paid into the pool that stands; where a false opener may have to make it good",
        names="each",
    )
    dealt_afresh: bool = carried(
        False, "whether the next jack pot is dealt without antes, as somebody has paid all of it"
    )
    buck: int = carried(-1, "the seat that holds the buck; -1: it is in the pool", names="seat")

    what_wins = f"""{RANK_OF_HANDS}

With pack = 60: Twelves (W) rank below the jacks, and elevens (E) below the twelves (Foster).

{WITH_A_JOKER}"""

    phases = {
        "blind": "with blind_up_to, to the eldest hand, before the cards: `blind 2`",
        "buck": "with buck_ante, to the holder of the buck: `name 5`, the ante of the jack pot",
        "jack": "with pass_jack, in a new jack pot, before the cards: `pass` it, or `ante`",
        "withdraw": "with false_opening, when the opening was false: `stay`, or without openers `take-back` your stake",
        "straddle": "before the cards: `straddle`, or `pass`",
        "ante": "coming in: `fold`, `call` or `raise 5`; `jack` with only_two_in; `show` with law60",
        "open": "in a jack pot, american: `pass`, or with a hand that may open `open 5`",
        "good": "english, before the draw: `call` to pay what others have raised, or `fold`; `show` with law60",
        "draw": "`discard 2c 5d` to change those cards; `discard` to keep all",
        "bet": "after the draw: `bet 5` or `fold` (english: or `stand`, once); after a bet `fold`, `call` or `raise 5`",
    }

    class View(Poker.View):
        """The names that everybody sees at Draw Poker, and what the seat alone knows."""

        last_say: Seat = public("the seat that speaks last in coming in: the last to straddle, or the eldest hand")
        came_in: tuple[Seat, ...] = public("the seats that have come in or opened, in order")
        jack_pot: bool = public("whether this deal is a jack pot")
        opening_pair: str = public("the rank of the pair that is needed to open a jack pot: J Q K A")
        opener: Seat | None = public("the seat that has opened the jack pot; None before")
        openers_shown: tuple[Card, ...] = public("which of the five cards dealt to the opener have been shown")
        jacks: int = public()
        round: int = public()
        payer: Each[Seat] = public()
        passed_jack: Each[bool] = public()
        barred: Each[int] = public()
        paid: Each[int] = public()
        dealt_afresh: bool = public()
        buck: Seat = public()
        drawn: Each[int | None] = public("how many cards each seat has drawn; None before its draw")
        put_out: tuple[Card, ...] = private("the cards you have put away for others")
        dealt: tuple[Card, ...] = private("the five cards you were dealt", ())
