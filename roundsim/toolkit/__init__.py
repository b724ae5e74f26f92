"""What strategies may import, and what they say most often.  This lasts: names are added to it, none is taken away.

Besides, a strategy imports the games whose views it reads: `from roundsim.games.nap import Nap` for `view: Nap.View`.
Nothing here looks at more than the view shows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from .. import games
from ..contract.plugins import find, load_strategy
from ..contract.strategy import Seated, random_answer
from ..errors import UnplayedError
from ..mechanics.betting import Betting, Staking
from ..mechanics.hands import Ranking, ranking_of
from ..mechanics.stops import NEXT
from ..mechanics.tricks import Tricks, taker
from ..odds.draws import AllDraws, all_draws, ways
from ..table.actions import Action
from ..table.cards import CARD, JOKER, PACK, PACK_32, PACK_60, RANKS, SUITS, Card, cards
from ..table.chance import Chance
from ..table.imagined import cards_in
from ..table.legal import count
from ..table.view import Imagined, Said, TableView
from .hands import BIT, SUIT_BITS, TRUMPS, Hands

__all__ = [
    "BIT",
    "CARD",
    "JOKER",
    "NEXT",
    "PACK",
    "PACK_32",
    "PACK_60",
    "RANKS",
    "SUITS",
    "SUIT_BITS",
    "TRUMPS",
    "Action",
    "AllDraws",
    "Answer",
    "Card",
    "Chance",
    "Hands",
    "Imagined",
    "Play",
    "Ranking",
    "Said",
    "TableView",
    "ace_low",
    "all_but",
    "all_draws",
    "beats",
    "best_suits",
    "by_rank",
    "cards",
    "count",
    "discard",
    "draws",
    "groups",
    "has_raised",
    "highest_under",
    "in_order",
    "of_suit",
    "owed",
    "pips",
    "playable",
    "plays",
    "pool",
    "ranking_of",
    "ranks_of",
    "say",
    "stack_of",
    "table_of",
    "to_call",
    "unseen",
    "voids",
    "ways",
    "winning",
]

Answer = Callable[[TableView], str]

# Answers.


def say(view: TableView, *wanted: str | tuple[str, float]) -> str:
    """The first of these that is legal; if none is, `view.legal[0]`, which commits to least.

    Of a verb with counters, ("raise", 12), the nearest amount is said that is legal, if any is: so
    `say(view, ("raise", pool(view)), "call")` raises by as much as may be, or calls, or else passes or folds."""
    most = view.legal[-1]
    for want in wanted:
        if isinstance(want, str):
            if want in view.legal:
                return want
        elif want[0] == most.verb:
            least = next(each for each in view.legal if each.verb == most.verb)
            return f"{most.verb} {min(max(int(want[1]), least.amount), most.amount)}"
    return view.legal[0]


def discard(cards: Iterable[Card]) -> str:
    """The answer that puts out these cards: "discard 2c 5d"; plain "discard" for none."""
    return " ".join(["discard", *cards])


# Cards.


def by_rank(card: Card) -> float:
    """The rank, to sort by, or for the highest card of a hand: `max(hand, key=by_rank)`."""
    return card.rank


def ace_low(card: Card) -> int:
    """The place of a card where the ace is the lowest: from 1, an ace, to 13, a king."""
    return "A23456789TJQK".index(card[0]) + 1


def pips(card: Card) -> int:
    """What a card counts where an ace is 11 and a court card 10, as in Commerce and Thirty-One."""
    return 11 if card.rank == 14 else int(min(card.rank, 10))


def of_suit(cards: Iterable[Card], suit: str | None) -> list[Card]:
    """Those of a suit, s h d c, in their order."""
    return [card for card in cards if card.suit == suit]


def ranks_of(cards: Iterable[Card], suit: str | None) -> list[float]:
    """The ranks held in a suit, low to high."""
    return sorted([card.rank for card in cards if card.suit == suit])


def groups(cards: Iterable[Card]) -> list[tuple[int, float]]:
    """(how many, of which rank): the largest group first, of equal ones the higher: of 9 9 K K 4 (2, 13), (2, 9), (1, 4).

    A joker is a rank of its own, 15."""
    ranks = [card.rank for card in cards]
    return sorted([(ranks.count(rank), rank) for rank in {*ranks}], reverse=True)


def in_order(cards: Iterable[Card], trumps: str | None) -> list[Card]:
    """From the weakest to the strongest: by rank, the trumps after all others."""
    return sorted(cards, key=lambda card: (card.suit == trumps, card.rank))


def best_suits(cards: Iterable[Card]) -> list[str]:
    """The suits held, the best for trumps first: 4 points for each card, and as many as its rank is above ten."""
    points: dict[str, float] = {}
    for card in cards:
        points[card.suit] = points.get(card.suit, 0) + 4 + max(0, card.rank - 10)
    return sorted(points, key=points.__getitem__, reverse=True)


def all_but(cards: Iterable[Card], kept: Collection[Card]) -> list[Card]:
    """The others, in their order: `discard(all_but(view.hand, kept))`."""
    return [card for card in cards if card not in kept]


def unseen(view: TableView, pack: Iterable[Card] = PACK) -> list[Card]:
    """The cards of the pack that the view does not show anywhere, in the pack's order.

    It forgets what the view does: cards put out in another deal, or gone back into the pack."""
    shown = [getattr(view, name) for name in ("hand", *type(view).public, *type(view).private)]
    seen = {*cards_in(shown)}
    return [card for card in pack if card not in seen]


def draws(view: TableView) -> Iterator[tuple[Action, list[Card], Card]]:
    """Where a card is taken for one of the hand, "draw Ah 2c": each legal draw, the hand it makes, the card laid down."""
    hand = view.hand
    for action in view.legal:
        if action.verb == "draw":
            taken, laid = action.cards
            yield action, [taken if card == laid else card for card in hand], laid


# Tricks, where all must follow suit and the highest trump wins, else the highest card of the suit led.


class Play(NamedTuple):
    """A card played to a trick: by whom, which, and the suit that was led."""

    seat: int
    card: Card
    led: str


def playable(view: TableView) -> list[Card]:
    """The cards that may be played now; the answer is the `play` of one of them: `max(playable(view), key=by_rank).play`."""
    return [action.card for action in view.legal]


def beats(card: Card, other: Card, trumps: str | None) -> bool:
    """Whether a card takes the trick from the one that has it."""
    return card.rank > other.rank if card.suit == other.suit else card.suit == trumps


def highest_under(cards: Sequence[Card], best: Card, trumps: str | None) -> Card:
    """The highest card that does not beat the best on the table; if all do, the lowest.  ValueError for no cards."""
    under = [card for card in cards if not beats(card, best, trumps)]
    return max(under, key=by_rank) if under else min(cards, key=by_rank)


def plays(view: Tricks.View, order: Sequence[int] = ()) -> Iterator[Play]:
    """Every card played in this deal so far, trick by trick.

    `order`: the seats that play, if not all do: `view.order`."""
    seats = order or range(view.players)
    for leader, trick in [*view.tricks, (view.leader, view.trick)]:
        at = seats.index(leader) if trick and leader is not None else 0
        for place, card in enumerate(trick, at):
            yield Play(seats[place % len(seats)], card, trick[0].suit)


def voids(view: Tricks.View, seat: int | None, order: Sequence[int] = ()) -> set[str]:
    """The suits of which a seat has shown that it has none left, not having followed.  `order`: as with `plays`."""
    return {led for who, card, led in plays(view, order) if who == seat and card.suit != led}


def winning(view: Tricks.View, trumps: str | None, order: Sequence[int] = ()) -> tuple[Card, int]:
    """The card that has the trick on the table so far, and whose it is.  IndexError if there is none.

    `order`: as with `plays`."""
    seats, at = order or range(view.players), taker(view.trick, trumps)
    return view.trick[at], seats[(seats.index(view.leader or 0) + at) % len(seats)]


# Betting.


def pool(view: Staking.View) -> int:
    """What lies in the pool, and before the seats, in counters."""
    return int(sum(view.stake) + view.pools["pool"])


def owed(view: Betting.View) -> int:
    """What you must add to your stake to stay in, in counters, whatever you have."""
    return view.level - view.stake[view.seat]


def stack_of(view: TableView, seat: int) -> int:
    """The counters before a seat; in a game without stacks 10**9, more than anybody ever owes."""
    return 10**9 if view.stacks is None else view.stacks[seat]


def to_call(view: Betting.View) -> int:
    """What you owe, but no more than you have."""
    return min(owed(view), stack_of(view, view.seat))


def has_raised(view: TableView, phase: str = "") -> bool:
    """Whether you have raised in this deal; in one phase of it, if that is named."""
    return any(
        said.seat == view.seat and said.action.verb == "raise" and phase in ("", said.phase) for said in view.history
    )


# Other strategies.


def table_of(strategy: str, game: str) -> Callable[[], Answer]:
    """A table at which everybody plays as this strategy does, "book" or "book(bold=1)": to play out deals that
    `view.imagine` gives.

    Each call of what it returns seats fresh players, and gives what answers for all of them: `answer(view)`.  Where that
    strategy does not play the game they answer at random.  StrategyError if there is none of that name, or it does not take
    these parameters."""
    try:
        found = find(strategy, game)[0]
        seated = Seated(load_strategy(found), dict(found.parameters), games.named(game))
    except UnplayedError:
        find(strategy)  # its parameters may be wrong all the same
        seated = Seated(random_answer, {}, games.named(game))

    def sit_down() -> Answer:
        answers: dict[int, dict[str, Answer]] = {}

        def answer(view: TableView) -> str:
            if view.seat not in answers:
                answers[view.seat], player = seated.take_seat()
                if hasattr(player, "begin"):
                    player.begin(view)
            return answers[view.seat][view.phase](view)

        return answer

    return sit_down
