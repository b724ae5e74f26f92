"""Poker hands of five cards, by the options of the shared ranking (Foster, "The Poker Family"; Baxter-Wray, "Round
Games with Cards", 1891, pp. 31, 38-41, 44, 55-57).

A hand's key gives its class and, within the class, its vector; the greater key is the better hand, and equal keys tie.
It depends on the five ranks and on whether the hand is of one suit. It is computed the first time that such a hand
occurs, from the classes that `Ranking` declares, and looked up from then on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from typing import Any, Literal, NamedTuple

from ..base.errors import OptionError
from ..table.cards import JOKER, PACK, PACK_60, PLACE, RANKS, Card
from ..table.options import Rules, option

UPWARDS = "high", "pair", "two-pairs", "threes", "straight", "flush", "full", "fours", "straight-flush", "fives"
POSITION = {name: 10 * place for place, name in enumerate(UPWARDS)} | {"royal": 85}  # others stand between
ECCENTRIC = {  # the customary positions, and the true ones
    "blaze": {"foster": 22, "wray": 22, "true": 64},
    "skip": {"foster": 24, "wray": 32, "true": 42},
    "tiger": {"foster": 44, "hoyle": 44, "true": 52},
    "round": {"foster": 34, "true": 62},
}
MAKE = {"high": 0, "pair": 2, "two-pairs": 4, "threes": 3, "fours": 4}  # so many cards make the class; of others all

Values = tuple[int, ...]  # a card counts twice its place in the order of ranks: the joker can be half a rank more
ACE = PLACE["A"]
ALL_ODD = (1, 1, 1, 1, 1)


class RankingRules(Rules):
    """The options of the ranking, for every game of poker hands."""

    ace: Literal["high-low", "low"] = option(
        "high-low",
        "where the ace stands in a sequence: low: below the two; high-low: there or above the king",
        "Foster law 35; Baxter-Wray laws 66, 70, 71",
    )
    straight_flush: bool = option(
        True, "whether a sequence of one suit beats a flush", "Foster, sections Straight Poker, Stud Poker"
    )
    suits: Literal["none", "hearts", "hearts-top"] = option(
        "none",
        "hearts: a flush in hearts beats other flushes; hearts-top: so does a straight topped by a heart its equals",
        "Foster; Baxter-Wray p. 31, laws 69-70",
    )
    two_pair_odd: bool = option(
        True, "whether the odd card decides between equal two pairs", "Foster law 36; Baxter-Wray law 73"
    )
    inverted: bool = option(
        False, "whether without a pair the lower hand wins, and of two pairs the lower higher pair", "Foster"
    )
    blaze: Literal["off", "foster", "wray", "true"] = option(
        "off",
        "a blaze, five court cards, above two pairs (wray: also aces; true: above a full house)",
        "Foster, section Eccentric Hands; Baxter-Wray p. 41",
    )
    skip: Literal["off", "foster", "wray", "true"] = option(
        "off",
        "a skip straight, below three of a kind (wray: above it; true: above a straight)",
        "Foster, section Eccentric Hands; Baxter-Wray p. 44",
    )
    tiger: Literal["off", "foster", "hoyle", "true"] = option(
        "off",
        "a tiger, seven high and two low, below a flush (hoyle: A 2 3 4 5; true: above a flush)",
        "Foster, section Eccentric Hands; Hoyle's Games p. 136",
    )
    round: Literal["off", "foster", "true"] = option(
        "off",
        "a round-the-corner straight, below a straight (true: above a full house)",
        "Foster, section Eccentric Hands",
    )
    joker_as: Literal["any", "missing"] = option(
        "any",
        "whether the joker stands for any card, or only for one that is not in the hand",
        "Foster, section Joker Poker; Baxter-Wray p. 41",
    )
    joker_tie: Literal["hand", "card", "natural", "none"] = option(
        "hand",
        "of equal hands the one with the joker wins (card: it counts half a rank more; natural: it loses; none: they tie)",
        "Foster, section Joker Poker; Baxter-Wray p. 41",
    )

    @cached_property
    def ranking(self) -> Ranking:
        return ranking_of(self)

    @cached_property
    def cards(self) -> Sequence[Card]:
        """The pack is of fifty-two cards (Foster, section Draw Poker; Baxter-Wray p. 31)."""
        return PACK


class PackRules(RankingRules):
    """The ranking where there may be a joker, or sixty cards."""

    joker: bool = option(
        False,
        "whether a joker, the mistigris, is added to the pack",
        "Foster, section Joker Poker; Baxter-Wray p. 41; Hoyle's Games p. 136",
    )
    pack: Literal["52", "60"] = option(
        "52", "with 60 there are elevens (E) and twelves (W) between ten and jack", "Foster"
    )

    def refusals(self) -> Iterator[str]:
        """The pack of 60 is played without eccentric hands and without a joker (ours)."""
        if self.pack == "60":
            for key in ECCENTRIC:
                if getattr(self, key) != "off":
                    yield f'pack = "60" with {key} = "{getattr(self, key)}": eccentric hands are of the pack of 52'
            if self.joker:
                yield 'pack = "60" with joker = true: the joker goes with the pack of 52'
        yield from super().refusals()

    @cached_property
    def cards(self) -> Sequence[Card]:
        """Mistigris adds the joker to the pack (Foster, section Joker Poker; Baxter-Wray p. 41)."""
        return PACK_60 if self.pack == "60" else (*PACK, JOKER) if self.joker else PACK


class RankingAlone(PackRules):
    """A ranking by itself, without a game. OptionError lists everything that is wrong."""

    def __init__(self, given: Mapping[str, object]) -> None:
        self.given = frozenset(given)
        problems = self._fill_in(given, "the ranking has no option")
        if problems := problems or [*self.refusals()]:
            raise OptionError(problems)
        self.options = self.tuple_of_options(*[getattr(self, option.key) for option in self.declared])


# what is in force unless a game says otherwise
IN_FORCE = {option.key: option.default for option in PackRules.declared if option.key != "joker"}


def ranking_of(options: object) -> Ranking:
    return _ranking(*[getattr(options, key, default) for key, default in IN_FORCE.items()])


# a docstring above would be a rule of the sheet
ranking_of.__doc__ = """Return the ranking of a table, by its rules or by the options of a view.

It is the same object for the same options; those that the table does not have are as usual.

>>> from roundsim.odds import rules_of
>>> from roundsim.strategy import ranking_of
>>> ranking_of(rules_of("english")).straights[-1], ranking_of(rules_of("american")).straights[-1]
('9TJQK', 'TJQKA')"""


@cache
def _ranking(*values: str | bool) -> Ranking:
    return Ranking(**dict(zip(IN_FORCE, values, strict=True)))


class Five(NamedTuple):
    """Five cards as a class sees them: values and places, greatest first, and groups of a rank, the larger ones first.

    `shape`: the sizes of the groups; `groups`: the value of each, raised where the joker is in it."""

    values: Values
    places: Values
    shape: Values
    groups: Values


Vector = Callable[[Five], Values | None]  # what a hand is compared by in a class; None: it is not of this class


class Class(NamedTuple):
    """A class of hands. `one_suit`: whether it must be of one suit, or must not be; None: no matter.

    `shape`: the groups that it must have; None: no matter."""

    position: int
    name: str
    one_suit: bool | None
    vector: Vector
    shape: Values | None = ALL_ODD


class Ranking:
    """Which hand beats which, under one set of options.

    `classes`: from the best down; `positions`: of each class by its name; `ranks`: of the pack, deuce first;
    `straights`: the ranks of each, lowest first, "A2345". Raises OptionError if the options contradict each other.

    >>> from roundsim.strategy import Ranking, cards
    >>> ranking = Ranking(ace="low")
    >>> ranking.class_of(cards("9s 9h Kc 7d 2s")), ranking.straights[-1]
    ('pair', '9TJQK')
    >>> ranking.key(cards("9s 9h Kc 7d 2s")) > ranking.key(cards("8s 8h Ac 7d 2s"))
    True"""

    def __init__(self, **options: str | bool) -> None:
        rules = self.rules = RankingAlone(options)
        self.ranks = "".join(rank for rank in RANKS if rules.pack == "60" or rank not in "EW")
        line = "A" + (self.ranks if rules.ace == "high-low" else self.ranks[:-1])
        self.straights = tuple(line[at : at + 5] for at in range(len(line) - 4))
        self.skips = tuple(line[at : at + 9 : 2] for at in range(len(line) - 8))
        self.classes = sorted(self._declare(), reverse=True, key=lambda kind: kind.position)
        self.positions = {kind.name: kind.position for kind in self.classes}
        self.names = {kind.position: kind.name for kind in self.classes}
        self.mixed: dict[int, int] = {}  # of hands not of one suit: sum of the marks -> key
        self.others: dict[tuple[Any, ...], int] = {}  # of hands whose suits count: pattern -> key

    def _declare(self) -> Iterator[Class]:
        """The order of the classes (Foster, section Rank of the Hands; Baxter-Wray pp. 38-39, law 65)."""
        rules = self.rules
        straight = partial(_sequence, [_from_top(ranks) for ranks in self.straights])
        yield Class(POSITION["fives"], "fives", None, _groups, (5,))
        if rules.straight_flush:
            royal = partial(_sequence, [_from_top(ranks) for ranks in self.straights if ranks[-1] == "A"])
            yield Class(POSITION["royal"], "royal", True, royal)
            yield Class(POSITION["straight-flush"], "straight-flush", True, straight)
        yield Class(POSITION["fours"], "fours", None, _groups, (4, 1))
        yield Class(POSITION["full"], "full", None, _groups, (3, 2))
        yield Class(POSITION["flush"], "flush", True, _all, None)
        yield Class(POSITION["straight"], "straight", None, straight)
        yield Class(POSITION["threes"], "threes", None, _groups, (3, 1, 1))
        two_pairs = partial(_two_pairs, rules.inverted, rules.two_pair_odd)
        yield Class(POSITION["two-pairs"], "two-pairs", None, two_pairs, (2, 2, 1))
        yield Class(POSITION["pair"], "pair", None, _groups, (2, 1, 1, 1))
        yield Class(POSITION["high"], "high", None, _low if rules.inverted else _groups)

        for name, positions in ECCENTRIC.items():
            how = getattr(rules, name)
            if how != "off":
                one_suit, shape = (None, None) if name == "blaze" else (False, ALL_ODD)
                yield Class(positions[how], name, one_suit, self._eccentric(name, how), shape)

    def _eccentric(self, name: str, how: str) -> Vector:
        """Hands of some tables only (Foster, section Eccentric Hands; Baxter-Wray pp. 41, 44; Hoyle's Games p. 136)."""
        if name == "blaze":
            return partial(_court, set(_places("AKQJ" if how == "wray" else "KQJ")))
        if name == "skip":
            return partial(_sequence, [_from_top(ranks) for ranks in self.skips])
        if name == "round":
            return partial(_round, {_places(ranks): PLACE[ranks[0]] for ranks in ("JQKA2", "QKA23", "KA234")})
        if how == "hoyle":
            return partial(_sequence, [_from_top("A2345")])
        return partial(_tiger, {_places(ranks) for ranks in ("24567", "23567", "23467", "23457")})

    def key(self, hand: Sequence[Card]) -> int:
        """A number for five cards: the greater is the better hand, equal ones tie (Foster; Baxter-Wray law 76)."""
        a, b, c, d, e = hand
        if a.suit == b.suit == c.suit == d.suit == e.suit:
            return self._key_by_suits(hand)
        try:
            return self.mixed[a.mark + b.mark + c.mark + d.mark + e.mark]
        except KeyError:
            return self._key_by_suits(hand)

    def position(self, hand: Sequence[Card]) -> int:
        """The place of its class in the order of classes: 10 for a pair (Baxter-Wray law 65; the numbers ours)."""
        return self.key(hand) >> 28

    def class_of(self, hand: Sequence[Card]) -> str:
        """The name of the hand's class: "pair", "two-pairs", "royal" (Baxter-Wray law 65)."""
        return self.names[self.key(hand) >> 28]

    def grouped(self, hand: Sequence[Card]) -> tuple[Card, ...]:
        """The cards that make the class: of a pair the two, of a straight all (Baxter-Wray pp. 38-39)."""
        natural = [card for card in hand if card != "Jo"]
        count = Counter(card.rank for card in natural)
        ranged = sorted(natural, key=lambda card: (count[card.rank], card.rank), reverse=True)
        if len(natural) < len(hand):
            ranged.insert(count[ranged[0].rank], next(card for card in hand if card == "Jo"))
        made = ranged[: MAKE.get(self.class_of(hand), 5)]
        return tuple(card for card in hand if card in made)

    # keys

    def _key_by_suits(self, hand: Sequence[Card]) -> int:
        # of a hand that holds the joker or is of one suit, or comes for the first time
        natural = [card for card in hand if card != "Jo"]
        suits = {card.suit for card in natural}
        suit = natural[0].suit if len(suits) == 1 else ""
        by_top = self.rules.suits == "hearts-top"
        hearts = frozenset([PLACE[card[0]] for card in natural if card.suit == "h"]) if by_top else frozenset()
        pattern = sum([card.mark for card in hand]), suit, hearts
        if pattern in self.others:
            return self.others[pattern]
        places, joker = [PLACE[card[0]] for card in natural], len(natural) < len(hand)
        if joker:
            key = max(self._joker_keys(places, suit, hearts))
        else:
            key = self._key_of([2 * place for place in places], suit, hearts, False)
        if joker or suit or by_top and key >> 28 == POSITION["straight"]:
            self.others[pattern] = key
        else:
            self.mixed[pattern[0]] = key
        return key

    def _joker_keys(self, places: list[int], suit: str, hearts: frozenset[int]) -> Iterator[int]:
        """With each card that the joker may stand for (Foster, section Joker Poker; Baxter-Wray p. 41)."""
        half, missing = self.rules.joker_tie == "card", self.rules.joker_as == "missing"
        natural = [2 * place for place in places]
        for place in [PLACE[rank] for rank in self.ranks]:
            values = [*natural, 2 * place + half]
            if suit and not (missing and place in places):
                yield self._key_of(values, suit, hearts, True)
            if not missing or places.count(place) < 4:
                yield self._key_of(values, "", hearts | {place}, True)  # of another suit; a heart if that serves

    def _key_of(self, values: list[int], suit: str, hearts: frozenset[int], joker: bool) -> int:
        """By class, then by cards; hearts or the joker may break a tie (Foster; Baxter-Wray p. 41, laws 69-70).

        `suit`: of the hand if it is of one; `hearts`: the places of those cards that are."""
        rules, five = self.rules, _five(values)
        position, name, vector = next(
            (kind.position, kind.name, vector)
            for kind in self.classes
            if kind.one_suit in (None, bool(suit)) and kind.shape in (None, five.shape)
            if (vector := kind.vector(five)) is not None
        )
        in_hearts: bool = suit == "h" and rules.suits != "none"
        hearts_on_top: bool = rules.suits == "hearts-top" and vector[0] >> 1 in hearts
        wins_ties: bool = rules.joker_tie == ("hand" if joker else "natural")
        key = position << 1 | (in_hearts and name == "flush")
        for value in vector:
            key = key << 5 | value
        key <<= 5 * (5 - len(vector))
        key = key << 1 | (hearts_on_top if name == "straight" else in_hearts and name in ("straight-flush", "royal"))
        return key << 1 | wins_ties


# vectors: what a hand of some class is compared by


def _places(ranks: str) -> Values:
    return tuple(sorted([PLACE[rank] for rank in ranks], reverse=True))


def _from_top(ranks: str) -> Values:
    """A sequence counts from the top; an ace that begins it is below the deuce (Foster law 35; Baxter-Wray law 71)."""
    return tuple([0 if at == 0 and rank == "A" else PLACE[rank] for at, rank in enumerate(ranks)][::-1])


def _five(cards: list[int]) -> Five:
    values = tuple(sorted(cards, reverse=True))
    places = tuple([value >> 1 for value in values])
    if len(set(places)) == 5:
        return Five(values, places, ALL_ODD, values)
    highest = dict(zip(places[::-1], values[::-1], strict=True))
    shape, groups = zip(
        *sorted([(places.count(place), highest[place]) for place in highest], reverse=True), strict=True
    )
    return Five(values, places, shape, groups)


def _all(five: Five) -> Values:
    """A flush counts card by card (Foster law 36; Baxter-Wray law 69)."""
    return five.values


def _groups(five: Five) -> Values:
    """The largest group decides, then the next, then the odd cards (Baxter-Wray laws 67, 68, 72, 74, 75)."""
    return five.groups


def _two_pairs(inverted: bool, odd: bool, five: Five) -> Values:
    """The higher pair decides, then the lower, then the odd card, or not (Foster law 36; Baxter-Wray law 73)."""
    higher, lower, fifth = five.groups
    return (31 - higher if inverted else higher, lower, fifth if odd else 0)


def _low(five: Five) -> Values:
    """Nothing, and the lower the better, card by card (Foster, section Eccentric Hands)."""
    return tuple([31 - value for value in five.values])


def _sequence(lines: list[Values], five: Five) -> Values | None:
    """The highest card of a sequence decides (Foster law 35; Baxter-Wray laws 66, 70)."""
    if five.places in lines:
        return five.values
    ace, *others = five.values
    if five.places[0] == ACE and (*five.places[1:], 0) in lines:
        return (*others, ace - 2 * ACE)
    return None


def _court(court: set[int], five: Five) -> Values | None:
    """A blaze counts card by card (Foster, section Eccentric Hands; Baxter-Wray p. 41)."""
    return five.values if court.issuperset(five.places) else None


def _tiger(tigers: set[Values], five: Five) -> Values | None:
    """Seven high, deuce low, counted card by card (Foster, section Eccentric Hands)."""
    return five.values if five.places in tigers else None


def _round(begins: dict[Values, int], five: Five) -> Values | None:
    """By the king's side: the higher the card that begins one, the better it is (Foster, section Eccentric Hands)."""
    return (2 * begins[five.places] + any(value & 1 for value in five.values),) if five.places in begins else None
