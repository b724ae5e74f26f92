"""Pope Joan: stops, with a board of eight compartments (Baxter-Wray, "Round Games with Cards", 1891, pp. 80-86;
"Hoyle's Games Modernized", pp. 137-141, for the play, whose pages were lost in the copy of the former)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Literal

from roundsim.game import (
    CARD,
    PASS,
    SUIT_NAMES,
    SUITS,
    Action,
    Ask,
    Card,
    Multisets,
    Quiet,
    Stops,
    StopsRules,
    Story,
    moves_counters,
    option,
    pack_of,
    private,
    public,
    say,
    spelled,
    tells,
)

PACK_51 = pack_of("23456789TJQKA", "8d")
POPE = CARD["9d"]
EIGHT = {"pope": 6, "matrimony": 2, "intrigue": 2, "ace": 1, "king": 1, "queen": 1, "knave": 1, "game": 1}


class PopeJoan(Stops):
    """Get rid of your cards before anybody else does, and win counters with Pope and the high trumps."""

    id = "pope-joan"
    title = "Pope Joan"
    seats = (2, 10)
    usual = (4, 7)
    source = 'Baxter-Wray, "Round Games with Cards", 1891, pp. 80-86; "Hoyle\'s Games Modernized", pp. 137-141'
    silent = {
        "Baxter-Wray pp. 82-84": "the play, lost in the copy that was followed; taken from Hoyle's Games",
        "Hoyle's Games p. 137": "the board and the pack",
    }
    pool_names = tuple(EIGHT)
    end_key = "final"
    shows = ("turn_up", "missing")
    rules: PopeJoanRules

    turn_up: Card
    trumps: str
    put_away = 0

    def deal(self) -> Story:
        self.clear_the_table()
        yield from self.dressing()
        self.deal_cards()
        self.turning_up()
        if self.turn_up is POPE and self.rules.pope_wins:
            self.winner = self.dealer
        else:
            yield from self.playing()
        yield from self.settle()

    def clear_the_table(self) -> None:
        super().clear_the_table()
        self.looked_at: list[list[Card]] = [[] for _ in range(self.players)]
        self.missing: list[Card] = []

    def dressing(self) -> Story:
        """The board is dressed (Hoyle's Games p. 138), or in a stake for game gets one counter (Baxter-Wray p. 85)."""
        if self.rules.winner == "cards":
            self.dress_the_board()
        elif empty := self.empty():
            self.cover(empty)
        else:
            yield from self.adding_a_counter()

    def dress_the_board(self) -> None:
        """With winner = cards and dressing = dealer: The dealer dresses the board (Hoyle's Games p. 138).

        With dressing = all: All dress the board with {each_pays counter} each, the dealer with twice as many; what is
        over goes to game (Baxter-Wray p. 81).

        With winner = cards: Pope gets six counters, matrimony and intrigue two each, the other compartments one each.
        Counters that nobody wins stay for the next deal (Hoyle's Games p. 138; Baxter-Wray p. 81)."""
        self.put_down("the board is dressed")

    @moves_counters
    def put_down(self, why: str = "") -> None:
        rules = self.rules
        for name, counters in rules.dressed.items():
            self.pools[name] += counters
        for seat in range(self.players):
            self.net[seat] -= rules.dealer_pays if seat == self.dealer else rules.each_pays

    def cover(self, empty: Sequence[str]) -> None:
        """With winner = game: The dealer puts one counter on each compartment that is empty (ours)."""
        for name in empty:
            self.into_pool(self.dealer, 1, name, "what is empty is covered")

    def adding_a_counter(self) -> Story:
        """With winner = game: If none is empty, the dealer places one counter on any (Baxter-Wray p. 85)."""
        legal = tuple([say("place", name) for name in self.rules.pool_names])
        for name in (yield Ask(self.dealer, "dress", legal)).words:
            self.into_pool(self.dealer, 1, name, "the dealer adds a counter")

    @tells(lambda deal: deal.what_is_turned_up())
    def deal_cards(self) -> None:
        """The cards without the eight of diamonds are dealt one at a time, as far as they go round (Hoyle's Games p.
        138; Baxter-Wray p. 81).

        With stops = spare: A spare hand gets as many (Hoyle's Games p. 138; Baxter-Wray p. 81).

        With stops = removed: Before that, the dealer puts away {removed card} (Baxter-Wray p. 86)."""
        rules, n = self.rules, self.players
        self.pack = self.chance.pack(PACK_51)
        away = self.pack.draw(rules.taken_out)
        order = self.round_from(self.eldest)
        hands = self.deal_singly(rules.cards_each, (*order, n) if rules.stops == "spare" else order)
        if rules.stops == "spare":
            away += hands.pop()
        for seat, hand in enumerate(hands):
            self.take_up(seat, hand)
        *odd, self.turn_up = self.pack.draw(len(self.pack))
        away += odd
        self.trumps = self.turn_up.suit
        self.prizes = rules.prizes[self.trumps]
        self.put_away = len(away)
        if rules.look:
            self.looked_at[self.dealer] = away

    def turning_up(self) -> None:
        """The last card is turned up: its suit is trumps. If it wins a compartment, the dealer takes that (Hoyle's
        Games p. 138).

        With pope_wins: If it is Pope, the dealer also wins the deal (Baxter-Wray p. 85)."""
        if self.turn_up in self.prizes:
            self.take_pool(self.dealer, self.prizes[self.turn_up], "turned up by the dealer")

    def one_run(self, seat: int) -> Story:
        """The run goes up to a stop: a king, the seven of diamonds, or a card whose next nobody holds because it was
        played, turned up or put away (Hoyle's Games pp. 138-140).

        With pope_lieu: At a stop other than a king, Pope may be played instead of the next card (Baxter-Wray p. 86)."""
        yield from self.leads(seat)
        seat = yield from self.going_on(seat)
        while self.hands[seat] and (due := self.due()):
            self.missing.append(due)
            if not self.rules.pope_lieu or POPE not in self.holder:
                break
            holder = self.holder[POPE]
            if (yield Quiet(holder, "pope", (PASS, POPE.play))) is PASS:
                break
            self.play_in_lieu(holder, due)
            seat = yield from self.going_on(holder)
        return seat

    @tells(lambda deal, seat, due: deal.why_a_stop(due) if deal.hands[seat] else None)
    def play_in_lieu(self, seat: int, due: Card) -> None:
        """After Pope goes on what comes after the card for which it stands (Baxter-Wray p. 86)."""
        self.play_card(seat, POPE)
        self.reached = due

    def play_card(self, seat: int, card: Card) -> None:
        """A card, or a pair of cards, that wins a compartment takes its counters as soon as it is played (Hoyle's Games
        p. 140; Baxter-Wray p. 81)."""
        super().play_card(seat, card)
        if card in self.prizes:
            self.take_pool(seat, self.prizes[card], "won by the card")
        if card.suit == self.trumps and 11 <= card.rank <= 13:
            for name, queen, other in PAIRS[self.trumps]:
                if self.played.get(queen) == self.played.get(other) == seat:
                    self.take_pool(seat, name, "both cards from one hand")

    def settle(self) -> Story:
        """Play ends when a player has no cards; the winner takes game (Hoyle's Games p. 140; Baxter-Wray pp. 80-81).

        With winner = cards: They also get {card_price counter} for each card the others have (Hoyle's Games p. 140)."""
        self.take_pool(self.winner, "game", "the winner takes game")
        if self.rules.winner == "cards":
            self.pay_for_the_cards_left()
        else:
            for seat in self.round_from(self.winner)[1:]:
                if counters := self.price_of(seat):
                    yield from self.placing(seat, counters)

    @tells(lambda deal, seat: f"seat {seat} holds {POPE}, and pays nothing" if POPE in deal.hands[seat] else None)
    def price_of(self, seat: int) -> int:
        """A player who still holds Pope pays nothing (Hoyle's Games p. 140)."""
        return 0 if POPE in self.hands[seat] else super().price_of(seat)

    def placing(self, seat: int, counters: int) -> Story:
        """With winner = game: Each other player places {card_price counter} on any compartments for every card they
        have left, but must cover empty ones first (Baxter-Wray p. 85)."""
        empty = self.empty()
        legal = Multisets("place", self.rules.pool_names, counters, empty, min(counters, len(empty)))
        for name in (yield Ask(seat, "place", legal)).words:
            self.into_pool(seat, 1, name, "placed for the cards left")

    def empty(self) -> list[str]:
        return [name for name, counters in self.pools.items() if not counters]

    def end(self) -> None:
        """The final round: all cards lie open, diamonds trumps, their holders take the board (Hoyle's Games p. 141).

        The queen has the greater half of matrimony and of intrigue. Game has no taker: what lies there stays."""
        if not self.rules.final_round:
            return super().end()
        self.lay_open()
        for card, name in self.rules.prizes["d"].items():
            self.take_pool(self.holder[card], name, "its card held in the final round")
        for name, queen, other in PAIRS["d"]:
            self.into_pool(self.holder[other], -(self.pools[name] // 2), name, "the lesser half")
            self.take_pool(self.holder[queen], name, "the greater half, to the queen")

    @tells("in the final round all cards lie open, and diamonds are trumps")
    def lay_open(self) -> None:
        self.clear_the_table()
        self.deal_out(PACK_51)

    def what_is_turned_up(self) -> str:
        wins = self.turn_up is POPE and self.rules.pope_wins
        then = "the dealer has won" if wins else f"{SUIT_NAMES[self.trumps]} are trumps"
        return f"{self.turn_up} is turned up: {then}"

    def why_a_stop(self, card: Card) -> str | None:
        in_lieu = card is POPE and len(self.run) > 1  # whether it is a stop depends on the other card: see play_in_lieu
        return None if in_lieu else super().why_a_stop(card)

    def where_it_is(self, card: Card) -> str:
        return "is turned up" if card == self.turn_up else super().where_it_is(card)

    def says(self, ask: Ask, action: Action) -> str:
        if ask.phase == "pope":
            return f"plays {POPE} in lieu of {self.missing[-1]}" if action.card else f"does not play {POPE} in lieu"
        if action.verb == "place":
            placed = [f"{spelled(counters)} on {name}" for name, counters in Counter(action.words).items()]
            return f"places {', '.join(placed)}"
        return super().says(ask, action)

    def why_refused(self, ask: Ask, action: Action) -> str:
        if ask.phase == "pope" and action.card in self.hands[ask.seat]:
            return f"only {POPE} in lieu, or pass"
        if ask.phase in ("dress", "place") and action.verb == "place":
            for name in action.words:
                if name not in self.pools:
                    return f"no compartment {name}"
            needed = len(ask.legal[0].words)
            if len(action.words) != needed:
                return f"exactly {needed} counter{'s' * (needed > 1)}"
            empty = self.empty()
            return f"{min(needed, len(empty))} of the empty compartments must be covered: {', '.join(empty)}"
        return super().why_refused(ask, action)

    what_wins = """In each suit the cards follow from low to high: A 2 3 4 5 6 7 8 9 T J Q K. The first player without
cards wins (Hoyle's Games p. 140; Baxter-Wray pp. 80-81).

The board has compartments with counters. The nine of diamonds, called Pope, wins pope, the ace of trumps ace. A player
who plays both the king and the queen of trumps wins matrimony, the queen and the jack intrigue. The first player
without cards wins game (Hoyle's Games pp. 138, 140; Baxter-Wray p. 81).

With board = eight: The king, the queen and the jack of trumps win king, queen and knave (Hoyle's Games p. 138;
Baxter-Wray p. 81)."""
    course = """dress_the_board cover adding_a_counter deal_cards turning_up playing follows one_run play_card settle
placing price_of"""

    played_with = PACK_51
    phases = {
        "dress": "option winner game, to the dealer if no compartment is empty: `place pope` puts one counter there",
        "lead": "`play As`: any card; the holder of the next higher card of the suit must then play it",
        "pope": "option pope_lieu, at a stop, to the holder of Pope: `play 9d` instead of the missing card, or `pass`",
        "place": "option winner game, to each loser: `place pope pope ace` puts a counter there for each name",
    }

    class View(Stops.View):
        """The names that everybody sees at Pope Joan, and the cards put away that a dealer may look at."""

        turn_up: Card | None = public("the card turned up; None before the deal", None)
        trumps: str | None = public("the suit of trumps, s h d c; None before the deal", None)
        put_away: int = public("how many cards were put away, the spare hand too")
        missing: tuple[Card, ...] = public("the cards that nobody holds, as stops have shown")
        looked_at: tuple[Card, ...] = private("option look, to the dealer: the cards put away")


HONOURS = {"A": "ace", "K": "king", "Q": "queen", "J": "knave"}
PAIRS = {  # by trumps, the queen and the other card that win a compartment from one hand
    suit: [("matrimony", CARD["Q" + suit], CARD["K" + suit]), ("intrigue", CARD["Q" + suit], CARD["J" + suit])]
    for suit in SUITS
}


class PopeJoanRules(StopsRules, of=PopeJoan):
    """The options of Pope Joan, what lies on the board and by whom, and what wins which compartment."""

    dressing: Literal["dealer", "all"] = option(
        "dealer",
        "who puts counters on the board; all: every player, and the dealer twice as many",
        "Hoyle's Games p. 138; Baxter-Wray p. 81",
    )
    share: int = option(
        0,
        "dressing all: how many counters each puts down; 0: the least that is enough",
        "Baxter-Wray p. 81",
        low=0,
        high=100,
    )
    winner: Literal["cards", "game"] = option(
        "cards",
        "whether the winner is paid for cards, or takes game only and the losers put their counters on the board",
        "Baxter-Wray p. 85",
    )
    board: Literal["eight", "five"] = option(
        "eight", "how many compartments there are; five: none for king, queen and knave", "Baxter-Wray p. 85"
    )
    pope_wins: bool = option(False, "whether the dealer wins at once when Pope is turned up", "Baxter-Wray p. 85")
    stops: Literal["spare", "removed", "remainder"] = option(
        "spare",
        "which cards are put away: a spare hand; some cards before dealing; or only those that do not go round",
        "Baxter-Wray pp. 85-86",
    )
    removed: int = option(
        4, "how many cards are put away before dealing", "Baxter-Wray p. 86", low=0, high=30, stops="removed"
    )
    pope_lieu: bool = option(
        False, "whether Pope may be played instead of a card that nobody holds", "Baxter-Wray p. 86"
    )
    look: bool = option(False, "whether the dealer sees the cards put away", "Baxter-Wray p. 86")
    card_price: int = option(1, "what each player pays for a card left in the hand", "Hoyle's Games p. 140", high=100)
    final_round: bool = option(
        True,
        "whether a last round for what is on the board ends the sitting; if false, the board is shared",
        "Hoyle's Games p. 141",
    )

    def refusals(self) -> Iterator[str]:
        needed, paid = sum(self.compartments.values()), self.share * (self.players + 1)
        if self.dressing == "all" and 0 < paid < needed:
            yield (
                f'share = {self.share} with dressing = "all": {paid} counters from {self.players} players,'
                f" and the board takes {needed}"
            )
        if self.winner == "game" and self.dressing == "all":
            yield 'winner = "game" with dressing = "all": the dealer dresses the board alone'
        if self.stops == "removed" and self.cards_each < 3:
            yield (
                f'removed = {self.removed} with stops = "removed" and {self.players} players: that leaves fewer than'
                " three cards a seat"
            )

    @cached_property
    def compartments(self) -> dict[str, int]:
        """Fifteen counters on eight compartments, or twelve on five (Hoyle's Games p. 138; Baxter-Wray pp. 81, 85)."""
        without = () if self.board == "eight" else ("king", "queen", "knave")
        return {name: counters for name, counters in EIGHT.items() if name not in without}

    @property
    def pool_names(self) -> tuple[str, ...]:
        return tuple(self.compartments)

    @cached_property
    def each_pays(self) -> int:
        """If all dress the board, fifteen counters between them or more (Baxter-Wray p. 81)."""
        if self.dressing == "dealer":
            return 0
        return self.share or -(-sum(self.compartments.values()) // (self.players + 1))

    @cached_property
    def dealer_pays(self) -> int:
        """Double what each pays, or all (Baxter-Wray p. 81)."""
        return 2 * self.each_pays or sum(self.compartments.values())

    @cached_property
    def dressed(self) -> dict[str, int]:
        """The counters put on each compartment; all that is over is for game (Baxter-Wray p. 81)."""
        paid = self.each_pays * (self.players - 1) + self.dealer_pays
        over = paid - sum(self.compartments.values())
        return {**self.compartments, "game": self.compartments["game"] + over}

    @cached_property
    def taken_out(self) -> int:
        """How many cards are taken from the pack before dealing (Baxter-Wray p. 86)."""
        return self.removed if self.stops == "removed" else 0

    @cached_property
    def cards_each(self) -> int:
        """As equally as possible, the spare hand as well, with one card at least to turn up (Baxter-Wray p. 81)."""
        return (50 - self.taken_out) // (self.players + (self.stops == "spare"))

    @cached_property
    def prizes(self) -> dict[str, dict[Card, str]]:
        """By trumps, the compartment that each card wins (Hoyle's Games p. 138; Baxter-Wray p. 81)."""
        honours = [(rank, name) for rank, name in HONOURS.items() if name in self.compartments]
        return {suit: {POPE: "pope"} | {CARD[rank + suit]: name for rank, name in honours} for suit in SUITS}
