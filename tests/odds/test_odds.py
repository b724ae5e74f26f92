"""`roundsim odds`: the printed counts of every class, the odds of the draw, Foster's figures, and the command."""

from __future__ import annotations

import csv
import io
import json
import random
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import combinations
from math import comb
from types import SimpleNamespace

import pytest
from conftest import Shell
from helpers.command import one_in, one_in_with, seldom_with
from helpers.deals import examples

from roundsim.base.errors import OddsError, OptionError
from roundsim.cli import progress
from roundsim.mechanics.hands import RankingAlone, ranking_of
from roundsim.odds import foster, report
from roundsim.odds.count import RANKINGS, kinds, odds, rules_of
from roundsim.odds.draws import all_draws, numbered_draws, ways
from roundsim.odds.foster import COURT, DRAWS, PrintedOdds, of_the_deal, of_the_draw
from roundsim.table.cards import JOKER, PACK, PACK_60, cards

AMERICAN = ranking_of(SimpleNamespace())
ENGLISH = RANKINGS["english"]
NAMES = ["royal", "straight-flush", "fours", "full", "flush", "straight", "threes", "two-pairs", "pair", "high"]
REGULAR = {
    "foster": [4, 36, 624, 3744, 5108, 10200, 54912, 123552, 1098240, 1302540],
    "english": [0, 36, 624, 3744, 5112, 9180, 54912, 123552, 1098240, 1303560],
    "stud": [0, 0, 624, 3744, 5148, 10200, 54912, 123552, 1098240, 1302540],
}
WITH_ECCENTRIC = [*NAMES[:3], "blaze", "round", "full", "tiger", "flush", "skip", *NAMES[5:]]
CUSTOMARY = {"blaze": "foster", "skip": "foster", "tiger": "foster", "round": "foster"}
TRUE = {"blaze": "true", "skip": "true", "tiger": "true", "round": "true"}
ECCENTRIC = [
    (TRUE, [4, 36, 624, 768, 3060, 3600, 4080, 5108, 6120, 10200, 54720, 123120, 1098240, 1289280]),
    (CUSTOMARY, [4, 36, 624, 432, 3060, 3744, 4080, 5108, 6120, 10200, 54912, 123120, 1098240, 1289280]),
    (
        {"ace": "low", "blaze": "wray", "skip": "wray"},
        [0, 36, 624, 3264, 0, 3744, 0, 5112, 5100, 9180, 54912, 121824, 1096704, 1298460],
    ),
    ({"tiger": "hoyle"}, [4, 36, 624, 0, 0, 3744, 1020, 5108, 0, 9180, 54912, 123552, 1098240, 1302540]),
]
WITH_THE_JOKER = ["fives", "royal", "straight-flush", "fours", "full", "flush", "straight", "threes", "pair"]
JOKER_ALONE = [
    ("foster", {}, [13, 20, 144, 2496, 2808, 2696, 10332, 82368, 169848]),
    ("foster", {"joker_as": "missing"}, [0, 20, 144, 2509, 2808, 2696, 10332, 82368, 169848]),
    ("english", {}, [0, 0, 148, 2509, 2808, 2712, 9324, 82368, 170856]),
]
SIXTY = {
    "high-low": [4, 44, 840, 5040, 11964, 12240, 87360, 196560, 2096640, 3050820],
    "low": [0, 44, 840, 5040, 11968, 11220, 87360, 196560, 2096640, 3051840],
}


def counts(names: Sequence[str], figures: Sequence[int]) -> dict[str, int]:
    return {name: count for name, count in zip(names, figures, strict=True) if count}


def nonzero(rules: RankingAlone, held: str = "", out: str = "") -> dict[str, int]:
    return {name: count for name, count in odds(rules, held, out).counts.items() if count}


@pytest.mark.parametrize("ranking", one_in(3, [*REGULAR]))
def test_the_deal(ranking: str) -> None:
    dealt = odds(rules_of(ranking))
    assert {name: count for name, count in dealt.counts.items() if count} == counts(NAMES, REGULAR[ranking])
    assert dealt.draws == 2598960


@pytest.mark.parametrize("options, figures", one_in_with(4, ECCENTRIC), ids=["true", "customary", "wray", "hoyle"])
def test_the_deal_with_eccentric_hands(options: Mapping[str, str], figures: list[int]) -> None:
    dealt = odds(rules_of(given=options)).counts
    assert {name: count for name, count in dealt.items() if count} == counts(WITH_ECCENTRIC, figures)
    if options == TRUE:
        assert [name for name in dealt if name != "fives"] == WITH_ECCENTRIC


@pytest.mark.soak
@pytest.mark.parametrize("ranking, options, figures", [JOKER_ALONE[0], *seldom_with(*JOKER_ALONE[1:])])
def test_the_deal_with_the_joker(ranking: str, options: Mapping[str, str], figures: list[int]) -> None:
    """The hands with the joker, those of its holder, are added to those of 52 cards."""
    rules = rules_of(ranking, {**options, "joker": True})
    without = REGULAR["english" if ranking == "english" else "foster"]
    alone = counts(WITH_THE_JOKER, figures)
    assert nonzero(rules, "Jo") == alone
    every = nonzero(rules)
    assert every == Counter(alone) + Counter(counts(NAMES, without))
    assert sum(every.values()) == 2869685


@pytest.mark.soak
@pytest.mark.parametrize("ace", one_in(3, [*SIXTY]))
def test_the_deal_of_sixty(ace: str) -> None:
    assert sum(SIXTY[ace]) == 5461512
    assert nonzero(rules_of(given={"pack": 60, "ace": ace})) == counts(NAMES, SIXTY[ace])


def test_rankings_of_one_name_and_options_that_change_no_count() -> None:
    assert rules_of("american").options == rules_of("foster").options
    assert rules_of("straight").options == rules_of("stud").options
    assert rules_of("english").options == rules_of(given=ENGLISH).options
    options = {"suits": "hearts-top", "two_pair_odd": False, "inverted": True, "joker_tie": "card"}
    assert nonzero(rules_of(given=options), "9s 8s") == nonzero(rules_of(), "9s 8s")


def one_by_one(rules: RankingAlone, held: str = "", out: str = "") -> Counter[str]:
    pack = PACK_60 if rules.pack == "60" else (*PACK, *[JOKER] * rules.joker)
    hand, dead = cards(held), cards(out)
    unseen = [card for card in pack if card not in hand and card not in dead]
    class_of = ranking_of(rules).class_of
    return Counter(class_of([*hand, *drawn]) for drawn in combinations(unseen, 5 - len(hand)))


@pytest.mark.soak
@pytest.mark.parametrize(
    "options",
    [{}, CUSTOMARY, {"joker": True, **TRUE}, {**ENGLISH, "joker": True}, {"pack": "60"}],
    ids=["plain", "customary", "true with joker", "english with joker", "sixty"],
)
def test_every_hand_that_can_be_dealt(options: Mapping[str, object]) -> None:
    rules = rules_of(given=options)
    assert nonzero(rules) == one_by_one(rules)


@pytest.mark.parametrize(
    "held", one_in(2, ["9s 9h", "Ks Qs 2s", "As Kd Kh", "Jo 9s", "Jo 8h 7h", "5d 4d 3d 2d", "Jo 2s 3s 4s 5s"])
)
@pytest.mark.parametrize("out", ["", "Kc 7d 2h", "6d 9d 9c Ad Js Jd Jh Jc"])
def test_every_draw(held: str, out: str) -> None:
    rules = rules_of(given={"joker": True, "skip": "true", "tiger": "foster", "suits": "hearts-top"})
    assert nonzero(rules, held, out) == one_by_one(rules, held, out)


@pytest.mark.soak
@examples(20)
def test_draws_at_random(examples: int) -> None:
    chance = random.Random(1891)
    for _ in range(examples):
        ace, blaze = chance.choice(("high-low", "low")), chance.choice(("off", "foster", "wray", "true"))
        joker_as, joker = chance.choice(("any", "missing")), chance.random() < 0.5
        rules = rules_of(given={"ace": ace, "blaze": blaze, "joker_as": joker_as, "joker": joker})
        among = [card for card in (*PACK, *[JOKER] * joker) if card.suit in chance.choice(("shdc joker", "h joker"))]
        dealt = chance.sample(among, chance.randint(3, 13))
        held = chance.choice((2, 3, 4))
        words = " ".join(dealt[:held]), " ".join(dealt[held:])
        assert nonzero(rules, *words) == one_by_one(rules, *words), words


@pytest.mark.parametrize("held", ["As Kd 9h 9c", "2s 2d 7h", "As 5d", "Tc"])
def test_the_results_of_draws_and_how_often(held: str) -> None:
    """Hands of one suit are counted by their ranks, too; all others are counted as they are."""
    kept = cards(held)
    stock = [card for card in PACK if card not in kept and card[0] in "A59TK" and card != "9d"]
    draws = list(combinations(stock, 5 - len(kept)))
    drawn = Counter(-AMERICAN.key([*kept, *draw]) for draw in draws if len({card.suit for card in [*kept, *draw]}) > 1)
    table, of_each = all_draws(AMERICAN), ways(stock)
    keys, numbers = table.to(tuple(sorted("23456789TJQKA".index(card[0]) for card in kept)))
    assert list(keys) == sorted(keys)
    counted = Counter[int]()
    for key, number in zip(keys, numbers, strict=True):
        counted[key] += of_each[number]
    assert drawn - counted == Counter() and counted.total() == len(draws)


def test_kinds_draws_and_flushes_are_all_that_there_are() -> None:
    for hand, number in kinds(cards("9s 9h"), cards("9d Ts Th Jo 2c 3c")):
        assert len(set(hand)) == 5 and number >= 1
    of_each, every = ways(PACK), numbered_draws()
    for k in range(6):
        assert sum(of_each[at] for at in every.numbers[k]) == comb(52, k)
    assert [len(each) for each in every.numbers] == [1, 13, 91, 455, 1820, 6188]  # comb(12 + k, k)
    flushes = all_draws(AMERICAN).flushes("h")
    assert len(flushes) == len({ranks for _, ranks in flushes}) == comb(13, 5)
    best, worst = flushes[0], flushes[-1]
    assert best[1] == 0b1111100000000 and worst[1] == 0b0000000101111  # A K Q J T; 7 5 4 3 2 in one suit


@pytest.mark.soak
def test_a_held_hand_and_its_improvements() -> None:
    pair = odds(rules_of(), "9s 9h", "Kc 7d 2s")
    assert (pair.made, pair.unseen, pair.draws, pair.improved) == ("pair", 47, 16215, 4656)
    assert pair.against(pair.improved) == Fraction(11559, 4656)
    assert pair.or_better("threes") == 45 + 165 + 1854 and pair.against(0) is None
    four_flush = odds(rules_of(), "Ks Ts 7s 3s", "9h")
    assert (four_flush.made, four_flush.counts["flush"], four_flush.draws) == ("high", 9, 47)
    assert odds(rules_of(given={"joker": True}), "Jo").made == "pair"
    assert odds(rules_of(given={"joker": True}), "Jo 9s 9h").made == "threes"
    assert odds(rules_of(), "9s 9h 4c 4d 2s").made == "two-pairs"


def test_a_hand_has_to_be_filled_even_if_no_draw_misses() -> None:
    """Four to a straight, and all cards gone that would miss it: the hand has to be filled all the same."""
    gone = " ".join(card for card in PACK if card[0] not in "T5" and card not in cards("9s 8h 7c 6d"))
    sure = odds(rules_of(), "9s 8h 7c 6d", gone)
    assert sure.made == "high" and sure.improved == sure.draws == 8


DEAL = {  # printed figures by verdict
    "right": {"even", "34 : 25", "20", "46", "254", "508", "693", "72192", "848"},
    "near": {"1 in 45", "423"},
    "exact": {"4164", "649739", "636"},
    "wrong": {"3008"},
}
# Held cards, and their odds: printed, draws that make it, all draws, verdict.
DRAW = {
    "9s 9h": (
        "2½ 4656/16215 right; 1 in 5 4656/16215 wrong; 1 in 3½ 4656/16215 right; 8 1854/16215 right; "
        "8 2592/16215 wrong; 8 4446/16215 wrong; 61 165/16215 wrong; 364 45/16215 near"
    ),
    "9s 9h Ac": "4 280/1081 wrong; 1 in 4 280/1081 right; 12 84/1081 right; 8 186/1081 wrong; 8 126/1081 right",
    "9s 9h 4c 4d": "12 4/47 wrong; 1 in 13 4/47 wrong",
    "9s 9h 9c": "8 112/1081 near; 14½ 66/1081 near; 23 46/1081 right",
    "9s 9h 9c Kd": "12 4/47 wrong; 16 3/47 near; 46 1/47 exact",
    "9s 8h 6c 5d": "11 4/47 right",
    "9s 8h 7c 6d": "5 8/47 right",
    "Ks Ts 7s 3s": "4½ 9/47 near; 4 9/47 right",
    "Ks Ts 7s": "23 45/1081 right",
    "Ks 7s": "95 165/16215 near",
    "9s 8s 7s 6s": "3 15/47 wrong; 24 2/47 near; 27/47",
    "9s 8s 6s 5s": "4 12/47 wrong; 46 1/47 exact",
    "As Kh": "3 4578/16215 right; 5654/16215",
    "As": "4 32388/178365 wrong; 46581/178365; 12 12555/178365 near",
    "9s 8h 7c": "24 48/1081 wrong",
    "9s 8s 7s": "12 90/1081 near",
}


@pytest.mark.soak
def test_fosters_odds_of_the_deal() -> None:
    figures = [figure for _, figure in of_the_deal()]
    by_verdict = {
        verdict: {each.printed for each in figures if each.verdict == verdict and each.printed} for verdict in DEAL
    }
    assert by_verdict == DEAL and {each.verdict for each in figures if each.printed} == {*DEAL}
    assert sorted(figure.hits for figure in figures if figure.printed in ("3008", "")) == [432, 768, 792]
    assert {figure.of for figure in figures} == {2598960} and COURT == {"court": 792}


def test_fosters_odds_of_the_draw() -> None:
    draws = [*of_the_draw()]
    for draw, figures in draws:
        rows = [f"{each.printed} {each.hits}/{each.of} {each.verdict}".strip() for _, each in figures]
        assert "; ".join(rows) == DRAW[draw.held]
    assert [draw.held for draw, _ in draws] == [*DRAW]


@pytest.mark.parametrize(
    "printed, hits, of, verdict",
    [
        ("23", 2, 47, "right"),  # 22½ is 23
        ("22", 2, 47, "near"),
        ("22½", 2, 47, "exact"),
        ("9", 1, 11, "near"),  # a tenth under
        ("11", 1, 11, "near"),
        ("8½", 1, 11, "wrong"),
        ("11½", 1, 11, "wrong"),
        ("even", 1, 2, "exact"),
        ("even", 3, 4, "wrong"),
        ("1 in 10", 1, 10, "exact"),
        ("9 : 2", 2, 11, "exact"),
        ("9 : 4", 2, 11, "wrong"),  # 18 : 4
    ],
)
def test_verdicts(printed: str, hits: int, of: int, verdict: str) -> None:
    assert PrintedOdds(printed, hits, of).verdict == verdict


def test_the_table(shell: Shell) -> None:
    assert shell("odds", "--hold", "9s 9h", "--out", "Kc 7d 2s") == (
        0,
        """\
Three cards drawn to 9s 9h from 47 (Kc 7d 2s are out) · american ranking
  16 215 hands

 class       hands  share %  odds against  or better  or better, odds
 fours          45   0.2775   359.333 : 1         45      359.333 : 1
 full          165   1.0176    97.273 : 1        210       76.214 : 1
 threes      1 854  11.4339     7.746 : 1      2 064        6.856 : 1
 two-pairs   2 592  15.9852     5.256 : 1      4 656        2.483 : 1
 pair       11 559  71.2858     0.403 : 1     16 215        0.000 : 1

Better than pair: 4 656 of 16 215, 2.483 : 1 against.
""",
        "",
    )


def test_possible_draws_are_described(shell: Shell) -> None:
    said = "Any card that is not held may come"
    out = shell("odds", "--hold", "As Ad", "--draw", "3").out
    assert "drawn to As Ad from 50 ·" in out and said in out
    assert said not in shell("odds", "--hold", "As Ad", "--out", "2c").out
    assert "(2c is out)" in shell("odds", "--hold", "As Ad Kh Kd", "--out", "2c").out
    assert "Better than royal: 0 of 1." in shell("odds", "--hold", "As Ks Qs Js Ts").out


@pytest.mark.parametrize(
    "words, options, unseen",
    [
        ("", {}, 48),
        ("--pack 53", {"joker": True}, 49),
        ("--ranking english", ENGLISH, 48),
        ("--ranking stud", {"straight_flush": False}, 48),
        ("--pack 60", {"pack": "60"}, 56),
        ("--ranking english --option ace=high-low", {**ENGLISH, "ace": "high-low"}, 48),
        ("--option blaze=foster --option skip=wray", {"blaze": "foster", "skip": "wray"}, 48),
        ("--option joker=true", {"joker": True}, 49),
        ("--option pack=60", {"pack": "60"}, 56),
    ],
)
def test_rankings_and_packs(words: str, options: Mapping[str, object], unseen: int, shell: Shell) -> None:
    held, usual = "9s 8s 7s 6s", rules_of()
    data = json.loads(shell("odds", *words.split(), "--hold", held, "--format", "json").out)
    assert data["hands"] == unseen
    assert data["options"] == {key: value for key, value in options.items() if value != getattr(usual, key)}
    assert {row["class"]: row["hands"] for row in data["classes"]} == odds(rules_of(given=options), held).counts


def test_json_csv_and_markdown_agree(shell: Shell) -> None:
    words = ["odds", "--hold", "9s 9h", "--out", "Kc 7d 2s", "--format"]
    data = json.loads(shell(*words, "json").out)
    classes = data.pop("classes")
    table = {"schema": 1, "ranking": "american", "options": {}, "held": ["9s", "9h"], "out": ["Kc", "7d", "2s"]}
    table |= {"drawn": 3, "unseen": 47, "hands": 16215, "made": "pair", "improved": 4656, "improved_odds": 2.482603093}
    assert data == table
    assert classes[0] == {"class": "fives", "hands": 0, "odds": None, "or_better": 0, "or_better_odds": None}
    full = {"class": "full", "hands": 165, "odds": 97.272727273, "or_better": 210, "or_better_odds": 76.214285714}
    assert full in classes
    rows = list(csv.DictReader(io.StringIO(shell(*words, "csv").out)))
    assert [(row["class"], int(row["hands"])) for row in rows] == [(row["class"], row["hands"]) for row in classes]
    assert rows[0]["odds"] == "" and "| full " in shell(*words, "md").out


@pytest.mark.soak
def test_the_book(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    for count in of_the_deal, of_the_draw:  # the same for each of the four commands: once
        monkeypatch.setattr(foster, count.__name__, partial(list, [*count()]))
    done = shell("odds", "--book")
    assert done.code == 0 and not done.err and max(map(len, done.out.splitlines())) <= 100
    rows = [" ".join(line.split()) for line in done.out.splitlines()]
    for words in (
        "pair 34 : 25 34.162 : 25 1 098 240 / 2 598 960 right",
        "skip straight 423 423.667 6 120 / 2 598 960 near: 424",
        "three to a pair: 9s 9h, out Kc 7d 2s",
        "two pairs 8 5.256 2 592 / 16 215 wrong: 5",
        "full hand 14½ 15.379 66 / 1 081 near: 15½",
        "any improvement 1 in 4 1 in 3.861 280 / 1 081 right",
        "pair of aces, or better 2.829 46 581 / 178 365",
    ):
        assert words in rows
    data = json.loads(shell("odds", "--book", "--format", "json").out)
    assert len(data["deal"]) == 17 and len(data["draw"]) == sum(rows.count("/") for rows in DRAW.values())
    row: dict[str, object] = {"draw": "three to a pair", "held": "9s 9h", "out": "Kc 7d 2s", "event": "two pairs"}
    row |= {"printed": "8", "hands": 2592, "of": 16215, "exact": 5.255787037, "rounded": 5.0, "verdict": "wrong"}
    assert data["draw"][4] == row
    figures = csv.DictReader(io.StringIO(shell("odds", "--book", "--format", "csv").out))
    assert [row["verdict"] for row in figures] == [row["verdict"] for part in ("deal", "draw") for row in data[part]]
    page = shell("odds", "--book", "--format", "md").out
    assert page.count("## Foster's odds") == 2 and "| two to threes: 9s 9h 9c, out Kd 2s " in page


@pytest.mark.soak
def test_tables_fit(shell: Shell) -> None:
    everything = [f"--option={key}=true" for key in TRUE]
    words = ["odds", "--ranking", "english", "--pack", "53", *everything, "--out", "2s 3s 4s 5s 6s 7s 8s"]
    assert max(map(len, shell(*words).out.splitlines())) <= 80


@pytest.mark.parametrize(
    "words, said",
    [
        (["--hold", "Az"], "held (--hold): no such card: 'Az' (a rank"),
        (["--hold", "10s"], "held (--hold): no such card: '10s' (the ten is T; "),
        (["--out", "9s,9h"], "put out (--out): no such card"),
        (["--hold", "As As"], "As: there is only one of each card (--hold, --out)"),
        (["--hold", "As", "--out", "As"], "As: there is only one of each card"),
        (["--hold", "Jo"], "held (--hold): Jo is not in the pack of 52"),
        (["--out", "Es"], "put out (--out): Es is not in the pack of 52"),
        (["--pack", "60", "--hold", "Jo"], "held (--hold): Jo is not in the pack of 60"),
        (["--hold", "2s 3s 4s 5s 6s 7s"], "6 cards are held (--hold): a hand is of five"),
        (["--hold", "As Ad", "--draw", "2"], "2 held and 2 drawn are 4: a hand is of five (--hold, --draw)"),
        (["--draw", "4"], "0 held and 4 drawn are 4"),
        (["--draw", "6"], "--draw: a whole number, from 0 to 5, not '6'"),
        (["--out", " ".join(PACK[:48])], "too many cards are put out (--out): 4 are left"),
        (["--ranking", "englsh"], "no ranking 'englsh' (did you mean english?)"),
        (["--option", "skp=wray"], "the ranking has no option skp (did you mean skip?)"),
        (["--option", "skip=fostr"], "(did you mean foster?)"),
        (["--option", "skip=fostr", "--option", "two_pair_odd=maybe"], "two_pair_odd must be true or false"),
        (["--option", "ace"], "write key=value"),
        (["--pack", "60", "--option", "skip=wray"], 'pack = "60" with skip = "wray"'),
        (["--option", "pack=60", "--option", "joker=true"], 'pack = "60" with joker'),
        (["--pack", "53", "--option", "joker=true"], "--pack 53 with --option joker"),
        (["--pack", "52", "--option", "pack=60"], "--pack 52 with --option pack"),
        (["--pack", "54"], "'54' is not one of"),
        (["--book", "--hold", "As"], "--book is of Foster's own hands"),
        (["--book", "--ranking", "english"], "--book is of Foster's own hands"),
        (["--format", "xml"], "xml"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_wrong_words_are_refused(words: list[str], said: str, shell: Shell) -> None:
    done = shell("odds", *words)
    assert done.code == 64 and said in done.err and not done.out


def test_errors_of_the_library() -> None:
    with pytest.raises(OddsError, match="no such card"):
        odds(rules_of(), "As Xs")
    with pytest.raises(OptionError) as error:
        rules_of(given={"aces": "low", "blaze": "on"})
    assert len(error.value.problems) == 2


@pytest.mark.parametrize("terminal, after", [(True, -1.0), (True, 60.0), (False, -1.0)])
def test_a_bar_only_on_a_terminal_and_only_where_it_takes_long(
    terminal: bool, after: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: terminal)
    monkeypatch.setattr(sys, "stderr", screen)
    with progress.progress_bar(after) as watch:
        odds(rules_of(), "As Kd", watch=watch)
    assert ("100%" in screen.getvalue()) == (terminal and after < 0)
    assert terminal and after < 0 or not screen.getvalue()


def test_a_row_names_its_draw_in_markdown_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    event = DRAWS[0].events[0]
    monkeypatch.setattr(foster, "of_the_deal", lambda: [("two pairs", PrintedOdds("20", 1, 21))])
    monkeypatch.setattr(foster, "of_the_draw", lambda: [(DRAWS[0], [(event, PrintedOdds("2½", 2, 7))])])
    draw, row = "three to a pair: 9s 9h, out Kc 7d 2s", "any improvement 2½ 2.500 2 / 7 exact"
    texts = [report.book(form).replace("|", " ") for form in ("md", "table")]
    page, shown = [[" ".join(line.split()) for line in text.splitlines()] for text in texts]
    assert f"{draw} {row}" in page and row not in page
    assert shown[shown.index(draw) + 1] == row
