"""`settle`: scripted deals as files and all their keys; differences side by side; other files are foreign."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import Shell, Write
from helpers.command import DEALS

import roundsim
from roundsim.base.errors import ScriptError
from roundsim.replaying.settle import settle
from roundsim.table.cards import PACK

pytestmark = pytest.mark.usefixtures("here")

PLAIN = """
    game = "nap"
    players = 2
    [[deals]]
    pack = "As 2h Ks 3h Qs 4h Js 5h Ts 6h"
    actions = [
        "0 call nap",
        "0 play As", "1 play 2h", "0 play Ks", "1 play 3h",
        "0 play Qs", "1 play 4h", "0 play Js", "1 play 5h",
    ]
    [deals.expect]
    net = [10, -10]
    pool = { pool = 0 }
    carry = { dealer = 0 }
    """


@pytest.mark.soak
def test_the_scripted_deals_of_this_folder(shell: Shell) -> None:
    done = shell("settle", DEALS)
    files = list(DEALS.rglob("*.toml"))
    assert done == (0, f"{len(files)} passed, 0 failed\n", "")


def test_files_by_name_and_folders_and_forced_actions_written_or_left_out(shell: Shell, write: Write) -> None:
    write("a.toml", PLAIN)
    assert shell("settle", "a.toml", "a.toml", "./") == (0, "3 passed, 0 failed\n", "")
    for forced in ('"1 pass"', '"0 play Ts"', '"0 play Ts", "1 play 6h"', '"1 play 6h"'):
        after = '"0 call nap",' if "pass" in forced else '"1 play 5h",'
        assert shell("settle", write("b.toml", PLAIN.replace(after, f"{after} {forced},"))).code == 0, forced


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (("net = [10, -10]", "net = [9, -9]"), ["expected  net = [9, -9]", "found     net = [10, -10]"]),
        (("pool = 0", "pool = 3"), ["expected  pool.pool = 3", "found     pool.pool = 0"]),
        (("dealer = 0", "dealer = 1"), ["expected  carry.dealer = 1", "found     carry.dealer = 0"]),
        (('"0 call nap"', '"0 call 9"'), ["expected  0 call 9", "found     refused: "]),
        (('"0 play Ks"', '"0 play 2h"'), ["expected  0 play 2h", "found     refused: "]),
        (('"1 play 5h",', '"1 play 5h", "1 play 9h",'), ["expected  1 play 9h", "found     "]),
        (('"1 play 5h",', '"0 play Ts", "1 play 6h", "0 pass",'), ["expected  0 play Ts", "found     "]),
        (
            ('"1 play 5h",', '"1 play 5h", "0 play Ts", "1 play 6h", "0 pass",'),
            ["expected  0 pass", "found     the deal is over"],
        ),
        (('"0 play Js", "1 play 5h",', ""), ["expected  no more questions", "found     seat 0 is asked (phase play)"]),
        (('"0 call nap"', '"1 call nap"'), ["expected  1 call nap", "found     seat 0 is asked (phase call)"]),
    ],
    ids=lambda change: change[1] if isinstance(change, tuple) else "",
)
def test_a_difference_is_shown_side_by_side_with_the_deal_up_to_there(
    change: tuple[str, str], found: list[str], shell: Shell, write: Write
) -> None:
    assert change[0] in PLAIN
    done = shell("settle", write("plain.toml", PLAIN.replace(*change)))
    lines = done.out.splitlines()
    assert done.code == 1 and not done.err
    assert lines[0].endswith("plain.toml: deal 1") and lines[-1] == "0 passed, 1 failed"
    assert lines[1] == f"  {found[0]}" and lines[2].startswith(f"  {found[1]}")
    printed = "\n".join(lines[3:])
    assert "Nap · 2 seats · dealer 1" in printed and "hand 0   As Ks Qs Js Ts" in printed
    assert "hand 1   2h 3h 4h 5h 6h" in printed
    if "call nap" in change[1] or "call 9" in change[1]:
        assert "seat 0  call      is asked: pass" in printed
    else:
        assert "   1  seat 0  call      call nap" in printed


def test_all_differences_of_a_deal_are_reported_and_those_of_a_later_one(shell: Shell, write: Write) -> None:
    text = PLAIN.replace("net = [10, -10]", "net = [1, -1]").replace("dealer = 0", "dealer = 1")
    done = shell("settle", write("plain.toml", text))
    assert done.out.count("expected") == 2
    second = PLAIN[PLAIN.index("    [[deals]]") :]
    text = PLAIN + second.replace('"0 call nap"', '"1 pass", "0 call nap"').replace("[10, -10]", "[11, -11]")
    done = shell("settle", write("plain.toml", text.replace("dealer = 0", "dealer = 0", 1)))
    assert done.code == 1 and "plain.toml: deal 2" in done.out and "dealer 0" in done.out


def test_foreign_files_are_65_after_the_others_were_played(shell: Shell, write: Write) -> None:
    write("deals/a.toml", PLAIN)
    write("deals/b.toml", "hello there")
    write("deals/c.toml", PLAIN.replace("[10, -10]", "[9, -9]"))
    write("deals/d/e.toml", PLAIN)
    done = shell("settle", "deals", "nothing.toml")
    assert done.code == 65 and done.out.endswith("2 passed, 1 failed\n") and "deals/c.toml: deal 1" in done.out
    assert "deals/b.toml: no TOML" in done.err and "nothing.toml: No such file" in done.err
    outcome = settle([Path("deals")])
    assert (outcome.passed, outcome.failed, len(outcome.foreign)) == (2, 1, 1)


def test_a_folder_without_a_scripted_deal_is_65(shell: Shell, write: Write) -> None:
    write("empty/note.txt")
    done = shell("settle", "empty")
    assert done == (65, "0 passed, 0 failed\n", "roundsim: empty: there is no scripted deal in it\n")
    write("deals/a.toml", PLAIN)
    done = shell("settle", "deals", "empty")
    assert done.code == 65 and done.out == "1 passed, 0 failed\n" and "empty: there is" in done.err


TABLE_STAKES = 'game = "draw-poker"\nplayers = 2\noptions = { stakes = "table" }\nstacks = '
STACKS = "[1, 2, 3]", '[1, "x"]', "[1, -2]", "{ a = 1, b = 2 }"


def script(top: str = "", deal: str = "") -> str:
    return f'game = "nap"\nplayers = 2\n{top}\n[[deals]]\n{deal}\n'


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no key `game`"),
        ("game = 5\n[[deals]]", "no game '5'"),
        ('game = "napp"\n[[deals]]', "did you mean nap?"),
        ('game = "nap"', "no [[deals]]"),
        ('game = "nap"\ndeals = []', "no [[deals]]"),
        ('game = "nap"\ndeals = [1]', "no [[deals]]"),
        ('game = "nap"\nplayers = "x"\n[[deals]]', "players must be a whole number"),
        ('game = "nap"\nplayers = true\n[[deals]]', "players"),
        ('game = "nap"\nplayers = 9\n[[deals]]', "9 players: nap is for 2 to 6"),
        (script("delaer = 1"), "unknown key delaer (did you mean dealer?)"),
        (script("dealer = 2"), "dealer must be a seat, 0 to 1, not 2"),
        (script("dealer = 'x'"), "dealer must be a seat"),
        (script("dealer = true"), "dealer must be a seat"),
        (script("carry = { dealer = 7 }"), "dealer must be a seat"),
        (script("carry = { dog = 7 }"), "unknown key dog"),
        (script("carry = 3"), "carry must be a table"),
        (script("options = 3"), "options must be a table"),
        (script("options = { misry = true }"), "did you mean misery?"),
        (script("options = { misery = 3, kitty = 'x' }"), "misery must be true or false"),
        (script("options = { misery = 3, kitty = 'x' }"), "kitty must be one of"),
        (script("pool = 3"), "pool must be a table"),
        (script("pool = { pot = 3 }"), "unknown key pot"),
        (script("pool = { pool = 'x' }"), "pool"),
        (script("pool = { pool = 1.5 }"), "pool"),
        (script("stacks = [1, 2]"), "stacks must be 2 numbers, in a game played with stacks"),
        (script("stacks = 3"), "stacks"),
        (script(deal="pakc = 'As'"), "deal 1: unknown key pakc (did you mean pack?)"),
        (script(deal="final = true"), "unknown key final"),
        (script(deal="pack = 5"), "pack: cards are written as text"),
        (script(deal="pack = ['As']"), "pack: cards are written as text"),
        (script(deal="pack = 'Zz'"), "no such card: 'Zz'"),
        (script(deal="pack = 'As Kd As'"), "As is named"),
        (script(deal="pack = '2c Jo'"), "Jo is named"),
        (script("options = { pack = 32 }", "pack = '2c'"), "2c is named"),
        (PLAIN.replace("Ts 6h", "Ts 6h As"), "As is named twice"),
        (PLAIN.replace("Ts 6h", "Ts 6h Jo"), "Jo is not in this pack"),
        (script(deal="actions = 5"), "actions"),
        (script(deal="actions = '0 pass'"), "action"),
        (script(deal="actions = ['pass']"), "action 1: 'pass' is not a seat (0 to 1) and an action"),
        (script(deal="actions = ['0 pass', '2 pass']"), "action 2: '2 pass' is not a seat (0 to 1) and an action"),
        (script(deal="actions = ['0']"), "action 1: '0' is not a seat"),
        (script(deal="actions = [1]"), "action 1"),
        (script(deal="actions = ['-1 pass']"), "action 1"),
        (script(deal="error = 5"), "error"),
        (script(deal="error = ['x']"), "error"),
        (script(deal="expect = 5"), "expect must be a table"),
        (script(deal="expect = { nets = [0, 0] }"), "unknown key nets (did you mean net?)"),
        (script(deal="expect = { pool = 5 }"), "pool must be a table"),
        (script(deal="expect = { pool = { pot = 5 } }"), "unknown key pot"),
        (script(deal="expect = { carry = { dog = 5 } }"), "unknown key dog"),
        ('game = "vingt-un"\n[[deals]]\nreshuffle = 1', "reshuffle"),
        ('game = "vingt-un"\n[[deals]]\nreshuffle = [1]', "reshuffle: cards are written as text"),
        ('game = "vingt-un"\n[[deals]]\nreshuffle = ["Zz"]', "reshuffle: no such card"),
        ('game = "vingt-un"\ncarry = { used = 1 }\n[[deals]]', "used"),
        ('game = "vingt-un"\ncarry = { used = ["Zz"] }\n[[deals]]', "Zz"),
        *[(f"{TABLE_STAKES}{stacks}\n[[deals]]", "stacks must be 2") for stacks in STACKS],
    ],
)
def test_a_foreign_file_is_65_and_says_where(text: str, words: str, shell: Shell, write: Write) -> None:
    done = shell("settle", write("foreign.toml", text))
    assert done.code == 65 and done.out == "0 passed, 0 failed\n", done
    assert "foreign.toml" in done.err and words in done.err, done.err


def carrying(game: str, carry: str, deal: str = "", options: str = "") -> str:
    return f'game = "{game}"\nplayers = 2\noptions = {{ {options} }}\ncarry = {{ {carry} }}\n[[deals]]\n{deal}\n'


CARD = "1 10 20 30 40 / 11 21 31 41 50 / 2 22 51 60 70"
HELD = "held = [1, 1], cards = [[1], [2]]"
EVERY_CARD = " ".join(PACK)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (carrying("nap", "original_dealer = 2"), "carry.original_dealer must be a seat, 0 to 1, not 2"),
        (carrying("vingt-un", "buyer = 2"), "carry.buyer must be a seat, 0 to 1, not 2"),
        (carrying("vingt-un", "buyer = -2"), "carry.buyer must be a seat, 0 to 1, not -2"),
        (carrying("vingt-un", "hand = 0"), "carry.hand must be a whole number from 1 up, not 0"),
        (carrying("vingt-un", "left = -1"), "carry.left must be a whole number from 0 up, not -1"),
        (carrying("vingt-un", "used = 'As As', left = 0"), "carry.used: As is named more often than the pack has it"),
        (carrying("vingt-un", "used = 'Jo'"), "carry.used: Jo is named more often than the pack has it"),
        (carrying("vingt-un", "used = '2c 2c 2c'", options="packs = 2"), "carry.used: 2c is named more often"),
        (carrying("vingt-un", f"used = '{EVERY_CARD}'"), "carry.used: no card is left for the pack"),
        (carrying("vingt-un", "pack_left = 'As', used = 'As'"), "carry.pack_left: As is named more often"),
        (carrying("vingt-un", f"pack_left = '{EVERY_CARD[6:]}'"), "carry.pack_left: 2s 3s is neither there nor in"),
        (carrying("speculation", "kept = true"), "carry.hands_left must be three cards for each of 2 hands, not 0"),
        (carrying("speculation", "kept = true"), "carry.stock_left must hold a card to turn up, with carry.kept"),
        (
            carrying("speculation", "hands_left = 'As As'"),
            "carry.hands_left: As is named more often than the pack has it",
        ),
        (
            carrying("speculation", "hands_left = 'As', stock_left = '2c As'"),
            "carry.stock_left: As is named more often",
        ),
        (carrying("speculation", "stock_left = '2c'", options="pack = 32"), "carry.stock_left: 2c is named more often"),
        (carrying("loto", "cards = [['x'], [2]], held = [1, 1]"), "carry.cards: 'x' is no whole number from 1 to 24"),
        (carrying("loto", "cards = [[25], [2]], held = [1, 1]"), "carry.cards: 25 is no whole number from 1 to 24"),
        (carrying("loto", "cards = [[2], [2]], held = [1, 1]"), "carry.cards: 2 is named twice"),
        (carrying("loto", f"{HELD}, in_stock = [3, 0]"), "carry.in_stock: 0 is no whole number from 1 to 24"),
        (carrying("loto", f"{HELD}, in_stock = [3, 2]"), "carry.in_stock: 2 is held"),
        (carrying("loto", "held = [2, 2]"), "carry.held must count the cards of each seat in carry.cards, not [2, 2]"),
        (carrying("loto", "away = 1"), "carry.away must count the knobs of carry.knobs_away, not 1"),
        (carrying("loto", "away = 2, knobs_away = [9, 9]"), "carry.knobs_away: 9 is named twice"),
        (carrying("loto", "away = 1, knobs_away = [91]"), "carry.knobs_away: 91 is no whole number from 1 to 90"),
        (carrying("loto", "own_set = [1, 2]"), "carry.own_set must be a list of texts, each a card"),
        (carrying("loto", "own_set = ['1 2', '3 4']"), "carry.own_set: no card of loto: '1 2'"),
        (carrying("loto", f"own_set = ['{CARD}']"), "carry.own_set: 1 cards for 2 players"),
        (carrying("loto", "", "cards = 'x'"), "deal 1: cards must be a list of texts, each a card"),
        (carrying("loto", "", "[[deals]]\ncards = ['1 2']"), "deal 2: cards: no card of loto: '1 2'"),
        (carrying("loto", "", "last = 'yes'", "method = 2"), "deal 1: last must be true or false, not 'yes'"),
        (
            carrying("loto", HELD, f"cards = ['{CARD}', '{CARD}', '{CARD}', '{CARD}']", "method = 2"),
            "deal 1: cards: by the second method they are kept from the first drawing on",
        ),
    ],
)
def test_an_impossible_carry_is_65_for_every_reader(text: str, words: str, shell: Shell, write: Write) -> None:
    path = write("carried.toml", text)
    for command in "settle", "replay":
        done = shell(command, path)
        assert done.code == 65 and f"carried.toml: {words}" in done.err, (command, done)
    with pytest.raises(ScriptError, match=re.escape(f"carried.toml: {words}")):
        roundsim.check_script(path)


def test_the_carry_of_a_deal_can_be_carried_in(shell: Shell, write: Write) -> None:
    left = carrying("vingt-un", f"used = '2s 3s', pack_left = '{EVERY_CARD[6:]}', hand = 2, left = 50")
    kept = carrying("speculation", "kept = true, hands_left = '2c 3c 4c 5c 6c 7c', stock_left = '8c'")
    held = carrying("loto", f"{HELD}, in_stock = [3], away = 1, knobs_away = [90]", options="method = 2")
    for text in left, kept, held:
        assert shell("replay", write("a.toml", text)).code == 0, text
        assert shell("settle", write("a.toml", text)).code == 1, text  # it is asked, and nothing is written


@pytest.mark.parametrize("net", ["5", "'x'", "[1]", "[]", "[0.5, -0.5]"])
def test_an_expectation_of_another_kind_is_a_difference_or_foreign(net: str, shell: Shell, write: Write) -> None:
    assert shell("settle", write("plain.toml", PLAIN.replace("[10, -10]", net))).code in (1, 65)


def test_the_dealer_may_be_in_the_carry_and_is_last_by_default(shell: Shell, write: Write) -> None:
    deal = "actions = ['1 pass', '0 call 1']\nexpect = { carry = { dealer = 1 } }"
    for top in ("dealer = 0", "carry = { dealer = 0 }", "dealer = 0\ncarry = { dealer = 1 }"):
        done = shell("settle", write("a.toml", script(top, deal)))
        assert "seat 1 is asked (phase play)" in done.out or "seat 0 is asked (phase play)" in done.out
        assert "dealer 0" in done.out
    assert "dealer 1" in shell("settle", write("a.toml", script("", deal))).out


def test_pools_are_carried_in_and_only_what_is_named_is_compared(shell: Shell, write: Write) -> None:
    text = PLAIN.replace("players = 2", 'players = 2\n    options = { kitty = "dealer" }\n    pool = { pool = 7 }')
    text = text[: text.index("[deals.expect]")]
    assert shell("settle", write("a.toml", text)).code == 0
    done = shell("settle", write("a.toml", text + "[deals.expect]\n    pool = { pool = 99 }\n"))
    assert done.code == 1 and "expected  pool.pool = 99" in done.out


def test_a_short_pack_goes_on_always_in_the_same_order(shell: Shell, write: Write) -> None:
    printed = [shell("settle", write("a.toml", script(deal=f"pack = '{pack}'"))).out for pack in ("Ac", "Ac", "")]
    assert printed[0] == printed[1] != printed[2] and "hand 0   Ac" in printed[0]


def test_stacks(shell: Shell, write: Write) -> None:
    text = 'game = "draw-poker"\nplayers = 2\noptions = { stakes = "table" }\nstacks = [30, 70]\n[[deals]]\n'
    printed = shell("settle", write("a.toml", text)).out
    assert "Draw Poker (stakes = table) · 2 seats" in printed and "stacks   0 30   1 70\n" in printed
    deal = "actions = ['1 fold', '0 fold']\nexpect = { carry = { stacks = [1, 2] } }"
    assert "carry.stacks" in shell("settle", write("a.toml", text + deal)).out or "asked" in printed


ERROR = PLAIN[: PLAIN.index("    [deals.expect]")]


@pytest.mark.parametrize(
    ("actions", "error", "code"),
    [
        ('"0 call 9"', "no such call", 0),
        ('"0 call 9"', "", 0),
        ('"0 call 9"', "too low", 1),
        ('"0 call nap"', "too low", 1),
        ('"0 call nap", "1 play 2h"', "", 0),
        ('"0 call nap", "0 play 2h"', "", 0),
        ('"0 call nap", "0 play As", "1 play 3s"', "", 0),
        ('"0 call nap", "0 play As", "1 play 2h"', "", 1),
        ('"0 call nap", "0 play Ks", "1 play 3h", "0 play As", "1 play 3h"', "", 0),
        ('"0 call 3", "1 call 2"', "low", 0),
    ],
)
@pytest.mark.parametrize("key", ["error", "expect.error"])
def test_refusals(actions: str, error: str, code: int, key: str, shell: Shell, write: Write) -> None:
    text = ERROR[: ERROR.index("actions")] + f"actions = [{actions}]\n    {key} = '{error}'\n"
    done = shell("settle", write("a.toml", text))
    assert done.code == code, done.out
    if code:
        assert "expected  " in done.out and "found     " in done.out


def test_a_deal_that_ends_with_a_refusal_expects_no_result(shell: Shell, write: Write) -> None:
    text = f"{ERROR[: ERROR.index('actions')]}actions = ['0 call 9']\n    error = 'call'\n" + PLAIN[len(ERROR) :]
    assert shell("settle", write("a.toml", text)).code == 0


def table(**keys: str) -> str:
    keys = {"hands": "['As Ks Qs Js Ts', '2c 2d 2h 2s 3c', '4c 4d 4h 4s 3d']", **keys}
    return "[[compare]]\n" + "".join(f"{key} = {value}\n" for key, value in keys.items())


def test_hands_are_compared(shell: Shell, write: Write) -> None:
    classes = "['straight-flush', 'four', 'four']"
    good = table(classes=classes, order="[[0], [2], [1]]")
    done = shell("settle", write("a.toml", good))
    assert done.code == 0 or "no class" in done.err, done
    done = shell("settle", write("a.toml", table(order="[[0], [1], [2]]")))
    assert done.code == 1 and "a.toml: compare 1" in done.out
    assert "expected  order = [[0], [1], [2]]\nfound     order = [[0], [2], [1]]" in done.out


def test_a_foreign_compare_file_is_65(shell: Shell, write: Write) -> None:
    """Each mistake is in `tests/mechanics/test_hands.py`."""
    done = shell("settle", write("foreign.toml", table(ordr="[[0]]")))
    assert done.code == 65 and "foreign.toml: compare 1: unknown key ordr (did you mean order?)" in done.err, done
