"""A line of play: what was drawn and said in a sitting.

The sitting is replayed from it, because deals cannot be copied."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from .. import games
from ..base.errors import InputError, RoundsimError
from ..base.toml import toml_of
from ..refereeing.sitting import Sitting
from ..refereeing.table import Table
from ..table.actions import Action, say
from ..table.cards import CARD, Card
from ..table.chance import Source
from ..table.deal import Deal
from ..table.imagine import Memory, SeenQuestion, search
from ..table.imagined import DivergedError, record_behind
from ..table.legal import AnyOrder, Either, accept, count
from ..table.options import Rules
from ..table.playthrough import Playthrough
from ..table.selections import Subsets
from ..table.view import Imagined
from .openspiel_chance import Drawn, DrawnSource, Imitated, NotDrawnError, PendingDraw
from .openspiel_notes import Notes, asked, history, visible_texts
from .seats import TRIES, next_asked
from .tokens import DONE, Spoken, Tokens
from .vectors import Vectors

SpokenAction = tuple[str, tuple[int, ...]]  # an action, and the tokens that said it
IMAGINED = 8  # imagined deals before giving up


@dataclass(frozen=True)
class Setting:
    """A table by its words: the game's id or path, the players, "option:value;option:value", and the number of
    deals."""

    name: str
    seats: int
    given: str
    deals: int

    def __reduce__(self) -> tuple[Any, ...]:
        return setting, (self.name, self.seats, self.given, self.deals)

    @cached_property
    def game(self) -> type[Deal]:
        return games.named(self.name)

    @cached_property
    def rules(self) -> Rules:
        return self.game.rules_for(self.seats or self.game.usual[0], options_of(self.given))

    @cached_property
    def tokens(self) -> Tokens:
        return self.vectors.tokens

    @cached_property
    def vectors(self) -> Vectors:
        return Vectors(self.game, self.rules)

    def asks(self, deals: int | None) -> bool:
        """Whether anybody has a choice in a few sittings of this many deals, None: the usual number."""
        table = Table(self.game, self.rules.players, options_of(self.given), deals)
        with suppress(InputError):
            return bool(next_asked(table, 0, lambda block: table.begin(block=block)))
        return False

    def adds_up(self) -> bool:
        """Whether all that is won is lost by others, so that at the end of a sitting no pool has counters left."""
        sitting = Sitting(self.game, self.rules)
        sitting.state.pools.update(dict.fromkeys(sitting.state.pools, 7))
        try:
            sitting.end(Source("openspiel"))
        except RoundsimError:
            return False
        return not any(sitting.state.pools.values())


@lru_cache
def setting(name: str, seats: int, given: str, deals: int) -> Setting:
    """Return the table of these words. InputError if it is invalid, or if nobody is ever asked at it."""
    if deals < 1:
        raise InputError(f"deals = {deals}: at least one is played")
    made = Setting(name, seats, given, deals)
    if not made.asks(deals):
        options = "".join([f", {key} = {value}" for key, value in made.rules.changed().items()])
        hint = "; with deals = 2 or more somebody may have" if deals == 1 and made.asks(None) else ""
        of = f"sittings of {deals} deal{'s' * (deals > 1)}"
        raise InputError(f"{made.game.title}{options}: nobody has anything to decide in {TRIES} {of}{hint}")
    return made


def options_of(given: str) -> dict[str, Any]:
    """Return the options of a text, "limit:1;max_raises:2", each as in a tournament file.

    InputError for an invalid text."""
    options: dict[str, Any] = {}
    for part in filter(None, map(str.strip, given.split(";"))):
        key, colon, text = part.partition(":")
        if not (key and colon):
            raise InputError(f"options: write option:value;option:value, not {part!r}")
        if key in options:
            raise InputError(f"options: {key} is given twice")
        try:
            options[key] = toml_of(f"value = {text}")["value"]
        except ValueError:
            options[key] = text
    return options


# The table.


class ReplayedTable(Table):
    """A table with given draws. After the last draw it raises NotDrawnError, and cannot be used any more.

    `notes` record what the seats see. `read`: how much had been drawn when the present deal began."""

    def __init__(self, at: Setting, drawn: Drawn, notes: Notes | None = None, imagines: bool = False) -> None:
        self.game, self.rules, self.players, self.deals = at.game, at.rules, at.rules.players, at.deals
        self.drawn, self.notes, self.imagines = drawn, notes, imagines
        self.events = self.read = 0

    def _source(self) -> Source:
        self.read = self.drawn.at
        return DrawnSource(self.drawn)

    def _go_on(self) -> None:
        super()._go_on()
        if ask := self.ask:
            self._note([ask.seat])

    def _deal(self) -> None:
        if self.dealt:
            self._note(range(self.players))
        super()._deal()

    def _note(self, seats: Sequence[int]) -> None:
        self.events += 1
        if self.notes and self.events > self.notes.events:
            self.notes.events = self.events
            for seat in seats:
                self.notes.add(self.view(seat))


class LineOfPlay:
    """The draws and actions of a sitting: `outcomes` of chance; `actions`, each a text with the tokens that said it.

    `said` has the tokens of the action that is not complete yet. The sitting is replayed when needed: `draw` is the
    question to chance, if there is one; else `table` is the table."""

    __slots__ = ("at", "outcomes", "actions", "said", "notes", "_table", "_draw", "_spoken")

    def __init__(
        self, at: Setting, outcomes: Sequence[int] = (), actions: Sequence[SpokenAction] = (), said: Sequence[int] = ()
    ) -> None:
        self.at, self.outcomes, self.actions, self.said = at, [*outcomes], [*actions], [*said]
        self.notes: Notes | None = None
        self._table: ReplayedTable | None = None
        self._draw: PendingDraw | None = None
        self._spoken: Spoken | None = None

    def __deepcopy__(self, memo: object) -> LineOfPlay:
        copy = LineOfPlay(self.at, self.outcomes, self.actions, self.said)
        copy.notes, copy._draw = self.notes and self.notes.copy(), self._draw and self._draw.copy()
        return copy

    def __reduce__(self) -> tuple[Any, ...]:
        return LineOfPlay, (self.at, self.outcomes, self.actions, self.said)

    @property
    def tokens(self) -> list[int]:
        """All tokens that were said."""
        return [token for _, tokens in [*self.actions, ("", self.said)] for token in tokens]

    @property
    def draw(self) -> PendingDraw | None:
        self._look()
        return self._draw

    @property
    def table(self) -> ReplayedTable:
        self._look()
        assert self._table is not None
        return self._table

    @property
    def spoken(self) -> Spoken:
        """The action of the seat that is asked, as far as it is said."""
        if self._spoken is None:
            ask = self.table.ask
            assert ask is not None
            self._spoken = Spoken(self.at.tokens, neutral_order(ask.legal))
            for token in self.said:
                self._spoken.say(token)
        return self._spoken

    def take(self, number: int) -> None:
        """Let chance draw this. IllegalError if that is impossible."""
        draw = self.draw
        assert draw is not None
        draw.take(number)
        self.outcomes.append(number)
        if draw.done:
            self._draw = None

    def say(self, token: int) -> None:
        """Let the asked seat say this. IllegalError if that is impossible."""
        spoken = self.spoken
        spoken.say(token)
        self.said.append(token)
        if not spoken.open:
            self.actions.append((spoken.action, tuple(self.said)))
            self._spoken, self.said = None, []
            action = Action(spoken.action)  # may be longer than a third-party strategy's text
            self._until_wanted(lambda: self.table.say(action))

    def _look(self) -> None:
        """Replay the sitting, if that has not been done."""
        if self._table is None and self._draw is None:
            self._tell()

    def _tell(self) -> None:
        self._table = table = ReplayedTable(self.at, Drawn(self.outcomes), self.notes)

        def tell() -> None:
            table.begin()
            for action, _ in self.actions:
                table.say(Action(action))

        self._until_wanted(tell)

    def _until_wanted(self, go_on: Callable[[], None]) -> None:
        try:
            go_on()
        except NotDrawnError as wanted:
            self._table, self._draw = None, wanted.draw

    def seen(self, seat: int) -> str:
        """Return all that a seat knows: what it saw at its questions, what was said, what it sees and is saying now."""
        return "\n".join([f"seat {seat}", *self._noted(seat)[0], *self._now(seat)])

    def _noted(self, seat: int) -> tuple[list[str], int]:
        """Return what it saw before, and how much of that in deals that are over."""
        if self.notes is None:
            self.notes = Notes(self.at.rules.players)
            self._table = self._draw = None  # to be replayed, with notes
        self._look()
        return self.notes.texts[seat], self.notes.begun[seat]

    def _now(self, seat: int) -> list[str]:
        assert self.notes is not None
        if self.draw:
            return ["chance"]
        view = self.table.view(seat)
        return (
            [history(view), *self._words()]
            if asked(view)
            else [self.notes.new(view, visible_texts(view)), history(view)]
        )

    def observed(self, seat: int) -> str:
        """Return what a seat sees now."""
        if self.draw:
            return f"seat {seat}\nchance"
        view = self.table.view(seat)
        texts = [f"{name}={text}" for name, text in visible_texts(view).items()]
        return "\n".join([f"seat {seat}", " ".join([view.phase, *texts]), *(self._words() if asked(view) else [])])

    def _words(self) -> list[str]:
        return [" ".join([self.at.tokens.texts[token] for token in self.spoken.said])] if self.said else []

    def otherwise(self, bits: Callable[[], int]) -> LineOfPlay:
        """Return a line that the asked seat cannot distinguish from this one; `bits` gives 64 bits of chance.

        InputError if none is found."""
        seat = self.table.view().seat
        seen, (noted, begun) = self.seen(seat), self._noted(seat)
        words = re.findall(r"\w+", " ".join([*noted[begun:], *self._now(seat)]))
        known = {CARD[word] for word in words if word in CARD}
        for _ in range(IMAGINED):
            try:
                other = self._imagined(bits(), known)
                if other and other.seen(seat) == seen:
                    return other
            except (DivergedError, ValueError):  # cards that are named in our order may arrive in another
                continue
        raise InputError(f"{self.at.game.title}: no other deal is found that seat {seat} could not tell from this one")

    def _imagined(self, bits: int, known: set[Card]) -> LineOfPlay | None:
        """Return a line with unknown cards placed elsewhere, if one with the same view is found."""
        table, at, before = ReplayedTable(self.at, Drawn(self.outcomes), imagines=True), 0, 0
        table.begin()
        for at, (action, _) in enumerate(self.actions, 1):
            dealt = table.dealt
            table.say(Action(action))
            before = before if table.dealt == dealt else at
        imagined = elsewhere(table, known, f"{bits:x}")
        if imagined is None:
            return None
        outcomes, actions = self._of(imagined)
        return LineOfPlay(self.at, self.outcomes[: table.read] + outcomes, self.actions[:before] + actions, self.said)

    def _of(self, imagined: Imagined) -> tuple[list[int], list[SpokenAction]]:
        """Return the draws and actions of an imagined deal. DivergedError, ValueError if it cannot be replayed."""
        tale, actions = record_behind(imagined), list[SpokenAction]()
        drawn, deal = Imitated(tale.drawn, tale.orders), tale.begun()
        deal.chance = DrawnSource(drawn)
        telling = Playthrough(deal)
        for action in map(Action, tale.actions):
            if telling.ask is None:
                raise DivergedError
            legal = telling.ask.legal
            if count(legal) > 1:
                actions.append(spoken_action(self.at.tokens, neutral_order(legal), action))
                action = Action(actions[-1][0])
            telling.answer(accept(legal, action))
        return drawn.numbers, actions


def elsewhere(table: Table, known: set[Card], name: str) -> Imagined | None:
    """Return the present deal as imagined by `View.imagine`, but keep the cards that the seat saw before in place."""
    deal, memory = table.deal, table.deal.chance
    assert isinstance(memory, Memory)
    question = SeenQuestion(table.view(), deal, memory)
    carried, *packs = question.packs  # carried things were drawn in an earlier deal, so they cannot change
    if not deal.imaginable or carried or any([len({*pack}) < len(pack) for pack in packs]):
        return None
    question.unseen = [card for card in question.unseen if card not in known]
    attempt = search(question, name)
    return attempt.imagined() if attempt else None


# Actions.


def neutral_order(legal: Sequence[Action]) -> Sequence[Action]:
    """Return the same actions, with cards named in an order that reveals nothing about how they were dealt."""
    if isinstance(legal, Subsets):
        return type(legal)(legal.verb, sorted(legal.hand), legal.low, legal.high, legal.plain)
    if isinstance(legal, AnyOrder):
        n = legal.fixed
        return AnyOrder([say(action.verb, *action.words[:n], *sorted(action.words[n:])) for action in legal.actions], n)
    if isinstance(legal, Either):
        one, other = neutral_order(legal.one), neutral_order(legal.other)
        assert isinstance(one, type(legal.one)) and isinstance(other, type(legal.other))
        return Either(one, other)
    return legal


def spoken_action(tokens: Tokens, legal: Sequence[Action], action: Action) -> SpokenAction:
    """Return an action as it is said, and the tokens that say it, without those that say themselves."""
    if isinstance(legal, Subsets) and action.verb == legal.verb:
        action = say(action.verb, *sorted(action.words))
    spoken, said, words = Spoken(tokens, legal), list[int](), accept(legal, action).split()
    while spoken.open:
        word = words[len(spoken.words)] if len(spoken.words) < len(words) else ""
        said.append(next_token(spoken, word))
        spoken.say(said[-1])
    return spoken.action, tuple(said)


def next_token(spoken: Spoken, word: str) -> int:
    """Return the token to say next so that this becomes the next word; "" if no word follows."""
    token = spoken.tokens.of.get(word, DONE)
    if not word or token in spoken.open and not spoken.begun:
        return token
    left, texts = int(word) - spoken.sum, spoken.tokens.texts
    rungs = {int(texts[token]): token for token in spoken.open if texts[token].isdecimal()}
    return rungs[max([rung for rung in rungs if rung <= left])] if left or not spoken.begun else DONE
