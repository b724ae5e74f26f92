"""Exact odds at poker: how often a hand of each class is dealt, or drawn to some cards that are held.

The draws are enumerated by their ranks. Draws of the same ranks make hands of one class, except those that make a hand
of one suit. So each kind is evaluated once, and counted as often as there are cards for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, combinations, combinations_with_replacement, product
from math import comb, prod
from typing import Any

from ..base.errors import CardError, OddsError, OptionError, did_you_mean
from ..mechanics.hands import Ranking, RankingAlone
from ..table.cards import Card, cards

RANKINGS: dict[str, dict[str, Any]] = {
    "american": {},
    "foster": {},
    "english": {"ace": "low", "suits": "hearts", "two_pair_odd": False, "joker_as": "missing", "joker_tie": "card"},
    "straight": {"straight_flush": False},
    "stud": {"straight_flush": False},
}
PACK_OPTIONS = {
    "52": {"pack": "52", "joker": False},
    "53": {"pack": "52", "joker": True},
    "60": {"pack": "60", "joker": False},
}

OnProgress = Callable[[int, int], None]  # called with how many sets of ranks are done, and their total


@dataclass(frozen=True)
class Odds:
    """How often each class occurs, from the best down, when the held cards are filled up to five from the unseen.

    `counts`: the number of draws by the name of the class; `draws`: their total; `unseen`: the number of cards to draw
    from; `made`: the class that the held cards make whatever is drawn."""

    held: tuple[Card, ...]
    out: tuple[Card, ...]
    unseen: int
    counts: dict[str, int]
    made: str

    @property
    def draws(self) -> int:
        return sum(self.counts.values())

    @property
    def improved(self) -> int:
        """How many draws make a better class than is held."""
        return self.or_better(self.made) - self.counts[self.made]

    def or_better(self, name: str) -> int:
        names = list(self.counts)
        return sum(self.counts[better] for better in names[: names.index(name) + 1])

    def against(self, hits: int) -> Fraction | None:
        """Return the odds against this many draws, as x : 1; None if there are no such draws."""
        return Fraction(self.draws - hits, hits) if hits else None


def rules_of(ranking: str = "american", given: Mapping[str, Any] | None = None) -> RankingAlone:
    """Return a ranking by name, changed by options: "american", "foster", "english", "straight" or "stud".

    Raises OptionError if there is no such ranking, or if it refuses the options; it lists everything that is wrong.

    >>> from roundsim.odds import rules_of
    >>> rules_of("english").ace, rules_of("english", {"ace": "high-low"}).ace
    ('low', 'high-low')"""
    if ranking not in RANKINGS:
        raise OptionError([f"no ranking {ranking!r}{did_you_mean(ranking, RANKINGS)}: {', '.join(RANKINGS)}"])
    return RankingAlone(RANKINGS[ranking] | dict(given or {}))


def odds(
    rules: RankingAlone, held: str = "", out: str = "", drawn: int | None = None, watch: OnProgress | None = None
) -> Odds:
    """Return the odds of the deal, or of the draw to cards that are held; discarded cards, `out`, cannot be drawn.

    `held`, `out`: texts such as "9s 9h". `drawn`: the number of cards drawn, which is only checked. `watch` is called
    with the number of sets of ranks that are done, and their total. Raises OddsError if a text names no card, a card
    twice, one that is not in the pack, or too many.

    >>> from roundsim.odds import odds, rules_of
    >>> draw = odds(rules_of(), held="9s 9h", out="Kc 7d 2s")
    >>> draw.draws, draw.counts["two-pairs"], draw.made  # three of 47 cards
    (16215, 2592, 'pair')"""
    ranking, pack = rules.ranking, rules.cards
    hand, dead = cards_from_text(held, pack, "held (--hold)"), cards_from_text(out, pack, "put out (--out)")
    if twice := [str(card) for card, times in Counter([*hand, *dead]).items() if times > 1]:
        raise OddsError(f"{' '.join(twice)}: there is only one of each card (--hold, --out)")
    if len(hand) > 5:
        raise OddsError(f"{len(hand)} cards are held (--hold): a hand is of five")
    if drawn is not None and len(hand) + drawn != 5:
        raise OddsError(
            f"{len(hand)} held and {drawn} drawn are {len(hand) + drawn}: a hand is of five (--hold, --draw)"
        )
    unseen = [card for card in pack if card not in hand and card not in dead]
    if len(hand) + len(unseen) < 5:
        raise OddsError(f"too many cards are put out (--out): {len(unseen)} are left to draw from")
    counts = counted(ranking, hand, unseen, watch)
    possible = counted(ranking, hand, [card for card in pack if card not in hand]) if dead else counts
    return Odds(tuple(hand), tuple(dead), len(unseen), counts, [name for name in counts if possible[name]][-1])


def cards_from_text(text: str, pack: Sequence[Card], what: str) -> list[Card]:
    try:
        read = cards(text)
    except CardError as error:
        raise OddsError(f"{what}: {error}") from None
    for card in read:
        if card not in pack:
            raise OddsError(f"{what}: {card} is not in the pack of {len(pack)}")
    return read


def counted(
    ranking: Ranking, held: Sequence[Card], unseen: Sequence[Card], watch: OnProgress | None = None
) -> dict[str, int]:
    """Return the number of hands of each class, from the best down."""
    counts = dict.fromkeys([kind.name for kind in ranking.classes], 0)
    for hand, ways in kinds(held, unseen, watch):
        counts[ranking.class_of(hand)] += ways
    return counts


def kinds(
    held: Sequence[Card], unseen: Sequence[Card], watch: OnProgress | None = None
) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Yield one hand of each kind that the held cards may become, and how many draws make such a hand.

    `watch`: as with `odds`.

    >>> from roundsim.game import cards
    >>> from roundsim.odds import kinds
    >>> [ways for hand, ways in kinds(cards("9s 9h 4c 4d"), cards("9d 9c Ks"))]  # a nine, a king
    [2, 1]"""
    of_rank: dict[float, list[Card]] = {}
    for card in unseen:
        of_rank.setdefault(card.rank, []).append(card)
    drawn = 5 - len(held)
    total = comb(len(of_rank) + drawn - 1, drawn)
    for done, ranks in enumerate(combinations_with_replacement(of_rank, drawn), 1):
        if watch:
            watch(done, total)
        times = Counter(ranks)
        ways = prod([comb(len(of_rank[rank]), count) for rank, count in times.items()])
        suited = list(one_suit_hands(held, of_rank, times))
        if suited:
            yield suited[0], len(suited)
        if ways > len(suited):
            picked = product(*[combinations(of_rank[rank], count) for rank, count in times.items()])
            made = ((*held, *chain(*some)) for some in picked)
            yield next(hand for hand in made if len(suits(hand)) > 1), ways - len(suited)


def one_suit_hands(
    held: Sequence[Card], of_rank: Mapping[float, list[Card]], times: Mapping[float, int]
) -> Iterator[tuple[Card, ...]]:
    """Yield the hands of one suit with cards of these ranks; the joker is of any suit."""
    if max(times.values(), default=1) == 1:
        for suit in suits(held) or "shdc":
            fitting = [[card for card in of_rank[rank] if card.suit in (suit, "joker")] for rank in times]
            yield from [(*held, *drawn) for drawn in product(*fitting) if suits(held) <= {suit}]


def suits(hand: Sequence[Card]) -> set[str]:
    return {card.suit for card in hand} - {"joker"}
