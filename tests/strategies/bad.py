"""Strategies that misbehave, one way each; what is none of their business they leave to chance."""

import ctypes
import os
import sys
import time

games = ["nap"]


class Crash:
    games = ["nap"]

    def play(self, view):
        return {}["nothing there"]


class Hang:
    games = ["nap"]

    def call(self, view):
        while True:
            pass


class Sleep:
    games = ["nap"]

    def call(self, view):
        time.sleep(60)


class Swallow:
    """Does not let itself be interrupted."""

    games = ["nap"]

    def call(self, view):
        while True:
            try:
                while True:
                    pass
            except BaseException:
                pass


class Incomparable:
    def __eq__(self, other):
        raise RuntimeError("not to be compared")

    __hash__ = None


class Agreeable(str):
    """A text that is equal to everything."""

    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


class Nonsense:
    games = ["nap"]

    def __init__(self):
        self.answers = [None, 7, "", "call 99", "play Zz", [], Incomparable(), Agreeable("call nothing"), b"pass", object()]

    def act(self, view):
        return view.chance.choice(self.answers)


class Segfault:
    games = ["nap"]

    def play(self, view):
        if view.chance.random() < 0.002:
            ctypes.string_at(0)
        return view.legal[0]


class Killed:
    games = ["nap"]

    def play(self, view):
        if view.chance.random() < 0.001:
            os.kill(os.getpid(), 9)
        return view.legal[0]


class Stuck:
    """Waits in C, where no interruption reaches it."""

    games = ["nap"]

    def call(self, view):
        if view.chance.random() < 0.002:
            ctypes.PyDLL(None).sleep(60)
        return view.legal[0]


class Memory:
    games = ["nap"]

    def call(self, view):
        self.hoard = [bytes(1 << 28) for _ in range(1000)]
        return "pass"


class Hoard:
    """Fills the memory little by little, and keeps it."""

    games = ["nap"]
    kept = []

    def play(self, view):
        self.kept.append(bytearray(1 << 22))
        return view.legal[0]


class Print:
    games = ["nap"]

    def play(self, view):
        print("a word on stdout")
        print("a word on stderr", file=sys.stderr)
        os.write(1, b"a word on the file itself\n")
        return view.legal[0]


class Mutate:
    """Tries to change whatever it is handed."""

    games = ["nap"]

    def act(self, view):
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
                try:
                    change()
                except Exception:
                    pass
        try:
            view.options.stake = 99
        except AttributeError:
            pass
        first = view.legal[0]
        view.legal = ()
        return first


class Clock:
    games = ["nap"]

    def call(self, view):
        return view.legal[time.time_ns() % len(view.legal)]


class Constructor:
    games = ["nap"]

    def __init__(self):
        raise ValueError("not today")


class Begin:
    games = ["nap"]

    def begin(self, view):
        raise ValueError("not at the beginning")


class Settled:
    games = ["nap"]

    def settled(self, view, net):
        raise ValueError("not at the end")


class Quit:
    games = ["nap"]

    def play(self, view):
        sys.exit(3)
