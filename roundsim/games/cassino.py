"""Cassino: taking cards by pairing and combining (Baxter-Wray, "Round Games with Cards", 1891, pp. 97-100).

In this book there is no building."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..actions import Action, AnyOrder, say
from ..cards import CARD, PACK, PACK_32, Card
from ..options import FLAG, OneOf, Option, Rules, between
from ..table import Ask, Carry, Deal, Story

VALUE = {card: "A23456789TJQK".index(card[0]) + 1 for card in PACK}
TEN = 10  # the highest value that a combination can have; above it are the court cards
BIT = {card: 1 << place for place, card in enumerate(PACK)}
LAY = {card: say("lay", card) for card in PACK}
POINTS = {CARD["Td"]: 2, CARD["2s"]: 1} | {card: 1 for card in PACK if card[0] == "A"}


class Cassino(Deal):
    """A card takes from the board what pairs with it and what adds up to it; for what was taken points are counted."""

    id = "cassino"
    title = "Cassino"
    family = "fishing"
    seats = (2, 4)
    usual = (2, 4)
    source = 'Baxter-Wray, "Round Games with Cards", 1891, pp. 97-100'
    course = """Four cards each and four to the board, face up; when they are played four more each, none to the
board, and so on through the pack. In turn from the eldest each plays a card. It takes every board card of its rank,
and with it groups of others that add up to it, until none is left; the ace is one, and court cards only pair. A card
that takes nothing is laid on the board. Who takes last gets what is left. Points: Great Cassino, the ten of diamonds,
two; Little Cassino, the two of spades, and each ace one; most spades one, most cards three, if no other has as many;
a sweep of the board, and the last cards, one. Every side pays every other the difference, or scores to a game."""

    options = (
        Option("partners", True, FLAG, "with four players, seats 0 and 2 against 1 and 3", "Baxter-Wray p. 97"),
        Option("pack", 52, OneOf(52, 32), "with 32: seven to ace, for two or four players", "Baxter-Wray p. 97"),
        Option(
            "netting",
            "plain",
            OneOf("plain", "lowest", "two-lowest"),
            "three or four for themselves; lowest: the lowest points are taken off; two-lowest: the highest of three has"
            " what is over the sum of the others",
            "Baxter-Wray pp. 97, 100",
        ),
        Option("must_take", True, FLAG, "if false, another card may be laid while one could take", "Baxter-Wray p. 98"),
        Option(
            "score",
            "points",
            OneOf("points", "game"),
            "what is paid for: the points of each deal, or a game of several deals",
            "ours",
        ),
        Option("value", 1, between(1, 100), "score points: counters for a point", "ours"),
        Option("target", 11, between(1, 100), "score game: the points that make a game", "ours"),
        Option("stake", 1, between(1, 100), "score game: paid by each loser", "ours"),
    )

    @classmethod
    def refusals(cls, rules: Rules) -> Iterator[str]:
        if rules.pack == 32 and rules.players == 3:
            yield "pack = 32 with 3 players: it is for two or four"
        if rules.netting == "two-lowest" and rules.players != 3:
            yield f'netting = "two-lowest" with {rules.players} players: it is for three'

    @classmethod
    def prepare(cls, rules: Rules) -> None:
        """The cards, and the side of each seat."""
        rules.cards = PACK if rules.pack == 52 else PACK_32
        rules.side_of = cls.sitting_sides(rules) or list(range(rules.players))

    @classmethod
    def sitting_sides(cls, rules: Rules) -> list[int] | None:
        return [0, 1, 0, 1] if rules.partners and rules.players == 4 else None

    @classmethod
    def sitting(cls, rules: Rules) -> int:
        """Each seat deals once, or twice where a game is to be won."""
        return int(rules.players) * (2 if rules.score == "game" else 1)

    carried = {
        "score": Carry(lambda rules, dealer: [0] * rules.players, "with score game: the points of each seat", "each"),
    }
    phases = {
        "play": "`take 9s 9h 8c Ad` for board cards that pair with the nine or add up to it, all that will;"
        " `lay 9s` on the board if it takes none",
    }
    public = {
        "order": "the seats, eldest first, the dealer last",
        "board": "the cards on the board, the longest there first",
        "piles": "the cards that each seat has taken; they lie face down, but all have seen them taken",
        "sweeps": "how often each seat has swept the board, or taken the last cards",
        "last_taker": "the seat that was last to take; None: nobody yet",
        "stock": "how many cards are still to be dealt",
        "score": carried["score"].help,
    }

    score: list[int]
    last_taker: Any

    def deal(self) -> Story:
        self.deal_with_the_board()
        yield from self.playing()
        while self.stock:
            self.deal_again()
            yield from self.playing()
        self.take_the_last_cards()
        self.settle()

    def deal_with_the_board(self) -> None:
        """Four rounds of one card to each, eldest first, and one to the board after the dealer's."""
        self.sides = self.sitting_sides(self.rules)
        self.order = self.round_from(self.eldest)
        self.pack = self.chance.pack(self.rules.cards)
        n = self.players
        drawn = self.pack.draw(4 * (n + 1))
        self.hands: list[list[Card]] = [[] for _ in range(n)]
        for place, seat in enumerate(self.order):
            self.hands[seat] = drawn[place :: n + 1]
        self.board: list[Card] = []
        self.groups = [(0, 0)]  # of board cards: what each adds up to, if to ten at most, and its cards, a bit for each
        for card in drawn[n :: n + 1]:
            self.lay(card)
        self.stock = len(self.pack)
        self.piles: list[list[Card]] = [[] for _ in range(n)]
        self.sweeps = [0] * n
        self.last_taker = None

    def deal_again(self) -> None:
        """Four more each, none to the board; of the pack of 32 what is left at last goes round evenly."""
        self.hands = self.deal_singly(min(4, self.stock // self.players), self.order)
        self.stock = len(self.pack)

    def playing(self) -> Story:
        """Each in turn plays one card, until the hands are empty."""
        for _ in range(len(self.hands[self.eldest])):
            for seat in self.order:
                hand = self.hands[seat]
                said = yield Ask(seat, "play", self.may_play(hand))
                hand.remove(said.card)
                if said.verb == "take":
                    self.take(seat, said.cards)
                else:
                    self.lay(said.card)

    def may_play(self, hand: Sequence[Card]) -> Sequence[Action]:
        """A card that can take must; with `must_take` none may be laid while another could."""
        takes, lays = [], []
        for card in hand:
            if takings := self.full_takings(card):
                takes += [say("take", card, *cards) for cards in takings]
            else:
                lays.append(LAY[card])
        if not takes:
            return tuple(lays)
        return AnyOrder(takes if self.rules.must_take else [*lays, *takes], fixed=1)

    def full_takings(self, card: Card) -> list[list[Card]]:
        """The board cards of each full taking, the fewest first."""
        value = VALUE[card]
        groups = [group for total, group in self.groups if total == value]
        if not groups:
            return []
        takings = sorted(until_none_is_left(groups), key=lambda taking: (taking.bit_count(), taking))
        return [[card for card in self.board if taking & BIT[card]] for taking in takings]

    def lay(self, card: Card) -> None:
        """On the board, where it is a group of its own, and makes another with each that is there already."""
        value, bit = VALUE[card], BIT[card]
        if value > TEN:
            self.groups.append((value, bit))
        else:
            self.groups += [(total + value, group | bit) for total, group in self.groups if total + value <= TEN]
        self.board.append(card)

    def take(self, seat: int, cards: Sequence[Card]) -> None:
        """They go to the pile with the card played; to sweep the board bare is a point."""
        self.piles[seat] += cards
        self.last_taker = seat
        self.board = [card for card in self.board if card not in cards]
        taken = sum([BIT[card] for card in cards])
        self.groups = [(total, group) for total, group in self.groups if not group & taken]
        self.sweeps[seat] += not self.board

    def take_the_last_cards(self) -> None:
        """Who was last to take gets the cards left on the board, and a point for them.

        Somebody has taken: to lay every card of a pack there are too few ranks."""
        if self.board:
            self.take(self.last_taker, self.board)

    def settle(self) -> None:
        """The scored points are paid for at once, or go to the game."""
        scored = self.scored(self.side_points())
        if self.rules.score == "points":
            self.pay_differences([self.rules.value * points for points in scored])
        else:
            self.play_for_the_game(scored)

    def side_points(self) -> list[int]:
        """The Cassinos, aces and sweeps; most spades and most cards, which count only alone.  Partners go together."""
        side_of = self.rules.side_of
        piles: list[list[Card]] = [[] for _ in {*side_of}]
        points = [0] * len(piles)
        for seat, side in enumerate(side_of):
            piles[side] += self.piles[seat]
            points[side] += self.sweeps[seat] + sum([POINTS.get(card, 0) for card in self.piles[seat]])
        spades = [sum([card.suit == "s" for card in pile]) for pile in piles]
        for counts, worth in (spades, 1), ([len(pile) for pile in piles], 3):
            if counts.count(max(counts)) == 1:
                points[counts.index(max(counts))] += worth
        return points

    def scored(self, points: list[int]) -> list[int]:
        """Of two sides the better scores the difference; of more each its points, less what `netting` takes off."""
        if self.rules.netting == "two-lowest":
            return [max(0, 2 * own - sum(points)) for own in points]
        if self.rules.netting == "lowest" or len(points) == 2:
            return [own - min(points) for own in points]
        return points

    def play_for_the_game(self, scored: list[int]) -> None:
        """Who is highest, alone and with the target reached, wins the stake from each loser; then all begin anew."""
        side_of = self.rules.side_of
        self.score = [score + scored[side] for score, side in zip(self.score, side_of, strict=True)]
        highest = {side for score, side in zip(self.score, side_of, strict=True) if score == max(self.score)}
        if max(self.score) >= self.rules.target and len(highest) == 1:
            self.pay_differences([self.rules.stake * (side in highest) for side in range(len(scored))])
            self.score = [0] * self.players

    def pay_differences(self, counters: list[int]) -> None:
        """Every side pays every other the difference; partners each in full."""
        for seat, side in enumerate(self.rules.side_of):
            self.net[seat] += len(counters) * counters[side] - sum(counters)

    def refusal(self, ask: Ask, said: Action) -> str:
        return f"{ask.phase}: {self.why_not(self.hands[ask.seat], said)}"

    def why_not(self, hand: Sequence[Card], said: Action) -> str:
        card = said.card
        if card is None or said != LAY.get(card) and (said.verb != "take" or said.words[0] != card):
            return "not a legal action"
        if card not in hand:
            return f"{card} is not in hand"
        takings = self.full_takings(card)
        if said.verb == "take":
            return f"{card} takes " + (" or ".join([" ".join(cards) for cards in takings]) or "nothing")
        return f"{card} can take" if takings else "a card that can take must be played"


def until_none_is_left(groups: Sequence[int], taken: int = 0) -> set[int]:
    """All ways to take groups that do not overlap until none is left: one that meets the first is in each of them."""
    if not groups:
        return {taken}
    return {
        taking
        for group in groups
        if group & groups[0]
        for taking in until_none_is_left([other for other in groups if not other & group], taken | group)
    }
