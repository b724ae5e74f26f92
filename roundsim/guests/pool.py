"""The guests of a worker: started when they are needed, kept for the next block, ended when there are too many."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Any

from ..base.errors import SPARE, BugError, PluginError, ResourceError
from ..base.finding import display_path, sha256, threads_in
from ..base.importing import LOAD_SECONDS
from ..sandbox.kinds import Sandbox
from ..sandbox.launchers import STARTED, GuestLauncher
from ..sources.bots import as_it_lies
from ..sources.plugins import Strategy
from ..sources.strategy import uses_random
from ..table.view import view_names
from ..tournament.planning.plan import Entry, Limits
from .guest import IDLE, Guest, IdleTime
from .hello import hello_of
from .isolation import is_isolated
from .launchers import launcher_for
from .losses import SOURCE_MARK, GuestLostError, NotLoadedError
from .question import GuestQuestion, Wants

MOST_GUESTS = 64  # that live in a worker
LOSSES = 5  # of guests of an entrant in a shard, at a new question each time, or before they have greeted


def request_for(entry: Entry, strategy: Strategy, limits: Limits) -> dict[str, Any]:
    """Return the request that the guest launcher and the shim get for a guest. PluginError if a bot has changed."""
    request = {
        "game": entry.home or entry.game,
        "players": entry.rules.players,
        "given": entry.options,
        "path": strategy.path,
        "attribute": strategy.attribute,
        "sha256": strategy.sha256,
        "draws": not strategy.command and uses_random(Path(strategy.path)),
        "threads": not strategy.command and threads_in(Path(strategy.path)),
        "bank": limits.bank,
        "seconds": limits.seconds,
        "memory": limits.memory,
    }
    if not strategy.command:
        return request
    check_unchanged(strategy)
    folder = strategy.path if os.path.isdir(strategy.path) else os.path.dirname(strategy.path)
    return request | {"command": strategy.command, "folder": folder}


def check_unchanged(strategy: Strategy) -> None:
    """Check that the files of a strategy are those with which the run began. PluginError."""
    path = Path(strategy.path)
    if (as_it_lies(strategy.path, strategy.command).sha256 if strategy.command else sha256(path)) != strategy.sha256:
        raise PluginError(f"{shown_as(strategy)} has changed since the run began")


class Guests:
    """The guests of a worker. They start when they are needed; the one idle for longest ends if there are too many.

    `alone`: they are asked one question at a time from the start."""

    alone = False

    def __init__(self, seal: Sandbox, limits: Limits, hidden: Sequence[str] = ()) -> None:
        self.seal, self.limits, self.hidden = seal, limits, hidden
        self.launchers: dict[str, GuestLauncher] = {}
        self.living: dict[Any, Guest] = {}  # the longest idle first
        self.wants: dict[Any, Wants] = {}
        self.stage, self.idle_time = 0, IdleTime()
        self.begin_stage()

    def third_party(self, entry: Entry) -> frozenset[int]:
        """Return the entrants that play in guests."""
        isolate = self.limits.isolate
        return frozenset(
            at for at, strategy in enumerate(entry.strategies) if is_isolated(strategy, isolate, self.seal)
        )

    def begin_stage(self) -> None:
        """Start a stage: guests forget what they remember."""
        self.stage += 1
        self.seated: dict[tuple[int, int], Guest] = {}

    def of(self, entry: Entry, entrant: int, number: int, part: int) -> Guest:
        """The guest of an entrant's seat in a part of the blocks. PluginError."""
        if (entrant, number) in self.seated:
            return self.seated[entrant, number]
        strategy = entry.strategies[entrant]
        what = strategy, entry.home or entry.game, entry.name
        key = *what, entrant, number, part
        guest = self.living.pop(key, None)
        if guest and guest.stage != self.stage and not self.begins_anew(guest, strategy):
            guest.end()
            guest = None
        if guest is None:
            self.make_room()
            guest = self.begin(entry, entrant, strategy, self.wants.setdefault(what, Wants(alone=self.alone)))
        self.living[key] = guest
        guest.stage, guest.entrant, guest.idle_time = self.stage, entrant, self.idle_time
        self.seated[entrant, number] = guest
        return guest

    def begins_anew(self, guest: Guest, strategy: Strategy) -> bool:
        """Return whether a guest has cleared its memory and goes on; otherwise another process must start.
        PluginError."""
        if "anew" not in guest.hears:
            return False
        try:
            guest.ask(question := GuestQuestion(("", 0, "anew", 0), None), "anew", 0)
            guest.answer_all(LOAD_SECONDS / IDLE)
        except GuestLostError:  # it may have been killed from outside
            return False
        if question.fault_details:
            raise NotLoadedError(
                guest.entrant, shown_as(strategy), f"{SOURCE_MARK} cannot be reset: {question.fault_details[1]}"
            )
        guest.answered = False
        return True

    def make_room(self) -> None:
        idle = [key for key, guest in self.living.items() if not guest.open and guest.stage != self.stage]
        for key in idle[: max(0, len(self.living) + 1 - MOST_GUESTS)]:
            self.living.pop(key).end()

    def begin(self, entry: Entry, entrant: int, strategy: Strategy, wants: Wants) -> Guest:
        """Start and greet a guest. If it is lost, start another one, because it may have been killed from outside.
        PluginError, ResourceError."""
        request, hello = request_for(entry, strategy, self.limits), hello_of(entry, strategy)
        names, begun, losses = view_names(entry.rules.played_by.View), monotonic(), 0
        while True:
            try:
                guest = Guest(self.launcher(entry, strategy).begin(request), entrant, self.limits, wants)
                guest.draws, guest.is_bot = bool(request["draws"]), bool(strategy.command)
                guest.hello(
                    hello | {"seconds": self.limits.seconds, "memory": self.limits.memory}, names, shown_as(strategy)
                )
                return guest
            except (GuestLostError, BugError) as lost:
                if isinstance(lost, BugError) and strategy.path in self.launchers:
                    self.launchers.pop(strategy.path).end()
                losses += 1
                if losses < LOSSES and monotonic() - begun < 2 * STARTED:
                    continue
                if isinstance(lost, BugError):  # whatever ends guest launchers, it is not the strategy
                    raise ResourceError(f"{lost}; {SPARE}") from None
                message = f"{SOURCE_MARK} cannot be loaded: {lost.words}"
                raise NotLoadedError(entrant, shown_as(strategy), message) from None
            except NotLoadedError:
                check_unchanged(strategy)
                raise

    def launcher(self, entry: Entry, strategy: Strategy) -> GuestLauncher:
        """Return the guest launcher for a source; no guest sees the source of another."""
        if strategy.path not in self.launchers:
            self.launchers[strategy.path] = launcher_for(self.seal, strategy, entry.deal.origin, self.hidden)
        return self.launchers[strategy.path]

    def end_all(self) -> None:
        """End all guests. Those that are needed again start fresh."""
        for guest in self.living.values():
            guest.end()
        self.living.clear()
        self.seated.clear()

    def close(self) -> None:
        self.end_all()
        for launcher in self.launchers.values():
            launcher.end()
        self.launchers.clear()


def shown_as(strategy: Strategy) -> str:
    return display_path(Path(strategy.path))
