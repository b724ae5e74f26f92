"""A function of ours in a guest: it runs third-party code, and what it yields is sent as lines of JSON (`calls.py`)."""

from __future__ import annotations

import os
import pickle
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing import current_process
from traceback import format_exc
from typing import Any, NoReturn

from ..base.errors import BugError, RoundsimError
from ..base.streams import check_written, standard_streams
from ..processes.lines import error_to_json, send
from ..processes.memory import all_memory
from ..processes.start import PROCESS_NAME
from .launcher_main import GUEST_SOCKET


def run_call(request: Mapping[str, Any]) -> NoReturn:
    """Call the function, and send what it yields, and how it ends."""
    current_process().name = PROCESS_NAME  # it runs strategies, and starts no process to describe others
    last: dict[str, Any] = {"end": True}
    try:
        function, arguments = pickle.loads(request["call"].encode("latin-1"))
        with standard_streams(), check_written():
            for answer in function(*arguments):
                send_answer(answer)
    except RoundsimError as error:
        last = error_to_json(error)
    except Exception:
        last = error_to_json(BugError(format_exc()))
    with suppress(OSError), all_memory():  # the engine may be gone
        send(GUEST_SOCKET, last)
    os._exit(0)  # whatever threads a strategy has left


def send_answer(answer: Any, **more: bool) -> None:
    with all_memory():
        send(GUEST_SOCKET, {"said": answer, **more})


def send_in_place(answer: Any) -> None:
    """Send an answer between those that the function yields. Wait until it is read, so that it is in its place among
    what is printed."""
    send_answer(answer, waits=True)
    os.read(GUEST_SOCKET, 1)
