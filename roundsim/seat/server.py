"""The server of a table's pages: each seat has a page of its own, at an address that nobody else knows."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus
from ipaddress import ip_address
from pathlib import Path
from queue import Empty, SimpleQueue
from socket import AF_INET, SOCK_DGRAM, socket
from tempfile import TemporaryDirectory
from threading import Lock, Thread
from typing import Any

from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Response
from websockets.sync.server import Server, ServerConnection, serve

from ..base.errors import FolderError, InputError
from ..reports.page.render import render

HERE = "127.0.0.1"  # only this machine
ELSEWHERE = "192.0.2.1"  # an address that no machine has (RFC 5737)
AWAY = 600  # seconds without a page, after which the person has left
GLANCE = 1  # seconds between two looks whether there is one
LOOKS = ["looks"]  # the message to a page that looks on
REDIRECT = """<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={0}">
<title>roundsim</title>
<p><a href="{0}">The table</a>
"""
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Content-Security-Policy": "frame-ancestors 'none'",
}


def local_address() -> str:
    """Return the address of this machine in its local network. InputError if it is in none, or has a public address."""
    with socket(AF_INET, SOCK_DGRAM) as probe:
        try:
            probe.connect((ELSEWHERE, 9))  # sends nothing
        except OSError:
            raise InputError("--lan: this machine is in no network") from None
        address = str(probe.getsockname()[0])
    if not ip_address(address).is_private:
        raise InputError(f"--lan: the address of this machine, {address}, is public: a table is for a local network")
    return address


class PageServer:
    """The server of the pages of one table. `address`: of this machine, in the network that reaches them."""

    def __init__(self, address: str = HERE) -> None:
        self.pages = dict[str, SeatPage]()  # by path
        self.server: Server = serve(self.meet, address, 0, process_request=self.respond, max_size=1000)
        self.host = f"{address}:{self.server.socket.getsockname()[1]}"

    def page(self, title: str, facts: str) -> SeatPage:
        """Add the page of a seat."""
        page = SeatPage(self.host, title, facts)
        self.pages[page.path] = page
        return page

    def respond(self, connection: ServerConnection, request: Any) -> Any:
        """Return a page, or why there is none; None for its WebSocket."""
        headers = request.headers
        if headers.get_all("Host") != [self.host]:  # a name of somebody else's that leads here
            return connection.respond(HTTPStatus.MISDIRECTED_REQUEST, "This is another host.\n")
        page = self.pages.get(request.path.partition("?")[0])
        if not page:
            return connection.respond(HTTPStatus.NOT_FOUND, "Nothing is here.\n")
        if "Upgrade" in headers:
            if headers.get_all("Origin") == [f"http://{self.host}"]:
                return None
            return connection.respond(HTTPStatus.FORBIDDEN, "This is another origin.\n")
        size = {"Content-Type": "text/html; charset=utf-8", "Content-Length": str(len(page.content))}
        return Response(200, "OK", Headers({**HEADERS, **size}), page.content)

    def meet(self, connection: ServerConnection) -> None:
        """Talk to a page until it goes."""
        assert connection.request
        path, _, key = connection.request.path.partition("?")
        self.pages[path].meet(connection, key)

    @contextmanager
    def serving(self) -> Iterator[PageServer]:
        thread = Thread(target=self.server.serve_forever, daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self.server.shutdown()
            thread.join()


class SeatPage:
    """The page of one seat. The first connection plays; any other looks on, and does so until it is loaded again while
    nobody plays.

    A tab of a browser has a key, which it sends after `?` and keeps when it is loaded again: the seat stays with the key.
    `address`: with a token that nobody else knows. `came`: when it was last heard of."""

    def __init__(self, host: str, title: str, facts: str) -> None:
        self.lock, self.history = Lock(), list[list[Any]]()
        self.connections, self.lines = list[ServerConnection](), SimpleQueue[str]()
        self.player: ServerConnection | None = None
        self.key = ""  # of whoever played last
        self.came = self.left = time.monotonic()
        self.path = f"/{secrets.token_urlsafe(16)}/"
        self.address = f"http://{host}{self.path}"
        self.content = render("seat.html.j2", title=title, facts=facts, server=f"ws://{host}{self.path}").encode()

    def meet(self, connection: ServerConnection, key: str) -> None:
        """Talk to a connection until it ends."""
        try:
            with suppress(ConnectionClosed):
                with self.lock:
                    self.connections.append(connection)
                    self.seat(connection, key)
                    looks_on = [LOOKS] * (self.player is not connection)
                    connection.send(json.dumps([*self.history, *looks_on]))
                for line in connection:
                    if self.player is connection and isinstance(line, str):
                        self.came = time.monotonic()
                        self.lines.put(line)
        finally:
            with self.lock:
                self.connections.remove(connection)
                self.left = time.monotonic()
                if self.player is connection:
                    self.player = None

    def seat(self, connection: ServerConnection, key: str) -> None:
        """Let a new page play if nobody does, or if it is the page that plays, loaded again before its end was noticed."""
        if self.player and key != self.key:
            return
        if self.player:
            with suppress(ConnectionClosed):
                self.player.send(json.dumps([LOOKS]))
        self.player, self.key, self.came = connection, key, time.monotonic()

    def begin(self, message: list[Any]) -> None:
        """Send the beginning of a deal: a page that comes later need not know what was before."""
        with self.lock:
            self.history = []
        self.send(*message)

    def send(self, *message: Any) -> None:
        with self.lock:
            self.history.append([*message])
            for connection in self.connections:
                with suppress(ConnectionClosed):
                    connection.send(json.dumps([message]))

    def typed(self, prompt: str) -> str:
        """Return what comes from the page next. EOFError if there has been none for long."""
        while (line := self.line_within(GLANCE)) is None:
            if not self.connections and time.monotonic() - self.left > AWAY:
                raise EOFError
        return line

    def line_within(self, seconds: float) -> str | None:
        """Return what comes from the page in this time, None if nothing does."""
        with suppress(Empty):
            return self.lines.get(timeout=seconds)
        return None

    @contextmanager
    def redirect(self, folder: Path) -> Iterator[str]:
        """The address of a file in a folder that leads a browser to the page. Only its owner can read it, but every user
        of the machine the command line of the browser. FolderError.

        `folder`: not a hidden one, and not /tmp: a browser in a sandbox of its own cannot read there."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            own = TemporaryDirectory(prefix="page-", dir=folder, ignore_cleanup_errors=True)
            path = Path(own.name, "page.html").resolve()
            path.touch(0o600)
            path.write_text(REDIRECT.format(self.address), "utf-8")
        except OSError as error:
            raise FolderError(f"cannot write {folder}: {error.strerror}") from None
        with own:
            yield path.as_uri()
