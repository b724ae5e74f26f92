"""The page of a seat, from outside: as a socket that answers, and in a real browser."""

from __future__ import annotations

import json
import random
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from helpers.browser import CODE, Window
from helpers.command import command, environment
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from roundsim.seat.server import PageServer, SeatPage


@contextmanager
def served(title: str = "Nap", facts: str = "") -> Iterator[SeatPage]:
    with PageServer().serving() as server:
        yield server.page(title, facts)


def host_of(page: SeatPage) -> str:
    return page.address.split("/")[2]


def joined(page: SeatPage, key: str = "", origin: str | None = None, path: str | None = None) -> Any:
    """A connection to a page, of a tab with this key, for `with`."""
    host = host_of(page)
    return connect(f"ws://{host}{path or page.path}?{key}", origin=Origin(origin or f"http://{host}"))


def answer_at_random(page: SeatPage, heard: list[list[Any]]) -> None:
    """Be the page: hear everything, and answer each question with one of its answers."""
    draw = random.Random(1)
    with joined(page) as connection, suppress(ConnectionClosed):
        for raw in connection:
            for message in json.loads(raw):
                heard.append(message)
                if message[0] == "ask":
                    connection.send(answer_to(message[1], draw))
                if message[0] == "choices":
                    connection.send("")


def answer_to(question: dict[str, Any], draw: random.Random) -> str:
    """The text of an answer that is on the page, as a button, an amount, or a verb with cards."""
    amounts = [f"{verb} {draw.randint(low, min(high, low + 9))}" for verb, low, high in question["amounts"]]
    said: str = draw.choice([*question["answers"], *amounts, *question["verbs"]])
    return said


def refused(status: int, page: SeatPage, **how: str) -> None:
    with pytest.raises(InvalidStatus) as error, joined(page, **how):
        pass
    assert error.value.response.status_code == status


def check_secrets(heard: list[list[Any]]) -> None:
    """Check what a page has heard. In the first deal no card is named before the seat's own view shows it, or it is played
    or shown to all; when it is over, all are, unless some stay for the next deal."""
    over = next(at for at, message in enumerate(heard) if message[0] == "over")
    end = next((at for at in range(over) if heard[at] == ["line", "    the cards of all"]), over)
    first, last = heard[:end], heard[end:over]
    assert {kind for kind, *_ in last} <= {"line"}  # nothing of the deal comes after they are opened
    if opened := heard[over][2]:
        steps, sent = opened["steps"], [message[1] for message in first if message[0] == "step"]
        assert [(each["s"], each["p"]) for each in steps] == [(each["s"], each["p"]) for each in sent]
        assert "?" not in json.dumps([opened["start"]["hands"], steps]) and opened["net"] == heard[over][1]
    else:
        assert end == over
    _, deal, me, _ = first.pop(next(at for at, message in enumerate(first) if message[0] == "deal"))
    known = {*deal["start"]["hands"][me].split()}
    others = [hand for seat, hand in enumerate(deal["start"]["hands"]) if seat != me]
    openly = {name for name in deal["help"] if name not in deal["own"]} | {"pools"}
    assert "hands" in openly or all(not CODE.search(hand) for hand in others), others
    known |= {*CODE.findall(json.dumps([deal["start"][name] for name in openly if name in deal["start"]]))}
    said = set[str]()  # in words, before the step says it
    for kind, *given in [*first, ["ask"]]:
        if kind == "step":
            step = given[0]
            hands = [*step.get("d", {}).get("hands", []), *step.get("k", {}).get("hands", {}).values()]
            own = {str(me): None} | step.get("k", {}).get("hands", {})
            known |= {*CODE.findall(own[str(me)] or "")}
            known |= {*CODE.findall((step.get("d", {}).get("hands") or [""] * (me + 1))[me])}
            assert "hands" in openly or sum(bool(CODE.search(hand)) for hand in hands) <= 1  # its own
            known |= {*CODE.findall(step["t"])} if step["p"] == "sing" else set()  # who sings shows the bird
            known |= {*CODE.findall(step["a"]), *CODE.findall(json.dumps(step.get("e", [])))}
            for part in "d", "a_", "k":
                changed = {
                    name: value for name, value in step.get(part, {}).items() if name in openly and name != "hands"
                }
                known |= {*CODE.findall(json.dumps(changed))}
        said |= {*CODE.findall(json.dumps(given))} if kind in ("line", "ask") else set()
        assert kind != "ask" or said <= known, said - known


@contextmanager
def a_seat(folder: Path, browser: Any, *words: object, **how: Any) -> Iterator[tuple[Window, subprocess.Popen[str]]]:
    """A window with a seat at a table, of a real command."""
    with seats(folder, browser, "--page", *words, **how) as ((window,), process):
        yield window, process


@contextmanager
def seats(
    folder: Path, browser: Any, *words: object, **how: Any
) -> Iterator[tuple[list[Window], subprocess.Popen[str]]]:
    """The windows of all persons at a table; nothing may go wrong in them, and they ask for nothing else."""
    process = subprocess.Popen(
        command("sit", *words, "--no-open"), cwd=folder, env=environment(), stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    persons = str(words[words.index("--persons") + 1]).split(",") if "--persons" in words else ["you"]
    printed = (line.split()[1] for line in process.stdout if "http://" in line)
    addresses = [next(printed) for _ in persons]
    how = {"reduced_motion": "reduce", **how}  # the others move at once
    context = browser.new_context(viewport={"width": how.pop("width", 1280), "height": 900}, **how)
    try:
        windows = [Window(context.new_page()) for _ in persons]
        for window, address in zip(windows, addresses, strict=True):
            window.page.goto(address)
        yield windows, process
        for window, address in zip(windows, addresses, strict=True):
            assert not window.heard, window.heard
            assert {re.sub("^ws", "http", url) for url in window.asked} == {address}
            assert window.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    finally:
        context.close()
        process.kill()
        process.communicate()


CLICKS = """
() => {
  const card = document.querySelector('.me .card.can'), answer = document.querySelector('.askbox .anss .ans');
  const form = document.querySelector('.askbox form.amount button');
  const chosen = [...document.querySelectorAll('.me .card.sel')].length;
  if (card && !chosen && !document.querySelector('.askbox .note')) card.click();
  else if (answer) answer.click();
  else if (form) form.click();
  else if (card) card.click();
}
"""
SAYS = "text => document.querySelector('pre.said')?.textContent.includes(text)"
ENDED = "() => document.querySelector('.ask')?.textContent === 'The table is closed.'"


def click(window: Window, turn: int) -> None:
    window.page.evaluate(CLICKS)


def press(window: Window, turn: int) -> None:
    """A number is an answer; a card has the focus by Tab, and Enter says it."""
    if turn % 2 and window.page.locator(".me .card.can").count():
        while not window.page.evaluate("document.activeElement.matches('.me .card.can')"):
            window.press("Tab")
        window.press("Enter")
    else:
        window.press("1")
