"""Each reason for which a shard starts again ends, and the strategy that causes it is at fault."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from helpers.planned import planned

from roundsim.base.errors import BugError, ResourceError
from roundsim.guests.losses import GuestLostError, NotLoadedError
from roundsim.refereeing.board import EXCLUDED, SHORT
from roundsim.refereeing.referee import Clock
from roundsim.tournament.planning.plan import Schedule
from roundsim.tournament.storage.folder import RunFolder
from roundsim.workers import shard
from roundsim.workers.shard import ShardPlayer
from roundsim.workers.stepped import MOST_AGAIN, MOST_REPEATED, Foresight, ForesightError

DEALS = 64
Ends = Callable[[int], BaseException]


def lost(kind: str, known: bool) -> Ends:
    """A guest that is lost each time, at another question or at an unknown one."""
    return lambda time: GuestLostError(1, kind, "words", (f"1/{time}/1", 1, "play", 3) if known else None)


WAYS: dict[str, Ends] = {
    **{
        f"{kind}, {'known' if known else 'unknown'}": lost(kind, known)
        for kind in ("dead", "late", "broken")
        for known in (False, True)
    },
    "not loaded": lambda time: NotLoadedError(1, "mine.py", "\0 cannot be loaded: words"),
    "barred": lambda time: ForesightError(1, EXCLUDED),
    "short of memory": lambda time: ForesightError(1, SHORT),
}


@pytest.fixture
def player(tmp_path: Path) -> ShardPlayer:
    tournament = planned(tmp_path, "random", "random", deals=DEALS, players=2)
    guests: Any = SimpleNamespace(end_all=lambda: None, close=lambda: None)
    return ShardPlayer(tournament, RunFolder(tmp_path), Clock(1), guests)


def play(
    player: ShardPlayer, monkeypatch: pytest.MonkeyPatch, ends: Ends, deals: int = 0, obeys: bool = True
) -> list[Foresight]:
    """Play a piece that ends in this way, after a number of deals; if it obeys, until entrant 1 is left out."""
    started = list[Foresight]()

    class Ending:
        def __init__(self, *given: Any, foresight: Foresight, **more: Any) -> None:
            self.foresight, self.taken_up = foresight, 0
            started.append(foresight)

        def play(self, fresh: bool) -> None:
            assert len(started) < 1000, "it begins again for ever"
            if obeys and 1 in self.foresight.without:
                return
            player.clock.board[2] = deals
            raise ends(len(started))

    monkeypatch.setattr(shard, "Playing", Ending)
    player.play_piece(Schedule(player.tournament, 0).task(1), Path("unused"), shard.NOTHING)
    return started


@pytest.mark.parametrize("way", WAYS)
def test_the_cause_of_a_new_start_is_left_out(player: ShardPlayer, monkeypatch: pytest.MonkeyPatch, way: str) -> None:
    """If it goes on after that, it is a bug."""
    started = play(player, monkeypatch, WAYS[way])
    kind, words, _ = started[-1].without[1]
    assert len(started) <= MOST_AGAIN + 1
    assert kind == ("late" if way == "late, known" else "dead") and words.endswith(": it is not asked in this shard")
    with pytest.raises(BugError, match=f"began again {2 * MOST_AGAIN + 1} times"):
        play(player, monkeypatch, WAYS[way], obeys=False)


@pytest.mark.parametrize("way", ["dead, known", "broken, unknown"])
def test_the_cause_of_many_repeated_deals_is_left_out_sooner(
    player: ShardPlayer, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    started = play(player, monkeypatch, WAYS[way], deals=DEALS)
    assert len(started) == MOST_REPEATED + 2
    assert started[-1].without[1][1].startswith(f"words; the shard began again {MOST_REPEATED + 1} times because of it")


def test_the_most_costly_strategy_is_left_out_first() -> None:
    """Entrant 2 is lost for the first time, perhaps from outside, after 1 has used up what all may."""
    foresight = Foresight(deals=100)
    for _ in range(MOST_REPEATED):
        foresight.begin_again(1, "words", 100)
    assert not foresight.without
    foresight.begin_again(2, "words", 1)
    assert [*foresight.without] == [1]


def test_a_shortage_that_lasts_ends_the_run(player: ShardPlayer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shard, "PAUSE", 0)
    with pytest.raises(ResourceError):
        play(player, monkeypatch, lambda time: ResourceError("no process"))


def test_each_way_is_here() -> None:
    """Each exception after which `play_piece` starts again is in WAYS, or has its own test above."""
    source = Path(shard.__file__).read_text()
    body = source[source.index("def play_piece") : source.index("def script_of_bug")]
    caught = [line.strip() for line in body.splitlines() if line.strip().startswith("except ")]
    assert caught == [
        "except StaleError:",
        "except ResourceError:",
        "except (GuestLostError, NotLoadedError, ForesightError) as ended:",
    ]
