"""The machines of a cluster: those that can play, and those that are left out, each with the reason.

A machine is one worker of Dask, named by its address. Machines may come and go at any time."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple
from uuid import uuid4

from ..base.errors import ClusterError, FolderError, ResourceError, RoundsimError, SealError
from ..base.version import __version__
from ..processes.lines import error_from_json
from .dask_client import PATIENCE, RESUME
from .dask_machine import check_machine, shared_task, versions
from .dask_sources import PackedTournament, bytes_of, sha256_of

LOOK_FIRST = 0.25  # seconds between two looks at which machines there are, while none can play
LOOK = 2.0  # the same while some can
REACH = 1.0  # seconds for a machine to answer without the scheduler
WAIT = 60.0  # seconds without a machine that can play, before giving up
CHECK = 60.0  # seconds more for those that are being checked
NAMED = 3  # machines that are named


class Member(NamedTuple):
    """A machine that can play: how many batches at once, and whether its results come directly from it."""

    address: str
    threads: int
    direct: bool


class Members:
    """The machines of a cluster. Call `load` first, and `look` again and again.

    `wait`: seconds without a machine that can play before `look` raises an error; `say` is called with what a user
    should know."""

    def __init__(self, client: Any, address: str, wait: float, say: Callable[[str], None]) -> None:
        self.client, self.address, self.wait, self.say = client, address, wait, say
        self.packed: PackedTournament
        self.data, self.sha, self.here = b"", "", versions()
        self.good, self.left_out = dict[str, Member](), dict[str, RoundsimError]()
        self.refused = set[str]()  # of those left out, the ones that are there
        self.guests, self.accepted = dict[str, str](), set[str]()
        self.checks, self.sources = dict[str, Any](), dict[str, Any]()
        self.threads = dict[str, int]()
        self.direct, self.waker, self.waits = True, None, False
        self.looked, self.seen = float("-inf"), time.monotonic()

    def load(self, packed: PackedTournament) -> None:
        """Set the tournament that the machines need next."""
        data = bytes_of(packed)
        if data != self.data:
            self.packed, self.data, self.sha = packed, data, sha256_of(data)
            self.sources.clear()

    def begin(self) -> None:
        """Wait for the first machines that can play. From now on, all must isolate strategies as these do.

        ClusterError, PluginError, SealError: there is none."""
        self.check_scheduler()
        first = 0.0
        while not self.good or self.checks and time.monotonic() < first + PATIENCE:
            self.look()
            first = first or (time.monotonic() if self.good else 0.0)
            time.sleep(LOOK_FIRST / 10)
        self.accepted = set(self.guests.values())

    def check_scheduler(self) -> None:
        """The scheduler must have our version of Dask. ClusterError."""
        here, there = self.here["distributed"], self.client.sync(self.client.scheduler.versions)
        if (other := there["packages"].get("distributed")) != here:
            raise ClusterError(f"its scheduler: distributed {other}, here it is {here}: all must have the same")

    def isolation(self) -> str:
        """Return how third-party strategies are isolated, in words."""
        ways = {way: [who for who, own in self.guests.items() if own == way] for way in sorted(self.accepted)}
        return "; ".join(f"{way} on {list_machines(who)}" if len(ways) > 1 else way for way, who in ways.items())

    def slots(self) -> int:
        """Return how many batches are played at once."""
        return sum(member.threads for member in self.good.values())

    def look(self, at_once: bool = False) -> None:
        """Notice which machines have come, gone, or been checked. ClusterError, PluginError, SealError: none can play,
        and that for too long."""
        now, had = time.monotonic(), bool(self.good)
        if at_once or now - self.looked > (LOOK if self.good else LOOK_FIRST):
            self.looked, self.threads = now, self.client.nthreads()
            known = {*self.good, *self.checks, *self.refused}
            self.forget(known - {*self.threads})
            for address in [address for address in self.threads if address not in known]:
                self.check(address)
        for address in [address for address, check in self.checks.items() if check.done()]:
            self.judge(address, self.checks.pop(address))
        self.wake()
        if had or self.good:
            self.seen = now
        if self.good:
            self.waits = False
        else:
            self.wait_on(now - self.seen - self.wait)

    def wait_on(self, late: float) -> None:
        """Wait for a machine that can play; say so once. `late`: how many seconds ago the time was over."""
        if late >= 0 and not self.checks or late > CHECK:
            raise self.nobody()
        if not self.waits and not self.checks:
            self.waits = True
            how_long = "" if self.wait == float("inf") else f" {self.wait:g} s"
            self.say(f"the Dask scheduler at {self.address} has no machine that can play: waiting{how_long} for one")

    def forget(self, addresses: Iterable[str]) -> None:
        """Forget machines that have gone; if one comes again, it is checked again."""
        for address in addresses:
            self.refused.discard(address)
            for known in self.good, self.checks, self.sources:
                known.pop(address, None)

    def wake(self) -> None:
        """Let a cluster that starts machines only for tasks know that there are some."""
        if self.threads:
            self.waker = None
        elif self.waker is None:
            self.waker = self.client.submit(int, key=f"roundsim-{uuid4().hex}")

    def source(self, address: str) -> Any:
        """Return what all batches need, as a task of this machine: so it is sent there once."""
        if address not in self.sources:
            self.sources[address] = self.only(address, "roundsim_sources", shared_task, self.data)
        return self.sources[address]

    def only(self, address: str, name: str, function: Callable[..., object], *arguments: Any, priority: int = 0) -> Any:
        """Submit a task to one machine."""
        key = f"{name}-{uuid4().hex}"
        where: dict[str, Any] = {"workers": [address], "allow_other_workers": False, "priority": priority}
        return self.client.submit(function, *arguments, key=key, **where)

    def check(self, address: str) -> None:
        self.checks[address] = self.only(
            address, "roundsim_check", check_machine, self.source(address), self.sha, priority=1
        )

    def judge(self, address: str, check: Any) -> None:
        """Accept a machine that was checked, or leave it out."""
        self.client.direct_to_workers = direct = self.reaches(address)
        try:
            answer: Any = check.result(timeout=PATIENCE) if check.status != "error" else None
        except TimeoutError:  # it has gone with its result, or will be checked again
            return
        if error := self.refusal(answer):
            self.leave_out(address, error)
        else:
            self.left_out.pop(address, None)
            self.guests[address] = answer["guests"]
            self.good[address] = Member(address, self.threads[address], direct)

    def refusal(self, answer: Any) -> RoundsimError | None:
        """Return why a machine cannot play, if it cannot."""
        if not isinstance(answer, dict):
            return ClusterError("roundsim cannot be called there: is it installed?")
        for name, version in self.here.items():
            if (other := answer.get(name)) != version:
                reason = f"{name} {other}, here it is {version}"
                reason = f"roundsim {__version__}, and its files are others" if name == "code" else reason
                return ClusterError(f"{reason}: all must have the same")
        if answer["error"]:
            return error_there(answer["error"], self.packed)
        if self.accepted and answer["guests"] not in self.accepted:
            known = " or ".join(map(repr, sorted(self.accepted)))
            return ClusterError(f"it plays third-party strategies differently: {answer['guests']!r}, not {known}")
        return None

    def leave_out(self, address: str, error: RoundsimError) -> None:
        """Give a machine nothing to play any more, and say so; of many for the same reason, the first are named."""
        self.forget([address])
        self.refused.add(address)
        self.left_out[address] = error
        alike = Counter(map(str, self.left_out.values()))[str(error)]
        if alike <= NAMED:
            self.say(f"{address} is left out: {error}")
        elif alike == NAMED + 1:
            self.say("more machines are left out for that reason: timing.json names all")

    def reaches(self, address: str) -> bool:
        """Return whether a machine answers us directly. If one did not in time, the others are not asked."""

        async def answers() -> None:
            await asyncio.wait_for(self.client.rpc(address).identity(), REACH)

        if not self.direct:
            return False
        try:
            self.client.sync(answers)
        except TimeoutError:
            self.direct = False
        except Exception:  # whatever Dask says of it
            return False
        return self.direct

    def nobody(self) -> RoundsimError:
        """Return the error for a cluster without a machine that can play."""
        who = dict[str, list[str]]()
        for address in sorted(self.refused):
            who.setdefault(str(self.left_out[address]), []).append(address)
        if who:
            refusals = "; ".join(f"{list_machines(machines)}: {error}" for error, machines in who.items())
            return type(self.left_out[min(self.refused)])(refusals)
        since = f", and none has come in {self.wait:g} s (--wait)" if self.wait else ""
        hint = f"`dask worker {self.address}` is one{RESUME}"
        return ClusterError(f"the Dask scheduler at {self.address} has no workers{since}: {hint}")


def list_machines(machines: Sequence[str]) -> str:
    """Return machines by their addresses, the first few of them."""
    more = [f"{len(machines) - NAMED} more"] * (len(machines) > NAMED)
    return ", ".join([*machines[:NAMED], *more])


def error_there(data: dict[str, Any], packed: PackedTournament) -> RoundsimError:
    """Return a machine's error, with the paths of this machine."""
    return error_from_json({**data, "words": packed.localized(str(data.get("words")))})


def is_of_machine(error: RoundsimError) -> bool:
    """Return whether another machine may play what this one could not."""
    return isinstance(error, ResourceError | FolderError | SealError)
