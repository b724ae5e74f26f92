"""Ambigu: four cards in two draws, with points, primes, sequences and tricons (Foster, "The Poker Family", section
Ambigu)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from roundsim.game import (
    CALL,
    PASS,
    PASS_OR_BET,
    SUITS,
    TO_THE_RIGHT,
    Action,
    Ask,
    Card,
    Discards,
    Each,
    Poker,
    PokerRules,
    Seat,
    Story,
    Whole,
    frozen_out,
    moves_counters,
    option,
    pack_of,
    private,
    public,
    say,
    tells,
)

LINE = "A23456789T"  # lowest first; an ace is worth 1, a ten 10
PACK_40 = pack_of(LINE)
PIPS = {card: LINE.index(card[0]) + 1 for card in PACK_40}
REDEAL, KEEP = say("redeal"), say("keep")
Worth = tuple[int, ...]  # a class, and what decides within it: the higher is the better


class Ambigu(Poker):
    """Hold the best four cards after changing some of them, or bet until all others give up."""

    id = "ambigu"
    title = "Ambigu"
    family = "poker"
    seats = (2, 6)
    usual = (4, 4)
    source = 'Foster, "The Poker Family", section Ambigu'
    own_places = {"section Ambigu": "take_places gap may_say may_answer speak speaking fold lay_down take_pots over"}
    pool_names = ("pool",)
    rounds = TO_THE_RIGHT
    reshuffles = True
    unseen_verbs = ("discard",)
    same_dealer = False  # until he deals again
    rules: AmbiguRules

    def deal(self) -> Story:
        yield from self.playing()
        self.leave_the_game()

    def playing(self) -> Story:
        """Two cards and a draw, two more and the betting; then another draw and betting, and the show (section
        Ambigu)."""
        self.pay_blinds()
        self.deal_two_each()
        yield from self.first_draw()
        self.deal_two_more()
        yield from self.betting("play")
        if self.better is None:
            yield from self.redealing()
            if self.same_dealer:
                return
        elif len(self.still_in) == 1 and not self.raises:
            self.first_bet_refused(self.better)
            return
        if len(self.still_in) > 1:
            yield from self.second_draw()
            yield from self.betting("last-play")
            if self.better is None and len(self.able_from(self.eldest)) > 1:
                self.abandon_the_hands()
                return
        self.settle()

    def pay_blinds(self) -> None:
        """The deal and the play go to the right. Each player pays a blind of {blind counter} into the pool (section
        Ambigu)."""
        self.take_places()
        for seat in self.dealt_in:
            self.into_pool(seat, self.rules.blind, why="the blind")
        self.drawn: list[list[int]] = [[] for _ in range(self.players)]
        self.put_out: list[tuple[Card, ...]] = [()] * self.players
        self.dead: list[Card] = []  # what has been put out and has not come back, the first on top
        self.shuffles = 1

    def deal_two_each(self) -> None:
        """Each player gets two cards. The eldest hand, the player on the dealer's right, is always first (section
        Ambigu)."""
        self.pack = self.chance.pack(PACK_40)
        self.hands = self.deal_singly(2, self.dealt_in)

    def first_draw(self) -> Story:
        """Each player in turn may change one or both cards, and pays an ante of {ante counter}, also for changing none.
        Then each gets two more cards (section Ambigu)."""
        for seat in self.dealt_in:
            yield from self.draw(seat, "first-draw")
            self.into_pool(seat, self.rules.ante, why="the ante")

    def draw(self, seat: int, phase: str) -> Story:
        """A player puts cards away and gets as many (section Ambigu)."""
        hand = self.hands[seat]
        cards = (yield Ask(seat, phase, Discards("discard", hand, 0, 4))).cards
        for card in cards:
            hand.remove(card)
        self.put_out[seat] += cards
        self.drawn[seat].append(len(cards))
        due, left = len(cards), len(self.pack)
        if due > left:
            hand += self.pack.draw(left)
            due -= left
            self.make_a_new_pack()
        hand += self.pack.draw(due)
        self.dead += cards

    @tells("the pack runs out, and the discards are shuffled")
    def make_a_new_pack(self) -> None:
        """If the pack runs out, all cards put away before make a new one (section Ambigu)."""
        self.shuffles += 1
        self.pack, self.dead = self.chance.pack(self.dead, f"pack {self.shuffles}"), []

    def deal_two_more(self) -> None:
        """From the rest of the pack, without what was put out (section Ambigu)."""
        for seat, cards in enumerate(self.deal_singly(2, self.dealt_in)):
            self.hands[seat] += cards

    def betting(self, phase: str) -> Story:
        """Each player in turn passes until one bets. Then all others answer, also those who have passed (section
        Ambigu; passing ours). A bet or a raise is of 1 to {limit} counters (section Ambigu)."""
        self.better, self.raises = None, 0
        able = self.able_from(self.eldest)
        for seat in able if len(able) > 1 else ():
            action = yield Ask(seat, phase, PASS_OR_BET[self.most(seat)])
            if action is not PASS:
                self.speak(seat, action)
                yield from self.speaking(self.others_able(seat), "bet")
                return

    def redealing(self) -> Story:
        """If all pass in the first betting, the dealer deals again, or pays {ante counter} into the pool, to go on with
        these hands (section Ambigu)."""
        self.same_dealer = (yield Ask(self.dealer, "redeal", (REDEAL, KEEP))) is REDEAL
        if not self.same_dealer:
            self.into_pool(self.dealer, self.rules.ante, why="the hands are kept")

    def put_up(self, seat: int, counters: int, why: str = "", payer: int | None = None) -> None:
        """All counters go into the pool (section Ambigu)."""
        if self.stacks is not None:
            counters = min(counters, self.to_bet(self.stacks, seat))
        self.into_pool(seat, counters)
        self.stake[seat] += counters

    def first_bet_refused(self, better: int) -> None:
        """If all refuse the first bet, the bettor takes it back, and the deal is over, but the pool stays (section
        Ambigu).

        With refusal: The last to refuse pays the bettor {refusal counter} (section Ambigu)."""
        self.put_up(better, -self.stake[better], "a refused bet goes back")
        last = [seat for seat in self.round_from(better) if seat in self.dealt_in][-1]
        self.pay(last, better, self.rules.refusal, "the last to refuse pays")

    @tells("all pass: the hands are abandoned, and the pool stays")
    def abandon_the_hands(self) -> None:
        """If all pass in the second betting, nobody wins, and the pool stays (section Ambigu)."""

    def second_draw(self) -> Story:
        """Those who are in may change up to four cards, in turn. Then there is a second round of betting (section
        Ambigu)."""
        for seat in self.still_in:
            yield from self.draw(seat, "second-draw")

    def settle(self) -> None:
        """A player who is left alone after a raise, or in the second betting, takes the pool. Otherwise all who are in
        show their hands, and the best takes it. Then every other player, in or out, pays for the hand that has won
        (section Ambigu)."""
        judged = {seat: judge(self.hands[seat]) for seat in self.still_in}
        worst_first = sorted(reversed(self.still_in), key=lambda seat: judged[seat][0])
        winner = worst_first[-1]
        self.shown[winner] = self.hands[winner]
        if len(judged) > 1:
            self.lay_down()
        self.take_pots(self.pots(), {seat: place for place, seat in enumerate(worst_first)})
        (kind, *_), price = judged[winner]
        self.others_pay(winner, price, PAID_FOR[kind])

    # With stacks.

    def to_bet(self, stacks: Sequence[int], seat: int) -> int:
        """With stacks: Each player begins with {stacks counter} (section Ambigu).

        With stacks and reserve: The last {reserve} of them cannot be bet, and are kept back for payments (section
        Ambigu)."""
        return max(0, stacks[seat] - self.rules.reserve)

    def most(self, seat: int) -> int:
        """No bet is above the limit, nor above what may be bet (section Ambigu)."""
        limit, stacks = self.rules.limit, self.stacks
        return limit if stacks is None else max(0, min(limit, self.to_bet(stacks, seat) - self.gap(seat)))

    def able_from(self, first: int) -> list[int]:
        """With stacks: A player who has less to bet than is asked is in for a sight: they are not asked again, and can
        win only as much of each other stake (ours)."""
        return self.with_bets(super().able_from(first))

    def others_able(self, seat: int) -> list[int]:
        return self.with_bets(super().others_able(seat))

    def with_bets(self, seats: list[int]) -> list[int]:
        stacks = self.stacks
        return seats if stacks is None else [seat for seat in seats if self.to_bet(stacks, seat)]

    @moves_counters
    def into_pool(self, payer: int, counters: int, pool: str = "pool", why: str = "") -> None:
        """Nobody pays more than he has; the blind and the ante may be paid from the counters kept back (ours)."""
        if self.stacks is not None:
            counters = min(counters, self.stacks[payer])
            self.stacks[payer] -= counters
        super().into_pool(payer, counters, pool)

    @moves_counters
    def pay(self, payer: int, payee: int, counters: int, why: str = "") -> None:
        """Payments may use the counters kept back (section Ambigu), and nobody pays more than he has (ours)."""
        if self.stacks is not None:
            counters = min(counters, self.stacks[payer])
            self.stacks[payer] -= counters
            self.stacks[payee] += counters
        super().pay(payer, payee, counters)

    def pots(self) -> list[tuple[int, list[int]]]:
        """The bets lie in the pool; with stacks a player who has bet less contests only as much of each (ours)."""
        self.pools["pool"] -= sum(self.stake)
        return super().pots()

    @tells(frozen_out)
    def leave_the_game(self) -> None:
        """With stacks: Players without counters are out, and the last one left has what stands in the pool (section
        Ambigu; what stands ours)."""
        self.leave_the_rest_to_the_last()

    def name_of(self, hand: Sequence[Card]) -> str:
        return NAMES[judge(hand)[0][0]]

    def next_dealer(self) -> int:
        """The next on the right, but after a redeal the same (section Ambigu)."""
        return self.in_the_game(self.dealer)[0] if self.same_dealer else super().next_dealer()

    def says(self, ask: Ask, action: Action) -> str:
        if ask.phase == "first-draw" and not action.cards and not action.amount:
            return "has enough"
        if action == CALL and self.stacks is not None and self.to_bet(self.stacks, ask.seat) < self.gap(ask.seat):
            return "calls for a sight"
        return {REDEAL: "deals again", KEEP: "keeps the hands"}.get(action) or super().says(ask, action)

    def refusal(self, ask: Ask, action: Action) -> str:
        if ask.phase.endswith("draw") and action.verb == "discard":
            most = len(self.hands[ask.seat])
            return f"too many cards: at most {most}" if len(action.words) > most else "not in hand, or named twice"
        if ask.phase == "bet" and action.verb == "raise" and not self.may_raise():
            return f"no more raises: {self.rules.max_raises} in one round of betting"
        return super().refusal(ask, action)

    what_wins = """Cards rank T 9 8 7 6 5 4 3 2 A, and each counts its number, an ace one (section Ambigu).

The hands, from best to least: a fredon, four cards of one rank; a sequence and flush, four cards of one suit in
sequence; a tricon and prime, three cards of one rank and four different suits; a flush, four cards of one suit; a
tricon, three cards of one rank; a sequence, three cards of one suit in sequence; a prime, four different suits; a
point, two or three cards of one suit (section Ambigu).

The higher of two primes or flushes is the one that counts more; of two points, the one with more cards, then the one
that counts more, then one with two cards in sequence; of other hands, the one with the higher rank. If they are still
equal, the first player from the eldest hand wins (section Ambigu).

Every other player pays for the hand that takes the pool: 1 counter for a point, 2 for a prime, 3 for a sequence, 4 for
a tricon, 5 for a flush, 6 for a tricon and prime, 8 for a sequence and flush, 10 for a fredon. A prime, a tricon and
prime and a fredon cost one more if the cards count more than 30 (section Ambigu)."""
    course = """to_bet pay_blinds deal_two_each first_draw betting speaking able_from first_bet_refused redealing second_draw
abandon_the_hands make_a_new_pack settle leave_the_game"""

    played_with = PACK_40
    phases = {
        "first-draw": "two cards: `discard` to keep both, `discard 2c`, or `discard 2c 5d`",
        "play": "four cards, first betting: `pass`, or `bet 5`",
        "bet": "after a bet: `fold`, `call`, or `raise 5`",
        "redeal": "to the dealer, if all have passed: `redeal`, or `keep` the hands",
        "second-draw": "to those who are in: `discard` to keep all, or up to four cards `discard 2c 5d 7h`",
        "last-play": "second betting: `pass`, or `bet 5`",
    }

    class View(Poker.View):
        """The names that everybody sees at Ambigu, and what the seat alone knows."""

        eldest: Seat = public("the seat on the dealer's right, which is dealt to and speaks first")
        stake: Each[int] = public("what each seat has bet in this deal; it is in the pool")
        drawn: Each[tuple[int, ...]] = public("how many cards each seat has drawn, in the first draw and in the second")
        put_out: tuple[Card, ...] = private("the cards you have put away for others")


POINT, PRIME, SEQUENCE, TRICON, FLUSH, TRICON_PRIME, SEQUENCE_FLUSH, FREDON = range(8)
NAMES = (
    *("a point", "a prime", "a sequence", "a tricon", "a flush"),
    *("a tricon and prime", "a sequence and flush", "a fredon"),
)
PAID_FOR = [f"{name} is paid for" for name in NAMES]


def judge(hand: Sequence[Card]) -> tuple[Worth, int]:
    """The worth of four cards, and what each pays for them: a doublet is paid for both its parts (section Ambigu)."""
    all_pips = sorted([PIPS[card] for card in hand])
    suits = [sorted([PIPS[card] for card in hand if card.suit == suit]) for suit in SUITS]
    longest = max(suits, key=len)
    middle, total = all_pips[1], sum(all_pips)  # the second lowest is one of any three of a rank
    alike = all_pips.count(middle)
    prime = 3 if total > 30 else 2
    if alike == 4:
        return (FREDON, middle), 8 + prime
    if len(longest) == 4:
        return ((SEQUENCE_FLUSH, longest[-1]), 8) if is_run(longest) else ((FLUSH, total), 5)
    if alike == 3:
        return ((TRICON_PRIME, middle), 4 + prime) if len(longest) == 1 else ((TRICON, middle), 4)
    if len(longest) == 3 and is_run(longest):
        return (SEQUENCE, longest[-1]), 3
    if len(longest) == 1:
        return (PRIME, total), prime
    return (POINT, *max(map(point, suits))), 1


def point(pips: Sequence[int]) -> Worth:
    """The worth of a suit: most cards, then most pips, then two that follow one upon the other (section Ambigu)."""
    return len(pips), sum(pips), any(is_run(pair) for pair in zip(pips, pips[1:], strict=False))


def is_run(pips: Sequence[int]) -> bool:
    return pips[-1] - pips[0] == len(pips) - 1


class AmbiguRules(PokerRules, of=Ambigu):
    """The options of Ambigu, and the same in the words of the poker games."""

    blind: int = option(1, "what each seat pays before the deal", "section Ambigu", high=100, role="doubles")
    ante: int = option(
        2,
        "what each seat pays at the first draw, and the dealer again to keep the hands",
        "section Ambigu",
        high=100,
        role="doubles",
    )
    refusal: int = option(
        2,
        "what the last player to refuse a first bet pays the bettor",
        "section Ambigu",
        low=0,
        high=100,
        role="doubles",
    )
    limit: int = option(
        10, "the greatest bet or raise", "Foster: to be agreed; the figure ours", high=1000, role="doubles"
    )
    stacks: int = option(
        False,
        "how many counters each player begins with, and is out when they are lost; false: everybody can always pay",
        "section Ambigu",
        values=Whole(2, 10**6, off=True),
        role="stack",
    )
    reserve: int = option(
        lambda rules: min(10, rules.stacks // 2),
        "how many of them are kept back for payments, and cannot be bet",
        "section Ambigu; of a small stack ours",
        low=0,
        high=10**5,
        usual="10, of stacks under 20 half",
    )
    max_raises: int = option(12, "how many raises there may be in one round of betting", "ours", low=0, high=100)

    def __init__(self, players: int, given: Mapping[str, object] | None = None) -> None:
        super().__init__(players, given)
        self.stakes, self.stack, self.freeze_out = "table" if self.stacks else "open", self.stacks, True

    def refusals(self) -> Iterator[str]:
        if not self.stacks and "reserve" in self.given:
            yield f"reserve = {self.reserve} with stacks = false: it is kept back of a stack"
        if self.stacks and self.stacks <= self.reserve:
            yield f"stacks = {self.stacks} with reserve = {self.reserve}: nothing could be bet"

    @property
    def minimum_stake(self) -> int:
        """A player who cannot pay the blind is ruined (ours)."""
        return self.blind
