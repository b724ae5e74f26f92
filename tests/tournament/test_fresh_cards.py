"""With `duplicate = false` every sitting has its own cards; all else is as in any run."""

from __future__ import annotations

import json
import re
import shutil
from collections import defaultdict
from pathlib import Path

import pytest
from conftest import Shell, Write
from helpers.command import assert_same, in_a_process, roundsim

from roundsim import api
from roundsim.refereeing.names import Names
from roundsim.replaying.log_driver import LogDriver
from roundsim.replaying.logged import logged_blocks
from roundsim.table.chance import Source
from roundsim.tournament.planning.plan import Entry
from roundsim.tournament.results.record import END, Address
from roundsim.tournament.storage.folder import RunFolder

pytestmark = pytest.mark.usefixtures("here")

PLAY = "play", "nap,pope-joan", "book", "random", "random", "--deals", "27", "--seed", "1891"
FILE = """
    [tournament]
    {top}
    strategies = ["book", "random", "random"]
    [[games]]
    game = "nap"
    {game}
    """


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, here: None) -> Path:
    """Two games of three sittings of three deals, with fresh cards."""
    folder = tmp_path_factory.mktemp("fresh")
    roundsim(*PLAY, "--fresh-cards", "--out", "run", cwd=folder)
    return folder / "run"


@pytest.fixture(scope="module")
def duplicate(run: Path) -> Path:
    """The same with the same cards in all sittings of a block."""
    roundsim(*PLAY, "--out", "duplicate", cwd=run.parent)
    return run.parent / "duplicate"


def dealt(run: Path) -> dict[Address, tuple[str, str]]:
    """The top cards and the name of chance of all deals and ends of sittings, by address."""
    folder, cards = RunFolder(run), dict[Address, tuple[str, str]]()
    tournament = folder.tournament()
    for number, entry in enumerate(tournament.entries):

        def note(driver: LogDriver, entry: Entry = entry) -> None:
            if not driver.place.endswith(END):
                driver.replay()
            chance: Source = driver.deal.chance
            assert chance.kept
            address = Address.parse(f"{entry.name}/{driver.place}")
            cards[address] = str(chance.kept[1].order[:15]), chance.name

        for block in logged_blocks(folder, tournament, number):
            block.replay(note, note)
    return cards


def all_fresh(cards: dict[Address, tuple[str, str]]) -> bool:
    return len({top for top, _ in cards.values()}) == len(cards)


def test_no_two_sittings_have_the_same_cards(run: Path, shell: Shell) -> None:
    cards = dealt(run)
    assert all_fresh(cards) and sum(at.deal is not None for at in cards) == 54
    for at, (_, name) in cards.items():
        assert name == f"1891/{at.entry}/{at.block}/{at.deal or 'end'}/sitting {at.sitting}"
    assert {at.sitting for at in cards if not at.deal} == {1, 2, 3}
    address = f"{run}:nap/2/3/2"
    hands = re.findall(r"'(..)'", dealt(run)[Address("nap", 2, 3, 2)][0])
    told = shell("replay", address).out
    assert len(hands) == 15 and all(card in told for card in hands)
    assert shell("replay", address, "--script", "s.toml").code == 0
    assert shell("settle", "s.toml").code == 0
    assert "book answers the same everywhere" in shell("replay", address, "--strategy", "book").out


def test_without_it_all_sittings_of_a_block_have_the_same_cards(run: Path, duplicate: Path, shell: Shell) -> None:
    """The seats are the same with it and without."""
    same = defaultdict[tuple[object, ...], set[tuple[str, str]]](set)
    for at, cards in dealt(duplicate).items():
        same[at.entry, at.block, at.deal].add(cards)
    assert {len(each) for each in same.values()} == {1}
    logs = [shell("log", each).out.splitlines() for each in (run, duplicate)]
    one, other = ([line for line in log if line.startswith("= ")] for log in logs)
    assert one == other != []
    for folder, flags, difference in (
        (run, [], "False there, None here"),
        (duplicate, ["--fresh-cards"], "None there, F"),
    ):
        done = shell(*PLAY, *flags, "--out", folder)
        assert done.code == 73 and f"games[1].duplicate is {difference}" in done.err, done.err


@pytest.mark.soak
def test_plain_python_plays_the_same(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUNDSIM_NATIVE", "off")
    in_a_process(*PLAY, "--fresh-cards", "--out", "run", "--jobs", 1, cwd=tmp_path)
    assert_same(run, tmp_path / "run")


def test_a_file_that_says_the_default_gives_the_same_run(write: Write, shell: Shell) -> None:
    for out, game in ("one", "duplicate = true"), ("other", ""):
        write("t.toml", FILE.format(top="", game=game))
        assert shell("run", "t.toml", "--deals", 9, "--out", out).code == 0
    assert_same(Path("one"), Path("other"))
    assert "duplicate" not in Path("one/run.toml").read_text()


def test_a_flag_says_the_same_as_a_file(write: Write, shell: Shell) -> None:
    write("t.toml", FILE.format(top="", game="duplicate = false\ndeals = 9"))
    done = shell("run", "t.toml")
    assert done.out.startswith("Nap · 3 seats, fresh cards in every sitting\n  9 deals in 1 block of 9 ")
    assert done.out.endswith("repeat   roundsim run t.toml --seed 1\n")
    write("t.toml", FILE.format(top="", game="deals = 9"))
    done = shell("run", "t.toml", "--fresh-cards", "--out", "other")
    assert done.out.endswith("repeat   roundsim run t.toml --fresh-cards --seed 1 --out other\n")
    (found,) = Path("runs").iterdir()
    assert_same(found, Path("other"))
    api.run("t.toml", fresh_cards=True, jobs=1, out="third")
    assert_same(found, Path("third"))


def test_a_gate_with_fresh_cards(shell: Shell, write: Write) -> None:
    words = "gate", "nap", "book", "random", "--seats", 2, "--sitting", 1, "--fresh-cards"
    done = shell(*words, "--deals", 320, "--out", "run")
    assert done.code == 0 and f"repeat   roundsim {' '.join(map(str, words))} --seed 1" in done.out
    assert "duplicate = false" in Path("run/run.toml").read_text()
    write("t.toml", FILE.format(top="", game="") + '[gate]\nmine = "book"\nbaseline = "random"\n')
    done = shell("gate", "t.toml", "--fresh-cards", "--dry-run")
    assert done.code == 0 and "fresh cards in every sitting" in done.out


def test_a_forged_key_is_found(run: Path, tmp_path: Path, shell: Shell) -> None:
    copy = Path(shutil.copytree(run, tmp_path / "copy"))
    right = (run / "run.toml").read_text()
    assert "54 deals verified" in shell("verify", copy).out and "duplicate = false" in right
    for line, words in {
        "": "where block 1 is to come",
        "duplicate = true": "duplicate = True",
        "duplicate = 0": "duplicate = 0",
        'duplicate = "no"': "duplicate = 'no'",
    }.items():
        (copy / "run.toml").write_text(right.replace("duplicate = false", line))
        for code, command in (1, "verify"), (65, "standings"), (65, "deals"):
            done = shell(command, copy)
            assert done.code == code and words in done.err, done.err


def test_a_false_claim_of_fresh_cards_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shell: Shell) -> None:
    """Its keys are right, but all its sittings are on the same cards."""
    with monkeypatch.context() as patch:
        patch.setattr(Names, "of_sitting", lambda self, number: self)
        assert shell(*PLAY, "--fresh-cards", "--out", "run").code == 0
    done = shell("verify", "run")
    assert done.code == 1 and "is not in hand" in done.err, done.err


def test_deals_are_compared_where_cards_are_the_same(run: Path, duplicate: Path, shell: Shell, write: Write) -> None:
    for one, other, words in (run, duplicate, "false there, - here"), (duplicate, run, "- there, false here"):
        done = shell("diff", one, other)
        assert done.code == 65 and f"have no deals in common: nap: duplicate {words}" in done.err, done.err
    assert shell("play", "nap", "book", "random", "book", *PLAY[5:], "--fresh-cards", "--out", "other").code == 0
    done = shell("diff", run, "other")
    assert done.code == 0 and "3 of 3" in done.out, done
    done = shell("deals", run, "--swing")
    assert done.code == 64 and not done.out
    assert "in round-robin play with fresh cards no two strategies have the same cards" in done.err
    page = api.report(run, out="page.html").read_text()
    assert "fresh cards in every sitting" in page and '"swing"' not in page
    game = '[[games]]\ngame = "nap"\nname = "fresh"\nduplicate = false\n'
    write("t.toml", FILE.format(top="", game="") + game)
    assert shell("run", "t.toml", "--deals", 18, "--out", "both").code == 0
    found = shell("deals", "both", "--swing", "-n", 99, "--format", "json").out.splitlines()
    assert {json.loads(each)["deal"].split("/")[0] for each in found} == {"nap"}


def test_it_grows_and_its_blocks_are_reused(run: Path, shell: Shell, duplicate: Path) -> None:
    assert shell(*PLAY[:5], "--deals", 9, *PLAY[7:], "--fresh-cards", "--out", "less").code == 0
    assert shell("grow", "less", "--deals", 27).code == 0
    assert_same(run, Path("less"))
    assert shell("grow", "less", "--strategy", "new=book").code == 0
    assert shell("verify", "less").code == 0
    assert all_fresh(dealt(Path("less")))
    done = shell(*PLAY, "--fresh-cards", "--reuse", run, "--out", "again")
    assert "reused   6 of 6 blocks" in done.out
    assert_same(run, Path("again"))
    done = shell(*PLAY, "--fresh-cards", "--reuse", duplicate, "--out", "other")
    assert "reused   0 of 6 blocks" in done.out and "nap: duplicate - there, false here" in done.out
    assert_same(run, Path("other"))


@pytest.mark.soak
def test_its_parts_are_merged(run: Path, shell: Shell) -> None:
    for part in "1/2", "2/2":
        assert shell(*PLAY, "--fresh-cards", "--shard", part).code == 0
    assert shell("merge", *sorted(Path("runs").iterdir()), "--out", "merged").code == 0
    assert_same(run, Path("merged"))


def test_a_knock_out_with_fresh_cards(shell: Shell, write: Write) -> None:
    write("t.toml", FILE.format(top='format = "knock-out"', game="players = 2\ndeals = 24\nduplicate = false"))
    assert shell("run", "t.toml", "--out", "run").code == 0
    assert Path("run/run.toml").read_text().count("duplicate = false") == 2
    assert all_fresh(dealt(Path("run")))
    assert shell("verify", "run").code == 0
    assert "roundsim run t.toml --seed 1 --out run" in api.report("run").read_text()


def test_wrong_keys_and_flags_are_refused(write: Write, shell: Shell) -> None:
    belongs = "duplicate belongs to format knock-out or round-robin"
    for top, game, words in (
        ("", "duplicate = 1", "duplicate must be true or false, not 1"),
        ("", "duplicat = false", "unknown key duplicat (did you mean duplicate?)"),
        ('format = "freeze-out"', "duplicate = false", belongs),
        ('format = "progressive"', "duplicate = true", belongs),
    ):
        write("t.toml", FILE.format(top=top, game=game))
        done = shell("run", "t.toml")
        assert done.code == 64 and f"t.toml:6: {words}" in done.err, done.err
    write("t.toml", FILE.format(top='format = "progressive"', game=""))
    done = shell("run", "t.toml", "--fresh-cards")
    assert done.code == 64 and "--fresh-cards is not of format progressive" in done.err
    done = shell("play", "nap", "book", "random", "--as", "progressive", "--fresh-cards")
    assert done.code == 64 and "--fresh-cards is not of a progressive" in done.err
    assert not Path("runs").exists()
