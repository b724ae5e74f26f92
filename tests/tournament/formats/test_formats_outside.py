"""A third-party format: from a file and from an entry point, through the command line."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import Shell, Write
from helpers.command import ROOT, contents, roundsim, seldom
from helpers.run_files import run_data, write_run_data

from roundsim.base.errors import PluginError
from roundsim.base.finding import sha256
from roundsim.bridges.dask_sources import bytes_of, pack_tournament, unpack_tournament
from roundsim.tournament import formats
from roundsim.tournament.planning.file import read_tournament
from roundsim.tournament.planning.key_lines import KeyLines

pytestmark = pytest.mark.usefixtures("here")

PAGE = (ROOT / "docs" / "formats.md").read_text("utf-8")
KING = PAGE.partition("```python\n")[2].partition("```")[0]
WHOLE = (ROOT / "tests" / "outside" / "king" / "king.py").read_text("utf-8")  # without `MatchFormat`
ONE_SITTING = '''
from dataclasses import dataclass
from roundsim.format import RoundRobin, key

@dataclass(frozen=True)
class OneSitting(RoundRobin):
    """A block is one sitting: nobody moves up."""

    extra: int = key("a key that changes nothing", 0, 9, 2)

    name = "one-sitting"
    def units(self, entry):
        return self.sitting
    @property
    def parts(self):
        return 1
    def stages(self, blocks):
        yield 1, blocks
'''
PLAY = "play", "nap", "book", "random", "random"


@pytest.fixture
def king(write: Write, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The format of the docs, in the current folder."""
    path = write("king.py", KING)
    monkeypatch.chdir(path.parent)
    return path


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in another process."""
    monkeypatch.setattr(formats.FORMATS, "outside", {})
    monkeypatch.setattr(formats.FORMATS, "files", {})


def deals_of(run: str, shell: Shell, *words: str) -> list[str]:
    return [line for line in shell("log", run, *words).out.splitlines() if line[0] != "="]


def test_a_run_goes_on_grows_and_is_verified(king: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three strategies are two matches of four deals on each hill."""
    done = shell(*PLAY, "--as", "king.py", "--times", 6, "--out", "run")
    assert done.code == 0 and "Nap · king of the hill, 3 players · 6 hills, 48 deals" in done.out
    assert "--as king.py --seed 1 --times 6" in done.out
    whole = contents(Path("run"))
    forget(monkeypatch)
    for shard in Path("run", "log", "nap").iterdir():
        if int(shard.stem) > 3:
            shard.unlink()
    again = shell(*PLAY, "--as", "king.py", "--times", 6, "--out", "run")
    assert again.code == 0 and contents(Path("run")) == whole
    forget(monkeypatch)
    assert "48 deals verified" in shell("verify", "run", "--as", "king.py").out
    forget(monkeypatch)
    assert "matches won" in shell("standings", "run", "--as", "king.py").out
    assert len(deals_of("run", shell, "--as", "king.py")) == 48
    grown = shell("grow", "run", "--times", 9, "--as", "king.py:King")
    assert grown.code == 0 and "9 hills, 72 deals" in grown.out
    forget(monkeypatch)
    one = shell(*PLAY, "--as", "king.py", "--times", 9, "--out", "nine")
    assert one.code == 0 and contents(Path("nine", "log")) == contents(Path("run", "log"))


def test_the_same_format_without_its_base_plays_the_same(king: Path, shell: Shell) -> None:
    deals = list[list[str]]()
    for text, out in (KING, "run"), (WHOLE, "whole"):
        king.write_text(text)
        done = shell(*PLAY, "--as", "king.py", "--times", 3, "--out", out)
        assert done.code == 0 and "Nap · king of the hill, 3 players · 3 hills, 24 deals" in done.out
        deals.append(deals_of(out, shell, "--as", "king.py"))
    assert deals[0] == deals[1] and len(deals[0]) == 24


def test_a_tournament_file_names_it_and_its_parts_are_merged(king: Path, write: Write, shell: Shell) -> None:
    top, game = '[tournament]\nformat = "{}"\nstrategies = ["book", "random"]\n', '[[games]]\ngame = "nap"\n'
    text = f"{top}{game}match = 2\ntimes = 3\n"
    write("hill.toml", text.format("king-of-the-hill"))
    done = shell("run", "hill.toml", "--as", "king.py", "--out", "run")
    assert done.code == 0 and "3 hills, 6 deals" in done.out
    write("wrong.toml", text.format("king-of-the-hil"))
    wrong = shell("run", "wrong.toml", "--as", "king.py")
    assert wrong.code == 64
    assert re.search(r"wrong.toml:2: format must be one of .*, king-of-the-hill, .*did you mean king-of-", wrong.err)
    write("path.toml", text.format("king.py"))
    wrong = shell("run", "path.toml")
    assert "path.toml:2: 'king.py' is a file: write the name of its format, and name the file with --as" in wrong.err
    wrong = shell("run", "hill.toml", "--as", "king-of-the-hill")
    assert wrong.code == 64 and "a run or a tournament file says its format itself" in wrong.err
    words = *PLAY, "--as", "king.py", "--times", 5
    assert shell(*words, "--out", "whole").code == 0
    for part in "1/2", "2/2":
        assert shell(*words, "--shard", part, "--out", f"part{part[0]}").code == 0
    assert shell("merge", "part1", "part2", "--out", "merged", "--as", "king.py").code == 0
    assert contents(Path("merged")) == contents(Path("whole"))


def test_the_page_has_its_section(king: Path, shell: Shell) -> None:
    """The king at the end is, by the log, the winner of the last match of each hill."""
    shell(*PLAY, "--as", "king.py", "--times", 5, "--out", "run", "--report")
    kings = dict.fromkeys(("book", "random", "random#2"), 0)
    for hill in range(1, 6):
        match = [json.loads(line) for line in shell("log", "run", "--format", "json").out.splitlines()]
        match = [deal for deal in match if deal["deal"].startswith(f"nap/{hill}/2/")]
        ahead = sum(deal["net"][0] - deal["net"][1] for deal in match)
        kings[match[0]["seats"][0 if ahead >= 0 else 1]] += 1
    text = Path("run", "report.html").read_text()
    rows = re.findall(r'<tr><th scope="row">([^<]+)</th><td>(\d)</td></tr>', text)
    assert dict(rows) == {name: str(n) for name, n in kings.items() if n}
    assert "roundsim play nap book random random --as FILE --seed 1 --times 5 --out run" in text


def test_one_without_a_section_has_a_page_and_a_broken_section_is_reported(king: Path, shell: Shell) -> None:
    for number, text in enumerate([WHOLE.replace("    section = LastKings\n", ""), KING.partition("    def shown")[0]]):
        king.write_text(text)
        assert shell(*PLAY, "--as", "king.py", "--times", 2, "--out", f"bare{number}", "--report").code == 0
        assert "King at the end" not in Path(f"bare{number}", "report.html").read_text()
    king.write_text(WHOLE.replace("{{ hills }}", "{{ hill }}"))
    done = shell(*PLAY, "--as", "king.py", "--times", 2, "--out", "run", "--report")
    assert done.code == 66
    assert "the section of king-of-the-hill cannot be shown: UndefinedError: 'hill' is undefined" in done.err


MATCHES = """
from dataclasses import dataclass
from roundsim.format import MatchFormat, Shown

@dataclass(frozen=True)
class Odd(MatchFormat):
    name = "odd"
    scored = "points"

    def sits(self, players):
        SITS

    def score(self, players, played):
        return SCORE

    def shown(self, blocks):
        return None
"""
SITS, SCORE = "yield players[0], players[1]", "[len(played)] * len(players)"
MISTAKES = [  # what `sits` does, what `score` returns, and the message
    ("return [players[:2]]", SCORE, "sits returns [(1, 2)]; it must yield who sits down for each match"),
    ("yield from ()", SCORE, "sits yields no match"),
    ("yield players[:1]", SCORE, "sits yields (1,), not 2 different players of the block"),
    ("yield players[0]", SCORE, "sits yields 1, not 2 different players"),
    ("yield players", SCORE, "sits yields (1, 2, 0), not 2 different players"),
    ("yield players[0], players[0]", SCORE, "sits yields (1, 1), not 2 different players"),
    ("yield [], {}", SCORE, "sits yields ([], {}), not 2 different players"),
    ("yield players[0], True", SCORE, "sits yields (1, True), not 2 different players"),
    ("yield players[0], 7", SCORE, "sits yields (1, 7), not 2 different players"),
    (SITS, "[1, 2]", "score returns [1, 2], not 3 whole numbers, one a player"),
    (SITS, "[1] * 4", "score returns [1, 1, 1, 1], not 3 whole numbers"),
    (SITS, "{player: 1 for player in players}", "score returns {1: 1, 2: 1, 0: 1}, not 3 whole numbers"),
    (SITS, "[0.5] * 3", "score returns [0.5, 0.5, 0.5], not 3 whole numbers"),
    (SITS, "[True] * 3", "score returns [True, True, True], not 3 whole numbers"),
    (SITS, "[10**40] * 3", "not 3 whole numbers"),
    (SITS, "None", "score returns None, not 3 whole numbers"),
]


@pytest.mark.parametrize(("sits", "score", "words"), MISTAKES)
def test_a_mistake_in_a_match_format_is_its_authors(
    sits: str, score: str, words: str, write: Write, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The players of the first block are drawn in the order 1, 2, 0."""
    monkeypatch.chdir(write("odd.py", MATCHES.replace("SITS", sits).replace("SCORE", score)).parent)
    done = shell(*PLAY, "--as", "odd.py", "--times", 1, "--out", "run", "--jobs", 1)
    assert done.code == 66 and done.err.startswith("roundsim: odd.py: Odd: ") and words in done.err
    assert not Path("run", "bug.toml").exists()


def test_a_format_that_raises_before_a_deal_leaves_no_script(write: Write) -> None:
    text = MATCHES.replace("SITS", "raise ValueError('nobody')\n        yield").replace("SCORE", SCORE)
    folder = write("odd.py", text).parent
    done = roundsim(*PLAY, "--as", "odd.py", "--times", 1, "--out", "run", "--jobs", 1, cwd=folder, code=70)
    assert "this is a bug of odd.py" in done.stderr and "ValueError: nobody" in done.stderr
    assert "bug.toml" not in done.stderr and not (folder / "run" / "bug.toml").exists()


@pytest.mark.parametrize("players", ["1", "'two'", "2.0", "True", "25"])
def test_a_wrong_number_of_players_is_refused(
    players: str, write: Write, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = MATCHES.replace('scored = "points"', f'scored = "points"\n    players = {players}')
    monkeypatch.chdir(write("odd.py", text.replace("SITS", SITS).replace("SCORE", SCORE)).parent)
    done = shell(*PLAY, "--as", "odd.py", "--times", 1)
    assert done.code == 66 and "Odd: players must be a whole number from 2 to 24" in done.err


def test_counters_left_in_a_pool_count_and_a_block_may_leave_somebody_out(
    write: Write, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At Pope Joan most deals leave counters in the pools: the end of the match shares them. The report shows the same."""
    table = 'Shown("Nets", ("sum",), [(sum(sum(match.nets) for block in blocks for match in block),)])'
    text = (
        MATCHES.replace("SITS", SITS)
        .replace("SCORE", "[sum(played[0].nets)] * 3")
        .replace("return None", f"return {table}")
    )
    monkeypatch.chdir(write("odd.py", text).parent)
    words = "play", "pope-joan", "random", "random", "random", "--as", "odd.py"
    assert shell(*words, "--times", 12, "--out", "run", "--report").code == 0
    log = shell("log", "run", "--as", "odd.py").out
    assert "/end" in log
    rows = json.loads(Path("run", "standings.json").read_text())["games"][0]["rows"]
    assert [row["score"] for row in rows] == [0.0] * 3
    assert '<tr><th scope="row">0</th></tr>' in Path("run", "report.html").read_text()
    assert "verified" in shell("verify", "run", "--as", "odd.py").out


@pytest.mark.parametrize("name", ["cross", *seldom("game", "formats", "king")])
def test_its_name_is_no_part_of_the_page(name: str, king: Path, shell: Shell) -> None:
    king.write_text(KING.replace("king-of-the-hill", name))
    assert shell(*PLAY, "--as", "king.py", "--times", 2, "--out", "run", "--report").code == 0
    assert "King at the end" in Path("run", "report.html").read_text()


def test_a_run_without_its_source_is_refused(king: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell(*PLAY, "--as", "king.py", "--times", 2, "--out", "run")
    recorded = {"module": "king.py:King", "sha256": sha256(king)}
    assert run_data(Path("run"))["format_source"] == recorded
    was = f"king-of-the-hill is a format from a file, king.py with sha256 {recorded['sha256'][:8]}...; "
    forget(monkeypatch)
    for words in "verify run", "standings run", "log run", "grow run --times 9", "report run":
        done = shell(*words.split())
        assert done.code == 65
        assert done.err == f"roundsim: run/run.toml: {was}it is loaded only if you name that file: --as king.py\n"
    king.write_text(KING + "\n# changed\n")
    again: tuple[str | int, ...] = (*PLAY, "--as", "king.py", "--times", 2, "--out", "run")
    for changed in ("verify", "run", "--as", "king.py"), again:
        done = shell(*changed)
        assert done.code == 65
        now = f"what is here under that name has another source, with sha256 {sha256(king)[:8]}..."
        assert done.err == f"roundsim: run/run.toml: {was}{now}\n"
    assert shell(*PLAY, "--as", "king.py", "--times", 2).code == 0  # the changed one has a folder of its own


def test_a_forged_source_is_not_imported(king: Path, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    shell(*PLAY, "--as", "king.py", "--times", 2, "--out", "run")
    words = "holds a different run: format is 'king-of-the-hill' there, 'round-robin' here"
    done = shell(*PLAY, "--deals", 9, "--out", "run")
    assert done.code == 73 and words in done.err
    for source, words in (
        (None, "damaged: format = 'king-of-the-hill' is none of roundsim's, and has no source"),
        ({"module": "king.py:King"}, "damaged: format_source.sha256 is not there"),
        ({"module": 5, "sha256": "0"}, "damaged: format_source.module = 5"),
    ):
        data = run_data(Path("run"))
        data.pop("format_source", None)
        write_run_data(Path("run"), {**data, **({"format_source": source} if source else {})})
        done = shell("standings", "run", "--as", "king.py")
        assert done.code == 65 and done.err == f"roundsim: run/run.toml: {words}\n"
    forget(monkeypatch)
    evil = king.with_name("evil.py")
    evil.write_text(f"{KING}\nopen({str(king.with_name('ran'))!r}, 'w')\n")
    source = {"module": f"{evil}:King", "sha256": sha256(evil)}
    write_run_data(Path("run"), {**data, "format_source": source})
    assert shell("verify", "run").code == shell("verify", "run", "--as", "king.py").code == 65
    assert not king.with_name("ran").exists()


def wrong_files() -> Iterator[tuple[str, str, int]]:
    """Yield the text of the file, the message and the exit code."""
    yield WHOLE.replace("class King(", "class King(("), "king.py cannot be loaded: SyntaxError", 66
    yield "import roundsim\n", "king.py: there is no format in it: a class of Format with a `name`", 64
    yield "from roundsim.format import RoundRobin\n", "king.py: there is no format in it", 64
    other = '\n\nclass Queen(King):\n    name = "queen"\n'
    yield WHOLE + other, "king.py: there is the formats King, Queen: name one, king.py:King in it", 64
    yield WHOLE.replace("king-of-the-hill", "round-robin"), "King has the name 'round-robin', which another format", 66
    yield WHOLE.replace("king-of-the-hill", "../king"), "King has the name '../king': it must be letters and digits", 66
    yield WHOLE.replace("    unit =", "    unitt =", 1), "King must say its unit, a str (did you mean unitt?)", 66
    yield WHOLE.replace("    def plan(", "    def plans("), "King has no method plan (did you mean plans?)", 66
    yield WHOLE.replace("match: int = key(", "match: int = tuple(("), "king.py cannot be loaded: SyntaxError", 66
    yield WHOLE.replace('key("deals in a match", 1, 1000, 4)', "4"), "King: match is no key: declare it with key()", 66
    yield WHOLE.replace("match", "blocks"), "King: no key of its own can be called blocks: every entry has that key", 66
    yield WHOLE.replace('"--times"', '"--hills"'), "has the amount 'times' and the flag '--hills': write ", 66
    bare = WHOLE.replace("@dataclass(frozen=True)\nclass King", "class King")
    yield bare, "King has keys and is no dataclass: write @dataclass(frozen=True) above it", 66
    yield KING.replace("def score", "def scores"), "King has no method score (did you mean scores?)", 66
    yield KING.replace("    scored =", "    score_of ="), "King must say its scored, a str (did you mean score_of?)", 66


def test_mistakes_in_a_file_are_reported(king: Path, shell: Shell) -> None:
    every = "freeze-out, knock-out, progressive, round-robin, shadow, sittings"
    for name, words in (
        ("kong.py", "kong.py: there is no such file or package"),
        ("king.py:Kin", "king.py: no format Kin (did you mean King?) in it"),
        ("king", f"must be one of {every}, not 'king'"),
    ):
        assert words in shell(*PLAY, "--as", name).err
    assert "kong.py: there is no such file or package" in shell("verify", "run", "--as", "kong.py").err
    for text, words, code in wrong_files():
        king.write_text(text)
        done = shell(*PLAY, "--as", "king.py", "--times", 2)
        assert done.code == code and words in done.err, done.err


def test_a_variant_has_amounts_and_the_section_of_its_parent(
    write: Write, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A block is one sitting of three deals: 400 deals are 134 blocks, 402 deals.  A key of its own is read, too."""
    monkeypatch.chdir(write("one.py", ONE_SITTING).parent)
    done = shell("play", "nap", *["random"] * 3, "--as", "one.py", "--deals", 400, "--out", "run")
    assert done.code == 0 and len(deals_of("run", shell)) == 402
    data = run_data(Path("run"))["games"][0]
    assert (data["blocks"], data["extra"]) == (134, 2)
    grown = shell("grow", "run", "--deals", 500, "--as", "one.py")
    assert grown.code == 0 and len(deals_of("run", shell)) == 501
    parent = "from roundsim.format import FreezeOut\n\n"
    short = f"{parent}class Short(FreezeOut):\n    name = 'short'\n"
    monkeypatch.chdir(write("short.py", short).parent)
    write("none.py", short.replace("Short", "Bare").replace("short", "bare") + "    section = None\n")
    words = "play", "draw-poker", "book", "random", "--option", "stakes=table", "--times", 1, "--report", "--as"
    for name, there in ("short", True), ("none", False):
        assert shell(*words, f"{name}.py", "--out", name).code == 0
        assert ("Places, and who stays in" in Path(name, "report.html").read_text()) == there


def test_it_travels_unless_it_has_changed(king: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = {"tournament": {"format": formats.named("king.py").name, "strategies": ["book", "random"]}}
    here = read_tournament({**data, "games": [{"game": "nap", "times": 3}]}, KeyLines("test"), Path())
    packed, sent = bytes_of(pack_tournament(here)), pickle.dumps(here)
    king.write_text(KING + "\n# changed\n")
    with pytest.raises(PluginError, match=r"king\.py has changed since the run began"):
        pickle.loads(sent)
    king.unlink()
    forget(monkeypatch)
    (tmp_path / "there").mkdir()
    there = unpack_tournament(pickle.loads(packed), tmp_path / "there")
    origin = there.entries[0].format.origin
    assert origin and Path(origin.path).is_relative_to(tmp_path / "there")
    assert there.identity() == here.identity()


def test_an_entry_point_has_a_name(king: Path, write: Write, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    write("a-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: a\nVersion: 1.0\n")
    points = "king-of-the-hill = king:King", "gone = gone:Gone", "queen = king:King"
    write("a-1.0.dist-info/entry_points.txt", "\n".join(["[roundsim.formats]", *points]))
    monkeypatch.syspath_prepend(king.parent)
    monkeypatch.setattr(formats.FORMATS, "found", {})
    formats.FORMATS.__dict__.pop("_installed", None)
    try:
        done = shell(*PLAY, "--as", "king-of-the-hill", "--times", 2, "--out", "run")
        assert done.code == 0 and "2 hills, 16 deals" in done.out
        assert "16 deals verified" in shell("verify", "run").out
        assert shell(*PLAY, "--as", "king.py", "--times", 2, "--out", "run").code == 0  # the same source
        assert "entry point gone of roundsim.formats: there is no module gone" in shell(*PLAY, "--as", "gone").err
        words = "the name of King is 'king-of-the-hill': give the entry point that"
        assert f"entry point queen of roundsim.formats: {words}" in shell(*PLAY, "--as", "queen").err
        assert shell(*PLAY, "--deals", 9, "--out", "plain").code == 0  # nobody has asked for those
    finally:
        formats.FORMATS.__dict__.pop("_installed", None)
