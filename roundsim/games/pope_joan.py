"""Pope Joan: stops, with a board of eight compartments (Baxter-Wray, "Round Games with Cards", 1891, pp. 80-86;
"Hoyle's Games Modernized", pp. 137-141, for the play, whose pages are lost in the former)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..actions import PASS, Action, Multisets, say
from ..cards import CARD, SUITS, Card, pack_of
from ..mechanics.stops import NEXT, Stops
from ..options import FLAG, OneOf, Option, Rules, between
from ..table import Ask, State, Story

PACK_51 = pack_of("23456789TJQKA", "8d")
POPE = CARD["9d"]
EIGHT = {"pope": 6, "matrimony": 2, "intrigue": 2, "ace": 1, "king": 1, "queen": 1, "knave": 1, "game": 1}
FIVE = {name: counters for name, counters in EIGHT.items() if name not in ("king", "queen", "knave")}
HONOURS = {"A": "ace", "K": "king", "Q": "queen", "J": "knave"}
PAIRS = (("matrimony", "Q", "K"), ("intrigue", "Q", "J"))


class PopeJoan(Stops):
    """Cards are played in sequence up to the stops; Pope, the trump honours and being out first win counters."""

    id = "pope-joan"
    title = "Pope Joan"
    seats = (2, 10)
    usual = (4, 7)
    source = 'Baxter-Wray, "Round Games with Cards", 1891, pp. 80-86; "Hoyle\'s Games Modernized", pp. 137-141'
    course = """The dealer dresses the board: counters on its eight compartments. The pack, without the eight of
diamonds, is dealt to the players and a spare hand; the last card is turned up for trumps. The eldest hand leads any
card, and whoever holds the next higher of the suit, ace low, must play it, and so on to a stop: a card whose next
nobody holds. Its player leads again. The nine of diamonds, Pope, wins the compartment pope; the ace, king, queen and
knave of trumps win theirs; king and queen from one hand matrimony, queen and knave intrigue. The first to be out of
cards wins game, and a counter for every card left in the other hands, but not from the holder of Pope. What nobody
wins stays."""

    options = (
        Option(
            "dressing",
            "dealer",
            OneOf("dealer", "all"),
            "who dresses the board; all: every seat, the dealer with double",
            "Hoyle's Games p. 138; Baxter-Wray p. 81",
        ),
        Option(
            "share",
            0,
            between(0, 100),
            "dressing all: what each puts down; 0: the least that is enough",
            "Baxter-Wray p. 81",
        ),
        Option(
            "winner",
            "cards",
            OneOf("cards", "game"),
            "the first out wins counters for cards, too; or game only, and the losers' counters go on the board",
            "Baxter-Wray p. 85",
        ),
        Option(
            "board",
            "eight",
            OneOf("eight", "five"),
            "five: no compartments for king, queen and knave",
            "Baxter-Wray p. 85",
        ),
        Option("pope_wins", False, FLAG, "Pope turned up makes the dealer the winner at once", "Baxter-Wray p. 85"),
        Option(
            "stops",
            "spare",
            OneOf("spare", "removed", "remainder"),
            "put away unseen: a spare hand; or some cards before dealing; or only those that do not go round",
            "Baxter-Wray pp. 85-86",
        ),
        Option(
            "removed",
            4,
            between(0, 30),
            "stops removed: how many cards are put away before dealing",
            "Baxter-Wray p. 86",
        ),
        Option("pope_lieu", False, FLAG, "Pope may be played in lieu of a card that nobody holds", "Baxter-Wray p. 86"),
        Option("look", False, FLAG, "the dealer sees the cards put away", "Baxter-Wray p. 86"),
        Option("card_price", 1, between(1, 100), "counters for a card left in hand", "Hoyle's Games p. 140"),
        Option(
            "final_round",
            True,
            FLAG,
            "a last round for what is on the board ends the sitting; if false, the board is shared",
            "Hoyle's Games p. 141",
        ),
    )

    @classmethod
    def refusals(cls, rules: Rules) -> Iterator[str]:
        needed, paid = sum(cls._dressing(rules).values()), rules.share * (rules.players + 1)
        if rules.dressing == "all" and 0 < paid < needed:
            yield (
                f'share = {rules.share} with dressing = "all": {paid} counters from {rules.players} players,'
                f" and the board takes {needed}"
            )
        if rules.winner == "game" and rules.dressing == "all":
            yield 'winner = "game" with dressing = "all": the dealer dresses the board alone'
        if rules.stops == "removed" and cls._cards_each(rules) < 3:
            yield (
                f'removed = {rules.removed} with stops = "removed" and {rules.players} players: that leaves fewer than'
                " three cards a seat"
            )

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        """What is put on the board and by whom, how many cards each seat gets, and what wins which compartment."""
        rules.dressed = dict(cls._dressing(rules))
        needed = sum(rules.dressed.values())
        rules.each_pays, rules.dealer_pays = 0, needed
        if rules.dressing == "all":
            rules.each_pays = rules.share or -(-needed // (rules.players + 1))
            rules.dealer_pays = 2 * rules.each_pays
            rules.dressed["game"] += rules.each_pays * (rules.players + 1) - needed
        rules.compartments = tuple(rules.dressed)
        rules.cards_each = cls._cards_each(rules)
        rules.prizes = {
            suit: {POPE: "pope"} | {CARD[rank + suit]: name for rank, name in HONOURS.items() if name in rules.dressed}
            for suit in SUITS
        }
        rules.pairs = {
            suit: [(name, CARD[queen + suit], CARD[other + suit]) for name, queen, other in PAIRS] for suit in SUITS
        }
        rules.dress = tuple([say("place", name) for name in rules.compartments])

    @staticmethod
    def _dressing(rules: Rules) -> dict[str, int]:
        return EIGHT if rules.board == "eight" else FIVE

    @staticmethod
    def _cards_each(rules: Rules) -> int:
        if rules.stops == "spare":
            return int(50 // (rules.players + 1))
        return int((50 - (rules.removed if rules.stops == "removed" else 0)) // rules.players)

    pool_names = tuple(EIGHT)
    end_key = "final"
    phases = {
        "dress": "option winner game, to the dealer when no compartment is empty: `place pope`, one counter",
        "lead": "`play As`: any card; the holder of the next higher of the suit then plays it, which is forced",
        "pope": "option pope_lieu, at a stop, to the holder of Pope: `play 9d` in lieu of what is missing, or `pass`",
        "place": "option winner game, to each loser: `place pope pope ace`, so many counters on the board",
    }
    public = {
        "turn_up": "the card turned up; None before the deal",
        "trumps": "its suit, s h d c",
        "put_away": "how many cards were put away unseen",
        **Stops.public,
        "missing": "the cards that stops have shown to be in no hand",
    }
    private = {"looked_at": "option look, to the dealer: the cards put away"}

    turn_up: Card | None
    trumps: str | None

    @classmethod
    def begin(cls, rules: Rules, dealer: int | None = None) -> State:
        state = super().begin(rules, dealer)
        state.pools = dict.fromkeys(rules.compartments, 0)
        return state

    def deal(self) -> Story:
        self.clear_the_table()
        yield from self.dressing()
        self.deal_cards()
        self.turning_up()
        if self.winner is None:
            yield from self.playing()
        yield from self.settle()

    def clear_the_table(self) -> None:
        """Nobody has cards while the board is dressed."""
        super().clear_the_table()
        self.looked_at: list[list[Card]] = [[] for _ in range(self.players)]
        self.turn_up = self.trumps = None
        self.put_away = 0
        self.missing: list[Card] = []

    def dressing(self) -> Story:
        """The dealer dresses the board, or all do; in a stake for game only the dealer fills what is empty."""
        rules = self.rules
        if rules.winner == "cards":
            for name, counters in rules.dressed.items():
                self.pools[name] += counters
            for seat in range(self.players):
                self.net[seat] -= rules.dealer_pays if seat == self.dealer else rules.each_pays
        elif empty := self.empty():
            for name in empty:
                self.into_pool(self.dealer, 1, name)
        else:
            self.into_pool(self.dealer, 1, (yield Ask(self.dealer, "dress", rules.dress)).words[0])

    def deal_cards(self) -> None:
        """One at a time, eldest first, the spare hand after the dealer; odd cards are put away, the last is turned."""
        rules, n = self.rules, self.players
        self.pack = self.chance.pack(PACK_51)
        away = self.pack.draw(rules.removed) if rules.stops == "removed" else []
        hands = n + (rules.stops == "spare")
        drawn = self.pack.draw(rules.cards_each * hands)
        for place, seat in enumerate(self.round_from(self.eldest)):
            self.take_up(seat, drawn[place::hands])
        if rules.stops == "spare":
            away += drawn[n::hands]
        *odd, self.turn_up = self.pack.draw(len(self.pack))
        away += odd
        self.trumps = self.turn_up.suit
        self.prizes, self.pairs = rules.prizes[self.trumps], rules.pairs[self.trumps]
        self.put_away = len(away)
        if rules.look:
            self.looked_at[self.dealer] = away

    def turning_up(self) -> None:
        """Pope or an honour turned up wins its compartment for the dealer; Pope may make him the winner at once."""
        if self.turn_up in self.prizes:
            self.take_pool(self.dealer, self.prizes[self.turn_up])
        if self.turn_up is POPE and self.rules.pope_wins:
            self.winner = self.dealer

    def one_run(self, seat: int) -> Story:
        """As ever; but Pope may be played in lieu of a card that nobody holds."""
        card = stands_for = (yield Ask(seat, "lead", self.may_lead(seat))).card
        while True:
            self.play_card(seat, card)
            if self.winner is not None:
                return seat
            due = NEXT[stands_for]
            if due in self.holder:
                card = stands_for = due
                seat = self.holder[due]
                yield Ask(seat, "lead", (due.play,))
            else:
                if due is None:
                    return seat
                self.missing.append(due)
                if not self.rules.pope_lieu or POPE not in self.holder:
                    return seat
                if (yield Ask(self.holder[POPE], "pope", (PASS, POPE.play))) is PASS:
                    return seat
                seat, card, stands_for = self.holder[POPE], POPE, due

    def play_card(self, seat: int, card: Card) -> None:
        """Pope and the trump honours win their compartments at once, and so does a pair from the same hand."""
        super().play_card(seat, card)
        if card in self.prizes:
            self.take_pool(seat, self.prizes[card])
        if card.suit == self.trumps and 11 <= card.rank <= 13:
            for name, queen, other in self.pairs:
                if self.played.get(queen) == self.played.get(other) == seat:
                    self.take_pool(seat, name)

    def settle(self) -> Story:
        """The winner takes game, and is paid for the cards left; or the losers place as much on the board."""
        self.take_pool(self.winner, "game")
        if self.rules.winner == "cards":
            self.pay_for_the_cards_left()
        else:
            for seat in self.round_from(self.winner)[1:]:
                if counters := self.price_of(self.hands[seat]):
                    yield from self.placing(seat, counters)

    def price_of(self, hand: Sequence[Card]) -> int:
        """The holder of Pope pays nothing."""
        return 0 if POPE in hand else super().price_of(hand)

    def placing(self, seat: int, counters: int) -> Story:
        """Whichever compartments he prefers, except that what is empty must be covered as far as the counters go."""
        empty = self.empty()
        legal = Multisets("place", self.rules.compartments, counters, empty, min(counters, len(empty)))
        for name in (yield Ask(seat, "place", legal)).words:
            self.into_pool(seat, 1, name)

    def empty(self) -> list[str]:
        """The compartments on which no counter lies."""
        return [name for name, counters in self.pools.items() if not counters]

    def why_refused(self, ask: Ask, said: Action) -> str:
        if ask.phase == "pope" and said.card in self.hands[ask.seat]:
            return f"only {POPE} in lieu, or pass"
        if ask.phase in ("dress", "place") and said.verb == "place":
            for name in said.words:
                if name not in self.pools:
                    return f"no compartment {name}"
            needed = len(ask.legal[0].words)
            if len(said.words) != needed:
                return f"exactly {needed} counter{'s' * (needed > 1)}"
            empty = self.empty()
            return f"{min(needed, len(empty))} of the empty compartments must be covered: {', '.join(empty)}"
        return super().why_refused(ask, said)

    def end(self) -> None:
        """The final round: all cards face upwards, diamonds trumps, whoever has the card takes its compartment.

        The queen has the greater half of matrimony and of intrigue.  Game has no taker: what lies there stays."""
        if not self.rules.final_round:
            return super().end()
        seats = self.round_from(self.eldest)
        self.hands = [[] for _ in seats]
        holder = {}
        for place, card in enumerate(self.chance.pack(PACK_51).draw(len(PACK_51))):
            holder[card] = seat = seats[place % self.players]
            self.hands[seat].append(card)
        for card, name in self.rules.prizes["d"].items():
            self.take_pool(holder[card], name)
        for name, queen, other in self.rules.pairs["d"]:
            self.into_pool(holder[other], -(self.pools[name] // 2), name)
            self.take_pool(holder[queen], name)
