"""Commerce: trading for a better hand of three (Baxter-Wray, "Round Games with Cards", 1891, pp. 70-76;
Foster, "The Poker Family")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from ..actions import NO, PASS, STAND, YES, Action, say
from ..cards import PACK, PACK_32, Card
from ..mechanics.exchange import KNOCK, LIVES, MAX_ROUNDS, Exchange, best_suit, pips
from ..options import FLAG, OneOf, Option, Rules, between
from ..table import Ask, Carry, Story

TRIPLET, SEQUENCE, FLUSH, PAIR, POINT, NOTHING = 5, 4, 3, 2, 1, 0
WRAY, FOSTER = ("modern", "old", "pool"), ("foster", "foster-widow")
PARTS = {"none": 1, "third": 3, "half": 2}  # of the entry is the price of a horse
PLAYED_IN = {  # options that not all variants have
    "stake": ("modern", "old", "foster"),
    "combos": WRAY,
    "dealer_penalty": ("modern", "old"),
    "extended": ("modern",),
    "continuous": ("modern",),
    "entry": ("pool",),
    "prize": ("pool",),
    "horse": ("pool",),
    "lives": ("pool", "foster-widow"),
    "extra": FOSTER,
    "game": ("foster-widow",),
    "whiskey": ("foster-widow",),
}


class Commerce(Exchange):
    """Three cards each, bettered by trading with the dealer and the neighbour, or with three cards on the table."""

    id = "commerce"
    title = "Commerce"
    family = "commerce"
    seats = (2, 12)
    usual = (5, 8)
    source = 'Baxter-Wray, "Round Games with Cards", 1891, pp. 70-76; Foster, "The Poker Family"'
    course = """Modern: each stakes one counter, the dealer two. Three cards each. Each in turn must stand, or buy a
card of the pack from the dealer for the stake, putting out one of his own, or barter: he offers a card unseen to his
left neighbour, who gives one for it. Who stands, or will not give, ends the trading. The best hand takes the pool:
tricon, three of a rank; sequence, of one suit; flush; pair; point. The dealer, if he is beaten, pays the stake to the
best hand, and he who stood to each hand better than his.

Old: nothing is staked, and three cards lie face up on the table. Each in turn takes one for a card of his hand, passes
or stands; when two have stood the others have one turn more. Then each other hand pays the stake to the best.

Pool: as old, but each has lives, and pays an entry into the pool. The best hand takes a prize out of it, the worst
loses a life, and the last who has lives takes what is left.

Foster: each stakes one counter, and trades as in the modern form; one who is content knocks, and ends it. The best
hand takes the pool: triplet, sequence flush, or else the most pips of one suit, ace eleven and court cards ten. The
dealer, if he is beaten, pays the stake to the best hand, or to everybody if his own is of the same class.

Foster-widow: these hands, but each has lives, and puts one of them into the pool in every deal. Three cards lie face
up, which the dealer may take whole for his own, unseen. Each in turn must draw one of them for one of his, or knock,
which ends it; the best hand takes the lives of the pool. Who loses his last pays for the whiskey, or is out until one
has all."""

    options = (
        Option("variant", "modern", OneOf(*WRAY, *FOSTER), "the form of the game", "Baxter-Wray pp. 70-75; Foster"),
        Option(
            "pack", "52", OneOf("52", "32"), "with 32: seven to ace, for at most seven players", "Baxter-Wray p. 70"
        ),
        Option("stake", 1, between(1, 100), "modern, old, foster: the one stake of the game", "Baxter-Wray p. 72"),
        Option(
            "combos",
            "full",
            OneOf("full", "no-pair", "no-flush-pair"),
            "modern, old, pool: limited commerce: pairs, or flushes as well, count as point",
            "Baxter-Wray p. 75",
        ),
        Option(
            "dealer_penalty",
            "none",
            OneOf("none", "better", "all"),
            "modern, old: a dealer beaten with more than a point pays each better hand, or all",
            "Baxter-Wray p. 76",
        ),
        Option(
            "extended",
            False,
            FLAG,
            "modern: who stands only leaves the trading, which ends when all have",
            "Baxter-Wray p. 76",
        ),
        Option(
            "continuous", False, FLAG, "modern: the dealer deals until a flush or better is shown", "Baxter-Wray p. 76"
        ),
        Option(
            "entry", 6, between(1, 1000), "pool: what each pays in for a game", "Baxter-Wray p. 75; the figure ours"
        ),
        Option("prize", 1, between(0, 100), "pool: what the best hand takes", "Baxter-Wray p. 75; the figure ours"),
        Option(
            "horse",
            "third",
            OneOf(*PARTS),
            "pool: the first out may buy a life for this part of the entry",
            "Baxter-Wray p. 75",
        ),
        Option("lives", 3, between(1, 20), "pool and foster-widow: lives of each", "Baxter-Wray p. 75; Foster"),
        Option("extra", False, FLAG, "Foster's games: flush and pair rank above the point", "Foster"),
        Option(
            "game",
            "whiskey",
            OneOf("whiskey", "freeze"),
            "foster-widow: until one has lost his lives, and pays for the whiskey; or until one has all",
            "Foster",
        ),
        Option(
            "whiskey", 1, between(1, 100), "foster-widow, game whiskey: what he pays to each", "Foster; the figure ours"
        ),
        MAX_ROUNDS,
    )

    @classmethod
    def refusals(cls, rules: Rules) -> Iterator[str]:
        variant, given = rules.variant, rules.given
        for key, variants in PLAYED_IN.items():
            value = getattr(rules, key)
            if key in given and value is not False and variant not in variants:
                yield f'{key} with variant = "{variant}": it belongs to {", ".join(variants)}'
        if "whiskey" in given and rules.game == "freeze":
            yield 'whiskey with game = "freeze": who has no lives left pays nothing, and is out'
        if rules.pack == "32" and variant in FOSTER:
            yield f'pack = "32" with variant = "{variant}": Foster has the whole pack'
        if rules.pack == "32" and rules.players > 7:
            yield f'pack = "32" with {rules.players} players: at most seven'
        if variant == "pool" and rules.entry % PARTS[rules.horse]:
            yield f'entry = {rules.entry} with horse = "{rules.horse}": it cannot be divided by {PARTS[rules.horse]}'

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        rules.cards = PACK if rules.pack == "52" else PACK_32
        rules.with_lives = rules.variant in ("pool", "foster-widow")
        rules.with_table = rules.variant in ("old", "pool", "foster-widow")
        rules.stop = KNOCK if rules.variant == "foster" else STAND
        rules.value = partial(foster, rules.extra) if rules.variant in FOSTER else partial(wray, rules.combos)
        rules.price = rules.entry // PARTS[rules.horse]

    @classmethod
    def sitting(cls, rules: Rules) -> int:
        """Each deals once; with lives as many deals as there are lives, or until the game is over."""
        return int(rules.players * (rules.lives if rules.with_lives else 1))

    carried = {"lives": LIVES, "horse": Carry(False, "pool: whether a horse has been offered in this game")}
    phases = {
        "trade": "modern and foster: `stand` (foster: `knock`), `buy 2c`, `barter 2c`; old and pool: `pass`, `stand`, or"
        " `draw As 2c`, the ace for the deuce",
        "answer": "modern and foster, to whom a card is offered unseen: `give 2c`, or `stand` (`knock`)",
        "declare": "modern, after a trade: `stand`, or `pass`",
        "dealer": "foster-widow, to the dealer, who has not seen his cards: `yes` for those on the table, or `no`",
        "draw": "foster-widow: `draw As 2c`, or `knock`",
        "horse": "pool, to who has just lost his last life: `yes` to buy another, or `no`",
    }
    public = {
        **Exchange.public,
        "trading": "the seats that still trade or exchange, the one in turn first",
        "stood": "the seats that have stood (foster: knocked), the first first",
        "stock": "how many cards are left in the pack",
        "turns": "turns that are over; after `max_rounds` rounds the next must stand or knock (old, pool: all pass)",
        "lives": LIVES.help,
        "horse": carried["horse"].help,
    }
    horse: bool
    deals_again = False

    def deal(self) -> Story:
        variant = self.rules.variant
        self.pay_in()
        self.deal_cards()
        if variant == "foster-widow":
            yield from self.dealers_choice()
            yield from self.drawing(self.order[0])
        else:
            yield from self.round_and_round()
        self.show(self.rules.value)
        if variant == "modern":
            self.settle_modern()
        elif variant == "old":
            self.settle_old()
        elif variant == "foster":
            self.settle_foster()
        elif variant == "pool":
            yield from self.settle_pool()
        else:
            self.settle_widow()

    def pay_in(self) -> None:
        """The stake, of the dealer twice in the modern game; the entry of pool commerce at the first deal of a game."""
        rules, each = self.rules, 0
        if rules.with_lives:
            if self.new_game() and rules.variant == "pool":
                self.horse, each = False, rules.entry
        elif rules.variant != "old":
            each = rules.stake
        for seat in range(self.players):
            self.into_pool(seat, each)
        if rules.variant == "modern":
            self.into_pool(self.dealer, each)

    def deal_cards(self) -> None:
        self.deal_hands(3, self.rules.with_table, self.rules.cards)
        self.trading, self.stood = [*self.order], list[int]()
        self.bottom: list[Card] = []

    @property
    def stock(self) -> int:
        return len(self.pack) + len(self.bottom)

    def round_and_round(self) -> Story:
        """Round to the left from the eldest, as long as anybody trades."""
        turn = self.exchange if self.rules.with_table else self.trade
        while self.trading:
            seat = self.trading[0]
            yield from turn(seat)
            self.turns += 1
            if seat in self.trading:
                self.trading.append(self.trading.pop(0))

    # modern and foster: the dealer and the neighbour

    def trade(self, seat: int) -> Story:
        """One must stand, buy or barter; whose offer is refused in the extended game is asked again."""
        stop, modern = self.rules.stop, self.rules.variant == "modern"
        while True:
            said = yield Ask(seat, "trade", self.may_trade(seat))
            if said is stop:
                return self.stand(seat)
            if said.verb == "buy":
                self.buy(seat, said.card)
                break
            other = self.trading[1]
            answer = yield Ask(other, "answer", (stop, *[say("give", card) for card in self.hands[other]]))
            if answer is not stop:
                self.swap(seat, said.card, other, answer.card)
                break
            self.stand(other)
            if not self.trading:
                return
        if modern and (yield Ask(seat, "declare", (PASS, STAND))) is STAND:
            self.stand(seat)

    def may_trade(self, seat: int) -> tuple[Action, ...]:
        if self.last_round_is_over():
            return (self.rules.stop,)
        hand = self.hands[seat]
        bought = [say("buy", card) for card in hand] if self.stock else []
        bartered = [say("barter", card) for card in hand] if len(self.trading) > 1 else []
        return (self.rules.stop, *bought, *bartered)

    def stand(self, seat: int) -> None:
        """All trading is over; extended, only this seat's."""
        self.stood.append(seat)
        self.trading = [other for other in self.trading if self.rules.extended and other != seat]

    def buy(self, seat: int, card: Card) -> None:
        """For the top card of the pack, of the dealer, who pays himself; modern, the card goes to the bottom."""
        self.pay(seat, self.dealer, self.rules.stake)
        top = self.pack.draw(1)[0] if len(self.pack) else self.bottom.pop(0)
        self.hands[seat][self.hands[seat].index(card)] = top
        if self.rules.variant == "modern":
            self.bottom.append(card)

    def swap(self, seat: int, card: Card, other: int, given: Card) -> None:
        for owner, lost, got in (seat, card, given), (other, given, card):
            self.hands[owner][self.hands[owner].index(lost)] = got

    # old and pool: three cards on the table

    def exchange(self, seat: int) -> Story:
        """Who passes or stands is done. When two have stood each of the others has one last turn."""
        last = len(self.stood) == 2
        said = yield Ask(seat, "trade", self.may_exchange(seat, last))
        self.change(seat, said)
        if said is STAND:
            self.stood.append(seat)
        if last or said is STAND or said is PASS:
            self.trading.remove(seat)

    def may_exchange(self, seat: int, last: bool) -> tuple[Action, ...]:
        if self.last_round_is_over():
            return (PASS,)
        return (PASS, *([] if last else [STAND]), *self.may_take(seat))

    # Foster's widow

    def dealers_choice(self) -> Story:
        """The dealer may take the widow for his own cards, which he has not seen."""
        dealer = self.order[-1]
        unseen, self.hands[dealer] = self.hands[dealer], []
        takes = (yield Ask(dealer, "dealer", (NO, YES))) is YES
        self.hands[dealer], self.table = (self.table, unseen) if takes else (unseen, self.table)

    # the settlements

    def better_than(self, seat: int) -> list[int]:
        return [other for other in self.order if self.value_of[other] > self.value_of[seat]]

    def settle_modern(self) -> None:
        """The best hand takes the pool, and the stake of a beaten dealer; the stander pays to each better hand."""
        stake, winners = self.rules.stake, self.best()
        self.divide_pool(winners)
        if self.dealer not in winners:
            for winner in winners:
                self.pay(self.dealer, winner, stake)
        if not self.rules.extended:
            for better in self.better_than(self.stood[0]):
                self.pay(self.stood[0], better, stake)
        self.pay_penalty()
        high = any(value[0] >= FLUSH for value in self.value_of.values())
        self.deals_again = self.rules.continuous and not high

    def settle_old(self) -> None:
        """Each pays the stake to the best hand."""
        winners = self.best()
        for payer in self.order:
            for winner in winners:
                if payer not in winners:
                    self.pay(payer, winner, self.rules.stake)
        self.pay_penalty()

    def pay_penalty(self) -> None:
        """A dealer who is beaten with more than a point pays the stake to all, or to each better hand."""
        better = self.better_than(self.dealer)
        if better and self.value_of[self.dealer][0] > POINT:
            payees = {"none": [], "better": better, "all": self.order[:-1]}[self.rules.dealer_penalty]
            for payee in payees:
                self.pay(self.dealer, payee, self.rules.stake)

    def settle_foster(self) -> None:
        """The best hand takes the pool; a dealer beaten in its class pays all others, else only the winner."""
        winner = self.placed()[0]
        self.take_pool(winner)
        if winner != self.dealer:
            same = self.value_of[winner][0] == self.value_of[self.dealer][0]
            for payee in self.order[:-1] if same else [winner]:
                self.pay(self.dealer, payee, self.rules.stake)

    def placed(self) -> list[int]:
        """Foster's order, the best first; of equal hands the dealer's, then that of the first on his left."""
        return sorted([self.order[-1], *self.order[:-1]], key=self.value_of.__getitem__, reverse=True)

    def settle_pool(self) -> Story:
        """The best hand takes the prize, the worst loses a life; the last who has any takes the pool."""
        for winner in self.best():
            self.into_pool(winner, -min(self.rules.prize, self.pools["pool"]))
        self.lose_a_life(self.worst())
        yield from self.offer_horse()
        if self.over():
            self.take_pool(next(seat for seat in self.order if self.lives[seat]))

    def offer_horse(self) -> Story:
        """Who is first out of a game may buy one more life; if several are, the first who will."""
        out = [seat for seat in self.order if not self.lives[seat]]
        if not out or self.horse or self.rules.horse == "none":
            return
        self.horse = True
        for seat in out:
            if (yield Ask(seat, "horse", (NO, YES))) is YES:
                self.into_pool(seat, self.rules.price)
                self.lives[seat] = 1
                return

    def settle_widow(self) -> None:
        """Each loses a life to the best hand: a counter, or nothing until one who has lost all pays for the whiskey."""
        winner, *losers = self.placed()
        self.lose_a_life(losers)
        self.lives[winner] += len(losers)
        if self.rules.game == "freeze":
            for loser in losers:
                self.pay(loser, winner, 1)
        elif self.over():
            payer = [seat for seat in losers if not self.lives[seat]][-1]
            for payee in self.order:
                self.pay(payer, payee, self.rules.whiskey)

    # lives

    def over(self) -> bool:
        """A game of lives is over when only one has any; for the whiskey as soon as one has none."""
        if not self.rules.with_lives:
            return False
        whiskey = self.rules.variant == "foster-widow" and self.rules.game == "whiskey"
        return sum(map(bool, self.lives)) < (self.players if whiskey else 2)

    def in_the_game(self, first: int) -> Sequence[int]:
        """Who has lost his lives is out, until a new game begins."""
        seats = self.round_from(first)
        if not self.rules.with_lives or self.over():
            return seats
        return [seat for seat in seats if self.lives[seat]]

    def next_dealer(self) -> int:
        """The next in the game; with continuous dealing the same, until a flush or better was shown."""
        return self.dealer if self.deals_again else self.in_the_game(self.next_to(self.dealer))[0]

    # words

    def refusal(self, ask: Ask, said: Action) -> str:
        if said.verb in ("buy", "barter", "give") and said.card and len(said.words) == 1:
            if said.card not in self.hands[ask.seat]:
                return f"{said.card} is not in hand"
            if said.verb == "buy" and not self.stock:
                return "no cards left"
            if said.verb == "barter" and self.rules.extended and len(self.trading) < 2:
                return "nobody to barter with"
        if said == STAND and self.rules.with_table and len(self.stood) == 2:
            return "two have stood"
        return super().refusal(ask, said)

    def seen(self, ask: Ask, action: Action) -> Action:
        """Nobody sees what was bought for, offered or given."""
        return say(action.verb) if action.verb in ("buy", "barter", "give") else action


# Hands: the greater value is the better, its class first.


def sequence(ranks: list[Any]) -> int:
    """The top of three cards of one suit, if they follow on each other; ace, three, deuce is the lowest."""
    return 3 if ranks == [14, 3, 2] else int(ranks[0]) if ranks[0] - ranks[2] == 2 else 0


def wray(combos: str, hand: Sequence[Card]) -> tuple[float, ...]:
    """Tricon, sequence, flush, pair, point."""
    ranks = sorted([card.rank for card in hand], reverse=True)
    point = sum(map(pips, hand))
    if ranks[0] == ranks[2]:
        return TRIPLET, ranks[0]
    if len({card.suit for card in hand}) == 1:
        if top := sequence(ranks):
            return SEQUENCE, top
        if combos != "no-flush-pair":
            return FLUSH, point, *ranks
    if combos == "full" and ranks[1] in (ranks[0], ranks[2]):
        return PAIR, ranks[1], sum(ranks) - 2 * ranks[1]
    return POINT, point, *ranks


def foster(extra: bool, hand: Sequence[Card]) -> tuple[float, ...]:
    """Triplet, sequence flush, flush and pair if they count, point of two or three cards, nothing."""
    ranks = sorted([card.rank for card in hand], reverse=True)
    total, cards = best_suit(hand, 2)
    if ranks[0] == ranks[2]:
        return TRIPLET, ranks[0]
    if cards == 3 and (top := sequence(ranks)):
        return SEQUENCE, top
    if extra and cards == 3:
        return FLUSH, total
    if extra and ranks[1] in (ranks[0], ranks[2]):
        return PAIR, ranks[1], sum(ranks) - 2 * ranks[1]
    return (POINT, total, cards) if cards else (NOTHING,)
