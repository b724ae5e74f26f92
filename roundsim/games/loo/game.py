"""Loo: three-card, five-card and Irish (Baxter-Wray, "Round Games with Cards", 1891, pp. 16-30)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from roundsim.game import (
    CARD,
    STAND,
    SUIT_NAMES,
    Action,
    Ask,
    Card,
    Each,
    Seat,
    Story,
    Tricks,
    carried,
    moves_counters,
    number_only,
    private,
    public,
    say,
    tells,
)

if TYPE_CHECKING:
    from . import LooRules

FOLD = say("fold")
TRUMP = 20  # is added to the rank of a trump, and twice to Pam's


class Loo(Tricks):
    """Win tricks, each for a share of the pool; if you play and win none, you pay into it."""

    id = "loo"
    title = "Loo"
    family = "tricks"
    seats = (2, 12)
    usual = (5, 5)
    source = 'Baxter-Wray, "Round Games with Cards", 1891, pp. 16-30'
    silent = {"pp. 29-30": "how to declare and to lead: the strategy `book`"}
    pool_names = ("pool",)
    shows = ("turn_up", "pam")
    unseen_verbs = ("discard",)
    keys = ("last",)
    rules: LooRules

    best: Card
    has_miss = False
    miss: int | None = None
    defender: int | None = None
    faced: Sequence[Card] = ()

    def deal(self) -> Story:
        self.count_the_deals()
        self.pay_stake()
        if self.single and not self.last_round:
            self.play_single()
            return
        self.deal_cards()
        if self.has_miss and self.must_stand():
            self.withdraw_the_miss()
        else:
            yield from self.declaring()
        if not self.taken_unplayed():
            yield from self.playing()
            self.share_the_pool()
            self.loo_the_rest()

    @tells(lambda deal: "the last round: all stand, there is no miss, and nobody is looed" if deal.last_round else None)
    def count_the_deals(self) -> None:
        """With last_round = all_stand: In the last deal of a sitting, which is no single, all must stand and nobody is
        looed (p. 17; which deal ours).

        With last_round = all_stand and variant = three-card: There is no miss in that deal (p. 17)."""
        last: bool = self.chance.key("last", self.state.to_come == 0)
        self.last_round = last and self.rules.last_round == "all_stand"

    def pay_stake(self) -> None:
        """The dealer pays {deal_stake counter} into the pool (p. 18).

        With dealer_out: The dealer has no other part in the deal (p. 16)."""
        self.into_pool(self.dealer, self.rules.deal_stake, why="the dealer's stake")
        seats = self.round_from(self.eldest)
        self.order = seats[:-1] if self.rules.dealer_out else seats
        self.played_for = self.pools["pool"]

    @tells(lambda deal: deal.single_text())
    def play_single(self) -> None:
        """The first deal of a sitting, and each deal after one in which nobody was looed, is a single. A card is turned
        up, and each player gets one card face up. The highest card of the turned-up suit takes the pool if it is higher
        than the turned-up card. All others are looed: they pay {single_loo counter}, which stay for the next deal (pp.
        18, 21, 23)."""
        self.pack = self.chance.pack(self.rules.all_cards)
        self.turn_up, *self.faced = self.pack.draw(1 + len(self.order))
        up = self.turn_up
        higher = [card for card in self.faced if card.suit == up.suit and card.rank > up.rank]
        best = max(higher, key=lambda card: card.rank, default=None)
        for seat, card in zip(self.order, self.faced, strict=True):
            if card is best:
                self.into_pool(seat, -self.played_for, why="the highest of the suit turned up")
            else:
                self.into_pool(seat, self.rules.single_loo, why="looed in the single")
        self.single = False

    @tells(lambda deal: f"{deal.turn_up} is turned up: {SUIT_NAMES[deal.trumps]} are trumps")
    def deal_cards(self) -> None:
        """In every other deal each player gets {tricks card}, one at a time. The next card is turned up: its suit is
        trumps, which beats every other suit (pp. 18-19, 23, 27).

        With variant = three-card: The miss, a spare hand, gets as many cards (p. 19)."""
        rules = self.rules
        self.pack = self.chance.pack(rules.all_cards)
        has_miss = self.has_miss and not self.last_round
        self.hands = self.deal_singly(rules.tricks, (*self.order, self.players) if has_miss else self.order)
        self.spare = self.hands.pop() if has_miss else []
        (self.turn_up,) = self.pack.draw(1)
        self.stock = len(self.pack)
        self.trumps = self.turn_up.suit
        self.pam, self.suit, self.power = rules.pam_of[self.trumps], rules.suits[self.trumps], rules.powers[self.trumps]
        self.loo = self.loo_of_this_deal()
        self.declared: list[Action | None] = [None] * self.players
        self.standing: list[int] = []
        self.thrown_up: list[Sequence[Card]] = [()] * self.players
        self.clear_the_table()
        self.winners: list[int] = []

    def loo_of_this_deal(self) -> int:
        """A fixed price (pp. 18, 23); or as much as is in the pool, without or with a limit (p. 26)."""
        if self.rules.loo_mode == "fixed":
            return self.rules.loo
        return self.played_for if self.rules.loo_mode == "unlimited" else min(self.played_for, self.rules.loo_limit)

    def must_stand(self) -> bool:
        """With club_law: All must stand when clubs are trumps (p. 26).

        With club_law and variant = three-card: There is no miss then (p. 26)."""
        return self.last_round or self.rules.club_law and self.trumps == "c"

    @tells(lambda deal: None if deal.last_round else "by the club law all stand, and the miss is withdrawn")
    def withdraw_the_miss(self) -> None:
        """Nobody is asked, all stand on their own cards: under the club law (p. 26), or in the last round (p. 17)."""
        self.standing = [*self.order]

    def declaring(self) -> Story:
        """From the dealer's left, each player declares once: they stand, to play their cards, or fold and are out of
        the deal (pp. 19, 24). If all others fold, the last player is not asked (p. 19)."""
        last = self.order[-1]
        for seat in self.order:
            if seat == last and not self.standing:
                self.standing.append(seat)
            else:
                self.declare(seat, (yield Ask(seat, "declare", self.may_declare(seat))))

    def may_declare(self, seat: int) -> Sequence[Action]:
        """Stand or throw up (p. 19)."""
        return (FOLD, STAND)

    def declare(self, seat: int, action: Action) -> None:
        """Cards thrown up are not shown, and their holder neither pays nor receives (p. 19)."""
        self.declared[seat] = number_only(action)
        if action is FOLD:
            self.thrown_up[seat], self.hands[seat] = self.hands[seat], []
        else:
            self.standing.append(seat)

    def taken_unplayed(self) -> bool:
        """A player who is the only one left takes the pool without play, and the next deal is a single (pp. 19-21)."""
        if len(self.standing) == 1:
            self.take_unplayed(self.standing[0], "all the others have thrown up")
            return True
        return False

    @moves_counters
    def take_unplayed(self, seat: int, why: str = "") -> None:
        """Nobody is looed, and the next deal is a single (pp. 21, 28)."""
        self.take_pool(seat)
        self.single = True

    def playing(self) -> Story:
        """The players play {tricks trick}, each of one card from every player who stands; the winner of a trick leads
        to the next (pp. 17, 21, 27)."""
        self.leader = self.first_leader()
        for _ in range(self.rules.tricks):
            winner = yield from self.one_trick()
            self.winners.append(winner)
            self.gather(winner)

    def first_leader(self) -> int:
        """The first player to the dealer's left who stands leads (p. 20)."""
        return self.standing[0]

    def one_trick(self) -> Story:
        """The highest trump takes the trick, or else the highest card of the suit led (p. 21)."""
        trick, at = self.trick, self.standing.index(self.leader)
        seats = self.standing[at:] + self.standing[:at]
        for seat in seats:
            hand = self.hands[seat]
            cards = self.may_follow(hand) if trick else self.may_lead(hand)
            card = (yield Ask(seat, "play", tuple([card.play for card in cards]))).card
            hand.remove(card)
            trick.append(card)
            if len(trick) == 1 or self.heads(card):
                self.best = card
        return seats[trick.index(self.best)]

    def may_lead(self, hand: list[Card]) -> list[Card]:
        """The first leader must lead the ace of trumps, or the king if the ace is turned up, and to the second trick
        the leader must lead their highest trump (pp. 20-21, 25).

        With lead_law = highest: A first leader who has neither must lead the highest of two or more trumps (pp. 20,
        23).

        With lead_law = any-trump: A first leader who has neither must lead a trump if they have two or more (pp. 20,
        23)."""
        first, second = not self.tricks, len(self.tricks) == 1
        if first and self.best_trump_but_pam() in hand:
            return [self.best_trump_but_pam()]
        trumps = [card for card in hand if self.suit[card] == self.trumps]
        if first and len(trumps) > 1 and self.rules.lead_law == "any-trump":
            return trumps
        if first and len(trumps) > 1 or second and trumps:
            return [max(trumps, key=self.power.__getitem__)]
        return hand

    def best_trump_but_pam(self) -> Card:
        """The ace of trumps; the king, if the ace is turned up (p. 20; before Pam ours)."""
        ace = CARD["A" + self.trumps]
        return CARD["K" + self.trumps] if self.turn_up is ace else ace

    def may_follow(self, hand: list[Card]) -> list[Card]:
        """Players must follow suit if they can, and beat the best card on the table if they can. Players without the
        suit must play a trump if it beats that card, and otherwise play any card (pp. 20-21, 25).

        With pam = clubs or trumps and pam_civil: When the ace of trumps is led, players may not play Pam if they have
        another trump (p. 28)."""
        suit, trumps = self.suit, self.trumps
        led = suit[self.trick[0]]
        following = [card for card in hand if suit[card] == led]
        if not following:
            return [card for card in hand if suit[card] == trumps and self.heads(card)] or hand
        if self.pam in following and self.pam_is_civil(following):
            return [card for card in following if card is not self.pam]
        return [card for card in following if self.heads(card)] or following

    def heads(self, card: Card) -> bool:
        """A trump beats a plain card, and a card a lower one of its suit (p. 21)."""
        suit = self.suit[card]
        return self.power[card] > self.power[self.best] and (suit == self.trumps or suit == self.suit[self.best])

    def pam_is_civil(self, following: list[Card]) -> bool:
        """When the ace of trumps is led Pam gives way, if there is another trump in the hand (p. 28)."""
        return self.rules.pam_civil and self.trick[0] == "A" + self.trumps and len(following) > 1

    @tells(lambda deal: f"the pool keeps what seat {deal.defender} has won" if deal.defender in deal.winners else None)
    def share_the_pool(self) -> None:
        """Each trick takes its share of the pool (pp. 21-22).

        With variant = three-card: The share of a player who defends stays in the pool (p. 20)."""
        tricks = self.rules.tricks
        for number, winner in enumerate(self.winners, 1):
            if winner != self.defender:
                self.into_pool(winner, -((self.played_for + tricks - number) // tricks), why="the share of a trick")

    @tells(lambda deal: "nobody is looed: the next deal is a single" if deal.single and not deal.last_round else None)
    def loo_the_rest(self) -> None:
        """Players who stood and won no trick are looed: they pay a loo into the pool for the next deal (pp. 20-21).

        With loo_mode = fixed: A loo is {loo counter} (pp. 18, 23).

        With loo_mode = unlimited: A loo is as much as was in the pool (p. 26).

        With loo_mode = mixed: A loo is as much as was in the pool, but at most {loo_limit counter} (p. 26)."""
        released = self.standing if self.last_round else (*self.winners, self.defender)
        looed = [seat for seat in self.standing if seat not in released]
        for seat in looed:
            self.into_pool(seat, self.loo, why="looed")
        self.single = not looed

    def says(self, ask: Ask, action: Action) -> str:
        return "throws up his cards" if action is FOLD else super().says(ask, action)

    def how_played(self, card: Card) -> str:
        how = super().how_played(card)
        return f"{how} Pam," if card is self.pam else how

    def suit_in_play(self, card: Card) -> str:
        return self.suit[card]

    def single_text(self) -> str:
        dealt = ", ".join([f"{card} to seat {seat}" for seat, card in zip(self.order, self.faced, strict=True)])
        return f"a single: {self.turn_up} is turned up, and dealt face up {dealt}"

    def refusal(self, ask: Ask, action: Action) -> str:
        hand = self.hands[ask.seat]
        if ask.phase == "declare":
            return self.declaration_refused(ask.seat, action)
        if action.card is None or action != action.card.play:
            return "not a legal action"
        if action.card not in hand:
            return f"{action.card} is not in hand"
        return self.card_refused(hand, action.card) if self.trick else self.lead_refused(hand)

    def declaration_refused(self, seat: int, action: Action) -> str:
        return "not a legal action"

    def lead_refused(self, hand: list[Card]) -> str:
        legal, trumps = self.may_lead(hand), [card for card in hand if self.suit[card] == self.trumps]
        if not self.tricks and self.best_trump_but_pam() in hand:
            return f"must lead the {'ace' if legal[0].rank == 14 else 'king'} of trumps"
        return "must lead a trump" if legal == trumps else "must lead the highest trump"

    def card_refused(self, hand: list[Card], card: Card) -> str:
        led = self.suit[self.trick[0]]
        if self.suit[card] != led and any(self.suit[own] == led for own in hand):
            return "must follow suit"
        return "Pam must be civil" if self.heads(card) else "must head the trick"

    single: bool = carried(True, "whether the next deal is a single, as nobody was looed in the last")

    what_wins = """The highest trump takes the trick. Without a trump the highest card of the suit led takes it (p. 21).

With pack = 52: The ace is high: A K Q J T 9 8 7 6 5 4 3 2 (p. 21).

With pack = 32: The ace is high: A K Q J T 9 8 7 (pp. 21, 28).

With pam = clubs: The highest trump is Pam, the jack of clubs, above the ace (p. 27).

With pam = trumps: The highest trump is Pam, the jack of trumps, above the ace (p. 27).

With variant = five-card: Each trick is worth a fifth of the pool. If the pool does not divide, the first tricks are
worth one counter more (pp. 21-22).

Without variant = five-card: Each trick is worth a third of the pool. If the pool does not divide, the first tricks are
worth one counter more (pp. 21-22).

With flush: A flush, {tricks card} of one suit, takes the pool without play (p. 27)."""
    course = """count_the_deals pay_stake play_single deal_cards must_stand declaring may_declare taken_unplayed playing
first_leader may_lead may_follow share_the_pool loo_the_rest"""

    played_with = "all_cards"
    phases = {
        "declare": "`fold`, `stand`, or `miss` to take the spare hand; the last hand against one player may `defend`, to "
        "play the miss for the pool; five-card and Irish: `discard 2c 5d` stands, and changes those cards",
        "play": "`play As`: follow suit and beat the trick if you can; without the suit, trump if that beats it",
    }

    class View(Tricks.View):
        """The names that everybody sees at Loo, and what the seat alone knows."""

        winners: tuple[Seat, ...] = public("the seat that won each trick")
        order: tuple[Seat, ...] = public("the seats that have cards, eldest first, the last hand last")
        played_for: int = public("the pool that is played for, with the dealer's stake")
        loo: int = public("what a player who is looed in this deal pays")
        turn_up: Card = public("the card turned up")
        faced: tuple[Card, ...] = public("in a single, where nobody is asked, the cards dealt face up, in order")
        last_round: bool = public("whether this is the last round, in which all stand and nobody is looed")
        trumps: str = public("the suit of trumps, s h d c")
        pam: Card | None = public("the card that is Pam in this deal, if there is one")
        declared: Each[Action | None] = public(
            "what each seat has declared, `discard 2` for two cards changed; None before, and where nobody was asked"
        )
        standing: tuple[Seat, ...] = public("the seats that stand, in order")
        miss: Seat | None = public("the seat that holds the miss; None if nobody does")
        defender: Seat | None = public("the seat that plays the miss for the pool; None if nobody does")
        stock: int = public("how many cards are left in the stock")
        thrown_up: tuple[Card, ...] = private("the cards you have folded or changed for others")
