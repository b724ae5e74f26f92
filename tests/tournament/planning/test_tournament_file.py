"""The tournament file: every mistake at once, with its line and what was expected; and the tournament of a right one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import Shell, Write
from helpers.command import ROOT, one_in

from roundsim.base.errors import TournamentError
from roundsim.tournament.formats.round_robin import RoundRobin
from roundsim.tournament.planning import file
from roundsim.tournament.planning.plan import Tournament

pytestmark = pytest.mark.usefixtures("met")

TEN = """
    [tournament]
    name = "a/b"
    seed = "many"
    sed = 5
    strategies = ["book", "randum", "random(x=1)"]
    [limits]
    seconds = "long"
    memory = 1
    on_fault = "retry"
    on_faults = "abort"
    [[games]]
    game = "nap"
    times = 3
    players = 4
    options = { misry = true, kitty = "deeler" }
    [[games]]
    game = "napp"
    [[games]]
    game = "nap"
    players = 9
    strategies = ["random"]
    [[games]]
    deals = 0
    sitting = "x"
    game = "draw-poker"
    strategies = []
    [[games]]
    name = "twice"
    game = "pope-joan"
    strategies = ["book"]
    [[games]]
    game = "pope-joan"
    name = "twice"
    strategies = ["random"]
    [[games]]
    players = 4
    [output]
    folder = "here"
    """
MISTAKES = {
    2: "name must be a name for a folder, without slashes, not 'a/b'",
    3: "seed must be a whole number below 2**63, or 32 digits 0-9a-f, not 'many'",
    4: "unknown key sed (did you mean seed?)",
    5: "no strategy 'randum' (did you mean random?)",
    7: "seconds must be a number of seconds from 0.01 to 3600, not 'long'",
    8: "memory must be a whole number from 128 to 1048576, not 1",
    9: "on_fault must be forfeit or abort, not 'retry'",
    10: "unknown key on_faults (did you mean on_fault?)",
    13: "times belongs to format freeze-out",
    15: "kitty must be one of off, dealer, round, not 'deeler' (did you mean dealer?)",
    17: "no game 'napp' (did you mean nap?)",
    20: "9 players: nap is for 2 to 6",
    23: "deals must be a whole number from 1 to 1000000000000, not 0",
    24: "sitting must be a whole number from 1 to 1000000, not 'x'",
    26: "strategies must be a list of texts",
    33: "two entries are called 'twice'",
    35: "no key game: which one is played?",
    37: "unknown key output",
}


def problems(path: Path) -> list[str]:
    with pytest.raises(TournamentError) as error:
        file.load_tournament(path)
    return error.value.problems


def test_every_mistake_is_reported_at_once_with_its_line(write: Write, shell: Shell) -> None:
    path = write("ten.toml", TEN)
    done = shell("run", "ten.toml")
    assert done.code == 64 and not done.out and [each.name for each in path.parent.iterdir()] == ["ten.toml"]
    said = [line.removeprefix("roundsim: ").strip() for line in done.err.splitlines()]
    for line, words in MISTAKES.items():
        assert any(each.startswith(f"ten.toml:{line}: {words}") for each in said), (line, words)
    assert "ten.toml:15: nap has no option misry (did you mean misery?)" in said
    assert "ten.toml:5: random has no parameter x: it takes none" in said
    assert all(int(each.split(":")[1]) in MISTAKES for each in said), said
    assert len(said) == len({*said}) == len(MISTAKES) + 2


def one_game(**keys: str) -> str:
    """A file of one game of Nap with these keys, `tournament` and `limits` among them; line 4 is the first of its own."""
    top = keys.pop("tournament", 'strategies = ["book", "random"]')
    limits = f"[limits]\n{keys.pop('limits')}\n" if "limits" in keys else ""
    game = keys.pop("game", '"nap"')
    own = "".join(f"{key} = {value}\n" for key, value in keys.items())
    return f"[tournament]\n{top}\n[[games]]\n{own}game = {game}\n{limits}"


def with_top(lines: str) -> str:
    return one_game(tournament=f"{lines}\nstrategies = ['book']")


SEED = ":2: seed must be a whole number below 2**63, or 32 digits 0-9a-f"
FORMAT = ":2: format must be one of freeze-out, knock-out, progressive, round-robin"
WRONG: list[tuple[str, str]] = [
    ("", ": no [[games]]"),
    ("tournament = 1", ": tournament must be a table"),
    ("limits = []", ": limits must be a table"),
    ("games = 1", "games must be written [[games]]"),
    ("[games]\ngame = 'nap'", "games must be written [[games]]"),
    ("[[games]]\ngame = 'nap'", ": no strategies for nap"),
    (one_game(tournament="strategies = []"), ":2: strategies must be a list of texts"),
    (one_game(tournament="strategies = 'book'"), ":2: strategies must be a list of texts"),
    (one_game(tournament="strategies = [1]"), ":2: strategies must be a list of texts"),
    (one_game(tournament="strategies = ['book(']"), ":2: 'book(' is not a strategy"),
    (one_game(tournament="strategies = ['book(1)']"), ":2: 'book(1)': parameters are written key=value"),
    (one_game(tournament="strategies = ['book(blod=1)']"), ":2: book has no parameter blod (did you mean bold?)"),
    (with_top("format = 'chess'"), FORMAT),
    (with_top("format = []"), FORMAT),
    (with_top("name = ''"), ":2: name must be"),
    (with_top("name = '..'"), ":2: name must be"),
    (with_top("name = 'a\\b'"), ":2: name must be"),
    (with_top("name = 3"), ":2: name must be"),
    (with_top("seed = -1"), SEED),
    (with_top("seed = true"), SEED),
    (one_game(name='"a/b"'), ":4: name must be a name for a folder"),
    (one_game(name='"."'), ":4: name must be a name for a folder"),
    (one_game(deals="1.5"), ":4: deals must be a whole number"),
    (one_game(deals="true"), ":4: deals must be a whole number"),
    (one_game(players='"two"'), ":4: players must be a whole number"),
    (one_game(players="1"), ":4: 1 player: nap is for 2 to 6"),
    (one_game(options="[]"), ":4: options must be a table"),
    (one_game(options="{ misery = 1 }"), ":4: misery must be true or false, not 1"),
    (one_game(options="{ stake = 0 }"), ":4: stake must be a whole number from 1 to 1000000, not 0"),
    (one_game(options="{ pack = [] }"), ":4: pack must be one of"),
    (one_game(max_deals="3"), ":4: max_deals belongs to format freeze-out"),
    (one_game(playrs="3"), ":4: unknown key playrs (did you mean players?)"),
    (one_game(game="3"), ":4: no game '3'"),
    (one_game(limits="seconds = 0"), ":6: seconds must be a number of seconds from 0.01"),
    (one_game(limits="seconds = nan"), ":6: seconds must be a number of seconds from 0.01"),
    (one_game(limits="seconds = true"), ":6: seconds must be a number of seconds from 0.01"),
    (one_game(limits="faults_allowed = -1"), ":6: faults_allowed must be a whole number from 0"),
    (one_game(limits="placed_within = 1.5"), ":6: placed_within must be a share from 0 to 1, such as 0.01"),
    (one_game(limits='placed_within = "1 %"'), ":6: placed_within must be a share from 0 to 1, such as 0.01"),
    (one_game(limits="memory = 1.5"), ":6: memory must be a whole number from 128"),
]


def test_each_mistake_is_reported(write: Write) -> None:
    for text, words in WRONG:
        found = problems(write("t.toml", text))
        assert any(f"t.toml{words}" in each or words in each for each in found), (text, found)
    for options in "{ misery = true, pack = 17 }", '{ pack = "52", cards = 99 }', "{ duplicates = true }":
        name = options.rsplit("=", 1)[0].split()[-1]
        found = problems(write("t.toml", one_game(options=options)))
        assert any(":4: " in each and name in each for each in found), found
    table = "[games.options]\nmisery = true\nkitti = 1\n"
    path = write("t.toml", f'[tournament]\nstrategies = ["book"]\n[[games]]\ngame = "nap"\n{table}')
    assert problems(path) == [f"{path}:7: nap has no option kitti (did you mean kitty?)"]
    bad = {"a = 1\n[tournament\n": 2, "[tournament]\nname = \n": 2, 'x = "\n\n': 1, "[a]\n[b]\n[a]\n": 3}
    for text, line in bad.items():
        (problem,) = problems(write("t.toml", text))
        assert "no TOML" in problem and (f"t.toml:{line}:" in problem or f"line {line}," in problem)
    said = [each.split("t.toml", 1)[1] for each in problems(write("t.toml", FREEZE_OUT))]
    for start in (
        ":5: nap has no stacks and cannot be played as a freeze-out",
        ":7: draw-poker has no stacks with these options and cannot be played as a freeze-out",
        ":12: max_seats = 12: draw-poker is for 2 to 8",
        ":13: stack is set by the format freeze-out itself",
        ":13: freeze_out is set by the format freeze-out itself",
        ":13: draw-poker has no option rebuy",
        ":17: a freeze-out needs 2 strategies at least",
        ":22: deals belongs to format knock-out or round-robin",
        ":23: sitting belongs to format knock-out or round-robin",
        ":24: players belongs to format knock-out or round-robin",
        ":25: times must be a whole number from 1",
        ":26: stack must be a whole number from 2",
        ":30: cave is set by the format freeze-out itself",
        ":30: rebuy is set by the format freeze-out itself",
    ):
        assert any(each.startswith(start) for each in said), (start, said)
    assert all(each.startswith(":") for each in said), said


UTF_16 = "it is in UTF-16, and must be in UTF-8: iconv -f UTF-16 -t UTF-8 converts it"
LATIN_1 = "byte 0xe9 is not UTF-8: save it as UTF-8; iconv -f LATIN1 -t UTF-8 converts Latin-1"


@pytest.mark.parametrize("command", ["run t.toml", "replay t.toml", "play nap bot.toml random", "claims ./t.toml"])
def test_toml_in_another_encoding_is_refused_with_a_conversion(command: str, shell: Shell, write: Write) -> None:
    path = write("bot.toml" if "bot" in command else "t.toml")
    for encoding, line, words in ("utf-16", "", UTF_16), ("utf-16-le", "", UTF_16), ("latin-1", ":2", LATIN_1):
        path.write_bytes("name = 1\nwho = 'André'\n".encode(encoding))
        done = shell(*command.split())
        assert done.code in (64, 65, 66) and f"no TOML: {words}" in done.err, done
        assert "run" not in command or f"t.toml{line}: " in done.err


def test_mistakes_next_to_a_plugin_that_cannot_be_loaded_are_reported_too(write: Write, shell: Shell) -> None:
    write("broken.py", "1 / 0\n")
    write("t.toml", one_game(tournament='sed = 1\nstrategies = ["./broken.py", "randum"]'))
    done = shell("run", "t.toml")
    assert done.code in (64, 66)
    for words in ("ZeroDivisionError", "unknown key sed", "no strategy 'randum'"):
        assert words in done.err
    write("only.py", 'games = ["pope-joan"]\ndef act(view):\n    return view.legal[0]\n')
    (problem,) = problems(write("t.toml", one_game(tournament='strategies = ["./only.py"]')))
    assert problem.endswith("t.toml:2: ./only.py does not play nap; it plays pope-joan")


FREEZE_OUT = """
    [tournament]
    format = "freeze-out"
    strategies = ["book", "random", "random"]
    [[games]]
    game = "nap"
    [[games]]
    game = "draw-poker"
    name = "no stacks"
    [[games]]
    game = "draw-poker"
    name = "set"
    max_seats = 12
    options = { stakes = "table", stack = 5, freeze_out = true, rebuy = true }
    [[games]]
    game = "draw-poker"
    name = "alone"
    strategies = ["book"]
    options = { stakes = "table" }
    [[games]]
    game = "draw-poker"
    name = "unit"
    deals = 10
    sitting = 3
    players = 3
    times = 0
    stack = 1
    options = { stakes = "table" }
    [[games]]
    game = "bouillotte"
    options = { cave = 5, rebuy = true }
    """


def load(write: Write, text: str, **overrides: Any) -> Tournament:
    return file.load_tournament(write("t.toml", text), file.GivenSettings(**overrides))


def test_defaults_and_overrides(write: Write) -> None:
    path = write("t.toml", one_game())
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())  # a byte order mark changes nothing
    tournament = file.load_tournament(path)
    (entry,) = tournament.entries
    assert (tournament.name, tournament.format, tournament.seed) == ("t", "round-robin", 1)
    assert (entry.name, entry.format, entry.blocks) == ("nap", RoundRobin(players=2, sitting=2), 250)
    limits = tournament.limits
    assert (limits.seconds, limits.memory, limits.on_fault, limits.faults_allowed) == (1.0, 1024, "forfeit", 0)
    assert limits.placed_within == 0.01
    for strategies, players in (1, 4), (2, 2), (6, 6), (7, 4):
        (entry,) = load(write, one_game(tournament=f"strategies = {['random'] * strategies}")).entries
        assert entry.format.seats == players
    (entry,) = load(write, one_game(players="3", deals="20", sitting="4")).entries  # rounded up to whole blocks
    assert entry.blocks == 2 and entry.format.units(entry) == 12
    for more, limit in ("", 0.0), ("placed_within = 0.02", 0.02), ("placed_within = 1", 1.0):
        text = one_game(tournament='strategies = ["book", "random"]', limits=more, deals="4000")
        assert load(write, GATE + text).limits.placed_within == limit
    text = one_game(tournament='seed = 5\nstrategies = ["book"]', deals="10")
    assert load(write, text).seed == 5
    changed = load(write, text, seed=6, amount=("deals", 100))
    assert changed.seed == 6 and changed.entries[0].blocks == 7
    text = one_game(strategies='["random", "random", "book(bold=1)", "book", "random"]', tournament="seed = 3")
    assert load(write, text).entries[0].labels == ["random", "random#2", "book(bold=1)", "book", "random#3"]


GATE = '[gate]\nmine = "book"\nbaseline = "random"\n'


def test_paths_are_taken_from_the_folder_of_the_file(write: Write, shell: Shell) -> None:
    write("deep/mine.py", "def act(view):\n    return view.legal[0]\n")
    path = write("deep/t.toml", one_game(tournament='strategies = ["mine.py", "./mine.py"]'))
    assert [each.name for each in file.load_tournament(path).entries[0].strategies] == ["mine", "mine"]
    assert shell("run", "deep/t.toml", "--dry-run").code == 0


def test_the_folder_name_follows_from_all_that_decides_the_deals(write: Write) -> None:
    mine = write("mine.py", "def act(view):\n    return view.legal[0]\n")
    strategies = 'strategies = ["mine.py"]'

    def name(top: str = strategies, **keys: str) -> str:
        return load(write, one_game(tournament=top, **keys)).folder_name()

    first = name()
    assert first.startswith("t-") and len(first) == 8
    assert name(deals="50000") == name(limits="faults_allowed = 9") == first
    names = [
        name(f"{strategies}\nseed = 2"),
        name(players="3"),
        name(sitting="3"),
        name(name='"other"'),
        name(options="{ misery = true }"),
        name(limits='on_fault = "abort"'),
        name('strategies = ["mine.py", "mine.py"]'),
    ]
    mine.write_text("def act(view):\n    return view.legal[-1]\n")
    names.append(name())
    assert len({first, *names}) == 9


@pytest.mark.parametrize("path", one_in(5, sorted((ROOT / "tournaments").glob("*.toml"))), ids=lambda path: path.name)
def test_the_tournaments_that_come_along_can_be_loaded(path: Path) -> None:
    assert file.load_tournament(path).entries
