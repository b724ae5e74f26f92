"""Solo Whist: two against two, or one against three ("Hoyle's Games Modernized", pp. 142-147).

The page with the stakes is lost; they are reconstructed from the usual scale of the time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal

from roundsim.game import (
    PACK,
    PASS,
    SUIT_NAMES,
    SUITS,
    Action,
    Ask,
    Card,
    Rules,
    Seat,
    Story,
    Tricks,
    may_play,
    option,
    public,
    say,
    taker,
    tells,
)

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
    """Win as many tricks as you undertake, alone or with a partner; or undertake to win none."""

    id = "solo-whist"
    title = "Solo Whist"
    family = "tricks"
    seats = (4, 4)
    usual = (4, 4)
    source = (
        '"Hoyle\'s Games Modernized", pp. 142-147; the stakes, on a lost page, reconstructed from the usual scale'
        " of the time"
    )
    shows = ("turned", "shown")
    rules: SoloWhistRules

    partner: int | None = None
    trumps: str | None = None
    shown: Sequence[Card] = ()

    def deal(self) -> Story:
        self.deal_cards()
        yield from self.calling()
        if self.thrown_in():
            return
        if self.call is not PASS:
            self.take_sides()
            yield from self.settling_trumps()
        yield from self.playing()
        if self.call is PASS:
            self.settle_general_misere()
        else:
            self.settle()

    @tells("{deal.turned}, the dealer's last card, is turned up")
    def deal_cards(self) -> None:
        """All 52 cards are dealt, three at a time and at last one each. The dealer's last card is turned up: its suit
        is trumps, which beats every other suit, unless the call changes that (p. 143)."""
        self.order = self.round_from(self.eldest)
        self.pack = self.chance.pack(PACK)
        self.hands = self.deal_packets((3, 3, 3, 3, 1), self.order)
        self.turned = self.hands[self.dealer][-1]
        self.call, self.passed = PASS, [False] * 4
        self.calls: list[tuple[int, Action]] = []
        self.clear_the_table()

    def calling(self) -> Story:
        """Each player calls once, from the eldest hand, the player on the dealer's left. A player may propose if nobody
        has called yet, and a later player may accept and become the partner (p. 144)."""
        for seat in self.order:
            first = self.call in FIRST and self.partner is None
            yield from self.one_call(seat, (FIRST if first else HIGHER)[self.call])
        if self.call is PROPOSE and self.partner is None:
            yield from self.an_open_proposal()
        else:
            yield from self.raising()

    def one_call(self, seat: int, legal: tuple[Action, ...]) -> Story:
        """A player passes, accepts a proposal or calls higher; a higher call cancels a proposal and its acceptance (pp.
        144-146)."""
        action = yield Ask(seat, "call", legal)
        self.calls.append((seat, action))
        if action is PASS:
            self.passed[seat] = True
        elif action is ACCEPT:
            self.partner = seat
        else:
            self.call, self.holder, self.partner = action, seat, None
        return action

    def an_open_proposal(self) -> Story:
        """If nobody has accepted a proposal, the eldest hand may still do so after passing (p. 144). If they do not,
        the proposer calls higher or gives up (ours)."""
        if self.holder != self.eldest:
            yield from self.one_call(self.eldest, LATE)
        if self.partner is None and (yield from self.one_call(self.holder, HIGHER[PROPOSE])) is PASS:
            self.call = PASS

    def raising(self) -> Story:
        """Players whose call is beaten may call higher, in turn, until all of them pass (pp. 144, 146)."""
        while any(map(self.over_called, self.order)):
            for seat in self.order:
                if self.over_called(seat):
                    yield from self.one_call(seat, HIGHER[self.call])

    def over_called(self, seat: int) -> bool:
        """After the first round: who has not passed has called or accepted (pp. 144, 146; to be asked ours)."""
        return not self.passed[seat] and seat != self.holder and seat != self.partner

    @tells(lambda deal: NOBODY_CALLS[deal.rules.all_pass] if deal.call is PASS else None)
    def thrown_in(self) -> bool:
        """With all_pass = throw-in: If nobody calls, the cards are thrown in (p. 147; reconstructed)."""
        return self.call is PASS and self.rules.all_pass == "throw-in"

    @tells(lambda deal: deal.undertaking_text())
    def take_sides(self) -> None:
        """The caller, with the partner in a proposal, plays against all others (p. 142)."""
        self.sides = [0 if seat in (self.holder, self.partner) else 1 for seat in range(4)]

    def settling_trumps(self) -> Story:
        """The caller of an abundance or a declared abundance names the trumps. A misere has none (p. 143)."""
        if self.call is ABUNDANCE or self.call is DECLARED:
            self.trumps = (yield Ask(self.holder, "suit", TRUMP)).words[0]
        elif self.call is not MISERE and self.call is not OPEN_MISERE:
            self.trumps = self.turned.suit

    def playing(self) -> Story:
        """The eldest hand leads any card; in a declared abundance the caller leads. The others play one card each in
        turn: these cards are a trick. Players must follow suit if they can, and may otherwise play any card. The winner
        of a trick leads to the next (pp. 143-144)."""
        self.leader = self.holder if self.call is DECLARED else self.eldest
        hands = self.hands
        while not self.decided():
            seats, trick = self.round_from(self.leader), self.trick
            for seat in seats:
                card = (yield Ask(seat, "play", may_play(hands[seat], trick))).card
                hands[seat].remove(card)
                trick.append(card)
            self.gather(seats[taker(trick, self.trumps)])
            if self.call is OPEN_MISERE:
                self.show_the_hand()

    @tells(lambda deal: f"seat {deal.holder} shows his hand: {' '.join(deal.shown)}" if len(deal.tricks) == 1 else None)
    def show_the_hand(self) -> None:
        """In an open misere the caller's cards are shown after the first trick (p. 144)."""
        self.shown = self.hands[self.holder]

    def decided(self) -> bool:
        """Thirteen tricks are played (p. 142). A misere stops when the caller wins a trick, a declared abundance when
        the caller loses one (ours)."""
        played = len(self.tricks)
        if self.call is MISERE or self.call is OPEN_MISERE:
            return played == 13 or self.won[self.holder] > 0
        return played == 13 or self.call is DECLARED and self.won[self.holder] < played

    def settle(self) -> None:
        """If the call is made, each opponent pays its stake to the caller, or to one of the two partners; if it fails,
        the opponents receive as much. The stake is {prop_stake} for a proposal, {solo_stake} for a solo, {misere_stake}
        for a misere, {abundance_stake} for an abundance, {abundance_trumps_stake} for one in trumps,
        {open_misere_stake} for an open misere and {declared_stake} for a declared abundance (p. 147; reconstructed).

        With overtrick: Each trick over adds {overtrick counter} (pp. 146-147).

        With undertrick: Each trick under adds {undertrick counter} (pp. 146-147).

        A misere and a declared abundance have no tricks over or under (pp. 146-147).

        With slam_double and overtrick: Over-tricks count double in a proposal that wins all thirteen (p. 147;
        reconstructed)."""
        callers = [seat for seat in self.order if seat in (self.holder, self.partner)]
        adversaries = [seat for seat in self.order if seat not in callers]
        value = self.rules.value(self.call, sum(self.won[seat] for seat in callers))
        why = "the call is made" if value > 0 else "the call has failed"
        for place, adversary in enumerate(adversaries):
            self.pay(adversary, callers[place % len(callers)], value, why)

    def settle_general_misere(self) -> None:
        """With all_pass = general-misere: If nobody calls, all play each for themselves without trumps, and the winner
        of the last trick pays {general_stake counter} to each of the others (p. 147; reconstructed)."""
        self.others_pay(self.leader, -self.rules.general_stake, "the last trick of a general misere")

    @classmethod
    def bound(cls, rules: SoloWhistRules) -> int:
        """The dearest call, with none or all of the tricks: one against three, in a proposal each against one (p. 147)."""
        ends = {call: max(abs(rules.value(call, tricks)) for tricks in (0, 13)) for call in rules.stakes}
        general = rules.general_stake if rules.all_pass == "general-misere" else 0
        return max(ends.pop(PROPOSE), 3 * max(general, *ends.values()))

    def says(self, ask: Ask, action: Action) -> str:
        if ask.phase == "call":
            return SAYS[action]
        if ask.phase == "suit":
            return f"names {SUIT_NAMES[action.words[0]]} as trumps"
        return super().says(ask, action)

    def undertaking_text(self) -> str:
        callers = " and ".join([f"seat {seat}" for seat in self.order if seat in (self.holder, self.partner)])
        verb = "undertakes" if self.partner is None else "undertake"
        return f"{callers} {verb} {UNDERTAKING[self.call].format(SUIT_NAMES[self.turned.suit])}"

    def refusal(self, ask: Ask, action: Action) -> str:
        if ask.phase == "call":
            return self.call_refused(ask, action)
        if ask.phase == "suit":
            return "not a legal action: name a suit (trump s, trump h, trump d or trump c)"
        return super().refusal(ask, action)

    def call_refused(self, ask: Ask, action: Action) -> str:
        if action not in ALONE and action not in (PROPOSE, ACCEPT):
            return "not a legal action"
        if ask.legal is LATE:
            return "the eldest hand has passed: accept or pass"
        if action == PROPOSE:
            return "cannot propose now"
        if action == ACCEPT:
            return "no proposal to accept"
        return f"too low: {self.call} stands"

    @property
    def caller(self) -> int | None:
        return None if self.call is PASS else self.holder

    what_wins = """The ace is high: A K Q J T 9 8 7 6 5 4 3 2. The highest trump takes the trick. Without a trump the
highest card of the suit led takes it (p. 142).

The calls, from low to high: a proposal, to win eight tricks together with a partner; a solo, to win five alone; a
misere, to win none; an abundance, to win nine alone with trumps of your choice; an abundance in trumps, to win nine
with the turned-up suit; an open misere, to win none with your cards on the table; a declared abundance, to win all
thirteen with trumps of your choice (pp. 143-144)."""
    course = """deal_cards calling one_call raising an_open_proposal thrown_in take_sides settling_trumps playing
show_the_hand decided settle settle_general_misere"""

    phases = {
        "call": "`pass`, `propose`, `accept`, or alone: `solo`, `misere`, `abundance`, `abundance trumps`, `open misere`, "
        "`declared`",
        "suit": "to the caller of `abundance` or `declared`: `trump s`, `trump h`, `trump d` or `trump c`",
        "play": "`play As`: follow suit if you can",
    }

    class View(Tricks.View):
        """The names that everybody sees at Solo Whist."""

        turned: Card = public("the turned-up card, which is in the dealer's hand until the dealer plays it")
        calls: tuple[tuple[Seat, Action], ...] = public("all calls, passes too: (seat, call) each")
        call: Action = public(
            "the highest call so far; `pass` if there is none, which during play means a general misere"
        )
        caller: Seat | None = public("the seat that made the highest call; None without a call")
        partner: Seat | None = public("the seat that has accepted the proposal; None if nobody has")
        trumps: str | None = public("the suit of trumps during play, s h d c; None before that, and without trumps")
        shown: tuple[Card, ...] = public("in an open misere, the caller's cards after the first trick")


SAYS = {
    PASS: "passes",
    PROPOSE: "proposes",
    ACCEPT: "accepts the proposal",
    SOLO: "calls a solo",
    MISERE: "calls a misere",
    ABUNDANCE: "calls an abundance",
    ABUNDANCE_TRUMPS: "calls an abundance in trumps",
    OPEN_MISERE: "calls an open misere",
    DECLARED: "declares an abundance",
}
UNDERTAKING = {
    PROPOSE: "eight tricks, {} being trumps",
    SOLO: "five tricks alone, {} being trumps",
    MISERE: "no trick, without trumps",
    ABUNDANCE: "nine tricks alone",
    ABUNDANCE_TRUMPS: "nine tricks alone, {} being trumps",
    OPEN_MISERE: "no trick, without trumps, his hand to be shown",
    DECLARED: "all the tricks alone",
}
NOBODY_CALLS: dict[str, str] = {
    "throw-in": "no call stands: the hands are thrown in",
    "general-misere": "no call stands: a general misere is played",
}


class SoloWhistRules(Rules, of=SoloWhist):
    """The options of Solo Whist, and the stake of each call."""

    prop_stake: int = option(6, "stake of a proposal", "p. 147, reconstructed")
    solo_stake: int = option(6, "stake of a solo", "p. 147, reconstructed")
    misere_stake: int = option(12, "stake of a misere", "p. 147, reconstructed")
    abundance_stake: int = option(18, "stake of an abundance", "p. 147, reconstructed")
    abundance_trumps_stake: int = option(18, "stake of an abundance in the turned suit", "reconstructed")
    open_misere_stake: int = option(24, "stake of an open misere", "reconstructed")
    declared_stake: int = option(36, "stake of a declared abundance", "reconstructed")
    overtrick: int = option(
        1, "what each trick over counts, in a proposal, a solo or an abundance", "pp. 146-147", low=0
    )
    undertrick: int = option(1, "what each trick under counts, in the same calls", "pp. 146-147", low=0)
    slam_double: bool = option(
        True, "whether over-tricks count double in a proposal that wins all thirteen", "p. 147, reconstructed"
    )
    all_pass: Literal["throw-in", "general-misere"] = option(
        "throw-in",
        "what happens if nobody calls: the cards are thrown in, or all play a general misere, in which the last trick loses",
        "p. 147, reconstructed",
    )
    general_stake: int = option(
        lambda rules: rules.solo_stake,
        "what the winner of the last trick of a general misere pays to each other player",
        "p. 147, reconstructed",
        usual="solo_stake",
        all_pass="general-misere",
    )

    def refusals(self) -> Iterator[str]:
        if "slam_double" in self.given and self.slam_double and not self.overtrick:
            yield "slam_double = true with overtrick = 0: nothing is doubled"

    @cached_property
    def stakes(self) -> dict[Action, int]:
        """Proportioned to the value of the calls (p. 147; reconstructed)."""
        return {
            PROPOSE: self.prop_stake,
            SOLO: self.solo_stake,
            MISERE: self.misere_stake,
            ABUNDANCE: self.abundance_stake,
            ABUNDANCE_TRUMPS: self.abundance_trumps_stake,
            OPEN_MISERE: self.open_misere_stake,
            DECLARED: self.declared_stake,
        }

    def value(self, call: Action, tricks: int) -> int:
        """The stake, and so much for each trick over or under; a slam counts double (pp. 146-147; reconstructed)."""
        stake = self.stakes[call]
        if call not in UNDERTAKEN:
            made = tricks == (13 if call is DECLARED else 0)
            return stake if made else -stake
        over = tricks - UNDERTAKEN[call]
        if over < 0:
            return over * self.undertrick - stake
        if call is PROPOSE and tricks == 13 and self.slam_double:
            over *= 2
        return stake + over * self.overtrick
