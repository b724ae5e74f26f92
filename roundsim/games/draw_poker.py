"""Draw poker: the American game (Foster, "The Poker Family") and the English one (Baxter-Wray, "Round Games with
Cards", 1891, pp. 31-58)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..actions import PASS, STAND, Action, Amounts, say
from ..cards import JOKER, PACK, PACK_60, RANKS, SUITS, Card
from ..mechanics.betting import CALL, FOLD, MAX_RAISES, STACK_OPTIONS, Poker, divide, stack_refusals
from ..mechanics.drawing import Drawing
from ..mechanics.hands import ENGLISH, ranking_of, ranking_options, ranking_refusals
from ..mechanics.hands import OPTIONS as RANKING_OPTIONS
from ..options import FLAG, OneOf, Option, Rules, between
from ..table import Ask, Carry, Story

STRADDLE, JACK, SHOW = say("straddle"), say("jack"), say("show")
HIGH_HANDS = {"flush": 50, "full": 60, "fours": 70, "round": 70}
AMERICAN_ONLY = (
    "straddle_cap",
    "only_two_in",
    "jack_ante",
    "fatten",
    "deal_off",
    "progressive",
    "bobtail",
    "buck",
    "high_hand",
    "kitty",
)


def by_rules(american: Any, english: Any) -> tuple[Any, str]:
    """A default that depends on the rule set, and words for it."""
    words = [str(value).lower() if isinstance(value, bool) else value for value in (american, english)]
    return lambda rules: english if rules.rules == "english" else american, "{} (english: {})".format(*words)


def with_jacks(rules: Rules) -> bool:
    """The default of what belongs to American jack pots."""
    return bool(rules.jacks and rules.rules == "american")


RANKING = {each.key: by_rules(each.default, ENGLISH[each.key]) for each in RANKING_OPTIONS if each.key in ENGLISH}


class DrawPoker(Drawing, Poker):
    """Five cards, a round of betting, new cards for those put out, and another round."""

    id = "draw-poker"
    title = "Draw Poker"
    family = "poker"
    seats = (2, 8)
    usual = (5, 5)
    source = 'Foster, "The Poker Family"; Baxter-Wray, "Round Games with Cards", 1891, pp. 31-58'
    course = """Eldest puts up a blind; those after him may straddle it. Five cards each. Twice the last blind stake is
asked of all who come in, and each may raise. Those who are in put out what cards they like and are dealt as many. Then
they bet: who bets must be called or raised, or takes the pool unseen; of hands that are called the best takes it. When
nobody has come in the next deal is a jack pot: all put up an ante, and a pair of knaves or better is needed to open."""

    options = (
        Option(
            "rules",
            "american",
            OneOf("american", "english"),
            "the rules of Foster, or of Baxter-Wray",
            "Foster; Baxter-Wray",
        ),
        Option("blind", 1, between(1, 1000), "eldest's stake, at most half the limit", "Baxter-Wray p. 41; Foster"),
        Option(
            "limit",
            lambda rules: 12 if rules.rules == "english" else 50,
            between(2, 100000),
            "greatest bet or raise",
            "Baxter-Wray p. 44; Foster: 50 blinds",
            usual="50 (english: 12)",
        ),
        Option("straddle", True, FLAG, "the blind may be straddled", "Baxter-Wray p. 32; Foster"),
        Option(
            "straddle_cap",
            "quarter",
            OneOf("quarter", "half"),
            "american: how much of the limit a straddle may be",
            "Foster law 17; half: his example",
        ),
        Option("jacks", True, FLAG, "a deal that nobody opens leads to a jack pot", "Baxter-Wray p. 40; Foster law 21"),
        Option(
            "only_two_in",
            with_jacks,
            FLAG,
            "american: eldest against one other may ask for a jack pot instead",
            "Foster law 21",
            usual="true with jacks",
        ),
        Option("jack_ante", 2, between(1, 1000), "american: each seat's ante in a fresh jack pot", "Foster"),
        Option(
            "fatten", 1, between(0, 1000), "american: what each pays when a jack pot is dealt again", "Foster law 40"
        ),
        Option(
            "deal_off",
            with_jacks,
            FLAG,
            "american: the same dealer until a jack pot is opened",
            "Foster laws 12, 40",
            usual="true with jacks",
        ),
        Option(
            "progressive",
            False,
            FLAG,
            "american: the pair that opens goes J Q K A K Q while a jack pot is not opened",
            "Foster",
        ),
        Option("bobtail", False, FLAG, "american: four cards of a flush or a straight open, too", "Foster"),
        Option("buck", False, FLAG, "american: who wins the pool takes the buck, and his deal is a jack pot", "Foster"),
        Option(
            "high_hand",
            "none",
            OneOf("none", "flush", "full", "fours", "round"),
            "american: such a hand shown leads to a jack pot (round: fours, to one for every seat)",
            "Foster",
        ),
        Option(
            "false_openers",
            "illegal",
            OneOf("illegal", "penalty"),
            "opening a jack pot without openers is illegal, or is paid for when it comes out",
            "Baxter-Wray law 33; Foster laws 39, 44",
        ),
        Option(
            "kitty", False, FLAG, "american: counters are taken out of pools with threes, and of jack pots", "Foster"
        ),
        Option(
            "stakes",
            "open",
            OneOf("open", "table", "law60"),
            "open: everybody can pay; table: stacks, and no limit; law60 (english): stacks, and who cannot meet a raise"
            " may have a show for what he has",
            "Foster; Baxter-Wray law 60",
        ),
        *STACK_OPTIONS,
        MAX_RAISES,
        Option("joker", False, FLAG, "pack of 53: mistigris", "Foster; Baxter-Wray; Hoyle's Games p. 136"),
        *ranking_options(**RANKING),
    )

    @classmethod
    def refusals(cls, rules: Rules) -> Iterator[str]:
        if rules.rules == "english":
            for key in AMERICAN_ONLY:
                if key in rules.given:
                    yield f'{key} with rules = "english": it belongs to american'
        elif rules.stakes == "law60":
            yield 'stakes = "law60" with rules = "american": it belongs to english'
        yield from stack_refusals(rules)
        if 2 * rules.blind > rules.limit:
            yield f"blind = {rules.blind} with limit = {rules.limit}: it may be half the limit at most"
        if not rules.jacks:
            for key in ("only_two_in", "buck", "progressive", "bobtail", "deal_off"):
                if getattr(rules, key):
                    yield f"{key} = true with jacks = false: it belongs to jack pots"
            if rules.high_hand != "none":
                yield f'high_hand = "{rules.high_hand}" with jacks = false: it leads to jack pots'
            if rules.false_openers == "penalty":
                yield 'false_openers = "penalty" with jacks = false: it is for opening a jack pot'
        if rules.false_openers == "penalty" and rules.stakes != "open":
            yield f'false_openers = "penalty" with stakes = "{rules.stakes}": a stack may not hold the penalty'
        if rules.players > 7 and rules.pack != "60":
            yield f'{rules.players} players with pack = "52": eight need a pack of 60'
        yield from ranking_refusals(rules)

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        """The pack and its ranking; how high a straddle may be; the pairs that open, by rounds of a jack pot."""
        rules.english = rules.rules == "english"
        rules.cards = PACK_60 if rules.pack == "60" else (*PACK, *[JOKER] * rules.joker)
        rules.ranking = ranking_of(rules)
        rules.straddle_limit = rules.limit // (2 if rules.english or rules.straddle_cap == "half" else 4)
        rules.opening_pairs = "JQK" if rules.english else "JQKAKQ" if rules.progressive else "J"

    pool_names = ("pool", "kitty")
    carried = {
        "jacks": Carry(0, "jack pots due"),
        "round": Carry(0, "how often the jack pot now due has been dealt without being opened"),
        "payer": Carry(
            lambda rules, dealer: list(range(rules.players)),
            "by seat: who pays its ante in the next fresh jack pot",
            names="seats",
        ),
        "buck": Carry(-1, "the seat that holds the buck; -1: it lies in the pool", names="seat"),
    }
    phases = {
        "straddle": "before the cards: `straddle`, or `pass`",
        "ante": "coming in: `fold`, `call`, `raise 5`; `jack` (only_two_in); `show` (law60)",
        "open": "a jack pot, american: `pass`, or with openers `open 5`",
        "good": "english, before the draw: `call` to make good what others have raised, or `fold`; `show` (law60)",
        "draw": "`discard 2c 5d`; `discard` to stand pat",
        "bet": "after the draw: `bet 5` or `fold` (english: or `stand`, once); after a bet as in coming in",
    }
    public = {
        **Drawing.public,
        "last_say": "the seat that speaks last in coming in: the last straddler, or eldest",
        "came_in": "the seats that have come in, or opened, in this order",
        "jack_pot": "whether this deal is a jack pot",
        "opening_pair": "the rank of the pair that opens it: J Q K A",
        "opener": "the seat that has opened the jack pot; None before",
        "openers_shown": "what the opener has shown of the five cards that he was dealt",
        **{name: carry.help for name, carry in carried.items()},
    }
    private = {"dealt": "the five cards you were dealt", **Drawing.private}

    jacks: int
    round: int
    payer: list[int]
    buck: int
    same_dealer = False  # deal_off: until the jack pot is opened

    def deal(self) -> Story:
        self.begin_the_deal()
        if self.jack_pot:
            self.pay_antes()
            self.deal_cards()
            yield from self.opening()
        else:
            self.pay_blind()
            yield from self.straddling()
            self.deal_cards()
            yield from self.coming_in()
        if self.still_in:
            yield from self.drawing()
            yield from self.betting()
            self.settle()
        self.leave_the_game()

    def begin_the_deal(self) -> None:
        """A jack pot is dealt when one is due, or when the dealer holds the buck; it then goes back into the pool."""
        self.take_places()
        self.english: bool = self.rules.english
        if self.buck == self.dealer:
            self.buck, self.jacks = -1, self.jacks or 1
        self.jack_pot = self.jacks > 0
        pairs = self.rules.opening_pairs
        self.opening_pair = pairs[self.round % len(pairs)]
        self.opener: int | None = None
        self.false_opener: int | None = None
        self.openers_shown: Sequence[Card] = ()
        self.last_say = self.eldest
        self.came_in: list[int] = []
        self.dealt: list[tuple[Card, ...]] = [()] * self.players
        self.in_at_last_counter: dict[int, list[int]] = {}

    # An ordinary deal: blind, straddles, coming in.

    def pay_blind(self) -> None:
        """Eldest stakes before he sees a card."""
        self.put_up(self.eldest, self.rules.blind)
        self.level = self.rules.blind

    def straddling(self) -> Story:
        """From eldest's left to the dealer each may straddle.  American: twice the last; english: a blind more."""
        for seat in self.dealt_in[1:]:
            straddle = self.level + self.rules.blind if self.english else 2 * self.level
            short = self.stacks is not None and self.stacks[seat] < straddle
            if not self.rules.straddle or straddle > self.rules.straddle_limit or short:
                return
            if (yield Ask(seat, "straddle", (PASS, STRADDLE))) is PASS:
                return
            self.put_up(seat, straddle)
            self.level, self.last_say = straddle, seat

    def deal_cards(self) -> None:
        """Five each; for law 60 it is noted what is staked before the cards."""
        self.blinds = list(self.stake)
        self.deal_five(self.dealt_in)
        self.dealt = [tuple(hand) for hand in self.hands]

    def coming_in(self) -> Story:
        """Twice the last blind stake is asked.  The last-say seat speaks last, and not at all if nobody has come in."""
        self.level *= 2
        queue = self.able_from(self.next_to(self.last_say))
        if self.english:
            yield from self.once_round(queue)
        else:
            yield from self.speaking(queue, "ante")
        if self.still_in == [self.last_say] and not self.came_in:
            self.nobody_comes_in()

    def nobody_comes_in(self) -> None:
        """American: a natural jack, eldest takes back his blind; english: his ante stays in the pool for a jack pot.

        But an american straddler takes the pool, and so does who is left of an english deal without jacks."""
        if self.english:
            if self.rules.jacks:
                self.leave_standing()
                self.jacks = 1
        elif self.last_say == self.eldest:
            self.take_back(self.eldest)
            self.still_in = []
            self.jacks += self.rules.jacks

    def once_round(self, queue: list[int]) -> Story:
        """English: each speaks once.  In a jack pot all do until it is opened, and who opens it must have openers."""
        for seat in queue:
            unopened = self.jack_pot and self.opener is None
            if len(self.still_in) == 1 and not unopened:
                return
            may_come_in = not unopened or self.may_open(seat)
            said = yield Ask(seat, "ante", self.may_say(seat, raising=True) if may_come_in else (FOLD,))
            if unopened and said is not FOLD:
                self.opens(seat)
            self.speak(seat, said)

    def may_say(self, seat: int, raising: bool) -> Sequence[Action]:
        """Law 60: who cannot pay may show, if he has staked before.  Only two in: eldest may ask for a jack pot."""
        if self.rules.stakes == "law60" and self.stacks is not None and self.gap(seat) > self.stacks[seat]:
            return (FOLD, SHOW) if self.stake[seat] else (FOLD,)
        legal = super().may_say(seat, raising)
        if not self.only_two_in(seat):
            return legal
        plain = (FOLD, JACK, CALL)
        return Amounts(plain, "raise", legal.low, legal.high) if isinstance(legal, Amounts) else plain

    def only_two_in(self, seat: int) -> bool:
        """Eldest's turn, and all have folded but one who has come in: no straddle, no raise."""
        return (
            self.rules.only_two_in
            and not self.jack_pot
            and not self.raises
            and seat == self.eldest == self.last_say
            and len(self.still_in) == 2
            and len(self.came_in) == 1
            and (self.stacks is None or self.stacks[seat] + self.stake[seat] >= 2 * self.rules.jack_ante)
        )

    def speak(self, seat: int, said: Action) -> None:
        """Who does not fold has come in."""
        if said is JACK:
            self.ask_for_jack(seat)
            return
        super().speak(seat, said)
        if said is not FOLD and seat not in self.came_in:
            self.came_in.append(seat)

    def ask_for_jack(self, seat: int) -> None:
        """Both take back their stakes, and eldest will pay the other's ante in the jack pot."""
        (other,) = self.came_in
        self.take_back(seat)
        self.take_back(other)
        self.still_in = []
        self.jacks += 1
        self.payer = [seat if each == other else payer for each, payer in enumerate(self.payer)]

    # A jack pot: antes, opening.

    def pay_antes(self) -> None:
        """American: `jack_ante` in a fresh jack pot, by the payer, then `fatten` each; english: each the blind.

        A payer pays his own first, then those on his left."""
        fresh = not self.english and not self.round
        ante = self.rules.jack_ante if fresh else self.rules.blind if self.english else self.rules.fatten
        for payer in self.dealt_in:
            for seat in self.round_from(payer):
                if seat in self.dealt_in and payer == (self.pays_for(seat) if fresh else seat):
                    self.put_up(seat, ante, payer)
        if fresh:
            self.payer = list(range(self.players))
        self.level = max(self.stake)

    def pays_for(self, seat: int) -> int:
        """The payer of a seat's ante: the seat itself when he is frozen out."""
        payer = self.payer[seat]
        return payer if payer in self.dealt_in else seat

    def opening(self) -> Story:
        """American: each in turn may open with openers, then all others come in; english: as in an ordinary deal."""
        if len(self.able_from(self.eldest)) < 2:  # too few to bet: the hands draw and are shown
            return
        if self.english:
            self.level += 2 * self.rules.blind
            yield from self.once_round(self.able_from(self.next_to(self.eldest)))
        else:
            for seat in self.dealt_in:
                most = self.most(seat) if self.may_open(seat) else 0
                said = yield Ask(seat, "open", Amounts((PASS,), "open", 1, most) if most > 0 else (PASS,))
                if said is not PASS:
                    self.opens(seat)
                    self.speak(seat, said)
                    yield from self.speaking(self.others_able(seat), "ante")
                    break
        if self.opener is None:
            self.unopened()

    def may_open(self, seat: int) -> bool:
        """Only with openers, unless false openers are punished."""
        return self.rules.false_openers == "penalty" or bool(self.openers(seat))

    def opens(self, seat: int) -> None:
        self.opener = seat
        if not self.openers(seat):
            self.false_opener = seat

    def openers(self, seat: int) -> Sequence[Card]:
        """The cards of the dealt hand that open: the pair, or what makes a better hand, or the four of a bobtail."""
        hand, ranking = self.dealt[seat], self.rules.ranking
        position = ranking.position(hand)
        made: tuple[Card, ...] = ranking.grouped(hand)
        if position in (10, 20):
            pair = max(card.rank for card in made if card is not JOKER)
            if pair >= RANKS[self.opening_pair]:
                return [card for card in made if card is JOKER or card.rank == pair]
        if position > 10:
            return made
        return self.bobtail(hand) if self.rules.bobtail else ()

    def bobtail(self, hand: Sequence[Card]) -> Sequence[Card]:
        """Four cards of one suit, or four ranks out of some straight; the joker may be one of them."""
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
        """Nobody wins; the pool stands, and the jack pot is dealt again."""
        self.leave_standing()
        self.round += 1
        self.same_dealer = self.rules.deal_off

    # The draw, and the betting after it.

    def drawing(self) -> Story:
        """Each in turn puts out what he likes and is dealt as many; english: having made good what others raised.

        The discards come back when the pack runs out, but for those of a jack pot's opener."""
        for seat in list(self.still_in):
            if len(self.still_in) > 1 and self.english and self.gap(seat) and seat in self.able_from(seat):
                said = yield Ask(seat, "good", self.may_say(seat, raising=False))
                self.speak(seat, said)
            if len(self.still_in) > 1 and seat in self.still_in:
                yield from self.draw(seat, comes_back=seat != self.opener)

    def runs_out(self, due: int) -> bool:
        """The English deal the last card, too."""
        return not self.pack if self.english else super().runs_out(due)

    def betting(self) -> Story:
        """From eldest's left, or an american opener, each bets or folds until one has bet; english: or stands, once."""
        self.better, self.raises = None, 0
        first = self.next_to(self.eldest) if self.english or self.opener is None else self.opener
        queue, stood = self.able_from(first), set()
        while len(queue) > 1:
            seat = queue.pop(0)
            plain = (FOLD, STAND) if self.english and seat not in stood else (FOLD,)
            said = yield Ask(seat, "bet", Amounts(plain, "bet", 1, self.most(seat)))
            if said is STAND:
                stood.add(seat)
                queue.append(seat)
                continue
            self.speak(seat, said)
            if said is not FOLD:
                yield from self.speaking(self.others_able(seat), "bet")
                return

    def fold(self, seat: int) -> None:
        """American: the opener shows what he was dealt, or, when he has drawn, only his openers."""
        super().fold(seat)
        has_drawn = self.drawn[seat] is not None
        if not has_drawn:
            self.dead += self.hands[seat]
            self.hands[seat] = []
        if seat == self.opener and not self.english:
            self.openers_shown = self.openers(seat) if has_drawn else self.dealt[seat]
            if not has_drawn:
                self.false_opener = None  # he has lost his stake, and that is all

    # The show.

    def settle(self) -> None:
        """All hands in are shown, and the best takes the pool; the only one in takes it unseen."""
        keys = dict.fromkeys(self.still_in, 0)
        if len(keys) > 1:
            for seat in self.still_in:
                self.shown[seat] = self.hands[seat]
                keys[seat] = self.rules.ranking.key(self.hands[seat])
        if self.false_opener is None:
            self.pay_out(keys)
        elif self.english:
            self.english_false_opener(self.false_opener, keys)
        else:
            self.american_false_opener(self.false_opener, keys)

    def american_false_opener(self, false: int, keys: dict[int, int]) -> None:
        """His hand is foul, the pool stands if he is the only one left, and he pays for one more jack pot."""
        if list(keys) == [false]:
            if self.drawn[false] is None:
                self.unopened()
                return
            self.leave_standing()
        else:
            keys.pop(false, None)
            self.pay_out(keys)
            self.jacks += 1  # in place of the one just played
        self.openers_shown = self.openers_shown or self.dealt[false]
        self.round = 0
        self.payer = [false] * self.players

    def english_false_opener(self, false: int, keys: dict[int, int]) -> None:
        """Only who would take the pool pays, twice the ante; if he only ties for it the others divide."""
        best = [seat for seat in keys if keys[seat] == max(keys.values())]
        if best == [false]:
            self.opener_wins(false)
            self.leave_standing()
            self.into_pool(false, 2 * self.rules.blind)
            self.round += 1
            self.jacks = 1
            return
        if false in best:
            del keys[false]
        self.pay_out(keys)
        if false in best:
            self.into_pool(false, 2 * self.rules.blind)
            self.jacks = 1

    def pay_out(self, keys: dict[int, int]) -> None:
        """The pool is paid, less what goes into the kitty; then come the jack pots, won and newly due, and the buck."""
        best_shown = max([self.rules.ranking.position(self.hands[seat]) for seat in keys]) if self.called() else 0
        if self.rules.stakes == "law60" and self.called():
            winners = self.law_60(keys)
        else:
            (counters, seats), *rest = self.pots()
            kitty = min(counters, (best_shown >= 30) + 5 * self.jack_pot) if self.rules.kitty else 0
            self.pools["kitty"] += kitty
            winners = self.take_pots([(counters - kitty, seats), *rest], keys)[0]
        if self.opener is not None and self.opener in winners:
            self.opener_wins(self.opener)
        if self.jack_pot:
            self.jacks, self.round = self.jacks - 1, 0
        if best_shown >= HIGH_HANDS.get(self.rules.high_hand, 100):
            self.jacks += len(self.dealt_in) if self.rules.high_hand == "round" else 1
        if self.rules.buck and self.buck == -1:
            self.buck = winners[0]

    def called(self) -> bool:
        return len(self.still_in) > 1

    def opener_wins(self, opener: int) -> None:
        """American: without a call he shows his openers; english: always what he was dealt."""
        if self.english:
            self.openers_shown = self.dealt[opener]
        elif not self.called():
            self.openers_shown = self.openers(opener)

    def put_up(self, seat: int, counters: int, payer: int | None = None) -> None:
        """For law 60: with whom a seat was in when it put in its last counter."""
        super().put_up(seat, counters, payer)
        if self.stacks is not None and not self.stacks[seat]:
            self.in_at_last_counter[seat] = list(self.still_in)

    def law_60(self, keys: dict[int, int]) -> list[int]:
        """The best hand first: who has staked all that is asked takes what is left, a shower what he may claim."""
        there, taken = [*self.stake, self.pools["pool"]], [0] * (self.players + 1)
        by_stake, best = sorted(self.still_in, key=lambda seat: self.stake[seat]), max(keys.values())
        for key in sorted(set(keys.values()), reverse=True):
            tied = [seat for seat in self.still_in if keys[seat] == key]
            for seat in by_stake:
                if seat in tied:
                    claim = there if self.stake[seat] == self.level else self.claim(seat)
                    new = sum(max(0, most - had) for most, had in zip(claim, taken, strict=True))
                    taken = [max(most, had) for most, had in zip(claim, taken, strict=True)]
                    self.share(new, [each for each in tied if self.stake[each] >= self.stake[seat]])
        winners = [seat for seat in self.still_in if keys[seat] == best]
        self.share(sum(there) - sum(taken), winners)  # something is left only if there are none but showers
        self.pools["pool"] = 0
        return winners

    def claim(self, shower: int) -> list[int]:
        """Of each seat's stake, and of the pool: as much as he staked from those who were in with him when he showed.

        From the others only what they put up before the cards."""
        staked, with_him = self.stake[shower], self.in_at_last_counter[shower]
        stakes = [self.stake[seat] if seat in with_him else self.blinds[seat] for seat in range(self.players)]
        return [*[min(staked, stake) for stake in stakes], self.pools["pool"]]

    def share(self, counters: int, seats: list[int]) -> None:
        """Equal hands divide; the odd counters go to those nearest the dealer's left."""
        for seat, share in divide(counters, seats):
            self.receive(seat, share)

    def leave_the_game(self) -> None:
        """Freeze-out: who has lost his last counter puts the buck back, and the last one left has what stands."""
        if self.rules.freeze_out and self.buck not in self.in_the_game(0):
            self.buck = -1
        self.leave_the_rest_to_the_last()

    def next_dealer(self) -> int:
        """The next on the left; with deal_off the same until the jack pot is opened, if he is still in the game."""
        return self.in_the_game(self.dealer)[0] if self.same_dealer else super().next_dealer()
