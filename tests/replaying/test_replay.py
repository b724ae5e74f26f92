"""Deals of a run shown, written as scripts, put to a strategy again."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import GAMES, Shell, Write, addresses
from helpers.command import DEALS, drawn, one_in, seldom

from roundsim.running import Run

pytestmark = pytest.mark.usefixtures("here")

CARD = re.compile(r"\b[AKQJT2-9][shdc]\b")
SAID = re.compile(r"^ *\d+  seat \d  \S+ +(.*?)(?:  .*)?$", re.M)  # then what that is in a sentence


def hands_in(printed: str) -> dict[str, str]:
    """The hands as they were dealt, by seat."""
    return dict(re.findall(r"^hand (\d)   (.*)$", printed, re.M))


def test_a_deal_is_shown_with_all_cards_open(parlour: Run, shell: Shell) -> None:
    for address in addresses(parlour)[:8]:
        done = shell("replay", f"{parlour.folder}:{address}")
        lines = done.out.splitlines()
        assert done.code == 0 and not done.err
        assert lines[0].startswith("Nap · 3 seats · dealer ")
        seats = re.split(" {3}", lines[1].removeprefix("seats    "))
        assert sorted(each.split()[1] for each in seats) == ["book", "random", "random#2"]
        hands = {seat: CARD.findall(hand) for seat, hand in hands_in(done.out).items()}
        assert [len(hand) for hand in hands.values()] == [5, 5, 5]
        assert lines[-1].startswith("next     dealer ") and lines[-2].startswith("net      0 ")
        for seat, card in re.findall(r"^ *\d+  seat (\d)  play +play (\w\w) ", done.out, re.M):
            assert card in hands[seat]


def test_the_deal_shown_is_that_of_the_log(parlour: Run, shell: Shell) -> None:
    logged = {line.split(" ", 1)[0]: line for line in shell("log", parlour.folder).out.splitlines()}
    for address in addresses(parlour)[::9]:
        head, _, actions = logged[address].partition(" | ")
        printed = shell("replay", f"{parlour.folder}:{address}").out
        assert SAID.findall(printed) == actions.split(", ")
        nets = re.search(r"^net      (.*)$", printed, re.M)
        assert nets and [int(each.split()[1]) for each in re.split(" {3}", nets[1])] == [
            int(n) for n in head.split()[2:]
        ]


def test_a_seat_sees_no_other_hand(parlour: Run, shell: Shell) -> None:
    for address in addresses(parlour)[:6]:
        place = f"{parlour.folder}:{address}"
        hands = hands_in(shell("replay", place).out)
        for seat in "012":
            printed = shell("replay", place, "--seat", seat).out
            played = {card for _, card in re.findall(r"seat (\d)  play +play (\w\w) ", printed, re.M)}
            assert list(hands_in(printed)) == [seat]
            assert {*CARD.findall(printed)} <= played | {*hands[seat].split()}


def test_a_seat_may_be_named_by_its_strategy(parlour: Run, shell: Shell) -> None:
    place = f"{parlour.folder}:{addresses(parlour)[4]}"
    seats = re.search(r"^seats    (.*)$", shell("replay", place).out, re.M)
    assert seats
    for each in re.split(" {3}", seats[1]):
        number, name = each.split(" ")
        assert shell("replay", place, "--seat", name) == shell("replay", place, "--seat", number)


@pytest.mark.parametrize("game", one_in(12, GAMES))
def test_a_seat_sees_one_hand_in_every_game(game: str, random_run: Callable[[str], Run], shell: Shell) -> None:
    run = random_run(game)
    for address in addresses(run)[:3]:
        done = shell("replay", f"{run.folder}:{address}", "--seat", "1")
        assert done.code == 0 and {*hands_in(done.out)} <= {"1"}
        assert {*hands_in(shell("replay", f"{run.folder}:{address}").out)} <= {str(n) for n in range(13)}


@pytest.mark.parametrize(
    "address",
    ["", "nap", "nap/1/1", "nap/1/1/1/1", "nap/0/1/1", "nap/1/0/1", "nap/1/1/0", "nap/999/1/1", "nap/1/9/1"]
    + ["nap/1/1/99", "napp/1/1/1", "nap/x/1/1", "nap/-1/1/1", "nap/1/1/end", "nap/1/1/²", "nap/01/1/1", "/1/1/1"],
)
def test_an_unknown_address_is_65(address: str, parlour: Run, shell: Shell) -> None:
    for words in ([], ["--seat", "0"], ["--script", "-"]):
        done = shell("replay", f"{parlour.folder}:{address}", *words)
        assert done.code == 65 and not done.out and "deal" in done.err
    assert ("did you mean nap?" in done.err) == address.startswith("napp")


def test_an_unknown_seat_and_a_strategy_without_one_are_refused(parlour: Run, shell: Shell, write: Write) -> None:
    for seat in ("3", "9", "-1", "bok", ""):
        done = shell("replay", f"{parlour.folder}:nap/1/1/1", "--seat", seat)
        assert done.code == 64 and "book" in done.err and not done.out
    write("bold.py", BOLD)
    done = shell("replay", f"{parlour.folder}:nap/1/1/1", "--strategy", "bold.py")
    assert done.code in (64, 65) and "Bold" in done.err


def test_a_run_without_an_address(parlour: Run, shell: Shell, tmp_path: Path) -> None:
    done = shell("replay", parlour.folder)
    assert done.code == 65 and f"{parlour.folder}:ENTRY/BLOCK/SITTING/DEAL, as {parlour.folder}:nap/1/1/1" in done.err
    assert "no run folder" in shell("replay", tmp_path).err


@pytest.mark.parametrize("game", ["loto", "nap"])
def test_the_end_of_a_sitting_is_shown(game: str, shell: Shell) -> None:
    """Its nets are those of the log; where counters are left in no pool there is none."""
    options = ["--option", "kitty=dealer"] if game == "nap" else ["--option", "method=2"]
    shell("play", game, "random", "random", *options, "--deals", "1", "--jobs", "1", "--out", "run")
    ends = [line for line in shell("log", "run").out.splitlines() if "/end " in line]
    for line in ends:
        address, _, *nets = line.removesuffix(" |").split()
        done = shell("replay", f"run:{address}")
        head, seats, net = done.out.splitlines()
        assert done.code == 0 and "2 seats · the end of the sitting" in head and seats.startswith("seats    0 random")
        assert net == "net      " + "   ".join(f"{seat} {int(n):+d}" for seat, n in enumerate(nets))
        assert shell("replay", f"run:{address}", "--script", "-").code == 65
    assert ends and shell("replay", "run:nap/9/1/end").code == 65


def test_the_options_stand_at_the_head_and_the_stacks_under_it(shell: Shell) -> None:
    words = ["--times", "1", "--option", "stakes=table", "--jobs", "1", "--out", "run"]
    shell("play", "draw-poker", "random", "random", *words)
    before = [100, 100]
    for address in [line.split()[0] for line in shell("log", "run").out.splitlines() if line[0] != "="][:4]:
        lines = shell("replay", f"run:{address}").out.splitlines()
        assert lines[0].startswith("Draw Poker (stakes = table, ") and lines[0][-1].isdecimal()
        assert lines[2] == f"stacks   0 {before[0]}   1 {before[1]}"
        before = [had + int(net.split()[1]) for had, net in zip(before, lines[-2][9:].split("   "), strict=True)]


def test_faults_are_shown_where_they_were_made(shell: Shell, write: Write) -> None:
    """With their words, and a mark at all that was forfeited; the others do not see it."""
    write("mine.py", "class Mine:\n    games = ['nap']\n    def call(self, view):\n        return 'call 99'\n")
    shell("play", "nap", "mine.py", "random", "--deals", "4", "--jobs", "1", "--out", "run")
    line = next(line for line in shell("log", "run").out.splitlines() if "!illegal" in line)
    address, actions = line.split()[0], line.partition(" | ")[2].split(", ")
    printed = shell("replay", f"run:{address}").out
    plays = SAID.findall(printed)
    assert plays == [action.replace("!illegal ", "! ") for action in actions]
    at = actions.index(next(action for action in actions if action.startswith("!illegal")))
    fault = r'seat \d is at fault: illegal "call 99" \(no such call: call 99\); the first legal action is played for it'
    assert re.search(rf"^ +{fault}\n +{at + 1}  seat ", printed, re.M)
    assert shell("replay", f"run:{address}", "--seat", "Mine").out.count("at fault") == 1
    other = shell("replay", f"run:{address}", "--seat", "random").out
    assert "fault" not in other and "! " not in other


@pytest.mark.parametrize("game", one_in(10, GAMES))
def test_a_script_of_any_deal_settles(game: str, random_run: Callable[[str], Run], shell: Shell) -> None:
    run = random_run(game)
    every = addresses(run)
    for number, address in enumerate([*every[: drawn(2, 6)], *every[-drawn(1, 3) :]]):
        done = shell("replay", f"{run.folder}:{address}", "--script", f"{number}.toml")
        assert done == (0, f"wrote {number}.toml\n", "")
        data = tomllib.loads(Path(f"{number}.toml").read_text())
        assert data["game"] == game and len(data["deals"]) == int(address.rsplit("/", 1)[1])
        settled = shell("settle", f"{number}.toml")
        assert settled.code == 0, settled
        printed, again = shell("replay", f"{run.folder}:{address}"), shell("replay", f"{number}.toml")
        story = [line for line in printed.out.splitlines() if not line.startswith("seats ")]
        assert again.code == 0 and again.out.splitlines()[-len(story) :] == story


def test_a_script_on_standard_output_and_where_none_can_be_written(parlour: Run, shell: Shell) -> None:
    place = f"{parlour.folder}:{addresses(parlour)[2]}"
    shell("replay", place, "--script", "a.toml")
    assert shell("replay", place, "--script", "-").out == Path("a.toml").read_text()
    for path, codes in ("nowhere/a.toml", {73}), (".", {64, 73}), ("/dev/null/x", {73}):
        assert shell("replay", place, "--script", path).code in codes


@pytest.mark.soak
@pytest.mark.parametrize("every", [20, *seldom(5)])
def test_scripts_are_reported(every: int, shell: Shell) -> None:
    for path in sorted(DEALS.rglob("*.toml"))[::every]:
        if "compare" not in tomllib.loads(path.read_text()):
            done = shell("replay", path)
            assert done.code == 0 and re.match(r".* seats · dealer |the end of the sitting\n", done.out), path
            one = shell("replay", path, "--deal", "1")
            assert one.code == 0 and done.out.startswith(one.out.rstrip("\n"))


def test_the_deals_of_a_sitting_follow_on_each_other_without_expectations(shell: Shell, write: Write) -> None:
    head = "game = 'nap'\nplayers = 2\noptions = { double_header = true }\n"
    deals = ["'0 pass', '1 pass'", "'1 pass', '0 pass'", "'0 pass'"]  # the last breaks off
    write("a.toml", head + "".join(f"[[deals]]\nactions = [{actions}]\n" for actions in deals))
    printed = shell("replay", "a.toml").out
    dealers = re.findall(r"^Nap \(double_header = true\) · 2 seats · dealer (\d)$", printed, re.M)
    assert dealers == ["1", "0", "1"]


BOLD = """
    class Bold:
        games = ["nap"]
        def call(self, view):
            return view.legal[-1]
        def play(self, view):
            return view.legal[0]
    """


def test_a_strategy_answers_as_it_did(parlour: Run, shell: Shell) -> None:
    for address in addresses(parlour)[::15]:
        done = shell("replay", f"{parlour.folder}:{address}", "--strategy", "book")
        assert done.code == 0 and "answers here" not in done.out and "fails here" not in done.out


@pytest.mark.soak
def test_another_strategy_answers_differently(parlour: Run, shell: Shell, write: Write) -> None:
    write("bold.py", BOLD)
    printed = [
        shell("replay", f"{parlour.folder}:{address}", "--strategy", "bold.py", "--seat", "book")
        for address in addresses(parlour)[:6]
    ]
    assert {done.code for done in printed} == {0}
    assert any(re.search(r"Bold answers here: 'call nap'", done.out) for done in printed)


@pytest.mark.soak
def test_the_command_that_a_fault_names_tells_it(shell: Shell, write: Write) -> None:
    write("mine.py", "class Mine:\n    games = ['nap']\n    def play(self, view):\n        return view.hand[99]\n")
    done = shell("play", "nap", "mine.py", "random", "--deals", "4", "--jobs", "1", "--out", "run")
    again = re.search(r"again: roundsim (.*)$", done.err, re.M)
    assert done.code == 2 and again
    printed = shell(*again[1].split(), "--strategy", "mine.py", "--seat", "Mine")
    assert printed.code == 0 and "Mine fails here: IndexError" in printed.out and "mine.py:4 in play" in printed.out


def test_the_end_of_a_sitting_in_a_script_and_a_deal_that_one_has_not(shell: Shell) -> None:
    done = shell("replay", DEALS / "nap" / "01-three-made.toml", "--deal", "99")
    assert done.code in (64, 65) and not done.out
    done = shell("replay", DEALS / "pope-joan" / "final-round-of-five.toml")
    assert done.code == 0 and done.out == "the end of the sitting\nnet      0 +5   1 +6   2 +2\n"
