"""Solo Whist: two against two, or one against three ("Hoyle's Games Modernized", pp. 142-147).

The page with the stakes is lost; they are reconstructed from the usual scale of the time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..actions import PASS, Action, say
from ..cards import PACK, SUITS, Card
from ..mechanics.tricks import Tricks, may_play, taker
from ..options import FLAG, OneOf, Option, Rules, at_least
from ..table import Ask, Story

PROPOSE, ACCEPT, SOLO, MISERE = say("propose"), say("accept"), say("solo"), say("misere")
ABUNDANCE, ABUNDANCE_TRUMPS = say("abundance"), say("abundance trumps")
OPEN_MISERE, DECLARED = say("open misere"), say("declared")
ALONE = (SOLO, MISERE, ABUNDANCE, ABUNDANCE_TRUMPS, OPEN_MISERE, DECLARED)  # low to high
HIGHER = {PROPOSE: (PASS, *ALONE)} | {call: (PASS, *ALONE[at:]) for at, call in enumerate(ALONE, 1)}
FIRST = {PASS: (PASS, PROPOSE, *ALONE), PROPOSE: (PASS, ACCEPT, *ALONE)}  # nothing called; a proposal open
LATE = (PASS, ACCEPT)
TRUMP = tuple(say("trump", suit) for suit in SUITS)
UNDERTAKEN = {PROPOSE: 8, SOLO: 5, ABUNDANCE: 9, ABUNDANCE_TRUMPS: 9}  # whose every trick over or under counts


class SoloWhist(Tricks):
    """Whist in which two agree to play together, or one undertakes to play alone against the three others."""

    id = "solo-whist"
    title = "Solo Whist"
    family = "tricks"
    seats = (4, 4)
    usual = (4, 4)
    source = (
        '"Hoyle\'s Games Modernized", pp. 142-147; the stakes, on a lost page, reconstructed from the usual scale'
        " of the time"
    )
    course = """All the cards are dealt, three at a time and the last ones singly; the dealer's last is turned up for trumps.
From the dealer's left each player passes, proposes to make eight tricks with a partner, accepts a proposal, or calls to
play alone: five tricks, none, nine, none with his hand shown, or all; the highest call stands, and who is over-called
may call higher. All must follow suit. Every adversary pays a stake to the caller, or to one of the two partners, with
something for each trick over; if the call fails he is paid instead. If nobody calls the hands are thrown in."""

    options = (
        Option("prop_stake", 6, at_least(1), "stake of a proposal", "Hoyle's Games p. 147, reconstructed"),
        Option("solo_stake", 6, at_least(1), "stake of a solo", "Hoyle's Games p. 147, reconstructed"),
        Option("misere_stake", 12, at_least(1), "stake of a misere", "Hoyle's Games p. 147, reconstructed"),
        Option("abundance_stake", 18, at_least(1), "stake of an abundance", "Hoyle's Games p. 147, reconstructed"),
        Option("abundance_trumps_stake", 18, at_least(1), "stake of an abundance in the turned suit", "reconstructed"),
        Option("open_misere_stake", 24, at_least(1), "stake of an open misere", "reconstructed"),
        Option("declared_stake", 36, at_least(1), "stake of a declared abundance", "reconstructed"),
        Option(
            "overtrick", 1, at_least(0), "each trick over, at proposal, solo and abundance", "Hoyle's Games pp. 146-147"
        ),
        Option("undertrick", 1, at_least(0), "each trick under, at the same calls", "Hoyle's Games pp. 146-147"),
        Option(
            "slam_double",
            True,
            FLAG,
            "over-tricks of a proposal that makes all thirteen count double",
            "Hoyle's Games p. 147, reconstructed",
        ),
        Option(
            "all_pass",
            "throw-in",
            OneOf("throw-in", "general-misere"),
            "when nobody calls nothing is played, or a general misere, in which the last trick loses",
            "Hoyle's Games p. 147, reconstructed",
        ),
        Option(
            "general_stake",
            lambda rules: rules.solo_stake,
            at_least(1),
            "what the winner of the last trick of a general misere pays to each",
            "Hoyle's Games p. 147, reconstructed",
            usual="solo_stake",
        ),
    )

    @classmethod
    def refusals(cls, rules: Rules) -> Iterator[str]:
        if "general_stake" in rules.given and rules.all_pass == "throw-in":
            yield 'general_stake with all_pass = "throw-in": there is no general misere'
        if "slam_double" in rules.given and rules.slam_double and not rules.overtrick:
            yield "slam_double = true with overtrick = 0: nothing is doubled"

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        """The stake of each call."""
        rules.stake = {
            PROPOSE: rules.prop_stake,
            SOLO: rules.solo_stake,
            MISERE: rules.misere_stake,
            ABUNDANCE: rules.abundance_stake,
            ABUNDANCE_TRUMPS: rules.abundance_trumps_stake,
            OPEN_MISERE: rules.open_misere_stake,
            DECLARED: rules.declared_stake,
        }

    phases = {
        "call": "`pass`, `propose`, `accept`, or alone: `solo`, `misere`, `abundance`, `abundance trumps`, `open misere`, "
        "`declared`",
        "suit": "to the caller of `abundance` or `declared`: `trump s`, `trump h`, `trump d` or `trump c`",
        "play": "`play As`: the suit led must be followed",
    }
    public = {
        "turned": "the card turned up, which is in the dealer's hand until he plays it",
        "calls": "all that was said in the calling: (seat, call) each",
        "call": "the standing call (`pass`: none; in the play it is then a general misere)",
        "caller": "the seat that holds it; None without a call",
        "partner": "the seat that has accepted the standing proposal; None if nobody has",
        "trumps": "the suit of trumps in the play, s h d c; None before it is settled, and where there are none",
        **Tricks.public,
        "shown": "the caller's cards in an open misere, after the first trick",
    }

    caller: Any
    partner: Any
    trumps: str | None
    calls: list[tuple[int, Action]]
    shown: list[Card]

    def deal(self) -> Story:
        self.deal_cards()
        yield from self.calling()
        if self.call is PASS and self.rules.all_pass == "throw-in":
            return
        if self.call is not PASS:
            self.take_sides()
            yield from self.settling_trumps()
        yield from self.playing()
        if self.call is PASS:
            self.settle_general_misere()
        else:
            self.settle()

    def deal_cards(self) -> None:
        """Four rounds of three cards each from the eldest hand, then one each; the dealer's last is turned up."""
        self.order = self.round_from(self.eldest)
        self.pack = self.chance.pack(PACK)
        drawn = self.pack.draw(52)
        self.hands: list[list[Card]] = [[] for _ in range(4)]
        for place, seat in enumerate(self.order):
            threes = [card for at in range(3 * place, 48, 12) for card in drawn[at : at + 3]]
            self.hands[seat] = [*threes, drawn[48 + place]]
        self.turned = drawn[-1]
        self.calls, self.passed = [], [False] * 4
        self.call, self.caller, self.partner, self.trumps = PASS, None, None, None
        self.clear_the_table()
        self.shown = []

    def calling(self) -> Story:
        """Each once, from the eldest hand; then a proposal that is still open, or those who are over-called."""
        for seat in self.order:
            first = self.call in FIRST and self.partner is None
            yield from self.one_call(seat, (FIRST if first else HIGHER)[self.call])
        if self.call is PROPOSE and self.partner is None:
            yield from self.an_open_proposal()
        else:
            yield from self.raising()

    def one_call(self, seat: int, legal: tuple[Action, ...]) -> Story:
        """A higher call does away with a proposal, and with its acceptance."""
        said = yield Ask(seat, "call", legal)
        self.calls.append((seat, said))
        if said is PASS:
            self.passed[seat] = True
        elif said is ACCEPT:
            self.partner = seat
        else:
            self.call, self.caller, self.partner = said, seat, None
        return said

    def an_open_proposal(self) -> Story:
        """All others have passed: the eldest hand may still accept it; if not, the proposer calls higher or gives it up."""
        if self.caller != self.eldest:
            yield from self.one_call(self.eldest, LATE)
        if self.partner is None and (yield from self.one_call(self.caller, HIGHER[PROPOSE])) is PASS:
            self.call, self.caller = PASS, None

    def raising(self) -> Story:
        """Who is over-called passes or calls higher, round and round, until nobody is over-called."""
        while any(map(self.over_called, self.order)):
            for seat in self.order:
                if self.over_called(seat):
                    yield from self.one_call(seat, HIGHER[self.call])

    def over_called(self, seat: int) -> bool:
        """After the first round: who has not passed has called or accepted."""
        return not self.passed[seat] and seat != self.caller and seat != self.partner

    def take_sides(self) -> None:
        """The caller, with his partner in a proposal, against all the others."""
        self.sides = [0 if seat in (self.caller, self.partner) else 1 for seat in range(4)]

    def settling_trumps(self) -> Story:
        """The turned suit; none in a misere; the caller of an abundance or a declared abundance names a suit."""
        if self.call is ABUNDANCE or self.call is DECLARED:
            self.trumps = (yield Ask(self.caller, "suit", TRUMP)).words[0]
        elif self.call is not MISERE and self.call is not OPEN_MISERE:
            self.trumps = self.turned.suit

    def playing(self) -> Story:
        """The eldest hand leads, in a declared abundance the caller; the winner of each trick leads to the next."""
        self.leader = self.caller if self.call is DECLARED else self.eldest
        while not self.decided():
            winner = yield from self.one_trick()
            self.gather(winner)
            if self.call is OPEN_MISERE:
                self.shown = self.hands[self.caller]

    def one_trick(self) -> Story:
        """The highest trump wins, or else the highest card of the suit led."""
        trick, seats = self.trick, self.round_from(self.leader)
        for seat in seats:
            hand = self.hands[seat]
            card = (yield Ask(seat, "play", may_play(hand, trick))).card
            hand.remove(card)
            trick.append(card)
        return seats[taker(trick, self.trumps)]

    def decided(self) -> bool:
        """All thirteen tricks are played; a misere stops with the first that is won, a declared one that is lost."""
        played = len(self.tricks)
        if self.call is MISERE or self.call is OPEN_MISERE:
            return played == 13 or self.won[self.caller] > 0
        return played == 13 or self.call is DECLARED and self.won[self.caller] < played

    def settle(self) -> None:
        """Every adversary pays the caller, or one of the two partners; he is paid instead if the call has failed."""
        callers = [seat for seat in self.order if seat in (self.caller, self.partner)]
        adversaries = [seat for seat in self.order if seat not in callers]
        value = self.value(sum(self.won[seat] for seat in callers))
        for place, adversary in enumerate(adversaries):
            self.pay(adversary, callers[place % len(callers)], value)

    def value(self, tricks: int) -> int:
        """What each adversary pays for so many tricks; less than nothing if the call has failed."""
        rules, stake = self.rules, self.rules.stake[self.call]
        if self.call not in UNDERTAKEN:
            made = tricks == (13 if self.call is DECLARED else 0)
            return int(stake if made else -stake)
        over = tricks - UNDERTAKEN[self.call]
        if over < 0:
            return int(over * rules.undertrick - stake)
        if self.call is PROPOSE and tricks == 13 and rules.slam_double:
            over *= 2
        return int(stake + over * rules.overtrick)

    def settle_general_misere(self) -> None:
        """Each for himself: the winner of the last trick pays to all the others."""
        for other in self.round_from(self.leader)[1:]:
            self.pay(self.leader, other, self.rules.general_stake)

    def refusal(self, ask: Ask, said: Action) -> str:
        if ask.phase == "call":
            return self.call_refused(ask, said)
        if ask.phase == "suit":
            return "not a legal action: name a suit (trump s, trump h, trump d or trump c)"
        if said.card and said == said.card.play:
            return "must follow suit" if said.card in self.hands[ask.seat] else f"{said.card} is not in hand"
        return "not a legal action"

    def call_refused(self, ask: Ask, said: Action) -> str:
        if said not in (PROPOSE, ACCEPT, *ALONE):
            return "not a legal action"
        if ask.legal is LATE:
            return "the eldest hand has passed: accept or pass"
        if said == PROPOSE:
            return "cannot propose now"
        if said == ACCEPT:
            return "no proposal to accept"
        return f"too low: {self.call} stands"
