"""A league as its organiser holds it: rounds, versions, who is left out, kills, clones that merge, and what verify finds."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Outcome, Shell, Write
from helpers.command import assert_same, drawn

from roundsim.league.rounds import rounds_of
from roundsim.league.rules import league_rules
from roundsim.league.standings import Faults, LeagueGame, Version
from roundsim.tournament.storage.writing import write_aside

RULES = """
    title = "A small league"
    [round]
    deals = 64
    least = 10
    idle = 30
    [limits]
    isolate = "off"
    [[games]]
    game = "nap"
    players = 3
    """
ENTRY = "games = ['nap']\n\ndef act(view):\n    return {}\n"
FIRST, LAST = ENTRY.format("view.legal[0]"), ENTRY.format("view.legal[-1]")
MIDDLE = ENTRY.format("view.legal[len(view.legal) // 2]")
BAD = ENTRY.format("'nonsense'")

pytestmark = pytest.mark.usefixtures("here")


@pytest.fixture(autouse=True)
def checked_in_few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("roundsim.league.field.CHECKED", 16)


@pytest.fixture
def hold(shell: Shell, write: Write) -> Callable[..., Outcome]:
    """Begin a league of two entries, and return what holds a round of it."""
    write("lg/league.toml", RULES)
    write("lg/entries/ann.py", FIRST)
    write("lg/entries/ben.py", LAST)
    (Path("lg/salt")).write_text("0 1 2 3\n")
    return lambda *words: shell("league", "lg", "--jobs", 1, "--salt-from", "lg/salt", *words)


def record(number: int, folder: str = "lg") -> dict[str, Any]:
    (path,) = Path(folder).glob(f"rounds/{number:04d}-*/round.toml")
    return tomllib.loads(path.read_text())


def standings(folder: str = "lg") -> dict[str, dict[str, Any]]:
    data = json.loads(Path(folder, "site/standings.json").read_text())
    return {row["name"]: row for row in data["tables"][-1]["rows"]}


def names(number: int) -> list[str]:
    return [each["name"] for each in record(number)["field"]]


def left_out(number: int) -> dict[str, str]:
    return {each["name"]: each["reason"] for each in record(number)["left_out"]}


def test_a_round_is_fixed_before_its_cards_and_all_of_it_is_kept(hold: Callable[..., Outcome], shell: Shell) -> None:
    done = hold()
    assert done.code == 0 and "2 of 2 entries" in done.out and "field    sha256" in done.out, done
    assert names(1) == ["ann", "ben"] and record(1)["salt"] == "0 1 2 3"
    line = f"{record(1)['field_sha256']} 0 1 2 3"
    digest = subprocess.run(["sha256sum"], input=f"{line}\n", capture_output=True, text=True, check=True).stdout
    assert record(1)["seed"] == digest[:32]
    assert standings()["book"]["worth"] == 0 and standings()["ann"]["version"] == 1
    assert standings()["random"]["version"] is None
    sha = record(1)["field"][0]["sha256"]
    assert Path(f"lg/versions/{sha[:16]}/ann.py").read_text() == FIRST
    done = shell("verify", "lg", "--strategies", "--isolate", "off")
    assert done.code == 0 and "1 round, " in done.out and "2 versions verified, and played again: the same" in done.out


def test_a_changed_file_is_another_version_with_its_own_results(hold: Callable[..., Outcome]) -> None:
    hold()
    before = standings()["ann"]
    Path("lg/entries/ann.py").write_text(MIDDLE)
    hold()
    assert record(2)["focus"] == ["ann", "ben"], "ann v2 has no blocks, ben not more than the median"
    assert record(2)["after"] == [record(1)["seed"]]
    after = standings()["ann"]
    assert (before["version"], after["version"]) == (1, 2) and before["sha256"] != after["sha256"]
    assert after["blocks"] == sum("ann" in row for row in seatings(2))
    page = Path("lg/site/entries/ann.html").read_text()
    assert before["sha256"][:16] in page and after["sha256"][:16] in page


def seatings(number: int) -> list[list[str]]:
    """The names at the places of each block of a round."""
    from roundsim import open_run

    (folder,) = Path("lg").glob(f"rounds/{number:04d}-*/run")
    run = open_run(folder)
    blocks = list[list[str]]()
    for entry, fold in zip(run.tournament.entries, run.folds, strict=True):
        for batch in fold.blocks:
            blocks += [[entry.labels[who] for who in seats] for seats in zip(*batch.seats, strict=True)]
    return blocks


@pytest.mark.soak
def test_the_same_bytes_a_rename_a_withdrawal_and_a_return(hold: Callable[..., Outcome], write: Write) -> None:
    write("lg/entries/eve.py", FIRST)
    hold()
    assert left_out(1) == {"eve": "the same as ann"}
    Path("lg/entries/ann.py").unlink()  # now it is a rename
    hold()
    assert names(2) == ["ben", "eve"] and left_out(2) == {}
    assert standings()["eve"]["blocks"] == sum("ann" in row for row in seatings(1)) + sum(
        "eve" in row for row in seatings(2)
    )
    write("lg/entries/ann.py", FIRST)  # the old name with bytes that have played under the new one
    hold()
    assert left_out(3) == {"ann": "the same as eve"}
    Path("lg/entries/ben.py").unlink()
    hold()
    assert "ben" not in standings() and "ben no longer takes part" in Path("lg/site/index.html").read_text()
    write("lg/entries/ben.py", LAST)
    hold()
    there = sum("ben" in row for number in (1, 2, 3, 5) for row in seatings(number))
    assert standings()["ben"]["version"] == 1 and standings()["ben"]["blocks"] == there


def test_bad_entries_never_fail_a_round(hold: Callable[..., Outcome], shell: Shell, write: Write) -> None:
    write("lg/entries/bad.py", BAD)
    write("lg/entries/syntax.py", "def act(view:\n")
    write("lg/entries/loo.py", FIRST.replace("nap", "loo"))
    write("lg/entries/book.py", FIRST)
    write("lg/entries/9.py", FIRST)
    write("lg/entries/_dot.py", FIRST)
    write("lg/elsewhere.py", FIRST)
    Path("lg/entries/link.py").symlink_to("../elsewhere.py")
    write("lg/entries/<script>alert(1)<script>.py", "x = 1\n")
    write("lg/entries/::error::\x1b[31m.py", "x = 1\n")  # what a terminal and a build server would obey
    check = shell("league", "lg", "--check", "--jobs", 1)  # before the round: the link has the bytes of ann.py
    assert "as before" not in check.out  # nothing is replaced
    for done in hold(), check:
        lines = done.out.splitlines()
        assert "\x1b" not in done.out and not any(line.lstrip().startswith("::") for line in lines), done
    reasons = left_out(1)
    assert names(1) == ["ann", "ben"] and reasons.keys() == {
        "::error::\x1b[31m", "bad", "syntax", "loo", "book", "9", "_dot.py", "link", "<script>alert(1)<script>"
    }  # fmt: skip
    assert "nonsense" in reasons["bad"] and "syntax.py:1" in reasons["syntax"] and "Nap" in reasons["loo"]
    assert "house" in reasons["book"] and "link" in reasons["link"] and "letter first" in reasons["9"]
    page = Path("lg/site/index.html").read_text()
    assert "<script>alert" not in page and "&lt;script&gt;alert" in page
    checked = {path: path.stat().st_mtime_ns for path in Path("lg/checks").iterdir()}
    hold()
    assert {path: path.stat().st_mtime_ns for path in Path("lg/checks").iterdir()} == checked, "nothing is tried twice"


@pytest.mark.soak
def test_entries_of_one_author_never_sit_at_one_table(hold: Callable[..., Outcome], write: Write) -> None:
    write("lg/entries/cleo.py", MIDDLE)
    write("lg/entries/dora.py", MIDDLE + "\n# another\n")
    write("lg/authors.toml", 'ann = "A"\nben = "A"\ncleo = "A"\n')
    hold()
    assert left_out(1) == {"cleo": "A has 2 entries already: ann, ben"}
    rows = seatings(1)
    assert any("ann" in row for row in rows) and any("ben" in row for row in rows)
    assert not any({"ann", "ben"} <= {*row} for row in rows)
    Path("lg/authors.toml").unlink()
    write("lg/CODEOWNERS", "* @all\nentries/ @all\nentries/ann.py @a\n/entries/dora.py @d @e\n")
    hold()
    assert {each["name"]: each.get("author") for each in record(2)["field"]} == {
        "ann": "@a", "ben": None, "cleo": None, "dora": "@d"
    }  # fmt: skip


def test_faults_are_forgiven_once_if_a_machine_may_be_to_blame(hold: Callable[..., Outcome]) -> None:
    dead, wrong, fine = Faults(True, True), Faults(True, False), Faults(False, True)
    player, game = Version("", "0" * 64), LeagueGame(league_rules(Path("lg")).tables.entries[0])
    for rounds, out in (
        ([], False), ([fine], False), ([wrong], True), ([dead], False), ([dead, dead], True), ([dead, fine], False),
        ([fine, wrong], False), ([wrong, wrong], True),
    ):  # fmt: skip
        game.faults[player] = dict(enumerate(rounds))
        assert game.is_out(player) == out, rounds


@pytest.mark.soak
def test_where_nothing_changes_one_call_in_ten_plays(
    hold: Callable[..., Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("roundsim.league.play.is_due", lambda: False)
    Path("lg/league.toml").write_text(Path("lg/league.toml").read_text().replace("idle = 30", "idle = 3"))
    for _ in range(4):
        done = hold()
    assert done.code == 0 and "nothing has changed in 3 rounds" in done.out and len(rounds_of(Path("lg"))) == 3
    monkeypatch.setattr("roundsim.league.play.is_due", lambda: True)
    hold()
    assert len(rounds_of(Path("lg"))) == 4
    monkeypatch.setattr("roundsim.league.play.is_due", lambda: False)
    Path("lg/entries/ann.py").write_text(MIDDLE)
    hold()
    assert len(rounds_of(Path("lg"))) == 5


@pytest.mark.soak
def test_the_site_is_made_again_byte_for_byte(hold: Callable[..., Outcome]) -> None:
    hold()
    hold()
    files = {path: path.read_bytes() for path in Path("lg/site").rglob("*") if path.is_file()}
    shutil.rmtree("lg/site")
    Path("lg/entries/ann.py").unlink()  # what is in the folder now does not count
    assert hold("--site-only").code == 0
    assert {path: path.read_bytes() for path in Path("lg/site").rglob("*") if path.is_file()} == files
    Path("lg/site/entries/old.html").write_text("of another league")
    assert hold("--site-only").code == 0 and not Path("lg/site/entries/old.html").exists()


@pytest.mark.soak
@pytest.mark.parametrize("after", range(drawn(8, 40)))
def test_a_killed_round_goes_on_by_its_own_record(
    hold: Callable[..., Outcome], shell: Shell, monkeypatch: pytest.MonkeyPatch, after: int
) -> None:
    """Killed anywhere, and with other entries afterwards: the same shards as if nothing had happened."""
    calls = 0

    def dying(*given: Any, **named: Any) -> None:
        nonlocal calls
        calls += 1
        if calls > after:
            raise Killed
        write_aside(*given, **named)

    shutil.copytree("lg", "calm")
    assert shell("league", "calm", "--jobs", 1, "--salt-from", "calm/salt").code == 0
    for room in (
        "league.field",
        "league.rounds",
        "tournament.storage.writer",
        "tournament.storage.folder",
        "league.site",
    ):
        monkeypatch.setattr(f"roundsim.{room}.write_aside", dying)
    with suppress(Killed):
        hold()
    for room in (
        "league.field",
        "league.rounds",
        "tournament.storage.writer",
        "tournament.storage.folder",
        "league.site",
    ):
        monkeypatch.setattr(f"roundsim.{room}.write_aside", write_aside)
    if [*Path("lg").glob("rounds/*/round.toml")] and not [*Path("lg").glob("rounds/*/run/standings.json")]:
        Path("lg/entries/ann.py").write_text(MIDDLE)
    if not [*Path("lg").glob("rounds/*/run/standings.json")]:
        assert hold().code == 0
    assert_same(next(Path("calm/rounds").glob("*/run/log")), next(Path("lg/rounds").glob("*/run/log")))


class Killed(BaseException):
    """An exception that no handler of ours catches."""


FORGERIES: list[tuple[str, Callable[[Path], object], str]] = [
    ("seed", lambda at: edit(at / "round.toml", r'^seed = "(.)', lambda m: f'seed = "{flipped(m[1])}'), "seed"),
    ("salt", lambda at: edit(at / "round.toml", r'^salt = "', 'salt = "1'), "seed"),
    ("field", lambda at: edit(at / "round.toml", r'name = "ann"', 'name = "amy"'), "sha256"),
    ("number", lambda at: edit(at / "round.toml", r"^number = 2", "number = 3"), "sha256"),
    ("version", lambda at: edit(next(at.parent.parent.glob("versions/*/ann.py")), r"legal\[0\]", "legal[1]"), "version"),
    ("version gone", lambda at: shutil.rmtree(next(at.parent.parent.glob("versions/*"))), "version"),
    ("run", lambda at: edit(at / "run/run.toml", r"^seed = .*", f'seed = "{"0" * 32}"'), "run/"),
    ("deals", lambda at: edit(at / "run/run.toml", r"^blocks = .*", "blocks = 1"), "run/"),
    ("another run", lambda at: another_run(at), "seed"),
    ("results", lambda at: edit(at / "run/standings.json", r'"rank": 1', '"rank": 2'), "standings.json"),
    ("another file", lambda at: (at / "notes.txt").write_text(""), "notes.txt"),
    ("another folder", lambda at: (at.parent / "0009-abcdef").mkdir(), "0009"),
]  # fmt: skip


def edit(path: Path, pattern: str, new: Any) -> None:
    text, count = re.subn(pattern, new, path.read_text(), count=1, flags=re.M)
    assert count, (path, pattern)
    path.write_text(text)


def another_run(at: Path) -> None:
    """A run that is right in itself: that of the round before."""
    shutil.rmtree(at / "run")
    shutil.copytree(next(at.parent.glob("0001-*")) / "run", at / "run")


def flipped(digit: str) -> str:
    return "0" if digit != "0" else "1"


@pytest.mark.parametrize(
    "forged",
    [
        {"rules": {}},
        {"games": ({"game": "nap", "strategies": ["ann", "book"]},)},
        {"games": ({"game": "nap", "deals": 10, "strategies": [["ann"]]},)},
        {"games": ({"game": ["nap"], "deals": 10, "strategies": ["ann"]},)},
    ],
)
def test_a_record_of_nonsense_whose_hashes_fit_is_damaged(
    hold: Callable[..., Outcome], shell: Shell, forged: dict[str, Any]
) -> None:
    hold()
    (folder,) = rounds_of(Path("lg"))
    place = replace(folder.record, **forged).draw().write(Path("lg"))
    (folder.path / "run").rename(place.path / "run")
    shutil.rmtree(folder.path)
    for done in hold(), shell("verify", "lg", "--jobs", 1):
        assert done.code and "a game without its rules" in done.err


@pytest.mark.soak
def test_verify_finds_what_is_forged(hold: Callable[..., Outcome], shell: Shell) -> None:
    hold()
    hold()
    shutil.copytree("lg", "honest", symlinks=True)
    for name, forge, place in FORGERIES:
        shutil.rmtree("lg")
        shutil.copytree("honest", "lg")
        (second,) = Path("lg/rounds").glob("0002-*")
        forge(second)
        done = shell("verify", "lg", "--jobs", 1)
        assert done.code == 1 and place in done.err, (name, done)
    shutil.rmtree("lg")
    shutil.copytree("honest", "lg")
    (first,) = Path("lg/rounds").glob("0001-*")
    shutil.rmtree(first)
    done = shell("verify", "lg", "--jobs", 1)
    assert done.code == 1 and "follows a round" in done.err, "the chain shows that it is gone"


@pytest.mark.soak
def test_a_round_without_lines_counts_and_is_played_again(
    hold: Callable[..., Outcome], shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("roundsim.cli.league.THICK", 1)
    hold()
    hold()
    page = Path("lg/site/index.html").read_bytes()
    assert "of 1 round" in shell("league", "lg", "--thin").out and "of 0 rounds" in shell("league", "lg", "--thin").out
    assert hold("--site-only").code == 0 and Path("lg/site/index.html").read_bytes() == page
    assert "1 of the rounds have no lines" in shell("verify", "lg").out
    done = shell("verify", "lg", "--strategies", "--isolate", "off")
    assert done.code == 0 and "have no lines" not in done.out, done
    (version,) = Path("lg/versions").glob("*/ann.py")
    version.write_text(MIDDLE)
    done = shell("verify", "lg", "--strategies", "--isolate", "off")
    assert done.code == 1 and "0001-" in done.err and "its blocks or their lines are others" in done.err, done
    version.write_text(FIRST)
    (index,) = Path("lg").glob("rounds/0001-*/run/thin/*/*")
    index.write_bytes(index.read_bytes()[:-1])
    assert shell("verify", "lg").code == 1 and hold("--site-only").code == 65


@pytest.mark.soak
def test_two_clones_play_and_merge(hold: Callable[..., Outcome], shell: Shell) -> None:
    hold()
    shutil.copytree("lg", "other")
    assert shell("league", "lg", "--jobs", 1).code == shell("league", "other", "--jobs", 1).code == 0
    for place in Path("other/rounds").iterdir():
        shutil.copytree(place, Path("lg/rounds") / place.name, dirs_exist_ok=True)
    shutil.rmtree("lg/site")
    assert hold("--site-only").code == shell("verify", "lg").code == 0
    assert len(rounds_of(Path("lg"))) == 3
    hold()
    seconds = [each.record.seed for each in rounds_of(Path("lg")) if each.record.number == 2]
    assert record(3)["after"] == sorted(seconds) and shell("verify", "lg").code == 0


@pytest.mark.soak
def test_a_pull_request_is_judged_by_the_base_alone(hold: Callable[..., Outcome], shell: Shell, write: Write) -> None:
    hold()
    shutil.copytree("lg", "theirs")
    shutil.rmtree("theirs/rounds")
    write("theirs/league.toml", RULES.replace("nap", "loo"))
    write("theirs/entries/ann.py", MIDDLE)
    write("theirs/entries/cleo.py", MIDDLE + "# `@all` ````\n" + BAD.replace("nonsense", "`@all` ````"))
    write("lg/authors.toml", 'ann = "@a"\nben = "@b"\n')
    check = ("league", "lg", "--check", "--entries", "theirs/entries", "--comment", "comment.md", "--jobs", 1)
    done = shell(*check, "--author", "@a")
    comment = Path("comment.md").read_text()
    assert done.code == 2 and "cleo: cannot play" in done.out and "ann: plays" in done.out and "ben" not in done.out, (
        done
    )
    assert "### 2 changed entries" in comment and "ann as before" in comment and "new" in comment
    outside = re.sub(r"(`{3,})text\n.*?\n\1\n", "", comment, flags=re.S)
    assert "@all" not in outside and "@all" in comment
    shutil.rmtree("theirs")
    shutil.copytree("lg", "theirs")
    Path("theirs/entries/ben.py").write_text(MIDDLE)
    done = shell(*check, "--author", "@a")
    assert done.code == 2 and "@b has entered it" in done.out
    assert shell(*check, "--author", "@b").code == 0
    assert [path.name for path in Path("lg/rounds").iterdir()] == [each.path.name for each in rounds_of(Path("lg"))]


@pytest.mark.soak
def test_several_games_have_a_table_each_and_one_over_all(hold: Callable[..., Outcome], write: Write) -> None:
    write("lg/league.toml", RULES + '[[games]]\ngame = "thirty-one"\nplayers = 3\n')
    both = "games = ['nap', 'thirty-one']\n\ndef act(view):\n    return view.legal[0]\n"
    write("lg/entries/cleo.py", both)
    hold()
    data = json.loads(Path("lg/site/standings.json").read_text())
    over_all, *games = data["tables"]
    assert over_all["name"] == "all games" and [game["name"] for game in games] == ["nap", "thirty-one"]
    assert {row["name"] for row in over_all["rows"]} == {"book", "random", "cleo"}
    assert {row["name"] for row in games[1]["rows"]} == {"book", "random", "cleo"}
    for row in over_all["rows"]:
        own = [next(each for each in game["rows"] if each["name"] == row["name"]) for game in games]
        assert row["name"] != "book" or row["worth"] == own[0]["worth"] == own[1]["worth"] == 0


@pytest.mark.soak
def test_other_rules_begin_a_new_season(hold: Callable[..., Outcome], write: Write) -> None:
    hold()
    write("lg/league.toml", RULES.replace("players = 3", "players = 3\noptions = { stake = 2 }"))
    hold()
    assert standings()["book"]["blocks"] == sum("book" in row for row in seatings(2))


@pytest.mark.parametrize(
    ("change", "place", "words"),
    [
        (("title", "titel"), ":1", "did you mean title?"),
        (("deals = 64", "deals = 0"), ":3", "deals must be a whole number"),
        (("players = 3", "deals = 5"), ":10", "unknown key deals"),
        (('game = "nap"', 'game = "nab"'), ":9", "did you mean nap?"),
        (("[round]", 'house = ["ann.py"]\n[round]'), ":2", "installed"),
        (("[[games]]", "[games]"), "", "[[games]]"),
        (('game = "nap"\nplayers = 3', ""), "", "game"),
    ],
)
def test_mistakes_in_the_rules_are_named_with_their_lines(
    hold: Callable[..., Outcome], change: tuple[str, str], place: str, words: str
) -> None:
    text = Path("lg/league.toml").read_text().strip() + "\n"
    assert change[0] in text
    Path("lg/league.toml").write_text(text.replace(*change))
    done = hold()
    assert done.code == 64 and f"league.toml{place}" in done.err and words in done.err, done
    assert not Path("lg/rounds").exists()


def test_no_league_and_a_new_one(shell: Shell, write: Write) -> None:
    done = shell("league", "nowhere")
    assert done.code == 64 and "roundsim new league nowhere --game nap" in done.err and not Path("nowhere").exists()
    done = shell("new", "league", "fresh", "--game", "loo")
    assert done.code == 0 and tomllib.loads(Path("fresh/league.toml").read_text())["games"] == [
        {"game": "loo", "players": 5}
    ]
    assert shell("new", "league", "fresh").code == 73
    write("fresh/entries/ann.py", FIRST.replace("nap", "loo"))
    Path("fresh/league.toml").write_text(
        Path("fresh/league.toml")
        .read_text()
        .replace("deals = 2000", "deals = 50")
        .replace("[[", '[limits]\nisolate = "off"\n[[')
    )
    assert shell("league", "fresh", "--jobs", 1).code == 0


@pytest.mark.parametrize(
    "words", ["--thin --watch", "--check --site-only", "--check --format json", "--thin --minutes 3", "--author ann"]
)
def test_no_option_is_ignored(shell: Shell, words: str) -> None:
    done = shell("league", "lg", *words.split())
    assert done.code == 64 and words.split()[0] in done.err and "league.toml" not in done.err
