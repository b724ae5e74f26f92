"""The page of `roundsim sit --page`: nothing hidden reaches it, nobody else plays, and clicks and keys play a deal."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from conftest import GAMES
from helpers.browser import Window, module_browser
from helpers.command import command, environment, one_in, seldom, wait_for
from helpers.deals import listen_to, states
from helpers.layout import axe_in, check
from helpers.seat_page import (
    ENDED,
    SAYS,
    a_seat,
    answer_at_random,
    check_secrets,
    click,
    host_of,
    joined,
    press,
    refused,
    served,
)
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from roundsim import games
from roundsim.coaching.hints import Hints
from roundsim.replaying.deal_data import as_json_data
from roundsim.replaying.verify import verify_run
from roundsim.seat.answers import Answers
from roundsim.seat.page import PagePerson
from roundsim.seat.server import REDIRECT
from roundsim.seat.sit import new_tournament, sit
from roundsim.table.chance import Chance
from roundsim.tournament.storage.folder import RunFolder


def played_at_a_page(game: str, folder: Path, deals: int) -> list[list[Any]]:
    """Play some deals at a page; what it has heard."""
    heard = list[list[Any]]()
    tournament = new_tournament(game, [], games.find(game).usual[0], 7, deals=deals)
    with served(game) as page:
        person = PagePerson(Answers(folder), Hints(games.find(game)), page)
        client = Thread(target=answer_at_random, args=(page, heard))
        client.start()
        assert sit(tournament, RunFolder(folder), person)
    client.join()
    return heard


@pytest.mark.parametrize("game", ["nap", *seldom(*[game for game in GAMES if game != "nap"])])
def test_a_page_plays_every_game(game: str, tmp_path: Path) -> None:
    heard = played_at_a_page(game, tmp_path, 2)
    verify_run(RunFolder(tmp_path), 1)
    kinds = [message[0] for message in heard]
    assert {"deal", "step", "line", "over"} <= {*kinds}
    for kind, *given in heard:
        if kind == "step" and "l" not in given[0]:  # of the others, not even how many answers they had
            assert given[0].keys() <= {"s", "p", "a", "t", "n", "m", "e", "d", "a_", "k", "z"}


@pytest.mark.parametrize(
    "game", ["nap", *seldom("loo", "draw-poker", "brag", "cassino", "pope-joan", "speculation", "whiskey-poker")]
)
def test_hidden_cards_never_reach_the_page(game: str, tmp_path: Path) -> None:
    heard = played_at_a_page(game, tmp_path, 1)
    check_secrets(heard)
    opened = next(message[2] for message in heard if message[0] == "over")
    assert opened or game == "speculation"  # whose hands stay, see below


def test_cards_that_are_dealt_on_stay_covered(tmp_path: Path) -> None:
    """At Vingt-un the pack goes on to the next deal: who saw all cards of this one would know what is left."""
    heard = played_at_a_page("vingt-un", tmp_path, 2)
    over = next(at for at, message in enumerate(heard) if message[0] == "over")
    assert heard[over][2] is None and ["line", "    the cards of all"] not in heard[:over]


class Sent:
    """A page that only keeps what it is sent."""

    def __init__(self) -> None:
        self.deal: Any = None
        self.messages: list[list[Any]] = []

    def begin(self, message: list[Any]) -> None:
        self.deal = message[1]

    def send(self, *message: Any) -> None:
        self.messages.append([*message])

    def typed(self, prompt: str) -> str:
        return ""

    def steps(self) -> list[dict[str, Any]]:
        return [given[0] for kind, *given in self.messages if kind == "step"]


@pytest.mark.parametrize(
    ("name", "number", "who", "kept"),
    [
        ("pope-joan/pope-in-lieu-of-a-king.toml", 1, 1, "pass"),
        ("spoil-five/08-optional-no.toml", 1, 0, "no"),
        ("bouillotte/nobody-has-called.toml", 2, 1, "stifle"),
        ("vingt-un/13-four-boxes.toml", 1, 0, "keep"),
    ],
)
def test_a_page_is_sent_no_step_of_a_card_that_another_keeps(
    name: str, number: int, who: int, kept: str, tmp_path: Path
) -> None:
    """All that the table shows in the end has come all the same."""
    for seat in 0, 1:
        page: Any = Sent()
        person = PagePerson(Answers(tmp_path), Hints(games.find(name.partition("/")[0])), page)
        deal = listen_to(person, seat, name, number)
        noticed = [(ask.seat, str(said)) for ask, said in zip(deal.asked, deal.actions, strict=True)]
        if seat != who:
            noticed.remove((who, kept))
        assert [(step["s"], step["a"]) for step in page.steps()] == noticed
        end, shown = states({**page.deal, "steps": page.steps()})[-1], deal.View(deal, seat, "", (), Chance())
        assert {key: end[key] for key in deal.public} == {key: as_json_data(getattr(shown, key)) for key in deal.public}
        assert end["net"] == deal.net and end["pools"] == deal.pools


def test_other_visitors_are_refused() -> None:
    """A visitor needs this name of the machine, the token and the page itself; the page forbids all that is not its own."""
    with served("Nap", "<script>facts</script>") as page:
        host, port = host_of(page).split(":")

        def got(path: str, name: str) -> tuple[int, Any, str]:
            connection = http.client.HTTPConnection(host, int(port))
            connection.request("GET", path, headers={"Host": name})
            response = connection.getresponse()
            return response.status, response.headers, response.read().decode()

        assert got(page.path, host_of(page))[0] == 200 and len(page.path) > 22
        assert got(page.path, f"localhost:{port}")[0] == got(page.path, "evil.example")[0] == 421
        assert got("/", host_of(page))[0] == got(f"{page.path}run.toml", host_of(page))[0] == 404
        refused(403, page, origin="http://evil.example")
        refused(404, page, path="/")
        _, headers, text = got(page.path, host_of(page))
        assert headers["Cache-Control"] == "no-store" and headers["Referrer-Policy"] == "no-referrer"
        assert headers["Content-Security-Policy"] == "frame-ancestors 'none'"
        assert f"connect-src ws://{host_of(page)}{page.path};" in text and "&lt;script&gt;facts" in text


def test_a_second_page_looks_on() -> None:
    """It sees what the first sees, and what it says is not heard, not even when the first has gone. Then a new page
    plays."""
    with served() as page:
        page.begin(["deal", {"title": "Nap"}, 0])
        with joined(page, "one") as first:
            assert json.loads(first.recv()) == [["deal", {"title": "Nap"}, 0]]
            with joined(page, "two") as second:
                assert json.loads(second.recv()) == [["deal", {"title": "Nap"}, 0], ["looks"]]
                page.send("said", "no")
                assert json.loads(first.recv()) == json.loads(second.recv()) == [["said", "no"]]
                second.send("call nap")
            assert wait_for(lambda: len(page.connections) == 1)  # all that the second has sent is read
            first.send("pass")
            assert page.typed("") == "pass"
            with joined(page, "two") as second:
                second.recv()
                first.close()
                assert wait_for(lambda: len(page.connections) == 1)
                second.send("call nap")
            assert wait_for(lambda: not page.connections)
            with joined(page, "two") as third:
                assert json.loads(third.recv())[-1] == ["said", "no"]
                third.send("call 2")
                assert page.typed("") == "call 2"
                third.send("x" * 5000)  # no answer is as long
                with pytest.raises(ConnectionClosed):
                    third.recv()


@pytest.mark.parametrize("noticed", [True, False], ids=["after its end", "before its end is noticed"])
def test_a_page_that_is_loaded_again_has_its_seat_back(noticed: bool) -> None:
    with served() as page, joined(page, "one") as first:
        assert json.loads(first.recv()) == []
        with joined(page, "two") as second:
            assert json.loads(second.recv()) == [["looks"]]
            if noticed:
                first.close()
                assert wait_for(lambda: len(page.connections) == 1)
            with joined(page, "one") as again:
                assert json.loads(again.recv()) == []
                second.send("call nap")
                if not noticed:  # the same for a tab that was duplicated
                    assert json.loads(first.recv()) == [["looks"]]
                    first.send("call nap")
                    first.close()
                second.close()
                assert wait_for(lambda: len(page.connections) == 1)
                again.send("pass")
                assert page.typed("") == "pass"


OPENER = """#!/bin/sh
case $1 in
  /*) stat -c %a "$(dirname "$1")" "$1" >modes; cp "$1" page.html ;;
esac
echo "$@" >opened.new
mv opened.new opened
"""


@pytest.mark.parametrize("number", one_in(2, [signal.SIGINT, signal.SIGTERM]))
def test_no_command_line_has_the_token(number: signal.Signals, tmp_path: Path) -> None:
    """The browser opens a file that only its owner can read and that leads to the page. Nothing is left of it."""
    (tmp_path / "xdg-open").write_text(OPENER)
    (tmp_path / "xdg-open").chmod(0o755)
    process = subprocess.Popen(
        command("sit", "nap", "--page"),
        cwd=tmp_path,
        env={**environment(), "PATH": f"{tmp_path}:{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout
        address = next(line.split()[1] for line in process.stdout if line.startswith("page"))
        assert wait_for((tmp_path / "opened").exists)
        opened, token = (tmp_path / "opened").read_text(), address.split("/")[-2]
        assert token not in opened and "://" not in opened and opened.startswith(f"{tmp_path}/sit/page-")
        assert (tmp_path / "modes").read_text().split() == ["700", "600"]
        assert f'content="0; url={address}"' in (tmp_path / "page.html").read_text()
        with connect(f"ws{address.removeprefix('http')}", origin=Origin(address[: -len(f"/{token}/")])) as connection:
            while "ask" not in [message[0] for message in json.loads(connection.recv())]:
                pass
        process.send_signal(number)
        assert process.wait() == (0 if number == signal.SIGINT else 128 + number)
        assert not [*tmp_path.glob("sit/page*")]
    finally:
        process.kill()
        process.communicate()


browser = pytest.fixture(scope="module")(module_browser)


WAYS: tuple[tuple[Callable[[Window, int], None], dict[str, Any]], ...] = (
    (click, {}),
    (click, {"width": 390, "color_scheme": "dark"}),
)
SHOWN = "nap", "draw-poker", "cassino", "loo", "speculation", "newmarket", "vingt-un", "my-bird-sings"
CLICKED = [(game, *way) for game in SHOWN for way in WAYS]


@pytest.mark.soak
@pytest.mark.parametrize(("game", "act", "how"), [*CLICKED, ("nap", press, {})])
def test_played_to_the_end(
    game: str, act: Callable[[Window, int], None], how: dict[str, Any], browser: Any, tmp_path: Path
) -> None:
    with a_seat(tmp_path, browser, game, "--seed", 5, "--deals", 1, **how) as (window, process):
        for turn in range(2000):
            if window.page.evaluate(ENDED):
                break
            act(window, turn)
            window.page.wait_for_timeout(20)
        assert window.page.evaluate(ENDED)
        assert process.wait() == 0
        assert "net/deal" in window.page.locator("pre.said").text_content()
    (folder,) = (tmp_path / "sit").iterdir()
    verify_run(RunFolder(folder), 1)


@pytest.mark.soak
def test_the_others_move_one_after_the_other(browser: Any, tmp_path: Path) -> None:
    """Slowly, until a key is pressed."""
    with a_seat(tmp_path, browser, "nap", "--seed", 5, reduced_motion="no-preference") as (window, _):
        page = window.page
        page.wait_for_selector(".anss .ans")
        page.locator(".pace select").select_option("slow")
        page.locator(".anss .ans").first.click()
        page.wait_for_function("() => document.querySelector('.ask.wait')")
        steps = page.locator(".log li").count()
        page.wait_for_function("n => document.querySelectorAll('.log li').length > n", arg=steps)
        assert page.locator(".ask.wait").count()
        window.press("Shift")
        page.wait_for_selector(".anss .ans")


@pytest.mark.soak
def test_played_by_keys_and_left(browser: Any, tmp_path: Path) -> None:
    """A number is an answer, `?` a hint; cards are reached by Tab, and what is typed is understood as in a terminal."""
    with a_seat(tmp_path, browser, "nap", "expert", "--seed", 1891) as (window, process):
        page = window.page
        page.wait_for_selector(".anss .ans")
        assert page.locator(".ask").text_content() == "call?"
        window.press("?")
        page.wait_for_function(
            "() => document.querySelector('pre.said').textContent.includes('The mean net of each answer')"
        )
        rows = page.locator(".hint tbody tr")
        assert page.locator(".hint tbody .dot").count() == rows.count() == 6 == page.locator(".hint .z").count()
        assert rows.first.get_attribute("class") == "best" and rows.last.text_content().startswith(
            "call nap−15.0 ±\u00a00.0"
        )
        assert sorted(page.locator(".hint .tag").all_text_contents()) == ["book", "expert"]
        window.press("1")
        page.wait_for_function("() => document.querySelector('.ask').textContent === 'play?'")
        assert "expert leads 5" in page.locator(".log").text_content()
        page.locator(".me .card.can").last.focus()
        window.press("Enter")
        page.wait_for_selector(".steps input")  # the deal is over, and stays at its end until the person goes on
        assert (
            page.locator(".steps span").text_content() == "All cards are open: step 20 of 20"
        )  # four calls, four tricks
        assert page.locator(".ask").text_content() == "You lose 2 counters."
        assert page.locator(".z-top .card").count() == 1  # the card that was not played
        page.locator(".steps input").focus()
        window.press("Home")
        assert page.locator(".steps span").text_content() == "All cards are open: step 0 of 20"
        assert page.locator(".z-top .card").count() == 5
        window.press("1")
        page.wait_for_function("() => document.querySelector('.ask').textContent === 'call?'")
        page.locator(".typed input").fill("cal 9")
        window.press("Enter")
        page.wait_for_function("() => document.querySelector('pre.said').textContent.includes('cal 9 is no answer')")
        page.reload()  # nothing is lost
        page.wait_for_selector(".anss .ans")
        process.send_signal(signal.SIGINT)
        page.wait_for_function(ENDED)
        assert process.wait() == 0 and "roundsim sit sit/nap-1" in page.locator("pre.said").text_content()


IS_PRACTICE = "() => document.querySelector('.log').textContent.includes('practice, which does not count')"
ASKS = "phase => document.querySelector('.ask')?.textContent === phase"


@pytest.mark.soak
@pytest.mark.parametrize("by_keys", [True, False], ids=["by keys", "by clicks"])
def test_practice(by_keys: bool, browser: Any, tmp_path: Path) -> None:
    """An answer is taken back in a deal, which is dealt again then; after the next one the costliest answer is tried."""
    with a_seat(tmp_path, browser, "nap", "expert", "--seed", 1891, "--deals", 1) as (window, process):
        page = window.page

        def do(number: int, text: str) -> None:
            """Press the key of a button, or click it."""
            button = page.locator(".askbox .ans", has_text=text).first
            button.wait_for()
            assert button.locator("kbd").text_content() == str(number)
            window.press(str(number)) if by_keys else button.click()

        page.wait_for_function(ASKS, arg="call?")
        do(1, "pass")
        page.wait_for_function(ASKS, arg="play?")
        if by_keys:
            window.press("u")
        else:
            page.locator(".typed button", has_text="undo").click()
        page.wait_for_function(ASKS, arg="call?")
        assert page.evaluate(IS_PRACTICE)
        do(6, "call nap")
        page.wait_for_function(ASKS, arg="play?")
        do(2, "7")
        do(5, "the book in my seat")
        page.wait_for_function("() => document.querySelector('.log').textContent.includes('book for you passes')")
        do(1, "go on")
        page.wait_for_function(ASKS, arg="call?")
        assert not page.evaluate(IS_PRACTICE)
        do(6, "call nap")
        page.wait_for_function(ASKS, arg="play?")
        do(5, "J")
        do(2, "my costliest answer")
        page.wait_for_function(SAYS, arg="your costliest answer: call nap; expert")
        page.reload()  # what was said after the deal is still there
        page.wait_for_function(SAYS, arg="your costliest answer: call nap; expert")
        do(3, "go there and try")
        page.wait_for_function(ASKS, arg="call?")
        assert page.evaluate(IS_PRACTICE)
        for turn in range(2000):
            if page.evaluate(ENDED):
                break
            click(window, turn)
            page.wait_for_timeout(20)
        assert process.wait() == 0 and "1 practised deal is left out" in page.locator("pre.said").text_content()
    (folder,) = (tmp_path / "sit").iterdir()
    verify_run(RunFolder(folder), 1)


@pytest.mark.soak
def test_the_seat_stays_with_its_tab(browser: Any, tmp_path: Path) -> None:
    """A second tab looks on while the first is loaded again, and has the seat when the first is closed and it is loaded
    again itself. The address is that of a file, which leads to the page."""
    with a_seat(tmp_path, browser, "nap", "--seed", 5) as (window, _):
        first, address = window.page, window.page.url
        redirect = tmp_path / "page.html"
        redirect.write_text(REDIRECT.format(address))
        second = first.context.new_page()
        second.goto(redirect.as_uri())
        second.wait_for_url(address)
        second.wait_for_function(SAYS, arg="this one looks on")
        for _ in range(5):
            first.reload()
            first.wait_for_selector(".anss .ans")
            second.locator(".anss .ans").first.click()
            first.keyboard.press("r")
        assert not first.evaluate(SAYS, "looks on")
        first.locator(".typed button").last.click()
        first.wait_for_function(SAYS, arg="call:")
        first.goto("about:blank")
        looks_on = True  # until its end is noticed
        while looks_on:
            second.reload()
            second.wait_for_selector(".anss .ans")
            looks_on = second.evaluate(SAYS, "looks on")
        second.locator(".typed button").last.click()
        second.wait_for_function(SAYS, arg="call:")


@pytest.mark.soak
def test_a_lesson_at_a_page(browser: Any, tmp_path: Path) -> None:
    """By keys alone: each question is explained, each answer compared; and the example goes on when the person does."""
    with a_seat(tmp_path, browser, "nap", "--lesson") as (window, process):
        page = window.page
        page.wait_for_function(SAYS, arg="the player on the dealer's left, must play for one trick (p. 10)")
        assert page.evaluate(SAYS, "Nobody need trump")
        assert page.locator(".typed button:visible").all_text_contents() == ["hint ?", "rule"]
        window.press("1")
        page.wait_for_selector(".taught")
        assert page.locator(".taught").text_content() == "You answer pass, as the book and the example do."
        assert "book" in page.locator(".hint .tag").all_text_contents()
        window.press("1")
        page.wait_for_function("() => document.querySelector('.ask')?.textContent === 'play?'")
        assert "seat 1 calls three" in page.locator(".log").text_content()
        window.press("u")
        page.wait_for_function(SAYS, arg="nothing is taken back in a lesson")
        window.press("2")
        page.wait_for_selector(".taught")
        page.reload()  # of what was compared before, only the last is shown once more
        page.wait_for_selector(".taught")
        assert page.locator(".taught").text_content().startswith("You answer play 3")
        answers = ".anss .ans"
        for _ in range(30):
            if page.evaluate(ENDED):
                break
            before = page.locator(".askbox").text_content()
            window.press("1")
            page.wait_for_function("before => document.querySelector('.askbox').textContent !== before", arg=before)
        assert page.evaluate(ENDED) and not page.locator(answers).count()
        assert page.evaluate(SAYS, "How the book plays, and why") and process.wait() == 0
    assert not [*tmp_path.iterdir()]


@pytest.mark.soak
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark"), (1280, "dark"), (390, "light")])
def test_axe_finds_nothing_wrong_at_a_seat(width: int, scheme: str, browser: Any, tmp_path: Path) -> None:
    """At a question, with a hint, and at the end of a deal; in a lesson with its explanation and its comparison."""
    how = {"width": width, "color_scheme": scheme}
    with a_seat(tmp_path, browser, "nap", "--seed", 1891, **how) as (window, _):
        axe_in(window)
        window.page.wait_for_selector(".anss .ans")
        check(window)
        window.press("?")
        window.page.wait_for_selector(".hint")
        check(window)
        window.press("1")
        window.page.wait_for_function("() => document.querySelector('.ask')?.textContent === 'play?'")
        check(window)
        window.press("1")
        window.page.wait_for_selector(".steps input")
        check(window)
    with a_seat(tmp_path, browser, "nap", "--lesson", **how) as (window, _):
        axe_in(window)
        window.page.wait_for_selector(".anss .ans")
        check(window)
        window.press("1")
        window.page.wait_for_selector(".taught")
        check(window)


@pytest.mark.soak
@pytest.mark.parametrize(("width", "least"), [(1280, 100), (390, 80)])
def test_five_cards_take_the_room_there_is(width: int, least: int, browser: Any, tmp_path: Path) -> None:
    with a_seat(tmp_path, browser, "nap", "--seed", 5, width=width) as (window, _):
        window.page.wait_for_selector(".me .card")
        boxes = [card.bounding_box() for card in window.page.locator(".me .card").all()]
        assert len(boxes) == 5 and all(box["width"] >= least for box in boxes)
        assert len({box["y"] for box in boxes}) == 1  # in one row
