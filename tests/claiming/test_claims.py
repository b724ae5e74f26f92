"""Claims from the front: chapters of one's own, what is kept, what is printed, and Python."""

from __future__ import annotations

import json
import re
import shlex
import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from shutil import copytree
from typing import Any, NamedTuple

import pytest
from conftest import Write
from helpers.command import PATIENCE, ROOT, begin, contents, drawn, in_a_process, one_in, roundsim, seldom, wait_for
from helpers.sealed import any_in_force

import roundsim as package
from roundsim.base.errors import ClaimError
from roundsim.claiming import rows
from roundsim.claiming.chapter import chapter_names, find_chapter
from roundsim.claiming.settle import is_printed
from roundsim.processes import pool
from roundsim.running import Run

pytestmark = pytest.mark.usefixtures("here")

MINE = """
    book = "My own notes"
    author = "Me"
    game = "nap"

    [[claim]]
    no = 1
    says = "The dealer loses."
    measure = "place"
    true_if = "dealer < 0"
    """
DOUBLED = """
    import random
    from roundsim.claim import gives

    def two():
        return 2

    @gives("one")
    def one(deal):
        yield "one", 1

    def ace(view):
        return any(card[0] == "A" for card in view.hand)
    """


class Settled(NamedTuple):
    """A folder of chapters with their kept verdicts, and the folder of the runs that were played for them."""

    chapters: Path
    runs: Path


@contextmanager
def chapters_in(folder: Path) -> Iterator[None]:
    """Use the chapters of a folder instead of the house's."""
    with pytest.MonkeyPatch.context() as patch:
        for module in "chapter", "rows":
            patch.setattr(f"roundsim.claiming.{module}.claims_folder", lambda: folder)
        yield


@pytest.fixture(scope="module")
def settled(here: None, tmp_path_factory: pytest.TempPathFactory) -> Settled:
    """A chapter of two claims, settled once: an exact one, and one that stays open after 400 deals."""
    folder = tmp_path_factory.mktemp("settled")
    settled = Settled(folder / "chapters", folder / "runs")
    settled.chapters.mkdir()
    claims = MINE + '[[claim]]\nno = 2\nsays = "Two."\nexact = "two"\nprinted = "2"\n'
    (settled.chapters / "mine.toml").write_text("\n".join(line.strip() for line in claims.splitlines()))
    (settled.chapters / "mine.py").write_text("def two():\n    return 2\n")
    words = "claims", "--again", "--all", "--keep", "--budget", 400, "--jobs", 1, "--out", settled.runs
    with chapters_in(settled.chapters):
        roundsim(*words, cwd=folder)
    return settled


@pytest.fixture
def kept(settled: Settled, tmp_path: Path) -> Iterator[Path]:
    """A copy of the chapters, in use instead of the house's."""
    with chapters_in(copytree(settled.chapters, tmp_path / "chapters")):
        yield tmp_path / "chapters"


def test_a_newcomer_adds_a_claim_in_five_lines(settled: Settled, tmp_path: Path, write: Write) -> None:
    path = str(write("mine.toml", MINE))
    words = "claims", path, "--budget", 400, "--jobs", 1, "--out", settled.runs
    printed = roundsim(*words, cwd=tmp_path).stdout.splitlines()
    assert printed[0] == "Nap · My own notes"
    assert printed[2].split() == ["no", "says", "verdict", "figure"]
    assert printed[3].split()[:5] == ["1", "The", "dealer", "loses.", "open"]
    assert all(len(line) <= 80 for line in printed)
    (run,) = settled.runs.iterdir()
    assert run.name.startswith("nap-4-book-")
    roundsim("verify", run, "--jobs", 1, cwd=tmp_path)
    (row,) = package.claims(path, budget=400, out=settled.runs, jobs=1)
    assert (row["id"], row["says"], row["verdict"]) == ("mine/1", "The dealer loses.", "open")


def test_mistakes_are_reported_together_with_their_lines(tmp_path: Path, write: Write) -> None:
    write(
        "bad.toml",
        """
        book = "B"
        author = "A"
        game = "nap"

        [[claim]]
        no = 1
        says = "A key and a figure that are not there."
        mesure = "place"
        measure = "place"
        true_if = "dealer - eldst < 0"

        [[claim]]
        no = 1
        says = "A table that the game refuses, and no condition."
        measure = "plaice"
        tables = [{ players = 99 }]

        [[claim]]
        no = 3
        says = "No such phase, no such function, and no condition that can be read."
        force = { phase = "cal", where = "ace", say = ["pass"] }
        true_if = "pass >"
        """,
    )
    said = roundsim("claims", "bad.toml", cwd=tmp_path, code=64).stderr
    wanted = [
        "bad.toml:8: no key 'mesure' (did you mean measure?)",
        "bad.toml:10: no figure 'eldst' (did you mean eldest?)",
        "bad.toml:15: no function 'plaice' (did you mean place?); --measures FILE gives your own",
        "bad.toml:16: 99 players: nap is for 2 to 6",
        "bad.toml:22: 'pass >' is no condition",
        "bad.toml:12: no key true_if",
        "bad.toml: 2 claims have no = 1",
    ]
    assert [words for words in wanted if words not in said] == [], said
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    "line, words",
    [
        ("exact = 'two'", "exact goes with printed, a number as in the book, or with true_if"),
        ("versus = { 'a b' = 'book' }", "'a b' names a side of versus: it must be letters, digits and _"),
        ("measure = 'place('", "'place(' is no measure: a name, with parameters in brackets"),
        ("measure = 'place'\nexact = 'two'\nversus = { a = 'book' }", "exact and versus together"),
        (
            "force = { phase = 'cal', where = 'ace', say = ['pass'] }\ntrue_if = 'pass > 0'",
            "no phase 'cal' (did you mean call?)",
        ),
        ("measure = 'said()'\ntrue_if = 'call > 0'", "said needs its parameter phase: said(phase=...)"),
        ("measure = 'said(fase=1)'\ntrue_if = 'call > 0'", "said has no parameter fase (did you mean phase?)"),
        ("measure = 'one(phase=1)'\ntrue_if = 'one > 0'", "one has no parameter phase: it takes none"),
        ("measure = \"net_when(where='acce')\"\ntrue_if = 'net > 0'", "no function 'acce' (did you mean ace?) in"),
        ("says = 3", "says must be a text, not 3"),
        ("", "nothing says how it is tested: give measure, exact, versus, options, force or untestable"),
    ],
)
def test_each_mistake_has_its_words(line: str, words: str, tmp_path: Path, write: Write) -> None:
    functions = write("mine.py", DOUBLED)
    claim = line if line.startswith("says") else f"says = 'x'\n{line}"
    write("mine.toml", f"book = 'B'\nauthor = 'A'\ngame = 'nap'\n[[claim]]\nno = 1\n{claim}\n")
    with pytest.raises(ClaimError) as found:
        find_chapter(str(tmp_path / "mine.toml"), tmp_path / functions)
    assert words in str(found.value)


def test_a_file_of_functions_runs_only_if_it_is_named(tmp_path: Path, write: Write) -> None:
    write("mine.py", "open('ran', 'w')\ndef two(): return 2\n")
    write("mine.toml", f"{MINE}\n    [[claim]]\n    no = 2\n    says = 'Two.'\n    exact = 'two'\n    printed = '2'\n")
    assert "no function 'two'" in roundsim("claims", "mine.toml", cwd=tmp_path, code=64).stderr
    assert not (tmp_path / "ran").exists()
    said = roundsim("claims", "mine.toml/2", "--measures", "mine.py", cwd=tmp_path).stdout
    assert "verdict       right" in said
    assert (tmp_path / "ran").exists()


MARKED = "open('ran', 'a')\nclass Mine:\n    def act(self, view): return view.legal[0]\n"
PLACES = ["mine.py", "./mine.py:Mine", "mine:Mine", "git:HEAD:mine.py", "cmd:touch ran", "x=cmd:touch ran", "bot.toml"]


def comparing(strategy: str, game: str = "nap") -> str:
    """A file with a claim that compares a strategy with the book."""
    claim = f"versus = {{ a = '{strategy}', b = 'book' }}\ntrue_if = 'a - b > 0'"
    return f"book = 'B'\nauthor = 'A'\ngame = '{game}'\n[[claim]]\nno = 1\nsays = 'x'\n{claim}\n"


@pytest.mark.parametrize("place", [PLACES[0], *seldom(*PLACES[1:])])
def test_no_strategy_plays_because_a_file_says_so(
    place: str, tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a sandbox it could do anything, and nobody has named it."""
    monkeypatch.setenv("ROUNDSIM_SEAL", "none")
    monkeypatch.syspath_prepend(str(tmp_path))
    write("mine.py", MARKED)
    write("bot.toml", 'name = "bot"\ncommand = ["touch", "ran"]\n')
    write("claims.toml", comparing(place))
    said = roundsim("claims", "claims.toml", cwd=tmp_path, code=64).stderr
    what = place.removeprefix("x=")
    words = f"claims.toml:7: {what!r} is not installed: write a name, 'a', and say where it is, --strategy "
    assert f"{words}{shlex.quote(f'a={what}')}\n" in said
    write("claims.toml", comparing("a"))
    said = roundsim("claims", "claims.toml", cwd=tmp_path, code=64).stderr
    assert "claims.toml:7: no strategy 'a' is installed: say where it is, --strategy a=PATH\n" in said
    assert not (tmp_path / "ran").exists() and not (tmp_path / "runs").exists()


@pytest.mark.soak
def test_a_strategy_that_is_named_plays(tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """And how it has played is printed."""
    monkeypatch.setenv("ROUNDSIM_SEAL", "none")
    write("mine.py", MARKED.replace("(self, view): return view.legal[0]", "(self, view): return view.legal[-1]"))
    write("claims.toml", comparing("mine"))
    words = "claims", "claims.toml", "--budget", 200, "--jobs", 1, "--strategy"
    said = roundsim(*words, "mine=mine.py", cwd=tmp_path).stdout
    assert said.endswith("\n\nguests   not isolated\n") and (tmp_path / "ran").exists()
    assert "guests" not in roundsim(*words, "mine=mine.py", "--format", "json", cwd=tmp_path).stdout
    assert "guests" not in roundsim(*words, "mine=book", cwd=tmp_path).stdout
    roundsim(*words, "mine=mine.py", "--isolate", "on", cwd=tmp_path, code=78)
    for given, message in (
        ("mine.py", "mine.py: give it the name that the file has for it, NAME=mine.py"),
        ("mein=mine.py", "claims.toml:7: no strategy 'mine' (did you mean mein?) is installed"),
        ("mine=nine.py", "nine.py: there is no such file or folder"),
    ):
        assert message in roundsim(*words, given, cwd=tmp_path, code=64).stderr
    more = "mine=mine.py", "--strategy", "miner=mine.py"
    assert "no claim has a strategy 'miner' (did you" in roundsim(*words, *more, cwd=tmp_path, code=64).stderr


@pytest.mark.soak
def test_a_strategy_that_is_named_is_in_the_sandbox(tmp_path: Path, write: Write) -> None:
    """Also where the claims of several games are settled, and their strategies found, by processes of ours."""
    any_in_force()
    marks = f"try:\n    open({str(tmp_path / 'ran')!r}, 'a')\nexcept OSError:\n    pass\n"
    write("mine.py", MARKED.replace("open('ran', 'a')\n", marks))
    for game in "nap", "loo":
        write(f"{game}.toml", comparing("mine", game))
    words = "claims", "nap.toml", "loo.toml", "--budget", 80, "--jobs", 2, "--strategy", "mine=mine.py"
    assert "\n\nguests   isolated (" in in_a_process(*words, cwd=tmp_path).stdout
    assert not (tmp_path / "ran").exists()


def test_only_house_strategies_are_forced(tmp_path: Path, write: Write) -> None:
    """Whoever is forced plays where the cards are."""
    write("functions.py", DOUBLED)
    write("mine.py", "def act(view): return view.legal[0]\n")
    claim = "force = { phase = 'call', where = 'ace', say = ['pass', 'call nap'] }\n    true_if = 'pass - call_nap > 0'"
    write("mine.toml", MINE.replace('measure = "place"\n    true_if = "dealer < 0"', claim))
    words = "claims", "mine.toml", "--measures", "functions.py", "--among", "mine.py"
    said = roundsim(*words, cwd=tmp_path, code=64).stderr
    assert "mine/1 forces answers, and so plays mine.py outside the sandbox: only house strategies are forced" in said
    assert not (tmp_path / "runs").exists()


def test_forced_answers_are_compared_on_the_same_cards(tmp_path: Path, write: Write) -> None:
    """Whoever has an ace passes, or calls nap: at Nap the deals up to the call are the same in both runs."""
    write("mine.py", DOUBLED)
    claim = "force = { phase = 'call', where = 'ace', say = ['pass', 'call nap'] }\n    true_if = 'pass - call_nap > 0'"
    write("mine.toml", MINE.replace('measure = "place"\n    true_if = "dealer < 0"', claim))
    words = "claims", "mine.toml", "--measures", "mine.py", "--budget", 400, "--jobs", 1, "--format", "json"
    (row,) = json.loads(roundsim(*words, cwd=tmp_path).stdout)["claims"]
    assert row["verdict"] == "right"
    (case,) = row["cases"]
    assert case["value"] == pytest.approx(case["figures"]["pass"] - case["figures"]["call_nap"], abs=1e-4)
    assert case["figures"]["call_nap"] < -2 < case["figures"]["pass"]  # most lose, and each pays five to all
    both = [
        list(package.deals(tmp_path / f"runs/claims/{name}"))
        for name in sorted(p.name for p in (tmp_path / "runs/claims").iterdir())
    ]
    aced = [[any(card[0] == "A" for card in deal.hands[deal.entrants.index(0)]) for deal in run] for run in both]
    assert aced[0] == aced[1]
    asked = [seat for seat, has in zip(both[0], aced[0], strict=True) if has]
    assert 0 < case["n"] <= len(asked)  # somebody may have called nap before


@pytest.mark.soak
def test_the_same_bytes_twice_and_on_any_number_of_processes(kept: Path, tmp_path: Path) -> None:
    found = list[bytes]()
    for number, jobs in enumerate((1, 2, 2)):
        (kept / "kept.json").unlink()
        words = "claims", "mine", "--again", "--keep", "--budget", 400, "--jobs", jobs, "--out", f"runs-{number}"
        roundsim(*words, cwd=tmp_path)
        found.append((kept / "kept.json").read_bytes())
    assert found[0] == found[1] == found[2]
    assert contents(tmp_path / "runs-0") == contents(tmp_path / "runs-1")


def last_first(function: Callable[[Any], Any], items: Iterable[Any], jobs: int) -> Iterator[Any]:
    """Yield results as processes do if the last one is ready first."""
    return map(function, reversed([*items]))


@pytest.mark.parametrize("each", [last_first, *seldom(pool.each)])
def test_chapters_are_settled_at_the_same_time_and_shown_in_their_order(
    each: Any, kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("roundsim.claiming.ask.each", each)
    text = (kept / "mine.toml").read_text()
    for name in "aaa", "zzz":
        (kept / f"{name}.toml").write_text(text.replace('"nap"', '"loo"' if name == "aaa" else '"nap"'))
        (kept / f"{name}.py").write_text("def two():\n    return 2\n")
    (kept / "zzz.py").write_text("def two():\n    return 2 if later else later\n")
    words = "claims", "--all", "--again", "--budget", 40, "--format", "json"
    both = [json.loads(roundsim(*words, "aaa", "mine", "--jobs", jobs, cwd=tmp_path).stdout) for jobs in (1, 2)]
    assert [row["id"] for row in both[1]["claims"]] == ["aaa/1", "aaa/2", "mine/1", "mine/2"]
    assert both[0] == both[1]
    stderr = roundsim(*words, "--jobs", 2, cwd=tmp_path, code=66).stderr
    assert "zzz.py: two fails: NameError" in stderr


def test_kept_verdicts_are_shown_at_once_and_checked(settled: Settled, kept: Path, tmp_path: Path) -> None:
    shown = roundsim("claims", "mine/1", cwd=tmp_path, code=3).stdout  # open after 400 deals
    assert "roundsim claims mine/1 --again plays the deals" in shown
    assert "not tested" not in roundsim("claims", cwd=tmp_path).stdout
    assert "not tested" in roundsim("claims", "--among", "random", cwd=tmp_path).stdout
    assert not (tmp_path / "runs").exists()
    check = "claims", "--check", "--out", settled.runs
    checked = roundsim(*check, cwd=tmp_path).stdout
    assert checked == "1 claims checked: none contradicted\n"  # a tenth of one other is none
    text = (kept / "kept.json").read_text()
    (kept / "kept.json").write_text(text.replace('"verdict": "right"', '"verdict": "wrong"'))
    checked = roundsim(*check, cwd=tmp_path, code=1).stdout
    assert checked == "mine/2: wrong is kept, right was found\n1 claims checked: 1 contradicted\n"
    (kept / "mine.py").write_text("def two():\n    return 3 - 1\n")  # another definition: nothing is kept of it
    assert roundsim("claims", cwd=tmp_path).stdout.split()[:4] == ["chapter", "claims", "not", "tested"]
    (kept / "kept.json").unlink()
    assert "not tested" in roundsim("claims", cwd=tmp_path).stdout.splitlines()[0]


def test_a_verdict_contradicts_if_the_intervals_have_nothing_in_common() -> None:
    def row(*ends: float | None) -> rows.Row:
        return {"exact": {}, "verdict": "open", "cases": [{"low": ends[0], "high": ends[1]}]}

    assert rows.differs(row(0, 1), row(1.1, 2))
    assert rows.differs(row(1.1, 2), row(0, 1))
    assert not rows.differs(row(0, 1), row(1, 2))
    assert not rows.differs(row(None, None), row(1, 2))


@pytest.mark.parametrize(
    "number, printed, same",
    [
        (Fraction(4704, 2598960), "0.181 %", True),
        (Fraction(1, 649740), "1 in 649 740", True),
        (Fraction(1, 649740), "1 in 649,741", False),
        (0.7824, ".782", True),
        (0.7826, ".782", False),
        (Fraction(1, 8), ".12", True),  # a half may be rounded either way
        (Fraction(1, 8), ".13", True),
        (17, "17", True),
    ],
)
def test_a_number_is_compared_to_its_last_digit(number: Fraction | float, printed: str, same: bool) -> None:
    assert is_printed(number, printed) == same


def test_names_that_are_not_there_are_suggested(tmp_path: Path) -> None:
    assert "no chapter 'npa' (did you mean nap?)" in roundsim("claims", "npa", cwd=tmp_path, code=64).stderr
    assert "no claim 99 in nap" in roundsim("claims", "nap/99", cwd=tmp_path, code=64).stderr
    said = roundsim("claims", "nap/5", "--among", "bok", "--again", cwd=tmp_path, code=64).stderr
    assert "no strategy 'bok' (did you mean book?)" in said


def test_a_run_is_asked_without_playing(parlour: Run, tmp_path: Path, write: Write) -> None:
    write("mine.toml", f"{MINE}    tables = [{{ players = 3 }}]\n")
    words = "claims", "mine.toml", "--run", parlour.folder, "--format", "json", "--jobs", 1
    (row,) = json.loads(roundsim(*words, cwd=tmp_path).stdout)["claims"]
    (case,) = row["cases"]
    assert (case["among"], case["deals"]) == ("book, random, random#2", 90)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.toml"]
    means = [place["net_per_deal"] for place in parlour.standings["games"][0]["places"]]
    assert case["value"] == pytest.approx(means[-1], abs=1e-5)  # the dealer is the last place


def test_deals_are_walked_with_what_each_seat_saw(tmp_path: Path) -> None:
    run = package.play("nap", ["book", "random"], seats=4, deals=drawn(32, 320), jobs=1, out=tmp_path / "run")
    for deal in package.deals(run.folder):
        answers = list[str]()
        for view, said in deal.walk():
            assert said in view.legal and len(view.legal) > 1
            assert set(view.hand) <= set(deal.hands[view.seat])
            answers.append(str(said))
        assert [each for each in deal.actions if each in answers] and len(answers) <= len(deal.actions)
        assert list(deal.over.net) == list(deal.net) and sum(deal.net) + sum(deal.over.pools.values()) == 0
        moved = [0] * deal.players
        for move in deal.moves:
            if isinstance(move.payer, int):
                moved[move.payer] -= move.counters
            if isinstance(move.payee, int):
                moved[move.payee] += move.counters
        assert moved == list(deal.net)


@pytest.mark.soak
def test_no_kept_verdict_is_contradicted(tmp_path: Path) -> None:
    """The exact claims, and a tenth of the others with a tenth of the budget."""
    said = roundsim("claims", "--check", cwd=tmp_path).stdout
    assert said.endswith(": none contradicted\n")
    assert int(said.split()[0]) > 60  # the exact ones alone are more


@pytest.mark.soak
def test_every_kept_verdict_is_of_a_claim() -> None:
    claims = {claim.id for name in chapter_names() for claim in find_chapter(name).claims}
    assert len(claims) >= 150 and {claim_id for claim_id, _ in rows.kept_rows()} <= claims


@pytest.mark.parametrize("jobs", [1, *seldom(2)])
@pytest.mark.parametrize(
    "claim, code, words",
    [
        ('measure = "broken"\n    true_if = "a > 0"', 66, "mine.py: broken fails: ZeroDivisionError"),
        ('measure = "word"\n    true_if = "a > 0"', 66, "mine.py: word fails: "),
        ('exact = "fails"\n    printed = "1"', 66, "mine.py: fails fails: ZeroDivisionError"),
        ('exact = "named"\n    printed = "1"', 64, "mine.toml:5: named gives no single number: one"),
        ('exact = "named"\n    true_if = "oen > 0"', 64, "mine.toml:5: named gives no oen (did you mean one?): one"),
    ],
)
def test_functions_that_fail_are_named(
    claim: str, code: int, words: str, jobs: int, settled: Settled, tmp_path: Path, write: Write
) -> None:
    write(
        "mine.py",
        """
        def broken(deal):
            yield "a", 1 / 0

        def word(deal):
            yield "a", "b"

        def fails():
            return 1 // 0

        def named():
            return {"one": 1}
        """,
    )
    write("mine.toml", MINE.replace('measure = "place"\n    true_if = "dealer < 0"', claim))
    given = "claims", "mine.toml", "--measures", "mine.py", "--budget", 400, "--jobs", jobs, "--out", settled.runs
    assert words in roundsim(*given, cwd=tmp_path, code=code).stderr


@pytest.mark.parametrize(
    "words, said",
    [
        (("--check", "--page", "x.html"), "--check and --page: give one of them"),
        (("--errata", "--all"), "--errata and --all: give one of them"),
        (("nap", "--run", "field", "--again"), "--run and --again: give one of them"),
        (("--check", "--format", "json"), "--format json is of verdicts: --check and --errata print none"),
        (("nap", "--measures", "mine.py"), "mine.py is for a file of claims, mine.toml"),
    ],
)
def test_no_option_is_ignored(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    assert said in roundsim("claims", *words, cwd=tmp_path, code=64).stderr
    assert not [*tmp_path.iterdir()]


def test_errata_are_the_corrections_of_the_experts(tmp_path: Path) -> None:
    """The first line of Loo's table is the first that is printed, with the pages of the book."""
    first = (ROOT / "strategies/loo_expert/corrections.txt").read_text("utf-8").splitlines()[1]
    kind, book, better, gain, _ = [part for part in first.split("  ") if part]
    said = roundsim("claims", "loo", "--errata", cwd=tmp_path).stdout.splitlines()
    assert re.fullmatch(r"Loo, 3 seats · Baxter-Wray pp\. \d+-\d+", said[0])
    assert said[2].split() == ["where", "the", "book", "better", "gain"]
    cells = [part.strip() for part in said[3].split("  ") if part]
    assert " ".join([cells[0], said[4].strip()]).startswith(kind)
    assert cells[1:3] == [book.strip().removeprefix("book: "), better.strip()]
    assert float(cells[3].split()[0]) == pytest.approx(float(gain.split()[0]), abs=0.006)
    assert all(len(line) <= 80 for line in said)
    every = roundsim("claims", "--errata", cwd=tmp_path).stdout
    assert said[0] in every and len(every.split(said[0])[1].split("\n\n")[1]) < len("\n".join(said))
    assert roundsim("claims", "loto", "--errata", cwd=tmp_path).stdout.startswith("no errata: ")


@pytest.mark.parametrize("number", one_in(2, [signal.SIGINT, signal.SIGTERM]))
def test_a_signal_ends_it_while_a_strategy_thinks(number: int, tmp_path: Path) -> None:
    """With one job the strategy plays in the process of the command: the signal is not its fault."""
    words = "claims", "draw-poker/3", "--again", "--among", "sampler", "--jobs", 1, "--out", "runs"
    with begin(*words, cwd=tmp_path) as process:
        assert wait_for(lambda: [*tmp_path.glob("runs/*/run.toml")])
        process.send_signal(number)
        process.communicate(timeout=PATIENCE)
    assert process.returncode in (128 + number, -number)  # the latter within an import
    assert not [*tmp_path.glob("runs/**/faults.jsonl")]
