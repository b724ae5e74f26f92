"""Cassino: taking cards by pairing and combining (Baxter-Wray, "Round Games with Cards", 1891, pp. 97-100).

In this book there is no building."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Literal

from roundsim.game import (
    CARD,
    PACK,
    Action,
    Ask,
    Card,
    Deal,
    Each,
    Rules,
    Seat,
    Story,
    TableView,
    actions_for,
    any_order,
    carried,
    naming,
    option,
    public,
    say,
    spelled,
    tells,
)

from ..native import native

VALUE = {card: "A23456789TJQK".index(card[0]) + 1 for card in PACK}
TEN = 10  # the highest value that a combination can have; above it are the court cards
BIT = {card: 1 << place for place, card in enumerate(PACK)}  # a group of cards is a number: a bit for each of them,
ABOVE = 52  # and above these bits what they add up to
ALONE = {card: VALUE[card] << ABOVE | BIT[card] for card in PACK}
ALL_BITS = (1 << ABOVE) - 1
LAY = {card: say("lay", card) for card in PACK}
ACES = frozenset([card for card in PACK if card[0] == "A"])
SPADES = frozenset([card for card in PACK if card.suit == "s"])


class Cassino(Deal):
    """Take cards from the board that match yours or add up to it, and collect those that score."""

    id = "cassino"
    title = "Cassino"
    family = "fishing"
    seats = (2, 4)
    usual = (2, 4)
    source = 'Baxter-Wray, "Round Games with Cards", 1891, pp. 97-100'
    shows = ("board",)
    rules: CassinoRules

    last_taker: int | None = None

    def deal(self) -> Story:
        self.deal_with_the_board()
        yield from self.playing()
        while self.stock:
            self.deal_again()
            yield from self.playing()
        self.take_the_last_cards(self.board)
        self.settle()

    @tells(lambda deal: f"on the board lie {' '.join(deal.board)}")
    def deal_with_the_board(self) -> None:
        """Each player gets four cards, one at a time, and four more are dealt face up to the board (p. 98).

        With 4 players and partners: The players who sit opposite each other are partners (p. 98)."""
        n, self.sides = self.players, self.rules.sides
        self.order = self.round_from(self.eldest)
        self.pack = self.chance.pack(self.rules.all_cards)
        *self.hands, self.board = self.deal_singly(4, (*self.order, n))
        self.stock = len(self.pack)
        self.piles: list[list[Card]] = [[] for _ in range(n)]
        self.sweeps = [0] * n

    @tells(lambda deal: f"{spelled(len(deal.hands[deal.eldest]))} more cards are dealt to each")
    def deal_again(self) -> None:
        """When the hands are empty, each player gets four more cards, but the board gets none, until the whole pack is
        played (p. 98).

        With pack = 32: The last cards go round as far as they are enough for all (ours)."""
        self.hands = self.deal_singly(min(4, self.stock // self.players), self.order)
        self.stock = len(self.pack)

    def playing(self) -> Story:
        """From the eldest hand, the player on the dealer's left, each player in turn plays one card (p. 98)."""
        for _ in range(len(self.hands[self.eldest])):
            for seat in self.order:
                hand = self.hands[seat]
                action = yield Ask(seat, "play", self.may_play(hand))
                hand.remove(action.card)
                if action.verb == "take":
                    self.take(seat, action.cards)
                else:
                    self.board.append(action.card)

    def may_play(self, hand: Sequence[Card]) -> Sequence[Action]:
        """With must_take: If no card in the hand can take anything, the player lays one on the board (p. 98).

        Without must_take: A player may lay on the board a card that can take nothing (p. 98)."""
        takings = full_takings(hand, self.board)
        if not takings:
            return actions_for(hand, (), LAY)
        legal = [take_with(*cards) for cards in takings]
        if not self.rules.must_take:
            able = {cards[0] for cards in takings}
            legal = [LAY[card] for card in hand if card not in able] + legal
        return any_order(legal, fixed=1)

    @tells(lambda deal, seat, cards: deal.feats_text(seat, cards))
    def take(self, seat: int, cards: Sequence[Card]) -> None:
        """The card takes every card of its rank on the board, and groups that add up to it until none is left. They go
        to the player's pile together with the card played (p. 98).

        If groups overlap, the player chooses (ours)."""
        self.piles[seat] += cards
        self.last_taker = seat
        for card in cards[1:]:
            self.board.remove(card)
        self.sweeps[seat] += not self.board

    @tells(lambda deal, cards: deal.last_text(cards))
    def take_the_last_cards(self, cards: Sequence[Card]) -> None:
        """The player who took last gets the cards left on the board (p. 99)."""
        if cards and self.last_taker is not None:
            self.piles[self.last_taker] += cards
            self.sweeps[self.last_taker] += 1
            self.board = []

    def settle(self) -> None:
        """With score = points: For each point that another player, or the other side, has scored more, a player pays
        them {value counter} (ours)."""
        parts = self.points_by_part()
        scored = self.scored(list(map(sum, zip(*parts.values(), strict=True))))
        if self.rules.score == "game":
            self.play_for_the_game(scored)
        elif self.rules.netting == "two-lowest":
            self.pay_differences([self.rules.value * points for points in scored], "the difference in points")
        else:
            for part, points in parts.items():
                self.pay_differences([self.rules.value * won for won in points], part)

    def points_by_part(self) -> dict[str, list[int]]:
        """Partners' takings go together; most spades and most cards count to one side alone (p. 99)."""
        side_of = self.rules.side_of
        piles: list[list[Card]] = [[] for _ in {*side_of}]
        sweeps = [0] * len(piles)
        for seat, side in enumerate(side_of):
            piles[side] += self.piles[seat]
            sweeps[side] += self.sweeps[seat]
        points = {"sweeps": sweeps, "aces": [len(ACES.intersection(pile)) for pile in piles]}
        points |= {name: [WORTH[card] * (card in pile) for pile in piles] for card, name in CASSINOS.items()}
        spades = [len(SPADES.intersection(pile)) for pile in piles]
        for what, counts in ("spades", spades), ("cards", [*map(len, piles)]):
            if counts.count(max(counts)) == 1:
                best = self.most(what, counts)
                points[f"most {what}"] = [MOST[what] * (side == best) for side in range(len(piles))]
        return points

    @tells(lambda deal, what, counts: f"most {what}, {max(counts)}: {deal.side_text(counts.index(max(counts)))}")
    def most(self, what: str, counts: list[int]) -> int:
        return counts.index(max(counts))

    @tells(lambda deal, points: f"points: {deal.by_sides(points)}")
    def scored(self, points: list[int]) -> list[int]:
        """With 2 players: The better player scores the difference of the points (pp. 97, 99-100).

        With 4 players and partners: Partners put their piles together, and the better side scores the difference of the
        points (pp. 97, 99-100).

        With netting = plain and 3 players: Each player scores their own points (p. 97).

        With netting = plain and partners = false and 4 players: Each player scores their own points (p. 97).

        With netting = lowest and 3 players: Each player scores the points that they have above the lowest (p. 97).

        With netting = lowest and partners = false and 4 players: Each player scores the points that they have above the
        lowest (p. 97).

        With netting = two-lowest: The player with most points scores what they have above the sum of the two others (p.
        100)."""
        if self.rules.netting == "two-lowest":
            return [max(0, 2 * own - sum(points)) for own in points]
        if self.rules.netting == "lowest" or len(points) == 2:
            return [own - min(points) for own in points]
        return points

    @tells(lambda deal, scored: f"game points: {deal.by_sides(deal.score[: len(scored)])}" if any(deal.score) else None)
    def play_for_the_game(self, scored: list[int]) -> None:
        """With score = game: When somebody has {target} points, the player or side with most, if alone, wins {stake
        counter} from each loser, and a new game begins (ours)."""
        side_of = self.rules.side_of
        self.score = [score + scored[side] for score, side in zip(self.score, side_of, strict=True)]
        highest = {side for score, side in zip(self.score, side_of, strict=True) if score == max(self.score)}
        if max(self.score) >= self.rules.target and len(highest) == 1:
            self.pay_differences(
                [self.rules.stake * (side in highest) for side in range(len(scored))], "the game is won"
            )
            self.score = [0] * self.players

    def pay_differences(self, counters: list[int], why: str) -> None:
        """Every side pays every other the difference; partners each in full (ours)."""
        for payer, payee in self.rules.opponents:
            self.pay(payer, payee, counters[self.rules.side_of[payee]] - counters[self.rules.side_of[payer]], why)

    @classmethod
    def bound(cls, rules: CassinoRules) -> int:
        """Every point of the cards, spades and aces, a sweep with each card, and the last; or the stake of a game (p. 99)."""
        sides, cards = len({*rules.side_of}), rules.all_cards
        counted = sum([WORTH.get(card, card in ACES) for card in cards]) + sum(MOST.values())
        points = counted + (len(cards) - 4) // sides + 1
        most = rules.stake if rules.score == "game" else rules.value * points
        return most * (1 if rules.sides else rules.players - 1)

    def says(self, ask: Ask, action: Action) -> str:
        if action.verb == "take":
            return f"takes {' '.join(action.cards[1:])} with {action.card}"
        return f"lays {action.card} on the board"

    def by_sides(self, points: Sequence[int]) -> str:
        return ", ".join([f"{n} to {self.side_text(side)}" for side, n in enumerate(points)])

    def side_text(self, side: int) -> str:
        return " and ".join([f"seat {seat}" for seat, own in enumerate(self.rules.side_of) if own == side])

    def feats_text(self, seat: int, cards: Sequence[Card]) -> str | None:
        feats = [f"has {name}" for card, name in CASSINOS.items() if card in cards]
        feats += ["sweeps the board"] * (not self.board)
        return f"seat {seat} {' and '.join(feats)}" if feats else None

    def last_text(self, cards: Sequence[Card]) -> str | None:
        event = f"seat {self.last_taker}, the last to take, gets what is left: {' '.join(cards)}"
        return event if cards and not self.board else None

    def refusal(self, ask: Ask, action: Action) -> str:
        return f"{ask.phase}: {self.why_not(self.hands[ask.seat], action)}"

    def why_not(self, hand: Sequence[Card], action: Action) -> str:
        card = action.card
        if card is None or action != LAY.get(card) and (action.verb != "take" or action.words[0] != card):
            return "not a legal action"
        if card not in hand:
            return f"{card} is not in hand"
        takings = full_takings([card], self.board)
        if action.verb == "take":
            return f"{card} takes " + (" or ".join([" ".join(cards) for _, *cards in takings]) or "nothing")
        return f"{card} can take" if takings else "a card that can take must be played"

    score: list[int] = carried(
        lambda rules, dealer: [0] * rules.players, "with score game: the points of each seat", names="each"
    )

    what_wins = """A card takes cards of its own rank, and groups of cards that add up to it: an ace counts one, two to
ten their number. Kings, queens and jacks only take their own rank (p. 98).

Points: two for the ten of diamonds, called Great Cassino; one for the two of spades, Little Cassino; one for each ace;
one for most spades and three for most cards, unless two sides have equally many; one for each sweep, which is to take
all cards on the board, and one for the cards left at the end (p. 99)."""
    course = "deal_with_the_board playing take may_play deal_again take_the_last_cards scored settle play_for_the_game"

    played_with = "all_cards"
    phases = {
        "play": "`take 9s 9h 8c Ad` plays the nine and takes all board cards that match it or add up to it;"
        " `lay 9s` puts it on the board if it takes none",
    }

    class View(TableView):
        """The names that everybody sees at Cassino, including the cards that were taken."""

        order: tuple[Seat, ...] = public("the seats, eldest first, the dealer last")
        board: tuple[Card, ...] = public("the cards on the board, in the order in which they came there")
        piles: Each[tuple[Card, ...]] = public("the cards that each seat has taken")
        sweeps: Each[int] = public("how often each seat has swept the board or got the last cards")
        last_taker: Seat | None = public("the last seat to take; None: nobody yet")
        stock: int = public("how many cards are still to be dealt")
        score: Each[int] = public()


@lru_cache(1 << 13)
def take_with(*cards: Card) -> Action:
    """To play the first card, which takes the others (p. 98)."""
    return naming("take", cards)


@native
def full_takings(hand: Sequence[Card], board: Sequence[Card]) -> list[tuple[Card, ...]]:
    """Every card of its rank is taken, and all that combine (p. 98), the player choosing where they overlap (ours).

    Each taking is the card of the hand, and then those of the board in its order."""
    takings, groups = [], groups_on(tuple(board))
    for card in hand:
        able = tuple([group for group in groups if group >> ABOVE == VALUE[card]])
        takings += [(card, *sorted(taken, key=board.index)) for taken in takings_of(able)]
    return takings


@lru_cache(1 << 10)
def groups_on(board: tuple[Card, ...]) -> list[int]:
    """All groups of board cards that add up to ten at most, or pair (p. 98)."""
    groups = [0]
    for card in board:
        alone, too_much = ALONE[card], (TEN + 1 - VALUE[card]) << ABOVE
        if VALUE[card] > TEN:
            groups.append(alone)
        else:
            groups += [group + alone for group in groups if group < too_much]
    return groups


@lru_cache(1 << 12)
def takings_of(groups: tuple[int, ...]) -> Sequence[list[Card]]:
    """The ways to take from groups that may overlap until none is left; those of the fewest cards first (ours)."""
    takings = until_none_is_left([group & ALL_BITS for group in groups]) if groups else ()
    in_order = sorted(takings, key=lambda taking: (taking.bit_count(), taking))
    return [[card for card in PACK if taking & BIT[card]] for taking in in_order]


def until_none_is_left(groups: Sequence[int]) -> set[int]:
    """All ways to take groups that do not overlap until none is left; one that meets the first is in each (p. 98)."""
    takings, tried, ways = set[int](), {0}, [(0, groups)]
    while ways:
        taken, left = ways.pop()
        if not left:
            takings.add(taken)
        for group in left:
            if group & left[0] and taken | group not in tried:
                tried.add(taken | group)
                ways.append((taken | group, [other for other in left if not other & group]))
    return takings


CASSINOS = {CARD["Td"]: "Great Cassino", CARD["2s"]: "Little Cassino"}
WORTH = {CARD["Td"]: 2, CARD["2s"]: 1}
MOST = {"spades": 1, "cards": 3}  # points for most of them


class CassinoRules(Rules, of=Cassino):
    """The options of Cassino, and who plays with whom."""

    partners: bool = option(True, "whether of four players seats 0 and 2 play against 1 and 3", "p. 97")
    pack: Literal[52, 32] = option(52, "with 32 the cards run from seven to ace, for two or four players", "p. 97")
    netting: Literal["plain", "lowest", "two-lowest"] = option(
        "plain",
        "what scores if three or four play each for themselves; lowest: all above the lowest points; two-lowest: of"
        " three, what the highest has above the sum of the others",
        "pp. 97, 100",
    )
    must_take: bool = option(True, "whether a player who can take must; if false, another card may be laid", "p. 98")
    score: Literal["points", "game"] = option(
        "points", "whether the points of each deal are paid for, or a game of several deals", "ours"
    )
    value: int = option(1, "with score points: how many counters a point is worth", "ours", high=100)
    target: int = option(11, "how many points win a game", "ours", high=100, score="game")
    stake: int = option(1, "what each loser of a game pays", "ours", high=100, score="game")

    def refusals(self) -> Iterator[str]:
        if self.pack == 32 and self.players == 3:
            yield "pack = 32 with 3 players: it is for two or four"
        if self.netting == "two-lowest" and self.players != 3:
            yield f'netting = "two-lowest" with {self.players} players: it is for three'

    @property
    def sitting(self) -> int:
        """Each seat deals once, or twice where a game is to be won (ours)."""
        return self.players * (2 if self.score == "game" else 1)

    @property
    def sides(self) -> list[int] | None:
        """Partners sit opposite to each other (p. 98)."""
        return [0, 1, 0, 1] if self.partners and self.players == 4 else None

    @cached_property
    def side_of(self) -> list[int]:
        """By seat, for which side it plays: two, three or four may play, each for himself (p. 97)."""
        return self.sides or list(range(self.players))

    @cached_property
    def opponents(self) -> list[tuple[int, int]]:
        """Everybody settles with everybody, or each partner with one of the other side (ours)."""
        if self.sides:
            return [(0, 1), (2, 3)]
        return [(seat, other) for seat in range(self.players) for other in range(seat)]
