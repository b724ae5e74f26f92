"""Options are checked whole: every mistake is named, and everything that contradicts itself names both sides."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from roundsim import games
from roundsim.base.errors import OptionError, UnknownGameError
from roundsim.base.values import OneOf, Whole
from roundsim.games.nap import Nap
from roundsim.table.deal import Deal
from roundsim.table.options import Rules, option


def problems(players: int, game: type[Deal] = Nap, /, **given: object) -> list[str]:
    with pytest.raises(OptionError) as caught:
        game.rules_for(players, given)
    assert str(caught.value) == "; ".join(caught.value.problems)
    return caught.value.problems


class Toy(Deal):
    """A game that has options only."""

    id = "toy"
    seats = (2, 3)


class ToyRules(Rules, of=Toy):
    few: int = option(2, "a number in a range", "ours", high=4)
    many: int = option(1, "a number without end", "ours", low=0)
    even: int = option(2, "not every number", "ours", values=Whole(2, but=lambda n: n % 2 == 0, words="an even number"))
    sure: bool = option(False, "yes or no", "ours")
    pack: Literal["52", "32", "none", False] = option("52", "words, numbers and flags", "ours")
    tricks: Literal[5, 9] = option(5, "numbers", "ours")
    lowest: int = option(lambda rules: 3 if rules.sure else 1, "depends", "ours", usual="3 with sure, else 1")


def toy(players: int, **given: object) -> ToyRules:
    rules = Toy.rules_for(players, given)
    assert isinstance(rules, ToyRules)
    return rules


def test_defaults_are_filled_in_described_and_may_depend_on_what_was_given() -> None:
    rules = toy(2)
    assert rules.options == (2, 1, 2, False, "52", 5, 1) and rules.options.lowest == rules.lowest == 1
    assert (rules.players, rules.given) == (2, frozenset())
    rules = toy(3, sure=True, few=4)
    assert rules.options == (4, 1, 2, True, "52", 5, 3) and rules.given == {"sure", "few"}
    assert toy(3, sure=True, lowest=2).lowest == 2
    with pytest.raises(AttributeError):
        rules.options.few = 1
    words = ["2", "1", "2", "false", "52", "5", "3 with sure, else 1"]
    assert [option.default_text() for option in Toy.options] == words


READ = [
    *[("few", 1, 1), ("few", 4, 4), ("many", 0, 0), ("many", 10**6, 10**6), ("even", 64, 64), ("sure", True, True)],
    *[("pack", "32", "32"), ("pack", 32, "32"), ("pack", "none", "none"), ("tricks", 9, 9), ("tricks", "9", 9)],
    *[("pack", False, False), ("pack", "false", False)],
]


def test_values_that_are_read() -> None:
    for key, value, read in READ:
        found = getattr(Toy.rules_for(2, {key: value}), key)
        assert (found, type(found)) == (read, type(read)), (key, value)


BAD_VALUES: dict[str, tuple[str, list[object]]] = {
    "few": ("a whole number from 1 to 4", [0, 5, True, 2.0, "2", None]),
    "many": ("a whole number from 0 to 1000000", [-1]),
    "even": ("an even number", [3, 0]),
    "sure": ("true or false", [1, "true"]),
    "pack": ("one of 52, 32, none, false", [[], True]),
    "tricks": ("one of 5, 9", [True, 7]),
}


def test_values_that_are_refused() -> None:
    for key, (words, values) in BAD_VALUES.items():
        for value in values:
            assert problems(2, Toy, **{key: value}) == [f"{key} must be {words}, not {value!r}"]
    for near, suggested in ("nine", "none"), (51, "52"):
        words = f"pack must be one of 52, 32, none, false, not {near!r} (did you mean {suggested}?)"
        assert problems(2, Toy, pack=near) == [words]


def test_a_misspelt_option_or_game_is_recognised_and_all_that_is_wrong_is_reported_at_once() -> None:
    assert problems(4, miserie=True) == ["nap has no option miserie (did you mean misery?)"]
    assert problems(4, wellingtn="full") == ["nap has no option wellingtn (did you mean wellington?)"]
    assert problems(4, xyzzy=1) == ["nap has no option xyzzy"]
    with pytest.raises(UnknownGameError, match="did you mean nap"):
        games.find("napp")
    found = problems(7, miserie=True, stake=0, pack="53", kitty="dealer")
    assert found == [
        "nap has no option miserie (did you mean misery?)",
        "stake must be a whole number from 1 to 1000000, not 0",
        "pack must be one of 52, 32, not '53' (did you mean 52?)",
        "7 players: nap is for 2 to 6",
    ]


OF_THE_BIRD = {"method": "draw", "cards": 3, "pack": 32, "whole_pack": True, "max_rounds": 20, "flush_only": True}
REFUSED: dict[str, list[Any]] = {  # the refusal names the first option given, and the words
    "nap": [
        *[(players, {}, f"{players} players: nap is for 2 to 6") for players in (-1, 0, 7, 52)],
        (1, {}, "1 player: nap is for 2 to 6"),
        (6, {"dealer_out": "no"}, "6 players"),
        (2, {"dealer_out": "yes"}, "2 players"),
        (4, {"buying": True}, "kitty"),
        (4, {"spare_hand": True, "cards": 6}, "cards = 6"),
        (4, {"spare_hand": True, "cards": 7}, "cards = 7"),
        (4, {"nap_alter": True}, "wellington"),
        (4, {"min_call": 2}, "double_header"),
        (4, {"min_call": 5, "double_header": True}, "cards = 5"),
        (5, {"min_call": 9, "double_header": True, "cards": 9}, "cards = 9"),
        (5, {"pack": "32"}, "5 players"),
        (4, {"pack": "32", "cards": 9}, "cards = 9 for 4 hands"),
        (3, {"pack": "32", "cards": 9, "spare_hand": True}, "cards = 9 for 3 hands and spare_hand"),
        (5, {"cards": 9, "spare_hand": True}, "5 hands and spare_hand"),
        *[
            (4, {"double_header_cap": n, "double_header": True}, f"a higher power of two, not {n}")
            for n in (0, 1, 3, 6, 12)
        ],
    ],
    "straight-poker": [(5, {"freeze_out": True}, "stakes"), (5, {"stack": 100}, "stakes")],
    "stud-poker": [
        *[(5, {"freeze_out": True}, "stakes"), (5, {"stack": 100}, "stakes"), (5, {"pass_excluded": True}, "form")],
        (5, {"may_check": True, "form": "five"}, "form"),
    ],
    "brag": [
        *[(4, {"stake": 2}, "single"), (4, {"third_draw": True}, "single")],
        (4, {"stake": 2, "variant": "american"}, "american"),
    ],
    "bouillotte": [(4, {"blind": 101}, "cave"), (4, {"blind": 11, "cave": 10}, "cave")],
    "ambigu": [(4, {"reserve": 5}, "stacks = false"), (4, {"stacks": 20, "reserve": 20}, "nothing could be bet")],
    "draw-poker": [
        (5, {"pass_jack": True, "jacks": False}, "pass_jack = true with jacks = false"),
        (5, {"only_two_in": "older", "jacks": False}, "only_two_in = older with jacks = false"),
        (5, {"kitty": True, "rules": "english", "stakes": "law60"}, 'kitty = true with stakes = "law60"'),
        *[(5, {key: value}, "false_openers = ") for key, value in (("barred", 2), ("after_draw", "whole"))],
    ],
    "flat-poker": [
        (4, {"mode": "both"}, "field, show"),
        (4, {"pack": "60"}, "no option"),
        (4, {"joker": True}, "no option"),
    ],
    "show-down-poker": [(4, {"limit": 5}, "no option"), (4, {"pack": "60"}, "no option")],
    "newmarket": [
        (5, {"layout": "As Kc Qh Ts"}, "an ace, a king, a queen and a knave, one of each suit, not 'As Kc Qh Ts'"),
        *[(5, {"layout": layout}, "one of each suit") for layout in ("As Kc Qh Js", "As Ac Qh Jd", "As Kc Qh")],
        (5, {"later": "none"}, "all, dealer"),
    ],
    "jig": [(4, {"pool": "all"}, "none, each, dealer")],
    "snip-snap-snorum": [
        (5, {"turn_up": "dealer", "variant": "whole"}, 'variant = "whole"'),
        (5, {"turn_up": "pool", "variant": "unlimited"}, 'variant = "unlimited"'),
        (7, {"pack": 32}, "7 players"),
        (5, {"pack": 51}, "52, 32"),
    ],
    "loto": [
        (2, {"caller": "dealer"}, "2 players"),
        *[(4, {"method": 3}, "1, 2"), (4, {"final_drawings": 0}, "1 to 100")],
        (2, {"caller": "dealer", "method": 2}, "method = 2: it belongs to method = 1"),
        (2, {"stake": 4, "method": 2}, "method = 2: it belongs to method = 1"),
        (24, {"put_away": True}, "method = 1: it belongs to method = 2"),
        (24, {"card_stake": 60}, "method = 1: it belongs to method = 2"),
    ],
    "my-bird-sings": [
        *[(5, {key: value, "variant": "ship"}, "ship") for key, value in OF_THE_BIRD.items()],
        (5, {"flush_only": False, "cards": 3}, "cards = 3"),
        (9, {"pack": 32}, "9 players"),
        (13, {"variant": "ship"}, "13 players"),
    ],
    "loo": [
        (2, {"dealer_out": True}, "2 players"),
        (7, {"variant": "five-card"}, "7 players"),
        *[(5, {"pam": "clubs"}, "variant"), (5, {"pam": "trumps", "variant": "irish"}, "irish")],
        *[(5, {"pam_civil": True}, "variant"), (5, {"miss_leads": True, "variant": "irish"}, "irish")],
        *[(5, {"loo_limit": 20}, "loo_mode"), (5, {"loo": 6, "loo_mode": "unlimited"}, "loo_mode")],
        (10, {"pack": "32"}, "10 players"),
    ],
    "spoil-five": [
        *[(players, {"partners": True}, f"{players} players") for players in (2, 5)],
        (4, {"fiving": True}, "4 players"),
        (4, {"jinking": True, "game": "25"}, 'game = "25"'),
        (4, {"tricks_to_win": 2, "game": "45"}, 'game = "45"'),
        (4, {"spoil_stake": 1, "game": "25"}, 'game = "25"'),
        *[(2, {"tricks_to_win": 2}, "2 players"), (4, {"tricks_to_win": 2, "partners": True}, "partners")],
        (4, {"spoil_stake": 2, "stake": 1}, "stake = 1"),
    ],
    "solo-whist": [(4, {"general_stake": 4}, "all_pass"), (4, {"slam_double": True, "overtrick": 0}, "overtrick = 0")],
    "whiskey-poker": [
        *[
            (4, {"ante": 1, "mode": "lives"}, "lives"),
            (4, {"whiskey": 2, "mode": "pool"}, "pool"),
            (10, {}, "10 players"),
        ],
    ],
    "thirty-one": [(17, {}, "17 players")],
    "commerce": [
        *[(5, {"extended": True, "variant": "old"}, "old"), (5, {"continuous": True, "variant": "foster"}, "foster")],
        *[(5, {"combos": "no-pair", "variant": variant}, variant) for variant in ("foster", "foster-widow")],
        (5, {"dealer_penalty": "all", "variant": "pool"}, "pool"),
        (5, {"dealer_penalty": "better", "variant": "foster"}, "foster"),
        *[(5, {"entry": 9}, "modern"), (5, {"extra": True}, "modern"), (5, {"prize": 2, "variant": "old"}, "old")],
        (5, {"horse": "half", "variant": "foster-widow"}, "foster-widow"),
        *[(5, {"game": "freeze", "variant": "pool"}, "pool"), (5, {"whiskey": 2, "variant": "foster"}, "foster")],
        (5, {"whiskey": 1, "variant": "foster-widow", "game": "freeze"}, "freeze"),
        *[(5, {"stake": 1, "variant": variant}, variant) for variant in ("pool", "foster-widow")],
        *[(5, {"pack": 32, "variant": variant}, variant) for variant in ("foster", "foster-widow")],
        (8, {"pack": 32}, "8 players"),
        (5, {"entry": 10, "variant": "pool"}, "third"),
        (5, {"entry": 9, "variant": "pool", "horse": "half"}, "half"),
    ],
    "cassino": [
        *[(3, {"pack": 32}, "pack = 32 with 3 players"), (5, {}, "5 players: cassino is for 2 to 4")],
        *[(players, {"netting": "two-lowest"}, f'two-lowest" with {players} players') for players in (2, 4)],
        (4, {"netting": "two-lowest", "partners": False}, "4 players"),
    ],
    "speculation": [(7, {"pack": 32}, "7 players"), (10, {"pack": 32}, "10 players")],
}
TAKEN: dict[str, list[Any]] = {
    "nap": [
        *[(6, {"dealer_out": "yes"}), (3, {"dealer_out": "yes"}), (5, {"dealer_out": "no"})],
        *[(4, {"buying": True, "kitty": "round"}), (4, {"spare_hand": True, "cards": 9}), (6, {"cards": 9})],
        (4, {"blucher": True, "nap_alter": True, "wellington": "modified"}),
        *[(4, {"min_call": 1}), (4, {"min_call": 4, "double_header": True})],
        (3, {"min_call": 8, "double_header": True, "cards": 9}),
        *[(4, {"pack": "32", "cards": 7}), (3, {"pack": "32", "cards": 9}), (4, {"pack": "32", "spare_hand": True})],
        (4, {"pack": "32", "cards": 9, "dealer_out": "yes"}),
        (5, {"cards": 9, "dealer_out": "yes", "spare_hand": True}),
        (4, {"double_header_cap": 1024, "double_header": True}),
    ],
    "bouillotte": [(2, {"cave": 10, "blind": 10})],
    "newmarket": [(3, {"layout": "Jh As Qc Kd", "stake": 100, "later": "dealer"})],
    "spin": [(10, {"spin_stake": 0, "king_stake": 0, "dealer_game": True})],
    "jig": [(2, {"pool_stake": 2})],  # with no pool it has no meaning, and does no harm
    "snip-snap-snorum": [
        (6, {"pack": "32", "variant": "whole", "turn_up": "off"}),
        (10, {"turn_up": "pool", "lives": 100}),
    ],
    "loto": [(3, {"caller": "dealer"}), (24, {"method": 2}), (24, {"max_cards": 12, "put_away": False})],
    "my-bird-sings": [
        *[(13, {}), (8, {"pack": 32}), (12, {"variant": "ship", "pack": 52, "ship_rounds": 10})],
        (13, {"cards": 3, "flush_only": True, "whole_pack": True, "method": "draw", "max_rounds": 200}),
    ],
    "whiskey-poker": [
        (9, {"mode": "lives", "lives": 20, "whiskey": 100}),
        (2, {"knock_turns_widow": True, "whole_exchange": False, "pass_open": True, "ante": 100}),
    ],
    "thirty-one": [(16, {"ties": "elder", "triplets": False, "ante": 100, "max_rounds": 100})],
    "commerce": [
        (12, {"combos": "no-flush-pair", "dealer_penalty": "all", "extended": True, "continuous": True}),
        (7, {"pack": "32", "variant": "pool", "entry": 10, "horse": "half", "prize": 0, "lives": 1}),
        (7, {"variant": "pool", "entry": 7, "horse": "none", "combos": "no-pair"}),
        (5, {"variant": "old", "stake": 100, "dealer_penalty": "better", "combos": "no-pair", "pack": "32"}),
        (12, {"variant": "foster", "extra": True, "stake": 2}),
        (2, {"variant": "foster-widow", "extra": True, "lives": 20, "game": "freeze"}),
    ],
    "cassino": [(2, {"pack": 32, "netting": "lowest"})],
    "speculation": [*[(players, {"spare_hand": True}) for players in (7, 10)], (6, {"pack": 32, "spare_hand": True})],
}
BOUNDS: dict[str, dict[str, tuple[int, int]]] = {
    "ambigu": {"blind": (1, 100), "ante": (1, 100), "refusal": (0, 100), "limit": (1, 1000), "max_raises": (0, 100)},
    "flat-poker": {"limit": (1, 100000)},
    "show-down-poker": {"ante": (1, 1000)},
    "spin": {"stake": (1, 100), "spin_stake": (0, 100), "king_stake": (0, 100)},
    "jig": {"pool_stake": (1, 100)},
    "snip-snap-snorum": {"lives": (1, 100)},
    "loto": {"max_cards": (1, 12)},
    "speculation": {"ante": (1, 100), "penalty": (0, 100), "max_bid": (1, 10000)},
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_contradiction_is_refused_with_both_sides(name: str) -> None:
    for players, given, words in REFUSED[name]:
        (problem,) = problems(players, games.find(name), **given)
        assert words in problem and next(iter(given), "") in problem, (given, problem)


@pytest.mark.parametrize("name", TAKEN)
def test_options_that_fit_together_are_taken(name: str) -> None:
    for players, given in TAKEN[name]:
        options = games.find(name).rules_for(players, given).options
        assert {key: str(getattr(options, key)) for key in given} == {key: str(value) for key, value in given.items()}


def test_numbers_have_bounds() -> None:
    for name, bounds in BOUNDS.items():
        game = games.find(name)
        for key, (low, high) in bounds.items():
            for value in low, high:
                assert getattr(game.rules_for(4, {key: value}), key) == value
            for value in low - 1, high + 1:
                words = f"{key} must be a whole number from {low} to {high}, not {value}"
                assert problems(4, game, **{key: value}) == [words]


def test_defaults_are_those_of_the_sheets() -> None:
    assert Nap.rules_for(4).options._asdict() == {
        **{"stake": 1, "pack": "52", "cards": 5, "dealer_out": "auto"},
        **{"misery": False, "misery_trumps": True, "misery_stake": 3},
        **{"kitty": "off", "kitty_stake": 1, "kitty_end": "divide", "buying": False, "spare_hand": False},
        **{"double_header": False, "double_header_cap": 2, "min_call": 1},
        **{"wellington": "off", "blucher": False, "nap_alter": False},
    }
    assert getattr(Nap.rules_for(4, {"double_header": True}), "min_call") == 3  # noqa: B009
    ambigu = {"blind": 1, "ante": 2, "refusal": 2, "limit": 10, "stacks": False, "reserve": 0, "max_raises": 12}
    assert games.find("ambigu").rules_for(4).options._asdict() == ambigu
    assert games.find("bouillotte").rules_for(2, {"cave": 10, "blind": 10}).options == (10, 10, True, 5, True, "same")
    assert games.find("my-bird-sings").rules_for(5).options == ("bird", "52", 1, "throw", 4, False, False, 20, 2)
    small = games.find("speculation").rules_for(6, {"pack": 32, "spare_hand": True})
    assert small.options == ("32", 1, "next", False, True, 0, 100)


@pytest.mark.parametrize("name", games.names())
def test_every_option_says_what_it_does_and_takes_its_own_default(name: str) -> None:
    """And a table has no fewer or more players than the game is for."""
    game = games.find(name)
    for players in game.usual:
        rules = game.rules_for(players)
        for each in game.options:
            assert each.help.strip() and each.default_text().strip() and str(each.values).strip()
            assert each.read(getattr(rules.options, each.key)) == getattr(rules.options, each.key)
    assert len({option.key for option in game.options}) == len(game.options)
    for players in game.seats[0] - 1, game.seats[1] + 1:
        words = f"{players} player{'s' * (players != 1)}: "
        assert any(problem.startswith(words) for problem in problems(players, game))


@pytest.mark.parametrize(
    ("game", "without"), [("straight-poker", {"pack"}), ("stud-poker", {"pack", "joker", "joker_as", "joker_tie"})]
)
def test_straight_and_stud_poker_have_the_options_of_the_ranking_without_these(game: str, without: set[str]) -> None:
    keys = {"ace", "straight_flush", "suits", "two_pair_odd", "inverted", "blaze", "skip", "tiger", "round"}
    options = {option.key: option.default for option in games.find(game).options}
    assert keys <= options.keys() and not without & options.keys()
    assert not options["straight_flush"] and {options["suits"], options["blaze"], options["round"]} <= {"none", "off"}


def test_a_layout_may_have_its_four_cards_in_any_order_and_suits() -> None:
    (layout,) = [option.values for option in games.find("newmarket").options if option.key == "layout"]
    assert isinstance(layout, OneOf) and len({*layout.choices}) == len(layout.choices) == 24 * 24
    assert "Kd Jc As Qh" in layout.choices


SENTENCES: list[tuple[str, int, dict[str, Any], str]] = [
    ("nap", 4, {"blucher": True}, 'blucher = true with wellington = "off": it is called over Wellington'),
    ("loo", 5, {"flush": True}, 'flush = true with variant = "three-card": flushes are of five-card and Irish loo'),
    (
        "spoil-five",
        4,
        {"jinking": True, "partners": True},
        "jinking = true with partners = true: it is for a seat alone",
    ),
    ("draw-poker", 5, {"stakes": "law60"}, 'stakes = "law60" with rules = "american": it belongs to english'),
    ("draw-poker", 5, {"rules": "english", "buck": True}, 'buck with rules = "english": it belongs to american'),
    ("draw-poker", 5, {"pack": 60, "joker": True}, 'pack = "60" with joker = true: the joker goes with the pack of 52'),
    (
        "brag",
        4,
        {"variant": "american", "third_draw": True},
        'third_draw with variant = "american": it belongs to three',
    ),
    ("brag", 4, {"variant": "three", "white": 2}, 'white with variant = "three": it belongs to single, american'),
    ("whiskey-poker", 4, {"lives": 5}, 'lives with mode = "pool": it belongs to lives'),
    ("commerce", 5, {"lives": 3}, 'lives with variant = "modern": it belongs to pool, foster-widow'),
    ("my-bird-sings", 5, {"ship_rounds": 2}, 'ship_rounds with variant = "bird": it belongs to ship'),
    ("cassino", 3, {"pack": 32}, "pack = 32 with 3 players: it is for two or four"),
    ("cassino", 2, {"target": 7}, 'target with score = "points": it belongs to game'),
    ("vingt-un", 4, {"hands": 4}, 'hands with deal_ends = "natural": it belongs to hands'),
    ("vingt-un", 4, {"deal_ends": "hands", "times": 2}, 'times with deal_ends = "hands": it belongs to pack'),
    ("vingt-un", 4, {"min_stake": 20}, "min_stake = 20 with max_stake = 10: the lowest is above the highest"),
]


def test_a_refusal_gives_its_reason() -> None:
    assert [problems(players, games.find(game), **given) for game, players, given, _ in SENTENCES] == [
        [sentence] for *_, sentence in SENTENCES
    ]


@pytest.mark.parametrize(
    ("players", "given", "sides"),
    [
        (2, {"pack": 32, "netting": "lowest"}, None),
        (3, {"netting": "two-lowest", "partners": True}, None),
        (4, {"pack": 32, "netting": "lowest"}, [0, 1, 0, 1]),
        (4, {"partners": False}, None),
    ],
)
def test_cassino_has_partners_only_among_four(players: int, given: dict[str, Any], sides: object) -> None:
    assert games.find("cassino").rules_for(players, given).sides == sides
