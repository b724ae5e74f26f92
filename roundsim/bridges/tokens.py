"""The actions of a table as numbers: each word of an action is a token, and an action is said by several tokens.

If only one token is possible, it is said automatically. `done` is asked for only if one may also go on. A number out of
few is one token. If it may be above 24, first the largest rung of a ladder that is not above it is said, then the rest
likewise."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from ..base.errors import DeclarationError, IllegalError, did_you_mean
from ..native import native
from ..table.actions import Action
from ..table.completion import Numbers
from ..table.deal import Deal
from ..table.legal import accept, after
from ..table.options import Rules

DONE = 0
SINGLE = 24  # up to here each number has a token
STEPS = 10, 12, 15, 20, 25, 30, 40, 50, 60, 80  # of a ladder, then ten times these, and so on
LEAST = 100  # every ladder reaches at least to it
SHOWN = 20  # tokens that an error names
KEPT = 1 << 16  # actions whose paths are kept


class Tokens:
    """The tokens of a table: `texts` by their numbers, `of` the other way round. They depend on its rules only."""

    def __init__(self, game: type[Deal], rules: Rules) -> None:
        words = game.words(rules)
        steps = number_steps(top(rules)) if words.numbers else []
        self.title, self.rungs = game.title, [*range(STEPS[0]), 10, 11, *steps[1:]] if steps else []
        numbers = [*range(SINGLE + 1), *[step for step in steps if step > SINGLE]] if steps else []
        self.texts = ("done", *words.names, *words.cards, *map(str, numbers))
        self.of = {text: token for token, text in enumerate(self.texts) if token != DONE}
        self.paths = Paths(self.of)

    def __len__(self) -> int:
        return len(self.texts)

    def token(self, word: str) -> int:
        """Return the token of a word. DeclarationError if the game has not declared it."""
        try:
            return self.of[word]
        except KeyError:
            close = did_you_mean(word, self.of)
            raise DeclarationError(f"{self.title}: an action contains {word!r}, which no phase names{close}") from None

    def span(self, token: int) -> tuple[int, int | None]:
        """Return the numbers that begin with this rung: from it to just below the next, or without end."""
        rung = int(self.texts[token])
        place = self.rungs.index(rung) + 1
        return rung, self.rungs[place] - 1 if place < len(self.rungs) else None

    def first_rungs(self, numbers: Sequence[int]) -> list[int]:
        """Return the tokens with which these numbers, in their order, begin."""
        if not self.rungs:
            return [self.token(str(numbers[0]))]
        if isinstance(numbers, range):
            rungs = self.rungs[self._place(numbers[0]) : self._place(numbers[-1]) + 1]
        else:
            rungs = sorted({self.rungs[self._place(number)] for number in numbers})
        return [self.of[str(rung)] for rung in rungs]

    def _place(self, number: int) -> int:
        return bisect_right(self.rungs, number) - 1


class Paths(dict[Action, tuple[int, ...] | None]):
    """The tokens of actions, one for each word. None for an action with a number that is said by rungs, or with an
    unknown word."""

    def __init__(self, of: Mapping[str, int]) -> None:
        self.of = of

    def __missing__(self, action: Action) -> tuple[int, ...] | None:
        words = action.verb, *action.words
        known = all([word in self.of and not (word.isdecimal() and int(word) > SINGLE) for word in words])
        path = tuple([self.of[word] for word in words]) if known else None
        return self.setdefault(action, path) if len(self) < KEPT else path


@native
def listed_open(paths: Paths, legal: tuple[Action, ...], said: list[int]) -> tuple[int, ...] | Action | None:
    """Return the tokens that may be said next, after one that can only be said is added to `said`; the action, if it is
    complete. None if an action has no path."""
    every = [paths[action] for action in legal]
    if None in every:
        return None
    while True:
        n = len(said)
        found = [path for path in every if path is not None and path[:n] == (*said,)]
        following = (*dict.fromkeys([path[n] for path in found if len(path) > n]),)
        ends = (*said,) in found
        if not following:
            return legal[every.index((*said,))]
        if len(following) > 1 or ends:
            return (*[DONE] * ends, *following)
        said += following


def number_steps(high: int) -> list[int]:
    """Return the steps from 10 to the first that is not below this number."""
    steps, times = list[int](), 1
    while not steps or steps[-1] < high:
        steps += [step * times for step in STEPS]
        times *= 10
    return steps[: bisect_left(steps, high) + 1]


def top(rules: Rules) -> int:
    """Return where the ladder of a table ends: ten times the largest number of its options.

    A larger number is said by several tops."""
    given = [number for number in (*rules.options, *(rules.first_stacks or ())) if isinstance(number, int)]
    return max(LEAST, 10 * max(given, default=0))


class Spoken:
    """An action of a question as it is said, token by token.

    `open`: the tokens that may be said next, at least two; none once the action is complete. `said`: those that were
    said, also automatically. `words`: the resulting words; `sum`: the rungs of a number that is not complete yet."""

    __slots__ = ("tokens", "legal", "said", "open", "sum", "begun", "numbers", "spelled", "listed", "complete")

    def __init__(self, tokens: Tokens, legal: Sequence[Action]) -> None:
        said: list[int] = []  # `list[int]()` takes ten times as long
        self.tokens, self.said = tokens, said
        self.sum, self.begun = 0, False  # whether a rung of a number was said
        self.legal: Any = legal
        self.listed = True  # each word is a token
        self.complete: Action | None = None
        if type(legal) is tuple and (found := listed_open(tokens.paths, legal, said)) is not None:
            self._find(found)
            return
        self.listed, self.spelled = False, list[str]()
        self.numbers: Sequence[int] = ()  # that may be said by rungs; after the first rung, what may be added
        self.open = self._next()
        self._go_on()

    def _find(self, following: tuple[int, ...] | Action) -> None:
        """Take over the tokens that may be said next of listed actions, or the action."""
        if isinstance(following, Action):
            self.open, self.complete = (), following
        else:
            self.open = following

    @property
    def words(self) -> list[str]:
        """The words that were said."""
        if not self.listed:
            return self.spelled
        return [self.tokens.texts[token] for token in self.said if token != DONE]

    @property
    def action(self) -> str:
        """The text of what was said."""
        return " ".join(self.words)

    @property
    def legal_action(self) -> Action:
        """The legal action that was said. ValueError while it is not complete."""
        return self.complete or accept(self.legal, self.action)

    def say(self, token: Any) -> None:
        """Say a token. IllegalError, and no change, if it is not open."""
        try:
            own = self.open[self.open.index(token)]  # even if a number of numpy was said
        except ValueError:
            raise IllegalError(f"{self.tokens.title}: {self._refusal(token)}") from None
        if not self.listed:
            self._take(own)
            self._go_on()
            return
        self.said.append(own)
        if own == DONE:
            self.open, self.complete = (), accept(self.legal, self.action)
        else:
            following = listed_open(self.tokens.paths, self.legal, self.said)
            assert following is not None  # as at the first token
            self._find(following)

    def _refusal(self, token: Any) -> str:
        """Return why a token cannot be said, and what can."""
        texts, after_what = self.tokens.texts, f" after {self.action!r}" * bool(self.words)
        if not self.open:
            return f"token {token}{after_what}, which is a whole action"
        what = f" ({texts[token]})" if token in range(len(texts)) else f", of 0 to {len(texts) - 1},"
        few, more = self.open[:SHOWN], ", ..." * (len(self.open) > SHOWN)
        named = ", ".join([f"{token} ({texts[token]})" for token in few])
        return f"token {token}{what} cannot be said{after_what}: expected is one of {named}{more}"

    def _go_on(self) -> None:
        """Say what can be said in one way only."""
        while len(self.open) == 1:
            self._take(self.open[0])

    def _take(self, token: int) -> None:
        self.said.append(token)
        text = self.tokens.texts[token]
        if self.begun or self.numbers and text.isdecimal():
            self._climb(token)
        elif token != DONE:
            self.spelled.append(text)
        else:
            self.open = ()
            return
        self.open = self._next()

    def _climb(self, token: int) -> None:
        """Add a rung to a number, or finish it."""
        if token != DONE:
            low, high = self.tokens.span(token)
            self.sum, self.begun, self.numbers = self.sum + low, True, less(self.numbers, low, high)
        if token == DONE or self.numbers[-1] == 0:
            self.spelled.append(str(self.sum))
            self.sum, self.begun = 0, False

    def _next(self) -> tuple[int, ...]:
        """Return the tokens that may come next; none if the action is complete."""
        tokens = self.tokens
        if self.begun:
            enough = self.numbers[0] == 0
            return (*[DONE] * enough, *tokens.first_rungs(self.numbers[1:] if enough else self.numbers))
        words, ends = after(self.legal, self.spelled)
        if isinstance(words, Numbers):
            numbers: Sequence[int] = words.range
        else:
            numbers = sorted([int(word) for word in words if word.isdecimal()])
        if not numbers or numbers[-1] <= SINGLE:
            self.numbers, first = (), [tokens.token(word) for word in words]
        else:
            names = [] if isinstance(words, Numbers) else [word for word in words if not word.isdecimal()]
            self.numbers, first = numbers, [*map(tokens.token, names), *tokens.first_rungs(numbers)]
        return (*[DONE] * ends, *first) if first else ()


def less(numbers: Sequence[int], low: int, high: int | None) -> Sequence[int]:
    """Return what must be added to `low` to reach one of these sorted numbers, up to `high`."""
    if isinstance(numbers, range):
        last = numbers[-1] if high is None else min(numbers[-1], high)
        return range(max(numbers[0] - low, 0), last - low + 1)
    return [number - low for number in numbers if number >= low and (high is None or number <= high)]
