"""Everything that can be wrong, each with the exit code of the command that it ends.

    RoundsimError          70   a bug of roundsim, if it is nothing else
    ├── RulesError         70   a bug of a game: counters lost or made, nothing legal, an open name never set
    ├── BugError           70   a worker's bug; a script of the deal may come with it
    ├── DiffersError        1   a scripted deal with another result than it must have (script.py)
    ├── DisagreesError      1   lines of a log, or files of a run, that are not what the rules make of it
    ├── AbortError          2   a fault in a tournament whose policy is to end with it
    ├── InputError         64   the request is impossible
    │   ├── TournamentError     a tournament file, or its command line
    │   ├── UnknownGameError    a name that is no game's
    │   ├── UnknownFormatError  a name that is no format's
    │   ├── OptionError         options that a game refuses
    │   ├── OddsError           cards without odds
    │   └── StrategyError       a strategy that is not there, or is given wrong parameters
    │       └── UnplayedError   a strategy that does not play the game
    ├── ForeignError       65   the data is damaged, or not of roundsim
    │   ├── ScriptError         no scripted deal
    │   ├── CardError           a text that is no card
    │   ├── IllegalError        a record with an action that is not legal where it stands
    │   └── LogError            a run folder or a log
    │       └── AbsentError     a run folder, or the game or the format of a run, that is not here
    ├── PluginError        66   a module that cannot be loaded, or is not in git; strategies that fill the memory
    │   └── DeclarationError    a game or a format that contradicts itself
    ├── ResourceError      69   processes, memory or descriptors that the system does not have to spare
    │   └── ClusterError        a cluster that does not answer, is lost, or is of other versions than we are
    ├── FolderError        73   a folder that cannot be written, is in use, or holds another run or one that is not trusted
    └── SealError          78   a sandbox is required, but none works

SignalError (128 + the signal's number) is no error."""

from __future__ import annotations

import errno
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

SPACES = "\n\t\xa0\u202f"  # which can be shown, whatever Python says of them
BLANKS = str.maketrans("", "", SPACES)
COMMAND = re.compile(r"^([ \t]*):(?=:)|#(?=#\[)", re.M)  # `::error::`, `##[group]`: a build server obeys them
LONG = 1000  # characters of somebody's text that are looked at
LONGEST = 10_000  # characters of a third-party text that are shown


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return ' (did you mean nap?)', or nothing. Capitals make no difference."""
    folded = {other.casefold(): other for other in known}
    close = get_close_matches(str(name)[:LONG].casefold(), folded, n=1, cutoff=0.5)
    return f" (did you mean {folded[close[0]]}?)" if close else ""


class RoundsimError(Exception):
    """An error for people to read: its text says what is wrong, where, and what was expected.

    `code`: the exit code of a command that ends with it."""

    code = 70

    def __reduce__(self) -> tuple[Any, ...]:  # as it stands, whatever it was made of: pools hand errors on
        return type(self).__new__, (type(self), *self.args), vars(self)


class RulesError(RoundsimError):
    """A bug of a game: counters are lost or made, nothing is legal, or a name of its view is never set."""


class BugError(RoundsimError):
    """A bug in a worker. `script`: the sitting up to the deal in which it appeared, "" if there was none."""

    def __init__(self, problem: str, script: str = "") -> None:
        super().__init__(problem, script)
        self.script = script

    def __str__(self) -> str:
        return str(self.args[0])


class DisagreesError(RoundsimError):
    """A run that disagrees with the rules: `differences`, each with its line or file; the first are in its text."""

    code = 1

    def __init__(self, differences: list[str], named: int = 20) -> None:
        more = [f"... and {len(differences) - named} more"] * (len(differences) > named)
        super().__init__("\n".join(differences[:named] + more))
        self.differences = differences


class AbortError(RoundsimError):
    """A fault in a tournament that ends with the first one (`on_fault = "abort"`)."""

    code = 2


class SealError(RoundsimError):
    """A sandbox is required, and none works on this machine."""

    code = 78


class InputError(RoundsimError, ValueError):
    """The request is impossible, and the caller can put it right: a name, an option, a file or a number is wrong."""

    code = 64


class TournamentError(InputError):
    """A tournament that cannot be played; `problems` holds a line for each mistake, with its place."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class ClaimError(InputError):
    """A chapter of claims that cannot be tested; `problems` holds a line for each mistake, with its place."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class UnknownGameError(InputError):
    """A name that is no game's, or a file without a game. The text suggests the closest name."""


class UnknownFormatError(InputError):
    """A name that is no format's, or a file without a format. The text suggests the closest name."""


class OptionError(InputError):
    """Options that a game refuses; `problems` holds one sentence for each mistake."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


class OddsError(InputError):
    """Cards that have no odds: more than five, the same one twice, or one that is not in the pack."""


class StrategyError(InputError):
    """A strategy that is not there, that cannot be played here, or that is given wrong parameters."""


class UnplayedError(StrategyError):
    """A strategy that does not play the game in which it is named."""


class ForeignError(RoundsimError, ValueError):
    """The data is damaged, or not of roundsim."""

    code = 65


class ScriptError(ForeignError):
    """A file that is no scripted deal: what is wrong, and where."""


class CardError(ForeignError):
    """A text that is no card; the text of the error says how cards are written."""


class IllegalError(ForeignError):
    """A record holds an action that is not legal where it stands; the message says why."""


class LogError(ForeignError):
    """A run folder or log that is damaged or foreign: file, line, and what is wrong."""


class AbsentError(LogError):
    """There is no run folder here, or the game or the format of the run is missing."""


class PluginError(RoundsimError):
    """A module that cannot be loaded: what it raised, cut to its own lines."""

    code = 66


class DeclarationError(PluginError):
    """A game or a format that contradicts itself where it declares something: file, line, and what is wrong."""


SPARE = (
    "no process, memory or open file is to spare on this machine, or within a limit of this user or container; no strategy"
    " is at fault, and the same command goes on"
)


class ResourceError(RoundsimError):
    """The system has no process, memory or descriptor to spare."""

    code = 69


class ClusterError(ResourceError):
    """A cluster that does not answer, is lost, or is of other versions than we are."""


class FolderError(RoundsimError):
    """A folder that cannot be written, is in use, or holds another run or one that is not trusted."""

    code = 73


SHORTAGES = {errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE}


def is_shortage(error: BaseException) -> bool:
    """Return whether the system has refused something because there is not enough of it."""
    return isinstance(error, OSError) and error.errno in SHORTAGES


@contextmanager
def shortage_of(what: str) -> Iterator[None]:
    """Raise ResourceError instead of the system's own error, if that is a shortage."""
    try:
        yield
    except OSError as error:
        if not is_shortage(error):
            raise
        raise ResourceError(f"{what} cannot be started: {error.strerror}; {SPARE}") from None


class GivenUpError(BaseException):
    """Raised where a deal waits for an answer that will not come: the deal is given up, and nobody is at fault."""


class SignalError(GivenUpError):
    """A signal that ends the command: 1 (its terminal is closed), 2 (Ctrl-C) or 15."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number, self.code = number, 128 + number


def exception_words(error: BaseException) -> str:
    """Return 'KeyError: 3', however the exception's own text behaves."""
    try:
        text = scrubbed(str(error)[:LONG]) + misspelt(error)
    except BaseException:  # whatever it raises, or how long it takes
        text = "(its text cannot be had)"
    return f"{type_name(error)}: {text[:500]}" if text else type_name(error)


def misspelt(error: BaseException) -> str:
    """Return ' (did you mean trumps?)' for a name that one of our objects does not have: `view.trump`."""
    if not isinstance(error, AttributeError):
        return ""
    ours = [parent for parent in type(error.obj).__mro__ if parent.__module__.startswith("roundsim.")]
    if not ours:  # the view of a game from outside has one of our views among its parents
        return ""
    return did_you_mean(str(error.name), [name for name in dir(type(error.obj)) if not name.startswith("_")])


def type_name(thing: object) -> str:
    return printable(str(type.__dict__["__name__"].__get__(type(thing)))[:100])


def printable(text: object) -> str:
    """Return a third-party text in printable form, cut to a readable length."""
    return clean(str(text)[:LONGEST])[:LONGEST]


def clean(text: str) -> str:
    """Return a text for a terminal or the log of a build server. Unprintable characters, and those that would begin a
    workflow command, are written as JSON escapes. So JSON means the same."""
    if text.translate(BLANKS).isprintable() and "::" not in text and "##[" not in text:
        return text
    shown = "".join(
        [
            character if character.isprintable() or character in SPACES else unicode_escape(character)
            for character in text
        ]
    )
    return COMMAND.sub(lambda match: (match[1] or "") + unicode_escape(match[0][-1]), shown)


def unicode_escape(character: str) -> str:
    r"""\u001b; two of these for a character beyond the first 65536."""
    encoded = character.encode("utf-16-be", "surrogatepass")
    return "".join([f"\\u{high:02x}{low:02x}" for high, low in zip(encoded[::2], encoded[1::2], strict=True)])


def scrubbed(text: str) -> str:
    """Return a text without memory addresses, absolute paths, and unprintable characters."""
    text = re.sub(r"0x[0-9a-fA-F]+", "0x...", text)
    text = re.sub(r"roundsim_plugin_[0-9a-f]{12}_", "", text)
    text = re.sub(r"(?<![\w.])/(?:[\w.+-]+/)+", "", text)
    return "".join(
        [character if character.isprintable() else character.encode("unicode_escape").decode() for character in text]
    )
