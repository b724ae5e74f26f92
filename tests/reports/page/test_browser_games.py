"""Every game on its table, in a browser: it ends as in the log, and shows a seat what `replay` shows that seat."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from conftest import GAMES
from helpers.browser import CODE, Scene, Window, a_window, cards_in, module_browser
from helpers.command import called, drawn, roundsim

from roundsim import games
from roundsim.replaying.log_driver import LogDriver
from roundsim.replaying.logged import replay_to
from roundsim.replaying.replay import Wish, replay_run_or_script
from roundsim.table.deal import Deal
from roundsim.tournament.results.record import Address
from roundsim.tournament.storage.folder import RunFolder

pytestmark = pytest.mark.soak
browser = pytest.fixture(scope="module")(module_browser)

CLUMSY = '''
class Clumsy:
    """At random, but now and then what nobody can do."""

    def act(self, view):
        return "fly away" if view.chance.random() < 0.3 else view.chance.choice(view.legal)
'''
STEP = re.compile(r"^ *(\d+)  seat (\d+)  \S+ +(\S+)")
FAULT = re.compile(r"^ +seat (\d+) is at fault: (.*); the first legal action is played for it")
COVERED = "answers, unseen by the others"
BY_THE_RULES = {  # cards that a table names in every deal, whoever holds them: those of its board, and those left out
    "cassino": "Td 2s",
    "newmarket": "As Kc Qh Jd Ks Qc Jh Td 7s 7h 7d 7c",
    "pope-joan": "8d",
    "spin": "8d 2h Kd Qd Jd",
}
MORE = {"ambigu", "draw-poker", "flat-poker", "loo", "show-down-poker", "spin"}  # discards lie before their seat


class Look(NamedTuple):
    """A deal wherever it waits, and at its end."""

    hands: list[list[str]]
    net: list[int]


class Played(NamedTuple):
    """A run of a game with its page, and the deals of the page."""

    folder: Path
    game: str

    @property
    def page(self) -> Path:
        return self.folder / "report.html"

    def replayed(self, address: str, seat: int | None = None) -> list[str]:
        """How the terminal tells a deal, to a seat."""
        lines: list[str] = []
        replay_run_or_script(f"{self.folder}:{address}", lines.append, Wish(seat=None if seat is None else str(seat)))
        return lines

    def looks(self, address: str) -> list[Look]:
        found: list[Look] = []

        def look(deal: Deal) -> None:
            found.append(Look([[str(card) for card in hand] for hand in deal.hands], list(deal.net)))

        def pass_by(driver: LogDriver, at: Address, faults: object) -> None:
            for _ in driver.walk():
                if str(at) == address:
                    look(driver.deal)
            if str(at) == address:
                look(driver.deal)

        replay_to(RunFolder(self.folder), address, pass_by, lambda end: None)
        return found


@pytest.fixture(scope="module")
def played(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Played:
    """A run of the game with one who makes faults, and its page.  Not to be changed."""
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "clumsy.py").write_text(CLUMSY, "utf-8")
    words = "book", "clumsy.py", "random", "--deals", 1, "--isolate", "off", "--jobs", 1, "--out", "run"
    called("play", request.param, *words, cwd=folder)  # 2 where there was a fault
    roundsim("report", "run", cwd=folder)
    return Played(folder / "run", request.param)


def nets_of(folder: Path) -> dict[str, list[int]]:
    lines = roundsim("log", folder, "--format", "json", cwd=folder).stdout.splitlines()
    return {deal["deal"]: deal["net"] for deal in map(json.loads, lines)}


def addresses_in(window: Window) -> list[str]:
    """The deals of the page, by game in the order of its list."""
    groups = "JSON.parse(document.querySelector('#deals-data').textContent).groups"
    found: list[str] = window.page.evaluate(f"{groups}.flatMap(group => group.addrs)")
    return found


def worth_a_look(addresses: list[str], run: Played) -> list[str]:
    """The first deal, and one with a fault in it."""
    faulty = (each for each in addresses if any(FAULT.match(line) for line in run.replayed(each)))
    return [*dict.fromkeys([*addresses[:1], *[each for each, _ in zip(faulty, range(1), strict=False)]])]


def parts(lines: list[str], steps: int) -> list[list[str]]:
    """The lines of a replay by step: those before the first step, then each step with the lines after it; none for a
    step that is left out, because the seat does not know that anybody was asked."""
    found: list[list[str]] = [[] for _ in range(steps + 1)]
    at = 0
    for line in lines:
        if step := STEP.match(line):
            at = int(step[1])
        found[at].append(line)
    return found


@pytest.mark.parametrize("played", GAMES, indirect=True)
def test_a_table_shows_the_deal_and_no_seat_more_than_it_sees(played: Played, browser: Any) -> None:
    nets = nets_of(played.folder)
    with a_window(browser, played.page) as window:
        deals = worth_a_look(addresses_in(window), played)
        for address in deals:
            scenes = window.deal(address).through()
            assert scenes[-1].nets == nets[address]
            check_open(played, address, scenes)
            check_faults(played, address, scenes)
            for seat in range(len(scenes[0].seats)):
                scenes = window.deal(address, f"&step=0&seat={seat}").through()
                check_seat(played, address, seat, scenes)
                check_sealed(played, address, seat, scenes)


def check_open(played: Played, address: str, scenes: list[Scene]) -> None:
    looks = played.looks(address)
    assert len(scenes) == len(looks) and [scene.at for scene in scenes] == [*range(len(looks))]
    for scene, look in zip(scenes, looks, strict=True):
        assert scene.nets == look.net
        for seat, hand in enumerate(look.hands):
            banks = played.game == "vingt-un"  # the banker's cards lie in the middle
            lie = cards_in(scene.board if banks else scene.seats[seat])
            assert set(hand) <= set(lie), (address, scene.at, seat)
            assert set(hand) == set(lie) or played.game in MORE or banks, (address, scene.at, seat)


def check_faults(played: Played, address: str, scenes: list[Scene]) -> None:
    """A forfeited step is marked, with the words of the fault if `replay` has them."""
    words = ""
    for line in played.replayed(address):
        if fault := FAULT.match(line):
            words = fault[2]
        elif step := STEP.match(line):
            at, forfeited = int(step[1]), step[3] == "!"
            assert scenes[at].marked == forfeited == ("Forfeited" in scenes[at].now), (address, at)
            assert words in scenes[at].now, (address, at)
            words = ""


def check_seat(played: Played, address: str, seat: int, scenes: list[Scene]) -> None:
    """The page shows no card before `replay` shows it to this seat, and only those in the words of the deal."""
    lines, looks = played.replayed(address, seat), played.looks(address)
    seen = {*BY_THE_RULES.get(played.game, "").split()}
    ever = seen.union(*map(CODE.findall, lines))
    for scene, look, part in zip(scenes, looks, parts(lines, len(scenes) - 1), strict=True):
        own = look.hands[seat] if look.hands else []  # `replay` tells them at a question only
        seen = seen.union(own, *map(CODE.findall, part))
        assert set(cards_in(scene.rest)) <= seen, (address, scene.at, seat)
        assert set(cards_in([text for line in scene.lines for text in line])) <= ever | seen, (address, scene.at, seat)


def check_sealed(played: Played, address: str, seat: int, scenes: list[Scene]) -> None:
    """A step that is sealed or left out in the terminal is covered, unless it is opened at once."""
    for scene, part in zip(scenes[1:], parts(played.replayed(address, seat), len(scenes) - 1)[1:], strict=True):
        step = STEP.match(part[0]) if part else None
        opened = any(re.match(r" +bids: (?!-)", line) for line in part)
        if not step or step[3] == "(sealed)":
            assert (COVERED in scene.now) == (COVERED in scene.words(scene.at)) == (not opened), (address, scene.at)
        else:
            assert COVERED not in scene.now, (address, scene.at)


@pytest.mark.parametrize("played", ["nap"], indirect=True)
def test_marks_of_tricks_lie_before_their_words(played: Played, browser: Any) -> None:
    with a_window(browser, played.page) as window:
        window.deal(addresses_in(window)[0]).through()
        marks = window.page.locator("svg.tally")
        assert marks.count()
        for mark, words in [(each.bounding_box(), each.locator("..").bounding_box()) for each in marks.all()]:
            assert mark["x"] == words["x"] and mark["width"] < words["width"] < 100


@pytest.mark.parametrize("played", GAMES, indirect=True)
def test_other_seats_do_not_hear_of_a_fault(played: Played, browser: Any) -> None:
    """As in `replay --seat`: the words of a fault may show cards."""
    with a_window(browser, played.page) as window:
        address = worth_a_look(addresses_in(window), played)[-1]
        for seat in range(len(window.deal(address).scene().seats)):
            lines = [step for line in played.replayed(address, seat) if (step := STEP.match(line))]
            own = {int(step[1]) for step in lines if step[3] == "!"}
            for scene in window.deal(address, f"&step=0&seat={seat}").through():
                assert ("Forfeited" in scene.now) == scene.marked == (scene.at in own), (address, scene.at, seat)
                marked = {step for step in range(1, scene.steps + 1) if "(forfeited)" in scene.words(step)}
                count = window.page.locator("#view .flow .flt").count()
                assert marked == own and count == len(own), (address, scene.at, seat)


@pytest.mark.parametrize("played", GAMES, indirect=True)
def test_other_seats_do_not_hear_of_forced_answers(played: Played, browser: Any) -> None:
    """As in `replay --seat`: a forced answer shows the cards of its seat."""
    with a_window(browser, played.page) as window:
        address = addresses_in(window)[0]
        for seat in range(len(window.deal(address).scene().seats)):
            for scene in window.deal(address, f"&step=0&seat={seat}").through():
                mine = f"· seat {seat} · forced" in scene.now
                assert mine or "· forced" not in scene.now, (address, scene.at, seat)


@pytest.mark.parametrize("played", GAMES, indirect=True)
def test_all_public_fields_are_listed_by_name(played: Played, browser: Any) -> None:
    """With what it is, in the words of the game."""
    game = games.find(played.game)
    with a_window(browser, played.page) as window:
        window.opened(addresses_in(window)[0]).page.click("details.lies summary")
        window.page.wait_for_selector("details.lies dt code")
        names = window.page.locator("details.lies dt code").all_text_contents()
        helps = window.page.locator("details.lies dd .help").all_text_contents()
        assert len(names) == len({*names}) and {*names} - {"hands"} >= {*game.public, *game.private} - {"hands"}
        assert {*game.public.values(), *game.private.values()} - {game.public.get("hands")} <= {*helps}


@pytest.mark.parametrize("played", GAMES, indirect=True)
def test_each_field_is_shown_by_its_kind(played: Played, browser: Any) -> None:
    """Seats by the names of their players; lists by seat with a player before each item; nothing else names a player."""
    game, shown = games.find(played.game), Counter[str]()
    with a_window(browser, played.page) as window:
        address = addresses_in(window)[0]
        scene = window.deal(address).scene()
        for step in range(0, scene.steps + 1, 3):
            window.deal(address, f"&step={step}")
            window.page.evaluate("document.querySelector('details.lies').open = true")
            for row in window.page.locator("details.lies div.name").all():
                name, text = row.locator("dt code").text_content(), row.locator("dd > div").first.text_content()
                players, items = row.locator("dd .who").count(), row.locator("dd .kv").count()
                kind = str(game.View.kinds[name]) if name in {*game.public, *game.private} - {"hands"} else ""
                shown[kind] += players
                where = played.game, name, kind, text, step
                if name in game.private or kind.startswith("each "):
                    assert text == "none" or items == len(scene.seats) <= players, where
                elif kind in ("number", "numbers", "word", "words", "flag", "card", "cards"):
                    assert players == items == 0, where
                elif kind == "seat":
                    assert players == (text not in ("none", "−1")), where
                elif kind == "seats":
                    assert items == 0 and players == row.locator("dd .vals > span").count(), where
        kinds = {str(game.View.kinds[name]) for name in game.public}
        assert shown["seat"] + shown["seats"] > 0 or not kinds & {"seat", "seats"}


def test_every_game_opens_from_its_standings(browser: Any, tmp_path: Path) -> None:
    """By a click, and is stepped to its end by a key."""
    roundsim("play", "all", "random", "--deals", 1, "--jobs", 1, "--out", "run", cwd=tmp_path)
    roundsim("report", "run", cwd=tmp_path)
    nets = nets_of(tmp_path / "run")
    with a_window(browser, tmp_path / "run" / "report.html") as window:
        window.page.evaluate("for (const each of document.querySelectorAll('details.columns')) each.open = true")
        for game in GAMES[:: drawn(4, 1)]:
            title = games.find(game).title
            table = window.page.get_by_role("group", name=f"standings of {title}", exact=True)
            link = table.locator("a[data-deal]").first
            address = link.get_attribute("data-deal")
            assert address.startswith(f"{game}/")
            link.click()
            window.opened(address).press("End")
            scene = window.scene()
            assert scene.at == scene.steps and scene.nets == nets[address]
            assert window.page.text_content("#view h3") == title
            assert link.get_attribute("aria-current") == "true"
