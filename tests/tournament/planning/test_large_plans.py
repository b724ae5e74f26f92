"""Tournament files of any size, and of values of any size: read with little work, refused in few words."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from conftest import Shell, Write

from roundsim.base.errors import LogError, StrategyError, TournamentError
from roundsim.sources import plugins
from roundsim.sources.plugins import Strategy
from roundsim.sources.specs import Spec
from roundsim.table.deal import Deal
from roundsim.tournament.planning import file
from roundsim.tournament.planning.key_lines import KeyLines
from roundsim.tournament.planning.record import SCHEMA
from roundsim.tournament.storage import runfile

NAP = '[[games]]\ngame = "nap"\n'
BOOK = '[tournament]\nstrategies = ["book"]\n'


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often strategies were looked for, and games asked for their rules."""
    asked: Counter[str] = Counter()
    fitting, rules = plugins.strategies_for, Deal.__dict__["rules_for"].__func__

    def search(spec: Spec, *given: Any) -> list[Strategy]:
        asked["strategies"] += 1
        return fitting(spec, *given)

    def rules_for(game: type[Deal], *given: Any) -> Any:
        asked["rules"] += 1
        return rules(game, *given)

    monkeypatch.setattr(plugins, "strategies_for", search)
    monkeypatch.setattr(Deal, "rules_for", classmethod(rules_for))
    return asked


def mistakes(path: Path) -> list[str]:
    """Return the mistakes that are reported, each without the file's name."""
    with pytest.raises(TournamentError) as error:
        file.load_tournament(path)
    return [problem.removeprefix(f"{path}:") for problem in error.value.problems]


def entries(number: int, more: str = "") -> str:
    """Return a number of games of Nap, g0, g1, ..., with more lines in each."""
    return "".join(f'[[games]]\nname = "g{at}"\ngame = "nap"\n{more}' for at in range(number))


def lines_of(found: list[str]) -> list[int]:
    return [int(problem.split(":")[0]) for problem in found[:50]]


def test_a_thousand_entries_look_for_each_strategy_once(write: Write, asked: Counter[str]) -> None:
    """And of a run file with as many, two of the same name are found."""
    text = '[tournament]\nstrategies = ["book", "random", "book", "random"]\n' + entries(1000)
    read = file.load_tournament(write("t.toml", text))
    assert [entry.name for entry in read.entries] == [f"g{at}" for at in range(1000)]
    assert all(entry.labels == ["book", "random", "book#2", "random#2"] for entry in read.entries)
    assert asked["strategies"] == 2
    assert len(read.folder_name()) == len("t-123456")
    listed = ", ".join(['"random"'] * 5_000)
    (entry,) = file.load_tournament(write("many.toml", f"[tournament]\nstrategies = [{listed}]\n{NAP}")).entries
    assert (entry.labels[0], entry.labels[1], entry.labels[-1]) == ("random", "random#2", "random#5000")
    assert asked["strategies"] == 3
    data = runfile.data_of(read, "1")
    runfile.check_run_data(data, Path())
    data["games"][999]["name"] = "g7"
    with pytest.raises(ValueError, match=r"games\[1000\]\.name = 'g7'"):
        runfile.check_run_data(data, Path())


@pytest.mark.soak
def test_the_first_fifty_mistakes_are_reported_in_order_with_the_number_of_the_rest(write: Write, shell: Shell) -> None:
    """Two mistakes in each of 1 000 entries, and one before all of them that is found last."""
    path = write("t.toml", "[limits]\nmemory = 1\n" + BOOK + entries(1000, "deels = 1\nplayers = 0\n"))
    found = mistakes(path)
    assert lines_of(found) == sorted([2, *[5 * at + n for at in range(25) for n in (8, 9)]])[:50]
    assert found[0].startswith("2: memory") and found[1] == "8: unknown key deels (did you mean deals?)"
    assert found[50:] == ["and 1 951 more"]
    done = shell("run", "t.toml")
    lines = done.err.splitlines()
    assert done.code == 64 and lines[-1].strip() == "and 1 951 more" and len(lines) == 51


@pytest.mark.soak
def test_many_entries_with_mistakes_cost_few_looks(write: Write, asked: Counter[str]) -> None:
    found = mistakes(write("t.toml", entries(2000, 'strategies = [\n"buk",\n"randum",\n]\n')))
    assert lines_of(found)[:4] == [5, 6, 12, 13] and found[1].startswith(
        "6: no strategy 'randum' (did you mean random?)"
    )
    assert found[50] == "and 3 950 more" and asked["strategies"] == 2
    asked.clear()
    found = mistakes(write("t.toml", BOOK + entries(5000, "players = 3\na = 1\nb = 1\n")))
    assert found[50] == "and at least 9 950 more"
    assert asked["rules"] <= 10_000  # two for each of the first 2 500


def test_many_names_of_no_strategy_are_not_looked_for_one_by_one(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the first fifty are: after those that are reported it is asked whether any is installed."""
    looked: list[str] = []

    def fitting(spec: Spec, *given: Any) -> list[Strategy]:
        looked.append(spec.what)
        raise StrategyError("nobody")

    monkeypatch.setattr(plugins, "describe_ahead", lambda *given: None)
    monkeypatch.setattr(plugins, "strategies_for", fitting)
    listed = "".join(f'"nobody{at}",\n' for at in range(2000))
    found = mistakes(write("t.toml", f"[tournament]\nstrategies = [\n{listed}]\n{NAP}"))
    assert lines_of(found) == list(range(3, 53)) and found[50] == "and 1 950 more"
    assert looked == [f"nobody{at}" for at in range(50)]


def test_mistakes_are_found_at_their_own_lines_among_many_keys(write: Write) -> None:
    """Fifty are reported."""
    found = mistakes(write("t.toml", BOOK + NAP + "".join(f"k{at} = 1\n" for at in range(50))))
    assert lines_of(found) == list(range(5, 55)) and len(found) == 50
    options = "".join(f"wrong{at} = {at}\n" for at in range(1000))
    text = f'{BOOK}{NAP}[games.options]\nmisery = true\n{options}{NAP}name = "b"\na = 1\n'
    found = mistakes(write("t.toml", text))
    assert lines_of(found) == list(range(7, 57)) and found[0] == "7: nap has no option wrong0"
    assert found[50] == "and 951 more"


LONG = "x" * 100_000
DEEP = "[" * 20_000 + "]" * 20_000
VALUES: list[tuple[str, int, str]] = [
    (f"[tournament]\nseed = {'9' * 5000}\n", 2, "no TOML: a number of thousands of digits"),
    (f"[tournament]\nseed = 0x{'f' * 5000}\n", 2, "no TOML: a number of thousands of digits"),
    (f"a = 1\nb = {DEEP}\n", 2, "no TOML: too many brackets inside one another"),
    (f"a = 1\nb = {'{a=' * 20_000}1{'}' * 20_000}\n", 2, "no TOML: too many brackets inside one another"),
    (f"a = 1\n{'a.' * 20_000}b = 1\n", 2, "no TOML: a key of many parts"),
    (f"{BOOK}{NAP}seed = {'9' * 3000}\n", 5, "unknown key seed"),
    (f"[tournament]\nseed = {'9' * 3000}\n", 2, "seed must be a whole number"),
    ('[tournament]\nname = "a\\u0000b"\n', 2, "name must be a name for a folder, without slashes, not 'a\\x00b'"),
    (f'[tournament]\nname = "/{LONG}"\n', 2, "name must be a name for a folder"),
    (f'[tournament]\nformat = "{LONG}"\n', 2, "format must be one of"),
    (f'{BOOK}[[games]]\ngame = "{LONG}"\n', 4, "no game 'xxx"),
    (f'{BOOK}[[games]]\ngame = "a\\u0000b.py:X"\n', 4, r"'a\x00b.py:X' is a file"),
    (f'[tournament]\nstrategies = ["{LONG}"]\n{NAP}', 2, "no strategy 'xxx"),
    (f'[tournament]\nstrategies = ["{LONG}.py"]\n{NAP}', 2, "xxx"),
    (f'[tournament]\nstrategies = ["a\\u0000b.py"]\n{NAP}', 2, "a\0b.py: there is no such file"),
    (f'[tournament]\nstrategies = ["random(k={"9" * 5000})"]\n{NAP}', 2, "'random(k=999"),
    (f'{BOOK}{NAP}options = {{ kitty = "{LONG}" }}\n', 5, "kitty must be one of off, dealer, round, not 'xxx"),
    (f"{BOOK}{NAP}options = {{ {LONG} = 1 }}\n", 5, "nap has no option xxx"),
    (f"{BOOK}{NAP}{LONG} = 1\n", 5, "unknown key xxx"),
]


def test_values_of_any_size_are_refused_in_few_words(write: Write, shell: Shell, tmp_path: Path) -> None:
    for text, line, words in VALUES:
        found = mistakes(write("t.toml", text))
        assert any(each.startswith(f"{line}: {words}") for each in found), found
        assert all(len(each) < 500 for each in found)
    done = shell("run", "t.toml")
    assert done.code == 64 and not done.out
    for value in "9" * 5000, "0x" + "f" * 5000, DEEP, "[" * 20_000, '"' + LONG:
        done = shell("play", "nap", "random", "random", "--option", f"stake={value}")
        assert done.code == 64 and "stake must be a whole number from 1 to 1000000, not" in done.err
        assert len(done.err) < 600
    path = tmp_path / "run.toml"
    for value in "9" * 5000, "0x" + "f" * 5000, DEEP, "{a=" * 20_000:
        path.write_text(f"schema = {SCHEMA}\nseed = {value}\n")
        with pytest.raises(LogError, match=rf"^{re.escape(str(path))}: no TOML: .*\(at line 2, column 1\)$"):
            runfile.read_run_file(path)


def test_a_source_is_looked_at_once_for_all_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.py").write_text("class Mine:\n    def act(self, view): ...\n")
    looked: list[Path] = []
    really = plugins.strategies_of

    def look(path: Path, name: str = "") -> list[plugins.Strategy]:
        looked.append(path)
        return really(path, name)

    monkeypatch.setattr(plugins, "strategies_of", look)
    top = {"name": "many", "strategies": ["mine.py:Mine", "old=mine.py:Mine"]}
    data = {"tournament": top, "games": [{"game": game} for game in ("nap", "loo", "brag", "cassino")]}
    tournament = file.read_tournament(data, KeyLines("many", ""), tmp_path)
    assert [entry.labels for entry in tournament.entries] == [["Mine", "old"]] * 4
    assert len([path for path in looked if path.name == "mine.py"]) == 2  # each of the two texts
