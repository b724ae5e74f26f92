"""Bots as strategies: their names, their identity, and the contents of a bot.toml; nothing of them is executed."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
import tomli_w
from conftest import Git, Shell, Write

from roundsim.base.errors import PluginError, StrategyError
from roundsim.sources import bots, plugins
from roundsim.sources.plugins import Strategy
from roundsim.tournament import growth
from roundsim.tournament.planning.file import load_tournament
from roundsim.tournament.planning.record import strategy_identity
from roundsim.tournament.storage import runfile

pytestmark = pytest.mark.usefixtures("met")

ABOUT = """
    name = "mine"
    games = ["nap", "loo"]
    command = "sh bot.sh --fast"
    files = ["weights.bin", "nets"]

    [parameters]
    depth = 2
    style = "bold"
    """


@pytest.fixture
def bot(shell: Shell, write: Write) -> Path:
    """A program in the current folder that makes a file when it is executed."""
    path = write("bot", "#!/bin/sh\ntouch was-called\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def folder(shell: Shell, write: Write) -> Path:
    """A folder with a bot.toml in the current one."""
    write("mine/bot.sh", "touch was-called\n")
    write("mine/weights.bin", "one")
    write("mine/nets/deep/a.bin", "one")
    return write("mine/bot.toml", ABOUT).parent


def strategy_of(text: str, game: str | None = "nap", folder: Path | None = None) -> plugins.Strategy:
    (strategy,) = plugins.find(text, game, folder)
    return strategy


def sha(text: str) -> str:
    return strategy_of(text, None).sha256


def test_a_bot_is_named_by_its_command(bot: Path, write: Write) -> None:
    write("words.txt", "one")
    for text, name, command in (
        ("cmd:./bot", "bot", ["HERE/bot"]),
        ("cmd:./bot --depth 3", "bot --depth 3", ["HERE/bot", "--depth", "3"]),
        ("cmd:  ./bot  '--say=(a: b)' ", "bot --say=(a: b)", ["HERE/bot", "--say=(a: b)"]),
        ("old=cmd:./bot --depth=3", "old", ["HERE/bot", "--depth=3"]),
        ("cmd:sh -u bot 9 words.txt", "bot 9 words.txt", ["sh", "-u", "HERE/bot", "9", "HERE/words.txt"]),
        ("cmd:sh -c 'echo no'", "sh -c echo no", ["sh", "-c", "echo no"]),
        (f"cmd:./bot {'x' * 50}", f"bot {'x' * 33}...", ["HERE/bot", "x" * 50]),
    ):
        strategy = strategy_of(text)
        assert (strategy.name, str(strategy), strategy.attribute, strategy.games) == (name, name, "", ())
        assert [word.replace(str(Path.cwd()), "HERE") for word in strategy.command] == command
        assert strategy.path == str(bot) if "HERE/bot" in command else shutil.which("sh")
    assert not Path("was-called").exists()


def test_words_are_files_of_the_folder_from_which_paths_are_taken(bot: Path, tmp_path: Path, write: Write) -> None:
    write("cup/bot", "another").chmod(0o755)
    assert strategy_of("cmd:./bot", folder=tmp_path / "cup").path == str(tmp_path / "cup" / "bot")
    assert strategy_of("cmd:./bot").path == str(bot)


def test_commands_that_name_no_bot_are_refused(bot: Path, write: Write) -> None:
    write("adir/plain")
    for text, words in (
        ("cmd:", "cmd:: there is no command"),
        ("cmd:''", "cmd:'': there is no command"),
        ("cmd:'./bot", "cmd:'./bot: it cannot be taken apart into words: No closing quotation"),
        ("cmd:./bott", "cmd:./bott: there is no file ./bott: misspelt, or not built yet?"),
        ("cmd:./adir", "cmd:./adir: there is no file ./adir"),
        ("cmd:adir/plain", "cmd:adir/plain: adir/plain cannot be executed: chmod +x adir/plain"),
        ("cmd:bot", "cmd:bot: no program 'bot' on the PATH; the file is ./bot"),
        ("cmd:no-such-program x", "cmd:no-such-program x: no program 'no-such-program' on the PATH"),
        ("cmd:./bot '\0'", "'\\x00' has characters that cannot be printed"),
        ("cmd:./bot 'a\nb'", "'a\\nb' has characters that cannot be printed"),
        ("cmd:./bot \ud800", "'\\ud800' has characters that cannot be printed"),
        ("a/b=cmd:./bot", "there is no such file"),
    ):
        with pytest.raises(StrategyError, match=re.escape(words)):
            plugins.find(text, "nap")


def test_a_bot_is_named_by_its_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for text in "./mine", "mine/", "mine/bot.toml", "./mine:mine", "new=./mine":
        strategy = strategy_of(text)
        assert strategy.name == ("new" if text[:3] == "new" else "mine") and strategy.games == ("nap", "loo")
        assert strategy.path == str(folder) and strategy.attribute == ""
        assert strategy.command == ("sh", str(folder / "bot.sh"), "--fast")
        assert strategy.settings == {"depth": 2, "style": "bold"} and strategy.parameters == ()
    assert not Path("was-called").exists()
    monkeypatch.chdir(folder)
    for text in "bot.toml", "./bot.toml", ".", "./", "bot.toml(depth=3)":
        assert strategy_of(text).name == "mine"


def test_it_plays_its_games_and_no_other(folder: Path) -> None:
    with pytest.raises(StrategyError, match="./mine does not play pope-joan; it plays loo, nap"):
        strategy_of("./mine", "pope-joan")
    with pytest.raises(StrategyError, match="no strategy in it is called other"):
        strategy_of("./mine:other")


def test_a_bot_without_games_plays_every_game(shell: Shell, write: Write) -> None:
    """It takes no parameters, as it names none."""
    for line in "", 'games = ["*"]', "games = []":
        write("mine/bot.toml", f'name = "mine"\ncommand = "sh"\n{line}\n')
        for game in "nap", "draw-poker":
            assert strategy_of("./mine", game).games == ()
    with pytest.raises(StrategyError, match="mine has no parameter depth: it takes none"):
        strategy_of("./mine(depth=3)")


def test_a_folder_of_strategies_may_hold_bots(folder: Path, write: Write) -> None:
    write("field/one.py", "def act(view):\n    return view.legal[0]\n")
    folder.rename("field/mine")
    write("field/.hidden/bot.toml", "1 / 0\n")
    write("field/_other/bot.toml", "1 / 0\n")
    write("field/two/__init__.py", "x = 1 / 0\n")
    write("field/two/bot.toml", 'name = "two"\ncommand = "sh"\n')
    assert [each.name for each in plugins.find("./field", "nap")] == ["one", "mine", "two"]


def test_given_parameters_replace_those_of_the_bot_toml(folder: Path) -> None:
    strategy = strategy_of("./mine(depth=3)")
    assert str(strategy) == "mine(depth=3)" and strategy.settings == {"depth": 3, "style": "bold"}
    assert strategy.sha256 == strategy_of("./mine").sha256 and strategy != strategy_of("./mine")
    words = r"mine has no parameter deph \(did you mean depth\?\): it takes depth, style"
    with pytest.raises(StrategyError, match=words):
        strategy_of("./mine(deph=3)")


def test_other_words_are_another_bot(bot: Path) -> None:
    texts = [
        f"cmd:{words}" for words in ("./bot", "./bot 3", "./bot 4", "./bot 3 4", "./bot '3 4'", "sh bot", "sh -u bot")
    ]
    assert len({sha(text) for text in texts}) == len(texts)
    assert sha("cmd:./bot  3") == sha("cmd:'./bot' 3") == sha("old=cmd:./bot 3")


def test_other_bytes_are_another_bot_and_those_of_each_word_count(bot: Path, write: Write) -> None:
    weights = write("weights.bin", "one")
    texts = "cmd:./bot weights.bin", "cmd:sh bot weights.bin"
    before = [sha(text) for text in texts]
    for file in bot, weights:
        held = file.read_text()
        file.write_text("another")
        assert [sha(text) != was for text, was in zip(texts, before, strict=True)] == [True, True]
        file.write_text(held)
    write("other.bin", "of no account")
    assert [sha(text) for text in texts] == before
    # A word that is a file differs from the word alone.
    one, other = write("one/weights", "one"), write("other/weights", "other")
    both = sha("cmd:./bot one/weights other/weights")
    one.write_text("other")
    other.write_text("one")
    assert sha("cmd:./bot one/weights other/weights") != both == sha("cmd:./bot other/weights one/weights")
    alone = sha("cmd:./bot 3")
    write("3", "")
    assert sha("cmd:./bot 3") != alone


def test_where_a_bot_lies_does_not_count(bot: Path, folder: Path, write: Write) -> None:
    write("weights.bin", "one")
    texts = "cmd:{}bot 3 {}weights.bin", "{}mine"
    before = [sha(text.format("./", "./")) for text in texts]
    deep = write("deep/er/notes").parent
    for name in "bot", "weights.bin", "mine":
        Path(name).rename(deep / name)
    for place in "deep/er/", f"{deep}/", "./deep/../deep/er/":
        assert [sha(text.format(place, place)) for text in texts] == before
    (deep / "bot").rename(deep / "boot")
    assert sha("cmd:deep/er/boot 3 deep/er/weights.bin") != before[0]


def test_an_interpreter_counts_by_its_name(bot: Path, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(write("bin/node", "one").parent))
    Path("bin/node").chmod(0o755)
    before, whole = sha("cmd:node bot"), sha("cmd:bin/node bot")
    Path("bin/node").write_text("another")
    assert sha("cmd:node bot") == before and sha("cmd:bin/node bot") != whole


def test_each_file_of_a_bot_toml_counts_with_its_name(folder: Path) -> None:
    before = sha("./mine")
    for name in "bot.sh", "weights.bin", "nets/deep/a.bin":
        held = (folder / name).read_text()
        (folder / name).write_text("another")
        assert sha("./mine") != before
        (folder / name).write_text(held)
        assert sha("./mine") == before
    (folder / name).rename(folder / "nets" / "deep" / "other")
    assert sha("./mine") != before


def test_only_the_play_that_a_bot_toml_sets_counts(folder: Path) -> None:
    before, about = sha("./mine"), folder / "bot.toml"
    text = about.read_text()
    for was, now, same in (
        ("depth = 2", "depth = 3", False),
        ("depth = 2", "depth = 2.0", False),
        ("--fast", "--slow", False),
        ('"weights.bin", ', "", False),
        ('"weights.bin", "nets"', '"nets", "weights.bin", "nets/deep"', True),
        ('"sh bot.sh --fast"', '["sh", "bot.sh", "--fast"]', True),
        ('"loo"', '"loto"', True),
        ('name = "mine"', 'name = "yours" # a note', True),
    ):
        about.write_text(text.replace(was, now))
        assert (sha("./mine") == before) is same, now


# A bot.toml that is wrong.

GOOD = 'name = "mine"\ncommand = "sh bot.sh"\n'


KEYS = "name, games, command, files, parameters"
OUTSIDE = "must lie in the folder of bot.toml"
WRONG = [  # a bot.toml, and how it is reported
    (GOOD + 'comand = "sh"', f":3: unknown key comand (did you mean command?): {KEYS}"),
    (GOOD + "[parameter]\ndepth = 2", ":3: unknown key parameter (did you mean parameters?)"),
    ('command = "sh bot.sh"', ": name is not there: a letter first, then letters, digits,"),
    ('name = "mine"', ': command is not there: a text, "node bot.js", or a list of its words'),
    (GOOD.replace("mine", "my bot"), ":1: name must be a letter first, then letters, digits,"),
    (GOOD.replace('"mine"', "5"), ":1: name must be a letter first, then letters, digits,"),
    (GOOD + 'games = "nap"', ":3: games must be a list of game ids, [\"nap\"], not 'nap'"),
    (GOOD + 'games = ["napp"]', ":3: 'napp' is no game (did you mean nap?)"),
    (GOOD + "files = [1]", ':3: files must be a list of file names, ["policy.bin"], not [1]'),
    (GOOD + 'files = ["wieghts.bin"]', ":3: files names 'wieghts.bin': no regular file next to bot.toml"),
    (GOOD + 'files = ["../mine/bot.sh"]', f":3: files names '../mine/bot.sh': it {OUTSIDE}"),
    (GOOD + "parameters = 5", ":3: parameters must be a table of texts, numbers, true or false,"),
    (GOOD + "[parameters]\nborn = 1891-01-01", ":3: parameters must be a table of texts, numbers,"),
    (GOOD + "[parameters]\nx = nan", ":3: parameters must be a table of texts, numbers,"),
    (GOOD + '[parameters]\n"a b" = 1', ":3: parameters must be a table of texts, numbers,"),
    (GOOD + "[parameters]\nx = { y = 1 }", ":3: parameters must be a table of texts, numbers,"),
    ('name = "mine"\n\ncommand = 5', ':3: command must be a text, "node bot.js", or a list of its words, not 5'),
    ('name = "mine"\ncommand = ["sh", 1]', ":2: command must be a text,"),
    ('name = "mine"\ncommand = []', ":2: command: there is no command"),
    ('name = "mine"\ncommand = "\'sh"', ":2: command: it cannot be taken apart into words: No closing quotation"),
    ('name = "mine"\ncommand = "./bot"', ":2: command: there is no file ./bot: misspelt, or not built yet?"),
    ('name = "mine"\ncommand = "./bot.sh"', ":2: command: ./bot.sh cannot be executed: chmod +x mine/bot.sh"),
    ('name = "mine"\ncommand = "bot.sh"', ":2: command: no program 'bot.sh' on the PATH; the file is ./bot.sh"),
    ('name = "mine"\ncommand = "../bot"', f":2: command: ../bot {OUTSIDE}, or be found on"),
    ('name = "mine"\ncommand = "/bin/sh"', f":2: command: /bin/sh {OUTSIDE}, or be found on"),
    ('name = "mine"\ncommand = ["sh", "a\\nb"]', ":2: command: 'a\\nb' has characters that cannot be printed"),
    ("name = mine\n", ": no TOML: Invalid value (at line 1, column 8)"),
    ("x = " + 5000 * "9", ": no TOML: Exceeds the limit"),
    ("x = " + 3000 * "[", ": too many brackets inside one another"),
    ("# " + 70_000 * "x", " cannot be read: it is larger than 64 KiB"),
    ('name = "\udcff"', ": no TOML: byte 0xff is not UTF-8"),
]


def test_a_wrong_bot_toml_is_reported_with_its_place(folder: Path, shell: Shell) -> None:
    Path("bot").write_text("")
    for text, words in WRONG:
        (folder / "bot.toml").write_bytes(text.encode("utf-8", "surrogateescape"))
        done = shell("play", "nap", "./mine", "random", "--dry-run")
        assert done.code == 66 and done.err.startswith(f"roundsim: mine/bot.toml{words}"), done.err
        assert done.err.count("\n") == 1


def test_a_wrong_one_of_a_folder_does_not_hinder_the_others(folder: Path, shell: Shell, write: Write) -> None:
    folder.rename("field")
    Path("field/bot.toml").rename(write("field/mine/x").parent / "bot.toml")
    write("field/good/bot.toml", 'name = "good"\ncommand = "sh"\n')
    done = shell("strategies", "./field")
    assert "good" in done.out and "field/mine/bot.toml:4: files names 'weights.bin'" in done.err


def test_a_tournament_file_is_no_strategy_and_python_in_a_bot_toml_is_not_executed(shell: Shell, write: Write) -> None:
    with pytest.raises(StrategyError, match="cup.toml is a tournament file: roundsim run"):
        plugins.find(str(write("cup.toml", GOOD)))
    write("empty/cup.toml", GOOD)
    write("notes.txt")
    words = r"no strategy in it \(a Python file, whose name ends in .py, a bot.toml, or"
    for text in "./empty", "./notes.txt":
        with pytest.raises(StrategyError, match=words):
            plugins.find(text)
    write("mine/bot.sh")
    write("mine/bot.toml", 'name = "mine"\ncommand = open("was-called", "w").name\n')
    for command in ["strategies", "./mine"], ["play", "nap", "./mine"], ["check", "./mine"]:
        assert shell(*command).code == 66 and not [*Path().rglob("was-called")]


def test_bots_are_listed_with_their_commands(bot: Path, folder: Path, shell: Shell) -> None:
    listed = shell("strategies", "cmd:./bot --depth 3", "./mine").out.splitlines()[1:]
    assert [re.split(r"  +", line)[::3] for line in listed] == [["bot --depth 3", "bot"], ["mine", "mine"]]
    (about,) = json.loads(shell("strategies", "./mine", "--format", "json").out)
    assert about["help"] == "A bot: sh ./mine/bot.sh --fast" and about["games"] == ["nap", "loo"]


def test_two_sets_of_words_at_one_table(bot: Path, folder: Path, shell: Shell) -> None:
    words = ["cmd:./bot 2", "cmd:./bot 3", "./mine", "./mine(depth=3)", "deep=cmd:./bot 9", "cmd:./bot 2"]
    done = shell("play", "nap", *words, "--dry-run")
    assert "strategies  bot 2, bot 3, mine, mine(depth=3), deep, bot 2#2\n" in done.out
    assert shell("play", "nap", "a=cmd:./bot 2", "a=cmd:./bot 3", "--dry-run").err.startswith(
        "roundsim: command line: two strategies are called a: cmd:./bot 2 and cmd:./bot 3; give them names,"
    )


def test_a_tournament_file_names_them_from_its_own_folder(folder: Path, shell: Shell, write: Write) -> None:
    write("cup/bot", "#!/bin/sh\n").chmod(0o755)
    folder.rename("cup/mine")
    file = write(
        "cup/cup.toml",
        """
        [tournament]
        strategies = ["cmd:./bot 3", { name = "deep", from = "cmd:./bot 9" }, "mine/(depth=3)", "random"]
        [[games]]
        game = "nap"
        """,
    )
    assert "strategies  bot 3, deep, mine(depth=3), random\n" in shell("run", file, "--dry-run").out
    file.write_text(file.read_text().replace("./bot 3", "./boot 3"))
    done = shell("run", file, "--dry-run")
    assert done.code == 64 and "cup.toml:2: cmd:./boot 3: there is no file ./boot" in done.err


@pytest.mark.parametrize("text", ["cmd:./bot --depth '3 4' words.txt", "./mine(depth=3)", "cmd:sh bot", "cmd:sh -c :"])
def test_specs_name_it_again(text: str, bot: Path, folder: Path, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    write("words.txt", "one")
    strategy = strategy_of(text)
    short, whole = plugins.spec(strategy, False), plugins.spec(strategy, True)
    assert str(Path.cwd()) not in short and strategy_of(short) == strategy
    assert bots.as_it_lies(strategy.path, strategy.command).sha256 == strategy.sha256
    monkeypatch.chdir("mine")
    assert strategy_of(whole) == strategy


def test_a_bot_is_never_loaded(bot: Path, folder: Path) -> None:
    for text, changed in ("cmd:./bot 3", bot), ("./mine", folder / "weights.bin"):
        strategy = strategy_of(text)
        with pytest.raises(PluginError, match="a bot plays in a separate process"):
            plugins.load_strategy(strategy)
        changed.write_text("another")
        with pytest.raises(PluginError, match="has changed since the run began"):
            plugins.load_strategy(strategy)
    assert not Path("was-called").exists()


def test_other_bots_make_other_runs(bot: Path, folder: Path, shell: Shell) -> None:
    """The name of the folder has a hash of all data that decides the deals."""
    words = ["play", "nap", "cmd:./bot 3", "./mine(depth=3)", "random", "--dry-run"]
    first = shell(*words).out
    assert shell(*words).out == first
    for changed in bot, folder / "weights.bin":
        changed.write_text("another")
        first, before = shell(*words).out, first
        assert first != before


def test_a_run_knows_them_again(bot: Path, folder: Path, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its run.toml says name, parameters and sha256; a run that grows is given them again, while they are the same."""
    cup = write(
        "cup.toml",
        """
        [tournament]
        strategies = ["cmd:./bot 3", "deep=cmd:./bot 9", "mine/(depth=3)", "old=./mine"]
        [[games]]
        game = "nap"
        deals = 16
        """,
    )
    tournament = load_tournament(cup)
    (entry,) = tournament.entries
    run = write("run/run.toml", tomli_w.dumps(runfile.data_of(tournament, "0")))
    (recorded,) = runfile.tournament(run, runfile.read_run_file(run)).entries
    assert recorded.labels == ["bot 3", "deep", "mine(depth=3)", "old"]
    assert [*map(strategy_identity, recorded.strategies)] == [*map(strategy_identity, entry.strategies)]
    sources = growth.sources_by_entry(tournament)["nap"]
    monkeypatch.chdir("/")

    def given() -> tuple[Strategy, ...]:
        named = [(each, text) for text in sources.values() for each in plugins.find(text, "nap")]
        return growth.found_again(recorded, named, sources)

    assert given() == entry.strategies
    (folder / "weights.bin").write_text("another")
    with pytest.raises(StrategyError, match="mine.depth=3. as it has played .* not installed here, so name it: "):
        given()
    with pytest.raises(StrategyError, match="bot 3 as it has played .* and 3 more: not installed here"):
        growth.found_again(recorded, [], sources)


def test_a_bot_out_of_git(folder: Path, git: Git) -> None:
    git("init", "-q", "-b", "main")
    git("add", "mine")
    git("commit", "-qm", "one")
    now = strategy_of("./mine(depth=3)")
    (folder / "weights.bin").write_text("another")
    then = strategy_of("git:HEAD:mine(depth=3)")
    assert then.sha256 == now.sha256 != strategy_of("./mine").sha256 and then.settings["depth"] == 3
