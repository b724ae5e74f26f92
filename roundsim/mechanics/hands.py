"""Poker hands of five cards, by the options of the shared ranking (Foster, "The Poker Family"; Baxter-Wray,
"Round Games with Cards", 1891, pp. 31, 38-41, 44, 55-57).

A hand's key says its class and, within the class, its vector; the greater key is the better hand, and equal keys tie.
It hangs on the five ranks and on whether the hand is of one suit.  It is reckoned when such a hand first comes, from
the classes as `Ranking` declares them, and looked up from then on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from types import SimpleNamespace
from typing import Any, NamedTuple

from ..cards import PLACE, RANKS, Card
from ..options import FLAG, OneOf, Option, Rules

POSITION = {
    "fives": 90,
    "royal": 85,
    "straight-flush": 80,
    "fours": 70,
    "full": 60,
    "flush": 50,
    "straight": 40,
    "threes": 30,
    "two-pairs": 20,
    "pair": 10,
    "high": 0,
}
ECCENTRIC = {  # the customary positions, and the true ones
    "blaze": {"foster": 22, "wray": 22, "true": 64},
    "skip": {"foster": 24, "wray": 32, "true": 42},
    "tiger": {"foster": 44, "hoyle": 44, "true": 52},
    "round": {"foster": 34, "true": 62},
}
MAKE = {"high": 0, "pair": 2, "two-pairs": 4, "threes": 3, "fours": 4}  # so many cards make the class; of others all
ENGLISH = {"ace": "low", "suits": "hearts", "two_pair_odd": False, "joker_as": "missing", "joker_tie": "card"}

OPTIONS = (
    Option(
        "ace",
        "high-low",
        OneOf("high-low", "low"),
        "in sequences the ace is below the deuce; high-low: or above the king",
        "Foster law 35; Baxter-Wray laws 66, 70, 71",
    ),
    Option("straight_flush", True, FLAG, "whether a sequence of one suit is more than a flush", "Foster"),
    Option(
        "suits",
        "none",
        OneOf("none", "hearts", "hearts-top"),
        "hearts: a flush in hearts beats other flushes; hearts-top: a straight topped by a heart its equals, too",
        "Foster; Baxter-Wray p. 31, laws 69-70",
    ),
    Option(
        "two_pair_odd",
        True,
        FLAG,
        "whether of equal two pairs the odd card decides",
        "Foster law 36; Baxter-Wray law 73",
    ),
    Option(
        "inverted",
        False,
        FLAG,
        "without a pair the lower hand is better, and so is the lower of two higher pairs",
        "Foster",
    ),
    Option(
        "blaze",
        "off",
        OneOf("off", "foster", "wray", "true"),
        "five court cards, above two pairs (wray: aces, too; true: above a full hand)",
        "Foster; Baxter-Wray p. 41",
    ),
    Option(
        "skip",
        "off",
        OneOf("off", "foster", "wray", "true"),
        "skip straight, below threes (wray: above threes; true: above a straight)",
        "Foster; Baxter-Wray p. 44",
    ),
    Option(
        "tiger",
        "off",
        OneOf("off", "foster", "hoyle", "true"),
        "seven high, deuce low, below a flush (hoyle: A 2 3 4 5; true: above it)",
        "Foster; Hoyle's Games p. 136",
    ),
    Option(
        "round",
        "off",
        OneOf("off", "foster", "true"),
        "round-the-corner straight, below a straight (true: above a full hand)",
        "Foster",
    ),
    Option(
        "joker_as",
        "any",
        OneOf("any", "missing"),
        "the joker stands for any card, or any that is not in the hand",
        "Foster; Baxter-Wray",
    ),
    Option(
        "joker_tie",
        "hand",
        OneOf("hand", "card", "natural", "none"),
        "of equal hands the joker's wins (card: it counts half a rank more; natural: it loses; none: they tie)",
        "Foster; Baxter-Wray p. 41",
    ),
    Option("pack", "52", OneOf("52", "60"), "with 60: elevens (E) and twelves (W) between ten and knave", "Foster"),
)
KEYS = tuple(option.key for option in OPTIONS)

Values = tuple[int, ...]  # a card counts twice its place in the order of ranks: the joker can be half a rank more
ACE = PLACE["A"]


def ranking_options(**defaults: Any) -> tuple[Option, ...]:
    """The options of the ranking, for a game to declare: `ranking_options(straight_flush=False, pack=None)`.

    A default is a value, or a function of the rules and words for it; None: the game has no such option."""
    if unknown := defaults.keys() - set(KEYS):
        raise TypeError(f"the ranking has no options {unknown}")
    declared = []
    for option in OPTIONS:
        default = defaults.get(option.key, option.default)
        default, usual = default if isinstance(default, tuple) else (default, "")
        if default is not None:
            declared.append(replace(option, default=default, usual=usual))
    return tuple(declared)


def ranking_refusals(rules: Rules) -> Iterator[str]:
    """The pack of 60 is played without eccentric hands and without a joker."""
    if getattr(rules, "pack", "52") == "60":
        for key in ECCENTRIC:
            if getattr(rules, key) != "off":
                yield f'pack = "60" with {key} = "{getattr(rules, key)}": eccentric hands are of the pack of 52'
        if getattr(rules, "joker", False):
            yield 'pack = "60" with joker = true: the joker goes with the pack of 52'


def ranking_of(rules: Rules) -> Ranking:
    """The ranking of a table; the same object for the same options."""
    return _ranking(*[getattr(rules, option.key, option.default) for option in OPTIONS])


@cache
def _ranking(*values: Any) -> Ranking:
    return Ranking(**dict(zip(KEYS, values, strict=True)))


class Five(NamedTuple):
    """Five cards as a class sees them: values and places, greatest first, and groups of a rank, the larger ones first.

    `shape`: the sizes of the groups; `groups`: the value of each, raised where the joker is in it."""

    values: Values
    places: Values
    shape: Values
    groups: Values


Vector = Callable[[Five], Values | None]  # what a hand is compared by in a class; None: it is not of this class


class Class(NamedTuple):
    """A class of hands.  `one_suit`: whether it must be of one suit, or must not be; None: no matter."""

    position: int
    name: str
    one_suit: bool | None
    vector: Vector


class Ranking:
    """Which hand beats which, under one set of options.

    `classes`: from the best down; `positions`: of each class by its name; `ranks`: of the pack, deuce first;
    `straights`: the ranks of each, lowest first, "A2345"."""

    def __init__(self, **options: Any) -> None:
        rules = SimpleNamespace(
            **{option.key: option.read(options.pop(option.key, option.default)) for option in OPTIONS}
        )
        if options:
            raise TypeError(f"the ranking has no options {', '.join(options)}")
        self.rules = rules
        self.ranks = "".join(rank for rank in RANKS if rules.pack == "60" or rank not in "EW")
        line = "A" + (self.ranks if rules.ace == "high-low" else self.ranks[:-1])
        self.straights = tuple(line[at : at + 5] for at in range(len(line) - 4))
        self.skips = tuple(line[at : at + 9 : 2] for at in range(len(line) - 8))
        self.classes = sorted(self._declare(), reverse=True, key=lambda each: each.position)
        self.positions = {each.name: each.position for each in self.classes}
        self.names = {each.position: each.name for each in self.classes}
        self.mixed: dict[int, int] = {}  # of hands not of one suit: sum of the marks -> key
        self.others: dict[tuple[Any, ...], int] = {}  # of hands whose suits count: pattern -> key

    def _declare(self) -> Iterator[Class]:
        """Every class of hands that these options know."""
        rules = self.rules
        straight = partial(_sequence, [_from_top(ranks) for ranks in self.straights])
        yield Class(POSITION["fives"], "fives", None, partial(_groups, (5,)))
        if rules.straight_flush:
            royal = partial(_sequence, [_from_top(ranks) for ranks in self.straights if ranks[-1] == "A"])
            yield Class(POSITION["royal"], "royal", True, royal)
            yield Class(POSITION["straight-flush"], "straight-flush", True, straight)
        yield Class(POSITION["fours"], "fours", None, partial(_groups, (4, 1)))
        yield Class(POSITION["full"], "full", None, partial(_groups, (3, 2)))
        yield Class(POSITION["flush"], "flush", True, _all)
        yield Class(POSITION["straight"], "straight", None, straight)
        yield Class(POSITION["threes"], "threes", None, partial(_groups, (3, 1, 1)))
        yield Class(POSITION["two-pairs"], "two-pairs", None, partial(_two_pairs, rules.inverted, rules.two_pair_odd))
        yield Class(POSITION["pair"], "pair", None, partial(_groups, (2, 1, 1, 1)))
        yield Class(POSITION["high"], "high", None, _low if rules.inverted else partial(_groups, (1, 1, 1, 1, 1)))

        for name, positions in ECCENTRIC.items():
            how = getattr(rules, name)
            if how != "off":
                yield Class(positions[how], name, None if name == "blaze" else False, self._eccentric(name, how))

    def _eccentric(self, name: str, how: str) -> Vector:
        if name == "blaze":
            return partial(_court, set(_places("AKQJ" if how == "wray" else "KQJ")))
        if name == "skip":
            return partial(_sequence, [_from_top(ranks) for ranks in self.skips])
        if name == "round":
            return partial(_round, {_places(ranks): PLACE[ranks[0]] for ranks in ("JQKA2", "QKA23", "KA234")})
        if how == "hoyle":
            return partial(_sequence, [_from_top("A2345")])
        return partial(_tiger, {_places(ranks) for ranks in ("24567", "23567", "23467", "23457")})

    # hands

    def key(self, hand: Sequence[Card]) -> int:
        """A number for five cards: the greater is the better hand."""
        a, b, c, d, e = hand
        if a.suit == b.suit == c.suit == d.suit == e.suit:
            return self._key_by_suits(hand)
        try:
            return self.mixed[a.mark + b.mark + c.mark + d.mark + e.mark]
        except KeyError:
            return self._key_by_suits(hand)

    def position(self, hand: Sequence[Card]) -> int:
        """The place of the hand's class in the order of classes: 10 for a pair."""
        return self.key(hand) >> 28

    def class_of(self, hand: Sequence[Card]) -> str:
        """The name of the hand's class: "pair", "two-pairs", "royal"."""
        return self.names[self.key(hand) >> 28]

    def grouped(self, hand: Sequence[Card]) -> tuple[Card, ...]:
        """The cards that make the class, the joker among them where it does: of a pair the two, of a straight all."""
        natural = [card for card in hand if card != "Jo"]
        count = Counter(card.rank for card in natural)
        ranged = sorted(natural, key=lambda card: (count[card.rank], card.rank), reverse=True)
        if len(natural) < len(hand):
            ranged.insert(count[ranged[0].rank], next(card for card in hand if card == "Jo"))
        made = ranged[: MAKE.get(self.class_of(hand), 5)]
        return tuple(card for card in hand if card in made)

    # keys

    def _key_by_suits(self, hand: Sequence[Card]) -> int:
        """The key of a hand that holds the joker or is of one suit, or comes for the first time."""
        natural = [card for card in hand if card != "Jo"]
        suit = natural[0].suit if all(card.suit == natural[0].suit for card in natural) else ""
        by_top = self.rules.suits == "hearts-top"
        hearts = frozenset([PLACE[card[0]] for card in natural if card.suit == "h"]) if by_top else frozenset()
        pattern = sum([card.mark for card in hand]), suit, hearts
        try:
            return self.others[pattern]
        except KeyError:
            pass
        places = [PLACE[card[0]] for card in natural]
        if len(natural) < len(hand):
            key = self.others[pattern] = max(self._joker_keys(places, suit, hearts))
            return key
        key = self._reckon([2 * place for place in places], suit, hearts, False)
        if suit or by_top and key >> 28 == POSITION["straight"]:
            self.others[pattern] = key
        else:
            self.mixed[pattern[0]] = key
        return key

    def _joker_keys(self, places: list[int], suit: str, hearts: frozenset[int]) -> Iterator[int]:
        """The keys of four cards with whatever the joker may stand for."""
        half = self.rules.joker_tie == "card"
        missing = self.rules.joker_as == "missing"
        natural = [2 * place for place in places]
        for place in [PLACE[rank] for rank in self.ranks]:
            values = [*natural, 2 * place + half]
            if suit and not (missing and place in places):
                yield self._reckon(values, suit, hearts, True)
            if not missing or places.count(place) < 4:
                yield self._reckon(values, "", hearts | {place}, True)  # of another suit; a heart if that serves

    def _reckon(self, values: list[int], suit: str, hearts: frozenset[int], joker: bool) -> int:
        """The key of five cards of these values: `suit` if they are of one, and the places of those that are hearts."""
        rules, five = self.rules, _five(values)
        position, name, vector = next(
            (each.position, each.name, vector)
            for each in self.classes
            if each.one_suit in (None, bool(suit)) and (vector := each.vector(five)) is not None
        )
        in_hearts: bool = suit == "h" and rules.suits != "none"
        hearts_on_top: bool = rules.suits == "hearts-top" and vector[0] >> 1 in hearts
        wins_ties: bool = rules.joker_tie == ("hand" if joker else "natural")
        key = position << 1 | (in_hearts and name == "flush")
        for value in (*vector, 0, 0, 0, 0)[:5]:
            key = key << 5 | value
        key = key << 1 | (hearts_on_top if name == "straight" else in_hearts and name in ("straight-flush", "royal"))
        return key << 1 | wins_ties


# vectors: what a hand of some class is compared by


def _places(ranks: str) -> Values:
    """The places of these ranks, greatest first."""
    return tuple(sorted([PLACE[rank] for rank in ranks], reverse=True))


def _from_top(ranks: str) -> Values:
    """The places of a sequence from the top; an ace that begins it is below the deuce."""
    return tuple([0 if at == 0 and rank == "A" else PLACE[rank] for at, rank in enumerate(ranks)][::-1])


def _five(cards: list[int]) -> Five:
    values = tuple(sorted(cards, reverse=True))
    places = tuple([value >> 1 for value in values])
    first = [at for at, place in enumerate(places) if place not in places[:at]]
    groups = sorted([(places.count(places[at]), values[at]) for at in first], reverse=True)
    return Five(values, places, tuple([size for size, _ in groups]), tuple([value for _, value in groups]))


def _all(five: Five) -> Values:
    return five.values


def _groups(shape: Values, five: Five) -> Values | None:
    return five.groups if five.shape == shape else None


def _two_pairs(inverted: bool, odd: bool, five: Five) -> Values | None:
    if five.shape != (2, 2, 1):
        return None
    higher, lower, fifth = five.groups
    return (31 - higher if inverted else higher, lower, fifth if odd else 0)


def _low(five: Five) -> Values | None:
    """Nothing, and the lower the better, card by card."""
    return tuple([31 - value for value in five.values]) if len(five.groups) == 5 else None


def _sequence(lines: list[Values], five: Five) -> Values | None:
    """One of these lines, from the top."""
    if five.places in lines:
        return five.values
    ace, *others = five.values
    if five.places[0] == ACE and (*five.places[1:], 0) in lines:
        return (*others, ace - 2 * ACE)
    return None


def _court(court: set[int], five: Five) -> Values | None:
    return five.values if court.issuperset(five.places) else None


def _tiger(tigers: set[Values], five: Five) -> Values | None:
    return five.values if five.places in tigers else None


def _round(begins: dict[Values, int], five: Five) -> Values | None:
    """Sequences through king and ace, by the king's side: the higher the card that begins one, the better it is."""
    joker = any(value & 1 for value in five.values)
    return (2 * begins[five.places] + joker,) if five.places in begins else None
