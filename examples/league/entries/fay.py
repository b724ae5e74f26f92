"""Plays by a table that its author forgot to send."""

import json
from pathlib import Path

games = ["nap"]
files = ["calls.json"]
calls = json.loads(Path(__file__).with_name("calls.json").read_text())


def act(view):
    return calls.get(view.phase, view.legal[0])
