"""The command line: help, exit codes, formats; and no bad input that it does not answer in words of its own."""

from __future__ import annotations

import csv
import json
import os
import re
import shlex
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from math import inf
from pathlib import Path

import click
import pytest
from conftest import GAMES, Outcome, Shell, Write
from helpers.command import DEALS, PATIENCE, ROOT, one_in

import roundsim
from roundsim import games
from roundsim.base.errors import InputError
from roundsim.cli import cli
from roundsim.cli.flags import Within
from roundsim.cli.helping import Command
from roundsim.native import describe_build
from roundsim.reports.explain import OF_EVERY_VIEW
from roundsim.reports.strength import measured
from roundsim.running import Run

pytestmark = pytest.mark.usefixtures("here")

SCRIPT = DEALS / "nap" / "01-three-made.toml"
FIRST = "def act(view):\n    return view.legal[0]\n"


def tree(command: click.Command, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    yield words, command
    for name, inner in getattr(command, "commands", {}).items():
        yield from tree(inner, (*words, name))


COMMANDS = dict(tree(cli))


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_every_command_and_option_has_help(words: tuple[str, ...], shell: Shell) -> None:
    command = COMMANDS[words]
    assert command.help
    for parameter in command.params:
        if isinstance(parameter, click.Option):
            assert parameter.help, f"{words}: {parameter.opts}"
        else:
            assert (
                str(parameter.metavar or parameter.name).strip("[]").upper()
                in f"{command.help} {parameter.name}".upper()
            )
    shown = shell(*words, "--help")
    assert shown.code == 0 and shown.out.startswith("Usage: roundsim") and not shown.err
    assert shell(*words, "-h") == shown
    for option in [name for each in command.params if isinstance(each, click.Option) for name in each.opts]:
        assert option in shown.out


def test_every_whole_number_has_limits() -> None:
    options = [
        (option.opts, option.type.high)
        for command in COMMANDS.values()
        for option in command.params
        if isinstance(option.type, Within) and option.type.kind is int
    ]
    assert len(options) > 15 and not [names for names, high in options if high == inf]
    kinds = {type(option.type) for command in COMMANDS.values() for option in command.params}
    assert not {click.types.IntParamType, click.types.FloatParamType} & kinds


def test_numbers_out_of_range_and_unknown_games_of_a_run(shell: Shell, parlour: Run) -> None:
    huge, run = 2**63, parlour.folder
    listed = "deals", run, "-n"
    for words in listed, (*listed[:2], "--worst", "-n"), ("verify", run, "--jobs"), ("check", "book", "--deals"):
        assert re.search(f"a whole number, from 1 to 1 .*, not '{huge}'", shell(*words, huge).err)
    done = shell("log", run, "--entry", "npa")
    assert done.code == 64 and "did you mean nap?" in done.err
    with pytest.raises(InputError, match=f"n must be a whole number from 1 to {10**12}, not {huge}"):
        parlour.deals(n=huge)
    with pytest.raises(InputError, match=f"deals must be a whole number from 1 to {10**12}, not {huge}"):
        roundsim.grow(run, deals=huge)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["play"], "GAME is missing; see roundsim play --help"),
        (["coach", "runs"], "--of is missing; see roundsim coach --help"),
        (["export", "runs"], "--to is missing: parquet, arrow, csv; see roundsim export --help"),
        (["paly"], "no command 'paly' (did you mean play?); see roundsim --help"),
        (["new", "bott"], "no command 'bott' (did you mean bot?); see roundsim new --help"),
        (["play", "nap", "--dealz", "4"], "no option --dealz (did you mean --deals?); see roundsim play --help"),
        (["replay", "a", "b"], "got unexpected extra argument (b); see roundsim replay --help"),
        (["check", "a", "--deals", "many"], "--deals: a whole number, from 1 to 1 000 000, not 'many'"),
        (["gate", "nap", "--margin", "nan"], "--margin: a number, 0 or more, not 'nan'"),
        (["play", "nap", "--seed", "x"], "--seed: a whole number below 2**63, 32 digits 0-9a-f, or random; not 'x'"),
        (["claims", "--all", "--check"], "--check and --all: give one of them; see roundsim claims --help"),
    ],
)
def test_a_wrong_command_line_is_one_message_like_all_errors(words: list[str], message: str, shell: Shell) -> None:
    done = shell(*words)
    assert (done.code, done.err, done.out) == (64, f"roundsim: {message}\n", "")


def test_every_command_has_an_example() -> None:
    """One that its parser takes; files that are named in it need not be there."""
    for words, command in COMMANDS.items():
        if not hasattr(command, "commands"):
            assert isinstance(command, Command) and command.example.split()[1 : len(words) + 1] == [*words]
            command.make_context("", shlex.split(command.example)[len(words) + 1 :], **cli.context_settings)


def test_the_help_begins_with_what_is_asked_for_most(shell: Shell) -> None:
    """Play, look, write, know, a line for each command, on one screen; what is rare comes last in the help of a command."""
    shown = shell("--help").out.splitlines()
    titles = [line for line in shown if line in ("Play:", "Look:", "Write:", "Look up:")]
    assert titles == ["Play:", "Look:", "Write:", "Look up:"] and max(map(len, shown)) <= 80
    assert sum(line.startswith("  ") and not line.startswith("   ") for line in shown) <= 35
    play = shell("play", "--help").out
    assert play.index("--seats") < play.index("Rarely:") < play.index("--shard")


@pytest.mark.parametrize(("columns", "widest"), [(60, 60), (80, 80), (100, 100), (200, 100)])
def test_the_help_is_as_wide_as_the_terminal(
    columns: int, widest: int, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At most 100 columns, because longer lines are hard to read."""
    monkeypatch.setenv("COLUMNS", str(columns))
    longest = max(map(len, shell("play", "--help").out.splitlines()))
    assert widest - 10 < longest <= widest


def test_the_version_is_printed_and_the_exit_codes_are_listed(shell: Shell) -> None:
    assert shell("--version") == (0, f"roundsim {roundsim.__version__} ({describe_build()})\n", "")
    shown = re.findall(r"\d+", shell("--help").out.partition("Exit codes:")[2])
    assert [*map(int, shown)] == [0, 1, 2, 3, 4, 64, 65, 66, 69, 70, 73, 78, 129, 130, 143]


@pytest.mark.parametrize(
    "words", one_in(3, [("settle", "nothing.toml"), ("--version",), ("play", "nope")]), ids=" ".join
)
def test_as_a_process(words: tuple[str, ...], tmp_path: Path, shell: Shell) -> None:
    inside = shell(*words)
    environment = {**os.environ, "PYTHONPATH": str(Path(roundsim.__file__).parent.parent)}
    done = subprocess.run(
        [sys.executable, "-m", "roundsim", *words], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == tuple(inside)


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        ("paly", "play"),
        ("play nap --seets 4", "--seats"),
        ("new stratgy x", "strategy"),
        ("play napp", "nap"),
        ("rules pope-jone", "pope-joan"),
        ("new strategy x --game napp", "nap"),
        ("play nap bok", "book"),
        ("play nap book(blod=1)", "bold"),
        ("play nap --option misry=true", "misery"),
        ("play nap --option kitty=deeler", "dealer"),
        ("play nap random random --as progresive", "progressive"),
        ("rules NAP", "nap"),
        ("rules POKER", "one of ambigu, bouillotte, "),
        ("play Nap random random", "nap"),
        ("play nap BOOK random", "book"),
        ("play nap book(BOLD=1) random", "bold"),
        ("play nap random random --option BLUCHER=true", "blucher"),
        ("play nap random random --as SHADOW", "shadow"),
    ],
)
def test_unknown_names_are_64_and_say_what_may_be_meant(words: str, meant: str, shell: Shell) -> None:
    done = shell(*words.split())
    assert done.code == 64 and not done.out
    assert re.search(rf"[Dd]id you mean .*{meant}", done.err), done.err


SEED = "a whole number below 2**63, 32 digits 0-9a-f, or random; not "
BAD_SEEDS = "9" * 5000, "9" * 20, str(2**63), "-1", "1.5", "", "0x10", "²"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        *[(each, "") for each in ["play", "run", "settle", "check", "log --entry", "games --format csv"]],
        *[(f"play nap --{each}", "") for each in ["seats x", "seats 0", "seats 99", "deals 0", "deals many", "jobs 0"]],
        *[(f"play nap --{each}", "") for each in ["sitting -1", "times 3 --deals 4", "times 3", "format xml"]],
        *[(f"play nap --option {each}", "") for each in ["misery", "=true", "misery=maybe"]],
        *[(f"play nap {each}", "") for each in ["nothing/here.py", "no.such.module:Name", "--ci gitlab"]],
        *[(f"check x.py --{each}", "") for each in ["seconds 0", "deals 0"]],
        *[(f"play nap random random --deals 8 --seed={seed}", SEED) for seed in BAD_SEEDS],
        ("rules nap --page 11 --long", "give one"),
        ("play nap random --option misery=true --option misery=false", "misery is given twice"),
        ("replay run:nap/1/1/1 --script - --seat 1", "goes without --seat"),
        ("play nap random random --as progressive --sitting 3", "--sitting is not of a progressive"),
        ("play nap random random --deals 3 --times 3", "--times is not of a round-robin"),
        ("play nap random --jobs 2 --workers dask://127.0.0.1:1", "--jobs are processes of this machine"),
        ("play nap book -q --format json", "--format json is of what --quiet does not print: give one of them"),
        ("play nap book -q --dry-run", "--dry-run only prints, and --quiet prints nothing: give one of them"),
    ],
    ids=lambda value: value[:60],
)
def test_wrong_values_are_64(words: str, message: str, shell: Shell) -> None:
    done = shell(*words.split())
    assert done.code == 64 and done.err and not done.out and len(done.err) < 900
    assert message in " ".join(done.err.split()) and not list(Path().iterdir())


def test_misbehaviour_is_2_and_so_is_an_abort(shell: Shell, write: Write) -> None:
    write("mine.py", "def act(view):\n    return 'call 99'\n")
    words = "play", "nap", "mine.py", "random", "--deals", "4", "--jobs", "1", "--out", "run"
    done = shell(*words)
    assert done.code == 2
    assert "faults: mine: illegal 4 times, first in nap/1/1/1: illegal" in done.err
    assert "roundsim replay run:nap/1/1/1" in done.err and "Nap · 2 seats" in done.out
    again = shell(*words)
    assert again.code == 2 and "nothing left to play" in again.out
    head = '[tournament]\nstrategies = ["./mine.py", "random"]\n'
    write("t.toml", f'{head}[limits]\non_fault = "abort"\n[[games]]\ngame = "nap"\n')
    done = shell("run", "t.toml", "--jobs", "1")
    assert done.code == 2 and "mine in nap/1/1/1" in done.err and not done.out


@pytest.mark.parametrize("words", [["standings"], ["log"], ["deals"], ["verify"]], ids=" ".join)
def test_no_run_folder_is_65(words: list[str], shell: Shell, write: Write) -> None:
    write("adir/file.txt")
    for name in ("nothing", "adir", "adir/file.txt"):
        done = shell(*words, name)
        assert done.code == 65 and f"{name}/run.toml" in done.err and not done.out


@pytest.mark.parametrize(
    "text",
    [
        *[b"", b"\xff\x00\x01", b"x = ", b"schema = 2", b"schema = 99\ngames = []"],
        b"schema = 2\ngames = [1]\nname = 'x'\nformat = 'round-robin'\nseed = 1\nlimits = {}",
        b"schema = 2\ngames = [{game = 'nope'}]\nname = 'x'\nformat = 'round-robin'\nseed = 1\nlimits = {}",
        b"schema = 2\ngames = []\nname = 'x'\nformat = 'round-robin'\nseed = 1\nlimits = {a = 1}",
        b"schema = 2\ngames = []\nname = 'x'\nformat = 'round-robin'\nseed = 1\nlimits = 3",
    ],
)
def test_a_damaged_run_file_is_65_and_from_verify_1(text: bytes, shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.toml").write_bytes(text)
    for word in "standings", "log", "deals", "verify", "replay":
        done = shell(word, "run:nap/1/1/1" if word == "replay" else "run")
        assert done.code == (1 if word == "verify" else 65) and "run.toml" in done.err


@pytest.mark.parametrize(
    ("was", "now", "message"),
    [
        ("^rules = 1$", "rules = 99", "version 99 of the rules"),
        ("^blocks = .*$", 'blocks = "x"', "blocks = 'x'"),
        ("^blocks = .*$", "blocks = 1.5", "blocks = 1.5"),
        ("^seed = 1$", 'seed = "x"', "seed = 'x'"),
        ("^memory = 1024$", 'memory = "a"', "limits.memory = 'a'"),
        ('^name = "nap"\ngame', "name = 5\ngame", "name = 5"),
        ("^format = .*$", 'format = "chess"', "chess"),
        ("^players = .*$", 'players = "x"', "players = 'x'"),
        ("^sitting = .*$", "sitting = 0", "sitting = 0"),
        ('^game = "nap"$', 'game = "napp"', "napp"),
        ("^sha256 =", "sha =", "sha"),
    ],
)
def test_a_changed_record_of_a_run_is_65(was: str, now: str, message: str, parlour: Run, shell: Shell) -> None:
    text = (parlour.folder / "run.toml").read_text()
    changed = re.sub(was, now, text, flags=re.M)
    assert changed != text
    Path("run").mkdir()
    Path("run/run.toml").write_text(changed)
    play = "play", "nap", "book", "random", "random", "--deals", 90, "--jobs", 1, "--out", "run"
    for codes, *words in ((65,), "standings", "run"), ((1,), "verify", "run"), ((65,), "log", "run"), ((65, 73), *play):
        done = shell(*words)
        assert done.code in codes and (message in done.err or "different run" in done.err), done.err


def test_cannot_write_is_73(shell: Shell, write: Write, parlour: Run) -> None:
    write("adir/file.txt")
    few = ["play", "nap", "random", "--deals", "1", "--jobs", "1", "--out"]
    foreign, of_another = shell(*few, "adir"), shell(*few, parlour.folder)
    assert foreign.code == 73 and "holds no run" in foreign.err
    assert of_another.code == 73 and "holds a different run: games[1]" in of_another.err
    assert shell(*few, "adir/file.txt/run").code == 73
    assert shell(*few, "/dev/null/run").code == 73
    assert shell("new", "strategy", "nowhere/mine").code == 73
    assert list(Path().glob("*")) == [Path("adir")]


def test_a_plugin_that_cannot_be_loaded_is_66_with_its_own_lines_only(shell: Shell, write: Write) -> None:
    write("mine.py", "def helper():\n    import not_there_at_all\n\n\nhelper()\n")
    for words in (["play", "nap", "mine.py"], ["strategies", "mine.py"]):
        done = shell(*words)
        assert done.code == 66 and not done.out
        assert done.err.splitlines() == [
            "roundsim: mine.py cannot be loaded: ModuleNotFoundError: No module named 'not_there_at_all'",
            "  mine.py:5 in <module>: helper()",
            "  mine.py:2 in helper: import not_there_at_all",
        ]


@pytest.fixture
def junk(tmp_path: Path) -> list[str]:
    """Names of things that are not what is wanted."""
    (tmp_path / "adir").mkdir()
    for name, data in {
        "empty.toml": b"",
        "empty.py": b"",
        "binary.toml": bytes(range(256)),
        "binary.py": bytes(range(256)),
        "text.toml": b"hello there\nfoo = = 1\n",
        "list.toml": b"games = [1]\ndeals = [1]\n",
        "types.toml": b"tournament = 2\nlimits = 3\ngames = 4\ngame = 5\n",
        "syntax.py": b"def act(view:\n    return\n",
        "raises.py": b"1 / 0\n",
        "exits.py": b"import sys\nsys.exit(3)\n",
        "adir/__init__.py": b"def act(view:\n",
    }.items():
        (tmp_path / name).write_bytes(data)
    names = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*"))
    return [*names, "./adir", "none.toml", "none/none.py", "", ":", "::", "a:b:c", "(", "x(", "x()y", "x(y)", "os:path"]


WANTED = [
    *["run", "run --out run", "play", "play nap", "settle", "standings", "log", "deals", "deals --worst", "verify"],
    *[f"play nap random --{option}" for option in ("option", "seed", "seats")],
    *["replay", f"replay {SCRIPT} --seat", f"replay {SCRIPT} --strategy"],
    *["rules", "strategies", "new", "new strategy mine --game"],
]


@pytest.mark.parametrize("words", one_in(2, WANTED))
def test_bad_input_is_answered_in_words(words: str, junk: list[str], shell: Shell) -> None:
    for name in junk:
        done = shell(*words.split(), name)
        assert done.code in (64, 65, 66, 73) and done.err.strip(), (name, done)


def test_check_answers_bad_input_in_words(junk: list[str], shell: Shell) -> None:
    others = "./adir", "none.toml", "", "::", "x(y)", "os:path"
    junk = [name for name in junk if name.endswith(".py") or name in others]
    done = shell("check", *junk)
    assert done.code == 2 and done.out.count("FAILED") == len(junk), done.out
    assert f"{len(junk)} problems" in done.out


@pytest.mark.parametrize("name", ["", "1x", "a-b", "a b", "class", "..", "a.b", "é/", "\0"])
def test_new_strategy_refuses_names_that_no_module_can_have(name: str, shell: Shell) -> None:
    assert shell("new", "strategy", name).code in (64, 73)
    assert not list(Path().iterdir())


def test_play_with_options_and_seats(shell: Shell) -> None:
    words = ["play", "nap", "book", "random", "--seats", "4", "--option", "misery=true", "--option", "kitty=dealer"]
    done = shell(*words, "--deals", "1", "--jobs", "1")
    assert done.code == 0 and done.out.startswith("Nap (misery = true, kitty = dealer) · 4 seats\n")
    assert "\n  16 deals (1 rounded up) in 1 block of 16 (4 seats x 4 deals) · seed 1\n" in done.out
    assert re.search(r"\n\nplayed   \d+\.\d s on 1 process\nresults  ", done.out)
    run = Path(results_of(done))
    assert 'kitty = "dealer"' in (run / "run.toml").read_text() and "misery = true" in (run / "run.toml").read_text()


def test_fewer_deals_than_were_asked_for_are_not_rounded_up(shell: Shell) -> None:
    """Three lives, and a game of them is over long before its twelve deals."""
    words = ["play", "commerce", "--option", "variant=foster-widow", "--seats", "4", "--deals", "50", "--jobs", "1"]
    done = shell(*words, "--out", "run")
    title = "Commerce (variant = foster-widow) · 4 seats\n  "
    found = re.match(re.escape(title) + r"(\d+) deals in 2 blocks of at most 48 \((50 asked for; )?", done.out)
    assert found and int(found[1]) < 50 and found[2] and "(50 asked for; sittings may end early)" in done.out
    assert f"{found[1]} deals in 2 blocks of at most 48 (sittings may end early)" in shell("standings", "run").out


def test_the_options_stand_in_the_title_where_they_fit(shell: Shell, write: Write) -> None:
    """Those that are not as they would be by themselves, in the order of the rules; not next to a name of its own."""
    shown = shell("play", "brag", "random", "--option", "variant=american", "--deals", "1", "--jobs", "1").out
    assert shown.startswith("Brag (variant = american) · ")
    shown = shell("play", "nap", "random", "--option", "misery=false", "--option", "cards=5", "--deals", "1").out
    assert shown.startswith("Nap · ")
    many = "misery = true, kitty = 'dealer', kitty_end = 'draw', wellington = 'full', blucher = true, nap_alter = true"
    nap = f"[[games]]\ngame = 'nap'\nplayers = 2\ndeals = 1\noptions = {{ {many} }}\n"
    write("t.toml", f"[tournament]\nstrategies = ['random']\n{nap}{nap}name = 'seven'\n")
    shown = shell("run", "t.toml", "--jobs", "1").out
    assert shown.startswith("Nap · 2 seats") and "\nNap (seven) · 2 seats" in shown


def test_one_of_a_thing(shell: Shell) -> None:
    words = ["play", "nap", "random", "random", "--sitting", "1", "--deals", "1", "--jobs", "1"]
    done = shell(*words, "--dry-run")
    assert "2 deals in 1 block of 2 (2 seats x 1 deal)" in done.out
    assert "nap is for 2 to 6" in shell("play", "nap", "--seats", "1").err
    assert "1 player:" in shell("play", "nap", "--seats", "1").err
    assert "· 1 hand\n" in shell("odds", "--hold", "As Ks Qs Js Ts").out


def results_of(done: Outcome) -> str:
    """The folder of a run, as the command says."""
    shown = re.search(r"^results  (.*)/$", done.out, re.M)
    assert shown, done
    return shown[1]


def test_an_option_is_kept_as_the_game_reads_it(shell: Shell) -> None:
    """However it is written, it is one run, and the name that it has always had."""
    options = "method=2", 'method="2"', "method='2'"
    assert len({results_of(shell("play", "loto", "--option", option, "--deals", "4")) for option in options}) == 1
    for words, pack in ("nap --deals 1", 32), ("draw-poker --times 2 --option stakes=table", 60):
        game, *more = words.split()
        runs = [
            shell("play", game, "random", "random", *more, "--option", option)
            for option in (f"pack={pack}", f'pack="{pack}"')
        ]
        one, other = [(Path(results_of(run)) / "run.toml").read_text() for run in runs]
        assert one == other and f'pack = "{pack}"' in one


def test_a_name_that_plays_other_games_only(shell: Shell, write: Write) -> None:
    done = shell("play", "loto", "book", "expert")
    assert done.code == 64 and "expert does not play loto" in done.err
    write("mine.py", "games = ['nap', 'loo']\n\n\ndef act(view):\n    return view.legal[0]\nact.games = games\n")
    done = shell("play", "brag", "book", "mine.py")
    assert done.code == 64 and re.search(r"does not play brag; it plays .*\bnap\b", done.err)


def test_a_strategy_named_twice_enters_twice_and_without_any_those_of_the_house_play(shell: Shell) -> None:
    done = shell("play", "nap", "book", "book", "book(bold=1)", "--deals", "1", "--jobs", "1", "--format", "json")
    assert done.code == 0
    names = sorted(row["strategy"] for row in json.loads(done.out)["games"][0]["rows"])
    assert names == ["book", "book#2", "book(bold=1)"]
    done = shell("play", "nap", "--dry-run")
    assert done.code == 0 and re.search(r"^    strategies  book, (\w+, )*random$", done.out, re.M)


def table_of(shown: str) -> str:
    return shown.partition("faults\n")[2].partition("\n\n")[0]


def test_a_random_seed_is_printed_and_repeats(shell: Shell) -> None:
    few = ["play", "nap", "book", "random", "--deals", "4", "--jobs", "1"]
    done = shell(*few, "--seed", "random")
    seed = re.search(r"^  seed ([0-9a-f]{32})$", done.out, re.M)
    assert done.code == 0 and seed and f"--seed {seed[1]} " in done.out
    again = shell(*few, "--seed", seed[1])
    assert "nothing left to play" in again.out
    assert table_of(again.out) == table_of(done.out)
    assert shell(*few, "--seed", "random", "--dry-run").out != shell(*few, "--seed", "random", "--dry-run").out


def test_dry_run_plays_nothing(shell: Shell, write: Write) -> None:
    freeze_out = "play draw-poker random random --times 2 --option stakes=table"
    for words, said in ("play nap", r"1 \d\d\d deals in"), (freeze_out, "freeze-outs of 2"):
        done = shell(*words.split(), "--dry-run")
        assert done.code == 0 and not done.err and not list(Path().iterdir()) and re.search(said, done.out)
    write("t.toml", '[tournament]\nstrategies = ["book"]\n[[games]]\ngame = "nap"\noptions = { misery = true }\n')
    done = shell("run", "t.toml", "--dry-run", "--deals", "7", "--seed", "5")
    assert done.code == 0 and [path.name for path in Path().iterdir()] == ["t.toml"]
    assert "seed 5" in done.out and "misery = true" in done.out.lower()


@pytest.mark.parametrize(("entrants", "blocks"), [(2, 63), (4, 63), (6, 63), (7, 70), (20, 200)])
def test_without_a_number_each_entrant_has_forty_blocks(entrants: int, blocks: int, shell: Shell) -> None:
    """At four seats, with 16 deals in a block: 63 are the 1000 deals, and 40 blocks for each of E entrants are 10 E."""
    printed = shell("play", "nap", *["random"] * entrants, "--seats", 4, "--dry-run").out
    assert f"{16 * blocks:,} deals in {blocks} blocks of 16".replace(",", " ") in printed
    if entrants == 4:  # Vingt-un has 24 deals in a sitting of four seats: 1000 deals are 11 blocks
        assert "3 840 deals in 40 blocks of 96" in shell("play", "vingt-un", *["random"] * 4, "--dry-run").out


def test_freeze_outs_from_the_command_line(shell: Shell) -> None:
    words = "play", "draw-poker", "book", "random", "random", "--times", 2, "--option", "stakes=table"
    done = shell(*words, "--jobs", 1)
    assert done.code == 0 and done.out.startswith("Draw Poker (stakes = table) · freeze-out of 3, stack 100 · 2 times")
    assert "Under 10 blocks there is no error" in done.out


def test_deals_and_times_belong_to_their_formats(shell: Shell, write: Write) -> None:
    write("rr.toml", '[tournament]\nstrategies = ["random"]\n[[games]]\ngame = "nap"\n')
    game = '[[games]]\ngame = "draw-poker"\noptions = { stakes = "table" }\n'
    write("fo.toml", f'[tournament]\nformat = "freeze-out"\nstrategies = ["random", "random"]\n{game}')
    for file, given, meant in ("fo.toml", "--deals", "--times"), ("rr.toml", "--times", "--deals"):
        done = shell("run", file, given, "4")
        assert done.code == 64 and meant in done.err


def widths(text: str) -> int:
    return max(len(line) for line in text.splitlines() if not line.startswith(("repeat ", "results ")))


def test_tables_fit_and_never_say_nan(shell: Shell, parlour: Run, season: Run) -> None:
    for run in (parlour, season):
        for form in ("table", "json", "csv", "md"):
            done = shell("standings", run.folder, "--format", form)
            assert done.code == 0 and not done.err
            assert not re.search(r"\b(nan|inf|infinity|none)\b", done.out.replace("null", ""), re.I)
        assert widths(shell("standings", run.folder).out) <= 80
    done = shell("play", "nap", "random", "--deals", "1000", "--seed", "123456789")
    assert "rounded up" in done.out and widths(done.out) <= 80


def test_json_csv_and_markdown_parse_and_agree(shell: Shell, season: Run) -> None:
    data = json.loads(shell("standings", season.folder, "--format", "json").out)
    rows = list(csv.DictReader(shell("standings", season.folder, "--format", "csv").out.splitlines()))
    shown = shell("standings", season.folder, "--format", "md").out
    assert data["schema"] == 2 and [game["name"] for game in data["games"]] == ["nap", "pope"]
    assert data == season.standings
    listed = [(game["name"], row["strategy"]) for game in data["games"] for row in game["rows"]]
    listed += [("(all)", row["strategy"]) for row in data["all"]]
    assert [(row["game"], row["strategy"]) for row in rows] == listed
    for row in rows:
        assert float(row["mean"]) is not None and int(row["faults"]) == 0
    tables = [line for line in shown.splitlines() if line.startswith("|")]
    assert len({line.count("|") for line in tables[:4]}) == 1
    assert sum("---" in line for line in tables) == 3
    assert {row["strategy"] for row in data["all"]} == {"book", "random"}


@pytest.mark.parametrize("form", ["table", "json", "csv", "md"])
def test_play_prints_each_format(form: str, shell: Shell) -> None:
    done = shell("play", "nap", "random", "random", "--deals", "1", "--jobs", "1", "--format", form)
    assert done.code == 0 and not done.err
    if form == "json":
        row = json.loads(done.out)["games"][0]["rows"][0]
        assert row["error"] is None and row["net_per_deal"] is not None
    elif form == "csv":
        assert [row["error"] for row in csv.DictReader(done.out.splitlines())] == ["", ""]
    else:
        assert "Under 10 blocks there is no error: play more deals." in done.out
        assert not re.search("nan|inf", done.out)


def test_the_output_of_a_plugin_does_not_spoil_ours(shell: Shell, write: Write) -> None:
    write("noisy.py", "print('hello')\n" + FIRST)
    done = shell("play", "nap", "noisy.py", "random", "--deals", "1", "--jobs", "1", "--format", "json")
    assert done.code == 0 and json.loads(done.out)


def test_standings_of_an_unfinished_run(shell: Shell, tmp_path: Path) -> None:
    words = ["play", "nap,loo", "random", "--deals", "8", "--jobs", "1", "--out", "run"]
    assert shell(*words).code == 0
    shards = sorted((tmp_path / "run" / "log").rglob("*.zst"))
    assert len(shards) == 2
    shards[1].unlink()
    done = shell("standings", "run")
    assert done.code == 0 and "unfinished: 1 shard is not played yet" in done.err and "Nap" in done.out
    shards[0].unlink()
    assert shell("standings", "run").code == 0
    assert widths(shell("standings", "run").out) <= 80
    done = shell("verify", "run")
    assert done.code == 1 and "standings.json" in done.err and "2 shards of the log are not" in done.err
    assert shell(*words).code == 0 and shell("standings", "run").err == ""


def test_a_run_whose_deals_were_rounded_up_is_verified_and_run_itself_does_not_continue_it(shell: Shell) -> None:
    assert shell("play", "nap", "random", "random", "--deals", "1", "--jobs", "1", "--out", "run").code == 0
    assert shell("verify", "run").out.startswith("4 deals verified\n")
    assert shell("standings", "run", "--format", "md").out == Path("run/standings.md").read_text()
    Path("run").rename("one run")
    done = shell("run", "one run")
    assert done.code == 64 and "one run is the folder of a run: repeat the command that began it" in done.err
    assert "roundsim grow 'one run'" in done.err


def test_log_lines(shell: Shell, season: Run) -> None:
    everything = shell("log", season.folder).out.splitlines()
    pope = shell("log", season.folder, "--entry", "pope").out.splitlines()
    assert [line for line in everything if line.removeprefix("= ").startswith("pope/")] == pope
    for line in everything:
        if line.startswith("= "):
            assert re.fullmatch(r"= (nap|pope)/\d+/\d+ \S+( \| \S+)+", line)
        else:
            found = re.fullmatch(r"(nap|pope)/\d+/\d+/(\d+|end) (\d) ((?:-?\d+ )+)\|( .*)?", line)
            assert found, line
            assert len(found[4].split()) == (2 if found[1] == "nap" else 3)


@pytest.mark.parametrize("game", GAMES)
def test_rules_tell_all_of_a_game(game: str, shell: Shell) -> None:
    deal, done = games.find(game), shell("rules", game)
    assert done.code == 0 and widths(done.out) <= 100
    words = " ".join(done.out.split())
    for names in (deal.phases, deal.public, deal.private, OF_EVERY_VIEW, deal.carried):
        for name in names:
            assert re.search(rf"^  {re.escape(name)} ", done.out, re.M), name
    for option in deal.options:
        assert re.search(rf"^  {re.escape(option.key)} ", done.out, re.M), option.key
        assert f"{option.values}; default {option.default_text()}." in words, option.key
        assert option.help and option.page in words
    assert deal.title in words and deal.source in words and "A deal" in words
    data = json.loads(shell("rules", game, "--format", "json").out)
    assert [option["key"] for option in data["options"]] == [option.key for option in deal.options]
    assert [*data["phases"]] == [*deal.phases]
    assert {*data["view"]} >= {*OF_EVERY_VIEW, *deal.public, *deal.private}


def test_games(shell: Shell) -> None:
    assert [line.split()[0] for line in shell("games").out.splitlines()[1:]] == GAMES
    assert [each["game"] for each in json.loads(shell("games", "--format", "json").out)] == GAMES
    assert widths(shell("games").out) <= 100


def test_strategies(shell: Shell, write: Write) -> None:
    unit, _, _, *installed = shell("strategies").out.splitlines()
    assert unit == "over book: the gain of a deal, in its standard deviations (95 %)"
    played = [line.split()[1] for line in installed]
    assert played == [*sorted(played[:-2]), "all", "all"] and set(played[:-2]) == set(GAMES)
    found = json.loads(shell("strategies", "--format", "json").out)
    assert {"nap", "*"} <= {game for each in found for game in each["games"]}
    assert all(each["help"] and len(each["sha256"]) == 64 for each in found)
    strength = measured()["games"]["nap"]["strength"]
    of_nap = shell("strategies", "nap").out.splitlines()
    assert of_nap[0].startswith("Nap, 4 seats: ")
    assert {line.split()[0] for line in of_nap[3:7]} == {"book", "expert", "random", "sampler"}
    assert " expert       The book's calls, except where trying all calls on the same cards" in of_nap[8:]
    for line in of_nap[3:7]:
        name = line.split()[0]
        figures = [strength[name][other] for other in ("random", "book") if other in strength[name]]
        assert re.findall(r"(\S+) ± (\S+)", line) == [(f"{gain:+.2f}", f"{error:.2f}") for gain, error in figures]
    (book,) = [each for each in found if each["name"] == "book" and "nap" in each["games"]]
    assert book["strength"]["nap"] == strength["book"]
    write("mine.py", FIRST)
    assert shell("strategies", "mine.py").out.splitlines()[1].split()[::3] == ["mine", "mine.py"]


@pytest.mark.parametrize("game", one_in(10, GAMES))
def test_new_strategy_writes_what_plays(game: str, shell: Shell) -> None:
    lines = "wrote my_own.py", "wrote test_my_own.py", "next  roundsim check my_own.py"
    assert shell("new", "strategy", "my_own", "--game", game).out.splitlines() == [*lines]
    done = shell("play", game, "my_own.py", "random", "--deals", "4", "--jobs", "1")
    assert done.code == 0 and "MyOwn" in done.out


@pytest.mark.parametrize(
    ("name", "imports", "view"),
    [
        ("mine", "from roundsim.games.draw_poker import DrawPoker", "DrawPoker.View"),
        ("draw_poker", "from roundsim.games.draw_poker import DrawPoker as Game", "Game.View"),
    ],
)
def test_new_strategy_says_what_the_view_is(name: str, imports: str, view: str, shell: Shell) -> None:
    assert shell("new", "strategy", name, "--game", "draw-poker").code == 0
    written = Path(f"{name}.py").read_text()
    assert f"\n{imports}\n" in written and f"\n    def ante(self, view: {view}) -> str:\n" in written
    assert shell("play", "draw-poker", f"{name}.py", "random", "--deals", "4", "--jobs", "1").code == 0


@pytest.mark.soak
def test_new_strategies_pass_mypy_strict(shell: Shell, write: Write) -> None:
    for game in GAMES:
        module = game.replace("-", "_")
        assert shell("new", "strategy", f"my_{module}", "--game", game).code == 0
        assert shell("new", "strategy", module, "--game", game).code == 0
    write("mypy.ini", "[mypy]\nstrict = True\n[mypy-roundsim.*]\nfollow_imports = silent\n")  # as if installed
    environment = {**os.environ, "MYPYPATH": str(Path(roundsim.__file__).parent.parent)}
    words = [sys.executable, "-m", "mypy", *map(str, Path().glob("*.py"))]
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.soak
def test_new_strategy_has_a_test_that_passes_and_overwrites_nothing(shell: Shell, write: Write) -> None:
    assert shell("new", "strategy", "mine").code == 0
    environment = {**os.environ, "PYTHONPATH": str(Path(roundsim.__file__).parent.parent)}
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_mine.py"]
    done = subprocess.run(words, env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and "1 passed" in done.stdout, done.stdout
    Path("mine.py").write_text("# changed\n")
    again = shell("new", "strategy", "mine.py")
    assert again.code == 73 and "there already" in again.err and Path("mine.py").read_text() == "# changed\n"
    write("test_other.py", "# mine\n")
    assert shell("new", "strategy", "other").code == 73 and not Path("other.py").exists()


@pytest.mark.soak
def test_a_strategy_that_fails_when_it_is_asked_again_is_reported(shell: Shell, write: Write) -> None:
    assert shell("play", "nap", "random", "random", "--deals", "8", "--jobs", "1", "--out", "run").code == 0
    made = "class Made:\n    games = ['nap']\n    def __init__(self):\n        raise ValueError('not today')\n"
    for source, said in [
        *[(f"def act(view):\n    {body}\n", "fails here") for body in ("raise SystemExit", "raise KeyError(3)")],
        (made, "ValueError: not today"),
    ]:
        write("mine.py", source)
        done = shell("replay", "run:nap/1/1/1", "--seat", "0", "--strategy", "mine.py")
        assert done.code == 0 and said in done.out and "next     dealer" in done.out


def test_a_strategy_in_an_archive_must_be_unpacked(shell: Shell) -> None:
    with zipfile.ZipFile("all.zip", "w") as archive:
        archive.writestr("mine.py", FIRST)
    done = shell("play", "nap", "all.zip/mine.py", "random")
    assert done.code == 64 and "all.zip/mine.py: unpack all.zip first" in done.err


def test_roundsim_does_not_play_from_an_archive(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        base = [f"base/{name}.py" for name in ("__init__", "faces", "version")]
        for name in "__init__.py", "__init__.pyi", "__main__.py", *base:
            archive.write(ROOT / "roundsim" / name, f"roundsim/{name}")
    text = "import sys; sys.path.insert(0, 'all.zip'); from roundsim.__main__ import main; main()"
    words = sys.executable, "-c", text, "play", "nap", "book", "random"
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 64 and "all.zip/roundsim: it cannot play from an archive: install it\n" in done.stderr
