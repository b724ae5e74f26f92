"""Spoil Five: three tricks of five take the pool, or the deal is spoilt (Baxter-Wray, "Round Games
with Cards", 1891, pp. 103-107).

The pages with the ranks of the cards and the stakes are damaged; these are reconstructed from the common rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from roundsim.game import (
    NO,
    PACK,
    STAND,
    SUIT_NAMES,
    SUITS,
    YES,
    Action,
    Ask,
    Card,
    Each,
    Quiet,
    Seat,
    Story,
    Tricks,
    card,
    carried,
    private,
    public,
    say,
    tells,
)

if TYPE_CHECKING:
    from . import SpoilFiveRules

FIVE, TAKE, JINK = say("five"), say("take"), say("jink")
ROB = {card: say("rob", card) for card in PACK}
ROBBED = say("rob")  # as the others see it
ACE = {suit: card("A" + suit) for suit in SUITS}
ACE_OF_HEARTS = ACE["h"]


class SpoilFive(Tricks):
    """Win three of the five tricks to take the pool; if you cannot, stop the others from doing so."""

    id = "spoil-five"
    title = "Spoil Five"
    family = "tricks"
    seats = (2, 10)
    usual = (4, 5)
    source = (
        'Baxter-Wray, "Round Games with Cards", 1891, pp. 103-107; ranks, pool and stakes, on damaged pages,'
        " reconstructed from the common rules"
    )
    pool_names = ("pool",)
    shows = ("turn_up", "turned")
    unseen_verbs = ("rob",)
    rules: SpoilFiveRules

    robber: int | None = None
    declined: int | None = None
    debarred: int | None = None
    jinker: int | None = None
    winner: int | None = None
    may_rob: int | None = None

    def deal(self) -> Story:
        self.pay_stakes()
        self.deal_cards()
        if self.rules.fiving:
            yield from self.asking_for_another_turn_up()
        if self.rules.robbing != "off":
            yield from self.looking_for_the_ace()
        yield from self.playing()
        self.settle()

    def pay_stakes(self) -> None:
        """With game = pool: Each player pays {stake counter} into the pool, or after a spoilt deal {spoil_stake
        counter} (pp. 103-104; reconstructed).

        With game = 25 or 45: At the beginning of a game, each player pays {stake counter} into the pool (pp. 103-104;
        reconstructed).

        With deal_stake: The dealer pays {deal_stake counter} more in every deal (pp. 103-104; reconstructed)."""
        rules = self.rules
        after = rules.spoil_stake if rules.game == "pool" else 0
        counters, why = (after, "the stake after a spoilt deal") if self.live else (rules.stake, "the stake")
        for seat in range(self.players):
            self.into_pool(seat, counters, why=why)
        self.into_pool(self.dealer, rules.deal_stake, why="the dealer's stake besides")

    def deal_cards(self) -> None:
        """Each player gets five cards, in packets of three and two. The next card is turned up: its suit is trumps,
        which beats every other suit (p. 104).

        With partners: Players at alternate seats are partners: their tricks count together, and they share the pool
        (pp. 104, 107)."""
        self.sides = self.rules.sides
        self.order = self.round_from(self.eldest)
        self.pack = self.chance.pack(PACK)
        self.hands = self.deal_packets((3, 2) if self.rules.deal_order == "3-2" else (2, 3), self.order)
        self.turned: list[Card] = []
        self.turn_up_the_next()
        self.put_out: list[list[Card]] = [[] for _ in range(self.players)]
        self.clear_the_table()
        self.leader = self.eldest

    @tells(lambda deal: f"{deal.turn_up} is turned up: {SUIT_NAMES[deal.trumps]} are trumps")
    def turn_up_the_next(self) -> None:
        self.turn_up = self.pack.draw(1)[0]
        self.trumps = self.turn_up.suit
        self.heights, self.following = self.rules.heights[self.trumps], self.rules.following[self.trumps]

    def asking_for_another_turn_up(self) -> Story:
        """With fiving: If the player on the dealer's left asks and the dealer agrees, cards are turned up until another
        suit appears (p. 107)."""
        if (yield Ask(self.eldest, "five", (STAND, FIVE))) is STAND:
            return
        if (yield Ask(self.dealer, "answer", (NO, YES))) is NO:
            return
        original = self.trumps
        while self.trumps == original and len(self.pack):
            self.turned.append(self.turn_up)
            self.turn_up_the_next()

    def looking_for_the_ace(self) -> Story:
        """With robbing: If the turned-up card is an ace, the dealer may rob it before the first lead. Otherwise the
        player who holds the ace of trumps may rob, when their turn comes in the first trick (pp. 104-106)."""
        ace = ACE[self.trumps]
        if self.turn_up is ace:
            yield from self.robbing(self.dealer)
        else:
            self.may_rob = next((seat for seat in self.order if ace in self.hands[seat]), None)

    def robbing(self, seat: int) -> Story:
        """With robbing: A player who robs takes the turned-up card in exchange for a card of their hand, which nobody
        sees (pp. 105-106).

        With robbing = compulsory: If a player who holds the ace of trumps does not rob, their tricks do not count in
        this deal (pp. 105-106)."""
        ace, hand = ACE[self.trumps], self.hands[seat]
        quiet = self.rules.robbing == "optional" and self.turn_up is not ace
        action = yield (Quiet if quiet else Ask)(seat, "rob", (NO, *[ROB[card] for card in hand if card is not ace]))
        if action is NO:
            self.declined = None if quiet else seat
            if self.rules.robbing == "compulsory" and self.turn_up is not ace:
                self.debar(seat)
        else:
            hand.remove(action.card)
            hand.append(self.turn_up)
            self.put_out[seat].append(action.card)
            self.robber = seat

    @tells("seat {seat}, who holds the ace of trumps, is debarred: his tricks do not count")
    def debar(self, seat: int) -> None:
        """A player who holds the ace of trumps and does not rob cannot win the pool (pp. 105-106)."""
        self.debarred = seat

    def playing(self) -> Story:
        """Play stops after five tricks, or as soon as the pool is won (p. 105)."""
        for _ in range(5):
            seat = yield from self.one_trick()
            if self.rules.game != "pool":
                self.score(seat)
            if self.jinker is not None:
                if seat != self.jinker:
                    return
            elif self.wins(seat):
                if not self.can_jink(seat) or (yield Ask(seat, "jink", (TAKE, JINK))) is TAKE:
                    self.winner = seat
                    return
                self.jinker = seat
        self.winner = self.jinker

    def one_trick(self) -> Story:
        """The eldest hand, the player on the dealer's left, leads any card, and the others play one card each in turn.
        These cards are a trick. The winner of a trick leads to the next (pp. 104-106)."""
        trick, hands, seats = self.trick, self.hands, self.round_from(self.leader)
        for seat in seats:
            if seat == self.may_rob:
                self.may_rob = None
                yield from self.robbing(seat)
            card = (yield Ask(seat, "play", self.may_play(hands[seat]))).card
            hands[seat].remove(card)
            trick.append(card)
        best = max(trick, key=self.heights[trick[0].suit].__getitem__)
        winner = seats[trick.index(best)]
        self.gather(winner)
        return winner

    def may_play(self, hand: list[Card]) -> tuple[Action, ...]:
        """With ranking = spoil-five: If the card led is not a trump, players who hold its suit must follow suit or play
        a trump, and the others may play any card. The ace of hearts, when led, asks for hearts (pp. 104-106).

        With ranking = ordinary: If the card led is not a trump, players who hold its suit must follow suit or play a
        trump, and the others may play any card (pp. 104-106).

        If a trump is led, players must play a trump if they can (pp. 105-106).

        With ranking = spoil-five: But the five of trumps, the jack of trumps and the ace of hearts need not be played
        to a lower trump (pp. 105-106)."""
        if self.trick:
            binding, allowed, _ = self.following[self.trick[0]]
            if not binding.isdisjoint(hand):
                return tuple([card.play for card in hand if card in allowed])
        return tuple([card.play for card in hand])

    @tells(lambda deal, seat: None if seat == deal.debarred else f"seat {seat} has {deal.scores[seat]} points")
    def score(self, seat: int) -> None:
        """With game = 25 or 45: Each trick is five points to the player who wins it (p. 107)."""
        if seat != self.debarred:
            side = self.rules.side[seat]
            self.scores = [score + 5 if one in side else score for one, score in enumerate(self.scores)]

    def wins(self, seat: int) -> bool:
        """With game = pool: The first player to win {tricks_to_win trick} wins the pool (pp. 105, 107).

        With game = 25 or 45: The first player who has {game} points, or wins all five tricks of a deal, wins the pool
        (p. 107)."""
        side, game = self.rules.side[seat], self.rules.game
        counted = sum(self.won[one] for one in side if one != self.debarred)
        if game == "pool":
            return counted == self.rules.tricks_to_win
        all_five = counted == 5 and self.debarred not in side
        return all_five or max(self.scores[one] for one in side) >= int(game)

    def can_jink(self, seat: int) -> bool:
        """With jinking: A player who has won every trick so far need not take the pool, but may jink: try for all five
        tricks. If they win them, each other player pays them {stake counter} besides the pool; if they lose one, the
        deal ends and is spoilt (p. 107; that it ends ours)."""
        return self.rules.jinking and self.won[seat] == len(self.tricks)

    @tells(lambda deal: NOT_WON[deal.rules.game] if deal.winner is None else None)
    def settle(self) -> None:
        """With game = pool: If nobody wins the pool, the deal is spoilt, and the pool stays on the table for the next
        deal (pp. 103, 107).

        With game = 25 or 45: The points and the pool stay from deal to deal until the game is won (p. 107)."""
        self.live = self.winner is None
        if self.winner is None:
            return
        side = [seat for seat in self.order if seat in self.rules.side[self.winner]]
        share, odd = divmod(self.pools["pool"], len(side))
        for place, seat in enumerate(side):
            self.into_pool(seat, -share - (place < odd), why="the pool is won")
        if self.jinker is not None:
            self.others_pay(self.winner, self.rules.stake, "the jink is made")
        self.scores = [0] * self.players

    def says(self, ask: Ask, action: Action) -> str:
        if action.verb == "rob":
            return f"robs {self.turn_up}, and puts out {action.card or 'a card'}"
        if action is NO and ask.phase == "rob":
            return "does not rob"
        return SAYS.get(action) or super().says(ask, action)

    def how_played(self, card: Card) -> str:
        """The ace of hearts is always a trump (p. 103), but in the ordinary sequence (p. 106)."""
        if card is ACE_OF_HEARTS and self.trick and self.rules.ranking == "spoil-five":
            return "follows with" if self.trick[0].suit == self.trumps else "trumps with"
        return super().how_played(card)

    def refusal(self, ask: Ask, action: Action) -> str:
        hand, card = self.hands[ask.seat], action.card
        if ask.phase == "play" and card and action == card.play:
            if card not in hand:
                return f"{card} is not in hand"
            return self.following[self.trick[0]].refusal
        if ask.phase == "rob" and card and action == say("rob", card):
            return (
                f"{card}, the ace of trumps, is not in hand to be put out" if card in hand else f"{card} is not in hand"
            )
        return "not a legal action"

    def seen(self, ask: Ask, action: Action) -> Action:
        return ROBBED if action.verb in self.unseen_verbs else action

    live: bool = carried(False, "whether the last deal was spoilt; with game 25 or 45, whether a game is in progress")
    scores: list[int] = carried(
        lambda rules, dealer: [0] * rules.players, "with game 25 or 45: the points of each seat", names="each"
    )

    what_wins = """The highest trump takes the trick. Without a trump the highest card of the suit led takes it (p.
105).

With ranking = spoil-five: The three highest trumps are the five of trumps, the jack of trumps and the ace of hearts,
which is always a trump. The ace of trumps comes next. The other trumps run K Q T 9 8 7 6 4 3 2 in hearts and diamonds,
but K Q 2 3 4 6 7 8 9 T in spades and clubs, where low numbers rank higher (p. 103, reconstructed).

With ranking = spoil-five: Suits that are not trumps run K Q J T 9 8 7 6 5 4 3 2 in hearts, the same in diamonds with
the ace last, and K Q J A 2 3 4 5 6 7 8 9 T in spades and clubs (p. 103, reconstructed).

With ranking = ordinary: The ace is high in every suit: A K Q J T 9 8 7 6 5 4 3 2 (p. 106)."""
    course = """pay_stakes deal_cards asking_for_another_turn_up looking_for_the_ace robbing one_trick may_play score
wins playing can_jink settle"""

    phases = {
        "five": "option fiving, to the eldest hand: `stand`, or `five` to ask for another turned-up card",
        "answer": "after `five`, to the dealer: `yes` or `no`",
        "rob": "to the dealer if the ace is turned up, else to its holder: `no`, or `rob 2c` to give that card for it",
        "play": "`play As`: follow suit or trump; to a trump play a trump, except a higher one of the three highest",
        "jink": "option jinking, to the player who has won every trick: `take` the pool, or `jink` to try for all five",
    }

    class View(Tricks.View):
        """The names that everybody sees at Spoil Five, and what the seat alone knows."""

        order: tuple[Seat, ...] = public("the seats, eldest first, the dealer last")
        turn_up: Card = public("the card turned up for trumps, even after it has been taken")
        turned: tuple[Card, ...] = public("the cards turned up before it")
        trumps: str = public("the suit of trumps, s h d c")
        robber: Seat | None = public("the seat that has taken the turned-up card; None: nobody")
        declined: Seat | None = public(
            "the seat that declined to take it; None: nobody, or with robbing optional a holder of the ace"
        )
        debarred: Seat | None = public("the seat whose tricks do not count; None: nobody")
        jinker: Seat | None = public("the seat that tries for all five tricks; None: nobody")
        live: bool = public()
        scores: Each[int] = public()
        put_out: tuple[Card, ...] = private("the card you have exchanged for the turned-up card")


SAYS = {
    FIVE: "asks for another turn-up",
    YES: "agrees to another turn-up",
    NO: "refuses another turn-up",
    TAKE: "takes the pool",
    JINK: "jinks, to win all five tricks",
}
NOT_WON: dict[str, str] = {
    "pool": "the deal is spoilt: the pool stays",
    "25": "nobody has 25 points: the game goes on",
    "45": "nobody has 45 points: the game goes on",
}
