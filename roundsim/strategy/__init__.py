"""Names that strategies may import, and the answers that they give most often. They are stable: names are added, and
none is removed.

A strategy also imports the games whose views it reads: `from roundsim.games.nap import Nap` for `view: Nap.View`.
Nothing here reads more than the view shows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import repeat
from typing import Any, NamedTuple, Protocol

from .. import games
from ..base.errors import UnplayedError
from ..mechanics.betting import Betting, Staking
from ..mechanics.hands import Ranking, ranking_of
from ..mechanics.stops import NEXT, Stops
from ..mechanics.tricks import Tricks, taker
from ..odds.draws import AllDraws, all_draws, ways
from ..sources.plugins import find_installed, seated
from ..sources.strategy import Seated, random_answer, table_like
from ..table.actions import Action
from ..table.cards import CARD, JOKER, PACK, PACK_32, PACK_60, RANKS, SUITS, Card, cards
from ..table.chance import Chance
from ..table.imagined import cards_in
from ..table.legal import count
from ..table.view import Imagined, Said, TableView
from .corrected import Choices, Corrected, Wary, corrections_in
from .hands import BIT, BITS, SUIT_BITS, TRUMPS, Bits, Hands, cheapest, highest
from .stops import EACH_SUIT, Runs, mask, singles
from .trials import best_answer
from .vying import SharesTable, Vying, betting_table

__all__ = [
    "BIT",
    "BITS",
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
    "Bits",
    "Card",
    "Chance",
    "Choices",
    "Corrected",
    "EACH_SUIT",
    "Hands",
    "Imagined",
    "Play",
    "Ranking",
    "Runs",
    "Said",
    "Stops",
    "Strategy",
    "TableView",
    "SharesTable",
    "Vying",
    "Wary",
    "ace_low",
    "all_but",
    "all_draws",
    "beats",
    "best_answer",
    "best_suits",
    "betting_table",
    "by_rank",
    "cards",
    "cheapest",
    "corrections_in",
    "count",
    "discard",
    "draws",
    "groups",
    "has_raised",
    "highest",
    "highest_under",
    "in_order",
    "mask",
    "of_suit",
    "owed",
    "pips",
    "playable",
    "plays",
    "pool",
    "ranking_of",
    "ranks_of",
    "say",
    "singles",
    "sized",
    "stack_of",
    "table_of",
    "taker",
    "to_call",
    "unseen",
    "voids",
    "ways",
    "winning",
]

Answer = Callable[[TableView], str]


class Strategy(Protocol):
    """A strategy: a class with `act`, or with a method for each phase that it decides, `call` or `play`.

    `games`: the ids of the games that it plays, every game if it has none; `imagines`: whether it calls
    `view.imagine()`. Its parameters are keywords of its constructor: "mine.py:Mine(risk=0.8)". A fresh object plays
    each sitting. `begin(view)` and `settled(view, net)` are optional; `net` is in counters. A plain function of a view
    is a strategy, too. An exception, or an answer that is not legal, is a fault."""

    def act(self, view: Any, /) -> str:
        """Return one of `view.legal`, or its text. An answer that is not legal is a fault."""


# Answers.


def say(view: TableView, *wanted: str | tuple[str, float]) -> str:
    """Return the first of these that is legal; if none is, `view.legal[0]`, which commits to least.

    A verb with counters, ("raise", 12), becomes the nearest legal amount, if any is legal. So `say(view, ("raise",
    pool(view)), "call")` raises by as much as allowed, or calls, or else passes or folds.

    >>> import roundsim
    >>> from roundsim.strategy import say
    >>> view = roundsim.Table("nap").view()
    >>> say(view, "call 9", "call 3"), say(view, "call 9")
    ('call 3', 'pass')"""
    most = view.legal[-1]
    for want in wanted:
        if isinstance(want, str):
            if want in view.legal:
                return want
        elif want[0] == most.verb:
            least = next(action for action in view.legal if action.verb == most.verb)
            return f"{most.verb} {min(max(int(want[1]), least.amount), most.amount)}"
    return view.legal[0]


def sized(view: TableView, sizes: Mapping[str, int]) -> dict[str, str]:
    """Return by their names the legal answers without an amount, and the nearest legal bets or raises of some sizes, in
    counters: {"fold": "fold", "raise half": "raise 25"} for {"half": 25}."""
    most = view.legal[-1]
    plain = {str(action): str(action) for action in view.legal if not action.amount}
    named = {f"{most.verb} {name}": say(view, (most.verb, size)) for name, size in sizes.items()}
    return plain | named if most.amount else plain


def discard(cards: Iterable[Card]) -> str:
    """Return the answer that discards these cards, in this order; plain "discard" for none.

    >>> from roundsim.strategy import cards, discard
    >>> discard(cards("2c 5d")), discard([])
    ('discard 2c 5d', 'discard')"""
    return " ".join(["discard", *cards])


# Cards.


def by_rank(card: Card) -> float:
    """Return the rank, to sort by, or for the highest card of a hand.

    >>> from roundsim.strategy import by_rank, cards
    >>> max(cards("9s Ah Kd"), key=by_rank)
    'Ah'"""
    return card.rank


def ace_low(card: Card) -> int:
    """Return the place of a card where the ace is the lowest: from 1, an ace, to 13, a king.

    Raises ValueError if the card is an eleven, a twelve or the joker.

    >>> from roundsim.strategy import ace_low, cards
    >>> [ace_low(card) for card in cards("As 2h Kd")]
    [1, 2, 13]"""
    return "A23456789TJQK".index(card[0]) + 1


def pips(card: Card) -> int:
    """Return the pips of a card where an ace counts 11 and a court card 10, as in Commerce and Thirty-One.

    >>> from roundsim.strategy import cards, pips
    >>> [pips(card) for card in cards("As Kd 7c")]
    [11, 10, 7]"""
    return 11 if card.rank == 14 else int(min(card.rank, 10))


def of_suit(cards: Iterable[Card], suit: str | None) -> list[Card]:
    """Return the cards of a suit, s h d c, in their order; none for None.

    >>> from roundsim.strategy import cards, of_suit
    >>> of_suit(cards("2s Kd As"), "s")
    ['2s', 'As']"""
    return [card for card in cards if card.suit == suit]


def ranks_of(cards: Iterable[Card], suit: str | None) -> list[float]:
    """Return the ranks held in a suit, low to high; none for None.

    >>> from roundsim.strategy import cards, ranks_of
    >>> ranks_of(cards("As Kd 2s"), "s")
    [2, 14]"""
    return sorted([card.rank for card in cards if card.suit == suit])


def groups(cards: Iterable[Card]) -> list[tuple[int, float]]:
    """Return (count, rank) for each rank: the largest group first, of equal ones the higher. A joker is a rank of its
    own, 15.

    >>> from roundsim.strategy import cards, groups
    >>> groups(cards("9s 9h Ks Kd 4c"))
    [(2, 13), (2, 9), (1, 4)]"""
    ranks = [card.rank for card in cards]
    return sorted([(ranks.count(rank), rank) for rank in {*ranks}], reverse=True)


def in_order(cards: Iterable[Card], trumps: str | None) -> list[Card]:
    """Return the cards from the weakest to the strongest: by rank, the trumps after all others.

    >>> from roundsim.strategy import cards, in_order
    >>> in_order(cards("As 2h Kd"), trumps="h")
    ['Kd', 'As', '2h']"""
    return sorted(cards, key=lambda card: (card.suit == trumps, card.rank))


def best_suits(cards: Iterable[Card]) -> list[str]:
    """Return the suits held, the best for trumps first: 4 points for each card, and 1 for each rank above ten.

    >>> from roundsim.strategy import best_suits, cards
    >>> best_suits(cards("9h 8h 7h As Ks 2d"))  # 12 points, 15 and 4
    ['s', 'h', 'd']"""
    points: dict[str, float] = {}
    for card in cards:
        points[card.suit] = points.get(card.suit, 0) + 4 + max(0, card.rank - 10)
    return sorted(points, key=points.__getitem__, reverse=True)


def all_but(cards: Iterable[Card], kept: Collection[Card]) -> list[Card]:
    """Return the other cards, in their order: `discard(all_but(view.hand, kept))`.

    >>> from roundsim.strategy import all_but, cards
    >>> all_but(cards("As Kd 2c"), kept=cards("Kd"))
    ['As', '2c']"""
    return [card for card in cards if card not in kept]


def unseen(view: TableView, pack: Iterable[Card] = PACK) -> list[Card]:
    """Return the cards of the pack that the view does not show anywhere, in the pack's order.

    It forgets what the view does: cards discarded in another deal, or returned to the pack.

    >>> import roundsim
    >>> from roundsim.strategy import unseen
    >>> len(unseen(roundsim.Table("nap").view()))  # all except the five in hand
    47"""
    shown = [getattr(view, name) for name in ("hand", *type(view).public, *type(view).private)]
    seen = {*cards_in(shown)}
    return [card for card in pack if card not in seen]


def draws(view: TableView) -> Iterator[tuple[Action, list[Card], Card]]:
    """Yield each legal exchange of a card, "draw Ah 2c": the action, the hand it makes, the card laid down."""
    hand = view.hand
    for action in view.legal:
        if action.verb == "draw":
            taken, laid = action.cards
            yield action, [taken if card == laid else card for card in hand], laid


# Tricks, where all must follow suit and the highest trump wins, else the highest card of the suit led.


class Play(NamedTuple):
    """A card played to a trick: the seat, the card, and the suit that was led."""

    seat: int
    card: Card
    led: str


def playable(view: TableView) -> list[Card]:
    """Return the cards that may be played now, where every legal action names one; the answer is the `play` of one of
    them: `max(playable(view), key=by_rank).play`."""
    return [action.card for action in view.legal]


def beats(card: Card, other: Card, trumps: str | None) -> bool:
    """Return whether a card takes the trick from the one that has it.

    >>> from roundsim.strategy import CARD, beats
    >>> beats(CARD["2h"], CARD["As"], trumps="h"), beats(CARD["2h"], CARD["As"], trumps=None)
    (True, False)"""
    return card.rank > other.rank if card.suit == other.suit else card.suit == trumps


def highest_under(cards: Sequence[Card], best: Card, trumps: str | None) -> Card:
    """Return the highest card that does not beat the best on the table; if all do, the lowest.

    Raises ValueError if there are no cards.

    >>> from roundsim.strategy import CARD, cards, highest_under
    >>> highest_under(cards("2h Th Ah"), best=CARD["Kh"], trumps=None)
    'Th'"""
    under = [card for card in cards if not beats(card, best, trumps)]
    return max(under, key=by_rank) if under else min(cards, key=by_rank)


def plays(view: Tricks.View, order: Sequence[int] = ()) -> Iterator[Play]:
    """Yield every card played in this deal so far, trick by trick. `order`: the seats that play, if not all do:
    `view.order`.

    Raises ValueError if a leader of a trick is not in `order`."""
    seats = order or range(view.players)
    for leader, trick in [*view.tricks, (view.leader, view.trick)]:
        if trick:
            at = seats.index(leader) if leader is not None else 0
            yield from map(Play, [*seats[at:], *seats[:at]], trick, repeat(trick[0].suit))


def voids(view: Tricks.View, seat: int | None, order: Sequence[int] = ()) -> set[str]:
    """Return the suits that a seat has shown not to hold, because it did not follow. `order`: as with `plays`."""
    seats, lacking = order or range(view.players), set[str]()
    if seat is not None and seat in seats:
        at, size = seats.index(seat), len(seats)
        for leader, trick in [*view.tricks, (view.leader, view.trick)] if view.trick else view.tricks:
            place = (at - seats.index(leader)) % size
            if place < len(trick) and trick[place].suit != trick[0].suit:
                lacking.add(trick[0].suit)
    return lacking


def winning(view: Tricks.View, trumps: str | None, order: Sequence[int] = ()) -> tuple[Card, int]:
    """Return the card that has the trick on the table so far, and its seat. `order`: as with `plays`.

    Raises IndexError if no card is on the table."""
    seats, at = order or range(view.players), taker(view.trick, trumps)
    return view.trick[at], seats[(seats.index(view.leader or 0) + at) % len(seats)]


# Betting.


def pool(view: Staking.View) -> int:
    """Return the counters in the pool and those staked before the seats."""
    return int(sum(view.stake) + view.pools["pool"])


def owed(view: Betting.View) -> int:
    """Return the counters that you must add to your stake to stay in, whatever you have."""
    return view.level - view.stake[view.seat]


def stack_of(view: TableView, seat: int) -> int:
    """Return the counters before a seat; in a game without stacks 10**9, more than anybody ever owes."""
    return 10**9 if view.stacks is None else view.stacks[seat]


def to_call(view: Betting.View) -> int:
    """Return the counters that you owe, at most those that you have."""
    return min(owed(view), stack_of(view, view.seat))


def has_raised(view: TableView, phase: str = "") -> bool:
    """Return whether you have raised in this deal; in one phase of it, if that is named."""
    return any(
        seen.seat == view.seat and seen.action.verb == "raise" and phase in ("", seen.phase) for seen in view.history
    )


# Other strategies.

looked_up = cache(find_installed)  # once in a process; their modules are loaded at each use


def table_of(strategy: str, game: str) -> Callable[[], Answer]:
    """Return a function that seats a table at which everybody plays as this installed strategy does, "book" or
    "book(bold=1)": to play out deals from `view.imagine`.

    Each call seats fresh players, and returns the function that answers for all of them: `answer(view)`. If that
    strategy does not play the game they answer at random. Raises StrategyError if there is none of that name, or if it
    does not take these parameters; UnknownGameError if there is no such game."""
    try:
        players = seated(looked_up(strategy, game)[0], games.named(game))
    except UnplayedError:
        looked_up(strategy, None)  # its parameters may be wrong all the same
        players = Seated(random_answer, {}, games.named(game))
    return table_like(players)
