"""Options are checked whole: every mistake is named, and everything that contradicts itself names both sides."""

from __future__ import annotations

from typing import Any, Literal

import pytest

from roundsim import games
from roundsim.errors import OptionError, UnknownGameError
from roundsim.games.nap import Nap, NapRules
from roundsim.table.deal import Deal
from roundsim.table.options import Rules, option
from roundsim.values import OneOf, Whole


def problems(players: int, game: type[Deal] = Nap, **given: object) -> list[str]:
    with pytest.raises(OptionError) as caught:
        game.rules_for(players, given)
    assert str(caught.value) == "; ".join(caught.value.problems)
    return caught.value.problems


class Toy(Deal):
    """Nothing but options."""

    id = "toy"
    seats = (2, 3)


class ToyRules(Rules, of=Toy):
    few: int = option(2, "a number in a range", "ours", high=4)
    many: int = option(1, "a number without end", "ours", low=0)
    even: int = option(2, "not every number", "ours", values=Whole(2, but=lambda n: n % 2 == 0, words="an even number"))
    sure: bool = option(False, "yes or no", "ours")
    pack: Literal["52", "32", "none"] = option("52", "words and numbers", "ours")
    tricks: Literal[5, 9] = option(5, "numbers", "ours")
    lowest: int = option(lambda rules: 3 if rules.sure else 1, "depends", "ours", usual="3 with sure, else 1")


def toy(players: int, **given: object) -> ToyRules:
    rules = Toy.rules_for(players, given)
    assert isinstance(rules, ToyRules)
    return rules


def test_defaults_are_filled_in_and_may_depend_on_what_was_given() -> None:
    rules = toy(2)
    assert rules.options == (2, 1, 2, False, "52", 5, 1) and rules.options.lowest == rules.lowest == 1
    assert (rules.players, rules.given) == (2, frozenset())
    rules = toy(3, sure=True, few=4)
    assert rules.options == (4, 1, 2, True, "52", 5, 3) and rules.given == {"sure", "few"}
    assert toy(3, sure=True, lowest=2).lowest == 2
    with pytest.raises(AttributeError):
        rules.options.few = 1


def test_a_default_is_reported_in_words() -> None:
    told = {option.key: option.default_in_words() for option in Toy.options}
    assert told == {
        "few": "2",
        "many": "1",
        "even": "2",
        "sure": "false",
        "pack": "52",
        "tricks": "5",
        "lowest": "3 with sure, else 1",
    }


@pytest.mark.parametrize(
    ("key", "value", "read"),
    [
        ("few", 1, 1),
        ("few", 4, 4),
        ("many", 0, 0),
        ("many", 10**6, 10**6),
        ("even", 64, 64),
        ("sure", True, True),
        ("pack", "32", "32"),
        ("pack", 32, "32"),
        ("pack", "none", "none"),
        ("tricks", 9, 9),
        ("tricks", "9", 9),
    ],
)
def test_values_that_are_read(key: str, value: object, read: object) -> None:
    found = getattr(Toy.rules_for(2, {key: value}), key)
    assert (found, type(found)) == (read, type(read))


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("few", 0, "few must be a whole number from 1 to 4, not 0"),
        ("few", 5, "few must be a whole number from 1 to 4, not 5"),
        ("few", True, "few must be a whole number from 1 to 4, not True"),
        ("few", 2.0, "few must be a whole number from 1 to 4, not 2.0"),
        ("few", "2", "few must be a whole number from 1 to 4, not '2'"),
        ("few", None, "few must be a whole number from 1 to 4, not None"),
        ("many", -1, "many must be a whole number from 0 to 1000000, not -1"),
        ("even", 3, "even must be an even number, not 3"),
        ("even", 0, "even must be an even number, not 0"),
        ("sure", 1, "sure must be true or false, not 1"),
        ("sure", "true", "sure must be true or false, not 'true'"),
        ("pack", "nine", "pack must be one of 52, 32, none, not 'nine' (did you mean none?)"),
        ("pack", 51, "pack must be one of 52, 32, none, not 51 (did you mean 52?)"),
        ("pack", [], "pack must be one of 52, 32, none, not []"),
        ("tricks", True, "tricks must be one of 5, 9, not True"),
        ("tricks", 7, "tricks must be one of 5, 9, not 7"),
    ],
)
def test_values_that_are_refused(key: str, value: object, words: str) -> None:
    assert problems(2, Toy, **{key: value}) == [words]


def test_a_misspelt_option_is_recognised() -> None:
    assert problems(4, miserie=True) == ["nap has no option miserie (did you mean misery?)"]
    assert problems(4, wellingtn="full") == ["nap has no option wellingtn (did you mean wellington?)"]
    assert problems(4, xyzzy=1) == ["nap has no option xyzzy"]


def test_everything_that_is_wrong_is_reported_at_once() -> None:
    found = problems(7, miserie=True, stake=0, pack="53", kitty="dealer")
    assert found == [
        "nap has no option miserie (did you mean misery?)",
        "stake must be a whole number from 1 to 1000000, not 0",
        "pack must be one of 52, 32, not '53' (did you mean 52?)",
        "7 players: nap is for 2 to 6",
    ]


@pytest.mark.parametrize("players", [-1, 0, 1, 7, 52])
def test_nap_is_for_two_to_six(players: int) -> None:
    assert problems(players) == [f"{players} player{'s' * (players != 1)}: nap is for 2 to 6"]


@pytest.mark.parametrize(
    ("players", "given", "named"),
    [
        (6, {"dealer_out": "no"}, ["dealer_out", "6 players"]),
        (2, {"dealer_out": "yes"}, ["dealer_out", "2 players"]),
        (4, {"buying": True}, ["buying", "kitty"]),
        (4, {"spare_hand": True, "cards": 6}, ["spare_hand", "cards"]),
        (4, {"spare_hand": True, "cards": 7}, ["spare_hand", "cards"]),
        (4, {"blucher": True}, ["blucher", "wellington"]),
        (4, {"nap_alter": True}, ["nap_alter", "wellington"]),
        (4, {"min_call": 2}, ["min_call", "double_header"]),
        (4, {"min_call": 5, "double_header": True}, ["min_call", "cards"]),
        (5, {"min_call": 9, "double_header": True, "cards": 9}, ["min_call", "cards"]),
        (5, {"pack": "32"}, ["pack", "5 players"]),
        (6, {"pack": "32"}, ["pack", "6 players"]),
        (4, {"pack": "32", "cards": 9}, ["pack", "cards"]),
        (3, {"pack": "32", "cards": 9, "spare_hand": True}, ["pack", "cards", "spare_hand"]),
        (5, {"cards": 9, "spare_hand": True}, ["cards", "spare_hand"]),
    ],
)
def test_nap_refuses_what_contradicts_itself_and_names_both(
    players: int, given: dict[str, Any], named: list[str]
) -> None:
    found = problems(players, **given)
    assert any(all(name in problem for name in named) for problem in found), found


@pytest.mark.parametrize(
    ("players", "given"),
    [
        (6, {}),
        (6, {"dealer_out": "yes"}),
        (3, {"dealer_out": "yes"}),
        (5, {"dealer_out": "no"}),
        (4, {"buying": True, "kitty": "round"}),
        (4, {"spare_hand": True, "cards": 9}),
        (5, {"cards": 9}),
        (6, {"cards": 9}),
        (4, {"blucher": True, "nap_alter": True, "wellington": "modified"}),
        (4, {"min_call": 1}),
        (4, {"min_call": 4, "double_header": True}),
        (3, {"min_call": 8, "double_header": True, "cards": 9}),
        (4, {"pack": "32", "cards": 7}),
        (3, {"pack": "32", "cards": 9}),
        (4, {"pack": "32", "spare_hand": True}),
        (4, {"pack": "32", "cards": 9, "dealer_out": "yes"}),
        (5, {"cards": 9, "dealer_out": "yes", "spare_hand": True}),
        (4, {"double_header_cap": 1024, "double_header": True}),
    ],
)
def test_nap_takes_what_goes_together(players: int, given: dict[str, Any]) -> None:
    options = Nap.rules_for(players, given).options
    assert {key: getattr(options, key) for key in given} == given


def test_the_defaults_of_nap_are_those_of_its_sheet() -> None:
    assert Nap.rules_for(4).options._asdict() == {
        "stake": 1,
        "pack": "52",
        "cards": 5,
        "dealer_out": "auto",
        "misery": False,
        "misery_trumps": True,
        "misery_stake": 3,
        "kitty": "off",
        "kitty_stake": 1,
        "kitty_end": "divide",
        "buying": False,
        "spare_hand": False,
        "double_header": False,
        "double_header_cap": 2,
        "min_call": 1,
        "wellington": "off",
        "blucher": False,
        "nap_alter": False,
    }
    double = Nap.rules_for(4, {"double_header": True})
    assert isinstance(double, NapRules) and double.min_call == 3


@pytest.mark.parametrize("value", [0, 1, 3, 6, 12])
def test_a_cap_is_a_power_of_two(value: int) -> None:
    assert problems(4, double_header=True, double_header_cap=value) == [
        f"double_header_cap must be 2, 4, 8 or a higher power of two, not {value}"
    ]


@pytest.mark.parametrize("name", games.names())
def test_every_option_says_what_it_does_and_takes_its_own_default(name: str) -> None:
    game = games.find(name)
    for players in game.usual:
        rules = game.rules_for(players)
        for each in game.options:
            assert each.help.strip() and each.default_in_words().strip() and str(each.values).strip()
            assert each.read(getattr(rules.options, each.key)) == getattr(rules.options, each.key)
    assert len({option.key for option in game.options}) == len(game.options)


@pytest.mark.parametrize("name", games.names())
def test_too_few_and_too_many_players_are_refused(name: str) -> None:
    low, high = games.find(name).seats
    for players in low - 1, high + 1:
        words = f"{players} player{'s' * (players != 1)}: "
        assert any(problem.startswith(words) for problem in problems(players, games.find(name)))


@pytest.mark.parametrize(
    ("game", "given", "named"),
    [
        ("straight-poker", {"freeze_out": True}, ["freeze_out", "stakes"]),
        ("straight-poker", {"stack": 100}, ["stack = 100", "stakes"]),
        ("stud-poker", {"freeze_out": True}, ["freeze_out", "stakes"]),
        ("stud-poker", {"stack": 100}, ["stack = 100", "stakes"]),
        ("stud-poker", {"form": "five", "may_check": True}, ["may_check", "form"]),
        ("stud-poker", {"pass_excluded": True}, ["pass_excluded", "form"]),
    ],
)
def test_straight_and_stud_poker_refuse_what_contradicts_itself(
    game: str, given: dict[str, Any], named: list[str]
) -> None:
    (problem,) = problems(5, games.find(game), **given)
    assert all(name in problem for name in named)


@pytest.mark.parametrize(
    ("game", "without"),
    [("straight-poker", {"pack"}), ("stud-poker", {"pack", "joker", "joker_as", "joker_tie"})],
)
def test_straight_and_stud_poker_have_the_options_of_the_ranking_but_for_these(game: str, without: set[str]) -> None:
    keys = {"ace", "straight_flush", "suits", "two_pair_odd", "inverted", "blaze", "skip", "tiger", "round"}
    options = {option.key: option.default for option in games.find(game).options}
    assert keys <= options.keys() and not without & options.keys()
    assert not options["straight_flush"] and {options["suits"], options["blaze"], options["round"]} <= {"none", "off"}


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"stake": 2}, ["stake", "single"]),
        ({"third_draw": True}, ["third_draw", "single"]),
        ({"variant": "american", "stake": 2}, ["stake", "american"]),
        ({"variant": "american", "third_draw": True}, ["third_draw", "american"]),
        ({"variant": "three", "white": 2}, ["white", "three"]),
    ],
)
def test_brag_refuses_what_belongs_to_another_variant(given: dict[str, Any], named: list[str]) -> None:
    (problem,) = problems(4, games.find("brag"), **given)
    assert all(name in problem for name in named)


def test_a_stake_at_bouillotte_must_hold_a_blind() -> None:
    game = games.find("bouillotte")
    for given in {"blind": 101}, {"cave": 10, "blind": 11}:
        (problem,) = problems(4, game, **given)
        assert f"blind = {given['blind']}" in problem and "cave" in problem
    assert game.rules_for(2, {"cave": 10, "blind": 10}).options == (10, 10, True, 5, True)


def test_the_options_of_ambigu_and_their_bounds() -> None:
    game = games.find("ambigu")
    assert game.rules_for(4).options._asdict() == {"blind": 1, "ante": 2, "refusal": 2, "limit": 10, "max_raises": 12}
    for key, low, high in [
        ("blind", 1, 100),
        ("ante", 1, 100),
        ("refusal", 0, 100),
        ("limit", 1, 1000),
        ("max_raises", 0, 100),
    ]:
        for value in low, high:
            assert getattr(game.rules_for(6, {key: value}), key) == value
        for value in low - 1, high + 1:
            (problem,) = problems(4, game, **{key: value})
            assert key in problem


@pytest.mark.parametrize(
    ("game", "given"),
    [
        ("flat-poker", {"limit": 0}),
        ("flat-poker", {"limit": 100001}),
        ("flat-poker", {"mode": "both"}),
        ("flat-poker", {"pack": "60"}),
        ("flat-poker", {"joker": True}),
        ("show-down-poker", {"ante": 0}),
        ("show-down-poker", {"ante": 1001}),
        ("show-down-poker", {"limit": 5}),
        ("show-down-poker", {"pack": "60"}),
    ],
)
def test_flat_and_show_down_poker_refuse_only_what_they_do_not_have(game: str, given: dict[str, Any]) -> None:
    (problem,) = problems(4, games.find(game), **given)
    assert next(iter(given)) in problem


@pytest.mark.parametrize(
    ("game", "players", "given", "named"),
    [
        ("newmarket", 5, {"layout": "As Kc Qh Ts"}, ["layout", "an ace, a king, a queen and a knave", "Ts"]),
        ("newmarket", 5, {"layout": "As Kc Qh Js"}, ["layout", "one of each suit"]),
        ("newmarket", 5, {"layout": "As Ac Qh Jd"}, ["layout"]),
        ("newmarket", 5, {"layout": "As Kc Qh"}, ["layout"]),
        ("newmarket", 5, {"later": "none"}, ["later", "all, dealer"]),
        ("spin", 4, {"stake": 0}, ["stake", "1 to 100"]),
        ("spin", 4, {"spin_stake": 101}, ["spin_stake", "0 to 100"]),
        ("spin", 4, {"king_stake": -1}, ["king_stake", "0 to 100"]),
        ("jig", 4, {"pool": "all"}, ["pool", "none, each, dealer"]),
        ("jig", 4, {"pool_stake": 101}, ["pool_stake", "1 to 100"]),
        ("snip-snap-snorum", 5, {"turn_up": "dealer", "variant": "whole"}, ["turn_up", "variant", "whole"]),
        ("snip-snap-snorum", 5, {"turn_up": "pool", "variant": "unlimited"}, ["turn_up", "variant", "unlimited"]),
        ("snip-snap-snorum", 7, {"pack": 32}, ["pack", "7 players"]),
        ("snip-snap-snorum", 5, {"pack": 51}, ["pack", "52, 32"]),
        ("snip-snap-snorum", 5, {"lives": 0}, ["lives", "1 to 100"]),
        ("loto", 2, {"caller": "dealer"}, ["caller", "2 players"]),
        ("loto", 4, {"method": 3}, ["method", "1, 2"]),
        ("loto", 4, {"max_cards": 13}, ["max_cards", "1 to 12"]),
        ("loto", 4, {"final_drawings": 0}, ["final_drawings", "1 to 100"]),
        ("loto", 2, {"method": 2, "caller": "dealer"}, ["caller", "method = 2", "it belongs to method = 1"]),
        ("loto", 2, {"method": 2, "stake": 4}, ["stake", "method = 2", "it belongs to method = 1"]),
        ("loto", 24, {"put_away": True}, ["put_away", "method = 1", "it belongs to method = 2"]),
        ("loto", 24, {"card_stake": 60}, ["card_stake", "method = 1", "it belongs to method = 2"]),
    ],
)
def test_stops_and_loto_refuse_what_they_have_not_and_what_contradicts_itself(
    game: str, players: int, given: dict[str, Any], named: list[str]
) -> None:
    (problem,) = problems(players, games.find(game), **given)
    assert all(name in problem for name in named), problem


@pytest.mark.parametrize(
    ("game", "players", "given"),
    [
        ("newmarket", 3, {"layout": "Jh As Qc Kd", "stake": 100, "later": "dealer"}),
        ("spin", 10, {"spin_stake": 0, "king_stake": 0, "dealer_game": True}),
        ("jig", 2, {"pool_stake": 2}),  # with no pool it has no meaning, and does no harm
        ("snip-snap-snorum", 6, {"pack": "32", "variant": "whole", "turn_up": "off"}),
        ("snip-snap-snorum", 10, {"turn_up": "pool", "lives": 100}),
        ("loto", 3, {"caller": "dealer"}),
        ("loto", 24, {"method": 2}),
        ("loto", 24, {"max_cards": 12, "put_away": False}),
    ],
)
def test_stops_and_loto_take_what_goes_together(game: str, players: int, given: dict[str, Any]) -> None:
    options = games.find(game).rules_for(players, given).options
    assert {key: str(getattr(options, key)) for key in given} == {key: str(value) for key, value in given.items()}


def test_a_layout_may_have_its_four_cards_in_any_order_and_suits() -> None:
    (layout,) = [option.values for option in games.find("newmarket").options if option.key == "layout"]
    assert isinstance(layout, OneOf) and len({*layout.choices}) == len(layout.choices) == 24 * 24
    assert "Kd Jc As Qh" in layout.choices


@pytest.mark.parametrize(
    ("players", "given", "named"),
    [
        (5, {"variant": "ship", "method": "draw"}, ["method", "ship"]),
        (5, {"variant": "ship", "cards": 3}, ["cards", "ship"]),
        (5, {"variant": "ship", "flush_only": True}, ["flush_only", "ship"]),
        (5, {"variant": "ship", "whole_pack": True}, ["whole_pack", "ship"]),
        (5, {"variant": "ship", "max_rounds": 20}, ["max_rounds", "ship"]),
        (5, {"variant": "ship", "pack": 32}, ["pack", "ship"]),
        (5, {"ship_rounds": 2}, ["ship_rounds", "bird"]),
        (5, {"cards": 3, "flush_only": False}, ["flush_only", "cards = 3"]),
        (9, {"pack": 32}, ["pack", "9 players"]),
        (13, {"variant": "ship"}, ["ship", "13 players"]),
    ],
)
def test_my_bird_sings_refuses_what_contradicts_itself(players: int, given: dict[str, Any], named: list[str]) -> None:
    (problem,) = problems(players, games.find("my-bird-sings"), **given)
    assert all(name in problem for name in named)


def test_my_bird_sings_takes_what_goes_together() -> None:
    game = games.find("my-bird-sings")
    assert game.rules_for(5).options == ("bird", "52", 1, "throw", 4, False, False, 20, 2)
    ship = {"variant": "ship", "pack": 52, "ship_rounds": 10}
    many: list[tuple[int, dict[str, Any]]] = [(13, {}), (8, {"pack": 32}), (12, ship)]
    for players, given in many:
        game.rules_for(players, given)
    game.rules_for(13, {"cards": 3, "flush_only": True, "whole_pack": True, "method": "draw", "max_rounds": 200})


@pytest.mark.parametrize(
    ("game", "players", "given", "sentence"),
    [
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
        (
            "draw-poker",
            5,
            {"pack": 60, "joker": True},
            'pack = "60" with joker = true: the joker goes with the pack of 52',
        ),
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
        (
            "vingt-un",
            4,
            {"min_stake": 20},
            "min_stake = 20 with max_stake = 10: the lowest is above the highest",
        ),
    ],
)
def test_a_refusal_names_both_sides_and_the_reason(
    game: str, players: int, given: dict[str, Any], sentence: str
) -> None:
    assert problems(players, games.find(game), **given) == [sentence]


def test_a_game_that_is_not_there() -> None:
    with pytest.raises(UnknownGameError, match="did you mean nap"):
        games.find("napp")


@pytest.mark.parametrize(
    ("game", "players", "given", "named"),
    [
        ("loo", 2, {"dealer_out": True}, ["dealer_out", "2 players"]),
        ("loo", 7, {"variant": "five-card"}, ["five-card", "7 players"]),
        ("loo", 5, {"pam": "clubs"}, ["pam", "variant"]),
        ("loo", 5, {"pam": "trumps", "variant": "irish"}, ["pam", "variant"]),
        ("loo", 5, {"flush": True}, ["flush", "variant"]),
        ("loo", 5, {"pam_civil": True}, ["pam_civil", "variant"]),
        ("loo", 5, {"miss_leads": True, "variant": "irish"}, ["miss_leads", "variant"]),
        ("loo", 5, {"loo_limit": 20}, ["loo_limit", "loo_mode"]),
        ("loo", 5, {"loo": 6, "loo_mode": "unlimited"}, ["loo", "loo_mode"]),
        ("loo", 10, {"pack": "32"}, ["pack", "10 players"]),
        ("spoil-five", 5, {"partners": True}, ["partners", "5 players"]),
        ("spoil-five", 2, {"partners": True}, ["partners", "2 players"]),
        ("spoil-five", 4, {"fiving": True}, ["fiving", "4 players"]),
        ("spoil-five", 4, {"jinking": True, "game": "25"}, ["jinking", "game"]),
        ("spoil-five", 4, {"tricks_to_win": 2, "game": "45"}, ["tricks_to_win", "game"]),
        ("spoil-five", 4, {"spoil_stake": 1, "game": "25"}, ["spoil_stake", "game"]),
        ("spoil-five", 4, {"jinking": True, "partners": True}, ["jinking", "partners"]),
        ("spoil-five", 2, {"tricks_to_win": 2}, ["tricks_to_win", "2 players"]),
        ("spoil-five", 4, {"tricks_to_win": 2, "partners": True}, ["tricks_to_win", "partners"]),
        ("spoil-five", 4, {"stake": 1, "spoil_stake": 2}, ["spoil_stake", "stake"]),
        ("solo-whist", 4, {"general_stake": 4}, ["general_stake", "all_pass"]),
        ("solo-whist", 4, {"slam_double": True, "overtrick": 0}, ["slam_double", "overtrick"]),
    ],
)
def test_the_trick_games_refuse_what_contradicts_itself_and_name_both(
    game: str, players: int, given: dict[str, Any], named: list[str]
) -> None:
    with pytest.raises(OptionError) as caught:
        games.find(game).rules_for(players, given)
    assert any(all(name in problem for name in named) for problem in caught.value.problems), caught.value


@pytest.mark.parametrize(
    ("game", "players", "given", "named"),
    [
        ("whiskey-poker", 4, {"mode": "lives", "ante": 1}, ["ante", "lives"]),
        ("whiskey-poker", 4, {"lives": 5}, ["lives", "mode"]),
        ("whiskey-poker", 4, {"whiskey": 2, "mode": "pool"}, ["whiskey", "mode"]),
        ("whiskey-poker", 10, {}, ["10 players"]),
        ("thirty-one", 17, {}, ["17 players"]),
        ("commerce", 5, {"extended": True, "variant": "old"}, ["extended", "old"]),
        ("commerce", 5, {"continuous": True, "variant": "foster"}, ["continuous", "foster"]),
        ("commerce", 5, {"combos": "no-pair", "variant": "foster"}, ["combos", "foster"]),
        ("commerce", 5, {"combos": "no-pair", "variant": "foster-widow"}, ["combos", "foster-widow"]),
        ("commerce", 5, {"dealer_penalty": "all", "variant": "pool"}, ["dealer_penalty", "pool"]),
        ("commerce", 5, {"dealer_penalty": "better", "variant": "foster"}, ["dealer_penalty", "foster"]),
        ("commerce", 5, {"entry": 9}, ["entry", "modern"]),
        ("commerce", 5, {"prize": 2, "variant": "old"}, ["prize", "old"]),
        ("commerce", 5, {"horse": "half", "variant": "foster-widow"}, ["horse", "foster-widow"]),
        ("commerce", 5, {"extra": True}, ["extra", "modern"]),
        ("commerce", 5, {"game": "freeze", "variant": "pool"}, ["game", "pool"]),
        ("commerce", 5, {"whiskey": 2, "variant": "foster"}, ["whiskey", "foster"]),
        ("commerce", 5, {"whiskey": 1, "variant": "foster-widow", "game": "freeze"}, ["whiskey", "freeze"]),
        ("commerce", 5, {"stake": 1, "variant": "pool"}, ["stake", "pool"]),
        ("commerce", 5, {"stake": 2, "variant": "foster-widow"}, ["stake", "foster-widow"]),
        ("commerce", 5, {"lives": 3}, ["lives", "modern"]),
        ("commerce", 5, {"pack": 32, "variant": "foster"}, ["pack", "foster"]),
        ("commerce", 5, {"pack": 32, "variant": "foster-widow"}, ["pack", "foster-widow"]),
        ("commerce", 8, {"pack": 32}, ["pack", "8 players"]),
        ("commerce", 5, {"entry": 10, "variant": "pool"}, ["entry", "third"]),
        ("commerce", 5, {"entry": 9, "variant": "pool", "horse": "half"}, ["entry", "half"]),
    ],
)
def test_the_games_of_exchange_refuse_what_contradicts_itself_and_name_both(
    game: str, players: int, given: dict[str, Any], named: list[str]
) -> None:
    with pytest.raises(OptionError) as caught:
        games.find(game).rules_for(players, given)
    (problem,) = caught.value.problems
    assert all(name in problem for name in named), problem


@pytest.mark.parametrize(
    ("game", "players", "given"),
    [
        ("whiskey-poker", 9, {"mode": "lives", "lives": 20, "whiskey": 100}),
        ("whiskey-poker", 2, {"knock_turns_widow": True, "whole_exchange": False, "pass_open": True, "ante": 100}),
        ("thirty-one", 16, {"ties": "elder", "triplets": False, "ante": 100, "max_rounds": 100}),
        ("commerce", 12, {"combos": "no-flush-pair", "dealer_penalty": "all", "extended": True, "continuous": True}),
        ("commerce", 7, {"pack": "32", "variant": "pool", "entry": 10, "horse": "half", "prize": 0, "lives": 1}),
        ("commerce", 7, {"variant": "pool", "entry": 7, "horse": "none", "combos": "no-pair"}),
        (
            "commerce",
            5,
            {"variant": "old", "stake": 100, "dealer_penalty": "better", "combos": "no-pair", "pack": "32"},
        ),
        ("commerce", 12, {"variant": "foster", "extra": True, "stake": 2}),
        ("commerce", 2, {"variant": "foster-widow", "extra": True, "lives": 20, "game": "freeze"}),
    ],
)
def test_the_games_of_exchange_take_what_goes_together(game: str, players: int, given: dict[str, Any]) -> None:
    options = games.find(game).rules_for(players, given).options
    assert {key: getattr(options, key) for key in given} == given


@pytest.mark.parametrize(
    ("players", "given", "named"),
    [
        (3, {"pack": 32}, ["pack = 32", "3 players"]),
        (2, {"netting": "two-lowest"}, ["two-lowest", "2 players"]),
        (4, {"netting": "two-lowest"}, ["two-lowest", "4 players"]),
        (4, {"netting": "two-lowest", "partners": False}, ["two-lowest", "4 players"]),
        (5, {}, ["5 players", "2 to 4"]),
        (1, {}, ["1 player:", "2 to 4"]),
    ],
)
def test_cassino_refuses_what_contradicts_itself(players: int, given: dict[str, Any], named: list[str]) -> None:
    (problem,) = problems(players, games.find("cassino"), **given)
    assert all(name in problem for name in named), problem


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


@pytest.mark.parametrize("players", [7, 10])
def test_speculation_with_the_small_pack_is_for_six(players: int) -> None:
    game = games.find("speculation")
    (problem,) = problems(players, game, pack=32)
    assert "pack" in problem and f"{players} players" in problem
    assert game.rules_for(players, {"spare_hand": True}).players == players
    assert game.rules_for(6, {"pack": 32, "spare_hand": True}).options == ("32", 1, "next", False, True, 0, 100)


@pytest.mark.parametrize(("key", "low", "high"), [("ante", 1, 100), ("penalty", 0, 100), ("max_bid", 1, 10000)])
def test_the_counters_of_speculation_have_bounds(key: str, low: int, high: int) -> None:
    game = games.find("speculation")
    for value in low, high:
        assert getattr(game.rules_for(5, {key: value}), key) == value
    for value in low - 1, high + 1:
        (problem,) = problems(5, game, **{key: value})
        assert key in problem
