"""Every rule has its page, law or section, and every page of a source is cited or declared silent."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest
from conftest import Shell

import roundsim
from roundsim import games
from roundsim.games.loo import Loo
from roundsim.games.nap import Nap
from roundsim.table.citations import CitedPlace, at, book_of, cited_in, is_at, places_in, rules_of_game
from roundsim.table.deal import Deal

ROOT = Path(roundsim.__file__).parent
EVERY_GAME = pytest.mark.parametrize("name", games.ours())


def test_places_of_a_citation() -> None:
    text = "Foster law 21, sections Jack Pots, Freeze Out; Baxter-Wray pp. 40-42, 44, laws 33-34; Hoyle's Games p. 136"
    assert list(places_in(text)) == [
        *[("Foster", "law", "21"), ("Foster", "section", "Jack Pots"), ("Foster", "section", "Freeze Out")],
        *[("Baxter-Wray", "page", page) for page in ("40", "41", "42", "44")],
        *[("Baxter-Wray", "law", "33"), ("Baxter-Wray", "law", "34"), ("Hoyle's", "page", "136")],
    ]
    assert list(places_in("pp. 8, 10", "Baxter-Wray")) == [("Baxter-Wray", "page", "8"), ("Baxter-Wray", "page", "10")]
    assert list(places_in("p. 12; ties ours", "Foster")) == [("Foster", "page", "12")]
    assert list(places_in("ours")) == list(places_in("reconstructed")) == []


def test_a_place_may_be_written_in_several_ways() -> None:
    page, law, section = (
        CitedPlace("Foster", *which) for which in (("page", "21"), ("law", "33"), ("section", "Jack Pots"))
    )
    written = {page: ("21", "p. 21", "page 21"), law: ("law 33", "Law 33"), section: ("jack pots", "section Jack Pots")}
    for place, texts in written.items():
        for text in texts:
            assert is_at(place, text) and not is_at(place._replace(what="1"), text)
            assert not is_at(place._replace(kind="law" if place.kind == "page" else "page"), text)


@EVERY_GAME
def test_every_place_of_a_source_is_cited_and_every_option_has_its_page(name: str) -> None:
    game = games.find(name)
    assert list(places_in(game.source)), f"{name}: its source names no page, law or section"
    named = {*places_in(game.source)}
    cited = {place for rule in rules_of_game(game) for place in rule.places}
    silent = {place for text in game.silent for place in places_in(text, book_of(game))}
    assert named <= cited | silent, f"{name}: neither cited nor declared silent"
    assert not silent & cited, f"{name}: declared silent, and cited"
    assert silent <= named
    for option in game.options:
        assert option.page and option.help and option.place, option.key


@pytest.mark.parametrize("room", ["games", "mechanics"])
def test_every_function_of_a_game_that_states_a_rule_says_where_it_is(room: str) -> None:
    """A docstring in games and mechanics states a rule, and its first paragraph ends in its place."""
    for path in (ROOT / room).rglob("*.py"):
        functions = [each for each in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(each, ast.FunctionDef)]
        for function in functions if path != ROOT / "games" / "__init__.py" else ():
            if (text := ast.get_docstring(function)) is not None:
                said, where = cited_in(type(function.name, (), {"__doc__": text})), f"{path}:{function.lineno}"
                assert said is not None and said[1], f"{where}: {function.name}: no place at its end"
                known = list(places_in(said[1], "some book")) or "ours" in said[1] or "reconstructed" in said[1]
                assert known, f"{where}: {function.name}: {said[1]} is no place"


def test_a_shared_step_has_its_place_in_the_own_book_or_is_as_at_another_game() -> None:
    """And every step that a game names is one, or its name would be left over."""
    for name, speaking, dividing in (
        ("draw-poker", "Foster, section Draw Poker; Baxter-Wray p. 38", "p. 37, laws 59, 76"),
        ("brag", "section Brag", None),
        ("bouillotte", "section Bouillotte", "as at draw poker"),
        ("ambigu", "section Ambigu", "section Ambigu"),
        ("stud-poker", "as at draw poker", "as at draw poker"),
    ):
        game = games.find(name)
        cited = {rule.name: rule.cited for rule in rules_of_game(game)}
        assert cited["speaking"] == speaking and (dividing is None or cited["take_pots"].endswith(dividing))
        for place, steps in game.own_places.items():
            assert {cited[step] for step in steps.split()} == {place}


def test_deal_comes_first() -> None:
    """The story begins 41 lines after the imports at the latest, 25 in the median (of a package, in its file)."""
    lines = sorted(lines_before_deal(games.find(name)) for name in games.ours())
    assert lines[-1] <= 41 and lines[len(lines) // 2] <= 25, lines


def lines_before_deal(game: type[Deal]) -> int:
    """The lines between the imports of the file that tells the deal, and the deal."""
    tree = ast.parse(Path(inspect.getsourcefile(game.deal) or "").read_text("utf-8"))
    imports = [each.end_lineno or 0 for each in tree.body if isinstance(each, ast.Import | ast.ImportFrom)]
    return inspect.getsourcelines(game.deal)[1] - max(imports)


def test_rules_are_found_by_their_page() -> None:
    """By the sheet of Loo, heading the trick is on pages 21 and 25, Pam on 27."""
    assert {"may_follow", "heads"} <= {rule.name for rule in at(Loo, "21")}
    assert "may_follow" in {rule.name for rule in at(Loo, "25")}
    assert "pam" in {rule.name for rule in at(Loo, "27")} and "pam" not in {rule.name for rule in at(Loo, "21")}
    assert at(Loo, "3") == []
    assert {"calling", "pay_kitty"} <= {rule.name for rule in rules_of_game(Nap)}


def test_pages_at_the_command_line(shell: Shell) -> None:
    done = shell("rules", "nap", "--page", "11")
    assert (
        done.code == 0 and "pay_kitty  With kitty = dealer: Each dealer pays one" in done.out and "(p. 11)" in done.out
    )
    assert max(map(len, done.out.splitlines())) <= 100
    gone = shell("rules", "nap", "--page", "99")
    assert gone.code == 64 and "no rule is cited from '99'" in gone.err and "pp. 3-15" in gone.err
    silent = shell("rules", "nap", "--page", "6")
    assert silent.code == 64 and "how to judge a hand" in silent.err
    long = shell("rules", "nap", "--long")
    book = long.out.partition("The rules, in the order of the book")[2]
    order = [book.index(f"\n  {name}  ") for name in ("deal_cards", "calling", "pay_kitty", "double_header")]
    assert long.code == 0 and order == sorted(order)
