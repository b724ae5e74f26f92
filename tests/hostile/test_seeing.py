"""Strategies that look for cards that their seat does not know."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from hostile.playing import OFF, got_through, meek, play

from roundsim.sandbox.kinds import Sandbox

SIGHT = {
    "behind": "./sight:Behind",
    "frames": "./sight:Frames",
    "collector": "./sight:Collector",
    "links": "./sight:Links",
    "patches": "./sight:Patches",
    "watches": "./sight:Watches",
    "hands": "./sight:Sees",
    "source": "./sight:Sees(name='seen_by')",
    "names": "./forecast:Names",
}
NO_NAMES = ("deal", "_deal", "chance", "pack", "state", "rules", "asked", "View", "__class__", "history.__self__", "")
ASKS = {f"asks-{at}": f"./sight:Sees(name={name!r})" for at, name in enumerate(NO_NAMES)}
TABLE: dict[str, Any] = {"deals": 192, "players": 2}
OTHERS = {"random": "random", "book": "book"}
SECRET = "5eed" * 8  # a seed that is never guessed


@pytest.mark.soak
def test_hands_are_seen_without_isolation(tmp_path: Path) -> None:
    run = play(tmp_path, OFF, {**SIGHT, **OTHERS}, **TABLE)
    assert run.code == 0 and got_through(run) >= {*SIGHT}


def test_hands_are_hidden_under_a_seal(tmp_path: Path, seal: Sandbox) -> None:
    """Wherever an attack looks, and whatever it asks for: nothing differs from a run without it."""
    entrants = {**SIGHT, **ASKS, **OTHERS}
    assert play(tmp_path, seal.name, entrants, **TABLE).seen == meek(tmp_path, entrants, **TABLE).seen


# Cards that are yet to be dealt


def foretelling(room: Path) -> dict[str, str]:
    found = {"memory": "./forecast:Foretells", "file": f"./forecast:Foretells(where='file', folder={str(room)!r})"}
    return {**found, "guess": "./forecast:Guesses", "random": "random"}


@pytest.mark.soak
def test_a_seed_is_found_without_isolation(tmp_path: Path) -> None:
    """In memory and on the disk; one of 128 bits is not guessed."""
    run = play(tmp_path, OFF, foretelling(tmp_path), seed=SECRET)
    assert run.code == 0 and got_through(run) == {"memory", "file", "random"}


@pytest.mark.soak
def test_a_long_seed_is_not_found_under_a_seal(tmp_path: Path, seal: Sandbox) -> None:
    entrants = foretelling(tmp_path)
    assert play(tmp_path, seal.name, entrants, seed=SECRET).seen == meek(tmp_path, entrants, seed=SECRET).seen


@pytest.mark.soak
def test_a_short_seed_is_guessed_under_a_seal(tmp_path: Path, seal: Sandbox) -> None:
    """No seal helps: guessing needs only the rules, the own hand, and trying. The attack tries seeds up to 3."""
    run = play(tmp_path, seal.name, foretelling(tmp_path), seed="3")
    assert run.code == 0 and got_through(run) == {"guess", "random"}
    assert got_through(play(tmp_path, OFF, {"guess": "./forecast:Guesses", "random": "random"}, seed="4")) == {"random"}


# Cards that were seen in an earlier rotation, or by others


def remembering(room: Path) -> dict[str, str]:
    found = {"shelf": "./remembering:Remembers", "note": f"./remembering:Remembers(place='{room}/memory.json')"}
    found |= {me: f"./remembering:Colludes(me='{me}')" for me in ("ann", "ben")}
    return found | {me: f"./remembering:Colludes(me='{me}', place='{room}/table.json')" for me in ("cat", "dan")}


@pytest.mark.soak
@pytest.mark.parametrize("duplicate", [True, False])
def test_deals_are_remembered_without_isolation(tmp_path: Path, duplicate: bool) -> None:
    """Fresh cards leave nothing to remember, but two who lay their hands open at one table still see them."""
    entrants = remembering(tmp_path)
    run = play(tmp_path, OFF, entrants, deals=96, duplicate=duplicate)
    assert run.code == 0 and got_through(run) == ({*entrants} if duplicate else {"ann", "ben", "cat", "dan"})


@pytest.mark.soak
def test_no_deal_is_remembered_and_no_hand_shared_under_a_seal(tmp_path: Path, seal: Sandbox) -> None:
    entrants = remembering(tmp_path)
    assert play(tmp_path, seal.name, entrants, deals=96).seen == meek(tmp_path, entrants, deals=96).seen


# Cards that one rotation passes to the next

WHISPERS: dict[str, Any] = {"deals": 32, "players": 2, "sitting": 2}


def whispering(room: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, dict[str, str]]:
    """A file where modules are looked for, so that all may read it; none of its pages is in memory."""
    folder = room / "modules"
    folder.mkdir()
    monkeypatch.setenv("PYTHONPATH", str(folder))
    path = folder / "large.so"
    with path.open("wb") as file:
        file.write(os.urandom(WHISPERS["deals"] * 52 * 4096))
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    place = f"./whispers:Whispers(path={str(path)!r}, deals={WHISPERS['sitting']})"
    return path, {"whispers": place, "random": "random"}


@pytest.mark.soak
def test_whispers_are_heard_without_isolation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, entrants = whispering(tmp_path, monkeypatch)
    with path.open("rb") as file:
        try:
            os.preadv(file.fileno(), [bytearray(1)], 0, os.RWF_NOWAIT)
            pytest.skip("this file system lets no file be evicted")
        except BlockingIOError:
            pass
    run = play(tmp_path, OFF, entrants, **WHISPERS)
    assert run.code == 0 and "whispers" in got_through(run)


@pytest.mark.soak
def test_whispers_are_not_heard_under_a_seal(tmp_path: Path, seal: Sandbox, monkeypatch: pytest.MonkeyPatch) -> None:
    _, entrants = whispering(tmp_path, monkeypatch)
    assert play(tmp_path, seal.name, entrants, **WHISPERS).seen == meek(tmp_path, entrants, **WHISPERS).seen
