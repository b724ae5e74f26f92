"""The connection to a Dask scheduler, and what can go wrong with it, in our words."""

from __future__ import annotations

import logging
import re
import socket
import warnings
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from ..base.errors import ClusterError, InputError, RoundsimError
from ..base.extras import without_extra

FORM = re.compile(r"(?P<scheme>\w+)://(?P<host>\[[0-9a-fA-F:.]+\]|[\w.-]+):(?P<port>\d{1,5})", re.ASCII)
SCHEMES = {"dask": "tcp", "tcp": "tcp", "tls": "tls"}
PATIENCE = 10.0  # seconds for a scheduler to answer
RESUME = "; what is finished is kept, and the same command goes on"
LOGGERS = "distributed", "tornado", "asyncio"


def address_of(text: str) -> str:
    """Return an address in Dask's form. InputError."""
    match = FORM.fullmatch(text)
    if not match or not 0 < int(match["port"]) < 1 << 16:
        raise InputError(f"workers are named dask://HOST:PORT, as dask://127.0.0.1:8786; not {text[:80]!r}")
    if match["scheme"] not in SCHEMES:
        raise InputError(f"{match['scheme']}://: workers are named {', '.join(f'{scheme}://' for scheme in SCHEMES)}")
    return f"{SCHEMES[match['scheme']]}://{match['host']}:{match['port']}"


class DaskErrors:
    """Turns the exceptions of Dask into messages."""

    def __init__(self, address: str) -> None:
        self.address = address

    def __enter__(self) -> None:
        """Nothing to do."""

    def __exit__(self, kind: Any, error: BaseException | None, trace: object) -> None:
        if isinstance(error, CancelledError | OSError | TimeoutError):
            raise ClusterError(f"the Dask scheduler at {self.address} is lost{RESUME}") from None
        if isinstance(error, Exception) and not isinstance(error, RoundsimError):
            kind = type(error).__name__
            raise ClusterError(f"the Dask scheduler at {self.address} gave no usable answer ({kind}){RESUME}") from None


def connected(address: str, stack: ExitStack) -> Any:
    """Return a client of Dask, closed with the stack."""
    try:
        from distributed import Client
    except ImportError as error:
        raise without_extra("--workers dask://", "distributed", error, "dask") from None
    stack.enter_context(silence())
    host, _, port = address.partition("://")[2].rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), PATIENCE).close()
    except OSError as error:
        raise ClusterError(f"no Dask scheduler answers at {address}: {error.strerror or error}") from None
    client = Client.__new__(Client)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a warning about other versions: we compare them ourselves
            client.__init__(address, timeout=PATIENCE, set_as_default=False)
    except Exception as error:
        client.status = "closed"  # else it would try to disconnect from nobody
        if isinstance(error, TypeError) and address.startswith("tls"):
            reason = "Dask's settings name no certificates (distributed.comm.tls: ca-file, client.cert, client.key)"
            raise InputError(f"{address}: {reason}") from None
        raise ClusterError(f"what answers at {address} is no Dask scheduler, or one of another version") from None
    # Dask leaves tasks behind whose errors nobody awaits; they may be reported long after `silence` has ended.
    client.loop.asyncio_loop.set_exception_handler(lambda *_: None)
    stack.callback(closed, client)
    return client


def closed(client: Any) -> None:
    with suppress(Exception):  # whatever has happened to the others
        client.close(timeout=PATIENCE)


@contextmanager
def silence() -> Iterator[None]:
    """Discard Dask's own log: we report what goes wrong."""
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in LOGGERS]
    loggers = [logging.getLogger(name) for name in {*names, *LOGGERS}]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)
