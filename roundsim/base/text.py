"""Numbers and values as people read them."""

from __future__ import annotations

import csv
import io
import re
import signal
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

WIDTH = 80
LARGE = 1e9  # from here on, three digits and an exponent
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # begin what a spreadsheet executes


def number(n: int) -> str:
    """2 000"""
    return f"{n:,}".replace(",", " ")


def so_many(n: int, thing: str) -> str:
    """Return a number with the thing that it counts; the thing has an s unless the number is 1.

    >>> from roundsim.game import so_many
    >>> so_many(1, "deal"), so_many(2000, "deal")
    ('1 deal', '2 000 deals')"""
    return f"{number(n)} {thing}{'s' * (n != 1)}"


def ordinal(n: int) -> str:
    """Return the ordinal of a number from 0, in digits.

    >>> from roundsim.game import ordinal
    >>> [ordinal(n) for n in (1, 2, 3, 4, 11, 22)]
    ['1st', '2nd', '3rd', '4th', '11th', '22nd']"""
    last = 0 if n % 100 in (11, 12, 13) else n % 10
    return f"{n}{('th', 'st', 'nd', 'rd')[last] if last < 4 else 'th'}"


def place_name(place: int, players: int) -> str:
    """eldest, 2nd, 3rd, dealer: the first place, from the dealer's left, and so on to the last"""
    return "dealer" if place == players else "eldest" if place == 1 else ordinal(place)


def exit_words(code: int) -> str:
    """Return how a process has ended, by its exit code: exited with code 3, killed by signal 11 (SIGSEGV) for -11"""
    if code >= 0:
        return f"exited with code {code}"
    name = f" ({signal.Signals(-code).name})" if -code in set(signal.Signals) else ""
    return f"killed by signal {-code}{name}"


def percent(value: float | None) -> str:
    """Return a share from 0 to 1 in percent, with one digit; "-" for None.

    >>> from roundsim.format import percent
    >>> percent(0.295), percent(None)
    ('29.5 %', '-')"""
    return "-" if value is None else f"{100 * value:.1f} %"


def hundredths(value: float | None) -> str:
    """Return a share from 0 to 1 in percent, without the sign; "-" for None.

    >>> from roundsim.format import hundredths
    >>> hundredths(0.295), hundredths(None)
    ('29.5', '-')"""
    return "-" if value is None else plain(100 * value, 1)


def signed(value: float | None) -> str:
    """Return a number with its sign and three digits; large ones with an exponent; "-" for None.

    >>> from roundsim.format import signed
    >>> signed(3.3124), signed(-0.5), signed(1.5e17)
    ('+3.312', '-0.500', '+1.5e17')"""
    return "-" if value is None else f"{value:+.3f}" if abs(value) < LARGE else exponential(f"{value:+.3g}")


def plain(value: float | None, digits: int = 3) -> str:
    """Return a number with `digits` digits after the point; "-" for None. Large numbers have an exponent, and a small
    one is not shown as 0.

    >>> from roundsim.game import plain
    >>> plain(3.3124), plain(29.5, 1), plain(1.5e17), plain(0.0004)
    ('3.312', '29.5', '1.5e17', '0.0004')"""
    if value is None:
        return "-"
    if abs(value) >= LARGE:
        return exponential(f"{value:.3g}")
    text = f"{value:.{digits}f}"
    return exponential(f"{value:.1g}") if value and not float(text) else text


def exponential(text: str) -> str:
    """Return a number without the signs and zeros of its exponent that people do not need: 1e+09 as 1e9."""
    return re.sub(r"e([+]|(-))0*", r"e\2", text)


def in_time(seconds: float) -> str:
    """250 us, 20 ms, 1.5 s"""
    for unit, length in ("us", 1e-6), ("ms", 1e-3):
        if seconds < 1000 * length:
            return f"{seconds / length:.3g} {unit}"
    return f"{seconds:.3g} s"


def duration(seconds: float) -> str:
    """75 s, 12 min, 3 h 20 min, 5 days"""
    minutes, hours = seconds / 60, seconds / 3600
    if minutes < 2:
        return f"{seconds:.0f} s"
    if hours < 2:
        return f"{minutes:.0f} min"
    return f"{int(hours)} h {int(minutes % 60)} min" if hours < 48 else f"{hours / 24:.0f} days"


def in_toml(value: Any) -> str:
    """Return a value as a script writes it, a text without its quotes."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def options_in_words(options: Mapping[str, Any]) -> str:
    """variant = american, ante = 2"""
    return ", ".join(f"{key} = {in_toml(value)}" for key, value in options.items())


def with_options(title: str, options: Mapping[str, Any]) -> str:
    """Brag (variant = american)"""
    return f"{title} ({options_in_words(options)})" if options else title


def columns_of(text: str) -> int:
    """Return how many columns of a terminal a text takes: a Chinese character takes two."""
    if text.isascii():
        return len(text)
    from wcwidth import wcswidth  # tabulate aligns columns by it

    return columns if (columns := wcswidth(text)) >= 0 else len(text)


def padded(text: str, columns: int) -> str:
    """Return a text with spaces after it, so that it takes this many columns."""
    return text + " " * (columns - columns_of(text))


def as_many_as_fit(names: Sequence[str], width: int) -> str:
    """nap, loo and 23 more; 25, if not even one name fits"""
    for shown in range(min(len(names), width), 0, -1):
        text = ", ".join(names[:shown]) + f" and {len(names) - shown} more" * (shown < len(names))
        if columns_of(text) <= width:
            return text
    return str(len(names))


def third_person(verb: str) -> str:
    """plays, passes, carries"""
    if verb.endswith(("s", "sh", "ch", "x")):
        return f"{verb}es"
    return f"{verb[:-1]}ies" if verb.endswith("y") and verb[-2:-1] not in ("a", "e", "o", "u") else f"{verb}s"


def second_person(sentence: str) -> str:
    """play Kd, pass, come in and raise 5: what a seat does, said to it."""
    verb, _, rest = sentence.partition(" ")
    rest = re.sub(r"((?:,|\bin) and )([a-z]+s)\b", lambda second: second[1] + verb_for_you(second[2]), rest)
    return " ".join([verb_for_you(verb), re.sub(r"\bhis\b", "your", rest)]).strip()


def verb_for_you(verb: str) -> str:
    """play, pass, carry, are"""
    known = {"is": "are", "has": "have", "does": "do", "goes": "go"}
    if verb in known or not verb.endswith("s"):
        return known.get(verb, verb)
    return (
        f"{verb[:-3]}y"
        if verb.endswith("ies")
        else verb[: -2 if verb.endswith(("sses", "shes", "ches", "xes")) else -1]
    )


def spelled(n: int) -> str:
    """Return a number in letters, up to twelve; any other in digits.

    >>> from roundsim.game import spelled
    >>> spelled(0), spelled(3), spelled(21)
    ('none', 'three', '21')"""
    few = "none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"
    return few[n] if 0 <= n < len(few) else str(n)


def in_csv(rows: Iterable[Iterable[Any]]) -> str:
    """Lines of CSV. A text that a spreadsheet would execute as a formula gets an apostrophe before it."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerows([[f"'{cell}" if is_formula(cell) else cell for cell in row] for row in rows])
    return out.getvalue()


def is_formula(cell: Any) -> bool:
    """Whether a cell is a text that begins as a formula does, and neither a number nor a dash."""
    if not isinstance(cell, str) or cell[:1] not in FORMULA or cell == "-":
        return False
    try:
        float(cell)
    except ValueError:
        return True
    return False
