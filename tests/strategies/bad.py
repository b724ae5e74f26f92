"""Strategies that misbehave, one way each; what is none of their business they leave to chance."""

import contextlib
import ctypes
import os
import signal
import sys
import time
from typing import Any, NoReturn

games = ["nap"]


class Crash:
    games = ["nap"]

    def play(self, view: Any) -> Any:
        return {"something": "pass"}["nothing there"]


class Hang:
    games = ["nap"]

    def call(self, view: Any) -> Any:
        while True:
            pass


class Sleep:
    games = ["nap"]

    def call(self, view: Any) -> Any:
        time.sleep(60)


class Swallow:
    """Does not let itself be interrupted."""

    games = ["nap"]

    def call(self, view: Any) -> Any:
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass


class Incomparable:
    """Cannot be hashed, either."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("not to be compared")


class Agreeable(str):
    """A text that is equal to everything."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


class Nonsense:
    games = ["nap"]

    def __init__(self) -> None:
        self.answers = [
            None,
            7,
            "",
            "call 99",
            "play Zz",
            [],
            Incomparable(),
            Agreeable("call nothing"),
            b"pass",
            object(),
        ]

    def act(self, view: Any) -> Any:
        return view.chance.choice(self.answers)


class Segfault:
    games = ["nap"]

    def __init__(self, often: float = 0.002) -> None:
        self.often = often

    def play(self, view: Any) -> Any:
        if view.chance.random() < self.often:
            ctypes.string_at(0)
        return view.legal[0]


class Killed:
    games = ["nap"]

    def __init__(self, often: float = 0.001) -> None:
        self.often = often

    def play(self, view: Any) -> Any:
        if view.chance.random() < self.often:
            os.kill(os.getpid(), 9)
        return view.legal[0]


class Stuck:
    """Waits in C, where no interruption reaches it."""

    games = ["nap"]

    def __init__(self, often: float = 0.002) -> None:
        self.often = often

    def call(self, view: Any) -> Any:
        if view.chance.random() < self.often:
            lock = ctypes.create_string_buffer(64)  # a mutex: taken twice it is waited for, and no signal ends that
            for _ in range(2):
                ctypes.PyDLL(None).pthread_mutex_lock(lock)
        return view.legal[0]


class Memory:
    games = ["nap"]

    def call(self, view: Any) -> Any:
        self.hoard = [bytes(1 << 28) for _ in range(1000)]
        return "pass"


class Hoard:
    """Fills the memory little by little, and keeps it."""

    games = ["nap"]
    kept: list[bytearray] = []

    def __init__(self, size: int = 1 << 22) -> None:
        self.size = size

    def play(self, view: Any) -> Any:
        self.kept.append(bytearray(self.size))
        return view.legal[0]


class Heavy:
    """Has much to carry, and lays it down when it rises from the table."""

    games = ["nap"]

    def __init__(self, size: int = 40 << 20) -> None:
        self.book = bytes(size)

    def act(self, view: Any) -> Any:
        return view.legal[0]


class Print:
    games = ["nap"]

    def play(self, view: Any) -> Any:
        print("a word on stdout")
        print("a word on stderr", file=sys.stderr)
        os.write(1, b"a word on the file itself\n")
        if view.chance.random() < 0.02:
            os.system("echo a word of a child; echo a word of a child >&2")
        return view.legal[0]


class Mutate:
    """Tries to change whatever it is handed."""

    games = ["nap"]

    def act(self, view: Any) -> Any:
        for name in [name for name in dir(view) if not name.startswith("_")]:
            thing = getattr(view, name)
            for change in (
                lambda thing=thing: thing.clear(),
                lambda thing=thing: thing.__setitem__(0, None),
                lambda thing=thing: thing.update(pool=99),
                lambda thing=thing: setattr(thing[0], "rank", 99),
                lambda thing=thing: setattr(thing[0], "card", None),
                lambda name=name: setattr(view, name, None) if name in ("hand", "trick", "call", "trumps") else None,
            ):
                with contextlib.suppress(Exception):
                    change()
        first = view.legal[0]
        for name, value in (("options.stake", 99), ("legal", ()), ("seat", 0), ("phase", "play"), ("hand", ())):
            thing = view.options if name.startswith("options") else view
            with contextlib.suppress(AttributeError):
                setattr(thing, name.rpartition(".")[2], value)
        return first


class Clock:
    games = ["nap"]

    def call(self, view: Any) -> Any:
        return view.legal[time.time_ns() % len(view.legal)]


class Constructor:
    games = ["nap"]

    def __init__(self) -> None:
        raise ValueError("not today")


class Begin:
    games = ["nap"]

    def begin(self, view: Any) -> None:
        raise ValueError("not at the beginning")


class Settled:
    games = ["nap"]

    def settled(self, view: Any, net: int) -> None:
        raise ValueError("not at the end")


class Quit:
    games = ["nap"]

    def play(self, view: Any) -> Any:
        sys.exit(3)


class First:
    """Does nothing wrong: what a seat at fault plays."""

    games = ["nap"]

    def act(self, view: Any) -> Any:
        return view.legal[0]


class Grind:
    """Works in C, where no interruption reaches it."""

    games = ["nap"]

    def __init__(self, often: float = 0.002) -> None:
        self.often = often

    def call(self, view: Any) -> Any:
        if view.chance.random() < self.often:
            sum(range(1 << 60))
        return view.legal[0]


class Deaf:
    """Switches the watchdog's signal off."""

    games = ["nap"]

    def call(self, view: Any) -> Any:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        while True:
            pass


class Endless:
    """Calls itself for ever."""

    games = ["nap"]

    def play(self, view: Any) -> Any:
        return self.play(view)


class Exits:
    games = ["nap"]

    def play(self, view: Any) -> Any:
        os._exit(0)


class Interrupt:
    games = ["nap"]

    def play(self, view: Any) -> Any:
        raise KeyboardInterrupt


class Sometimes:
    """Fails now and then."""

    games = ["nap"]

    def __init__(self, often: float = 0.01) -> None:
        self.often = often

    def play(self, view: Any) -> Any:
        if view.chance.random() < self.often:
            raise LookupError("now and then")
        return view.legal[-1]


class Trip:
    """Fails once there is a file `wire` beside it."""

    games = ["nap"]

    def call(self, view: Any) -> Any:
        if os.path.exists(os.path.join(os.path.dirname(__file__), "wire")):
            raise LookupError("a wire")
        return view.legal[0]


class Addresses:
    """Tells of places in memory and on the disk."""

    games = ["nap"]

    def call(self, view: Any) -> Any:
        raise ValueError(object(), self, self.call, __file__, "/usr/lib/python3/x.py", "see /tmp/x/y")

    def play(self, view: Any) -> Any:
        return f"play {object()!r} of {self!r} in {__file__}"


class Lone:
    """Half of a character, which no file can hold."""

    games = ["nap"]

    def call(self, view: Any) -> Any:
        return "call \ud800"

    def play(self, view: Any) -> Any:
        raise ValueError("\ud800")


class UnprintableError(Exception):
    def __str__(self) -> str:
        raise SystemExit(3)


class Mumble:
    """Its exception ends whoever reads it."""

    games = ["nap"]

    def call(self, view: Any) -> Any:
        raise UnprintableError


class LoopError(Exception):
    def __str__(self) -> str:
        while True:
            pass


class Mutter:
    """Its exception takes for ever to be read."""

    games = ["nap"]

    def call(self, view: Any) -> Any:
        raise LoopError


class Disguised:
    """Not a text, but says it is."""

    __class__ = str  # type: ignore[assignment]  # the lie


class Touchy:
    """Will not say what it is."""

    @property  # type: ignore[misc]  # no property may be there
    def __class__(self) -> NoReturn:  # type: ignore[override]  # nor read so
        raise RuntimeError("none of your business")


class NamelessType(type):
    @property
    def __name__(cls) -> NoReturn:  # type: ignore[override]  # a name is there to be read
        raise RuntimeError("no name")


class Nameless(metaclass=NamelessType):
    pass


class Mock:
    games = ["nap"]

    def call(self, view: Any) -> Any:
        return Disguised()


class Shy:
    games = ["nap"]

    def call(self, view: Any) -> Any:
        return Touchy()


class Anonymous:
    games = ["nap"]

    def call(self, view: Any) -> Any:
        return Nameless()


class Wander:
    """Goes to another folder."""

    games = ["nap"]

    def call(self, view: Any) -> Any:
        os.chdir("/")
        return view.legal[0]


class Linger:
    """Ends badly, when nobody asks it any more."""

    games = ["nap"]

    def act(self, view: Any) -> Any:
        return view.legal[0]

    def __del__(self) -> None:
        while True:
            pass
