"""Several persons at one table: each sees and plays one hand alone; the book answers for those who are away."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from conftest import GAMES
from helpers.browser import Window, module_browser
from helpers.command import roundsim, seldom, wait_for
from helpers.layout import axe_in, check
from helpers.seat_page import ENDED, answer_at_random, check_secrets, click, joined, refused, seats
from helpers.shard_text import text_of, write_text
from websockets.exceptions import ConnectionClosed

from roundsim import games
from roundsim.base.errors import DisagreesError, InputError
from roundsim.coaching.hints import Hints
from roundsim.replaying.verify import verify_run
from roundsim.seat.answers import Answers
from roundsim.seat.persons import THINKING, persons_at
from roundsim.seat.server import PageServer, SeatPage, local_address
from roundsim.seat.sit import new_tournament, resumed, sit
from roundsim.tournament.growth import persons_in
from roundsim.tournament.planning.plan import Tournament
from roundsim.tournament.run import Result
from roundsim.tournament.storage.folder import RunFolder

NAMES = ["tom", "ann", "ben", "may", "jo", "sue", "kit"]
Heard = list[list[Any]]


@contextmanager
def pages_for(names: Sequence[str]) -> Iterator[list[SeatPage]]:
    with PageServer().serving() as server:
        yield [server.page("Nap", name) for name in names]


def plays(tournament: Tournament, folder: Path, pages: Sequence[SeatPage], wait: float = THINKING) -> Result | None:
    (entry,) = tournament.entries
    return sit(
        tournament,
        RunFolder(folder),
        persons_at(persons_in(entry), Answers(folder), Hints(entry.deal), pages, wait),
    )


def played_by_all(game: str, folder: Path, deals: int, names: Sequence[str]) -> dict[str, Heard]:
    """Play some deals with persons alone; what each of their pages has heard."""
    tournament = new_tournament(game, [], len(names), 7, persons=names, deals=deals)
    with pages_for(names) as pages:
        heard = {name: Heard() for name in names}
        clients = [Thread(target=answer_at_random, args=each) for each in zip(pages, heard.values(), strict=True)]
        for client in clients:
            client.start()
        assert plays(tournament, folder, pages)
    for client in clients:
        client.join()
    return heard


@pytest.mark.parametrize("game", ["nap", *seldom(*[game for game in GAMES if game != "nap"])])
def test_each_page_keeps_the_cards_of_others_covered(game: str, tmp_path: Path) -> None:
    """Every message to every page of a table where persons have all seats."""
    names = NAMES[: max(2, games.find(game).usual[0])]
    heard = played_by_all(game, tmp_path, 2, names)
    verify_run(RunFolder(tmp_path), 1)
    for seat, name in enumerate(names):
        check_secrets(heard[name])
        deal, seated, final = next(given for kind, *given in heard[name] if kind == "deal")
        assert deal["seats"][seated] == "you" and final is True
        assert sorted(deal["seats"]) == sorted(["you", *names[:seat], *names[seat + 1 :]])
    overs = [[given[0] for kind, *given in heard[name] if kind == "over"] for name in names]
    assert all(nets == overs[0] for nets in overs)


def test_a_secret_question_names_nobody(tmp_path: Path) -> None:
    """Whether somebody is asked to split at Vingt-un would say who holds a pair."""
    heard = played_by_all("vingt-un", tmp_path, 4, names := NAMES[:5])
    said = {name: Counter(who for kind, *(who, *_) in heard[name] if kind == "waits") for name in names}
    asked = {name: Counter(given[0]["phase"] for kind, *given in heard[name] if kind == "ask") for name in names}
    assert sum(phases["split"] for phases in asked.values())
    for name in names:
        others = {other: phases.total() - phases["split"] for other, phases in asked.items() if other != name}
        assert said[name] == others


class Client:
    """A page that does what a test says. `heard`: its messages that were not looked at yet."""

    def __init__(self, page: SeatPage) -> None:
        self.page, self.stack = page, ExitStack()
        self.open()

    def open(self) -> None:
        """Load the page, for the first time or again, until the table knows of it."""
        self.stack.close()
        self.connection, self.heard = self.stack.enter_context(joined(self.page, "tab")), Heard()
        self.heard += json.loads(self.connection.recv(30))

    def say(self, text: str) -> None:
        self.connection.send(text)

    def next(self) -> list[Any]:
        while not self.heard:
            self.heard += json.loads(self.connection.recv(30))
        return self.heard.pop(0)

    def until(self, kind: str) -> list[Any]:
        """Hear until a message of this kind, and return what it says."""
        while (message := self.next())[0] != kind:
            pass
        return message[1:]

    def play_on(self) -> None:
        """Answer all that is asked, until the table is closed."""
        with suppress(ConnectionClosed):
            while True:
                kind, *given = self.next()
                if kind in ("ask", "choices"):
                    self.say(given[0]["answers"][0] if kind == "ask" else "")


def two_at_nap(
    folder: Path, script: Callable[[Client, Client], None], wait: float = 20, deals: int = 1
) -> Result | None:
    """Two persons play; `script` is what they do at their pages: the one who is asked first, and the other."""
    tournament = (
        resumed(RunFolder(folder), [])
        if folder.exists()
        else new_tournament("nap", [], 2, 7, persons=NAMES[:2], deals=deals)
    )

    def does(pages: Sequence[SeatPage]) -> None:
        clients = [Client(page) for page in pages]
        deal, me, _ = clients[0].until("deal")
        script(*(clients if deal["dealer"] != me else clients[::-1]))
        for client in clients:
            client.stack.close()

    with ThreadPoolExecutor(1) as pool:
        with pages_for(NAMES[:2]) as pages:
            done = pool.submit(does, pages)
            result = plays(tournament, folder, pages, wait)
        done.result()
    return result


def by_book(folder: Path) -> list[str]:
    lines = [json.loads(line) for line in (folder / "seat.jsonl").read_text().splitlines()]
    return [line["by_book_for"] for line in lines if "by_book_for" in line]


def both_play_on(*clients: Client) -> None:
    threads = [Thread(target=client.play_on) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_the_book_answers_for_who_leaves_until_they_are_back(tmp_path: Path) -> None:
    """An answer is never taken back."""
    names = list[str]()

    def script(first: Client, second: Client) -> None:
        first.until("ask")
        names.extend(second.until("waits"))
        first.say("undo")
        assert "nothing is taken back where several persons play" in first.until("said")[0]
        first.say("q")
        assert first.until("away") == []
        assert second.until("line") == [f"    {names[0]} is away: the book answers"]
        question = second.until("ask")[0]
        first.say("back")
        assert wait_for(lambda: first.page.lines.qsize())
        second.say(question["answers"][0])
        while second.until("line") != [f"    {names[0]} is back"]:
            pass
        both_play_on(first, second)

    assert two_at_nap(tmp_path / "run", script)
    assert by_book(tmp_path / "run") == names
    assert Answers(tmp_path / "run").away_notes(NAMES) == [f"the book answered 1 question for {names[0]}"]
    verify_run(RunFolder(tmp_path / "run"), 1)
    with (tmp_path / "run/seat.jsonl").open("a") as file:  # a run of somebody else may say anything
        file.write('{"deal": "9/9/9", "after": 1, "answer": "pass", "by_book_for": "\\u001b[31m"}\n')
    assert Answers(tmp_path / "run").away_notes(NAMES) == [f"the book answered 1 question for {names[0]}"]


def test_persons_are_away_after_a_time(tmp_path: Path) -> None:
    """When all are away, the sitting ends, and goes on later; a page that is loaded again is back."""

    def nobody(first: Client, second: Client) -> None:
        first.until("away")
        second.until("ask")

    assert two_at_nap(tmp_path / "run", nobody, wait=0.5) is None
    assert len(by_book(tmp_path / "run")) == 1

    def come_back(first: Client, second: Client) -> None:
        second.until("ask")
        second.say("q")
        second.until("away")
        second.open()
        first.until("ask")
        first.say("q")
        first.until("away")
        second.until("ask")
        both_play_on(first, second)

    assert two_at_nap(tmp_path / "run", come_back)
    verify_run(RunFolder(tmp_path / "run"), 1)


def test_a_question_does_not_wait_longer_for_who_goes_on_typing(tmp_path: Path) -> None:
    def talks(first: Client, second: Client) -> None:
        answers = first.until("ask")[0]["answers"]
        for _ in range(50_000):
            first.say("undo")
            if first.next()[0] == "away":
                break
        else:
            first.say(answers[0])
        both_play_on(first, second)

    two_at_nap(tmp_path / "run", talks, wait=0.5)
    assert by_book(tmp_path / "run")


def test_a_page_answers_for_its_own_seat_alone(tmp_path: Path) -> None:
    """Another page cannot answer for it, and each page has one address."""

    def script(first: Client, second: Client) -> None:
        answers = first.until("ask")[0]["answers"]
        second.say(answers[-1])
        assert wait_for(lambda: second.page.lines.qsize())
        first.say(answers[0])
        while (step := second.until("step")[0])["s"] != 0 and step["a"] != answers[0]:
            pass
        assert step["a"] == answers[0]
        refused(404, first.page, path=second.page.path[:-2] + "/")
        refused(403, first.page, origin="http://evil.example")
        both_play_on(first, second)

    assert two_at_nap(tmp_path / "run", script)
    assert not by_book(tmp_path / "run")


def test_everybody_looks_at_a_deal_before_the_next(tmp_path: Path) -> None:
    """Each by themselves: who looks for their mistakes does not keep the others from going on, but the deal."""

    def script(first: Client, second: Client) -> None:
        for _ in range(30):
            for client in (first, second):
                while (message := client.next())[0] not in ("ask", "waits", "choices"):
                    pass
                if message[0] == "ask":
                    client.say(message[1]["answers"][0])
                if message[0] == "choices":
                    client.heard.insert(0, message)
            if first.heard[:1] and first.heard[0][0] == "choices":
                break
        assert [word for word, _ in first.until("choices")[0]] == ["", "mistakes"]
        first.say("")
        second.until("choices")
        second.say("try")
        assert "the deal is over" in second.until("said")[0]
        second.say("mistakes")
        assert "coach" in (text := second.until("said")[0]) or "costliest" in text
        second.say("")
        assert first.until("deal")[0]["addr"].endswith("/2")
        both_play_on(first, second)

    assert two_at_nap(tmp_path / "run", script, deals=2)


def test_the_history_is_that_of_the_first_person(tmp_path: Path) -> None:
    """The others are among their opponents, by name."""
    overs = played_by_all("nap", tmp_path / "sit" / "nap-1", 4, NAMES[:3])["tom"]
    done = roundsim("sit", "--history", cwd=tmp_path)
    rows = [line.split() for line in done.stdout.splitlines()[1:]]
    nets = [given[0] for kind, *given in overs if kind == "over"]
    seats = [given[0]["seats"].index("you") for kind, *given in overs if kind == "deal"]
    mean = sum(net[seat] for net, seat in zip(nets, seats, strict=True)) / len(nets)
    assert [row[:-7] for row in rows] == [["Nap", "all"], ["ann"], ["ben"]]
    assert {(row[-6], row[-5]) for row in rows} == {(str(len(nets)), f"{mean:+.3f}")}


def test_persons_are_not_asked_again_and_do_not_practise(tmp_path: Path) -> None:
    played_by_all("nap", tmp_path / "run", 2, NAMES[:2])
    done = roundsim("verify", "run", "--strategies", cwd=tmp_path, code=64)
    assert "ann is a person, and cannot be asked again: verify without --strategies" in done.stderr
    (shard,) = (tmp_path / "run/log").rglob("*.zst")
    seats, deal, *rest = text_of(shard).splitlines(keepends=True)
    write_text(shard, "".join([seats, f"~ {deal}", deal, *rest]))
    with pytest.raises(DisagreesError, match="nobody has practised here"):
        verify_run(RunFolder(tmp_path / "run"), 1)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nap", "--persons", "tom"], "--persons: two different names or more, as in tom,ann"),
        (["nap", "--persons", "tom,tom"], "--persons: two different names or more, as in tom,ann"),
        (["nap", "--persons", "tom,you"], "'you' is what everybody is on their own page"),
        (["nap", "--persons", "tom,,ann"], "'' cannot be the name of a strategy"),
        (["nap", "--persons", "a,b,c,d,e,f,g,h,i"], "9 players: nap is for 2 to 6"),
        (["nap", "--lan"], "--lan is for --page or --persons"),
        (["nap", "--wait", "5"], "--wait is for --persons"),
        (["nap", "--history", "--lan"], "--history takes a folder of runs, and nothing else"),
        (["nap", "--lesson", "--persons", "tom,ann"], "--lesson plays the example of nap as it is"),
    ],
)
def test_impossible_companies_are_refused(words: Sequence[object], message: str, tmp_path: Path) -> None:
    done = roundsim("sit", *words, cwd=tmp_path, code=64)
    assert message in done.stderr and not [*tmp_path.iterdir()]


browser = pytest.fixture(scope="module")(module_browser)


@pytest.mark.soak
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_three_windows_at_one_table(width: int, scheme: str, browser: Any, tmp_path: Path) -> None:
    """The pages name the person that is asked; a person that leaves comes back by a button."""
    words = "nap", "--persons", "tom,ann,ben", "--seats", 3, "--seed", 5, "--deals", 1
    with seats(tmp_path, browser, *words, width=width, color_scheme=scheme) as (windows, process):
        first = windows[0]
        leaver = next(window for window in windows if turn_of(window))
        others = [window for window in windows if window is not leaver]
        assert not any("seed" in window.page.content() for window in windows)
        axe_in(first)
        for window in others:
            window.page.wait_for_function(ASKED, arg="is asked.")
        assert not any(window.page.locator(".typed button", has_text="undo").is_visible() for window in windows)
        leaver.page.locator(".typed input").fill("q")
        leaver.page.locator(".typed input").press("Enter")
        leaver.page.wait_for_function(ASKED, arg="You are away, and the book answers for you.")
        for window in others:
            window.page.wait_for_function(LOGGED, arg="is away: the book answers")
        axe_in(leaver)
        check(leaver)
        leaver.page.locator(".anss .ans", has_text="I am back").click()
        for turn in range(2000):
            if all(window.page.evaluate(ENDED) for window in windows):
                break
            for window in windows:
                click(window, turn)
                window.page.wait_for_timeout(10)
        assert process.wait() == 0
        assert "roundsim coach" in first.page.locator("pre.said").text_content()
        for window in windows:
            text = window.page.locator("pre.said").text_content()
            assert "net/deal" in text and "away     the book answered 1 question for" in text
    verify_run(RunFolder(next((tmp_path / "sit").iterdir())), 1)


LOGGED = "text => document.querySelector('.log').textContent.includes(text)"
ASKED = "text => document.querySelector('.ask')?.textContent.includes(text)"


def turn_of(window: Window) -> bool:
    """Whether it is asked, once the table waits for somebody."""
    window.page.wait_for_function("() => /asked|[?]$/.test(document.querySelector('.ask')?.textContent)")
    return bool(window.page.locator(".anss .ans").count())


@pytest.mark.soak
def test_a_page_in_the_local_network(browser: Any) -> None:
    """There a browser has no secure context, and lacks some functions."""
    try:
        address = local_address()
    except InputError as error:
        assert str(error).startswith("--lan: ")  # a machine in no network, or in a public one
        return
    with PageServer(address).serving() as server:
        page, tab = server.page("Nap", ""), browser.new_page()
        tab.goto(page.address)
        assert wait_for(lambda: page.player) and not tab.evaluate("isSecureContext")
        tab.close()
