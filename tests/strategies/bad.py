"""Strategies that misbehave, one way each; the other questions they leave to chance."""

import contextlib
import ctypes
import os
import signal
import sys
import time
from typing import Any, NoReturn

games = ["nap"]


class _Strategy:
    games = ["nap"]


class _Often(_Strategy):
    """Misbehaves at a share of its questions."""

    def __init__(self, often: float = 0.01) -> None:
        self.often = often


class Crash(_Strategy):
    def play(self, view: Any) -> Any:
        return {"something": "pass"}["nothing there"]


class Hang(_Strategy):
    def call(self, view: Any) -> Any:
        while True:
            pass


class Sleep(_Strategy):
    def call(self, view: Any) -> Any:
        time.sleep(60)


class Swallow(_Strategy):
    """Does not let itself be interrupted."""

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


class Nonsense(_Strategy):
    def __init__(self) -> None:
        words = None, 7, "", "call 99", "play Zz", Agreeable("call nothing"), b"pass"
        self.answers = [*words, [], Incomparable(), object()]

    def act(self, view: Any) -> Any:
        return view.chance.choice(self.answers)


class Segfault(_Often):
    def play(self, view: Any) -> Any:
        if view.chance.random() < self.often:
            ctypes.string_at(0)
        return view.legal[0]


class Killed(_Often):
    def play(self, view: Any) -> Any:
        if view.chance.random() < self.often:
            os.kill(os.getpid(), 9)
        return view.legal[0]


class Stuck(_Often):
    """Waits in C, where no interruption reaches it."""

    def call(self, view: Any) -> Any:
        if view.chance.random() < self.often:
            lock = ctypes.create_string_buffer(64)  # a mutex: taken twice it is waited for, and no signal ends that
            for _ in range(2):
                ctypes.PyDLL(None).pthread_mutex_lock(lock)
        return view.legal[0]


class Memory(_Strategy):
    def call(self, view: Any) -> Any:
        self.hoard = [bytes(1 << 28) for _ in range(1000)]
        return "pass"


class Hoard(_Strategy):
    """Fills the memory little by little, and keeps it."""

    kept: list[bytearray] = []

    def __init__(self, size: int = 1 << 22) -> None:
        self.size = size

    def play(self, view: Any) -> Any:
        self.kept.append(bytearray(self.size))
        return view.legal[0]


class Heavy(_Strategy):
    """Has much to carry, and lays it down when it rises from the table."""

    def __init__(self, size: int = 40 << 20) -> None:
        self.book = bytes(size)

    def act(self, view: Any) -> Any:
        return view.legal[0]


class Print(_Strategy):
    def play(self, view: Any) -> Any:
        print("a word on stdout")
        print("a word on stderr", file=sys.stderr)
        os.write(1, b"a word on the file itself\n")
        if view.chance.random() < 0.02:
            os.system("echo a word of a child; echo a word of a child >&2")
        return view.legal[0]


class Mutate(_Strategy):
    """Tries to change whatever it is handed."""

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


class Clock(_Strategy):
    def call(self, view: Any) -> Any:
        return view.legal[time.time_ns() % len(view.legal)]


class Constructor(_Strategy):
    def __init__(self) -> None:
        raise ValueError("not today")


class Begin(_Strategy):
    def begin(self, view: Any) -> None:
        raise ValueError("not at the beginning")


class Settled(_Strategy):
    def settled(self, view: Any, net: int) -> None:
        raise ValueError("not at the end")


class Quit(_Strategy):
    def play(self, view: Any) -> Any:
        sys.exit(3)


class First(_Strategy):
    """Does nothing wrong: what a seat at fault plays."""

    def act(self, view: Any) -> Any:
        return view.legal[0]


class Grind(_Often):
    """Works in C, where no interruption reaches it."""

    def call(self, view: Any) -> Any:
        if view.chance.random() < self.often:
            sum(range(1 << 60))
        return view.legal[0]


class Deaf(_Strategy):
    """Switches the watchdog's signal off."""

    def call(self, view: Any) -> Any:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        while True:
            pass


class Endless(_Strategy):
    """Calls itself for ever."""

    def play(self, view: Any) -> Any:
        return self.play(view)


class Exits(_Strategy):
    def play(self, view: Any) -> Any:
        os._exit(0)


class Interrupt(_Strategy):
    def play(self, view: Any) -> Any:
        raise KeyboardInterrupt


class Sometimes(_Often):
    """Fails now and then."""

    def play(self, view: Any) -> Any:
        if view.chance.random() < self.often:
            raise LookupError("now and then")
        return view.legal[-1]


class Trip(_Strategy):
    """Fails once there is a file `wire` in its folder."""

    def call(self, view: Any) -> Any:
        if os.path.exists(os.path.join(os.path.dirname(__file__), "wire")):
            raise LookupError("a wire")
        return view.legal[0]


class Addresses(_Strategy):
    """Tells of places in memory and on the disk."""

    def call(self, view: Any) -> Any:
        raise ValueError(object(), self, self.call, __file__, "/usr/lib/python3/x.py", "see /tmp/x/y")

    def play(self, view: Any) -> Any:
        return f"play {object()!r} of {self!r} in {__file__}"


class Lone(_Strategy):
    """Half of a character, which no file can hold."""

    def call(self, view: Any) -> Any:
        return "call \ud800"

    def play(self, view: Any) -> Any:
        raise ValueError("\ud800")


class UnprintableError(Exception):
    def __str__(self) -> str:
        raise SystemExit(3)


class Mumble(_Strategy):
    """Its exception ends whoever reads it."""

    def call(self, view: Any) -> Any:
        raise UnprintableError


class LoopError(Exception):
    def __str__(self) -> str:
        while True:
            pass


class Mutter(_Strategy):
    """Its exception takes for ever to be read."""

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


class Mock(_Strategy):
    def call(self, view: Any) -> Any:
        return Disguised()


class Shy(_Strategy):
    def call(self, view: Any) -> Any:
        return Touchy()


class Anonymous(_Strategy):
    def call(self, view: Any) -> Any:
        return Nameless()


class Wander(_Strategy):
    """Goes to another folder."""

    def call(self, view: Any) -> Any:
        os.chdir("/")
        return view.legal[0]


class Linger(_Strategy):
    """Ends badly, when nobody asks it any more."""

    def act(self, view: Any) -> Any:
        return view.legal[0]

    def __del__(self) -> None:
        while True:
            pass
