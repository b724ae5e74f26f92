"""Several games in one command, and tables of several sizes: what is played, how it is called, and what is refused."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest
from conftest import Shell, Write
from helpers.command import assert_same, one_in_with, seldom

import roundsim
from roundsim.base.errors import TournamentError

pytestmark = pytest.mark.usefixtures("here")

LONE = """
    from roundsim.games import nap

    class Lone(nap.Nap):
        id, title = "lone", "Lone"
        phases = {**nap.Nap.phases, "call": "`pass`, or a higher call, and no strategy knows them"}
    """


def planned(out: str) -> dict[str, str]:
    """The games of a dry run and what is said of each, in their order."""
    return dict(re.findall(r"^  ([\w.-]+): (.*)$", out, re.M))


def entrants(out: str) -> list[str]:
    return re.findall(r"^    strategies  (.*)$", out, re.M)


def titles(out: str) -> list[str]:
    """The headings of the tables, as far as the number of seats."""
    return re.findall(r"^(\w.*? seats)(?: ·|$)", out, re.M)


def played(shell: Shell, *words: object) -> str:
    done = shell(*words, "--jobs", 1)
    assert done.code == 0, done.err
    return done.out


def test_games_are_played_in_the_order_given_and_have_a_table_over_all(shell: Shell) -> None:
    out = played(shell, "play", "nap,commerce,loo", "book", "random", "--seats", 2, "--deals", 4, "--out", "run")
    assert titles(out) == ["Nap · 2 seats", "Commerce · 2 seats", "Loo · 2 seats"]
    last = out.partition("\nAll games · ")[2]
    assert re.findall(r"^ +\d=? +1-2 +(\w+)", last, re.M) in (["book", "random"], ["random", "book"])
    names = [game["name"] for game in tomllib.loads(Path("run/run.toml").read_text())["games"]]
    assert names == ["nap", "commerce", "loo"]
    assert "12 deals verified" in played(shell, "verify", "run")


def test_all_are_those_that_the_list_of_games_has(shell: Shell) -> None:
    listed = [game["game"] for game in json.loads(shell("games", "--format", "json").out)]
    assert len(listed) == 25
    without = shell("play", "all", "-loto", "random", "-show-down-poker", "--dry-run").out
    assert [*planned(without)] == [game for game in listed if game not in ("loto", "show-down-poker")]
    done = shell("play", "all", *[f"-{game}" for game in listed], "random")
    assert done.code == 64 and "every game is left out: nothing to play" in done.err


@pytest.mark.soak
def test_all_are_played_and_shown_in_eighty_columns(shell: Shell) -> None:
    out = played(shell, "play", "all", "random", "random", "--deals", 1, "--out", "run")
    tables, heading, last = out.partition("\nAll games · ")
    assert len(titles(tables)) == 25 and heading
    assert sorted(re.findall(r"^ +(?:\d=?|-) +1-2 +(random\S*)", last, re.M)) == ["random", "random#2"]
    assert max(map(len, out.splitlines())) <= 80
    assert "verified" in played(shell, "verify", "run")


@pytest.mark.parametrize(
    ("words", "name"),
    one_in_with(
        3,
        [
            ("nap", "nap"),
            ("nap,loo", "nap-loo"),
            ("nap,loo,commerce", "nap-loo-commerce"),
            ("nap,loo,commerce,spin", "4-games"),
            ("all", "all"),
            ("all -loto", "all-but-loto"),
            ("nap --seats 2-3", "nap"),
            ("all -nap -loto", "all-but-nap-loto"),
            ("all -nap -loto -loo -spin", "all-but-4-games"),
        ],
    ),
)
def test_a_run_is_called_after_its_games(words: str, name: str, shell: Shell) -> None:
    for command in f"play {words} random", f"gate {words} book random":
        out = shell(*command.split(), "--dry-run").out
        assert re.match(rf"{name} · .* · runs/{name}-[0-9a-f]{{6}}/\n", out), command


def test_without_strategies_each_game_has_its_own(shell: Shell, write: Write) -> None:
    write("lone.py", LONE)
    out = shell("play", "lone.py,nap", "--dry-run").out
    assert [*planned(out)] == ["lone", "nap"] and entrants(out) == ["random", "book, random"]


def test_every_strategy_must_play_every_game(shell: Shell, write: Write) -> None:
    write("mine.py", "class Mine:\n    games = ['nap']\n\n    def act(self, view):\n        return view.legal[0]\n")
    done = shell("play", "nap,loo,spin", "book", "mine.py", "--deals", 4)
    assert done.code == 64 and not done.out and not Path("runs").exists()
    told = [line.split(": ", 1)[1] for line in done.err.replace("roundsim: ", "").splitlines()]
    assert told == [f"mine.py does not play {game}; it plays nap" for game in ("loo", "spin")]


def test_options_go_to_each_game_and_who_does_not_know_one_is_named(shell: Shell) -> None:
    unknown = shell("play", "nap,loo,spoil-five", "random", "--option", "misery=true")
    assert unknown.code == 64
    assert "nap has" not in unknown.err
    assert "loo has no option misery" in unknown.err and "spoil-five has no option misery" in unknown.err
    wrong = shell("play", "nap,commerce", "random", "--option", "stake=0")
    assert wrong.code == 64 and [*re.findall(r"command line: (\w+): stake must be", wrong.err)] == ["nap", "commerce"]
    out = shell("play", "nap,commerce", "random", "--option", "stake=2", "--dry-run").out
    assert out.count("options     stake = 2") == 2


@pytest.mark.parametrize("words", ["play all -h", "play -h", "gate all -loto -h", "play all -loto -h random"])
def test_help_is_help(words: str, shell: Shell) -> None:
    command = words.split()[0]
    assert shell(*words.split()) == shell(command, "--help")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("play nap,nap random", "nap is named twice"),
        ("play nap,loo,nap,loo random", "nap is named twice"),
        ("play all,nap random", "all is every game, and is named alone, not all,nap"),
        ("play nap,all random", "all is every game, and is named alone, not nap,all"),
        ("play nap -loto random", "-loto leaves a game out of all, not of nap"),
        ("play nap,loto -loto random", "-loto leaves a game out of all, not of nap,loto"),
        ("play all -loto -loto random", "loto is named twice"),
        ("play all -lotto random", "-lotto is neither an option nor a game to leave out (did you mean -loto?)"),
        ("play all random -lotto", "-lotto is neither an option nor a game to leave out (did you mean -loto?)"),
        ("play nap -seats 4", "-seats is neither an option nor a game to leave out (did you mean --seats?)"),
        ("play nap, random", "no game ''"),
        ("play napp,nap,looo random", "no game 'napp' (did you mean nap?)"),
        ("play napp,nap,looo", "no game 'looo' (did you mean loo?)"),
        ("play nap loo book", "loo is a game, not a strategy: separate games by commas, nap,loo"),
        (
            "play nap,loo brag nap book jig",
            "brag is a game, not a strategy: separate games by commas, nap,loo,brag,jig",
        ),
        ("play all loo", "loo is a game, not a strategy"),
        ("gate nap loo book", "loo is a game, not a strategy: separate games by commas, nap,loo"),
        ("play bird random", "no game 'bird' (did you mean my-bird-sings?)"),
        (
            "play poker random",
            "no game 'poker' (did you mean one of ambigu, bouillotte, brag, draw-poker, flat-poker, show-down-poker,"
            " straight-poker, stud-poker, whiskey-poker?)",
        ),
        ("gate nap,nap book random", "nap is named twice"),
        ("gate napp,looo book random", "no game 'looo' (did you mean loo?)"),
        ("gate nap -loto book random", "-loto leaves a game out of all"),
        ("gate gate.toml -loto", "or a tournament file with a [gate] alone"),
        ("play nap,draw-poker random random --as freeze-out", "nap has no stacks and cannot be played as a freeze-out"),
        ("play nap,solo-whist random random random random random --as progressive", "solo-whist is not for 5"),
        ("play nap,solo-whist random --as progressive", "solo-whist: progressive play needs 4 strategies at least"),
    ],
)
def test_impossible_lists_of_games_are_reported(words: str, told: str, shell: Shell) -> None:
    done = shell(*words.split())
    assert done.code == 64 and not done.out and not Path("runs").exists()
    assert told in " ".join(done.err.split()), done.err


def test_the_value_of_an_option_is_no_game(shell: Shell) -> None:
    played(shell, "play", "nap", "random", "--deals", 1, "--out", "-nap")
    assert Path("-nap/run.toml").exists()


@pytest.mark.soak
def test_a_rule_holds_for_each_game_as_in_a_file(shell: Shell, write: Write) -> None:
    rule, each = "book - random > 0", "[[games]]\ngame = "
    head = f'[tournament]\nstrategies = ["book", "random"]\nuntil = "{rule}"\n'
    path = write("t.toml", f'{head}{each}"nap"\n{each}"thirty-one"\n')
    few = "--deals", 600, "--out"
    played(shell, "play", "nap,thirty-one", "book", "random", "--until", rule, *few, "by-name")
    played(shell, "run", path, *few, "by-file")
    said = [tomllib.loads((Path(run) / "run.toml").read_text()) for run in ("by-name", "by-file")]
    assert [each.pop("name") for each in said] == ["nap-thirty-one", "t"] and said[0] == said[1]


def test_from_python(tmp_path: Path) -> None:
    run = roundsim.play("nap,loo", ["random", "random"], seats="2-3", deals=4, jobs=1, out=tmp_path / "run")
    assert [game["name"] for game in run.standings["games"]] == ["nap.2", "nap.3", "loo.2", "loo.3"]
    for wrong in "all,nap", "nap,nap", "napp,looo":
        with pytest.raises(TournamentError):
            roundsim.play(wrong, ["random"], out=tmp_path / "none")


IN_SHORT = """
    [tournament]
    name = "nap"
    strategies = ["book", "random", "random"]
    [[games]]
    game = "nap"
    players = "2-4"
    deals = 10
    options = { misery = true }
    """
HEAD, GAME = IN_SHORT.split("    [[games]]\n")
NAMED = '    [[games]]\n    name = "nap.'
SPELLED_OUT = HEAD + "".join(f'{NAMED}{n}"\n' + GAME.replace('"2-4"', str(n)) for n in (2, 3, 4))


def test_each_size_is_a_game_of_its_own(shell: Shell, write: Write) -> None:
    """As in a file that has each size by itself, byte for byte."""
    played(shell, "run", write("long.toml", SPELLED_OUT), "--out", "long")
    played(shell, "run", write("short.toml", IN_SHORT), "--out", "short")
    words = "nap", "book", "random", "random", "--seats", "2-4", "--option", "misery=true", "--deals", 10
    out = played(shell, "play", *words, "--out", "by-name")
    for run in "short", "by-name":
        assert_same(Path("long"), Path(run))
    assert titles(out) == [f"Nap (misery = true) · {n} seats" for n in (2, 3, 4)]
    assert "\nAll games · " in out
    assert "nap.3/1/1/1 " in shell("log", "by-name", "--entry", "nap.3").out
    assert "Nap (misery = true) · 3 seats" in shell("replay", "by-name:nap.3/1/1/1").out


def test_a_name_of_its_own_has_the_size_behind_it(shell: Shell, write: Write) -> None:
    path = write("t.toml", IN_SHORT.replace("players", 'name = "the cup"\n    players'))
    out = played(shell, "run", path, "--out", "run")
    assert titles(out) == [f"Nap (the cup.{n}) · {n} seats" for n in (2, 3, 4)]
    # One size alone has the name of the game.
    assert [*planned(shell("play", "nap", "random", "--seats", 4, "--dry-run").out)] == ["nap"]


@pytest.mark.parametrize(
    "sizes", ["6-3", "3-", "-3", "0-4", "3-99", "3-3", "3-4-5", "x", "²-³", "", "1000-2000", "3 - 4"]
)
@pytest.mark.parametrize("command", [("play", "nap", "random"), ("gate", "nap", "book", "random")], ids="{0[0]}".format)
def test_impossible_sizes_are_reported_with_those_of_a_game(command: tuple[str, ...], sizes: str, shell: Shell) -> None:
    done = shell(*command, f"--seats={sizes}")
    assert done.code == 64 and not done.out and not Path("runs").exists()
    said = " ".join(done.err.split())
    assert "players must be" in said and f"not {sizes!r}" in said or sizes == "-3", said
    assert "nap is for 2 to 6" in said or "not -3" in said, said


def test_in_a_file_it_is_reported_with_its_line_and_so_are_two_games_of_one_name(shell: Shell, write: Write) -> None:
    write("t.toml", IN_SHORT.replace("2-4", "2-9").replace("deals", "dales"))
    done = shell("run", "t.toml")
    assert done.code == 64
    assert re.search(r't.toml:6: players must be .*"3-6" .*, not \'2-9\': nap is for 2 to 6\n', done.err), done.err
    assert "t.toml:7: unknown key dales" in done.err
    write("t.toml", IN_SHORT + '    [[games]]\n    game = "nap"\n    name = "nap.3"\n')
    done = shell("run", "t.toml")
    assert done.code == 64 and "two entries are called 'nap.3'" in done.err


def test_sizes_that_a_game_has_not_or_the_options_forbid_are_reported(shell: Shell) -> None:
    done = shell("play", "nap,solo-whist,loo", "random", "--seats", "2-6")
    assert done.code == 64 and done.err.count("\n") == 1 and "solo-whist is for 4 to 4" in done.err
    done = shell("play", "nap", "random", "--seats", "3-6", "--option", "pack=32")
    assert done.code == 64 and [*re.findall(r"(\d) players", done.err)] == ["5", "6"], done.err


@pytest.mark.parametrize("format", ["freeze-out", "progressive"])
def test_a_format_whose_tables_have_no_one_size_refuses_several(format: str, shell: Shell) -> None:
    words = "play", "straight-poker", "random", "random", "--as", format, "--option", "stakes=table"
    done = shell(*words, "--seats", "2-3")
    assert done.code == 64 and "Traceback" not in done.err
    wanted = "max_seats must be a whole number from 2 to 13, not '2-3'"
    assert (wanted if format == "freeze-out" else "--seats is not of a progressive") in " ".join(done.err.split())


@pytest.mark.soak
@pytest.mark.parametrize("sizes", ["2-3", *seldom("2-5")])
def test_sizes_share_the_level_of_a_gate(sizes: str, shell: Shell) -> None:
    """Better is better in each, worse is worse in one: over all games each is wrong in 0.05 at most."""
    words = "gate", "nap", "book", "random", "--seats", sizes, "--deals", 2400, "--jobs", 1, "--out", "run"
    assert shell(*words).code in (0, 1, 3)
    fewest, most = map(int, sizes.split("-"))
    run = tomllib.loads(Path("run/run.toml").read_text())
    assert run["stopping"]["level"] == 0.05
    assert run["stopping"]["level_worse"] == pytest.approx(0.05 / (most - fewest + 1))
    assert len(run["games"]) == most - fewest + 1
