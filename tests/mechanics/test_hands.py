"""Poker hands: the sheet's counts, the order of classes, compare files, and a plain second reading of the sheet."""

import random
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations, combinations_with_replacement, product
from math import comb, prod
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Literal

import pytest
from helpers.command import DEALS, drawn, seldom

from roundsim.base.errors import OptionError, ScriptError
from roundsim.base.values import OneOf
from roundsim.games.flat_poker import FlatPoker
from roundsim.mechanics.hands import IN_FORCE, POSITION, PackRules, Ranking, RankingAlone, RankingRules, ranking_of
from roundsim.odds.count import RANKINGS
from roundsim.refereeing.compare import compare_tables
from roundsim.table.cards import JOKER, MARKS, PACK, PACK_60, Card, card, cards
from roundsim.table.options import Option, Rules, otherwise

SCRIPTS = sorted((DEALS / "poker-hands").glob("*.toml"))
ECCENTRIC = "blaze", "skip", "tiger", "round"
ENGLISH = RANKINGS["english"]
FOSTER: dict[str, str | bool] = dict.fromkeys(ECCENTRIC, "foster")
TRUE: dict[str, str | bool] = dict.fromkeys(ECCENTRIC, "true")
CLASSES = (  # by difficulty
    *("royal", "straight-flush", "fours", "blaze", "round", "full", "tiger"),
    *("flush", "skip", "straight", "threes", "two-pairs", "pair", "high"),
)
GROUPS = {"fours": 624, "full": 3744, "threes": 54912, "two-pairs": 123552, "pair": 1098240, "high": 1302540}
OF_60 = {"fours": 840, "full": 5040, "threes": 87360, "two-pairs": 196560, "pair": 2096640}


def column(*counts: int) -> dict[str, int]:
    return {name: count for name, count in zip(CLASSES, counts, strict=True) if count}


Counts = list[tuple[dict[str, str | bool], dict[str, int]]]
COUNTS: Counts = [  # section 8 of the sheet: options, hands of each class
    ({}, GROUPS | {"royal": 4, "straight-flush": 36, "flush": 5108, "straight": 10200}),
    ({"ace": "low"}, GROUPS | {"straight-flush": 36, "flush": 5112, "straight": 9180, "high": 1303560}),
    ({"straight_flush": False}, GROUPS | {"flush": 5148, "straight": 10200}),
    (
        {"suits": "hearts-top", "two_pair_odd": False, "inverted": True, "joker_tie": "card"},
        GROUPS | {"royal": 4, "straight-flush": 36, "flush": 5108, "straight": 10200},
    ),
    (FOSTER, column(4, 36, 624, 432, 3060, 3744, 4080, 5108, 6120, 10200, 54912, 123120, 1098240, 1289280)),
    (TRUE, column(4, 36, 624, 768, 3060, 3600, 4080, 5108, 6120, 10200, 54720, 123120, 1098240, 1289280)),
    (
        {"ace": "low", "blaze": "wray", "skip": "wray"},
        column(0, 36, 624, 3264, 0, 3744, 0, 5112, 5100, 9180, 54912, 121824, 1096704, 1298460),
    ),
    ({"tiger": "hoyle"}, column(4, 36, 624, 0, 0, 3744, 1020, 5108, 0, 9180, 54912, 123552, 1098240, 1302540)),
    ({"pack": "60"}, OF_60 | {"royal": 4, "straight-flush": 44, "flush": 11964, "straight": 12240, "high": 3050820}),
    ({"pack": "60", "ace": "low"}, OF_60 | {"straight-flush": 44, "flush": 11968, "straight": 11220, "high": 3051840}),
]
WITH_JOKER = {"full": 2808, "threes": 82368}
LINES = {"royal": 20, "straight-flush": 144, "flush": 2696, "straight": 10332, "pair": 169848}
JOKER_COUNTS: Counts = [
    ({}, WITH_JOKER | LINES | {"fives": 13, "fours": 2496}),
    ({"joker_as": "missing"}, WITH_JOKER | LINES | {"fours": 2509}),
    (ENGLISH, WITH_JOKER | {"straight-flush": 148, "fours": 2509, "flush": 2712, "straight": 9324, "pair": 170856}),
]


def dealt(ranks: tuple[str, ...]) -> list[tuple[list[Card], int]]:
    """One hand of these ranks in one suit, if there is any, and one in several; and how many there are of each."""
    at = [ranks[:place].count(rank) for place, rank in enumerate(ranks)]
    mixed = [card(rank + "shdc"[suit]) for rank, suit in zip(ranks, at, strict=True)]
    ways = prod(comb(4, count) for count in Counter(ranks).values())
    if any(at):
        return [(mixed, ways)]
    return [([card(rank + "s") for rank in ranks], 4), ([card(ranks[0] + "h"), *mixed[1:]], ways - 4)]


def counted(ranking: Ranking, size: int, *more: Card) -> Counter[str]:
    found: Counter[str] = Counter()
    for ranks in combinations_with_replacement(ranking.ranks, size):
        if max(Counter(ranks).values()) < 5:
            for hand, ways in dealt(ranks):
                found[ranking.class_of([*hand, *more])] += ways
    return found


def name_of(options: Mapping[str, object]) -> str:
    return " ".join(f"{key}={value}" for key, value in options.items()) or "default"


def hands_counted(joker: bool, quick: int) -> pytest.MarkDecorator:
    """The rankings with their counts; the quick tests have some of the first."""
    return pytest.mark.parametrize(
        ("options", "counts"),
        [
            pytest.param(options, counts, id=name_of(options), marks=[pytest.mark.soak] * (at >= quick))
            for at, (options, counts) in enumerate(JOKER_COUNTS if joker else COUNTS)
        ],
    )


@hands_counted(joker=False, quick=1)
def test_counts(options: dict[str, str | bool], counts: dict[str, int]) -> None:
    assert counted(Ranking(**options), 5) == counts
    assert sum(counts.values()) == (5461512 if "pack" in options else 2598960)


@hands_counted(joker=True, quick=0)
def test_counts_with_the_joker(options: dict[str, str | bool], counts: dict[str, int]) -> None:
    """Counted by ranks, and by dealing every hand."""
    ranking = Ranking(**options)
    assert counted(ranking, 4, JOKER) == counts and sum(counts.values()) == 270725
    assert Counter(ranking.class_of((*four, JOKER)) for four in combinations(PACK, 4)) == counts


@hands_counted(joker=False, quick=0)
def test_counts_of_every_hand(options: dict[str, str | bool], counts: dict[str, int]) -> None:
    class_of = Ranking(**options).class_of
    assert Counter(class_of(hand) for hand in combinations(PACK_60 if "pack" in options else PACK, 5)) == counts


def test_seven_thousand_hands_differ() -> None:
    """The well-known number of hands that are not equal."""
    ranking = Ranking()
    kinds = [ranks for ranks in combinations_with_replacement(ranking.ranks, 5) if len({*ranks}) > 1]
    assert len({ranking.key(hand) for ranks in kinds for hand, _ in dealt(ranks)}) == 7462


def test_sums_of_marks_differ() -> None:
    sums = [sum(five) for five in combinations_with_replacement(MARKS, 5)]
    assert len(set(sums)) == len(sums)
    assert len({each.mark for each in PACK_60}) == 15 and JOKER.mark not in {each.mark for each in PACK_60}


def test_the_order_by_difficulty() -> None:
    assert [each.name for each in Ranking(**TRUE).classes] == ["fives", *CLASSES]


def test_positions_under_the_options() -> None:
    assert {name: Ranking().positions[name] for name in POSITION} == POSITION
    customary = Ranking(**FOSTER).positions
    assert [customary[name] for name in ("blaze", "skip", "round", "tiger")] == [22, 24, 34, 44]
    others = Ranking(blaze="wray", skip="wray", tiger="hoyle").positions
    assert [others[name] for name in ("blaze", "skip", "tiger")] == [22, 32, 44] and "round" not in others
    assert "straight-flush" not in Ranking(straight_flush=False).positions
    assert Ranking().position(cards("9s 9h Kc 7d 2s")) == 10
    assert Ranking(**TRUE).position(cards("Ks Kh Kc Qd Qs")) == 64


MADE = {
    **{"Ks 9s 9h 7d 2s": "9s 9h", "9s 4c 9h As 4d": "9s 4c 9h 4d", "9s 4c 9h 9d As": "9s 9h 9d"},
    **{"9s 9c 4h 9h 9d": "9s 9c 9h 9d", "9s 9h 4c 9d 4d": "9s 9h 4c 9d 4d", "9s 8h 7c 6d 5s": "9s 8h 7c 6d 5s"},
    **{"As 8h 7c 6d 5s": "", "Qs Jo 9h 4c 2d": "Qs Jo", "9s 4c Jo As 4d": "4c Jo 4d", "9s 9h 9d 4c Jo": "9s 9h 9d Jo"},
    **{"4s 4h 4d 4c Jo": "4s 4h 4d 4c Jo", "9s Jo 7c 6d 5s": "9s Jo 7c 6d 5s"},
}


def test_cards_that_make_the_class() -> None:
    assert {hand: Ranking().grouped(cards(hand)) for hand in MADE} == {each: (*cards(MADE[each]),) for each in MADE}
    assert Ranking(joker_as="missing").grouped(cards("Jo 4h 4d 4c 4s")) == tuple(cards("4h 4d 4c 4s"))


def test_a_table_has_its_ranking() -> None:
    rules, low = FlatPoker.rules_for(5), FlatPoker.rules_for(5, {"ace": "low"})
    assert isinstance(rules, RankingRules) and isinstance(low, RankingRules)
    same = ranking_of(rules), ranking_of(rules.options), ranking_of(object()), RankingAlone({}).ranking
    assert all(each is rules.ranking for each in same)
    assert ranking_of(low.options).class_of(cards("As Ks Qs Js Ts")) == "flush"
    assert low.ranking is ranking_of(SimpleNamespace(ace="low")) is not rules.ranking


def test_options_are_declared_with_the_defaults_of_the_game() -> None:
    assert {
        **{"ace": "high-low", "straight_flush": True, "suits": "none", "two_pair_odd": True, "inverted": False},
        **{**dict.fromkeys(ECCENTRIC, "off"), "joker_as": "any", "joker_tie": "hand", "pack": "52"},
    } == IN_FORCE

    class Low(PackRules, without=("pack",)):
        straight_flush: bool = otherwise(False)
        ace: Literal["high-low", "low"] = otherwise(lambda rules: "low", "low by the English rules")

    declared = {option.key: option for option in Low.declared}
    assert declared["straight_flush"].default is False and "pack" not in declared
    assert declared["ace"].default(None) == "low" and declared["ace"].default_text() == "low by the English rules"
    assert declared["blaze"].read(True) == "true"
    assert {option.key: option for option in PackRules.declared}["pack"].read(60) == "60"
    assert "joker" not in {option.key for option in RankingRules.declared} and issubclass(RankingRules, Rules)
    with pytest.raises(OptionError, match="the ranking has no option trumps"):
        Ranking(trumps=True)


def test_refusals() -> None:
    assert RankingAlone({"joker": True}).cards == (*PACK, JOKER) and RankingAlone({}).cards == PACK
    assert RankingAlone({"pack": "60"}).cards == PACK_60
    with pytest.raises(OptionError) as error:
        RankingAlone({"pack": 60, "skip": "wray", "joker": True})
    assert error.value.problems == [
        'pack = "60" with skip = "wray": eccentric hands are of the pack of 52',
        'pack = "60" with joker = true: the joker goes with the pack of 52',
    ]


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_compare_files(path: Path) -> None:
    found = [*compare_tables(tomllib.loads(path.read_text("utf-8")), str(path))]
    assert found and not any(words for _, words in found)


PAIR_AND_NOTHING = {"hands": ["As Ad 2c 3c 4c", "Ks Qd 2c 3c 4c"]}


def test_a_difference_is_shown() -> None:
    entry = PAIR_AND_NOTHING | {"classes": ["pair", "straight"], "order": [[0, 1]]}
    right = PAIR_AND_NOTHING | {"classes": ["pair", "high"], "order": [[0], [1]]}
    assert dict(compare_tables({"compare": [right, entry]}, "x.toml")) == {
        "compare 1": "",
        "compare 2": "expected  classes = ['pair', 'straight']\nfound     classes = ['pair', 'high']\n"
        "expected  order = [[0, 1]]\nfound     order = [[0], [1]]",
    }


NO_CLASSES: list[Any] = [5, ["pair"], ["pair", 1], ["pair", ["flush"]]]
NO_ORDERS: list[Any] = [5, [0, 1], [[], [0, 1]], [[0]], [[0], [0, 1]], [["x"], [1]], [[0], [True]], [[False, 1]]]
NO_FILES: list[tuple[dict[str, Any], str]] = [
    ({}, r"x.toml: no \[\[compare\]\]"),
    *[({"compare": tables}, r"no \[\[compare\]\]") for tables in (1, [], [3])],
    ({"compares": []}, r"unknown key compares \(did you mean compare\?\)"),
    ({"compare": [{"hands": ["As Ad 2c 3c 4c"]}]}, "compare 1: neither classes nor order"),
    ({"compare": [{"hands": []}]}, "hands must be a list"),
    ({"compare": [{"hands": "As"}]}, "hands must be a list"),
    ({"compare": [{"hands": [5]}]}, "cards are written as text"),
    ({"compare": [{"hands": ["As Ad 2c 3c"]}]}, "not five different cards"),
    ({"compare": [{"hands": ["As Ad 2c 3c 3c"]}]}, "not five different cards"),
    ({"compare": [{"hands": ["As Ad 2c 3c 1c"]}]}, "no such card: '1c'"),
    ({"compare": [{"hands": ["As Ad 2c 3c Es"]}]}, "Es is not in this pack"),
    ({"compare": [PAIR_AND_NOTHING | {"hand": []}]}, r"compare 1: unknown key hand \(did you mean hands\?\)"),
    ({"compare": [PAIR_AND_NOTHING | {"options": 3}]}, "options must be a table"),
    ({"compare": [PAIR_AND_NOTHING | {"options": {"aces": "low"}}]}, r"unknown key aces \(did you mean ace\?\)"),
    ({"compare": [PAIR_AND_NOTHING | {"options": {"ace": "lo"}}]}, "ace must be one of high-low, low, not 'lo'"),
    ({"compare": [PAIR_AND_NOTHING | {"options": {"pack": 60, "blaze": True}}]}, 'pack = "60" with blaze = "true"'),
    ({"compare": [{"hands": ["As Ad 2c 3c Jo"], "options": {"pack": 60}}]}, 'pack = "60" with joker'),
    *[({"compare": [PAIR_AND_NOTHING | {"classes": names}]}, "as many names as there are") for names in NO_CLASSES[:2]],
    *[({"compare": [PAIR_AND_NOTHING | {"classes": names}]}, "there is no class") for names in NO_CLASSES[2:]],
    ({"compare": [PAIR_AND_NOTHING | {"classes": ["pair", "flus"]}]}, r"no class 'flus' \(did you mean flush\?\)"),
    *[
        ({"compare": [PAIR_AND_NOTHING | {"order": order}]}, "order must be a list of groups")
        for order in NO_ORDERS[:3]
    ],
    *[
        ({"compare": [PAIR_AND_NOTHING | {"order": order}]}, "must name each hand once, 0 to 1")
        for order in NO_ORDERS[3:]
    ],
]


def test_a_file_with_a_mistake_is_refused() -> None:
    for data, words in NO_FILES:
        with pytest.raises(ScriptError, match=words):
            list(compare_tables(data, "x.toml"))


RANK = {rank: value for value, rank in enumerate("23456789TJQKA", 2)}


def plain(hand: Sequence[str], **options: Any) -> tuple[int, list[float], bool]:
    """A hand by the sheet: (position, vector, bit for equal hands), to be compared as tuples."""
    if "Jo" not in hand:
        return (*judged(hand, None, options), options["joker_tie"] == "natural")
    four = [each for each in hand if each != "Jo"]
    return max(
        (*judged([*four, as_], 4, options), options["joker_tie"] == "hand")
        for as_ in PACK
        if options["joker_as"] == "any" or as_ not in four
    )


def judged(hand: Sequence[str], joker: int | None, o: dict[str, Any]) -> tuple[int, list[float]]:
    values = [RANK[each[0]] + (0.5 if at == joker and o["joker_tie"] == "card" else 0) for at, each in enumerate(hand)]
    falling, ranks = sorted(values, reverse=True), sorted(int(value) for value in values)
    group = {rank: [value for value in values if int(value) == rank] for rank in ranks}
    groups = sorted(group.values(), key=lambda each: (len(each), max(each)), reverse=True)
    sizes, by_groups = [len(each) for each in groups], [max(each) for each in groups]
    suited, hearts = len({each[1] for each in hand}) == 1, all(each[1] == "h" for each in hand)
    low = sorted([value - 13 if int(value) == 14 else value for value in values], reverse=True)
    heart_ranks = {RANK[each[0]] for each in hand if each[1] == "h"}

    def steps(of: list[float], by: int) -> bool:
        return all(int(of[at]) - int(of[at + 1]) == by for at in range(4))

    def line(by: int) -> list[float] | None:
        if steps(falling, by) and (ranks[-1] < 14 or o["ace"] == "high-low"):
            return falling
        return low if steps(low, by) else None

    readings: list[tuple[int, list[float]]] = [(0, falling)]
    if o["inverted"]:
        readings = [(0, [-value for value in falling])]
    for position, shape in (90, [5]), (70, [4, 1]), (60, [3, 2]), (30, [3, 1, 1]), (20, [2, 2, 1]), (10, [2, 1, 1, 1]):
        if sizes == shape:
            vector = list(by_groups)
            if position == 20:
                vector = [-vector[0] if o["inverted"] else vector[0], *vector[1 : 2 + o["two_pair_odd"]]]
            readings.append((position, vector))
    if suited:
        readings.append((50, [o["suits"] != "none" and hearts, *falling]))
    if straight := line(1):
        top = int(straight[0]) if straight[0] >= 2 else 14
        readings.append((40, [*straight, o["suits"] == "hearts-top" and top in heart_ranks]))
        if suited and o["straight_flush"]:
            readings.append((85 if ranks[0] == 10 else 80, [*straight, o["suits"] != "none" and hearts]))
    if o["blaze"] != "off" and set(ranks) <= {11, 12, 13, *[14] * (o["blaze"] == "wray")}:
        readings.append((64 if o["blaze"] == "true" else 22, falling))
    if not suited:
        if o["skip"] != "off" and (skip := line(2)):
            readings.append(({"foster": 24, "wray": 32, "true": 42}[o["skip"]], skip))
        if o["tiger"] in ("foster", "true") and len(group) == 5 and ranks[0] == 2 and ranks[-1] == 7:
            readings.append((52 if o["tiger"] == "true" else 44, falling))
        if o["tiger"] == "hoyle" and ranks == [2, 3, 4, 5, 14]:
            readings.append((44, low))
        rounds = [[2, 11, 12, 13, 14], [2, 3, 12, 13, 14], [2, 3, 4, 13, 14]]
        if o["round"] != "off" and ranks in rounds:
            readings.append((62 if o["round"] == "true" else 34, [rounds.index(ranks) + sum(values) % 1]))
    return max(readings)


def check_against_the_sheet(hands: list[list[Card]], options: dict[str, str | bool]) -> None:
    ranking = Ranking(**options)
    found, expected = [ranking.key(hand) for hand in hands], [plain(hand, **options) for hand in hands]
    by_key = sorted(range(len(hands)), key=lambda at: found[at])
    for one, other in zip(by_key, by_key[1:], strict=False):
        assert ranking.position(hands[one]) == expected[one][0], (hands[one], options)
        key, other_key = found[one], found[other]
        assert (key < other_key) == (expected[one] < expected[other]), (hands[one], hands[other], options)


def some_hands(chance: random.Random, number: int) -> list[list[Card]]:
    """Hands of the pack of 53, many of them from few ranks, few suits or with the joker."""
    hands = []
    for _ in range(number):
        pack = [each for each in PACK if each[1] in chance.choice(("shdc", "sh", "h", "c"))]
        start = chance.randrange(0, 10)
        among = chance.choice(("23456789TJQKA", "23456789TJQKA"[start : start + 7], "JQKA234", "A23457", "2468TQA35"))
        pack = [each for each in pack if each[0] in among] if chance.random() < 0.8 else list(PACK)
        hand = chance.sample(pack, 5) if len(pack) > 4 else chance.sample(PACK, 5)
        if chance.random() < 0.4:
            hand[chance.randrange(5)] = JOKER
        hands.append(hand)
    return hands


def choices_of(option: Option) -> tuple[str | bool, ...]:
    assert isinstance(option.default, bool) or isinstance(option.values, OneOf)
    return tuple(map(str, option.values.choices)) if isinstance(option.values, OneOf) else (True, False)


@pytest.mark.parametrize("many", [3, *seldom(drawn(150, 1000))])
def test_the_sheet_read_a_second_time(many: int) -> None:
    """With some of all combinations of the options."""
    chance, keys = random.Random(1892), [option.key for option in RankingRules.declared]
    every = list(product(*map(choices_of, RankingRules.declared)))
    for chosen in chance.sample(every, many):
        check_against_the_sheet(some_hands(chance, 60), dict(zip(keys, chosen, strict=True)))
